//! `session …` and `plan …` as they are typed.

use std::path::PathBuf;

use clap::{ArgGroup, Args, Subcommand};

use super::values::how_many;

#[derive(Debug, Subcommand)]
pub(crate) enum SessionCommand {
    /// Begin a session: reads the plan and the changelog, and proposes a scope to confirm
    #[command(
        after_help = "On a terminal the scope is shown and asked for. Elsewhere it is only proposed; --confirm confirms it at once.\n\n\
                      Examples:\n  augment-cli session start\n  augment-cli session start --model claude-sonnet-4-6\n  \
                      augment-cli session start --confirm --task b12 --path 'src/**'"
    )]
    Start(StartSessionArgs),
    /// Confirm the proposed scope, or another one; nothing is begun before
    #[command(after_help = "Examples:\n  augment-cli session confirm\n  \
                      augment-cli session confirm --title \"Build the connector\" --path 'src/connectors/**'")]
    Confirm(ScopeArgs),
    /// Change the scope; a checkpoint is answered by it
    #[command(
        after_help = "Examples:\n  augment-cli session adjust --add b12\n  augment-cli session adjust --add \"Fix the parser\" --remove b11\n  \
                      augment-cli session adjust --log b13 --add-path 'docs/**'"
    )]
    Adjust(AdjustArgs),
    /// Show the session that is under way, what the documents say, and what waits for an answer
    Status,
    /// Show what was told: the newest report, or all
    #[command(
        after_help = "Examples:\n  augment-cli session report\n  augment-cli session report --session 9 --all\n  \
                      augment-cli session report --follow"
    )]
    Report(SessionReportArgs),
    /// Show where the session is; with --continue go on after a checkpoint
    #[command(after_help = "Examples:\n  augment-cli session checkpoint\n  augment-cli session checkpoint --continue")]
    Checkpoint {
        /// Go on as agreed
        #[arg(long = "continue")]
        go_on: bool,
    },
    /// End the session: tells all of it, writes the changelog's entry and the plan's marks, and proposes a commit
    #[command(
        after_help = "On a terminal the commit is asked for. Elsewhere it is only proposed; --commit makes it.\n\nExamples:\n  \
                      augment-cli session end\n  augment-cli session end --title \"Lifesum connector\" --decision \"Times are UTC\" --commit"
    )]
    End(EndSessionArgs),
    /// Commit the documents that the end of a session has changed
    #[command(
        after_help = "Nothing else is committed; what is staged stays staged. No hook of git is run.\n\nExamples:\n  \
                      augment-cli session commit\n  augment-cli session commit 9"
    )]
    Commit(WhichSessionArgs),
    /// Add to a session that has ended: artifacts, learnings, a rating, tags; and do what is left of its completion
    #[command(after_help = "Without a name it is the newest session that has ended.\n\nExamples:\n  \
                      augment-cli session complete --rating 4 --feedback \"Quick, but the tests came late\"\n  \
                      augment-cli session complete 9 --artifact docs/report.pdf --deliver out\n  \
                      augment-cli session complete --learning \"The API pages from 1\" --tag connectors")]
    Complete(CompleteSessionArgs),
    /// Run the steps of an ended session that failed or wait once more
    #[command(
        after_help = "Exit code 1 when a step fails again.\n\nExamples:\n  augment-cli session resume\n  augment-cli session resume s3"
    )]
    Resume(WhichSessionArgs),
    /// List sessions, the newest first
    List {
        /// How many
        #[arg(long, value_name = "N", value_parser = how_many)]
        limit: Option<u32>,
    },
    /// Show one session with its tasks, reports and flags; without its name the newest
    #[command(
        after_help = "Examples:\n  augment-cli session show\n  augment-cli session show 9\n  augment-cli session show s3"
    )]
    Show(WhichSessionArgs),
    /// Answer a change that fell outside of what was agreed to
    #[command(
        after_help = "Where other people's work is entangled with what --log takes out, the result is shown first and done only on a yes.\n\n\
                      Examples:\n  augment-cli session flag f1 --extend\n  augment-cli session flag f1 --extend 'src/io/**'\n  \
                      augment-cli session flag f1 --log\n  augment-cli session flag f1 --allow-once"
    )]
    Flag(FlagArgs),
}

