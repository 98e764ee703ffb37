//! Events as the agents tell them. They agree on most names; what is not known is kept as "something else" and never a
//! reason to fail, since agents add events all the time.

use augment_core::text::shortened;
use augment_protocol::agents::{HookMoment, HookSeen};
use serde_json::Value;

use super::writes;

/// The most characters of what went wrong that are told.
const FAILURE_LENGTH: usize = 1_000;
const TOOL_LENGTH: usize = 200;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Agent {
    ClaudeCode,
    Codex,
    Gemini,
    Qwen,
    Auggie,
}

impl Agent {
    pub(super) const ALL: [Self; 5] = [Self::ClaudeCode, Self::Codex, Self::Gemini, Self::Qwen, Self::Auggie];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
            Self::Qwen => "qwen",
            Self::Auggie => "auggie",
        }
    }

    pub(super) fn from_name(name: &str) -> Option<Self> {
        if name == "claude" {
            return Some(Self::ClaudeCode);
        }
        Self::ALL.into_iter().find(|agent| agent.name() == name)
    }
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Event {
    pub(super) agent: Agent,
    pub(super) moment: HookMoment,
    /// The folder that the agent works in.
    pub(super) folder: Option<String>,
    tool: Option<String>,
    writes: Vec<String>,
    only_reads: bool,
    failure: Option<String>,
}

impl Event {
    pub(super) fn understand(agent: Agent, event: &Value) -> Result<Self, String> {
        if !event.is_object() {
            return Err("the event is no JSON object".into());
        }
        let text = |key: &str| event.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
        // `notify` of Codex names its event `type`.
        let name = text("hook_event_name").or_else(|| text("type")).ok_or("the event has no name")?;
        let moment = moment(name);
        let roots = event.get("workspace_roots").and_then(Value::as_array);
        let first_root = roots.and_then(|roots| roots.first()).and_then(Value::as_str);
        let folder = text("cwd").or(first_root).map(str::to_owned);
        let tool = text("tool_name").map(|tool| shortened(tool, TOOL_LENGTH).into_owned());
        let writes = match moment {
            HookMoment::BeforeTool | HookMoment::AfterTool => {
                writes::of(event, tool.as_deref().unwrap_or_default(), folder.as_deref())
            }
            HookMoment::Begins | HookMoment::TurnEnded | HookMoment::Ends | HookMoment::Other => Vec::new(),
        };
        let only_reads = tool.as_deref().is_some_and(writes::only_reads) && writes.is_empty();
        let failure = failure(name, moment, event).map(|failure| shortened(&failure, FAILURE_LENGTH).into_owned());
        Ok(Self { agent, moment, folder, tool, writes, only_reads, failure })
    }

    pub(super) fn seen(&self) -> HookSeen {
        HookSeen {
            agent: self.agent.name().to_owned(),
            moment: self.moment,
            tool: self.tool.clone(),
            writes: self.writes.clone(),
            only_reads: self.only_reads,
            failure: self.failure.clone(),
        }
    }
}

fn moment(name: &str) -> HookMoment {
    match name {
        "SessionStart" | "UserPromptSubmit" | "BeforeAgent" => HookMoment::Begins,
        "PreToolUse" | "BeforeTool" => HookMoment::BeforeTool,
        "PostToolUse" | "PostToolUseFailure" | "AfterTool" => HookMoment::AfterTool,
        "Stop" | "StopFailure" | "AfterAgent" | "agent-turn-complete" => HookMoment::TurnEnded,
        "SessionEnd" => HookMoment::Ends,
        _ => HookMoment::Other,
    }
}

/// What went wrong, in the agent's words. Only where the agent itself says that something did.
fn failure(name: &str, moment: HookMoment, event: &Value) -> Option<String> {
    if name.ends_with("Failure") {
        let words = event.get("error").and_then(words);
        return Some(words.unwrap_or_else(|| "the agent gave no reason".into()));
    }
    if moment != HookMoment::AfterTool {
        return None;
    }
    let response = event.get("tool_response");
    let error = event.get("tool_error").or_else(|| response?.get("error")).and_then(words);
    let unsuccessful = response.and_then(|response| response.get("success")).and_then(Value::as_bool) == Some(false);
    error.or_else(|| unsuccessful.then(|| "the tool was not successful".into()))
}

