//! What is told, and to be kept: after every task, at a checkpoint, when the sprint's goal is reached. "Just continue" does
//! not suppress any of it; there is nothing to suppress it with.

use super::data::Tell;
use super::flag::is_taken_out;
use super::standing::{review_words, waiting_words};
use super::taken_back::{TakenBack, by, taken_back};
use super::{Governance, Item, Level, Session, Told, Touch};
use crate::actor::Actor;
use crate::attribution::Author;
use crate::completion;
use crate::file::FilePath;
use crate::id::{RunId, TaskId};
use crate::ledger::{Data, Event, Topic};
use crate::report::{Checkpoint, DoneTask, GoalImpact, Next, Progress, SprintReview, TaskEnd, TaskReport};
use crate::scan::masked;
use crate::task::{Status, Task};
use crate::text::{shortened, visible};
use crate::time::Wall;
use crate::turn::Effect;
use crate::view::View;
use crate::weave::Decided;

/// How many files and figures a report names; the rest are counted.
const NAMED: usize = 20;
const FIGURES: usize = 5;
const REMAINING: usize = 10;
const SO_FAR: usize = 20;
/// How many files stand behind a task in a list.
const NOTED: usize = 3;
/// How many files of a task are looked through for those that a report names.
const LOOKED_THROUGH: usize = 1_000;

/// What is told, with the record that it was.
pub(super) fn told(
    session: &Session,
    level: Level,
    task: Option<TaskId>,
    time: Wall,
    report: &impl Tell,
) -> [Effect; 2] {
    let data = Data::map([("level", level.name().into()), ("task", task.map(|task| task.to_string()).into())]);
    let told = Told { session: session.id, level, task, time, text: report.text(), data: report.data() };
    let reported = Event {
        actor: Actor::Host,
        kind: "session.reported",
        subject: Topic::Session(session.id),
        about: task.map(Topic::Task).into_iter().collect(),
        data,
    };
    [Effect::Record(reported), Effect::TellSession(Box::new(told))]
}

pub(super) fn end_of(status: Status) -> Option<TaskEnd> {
    match status {
        Status::Completed => Some(TaskEnd::Completed),
        Status::Partial => Some(TaskEnd::Partial),
        Status::Blocked => Some(TaskEnd::Blocked),
        Status::Failed => Some(TaskEnd::Failed),
        Status::Cancelled => Some(TaskEnd::Cancelled),
        Status::Pending | Status::InProgress => None,
    }
}

/// Whether all that a task did to a file has been rejected.
fn is_rejected<V: View>(view: &V, task: TaskId, path: &FilePath) -> Result<bool, V::Error> {
    let Some(file) = view.file_at(path)? else { return Ok(false) };
    let by = by(task);
    let has = |to: Decided| !file.weave.decided_hunks(&by, to).is_empty();
    Ok(has(Decided::Rejected) && !has(Decided::Approved) && file.weave.hunks_of(&by).is_empty())
}

/// What a task did to files, without what was rejected, or taken out again as outside of what was agreed to.
pub(crate) fn touched_by<V: View>(
    view: &V,
    session: &Session,
    task: TaskId,
    limit: usize,
) -> Result<Vec<(FilePath, Touch)>, V::Error> {
    let mut kept = Vec::new();
    for (path, touch) in view.touched_by(task, LOOKED_THROUGH)? {
        if kept.len() == limit {
            break;
        }
        if !is_taken_out(view, session, task, &path)?
            && !is_rejected(view, task, &path)?
            && !is_later(view, session, task, &path)?
        {
            kept.push((path, touch));
        }
    }
    Ok(kept)
}

/// Whether what a task did to a file is known to be the work of attempts that came after the session.
fn is_later<V: View>(view: &V, session: &Session, task: TaskId, path: &FilePath) -> Result<bool, V::Error> {
    let Some(last) = session.item_of(task).and_then(|item| item.attempt) else { return Ok(false) };
    let is_over = match view.task(task)? {
        Some(task) => task.attempt <= last,
        None => true,
    };
    if is_over {
        return Ok(false);
    }
    let Some(file) = view.file_at(path)? else { return Ok(false) };
    let has = |by: &dyn Fn(&Author) -> bool| {
        let decided =
            [Decided::Approved, Decided::Rejected].iter().any(|to| !file.weave.decided_hunks(&by, *to).is_empty());
        decided || !file.weave.hunks_of(&by).is_empty()
    };
    let own = |author: &Author| matches!(author, Author::Run(run) if run.task == task && run.attempt <= last);
    let later = |author: &Author| matches!(author, Author::Run(run) if run.task == task && run.attempt > last);
    Ok(has(&later) && !has(&own))
}

