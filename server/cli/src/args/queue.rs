//! `queue …` as it is typed.

use augment_core::task::{Origin, Priority, Status};
use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand, ValueEnum};

use super::values::{clearable_duration_ms, duration_ms, how_many};

#[derive(Debug, Subcommand)]
pub(crate) enum QueueCommand {
    /// Add a task
    #[command(
        after_help = "Examples:\n  augment-cli queue add --title \"Refactor authentication module\" --priority high\n  \
                      augment-cli queue add \"Write tests\" --depends-on b12 --scope 'src/auth/**' --time-limit 30m\n  \
                      git log -1 --format=%b | augment-cli queue add --title \"Follow up\" --description -"
    )]
    Add(AddArgs),
    /// List tasks: in progress, then pending in the order they are taken, then ended
    #[command(after_help = "Examples:\n  augment-cli queue list\n  augment-cli queue list --all --text login\n  \
                      augment-cli queue list --status failed --status blocked --json\n  augment-cli queue list --watch")]
    List(ListArgs),
    /// Show one task with its dependencies, attempts and newest records
    Show(TaskArgs),
    /// Change a task that has not ended; an empty value clears
    #[command(
        after_help = "Examples:\n  augment-cli queue edit b12 --priority low\n  augment-cli queue edit b12 --depends-on a3,a4\n  \
                      augment-cli queue edit b12 --depends-on \"\""
    )]
    Edit(Box<EditArgs>),
    /// Put a task somewhere else in the order; next to another one it takes on that one's priority
    #[command(after_help = "Examples:\n  augment-cli queue move b12 --top\n  augment-cli queue move b12 --before a3")]
    Move(MoveArgs),
    /// Remove a task that nobody works on and nothing depends on; its content stays in the ledger
    Remove(TaskArgs),
    /// Cancel a task that has not ended
    Cancel {
        #[command(flatten)]
        task: TaskArgs,
        /// Why
        #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
        reason: Option<String>,
    },
    /// Put a failed, partial, blocked or cancelled task back with all its attempts
    Retry(TaskArgs),
    /// Take the task that comes first: highest priority, then oldest, dependencies done
    #[command(
        after_help = "Exit code 1 when nothing is ready.\n\nExamples:\n  augment-cli queue next --agent goose --capability rust --lease 2m\n  \
                      augment-cli queue next --json\n  eval \"$(augment-cli queue next --print-token)\""
    )]
    Next(NextArgs),
    /// Take one task by its id
    Claim(ClaimArgs),
    /// Renew the lease of a taken task
    #[command(after_help = "Examples:\n  augment-cli queue heartbeat b12 --attempt 1")]
    Heartbeat {
        #[command(flatten)]
        task: TaskArgs,
        #[command(flatten)]
        attempt: AttemptArgs,
    },
    /// End a task as completed, partial or blocked
    #[command(
        after_help = "Examples:\n  augment-cli queue complete b12 --attempt 1 --result \"Done, see src/auth\"\n  \
                      augment-cli queue complete b12 --attempt 1 --outcome blocked --result - < notes.txt"
    )]
    Complete(CompleteArgs),
    /// End a task as failed
    Fail {
        #[command(flatten)]
        task: TaskArgs,
        #[command(flatten)]
        attempt: AttemptArgs,
        /// What went wrong
        #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
        reason: Option<String>,
    },
}

/// One task, by its id or a unique beginning of it.
#[derive(Debug, Args)]
pub(crate) struct TaskArgs {
    /// The task's id, or a unique beginning of it
    #[arg(value_name = "ID", required_unless_present = "task_id", conflicts_with = "task_id")]
    id: Option<String>,
    /// The same, as an option
    #[arg(long, alias = "id", value_name = "ID")]
    task_id: Option<String>,
}

impl TaskArgs {
    pub(crate) fn id(self) -> String {
        self.id.or(self.task_id).unwrap_or_default()
    }
}

