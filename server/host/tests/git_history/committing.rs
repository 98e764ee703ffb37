//! What an intent commits, and what it leaves as it was.

use augment_core::file::FilePath;
use augment_host::vcs::CommitError;
use augment_host::vcs::history::{Body, History as _, HistoryError, LeftOut, Part};

use crate::bench::{Bench, absent, change, file, intent, path};

#[test]
fn exactly_the_parts_are_committed_and_the_rest_stays_changed() {
    let bench = Bench::with(&["a=1\n", "b=1\n", "d/c=1\n"]);
    bench.write("a", "1\nmine\napproved\n");
    bench.write("b", "2\n");
    bench.write("new", "n\n");
    let before = bench.tip().unwrap();
    let made = bench.intent(1, &[file("a", "1\napproved\n"), file("new", "n\n")]);
    assert_eq!(made.before, before);
    assert_eq!(made.commit.parents, [before]);
    assert_eq!(made.commit.change, Some(change(1)));
    assert!(made.notes.is_empty());
    assert_eq!(bench.git(&["show", "HEAD:a"]), "1\napproved");
    assert_eq!(bench.git(&["diff", "--name-only", "HEAD~1", "HEAD"]), "a\nnew");
    assert_eq!(bench.status(), " M a\n M b");
    assert_eq!(std::fs::read_to_string(bench.top().join("a")).unwrap(), "1\nmine\napproved\n");
    bench.judge();
}

#[test]
fn the_change_id_is_a_trailer_that_git_reads_and_the_reflog_tells_the_intent() {
    let bench = Bench::with(&["a=1\n"]);
    bench.write("a", "2\n");
    bench.intent(1, &[file("a", "2\n")]);
    assert_eq!(bench.git(&["log", "-1", "--format=%(trailers:key=Change-Id,valueonly)"]).trim(), change(1));
    let message = bench.git(&["log", "-1", "--format=%B"]);
    assert_eq!(message.trim_end(), format!("intent: step 1\n\nChange-Id: {}", change(1)));
    for name in ["HEAD", "main"] {
        assert_eq!(bench.git(&["reflog", "-1", "--format=%gs", name]), "commit: intent: step 1");
    }
    assert_eq!(bench.status(), "");
}

#[test]
fn what_is_staged_stays_staged() {
    let bench = Bench::with(&["a=1\n", "b=1\n", "c=1\n"]);
    bench.write("a", "staged\n");
    bench.write("b", "staged\n");
    bench.git(&["add", "a", "b"]);
    bench.git(&["rm", "-q", "--cached", "c"]);
    bench.write("a", "2\n");
    let made = bench.intent(1, &[file("a", "2\n")]);
    assert!(made.notes.len() == 1 && made.notes[0].starts_with("Something else was staged of a,"), "{:?}", made.notes);
    assert_eq!(bench.git(&["show", ":a"]), "staged");
    assert_eq!(bench.git(&["show", ":b"]), "staged");
    assert_eq!(bench.status(), "MM a\nM  b\nD  c\n?? c");
    bench.judge();
}

#[test]
fn the_index_knows_the_files_stamp_so_that_nothing_is_read_again() {
    let bench = Bench::with(&["a=1\n", "b=1\n"]);
    bench.write("a", "22\n");
    bench.write("b", "333\n");
    bench.intent(1, &[file("a", "22\n"), file("b", "3\n")]);
    let sizes = bench.git(&["ls-files", "--debug"]);
    let sizes: Vec<&str> = sizes.lines().filter_map(|line| line.trim().strip_prefix("size: ")).collect();
    let sizes: Vec<&str> = sizes.iter().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(sizes, ["3", "0"], "what differs on disk must be read again");
    assert_eq!(bench.git(&["diff-files", "--name-only"]), "b");
}

