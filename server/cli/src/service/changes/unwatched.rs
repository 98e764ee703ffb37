//! A task in progress whose files nobody watches: what changes then is found late, and without a word on who it was.

use augment_protocol::changes::{WatchState, Watching};
use augment_protocol::status::OverallStatus;

/// What is wrong, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unwatched {
    pub(crate) found: String,
    pub(crate) advice: String,
}

/// Says so where a task is being worked on and nobody sees what happens to the files.
pub(crate) fn unwatched(status: &OverallStatus) -> Option<Unwatched> {
    let worked_on = match &status.active[..] {
        [] => return None,
        [one] => format!("{} is being worked on", one.id),
        [first, ..] => format!("{} and others are being worked on", first.id),
    };
    let Watching { state, message, .. } = &status.watching;
    match (status.host.lasting, state) {
        (true, WatchState::Watching | WatchState::Polling | WatchState::Partly) => None,
        (true, WatchState::Once | WatchState::Off) => Some(Unwatched {
            found: format!("{worked_on}, but nobody watches the files: {message}"),
            advice: "Until they are watched, changes are not known, or not who made them.".to_owned(),
        }),
        // What this one process has seen by itself says nothing about what happens after it.
        (false, _) => Some(Unwatched {
            found: format!("{worked_on}, but nobody watches the files: no host is running."),
            advice: "Changes are found only by the next command, and then nobody is known to have made them. \
                     `augment-cli watch` starts a host that watches, and so does an editor with the extension."
                .to_owned(),
        }),
    }
}
