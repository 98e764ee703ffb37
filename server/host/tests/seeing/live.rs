//! Changes while watching: each is seen once, with its content from before.

use std::os::unix::fs::{PermissionsExt as _, symlink};

use augment_core::file::{Body, FilePath, FileState};
use augment_host::seeing::{Cause, Options};

use crate::bench::Bench;

#[test]
fn create_modify_and_delete() {
    let bench = Bench::repository(&["a=1\n"]);
    let seeing = bench.start();
    bench.write("b", "new\n");
    assert_eq!(bench.settled(&seeing), ["b: absent => \"new\\n\""]);
    bench.write("a", "2\n");
    assert_eq!(bench.settled(&seeing), ["a: \"1\\n\" => \"2\\n\""]);
    bench.write("a", "3\n");
    assert_eq!(bench.settled(&seeing), ["a: \"2\\n\" => \"3\\n\""]);
    bench.remove("a");
    bench.remove("b");
    assert_eq!(bench.settled(&seeing), ["a: \"3\\n\" => absent", "b: \"new\\n\" => absent"]);
    assert!(bench.settled(&seeing).is_empty());
}

#[test]
fn a_change_is_handed_over_without_being_asked_for() {
    let bench = Bench::repository(&["a=1\n"]);
    let seeing = bench.start_with(Options::default());
    bench.store.hold();
    bench.write("a", "2\n");
    bench.store.wait_for_a_batch();
    bench.store.release();
    drop(seeing);
}

#[test]
fn there_and_back_again_is_seen_both_ways_and_a_touch_is_nothing() {
    let bench = Bench::repository(&["a=A"]);
    let seeing = bench.start();
    bench.write("a", "B");
    assert_eq!(bench.settled(&seeing), ["a: \"A\" => \"B\""]);
    bench.write("a", "A");
    assert_eq!(bench.settled(&seeing), ["a: \"B\" => \"A\""]);
    bench.write("a", "A");
    assert!(bench.settled(&seeing).is_empty());
    // The same length in the same moment: no stamp tells them apart, only the content does.
    for round in 0..50 {
        let content = if round % 2 == 0 { "X" } else { "Y" };
        bench.write("a", content);
        assert_eq!(bench.settled(&seeing).len(), 1, "round {round}");
    }
}

