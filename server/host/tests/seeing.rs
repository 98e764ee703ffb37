//! What becomes of the files of a workspace is seen: all of it, once, with what was there before. Real files and real
//! repositories; the `git` program only makes the changes.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

#[path = "seeing/bench.rs"]
mod bench;

#[path = "seeing/first_look.rs"]
mod first_look;
#[path = "seeing/live.rs"]
mod live;
#[path = "seeing/trouble.rs"]
mod trouble;
#[path = "seeing/version_control.rs"]
mod version_control;
