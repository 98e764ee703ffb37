//! One commit of a session: it holds what the tip held, and everything that it was made of is still there.

use augment_host::vcs::history::{History as _, HistoryError, Synthesis};

use crate::bench::{Bench, Kind, path, text};

pub(crate) const MESSAGE: &str = "session: done\n♓︎.5.4.47 5919AM\n\n## Original Prompt\nJJ: keep this\n  and 'that'\n\n## Agent Context\nc\n\n## Logical Changes\n- one\n";

/// A session of two branches that were merged, and one more commit; something uncommitted lies in `@`.
pub(crate) fn merged(kind: Kind) -> (Bench, String) {
    let bench = Bench::new(kind);
    let base = bench.committed("f", "1\n", "base");
    bench.jj(&["bookmark", "set", "dev", "-r", &base]);
    let left = bench.committed("left", "l\n", "intent: left");
    bench.jj(&["new", &base]);
    let right = bench.committed("right", "r\n", "intent: right");
    bench.jj(&["bookmark", "set", "feature", "-r", &right]);
    bench.jj(&["new", &left, &right, "-m", "intent: both"]);
    bench.jj(&["new"]);
    bench.committed("f", "2\n", "intent: last");
    bench.put("dirty", "d\n");
    bench.history().ground().unwrap();
    (bench, base)
}

#[test]
fn several_become_one_with_the_tips_content() {
    for kind in [Kind::Colocated, Kind::Apart] {
        let (bench, base) = merged(kind);
        let plan = bench.plan(&base, MESSAGE);
        assert_eq!(plan.commits.len(), 4);
        let (disk, home, history) = (bench.disk(), bench.home(), bench.history());
        assert_eq!(history.find_synthesised(&plan).unwrap(), None);
        let made = history.synthesise(&plan).unwrap();

        assert_eq!(made.commit.message, MESSAGE);
        assert_eq!(made.commit.parents, [base.as_str()]);
        assert_eq!(bench.tree(&made.commit.id), bench.tree(&plan.tip));
        assert_eq!(bench.id("@-"), made.commit.id);
        assert_eq!(bench.id("dev"), made.commit.id);
        assert_eq!(bench.changes("@"), ["dirty=d\n"]);
        assert_eq!((bench.disk(), bench.home()), (disk.clone(), home));
        for commit in &plan.commits {
            assert!(bench.is_there(commit), "the originals stay");
        }
        assert_eq!(history.find_synthesised(&plan).unwrap(), Some(made.commit.clone()));
        let again = history.synthesise(&plan).unwrap();
        assert_eq!(again.commit, made.commit, "doing it again changes nothing");

        history.take_back_synthesis(&plan, &made.commit.id, &made.before).unwrap();
        assert_eq!(bench.id("@-"), plan.tip);
        assert_eq!(bench.id("dev"), base);
        assert!(!bench.is_there(&made.commit.id));
        assert_eq!(bench.disk(), disk);
        history.take_back_synthesis(&plan, &made.commit.id, &made.before).unwrap();
        assert_eq!(bench.id("@-"), plan.tip);
    }
}

#[test]
fn a_single_commit_gets_the_message_and_keeps_its_change() {
    for kind in [Kind::Colocated, Kind::Apart] {
        let bench = Bench::new(kind);
        let base = bench.committed("f", "1\n", "base");
        let intent = bench.committed("f", "2\n", "intent: two");
        bench.put("dirty", "d\n");
        bench.history().ground().unwrap();
        let plan = bench.plan(&base, MESSAGE);
        assert_eq!(plan.commits, [intent.as_str()]);
        let (disk, history) = (bench.disk(), bench.history());
        let change = history.find(&intent).unwrap().unwrap().change;
        let made = history.synthesise(&plan).unwrap();
        assert_eq!((&made.commit.message, &made.commit.change), (&MESSAGE.to_owned(), &change));
        assert_eq!(bench.tree(&made.commit.id), bench.tree(&intent));
        assert_eq!((bench.id("@-"), bench.id("dev")), (made.commit.id.clone(), made.commit.id.clone()));
        assert_eq!(history.synthesise(&plan).unwrap().commit, made.commit);
        assert_eq!(history.find_synthesised(&plan).unwrap(), Some(made.commit.clone()));
        history.take_back_synthesis(&plan, &made.commit.id, &made.before).unwrap();
        assert_eq!(bench.message("@-"), "intent: two\n");
        assert_eq!(bench.jj(&["bookmark", "list"]), "", "there was none before");
        assert_eq!(bench.disk(), disk);
    }
}

