//! What version control did to files is told apart from what others did, and commits are seen.

use augment_core::file::FilePath;
use augment_host::seeing::Options;

use crate::bench::{Bench, git_command, patient};

#[test]
fn a_checkout_of_many_files_is_all_version_controls_and_misses_none() {
    let bench = Bench::repository(&["stays=1\n"]);
    for at in 0..2_000 {
        bench.write(format!("d{}/f{at}", at % 40), format!("one {at}\n"));
    }
    bench.git("add -A");
    bench.git("commit -q -m one");
    bench.git("checkout -q -b side");
    for at in 0..2_000 {
        match at % 4 {
            0 => bench.remove(&format!("d{}/f{at}", at % 40)),
            1 => bench.write(format!("e{}/g{at}", at % 40), "new\n"),
            _ => bench.write(format!("d{}/f{at}", at % 40), format!("two, longer {at}\n")),
        }
    }
    bench.git("add -A");
    bench.git("commit -q -m two");
    // Looked at when git is through: a git that is held up for long between its index and its HEAD has, until then, only
    // written files as somebody might by way of it.
    let seeing = bench.start();
    let woven = FilePath::from_text("d2/f2").unwrap();
    bench.store.woven.lock().unwrap().insert(woven);
    for (branch, first) in
        [("main", "vcs d2/f2: woven => \"one 2\\n\""), ("side", "vcs d2/f2: woven => \"two, longer 2\\n\"")]
    {
        bench.git(&format!("checkout -q {branch}"));
        let told = bench.settled(&seeing);
        let quiet: std::collections::BTreeSet<_> = told.iter().filter(|line| line.starts_with("quiet ")).collect();
        assert_eq!(quiet.len(), 1_999, "{branch}");
        let other: Vec<_> = told.iter().filter(|line| !line.starts_with("quiet ")).collect();
        assert!(other.contains(&&first.to_owned()), "{other:?}");
        assert!(other.iter().all(|line| line.starts_with("HEAD moved") || *line == first), "{other:?}");
    }
    // The files are known by their objects now.
    bench.replace("d3/f3", "mine\n");
    assert_eq!(bench.settled(&seeing), ["d3/f3: \"two, longer 3\\n\" => \"mine\\n\""]);
    drop(seeing);
    bench.once();
    assert!(bench.told().is_empty());
}

#[test]
fn a_commit_moves_head_and_no_file() {
    let bench = Bench::repository(&["a=1\n"]);
    let seeing = bench.start();
    bench.write("a", "2\n");
    assert_eq!(bench.settled(&seeing).len(), 1);
    bench.git("commit -q -a -m second");
    assert_eq!(bench.settled(&seeing), ["HEAD committed main => main"]);
    bench.git("commit -q --amend -m again");
    assert_eq!(bench.settled(&seeing), ["HEAD committed main => main"]);
    bench.git("reset -q --soft HEAD~1");
    assert_eq!(bench.settled(&seeing), ["HEAD moved main => main"]);
    bench.git("checkout -q -b other");
    assert_eq!(bench.settled(&seeing), ["HEAD moved main => other"]);
    bench.git("add -A");
    assert!(bench.settled(&seeing).is_empty());
}

#[test]
fn an_edit_just_before_a_commit_is_not_version_controls() {
    let bench = Bench::repository(&["a=1\n"]);
    let seeing = bench.start();
    bench.write("a", "edited\n");
    bench.git("commit -q -a -m quick");
    let told = bench.settled(&seeing);
    assert!(told.contains(&"a: \"1\\n\" => \"edited\\n\"".to_owned()), "{told:?}");
    assert!(told.iter().all(|line| !line.contains("vcs") && !line.contains("quiet")), "{told:?}");
}

#[test]
fn an_edit_under_somebody_elses_lock_is_not_version_controls() {
    let bench = Bench::repository(&["a=1\n", "b=1\n"]);
    let seeing = bench.start();
    let lock = bench.root.join(".git/index.lock");
    std::fs::write(&lock, "").unwrap();
    bench.write("a", "an agent's\n");
    bench.write("empty", "");
    std::fs::remove_file(&lock).unwrap();
    assert_eq!(bench.settled(&seeing), ["a: \"1\\n\" => \"an agent's\\n\"", "empty: absent => \"\""]);
}

#[test]
fn changes_wait_for_the_lock_but_not_for_ever() {
    let bench = Bench::repository(&["a=1\n"]);
    let patience = std::time::Duration::from_millis(300);
    let seeing = bench.start_with(Options { lock_patience: patience, ..patient() });
    let begun = std::time::Instant::now();
    std::fs::write(bench.root.join(".git/index.lock"), "").unwrap();
    bench.write("a", "2\n");
    assert_eq!(bench.settled(&seeing), ["a: \"1\\n\" => \"2\\n\""]);
    assert!(begun.elapsed() >= patience);
    bench.write("a", "3\n");
    assert_eq!(bench.settled(&seeing), ["a: \"2\\n\" => \"3\\n\""], "nobody waits for a lock that was left behind");
}

