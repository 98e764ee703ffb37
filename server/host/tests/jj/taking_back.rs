//! What is taken back is really taken back, and nothing of the person's goes with it.

use std::fs;

use augment_host::vcs::Jj;
use augment_host::vcs::history::{History as _, Made, Synthesis};

use crate::bench::{Bench, Kind, gone, program, text};
use crate::interrupted::with_program;
use crate::synthesising::MESSAGE;

/// A session of so many intents, which was made.
fn session(kind: Kind, commits: usize) -> (Bench, Synthesis, Made) {
    let bench = Bench::new(kind);
    let base = bench.committed("f", "1\n", "base");
    for number in 0..commits {
        bench.committed("f", &format!("more {number}\n"), &format!("intent: {number}"));
    }
    bench.put("dirty", "d\n");
    let plan = bench.plan(&base, MESSAGE);
    assert_eq!(plan.commits.len(), commits);
    let made = bench.history().synthesise(&plan).unwrap();
    (bench, plan, made)
}

#[test]
fn a_session_that_was_described_anew_is_kept_with_its_words_until_it_has_its_own_again() {
    for (kind, commits) in [(Kind::Colocated, 1), (Kind::Apart, 1), (Kind::Colocated, 2), (Kind::Apart, 2)] {
        let (bench, plan, made) = session(kind, commits);
        bench.jj(&["describe", "-r", "@-", "-m", "my own words"]);
        let (disk, history, before) = (bench.disk(), bench.history(), bench.id("all()"));
        let take_back = || history.take_back_synthesis(&plan, &made.commit.id, &made.before);
        let name = made.commit.change.clone().unwrap();
        let way = format!("jj log --no-graph -r {} -T description | jj describe {name} --stdin", &made.commit.id[..12]);
        assert_eq!(
            take_back().unwrap_err().to_string(),
            format!(
                "Taking it back was refused: {name} was described anew since (\"my own words\"), and these words would be lost. Note them, give it its own again (`{way}`), then repeat; or leave it as it is, and give the prompt up with `augment-cli prompt drop`."
            )
        );
        assert_eq!((bench.id("all()"), bench.id("dev")), (before, bench.id("@-")), "nothing was written");
        let given = bench.run("sh", &bench.top, &["-c", &way]);
        assert!(given.status.success(), "{}", String::from_utf8_lossy(&given.stderr));
        take_back().unwrap();
        assert_eq!(bench.message("@-"), format!("intent: {}\n", commits - 1));
        assert_eq!(bench.jj(&["log", "--no-graph", "-r", "description(substring:session)"]), "");
        assert_eq!((bench.jj(&["bookmark", "list"]), bench.disk()), (String::new(), disk));
        take_back().unwrap();
    }
}

#[test]
fn a_session_of_several_that_was_rewritten_is_kept_with_what_is_in_it() {
    // What lay uncommitted goes into it; then it stands elsewhere.
    for (commits, rewrite) in [(2, &["squash"][..]), (3, &["rebase", "-s", "@-", "-d", "other"])] {
        let (bench, plan, made) = session(Kind::Apart, commits);
        bench.jj(&["new", "--no-edit", "-m", "other", "root()"]);
        bench.jj(&["bookmark", "set", "other", "-r", "description(exact:\"other\\n\")"]);
        bench.jj(rewrite);
        let (disk, before) = (bench.disk(), bench.id("all()"));
        let refused = bench.history().take_back_synthesis(&plan, &made.commit.id, &made.before).unwrap_err();
        let name = made.commit.change.clone().unwrap();
        let words =
            format!("Taking it back was refused: {name} was rewritten since: it holds other files, or stands on");
        assert!(refused.to_string().starts_with(&words), "{refused}");
        assert_eq!((bench.id("all()"), bench.disk()), (before, disk), "nothing was written");
    }
}

