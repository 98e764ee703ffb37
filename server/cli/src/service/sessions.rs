//! The handlers about sessions: what is agreed to, what was told, what fell outside, and the plan. What the project's
//! documents say comes through the view, as it does for the rules.

mod commit;
mod status;
pub(super) mod to_wire;

use augment_core::actor::Role;
use augment_core::closing::Completion;
use augment_core::file::FilePath;
use augment_core::refusal::Refusal;
use augment_core::session::{
    AnswerFlag, FlagAnswer, Level, Scope, ScopeDraft, ScopeRequest, SeenCheckpoint, Session, SessionId, SessionState,
};
use augment_core::settings::{MAX_ATTEMPTS, SESSION_CHANGELOG, SESSION_PLAN};
use augment_core::text::quoted;
use augment_core::turn::{Answer, Command, Input};
use augment_core::view::View as _;
use augment_host::clock;
use augment_host::store::{KeptReport, Snapshot, StoreError};
use augment_protocol::REFUSED;
use augment_protocol::agents::Question;
use augment_protocol::closing::{ClosedSession, CompleteSession};
use augment_protocol::sessions as wire;
use augment_protocol::status::Nothing;
use tower_lsp_server::jsonrpc::{Error, Result};

use super::agents::question_of;
use super::changes;
use super::knowledge::session_subject;
use super::methods::{Door, no, refusal, snapshot};
pub(super) use status::{current, out_of_scope, ready_out_of_scope, troubles};

/// How many sessions one answer lists, and how many reports and flags.
const PAGE: u32 = 50;
const LARGEST_PAGE: u32 = 1_000;
const REPORTS: u32 = 100;
const FLAGS: usize = 1_000;
/// How long the reports of one answer may be together: a frame holds 16 MiB, and characters may be escaped in it.
const REPORT_BYTES: usize = 4 * 1_024 * 1_024;
/// The last report is the newest or next to it.
const LAST: usize = 16;

impl Door {
    fn max_attempts(&self) -> u32 {
        u32::try_from(self.shared.runtime.settings().number(MAX_ATTEMPTS)).unwrap_or(1)
    }

    pub(super) async fn session_status(&self, _: Nothing) -> Result<wire::SessionStatus> {
        let status = self.status_now().await?;
        // Whoever is to say yes to a scope wants to know what was learnt earlier, wherever it was planned.
        match status.session.as_ref().map(|session| session.state) {
            Some(wire::SessionState::Planned) => self.status_with_earlier().await,
            Some(
                wire::SessionState::Confirmed
                | wire::SessionState::Working
                | wire::SessionState::Checkpoint
                | wire::SessionState::Ending
                | wire::SessionState::Ended
                | wire::SessionState::Abandoned,
            )
            | None => Ok(status),
        }
    }

    async fn status_now(&self) -> Result<wire::SessionStatus> {
        snapshot(&self.shared, status::status).await
    }

    /// The same with what was learnt earlier, for those who begin or change a session.
    async fn status_with_earlier(&self) -> Result<wire::SessionStatus> {
        let mut status = self.status_now().await?;
        let session = snapshot(&self.shared, |snapshot| snapshot.view().session()).await?;
        if let Some(session) = session {
            status.from_earlier = self.learnt_earlier(session_subject(&session)).await;
        }
        Ok(status)
    }

    /// For the commands after which everybody wants to know how it stands.
    async fn ask_session(&self, command: Command) -> Result<wire::SessionStatus> {
        // What was written before the word belongs to how it stood then.
        self.ask_when_seen(command).await?;
        self.status_with_earlier().await
    }

    pub(super) async fn session_start(&self, start: wire::StartSession) -> Result<wire::SessionStatus> {
        // A session that began by itself and that nobody ended is ended by the next start, if the person knows.
        let ends = start.ends;
        let forgotten = snapshot(&self.shared, move |snapshot| {
            let open = snapshot.view().session()?.filter(|session| session.automatic.is_some());
            let named = match &ends {
                Some(wanted) => find(snapshot, Some(wanted))?,
                None => None,
            };
            Ok(open.is_some_and(|open| named.is_some_and(|named| named.id == open.id)))
        })
        .await?;
        if self.actor.role() != Role::Run && forgotten {
            let left = Input::SessionLeft { reason: "a new session was started".to_owned() };
            if let Err(error) = self.shared.runtime.post(left).await {
                tracing::warn!("{error}");
            }
        }
        // What lies there before is not the work of this session.
        self.ask_when_seen(Command::StartSession { model: start.model }).await?;
        self.status_with_earlier().await
    }

