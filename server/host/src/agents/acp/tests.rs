//! Conversations with agents, in frames as goose 1.52 and codex-acp 2.6 have sent them (shortened where nothing of it matters).

mod asking;
mod cut;
mod resuming;
mod talking;

use serde_json::{Value, json};

use super::*;
use crate::agents::adapter::{Asking, Meaning, ToolServer};

fn assignment() -> Assignment {
    let tools = ToolServer {
        name: "augment".to_owned(),
        program: "/bin/augment-cli".into(),
        arguments: vec!["mcp".to_owned()],
        environment: vec![("AUGMENT_TASK".to_owned(), "7".to_owned())],
    };
    Assignment { prompt: "change hello.txt".to_owned(), cwd: "/repo".into(), tools: Some(tools) }
}

/// What comes of one frame, without the sign of life that it always gives.
fn hear(acp: &mut Acp, frame: &Value) -> Vec<Act> {
    let mut acts = acp.heard(Stream::Stdout, format!("{frame}\n").as_bytes());
    assert_eq!(acts.remove(0), Act::Said(Said::Alive(Sign::Message)), "after {frame}");
    acts
}

fn update(acp: &mut Acp, update: &Value) -> Vec<Said> {
    let frame =
        json!({ "jsonrpc": "2.0", "method": "session/update", "params": { "sessionId": "s1", "update": update } });
    hear(acp, &frame).into_iter().map(said).collect()
}

fn said(act: Act) -> Said {
    match act {
        Act::Said(said) => said,
        Act::Send(bytes) => panic!("nothing is to be sent, but {}", String::from_utf8_lossy(&bytes)),
        Act::CloseInput => panic!("the input stays open"),
    }
}

fn sent(act: &Act) -> Value {
    let Act::Send(bytes) = act else { panic!("something is sent, not {act:?}") };
    let (end, line) = bytes.split_last().expect("a line");
    assert!(*end == b'\n' && !line.contains(&b'\n'), "one message in one line");
    serde_json::from_slice(line).expect("JSON")
}

fn answer(id: u64, result: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "result": result })
}

fn error(id: u64, code: i64, message: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } })
}

fn goose_greeting() -> Value {
    json!({
        "protocolVersion": 1,
        "agentCapabilities": { "loadSession": true, "mcpCapabilities": { "http": true, "sse": false }, "auth": {} },
        "authMethods": [{ "id": "goose-provider", "name": "Configure Provider", "description": "Run `goose configure` to set up your AI provider and API key" }],
        "agentInfo": { "name": "goose", "version": "1.52.0" },
    })
}

fn goose_session() -> Value {
    json!({
        "sessionId": "s1",
        "modes": { "currentModeId": "auto", "availableModes": [{ "id": "auto", "name": "auto" }, { "id": "approve", "name": "approve" }] },
        "configOptions": [{ "id": "provider", "type": "select", "currentValue": "openai" }],
    })
}

/// In the middle of its first turn; the prompt was request 3.
fn prompted() -> Acp {
    let mut acp = Acp::new(Options::default());
    acp.begin(&assignment());
    hear(&mut acp, &answer(1, &goose_greeting()));
    let acts = hear(&mut acp, &answer(2, &goose_session()));
    assert_eq!(acts.last(), Some(&Act::Said(Said::TurnBegan)));
    acp
}

fn permission(id: &Value, call: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": "session/request_permission", "params": {
        "sessionId": "s1",
        "toolCall": call,
        "options": [
            { "optionId": "allow_always", "name": "allow_always", "kind": "allow_always" },
            { "optionId": "allow_once", "name": "allow_once", "kind": "allow_once" },
            { "optionId": "reject_once", "name": "reject_once", "kind": "reject_once" },
            { "optionId": "reject_always", "name": "reject_always", "kind": "reject_always" },
        ],
    } })
}

fn goose_edit() -> Value {
    json!({ "toolCallId": "call_5_0", "kind": "other", "status": "pending", "title": "edit · /repo/hello.txt",
        "rawInput": { "path": "/repo/hello.txt", "before": "hello", "after": "hello from goose" } })
}

fn asking(acts: Vec<Act>) -> Asking {
    let asks = acts.into_iter().find_map(|act| {
        let Said::Asks(asking) = said(act) else { return None };
        Some(asking)
    });
    asks.expect("it asks")
}

fn spoke(voice: Voice, text: &str) -> Said {
    Said::Spoke { voice, text: text.to_owned() }
}

fn writes(path: &str, content: Option<&str>) -> Said {
    Said::Writes { path: path.into(), content: content.map(|text| text.as_bytes().to_vec()) }
}

fn worked(title: &str) -> Said {
    Said::Worked { title: title.to_owned() }
}

fn failed(title: &str, message: &str) -> Said {
    Said::Failed { title: title.to_owned(), message: message.to_owned() }
}
