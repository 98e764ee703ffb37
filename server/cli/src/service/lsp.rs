//! Review in any editor: lenses, code actions, hovers and diagnostics made of what the wire tells of a file. Pure
//! functions of their arguments. All text from outside is made visible, and in Markdown it stands in code spans, where
//! no link, command or tag acts.

mod markdown;
pub(crate) mod orders;
pub(crate) mod uri;

use augment_core::text::visible;
use augment_protocol::changes::{AuthorKind, Blame, ChangedFile, Hunk, HunkKind, Standing};
use serde_json::{Value, json};
use tower_lsp_server::ls_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeLens, Command, Diagnostic, DiagnosticSeverity, Hover,
    HoverContents, MarkupContent, MarkupKind, NumberOrString, Position, Range,
};

use crate::output::changes::words::author_words;

/// What diagnostics are said to come from.
const SOURCE: &str = "augment";

/// Approve, reject and, where the result has to be seen first, preview: above each hunk that waits.
pub(crate) fn code_lenses(file: &ChangedFile) -> Vec<CodeLens> {
    let mut lenses = Vec::new();
    for hunk in pending(file) {
        let range = line_range(first_line(hunk), first_line(hunk));
        let mut add = |title: String, command: &str| {
            let command = Command::new(title, command.to_owned(), Some(vec![json!({ "hunk": hunk.id })]));
            lenses.push(CodeLens { range, command: Some(command), data: None });
        };
        add(format!("Approve · {}", summary(hunk)), orders::APPROVE_HUNK);
        add("Reject".to_owned(), orders::REJECT_HUNK);
        if hunk.flagged.is_some() || !hunk.entangled_with.is_empty() {
            add("Preview".to_owned(), orders::PREVIEW_HUNK);
        }
    }
    lenses
}

/// What can be decided where the cursor or the selection is: the hunks there, their tasks, the whole file; and taking
/// the last decision back. Only a hunk under the cursor lights the editor's bulb.
pub(crate) fn code_actions(file: &ChangedFile, range: Range) -> Vec<CodeActionOrCommand> {
    let here: Vec<&Hunk> = pending(file).filter(|hunk| touches(hunk, range)).collect();
    let waiting = pending(file).count();
    let wide = if here.is_empty() { CodeActionKind::SOURCE } else { CodeActionKind::QUICKFIX };
    let mut actions = Vec::new();
    let mut add = |title: String, kind: CodeActionKind, command: &str, arguments: Value| {
        let command = Command::new(title.clone(), command.to_owned(), Some(vec![arguments]));
        let action = CodeAction { title, kind: Some(kind), command: Some(command), ..CodeAction::default() };
        actions.push(CodeActionOrCommand::CodeAction(action));
    };
    for hunk in &here {
        let of = json!({ "hunk": hunk.id });
        add(format!("Approve {}", summary(hunk)), CodeActionKind::QUICKFIX, orders::APPROVE_HUNK, of.clone());
        add(format!("Reject {}", summary(hunk)), CodeActionKind::QUICKFIX, orders::REJECT_HUNK, of);
    }
    if waiting > 0 {
        let of = json!({ "file": file.path });
        let hunks = if waiting == 1 { "the change".to_owned() } else { format!("all {waiting} changes") };
        add(format!("Approve {hunks} in this file"), wide.clone(), orders::APPROVE_FILE, of.clone());
        add(format!("Reject {hunks} in this file"), wide.clone(), orders::REJECT_FILE, of);
    }
    for (task, title) in tasks(if here.is_empty() { pending(file).collect() } else { here }) {
        let of = json!({ "task": task });
        let name = match title {
            Some(title) => format!("{} “{}”", visible(task), visible(title)),
            None => visible(task).into_owned(),
        };
        add(format!("Approve everything of {name}"), wide.clone(), orders::APPROVE_TASK, of.clone());
        add(format!("Reject everything of {name}"), wide.clone(), orders::REJECT_TASK, of);
    }
    add("Undo the last decision".to_owned(), CodeActionKind::SOURCE, orders::UNDO_DECISION, json!({}));
    actions
}

/// Who wrote the line, for which task, when, on what evidence; and what is to be known about the hunk it belongs to.
pub(crate) fn hover(file: &ChangedFile, blame: &Blame, position: Position) -> Option<Hover> {
    let line = position.line;
    let span = blame.spans.iter().find(|span| (span.start..span.end).contains(&line));
    let hunk = pending(file).find(|hunk| touches(hunk, line_range(line, line)));
    let mut parts = Vec::new();
    parts.extend(span.filter(|span| span.author.kind != AuthorKind::Before).map(markdown::origin));
    parts.extend(hunk.map(markdown::pending));
    if parts.is_empty() {
        return None;
    }
    let value = parts.join("\n\n");
    let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value });
    Some(Hover { contents, range: Some(line_range(line, line)) })
}

