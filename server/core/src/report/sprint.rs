//! The review when a sprint's goal is reached, fit to be shown to others: what each task did for the goal, what became of
//! the architecture, what was decided, what comes next, and the checkpoint.

use super::checkpoint::Checkpoint;
use super::lines::{Lines, goal, remarked};
use super::task::{GoalImpact, Next};

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SprintReview {
    pub checkpoint: Checkpoint,
    /// What each task did, by its title.
    pub impacts: Vec<(String, GoalImpact)>,
    /// Documents of the architecture that changed, and folders that came or went.
    pub architecture: Vec<String>,
    pub decisions: Vec<String>,
    pub next_sprint: Vec<Next>,
}

impl SprintReview {
    #[must_use]
    pub fn render(&self) -> String {
        // It is told and not asked: where the session waits for an answer, its own checkpoint says so.
        self.before_the_checkpoint() + &self.checkpoint.record()
    }

    fn before_the_checkpoint(&self) -> String {
        let mut lines = Lines::default();
        let reached = if self.checkpoint.progress.is_complete() { "COMPLETE" } else { "not complete" };
        let sprint_goal = goal(self.checkpoint.sprint_goal.as_deref());
        lines.line(&format!("Sprint review — {sprint_goal}: {reached} ({})", self.checkpoint.progress.fraction()));
        lines.blank();
        lines.line("Goal impacts:");
        for (task, impact) in &self.impacts {
            lines.line(&format!("  {task}"));
            for line in impact.lines() {
                lines.line(&format!("    {line}"));
            }
        }
        if self.impacts.is_empty() {
            lines.line("  (none)");
        }
        let none = ["(none)".to_owned()];
        let or_none = |points: &Vec<String>| if points.is_empty() { none.to_vec() } else { points.clone() };
        lines.points("Architecture changes:", &or_none(&self.architecture));
        lines.points("Decisions made:", &or_none(&self.decisions));
        let next: Vec<String> =
            self.next_sprint.iter().map(|next| remarked(&next.title, next.estimate.as_deref())).collect();
        lines.points("Next sprint:", &or_none(&next));
        lines.blank();
        lines.text()
    }
}
