//! `changes …` as it is typed, and what goes with it: `blame`, `watch`, `claim` and `start`.

use std::path::PathBuf;

use clap::{ArgGroup, Args, Subcommand};

use super::values::{LineRange, duration_ms, how_many, line_range};

/// `changes` by itself lists; with `--approve` or `--reject` it decides, and then what is meant must be said.
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("named").multiple(true).args(["task_id", "run", "file", "unknown", "all"])))]
pub(crate) struct ChangesArgs {
    #[command(subcommand)]
    pub(crate) command: Option<ChangesCommand>,
    #[command(flatten)]
    pub(crate) list: ListChangesArgs,
    /// Approve what is named, as `changes approve` does
    #[arg(long, conflicts_with = "reject", requires = "named")]
    pub(crate) approve: bool,
    /// Reject what is named, as `changes reject` does
    #[arg(long, requires = "named")]
    pub(crate) reject: bool,
    /// With --approve or --reject: all that waits
    #[arg(long)]
    pub(crate) all: bool,
    /// With --approve or --reject: do it also where it would ask, without asking
    #[arg(long)]
    pub(crate) yes: bool,
}

impl ChangesArgs {
    /// Whether something stands before a command of `changes` that would be passed over in silence. clap's own check
    /// also refuses what is for all commands, such as `--json`.
    pub(super) fn is_misplaced(&self) -> bool {
        let Self { command, list, approve, reject, all, yes } = self;
        let ListChangesArgs { task_id, run, file, unknown, decided, limit, after } = list;
        let flags = [approve, reject, all, yes, unknown, decided].into_iter().any(|flag| *flag);
        let texts = [task_id, run, after].into_iter().any(Option::is_some);
        command.is_some() && (flags || texts || file.is_some() || limit.is_some())
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum ChangesCommand {
    /// List what waits for a decision: by task, then file, then hunk
    #[command(after_help = "Examples:\n  augment-cli changes list\n  augment-cli changes list --task-id b12\n  \
                      augment-cli changes list --file src/main.rs --decided --json")]
    List(ListChangesArgs),
    /// Show one hunk, or a file's hunks, with who made them and how that is known
    #[command(
        after_help = "Examples:\n  augment-cli changes show 3fa2c1\n  augment-cli changes show --file src/main.rs"
    )]
    Show(ShowChangesArgs),
    /// Show what was changed as a unified diff, from before it to now
    #[command(after_help = "Examples:\n  augment-cli changes diff\n  augment-cli changes diff --task-id b12\n  \
                      augment-cli changes diff --hunk 3fa2c1\n  augment-cli changes diff --file src/main.rs --step 4")]
    Diff(DiffArgs),
    /// Approve hunks; nothing in the files changes
    #[command(
        after_help = "Examples:\n  augment-cli changes approve 3fa2c1 9b40d7\n  augment-cli changes approve --task-id b12\n  \
                      augment-cli changes approve --file src/main.rs --task-id b12\n  augment-cli changes approve --all"
    )]
    Approve(DecideArgs),
    /// Reject hunks: takes out exactly them and brings back exactly what they replaced
    #[command(
        after_help = "Where other people's work is entangled, the result is shown first and done only on a yes.\n\n\
                      Examples:\n  augment-cli changes reject 3fa2c1\n  augment-cli changes reject --task-id b12\n  \
                      augment-cli changes reject --file src/main.rs --yes\n  augment-cli changes reject --unknown"
    )]
    Reject(DecideArgs),
    /// Take a decision back; without its name the newest
    #[command(after_help = "Examples:\n  augment-cli changes undo\n  augment-cli changes undo d7")]
    Undo(WhichDecisionArgs),
    /// Take an undo back; without its name the newest
    #[command(
        after_help = "Where other people's work has become entangled with it since, the result is shown first and done only on a \
                      yes.\n\nExamples:\n  augment-cli changes redo\n  augment-cli changes redo d7"
    )]
    Redo(WhichDecisionArgs),
    /// Say whose a change is, where that is unknown or was inferred wrongly
    #[command(after_help = "Examples:\n  augment-cli changes assign 3fa2c1 --to-task b12\n  \
                      augment-cli changes assign --unknown --file src/main.rs --to-me")]
    Assign(AssignArgs),
    /// Tell the story of one file, oldest first
    #[command(after_help = "Examples:\n  augment-cli changes history src/main.rs\n  \
                      augment-cli changes diff --file src/main.rs --step 4")]
    History {
        /// The file, also one that is gone
        #[arg(value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
        file: PathBuf,
    },
    /// Let go of what decisions have taken out; they cannot be undone afterwards
    #[command(
        after_help = "Tells first what would go, and asks.\n\nExamples:\n  augment-cli changes purge --older-than 30d\n  \
                      augment-cli changes purge --older-than 30d --yes"
    )]
    Purge(PurgeArgs),
}

