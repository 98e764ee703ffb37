//! The first look at a workspace, and the look after a time when nobody watched.

use augment_host::seeing::{Options, Sight};

use crate::bench::Bench;

#[test]
fn a_clean_tracked_file_is_not_copied_and_can_be_brought_back() {
    let bench = Bench::repository(&["a.txt=one\n", "sub/b.txt=two\n"]);
    // Git itself cannot tell whether files written in the moment of the index are clean, so they are read, not copied.
    let seeing = bench.start();
    assert_eq!(seeing.condition().files_known, 2);
    assert!(bench.store.blobs.lock().unwrap().is_empty());
    assert_eq!(bench.base(&seeing, "a.txt"), "\"one\\n\"");
    assert_eq!(bench.base(&seeing, "sub/b.txt"), "\"two\\n\"");
    assert!(bench.told().is_empty());
}

#[test]
fn dirty_and_untracked_files_are_copied_and_ignored_ones_are_not() {
    let bench = Bench::repository(&["a=1", "b=1", "forced.log=tracked", ".gitignore=*.log\nbuild/\n"]);
    bench.git("add -f forced.log");
    bench.git("commit -q -m forced");
    bench.write("a", "dirty");
    bench.write("new", "untracked");
    bench.write("noise.log", "x");
    bench.write("build/out", "x");
    let seeing = bench.start();
    assert_eq!(bench.store.blobs.lock().unwrap().len(), 2);
    assert_eq!((bench.base(&seeing, "a"), bench.base(&seeing, "new")), ("\"dirty\"".into(), "\"untracked\"".into()));
    assert_eq!(bench.base(&seeing, "forced.log"), "\"tracked\"");
    assert_eq!(bench.base(&seeing, "noise.log"), "absent");
    assert_eq!(seeing.condition().files_known, 5);
    // A folder that is left out is not watched either.
    assert_eq!(seeing.condition().folders_watched, 1);
}

#[test]
fn ignored_files_are_looked_at_on_request_and_more_can_be_left_out() {
    let bench = Bench::repository(&[".gitignore=*.log\n"]);
    bench.write("a.log", "x");
    bench.write("b.bin", "y");
    let options = Options { track_ignored: true, ignore: vec!["*.bin".into()], ..Options::default() };
    let seeing = bench.start_with(options);
    assert_eq!((bench.base(&seeing, "a.log"), bench.base(&seeing, "b.bin")), ("\"x\"".into(), "absent".into()));
}

#[test]
fn excludes_of_the_repository_and_rules_deeper_down_are_respected() {
    let bench = Bench::repository(&["sub/.gitignore=!keep.tmp\n*.x\n", "sub/f=1"]);
    std::fs::write(bench.root.join(".git/info/exclude"), "*.tmp\n").unwrap();
    for name in ["a.tmp", "sub/keep.tmp", "sub/deep/y.x", "y.x"] {
        bench.write(name, "1");
    }
    let seeing = bench.start();
    let known: Vec<_> =
        ["a.tmp", "sub/keep.tmp", "sub/deep/y.x", "y.x"].map(|name| bench.base(&seeing, name) != "absent").into();
    assert_eq!(known, [false, true, false, true]);
}

#[test]
fn submodules_nested_repositories_and_worktrees_have_their_own_index() {
    let library = Bench::repository(&["lib.rs=lib\n", ".gitignore=out\n"]);
    let bench = Bench::repository(&["main.rs=main\n"]);
    bench.git(&format!("submodule --quiet add {} vendor/lib", library.root.display()));
    bench.git("commit -q -m submodule");
    bench.git("worktree add -q -b side tree");
    std::fs::create_dir(bench.path("nested")).unwrap();
    bench.git_in("nested", "init -q -b main");
    bench.write("nested/n.txt", "n\n");
    bench.git_in("nested", "add -A");
    bench.git_in("nested", "commit -q -m nested");
    bench.write("vendor/lib/out", "ignored there");
    bench.write("nested/out", "not ignored here");
    let seeing = bench.start();
    assert_eq!(bench.base(&seeing, "vendor/lib/lib.rs"), "\"lib\\n\"");
    assert_eq!(bench.base(&seeing, "tree/main.rs"), "\"main\\n\"");
    assert_eq!(bench.base(&seeing, "nested/n.txt"), "\"n\\n\"");
    assert_eq!(bench.base(&seeing, "vendor/lib/out"), "absent");
    let copied: Vec<_> = bench.store.blobs.lock().unwrap().values().map(|blob| blob.len()).collect();
    assert_eq!(copied, ["not ignored here".len()], "only the untracked file is copied");
}

