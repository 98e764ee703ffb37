//! The end: what was done is told in full, and the project's documents are to say it. A session that nobody ends is ended
//! by silence, by the closing of its window, or by the next start; its record is the same. The documents are written after
//! this turn, and what came of that ends the session; a process that is killed in between leaves it ending, and the next
//! one goes on from there.

use super::scope::open;
use super::standing::waiting_words;
use super::telling::{checkpoint_of, decisions, note, sentence, sprint_review, task_reports, told, touched_by};
use super::{
    FLAGS, Governance, Item, Level, Moment, Session, SessionId, SessionState, WaitingFlag, flags_to_answer, moved,
};
use crate::actor::Actor;
use crate::closing;
use crate::completion::report_in;
use crate::document::{NewDiscovered, NewEntry, PlanEdit};
use crate::ledger::{Data, Event, Topic};
use crate::queue::{check_text, check_title, look};
use crate::refusal::Refusal;
use crate::report::{SessionEnd, TaskEnd, standard_commit_message};
use crate::review::PendingOf;
use crate::scan::masked;
use crate::session::SessionRefusal;
use crate::task::{Priority, TITLE_LIMIT};
use crate::text::{Lines, shortened};
use crate::time::Now;
use crate::turn::{Answer, Effect, Stop, Turn};
use crate::view::View;

/// How many decisions a person may name at the end.
const DECISIONS_LIMIT: usize = 50;
const FILES: usize = 200;
/// How many of its tasks' reports the last report repeats, the newest.
const REPORTS: usize = 50;

/// What the project's documents are to say of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    pub entry: NewEntry,
    pub edit: PlanEdit,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WriteDocuments {
    pub session: SessionId,
    pub record: Record,
    /// Whether a changelog is made where there is none.
    pub makes_changelog: bool,
}

/// What came of writing them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentsWritten {
    pub session: SessionId,
    /// In words, a line for each document.
    pub lines: Vec<String>,
    /// The documents that were changed, by path.
    pub changed: Vec<String>,
    /// What was left alone, with the line.
    pub left_alone: Vec<String>,
    /// The changelog and the plan where they were changed, by path.
    pub changelog: Option<String>,
    pub plan: Option<String>,
}

/// A person ends the session.
pub(crate) fn end<V: View>(
    view: &V,
    actor: &Actor,
    wanted: Option<&str>,
    title: Option<&str>,
    said: &[String],
    now: &Now,
) -> Result<Turn, Stop<V::Error>> {
    let mut session = open(view, wanted)?;
    if session.state == SessionState::Ending {
        return Err(SessionRefusal::SessionEnding { session: session.number }.into());
    }
    let runs = look(view.active_runs(16))?;
    if !runs.is_empty() {
        return Err(SessionRefusal::RunsAtWork { session: session.number, runs }.into());
    }
    session.title = match title {
        Some(title) => Some(check_title(&masked(title))?),
        None => None,
    };
    if said.len() > DECISIONS_LIMIT {
        return Err(Refusal::TooMany { field: "decisions", count: said.len(), limit: DECISIONS_LIMIT }.into());
    }
    for decision in said {
        check_text("decision", decision, Lines::One, TITLE_LIMIT * 5)?;
    }
    session.decisions = said.iter().map(|decision| masked(decision).into_owned()).collect();
    let (session, effects) = look(ending(view, session, actor, None, now))?;
    Ok(Turn::done(Answer::Session(Box::new(session)), effects))
}

/// Ends a session that nobody works on any more, for a reason.
pub(crate) fn leave<V: View>(view: &V, reason: &str, now: &Now) -> Result<Turn, V::Error> {
    let open = view.session()?.filter(|session| session.state != SessionState::Ending);
    let Some(session) = open else { return Ok(Turn::done(Answer::Noted, Vec::new())) };
    if !view.active_runs(1)?.is_empty() {
        return Ok(Turn::done(Answer::Noted, Vec::new()));
    }
    let (_, effects) = ending(view, session, &Actor::Host, Some(reason), now)?;
    Ok(Turn::done(Answer::Noted, effects))
}

