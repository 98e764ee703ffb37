//! From an agent as it is configured and a task as it is taken to a run that can begin: the program with its arguments,
//! the environment that it gets, the folders that it may write to, and the words that it hears first.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use augment_core::agent::{AgentSpec, Confine, Permission, PromptBy};
use augment_core::id::RunId;
use augment_core::knowledge::Entry;
use augment_core::run::{Adapter as AdapterKind, Leave, Question, prompt};
use augment_core::settings::{GRACE_SECONDS, HEARTBEAT_SECONDS};
use augment_core::task::Task;

use super::acp::{self, Acp};
use super::adapter::{Adapter, Assignment, ToolServer};
use super::catalog::{self, Configured, ProgramError};
use super::command::Command;
use super::confinement;
use super::order::{Order, Polite};
use super::running::{Launch, Resumed, Secrets};
use crate::own_program;
use crate::settings::Settings;
use crate::workspace::Places;

/// Devices in which every program may write, and the memory that programs share.
const DEVICES: [&str; 4] = ["/dev/null", "/dev/zero", "/dev/tty", "/dev/shm"];

/// What a run begins with.
#[derive(Debug)]
pub struct Beginning<'a> {
    pub run: RunId,
    pub task: &'a Task,
    /// The secret by which the agent speaks for its run.
    pub token: &'a str,
    /// Where the session's scope lets it write.
    pub paths: &'a [String],
    /// What was decided about the task before.
    pub decided: &'a [Question],
    /// What the agent that worked on it before has left.
    pub left: Option<String>,
    /// What was found out in earlier sessions and fits the task.
    pub learnt: &'a [Entry],
    pub time_limit_ms: Option<i64>,
    pub folder: PathBuf,
}

/// The run as it is to begin.
pub fn launch(
    agent: &Configured,
    beginning: &Beginning<'_>,
    settings: &Settings,
    places: &Places,
) -> Result<Launch, ProgramError> {
    let spec = &agent.spec;
    if !agent.is_current(places) {
        return Err(ProgramError::Changed { agent: spec.name.clone() });
    }
    let mut environment = environment(spec);
    let program = catalog::find_program(spec, &places.root, &environment)?;
    let has_tools = has_tools(spec);
    let words = prompt(
        beginning.task,
        beginning.run,
        beginning.paths,
        beginning.decided,
        has_tools,
        beginning.left.as_deref(),
        beginning.learnt,
    );
    let confine = agent.confine(settings, confinement::is_available().is_ok());
    let writable = writable(spec, places, &environment);
    environment.extend(way_back(beginning.token, places));
    let mut order = Order::new(beginning.run.to_string(), beginning.folder.clone(), program, places.root.clone());
    order.arguments = spec.arguments_for(&words).into_iter().map(OsString::from).collect();
    order.environment = environment;
    order.polite = match spec.adapter {
        AdapterKind::Acp => Polite::CloseStdin,
        AdapterKind::Command | AdapterKind::Attached => Polite::Terminate,
    };
    order.grace_ms = grace_ms(settings);
    order.time_limit_ms = beginning.time_limit_ms.and_then(|limit| u64::try_from(limit).ok());
    order.confinement = catalog::confinement(confine, writable.clone());
    let tools = has_tools.then(|| tool_server(beginning, places)).flatten();
    Ok(Launch {
        run: beginning.run,
        order,
        adapter: adapter(spec),
        kind: spec.adapter,
        input: match spec.prompt_by {
            PromptBy::Stdin => Some(words.clone()),
            PromptBy::Argument | PromptBy::Nothing => Some(String::new()),
            PromptBy::Protocol => None,
        },
        assignment: Assignment { prompt: words, cwd: places.root.clone(), tools },
        interval: interval(settings),
        leave: leave(agent, settings),
        writable: (confine != Confine::Off).then_some(writable),
        secrets: secrets(spec, Some(beginning.token)),
    })
}

/// Whether an agent gets our own tools from us.
#[must_use]
pub fn has_tools(spec: &AgentSpec) -> bool {
    spec.adapter == AdapterKind::Acp
}

/// What must not be kept of what the agent says: its token, and the values that it was given by name or by setting.
fn secrets(spec: &AgentSpec, token: Option<&str>) -> Secrets {
    let set = spec.set.iter().map(|(_, value)| value.clone());
    let passed = spec.pass.iter().filter_map(|name| std::env::var(name).ok());
    Secrets::new(set.chain(passed).chain(token.map(str::to_owned)))
}

