//! The judge of whether a prompt is closed: five invariants, each with what is wrong and how to mend it. It judges what it is
//! told and looks at nothing itself.
//!
//! Each invariant is judged for itself, so that a broken one is the one that is named. Where there is no session's commit
//! there is nothing that the others could be about: only the first is broken then, and the others cannot be judged. What
//! cannot be judged is neither whole nor broken, and nothing is closed by it.

mod judge;

use std::fmt;

pub use judge::judge;

use super::message::is_session;
use super::state::PromptState;

/// How an intent begins that brings the report of a session.
pub const REPORT_INTENT: &str = "intent: report";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum System {
    Git,
    Jj,
}

/// A commit, as far as it matters here.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CommitFact {
    pub hash: String,
    pub change: Option<String>,
    pub message: String,
    /// The files that it changed, from the top of the workspace; none where its parents are not here.
    pub touched: Vec<String>,
    /// It has parents that are not here, since the clone is shallow.
    pub is_cut: bool,
}

impl CommitFact {
    /// What people call it: its change id or its hash, cut to twelve letters.
    #[must_use]
    pub fn name(&self) -> &str {
        let name = self.change.as_deref().unwrap_or(&self.hash);
        name.get(..12).unwrap_or(name)
    }
}

/// Where a session is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Closure {
    /// The session's commit, by its place among the commits, newest first.
    pub session: usize,
    /// The newest report of it directly above, else the same.
    pub head: usize,
}

/// Finds the newest session's commit, and the reports that stand directly on it, among commits with the newest first.
#[must_use]
pub fn closure(lineage: &[CommitFact]) -> Option<Closure> {
    let session = lineage.iter().position(|commit| is_session(&commit.message))?;
    let reports =
        lineage[..session].iter().rev().take_while(|commit| commit.message.starts_with(REPORT_INTENT)).count();
    Some(Closure { session, head: session - reports })
}

/// What the remote has of the branch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pushed {
    NoRemote,
    NoBranch,
    /// It is at a commit that is not here, so nobody here knows what it holds.
    Unknown {
        tip: String,
    },
    At {
        tip: String,
        /// Whether the finalised head is in it.
        has_head: bool,
        /// What it has above the finalised head, newest first.
        above: Vec<CommitFact>,
    },
}

/// A file in `Research/`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ResearchFact {
    pub path: String,
    /// The change of the session that it says it was written for (`- Session change:`).
    pub session: Option<String>,
}

/// A file that names the change that it was based on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Freshness {
    pub path: String,
    /// The parent change that the file names, or the beginning of it.
    pub named: String,
    /// The names of what is the parent now: its change id and its hash. `None` where the parent is not here, since the
    /// clone is shallow.
    pub actual: Option<Vec<String>>,
}

/// Where jj's bookmark and its working commit are, as hashes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JjFact {
    pub bookmark: Option<String>,
    pub working: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    pub branch: String,
    /// Whether there is such a branch or bookmark here.
    pub has_branch: bool,
    pub remote: String,
    /// First parents, newest first: from the branch's tip, in jj from the working commit, down to the newest session's
    /// commit or as far as was looked.
    pub lineage: Vec<CommitFact>,
    /// The files in `Research/` that there are.
    pub research: Vec<ResearchFact>,
    /// Artifacts that name a parent; only those count that the session's commit or its reports brought.
    pub freshness: Vec<Freshness>,
    pub pushed: Pushed,
    /// `None` in plain git.
    pub jj: Option<JjFact>,
    /// How far the prompt of this workspace is whose commands could mend something: one that is open, or the one that the
    /// session's commit was made for. `None` where there is none, as in a fresh clone.
    pub prompt: Option<PromptState>,
}

impl Facts {
    #[must_use]
    pub fn system(&self) -> System {
        if self.jj.is_some() { System::Jj } else { System::Git }
    }
}

/// What has to hold for a prompt to be closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Invariant {
    SessionCommit,
    ResearchArtifact,
    FreshParent,
    PushedHead,
    NextChild,
}

impl Invariant {
    pub const ALL: [Self; 5] =
        [Self::SessionCommit, Self::ResearchArtifact, Self::FreshParent, Self::PushedHead, Self::NextChild];

    #[must_use]
    pub fn number(self) -> u8 {
        match self {
            Self::SessionCommit => 1,
            Self::ResearchArtifact => 2,
            Self::FreshParent => 3,
            Self::PushedHead => 4,
            Self::NextChild => 5,
        }
    }

    /// Stable: programs may match on it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::SessionCommit => "session-commit",
            Self::ResearchArtifact => "research-artifact",
            Self::FreshParent => "fresh-parent",
            Self::PushedHead => "pushed-head",
            Self::NextChild => "next-child",
        }
    }

    /// What it asks for.
    #[must_use]
    pub fn wants(self) -> &'static str {
        match self {
            Self::SessionCommit => "The newest session's commit has all its sections",
            Self::ResearchArtifact => "A research artifact exists for the session",
            Self::FreshParent => "Artifacts that name a parent change name the one that is the parent",
            Self::PushedHead => "The finalised head is pushed",
            Self::NextChild => "What stands above the finalised head belongs to the next session",
        }
    }
}

impl fmt::Display for Invariant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    Holds,
    /// There is nothing that it could be about, or what it is about is not here; why, and what to do.
    CannotBeJudged(String),
    Broken {
        /// A sentence that names the values.
        wrong: String,
        /// What to do, with the command.
        mend: String,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judged {
    pub invariant: Invariant,
    pub verdict: Verdict,
}

impl Judged {
    /// Whether it was looked at and holds. What cannot be judged does not.
    #[must_use]
    pub fn holds(&self) -> bool {
        match self.verdict {
            Verdict::Holds => true,
            Verdict::CannotBeJudged(_) | Verdict::Broken { .. } => false,
        }
    }

    #[must_use]
    pub fn is_judged(&self) -> bool {
        match self.verdict {
            Verdict::Holds | Verdict::Broken { .. } => true,
            Verdict::CannotBeJudged(_) => false,
        }
    }

    /// Why it cannot be judged.
    #[must_use]
    pub fn why_not(&self) -> Option<&str> {
        match &self.verdict {
            Verdict::CannotBeJudged(why) => Some(why),
            Verdict::Holds | Verdict::Broken { .. } => None,
        }
    }

    #[must_use]
    pub fn wrong(&self) -> Option<&str> {
        match &self.verdict {
            Verdict::Broken { wrong, .. } => Some(wrong),
            Verdict::Holds | Verdict::CannotBeJudged(_) => None,
        }
    }

    #[must_use]
    pub fn mend(&self) -> Option<&str> {
        match &self.verdict {
            Verdict::Broken { mend, .. } => Some(mend),
            Verdict::Holds | Verdict::CannotBeJudged(_) => None,
        }
    }
}

/// Whether the prompt is closed: every invariant was judged, and holds.
#[must_use]
pub fn all_hold(judged: &[Judged]) -> bool {
    judged.iter().all(Judged::holds)
}