#[derive(Debug, Args)]
pub(crate) struct AttemptArgs {
    /// The attempt that this is about; an agent with its own AUGMENT_TOKEN need not say it
    #[arg(long, value_name = "N")]
    pub(crate) attempt: Option<u32>,
}

#[derive(Debug, Args)]
pub(crate) struct AddArgs {
    /// What is to be done, in one line
    #[arg(value_name = "TITLE", required_unless_present = "title_option", conflicts_with = "title_option")]
    title: Option<String>,
    /// The same, as an option; --task is the same again
    #[arg(
        id = "title_option",
        long = "title",
        visible_alias = "task",
        value_name = "TITLE",
        allow_hyphen_values = true
    )]
    title_option: Option<String>,
    /// Where it comes from
    #[arg(long, value_name = "ORIGIN", value_parser = PossibleValuesParser::new(Origin::ALL.map(Origin::name)))]
    pub(crate) origin: Option<String>,
    /// Only after these tasks; may be repeated or separated by commas
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    pub(crate) depends_on: Option<Vec<String>>,
    /// How long one attempt may take: 90s, 30m, 2h
    #[arg(long, value_name = "TIME", value_parser = duration_ms)]
    pub(crate) time_limit: Option<i64>,
    #[command(flatten)]
    pub(crate) fields: FieldArgs,
}

impl AddArgs {
    pub(crate) fn title(&mut self) -> String {
        self.title.take().or(self.title_option.take()).unwrap_or_default()
    }
}

/// What `add` and `edit` have in common.
#[derive(Debug, Args)]
pub(crate) struct FieldArgs {
    /// More about it; - reads it from stdin
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) description: Option<String>,
    /// How soon it is wanted
    #[arg(long, value_name = "PRIORITY", value_parser = PossibleValuesParser::new(Priority::ALL.map(Priority::name)))]
    pub(crate) priority: Option<String>,
    /// A label; may be repeated
    #[arg(long, value_name = "LABEL")]
    pub(crate) label: Option<Vec<String>>,
    /// The goal of the plan that it serves
    #[arg(long, value_name = "GOAL", allow_hyphen_values = true)]
    pub(crate) goal: Option<String>,
    /// Which files it may touch; may be repeated
    #[arg(long, value_name = "GLOB")]
    pub(crate) scope: Option<Vec<String>>,
    /// What an agent must be able to do; may be repeated
    #[arg(long, value_name = "NAME")]
    pub(crate) capability: Option<Vec<String>>,
    /// The only one who may take it
    #[arg(long, value_name = "NAME")]
    pub(crate) assignee: Option<String>,
    /// How many attempts it gets
    #[arg(long, value_name = "N")]
    pub(crate) max_attempts: Option<u32>,
}