#[test]
fn files_come_and_go_and_change_their_kind() {
    let bench = Bench::with(&["gone=1\n", "d/only=1\n", "was/a/folder=1\n", "file=1\n"]);
    let script = Part { path: path("run"), body: Body::File { content: b"#!/bin/sh\n".to_vec(), executable: true } };
    let link = Part { path: path("link"), body: Body::Link(b"run".to_vec()) };
    for gone in ["gone", "d/only", "was/a/folder", "file"] {
        std::fs::remove_file(bench.top().join(gone)).unwrap();
    }
    std::fs::remove_dir_all(bench.top().join("was")).unwrap();
    bench.write("was", "a file\n");
    bench.write("file/below", "1\n");
    bench.write("run", "#!/bin/sh\n");
    std::os::unix::fs::symlink("run", bench.top().join("link")).unwrap();
    let parts = [
        absent("gone"),
        absent("d/only"),
        absent("was/a/folder"),
        file("was", "a file\n"),
        absent("file"),
        file("file/below", "1\n"),
        script.clone(),
        link.clone(),
    ];
    bench.intent(1, &parts);
    let tree = bench.git(&["ls-tree", "-r", "--format=%(objectmode) %(path)", "HEAD"]);
    assert_eq!(tree, "100644 file/below\n120000 link\n100755 run\n100644 was");
    let history = bench.history();
    assert_eq!(history.checked_out(history.tip().unwrap().as_deref(), &path("run")).unwrap(), script.body);
    assert_eq!(history.checked_out(history.tip().unwrap().as_deref(), &path("link")).unwrap(), link.body);
    assert_eq!(history.checked_out(history.tip().unwrap().as_deref(), &path("file")).unwrap(), Body::Absent);
    // The script is not executable on disk.
    assert_eq!(bench.status(), " M run");
    bench.judge();
}

#[test]
fn the_first_commit_of_a_branch_and_its_taking_back() {
    let bench = Bench::unborn();
    bench.write("a", "1\n");
    bench.write("b", "1\n");
    assert_eq!(bench.history().ground().unwrap().tip, None);
    assert_eq!(bench.history().ground().unwrap().branch.as_deref(), Some("main"));
    let made = bench.intent(1, &[file("a", "1\n")]);
    assert_eq!((made.before.as_str(), bench.status().as_str()), ("", "?? b"));
    bench.judge();
    bench.history().take_back_commit(&made.commit.id, &made.before, &made.staged).unwrap();
    assert_eq!(bench.tip(), None);
    assert_eq!(bench.status(), "?? a\n?? b");
}

#[test]
fn a_detached_head_goes_on_without_a_branch() {
    let bench = Bench::with(&["a=1\n"]);
    bench.git(&["checkout", "-q", "--detach"]);
    bench.write("a", "2\n");
    let made = bench.intent(1, &[file("a", "2\n")]);
    assert!(made.notes.iter().any(|note| note.contains("HEAD is on no branch")), "{:?}", made.notes);
    let ground = bench.history().ground().unwrap();
    assert_eq!((ground.branch, ground.tip), (None, Some(made.commit.clone())));
    assert_eq!(bench.git(&["rev-parse", "main"]), made.before);
    assert_eq!(bench.status(), "");
    bench.history().take_back_commit(&made.commit.id, &made.before, &made.staged).unwrap();
    assert_eq!(bench.tip(), Some(made.before));
}

#[test]
fn a_commit_is_taken_back_and_its_content_is_uncommitted_again() {
    let bench = Bench::with(&["a=1\n", "b=1\n", "gone=1\n"]);
    bench.write("a", "2\n");
    bench.write("new", "1\n");
    std::fs::remove_file(bench.top().join("gone")).unwrap();
    let status = bench.status();
    let made = bench.intent(1, &[file("a", "2\n"), file("new", "1\n"), absent("gone")]);
    assert_eq!(bench.status(), "");
    let history = bench.history();
    history.take_back_commit(&made.commit.id, &made.before, &made.staged).unwrap();
    assert_eq!(bench.status(), status);
    // Given once more, it has nothing to do.
    history.take_back_commit(&made.commit.id, &made.before, &made.staged).unwrap();
    assert_eq!((bench.status(), bench.tip()), (status, Some(made.before.clone())));
    bench.git(&["commit", "-q", "--allow-empty", "-m", "other"]);
    let refused = history.take_back_commit(&made.commit.id, &made.before, &made.staged);
    assert!(matches!(refused, Err(HistoryError::Moved { .. })), "{refused:?}");
    bench.judge();
}

