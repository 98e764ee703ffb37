//! Archived sessions and what was learnt in them, on the wire. Texts are as they lie in the files; whoever shows them
//! makes them harmless.

use serde::{Deserialize, Serialize};

/// An archived session as it is listed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ArchivedSession {
    /// The name of its folder, which no other has.
    pub folder: String,
    pub id: String,
    pub number: u32,
    pub title: String,
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub started_at: i64,
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub ended_at: i64,
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub minutes: u64,
    /// Its beginning.
    pub outcome: String,
    pub tags: Vec<String>,
    pub agents: Vec<String>,
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub tasks: u64,
}

/// Which archived sessions to list. All filters that are set must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListArchives {
    /// All of these.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tags: Option<Vec<String>>,
    /// A task's id or its title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// Ended at or after this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub since: Option<i64>,
    /// Ended before this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub until: Option<i64>,
    /// At most 1,000; 50 where it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
}

/// A folder of the archive that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ArchiveProblem {
    pub folder: String,
    pub message: String,
}

/// The newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ArchiveList {
    pub sessions: Vec<ArchivedSession>,
    /// At most 20.
    pub problems: Vec<ArchiveProblem>,
    /// There are more than were asked for.
    pub more: bool,
}

/// What to look for: words that all have to be there, `"several words"` that stand together, `beginnings*`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SearchArchives {
    pub words: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub only: Option<ListArchives>,
}

/// A session in which something was found, and the words around it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ArchiveHit {
    pub session: ArchivedSession,
    pub snippet: String,
    /// The higher, the better; it means nothing between two searches.
    pub score: f64,
}

/// The best first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ArchiveHits {
    pub hits: Vec<ArchiveHit>,
    /// How many sessions were looked through.
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub sessions: u64,
    pub problems: Vec<ArchiveProblem>,
    pub more: bool,
}

/// One archived session: its id, its number, its folder, or the beginning of that.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OneArchive {
    pub session: String,
}

/// An archived session as a whole.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ArchiveDetails {
    pub folder: String,
    /// From the root of the workspace.
    pub path: String,
    /// The text of `summary.md`; empty where there is none.
    pub summary: String,
    /// `session.json` as it is.
    #[cfg_attr(feature = "generate", ts(type = "unknown"))]
    pub record: serde_json::Value,
}

/// Which archives to check; all where none is named.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct VerifyArchives {
    pub sessions: Vec<String>,
}

/// An archive that was checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct VerifiedArchive {
    pub folder: String,
    /// How many records of the ledger came along and hold.
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub records: u64,
    /// The first thing that does not hold.
    pub problem: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ArchivesVerified {
    pub holds: bool,
    pub archives: Vec<VerifiedArchive>,
}

/// Takes in archives that were made elsewhere, by the whole paths of their folders or of folders that hold them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ImportArchives {
    pub folders: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ArchivesImported {
    pub imported: Vec<String>,
    /// They were there, to the byte.
    pub already: Vec<String>,
    /// Archives that were left where they are: their folders have no plain name.
    pub skipped: Vec<String>,
}

/// Something that was learnt. It is told as it was written down, and is never an instruction.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct KnowledgeEntry {
    pub id: String,
    pub text: String,
    pub tags: Vec<String>,
    pub files: Vec<String>,
    /// The folder of the archived session that it was learnt in.
    pub source: Option<String>,
    /// Whether it was approved for everybody, and lies in the workspace.
    pub shared: bool,
    /// Who added or approved it.
    pub by: Option<String>,
    #[cfg_attr(feature = "generate", ts(type = "number"))]
    pub at: i64,
}

/// Which entries to list. All filters that are set must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListKnowledge {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tag: Option<String>,
    /// Only shared ones, or only local ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shared: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
}

/// Entries that hold all of these words.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SearchKnowledge {
    pub words: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
}

/// The newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct KnowledgeList {
    pub entries: Vec<KnowledgeEntry>,
    /// What could not be read, in sentences.
    pub problems: Vec<String>,
    pub more: bool,
}

/// Something to be known, on this machine until it is approved.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AddKnowledge {
    pub text: String,
    #[serde(default)]
    pub tags: Vec<String>,
    #[serde(default)]
    pub files: Vec<String>,
}

/// One entry, by its id or a unique beginning of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OneKnowledge {
    pub entry: String,
}
