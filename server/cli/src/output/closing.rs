//! The completion of sessions for people: a row for each step, and what shows its outcome below it.

use augment_core::text::visible;
use augment_protocol::closing::{Closing, ClosingStep, ClosingStepName, StepOutcome};

use super::table::{Cell, Column, Look, table};
use super::time::age;

fn step_name(step: ClosingStepName) -> &'static str {
    match step {
        ClosingStepName::Confirmation => "confirmation",
        ClosingStepName::Outputs => "outputs",
        ClosingStepName::Summary => "summary",
        ClosingStepName::Knowledge => "knowledge",
        ClosingStepName::CleanUp => "clean-up",
        ClosingStepName::Archive => "archive",
        ClosingStepName::Notification => "notification",
    }
}

fn outcome(outcome: StepOutcome) -> (&'static str, Look) {
    match outcome {
        StepOutcome::Waiting => ("waiting", Look::Busy),
        StepOutcome::Done => ("done", Look::Good),
        StepOutcome::Failed => ("failed", Look::Warn),
        StepOutcome::Skipped => ("skipped", Look::Faint),
    }
}

/// All steps as a table, with all that shows their outcomes.
pub(crate) fn steps(closing: &Closing, now_ms: i64) -> String {
    let columns = [
        Column::Fixed("STEP"),
        Column::Fixed("OUTCOME"),
        Column::Fixed("TRIES"),
        Column::Fixed("WHEN"),
        Column::Text("EVIDENCE"),
    ];
    let mut rows = Vec::new();
    for step in &closing.steps {
        let (word, look) = outcome(step.outcome);
        let when = step.at.map_or_else(|| "-".to_owned(), |at| format!("{} ago", age(at, now_ms)));
        rows.push(vec![
            Cell::styled(step_name(step.step), Look::Strong),
            Cell::styled(word, look),
            Cell::new(step.tries.to_string()),
            Cell::styled(when, Look::Faint),
            Cell::new(step.evidence.first().map_or("-", String::as_str)),
        ]);
        for line in step.evidence.iter().skip(1) {
            let nothing = || Cell::new("");
            rows.push(vec![nothing(), nothing(), nothing(), nothing(), Cell::new(line)]);
        }
    }
    table(&columns, rows, None)
}

/// Where the archive is, and what to do about what failed.
pub(crate) fn one_line(closing: &Closing, session: &str) -> String {
    let failed = |step: &&ClosingStep| step.outcome == StepOutcome::Failed;
    let failed: Vec<&ClosingStep> = closing.steps.iter().filter(failed).collect();
    let archive = match &closing.archive {
        Some(folder) => format!("Archived in {}.", visible(folder)),
        None => "Not archived.".to_owned(),
    };
    if failed.is_empty() {
        return archive;
    }
    let lines: Vec<String> = failed
        .iter()
        .map(|step| {
            let why = step.evidence.first().map_or("", String::as_str);
            format!("{} {}: {}", Look::Warn.paint("failed:"), step_name(step.step), visible(why))
        })
        .collect();
    format!("{archive}\n{}\nMend it, then: augment-cli session resume {}", lines.join("\n"), visible(session))
}
