//! Changes on the wire: what was changed by whom, and what a person decides about it.
//!
//! A path travels as text relative to the workspace, `/` between its parts. A backslash in a name is doubled and a byte
//! that is not UTF-8 is written `\xff`, so that every path comes back exactly.

use serde::{Deserialize, Serialize};

use crate::sessions::{Finding, Flag};

/// Who made a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Author {
    pub kind: AuthorKind,
    /// A person's name, or the agent's at work in the run.
    pub name: Option<String>,
    /// The run and its task, for `run`.
    pub run: Option<String>,
    pub task: Option<String>,
    pub task_title: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum AuthorKind {
    Person,
    Run,
    Vcs,
    Unknown,
    /// It was there before anything was tracked.
    Before,
}

/// What an author is known by, strongest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Evidence {
    Assigned,
    DeclaredContent,
    DeclaredPath,
    Saved,
    Applied,
    VersionControl,
    Inferred,
    Unwatched,
    Nothing,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    Pending,
    /// One of two needed approvals is there.
    HalfApproved,
    Approved,
    Rejected,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum HunkKind {
    /// Lines were added, removed or replaced.
    Lines,
    Created,
    Deleted,
    /// Content that is decided as a whole was replaced.
    Replaced,
    Mode,
    Renamed,
    Link,
}

/// The smallest part of a change that can be decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Hunk {
    /// Bound to its content: a hunk that has changed has another id.
    pub id: String,
    pub kind: HunkKind,
    pub standing: Standing,
    pub author: Author,
    pub evidence: Evidence,
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub time: i64,
    /// The line of the file as it is now (from 0) where the hunk begins, or before which its removed lines stood.
    pub line: u32,
    /// The lines of the hunk that are in the file now, as ranges from 0, the end not included.
    pub spans: Vec<LineSpan>,
    /// How many lines it adds and removes.
    pub added: u32,
    pub removed: u32,
    /// What rejecting brings back, for showing: at most 200 lines of at most 500 characters, bytes that are not UTF-8 replaced.
    pub removed_lines: Vec<String>,
    /// What stands in the file because of it, for showing, bounded alike.
    pub added_lines: Vec<String>,
    /// In words: `+3 −1`, `mode 644 → 755`, `renamed from a.rs`.
    pub summary: String,
    /// Whose work is entangled with it: rejecting it is shown first and done only on a yes.
    pub entangled_with: Vec<Author>,
    /// Why it waits for an explicit yes whatever the policy says: a control file, an unknown author.
    pub flagged: Option<String>,
    /// Who approved it, while a second approver is needed.
    pub approved_by: Vec<String>,
    /// What its added lines hold that should be looked at. Those that are not allowed stop its approval.
    pub findings: Vec<Finding>,
    /// The flag on its file, while it waits for an answer.
    pub flag: Option<Flag>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct LineSpan {
    pub start: u32,
    pub end: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum BodyKind {
    Absent,
    Text,
    /// Decided as a whole: binary, or too much for lines.
    Whole,
    Link,
    /// More than is kept: seen, cannot be taken back.
    Large,
    Special,
}

/// A file with what waits for a decision in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ChangedFile {
    pub path: String,
    pub body: BodyKind,
    /// The hash of what is there now, in hex; null where there is nothing.
    pub hash: Option<String>,
    pub hunks: Vec<Hunk>,
    /// True when more hunks exist than one answer carries (1,000 a file).
    pub more_hunks: bool,
    /// A decision was made whose result waits in an editor to be saved.
    pub awaits_save: bool,
}

/// What of the changes is meant. Everything that is set must hold; at least one must be set.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Selection {
    /// Hunk ids, or unique beginnings of at least four characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hunks: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// Only hunks whose author is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unknown: Option<bool>,
    /// Everything that waits. With `hunks`, everything as far as it is these, which were listed when the person said so: it is
    /// refused when one of them has changed, and what somebody has to look at first is left waiting as with everything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub all: Option<bool>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListChanges {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unknown: Option<bool>,
    /// Also hunks that are decided already.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decided: Option<bool>,
    /// Only files after this path: the `next` of the page before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// Files, at most 1,000; 200 where it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
}

/// Files with hunks, by path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ChangeList {
    pub files: Vec<ChangedFile>,
    pub next: Option<String>,
    pub counts: ChangeCounts,
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub revision: u64,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ChangeCounts {
    pub pending_files: u32,
    pub pending_hunks: u32,
    /// Of the pending hunks, those nobody is known to have made.
    pub unknown_hunks: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OneFile {
    pub path: String,
    /// Also hunks that are decided already.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decided: Option<bool>,
}

/// Which content of a file is wanted: as it is, before a task, run or hunk, or as it was after a step of its history.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct WhichContent {
    pub path: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before_task: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before_run: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before_hunk: Option<String>,
    /// Without everything that is pending.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before_pending: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<u32>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Content {
    /// Where the file is in that state: a rename may have moved it since.
    pub path: String,
    pub body: BodyKind,
    /// The text, bytes that are not UTF-8 replaced; for a link where it leads; null otherwise.
    pub text: Option<String>,
    /// True when the text is the content to the byte.
    pub exact: bool,
    /// The content in base64 where the text is not exact and it is no longer than 4 MiB.
    pub base64: Option<String>,
    pub hash: Option<String>,
    pub mode: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    Approve,
    Reject,
}

/// A person's decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Decide {
    pub verdict: Verdict,
    pub what: Selection,
    /// The yes to a result that was shown: needed where other people's work is entangled. It is the `confirm` of the preview, bound to
    /// exactly what was shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirm: Option<String>,
}

