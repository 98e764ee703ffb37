//! Flags: changes that what was agreed to does not cover. A run's write before the scope is confirmed is unauthorised; one
//! outside the scope's paths is out of scope. Both wait for a person, who extends the scope, has the thing logged and taken
//! out, or lets it pass once. What an agent asked for beforehand is a needed expansion; what was only found is not.

use std::fmt;

use super::scope::{covers, exactly, extended};
use super::{PATHS_LIMIT, Session, SessionId, SessionState};
use crate::actor::Actor;
use crate::attribution::Author;
use crate::file::FilePath;
use crate::id::{RunId, TaskId};
use crate::ledger::{Data, Event, Topic};
use crate::queue::{self, Edit, TaskDraft, check_scope, look};
use crate::refusal::Refusal;
use crate::review::{self, Decide, Decision, DecisionId, PendingOf, Selection};
use crate::run::{AnswerOption, Answered, Asks, Question, QuestionId, ask};
use crate::scan::masked;
use crate::session::SessionRefusal;
use crate::task::Task;
use crate::text::{shortened, visible};
use crate::time::{Now, Wall};
use crate::turn::{Answer, AnsweredFlag, Decided, Effect, Stop, Turn};
use crate::view::View;
use crate::weave::{Hunk, HunkId, Standing, Weave};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FlagId(pub u64);

impl FlagId {
    /// As people write it: `f3`.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let digits = text.trim().strip_prefix(['f', 'F'])?;
        digits.parse().ok().filter(|number| *number > 0).map(Self)
    }
}

impl fmt::Display for FlagId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "f{}", self.0)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FlagKind {
    OutOfScope,
    Unauthorised,
}

impl FlagKind {
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::OutOfScope => "out-of-scope",
            Self::Unauthorised => "unauthorised",
        }
    }

    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::OutOfScope, Self::Unauthorised].into_iter().find(|kind| kind.name() == name)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FlagAnswer {
    Extend,
    Log,
    AllowOnce,
    /// Taken out because the policy says so.
    RolledBack,
    /// What was asked for was refused, and nothing was written.
    Refused,
}

