//! The end after the end: the seven steps in which a session that has ended is completed, one after the other. Each has an
//! outcome, evidence, a time and a count of tries, and each is a turn of its own, so that a process that is killed leaves at
//! most one step to be done again. A step that fails is recorded and does not stop the others; it can be run again.
//!
//! Nothing here looks at a file or a process: what has to be done outside leaves as an effect and comes back as an input. A
//! session that was abandoned has nothing to complete and gets none of this.

mod content;
mod process;
mod summary;

use std::fmt;

use crate::file::FilePath;
use crate::session::SessionId;
use crate::time::Wall;

pub use content::{ArchivedDecision, ArchivedTask, Content, Figure, Learning, NextTask};
pub(crate) use process::{begin, committed, complete, notice_begun, resume, sealed, step_closed, take_up};

/// The version of these rules, kept with each closing.
pub const PROTOCOL: &str = "session-completion/1";
/// How many of each a person may name, in all.
pub const ARTIFACTS_LIMIT: usize = 200;
pub const LEARNINGS_LIMIT: usize = 50;
pub const TAGS_LIMIT: usize = 32;
/// How long a learning and the words of a feedback may be.
pub const LEARNING_LIMIT: usize = 1_000;
pub const FEEDBACK_LIMIT: usize = 4_000;
/// How often a program is told of one session where nobody can say whether it was: a process that ends while it tells leaves
/// that open, and the next one tells once more.
const NOTICES: u32 = 2;
/// How many lines of evidence a step keeps; the rest are counted.
const EVIDENCE: usize = 50;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StepName {
    /// Whether it is done: what the agents say, and the word of a person or the criterion in its place.
    Confirmation,
    /// What was made: collated, checked, delivered, received.
    Outputs,
    /// What was done and decided, what was hard, and what came of it.
    Summary,
    /// What can be learnt from it, how it was found, and its figures.
    Knowledge,
    /// What it still holds is let go.
    CleanUp,
    Archive,
    Notification,
}

impl StepName {
    pub const ALL: [Self; 7] = [
        Self::Confirmation,
        Self::Outputs,
        Self::Summary,
        Self::Knowledge,
        Self::CleanUp,
        Self::Archive,
        Self::Notification,
    ];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Confirmation => "confirmation",
            Self::Outputs => "outputs",
            Self::Summary => "summary",
            Self::Knowledge => "knowledge",
            Self::CleanUp => "clean-up",
            Self::Archive => "archive",
            Self::Notification => "notification",
        }
    }

    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|step| step.name() == name)
    }
}

impl fmt::Display for StepName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StepOutcome {
    Waiting,
    Done,
    Failed,
    /// There was nothing to do in it.
    Skipped,
}

impl StepOutcome {
    pub const ALL: [Self; 4] = [Self::Waiting, Self::Done, Self::Failed, Self::Skipped];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Skipped => "skipped",
        }
    }

    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|outcome| outcome.name() == name)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    pub name: StepName,
    pub outcome: StepOutcome,
    /// What shows the outcome, a line each.
    pub evidence: Vec<String>,
    /// When it came to its outcome.
    pub at: Option<Wall>,
    pub tries: u32,
}

/// What was found of an artifact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Check {
    Present,
    Missing,
    /// Something else is at the place where it was to be delivered.
    Differs,
}

impl Check {
    pub const ALL: [Self; 3] = [Self::Present, Self::Missing, Self::Differs];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Present => "present",
            Self::Missing => "missing",
            Self::Differs => "differs",
        }
    }

    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|check| check.name() == name)
    }
}

/// Where an artifact was delivered to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Delivered {
    Workspace,
    /// A copy of it, at this path.
    Folder(String),
    /// It is in this commit as it is.
    Commit(String),
}

impl fmt::Display for Delivered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Workspace => f.write_str("workspace"),
            Self::Folder(path) => write!(f, "folder:{path}"),
            Self::Commit(id) => write!(f, "commit:{id}"),
        }
    }
}

impl Delivered {
    #[must_use]
    pub fn read(text: &str) -> Self {
        match text.split_once(':') {
            Some(("folder", path)) => Self::Folder(path.to_owned()),
            Some(("commit", id)) => Self::Commit(id.to_owned()),
            Some(_) | None => Self::Workspace,
        }
    }
}

