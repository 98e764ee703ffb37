//! What the host saw of a run, and what follows from it: how the run stands now, and what becomes of its task. A word of a
//! run that has ended, or whose lease is gone, changes nothing; it is kept for whoever looks.

use super::asking::{self, said};
use super::kept::{Adapter, LastSign, Resources, Run, Sign, Usage};
use super::standing::{Asked, End, Process, Reported, RunState, Standing, Stopped, Why, judge};
use super::{Wish, proposals, record, record_of};
use crate::actor::Actor;
use crate::completion::{self, Report};
use crate::id::RunId;
use crate::ledger::Data;
use crate::queue::{self, Ending, Finish, TaskDraft, look};
use crate::refusal::Refusal;
use crate::scan::{masked, without_credentials};
use crate::task::{RESULT_LIMIT, Task};
use crate::text::shortened;
use crate::time::Now;
use crate::turn::{Answer, Effect, Processes, Stop, Turn};
use crate::view::View;

/// Something that was seen or heard of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunEvent {
    Heard(Sign),
    /// It has shown that it works: it answered, or wrote its first output.
    Began {
        /// Its name and version, where it tells.
        agent: Option<String>,
    },
    /// Its process has ended; what it started may go on.
    Exited,
    /// Nothing of it is left.
    Gone {
        end: End,
        /// How many processes did not leave by themselves.
        killed: u64,
        /// What all of it used, where its keeper lived to see.
        resources: Option<Resources>,
    },
    TurnBegan,
    TurnEnded(Stopped),
    Reported(Box<Report>),
    /// It says that it has failed.
    GaveUp {
        message: String,
    },
    /// The last words of its turn, or of its output.
    Said {
        message: String,
    },
    /// A tool of its own succeeded, or a change of its own was seen.
    Worked,
    /// A tool or a model call of its own failed.
    Failed {
        message: String,
        telling: Telling,
    },
    Wishes(Box<Wish>),
    /// It does not wait for this wish any more.
    Withdrew {
        key: String,
    },
    TimeUp,
    Used(Usage),
    Noted {
        note: Note,
        message: String,
    },
}

/// Whether something leaves a record of its own. An agent can fail as often as it likes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Telling {
    Recorded,
    Counted,
}

/// Something about a run that changes nothing, but that a person should be able to find.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Note {
    /// Nothing holds it to the folders it may write to.
    Unconfined,
    /// It was kept from writing somewhere.
    Confined,
    NotUnderstood,
    OutputDropped,
    BadReport,
    /// Some of its processes do not end.
    Stuck,
    /// Its keeper was gone, and what was left of it was ended from here.
    LeftBehind,
    /// While it ran, something changed that steers programs of the person's and is not reviewed.
    ControlChanged,
    Adopted,
}

impl Note {
    fn kind(self) -> &'static str {
        match self {
            Self::Unconfined => "run.unconfined",
            Self::Confined => "run.confined",
            Self::NotUnderstood => "run.not-understood",
            Self::OutputDropped => "run.output-dropped",
            Self::BadReport => "run.bad-report",
            Self::Stuck => "run.stuck",
            Self::LeftBehind => "run.left-behind",
            Self::ControlChanged => "run.control-changed",
            Self::Adopted => "run.adopted",
        }
    }
}

/// How many silent runs one turn notes at most; the rest follow in the next turns.
const RUNS_A_TURN: usize = 256;
/// How many discovered tasks one run may log.
const DISCOVERED_LIMIT: u32 = 50;
/// How much of what an agent said last is kept with its run.
const MESSAGE_LIMIT: usize = 4_000;

impl RunEvent {
    /// What it tells about its being alive; `None` where somebody else speaks.
    fn sign(&self) -> Option<Sign> {
        match self {
            Self::Heard(sign) => Some(*sign),
            Self::Began { .. } => Some(Sign::Started),
            Self::TurnBegan
            | Self::TurnEnded(_)
            | Self::Reported(_)
            | Self::GaveUp { .. }
            | Self::Worked
            | Self::Failed { .. }
            | Self::Wishes(_)
            | Self::Withdrew { .. }
            | Self::Used(_) => Some(Sign::Message),
            // It was silent because nobody was there to hear it.
            Self::Noted { note: Note::Adopted, .. } => Some(Sign::Process),
            Self::Exited | Self::Gone { .. } | Self::Said { .. } | Self::TimeUp | Self::Noted { .. } => None,
        }
    }

