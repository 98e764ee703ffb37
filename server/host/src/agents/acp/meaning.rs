//! What an agent says over its protocol, in our words. No field here is named after the protocol's: a later version of it
//! gets a module beside `v1` that makes the same things of other messages.

use std::path::PathBuf;

use augment_core::run::Stopped;

use crate::agents::adapter::AskedOption;

/// Why a request of ours was not done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Problem {
    pub(super) kind: ProblemKind,
    pub(super) message: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ProblemKind {
    /// Somebody has to log in first.
    LogIn,
    Cancelled,
    Other,
}

/// The first answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Greeting {
    pub(super) version: i64,
    pub(super) agent: Option<String>,
    /// The ways to log in that it names.
    pub(super) log_ins: Vec<String>,
}

/// A session was opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Opened {
    pub(super) session: String,
    /// The mode that it is in.
    pub(super) mode: Option<String>,
    pub(super) modes: Vec<String>,
}

/// A turn has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TurnOver {
    /// Why, or the word for it that we do not know.
    pub(super) stopped: Result<Stopped, String>,
    pub(super) used: Option<Tokens>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tokens {
    pub(super) input: u64,
    pub(super) output: u64,
}

/// Something that is told without being asked.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Update {
    Message {
        /// Names the message that this is a part of, where it says so.
        message: Option<String>,
        text: String,
    },
    Thought {
        text: String,
    },
    Call(CallNews),
    Plan {
        lines: Vec<String>,
    },
    /// What the session has cost so far.
    Cost {
        cost: String,
    },
    /// The agent's own word on whether its model can be reached.
    Model(ModelHealth),
    /// Known or not, it says nothing that matters here.
    Other,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ModelHealth {
    Works,
    Failed,
}

/// What is newly known of a tool call.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct CallNews {
    pub(super) call: String,
    pub(super) title: Option<String>,
    pub(super) kind: Option<CallKind>,
    pub(super) step: Option<CallStep>,
    /// What it would change, or has changed.
    pub(super) changes: Vec<Change>,
    /// Files that it has to do with.
    pub(super) places: Vec<PathBuf>,
    /// The command line that it runs.
    pub(super) command: Option<String>,
    /// What its tool gave.
    pub(super) text: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CallKind {
    /// It edits, deletes or moves files.
    ChangesFiles,
    Else,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CallStep {
    Waits,
    Works,
    Done,
    Failed,
}

/// A change of one file, as an agent describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Change {
    pub(super) path: PathBuf,
    pub(super) before: Option<String>,
    pub(super) after: String,
    pub(super) extent: Extent,
}

/// How much of the file a change shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// `after` is all that will be in the file.
    Whole,
    /// It may be the changed part only.
    Part,
}

/// The agent asks for leave.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Question {
    pub(super) about: CallNews,
    pub(super) options: Vec<AskedOption>,
}
