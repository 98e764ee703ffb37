//! `session …`: the scope before the work, what is told of it, and the record at its end. While a person thinks about a
//! question no connection is held.

use augment_protocol::closing::{ClosedSession, Closing, CompleteSession, StepOutcome};
use augment_protocol::methods::{
    SessionAdjust, SessionCommit, SessionComplete, SessionConfirm, SessionContinue, SessionDetail, SessionEnd,
    SessionReports, SessionResume, SessionShown, SessionStart, SessionsList,
};
use augment_protocol::sessions::{
    AdjustScope, AnswerCheckpoint, AnswerFlag, CommitProposal, CommitSession, CommittedSession, ConfirmScope,
    EndSession, EndedSession, FlagAnswer, ListReports, ListSessions, OneSession, ScopeDraft, Session as WireSession,
    SessionState, SessionStatus, StartSession,
};
use augment_protocol::status::Nothing;
use serde_json::Value;

use super::changes::{Consent, Order, decide};
use super::reports::Reports;
use super::{Ended, Ending, Failure, Session, ask, lasting, now_ms};
use crate::args::{
    AdjustArgs, CompleteSessionArgs, EndSessionArgs, FlagArgs, ScopeArgs, SessionCommand, SessionReportArgs,
    StartSessionArgs,
};
use crate::client::{CallError, Client};
use crate::connect::Wish;
use crate::output::{Format, session as shown};

/// The most that the host gives in one page.
const PAGE: u32 = 1_000;
/// How many lines of a scope are read from a terminal.
const TYPED: usize = 64;

pub(super) async fn run(session: &mut Session, command: SessionCommand) -> Ended {
    match command {
        SessionCommand::Start(args) => start(session, args).await,
        SessionCommand::Confirm(args) => {
            let params = scope(args);
            let status = session.connect(Wish::OneShot).await?.call::<SessionConfirm>(params).await?;
            session.show(&status, shown::confirmed_anew)?;
            Ok(Ending::Done)
        }
        SessionCommand::Adjust(args) => {
            let status = session.connect(Wish::OneShot).await?.call::<SessionAdjust>(adjustment(args)).await?;
            session.show(&status, shown::status)?;
            Ok(Ending::Done)
        }
        SessionCommand::Status => {
            let status = session.connect(Wish::OneShot).await?.call::<SessionShown>(Nothing {}).await?;
            session.show(&status, shown::status)?;
            Ok(Ending::Done)
        }
        SessionCommand::Report(args) => report(session, args).await,
        SessionCommand::Checkpoint { go_on } => checkpoint(session, go_on).await,
        SessionCommand::End(args) => end(session, args).await,
        SessionCommand::Commit(args) => commit(session, args.session).await,
        SessionCommand::Complete(args) => complete(session, args).await,
        SessionCommand::Resume(args) => {
            let params = OneSession { session: args.session };
            let closed = session.connect(Wish::OneShot).await?.call::<SessionResume>(params).await?;
            tell_closed(session, &closed)
        }
        SessionCommand::List { limit } => {
            let list = session.connect(Wish::OneShot).await?.call::<SessionsList>(ListSessions { limit }).await?;
            let width = session.output.width();
            session.show(&list, |list| shown::list(list, now_ms(), width))?;
            Ok(Ending::Done)
        }
        SessionCommand::Show(args) => {
            let params = OneSession { session: args.session };
            let details = session.connect(Wish::OneShot).await?.call::<SessionDetail>(params).await?;
            session.show(&details, |details| shown::details(details, now_ms()))?;
            Ok(Ending::Done)
        }
        SessionCommand::Flag(args) => flag(session, args).await,
    }
}

async fn complete(session: &mut Session, args: CompleteSessionArgs) -> Ended {
    let artifacts = args.artifact.iter().map(|typed| session.typed_path(typed)).collect::<Result<Vec<_>, _>>()?;
    let params = CompleteSession {
        session: args.session,
        artifacts,
        deliver: args.deliver.map(|typed| session.typed_path(&typed)).transpose()?,
        learnings: args.learning,
        rating: args.rating,
        feedback: args.feedback,
        tags: args.tag,
    };
    let closed = session.connect(Wish::OneShot).await?.call::<SessionComplete>(params).await?;
    tell_closed(session, &closed)
}

/// The steps, and whether one of them failed.
fn tell_closed(session: &Session, closed: &ClosedSession) -> Ended {
    session.show(closed, |closed| shown::closed(closed, now_ms()))?;
    Ok(self::closed(Some(&closed.closing)))
}

/// Whether all of its steps went well.
fn closed(closing: Option<&Closing>) -> Ending {
    let failed = closing.is_some_and(|closing| closing.steps.iter().any(|step| step.outcome == StepOutcome::Failed));
    if failed { Ending::No } else { Ending::Done }
}

