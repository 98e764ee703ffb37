//! Taking tasks and speaking for them. A taken task carries a lease that heartbeats renew; when it runs out, the task
//! goes back with one attempt used, and whatever its old holder says later is refused by its attempt number.

use std::collections::BTreeSet;

use super::{Claim, Ending, Finish, check_capabilities, check_name, check_text, find, look, record};
use crate::actor::Actor;
use crate::completion::{Report, Status as ReportStatus};
use crate::id::{RunId, TaskId};
use crate::ledger::{Data, Topic};
use crate::refusal::Refusal;
use crate::run::{self, Asked, Reported, Run, RunEvent, RunState, Sign, Why};
use crate::scan::without_credentials;
use crate::session;
use crate::task::{Lease, NAME_LIMIT, RESULT_LIMIT, Status, Task};
use crate::text::Lines;
use crate::time::{Now, Steady};
use crate::turn::{Answer, Effect, Processes, Stop, Turn};
use crate::view::View;

/// How many leases one turn ends at most; the rest follow in the next turns.
pub const LEASES_A_TURN: usize = 256;
/// How long the process of a run may take to end before its task is given to somebody else all the same.
const END_MS: i64 = 60_000;
pub const LEASE_MS: std::ops::RangeInclusive<i64> = 1_000..=86_400_000;

pub(crate) fn take_next<V: View>(view: &V, actor: &Actor, claim: &Claim, now: &Now) -> Result<Turn, Stop<V::Error>> {
    take_next_for(view, actor, claim, |id, agent| Run::attached(id, agent, claim.lease_ms, now), now)
}

/// Takes the next task for a run that begins so.
pub(crate) fn take_next_for<V: View>(
    view: &V,
    actor: &Actor,
    claim: &Claim,
    begin: impl FnOnce(RunId, &str) -> Run,
    now: &Now,
) -> Result<Turn, Stop<V::Error>> {
    let (agent, capabilities) = check_claim(claim)?;
    let gate = session::gate(view)?;
    if let Some(scope) = gate.scope() {
        return next_of(view, actor, &scope, (agent, capabilities), claim, begin, now);
    }
    let mut best = None;
    for route in look(view.ready_routes())? {
        if route.admits(&agent, &capabilities) {
            let first = look(view.first_ready(&route))?;
            best = match (best, first) {
                (Some(best), Some(first)) => Some(std::cmp::min(best, first)),
                (best, first) => best.or(first),
            };
        }
    }
    let Some((_, _, id)) = best else {
        return Ok(Turn::done(Answer::NothingReady, Vec::new()));
    };
    let task = look(view.task(id))?.ok_or_else(|| Refusal::UnknownTask { wanted: id.to_string() })?;
    session::may_take(view, &gate, &task)?;
    Ok(take(actor, task, agent, claim, begin, now))
}

/// Takes what comes first of a confirmed scope.
fn next_of<V: View>(
    view: &V,
    actor: &Actor,
    scope: &[TaskId],
    (agent, capabilities): (String, BTreeSet<String>),
    claim: &Claim,
    begin: impl FnOnce(RunId, &str) -> Run,
    now: &Now,
) -> Result<Turn, Stop<V::Error>> {
    let mut best: Option<Task> = None;
    for id in scope {
        let task = look(view.task(*id))?;
        let Some(task) = task.filter(|task| task.is_ready() && task.route.admits(&agent, &capabilities)) else {
            continue;
        };
        let place = |task: &Task| (task.priority, task.rank, task.id);
        if best.as_ref().is_none_or(|best| place(&task) < place(best)) {
            best = Some(task);
        }
    }
    match best {
        Some(task) => Ok(take(actor, task, agent, claim, begin, now)),
        None => Ok(Turn::done(Answer::NothingReady, Vec::new())),
    }
}

pub(crate) fn claim<V: View>(
    view: &V,
    actor: &Actor,
    wanted: &str,
    claim: &Claim,
    now: &Now,
) -> Result<Turn, Stop<V::Error>> {
    claim_for(view, actor, wanted, claim, |id, agent| Run::attached(id, agent, claim.lease_ms, now), now)
}

