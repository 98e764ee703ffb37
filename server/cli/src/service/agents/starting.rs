//! Starting agents and taking up those of an earlier host: from a configured agent and a taken task to a process, and back
//! where there is none.

use std::sync::Arc;

use augment_core::actor::Actor;
use augment_core::id::{RunId, TaskId, Wanted, read_wanted};
use augment_core::run::{Kept, Start};
use augment_core::settings::{AGENTS_PARALLEL, LEASE_SECONDS, TIME_LIMIT_MINUTES};
use augment_core::task::{Status, Task};
use augment_core::text::visible;
use augment_core::turn::{Answer, Command, Input};
use augment_core::view::View as _;
use augment_host::agents::catalog::{self, Catalog, Configured};
use augment_host::agents::launch::{self, Beginning};
use augment_host::settings::Settings;
use augment_host::store::{LedgerQuery, Snapshot, StoreError};
use augment_host::token;
use augment_protocol::status::Trouble;
use augment_protocol::{FAILED, REFUSED};
use serde_json::Value;
use tower_lsp_server::jsonrpc::Result;

use super::{QUESTIONS, configured, document, failed, is_known, not_allowed};
use crate::service::Shared;
use crate::service::knowledge::task_subject;
use crate::service::methods::no;

/// A run that is heard keeps its task for this many silent intervals at least, whatever the lease of the queue is.
const INTERVALS: i64 = 6;

pub(super) fn may_start(shared: &Arc<Shared>, agent: &Configured) -> Result<()> {
    let allowed = shared.runtime.read(|snapshot| snapshot.allowed_agents()).map_err(|error| failed(&error))?;
    if !agent.is_allowed(|name, hash| is_known(&allowed, name, hash)) {
        return Err(no(REFUSED, "agent-not-allowed", not_allowed(&agent.spec.name)));
    }
    let environment = catalog::environment(&agent.spec, std::env::vars_os());
    match catalog::find_program(&agent.spec, shared.workspace.root(), &environment) {
        Ok(_) => Ok(()),
        Err(error) => Err(no(REFUSED, "no-program", error.to_string())),
    }
}

pub(super) fn start_of(agent: &Configured, settings: &Settings, task: Option<String>, token_hash: [u8; 32]) -> Start {
    let interval_ms = i64::try_from(launch::interval(settings).as_millis()).unwrap_or(i64::MAX);
    let lease_ms = settings.number(LEASE_SECONDS).saturating_mul(1_000);
    Start {
        task,
        agent: agent.spec.name.clone(),
        capabilities: agent.spec.capabilities.clone(),
        how: Kept { adapter: agent.spec.adapter, done_by: agent.spec.done_by, interval_ms },
        lease_ms: lease_ms.max(interval_ms.saturating_mul(INTERVALS)).min(*augment_core::queue::LEASE_MS.end()),
        token_hash,
        parallel: agent.spec.parallel,
        parallel_in_all: u32::try_from(settings.number(AGENTS_PARALLEL)).unwrap_or(1),
    }
}

pub(super) struct Begun {
    pub(super) run: RunId,
    pub(super) task: Task,
    pub(super) token: String,
    pub(super) time_limit_ms: Option<i64>,
}

/// Starts the process of a run that has begun. One that cannot be started is told so, and its task goes back.
pub(super) fn begin(shared: &Arc<Shared>, agent: &Configured, begun: &Begun) -> Result<()> {
    let settings = shared.runtime.settings();
    let agents = shared.runtime.agents();
    let root = shared.workspace.root();
    let (decided, left, paths) = shared
        .runtime
        .read(|snapshot| {
            let questions = snapshot.questions_of_task(begun.task.id, QUESTIONS)?;
            let paths = snapshot.view().session()?.map(|session| session.paths).unwrap_or_default();
            let hand_off = snapshot.hand_off_to(begun.task.id)?;
            let left = hand_off.map(|hand_off| document::of(snapshot, &hand_off, root)).transpose()?;
            Ok((questions, left, paths))
        })
        .map_err(|error| failed(&error))?;
    let general = settings.number(TIME_LIMIT_MINUTES).saturating_mul(60_000);
    let limits = [
        begun.time_limit_ms.or(agent.spec.time_limit_ms).or((general > 0).then_some(general)),
        begun.task.time_limit_ms,
    ];
    let mut subject = task_subject(&begun.task);
    subject.patterns.extend_from_slice(&paths);
    let learnt = shared.learnt_earlier(&subject);
    let beginning = Beginning {
        run: begun.run,
        task: &begun.task,
        token: &begun.token,
        paths: &paths,
        decided: &decided,
        left: left.map(|document| document::beginning(document.text, launch::has_tools(&agent.spec))),
        learnt: &learnt,
        time_limit_ms: limits.into_iter().flatten().min(),
        folder: agents.folder_of(begun.run),
    };
    agents.set_grace(launch::grace_ms(&settings));
    let started = launch::launch(agent, &beginning, &settings, shared.workspace.places())
        .map_err(|error| error.to_string())
        .and_then(|launch| agents.begin(launch).map(drop).map_err(|error| error.to_string()));
    match started {
        Ok(()) => {
            // An order from between the claim and now had nobody to carry it; the rules know of it.
            let run = shared.runtime.read(|snapshot| snapshot.view().run(begun.run)).map_err(|error| failed(&error))?;
            if let Some(run) = run {
                agents.repeat_orders(&run, &[]);
            }
            Ok(())
        }
        Err(message) => {
            agents.not_started(begun.run, &message);
            Err(no(FAILED, "not-started", message))
        }
    }
}

