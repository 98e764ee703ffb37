//! The rules of Augment Orchestrator.
//!
//! The core decides: it is given an input, the time and a view of what is known, and returns what should happen. It
//! never does: nothing in this crate reads a clock, a file, an environment variable or the network, starts a thread or
//! a process, or knows a wire format. A rule that lives here can be tested in microseconds and replayed.

pub mod actor;
pub mod adherence;
pub mod agent;
pub mod analytics;
pub mod attribution;
pub mod closing;
pub mod completion;
pub mod demo;
pub mod diff;
pub mod document;
pub mod file;
pub mod glob;
pub mod id;
pub mod knowledge;
pub mod ledger;
pub mod prompt;
pub mod queue;
pub mod refusal;
pub mod report;
pub mod review;
pub mod run;
pub mod scan;
pub mod session;
pub mod settings;
#[cfg(feature = "simulation")]
pub mod simulation;
pub mod stamp;
pub mod task;
pub mod text;
pub mod time;
pub mod timeline;
pub mod turn;
pub mod view;
pub mod weave;
pub mod written_text;
