//! The completion of sessions on the wire: the seven steps after a session's end, and what a person adds to them.

use serde::{Deserialize, Serialize};

use crate::sessions::Session;

/// A step in which an ended session is completed, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum ClosingStepName {
    Confirmation,
    Outputs,
    Summary,
    Knowledge,
    CleanUp,
    Archive,
    Notification,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum StepOutcome {
    Waiting,
    Done,
    /// It can be run again, and did not stop the others.
    Failed,
    /// There was nothing to do in it.
    Skipped,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ClosingStep {
    pub step: ClosingStepName,
    pub outcome: StepOutcome,
    /// What shows the outcome, a line each.
    pub evidence: Vec<String>,
    /// When it came to its outcome; null while it waits for the first time.
    #[cfg_attr(feature = "generate", ts(type = "number | null"))]
    pub at: Option<i64>,
    pub tries: u32,
}

/// Something that a session has made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Artifact {
    pub path: String,
    /// BLAKE3, in hexadecimal.
    pub hash: Option<String>,
    #[cfg_attr(feature = "generate", ts(type = "number | null"))]
    pub size: Option<u64>,
    /// `present`, `missing` or `differs`.
    pub check: String,
    /// `workspace`, `folder:PATH` or `commit:ID`.
    pub delivered: String,
    pub received: bool,
}

/// How a session was completed after its end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Closing {
    /// The version of the rules that it follows.
    pub protocol: String,
    /// All seven, in their order.
    pub steps: Vec<ClosingStep>,
    pub artifacts: Vec<Artifact>,
    /// What a person has learnt in it.
    pub learnings: Vec<String>,
    /// From 1 to 5.
    pub rating: Option<u32>,
    pub feedback: Option<String>,
    pub tags: Vec<String>,
    /// The folder of the archive, from the root of the workspace; null where there is none.
    pub archive: Option<String>,
}

/// What a person adds to a session that has ended. What is left of its steps is done, and what this is about once more.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CompleteSession {
    /// By its id (`s3`) or its number (`9`); the newest where none is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// Files that it has made, besides those that its tasks changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub artifacts: Vec<String>,
    /// A folder of the workspace that they are copied to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deliver: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub learnings: Vec<String>,
    /// From 1 to 5.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub feedback: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
}

/// A session that has ended, with what came of its steps.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ClosedSession {
    pub session: Session,
    pub closing: Closing,
}
