//! The handlers, one a method. Those that change something post a command and translate its answer; those that read take
//! a snapshot on a thread of their own.

use std::sync::Arc;

use augment_core::actor::Actor;
use augment_core::queue;
use augment_core::refusal::Refusal;
use augment_core::settings::SettingChange;
use augment_core::task::Status;
use augment_core::time::Wall;
use augment_core::turn::{Answer, Command, Input};
use augment_host::runtime::AskError;
use augment_host::store::{LedgerQuery, ListQuery, Order, Snapshot, StoreError};
use augment_host::{clock, token};
use augment_protocol::methods::{
    AgentAllow, AgentStart, AgentStop, AgentsList, AnalyticsCsv, AnalyticsShown, ArchiveImport, ArchiveListed,
    ArchiveSearch, ArchiveShow, ArchiveVerify, AuditList, AuditShow, AuditVerify, ChangesAssign, ChangesContent,
    ChangesDecide, ChangesFile, ChangesHistory, ChangesList, ChangesPreview, ChangesPurge, ChangesRedo, ChangesUndo,
    ConfigInspect, ConfigList, ConfigSet, DemoShown, EditorSave, FileClaim, FlagAnswered, GetBlame, GetStatus,
    HandOffDecide, HandOffsList, HostStop, KnowledgeAdd, KnowledgeApprove, KnowledgeDrop, KnowledgeListed,
    KnowledgeSearch, Method, PlanShow, PromptContext, PromptDropped, PromptFinished, PromptGuarded, PromptIntent,
    PromptPushed, PromptReported, PromptShown, PromptStarted, PromptUndone, PromptUnified, PromptsListed,
    QuestionAnswered, QuestionShow, QuestionsList, QueueAdd, QueueCancel, QueueClaim, QueueComplete, QueueEdit,
    QueueFail, QueueHeartbeat, QueueList, QueueMove, QueueNext, QueueRemove, QueueRetry, QueueShow, RunAsk,
    RunDiscovered, RunHandOff, RunHook, RunOutput, RunReport, RunScope, RunShow, RunTask, RunsList, ScanAcknowledge,
    ScanAllowed, ScanAllows, ScanDisallow, ScanRun, SessionAdjust, SessionCommit, SessionComplete, SessionConfirm,
    SessionContinue, SessionDetail, SessionEnd, SessionReports, SessionResume, SessionShown, SessionStart,
    SessionsList, TimelineDiff, TimelineShown,
};
use augment_protocol::queue as wire;
use augment_protocol::records::{BrokenRecord, ListRecords, OneRecord, Record, RecordList, Verified};
use augment_protocol::settings::{ChangeSetting, InspectFile, InspectedFile, SettingList};
use augment_protocol::status::{HostStatus, Introduction, Nothing, OverallStatus, RefusalData, Trouble};
use augment_protocol::{FAILED, PROTOCOL_VERSION, REFUSED};
use tower_lsp_server::jsonrpc::{Error, ErrorCode, Result};
use tower_lsp_server::ls_types::{
    CodeActionParams, CodeActionResponse, CodeLens, CodeLensParams, DidChangeTextDocumentParams,
    DidCloseTextDocumentParams, DidOpenTextDocumentParams, DidSaveTextDocumentParams, ExecuteCommandParams, Hover,
    HoverParams, InitializeParams, InitializeResult, LSPAny, ServerCapabilities, ServerInfo, TextEdit,
    WillSaveTextDocumentParams,
};
use tower_lsp_server::{ClientSocket, LanguageServer, LspService};

use super::editing::{self, Editing};
use super::{Found, Kind, Shared, VERSION, agents, changes, from_wire, sessions, settings_file, to_wire};

/// How many active tasks and troubles the overall status names.
const NAMED: usize = 20;

/// One connection's view of the service: who is calling.
#[derive(Debug, Clone)]
pub(super) struct Door {
    pub(super) shared: Arc<Shared>,
    pub(super) actor: Actor,
    pub(super) editing: Arc<Editing>,
    /// Whoever comes after a command that first has to wait for the files waits behind it.
    turn: Arc<tokio::sync::Mutex<()>>,
}

