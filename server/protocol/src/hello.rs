//! The first line in each direction of a connection, before any JSON-RPC: who is calling, and whether they are let in.
//! Each is one line of JSON, at most `HELLO_LIMIT` bytes.

use serde::{Deserialize, Serialize};

/// The longest hello that is read.
pub const HELLO_LIMIT: usize = 4096;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ClientHello {
    pub protocol: u32,
    /// The person's token, or a run's.
    pub token: String,
    /// The version of the calling program, `major.minor.patch`.
    pub version: String,
    /// What is calling, for the log: `cli`, `serve`, …
    pub client: String,
    /// Set by a newer program that wants this host to leave, so that it can start its own.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hand_over: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "answer")]
pub enum HostHello {
    #[serde(rename_all = "camelCase")]
    Welcome { protocol: u32, version: String, role: String, pid: u32 },
    /// The host is leaving to make room for a newer one.
    HandingOver,
    #[serde(rename_all = "camelCase")]
    Refused { code: String, message: String },
}
