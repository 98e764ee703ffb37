//! Agents as processes, with real ones: each test starts a keeper (this package's own program) and an agent (a shell, or
//! this test program itself), does to them what happens in life, and asserts what the host is told and that nothing is
//! left running. Nothing here waits by the clock: tests wait for an event, for a line of output, or for a process's end.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]
#![expect(clippy::wildcard_enum_match_arm, reason = "a test names the events that it is about")]

#[path = "agents/ending.rs"]
mod ending;
#[path = "agents/hosts.rs"]
mod hosts;
#[path = "agents/output.rs"]
mod output;
#[path = "agents/rig.rs"]
mod rig;
#[path = "../../host/tests/support/script.rs"]
mod script;
#[path = "agents/starting.rs"]
mod starting;