/// What a scope holds.
#[derive(Debug, Args)]
pub(crate) struct ScopeArgs {
    /// A task of the queue; may be repeated
    #[arg(long, alias = "task-id", value_name = "ID")]
    pub(crate) task: Vec<String>,
    /// Something of the plan, or new, by its title; may be repeated
    #[arg(long, value_name = "TITLE", allow_hyphen_values = true)]
    pub(crate) title: Vec<String>,
    /// Where the work may write, as a pattern; may be repeated
    #[arg(long, value_name = "GLOB")]
    pub(crate) path: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct StartSessionArgs {
    /// The model that will be at work
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<String>,
    /// Confirm the scope at once, without being asked
    #[arg(long, visible_alias = "yes", short = 'y')]
    pub(crate) confirm: bool,
    /// End this session for the new one: the one under way, if it began by itself
    #[arg(long, value_name = "SESSION")]
    pub(crate) ends: Option<String>,
    #[command(flatten)]
    pub(crate) scope: ScopeArgs,
}

#[derive(Debug, Args)]
pub(crate) struct AdjustArgs {
    /// A task of the queue by its id, or something else by its title; may be repeated
    #[arg(long, value_name = "ID|TITLE", allow_hyphen_values = true)]
    pub(crate) add: Vec<String>,
    /// What is taken out of the scope, by its task's id or its title; may be repeated
    #[arg(long, value_name = "ID|TITLE", allow_hyphen_values = true)]
    pub(crate) remove: Vec<String>,
    /// A task that is only noted as discovered, for another time; may be repeated
    #[arg(long, value_name = "ID")]
    pub(crate) log: Vec<String>,
    /// Where the work may write from now on, instead of the patterns before; may be repeated
    #[arg(long, value_name = "GLOB")]
    pub(crate) path: Vec<String>,
    /// One more pattern; may be repeated
    #[arg(long, value_name = "GLOB")]
    pub(crate) add_path: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct SessionReportArgs {
    /// Of this session, by its id (s3) or its number (9)
    #[arg(long, value_name = "SESSION")]
    pub(crate) session: Option<String>,
    /// All reports, oldest first
    #[arg(long)]
    pub(crate) all: bool,
    /// Go on with each report as it comes
    #[arg(long, short = 'f')]
    pub(crate) follow: bool,
}

#[derive(Debug, Args)]
pub(crate) struct EndSessionArgs {
    /// What the entry in the changelog is called
    #[arg(long, value_name = "TITLE", allow_hyphen_values = true)]
    pub(crate) title: Option<String>,
    /// What was decided and should be known later; may be repeated
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) decision: Vec<String>,
    /// Make the proposed commit without being asked
    #[arg(long, conflicts_with = "no_commit")]
    pub(crate) commit: bool,
    /// Do not ask for the commit
    #[arg(long)]
    pub(crate) no_commit: bool,
}

#[derive(Debug, Args)]
pub(crate) struct CompleteSessionArgs {
    /// The session, by its id (s3) or its number (9); without it the newest that has ended
    #[arg(value_name = "SESSION")]
    pub(crate) session: Option<String>,
    /// A file that it has made, besides those that its tasks changed; may be repeated
    #[arg(long, value_name = "PATH")]
    pub(crate) artifact: Vec<PathBuf>,
    /// A folder of the workspace that what it has made is copied to
    #[arg(long, value_name = "FOLDER")]
    pub(crate) deliver: Option<PathBuf>,
    /// What should be known the next time; may be repeated
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) learning: Vec<String>,
    /// How it went, from 1 to 5
    #[arg(long, value_name = "N")]
    pub(crate) rating: Option<u32>,
    /// Why, in words
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) feedback: Option<String>,
    /// What its archive is tagged with; may be repeated
    #[arg(long, value_name = "TAG")]
    pub(crate) tag: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct WhichSessionArgs {
    /// The session, by its id (s3) or its number (9); without it the newest
    #[arg(value_name = "SESSION")]
    pub(crate) session: Option<String>,
}

#[derive(Debug, Args)]
#[command(group = ArgGroup::new("answer").required(true).multiple(false))]
pub(crate) struct FlagArgs {
    /// The flag: f1
    #[arg(value_name = "FLAG")]
    pub(crate) flag: String,
    /// The scope covers it from now on: the file, or this pattern
    #[arg(long, group = "answer", value_name = "PATTERN", num_args = 0..=1, default_missing_value = "")]
    pub(crate) extend: Option<String>,
    /// It is noted as a discovered task, and the change is taken out
    #[arg(long, group = "answer")]
    pub(crate) log: bool,
    /// This file for this task, and no more
    #[arg(long, group = "answer")]
    pub(crate) allow_once: bool,
    /// Do it also where --log would ask (entangled work), without asking
    #[arg(long, conflicts_with_all = ["extend", "allow_once"])]
    pub(crate) yes: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum PlanCommand {
    /// Show the plan as it is understood
    Show,
    /// Say what in the plan and the changelog is not understood, with the lines
    #[command(after_help = "Exit code 1 when something is not understood.\n\nExamples:\n  augment-cli plan check")]
    Check,
}
