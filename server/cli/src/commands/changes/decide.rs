//! Approving and rejecting, taking that back, and answering a flag, which may take its change out. A decision that touches other people's work comes back with what it would do; that is shown,
//! and done only on a yes to exactly that.

use augment_protocol::changes::{Decide, Decided, FileOutcome, Preview, WhichDecision};
use augment_protocol::methods::{ChangesDecide, ChangesPreview, ChangesRedo, ChangesUndo, FlagAnswered};
use augment_protocol::sessions::{AnswerFlag, AnsweredFlag};
use serde_json::Value;

use super::{Ended, Ending, Failure, Session, ask, shown};
use crate::client::{CallError, Client};
use crate::connect::Wish;
use crate::output::Format;
use crate::output::changes::decided::{Back, decided};
use crate::output::session::flag_answered;

/// How often a preview may be overtaken by new changes before it is given up.
const ROUNDS: u32 = 5;

/// Whether the person has said yes beforehand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::commands) enum Consent {
    Given,
    Asked,
}

/// What is to be done.
#[derive(Debug, Clone)]
pub(in crate::commands) enum Order {
    Decide(Decide),
    Undo(WhichDecision),
    Redo(WhichDecision),
    Flag(AnswerFlag),
}

impl Order {
    fn confirm(&mut self, yes: String) {
        match self {
            Self::Decide(Decide { confirm, .. })
            | Self::Flag(AnswerFlag { confirm, .. })
            | Self::Undo(WhichDecision { confirm, .. })
            | Self::Redo(WhichDecision { confirm, .. }) => *confirm = Some(yes),
        }
    }

    async fn send(&self, client: &mut Client) -> Result<Done, CallError> {
        Ok(match self {
            Self::Decide(decide) => Done::Decided(client.call::<ChangesDecide>(decide.clone()).await?, Back::Undo),
            Self::Undo(which) => Done::Decided(client.call::<ChangesUndo>(which.clone()).await?, Back::Redo),
            Self::Redo(which) => Done::Decided(client.call::<ChangesRedo>(which.clone()).await?, Back::Undo),
            Self::Flag(answer) => Done::Flag(Box::new(client.call::<FlagAnswered>(answer.clone()).await?)),
        })
    }
}

/// What was done.
#[derive(Debug)]
enum Done {
    Decided(Decided, Back),
    Flag(Box<AnsweredFlag>),
}

impl Done {
    fn told(&self, session: &Session) -> Ended {
        match self {
            Self::Decided(decided, back) => told(session, decided, *back),
            Self::Flag(answered) => {
                session.show(&**answered, flag_answered)?;
                Ok(answered.took_out.as_ref().map_or(Ending::Done, came_of))
            }
        }
    }
}

pub(in crate::commands) async fn run(session: &mut Session, mut order: Order, consent: Consent) -> Ended {
    for _ in 0..ROUNDS {
        // Each round has a connection of its own: while the person thinks, the workspace is free for others.
        let answer = asked(&mut session.connect(Wish::OneShot).await?, &order).await?;
        let (question, preview) = match answer {
            Answer::Done(done) => return done.told(session),
            Answer::Asks { question, preview } => (question, preview),
        };
        if consent == Consent::Asked && !agreed(session, &preview, question).await? {
            session.output.tell("Nothing was changed.");
            return Ok(Ending::No);
        }
        order.confirm(preview.confirm);
    }
    let message = "The files change faster than this can be decided. Wait for the run to pause, then repeat.";
    Err(Failure::told("shown-otherwise", message))
}

/// What the host said to a decision.
#[derive(Debug)]
enum Answer {
    Done(Done),
    /// It is done only on a yes to this result.
    Asks {
        question: Question,
        preview: Preview,
    },
}

/// The refusal that asks, for where nobody can answer.
#[derive(Debug)]
struct Question {
    code: String,
    message: String,
    data: Option<Value>,
}

async fn asked(client: &mut Client, order: &Order) -> Result<Answer, Failure> {
    let (code, message, data) = match order.send(client).await {
        Ok(done) => return Ok(Answer::Done(done)),
        Err(CallError::Refused { code, message, data }) if asks(&code) => (code, message, data),
        Err(error) => return Err(error.into()),
    };
    let preview = match (preview_of(data.as_ref()), order) {
        (Some(preview), _) => preview,
        (None, Order::Decide(decide)) => {
            client.call::<ChangesPreview>(Decide { confirm: None, ..decide.clone() }).await?
        }
        (None, Order::Undo(_) | Order::Redo(_) | Order::Flag(_)) => return Err(Failure::Told { code, message, data }),
    };
    Ok(Answer::Asks { question: Question { code, message, data }, preview })
}

/// The refusals that a yes to what is shown overcomes.
fn asks(code: &str) -> bool {
    matches!(code, "entangled" | "control-files" | "shown-otherwise")
}

fn preview_of(data: Option<&Value>) -> Option<Preview> {
    serde_json::from_value(data?.get("preview")?.clone()).ok()
}

