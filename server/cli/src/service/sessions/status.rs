//! How it stands now: the session, what waits for the person, and all of it as text.

use std::fmt::Write as _;

use augment_core::session::{self, Governance, Session, SessionState, WaitingFlag};
use augment_core::task::{Status, Task};
use augment_core::view::View as _;
use augment_host::store::{ListQuery, Snapshot, StoreError};
use augment_protocol::queue::OutOfScope;
use augment_protocol::sessions as wire;
use augment_protocol::status::Trouble;

use super::to_wire;

/// How many flags that wait one answer carries.
const WAITING: usize = 100;
/// How many ready tasks are looked through for those outside of the scope.
const READY: usize = 100;

pub(super) fn status(snapshot: &Snapshot<'_>) -> Result<wire::SessionStatus, StoreError> {
    let view = snapshot.view();
    let governance = view.governance()?;
    let session = view.session()?;
    let flags = session::all_flags_to_answer(&view, WAITING)?;
    Ok(wire::SessionStatus {
        question: question(session.as_ref(), &flags),
        text: text(snapshot, session.as_ref(), &governance)?,
        session: session.as_ref().map(|session| to_wire::session(&view, session)).transpose()?,
        governance: to_wire::governance(&view, &governance)?,
        flags: flags.iter().map(to_wire::waiting_flag).collect(),
        from_earlier: Vec::new(),
        revision: snapshot.revision()?,
    })
}

/// The session that is under way, for the overall status.
pub(in crate::service) fn current(snapshot: &Snapshot<'_>) -> Result<Option<wire::Session>, StoreError> {
    let view = snapshot.view();
    view.session()?.map(|session| to_wire::session(&view, &session)).transpose()
}

/// Which of these tasks wait in vain, since a person confirmed a scope without them.
pub(in crate::service) fn out_of_scope(
    snapshot: &Snapshot<'_>,
    tasks: &[Task],
) -> Result<Option<OutOfScope>, StoreError> {
    let Some(session) = snapshot.view().session()? else { return Ok(None) };
    let pending = tasks.iter().filter(|task| task.status == Status::Pending && session.leaves_out(task.id));
    let tasks: Vec<String> = pending.map(|task| task.id.to_string()).collect();
    Ok((!tasks.is_empty()).then_some(OutOfScope { session: session.number, tasks }))
}

/// What could be taken if it were in the scope.
pub(in crate::service) fn ready_out_of_scope(snapshot: &Snapshot<'_>) -> Result<Option<OutOfScope>, StoreError> {
    let query = ListQuery { statuses: vec![Status::Pending], ready: true, limit: READY, ..ListQuery::default() };
    out_of_scope(snapshot, &snapshot.list(&query)?.tasks)
}

/// What of the session a person should look at, a line each.
pub(in crate::service) fn troubles(snapshot: &Snapshot<'_>) -> Result<Vec<Trouble>, StoreError> {
    let view = snapshot.view();
    let mut lines: Vec<String> = view.session()?.as_ref().and_then(waits).into_iter().collect();
    let flags = session::all_flags_to_answer(&view, WAITING)?;
    if let [WaitingFlag { flag: first, .. }, rest @ ..] = &flags[..] {
        let more = match rest.len() {
            0 => String::new(),
            count => format!(" (and {count} more)"),
        };
        lines.push(format!("{}: {}{more} augment-cli session flag {}", first.id, first.message(), first.id));
    }
    Ok(lines.into_iter().map(|message| Trouble { message, task: None }).collect())
}

/// What the session itself waits for.
fn waits(session: &Session) -> Option<String> {
    let number = session.number;
    match session.state {
        SessionState::Planned => {
            let named = if session.items.is_empty() { " --title TITLE" } else { "" };
            Some(format!("The scope of session {number:03} waits for a yes: augment-cli session confirm{named}"))
        }
        SessionState::Checkpoint => Some(format!(
            "Session {number:03} waits at a checkpoint after {} tasks: augment-cli session checkpoint",
            session.streak
        )),
        SessionState::Confirmed
        | SessionState::Working
        | SessionState::Ending
        | SessionState::Ended
        | SessionState::Abandoned => None,
    }
}

/// The most pressing of what waits: without a scope nothing goes on, at a checkpoint no agent is started.
fn question(session: Option<&Session>, flags: &[WaitingFlag]) -> Option<String> {
    match session.map(|session| session.state) {
        Some(SessionState::Planned) if session.is_some_and(|session| session.items.is_empty()) => {
            Some("What is in scope?".to_owned())
        }
        Some(SessionState::Planned) => Some("Confirm scope, or adjust?".to_owned()),
        Some(SessionState::Checkpoint) => Some("Continue, or adjust scope?".to_owned()),
        Some(
            SessionState::Confirmed
            | SessionState::Working
            | SessionState::Ending
            | SessionState::Ended
            | SessionState::Abandoned,
        )
        | None => flags.first().map(|WaitingFlag { flag, .. }| {
            let is_open = session.is_some_and(|session| session.id == flag.session);
            // The scope of a session that is over cannot be extended.
            let ways =
                if is_open { "Extend the scope, log it, or allow it once?" } else { "Log it, or allow it once?" };
            format!("{}: {} {ways}", flag.id, flag.message())
        }),
    }
}

fn text(snapshot: &Snapshot<'_>, session: Option<&Session>, governance: &Governance) -> Result<String, StoreError> {
    let Some(session) = session else { return Ok(idle(governance)) };
    Ok(match session.state {
        SessionState::Planned => session::start_report(session, governance).render(),
        SessionState::Checkpoint => session::checkpoint_of(&snapshot.view(), session)?.render(),
        SessionState::Confirmed
        | SessionState::Working
        | SessionState::Ending
        | SessionState::Ended
        | SessionState::Abandoned => {
            let record = session::checkpoint_of(&snapshot.view(), session)?.record();
            record.replacen("Session checkpoint", &format!("Session {:03}", session.number), 1)
        }
    })
}

/// What is told while no session is under way.
fn idle(governance: &Governance) -> String {
    let mut text = "No session is under way.\n".to_owned();
    if let Some(phase) = governance.phase() {
        write!(text, "Phase: {phase}").unwrap_or_default();
        if let Some(progress) = governance.progress() {
            let (bar, percent) = (progress.bar(), progress.percent());
            write!(text, " {bar} {percent}% ({}/{} tasks)", progress.done, progress.total).unwrap_or_default();
        }
        text.push('\n');
    }
    if let Some(goal) = governance.sprint_goal() {
        writeln!(text, "Sprint goal: \"{goal}\"").unwrap_or_default();
    }
    augment_core::text::visible_lines(&text).into_owned()
}
