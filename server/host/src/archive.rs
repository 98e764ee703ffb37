//! Archives of sessions as they lie in the workspace: one folder a session with a summary for people, a record for programs
//! and the session's part of the ledger.
//!
//! Archives come with the repository and from other machines, so nothing in them is trusted: what is read is bounded, links
//! are not followed, and what does not fit the form is an error that names the file and the key. Nothing here judges a session.

pub mod form;
pub mod lines;
pub mod read;

/// Where archives lie in a workspace unless a setting says otherwise.
pub const DEFAULT_FOLDER: &str = "memory-bank/augment-sessions";
