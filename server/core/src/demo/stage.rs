//! How far a person has come in the demo, from what is so, not from what was clicked: whoever goes another way, or uses the
//! terminal, is not led astray.

use crate::session::SessionState;

/// What the person's next step is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Start a session.
    Start,
    /// Confirm the scope that it proposes.
    Confirm,
    /// Start the built-in agent.
    StartAgent,
    /// See it work.
    Watch,
    /// Answer its question.
    Answer,
    /// Approve and reject.
    Review,
    /// End the session.
    End,
    /// A session was ended with its record.
    Done,
}

/// What is so in the demo workspace.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Facts {
    /// Of the session that is under way.
    pub session: Option<SessionState>,
    /// A session with work in it has ended.
    pub has_ended: bool,
    /// One of those had the agent's task in its scope, which had ended.
    pub is_gone_through: bool,
    /// The agent's task waits or is worked on.
    pub is_task_open: bool,
    /// The built-in agent is at work.
    pub is_run_active: bool,
    pub is_asked: bool,
    pub pending_hunks: u32,
}

#[must_use]
pub fn stage(facts: &Facts) -> Stage {
    // Once it was gone through, whatever else is done here is no part of it.
    if facts.is_gone_through && !facts.is_task_open {
        return Stage::Done;
    }
    match facts.session {
        None if facts.has_ended => Stage::Done,
        None => Stage::Start,
        Some(SessionState::Planned) => Stage::Confirm,
        Some(SessionState::Confirmed | SessionState::Working | SessionState::Checkpoint) => under_way(facts),
        Some(SessionState::Ending) => Stage::End,
        // These are not under way; whoever sees one has read between two turns.
        Some(SessionState::Ended | SessionState::Abandoned) => Stage::Done,
    }
}

/// A question holds the agent up, so it comes first; what is pending is decided before another attempt is made.
fn under_way(facts: &Facts) -> Stage {
    match facts {
        Facts { is_asked: true, .. } => Stage::Answer,
        Facts { is_run_active: true, .. } => Stage::Watch,
        Facts { pending_hunks: 1.., .. } => Stage::Review,
        Facts { is_task_open: true, .. } => Stage::StartAgent,
        Facts { .. } => Stage::End,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_stage_follows_from_what_is_so() {
        let fresh = Facts { is_task_open: true, ..Facts::default() };
        let confirmed = Facts { session: Some(SessionState::Confirmed), ..fresh };
        let runs = Facts { session: Some(SessionState::Working), is_run_active: true, ..fresh };
        let done = Facts { session: Some(SessionState::Working), ..Facts::default() };
        for (facts, expected) in [
            (fresh, Stage::Start),
            (Facts { session: Some(SessionState::Planned), ..fresh }, Stage::Confirm),
            (confirmed, Stage::StartAgent),
            (runs, Stage::Watch),
            (Facts { is_asked: true, ..runs }, Stage::Answer),
            (Facts { pending_hunks: 3, ..runs }, Stage::Watch),
            (Facts { pending_hunks: 3, ..done }, Stage::Review),
            (Facts { pending_hunks: 3, ..confirmed }, Stage::Review),
            (done, Stage::End),
            (Facts { session: Some(SessionState::Checkpoint), ..done }, Stage::End),
            (Facts { session: Some(SessionState::Ending), ..done }, Stage::End),
            (Facts { has_ended: true, ..Facts::default() }, Stage::Done),
            (Facts { has_ended: true, pending_hunks: 2, ..fresh }, Stage::Done),
            // A second session leads to the agent's task if the first did not, and is the person's own otherwise.
            (Facts { has_ended: true, session: Some(SessionState::Planned), ..fresh }, Stage::Confirm),
            (Facts { has_ended: true, pending_hunks: 2, ..done }, Stage::Review),
            (Facts { has_ended: true, is_gone_through: true, ..done }, Stage::Done),
            (Facts { has_ended: true, is_gone_through: true, ..runs }, Stage::Watch),
        ] {
            assert_eq!(stage(&facts), expected, "{facts:?}");
        }
    }
}