#[test]
fn a_session_without_anything_before_it_and_one_that_ends_in_the_working_copy() {
    let bench = Bench::new(Kind::Apart);
    bench.committed("a", "1\n", "intent: a");
    bench.put("b", "2\n");
    bench.jj(&["describe", "-m", "intent: b"]);
    let mut plan = bench.plan(&bench.id("@-"), MESSAGE);
    (plan.base, plan.tip, plan.commits) = (None, bench.id("@"), vec![bench.id("@-"), bench.id("@")]);
    let (disk, history) = (bench.disk(), bench.history());
    let made = history.synthesise(&plan).unwrap();
    assert_eq!(made.commit.parents, [] as [&str; 0]);
    assert_eq!(bench.tree(&made.commit.id), bench.tree(&plan.tip));
    assert!(bench.is_there(&plan.tip), "@ was one of the commits, and stays there");
    assert_eq!(bench.id("@-"), made.commit.id, "what is written next is not the session's");
    assert_eq!(history.find_synthesised(&plan).unwrap(), Some(made.commit.clone()));
    let blank = bench.id("@");
    assert_eq!(history.synthesise(&plan).unwrap().commit, made.commit, "doing it again changes nothing");
    assert_eq!(history.fresh_child(&made.commit.id).unwrap().unwrap().id, blank, "it is one already");
    assert_eq!(bench.disk(), disk);
    history.take_back_synthesis(&plan, &made.commit.id, &made.before).unwrap();
    assert_eq!((bench.id("@-"), bench.disk()), (plan.tip, disk));
}

#[test]
fn what_is_written_after_a_session_of_the_working_copy_alone_is_no_part_of_it() {
    let bench = Bench::new(Kind::Colocated);
    let base = bench.committed("f", "1\n", "base");
    bench.put("f", "2\n");
    bench.jj(&["describe", "-m", "intent: two"]);
    let plan = Synthesis { tip: bench.id("@"), commits: vec![bench.id("@")], ..bench.plan(&base, MESSAGE) };
    let (disk, history) = (bench.disk(), bench.history());
    let made = history.synthesise(&plan).unwrap();
    assert_eq!((bench.id("@-"), bench.id("dev")), (made.commit.id.clone(), made.commit.id.clone()));
    assert_eq!((&made.commit.message, bench.disk()), (&MESSAGE.to_owned(), disk));
    assert_eq!(history.find_synthesised(&plan).unwrap(), Some(made.commit.clone()));
    bench.put("later", "l\n");
    assert_eq!(history.changed().unwrap(), [path("later")]);
    assert_eq!(history.synthesise(&plan).unwrap().commit, made.commit, "doing it again changes nothing");
    assert_eq!(bench.id("dev"), made.commit.id);
    history.take_back_synthesis(&plan, &made.commit.id, &made.before).unwrap();
    assert_eq!((bench.message("@-"), history.changed().unwrap()), ("intent: two\n".to_owned(), vec![path("later")]));
}

