//! What is counted, and what follows from it.

use std::collections::BTreeMap;

use super::cost::{self, Spent};
use super::{EndedRun, Verdict};
use crate::run::{Resources, RunState, Usage};
use crate::task::Status;

/// So many of so many. Of none nothing can be said.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Rate {
    pub part: u64,
    pub of: u64,
}

/// How tasks ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TaskCounts {
    pub completed: u64,
    pub partial: u64,
    pub blocked: u64,
    pub failed: u64,
    pub cancelled: u64,
}

impl TaskCounts {
    fn count(&mut self, status: Status) {
        match status {
            Status::Completed => self.completed += 1,
            Status::Partial => self.partial += 1,
            Status::Blocked => self.blocked += 1,
            Status::Failed => self.failed += 1,
            Status::Cancelled => self.cancelled += 1,
            Status::Pending | Status::InProgress => {}
        }
    }

    #[must_use]
    pub fn ended(&self) -> u64 {
        self.completed + self.partial + self.blocked + self.failed + self.cancelled
    }

    #[must_use]
    pub fn success(&self) -> Rate {
        Rate { part: self.completed, of: self.ended() }
    }

    #[must_use]
    pub fn failure(&self) -> Rate {
        Rate { part: self.failed, of: self.ended() }
    }
}

/// How runs ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RunCounts {
    pub completed: u64,
    pub partial: u64,
    pub blocked: u64,
    pub failed: u64,
    pub cancelled: u64,
    pub timed_out: u64,
    pub disconnected: u64,
}

impl RunCounts {
    fn count(&mut self, state: RunState) -> bool {
        let counted = match state {
            RunState::Completed => &mut self.completed,
            RunState::Partial => &mut self.partial,
            RunState::Blocked => &mut self.blocked,
            RunState::Failed => &mut self.failed,
            RunState::Cancelled => &mut self.cancelled,
            RunState::TimedOut => &mut self.timed_out,
            RunState::Disconnected => &mut self.disconnected,
            RunState::Starting | RunState::Running | RunState::Waiting => return false,
        };
        *counted += 1;
        true
    }

    #[must_use]
    pub fn ended(&self) -> u64 {
        self.completed + self.partial + self.blocked + self.failed + self.cancelled + self.timed_out + self.disconnected
    }

    #[must_use]
    pub fn success(&self) -> Rate {
        Rate { part: self.completed, of: self.ended() }
    }

    /// Runs that failed, ran out of time or were lost. One that a person stopped, or that came part of the way, has not failed.
    #[must_use]
    pub fn failure(&self) -> Rate {
        Rate { part: self.failed + self.timed_out + self.disconnected, of: self.ended() }
    }
}

/// How long runs took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Times {
    pub runs: u64,
    pub median_ms: Option<i64>,
    pub p90_ms: Option<i64>,
    pub total_ms: i64,
}

impl Times {
    fn of(lengths_ms: &[i64]) -> Self {
        let mut sorted = lengths_ms.to_vec();
        sorted.sort_unstable();
        let count = sorted.len();
        let at = |place: usize| sorted.get(place).copied();
        let (low, high) = (at(count.saturating_sub(1) / 2), at(count / 2));
        // The shortest time that nine in ten did not exceed.
        let ninth = (count * 9).div_ceil(10).saturating_sub(1);
        Self {
            runs: u64::try_from(count).unwrap_or(u64::MAX),
            median_ms: low.zip(high).map(|(low, high)| low + (high - low) / 2),
            p90_ms: at(ninth),
            total_ms: sorted.iter().fold(0, |sum: i64, length| sum.saturating_add(*length)),
        }
    }
}

/// What was decided about hunks in the period, also what was taken back afterwards.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct HunkCounts {
    pub approved: u64,
    pub rejected: u64,
    /// Whose decision was taken back.
    pub undone: u64,
    /// Whose decision was made again after that.
    pub redone: u64,
}

impl HunkCounts {
    pub(super) fn count(&mut self, verdict: Verdict, hunks: u32) {
        let counted = match verdict {
            Verdict::Approved => &mut self.approved,
            Verdict::Rejected => &mut self.rejected,
            Verdict::Undone => &mut self.undone,
            Verdict::Redone => &mut self.redone,
        };
        *counted += u64::from(hunks);
    }

    #[must_use]
    pub fn decided(&self) -> u64 {
        self.approved + self.rejected
    }

    #[must_use]
    pub fn approval(&self) -> Rate {
        Rate { part: self.approved, of: self.decided() }
    }

    #[must_use]
    pub fn rejection(&self) -> Rate {
        Rate { part: self.rejected, of: self.decided() }
    }
}

/// Tokens, where agents tell them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tokens {
    /// How many runs told theirs.
    pub runs: u64,
    pub input: u64,
    pub output: u64,
}

impl Tokens {
    fn count(&mut self, usage: &Usage) {
        self.runs += 1;
        self.input = self.input.saturating_add(usage.input_tokens);
        self.output = self.output.saturating_add(usage.output_tokens);
    }
}

