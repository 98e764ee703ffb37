//! A prompt session as it is kept: what was asked, on what ground, which commits came of it, and how far its end has come.
//! What is being written to history is noted before it is written, so that a process that is killed in the middle leaves
//! something to look for.

use std::collections::BTreeMap;
use std::fmt;

use crate::file::ContentHash;
use crate::review::FileNumber;
use crate::time::Wall;
use crate::weave::HeldLines;

/// How many intents one prompt has at most.
pub(super) const INTENTS_LIMIT: usize = 1_000;
/// How many subjects are noted.
pub(super) const SUBJECTS_LIMIT: usize = 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PromptId(pub u64);

impl PromptId {
    /// Reads `p7`, or `7`.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('p').unwrap_or(text);
        digits.parse().ok().filter(|number| *number > 0).map(Self)
    }
}

impl fmt::Display for PromptId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "p{}", self.0)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PromptState {
    /// Intents are being committed.
    Open,
    /// Its `session:` commit is made.
    Finished,
    /// It is pushed, and the next one may begin.
    Closed,
    /// Given up; what was committed stays as it is.
    Dropped,
}

impl PromptState {
    pub const ALL: [Self; 4] = [Self::Open, Self::Finished, Self::Closed, Self::Dropped];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Finished => "finished",
            Self::Closed => "closed",
            Self::Dropped => "dropped",
        }
    }

    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.name() == name)
    }

    /// Whether something of it is still to be done.
    #[must_use]
    pub fn is_under_way(self) -> bool {
        match self {
            Self::Open | Self::Finished => true,
            Self::Closed | Self::Dropped => false,
        }
    }
}

/// What a commit was made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// A logical change of this prompt.
    Work,
    /// What lay in the tree before the prompt; no part of its session.
    Before,
    /// The research artifact.
    Report,
}

impl Role {
    pub const ALL: [Self; 3] = [Self::Work, Self::Before, Self::Report];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Work => "work",
            Self::Before => "before",
            Self::Report => "report",
        }
    }

    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.name() == name)
    }
}

/// A commit that was made for the prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Intent {
    /// Its whole first line, `intent: …`.
    pub text: String,
    pub role: Role,
    pub commit: String,
    pub change: String,
}

/// A commit by its hash, and by the name that is written down: a change id where there is one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    pub commit: String,
    pub name: String,
}

/// How one `session:` commit is made of the intents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    pub summary: String,
    pub message: String,
    pub base: Option<String>,
    pub tip: String,
    /// Oldest first.
    pub commits: Vec<String>,
    /// Their names, in the same order.
    pub names: Vec<String>,
    pub change: String,
    pub bookmark: Option<String>,
    /// jj's newest operation when it was announced: whoever finishes it, that is what was before.
    pub operation: Option<String>,
}

impl Plan {
    /// Several commits are squashed into one new commit; one is rewritten.
    #[must_use]
    pub fn is_multi(&self) -> bool {
        self.commits.len() > 1
    }

    /// Stands for doing exactly this for that prompt: what a person's yes to what was shown is bound to.
    #[must_use]
    pub fn confirm_token(&self, prompt: PromptId) -> String {
        // What is done is the same whatever was the newest operation.
        let Self { summary, message, base, tip, commits, names, change, bookmark, operation: _ } = self;
        // Each part with its length, so that no two plans are written alike.
        let mut text = format!("finish {prompt}\n");
        let mut part = |value: Option<&str>| match value {
            Some(value) => text += &format!("{} {value}\n", value.len()),
            None => text += "-\n",
        };
        for value in [summary, message, tip, change] {
            part(Some(value));
        }
        part(base.as_deref());
        part(bookmark.as_deref());
        for list in [commits, names] {
            part(Some(&list.len().to_string()));
            list.iter().for_each(|value| part(Some(value)));
        }
        ContentHash::of(text.as_bytes()).to_string()[..32].to_owned()
    }
}

/// What is about to be written to history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Writing {
    Commit {
        role: Role,
        text: String,
        /// The change id that it shall have in git.
        change: String,
        tip: Option<String>,
        files: Vec<String>,
        /// Those that the person had staged in git just so, and that are staged again once it is taken back. Noted before
        /// the branch moves.
        staged: Vec<String>,
    },
    Synthesis(Plan),
}

impl Writing {
    /// The first line of its message.
    #[must_use]
    pub fn title(&self) -> String {
        match self {
            Self::Commit { text, .. } => text.clone(),
            Self::Synthesis(plan) => format!("session: {}", plan.summary),
        }
    }
}

/// Something that was written, and can be taken back while it is the newest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    pub writing: Writing,
    pub commit: String,
    /// What brings everything back: jj's operation before it, or the commit that the branch was at.
    pub before: String,
    /// Which lines the commit before had of its files, as far as they were known.
    pub lines_before: BTreeMap<FileNumber, HeldLines>,
}

/// The `session:` commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finished {
    pub summary: String,
    pub commit: String,
    pub change: String,
    /// The change ids that it names.
    pub squashed: Vec<String>,
    pub at: Wall,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pushed {
    pub remote: String,
    pub branch: String,
    pub commit: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    pub id: PromptId,
    pub state: PromptState,
    /// As it was given, to the byte.
    pub text: String,
    pub context: String,
    /// The line form, taken before anything else was done.
    pub stamp: String,
    /// The model of the stamp.
    pub model: String,
    pub subjects: Vec<String>,
    /// `git` or `jj`.
    pub system: String,
    /// What the first intent stands on; `None` in a repository without a commit.
    pub base: Option<Place>,
    pub branch: Option<String>,
    pub began: Began,
    pub intents: Vec<Intent>,
    pub finished: Option<Finished>,
    /// Where the research artifact lies in the workspace.
    pub report: Option<String>,
    pub pushed: Option<Pushed>,
    /// What was begun, and not heard of again yet.
    pub writing: Option<Writing>,
    /// Newest last.
    pub written: Vec<Written>,
    /// The newest of them is being taken back, and that was not heard of again yet.
    pub taking_back: bool,
    /// Which lines the newest commit of a file has, also of one for an earlier prompt. Where somebody else has made one since,
    /// its text tells that it has others.
    pub lines: BTreeMap<FileNumber, HeldLines>,
}

/// When a prompt began: what a file had come to by then was left as it lay there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Began {
    pub time: Wall,
    /// The step of each file in which something might have been left; every other one had nothing of that kind. `None` where
    /// they were not noted, since they were too many: then the clock has to tell.
    pub left: Option<BTreeMap<FileNumber, u32>>,
}

impl Began {
    /// Whether a step of a file, made at a time, came after that. A clock may be set back meanwhile; steps only grow.
    #[must_use]
    pub fn is_before(&self, file: FileNumber, step: u32, time: Wall) -> bool {
        match &self.left {
            Some(left) => left.get(&file).is_none_or(|last| step > *last),
            None => time >= self.time,
        }
    }
}

impl Prompt {
    /// Whether something about history was announced, of which it is not known what became.
    #[must_use]
    pub fn is_begun(&self) -> bool {
        self.writing.is_some() || self.taking_back
    }

    /// Its first line that says something, for lists.
    #[must_use]
    pub fn headline(&self) -> &str {
        self.text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default()
    }
}
