//! Others at work on the same names at the same moment. Each loop is bounded by its number of rounds; what must hold
//! holds for every interleaving, so chance decides only how many of them are seen.

use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::symlink;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use super::*;

const ROUNDS: usize = 300;

/// Runs `other` again and again, with a counter, as long as `work` takes.
fn meanwhile<R>(other: impl Fn(usize) + Sync, work: impl FnOnce() -> R) -> R {
    let done = AtomicBool::new(false);
    let ready = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut round = 0;
            while !done.load(Ordering::SeqCst) {
                other(round);
                round += 1;
                ready.store(true, Ordering::SeqCst);
            }
        });
        while !ready.load(Ordering::SeqCst) {
            thread::yield_now();
        }
        // Also when the work panics, so that the other one ends and the panic is seen.
        struct Done<'a>(&'a AtomicBool);
        impl Drop for Done<'_> {
            fn drop(&mut self) {
                self.0.store(true, Ordering::SeqCst);
            }
        }
        let _done = Done(&done);
        work()
    })
}

/// One of our names, seen while a call was under way.
pub(super) fn a_temporary_name(bench: &Bench) -> String {
    bench.put("watched", b"0", 0o644);
    let seen = std::sync::Mutex::new(None);
    let watch = |_| {
        for entry in fs::read_dir(&bench.folder).unwrap().flatten() {
            let name = entry.file_name();
            if is_ours(name.as_bytes()) && name.as_bytes().ends_with(b".tmp") {
                *seen.lock().unwrap() = Some(name.into_string().unwrap());
            }
        }
    };
    meanwhile(watch, || {
        let mut content = vec![b'0'];
        while seen.lock().unwrap().is_none() {
            let next = vec![b'x'; if content.len() == 1 { 4_000_000 } else { 1 }];
            bench.replace("watched", is(&content), file(&next, 0o644)).unwrap();
            content = next;
        }
    });
    seen.into_inner().unwrap().unwrap()
}

fn refused_or_done(result: Result<Written, WriteError>, done: &AtomicUsize, refused: &AtomicUsize) {
    match result {
        Ok(_) => done.fetch_add(1, Ordering::SeqCst),
        Err(
            WriteError::Changed { .. }
            | WriteError::Exists { .. }
            | WriteError::LeadsOut { .. }
            | WriteError::Moved { .. }
            | WriteError::NotAFile { .. }
            | WriteError::Busy { .. }
            | WriteError::InUse { .. }
            | WriteError::Kept { .. },
        ) => refused.fetch_add(1, Ordering::SeqCst),
        Err(error) => panic!("neither done nor refused: {error}"),
    };
}

/// ABUSE 9.
#[test]
fn a_target_swapped_with_links_to_the_outside_never_leads_there() {
    let bench = Bench::new();
    let outside = bench.outside.join("secret");
    fs::write(&outside, b"old").unwrap();
    bench.put("a", b"old", 0o644);
    let (beside, target) = (bench.outside.join("beside"), bench.at(b"a"));
    let (done, refused) = (AtomicUsize::new(0), AtomicUsize::new(0));
    rounds(
        ROUNDS,
        |round| {
            for at in 0..round % 4 {
                dawdle(round + at);
                symlink(&outside, &beside).unwrap();
                fs::rename(&beside, &target).unwrap();
                fs::write(&beside, b"old").unwrap();
                fs::rename(&beside, &target).unwrap();
            }
        },
        |round| {
            let wanted = if round % 3 == 0 { Thing::Absent } else { file(b"new", 0o644) };
            refused_or_done(bench.replace("a", is(b"old"), wanted), &done, &refused);
        },
        |round, ()| {
            fs::write(&beside, b"old").unwrap();
            fs::rename(&beside, &target).unwrap();
            if fs::read(&outside).unwrap() == b"old" { Ok(()) } else { Err(format!("round {round} got out")) }
        },
    );
    println!("done {done:?}, refused {refused:?}");
    assert!(done.into_inner() > 0);
    assert!(bench.leftovers().iter().all(|path| path.as_os_str().as_bytes().ends_with(b".kept")));
}

/// ABUSE 10.
#[test]
fn a_parent_swapped_with_links_to_the_outside_never_leads_there() {
    let bench = Bench::new();
    let outside = bench.outside.join("folder");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("f"), b"old").unwrap();
    bench.put("d/f", b"old", 0o644);
    let (parent, aside) = (bench.at(b"d"), bench.at(b"aside"));
    let (done, refused) = (AtomicUsize::new(0), AtomicUsize::new(0));
    rounds(
        ROUNDS,
        |round| {
            for at in 0..round % 4 {
                dawdle(round + at);
                fs::rename(&parent, &aside).unwrap();
                symlink(&outside, &parent).unwrap();
                fs::remove_file(&parent).unwrap();
                fs::rename(&aside, &parent).unwrap();
            }
        },
        |_| refused_or_done(bench.replace("d/f", is(b"old"), file(b"new", 0o644)), &done, &refused),
        |round, ()| {
            fs::write(parent.join("f"), b"old").unwrap();
            let names = fs::read_dir(&outside).unwrap().count();
            let same = fs::read(outside.join("f")).unwrap() == b"old" && names == 1;
            if same { Ok(()) } else { Err(format!("round {round} got out")) }
        },
    );
    println!("done {done:?}, refused {refused:?}");
    assert!(done.into_inner() > 0);
    bench.assert_clean();
}

