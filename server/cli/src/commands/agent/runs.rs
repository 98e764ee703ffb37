//! `agent start`, `stop`, `list`, `status`, `logs` and `attach`: runs from the outside. In the foreground a run is followed to
//! its end; Ctrl-C stops it.

use std::time::Duration;

use augment_protocol::agents::{
    AdapterKind, Agent, AgentList, ListRuns, OneRun, ReadOutput, RunInfo, RunList, RunState, StartAgent,
};
use augment_protocol::changes::ListChanges;
use augment_protocol::methods::{
    AgentStart, AgentStop, AgentsList, ChangesList, GetStatus, QueueClaim, QueueShow, RunOutput, RunShow, RunsList,
};
use augment_protocol::queue::{ClaimTask, OneTask};
use augment_protocol::status::Nothing;
use serde::Serialize;

use super::answering::Answers;
use crate::args::{AgentStatusArgs, AttachArgs, LogsArgs, RunArgs, StartAgentArgs};
use crate::client::Client;
use crate::commands::reports::Reports;
use crate::commands::start::show_taken;
use crate::commands::{Ended, Ending, Failure, Session, lasting, now_ms};
use crate::connect::Wish;
use crate::output::{Format, runs};

/// How long a stopped run is waited for.
const STOPPING: Duration = Duration::from_secs(20);
/// How often what a run says is asked for.
const LOOK: Duration = Duration::from_millis(200);

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Overview {
    agents: Vec<Agent>,
    problems: Vec<String>,
    runs: Vec<RunInfo>,
}

pub(super) async fn start(session: &mut Session, args: StartAgentArgs) -> Ended {
    let mut client = session.connect(Wish::Lasting).await?;
    let agent = match args.agent.clone() {
        Some(agent) => agent,
        None => choose(&mut client, args.task().as_deref()).await?,
    };
    let mut reports = Reports::from_now(&mut client).await?;
    let params = StartAgent { agent: agent.clone(), task: args.task(), time_limit_ms: args.timeout };
    let started = client.call::<AgentStart>(params).await?;
    let Some(run) = &started.run else {
        session.show(&started, |_| format!("Nothing in the queue is ready for {}.", runs::plain(&agent)))?;
        return Ok(Ending::No);
    };
    if args.background {
        session.show(&started, |_| format!("{}\n{}", runs::started(run), runs::how_to_follow(run)))?;
        return Ok(Ending::Done);
    }
    let id = run.run.clone();
    if session.output.format() == Format::Human {
        session.output.tell(&runs::started(run));
    }
    drop(client);
    let followed = follow_on(session, &id, Form::ForPeople).await;
    if let Err(Failure::Interrupted) = followed {
        return stop_and_tell(session, &id).await;
    }
    followed?;
    let mut client = session.connect(Wish::Lasting).await?;
    let ended = tell_end(session, &mut client, &id).await?;
    if session.output.format() == Format::Human {
        reports.print_fresh(session, &mut client, |_| true).await?;
    }
    Ok(ended)
}

/// Follows a run to its end, also when the host goes away meanwhile: the next one has it.
async fn follow_on(session: &mut Session, id: &str, form: Form) -> Ended {
    let mut from = 0;
    let mut answers = Answers::default();
    loop {
        let mut client = session.connect(Wish::Lasting).await?;
        match lasting::until_left(follow(session, &mut client, id, (&mut from, &mut answers), form)).await {
            Err(Failure::Told { code, .. }) if code == "disconnected" => {}
            ended => return ended,
        }
    }
}

/// As what an agent's words are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    ForPeople,
    /// As they came, with the frames of its protocol.
    Raw,
}

