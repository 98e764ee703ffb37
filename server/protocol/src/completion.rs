//! Completion reports on the wire. What an agent reports is its claim: clients show it as such, and as text.

use serde::{Deserialize, Serialize};

/// What an agent said about its work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct CompletionReport {
    pub status: ReportedStatus,
    /// With one `@` before it.
    pub agent: Option<String>,
    /// As the agent wrote it; it may be no time at all.
    pub timestamp: Option<String>,
    /// May have several lines, and may be empty.
    pub summary: String,
    pub metrics: Vec<ReportedMetric>,
    pub next_steps: Vec<NextStep>,
    pub decisions: Vec<DecisionPoint>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum ReportedStatus {
    Completed,
    Partial,
    Blocked,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ReportedMetric {
    pub name: String,
    /// As the agent wrote it.
    pub value: String,
    /// `files`, `percent` and the like, for the metrics that all agents have in common.
    pub unit: Option<String>,
}

/// An agent that should work next.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct NextStep {
    /// With one `@` before it.
    pub agent: String,
    pub reason: Option<String>,
}

/// Something that a person has to decide.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct DecisionPoint {
    pub question: String,
    pub options: Vec<Choice>,
    /// What the agent would choose: the value of an option, or its own words.
    pub recommendation: Option<String>,
}

/// One way to answer: what goes back to the agent, and what a person reads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Choice {
    pub value: String,
    pub text: String,
}
