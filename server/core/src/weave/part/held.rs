//! Which lines of a file a commit has: noted when it is made, since its text does not tell lines apart that repeat.

use std::ops::Range;

use crate::weave::LineId;

/// In their order, as runs of numbers that follow each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldLines(Vec<Range<u64>>);

/// More runs than these are not noted.
const RUNS: usize = 2_000;

impl HeldLines {
    /// `None` where they are too scattered to be noted.
    pub(super) fn new(ids: &[LineId]) -> Option<Self> {
        let mut runs: Vec<Range<u64>> = Vec::new();
        for LineId(id) in ids {
            match runs.last_mut().filter(|run| run.end == *id) {
                Some(run) => run.end += 1,
                None => runs.push(*id..id.checked_add(1)?),
            }
        }
        (runs.len() <= RUNS).then_some(Self(runs))
    }

    #[must_use]
    pub fn runs(&self) -> &[Range<u64>] {
        &self.0
    }

    #[must_use]
    pub fn of_runs(runs: Vec<Range<u64>>) -> Self {
        Self(runs)
    }

    pub(super) fn ids(&self) -> impl Iterator<Item = LineId> {
        self.0.iter().cloned().flatten().map(LineId)
    }
}
