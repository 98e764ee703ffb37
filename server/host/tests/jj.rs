//! The history of a prompt session with the real jj: what is committed is exactly what was wanted, the files on disk are
//! the same before and after to the byte and the time, and nothing that a remote has is ever overwritten.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

#[path = "jj/bench.rs"]
mod bench;
#[path = "jj/committing.rs"]
mod committing;
#[path = "jj/interrupted.rs"]
mod interrupted;
#[path = "jj/pushing.rs"]
mod pushing;
#[path = "jj/random.rs"]
mod random;
#[path = "jj/reading.rs"]
mod reading;
#[path = "support/script.rs"]
mod script;
#[path = "jj/synthesising.rs"]
mod synthesising;
#[path = "jj/taking_back.rs"]
mod taking_back;
