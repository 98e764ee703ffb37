//! No work before its scope is confirmed: which tasks may be taken now, and whether anything may be written.

use super::{Governance, Session, SessionState};
use crate::file::FilePath;
use crate::id::TaskId;
use crate::queue::look;
use crate::session::SessionRefusal;
use crate::settings::{SESSION_PROTOCOL, SettingChange};
use crate::task::Task;
use crate::turn::Stop;
use crate::view::View;

/// What the session says to whoever wants to take a task.
pub(crate) struct Gate(Option<Session>);

/// Whether anything may be taken now.
pub(crate) fn gate<V: View>(view: &V) -> Result<Gate, Stop<V::Error>> {
    let session = look(view.session())?;
    if let Some(session) = &session {
        waits(session)?;
    }
    Ok(Gate(session))
}

impl Gate {
    /// The tasks that may be handed out; `None` where any of the queue's may.
    pub(crate) fn scope(&self) -> Option<Vec<TaskId>> {
        let session = self.0.as_ref().filter(|session| session.automatic.is_none())?;
        Some(session.items.iter().filter_map(|item| item.task).collect())
    }
}

/// Whether this task may be taken, by whoever asks.
pub(crate) fn may_take<V: View>(view: &V, gate: &Gate, task: &Task) -> Result<(), Stop<V::Error>> {
    match &gate.0 {
        None if !look(view.session_policy())?.is_on => return Ok(()),
        None => {}
        Some(session) if session.item_of(task.id).is_some() => return Ok(()),
        Some(session) if session.automatic.is_none() => {
            return Err(SessionRefusal::NotInScope { task: task.id, session: session.number }.into());
        }
        Some(_) => {}
    }
    // A session that begins by itself holds what the person orders, if the plan knows what it is for.
    let governance = look(view.governance())?;
    if look(is_undecided(view, &governance))? {
        return Err(SessionRefusal::PlanUndecided { path: governance.plan_path.clone() }.into());
    }
    if serves(&governance, task) { Ok(()) } else { Err(SessionRefusal::NoGoal { task: task.id }.into()) }
}

/// Whether something in the plan waits for a decision: what an agent writes there gives it no goal, and a plan that it makes
/// unreadable or takes away does not free it from having one.
fn is_undecided<V: View>(view: &V, governance: &Governance) -> Result<bool, V::Error> {
    let Ok(path) = FilePath::from_text(&governance.plan_path) else { return Ok(false) };
    Ok(view.file_at(&path)?.is_some_and(|file| !file.weave.hunks().is_empty()))
}

/// Whether a task serves a goal of the plan, or there is no plan that it could serve.
fn serves(governance: &Governance, task: &Task) -> bool {
    !governance.has_goals()
        || task.goal.as_deref().is_some_and(|goal| governance.has_goal(goal))
        || governance.goal_of(&task.title).is_some()
}

fn waits(session: &Session) -> Result<(), SessionRefusal> {
    match session.state {
        SessionState::Planned => Err(SessionRefusal::ScopeNotConfirmed { session: session.number }),
        SessionState::Checkpoint => {
            Err(SessionRefusal::CheckpointWaits { session: session.number, tasks: session.streak })
        }
        SessionState::Ending => Err(SessionRefusal::SessionEnding { session: session.number }),
        SessionState::Confirmed | SessionState::Working | SessionState::Ended | SessionState::Abandoned => Ok(()),
    }
}

/// Why nothing may be written now, for an agent to read.
pub(crate) fn forbids_writing<V: View>(view: &V) -> Result<Option<String>, V::Error> {
    Ok(view.session()?.filter(|session| session.state == SessionState::Planned).map(|session| {
        format!(
            "No code before the scope of session {:03} is confirmed. Wait until the person has confirmed it.",
            session.number
        )
    }))
}

/// The rules of a session that is under way cannot be switched off.
pub(crate) fn may_change<V: View>(view: &V, change: &SettingChange) -> Result<(), Stop<V::Error>> {
    if change.key != SESSION_PROTOCOL {
        return Ok(());
    }
    match look(view.session())? {
        Some(session) => Err(SessionRefusal::SessionUnderWay { session: session.number, state: session.state }.into()),
        None => Ok(()),
    }
}
