//! Prompt sessions for people: the prompt that is under way, what lies in the tree, and what came of each step. Messages and
//! prompts come line by line as they are; lists of files are cut, and say so.

mod guarded;
mod listed;
mod written;

use augment_core::text::{one_line, shortened, visible, visible_lines};
use augment_protocol::prompts::{
    Intent, IntentRole, Interrupted, Prompt, PromptState, PromptStatus, PushedPrompt, PushedTo, StartedPrompt, Subject,
    UncommittedGroup, UndonePrompt, UnifiedSubjects,
};

pub(crate) use guarded::guarded;
pub(crate) use listed::{details, list};
pub(crate) use written::{finished, intent, made_of, reported, reported_files};

use super::changes::words::count;
use super::table::{Cell, Column, Look, fields, table};
use super::time::with_age;

/// How many files of a group or a subject are named.
const FILES_SHOWN: usize = 10;
/// How much of a context stands on its line.
const CONTEXT_SHOWN: usize = 200;

fn state_name(state: PromptState) -> &'static str {
    match state {
        PromptState::Open => "open",
        PromptState::Finished => "finished",
        PromptState::Closed => "closed",
        PromptState::Dropped => "dropped",
    }
}

fn look(state: PromptState) -> Look {
    match state {
        PromptState::Open => Look::Busy,
        PromptState::Finished => Look::Warn,
        PromptState::Closed => Look::Good,
        PromptState::Dropped => Look::Faint,
    }
}

/// A commit or a change id as people say it.
fn short(id: &str) -> &str {
    id.get(..12).unwrap_or(id)
}

/// A message, a prompt or an artifact as it is, line by line.
pub(crate) fn message(text: &str) -> String {
    visible_lines(text).into_owned()
}

fn headed(heading: &str, lines: &[String]) -> Option<String> {
    (!lines.is_empty()).then(|| format!("{}\n{}", Look::Strong.paint(heading), lines.join("\n")))
}

fn note_lines(notes: &[String]) -> Option<String> {
    let line = |note: &String| format!("{} {}", Look::Warn.paint("note:"), visible(note));
    (!notes.is_empty()).then(|| notes.iter().map(line).collect::<Vec<_>>().join("\n"))
}

fn intent_line(intent: &Intent) -> String {
    let role = match intent.role {
        IntentRole::Work => "",
        IntentRole::Before => "  (before the prompt)",
        IntentRole::Report => "  (the report)",
    };
    format!("  {}  {}{role}", Look::Strong.paint(short(&intent.commit)), visible(&intent.text))
}

fn intent_lines(intents: &[Intent]) -> Vec<String> {
    intents.iter().map(intent_line).collect()
}

/// Each file on its line, the first ones.
fn file_lines(files: &[String], indent: &str) -> Vec<String> {
    let mut lines: Vec<String> =
        files.iter().take(FILES_SHOWN).map(|file| format!("{indent}{}", visible(file))).collect();
    let rest = files.len().saturating_sub(FILES_SHOWN);
    if rest > 0 {
        lines.push(format!("{indent}… and {rest} more; --json names them all"));
    }
    lines
}

/// What its commit would be called, whose it is, and its files.
fn group_lines(groups: &[UncommittedGroup]) -> Vec<String> {
    let mut lines = Vec::new();
    for (number, group) in (1..).zip(groups) {
        lines.push(format!("  {number}. {}", Look::Strong.paint(&group.intent)));
        let task = group.task.as_ref().map(|task| format!("{}: ", visible(task))).unwrap_or_default();
        lines.push(format!("     {task}{}", visible(&group.about)));
        lines.extend(file_lines(&group.files, "       "));
    }
    lines
}

/// Best first: how well each fits and why, its folders, and what to read.
fn subject_lines(subjects: &[Subject]) -> Vec<String> {
    let mut lines = Vec::new();
    for (number, subject) in (1..).zip(subjects) {
        let name = Look::Strong.paint(&subject.subject);
        let why = match &subject.why[..] {
            [] => String::new(),
            why => format!(" ({})", visible(&why.join(", "))),
        };
        lines.push(format!("  {number}. {name}  {}{why}", subject.score));
        lines.extend(subject.folders.iter().map(|folder| format!("     {}", visible(folder))));
        if !subject.files.is_empty() {
            lines.push("     to read:".to_owned());
        }
        lines.extend(file_lines(&subject.files, "       "));
    }
    lines
}

