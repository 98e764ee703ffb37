//! A prompt session on plain git: what is committed, what stays as it was, what is refused. Real repositories; the `git`
//! program prepares them and judges what became of them.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

#[path = "git_history/bench.rs"]
mod bench;

#[path = "git_history/committing.rs"]
mod committing;
#[path = "git_history/places.rs"]
mod places;
#[path = "git_history/programs.rs"]
mod programs;
#[path = "git_history/random.rs"]
mod random;
#[path = "git_history/remotes.rs"]
mod remotes;
#[path = "support/script.rs"]
mod script;
#[path = "git_history/synthesising.rs"]
mod synthesising;
