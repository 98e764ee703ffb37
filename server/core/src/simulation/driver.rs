//! Runs a simulation: time passes, an operation is made up, backend and model are asked, and whatever differs ends it
//! with a message that says how to see it again.

use std::collections::{BTreeSet, VecDeque};
use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::model::{Learnt, Model, Moment, Passed, Verdict, id_text};
use super::operations::{Inventor, Operation};
use super::random::Random;
use super::{Backend, Summary, compare, script};
use crate::actor::Actor;
use crate::id::{RunId, TaskId};
use crate::queue::LEASES_A_TURN;
use crate::refusal::Refusal;
use crate::task::Task;
use crate::time::{Boot, Now, Steady, Wall};
use crate::turn::{Answer, Command, Input, Processes};

/// How many past operations a failure prints.
const SHOWN: usize = 40;
/// After how many operations the whole ledger is read again; it is read at the end in any case.
const VERIFY_EVERY: u64 = 5_000;

/// Makes up operations from the seed and does them to the backend and to a model of the queue. Panics where the two
/// differ, with the seed, the number of the operation and the last operations. What is done depends on the seed alone;
/// a run of fewer operations is the beginning of a longer one.
pub fn run<B: Backend>(seed: u64, operations: u64, backend: &mut B) -> Summary {
    assert!(backend.tasks().is_empty(), "a simulation starts with an empty queue");
    let mut driver = Driver::new(seed, backend);
    for number in 1..=operations {
        let last = number == operations;
        if let Err(difference) = driver.step(number).and_then(|()| driver.check_now_and_then(number, last)) {
            panic!("{}", driver.failure(seed, number, &difference));
        }
    }
    driver.summary
}

struct Driver<'a, B> {
    backend: &'a mut B,
    model: Model,
    inventor: Inventor,
    clock: Clock,
    taken: BTreeSet<RunId>,
    history: VecDeque<Past>,
    summary: Summary,
}

/// The moment, and the little time that goes by between operations.
struct Clock {
    wall: i64,
    steady: i64,
    boot: u32,
    random: Random,
}

impl Clock {
    fn moment(&self) -> Moment {
        Moment { wall: self.wall, steady: self.steady, boot: format!("boot-{}", self.boot) }
    }

    fn pass(&mut self, ms: i64) {
        self.steady += ms;
        self.wall += ms;
    }
}

struct Past {
    number: u64,
    moment: Moment,
    operation: Operation,
    passed: Passed,
    verdict: Option<Verdict>,
}

impl<'a, B: Backend> Driver<'a, B> {
    fn new(seed: u64, backend: &'a mut B) -> Self {
        let clock = Clock { wall: 1_760_000_000_000, steady: 5_000, boot: 1, random: Random::new(!seed) };
        Self {
            model: Model::new(backend.records()),
            backend,
            inventor: Inventor::new(seed),
            clock,
            taken: BTreeSet::new(),
            history: VecDeque::new(),
            summary: Summary::default(),
        }
    }

    fn step(&mut self, number: u64) -> Result<(), String> {
        self.summary.operations += 1;
        let operation = self.inventor.invent(&self.model);
        match &operation {
            Operation::Ask { .. } => {
                let ms = self.clock.random.between(0, 200);
                self.clock.pass(ms);
            }
            Operation::Wait { ms, wall_jump_ms } => {
                self.clock.pass(*ms);
                self.clock.wall += wall_jump_ms;
            }
            Operation::WaitUntil { steady } => self.clock.pass((steady - self.clock.steady).max(0)),
            Operation::Reboot => {
                self.clock.boot += 1;
                self.clock.steady = self.clock.random.between(0, 10_000);
            }
        }
        let moment = self.clock.moment();
        let passed = self.model.time_passed(&moment);
        self.history.push_back(Past {
            number,
            moment: moment.clone(),
            operation: operation.clone(),
            passed,
            verdict: None,
        });
        if self.history.len() > SHOWN {
            self.history.pop_front();
        }
        self.time_passed(passed, &moment)?;
        if let Operation::Ask { actor, command } = operation {
            self.ask(actor, command, &moment)?;
        }
        let (records, expected) = (self.backend.records(), self.model.records());
        if records != expected {
            return Err(format!("the ledger has {records} records, {expected} were due"));
        }
        if let Some(number) = self.inventor.look_at(&self.model) {
            let revision = self.look(number)?;
            self.inventor.saw(number, revision);
        }
        Ok(())
    }

