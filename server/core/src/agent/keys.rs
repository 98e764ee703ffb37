//! The keys of an agent's table, each with what it says and what it takes, for those who help people to write such a file.
//! What a value has to be is checked in `draft`; a test keeps the two alike.

/// A key of an agent's table.
#[derive(Debug)]
pub struct AgentKey {
    pub name: &'static str,
    pub about: &'static str,
    pub shape: Shape,
}

/// What stands behind a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    Text,
    Texts,
    /// A table of texts by name.
    Pairs,
    Number,
    /// `"30m"`, or a number of minutes.
    Duration,
    Choice(&'static [&'static str]),
    /// The name of a preset.
    Preset,
}

pub const AGENT_KEYS: &[AgentKey] = &[
    AgentKey { name: "preset", about: "The preset that this agent builds on.", shape: Shape::Preset },
    AgentKey {
        name: "command",
        about: "Its program: a name that is looked up, or a path. A path begins with / or ~/ in your own file, with ./ in a workspace's.",
        shape: Shape::Text,
    },
    AgentKey {
        name: "args",
        about: "The arguments of its program, instead of the preset's. {prompt} stands for the task.",
        shape: Shape::Texts,
    },
    AgentKey {
        name: "env",
        about: "Variables of yours that are passed on by name, besides the preset's. It gets no others but PATH, HOME and the like.",
        shape: Shape::Texts,
    },
    AgentKey { name: "set", about: "Variables with values, for this agent alone.", shape: Shape::Pairs },
    AgentKey {
        name: "adapter",
        about: "How it is spoken with: by the Agent Client Protocol, or as a plain command.",
        shape: Shape::Choice(&["acp", "command"]),
    },
    AgentKey {
        name: "capabilities",
        about: "What it can do. A task that requires something goes to an agent that has it.",
        shape: Shape::Texts,
    },
    AgentKey { name: "parallel", about: "How many runs of it there may be at once.", shape: Shape::Number },
    AgentKey {
        name: "timeLimit",
        about: "How long a run of it may take, for example 90s, 30m or 2h.",
        shape: Shape::Duration,
    },
    AgentKey {
        name: "doneBy",
        about: "What tells that its work is done: a report of its own, or that it ended well.",
        shape: Shape::Choice(&["report", "exit"]),
    },
    AgentKey {
        name: "prompt",
        about: "How a command gets its prompt: in the place of {prompt} in its arguments, on its input, or not at all.",
        shape: Shape::Choice(&["argument", "stdin", "nothing"]),
    },
    AgentKey {
        name: "mode",
        about: "The mode of its session, where it speaks the Agent Client Protocol.",
        shape: Shape::Text,
    },
    AgentKey {
        name: "writable",
        about: "Folders that it may write to besides the workspace and TMPDIR, as whole paths.",
        shape: Shape::Texts,
    },
    AgentKey {
        name: "confine",
        about: "Whether it is held to the folders it may write to. A workspace's agent can only tighten what you allow.",
        shape: Shape::Choice(&["off", "warn", "enforce"]),
    },
    AgentKey {
        name: "permission",
        about: "What it is told when it asks for leave to do something. A workspace's agent can only tighten what you allow.",
        shape: Shape::Choice(&["allow", "ask", "refuse"]),
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::{AgentDraft, Confine, KEYS, Permission, PromptBy, Source};

    #[test]
    fn the_keys_are_those_that_are_read() {
        assert_eq!(AGENT_KEYS.iter().map(|key| key.name).collect::<Vec<_>>(), KEYS);
    }

    #[test]
    fn the_choices_are_those_that_are_taken() {
        let choices = |name: &str| {
            let shape = AGENT_KEYS.iter().find(|key| key.name == name).expect("a key").shape;
            let Shape::Choice(choices) = shape else { panic!("{name} is {shape:?}") };
            choices.to_vec()
        };
        assert_eq!(choices("confine"), Confine::ALL.map(Confine::name));
        assert_eq!(choices("permission"), Permission::ALL.map(Permission::name));
        let by_command = PromptBy::ALL.into_iter().filter(|by| *by != PromptBy::Protocol).map(PromptBy::name);
        assert_eq!(choices("prompt"), by_command.collect::<Vec<_>>());
        for (name, choice) in
            ["adapter", "doneBy"].iter().flat_map(|name| choices(name).into_iter().map(move |c| (*name, c)))
        {
            let mut draft = AgentDraft { command: Some("x".into()), ..AgentDraft::default() };
            match name {
                "adapter" => draft.adapter = Some(choice.into()),
                _ => draft.done_by = Some(choice.into()),
            }
            assert!(draft.check("x", Source::User).is_ok(), "{name} = {choice}");
        }
    }
}