#[test]
fn an_intent_that_was_described_anew_is_kept_with_its_words() {
    let bench = Bench::new(Kind::Colocated);
    let base = bench.committed("f", "1\n", "base");
    bench.put("f", "2\n");
    let made = bench.commit("intent: f", vec![text("f", "2\n")]).unwrap();
    let history = bench.history();
    let take_back = || history.take_back_commit(&made.commit.id, &made.before, &made.staged);
    bench.jj(&["describe", "-r", "@-", "-m", "my own words"]);
    let (disk, before) = (bench.disk(), bench.id("all()"));
    let refused = take_back().unwrap_err().to_string();
    assert!(refused.contains("was described anew since (\"my own words\")"), "{refused}");
    assert_eq!((bench.id("all()"), bench.disk()), (before, disk), "nothing was written");
    // It is still there, so nobody has taken it back.
    bench.jj(&["new", &base]);
    assert!(take_back().is_err());
    bench.jj(&["new", "description(substring:'my own words')"]);
    bench.jj(&["describe", "-r", "@-", "-m", "intent: f"]);
    take_back().unwrap();
    assert_eq!((bench.id("@-"), bench.changes("@")), (base, vec!["f=2\n".to_owned()]));
}

#[test]
fn a_session_that_is_the_working_copy_by_now_is_taken_back_and_the_files_stay() {
    for commits in 1..=2 {
        let (bench, plan, made) = session(Kind::Colocated, commits);
        // Nothing is left that stands on it.
        fs::remove_file(bench.root.join("dirty")).unwrap();
        bench.jj(&["edit", "@-"]);
        let (disk, history) = (bench.disk(), bench.history());
        history.take_back_synthesis(&plan, &made.commit.id, &made.before).unwrap();
        assert_eq!(bench.disk(), disk, "{commits}");
        let newest = if commits == 1 { "@" } else { "@-" };
        assert_eq!(bench.message(newest), format!("intent: {}\n", commits - 1));
        assert_eq!(bench.jj(&["log", "--no-graph", "-r", "description(substring:session)"]), "");
    }
}

#[test]
fn what_jj_holds_is_not_taken_back_by_half() {
    for commits in 1..=2 {
        let (bench, plan, made) = session(Kind::Apart, commits);
        bench.jj(&["tag", "set", "v1", "-r", "@-"]);
        let (history, before) = (bench.history(), bench.id("all()"));
        let refused = history.take_back_synthesis(&plan, &made.commit.id, &made.before).unwrap_err();
        assert_eq!(
            refused.to_string(),
            format!(
                "Taking it back was refused: {} stays as it is, since the tag v1 holds it. Delete the tag (`jj tag delete v1`), then repeat.",
                made.commit.change.clone().unwrap()
            )
        );
        assert_eq!((bench.id("all()"), bench.id("dev")), (before, made.commit.id), "nothing was written");
    }
}

#[test]
fn a_session_of_several_is_taken_back_also_when_jj_has_forgotten_the_operation_before_it() {
    let (bench, plan, made) = session(Kind::Apart, 2);
    let disk = bench.disk();
    bench.jj(&["op", "abandon", "..@-"]);
    bench.jj(&["util", "gc", "--expire=now"]);
    bench.history().take_back_synthesis(&plan, &made.commit.id, &made.before).unwrap();
    assert_eq!(bench.message("@-"), "intent: 1\n");
    // Where it was is not known any more, so it is where the session stood.
    assert_eq!((bench.id("dev"), bench.disk()), (plan.base.clone().unwrap(), disk));
}

#[test]
fn what_the_working_copy_of_another_workspace_stands_on_is_told_with_the_way_off_it() {
    for has_work in [false, true] {
        let bench = Bench::new(Kind::Apart);
        let base = bench.committed("f", "1\n", "base");
        bench.put("f", "2\n");
        let made = bench.commit("intent: f", vec![text("f", "2\n")]).unwrap();
        bench.jj(&["workspace", "add", "--name", "my other", "../other", "-r", &made.commit.id]);
        let other = bench.top.parent().unwrap().join("other");
        let jj = |arguments: &[&str]| {
            let done = bench.run("jj", &other, &[&["--no-pager", "--color=never", "--quiet"], arguments].concat());
            assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        };
        if has_work {
            fs::write(other.join("theirs"), "theirs\n").unwrap();
            jj(&["status"]);
        }
        let history = bench.history();
        let may = || history.may_take_back_commit(&made.commit.id, &made.before);
        let take_back = || history.take_back_commit(&made.commit.id, &made.before, &made.staged);
        let (before, refused) = (bench.id("all()"), take_back().unwrap_err().to_string());
        assert_eq!(may().unwrap_err().to_string(), refused);
        assert_eq!(bench.id("all()"), before, "nothing was written");
        let name = made.commit.change.clone().unwrap();
        let above = bench.jj(&["log", "--ignore-working-copy", "--no-graph", "-r", "\"my other\"@", "-T", "change_id"]);
        let base = &base[..12];
        let (words, way) = if has_work {
            let way = format!("jj rebase --source {above} --destination {base}");
            let words = format!(
                "the working copy of the workspace \"my other\" ({above}) stands on {name}, with work in it. Move it off there (`{way}`), then repeat."
            );
            (words, way)
        } else {
            let way = format!("jj new {base}");
            let words = format!(
                "the working copy of the workspace \"my other\" stands on {name}. Go elsewhere there (`{way}` in that workspace), then repeat."
            );
            (words, way)
        };
        assert_eq!(refused, format!("Taking it back was refused: {words}"));
        let way: Vec<&str> = way.split(' ').skip(1).collect();
        jj(&way);
        may().unwrap();
        take_back().unwrap();
        assert_eq!(bench.changes("@"), ["f=2\n"]);
    }
}

