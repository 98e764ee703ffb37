//! What is typed about runs: starting and stopping agents, looking at them, answering them.

use clap::Args;

use super::values::duration_ms;

#[derive(Debug, Args)]
pub(crate) struct StartAgentArgs {
    /// The task to work on; without it the one that comes first for the agent
    #[arg(value_name = "TASK", conflicts_with = "task_id")]
    task: Option<String>,
    /// The same, as an option
    #[arg(long, alias = "task", value_name = "ID")]
    task_id: Option<String>,
    /// The agent; without it the task's assignee, or the only one that can be started
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
    /// End it after this long: 90s, 30m, 2h; a bare number is minutes
    #[arg(long, alias = "time-limit", value_name = "DURATION", value_parser = duration_ms)]
    pub(crate) timeout: Option<i64>,
    /// Return at once; the agent goes on
    #[arg(long, alias = "detach", short = 'd')]
    pub(crate) background: bool,
}

impl StartAgentArgs {
    pub(crate) fn task(&self) -> Option<String> {
        self.task.clone().or_else(|| self.task_id.clone())
    }
}

/// One run.
#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// The run (b12.2), or a task for its newest run
    #[arg(value_name = "RUN", required_unless_present = "id")]
    run: Option<String>,
    /// The same, as an option
    #[arg(
        long,
        alias = "run",
        alias = "run-id",
        alias = "agent-id",
        alias = "task-id",
        value_name = "RUN",
        conflicts_with = "run"
    )]
    id: Option<String>,
}

impl RunArgs {
    pub(crate) fn run(&self) -> String {
        self.run.clone().or_else(|| self.id.clone()).unwrap_or_default()
    }
}

#[derive(Debug, Args)]
pub(crate) struct AgentStatusArgs {
    /// A run (b12.2), a task for its newest run, or an agent; without it all runs that have not ended
    #[arg(value_name = "RUN", conflicts_with = "id")]
    run: Option<String>,
    /// The same, as an option
    #[arg(long, alias = "agent-id", alias = "run-id", alias = "task-id", alias = "agent", value_name = "RUN")]
    id: Option<String>,
}

impl AgentStatusArgs {
    pub(crate) fn which(&self) -> Option<String> {
        self.run.clone().or_else(|| self.id.clone())
    }
}

#[derive(Debug, Args)]
pub(crate) struct LogsArgs {
    #[command(flatten)]
    pub(crate) run: RunArgs,
    /// Go on until the run has ended
    #[arg(long, short = 'f')]
    pub(crate) follow: bool,
    /// As the agent wrote it, with the frames of its protocol
    #[arg(long)]
    pub(crate) raw: bool,
}

#[derive(Debug, Args)]
pub(crate) struct AttachArgs {
    /// The task that the agent works on
    #[arg(value_name = "TASK", required_unless_present = "task_id")]
    task: Option<String>,
    /// The same, as an option
    #[arg(long, alias = "task", value_name = "ID", conflicts_with = "task")]
    task_id: Option<String>,
    /// What the agent is called
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: String,
    /// How long it may be silent before the task goes back: 10m, 2h
    #[arg(long, value_name = "DURATION", default_value = "8h", value_parser = duration_ms)]
    pub(crate) lease: i64,
    /// Print nothing but the line that gives a shell the run's token
    #[arg(long)]
    pub(crate) print_token: bool,
}

impl AttachArgs {
    pub(crate) fn task(&self) -> String {
        self.task.clone().or_else(|| self.task_id.clone()).unwrap_or_default()
    }
}

#[derive(Debug, Args)]
pub(crate) struct AnswerArgs {
    /// The question: q7
    #[arg(value_name = "QUESTION")]
    pub(crate) question: String,
    /// One of its options
    #[arg(value_name = "OPTION")]
    pub(crate) choice: Option<String>,
    /// An answer in your own words, besides the option or where there is none
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) text: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct QuestionsArgs {
    /// Also those that have their answer
    #[arg(long)]
    pub(crate) all: bool,
    /// Only those of this run
    #[arg(long, value_name = "RUN")]
    pub(crate) run: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct AllowArgs {
    /// The agent, as the workspace's agents.toml calls it
    #[arg(value_name = "NAME")]
    pub(crate) name: String,
    /// Allow it without being asked
    #[arg(long, short = 'y')]
    pub(crate) yes: bool,
}

#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("done").multiple(false))]
pub(crate) struct HandOffArgs {
    /// The hand-off: h3; without it all of them
    #[arg(value_name = "HAND-OFF", conflicts_with = "own")]
    pub(crate) hand_off: Option<String>,
    /// Make a task of it for the agent
    #[arg(long, group = "done", requires = "hand_off")]
    pub(crate) accept: bool,
    /// Make a task of it and start the agent
    #[arg(long, group = "done", requires = "hand_off")]
    pub(crate) start: bool,
    /// Let it be
    #[arg(long, group = "done", requires = "hand_off")]
    pub(crate) dismiss: bool,
    /// For an agent: what the one before it has left
    #[arg(long)]
    pub(crate) own: bool,
}

#[derive(Debug, Args)]
pub(crate) struct RunQueueArgs {
    /// The agent that works
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: String,
    /// How many runs at once, within what the agent and agents.parallel allow
    #[arg(long, value_name = "COUNT", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=64))]
    pub(crate) parallel: u32,
    /// End each run after this long
    #[arg(long, alias = "time-limit", value_name = "DURATION", value_parser = duration_ms)]
    pub(crate) timeout: Option<i64>,
    /// End when nothing is ready any more, instead of waiting for new tasks
    #[arg(long)]
    pub(crate) until_empty: bool,
}