/// The words of an error: a text, or the message in an object.
fn words(error: &Value) -> Option<String> {
    let text = error.as_str().or_else(|| error.get("message")?.as_str())?;
    (!text.trim().is_empty()).then(|| text.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn seen(agent: Agent, event: Value) -> HookSeen {
        Event::understand(agent, &event).unwrap().seen()
    }

    #[test]
    fn the_moments_of_all_agents_are_understood() {
        for (name, expected) in [
            ("SessionStart", HookMoment::Begins),
            ("UserPromptSubmit", HookMoment::Begins),
            ("BeforeAgent", HookMoment::Begins),
            ("PreToolUse", HookMoment::BeforeTool),
            ("BeforeTool", HookMoment::BeforeTool),
            ("PostToolUse", HookMoment::AfterTool),
            ("AfterTool", HookMoment::AfterTool),
            ("Stop", HookMoment::TurnEnded),
            ("AfterAgent", HookMoment::TurnEnded),
            ("SessionEnd", HookMoment::Ends),
            ("SubagentStop", HookMoment::Other),
            ("WhateverComesNext", HookMoment::Other),
        ] {
            assert_eq!(seen(Agent::Qwen, json!({ "hook_event_name": name })).moment, expected, "{name}");
        }
        let notify = json!({ "type": "agent-turn-complete", "cwd": "/w", "turn-id": "1", "input-messages": ["x"] });
        let event = Event::understand(Agent::Codex, &notify).unwrap();
        assert_eq!((event.moment, event.folder.as_deref()), (HookMoment::TurnEnded, Some("/w")));
    }

    #[test]
    fn a_write_of_claude_code_is_seen_before_and_after() {
        let before = seen(
            Agent::ClaudeCode,
            json!({
                "session_id": "s", "cwd": "/w", "hook_event_name": "PreToolUse", "tool_name": "Write",
                "tool_input": { "file_path": "/w/a.rs", "content": "x" },
            }),
        );
        assert_eq!((before.tool.as_deref(), before.writes), (Some("Write"), vec!["/w/a.rs".to_owned()]));
        let after = seen(
            Agent::ClaudeCode,
            json!({
                "cwd": "/w", "hook_event_name": "PostToolUseFailure", "tool_name": "Write",
                "tool_input": { "file_path": "/w/a.rs" }, "error": "EACCES",
            }),
        );
        assert_eq!((after.moment, after.failure.as_deref()), (HookMoment::AfterTool, Some("EACCES")));
    }

    #[test]
    fn what_went_wrong_is_told_where_the_agent_says_it() {
        let after = |more: Value| {
            let mut event = json!({ "hook_event_name": "AfterTool", "tool_name": "write_file", "tool_input": {} });
            event.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            seen(Agent::Gemini, event).failure
        };
        assert_eq!(after(json!({})), None);
        assert_eq!(after(json!({ "tool_response": { "llmContent": "error? no" } })), None);
        assert_eq!(
            after(json!({ "tool_response": { "error": { "message": "no such file" } } })).as_deref(),
            Some("no such file")
        );
        assert_eq!(after(json!({ "tool_error": "denied" })).as_deref(), Some("denied"));
        assert_eq!(
            after(json!({ "tool_response": { "success": false } })).as_deref(),
            Some("the tool was not successful")
        );
        let long = after(json!({ "tool_error": "x".repeat(100_000) })).unwrap();
        assert!(long.chars().count() <= FAILURE_LENGTH + 1, "{}", long.len());
    }

    #[test]
    fn auggie_names_the_workspace_by_its_roots() {
        let event = json!({ "hook_event_name": "PostToolUse", "workspace_roots": ["/w"], "tool_name": "save-file",
            "tool_input": { "path": "a.rs" }, "file_changes": [{ "path": "b.rs", "changeType": "edit" }] });
        let event = Event::understand(Agent::Auggie, &event).unwrap();
        assert_eq!(event.folder.as_deref(), Some("/w"));
        assert_eq!(event.writes, ["/w/a.rs", "/w/b.rs"]);
    }

    #[test]
    fn what_is_no_event_is_told() {
        for event in [json!([]), json!("x"), json!(null), json!({}), json!({ "hook_event_name": 7 })] {
            assert!(Event::understand(Agent::Codex, &event).is_err(), "{event}");
        }
        // Fields of an unexpected shape are not used, and harm nothing.
        let odd = json!({ "hook_event_name": "PreToolUse", "cwd": [], "tool_name": {}, "tool_input": 7, "workspace_roots": "x" });
        let event = Event::understand(Agent::ClaudeCode, &odd).unwrap();
        assert_eq!((event.folder, event.tool, event.writes.len()), (None, None, 0));
    }
}
