//! What a session says at its end: every report of its tasks, the review and the checkpoint, and then the record of it:
//! files, what was left, decisions, discoveries, progress, the documents that were written and the commit that is proposed.

use super::bar::Progress;
use super::checkpoint::Checkpoint;
use super::lines::{Lines, counted, goal, listed};
use super::sprint::SprintReview;
use super::task::TaskReport;
use crate::text::{visible, visible_lines};

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SessionEnd {
    pub session: u32,
    pub date: String,
    pub minutes: u32,
    pub agents: Vec<String>,
    pub tasks: Vec<TaskReport>,
    /// How much of what was agreed to is done.
    pub scope: Progress,
    pub review: Option<SprintReview>,
    pub checkpoint: Checkpoint,
    pub files: Vec<String>,
    /// What was not done, and why.
    pub not_done: Vec<(String, String)>,
    pub decisions: Vec<String>,
    pub discovered: Vec<String>,
    pub before: Progress,
    pub after: Progress,
    pub phase: Option<String>,
    pub sprint_goal: Option<String>,
    /// `CHANGELOG.md: session 009 summary`
    pub documents: Vec<String>,
    pub commit_message: Option<String>,
    /// Why it ended by itself, where nobody ended it.
    pub automatic: Option<String>,
    pub notes: Vec<String>,
}

impl SessionEnd {
    #[must_use]
    pub fn render(&self) -> String {
        let mut lines = Lines::default();
        self.heading(&mut lines);
        for task in &self.tasks {
            lines.blank();
            lines.rendered(&task.record());
        }
        if let Some(review) = &self.review {
            lines.blank();
            lines.rendered(&review.render());
        }
        // A review ends with its checkpoint; the session's own is told again only where things went on after it.
        if self.review.as_ref().is_none_or(|review| review.checkpoint != self.checkpoint) {
            lines.blank();
            lines.rendered(&self.checkpoint.record());
        }
        self.record(&mut lines);
        self.proposal(&mut lines);
        lines.text()
    }

    fn heading(&self, lines: &mut Lines) {
        if let Some(why) = &self.automatic {
            lines.line("[Session end protocol — running automatically]");
            lines.blank();
            lines.line(why);
            lines.blank();
        }
        lines.line(&format!("Session {:03} summary — {}", self.session, self.date));
        lines.blank();
        lines.line(&format!("Agents: {}", listed(&self.agents, "(none)")));
        lines.line(&format!("Duration: ~{}", counted(self.minutes as usize, "minute")));
        lines.line(&format!("Tasks completed: {}", self.scope.fraction()));
    }

    fn record(&self, lines: &mut Lines) {
        let or =
            |points: &[String], none: &str| if points.is_empty() { vec![none.to_owned()] } else { points.to_vec() };
        let not_done: Vec<String> = self.not_done.iter().map(|(what, why)| format!("{what} — {why}")).collect();
        lines.points("Files changed:", &or(&self.files, "(none)"));
        lines.points("What was NOT done:", &or(&not_done, "Nothing carried over"));
        lines.points("Decisions made:", &or(&self.decisions, "(none)"));
        lines.points("Discovered tasks:", &or(&self.discovered, "(none)"));
        lines.points("Notes:", &self.notes);
        lines.blank();
        lines.line("Goal progress:");
        let sprint_goal = goal(self.sprint_goal.as_deref());
        let fraction = self.after.fraction();
        lines.line(&match &self.sprint_goal {
            None => format!("  Sprint goal: {sprint_goal}"),
            Some(_) if self.after.is_complete() => format!("  Sprint goal: {sprint_goal} — COMPLETE ({fraction})"),
            Some(_) => format!("  Sprint goal: {sprint_goal} — {fraction} done"),
        });
        let phase = self.phase.as_deref().unwrap_or("Progress");
        let (bar, now, was) = (self.after.bar(), self.after.percent(), self.before.percent());
        lines.line(&format!("  {phase}: {bar} {now}% (was {was}%)"));
        lines.points("Documents updated:", &or(&self.documents, "(none)"));
    }

    fn proposal(&self, lines: &mut Lines) {
        let Some(message) = &self.commit_message else { return };
        lines.blank();
        lines.line("Proposed commit:");
        for line in visible_lines(message).lines() {
            lines.line(format!("  {line}").trim_end());
        }
        lines.blank();
        lines.line("Commit this, or leave it?");
    }
}

/// The message of the commit that holds a session's documents: each by its path, with what it says now.
#[must_use]
pub fn standard_commit_message(session: u32, documents: &[(String, String)]) -> String {
    let line = |(path, says): &(String, String)| format!("- {}: {}\n", visible(path), visible(says));
    let lines: String = documents.iter().map(line).collect();
    format!("docs: update project state after session {session:03}\n\n{lines}")
}