/// Ends the session if nothing has happened in it for too long.
pub(crate) fn due<V: View>(view: &V, now: &Now) -> Result<Vec<Effect>, V::Error> {
    let Some(session) = view.session()? else { return Ok(Vec::new()) };
    let silence_ms = view.session_policy()?.silence_ms;
    if session.last_work.age_ms(now) < silence_ms || session.state == SessionState::Ending {
        return Ok(Vec::new());
    }
    // A run that only thinks is no silence.
    if !view.active_runs(1)?.is_empty() {
        let session = Session { last_work: Moment::of(now), ..session };
        return Ok(vec![Effect::PutSession(Box::new(session))]);
    }
    let minutes = silence_ms / 60_000;
    Ok(leave(view, &format!("nothing happened for {minutes} minutes"), now)?.effects)
}

/// What a killed process left to be written is written now.
pub(crate) fn restart<V: View>(view: &V, now: &Now) -> Result<Turn, V::Error> {
    let mut effects = Vec::new();
    if let Some(session) = view.session()?.filter(|session| session.state == SessionState::Ending) {
        effects.push(documents(view, &session, now)?);
    }
    effects.extend(closing::take_up(view, now)?);
    Ok(Turn::done(Answer::Noted, effects))
}

fn ending<V: View>(
    view: &V,
    mut session: Session,
    actor: &Actor,
    reason: Option<&str>,
    now: &Now,
) -> Result<(Session, Vec<Effect>), V::Error> {
    session.end_reason = reason.map(str::to_owned);
    session.ended = Some(now.wall);
    for item in &mut session.items {
        if let Some(id) = item.task {
            item.attempt = view.task(id)?.map(|task| task.attempt);
        }
    }
    let data = Data::map([("reason", reason.into())]);
    if !session.has_worked() && flags_to_answer(view, session.id, FLAGS)?.is_empty() {
        let (session, event) = moved(session, SessionState::Abandoned, actor, "session.abandoned", data);
        return Ok((session.clone(), vec![event, Effect::PutSession(Box::new(session))]));
    }
    let (session, event) = moved(session, SessionState::Ending, actor, "session.ending", data);
    let write = documents(view, &session, now)?;
    Ok((session.clone(), vec![event, Effect::PutSession(Box::new(session)), write]))
}

fn documents<V: View>(view: &V, session: &Session, now: &Now) -> Result<Effect, V::Error> {
    let governance = view.governance()?;
    let makes_changelog = session.end_reason.is_none() || governance.plan.is_some() || governance.changelog.is_some();
    let record = record(view, session, &governance, now)?;
    Ok(Effect::WriteDocuments(Box::new(WriteDocuments { session: session.id, record, makes_changelog })))
}

/// How long the session took, in whole minutes and at least one.
pub(crate) fn minutes(session: &Session, now: &Now) -> u32 {
    let until = match &session.end_reason {
        // Silence at its end is not work.
        Some(_) => session.last_work.wall,
        None => session.ended.unwrap_or(now.wall),
    };
    let ms = until.0.saturating_sub(session.started.0).max(0);
    u32::try_from((ms + 30_000) / 60_000).unwrap_or(u32::MAX).max(1)
}

fn agents(session: &Session) -> String {
    match (&session.model, &session.agents[..]) {
        (_, []) => "by hand".to_owned(),
        (Some(model), agents) => format!("{} ({model})", agents.join(", ")),
        (None, agents) => agents.join(", "),
    }
}

fn is_completed(item: &Item) -> bool {
    item.end == Some(TaskEnd::Completed)
}

/// What the entry is called, where the person does not say.
pub(crate) fn entry_title(session: &Session) -> String {
    let done: Vec<&str> =
        session.items.iter().filter(|item| is_completed(item)).map(|item| item.title.as_str()).collect();
    let named = match &done[..] {
        [] => "Nothing completed".to_owned(),
        [one] => (*one).to_owned(),
        [one, two] => format!("{one} + {two}"),
        [one, two, rest @ ..] => format!("{one} + {two} + {} more", rest.len()),
    };
    shortened(&masked(&named), 120).into_owned()
}

