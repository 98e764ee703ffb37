//! Random sessions: whatever was edited, staged, committed and merged, the session's commit has the tip's tree, nothing of
//! the person's is touched, and every id resolves.

use std::collections::BTreeMap;
use std::path::Path;

use augment_host::vcs::history::{Body, History as _, HistoryError, Part};

use crate::bench::{Bench, change, path};

const FILES: [&str; 8] = ["a", "b", "d/a", "d/b", "d/e/f", "g/h", "g/i", "z"];

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

/// All files of the workspace with their content.
fn disk(folder: &Path, below: &str, found: &mut BTreeMap<String, Vec<u8>>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = format!("{below}{}", entry.file_name().to_str().unwrap());
        if entry.file_type().unwrap().is_dir() {
            if name != ".git" {
                disk(&entry.path(), &format!("{name}/"), found);
            }
        } else {
            found.insert(name, std::fs::read(entry.path()).unwrap());
        }
    }
}

fn on_disk(bench: &Bench) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    disk(bench.top(), "", &mut found);
    found
}

/// Edits a file on disk, and says which part of it is approved.
fn edit(bench: &Bench, dice: &mut Dice, step: usize) -> Part {
    let name = FILES[dice.roll(FILES.len())];
    let place = bench.top().join(name);
    if dice.roll(6) == 0 {
        if place.exists() {
            std::fs::remove_file(&place).unwrap();
        }
        return Part { path: path(name), body: Body::Absent };
    }
    let approved = format!("{step} {}\n", dice.roll(1_000));
    // Some of it is not approved and stays in the tree.
    let rest = if dice.roll(3) == 0 { "not yet\n" } else { "" };
    bench.write(name, format!("{approved}{rest}"));
    Part { path: path(name), body: Body::File { content: approved.into_bytes(), executable: false } }
}

fn session(seed: u64) {
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let bench = Bench::with(&["a=1\n", "d/a=1\n", "g/h=1\n", "staged=1\n"]);
    let base = bench.tip().unwrap();
    let mut number = 0;
    let mut named = Vec::new();
    for step in 0..6 + dice.roll(6) {
        match dice.roll(8) {
            0 => {
                bench.write("staged", format!("{step}\n"));
                bench.git(&["add", "staged"]);
            }
            1 => {
                edit(&bench, &mut dice, step);
                bench.git(&["add", "-A"]);
            }
            2 => {
                // A branch of the same session with a commit of its own, and its merge.
                let (tip, tree) = (bench.tip().unwrap(), bench.git(&["rev-parse", "HEAD^{tree}"]));
                let aside = bench.git(&["commit-tree", "-p", &tip, "-m", "aside", &tree]);
                bench.git(&["branch", &format!("aside-{step}"), &aside]);
                let merge = bench.git(&["commit-tree", "-p", &tip, "-p", &aside, "-m", "merge", &tree]);
                bench.git(&["update-ref", "HEAD", &merge, &tip]);
                named.extend([aside, merge]);
            }
            _ => {
                number += 1;
                let mut parts: Vec<Part> = Vec::new();
                for _ in 0..=dice.roll(3) {
                    let part = edit(&bench, &mut dice, step);
                    parts.retain(|known| known.path != part.path);
                    parts.push(part);
                }
                let (files, staged) = (on_disk(&bench), bench.git(&["ls-files", "-s"]));
                match bench.try_intent(number, &parts) {
                    Ok(made) => {
                        for part in &parts {
                            assert_eq!(
                                bench
                                    .history()
                                    .checked_out(bench.history().tip().unwrap().as_deref(), &part.path)
                                    .unwrap(),
                                part.body,
                                "seed {seed}, {step}"
                            );
                        }
                        named.extend([made.commit.id, change(number)]);
                    }
                    Err(HistoryError::Nothing) => assert_eq!(bench.git(&["ls-files", "-s"]), staged),
                    Err(error) => panic!("seed {seed}, step {step}: {error}"),
                }
                assert_eq!(on_disk(&bench), files, "seed {seed}, step {step}");
            }
        }
    }
    let plan = bench.plan(Some(&base));
    if plan.commits.is_empty() {
        return;
    }
    let history = bench.history();
    let before = (on_disk(&bench), bench.index(), bench.status());
    let made = history.synthesise(&plan).unwrap();
    assert_eq!((on_disk(&bench), bench.index(), bench.status()), before, "seed {seed}");
    let tree = |id: &str| bench.git(&["rev-parse", &format!("{id}^{{tree}}")]);
    assert_eq!(tree(&made.commit.id), tree(&plan.tip), "seed {seed}");
    for name in named.iter().chain(&plan.commits).chain([&plan.change]) {
        assert!(history.find(name).unwrap().is_some(), "seed {seed}: {name} is lost");
    }
    history.take_back_synthesis(&plan, &made.commit.id, &made.before).unwrap();
    assert_eq!((on_disk(&bench), bench.index(), bench.status()), before, "seed {seed}");
    bench.judge();
}

#[test]
fn the_sessions_commit_has_the_tips_tree_and_everything_else_stays() {
    for seed in 1..=25 {
        session(seed);
    }
}
