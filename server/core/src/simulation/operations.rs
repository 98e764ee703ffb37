//! Makes up the operations: what several people and agents may do to one queue, sensible or not. It reads the model to
//! aim well (a task that is held, the moment a lease ends) and otherwise leaves everything to chance.

use std::collections::VecDeque;

use super::model::{Item, Model, id_text};
use super::random::Random;
use crate::actor::Actor;
use crate::id::{RunId, TaskId};
use crate::queue::{Claim, Edit, Ending, Finish, Place, TaskDraft};
use crate::settings::SettingChange;
use crate::turn::Command;

#[derive(Debug, Clone)]
#[expect(clippy::large_enum_variant, reason = "nearly all operations are the large one")]
pub(super) enum Operation {
    Ask {
        actor: Actor,
        command: Command,
    },
    /// Time goes by; the wall clock goes by the same and then jumps.
    Wait {
        ms: i64,
        wall_jump_ms: i64,
    },
    /// Time goes by until the steady clock shows this, if it does not yet.
    WaitUntil {
        steady: i64,
    },
    /// The machine starts anew: its steady clock begins again.
    Reboot,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Add,
    Edit,
    Move,
    Remove,
    Cancel,
    Retry,
    Next,
    Claim,
    Heartbeat,
    Finish,
    Wait,
    Setting,
    Forbidden,
}

/// What a queue is like: about how many tasks it has, how long leases are, and what is done how often.
struct Shape {
    size: usize,
    lease_ms: (i64, i64),
    longest_wait_ms: i64,
    often: [(Kind, usize); 13],
}

const SHAPES: [Shape; 4] = [
    Shape { size: 6, lease_ms: (1_000, 60_000), longest_wait_ms: 60_000, often: often(20, 8, 10) },
    Shape { size: 40, lease_ms: (1_000, 120_000), longest_wait_ms: 120_000, often: often(20, 12, 10) },
    Shape { size: 250, lease_ms: (1_000, 600_000), longest_wait_ms: 120_000, often: often(25, 12, 8) },
    // Many agents that seldom finish: more leases are due at once than one turn ends.
    Shape { size: 700, lease_ms: (36_000_000, 86_400_000), longest_wait_ms: 60_000, often: often(60, 40, 2) },
];

const fn often(add: usize, next: usize, finish: usize) -> [(Kind, usize); 13] {
    [
        (Kind::Add, add),
        (Kind::Edit, 12),
        (Kind::Move, 12),
        (Kind::Remove, 4),
        (Kind::Cancel, 2),
        (Kind::Retry, 5),
        (Kind::Next, next),
        (Kind::Claim, 8),
        (Kind::Heartbeat, 10),
        (Kind::Finish, finish),
        (Kind::Wait, 6),
        (Kind::Setting, 1),
        (Kind::Forbidden, 2),
    ]
}

const AGENTS: [(&str, &[&str]); 4] =
    [("goose", &[]), ("heron", &["rust"]), ("otter", &["gpu", "rust"]), ("lynx", &["gpu", "rust", "web"])];

/// How many past looks and runs are remembered to come back to.
const REMEMBERED: usize = 12;

pub(super) struct Inventor {
    random: Random,
    shape: &'static Shape,
    /// The task that moves go after again and again, so that the gap behind it is used up.
    anchor: Option<u64>,
    looks: VecDeque<(u64, u64)>,
    runs: VecDeque<RunId>,
}

