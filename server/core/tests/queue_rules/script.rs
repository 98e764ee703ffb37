//! The language of the scripts, read line by line and obeyed by a queue in memory.
//!
//! ```text
//! add "title" [high|medium|low] [after a1,a2] [needs rust,gpu] [for goose] [limit 10m] [attempts 3]   -> the id
//! edit a1 [title "…"] [priority high] [after a1] [needs rust] [for goose] [limit 10m] [attempts 3]
//! move a1 top|bottom|before a2|after a2          remove a1          cancel a1          retry a1
//! next goose [can rust,gpu] [lease 30s]          -> the run, or nothing
//! claim a1 goose [can rust,gpu] [lease 30s]      -> the run
//! heartbeat a1.1     complete a1.1     partial a1.1     block a1.1     fail a1.1     (a1 alone: no attempt is said)
//! run a1.1: complete a1                          the same, said by the run itself
//! wait 61s     clock 1d     restart              time goes by; the wall clock jumps; the machine restarts
//! show a1                                        -> what is known of it
//! ```

use std::collections::BTreeSet;
use std::iter::Peekable;
use std::vec::IntoIter;

use augment_core::actor::Actor;
use augment_core::id::{RunId, Wanted, read_wanted};
use augment_core::queue::{Claim, Edit, Ending, Finish, Place, TaskDraft};
use augment_core::refusal::Refusal;
use augment_core::simulation::{Backend, Memory};
use augment_core::task::Task;
use augment_core::time::{Boot, Now, Steady, Wall, parse_duration_ms};
use augment_core::turn::{Answer, Command, Input, Processes};

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Done(String),
    Refused(&'static str, String),
}

impl Outcome {
    fn of(command: &Command, verdict: Result<Answer, Refusal>) -> Self {
        match verdict {
            Err(refusal) => Self::Refused(refusal.code(), refusal.to_string()),
            Ok(Answer::Task(task)) if matches!(command, Command::AddTask(_)) => Self::Done(task.id.to_string()),
            Ok(Answer::Task(task)) => Self::Done(task.status.to_string()),
            Ok(Answer::Taken { run, .. }) => Self::Done(run.to_string()),
            Ok(Answer::NothingReady) => Self::Done("nothing".to_owned()),
            Ok(Answer::Removed(_)) => Self::Done("removed".to_owned()),
            Ok(Answer::Moved { .. }) => Self::Done("moved".to_owned()),
            Ok(
                Answer::SettingChanged
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
            ) => Self::Done(String::new()),
        }
    }

    pub(crate) fn short(&self) -> String {
        match self {
            Self::Done(what) => what.clone(),
            Self::Refused(code, _) => format!("refused {code}"),
        }
    }
}

/// A queue and its clock.
pub(crate) struct Queue {
    pub(crate) memory: Memory,
    wall: i64,
    steady: i64,
    boot: u32,
}

impl Queue {
    pub(crate) fn new() -> Self {
        Self { memory: Memory::new(), wall: 1_760_000_000_000, steady: 1_000, boot: 1 }
    }

    pub(crate) fn now(&self) -> Now {
        Now { wall: Wall(self.wall), steady: Steady(self.steady), boot: Boot(format!("boot {}", self.boot)) }
    }

    pub(crate) fn play(&mut self, script: &str) {
        for line in script.lines().map(str::trim).filter(|line| !line.is_empty()) {
            match line.split_once(" -> ") {
                Some((order, expected)) => assert_eq!(self.obey(order).short(), expected.trim(), "{line}"),
                None => {
                    let outcome = self.obey(line);
                    assert!(matches!(outcome, Outcome::Done(_)), "{line}: {outcome:?}");
                }
            }
        }
    }

    pub(crate) fn obey(&mut self, line: &str) -> Outcome {
        let line = line.trim();
        let done = Outcome::Done(String::new());
        match line.split_once(' ').unwrap_or((line, "")) {
            ("", _) => return done,
            ("wait", time) => {
                self.steady += duration(time);
                self.wall += duration(time);
            }
            ("clock", time) => self.wall += duration(time),
            ("restart", _) => {
                self.boot += 1;
                self.steady = 500;
            }
            ("show", id) => {
                let task = self.task(id.trim());
                let holder = task.holder.map(|holder| format!(" by {holder}")).unwrap_or_default();
                let (used, max) = (task.attempts_used, task.max_attempts);
                return Outcome::Done(format!(
                    "{} {}{holder}, attempt {}, {used} of {max} used",
                    task.priority, task.status, task.attempt
                ));
            }
            (_, _) => {
                let (actor, command) = self.command(line).unwrap_or_else(|| panic!("not understood: {line}"));
                return self.ask(actor, command);
            }
        }
        self.turn(&Input::TimePassed(Processes::Seen)).expect("time passing is never refused");
        done
    }

    pub(crate) fn ask(&mut self, actor: Actor, command: Command) -> Outcome {
        self.turn(&Input::TimePassed(Processes::Seen)).expect("time passing is never refused");
        let verdict = self.turn(&Input::Asked { actor, command: command.clone() });
        Outcome::of(&command, verdict)
    }

    fn turn(&mut self, input: &Input) -> Result<Answer, Refusal> {
        let now = self.now();
        self.memory.turn(input, &now).unwrap_or_else(|never| match never {})
    }

