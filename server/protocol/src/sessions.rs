//! Sessions on the wire: what is to be done and was agreed to, what was told of it, and what fell outside.

use serde::{Deserialize, Deserializer, Serialize};

use crate::archive::KnowledgeEntry;
use crate::changes::Decided;
use crate::closing::Closing;
use crate::queue::Task;

/// Where a session stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum SessionState {
    /// A scope is proposed and waits for a yes. No agent is started, and what agents write is unauthorised.
    Planned,
    /// The scope is agreed to, and nothing has been started yet.
    Confirmed,
    Working,
    /// So many tasks have ended in a row that the person is asked whether to go on. No agent is started meanwhile.
    Checkpoint,
    /// The record is being written.
    Ending,
    Ended,
    /// It ended before anything was done.
    Abandoned,
}

/// One thing of a session's scope.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ScopeItem {
    pub title: String,
    /// The queue's task for it; null while the scope is not confirmed.
    pub task: Option<String>,
    /// What it serves.
    pub goal: Option<String>,
    /// Whether the plan has a task of this title.
    pub planned: bool,
    pub estimate: Option<String>,
    /// How its task ended: `completed`, `partial`, `blocked`, `failed`, `cancelled`, or `rejected` where all of a completed
    /// task's work was taken back in review; null before.
    pub end: Option<String>,
    /// Patterns of its task's own. Its work may write there and where the session may; where neither says anything, everywhere.
    pub paths: Vec<String>,
    /// How many hunks of its work wait for a decision, also once it has ended.
    pub waiting: u32,
}

/// How much of the plan's current phase is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Progress {
    pub done: u32,
    pub total: u32,
    /// Rounded down; 100 only for all.
    pub percent: u32,
    /// Of ten, rounded up.
    pub cells: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Session {
    /// `s1`, `s2`, …
    pub id: String,
    /// The project's own count, as its changelog goes on: 9 for `session 009`.
    pub number: u32,
    pub state: SessionState,
    /// The version of the rules that it is held to.
    pub protocol: String,
    /// Why it began by itself; null where a person started it.
    pub automatic: Option<String>,
    pub model: Option<String>,
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub started_at: i64,
    #[cfg_attr(feature = "generate", ts(type = "number | null"))]
    pub confirmed_at: Option<i64>,
    #[cfg_attr(feature = "generate", ts(type = "number | null"))]
    pub ended_at: Option<i64>,
    /// Why it ended, where a person did not end it.
    pub end_reason: Option<String>,
    pub phase: Option<String>,
    pub sprint_goal: Option<String>,
    /// Of the plan's current phase, when it began and now.
    pub before: Progress,
    pub now: Progress,
    pub items: Vec<ScopeItem>,
    /// Where its work may write, as patterns; empty where that was not said.
    pub paths: Vec<String>,
    /// Tasks that have ended since the person last gave a direction, and how many make a checkpoint.
    pub streak: u32,
    pub checkpoint_after: u32,
    /// How many checkpoints it has come to, the one that it waits at among them.
    #[serde(default)]
    pub checkpoints: u32,
    /// Tasks that were discovered in it, by title.
    pub discovered: Vec<String>,
}

/// What the project's documents say before anything begins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Governance {
    pub project: String,
    /// Documents that were read, and those that are not there, by path.
    pub read: Vec<String>,
    pub missing: Vec<String>,
    /// What could not be understood in them, with the line.
    pub problems: Vec<String>,
    pub phase: Option<String>,
    pub sprint_goal: Option<String>,
    pub progress: Option<Progress>,
    /// The number that the next session gets.
    pub next_session: u32,
    /// The model that the plan asks for.
    pub model: Option<String>,
    /// What the plan proposes to do next, at most three.
    pub proposed: Vec<ScopeItem>,
}

/// A change that is not covered by what was agreed to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Flag {
    /// `f1`, `f2`, …
    pub id: String,
    pub session: String,
    pub kind: FlagKind,
    pub path: String,
    pub run: Option<String>,
    pub task: Option<String>,
    /// Whether the agent asked for it as needed, or only did it.
    pub needed: bool,
    /// Why it is needed, in the agent's words.
    pub why: Option<String>,
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub time: i64,
    /// Null while it waits for an answer.
    pub answer: Option<FlagAnswer>,
    pub answered_by: Option<String>,
    /// The hunks of it that wait, by id, at most 1,000, where it is listed as waiting; null elsewhere.
    pub hunks: Option<Vec<String>>,
    /// In words.
    pub message: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum FlagKind {
    /// Outside the paths of the confirmed scope.
    OutOfScope,
    /// Written before any scope was confirmed.
    Unauthorised,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum FlagAnswer {
    /// The scope covers this path from now on.
    Extend,
    /// It goes to the queue as discovered, and the change is taken out.
    Log,
    /// This file for this task, and no more.
    AllowOnce,
    /// Taken out because the policy says so.
    RolledBack,
    /// What an agent asked for was refused, and nothing was written.
    Refused,
}

/// What is going on, for whoever asks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SessionStatus {
    /// The session that is under way; null where none is.
    pub session: Option<Session>,
    pub governance: Governance,
    /// Flags that wait for an answer, those of sessions that have ended as well, at most 100.
    pub flags: Vec<Flag>,
    /// What a person has to answer, in words; null where nothing waits.
    pub question: Option<String>,
    /// The whole of it as text.
    pub text: String,
    /// What was learnt earlier and matches this session, at most 5.
    #[serde(default)]
    pub from_earlier: Vec<KnowledgeEntry>,
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub revision: u64,
}