#[test]
fn modes_links_and_what_is_no_file() {
    let bench = Bench::repository(&["a=1\n"]);
    symlink("a", bench.path("link")).unwrap();
    let seeing = bench.start();
    std::fs::set_permissions(bench.path("a"), std::fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(bench.settled(&seeing), ["a: \"1\\n\" => \"1\\n\" +x"]);
    bench.remove("link");
    symlink("/etc/passwd", bench.path("link")).unwrap();
    assert_eq!(bench.settled(&seeing), ["link: link a => link /etc/passwd"]);
    bench.remove("link");
    bench.write("link", "a file now");
    assert_eq!(bench.settled(&seeing), ["link: link /etc/passwd => \"a file now\""]);
    bench.remove("link");
    std::fs::create_dir(bench.path("link")).unwrap();
    bench.write("link/inside", "x");
    assert_eq!(bench.settled(&seeing), ["link/inside: absent => \"x\"", "link: \"a file now\" => absent"]);
    let mode = rustix::fs::Mode::from_raw_mode(0o600);
    rustix::fs::mknodat(rustix::fs::CWD, bench.path("pipe"), rustix::fs::FileType::Fifo, mode, 0).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(bench.path("socket")).unwrap();
    assert_eq!(bench.settled(&seeing), ["pipe: absent => special", "socket: absent => special"]);
    bench.remove("a");
    rustix::fs::mknodat(rustix::fs::CWD, bench.path("a"), rustix::fs::FileType::Fifo, mode, 0).unwrap();
    assert_eq!(bench.settled(&seeing), ["a: \"1\\n\" +x => special"]);
}

#[test]
fn contents_come_through_to_the_byte() {
    let bench = Bench::plain();
    let contents: [&[u8]; 6] = [b"a\r\nb\r\n", b"\xef\xbb\xbfbom", b"no end", b"\xff\xfe\x00", b"", b"mixed\r\nends\n"];
    for (at, content) in contents.iter().enumerate() {
        bench.write(format!("f{at}"), content);
    }
    let seeing = bench.start();
    for at in 0..contents.len() {
        bench.write(format!("f{at}"), b"x\x00y");
    }
    seeing.settle().unwrap();
    let changes: Vec<_> = bench.batches().into_iter().flat_map(|batch| batch.changes).collect();
    assert_eq!(changes.len(), contents.len());
    for (seen, content) in changes.iter().zip(contents) {
        let augment_host::seeing::Before::Known(before) = &seen.before else { panic!("{seen:?}") };
        match &before.body {
            Body::Text(text) => assert_eq!(text, content),
            Body::Whole { hash, .. } => assert_eq!(bench.store.blobs.lock().unwrap()[hash], content),
            other @ (Body::Absent | Body::Link(_) | Body::Large { .. } | Body::Special) => panic!("{other:?}"),
        }
        let Body::Whole { hash, length: 3 } = &seen.now.body else { panic!("{seen:?}") };
        assert_eq!(bench.store.blobs.lock().unwrap()[hash], b"x\x00y");
    }
}

#[test]
fn strange_names_are_names() {
    let bench = Bench::plain();
    let seeing = bench.start();
    let names: [&[u8]; 6] = [b"new\nline", b"\xff\xfe", b"-rf", b"$(x)", b"esc\x1b[31m", "\u{202e}txt".as_bytes()];
    for name in names {
        bench.write(name, "1");
    }
    bench.write([b"n".repeat(255), b"/".to_vec(), b"m".repeat(255)].concat(), "deep");
    seeing.settle().unwrap();
    let seen: Vec<Vec<u8>> =
        bench.batches().into_iter().flat_map(|batch| batch.changes).map(|seen| seen.path.as_bytes().to_vec()).collect();
    assert_eq!(seen.len(), 7);
    assert!(names.iter().all(|name| seen.iter().any(|path| path == name)));
}

#[test]
fn editors_save_by_renaming() {
    let bench = Bench::repository(&["code.rs=old\n"]);
    let seeing = bench.start();
    // Vim: the old one aside, a new one, the old one away.
    std::fs::rename(bench.path("code.rs"), bench.path("code.rs~")).unwrap();
    bench.write("code.rs", "vim\n");
    bench.remove("code.rs~");
    assert_eq!(bench.settled(&seeing), ["code.rs: \"old\\n\" => \"vim\\n\""]);
    // A temporary file over the old one.
    bench.write(".code.rs.tmp", "atomic\n");
    std::fs::rename(bench.path(".code.rs.tmp"), bench.path("code.rs")).unwrap();
    assert_eq!(bench.settled(&seeing), ["code.rs: \"vim\\n\" => \"atomic\\n\""]);
    // A backup stays.
    std::fs::rename(bench.path("code.rs"), bench.path("code.rs~")).unwrap();
    bench.write("code.rs", "again\n");
    assert_eq!(bench.settled(&seeing), ["code.rs: \"atomic\\n\" => \"again\\n\"", "code.rs~: absent => \"atomic\\n\""]);
}

#[test]
fn renamed_files_and_folders_keep_their_story() {
    let bench = Bench::repository(&["a=some text\n", "dir/x=ex\n", "dir/deep/y=why\n"]);
    let seeing = bench.start();
    std::fs::rename(bench.path("a"), bench.path("b")).unwrap();
    assert_eq!(bench.settled(&seeing), ["a -> b: \"some text\\n\" => \"some text\\n\""]);
    std::fs::rename(bench.path("b"), bench.path("c")).unwrap();
    bench.write("c", "moved and changed\n");
    assert_eq!(bench.settled(&seeing), ["b -> c: \"some text\\n\" => \"moved and changed\\n\""]);
    std::fs::rename(bench.path("dir"), bench.path("folder")).unwrap();
    assert_eq!(
        bench.settled(&seeing),
        ["dir/deep/y -> folder/deep/y: \"why\\n\" => \"why\\n\"", "dir/x -> folder/x: \"ex\\n\" => \"ex\\n\""]
    );
    bench.write("folder/deep/y", "still watched\n");
    assert_eq!(bench.settled(&seeing), ["folder/deep/y: \"why\\n\" => \"still watched\\n\""]);
    bench.write("dir/x", "another\n");
    assert_eq!(bench.settled(&seeing), ["dir/x: absent => \"another\\n\""]);
    // What was told is what is kept: nothing is found again.
    drop(seeing);
    bench.once();
    assert!(bench.told().is_empty());
}

#[test]
fn a_new_folder_filled_at_once_loses_nothing() {
    let bench = Bench::plain();
    let seeing = bench.start_with(Options::default());
    std::thread::scope(|scope| {
        for part in 0..2 {
            let bench = &bench;
            scope.spawn(move || {
                for at in 0..500 {
                    bench.write(format!("new/{}/{}/f{part}-{at}", at % 7, at % 3), "x");
                }
            });
        }
    });
    seeing.settle().unwrap();
    let mut seen: Vec<String> =
        bench.batches().into_iter().flat_map(|batch| batch.changes).map(|seen| seen.path.to_text()).collect();
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), 1_000);
    bench.replace("new/0/0/f0-0", "watched");
    assert_eq!(bench.settled(&seeing).len(), 1);
}

