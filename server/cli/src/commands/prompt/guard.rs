//! `prompt guard`: whether a prompt is closed, for people and for CI. What could not be judged is told apart from what does
//! not hold, so that nothing passes because nobody could look.

use augment_protocol::methods::PromptGuarded;
use augment_protocol::prompts::{GuardPrompt, Guarded};

use super::{Ended, Ending, Failure, Session, environment, shown};
use crate::args::GuardArgs;
use crate::commands::as_a_run;
use crate::connect::Wish;

pub(super) async fn run(session: &mut Session, args: GuardArgs) -> Ended {
    let judged = match judge(session, args).await {
        Ok(judged) => judged,
        Err(Failure::Told { code, message, data }) => {
            let message = as_a_run(&code).unwrap_or(message);
            session.output.error(&code, &message, data.as_ref());
            return Ok(Ending::Unreadable);
        }
        Err(failure @ (Failure::Closed | Failure::Interrupted)) => return Err(failure),
    };
    session.show(&judged, shown::guarded)?;
    Ok(ending(&judged))
}

async fn judge(session: &mut Session, args: GuardArgs) -> Result<Guarded, Failure> {
    let params = GuardPrompt { remote: args.remote, branch: args.branch, environment: environment()? };
    Ok(session.connect(Wish::OneShot).await?.call::<PromptGuarded>(params).await?)
}

fn ending(judged: &Guarded) -> Ending {
    let is_wrong = judged.invariants.iter().any(|invariant| invariant.wrong.is_some());
    match (judged.holds, judged.invariants.is_empty()) {
        (_, true) => Ending::Unreadable,
        (true, false) => Ending::Done,
        (false, false) if is_wrong => Ending::No,
        (false, false) => Ending::Unreadable,
    }
}

#[cfg(test)]
mod tests {
    use augment_protocol::prompts::Invariant;

    use super::*;

    #[test]
    fn nothing_passes_that_was_not_judged() {
        let judged = |holds, wrong: Option<&str>, count: usize| Guarded {
            holds,
            invariants: vec![
                Invariant {
                    number: 1,
                    name: "x".into(),
                    holds,
                    wrong: wrong.map(str::to_owned),
                    mend: None
                };
                count
            ],
            session: None,
            branch: "dev".into(),
            remote: "origin".into(),
            notes: Vec::new(),
        };
        assert_eq!(ending(&judged(true, None, 5)), Ending::Done);
        assert_eq!(ending(&judged(false, Some("It is not."), 5)), Ending::No);
        assert_eq!(ending(&judged(false, None, 5)), Ending::Unreadable);
        assert_eq!(ending(&judged(true, None, 0)), Ending::Unreadable);
    }
}
