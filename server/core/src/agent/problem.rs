//! What can be wrong with an agent's configuration, in sentences that name the value and the next step.

use std::fmt;

use super::draft::KEYS;
use crate::settings::distance;
use crate::text::{BadText, quoted, visible};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AgentProblem {
    BadName {
        problem: BadText,
    },
    UnknownKey {
        key: String,
    },
    /// A value of the wrong kind, such as a number where a text is wanted.
    WrongKind {
        key: &'static str,
        value: String,
        wanted: &'static str,
    },
    BadValue {
        key: &'static str,
        value: String,
        wanted: String,
    },
    BadText {
        key: &'static str,
        value: String,
        problem: BadText,
    },
    TooMany {
        key: &'static str,
        count: usize,
        limit: usize,
    },
    UnknownPreset {
        value: String,
        nearest: Option<&'static str>,
    },
    NoCommand {
        preset: Option<&'static str>,
    },
    BadVariable {
        key: &'static str,
        name: String,
    },
    OurVariable {
        key: &'static str,
        name: String,
    },
    /// A word of a task would run as a command.
    PromptRuns {
        argument: String,
    },
    PlaceWithoutPrompt,
    OnlyForAcp {
        key: &'static str,
    },
    OnlyForCommand {
        key: &'static str,
    },
    BadFolder {
        folder: String,
    },
    /// A path that means another file in every folder.
    RelativeProgram {
        program: String,
    },
    /// What only the user's own file may say.
    NotForWorkspace {
        key: &'static str,
        value: String,
    },
    PathNotInWorkspace {
        program: String,
    },
    NameTaken {
        name: String,
        by_preset: bool,
    },
}

impl AgentProblem {
    /// The key of the agent's table that it is about; `None` where it is about the agent as a whole.
    #[must_use]
    pub fn key(&self) -> Option<&str> {
        match self {
            Self::BadName { .. } | Self::NoCommand { .. } | Self::NameTaken { .. } => None,
            Self::UnknownKey { key } => Some(key),
            Self::WrongKind { key, .. }
            | Self::BadValue { key, .. }
            | Self::BadText { key, .. }
            | Self::TooMany { key, .. }
            | Self::BadVariable { key, .. }
            | Self::OurVariable { key, .. }
            | Self::OnlyForAcp { key }
            | Self::OnlyForCommand { key }
            | Self::NotForWorkspace { key, .. } => Some(key),
            Self::UnknownPreset { .. } => Some("preset"),
            Self::PromptRuns { .. } | Self::PlaceWithoutPrompt => Some("args"),
            Self::BadFolder { .. } => Some("writable"),
            Self::RelativeProgram { .. } | Self::PathNotInWorkspace { .. } => Some("command"),
        }
    }
}

impl fmt::Display for AgentProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadName { problem } => match problem {
                BadText::Empty => write!(f, "An agent needs a name."),
                BadText::TooLong { length, limit } => {
                    write!(f, "The name has {length} characters; {limit} are the most. Shorten it.")
                }
                BadText::Unseen { character, position } => write!(
                    f,
                    "The name holds {} at position {position}, which cannot be seen. Take it out.",
                    quoted(&character.to_string())
                ),
            },
            Self::UnknownKey { key } => match nearest_of(key, KEYS.iter().copied()) {
                Some(nearest) => write!(f, "There is no key {}. Did you mean {nearest}?", quoted(key)),
                None => write!(f, "There is no key {}. The keys are {}.", quoted(key), KEYS.join(", ")),
            },
            Self::WrongKind { key, value, wanted } => write!(f, "{} does not fit {key}. Use {wanted}.", quoted(value)),
            Self::BadValue { key, value, wanted } => write!(f, "{} does not fit {key}. Use {wanted}.", quoted(value)),
            Self::BadText { key, value, problem } => match problem {
                BadText::Empty => write!(f, "{key} is empty. Say something, or leave it out."),
                BadText::TooLong { length, limit } => {
                    write!(f, "{} in {key} has {length} bytes; {limit} are the most. Shorten it.", quoted(value))
                }
                BadText::Unseen { character, position } => write!(
                    f,
                    "{} in {key} holds {} at position {position}, which cannot be seen. Take it out.",
                    quoted(value),
                    quoted(&character.to_string())
                ),
            },
            Self::TooMany { key, count, limit } => write!(f, "{key} has {count} entries; {limit} are the most."),
            Self::UnknownPreset { value, nearest } => match nearest {
                Some(nearest) => write!(f, "There is no preset {}. Did you mean {nearest}?", quoted(value)),
                None => write!(f, "There is no preset {}. `augment-cli agent list-presets` shows them.", quoted(value)),
            },
            Self::NoCommand { preset: Some(preset) } => {
                write!(f, "The preset {preset} is to be filled in. Add command = \"…\" with a program of your own.")
            }
            Self::NoCommand { preset: None } => write!(
                f,
                "It says neither command nor preset. Add command = \"…\" with its program, or preset = \"…\"; \
                 `augment-cli agent list-presets` shows them."
            ),
            Self::BadVariable { key, name } => {
                write!(f, "{} in {key} is no name of a variable. Use letters, digits and _.", quoted(name))
            }
            Self::OurVariable { key, name } => {
                write!(f, "{} in {key} tells a run who it is; no agent can change that. Take it out.", visible(name))
            }
            Self::PromptRuns { argument } => write!(
                f,
                "With {} the words of a task would run as a command. Put the command into a script that takes the \
                 prompt as its argument or, with prompt = \"stdin\", on its input.",
                quoted(argument)
            ),
            Self::PlaceWithoutPrompt => {
                write!(
                    f,
                    "args holds {{prompt}}, but the prompt does not come there. Set prompt = \"argument\", or take it out."
                )
            }
            Self::OnlyForAcp { key } => write!(f, "{key} is for agents with adapter = \"acp\". Take it out."),
            Self::OnlyForCommand { key } => write!(f, "{key} is for agents with adapter = \"command\". Take it out."),
            Self::BadFolder { folder } => {
                write!(f, "{} in writable is no whole path. Begin it with / or ~/, without .. in it.", quoted(folder))
            }
            Self::RelativeProgram { program } => write!(
                f,
                "The program {} would be another one in each workspace. Use its name, or a path that begins with / or ~/.",
                quoted(program)
            ),
            Self::NotForWorkspace { key, value } => write!(
                f,
                "{} in {key} is not for a workspace to say. Configure the agent in your own file if you want that.",
                quoted(value)
            ),
            Self::PathNotInWorkspace { program } => write!(
                f,
                "The program {} lies outside of the workspace. Use a name that is looked up, or a path below the workspace \
                 that begins with ./ and has no .. in it.",
                quoted(program)
            ),
            Self::NameTaken { name, by_preset: true } => write!(
                f,
                "{} is a preset, and a workspace cannot take its name; the preset stays. Give the agent another name.",
                quoted(name)
            ),
            Self::NameTaken { name, by_preset: false } => write!(
                f,
                "{} is an agent of your own, and a workspace cannot take its name; yours stays. Give the agent another name.",
                quoted(name)
            ),
        }
    }
}

/// The word that was most likely meant.
#[must_use]
pub fn nearest_of<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    known
        .map(|known| (distance(&word, &known.to_lowercase()), known))
        .filter(|(distance, known)| *distance <= known.len().div_ceil(3))
        .min()
        .map(|(_, known)| known)
}
