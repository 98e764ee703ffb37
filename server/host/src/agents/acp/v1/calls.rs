//! What a message tells of a tool call. Agents describe the same thing in different places: codex sends diffs, goose only
//! what the model gave to the tool.

use std::borrow::Cow;
use std::path::PathBuf;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::{Content, NAME_BYTES, read};
use crate::agents::acp::meaning::{CallKind, CallNews, CallStep, Change, Extent};

/// What goes into a tool is looked at up to this size.
const INPUT_BYTES: usize = 1_024 * 1_024;
/// So many files of one message are looked at.
const FILES: usize = 256;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CallV1<'a> {
    tool_call_id: String,
    title: Option<String>,
    #[serde(borrow)]
    kind: Option<Cow<'a, str>>,
    #[serde(borrow)]
    status: Option<Cow<'a, str>>,
    content: Option<Vec<Item>>,
    locations: Option<Vec<Location>>,
    #[serde(borrow)]
    raw_input: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Location {
    path: PathBuf,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Item {
    Content {
        content: Content,
    },
    #[serde(rename_all = "camelCase")]
    Diff {
        path: PathBuf,
        old_text: Option<String>,
        new_text: String,
    },
    Terminal,
    #[serde(other)]
    Else,
}

pub(super) fn news(call: &str) -> Result<CallNews, String> {
    let said: CallV1<'_> = read(call, "tells of a tool call that cannot be read")?;
    if said.tool_call_id.len() > NAME_BYTES {
        return Err(format!("names a tool call in more than {NAME_BYTES} bytes"));
    }
    let mut changes = Vec::new();
    let mut texts = String::new();
    for item in said.content.unwrap_or_default() {
        match item {
            Item::Content { content } => {
                if !texts.is_empty() {
                    texts.push('\n');
                }
                texts.push_str(&content.shown());
            }
            Item::Diff { path, old_text, new_text } => changes.push(shown_by_diff(path, old_text, new_text)),
            Item::Terminal | Item::Else => {}
        }
    }
    let kind = said.kind.as_deref().map(|kind| match kind {
        "edit" | "delete" | "move" => CallKind::ChangesFiles,
        _ => CallKind::Else,
    });
    let input = said.raw_input.filter(|input| input.get().len() <= INPUT_BYTES);
    let input = input.and_then(|input| serde_json::from_str::<Value>(input.get()).ok()).unwrap_or_default();
    if changes.is_empty() {
        changes.extend(shown_by_input(&input));
    }
    changes.truncate(FILES);
    let mut places: Vec<_> = said.locations.unwrap_or_default().into_iter().map(|place| place.path).collect();
    places.truncate(FILES);
    Ok(CallNews {
        call: said.tool_call_id,
        title: said.title,
        kind,
        step: said.status.as_deref().and_then(|status| match status {
            "pending" => Some(CallStep::Waits),
            "in_progress" => Some(CallStep::Works),
            "completed" => Some(CallStep::Done),
            "failed" => Some(CallStep::Failed),
            _ => None,
        }),
        changes,
        places,
        command: command(&input),
        text: (!texts.is_empty()).then_some(texts),
    })
}

/// The protocol calls `newText` the content after the change, and of a new file it is. But codex puts only the changed
/// lines and those around them into both texts, so with an old text the new one is not taken for the whole file.
fn shown_by_diff(path: PathBuf, before: Option<String>, after: String) -> Change {
    let extent = if before.is_none() { Extent::Whole } else { Extent::Part };
    Change { path, before, after, extent }
}

/// What the model gave to a tool that writes: the whole content, or what is put in place of what.
fn shown_by_input(input: &Value) -> Option<Change> {
    let text = |names: &[&str]| names.iter().find_map(|name| input.get(name)?.as_str()).map(str::to_owned);
    let path = PathBuf::from(text(&["path", "file_path", "filePath"])?);
    let before = text(&["before", "old_string", "oldString", "old_str"]);
    let after = text(&["after", "new_string", "newString", "new_str"]);
    match (before, after, text(&["content"])) {
        (Some(before), Some(after), _) => Some(Change { path, before: Some(before), after, extent: Extent::Part }),
        (None, None, Some(after)) => Some(Change { path, before: None, after, extent: Extent::Whole }),
        _ => None,
    }
}

/// The command of a shell tool, in one text or in words.
fn command(input: &Value) -> Option<String> {
    match input.get("command").or_else(|| input.get("cmd"))? {
        Value::String(line) => Some(line.clone()),
        Value::Array(words) => {
            let words: Option<Vec<_>> = words.iter().map(Value::as_str).collect();
            Some(words?.join(" "))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => None,
    }
}