    pub(super) async fn session_confirm(&self, confirm: wire::ConfirmScope) -> Result<wire::SessionStatus> {
        let items = confirm.items.map(|items| items.into_iter().map(draft).collect());
        let max_attempts = self.max_attempts();
        let (session, paths) = (confirm.session, confirm.paths);
        self.ask_session(Command::ConfirmScope { session, items, paths, max_attempts }).await
    }

    pub(super) async fn session_adjust(&self, adjust: wire::AdjustScope) -> Result<wire::SessionStatus> {
        let wire::AdjustScope { session, add, remove, log, paths, add_paths, checkpoint, shown_paths } = adjust;
        let add = add.into_iter().map(draft).collect();
        let seen = match checkpoint {
            None => SeenCheckpoint::Any,
            Some(None) => SeenCheckpoint::None,
            Some(Some(number)) => SeenCheckpoint::Number(number),
        };
        let max_attempts = self.max_attempts();
        let scope = Scope { session, add, remove, log, paths, add_paths, seen, shown_paths, max_attempts };
        self.ask_session(Command::AdjustScope(scope)).await
    }

    pub(super) async fn session_continue(&self, answer: wire::AnswerCheckpoint) -> Result<wire::SessionStatus> {
        let wire::AnswerCheckpoint { session, checkpoint } = answer;
        self.ask_session(Command::ContinueSession { session, checkpoint }).await
    }

    pub(super) async fn session_end(&self, end: wire::EndSession) -> Result<wire::EndedSession> {
        let command = Command::EndSession { session: end.session, title: end.title, decisions: end.decisions };
        // What was written last belongs to its record.
        let Answer::Session(ended) = self.ask_when_seen(command).await? else { return Err(Error::internal_error()) };
        let root = self.shared.workspace.root().to_owned();
        let id = ended.id;
        snapshot(&self.shared, move |snapshot| {
            let session = snapshot.session_of(id)?.unwrap_or(*ended);
            let last = last_report(snapshot, id)?;
            Ok(wire::EndedSession {
                session: to_wire::session(&snapshot.view(), &session)?,
                documents: last.as_ref().map(|report| commit::told_documents(&report.data)).unwrap_or_default(),
                commit: commit::proposal(snapshot, &root, &session, last.as_ref())?,
                report: last.as_ref().map(to_wire::report),
                closing: snapshot.closing(id)?.map(|closing| to_wire::closing(&closing)),
            })
        })
        .await
    }

    /// A person's yes to the proposed commit.
    pub(super) async fn session_commit(&self, wanted: wire::CommitSession) -> Result<wire::CommittedSession> {
        // The commit itself is made here, so whoever may not ask for it is refused before.
        if self.actor.role() == Role::Run {
            return Err(refusal(&Refusal::RoleMayNot { role: Role::Run, action: "session commit" }));
        }
        let agreed = commit::Agreed::of(&wanted);
        let (session, report) = snapshot(&self.shared, move |snapshot| {
            let Some(session) = find(snapshot, Some(&wanted.session))? else { return Ok(Err(wanted.session)) };
            let report = last_report(snapshot, session.id)?;
            Ok(Ok((session, report)))
        })
        .await?
        .map_err(|wanted| unknown(Some(&wanted)))?;
        let wanted = commit::wanted(&self.shared, &session, report.as_ref()).await?;
        // What was written to the documents until now is looked at before; while git is at work that would have to wait.
        self.settle().await?;
        let committed = commit::make(&self.shared, wanted, agreed).await?;
        let command = Command::SessionCommitted { session: session.id, commit: committed.commit.clone() };
        self.ask(command).await?;
        Ok(committed)
    }

    /// A person adds to a session that has ended.
    pub(super) async fn session_complete(&self, wanted: CompleteSession) -> Result<ClosedSession> {
        let CompleteSession { session, artifacts, deliver, learnings, rating, feedback, tags } = wanted;
        let session = self.named(session).await?;
        // What is no path at all is refused by the rules.
        for artifact in artifacts.iter().filter(|artifact| FilePath::from_text(artifact).is_ok()) {
            let place = self.shared.workspace.root().join(artifact);
            if !place.symlink_metadata().is_ok_and(|found| found.is_file()) {
                let message = format!("{} is not there. Name a file of the workspace.", quoted(artifact));
                return Err(no(REFUSED, "no-such-file", message));
            }
        }
        let completion = Completion { session, artifacts, deliver, learnings, rating, feedback, tags };
        // What was written last is delivered as it is.
        self.ask_when_seen(Command::CompleteSession(Box::new(completion))).await?;
        self.completed(session).await
    }

