//! `init` as it is typed.

use clap::{Args, ValueEnum};

/// An agent that can be taught.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum InitAgent {
    #[value(alias = "claude-code")]
    Claude,
    Codex,
    Gemini,
    Qwen,
    Auggie,
    Goose,
}

#[derive(Debug, Args)]
pub(crate) struct InitArgs {
    /// An agent to teach; without it those whose program is installed. May be given several times
    #[arg(long, value_name = "NAME", conflicts_with = "all")]
    pub(crate) agent: Vec<InitAgent>,
    /// All agents that are known
    #[arg(long)]
    pub(crate) all: bool,
    /// Only show what would be changed
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Take out again what was put in; without --agent for all agents
    #[arg(long)]
    pub(crate) remove: bool,
    /// Make the changes without asking
    #[arg(long, short)]
    pub(crate) yes: bool,
}
