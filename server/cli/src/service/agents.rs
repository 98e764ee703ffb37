//! The handlers about agents: starting and stopping them, what they say and ask, and what they hand over. Which agents there
//! are is read from their files each time; nothing of that is kept here.

mod document;
mod output;
mod starting;
mod to_wire;

use std::sync::Arc;

use augment_core::actor::{Actor, Role};
use augment_core::agent::{AllowedText, Permission, Source};
use augment_core::completion::{self, What};
use augment_core::id::RunId;
use augment_core::queue::TaskDraft;
use augment_core::refusal::Refusal;
use augment_core::run::{
    AnswerOption, Asks, HandOff, HandOffId, HandOffStart, HandOffWord, HookMoment, HookSeen, HookVerdict, QuestionId,
    Run, Start,
};
use augment_core::settings::{AGENTS_PARALLEL, MAX_ATTEMPTS, PERMISSION};
use augment_core::task::TIME_LIMIT_MS;
use augment_core::text::{shell_word, visible};
use augment_core::turn::{Answer, Command};
use augment_host::agents::catalog::{self, Catalog, Configured};
use augment_host::agents::launch;
use augment_host::store::{AllowedAgent, LedgerQuery, RunQuery, Snapshot, StoreError};
use augment_host::workspace::inside;
use augment_host::{clock, token};
use augment_protocol::agents as wire;
use augment_protocol::queue::Task;
use augment_protocol::status::Nothing;
use augment_protocol::{FAILED, REFUSED};
use tower_lsp_server::jsonrpc::{Error, Result};

use super::knowledge::task_subject;
use super::methods::{Door, find, no, refusal, snapshot, task_of};
use super::{Kind, Shared, to_wire as general};
pub(super) use starting::not_started;
pub(crate) use starting::take_up;
use starting::{Begun, begin, may_start, start_of};

/// How many runs one page lists.
const PAGE: u32 = 50;
const LARGEST_PAGE: u32 = 1_000;
const QUESTIONS: usize = 200;

type Read<T> = std::result::Result<std::result::Result<T, Refusal>, StoreError>;

