//! `ask`: a run asks a person something, waits, and prints the answer for a script.

use std::io;
use std::time::Duration;

use augment_core::text::{quoted, visible, visible_lines};
use augment_protocol::agents::{AskDecision, Question};
use augment_protocol::completion::Choice;
use augment_protocol::methods::RunAsk;

use super::{Ended, Ending, Failure, Session, lasting, own_run};
use crate::args::{AskArgs, bounded_stdin};

pub(super) async fn run(session: &mut Session, args: AskArgs) -> Ended {
    if !own_run::has_token() {
        return Err(own_run::no_token());
    }
    lasting::until_left(ask(session, args)).await
}

async fn ask(session: &Session, args: AskArgs) -> Ended {
    let wait = Duration::from_millis(u64::try_from(args.wait).unwrap_or(0));
    let params = asked(args)?;
    let mut client = own_run::connect(&session.workspace()?).await?;
    let question = client.call::<RunAsk>(params).await?;
    session.output.tell(&format!("{} waits for a person's answer.", visible(&question.id)));
    let question = own_run::answered(&mut client, question, wait).await?;
    if question.answer.is_none() {
        let id = visible(&question.id).into_owned();
        let message = format!("{id} has not been answered in time. It stays open until the run ends.");
        return Err(Failure::told("not-answered", message));
    }
    let answer = chosen(&question).ok_or_else(|| {
        let id = visible(&question.id).into_owned();
        Failure::told("withdrawn", format!("{id} was withdrawn: nobody needs an answer any more."))
    })?;
    session.show(&question, |_| visible_lines(answer).into_owned())?;
    Ok(Ending::Done)
}

fn asked(args: AskArgs) -> Result<AskDecision, Failure> {
    let detail = match args.detail.as_deref() {
        Some("-") => bounded_stdin(io::stdin().lock()).map_err(|message| Failure::told("stdin", message))?,
        Some(detail) => detail.to_owned(),
        None => String::new(),
    };
    let options: Vec<Choice> = args.option.iter().map(|text| choice(text)).collect();
    check_recommendation(args.recommend.as_deref(), &options)?;
    Ok(AskDecision { question: args.question, detail, options, recommendation: args.recommend })
}

pub(super) fn check_recommendation(value: Option<&str>, options: &[Choice]) -> Result<(), Failure> {
    match value.filter(|value| !options.iter().any(|option| option.value == *value)) {
        None => Ok(()),
        Some(value) if options.is_empty() => {
            let message = format!(
                "{} cannot be recommended: there are no options. Give each with --option VALUE=TEXT, or leave --recommend away.",
                quoted(value)
            );
            Err(Failure::told("bad-recommendation", message))
        }
        Some(value) => {
            let message = format!("{} is none of the options. Recommend the value of one of them.", quoted(value));
            Err(Failure::told("bad-recommendation", message))
        }
    }
}

/// `value=text`; one of them alone stands for both.
pub(super) fn choice(typed: &str) -> Choice {
    match typed.split_once('=') {
        Some((value, text)) => Choice { value: value.trim().to_owned(), text: text.trim().to_owned() },
        None => Choice { value: typed.trim().to_owned(), text: typed.trim().to_owned() },
    }
}

/// What was answered: the value of an option, or a text.
pub(super) fn chosen(question: &Question) -> Option<&str> {
    let answer = question.answer.as_ref()?;
    answer.choice.as_deref().or(answer.text.as_deref())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(option: &[&str], recommend: Option<&str>) -> AskArgs {
        AskArgs {
            question: "Which?".into(),
            option: option.iter().map(|&option| option.to_owned()).collect(),
            recommend: recommend.map(str::to_owned),
            detail: None,
            wait: 0,
        }
    }

    #[test]
    fn an_option_has_a_value_and_a_text() {
        let params = asked(args(&["redis=Redis = fast", "memory"], Some("redis"))).ok().unwrap();
        let options: Vec<_> = params.options.iter().map(|one| (one.value.as_str(), one.text.as_str())).collect();
        assert_eq!(options, [("redis", "Redis = fast"), ("memory", "memory")]);
    }

    #[test]
    fn only_an_option_can_be_recommended() {
        assert!(asked(args(&["a=A"], Some("b"))).is_err());
        assert!(asked(args(&[], Some("b"))).is_err());
    }
}
