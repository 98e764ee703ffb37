//! Whole sessions at random: a person at an editor, agents as runs, git, a host that misses events, is overtaken and
//! dies, and a person who decides. After each session, and whenever the host has seen all there is, the promises are
//! checked: the disk is what the story says, and nothing of the person's is lost. The same seed makes the same session
//! everywhere.

mod actors;
mod check;
mod decisions;
mod fates;
mod summary;
mod text;
mod world;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::random::Random;
use super::{Disk, Memory};
use crate::glob::Glob;
use crate::review::Cause;
use crate::review::policy::ReviewPolicy;
use crate::turn::{Input, Processes};
use actors::{NAMES, path};
use fates::Fates;
use text::{Hand, Words, text_at, text_of};
use world::{Step, World};

pub use summary::SessionSummary;

/// How many lines of the script a failure prints at most.
const SHOWN: usize = 120;

/// Plays the session of this seed. Panics where a promise is broken, with the script of what happened.
#[must_use]
pub fn session(seed: u64) -> SessionSummary {
    let mut world = begin(seed);
    let steps = 8 + world.random.below(30);
    let played = catch_unwind(AssertUnwindSafe(|| {
        for _ in 0..steps {
            step(&mut world)?;
        }
        world.settle()?;
        check::ended(&mut world)
    }));
    let broken = match played {
        Ok(Ok(())) => {
            world.summary.sessions = 1;
            return world.summary;
        }
        Ok(Err(broken)) => broken,
        Err(panic) => {
            let words = panic.downcast_ref::<String>().map(String::as_str);
            words.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic without a message").to_owned()
        }
    };
    let from = world.script.len().saturating_sub(SHOWN);
    panic!(
        "seed {seed}: {broken}\n\nWhat happened:\n{}\n\nTo see it again: SEED={seed} cargo test -p augment-core --test \
         session_model -- --nocapture replay",
        world.script[from..].join("\n")
    );
}

fn begin(seed: u64) -> World {
    let mut random = Random::new(seed);
    let mut words = Words::default();
    let mut disk = Disk::default();
    for name in NAMES {
        if random.chance(50) {
            let lines = random.below(5);
            disk.put(&text_at(&path(name), words.text(Hand::Git, lines)));
        }
    }
    let mut dev = disk.clone();
    for name in NAMES {
        if random.chance(30) {
            let text = words.edited(text_of(&dev.at(&path(name))), Hand::Git, &mut random);
            dev.put(&text_at(&path(name), text));
        }
    }
    let mut memory = Memory::new();
    memory.set_policy(policy(&mut random));
    let script = disk.files().map(|file| format!("at first {}", text::shown(file))).collect();
    World {
        memory,
        known: disk.clone(),
        branches: BTreeMap::from([("main".to_owned(), disk.clone()), ("dev".to_owned(), dev)]),
        disk,
        random,
        words,
        wall: 1_760_000_000_000,
        head: "main".to_owned(),
        git: None,
        from_git: BTreeMap::new(),
        moves: BTreeMap::new(),
        buffers: BTreeMap::new(),
        earlier: BTreeMap::new(),
        runs: Vec::new(),
        untold: Vec::new(),
        fates: Fates::default(),
        script,
        summary: SessionSummary::default(),
    }
}

/// Most people have no policy.
fn policy(random: &mut Random) -> ReviewPolicy {
    let mut policy = ReviewPolicy::default();
    if random.chance(20) {
        policy.approve.push(Glob::new("docs/**"));
    }
    if random.chance(20) {
        policy.reject.push(Glob::new("h"));
    }
    if random.chance(20) {
        policy.second_approver.push(Glob::new("law/**"));
    }
    policy
}

fn step(world: &mut World) -> Step {
    world.summary.steps += 1;
    world.wall += if world.random.chance(4) { 70_000 } else { world.random.between(1, 4_000) };
    let _answer = world.turn(&Input::TimePassed(Processes::Seen))?;
    let path = if world.random.chance(70) { world.any_file() } else { world.any_path() };
    match world.random.below(100) {
        0..=21 => world.person_edits(&path)?,
        22..=24 => world.person_rearranges(&path)?,
        25..=29 => world.person_types(&path)?,
        30..=33 => {
            let open: Vec<_> = world.buffers.keys().cloned().collect();
            if !open.is_empty() {
                let path = world.random.pick(&open);
                world.person_saves_buffer(&path)?;
            }
        }
        34..=56 => world.agent_edits(&path)?,
        57..=61 if world.runs.len() < 2 => world.begins_run()?,
        57..=64 => world.ends_run()?,
        65..=71 => world.git()?,
        72..=87 => world.decides()?,
        88..=93 => world.takes_back()?,
        94..=95 => world.assigns()?,
        96 => world.purges()?,
        _ => {
            let cause = if world.random.chance(50) { Cause::Gap } else { Cause::Rescan("too much at once".to_owned()) };
            world.look_at(&cause, |_, _| true)?;
        }
    }
    if world.random.chance(75) {
        world.look(&Cause::Live)?;
    }
    if world.random.chance(50) {
        world.tell_untold()?;
    }
    if world.random.chance(20) { world.settle() } else { Ok(()) }
}
