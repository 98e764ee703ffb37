//! Prompts and `session:` commits as lists, and one of them whole.

use augment_core::text::visible;
use augment_protocol::prompts::{NamedChange, Prompt, PromptList, SessionCommit};

use super::{headed, intent_lines, look, message, prompt_fields, short, state_name};
use crate::output::table::{Cell, Column, Look, fields, table};
use crate::output::time::{age, with_age};

/// Stamps stand last: terminals do not agree on how wide a sign with U+FE0E is, and what stood behind it would be out of line.
pub(crate) fn list(list: &PromptList, now_ms: i64, width: Option<u16>) -> String {
    let mut parts = Vec::new();
    if list.prompts.is_empty() {
        parts.push("There was no prompt here yet: augment-cli prompt start \"…\"".to_owned());
    } else {
        let columns = [
            Column::Fixed("PROMPT"),
            Column::Fixed("STATE"),
            Column::Number("INTENTS"),
            Column::Fixed("STARTED"),
            Column::Text("ASKED"),
            Column::Fixed("STAMP"),
        ];
        parts.push(table(&columns, list.prompts.iter().map(|prompt| prompt_row(prompt, now_ms)).collect(), width));
    }
    if list.sessions.is_empty() {
        parts.push("The history holds no session commit.".to_owned());
    } else {
        let columns = [
            Column::Fixed("COMMIT"),
            Column::Fixed("CHANGE"),
            Column::Fixed("MADE"),
            Column::Text("SUMMARY"),
            Column::Text("LACKS"),
            Column::Fixed("STAMP"),
        ];
        parts.push(table(&columns, list.sessions.iter().map(|commit| session_row(commit, now_ms)).collect(), width));
    }
    parts.join("\n\n")
}

fn prompt_row(prompt: &Prompt, now_ms: i64) -> Vec<Cell> {
    vec![
        Cell::styled(&prompt.id, Look::Strong),
        Cell::styled(state_name(prompt.state), look(prompt.state)),
        Cell::new(prompt.intents.len().to_string()),
        Cell::styled(format!("{} ago", age(prompt.started_ms, now_ms)), Look::Faint),
        Cell::new(&prompt.headline),
        Cell::new(&prompt.stamp),
    ]
}

fn session_row(commit: &SessionCommit, now_ms: i64) -> Vec<Cell> {
    vec![
        Cell::styled(short(&commit.commit), Look::Strong),
        Cell::new(commit.change.as_deref().map_or("-", short)),
        Cell::styled(format!("{} ago", age(commit.time_ms, now_ms)), Look::Faint),
        Cell::new(&commit.summary),
        Cell::styled(commit.lacks.join(", "), Look::Warn),
        Cell::new(commit.stamp.as_deref().unwrap_or("-")),
    ]
}

/// A prompt, its session's commit, or both: what is known, then the whole message, or what was asked while there is none.
pub(crate) fn details(prompt: Option<&Prompt>, session: Option<&SessionCommit>, now_ms: i64) -> String {
    let mut parts = Vec::new();
    if let Some(prompt) = prompt {
        parts.push(prompt_fields(prompt, now_ms));
        parts.extend(headed("Intents", &intent_lines(&prompt.intents)));
    }
    match (session, prompt) {
        (Some(session), _) => {
            parts.push(session_fields(session, now_ms));
            parts.push(message(session.message.trim_end()));
        }
        (None, Some(prompt)) => {
            parts.push(format!("{}\n{}", Look::Strong.paint("Prompt"), message(&prompt.text)));
            if !prompt.context.is_empty() {
                parts.push(format!("{}\n{}", Look::Strong.paint("Context"), message(&prompt.context)));
            }
        }
        (None, None) => {}
    }
    parts.join("\n\n")
}

fn session_fields(session: &SessionCommit, now_ms: i64) -> String {
    let mut entries = vec![
        ("commit", Cell::styled(&session.commit, Look::Strong)),
        ("change", Cell::new(session.change.as_deref().unwrap_or("-"))),
        ("made", Cell::new(with_age(session.time_ms, now_ms))),
    ];
    if !session.lacks.is_empty() {
        entries.push(("lacks", Cell::styled(session.lacks.join(", "), Look::Warn)));
    }
    let lost: Vec<String> = session.squashed.iter().filter_map(lost).collect();
    if !lost.is_empty() {
        entries.push(("leads nowhere", Cell::styled(lost.join(", "), Look::Bad)));
    }
    fields(&entries)
}

/// The id, where it leads to no commit here.
fn lost(named: &NamedChange) -> Option<String> {
    named.commit.is_none().then(|| visible(&named.change).into_owned())
}
