//! The report after every task: a box of fixed structure, and under it the session so far.

use super::bar::Progress;
use super::frame::{Entry, framed};
use super::lines::{Lines, goal, listed, remarked};

/// How a task ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TaskEnd {
    Completed,
    Partial,
    Blocked,
    Failed,
    Cancelled,
    /// It was completed, and then all that it did was taken back in review.
    Rejected,
}

impl TaskEnd {
    pub const ALL: [Self; 6] =
        [Self::Completed, Self::Partial, Self::Blocked, Self::Failed, Self::Cancelled, Self::Rejected];

    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::Partial => "partial",
            Self::Blocked => "blocked",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
            Self::Rejected => "rejected",
        }
    }
}

/// What a task did for the plan.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GoalImpact {
    pub phase: Option<String>,
    pub sprint_goal: Option<String>,
    pub was: Progress,
    pub now: Progress,
    /// The sprint's own count, where it is not the one of the phase.
    pub sprint: Option<Progress>,
    pub remaining: Vec<String>,
}

impl GoalImpact {
    pub(super) fn lines(&self) -> [String; 3] {
        let phase = self.phase.as_deref().unwrap_or("Progress");
        let sprint = self.sprint.unwrap_or(self.now);
        [
            format!("{phase}: {} {}% (was {}%)", self.now.bar(), self.now.percent(), self.was.percent()),
            format!("Sprint goal: {} — {} done", goal(self.sprint_goal.as_deref()), sprint.fraction()),
            format!("Remaining: {}", listed(&self.remaining, "(none)")),
        ]
    }
}

/// What comes next, and how long it may take.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Next {
    pub title: String,
    pub estimate: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskReport {
    pub task: String,
    pub end: TaskEnd,
    /// `Created src/a.rs`, `Changed src/b.rs`, `Agent says: tests passed`
    pub changed: Vec<String>,
    pub impact: GoalImpact,
    /// All that were completed in this session so far.
    pub so_far: Vec<String>,
    /// How much of the session's scope is done.
    pub scope: Progress,
    pub next: Option<Next>,
}

impl TaskReport {
    #[must_use]
    pub fn render(&self) -> String {
        self.with_box(vec![Entry::Line("Continue, or adjust?".to_owned())])
    }

    /// The report without its question, as the summary of a session that is over holds it.
    #[must_use]
    pub fn record(&self) -> String {
        self.with_box(Vec::new())
    }

    fn with_box(&self, question: Vec<Entry>) -> String {
        let mut lines = Lines::default();
        lines.rendered(&self.boxed(question));
        let so_far = if self.so_far.is_empty() { String::new() } else { format!(": {}", self.so_far.join(", ")) };
        lines.line(&format!("This session: {} done{so_far}.", self.scope.fraction()));
        lines.text()
    }

    fn boxed(&self, question: Vec<Entry>) -> String {
        let line = |text: &str| Entry::Line(text.to_owned());
        let mut changed = vec![line("What changed:")];
        changed.extend(self.changed.iter().cloned().map(Entry::Bullet));
        if self.changed.is_empty() {
            changed.push(Entry::Bullet("(nothing)".to_owned()));
        }
        let mut impact = vec![line("Goal impact:")];
        impact.extend(self.impact.lines().map(Entry::Line));
        let next = match &self.next {
            None => "(nothing left in scope)".to_owned(),
            Some(next) => {
                let estimate = next.estimate.as_ref().map(|estimate| format!("est. {estimate}"));
                remarked(&next.title, estimate.as_deref())
            }
        };
        let mut last = vec![Entry::Line(format!("Next: {next}"))];
        last.extend(question);
        framed(&[vec![Entry::Line(format!("Task {}: {}", self.end.word(), self.task))], changed, impact, last])
    }
}