/// Something that a session has made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Artifact {
    pub path: String,
    /// In hexadecimal.
    pub hash: Option<String>,
    pub size: Option<u64>,
    pub check: Check,
    pub delivered: Delivered,
    /// What was delivered was found at its place.
    pub received: bool,
}

/// How a person found the session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Feedback {
    /// From 1 to 5.
    pub rating: u32,
    pub text: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Closing {
    pub session: SessionId,
    pub protocol: String,
    /// All seven, in their order.
    pub steps: Vec<Step>,
    /// Who said that it is complete, besides ending it.
    pub acknowledged_by: Option<String>,
    /// Artifacts that a person has named.
    pub declared: Vec<FilePath>,
    pub deliver: Option<FilePath>,
    /// What was found of all artifacts.
    pub artifacts: Vec<Artifact>,
    /// What a person has learnt.
    pub learnings: Vec<String>,
    pub feedback: Option<Feedback>,
    pub tags: Vec<String>,
    /// The folder of the archive, once it is written.
    pub archive: Option<String>,
    /// How often a program was about to be told since the last outcome of that step.
    pub notices: u32,
    /// The archive tells of all seven steps, or there is none.
    pub sealed: bool,
}

impl Closing {
    #[must_use]
    pub fn new(session: SessionId) -> Self {
        let step = |name| Step { name, outcome: StepOutcome::Waiting, evidence: Vec::new(), at: None, tries: 0 };
        Self {
            session,
            protocol: PROTOCOL.to_owned(),
            steps: StepName::ALL.into_iter().map(step).collect(),
            acknowledged_by: None,
            declared: Vec::new(),
            deliver: None,
            artifacts: Vec::new(),
            learnings: Vec::new(),
            feedback: None,
            tags: Vec::new(),
            archive: None,
            notices: 0,
            sealed: false,
        }
    }

    #[must_use]
    pub fn outcome(&self, name: StepName) -> StepOutcome {
        self.steps.iter().find(|step| step.name == name).map_or(StepOutcome::Waiting, |step| step.outcome)
    }

    /// The first step that waits.
    #[must_use]
    pub fn next(&self) -> Option<StepName> {
        self.steps.iter().find(|step| step.outcome == StepOutcome::Waiting).map(|step| step.name)
    }

    /// Whether something is left that the next process has to do.
    #[must_use]
    pub fn is_open(&self) -> bool {
        !self.sealed || self.next().is_some()
    }

    fn count(&self, outcome: StepOutcome) -> usize {
        self.steps.iter().filter(|step| step.outcome == outcome).count()
    }

    fn wait(&mut self, name: StepName) {
        for step in self.steps.iter_mut().filter(|step| step.name == name) {
            step.outcome = StepOutcome::Waiting;
        }
        self.sealed = false;
    }
}

/// What a person adds to a session that has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    pub session: SessionId,
    pub artifacts: Vec<String>,
    pub deliver: Option<String>,
    pub learnings: Vec<String>,
    pub rating: Option<u32>,
    pub feedback: Option<String>,
    pub tags: Vec<String>,
}

/// A step that is to be taken, with what it needs from outside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CloseStep {
    pub session: SessionId,
    pub step: StepName,
    pub work: StepWork,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StepWork {
    /// The rules alone say what comes of it.
    Nothing,
    /// Look at these files, and copy them to the folder if there is one.
    Outputs {
        paths: Vec<FilePath>,
        deliver: Option<FilePath>,
    },
    /// Take away what a process of ours may have left beside these files.
    CleanUp {
        paths: Vec<FilePath>,
    },
    Archive(Box<Content>),
    Notify(Notice),
}

/// What came of it outside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepClosed {
    pub session: SessionId,
    pub step: StepName,
    pub outside: Outside,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outside {
    /// Why it failed, if it did.
    pub failure: Option<String>,
    pub evidence: Vec<String>,
    pub artifacts: Vec<Artifact>,
    /// Where the archive is.
    pub folder: Option<String>,
}

/// What stakeholders are told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    pub session: SessionId,
    pub number: u32,
    pub project: String,
    pub title: String,
    pub outcome: String,
    /// The folder of the archive, where there is one.
    pub archive: Option<String>,
}