/// Why something is not done: how it ended, and what was said of that.
struct WhyNot {
    end: Option<TaskEnd>,
    said: Option<String>,
    /// Why work on it that had begun in the session came to no end.
    broke_off: Option<String>,
}

impl WhyNot {
    fn of<V: View>(view: &V, session: &Session, item: &Item) -> Result<Self, V::Error> {
        let task = match item.task {
            Some(id) => view.task(id)?,
            None => None,
        };
        let run = match task.as_ref().filter(|task| item.end.is_none() && task.attempt > 0) {
            Some(task) => view.run(item.run_of(task))?.filter(|run| run.started >= session.started),
            None => None,
        };
        // What somebody said of it in a later session is not about this one.
        let result = match task {
            Some(task) if item.run_of(&task) == task.run() => task.result,
            Some(task) => view.report(item.run_of(&task))?.as_deref().and_then(report_in).map(|report| report.summary),
            None => None,
        };
        let said = result.map(|result| {
            let line = masked(&result).split_whitespace().collect::<Vec<_>>().join(" ");
            shortened(&line, 200).into_owned()
        });
        Ok(Self { end: item.end, said, broke_off: run.map(|run| run.standing.why.to_string()) })
    }

    fn words(&self) -> String {
        match (self.end, &self.said) {
            // What its agent said of it is what was not accepted.
            (Some(TaskEnd::Rejected), _) => "rejected in review".to_owned(),
            (Some(end), Some(said)) => format!("{}: {said}", end.word()),
            (Some(end), None) => end.word().to_owned(),
            (None, _) => match &self.broke_off {
                Some(why) => format!("begun, not finished: {why}"),
                None => "not begun".to_owned(),
            },
        }
    }

    /// For the plan's own list of what is blocked, which need not be told that.
    fn under_blocked(&self) -> String {
        match (self.end, &self.said) {
            (Some(TaskEnd::Blocked), Some(said)) => said.clone(),
            (_, _) => self.words(),
        }
    }
}

/// The same in words.
pub(crate) fn why_not<V: View>(view: &V, session: &Session, item: &Item) -> Result<String, V::Error> {
    Ok(WhyNot::of(view, session, item)?.words())
}

/// As plans write it.
pub(crate) fn priority_word(priority: Priority) -> &'static str {
    match priority {
        Priority::High => "High",
        Priority::Medium => "Medium",
        Priority::Low => "Low",
    }
}

