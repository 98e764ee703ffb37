//! What can be typed: every command, option and spelling, with its help. Nothing here does anything; values that have
//! rules (a priority, a status, an id) stay texts, so that the core refuses a wrong one with its own sentence.

mod agent;
mod archive;
mod audit;
mod changes;
mod completion;
mod config;
mod figures;
mod hand_off;
mod init;
mod prompt;
mod queue;
mod runs;

mod run;
mod scan;
mod session;
mod stamp;
mod values;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{Args, CommandFactory as _, Parser, Subcommand, ValueEnum};

pub(crate) use agent::{AgentCommand, RunCommand, TestAgentArgs};
pub(crate) use archive::{ArchiveCommand, ArchiveFilters, KnowledgeCommand};
pub(crate) use audit::{
    AuditCommand, AuditFilters, ExportArgs, ExportFormat, FollowArgs, ListRecordsArgs, ProtocolArgs, VerifyArgs,
};
pub(crate) use changes::{
    AssignArgs, BlameArgs, ChangesArgs, ChangesCommand, ClaimFileArgs, DecideArgs, DiffArgs, ListChangesArgs,
    PurgeArgs, SelectionArgs, ShowChangesArgs, StartArgs, WatchArgs,
};
pub(crate) use completion::{CompletionCommand, ShellHelperArgs};
pub(crate) use config::{ConfigCommand, SchemaOf};
pub(crate) use figures::{AnalyticsArgs, By, HistoryArgs, TypedKind};
pub(crate) use hand_off::{HandOffCommand, StartHandOffArgs};
pub(crate) use init::{InitAgent, InitArgs};
pub(crate) use prompt::{
    AnswerKind, ContextArgs, FinishArgs, GuardArgs, IntentArgs, ListPromptsArgs, PromptCommand, PromptContextArgs,
    PushArgs, ReportPromptArgs, ShowPromptArgs, StartPromptArgs, TextArgs, TypedScope,
};
pub(crate) use queue::{
    AddArgs, ClaimArgs, CompleteArgs, EditArgs, ListArgs, MoveArgs, NextArgs, Outcome, PlaceArgs, QueueCommand,
    TaskArgs,
};
pub(crate) use runs::{
    AgentStatusArgs, AllowArgs, AnswerArgs, AttachArgs, HandOffArgs, LogsArgs, QuestionsArgs, RunArgs, RunQueueArgs,
    StartAgentArgs,
};

#[cfg(test)]
pub(crate) use run::DecisionArgs;
pub(crate) use run::{AskArgs, HookArgs, ReportArgs, ReportStatus, TypedDecision};
pub(crate) use scan::{ScanArgs, ScanCommand};
pub(crate) use session::{
    AdjustArgs, CompleteSessionArgs, EndSessionArgs, FlagArgs, PlanCommand, ScopeArgs, SessionCommand,
    SessionReportArgs, StartSessionArgs,
};
pub(crate) use stamp::{StampArgs, StampFormat};
pub(crate) use values::{LineRange, Moment, bounded_stdin};

const EXAMPLES: &str = "\
Examples:
  augment-cli queue add --title \"Refactor authentication module\" --priority high
  augment-cli queue list
  augment-cli queue next --agent goose --json
  augment-cli status --task-id b12
  augment-cli start \"Refactor the login\"
  augment-cli session start
  augment-cli changes list
  augment-cli changes reject --task-id b12
  augment-cli audit list --task b12
  augment-cli doctor

Exit codes: 0 done, 1 refused or failed, 2 not understood.";

/// The whole command line.
#[derive(Debug, Parser)]
#[command(
    name = "augment-cli",
    bin_name = "augment-cli",
    version,
    about = "The work queue, the changes to review and the audit trail of a workspace, with the editor open or closed",
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