#[test]
fn rules_that_change_bring_files_in_and_keep_known_ones() {
    let bench = Bench::repository(&["a=1", ".gitignore=*.log\n"]);
    bench.write("old.log", "was there");
    let seeing = bench.start();
    bench.write("old.log", "changed unseen");
    bench.write("more.log", "x");
    assert!(bench.settled(&seeing).is_empty());
    bench.write(".gitignore", "a\n");
    assert_eq!(
        bench.settled(&seeing),
        [
            ".gitignore: \"*.log\\n\" => \"a\\n\"",
            "more.log: unknown => \"x\"",
            "old.log: unknown => \"changed unseen\""
        ]
    );
    bench.write("a", "known files stay known");
    assert_eq!(bench.settled(&seeing).len(), 1);
}

#[test]
fn a_file_forced_into_the_index_is_seen() {
    let bench = Bench::repository(&[".gitignore=*.log\n"]);
    let seeing = bench.start();
    bench.write("x.log", "1");
    assert!(bench.settled(&seeing).is_empty());
    bench.git("add -f x.log");
    bench.write("x.log", "2");
    assert_eq!(bench.settled(&seeing), ["x.log: unknown => \"2\""]);
}

#[test]
fn what_we_wrote_ourselves_is_not_news_but_what_others_made_of_it_is() {
    let bench = Bench::repository(&["a=1\n", "old=x\n"]);
    let seeing = bench.start();
    let state = |name: &str, text: &str| FileState {
        path: FilePath::from_text(name).unwrap(),
        body: Body::Text(text.into()),
        mode: 0o644,
    };
    bench.write("a", "ours\n");
    seeing.wrote(&state("a", "ours\n"), None);
    assert!(bench.settled(&seeing).is_empty());
    bench.write("a", "ours again\n");
    bench.write("a", "theirs\n");
    seeing.wrote(&state("a", "ours again\n"), None);
    let told = bench.settled(&seeing);
    assert!(told.len() == 1 && told[0].ends_with("=> \"theirs\\n\""), "{told:?}");
    std::fs::rename(bench.path("old"), bench.path("new")).unwrap();
    seeing.wrote(&state("new", "x\n"), Some(&FilePath::from_text("old").unwrap()));
    assert!(bench.settled(&seeing).is_empty());
    bench.remove("new");
    seeing.wrote(&FileState { body: Body::Absent, mode: 0, ..state("new", "") }, None);
    assert!(bench.settled(&seeing).is_empty());
}

#[test]
fn woven_files_need_no_before() {
    let bench = Bench::repository(&["a=1\n"]);
    bench.store.woven.lock().unwrap().insert(FilePath::from_text("a").unwrap());
    let seeing = bench.start();
    bench.write("a", "2\n");
    assert_eq!(bench.settled(&seeing), ["a: woven => \"2\\n\""]);
}

#[test]
fn much_content_comes_in_several_batches() {
    let bench = Bench::plain();
    let seeing = bench.start();
    for at in 0..30 {
        bench.write(format!("f{at}"), vec![b'x'; 1_900_000].chunks(1_000).collect::<Vec<_>>().join(&b'\n'));
    }
    seeing.settle().unwrap();
    let batches: Vec<_> = bench.batches().into_iter().filter(|batch| !batch.changes.is_empty()).collect();
    assert_eq!(batches.iter().map(|batch| batch.changes.len()).sum::<usize>(), 30);
    assert!(batches.len() >= 2 && batches.iter().all(|batch| batch.cause == Cause::Live));
    assert!(batches.windows(2).all(|pair| pair[0].generation < pair[1].generation));
}
