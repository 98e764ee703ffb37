//! The readable part of an archive: Markdown with the sections that people who keep such records look for. Everything in it
//! is one line of text from outside, set so that it cannot become a heading, a table's cell or a link of its own.

use std::fmt::Write as _;

use super::{ArchivedTask, Content, Delivered, StepOutcome};
use crate::session::priority_word;
use crate::time::utc;

/// How many files of a task are named; the rest are in `session.json`.
const FILES: usize = 20;

/// Text that Markdown takes for nothing but text, and that still reads well as it is.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before = None;
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let is_within_word = |near: Option<char>| near.is_some_and(char::is_alphanumeric);
        let is_marking = match c {
            '\\' | '`' | '*' | '[' | ']' | '<' | '>' | '|' | '~' => true,
            '_' => !(is_within_word(before) && is_within_word(rest.peek().copied())),
            '#' => before.is_none(),
            _ => false,
        };
        if is_marking {
            out.push('\\');
        }
        out.push(c);
        before = Some(c);
    }
    out
}

fn list(out: &mut String, heading: &str, lines: impl Iterator<Item = String>) {
    write!(out, "\n## {heading}\n\n").unwrap_or_default();
    let before = out.len();
    for line in lines {
        writeln!(out, "- {line}").unwrap_or_default();
    }
    if out.len() == before {
        out.push_str("None.\n");
    }
}

/// How a task ended, or why it did not.
fn end_word(task: &ArchivedTask) -> String {
    match task.end {
        Some(end) => end.word().to_owned(),
        None => plain(task.why.as_deref().unwrap_or("not begun")),
    }
}

impl Content {
    /// The summary as Markdown.
    #[must_use]
    pub fn summary(&self) -> String {
        let session = &self.session;
        let mut out = format!("# Session {:03}: {}\n\n", session.number, plain(&self.title));
        self.recap(&mut out);
        self.done(&mut out);
        list(
            &mut out,
            "Decisions",
            self.decisions.iter().map(|decision| {
                let mut line = plain(&decision.what);
                if !decision.alternatives.is_empty() {
                    line.push_str(&format!(" (instead of: {})", plain(&decision.alternatives.join("; "))));
                }
                if let Some(why) = &decision.why {
                    line.push_str(&format!(". Why: {}", plain(why)));
                }
                if let Some(by) = &decision.by {
                    line.push_str(&format!(". By: {}", plain(by)));
                }
                line
            }),
        );
        list(&mut out, "Challenges", self.challenges.iter().map(|line| plain(line)));
        list(&mut out, "Best practices and learnings", self.learnings.iter().map(|learning| plain(&learning.text)));
        self.solutions(&mut out);
        list(
            &mut out,
            "Artifacts",
            self.artifacts.iter().map(|artifact| {
                let place = match &artifact.delivered {
                    Delivered::Workspace => "in the workspace".to_owned(),
                    Delivered::Folder(path) => format!("copied to {}", plain(path)),
                    Delivered::Commit(id) => format!("in commit {}", plain(id)),
                };
                let received = if artifact.received { "" } else { ", not received" };
                format!("{} ({}, {place}{received})", plain(&artifact.path), artifact.check.name())
            }),
        );
        list(&mut out, "Resources", self.resources.iter().map(|line| plain(line)));
        list(
            &mut out,
            "Figures",
            self.metrics.iter().map(|figure| {
                let unit = figure.unit.map(|unit| format!(" ({unit})")).unwrap_or_default();
                format!("{}: {}{unit}", plain(&figure.name), plain(&figure.value))
            }),
        );
        self.next_tasks(&mut out);
        out
    }