impl Cli {
    /// Understands a command line, or says why it makes no sense.
    pub(crate) fn understand<T: Into<OsString> + Clone>(
        line: impl IntoIterator<Item = T>,
    ) -> Result<Self, clap::Error> {
        let cli = Self::try_parse_from(line)?;
        match &cli.command {
            Command::Changes(args) if args.is_misplaced() => {
                let message = "what stands before the command of `changes` belongs after it";
                Err(Self::command().error(ErrorKind::ArgumentConflict, message))
            }
            Command::Scan(args) if args.is_misplaced() => {
                let message = "what stands before the command of `scan` belongs after it";
                Err(Self::command().error(ErrorKind::ArgumentConflict, message))
            }
            Command::Changes(_)
            | Command::Session(_)
            | Command::Prompt(_)
            | Command::Plan(_)
            | Command::Scan(_)
            | Command::Queue(_)
            | Command::Status(_)
            | Command::Blame(_)
            | Command::Watch(_)
            | Command::Claim(_)
            | Command::Start(_)
            | Command::Agent(_)
            | Command::Run(_)
            | Command::HandOff(_)
            | Command::Complete(_)
            | Command::Completion(_)
            | Command::Ask(_)
            | Command::Mcp
            | Command::Hook(_)
            | Command::Init(_)
            | Command::Archive(_)
            | Command::Knowledge(_)
            | Command::Audit(_)
            | Command::Analytics(_)
            | Command::History(_)
            | Command::Config(_)
            | Command::Stamp(_)
            | Command::Doctor
            | Command::Demo { .. }
            | Command::DemoAgent
            | Command::Where
            | Command::Completions { .. }
            | Command::Man { .. }
            | Command::Serve { .. }
            | Command::Host(_) => Ok(cli),
        }
    }
}

