//! The ledger on the wire.

use serde::{Deserialize, Serialize};

/// One record of the ledger.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Record {
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub sequence: u64,
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub time: i64,
    pub actor: String,
    pub kind: String,
    pub subject: String,
    pub about: Vec<String>,
    #[cfg_attr(feature = "generate", ts(type = "unknown"))]
    pub data: serde_json::Value,
    pub version: u32,
    pub previous: String,
    pub hash: String,
}

impl Eq for Record {}

/// Which records to list. All filters that are set must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListRecords {
    /// A task's id, or the beginning of one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// A file's path: what happened to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// A session's id (`s3`) or number (`9`): what happened while it lasted, and what was recorded about it later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// `person:ada`, `run:b12.2` or `host`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actor: Option<String>,
    /// `task.added`, or `task` for all kinds that begin so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub since: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub until: Option<i64>,
    /// Only records before this sequence number: the `next` of the page before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub before: Option<u64>,
    /// Only records after this sequence number, oldest first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub after: Option<u64>,
    /// At most 1,000; 50 where it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
}

/// Newest first, unless `after` was set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct RecordList {
    pub records: Vec<Record>,
    /// Where to go on (`before`, or `after` if that was set); null at the end.
    #[cfg_attr(feature = "generate", ts(type = "number | null"))]
    pub next: Option<u64>,
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub revision: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OneRecord {
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub sequence: u64,
}

/// What checking the whole chain found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Verified {
    pub holds: bool,
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub records: u64,
    /// The hash of the last record: write it down elsewhere to find out later if the ledger was cut or rewritten.
    pub head: String,
    /// The first record that does not hold, and why.
    pub broken: Option<BrokenRecord>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct BrokenRecord {
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub sequence: u64,
    pub reason: String,
}
