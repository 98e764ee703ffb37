//! The scope: what a person confirms and adjusts. Things of the plan become tasks of the queue when it is confirmed, so that
//! whatever works on the queue works on the scope.

use super::flag::settle_covered;
use super::{Governance, ITEMS_LIMIT, Item, PATHS_LIMIT, Session, SessionId, SessionState, event, moved};
use crate::actor::Actor;
use crate::file::{BadPath, FilePath};
use crate::glob::Glob;
use crate::ledger::Data;
use crate::queue::{self, TaskDraft, check_optional, check_scope, check_title, look};
use crate::refusal::Refusal;
use crate::session::SessionRefusal;
use crate::task::{NAME_LIMIT, Status, TITLE_LIMIT, Task};
use crate::time::Now;
use crate::turn::{Answer, Effect, Stop, Turn};
use crate::view::View;

/// A thing as a person names it: a task of the queue, one of the plan by its title, or new.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ScopeDraft {
    pub task: Option<String>,
    pub title: Option<String>,
    pub goal: Option<String>,
    pub estimate: Option<String>,
}

/// Which checkpoint a person had before them when they gave a direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SeenCheckpoint {
    /// It was not said, so whichever waits is answered.
    #[default]
    Any,
    None,
    Number(u32),
}

impl SeenCheckpoint {
    /// A direction answers no checkpoint that nobody has seen. One that was answered meanwhile is in nobody's way.
    fn must_hold(self, session: &Session) -> Result<(), SessionRefusal> {
        let (session, now) = match session.state {
            SessionState::Checkpoint => (session.number, session.checkpoints),
            SessionState::Planned
            | SessionState::Confirmed
            | SessionState::Working
            | SessionState::Ending
            | SessionState::Ended
            | SessionState::Abandoned => return Ok(()),
        };
        match self {
            Self::None => Err(SessionRefusal::OtherCheckpoint { session, wanted: None, now }),
            Self::Number(wanted) if wanted != now => {
                Err(SessionRefusal::OtherCheckpoint { session, wanted: Some(wanted), now })
            }
            Self::Any | Self::Number(_) => Ok(()),
        }
    }
}

/// What is to be different in a scope.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Scope {
    /// Whose scope it is; that of the session under way where none is named.
    pub session: Option<String>,
    pub add: Vec<ScopeDraft>,
    pub remove: Vec<String>,
    pub log: Vec<String>,
    pub paths: Option<Vec<String>>,
    pub add_paths: Vec<String>,
    pub seen: SeenCheckpoint,
    /// The paths that a person had before them, where they gave others.
    pub shown_paths: Option<Vec<String>>,
    /// For tasks that are made of it.
    pub max_attempts: u32,
}

/// Whether a path lies within patterns. No patterns cover everything.
pub(super) fn covers(patterns: &[String], path: &FilePath) -> bool {
    patterns.is_empty() || patterns.iter().any(|pattern| Glob::new(pattern).matches(path))
}

/// The session under way, if it is the one that is meant: what was shown may be over, and another one begun.
pub(super) fn open<V: View>(view: &V, wanted: Option<&str>) -> Result<Session, Stop<V::Error>> {
    let open = look(view.session())?;
    let Some(wanted) = wanted else { return Ok(open.ok_or(SessionRefusal::NoSession)?) };
    let meant = SessionId::read(wanted);
    let is_meant = |session: &Session| meant == Some(session.id) || wanted.trim().parse() == Ok(session.number);
    match open {
        Some(session) if is_meant(&session) => Ok(session),
        open => {
            let over = meant.map(|id| look(view.session_of(id))).transpose()?.flatten();
            let (over, now) = (over.map(|session| session.number), open.map(|session| session.number));
            Err(SessionRefusal::OtherSession { wanted: wanted.to_owned(), over, now }.into())
        }
    }
}