#[test]
fn stash_reset_restore_and_merge_are_version_controls() {
    let bench = Bench::repository(&["a=1\n", "b=1\n"]);
    let seeing = bench.start();
    bench.write("a", "work\n");
    assert_eq!(bench.settled(&seeing).len(), 1);
    bench.git("stash -q");
    assert_eq!(bench.settled(&seeing), ["quiet a"]);
    bench.git("stash pop -q");
    assert_eq!(bench.settled(&seeing), ["quiet a"]);
    bench.git("restore a");
    let told = bench.settled(&seeing);
    assert_eq!(told, ["vcs a: \"work\\n\" => \"1\\n\""], "a restore throws away what nobody else has");
    bench.git("checkout -q -b side");
    bench.write("a", "side\n");
    bench.git("commit -q -a -m side");
    bench.git("checkout -q main");
    bench.write("a", "main\n");
    bench.git("commit -q -a -m main");
    bench.settled(&seeing);
    assert!(!git_command(&bench.root).args(["merge", "-q", "side"]).output().unwrap().status.success());
    let told = bench.settled(&seeing);
    assert_eq!(told, ["quiet a"], "a conflict is left by the merge");
    assert!(bench.base(&seeing, "a").contains("<<<<<<< "));
    bench.git("merge --abort");
    assert_eq!(bench.settled(&seeing), ["quiet a"]);
    bench.git("reset -q --hard HEAD~1");
    assert_eq!(bench.settled(&seeing), ["HEAD moved main => main", "quiet a"]);
}

#[test]
fn a_checkout_while_nobody_watched_is_version_controls_and_a_commit_is_not() {
    let bench = Bench::repository(&["a=1\n", "b=1\n", "c=1\n"]);
    bench.git("checkout -q -b side");
    bench.write("a", "2\n");
    bench.git("commit -q -a -m side");
    bench.git("checkout -q main");
    bench.once();
    bench.git("checkout -q side");
    bench.write("c", "edited and committed\n");
    bench.git("commit -q -a -m more");
    bench.write("b", "edited and not committed\n");
    bench.once();
    assert_eq!(
        bench.told(),
        [
            "gap HEAD moved main => side",
            "gap b: \"1\\n\" => \"edited and not committed\\n\"",
            "gap c: \"1\\n\" => \"edited and committed\\n\"",
            "gap quiet a"
        ]
    );
    bench.once();
    assert!(bench.told().is_empty());
}

#[test]
fn a_converted_file_that_is_checked_out_is_known_as_it_lies_on_disk() {
    let bench = Bench::repository(&[".gitattributes=*.txt text eol=crlf\n", "a.txt=one\r\n"]);
    bench.git("checkout -q -b side");
    bench.write("a.txt", "two\r\n");
    bench.git("commit -q -a -m side");
    let seeing = bench.start();
    bench.git("checkout -q main");
    assert_eq!(bench.settled(&seeing), ["HEAD moved side => main", "quiet a.txt"]);
    assert_eq!(bench.base(&seeing, "a.txt"), "\"one\\r\\n\"");
}

#[test]
fn submodules_and_new_repositories_move_on_their_own() {
    let library = Bench::repository(&["lib.rs=one\n"]);
    library.write("lib.rs", "two\n");
    library.git("commit -q -a -m two");
    let bench = Bench::repository(&["main.rs=main\n"]);
    bench.git(&format!("submodule --quiet add {} lib", library.root.display()));
    bench.git("commit -q -m submodule");
    let seeing = bench.start();
    bench.git_in("lib", "checkout -q HEAD~1");
    assert_eq!(bench.settled(&seeing), ["HEAD moved main => detached in lib", "quiet lib/lib.rs"]);
    std::fs::create_dir(bench.path("fresh")).unwrap();
    bench.git_in("fresh", "init -q -b main");
    bench.write("fresh/f", "1\n");
    assert_eq!(bench.settled(&seeing), ["fresh/f: absent => \"1\\n\""]);
    bench.git_in("fresh", "add -A");
    bench.git_in("fresh", "commit -q -m f");
    assert_eq!(bench.settled(&seeing), ["HEAD committed none => main in fresh"]);
    bench.write("fresh/f", "2\n");
    bench.settled(&seeing);
    bench.git_in("fresh", "checkout -q -- f");
    assert_eq!(bench.settled(&seeing), ["vcs fresh/f: \"2\\n\" => \"1\\n\""]);
}