impl Inventor {
    pub(super) fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        // Small queues are met oftenest: more goes on in them, and they are quick to simulate.
        let shape = &SHAPES[random.pick(&[0, 0, 0, 1, 1, 1, 2, 3])];
        Self { random, shape, anchor: None, looks: VecDeque::new(), runs: VecDeque::new() }
    }

    /// About how many tasks the queue will have.
    pub(super) fn size(&self) -> usize {
        self.shape.size
    }

    /// A task to look at now.
    pub(super) fn look_at(&mut self, model: &Model) -> Option<u64> {
        self.any(model).map(|item| item.number)
    }

    /// What was seen of a task, to be acted on later when it may be stale.
    pub(super) fn saw(&mut self, number: u64, revision: u64) {
        self.looks.push_front((number, revision));
        self.looks.truncate(REMEMBERED);
    }

    pub(super) fn began(&mut self, run: RunId) {
        self.runs.push_front(run);
        self.runs.truncate(REMEMBERED);
    }

    pub(super) fn invent(&mut self, model: &Model) -> Operation {
        let mut kind = self.kind();
        if kind == Kind::Add && model.items().len() >= self.shape.size && self.random.chance(90) {
            kind = Kind::Remove;
        }
        let mut actor = Actor::Person { name: self.random.pick(&["ada", "bob"]).to_owned() };
        let command = match kind {
            Kind::Wait => return self.wait(model),
            Kind::Forbidden => match self.any_run() {
                Some(run) => {
                    actor = Actor::Run { run };
                    self.a_persons_command(model)
                }
                None => self.add(model),
            },
            Kind::Heartbeat => {
                let (task, attempt) = self.word(model, &mut actor);
                Command::Heartbeat { task, attempt }
            }
            Kind::Finish => {
                let (task, attempt) = self.word(model, &mut actor);
                Command::FinishTask { task, attempt, finish: self.finish() }
            }
            Kind::Add => self.add(model),
            Kind::Edit => self.edit(model),
            Kind::Move => self.move_to(model),
            Kind::Next => Command::TakeNext(self.claimant()),
            Kind::Claim => Command::ClaimTask { task: self.wanted(model), claim: self.claimant() },
            Kind::Remove => self.remove(model),
            Kind::Cancel => self.cancel(model),
            Kind::Retry => self.retry(model),
            Kind::Setting => self.setting(),
        };
        Operation::Ask { actor, command }
    }

    fn kind(&mut self) -> Kind {
        let all: usize = self.shape.often.iter().map(|(_, weight)| weight).sum();
        let mut at = self.random.below(all);
        for (kind, weight) in self.shape.often {
            if at < weight {
                return kind;
            }
            at -= weight;
        }
        Kind::Wait
    }

    fn a_persons_command(&mut self, model: &Model) -> Command {
        match self.random.below(7) {
            0 => self.add(model),
            1 => self.edit(model),
            2 => self.move_to(model),
            3 => Command::TakeNext(self.claimant()),
            4 => self.cancel(model),
            5 => Command::StopHost,
            _ => self.setting(),
        }
    }

    fn remove(&mut self, model: &Model) -> Command {
        let (task, shown_at) = self.wanted_shown(model);
        Command::RemoveTask { task, shown_at }
    }

    fn cancel(&mut self, model: &Model) -> Command {
        let (task, shown_at) = self.wanted_shown(model);
        Command::CancelTask { task, reason: self.words(), shown_at }
    }

    fn retry(&mut self, model: &Model) -> Command {
        let (task, shown_at) = self.wanted_shown(model);
        Command::RetryTask { task, shown_at }
    }

    fn setting(&mut self) -> Command {
        let key = self.random.pick(&["queue.maxAttempts", "queue.maxAttempts", "queue.maxAttempt"]).to_owned();
        let value = self.random.pick(&[None, Some("5".to_owned()), Some("many".to_owned())]);
        Command::ChangeSetting(SettingChange { key, value })
    }

    fn add(&mut self, model: &Model) -> Command {
        let mut draft = TaskDraft {
            title: format!("task {}", self.random.below(1_000)),
            priority: self.random.pick(&[None, Some("high"), Some("medium"), Some("low")]).map(str::to_owned),
            capabilities: self.needs(),
            assignee: self.random.chance(15).then(|| self.agent_name()),
            time_limit_ms: self.random.chance(25).then(|| self.random.between(1_000, 300_000)),
            max_attempts: u32::try_from(self.random.between(1, 4)).unwrap_or(1),
            ..TaskDraft::default()
        };
        if self.random.chance(35) && !model.items().is_empty() {
            draft.depends_on = (0..=self.random.below(3)).map(|_| self.exact(model)).collect();
        }
        if self.random.chance(8) {
            match self.random.below(11) {
                0 => draft.title = self.random.pick(&["", " \t "]).to_owned(),
                1 => draft.title = "x".repeat(201),
                2 => draft.title = self.random.pick(&["a\u{1b}[31mb", "a\u{202e}b", "two\nlines"]).to_owned(),
                3 => draft.priority = Some(self.random.pick(&["urgent", "High", ""]).to_owned()),
                4 => draft.origin = Some("elsewhere".to_owned()),
                5 => draft.time_limit_ms = Some(self.random.pick(&[0, 999, -1, 2_592_000_001])),
                6 => draft.max_attempts = self.random.pick(&[0, 1_001]),
                7 => draft.depends_on = vec![self.wanted(model), self.wanted(model)],
                8 => draft.labels = (0..33).map(|at| format!("label {at}")).collect(),
                9 => draft.capabilities = vec!["rust".to_owned(), String::new()],
                _ => draft.description = "line\n\ttabbed\r\n".to_owned(),
            }
        }
        Command::AddTask(draft)
    }

    fn edit(&mut self, model: &Model) -> Command {
        let (task, shown_at) = self.wanted_shown(model);
        let mut edit = Edit::default();
        match self.random.below(14) {
            0 => edit.title = Some(format!(" task {} ", self.random.below(1_000))),
            1 => edit.description = Some(self.random.pick(&["", "one\ntwo", "bell\u{7}"]).to_owned()),
            2 | 3 => edit.priority = Some(self.random.pick(&["high", "medium", "low"]).to_owned()),
            4 => edit.capabilities = Some(self.needs()),
            5 => edit.assignee = Some(self.random.pick(&["", "goose", "otter"]).to_owned()),
            6 => edit.time_limit_ms = Some(self.random.pick(&[0, 1_000, 90_000, 999])),
            7 => edit.max_attempts = Some(self.random.pick(&[1, 2, 5, 0])),
            8 => {
                edit.labels = Some(self.random.pick(&[vec![], vec!["x".to_owned(), " x ".to_owned(), "y".to_owned()]]))
            }
            9 => edit.scope = Some(self.random.pick(&[vec![], vec!["src/**".to_owned()]])),
            10 => edit.goal = Some(self.random.pick(&["", "ship it"]).to_owned()),
            11 => edit.priority = Some("urgent".to_owned()),
            _ => edit.depends_on = Some((0..self.random.below(4)).map(|_| self.exact(model)).collect()),
        }
        Command::EditTask { task, edit, shown_at }
    }

    fn move_to(&mut self, model: &Model) -> Command {
        let (task, shown_at) = self.wanted_shown(model);
        if self.random.chance(1) || self.anchor.is_none_or(|anchor| model.item(anchor).is_none()) {
            self.anchor = self.any(model).map(|item| item.number);
        }
        let place = match (self.random.below(8), self.anchor) {
            (0, _) => Place::Top,
            (1, _) => Place::Bottom,
            (2, _) => Place::Before(self.wanted(model)),
            (3, _) => Place::After(self.wanted(model)),
            (_, Some(anchor)) => Place::After(id_text(anchor)),
            (_, None) => Place::Bottom,
        };
        Command::MoveTask { task, place, shown_at }
    }

    /// Who speaks for which attempt: mostly a holder of now, at times one of before, or nobody in particular.
    fn word(&mut self, model: &Model, speaker: &mut Actor) -> (String, Option<u32>) {
        let held = self.any_held(model).map(|item| (item.number, item.attempt));
        let past = self.any_run().map(|run| (run.task.number(), run.attempt));
        let meant = match self.random.below(10) {
            0..6 => held.or(past),
            6..9 => past.or(held),
            _ => self.any(model).map(|item| (item.number, item.attempt)),
        };
        let Some((number, attempt)) = meant else {
            return (self.wanted(model), None);
        };
        let task = if self.random.chance(92) { id_text(number) } else { self.wanted(model) };
        if let (true, Some(own)) = (self.random.chance(50), TaskId::new(number)) {
            *speaker = Actor::Run { run: RunId { task: own, attempt } };
            // A run's own attempt counts, whatever it claims to be.
            return (task, self.random.pick(&[None, Some(attempt), Some(attempt + 1)]));
        }
        let attempt = match self.random.below(10) {
            0 => None,
            1 => Some(attempt + 1),
            2 => Some(attempt.saturating_sub(1)),
            _ => Some(attempt),
        };
        (task, attempt)
    }

    fn finish(&mut self) -> Finish {
        let completed = Ending::Completed;
        let ending =
            self.random.pick(&[completed, completed, completed, Ending::Partial, Ending::Blocked, Ending::Failed]);
        Finish { ending, result: self.words() }
    }

    fn words(&mut self) -> Option<String> {
        match self.random.below(20) {
            0 => Some("a\u{0}b".to_owned()),
            1..8 => Some("done, see\nthe notes".to_owned()),
            _ => None,
        }
    }

    fn claimant(&mut self) -> Claim {
        let (agent, capabilities) = self.random.pick(&AGENTS);
        let (low, high) = self.shape.lease_ms;
        let mut claim = Claim {
            agent: agent.to_owned(),
            capabilities: capabilities.iter().map(|&name| name.to_owned()).collect(),
            lease_ms: self.random.between(low, high),
            token_hash: *blake3::hash(&self.random.number().to_le_bytes()).as_bytes(),
        };
        if self.random.chance(2) {
            claim.lease_ms = self.random.pick(&[0, 999, 86_400_001, -5]);
        } else if self.random.chance(2) {
            claim.agent = self.random.pick(&["", "gh\u{7}ost"]).to_owned();
        }
        claim
    }

    fn wait(&mut self, model: &Model) -> Operation {
        if self.random.chance(4) {
            return Operation::Reboot;
        }
        let wall_jump_ms = if self.random.chance(20) { self.random.between(-86_400_000, 86_400_000) } else { 0 };
        let next_due = model.items().iter().filter_map(|item| item.lease.as_ref()).map(|lease| lease.due).min();
        let ms = match (self.random.below(4), next_due) {
            (0, Some(due)) => return Operation::WaitUntil { steady: due + self.random.between(-1, 1) },
            (1, _) => self.random.between(0, 2_000),
            (_, _) => self.random.between(0, self.shape.longest_wait_ms),
        };
        Operation::Wait { ms, wall_jump_ms }
    }

    fn needs(&mut self) -> Vec<String> {
        let from: [&[&str]; 6] = [&[], &[], &["rust"], &["rust", "gpu", "rust"], &["web"], &["gpu", "rust", "web"]];
        self.random.pick(&from).iter().map(|&name| name.to_owned()).collect()
    }

    fn agent_name(&mut self) -> String {
        self.random.pick(&AGENTS).0.to_owned()
    }

    /// A task as somebody types it, with the revision it was shown at, fresh or old.
    fn wanted_shown(&mut self, model: &Model) -> (String, Option<u64>) {
        if self.random.chance(20) && !self.looks.is_empty() {
            let (number, revision) = self.looks[self.random.below(self.looks.len())];
            return (id_text(number), Some(revision));
        }
        (self.wanted(model), None)
    }

    /// A task as somebody types it: mostly right, at times short, wrong or gone.
    fn wanted(&mut self, model: &Model) -> String {
        let exact = self.exact(model);
        match self.random.below(30) {
            0 => exact.to_uppercase(),
            1 => format!(" {exact} "),
            2 => exact[1..].to_owned(),
            3..6 => exact[..exact.len() - 1].to_owned(),
            6 => exact[..1].to_owned(),
            7 => self.random.pick(&["", "z9", "b01", "a0", "0", "b1x", "ü", "99999999999999999999"]).to_owned(),
            8 => id_text(model.last_number() + 1),
            9 => id_text(1 + self.random.number() % (model.last_number() + 1)),
            _ => exact,
        }
    }

    fn exact(&mut self, model: &Model) -> String {
        self.any(model).map_or_else(|| "a1".to_owned(), |item| id_text(item.number))
    }

    fn any<'a>(&mut self, model: &'a Model) -> Option<&'a Item> {
        let items = model.items();
        (!items.is_empty()).then(|| &items[self.random.below(items.len())])
    }

    fn any_held<'a>(&mut self, model: &'a Model) -> Option<&'a Item> {
        let items = model.items();
        let start = self.random.below(items.len().max(1));
        items[start.min(items.len())..].iter().chain(&items[..start.min(items.len())]).find(|item| item.lease.is_some())
    }

    fn any_run(&mut self) -> Option<RunId> {
        (!self.runs.is_empty()).then(|| self.runs[self.random.below(self.runs.len())])
    }
}
