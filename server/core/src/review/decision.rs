//! A decision as it is kept, so that it can be undone: which files, and which decision in each one's weave.

use std::fmt;

use crate::file::FilePath;
use crate::review::FileNumber;
use crate::time::Wall;
use crate::weave::DecisionNo;

/// Written `d7`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DecisionId(pub u64);

impl DecisionId {
    #[must_use]
    pub fn from_text(text: &str) -> Option<Self> {
        let digits = text.trim().strip_prefix(['d', 'D']).unwrap_or(text.trim());
        digits.parse().ok().filter(|number| *number > 0).map(Self)
    }
}

impl fmt::Display for DecisionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "d{}", self.0)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DecisionKind {
    Approve,
    Reject,
    /// Takes another one back.
    Undo(DecisionId),
    /// Takes an undo back.
    Redo(DecisionId),
}

impl DecisionKind {
    /// True for what `undo` takes back by itself; what `redo` takes back is an undo.
    #[must_use]
    pub fn is_forward(self) -> bool {
        match self {
            Self::Approve | Self::Reject | Self::Redo(_) => true,
            Self::Undo(_) => false,
        }
    }

    #[must_use]
    pub fn takes_back(self) -> Option<DecisionId> {
        match self {
            Self::Undo(of) | Self::Redo(of) => Some(of),
            Self::Approve | Self::Reject => None,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    pub id: DecisionId,
    pub kind: DecisionKind,
    /// Who decided, as the ledger names them.
    pub actor: String,
    pub time: Wall,
    pub files: Vec<DecisionFile>,
    /// The decision that took this one back.
    pub undone_by: Option<DecisionId>,
}

/// One of two approvals that a hunk needs. It counts as long as its decision stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Approval {
    pub hunk: String,
    /// As the ledger names them.
    pub by: String,
    pub decision: DecisionId,
    /// It was the second, so the hunk was approved with it.
    pub completes: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecisionFile {
    pub file: FileNumber,
    /// Where it was then, for messages.
    pub path: FilePath,
    pub hunks: u32,
    pub weave_decision: DecisionNo,
    /// False once it turned out that it could not be written and was taken back.
    pub stands: bool,
}
