//! An agent as it is configured: which program, with which arguments and variables, how it is spoken with, and what it may
//! do. What a file says is checked in `draft`, the agents that everybody knows are in `presets`, and which variables an agent
//! gets is in `variables`. Nothing here reads a file or an environment.
//!
//! No word of a task ever runs as a command: an agent's prompt is data for its program, and a configuration that would hand
//! it to a shell is refused.

mod draft;
mod keys;
mod presets;
mod problem;
mod variables;

use std::collections::BTreeSet;
use std::fmt;

use crate::ledger::write_text;
use crate::run::{Adapter, DoneBy};

pub use draft::{AgentDraft, KEYS, PARALLEL};
pub use keys::{AGENT_KEYS, AgentKey, Shape};
pub use presets::{PRESETS, Preset, preset};
pub use problem::{AgentProblem, nearest_of};
pub use variables::{is_always_passed, is_ours};

/// Where the prompt stands in an agent's arguments.
pub const PROMPT_PLACE: &str = "{prompt}";

/// Who configured an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// It is known to the program.
    Preset,
    /// The user's own file.
    User,
    /// The workspace's file, which comes with a repository.
    Workspace,
}

impl Source {
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Preset => "preset",
            Self::User => "user",
            Self::Workspace => "workspace",
        }
    }
}

/// How an agent gets its prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PromptBy {
    /// Its protocol says how.
    Protocol,
    /// In the place of [`PROMPT_PLACE`] in its arguments, or after them.
    Argument,
    /// On its input, which then ends.
    Stdin,
    /// Not at all: it finds out by itself, with our tools or from its own arguments.
    Nothing,
}

impl PromptBy {
    pub const ALL: [Self; 4] = [Self::Protocol, Self::Argument, Self::Stdin, Self::Nothing];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Protocol => "protocol",
            Self::Argument => "argument",
            Self::Stdin => "stdin",
            Self::Nothing => "nothing",
        }
    }
}

/// Whether an agent is held to the folders that it may write to. From loose to strict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confine {
    Off,
    /// Where the system can; where it cannot, it is told.
    Warn,
    /// Where the system cannot, nothing is started.
    Enforce,
}

impl Confine {
    pub const ALL: [Self; 3] = [Self::Off, Self::Warn, Self::Enforce];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Warn => "warn",
            Self::Enforce => "enforce",
        }
    }

    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|confine| confine.name() == name)
    }
}

/// What an agent that asks for leave is told. From loose to strict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Permission {
    Allow,
    Ask,
    Refuse,
}

impl Permission {
    pub const ALL: [Self; 3] = [Self::Allow, Self::Ask, Self::Refuse];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Refuse => "refuse",
        }
    }

    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|permission| permission.name() == name)
    }
}

/// An agent that can be started.
#[derive(Clone, PartialEq, Eq)]
pub struct AgentSpec {
    pub name: String,
    /// Never `Attached`: those are started by somebody else.
    pub adapter: Adapter,
    /// A name that is looked up, a whole path, one below the home folder (`~/…`), or, for a workspace's agent, one below the
    /// workspace (`./…`).
    pub program: String,
    pub arguments: Vec<String>,
    /// The names of variables that it gets from the person's environment, besides those that every agent gets.
    pub pass: Vec<String>,
    /// Variables that it gets with these values.
    pub set: Vec<(String, String)>,
    pub capabilities: BTreeSet<String>,
    /// How many runs of it there may be at once.
    pub parallel: u32,
    pub time_limit_ms: Option<i64>,
    pub done_by: DoneBy,
    pub prompt_by: PromptBy,
    /// The mode that its session is put into, where its protocol has modes.
    pub mode: Option<String>,
    /// Where it writes for itself: whole paths or `~/…`. One that ends with `/` is a folder, and is made if it is not there.
    pub writable: Vec<String>,
    pub confine: Option<Confine>,
    pub permission: Option<Permission>,
}