#[test]
fn a_workspace_may_be_a_folder_inside_a_repository() {
    let mut bench =
        Bench::repository(&["app/src/a.rs=a\n", "other/b.rs=b\n", ".gitignore=/app/build\n/other/x\n*.o\n"]);
    bench.write("app/build/out", "x");
    bench.write("app/x", "mine");
    bench.write("app/src/a.o", "x");
    bench.root = bench.root.join("app");
    let seeing = bench.start();
    assert_eq!(bench.base(&seeing, "src/a.rs"), "\"a\\n\"");
    assert_eq!(seeing.condition().files_known, 2);
    assert_eq!(bench.store.blobs.lock().unwrap().len(), 1);
    bench.write("src/a.rs", "changed\n");
    assert_eq!(bench.settled(&seeing), ["src/a.rs: \"a\\n\" => \"changed\\n\""]);
    bench.git("checkout -q -- .");
    assert_eq!(bench.settled(&seeing), ["vcs src/a.rs: \"changed\\n\" => \"a\\n\""], "nobody else has what was there");
}

#[test]
fn what_a_checkout_converted_is_copied() {
    let bench =
        Bench::repository(&[".gitattributes=*.crlf text eol=crlf\n*.big filter=x\n*.id ident\n", "a.crlf=one\ntwo\n"]);
    bench.git("config filter.x.clean cat");
    bench.git("config filter.x.smudge cat");
    bench.write("b.big", "big\n");
    bench.write("c.id", "$Id$\n");
    bench.write("plain", "plain\n");
    bench.git("add -A");
    bench.git("commit -q -m more");
    bench.git("rm -q --cached a.crlf c.id");
    bench.git("reset -q --hard");
    assert_eq!(std::fs::read(bench.path("a.crlf")).unwrap(), b"one\r\ntwo\r\n");
    let seeing = bench.start();
    assert_eq!(bench.base(&seeing, "a.crlf"), "\"one\\r\\ntwo\\r\\n\"");
    assert!(bench.base(&seeing, "c.id").starts_with("\"$Id: "));
    assert_eq!(bench.base(&seeing, "b.big"), "\"big\\n\"");
    assert_eq!(bench.base(&seeing, "plain"), "\"plain\\n\"");
}

#[test]
fn nothing_that_a_repository_plants_is_run() {
    let bench = Bench::repository(&["a=1\n", ".gitattributes=* filter=evil diff=evil ident\n"]);
    let marker = bench.folder.path().join("ran");
    let evil = format!("touch {}", marker.display());
    for key in [
        "core.fsmonitor",
        "filter.evil.clean",
        "filter.evil.smudge",
        "filter.evil.process",
        "diff.evil.textconv",
        "diff.external",
        "core.sshCommand",
        "core.pager",
        "core.editor",
    ] {
        let set = crate::bench::git_command(&bench.root).args(["config", key, &evil]).status().unwrap();
        assert!(set.success());
    }
    for hook in ["post-checkout", "post-index-change", "pre-commit"] {
        let path = bench.root.join(".git/hooks").join(hook);
        std::fs::write(&path, format!("#!/bin/sh\n{evil}\n")).unwrap();
        std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    }
    bench.write("b", "2\n");
    let before = std::fs::metadata(bench.root.join(".git/index")).unwrap().modified().unwrap();
    let seeing = bench.start();
    bench.write("a", "changed\n");
    assert_eq!(bench.settled(&seeing), ["a: \"1\\n\" => \"changed\\n\""]);
    drop(seeing);
    bench.once();
    assert!(!marker.exists());
    assert_eq!(std::fs::metadata(bench.root.join(".git/index")).unwrap().modified().unwrap(), before);
}

