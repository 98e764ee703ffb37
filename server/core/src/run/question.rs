//! What a run asks, as it is kept: the question, the ways to answer, and the answer once there is one.

use std::fmt;

use crate::id::RunId;
use crate::time::Wall;

pub(super) const QUESTION_LIMIT: usize = 1_000;
pub const DETAIL_LIMIT: usize = 16_384;
pub const OPTIONS_LIMIT: usize = 16;
pub(super) const OPTION_LIMIT: usize = 400;
pub const ANSWER_LIMIT: usize = 4_000;
/// How many questions of one run may wait at once.
pub(super) const OPEN_LIMIT: usize = 64;

/// `q7`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct QuestionId(pub u64);

impl fmt::Display for QuestionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "q{}", self.0)
    }
}

impl QuestionId {
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let text = text.trim();
        let digits = text.strip_prefix(['q', 'Q']).unwrap_or(text);
        digits.parse().ok().filter(|number| *number > 0).map(Self)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    pub id: QuestionId,
    pub run: RunId,
    pub agent: String,
    pub kind: QuestionKind,
    /// What names the question towards the agent, where it waits for leave.
    pub key: Option<String>,
    pub question: String,
    pub detail: String,
    pub options: Vec<AnswerOption>,
    pub recommendation: Option<String>,
    pub asked: Wall,
    pub answer: Option<Answered>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QuestionKind {
    /// It wants to do something and waits for leave.
    Permission,
    /// It wants something decided and waits.
    Decision,
    /// Its report names something to be decided.
    DecisionPoint,
}

impl QuestionKind {
    pub const ALL: [Self; 3] = [Self::Permission, Self::Decision, Self::DecisionPoint];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Permission => "permission",
            Self::Decision => "decision",
            Self::DecisionPoint => "decision-point",
        }
    }

    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnswerOption {
    pub value: String,
    pub text: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answered {
    pub choice: Option<String>,
    pub text: Option<String>,
    pub by: AnsweredBy,
    pub at: Wall,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AnsweredBy {
    Person {
        name: String,
    },
    Policy,
    /// Nobody needs the answer any more.
    Withdrawn,
}

impl fmt::Display for AnsweredBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Person { name } => write!(f, "person:{name}"),
            Self::Policy => f.write_str("policy"),
            Self::Withdrawn => f.write_str("withdrawn"),
        }
    }
}

impl AnsweredBy {
    #[must_use]
    pub fn read(text: &str) -> Self {
        match (text, text.strip_prefix("person:")) {
            (_, Some(name)) => Self::Person { name: name.to_owned() },
            ("policy", None) => Self::Policy,
            (_, None) => Self::Withdrawn,
        }
    }
}
