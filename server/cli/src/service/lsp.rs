//! Review in any editor: lenses, code actions, hovers and diagnostics made of what the wire tells of a file. Pure
//! functions of their arguments. All text from outside is made visible, and in Markdown it stands in code spans, where
//! no link, command or tag acts. Lines are counted from 0, and places in a line in units of UTF-16; they are those of the
//! editor's text (`shown.rs` makes them of the file's).

pub(crate) mod orders;
mod provenance;
pub(crate) mod question;
pub(crate) mod shown;
pub(crate) mod uri;

use augment_core::text::visible;
use augment_protocol::changes::{AuthorKind, Blame, BlameSpan, ChangedFile, Hunk, HunkKind, Standing};
use augment_protocol::sessions::Finding;
use serde_json::{Value, json};
use tower_lsp_server::ls_types::{
    CodeAction, CodeActionContext, CodeActionKind, CodeActionOrCommand, CodeLens, Command, Diagnostic,
    DiagnosticSeverity, Hover, HoverContents, MarkupContent, MarkupKind, NumberOrString, Position, Range,
};

use crate::output::changes::words::author_words;
pub(crate) use provenance::Form;

/// What diagnostics are said to come from: hunks that wait, and what the scan found in them.
const SOURCE: &str = "augment";
const SCAN_SOURCE: &str = "augment scan";

/// The kinds of code actions that there are.
pub(crate) const ACTION_KINDS: [CodeActionKind; 2] = [CodeActionKind::QUICKFIX, CodeActionKind::SOURCE];

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
        if asks_first(hunk) {
            add("Preview".to_owned(), orders::PREVIEW_HUNK);
        }
    }
    lenses
}

/// What can be decided where the cursor or the selection is: the hunks there, their tasks, the whole file; and taking
/// the last decision back. Only a hunk under the cursor lights the editor's bulb. None is preferred: nothing is ever
/// approved or taken out by a key that applies whatever fix there is.
pub(crate) fn code_actions(file: &ChangedFile, range: Range, context: &CodeActionContext) -> Vec<CodeAction> {
    let here: Vec<&Hunk> = pending(file).filter(|hunk| touches(hunk, range)).collect();
    let waiting = pending(file).count();
    let wide = if here.is_empty() { CodeActionKind::SOURCE } else { CodeActionKind::QUICKFIX };
    let mut actions = Vec::new();
    for hunk in &here {
        let settled = settled_by(hunk, &context.diagnostics);
        let mut add = |title: String, command: &str| {
            let arguments = json!({ "hunk": hunk.id });
            actions.push(CodeAction {
                diagnostics: settled.clone(),
                ..code_action(title, CodeActionKind::QUICKFIX, command, arguments)
            });
        };
        add(format!("Approve {}", summary(hunk)), orders::APPROVE_HUNK);
        add(format!("Reject {}", summary(hunk)), orders::REJECT_HUNK);
        if asks_first(hunk) {
            add(format!("Preview rejecting {}", summary(hunk)), orders::PREVIEW_HUNK);
        }
    }
    let mut add = |title: String, kind: CodeActionKind, command: &str, arguments: Value| {
        actions.push(code_action(title, kind, command, arguments));
    };
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
    actions.retain(|action| is_wanted(action.kind.as_ref(), context.only.as_deref()));
    actions
}

/// The same for a client that knows commands alone.
pub(crate) fn bare_commands(actions: Vec<CodeAction>) -> Vec<CodeActionOrCommand> {
    actions.into_iter().filter_map(|action| action.command).map(CodeActionOrCommand::Command).collect()
}

fn code_action(title: String, kind: CodeActionKind, command: &str, arguments: Value) -> CodeAction {
    let command = Command::new(title.clone(), command.to_owned(), Some(vec![arguments]));
    CodeAction { title, kind: Some(kind), command: Some(command), ..CodeAction::default() }
}

/// The diagnostics that go once a hunk is decided.
fn settled_by(hunk: &Hunk, diagnostics: &[Diagnostic]) -> Option<Vec<Diagnostic>> {
    let is_of = |diagnostic: &&Diagnostic| match &diagnostic.code {
        Some(NumberOrString::String(code)) => *code == hunk.id && diagnostic.source.as_deref() == Some(SOURCE),
        Some(NumberOrString::Number(_)) | None => false,
    };
    let settled: Vec<Diagnostic> = diagnostics.iter().filter(is_of).cloned().collect();
    (!settled.is_empty()).then_some(settled)
}