/// Lines, of which some are the intent's.
const LINES: &str = "1\nNEW-A\n2\n3\n4\n5\n6\n7\n8\nNEW-B\n9\n";

#[test]
fn what_the_person_has_changed_reverted_or_deleted_of_an_intent_since_stays_so_on_disk() {
    type Change = fn(&Bench);
    let changes: [(&str, Change); 7] = [
        ("a line is taken out again", |bench| bench.put("f", &LINES.replace("NEW-A\n", ""))),
        ("the file is as it was", |bench| bench.put("f", "1\n2\n3\n4\n5\n6\n7\n8\n9\n")),
        ("a new file is gone again", |bench| fs::remove_dir_all(bench.root.join("Research")).unwrap()),
        ("a file is there again", |bench| bench.put("gone", "gone\n")),
        ("a program is none again", |bench| bench.mode("tool", 0o644)),
        ("a folder is in the place of a file", |bench| {
            fs::remove_file(bench.root.join("f")).unwrap();
            bench.put("f/below", "below\n");
        }),
        ("all is as it was", |bench| {
            bench.put("f", "1\n2\n3\n4\n5\n6\n7\n8\n9\n");
            bench.put("gone", "gone\n");
            bench.mode("tool", 0o644);
            fs::remove_dir_all(bench.root.join("Research")).unwrap();
        }),
    ];
    for (number, (what, change)) in changes.into_iter().enumerate() {
        let bench = Bench::new(if number % 2 == 0 { Kind::Colocated } else { Kind::Apart });
        bench.put("gone", "gone\n");
        bench.put("tool", "tool\n");
        let base = bench.committed("f", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "base");
        bench.put("f", LINES);
        bench.put("Research/report.md", "report\n");
        bench.mode("tool", 0o755);
        fs::remove_file(bench.root.join("gone")).unwrap();
        let parts =
            vec![text("f", LINES), text("Research/report.md", "report\n"), program("tool", "tool\n"), gone("gone")];
        let made = bench.commit("intent: all of it", parts).unwrap();
        change(&bench);
        let (disk, history) = (bench.disk(), bench.history());
        history.take_back_commit(&made.commit.id, &made.before, &made.staged).unwrap();
        assert_eq!(bench.disk(), disk, "{what}");
        assert_eq!(bench.id("@-"), base, "{what}");
        assert_eq!(history.changed().unwrap().is_empty(), what == "all is as it was", "{what}");
        // Once more, it was taken back before.
        history.take_back_commit(&made.commit.id, &made.before, &made.staged).unwrap();
        assert_eq!(bench.disk(), disk, "{what}");
    }
}

/// An intent that was committed, and what the person has taken out of it since.
fn reverted() -> (Bench, Made) {
    let bench = Bench::new(Kind::Colocated);
    bench.committed("f", "1\n", "base");
    bench.put("f", "2\n");
    let made = bench.commit("intent: f", vec![text("f", "2\n")]).unwrap();
    bench.put("f", "1\n");
    (bench, made)
}

#[test]
fn a_jj_that_changes_the_files_all_the_same_is_taken_back_and_so_are_they() {
    let (bench, made) = reverted();
    // What stands on it is merged, and jj takes two equal changes for one.
    let script = r#"case " $* " in
*" --quiet abandon "*)
  for word do
    shift
    case "$word" in
      abandon) word=squash;;
      --restore-descendants) word=--use-destination-message;;
      --retain-bookmarks) word=--into=@;;
      -r) word=--from;;
    esac
    set -- "$@" "$word"
  done
  echo mine > theirs;;