/// Nobody was shown what came between a kill and the next command.
#[test]
fn what_was_written_into_the_working_copy_since_its_session_was_begun_is_not_taken_along() {
    for commits in 1..=2 {
        let bench = Bench::new(Kind::Apart);
        let base = bench.committed("f", "1\n", "base");
        if commits == 2 {
            bench.committed("g", "1\n", "intent: g");
        }
        bench.put("f", "2\n");
        bench.jj(&["describe", "-m", "intent: two"]);
        let mut plan = bench.plan(&base, MESSAGE);
        plan.tip = bench.id("@");
        plan.commits = bench
            .jj(&["log", "--no-graph", "--reversed", "-r", &format!("{base}..@"), "-T", "commit_id ++ ' '"])
            .split_whitespace()
            .map(str::to_owned)
            .collect();
        assert_eq!(plan.commits.len(), commits);
        // As far as it had come when it was killed.
        if commits == 1 {
            bench.jj(&["describe", "-m", MESSAGE]);
        } else {
            bench.jj(&["new", "--no-edit", "-m", MESSAGE, &base]);
            let begun = bench.id(&format!("{base}+ & description(substring:session)"));
            bench.jj(&["restore", "--from", &plan.tip, "--into", &begun]);
        }
        bench.put("later", "l\n");
        let history = bench.history();
        let moved = history.synthesise(&plan).unwrap_err();
        assert!(matches!(moved, HistoryError::Moved { .. }), "{commits}: {moved}");
        assert_eq!(bench.message("@"), "intent: two\n", "{commits}");
        assert_eq!(
            bench.jj(&["log", "--no-graph", "-r", "description(substring:session)"]),
            "",
            "nothing is left of it"
        );
        assert!(bench.changes("@").contains(&"later=l\n".to_owned()));
    }
}

#[test]
fn a_plan_that_is_no_longer_true_is_refused() {
    let (bench, base) = merged(Kind::Apart);
    let plan = bench.plan(&base, MESSAGE);
    bench.commit("intent: one more", vec![text("dirty", "d\n")]).unwrap();
    let operation = bench.jj(&["op", "log", "--no-graph", "--limit", "1", "-T", "id"]);
    let moved = bench.history().synthesise(&plan).unwrap_err();
    assert!(matches!(moved, HistoryError::Moved { .. }), "{moved}");
    assert_eq!(bench.jj(&["op", "log", "--no-graph", "--limit", "1", "-T", "id"]), operation);
}

#[test]
fn conflicts_in_a_session_are_refused_with_their_files() {
    let bench = Bench::new(Kind::Apart);
    let base = bench.committed("f", "1\n", "base");
    let left = bench.committed("f", "left\n", "intent: left");
    bench.jj(&["new", &base]);
    let right = bench.committed("f", "right\n", "intent: right");
    bench.jj(&["new", &left, &right, "-m", "intent: both"]);
    bench.jj(&["new"]);
    let refused = bench.history().synthesise(&bench.plan(&base, MESSAGE)).unwrap_err();
    assert_eq!(refused.to_string(), "Unresolved conflicts are in f. Resolve them first, then repeat.");
    // Also where the tip has them resolved: what is kept must be readable.
    bench.put("f", "both\n");
    bench.jj(&["commit", "-m", "intent: resolved"]);
    let refused = bench.history().synthesise(&bench.plan(&base, MESSAGE)).unwrap_err();
    assert!(matches!(refused, HistoryError::Conflicts(_)), "{refused}");
}

#[test]
fn nothing_is_taken_back_that_others_stand_on() {
    let (bench, base) = merged(Kind::Apart);
    let (plan, history) = (bench.plan(&base, MESSAGE), bench.history());
    let made = history.synthesise(&plan).unwrap();
    bench.jj(&["new", "--no-edit", "-m", "on top", &made.commit.id]);
    let held = history.take_back_synthesis(&plan, &made.commit.id, &made.before).unwrap_err();
    assert!(held.to_string().starts_with("Taking it back was refused: "), "{held}");
    assert_eq!(bench.id("dev"), made.commit.id);
}

