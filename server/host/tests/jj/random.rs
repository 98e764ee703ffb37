//! Random sessions of jj: whatever was edited, committed in part and merged, the session's commit has the tip's tree,
//! nothing on disk is touched, and every id resolves; and whatever the person made of it since, taking it back touches
//! nothing on disk either. Each call of jj costs its time, so they are few and short.

use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;

use augment_host::vcs::history::{Body, History as _, HistoryError, Part};

use crate::bench::{Bench, Kind, gone, path, text};
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
        fs::remove_file(place).unwrap();
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

/// What lies on disk, as a commit has it.
fn on_disk(place: &Path) -> Body {
    match fs::symlink_metadata(place) {
        Err(_) => Body::Absent,
        Ok(about) if about.is_symlink() => Body::Link(fs::read_link(place).unwrap().as_os_str().as_bytes().to_vec()),
        Ok(about) => {
            Body::File { content: fs::read(place).unwrap(), executable: about.permissions().mode() & 0o111 != 0 }
        }
    }
}

fn lay(place: &Path, body: &Body) {
    if fs::symlink_metadata(place).is_ok() {
        fs::remove_file(place).unwrap();
    }
    match body {
        Body::Absent => {}
        Body::Link(target) => symlink(std::ffi::OsStr::from_bytes(target), place).unwrap(),
        Body::File { content, executable } => {
            fs::create_dir_all(place.parent().unwrap()).unwrap();
            fs::write(place, content).unwrap();
            fs::set_permissions(place, fs::Permissions::from_mode(if *executable { 0o755 } else { 0o644 })).unwrap();
        }
    }
}

/// A text in which each of some places has a line of its own or has none, so that two of them often have one in common.
fn lines(dice: &mut Dice) -> Vec<u8> {
    let lines =
        (0..5).map(|line| if dice.roll(2) == 0 { format!("{line}\n") } else { format!("{line}\nNEW {line}\n") });
    lines.collect::<String>().into_bytes()
}

/// The person makes something of a file: something else, nothing, or what one of these commits has.
fn person(bench: &Bench, dice: &mut Dice, commits: &[&str]) -> &'static str {
    let name = FILES[dice.roll(FILES.len())];
    let place = bench.root.join(name);
    let body = match (dice.roll(6), on_disk(&place)) {
        (0, _) => Body::Absent,
        (1, Body::File { content, executable }) => Body::File { content, executable: !executable },
        (2, _) => Body::Link(b"b".to_vec()),
        (3 | 4, _) if !commits.is_empty() => {
            bench.history().at(commits[dice.roll(commits.len())], &path(name)).unwrap()
        }
        (_, Body::File { executable, .. }) => Body::File { content: lines(dice), executable },
        (_, Body::Absent | Body::Link(_)) => Body::File { content: lines(dice), executable: dice.roll(2) == 0 },
    };
    lay(&place, &body);
    name
}

/// How many were taken back, of commits and of sessions.
fn taken_back(seed: u64) -> (usize, usize) {
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let bench = Bench::new(if dice.roll(2) == 0 { Kind::Colocated } else { Kind::Apart });
    for name in FILES {
        let executable = dice.roll(2) == 0;
        lay(&bench.root.join(name), &Body::File { content: lines(&mut dice), executable });
    }
    let base = bench.committed("base", "base\n", "base");
    let (mut tip, mut counted) = (base.clone(), (0, 0));
    for step in 0..5 {
        let at = format!("seed {seed}, step {step}");
        let mut parts: Vec<Part> = Vec::new();
        for _ in 0..=dice.roll(3) {
            let name = person(&bench, &mut dice, &[]);
            parts.retain(|part| part.path != path(name));
            let (here, below) = (on_disk(&bench.root.join(name)), bench.history().at(&tip, &path(name)).unwrap());
            // Some of it is not approved, or not its mode.
            let body = match (&here, dice.roll(3)) {
                (Body::File { executable, .. }, 0) => Body::File { content: lines(&mut dice), executable: *executable },
                (Body::File { content, executable }, 1) => {
                    Body::File { content: content.clone(), executable: !executable }
                }
                (Body::File { .. } | Body::Absent | Body::Link(_), _) => here.clone(),
            };
            if here != below {
                parts.push(Part { path: path(name), body });
            }
        }
        let disk = bench.disk();
        let made = match bench.commit(&format!("intent: {step}"), parts) {
            Ok(made) => made,
            Err(HistoryError::Nothing) => continue,
            Err(error) => panic!("{at}: {error}"),
        };
        assert_eq!(bench.disk(), disk, "{at}");
        for _ in 0..dice.roll(4) {
            person(&bench, &mut dice, &[&tip, &made.commit.id]);
        }
        let (disk, history) = (bench.disk(), bench.history());
        if dice.roll(3) == 0 {
            tip = made.commit.id;
            continue;
        }
        let back = history.take_back_commit(&made.commit.id, &made.before, &made.staged);
        back.unwrap_or_else(|error| panic!("{at}: {error}"));
        assert_eq!((bench.id("@-"), bench.disk()), (tip.clone(), disk), "{at}");
        counted.0 += 1;
    }
    let plan = bench.plan(&base, MESSAGE);
    if plan.commits.is_empty() {
        return counted;
    }
    let (tree, disk) = (bench.tree(&plan.tip), bench.disk());
    let made = bench.history().synthesise(&plan).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    assert_eq!(bench.disk(), disk, "seed {seed}");
    for _ in 0..4 {
        person(&bench, &mut dice, &[&base, &made.commit.id]);
    }
    let disk = bench.disk();
    let back = bench.history().take_back_synthesis(&plan, &made.commit.id, &made.before);
    back.unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    assert_eq!((bench.tree(&bench.id("@-")), bench.disk()), (tree, disk), "seed {seed}");
    counted.1 += 1;
    counted
}

#[test]
fn taking_back_leaves_the_disk_alone_whatever_the_person_made_of_it_since() {
    let counted: Vec<(usize, usize)> = SEEDS.map(taken_back).collect();
    let of_both = counted.iter().fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    assert!(of_both.0 > 3 && of_both.1 > 1, "{counted:?} say too little");
}
