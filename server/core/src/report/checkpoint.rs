//! The checkpoint after several tasks in a row: what is done, what is at work, what remains, and a question.

use super::bar::Progress;
use super::lines::{Lines, counted, goal, remarked};
use super::task::{Next, TaskEnd};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DoneTask {
    pub title: String,
    pub end: TaskEnd,
    /// The paths that it touched.
    pub note: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Checkpoint {
    pub done: Vec<DoneTask>,
    pub in_progress: Vec<String>,
    pub remaining: Vec<String>,
    pub sprint_goal: Option<String>,
    pub progress: Progress,
    pub next: Option<Next>,
}

impl Checkpoint {
    #[must_use]
    pub fn render(&self) -> String {
        let next = self.next.as_ref().map_or_else(String::new, |next| format!(" with {}", next.title));
        let mut lines = Lines::default();
        lines.rendered(&self.record());
        lines.blank();
        lines.line(&format!("Continue{next}, or adjust scope?"));
        lines.text()
    }

    /// The checkpoint without its question, as the summary of a session that is over holds it.
    #[must_use]
    pub fn record(&self) -> String {
        let mut lines = Lines::default();
        lines.line(&format!("Session checkpoint — {}.", self.counts()));
        lines.blank();
        lines.line("Done this session:");
        for task in &self.done {
            lines.line(&task.line());
        }
        if self.done.is_empty() {
            lines.line("  [ ] (none)");
        }
        open(&mut lines, "In progress:", &self.in_progress, "(none)");
        let last = if self.in_progress.is_empty() { "(none)" } else { "(none — this is the final task)" };
        open(&mut lines, "Remaining in scope:", &self.remaining, last);
        lines.blank();
        lines.line(&format!("Sprint goal: {}", goal(self.sprint_goal.as_deref())));
        let Progress { done, total } = self.progress;
        let (bar, percent) = (self.progress.bar(), self.progress.percent());
        lines.line(&format!("Progress: {bar} {percent}% ({done}/{total} tasks)"));
        lines.text()
    }

    /// `3 tasks completed`, and how many ended otherwise.
    fn counts(&self) -> String {
        let count = |end: TaskEnd| self.done.iter().filter(|task| task.end == end).count();
        let mut counts = format!("{} completed", counted(count(TaskEnd::Completed), "task"));
        for end in TaskEnd::ALL.into_iter().filter(|end| *end != TaskEnd::Completed && count(*end) > 0) {
            counts.push_str(&format!(", {} {}", count(end), end.word()));
        }
        counts
    }
}

impl DoneTask {
    fn line(&self) -> String {
        let text = remarked(&self.title, self.note.as_deref());
        match self.end {
            TaskEnd::Completed => format!("  [x] {text}"),
            end @ (TaskEnd::Partial | TaskEnd::Blocked | TaskEnd::Failed | TaskEnd::Cancelled | TaskEnd::Rejected) => {
                format!("  [ ] {text} — {}", end.word())
            }
        }
    }
}

fn open(lines: &mut Lines, heading: &str, tasks: &[String], none: &str) {
    lines.blank();
    lines.line(heading);
    for task in tasks {
        lines.line(&format!("  [ ] {task}"));
    }
    if tasks.is_empty() {
        lines.line(&format!("  [ ] {none}"));
    }
}
