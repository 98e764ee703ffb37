//! The rules of the work queue: what a command does to tasks, and when it is refused. Each rule reads a view, changes
//! nothing, and returns the effects; a refused command has none besides its record.

mod change;
mod lease;
mod order;

use std::collections::BTreeSet;

use crate::actor::Actor;
use crate::id::{TaskId, Wanted, read_wanted};
use crate::ledger::{Data, Event, Topic};
use crate::refusal::Refusal;
use crate::task::{
    ATTEMPTS_LIMIT, CAPABILITIES_LIMIT, GLOB_LIMIT, LABELS_LIMIT, NAME_LIMIT, Priority, SCOPE_LIMIT, Status,
    TIME_LIMIT_MS, Task,
};
use crate::text::{self, BadText, Lines};
use crate::turn::{Effect, Stop};
use crate::view::View;

pub(crate) use change::{add, add_numbered, cancel, edit, remove, retry};
pub use lease::{LEASE_MS, LEASES_A_TURN};
pub(crate) use lease::{
    claim, claim_for, ended, expire, finish, given_back, heartbeat, put_aside, renewed, take_next, take_next_for,
};
pub(crate) use order::move_to;

/// How many tasks a queue holds at most.
pub const QUEUE_LIMIT: u64 = 1_000_000;

/// A new task as it was asked for, unchecked.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TaskDraft {
    pub title: String,
    pub description: String,
    pub priority: Option<String>,
    pub origin: Option<String>,
    pub goal: Option<String>,
    pub scope: Vec<String>,
    pub labels: Vec<String>,
    pub capabilities: Vec<String>,
    pub assignee: Option<String>,
    pub depends_on: Vec<String>,
    pub time_limit_ms: Option<i64>,
    pub max_attempts: u32,
}

/// What is to be different in a task, unchecked. An empty text or list clears; a time limit of 0 clears.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Edit {
    pub title: Option<String>,
    pub description: Option<String>,
    pub priority: Option<String>,
    pub goal: Option<String>,
    pub scope: Option<Vec<String>>,
    pub labels: Option<Vec<String>>,
    pub capabilities: Option<Vec<String>>,
    pub assignee: Option<String>,
    pub depends_on: Option<Vec<String>>,
    pub time_limit_ms: Option<i64>,
    pub max_attempts: Option<u32>,
}

/// Where a task is to stand. Next to another task it takes on that task's priority.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    Top,
    Bottom,
    Before(String),
    After(String),
}

/// Who takes a task, and for how long without a heartbeat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    pub agent: String,
    pub capabilities: BTreeSet<String>,
    pub lease_ms: i64,
    /// The hash of the token that will speak for the run.
    pub token_hash: [u8; 32],
}

/// How work on a task ended, in the holder's words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finish {
    pub ending: Ending,
    pub result: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    Completed,
    Partial,
    Blocked,
    Failed,
}

impl Ending {
    #[must_use]
    pub fn status(self) -> Status {
        match self {
            Self::Completed => Status::Completed,
            Self::Partial => Status::Partial,
            Self::Blocked => Status::Blocked,
            Self::Failed => Status::Failed,
        }
    }
}

impl Finish {
    #[must_use]
    pub fn command_name(&self) -> &'static str {
        match self.ending {
            Ending::Completed | Ending::Partial | Ending::Blocked => "queue complete",
            Ending::Failed => "queue fail",
        }
    }
}

/// The one task that a typed id means.
pub fn resolve<V: View>(view: &V, wanted: &str) -> Result<Result<TaskId, Refusal>, V::Error> {
    const SHOWN: usize = 5;
    let unknown = || Refusal::UnknownTask { wanted: text::shortened(wanted, 60).into_owned() };
    Ok(match read_wanted(wanted) {
        Wanted::Nothing => Err(unknown()),
        Wanted::Exactly(id) => view.task(id)?.map(|task| task.id).ok_or_else(unknown),
        Wanted::OneOf(numbers) => {
            let mut matches = view.ids_within(numbers, SHOWN + 1)?;
            match matches.as_slice() {
                [] => Err(unknown()),
                [one] => Ok(*one),
                _ => {
                    let more = matches.len() > SHOWN;
                    matches.truncate(SHOWN);
                    Err(Refusal::AmbiguousTask { wanted: wanted.to_owned(), matches, more })
                }
            }
        }
    })
}

pub(crate) fn find<V: View>(view: &V, wanted: &str) -> Result<Task, Stop<V::Error>> {
    let id = look(resolve(view, wanted))??;
    let task = look(view.task(id))?;
    task.ok_or_else(|| Refusal::UnknownTask { wanted: id.to_string() }.into())
}