impl FlagAnswer {
    pub const ALL: [Self; 5] = [Self::Extend, Self::Log, Self::AllowOnce, Self::RolledBack, Self::Refused];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Extend => "extend",
            Self::Log => "log",
            Self::AllowOnce => "allow-once",
            Self::RolledBack => "rolled-back",
            Self::Refused => "refused",
        }
    }

    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|answer| answer.name() == name)
    }

    fn lets_pass(self) -> bool {
        match self {
            Self::Extend | Self::AllowOnce => true,
            Self::Log | Self::RolledBack | Self::Refused => false,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flag {
    pub id: FlagId,
    pub session: SessionId,
    pub kind: FlagKind,
    pub path: FilePath,
    /// `None` where the author is not known.
    pub run: Option<RunId>,
    /// The agent asked for it before it wrote: a needed expansion, with its reason.
    pub why: Option<String>,
    /// The question that its asking became.
    pub question: Option<QuestionId>,
    pub time: Wall,
    pub answer: Option<FlagAnswer>,
    pub answered_by: Option<String>,
    /// The newest approval that named something of what it flags; the one that left nothing of it waiting answered it. Of one
    /// that was logged, the rejection that took its change out.
    pub passed_by: Option<DecisionId>,
}

impl Flag {
    fn task(&self) -> Option<TaskId> {
        self.run.map(|run| run.task)
    }

    fn record(&self, actor: &Actor, kind: &'static str, data: Data) -> Effect {
        let mut about = vec![Topic::Session(self.session)];
        about.extend(self.run.into_iter().flat_map(|run| [Topic::Task(run.task), Topic::Run(run)]));
        Effect::Record(Event { actor: actor.clone(), kind, subject: Topic::File(self.path.clone()), about, data })
    }

    fn raised(&self) -> Effect {
        let data = Data::map([
            ("flag", self.id.to_string().into()),
            ("kind", self.kind.name().into()),
            ("needed", self.why.is_some().into()),
            ("why", self.why.clone().into()),
        ]);
        self.record(&Actor::Host, "scope.left", data)
    }

    /// Whether it flags what this author did to its path. It stands for every attempt at a task.
    fn is_about(&self, author: &Author) -> bool {
        match author {
            Author::Run(run) => self.task() == Some(run.task),
            Author::Unknown => self.run.is_none(),
            Author::Person { .. } | Author::Vcs => false,
        }
    }

    fn waits_among(&self, hunks: &[Hunk]) -> bool {
        hunks.iter().any(|hunk| self.is_about(&hunk.author))
    }

    /// Whether an approval was of what is flagged, named by the person: nothing else passes while a flag waits.
    pub(crate) fn was_named_by(&self, by: &Decision) -> bool {
        self.passed_by == Some(by.id) || (self.passed_by > Some(by.id) && self.time <= by.time)
    }

    /// Some of what it flags was approved by name, and these hunks go on waiting.
    fn approved(mut self, actor: &Actor, left: &[Hunk], by: DecisionId) -> Vec<Effect> {
        self.passed_by = Some(by);
        if self.waits_among(left) { vec![Effect::PutFlag(Box::new(self))] } else { self.passed(actor).into() }
    }

    fn passed(self, actor: &Actor) -> [Effect; 2] {
        let by = self.passed_by;
        self.answered_by(actor, FlagAnswer::AllowOnce, by)
    }

    /// What is answered otherwise is no decision's to take back.
    pub(super) fn answered(self, actor: &Actor, answer: FlagAnswer) -> [Effect; 2] {
        self.answered_by(actor, answer, None)
    }

    fn answered_by(mut self, actor: &Actor, answer: FlagAnswer, by: Option<DecisionId>) -> [Effect; 2] {
        self.passed_by = by;
        self.answer = Some(answer);
        self.answered_by = Some(actor.to_string());
        let data = Data::map([("flag", self.id.to_string().into()), ("answer", answer.name().into())]);
        [self.record(actor, "scope.answered", data), Effect::PutFlag(Box::new(self))]
    }

    /// For what was written since it was shown.
    fn of_the_rest(&self, number: u64, path: FilePath, now: &Now) -> Self {
        Self { id: FlagId(number), path, why: None, question: None, time: now.wall, passed_by: None, ..self.clone() }
    }

    /// It waits for an answer again, since a decision does not stand.
    fn put_up(self, actor: &Actor, by: DecisionId) -> [Effect; 2] {
        let flag = Self { answer: None, answered_by: None, ..self };
        let data = Data::map([("flag", flag.id.to_string().into()), ("decision", by.to_string().into())]);
        [flag.record(actor, "scope.reopened", data), Effect::PutFlag(Box::new(flag))]
    }

    /// What it is about, for people.
    #[must_use]
    pub fn message(&self) -> String {
        let path = &self.path;
        match (self.kind, &self.why) {
            (FlagKind::Unauthorised, _) => format!("{path} was written before the scope was confirmed."),
            (FlagKind::OutOfScope, None) => format!("{path} lies outside the confirmed scope."),
            (FlagKind::OutOfScope, Some(why)) => format!("{path} lies outside the confirmed scope. Needed: {why}"),
        }
    }
}

/// What the session says of a change.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Judged {
    /// A flag that is new by it.
    pub raised: Option<Flag>,
    /// It is flagged, by this or an earlier flag that waits.
    pub is_flagged: bool,
    /// The policy has it taken out.
    pub rolls_back: bool,
}

/// Judges what an author has done to a path. `number` is the one that a new flag gets.
pub(crate) fn judge<V: View>(
    view: &V,
    author: &Author,
    path: &FilePath,
    number: u64,
    now: &Now,
) -> Result<Judged, V::Error> {
    let run = match author {
        Author::Run(run) => Some(*run),
        Author::Unknown => None,
        Author::Person { .. } | Author::Vcs => return Ok(Judged::default()),
    };
    let Some(session) = view.session()? else { return Ok(Judged::default()) };
    let known = view.flags_at(session.id, path)?;
    let kind = match session.state {
        SessionState::Planned => FlagKind::Unauthorised,
        SessionState::Confirmed | SessionState::Working | SessionState::Checkpoint | SessionState::Ending => {
            if is_within(view, &session, run, path, &known)? {
                return Ok(Judged::default());
            }
            FlagKind::OutOfScope
        }
        SessionState::Ended | SessionState::Abandoned => return Ok(Judged::default()),
    };
    let rolls_back = kind == FlagKind::Unauthorised && run.is_some() && view.session_policy()?.rolls_back;
    if known.iter().any(|flag| flag.answer.is_none() && flag.kind == kind && flag.task() == run.map(|run| run.task)) {
        return Ok(Judged { raised: None, is_flagged: true, rolls_back });
    }
    let flag = Flag {
        id: FlagId(number),
        session: session.id,
        kind,
        path: path.clone(),
        run,
        why: None,
        question: None,
        time: now.wall,
        answer: None,
        answered_by: None,
        passed_by: None,
    };
    Ok(Judged { raised: Some(flag), is_flagged: true, rolls_back })
}

/// The effects of a flag that is new; with `rolled_back` it is answered at once.
pub(crate) fn raise(flag: Flag, rolled_back: bool) -> Vec<Effect> {
    let mut effects = vec![flag.raised()];
    if rolled_back {
        effects.extend(flag.answered(&Actor::Host, FlagAnswer::RolledBack));
    } else {
        effects.push(Effect::PutFlag(Box::new(flag)));
    }
    effects
}

fn is_within<V: View>(
    view: &V,
    session: &Session,
    run: Option<RunId>,
    path: &FilePath,
    known: &[Flag],
) -> Result<bool, V::Error> {
    let mut patterns = session.paths.clone();
    if let Some(run) = run
        && let Some(task) = view.task(run.task)?
    {
        patterns.extend(task.scope);
    }
    // What passed before anything was agreed to was let pass then, and says nothing about what was agreed to since. Nor does
    // an approval: it was of what was there.
    let passes = |flag: &Flag| {
        flag.kind == FlagKind::OutOfScope
            && flag.passed_by.is_none()
            && flag.answer.is_some_and(FlagAnswer::lets_pass)
            && flag.task() == run.map(|run| run.task)
    };
    Ok(covers(&patterns, path) || known.iter().any(passes))
}

/// Whether what a task did to a path was taken out again, and nothing has let it be written since.
pub(super) fn is_taken_out<V: View>(
    view: &V,
    session: &Session,
    task: TaskId,
    path: &FilePath,
) -> Result<bool, V::Error> {
    let known = view.flags_at(session.id, path)?;
    let last = known.iter().rfind(|flag| flag.task() == Some(task)).and_then(|flag| flag.answer);
    Ok(match last {
        Some(FlagAnswer::Log | FlagAnswer::RolledBack) => !covers(&session.paths, path),
        Some(FlagAnswer::Extend | FlagAnswer::AllowOnce | FlagAnswer::Refused) | None => false,
    })
}

/// Which of these paths may not be written by what was agreed to, by this run or by an agent that has none.
pub(crate) fn outside<V: View>(view: &V, run: Option<RunId>, paths: &[String]) -> Result<Vec<FilePath>, V::Error> {
    let Some(session) = view.session()? else { return Ok(Vec::new()) };
    let mut outside = Vec::new();
    for path in paths {
        let Ok(path) = FilePath::from_text(path) else { continue };
        let known = view.flags_at(session.id, &path)?;
        if !is_within(view, &session, run, &path, &known)? {
            outside.push(path);
        }
    }
    Ok(outside)
}

/// Flags for paths that an agent asks for before it writes there.
pub(crate) fn asked_for<V: View>(
    view: &V,
    run: RunId,
    paths: Vec<FilePath>,
    why: &str,
    question: Option<QuestionId>,
    now: &Now,
) -> Result<Vec<Effect>, V::Error> {
    let Some(session) = view.session()? else { return Ok(Vec::new()) };
    let mut number = view.next_flag()?;
    let mut effects = Vec::new();
    for path in paths {
        let waits = |flag: &Flag| flag.answer.is_none() && flag.task() == Some(run.task);
        if view.flags_at(session.id, &path)?.iter().any(waits) {
            continue;
        }
        let flag = Flag {
            id: FlagId(number),
            session: session.id,
            kind: FlagKind::OutOfScope,
            path,
            run: Some(run),
            why: Some(visible(&shortened(&masked(why.trim()), 500)).into_owned()),
            question,
            time: now.wall,
            answer: None,
            answered_by: None,
            passed_by: None,
        };
        number += 1;
        effects.extend(raise(flag, false));
    }
    Ok(effects)
}

/// A run asks for more scope, before it writes there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScopeRequest {
    pub paths: Vec<String>,
    pub why: String,
}