/// Takes one task for a run that begins so.
pub(crate) fn claim_for<V: View>(
    view: &V,
    actor: &Actor,
    wanted: &str,
    claim: &Claim,
    begin: impl FnOnce(RunId, &str) -> Run,
    now: &Now,
) -> Result<Turn, Stop<V::Error>> {
    let (agent, capabilities) = check_claim(claim)?;
    let task = find(view, wanted)?;
    match (task.status, &task.holder) {
        (Status::Pending, _) => {}
        (Status::InProgress, Some(holder)) => {
            let holder = holder.clone();
            return Err(Refusal::Held { task: task.id, holder, attempt: task.attempt, action: "taken" }.into());
        }
        (status, _) => {
            let next =
                if status == Status::Completed { "Add a new task for what is left to do." } else { "Retry it first." };
            return Err(Refusal::WrongStatus { task: task.id, status, action: "taken", next }.into());
        }
    }
    if task.waits_for > 0 {
        let mut waits_for = Vec::new();
        for &id in &task.depends_on {
            if look(view.task(id))?.is_some_and(|dependency| dependency.status != Status::Completed) {
                waits_for.push(id);
            }
        }
        return Err(Refusal::NotReady { task: task.id, waits_for }.into());
    }
    if !task.route.admits(&agent, &capabilities) {
        let assignee = task.route.assignee.clone().filter(|assignee| *assignee != agent);
        let missing = task.route.capabilities.difference(&capabilities).cloned().collect();
        return Err(Refusal::NotForAgent { task: task.id, agent, assignee, missing }.into());
    }
    session::may_take(view, &session::gate(view)?, &task)?;
    Ok(take(actor, task, agent, claim, begin, now))
}

/// Who claims and what they can do, as the rules compare it.
fn check_claim(claim: &Claim) -> Result<(String, BTreeSet<String>), Refusal> {
    if !LEASE_MS.contains(&claim.lease_ms) {
        let (low, high) = (*LEASE_MS.start(), *LEASE_MS.end());
        return Err(Refusal::BadDuration { field: "lease", value: claim.lease_ms, low, high });
    }
    let capabilities = check_capabilities(&Vec::from_iter(claim.capabilities.iter().cloned()))?;
    Ok((check_name("agent name", &claim.agent, NAME_LIMIT)?, capabilities))
}

fn take(
    actor: &Actor,
    mut task: Task,
    agent: String,
    claim: &Claim,
    begin: impl FnOnce(RunId, &str) -> Run,
    now: &Now,
) -> Turn {
    task.status = Status::InProgress;
    task.attempt += 1;
    task.attempts_used += 1;
    task.holder = Some(agent.clone());
    task.started = Some(now.wall);
    task.ended = None;
    task.result = None;
    task.lease = Some(Lease {
        boot: now.boot.clone(),
        length_ms: claim.lease_ms,
        started: now.steady,
        due: due(now.steady, now.steady, claim.lease_ms, task.time_limit_ms),
        last_heartbeat: now.wall,
    });
    let run = task.run();
    let data = Data::map([
        ("agent", agent.as_str().into()),
        ("attempt", task.attempt.into()),
        ("leaseMs", claim.lease_ms.into()),
    ]);
    let about = vec![Topic::Run(run), Topic::Agent(agent.clone())];
    let effects = vec![
        record(actor, "task.claimed", task.id, about, data),
        Effect::PutTask(Box::new(task.clone())),
        Effect::BeginRun { run: Box::new(begin(run, &agent)), token_hash: claim.token_hash },
    ];
    Turn::done(Answer::Taken { task: Box::new(task), run }, effects)
}

/// A lease ends one length after its last heartbeat, and never past the task's time limit.
fn due(now: Steady, started: Steady, length_ms: i64, time_limit_ms: Option<i64>) -> Steady {
    let by_heartbeat = now.plus_ms(length_ms);
    time_limit_ms.map_or(by_heartbeat, |limit| by_heartbeat.min(started.plus_ms(limit)))
}

pub(crate) fn heartbeat<V: View>(
    view: &V,
    actor: &Actor,
    wanted: &str,
    attempt: Option<u32>,
    now: &Now,
) -> Result<Turn, Stop<V::Error>> {
    let mut task = held(view, actor, wanted, attempt)?;
    if task.lease.is_none() {
        let next = "Only a task that is being worked on takes heartbeats.";
        return Err(Refusal::WrongStatus { task: task.id, status: task.status, action: "kept alive", next }.into());
    }
    // A renewed lease changes nothing that anybody decided, so it leaves no record: five seconds a run would drown them.
    let heard = look(run::followed(view, task.run(), &RunEvent::Heard(Sign::Heartbeat), now))?;
    task = renewed(task, now);
    Ok(Turn::done(Answer::Task(Box::new(task)), heard.effects))
}

/// The task with its lease as a sign of life makes it.
pub(crate) fn renewed(mut task: Task, now: &Now) -> Task {
    let limit = task.time_limit_ms;
    if let Some(lease) = task.lease.as_mut() {
        lease.due = due(now.steady, lease.started, lease.length_ms, limit);
        lease.last_heartbeat = now.wall;
    }
    task
}