/// Takes up the runs of an earlier host, and starts what hand-offs want without asking.
pub(crate) fn take_up(shared: &Arc<Shared>) {
    let catalog = Catalog::read(shared.workspace.places());
    let settings = shared.runtime.settings();
    let weak = Arc::downgrade(shared);
    shared.runtime.agents().set_starter(Arc::new(move |task, agent| {
        if let Some(shared) = weak.upgrade() {
            start_handed_over(&shared, task, &agent);
        }
    }));
    let kept = shared.runtime.read(|snapshot| Ok((snapshot.kept_runs()?, snapshot.answered_questions(QUESTIONS)?)));
    let (kept, answered) = match kept {
        Ok(kept) => kept,
        Err(error) => {
            tracing::error!("{error}");
            return;
        }
    };
    for run in kept {
        let agents = shared.runtime.agents();
        agents.take_up(&run, &answered, |state| {
            let agent = catalog.find(&run.agent).ok()?;
            launch::resume(agent, state, &settings, shared.workspace.places())
        });
    }
    agents_are_seen(shared);
}

/// From now on leases and silence of runs are judged: what they need is here.
fn agents_are_seen(shared: &Arc<Shared>) {
    drop(shared.runtime.post(Input::RunsTakenUp));
}

/// Starts the agent that a task was handed to, where the policy wants no asking.
fn start_handed_over(shared: &Arc<Shared>, task: TaskId, name: &str) {
    let catalog = Catalog::read(shared.workspace.places());
    let started = || -> Result<()> {
        let agent = configured(&catalog, name)?;
        may_start(shared, agent)?;
        let token = token::fresh().map_err(|error| no(FAILED, "no-random", error.to_string()))?;
        let settings = shared.runtime.settings();
        let start = start_of(agent, &settings, Some(task.to_string()), token::hash(&token));
        let asked = shared.runtime.ask_blocking(Actor::Host, Command::StartAgent(start));
        let answer = asked.map_err(|error| no(FAILED, "not-started", error.to_string()))?;
        let Answer::Taken { task, run } = answer else { return Ok(()) };
        begin(shared, agent, &Begun { run, task: *task, token, time_limit_ms: None })
    };
    if let Err(error) = started() {
        tracing::warn!("{task} was handed to {name}, who could not be started: {}", error.message);
        let message = error.message.into_owned();
        // Nobody waits for what comes of it: it is there for whoever looks.
        drop(shared.runtime.post(Input::HandOffNotStarted { task, agent: name.to_owned(), message }));
    }
}

/// How many hand-offs are looked through for those that could not be started.
const NOT_STARTED: usize = 20;

/// The tasks that were handed over, and still wait because their agent could not be started.
pub(in crate::service) fn not_started(snapshot: &Snapshot<'_>) -> std::result::Result<Vec<Trouble>, StoreError> {
    let query =
        LedgerQuery { topics: vec!["kind:hand-off.not-started".into()], limit: NOT_STARTED, ..LedgerQuery::default() };
    let mut troubles: Vec<Trouble> = Vec::new();
    for link in snapshot.records(&query)?.links {
        let Some(Wanted::Exactly(id)) = link.record.subject.strip_prefix("task:").map(read_wanted) else { continue };
        let Some(task) = snapshot.task(id)? else { continue };
        let waits = task.status == Status::Pending && task.attempt == 0;
        if !waits || troubles.iter().any(|known| known.task == Some(task.id.to_string())) {
            continue;
        }
        let data: Value = serde_json::from_str(&link.record.data).unwrap_or_default();
        let text = |key: &str| visible(data.get(key).and_then(Value::as_str).unwrap_or("?")).into_owned();
        troubles.push(Trouble {
            message: format!("{} was handed to {}, who was not started: {}", task.id, text("to"), text("message")),
            task: Some(task.id.to_string()),
        });
    }
    Ok(troubles)
}