    pub(crate) fn task(&self, id: &str) -> Task {
        let Wanted::Exactly(id) = read_wanted(id) else { panic!("{id:?} is no whole id") };
        Backend::task(&self.memory, id).expect("the task is there")
    }

    pub(crate) fn shown(&self) -> String {
        let mut tasks = self.memory.tasks();
        tasks.sort_by_key(|task| (task.priority, task.rank));
        let place = |task: &Task| (task.priority, task.rank);
        assert!(tasks.windows(2).all(|pair| place(&pair[0]) != place(&pair[1])), "two tasks share a place");
        let lines: Vec<String> = tasks.iter().map(|task| format!("{} {}", task.id, task.status)).collect();
        lines.join(" / ")
    }

    pub(crate) fn command(&self, line: &str) -> Option<(Actor, Command)> {
        let (actor, order) = match line.strip_prefix("run ").and_then(|rest| rest.split_once(": ")) {
            Some((run, order)) => {
                let (task, attempt) = spoken(run);
                let Wanted::Exactly(task) = read_wanted(&task) else { return None };
                (Actor::Run { run: RunId { task, attempt: attempt? } }, order)
            }
            None => (person(), line),
        };
        let mut words = words(order).into_iter().peekable();
        let command = match words.next()?.as_str() {
            "add" => Command::AddTask(draft(&mut words)?),
            "edit" => Command::EditTask { task: words.next()?, edit: edit(&mut words)?, shown_at: None },
            "move" => Command::MoveTask { task: words.next()?, place: place(&mut words)?, shown_at: None },
            "remove" => Command::RemoveTask { task: words.next()?, shown_at: None },
            "cancel" => Command::CancelTask { task: words.next()?, reason: None, shown_at: None },
            "retry" => Command::RetryTask { task: words.next()?, shown_at: None },
            "next" => Command::TakeNext(claim(&mut words)?),
            "claim" => Command::ClaimTask { task: words.next()?, claim: claim(&mut words)? },
            "heartbeat" => {
                let (task, attempt) = spoken(&words.next()?);
                Command::Heartbeat { task, attempt }
            }
            ending => {
                let ending = match ending {
                    "complete" => Ending::Completed,
                    "partial" => Ending::Partial,
                    "block" => Ending::Blocked,
                    "fail" => Ending::Failed,
                    _ => return None,
                };
                let (task, attempt) = spoken(&words.next()?);
                Command::FinishTask { task, attempt, finish: Finish { ending, result: None } }
            }
        };
        words.next().is_none().then_some((actor, command))
    }
}

type Words = Peekable<IntoIter<String>>;

fn draft(words: &mut Words) -> Option<TaskDraft> {
    let mut draft = TaskDraft { title: words.next()?, max_attempts: 3, ..TaskDraft::default() };
    while let Some(word) = words.next() {
        match word.as_str() {
            "after" => draft.depends_on = list(&words.next()?),
            "needs" => draft.capabilities = list(&words.next()?),
            "for" => draft.assignee = words.next(),
            "limit" => draft.time_limit_ms = Some(duration(&words.next()?)),
            "attempts" => draft.max_attempts = words.next()?.parse().ok()?,
            _ => draft.priority = Some(word),
        }
    }
    Some(draft)
}

fn edit(words: &mut Words) -> Option<Edit> {
    let mut edit = Edit::default();
    while let Some(word) = words.next() {
        let value = words.next()?;
        match word.as_str() {
            "title" => edit.title = Some(value),
            "priority" => edit.priority = Some(value),
            "after" => edit.depends_on = Some(list(&value)),
            "needs" => edit.capabilities = Some(list(&value)),
            "for" => edit.assignee = Some(value),
            "limit" => edit.time_limit_ms = Some(duration(&value)),
            "attempts" => edit.max_attempts = Some(value.parse().ok()?),
            _ => return None,
        }
    }
    Some(edit)
}

fn place(words: &mut Words) -> Option<Place> {
    Some(match words.next()?.as_str() {
        "top" => Place::Top,
        "bottom" => Place::Bottom,
        "before" => Place::Before(words.next()?),
        "after" => Place::After(words.next()?),
        _ => return None,
    })
}

fn claim(words: &mut Words) -> Option<Claim> {
    let agent = words.next()?;
    let mut claim = Claim { agent, capabilities: BTreeSet::new(), lease_ms: 60_000, token_hash: [7; 32] };
    while let Some(word) = words.next() {
        match word.as_str() {
            "can" => claim.capabilities = list(&words.next()?).into_iter().collect(),
            "lease" => claim.lease_ms = duration(&words.next()?),
            _ => return None,
        }
    }
    Some(claim)
}

pub(crate) fn person() -> Actor {
    Actor::Person { name: "ada".to_owned() }
}

/// `a1.2` is the second attempt at a1, `a1` says no attempt.
fn spoken(word: &str) -> (String, Option<u32>) {
    match word.split_once('.') {
        Some((task, attempt)) => (task.to_owned(), attempt.parse().ok()),
        None => (word.to_owned(), None),
    }
}

fn list(word: &str) -> Vec<String> {
    word.split(',').map(str::to_owned).collect()
}

fn duration(word: &str) -> i64 {
    let (sign, length) = word.trim().strip_prefix('-').map_or((1, word), |rest| (-1, rest));
    sign * parse_duration_ms(length).unwrap_or_else(|| panic!("{word:?} is no duration"))
}

/// Words, with what is in quotes as one.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (at, part) in line.split('"').enumerate() {
        if at % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}