/// Begins a session: what the project's documents say is read, and a scope is proposed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StartSession {
    /// The model that will be at work.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The session under way that began by itself, where the person agrees that it is ended for the new one. Without that a
    /// start is refused with `session-began-by-itself`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ends: Option<String>,
}

/// A thing to be done, as a person names it: a task of the queue by its id, one of the plan by its title, or new.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ScopeDraft {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goal: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub estimate: Option<String>,
}

/// The yes to a scope: the proposed one, or this one instead.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ConfirmScope {
    /// The session that was shown, as in `s3` or `009`; another one is refused with `other-session`. The one under way where it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub items: Option<Vec<ScopeDraft>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paths: Option<Vec<String>>,
}

/// Changes a scope. Every adjustment is a direction, so the count towards the next checkpoint begins anew.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AdjustScope {
    /// As in `ConfirmScope`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub add: Vec<ScopeDraft>,
    /// Things to be taken out of the scope, by task id or title.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remove: Vec<String>,
    /// Tasks of the queue that are only noted as discovered, for another time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub log: Vec<String>,
    /// The paths from now on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paths: Option<Vec<String>>,
    /// Paths that are added.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub add_paths: Vec<String>,
    /// The checkpoint that was shown: the session's `checkpoints`, or null where it waited at none. Whichever waits is answered where it is left
    /// out, and one that was not shown is refused with `other-checkpoint`.
    #[serde(default, deserialize_with = "said", skip_serializing_if = "Option::is_none")]
    pub checkpoint: Option<Option<u32>>,
    /// The paths that were shown when `paths` were named; where they are others by now, it is refused with `other-paths`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shown_paths: Option<Vec<String>>,
}

/// Tells null, which is something said, from what is left out.
fn said<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

/// The answer to a checkpoint: to go on as agreed. Adjusting the scope is an answer, too.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AnswerCheckpoint {
    /// As in `ConfirmScope`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The checkpoint that was shown: the session's `checkpoints`. Another one is refused with `other-checkpoint`. The one that waits where it
    /// is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checkpoint: Option<u32>,
}

/// Ends the session: the report, the changelog's entry, the plan's marks.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EndSession {
    /// As in `ConfirmScope`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// What the entry in the changelog is called; made of what was done where it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What was decided and should be known later.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub decisions: Vec<String>,
}

/// The commit that would make the record part of the project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct CommitProposal {
    pub message: String,
    /// The documents that it would hold, by path.
    pub files: Vec<String>,
    /// Why it cannot be made by us; null where it can.
    pub problem: Option<String>,
    /// Those of the documents that are not as the session's end left them.
    #[serde(default)]
    pub changed: Vec<String>,
    /// Stands for the documents as they are now; a yes gives it back.
    #[serde(default)]
    pub confirm: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct EndedSession {
    pub session: Session,
    /// The last report; null where nothing was done.
    pub report: Option<SessionReport>,
    /// What came of each document, in words.
    pub documents: Vec<String>,
    /// Null where there is nothing to commit.
    pub commit: Option<CommitProposal>,
    /// How it was completed; null where nothing was done.
    pub closing: Option<Closing>,
}

/// Commits the documents of an ended session, after a person's yes to the proposal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CommitSession {
    pub session: String,
    /// That of the proposal that was shown. Where a document has changed since, it is refused with `shown-otherwise` and the proposal as it is
    /// now. Documents are committed as they are where it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirm: Option<String>,
    /// The same without a proposal, for who was only told that the session has ended: the documents have to be as its end left them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub as_ended: Option<bool>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct CommittedSession {
    /// The new commit's id, in hex.
    pub commit: String,
    pub message: String,
    /// What of it is not as the session's end left it, a sentence each.
    pub notes: Vec<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListSessions {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
}

/// The newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SessionList {
    pub sessions: Vec<Session>,
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub revision: u64,
}

/// One session by its id (`s3`) or its number (`9`); the newest where none is named.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OneSession {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
}

/// How much a report tells. Each level holds those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum ReportLevel {
    /// What was read and proposed at the start.
    Start,
    /// After every task.
    Light,
    /// At a checkpoint.
    Medium,
    /// When the sprint's goal is reached.
    Heavy,
    /// At the end.
    Comprehensive,
}