pub(super) fn service(shared: Arc<Shared>, actor: Actor, editing: Arc<Editing>) -> (LspService<Door>, ClientSocket) {
    LspService::build(|_| Door { shared, actor, editing, turn: Arc::default() })
        .custom_method(GetStatus::NAME, Door::status)
        .custom_method(QueueAdd::NAME, Door::queue_add)
        .custom_method(QueueList::NAME, Door::queue_list)
        .custom_method(QueueShow::NAME, Door::queue_show)
        .custom_method(QueueEdit::NAME, Door::queue_edit)
        .custom_method(QueueMove::NAME, Door::queue_move)
        .custom_method(QueueRemove::NAME, Door::queue_remove)
        .custom_method(QueueCancel::NAME, Door::queue_cancel)
        .custom_method(QueueRetry::NAME, Door::queue_retry)
        .custom_method(QueueNext::NAME, Door::queue_next)
        .custom_method(QueueClaim::NAME, Door::queue_claim)
        .custom_method(QueueHeartbeat::NAME, Door::queue_heartbeat)
        .custom_method(QueueComplete::NAME, Door::queue_complete)
        .custom_method(QueueFail::NAME, Door::queue_fail)
        .custom_method(AuditList::NAME, Door::audit_list)
        .custom_method(AuditShow::NAME, Door::audit_show)
        .custom_method(AuditVerify::NAME, Door::audit_verify)
        .custom_method(ConfigList::NAME, Door::config_list)
        .custom_method(ConfigSet::NAME, Door::config_set)
        .custom_method(ConfigInspect::NAME, Door::config_inspect)
        .custom_method(ChangesList::NAME, Door::changes_list)
        .custom_method(ChangesFile::NAME, Door::changes_file)
        .custom_method(ChangesContent::NAME, Door::changes_content)
        .custom_method(ChangesPreview::NAME, Door::changes_preview)
        .custom_method(ChangesDecide::NAME, Door::changes_decide)
        .custom_method(ChangesUndo::NAME, Door::changes_undo)
        .custom_method(ChangesRedo::NAME, Door::changes_redo)
        .custom_method(ChangesAssign::NAME, Door::changes_assign)
        .custom_method(ChangesHistory::NAME, Door::changes_history)
        .custom_method(ChangesPurge::NAME, Door::changes_purge)
        .custom_method(GetBlame::NAME, Door::blame)
        .custom_method(FileClaim::NAME, Door::claim_file)
        .custom_method(EditorSave::NAME, Door::editor_saved)
        .custom_method(AgentsList::NAME, Door::agents_list)
        .custom_method(AgentAllow::NAME, Door::agent_allow)
        .custom_method(AgentStart::NAME, Door::agent_start)
        .custom_method(AgentStop::NAME, Door::agent_stop)
        .custom_method(RunsList::NAME, Door::runs_list)
        .custom_method(RunShow::NAME, Door::run_show)
        .custom_method(RunOutput::NAME, Door::run_output)
        .custom_method(RunTask::NAME, Door::run_task)
        .custom_method(RunAsk::NAME, Door::run_ask)
        .custom_method(RunDiscovered::NAME, Door::run_discovered)
        .custom_method(RunReport::NAME, Door::run_report)
        .custom_method(RunHandOff::NAME, Door::run_hand_off)
        .custom_method(RunHook::NAME, Door::run_hook)
        .custom_method(QuestionsList::NAME, Door::questions_list)
        .custom_method(QuestionShow::NAME, Door::question_show)
        .custom_method(QuestionAnswered::NAME, Door::question_answer)
        .custom_method(HandOffsList::NAME, Door::hand_offs_list)
        .custom_method(HandOffDecide::NAME, Door::hand_off_decide)
        .custom_method(SessionShown::NAME, Door::session_status)
        .custom_method(SessionStart::NAME, Door::session_start)
        .custom_method(SessionConfirm::NAME, Door::session_confirm)
        .custom_method(SessionAdjust::NAME, Door::session_adjust)
        .custom_method(SessionContinue::NAME, Door::session_continue)
        .custom_method(SessionEnd::NAME, Door::session_end)
        .custom_method(SessionCommit::NAME, Door::session_commit)
        .custom_method(SessionComplete::NAME, Door::session_complete)
        .custom_method(SessionResume::NAME, Door::session_resume)
        .custom_method(SessionsList::NAME, Door::sessions_list)
        .custom_method(SessionDetail::NAME, Door::session_show)
        .custom_method(SessionReports::NAME, Door::session_reports)
        .custom_method(FlagAnswered::NAME, Door::flag_answer)
        .custom_method(RunScope::NAME, Door::run_scope)
        .custom_method(PlanShow::NAME, Door::plan_show)
        .custom_method(ScanRun::NAME, Door::scan)
        .custom_method(ScanAcknowledge::NAME, Door::scan_acknowledge)
        .custom_method(ScanAllowed::NAME, Door::scan_allow)
        .custom_method(ScanAllows::NAME, Door::scan_allows)
        .custom_method(ScanDisallow::NAME, Door::scan_disallow)
        .custom_method(ArchiveListed::NAME, Door::archive_list)
        .custom_method(ArchiveSearch::NAME, Door::archive_search)
        .custom_method(ArchiveShow::NAME, Door::archive_show)
        .custom_method(ArchiveVerify::NAME, Door::archive_verify)
        .custom_method(ArchiveImport::NAME, Door::archive_import)
        .custom_method(KnowledgeListed::NAME, Door::knowledge_list)
        .custom_method(KnowledgeSearch::NAME, Door::knowledge_search)
        .custom_method(KnowledgeAdd::NAME, Door::knowledge_add)
        .custom_method(KnowledgeApprove::NAME, Door::knowledge_approve)
        .custom_method(KnowledgeDrop::NAME, Door::knowledge_drop)
        .custom_method(PromptShown::NAME, Door::prompt_status)
        .custom_method(PromptStarted::NAME, Door::prompt_start)
        .custom_method(PromptContext::NAME, Door::prompt_context)
        .custom_method(PromptIntent::NAME, Door::prompt_intent)
        .custom_method(PromptFinished::NAME, Door::prompt_finish)
        .custom_method(PromptReported::NAME, Door::prompt_report)
        .custom_method(PromptUnified::NAME, Door::prompt_unify)
        .custom_method(PromptPushed::NAME, Door::prompt_push)
        .custom_method(PromptUndone::NAME, Door::prompt_undo)
        .custom_method(PromptDropped::NAME, Door::prompt_drop)
        .custom_method(PromptsListed::NAME, Door::prompts_list)
        .custom_method(PromptGuarded::NAME, Door::prompt_guard)
        .custom_method(AnalyticsShown::NAME, Door::analytics)
        .custom_method(AnalyticsCsv::NAME, Door::analytics_csv)
        .custom_method(TimelineShown::NAME, Door::timeline)
        .custom_method(TimelineDiff::NAME, Door::timeline_diff)
        .custom_method(DemoShown::NAME, Door::demo_status)
        .custom_method(HostStop::NAME, Door::host_stop)
        .finish()
}