const EXTEND: &str = "extend";
const ONCE: &str = "allow-once";
const NO: &str = "no";

pub(crate) fn request<V: View>(
    view: &V,
    actor: &Actor,
    request: &ScopeRequest,
    now: &Now,
) -> Result<Turn, Stop<V::Error>> {
    let Actor::Run { run } = actor else {
        return Err(Refusal::RoleMayNot { role: actor.role(), action: "request scope" }.into());
    };
    let paths = check_scope(&request.paths)?;
    if paths.is_empty() {
        return Err(Refusal::NothingSelected.into());
    }
    let named = paths.iter().map(|path| FilePath::from_text(path));
    let named =
        named.zip(&paths).map(|(path, text)| path.map_err(|problem| Refusal::BadPath { path: text.clone(), problem }));
    let named = named.collect::<Result<Vec<_>, _>>()?;
    let option = |value: &str, text: &str| AnswerOption { value: value.to_owned(), text: text.to_owned() };
    let asks = Asks {
        question: format!("The task needs more than the confirmed scope: {}. May it?", paths.join(", ")),
        detail: request.why.clone(),
        options: vec![
            option(EXTEND, "Extend the scope"),
            option(ONCE, "Allow it once"),
            option(NO, "No, work around it"),
        ],
        recommendation: None,
    };
    let mut turn = ask(view, actor, &asks, now)?;
    let question = match &turn.verdict {
        Ok(Answer::Question(question)) => Some(question.id),
        Ok(_) | Err(_) => None,
    };
    turn.effects.extend(look(asked_for(view, *run, named, &request.why, question, now))?);
    Ok(turn)
}

