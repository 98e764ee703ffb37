//! The demo workspace: how far the person has come in it.

use serde::{Deserialize, Serialize};

/// What the person's next step in the demo is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum DemoStage {
    Start,
    Confirm,
    StartAgent,
    Watch,
    Answer,
    Review,
    End,
    Done,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct DemoStatus {
    /// Null where the workspace is no demo of ours.
    pub stage: Option<DemoStage>,
    /// The agent that is built in for it.
    pub agent: String,
    /// The task that this agent knows how to do; null once it has ended or was removed.
    pub task: Option<String>,
    /// The question that waits; null where none does.
    pub question: Option<String>,
    /// Hunks that wait for a decision.
    pub pending: u32,
}
