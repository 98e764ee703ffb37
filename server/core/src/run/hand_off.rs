//! Handing work over: an agent that has reported may name who should go on. That is a proposal; a person, or the policy,
//! makes a task of it. A chain of hand-offs ends where an agent comes up twice, or where it is too long.

use std::fmt;

use super::kept::Run;
use super::record;
use super::standing::RunState;
use super::starting::has_room;
use crate::actor::Actor;
use crate::completion::{self, Report};
use crate::file::ContentHash;
use crate::id::{RunId, TaskId};
use crate::ledger::{Data, Event, Topic};
use crate::queue::{self, TaskDraft, look};
use crate::refusal::Refusal;
use crate::session::{self, SessionRefusal};
use crate::task::{NAME_LIMIT, Status, TITLE_LIMIT, Task};
use crate::text::{BadText, Lines, one_line, shortened, visible};
use crate::time::{Now, Wall};
use crate::turn::{Answer, Effect, Stop, Turn};
use crate::view::View;

/// How many agents one report may propose.
const PROPOSALS: usize = 5;
/// How long a reason may be.
const REASON_LIMIT: usize = 1_000;
/// How many characters the document of a hand-off may have that a person gives the next agent.
pub const DOCUMENT_LIMIT: usize = 256 << 10;

/// `h3`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HandOffId(pub u64);

impl fmt::Display for HandOffId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "h{}", self.0)
    }
}

impl HandOffId {
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let text = text.trim();
        let digits = text.strip_prefix(['h', 'H']).unwrap_or(text);
        digits.parse().ok().filter(|number| *number > 0).map(Self)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HandOff {
    pub id: HandOffId,
    pub from: RunId,
    pub from_agent: String,
    pub to_agent: String,
    pub reason: Option<String>,
    pub state: HandOffState,
    /// The task that was made of it.
    pub task: Option<TaskId>,
    pub proposed: Wall,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HandOffState {
    Proposed,
    Accepted,
    Dismissed,
    /// The agent was in this chain before, or the chain is too long.
    Stopped,
}

impl HandOffState {
    pub const ALL: [Self; 4] = [Self::Proposed, Self::Accepted, Self::Dismissed, Self::Stopped];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Proposed => "proposed",
            Self::Accepted => "accepted",
            Self::Dismissed => "dismissed",
            Self::Stopped => "stopped",
        }
    }

    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.name() == name)
    }
}

/// What a person says about a proposal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HandOffWord {
    /// A task is made of it. Where a document is given, it is what the next agent gets to read, to the letter; else that is
    /// what is known when it reads.
    Accept {
        document: Option<String>,
        /// Where its agent is started next: what would keep it from that refuses here, before anything has changed. One that
        /// was accepted before can be started this way as long as nobody has begun with its task.
        start: Option<HandOffStart>,
    },
    Dismiss,
}

/// What starting the agent of a hand-off is held against.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HandOffStart {
    /// How many runs of this agent may be at work, and of all agents.
    pub parallel: u32,
    pub parallel_in_all: u32,
    /// The task joins the confirmed scope of the session under way.
    pub into_scope: bool,
}

/// What is done with proposals without asking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HandOffMode {
    /// A task is made of each.
    Auto,
    Ask,
    /// None is made.
    Off,
}

