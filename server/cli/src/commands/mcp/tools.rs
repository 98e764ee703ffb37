//! The tools as a model sees them, and their arguments as they are understood. What a tool does is in `calls`.

use std::collections::BTreeMap;

use augment_protocol::completion::{Choice, ReportedStatus};
use augment_protocol::queue::Priority;
use serde::Deserialize;
use serde_json::{Value, json};

/// The most entries in any list of arguments.
const MAX_LIST: usize = 64;
const MAX_OPTIONS: usize = 16;

/// A call of one of the tools, with its arguments.
#[derive(Debug)]
pub(super) enum ToolCall {
    GetTask,
    Heartbeat,
    ClaimChange(ClaimChange),
    AskDecision(Ask),
    GetAnswer(GetAnswer),
    LogDiscoveredTask(Discovered),
    Complete(Complete),
    ReadHandOff,
    SessionStatus,
    RequestScope(ScopeWanted),
}

pub(super) enum NotUnderstood {
    Tool(String),
    Arguments(String),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Nothing {}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ClaimChange {
    pub(super) path: String,
    pub(super) content: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Ask {
    pub(super) question: String,
    #[serde(default)]
    pub(super) options: Vec<AskOption>,
    pub(super) recommendation: Option<String>,
    #[serde(default)]
    pub(super) detail: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AskOption {
    value: String,
    text: Option<String>,
}

impl AskOption {
    pub(super) fn choice(self) -> Choice {
        Choice { text: self.text.unwrap_or_else(|| self.value.clone()), value: self.value }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GetAnswer {
    pub(super) id: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Discovered {
    pub(super) title: String,
    #[serde(default)]
    pub(super) description: String,
    pub(super) priority: Option<Priority>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ScopeWanted {
    pub(super) paths: Vec<String>,
    pub(super) why: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Complete {
    pub(super) status: ReportedStatus,
    pub(super) summary: String,
    #[serde(default)]
    pub(super) metrics: BTreeMap<String, Figure>,
    #[serde(default)]
    pub(super) next_agents: Vec<NextAgent>,
    #[serde(default)]
    pub(super) decisions: Vec<Decision>,
}

/// A figure, which models write as a number or as a text.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Figure {
    Number(serde_json::Number),
    Text(String),
    Truth(bool),
}

impl Figure {
    pub(super) fn text(self) -> String {
        match self {
            Self::Number(number) => number.to_string(),
            Self::Text(text) => text,
            Self::Truth(truth) => truth.to_string(),
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NextAgent {
    pub(super) agent: String,
    pub(super) reason: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Decision {
    pub(super) question: String,
    #[serde(default)]
    pub(super) options: Vec<AskOption>,
    pub(super) recommendation: Option<String>,
}

impl ToolCall {
    pub(super) fn understand(mut params: Value) -> Result<Self, NotUnderstood> {
        let arguments = match params.get_mut("arguments").map(Value::take) {
            None | Some(Value::Null) => json!({}),
            Some(arguments) => arguments,
        };
        let name = params.get("name").and_then(Value::as_str).unwrap_or_default();
        let call = match name {
            "get_task" => read(name, arguments).map(|Nothing {}| Self::GetTask),
            "heartbeat" => read(name, arguments).map(|Nothing {}| Self::Heartbeat),
            "claim_change" => read(name, arguments).map(Self::ClaimChange),
            "ask_decision" => read(name, arguments).map(Self::AskDecision),
            "get_answer" => read(name, arguments).map(Self::GetAnswer),
            "log_discovered_task" => read(name, arguments).map(Self::LogDiscoveredTask),
            "complete" => read(name, arguments).map(Self::Complete),
            "read_hand_off" => read(name, arguments).map(|Nothing {}| Self::ReadHandOff),
            "session_status" => read(name, arguments).map(|Nothing {}| Self::SessionStatus),
            "request_scope" => read(name, arguments).map(Self::RequestScope),
            unknown => {
                let shown: String = unknown.chars().take(100).collect();
                return Err(NotUnderstood::Tool(format!("There is no tool {shown:?}; tools/list names them.")));
            }
        };
        let call = call.map_err(NotUnderstood::Arguments)?;
        call.check_lengths().map_err(NotUnderstood::Arguments)?;
        Ok(call)
    }

    fn check_lengths(&self) -> Result<(), String> {
        let check = |what: &str, count: usize, most: usize| {
            if count <= most { Ok(()) } else { Err(format!("{what} has {count} entries; at most {most} are taken.")) }
        };
        match self {
            Self::GetTask
            | Self::Heartbeat
            | Self::ClaimChange(_)
            | Self::GetAnswer(_)
            | Self::LogDiscoveredTask(_)
            | Self::SessionStatus
            | Self::ReadHandOff => Ok(()),
            Self::RequestScope(wanted) => check("paths", wanted.paths.len(), MAX_LIST),
            Self::AskDecision(ask) => check("options", ask.options.len(), MAX_OPTIONS),
            Self::Complete(complete) => {
                check("metrics", complete.metrics.len(), MAX_LIST)?;
                check("next_agents", complete.next_agents.len(), MAX_OPTIONS)?;
                check("decisions", complete.decisions.len(), MAX_OPTIONS)?;
                complete.decisions.iter().try_for_each(|decision| check("options", decision.options.len(), MAX_OPTIONS))
            }
        }
    }
}

fn read<T: serde::de::DeserializeOwned>(tool: &str, arguments: Value) -> Result<T, String> {
    if !arguments.is_object() {
        return Err(format!("The arguments of {tool} are not right: they are no object."));
    }
    serde_json::from_value(arguments).map_err(|error| format!("The arguments of {tool} are not right: {error}."))
}

/// The result of a tool that has done its work.
pub(super) fn done(text: &str) -> Value {
    json!({ "content": [{ "type": "text", "text": text }], "isError": false })
}

/// The same with the data behind the text, for clients that read it.
pub(super) fn done_with(text: &str, data: &Value) -> Value {
    json!({ "content": [{ "type": "text", "text": text }], "structuredContent": data, "isError": false })
}

/// The result of a tool that was refused or failed, with the sentence for the model.
pub(super) fn failed(text: &str) -> Value {
    json!({ "content": [{ "type": "text", "text": text }], "isError": true })
}

pub(super) fn list() -> Value {
    let none = || json!({ "type": "object", "properties": {}, "additionalProperties": false });
    json!([
        tool(
            "get_task",
            "Tells you your task: its title, description, the files it is limited to (scope), its priority and time limit, \
            and whether another agent left you a hand-off. Call this before anything else.",
            none()
        ),
        tool(
            "heartbeat",
            "Says that you are still at work, so that the task stays yours. Call it every few minutes during long \
            work without other tool calls.",
            none()
        ),
        tool(
            "claim_change",
            "Says that you are about to write, or have written, a file outside of your editing tools (a script, \
            a code generator), so that the change is known to be yours. Give the content, if you know exactly what is written.",
            object(
                &["path"],
                json!({
                    "path": text(4_096, "The file, relative to the workspace or absolute inside of it."),
                    "content": text(8_000_000, "All of the file's new content, exactly."),
                })
            )
        ),
        tool(
            "ask_decision",
            "Asks a person to decide something that you must not decide yourself, and waits up to 50 seconds for \
            the answer. If it is not there by then you get the question's id: do something else that does not depend on it, and \
            call get_answer later.",
            object(
                &["question"],
                json!({
                    "question": text(2_000, "One clear question."),
                    "options": options(),
                    "recommendation": text(200, "The value of the option that you would choose."),
                    "detail": text(20_000, "What the person needs to know to decide: a command, a diff, the trade-offs."),
                })
            )
        ),
        tool(
            "get_answer",
            "Tells whether a question that you asked has been answered, and how. Waits up to 50 seconds.",
            object(&["id"], json!({ "id": text(32, "The id of the question, such as q7.") }))
        ),
        tool(
            "log_discovered_task",
            "Puts something else that should be done into the person's queue: a bug you saw, work that \
            your task does not include. Do not do it yourself.",
            object(
                &["title"],
                json!({
                    "title": text(200, "What is to be done, in one line."),
                    "description": text(20_000, "What whoever does it needs to know: where, why, how to see it."),
                    "priority": { "type": "string", "enum": ["low", "medium", "high"] },
                })
            )
        ),
        tool(
            "complete",
            "Reports how your task stands. Call it once, as the last thing you do: completed when all of it is done, \
            partial when some is done and you wait for an approval or an answer, blocked when you cannot go on. Say only what \
            is true; a person reads it beside the changes.",
            object(
                &["status", "summary"],
                json!({
                    "status": { "type": "string", "enum": ["completed", "partial", "blocked"] },
                    "summary": text(20_000, "What you did, what is left, and why."),
                    "metrics": {
                        "type": "object", "maxProperties": MAX_LIST,
                        "additionalProperties": { "type": ["number", "string", "boolean"] },
                        "description": "Figures by name: files_scanned, files_modified, tests_generated, coverage_percent, \
                            violations_found, violations_fixed, complexity_score, time_seconds, or your own.",
                    },
                    "next_agents": {
                        "type": "array", "maxItems": MAX_OPTIONS,
                        "description": "Agents that should go on from here, if any.",
                        "items": object(&["agent"], json!({
                            "agent": text(100, "The agent's name."),
                            "reason": text(2_000, "Why it, and what for."),
                        })),
                    },
                    "decisions": {
                        "type": "array", "maxItems": MAX_OPTIONS,
                        "description": "What a person has to decide before the work can go on, if anything.",
                        "items": object(&["question"], json!({
                            "question": text(2_000, "One clear question."),
                            "options": options(),
                            "recommendation": text(200, "What you would choose."),
                        })),
                    },
                })
            )
        ),
        tool(
            "read_hand_off",
            "Reads what the agent before you left for you: its report, what it changed with diffs, how the \
            project stands. Only when get_task says that there is a hand-off.",
            none()
        ),
        tool(
            "session_status",
            "Tells you what was agreed to be done in this session, what of it is done, where you may write (paths), and what \
            waits for the person. Nothing may be written before the scope is confirmed.",
            none()
        ),
        tool(
            "request_scope",
            "Asks the person for more scope, before you write there: files outside of the session's paths that your task \
            needs. Waits up to 50 seconds for the answer; then call get_answer with the question's id. What you only noticed \
            on the way goes to log_discovered_task instead.",
            object(
                &["paths", "why"],
                json!({
                    "paths": {
                        "type": "array", "minItems": 1, "maxItems": MAX_LIST,
                        "description": "The files, relative to the workspace.",
                        "items": { "type": "string", "maxLength": 4_096 },
                    },
                    "why": text(500, "Why your task cannot be done without them."),
                })
            )
        ),
    ])
}

fn tool(name: &str, description: &str, schema: Value) -> Value {
    json!({ "name": name, "description": description, "inputSchema": schema })
}

fn object(required: &[&str], properties: Value) -> Value {
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

fn text(longest: usize, description: &str) -> Value {
    json!({ "type": "string", "maxLength": longest, "description": description })
}

fn options() -> Value {
    json!({
        "type": "array", "maxItems": MAX_OPTIONS,
        "description": "The ways to answer. Leave it out to get a free text.",
        "items": object(&["value"], json!({
            "value": text(200, "What you get back when it is chosen."),
            "text": text(2_000, "What the person reads."),
        })),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn understood(name: &str, arguments: Value) -> Result<String, String> {
        match ToolCall::understand(json!({ "name": name, "arguments": arguments })) {
            Ok(call) => Ok(format!("{call:?}")),
            Err(NotUnderstood::Tool(told)) => Err(format!("tool: {told}")),
            Err(NotUnderstood::Arguments(told)) => Err(told),
        }
    }

    #[test]
    fn every_tool_that_is_listed_is_understood_with_what_it_requires() {
        for tool in list().as_array().unwrap() {
            let name = tool["name"].as_str().unwrap();
            let mut arguments = serde_json::Map::new();
            for required in tool["inputSchema"]["required"].as_array().into_iter().flatten() {
                let key = required.as_str().unwrap();
                let property = &tool["inputSchema"]["properties"][key];
                let plain = if property["type"] == "array" { json!(["x"]) } else { json!("x") };
                let value = property["enum"].get(0).cloned().unwrap_or(plain);
                arguments.insert(key.to_owned(), value);
            }
            if let Err(told) = understood(name, Value::Object(arguments)) {
                panic!("{name}: {told}");
            }
            assert_eq!(tool["inputSchema"]["additionalProperties"], false, "{name}");
        }
    }

    #[test]
    fn wrong_arguments_are_told_with_the_field() {
        for (name, arguments, part) in [
            ("complete", json!({ "status": "done", "summary": "" }), "unknown variant `done`"),
            ("complete", json!({ "status": "completed" }), "missing field `summary`"),
            ("claim_change", json!({ "path": 7 }), "invalid type: integer `7`"),
            ("get_task", json!({ "run": "a2.1" }), "unknown field `run`"),
            ("get_task", json!([]), "get_task"),
            ("ask_decision", json!({ "question": "?", "options": vec![json!({ "value": "a" }); 17] }), "17 entries"),
            ("request_scope", json!({ "paths": vec!["a"; 65], "why": "" }), "65 entries"),
            ("approve", json!({}), "tool: There is no tool \"approve\""),
        ] {
            let told = understood(name, arguments).unwrap_err();
            assert!(told.contains(part), "{told}");
        }
    }

    #[test]
    fn figures_may_be_numbers_or_texts() {
        let arguments = json!({ "status": "completed", "summary": "", "metrics": { "a": 3, "b": "82%", "c": true } });
        let call = ToolCall::understand(json!({ "name": "complete", "arguments": arguments }));
        let Ok(ToolCall::Complete(complete)) = call else { panic!("not understood") };
        let figures: Vec<_> = complete.metrics.into_values().map(Figure::text).collect();
        assert_eq!(figures, ["3", "82%", "true"]);
    }
}