impl AgentSpec {
    /// Its arguments with the prompt, where it takes it so.
    #[must_use]
    pub fn arguments_for(&self, prompt: &str) -> Vec<String> {
        match self.prompt_by {
            PromptBy::Protocol | PromptBy::Stdin | PromptBy::Nothing => self.arguments.clone(),
            PromptBy::Argument if self.arguments.iter().any(|argument| argument.contains(PROMPT_PLACE)) => {
                self.arguments.iter().map(|argument| argument.replace(PROMPT_PLACE, prompt)).collect()
            }
            PromptBy::Argument => self.arguments.iter().cloned().chain([prompt.to_owned()]).collect(),
        }
    }

    /// Whether it gets this variable from the person's environment.
    #[must_use]
    pub fn passes(&self, name: &str) -> bool {
        is_always_passed(name) || self.pass.iter().any(|passed| passed == name)
    }

    /// The program and its arguments, for people.
    #[must_use]
    pub fn command_line(&self) -> String {
        let mut line = String::new();
        for word in std::iter::once(&self.program).chain(&self.arguments) {
            if !line.is_empty() {
                line.push(' ');
            }
            let is_plain = |c: char| c.is_alphanumeric() || "-_./:=@+,~{}".contains(c);
            if !word.is_empty() && word.chars().all(is_plain) {
                line.push_str(word);
            } else {
                write_text(&mut line, word);
            }
        }
        line
    }

    /// All that it says, a line each, in one form: what a person is shown before saying yes, and what that yes is bound to.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        line(&mut text, "agent", |out| write_text(out, &self.name));
        line(&mut text, "adapter", |out| write_text(out, self.adapter.name()));
        line(&mut text, "command", |out| write_text(out, &self.program));
        list(&mut text, "args", self.arguments.iter());
        list(&mut text, "env", self.pass.iter());
        for (name, value) in &self.set {
            line(&mut text, &format!("set.{name}"), |out| write_text(out, value));
        }
        list(&mut text, "capabilities", self.capabilities.iter());
        line(&mut text, "parallel", |out| out.push_str(&self.parallel.to_string()));
        if let Some(limit) = self.time_limit_ms {
            line(&mut text, "timeLimitMs", |out| out.push_str(&limit.to_string()));
        }
        line(&mut text, "doneBy", |out| write_text(out, done_by_name(self.done_by)));
        line(&mut text, "prompt", |out| write_text(out, self.prompt_by.name()));
        let choices = [
            ("mode", self.mode.as_deref()),
            ("confine", self.confine.map(Confine::name)),
            ("permission", self.permission.map(Permission::name)),
        ];
        for (key, value) in choices {
            if let Some(value) = value {
                line(&mut text, key, |out| write_text(out, value));
            }
        }
        list(&mut text, "writable", self.writable.iter());
        text
    }
}

/// An agent's text as a person has allowed it, for showing later what has changed. It is not printed: what is set may be
/// secret.
#[derive(Clone, PartialEq, Eq)]
pub struct AllowedText(pub String);

impl fmt::Debug for AllowedText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AllowedText").finish_non_exhaustive()
    }
}

/// What a yes to an agent is bound to: the hash of its text.
#[must_use]
pub fn hash_of(text: &str) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(b"agent 1\n").update(text.as_bytes());
    hasher.finalize().to_hex().to_string()
}

pub(crate) fn done_by_name(done_by: DoneBy) -> &'static str {
    match done_by {
        DoneBy::Report => "report",
        DoneBy::Exit => "exit",
    }
}

fn line(text: &mut String, key: &str, value: impl FnOnce(&mut String)) {
    text.push_str(key);
    text.push_str(" = ");
    value(text);
    text.push('\n');
}

/// A list that is empty says nothing.
fn list<'a>(text: &mut String, key: &str, items: impl Iterator<Item = &'a String>) {
    let mut items = items.peekable();
    if items.peek().is_none() {
        return;
    }
    line(text, key, |out| {
        out.push('[');
        for (at, item) in items.enumerate() {
            if at > 0 {
                out.push_str(", ");
            }
            write_text(out, item);
        }
        out.push(']');
    });
}

