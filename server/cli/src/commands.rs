//! From the typed line to its end: each command asks the host for something and hands the answer to `output`. No command
//! knows a rule of the queue or the ledger; what may be done is decided where the state is. Nothing here prints by itself.

mod agent;
mod analytics;
mod archive;
mod ask;
mod audit;
mod blame;
mod changes;
mod claim;
mod completion;
mod config;
mod decision;
mod demo;
mod doctor;
mod hand_off;
mod history;
mod hook;
mod init;
mod lasting;
mod mcp;
mod own_run;
mod pages;
mod places;
mod plan;
mod prompt;
mod queue;
mod run_queue;

mod report;
mod reports;
mod scan;
#[cfg(test)]
mod script;
mod session;
mod stamp;
mod start;
mod status;
mod task_list;
mod typed_path;
mod watch;

use std::ffi::OsString;
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use augment_core::settings::COLOR;
use augment_core::text::visible_lines;
use augment_host::agents::processes::is_kept;
use augment_host::workspace::Workspace;
use augment_protocol::methods::{ConfigList, HostStop};
use augment_protocol::status::Nothing;
use clap::ValueEnum as _;

use crate::args::{Cli, Color, Command, Global, HostCommand, RunCommand, glance, typed_command};
use crate::client::{CallError, Client};
use crate::connect::{self, ConnectError, Wish};
use crate::output::{Format, Output, PrintError};

/// How a command ended when it could do its work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    Done,
    /// The answer was a no, and it has been printed.
    No,
    /// Something that was to be looked at could not be read, and that has been printed.
    Unreadable,
}

/// Why a command could not do its work.
#[derive(Debug)]
enum Failure {
    /// Refused or failed, with what to tell.
    Told { code: String, message: String, data: Option<serde_json::Value> },
    /// The reader of stdout has left.
    Closed,
    /// Ctrl-C.
    Interrupted,
}

impl Failure {
    fn told(code: &str, message: impl Into<String>) -> Self {
        Self::Told { code: code.to_owned(), message: message.into(), data: None }
    }
}

impl From<PrintError> for Failure {
    fn from(error: PrintError) -> Self {
        match error {
            PrintError::Closed => Self::Closed,
            PrintError::Failed(error) => Self::told("output", format!("The output cannot be written: {error}.")),
        }
    }
}

impl From<CallError> for Failure {
    fn from(error: CallError) -> Self {
        let message = error.to_string();
        match error {
            CallError::Refused { code, data, .. } => Self::Told { code, message, data },
            CallError::Failed { code, .. } => Self::Told { code, message, data: None },
            CallError::Disconnected => Self::told("disconnected", message),
            CallError::Protocol(_) => Self::told("protocol", message),
        }
    }
}

impl From<ConnectError> for Failure {
    fn from(error: ConnectError) -> Self {
        let message = error.to_string();
        match error {
            ConnectError::Refused { code, .. } => Self::told(&code, message),
            ConnectError::Call(error) => error.into(),
            ConnectError::Store(error) => Self::told(error.code(), message),
            ConnectError::Token(_) => Self::told("bad-token-file", message),
            ConnectError::Owner(_) => Self::told("bad-data-folder", message),
            ConnectError::Busy { .. } => Self::told("busy", message),
            ConnectError::ForeignSocket { .. } | ConnectError::NotStarted { .. } | ConnectError::Broken(_) => {
                Self::told("no-host", message)
            }
        }
    }
}

type Ended = Result<Ending, Failure>;

/// What every command has at hand.
struct Session {
    global: Global,
    output: Output,
}

impl Session {
    fn new(global: Global) -> Self {
        let format = if global.json { Format::Json } else { Format::Human };
        let output = Output::new(format, global.color);
        Self { global, output }
    }

