//! The document that one agent leaves to the next: what was to be done, what the first one reported, how the project stands,
//! and what was changed. Markdown, bounded, made of what is kept; what the agent said is marked as its claim. Every line of
//! what others wrote stands as a quotation, so that nothing in it can pass for a line of ours or end it. What stands last
//! is what is left out where not all of it can be told.

use std::fmt::Write as _;
use std::path::Path;

use augment_core::run::{HandOff, Question, QuestionKind};
use augment_core::task::{Status, Task};
use augment_core::text::{shortened, visible, visible_lines};
use augment_core::view::View as _;
use augment_host::store::{Snapshot, StoreError};
use augment_host::vcs;
use augment_protocol::changes::{ChangedFile, Hunk, ListChanges};
use augment_protocol::completion::CompletionReport;

use crate::output::changes::words::author_words;
use crate::service::changes::list_changes;

/// How many files are shown with their lines, and how many lines of each.
const FILES: u32 = 50;
const LINES: usize = 200;
/// How much of what was changed is shown in all.
const CHANGES_BYTES: usize = 96 << 10;
const QUESTIONS: usize = 50;
/// How much is shown of one question or answer, of the task, and of what the agent wrote about it.
const WORDS: usize = 500;
const TEXT: usize = 16 << 10;
/// How many metrics, recommendations and decision points of a report are shown.
const PARTS: usize = 50;
/// How many bytes of a document stand in what the next agent hears first. Some agents get that as one argument, and an
/// argument cannot be longer than 128 KiB.
pub(super) const FIRST_WORDS: usize = 40 << 10;

/// What the next agent gets to read: what a person gave it, else what is known now.
pub(super) fn of(snapshot: &Snapshot<'_>, hand_off: &HandOff, root: &Path) -> Result<Document, StoreError> {
    Ok(match snapshot.hand_off_text(hand_off.id)? {
        Some(text) => Document { text, is_given: true },
        None => Document { text: write(snapshot, hand_off, root)?, is_given: false },
    })
}

pub(super) struct Document {
    pub(super) text: String,
    /// A person confirmed this very text.
    pub(super) is_given: bool,
}

/// The beginning of a document, whole lines, and that there is more.
pub(super) fn beginning(text: String, has_tools: bool) -> String {
    if text.len() <= FIRST_WORDS {
        return text;
    }
    let end = (0..=FIRST_WORDS).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let whole_lines = text[..end].rfind('\n').map_or(end, |line| line + 1);
    let how = if has_tools { "The tool read_hand_off" } else { "`augment-cli agent hand-off --own`" };
    format!("{}\n(This is not all of it. {how} gives the rest.)\n", &text[..whole_lines])
}

fn write(snapshot: &Snapshot<'_>, hand_off: &HandOff, root: &Path) -> Result<String, StoreError> {
    let mut text = String::new();
    let mut line = |words: &str| {
        text.push_str(words);
        text.push('\n');
    };
    line(&format!("# Hand-off {} from {} to {}", hand_off.id, hand_off.from_agent, hand_off.to_agent));
    if let Some(reason) = &hand_off.reason {
        line(&format!("\n{}", quotation(&format!("Why: {}", visible(reason)))));
    }
    if let Some(task) = snapshot.task(hand_off.from.task)? {
        line(&format!("\n## What was to be done\n\n{}", quotation(&to_be_done(&task))));
    }
    line(&format!("\n## What {} reported (its own words, not checked)\n", hand_off.from_agent));
    match super::report(snapshot, hand_off.from)? {
        Some(report) => line(&quotation(&reported(&report))),
        None => line("Nothing."),
    }
    let decided = decisions(snapshot, hand_off)?;
    if !decided.is_empty() {
        line(&format!("\n## What was asked and decided\n\n{}", quotation(&decided)));
    }
    line("\n## How the project stands\n");
    line(&stands(snapshot, root)?);
    line("\n## What it changed\n");
    line(&changed(snapshot, hand_off)?);
    Ok(text)
}