/// Without the values that are set: they may be secrets.
impl fmt::Debug for AgentSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let set: Vec<&String> = self.set.iter().map(|(name, _)| name).collect();
        f.debug_struct("AgentSpec")
            .field("name", &self.name)
            .field("adapter", &self.adapter)
            .field("program", &self.program)
            .field("pass", &self.pass)
            .field("set", &set)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec() -> AgentSpec {
        preset("goose").and_then(Preset::spec).expect("goose is a preset")
    }

    #[test]
    fn the_prompt_comes_in_its_place_or_last_and_stays_one_argument() {
        let with = |arguments: &[&str], prompt_by| {
            let arguments = arguments.iter().map(|argument| (*argument).to_owned()).collect();
            AgentSpec { arguments, prompt_by, ..spec() }.arguments_for("fix; rm -rf $HOME {prompt}")
        };
        assert_eq!(
            with(&["-t", "{prompt}", "-q"], PromptBy::Argument),
            ["-t", "fix; rm -rf $HOME {prompt}", "-q"],
            "what stands in a prompt is not looked at again"
        );
        assert_eq!(with(&["run"], PromptBy::Argument), ["run", "fix; rm -rf $HOME {prompt}"]);
        assert_eq!(with(&["{prompt}"], PromptBy::Stdin), ["{prompt}"]);
    }

    #[test]
    fn every_field_is_in_the_text_that_a_yes_is_bound_to() {
        let changes: [fn(&mut AgentSpec); 16] = [
            |_| {},
            |spec| spec.name.push('x'),
            |spec| spec.adapter = Adapter::Command,
            |spec| spec.program.push('x'),
            |spec| spec.arguments.push(String::new()),
            |spec| spec.arguments = vec!["acp\", \"--with-builtin".into()],
            |spec| spec.pass.push("X".into()),
            |spec| spec.set.push(("X".into(), "1".into())),
            |spec| spec.capabilities = BTreeSet::from(["rust".to_owned()]),
            |spec| spec.parallel += 1,
            |spec| spec.time_limit_ms = Some(1_000),
            |spec| spec.done_by = DoneBy::Exit,
            |spec| spec.mode = Some("plan".into()),
            |spec| spec.writable.push("/x".into()),
            |spec| spec.confine = Some(Confine::Off),
            |spec| spec.permission = Some(Permission::Ask),
        ];
        let hashes: BTreeSet<String> = changes
            .iter()
            .map(|change| {
                let mut spec = spec();
                change(&mut spec);
                hash_of(&spec.text())
            })
            .collect();
        assert_eq!(hashes.len(), changes.len());
        assert_ne!(hash_of(&AgentSpec { prompt_by: PromptBy::Nothing, ..spec() }.text()), hash_of(&spec().text()));
    }

    #[test]
    fn the_text_is_read_by_people() {
        let mut spec = spec();
        spec.pass = vec!["OPENAI_API_KEY".into()];
        spec.writable = vec!["~/.config/goose/".into()];
        assert_eq!(
            spec.text(),
            "agent = \"goose\"\nadapter = \"acp\"\ncommand = \"goose\"\nargs = [\"acp\", \"--with-builtin\", \"developer\"]\n\
             env = [\"OPENAI_API_KEY\"]\nset.GOOSE_MODE = \"approve\"\nparallel = 4\ndoneBy = \"report\"\nprompt = \"protocol\"\n\
             writable = [\"~/.config/goose/\"]\n"
        );
        spec.arguments = vec!["two words".into(), "a=b".into(), String::new()];
        assert_eq!(spec.command_line(), "goose \"two words\" a=b \"\"");
    }

    #[test]
    fn values_that_are_set_are_not_printed() {
        let mut spec = spec();
        spec.set.push(("TOKEN".into(), "secret".into()));
        let printed = format!("{spec:?}");
        assert!(printed.contains("TOKEN") && !printed.contains("secret"), "{printed}");
    }
}