/// Patterns for a scope. One that leads out of the workspace would cover nothing, and so shut everything out.
fn check_paths(patterns: &[String]) -> Result<Vec<String>, Refusal> {
    let patterns = check_scope(patterns)?;
    match patterns.iter().find(|pattern| pattern.split('/').any(|part| part == "..")) {
        Some(path) => Err(Refusal::BadPath { path: path.clone(), problem: BadPath::Steps }),
        None => Ok(patterns),
    }
}

/// The pattern that is this file alone: a name without a slash would be any file of that name.
pub(super) fn exactly(path: &FilePath) -> String {
    let text = path.to_text();
    if text.contains('/') { text } else { format!("/{text}") }
}

/// The yes to a scope: the proposed one, or another.
pub(crate) fn confirm<V: View>(
    view: &V,
    actor: &Actor,
    wanted: Option<&str>,
    items: Option<&[ScopeDraft]>,
    paths: Option<&[String]>,
    max_attempts: u32,
    now: &Now,
) -> Result<Turn, Stop<V::Error>> {
    let mut session = open(view, wanted)?;
    if session.state != SessionState::Planned {
        return Err(SessionRefusal::AlreadyConfirmed { session: session.number }.into());
    }
    let governance = look(view.governance())?;
    if let Some(drafts) = items {
        // What has ended meanwhile is done, whatever the scope is.
        session.items.retain(|item| item.end.is_some());
        for draft in drafts {
            add(view, &governance, &mut session, draft)?;
        }
    }
    if let Some(paths) = paths {
        session.paths = check_paths(paths)?;
    }
    if session.items.iter().all(|item| item.end.is_some()) {
        return Err(SessionRefusal::EmptyScope { session: session.number }.into());
    }
    let mut effects = Vec::new();
    make_tasks(view, actor, &mut session, &mut effects, max_attempts, now)?;
    session.confirmed = Some(now.wall);
    session.streak = 0;
    let data = scope_data(&session);
    let (session, told) = moved(session, SessionState::Confirmed, actor, "session.confirmed", data);
    effects.insert(0, told);
    effects.push(Effect::PutSession(Box::new(session.clone())));
    Ok(Turn::done(Answer::Session(Box::new(session)), effects))
}

fn scope_data(session: &Session) -> Data {
    let tasks: Vec<String> = session.items.iter().filter_map(|item| item.task).map(|task| task.to_string()).collect();
    Data::map([
        ("scope", session.items.iter().map(|item| item.title.clone()).collect::<Vec<_>>().into()),
        ("goals", session.items.iter().map(|item| item.goal.clone()).collect::<Vec<_>>().into()),
        ("tasks", tasks.into()),
        ("paths", session.paths.clone().into()),
    ])
}

fn add<V: View>(
    view: &V,
    governance: &Governance,
    session: &mut Session,
    draft: &ScopeDraft,
) -> Result<(), Stop<V::Error>> {
    let goal = check_optional("goal", draft.goal.as_deref(), TITLE_LIMIT)?;
    let estimate = check_optional("estimate", draft.estimate.as_deref(), NAME_LIMIT)?;
    let task = match (&draft.task, &draft.title) {
        (Some(wanted), _) => Some(queue::find(view, wanted)?),
        (None, Some(title)) => {
            let title = check_title(title)?;
            match look(view.open_task_titled(&title))? {
                Some(id) => look(view.task(id))?,
                None => None,
            }
        }
        (None, None) => return Err(SessionRefusal::EmptyScope { session: session.number }.into()),
    };
    if let Some(task) = task.as_ref().filter(|task| task.status.is_ended()) {
        let next =
            if task.status == Status::Completed { "Add a new task for what is left to do." } else { "Retry it first." };
        return Err(
            Refusal::WrongStatus { task: task.id, status: task.status, action: "put into a scope", next }.into()
        );
    }
    let title = match (&task, &draft.title) {
        (Some(task), _) => task.title.clone(),
        (None, title) => check_title(title.as_deref().unwrap_or_default())?,
    };
    session.discovered.retain(|noted| *noted != title);
    let mut item = governance.item(&title);
    item.task = task.as_ref().map(|task| task.id);
    item.goal = goal.or_else(|| task.and_then(|task| task.goal)).or(item.goal);
    item.estimate = estimate.or(item.estimate);
    put(session, item)
}

