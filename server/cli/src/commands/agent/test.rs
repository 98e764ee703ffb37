//! `agent test`: starts an agent for a moment, without a host and without a task, and tells what came of it. It works in an
//! empty folder, is held to its folders as a run would be, gets no prompt, and is ended with all that it started.

mod exchange;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use augment_core::agent::{AgentSpec, Confine, Source};
use augment_core::run::Adapter;
use augment_core::text::{quoted, shell_word, shortened};
use augment_host::agents::catalog::{self, Catalog, Configured, known};
use augment_host::agents::confinement;
use augment_host::agents::keeping::{Exit, end_leftovers};
use augment_host::agents::order::Order;
use augment_host::owner::private_folder;
use augment_host::settings::Settings;
use augment_host::token;
use augment_host::workspace::Places;
use augment_protocol::methods::AgentsList;
use augment_protocol::status::Nothing;
use serde_json::{Value, json};

use super::super::places::path;
use super::super::{Ended, Ending, Failure, Session};
use crate::args::TestAgentArgs;
use crate::connect::Wish;
use crate::output::agents::{AgentTest, Confinement, Problem, Step, tested};
use exchange::{Exchange, Over, Trouble};

/// A test ends by itself after this long, whatever becomes of this program.
const TIME_LIMIT_MS: u64 = 180_000;
/// How long an agent goes on when this program is killed in the middle.
const ADOPT_MS: u64 = 1_000;
const GRACE_MS: u64 = 2_000;
/// What an earlier test has left is of nobody after this long.
const STALE: Duration = Duration::from_millis(2 * TIME_LIMIT_MS);
/// The version of the protocol that we speak.
const PROTOCOL_VERSION: i64 = 1;
/// The protocol's word for an agent that wants its user to sign in first.
const AUTH_REQUIRED: i64 = -32_000;

pub(super) async fn run(session: &mut Session, args: &TestAgentArgs) -> Ended {
    let workspace = session.workspace()?;
    let places = workspace.places();
    let catalog = Catalog::read(places);
    let agent = catalog.find(&args.name).map_err(|error| Failure::told(error.code(), error.to_string()))?;
    if agent.source == Source::Workspace && !is_allowed(session, agent).await? {
        let name = &agent.spec.name;
        // The workspace chose the name, and people copy commands.
        let message = format!(
            "The agent {} comes with this workspace and is not started before you have looked at it and said yes: \
             `augment-cli agent allow {}`.",
            quoted(name),
            shell_word(name)
        );
        return Err(Failure::told("not-allowed", message));
    }
    let mut report = AgentTest::new(agent);
    let environment = catalog::environment(&agent.spec, std::env::vars_os());
    match catalog::find_program(&agent.spec, workspace.root(), &environment) {
        Err(error) => report.fail("program-not-found", error.to_string()),
        Ok(program) => {
            report.program = Some(path(&program));
            let room = Room::new(places)?;
            let patience = Duration::from_millis(u64::try_from(args.wait).unwrap_or_default());
            let order = order(agent, &room, program, environment, &Settings::read(places), &mut report);
            match agent.spec.adapter {
                Adapter::Acp => speak(order, patience, &agent.spec, &room, &mut report),
                Adapter::Command | Adapter::Attached => ask_version(order, patience, &agent.spec, &mut report),
            }
            room.clear();
        }
    }
    let works = report.works;
    session.show(&report, tested)?;
    Ok(if works { Ending::Done } else { Ending::No })
}

/// Whether a person has said yes to exactly this. Asked for before anything is started, so nothing is held meanwhile.
async fn is_allowed(session: &mut Session, agent: &Configured) -> Result<bool, Failure> {
    let mut client = session.connect(Wish::OneShot).await?;
    let list = client.call::<AgentsList>(Nothing {}).await?;
    Ok(list.agents.iter().any(|known| known.name == agent.spec.name && known.hash == agent.hash && known.allowed))
}

/// The folders of one test, below the workspace's data.
struct Room {
    folder: PathBuf,
    run: PathBuf,
    work: PathBuf,
}

impl Room {
    fn new(places: &Places) -> Result<Self, Failure> {
        let failed = |error: String| Failure::told("test-folder", error);
        let tests = places.data.join("tests");
        private_folder(&places.data)
            .and_then(|()| private_folder(&tests))
            .map_err(|error| failed(error.to_string()))?;
        sweep(&tests);
        let name = token::fresh().map_err(|error| failed(error.to_string()))?;
        let folder = tests.join(&name[..16]);
        let room = Self { run: folder.join("run"), work: folder.join("work"), folder };
        private_folder(&room.folder)
            .and_then(|()| private_folder(&room.work))
            .map_err(|error| failed(error.to_string()))?;
        Ok(room)
    }

    fn clear(&self) {
        if let Err(error) = std::fs::remove_dir_all(&self.folder) {
            tracing::warn!("{} cannot be removed: {error}", self.folder.display());
        }
    }
}

