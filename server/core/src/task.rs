//! A task: a work item of the queue, and the parts it is made of. Nothing here changes a task; the rules are in `queue`.

use std::collections::BTreeSet;
use std::fmt;

use crate::id::{RunId, TaskId};
use crate::time::{Boot, Steady, Wall};

pub const TITLE_LIMIT: usize = 200;
pub const DESCRIPTION_LIMIT: usize = 65_536;
pub const RESULT_LIMIT: usize = 65_536;
pub const NAME_LIMIT: usize = 100;
pub const GLOB_LIMIT: usize = 256;
pub const LABELS_LIMIT: usize = 32;
pub const SCOPE_LIMIT: usize = 64;
pub const CAPABILITIES_LIMIT: usize = 16;
pub const DEPENDENCIES_LIMIT: usize = 64;
pub const ATTEMPTS_LIMIT: u32 = 1_000;
pub const TIME_LIMIT_MS: std::ops::RangeInclusive<i64> = 1_000..=30 * 86_400_000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    pub id: TaskId,
    pub title: String,
    pub description: String,
    pub priority: Priority,
    pub status: Status,
    pub rank: Rank,
    pub origin: Origin,
    pub goal: Option<String>,
    pub scope: Vec<String>,
    pub labels: Vec<String>,
    pub route: Route,
    pub depends_on: Vec<TaskId>,
    /// How many of `depends_on` are not completed. A pending task is ready when this is 0.
    pub waits_for: u32,
    pub time_limit_ms: Option<i64>,
    /// The number of the last attempt, counted over the task's whole life. It fences.
    pub attempt: u32,
    /// Attempts used since the task was added or last retried.
    pub attempts_used: u32,
    pub max_attempts: u32,
    pub created: Wall,
    pub started: Option<Wall>,
    pub ended: Option<Wall>,
    /// The agent or person that has it, or had it last.
    pub holder: Option<String>,
    pub result: Option<String>,
    pub lease: Option<Lease>,
    /// The ledger sequence of the record that last changed this task.
    pub revision: u64,
}

impl Task {
    #[must_use]
    pub fn is_ready(&self) -> bool {
        self.status == Status::Pending && self.waits_for == 0
    }

    #[must_use]
    pub fn run(&self) -> RunId {
        RunId { task: self.id, attempt: self.attempt }
    }
}

/// The holder's right to the task, for as long as heartbeats renew it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lease {
    pub boot: Boot,
    pub length_ms: i64,
    pub started: Steady,
    pub due: Steady,
    pub last_heartbeat: Wall,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Priority {
    High,
    Medium,
    Low,
}

impl Priority {
    pub const ALL: [Self; 3] = [Self::High, Self::Medium, Self::Low];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::High => "high",
            Self::Medium => "medium",
            Self::Low => "low",
        }
    }

    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|p| p.name() == name)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    Pending,
    InProgress,
    Completed,
    Failed,
    Partial,
    Blocked,
    Cancelled,
}

impl Status {
    pub const ALL: [Self; 7] =
        [Self::Pending, Self::InProgress, Self::Completed, Self::Failed, Self::Partial, Self::Blocked, Self::Cancelled];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::InProgress => "in-progress",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Partial => "partial",
            Self::Blocked => "blocked",
            Self::Cancelled => "cancelled",
        }
    }

    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|s| s.name() == name)
    }

    /// Nobody works on it and nobody will without a person's word.
    #[must_use]
    pub fn is_ended(self) -> bool {
        match self {
            Self::Pending | Self::InProgress => false,
            Self::Completed | Self::Failed | Self::Partial | Self::Blocked | Self::Cancelled => true,
        }
    }

    /// Ended, and a person should look at it.
    #[must_use]
    pub fn is_trouble(self) -> bool {
        match self {
            Self::Failed | Self::Partial | Self::Blocked => true,
            Self::Pending | Self::InProgress | Self::Completed | Self::Cancelled => false,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    Typed,
    Connector,
    Discovered,
    HandOff,
}

impl Origin {
    pub const ALL: [Self; 4] = [Self::Typed, Self::Connector, Self::Discovered, Self::HandOff];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Typed => "typed",
            Self::Connector => "connector",
            Self::Discovered => "discovered",
            Self::HandOff => "hand-off",
        }
    }

    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|o| o.name() == name)
    }
}