#[test]
fn what_was_staged_just_so_is_staged_again_when_its_commit_is_taken_back() {
    for extra in ["", "elsewhere"] {
        let bench = Bench::with(&["a=1\n", "d/b=1\n", "d/c=1\n", "gone=1\n"]);
        for place in ["a", "d/b", "d/c", "d/new"] {
            bench.write(place, "2\n");
        }
        bench.git(&["rm", "-q", "gone"]);
        bench.git(&["add", "a", "d/b", "d/new"]);
        if !extra.is_empty() {
            bench.write(extra, "1\n");
            bench.git(&["add", extra]);
        }
        let status = bench.status();
        let parts = ["a", "d/b", "d/c", "d/new"].map(|place| file(place, "2\n"));
        let made = bench.intent(1, &[parts.to_vec(), vec![absent("gone")]].concat());
        let mut staged = made.staged.clone();
        staged.sort();
        assert_eq!(staged, ["a", "d/b", "d/new", "gone"].map(path));
        // Somebody's look may have had git note its folders.
        bench.git(&["write-tree"]);
        bench.write("d/new", "3\n");
        bench.history().take_back_commit(&made.commit.id, &made.before, &made.staged).unwrap();
        assert_eq!(bench.status(), status.replace("A  d/new", "AM d/new"));
        assert_eq!(bench.git(&["show", ":d/new"]), "2");
        bench.judge();
    }
}

#[test]
fn nothing_to_commit_and_another_tip_are_refused_and_change_nothing() {
    let bench = Bench::with(&["a=1\n"]);
    let before = (bench.tip(), bench.index());
    let nothing = bench.try_intent(1, &[file("a", "1\n"), absent("b")]);
    assert!(matches!(nothing, Err(HistoryError::Nothing)), "{nothing:?}");
    let wanted = intent(1, Some("0".repeat(40)), &[file("a", "2\n")]);
    let moved = bench.history().commit(&wanted);
    assert!(matches!(moved, Err(HistoryError::Moved { .. })), "{moved:?}");
    assert_eq!((bench.tip(), bench.index()), before);
}

#[test]
fn what_is_under_way_is_finished_first() {
    let bench = Bench::with(&["a=1\n"]);
    bench.git(&["checkout", "-q", "-b", "side"]);
    bench.write("a", "side\n");
    bench.git(&["commit", "-q", "-a", "-m", "side"]);
    bench.git(&["checkout", "-q", "main"]);
    bench.write("a", "main\n");
    bench.git(&["commit", "-q", "-a", "-m", "main"]);
    assert!(!bench.try_git(&["merge", "side"]).status.success());
    let refused = bench.try_intent(1, &[file("a", "2\n")]);
    assert!(matches!(refused, Err(HistoryError::Commit(CommitError::UnderWay { .. }))), "{refused:?}");
    // The merge is forgotten, its conflicts are not.
    std::fs::remove_file(bench.top().join(".git/MERGE_HEAD")).unwrap();
    let refused = bench.try_intent(1, &[file("a", "2\n")]);
    assert!(matches!(refused, Err(HistoryError::Commit(CommitError::Conflicts))), "{refused:?}");
    bench.git(&["reset", "-q", "--hard"]);
    bench.write(".git/index.lock", "");
    let refused = bench.try_intent(1, &[file("a", "2\n")]);
    assert!(matches!(refused, Err(HistoryError::Commit(CommitError::Busy))), "{refused:?}");
    std::fs::remove_file(bench.top().join(".git/index.lock")).unwrap();
    bench.intent(1, &[file("a", "2\n")]);
}

#[test]
fn a_commit_that_was_begun_is_found_again() {
    let bench = Bench::with(&["a=1\n"]);
    let wanted = intent(1, bench.tip(), &[file("a", "2\n")]);
    assert_eq!(bench.history().find_made(&wanted).unwrap(), None);
    let made = bench.history().commit(&wanted).unwrap();
    bench.git(&["commit", "-q", "--allow-empty", "-m", "above"]);
    assert_eq!(bench.history().find_made(&wanted).unwrap(), Some(made.commit));
    // An index that was written before a kill, and a branch that was not led on.
    bench.git(&["reset", "-q", "--soft", "HEAD~2"]);
    bench.write("a", "2\n");
    bench.intent(1, &[file("a", "2\n")]);
    assert_eq!(bench.status(), "");
}