/// The entry and the marks for the documents.
fn record<V: View>(view: &V, session: &Session, governance: &Governance, now: &Now) -> Result<Record, V::Error> {
    let (mut done, mut not_done) = (Vec::new(), Vec::new());
    let (mut complete, mut in_progress, mut blocked) = (Vec::new(), Vec::new(), Vec::new());
    for item in &session.items {
        let is_planned = governance.goal_of(&item.title).is_some();
        if is_completed(item) {
            let title = masked(&item.title);
            done.push(match note(view, session, item)? {
                None => title.into_owned(),
                Some(note) => format!("{title} ({note})"),
            });
            complete.extend(is_planned.then(|| item.title.clone()));
            continue;
        }
        let why = WhyNot::of(view, session, item)?;
        not_done.push(format!("{} ({})", masked(&item.title), why.words()));
        match item.end {
            Some(TaskEnd::Blocked | TaskEnd::Failed) if is_planned => {
                blocked.push((item.title.clone(), why.under_blocked()));
            }
            Some(TaskEnd::Partial) if is_planned => in_progress.push(item.title.clone()),
            Some(_) | None => {}
        }
    }
    let (scope, progress) = (session.scope_progress(), session.progress());
    let mut goal = Vec::new();
    if let Some(sprint) = &session.sprint_goal {
        let reached = if progress.total > 0 && progress.is_complete() { "COMPLETE " } else { "" };
        let fraction = format!("{}/{}", progress.done, progress.total);
        goal.push(match reached {
            "" => format!("Sprint goal: \"{sprint}\" — {fraction} done"),
            reached => format!("Sprint goal: \"{sprint}\" — {reached}({fraction})"),
        });
    }
    if let Some(phase) = session.phase.as_ref().filter(|_| progress.total > 0) {
        goal.push(format!("{phase}: {} {}%", progress.bar(), progress.percent()));
    }
    let entry = NewEntry {
        session: session.number,
        date: governance.today.clone(),
        title: session.title.clone().unwrap_or_else(|| entry_title(session)),
        phase: session.phase.clone(),
        agent: agents(session),
        model: session.model.clone(),
        minutes: minutes(session, now),
        completed: (scope.done, scope.total),
        done,
        not_done,
        decisions: decisions(view, session)?,
        discovered: session.discovered.clone(),
        goal,
    };
    let mut discovered = Vec::new();
    for title in &session.discovered {
        let task = match view.open_task_titled(title)? {
            Some(id) => view.task(id)?,
            None => None,
        };
        let priority = task.map_or(Priority::Medium, |task| task.priority);
        discovered.push(NewDiscovered { title: title.clone(), priority: priority_word(priority).to_owned() });
    }
    let edit = PlanEdit {
        complete,
        in_progress,
        blocked,
        discovered,
        today: governance.today.clone(),
        session: session.number,
    };
    Ok(Record { entry, edit })
}

/// Somebody else's session has got the number of this one meanwhile, so its record has another.
pub(crate) fn renumbered<V: View>(view: &V, session: SessionId, number: u32) -> Result<Vec<Effect>, V::Error> {
    let is_meant = |open: &Session| open.id == session && open.number != number;
    let Some(mut session) = view.session()?.filter(is_meant) else { return Ok(Vec::new()) };
    let data = Data::map([("from", session.number.into()), ("to", number.into())]);
    session.number = number;
    let event = super::event(&Actor::Host, "session.renumbered", &session, data);
    Ok(vec![event, Effect::PutSession(Box::new(session))])
}

/// The documents are written, or could not be: the session is over, and all of it is told.
pub(crate) fn written<V: View>(view: &V, written: &DocumentsWritten, now: &Now) -> Result<Turn, V::Error> {
    let is_meant = |session: &Session| session.id == written.session && session.state == SessionState::Ending;
    let Some(session) = view.session()?.filter(is_meant) else {
        return Ok(Turn::done(Answer::Noted, Vec::new()));
    };
    let governance = view.governance()?;
    let report = end_report(view, &session, &governance, written, now)?;
    let data = Data::map([
        ("documents", written.lines.clone().into()),
        ("changed", written.changed.clone().into()),
        ("leftAlone", written.left_alone.clone().into()),
        ("reason", session.end_reason.clone().into()),
    ]);
    let mut session = session;
    session.documents.clone_from(&written.changed);
    let (session, event) = moved(session, SessionState::Ended, &Actor::Host, "session.ended", data);
    let mut effects = vec![event];
    effects.extend(told(&session, Level::Comprehensive, None, now.wall, &report));
    effects.push(Effect::PutSession(Box::new(session.clone())));
    effects.extend(closing::begin(view, &session, now)?);
    Ok(Turn::done(Answer::Session(Box::new(session)), effects))
}

/// What a person should know besides: what was left alone, and what still waits for an answer.
fn notes<V: View>(view: &V, session: &Session, written: &DocumentsWritten) -> Result<Vec<String>, V::Error> {
    let mut notes = written.left_alone.clone();
    let waiting = flags_to_answer(view, session.id, FILES)?;
    let pending = view.pending_files(&PendingOf::All, FILES)?;
    if !pending.is_empty() {
        let (count, hold) = if pending.len() == 1 {
            ("1 file".to_owned(), "holds")
        } else {
            (format!("{} files", pending.len()), "hold")
        };
        notes.push(format!("{count} {hold} changes that wait for your decision: `augment-cli changes list`."));
    }
    for item in session.items.iter().filter(|item| is_completed(item)) {
        let Some(task) = item.task else { continue };
        if let Some(waits) = waiting_words(view, task)? {
            let title = masked(&item.title);
            notes.push(format!("{title} is told as completed, and {waits}. A no to that will not change this record."));
        }
    }
    notes.extend(
        waiting.iter().map(|WaitingFlag { flag, .. }| format!("{} waits for an answer: {}", flag.id, flag.message())),
    );
    Ok(notes)
}