/// The agent that is meant where none is named: the task's assignee, or the only one that can be started.
async fn choose(client: &mut Client, task: Option<&str>) -> Result<String, Failure> {
    if let Some(task) = task {
        let shown = client.call::<QueueShow>(OneTask { task: task.to_owned(), revision: None }).await?;
        if let Some(assignee) = shown.task.assignee {
            return Ok(assignee);
        }
    }
    let AgentList { agents, .. } = client.call::<AgentsList>(Nothing {}).await?;
    let usable: Vec<&Agent> = agents.iter().filter(|agent| agent.problem.is_none()).collect();
    match usable.as_slice() {
        [one] => Ok(one.name.clone()),
        [] => Err(Failure::told(
            "no-agent",
            "No agent can be started. `augment-cli agent list` says what is missing, `augment-cli agent list-presets` how to get one.",
        )),
        several => {
            let names: Vec<&str> = several.iter().map(|agent| agent.name.as_str()).collect();
            let message = format!("Several agents can be started: {}. Name one with --agent.", names.join(", "));
            Err(Failure::told("which-agent", runs::plain(&message)))
        }
    }
}

/// Ctrl-C: the run is stopped, and what became of it is told once it is gone.
async fn stop_and_tell(session: &mut Session, id: &str) -> Ended {
    // The connection may have been cut in the middle of an answer.
    let mut client = session.connect(Wish::Lasting).await?;
    session.output.tell("Stopping the run …");
    if let Err(error) = client.call::<AgentStop>(OneRun { run: id.to_owned() }).await {
        session.output.tell(&runs::plain(&error.to_string()));
    }
    wait_for_end(&mut client, id).await?;
    tell_end(session, &mut client, id).await?;
    Err(Failure::Interrupted)
}

async fn wait_for_end(client: &mut Client, id: &str) -> Result<(), Failure> {
    while !client.call::<RunShow>(OneRun { run: id.to_owned() }).await?.run.ended {
        client.next_moved().await?;
    }
    Ok(())
}

async fn tell_end(session: &Session, client: &mut Client, id: &str) -> Ended {
    let details = client.call::<RunShow>(OneRun { run: id.to_owned() }).await?;
    let now = now_ms();
    match session.output.format() {
        Format::Json => session.output.json(&details)?,
        Format::Human => {
            let task = client.call::<QueueShow>(OneTask { task: details.run.task.clone(), revision: None }).await?.task;
            let pending = ListChanges { run: Some(id.to_owned()), ..ListChanges::default() };
            let files = client.call::<ChangesList>(pending).await?.files;
            let hunks = files.iter().map(|file| file.hunks.len()).sum();
            session.output.print(&runs::ended(&details, &task, hunks, now))?;
        }
    }
    Ok(match details.run.state {
        RunState::Completed => Ending::Done,
        RunState::Starting
        | RunState::Running
        | RunState::Waiting
        | RunState::Partial
        | RunState::Blocked
        | RunState::Failed
        | RunState::Cancelled
        | RunState::TimedOut
        | RunState::Disconnected => Ending::No,
    })
}

/// Prints what a run says until it has ended.
async fn follow(
    session: &Session,
    client: &mut Client,
    id: &str,
    (from, answers): (&mut u64, &mut Answers),
    form: Form,
) -> Ended {
    loop {
        let read = ReadOutput { run: id.to_owned(), from: *from, raw: form == Form::Raw };
        let output = client.call::<RunOutput>(read).await?;
        if session.output.format() == Format::Human {
            if output.missed > 0 {
                session.output.tell(&format!("({} bytes are not kept)", output.missed));
            }
            if !output.text.is_empty() {
                session.output.raw(runs::harmless(&output.text).as_bytes())?;
            }
        }
        *from = output.next;
        if output.ended && !output.more {
            return Ok(Ending::Done);
        }
        let details = client.call::<RunShow>(OneRun { run: id.to_owned() }).await?;
        answers.look(session, client, &details.questions).await?;
        if !output.more {
            tokio::time::sleep(LOOK).await;
        }
    }
}

pub(super) async fn stop(session: &mut Session, args: &RunArgs) -> Ended {
    // With a host that stays, so that somebody ends it.
    let mut client = session.connect(Wish::Lasting).await?;
    let run = client.call::<AgentStop>(OneRun { run: args.run() }).await?.run;
    // It gets some time to leave by itself; how it ended is what somebody wants to know.
    let ended = tokio::time::timeout(STOPPING, wait_for_end(&mut client, &run)).await;
    if let Ok(Err(error)) = ended {
        return Err(error);
    }
    let details = client.call::<RunShow>(OneRun { run }).await?;
    session.show(&details.run, |run| runs::line(run, now_ms()))?;
    Ok(Ending::Done)
}

