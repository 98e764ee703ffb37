//! `agent …` as it is typed.

use clap::{Args, Subcommand};

use super::runs::{
    AgentStatusArgs, AllowArgs, AnswerArgs, AttachArgs, HandOffArgs, LogsArgs, QuestionsArgs, RunArgs, RunQueueArgs,
    StartAgentArgs,
};
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
    /// Start an agent on a task; in the foreground it is followed to its end, and Ctrl-C stops it
    #[command(
        after_help = "Exit code 0 when the run completed, 1 when not.\n\nExamples:\n  augment-cli agent start --task-id b12 --agent goose --timeout 30m\n  \
                      augment-cli agent start --agent goose --background"
    )]
    Start(StartAgentArgs),
    /// Stop a run: politely, then its whole process tree
    Stop(RunArgs),
    /// List the agents that can be started, and the runs that have not ended
    List,
    /// Show how runs stand: state, why, last sign of life, last operations
    #[command(
        after_help = "Examples:\n  augment-cli agent status\n  augment-cli agent status --id b12.1\n  augment-cli agent status goose"
    )]
    Status(AgentStatusArgs),
    /// Print what a run has said
    #[command(after_help = "Examples:\n  augment-cli agent logs b12.1\n  augment-cli agent logs b12 --follow")]
    Logs(LogsArgs),
    /// Say that an agent which you started yourself works on a task; it is watched from now on
    #[command(after_help = "Examples:\n  augment-cli agent attach b12 --agent cursor\n  \
                      eval \"$(augment-cli agent attach b12 --agent claude-code --print-token)\"")]
    Attach(AttachArgs),
    /// List what agents wait for you to answer
    Questions(QuestionsArgs),
    /// Answer a question of an agent
    #[command(after_help = "Examples:\n  augment-cli agent answer q7 allow_once\n  augment-cli agent answer q7 2\n  \
                      augment-cli agent answer q8 --text \"Use the second table\"")]
    Answer(AnswerArgs),
    /// Allow an agent that comes with the workspace, exactly as it is configured
    Allow(AllowArgs),
    /// Show who agents suggest to go on, read what was left for them, and decide
    #[command(
        name = "hand-off",
        alias = "handoff",
        after_help = "Examples:\n  augment-cli agent hand-off\n  augment-cli agent hand-off h3\n  augment-cli agent hand-off h3 --start"
    )]
    HandOff(HandOffArgs),
}

#[derive(Debug, Subcommand)]
pub(crate) enum RunCommand {
    /// Keep taking tasks from the queue for an agent
    #[command(
        after_help = "Ctrl-C takes no more tasks; what runs goes on.\n\nExamples:\n  augment-cli run queue --agent goose\n  \
                      augment-cli run queue --agent goose --parallel 2 --timeout 30m --until-empty"
    )]
    Queue(RunQueueArgs),
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