/// What a task changed, in lines.
fn changed<V: View>(
    view: &V,
    session: &Session,
    task: &Task,
    said: &[(RunId, String)],
) -> Result<Vec<String>, V::Error> {
    let files = touched_by(view, session, task.id, NAMED + 1)?;
    let mut lines: Vec<String> =
        files.iter().take(NAMED).map(|(path, touch)| touched(&path.to_text(), *touch)).collect();
    if files.len() > NAMED {
        lines.push("and more files: see the changes of the task".to_owned());
    }
    let fresh = said.iter().find(|(run, _)| *run == task.run()).map(|(_, text)| text.clone());
    let text = match fresh {
        Some(text) => Some(text),
        None if task.attempt > 0 => view.report(task.run())?,
        None => None,
    };
    if let Some(report) = text.as_deref().and_then(completion::report_in) {
        let figures = report.metrics.iter().take(FIGURES);
        lines.extend(figures.map(|metric| format!("Agent says: {} {}", shown(&metric.name), shown(&metric.value))));
    }
    match taken_back(view, task.id)? {
        TakenBack::Nothing => {}
        TakenBack::Part => lines.push("Part of it was rejected in review".to_owned()),
        TakenBack::All => lines.push("All of it was rejected in review".to_owned()),
    }
    if lines.is_empty() {
        lines.push("No file was changed".to_owned());
    }
    // Done is not looked at yet, and whoever reads of the one is told of the other.
    lines.extend(waiting_words(view, task.id)?);
    Ok(lines)
}

fn shown(text: &str) -> String {
    visible(&shortened(&masked(text.trim()), 80)).into_owned()
}

fn touched(path: &str, touch: Touch) -> String {
    match touch {
        Touch::Created => format!("Created {path}"),
        Touch::Changed => format!("Changed {path}"),
        Touch::Deleted => format!("Deleted {path}"),
    }
}