/// Each hunk that waits, as information; as a warning where nobody is known to have made it or it needs a look.
pub(crate) fn diagnostics(file: &ChangedFile) -> Vec<Diagnostic> {
    let diagnostic = |hunk: &Hunk| {
        let unknown = hunk.author.kind == AuthorKind::Unknown;
        let severity = if unknown || hunk.flagged.is_some() {
            DiagnosticSeverity::WARNING
        } else {
            DiagnosticSeverity::INFORMATION
        };
        let why = hunk.flagged.as_deref().map(|why| format!(" ({})", visible(why))).unwrap_or_default();
        Diagnostic {
            range: own_range(hunk),
            severity: Some(severity),
            code: Some(NumberOrString::String(hunk.id.clone())),
            source: Some(SOURCE.to_owned()),
            message: format!("{} waits for a decision{why}", summary(hunk)),
            ..Diagnostic::default()
        }
    };
    pending(file).map(diagnostic).collect()
}

fn pending(file: &ChangedFile) -> impl Iterator<Item = &Hunk> {
    file.hunks.iter().filter(|hunk| match hunk.standing {
        Standing::Pending | Standing::HalfApproved => true,
        Standing::Approved | Standing::Rejected => false,
    })
}

/// `+3 −1 by claude for b12 “Fix the login”`.
fn summary(hunk: &Hunk) -> String {
    format!("{} by {}", visible(&hunk.summary), author_words(&hunk.author))
}

/// The tasks of these hunks, each once, with their titles.
fn tasks(hunks: Vec<&Hunk>) -> Vec<(&str, Option<&str>)> {
    let mut tasks: Vec<(&str, Option<&str>)> = Vec::new();
    for hunk in hunks {
        if let Some(task) = hunk.author.task.as_deref()
            && tasks.iter().all(|(known, _)| *known != task)
        {
            tasks.push((task, hunk.author.task_title.as_deref().filter(|title| !title.is_empty())));
        }
    }
    tasks
}

/// Where a hunk is shown. What is about the file and not about lines stands at its top.
fn first_line(hunk: &Hunk) -> u32 {
    match hunk.kind {
        HunkKind::Lines => hunk.spans.first().map_or(hunk.line, |span| span.start),
        HunkKind::Created
        | HunkKind::Deleted
        | HunkKind::Replaced
        | HunkKind::Mode
        | HunkKind::Renamed
        | HunkKind::Link => 0,
    }
}

/// Whole lines from the first to the last, both among them.
fn line_range(first: u32, last: u32) -> Range {
    Range::new(Position::new(first, 0), Position::new(last.saturating_add(1), 0))
}

/// The lines that a diagnostic underlines: the hunk's own up to the first line of somebody else.
fn own_range(hunk: &Hunk) -> Range {
    let first = first_line(hunk);
    match (hunk.kind, hunk.spans.first()) {
        (HunkKind::Lines, Some(span)) => Range::new(Position::new(span.start, 0), Position::new(span.end, 0)),
        // Lines that are gone, or a file as a whole: a place, not an extent.
        (
            HunkKind::Lines
            | HunkKind::Created
            | HunkKind::Deleted
            | HunkKind::Replaced
            | HunkKind::Mode
            | HunkKind::Renamed
            | HunkKind::Link,
            _,
        ) => Range::new(Position::new(first, 0), Position::new(first, 0)),
    }
}

/// Whether a hunk is meant by a range: one of its lines lies in it, or the place where its removed lines stood.
fn touches(hunk: &Hunk, range: Range) -> bool {
    // A selection of whole lines ends at the beginning of the next one, which is not meant.
    let whole_lines = range.end.character == 0 && range.end.line > range.start.line;
    let (first, last) = (range.start.line, if whole_lines { range.end.line - 1 } else { range.end.line });
    let overlaps = |start: u32, end: u32| start <= last && first < end;
    match hunk.kind {
        HunkKind::Lines | HunkKind::Created if !hunk.spans.is_empty() => {
            hunk.spans.iter().any(|span| overlaps(span.start, span.end))
        }
        HunkKind::Lines => overlaps(hunk.line.saturating_sub(1), hunk.line.saturating_add(1)),
        HunkKind::Created
        | HunkKind::Deleted
        | HunkKind::Replaced
        | HunkKind::Mode
        | HunkKind::Renamed
        | HunkKind::Link => overlaps(0, 1),
    }
}

#[cfg(test)]
mod tests;