/// Who may take a task: the one it is assigned to, if any, and those with all the capabilities it requires. Tasks with
/// equal routes are interchangeable to an agent, which is what keeps taking the next one cheap.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Route {
    pub assignee: Option<String>,
    pub capabilities: BTreeSet<String>,
}

impl Route {
    #[must_use]
    pub fn admits(&self, agent: &str, capabilities: &BTreeSet<String>) -> bool {
        self.assignee.as_deref().is_none_or(|assignee| assignee == agent) && self.capabilities.is_subset(capabilities)
    }

    /// One text for equal routes. The parts hold no line breaks.
    #[must_use]
    pub fn key(&self) -> String {
        let mut key = self.assignee.clone().unwrap_or_default();
        for capability in &self.capabilities {
            key.push('\n');
            key.push_str(capability);
        }
        key
    }

    #[must_use]
    pub fn from_key(key: &str) -> Self {
        let mut parts = key.split('\n');
        let assignee = parts.next().filter(|name| !name.is_empty()).map(str::to_owned);
        Self { assignee, capabilities: parts.map(str::to_owned).collect() }
    }
}

/// A task's place among those of its priority. New tasks get their number as `major`; what is moved between two others
/// takes the middle of their gap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rank {
    pub major: i64,
    pub minor: i64,
}

impl Rank {
    const MINORS: i64 = 1 << 62;

    #[must_use]
    pub fn of_new(id: TaskId) -> Self {
        Self { major: i64::try_from(id.number()).unwrap_or(i64::MAX), minor: 0 }
    }

    /// A rank after `before` and ahead of `after`; `None` when the gap between them is used up.
    #[must_use]
    pub fn between(before: Option<Self>, after: Option<Self>) -> Option<Self> {
        match (before, after) {
            (None, None) => Some(Self { major: 0, minor: 0 }),
            (None, Some(after)) => Some(Self { major: after.major - 1, minor: 0 }),
            (Some(before), after) => {
                let end = after.filter(|after| after.major == before.major).map_or(Self::MINORS, |after| after.minor);
                let minor = before.minor + (end - before.minor) / 2;
                (minor > before.minor).then_some(Self { major: before.major, minor })
            }
        }
    }

    /// Even minors for `count` tasks that share a `major`, in order.
    pub fn spread(major: i64, count: usize) -> impl Iterator<Item = Self> {
        let step = Self::MINORS / (i64::try_from(count).unwrap_or(i64::MAX - 1) + 1);
        (0..count).map(move |at| Self { major, minor: i64::try_from(at).unwrap_or(0) * step })
    }
}

impl fmt::Display for Priority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rank_lies_between_its_neighbours_until_the_gap_is_used_up() {
        let (mut low, high) = (Rank { major: 3, minor: 0 }, Rank { major: 4, minor: 0 });
        let mut moves = 0;
        while let Some(rank) = Rank::between(Some(low), Some(high)) {
            assert!(low < rank && rank < high);
            low = rank;
            moves += 1;
        }
        assert!(moves > 50, "{moves}");
        assert!(Rank::between(None, Some(low)).unwrap() < low);
        assert!(Rank::between(Some(high), None).unwrap() > high);
    }

    #[test]
    fn spread_ranks_are_in_order_with_gaps() {
        let ranks: Vec<Rank> = Rank::spread(7, 1000).collect();
        assert!(ranks.windows(2).all(|pair| pair[1].minor - pair[0].minor > 1 << 50));
    }

    #[test]
    fn routes_read_back_from_their_keys() {
        for route in [
            Route::default(),
            Route { assignee: Some("goose".into()), capabilities: BTreeSet::new() },
            Route { assignee: None, capabilities: ["rust".to_owned(), "gpu".to_owned()].into() },
        ] {
            assert_eq!(Route::from_key(&route.key()), route);
        }
    }
}
