//! What the process of a run needs to speak for it: its token, the host that knows the run, and patience while that host
//! is being replaced.
//!
//! Nothing here starts a host. A run's processes are ended together with it, and a host that one of them had started
//! would be, too; and nobody could answer a question that only a process of the run itself has heard.

use std::time::Duration;

use augment_core::text::visible;
use augment_host::workspace::Workspace;
use augment_protocol::agents::{OneQuestion, Question};
use augment_protocol::methods::QuestionShow;
use tokio::time::Instant;

use super::Failure;
use crate::client::{CallError, Client};
use crate::connect::{self, TOKEN_VARIABLE};

/// How long to wait for a host that is being replaced.
const PATIENCE: Duration = Duration::from_secs(5);
const PAUSE: Duration = Duration::from_millis(100);

/// Whether this process was given a run's token. Some agents pass `$NAME` on as it is where the variable is not set.
pub(super) fn has_token() -> bool {
    std::env::var(TOKEN_VARIABLE).is_ok_and(|token| !token.is_empty() && !token.starts_with('$'))
}

/// A refusal for whoever wants to speak for a run and has no token.
pub(super) fn no_token() -> Failure {
    let message = format!(
        "{TOKEN_VARIABLE} is not set, so this process speaks for no run. Agents that `augment-cli agent start` starts have it; \
         for one of your own: `eval \"$(augment-cli start \"what you do\" --agent NAME --print-token)\"`, then start it there."
    );
    Failure::told("no-token", message)
}

/// The host of the workspace, waited for if it is not there just now.
pub(super) async fn connect(workspace: &Workspace) -> Result<Client, Failure> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        match connect::existing(workspace).await {
            Ok(Some(client)) => return Ok(client),
            // It left between its hello and our first word, so nothing was asked of it yet.
            Ok(None) | Err(connect::ConnectError::Call(CallError::Disconnected)) => {}
            Err(error) => return Err(error.into()),
        }
        if Instant::now() >= deadline {
            let root = workspace.root().to_string_lossy().into_owned();
            let message = format!(
                "No host serves {} now, so nothing was told or asked. Go on with the work and try again in a minute. A person \
                 starts one by opening the folder in VS Code, or with `augment-cli watch`.",
                visible(&root)
            );
            return Err(Failure::told("no-host", message));
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// Waits until a question has its answer, at most so long. Returns it as it is then.
pub(super) async fn answered(client: &mut Client, question: Question, wait: Duration) -> Result<Question, Failure> {
    let deadline = Instant::now() + wait;
    let mut question = question;
    while question.answer.is_none() {
        // Notices that came since the last look are kept, and a newer one stands for those before it, whatever they
        // were about: so each of them is a reason to look.
        match tokio::time::timeout_at(deadline, client.next_moved()).await {
            Ok(moved) => moved?,
            Err(_) => break,
        };
        question = client.call::<QuestionShow>(OneQuestion { question: question.id }).await?;
    }
    Ok(question)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::commands::script::{self, Reply};

    fn question(answer: Value) -> Value {
        json!({
            "id": "q7", "run": "a1.1", "task": "a1", "agent": "goose", "kind": "decision", "question": "Which?",
            "detail": "", "options": [], "recommendation": null, "askedAt": 1, "answer": answer,
        })
    }

    #[tokio::test]
    async fn waiting_ends_with_the_answer_or_with_the_time() {
        let asked: Question = serde_json::from_value(question(Value::Null)).unwrap();
        let answer = json!({ "choice": "a", "text": null, "by": "person:jo", "at": 2 });
        // The host waits for a request that never comes, and has nothing to tell.
        let never = ("augment/question/show", Reply::Result(Value::Null));
        let (mut client, _host) = script::host(vec![never]).await;
        let shown = answered(&mut client, asked, Duration::from_millis(1)).await.ok();
        assert_eq!(shown.map(|question| question.answer), Some(None));
        let there: Question = serde_json::from_value(question(answer)).unwrap();
        let shown = answered(&mut client, there, Duration::ZERO).await.ok();
        assert_eq!(shown.and_then(|question| question.answer?.choice).as_deref(), Some("a"));
    }
}