/// Text of others as a quotation: each of its lines is marked, so that none of them ends it.
fn quotation(text: &str) -> String {
    let marked = |line: &str| if line.is_empty() { ">".to_owned() } else { format!("> {line}") };
    visible_lines(text).lines().map(marked).collect::<Vec<_>>().join("\n")
}

/// The task as whoever made it wrote it: a person, another agent, or somebody outside.
fn to_be_done(task: &Task) -> String {
    let mut text = format!("{}: {} ({})\n", task.id, visible(&task.title), task.status);
    if !task.description.trim().is_empty() {
        put(&mut text, &format!("\n{}", shortened(task.description.trim(), TEXT)));
    }
    if let Some(goal) = &task.goal {
        put(&mut text, &format!("\nGoal: {}", visible(goal)));
    }
    if !task.scope.is_empty() {
        put(&mut text, &format!("\nScope: {}", visible(&task.scope.join(", "))));
    }
    text.trim_end().to_owned()
}

fn reported(report: &CompletionReport) -> String {
    let mut text = format!("Status: {}\n", super::to_wire::status_word(report.status));
    if let Some(agent) = &report.agent {
        put(&mut text, &format!("Agent: {}", one_line(agent)));
    }
    if let Some(timestamp) = &report.timestamp {
        put(&mut text, &format!("Time: {}", one_line(timestamp)));
    }
    if !report.summary.is_empty() {
        put(&mut text, &format!("\n{}\n", shortened(&report.summary, TEXT)));
    }
    for metric in report.metrics.iter().take(PARTS) {
        let unit = metric.unit.as_deref().map(|unit| format!(" {unit}")).unwrap_or_default();
        put(&mut text, &format!("- {}: {}{unit}", one_line(&metric.name), one_line(&metric.value)));
    }
    for step in report.next_steps.iter().take(PARTS) {
        let reason = step.reason.as_deref().map(|reason| format!(": {}", one_line(reason))).unwrap_or_default();
        put(&mut text, &format!("- Next: {}{reason}", one_line(&step.agent)));
    }
    for point in report.decisions.iter().take(PARTS) {
        let options: Vec<String> = point.options.iter().take(PARTS).map(|option| one_line(&option.value)).collect();
        let options = if options.is_empty() { String::new() } else { format!(" ({})", options.join(", ")) };
        let would = point.recommendation.as_deref().map(|words| format!(" It would choose {}.", one_line(words)));
        put(&mut text, &format!("- To decide: {}{options}{}", one_line(&point.question), would.unwrap_or_default()));
    }
    text.trim_end().to_owned()
}

fn one_line(text: &str) -> String {
    visible(&shortened(text, WORDS)).into_owned()
}

fn put(text: &mut String, words: &str) {
    writeln!(text, "{words}").expect("a string takes it");
}

/// What was asked for a decision, and not only for leave to do something.
fn is_decision(question: &Question) -> bool {
    match question.kind {
        QuestionKind::Permission => false,
        QuestionKind::Decision | QuestionKind::DecisionPoint => true,
    }
}

