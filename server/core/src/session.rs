//! Sessions: what is agreed to before work begins, what is told of it, and what is written down at the end. There is one
//! at a time. Once it is under way it cannot be switched off; it is ended, by a person or, when nobody does, by the rules.
//!
//! Nothing here reads or writes a document: what the plan and the changelog say comes through the view, and what is to be
//! written leaves as an effect.

mod data;
mod ending;
mod flag;
mod following;
mod gate;
mod governance;
mod refusal;
mod scope;
mod standing;
mod starting;
mod taken_back;
mod telling;

use std::fmt;

use crate::id::{RunId, TaskId};
use crate::ledger::{Data, Event, Topic};
use crate::report::{Progress, TaskEnd};
use crate::scan::masked;
use crate::task::Task;
use crate::time::{Boot, Now, Steady, Wall};
use crate::turn::Effect;

pub use ending::{DocumentsWritten, Record, WriteDocuments};
pub(crate) use ending::{
    committed, due, end, entry_title, leave, minutes, priority_word, renumbered, restart, why_not, written,
};
pub use flag::{
    AnswerFlag, FLAGS, Flag, FlagAnswer, FlagId, FlagKind, Judged, ScopeRequest, WaitingFlag, all_flags_to_answer,
    flags_to_answer, taking_out,
};
pub(crate) use flag::{
    answer as answer_flag, asked_for, judge, log_again, on_question, outside, pass_again, put_up_again, put_up_logged,
    raise, request as request_scope, settle_approved, waiting_at,
};
pub(crate) use following::{follow, work_seen};
pub(crate) use gate::{forbids_writing, gate, may_change, may_take};
pub use governance::{Governance, LastSession, model_warning};
pub use refusal::SessionRefusal;
pub use scope::{Scope, ScopeDraft, SeenCheckpoint};
pub(crate) use scope::{adjust, confirm, go_on, take_in};
pub(crate) use standing::review_words;
pub use standing::{ItemStanding, item_standing, own_paths};
pub(crate) use starting::start;
pub use starting::start_report;
pub(crate) use taken_back::by;
pub use telling::checkpoint_of;
pub(crate) use telling::touched_by;

/// The version of these rules, kept with each session.
pub const PROTOCOL: &str = "session-protocol/1";
/// How many things a scope holds, and how many patterns of paths.
pub const ITEMS_LIMIT: usize = 64;
pub const PATHS_LIMIT: usize = 64;
/// How many of its tasks a record is found by, the newest.
const NAMED: usize = 50;
/// How many discovered tasks a session names; the rest are in the queue.
const DISCOVERED_LIMIT: usize = 200;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SessionId(pub u64);

impl SessionId {
    /// As people write it: `s3`.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let digits = text.trim().strip_prefix(['s', 'S'])?;
        digits.parse().ok().filter(|number| *number > 0).map(Self)
    }
}

impl fmt::Display for SessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "s{}", self.0)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SessionState {
    /// A scope is proposed and waits for a yes.
    Planned,
    /// The scope is agreed to, and nothing has begun.
    Confirmed,
    Working,
    /// So many tasks have ended in a row that the person is asked whether to go on.
    Checkpoint,
    /// The record is being written.
    Ending,
    Ended,
    /// It ended before anything was done.
    Abandoned,
}

impl SessionState {
    pub const ALL: [Self; 7] =
        [Self::Planned, Self::Confirmed, Self::Working, Self::Checkpoint, Self::Ending, Self::Ended, Self::Abandoned];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Planned => "planned",
            Self::Confirmed => "confirmed",
            Self::Working => "working",
            Self::Checkpoint => "checkpoint",
            Self::Ending => "ending",
            Self::Ended => "ended",
            Self::Abandoned => "abandoned",
        }
    }

    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.name() == name)
    }

    #[must_use]
    pub fn is_open(self) -> bool {
        match self {
            Self::Planned | Self::Confirmed | Self::Working | Self::Checkpoint | Self::Ending => true,
            Self::Ended | Self::Abandoned => false,
        }
    }
}

/// One thing of a scope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    pub title: String,
    /// The queue's task for it, once the scope is confirmed.
    pub task: Option<TaskId>,
    pub goal: Option<String>,
    /// The plan has a task of this title that was not complete when the session began.
    pub planned: bool,
    pub estimate: Option<String>,
    pub end: Option<TaskEnd>,
    pub ended: Option<Wall>,
    /// The last attempt at it that was this session's, known once the session ends: what comes later is another's work.
    pub attempt: Option<u32>,
}

impl Item {
    /// The run that stands for it in this session.
    #[must_use]
    pub fn run_of(&self, task: &Task) -> RunId {
        RunId { task: task.id, attempt: self.attempt.unwrap_or(task.attempt) }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    pub id: SessionId,
    /// The project's own count.
    pub number: u32,
    pub state: SessionState,
    pub protocol: String,
    /// Why it began by itself; `None` where a person started it.
    pub automatic: Option<String>,
    pub model: Option<String>,
    pub started: Wall,
    pub confirmed: Option<Wall>,
    pub ended: Option<Wall>,
    /// Why it ended, where no person ended it.
    pub end_reason: Option<String>,
    /// When something was last done in it.
    pub last_work: Moment,
    pub phase: Option<String>,
    pub sprint_goal: Option<String>,
    /// Of the plan's current phase, when the session began.
    pub before: Progress,
    pub items: Vec<Item>,
    /// Where its work may write, as patterns; empty where that was not said.
    pub paths: Vec<String>,
    /// Tasks that have ended since the person last gave a direction.
    pub streak: u32,
    /// How many checkpoints it has come to, the one that it waits at among them.
    pub checkpoints: u32,
    pub discovered: Vec<String>,
    /// The reaching of the sprint's goal has been told.
    pub goal_told: bool,
    /// What the person wants the record to say.
    pub title: Option<String>,
    pub decisions: Vec<String>,
    /// The agents that were at work in it.
    pub agents: Vec<String>,
    /// The documents that its end has changed, by path.
    pub documents: Vec<String>,
}

/// A moment by both clocks: one to show, one to measure with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moment {
    pub wall: Wall,
    pub boot: Boot,
    pub steady: Steady,
}

