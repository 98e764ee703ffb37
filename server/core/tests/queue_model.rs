//! The queue against the model of it, at random. Replay a failure with the line that it prints.

use std::thread;

use augment_core::simulation::{Memory, Summary, run};

const SEEDS: u64 = 40;
const OPERATIONS: u64 = 5_000;
/// Every code that a command on the queue can be refused with, but those of a queue of a million tasks.
const CODES: &[&str] = &[
    "ambiguous-task",
    "attempt-not-said",
    "bad-attempts",
    "bad-duration",
    "bad-setting",
    "beside-itself",
    "control-character",
    "dependency-cycle",
    "empty-text",
    "held",
    "late-word",
    "needed",
    "not-for-agent",
    "not-its-task",
    "not-ready",
    "nothing-to-change",
    "role-may-not",
    "stale",
    "text-too-long",
    "too-many",
    "unknown-origin",
    "unknown-priority",
    "unknown-setting",
    "unknown-task",
    "wrong-status",
];

fn seeds(seeds: impl Iterator<Item = u64>) -> Summary {
    let mut all = Summary::default();
    for seed in seeds {
        all.add(&run(seed, OPERATIONS, &mut Memory::new()));
    }
    all
}

#[test]
fn the_queue_does_what_its_model_does() {
    let mut all = Summary::default();
    thread::scope(|scope| {
        let parts: Vec<_> = (0..4).map(|part| scope.spawn(move || seeds((part..SEEDS).step_by(4)))).collect();
        for part in parts {
            match part.join() {
                Ok(summary) => all.add(&summary),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
    });
    println!("{all}");
    assert!(all.operations >= 200_000, "{} operations", all.operations);
    let met: Vec<&str> = all.refusals.keys().copied().collect();
    assert_eq!(met, CODES, "every refusal is met, and no other");
    let answers = ["alive", "changed", "moved", "nothing ready", "removed", "setting changed", "taken"];
    assert!(all.answers.keys().eq(&answers), "{:?}", all.answers);
    assert!(all.expired > 1_000 && all.carried > 1_000, "{} expired, {} carried", all.expired, all.carried);
    assert!(all.most_due > 256, "more leases are due at once than one turn ends: {}", all.most_due);
    assert!(all.respread > 0, "a gap between ranks is used up now and then");
}

/// Another seed each time one is given; a fixed one without.
#[test]
#[expect(clippy::disallowed_methods, reason = "the seed to replay comes from whoever replays it")]
fn replay() {
    let number = |name: &str| std::env::var(name).ok().map(|text| text.parse().expect("a whole number"));
    let seed = number("SEED").unwrap_or(20_260_101);
    let operations = number("OPERATIONS").unwrap_or(OPERATIONS);
    println!("seed {seed}\n{}", run(seed, operations, &mut Memory::new()));
}

#[test]
fn a_seed_makes_the_same_operations_each_time() {
    let run = |operations| run(7, operations, &mut Memory::new());
    assert_eq!(run(1_000), run(1_000));
    let (short, long) = (run(500), run(1_000));
    assert!(short.records < long.records);
}