    /// As the host does before every command: leases end by the clock, as many a turn as a turn may end.
    fn time_passed(&mut self, passed: Passed, moment: &Moment) -> Result<(), String> {
        for _ in 0..=passed.all() / LEASES_A_TURN {
            match self.turn(&Input::TimePassed(Processes::Seen), moment)? {
                Ok(Answer::Noted) => {}
                other => return Err(format!("time passing was answered with {other:?}")),
            }
        }
        self.summary.expired += count(passed.returned + passed.failed);
        self.summary.carried += count(passed.carried);
        self.summary.most_due = self.summary.most_due.max(count(passed.all()));
        Ok(())
    }

    fn ask(&mut self, actor: Actor, command: Command, moment: &Moment) -> Result<(), String> {
        self.learn_what_is_shown(&command)?;
        let priority_before = self.edited_priority(&command);
        let was_held = self.model.items().iter().filter(|item| item.lease.is_some()).map(|item| item.number);
        let was_held: Vec<u64> = if takes(&command) { was_held.collect() } else { Vec::new() };
        let expected = self.model.obey(&actor, &command, moment);
        let input = Input::Asked { actor, command };
        let answered = self.turn(&input, moment)?;
        let Input::Asked { command, .. } = input else { return Err("it was just made".to_owned()) };
        let verdict = verdict(&command, &answered);
        if let Some(past) = self.history.back_mut() {
            past.verdict = Some(verdict.clone());
        }
        if let Verdict::Taken { number, .. } = verdict
            && was_held.contains(&number)
        {
            return Err(format!("{} was handed out twice at once", id_text(number)));
        }
        if verdict != expected {
            return Err(format!(
                "it was answered with {verdict:?}, the model says {expected:?}\n  in full: {answered:?}"
            ));
        }
        self.count(&verdict);
        self.learn_order(priority_before, &verdict)?;
        match answered {
            Ok(Answer::Task(task) | Answer::Moved { task, .. }) => self.check_kept(&task),
            Ok(Answer::Taken { task, run }) => {
                if !self.taken.insert(run) {
                    return Err(format!("run {run} was handed out before"));
                }
                self.inventor.began(run);
                self.check_kept(&task)
            }
            Ok(
                Answer::NothingReady
                | Answer::Removed(_)
                | Answer::SettingChanged
                | Answer::Decided { .. }
                | Answer::Assigned { .. }
                | Answer::Purged { .. }
                | Answer::Run(_)
                | Answer::Question(_)
                | Answer::HandOff(_)
                | Answer::Hook(_)
                | Answer::Session(_)
                | Answer::Flag(_)
                | Answer::Prompt(_)
                | Answer::Noted,
            )
            | Err(_) => Ok(()),
        }
    }

    fn turn(&mut self, input: &Input, moment: &Moment) -> Result<Result<Answer, Refusal>, String> {
        let now = Now { wall: Wall(moment.wall), steady: Steady(moment.steady), boot: Boot(moment.boot.clone()) };
        let done = catch_unwind(AssertUnwindSafe(|| self.backend.turn(input, &now)));
        match done {
            Ok(Ok(verdict)) => Ok(verdict),
            Ok(Err(error)) => Err(format!("the backend failed: {error:?}")),
            Err(panic) => {
                let words = panic.downcast_ref::<String>().map(String::as_str);
                let words = words.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
                Err(format!("the backend panicked: {words}"))
            }
        }
    }