#[test]
fn a_fresh_child_never_leads_away_from_work() {
    let bench = Bench::new(Kind::Colocated);
    let base = bench.committed("f", "1\n", "base");
    let blank = bench.id("@");
    let history = bench.history();
    assert_eq!(history.fresh_child(&base).unwrap().unwrap().id, blank, "it is one already");
    let top = bench.committed("f", "2\n", "top");
    let (blank, disk) = (bench.id("@"), bench.disk());
    let kept = history.fresh_child(&base).unwrap().unwrap();
    assert_eq!((kept.id, bench.disk()), (blank, disk), "what was committed since stays on disk");
    bench.put("g", "work\n");
    let kept = history.fresh_child(&base).unwrap().unwrap();
    assert_eq!(kept.parents, [top.as_str()], "work stays where it is");
    bench.jj(&["new", &base]);
    for content in [None, Some("other work\n")] {
        if let Some(content) = content {
            bench.put("h", content);
        }
        let disk = bench.disk();
        let refused = history.fresh_child(&top).unwrap_err();
        assert!(refused.to_string().starts_with("A fresh child was refused: `@` ("), "{refused}");
        assert_eq!((bench.id("@-"), bench.disk()), (base.clone(), disk), "files would go");
    }
    // The same content elsewhere can be gone on from.
    bench.jj(&["restore", "--from", &top]);
    let disk = bench.disk();
    assert_eq!(history.fresh_child(&top).unwrap().unwrap().parents, [top]);
    assert_eq!(bench.disk(), disk);
}

#[test]
fn a_bookmark_of_other_work_is_not_moved_to_a_session() {
    for commits in 1..=2 {
        let bench = Bench::new(Kind::Apart);
        let base = bench.committed("f", "1\n", "base");
        bench.committed("g", "1\n", "long work");
        bench.jj(&["bookmark", "set", "dev", "-r", "@-"]);
        let work = bench.id("dev");
        bench.jj(&["new", &base]);
        for number in 0..commits {
            bench.committed("f", &format!("more {number}\n"), "intent: more");
        }
        let mut plan = bench.plan(&base, MESSAGE);
        plan.commits.retain(|commit| *commit != work);
        assert_eq!(plan.commits.len(), commits);
        let (history, before) = (bench.history(), bench.id("all()"));
        let change = history.find(&work).unwrap().unwrap().change.unwrap();
        let refused = history.synthesise(&plan).unwrap_err();
        assert_eq!(
            refused.to_string(),
            format!(
                "The session's commit was refused: the bookmark \"dev\" is at {} \"long work\", which is other work. Name another one with `--bookmark NAME`, or move it yourself (`jj bookmark set dev --allow-backwards -r @-`), then repeat.",
                &change[..12]
            )
        );
        assert_eq!((bench.id("all()"), bench.id("dev")), (before, work.clone()), "nothing was written");
        plan.bookmark = Some("mine".to_owned());
        let made = history.synthesise(&plan).unwrap();
        assert_eq!(made.notes, ["made the bookmark mine"]);
        assert_eq!((bench.id("mine"), bench.id("dev")), (made.commit.id, work));
        assert_eq!(history.synthesise(&plan).unwrap().notes, [] as [&str; 0], "it is there already");
    }
}

#[test]
fn a_bookmark_in_conflict_is_the_persons_to_place() {
    for commits in 1..=2 {
        let bench = Bench::new(Kind::Apart);
        let base = bench.committed("f", "1\n", "base");
        for number in 0..commits {
            bench.committed("f", &format!("more {number}\n"), "intent: more");
        }
        bench.jj(&["bookmark", "set", "dev", "-r", &base]);
        let operation = bench.history().newest_operation().unwrap().unwrap();
        bench.jj(&["bookmark", "set", "dev", "-r", "@-"]);
        bench.jj(&["--at-operation", &operation, "bookmark", "delete", "dev"]);
        let list = || bench.jj(&["bookmark", "list", "dev"]);
        let (before, history) = (list(), bench.history());
        assert!(before.contains("conflict"), "{before}");
        let refused = history.synthesise(&bench.plan(&base, MESSAGE)).unwrap_err().to_string();
        assert!(refused.contains("the bookmark \"dev\" is in conflict (`jj bookmark list dev`)"), "{refused}");
        assert_eq!((list(), bench.message("@-")), (before, "intent: more\n".to_owned()), "nothing was written");
        bench.jj(&["bookmark", "set", "dev", "--allow-backwards", "-r", &base]);
        let made = history.synthesise(&bench.plan(&base, MESSAGE)).unwrap();
        assert_eq!(bench.id("dev"), made.commit.id);
    }
}