pub(crate) fn finish<V: View>(
    view: &V,
    actor: &Actor,
    wanted: &str,
    attempt: Option<u32>,
    finish: &Finish,
    now: &Now,
) -> Result<Turn, Stop<V::Error>> {
    if let Some(result) = &finish.result {
        check_text("result", result, Lines::Many, RESULT_LIMIT)?;
    }
    // What is said of the work is kept and shown; a credential in it is not.
    let result = finish.result.as_deref().map(|result| without_credentials(result).into_owned());
    let finish = &Finish { ending: finish.ending, result };
    let mut task = held(view, actor, wanted, attempt)?;
    if task.status.is_ended() {
        let next = if task.status == Status::Completed {
            "Add a new task for what is left to do."
        } else {
            "Retry it first if there is more to do."
        };
        return Err(Refusal::WrongStatus { task: task.id, status: task.status, action: "ended again", next }.into());
    }
    let run = match task.lease {
        Some(_) => look(view.run(task.run()))?,
        None => None,
    };
    // A run of ours may still write, so its word is kept until it is gone.
    if let (Some(run), Actor::Run { .. }) = (run.as_ref().filter(|run| run.has_process()), actor) {
        let effects = look(run::followed(view, run.id, &said(finish), now))?.effects;
        return Ok(Turn::done(Answer::Task(Box::new(task)), effects));
    }
    let mut effects = ended(&mut task, actor, finish, now);
    let run = match run {
        Some(run) if run.has_process() => {
            effects.extend(look(run::end_kept(view, run, Asked::Stop, now))?);
            None
        }
        run => run,
    };
    effects.extend(run.map(|mut run| {
        run.facts.reported = Some(match finish.ending {
            Ending::Completed => Reported::Completed,
            Ending::Partial => Reported::Partial,
            Ending::Blocked => Reported::Blocked,
            Ending::Failed => Reported::Failed,
        });
        run.message.clone_from(&finish.result);
        Effect::PutRun(Box::new(run.closed(state_of(finish.ending), Why::Reported, now)))
    }));
    Ok(Turn::done(Answer::Task(Box::new(task)), effects))
}

/// What a run says of its work when it ends its task.
fn said(finish: &Finish) -> RunEvent {
    let summary = finish.result.clone().unwrap_or_default();
    let status = match finish.ending {
        Ending::Completed => ReportStatus::Completed,
        Ending::Partial => ReportStatus::Partial,
        Ending::Blocked => ReportStatus::Blocked,
        Ending::Failed => return RunEvent::GaveUp { message: summary },
    };
    RunEvent::Reported(Box::new(Report {
        status,
        agent: None,
        timestamp: None,
        summary,
        metrics: Vec::new(),
        next_steps: Vec::new(),
        decisions: Vec::new(),
    }))
}

fn state_of(ending: Ending) -> RunState {
    match ending {
        Ending::Completed => RunState::Completed,
        Ending::Partial => RunState::Partial,
        Ending::Blocked => RunState::Blocked,
        Ending::Failed => RunState::Failed,
    }
}

/// Ends a task as its holder says.
pub(crate) fn ended(task: &mut Task, actor: &Actor, finish: &Finish, now: &Now) -> Vec<Effect> {
    let status = finish.ending.status();
    let mut about = Vec::new();
    if task.lease.take().is_some() {
        about.push(Topic::Run(task.run()));
        about.extend(task.holder.clone().map(Topic::Agent));
    }
    task.status = status;
    task.ended = Some(now.wall);
    task.result.clone_from(&finish.result);
    let data = Data::map([("status", status.name().into()), ("result", finish.result.clone().into())]);
    let mut effects = vec![record(actor, "task.ended", task.id, about, data), Effect::PutTask(Box::new(task.clone()))];
    if status == Status::Completed {
        effects.push(Effect::FreeDependents(task.id));
    }
    effects
}

/// The task, if `actor` may speak for it now. A run speaks for its own attempt only; a person names the attempt of a
/// task that somebody holds, and needs none for one that nobody does.
fn held<V: View>(view: &V, actor: &Actor, wanted: &str, attempt: Option<u32>) -> Result<Task, Stop<V::Error>> {
    let task = find(view, wanted)?;
    let said = match actor {
        Actor::Run { run } if run.task != task.id => {
            return Err(Refusal::NotItsTask { own: run.task, task: task.id }.into());
        }
        Actor::Run { run } => Some(run.attempt),
        Actor::Person { .. } | Actor::Host => attempt,
    };
    match (said, &task.lease, &task.holder) {
        (Some(said), Some(_), _) if said == task.attempt => Ok(task),
        (Some(said), _, _) => {
            Err(Refusal::LateWord { task: task.id, said, attempt: task.attempt, status: task.status }.into())
        }
        (None, Some(_), Some(holder)) => {
            let holder = holder.clone();
            Err(Refusal::AttemptNotSaid { task: task.id, holder, attempt: task.attempt }.into())
        }
        (None, _, _) => Ok(task),
    }
}

