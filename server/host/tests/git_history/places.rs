//! Where a workspace may lie, which files are not its repository's, and how content becomes an object.

use augment_host::vcs::CommitError;
use augment_host::vcs::git::Git;
use augment_host::vcs::history::{History as _, HistoryError, LeftOut, System};

use crate::bench::{Bench, file, intent, path};

#[test]
fn a_workspace_in_no_repository_has_none() {
    let folder = tempfile::tempdir().unwrap();
    assert!(Git::open(folder.path(), &[]).unwrap().is_none());
}

#[test]
fn a_workspace_below_the_top_has_paths_of_its_own() {
    let mut bench = Bench::with(&["sub/a=1\n", "a=other\n"]);
    bench.below = "sub".into();
    bench.write("sub/a", "2\n");
    bench.write("a", "also\n");
    let history = bench.history();
    assert_eq!(history.system(), System::Git);
    assert_eq!(history.changed().unwrap(), [path("a")]);
    let made = bench.intent(1, &[file("a", "2\n"), file("new", "1\n")]);
    assert_eq!(bench.git(&["diff", "--name-only", "HEAD~1", "HEAD"]), "sub/a\nsub/new");
    assert_eq!(history.touched(&made.commit.id).unwrap(), ["a", "new"].map(path));
    assert_eq!(history.checked_out(history.tip().unwrap().as_deref(), &path("a")).unwrap(), file("a", "2\n").body);
}

#[test]
fn a_worktree_has_its_own_head_and_index() {
    let bench = Bench::with(&["a=1\n"]);
    let other = tempfile::tempdir().unwrap();
    let place = other.path().join("tree");
    bench.git(&["worktree", "add", "-q", "-b", "side", place.to_str().unwrap()]);
    std::fs::write(place.join("a"), "2\n").unwrap();
    let history = Git::open(&place, &bench.environment).unwrap().unwrap();
    let ground = history.ground().unwrap();
    assert_eq!(ground.branch.as_deref(), Some("side"));
    let made = history.commit(&intent(1, ground.tip.map(|tip| tip.id), &[file("a", "2\n")])).unwrap();
    let place = place.to_str().unwrap();
    assert_eq!(bench.git(&["-C", place, "status", "--porcelain"]), "");
    assert_eq!(bench.git(&["rev-parse", "side"]), made.commit.id);
    assert_eq!(bench.git(&["rev-parse", "main"]), made.before);
    assert_eq!(bench.status(), "");
    bench.judge();
}

#[test]
fn files_of_other_repositories_behind_links_and_ignored_ones_are_refused() {
    let bench = Bench::with(&["a=1\n", ".gitignore=ignored\nkept\n"]);
    bench.git(&["init", "-q", "inner"]);
    bench.write("inner/a", "1\n");
    bench.write("real/a", "1\n");
    std::os::unix::fs::symlink("real", bench.top().join("linked")).unwrap();
    for at in ["inner/a", "linked/a"] {
        let refused = bench.try_intent(1, &[file(at, "2\n")]);
        assert!(matches!(refused, Err(HistoryError::Commit(CommitError::Elsewhere { .. }))), "{at}: {refused:?}");
        assert_eq!(bench.history().left_out(&path(at)).unwrap(), Some(LeftOut::Elsewhere), "{at}");
    }
    let refused = bench.try_intent(1, &[file("ignored", "2\n")]);
    assert!(matches!(refused, Err(HistoryError::Commit(CommitError::Ignored { .. }))), "{refused:?}");
    bench.write("kept", "1\n");
    bench.git(&["add", "-f", "kept"]);
    bench.intent(1, &[file("kept", "1\n")]);
    assert_eq!(bench.git(&["ls-files", "--modified"]), "");
}

#[test]
fn a_submodule_is_not_written_into_even_when_it_is_not_on_disk() {
    let bench = Bench::with(&["a=1\n"]);
    let id = bench.tip().unwrap();
    bench.git(&["update-index", "--add", "--cacheinfo", &format!("160000,{id},module")]);
    bench.git(&["commit", "-q", "-m", "a module"]);
    for at in ["module/a", "module"] {
        let refused = bench.try_intent(1, &[file(at, "2\n")]);
        assert!(matches!(refused, Err(HistoryError::Commit(CommitError::Elsewhere { .. }))), "{at}: {refused:?}");
        assert_eq!(bench.history().left_out(&path(at)).unwrap(), Some(LeftOut::Elsewhere), "{at}");
    }
}