/// What deciding would do to the files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Preview {
    pub hunks: u32,
    /// What asks for the yes comes first: where others' work is entangled, then control files; at most 200.
    pub files: Vec<PreviewFile>,
    /// How many files are left out. A yes covers them, too.
    pub more: u32,
    /// True when the decision is carried out only with `confirm`.
    pub asks: bool,
    /// Send it with the decision to say yes to exactly this.
    pub confirm: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PreviewFile {
    pub path: String,
    /// A unified diff from what is there to what would be, bounded to 1 MiB.
    pub diff: String,
    pub entangled_with: Vec<Author>,
    /// It steers editors, agents, hooks or CI.
    pub control: bool,
}

/// What came of a decision, an undo or a redo.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Decided {
    /// For `undo`.
    pub decision: String,
    pub hunks: u32,
    pub files: Vec<DecidedFile>,
    /// In a sentence.
    pub message: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct DecidedFile {
    pub path: String,
    pub outcome: FileOutcome,
    /// Why, where it was not done.
    pub reason: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum FileOutcome {
    /// Nothing on disk had to change.
    Unchanged,
    Removed,
    /// It was not there and is again.
    Restored,
    /// It has the path that is told here again.
    Renamed,
    /// Its content, its mode or where it leads.
    Changed,
    /// The editor that has it open with unsaved text was asked to change it.
    InEditor,
    /// It could not be written; its hunks are as they were before.
    NotWritten,
    /// It has to be looked at before it is approved; nothing was to be written.
    NotApproved,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct WhichDecision {
    /// The newest that can be undone (or redone) where it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<String>,
    /// The yes to a result that was shown: needed where a rejection is brought back among other people's work and its result is not the
    /// one that it had. It is the `confirm` of the preview that the refusal carries.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirm: Option<String>,
}

/// Says whose an unknown or wrongly inferred change is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Assign {
    pub what: Selection,
    /// A task: its newest run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to_task: Option<String>,
    /// The person who asks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to_me: Option<bool>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Assigned {
    pub hunks: u32,
    pub files: u32,
    /// The approval that comes with what is now the person's own: undoing it lets it be assigned again.
    pub decision: Option<String>,
}

/// The story of one file, oldest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct FileHistory {
    pub path: String,
    pub steps: Vec<HistoryStep>,
    /// True when older steps were left out (the newest 1,000 are shown).
    pub more: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct HistoryStep {
    /// For `augment/changes/content`.
    pub step: u32,
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub time: i64,
    pub kind: StepKind,
    pub author: Author,
    pub evidence: Option<Evidence>,
    pub added: u32,
    pub removed: u32,
    /// In words.
    pub summary: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum StepKind {
    Base,
    /// Its content or mode was changed.
    Revision,
    Created,
    Deleted,
    Renamed,
    Approved,
    Rejected,
    /// Rejected without a word: by an edit, or by version control, that put back what was there before.
    TakenBack,
    Undone,
    Redone,
    /// What waits in it stays with a branch that was left. The step is the one before.
    Parked,
    /// It came back with a branch, or version control gave back what it had taken away. The step is the one before.
    CameBack,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Purge {
    /// Only decisions older than this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub older_than_ms: Option<i64>,
    /// Without it nothing is purged, only told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirm: Option<bool>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Purged {
    /// False when it was only told.
    pub done: bool,
    pub decisions: u32,
    /// Files whose story became shorter.
    pub files: u32,
    /// What their stories, and content that nothing refers to any more, took.
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub bytes: u64,
}

/// Who wrote the lines of a file as it is now: neighbours with one origin together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Blame {
    pub path: String,
    pub hash: Option<String>,
    pub spans: Vec<BlameSpan>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct BlameSpan {
    /// Lines from 0, the end not included.
    pub start: u32,
    pub end: u32,
    pub author: Author,
    pub evidence: Option<Evidence>,
    /// Null for what was there before anything was tracked.
    #[cfg_attr(feature = "generate", ts(type = "number | null"))]
    pub time: Option<i64>,
    pub standing: Standing,
}

/// A run says that it writes a file. A person may say it for a run, by its task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ClaimFile {
    pub path: String,
    /// The hash of the content it writes (BLAKE3, hex), if it knows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task: Option<String>,
}

/// An editor has written a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EditorSaved {
    pub path: String,
    /// The text that was written, without a byte order mark. The file may hold it in UTF-8, UTF-16 or Windows-1252.
    pub text: String,
    pub how: SavedHow,
    /// How long ago that was, where it could not be told at once; at once without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ago_ms: Option<u32>,
}

/// How the text came about since the file was last read or written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum SavedHow {
    /// Typed, pasted, undone or redone by hand.
    ByHand,
    /// Changed by a program in the editor: another extension, a formatter.
    Applied,
    /// Both, so that nobody can say whose each line is.
    Mixed,
    /// Nothing was changed since it was read from disk.
    Unchanged,
}

/// What the watching of files is like.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Watching {
    pub state: WatchState,
    /// In a sentence, with what to do where something is wrong.
    pub message: String,
    pub files: u32,
    pub folders: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum WatchState {
    /// Every change is told by the system.
    Watching,
    /// Looked at in turns, since the system does not tell.
    Polling,
    /// Something is not seen; the message says what.
    Partly,
    /// Nobody watches: a single command looked once.
    Once,
    /// Tracking is off or has failed.
    Off,
}