#[test]
fn every_form_of_an_index_is_brought_along() {
    let forms: [&[&[&str]]; 7] = [
        &[],
        &[&["update-index", "--index-version=4"]],
        &[&["update-index", "--skip-worktree", "z"]],
        &[&["update-index", "--untracked-cache"]],
        &[&["config", "index.threads", "2"], &["update-index", "--force-write-index"]],
        &[&["config", "index.skipHash", "true"], &["update-index", "--force-write-index"]],
        &[&["add", "s"], &["write-tree"]],
    ];
    for form in forms {
        let bench = Bench::with(&["a=1\n", "d/b=1\n", "d/e/c=1\n", "f/g=1\n", "s=1\n", "z=1\n"]);
        bench.write("s", "2\n");
        for words in form {
            bench.git(words);
        }
        let staged = bench.git(&["diff", "--cached", "--name-only"]);
        bench.write("d/e/c", "2\n");
        let first = bench.intent(1, &[file("d/e/c", "2\n")]);
        bench.write("a", "3\n");
        bench.intent(2, &[file("a", "3\n"), file("d/b", "4\n")]);
        assert_eq!(bench.git(&["diff", "--cached", "--name-only"]), staged, "{form:?}");
        let left = if staged.is_empty() { " M d/b\n M s" } else { " M d/b\nM  s" };
        assert_eq!(bench.status(), left, "{form:?}");
        bench.judge();
        let (tip, before) = (bench.tip().unwrap(), first.commit.id);
        bench.history().take_back_commit(&tip, &before, &[]).unwrap();
        assert_eq!(bench.status(), if staged.is_empty() { " M a\n M s" } else { " M a\nM  s" }, "{form:?}");
        bench.judge();
    }
}

#[test]
fn an_index_in_two_files_is_not_understood_and_left_alone() {
    let bench = Bench::with(&["a=1\n"]);
    bench.git(&["update-index", "--split-index"]);
    bench.write("a", "2\n");
    let before = (bench.tip(), bench.index());
    let refused = bench.try_intent(1, &[file("a", "2\n")]);
    let changed = bench.history().changed().map(|_| ());
    for refused in [refused.map(|_| ()), changed] {
        let Err(HistoryError::Refused { words, .. }) = &refused else { panic!("{refused:?}") };
        assert!(words.contains("git update-index --no-split-index"), "{words}");
    }
    assert_eq!((bench.tip(), bench.index()), before);
    bench.git(&["update-index", "--no-split-index"]);
    bench.intent(1, &[file("a", "2\n")]);
    assert_eq!(bench.status(), "");
}

#[test]
fn an_index_of_whole_folders_is_not_understood_and_left_alone() {
    let bench = Bench::with(&["a=1\n", "d/b=1\n", "e/c=1\n"]);
    bench.git(&["sparse-checkout", "set", "--cone", "--sparse-index", "d"]);
    bench.write("a", "2\n");
    let before = (bench.tip(), bench.index());
    let refused = bench.try_intent(1, &[file("a", "2\n")]);
    let Err(HistoryError::Refused { words, .. }) = &refused else { panic!("{refused:?}") };
    assert!(words.contains("git sparse-checkout reapply --no-sparse-index"), "{words}");
    assert_eq!((bench.tip(), bench.index()), before);
    bench.git(&["sparse-checkout", "reapply", "--no-sparse-index"]);
    assert_eq!(bench.history().left_out(&path("e/c")).unwrap(), Some(LeftOut::LeftAlone));
    bench.intent(1, &[file("a", "2\n")]);
    assert_eq!(bench.status(), "");
    assert_eq!(bench.git(&["diff", "--name-only", "HEAD~1", "HEAD"]), "a");
}

