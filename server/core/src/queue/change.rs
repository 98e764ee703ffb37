//! Adding, editing, removing, cancelling and retrying tasks: what a person does to the list itself.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::{
    Edit, QUEUE_LIMIT, TaskDraft, check_attempts, check_capabilities, check_labels, check_optional, check_priority,
    check_scope, check_text, check_time_limit, check_title, find, find_shown, look, record, told,
};
use crate::actor::Actor;
use crate::id::TaskId;
use crate::ledger::Data;
use crate::queue::order;
use crate::refusal::Refusal;
use crate::run::{self, Asked, RunState, Why};
use crate::task::{
    DEPENDENCIES_LIMIT, DESCRIPTION_LIMIT, NAME_LIMIT, Origin, Priority, RESULT_LIMIT, Rank, Route, Status,
    TITLE_LIMIT, Task,
};
use crate::text::Lines;
use crate::time::Now;
use crate::turn::{Answer, Effect, Stop, Turn};
use crate::view::View;

pub(crate) fn add<V: View>(view: &V, actor: &Actor, draft: &TaskDraft, now: &Now) -> Result<Turn, Stop<V::Error>> {
    let number = look(view.next_number())?;
    add_numbered(view, actor, draft, number, now)
}

/// Adds a task under a number that nothing has: for turns that add several.
pub(crate) fn add_numbered<V: View>(
    view: &V,
    actor: &Actor,
    draft: &TaskDraft,
    number: u64,
    now: &Now,
) -> Result<Turn, Stop<V::Error>> {
    let title = check_title(&draft.title)?;
    check_text("description", &draft.description, Lines::Many, DESCRIPTION_LIMIT)?;
    let priority = draft.priority.as_deref().map_or(Ok(Priority::Medium), check_priority)?;
    let origin = match draft.origin.as_deref() {
        None => Origin::Typed,
        Some(name) => Origin::from_name(name).ok_or_else(|| Refusal::UnknownOrigin { value: name.to_owned() })?,
    };
    let route = Route {
        assignee: check_optional("assignee", draft.assignee.as_deref(), NAME_LIMIT)?,
        capabilities: check_capabilities(&draft.capabilities)?,
    };
    let goal = check_optional("goal", draft.goal.as_deref(), TITLE_LIMIT)?;
    let scope = check_scope(&draft.scope)?;
    let labels = check_labels(&draft.labels)?;
    let time_limit_ms = check_time_limit(draft.time_limit_ms)?;
    let max_attempts = check_attempts(draft.max_attempts)?;
    let dependencies = find_dependencies(view, &draft.depends_on)?;
    if look(view.task_count())? >= QUEUE_LIMIT {
        return Err(Refusal::QueueFull { limit: QUEUE_LIMIT }.into());
    }
    let id = TaskId::new(number).ok_or(Refusal::QueueFull { limit: crate::id::MAX_TASK_NUMBER })?;
    let task = Task {
        id,
        title,
        description: draft.description.clone(),
        priority,
        status: Status::Pending,
        rank: Rank::of_new(id),
        origin,
        goal,
        scope,
        labels,
        route,
        waits_for: open_count(&dependencies),
        depends_on: dependencies.iter().map(|task| task.id).collect(),
        time_limit_ms,
        attempt: 0,
        attempts_used: 0,
        max_attempts,
        created: now.wall,
        started: None,
        ended: None,
        holder: None,
        result: None,
        lease: None,
        revision: 0,
    };
    let effects =
        vec![record(actor, "task.added", id, Vec::new(), told(&task)), Effect::PutTask(Box::new(task.clone()))];
    Ok(Turn::done(Answer::Task(Box::new(task)), effects))
}

pub(crate) fn edit<V: View>(
    view: &V,
    actor: &Actor,
    wanted: &str,
    edit: &Edit,
    shown_at: Option<u64>,
) -> Result<Turn, Stop<V::Error>> {
    let task = find_shown(view, wanted, shown_at)?;
    if task.status.is_ended() {
        let next = "Retry it first, or add a new task.";
        return Err(Refusal::WrongStatus { task: task.id, status: task.status, action: "edited", next }.into());
    }
    let reroutes = edit.capabilities.is_some() || edit.assignee.is_some() || edit.depends_on.is_some();
    if let (Status::InProgress, Some(holder), true) = (task.status, &task.holder, reroutes) {
        let holder = holder.clone();
        return Err(Refusal::Held { task: task.id, holder, attempt: task.attempt, action: "given to others" }.into());
    }
    let mut effects = Vec::new();
    let edited = edited(view, &task, edit, &mut effects)?;
    if edited == task {
        return Err(Refusal::NothingToChange { task: task.id }.into());
    }
    effects.insert(0, record(actor, "task.edited", task.id, Vec::new(), differences(&task, &edited)));
    effects.push(Effect::PutTask(Box::new(edited.clone())));
    Ok(Turn::done(Answer::Task(Box::new(edited)), effects))
}