fn drafts(task: Vec<String>, title: Vec<String>) -> Vec<ScopeDraft> {
    let tasks = task.into_iter().map(|task| ScopeDraft { task: Some(task), ..ScopeDraft::default() });
    let titles = title.into_iter().map(|title| ScopeDraft { title: Some(title), ..ScopeDraft::default() });
    tasks.chain(titles).collect()
}

/// A task where it is written like an id, also where nothing has that id: a slip of the finger is no title.
fn named(typed: &str) -> ScopeDraft {
    let digits = typed.strip_prefix(|first: char| first.is_ascii_lowercase()).unwrap_or(typed);
    if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return ScopeDraft { task: Some(typed.to_owned()), ..ScopeDraft::default() };
    }
    ScopeDraft { title: Some(typed.to_owned()), ..ScopeDraft::default() }
}

fn scope(args: ScopeArgs) -> ConfirmScope {
    let items = drafts(args.task, args.title);
    let paths = (!args.path.is_empty()).then_some(args.path);
    ConfirmScope { session: None, items: (!items.is_empty()).then_some(items), paths }
}

fn adjustment(args: AdjustArgs) -> AdjustScope {
    AdjustScope {
        session: None,
        add: args.add.iter().map(|typed| named(typed)).collect(),
        remove: args.remove,
        log: args.log,
        paths: (!args.path.is_empty()).then_some(args.path),
        add_paths: args.add_path,
        ..AdjustScope::default()
    }
}

async fn start(session: &mut Session, args: StartSessionArgs) -> Ended {
    let wanted = scope(args.scope);
    let ends = match args.ends {
        Some(named) => Some(named),
        None if session.output.can_ask() => match begun_by_itself(session).await? {
            None => None,
            Some(begun) if ask::yes(session, &shown::ends(&begun)).await? => Some(begun.id),
            Some(begun) => {
                session.output.tell(&shown::goes_on(&begun));
                return Ok(Ending::No);
            }
        },
        None => None,
    };
    let mut client = session.connect(Wish::OneShot).await?;
    let mut status = client.call::<SessionStart>(StartSession { model: args.model, ends }).await?;
    if args.confirm {
        if session.output.format() == Format::Human {
            session.output.print(&shown::status(&status))?;
        }
        let is_other = wanted.items.is_some();
        let status = confirmed(&mut client, ConfirmScope { session: id_in(&status), ..wanted }).await?;
        session.show(&status, if is_other { shown::confirmed_anew } else { shown::confirmed })?;
        return Ok(Ending::Done);
    }
    if wanted != ConfirmScope::default() {
        status = client.call::<SessionAdjust>(instead(&status, wanted)).await?;
    }
    drop(client);
    if session.output.can_ask() {
        session.output.print(&shown::proposed(&status))?;
        return ask_for_scope(session, status).await;
    }
    session.show(&status, shown::status)?;
    Ok(Ending::Done)
}

/// The session under way, if nobody has started it: a new one ends it.
async fn begun_by_itself(session: &mut Session) -> Result<Option<WireSession>, Failure> {
    let status = session.connect(Wish::OneShot).await?.call::<SessionShown>(Nothing {}).await?;
    Ok(status.session.filter(|open| open.automatic.is_some()))
}

/// The session has begun by now; a scope that is refused leaves it planned, and that is told.
async fn confirmed(client: &mut Client, scope: ConfirmScope) -> Result<SessionStatus, Failure> {
    client.call::<SessionConfirm>(scope).await.map_err(|error| match Failure::from(error) {
        Failure::Told { code, message, data } => {
            // A scope that would be empty needs more than a yes, and that is said already.
            let next = if code == "empty-scope" { "session confirm --title TITLE" } else { "session confirm" };
            let message = format!("{message} The session is planned; go on with `augment-cli {next}`.");
            Failure::Told { code, message, data }
        }
        failure @ (Failure::Closed | Failure::Interrupted) => failure,
    })
}

/// What was named in place of what was proposed.
fn instead(status: &SessionStatus, wanted: ConfirmScope) -> AdjustScope {
    let proposed = status.session.iter().flat_map(|session| &session.items).map(|item| item.title.clone());
    let remove = if wanted.items.is_some() { proposed.collect() } else { Vec::new() };
    let (session, add) = (id_in(status), wanted.items.unwrap_or_default());
    AdjustScope { session, add, remove, paths: wanted.paths, ..AdjustScope::default() }
}

/// The session that was shown, for an order about it.
fn id_in(status: &SessionStatus) -> Option<String> {
    status.session.as_ref().map(|session| session.id.clone())
}