/// The standard message for the commit of the documents.
fn commit_message(session: &Session, written: &DocumentsWritten) -> String {
    let reached = if session.goal_told { ", sprint goal completion" } else { "" };
    let mut documents = Vec::new();
    if let Some(path) = &written.changelog {
        documents.push((path.clone(), format!("session {:03} summary{reached}", session.number)));
    }
    if let Some(path) = &written.plan {
        let progress = session.progress();
        let phase = session.phase.as_ref().map(|phase| format!(", {phase} at {}%", progress.percent()));
        let marked = format!("{}/{} tasks marked complete", progress.done, progress.total);
        documents.push((path.clone(), format!("{marked}{}", phase.unwrap_or_default())));
    }
    standard_commit_message(session.number, &documents)
}

fn end_report<V: View>(
    view: &V,
    session: &Session,
    governance: &Governance,
    written: &DocumentsWritten,
    now: &Now,
) -> Result<SessionEnd, V::Error> {
    let mut files: Vec<String> = Vec::new();
    for id in session.items.iter().filter_map(|item| item.task) {
        for (path, _) in touched_by(view, session, id, FILES)? {
            let path = path.to_text();
            if files.len() < FILES && !files.contains(&path) {
                files.push(path);
            }
        }
    }
    let mut not_done = Vec::new();
    for item in session.items.iter().filter(|item| !is_completed(item)) {
        not_done.push((masked(&item.title).into_owned(), WhyNot::of(view, session, item)?.words()));
    }
    let mut reports = task_reports(view, session, governance, &[], None)?;
    let left_out = reports.len().saturating_sub(REPORTS);
    reports.drain(..left_out);
    let mut notes = notes(view, session, written)?;
    if left_out > 0 {
        notes.push(format!("Reports of {left_out} more tasks: `augment-cli session report --all`."));
    }
    let message = (!written.changed.is_empty()).then(|| commit_message(session, written));
    let has_plan = session.before.total > 0;
    Ok(SessionEnd {
        session: session.number,
        date: governance.today.clone(),
        minutes: minutes(session, now),
        agents: session.agents.clone(),
        tasks: reports,
        scope: session.scope_progress(),
        review: if session.goal_told { Some(sprint_review(view, session, governance)?) } else { None },
        checkpoint: checkpoint_of(view, session)?,
        files,
        not_done,
        decisions: decisions(view, session)?,
        discovered: session.discovered.clone(),
        before: if has_plan {
            session.before
        } else {
            crate::report::Progress { done: 0, total: session.scope_progress().total }
        },
        after: if has_plan { session.progress() } else { session.scope_progress() },
        phase: session.phase.clone(),
        sprint_goal: session.sprint_goal.clone(),
        documents: written.lines.clone(),
        commit_message: message,
        automatic: session.end_reason.as_deref().map(sentence),
        notes,
    })
}

/// A person had the documents committed.
pub(crate) fn committed<V: View>(
    view: &V,
    actor: &Actor,
    session: SessionId,
    commit: &str,
    now: &Now,
) -> Result<Turn, Stop<V::Error>> {
    let event = Event {
        actor: actor.clone(),
        kind: "session.committed",
        subject: Topic::Session(session),
        about: Vec::new(),
        data: Data::map([("commit", commit.into())]),
    };
    let mut effects = vec![Effect::Record(event)];
    effects.extend(look(closing::committed(view, session, now))?);
    Ok(Turn::done(Answer::Noted, effects))
}
