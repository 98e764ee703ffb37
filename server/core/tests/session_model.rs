//! Whole sessions at random against the promises. Replay a failure with the line that it prints.

use std::thread;

use augment_core::simulation::{SessionSummary, session};

const SESSIONS: u64 = 20_000;

/// What sessions go through.
const MET: &[&str] = &[
    "a buffer saved",
    "a checkout",
    "a commit",
    "a file moved",
    "a file put back by git",
    "a program in the editor",
    "a pull",
    "an agent edits",
    "assigned",
    "decided",
    "gap",
    "half approved",
    "late word",
    "live look",
    "not written",
    "purge told",
    "purged",
    "redone among others' work",
    "redone exactly",
    "rescan",
    "run begun",
    "the person edits",
    "undone exactly",
    "written",
    "written in the editor",
];

/// What decisions are refused with now and then.
const CODES: &[&str] = &[
    "already-undone",
    "cannot-undo",
    "control-files",
    "entangled",
    "not-a-file",
    "not-undone",
    "nothing-pending",
    "nothing-to-redo",
    "nothing-to-undo",
    "parked",
    "path-taken",
    "role-may-not",
    "shown-otherwise",
    "too-large",
    "untracked-file",
];

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
    let met: Vec<&str> = all.met.keys().copied().collect();
    assert_eq!(met, MET, "everything that can happen does");
    let codes: Vec<&str> = CODES.iter().copied().filter(|code| !all.refusals.contains_key(code)).collect();
    assert!(codes.is_empty(), "never refused: {codes:?}");
    assert!(all.crashes > 1_000 && all.overtaken > 1_000, "{} crashes, {} overtaken", all.crashes, all.overtaken);
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