/// Shows what would come of it and asks. Where nobody can be asked it is a refusal that says how to go on.
async fn agreed(session: &Session, preview: &Preview, question: Question) -> Result<bool, Failure> {
    let Question { code, message, data } = question;
    if session.output.format() == Format::Human {
        session.output.print(&shown::preview(preview))?;
    }
    if session.output.can_ask() {
        return ask::yes(session, &format!("\n{message}\nDo exactly this?")).await;
    }
    let message = format!("{message} Nothing was changed; --yes does it.");
    Err(Failure::Told { code, message, data })
}

/// Prints what came of it. A file that could not be written makes it a no.
pub(super) fn told(session: &Session, answer: &Decided, back: Back) -> Ended {
    let width = session.output.width();
    session.show(answer, |answer| decided(answer, back, width))?;
    Ok(came_of(answer))
}

fn came_of(decided: &Decided) -> Ending {
    let written = decided.files.iter().all(|file| match file.outcome {
        FileOutcome::Unchanged
        | FileOutcome::Removed
        | FileOutcome::Restored
        | FileOutcome::Renamed
        | FileOutcome::Changed
        | FileOutcome::InEditor => true,
        FileOutcome::NotWritten | FileOutcome::NotApproved => false,
    });
    if written { Ending::Done } else { Ending::No }
}

#[cfg(test)]
mod tests {
    use augment_protocol::changes::{Selection, Verdict};
    use augment_protocol::sessions::FlagAnswer;
    use serde_json::json;

    use super::*;
    use crate::commands::script::{Reply, host};

    fn decide() -> Order {
        Order::Decide(rejecting())
    }

    fn rejecting() -> Decide {
        let what = Selection { task: Some("b12".into()), ..Selection::default() };
        Decide { verdict: Verdict::Reject, what, confirm: None }
    }

    fn preview(confirm: &str) -> Value {
        json!({ "hunks": 1, "files": [], "more": 0, "asks": true, "confirm": confirm })
    }

    fn refused(code: &str, preview: Value) -> Reply {
        Reply::Refused(json!({ "code": code, "task": null, "preview": preview }))
    }

    #[tokio::test]
    async fn a_refusal_that_asks_comes_with_what_would_be_done() {
        let (mut client, said) = host(vec![("augment/changes/decide", refused("entangled", preview("abc")))]).await;
        let answer = asked(&mut client, &decide()).await;
        assert!(matches!(answer, Ok(Answer::Asks { preview: Preview { confirm, .. }, .. }) if confirm == "abc"));
        assert_eq!(said.await.unwrap(), [json!({ "verdict": "reject", "what": { "task": "b12" } })]);
    }

    #[tokio::test]
    async fn a_refusal_without_a_preview_is_looked_up() {
        for code in ["control-files", "shown-otherwise"] {
            let (mut client, said) = host(vec![
                ("augment/changes/decide", refused(code, Value::Null)),
                ("augment/changes/preview", Reply::Result(preview("def"))),
            ])
            .await;
            let stale = Order::Decide(Decide { confirm: Some("abc".into()), ..rejecting() });
            let answer = asked(&mut client, &stale).await;
            assert!(matches!(answer, Ok(Answer::Asks { preview: Preview { confirm, .. }, .. }) if confirm == "def"));
            // The fresh preview is not bound to the one that was overtaken.
            assert_eq!(said.await.unwrap()[1].get("confirm"), None);
        }
    }

    #[tokio::test]
    async fn every_other_refusal_is_told_and_not_overcome() {
        let (mut client, said) = host(vec![("augment/changes/decide", refused("role-may-not", Value::Null))]).await;
        let answer = asked(&mut client, &decide()).await;
        assert!(matches!(answer, Err(Failure::Told { code, .. }) if code == "role-may-not"));
        assert_eq!(said.await.unwrap().len(), 1);
    }

    #[tokio::test]
    async fn a_flag_is_logged_on_a_yes_to_what_was_shown() {
        const FLAG: &str = "augment/session/flag";
        let answer = FlagAnswer::Log;
        let mut order =
            Order::Flag(AnswerFlag { flag: "f1".into(), answer, pattern: None, hunks: None, confirm: None });
        let (mut client, said) = host(vec![
            (FLAG, refused("entangled", preview("abc"))),
            (FLAG, refused("shown-otherwise", preview("def"))),
        ])
        .await;
        for expected in ["abc", "def"] {
            let Ok(Answer::Asks { preview, .. }) = asked(&mut client, &order).await else { panic!("it asks") };
            assert_eq!(preview.confirm, expected);
            order.confirm(preview.confirm);
        }
        let log = json!({ "flag": "f1", "answer": "log" });
        let mut confirmed = log.clone();
        confirmed["confirm"] = json!("abc");
        assert_eq!(said.await.unwrap(), [log, confirmed]);
    }

    #[tokio::test]
    async fn what_is_done_is_told() {
        let done = json!({ "decision": "d7", "hunks": 1, "files": [], "message": "Rejected 1 hunk." });
        let (mut client, _) = host(vec![("augment/changes/decide", Reply::Result(done))]).await;
        let answer = asked(&mut client, &decide()).await;
        assert!(matches!(answer, Ok(Answer::Done(Done::Decided(Decided { decision, .. }, _))) if decision == "d7"));
    }
}
