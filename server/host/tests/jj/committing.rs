//! A commit is exactly the parts that were wanted, whatever else lies in `@`.

use std::fs;
use std::os::unix::fs::symlink;

use augment_host::vcs::history::{Body, History as _, HistoryError};

use crate::bench::{Bench, Kind, gone, link, path, program, text};

#[test]
fn some_lines_of_some_files_are_committed_and_the_rest_stays() {
    for kind in [Kind::Colocated, Kind::Apart] {
        let bench = Bench::new(kind);
        bench.put("gone", "x");
        bench.put("tool", "#!/bin/sh\n");
        let base = bench.committed("f", "a\nb\nc\n", "base");
        bench.put("f", "A\nb\nC\n");
        fs::remove_file(bench.root.join("gone")).unwrap();
        bench.mode("tool", 0o755);
        bench.put("new folder/it's \"new\"", "new\n");
        symlink("f", bench.root.join("link")).unwrap();
        bench.put("other", "mine\n");
        let (disk, home) = (bench.disk(), bench.home());

        let parts = vec![
            text("f", "A\nb\nc\n"),
            gone("gone"),
            program("tool", "#!/bin/sh\n"),
            text("new folder/it's \"new\"", "new\n"),
            link("link", "f"),
        ];
        let wanted = bench.wanted("intent: part of it", parts.clone());
        let history = bench.history();
        assert_eq!(history.find_made(&wanted).unwrap(), None);
        let made = history.commit(&wanted).unwrap();

        assert_eq!(made.commit.parents, [base]);
        assert_eq!(made.commit.message, "intent: part of it\n");
        assert_eq!(made.notes, [] as [&str; 0]);
        assert_eq!(
            bench.jj(&["op", "log", "--no-graph", "--limit", "2", "-T", "id ++ '\n'"]).lines().nth(1),
            Some(&*made.before)
        );
        for part in &parts {
            assert_eq!(history.at(&made.commit.id, &part.path).unwrap(), part.body, "{}", part.path);
        }
        let touched: Vec<_> = history.touched(&made.commit.id).unwrap().iter().map(ToString::to_string).collect();
        assert_eq!(touched, ["f", "gone", "link", "new folder/it's \"new\"", "tool"]);
        assert_eq!(bench.changes("@"), ["f=A\nb\nC\n", "other=mine\n"]);
        assert_eq!(history.changed().unwrap(), [path("f"), path("other")]);
        assert_eq!(history.find_made(&wanted).unwrap(), Some(made.commit.clone()));
        assert_eq!(history.ground().unwrap().tip, Some(made.commit));
        assert_eq!((bench.disk(), bench.home()), (disk, home));
        if kind == Kind::Colocated {
            let head = bench.git(&bench.top, &["rev-parse", "HEAD"]);
            assert_eq!(head.trim(), bench.id("@-"), "git sees it as well");
        }
    }
}

#[test]
fn the_first_commit_of_a_repository_and_one_of_everything() {
    let bench = Bench::new(Kind::Apart);
    assert_eq!(bench.history().ground().unwrap().tip, None);
    bench.put("f", "one\n");
    let made = bench.commit("intent: begin", vec![text("f", "one\n")]).unwrap();
    assert_eq!(made.commit.parents, [] as [&str; 0]);
    assert_eq!(bench.history().changed().unwrap(), []);
    assert_eq!(bench.history().since(None).unwrap(), [(made.commit, None)], "the blank @ is nobody's work");
}

#[test]
fn a_workspace_below_the_repository_has_its_own_paths() {
    let bench = Bench::with(Kind::Colocated, "apps/web");
    bench.put("f", "one\n");
    fs::write(bench.top.join("above"), "above\n").unwrap();
    bench.jj(&["commit", "-m", "base"]);
    bench.put("f", "two\n");
    bench.put("g", "new\n");
    fs::write(bench.top.join("above"), "ABOVE\n").unwrap();
    let history = bench.history();
    assert_eq!(history.changed().unwrap(), [path("f"), path("g")]);
    let made = bench.commit("intent: f", vec![text("f", "two\n")]).unwrap();
    assert_eq!(bench.changes("@-"), ["apps/web/f=two\n"]);
    assert_eq!(bench.changes("@"), ["above=ABOVE\n", "apps/web/g=new\n"]);
    assert_eq!(history.touched(&made.commit.id).unwrap(), [path("f")]);
    let body = Body::File { content: b"two\n".to_vec(), executable: false };
    assert_eq!(history.checked_out(history.tip().unwrap().as_deref(), &path("f")).unwrap(), body);
    assert_eq!(history.checked_out(history.tip().unwrap().as_deref(), &path("g")).unwrap(), Body::Absent);
}