#[test]
fn a_bookmark_on_the_session_itself_or_on_the_working_copy_is_led_to_it() {
    for (at, notes) in [("@--", &[][..]), ("@-", &[]), ("@", &["the bookmark dev was at `@`"])] {
        let bench = Bench::new(Kind::Apart);
        let base = bench.committed("f", "1\n", "base");
        bench.committed("f", "2\n", "intent: two");
        bench.committed("f", "3\n", "intent: three");
        bench.put("dirty", "d\n");
        bench.jj(&["bookmark", "set", "dev", "-r", at]);
        let made = bench.history().synthesise(&bench.plan(&base, MESSAGE)).unwrap();
        assert_eq!(made.notes, notes, "{at}");
        assert_eq!((bench.id("dev"), bench.id("@-")), (made.commit.id.clone(), made.commit.id), "{at}");
    }
}

/// Two intents that were rebased onto what somebody else has pushed meanwhile; with what that is.
fn rebased(kind: Kind) -> (Bench, String, String) {
    let bench = Bench::new(kind);
    let base = bench.committed("f", "1\n", "base");
    bench.remote();
    bench.jj(&["config", "set", "--repo", "revset-aliases.'trunk()'", "dev@origin"]);
    bench.committed("p", "p\n", "intent: p");
    bench.committed("q", "q\n", "intent: q");
    let mate = bench.other_pushes();
    bench.jj(&["git", "fetch", "--remote", "origin"]);
    bench.jj(&["rebase", "-d", "dev@origin"]);
    (bench, base, mate)
}

#[test]
fn a_session_holds_nothing_of_what_others_pushed_meanwhile() {
    for kind in [Kind::Colocated, Kind::Apart] {
        let (bench, base, mate) = rebased(kind);
        let history = bench.history();
        let (p, q) = (bench.id("@--"), bench.id("@-"));
        let whole = Synthesis { commits: vec![p, q], ..bench.plan(&base, MESSAGE) };
        let before = bench.id("all()");
        let beside = Synthesis { bookmark: Some("mine".to_owned()), ..whole.clone() };
        let refused = history.synthesise(&beside).unwrap_err().to_string();
        assert!(refused.contains("\"meanwhile\" stands among its commits and is none of them"), "{refused}");
        assert_eq!(bench.id("all()"), before, "nothing was written");

        let made = history.synthesise(&Synthesis { base: Some(mate.clone()), ..whole }).unwrap();
        assert_eq!(made.commit.parents, [mate.as_str()]);
        assert_eq!(bench.changes(&made.commit.id), ["p=p\n", "q=q\n"]);
        history.push("origin", "dev", &made.commit.id).unwrap();
        assert_eq!(bench.at_remote("dev"), made.commit.id);
    }
}

#[test]
fn an_intent_that_is_held_is_not_rewritten_and_who_holds_it_is_told() {
    for (tagged, commits) in [("@--", 2), ("@-", 1)] {
        let bench = Bench::new(Kind::Colocated);
        let base = bench.committed("f", "1\n", "base");
        for number in 0..commits {
            bench.committed("f", &format!("more {number}\n"), "intent: more");
        }
        bench.jj(&["tag", "set", "v1", "-r", tagged]);
        let plan = bench.plan(&base, MESSAGE);
        assert_eq!(plan.commits.len(), commits);
        let (history, before) = (bench.history(), bench.id("all()"));
        let name = history.find(&bench.id(tagged)).unwrap().unwrap().change.unwrap()[..12].to_owned();
        assert_eq!(
            history.synthesise(&plan).unwrap_err().to_string(),
            format!(
                "{name} (\"intent: more\") is not rewritten, since the tag v1 holds it. Delete the tag (`jj tag delete v1`), or leave it out of the session, with what it stands on (--leave {name}), then repeat."
            )
        );
        assert_eq!(bench.id("all()"), before, "nothing was written");
    }
}