impl LanguageServer for Door {
    async fn initialize(&self, params: InitializeParams) -> Result<InitializeResult> {
        let wanted = params.initialization_options.as_ref().and_then(|options| options.get("protocol")?.as_u64());
        if let Some(wanted) = wanted.filter(|wanted| *wanted != u64::from(PROTOCOL_VERSION)) {
            let message = format!(
                "This host speaks protocol {PROTOCOL_VERSION}, the client {wanted}. Update the older of the two."
            );
            return Err(no(REFUSED, "other-protocol", message));
        }
        self.editing.introduced(&self.shared, &params);
        let introduction = Introduction {
            protocol: PROTOCOL_VERSION,
            workspace: self.shared.workspace.root().display().to_string(),
            role: self.actor.role().name().to_owned(),
            pid: std::process::id(),
            revision: self.shared.runtime.moved().borrow().revision,
        };
        Ok(InitializeResult {
            capabilities: ServerCapabilities {
                experimental: Some(serde_json::json!({ "augment": introduction })),
                ..editing::capabilities()
            },
            server_info: Some(ServerInfo { name: "augment-orchestrator".into(), version: Some(VERSION.into()) }),
            ..InitializeResult::default()
        })
    }

    async fn shutdown(&self) -> Result<()> {
        Ok(())
    }