/// Asks until the person has confirmed the scope or left it.
async fn ask_for_scope(session: &mut Session, mut status: SessionStatus) -> Ended {
    loop {
        let answer = ask::line(session, "[y/n/edit]").await?.unwrap_or_default();
        if ask::is_yes(&answer) {
            let mut client = session.connect(Wish::OneShot).await?;
            let agreed = ConfirmScope { session: id_in(&status), ..ConfirmScope::default() };
            match client.call::<SessionConfirm>(agreed).await {
                Ok(status) => {
                    session.show(&status, shown::confirmed)?;
                    return Ok(Ending::Done);
                }
                Err(error) => tell(session, error.into())?,
            }
        } else if answer.eq_ignore_ascii_case("e") || answer.eq_ignore_ascii_case("edit") {
            let typed = typed_scope(session).await?;
            let mut client = session.connect(Wish::OneShot).await?;
            match client.call::<SessionAdjust>(instead(&status, typed)).await {
                Ok(adjusted) => {
                    status = adjusted;
                    session.output.print(&shown::proposed(&status))?;
                }
                Err(error) => tell(session, error.into())?,
            }
        } else {
            let how = status.session.as_ref().map_or("augment-cli session status", shown::how_to_confirm);
            session.output.tell(&format!("Nothing begins before the scope is confirmed: {how}"));
            return Ok(Ending::Done);
        }
    }
}

/// A refusal in the middle of a conversation is told, and the question comes again.
fn tell(session: &Session, failure: Failure) -> Result<(), Failure> {
    match failure {
        Failure::Told { code, message, data } => {
            session.output.error(&code, &message, data.as_ref());
            Ok(())
        }
        failure @ (Failure::Closed | Failure::Interrupted) => Err(failure),
    }
}

/// The scope as a person types it, a thing a line.
async fn typed_scope(session: &Session) -> Result<ConfirmScope, Failure> {
    session.output.tell(
        "One thing a line: a task's id or a title. `path: src/**` names where it may write. An empty line ends it.",
    );
    let (mut items, mut paths) = (Vec::new(), Vec::new());
    while items.len() + paths.len() < TYPED {
        let Some(line) = ask::line(session, ">").await?.filter(|line| !line.is_empty()) else { break };
        match line.strip_prefix("path:") {
            Some(path) => paths.push(path.trim().to_owned()),
            None => items.push(named(&line)),
        }
    }
    let (items, paths) = ((!items.is_empty()).then_some(items), (!paths.is_empty()).then_some(paths));
    Ok(ConfirmScope { session: None, items, paths })
}

async fn report(session: &mut Session, args: SessionReportArgs) -> Ended {
    let wish = if args.follow { Wish::Lasting } else { Wish::OneShot };
    let mut client = session.connect(wish).await?;
    // Before the reports are asked for, so that none falls between.
    let reports = Reports::from_now(&mut client).await?;
    let limit = if args.all { PAGE } else { 1 };
    let params = ListReports { session: args.session, limit: Some(limit), after: None };
    let list = client.call::<SessionReports>(params).await?;
    if args.follow {
        for report in &list.reports {
            match session.output.format() {
                Format::Json => session.output.json(&serde_json::json!({ "report": report }))?,
                Format::Human => session.output.print(&shown::report(report))?,
            }
        }
        return lasting::until_left(follow(session, &mut client, reports)).await;
    }
    session.show(&list, shown::reports)?;
    Ok(Ending::Done)
}

async fn follow(session: &Session, client: &mut Client, mut reports: Reports) -> Ended {
    loop {
        reports.print_fresh(session, client, |_| true).await?;
        client.next_moved().await?;
    }
}

async fn checkpoint(session: &mut Session, go_on: bool) -> Ended {
    let mut client = session.connect(Wish::OneShot).await?;
    let status = if go_on {
        client.call::<SessionContinue>(AnswerCheckpoint::default()).await?
    } else {
        client.call::<SessionShown>(Nothing {}).await?
    };
    session.show(&status, shown::status)?;
    Ok(Ending::Done)
}

async fn end(session: &mut Session, args: EndSessionArgs) -> Ended {
    let params = EndSession { session: None, title: args.title, decisions: args.decision };
    let mut client = session.connect(Wish::OneShot).await?;
    let ended = client.call::<SessionEnd>(params).await?;
    let proposal = ended.commit.as_ref();
    if session.output.format() == Format::Human {
        session.output.print(&shown::ended(&ended))?;
    }
    let id = &ended.session.id;
    let committed = match proposal.filter(|proposal| proposal.problem.is_none()) {
        // Where none is proposed, the answer says why.
        _ if args.commit && (proposal.is_some() || !ended.documents.is_empty()) => {
            Some(client.call::<SessionCommit>(commit_of(id, None)).await)
        }
        Some(proposal) if !args.commit && !args.no_commit && session.output.can_ask() => {
            drop(client);
            committed_on_yes(session, id, proposal).await?
        }
        Some(_) | None => None,
    };
    tell_end(session, &ended, args.no_commit, committed)
}