/// Lets `other` do its part of each round at the same moment as `work`, and waits for both before `check`, which says what
/// is wrong.
fn rounds<R>(
    count: usize,
    other: impl Fn(usize) + Sync,
    mut work: impl FnMut(usize) -> R,
    mut check: impl FnMut(usize, R) -> Result<(), String>,
) {
    let (begin, end) = (Barrier::new(2), Barrier::new(2));
    let wrong = thread::scope(|scope| {
        scope.spawn(|| {
            for round in 0..count {
                begin.wait();
                other(round);
                end.wait();
            }
        });
        let mut wrong = Ok(());
        for round in 0..count {
            begin.wait();
            let done = work(round);
            end.wait();
            // Both sides go on to the last round, so that neither waits for ever.
            wrong = wrong.and_then(|()| check(round, done));
        }
        wrong
    });
    assert_eq!(wrong, Ok(()));
}

/// Some time that differs from round to round, so that the two meet at different points.
fn dawdle(round: usize) {
    for _ in 0..round * 7_919 % 60_000 {
        std::hint::spin_loop();
    }
}

/// A content of the program is ours to replace only if we expected exactly that one; every other one must be in its place
/// until the program itself replaces it.
fn no_save_is_lost(save: impl Fn(&Bench, &[u8]) + Sync) {
    let bench = Bench::new();
    bench.put("a", b"save", 0o644);
    let saved = |round: usize, at: usize| format!("save {round}.{at}").into_bytes();
    let mut before = b"save".to_vec();
    let mut counts = [0_usize; 3];
    rounds(
        ROUNDS,
        |round| {
            for at in 0..round % 4 {
                dawdle(round + at);
                save(&bench, &saved(round, at));
            }
        },
        |round| {
            let Thing::File { content, .. } = look(&bench.root, &path("a")).unwrap().thing else { panic!() };
            let ours = format!("ours {round}").into_bytes();
            let result = bench.replace("a", is(&content), file(&ours, 0o644));
            (content, ours, result)
        },
        |round, (expected, ours, result)| {
            let last = if round % 4 == 0 { before.clone() } else { saved(round, round % 4 - 1) };
            let now = bench.read("a");
            let (which, right) = match &result {
                Ok(_) => (0, now == last || (now == ours && expected == last)),
                Err(WriteError::Changed { .. } | WriteError::InUse { .. }) => (1, now == last),
                Err(WriteError::Kept { kept, .. }) => {
                    fs::remove_file(bench.at(kept.as_bytes())).unwrap();
                    (2, now == last)
                }
                Err(_) => (1, false),
            };
            counts[which] += 1;
            before = now;
            if right {
                return Ok(());
            }
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            let (expected, now, last) = (text(&expected), text(&before), text(&last));
            Err(format!("round {round}: expected {expected:?}, found {now:?}, last saved {last:?}; {result:?}"))
        },
    );
    assert!(counts[0] > 0, "{counts:?}");
    bench.assert_clean();
}

#[test]
fn no_save_by_renaming_is_lost() {
    no_save_is_lost(|bench, content| {
        let beside = bench.outside.join("beside");
        fs::write(&beside, content).unwrap();
        fs::rename(&beside, bench.at(b"a")).unwrap();
    });
}

#[test]
fn no_save_in_place_is_lost() {
    no_save_is_lost(|bench, content| fs::write(bench.at(b"a"), content).unwrap());
}

/// A program that removes and makes its file anew while we remove it: what we did not expect is never gone.
#[test]
fn removing_never_takes_a_newer_file() {
    let bench = Bench::new();
    let target = bench.at(b"a");
    let (beside, saves) = (bench.outside.join("beside"), AtomicUsize::new(0));
    let save = |round: usize| {
        fs::write(&beside, format!("save {round}")).unwrap();
        fs::rename(&beside, &target).unwrap();
        saves.store(round, Ordering::SeqCst);
    };
    let mut removed = 0;
    meanwhile(save, || {
        for _ in 0..ROUNDS {
            // Never what the program writes: so nothing of it may ever be removed.
            let error = bench.replace("a", is(b"never"), Thing::Absent);
            if error.is_ok() {
                removed += 1;
            }
        }
    });
    let last = format!("save {}", saves.into_inner()).into_bytes();
    assert_eq!((bench.read("a"), removed), (last, 0));
    bench.assert_clean();
}

/// Every line that a program appended is in its place, in a kept file, or was part of what we expected.
#[test]
fn no_appended_line_is_lost() {
    let bench = Bench::new();
    bench.put("log", b"", 0o644);
    let mut all = Vec::new();
    let (mut done, count) = (0, ROUNDS);
    rounds(
        count,
        |round| {
            dawdle(round);
            let mut log = fs::OpenOptions::new().append(true).open(bench.at(b"log")).unwrap();
            log.write_all(format!("line {round}\n").as_bytes()).unwrap();
        },
        |_| {
            let Thing::File { content, .. } = look(&bench.root, &path("log")).unwrap().thing else { panic!() };
            let result = bench.replace("log", is(&content), file(b"", 0o644));
            (content, result)
        },
        |_, (content, result)| match result {
            Ok(written) => {
                done += usize::from(!written.already_there);
                all.extend_from_slice(&content);
                Ok(())
            }
            Err(WriteError::Changed { .. } | WriteError::InUse { .. } | WriteError::Kept { .. }) => Ok(()),
            Err(error) => Err(error.to_string()),
        },
    );
    all.extend_from_slice(&bench.read("log"));
    for kept in bench.leftovers() {
        all.extend_from_slice(&fs::read(kept).unwrap());
    }
    let lines: std::collections::HashSet<&[u8]> = all.split(|byte| *byte == b'\n').collect();
    let lost: Vec<_> = (0..count).filter(|round| !lines.contains(format!("line {round}").as_bytes())).collect();
    println!("replaced {done} times");
    assert!(done > 0 && lost.is_empty(), "{lost:?}");
}