/// How a run that an earlier host has begun is spoken with again, from what that host wrote down.
#[must_use]
pub fn resume(agent: &Configured, state: &[u8], settings: &Settings, places: &Places) -> Option<Resumed> {
    let spec = &agent.spec;
    let confine = agent.confine(settings, confinement::is_available().is_ok());
    let adapter = match spec.adapter {
        AdapterKind::Acp => match Acp::resume(state, options(spec)) {
            Ok(adapter) => Box::new(adapter),
            Err(error) => {
                tracing::warn!("{error}");
                return None;
            }
        },
        AdapterKind::Command | AdapterKind::Attached => adapter(spec),
    };
    Some(Resumed {
        adapter,
        kind: spec.adapter,
        interval: interval(settings),
        leave: leave(agent, settings),
        writable: (confine != Confine::Off).then(|| writable(spec, places, &environment(spec))),
        secrets: secrets(spec, None),
    })
}

fn adapter(spec: &AgentSpec) -> Box<dyn Adapter> {
    match spec.adapter {
        AdapterKind::Acp => Box::new(Acp::new(options(spec))),
        AdapterKind::Command | AdapterKind::Attached => Box::new(Command::new()),
    }
}

fn options(spec: &AgentSpec) -> acp::Options {
    acp::Options { mode: spec.mode.clone() }
}

#[must_use]
pub fn interval(settings: &Settings) -> Duration {
    Duration::from_secs(u64::try_from(settings.number(HEARTBEAT_SECONDS)).unwrap_or(5))
}

/// How long an agent may take to leave when it is asked to.
#[must_use]
pub fn grace_ms(settings: &Settings) -> u64 {
    u64::try_from(settings.number(GRACE_SECONDS)).unwrap_or(5).saturating_mul(1_000)
}

/// What its wishes get without anybody being asked.
fn leave(agent: &Configured, settings: &Settings) -> Leave {
    leave_of(agent.permission(settings))
}

#[must_use]
pub fn leave_of(permission: Permission) -> Leave {
    match permission {
        Permission::Allow => Leave::Give,
        Permission::Ask => Leave::Ask,
        Permission::Refuse => Leave::Refuse,
    }
}

/// What an agent gets to see of our environment, with its own values. Our own program is found by its name.
fn environment(spec: &AgentSpec) -> Vec<(OsString, OsString)> {
    let mut environment = catalog::environment(spec, std::env::vars_os());
    let own = own_program::path().and_then(Path::parent).map(Path::to_owned);
    for (name, value) in environment.iter_mut().filter(|(name, _)| name == "PATH") {
        let folders = std::env::split_paths(&*value).chain(own.clone());
        match std::env::join_paths(folders) {
            Ok(joined) => *value = joined,
            Err(error) => tracing::warn!("{}: {error}", name.display()),
        }
    }
    environment
}

/// What a program needs to reach this workspace's host as the run.
fn way_back(token: &str, places: &Places) -> Vec<(OsString, OsString)> {
    let mut ours: Vec<(OsString, OsString)> = vec![
        ("AUGMENT_TOKEN".into(), token.into()),
        ("AUGMENT_WORKSPACE".into(), places.root.clone().into_os_string()),
    ];
    ours.extend(std::env::var_os("AUGMENT_HOME").map(|home| ("AUGMENT_HOME".into(), home)));
    ours
}

/// The workspace, what the agent needs for itself, and what is temporary.
fn writable(spec: &AgentSpec, places: &Places, environment: &[(OsString, OsString)]) -> Vec<PathBuf> {
    let mut folders = catalog::writable(spec, &places.root, environment);
    folders.extend(DEVICES.iter().map(PathBuf::from));
    folders
}

/// Our own tools, spoken over MCP by this very program.
fn tool_server(beginning: &Beginning<'_>, places: &Places) -> Option<ToolServer> {
    let text = |(name, value): (OsString, OsString)| Some((name.into_string().ok()?, value.into_string().ok()?));
    let environment = way_back(beginning.token, places).into_iter().filter_map(text).collect();
    let program = own_program::path()?.to_owned();
    Some(ToolServer { name: "augment".into(), program, arguments: vec!["mcp".into()], environment })
}
