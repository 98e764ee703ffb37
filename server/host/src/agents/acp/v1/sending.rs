//! What is sent to an agent: one JSON message in one line.

use std::path::Path;

use serde_json::{Value, json};

use super::VERSION;
use crate::agents::adapter::ToolServer;

/// The client offers nothing: agents write their files themselves, where they are seen, and start their own commands,
/// where they are kept.
pub(in crate::agents::acp) fn initialize(id: u64) -> Vec<u8> {
    let params = json!({
        "protocolVersion": VERSION,
        "clientCapabilities": { "fs": { "readTextFile": false, "writeTextFile": false }, "terminal": false },
        "clientInfo": {
            "name": "augment-orchestrator",
            "title": "Augment Orchestrator",
            "version": env!("CARGO_PKG_VERSION"),
        },
    });
    request(id, "initialize", &params)
}

/// `None` where a path is not UTF-8, which the protocol cannot say.
pub(in crate::agents::acp) fn new_session(id: u64, cwd: &Path, tools: Option<&ToolServer>) -> Option<Vec<u8>> {
    let servers = match tools {
        Some(tools) => json!([{
            "name": tools.name,
            "command": tools.program.to_str()?,
            "args": tools.arguments,
            "env": tools.environment.iter().map(|(name, value)| json!({ "name": name, "value": value })).collect::<Value>(),
        }]),
        None => json!([]),
    };
    Some(request(id, "session/new", &json!({ "cwd": cwd.to_str()?, "mcpServers": servers })))
}

pub(in crate::agents::acp) fn set_mode(id: u64, session: &str, mode: &str) -> Vec<u8> {
    request(id, "session/set_mode", &json!({ "sessionId": session, "modeId": mode }))
}

pub(in crate::agents::acp) fn prompt(id: u64, session: &str, text: &str) -> Vec<u8> {
    let prompt = json!([{ "type": "text", "text": text }]);
    request(id, "session/prompt", &json!({ "sessionId": session, "prompt": prompt }))
}

pub(in crate::agents::acp) fn cancel(session: &str) -> Vec<u8> {
    line(&json!({ "jsonrpc": "2.0", "method": "session/cancel", "params": { "sessionId": session } }))
}

/// No agent has such a method, and every agent answers that: a sign of life that asks for no work.
pub(in crate::agents::acp) fn ping(id: u64) -> Vec<u8> {
    request(id, "_orchestrator/ping", &json!({}))
}

pub(in crate::agents::acp) fn answer_chosen(id: &str, option: &str) -> Vec<u8> {
    answer(id, "result", &json!({ "outcome": { "outcome": "selected", "optionId": option } }))
}

pub(in crate::agents::acp) fn answer_withdrawn(id: &str) -> Vec<u8> {
    answer(id, "result", &json!({ "outcome": { "outcome": "cancelled" } }))
}

pub(in crate::agents::acp) fn refuse(id: &str, code: i64, message: &str) -> Vec<u8> {
    answer(id, "error", &json!({ "code": code, "message": message }))
}

fn request(id: u64, method: &str, params: &Value) -> Vec<u8> {
    line(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))
}

/// The id is put back just as it came, text or number.
fn answer(id: &str, member: &str, value: &Value) -> Vec<u8> {
    format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"{member}\":{value}}}\n").into_bytes()
}

fn line(message: &Value) -> Vec<u8> {
    let mut line = message.to_string().into_bytes();
    line.push(b'\n');
    line
}