    async fn did_open(&self, params: DidOpenTextDocumentParams) {
        self.opened(params).await;
    }

    async fn did_change(&self, params: DidChangeTextDocumentParams) {
        self.changed(params).await;
    }

    async fn will_save(&self, params: WillSaveTextDocumentParams) {
        self.will_be_saved(params).await;
    }

    async fn will_save_wait_until(&self, params: WillSaveTextDocumentParams) -> Result<Option<Vec<TextEdit>>> {
        self.will_be_saved(params).await;
        Ok(None)
    }

    async fn did_save(&self, params: DidSaveTextDocumentParams) {
        self.saved(params).await;
    }

    async fn did_close(&self, params: DidCloseTextDocumentParams) {
        self.closed(params).await;
    }

    async fn code_lens(&self, params: CodeLensParams) -> Result<Option<Vec<CodeLens>>> {
        self.lenses(params).await
    }

    async fn code_action(&self, params: CodeActionParams) -> Result<Option<CodeActionResponse>> {
        self.actions(params).await
    }

    async fn hover(&self, params: HoverParams) -> Result<Option<Hover>> {
        self.provenance(params).await
    }

    async fn execute_command(&self, params: ExecuteCommandParams) -> Result<Option<LSPAny>> {
        self.ordered(params).await
    }
}

pub(super) fn no(code: i64, kind: &str, message: String) -> Error {
    no_about(code, kind, message, None)
}

/// A refusal about something that the person can name to go on.
pub(super) fn no_about(code: i64, kind: &str, message: String, named: Option<String>) -> Error {
    no_with(code, message, RefusalData { named, ..RefusalData::of(kind) })
}

/// A refusal with the fresh state of what it is about.
pub(super) fn no_with(code: i64, message: String, data: RefusalData) -> Error {
    Error { code: ErrorCode::ServerError(code), message: message.into(), data: serde_json::to_value(data).ok() }
}

pub(super) fn refusal(refusal: &Refusal) -> Error {
    no(REFUSED, refusal.code(), refusal.to_string())
}

pub(super) fn task_of(mut answer: Answer) -> Result<wire::Task> {
    let task = answer.task_mut().ok_or_else(Error::internal_error)?;
    Ok(to_wire::task(task, &clock::now()))
}

fn failure(error: &StoreError) -> Error {
    no(FAILED, "not-readable", error.to_string())
}

impl Door {
    /// Posts once all that this connection asked for before is posted. A fair lock keeps the order in which requests came.
    pub(super) async fn ask(&self, command: Command) -> Result<Answer> {
        let turn = self.turn.lock().await;
        let answer = self.post(command);
        drop(turn);
        answer.await
    }

    /// The same with everything known that happened to files before this moment.
    pub(super) async fn ask_settled(&self, command: Command) -> Result<Answer> {
        let turn = self.turn.lock().await;
        self.settle().await?;
        let answer = self.post(command);
        drop(turn);
        answer.await
    }

    /// The same for a command that has to be found out first, which begins at once.
    pub(super) async fn ask_once_known(&self, command: impl Future<Output = Command>) -> Result<Answer> {
        let (turn, command) = tokio::join!(self.turn.lock(), command);
        let answer = self.post(command);
        drop(turn);
        answer.await
    }

    /// What a run wrote last is still its work. A run may end also when the files cannot be seen.
    async fn ask_at_the_end(&self, command: Command) -> Result<wire::Task> {
        task_of(self.ask_when_seen(command).await?)
    }