pub(super) fn put<E>(session: &mut Session, item: Item) -> Result<(), Stop<E>> {
    let same = |known: &Item| match (known.task, item.task) {
        (Some(known), Some(task)) => known == task,
        (_, _) => known.title.eq_ignore_ascii_case(&item.title) && known.end.is_none(),
    };
    if let Some(known) = session.items.iter_mut().find(|known| same(known)) {
        *known = item;
        return Ok(());
    }
    if session.items.len() >= ITEMS_LIMIT {
        let count = session.items.len() + 1;
        return Err(Refusal::TooMany { field: "things in a scope", count, limit: ITEMS_LIMIT }.into());
    }
    session.items.push(item);
    Ok(())
}

/// Makes tasks of what has none yet.
fn make_tasks<V: View>(
    view: &V,
    actor: &Actor,
    session: &mut Session,
    effects: &mut Vec<Effect>,
    max_attempts: u32,
    now: &Now,
) -> Result<(), Stop<V::Error>> {
    let mut number = look(view.next_number())?;
    for item in session.items.iter_mut().filter(|item| item.task.is_none()) {
        if let Some(known) = look(view.open_task_titled(&item.title))? {
            item.task = Some(known);
            continue;
        }
        let draft =
            TaskDraft { title: item.title.clone(), goal: item.goal.clone(), max_attempts, ..TaskDraft::default() };
        let mut made = queue::add_numbered(view, actor, &draft, number, now)?;
        if let Ok(answer) = &mut made.verdict {
            item.task = answer.task_mut().map(|task| task.id);
        }
        effects.append(&mut made.effects);
        number += 1;
    }
    Ok(())
}

/// Changes the scope. Whoever does gives a direction, so a checkpoint is answered by it.
pub(crate) fn adjust<V: View>(view: &V, actor: &Actor, scope: &Scope, now: &Now) -> Result<Turn, Stop<V::Error>> {
    let mut session = open(view, scope.session.as_deref())?;
    if session.state == SessionState::Ending {
        return Err(SessionRefusal::SessionEnding { session: session.number }.into());
    }
    scope.seen.must_hold(&session)?;
    // Paths are given whole, so what somebody has added to those that were shown would be dropped with them.
    if scope.shown_paths.as_ref().is_some_and(|shown| *shown != session.paths) {
        return Err(SessionRefusal::OtherPaths { session: session.number, now: session.paths }.into());
    }
    let before = session.clone();
    let governance = look(view.governance())?;
    for wanted in scope.remove.iter().chain(&scope.log) {
        remove(view, &mut session, wanted, scope.log.contains(wanted))?;
    }
    for draft in &scope.add {
        add(view, &governance, &mut session, draft)?;
    }
    if let Some(paths) = &scope.paths {
        session.paths = check_paths(paths)?;
    }
    let mut paths = session.paths.clone();
    paths.extend(check_paths(&scope.add_paths)?.into_iter().filter(|path| !session.paths.contains(path)));
    if paths.len() > PATHS_LIMIT {
        return Err(Refusal::TooMany { field: "scope patterns", count: paths.len(), limit: PATHS_LIMIT }.into());
    }
    session.paths = paths;
    if session == before {
        return Err(SessionRefusal::ScopeUnchanged { session: session.number }.into());
    }
    let mut effects = Vec::new();
    if session.state != SessionState::Planned {
        make_tasks(view, actor, &mut session, &mut effects, scope.max_attempts, now)?;
    }
    if session.paths != before.paths {
        effects.extend(look(settle_covered(view, actor, session.id, &session.paths, None))?);
    }
    let waits = session.state == SessionState::Checkpoint;
    let state = if waits { SessionState::Working } else { session.state };
    session.streak = 0;
    session.last_work = super::Moment::of(now);
    let data = scope_data(&session);
    let (session, told) = moved(session, state, actor, "session.adjusted", data);
    effects.insert(0, told);
    effects.push(Effect::PutSession(Box::new(session.clone())));
    Ok(Turn::done(Answer::Session(Box::new(session)), effects))
}