/// Like `find`, for what was shown to a person at a revision: a task that has changed since is refused.
fn find_shown<V: View>(view: &V, wanted: &str, shown_at: Option<u64>) -> Result<Task, Stop<V::Error>> {
    let task = find(view, wanted)?;
    match shown_at {
        Some(shown_at) if shown_at != task.revision => {
            Err(Refusal::Stale { task: task.id, shown_at, revision: task.revision }.into())
        }
        Some(_) | None => Ok(task),
    }
}

pub(crate) fn look<T, E>(answer: Result<T, E>) -> Result<T, Stop<E>> {
    answer.map_err(Stop::Failed)
}

pub(crate) fn check_text(field: &'static str, value: &str, lines: Lines, limit: usize) -> Result<(), Refusal> {
    text::check(value, lines, limit).map_err(|problem| Refusal::BadText { field, problem })
}

pub(crate) fn check_title(title: &str) -> Result<String, Refusal> {
    check_name("title", title, crate::task::TITLE_LIMIT)
}

/// A one-line text that must say something. Space around it is not part of it.
pub(crate) fn check_name(field: &'static str, value: &str, limit: usize) -> Result<String, Refusal> {
    let value = value.trim();
    if value.is_empty() {
        return Err(Refusal::BadText { field, problem: BadText::Empty });
    }
    check_text(field, value, Lines::One, limit)?;
    Ok(value.to_owned())
}

/// A one-line text that may be left out or cleared.
pub(crate) fn check_optional(
    field: &'static str,
    value: Option<&str>,
    limit: usize,
) -> Result<Option<String>, Refusal> {
    match value.map(str::trim) {
        None | Some("") => Ok(None),
        Some(value) => check_name(field, value, limit).map(Some),
    }
}

/// A list of short names: at most `limit`, none twice, in the order given.
fn check_list(
    field: &'static str,
    one: &'static str,
    values: &[String],
    limit: usize,
    length: usize,
) -> Result<Vec<String>, Refusal> {
    if values.len() > limit {
        return Err(Refusal::TooMany { field, count: values.len(), limit });
    }
    let mut list: Vec<String> = Vec::with_capacity(values.len());
    for value in values {
        let value = check_name(one, value, length)?;
        if !list.contains(&value) {
            list.push(value);
        }
    }
    Ok(list)
}

fn check_labels(values: &[String]) -> Result<Vec<String>, Refusal> {
    check_list("labels", "label", values, LABELS_LIMIT, NAME_LIMIT)
}

pub(crate) fn check_scope(values: &[String]) -> Result<Vec<String>, Refusal> {
    check_list("scope patterns", "scope pattern", values, SCOPE_LIMIT, GLOB_LIMIT)
}

fn check_capabilities(values: &[String]) -> Result<BTreeSet<String>, Refusal> {
    let list = check_list("capabilities", "capability", values, CAPABILITIES_LIMIT, NAME_LIMIT)?;
    Ok(list.into_iter().collect())
}

fn check_priority(value: &str) -> Result<Priority, Refusal> {
    Priority::from_name(value).ok_or_else(|| Refusal::UnknownPriority { value: value.to_owned() })
}

fn check_time_limit(value: Option<i64>) -> Result<Option<i64>, Refusal> {
    match value {
        Some(value) if !TIME_LIMIT_MS.contains(&value) => Err(Refusal::BadDuration {
            field: "time limit",
            value,
            low: *TIME_LIMIT_MS.start(),
            high: *TIME_LIMIT_MS.end(),
        }),
        value => Ok(value),
    }
}

fn check_attempts(value: u32) -> Result<u32, Refusal> {
    if (1..=ATTEMPTS_LIMIT).contains(&value) { Ok(value) } else { Err(Refusal::BadAttempts { value }) }
}

fn record(actor: &Actor, kind: &'static str, task: TaskId, about: Vec<Topic>, data: Data) -> Effect {
    Effect::Record(Event { actor: actor.clone(), kind, subject: Topic::Task(task), about, data })
}

/// Everything a person put into a task, so that the ledger alone can bring it back.
fn told(task: &Task) -> Data {
    Data::map([
        ("title", task.title.as_str().into()),
        ("description", task.description.as_str().into()),
        ("priority", task.priority.name().into()),
        ("status", task.status.name().into()),
        ("origin", task.origin.name().into()),
        ("goal", task.goal.clone().into()),
        ("scope", task.scope.clone().into()),
        ("labels", task.labels.clone().into()),
        ("capabilities", Vec::from_iter(task.route.capabilities.iter().cloned()).into()),
        ("assignee", task.route.assignee.clone().into()),
        ("dependsOn", task.depends_on.iter().map(ToString::to_string).collect::<Vec<_>>().into()),
        ("timeLimitMs", task.time_limit_ms.into()),
        ("maxAttempts", task.max_attempts.into()),
        ("result", task.result.clone().into()),
    ])
}