/// Something that was told to the person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SessionReport {
    /// Counted over all sessions.
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub number: u64,
    pub session: String,
    pub level: ReportLevel,
    pub task: Option<String>,
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub time: i64,
    /// As it is shown.
    pub text: String,
    /// The same as data.
    #[cfg_attr(feature = "generate", ts(type = "unknown"))]
    pub data: serde_json::Value,
}

impl Eq for SessionReport {}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SessionDetails {
    pub session: Session,
    /// All of its tasks that are still in the queue.
    pub tasks: Vec<Task>,
    pub reports: Vec<SessionReport>,
    pub flags: Vec<Flag>,
    /// How it was completed; null before its end, and where nothing was done.
    pub closing: Option<Closing>,
}

/// Reports, oldest first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListReports {
    /// Of this session; of all where it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// Only those after this number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub after: Option<u64>,
    /// The newest so many.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ReportList {
    pub reports: Vec<SessionReport>,
}

/// Answers a flag.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AnswerFlag {
    pub flag: String,
    pub answer: FlagAnswer,
    /// For `extend`: the pattern that joins the scope; the file's own path where it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// For `log`: the hunks of it that the person was shown, which are what is taken out. It is refused when one of them has
    /// changed; what was written since waits with a flag of its own. All of it that is there now where this is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hunks: Option<Vec<String>>,
    /// For `log`: the yes to a result that was shown, as for a decision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirm: Option<String>,
}

/// A flag that was answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AnsweredFlag {
    #[serde(flatten)]
    pub flag: Flag,
    /// What became of its change where that was taken out; null where nothing was.
    pub took_out: Option<Decided>,
}

/// The calling run asks for more scope, before it writes there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RequestScope {
    pub paths: Vec<String>,
    /// Why its task needs it.
    pub why: String,
}

/// The plan as it is understood.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PlanView {
    /// Null where there is none.
    pub path: Option<String>,
    pub phase: Option<String>,
    pub sprint_goal: Option<String>,
    pub last_updated: Option<String>,
    pub progress: Option<Progress>,
    pub phases: Vec<PlanPhase>,
    pub tasks: Vec<PlanTask>,
    /// What was not understood, with the line, in any of the documents; and other plans that were found.
    pub problems: Vec<String>,
    /// What is understood and worth knowing: a changelog that is not there, a phase that is done.
    pub notes: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PlanPhase {
    pub id: String,
    pub name: String,
    pub status: Option<String>,
    pub goal: Option<String>,
    pub line: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PlanTask {
    pub title: String,
    /// `planned`, `in-progress`, `complete` or `blocked`.
    pub status: String,
    pub estimate: Option<String>,
    pub phase: Option<String>,
    /// Whether it belongs to the current phase.
    pub current: bool,
    pub line: u32,
    /// Patterns of its own that the task of the queue has which a yes to it would take up.
    pub paths: Vec<String>,
}

/// Something in added lines that should be looked at. The value itself is never told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    pub path: String,
    /// `aws-access-key-id`, …
    pub rule: String,
    /// `credential`, `personal-data`, `environment` or `dependency`.
    pub kind: String,
    /// The line of the file as it is now, from 0, and the place in it in UTF-16 units.
    pub line: u32,
    pub start: u32,
    pub end: u32,
    pub message: String,
    /// The pending hunk that it stands in; null in a scan of files.
    pub hunk: Option<String>,
    /// Why it does not stop anything: acknowledged or allowed, with the reason; null where it does.
    pub allowed: Option<String>,
}

/// Scans files as they are, or what waits for a decision.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ScanFiles {
    /// Files or folders; the pending changes of all files where it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paths: Option<Vec<String>>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ScanResult {
    pub findings: Vec<Finding>,
    /// Files that were looked at, and those that could not be, with why.
    pub files: u32,
    pub not_read: Vec<String>,
    /// True when more were found than one answer carries (1,000).
    pub more: bool,
}

/// A person has looked at findings of a hunk, and says why they may stay.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AcknowledgeFinding {
    pub hunk: String,
    /// Only findings of this rule; all of the hunk where it is null.
    #[serde(default)]
    pub rule: Option<String>,
    pub reason: String,
}

/// What is not stopped for a while, by rule and path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AllowFinding {
    /// A rule or a kind.
    pub rule: String,
    /// A pattern of paths.
    pub path: String,
    /// The last day on which it holds, as in `2027-01-31`.
    pub until: String,
    pub reason: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ScanAllow {
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub number: u64,
    pub rule: String,
    pub path: String,
    pub until: String,
    pub reason: String,
    pub by: String,
    pub expired: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ScanAllowList {
    pub allowed: Vec<ScanAllow>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DropScanAllow {
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub number: u64,
}
