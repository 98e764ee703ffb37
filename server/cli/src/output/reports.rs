//! What was found of completion reports in a text, for people and for programs. All of it is some program's text: nothing
//! of it reaches the terminal raw.

use augment_core::text::{shortened, visible};
use augment_protocol::completion::{CompletionReport, DecisionPoint, ReportedMetric, ReportedStatus};
use serde::Serialize;

use super::table::Look;

/// How much of a summary, and of one other text, is shown.
const LINES: usize = 20;
const WORDS: usize = 200;

/// What a text holds of reports.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Checked {
    pub(crate) file: String,
    /// There is a report, and none is broken.
    pub(crate) is_good: bool,
    pub(crate) reports: usize,
    pub(crate) broken: usize,
    pub(crate) findings: Vec<Finding>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Finding {
    /// `report`, `broken`, `other`, `quoted` or `left-out`.
    pub(crate) kind: &'static str,
    /// Where it begins; of a broken one, where it is broken.
    pub(crate) line: usize,
    pub(crate) column: usize,
    pub(crate) report: Option<CompletionReport>,
    /// Why it is none, and what to do.
    pub(crate) message: Option<String>,
    /// What of a report does not count.
    pub(crate) notes: Vec<Note>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Note {
    pub(crate) line: usize,
    pub(crate) column: usize,
    pub(crate) message: String,
}

pub(crate) fn checked(checked: &Checked) -> String {
    let mut lines: Vec<String> = checked.findings.iter().map(finding).collect();
    let file = visible(&checked.file);
    let count = |count: usize| if count == 1 { "1 report".to_owned() } else { format!("{count} reports") };
    lines.push(match (checked.reports, checked.broken) {
        (0, 0) => format!("No report in {file}. `augment-cli complete --help` shows how one is written."),
        (reports, 0) => format!("{} in {file}.", count(reports)),
        (0, 1) => format!("No report in {file}, but 1 that is broken."),
        (0, broken) => format!("No report in {file}, but {broken} that are broken."),
        (reports, 1) => format!("{} in {file}, and 1 that is broken.", count(reports)),
        (reports, broken) => format!("{} in {file}, and {broken} that are broken.", count(reports)),
    });
    lines.join("\n")
}

fn finding(finding: &Finding) -> String {
    let place = format!("line {}, column {}:", finding.line, finding.column);
    if let Some(report) = &finding.report {
        let notes: String = finding.notes.iter().map(note).collect();
        return format!("{place} {}{notes}", written(report));
    }
    let what = if finding.kind == "broken" { Look::Bad.paint("broken:") } else { Look::Faint.paint("not a report:") };
    format!("{place} {what} {}", visible(finding.message.as_deref().unwrap_or_default()))
}

fn note(note: &Note) -> String {
    let word = Look::Warn.paint("note");
    format!("\n    {word} (line {}, column {}): {}", note.line, note.column, visible(&note.message))
}

fn written(report: &CompletionReport) -> String {
    let status = match report.status {
        ReportedStatus::Completed => "completed",
        ReportedStatus::Partial => "partial",
        ReportedStatus::Blocked => "blocked",
    };
    let agent = report.agent.as_deref().map_or_else(|| "nobody who is named".to_owned(), words);
    let mut lines = vec![format!("{} {status}, by {agent}", Look::Good.paint("a report:"))];
    lines.extend(report.summary.lines().take(LINES).map(|line| format!("    {}", words(line))));
    if report.summary.lines().nth(LINES).is_some() {
        lines.push("    (more lines)".to_owned());
    }
    lines.extend(report.metrics.iter().map(metric));
    lines.extend(report.next_steps.iter().map(|step| {
        let reason = step.reason.as_deref().map(|reason| format!(": {}", words(reason))).unwrap_or_default();
        format!("    next: {}{reason}", words(&step.agent))
    }));
    lines.extend(report.decisions.iter().map(decision));
    lines.join("\n")
}

fn metric(metric: &ReportedMetric) -> String {
    let unit = match &metric.unit {
        Some(unit) => format!(" {unit}"),
        None => " (not one of the common metrics; kept as it is)".to_owned(),
    };
    format!("    {}: {}{unit}", words(&metric.name), words(&metric.value))
}

fn decision(point: &DecisionPoint) -> String {
    let options: Vec<String> = point.options.iter().map(|option| words(&option.value)).collect();
    let options = if options.is_empty() { String::new() } else { format!(" ({})", options.join(", ")) };
    let recommends = point.recommendation.as_deref().map(|value| format!(", recommends {}", words(value)));
    format!("    to decide: {}{options}{}", words(&point.question), recommends.unwrap_or_default())
}

fn words(text: &str) -> String {
    visible(&shortened(text, WORDS)).into_owned()
}