/// `dev of origin at 3fa2c1d9e0ab`.
fn place(to: &PushedTo) -> String {
    format!("{} of {} at {}", visible(&to.branch), visible(&to.remote), visible(short(&to.commit)))
}

/// What is known of a prompt, but for its texts and its intents.
fn prompt_fields(prompt: &Prompt, now_ms: i64) -> String {
    let state = format!("{} {}", prompt.id, state_name(prompt.state));
    let mut entries = vec![
        ("prompt", Cell::styled(state, look(prompt.state))),
        ("asked", Cell::new(&prompt.headline)),
        ("stamp", Cell::new(&prompt.stamp)),
        ("started", Cell::new(with_age(prompt.started_ms, now_ms))),
    ];
    if !prompt.context.is_empty() {
        entries.push(("context", Cell::new(shortened(&one_line(&prompt.context), CONTEXT_SHOWN))));
    }
    if !prompt.subjects.is_empty() {
        entries.push(("subjects", Cell::new(prompt.subjects.join(", "))));
    }
    let branch = prompt.branch.as_ref().map(|branch| format!(" on {branch}")).unwrap_or_default();
    let base = prompt.base.as_deref().map_or("the first commit", short);
    entries.push(("began at", Cell::new(format!("{base}{branch} ({})", prompt.system))));
    if let Some(made) = &prompt.finished {
        entries.push(("session", Cell::new(format!("{}  {}", short(&made.commit), made.summary))));
    }
    if let Some(report) = &prompt.report {
        entries.push(("report", Cell::new(report)));
    }
    if let Some(to) = &prompt.pushed {
        entries.push(("pushed", Cell::new(place(to))));
    }
    fields(&entries)
}

pub(crate) fn status(status: &PromptStatus, now_ms: i64) -> String {
    let mut parts = Vec::new();
    match &status.prompt {
        None => parts.push("No prompt is under way.".to_owned()),
        Some(prompt) => {
            parts.push(prompt_fields(prompt, now_ms));
            parts.extend(headed("Intents", &intent_lines(&prompt.intents)));
        }
    }
    parts.extend(headed("Approved and not committed", &group_lines(&status.uncommitted)));
    if status.waiting > 0 {
        let wait = if status.waiting == 1 { "waits for a decision and stays" } else { "wait for a decision and stay" };
        let hunks = count(status.waiting, "hunk", "hunks");
        parts.push(format!("{hunks} {wait} out of every commit: augment-cli changes list"));
    }
    parts.extend(note_lines(&status.notes));
    parts.push(next(status).to_owned());
    parts.join("\n\n")
}

/// What comes next, as it is typed.
fn next(status: &PromptStatus) -> &'static str {
    let Some(prompt) = &status.prompt else { return "augment-cli prompt start \"…\"" };
    // Until it is known what became of that, what the prompt looks like may not be so.
    if let Some(interrupted) = status.interrupted {
        return again(interrupted);
    }
    let has_work = prompt.intents.iter().any(|intent| intent.role != IntentRole::Before);
    match prompt.state {
        PromptState::Open if !status.uncommitted.is_empty() => "augment-cli prompt intent \"…\"",
        PromptState::Open if has_work => "augment-cli prompt finish \"…\"",
        PromptState::Open => "Approve what is made for it, then: augment-cli prompt intent \"…\"",
        PromptState::Finished if prompt.report.is_none() => {
            "augment-cli prompt report --title \"…\" --answer-file …, then augment-cli prompt push"
        }
        PromptState::Finished => "augment-cli prompt push",
        PromptState::Closed | PromptState::Dropped => "augment-cli prompt start \"…\"",
    }
}

fn again(interrupted: Interrupted) -> &'static str {
    match interrupted {
        Interrupted::Start => "Repeat what was interrupted: augment-cli prompt start \"…\"",
        Interrupted::Intent => "Repeat what was interrupted: augment-cli prompt intent \"…\"",
        Interrupted::Finish => "Repeat what was interrupted: augment-cli prompt finish \"…\"",
        Interrupted::Report => "Repeat what was interrupted: augment-cli prompt report --title \"…\" --answer-file …",
        Interrupted::Undo => "Repeat what was interrupted: augment-cli prompt undo",
    }
}

/// What came of a context.
pub(crate) fn understood(status: &PromptStatus, now_ms: i64) -> String {
    format!("The context is noted.\n\n{}", self::status(status, now_ms))
}

/// What is under way after a prompt was given up.
pub(crate) fn dropped(status: &PromptStatus, now_ms: i64) -> String {
    format!("The prompt is given up; what was committed for it stays.\n\n{}", self::status(status, now_ms))
}

