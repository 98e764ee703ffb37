//! What can be typed: every command, option and spelling, with its help. Nothing here does anything; values that have
//! rules (a priority, a status, an id) stay texts, so that the core refuses a wrong one with its own sentence.

mod audit;
mod config;
mod queue;
mod values;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

pub(crate) use audit::{AuditCommand, AuditFilters, FollowArgs, ListRecordsArgs};
pub(crate) use config::ConfigCommand;
pub(crate) use queue::{
    AddArgs, ClaimArgs, CompleteArgs, EditArgs, ListArgs, MoveArgs, NextArgs, Outcome, PlaceArgs, QueueCommand,
    TaskArgs,
};
pub(crate) use values::bounded_stdin;

const EXAMPLES: &str = "\
Examples:
  augment-cli queue add --title \"Refactor authentication module\" --priority high
  augment-cli queue list
  augment-cli queue next --agent goose --json
  augment-cli status --task-id b12
  augment-cli audit list --task b12
  augment-cli doctor

Exit codes: 0 done, 1 refused or failed, 2 not understood.";

/// The whole command line.
#[derive(Debug, Parser)]
#[command(
    name = "augment-cli",
    bin_name = "augment-cli",
    version,
    about = "The work queue and the audit trail of a workspace, with the editor open or closed",
    after_help = EXAMPLES,
    arg_required_else_help = true,
    subcommand_required = true,
    max_term_width = 110
)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "For all commands")]
pub(crate) struct Global {
    /// The folder of the workspace, where it is not the one around the current folder
    #[arg(
        short = 'C',
        long = "workspace",
        value_name = "DIR",
        global = true,
        env = "AUGMENT_WORKSPACE",
        hide_env_values = true,
        value_hint = clap::ValueHint::DirPath
    )]
    pub(crate) workspace: Option<PathBuf>,
    /// Print one JSON document for programs; errors go to stderr as {"error": {"code", "message"}}
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// When to use colours; without it NO_COLOR and the setting output.color are asked
    #[arg(long, value_name = "WHEN", global = true)]
    pub(crate) color: Option<Color>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Add, order, take and finish tasks
    #[command(subcommand)]
    Queue(QueueCommand),
    /// Show the state of the whole, or of one task
    #[command(
        after_help = "Examples:\n  augment-cli status\n  augment-cli status --task-id b12\n  augment-cli status --json"
    )]
    Status(StatusArgs),
    /// Look into the ledger: what happened, when, by whom
    #[command(subcommand)]
    Audit(AuditCommand),
    /// Show and change settings, each with where it comes from
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Check what is found, what is wrong and what to do about it
    Doctor,
    /// Print where the data, the settings and the socket of this workspace are
    Where,
    /// Print the completions for a shell
    #[command(
        after_help = "Examples:\n  augment-cli completions bash > ~/.local/share/bash-completion/completions/augment-cli\n  \
                      augment-cli completions fish > ~/.config/fish/completions/augment-cli.fish"
    )]
    Completions {
        #[arg(value_name = "SHELL")]
        shell: clap_complete::Shell,
    },
    /// Print the manual page, or write the pages of all commands
    #[command(after_help = "Examples:\n  augment-cli man | man -l -\n  augment-cli man --dir ~/.local/share/man/man1")]
    Man {
        /// Write one page a command into this folder
        #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
        dir: Option<PathBuf>,
    },
    /// Speak the protocol for an editor; the editor starts this
    Serve {
        /// Over stdin and stdout, which is the only way there is
        #[arg(long)]
        stdio: bool,
    },
    /// The process that owns a workspace's state; started by itself when it is needed
    #[command(hide = true, subcommand)]
    Host(HostCommand),
}

#[derive(Debug, Subcommand)]
pub(crate) enum HostCommand {
    /// Be the host of this workspace
    #[command(hide = true)]
    Run,
    /// Ask the running host to leave
    Stop,
}

#[derive(Debug, Args)]
pub(crate) struct StatusArgs {
    /// The task to show, by its id or a unique beginning of it
    #[arg(value_name = "ID", conflicts_with = "task_id")]
    id: Option<String>,
    /// The same, as an option
    #[arg(long, alias = "id", value_name = "ID")]
    task_id: Option<String>,
}

impl StatusArgs {
    pub(crate) fn task(self) -> Option<String> {
        self.id.or(self.task_id)
    }
}

