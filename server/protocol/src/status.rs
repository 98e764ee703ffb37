//! The state of the whole, and the notice that something moved.

use serde::{Deserialize, Serialize};

use crate::changes::{ChangeCounts, Preview, Watching};
use crate::prompts::{FinishedPrompt, IntentCommitted, PushedPrompt, StartedPrompt, UndonePrompt};
use crate::queue::{Counts, Task};
use crate::sessions::{CommitProposal, Session};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct OverallStatus {
    pub workspace: String,
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub revision: u64,
    pub host: HostStatus,
    pub counts: Counts,
    /// What is being worked on, at most 20.
    pub active: Vec<Task>,
    pub changes: ChangeCounts,
    pub watching: Watching,
    /// The session that is under way; null where none is.
    pub session: Option<Session>,
    /// What a person should look at, at most 20.
    pub troubles: Vec<Trouble>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct HostStatus {
    pub version: String,
    pub pid: u32,
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub started_at: i64,
    /// False when a single command answered by itself because no host was running.
    pub lasting: bool,
    pub clients: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Trouble {
    pub message: String,
    /// The task it is about, if any.
    pub task: Option<String>,
}

/// Sent after something was written: what moved, and to which revision. It carries no data; fetch what you show.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Moved {
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub revision: u64,
    pub parts: Vec<Part>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    Queue,
    Ledger,
    Settings,
    Changes,
    /// Runs, questions and hand-offs.
    Agents,
    /// Sessions, their reports and flags.
    Sessions,
    /// Prompt sessions and what was committed for them.
    Prompts,
}

/// The `data` of a JSON-RPC error that is a refusal or a failure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct RefusalData {
    /// Stable, for programs: `unknown-task`, `stale`, …
    pub code: String,
    /// For `stale`: the task as it is now.
    pub task: Option<Task>,
    /// For `entangled`: what the decision would do.
    pub preview: Option<Preview>,
    /// For `parallel-branch` and `foreign-commit`: the branch or the commit, as it can be named to leave it out or to count
    /// it in.
    #[serde(default)]
    pub named: Option<String>,
    /// For `shown-otherwise` at `augment/prompt/start`: what lies in the tree now.
    #[serde(default)]
    pub start: Option<StartedPrompt>,
    /// For `shown-otherwise` at `augment/prompt/intent`: what would be committed now.
    #[serde(default)]
    pub intent: Option<IntentCommitted>,
    /// For `shown-otherwise` at `augment/prompt/finish`: what would be written now.
    #[serde(default)]
    pub finish: Option<FinishedPrompt>,
    /// For `shown-otherwise` at `augment/prompt/undo`: what would be taken back now.
    #[serde(default)]
    pub undo: Option<UndonePrompt>,
    /// For `shown-otherwise` at `augment/prompt/push`: what would be pushed now.
    #[serde(default)]
    pub push: Option<PushedPrompt>,
    /// For `shown-otherwise` at `augment/session/commit`: what would be committed now.
    #[serde(default)]
    pub commit: Option<CommitProposal>,
}

impl RefusalData {
    /// A refusal with nothing but its code.
    #[must_use]
    pub fn of(code: &str) -> Self {
        Self {
            code: code.to_owned(),
            task: None,
            preview: None,
            named: None,
            start: None,
            intent: None,
            finish: None,
            undo: None,
            push: None,
            commit: None,
        }
    }
}

/// What the host tells about itself in the answer to `initialize`, under `capabilities.experimental.augment`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Introduction {
    pub protocol: u32,
    pub workspace: String,
    /// `person` or `run`.
    pub role: String,
    pub pid: u32,
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub revision: u64,
}

/// For the methods that need no parameters.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS), ts(type = "{ [key: string]: never }"))]
#[serde(deny_unknown_fields)]
pub struct Nothing {}