/// What the answer to a question means for the flags that wait for it.
pub(crate) fn on_question<V: View>(
    view: &V,
    actor: &Actor,
    question: &Question,
    answer: &Answered,
) -> Result<Vec<Effect>, V::Error> {
    let mut effects = Vec::new();
    let Some(mut session) = view.session()? else { return Ok(effects) };
    for flag in view.flags_waiting(session.id, FLAGS)? {
        if flag.question != Some(question.id) {
            continue;
        }
        let answer = match answer.choice.as_deref() {
            Some(EXTEND) => FlagAnswer::Extend,
            Some(choice) if is_yes(choice) => FlagAnswer::AllowOnce,
            Some(_) | None => FlagAnswer::Refused,
        };
        if answer == FlagAnswer::Extend {
            let (extended, more) = extended(session, &exactly(&flag.path), actor);
            session = extended;
            effects.extend(more);
        }
        effects.extend(flag.answered(actor, answer));
    }
    Ok(effects)
}

/// Agents call their options what they like. One that is not clearly a yes lets nothing pass: what is then written all the
/// same is flagged once more.
fn is_yes(choice: &str) -> bool {
    const REFUSES: [&str; 10] =
        ["reject", "deny", "denied", "cancel", "abort", "disallow", "refuse", "decline", "never", "dont"];
    const LETS: [&str; 7] = ["allow", "approve", "proceed", "accept", "grant", "once", "always"];
    let choice = choice.to_ascii_lowercase();
    let has = |part: &str| choice.contains(part);
    let is_word = |word: &str| choice.split(|c: char| !c.is_ascii_alphanumeric()).any(|part| part == word);
    let refuses = REFUSES.into_iter().any(has) || ["no", "not", "skip"].into_iter().any(is_word);
    !refuses && (LETS.into_iter().any(has) || ["yes", "ok"].into_iter().any(is_word))
}