/// The global wishes of a command line that could not be understood as a whole, so that the message about it still
/// comes in the form that was asked for.
pub(crate) fn glance(args: &[OsString]) -> (bool, Option<Color>) {
    let mut json = false;
    let mut color = None;
    let mut args = args.iter().skip(1).filter_map(|arg| arg.to_str()).take_while(|arg| *arg != "--").peekable();
    while let Some(arg) = args.next() {
        match arg {
            "--json" => json = true,
            "--color" => color = args.peek().and_then(|value| Color::from_str(value, false).ok()).or(color),
            arg => {
                if let Some(value) = arg.strip_prefix("--color=") {
                    color = Color::from_str(value, false).ok().or(color);
                }
            }
        }
    }
    (json, color)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    fn parse(line: &str) -> Result<Cli, String> {
        Cli::try_parse_from(split(line)).map_err(|error| error.to_string())
    }

    /// Words between spaces; what stands between single quotes is one word.
    fn split(line: &str) -> Vec<String> {
        let mut words = Vec::new();
        for (at, part) in line.split('\'').enumerate() {
            if at % 2 == 1 {
                words.push(part.to_owned());
            } else {
                words.extend(part.split_whitespace().map(str::to_owned));
            }
        }
        words
    }

    #[test]
    fn the_commands_fit_together() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_spelling_of_the_seed_is_understood() {
        for line in [
            "augment-cli queue add --title 'Refactor authentication module' --priority high",
            "augment-cli queue add --task 'Refactor authentication module' --priority high",
            "augment-cli queue add --task 'Write tests' --description 'All of them' --priority medium",
            "augment-cli queue add 'Refactor authentication module'",
            "augment-cli queue list",
            "augment-cli queue list --status pending",
            "augment-cli queue list --status pending --status in-progress --watch",
            "augment-cli queue show b12",
            "augment-cli queue show --task-id b12",
            "augment-cli queue show --id b12",
            "augment-cli queue remove --id b12",
            "augment-cli status",
            "augment-cli status --task-id b12",
            "augment-cli status --id b12",
            "augment-cli status b12 --json",
            "augment-cli --json status",
            "augment-cli -C /tmp queue list",
            "augment-cli queue list --workspace /tmp --color never",
            "augment-cli serve --stdio",
            "augment-cli host run",
            "augment-cli host stop",
        ] {
            if let Err(message) = parse(line) {
                panic!("{line}: {message}");
            }
        }
    }

    #[test]
    fn what_is_missing_or_doubled_is_a_usage_error() {
        for line in [
            "augment-cli",
            "augment-cli queue add",
            "augment-cli queue add --title a --task b",
            "augment-cli queue add a --title b",
            "augment-cli queue show",
            "augment-cli queue show a1 --task-id a2",
            "augment-cli queue move a1",
            "augment-cli queue move a1 --top --bottom",
            "augment-cli queue list --all --status pending",
            "augment-cli queue add a --time-limit soon",
            "augment-cli audit list --since yesterdayish",
            "augment-cli agent list",
            "augment-cli changes list",
        ] {
            assert!(parse(line).is_err(), "{line}");
        }
    }

    #[test]
    fn free_text_may_begin_with_a_dash() {
        for line in [
            "augment-cli queue add --title '- first: tidy up'",
            "augment-cli queue add --title x --description -",
            "augment-cli queue cancel a1 --reason '-- not now'",
            "augment-cli queue complete a1 --attempt 1 --result '--- done'",
            "augment-cli config set queue.leaseSeconds -5",
        ] {
            if let Err(message) = parse(line) {
                panic!("{line}: {message}");
            }
        }
    }

    #[test]
    fn every_command_says_what_it_is_for() {
        fn check(command: &clap::Command) {
            assert!(command.get_about().is_some(), "{} has no help", command.get_name());
            for argument in command.get_arguments().filter(|argument| !argument.is_positional()) {
                assert!(argument.get_help().is_some(), "{} --{} has no help", command.get_name(), argument.get_id());
            }
            command.get_subcommands().for_each(check);
        }
        let mut command = Cli::command();
        command.build();
        check(&command);
        let help = command.render_help().to_string();
        for part in ["Examples:", "queue add --title", "Exit codes:", "--workspace", "AUGMENT_WORKSPACE", "--json"] {
            assert!(help.contains(part), "{part} is not in:\n{help}");
        }
        assert!(!help.contains("  host"), "{help}");
    }

    #[test]
    fn a_glance_finds_the_wishes_of_a_line_that_is_wrong() {
        let glance = |line: &str| glance(&split(line).into_iter().map(OsString::from).collect::<Vec<_>>());
        assert_eq!(glance("augment-cli quue --json"), (true, None));
        assert_eq!(glance("augment-cli --color never quue"), (false, Some(Color::Never)));
        assert_eq!(glance("augment-cli quue --color=always"), (false, Some(Color::Always)));
        assert_eq!(glance("augment-cli quue -- --json"), (false, None));
    }
}
