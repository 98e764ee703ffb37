//! What is typed about completion reports: looking for them in a text, telling one, and the functions that scripts report
//! with.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Debug, Subcommand)]
pub(crate) enum CompletionCommand {
    /// Find the completion reports in a text, and say for each whether it can be read
    #[command(
        after_help = "Exit code 0 when there is a report and none is broken, 1 otherwise. Needs no workspace.\n\nExamples:\n  \
                      augment-cli completion check output.txt\n  my-agent | augment-cli completion check -\n  \
                      augment-cli completion check output.txt --json"
    )]
    Check(CheckReportArgs),
    /// Tell the last report in a text with the run's token, and print nothing of it
    #[command(
        after_help = "For scripts that have printed the report themselves, as those with completion-report.sh do.\n\nExamples:\n  \
                      augment-cli completion tell - < report.xml"
    )]
    Tell(TellReportArgs),
    /// Print the shell functions that scripts report with, or put them into a file
    #[command(
        after_help = "The file is complete by itself: where augment-cli is not there, scripts that source it only print their report.\n\n\
                      Examples:\n  augment-cli completion shell-helper --to scripts/completion-report.sh\n  \
                      eval \"$(augment-cli completion shell-helper)\"; complete_success goose \"Fixed it\" reviewer"
    )]
    ShellHelper(ShellHelperArgs),
}

#[derive(Debug, Args)]
pub(crate) struct CheckReportArgs {
    /// The text to look through; - reads stdin
    #[arg(value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub(crate) file: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct TellReportArgs {
    /// The text with the report; - reads stdin
    #[arg(value_name = "FILE", default_value = "-", value_hint = clap::ValueHint::FilePath)]
    pub(crate) file: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct ShellHelperArgs {
    /// Put them into this file instead of printing them
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub(crate) to: Option<PathBuf>,
    /// Also over a file that holds something else
    #[arg(long, requires = "to")]
    pub(crate) force: bool,
}