impl HandOffMode {
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "auto" => Some(Self::Auto),
            "ask" => Some(Self::Ask),
            "off" => Some(Self::Off),
            _ => None,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HandOffPolicy {
    pub mode: HandOffMode,
    /// How many hand-offs may follow one another.
    pub depth: u32,
}

impl Default for HandOffPolicy {
    fn default() -> Self {
        Self { mode: HandOffMode::Ask, depth: 3 }
    }
}

/// The proposals of a run that has just ended, by what it has reported just now or before.
pub(crate) fn proposals<V: View>(
    view: &V,
    run: &Run,
    fresh: Option<&Report>,
    now: &Now,
) -> Result<Vec<Effect>, V::Error> {
    let policy = view.hand_off_policy()?;
    let reported = match run.standing.state {
        RunState::Completed | RunState::Partial | RunState::Blocked => run.facts.reported,
        RunState::Starting
        | RunState::Running
        | RunState::Waiting
        | RunState::Failed
        | RunState::Cancelled
        | RunState::TimedOut
        | RunState::Disconnected => None,
    };
    if reported.is_none() || policy.mode == HandOffMode::Off {
        return Ok(Vec::new());
    }
    let report = match fresh {
        Some(report) => Some(report.clone()),
        None => view.report(run.id)?.and_then(|text| completion::report_in(&text)),
    };
    let Some(Report { next_steps: steps, .. }) = report else { return Ok(Vec::new()) };
    let Some(task) = view.task(run.id.task)? else { return Ok(Vec::new()) };
    let chain = chain(view, run, policy.depth)?;
    let mut effects = Vec::new();
    let (mut id, mut number) = (view.next_hand_off()?, view.next_number()?);
    for step in steps.into_iter().take(PROPOSALS) {
        let to_agent = shortened(&visible(step.agent.as_str()), NAME_LIMIT - 1).into_owned();
        let is_loop = chain.agents.contains(&to_agent);
        let stopped = is_loop || chain.is_too_long;
        let mut hand_off = HandOff {
            id,
            from: run.id,
            from_agent: run.agent.clone(),
            to_agent,
            reason: step.reason.map(|reason| shortened(&one_line(&reason), REASON_LIMIT).into_owned()),
            state: if stopped { HandOffState::Stopped } else { HandOffState::Proposed },
            task: None,
            proposed: now.wall,
        };
        let data = Data::map([
            ("handOff", hand_off.id.to_string().into()),
            ("to", hand_off.to_agent.as_str().into()),
            ("reason", hand_off.reason.clone().into()),
            ("state", hand_off.state.name().into()),
        ]);
        effects.push(record(run, "hand-off.proposed", data));
        if hand_off.state == HandOffState::Proposed && policy.mode == HandOffMode::Auto {
            let made = queue::add_numbered(view, &Actor::Host, &draft(&task, &hand_off), number, now);
            if let Ok(Turn { verdict: Ok(Answer::Task(made)), effects: adding }) = made {
                hand_off.state = HandOffState::Accepted;
                hand_off.task = Some(made.id);
                number += 1;
                effects.extend(adding);
                effects.push(Effect::StartHandOff { task: made.id, agent: hand_off.to_agent.clone() });
            }
        }
        effects.push(Effect::PutHandOff(Box::new(hand_off)));
        id = HandOffId(id.0 + 1);
    }
    Ok(effects)
}

struct Chain {
    agents: Vec<String>,
    is_too_long: bool,
}

/// Who has worked before a run, hand-off by hand-off.
fn chain<V: View>(view: &V, run: &Run, depth: u32) -> Result<Chain, V::Error> {
    let mut agents = vec![run.agent.clone()];
    let mut task = run.id.task;
    for _ in 0..depth {
        let Some(before) = view.hand_off_to(task)? else {
            return Ok(Chain { agents, is_too_long: false });
        };
        agents.push(before.from_agent);
        task = before.from.task;
    }
    Ok(Chain { agents, is_too_long: true })
}

fn draft(task: &Task, hand_off: &HandOff) -> TaskDraft {
    let title = format!("{} ({} after {})", task.title, hand_off.to_agent, hand_off.from_agent);
    // The next agent hears this as its task: the words of the one before it are a quotation there.
    let reason = hand_off.reason.as_deref().map(one_line).unwrap_or_default();
    let why =
        if reason.is_empty() { reason } else { format!("In the words of {}:\n\n> {reason}\n\n", hand_off.from_agent) };
    TaskDraft {
        title: shortened(&title, TITLE_LIMIT - 1).into_owned(),
        description: format!(
            "Goes on where run {} of {} ended ({}).\n\n{why}{}",
            hand_off.from, hand_off.from_agent, hand_off.id, task.description
        )
        .trim()
        .to_owned(),
        priority: Some(task.priority.name().to_owned()),
        origin: Some("hand-off".to_owned()),
        goal: task.goal.clone(),
        scope: task.scope.clone(),
        labels: task.labels.clone(),
        capabilities: Vec::new(),
        assignee: Some(hand_off.to_agent.clone()),
        depends_on: Vec::new(),
        time_limit_ms: task.time_limit_ms,
        max_attempts: task.max_attempts,
    }
}

/// A person makes a task of a proposal, or dismisses it.
pub(crate) fn decide<V: View>(
    view: &V,
    actor: &Actor,
    wanted: &str,
    word: &HandOffWord,
    now: &Now,
) -> Result<Turn, Stop<V::Error>> {
    let unknown = || Refusal::UnknownHandOff { wanted: shortened(wanted, 60).into_owned() };
    let id = HandOffId::read(wanted).ok_or_else(unknown)?;
    let mut hand_off = look(view.hand_off(id))?.ok_or_else(unknown)?;
    let waiting = match (hand_off.state, word) {
        // A chain that was stopped may go on when a person says so.
        (HandOffState::Proposed | HandOffState::Stopped, _) => None,
        (HandOffState::Accepted, HandOffWord::Accept { start: Some(_), .. }) => Some(not_begun(view, &hand_off)?),
        (HandOffState::Accepted, _) => return Err(accepted(view, &hand_off)?.into()),
        (HandOffState::Dismissed, _) => {
            return Err(Refusal::HandOffDecided { hand_off: id, state: hand_off.state.name(), run: None }.into());
        }
    };
    let mut effects = Vec::new();
    let mut hash = None;
    if let HandOffWord::Accept { document, start } = word {
        let made = match waiting {
            Some(task) => Some(task),
            None => {
                let mut turn = make_task(view, actor, &hand_off, now)?;
                effects = std::mem::take(&mut turn.effects);
                turn.verdict.as_mut().ok().and_then(|answer| answer.task_mut().cloned())
            }
        };
        hand_off.task = made.as_ref().map(|task| task.id);
        if let (Some(start), Some(task)) = (start, &made) {
            effects.extend(admit(view, actor, &hand_off, start, task, now)?);
        }
        if let Some(document) = document {
            check_document(document)?;
            hash = Some(ContentHash::of(document.as_bytes()).to_string());
            effects.push(Effect::PutHandOffText { hand_off: id, text: document.clone() });
        }
    }
    hand_off.state = match word {
        HandOffWord::Accept { .. } => HandOffState::Accepted,
        HandOffWord::Dismiss => HandOffState::Dismissed,
    };
    let mut about = vec![Topic::Task(hand_off.from.task), Topic::Agent(hand_off.to_agent.clone())];
    about.extend(hand_off.task.map(Topic::Task));
    effects.push(Effect::Record(Event {
        actor: actor.clone(),
        kind: "hand-off.decided",
        subject: Topic::Run(hand_off.from),
        about,
        data: Data::map([
            ("handOff", id.to_string().into()),
            ("state", hand_off.state.name().into()),
            // The text may hold anything; what stands here for ever only tells whether it is still the same.
            ("document", hash.into()),
        ]),
    }));
    effects.push(Effect::PutHandOff(Box::new(hand_off.clone())));
    Ok(Turn::done(Answer::HandOff(Box::new(hand_off)), effects))
}

/// The turn that makes a task of a proposal.
fn make_task<V: View>(view: &V, actor: &Actor, hand_off: &HandOff, now: &Now) -> Result<Turn, Stop<V::Error>> {
    let unknown_task = || Refusal::UnknownTask { wanted: hand_off.from.task.to_string() };
    let task = look(view.task(hand_off.from.task))?.ok_or_else(unknown_task)?;
    queue::add(view, actor, &draft(&task, hand_off), now)
}

/// The task of a hand-off that was accepted, if nobody has begun with it.
fn not_begun<V: View>(view: &V, hand_off: &HandOff) -> Result<Task, Stop<V::Error>> {
    let task = match hand_off.task {
        Some(id) => look(view.task(id))?,
        None => None,
    };
    let Some(task) = task.filter(|task| task.attempt == 0) else { return Err(accepted(view, hand_off)?.into()) };
    if task.status == Status::Pending {
        return Ok(task);
    }
    let next = if task.status == Status::Completed { "Nothing is left to do." } else { "Retry it first." };
    Err(Refusal::WrongStatus { task: task.id, status: task.status, action: "started", next }.into())
}

/// That a hand-off was accepted before, with the run that has begun with it.
fn accepted<V: View>(view: &V, hand_off: &HandOff) -> Result<Refusal, Stop<V::Error>> {
    let task = match hand_off.task {
        Some(id) => look(view.task(id))?,
        None => None,
    };
    let begun = task.filter(|task| task.attempt > 0);
    let run = begun.map(|task| RunId { task: task.id, attempt: task.attempt });
    Ok(Refusal::HandOffDecided { hand_off: hand_off.id, state: HandOffState::Accepted.name(), run })
}

/// Whether the agent can begin with the task, and what has to change for it.
fn admit<V: View>(
    view: &V,
    actor: &Actor,
    hand_off: &HandOff,
    start: &HandOffStart,
    task: &Task,
    now: &Now,
) -> Result<Vec<Effect>, Stop<V::Error>> {
    has_room(view, &hand_off.to_agent, start.parallel, start.parallel_in_all)?;
    let gate = session::gate(view)?;
    if gate.scope().is_none_or(|scope| scope.contains(&task.id)) {
        session::may_take(view, &gate, task)?;
        return Ok(Vec::new());
    }
    if start.into_scope {
        return session::take_in(view, actor, task, now);
    }
    let session = look(view.session())?.map_or(0, |session| session.number);
    Err(SessionRefusal::HandOffNotInScope { hand_off: hand_off.id, session }.into())
}

fn check_document(document: &str) -> Result<(), Refusal> {
    if document.trim().is_empty() {
        return Err(Refusal::BadText { field: "document", problem: BadText::Empty });
    }
    queue::check_text("document", document, Lines::Many, DOCUMENT_LIMIT)
}