#[test]
fn what_git_makes_anew_is_version_controls_whenever_it_is_looked_at() {
    let library = Bench::repository(&["a=1\n", "b/c=2\n"]);
    let from = library.root.display();
    let bench = Bench::repository(&["a=1\n", "b/c=2\n"]);
    // At every event, so that each step of git's has its looks.
    let at_once = std::time::Duration::ZERO;
    let seeing = bench.start_with(Options { quiet: at_once, at_most: at_once, ..Options::default() });
    let ways: [(&str, &dyn Fn(usize) -> String); 3] = [
        ("copy", &|at| format!("clone -q . copy{at}")),
        ("tree", &|at| format!("worktree add -q --detach tree{at}")),
        ("part", &|at| format!("submodule --quiet add {from} part{at}")),
    ];
    for (name, command) in ways {
        for at in 0..20 {
            bench.git(&command(at));
            let told = bench.settled(&seeing);
            let inside: Vec<&String> = told.iter().filter(|line| line.contains(&format!("{name}{at}/"))).collect();
            let quiet = [format!("quiet {name}{at}/a"), format!("quiet {name}{at}/b/c")];
            assert_eq!(inside, [&quiet[0], &quiet[1]], "{told:?}");
        }
    }
}

#[test]
fn what_somebody_does_by_way_of_git_is_not_taken_for_gits_own() {
    let bench = Bench::repository(&["a=1\n", "b=1\n", "c=1\n", "d=1\n"]);
    bench.write("c", "2\n");
    bench.git("commit -q -a -m two");
    let seeing = bench.start();
    bench.git("mv a moved");
    assert_eq!(bench.settled(&seeing), ["perhaps vcs a -> moved: \"1\\n\" => \"1\\n\""]);
    bench.git("rm -q b");
    assert_eq!(bench.settled(&seeing), ["perhaps vcs b: \"1\\n\" => absent"]);
    bench.git("checkout -q HEAD~1 -- c");
    assert_eq!(bench.settled(&seeing), ["perhaps vcs c: \"2\\n\" => \"1\\n\""]);
    bench.git("commit -q -m all");
    assert_eq!(bench.settled(&seeing), ["HEAD committed main => main"]);
    // The same with the commit in one look.
    seeing.hold();
    bench.git("mv d away");
    bench.git("rm -q c");
    bench.git("commit -q -m more");
    seeing.release();
    let told = bench.settled(&seeing);
    assert!(told.contains(&"perhaps vcs d -> away: \"1\\n\" => \"1\\n\"".to_owned()), "{told:?}");
    assert!(told.contains(&"perhaps vcs c: \"1\\n\" => absent".to_owned()), "{told:?}");
    assert!(told.iter().all(|line| !line.contains("quiet")), "{told:?}");
}

#[test]
fn where_head_only_went_to_and_fro_a_commit_is_still_somebodys_work() {
    for then in ["switch -q -c feature", "reset -q --soft HEAD", "checkout -q main"] {
        let bench = Bench::repository(&["a=1\n"]);
        bench.git("branch other");
        bench.once();
        bench.write("a", "2\n");
        bench.git("commit -q -a -m two");
        if then == "checkout -q main" {
            bench.git("checkout -q other");
        }
        bench.git(then);
        bench.once();
        let told = bench.told();
        assert!(told.contains(&"gap a: \"1\\n\" => \"2\\n\"".to_owned()), "{then}: {told:?}");
    }
}

#[test]
fn a_patch_that_git_applies_and_commits_is_somebodys_work() {
    let bench = Bench::repository(&["a=1\n"]);
    bench.write("a", "2\n");
    let patch = git_command(&bench.root).args(["diff"]).output().unwrap().stdout;
    bench.git("checkout -q a");
    std::fs::write(bench.root.join(".git/patch"), patch).unwrap();
    let seeing = bench.start();
    seeing.hold();
    bench.git("apply --index .git/patch");
    bench.git("commit -q -m patch");
    seeing.release();
    let told = bench.settled(&seeing);
    assert!(told.contains(&"perhaps vcs a: \"1\\n\" => \"2\\n\"".to_owned()), "{told:?}");
}

#[test]
fn what_was_put_off_is_not_taken_for_news() {
    let bench = Bench::repository(&["a=1\n"]);
    let seeing = bench.start();
    bench.replace("a", "1\n");
    assert!(bench.settled(&seeing).is_empty());
    bench.write("a", "1\n2\n");
    assert_eq!(bench.settled(&seeing), ["a: \"1\\n\" => \"1\\n2\\n\""]);
    bench.store.woven.lock().unwrap().insert(FilePath::from_text("a").unwrap());
    bench.git("checkout -q a");
    assert_eq!(bench.settled(&seeing), ["vcs a: woven => \"1\\n\""]);
}

#[test]
fn a_stash_with_untracked_files_comes_and_goes() {
    let bench = Bench::repository(&["a=1\n"]);
    let seeing = bench.start();
    bench.write("new", "untracked\n");
    assert_eq!(bench.settled(&seeing).len(), 1);
    bench.git("stash -q -u");
    assert_eq!(bench.settled(&seeing), ["quiet new"]);
    bench.git("stash pop -q");
    assert_eq!(bench.settled(&seeing), ["quiet new"]);
}