#[test]
fn what_changed_while_nobody_watched_is_found() {
    let bench =
        Bench::repository(&["clean=1\n", "gone=1\n", "mode=1\n", "moved=some content\n", "dir/x=1\n", "dir/y=1\n"]);
    bench.write("untracked", "u");
    bench.once();
    assert!(bench.told().is_empty());
    bench.once();
    assert!(bench.told().is_empty(), "nothing changed");
    bench.write("clean", "2\n");
    bench.remove("gone");
    std::fs::set_permissions(bench.path("mode"), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    std::fs::rename(bench.path("moved"), bench.path("there")).unwrap();
    std::fs::remove_dir_all(bench.path("dir")).unwrap();
    bench.write("untracked", "v");
    bench.write("new/er", "n");
    let expected = [
        "gap clean: \"1\\n\" => \"2\\n\"",
        "gap dir/x: \"1\\n\" => absent",
        "gap dir/y: \"1\\n\" => absent",
        "gap gone: \"1\\n\" => absent",
        "gap mode: \"1\\n\" => \"1\\n\" +x",
        "gap moved -> there: \"some content\\n\" => \"some content\\n\"",
        "gap new/er: absent => \"n\"",
        "gap untracked: \"u\" => \"v\"",
    ];
    bench.once();
    assert_eq!(bench.told(), expected);
    bench.once();
    assert!(bench.told().is_empty(), "each is told once");
}

#[test]
fn a_plain_folder_is_copied_up_to_a_limit_that_is_told() {
    let bench = Bench::plain();
    for name in ["a", "b", "c"] {
        bench.write(name, vec![name.as_bytes()[0]; 600]);
    }
    bench.write("large", vec![b'l'; 5_000]);
    let options = Options { max_kept_bytes: 1_300, max_file_bytes: 2_000, ..Options::default() };
    let seeing = bench.start_with(options);
    assert_eq!(bench.store.blobs.lock().unwrap().len(), 2);
    assert!(seeing.condition().limits[0].starts_with("1 files were not copied"), "{:?}", seeing.condition());
    assert_eq!(bench.base(&seeing, "large"), "large 5000");
    for name in ["a", "b", "c"] {
        bench.write(name, "short");
    }
    let told = bench.settled(&seeing);
    assert_eq!(told.iter().filter(|line| line.contains("unknown => \"short\"")).count(), 1, "{told:?}");
    bench.write("large", vec![b'm'; 6_000]);
    assert_eq!(bench.settled(&seeing), ["large: large 5000 => large 6000"]);
}

#[test]
fn gitignore_counts_in_a_plain_folder_too() {
    let bench = Bench::plain();
    bench.write(".gitignore", "*.log\n");
    bench.write("a.log", "x");
    bench.write("b", "y");
    assert_eq!(bench.start().condition().files_known, 2);
}

#[test]
fn a_manifest_that_is_damaged_or_gone_is_told() {
    let bench = Bench::plain();
    bench.write("a", "1");
    let seeing = bench.start();
    bench.write("a", "2");
    bench.settled(&seeing);
    drop(seeing);
    let file = bench.data.join("manifest");
    let mut bytes = std::fs::read(&file).unwrap();
    bytes[20] ^= 1;
    std::fs::write(&file, bytes).unwrap();
    let condition = bench.once();
    assert!(condition.limits[0].contains("is damaged, so what changed while nobody was watching is not known"));
    assert!(bench.once().limits.is_empty());
    let seeing = bench.start();
    bench.write("a", "3");
    assert_eq!(bench.settled(&seeing).len(), 1);
    drop(seeing);
    std::fs::remove_file(&file).unwrap();
    assert!(bench.once().limits[0].contains("is gone"));
}

#[test]
fn a_repository_that_is_not_understood_is_told_and_its_files_are_copied() {
    let bench = Bench::plain();
    bench.git("init -q -b main --object-format=sha256");
    bench.write("a", "1");
    bench.git("add -A");
    bench.git("commit -q -m first");
    let seeing = bench.start();
    assert!(seeing.condition().limits[0].contains("is not understood"), "{:?}", seeing.condition());
    assert_eq!(seeing.condition().sight, Sight::Watching);
    assert_eq!(bench.base(&seeing, "a"), "\"1\"");
    bench.write("a", "2");
    assert_eq!(bench.settled(&seeing), ["a: \"1\" => \"2\""]);
}
