//! A client of the service, as commands use it: one call at a time, and the notices in between.

use std::collections::VecDeque;
use std::fmt;
use std::time::Duration;

use augment_protocol::methods::{ChangesDecide, Method, MovedNotice, Notification};
use augment_protocol::status::Moved;
use augment_protocol::{PROTOCOL_VERSION, REFUSED};
use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncWrite};

use crate::service::frames::{self, FrameReader};

/// The longest that a command waits for one answer.
const PATIENCE: Duration = Duration::from_secs(120);
/// The same where git may run hooks, sign or push for several commits in turn, or another command that does so comes first:
/// the host ends each of these by itself after ten minutes at most.
const LONG_PATIENCE: Duration = Duration::from_secs(3_600);

/// Every method of prompts waits for the same desk, also one that only reads.
const OF_PROMPTS: &str = "augment/prompt/";

/// How long a method may take. A decision may become an intent at once, which is committed before it is answered.
fn patience(method: &str) -> Duration {
    let is_long = method.starts_with(OF_PROMPTS) || method == ChangesDecide::NAME;
    if is_long { LONG_PATIENCE } else { PATIENCE }
}

type Reader = Box<dyn AsyncRead + Send + Unpin>;
type Writer = Box<dyn AsyncWrite + Send + Unpin>;

/// Why a call was not answered with a result. Each is told as a sentence.
#[derive(Debug)]
pub(crate) enum CallError {
    /// An expected no.
    Refused { code: String, message: String, data: Option<Value> },
    /// Something outside did not work.
    Failed { code: String, message: String },
    /// The host went away.
    Disconnected,
    /// The host answered something that is not understood.
    Protocol(String),
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused { message, .. } | Self::Failed { message, .. } => f.write_str(message),
            Self::Disconnected => f.write_str("The host went away. Nothing that it answered is lost; try again."),
            Self::Protocol(reason) => write!(f, "The host's answer was not understood: {reason}."),
        }
    }
}

impl std::error::Error for CallError {}

pub(crate) struct Client {
    frames: FrameReader<Reader>,
    writer: Writer,
    last_id: i64,
    notices: VecDeque<Moved>,
    /// What the client needs for as long as it lives.
    _held: Option<Box<dyn std::any::Any + Send>>,
}

impl Client {
    /// Introduces itself over a stream whose hello is done.
    pub(crate) async fn start(reader: Reader, writer: Writer) -> Result<Self, CallError> {
        let frames = FrameReader::new(reader);
        let mut client = Self { frames, writer, last_id: 0, notices: VecDeque::new(), _held: None };
        let params = json!({
            "processId": std::process::id(),
            "rootUri": null,
            "capabilities": {},
            "initializationOptions": { "protocol": PROTOCOL_VERSION, "command": true },
        });
        client.request("initialize", params).await?;
        client.send(&json!({"jsonrpc": "2.0", "method": "initialized", "params": {}})).await?;
        Ok(client)
    }

    /// Keeps something until the client goes.
    pub(crate) fn holding(self, held: impl std::any::Any + Send) -> Self {
        Self { _held: Some(Box::new(held)), ..self }
    }

    pub(crate) async fn call<M: Method>(&mut self, params: M::Params) -> Result<M::Result, CallError> {
        let params = serde_json::to_value(params).map_err(|error| CallError::Protocol(error.to_string()))?;
        let result = self.request(M::NAME, params).await?;
        serde_json::from_value(result).map_err(|error| CallError::Protocol(error.to_string()))
    }

    /// Waits for the next `augment/moved`.
    pub(crate) async fn next_moved(&mut self) -> Result<Moved, CallError> {
        loop {
            if let Some(moved) = self.notices.pop_front() {
                return Ok(moved);
            }
            let message = self.receive().await?;
            self.keep_notice(&message);
        }
    }

    /// Asks and waits, but not for ever: a host that is stopped or hangs must not hold a command up.
    async fn request(&mut self, method: &str, params: Value) -> Result<Value, CallError> {
        let patience = patience(method);
        let answer = tokio::time::timeout(patience, self.exchange(method, params)).await;
        answer.unwrap_or_else(|_| {
            let message = format!(
                "The host has not answered for {} seconds. `augment-cli doctor` says what it finds; the log is where `augment-cli where` says.",
                patience.as_secs()
            );
            Err(CallError::Failed { code: "no-answer".into(), message })
        })
    }

    async fn exchange(&mut self, method: &str, params: Value) -> Result<Value, CallError> {
        self.last_id += 1;
        let id = self.last_id;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})).await?;
        loop {
            let mut message = self.receive().await?;
            if message.get("id").and_then(Value::as_i64) != Some(id) {
                self.keep_notice(&message);
                continue;
            }
            if let Some(error) = message.get("error") {
                return Err(understand_error(error));
            }
            return message
                .get_mut("result")
                .map(Value::take)
                .ok_or_else(|| CallError::Protocol("it has neither result nor error".into()));
        }
    }

    fn keep_notice(&mut self, message: &Value) {
        if message.get("method").and_then(Value::as_str) == Some(MovedNotice::NAME) {
            let moved = message.get("params").cloned().and_then(|params| serde_json::from_value(params).ok());
            // Only that something moved since the last look counts, so the newest notice stands for all.
            if let Some(moved) = moved {
                self.notices.clear();
                self.notices.push_back(moved);
            }
        }
    }

    async fn send(&mut self, message: &Value) -> Result<(), CallError> {
        frames::write(&mut self.writer, message.to_string().as_bytes()).await.map_err(|_| CallError::Disconnected)
    }

    async fn receive(&mut self) -> Result<Value, CallError> {
        match self.frames.next().await {
            Ok(Some(frame)) => serde_json::from_slice(&frame).map_err(|error| CallError::Protocol(error.to_string())),
            Ok(None) | Err(frames::FrameError::Io(_)) => Err(CallError::Disconnected),
            Err(error) => Err(CallError::Protocol(error.to_string())),
        }
    }
}

fn understand_error(error: &Value) -> CallError {
    let message = error.get("message").and_then(Value::as_str).unwrap_or("no reason was given").to_owned();
    let data = error.get("data").cloned();
    let code = data.as_ref().and_then(|data| data.get("code")?.as_str()).map(str::to_owned);
    match error.get("code").and_then(Value::as_i64) {
        Some(REFUSED) => CallError::Refused { code: code.unwrap_or_else(|| "refused".into()), message, data },
        number => {
            let code = code.unwrap_or_else(|| number.map_or_else(|| "failed".into(), |number| number.to_string()));
            CallError::Failed { code, message }
        }
    }
}

#[cfg(test)]
mod tests {
    use augment_protocol::methods::METHODS;

    use super::*;

    #[test]
    fn whatever_may_wait_for_a_hook_has_the_time_for_it() {
        let long: Vec<&str> =
            METHODS.iter().map(|entry| entry.name).filter(|name| patience(name) == LONG_PATIENCE).collect();
        let expected = [
            "augment/changes/decide",
            "augment/prompt/status",
            "augment/prompt/start",
            "augment/prompt/context",
            "augment/prompt/intent",
            "augment/prompt/finish",
            "augment/prompt/report",
            "augment/prompt/unify",
            "augment/prompt/push",
            "augment/prompt/undo",
            "augment/prompt/drop",
            "augment/prompt/list",
            "augment/prompt/guard",
        ];
        assert_eq!(long, expected);
        for name in ["initialize", "augment/status", "augment/changes/list"] {
            assert_eq!(patience(name), PATIENCE, "{name}");
        }
    }
}
