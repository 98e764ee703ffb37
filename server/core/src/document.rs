//! The documents by which a project is steered: its plan and its changelog, as people and agents write them. This module
//! reads them and changes them in place.
//!
//! A document is bytes that belong to somebody. It is read into places in those bytes and changed only at such places, so
//! everything else stays as it was: line breaks, blanks, marks, bytes that are no text. What is not understood is left
//! alone and named with its line. Comments and fenced code are never data. Reading and changing take time in proportion
//! to the document, whatever stands in it, and all that is kept of it is bounded.

pub mod changelog;
mod markdown;
pub mod plan;
mod progress;
mod status;
mod wording;

use std::fmt;
use std::ops::Range;

pub use changelog::{Changelog, Entry, NewEntry, add_entry};
pub use plan::{
    BlockedTask, DiscoveredTask, Finished, NewDiscovered, Phase, Plan, PlanEdit, PlanStatus, PlanTask, Shape, edit_plan,
};
pub use wording::MAX_WRITTEN_CHARACTERS;

/// A longer document is refused.
pub const DOCUMENT_LIMIT: usize = 4 * 1024 * 1024;
/// More is not told: whoever sees a hundred will look at the file.
const MAX_PROBLEMS: usize = 100;

/// Something in a document that is not understood, or is left alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Counted from 1.
    pub line: u32,
    pub why: String,
}

impl Problem {
    fn new(line: usize, why: impl Into<String>) -> Self {
        Self { line: number(line), why: why.into() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.why)
    }
}

/// A document after a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edited {
    pub text: Vec<u8>,
    /// For people: `Build Lifesum connector: complete`.
    pub changes: Vec<String>,
    pub left_alone: Vec<Problem>,
    /// What was replaced in the old text, and by what in the new one, in order. All else is the same.
    pub spans: Vec<(Range<usize>, Range<usize>)>,
}

/// Replacements in a text, made all at once.
#[derive(Debug, Default)]
struct Splices {
    made: Vec<(Range<usize>, Vec<u8>)>,
}

impl Splices {
    /// Nothing is noted where the text already says so.
    fn replace(&mut self, text: &[u8], span: Range<usize>, with: &str) {
        if text[span.clone()] != *with.as_bytes() {
            self.made.push((span, with.as_bytes().to_vec()));
        }
    }

    fn insert(&mut self, at: usize, what: &str) {
        self.made.push((at..at, what.as_bytes().to_vec()));
    }

    fn apply(mut self, text: &[u8], changes: Vec<String>, left_alone: Vec<Problem>) -> Edited {
        // The sort is stable: what is inserted at one place keeps its order.
        self.made.sort_by_key(|(span, _)| (span.start, span.end));
        let mut out = Vec::with_capacity(text.len() + self.made.iter().map(|(_, with)| with.len()).sum::<usize>());
        let mut spans = Vec::with_capacity(self.made.len());
        let mut at = 0;
        for (span, with) in self.made {
            if span.start < at {
                continue;
            }
            out.extend_from_slice(&text[at..span.start]);
            let start = out.len();
            out.extend_from_slice(&with);
            at = span.end;
            spans.push((span, start..out.len()));
        }
        out.extend_from_slice(&text[at..]);
        Edited { text: out, changes, left_alone, spans }
    }
}

/// A line number or a count as it is told. Documents are far too short for more.
fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::markdown::Document;

    /// Steps for one byte, and for a text that is twice as long: what adversaries write costs no more than its length.
    #[test]
    fn reading_takes_steps_in_proportion_to_the_text() {
        let units = [
            "|",
            "<!--",
            "<!-- ",
            "a <!-- `",
            "#",
            "# ",
            "`",
            "```\n",
            "~~~\n",
            "-->",
            "- [ ] ",
            "- [ ] a\n",
            "| a | b |\n",
            "\n",
            "[",
            "](",
            "[a](",
            "*",
            "\\",
            "|-",
            "|---|\n",
            "Session ",
            "Session 1 ",
            "2026-01-01",
            "1/",
            "1/2",
            "█",
            "**a:** ",
            "> ",
            "a <!--\n",
            "## Phase 1: a\n",
            "## Session 1\n",
            "| Task | Status |\n|---|---|\n| a | done |\n",
            "`a``b```",
            "<!---->",
            " ",
        ];
        for unit in units {
            let steps = |bytes: usize| {
                let text = unit.repeat(bytes / unit.len());
                let read = Document::new(text.as_bytes()).expect("it is text").steps;
                let plan = super::plan::steps(text.as_bytes()).unwrap_or(read);
                let log = super::changelog::steps(text.as_bytes()).unwrap_or(read);
                plan.max(log)
            };
            let (half, whole) = (steps(50_000), steps(100_000));
            assert!(whole <= 1_000_000, "{unit:?}: {whole} steps");
            assert!(whole <= half * 2 + half / 4 + 1_000, "{unit:?}: {half} steps, then {whole}");
        }
    }

    /// Documents that leave room for little more than an entry, of the worst kinds.
    #[test]
    fn the_longest_documents_are_read_and_changed() {
        for unit in ["|", "<!--", "#", "`", "[", "- [ ] a\n", "| a | b |\n|-|-|\n"] {
            let text = unit.repeat((super::DOCUMENT_LIMIT - 4096) / unit.len());
            let edit = super::PlanEdit { complete: vec!["a".into()], today: "2026-01-01".into(), ..Default::default() };
            let changed = super::edit_plan(text.as_bytes(), &edit);
            assert!(changed.is_err() || changed.is_ok_and(|edited| edited.text == text.as_bytes()), "{unit:?}");
            let entry = super::NewEntry { session: 1, ..Default::default() };
            super::add_entry(text.as_bytes(), &entry)
                .map_or_else(|problem| assert!(problem.line > 0), |edited| assert!(edited.text.len() > text.len()));
        }
    }
}