/// A task that a person wants begun joins the scope, also one that is made in this very turn.
pub(crate) fn take_in<V: View>(view: &V, actor: &Actor, task: &Task, now: &Now) -> Result<Vec<Effect>, Stop<V::Error>> {
    let mut session = open(view, None)?;
    let mut item = look(view.governance())?.item(&task.title);
    item.task = Some(task.id);
    item.goal = task.goal.clone().or(item.goal);
    session.discovered.retain(|noted| *noted != task.title);
    put(&mut session, item)?;
    session.streak = 0;
    session.last_work = super::Moment::of(now);
    let (state, data) = (session.state, scope_data(&session));
    let (session, told) = moved(session, state, actor, "session.adjusted", data);
    Ok(vec![told, Effect::PutSession(Box::new(session))])
}

/// Takes something out of a scope; what is only noted goes to what was discovered.
fn remove<V: View>(view: &V, session: &mut Session, wanted: &str, noted: bool) -> Result<(), Stop<V::Error>> {
    let by_title = session.items.iter().position(|item| item.title.eq_ignore_ascii_case(wanted.trim()));
    let (at, title) = match by_title {
        Some(at) => (Some(at), session.items[at].title.clone()),
        None => {
            let task = queue::find(view, wanted)?;
            (session.items.iter().position(|item| item.task == Some(task.id)), task.title)
        }
    };
    if noted {
        session.note_discovered(&title);
    }
    let Some(at) = at else {
        if noted {
            return Ok(());
        }
        return Err(SessionRefusal::NotInThisScope { wanted: wanted.to_owned(), session: session.number }.into());
    };
    if session.items[at].end.is_some() {
        return Err(SessionRefusal::ItemIsDone { title, session: session.number }.into());
    }
    if let Some(id) = session.items[at].task
        && let Some(task) = look(view.task(id))?
        && let (Status::InProgress, Some(holder)) = (task.status, task.holder)
    {
        return Err(Refusal::Held { task: id, holder, attempt: task.attempt, action: "taken out of the scope" }.into());
    }
    session.items.remove(at);
    Ok(())
}

/// Goes on after a checkpoint: the one that is meant, where that is said.
pub(crate) fn go_on<V: View>(
    view: &V,
    actor: &Actor,
    wanted: Option<&str>,
    checkpoint: Option<u32>,
    now: &Now,
) -> Result<Turn, Stop<V::Error>> {
    let mut session = open(view, wanted)?;
    if session.state != SessionState::Checkpoint {
        return Err(SessionRefusal::NoCheckpoint { session: session.number, state: session.state }.into());
    }
    checkpoint.map_or(SeenCheckpoint::Any, SeenCheckpoint::Number).must_hold(&session)?;
    session.streak = 0;
    session.last_work = super::Moment::of(now);
    let (session, told) = moved(session, SessionState::Working, actor, "session.continued", Data::map([]));
    let effects = vec![told, Effect::PutSession(Box::new(session.clone()))];
    Ok(Turn::done(Answer::Session(Box::new(session)), effects))
}

/// A path joins the scope.
pub(super) fn extended(mut session: Session, pattern: &str, actor: &Actor) -> (Session, Vec<Effect>) {
    // Where no paths were agreed to, everything is covered; a first pattern would narrow that.
    let has_room = !session.paths.is_empty() && session.paths.len() < PATHS_LIMIT;
    if has_room && !session.paths.iter().any(|known| known == pattern) {
        session.paths.push(pattern.to_owned());
    }
    session.streak = 0;
    let told = event(actor, "session.scope-extended", &session, Data::map([("pattern", pattern.into())]));
    let put = Effect::PutSession(Box::new(session.clone()));
    (session, vec![told, put])
}
