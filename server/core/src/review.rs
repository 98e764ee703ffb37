//! Changes and what a person decides about them. A file that was seen to change is *tracked*: its weave holds every line
//! that ever was, who wrote it, and what was decided. Rules here look, decide and return effects; the one that changes a
//! user's file on disk is `WriteFile`, and it always names what must be there before.

mod assign;
mod claims;
mod decide;
mod decision;
mod findings;
pub mod policy;
mod purge;
mod seen;
mod select;
mod undo;
mod written;

use crate::file::{ContentHash, FilePath, FileState};
use crate::id::{RunId, TaskId};
use crate::weave::Weave;

pub use assign::Assignee;
pub use claims::FileClaim;
pub use decide::{Ask, Decide, approvers, asks, confirm_token};
pub use decision::{Approval, Decision, DecisionFile, DecisionId, DecisionKind};
pub use findings::{Acknowledged, AllowDraft, Allowed, HunkFinding, findings_in};
pub use purge::Purge;
pub use seen::{Cause, SeenFile, VcsMoved};
pub use select::{Selected, Selection, Whose};
pub use undo::{TakeBack, TakenBack, TakingBack, redo_shown, undo_shown};
pub use written::{Outcome, WrittenFile};

pub(crate) use assign::assign;
pub(crate) use claims::{SavedText, claim, saved};
pub(crate) use decide::decide;
pub(crate) use findings::{acknowledge, allow as allow_finding, drop_allowed};
pub(crate) use purge::purge;
pub(crate) use seen::seen;
pub use select::{find_run, select};
pub(crate) use undo::{redo, undo};
pub(crate) use written::{editor_closed, written};

/// How many files one decision takes at most.
pub const FILES_A_DECISION: usize = 10_000;

/// The number of a tracked file. Its path may change; the number does not, and is never given twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileNumber(pub u64);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrackedFile {
    pub number: FileNumber,
    pub weave: Weave,
    /// A decision was made whose result waits in an editor to be saved: the disk still holds what was there before.
    pub awaits_save: bool,
    /// The branch it lies on while another one is checked out; `None` for what is there now.
    pub parked: Option<String>,
}

impl TrackedFile {
    #[must_use]
    pub fn path(&self) -> &FilePath {
        self.weave.path()
    }
}

/// Which pending hunks are looked for. Each is answered from an index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PendingOf {
    All,
    Task(TaskId),
    Run(RunId),
    Unknown,
}

/// One file that must be written to carry out a decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileWrite {
    pub decision: DecisionId,
    pub file: FileNumber,
    /// What must be there, else nothing is written.
    pub before: FileState,
    pub after: FileState,
}

/// A hash that stands for a whole state: path, kind, content and mode.
#[must_use]
pub fn state_hash(state: &FileState) -> ContentHash {
    use crate::file::Body;
    let mut hasher = blake3::Hasher::new();
    let mut part = |bytes: &[u8]| {
        hasher.update(&u64::try_from(bytes.len()).unwrap_or(u64::MAX).to_le_bytes());
        hasher.update(bytes);
    };
    part(state.path.as_bytes());
    part(&state.mode.to_le_bytes());
    match &state.body {
        Body::Absent => part(b"absent"),
        Body::Text(text) => {
            part(b"text");
            part(text);
        }
        Body::Whole { hash, length } => {
            part(b"whole");
            part(&hash.0);
            part(&length.to_le_bytes());
        }
        Body::Link(target) => {
            part(b"link");
            part(target);
        }
        Body::Large { length, changed_ns } => {
            part(b"large");
            part(&length.to_le_bytes());
            part(&changed_ns.to_le_bytes());
        }
        Body::Special => part(b"special"),
    }
    ContentHash(*hasher.finalize().as_bytes())
}