fn edited<V: View>(view: &V, task: &Task, edit: &Edit, effects: &mut Vec<Effect>) -> Result<Task, Stop<V::Error>> {
    let mut edited = task.clone();
    if let Some(title) = &edit.title {
        edited.title = check_title(title)?;
    }
    if let Some(description) = &edit.description {
        check_text("description", description, Lines::Many, DESCRIPTION_LIMIT)?;
        edited.description.clone_from(description);
    }
    if let Some(goal) = &edit.goal {
        edited.goal = check_optional("goal", Some(goal), TITLE_LIMIT)?;
    }
    if let Some(scope) = &edit.scope {
        edited.scope = check_scope(scope)?;
    }
    if let Some(labels) = &edit.labels {
        edited.labels = check_labels(labels)?;
    }
    if let Some(capabilities) = &edit.capabilities {
        edited.route.capabilities = check_capabilities(capabilities)?;
    }
    if let Some(assignee) = &edit.assignee {
        edited.route.assignee = check_optional("assignee", Some(assignee), NAME_LIMIT)?;
    }
    if let Some(time_limit_ms) = edit.time_limit_ms {
        edited.time_limit_ms = check_time_limit((time_limit_ms != 0).then_some(time_limit_ms))?;
        // A shorter limit holds at once; a longer one gives its time with the next heartbeat.
        if let (Some(lease), Some(limit)) = (edited.lease.as_mut(), edited.time_limit_ms) {
            lease.due = lease.due.min(lease.started.plus_ms(limit));
        }
    }
    if let Some(max_attempts) = edit.max_attempts {
        edited.max_attempts = check_attempts(max_attempts)?;
    }
    if let Some(depends_on) = &edit.depends_on {
        let dependencies = find_dependencies(view, depends_on)?;
        refuse_cycle(view, task.id, &dependencies)?;
        edited.waits_for = open_count(&dependencies);
        edited.depends_on = dependencies.iter().map(|task| task.id).collect();
    }
    if let Some(priority) = &edit.priority {
        let priority = check_priority(priority)?;
        if priority != task.priority {
            edited.priority = priority;
            edited.rank = order::free_rank(view, priority, task.id, task.rank, effects)?;
        }
    }
    Ok(edited)
}

pub(crate) fn remove<V: View>(
    view: &V,
    actor: &Actor,
    wanted: &str,
    shown_at: Option<u64>,
) -> Result<Turn, Stop<V::Error>> {
    const SHOWN: usize = 5;
    let task = find_shown(view, wanted, shown_at)?;
    if let (Status::InProgress, Some(holder)) = (task.status, &task.holder) {
        let holder = holder.clone();
        return Err(Refusal::Held { task: task.id, holder, attempt: task.attempt, action: "removed" }.into());
    }
    let mut by = look(view.dependents(task.id))?;
    if !by.is_empty() {
        let more = by.len() > SHOWN;
        by.truncate(SHOWN);
        return Err(Refusal::NeededBy { task: task.id, by, more }.into());
    }
    let effects = vec![record(actor, "task.removed", task.id, Vec::new(), told(&task)), Effect::RemoveTask(task.id)];
    Ok(Turn::done(Answer::Removed(task.id), effects))
}

pub(crate) fn cancel<V: View>(
    view: &V,
    actor: &Actor,
    wanted: &str,
    reason: Option<&str>,
    shown_at: Option<u64>,
    now: &Now,
) -> Result<Turn, Stop<V::Error>> {
    let mut task = find_shown(view, wanted, shown_at)?;
    if let Some(reason) = reason {
        check_text("reason", reason, Lines::Many, RESULT_LIMIT)?;
    }
    if task.status.is_ended() {
        let next = "There is nothing to cancel.";
        return Err(Refusal::WrongStatus { task: task.id, status: task.status, action: "cancelled", next }.into());
    }
    let mut effects =
        vec![record(actor, "task.cancelled", task.id, Vec::new(), Data::map([("reason", reason.into())]))];
    if task.lease.take().is_some()
        && let Some(run) = look(view.run(task.run()))?
    {
        if run.has_process() {
            effects.extend(look(run::end_kept(view, run, Asked::Stop, now))?);
        } else {
            effects.push(Effect::PutRun(Box::new(run.closed(RunState::Cancelled, Why::TaskCancelled, now))));
        }
    }
    task.status = Status::Cancelled;
    task.ended = Some(now.wall);
    task.result = reason.map(str::to_owned);
    effects.push(Effect::PutTask(Box::new(task.clone())));
    Ok(Turn::done(Answer::Task(Box::new(task)), effects))
}