/// How many flags are looked through at once.
pub const FLAGS: usize = 1_000;
/// How many are settled by one answer.
const SETTLED: usize = 100_000;

/// What a person says to a flag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnswerFlag {
    pub flag: String,
    pub answer: FlagAnswer,
    /// For [`FlagAnswer::Extend`]; the file itself where there is none.
    pub pattern: Option<String>,
    /// For [`FlagAnswer::Log`]: the hunks that were shown, which are what is taken out. Where nobody says which, all of it
    /// that is there now.
    pub hunks: Option<Vec<String>>,
    /// The yes to a result that was shown.
    pub confirm: Option<String>,
    pub max_attempts: u32,
}

/// The flag that is meant, while it waits.
fn meant<V: View>(view: &V, wanted: &str) -> Result<Flag, Stop<V::Error>> {
    let unknown = || SessionRefusal::UnknownFlag { wanted: shortened(wanted, 60).into_owned() };
    let id = FlagId::read(wanted).ok_or_else(unknown)?;
    let flag = look(view.flag(id))?.ok_or_else(unknown)?;
    match flag.answer {
        Some(answer) => Err(SessionRefusal::FlagAnswered { flag: id, answer: answer.name() }.into()),
        None => Ok(flag),
    }
}

/// A person answers a flag.
pub(crate) fn answer<V: View>(view: &V, actor: &Actor, answer: &AnswerFlag, now: &Now) -> Result<Turn, Stop<V::Error>> {
    let flag = meant(view, &answer.flag)?;
    let mut effects = Vec::new();
    let mut took_out = None;
    match answer.answer {
        FlagAnswer::Extend => {
            let pattern = match &answer.pattern {
                Some(pattern) => check_scope(std::slice::from_ref(pattern))?.into_iter().next(),
                None => None,
            };
            let pattern = pattern.unwrap_or_else(|| exactly(&flag.path));
            if !covers(std::slice::from_ref(&pattern), &flag.path) {
                return Err(SessionRefusal::PatternMisses { pattern, path: flag.path.clone() }.into());
            }
            if let Some(session) = look(view.session())?.filter(|session| session.id == flag.session) {
                let count = session.paths.len();
                if count >= PATHS_LIMIT && !session.paths.contains(&pattern) {
                    let field = "scope patterns";
                    return Err(Refusal::TooMany { field, count: count + 1, limit: PATHS_LIMIT }.into());
                }
                let (session, more) = extended(session, &pattern, actor);
                effects.extend(more);
                effects.extend(widened(view, actor, &flag, &pattern)?);
                effects.extend(look(settle_covered(view, actor, session.id, &[pattern], Some(flag.id)))?);
            }
        }
        FlagAnswer::Log => {
            let logged = logged(view, actor, &flag, answer, now)?;
            effects.extend(logged.effects);
            took_out = logged.took_out;
        }
        FlagAnswer::AllowOnce => {}
        FlagAnswer::RolledBack | FlagAnswer::Refused => {
            return Err(SessionRefusal::UnknownFlag { wanted: shortened(&answer.flag, 60).into_owned() }.into());
        }
    }
    let by = took_out.as_ref().map(|decided| decided.decision);
    let flag = Flag { answer: Some(answer.answer), answered_by: Some(actor.to_string()), passed_by: by, ..flag };
    effects.extend(flag.clone().answered_by(actor, answer.answer, by));
    Ok(Turn::done(Answer::Flag(Box::new(AnsweredFlag { flag, took_out })), effects))
}

