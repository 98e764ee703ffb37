//! A project's plan: its phases, its tasks and how they stand. Read from tables or boxes, with or without a header, and
//! changed in the style in which it is written.

mod additions;
mod edit;
pub(in crate::document) mod fields;
mod phases;
mod read;
mod tables;

use std::collections::{BTreeMap, BTreeSet};

pub(in crate::document) use edit::like_number;
pub use edit::{NewDiscovered, PlanEdit, edit_plan};

use super::{Problem, wording};
use phases::phase_named;
use read::Reading;

/// How a task or a phase stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PlanStatus {
    Planned,
    InProgress,
    Complete,
    Blocked,
}

impl PlanStatus {
    pub const ALL: [Self; 4] = [Self::Planned, Self::InProgress, Self::Complete, Self::Blocked];

    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Planned => "Planned",
            Self::InProgress => "In Progress",
            Self::Complete => "Complete",
            Self::Blocked => "Blocked",
        }
    }

    pub(super) fn lower_word(self) -> &'static str {
        match self {
            Self::Planned => "not started",
            Self::InProgress => "in progress",
            Self::Complete => "done",
            Self::Blocked => "blocked",
        }
    }

    pub(super) fn sign(self) -> &'static str {
        match self {
            Self::Planned => "⬜",
            Self::InProgress => "🔵",
            Self::Complete => "✅",
            Self::Blocked => "❌",
        }
    }

    pub(super) fn index(self) -> usize {
        match self {
            Self::Planned => 0,
            Self::InProgress => 1,
            Self::Complete => 2,
            Self::Blocked => 3,
        }
    }
}

/// Where a plan has its tasks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    Tables,
    Boxes,
    Both,
    NoTasks,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    pub shape: Shape,
    /// The current one, as the header names it, for example `Phase 1 — Foundation`; else as it follows from the tasks.
    pub phase: Option<String>,
    pub phases: Vec<Phase>,
    pub sprint_goal: Option<String>,
    pub sprint_dates: Option<String>,
    pub last_updated: Option<String>,
    /// A model that the plan asks for in its header.
    pub model: Option<String>,
    pub tasks: Vec<PlanTask>,
    pub discovered: Vec<DiscoveredTask>,
    pub blocked: Vec<BlockedTask>,
    pub problems: Vec<Problem>,
    /// The phase that the header names.
    named: Option<usize>,
    /// What the progress line of a phase says; `None` stands for the sprint.
    said: BTreeMap<Option<usize>, (u32, u32)>,
    /// Tasks whose state is not known, by phase.
    unknown: BTreeMap<Option<usize>, u32>,
    /// The tasks that a key stands for.
    keys: BTreeMap<String, Vec<usize>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phase {
    /// `1`, `3b`, `v0.2.0`.
    pub id: String,
    pub name: String,
    pub status: Option<PlanStatus>,
    pub goal: Option<String>,
    pub line: u32,
}

