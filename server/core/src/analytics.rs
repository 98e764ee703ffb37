//! Figures of what was done: how runs and tasks ended, how long it took, what was decided about the work, what it cost and
//! what it used. Every figure comes with what it was counted over, so that nothing to count is never told as nothing achieved.
//!
//! Whoever keeps the rows hands them over one by one. Nothing here reads them, and nothing here knows what time it is.

mod cost;
mod figures;
mod period;

use std::collections::{BTreeMap, HashMap};

use crate::run::{Resources, RunState, Usage};
use crate::task::Status;
use crate::time::Wall;

pub use cost::{Money, Spent};
pub use figures::{Figures, HunkCounts, Rate, RunCounts, TaskCounts, Times, Tokens, Used};
pub use period::{Bucket, Period, PeriodProblem};

/// Which work is counted; everything that is set must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    pub agent: Option<String>,
    /// A type of task: one of its labels.
    pub label: Option<String>,
}

impl Filter {
    fn takes(&self, work: &Work<'_>) -> bool {
        self.agent.as_deref().is_none_or(|agent| work.agent == Some(agent))
            && self.label.as_deref().is_none_or(|label| work.labels.iter().any(|known| known == label))
    }

    fn is_set(&self) -> bool {
        self.agent.is_some() || self.label.is_some()
    }
}

/// Whose work something is, and of which types.
#[derive(Debug, Clone, Copy, Default)]
pub struct Work<'a> {
    pub agent: Option<&'a str>,
    pub labels: &'a [String],
}

/// A run that has ended.
#[derive(Debug, Clone, Copy)]
pub struct EndedRun<'a> {
    pub work: Work<'a>,
    pub state: RunState,
    pub started: Wall,
    pub ended: Wall,
    pub usage: Option<&'a Usage>,
    pub resources: Option<Resources>,
}

/// A task that has ended, and stands so.
#[derive(Debug, Clone, Copy)]
pub struct EndedTask<'a> {
    pub work: Work<'a>,
    pub status: Status,
    pub ended: Wall,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Approved,
    Rejected,
    Undone,
    Redone,
}

/// How many hunks a decision was about, and how many of them were the work of whom. What is left over is nobody's that is known.
#[derive(Debug, Clone, Copy)]
pub struct DecidedHunks<'a> {
    pub verdict: Verdict,
    pub time: Wall,
    pub hunks: u32,
    pub shares: &'a [(Work<'a>, u32)],
}

/// The figures of a period: in all, and by agent, type of task and part of the period.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Analysis {
    pub period: Period,
    filter: Filter,
    pub total: Figures,
    /// Without a name: work of nobody that is known.
    pub by_agent: BTreeMap<Option<String>, Figures>,
    /// Without a name: tasks without a label. A task with two labels counts for both.
    pub by_type: BTreeMap<Option<String>, Figures>,
    /// By where each part begins; one in which nothing happened is left out.
    pub by_bucket: BTreeMap<Wall, Figures>,
}

impl Analysis {
    #[must_use]
    pub fn new(period: Period, filter: Filter) -> Self {
        Self {
            period,
            filter,
            total: Figures::default(),
            by_agent: BTreeMap::new(),
            by_type: BTreeMap::new(),
            by_bucket: BTreeMap::new(),
        }
    }

    pub fn run(&mut self, run: &EndedRun<'_>) {
        if self.filter.takes(&run.work) && self.period.holds(run.ended) {
            self.each(&run.work, run.ended, |figures| figures.run(run));
        }
    }

    pub fn task(&mut self, task: &EndedTask<'_>) {
        if self.filter.takes(&task.work) && self.period.holds(task.ended) {
            self.each(&task.work, task.ended, |figures| figures.task(task.status));
        }
    }

    pub fn decided(&mut self, decided: &DecidedHunks<'_>) {
        if !self.period.holds(decided.time) {
            return;
        }
        let mut known = 0_u32;
        for (work, hunks) in decided.shares {
            known = known.saturating_add(*hunks);
            if self.filter.takes(work) {
                self.each(work, decided.time, |figures| figures.hunks.count(decided.verdict, *hunks));
            }
        }
        let rest = decided.hunks.saturating_sub(known);
        if rest > 0 && !self.filter.is_set() {
            self.each(&Work::default(), decided.time, |figures| figures.hunks.count(decided.verdict, rest));
        }
    }

    /// The figures that some work belongs to, each once.
    fn each(&mut self, work: &Work<'_>, time: Wall, count: impl Fn(&mut Figures)) {
        count(&mut self.total);
        count(self.by_agent.entry(work.agent.map(str::to_owned)).or_default());
        count(self.by_bucket.entry(self.period.bucket_of(time)).or_default());
        if work.labels.is_empty() {
            count(self.by_type.entry(None).or_default());
        }
        let mut seen: Vec<&String> = Vec::with_capacity(work.labels.len());
        for label in work.labels {
            if !seen.contains(&label) {
                seen.push(label);
                count(self.by_type.entry(Some(label.clone())).or_default());
            }
        }
    }
}

/// Whose work the hunks of a decision are. A record that tells them one by one is believed; of an older one that is about a single
/// run all are that run's, and of several nobody knows.
#[must_use]
pub fn shares_of<K: std::hash::Hash + Eq + Copy>(told: &[(K, u32)], about: &[K], hunks: u32) -> HashMap<K, u32> {
    let mut shares = HashMap::new();
    let mut left = hunks;
    for (run, count) in told {
        let count = (*count).min(left);
        left -= count;
        *shares.entry(*run).or_insert(0) += count;
    }
    if let ([], [run]) = (told, about) {
        shares.insert(*run, hunks);
    }
    shares
}
