//! The expected no. A refusal has a stable code for programs and a sentence for people that names the value and the
//! next step. Refused commands change nothing but the ledger.

use std::fmt;

use crate::actor::Role;
use crate::id::TaskId;
use crate::task::Status;
use crate::text::{BadText, quoted, visible};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    BadText { field: &'static str, problem: BadText },
    TooMany { field: &'static str, count: usize, limit: usize },
    UnknownPriority { value: String },
    UnknownStatus { value: String },
    UnknownOrigin { value: String },
    BadDuration { field: &'static str, value: i64, low: i64, high: i64 },
    BadAttempts { value: u32 },
    UnknownTask { wanted: String },
    AmbiguousTask { wanted: String, matches: Vec<TaskId>, more: bool },
    Cycle { path: Vec<TaskId> },
    NothingToChange { task: TaskId },
    WrongStatus { task: TaskId, status: Status, action: &'static str, next: &'static str },
    Held { task: TaskId, holder: String, attempt: u32, action: &'static str },
    AttemptNotSaid { task: TaskId, holder: String, attempt: u32 },
    LateWord { task: TaskId, said: u32, attempt: u32, status: Status },
    NotReady { task: TaskId, waits_for: Vec<TaskId> },
    NotForAgent { task: TaskId, agent: String, assignee: Option<String>, missing: Vec<String> },
    NeededBy { task: TaskId, by: Vec<TaskId>, more: bool },
    NotBesideItself { task: TaskId },
    Stale { task: TaskId, shown_at: u64, revision: u64 },
    QueueFull { limit: u64 },
    RoleMayNot { role: Role, action: &'static str },
    NotItsTask { own: TaskId, task: TaskId },
    UnknownSetting { key: String, nearest: Option<&'static str> },
    BadSetting { key: &'static str, value: String, wanted: String },
}

impl Refusal {
    /// Stable: programs may match on it.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::BadText { problem, .. } => match problem {
                BadText::Empty => "empty-text",
                BadText::TooLong { .. } => "text-too-long",
                BadText::Unseen { .. } => "control-character",
            },
            Self::TooMany { .. } => "too-many",
            Self::UnknownPriority { .. } => "unknown-priority",
            Self::UnknownStatus { .. } => "unknown-status",
            Self::UnknownOrigin { .. } => "unknown-origin",
            Self::BadDuration { .. } => "bad-duration",
            Self::BadAttempts { .. } => "bad-attempts",
            Self::UnknownTask { .. } => "unknown-task",
            Self::AmbiguousTask { .. } => "ambiguous-task",
            Self::Cycle { .. } => "dependency-cycle",
            Self::NothingToChange { .. } => "nothing-to-change",
            Self::WrongStatus { .. } => "wrong-status",
            Self::Held { .. } => "held",
            Self::AttemptNotSaid { .. } => "attempt-not-said",
            Self::LateWord { .. } => "late-word",
            Self::NotReady { .. } => "not-ready",
            Self::NotForAgent { .. } => "not-for-agent",
            Self::NeededBy { .. } => "needed",
            Self::NotBesideItself { .. } => "beside-itself",
            Self::Stale { .. } => "stale",
            Self::QueueFull { .. } => "queue-full",
            Self::RoleMayNot { .. } => "role-may-not",
            Self::NotItsTask { .. } => "not-its-task",
            Self::UnknownSetting { .. } => "unknown-setting",
            Self::BadSetting { .. } => "bad-setting",
        }
    }

    /// The task that the refusal is about, where there is one.
    #[must_use]
    pub fn task(&self) -> Option<TaskId> {
        match self {
            Self::NothingToChange { task }
            | Self::WrongStatus { task, .. }
            | Self::Held { task, .. }
            | Self::AttemptNotSaid { task, .. }
            | Self::LateWord { task, .. }
            | Self::NotReady { task, .. }
            | Self::NotForAgent { task, .. }
            | Self::NeededBy { task, .. }
            | Self::NotBesideItself { task }
            | Self::Stale { task, .. }
            | Self::NotItsTask { task, .. } => Some(*task),
            Self::Cycle { path } => path.first().copied(),
            Self::BadText { .. }
            | Self::TooMany { .. }
            | Self::UnknownPriority { .. }
            | Self::UnknownStatus { .. }
            | Self::UnknownOrigin { .. }
            | Self::BadDuration { .. }
            | Self::BadAttempts { .. }
            | Self::UnknownTask { .. }
            | Self::AmbiguousTask { .. }
            | Self::QueueFull { .. }
            | Self::RoleMayNot { .. }
            | Self::UnknownSetting { .. }
            | Self::BadSetting { .. } => None,
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadText { field, problem } => match problem {
                BadText::Empty if *field == "title" => {
                    write!(f, "The title is empty. Say in a few words what is wanted.")
                }
                BadText::Empty => write!(f, "The {field} is empty. Name one, or leave it out."),
                BadText::TooLong { length, limit } => write!(
                    f,
                    "The {field} is {length} characters long; the limit is {limit}. Shorten it{}.",
                    if *field == "title" { " and put the rest into the description" } else { "" }
                ),
                BadText::Unseen { character, position } => write!(
                    f,
                    "The {field} has a control character (U+{:04X}) at position {position}. Remove it.",
                    u32::from(*character)
                ),
            },
            Self::TooMany { field, count, limit } => {
                write!(f, "There are {count} {field}; the limit is {limit}. Leave some out.")
            }
            Self::UnknownPriority { value } => {
                write!(f, "{} is not a priority. Use low, medium or high.", quoted(value))
            }
            Self::UnknownStatus { value } => {
                write!(f, "{} is not a status. Use {}.", quoted(value), names(Status::ALL.map(Status::name)))
            }
            Self::UnknownOrigin { value } => {
                write!(f, "{} is not an origin. Use typed, connector, discovered or hand-off.", quoted(value))
            }
            Self::BadDuration { field, value, low, high } => write!(
                f,
                "A {field} of {} is out of range. Use {} to {}.",
                crate::time::show_duration_ms(*value),
                crate::time::show_duration_ms(*low),
                crate::time::show_duration_ms(*high)
            ),
            Self::BadAttempts { value } => {
                write!(f, "{value} attempts are out of range. Use 1 to {}.", crate::task::ATTEMPTS_LIMIT)
            }
            Self::UnknownTask { wanted } => {
                write!(f, "There is no task {}. `augment-cli queue list --all` shows them all.", quoted(wanted))
            }
            Self::AmbiguousTask { wanted, matches, more } => write!(
                f,
                "{} could be {}{}. Type more of the id.",
                quoted(wanted),
                ids(matches),
                if *more { " or others" } else { "" }
            ),
            Self::Cycle { path } => match path.as_slice() {
                [task] => write!(f, "{task} cannot depend on itself. Name another task."),
                path => {
                    write!(f, "That would make a circle of dependencies: {}. Leave one of them out.", shown_path(path))
                }
            },
            Self::NothingToChange { task } => {
                write!(f, "Nothing to change in {task}. Say what is to be different, for example --title.")
            }
            Self::WrongStatus { task, status, action, next } => {
                write!(f, "{task} is {status}, so it cannot be {action}. {next}")
            }
            Self::Held { task, holder, attempt, action } => write!(
                f,
                "{task} is being worked on by {} (attempt {attempt}), so it cannot be {action}. Wait for it, or `augment-cli queue cancel {task}` first.",
                visible(holder)
            ),
            Self::AttemptNotSaid { task, holder, attempt } => write!(
                f,
                "{task} is held by {}. Say --attempt {attempt} to speak for that attempt, or `augment-cli queue cancel {task}` to end it.",
                visible(holder)
            ),
            Self::LateWord { task, said, attempt, status } => {
                if said == attempt {
                    write!(
                        f,
                        "Attempt {said} at {task} has ended: the task is {status} now. This word came too late and changed nothing."
                    )
                } else {
                    write!(
                        f,
                        "Attempt {said} at {task} is not the current one: the task is {status}, at attempt {attempt}. This word changed nothing."
                    )
                }
            }
            Self::NotReady { task, waits_for } => {
                write!(
                    f,
                    "{task} waits for {}. Complete that first, or take it out with `augment-cli queue edit {task} --depends-on`.",
                    ids(waits_for)
                )
            }
            Self::NotForAgent { task, agent, assignee, missing } => {
                write!(f, "{} cannot take {task}: ", visible(agent))?;
                match (assignee, missing.as_slice()) {
                    (Some(assignee), _) => {
                        write!(
                            f,
                            "it is assigned to {}. Change that with `augment-cli queue edit {task} --assignee`.",
                            visible(assignee)
                        )
                    }
                    (None, missing) => {
                        write!(
                            f,
                            "it requires the capability {}. Name what the agent can do with --capability.",
                            visible(&missing.join(", "))
                        )
                    }
                }
            }
            Self::NeededBy { task, by, more } => write!(
                f,
                "{task} is needed by {}{}. Remove those first, or edit what they depend on.",
                ids(by),
                if *more { " and others" } else { "" }
            ),
            Self::NotBesideItself { task } => write!(f, "{task} cannot be moved next to itself. Name another task."),
            Self::Stale { task, shown_at, revision } => {
                write!(
                    f,
                    "{task} has changed since it was shown (revision {shown_at}, now {revision}). Look at it again, then repeat."
                )
            }
            Self::QueueFull { limit } => {
                write!(
                    f,
                    "The queue holds {limit} tasks, which is its limit. Remove ended ones with `augment-cli queue remove`."
                )
            }
            Self::RoleMayNot { role, action } => {
                write!(f, "A {} may not do `{action}`. A person decides that.", role.name())
            }
            Self::NotItsTask { own, task } => {
                write!(f, "This run works on {own} and cannot speak for {task}. Name {own}.")
            }
            Self::UnknownSetting { key, nearest } => {
                write!(f, "There is no setting {}.", quoted(key))?;
                match nearest {
                    Some(nearest) => write!(f, " Did you mean {nearest}?"),
                    None => write!(f, " `augment-cli config list` shows them all."),
                }
            }
            Self::BadSetting { key, value, wanted } => write!(f, "{} does not fit {key}. Use {wanted}.", quoted(value)),
        }
    }
}

/// A path as arrows; of a long one its beginning and its end.
fn shown_path(path: &[TaskId]) -> String {
    const BEGIN: usize = 5;
    const END: usize = 3;
    let mut steps: Vec<String> = path.iter().take(BEGIN).map(ToString::to_string).collect();
    if path.len() > BEGIN + END {
        steps.push(format!("… {} more …", path.len() - BEGIN - END));
    }
    steps.extend(path.iter().skip(BEGIN.max(path.len().saturating_sub(END))).map(ToString::to_string));
    steps.join(" → ")
}

fn ids(ids: &[TaskId]) -> String {
    let texts: Vec<String> = ids.iter().map(ToString::to_string).collect();
    texts.join(", ")
}

fn names<const N: usize>(names: [&str; N]) -> String {
    names.join(", ")
}