impl Door {
    async fn read_runs<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Snapshot<'_>) -> Read<T> + Send + 'static,
    ) -> Result<T> {
        snapshot(&self.shared, read).await?.map_err(|no| refusal(&no))
    }

    pub(super) async fn agents_list(&self, _: Nothing) -> Result<wire::AgentList> {
        if self.actor.role() == Role::Run {
            return Err(refusal(&Refusal::RoleMayNot { role: Role::Run, action: "agent list" }));
        }
        let shared = self.shared.clone();
        blocking(move || list(&shared)).await?
    }

    pub(super) async fn agent_allow(&self, allow: wire::AllowAgent) -> Result<wire::AgentList> {
        let catalog = self.catalog().await?;
        let agent = configured(&catalog, &allow.name)?;
        if agent.hash != allow.hash {
            let message = format!(
                "The configuration of {} is not what was shown any more. Look at it again, then decide.",
                agent.spec.name
            );
            return Err(no(REFUSED, "agent-changed", message));
        }
        let text = AllowedText(agent.text.clone());
        self.ask(Command::AllowAgent { name: allow.name, hash: allow.hash, text }).await?;
        self.agents_list(Nothing {}).await
    }

    async fn catalog(&self) -> Result<Catalog> {
        let shared = self.shared.clone();
        blocking(move || Catalog::read(shared.workspace.places())).await
    }

    pub(super) async fn agent_start(&self, start: wire::StartAgent) -> Result<wire::Started> {
        self.must_last()?;
        if let Some(value) = start.time_limit_ms.filter(|limit| !TIME_LIMIT_MS.contains(limit)) {
            let (low, high) = (*TIME_LIMIT_MS.start(), *TIME_LIMIT_MS.end());
            return Err(refusal(&Refusal::BadDuration { field: "time limit", value, low, high }));
        }
        let catalog = self.catalog().await?;
        let agent = configured(&catalog, &start.agent)?.clone();
        let shared = self.shared.clone();
        let starting = agent.clone();
        blocking(move || may_start(&shared, &starting)).await??;
        let token = token::fresh().map_err(|error| no(FAILED, "no-random", error.to_string()))?;
        let command = Command::StartAgent(self.start_of(&agent, start.task, token::hash(&token)));
        // What lies there before the run begins is not its work.
        let answer = self.ask_settled(command).await?;
        let Answer::Taken { task, run } = answer else {
            return Ok(wire::Started { run: None });
        };
        let shared = self.shared.clone();
        // A client that goes away meanwhile does not keep the agent from being started.
        let begun = tokio::task::spawn_blocking(move || {
            begin(&shared, &agent, &Begun { run, task: *task, token, time_limit_ms: start.time_limit_ms })
        });
        begun.await.map_err(|_| Error::internal_error())??;
        let started = self.read_runs(move |snapshot| info(snapshot, run)).await?;
        Ok(wire::Started { run: Some(started) })
    }

    fn start_of(&self, agent: &Configured, task: Option<String>, token_hash: [u8; 32]) -> Start {
        let settings = self.shared.runtime.settings();
        start_of(agent, &settings, task, token_hash)
    }

    pub(super) async fn agent_stop(&self, one: wire::OneRun) -> Result<wire::RunInfo> {
        let run = self.read_runs(move |snapshot| find_run(snapshot, &one.run)).await?;
        self.ask(Command::StopRun(run)).await?;
        self.read_runs(move |snapshot| info(snapshot, run)).await
    }

    pub(super) async fn runs_list(&self, list: wire::ListRuns) -> Result<wire::RunList> {
        let limit = list.limit.unwrap_or(PAGE).clamp(1, LARGEST_PAGE);
        self.read_runs(move |snapshot| {
            let task = match &list.task {
                None => None,
                Some(wanted) => match find(snapshot, wanted)? {
                    Ok(task) => Some(task),
                    Err(no) => return Ok(Err(no)),
                },
            };
            let limit = usize::try_from(limit).unwrap_or(1);
            let runs = snapshot.run_list(&RunQuery { task, agent: list.agent, active: list.active, limit })?;
            let runs = runs.iter().map(|run| told(snapshot, run)).collect::<std::result::Result<_, _>>()?;
            Ok(Ok(wire::RunList { runs, revision: snapshot.revision()? }))
        })
        .await
    }

    pub(super) async fn run_show(&self, one: wire::OneRun) -> Result<wire::RunDetails> {
        const RECORDS: usize = 20;
        let shared = self.shared.clone();
        self.read_runs(move |snapshot| {
            let id = match find_run(snapshot, &one.run)? {
                Ok(id) => id,
                Err(no) => return Ok(Err(no)),
            };
            let run = match info(snapshot, id)? {
                Ok(run) => run,
                Err(no) => return Ok(Err(no)),
            };
            let mut questions = snapshot.questions_of(id, QUESTIONS)?;
            questions.reverse();
            let newest = LedgerQuery { topics: vec![format!("run:{id}")], limit: RECORDS, ..LedgerQuery::default() };
            Ok(Ok(wire::RunDetails {
                run,
                report: report(snapshot, id)?,
                questions: questions.iter().map(to_wire::question).collect(),
                hand_offs: told_hand_offs(snapshot, &snapshot.hand_offs_of(id)?)?,
                records: snapshot.records(&newest)?.links.iter().map(general::record).collect(),
                tail: output::tail(&shared.runtime.agents().folder_of(id)),
            }))
        })
        .await
    }

    pub(super) async fn run_output(&self, read: wire::ReadOutput) -> Result<wire::Output> {
        let shared = self.shared.clone();
        self.read_runs(move |snapshot| {
            let id = match find_run(snapshot, &read.run)? {
                Ok(id) => id,
                Err(no) => return Ok(Err(no)),
            };
            let ended = snapshot.run(id)?.is_none_or(|run| run.ended.is_some());
            let folder = shared.runtime.agents().folder_of(id);
            Ok(Ok(output::read(&folder, read.from, read.raw, ended)))
        })
        .await
    }

    pub(super) async fn run_task(&self, _: Nothing) -> Result<wire::OwnTask> {
        let id = self.own_run("get a task")?;
        let workspace = self.shared.workspace.root().display().to_string();
        let (mut own, subject) = self
            .read_runs(move |snapshot| {
                let Some(task) = snapshot.task(id.task)? else {
                    return Ok(Err(Refusal::UnknownTask { wanted: id.task.to_string() }));
                };
                let subject = task_subject(&task);
                let own = wire::OwnTask {
                    run: id.to_string(),
                    holds: task.attempt == id.attempt && task.lease.is_some(),
                    has_hand_off: snapshot.hand_off_to(id.task)?.is_some(),
                    task: general::task(&task, &clock::now()),
                    workspace,
                    from_earlier: Vec::new(),
                };
                Ok(Ok((own, subject)))
            })
            .await?;
        own.from_earlier = self.learnt_earlier(subject).await;
        Ok(own)
    }

    fn own_run(&self, action: &'static str) -> Result<RunId> {
        match &self.actor {
            Actor::Run { run } => Ok(*run),
            Actor::Person { .. } | Actor::Host => Err(refusal(&Refusal::OnlyARun { action })),
        }
    }

    pub(super) async fn run_ask(&self, ask: wire::AskDecision) -> Result<wire::Question> {
        let options = ask.options.into_iter().map(|option| AnswerOption { value: option.value, text: option.text });
        let asks = Asks {
            question: ask.question,
            detail: ask.detail,
            options: options.collect(),
            recommendation: ask.recommendation,
        };
        question_of(self.ask(Command::AskPerson(asks)).await?)
    }

    pub(super) async fn run_discovered(&self, found: wire::LogDiscovered) -> Result<Task> {
        let max_attempts = self.shared.runtime.settings().number(MAX_ATTEMPTS);
        let draft = TaskDraft {
            title: found.title,
            description: found.description,
            priority: found.priority.map(|priority| general::priority_name(priority).to_owned()),
            origin: Some("discovered".to_owned()),
            max_attempts: u32::try_from(max_attempts).unwrap_or(1),
            ..TaskDraft::default()
        };
        task_of(self.ask(Command::LogDiscovered(draft)).await?)
    }

    pub(super) async fn run_report(&self, work: wire::ReportWork) -> Result<wire::RunInfo> {
        let wire::ReportWork { task, report, xml } = work;
        let report = match (report, xml) {
            (Some(report), None) => to_wire::report_from(report)?,
            (None, Some(xml)) => read_report(&xml)?,
            (Some(_), Some(_)) | (None, None) => {
                let message = "A report comes either as `report` or as `xml`. Give one of them.".to_owned();
                return Err(no(REFUSED, "no-report", message));
            }
        };
        // What a run wrote last is still its work.
        let answer = self.ask_when_seen(Command::ReportRun { task, report: Box::new(report) }).await?;
        let Answer::Run(run) = answer else { return Err(Error::internal_error()) };
        self.read_runs(move |snapshot| info(snapshot, run)).await
    }

    pub(super) async fn run_hand_off(&self, wanted: wire::ReadHandOff) -> Result<wire::HandOffDocument> {
        let own = match (&wanted.hand_off, &self.actor) {
            (None, Actor::Run { run }) => Some(run.task),
            (None, Actor::Person { .. } | Actor::Host) => {
                return Err(refusal(&Refusal::OnlyARun { action: "read its own hand-off" }));
            }
            (Some(_), _) => None,
        };
        self.settle().await?;
        let root = self.shared.workspace.root().to_owned();
        self.read_runs(move |snapshot| {
            let found = match (&wanted.hand_off, own) {
                (Some(text), _) => match HandOffId::read(text) {
                    Some(id) => snapshot.hand_off(id)?,
                    None => None,
                },
                (None, Some(task)) => snapshot.hand_off_to(task)?,
                (None, None) => None,
            };
            let Some(hand_off) = found else {
                return Ok(Err(match (wanted.hand_off, own) {
                    (None, Some(task)) => Refusal::NoHandOff { task },
                    (wanted, _) => Refusal::UnknownHandOff { wanted: wanted.unwrap_or_default() },
                }));
            };
            let document::Document { text, is_given } = document::of(snapshot, &hand_off, &root)?;
            Ok(Ok(wire::HandOffDocument { text, is_given }))
        })
        .await
    }

    pub(super) async fn run_hook(&self, seen: wire::HookSeen) -> Result<wire::HookVerdict> {
        let settings = self.shared.runtime.settings();
        let permission = Permission::from_name(&settings.text(PERMISSION)).unwrap_or(Permission::Ask);
        let root = self.shared.workspace.root();
        let writes: Vec<String> =
            seen.writes.iter().filter_map(|path| inside(root, std::path::Path::new(path))).collect();
        // What it names lies all outside of the workspace, which is not ours to guard.
        let is_elsewhere = writes.is_empty() && !seen.writes.is_empty();
        let hook = HookSeen {
            agent: seen.agent,
            moment: match seen.moment {
                wire::HookMoment::Begins => HookMoment::Begins,
                wire::HookMoment::BeforeTool => HookMoment::BeforeTool,
                wire::HookMoment::AfterTool => HookMoment::AfterTool,
                wire::HookMoment::TurnEnded => HookMoment::TurnEnded,
                wire::HookMoment::Ends => HookMoment::Ends,
                wire::HookMoment::Other => HookMoment::Other,
            },
            writes,
            only_reads: seen.only_reads || is_elsewhere,
            failure: seen.failure,
            leave: launch::leave_of(permission),
        };
        let Answer::Hook(verdict) = self.ask(Command::HookSeen(hook)).await? else {
            return Err(Error::internal_error());
        };
        Ok(match verdict {
            HookVerdict::Allow => wire::HookVerdict { decision: wire::HookDecision::Allow, reason: String::new() },
            HookVerdict::Deny { reason } => wire::HookVerdict { decision: wire::HookDecision::Deny, reason },
            HookVerdict::Nothing => wire::HookVerdict { decision: wire::HookDecision::Nothing, reason: String::new() },
        })
    }

    pub(super) async fn questions_list(&self, list: wire::ListQuestions) -> Result<wire::QuestionList> {
        self.read_runs(move |snapshot| {
            let of = match &list.run {
                None => None,
                Some(wanted) => match find_run(snapshot, wanted)? {
                    Ok(run) => Some(run),
                    Err(no) => return Ok(Err(no)),
                },
            };
            let mut questions = snapshot.open_questions(QUESTIONS)?;
            if list.answered {
                questions.extend(snapshot.answered_questions(QUESTIONS)?);
            }
            questions.retain(|question| of.is_none_or(|of| question.run == of));
            questions.truncate(QUESTIONS);
            Ok(Ok(wire::QuestionList { questions: questions.iter().map(to_wire::question).collect() }))
        })
        .await
    }

    pub(super) async fn question_show(&self, one: wire::OneQuestion) -> Result<wire::Question> {
        self.read_runs(move |snapshot| {
            let found = match QuestionId::read(&one.question) {
                Some(id) => snapshot.question(id)?,
                None => None,
            };
            Ok(found
                .map(|question| to_wire::question(&question))
                .ok_or(Refusal::UnknownQuestion { wanted: one.question }))
        })
        .await
    }

    pub(super) async fn question_answer(&self, answer: wire::AnswerQuestion) -> Result<wire::Question> {
        let wire::AnswerQuestion { question, choice, text } = answer;
        question_of(self.ask(Command::AnswerQuestion { question, choice, text }).await?)
    }

    pub(super) async fn hand_offs_list(&self, _: Nothing) -> Result<wire::HandOffList> {
        self.read_runs(|snapshot| {
            let hand_offs = told_hand_offs(snapshot, &snapshot.hand_offs(QUESTIONS)?)?;
            Ok(Ok(wire::HandOffList { hand_offs }))
        })
        .await
    }

    pub(super) async fn hand_off_decide(&self, decide: wire::DecideHandOff) -> Result<wire::HandOff> {
        let wire::DecideHandOff { hand_off, accept, document, start, add_to_scope } = decide;
        let start = start.unwrap_or_default().then(|| add_to_scope.unwrap_or_default());
        let word = match (accept, document, start) {
            (true, document, start) => {
                let start = match start {
                    Some(into_scope) => self.may_hand_over(&hand_off, into_scope).await?,
                    None => None,
                };
                // Editors that write other line ends mean the same text.
                HandOffWord::Accept { document: document.map(|text| text.replace("\r\n", "\n")), start }
            }
            (false, None, None) => HandOffWord::Dismiss,
            (false, _, _) => {
                let message = "A hand-off that is dismissed has nobody to read a document or to start. Leave that out, or accept.";
                return Err(no(REFUSED, "nobody-reads", message.to_owned()));
            }
        };
        let command = Command::DecideHandOff { hand_off, word };
        let Answer::HandOff(hand_off) = self.ask(command).await? else { return Err(Error::internal_error()) };
        self.read_runs(move |snapshot| Ok(Ok(told_hand_off(snapshot, &hand_off)?))).await
    }

    /// What starting the agent of a hand-off is held against, where there is one to start: whether it is there and may be
    /// started is known here, the rest is for the rules.
    async fn may_hand_over(&self, wanted: &str, into_scope: bool) -> Result<Option<HandOffStart>> {
        self.must_last()?;
        let Some(id) = HandOffId::read(wanted) else { return Ok(None) };
        let found = self
            .read_runs(move |snapshot| {
                let found = snapshot.hand_off(id)?;
                Ok(Ok(found.map(|hand_off| told_hand_off(snapshot, &hand_off)).transpose()?))
            })
            .await?;
        let Some(hand_off) = found.filter(|hand_off| hand_off.can_start) else { return Ok(None) };
        let catalog = self.catalog().await?;
        let agent = configured(&catalog, &hand_off.to_agent)?.clone();
        let parallel = agent.spec.parallel;
        let shared = self.shared.clone();
        blocking(move || may_start(&shared, &agent)).await??;
        let in_all = self.shared.runtime.settings().number(AGENTS_PARALLEL);
        Ok(Some(HandOffStart { parallel, parallel_in_all: u32::try_from(in_all).unwrap_or(1), into_scope }))
    }

    /// Agents live as long as their host.
    fn must_last(&self) -> Result<()> {
        if self.shared.kind == Kind::Lasting {
            return Ok(());
        }
        let message = "Agents are started by a host that stays. `augment-cli agent start` starts one.".to_owned();
        Err(no(FAILED, "no-host", message))
    }
}

