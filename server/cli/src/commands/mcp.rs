//! `mcp`: the tools of one run, as a server of the Model Context Protocol on stdin and stdout. Who calls is known by the
//! run's token in the environment of this process, never by what a message says.
//!
//! Whatever comes in, this goes on: lines are bounded, what is no message is answered as such, and a refusal is the
//! result of a tool. Each call of a tool has a connection of its own, so a host that was replaced between two calls is
//! not noticed, and a call that waits for a person holds no other up.

mod calls;
mod lines;
mod tools;

use std::collections::HashMap;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::task::{AbortHandle, JoinSet};

use super::{Ended, Ending, Failure, Session};
use lines::{Line, Lines};
use tools::ToolCall;

/// The versions of the protocol that are spoken, the newest first. For what is used here they are the same.
const VERSIONS: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
/// So many calls may be under way at once.
const MAX_CALLS: usize = 16;
/// How long calls that are under way may take once nobody asks anything any more.
const AFTER_THE_END: Duration = Duration::from_secs(5);

const PARSE_ERROR: i64 = -32_700;
const INVALID_REQUEST: i64 = -32_600;
const METHOD_NOT_FOUND: i64 = -32_601;
const INVALID_PARAMS: i64 = -32_602;

const INSTRUCTIONS: &str = "These tools connect you with the person's work queue. Call get_task first: it says what you are \
    to do, and in which files. Ask with ask_decision what only a person can decide. Put what you find that is not part of \
    your task in log_discovered_task instead of doing it. Write only within the session's scope; request_scope asks for more of \
    it. End with complete, also when you could not do all of it.";

pub(super) async fn run(session: &Session) -> Ended {
    let mut server = Server { session, calls: JoinSet::new(), under_way: HashMap::new() };
    let mut lines = Lines::new(tokio::io::stdin());
    loop {
        tokio::select! {
            line = lines.next() => match line {
                Ok(Some(line)) => server.hear(&line)?,
                Ok(None) => break,
                Err(error) => return Err(Failure::told("stdin", format!("Stdin cannot be read: {error}."))),
            },
            Some(ended) = server.calls.join_next() => server.tell_ended(ended)?,
        }
    }
    let rest = async {
        while let Some(ended) = server.calls.join_next().await {
            server.tell_ended(ended)?;
        }
        Ok(Ending::Done)
    };
    tokio::time::timeout(AFTER_THE_END, rest).await.unwrap_or(Ok(Ending::Done))
}

/// A call that has ended: what it was called with, and the answer.
type CallEnded = (Value, Value);

struct Server<'a> {
    session: &'a Session,
    calls: JoinSet<CallEnded>,
    /// By the request's id, as JSON.
    under_way: HashMap<String, AbortHandle>,
}