#[test]
fn a_file_takes_the_place_of_a_folder_and_the_other_way_round() {
    let bench = Bench::new(Kind::Apart);
    bench.put("folder/deep/x", "x\n");
    bench.committed("file", "f\n", "base");
    fs::remove_dir_all(bench.root.join("folder")).unwrap();
    bench.put("folder", "now a file\n");
    fs::remove_file(bench.root.join("file")).unwrap();
    bench.put("file/y", "y\n");
    let disk = bench.disk();
    let parts = vec![gone("folder/deep/x"), text("folder", "now a file\n"), gone("file"), text("file/y", "y\n")];
    bench.commit("intent: swap", parts).unwrap();
    assert_eq!(bench.history().changed().unwrap(), []);
    assert_eq!(bench.disk(), disk);
}

#[test]
fn a_described_working_copy_keeps_its_name_its_words_and_its_bookmark() {
    let bench = Bench::new(Kind::Colocated);
    bench.committed("f", "1\n", "base");
    bench.jj(&["new", "--no-edit", "-m", "sibling", "@-"]);
    bench.put("f", "2\n");
    bench.put("g", "3\n");
    bench.jj(&["describe", "-m", "my own work"]);
    bench.jj(&["bookmark", "create", "mine", "-r", "@"]);
    let before = bench.history().ground().unwrap().working.unwrap();
    bench.commit("intent: f", vec![text("f", "2\n")]).unwrap();
    let after = bench.history().ground().unwrap().working.unwrap();
    assert_eq!((after.change, after.message), (before.change, "my own work\n".to_owned()));
    assert_eq!(bench.id("mine"), bench.id("@"));
    assert_eq!(bench.message("description(substring:'sibling')-"), "base\n", "what stands beside is left alone");
}

#[test]
fn what_cannot_be_committed_is_refused_and_nothing_is_written() {
    let bench = Bench::new(Kind::Apart);
    let base = bench.committed("f", "1\n", "base");
    bench.put(".gitignore", "ignored\n");
    bench.jj(&["commit", "-m", "ignore"]);
    bench.put("f", "2\n");
    bench.put("ignored", "i\n");
    bench.history().ground().unwrap();
    let operations = || bench.jj(&["op", "log", "--ignore-working-copy", "--no-graph", "-T", "id"]);
    let before = operations();

    let nothing = bench.commit("intent: none", vec![text("f", "1\n"), gone("nowhere")]).unwrap_err();
    assert!(matches!(nothing, HistoryError::Nothing), "{nothing}");
    let mut stale = bench.wanted("intent: stale", vec![text("f", "2\n")]);
    stale.tip = Some(base.clone());
    let moved = bench.history().commit(&stale).unwrap_err();
    let words = format!("The repository has moved since: it was at {}, and is at ", &base[..12]);
    assert!(moved.to_string().starts_with(&words), "{moved}");
    let name = augment_core::file::FilePath::new(b"\xff".to_vec()).unwrap();
    let odd = augment_host::vcs::history::Part { path: name, body: Body::Link(b"x".to_vec()) };
    let refused = bench.commit("intent: odd", vec![odd]).unwrap_err();
    assert!(refused.to_string().contains("not UTF-8"), "{refused}");
    assert_eq!(operations(), before);
    let ignored = bench.commit("intent: ignored", vec![text("ignored", "i\n")]).unwrap_err();
    assert!(ignored.to_string().contains("\"ignored\""), "{ignored}");
    assert_eq!(bench.message("@-"), "ignore\n");
}

#[test]
fn a_file_that_jj_tracks_only_by_name_is_tracked_when_it_is_wanted() {
    let mut bench = Bench::new(Kind::Apart);
    bench.committed("f", "1\n", "base");
    let config = bench.top.parent().unwrap().join("home/jj.toml");
    fs::write(&config, "snapshot.auto-track = \"none()\"\n").unwrap();
    bench.environment.push(("JJ_CONFIG".to_owned(), config.to_str().unwrap().to_owned()));
    bench.put("new", "n\n");
    bench.put("other", "o\n");
    bench.commit("intent: new", vec![text("new", "n\n")]).unwrap();
    assert_eq!(bench.changes("@-"), ["new=n\n"]);
    assert_eq!(bench.history().changed().unwrap(), []);
}

#[test]
fn trailers_and_authors_of_the_persons_settings_are_kept() {
    let mut bench = Bench::new(Kind::Apart);
    bench.committed("f", "1\n", "base");
    let config = bench.top.parent().unwrap().join("home/jj.toml");
    fs::write(&config, "[templates]\ncommit_trailers = '\"Signed-off-by: \" ++ committer'\n").unwrap();
    bench.environment.push(("JJ_CONFIG".to_owned(), config.to_str().unwrap().to_owned()));
    bench.put("f", "2\n");
    let wanted = bench.wanted("intent: signed", vec![text("f", "2\n")]);
    let made = bench.history().commit(&wanted).unwrap();
    assert_eq!(made.commit.message, "intent: signed\n\nSigned-off-by: Ann Author <ann@example.com>\n");
    assert_eq!(made.notes, ["jj has added trailers to the message, as your settings say"]);
    assert_eq!(bench.history().find_made(&wanted).unwrap(), Some(made.commit));
}