pub(crate) fn retry<V: View>(
    view: &V,
    actor: &Actor,
    wanted: &str,
    shown_at: Option<u64>,
) -> Result<Turn, Stop<V::Error>> {
    let mut task = find_shown(view, wanted, shown_at)?;
    let next = match task.status {
        Status::Failed | Status::Partial | Status::Blocked | Status::Cancelled => None,
        Status::Completed => Some("Add a new task for what is left to do."),
        Status::Pending => Some("It is waiting to be taken already."),
        Status::InProgress => Some("Wait for the attempt under way, or cancel it first."),
    };
    if let Some(next) = next {
        return Err(Refusal::WrongStatus { task: task.id, status: task.status, action: "retried", next }.into());
    }
    let was = task.status;
    task.status = Status::Pending;
    task.attempts_used = 0;
    task.ended = None;
    task.result = None;
    let effects = vec![
        record(actor, "task.retried", task.id, Vec::new(), Data::map([("was", was.name().into())])),
        Effect::PutTask(Box::new(task.clone())),
    ];
    Ok(Turn::done(Answer::Task(Box::new(task)), effects))
}

fn find_dependencies<V: View>(view: &V, wanted: &[String]) -> Result<Vec<Task>, Stop<V::Error>> {
    if wanted.len() > DEPENDENCIES_LIMIT {
        return Err(Refusal::TooMany { field: "dependencies", count: wanted.len(), limit: DEPENDENCIES_LIMIT }.into());
    }
    let mut tasks: Vec<Task> = Vec::with_capacity(wanted.len());
    for wanted in wanted {
        let task = find(view, wanted)?;
        if tasks.iter().all(|known| known.id != task.id) {
            tasks.push(task);
        }
    }
    Ok(tasks)
}

fn open_count(dependencies: &[Task]) -> u32 {
    let open = dependencies.iter().filter(|task| task.status != Status::Completed).count();
    u32::try_from(open).unwrap_or(u32::MAX)
}

/// Walks from the new dependencies along theirs; coming back to `task` is a circle, told by its path.
fn refuse_cycle<V: View>(view: &V, task: TaskId, dependencies: &[Task]) -> Result<(), Stop<V::Error>> {
    // Each task that was reached, with the one that depends on it.
    let mut reached: BTreeMap<TaskId, TaskId> = BTreeMap::new();
    let mut open: Vec<TaskId> = Vec::new();
    for dependency in dependencies {
        if reached.insert(dependency.id, task).is_none() {
            open.push(dependency.id);
        }
    }
    while let Some(id) = open.pop() {
        if id == task {
            return Err(Refusal::Cycle { path: path_back(&reached, task) }.into());
        }
        for next in look(view.task(id))?.map(|found| found.depends_on).unwrap_or_default() {
            if let Entry::Vacant(vacant) = reached.entry(next) {
                vacant.insert(id);
                open.push(next);
            }
        }
    }
    Ok(())
}

/// The circle from `task` to itself; just `task` if it depends on itself.
fn path_back(reached: &BTreeMap<TaskId, TaskId>, task: TaskId) -> Vec<TaskId> {
    let mut path = vec![task];
    let mut at = task;
    while let Some(&before) = reached.get(&at) {
        at = before;
        if at == task {
            break;
        }
        path.push(at);
    }
    if path.len() > 1 {
        path.push(task);
        path.reverse();
    }
    path
}

/// The fields that differ, each with its old and new value.
fn differences(old: &Task, new: &Task) -> Data {
    let (Data::Map(old), Data::Map(new)) = (told(old), told(new)) else {
        return Data::Null;
    };
    let changed = new.into_iter().filter_map(|(field, value)| {
        let was = old.get(field).cloned().unwrap_or(Data::Null);
        (was != value).then(|| (field, Data::map([("from", was), ("to", value)])))
    });
    Data::Map(changed.collect())
}
