//! From the wire's types to the rules'. Nothing is checked here that the rules check; names of statuses and priorities in
//! filters are read, since a filter is not a command.

use augment_core::queue::{Claim, Edit, Ending, Finish, Place, TaskDraft};
use augment_core::refusal::Refusal;
use augment_core::settings::{LEASE_SECONDS, LIST_LIMIT, MAX_ATTEMPTS};
use augment_core::task::{Priority, Status};
use augment_core::turn::Command;
use augment_host::settings::Settings;
use augment_host::store::ListQuery;
use augment_protocol::queue as wire;

/// The most rows one page may have.
pub(super) const PAGE_LIMIT: u32 = 1_000;

pub(super) fn draft(add: wire::AddTask, settings: &Settings) -> TaskDraft {
    TaskDraft {
        title: add.title,
        description: add.description.unwrap_or_default(),
        priority: add.priority,
        origin: add.origin,
        goal: add.goal,
        scope: add.scope.unwrap_or_default(),
        labels: add.labels.unwrap_or_default(),
        capabilities: add.capabilities.unwrap_or_default(),
        assignee: add.assignee,
        depends_on: add.depends_on.unwrap_or_default(),
        time_limit_ms: add.time_limit_ms,
        max_attempts: add.max_attempts.unwrap_or_else(|| u32::try_from(settings.number(MAX_ATTEMPTS)).unwrap_or(1)),
    }
}

pub(super) fn edit(edit: wire::EditTask) -> Command {
    Command::EditTask {
        task: edit.task,
        shown_at: edit.revision,
        edit: Edit {
            title: edit.title,
            description: edit.description,
            priority: edit.priority,
            goal: edit.goal,
            scope: edit.scope,
            labels: edit.labels,
            capabilities: edit.capabilities,
            assignee: edit.assignee,
            depends_on: edit.depends_on,
            time_limit_ms: edit.time_limit_ms,
            max_attempts: edit.max_attempts,
        },
    }
}

pub(super) fn place(place: wire::Place) -> Place {
    match place {
        wire::Place::Top => Place::Top,
        wire::Place::Bottom => Place::Bottom,
        wire::Place::Before(task) => Place::Before(task),
        wire::Place::After(task) => Place::After(task),
    }
}

/// A claim without its token: that is made by whoever answers it.
pub(super) fn claim(
    agent: Option<String>,
    capabilities: Option<Vec<String>>,
    lease_ms: Option<i64>,
    person: &str,
    settings: &Settings,
    token_hash: [u8; 32],
) -> Claim {
    Claim {
        agent: agent.unwrap_or_else(|| person.to_owned()),
        capabilities: capabilities.unwrap_or_default().into_iter().collect(),
        lease_ms: lease_ms.unwrap_or_else(|| settings.number(LEASE_SECONDS).saturating_mul(1_000)),
        token_hash,
    }
}

pub(super) fn complete(complete: wire::CompleteTask) -> Command {
    let ending = match complete.outcome {
        None | Some(wire::CompleteOutcome::Completed) => Ending::Completed,
        Some(wire::CompleteOutcome::Partial) => Ending::Partial,
        Some(wire::CompleteOutcome::Blocked) => Ending::Blocked,
    };
    Command::FinishTask {
        task: complete.task,
        attempt: complete.attempt,
        finish: Finish { ending, result: complete.result },
    }
}

pub(super) fn fail(fail: wire::FailTask) -> Command {
    Command::FinishTask {
        task: fail.task,
        attempt: fail.attempt,
        finish: Finish { ending: Ending::Failed, result: fail.reason },
    }
}

/// The list query but for `after`, which needs a look at the store.
pub(super) fn list(list: wire::ListTasks, settings: &Settings) -> Result<ListQuery, Refusal> {
    let statuses = match list.statuses {
        None => Status::ALL.into_iter().filter(|status| !status.is_ended() || status.is_trouble()).collect(),
        Some(names) => names
            .into_iter()
            .map(|name| Status::from_name(&name).ok_or(Refusal::UnknownStatus { value: name }))
            .collect::<Result<_, _>>()?,
    };
    let priority = match list.priority {
        None => None,
        Some(name) => Some(Priority::from_name(&name).ok_or(Refusal::UnknownPriority { value: name })?),
    };
    let limit = list.limit.unwrap_or_else(|| u32::try_from(settings.number(LIST_LIMIT)).unwrap_or(PAGE_LIMIT));
    Ok(ListQuery {
        statuses,
        priority,
        label: list.label,
        goal: list.goal,
        assignee: list.assignee,
        text: list.text.map(|text| text.to_lowercase()),
        ready: list.ready.unwrap_or(false),
        limit: usize::try_from(limit.clamp(1, PAGE_LIMIT)).unwrap_or(1),
        after: None,
    })
}