#[test]
fn conflicts_and_merges_are_refused_with_what_to_do() {
    let bench = Bench::new(Kind::Apart);
    let base = bench.committed("f", "1\n", "base");
    let left = bench.committed("f", "left\n", "left");
    bench.jj(&["new", &base]);
    let right = bench.committed("f", "right\n", "right");
    bench.jj(&["new", &left, &right]);
    let merge = bench.history().ground().unwrap_err();
    assert_eq!(
        merge.to_string(),
        format!(
            "`@` stands on several commits at once ({}, {}). Make that merge a commit of its own (`jj commit`), then repeat.",
            &left[..12],
            &right[..12]
        )
    );
    bench.jj(&["commit", "-m", "merge"]);
    bench.put("g", "g\n");
    let conflict = bench.commit("intent: g", vec![text("g", "g\n")]).unwrap_err();
    assert_eq!(conflict.to_string(), "Unresolved conflicts are in f. Resolve them first, then repeat.");
}

#[test]
fn a_commit_is_taken_back_into_the_working_copy() {
    let bench = Bench::new(Kind::Colocated);
    let base = bench.committed("f", "1\n", "base");
    bench.put("f", "2\n");
    bench.put("g", "3\n");
    bench.jj(&["describe", "-m", "my own work"]);
    let made = bench.commit("intent: f", vec![text("f", "2\n")]).unwrap();
    let (disk, history) = (bench.disk(), bench.history());
    history.take_back_commit(&made.commit.id, &made.before, &made.staged).unwrap();
    assert_eq!(bench.id("@-"), base);
    assert_eq!(bench.message("@"), "my own work\n");
    assert_eq!(history.changed().unwrap(), [path("f"), path("g")]);
    assert_eq!(bench.disk(), disk);
    history.take_back_commit(&made.commit.id, &made.before, &made.staged).unwrap();

    let made = bench.commit("intent: f", vec![text("f", "2\n")]).unwrap();
    let above = bench.commit("intent: g", vec![text("g", "3\n")]).unwrap();
    let moved = history.take_back_commit(&made.commit.id, &made.before, &made.staged).unwrap_err();
    assert!(matches!(moved, HistoryError::Moved { .. }), "{moved}");
    bench.jj(&["new", "--no-edit", "-m", "beside", &above.commit.id]);
    let held = history.take_back_commit(&above.commit.id, &above.before, &[]).unwrap_err();
    assert!(held.to_string().starts_with("Taking it back was refused: "), "{held}");
    assert_eq!(bench.id("@-"), above.commit.id);
}

#[test]
fn a_commit_is_found_by_its_message_where_nobody_knows_what_it_was_to_hold() {
    for kind in [Kind::Colocated, Kind::Apart] {
        let bench = Bench::new(kind);
        let base = bench.committed("f", "1\n", "base");
        // Somebody has said the same before, beside.
        bench.committed("g", "1\n", "intent: two");
        bench.jj(&["new", &base]);
        bench.put("f", "2\n");
        let wanted = bench.wanted("intent: two", vec![text("f", "2\n")]);
        let forgotten = bench.wanted("intent: two", Vec::new());
        let history = bench.history();
        assert_eq!(history.find_made(&forgotten).unwrap(), None, "not made yet");
        bench.jj(&["describe", "-m", "intent: two"]);
        assert_eq!(history.find_made(&forgotten).unwrap(), None, "what rests in @ is no commit of ours");
        let made = history.commit(&wanted).unwrap().commit;
        assert_eq!(history.find_made(&forgotten).unwrap(), Some(made.clone()));
        bench.put("h", "3\n");
        bench.commit("intent: three", vec![text("h", "3\n")]).unwrap();
        assert_eq!(history.find_made(&forgotten).unwrap(), Some(made), "also with more above it");
        let other = augment_host::vcs::history::NewCommit { message: "intent: tw".to_owned(), ..forgotten };
        assert_eq!(history.find_made(&other).unwrap(), None);
    }
}

#[test]
fn the_only_commit_with_the_message_is_it_also_when_work_has_moved_on_elsewhere() {
    let bench = Bench::new(Kind::Apart);
    let base = bench.committed("f", "1\n", "base");
    bench.put("f", "2\n");
    let wanted = bench.wanted("intent: two", vec![text("f", "2\n")]);
    let made = bench.history().commit(&wanted).unwrap().commit;
    let forgotten = augment_host::vcs::history::NewCommit { parts: Vec::new(), ..wanted };
    bench.jj(&["new", &format!("{base}-")]);
    assert_eq!(bench.history().find_made(&forgotten).unwrap(), Some(made));
}