    /// Asks once the files are known, or cannot be.
    pub(super) async fn ask_when_seen(&self, command: Command) -> Result<Answer> {
        let turn = self.turn.lock().await;
        if let Err(error) = self.settle().await {
            tracing::warn!("{error}");
        }
        let answer = self.post(command);
        drop(turn);
        answer.await
    }

    fn post(&self, command: Command) -> impl Future<Output = Result<Answer>> + Send + use<> {
        let shared = self.shared.clone();
        let verdict = shared.runtime.post(Input::Asked { actor: self.actor.clone(), command });
        async move {
            match verdict.await {
                Ok(answer) => Ok(answer),
                Err(AskError::Refused(no @ Refusal::Stale { task, .. })) => {
                    let mut error = refusal(&no);
                    let fresh = snapshot(&shared, move |snapshot| snapshot.task(task)).await?;
                    let task = fresh.map(|task| to_wire::task(&task, &clock::now()));
                    error.data = serde_json::to_value(RefusalData { task, ..RefusalData::of(no.code()) }).ok();
                    Err(error)
                }
                Err(AskError::Refused(no)) => Err(refusal(&no)),
                Err(AskError::NotSaved(message)) => Err(no(FAILED, "not-saved", message)),
                Err(busy @ AskError::Busy) => Err(no(FAILED, "busy", busy.to_string())),
                Err(leaving @ AskError::Leaving) => Err(no(FAILED, "leaving", leaving.to_string())),
            }
        }
    }

    /// For the commands that answer with the task they changed.
    async fn ask_task(&self, command: Command) -> Result<wire::Task> {
        task_of(self.ask(command).await?)
    }

