//! The document that one agent leaves to the next: what was to be done, what the first one reported, what it changed, and how
//! the project stands. Markdown, bounded, made of what is kept; what the agent said is marked as its claim.

use std::fmt::Write as _;
use std::io::Read as _;
use std::path::Path;

use augment_core::run::{HandOff, QuestionKind};
use augment_core::task::Status;
use augment_core::text::visible_lines;
use augment_host::store::{Snapshot, StoreError};
use augment_protocol::changes::{ChangedFile, ListChanges};
use augment_protocol::completion::CompletionReport;

use crate::service::changes::list_changes;

/// How many files are shown with their lines, and how many lines of each.
const FILES: u32 = 50;
const LINES: usize = 200;
/// How much of the project's plan is shown.
const PLAN: u64 = 4_096;
const QUESTIONS: usize = 50;

pub(super) fn write(snapshot: &Snapshot<'_>, hand_off: &HandOff, root: &Path) -> Result<String, StoreError> {
    let mut text = String::new();
    let mut line = |words: &str| {
        text.push_str(words);
        text.push('\n');
    };
    line(&format!("# Hand-off {} from {} to {}", hand_off.id, hand_off.from_agent, hand_off.to_agent));
    if let Some(reason) = &hand_off.reason {
        line(&format!("\nWhy: {}", visible_lines(reason)));
    }
    if let Some(task) = snapshot.task(hand_off.from.task)? {
        line(&format!("\n## What was to be done\n\n{}: {} ({})", task.id, task.title, task.status));
        if !task.description.trim().is_empty() {
            line(&format!("\n{}", task.description.trim()));
        }
        if !task.scope.is_empty() {
            line(&format!("\nScope: {}", task.scope.join(", ")));
        }
    }
    line(&format!("\n## What {} reported (its own words, not checked)\n", hand_off.from_agent));
    match super::report(snapshot, hand_off.from)? {
        Some(report) => line(&reported(&report)),
        None => line("Nothing."),
    }
    let decided = decisions(snapshot, hand_off)?;
    if !decided.is_empty() {
        line(&format!("\n## What was asked and decided\n\n{decided}"));
    }
    line("\n## What it changed\n");
    line(&changed(snapshot, hand_off)?);
    line("\n## How the project stands\n");
    line(&stands(snapshot)?);
    if let Some(plan) = plan(root) {
        line(&format!("\n### PROJECT_PLAN.md, its beginning\n\n{plan}"));
    }
    Ok(text)
}

fn reported(report: &CompletionReport) -> String {
    let mut text = format!("Status: {}\n", super::to_wire::status_word(report.status));
    if !report.summary.is_empty() {
        put(&mut text, &format!("\n{}\n", visible_lines(&report.summary)));
    }
    for metric in &report.metrics {
        let unit = metric.unit.as_deref().map(|unit| format!(" {unit}")).unwrap_or_default();
        put(&mut text, &format!("- {}: {}{unit}", visible_lines(&metric.name), visible_lines(&metric.value)));
    }
    text.trim_end().to_owned()
}

fn put(text: &mut String, words: &str) {
    writeln!(text, "{words}").expect("a string takes it");
}

fn decisions(snapshot: &Snapshot<'_>, hand_off: &HandOff) -> Result<String, StoreError> {
    let mut text = String::new();
    for question in snapshot.questions_of_task(hand_off.from.task, QUESTIONS)? {
        match question.kind {
            QuestionKind::Permission => continue,
            QuestionKind::Decision | QuestionKind::DecisionPoint => {}
        }
        let answer = match &question.answer {
            None => "not decided yet".to_owned(),
            Some(answer) => {
                let words = [answer.choice.as_deref(), answer.text.as_deref()].into_iter().flatten();
                let words: Vec<&str> = words.collect();
                if words.is_empty() { "no answer was needed any more".to_owned() } else { words.join("; ") }
            }
        };
        put(&mut text, &format!("- {}: {answer}", question.question));
    }
    Ok(text.trim_end().to_owned())
}

fn changed(snapshot: &Snapshot<'_>, hand_off: &HandOff) -> Result<String, StoreError> {
    let list = ListChanges {
        task: Some(hand_off.from.task.to_string()),
        decided: Some(true),
        limit: Some(FILES),
        ..ListChanges::default()
    };
    let Ok(list) = list_changes(snapshot, &list)? else {
        return Ok("Nothing that is still known.".to_owned());
    };
    let files: Vec<&ChangedFile> = list.files.iter().filter(|file| !file.hunks.is_empty()).collect();
    if files.is_empty() {
        return Ok("No file.".to_owned());
    }
    let mut text = String::new();
    for file in files {
        put(&mut text, &format!("### {}\n", visible_lines(&file.path)));
        let mut lines = 0;
        for hunk in &file.hunks {
            let standing = super::to_wire::standing_word(hunk.standing);
            put(&mut text, &format!("{} ({standing}), line {}:", hunk.summary, hunk.line + 1));
            // Four spaces make code of it whatever it holds; a fence could be closed from inside.
            for (mark, of) in [("-", &hunk.removed_lines), ("+", &hunk.added_lines)] {
                for one in of.iter().take(LINES.saturating_sub(lines)) {
                    put(&mut text, &format!("    {mark}{}", visible_lines(one.trim_end_matches(['\n', '\r']))));
                    lines += 1;
                }
            }
        }
        if lines >= LINES {
            put(&mut text, "    (more lines are left out)");
        }
        text.push('\n');
    }
    if list.next.is_some() {
        put(&mut text, "More files are left out; `augment-cli changes list` shows them all.");
    }
    Ok(text.trim_end().to_owned())
}

fn stands(snapshot: &Snapshot<'_>) -> Result<String, StoreError> {
    let counts = snapshot.counts()?;
    let told: Vec<String> = Status::ALL
        .into_iter()
        .filter(|status| counts.of(*status) > 0)
        .map(|status| format!("{} {status}", counts.of(status)))
        .collect();
    Ok(format!("Tasks: {}.", if told.is_empty() { "none".to_owned() } else { told.join(", ") }))
}

/// The beginning of the project's plan, if it has one.
fn plan(root: &Path) -> Option<String> {
    let path = root.join("PROJECT_PLAN.md");
    // A link could lead anywhere, and a pipe would be waited for.
    if !path.symlink_metadata().is_ok_and(|found| found.is_file()) {
        return None;
    }
    let mut bytes = Vec::new();
    std::fs::File::open(path).ok()?.take(PLAN).read_to_end(&mut bytes).ok()?;
    Some(visible_lines(&String::from_utf8_lossy(&bytes)).into_owned())
}