#[test]
fn files_that_are_not_checked_out_are_not_removed() {
    let bench = Bench::new(Kind::Apart);
    bench.put("out/y", "y\n");
    bench.put("inside", "i\n");
    bench.put("in/gone", "g\n");
    bench.committed("in/x", "x\n", "base");
    bench.jj(&["sparse", "set", "--clear", "--add", "in"]);
    assert!(!bench.root.join("out/y").exists());
    bench.put("in/x", "xx\n");
    fs::remove_file(bench.root.join("in/gone")).unwrap();
    let history = bench.history();
    assert_eq!(history.changed().unwrap(), [path("in/gone"), path("in/x")]);
    let parts = vec![text("in/x", "xx\n"), gone("in/gone"), gone("out/y"), gone("inside")];
    let wanted = bench.wanted("intent: x", parts);
    let made = history.commit(&wanted).unwrap();
    assert_eq!(bench.changes("@-"), ["in/gone", "in/x=xx\n"]);
    assert_eq!(
        made.notes,
        [
            "\"inside\" is not checked out (`jj sparse list`), so it stays as it is",
            "\"out/y\" is not checked out (`jj sparse list`), so it stays as it is"
        ]
    );
    assert_eq!(history.find_made(&wanted).unwrap(), Some(made.commit));
    let nothing = bench.commit("intent: y", vec![gone("out/y")]).unwrap_err();
    assert!(matches!(nothing, HistoryError::Nothing), "{nothing}");
}

#[test]
fn line_ends_that_jj_turns_are_those_of_the_disk_there_and_of_the_store_here() {
    for mode in ["input", "input-output"] {
        let mut bench = Bench::new(Kind::Colocated);
        let config = bench.top.parent().unwrap().join("home/jj.toml");
        fs::write(&config, format!("working-copy.eol-conversion = \"{mode}\"\n")).unwrap();
        bench.environment.push(("JJ_CONFIG".to_owned(), config.to_str().unwrap().to_owned()));
        bench.put("unix", "1\n2\n");
        bench.put("binary", "\0\r\n\n");
        bench.committed("f", "l1\r\nl2\r\n", "base");
        assert_eq!(bench.changes("@-"), ["binary=\0\r\n\n", "f=l1\nl2\n", "unix=1\n2\n"]);
        let history = bench.history();
        let at_tip = |name: &str| match history.checked_out(history.tip().unwrap().as_deref(), &path(name)).unwrap() {
            Body::File { content, .. } => String::from_utf8(content).unwrap(),
            Body::Absent | Body::Link(_) => String::new(),
        };
        assert_eq!((at_tip("f"), at_tip("unix")), ("l1\r\nl2\r\n".to_owned(), "1\n2\n".to_owned()));
        assert_eq!(at_tip("binary"), "\0\r\n\n");
        fs::remove_file(bench.root.join("f")).unwrap();
        let laid_down = if mode == "input" { "l1\nl2\n" } else { "l1\r\nl2\r\n" };
        assert_eq!(at_tip("f"), laid_down, "as a checkout would lay it down");

        bench.put("f", "l1\r\nl2\r\nl3\r\nl4\r\n");
        bench.put("binary", "\0\r\n\nmore\r\n");
        let disk = bench.disk();
        let parts = vec![text("f", "l1\r\nl2\r\nl3\r\n"), text("binary", "\0\r\n\nmore\r\n")];
        let wanted = bench.wanted("intent: three", parts);
        let made = history.commit(&wanted).unwrap();
        assert_eq!(bench.changes("@-"), ["binary=\0\r\n\nmore\r\n", "f=l1\nl2\nl3\n"]);
        assert_eq!(bench.changes("@"), ["f=l1\nl2\nl3\nl4\n"]);
        assert_eq!(history.find_made(&wanted).unwrap(), Some(made.commit));
        bench.commit("intent: four", vec![text("f", "l1\r\nl2\r\nl3\r\nl4\r\n")]).unwrap();
        assert_eq!(history.changed().unwrap(), [], "{mode}: the disk is what was committed");
        assert_eq!(bench.disk(), disk);

        bench.put("f", "l1\r\nl2\r\nl3\r\nl4\r\nl5\r\n");
        history.ground().unwrap();
        let before = bench.id("all()");
        let refused = bench.commit("intent: five", vec![text("f", "l5\r\nl1\nl2\nl3\nl4\n")]).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "The commit was refused: what is to be committed of \"f\" ends its lines in both ways, and jj turns line ends here (working-copy.eol-conversion). Give all its lines one kind of end, or commit the whole file with `jj commit`, then repeat."
        );
        assert_eq!(bench.id("all()"), before, "nothing was written");
    }
}
