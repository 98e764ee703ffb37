//! Tasks on the wire.

use serde::{Deserialize, Serialize};

/// A task as clients see it. Times are milliseconds since 1970.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Task {
    pub id: String,
    pub title: String,
    pub description: String,
    pub priority: Priority,
    pub status: Status,
    pub origin: Origin,
    pub goal: Option<String>,
    pub scope: Vec<String>,
    pub labels: Vec<String>,
    pub capabilities: Vec<String>,
    /// The only one who may take it, if it is set.
    pub assignee: Option<String>,
    pub depends_on: Vec<String>,
    /// How many of `dependsOn` are not completed yet.
    pub waits_for: u32,
    #[cfg_attr(feature = "generate", ts(type = "number | null"))]
    pub time_limit_ms: Option<i64>,
    /// The number of the last attempt, over the task's whole life.
    pub attempt: u32,
    /// Attempts used since it was added or last retried.
    pub attempts_used: u32,
    pub max_attempts: u32,
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub created_at: i64,
    #[cfg_attr(feature = "generate", ts(type = "number | null"))]
    pub started_at: Option<i64>,
    #[cfg_attr(feature = "generate", ts(type = "number | null"))]
    pub ended_at: Option<i64>,
    /// Who has it, or had it last.
    pub holder: Option<String>,
    pub result: Option<String>,
    /// There while the task is being worked on.
    pub lease: Option<Lease>,
    /// Grows with every change of this task. A command that acts on what was shown sends it back.
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub revision: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Lease {
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub length_ms: i64,
    /// How long it still stands without a heartbeat; 0 when it is due.
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub left_ms: i64,
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub last_heartbeat_at: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Priority {
    High,
    Medium,
    Low,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    Pending,
    InProgress,
    Completed,
    Failed,
    Partial,
    Blocked,
    Cancelled,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    Typed,
    Connector,
    Discovered,
    HandOff,
}

/// A new task. Priority and origin are texts here, so that a wrong one is refused with a sentence and recorded.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AddTask {
    pub title: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// `low`, `medium` (the default) or `high`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<String>,
    /// `typed` (the default), `connector`, `discovered` or `hand-off`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goal: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub labels: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capabilities: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assignee: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depends_on: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub time_limit_ms: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_attempts: Option<u32>,
}

/// What is to be different. What is left out stays; an empty text or list clears; a time limit of 0 clears.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EditTask {
    pub task: String,
    /// The revision at which it was shown; a task that has changed since is refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub revision: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goal: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub labels: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capabilities: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assignee: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depends_on: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub time_limit_ms: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_attempts: Option<u32>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MoveTask {
    pub task: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub revision: Option<u64>,
    pub place: Place,
}

/// Where a task is to stand. Next to another task it takes on that task's priority.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Place {
    Top,
    Bottom,
    Before(String),
    After(String),
}

/// Names one task, for the commands that need nothing else.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OneTask {
    pub task: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub revision: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CancelTask {
    pub task: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub revision: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// Who wants a task. Without a name it is the person who asks.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TakeNext {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capabilities: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub lease_ms: Option<i64>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ClaimTask {
    pub task: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capabilities: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub lease_ms: Option<i64>,
}

/// A task that was taken, and the token with which its holder can speak for it and for nothing else.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Taken {
    pub task: Task,
    /// The attempt, written `b12.2`.
    pub run: String,
    pub token: String,
}

/// The answer of `next`: `taken` is null when nothing is ready for this agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Next {
    pub taken: Option<Taken>,
    /// Where nothing is taken: what is ready and not in the scope of the session under way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "generate", ts(optional))]
    pub out_of_scope: Option<OutOfScope>,
}

/// Pending tasks that nobody gets now, since a person confirmed a scope without them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct OutOfScope {
    /// The project's own count of the session.
    pub session: u32,
    pub tasks: Vec<String>,
}

/// A sign of life. A person says which attempt it is for; a run's connection says it by itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Heartbeat {
    pub task: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attempt: Option<u32>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CompleteTask {
    pub task: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attempt: Option<u32>,
    /// How it ended, `completed` where it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<CompleteOutcome>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum CompleteOutcome {
    Completed,
    Partial,
    Blocked,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FailTask {
    pub task: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attempt: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// Which tasks to list. All filters that are set must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListTasks {
    /// Without one: all but the completed and cancelled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub statuses: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goal: Option<String>,
    /// Assigned to, or held by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assignee: Option<String>,
    /// In the title or description, whatever the case.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Only what could be taken now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ready: Option<bool>,
    /// At most 1,000; the setting `queue.listLimit` where it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    /// Go on after this task: the `next` of the page before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

/// Tasks in progress first, then pending ones in the order they will be taken, then ended ones, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TaskList {
    pub tasks: Vec<Task>,
    /// Where to go on; null at the end.
    pub next: Option<String>,
    /// How many tasks there are of each status, whatever was asked for.
    pub counts: Counts,
    /// Which of these tasks are pending and not in the scope of the session under way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "generate", ts(optional))]
    pub out_of_scope: Option<OutOfScope>,
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub revision: u64,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Counts {
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub pending: u64,
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub in_progress: u64,
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub completed: u64,
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub failed: u64,
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub partial: u64,
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub blocked: u64,
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub cancelled: u64,
}

/// One task with what surrounds it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TaskDetails {
    pub task: Task,
    pub dependencies: Vec<TaskSummary>,
    /// At most 64.
    pub dependents: Vec<TaskSummary>,
    pub dependents_left_out: u32,
    /// The newest 20, newest first.
    pub runs: Vec<Run>,
    /// The newest records about it, newest first.
    pub records: Vec<crate::records::Record>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TaskSummary {
    pub id: String,
    pub title: String,
    pub status: Status,
}

/// One attempt at a task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Run {
    pub run: String,
    pub agent: String,
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub started_at: i64,
    #[cfg_attr(feature = "generate", ts(type = "number | null"))]
    pub ended_at: Option<i64>,
    /// How it ended; null while it goes on.
    pub outcome: Option<String>,
}