esac
exec "$real" "$@"
"#;
    let history = Jj::open(&bench.root, &with_program(&bench, script)).unwrap().unwrap();
    let disk = bench.disk();
    let failed = history.take_back_commit(&made.commit.id, &made.before, &made.staged).unwrap_err();
    assert_eq!(
        failed.to_string(),
        "jj failed: what came out is not what was wanted, so it was taken back. Your files are as they were"
    );
    assert_eq!(fs::read_to_string(bench.root.join("f")).unwrap(), "1\n");
    assert_eq!(fs::read_to_string(bench.root.join("theirs")).unwrap(), "mine\n");
    fs::remove_file(bench.root.join("theirs")).unwrap();
    let bytes = |disk: crate::bench::OnDisk| -> Vec<_> {
        disk.into_iter().map(|(path, (mode, content, ..))| (path, mode, content)).collect()
    };
    assert_eq!(bytes(bench.disk()), bytes(disk));
    assert_eq!(bench.id("@-"), made.commit.id);
    bench.history().take_back_commit(&made.commit.id, &made.before, &made.staged).unwrap();
    assert_eq!(fs::read_to_string(bench.root.join("f")).unwrap(), "1\n");
}

#[test]
fn what_the_person_writes_while_it_is_taken_back_is_no_fault_and_stays() {
    let (bench, made) = reverted();
    let script = r#"case " $* " in *" --quiet abandon "*) echo mine > f;; esac
exec "$real" "$@"
"#;
    let history = Jj::open(&bench.root, &with_program(&bench, script)).unwrap().unwrap();
    history.take_back_commit(&made.commit.id, &made.before, &made.staged).unwrap();
    assert_eq!(fs::read_to_string(bench.root.join("f")).unwrap(), "mine\n");
    assert_eq!(bench.changes("@"), ["f=mine\n"]);
}

#[test]
fn a_bookmark_goes_back_to_where_the_session_stood_where_what_it_was_at_is_gone() {
    for (kind, commits, at) in [
        (Kind::Colocated, 1, "@"),
        (Kind::Colocated, 2, "@"),
        (Kind::Apart, 1, "root()"),
        (Kind::Colocated, 2, "root()"),
    ] {
        let bench = Bench::new(kind);
        let base = bench.committed("f", "1\n", "base");
        for number in 0..commits {
            bench.committed("f", &format!("more {number}\n"), &format!("intent: {number}"));
        }
        bench.jj(&["bookmark", "create", "dev", "-r", at]);
        let (plan, root) = (bench.plan(&base, MESSAGE), bench.id("root()"));
        let made = bench.history().synthesise(&plan).unwrap();
        assert_eq!(bench.id("dev"), made.commit.id);
        // What it was at is blank, so jj forgets it.
        bench.jj(&["new", "dev"]);
        let (disk, history) = (bench.disk(), bench.history());
        history.take_back_synthesis(&plan, &made.commit.id, &made.before).unwrap();
        assert_eq!(bench.message("@-"), format!("intent: {}\n", commits - 1), "{commits} {at}");
        assert_eq!(bench.jj(&["log", "--no-graph", "-r", "description(substring:session)"]), "");
        assert_eq!(bench.id("dev"), if at == "@" { base } else { root }, "{commits} {at}");
        assert_eq!(bench.disk(), disk);
        history.take_back_synthesis(&plan, &made.commit.id, &made.before).unwrap();
    }
}

#[test]
fn a_bookmark_goes_back_to_the_working_copy_that_it_was_at() {
    for commits in 1..=2 {
        let bench = Bench::new(Kind::Colocated);
        let base = bench.committed("f", "1\n", "base");
        for number in 0..commits {
            bench.committed("f", &format!("more {number}\n"), &format!("intent: {number}"));
        }
        bench.put("dirty", "d\n");
        bench.jj(&["bookmark", "create", "dev", "-r", "@"]);
        let plan = bench.plan(&base, MESSAGE);
        let made = bench.history().synthesise(&plan).unwrap();
        assert_eq!(bench.id("dev"), made.commit.id);
        bench.history().take_back_synthesis(&plan, &made.commit.id, &made.before).unwrap();
        assert_eq!(bench.id("dev"), bench.id("@"), "{commits}");
        assert_eq!(bench.message("@-"), format!("intent: {}\n", commits - 1), "{commits}");
    }
}
