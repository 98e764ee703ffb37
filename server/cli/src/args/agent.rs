//! `agent …` as it is typed.

use clap::{Args, Subcommand};

use super::values::duration_ms;

#[derive(Debug, Subcommand)]
pub(crate) enum AgentCommand {
    /// List the agents that are known without being configured, and how to get them
    #[command(alias = "presets")]
    ListPresets,
    /// Start an agent for a moment in an empty folder, to see whether it works; no model is asked
    #[command(
        after_help = "Examples:\n  augment-cli agent test goose\n  augment-cli agent test mine --wait 30s --json"
    )]
    Test(TestAgentArgs),
}

#[derive(Debug, Args)]
pub(crate) struct TestAgentArgs {
    /// The agent: a preset, or one from your agents.toml
    #[arg(value_name = "NAME")]
    pub(crate) name: String,
    /// How long it may say nothing before that counts as a failure
    #[arg(long, value_name = "DURATION", default_value = "10s", value_parser = duration_ms)]
    pub(crate) wait: i64,
}
