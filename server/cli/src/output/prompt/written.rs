//! What was written for a prompt, or would be: an intent, the session's commit, the research artifact.

use augment_core::text::visible;
use augment_protocol::prompts::{
    CommittedPart, FinishedPrompt, Intent, IntentCommitted, PartChange, ReportedPrompt, SynthesisMode,
};

use super::{Trial, headed, intent_lines, message, note_lines, short};
use crate::output::table::{Cell, Column, Look, table};

fn committed(intent: &Intent) -> String {
    format!("Committed {}: {}", Look::Strong.paint(short(&intent.commit)), visible(&intent.text))
}

pub(crate) fn intent(answer: &IntentCommitted, width: Option<u16>) -> String {
    let first = match &answer.intent {
        Some(intent) => committed(intent),
        None => format!("This would be committed; nothing was:\n\n{}", message(answer.message.trim_end())),
    };
    let columns = [
        Column::Text("FILE"),
        Column::Fixed("CHANGE"),
        Column::Number("ADDED"),
        Column::Number("REMOVED"),
        Column::Fixed("LEFT OUT"),
    ];
    let rows = answer.files.iter().map(part_row).collect();
    let parts = [Some(first), Some(table(&columns, rows, width)), note_lines(&answer.notes)];
    parts.into_iter().flatten().collect::<Vec<_>>().join("\n\n")
}

fn part_row(part: &CommittedPart) -> Vec<Cell> {
    let (change, look) = match part.change {
        PartChange::Added => ("added", Look::Good),
        PartChange::Changed => ("changed", Look::Plain),
        PartChange::Removed => ("removed", Look::Removed),
    };
    vec![
        Cell::new(&part.path),
        Cell::styled(change, look),
        Cell::new(part.added.to_string()),
        Cell::new(part.removed.to_string()),
        Cell::styled(if part.rest { "the rest of it" } else { "" }, Look::Warn),
    ]
}

/// What came of the end. What would come of it is the message alone, so that it can be kept; `made_of` says the rest.
pub(crate) fn finished(answer: &FinishedPrompt) -> String {
    let Some(made) = &answer.finished else { return message(&answer.message) };
    let first = answer.message.lines().next().unwrap_or(&made.summary);
    let back = match &answer.before {
        Some(before) => format!("augment-cli prompt undo, or {}", visible(before)),
        None => "augment-cli prompt undo".to_owned(),
    };
    let next = match &answer.prompt.report {
        None => "augment-cli prompt report --title \"…\" --answer-file …, then augment-cli prompt push",
        Some(_) => "augment-cli prompt push",
    };
    let parts = [
        format!("Committed {}: {}", Look::Strong.paint(short(&made.commit)), visible(first)),
        made_of(answer),
        format!("{}\n{next}", Look::Faint.paint(&format!("take it back with: {back}"))),
    ];
    parts.join("\n\n")
}

/// The intents, how one commit is made of them, and what there is to say about it.
pub(crate) fn made_of(answer: &FinishedPrompt) -> String {
    let heading = match answer.mode {
        SynthesisMode::Single => "Its one intent, with a new message",
        SynthesisMode::Multi => "Of these intents, which stay",
    };
    let intents = headed(heading, &intent_lines(&answer.intents));
    [intents, note_lines(&answer.notes)].into_iter().flatten().collect::<Vec<_>>().join("\n\n")
}

/// What came of the report. What would come of it is the artifact alone; `reported_files` says where it would lie.
pub(crate) fn reported(answer: &ReportedPrompt, trial: Trial) -> String {
    match trial {
        Trial::DryRun => message(&answer.text),
        Trial::Done => {
            let end = match &answer.intent {
                Some(intent) => committed(intent),
                None => "The files are left uncommitted.".to_owned(),
            };
            let wrote: Vec<String> = report_lines("Wrote", answer).collect();
            [Some(wrote.join("\n")), Some(end), note_lines(&answer.notes)]
                .into_iter()
                .flatten()
                .filter(|part| !part.is_empty())
                .collect::<Vec<_>>()
                .join("\n")
        }
    }
}

/// What is written, and where the report lies where an earlier one of the same has left it.
fn report_lines(verb: &str, answer: &ReportedPrompt) -> impl Iterator<Item = String> {
    let is_there = !answer.files.contains(&answer.path);
    let there = is_there.then(|| format!("{} is there already, as it is wanted", visible(&answer.path)));
    there.into_iter().chain(answer.files.iter().map(move |file| format!("{verb} {}", visible(file))))
}

/// Where the files would lie.
pub(crate) fn reported_files(answer: &ReportedPrompt) -> String {
    let mut lines: Vec<String> = report_lines("Would write", answer).collect();
    lines.extend(note_lines(&answer.notes));
    lines.push("Nothing was written.".to_owned());
    lines.join("\n")
}