/// Whether an editor that asks for some kinds alone means this one. A kind stands for those below it.
fn is_wanted(kind: Option<&CodeActionKind>, only: Option<&[CodeActionKind]>) -> bool {
    let (Some(kind), Some(only)) = (kind, only) else { return true };
    only.iter().any(|wanted| {
        let rest = kind.as_str().strip_prefix(wanted.as_str());
        wanted.as_str().is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    })
}

/// What rejecting does has to be seen first.
fn asks_first(hunk: &Hunk) -> bool {
    hunk.flagged.is_some() || !hunk.entangled_with.is_empty()
}

/// Who wrote the line, for which task, when, on what evidence; and what is to be known about the hunk it belongs to.
/// `in_file` is the line of the file that it is, if it is one.
pub(crate) fn hover(
    form: Form,
    file: &ChangedFile,
    blame: &Blame,
    Position { line, .. }: Position,
    in_file: Option<u32>,
) -> Option<Hover> {
    let of_file = |span: &&BlameSpan| in_file.is_some_and(|line| (span.start..span.end).contains(&line));
    let span = blame.spans.iter().find(of_file);
    let hunk = pending(file).find(|hunk| touches(hunk, line_range(line, line)));
    let mut parts = Vec::new();
    parts.extend(span.filter(|span| span.author.kind != AuthorKind::Before).map(|span| provenance::origin(form, span)));
    parts.extend(hunk.map(|hunk| provenance::pending(form, hunk)));
    if parts.is_empty() {
        return None;
    }
    let value = parts.join("\n\n");
    let kind = match form {
        Form::Markdown => MarkupKind::Markdown,
        Form::Plain => MarkupKind::PlainText,
    };
    let contents = HoverContents::Markup(MarkupContent { kind, value });
    Some(Hover { contents, range: Some(line_range(line, line)) })
}

/// Each hunk that waits, as information; as a warning where nobody is known to have made it or it needs a look; and what
/// the scan found in it, at its place.
pub(crate) fn diagnostics(file: &ChangedFile) -> Vec<Diagnostic> {
    pending(file).flat_map(|hunk| std::iter::once(waits(hunk)).chain(hunk.findings.iter().map(found))).collect()
}

fn waits(hunk: &Hunk) -> Diagnostic {
    let flag = hunk.flag.as_ref().map(|flag| flag.message.as_str());
    let reasons: Vec<String> =
        hunk.flagged.as_deref().into_iter().chain(flag).map(|why| visible(why).into_owned()).collect();
    let unknown = hunk.author.kind == AuthorKind::Unknown;
    let severity =
        if unknown || !reasons.is_empty() { DiagnosticSeverity::WARNING } else { DiagnosticSeverity::INFORMATION };
    let why = if reasons.is_empty() { String::new() } else { format!(" ({})", reasons.join(" ")) };
    Diagnostic {
        range: own_range(hunk),
        severity: Some(severity),
        code: Some(NumberOrString::String(hunk.id.clone())),
        source: Some(SOURCE.to_owned()),
        message: format!("{} waits for a decision{why}", summary(hunk)),
        ..Diagnostic::default()
    }
}

/// The value itself is never told, only where it is and what it looks like.
fn found(finding: &Finding) -> Diagnostic {
    let severity = match (&finding.allowed, finding.kind.as_str()) {
        (Some(_), _) => DiagnosticSeverity::INFORMATION,
        (None, "credential") => DiagnosticSeverity::ERROR,
        (None, _) => DiagnosticSeverity::WARNING,
    };
    let allowed = finding.allowed.as_deref().map(|why| format!(" Allowed: {}", visible(why))).unwrap_or_default();
    let (start, end) = (finding.start, finding.end.max(finding.start));
    Diagnostic {
        range: Range::new(Position::new(finding.line, start), Position::new(finding.line, end)),
        severity: Some(severity),
        code: Some(NumberOrString::String(finding.rule.clone())),
        source: Some(SCAN_SOURCE.to_owned()),
        message: format!("{}{allowed}", visible(&finding.message)),
        ..Diagnostic::default()
    }
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
