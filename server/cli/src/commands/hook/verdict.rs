//! The host's verdict in the form that each agent understands. Only a tool that is about to be used can be allowed or
//! denied; at any other moment the same words would mean something else ("do not stop", "forget the prompt").

use augment_protocol::agents::{HookDecision, HookMoment, HookVerdict};
use serde_json::{Value, json};

use super::event::{Agent, Event};

/// What is printed; nothing where the agent does what it would do anyway.
pub(super) fn written(event: &Event, verdict: &HookVerdict) -> Option<String> {
    if event.moment != HookMoment::BeforeTool {
        return None;
    }
    // An agent may take a denial without a reason for a broken hook, and go on.
    let reason = match verdict.reason.trim() {
        "" => "Augment Orchestrator does not allow this.",
        reason => reason,
    };
    let document = match (event.agent, verdict.decision) {
        (_, HookDecision::Nothing) => return None,
        (Agent::Gemini, HookDecision::Deny) => json!({ "decision": "deny", "reason": reason }),
        (Agent::Gemini, HookDecision::Allow) => json!({ "decision": "allow" }),
        // Codex reports an allow as a fault of the hook; saying nothing is its way to allow.
        (Agent::Codex, HookDecision::Allow) => return None,
        (Agent::ClaudeCode | Agent::Codex | Agent::Qwen | Agent::Auggie, HookDecision::Deny) => {
            specific("deny", reason)
        }
        (Agent::ClaudeCode | Agent::Qwen | Agent::Auggie, HookDecision::Allow) => {
            specific("allow", verdict.reason.trim())
        }
    };
    Some(document.to_string())
}

fn specific(decision: &str, reason: &str) -> Value {
    json!({ "hookSpecificOutput": {
        "hookEventName": "PreToolUse",
        "permissionDecision": decision,
        "permissionDecisionReason": reason,
    } })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(agent: Agent, name: &str, decision: HookDecision, expected: Option<Value>) {
        let event = Event::understand(agent, &json!({ "hook_event_name": name, "tool_name": "Write" })).unwrap();
        let verdict = HookVerdict { decision, reason: "Out of \"scope\".".into() };
        let found = written(&event, &verdict).map(|text| serde_json::from_str::<Value>(&text).unwrap());
        assert_eq!(found, expected, "{agent:?} {name} {decision:?}");
    }

    #[test]
    fn each_agent_gets_its_own_form() {
        let specific = |decision: &str| {
            Some(json!({ "hookSpecificOutput": { "hookEventName": "PreToolUse", "permissionDecision": decision,
                "permissionDecisionReason": "Out of \"scope\"." } }))
        };
        for agent in [Agent::ClaudeCode, Agent::Qwen, Agent::Auggie] {
            check(agent, "PreToolUse", HookDecision::Deny, specific("deny"));
            check(agent, "PreToolUse", HookDecision::Allow, specific("allow"));
        }
        check(Agent::Codex, "PreToolUse", HookDecision::Deny, specific("deny"));
        check(Agent::Codex, "PreToolUse", HookDecision::Allow, None);
        let gemini = json!({ "decision": "deny", "reason": "Out of \"scope\"." });
        check(Agent::Gemini, "BeforeTool", HookDecision::Deny, Some(gemini));
        check(Agent::Gemini, "BeforeTool", HookDecision::Allow, Some(json!({ "decision": "allow" })));
        for agent in Agent::ALL {
            check(agent, "PreToolUse", HookDecision::Nothing, None);
        }
    }

    #[test]
    fn nothing_but_a_tool_can_be_denied() {
        for name in ["Stop", "SessionStart", "UserPromptSubmit", "PostToolUse", "AfterAgent", "SessionEnd", "Other"] {
            check(Agent::ClaudeCode, name, HookDecision::Deny, None);
            check(Agent::Gemini, name, HookDecision::Deny, None);
        }
    }
}