#[test]
fn what_is_staged_in_another_version_is_told_in_every_form() {
    for version in ["2", "4"] {
        let bench = Bench::with(&["a=1\n", "gone=1\n", "same=1\n"]);
        bench.git(&["update-index", &format!("--index-version={version}")]);
        bench.write("a", "staged\n");
        bench.write("same", "2\n");
        bench.write("new", "staged\n");
        bench.git(&["add", "a", "same", "new"]);
        bench.git(&["rm", "-q", "--cached", "gone"]);
        let parts = [file("a", "2\n"), file("gone", "2\n"), file("new", "2\n"), file("same", "2\n")];
        let notes = bench.intent(1, &parts).notes;
        assert!(
            notes.len() == 1 && notes[0].starts_with("Something else was staged of a, gone, new, and"),
            "{notes:?}"
        );
        assert_eq!(bench.git(&["diff", "--cached", "--name-only"]), "a\ngone\nnew");
        bench.judge();
    }
}

#[test]
fn files_that_git_was_told_to_leave_alone_are_neither_told_nor_committed() {
    for version in ["2", "4"] {
        for flag in ["--skip-worktree", "--assume-unchanged"] {
            let bench = Bench::with(&["a=1\n", "kept=1\n", "d/kept=1\n"]);
            bench.git(&["update-index", &format!("--index-version={version}")]);
            bench.git(&["update-index", flag, "kept", "d/kept"]);
            bench.write("a", "2\n");
            bench.write("kept", "mine\n");
            std::fs::remove_file(bench.top().join("d/kept")).unwrap();
            let history = bench.history();
            assert_eq!(history.changed().unwrap(), [path("a")], "{flag} {version}");
            let alone = ["a", "kept", "d/kept", "none"].map(|at| history.left_out(&path(at)).unwrap());
            let left = Some(LeftOut::LeftAlone);
            assert_eq!(alone, [None, left, left, None], "{flag} {version}");
            let before = (bench.tip(), bench.index());
            for part in [file("kept", "mine\n"), absent("d/kept")] {
                let refused = bench.try_intent(1, &[file("a", "2\n"), part.clone()]);
                let Err(HistoryError::Refused { what, .. }) = &refused else { panic!("{flag}: {refused:?}") };
                assert!(what.contains(&part.path.to_text()), "{what}");
            }
            assert_eq!((bench.tip(), bench.index()), before, "{flag} {version}");
            bench.intent(1, &[file("a", "2\n")]);
            assert_eq!(bench.status(), "", "{flag} {version}");
            let lines = bench.git(&["ls-files", "-v"]);
            let mark = if flag == "--skip-worktree" { "S" } else { "h" };
            assert_eq!(lines, format!("H a\n{mark} d/kept\n{mark} kept"));
        }
    }
}

#[test]
fn where_modes_say_nothing_the_commits_are_kept() {
    let bench = Bench::with(&["run=1\n", "a=1\n"]);
    bench.git(&["update-index", "--chmod=+x", "run"]);
    bench.git(&["commit", "-q", "-m", "a script"]);
    bench.git(&["config", "core.fileMode", "false"]);
    let executable =
        |at: &str| Part { path: path(at), body: Body::File { content: b"2\n".to_vec(), executable: true } };
    bench.intent(1, &[file("run", "2\n"), executable("a"), executable("new")]);
    let tree = bench.git(&["ls-tree", "-r", "--format=%(objectmode) %(path)", "HEAD"]);
    assert_eq!(tree, "100644 a\n100644 new\n100755 run");
}

#[test]
fn a_change_in_the_moment_in_which_the_index_was_written_is_still_seen() {
    let bench = Bench::with(&["a=1\n", "b=1\n"]);
    // As long as before, and in the same second.
    bench.write("b", "2\n");
    bench.write("a", "2\n");
    bench.intent(1, &[file("a", "2\n")]);
    assert_eq!(bench.status(), " M b");
}

#[test]
fn an_intent_to_add_becomes_the_file() {
    let bench = Bench::with(&["a=1\n"]);
    bench.write("new", "1\n");
    bench.git(&["add", "-N", "new"]);
    bench.intent(1, &[file("new", "1\n")]);
    assert_eq!(bench.status(), "");
    bench.judge();
}