    fn workspace(&self) -> Result<Workspace, Failure> {
        // An empty AUGMENT_WORKSPACE means none.
        let named = self.global.workspace.as_deref().filter(|folder| !folder.as_os_str().is_empty());
        let found = match named {
            Some(folder) => Workspace::at(folder),
            None => {
                let here = std::env::current_dir().map_err(|error| {
                    Failure::told(
                        "workspace",
                        format!("The current folder cannot be used: {error}. Name a workspace with -C."),
                    )
                })?;
                Workspace::locate(&here)
            }
        };
        found.map_err(|error| Failure::told("workspace", error.to_string()))
    }

    /// A connection to the workspace's host. Learns on the way if the person wants colours.
    async fn connect(&mut self, wish: Wish) -> Result<Client, Failure> {
        let workspace = self.workspace()?;
        let mut client = connect::connect(&workspace, wish).await?;
        if self.output.asks_for_color() {
            // Output without the wished colours is better than none, so a failure is left to the command's own call.
            let settings = client.call::<ConfigList>(Nothing {}).await.map(|list| list.settings).unwrap_or_default();
            let value = settings.into_iter().find(|setting| setting.key == COLOR).map(|setting| setting.value);
            if let Some(color) = value.and_then(|value| Color::from_str(&value, false).ok()) {
                self.output.set_color(color);
            }
        }
        Ok(client)
    }

    /// Prints the answer as a document or as the text that `text` makes of it.
    fn show<T: serde::Serialize>(&self, answer: &T, text: impl FnOnce(&T) -> String) -> Result<(), Failure> {
        match self.output.format() {
            Format::Json => self.output.json(answer)?,
            Format::Human => self.output.print(&text(answer))?,
        }
        Ok(())
    }
}

fn now_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// The whole program, from its arguments to its exit code.
pub(crate) fn run() -> ExitCode {
    let args: Vec<OsString> = std::env::args_os().collect();
    let cli = match Cli::understand(&args) {
        Ok(cli) => cli,
        Err(error) => return not_understood(&args, &error),
    };
    let mut session = Session::new(cli.global);
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return end(&session, Err(Failure::told("start", format!("The program cannot start: {error}.")))),
    };
    let code = runtime.block_on(obey(&mut session, cli.command));
    // A read from standard input that nobody answers must not hold the program back.
    runtime.shutdown_background();
    code
}

async fn obey(session: &mut Session, command: Command) -> ExitCode {
    let ended = match command {
        Command::Queue(command) => queue::run(session, command).await,
        Command::Status(args) => status::run(session, args.task()).await,
        Command::Session(command) => session::run(session, command).await,
        Command::Prompt(command) => prompt::run(session, command).await,
        Command::Plan(command) => plan::run(session, command).await,
        Command::Scan(args) => scan::run(session, args).await,
        Command::Changes(args) => changes::run(session, args).await,
        Command::Blame(args) => blame::run(session, args).await,
        Command::Watch(args) => watch::run(session, args).await,
        Command::Claim(args) => claim::run(session, args).await,
        Command::Start(args) => start::run(session, args).await,
        Command::Agent(command) => agent::run(session, command).await,
        Command::Run(RunCommand::Queue(args)) => run_queue::run(session, args).await,
        Command::HandOff(command) => hand_off::run(session, command).await,

        Command::Complete(args) => report::run(session, args).await,
        Command::Completion(command) => completion::run(session, command).await,
        Command::Ask(args) => decision::run(session, args).await,
        Command::Mcp => mcp::run(session).await,
        Command::Hook(args) => hook::run(session, args).await,
        Command::Init(args) => init::run(session, args).await,
        Command::Archive(command) => archive::run(session, command).await,
        Command::Knowledge(command) => archive::knowledge(session, command).await,
        Command::Audit(command) => audit::run(session, command).await,
        Command::Analytics(args) => analytics::run(session, args).await,
        Command::History(args) => history::run(session, args).await,
        Command::Config(command) => config::run(session, command).await,
        Command::Stamp(args) => stamp::run(session, args),
        Command::Doctor => doctor::run(session).await,
        Command::Demo { folder } => demo::run(session, folder.as_deref()).await,
        Command::DemoAgent => demo::agent::run(session).await,
        Command::Where => places::run(session),
        Command::Completions { shell } => pages::completions(session, shell),
        Command::Man { dir } => pages::man(session, dir.as_deref()),
        Command::Serve { stdio: _ } => serve(session).await,
        Command::Host(HostCommand::Stop) => stop_host(session).await,
        Command::Host(HostCommand::Run) => run_host(session).await,
    };
    end(session, ended)
}

