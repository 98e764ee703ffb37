//! `agent questions`, `answer`, `allow` and `hand-off`: what agents want of a person.

use augment_core::text::visible;
use augment_protocol::agents::{
    AgentList, AllowAgent, AnswerQuestion, DecideHandOff, HandOffState, ListQuestions, OneQuestion, Question,
    ReadHandOff,
};
use augment_protocol::methods::{
    AgentAllow, AgentsList, HandOffDecide, QuestionAnswered, QuestionShow, QuestionsList, RunHandOff,
};
use augment_protocol::status::Nothing;

use crate::args::{AllowArgs, AnswerArgs, HandOffArgs, QuestionsArgs};
use crate::commands::{Ended, Ending, Failure, Session, ask, hand_off, now_ms};
use crate::connect::Wish;
use crate::output::runs;

pub(super) async fn questions(session: &mut Session, args: QuestionsArgs) -> Ended {
    let mut client = session.connect(Wish::OneShot).await?;
    let list = client.call::<QuestionsList>(ListQuestions { answered: args.all, run: args.run }).await?;
    session.show(&list, |list| {
        if list.questions.is_empty() {
            return "No agent waits for an answer.".to_owned();
        }
        let told: Vec<String> = list.questions.iter().map(|question| runs::question(question, now_ms())).collect();
        told.join("\n")
    })?;
    Ok(Ending::Done)
}

pub(super) async fn answer(session: &mut Session, args: AnswerArgs) -> Ended {
    // With a host that stays, so that the agent hears it.
    let mut client = session.connect(Wish::Lasting).await?;
    let choice = match args.choice {
        Some(choice) => {
            let question = client.call::<QuestionShow>(OneQuestion { question: args.question.clone() }).await?;
            Some(meant(&question, choice))
        }
        None => None,
    };
    let params = AnswerQuestion { question: args.question, choice, text: args.text };
    let answered = client.call::<QuestionAnswered>(params).await?;
    session.show(&answered, runs::answered)?;
    Ok(Ending::Done)
}

/// The option that somebody typed: its value, its number from 1, or its text.
pub(super) fn meant(question: &Question, typed: String) -> String {
    let by_value = question.options.iter().find(|option| option.value.eq_ignore_ascii_case(&typed));
    let by_text = || question.options.iter().find(|option| option.text.eq_ignore_ascii_case(&typed));
    let by_number = || {
        let number: usize = typed.parse().ok()?;
        question.options.get(number.checked_sub(1)?)
    };
    by_value.or_else(by_text).or_else(by_number).map_or(typed.clone(), |option| option.value.clone())
}

pub(super) async fn allow(session: &mut Session, args: AllowArgs) -> Ended {
    let mut client = session.connect(Wish::OneShot).await?;
    let AgentList { agents, problems } = client.call::<AgentsList>(Nothing {}).await?;
    let missing = || {
        let name = visible(&args.name);
        let marked = format!(": agents.{name}: ");
        match problems.iter().find(|problem| problem.contains(&marked)) {
            Some(problem) => Failure::told("bad-agent", problem.clone()),
            None => {
                let message = format!("There is no agent {name}. `augment-cli agent list` shows them.");
                Failure::told("unknown-agent", message)
            }
        }
    };
    let agent = agents.into_iter().find(|agent| agent.name == args.name).ok_or_else(missing)?;
    drop(client);
    if agent.allowed {
        session.show(&agent, |agent| format!("{} may be started already.", visible(&agent.name)))?;
        return Ok(Ending::Done);
    }
    if !args.yes {
        session.output.tell(&runs::configuration(&agent));
        if !session.output.can_ask() {
            let message = "Nothing was allowed, since nobody can be asked. Look at it, and repeat with --yes.";
            return Err(Failure::told("not-asked", message));
        }
        if !ask::yes(session, &format!("Allow {} to be started exactly like this?", visible(&agent.name))).await? {
            session.output.tell("Nothing was allowed.");
            return Ok(Ending::No);
        }
    }
    let mut client = session.connect(Wish::OneShot).await?;
    let list = client.call::<AgentAllow>(AllowAgent { name: agent.name.clone(), hash: agent.hash }).await?;
    let told = list.agents.iter().find(|known| known.name == agent.name);
    session.show(&told, |_| {
        format!("{} may be started as long as its configuration stays like this.", visible(&agent.name))
    })?;
    Ok(Ending::Done)
}

pub(super) async fn hand_off(session: &mut Session, args: HandOffArgs) -> Ended {
    let Some(hand_off) = args.hand_off else {
        if args.own {
            let mut client = session.connect(Wish::OneShot).await?;
            let document = client.call::<RunHandOff>(ReadHandOff { hand_off: None }).await?;
            session.show(&document, |document| runs::lines(&document.text))?;
            return Ok(Ending::Done);
        }
        return hand_off::list(session).await;
    };
    if !args.accept && !args.start && !args.dismiss {
        return hand_off::show(session, hand_off).await;
    }
    let mut client = session.connect(if args.start { Wish::Lasting } else { Wish::OneShot }).await?;
    let start = args.start.then_some(true);
    let decide = DecideHandOff { hand_off, accept: !args.dismiss, document: None, start, add_to_scope: None };
    let decided = client.call::<HandOffDecide>(decide).await?;
    if args.start && decided.state == HandOffState::Accepted {
        return hand_off::begin(session, &mut client, &decided).await;
    }
    session.show(&decided, runs::hand_off_line)?;
    Ok(Ending::Done)
}