fn told_hand_offs(
    snapshot: &Snapshot<'_>,
    hand_offs: &[HandOff],
) -> std::result::Result<Vec<wire::HandOff>, StoreError> {
    hand_offs.iter().map(|hand_off| told_hand_off(snapshot, hand_off)).collect()
}

fn told_hand_off(snapshot: &Snapshot<'_>, hand_off: &HandOff) -> std::result::Result<wire::HandOff, StoreError> {
    let task = match hand_off.task {
        Some(id) => snapshot.task(id)?,
        None => None,
    };
    Ok(to_wire::hand_off(hand_off, task.as_ref()))
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(|_| Error::internal_error())
}

pub(super) fn question_of(answer: Answer) -> Result<wire::Question> {
    let Answer::Question(question) = answer else { return Err(Error::internal_error()) };
    Ok(to_wire::question(&question))
}

fn failed(error: &StoreError) -> Error {
    no(FAILED, "not-readable", error.to_string())
}

fn configured<'a>(catalog: &'a Catalog, name: &str) -> Result<&'a Configured> {
    // What is wrong with a file may be why an agent is not there.
    catalog.find(name).map_err(|error| {
        let problem = catalog.problems.first().map(|problem| format!(" {problem}")).unwrap_or_default();
        no(REFUSED, error.code(), format!("{error}{problem}"))
    })
}