/// The stamp first, then the subjects, then what lies in the tree.
pub(crate) fn started(started: &StartedPrompt) -> String {
    let begun = match &started.prompt {
        Some(prompt) => {
            let id = Look::Strong.paint(&prompt.id);
            format!("{id} is {}: {}", state_name(prompt.state), visible(&prompt.headline))
        }
        None => "Nothing is begun yet.".to_owned(),
    };
    let mut parts = vec![format!("{}\n{begun}", Look::Strong.paint(&started.stamp))];
    let subjects = headed("Subjects", &subject_lines(&started.subjects));
    parts.push(subjects.unwrap_or_else(|| "No subject of Development/ or Research/ fits it.".to_owned()));
    parts.extend(headed("Committed before it", &intent_lines(&started.committed)));
    // What was committed of it is told already.
    if started.committed.is_empty() {
        parts.extend(headed("In the tree", &group_lines(&started.existing)));
    }
    parts.extend(note_lines(&started.notes));
    parts.join("\n\n")
}

/// What lies in the tree, and nothing else of it.
pub(crate) fn lying(started: &StartedPrompt) -> String {
    let groups = headed("In the tree", &group_lines(&started.existing));
    groups.unwrap_or_else(|| "Nothing lies in the tree any more.".to_owned())
}

/// Why nothing began, and what to add.
pub(crate) fn not_begun(started: &StartedPrompt) -> String {
    let groups = match started.existing.len() {
        1 => "1 group of changes lies".to_owned(),
        many => format!("{many} groups of changes lie"),
    };
    format!(
        "{groups} uncommitted in the tree, so nothing was begun. Add --commit-first to commit them before the prompt, or \
         --leave to leave them there, then repeat."
    )
}

pub(crate) fn unified(unified: &UnifiedSubjects, width: Option<u16>) -> String {
    let subjects = count(unified.subjects, "subject", "subjects");
    if unified.counterparts.is_empty() {
        return format!("{subjects}, each on both sides.");
    }
    let columns = [Column::Fixed("SUBJECT"), Column::Text("COUNTERPART"), Column::Text("PROBLEM")];
    let rows = unified.counterparts.iter().map(|counterpart| {
        vec![
            Cell::styled(&counterpart.subject, Look::Strong),
            Cell::new(&counterpart.path),
            Cell::styled(counterpart.problem.as_deref().unwrap_or_default(), Look::Warn),
        ]
    });
    let stuck = unified.counterparts.iter().filter(|counterpart| counterpart.problem.is_some()).count();
    let end = match (unified.written, stuck) {
        (true, 0) => format!("Made. {subjects} in all."),
        (true, stuck) => format!("Made, but for {stuck}. {subjects} in all."),
        (false, _) => format!("{subjects} in all. Nothing was written: augment-cli prompt unify --write"),
    };
    format!("{}\n\n{end}", table(&columns, rows.collect(), width))
}

/// Whether something was done, or would be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trial {
    Done,
    DryRun,
}

pub(crate) fn pushed(pushed: &PushedPrompt, trial: Trial) -> String {
    let to = place(&pushed.to);
    let said = match (trial, pushed.verified) {
        (Trial::DryRun, _) => format!("This would push to {to}. Nothing was pushed."),
        (Trial::Done, true) => {
            format!("Pushed to {to}, and the remote has it. {} is closed.", visible(&pushed.prompt.id))
        }
        (Trial::Done, false) => {
            format!("{} to {to}, and the remote does not have it. Look there, then repeat.", Look::Bad.paint("Pushed"))
        }
    };
    let child = pushed.child.as_ref().map(|child| format!("The next prompt begins on {}.", visible(short(child))));
    [Some(said), child, note_lines(&pushed.notes)].into_iter().flatten().collect::<Vec<_>>().join("\n")
}

pub(crate) fn undone(undone: &UndonePrompt) -> String {
    let (what, commit) = (visible(&undone.what), visible(short(&undone.commit)));
    let first = if undone.done {
        let (id, state) = (visible(&undone.prompt.id), state_name(undone.prompt.state));
        format!("Taken back: {what} ({commit}). {id} is {state}.")
    } else {
        format!("This would be taken back: {what} ({commit}). Nothing was changed.")
    };
    [Some(first), note_lines(&undone.notes)].into_iter().flatten().collect::<Vec<_>>().join("\n\n")
}

#[cfg(test)]
mod tests;