/// Answers what waits and is covered now, but for the one that is being answered.
pub(super) fn settle_covered<V: View>(
    view: &V,
    actor: &Actor,
    session: SessionId,
    patterns: &[String],
    but: Option<FlagId>,
) -> Result<Vec<Effect>, V::Error> {
    let mut effects = Vec::new();
    for flag in view.flags_waiting(session, SETTLED)? {
        if flag.kind == FlagKind::OutOfScope && Some(flag.id) != but && covers(patterns, &flag.path) {
            effects.extend(flag.answered(actor, FlagAnswer::Extend));
        }
    }
    Ok(effects)
}

/// A flag that a person has to answer, with those hunks of what it flags that wait.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaitingFlag {
    pub flag: Flag,
    pub hunks: Vec<HunkId>,
}

/// The flags of a session that a person still has to answer, oldest first: those whose change is there no longer, because it
/// was rejected or taken back, wait for nobody.
pub fn flags_to_answer<V: View>(view: &V, session: SessionId, limit: usize) -> Result<Vec<WaitingFlag>, V::Error> {
    still_there(view, view.flags_waiting(session, limit)?)
}

/// The same of all sessions, those of the one under way first: the end of a session answers nothing.
pub fn all_flags_to_answer<V: View>(view: &V, limit: usize) -> Result<Vec<WaitingFlag>, V::Error> {
    let open = view.session()?.map(|session| session.id);
    let mut flags = match open {
        Some(session) => flags_to_answer(view, session, limit)?,
        None => Vec::new(),
    };
    flags.extend(still_there(view, view.flags_left(open, limit)?)?);
    flags.truncate(limit);
    Ok(flags)
}

fn still_there<V: View>(view: &V, flags: Vec<Flag>) -> Result<Vec<WaitingFlag>, V::Error> {
    let mut waiting = Vec::new();
    for flag in flags {
        let hunks = what_waits(view, &flag)?;
        if flag.why.is_some() || !hunks.is_empty() {
            waiting.push(WaitingFlag { flag, hunks });
        }
    }
    Ok(waiting)
}

/// What of the flagged change waits for a decision.
fn what_waits<V: View>(view: &V, flag: &Flag) -> Result<Vec<HunkId>, V::Error> {
    let Some(file) = view.file_at(&place_of(view, flag)?)? else { return Ok(Vec::new()) };
    Ok(file.weave.hunks_of(&|author| flag.is_about(author)).into_iter().map(|hunk| hunk.id).collect())
}

/// The task's own paths take the pattern as well, where it has any: without paths of the session they alone say where.
fn widened<V: View>(view: &V, actor: &Actor, flag: &Flag, pattern: &str) -> Result<Vec<Effect>, Stop<V::Error>> {
    let Some(id) = flag.task() else { return Ok(Vec::new()) };
    let Some(task) = look(view.task(id))? else { return Ok(Vec::new()) };
    if task.status.is_ended() || covers(&task.scope, &flag.path) {
        return Ok(Vec::new());
    }
    let mut scope = task.scope;
    scope.push(pattern.to_owned());
    let edit = Edit { scope: Some(scope), ..Edit::default() };
    Ok(queue::edit(view, actor, &id.to_string(), &edit, None)?.effects)
}

/// What logging a flag that waits rejects: the hunks that were shown with it, or all of it that is there now. Nothing where
/// none were there to be shown.
pub fn taking_out<V: View>(view: &V, flag: &str, hunks: Option<&[String]>) -> Result<Option<Decide>, Stop<V::Error>> {
    let flag = meant(view, flag)?;
    look(rejecting(view, &flag, hunks))
}

fn rejecting<V: View>(view: &V, flag: &Flag, hunks: Option<&[String]>) -> Result<Option<Decide>, V::Error> {
    if hunks.is_some_and(<[String]>::is_empty) {
        return Ok(None);
    }
    let what = Selection {
        hunks: hunks.unwrap_or_default().to_vec(),
        file: Some(place_of(view, flag)?.to_text()),
        // A flag stands for all attempts at its task.
        task: flag.task().map(|task| task.to_string()),
        unknown: flag.run.is_none(),
        ..Selection::default()
    };
    Ok(Some(Decide { verdict: Standing::Rejected, what, confirm: None }))
}