fn list(shared: &Arc<Shared>) -> Result<wire::AgentList> {
    let catalog = Catalog::read(shared.workspace.places());
    let settings = shared.runtime.settings();
    let (allowed, kept) = shared
        .runtime
        .read(|snapshot| Ok((snapshot.allowed_agents()?, snapshot.kept_runs()?)))
        .map_err(|error| failed(&error))?;
    let root = shared.workspace.root();
    let mut problems = catalog.problems.clone();
    let agents = catalog
        .agents
        .iter()
        .map(|agent| {
            let is_allowed = agent.is_allowed(|name, hash| is_known(&allowed, name, hash));
            let environment = catalog::environment(&agent.spec, std::env::vars_os());
            let program = catalog::find_program(&agent.spec, root, &environment);
            problems
                .extend(agent.refused_wishes(&settings).into_iter().map(|wish| format!("{}: {wish}", agent.spec.name)));
            let active = kept.iter().filter(|run| run.agent == agent.spec.name).count();
            wire::Agent {
                name: agent.spec.name.clone(),
                source: match agent.source {
                    Source::Preset => wire::AgentSource::Preset,
                    Source::User => wire::AgentSource::User,
                    Source::Workspace => wire::AgentSource::Workspace,
                },
                adapter: to_wire::adapter(agent.spec.adapter),
                // Values may be secrets; whoever allows an agent of the workspace has to see them all.
                command: match agent.source {
                    Source::Workspace => agent.text.clone(),
                    Source::Preset | Source::User => agent.spec.command_line(),
                },
                problem: match (&program, is_allowed) {
                    (Err(error), _) => Some(error.to_string()),
                    (Ok(_), false) => Some(not_allowed(&agent.spec.name)),
                    (Ok(_), true) => None,
                },
                program: program.ok().map(|program| program.display().to_string()),
                capabilities: agent.spec.capabilities.iter().cloned().collect(),
                parallel: agent.spec.parallel,
                active: u32::try_from(active).unwrap_or(u32::MAX),
                allowed: is_allowed,
                hash: agent.hash.clone(),
                allowed_before: allowed
                    .iter()
                    .find(|known| !is_allowed && known.name == agent.spec.name)
                    .map(|known| known.text.0.clone()),
            }
        })
        .collect();
    Ok(wire::AgentList { agents, problems })
}

