//! `scan …` as it is typed.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// `scan` by itself looks at what waits for a decision; with paths at files as they are.
#[derive(Debug, Args)]
pub(crate) struct ScanArgs {
    #[command(subcommand)]
    pub(crate) command: Option<ScanCommand>,
    /// Files or folders to look at as they are; without any, the changes that wait for a decision
    #[arg(value_name = "PATH", value_hint = clap::ValueHint::AnyPath)]
    pub(crate) paths: Vec<PathBuf>,
    /// List the rules
    #[arg(long, conflicts_with = "paths")]
    pub(crate) rules: bool,
}

impl ScanArgs {
    /// Whether something stands before a command of `scan` that would be passed over in silence.
    pub(super) fn is_misplaced(&self) -> bool {
        self.command.is_some() && (self.rules || !self.paths.is_empty())
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum ScanCommand {
    /// Say why findings of a hunk may stay; then it can be approved
    #[command(
        alias = "ack",
        after_help = "Examples:\n  augment-cli scan acknowledge 3fa2c1 --reason \"A sample key of the documentation\"\n  \
                      augment-cli scan acknowledge 3fa2c1 --rule mail-address --reason \"Our support address\""
    )]
    Acknowledge {
        /// The hunk, or a unique beginning of its id
        #[arg(value_name = "HUNK")]
        hunk: String,
        /// Only findings of this rule
        #[arg(long, value_name = "RULE")]
        rule: Option<String>,
        /// Why they may stay
        #[arg(long, value_name = "WHY", allow_hyphen_values = true)]
        reason: String,
    },
    /// Let findings of a rule or a kind pass below a path until a day
    #[command(
        after_help = "Examples:\n  augment-cli scan allow --rule mail-address --path 'tests/**' --until 2027-01-31 \\\n    \
                      --reason \"Invented people\""
    )]
    Allow {
        /// A rule or a kind; `scan --rules` lists them
        #[arg(long, value_name = "RULE")]
        rule: String,
        /// A pattern of paths
        #[arg(long, value_name = "GLOB")]
        path: String,
        /// The last day on which it holds, as in 2027-01-31
        #[arg(long, value_name = "DAY")]
        until: String,
        /// Why
        #[arg(long, value_name = "WHY", allow_hyphen_values = true)]
        reason: String,
    },
    /// List what is let pass
    Allowed,
    /// Let it pass no longer
    Disallow {
        /// Its number, as `scan allowed` shows it
        #[arg(value_name = "NUMBER")]
        number: u64,
    },
}