impl Server<'_> {
    fn hear(&mut self, line: &Line) -> Result<(), Failure> {
        let answer = match line {
            Line::TooLong => {
                let message = format!("The line is longer than {} bytes and was not read.", lines::LONGEST);
                Some(error(&Value::Null, INVALID_REQUEST, &message))
            }
            Line::Text(text) if text.iter().all(u8::is_ascii_whitespace) => None,
            Line::Text(text) => match serde_json::from_slice(text) {
                Ok(message) => self.answer(message),
                Err(reason) => Some(error(&Value::Null, PARSE_ERROR, &format!("This is no JSON: {reason}."))),
            },
        };
        answer.map_or(Ok(()), |answer| self.tell(&answer))
    }

    /// The answer, if there is one now; that of a tool comes when its call has ended.
    fn answer(&mut self, mut message: Value) -> Option<Value> {
        if !message.is_object() {
            let told = "A message is one JSON object a line; batches are not understood.";
            return Some(error(&Value::Null, INVALID_REQUEST, told));
        }
        let params = message.get_mut("params").map(Value::take).unwrap_or_default();
        let method = message.get("method").and_then(Value::as_str);
        let id = match (message.get("id"), method) {
            (Some(id), _) if !(id.is_string() || id.is_number()) => {
                return Some(error(&Value::Null, INVALID_REQUEST, "The id of a request is a text or a number."));
            }
            (Some(id), Some(_)) => id,
            (None, Some("notifications/cancelled")) => {
                self.cancel(&params);
                return None;
            }
            // Other notices ask for nothing, and nothing is ever asked of the client, so an answer is for nobody.
            (None, Some(_)) | (Some(_), None) => return None,
            (None, None) => return Some(error(&Value::Null, INVALID_REQUEST, "The message has no method.")),
        };
        match method.unwrap_or_default() {
            "initialize" => Some(result(id, introduction(&params))),
            "ping" => Some(result(id, json!({}))),
            "tools/list" => Some(result(id, json!({ "tools": tools::list() }))),
            "tools/call" => self.call(id, params),
            method => {
                let shown: String = method.chars().take(100).collect();
                Some(error(id, METHOD_NOT_FOUND, &format!("There is no method {shown:?}.")))
            }
        }
    }

    fn call(&mut self, id: &Value, params: Value) -> Option<Value> {
        let key = id.to_string();
        if self.under_way.contains_key(&key) {
            return Some(error(id, INVALID_REQUEST, "A request with this id is under way."));
        }
        if self.calls.len() >= MAX_CALLS {
            let told = format!("{MAX_CALLS} calls are under way. Wait for one of them.");
            return Some(result(id, tools::failed(&told)));
        }
        let call = match ToolCall::understand(params) {
            Ok(call) => call,
            Err(tools::NotUnderstood::Tool(told)) => return Some(error(id, INVALID_PARAMS, &told)),
            // The model can mend its arguments, so it is told in the result.
            Err(tools::NotUnderstood::Arguments(told)) => return Some(result(id, tools::failed(&told))),
        };
        let workspace = self.session.workspace();
        let id = id.clone();
        let handle = self.calls.spawn(async move {
            let outcome = calls::carry_out(workspace, call).await;
            let answer = result(&id, outcome);
            (id, answer)
        });
        self.under_way.insert(key, handle);
        None
    }

    fn cancel(&mut self, params: &Value) {
        let key = params.get("requestId").map(Value::to_string).unwrap_or_default();
        if let Some(handle) = self.under_way.remove(&key) {
            handle.abort();
        }
    }

    fn tell_ended(&mut self, ended: Result<CallEnded, tokio::task::JoinError>) -> Result<(), Failure> {
        match ended {
            Ok((id, answer)) => {
                self.under_way.remove(&id.to_string());
                self.tell(&answer)
            }
            // A call that was cancelled gets no answer.
            Err(gone) => {
                if !gone.is_cancelled() {
                    self.session.output.tell("A tool ended with a bug; its call stays without an answer.");
                    self.under_way.retain(|_, handle| !handle.is_finished());
                }
                Ok(())
            }
        }
    }

    fn tell(&self, answer: &Value) -> Result<(), Failure> {
        // JSON on one line: line breaks inside of texts are escaped.
        Ok(self.session.output.raw(format!("{answer}\n").as_bytes())?)
    }
}

fn introduction(params: &Value) -> Value {
    let wished = params.get("protocolVersion").and_then(Value::as_str);
    let version = VERSIONS.into_iter().find(|version| Some(*version) == wished).unwrap_or(VERSIONS[0]);
    json!({
        "protocolVersion": version,
        "capabilities": { "tools": {} },
        "serverInfo": { "name": "augment-orchestrator", "version": env!("CARGO_PKG_VERSION") },
        "instructions": INSTRUCTIONS,
    })
}

fn result(id: &Value, result: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "result": result })
}

fn error(id: &Value, code: i64, message: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_that_is_spoken_is_taken_and_any_other_gets_the_newest() {
        for (wished, spoken) in [
            (json!("2024-11-05"), "2024-11-05"),
            (json!("2025-06-18"), "2025-06-18"),
            (json!("2031-01-01"), "2025-11-25"),
            (json!(7), "2025-11-25"),
        ] {
            assert_eq!(introduction(&json!({ "protocolVersion": wished }))["protocolVersion"], spoken, "{wished}");
        }
    }
}