    /// A command about something shown carries its revision: the model must know the one of now.
    fn learn_what_is_shown(&mut self, command: &Command) -> Result<(), String> {
        let (task, shown_at) = match command {
            Command::EditTask { task, shown_at, .. }
            | Command::MoveTask { task, shown_at, .. }
            | Command::RemoveTask { task, shown_at }
            | Command::CancelTask { task, shown_at, .. }
            | Command::RetryTask { task, shown_at } => (task, shown_at),
            Command::AddTask(_)
            | Command::TakeNext(_)
            | Command::ClaimTask { .. }
            | Command::Heartbeat { .. }
            | Command::FinishTask { .. }
            | Command::ChangeSetting(_)
            | Command::Decide(_)
            | Command::UndoDecision(_)
            | Command::RedoDecision(_)
            | Command::AssignChanges { .. }
            | Command::PurgeDecisions(_)
            | Command::ClaimFile(_)
            | Command::EditorSaved { .. }
            | Command::StartAgent(_)
            | Command::AllowAgent { .. }
            | Command::StopRun(_)
            | Command::ReportRun { .. }
            | Command::AskPerson(_)
            | Command::AnswerQuestion { .. }
            | Command::LogDiscovered(_)
            | Command::DecideHandOff { .. }
            | Command::HookSeen(_)
            | Command::StartSession { .. }
            | Command::ConfirmScope { .. }
            | Command::AdjustScope(_)
            | Command::ContinueSession { .. }
            | Command::EndSession { .. }
            | Command::SessionCommitted { .. }
            | Command::CompleteSession(_)
            | Command::ResumeSession(_)
            | Command::AnswerFlag(_)
            | Command::RequestScope(_)
            | Command::AcknowledgeFinding { .. }
            | Command::AllowFinding(_)
            | Command::DropAllowed(_)
            | Command::Remember(_)
            | Command::Prompt(_)
            | Command::StopHost => return Ok(()),
        };
        match (shown_at, self.model.resolve(task)) {
            (Some(_), Ok(number)) => self.look(number).map(|_| ()),
            (None, _) | (_, Err(_)) => Ok(()),
        }
    }

    /// The task that a command may give another priority by an edit, and the one it has.
    fn edited_priority(&self, command: &Command) -> Option<(u64, String)> {
        let Command::EditTask { task, edit, .. } = command else { return None };
        edit.priority.as_ref()?;
        let item = self.model.resolve(task).ok().and_then(|number| self.model.item(number))?;
        Some((item.number, item.priority.clone()))
    }

    fn learn_order(&mut self, before: Option<(u64, String)>, verdict: &Verdict) -> Result<(), String> {
        let (Some((number, before)), Verdict::Changed(_)) = (before, verdict) else { return Ok(()) };
        match self.model.item(number).map(|item| item.priority.clone()) {
            Some(priority) if priority != before => {
                let order = compare::order(&self.backend.tasks(), &priority);
                self.model.learns_order(number, &priority, order)
            }
            _ => Ok(()),
        }
    }

    /// Looks at one task as the backend keeps it, compares it, and gives its revision.
    fn look(&mut self, number: u64) -> Result<u64, String> {
        let id = TaskId::new(number).ok_or("the model numbers tasks as the queue does")?;
        let task = self.backend.task(id).ok_or_else(|| format!("{id} is not there"))?;
        if compare::one(&mut self.model, &task)? == Learnt::Respread {
            self.summary.respread += 1;
        }
        Ok(task.revision)
    }

    /// The task of an answer is the task that is kept, and the model's.
    fn check_kept(&mut self, answered: &Task) -> Result<(), String> {
        match self.backend.task(answered.id) {
            Some(kept) if kept == *answered => self.look(answered.id.number()).map(|_| ()),
            kept => Err(format!("answered was {answered:?}\n  kept is {kept:?}")),
        }
    }

