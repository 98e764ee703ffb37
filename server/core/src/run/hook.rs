//! What hooks of agents tell: a second look at agents that we may not even have started. A hook is a sign of life, a word
//! about files, and a chance to say no; an agent that ignores it loses nothing but the word.

use super::Leave;
use super::asking::are_plain;
use super::follow::{RunEvent, Telling, followed};
use super::kept::{Adapter, Run, Sign};
use super::standing::Asked;
use crate::actor::Actor;
use crate::file::FilePath;
use crate::queue::look;
use crate::review::{self, FileClaim};
use crate::session;
use crate::time::Now;
use crate::turn::{Answer, Effect, Stop, Turn};
use crate::view::View;

/// How many runs are looked through for the one that a hook may belong to.
const RUNS: usize = 256;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookSeen {
    pub agent: String,
    pub moment: HookMoment,
    /// The files it writes, in the workspace.
    pub writes: Vec<String>,
    /// The tool is known to change nothing. Of a shell nobody knows.
    pub only_reads: bool,
    pub failure: Option<String>,
    pub leave: Leave,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HookMoment {
    Begins,
    BeforeTool,
    AfterTool,
    TurnEnded,
    Ends,
    Other,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HookVerdict {
    Allow,
    Deny {
        reason: String,
    },
    /// The agent does what it would do without us.
    Nothing,
}

pub(crate) fn seen<V: View>(view: &V, actor: &Actor, hook: &HookSeen, now: &Now) -> Result<Turn, Stop<V::Error>> {
    let run = match actor {
        Actor::Run { run } => look(view.run(*run))?,
        Actor::Person { .. } | Actor::Host => look(attached(view, &hook.agent))?,
    };
    let writes = hook.moment == HookMoment::BeforeTool && !hook.writes.is_empty();
    let may_write = hook.moment == HookMoment::BeforeTool && !hook.only_reads;
    let forbidden = if may_write { look(session::forbids_writing(view))? } else { None };
    let Some(run) = run else {
        let effects = if writes { look(session::work_seen(view, &hook.agent, now))? } else { Vec::new() };
        let outside = if writes { look(session::outside(view, None, &hook.writes))? } else { Vec::new() };
        let verdict = match forbidden {
            Some(reason) => HookVerdict::Deny { reason },
            None if outside.is_empty() => HookVerdict::Nothing,
            None => HookVerdict::Deny {
                reason: format!(
                    "{} lies outside the confirmed scope. Ask the person to widen it (`augment-cli session adjust --add-path PATTERN`), or go on with something else.",
                    named(&outside)
                ),
            },
        };
        return Ok(Turn::done(Answer::Hook(verdict), effects));
    };
    let is_over = run.ended.is_some() || run.facts.asked != Asked::Nothing;
    if is_over {
        let verdict = match hook.moment {
            HookMoment::BeforeTool => HookVerdict::Deny {
                reason: format!("Run {} is over: {}. Stop working on this task.", run.id, run.standing.why),
            },
            HookMoment::Begins
            | HookMoment::AfterTool
            | HookMoment::TurnEnded
            | HookMoment::Ends
            | HookMoment::Other => HookVerdict::Nothing,
        };
        return Ok(Turn::done(Answer::Hook(verdict), Vec::new()));
    }
    let mut effects = look(followed(view, run.id, &event(hook), now))?.effects;
    let outside = if writes { look(session::outside(view, Some(run.id), &hook.writes))? } else { Vec::new() };
    let verdict = match (hook.moment, hook.leave) {
        (HookMoment::BeforeTool, _) if forbidden.is_some() => {
            HookVerdict::Deny { reason: forbidden.unwrap_or_default() }
        }
        (HookMoment::BeforeTool, _) if !outside.is_empty() => {
            let paths = named(&outside);
            let why = format!("{} wants to write there", run.agent);
            effects.extend(look(session::asked_for(view, run.id, outside, &why, None, now))?);
            HookVerdict::Deny {
                reason: format!(
                    "{paths} lies outside the confirmed scope. The person is asked; go on with something else, or log it as discovered."
                ),
            }
        }
        (HookMoment::BeforeTool, Leave::Refuse) if !hook.writes.is_empty() => HookVerdict::Deny {
            reason: "Agents may not write: agents.permission is `refuse`. Ask the person to change that.".to_owned(),
        },
        (HookMoment::BeforeTool, Leave::Give) if look(are_plain(view, &hook.writes))? => HookVerdict::Allow,
        (_, Leave::Ask | Leave::Give | Leave::Refuse) => HookVerdict::Nothing,
    };
    if verdict_lets(&verdict) {
        effects.extend(look(claims(view, &run, hook, now))?);
    }
    Ok(Turn::done(Answer::Hook(verdict), effects))
}

fn named(paths: &[FilePath]) -> String {
    paths.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

fn verdict_lets(verdict: &HookVerdict) -> bool {
    match verdict {
        HookVerdict::Allow | HookVerdict::Nothing => true,
        HookVerdict::Deny { .. } => false,
    }
}

fn event(hook: &HookSeen) -> RunEvent {
    match (hook.moment, &hook.failure) {
        (HookMoment::AfterTool, Some(message)) => {
            RunEvent::Failed { message: message.clone(), telling: Telling::Recorded }
        }
        (HookMoment::AfterTool, None) => RunEvent::Worked,
        (
            HookMoment::Begins | HookMoment::BeforeTool | HookMoment::TurnEnded | HookMoment::Ends | HookMoment::Other,
            _,
        ) => RunEvent::Heard(Sign::Hook),
    }
}

/// The one run of an agent of this name that somebody else started.
fn attached<V: View>(view: &V, agent: &str) -> Result<Option<Run>, V::Error> {
    let mut found = None;
    for id in view.active_runs(RUNS)? {
        let is_meant = |run: &Run| run.adapter == Adapter::Attached && is_same(&run.agent, agent);
        let Some(run) = view.run(id)?.filter(is_meant) else { continue };
        if found.is_some() {
            return Ok(None);
        }
        found = Some(run);
    }
    Ok(found)
}

/// Agents whose hooks call them otherwise than people do.
const ALIASES: [(&str, &str); 2] = [("claude-code", "claude"), ("gemini", "gemini-cli")];

fn is_same(run: &str, hook: &str) -> bool {
    let is = |one: &str, other: &str| one.eq_ignore_ascii_case(other);
    is(run, hook)
        || ALIASES.iter().any(|(one, other)| (is(hook, one) && is(run, other)) || (is(hook, other) && is(run, one)))
}

/// Its words about files. A path that is none is left out: a hook must never fail its agent.
fn claims<V: View>(view: &V, run: &Run, hook: &HookSeen, now: &Now) -> Result<Vec<Effect>, V::Error> {
    let mut effects = Vec::new();
    for path in &hook.writes {
        let claim = FileClaim { path: path.clone(), hash: None, task: None };
        match review::claim(view, &Actor::Run { run: run.id }, &claim, now) {
            Ok(turn) => effects.extend(turn.effects),
            Err(Stop::Refused(_)) => {}
            Err(Stop::Failed(error)) => return Err(error),
        }
    }
    Ok(effects)
}
