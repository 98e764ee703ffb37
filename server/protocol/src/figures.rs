//! Figures of a period and the story of a session, the workspace or a file, on the wire.

use serde::{Deserialize, Serialize};

use crate::changes::Evidence;

/// So many agents, and so many types, are told at most: the busiest.
pub const MOST_NAMED: usize = 100;

/// The parts that a period is told in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Bucket {
    Hour,
    Day,
    /// From Monday on.
    Week,
}

/// Which figures are asked for. All filters that are set must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AskAnalytics {
    /// 30 days before the end where it is left out; with a session, where that began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub from: Option<i64>,
    /// No part of the period itself; now where it is left out; with a session, where that ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub to: Option<i64>,
    /// `day` where it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bucket: Option<Bucket>,
    /// How far the person's clock is ahead of UTC, so that days begin at their midnight; 0 where it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub utc_offset_minutes: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// A type of task: one of its labels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// A session's id (`s3`) or number (`9`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
}

/// So many of so many. Where `of` is 0 there is nothing to tell.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Rate {
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub part: u64,
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub of: u64,
}

/// Tasks that have ended in the period and stand so.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TaskFigures {
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub ended: u64,
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub completed: u64,
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub partial: u64,
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub blocked: u64,
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub failed: u64,
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub cancelled: u64,
    pub success: Rate,
    pub failure: Rate,
}

/// Runs that have ended in the period.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct RunFigures {
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub ended: u64,
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub completed: u64,
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub partial: u64,
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub blocked: u64,
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub failed: u64,
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub cancelled: u64,
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub timed_out: u64,
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub disconnected: u64,
    pub success: Rate,
    /// Failed, timed out or disconnected.
    pub failure: Rate,
}

/// How long runs took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TimeFigures {
    /// How many runs it is told of.
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub runs: u64,
    #[cfg_attr(feature = "generate", ts(type = "number | null"))]
    pub median_ms: Option<i64>,
    /// Nine in ten runs took no longer.
    #[cfg_attr(feature = "generate", ts(type = "number | null"))]
    pub p90_ms: Option<i64>,
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub total_ms: i64,
}

/// Hunks that were decided about in the period, also those whose decision was taken back afterwards.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct HunkFigures {
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub approved: u64,
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub rejected: u64,
    /// Whose decision was taken back in the period.
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub undone: u64,
    /// Whose decision was made again in the period.
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub redone: u64,
    pub approval: Rate,
    pub rejection: Rate,
}

/// Tokens, where agents told them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TokenFigures {
    /// How many runs told theirs.
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub runs: u64,
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub input: u64,
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub output: u64,
}

/// What was spent in one currency.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct CostFigures {
    pub currency: String,
    /// Exact, in decimals: `0.42`.
    pub amount: String,
    /// How many runs told so.
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub runs: u64,
}

/// What the processes of runs used, where that was seen: of runs that were started from here.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ResourceFigures {
    /// Of how many runs it is known.
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub runs: u64,
    #[cfg_attr(feature = "generate", ts(type = "number | null"))]
    pub cpu_median_ms: Option<i64>,
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub cpu_total_ms: i64,
    /// The most memory that one process held at a time; null where nothing is known.
    #[cfg_attr(feature = "generate", ts(type = "number | null"))]
    pub peak_memory_bytes: Option<u64>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Figures {
    pub tasks: TaskFigures,
    pub runs: RunFigures,
    pub times: TimeFigures,
    pub hunks: HunkFigures,
    pub tokens: TokenFigures,
    pub costs: Vec<CostFigures>,
    pub resources: ResourceFigures,
}

/// The figures of one agent or one type of task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct NamedFigures {
    /// Null: work of nobody that is known, or tasks without a label.
    pub name: Option<String>,
    pub figures: Figures,
}

/// The figures of one part of the period.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct BucketFigures {
    /// Where the part begins; the first may begin before the period, of which only what lies within is counted.
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub start: i64,
    pub figures: Figures,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Analytics {
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub from: i64,
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub to: i64,
    pub bucket: Bucket,
    pub total: Figures,
    /// The busiest first, at most 100.
    pub by_agent: Vec<NamedFigures>,
    /// By label, the busiest first, at most 100. A task with two labels counts for both.
    pub by_type: Vec<NamedFigures>,
    /// Every part in order, also those in which nothing happened.
    pub by_bucket: Vec<BucketFigures>,
    /// More happened than is counted (200,000 of a kind), so the oldest is left out.
    pub more: bool,
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub revision: u64,
}

/// Figures as a file for spreadsheets, in which no cell is a formula.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AnalyticsFile {
    pub text: String,
}

/// What a point of a timeline is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum PointKind {
    Session,
    TaskTaken,
    TaskEnded,
    RunStarted,
    RunEnded,
    Question,
    Revision,
    Decision,
    Report,
    Checkpoint,
    Flag,
    Finding,
    Commit,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum WhoKind {
    Person,
    Agent,
    Vcs,
    /// The host itself, also where it carries out a person's policy.
    Host,
    Unknown,
}

/// Who did it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TimelineWho {
    pub kind: WhoKind,
    /// Of a person or an agent.
    pub name: Option<String>,
}

/// Which part of the story is asked for. All filters that are set must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AskTimeline {
    /// A session's id (`s3`) or number (`9`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// A file's path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Only these kinds; all where it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kinds: Option<Vec<PointKind>>,
    /// Only what this kind of author did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub who: Option<WhoKind>,
    /// Only what the person or agent of this name did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Only points before this sequence number, newest first: the `next` of the page before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub before: Option<u64>,
    /// Only points after this sequence number, oldest first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub after: Option<u64>,
    /// At most 1,000; 200 where it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
}

/// One point. Its texts are bounded, and secrets in them are named instead of told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TimelinePoint {
    /// Of the record that it is made of.
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub sequence: u64,
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub time: i64,
    pub kind: PointKind,
    pub who: TimelineWho,
    pub task: Option<String>,
    pub task_title: Option<String>,
    pub run: Option<String>,
    pub session: Option<String>,
    /// The first, where it is about several.
    pub file: Option<String>,
    pub decision: Option<String>,
    /// Of the file's history, for `augment/timeline/diff` and `augment/changes/content`.
    pub step: Option<u32>,
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub added: u64,
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub removed: u64,
    pub evidence: Option<Evidence>,
    /// In words.
    pub summary: String,
}

/// Newest first, unless `after` was set. A page may hold fewer points than asked for, and even none, and still go on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Timeline {
    pub points: Vec<TimelinePoint>,
    /// Where to go on (`before`, or `after` if that was set); null at the end.
    #[cfg_attr(feature = "generate", ts(type = "number | null"))]
    pub next: Option<u64>,
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub revision: u64,
}

/// A step of a file's history.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OneStep {
    pub path: String,
    pub step: u32,
    /// The point of the timeline that the step was found at: the file may have another name since.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub sequence: Option<u64>,
}

/// What a step did to the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct StepDiff {
    /// What the file is called now.
    pub path: String,
    /// The step that it is compared with; null for the first.
    pub before: Option<u32>,
    pub step: u32,
    /// Unified, bounded to 256 KiB; empty where nothing in it changed.
    pub diff: String,
    /// The rest of the diff was left out.
    pub cut: bool,
}
