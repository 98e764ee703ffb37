//! Prompt sessions in version control: what a person asked, the small commits that came of it, and the one commit that
//! tells the whole. Here are the texts and the rules: the message of a session's commit, what an intent may say, which
//! subjects a prompt touches, the research artifacts, and the judge of whether a prompt is closed.
//!
//! What is written has one form only; what is read may have any form that people have used. A prompt is kept to the byte
//! wherever it stands. Nothing here looks into a repository or a folder: whoever does gives what was found as plain values.

pub mod artifact;
pub mod guard;
pub mod intent;
pub mod message;
mod refusal;
mod stamp_line;
mod state;
mod steps;
pub mod subject;

pub use refusal::PromptRefusal;
pub use stamp_line::{looks_like_stamp, stamp_digits};
pub use state::{Began, Finished, Intent, Place, Plan, Prompt, PromptId, PromptState, Pushed, Role, Writing, Written};
pub use steps::{CommittedFiles, Draft, Outcome, Settled, Step};

pub(crate) use steps::step;

/// The longest prompt that is taken, in bytes. It stands in a commit's message and in an artifact, so it is bounded once.
pub const PROMPT_LIMIT: usize = 1024 * 1024;