    fn name(&self) -> &'static str {
        match self {
            Self::Heard(_) => "heard",
            Self::Began { .. } => "began",
            Self::Exited => "exited",
            Self::Gone { .. } => "gone",
            Self::TurnBegan => "turn-began",
            Self::TurnEnded(_) => "turn-ended",
            Self::Reported(_) => "reported",
            Self::GaveUp { .. } => "gave-up",
            Self::Said { .. } => "said",
            Self::Worked => "worked",
            Self::Failed { .. } => "failed",
            Self::Wishes(_) => "wishes",
            Self::Withdrew { .. } => "withdrew",
            Self::TimeUp => "time-up",
            Self::Used(_) => "used",
            Self::Noted { .. } => "noted",
        }
    }

    /// The same without the credentials that the run put into its words. What it wishes stays as it is: a person has to
    /// see what they allow.
    fn without_credentials(self) -> Self {
        let kept = |text: String| without_credentials(&text).into_owned();
        match self {
            Self::Reported(report) => Self::Reported(Box::new(report.without_credentials())),
            Self::GaveUp { message } => Self::GaveUp { message: kept(message) },
            Self::Said { message } => Self::Said { message: kept(message) },
            Self::Failed { message, telling } => Self::Failed { message: kept(message), telling },
            Self::Noted { note, message } => Self::Noted { note, message: kept(message) },
            event @ (Self::Heard(_)
            | Self::Began { .. }
            | Self::Exited
            | Self::Gone { .. }
            | Self::TurnBegan
            | Self::TurnEnded(_)
            | Self::Worked
            | Self::Wishes(_)
            | Self::Withdrew { .. }
            | Self::TimeUp
            | Self::Used(_)) => event,
        }
    }

    fn apply(&self, run: &mut Run) {
        let facts = &mut run.facts;
        match self {
            // Why there seems to be no report.
            Self::Noted { note: Note::BadReport, message } => run.message = Some(said(message, MESSAGE_LIMIT)),
            // The host before may have been killed after it heard that it began and before it could say so.
            Self::Began { .. } | Self::Noted { note: Note::Adopted, .. } => {
                if facts.process == Process::Starting {
                    facts.process = Process::Alive;
                }
            }
            Self::Heard(_) | Self::Wishes(_) | Self::Withdrew { .. } | Self::Noted { .. } => {}
            Self::Exited => facts.process = Process::Leaving,
            Self::Gone { end, resources, .. } => {
                facts.process = Process::Ended(*end);
                // Who only finds it gone knows nothing better.
                run.resources = resources.or(run.resources);
            }
            // What it said of its work before was about the turn before.
            Self::TurnBegan => (facts.stopped, facts.reported) = (None, None),
            Self::TurnEnded(stopped) => facts.stopped = Some(*stopped),
            Self::Reported(report) => {
                facts.reported = Some(match report.status {
                    completion::Status::Completed => Reported::Completed,
                    completion::Status::Partial => Reported::Partial,
                    completion::Status::Blocked => Reported::Blocked,
                });
                run.message = Some(said(&report.summary, MESSAGE_LIMIT));
            }
            Self::GaveUp { message } => {
                facts.reported = Some(Reported::Failed);
                run.message = Some(said(message, MESSAGE_LIMIT));
            }
            // What it reported says more, and what went wrong matters more.
            Self::Said { message } => {
                if facts.reported.is_none() && !facts.has_failed {
                    run.message = Some(said(message, MESSAGE_LIMIT));
                }
            }
            Self::Worked => (facts.has_worked, facts.has_failed) = (true, false),
            Self::Failed { message, .. } => {
                facts.has_failed = true;
                run.message = Some(said(message, MESSAGE_LIMIT));
            }
            Self::TimeUp => {
                if facts.asked == Asked::Nothing {
                    facts.asked = Asked::TimeUp;
                }
            }
            Self::Used(usage) => run.usage = Some(usage.clone()),
        }
    }

    /// What became of the process is taken in also when nothing that the run says counts any more.
    fn is_about_the_process(&self) -> bool {
        match self {
            Self::Exited | Self::Gone { .. } | Self::Noted { .. } | Self::TimeUp => true,
            Self::Heard(_)
            | Self::Began { .. }
            | Self::TurnBegan
            | Self::TurnEnded(_)
            | Self::Reported(_)
            | Self::GaveUp { .. }
            | Self::Said { .. }
            | Self::Worked
            | Self::Failed { .. }
            | Self::Wishes(_)
            | Self::Withdrew { .. }
            | Self::Used(_) => false,
        }
    }
}