fn is_known(allowed: &[AllowedAgent], name: &str, hash: &str) -> bool {
    allowed.iter().any(|known| known.name == name && known.hash == hash)
}

fn not_allowed(name: &str) -> String {
    format!(
        "{} comes with the workspace and has not been allowed as it is configured now. Look at it and allow it with \
         `augment-cli agent allow {}`.",
        visible(name),
        shell_word(name)
    )
}

/// One run by its id, or by its task's for the newest.
fn find_run(snapshot: &Snapshot<'_>, wanted: &str) -> Read<RunId> {
    let unknown = || Refusal::UnknownRun { wanted: wanted.to_owned() };
    let (task, attempt) = match wanted.trim().split_once('.') {
        Some((task, attempt)) => match attempt.parse::<u32>() {
            Ok(attempt) => (task, Some(attempt)),
            Err(_) => return Ok(Err(unknown())),
        },
        None => (wanted.trim(), None),
    };
    let task = match find(snapshot, task)? {
        Ok(task) => task,
        Err(_) => return Ok(Err(unknown())),
    };
    let found = match attempt {
        Some(attempt) => snapshot.run(RunId { task, attempt })?,
        None => snapshot.runs(task, 1)?.into_iter().next(),
    };
    let missing = || if attempt.is_none() { Refusal::NeverWorkedOn { task } } else { unknown() };
    Ok(found.map(|run| run.id).ok_or_else(missing))
}

