//! What prompt sessions refuse: with a stable code for programs, and a sentence that names the value and the next step.

use std::fmt;

use super::intent::BadIntent;
use super::message::BadMessage;
use super::state::{Prompt, PromptId, PromptState};
use crate::text::{quoted, shortened, visible};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PromptRefusal {
    NoPrompt,
    UnderWay { prompt: PromptId, state: PromptState, headline: String },
    UnknownPrompt { wanted: String },
    WrongState { prompt: PromptId, state: PromptState, wanted: PromptState },
    Credential { what: &'static str },
    Intent(BadIntent),
    Message(BadMessage),
    TooManyIntents { prompt: PromptId, limit: usize },
    Writing { prompt: PromptId },
    NotWriting { prompt: PromptId },
    NothingToFinish { prompt: PromptId },
    NothingToTakeBack { prompt: PromptId },
    FinishShownOtherwise { prompt: PromptId },
    UndoShownOtherwise { prompt: PromptId },
    NotPushed { prompt: PromptId },
    AlreadyPushed { prompt: PromptId, remote: String, branch: String },
    Closed { prompt: PromptId, remote: String, branch: String },
}

impl PromptRefusal {
    /// Another cannot begin while this one is under way.
    #[must_use]
    pub fn under_way(prompt: &Prompt) -> Self {
        let headline = shortened(prompt.headline(), 60).into_owned();
        Self::UnderWay { prompt: prompt.id, state: prompt.state, headline }
    }

    /// Stable: programs may match on it.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoPrompt => "no-prompt",
            Self::UnderWay { .. } => "prompt-under-way",
            Self::UnknownPrompt { .. } => "unknown-prompt",
            Self::WrongState { .. } => "prompt-state",
            Self::Credential { .. } => "credential-in-prompt",
            Self::Intent(problem) => problem.code(),
            Self::Message(problem) => problem.code(),
            Self::TooManyIntents { .. } => "too-many-intents",
            Self::Writing { .. } => "prompt-writing",
            Self::NotWriting { .. } => "prompt-not-writing",
            Self::NothingToFinish { .. } => "nothing-to-finish",
            Self::NothingToTakeBack { .. } => "nothing-to-undo",
            Self::FinishShownOtherwise { .. } | Self::UndoShownOtherwise { .. } => "shown-otherwise",
            Self::NotPushed { .. } => "not-pushed",
            Self::AlreadyPushed { .. } => "already-pushed",
            Self::Closed { .. } => "prompt-closed",
        }
    }
}

impl fmt::Display for PromptRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoPrompt => {
                write!(f, "No prompt is under way. Begin one with `augment-cli prompt start \"…\"`, then repeat.")
            }
            Self::UnderWay { prompt, state, headline } => {
                let next = match state {
                    PromptState::Finished => format!(
                        "Push it with `augment-cli prompt push`, or leave it as it is with `augment-cli prompt drop {prompt}`"
                    ),
                    PromptState::Open | PromptState::Closed | PromptState::Dropped => format!(
                        "Finish it with `augment-cli prompt finish`, or give it up with `augment-cli prompt drop {prompt}`"
                    ),
                };
                write!(f, "Prompt {prompt} ({}) is {}. {next}, then repeat.", quoted(headline), state.name())
            }
            Self::UnknownPrompt { wanted } => {
                write!(f, "There is no prompt {}. `augment-cli prompt list` shows them.", quoted(wanted))
            }
            Self::WrongState { prompt, state, wanted } => {
                write!(f, "Prompt {prompt} is {}, and this is for one that is {}.", state.name(), wanted.name())?;
                match wanted {
                    PromptState::Finished => write!(f, " Finish it with `augment-cli prompt finish`, then repeat."),
                    PromptState::Open | PromptState::Closed | PromptState::Dropped => {
                        write!(f, " `augment-cli prompt status` shows what comes next.")
                    }
                }
            }
            Self::Credential { what } => write!(
                f,
                "The {what} holds what looks like a credential, and would stand in the history for everybody who has it. \
                 Take it out, or add --with-credentials if it is none, then repeat."
            ),
            Self::Intent(problem) => write!(f, "{problem}"),
            Self::Message(problem) => write!(f, "{problem}"),
            Self::TooManyIntents { prompt, limit } => {
                write!(f, "Prompt {prompt} has {limit} intents, and that is the most. Finish it, and begin another.")
            }
            Self::Writing { prompt } => {
                write!(f, "Something is being written for prompt {prompt} already. Wait for it, then repeat.")
            }
            Self::NotWriting { prompt } => write!(f, "Nothing is being written for prompt {prompt}."),
            Self::NothingToFinish { prompt } => write!(
                f,
                "Prompt {prompt} has no intents, so there is nothing to make a session of. Write its report \
                 (`augment-cli prompt report --title … --answer …`), which is then its one intent, or give it up with \
                 `augment-cli prompt drop {prompt}`."
            ),
            Self::NothingToTakeBack { prompt } => {
                write!(f, "Nothing that was written for prompt {prompt} is left to be taken back.")
            }
            Self::FinishShownOtherwise { prompt } => write!(
                f,
                "What finishing prompt {prompt} would write is no longer what was shown. Look at it again, then say yes to that."
            ),
            Self::UndoShownOtherwise { prompt } => write!(
                f,
                "What would be taken back for prompt {prompt} is no longer what was shown. Look at it again, then say yes to that."
            ),
            Self::NotPushed { prompt } => write!(
                f,
                "Prompt {prompt} is not pushed, so it is not closed. Push it with `augment-cli prompt push`, then repeat."
            ),
            Self::AlreadyPushed { prompt, remote, branch } => write!(
                f,
                "Prompt {prompt} is on {} of {} already, so it is not taken back. Revert it with a new commit instead.",
                visible(branch),
                visible(remote)
            ),
            Self::Closed { prompt, remote, branch } => write!(
                f,
                "Prompt {prompt} is on {} of {}, and closed: there is nothing left to push. Begin the next one with \
                 `augment-cli prompt start \"…\"`.",
                visible(branch),
                visible(remote)
            ),
        }
    }
}
