//! Random sessions of jj: whatever was edited, committed in part and merged, the session's commit has the tip's tree,
//! nothing on disk is touched, and every id resolves. Each call of jj costs its time, so they are few and short.

use augment_host::vcs::history::{History as _, HistoryError, Part};

use crate::bench::{Bench, Kind, gone, text};
use crate::synthesising::MESSAGE;

const SEEDS: std::ops::RangeInclusive<u64> = 1..=4;
const FILES: [&str; 5] = ["a", "b", "d/a", "d/e/f", "g/h"];

/// Numbers that look random and are the same for the same seed.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % sides as u64).unwrap()
    }
}

/// Edits a file on disk, and says which part of it is approved.
fn edit(bench: &Bench, dice: &mut Dice, step: usize) -> Part {
    let name = FILES[dice.roll(FILES.len())];
    let place = bench.root.join(name);
    if dice.roll(6) == 0 && place.exists() {
        std::fs::remove_file(place).unwrap();
        return gone(name);
    }
    let approved = format!("{step} {}\n", dice.roll(1_000));
    // Some of it is not approved and stays in the tree.
    let rest = if dice.roll(3) == 0 { "not yet\n" } else { "" };
    bench.put(name, &format!("{approved}{rest}"));
    text(name, &approved)
}

/// A branch of the same session with a commit of its own, and its merge, on which `@` then stands.
fn merge(bench: &Bench, step: usize) {
    let tip = bench.id("@-");
    let aside = format!("intent: aside {step}");
    bench.jj(&["new", "--no-edit", "-m", &aside, &tip]);
    let aside = bench.id(&format!("description(substring:'{aside}')"));
    let both = format!("intent: both {step}");
    bench.jj(&["new", "--no-edit", "-m", &both, &tip, &aside]);
    bench.jj(&["rebase", "-r", "@", "-d", &format!("description(substring:'{both}')")]);
}

/// How many commits the session was made of.
fn session(seed: u64) -> usize {
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let bench = Bench::new(if dice.roll(2) == 0 { Kind::Colocated } else { Kind::Apart });
    let base = bench.committed("a", "1\n", "base");
    for step in 0..3 + dice.roll(3) {
        if dice.roll(5) == 0 {
            merge(&bench, step);
            continue;
        }
        let mut parts: Vec<Part> = Vec::new();
        for _ in 0..=dice.roll(2) {
            let part = edit(&bench, &mut dice, step);
            parts.retain(|known| known.path != part.path);
            parts.push(part);
        }
        let disk = bench.disk();
        match bench.commit(&format!("intent: {step}"), parts.clone()) {
            Ok(made) => {
                let history = bench.history();
                for part in &parts {
                    let found = history.at(&made.commit.id, &part.path).unwrap();
                    assert_eq!(found, part.body, "seed {seed}, step {step}, {}", part.path);
                }
            }
            Err(HistoryError::Nothing) => {}
            Err(error) => panic!("seed {seed}, step {step}: {error}"),
        }
        assert_eq!(bench.disk(), disk, "seed {seed}, step {step}");
    }
    let plan = bench.plan(&base, MESSAGE);
    let (Some(_), history) = (plan.commits.first(), bench.history()) else { return 0 };
    let found = |name: &str| history.find(name).unwrap().unwrap_or_else(|| panic!("seed {seed}: {name} is lost"));
    let names: Vec<String> = plan.commits.iter().map(|id| found(id).name().to_owned()).collect();
    let (disk, tree) = (bench.disk(), bench.tree(&plan.tip));

    let made = history.synthesise(&plan).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    assert_eq!(bench.tree(&made.commit.id), tree, "seed {seed}");
    assert_eq!(made.commit.parents, [base], "seed {seed}");
    assert_eq!(bench.disk(), disk, "seed {seed}");
    for (name, id) in names.iter().zip(&plan.commits) {
        // Of several all stay as they were; a single one has the message now, under its old name.
        let expected = if names.len() == 1 { &made.commit.id } else { id };
        assert_eq!(found(name).id, *expected, "seed {seed}: {name}");
    }

    history.take_back_synthesis(&plan, &made.commit.id, &made.before).unwrap();
    assert_eq!((bench.tree(&bench.id("@-")), bench.disk()), (tree, disk), "seed {seed}");
    for name in &names {
        found(name);
    }
    plan.commits.len()
}

#[test]
fn the_sessions_commit_has_the_tips_tree_and_every_id_resolves() {
    let sessions: Vec<usize> = SEEDS.map(session).collect();
    assert!(sessions.iter().any(|commits| *commits > 2), "{sessions:?} say nothing of several commits");
}