/// Takes away what tests have left that were killed.
fn sweep(tests: &Path) {
    let Ok(entries) = std::fs::read_dir(tests) else { return };
    for folder in entries.flatten().map(|entry| entry.path()) {
        let changed = std::fs::symlink_metadata(&folder).and_then(|found| found.modified());
        let age = changed.ok().and_then(|changed| SystemTime::now().duration_since(changed).ok());
        if age.is_none_or(|age| age < STALE) {
            continue;
        }
        let ended = end_leftovers(&folder.join("run")).and_then(|_| std::fs::remove_dir_all(&folder));
        if let Err(error) = ended {
            tracing::warn!("{} cannot be removed: {error}", folder.display());
        }
    }
}

fn order(
    agent: &Configured,
    room: &Room,
    program: PathBuf,
    environment: Vec<(OsString, OsString)>,
    settings: &Settings,
    report: &mut AgentTest,
) -> Order {
    let available = confinement::is_available();
    let confine = agent.confine(settings, available.is_ok());
    report.confinement = Some(Confinement {
        setting: confine.name(),
        in_force: confine != Confine::Off && available.is_ok(),
        reason: match (confine, available) {
            (Confine::Off, _) => Some("It is switched off.".into()),
            (Confine::Warn | Confine::Enforce, Err(error)) => Some(error.to_string()),
            (Confine::Warn | Confine::Enforce, Ok(())) => None,
        },
    });
    report.notes.extend(agent.refused_wishes(settings));
    let writable = catalog::writable(&agent.spec, &room.work, &environment);
    let mut order = Order::new("test", room.run.clone(), program, room.work.clone());
    order.arguments = agent.spec.arguments.iter().map(OsString::from).collect();
    order.environment = environment;
    order.grace_ms = GRACE_MS;
    order.adopt_ms = ADOPT_MS;
    order.time_limit_ms = Some(TIME_LIMIT_MS);
    order.confinement = catalog::confinement(confine, writable);
    order
}

fn begin(order: Order, patience: Duration, report: &mut AgentTest) -> Option<Exchange> {
    let began = Instant::now();
    match Exchange::start(order, patience) {
        Ok(exchange) => {
            report.step("start", began);
            Some(exchange)
        }
        Err(error) => {
            report.fail("not-started", error.to_string());
            None
        }
    }
}

/// Ends the agent and tells what its end was like.
fn end(exchange: Exchange, report: &mut AgentTest) {
    let began = Instant::now();
    let over = exchange.end(GRACE_MS);
    report.step("end", began);
    if let (Some(confinement), Some(reason)) = (&mut report.confinement, &over.unconfined) {
        confinement.in_force = false;
        confinement.reason = Some(reason.clone());
    }
    if !over.is_empty {
        report.fail("not-ended", "Not all that it started has ended. Look for its processes, and end them.".into());
    } else if over.killed > 0 {
        report.notes.push(format!("{} of its processes did not leave when asked and were killed.", over.killed));
    }
    if let Some(sample) = over.odd {
        report.notes.push(format!("It says things that its protocol does not have, such as {}.", quoted(&sample)));
    }
    report.complaints = if report.works { None } else { Some(over.complaints).filter(|text| !text.is_empty()) };
}

/// The first words of the protocol.
fn speak(order: Order, patience: Duration, spec: &AgentSpec, room: &Room, report: &mut AgentTest) {
    let Some(mut exchange) = begin(order, patience, report) else { return };
    if let Err(trouble) = converse(&mut exchange, spec, &room.work, report) {
        tell(&trouble, spec, report);
    }
    end(exchange, report);
}

fn converse(exchange: &mut Exchange, spec: &AgentSpec, work: &Path, report: &mut AgentTest) -> Result<(), Trouble> {
    let began = Instant::now();
    let params = json!({
        "protocolVersion": PROTOCOL_VERSION,
        "clientCapabilities": { "fs": { "readTextFile": false, "writeTextFile": false }, "terminal": false },
        "clientInfo": { "name": "augment-orchestrator", "version": env!("CARGO_PKG_VERSION") },
    });
    let answer = exchange.ask("initialize", &params)?;
    report.step("initialize", began);
    let info = |key: &str| answer["agentInfo"][key].as_str();
    report.version = match (info("name"), info("version")) {
        (Some(name), Some(version)) => Some(short(&format!("{name} {version}"))),
        (Some(one), None) | (None, Some(one)) => Some(short(one)),
        (None, None) => None,
    };
    report.protocol_version = answer["protocolVersion"].as_i64();
    report.sign_in_ways = names(&answer["authMethods"]);
    match report.protocol_version {
        Some(PROTOCOL_VERSION) => {}
        Some(other) => {
            report.fail("protocol-version", format!("It speaks version {other} of ACP; version {PROTOCOL_VERSION} is needed. Look for another release of it."));
            return Ok(());
        }
        None => {
            report.fail(
                "not-acp",
                "Its answer does not say which version of ACP it speaks, so it is not ACP. Check its arguments.".into(),
            );
            return Ok(());
        }
    }
    let began = Instant::now();
    let answer = exchange.ask("session/new", &json!({ "cwd": work, "mcpServers": [] }));
    report.step("session", began);
    let answer = answer?;
    report.session = answer["sessionId"].is_string();
    report.modes = names(&answer["modes"]["availableModes"]);
    report.mode = answer["modes"]["currentModeId"].as_str().map(short);
    let has_mode = |mode: &String| {
        answer["modes"]["availableModes"].as_array().is_some_and(|all| all.iter().any(|one| one["id"] == **mode))
    };
    if let Some(mode) = spec.mode.as_ref().filter(|mode| !has_mode(mode)) {
        report.notes.push(format!(
            "It has no mode {}; take mode out of its configuration, or use one that it has.",
            quoted(mode)
        ));
    }
    if report.session {
        report.works = true;
    } else {
        report.fail("no-session", "It answered, but made no session.".into());
    }
    Ok(())
}