fn info(snapshot: &Snapshot<'_>, id: RunId) -> Read<wire::RunInfo> {
    match snapshot.run(id)? {
        Some(run) => told(snapshot, &run).map(Ok),
        None => Ok(Err(Refusal::UnknownRun { wanted: id.to_string() })),
    }
}

fn told(snapshot: &Snapshot<'_>, run: &Run) -> std::result::Result<wire::RunInfo, StoreError> {
    let title = snapshot.task(run.id.task)?.map(|task| task.title).unwrap_or_default();
    Ok(to_wire::run(run, title))
}

fn report(
    snapshot: &Snapshot<'_>,
    id: RunId,
) -> std::result::Result<Option<augment_protocol::completion::CompletionReport>, StoreError> {
    let text = snapshot.report(id)?;
    Ok(text.and_then(|text| completion::report_in(&text)).map(|report| to_wire::report(&report)))
}

/// The last report in a text that should be one.
fn read_report(text: &str) -> Result<completion::Report> {
    let mut problem = None;
    let mut last = None;
    for found in completion::find(text.as_bytes()) {
        match found.what {
            What::Report(report) => last = Some(report),
            What::Broken(broken) => problem = Some(broken.to_string()),
            What::Other | What::Quoted | What::LeftOut => {}
        }
    }
    let missing = || match problem {
        Some(problem) => format!("The report cannot be read: {problem}"),
        None => "There is no <agent_completion> in this. Write one, or give `report`.".to_owned(),
    };
    last.ok_or_else(|| no(REFUSED, "bad-report", missing()))
}