fn decisions(snapshot: &Snapshot<'_>, hand_off: &HandOff) -> Result<String, StoreError> {
    let mut text = String::new();
    let asked = snapshot.questions_of_task(hand_off.from.task, QUESTIONS)?;
    for question in asked.iter().filter(|question| is_decision(question)) {
        let answer = match &question.answer {
            None => "not decided yet".to_owned(),
            Some(answer) => {
                let words = [answer.choice.as_deref(), answer.text.as_deref()].into_iter().flatten();
                let words: Vec<String> = words.map(one_line).collect();
                if words.is_empty() { "no answer was needed any more".to_owned() } else { words.join("; ") }
            }
        };
        put(&mut text, &format!("- {}\n  Decided: {answer}", one_line(&question.question)));
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
    let mut all = list.next.is_none();
    for file in files {
        let shown = changed_file(file);
        if text.len() + shown.len() > CHANGES_BYTES {
            put(&mut text, &format!("### {}\n\n(its lines are left out)\n", visible(&file.path)));
            all = false;
            continue;
        }
        text.push_str(&shown);
    }
    if !all {
        put(&mut text, "More is left out; `augment-cli changes list` shows all of it.");
    }
    Ok(text.trim_end().to_owned())
}

fn changed_file(file: &ChangedFile) -> String {
    let mut text = String::new();
    put(&mut text, &format!("### {}\n", visible(&file.path)));
    let mut lines = 0;
    for hunk in &file.hunks {
        put(&mut text, &changed_where(hunk));
        // Four spaces make code of it whatever it holds; a fence could be closed from inside.
        for (mark, of) in [("-", &hunk.removed_lines), ("+", &hunk.added_lines)] {
            for one in of.iter().take(LINES.saturating_sub(lines)) {
                put(&mut text, &format!("    {mark}{}", visible_lines(one.trim_end_matches(['\n', '\r']))));
                lines += 1;
            }
        }
        if lines >= LINES {
            put(&mut text, "    (more lines are left out)");
            break;
        }
    }
    text.push('\n');
    text
}

fn changed_where(hunk: &Hunk) -> String {
    let (standing, author) = (super::to_wire::standing_word(hunk.standing), author_words(&hunk.author));
    format!("{} by {author} ({standing}), line {}:", visible(&hunk.summary), hunk.line + 1)
}

fn stands(snapshot: &Snapshot<'_>, root: &Path) -> Result<String, StoreError> {
    let mut text = String::new();
    put(&mut text, &format!("Version control: {}", version_control(root)));
    let view = snapshot.view();
    let governance = view.governance()?;
    let plan = visible(&governance.plan_path);
    match &governance.plan {
        None => put(&mut text, &format!("Plan: there is no {plan} that can be understood.")),
        Some(_) => {
            let phase = governance.phase().map_or_else(|| "no phase is named".to_owned(), |phase| one_line(&phase));
            let progress = governance.progress().map_or_else(String::new, |progress| {
                format!(", {}/{} tasks done ({}%)", progress.done, progress.total, progress.percent())
            });
            put(&mut text, &format!("Plan ({plan}): {phase}{progress}"));
            if let Some(goal) = governance.sprint_goal() {
                put(&mut text, &format!("Sprint goal: {}", one_line(&goal)));
            }
        }
    }
    if let Some(session) = view.session()? {
        put(&mut text, &format!("Session: {:03}", session.number));
    }
    let counts = snapshot.counts()?;
    let told: Vec<String> = Status::ALL
        .into_iter()
        .filter(|status| counts.of(*status) > 0)
        .map(|status| format!("{} {status}", counts.of(status)))
        .collect();
    put(&mut text, &format!("Tasks: {}", if told.is_empty() { "none".to_owned() } else { told.join(", ") }));
    let open = snapshot.open_questions(QUESTIONS)?;
    let open: Vec<&Question> = open.iter().filter(|question| is_decision(question)).collect();
    if open.is_empty() {
        put(&mut text, "Open questions: none");
    } else {
        put(&mut text, "\nOpen questions:\n");
        for question in open {
            let asked = format!("- {} of {}: {}", question.id, question.run, one_line(&question.question));
            put(&mut text, &quotation(&asked));
        }
    }
    Ok(text.trim_end().to_owned())
}

fn version_control(root: &Path) -> String {
    let Some(position) = vcs::position(root) else { return "none".to_owned() };
    let branch = position
        .branch
        .as_deref()
        .map_or_else(|| "no branch".to_owned(), |branch| format!("branch {}", one_line(branch)));
    match &position.commit {
        Some((commit, subject)) => {
            format!("{branch}, HEAD {} \"{}\"", commit.get(..12).unwrap_or(commit), one_line(subject))
        }
        None => format!("{branch}, without a commit"),
    }
}