/// What logging a flag comes to.
#[derive(Default)]
struct Logged {
    effects: Vec<Effect>,
    took_out: Option<Decided>,
}

/// Notes what was found as a task for another time, and takes the change out.
fn logged<V: View>(
    view: &V,
    actor: &Actor,
    flag: &Flag,
    answer: &AnswerFlag,
    now: &Now,
) -> Result<Logged, Stop<V::Error>> {
    let mut logged = taken_out(view, actor, flag, answer, now)?;
    let draft = TaskDraft {
        title: shortened(&format!("Look at {}: changed outside the scope", flag.path), 200).into_owned(),
        description: flag.why.clone().unwrap_or_default(),
        origin: Some("discovered".to_owned()),
        scope: vec![exactly(&flag.path)],
        max_attempts: answer.max_attempts,
        ..TaskDraft::default()
    };
    if !look(is_queued(view, &draft))? {
        logged.effects.extend(queue::add(view, actor, &draft, now)?.effects);
    }
    Ok(logged)
}

/// Whether the same waits in the queue already: it was logged before, and what was taken out came back.
fn is_queued<V: View>(view: &V, draft: &TaskDraft) -> Result<bool, V::Error> {
    let Some(id) = view.open_task_titled(&draft.title)? else { return Ok(false) };
    let same = |task: Task| task.description == draft.description && task.scope == draft.scope;
    Ok(view.task(id)?.is_some_and(same))
}

/// Takes the change out as far as it was shown. What was written since waits, with a flag of its own.
fn taken_out<V: View>(
    view: &V,
    actor: &Actor,
    flag: &Flag,
    answer: &AnswerFlag,
    now: &Now,
) -> Result<Logged, Stop<V::Error>> {
    let mut logged = Logged::default();
    if let Some(decide) = look(rejecting(view, flag, answer.hunks.as_deref()))? {
        let decide = Decide { confirm: answer.confirm.clone(), ..decide };
        match review::decide(view, actor, &decide, now) {
            Ok(mut turn) => {
                logged.took_out = turn.verdict.as_mut().ok().and_then(Answer::decided_mut).cloned();
                logged.effects = turn.effects;
            }
            Err(Stop::Refused(Refusal::NothingPending { .. } | Refusal::UntrackedFile { .. })) => {}
            Err(stop) => return Err(stop),
        }
    }
    let after = logged.effects.iter().find_map(|effect| {
        let Effect::PutFile(file) = effect else { return None };
        Some((**file).clone())
    });
    let after = match after {
        Some(file) => Some(file),
        None => look(view.file_at(&look(place_of(view, flag))?))?,
    };
    if let Some(file) = after.filter(|file| flag.waits_among(&file.weave.hunks())) {
        let number = look(view.next_flag())?;
        logged.effects.extend(raise(flag.of_the_rest(number, file.path().clone(), now), false));
    }
    Ok(logged)
}

/// The flags of a file that wait for an answer, also under the names that it had before, and also of sessions that have
/// ended: nobody has answered them by that.
pub(crate) fn waiting_at<V: View>(view: &V, weave: &Weave) -> Result<Vec<Flag>, V::Error> {
    let mut waiting = view.flags_open_at(weave.path())?;
    for name in weave.other_names() {
        waiting.extend(view.flags_open_at(name)?);
    }
    Ok(waiting)
}

/// Where the file of a flag is now: it may have been moved away from where it was flagged.
fn place_of<V: View>(view: &V, flag: &Flag) -> Result<FilePath, V::Error> {
    if view.file_at(&flag.path)?.is_none() {
        let of = flag.task().map_or(PendingOf::Unknown, PendingOf::Task);
        for number in view.pending_files(&of, FLAGS)? {
            let moved = view.file(number)?.filter(|file| file.weave.other_names().contains(&&flag.path));
            if let Some(file) = moved {
                return Ok(file.path().clone());
            }
        }
    }
    Ok(flag.path.clone())
}

