//! What a run's own process types: `complete`, `ask`, `hook`.

use std::ffi::OsString;

use clap::{Args, ValueEnum};

use super::values::{duration_ms, named_value};

/// How the work stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportStatus {
    /// All of it is done
    Completed,
    /// Some of it is done, and it waits for an approval or an answer
    Partial,
    /// It cannot go on
    Blocked,
}

#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// How the work stands
    #[arg(long, value_name = "STATUS", default_value = "completed")]
    pub(crate) status: ReportStatus,
    /// What was done, what is left and why; - reads stdin
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) summary: String,
    /// An agent that should work next, with or without a reason; may be given several times
    #[arg(long, value_name = "AGENT[:REASON]")]
    pub(crate) next: Vec<String>,
    /// A figure about the work, such as files_modified=3; may be given several times
    #[arg(long, value_name = "NAME=VALUE", value_parser = named_value)]
    pub(crate) metric: Vec<(String, String)>,
    /// The agent that reports
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct AskArgs {
    /// What a person shall decide
    #[arg(value_name = "QUESTION", allow_hyphen_values = true)]
    pub(crate) question: String,
    /// One way to answer: what is printed when it is chosen, and what the person reads; without any the answer is a text
    #[arg(long, value_name = "VALUE=TEXT")]
    pub(crate) option: Vec<String>,
    /// The value of the option that you would choose
    #[arg(long, value_name = "VALUE")]
    pub(crate) recommend: Option<String>,
    /// What the question is about: a command, a diff; - reads stdin
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) detail: Option<String>,
    /// How long to wait for the answer: 90s, 10m; a bare number is minutes
    #[arg(long, value_name = "TIME", value_parser = duration_ms, default_value = "10m")]
    pub(crate) wait: i64,
}

/// Nothing is refused here: to some agents the exit code of a usage error means that the tool may not be used.
#[derive(Debug, Args)]
#[command(trailing_var_arg = true)]
pub(crate) struct HookArgs {
    /// The agent whose hook this is (claude-code, codex, gemini, qwen or auggie), then its event, where it comes as an argument
    #[arg(value_name = "AGENT [EVENT]", allow_hyphen_values = true)]
    pub(crate) words: Vec<OsString>,
}