#[test]
fn what_differs_from_the_tip_is_told() {
    let bench = Bench::with(&["a=1\n", "b=1\n", "c=1\n", "same=1\n", ".gitignore=ignored\n"]);
    assert!(bench.history().changed().unwrap().is_empty());
    bench.write("a", "2\n");
    bench.write("b", "2\n");
    bench.git(&["add", "b"]);
    std::fs::remove_file(bench.top().join("c")).unwrap();
    bench.write("d/new", "1\n");
    bench.write("ignored", "1\n");
    // Staged, and brought back on disk.
    bench.write("same", "2\n");
    bench.git(&["add", "same"]);
    bench.write("same", "1\n");
    assert_eq!(bench.history().changed().unwrap(), ["a", "b", "c", "d/new"].map(path));
}

#[test]
fn commits_are_asked_for_by_name_by_line_and_by_what_they_touched() {
    let bench = Bench::with(&["a=1\n"]);
    let base = bench.tip().unwrap();
    let one = bench.intent(1, &[file("a", "2\n"), file("d/b", "1\n")]).commit;
    let two = bench.intent(2, &[file("a", "3\n")]).commit;
    let history = bench.history();
    assert_eq!(history.lineage(None, 2).unwrap(), [two.clone(), one.clone()]);
    assert_eq!(history.lineage(Some("main"), 9).unwrap().len(), 3);
    assert_eq!(history.lineage(Some(&one.id), 1).unwrap(), std::slice::from_ref(&one));
    assert!(matches!(history.lineage(Some("nowhere"), 1), Err(HistoryError::Unknown { .. })));
    assert!(history.is_ancestor(&two.id, &base).unwrap() && history.is_ancestor(&one.id, &one.id).unwrap());
    assert!(!history.is_ancestor(&one.id, &two.id).unwrap());
    assert_eq!(history.touched(&one.id).unwrap(), ["a", "d/b"].map(path));
    assert_eq!(history.touched(&base).unwrap(), ["a"].map(path));
    assert_eq!(history.at(&one.id, &path("a")).unwrap(), file("a", "2\n").body);
    assert_eq!(history.find(&change(1)).unwrap(), Some(one.clone()));
    assert_eq!(history.find(&one.id).unwrap(), Some(one.clone()));
    assert_eq!(history.find(&one.id[..12]).unwrap(), Some(one));
    assert_eq!(history.find(&change(3)).unwrap(), None);
    assert_eq!(history.find(&"f".repeat(40)).unwrap(), None);
    assert_eq!(history.find("").unwrap(), None);
    let shared = change(1).bytes().zip(change(2).bytes()).take_while(|(a, b)| a == b).count();
    assert!(shared > 0, "both begin alike");
    assert_eq!(history.find(&change(1)[..shared]).unwrap(), None);
    assert_eq!(history.find(&change(2)[..=shared]).unwrap(), Some(two));
}

/// git looks twice at a file that was changed in the second in which the index was written. A newer index, written in a later
/// second, must not hide it.
#[test]
fn what_was_changed_when_the_index_was_written_is_still_seen() {
    let bench = Bench::with(&["a=1\n", "b=1\n"]);
    let set = |file: &str, to: std::time::SystemTime| {
        std::fs::File::options().write(true).open(bench.top().join(file)).unwrap().set_modified(to).unwrap();
    };
    let second = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_700_000_000);
    let later = |ms: u64| second + std::time::Duration::from_millis(ms);
    set("b", later(100));
    bench.git(&["update-index", "--refresh", "-q"]);
    set(".git/index", later(500));
    // The same size and the same second as the index knows, and other bytes.
    bench.write("b", "2\n");
    set("b", later(200));
    bench.write("new", "n\n");
    bench.intent(1, &[file("new", "n\n")]);
    set(".git/index", later(5_000));
    assert_eq!(bench.status(), " M b");
}

