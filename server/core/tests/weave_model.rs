//! The weave at random: several authors edit, create, delete, rename and replace one file, in all kinds of bytes, while a
//! person approves, rejects, undoes, redoes and assigns; and after each operation all that is promised about it holds.
//! Replay a failure with the line that it prints.

#[path = "weave_model/checks.rs"]
mod checks;
#[path = "weave_model/driver.rs"]
mod driver;
#[path = "weave_model/values.rs"]
mod values;

use std::thread;

use augment_core::simulation::Random;
use augment_core::weave::Weave;
use driver::{Driver, Summary};

/// A story is this long; then another file begins.
const OPERATIONS: u64 = 45;
const STORIES: u64 = 22_400;
const PARTS: u64 = 4;

fn stories(seeds: impl Iterator<Item = u64>, operations: u64) -> Summary {
    let mut all = Summary::default();
    for seed in seeds {
        all.add(&Driver::new(seed).run(operations));
    }
    all
}

#[test]
fn all_that_is_promised_holds_after_every_operation() {
    let mut all = Summary::default();
    thread::scope(|scope| {
        let parts: Vec<_> =
            (0..PARTS).map(|part| scope.spawn(move || stories((part..STORIES).step_by(4), OPERATIONS))).collect();
        for part in parts {
            match part.join() {
                Ok(summary) => all.add(&summary),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
    });
    println!("{all:?}");
    assert!(all.operations >= 1_000_000, "{all:?}");
    // None of the rules was left untried.
    for count in [all.revisions, all.rejected, all.approved, all.undone, all.refused_undoings, all.exactly_back] {
        assert!(count > 10_000, "{all:?}");
    }
    for count in [
        all.bridged,
        all.folded,
        all.rewound,
        all.kept_by_others,
        all.compacted,
        all.reattributed,
        all.moot,
        all.decoded,
    ] {
        assert!(count > 1_000, "{all:?}");
    }
}

/// Long stories, so that lines, marks and decisions pile up.
#[test]
fn a_long_story_holds_too() {
    let all = stories(1_000_000..1_000_006, 600);
    assert_eq!(all.operations, 3_600);
}

/// Another seed each time one is given; a fixed one without.
#[test]
#[expect(clippy::disallowed_methods, reason = "the seed to replay comes from whoever replays it")]
fn replay() {
    let number = |name: &str| std::env::var(name).ok().map(|text| text.parse().expect("a whole number"));
    let seed = number("SEED").unwrap_or(20_260_101);
    let operations = number("OPERATIONS").unwrap_or(OPERATIONS);
    println!("seed {seed}: {:?}", Driver::new(seed).run(operations));
}

#[test]
fn a_seed_makes_the_same_story_each_time() {
    assert_eq!(Driver::new(7).run(200), Driver::new(7).run(200));
}

/// Reading takes any bytes. What it takes for a weave can be asked and changed without harm.
#[test]
fn damaged_bytes_are_refused_or_harmless() {
    let mut random = Random::new(11);
    let (mut refused, mut taken) = (0, 0);
    for seed in 0..100 {
        let mut driver = Driver::new(seed);
        driver.run(40);
        let bytes = driver.weave.encode();
        for cut in 0..bytes.len() {
            assert!(Weave::decode(&bytes[..cut]).is_err(), "seed {seed}: cut at {cut}");
        }
        assert!(Weave::decode(&[&bytes[..], b"x"].concat()).is_err());
        for _ in 0..200 {
            let mut damaged = bytes.clone();
            for _ in 0..=random.below(3) {
                let at = random.below(damaged.len());
                match random.below(4) {
                    0 => damaged[at] = 0xff,
                    1 => drop(damaged.remove(at)),
                    2 => damaged.insert(at, damaged[random.below(at + 1)]),
                    _ => damaged[at] ^= 1 << random.below(8),
                }
            }
            match Weave::decode(&damaged) {
                Err(_) => refused += 1,
                Ok(mut weave) => {
                    taken += 1;
                    checks::ask_everything(&mut weave);
                }
            }
        }
    }
    assert!(refused > 1_000 && taken > 1_000, "{refused} refused, {taken} taken");
}