fn commit_of(id: &str, confirm: Option<String>) -> CommitSession {
    CommitSession { session: id.to_owned(), confirm, as_ended: None }
}

/// Asks about the commit that is shown, and again where a document has changed while the person thought.
async fn committed_on_yes(
    session: &mut Session,
    id: &str,
    proposal: &CommitProposal,
) -> Result<Option<Result<CommittedSession, CallError>>, Failure> {
    let mut confirm = proposal.confirm.clone();
    while ask::yes(session, "Commit?").await? {
        let mut client = session.connect(Wish::OneShot).await?;
        let made = client.call::<SessionCommit>(commit_of(id, Some(confirm))).await;
        let fresh = match &made {
            Err(CallError::Refused { data, .. }) => proposal_in(data.as_ref()),
            Ok(_) | Err(_) => None,
        };
        match (fresh, made) {
            (Some(fresh), Err(error)) => {
                tell(session, error.into())?;
                confirm = fresh.confirm;
            }
            (_, made) => return Ok(Some(made)),
        }
    }
    Ok(None)
}

/// What would be committed now, as a refusal tells it.
fn proposal_in(data: Option<&Value>) -> Option<CommitProposal> {
    serde_json::from_value(data?.get("commit")?.clone()).ok()
}

/// The record is written whatever becomes of the commit, so that is told apart.
fn tell_end(
    session: &Session,
    ended: &EndedSession,
    declined: bool,
    committed: Option<Result<CommittedSession, CallError>>,
) -> Ended {
    let (made, failure) = match committed {
        Some(Ok(made)) => (Some(made), None),
        Some(Err(error)) => (None, Some(Failure::from(error))),
        None => (None, None),
    };
    match session.output.format() {
        Format::Json => {
            let mut document = serde_json::to_value(ended).unwrap_or_default();
            document["committed"] = serde_json::to_value(&made).unwrap_or_default();
            session.output.json(&document)?;
        }
        Format::Human => match (&made, &ended.commit) {
            (Some(made), _) => session.output.print(&shown::committed(made))?,
            (None, Some(proposal)) if failure.is_none() && !declined => {
                session.output.tell(&shown::not_committed(ended, proposal));
            }
            (None, Some(_) | None) => {}
        },
    }
    match failure {
        Some(failure) => Err(failure),
        None => Ok(closed(ended.closing.as_ref())),
    }
}

async fn commit(session: &mut Session, which: Option<String>) -> Ended {
    let mut client = session.connect(Wish::OneShot).await?;
    let which = match which {
        Some(which) => which,
        None => newest_ended(&mut client).await?,
    };
    let committed = client.call::<SessionCommit>(commit_of(&which, None)).await?;
    session.show(&committed, shown::committed)?;
    Ok(Ending::Done)
}

/// The last session that has a record. One that is under way has none yet.
async fn newest_ended(client: &mut Client) -> Result<String, Failure> {
    let list = client.call::<SessionsList>(ListSessions { limit: None }).await?;
    let ended = list.sessions.into_iter().find(|session| session.state == SessionState::Ended);
    ended.map(|session| session.id).ok_or_else(|| {
        Failure::told("unknown-session", "No session has ended yet. `augment-cli session end` ends the one under way.")
    })
}

async fn flag(session: &mut Session, args: FlagArgs) -> Ended {
    let (answer, pattern) = match (args.extend, args.log) {
        (Some(pattern), _) => (FlagAnswer::Extend, Some(pattern).filter(|pattern| !pattern.is_empty())),
        (None, true) => (FlagAnswer::Log, None),
        (None, false) => (FlagAnswer::AllowOnce, None),
    };
    // Without hunks it is what is there now; where that asks, it is shown, and the yes is to that.
    let order = Order::Flag(AnswerFlag { flag: args.flag, answer, pattern, hunks: None, confirm: None });
    decide(session, order, if args.yes { Consent::Given } else { Consent::Asked }).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_like_an_id_is_a_task_and_anything_else_a_title() {
        let ids = ["b12", "12", "b1", "z7"];
        for (typed, is_task) in
            ids.map(|id| (id, true)).into_iter().chain(["Fix b12", "refactor", "b"].map(|t| (t, false)))
        {
            let draft = named(typed);
            assert_eq!((draft.task.is_some(), draft.title.is_none()), (is_task, is_task), "{typed}");
        }
    }
}