/// Takes in what was seen of a run.
pub(crate) fn followed<V: View>(view: &V, id: RunId, event: &RunEvent, now: &Now) -> Result<Turn, V::Error> {
    let Some(run) = view.run(id)? else {
        return Ok(Turn::done(Answer::Noted, Vec::new()));
    };
    let held = task_held(view, &run)?;
    let is_fenced = match run.adapter {
        Adapter::Attached => held.is_none(),
        Adapter::Acp | Adapter::Command => run.facts.asked == Asked::LeaseOut && !event.is_about_the_process(),
    };
    let effects =
        if run.ended.is_some() || is_fenced { too_late(run, event) } else { taken_in(view, run, held, event, now)? };
    Ok(Turn::done(Answer::Noted, effects))
}

/// The run's task, while the run holds it.
fn task_held<V: View>(view: &V, run: &Run) -> Result<Option<Task>, V::Error> {
    let task = view.task(run.id.task)?;
    Ok(task.filter(|task| task.attempt == run.id.attempt && task.lease.is_some()))
}

fn taken_in<V: View>(
    view: &V,
    mut run: Run,
    mut held: Option<Task>,
    event: &RunEvent,
    now: &Now,
) -> Result<Vec<Effect>, V::Error> {
    // What is kept of a run's words is shown to everybody who looks at its task.
    let event = &event.clone().without_credentials();
    // A script reports with its token and prints the same for whoever reads its output.
    let is_repeated = if let RunEvent::Reported(report) = event { is_known(view, &run, report)? } else { false };
    event.apply(&mut run);
    let mut effects = Vec::new();
    if let Some(sign) = event.sign() {
        run.last_sign = LastSign::at(sign, now);
        if let Some(task) = held.take() {
            let task = queue::renewed(task, now);
            effects.push(Effect::PutTask(Box::new(task.clone())));
            held = Some(task);
        }
    }
    match event {
        RunEvent::Wishes(wish) => effects.extend(asking::wished(view, &mut run, wish, now)?),
        RunEvent::Withdrew { key } => effects.extend(asking::withdraw(view, &mut run, Some(key), now)?),
        RunEvent::Reported(report) if !is_repeated => effects.extend(reported(view, &mut run, report, now)?),
        RunEvent::Reported(_) => {}
        RunEvent::Began { agent: Some(agent) } => {
            effects.push(record(&run, "run.began", Data::map([("agent", said(agent, 200).into())])));
        }
        RunEvent::Gone { end, killed, resources } => {
            let data = Data::map([
                ("process", end.code().into()),
                ("killed", (*killed).into()),
                ("cpuMs", resources.map_or(Data::Null, |used| used.cpu_ms.into())),
                ("peakMemoryBytes", resources.map_or(Data::Null, |used| used.peak_memory_bytes.into())),
            ]);
            effects.push(record(&run, "run.gone", data));
            effects.extend(asking::withdraw(view, &mut run, None, now)?);
        }
        RunEvent::Failed { message, telling: Telling::Recorded } => {
            let data = Data::map([("message", said(message, MESSAGE_LIMIT).into())]);
            effects.push(record(&run, "run.step-failed", data));
        }
        RunEvent::Noted { note, message } => {
            effects.push(record(&run, note.kind(), Data::map([("message", said(message, MESSAGE_LIMIT).into())])));
        }
        RunEvent::Heard(_)
        | RunEvent::Began { agent: None }
        | RunEvent::Failed { telling: Telling::Counted, .. }
        | RunEvent::Exited
        | RunEvent::TurnBegan
        | RunEvent::TurnEnded(_)
        | RunEvent::GaveUp { .. }
        | RunEvent::Said { .. }
        | RunEvent::Worked
        | RunEvent::TimeUp
        | RunEvent::Used(_) => {}
    }
    // What is reported in this very turn cannot be read from the view yet.
    let fresh = if let RunEvent::Reported(report) = event { Some(&**report) } else { None };
    effects.extend(settle(view, run, held, fresh, now)?);
    Ok(effects)
}