impl Moment {
    #[must_use]
    pub fn of(now: &Now) -> Self {
        Self { wall: now.wall, boot: now.boot.clone(), steady: now.steady }
    }

    /// How long ago it was. Across a restart of the machine only the wall clock can tell.
    #[must_use]
    pub fn age_ms(&self, now: &Now) -> i64 {
        if self.boot == now.boot {
            now.steady.ms_since(self.steady)
        } else {
            now.wall.0.saturating_sub(self.wall.0).max(0)
        }
    }
}

impl Session {
    /// How much of the plan's current phase is done, with what was done in this session.
    #[must_use]
    pub fn progress(&self) -> Progress {
        let done = self.items.iter().filter(|item| item.planned && item.end == Some(TaskEnd::Completed)).count();
        let done = self.before.done.saturating_add(u32::try_from(done).unwrap_or(u32::MAX));
        Progress { done: done.min(self.before.total.max(self.before.done)), total: self.before.total }
    }

    /// How many things of its scope are done, and how many there are.
    #[must_use]
    pub fn scope_progress(&self) -> Progress {
        let done = self.items.iter().filter(|item| item.end == Some(TaskEnd::Completed)).count();
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        Progress { done: count(done), total: count(self.items.len()) }
    }

    /// Whether this task is not part of what a person confirmed, so that nobody gets it now. A session that began by itself
    /// takes what the person orders.
    #[must_use]
    pub fn leaves_out(&self, task: TaskId) -> bool {
        let is_confirmed = match self.state {
            SessionState::Confirmed | SessionState::Working | SessionState::Checkpoint => true,
            SessionState::Planned | SessionState::Ending | SessionState::Ended | SessionState::Abandoned => false,
        };
        is_confirmed && self.automatic.is_none() && self.item_of(task).is_none()
    }

    #[must_use]
    pub fn item_of(&self, task: TaskId) -> Option<&Item> {
        self.items.iter().find(|item| item.task == Some(task))
    }

    /// Whether anything has been done that a record should tell.
    #[must_use]
    pub fn has_worked(&self) -> bool {
        let is_told = self.title.is_some() || !self.decisions.is_empty();
        is_told || !self.agents.is_empty() || self.items.iter().any(|item| item.end.is_some())
    }

    fn note_discovered(&mut self, title: &str) {
        let title = masked(title);
        if self.discovered.len() < DISCOVERED_LIMIT && !self.discovered.iter().any(|known| *known == title) {
            self.discovered.push(title.into_owned());
        }
    }
}

/// How much a report tells. Each holds those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    Start,
    Light,
    Medium,
    Heavy,
    Comprehensive,
}

impl Level {
    pub const ALL: [Self; 5] = [Self::Start, Self::Light, Self::Medium, Self::Heavy, Self::Comprehensive];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Light => "light",
            Self::Medium => "medium",
            Self::Heavy => "heavy",
            Self::Comprehensive => "comprehensive",
        }
    }

    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.name() == name)
    }
}

/// Something that is told to the person, kept for good.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    pub session: SessionId,
    pub level: Level,
    pub task: Option<TaskId>,
    pub time: Wall,
    pub text: String,
    pub data: Data,
}

/// What a run did to a file, for the reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Touch {
    Created,
    Changed,
    Deleted,
}

impl Touch {
    pub const ALL: [Self; 3] = [Self::Created, Self::Changed, Self::Deleted];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Changed => "changed",
            Self::Deleted => "deleted",
        }
    }

    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|touch| touch.name() == name)
    }

    /// What is told of a file that was touched before.
    #[must_use]
    pub fn after(self, before: Option<Self>) -> Self {
        match (before, self) {
            (Some(Self::Created), Self::Changed) => Self::Created,
            (Some(Self::Deleted), Self::Created) => Self::Changed,
            (_, now) => now,
        }
    }
}

/// What the person's settings say about sessions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionPolicy {
    /// Whether work without a session begins one.
    pub is_on: bool,
    pub checkpoint_after: u32,
    /// Whether what a run writes before the scope is confirmed is taken out at once.
    pub rolls_back: bool,
    pub silence_ms: i64,
    /// The model that is at work where nobody names it.
    pub model: Option<String>,
    /// The folder that archives go to; `None` where none are written.
    pub archive: Option<String>,
    /// What every archive is tagged with.
    pub tags: Vec<String>,
}

impl Default for SessionPolicy {
    fn default() -> Self {
        Self {
            is_on: true,
            checkpoint_after: 3,
            rolls_back: false,
            silence_ms: 3_600_000,
            model: None,
            archive: Some("memory-bank/augment-sessions".to_owned()),
            tags: Vec::new(),
        }
    }
}

fn event(actor: &crate::actor::Actor, kind: &'static str, session: &Session, data: Data) -> Effect {
    Effect::Record(Event {
        actor: actor.clone(),
        kind,
        subject: Topic::Session(session.id),
        about: session.items.iter().rev().filter_map(|item| item.task).take(NAMED).map(Topic::Task).collect(),
        data,
    })
}

/// The session in another state, with the record of it.
fn moved(
    mut session: Session,
    to: SessionState,
    actor: &crate::actor::Actor,
    kind: &'static str,
    data: Data,
) -> (Session, Effect) {
    session.state = to;
    let effect = event(actor, kind, &session, data);
    (session, effect)
}
