//! Sessions at random: whatever is done in whatever order, at most one is open, it moves along the edges that there are and
//! each move is recorded (the desk checks both after every turn), nothing begins while it waits, and the end of every task
//! that was worked on is told exactly once.

use std::collections::BTreeMap;

use augment_core::id::TaskId;
use augment_core::ledger::Topic;
use augment_core::session::Level;
use augment_core::simulation::{Backend, Random};
use augment_core::task::Status;

use crate::script::Desk;
use crate::words::{states, times_told};

const SEEDS: u64 = 600;
const STEPS: usize = 70;

fn order(desk: &Desk, random: &mut Random) -> String {
    let tasks = desk.memory.tasks();
    let task = |random: &mut Random| match &tasks[..] {
        [] => "a1".to_owned(),
        tasks => random.pick(tasks).id.to_string(),
    };
    let runs: Vec<String> = desk.memory.runs().keys().map(|run| run.task.to_string()).collect();
    let title = |random: &mut Random| {
        random.pick(&["Check passwords", "Keep sessions", "Write the guide", "One", "Two", "Three"]).to_owned()
    };
    match random.below(100) {
        0..=7 => "start".to_owned(),
        8..=13 => "confirm".to_owned(),
        14..=15 => format!("confirm {}; {} in src/**", title(random), task(random)),
        16..=18 => format!("adjust add {}", title(random)),
        19..=20 => format!("adjust {} {}", random.pick(&["add", "remove", "log"]), task(random)),
        21..=24 => "continue".to_owned(),
        25..=34 => "next".to_owned(),
        35..=40 => format!("claim {}", task(random)),
        41..=44 => format!("agent {}", task(random)),
        45..=64 => {
            let how = random.pick(&["completed", "completed", "partial", "blocked", "failed"]);
            format!("finish {} {how}", task(random))
        }
        65..=66 => format!("cancel {}", task(random)),
        67..=68 => format!("retry {}", task(random)),
        69 => format!("remove {}", task(random)),
        70..=74 if !runs.is_empty() => {
            let run = random.pick(&runs);
            match random.below(4) {
                0 => format!("stop {run}"),
                1 => format!("gone {run}"),
                2 => format!("{run} discovers {}", title(random)),
                _ => format!("{run} writes {}: {}", random.pick(&["src/a", "docs/b"]), random.below(3)),
            }
        }
        70..=76 => format!("flag f{} {}", 1 + random.below(3), random.pick(&["extend", "log", "allow-once"])),
        77..=80 => "end".to_owned(),
        81..=82 => "left".to_owned(),
        83..=88 => format!("wait {}m", random.pick(&[1, 4, 11, 61])),
        89..=93 => "written".to_owned(),
        94..=95 => "taken up".to_owned(),
        96 => random.pick(&["governed", "ungoverned"]).to_owned(),
        _ => format!("task {}", title(random)),
    }
}

fn statuses(desk: &Desk) -> BTreeMap<TaskId, Status> {
    desk.memory.tasks().iter().map(|task| (task.id, task.status)).collect()
}

/// The tasks whose end has to be told, by what was before and is now.
fn to_tell(desk: &Desk, before: &BTreeMap<TaskId, Status>, was_open: bool) -> Vec<TaskId> {
    let session = desk.newest();
    let ended = desk.memory.tasks().into_iter().filter(|task| {
        let is_new = before.get(&task.id).is_some_and(|before| !before.is_ended());
        let is_in_scope = session.is_some_and(|session| session.item_of(task.id).is_some());
        is_new && task.status.is_ended() && was_open && (task.attempt > 0 || is_in_scope)
    });
    ended.map(|task| task.id).collect()
}

fn step(desk: &mut Desk, order: &str, story: &str) {
    let (before, state, runs) = (statuses(desk), desk.state(), desk.memory.runs().len());
    let was_open = desk.newest().is_some_and(|session| session.state.is_open());
    let told = desk.told().len();
    let times: BTreeMap<TaskId, usize> = before.keys().map(|id| (*id, times_told(desk, Level::Light, *id))).collect();
    desk.obey(order);
    let begins = desk.memory.runs().len() > runs;
    assert!(!begins || !matches!(state, "planned" | "checkpoint" | "ending"), "work began when {state}\n{story}");
    let due = to_tell(desk, &before, was_open);
    for (id, times) in times {
        let expected = times + usize::from(due.contains(&id));
        assert_eq!(times_told(desk, Level::Light, id), expected, "the end of {id} is told once\n{story}");
    }
    let reported = |level: Level| desk.told()[told..].iter().filter(|told| told.level == level).count();
    assert_eq!(reported(Level::Light), due.len(), "only ends are told\n{story}");
    let moved_to = |to: &str| usize::from(desk.state() == to && state != to);
    assert_eq!(reported(Level::Medium), moved_to("checkpoint"), "{story}");
    assert_eq!(reported(Level::Comprehensive), moved_to("ended"), "{story}");
}

/// Everything told has its record, and every session exactly one beginning and at most one end.
fn check_ledger(desk: &Desk, story: &str) {
    let records = |kind: &str| desk.memory.links().iter().filter(|link| link.record.kind == kind).count();
    assert_eq!(records("session.reported"), desk.told().len(), "{story}");
    let sessions = &desk.memory.governed().sessions;
    assert_eq!(records("session.started"), sessions.len(), "{story}");
    for session in sessions.values() {
        let of = |kinds: &[&str]| {
            let is_its = |link: &&augment_core::ledger::Link| {
                let record = &link.record;
                kinds.contains(&record.kind.as_str()) && record.subject == Topic::Session(session.id).to_string()
            };
            desk.memory.links().iter().filter(is_its).count()
        };
        assert_eq!(of(&["session.started"]), 1, "{story}");
        assert_eq!(of(&["session.ended", "session.abandoned"]), usize::from(!session.state.is_open()), "{story}");
    }
}

#[test]
fn whatever_is_done_in_whatever_order() {
    let mut seen: Vec<&str> = Vec::new();
    let mut reviews = 0;
    for seed in 0..SEEDS {
        let mut random = Random::new(seed);
        let mut desk = if random.chance(70) { Desk::planned() } else { Desk::bare() };
        let mut story = format!("seed {seed}:");
        for _ in 0..STEPS {
            let order = order(&desk, &mut random);
            story = format!("{story}\n{order}");
            step(&mut desk, &order, &story);
            if !seen.contains(&desk.state()) {
                seen.push(desk.state());
            }
        }
        check_ledger(&desk, &story);
        desk.check_chain();
        reviews += desk.told().iter().filter(|told| told.level == Level::Heavy).count();
    }
    let unseen: Vec<&str> = states().into_iter().filter(|state| !seen.contains(state)).collect();
    assert_eq!(unseen, Vec::<&str>::new(), "every state is met");
    assert!(reviews > 0, "a sprint's goal is reached now and then: {reviews}");
}
