//! Disks that are full, read-only or failing, and file systems that cannot exchange: each system call of each change fails
//! once. The change is made in a process of its own under `strace`, which makes the call fail.

use std::process::{Command, Stdio};

use super::*;

const OUTCOME: &str = "AUGMENT_FILES_TEST_FOLDER";
const CHANGE: &str = "AUGMENT_FILES_TEST_CHANGE";

#[derive(Debug, Clone, Copy, PartialEq)]
enum Change {
    Replace,
    Create,
    Remove,
    Rename,
}

impl Change {
    const ALL: [Self; 4] = [Self::Replace, Self::Create, Self::Remove, Self::Rename];

    fn make(self, root: &Root) -> Result<Written, WriteError> {
        let (from, expected, to, wanted) = match self {
            Self::Replace => ("d/a", is(b"old"), "d/a", file(b"new", 0o755)),
            Self::Create => ("x/y/z", ExpectedThing::Absent, "x/y/z", file(b"new", 0o755)),
            Self::Remove => ("d/a", is(b"old"), "d/a", Thing::Absent),
            Self::Rename => ("d/a", is(b"old"), "x/b", file(b"old", 0o644)),
        };
        replace(root, &Expected { path: path(from), thing: expected }, &Wanted { path: path(to), thing: wanted })
    }

    fn before(self) -> Vec<(&'static str, &'static str)> {
        vec![("d/a", "old")]
    }

    fn after(self) -> Vec<(&'static str, &'static str)> {
        match self {
            Self::Replace => vec![("d/a", "new")],
            Self::Create => vec![("d/a", "old"), ("x/y/z", "new")],
            Self::Remove => vec![],
            Self::Rename => vec![("x/b", "old")],
        }
    }
}

/// Every file below a folder with its content.
fn files_below(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).unwrap().map(Result::unwrap) {
            if entry.file_type().unwrap().is_dir() {
                folders.push(entry.path());
            } else {
                let name = entry.path().strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
                found.push((name, fs::read_to_string(entry.path()).unwrap()));
            }
        }
    }
    found.sort();
    found
}

/// The other process: makes one change and writes down how it ended. Without its settings it has nothing to do.
#[test]
fn one_change() {
    let (Ok(folder), Ok(change)) = (std::env::var(OUTCOME), std::env::var(CHANGE)) else { return };
    let folder = Path::new(&folder);
    let change = Change::ALL.into_iter().find(|known| format!("{known:?}") == change).unwrap();
    let root = Root::open(&folder.join("workspace"), MAX, HardLinks::Separate).unwrap();
    let outcome = match change.make(&root) {
        Ok(_) => "done".to_owned(),
        Err(error) => error.to_string(),
    };
    fs::write(folder.join("outside/outcome"), outcome).unwrap();
}

/// What every change begins with, written while nobody was started; from here on somebody may be.
fn with_old_file() -> Bench {
    let mut bench = Bench::new();
    bench.put("d/a", b"old", 0o644);
    bench.alone = None;
    bench
}

/// Makes the change with the n-th call failing. `None` if there was no such call.
fn with_fault(bench: &Bench, change: Change, call: &str, fault: &str, nth: usize) -> Option<String> {
    let log = bench.outside.join("log");
    let mut strace = Command::new("strace");
    strace
        .args(["-f", "-qq", "-o"])
        .arg(&log)
        .args(["-e", &format!("trace={call}"), "-e", &format!("inject={call}:{fault}:when={nth}")])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "faults::one_change", "--test-threads=1"])
        .env(OUTCOME, bench.outside.parent().unwrap())
        .env(CHANGE, format!("{change:?}"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let starting = STARTING.write().unwrap();
    let started = strace.spawn();
    drop(starting);
    let ran = started.expect("strace is needed, as for the crash tests: install it").wait_with_output().unwrap();
    let log = fs::read_to_string(log).unwrap();
    let hit = log.contains("INJECTED") || log.contains("killed by SIGKILL");
    let outcome = fs::read_to_string(bench.outside.join("outcome"));
    hit.then(|| outcome.unwrap_or_else(|_| format!("ended: {}", String::from_utf8_lossy(&ran.stdout))))
}

#[test]
fn a_call_that_fails_leaves_the_old_or_the_new_and_nothing_else() {
    let mut seen = Vec::new();
    for (call, fault, says) in [
        ("pwrite64", "error=ENOSPC", "no space left"),
        ("fsync", "error=EIO", "Check the disk"),
        ("fchmod", "error=EROFS", "read-only"),
        ("mkdirat", "error=EACCES", "permissions"),
        ("renameat", "error=ENOSPC", "no space left"),
        ("renameat2", "error=EROFS", "read-only"),
        ("renameat2", "error=EINVAL", "done"),
        ("unlinkat", "error=EIO", "Check the disk"),
    ] {
        for change in Change::ALL {
            for nth in 1.. {
                let bench = with_old_file();
                let Some(outcome) = with_fault(&bench, change, call, fault, nth) else { break };
                let case = format!("{change:?}, call {nth} of {call} with {fault}: {outcome}");
                let text = |files: Vec<(&str, &str)>| -> Vec<(String, String)> {
                    files.into_iter().map(|(name, content)| (name.to_owned(), content.to_owned())).collect()
                };
                let found = files_below(&bench.folder);
                assert!(outcome.contains(says), "{case}");
                assert!(
                    found == text(change.after()) || (found == text(change.before()) && outcome != "done"),
                    "{case}: {found:?}"
                );
                assert!(found != text(change.before()) || !bench.exists("x"), "no folder stays: {case}");
                change.make(&bench.root).unwrap_or_else(|error| panic!("{case}; then {error}"));
                assert_eq!(files_below(&bench.folder), text(change.after()), "{case}");
                seen.push(case);
            }
        }
    }
    assert!(seen.len() > 25, "{seen:#?}");
}

/// After a kill the files are as before or after, or both names of a rename are there; what is left of ours is swept, and
/// the same change is then finished.
#[test]
fn a_process_killed_at_any_call_leaves_nothing_that_the_next_one_cannot_finish() {
    let known = |seen: &Seen| {
        let Seen::File { hash, .. } = seen else { return false };
        [&b"old"[..], b"new"].iter().any(|content| *hash == ContentHash::of(content))
    };
    let mut kills = 0;
    for call in ["pwrite64", "fsync", "fchmod", "mkdirat", "renameat", "renameat2", "unlinkat"] {
        for change in Change::ALL {
            for nth in 1.. {
                let bench = with_old_file();
                // The signal comes before the call is made; the next call's turn shows the state after it.
                if with_fault(&bench, change, call, "signal=SIGKILL", nth).is_none() {
                    break;
                }
                kills += 1;
                let case = format!("{change:?}, killed at call {nth} of {call}");
                for folder in [path("d"), path("x"), path("x/y")] {
                    let swept = sweep(&bench.root, Some(&folder), known).unwrap();
                    assert_eq!(swept.kept, [], "{case}");
                }
                bench.assert_clean();
                change.make(&bench.root).unwrap_or_else(|error| panic!("{case}; then {error}"));
                let after: Vec<_> =
                    change.after().into_iter().map(|(name, text)| (name.to_owned(), text.to_owned())).collect();
                assert_eq!(files_below(&bench.folder), after, "{case}");
            }
        }
    }
    assert!(kills > 25, "{kills}");
}