/// All of one phase is done while another has open tasks; the phases by their places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Finished {
    pub phase: usize,
    pub next: usize,
    /// How many tasks of the next one are open.
    pub open: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanTask {
    pub title: String,
    pub status: PlanStatus,
    pub area: Option<String>,
    pub estimate: Option<String>,
    pub depends_on: Vec<String>,
    pub notes: Option<String>,
    /// An index into the plan's phases.
    pub phase: Option<usize>,
    pub line: u32,
    /// A model that the task asks for.
    pub model: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiscoveredTask {
    pub title: String,
    pub found_in: Option<String>,
    pub priority: Option<String>,
    /// What stands under `Added to Sprint?`.
    pub in_sprint: Option<String>,
    pub line: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockedTask {
    pub title: String,
    pub blocked_by: Option<String>,
    pub since: Option<String>,
    pub resolution: Option<String>,
    pub line: u32,
}

/// What is known of the tasks that a task waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum WaitsFor {
    Nothing,
    /// For something that the plan does not name as a task.
    Unknown,
    Tasks,
}

/// Comparisons of words that are made to understand what tasks depend on. Plans that need more are no plans.
const MAX_COMPARISONS: usize = 2_000_000;

impl Plan {
    /// Fails only where nothing can be understood; what is not understood besides is in `problems`.
    pub fn read(text: &[u8]) -> Result<Self, Problem> {
        Reading::of(text).map(|reading| reading.plan)
    }

    /// The phase that the header names; else the first one in progress; else the first with open tasks.
    #[must_use]
    pub fn current_phase(&self) -> Option<usize> {
        let in_progress = || self.phases.iter().position(|phase| phase.status == Some(PlanStatus::InProgress));
        let with_open = || {
            let open: BTreeSet<usize> = self
                .tasks
                .iter()
                .filter(|task| task.status != PlanStatus::Complete)
                .filter_map(|task| task.phase)
                .collect();
            open.first().copied()
        };
        self.named.or_else(in_progress).or_else(with_open)
    }

    /// The tasks of the current phase; all where there is none.
    #[must_use]
    pub fn current_tasks(&self) -> Vec<usize> {
        let current = self.current_phase();
        let of_it = |index: &usize| current.is_none() || self.tasks[*index].phase == current;
        (0..self.tasks.len()).filter(of_it).collect()
    }

    /// How many tasks of the current phase are done, and how many it has. Without tasks, its progress line is believed:
    /// the fraction, then the percent, never the bar.
    #[must_use]
    pub fn progress(&self) -> (u32, u32) {
        let tasks = self.current_tasks();
        if tasks.is_empty() {
            let said = self.current_phase().and_then(|phase| self.said.get(&Some(phase)));
            return said.or_else(|| self.said.get(&None)).copied().unwrap_or((0, 0));
        }
        let done = tasks.iter().filter(|index| self.tasks[**index].status == PlanStatus::Complete).count();
        (super::number(done), super::number(tasks.len()) + self.unknown_in(self.current_phase()))
    }

    /// The current phase where all of it is done, and the phase to go on with: the next one with open tasks, or the first.
    #[must_use]
    pub fn finished(&self) -> Option<Finished> {
        let phase = self.current_phase()?;
        let open_in = |phase: usize| {
            let is_open = |task: &&PlanTask| task.phase == Some(phase) && task.status != PlanStatus::Complete;
            self.tasks.iter().filter(is_open).count()
        };
        if open_in(phase) > 0 || self.unknown_in(Some(phase)) > 0 {
            return None;
        }
        let is_said = self.phases.get(phase)?.status == Some(PlanStatus::Complete);
        if !is_said && !self.tasks.iter().any(|task| task.phase == Some(phase)) {
            return None;
        }
        let others = (phase + 1..self.phases.len()).chain(0..phase);
        let (next, open) = others.map(|other| (other, open_in(other))).find(|(_, open)| *open > 0)?;
        Some(Finished { phase, next, open })
    }

    /// Tasks of a phase, or of all, whose state is not known.
    fn unknown_in(&self, phase: Option<usize>) -> u32 {
        let of_it = self.unknown.iter().filter(|(of, _)| phase.is_none() || **of == phase);
        of_it.map(|(_, count)| *count).sum()
    }

    /// What to do next in the current phase: what is in progress, then what is planned and waits for nothing, then what
    /// waits for something that the plan does not know. Never what is blocked or waits for another task.
    #[must_use]
    pub fn proposed(&self, limit: usize) -> Vec<usize> {
        let tasks = self.current_tasks();
        let with = |status: PlanStatus| tasks.iter().copied().filter(move |index| self.tasks[*index].status == status);
        let mut proposed: Vec<usize> = with(PlanStatus::InProgress).take(limit).collect();
        let mut comparisons = MAX_COMPARISONS;
        let blocked: BTreeSet<String> = self.blocked.iter().map(|task| wording::key(&task.title)).collect();
        let mut later = Vec::new();
        for index in with(PlanStatus::Planned) {
            if proposed.len() >= limit {
                break;
            }
            if blocked.contains(&wording::key(&self.tasks[index].title)) {
                continue;
            }
            match self.waits(index, &mut comparisons) {
                WaitsFor::Nothing => proposed.push(index),
                WaitsFor::Unknown => later.push(index),
                WaitsFor::Tasks => {}
            }
        }
        let room = limit.saturating_sub(proposed.len());
        proposed.extend(later.into_iter().take(room));
        proposed
    }

    /// The task with this title, without regard to case, markup and blanks. Of several, one in the phase that the header
    /// names.
    #[must_use]
    pub fn find_task(&self, title: &str) -> Option<usize> {
        let found = self.tasks_called(title);
        let named = found.iter().find(|index| self.named.is_some() && self.tasks[**index].phase == self.named);
        named.or(found.first()).copied()
    }

    fn tasks_called(&self, title: &str) -> &[usize] {
        self.keys.get(&wording::key(title)).map_or(&[], Vec::as_slice)
    }

    fn waits(&self, task: usize, comparisons: &mut usize) -> WaitsFor {
        let each = self.tasks[task].depends_on.iter().map(|name| self.waits_for(task, name, comparisons));
        each.max().unwrap_or(WaitsFor::Nothing)
    }

    /// Plans name what a task depends on loosely: a phase, all above, or some words of a title.
    fn waits_for(&self, task: usize, name: &str, comparisons: &mut usize) -> WaitsFor {
        if *comparisons == 0 {
            return WaitsFor::Unknown;
        }
        *comparisons = comparisons.saturating_sub(self.tasks.len());
        let lower = name.to_lowercase();
        if lower.starts_with("all above") || lower.starts_with("all previous") || lower == "above" {
            let phase = self.tasks[task].phase;
            return waits_until_done(self.tasks[..task].iter().filter(|other| other.phase == phase));
        }
        if let Some(phase) = phase_named(&self.phases, name) {
            let of_it = self.tasks.iter().filter(|task| task.phase == Some(phase));
            let is_said = self.phases[phase].status == Some(PlanStatus::Complete);
            return if is_said { WaitsFor::Nothing } else { waits_until_done(of_it) };
        }
        match self.find_task(name).or_else(|| self.task_with_words(task, &lower, comparisons)) {
            Some(found) => waits_until_done(std::iter::once(&self.tasks[found])),
            None => WaitsFor::Unknown,
        }
    }

    /// The first other task whose title has a word for each word of the name: `auth` stands for `authentication`.
    fn task_with_words(&self, task: usize, name: &str, comparisons: &mut usize) -> Option<usize> {
        let words = |text: &str| -> Vec<String> {
            let parts = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
            parts.map(str::to_lowercase).take(32).collect()
        };
        let wanted: Vec<String> =
            words(name).into_iter().filter(|word| !matches!(word.as_str(), "the" | "task")).collect();
        if wanted.is_empty() {
            return None;
        }
        let has_all = |index: usize, comparisons: &mut usize| {
            let title = words(&self.tasks[index].title);
            *comparisons = comparisons.saturating_sub(title.len() * wanted.len() + 1);
            wanted.iter().all(|word| title.iter().any(|other| other.starts_with(word.as_str())))
        };
        let phase = self.tasks[task].phase;
        let same_first = (0..self.tasks.len()).filter(|index| self.tasks[*index].phase == phase);
        let others = (0..self.tasks.len()).filter(|index| self.tasks[*index].phase != phase);
        let mut candidates = same_first.chain(others).filter(|index| *index != task);
        candidates.find(|index| *comparisons > 0 && has_all(*index, comparisons))
    }
}

fn waits_until_done<'a>(mut tasks: impl Iterator<Item = &'a PlanTask>) -> WaitsFor {
    if tasks.all(|task| task.status == PlanStatus::Complete) { WaitsFor::Nothing } else { WaitsFor::Tasks }
}

/// The steps that reading takes.
#[cfg(test)]
pub(super) fn steps(text: &[u8]) -> Option<u64> {
    Reading::of(text).ok().map(|reading| reading.document.steps)
}