#[test]
fn what_is_staged_where_the_commit_has_a_folder_or_a_file_is_neither_lost_nor_doubled() {
    let cases: [(&str, &str, &str); 2] = [("x", "x/y", "x/y"), ("x/y", "x", "x")];
    for (staged, lies_there, committed) in cases {
        let bench = Bench::with(&["a=1\n"]);
        bench.write(staged, "staged\n");
        bench.git(&["add", "-A"]);
        match staged {
            "x" => std::fs::remove_file(bench.top().join("x")).unwrap(),
            _ => std::fs::remove_dir_all(bench.top().join("x")).unwrap(),
        }
        bench.write(lies_there, "new\n");
        let (index, tip) = (bench.index(), bench.tip());
        let refused = bench.try_intent(1, &[file(committed, "new\n")]).unwrap_err();
        assert_eq!(refused.code(), "staged-in-the-way");
        let words = format!("{staged} is staged, and {committed} cannot be in git's index beside it");
        assert!(refused.to_string().starts_with(&words), "{refused}");
        assert_eq!((bench.index(), bench.tip()), (index, tip), "{staged}");
        // As it says: what is staged is committed or unstaged, and the same goes through.
        bench.git(&["rm", "-q", "--cached", staged]);
        bench.intent(2, &[file(committed, "new\n")]);
        assert_eq!(bench.status(), "");
        bench.judge();
    }
}

#[test]
fn a_file_gives_way_to_a_folder_in_the_index_where_both_are_in_the_commit() {
    let bench = Bench::with(&["a=1\n", "x=1\n"]);
    std::fs::remove_file(bench.top().join("x")).unwrap();
    bench.write("x/y", "new\n");
    let made = bench.intent(1, &[absent("x"), file("x/y", "new\n")]);
    assert_eq!(bench.status(), "");
    bench.judge();
    bench.history().take_back_commit(&made.commit.id, &made.before, &made.staged).unwrap();
    assert_eq!(bench.git(&["ls-files"]), "a\nx");
    bench.judge();
}

#[test]
fn a_branch_that_is_another_name_for_one_leads_that_one_on() {
    for has_hook in [false, true] {
        let bench = Bench::with(&["a=1\n"]);
        bench.git(&["symbolic-ref", "refs/heads/alias", "refs/heads/main"]);
        bench.git(&["symbolic-ref", "HEAD", "refs/heads/alias"]);
        if has_hook {
            bench.hook("reference-transaction", "exit 0");
        }
        bench.write("a", "2\n");
        let made = bench.intent(1, &[file("a", "2\n")]);
        assert_eq!(bench.git(&["rev-parse", "main"]), made.commit.id);
        assert_eq!(bench.git(&["symbolic-ref", "--no-recurse", "refs/heads/alias"]), "refs/heads/main");
        assert_eq!((bench.status(), bench.tip()), (String::new(), Some(made.commit.id.clone())));
        bench.history().take_back_commit(&made.commit.id, &made.before, &made.staged).unwrap();
        assert_eq!((bench.status(), bench.tip()), (" M a".to_owned(), Some(made.before)));
        assert_eq!(bench.git(&["symbolic-ref", "--no-recurse", "refs/heads/alias"]), "refs/heads/main");
        bench.judge();
    }
}

#[test]
fn what_was_staged_is_noted_before_the_branch_moves() {
    for has_hook in [false, true] {
        let bench = Bench::with(&["a=1\n", "b=1\n"]);
        if has_hook {
            bench.hook("pre-commit", "exit 0");
        }
        bench.write("a", "2\n");
        bench.write("b", "2\n");
        bench.git(&["add", "b"]);
        let status = bench.status();
        let wanted = intent(1, bench.tip(), &[file("a", "2\n"), file("b", "2\n")]);
        let tip = bench.tip();
        // Where it cannot be noted, nothing is done.
        let refused = bench.history().commit_noting(&wanted, &|_| Err(std::io::Error::other("no room")));
        assert_eq!(refused.unwrap_err().to_string(), "Noting what was staged: no room");
        assert_eq!((bench.status(), bench.tip()), (status.clone(), tip.clone()));
        let noted = std::cell::RefCell::new(Vec::new());
        let note = |files: &[FilePath]| {
            assert_eq!(bench.git(&["rev-parse", "HEAD"]), tip.clone().unwrap());
            noted.borrow_mut().extend(files.to_vec());
            Ok(())
        };
        let made = bench.history().commit_noting(&wanted, &note).unwrap();
        assert_eq!((noted.into_inner(), made.staged.clone()), (vec![path("b")], vec![path("b")]));
        bench.history().take_back_commit(&made.commit.id, &made.before, &made.staged).unwrap();
        assert_eq!(bench.status(), status);
    }
}