/// Which changes to list. The filters are also what `--approve` and `--reject` beside them mean.
#[derive(Debug, Args)]
#[group(skip)]
pub(crate) struct ListChangesArgs {
    /// Only what this task did
    #[arg(long, visible_alias = "task", value_name = "ID")]
    pub(crate) task_id: Option<String>,
    /// Only what this run did, such as b12.2
    #[arg(long, value_name = "RUN")]
    pub(crate) run: Option<String>,
    /// Only in this file
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub(crate) file: Option<PathBuf>,
    /// Only what nobody is known to have made
    #[arg(long)]
    pub(crate) unknown: bool,
    /// Also what is decided already
    #[arg(long)]
    pub(crate) decided: bool,
    /// How many files to show at most, 200 without it
    #[arg(long, value_name = "N", value_parser = how_many)]
    pub(crate) limit: Option<u32>,
    /// Go on after this file, as the end of a list names it
    #[arg(long, value_name = "PATH")]
    pub(crate) after: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct ShowChangesArgs {
    /// The hunk's id, or a unique beginning of it
    #[arg(value_name = "HUNK", required_unless_present = "file", conflicts_with = "file")]
    pub(crate) hunk: Option<String>,
    /// All hunks of this file
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub(crate) file: Option<PathBuf>,
    /// Also what is decided already
    #[arg(long)]
    pub(crate) decided: bool,
}

#[derive(Debug, Args)]
pub(crate) struct DiffArgs {
    /// From before this task
    #[arg(long, visible_alias = "task", value_name = "ID", conflicts_with_all = ["run", "hunk"])]
    pub(crate) task_id: Option<String>,
    /// From before this run, such as b12.2
    #[arg(long, value_name = "RUN", conflicts_with = "hunk")]
    pub(crate) run: Option<String>,
    /// Only this file
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath, conflicts_with = "hunk")]
    pub(crate) file: Option<PathBuf>,
    /// Only this hunk
    #[arg(long, value_name = "HUNK")]
    pub(crate) hunk: Option<String>,
    /// What this step of the file's history did, as `changes history` numbers it
    #[arg(long, value_name = "N", requires = "file", conflicts_with_all = ["task_id", "run", "hunk"])]
    pub(crate) step: Option<u32>,
}

/// What of the changes is meant: everything that is said must hold.
#[derive(Debug, Clone, Args)]
#[group(id = "what", required = true, multiple = true, args = ["hunks", "file", "task_id", "run", "unknown", "all"])]
pub(crate) struct SelectionArgs {
    /// Hunks, by their ids or unique beginnings of at least four characters
    #[arg(value_name = "HUNK")]
    pub(crate) hunks: Vec<String>,
    /// What is in this file
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub(crate) file: Option<PathBuf>,
    /// What this task did
    #[arg(long, visible_alias = "task", value_name = "ID")]
    pub(crate) task_id: Option<String>,
    /// What this run did, such as b12.2
    #[arg(long, value_name = "RUN")]
    pub(crate) run: Option<String>,
    /// What nobody is known to have made
    #[arg(long)]
    pub(crate) unknown: bool,
    /// All that waits
    #[arg(long)]
    pub(crate) all: bool,
}