    fn check_now_and_then(&mut self, number: u64, last: bool) -> Result<(), String> {
        let every = count(self.inventor.size().clamp(50, 250));
        if last || number.is_multiple_of(every) {
            self.summary.comparisons += 1;
            self.summary.respread += compare::everything(&mut self.model, self.backend.tasks())?;
            let held = self.model.items().iter().filter(|item| item.lease.is_some()).count();
            self.summary.most_held = self.summary.most_held.max(count(held));
            self.summary.most_tasks = self.summary.most_tasks.max(count(self.model.items().len()));
        }
        if last || number.is_multiple_of(VERIFY_EVERY) {
            let verified = self.backend.verify()?;
            if verified != self.model.records() {
                return Err(format!("the ledger holds {verified} records, {} were due", self.model.records()));
            }
            self.summary.records = verified;
        }
        Ok(())
    }

    fn count(&mut self, verdict: &Verdict) {
        let (counts, name) = match verdict {
            Verdict::Refused(code) => (&mut self.summary.refusals, *code),
            Verdict::Changed(_) => (&mut self.summary.answers, "changed"),
            Verdict::Alive(_) => (&mut self.summary.answers, "alive"),
            Verdict::Taken { .. } => (&mut self.summary.answers, "taken"),
            Verdict::NothingReady => (&mut self.summary.answers, "nothing ready"),
            Verdict::Removed(_) => (&mut self.summary.answers, "removed"),
            Verdict::Moved { .. } => (&mut self.summary.answers, "moved"),
            Verdict::SettingChanged => (&mut self.summary.answers, "setting changed"),
            Verdict::Noted => (&mut self.summary.answers, "noted"),
        };
        *counts.entry(name).or_default() += 1;
    }

    fn failure(&self, seed: u64, number: u64, difference: &str) -> String {
        let mut text = format!("seed {seed}, operation {number}: {difference}\n\nThe last operations:\n");
        for Past { number, moment, operation, passed, verdict } in &self.history {
            let what = match operation {
                Operation::Ask { actor, command } => script::line(actor, command),
                Operation::WaitUntil { .. } | Operation::Wait { wall_jump_ms: 0, .. } => "wait".to_owned(),
                Operation::Wait { wall_jump_ms, .. } => format!("wait, and the wall clock jumps by {wall_jump_ms} ms"),
                Operation::Reboot => "the machine restarts".to_owned(),
            };
            let verdict = verdict.as_ref().map(|verdict| format!("  -> {verdict:?}")).unwrap_or_default();
            writeln!(text, "{number:>7}  {} {:>10} ms  {passed}{what}{verdict}", moment.boot, moment.steady)
                .expect("writing to a string cannot fail");
        }
        text + &format!(
            "\nTo see it again: SEED={seed} OPERATIONS={number} cargo test -p augment-core --test queue_model -- --nocapture replay"
        )
    }
}

fn takes(command: &Command) -> bool {
    matches!(command, Command::TakeNext(_) | Command::ClaimTask { .. })
}

fn verdict(command: &Command, answered: &Result<Answer, Refusal>) -> Verdict {
    match answered {
        Err(refusal) => Verdict::Refused(refusal.code()),
        Ok(Answer::Task(task)) if matches!(command, Command::Heartbeat { .. }) => Verdict::Alive(task.id.number()),
        Ok(Answer::Task(task)) => Verdict::Changed(task.id.number()),
        Ok(Answer::Taken { run, .. }) => Verdict::Taken { number: run.task.number(), attempt: run.attempt },
        Ok(Answer::NothingReady) => Verdict::NothingReady,
        Ok(Answer::Decided { .. } | Answer::Assigned { .. } | Answer::Purged { .. } | Answer::Noted) => Verdict::Noted,
        Ok(Answer::Run(_) | Answer::Question(_) | Answer::HandOff(_) | Answer::Hook(_)) => Verdict::Noted,
        Ok(Answer::Session(_) | Answer::Flag(_) | Answer::Prompt(_)) => Verdict::Noted,
        Ok(Answer::Removed(id)) => Verdict::Removed(id.number()),
        Ok(Answer::Moved { task, was }) => Verdict::Moved { number: task.id.number(), was: was.name().to_owned() },
        Ok(Answer::SettingChanged) => Verdict::SettingChanged,
    }
}

fn count(of: usize) -> u64 {
    u64::try_from(of).unwrap_or(u64::MAX)
}