fn short(text: &str) -> String {
    shortened(text, 200).into_owned()
}

/// The names in a list of the agent's, bounded.
fn names(list: &Value) -> Vec<String> {
    let name = |one: &Value| one["id"].as_str().or(one["name"].as_str()).map(short);
    list.as_array().map(|all| all.iter().take(20).filter_map(name).collect()).unwrap_or_default()
}

fn tell(trouble: &Trouble, spec: &AgentSpec, report: &mut AgentTest) {
    let next = known(spec).and_then(|preset| preset.sign_in).map(|next| format!(" {next}")).unwrap_or_default();
    match trouble {
        Trouble::Refused { method: "session/new", code: AUTH_REQUIRED, .. } => {
            report.needs_sign_in = true;
            let ways = if report.sign_in_ways.is_empty() {
                String::new()
            } else {
                format!(" It offers: {}.", report.sign_in_ways.join(", "))
            };
            report.fail("needs-sign-in", format!("It wants you to sign in first.{ways}{next}"));
        }
        Trouble::Refused { method, message, .. } => {
            report.fail("refused", format!("It refused {method} and said: {message}.{next}"));
        }
        Trouble::Exited(exit) => {
            let how = match exit {
                Exit::Code(code) => format!("with code {code}"),
                Exit::Signal(signal) => format!("by signal {signal}"),
            };
            report.fail(
                "exited",
                format!(
                    "It ended {how} before it had answered. Run {} by hand to see why.",
                    quoted(&spec.command_line())
                ),
            );
        }
        Trouble::Silent { waited } => {
            let seconds = waited.as_secs_f64();
            report.fail("silent", format!("It did not answer within {seconds:.0} s. Check that its arguments make it speak ACP, or give it longer with --wait."));
        }
        Trouble::Garbage { sample } => {
            report.fail(
                "garbage",
                format!(
                    "It does not speak ACP; it says {}. Check its arguments, or set adapter = \"command\".",
                    quoted(sample)
                ),
            );
        }
        Trouble::Gone { reason } => report.fail("gone", format!("It cannot be spoken with: {reason}.")),
    }
}

/// A command is not run with a prompt just to see; one that is known is asked for its version.
fn ask_version(mut order: Order, patience: Duration, spec: &AgentSpec, report: &mut AgentTest) {
    if known(spec).is_none() {
        report.works = true;
        report.confinement = None;
        report.notes.push("It was not started: what it does without a task is not known.".into());
        return;
    }
    order.arguments = vec!["--version".into()];
    let Some(mut exchange) = begin(order, patience, report) else { return };
    let began = Instant::now();
    let said = exchange.hear_out();
    report.step("version", began);
    match said {
        Ok(Over { exit: Some(Exit::Code(0)), first_line, .. }) => {
            report.works = true;
            report.version = Some(short(first_line.trim())).filter(|line| !line.is_empty());
        }
        Ok(Over { exit: Some(exit), .. }) => tell(&Trouble::Exited(exit), spec, report),
        Ok(Over { exit: None, .. }) => report.fail("gone", "Its end was not seen.".into()),
        Err(trouble) => tell(&trouble, spec, report),
    }
    end(exchange, report);
}

impl AgentTest {
    fn new(agent: &Configured) -> Self {
        let source = match agent.source {
            Source::Preset | Source::User | Source::Workspace => agent.source.name(),
        };
        Self {
            name: agent.spec.name.clone(),
            source,
            works: false,
            adapter: agent.spec.adapter.name(),
            command: agent.spec.command_line(),
            program: None,
            version: None,
            protocol_version: None,
            needs_sign_in: false,
            sign_in_ways: Vec::new(),
            session: false,
            modes: Vec::new(),
            mode: None,
            confinement: None,
            steps: Vec::new(),
            notes: Vec::new(),
            problem: None,
            complaints: None,
        }
    }

    fn step(&mut self, step: &'static str, began: Instant) {
        let ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.steps.push(Step { step, ms });
    }

    /// The first thing that is wrong counts.
    fn fail(&mut self, code: &'static str, message: String) {
        self.works = false;
        self.problem.get_or_insert(Problem { code, message });
    }
}
