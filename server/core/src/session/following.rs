//! What every turn means for the session: work that begins, tasks that end, things that are discovered. Looked at after the
//! rules have decided, in one place, so that no way around it exists.

use super::starting::{begin, begun};
use super::taken_back::{self, Fresh, taken_back_with};
use super::telling::{checkpoint_of, end_of, sprint_review, task_reports, told};
use super::{Level, Moment, Session, SessionState, event};
use crate::actor::Actor;
use crate::id::{RunId, TaskId};
use crate::ledger::Data;
use crate::report::TaskEnd;
use crate::run::Run;
use crate::task::{NAME_LIMIT, Origin, Status, Task};
use crate::text::{shortened, visible};
use crate::time::Now;
use crate::turn::{Effect, Turn};
use crate::view::View;

/// Work that goes on is noted this often.
const NOTED_MS: i64 = 30_000;

#[derive(Default, PartialEq)]
struct Happened {
    begun: Vec<Run>,
    ended: Vec<Task>,
    /// Tasks that had ended and are to be worked on again.
    reopened: Vec<TaskId>,
    discovered: Vec<String>,
    /// What runs report in this very turn.
    said: Vec<(RunId, String)>,
    worked: bool,
}

pub(crate) fn follow<V: View>(view: &V, mut turn: Turn, now: &Now) -> Result<Turn, V::Error> {
    let happened = happened(view, &turn)?;
    if happened == Happened::default() {
        return Ok(turn);
    }
    let put = turn.effects.iter().rev().find_map(|effect| {
        let Effect::PutSession(session) = effect else { return None };
        Some((**session).clone())
    });
    let open = match put {
        Some(session) => Some(session),
        None => view.session()?,
    };
    if open.is_none() && happened.begun.is_empty() {
        return Ok(turn);
    }
    let said = happened.said.clone();
    let fresh = Fresh::of(&turn.effects);
    let mut following = Following { view, now, said, fresh, effects: Vec::new(), changed: false };
    let session = following.begin(open, &happened.begun)?;
    let Some(mut session) = session else { return Ok(turn) };
    for title in &happened.discovered {
        session.note_discovered(title);
        following.changed = true;
    }
    for item in session.items.iter_mut().filter(|item| item.task.is_some_and(|id| happened.reopened.contains(&id))) {
        (item.end, item.ended) = (None, None);
        following.changed = true;
    }
    following.reviewed(&mut session)?;
    for task in &happened.ended {
        following.ended(&mut session, task)?;
    }
    if following.changed || (happened.worked && session.last_work.age_ms(now) >= NOTED_MS) {
        session.last_work = Moment::of(now);
        following.effects.push(Effect::PutSession(Box::new(session)));
    }
    let effects = following.effects;
    turn.effects.extend(effects);
    Ok(turn)
}

fn happened<V: View>(view: &V, turn: &Turn) -> Result<Happened, V::Error> {
    let mut happened = Happened::default();
    for effect in &turn.effects {
        match effect {
            Effect::BeginRun { run, .. } => happened.begun.push((**run).clone()),
            Effect::PutTask(task) => happened.put(view, task)?,
            Effect::PutReport { run, report } => happened.said.push((*run, report.clone())),
            Effect::PutFile(_) | Effect::PutQuestion(_) => happened.worked = true,
            Effect::PutRun(run) => happened.worked |= run.ended.is_some(),
            Effect::Record(_)
            | Effect::RemoveTask(_)
            | Effect::FreeDependents(_)
            | Effect::PutHandOff(_)
            | Effect::PutHandOffText { .. }
            | Effect::AllowAgent { .. }
            | Effect::EndProcess(_)
            | Effect::TellAgent { .. }
            | Effect::StartHandOff { .. }
            | Effect::WriteSetting(_)
            | Effect::PutDecision(_)
            | Effect::ForgetDecision(_)
            | Effect::DropContent(_)
            | Effect::KeepApproval(_)
            | Effect::PutClaim(_)
            | Effect::DropClaim(_)
            | Effect::WriteFile(_)
            | Effect::SettleWrite { .. }
            | Effect::PutSession(_)
            | Effect::TellSession(_)
            | Effect::PutFlag(_)
            | Effect::NoteTouched { .. }
            | Effect::WriteDocuments(_)
            | Effect::PutClosing(_)
            | Effect::PutPrompt(_)
            | Effect::SettleFiles(_)
            | Effect::LoosenFiles(_)
            | Effect::CloseStep(_)
            | Effect::SealArchive(_)
            | Effect::PutAcknowledged(_)
            | Effect::PutAllowed(_)
            | Effect::DropAllowed(_) => {}
        }
    }
    Ok(happened)
}

impl Happened {
    /// What a task that is put says; it is looked up only where it may have ended, come back or been discovered.
    fn put<V: View>(&mut self, view: &V, task: &Task) -> Result<(), V::Error> {
        let is_back = task.status == Status::Pending && task.attempt > 0;
        let is_found = task.origin == Origin::Discovered;
        if !task.status.is_ended() && !is_back && !is_found {
            return Ok(());
        }
        let before = view.task(task.id)?;
        let was_ended = before.as_ref().is_some_and(|before| before.status.is_ended());
        match task.status.is_ended() {
            true if !was_ended => self.ended.push(task.clone()),
            true => {}
            false if was_ended => self.reopened.push(task.id),
            false if is_found && before.is_none() => self.discovered.push(task.title.clone()),
            false => {}
        }
        Ok(())
    }
}

struct Following<'a, V: View> {
    view: &'a V,
    now: &'a Now,
    said: Vec<(RunId, String)>,
    /// What the turn is about to change of files and decisions.
    fresh: Fresh<'a>,
    effects: Vec<Effect>,
    changed: bool,
}

