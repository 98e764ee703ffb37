//! Who changed a file, and how we know. What is not known is called unknown and never guessed.

use crate::id::RunId;

/// Who made a revision.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Author {
    Person {
        name: String,
    },
    Run(RunId),
    /// Version control: a checkout, a pull, a stash.
    Vcs,
    Unknown,
}

/// What an author is known by, strongest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Evidence {
    /// The person said whose it is.
    Assigned,
    /// The run said that it writes this very content.
    DeclaredContent,
    /// The run said that it writes this file.
    DeclaredPath,
    /// The editor saved this very content.
    Saved,
    /// The editor saved this content after it was changed by a program, not by keys.
    Applied,
    /// Written under version control's lock, and equal to what it keeps.
    VersionControl,
    /// Only one run was active.
    Inferred,
    /// Nobody was watching when it happened.
    Unwatched,
    /// Nothing speaks for anybody.
    Nothing,
}