    pub(super) async fn session_resume(&self, wanted: wire::OneSession) -> Result<ClosedSession> {
        let session = self.named(wanted.session).await?;
        self.ask(Command::ResumeSession(session)).await?;
        self.completed(session).await
    }

    /// The session of this name; without one the newest that has ended.
    async fn named(&self, wanted: Option<String>) -> Result<SessionId> {
        let found = snapshot(&self.shared, move |snapshot| {
            let found = match &wanted {
                Some(wanted) => find(snapshot, Some(wanted))?,
                None => {
                    let newest = snapshot.session_list(LARGEST_PAGE as usize)?;
                    newest.into_iter().find(|session| session.state == SessionState::Ended)
                }
            };
            Ok(found.map(|session| session.id).ok_or(wanted))
        })
        .await?;
        found.map_err(|wanted| match wanted {
            Some(wanted) => unknown(Some(&wanted)),
            None => {
                let message = "No session has ended yet. `augment-cli session end` ends the one under way.";
                no(REFUSED, "unknown-session", message.to_owned())
            }
        })
    }

    async fn completed(&self, id: SessionId) -> Result<ClosedSession> {
        let found = snapshot(&self.shared, move |snapshot| {
            let view = snapshot.view();
            let session = snapshot.session_of(id)?.map(|session| to_wire::session(&view, &session)).transpose()?;
            let closing = snapshot.closing(id)?.map(|closing| to_wire::closing(&closing));
            Ok(session.zip(closing))
        })
        .await?;
        let (session, closing) = found.ok_or_else(Error::internal_error)?;
        Ok(ClosedSession { session, closing })
    }

    pub(super) async fn sessions_list(&self, list: wire::ListSessions) -> Result<wire::SessionList> {
        let limit = usize::try_from(list.limit.unwrap_or(PAGE).clamp(1, LARGEST_PAGE)).unwrap_or(1);
        snapshot(&self.shared, move |snapshot| {
            let view = snapshot.view();
            let sessions = snapshot.session_list(limit)?;
            let sessions = sessions.iter().map(|session| to_wire::session(&view, session));
            Ok(wire::SessionList {
                sessions: sessions.collect::<std::result::Result<_, _>>()?,
                revision: snapshot.revision()?,
            })
        })
        .await
    }

    pub(super) async fn session_show(&self, one: wire::OneSession) -> Result<wire::SessionDetails> {
        let found = snapshot(&self.shared, move |snapshot| {
            let Some(session) = find(snapshot, one.session.as_deref())? else { return Ok(Err(one.session)) };
            let now = clock::now();
            let mut tasks = Vec::new();
            for id in session.items.iter().filter_map(|item| item.task) {
                tasks.extend(snapshot.task(id)?.map(|task| super::to_wire::task(&task, &now)));
            }
            let reports = within_frame(snapshot.told(Some(session.id), 0, LARGEST_PAGE as usize)?);
            let flags = snapshot.flags(session.id, FLAGS)?;
            Ok(Ok(wire::SessionDetails {
                session: to_wire::session(&snapshot.view(), &session)?,
                tasks,
                reports: reports.iter().map(to_wire::report).collect(),
                flags: flags.iter().map(to_wire::flag).collect(),
                closing: snapshot.closing(session.id)?.map(|closing| to_wire::closing(&closing)),
            }))
        })
        .await?;
        found.map_err(|wanted| unknown(wanted.as_deref()))
    }

    pub(super) async fn session_reports(&self, list: wire::ListReports) -> Result<wire::ReportList> {
        let limit = usize::try_from(list.limit.unwrap_or(REPORTS).clamp(1, LARGEST_PAGE)).unwrap_or(1);
        let found = snapshot(&self.shared, move |snapshot| {
            let of = match &list.session {
                None => None,
                Some(wanted) => match find(snapshot, Some(wanted))? {
                    Some(session) => Some(session.id),
                    None => return Ok(Err(list.session)),
                },
            };
            let reports = within_frame(snapshot.told(of, list.after.unwrap_or(0), limit)?);
            Ok(Ok(wire::ReportList { reports: reports.iter().map(to_wire::report).collect() }))
        })
        .await?;
        found.map_err(|wanted| unknown(wanted.as_deref()))
    }