/// Whether a run has reported just this before.
fn is_known<V: View>(view: &V, run: &Run, report: &Report) -> Result<bool, V::Error> {
    if run.facts.reported.is_none() {
        return Ok(false);
    }
    let Some(text) = view.report(run.id)? else { return Ok(false) };
    let known = completion::report_in(&text);
    // Who says it and when may stand in the one and not in the other.
    Ok(known.is_some_and(|known| {
        Report { agent: None, timestamp: None, ..known } == Report { agent: None, timestamp: None, ..report.clone() }
    }))
}

/// What a report brings about besides what it says of the run.
fn reported<V: View>(view: &V, run: &mut Run, report: &Report, now: &Now) -> Result<Vec<Effect>, V::Error> {
    let data = Data::map([
        ("status", report.status.word().into()),
        ("summary", said(&report.summary, MESSAGE_LIMIT).into()),
        ("nextSteps", report.next_steps.iter().map(|step| step.agent.to_string()).collect::<Vec<_>>().into()),
        ("decisions", u64::try_from(report.decisions.len()).unwrap_or(u64::MAX).into()),
    ]);
    let mut effects = vec![
        record_of(run, Actor::Run { run: run.id }, "run.reported", data),
        Effect::PutReport { run: run.id, report: completion::write(report) },
    ];
    effects.extend(asking::decision_points(view, run, report, now)?);
    Ok(effects)
}

/// Notes the runs that have been silent for too long. Of one whose process nobody sees, nobody can say.
pub(crate) fn silent<V: View>(view: &V, processes: Processes, now: &Now) -> Result<Vec<Effect>, V::Error> {
    let mut effects = Vec::new();
    for id in view.runs_silent(&now.boot, now.steady, RUNS_A_TURN)? {
        let Some(run) = view.run(id)?.filter(|run| processes == Processes::Seen || !run.has_process()) else {
            continue;
        };
        let held = task_held(view, &run)?;
        // One whose lease is due ends with it.
        let is_due = held.as_ref().is_some_and(|task| {
            task.lease.as_ref().is_none_or(|lease| lease.boot != now.boot || lease.due <= now.steady)
        });
        if !is_due {
            effects.extend(settle(view, run, held, None, now)?);
        }
    }
    Ok(effects)
}

/// A late word is recorded where it says something, and what became of the process is kept up to date.
fn too_late(mut run: Run, event: &RunEvent) -> Vec<Effect> {
    let mut effects = Vec::new();
    let (says, message) = match event {
        RunEvent::Heard(_)
        | RunEvent::TurnBegan
        | RunEvent::Said { .. }
        | RunEvent::Worked
        | RunEvent::Withdrew { .. }
        | RunEvent::Used(_) => {
            return effects;
        }
        RunEvent::Reported(report) => (event.name(), Some(said(&report.summary, MESSAGE_LIMIT))),
        RunEvent::Failed { message, .. } | RunEvent::GaveUp { message } | RunEvent::Noted { message, .. } => {
            (event.name(), Some(said(message, MESSAGE_LIMIT)))
        }
        RunEvent::Wishes(wish) => (event.name(), Some(said(&wish.title, MESSAGE_LIMIT))),
        RunEvent::Began { .. }
        | RunEvent::Exited
        | RunEvent::Gone { .. }
        | RunEvent::TurnEnded(_)
        | RunEvent::TimeUp => (event.name(), None),
    };
    effects.push(record(&run, "run.late-word", Data::map([("word", says.into()), ("said", message.into())])));
    if let RunEvent::Wishes(wish) = event {
        let word = super::Word::Permission { key: wish.key.clone(), choice: wish.refuse.clone() };
        effects.push(Effect::TellAgent { run: run.id, word });
    }
    if let RunEvent::Exited | RunEvent::Gone { .. } = event {
        event.apply(&mut run);
        effects.push(Effect::PutRun(Box::new(run)));
    }
    effects
}