/// A person has approved changes of a file that they named themselves: what is flagged there of these authors has passed,
/// once, where none of it goes on waiting. One hunk says nothing about another.
pub(crate) fn settle_approved<V: View>(
    view: &V,
    actor: &Actor,
    weave: &Weave,
    authors: &[Author],
    left: &[Hunk],
    by: DecisionId,
) -> Result<Vec<Effect>, V::Error> {
    let waiting =
        waiting_at(view, weave)?.into_iter().filter(|flag| authors.iter().any(|author| flag.is_about(author)));
    Ok(waiting.flat_map(|flag| flag.approved(actor, left, by)).collect())
}

/// Flags that a redone or undone approval is about: it named their file while they waited. A later approval may have
/// answered them with the rest of what was flagged.
fn passed_at<V: View>(view: &V, weave: &Weave, by: &Decision) -> Result<Vec<Flag>, V::Error> {
    let mut passed = decided_at(view, weave)?;
    passed.retain(|flag| flag.was_named_by(by));
    Ok(passed)
}

/// Flags of a file that decisions were about.
fn decided_at<V: View>(view: &V, weave: &Weave) -> Result<Vec<Flag>, V::Error> {
    let mut passed = view.flags_passed_at(weave.path())?;
    for name in weave.other_names() {
        passed.extend(view.flags_passed_at(name)?);
    }
    // A file may have had a name twice.
    passed.sort_by_key(|flag| flag.id);
    passed.dedup_by_key(|flag| flag.id);
    Ok(passed)
}

/// The approval was taken back: what it let pass waits for an answer again. `weave` is a file of it as it is then.
pub(crate) fn put_up_again<V: View>(
    view: &V,
    actor: &Actor,
    weave: &Weave,
    by: &Decision,
) -> Result<Vec<Effect>, V::Error> {
    let left = weave.hunks();
    let mut effects = Vec::new();
    for flag in passed_at(view, weave, by)? {
        if flag.answer.is_none() || (flag.passed_by != Some(by.id) && !flag.waits_among(&left)) {
            continue;
        }
        effects.extend(flag.put_up(actor, by.id));
    }
    Ok(effects)
}

/// What was logged and taken out by this rejection is there again: its flag waits for an answer once more.
pub(crate) fn put_up_logged<V: View>(
    view: &V,
    actor: &Actor,
    weave: &Weave,
    by: DecisionId,
) -> Result<Vec<Effect>, V::Error> {
    let mut logged = decided_at(view, weave)?;
    logged.retain(|flag| flag.answer == Some(FlagAnswer::Log) && flag.passed_by == Some(by));
    Ok(logged.into_iter().flat_map(|flag| flag.put_up(actor, by)).collect())
}

/// The rejection was brought back, and with it its answer.
pub(crate) fn log_again<V: View>(
    view: &V,
    actor: &Actor,
    weave: &Weave,
    by: DecisionId,
) -> Result<Vec<Effect>, V::Error> {
    let mut waiting = decided_at(view, weave)?;
    waiting.retain(|flag| flag.answer.is_none() && flag.passed_by == Some(by));
    Ok(waiting.into_iter().flat_map(|flag| flag.answered_by(actor, FlagAnswer::Log, Some(by))).collect())
}

/// The approval was brought back, and with it its answer where none of what is flagged goes on waiting.
pub(crate) fn pass_again<V: View>(
    view: &V,
    actor: &Actor,
    weave: &Weave,
    by: &Decision,
) -> Result<Vec<Effect>, V::Error> {
    let left = weave.hunks();
    let waiting =
        passed_at(view, weave, by)?.into_iter().filter(|flag| flag.answer.is_none() && !flag.waits_among(&left));
    Ok(waiting.flat_map(|flag| flag.passed(actor)).collect())
}