    async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Snapshot<'_>) -> std::result::Result<T, StoreError> + Send + 'static,
    ) -> Result<T> {
        snapshot(&self.shared, read).await
    }

    async fn queue_add(&self, add: wire::AddTask) -> Result<wire::Task> {
        let draft = from_wire::draft(add, &self.shared.runtime.settings());
        self.ask_task(Command::AddTask(draft)).await
    }

    async fn queue_edit(&self, edit: wire::EditTask) -> Result<wire::Task> {
        self.ask_task(from_wire::edit(edit)).await
    }

    async fn queue_move(&self, to: wire::MoveTask) -> Result<wire::Task> {
        let place = from_wire::place(to.place);
        self.ask_task(Command::MoveTask { task: to.task, place, shown_at: to.revision }).await
    }

    async fn queue_remove(&self, one: wire::OneTask) -> Result<Nothing> {
        self.ask(Command::RemoveTask { task: one.task, shown_at: one.revision }).await.map(|_| Nothing {})
    }

    async fn queue_cancel(&self, cancel: wire::CancelTask) -> Result<wire::Task> {
        let wire::CancelTask { task, revision, reason } = cancel;
        self.ask_at_the_end(Command::CancelTask { task, reason, shown_at: revision }).await
    }

    async fn queue_retry(&self, one: wire::OneTask) -> Result<wire::Task> {
        self.ask_task(Command::RetryTask { task: one.task, shown_at: one.revision }).await
    }

    async fn queue_next(&self, next: wire::TakeNext) -> Result<wire::Next> {
        let taken = self.take(next.agent, next.capabilities, next.lease_ms, Command::TakeNext).await?;
        let out_of_scope = match &taken {
            Some(_) => None,
            None => self.read(sessions::ready_out_of_scope).await?,
        };
        Ok(wire::Next { taken, out_of_scope })
    }

    async fn queue_claim(&self, claim: wire::ClaimTask) -> Result<wire::Taken> {
        let wire::ClaimTask { task, agent, capabilities, lease_ms } = claim;
        let taken = self.take(agent, capabilities, lease_ms, |claim| Command::ClaimTask { task, claim }).await?;
        taken.ok_or_else(Error::internal_error)
    }

    async fn take(
        &self,
        agent: Option<String>,
        capabilities: Option<Vec<String>>,
        lease_ms: Option<i64>,
        command: impl FnOnce(queue::Claim) -> Command,
    ) -> Result<Option<wire::Taken>> {
        let token = token::fresh().map_err(|error| no(FAILED, "no-random", error.to_string()))?;
        let person = match &self.actor {
            Actor::Person { name } => name.as_str(),
            Actor::Run { .. } | Actor::Host => "",
        };
        let settings = self.shared.runtime.settings();
        let claim = from_wire::claim(agent, capabilities, lease_ms, person, &settings, token::hash(&token));
        // What lies there before the run begins is not its work.
        match self.ask_settled(command(claim)).await? {
            Answer::Taken { task, run } => {
                let task = to_wire::task(&task, &clock::now());
                Ok(Some(wire::Taken { task, run: run.to_string(), token }))
            }
            Answer::NothingReady => Ok(None),
            Answer::Task(_)
            | Answer::Moved { .. }
            | Answer::Removed(_)
            | Answer::SettingChanged
            | Answer::Decided { .. }
            | Answer::Assigned { .. }
            | Answer::Purged { .. }
            | Answer::Run(_)
            | Answer::Question(_)
            | Answer::HandOff(_)
            | Answer::Hook(_)
            | Answer::Session(_)
            | Answer::Flag(_)
            | Answer::Prompt(_)
            | Answer::Noted => Err(Error::internal_error()),
        }
    }

    async fn queue_heartbeat(&self, heartbeat: wire::Heartbeat) -> Result<wire::Task> {
        self.ask_task(Command::Heartbeat { task: heartbeat.task, attempt: heartbeat.attempt }).await
    }

    async fn queue_complete(&self, complete: wire::CompleteTask) -> Result<wire::Task> {
        self.ask_at_the_end(from_wire::complete(complete)).await
    }

    async fn queue_fail(&self, fail: wire::FailTask) -> Result<wire::Task> {
        self.ask_at_the_end(from_wire::fail(fail)).await
    }

    async fn queue_list(&self, list: wire::ListTasks) -> Result<wire::TaskList> {
        let after = list.after.clone();
        let query = from_wire::list(list, &self.shared.runtime.settings()).map_err(|no| refusal(&no))?;
        let page = self
            .read(move |snapshot| {
                let after = match after {
                    None => None,
                    Some(after) => match find(snapshot, &after)? {
                        Ok(id) => Some(id),
                        Err(no) => return Ok(Err(no)),
                    },
                };
                let page = snapshot.list(&ListQuery { after, ..query })?;
                let left_out = sessions::out_of_scope(snapshot, &page.tasks)?;
                Ok(Ok((page, left_out, snapshot.counts()?, snapshot.revision()?)))
            })
            .await?;
        let (page, out_of_scope, counts, revision) = page.map_err(|no| refusal(&no))?;
        let now = clock::now();
        Ok(wire::TaskList {
            tasks: page.tasks.iter().map(|task| to_wire::task(task, &now)).collect(),
            next: page.next.map(|id| id.to_string()),
            counts: to_wire::counts(&counts),
            out_of_scope,
            revision,
        })
    }

    async fn queue_show(&self, one: wire::OneTask) -> Result<wire::TaskDetails> {
        const NEIGHBOURS: usize = 64;
        let details = self
            .read(move |snapshot| {
                let id = match find(snapshot, &one.task)? {
                    Ok(id) => id,
                    Err(no) => return Ok(Err(no)),
                };
                let Some(task) = snapshot.task(id)? else {
                    return Ok(Err(Refusal::UnknownTask { wanted: one.task }));
                };
                let summaries = |ids: &[augment_core::id::TaskId]| -> std::result::Result<Vec<_>, _> {
                    ids.iter()
                        .take(NEIGHBOURS)
                        .filter_map(|id| snapshot.task(*id).transpose())
                        .map(|task| task.map(|task| to_wire::summary(&task)))
                        .collect()
                };
                let dependents = snapshot.dependents(id)?;
                let newest = LedgerQuery { topics: vec![format!("task:{id}")], limit: 20, ..LedgerQuery::default() };
                Ok(Ok(wire::TaskDetails {
                    dependencies: summaries(&task.depends_on)?,
                    dependents: summaries(&dependents)?,
                    dependents_left_out: u32::try_from(dependents.len().saturating_sub(NEIGHBOURS)).unwrap_or(u32::MAX),
                    runs: snapshot.runs(id, NAMED)?.iter().map(to_wire::run).collect(),
                    records: snapshot.records(&newest)?.links.iter().map(to_wire::record).collect(),
                    task: to_wire::task(&task, &clock::now()),
                }))
            })
            .await?;
        details.map_err(|no| refusal(&no))
    }

    async fn audit_list(&self, list: ListRecords) -> Result<RecordList> {
        let limit = list.limit.unwrap_or(50).clamp(1, from_wire::PAGE_LIMIT);
        let limit = usize::try_from(limit).unwrap_or(1);
        self.read(move |snapshot| {
            let mut topics = Vec::new();
            if let Some(wanted) = &list.task {
                topics.push(match (find(snapshot, wanted)?, augment_core::id::read_wanted(wanted)) {
                    (Ok(id), _) => format!("task:{id}"),
                    // A task that was removed is still in the ledger.
                    (Err(_), augment_core::id::Wanted::Exactly(id)) => format!("task:{id}"),
                    (Err(no), augment_core::id::Wanted::OneOf(_) | augment_core::id::Wanted::Nothing) => {
                        return Ok(Err(refusal(&no)));
                    }
                });
            }
            topics.extend(list.run.map(|run| format!("run:{run}")));
            topics.extend(list.agent.map(|agent| format!("agent:{agent}")));
            if let Some(file) = list.file {
                let path = match augment_core::file::FilePath::from_text(&file) {
                    Ok(path) => path,
                    Err(problem) => return Ok(Err(refusal(&Refusal::BadPath { path: file, problem }))),
                };
                topics.push(augment_core::ledger::Topic::File(path).to_string());
            }
            let session = match list.session {
                None => None,
                Some(wanted) => match sessions::find(snapshot, Some(&wanted))? {
                    Some(session) => Some(session.id),
                    None => return Ok(Err(sessions::unknown(Some(&wanted)))),
                },
            };
            topics.extend(list.actor.map(|actor| format!("by:{actor}")));
            topics.extend(list.kind.map(|kind| format!("kind:{kind}")));
            let order = match list.after {
                Some(after) => Order::OldestFirst { after },
                None => Order::NewestFirst { before: list.before },
            };
            let (since, until) = (list.since.map(Wall), list.until.map(Wall));
            let found = snapshot.records(&LedgerQuery { topics, session, since, until, order, limit })?;
            let next = found.links.last().filter(|_| found.more).map(|link| link.record.sequence);
            let records = found.links.iter().map(to_wire::record).collect();
            Ok(Ok(RecordList { records, next, revision: snapshot.revision()? }))
        })
        .await?
    }

    async fn audit_show(&self, one: OneRecord) -> Result<Record> {
        let after = one.sequence.saturating_sub(1);
        let query = LedgerQuery { order: Order::OldestFirst { after }, limit: 1, ..LedgerQuery::default() };
        let found = self.read(move |snapshot| snapshot.records(&query)).await?;
        let found = found.links.first().filter(|link| link.record.sequence == one.sequence);
        found.map(to_wire::record).ok_or_else(|| {
            let message = format!("There is no record {}. `augment-cli audit list` shows the newest.", one.sequence);
            no(REFUSED, "unknown-record", message)
        })
    }

    async fn audit_verify(&self, _: Nothing) -> Result<Verified> {
        let (head, broken) = self.read(|snapshot| snapshot.verify()).await?;
        Ok(Verified {
            holds: broken.is_none(),
            records: head.sequence,
            head: head.hash.to_string(),
            broken: broken.map(|broken| BrokenRecord { sequence: broken.sequence(), reason: broken.to_string() }),
        })
    }

    async fn config_list(&self, _: Nothing) -> Result<SettingList> {
        Ok(to_wire::settings(&self.shared.runtime.settings(), self.shared.workspace.places()))
    }

    async fn config_set(&self, change: ChangeSetting) -> Result<SettingList> {
        let change = SettingChange { key: change.key, value: change.value };
        self.ask(Command::ChangeSetting(change)).await?;
        Ok(to_wire::settings(&self.shared.runtime.settings(), self.shared.workspace.places()))
    }

    async fn config_inspect(&self, file: InspectFile) -> Result<InspectedFile> {
        Ok(settings_file::inspect(&file, self.shared.workspace.places()))
    }

    async fn host_stop(&self, _: Nothing) -> Result<Nothing> {
        let asked = self.ask(Command::StopHost).await;
        // A host that cannot save any more must still be able to leave; only a refusal keeps it.
        match asked {
            Err(error) if error.code == ErrorCode::ServerError(REFUSED) => Err(error),
            Ok(_) | Err(_) => {
                self.shared.ask_to_leave("a person asked for it");
                Ok(Nothing {})
            }
        }
    }

    async fn status(&self, _: Nothing) -> Result<OverallStatus> {
        let (active, troubled, counts, changes, (session, waiting), revision) = self
            .read(|snapshot| {
                let some = |statuses: Vec<Status>| {
                    snapshot.list(&ListQuery { statuses, limit: NAMED, ..ListQuery::default() })
                };
                let active = some(vec![Status::InProgress])?.tasks;
                let troubled = some(Status::ALL.into_iter().filter(|status| status.is_trouble()).collect())?.tasks;
                let mut waiting = sessions::troubles(snapshot)?;
                waiting.extend(agents::not_started(snapshot)?);
                let session = (sessions::current(snapshot)?, waiting);
                Ok((active, troubled, snapshot.counts()?, changes::counts(snapshot)?, session, snapshot.revision()?))
            })
            .await?;
        let now = clock::now();
        // What is wrong with the settings comes first: failed tasks may be many, and cover it up.
        let settings = self.shared.runtime.settings();
        let mut troubles: Vec<Trouble> =
            settings.problems().iter().map(|problem| Trouble { message: problem.clone(), task: None }).collect();
        troubles.extend(waiting);
        troubles.extend(troubled.iter().map(|task| Trouble {
            message: format!("{} is {}: {}", task.id, task.status, task.title),
            task: Some(task.id.to_string()),
        }));
        let mut status = OverallStatus {
            session,
            workspace: self.shared.workspace.root().display().to_string(),
            revision,
            host: HostStatus {
                version: VERSION.to_owned(),
                pid: std::process::id(),
                started_at: self.shared.started.0,
                lasting: self.shared.kind == Kind::Lasting,
                clients: self.shared.clients(),
            },
            counts: to_wire::counts(&counts),
            active: active.iter().map(|task| to_wire::task(task, &now)).collect(),
            changes,
            watching: self.watching(),
            troubles,
        };
        if let Some(changes::Unwatched { found, advice }) = changes::unwatched(&status) {
            status.troubles.insert(0, Trouble { message: format!("{found} {advice}"), task: None });
        }
        status.troubles.truncate(NAMED);
        Ok(status)
    }
}

/// Reads on a thread where the disk may block.
pub(super) async fn snapshot<T: Send + 'static>(
    shared: &Arc<Shared>,
    read: impl FnOnce(&Snapshot<'_>) -> std::result::Result<T, StoreError> + Send + 'static,
) -> Result<T> {
    let shared = shared.clone();
    let answer = tokio::task::spawn_blocking(move || shared.runtime.read(read)).await;
    answer.map_err(|_| Error::internal_error())?.map_err(|error| failure(&error))
}

pub(super) fn find(snapshot: &Snapshot<'_>, wanted: &str) -> std::result::Result<Found, StoreError> {
    queue::resolve(&snapshot.view(), wanted)
}