/// Ends the leases that are due, and carries those over that an earlier boot of the machine began: its clock says
/// nothing about them, so each gets one more length to prove that its holder lives.
pub(crate) fn expire<V: View>(view: &V, processes: Processes, now: &Now) -> Result<Turn, V::Error> {
    let mut effects = Vec::new();
    for id in view.leases_due(&now.boot, now.steady, LEASES_A_TURN)? {
        if let Some(task) = view.task(id)? {
            let run = view.run(task.run())?;
            // What cannot be ended from here is left to the host that will be able to.
            if processes == Processes::Unseen && run.as_ref().is_some_and(Run::has_process) {
                continue;
            }
            effects.extend(expire_one(view, task, run, now)?);
        }
    }
    Ok(Turn::done(Answer::Noted, effects))
}

fn expire_one<V: View>(view: &V, mut task: Task, run: Option<Run>, now: &Now) -> Result<Vec<Effect>, V::Error> {
    let Some(lease) = task.lease.as_mut() else {
        return Ok(Vec::new());
    };
    if lease.boot != now.boot {
        lease.boot = now.boot.clone();
        lease.started = now.steady;
        lease.due = due(now.steady, now.steady, lease.length_ms, task.time_limit_ms);
        let data = Data::map([("reason", "the machine was restarted".into())]);
        return Ok(vec![said_by_host("task.lease-carried", &task, data), Effect::PutTask(Box::new(task))]);
    }
    let over_limit = task.time_limit_ms.is_some_and(|limit| now.steady >= lease.started.plus_ms(limit));
    // Somebody else may take it only once nothing of the run can write any more. A process that does not end in time is
    // given up.
    if let Some(run) = run.as_ref().filter(|run| run.has_process() && run.facts.asked == Asked::Nothing) {
        let asked = if over_limit { Asked::TimeUp } else { Asked::LeaseOut };
        lease.due = now.steady.plus_ms(END_MS);
        let mut effects = run::end_kept(view, run.clone(), asked, now)?;
        effects.push(Effect::PutTask(Box::new(task)));
        return Ok(effects);
    }
    let (reason, state, why) = if over_limit {
        ("its time limit was reached", RunState::TimedOut, Why::TimeUp)
    } else {
        ("its lease ran out", RunState::Disconnected, Why::LeaseRanOut)
    };
    let mut effects = given_back(task, reason, now);
    effects.extend(run.map(|run| Effect::PutRun(Box::new(run.closed(state, why, now)))));
    Ok(effects)
}

/// Puts a task back whose holder is gone: one attempt is used.
pub(crate) fn given_back(mut task: Task, reason: &str, now: &Now) -> Vec<Effect> {
    let Some(lease) = task.lease.take() else {
        return Vec::new();
    };
    let used_up = task.attempts_used >= task.max_attempts;
    if used_up {
        task.status = Status::Failed;
        task.ended = Some(now.wall);
        task.result = Some(format!("Attempt {} ended without a word: {reason}. No attempts are left.", task.attempt));
    } else {
        task.status = Status::Pending;
    }
    let data = Data::map([
        ("attempt", task.attempt.into()),
        ("reason", reason.into()),
        ("attemptsLeft", (task.max_attempts.saturating_sub(task.attempts_used)).into()),
        ("silentMs", now.steady.ms_since(lease.due.plus_ms(-lease.length_ms)).into()),
    ]);
    let kind = if used_up { "task.failed" } else { "task.returned" };
    vec![said_by_host(kind, &task, data), Effect::PutTask(Box::new(task))]
}

/// Puts a task aside that a person has taken from its holder. That was no attempt, and nobody takes it before a person
/// says so: an agent that works through the queue would take it again at once.
pub(crate) fn put_aside(mut task: Task, agent: &str, now: &Now) -> Vec<Effect> {
    task.lease = None;
    task.status = Status::Blocked;
    task.ended = Some(now.wall);
    task.attempts_used = task.attempts_used.saturating_sub(1);
    task.result = Some(format!("{agent} was stopped by a person. Retry the task to have it worked on again."));
    let data = Data::map([("attempt", task.attempt.into()), ("status", task.status.name().into())]);
    vec![said_by_host("task.put-aside", &task, data), Effect::PutTask(Box::new(task))]
}

fn said_by_host(kind: &'static str, task: &Task, data: Data) -> Effect {
    let mut about = vec![Topic::Run(task.run())];
    about.extend(task.holder.clone().map(Topic::Agent));
    record(&Actor::Host, kind, task.id, about, data)
}