/// Without a host nobody sees how a run stands, so one is started where there is something to see.
async fn connect_for_runs(session: &mut Session) -> Result<Client, Failure> {
    let mut client = session.connect(Wish::OneShot).await?;
    let status = client.call::<GetStatus>(Nothing {}).await?;
    if status.host.lasting {
        return Ok(client);
    }
    let list = client.call::<RunsList>(ListRuns { active: true, ..ListRuns::default() }).await?;
    if list.runs.iter().all(|run| run.adapter == AdapterKind::Attached) {
        return Ok(client);
    }
    drop(client);
    session.connect(Wish::Lasting).await
}

pub(super) async fn list(session: &mut Session) -> Ended {
    let mut client = connect_for_runs(session).await?;
    let AgentList { agents, problems } = client.call::<AgentsList>(Nothing {}).await?;
    let RunList { runs, .. } = client.call::<RunsList>(ListRuns { active: true, ..ListRuns::default() }).await?;
    let overview = Overview { agents, problems, runs };
    let width = session.output.width();
    session.show(&overview, |overview| {
        runs::overview(&overview.agents, &overview.problems, &overview.runs, now_ms(), width)
    })?;
    Ok(Ending::Done)
}

pub(super) async fn status(session: &mut Session, args: &AgentStatusArgs) -> Ended {
    let mut client = connect_for_runs(session).await?;
    let width = session.output.width();
    let Some(which) = args.which() else {
        let list = client.call::<RunsList>(ListRuns { active: true, ..ListRuns::default() }).await?;
        session.show(&list, |list| runs::table_of(&list.runs, now_ms(), width))?;
        return Ok(Ending::Done);
    };
    match client.call::<RunShow>(OneRun { run: which.clone() }).await {
        Ok(details) => session.show(&details, |details| runs::details(details, now_ms(), width))?,
        Err(error) => {
            let list = client.call::<RunsList>(ListRuns { agent: Some(which), ..ListRuns::default() }).await?;
            if list.runs.is_empty() {
                return Err(error.into());
            }
            session.show(&list, |list| runs::table_of(&list.runs, now_ms(), width))?;
        }
    }
    Ok(Ending::Done)
}

pub(super) async fn logs(session: &mut Session, args: &LogsArgs) -> Ended {
    let run = args.run.run();
    if args.follow {
        follow_on(session, &run, if args.raw { Form::Raw } else { Form::ForPeople }).await?;
        let mut client = session.connect(Wish::Lasting).await?;
        return tell_end(session, &mut client, &run).await;
    }
    let mut client = session.connect(Wish::OneShot).await?;
    let mut from = 0;
    let mut text = String::new();
    loop {
        let output = client.call::<RunOutput>(ReadOutput { run: run.clone(), from, raw: args.raw }).await?;
        match session.output.format() {
            Format::Json => text.push_str(&output.text),
            Format::Human => {
                if output.missed > 0 {
                    session.output.tell(&format!("({} bytes are not kept)", output.missed));
                }
                session.output.raw(runs::harmless(&output.text).as_bytes())?;
            }
        }
        from = output.next;
        if !output.more {
            break;
        }
    }
    if from == 0 {
        session.output.tell(&format!("{} has said nothing.", runs::plain(&run)));
    }
    if session.output.format() == Format::Json {
        session.output.json(&serde_json::json!({ "run": run, "text": text }))?;
    }
    Ok(Ending::Done)
}

/// An agent that somebody else started works on a task: it is watched, and heard by hooks, tools and heartbeats.
pub(super) async fn attach(session: &mut Session, args: AttachArgs) -> Ended {
    let mut client = session.connect(Wish::Lasting).await?;
    let (task, lease_ms) = (args.task(), Some(args.lease));
    let params = ClaimTask { task, agent: Some(args.agent), capabilities: None, lease_ms };
    let taken = client.call::<QueueClaim>(params).await?;
    show_taken(session, &mut client, &taken, args.print_token).await?;
    Ok(Ending::Done)
}