#[derive(Debug, Args)]
pub(crate) struct DecideArgs {
    #[command(flatten)]
    pub(crate) what: SelectionArgs,
    /// Do it also where it would ask (entangled work, control files), without asking
    #[arg(long)]
    pub(crate) yes: bool,
}

#[derive(Debug, Args)]
pub(crate) struct WhichDecisionArgs {
    /// The decision, such as d7
    #[arg(value_name = "DECISION")]
    pub(crate) decision: Option<String>,
    /// Do it also where it would ask (a rejection that is brought back among others' work), without asking
    #[arg(long)]
    pub(crate) yes: bool,
}

#[derive(Debug, Args)]
pub(crate) struct AssignArgs {
    #[command(flatten)]
    pub(crate) what: SelectionArgs,
    #[command(flatten)]
    pub(crate) to: AssigneeArgs,
}

#[derive(Debug, Args)]
#[group(id = "assignee", required = true, multiple = false, args = ["to_task", "to_me"])]
pub(crate) struct AssigneeArgs {
    /// To the newest run of this task
    #[arg(long, value_name = "ID")]
    pub(crate) to_task: Option<String>,
    /// To you
    #[arg(long)]
    pub(crate) to_me: bool,
}

#[derive(Debug, Args)]
pub(crate) struct PurgeArgs {
    /// Only what was decided longer ago than this: 30d, 12h
    #[arg(long, value_name = "TIME", value_parser = duration_ms)]
    pub(crate) older_than: Option<i64>,
    /// Do it without asking
    #[arg(long)]
    pub(crate) yes: bool,
}

#[derive(Debug, Args)]
pub(crate) struct BlameArgs {
    /// The file
    #[arg(value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub(crate) file: PathBuf,
    /// Only these lines, counted from 1: 10-20, 10- or 10
    #[arg(short = 'L', long, value_name = "A-B", value_parser = line_range)]
    pub(crate) lines: Option<LineRange>,
}

#[derive(Debug, Args)]
pub(crate) struct WatchArgs {
    /// Only what this task does
    #[arg(long, visible_alias = "task", value_name = "ID")]
    pub(crate) task_id: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct ClaimFileArgs {
    /// The file that is or will be written
    #[arg(value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub(crate) file: PathBuf,
    /// The BLAKE3 hash of what is written, in hex
    #[arg(long, value_name = "HASH", conflicts_with = "content")]
    pub(crate) hash: Option<String>,
    /// A file with exactly what is written, to hash it; - reads stdin
    #[arg(long, value_name = "PATH", value_hint = clap::ValueHint::FilePath)]
    pub(crate) content: Option<PathBuf>,
    /// The task it is for; an agent with its own AUGMENT_TOKEN need not say it
    #[arg(long, visible_alias = "task", value_name = "ID")]
    pub(crate) task_id: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct StartArgs {
    /// What you are going to do, in one line: adds a task
    #[arg(value_name = "TITLE", required_unless_present = "task_id", conflicts_with = "task_id")]
    pub(crate) title: Option<String>,
    /// A task that is there already
    #[arg(long, visible_alias = "task", value_name = "ID")]
    pub(crate) task_id: Option<String>,
    /// The agent that works on it; without it you do
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
    /// How long it stays taken without a heartbeat: 30m, 12h; a bare number is minutes
    #[arg(long, value_name = "TIME", value_parser = duration_ms, default_value = "12h")]
    pub(crate) lease: i64,
    /// Print only `export AUGMENT_TOKEN=…` on stdout, for eval; the rest goes to stderr
    #[arg(long)]
    pub(crate) print_token: bool,
}