/// The command that a line names, without its options: `changes approve`. A line that names none is nothing.
pub(crate) fn typed_command(line: &[OsString]) -> Option<String> {
    let matches = Cli::command().try_get_matches_from(line).ok()?;
    let mut names = Vec::new();
    let mut inner = &matches;
    while let Some((name, below)) = inner.subcommand() {
        names.push(name.to_owned());
        inner = below;
    }
    // `changes --task-id a1 --approve` decides, too.
    let flag = ["approve", "reject"].into_iter().find(|flag| matches!(inner.try_get_one::<bool>(flag), Ok(Some(true))));
    names.extend(flag.map(|flag| format!("--{flag}")));
    (!names.is_empty()).then(|| names.join(" "))
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
    #[command(
        subcommand,
        after_help = "Examples:\n  augment-cli queue add --title \"Refactor the login\" --priority high\n  \
                      augment-cli queue list\n  augment-cli queue show b12"
    )]
    Queue(QueueCommand),
    /// Show the state of the whole, or of one task
    #[command(
        after_help = "Examples:\n  augment-cli status\n  augment-cli status --task-id b12\n  augment-cli status --json"
    )]
    Status(StatusArgs),
    /// Agree on what is to be done, see how it goes, and end with a record
    #[command(
        subcommand,
        after_help = "Examples:\n  augment-cli session start\n  augment-cli session confirm\n  \
                      augment-cli session status\n  augment-cli session end"
    )]
    Session(SessionCommand),
    /// Keep what was asked with the commits that came of it, and make one commit that tells the whole
    #[command(
        subcommand,
        after_help = "Examples:\n  \
                      augment-cli prompt start \"Teach the parser comments\" --context \"Only line comments\"\n  \
                      augment-cli prompt status\n  augment-cli prompt intent \"Read comments as tokens\"\n  \
                      augment-cli prompt finish \"The parser reads comments\" --dry-run\n  augment-cli prompt push\n  \
                      augment-cli prompt guard"
    )]
    Prompt(PromptCommand),
    /// Look at the project's plan as it is understood
    #[command(subcommand, after_help = "Examples:\n  augment-cli plan show\n  augment-cli plan check")]
    Plan(PlanCommand),
    /// Look for secrets, personal data, production values and unpinned dependencies
    #[command(
        after_help = "What is found is never printed, only where it is. Exit code 1 when something is found that stops an approval.\n\n\
                      Examples:\n  augment-cli scan\n  augment-cli scan src config.toml\n  augment-cli scan --rules\n  \
                      augment-cli scan acknowledge 3fa2c1 --reason \"A sample key of the documentation\""
    )]
    Scan(ScanArgs),
    /// See what was changed, by whom and for which task, and approve or reject it
    #[command(
        after_help = "Files are named relative to the current folder, or to the workspace from outside of it.\n\nExamples:\n  \
                      augment-cli changes\n  augment-cli changes show 3fa2c1\n  augment-cli changes diff --task-id b12\n  \
                      augment-cli changes approve --file src/main.rs --task-id b12\n  augment-cli changes --task-id b12 --reject\n  \
                      augment-cli changes undo"
    )]
    Changes(ChangesArgs),
    /// Show for each line of a file who wrote it, for which task, when, and how that is known
    #[command(
        after_help = "Examples:\n  augment-cli blame src/main.rs\n  augment-cli blame src/main.rs --lines 10-20\n  \
                      augment-cli blame src/main.rs --json"
    )]
    Blame(BlameArgs),
    /// Show changes and decisions as they happen
    #[command(after_help = "Examples:\n  augment-cli watch\n  augment-cli watch --task-id b12 --json")]
    Watch(WatchArgs),
    /// Say that a file is written for a task, so that the change is known to be its work
    #[command(after_help = "Examples:\n  augment-cli claim src/main.rs --task-id b12\n  \
                      generate | tee src/out.rs | augment-cli claim src/out.rs --content -")]
    Claim(ClaimFileArgs),
    /// Start working on a task: takes it and watches what changes from now on
    #[command(
        after_help = "Examples:\n  augment-cli start \"Refactor the login\"\n  augment-cli start --task-id b12 --agent goose --lease 2h\n  \
                      eval \"$(augment-cli start \"Refactor the login\" --agent goose --print-token)\""
    )]
    Start(StartArgs),
    /// Start agents on tasks, watch them, answer them and stop them
    #[command(
        subcommand,
        after_help = "Examples:\n  augment-cli agent list\n  augment-cli agent start --task-id b12 --agent goose\n  \
                      augment-cli agent logs b12 --follow"
    )]
    Agent(AgentCommand),
    /// Let an agent work through the queue
    #[command(subcommand, after_help = "Examples:\n  augment-cli run queue --agent goose")]
    Run(RunCommand),
    /// See who agents suggest to go on and what was left for them, and start them with it
    #[command(
        subcommand,
        name = "handoff",
        alias = "hand-off",
        after_help = "Examples:\n  augment-cli handoff list\n  augment-cli handoff show h3"
    )]
    HandOff(HandOffCommand),
    /// Report how the work of a run stands: prints the report, and tells it with the run's token where there is one
    #[command(
        after_help = "Without AUGMENT_TOKEN only the report is printed, for whoever reads the output.\n\nExamples:\n  \
                      augment-cli complete --summary \"The login is refactored\" --metric files_modified=3\n  \
                      augment-cli complete --status blocked --summary \"No access to staging\" --next '@ops:needs the keys'\n  \
                      augment-cli complete --status partial --agent refactorer --summary \"Ready to split\" \\\n    \
                      --decision \"Split it now?\" --option yes=\"Into three files\" --option no=\"Leave it\" --recommend yes"
    )]
    Complete(ReportArgs),
    /// Check completion reports, tell one, and get the functions that shell scripts report with
    #[command(
        subcommand,
        after_help = "Examples:\n  augment-cli completion check output.txt\n  \
                      augment-cli completion shell-helper --to scripts/completion-report.sh"
    )]
    Completion(CompletionCommand),
    /// Ask a person something as a run, and print the answer
    #[command(after_help = "Exit code 1 when nobody has answered in time.\n\nExamples:\n  \
                      augment-cli ask \"Which store?\" --option redis=\"Redis, as in production\" --option memory=\"In memory\" --recommend redis\n  \
                      answer=$(augment-cli ask \"Drop the old table?\" --option yes=Yes --option no=No --wait 30m)")]
    Ask(AskArgs),
    /// Offer the tools of a run over MCP on stdin and stdout; the agent starts this
    Mcp,
    /// Understand an event of an agent's hook; the agent calls this
    #[command(
        after_help = "The event comes as JSON on stdin, or as an argument (`notify` of Codex). Whatever goes wrong, the exit code is 0 \
                      and nothing is printed, so that the agent goes on as it would without us.\n\nExamples:\n  augment-cli hook claude-code < event.json"
    )]
    Hook(HookArgs),
    /// Teach agents in this workspace how to work with the queue: instructions, hooks, MCP and commands
    #[command(
        after_help = "Each change is shown as a diff and made on a yes. --remove takes out exactly what was put in.\n\nExamples:\n  \
                      augment-cli init --agent claude --agent codex\n  augment-cli init --all --dry-run\n  augment-cli init --remove"
    )]
    Init(InitArgs),
    /// Find, read, check and take in archived sessions
    #[command(
        subcommand,
        after_help = "Examples:\n  augment-cli archive list\n  augment-cli archive search lifesum connector\n  \
                      augment-cli archive verify"
    )]
    Archive(ArchiveCommand),
    /// See what was learnt, and say what everybody should know
    #[command(
        subcommand,
        after_help = "Examples:\n  augment-cli knowledge list\n  \
                      augment-cli knowledge add \"The API counts pages from 1\" --tag api"
    )]
    Knowledge(KnowledgeCommand),
    /// Look into the ledger: what happened, when, by whom
    #[command(
        subcommand,
        after_help = "Examples:\n  augment-cli audit list --since 2h\n  augment-cli audit verify\n  \
                      augment-cli audit protocol --all"
    )]
    Audit(AuditCommand),
    /// Tell the story of the workspace, a session or a file: who changed what when, what was decided, how tasks ended
    #[command(
        after_help = "The newest first. `audit list` shows every record, `changes history FILE` the steps of a file's content.\n\nExamples:\n  \
                      augment-cli history\n  augment-cli history --session 9 --oldest\n  \
                      augment-cli history src/main.rs\n  augment-cli history --by goose --kind revision --kind decision"
    )]
    History(HistoryArgs),
    /// Show figures of a period: success and failure, times, throughput, approvals and rejections, tokens and cost
    #[command(
        after_help = "A type is a label of a task. Days and weeks are those of UTC. A rate comes with its counts; - means that there is \
                      nothing to count.\n\nExamples:\n  augment-cli analytics\n  augment-cli analytics --from 7d --by day\n  \
                      augment-cli analytics --agent goose --by type\n  augment-cli analytics --session 9\n  \
                      augment-cli analytics --from 2026-11-01 --to 2026-12-01 --csv > november.csv"
    )]
    Analytics(AnalyticsArgs),
    /// Show and change settings, each with where it comes from
    #[command(
        subcommand,
        after_help = "Examples:\n  augment-cli config list\n  augment-cli config get queue.leaseSeconds\n  \
                      augment-cli config set queue.leaseSeconds 120"
    )]
    Config(ConfigCommand),
    /// Print a moment as the place of the Sun: sign, degree, minute, second and year
    #[command(
        after_help = "Degree, minute and second are counted from 1; years begin with the March equinox. Needs no workspace; in one, the \
                      setting stamp.model counts.\n\nExamples:\n  augment-cli stamp\n  augment-cli stamp --at 2026-02-22T16:39:31Z --format am\n  \
                      augment-cli stamp --at @1771678633 --format numeric\n  augment-cli stamp --precision degree --model true\n  \
                      augment-cli stamp --parse 5919.12.5.4.47 --format unicode"
    )]
    Stamp(StampArgs),
    /// Check what is found, what is wrong and what to do about it
    Doctor,
    /// Make a small project to try everything on, with an agent built in
    #[command(
        after_help = "Needs no agent, no account and no network. Nothing that exists is written over; without a folder a new one is made \
                      beside earlier demos.\n\nExamples:\n  augment-cli demo\n  augment-cli demo ~/lantern"
    )]
    Demo {
        /// The folder to make it in; it must be empty or not exist
        #[arg(value_name = "FOLDER", value_hint = clap::ValueHint::DirPath)]
        folder: Option<PathBuf>,
    },
    /// Be the agent of a demo; the host starts this
    #[command(hide = true, name = augment_core::demo::AGENT_COMMAND)]
    DemoAgent,
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
    use super::*;

    fn parse(line: &str) -> Result<Cli, String> {
        Cli::understand(split(line)).map_err(|error| error.to_string())
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
            "augment-cli session start --model m --yes --task a1 --title 'b c' --path 'src/**'",
            "augment-cli session confirm --title x --title y",
            "augment-cli session adjust --add a1 --remove x --log b12 --path a --add-path b",
            "augment-cli session report --session 9 --all --json",
            "augment-cli session checkpoint --continue",
            "augment-cli session end --title x --decision y --commit",
            "augment-cli session commit 9",
            "augment-cli session list --limit 3",
            "augment-cli session show",
            "augment-cli session flag f1 --extend 'src/**'",
            "augment-cli session flag f1 --extend",
            "augment-cli session flag f1 --allow-once",
            "augment-cli prompt start 'Teach the parser comments'",
            "augment-cli prompt start --file a.md --context x --subject A --subject B --commit-first --before y --before z",
            "augment-cli prompt start - --context-file a.md --leave --with-credentials --dry-run",
            "augment-cli prompt start",
            "augment-cli prompt status --json",
            "augment-cli prompt context x --with-credentials",
            "augment-cli prompt context --file -",
            "augment-cli prompt intent x",
            "augment-cli prompt intent x --task b12 --decision d3 src/a.rs src/b.rs --dry-run",
            "augment-cli prompt intent x --task-id b12 --path src/a.rs",
            "augment-cli prompt finish x --context y --include a --include b --leave c --bookmark dev --dry-run",
            "augment-cli prompt finish x --context-file - --with-credentials",
            "augment-cli prompt report --title x --answer y",
            "augment-cli prompt report --title x --answer-file a.md --kind draft --change-scope modified-files --subject A",
            "augment-cli prompt report --title x --kind question --change-scope no-files --no-commit --dry-run -",
            "augment-cli prompt unify",
            "augment-cli prompt unify --write",
            "augment-cli prompt push --remote origin --to dev --dry-run",
            "augment-cli prompt undo --dry-run",
            "augment-cli prompt drop",
            "augment-cli prompt drop p7",
            "augment-cli prompt list --limit 3 --branch dev",
            "augment-cli prompt show p7",
            "augment-cli prompt show qpvuntsm --prompt --branch dev",
            "augment-cli prompt guard --branch dev --remote origin --json",
            "augment-cli plan show",
            "augment-cli plan check --json",
            "augment-cli scan",
            "augment-cli scan src a.txt",
            "augment-cli scan --rules",
            "augment-cli scan acknowledge 3fa2 --reason x",
            "augment-cli scan allow --rule r --path p --until 2027-01-31 --reason x",
            "augment-cli scan allowed",
            "augment-cli scan disallow 3",
            "augment-cli stamp",
            "augment-cli stamp --at 2026-02-22T16:39:31Z --format am --precision minute --model true",
            "augment-cli stamp --at @-5 --format numeric",
            "augment-cli stamp --parse '♓.5.4.47 5919AM' --format json",
            "augment-cli serve --stdio",
            "augment-cli host run",
            "augment-cli host stop",
            "augment-cli demo",
            "augment-cli demo /tmp/lantern --json",
            "augment-cli demo-agent",
            "augment-cli changes",
            "augment-cli changes --json",
            "augment-cli changes --json list",
            "augment-cli changes -C /tmp list --limit 3",
            "augment-cli changes --task-id b12",
            "augment-cli changes --task-id b12 --approve",
            "augment-cli changes --task-id b12 --reject",
            "augment-cli changes --all --approve",
            "augment-cli changes list --file src/a.rs --unknown --decided",
            "augment-cli changes approve --file src/a.rs --task-id b12",
            "augment-cli changes reject --file src/a.rs --task-id b12 --yes",
            "augment-cli changes reject 3fa2 9b40",
            "augment-cli changes undo",
            "augment-cli changes undo d7",
            "augment-cli changes diff",
            "augment-cli changes diff --file src/a.rs --step 3",
            "augment-cli changes assign --unknown --to-me",
            "augment-cli changes purge --older-than 30d",
            "augment-cli blame src/a.rs --lines 10-20",
            "augment-cli watch --task-id b12",
            "augment-cli claim src/a.rs --content - --task-id b12",
            "augment-cli start 'Refactor the login'",
            "augment-cli start --task-id b12 --agent goose --lease 12h",
            "augment-cli agent list",
            "augment-cli agent start --task-id b12 --timeout 30m",
            "augment-cli agent start --task-id b12 --timeout 30m --agent goose --background",
            "augment-cli agent start b12",
            "augment-cli agent start",
            "augment-cli agent stop b12.1",
            "augment-cli agent stop --id b12.1",
            "augment-cli agent status",
            "augment-cli agent status --agent-id goose",
            "augment-cli agent status --id b12.1",
            "augment-cli agent logs b12.1 --follow",
            "augment-cli agent attach b12 --agent cursor",
            "augment-cli agent questions --all",
            "augment-cli agent answer q7 yes",
            "augment-cli agent answer q7 --text 'as you like'",
            "augment-cli agent allow mine --yes",
            "augment-cli agent hand-off",
            "augment-cli agent hand-off h3 --accept",
            "augment-cli agent hand-off --own",
            "augment-cli run queue --agent goose --parallel 2 --until-empty",
            "augment-cli agent list-presets",
            "augment-cli agent presets --json",
            "augment-cli agent test goose --wait 30s",
            "augment-cli complete --status blocked --summary '- no access' --next '@ops:keys' --metric files_modified=3",
            "augment-cli complete --summary x --decision 'Now?' --option yes=Yes --option no --recommend yes --decision 'Which?'",
            "augment-cli completion check -",
            "augment-cli completion check out.txt --json",
            "augment-cli completion tell",
            "augment-cli completion shell-helper",
            "augment-cli completion shell-helper --to a.sh --force",
            "augment-cli handoff list",
            "augment-cli handoff show h3",
            "augment-cli handoff start h3 --edit",
            "augment-cli hand-off start h3 --document a.md --yes",
            "augment-cli handoff dismiss h3",
            "augment-cli ask 'Which store?' --option redis=Redis --option memory --recommend redis --wait 30m",
            "augment-cli mcp",
            "augment-cli hook",
            "augment-cli hook claude-code",
            "augment-cli hook codex {} --wrong",
            "augment-cli hook --wrong",
            "augment-cli init --agent claude --agent codex --dry-run",
            "augment-cli init --all --yes",
            "augment-cli init --remove",
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
            "augment-cli agent",
            "augment-cli agent",
            "augment-cli agent test",
            "augment-cli agent test goose --wait soon",
            "augment-cli changes approve",
            "augment-cli changes reject --yes",
            "augment-cli changes --approve",
            "augment-cli changes --task-id a1 --approve --reject",
            "augment-cli changes --task-id a1 approve 3fa2",
            "augment-cli changes --approve --all list",
            "augment-cli changes show",
            "augment-cli changes show 3fa2 --file a",
            "augment-cli changes diff --step 3",
            "augment-cli changes diff --hunk 3fa2 --task-id a1",
            "augment-cli changes assign 3fa2",
            "augment-cli changes assign 3fa2 --to-task a1 --to-me",
            "augment-cli changes purge --older-than long",
            "augment-cli blame",
            "augment-cli blame a --lines 0-3",
            "augment-cli blame a --lines 9-3",
            "augment-cli claim a --hash 00 --content -",
            "augment-cli start",
            "augment-cli start title --task-id a1",
            "augment-cli agent stop",
            "augment-cli agent answer",
            "augment-cli agent hand-off h3 --accept --dismiss",
            "augment-cli agent hand-off --accept",
            "augment-cli run queue",
            "augment-cli complete",
            "augment-cli complete --summary x --status done",
            "augment-cli complete --summary x --metric three",
            "augment-cli complete --summary x --option yes=Yes",
            "augment-cli complete --summary x --recommend yes --decision 'Now?'",
            "augment-cli complete --summary x --decision 'Now?' --recommend yes --recommend no",
            "augment-cli completion",
            "augment-cli completion check",
            "augment-cli completion shell-helper --force",
            "augment-cli handoff",
            "augment-cli handoff start",
            "augment-cli handoff start h3 --edit --document a.md",
            "augment-cli ask",
            "augment-cli init --agent cursor",
            "augment-cli prompt",
            "augment-cli prompt start x --file a.md",
            "augment-cli prompt start - --file a.md",
            "augment-cli prompt start x --commit-first --leave",
            "augment-cli prompt start x --leave --before y",
            "augment-cli prompt start x --context y --context-file a.md",
            "augment-cli prompt start --dry-rum",
            "augment-cli prompt context x --file a.md",
            "augment-cli prompt intent",
            "augment-cli prompt intent x --dry-rum",
            "augment-cli prompt finish",
            "augment-cli prompt finish --dry-run",
            "augment-cli prompt report --title x",
            "augment-cli prompt report --answer y",
            "augment-cli prompt report --title x --answer y --answer-file a.md",
            "augment-cli prompt report --title x --answer y -",
            "augment-cli prompt report --title x y",
            "augment-cli prompt report --title x --answer y --kind poem",
            "augment-cli prompt report --title x --answer y --change-scope some",
            "augment-cli prompt list --limit 0",
            "augment-cli prompt show",
            "augment-cli session",
            "augment-cli session flag f1",
            "augment-cli session flag f1 --extend --log",
            "augment-cli session end --commit --no-commit",
            "augment-cli scan --rules src",
            "augment-cli scan --rules allowed",
            "augment-cli scan acknowledge 3fa2",
            "augment-cli scan allow --rule x --path y --reason z",
            "augment-cli stamp --at soon",
            "augment-cli stamp --format roman",
            "augment-cli stamp --precision third",
            "augment-cli stamp --parse 5919.12.5.61.47",
            "augment-cli stamp --parse 5919.12.5.4.47 --at 2h",
            "augment-cli stamp --parse 5919.12.5.4.47 --model true",
            "augment-cli plan",
            "augment-cli init --all --agent claude",
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
            "augment-cli prompt start '- one, then two'",
            "augment-cli prompt intent '- read comments' --dry-run",
            "augment-cli prompt report --title '- x' --answer '- y'",
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
        assert!(!help.contains("  host") && !help.contains("demo-agent"), "{help}");
    }

    /// The help of a command with commands below it leads to the usual ones, and they are typed as it says.
    #[test]
    fn every_group_of_commands_has_examples_that_are_understood() {
        let mut command = Cli::command();
        for group in command.get_subcommands_mut().filter(|group| group.has_subcommands() && !group.is_hide_set()) {
            let help = group.render_help().to_string();
            let examples = help.split_once("Examples:\n").map(|(_, examples)| examples).unwrap_or_default();
            assert!(!examples.is_empty(), "{} has no examples", group.get_name());
            let begins = format!("augment-cli {}", group.get_name());
            for line in examples.lines().map(str::trim).filter(|line| line.starts_with("augment-cli")) {
                assert!(line.starts_with(&begins), "{line}");
                let understood = Cli::try_parse_from(split(&line.replace('"', "'")));
                assert!(understood.is_ok(), "{line}: {:?}", understood.err());
            }
        }
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
