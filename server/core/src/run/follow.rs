//! What the host saw of a run, and what follows from it: how the run stands now, and what becomes of its task. A word of a
//! run whose lease is gone changes nothing; it is kept for whoever looks.

use super::kept::{LastSign, Run, Sign};
use super::standing::{Asked, End, Process, Reported, RunState, Standing, Stopped, Why, judge};
use crate::actor::Actor;
use crate::id::RunId;
use crate::ledger::{Data, Event, Topic};
use crate::queue::{self, Ending, Finish};
use crate::task::Task;
use crate::time::Now;
use crate::turn::{Answer, Effect, Turn};
use crate::view::View;

/// Something that was seen or heard of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunEvent {
    Heard(Sign),
    /// It has shown that it works: it answered, or wrote its first output.
    Began,
    /// Its process has ended; what it started may go on.
    Exited,
    /// Nothing of it is left.
    Gone(End),
    TurnBegan,
    TurnEnded(Stopped),
    Reported {
        reported: Reported,
        summary: String,
    },
    /// A tool of its own succeeded, or a change of its own was seen.
    Worked,
    /// A tool or a model call of its own failed.
    Failed {
        message: String,
    },
    Asks,
    Answered,
    StopAsked,
    TimeUp,
}

/// How many silent runs one turn notes at most; the rest follow in the next turns.
const RUNS_A_TURN: usize = 256;

impl RunEvent {
    /// What it tells about its being alive; `None` where somebody else speaks.
    fn sign(&self) -> Option<Sign> {
        match self {
            Self::Heard(sign) => Some(*sign),
            Self::Began => Some(Sign::Started),
            Self::TurnBegan | Self::TurnEnded(_) | Self::Reported { .. } | Self::Asks => Some(Sign::Message),
            Self::Worked | Self::Failed { .. } => Some(Sign::Tool),
            Self::Exited | Self::Gone(_) | Self::Answered | Self::StopAsked | Self::TimeUp => None,
        }
    }

    fn name(&self) -> &'static str {
        match self {
            Self::Heard(_) => "heard",
            Self::Began => "began",
            Self::Exited => "exited",
            Self::Gone(_) => "gone",
            Self::TurnBegan => "turn-began",
            Self::TurnEnded(_) => "turn-ended",
            Self::Reported { .. } => "reported",
            Self::Worked => "worked",
            Self::Failed { .. } => "failed",
            Self::Asks => "asks",
            Self::Answered => "answered",
            Self::StopAsked => "stop-asked",
            Self::TimeUp => "time-up",
        }
    }

    fn apply(&self, run: &mut Run) {
        let facts = &mut run.facts;
        match self {
            Self::Heard(_) => {}
            Self::Began => {
                if facts.process == Process::Starting {
                    facts.process = Process::Alive;
                }
            }
            Self::Exited => facts.process = Process::Leaving,
            Self::Gone(end) => facts.process = Process::Ended(*end),
            Self::TurnBegan => facts.stopped = None,
            Self::TurnEnded(stopped) => facts.stopped = Some(*stopped),
            Self::Reported { reported, summary } => {
                facts.reported = Some(*reported);
                run.message = Some(summary.clone());
            }
            Self::Worked => (facts.has_worked, facts.has_failed) = (true, false),
            Self::Failed { message } => {
                facts.has_failed = true;
                run.message = Some(message.clone());
            }
            Self::Asks => run.questions = run.questions.saturating_add(1),
            Self::Answered => run.questions = run.questions.saturating_sub(1),
            Self::StopAsked => facts.asked = Asked::Stop,
            Self::TimeUp => facts.asked = Asked::TimeUp,
        }
        run.facts.has_question = run.questions > 0;
    }
}

/// Takes in what was seen of a run.
pub(crate) fn followed<V: View>(view: &V, id: RunId, event: &RunEvent, now: &Now) -> Result<Turn, V::Error> {
    let (Some(mut run), Some(task)) = (view.run(id)?, view.task(id.task)?) else {
        return Ok(Turn::done(Answer::Noted, Vec::new()));
    };
    let holds = task.attempt == id.attempt && task.lease.is_some();
    if run.standing.state.is_ended() || !holds {
        return Ok(Turn::done(Answer::Noted, too_late(run, event)));
    }
    event.apply(&mut run);
    let mut effects = Vec::new();
    let mut task = task;
    if let Some(sign) = event.sign() {
        run.last_sign = LastSign::at(sign, now);
        task = queue::renewed(task, now);
        effects.push(Effect::PutTask(Box::new(task.clone())));
    }
    effects.extend(settle(run, task, now));
    Ok(Turn::done(Answer::Noted, effects))
}

