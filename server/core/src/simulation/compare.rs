//! The full comparison of what a backend keeps with what the model keeps, and the rules that hold for any queue,
//! checked on the backend's own tasks. Each check says the first thing that is wrong.

use std::collections::BTreeMap;

use super::model::{Held, Item, Learnt, Model, Words, id_text};
use crate::id::TaskId;
use crate::task::{Status, Task};

/// Compares everything; says how many tasks a reorder was seen to have given a new place.
pub(super) fn everything(model: &mut Model, mut tasks: Vec<Task>) -> Result<u64, String> {
    tasks.sort_by_key(|task| task.id);
    invariants(&tasks)?;
    let (found, known): (Vec<u64>, Vec<u64>) =
        (tasks.iter().map(|task| task.id.number()).collect(), model.items().iter().map(|item| item.number).collect());
    same("the tasks", &found, &known)?;
    let mut respread = 0;
    for task in &tasks {
        respread += u64::from(one(model, task)? == Learnt::Respread);
    }
    for (priority, lane) in model.lanes() {
        same(&format!("the order of {priority}"), &order(&tasks, priority), lane)?;
    }
    Ok(respread)
}

/// Compares one task with the model's item; says what the model had to be told.
pub(super) fn one(model: &mut Model, task: &Task) -> Result<Learnt, String> {
    let number = task.id.number();
    let item = model.item(number).ok_or_else(|| format!("{} is not in the model", task.id))?;
    let waits_for = model.open_dependencies(item).count();
    let (id, revision) = (task.id, item.revision);
    same_task(task, item, waits_for).map_err(|difference| format!("{id}: {difference}"))?;
    model
        .learns_revision(number, task.revision)
        .ok_or_else(|| format!("{id}: revision is {}, the model says {revision}", task.revision))
}

/// The numbers of the tasks of a priority, first to last.
pub(super) fn order(tasks: &[Task], priority: &str) -> Vec<u64> {
    let mut lane: Vec<&Task> = tasks.iter().filter(|task| task.priority.name() == priority).collect();
    lane.sort_by_key(|task| (task.rank, task.id));
    lane.into_iter().map(|task| task.id.number()).collect()
}

fn same_task(task: &Task, item: &Item, waits_for: usize) -> Result<(), String> {
    same("title", &task.title, &item.title)?;
    same("description", &task.description, &item.description)?;
    same("priority", task.priority.name(), item.priority.as_str())?;
    same("status", task.status.name(), item.status)?;
    same("goal", &task.goal, &item.goal)?;
    same("scope", &task.scope, &item.scope)?;
    same("labels", &task.labels, &item.labels)?;
    same("assignee", &task.route.assignee, &item.assignee)?;
    same("capabilities", &Vec::from_iter(task.route.capabilities.iter().cloned()), &item.needs)?;
    same("dependencies", &task.depends_on.iter().map(|id| id.number()).collect(), &item.depends_on)?;
    same("waits for", &usize::try_from(task.waits_for).unwrap_or(usize::MAX), &waits_for)?;
    same("time limit", &task.time_limit_ms, &item.limit_ms)?;
    same("attempt", &task.attempt, &item.attempt)?;
    same("attempts used", &task.attempts_used, &item.attempts_used)?;
    same("max attempts", &task.max_attempts, &item.max_attempts)?;
    same("created", &task.created.0, &item.created)?;
    same("started", &task.started.map(|wall| wall.0), &item.started)?;
    same("ended", &task.ended.map(|wall| wall.0), &item.ended)?;
    same("holder", &task.holder, &item.holder)?;
    match &item.result {
        Words::Said(said) => same("result", &task.result, said)?,
        Words::ByHost if task.result.is_some() => {}
        Words::ByHost => return Err("it failed without a word about why".to_owned()),
    }
    let lease = task.lease.as_ref().map(|lease| Held {
        boot: lease.boot.0.clone(),
        length_ms: lease.length_ms,
        began: lease.started.0,
        due: lease.due.0,
    });
    same("lease", &lease, &item.lease)
}

fn same<T: PartialEq + std::fmt::Debug + ?Sized>(what: &str, found: &T, expected: &T) -> Result<(), String> {
    if found == expected { Ok(()) } else { Err(format!("{what} is {found:?}, the model says {expected:?}")) }
}

/// What holds for every queue, whatever was done to it.
fn invariants(tasks: &[Task]) -> Result<(), String> {
    let by_id: BTreeMap<TaskId, &Task> = tasks.iter().map(|task| (task.id, task)).collect();
    let mut places: Vec<_> = tasks.iter().map(|task| (task.priority, task.rank)).collect();
    places.sort();
    if let Some(twice) = places.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(format!("two tasks share the place {:?}", twice[0]));
    }
    for task in tasks {
        let in_progress = task.status == Status::InProgress;
        if in_progress != task.lease.is_some() {
            return Err(format!("{} is {} and its lease is {:?}", task.id, task.status, task.lease));
        }
        if in_progress && task.holder.is_none() {
            return Err(format!("{} is in progress and nobody holds it", task.id));
        }
        if task.attempts_used > task.attempt {
            return Err(format!("{} used {} of {} attempts", task.id, task.attempts_used, task.attempt));
        }
        let mut open = 0;
        for dependency in &task.depends_on {
            match by_id.get(dependency) {
                Some(dependency) if dependency.status == Status::Completed => {}
                Some(_) => open += 1,
                None => return Err(format!("{} depends on {dependency}, which does not exist", task.id)),
            }
        }
        if task.waits_for != open {
            return Err(format!("{} waits for {}, but {open} of its dependencies are open", task.id, task.waits_for));
        }
    }
    no_circle(tasks)
}

/// Takes out tasks all of whose dependencies are out, until none is left; a circle would stay.
fn no_circle(tasks: &[Task]) -> Result<(), String> {
    let mut missing: BTreeMap<TaskId, usize> = tasks.iter().map(|task| (task.id, task.depends_on.len())).collect();
    let mut dependents: BTreeMap<TaskId, Vec<TaskId>> = BTreeMap::new();
    for task in tasks {
        for &dependency in &task.depends_on {
            dependents.entry(dependency).or_default().push(task.id);
        }
    }
    let mut free: Vec<TaskId> = missing.iter().filter(|(_, count)| **count == 0).map(|(id, _)| *id).collect();
    while let Some(id) = free.pop() {
        missing.remove(&id);
        for dependent in dependents.get(&id).into_iter().flatten() {
            if let Some(count) = missing.get_mut(dependent) {
                *count -= 1;
                if *count == 0 {
                    free.push(*dependent);
                }
            }
        }
    }
    match missing.keys().next() {
        None => Ok(()),
        Some(id) => Err(format!("{} is in, or waits for, a circle of dependencies", id_text(id.number()))),
    }
}
