//! The ledger: what happened, in order, each record bound to the one before by its hash. Nothing here stores anything;
//! the one encoding that is hashed is in `encoding`.

pub mod chain;
pub mod copy;
mod data;
mod encoding;

use std::fmt;

use crate::actor::Actor;
use crate::file::FilePath;
use crate::id::{RunId, TaskId};
use crate::prompt::PromptId;
use crate::review::DecisionId;
use crate::session::SessionId;
use crate::time::Wall;

pub use chain::{Break, Hash, Head, Link, check_next};
pub use data::Data;
pub use encoding::write_text;

/// The version of the record form, kept in each record.
pub const RECORD_VERSION: u32 = 1;

/// What a decision wants recorded. The store gives it a sequence number, a time and its place in the chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    pub actor: Actor,
    pub kind: &'static str,
    pub subject: Topic,
    pub about: Vec<Topic>,
    pub data: Data,
}

/// Something that records can be looked up by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Topic {
    Workspace,
    Task(TaskId),
    Run(RunId),
    Agent(String),
    Setting(&'static str),
    File(FilePath),
    Decision(DecisionId),
    Session(SessionId),
    Prompt(PromptId),
}

impl fmt::Display for Topic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Workspace => write!(f, "workspace"),
            Self::Task(id) => write!(f, "task:{id}"),
            Self::Run(id) => write!(f, "run:{id}"),
            Self::Agent(name) => write!(f, "agent:{name}"),
            Self::Setting(key) => write!(f, "setting:{key}"),
            Self::File(path) => write!(f, "file:{}", path.to_text().replace('\n', "\\x0a")),
            Self::Decision(id) => write!(f, "decision:{id}"),
            Self::Session(id) => write!(f, "session:{id}"),
            Self::Prompt(id) => write!(f, "prompt:{id}"),
        }
    }
}

/// A record as it is kept: every part as the exact text that was hashed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    pub sequence: u64,
    pub time: Wall,
    pub actor: String,
    pub kind: String,
    pub subject: String,
    pub about: Vec<String>,
    /// Canonical JSON.
    pub data: String,
    pub version: u32,
}

impl Record {
    #[must_use]
    pub fn of(event: &Event, sequence: u64, time: Wall) -> Self {
        Self {
            sequence,
            time,
            actor: event.actor.to_string(),
            kind: event.kind.to_owned(),
            subject: event.subject.to_string(),
            about: event.about.iter().map(ToString::to_string).collect(),
            data: event.data.canonical(),
            version: RECORD_VERSION,
        }
    }
}
