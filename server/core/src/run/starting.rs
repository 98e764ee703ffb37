//! Starting agents: who may begin a run, and how many may be at work at once. Taking the task and beginning the run is one
//! turn, so that no task is worked on twice; the process follows after it.

use std::collections::BTreeSet;

use super::kept::{Kept, Run};
use crate::actor::Actor;
use crate::agent::AllowedText;
use crate::ledger::{Data, Event, Topic};
use crate::queue::{self, Claim, look};
use crate::refusal::Refusal;
use crate::time::Now;
use crate::turn::{Answer, Effect, Stop, Turn};
use crate::view::View;

/// An agent is to be started on a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Start {
    /// Without one: the task that comes first for this agent.
    pub task: Option<String>,
    pub agent: String,
    pub capabilities: BTreeSet<String>,
    pub how: Kept,
    pub lease_ms: i64,
    pub token_hash: [u8; 32],
    /// How many runs of this agent may be at work, and of all agents.
    pub parallel: u32,
    pub parallel_in_all: u32,
}

pub(crate) fn start<V: View>(view: &V, actor: &Actor, start: &Start, now: &Now) -> Result<Turn, Stop<V::Error>> {
    has_room(view, &start.agent, start.parallel, start.parallel_in_all)?;
    let claim = Claim {
        agent: start.agent.clone(),
        capabilities: start.capabilities.clone(),
        lease_ms: start.lease_ms,
        token_hash: start.token_hash,
    };
    let begin = |id, agent: &str| Run::kept(id, agent, &start.how, now);
    match &start.task {
        Some(task) => queue::claim_for(view, actor, task, &claim, begin, now),
        None => queue::take_next_for(view, actor, &claim, begin, now),
    }
}

/// Whether one more run of an agent may be at work, beside all others.
pub(super) fn has_room<V: View>(
    view: &V,
    agent: &str,
    parallel: u32,
    parallel_in_all: u32,
) -> Result<(), Stop<V::Error>> {
    let (of_agent, in_all) = look(view.processes(agent))?;
    if of_agent >= parallel {
        return Err(Refusal::TooManyRuns { agent: Some(agent.to_owned()), limit: parallel }.into());
    }
    if in_all >= parallel_in_all {
        return Err(Refusal::TooManyRuns { agent: None, limit: parallel_in_all }.into());
    }
    Ok(())
}

/// A person allows an agent of the workspace, exactly as it is configured.
pub(crate) fn allow(actor: &Actor, name: &str, hash: &str, text: &AllowedText) -> Turn {
    let event = Event {
        actor: actor.clone(),
        kind: "agent.allowed",
        subject: Topic::Agent(name.to_owned()),
        about: Vec::new(),
        data: Data::map([("hash", hash.into())]),
    };
    let allow = Effect::AllowAgent { name: name.to_owned(), hash: hash.to_owned(), text: text.clone() };
    Turn::done(Answer::Noted, vec![Effect::Record(event), allow])
}