    pub(super) async fn flag_answer(&self, answer: wire::AnswerFlag) -> Result<wire::AnsweredFlag> {
        let wire::AnswerFlag { flag, answer, pattern, hunks, confirm } = answer;
        let answer = match answer {
            wire::FlagAnswer::Extend => FlagAnswer::Extend,
            wire::FlagAnswer::Log => FlagAnswer::Log,
            wire::FlagAnswer::AllowOnce => FlagAnswer::AllowOnce,
            wire::FlagAnswer::RolledBack => FlagAnswer::RolledBack,
            wire::FlagAnswer::Refused => FlagAnswer::Refused,
        };
        let max_attempts = self.max_attempts();
        let answer = AnswerFlag { flag, answer, pattern, hunks, confirm, max_attempts };
        // Without hunks, what is taken out is all that is there now.
        match self.ask_settled(Command::AnswerFlag(answer.clone())).await {
            Ok(Answer::Flag(answered)) => {
                // What could not be taken out waits again.
                let id = answered.flag.id;
                let flag = snapshot(&self.shared, move |snapshot| snapshot.view().flag(id)).await?;
                let took_out = answered.took_out.map(|decided| changes::told_decided(decided, changes::REJECTED));
                Ok(wire::AnsweredFlag { flag: to_wire::flag(&flag.unwrap_or(answered.flag)), took_out })
            }
            Ok(_) => Err(Error::internal_error()),
            Err(error) => Err(self.with_taking_out(error, answer).await),
        }
    }

    pub(super) async fn run_scope(&self, request: wire::RequestScope) -> Result<Question> {
        let wire::RequestScope { paths, why } = request;
        question_of(self.ask(Command::RequestScope(ScopeRequest { paths, why })).await?)
    }

    pub(super) async fn plan_show(&self, _: Nothing) -> Result<wire::PlanView> {
        let settings = self.shared.runtime.settings();
        let (path, changelog) = (settings.text(SESSION_PLAN), settings.text(SESSION_CHANGELOG));
        snapshot(&self.shared, move |snapshot| to_wire::plan(&snapshot.view(), path, &changelog)).await
    }
}

/// The newest of these that fit into one answer; what is left out can be asked for by session.
fn within_frame(mut reports: Vec<KeptReport>) -> Vec<KeptReport> {
    let mut bytes = 0;
    let fits = reports.iter().rev().take_while(|report| {
        bytes += report.text.len() + report.data.len();
        bytes <= REPORT_BYTES
    });
    let left_out = reports.len() - fits.count().max(reports.len().min(1));
    reports.drain(..left_out);
    reports
}

fn draft(draft: wire::ScopeDraft) -> ScopeDraft {
    let wire::ScopeDraft { task, title, goal, estimate } = draft;
    ScopeDraft { task, title, goal, estimate }
}

/// One session by its id or its number; the newest where none is named.
pub(super) fn find(snapshot: &Snapshot<'_>, wanted: Option<&str>) -> std::result::Result<Option<Session>, StoreError> {
    let Some(wanted) = wanted.map(str::trim) else { return Ok(snapshot.session_list(1)?.into_iter().next()) };
    if let Some(id) = SessionId::read(wanted) {
        return snapshot.session_of(id);
    }
    match wanted.parse::<u32>() {
        Ok(number) => snapshot.session_numbered(number),
        Err(_) => Ok(None),
    }
}

pub(super) fn unknown(wanted: Option<&str>) -> Error {
    let message = match wanted {
        Some(wanted) => format!(
            "There is no session {}. `augment-cli session list` shows them.",
            quoted(&augment_core::text::shortened(wanted, 60))
        ),
        None => "There was no session yet. `augment-cli session start` begins one.".to_owned(),
    };
    no(REFUSED, "unknown-session", message)
}

/// What was told at the end of a session.
fn last_report(snapshot: &Snapshot<'_>, session: SessionId) -> std::result::Result<Option<KeptReport>, StoreError> {
    let newest = snapshot.told(Some(session), 0, LAST)?;
    Ok(newest.into_iter().rev().find(|report| report.level == Level::Comprehensive))
}