/// Judges a run anew whose questions have changed.
pub(super) fn settled<V: View>(view: &V, run: Run, now: &Now) -> Result<Vec<Effect>, V::Error> {
    let held = task_held(view, &run)?;
    settle(view, run, held, None, now)
}

/// Judges anew, and tells what changed by it. `fresh` is what the run has reported just now.
fn settle<V: View>(
    view: &V,
    mut run: Run,
    held: Option<Task>,
    fresh: Option<&Report>,
    now: &Now,
) -> Result<Vec<Effect>, V::Error> {
    run.facts.has_question = run.questions > 0;
    run.facts.heard = run.heard(now);
    let mut effects = Vec::new();
    // An agent whose turn is over and who waits for nobody is let go.
    if run.has_process() && run.facts.asked == Asked::Nothing && run.facts.stopped.is_some() && run.questions == 0 {
        effects.push(Effect::EndProcess(run.id));
    }
    let standing = judge(&run.facts);
    if standing == run.standing {
        effects.push(Effect::PutRun(Box::new(run)));
        return Ok(effects);
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
    effects.push(record(&run, kind, data));
    let is_over = standing.state.is_ended() || matches!(run.facts.process, Process::Ended(_));
    if is_over {
        run.ended = Some(now.wall);
        if let Some(task) = held {
            effects.extend(conclude(&run, task, now));
        }
        effects.extend(proposals(view, &run, fresh, now)?);
    }
    effects.push(Effect::PutRun(Box::new(run)));
    Ok(effects)
}

/// What becomes of the task.
fn conclude(run: &Run, mut task: Task, now: &Now) -> Vec<Effect> {
    let Standing { state, why } = run.standing;
    let reason = why.to_string();
    let ending = match state {
        RunState::Starting | RunState::Running | RunState::Waiting => return Vec::new(),
        RunState::Disconnected | RunState::TimedOut => return queue::given_back(task, &reason, now),
        // Nobody asked it to: that was an attempt.
        RunState::Cancelled if why == Why::TurnCancelled => return queue::given_back(task, &reason, now),
        RunState::Cancelled => return queue::put_aside(task, &run.agent, now),
        RunState::Completed => Ending::Completed,
        RunState::Partial => Ending::Partial,
        RunState::Blocked => Ending::Blocked,
        RunState::Failed => Ending::Failed,
    };
    let result = match (&run.message, why) {
        (Some(message), Why::Reported) => message.clone(),
        (Some(message), _) => format!("{}: {reason}. {message}", run.agent),
        (None, _) => format!("{}: {reason}.", run.agent),
    };
    let result = Some(shortened(&result, RESULT_LIMIT - 1).into_owned());
    queue::ended(&mut task, &Actor::Run { run: run.id }, &Finish { ending, result }, now)
}

/// A run whose process is ours is to end: its task is no longer its own, or is about to be. Returns what is kept of it,
/// and the order to end it. Nobody gives leave to a run that is being ended.
pub(crate) fn end_kept<V: View>(view: &V, mut run: Run, asked: Asked, now: &Now) -> Result<Vec<Effect>, V::Error> {
    run.facts.asked = asked;
    let mut effects = vec![record(&run, "run.ending", Data::map([("why", asked.name().into())]))];
    effects.extend(asking::withdraw(view, &mut run, None, now)?);
    run.facts.has_question = run.questions > 0;
    run.facts.heard = run.heard(now);
    run.standing = judge(&run.facts);
    effects.push(Effect::EndProcess(run.id));
    effects.push(Effect::PutRun(Box::new(run)));
    Ok(effects)
}

/// The run that speaks, while it holds its task.
pub(crate) fn speaking<V: View>(view: &V, actor: &Actor, action: &'static str) -> Result<Run, Stop<V::Error>> {
    let id = match actor {
        Actor::Run { run } => *run,
        Actor::Person { .. } | Actor::Host => return Err(Refusal::OnlyARun { action }.into()),
    };
    let late = |task: Option<Task>| {
        let (attempt, status) =
            task.map_or((id.attempt, crate::task::Status::Cancelled), |task| (task.attempt, task.status));
        Refusal::LateWord { task: id.task, said: id.attempt, attempt, status }
    };
    let run = look(view.run(id))?;
    let task = look(view.task(id.task))?;
    match (run, task) {
        (Some(run), Some(task))
            if run.ended.is_none()
                && run.facts.asked == Asked::Nothing
                && task.attempt == id.attempt
                && task.lease.is_some() =>
        {
            Ok(run)
        }
        (_, task) => Err(late(task).into()),
    }
}

/// A run reports on its own attempt, by a tool or by the command line.
pub(crate) fn report<V: View>(
    view: &V,
    actor: &Actor,
    wanted: Option<&str>,
    report: &Report,
    now: &Now,
) -> Result<Turn, Stop<V::Error>> {
    if let (Actor::Run { run }, Some(wanted)) = (actor, wanted) {
        let task = queue::find(view, wanted)?;
        if task.id != run.task {
            return Err(Refusal::NotItsTask { own: run.task, task: task.id }.into());
        }
    }
    let run = speaking(view, actor, "report")?;
    let id = run.id;
    let held = look(task_held(view, &run))?;
    let effects = look(taken_in(view, run, held, &RunEvent::Reported(Box::new(report.clone())), now))?;
    Ok(Turn::done(Answer::Run(id), effects))
}

/// A person stops a run. Of one whose process is not ours only the task is taken away.
pub(crate) fn stop<V: View>(view: &V, actor: &Actor, id: RunId, now: &Now) -> Result<Turn, Stop<V::Error>> {
    let unknown = || Refusal::UnknownRun { wanted: id.to_string() };
    let run = look(view.run(id))?.ok_or_else(unknown)?;
    if run.ended.is_some() {
        return Err(Refusal::RunEnded { run: id, state: run.standing.state.name() }.into());
    }
    let mut effects = vec![record_of(&run, actor.clone(), "run.stop-asked", Data::map([]))];
    if run.has_process() {
        effects.extend(look(end_kept(view, run, Asked::Stop, now))?);
    } else {
        let held = look(task_held(view, &run))?;
        effects.extend(held.into_iter().flat_map(|task| queue::put_aside(task, &run.agent, now)));
        effects.push(Effect::PutRun(Box::new(run.closed(RunState::Cancelled, Why::StoppedByAPerson, now))));
    }
    Ok(Turn::done(Answer::Run(id), effects))
}

/// A run tells of something else to be done.
pub(crate) fn log_discovered<V: View>(
    view: &V,
    actor: &Actor,
    draft: &TaskDraft,
    now: &Now,
) -> Result<Turn, Stop<V::Error>> {
    let mut run = speaking(view, actor, "log a discovered task")?;
    if run.discovered >= DISCOVERED_LIMIT {
        let count = run.discovered as usize + 1;
        return Err(Refusal::TooMany { field: "discovered tasks", count, limit: DISCOVERED_LIMIT as usize }.into());
    }
    run.discovered += 1;
    run.last_sign = LastSign::at(Sign::Tool, now);
    // What a run discovers may be a secret, and what it says of that goes into the project's documents.
    let draft = TaskDraft {
        title: masked(&draft.title).into_owned(),
        description: masked(&draft.description).into_owned(),
        ..draft.clone()
    };
    let mut turn = queue::add(view, actor, &draft, now)?;
    turn.effects.push(Effect::PutRun(Box::new(run)));
    Ok(turn)
}
