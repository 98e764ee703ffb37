//! `handoff …` as it is typed.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Debug, Subcommand)]
pub(crate) enum HandOffCommand {
    /// List who agents suggest to go on, newest first
    List,
    /// Print what the next agent gets to read
    #[command(after_help = "Examples:\n  augment-cli handoff show h3\n  augment-cli handoff show h3 > for-the-next.md")]
    Show(OneHandOffArgs),
    /// Start the next agent with what it gets to read, which is shown first and can be edited
    #[command(
        after_help = "What you say yes to is what the agent gets, to the letter; the ledger keeps its hash.\n\nExamples:\n  \
                      augment-cli handoff start h3\n  augment-cli handoff start h3 --edit\n  \
                      augment-cli handoff show h3 > note.md; augment-cli handoff start h3 --document note.md --yes"
    )]
    Start(StartHandOffArgs),
    /// Let it be
    Dismiss(OneHandOffArgs),
}

#[derive(Debug, Args)]
pub(crate) struct OneHandOffArgs {
    /// The hand-off: h3
    #[arg(value_name = "HAND-OFF")]
    pub(crate) hand_off: String,
}

#[derive(Debug, Args)]
pub(crate) struct StartHandOffArgs {
    /// The hand-off: h3
    #[arg(value_name = "HAND-OFF")]
    pub(crate) hand_off: String,
    /// Change what the agent gets to read in your editor first: $VISUAL, else $EDITOR
    #[arg(long, conflicts_with = "document")]
    pub(crate) edit: bool,
    /// Give the agent this text to read; - reads stdin
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub(crate) document: Option<PathBuf>,
    /// Where its task lies outside the confirmed scope of the session, add it there
    #[arg(long)]
    pub(crate) add_to_scope: bool,
    /// Start it without being asked
    #[arg(long, short = 'y')]
    pub(crate) yes: bool,
}