/// Notes the runs that have been silent for too long.
pub(crate) fn silent<V: View>(view: &V, now: &Now) -> Result<Vec<Effect>, V::Error> {
    let mut effects = Vec::new();
    for id in view.runs_silent(&now.boot, now.steady, RUNS_A_TURN)? {
        let (Some(run), Some(task)) = (view.run(id)?, view.task(id.task)?) else { continue };
        // One whose lease is due ends with it.
        let is_due = task.lease.as_ref().is_none_or(|lease| lease.boot != now.boot || lease.due <= now.steady);
        if !is_due {
            effects.extend(settle(run, task, now));
        }
    }
    Ok(effects)
}

/// A late word is recorded where it says something, and what became of the process is kept up to date.
fn too_late(mut run: Run, event: &RunEvent) -> Vec<Effect> {
    let mut effects = Vec::new();
    match event {
        RunEvent::Heard(_) | RunEvent::TurnBegan | RunEvent::Worked | RunEvent::Answered => return effects,
        RunEvent::Began
        | RunEvent::Exited
        | RunEvent::Gone(_)
        | RunEvent::TurnEnded(_)
        | RunEvent::Reported { .. }
        | RunEvent::Failed { .. }
        | RunEvent::Asks
        | RunEvent::StopAsked
        | RunEvent::TimeUp => {}
    }
    let said = match event {
        RunEvent::Reported { summary, .. } => Some(summary.clone()),
        RunEvent::Failed { message } => Some(message.clone()),
        RunEvent::Heard(_)
        | RunEvent::Began
        | RunEvent::Exited
        | RunEvent::Gone(_)
        | RunEvent::TurnBegan
        | RunEvent::TurnEnded(_)
        | RunEvent::Worked
        | RunEvent::Asks
        | RunEvent::Answered
        | RunEvent::StopAsked
        | RunEvent::TimeUp => None,
    };
    let data = Data::map([("word", event.name().into()), ("said", said.into())]);
    effects.push(record(&run, "run.late-word", data));
    if let RunEvent::Exited | RunEvent::Gone(_) = event {
        event.apply(&mut run);
        effects.push(Effect::PutRun(Box::new(run)));
    }
    effects
}

/// Judges anew, and tells what changed by it.
fn settle(mut run: Run, task: Task, now: &Now) -> Vec<Effect> {
    run.facts.heard = run.heard(now);
    let standing = judge(&run.facts);
    if standing == run.standing {
        return vec![Effect::PutRun(Box::new(run))];
    }
    let was = std::mem::replace(&mut run.standing, standing);
    let kind = match (was.state, standing.state) {
        (RunState::Disconnected, RunState::Running | RunState::Waiting | RunState::Starting) => "run.reconnected",
        (from, to) if from == to => "run.noted",
        (_, _) => "run.state",
    };
    let data = Data::map([
        ("from", was.state.name().into()),
        ("to", standing.state.name().into()),
        ("why", standing.why.to_string().into()),
        ("lastSign", run.last_sign.sign.name().into()),
    ]);
    let mut effects = vec![record(&run, kind, data)];
    let concluded = conclude(&run, task, now);
    if concluded.is_some() {
        run.ended = Some(now.wall);
    }
    effects.push(Effect::PutRun(Box::new(run)));
    effects.extend(concluded.into_iter().flatten());
    effects
}

/// What becomes of the task. A run that is only silent keeps it until its lease runs out.
fn conclude(run: &Run, mut task: Task, now: &Now) -> Option<Vec<Effect>> {
    let Standing { state, why } = run.standing;
    let reason = why.to_string();
    let is_dead = matches!(run.facts.process, Process::Ended(_));
    let ending = match state {
        RunState::Starting | RunState::Running | RunState::Waiting => return None,
        RunState::Disconnected if !is_dead => return None,
        RunState::Disconnected | RunState::TimedOut => return Some(queue::given_back(task, &reason, now)),
        RunState::Cancelled => return Some(queue::let_go(task, &reason)),
        RunState::Completed => Ending::Completed,
        RunState::Partial => Ending::Partial,
        RunState::Blocked => Ending::Blocked,
        RunState::Failed => Ending::Failed,
    };
    let said = run.message.clone().filter(|_| why == Why::Reported);
    let result = said.or_else(|| Some(format!("{}: {reason}.", run.agent)));
    Some(queue::ended(&mut task, &Actor::Run { run: run.id }, &Finish { ending, result }, now))
}

fn record(run: &Run, kind: &'static str, data: Data) -> Effect {
    Effect::Record(Event {
        actor: Actor::Host,
        kind,
        subject: Topic::Run(run.id),
        about: vec![Topic::Task(run.id.task), Topic::Agent(run.agent.clone())],
        data,
    })
}