/// What the plan still held once these had ended.
fn remaining(session: &Session, governance: &Governance, ended: &[Step<'_>]) -> Vec<String> {
    let completed = |item: &Item| item.end == Some(TaskEnd::Completed);
    let mut titles = if governance.plan.is_some() {
        governance.open_tasks(|title, is_open| {
            let item = session.items.iter().find(|item| item.title.eq_ignore_ascii_case(title) && completed(item));
            item.map_or(is_open, |item| !has_ended(ended, item))
        })
    } else {
        session.items.iter().filter(|item| !has_ended(ended, item)).map(|item| item.title.clone()).collect()
    };
    let more = titles.len().saturating_sub(REMAINING);
    titles.truncate(REMAINING);
    if more > 0 {
        titles.push(format!("{more} more"));
    }
    titles
}

/// What came next once these had ended.
fn next(session: &Session, ended: &[Step<'_>]) -> Option<Next> {
    let item = session.items.iter().find(|item| !has_ended(ended, item))?;
    Some(Next { title: item.title.clone(), estimate: item.estimate.clone() })
}

/// What the last of these did for the plan.
fn impact(session: &Session, governance: &Governance, ended: &[Step<'_>]) -> GoalImpact {
    let (was, now) = ended.last().map(|step| (step.was, step.now)).unwrap_or_default();
    GoalImpact {
        phase: session.phase.clone(),
        sprint_goal: session.sprint_goal.clone(),
        was,
        now,
        sprint: None,
        remaining: remaining(session, governance, ended),
    }
}

/// Something that has ended, and how far the plan, or without one the scope, was before and after it.
struct Step<'a> {
    item: &'a Item,
    was: Progress,
    now: Progress,
}

fn has_ended(ended: &[Step<'_>], item: &Item) -> bool {
    ended.iter().any(|step| std::ptr::eq(step.item, item))
}

/// What has ended, in the order of the ends.
fn steps(session: &Session) -> Vec<Step<'_>> {
    let has_plan = session.before.total > 0;
    let scope = session.scope_progress();
    let mut done = if has_plan { session.before.done } else { 0 };
    let total = if has_plan { session.before.total } else { scope.total };
    let mut ended: Vec<&Item> = session.items.iter().filter(|item| item.end.is_some()).collect();
    ended.sort_by_key(|item| item.ended);
    let mut steps = Vec::new();
    for item in ended {
        let was = Progress { done, total };
        let counts = item.end == Some(TaskEnd::Completed) && (item.planned || !has_plan);
        done = (done + u32::from(counts)).min(total);
        steps.push(Step { item, was, now: Progress { done, total } });
    }
    steps
}

/// The reports of the tasks that have ended in a session, in the order of their ends; only that of one task, if one is named.
pub(super) fn task_reports<V: View>(
    view: &V,
    session: &Session,
    governance: &Governance,
    said: &[(RunId, String)],
    only: Option<TaskId>,
) -> Result<Vec<TaskReport>, V::Error> {
    let mut reports = Vec::new();
    let mut so_far = Vec::new();
    let steps = steps(session);
    for (at, Step { item, .. }) in steps.iter().enumerate() {
        let ended = &steps[..=at];
        if item.end == Some(TaskEnd::Completed) {
            so_far.push(item.title.clone());
        }
        if only.is_some() && item.task != only {
            continue;
        }
        let task = match item.task {
            Some(id) => view.task(id)?,
            None => None,
        };
        let changed = match &task {
            Some(task) => changed(view, session, task, said)?,
            None => Vec::new(),
        };
        let done = u32::try_from(so_far.len()).unwrap_or(u32::MAX);
        reports.push(TaskReport {
            task: item.title.clone(),
            end: item.end.unwrap_or(TaskEnd::Completed),
            changed,
            impact: impact(session, governance, ended),
            so_far: newest(&so_far),
            scope: Progress { done, total: session.scope_progress().total },
            next: next(session, ended),
        });
    }
    Ok(reports)
}

/// The running list of what is done; of a long one the newest.
fn newest(titles: &[String]) -> Vec<String> {
    let before = titles.len().saturating_sub(SO_FAR);
    let told = (before > 0).then(|| format!("{before} before"));
    told.into_iter().chain(titles[before..].iter().cloned()).collect()
}

/// What stands behind a task in a list: the files it touched, that a part of it was rejected, and how much waits.
pub(super) fn note<V: View>(view: &V, session: &Session, item: &Item) -> Result<Option<String>, V::Error> {
    let Some(task) = item.task else { return Ok(None) };
    let paths = touched_by(view, session, task, NOTED + 1)?;
    let more = if paths.len() > NOTED { ", …" } else { "" };
    let named: Vec<String> = paths.iter().take(NOTED).map(|(path, _)| path.to_text()).collect();
    let files = Some(format!("{}{more}", named.join(", "))).filter(|files| !files.is_empty());
    let said: Vec<String> = files.into_iter().chain(review_words(view, task)?).collect();
    Ok((!said.is_empty()).then(|| said.join("; ")))
}

/// Where the session is, for a checkpoint.
pub fn checkpoint_of<V: View>(view: &V, session: &Session) -> Result<Checkpoint, V::Error> {
    let (mut done, mut in_progress, mut left) = (Vec::new(), Vec::new(), Vec::new());
    let steps = steps(session);
    for Step { item, .. } in &steps {
        done.push(DoneTask {
            title: item.title.clone(),
            end: item.end.unwrap_or(TaskEnd::Completed),
            note: note(view, session, item)?,
        });
    }
    for item in session.items.iter().filter(|item| item.end.is_none()) {
        let task = match item.task {
            Some(id) => view.task(id)?,
            None => None,
        };
        let at_work = task.is_some_and(|task| task.status == Status::InProgress);
        if at_work { in_progress.push(item.title.clone()) } else { left.push(item.title.clone()) }
    }
    let progress = if session.before.total > 0 { session.progress() } else { session.scope_progress() };
    Ok(Checkpoint {
        done,
        in_progress,
        remaining: left,
        sprint_goal: session.sprint_goal.clone(),
        progress,
        next: next(session, &steps),
    })
}

/// What is told when the sprint's goal is reached.
pub(super) fn sprint_review<V: View>(
    view: &V,
    session: &Session,
    governance: &Governance,
) -> Result<SprintReview, V::Error> {
    let steps = steps(session);
    let told = |(at, step): (usize, &Step<'_>)| (step.item.title.clone(), impact(session, governance, &steps[..=at]));
    let impacts = steps.iter().enumerate().map(told).collect();
    let mut architecture = Vec::new();
    for id in session.items.iter().filter_map(|item| item.task) {
        for (path, touch) in touched_by(view, session, id, NAMED)? {
            let name = path.to_text();
            let tells = touch != Touch::Changed || name.to_ascii_uppercase().contains("ARCHITECTURE");
            let line = touched(&name, touch);
            if tells && !architecture.contains(&line) {
                architecture.push(line);
            }
        }
    }
    Ok(SprintReview {
        checkpoint: checkpoint_of(view, session)?,
        impacts,
        architecture,
        decisions: decisions(view, session)?,
        next_sprint: governance.next_sprint(),
    })
}

/// How many answers a record names.
const DECISIONS: usize = 50;

/// What was decided in a session: what its person says, and what people answered to agents.
pub(super) fn decisions<V: View>(view: &V, session: &Session) -> Result<Vec<String>, V::Error> {
    let mut lines: Vec<String> = session.decisions.clone();
    for question in view.decided_since(session.started, DECISIONS)? {
        let Some(answer) = &question.answer else { continue };
        let chosen = answer.choice.as_deref().map(|value| {
            let option = question.options.iter().find(|option| option.value == value);
            option.map_or(value, |option| option.text.as_str())
        });
        let words: Vec<&str> = [chosen, answer.text.as_deref()].into_iter().flatten().collect();
        lines.push(format!("{} {}", one_line(&question.question), one_line(&words.join("; "))));
    }
    Ok(lines)
}

/// A reason as a sentence of its own.
pub(super) fn sentence(reason: &str) -> String {
    let mut rest = reason.chars();
    let first = rest.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
    let end = if reason.ends_with(['.', '!', '?', '…']) { "" } else { "." };
    format!("{first}{}{end}", rest.as_str())
}

fn one_line(text: &str) -> String {
    let joined = text.split_whitespace().collect::<Vec<_>>().join(" ");
    visible(&shortened(&masked(&joined), 200)).into_owned()
}
