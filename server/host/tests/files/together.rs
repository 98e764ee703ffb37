//! Many changes together: each comes out as if it had been made alone.

use std::fs;
use std::io::Write as _;

use augment_host::files::{Change, Expected, ExpectedThing, Thing, Wanted, WriteError, replace_all};

use super::{Bench, file, is, link, path};

fn change(from: &str, expected: ExpectedThing, to: &str, wanted: Thing) -> Change {
    Change {
        expected: Expected { path: path(from), thing: expected },
        wanted: Wanted { path: path(to), thing: wanted },
    }
}

#[test]
fn of_many_files_only_those_that_a_program_writes_to_are_left_to_it() {
    let bench = Bench::new();
    let name = |at: usize| format!("folder-{}/{at}", at % 7);
    // More than are in hand at once, so that programs are looked for several times.
    let count = 150;
    for at in 0..count {
        bench.put(&name(at), format!("old {at}").as_bytes(), 0o644);
    }
    let in_use = [3, 64, 149];
    let programs: Vec<_> =
        in_use.map(|at| fs::OpenOptions::new().append(true).open(bench.at(name(at).as_bytes())).unwrap()).into();
    let wanted = |at: usize| match at % 3 {
        0 => Thing::Absent,
        1 => file(b"new", 0o600),
        _ => link("elsewhere"),
    };
    let changes: Vec<Change> =
        (0..count).map(|at| change(&name(at), is(format!("old {at}").as_bytes()), &name(at), wanted(at))).collect();
    let results = replace_all(&bench.root, &changes);
    for mut program in programs {
        program.write_all(b" and more").unwrap();
    }
    assert_eq!(results.len(), count);
    for (at, result) in results.into_iter().enumerate() {
        if in_use.contains(&at) {
            assert!(matches!(result, Err(WriteError::InUse { .. })), "{at}: {result:?}");
            assert_eq!(bench.read(&name(at)), format!("old {at} and more").as_bytes());
            continue;
        }
        let written = result.unwrap();
        match wanted(at) {
            Thing::Absent => assert!(!bench.exists(&name(at)) && written.stamp.is_none()),
            Thing::File { content, mode } => {
                assert_eq!((bench.read(&name(at)), bench.mode(&name(at))), (content, mode));
            }
            Thing::Link(target) => {
                assert_eq!(
                    fs::read_link(bench.at(name(at).as_bytes())).unwrap().as_os_str().as_encoded_bytes(),
                    target
                );
            }
        }
    }
    bench.assert_clean();
}

#[test]
fn one_that_is_not_as_expected_keeps_no_other_from_being_written() {
    let bench = Bench::new();
    for name in ["a", "b", "c"] {
        bench.put(name, b"old", 0o644);
    }
    let changes = [
        change("a", is(b"old"), "a", file(b"new", 0o644)),
        change("b", is(b"something else"), "b", file(b"new", 0o644)),
        change("c", is(b"old"), "c", Thing::Absent),
        change("d", ExpectedThing::Absent, "d", file(b"made", 0o644)),
    ];
    let results = replace_all(&bench.root, &changes);
    assert!(matches!(results[..], [Ok(_), Err(WriteError::Changed { .. }), Ok(_), Ok(_)]), "{results:?}");
    assert_eq!((bench.read("a"), bench.read("b"), bench.read("d")), (b"new".into(), b"old".into(), b"made".into()));
    assert!(!bench.exists("c"));
    bench.assert_clean();
}

#[test]
fn changes_that_touch_the_same_place_are_made_one_after_the_other() {
    let bench = Bench::new();
    bench.put("a", b"a file", 0o644);
    bench.put("x", b"first", 0o644);
    let changes = [
        change("a", is(b"a file"), "a", Thing::Absent),
        // Where the file was, there is to be a folder.
        change("a/b", ExpectedThing::Absent, "a/b", file(b"below", 0o644)),
        change("x", is(b"first"), "x", file(b"second", 0o644)),
        change("x", is(b"second"), "y", file(b"third", 0o644)),
        change("y", is(b"third"), "y", file(b"fourth", 0o644)),
    ];
    let results = replace_all(&bench.root, &changes);
    assert!(results.iter().all(Result::is_ok), "{results:?}");
    assert_eq!((bench.read("a/b"), bench.read("y"), bench.exists("x")), (b"below".into(), b"fourth".into(), false));
    bench.assert_clean();
    // A file that stays, because a program writes to it, stays in the way.
    bench.put("in-use", b"log", 0o644);
    let program = fs::OpenOptions::new().append(true).open(bench.at(b"in-use")).unwrap();
    let changes = [
        change("in-use", is(b"log"), "in-use", Thing::Absent),
        change("in-use/b", ExpectedThing::Absent, "in-use/b", file(b"below", 0o644)),
    ];
    let results = replace_all(&bench.root, &changes);
    assert!(matches!(results[..], [Err(WriteError::InUse { .. }), Err(WriteError::InTheWay { .. })]), "{results:?}");
    drop(program);
    assert_eq!(bench.read("in-use"), b"log");
    bench.assert_clean();
}