async fn serve(session: &Session) -> Ended {
    crate::serve::run(&session.workspace()?).await?;
    Ok(Ending::Done)
}

async fn run_host(session: &Session) -> Ended {
    let ended = crate::host_process::run(&session.workspace()?).await;
    ended.map_err(|error| Failure::told("host", error.to_string()))?;
    Ok(Ending::Done)
}

async fn stop_host(session: &Session) -> Ended {
    let workspace = session.workspace()?;
    let stopped = match connect::existing(&workspace).await? {
        Some(mut client) => {
            client.call::<HostStop>(Nothing {}).await?;
            true
        }
        None => false,
    };
    let text = if stopped { "The host was asked to leave." } else { "No host is running." };
    session.show(&serde_json::json!({ "stopped": stopped }), |_| text.to_owned())?;
    Ok(Ending::Done)
}

fn end(session: &Session, ended: Ended) -> ExitCode {
    match ended {
        Ok(Ending::Done) | Err(Failure::Closed) => ExitCode::SUCCESS,
        Ok(Ending::No) => ExitCode::from(1),
        Ok(Ending::Unreadable) => ExitCode::from(2),
        Err(Failure::Interrupted) => ExitCode::from(130),
        Err(Failure::Told { code, message, data }) => {
            let message = as_a_run(&code).unwrap_or(message);
            session.output.error(&code, &message, data.as_ref());
            ExitCode::from(1)
        }
    }
}

/// What is refused to a run, told to whoever typed it: a person may have the variable set without knowing.
fn as_a_run(code: &str) -> Option<String> {
    let set = std::env::var_os(connect::TOKEN_VARIABLE).is_some_and(|token| !token.is_empty());
    if code != "role-may-not" || !set {
        return None;
    }
    let command = typed_command(&std::env::args_os().collect::<Vec<_>>())?;
    let variable = connect::TOKEN_VARIABLE;
    if is_kept(std::process::id()) {
        return Some(format!("A run may not do `{command}`. A person decides that."));
    }
    Some(format!(
        "A run may not do `{command}`. {variable} is set, so this command speaks as a run. A person decides that: \
         `unset {variable}`, then repeat."
    ))
}

/// Help and version were asked for, or the line makes no sense.
fn not_understood(args: &[OsString], error: &clap::Error) -> ExitCode {
    let (json, color) = glance(args);
    let format = if json { Format::Json } else { Format::Human };
    let output = Output::new(format, color);
    if !error.use_stderr() {
        return match output.print(&error.render().ansi().to_string()) {
            Ok(()) | Err(PrintError::Closed) => ExitCode::SUCCESS,
            Err(PrintError::Failed(error)) => {
                output.error("output", &format!("The output cannot be written: {error}."), None);
                ExitCode::from(1)
            }
        };
    }
    // Without its styles: what was typed stands in it, and is made visible as a whole.
    let plain = error.render().to_string();
    match plain.strip_prefix("error: ") {
        Some(message) => match format {
            Format::Human => output.error("usage", message, None),
            Format::Json => {
                let first = message.split("\n\n").next().unwrap_or(message);
                output.error("usage", &visible_lines(first), None);
            }
        },
        None => match format {
            Format::Human => output.tell(&error.render().ansi().to_string()),
            Format::Json => {
                output.error("usage", "A command is missing. `augment-cli --help` shows them.", None);
            }
        },
    }
    ExitCode::from(2)
}