    fn recap(&self, out: &mut String) {
        let session = &self.session;
        out.push_str("## Recap\n\n");
        let mut line = |name: &str, value: &str| writeln!(out, "- {name}: {value}").unwrap_or_default();
        line("Session", &format!("{:03} ({})", session.number, session.id));
        line("Project", &plain(&self.project));
        let ended = session.ended.map(|ended| utc(ended.0)).unwrap_or_default();
        let minutes = if self.minutes == 1 { "1 minute".to_owned() } else { format!("{} minutes", self.minutes) };
        line("Time", &format!("{} to {ended}, {minutes}", utc(session.started.0)));
        let agents = if session.agents.is_empty() { "by hand".to_owned() } else { session.agents.join(", ") };
        line("Agents", &plain(&super::content::text(&agents)));
        if let Some(model) = &session.model {
            line("Model", &plain(&super::content::text(model)));
        }
        if let Some(phase) = &session.phase {
            line("Phase", &plain(&super::content::text(phase)));
        }
        let (before, after) = (self.before, self.after);
        line("Progress", &format!("{}/{} before, {}/{} after", before.done, before.total, after.done, after.total));
        line("Outcome", &plain(&self.outcome));
        if let Some(reason) = &session.end_reason {
            line("Ended because", &plain(&super::content::text(reason)));
        }
        if let Some(feedback) = &self.feedback {
            let said = feedback.text.as_deref().map(|said| format!(", {}", plain(&super::content::text(said))));
            line("Feedback", &format!("{} of 5{}", feedback.rating, said.unwrap_or_default()));
        }
        line("Tags", &if self.tags.is_empty() { "none".to_owned() } else { plain(&self.tags.join(", ")) });
    }

    fn done(&self, out: &mut String) {
        list(
            out,
            "What was done",
            self.tasks.iter().map(|task| {
                let id = task.id.map(|id| format!("{id} ")).unwrap_or_default();
                let why = task.why.as_ref().filter(|_| task.end.is_some()).map(|why| format!(" ({})", plain(why)));
                let mut line = format!("{id}{}: {}{}", plain(&task.title), end_word(task), why.unwrap_or_default());
                for (path, touch) in task.files.iter().take(FILES) {
                    write!(line, "\n  - {} {}", touch.name(), plain(path)).unwrap_or_default();
                }
                if task.files.len() > FILES {
                    write!(line, "\n  - and {} more files", task.files.len() - FILES).unwrap_or_default();
                }
                line
            }),
        );
    }

    fn solutions(&self, out: &mut String) {
        out.push_str(
            "\n## Solutions\n\n| Solution | Status | Outcome | Lessons Learned |\n| --- | --- | --- | --- |\n",
        );
        for task in &self.tasks {
            let learnt: Vec<String> = self
                .learnings
                .iter()
                .filter(|learning| learning.task.is_some() && learning.task == task.id)
                .map(|learning| plain(&learning.text))
                .collect();
            let outcome =
                task.outcome.as_ref().or(task.why.as_ref()).map_or_else(|| "—".to_owned(), |line| plain(line));
            let lessons = if learnt.is_empty() { "—".to_owned() } else { learnt.join("; ") };
            let row = format!("| {} | {} | {outcome} | {lessons} |\n", plain(&task.title), end_word(task));
            out.push_str(&row);
        }
    }

    fn next_tasks(&self, out: &mut String) {
        list(
            out,
            "Next tasks",
            self.next.iter().map(|next| format!("[ ] {}: {}", priority_word(next.priority), plain(&next.title))),
        );
        let failed: Vec<&str> =
            self.steps.iter().filter(|step| step.outcome == StepOutcome::Failed).map(|step| step.name.name()).collect();
        if !failed.is_empty() {
            writeln!(out, "\nSteps of the completion that failed: {}.", failed.join(", ")).unwrap_or_default();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn text_from_outside_is_nothing_but_text() {
        for (text, expected) in [
            ("files_modified in PROJECT_PLAN.md", "files_modified in PROJECT_PLAN.md"),
            ("_so_ and __all__", r"\_so\_ and \_\_all\_\_"),
            ("# no heading, C# and #3", r"\# no heading, C# and #3"),
            ("a | b <i> [x](y) `c` *d* ~~e~~", r"a \| b \<i\> \[x\](y) \`c\` \*d\* \~\~e\~\~"),
            ("done!", "done!"),
        ] {
            assert_eq!(plain(text), expected, "{text}");
        }
    }
}
