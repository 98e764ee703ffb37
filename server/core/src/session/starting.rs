//! The start: what the documents say is told, and a scope is proposed. Nothing begins before it is confirmed, unless the
//! person's own order began the work: then that order is the scope, and the start is told all the same.

use super::governance::model_warning;
use super::telling::{sentence, told};
use super::{Governance, Item, Level, Moment, PROTOCOL, Session, SessionState, event};
use crate::actor::Actor;
use crate::ledger::Data;
use crate::queue::{check_optional, look};
use crate::report::{Progress, Proposed, SessionStart};
use crate::session::SessionRefusal;
use crate::task::NAME_LIMIT;
use crate::time::Now;
use crate::turn::{Answer, Effect, Stop, Turn};
use crate::view::View;

/// How many runs at work a refusal names.
const RUNS: usize = 16;

/// A person begins a session.
pub(crate) fn start<V: View>(view: &V, actor: &Actor, model: Option<&str>, now: &Now) -> Result<Turn, Stop<V::Error>> {
    let model = check_optional("model", model, NAME_LIMIT)?;
    if let Some(open) = look(view.session())? {
        return Err(look(under_way(view, open))?.into());
    }
    let governance = look(view.governance())?;
    let mut session = look(begun(view, &governance, now))?;
    session.model = model.or(look(view.session_policy())?.model);
    session.items = governance.proposed();
    let mut effects = Vec::new();
    begin(&mut effects, actor, &session, &governance);
    Ok(Turn::done(Answer::Session(Box::new(session)), effects))
}

/// One that began by itself makes room for another, but never unseen, and not while its runs are at work.
fn under_way<V: View>(view: &V, open: Session) -> Result<SessionRefusal, V::Error> {
    let (session, state) = (open.number, open.state);
    let Some(why) = open.automatic.filter(|_| state != SessionState::Ending) else {
        return Ok(SessionRefusal::SessionUnderWay { session, state });
    };
    let runs = view.active_runs(RUNS)?;
    Ok(match runs.is_empty() {
        true => SessionRefusal::BeganByItself { session, id: open.id, why },
        false => SessionRefusal::RunsAtWork { session, runs },
    })
}

/// A session as it begins, with nothing in its scope.
pub(super) fn begun<V: View>(view: &V, governance: &Governance, now: &Now) -> Result<Session, V::Error> {
    let last = view.last_session_number()?;
    Ok(Session {
        id: view.next_session()?,
        // Where no changelog tells of them, the ones that were before still count.
        number: governance.next_session().max(last.saturating_add(1)),
        state: SessionState::Planned,
        protocol: PROTOCOL.to_owned(),
        automatic: None,
        model: None,
        started: now.wall,
        confirmed: None,
        ended: None,
        end_reason: None,
        last_work: Moment::of(now),
        phase: governance.phase(),
        sprint_goal: governance.sprint_goal(),
        before: governance.progress().unwrap_or(Progress { done: 0, total: 0 }),
        items: Vec::new(),
        paths: Vec::new(),
        streak: 0,
        checkpoints: 0,
        discovered: Vec::new(),
        goal_told: false,
        title: None,
        decisions: Vec::new(),
        agents: Vec::new(),
        documents: Vec::new(),
    })
}

/// What the beginning of a session leaves: the record, what is told, and the session.
pub(super) fn begin(effects: &mut Vec<Effect>, actor: &Actor, session: &Session, governance: &Governance) {
    let data = Data::map([
        ("number", session.number.into()),
        ("protocol", session.protocol.as_str().into()),
        ("automatic", session.automatic.clone().into()),
        ("model", session.model.clone().into()),
        ("read", governance.read.clone().into()),
        ("missing", governance.missing.clone().into()),
        ("scope", session.items.iter().map(|item| item.title.clone()).collect::<Vec<_>>().into()),
    ]);
    effects.push(event(actor, "session.started", session, data));
    let report = start_report(session, governance);
    effects.extend(told(session, Level::Start, None, session.started, &report));
    effects.push(Effect::PutSession(Box::new(session.clone())));
}

/// What is told at the start.
#[must_use]
pub fn start_report(session: &Session, governance: &Governance) -> SessionStart {
    let wanted = governance.model_for(&session.items);
    let last = governance.last_session();
    let planned = session.items.iter().filter(|item| item.planned).count();
    let left = session.before.total.saturating_sub(session.before.done);
    SessionStart {
        project: governance.project.clone(),
        model: session.model.clone(),
        model_warning: model_warning(wanted.as_deref(), session.model.as_deref()),
        session: session.number,
        continues: last.as_ref().and_then(|last| last.session),
        read: governance.read.clone(),
        missing: governance.missing.clone(),
        problems: governance.problems.clone(),
        phase: session.phase.clone(),
        phase_place: governance.phase_place(),
        sprint_goal: session.sprint_goal.clone(),
        progress: governance.plan.as_ref().map(|_| session.before),
        last,
        proposed: session.items.iter().map(proposed).collect(),
        phase_is_done: governance.phase_is_done(),
        automatic: session.automatic.as_deref().map(sentence),
        would_complete: session.sprint_goal.is_some()
            && left > 0
            && u32::try_from(planned).is_ok_and(|planned| planned >= left),
    }
}

fn proposed(item: &Item) -> Proposed {
    Proposed { title: item.title.clone(), estimate: item.estimate.clone(), goal: item.goal.clone() }
}
