//! The plain lines around the boxes. What is given becomes one visible line each: no value can add a line of its own.

use std::fmt::Write as _;

use crate::text::visible;

/// Text that is written line by line.
#[derive(Default)]
pub(super) struct Lines(String);

impl Lines {
    pub(super) fn line(&mut self, text: &str) {
        writeln!(self.0, "{}", visible(text)).expect("writing to a string cannot fail");
    }

    pub(super) fn blank(&mut self) {
        self.0.push('\n');
    }

    /// A text that was rendered already.
    pub(super) fn rendered(&mut self, text: &str) {
        self.0.push_str(text);
    }

    /// A blank line, a heading, and its points; nothing at all where there is no point.
    pub(super) fn points<'a>(&mut self, heading: &str, points: impl IntoIterator<Item = &'a String>) {
        let mut points = points.into_iter().peekable();
        if points.peek().is_some() {
            self.blank();
            self.line(heading);
        }
        for point in points {
            self.line(&format!("  • {point}"));
        }
    }

    pub(super) fn text(self) -> String {
        self.0
    }
}

/// `A, B, C`, or the word for none.
pub(super) fn listed(items: &[String], none: &str) -> String {
    if items.is_empty() { none.to_owned() } else { items.join(", ") }
}

/// `1 task`, `3 tasks`
pub(super) fn counted(count: usize, one: &str) -> String {
    format!("{count} {one}{}", if count == 1 { "" } else { "s" })
}

/// A goal as it is quoted in every report.
pub(super) fn goal(goal: Option<&str>) -> String {
    goal.map_or_else(|| "(none in the plan)".to_owned(), |goal| format!("\"{goal}\""))
}

/// A title with its estimate or another remark behind it.
pub(super) fn remarked(title: &str, remark: Option<&str>) -> String {
    remark.map_or_else(|| title.to_owned(), |remark| format!("{title} ({remark})"))
}