#[derive(Debug, Args)]
pub(crate) struct EditArgs {
    #[command(flatten)]
    pub(crate) task: TaskArgs,
    /// What is to be done, in one line
    #[arg(long, value_name = "TITLE", allow_hyphen_values = true)]
    pub(crate) title: Option<String>,
    /// Only after these tasks, instead of those before; without a value after none
    #[arg(long, value_name = "ID", value_delimiter = ',', num_args = 0..=1, default_missing_value = "")]
    pub(crate) depends_on: Option<Vec<String>>,
    /// How long one attempt may take: 90s, 30m, 2h; 0 for no limit
    #[arg(long, value_name = "TIME", value_parser = clearable_duration_ms)]
    pub(crate) time_limit: Option<i64>,
    /// Only if the task is still at this revision
    #[arg(long, value_name = "N")]
    pub(crate) revision: Option<u64>,
    #[command(flatten)]
    pub(crate) fields: FieldArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    /// Only with this status; may be repeated or separated by commas
    #[arg(
        long,
        value_name = "STATUS",
        value_delimiter = ',',
        conflicts_with = "all",
        value_parser = PossibleValuesParser::new(Status::ALL.map(Status::name))
    )]
    pub(crate) status: Option<Vec<String>>,
    /// Ended tasks, too
    #[arg(long)]
    pub(crate) all: bool,
    /// Only with this priority
    #[arg(long, value_name = "PRIORITY", value_parser = PossibleValuesParser::new(Priority::ALL.map(Priority::name)))]
    pub(crate) priority: Option<String>,
    /// Only with this label
    #[arg(long, value_name = "LABEL")]
    pub(crate) label: Option<String>,
    /// Only for this goal
    #[arg(long, value_name = "GOAL", allow_hyphen_values = true)]
    pub(crate) goal: Option<String>,
    /// Only what is assigned to, or held by
    #[arg(long, value_name = "NAME")]
    pub(crate) assignee: Option<String>,
    /// Only with this in the title or the description
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) text: Option<String>,
    /// Only what could be taken now
    #[arg(long)]
    pub(crate) ready: bool,
    /// How many to show at most; the setting queue.listLimit without it
    #[arg(long, value_name = "N", value_parser = how_many)]
    pub(crate) limit: Option<u32>,
    /// Go on after this task
    #[arg(long, value_name = "ID")]
    pub(crate) after: Option<String>,
    /// Stay and show every change
    #[arg(long)]
    pub(crate) watch: bool,
}

impl ListArgs {
    /// Whether only tasks with a certain content are wanted, so that the counts do not tell how many there are.
    pub(crate) fn is_filtered(&self) -> bool {
        self.ready
            || [&self.priority, &self.label, &self.goal, &self.assignee, &self.text].into_iter().any(Option::is_some)
    }
}

#[derive(Debug, Args)]
#[group(id = "place", required = true, multiple = false, args = ["before", "after", "top", "bottom"])]
pub(crate) struct PlaceArgs {
    /// Right before this task
    #[arg(long, value_name = "ID")]
    pub(crate) before: Option<String>,
    /// Right after this task
    #[arg(long, value_name = "ID")]
    pub(crate) after: Option<String>,
    /// First of its priority
    #[arg(long)]
    pub(crate) top: bool,
    /// Last of its priority
    #[arg(long)]
    pub(crate) bottom: bool,
}

#[derive(Debug, Args)]
pub(crate) struct MoveArgs {
    #[command(flatten)]
    pub(crate) task: TaskArgs,
    #[command(flatten)]
    pub(crate) place: PlaceArgs,
}

/// Who takes a task.
#[derive(Debug, Args)]
pub(crate) struct TakerArgs {
    /// The agent that takes it; without it you do
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
    /// What the agent can do; may be repeated
    #[arg(long, value_name = "NAME")]
    pub(crate) capability: Option<Vec<String>>,
    /// How long it stays taken without a heartbeat: 60s, 5m; a bare number is minutes
    #[arg(long, value_name = "TIME", value_parser = duration_ms)]
    pub(crate) lease: Option<i64>,
    /// Print only `export AUGMENT_TOKEN=…` on stdout, for eval; the rest goes to stderr
    #[arg(long)]
    pub(crate) print_token: bool,
}

#[derive(Debug, Args)]
pub(crate) struct NextArgs {
    #[command(flatten)]
    pub(crate) taker: TakerArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ClaimArgs {
    #[command(flatten)]
    pub(crate) task: TaskArgs,
    #[command(flatten)]
    pub(crate) taker: TakerArgs,
}

#[derive(Debug, Args)]
pub(crate) struct CompleteArgs {
    #[command(flatten)]
    pub(crate) task: TaskArgs,
    #[command(flatten)]
    pub(crate) attempt: AttemptArgs,
    /// How it ended
    #[arg(long, value_name = "OUTCOME")]
    pub(crate) outcome: Option<Outcome>,
    /// What came of it; - reads it from stdin
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) result: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Outcome {
    Completed,
    Partial,
    Blocked,
}