#[test]
fn filters_are_left_to_git() {
    let bench = Bench::with(&["a=1\n", ".gitattributes=*.bin filter=lfs\n"]);
    bench.git(&["config", "filter.lfs.clean", "cat"]);
    let refused = bench.try_intent(1, &[file("x.bin", "2\n")]);
    assert!(matches!(refused, Err(HistoryError::Commit(CommitError::Filtered { .. }))), "{refused:?}");
    bench.intent(1, &[file("x.txt", "2\n")]);
}

#[test]
fn what_only_git_converts_is_left_to_git() {
    let bench = Bench::with(&["a=1\n", ".gitattributes=*.u16 working-tree-encoding=UTF-16LE\n*.id ident\n"]);
    for at in ["x.u16", "x.id"] {
        let refused = bench.try_intent(1, &[file(at, "2\n")]);
        assert!(matches!(refused, Err(HistoryError::Commit(CommitError::Filtered { .. }))), "{at}: {refused:?}");
    }
    bench.intent(1, &[file("x.txt", "2\n")]);
}

#[test]
fn the_tips_content_is_what_a_checkout_lays_down() {
    let settings: [&[(&str, &str)]; 5] = [
        &[],
        &[("core.autocrlf", "true")],
        &[("core.autocrlf", "input")],
        &[("core.eol", "crlf")],
        &[("core.autocrlf", "true"), ("core.eol", "lf")],
    ];
    let attributes = [
        "",
        "text",
        "-text",
        "text=auto",
        "eol=crlf",
        "eol=lf",
        "text=auto eol=crlf",
        "-text eol=crlf",
        "crlf",
        "binary",
    ];
    let contents = ["one\ntwo\n", "one\ntwo", "one", "mixed\r\nends\n", "nul\0\nin it\n"];
    for settings in settings {
        for attributes in attributes {
            let bench = Bench::with(&["begin=1\n"]);
            for (at, content) in contents.iter().enumerate() {
                bench.write(&format!("{at}.txt"), content);
            }
            bench.git(&["add", "-A"]);
            bench.git(&["commit", "-q", "-m", "as they are"]);
            for (name, value) in settings {
                bench.git(&["config", name, value]);
            }
            bench.write(".gitattributes", format!("*.txt {attributes}\n"));
            for (at, content) in contents.iter().enumerate() {
                let name = format!("{at}.txt");
                std::fs::remove_file(bench.top().join(&name)).unwrap();
                bench.git(&["checkout", "-q", "--", &name]);
                let laid = std::fs::read(bench.top().join(&name)).unwrap();
                // A file of mixed line ends is not turned back into what it was, so it stays as it is kept.
                let is_reversible = !content.contains('\r');
                let expected = if is_reversible { laid } else { content.as_bytes().to_vec() };
                let told =
                    bench.history().checked_out(bench.history().tip().unwrap().as_deref(), &path(&name)).unwrap();
                let same = told == file(&name, &expected).body;
                assert!(same, "{settings:?} {attributes:?} {content:?}: {told:?}");
            }
        }
    }
}

#[test]
fn line_ends_are_turned_as_git_add_turns_them() {
    for (settings, attributes) in [
        (vec![("core.autocrlf", "true")], ""),
        (vec![("core.autocrlf", "input")], ""),
        (vec![], "*.txt text eol=crlf\n"),
        (vec![], "*.txt -text\n"),
        (vec![("core.autocrlf", "true")], "*.txt -text\n"),
        (vec![], ""),
    ] {
        let mut files = vec!["begin=1\n"];
        let line = format!(".gitattributes={attributes}");
        if !attributes.is_empty() {
            files.push(&line);
        }
        let bench = Bench::with(&files);
        for (name, value) in &settings {
            bench.git(&["config", name, value]);
        }
        let content = "one\r\ntwo\r\n";
        bench.write("ours.txt", content);
        bench.write("gits.txt", content);
        bench.git(&["add", "gits.txt"]);
        bench.intent(1, &[file("ours.txt", content)]);
        let gits = bench.git(&["rev-parse", ":gits.txt"]);
        assert_eq!(bench.git(&["rev-parse", "HEAD:ours.txt"]), gits, "{settings:?} {attributes:?}");
        assert_eq!(bench.status(), "A  gits.txt", "{settings:?} {attributes:?}");
    }
}

#[test]
fn a_repository_with_other_hashes_is_told_with_the_way_on() {
    let bench = Bench::unborn();
    std::fs::remove_dir_all(bench.top().join(".git")).unwrap();
    bench.git(&["init", "-q", "--object-format=sha256"]);
    let refused = Git::open(bench.top(), &bench.environment);
    assert!(matches!(refused, Err(HistoryError::ObjectFormat)), "{refused:?}");
}
