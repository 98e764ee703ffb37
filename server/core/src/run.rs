//! Runs: what is known of each attempt of an agent at a task, how that makes it stand, and what follows for the task; what
//! runs ask, and whom they hand over to. The host tells what it saw; nothing here sees a process.

mod asking;
mod follow;
mod hand_off;
mod hook;
mod kept;
mod prompt;
mod question;
mod standing;
mod starting;

pub use asking::{Asks, Leave, Wish, Word, answers_text};
pub(crate) use asking::{answer, ask, withdraw};
pub use follow::{Note, RunEvent, Telling};
pub(crate) use follow::{end_kept, followed, log_discovered, report, silent, stop};
pub use hand_off::{
    DOCUMENT_LIMIT, HandOff, HandOffId, HandOffMode, HandOffPolicy, HandOffStart, HandOffState, HandOffWord,
};
pub(crate) use hand_off::{decide as decide_hand_off, proposals};
pub(crate) use hook::seen as hook_seen;
pub use hook::{HookMoment, HookSeen, HookVerdict};
pub use kept::{Adapter, Kept, LastSign, Resources, Run, Sign, Usage};
pub use prompt::prompt;
pub use question::{
    ANSWER_LIMIT, AnswerOption, Answered, AnsweredBy, DETAIL_LIMIT, OPTIONS_LIMIT, Question, QuestionId, QuestionKind,
};
pub use standing::{Asked, DoneBy, End, Facts, Heard, Process, Reported, RunState, Standing, Stopped, Why, judge};
pub use starting::Start;
pub(crate) use starting::{allow, start};

use crate::actor::Actor;
use crate::ledger::{Data, Event, Topic};
use crate::turn::Effect;

/// A record about a run, in the host's words.
fn record(run: &Run, kind: &'static str, data: Data) -> Effect {
    record_of(run, Actor::Host, kind, data)
}

/// The same of what somebody else said or did.
fn record_of(run: &Run, actor: Actor, kind: &'static str, data: Data) -> Effect {
    Effect::Record(Event {
        actor,
        kind,
        subject: Topic::Run(run.id),
        about: vec![Topic::Task(run.id.task), Topic::Agent(run.agent.clone())],
        data,
    })
}