impl<V: View> Following<'_, V> {
    /// Work begins: in the session that is open, or in one that begins with it.
    fn begin(&mut self, open: Option<Session>, runs: &[Run]) -> Result<Option<Session>, V::Error> {
        let mut session = open;
        for run in runs {
            let is_governed = session.is_some() || self.view.session_policy()?.is_on;
            let task = if is_governed { self.view.task(run.id.task)? } else { None };
            let Some(task) = task else { continue };
            let mut at_work = match session.take() {
                Some(session) => session,
                None => {
                    let governance = self.view.governance()?;
                    let mut fresh = begun(self.view, &governance, self.now)?;
                    fresh.automatic = Some(format!("work began on {}: {}", task.id, task.title));
                    fresh.model = self.view.session_policy()?.model;
                    fresh.confirmed = Some(self.now.wall);
                    fresh.state = SessionState::Working;
                    self.add(&mut fresh, &task)?;
                    begin(&mut self.effects, &Actor::Host, &fresh, &governance);
                    fresh
                }
            };
            self.add(&mut at_work, &task)?;
            if at_work.state == SessionState::Confirmed {
                at_work.state = SessionState::Working;
                self.effects.push(event(&Actor::Host, "session.working", &at_work, Data::map([])));
            }
            if !at_work.agents.contains(&run.agent) {
                at_work.agents.push(run.agent.clone());
            }
            self.changed = true;
            session = Some(at_work);
        }
        Ok(session)
    }

    fn add(&self, session: &mut Session, task: &Task) -> Result<(), V::Error> {
        if session.item_of(task.id).is_some() {
            return Ok(());
        }
        let governance = self.view.governance()?;
        let mut item = governance.item(&task.title);
        item.task = Some(task.id);
        item.goal = task.goal.clone().or(item.goal);
        // What is at work belongs to the session, however much that is.
        session.items.push(item);
        Ok(())
    }

    /// What was decided about the work of tasks that have ended.
    fn reviewed(&mut self, session: &mut Session) -> Result<(), V::Error> {
        let records = taken_back::follow(self.view, session, &self.fresh)?;
        self.changed |= !records.is_empty();
        self.effects.extend(records);
        Ok(())
    }

    /// A task has ended: that is told, always, and what follows from it.
    fn ended(&mut self, session: &mut Session, task: &Task) -> Result<(), V::Error> {
        // What nobody worked on and nobody agreed to is the queue's own business.
        if session.item_of(task.id).is_none() {
            if task.attempt == 0 {
                return Ok(());
            }
            self.add(session, task)?;
        }
        let end = match end_of(task.status) {
            Some(TaskEnd::Completed) => Some(taken_back_with(self.view, task.id, &self.fresh)?.end()),
            other => other,
        };
        let Some(item) = session.items.iter_mut().find(|item| item.task == Some(task.id)) else { return Ok(()) };
        item.end = end;
        item.ended = Some(self.now.wall);
        // Also what a person does by hand is work.
        if session.state == SessionState::Confirmed && item.end != Some(TaskEnd::Cancelled) {
            session.state = SessionState::Working;
            self.effects.push(event(&Actor::Host, "session.working", session, Data::map([])));
        }
        session.streak = session.streak.saturating_add(1);
        self.changed = true;
        let governance = self.view.governance()?;
        for report in task_reports(self.view, session, &governance, &self.said, Some(task.id))? {
            self.effects.extend(told(session, Level::Light, Some(task.id), self.now.wall, &report));
        }
        let is_reached = session.sprint_goal.is_some() && session.before.total > 0 && session.progress().is_complete();
        if is_reached && !session.before.is_complete() && !session.goal_told {
            session.goal_told = true;
            let review = sprint_review(self.view, session, &governance)?;
            self.effects.extend(told(session, Level::Heavy, None, self.now.wall, &review));
        }
        let worked = session.state == SessionState::Working;
        if worked && session.streak >= self.view.session_policy()?.checkpoint_after {
            session.state = SessionState::Checkpoint;
            session.checkpoints = session.checkpoints.saturating_add(1);
            let data = Data::map([("tasks", session.streak.into())]);
            self.effects.push(event(&Actor::Host, "session.checkpoint", session, data));
            let checkpoint = checkpoint_of(self.view, session)?;
            self.effects.extend(told(session, Level::Medium, None, self.now.wall, &checkpoint));
        }
        Ok(())
    }
}

/// An agent that nobody started here is seen to write: that is work, and begins a session if none is open.
pub(crate) fn work_seen<V: View>(view: &V, agent: &str, now: &Now) -> Result<Vec<Effect>, V::Error> {
    let mut effects = Vec::new();
    let mut session = match view.session()? {
        Some(session) => session,
        None if view.session_policy()?.is_on => {
            let governance = view.governance()?;
            let mut fresh = begun(view, &governance, now)?;
            fresh.automatic = Some(format!("{} began to work", visible(&shortened(agent, NAME_LIMIT))));
            fresh.model = view.session_policy()?.model;
            fresh.confirmed = Some(now.wall);
            fresh.state = SessionState::Working;
            begin(&mut effects, &Actor::Host, &fresh, &governance);
            fresh
        }
        None => return Ok(effects),
    };
    let name = visible(&shortened(agent, NAME_LIMIT)).into_owned();
    let begins = session.state == SessionState::Confirmed;
    if begins {
        session.state = SessionState::Working;
        effects.push(event(&Actor::Host, "session.working", &session, Data::map([])));
    }
    let is_working = session.state == SessionState::Working;
    if is_working && (begins || !session.agents.contains(&name)) {
        if !session.agents.contains(&name) {
            session.agents.push(name);
        }
        session.last_work = Moment::of(now);
        effects.push(Effect::PutSession(Box::new(session)));
    }
    Ok(effects)
}
