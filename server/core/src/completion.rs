//! Completion reports: what an agent says about its work when it ends, waits or cannot go on, as the XML element
//! `<agent_completion>` in its output. This module finds reports in free text, reads them and writes them.
//!
//! A report is a claim. Nothing here believes it, nothing here acts on it, and whatever the text is, reading it ends: in
//! time that grows with its length, without recursion, and with bounds on all that is kept. A report that cannot be read
//! is told with its line and column, since whoever wrote it has to mend it there.

mod code;
mod find;
mod metric;
mod problem;
mod read;
mod write;
mod xml;

use std::borrow::Cow;
use std::fmt;

pub use find::{Found, MAX_FOUND, MAX_TEXT_BYTES, Unknown, What, examine, find, report_in};
pub use metric::{KnownMetric, Metric, Unit};
pub use problem::{BadReport, Problem};
pub use read::{Left, MAX_FIELD_BYTES, MAX_UNKNOWN};
pub use write::write;
pub use xml::{MAX_ATTRIBUTES, MAX_DEPTH, MAX_ELEMENTS, MAX_REPORT_BYTES};

use crate::scan::without_credentials;

/// How an agent says that its work stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    Completed,
    /// It waits for an approval or an answer.
    Partial,
    /// It cannot go on: a decision or something it needs is missing.
    Blocked,
}

impl Status {
    pub const ALL: [Self; 3] = [Self::Completed, Self::Partial, Self::Blocked];

    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::Partial => "partial",
            Self::Blocked => "blocked",
        }
    }

    /// Capitals do not matter: agents write `COMPLETED` as well.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.word().eq_ignore_ascii_case(word))
    }
}

/// The name of an agent: one line, never empty, shown with one `@` before it whether or not it was given with any.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AgentName(String);

impl AgentName {
    /// `None` where nothing is left without the `@` and the white space.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let bare = text.trim_start_matches(|c: char| c == '@' || c.is_whitespace());
        let words: Vec<&str> = bare.split_whitespace().collect();
        (!words.is_empty()).then(|| Self(words.join(" ")))
    }

    /// The name without the `@`.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for AgentName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "@{}", self.0)
    }
}

/// What an agent reports. All text is as the agent gave it, without the white space around it; it may hold characters
/// that steer a screen, so it is shown through `text::visible`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    pub status: Status,
    pub agent: Option<AgentName>,
    /// As given: agents write many forms, and some write wrong ones.
    pub timestamp: Option<String>,
    /// May have several lines, and may be empty.
    pub summary: String,
    pub metrics: Vec<Metric>,
    pub next_steps: Vec<NextStep>,
    pub decisions: Vec<DecisionPoint>,
}

impl Report {
    /// What is kept and shown of a report: a credential that its writer put into it is named instead.
    #[must_use]
    pub fn without_credentials(self) -> Self {
        let kept = |text: String| match without_credentials(&text) {
            Cow::Borrowed(_) => text,
            Cow::Owned(masked) => masked,
        };
        let choice = |choice: Choice| Choice { value: kept(choice.value), text: kept(choice.text) };
        let metric = |metric: Metric| Metric { name: kept(metric.name), value: kept(metric.value) };
        let step = |step: NextStep| NextStep { agent: AgentName(kept(step.agent.0)), reason: step.reason.map(kept) };
        let decision = |point: DecisionPoint| DecisionPoint {
            question: kept(point.question),
            options: point.options.into_iter().map(choice).collect(),
            recommendation: point.recommendation.map(kept),
        };
        Self {
            status: self.status,
            agent: self.agent.map(|name| AgentName(kept(name.0))),
            timestamp: self.timestamp.map(kept),
            summary: kept(self.summary),
            metrics: self.metrics.into_iter().map(metric).collect(),
            next_steps: self.next_steps.into_iter().map(step).collect(),
            decisions: self.decisions.into_iter().map(decision).collect(),
        }
    }
}

/// An agent that should work next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NextStep {
    pub agent: AgentName,
    pub reason: Option<String>,
}

/// Something that a person has to decide.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecisionPoint {
    pub question: String,
    pub options: Vec<Choice>,
    pub recommendation: Option<String>,
}

/// One way to answer. Where an agent gives only one of the two, it stands for both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    pub value: String,
    pub text: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agent_has_one_at_sign_however_it_was_given() {
        for (given, shown) in [
            ("quality-reviewer", Some("@quality-reviewer")),
            ("@quality-reviewer", Some("@quality-reviewer")),
            (" @@ x\n y ", Some("@x y")),
            ("a@b", Some("@a@b")),
            ("@", None),
            (" \n", None),
        ] {
            assert_eq!(AgentName::new(given).map(|name| name.to_string()).as_deref(), shown, "{given}");
        }
    }
}