/// What runs used of the machine, where that was seen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Used {
    /// Of how many runs it is known.
    pub runs: u64,
    pub cpu_median_ms: Option<i64>,
    pub cpu_total_ms: i64,
    /// The most that a process of theirs held at a time.
    pub peak_memory_bytes: Option<u64>,
}

/// Everything that is counted over some runs, tasks and decisions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Figures {
    pub tasks: TaskCounts,
    pub runs: RunCounts,
    pub hunks: HunkCounts,
    pub tokens: Tokens,
    /// By currency.
    pub costs: BTreeMap<String, Spent>,
    lengths_ms: Vec<i64>,
    cpu_ms: Vec<i64>,
    peak_memory_bytes: Option<u64>,
}

impl Figures {
    pub(super) fn run(&mut self, run: &EndedRun<'_>) {
        if !self.runs.count(run.state) {
            return;
        }
        // A clock that was set back while it ran would make it shorter than nothing.
        self.lengths_ms.push(run.ended.0.saturating_sub(run.started.0).max(0));
        if let Some(usage) = run.usage {
            self.tokens.count(usage);
            if let Some(told) = &usage.cost {
                cost::add(&mut self.costs, told);
            }
        }
        if let Some(Resources { cpu_ms, peak_memory_bytes }) = run.resources {
            self.cpu_ms.push(i64::try_from(cpu_ms).unwrap_or(i64::MAX));
            self.peak_memory_bytes = self.peak_memory_bytes.max(Some(peak_memory_bytes));
        }
    }

    pub(super) fn task(&mut self, status: Status) {
        self.tasks.count(status);
    }

    #[must_use]
    pub fn times(&self) -> Times {
        Times::of(&self.lengths_ms)
    }

    #[must_use]
    pub fn used(&self) -> Used {
        let Times { runs, median_ms, total_ms, .. } = Times::of(&self.cpu_ms);
        Used { runs, cpu_median_ms: median_ms, cpu_total_ms: total_ms, peak_memory_bytes: self.peak_memory_bytes }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Work;
    use super::*;
    use crate::time::Wall;

    #[test]
    fn what_ran_out_of_time_or_was_lost_has_failed_and_what_was_stopped_has_not() {
        let mut runs = RunCounts::default();
        for (state, failed) in [
            (RunState::Completed, 0),
            (RunState::Partial, 0),
            (RunState::Blocked, 0),
            (RunState::Cancelled, 0),
            (RunState::Failed, 1),
            (RunState::TimedOut, 2),
            (RunState::Disconnected, 3),
        ] {
            assert!(runs.count(state), "{state}");
            assert_eq!(runs.failure().part, failed, "{state}");
        }
        assert!(!runs.count(RunState::Running), "one that goes on is not counted");
        assert_eq!((runs.failure().of, runs.success()), (7, Rate { part: 1, of: 7 }));
    }

    #[test]
    fn times_are_told_with_their_count() {
        for (lengths, median, p90, total) in [
            (vec![], None, None, 0),
            (vec![7], Some(7), Some(7), 7),
            (vec![10, 20], Some(15), Some(20), 30),
            (vec![30, 10, 20], Some(20), Some(30), 60),
            ((1..=10).collect(), Some(5), Some(9), 55),
            ((1..=100).rev().collect(), Some(50), Some(90), 5_050),
        ] {
            let runs = u64::try_from(lengths.len()).unwrap();
            assert_eq!(Times::of(&lengths), Times { runs, median_ms: median, p90_ms: p90, total_ms: total });
        }
    }

    #[test]
    fn what_runs_used_is_told_of_those_that_were_seen() {
        let run = |resources| EndedRun {
            work: Work::default(),
            state: RunState::Completed,
            started: Wall(0),
            ended: Wall(1),
            usage: None,
            resources,
        };
        let seen = |cpu_ms, peak_memory_bytes| Some(Resources { cpu_ms, peak_memory_bytes });
        for (runs, expected) in [
            (vec![], Used::default()),
            // Not known is not nothing.
            (vec![None], Used::default()),
            (vec![seen(0, 0)], Used { runs: 1, cpu_median_ms: Some(0), cpu_total_ms: 0, peak_memory_bytes: Some(0) }),
            (
                vec![seen(10, 700), None, seen(40, 300), seen(30, 500)],
                Used { runs: 3, cpu_median_ms: Some(30), cpu_total_ms: 80, peak_memory_bytes: Some(700) },
            ),
            (
                vec![seen(u64::MAX, u64::MAX), seen(1, 1)],
                Used {
                    runs: 2,
                    cpu_median_ms: Some(1 + (i64::MAX - 1) / 2),
                    cpu_total_ms: i64::MAX,
                    peak_memory_bytes: Some(u64::MAX),
                },
            ),
        ] {
            let mut figures = Figures::default();
            runs.iter().for_each(|resources| figures.run(&run(*resources)));
            assert_eq!(figures.used(), expected, "{runs:?}");
        }
    }
}
