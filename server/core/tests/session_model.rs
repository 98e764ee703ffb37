//! Whole sessions at random against the promises. Replay a failure with the line that it prints.

use std::thread;

use augment_core::simulation::{SessionSummary, session};

const SESSIONS: u64 = 20_000;

fn sessions(seeds: impl Iterator<Item = u64>) -> SessionSummary {
    let mut all = SessionSummary::default();
    for seed in seeds {
        all.add(&session(seed));
    }
    all
}

#[test]
fn nothing_is_lost_and_the_disk_is_what_the_story_says() {
    let mut all = SessionSummary::default();
    thread::scope(|scope| {
        let parts: Vec<_> = (0..2).map(|part| scope.spawn(move || sessions((part..SESSIONS).step_by(2)))).collect();
        for part in parts {
            match part.join() {
                Ok(summary) => all.add(&summary),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
    });
    println!("{all}");
    assert_eq!(all.sessions, SESSIONS);
}

/// The session of the seed that is given; a fixed one without.
#[test]
#[expect(clippy::disallowed_methods, reason = "the seed to replay comes from whoever replays it")]
fn replay() {
    let seed = std::env::var("SEED").ok().map(|text| text.parse().expect("a whole number"));
    println!("{}", session(seed.unwrap_or(20_260_101)));
}

#[test]
fn a_seed_makes_the_same_session_each_time() {
    assert_eq!(session(7), session(7));
}
