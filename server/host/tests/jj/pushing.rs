//! A push brings a commit to the remote's branch or says why not; what the remote has is never overwritten.

use std::fs;

use augment_host::vcs::history::{History as _, HistoryError, Remote};

use crate::bench::{Bench, Kind, text};
use crate::script::write_script;
use crate::synthesising::MESSAGE;

/// A session of two commits on what the remote has.
fn session(kind: Kind) -> (Bench, String) {
    let bench = Bench::new(kind);
    let base = bench.committed("f", "1\n", "base");
    bench.remote();
    bench.committed("f", "2\n", "intent: two");
    bench.committed("f", "3\n", "intent: three");
    (bench, base)
}

#[test]
fn a_session_is_pushed_and_seen_at_the_remote() {
    for kind in [Kind::Colocated, Kind::Apart] {
        let (bench, base) = session(kind);
        let history = bench.history();
        let operation = || bench.jj(&["op", "log", "--ignore-working-copy", "--no-graph", "--limit", "1", "-T", "id"]);
        let before = operation();
        assert_eq!(history.remote("origin", "dev").unwrap(), Remote::At(base.clone()));
        assert_eq!(history.remote("origin", "main").unwrap(), Remote::NoBranch);
        assert_eq!(history.remote("upstream", "dev").unwrap(), Remote::NoRemote);
        assert_eq!(operation(), before, "asking has changed something");
        let plan = bench.plan(&base, MESSAGE);
        let made = history.synthesise(&plan).unwrap();
        history.push("origin", "dev", &made.commit.id).unwrap();
        assert_eq!(history.remote("origin", "dev").unwrap(), Remote::At(made.commit.id.clone()));
        assert_eq!(bench.at_remote("dev"), made.commit.id);
        history.push("origin", "dev", &made.commit.id).unwrap();
        history.push("origin", "release", &made.commit.id).unwrap();
        assert_eq!(bench.at_remote("release"), made.commit.id, "also to a branch that was not there");

        let pushed = history.take_back_synthesis(&plan, &made.commit.id, &made.before).unwrap_err();
        assert!(matches!(&pushed, HistoryError::Pushed { remote, .. } if remote == "origin"), "{pushed}");
        let next = history.lineage(Some("dev@origin"), 1).unwrap();
        assert_eq!(next[0].id, made.commit.id);
    }
}

#[test]
fn a_commit_that_was_pushed_is_not_taken_back_and_not_rewritten() {
    let bench = Bench::new(Kind::Apart);
    let base = bench.committed("f", "1\n", "base");
    bench.remote();
    bench.put("f", "2\n");
    let made = bench.commit("intent: two", vec![text("f", "2\n")]).unwrap();
    let history = bench.history();
    history.push("origin", "dev", &made.commit.id).unwrap();
    for refused in [
        history.take_back_commit(&made.commit.id, &made.before, &made.staged).unwrap_err(),
        history.synthesise(&bench.plan_of(&base, &made.commit.id)).unwrap_err(),
    ] {
        assert!(matches!(&refused, HistoryError::Pushed { remote, .. } if remote == "origin"), "{refused}");
    }
    assert_eq!(bench.id("@-"), made.commit.id);
}

#[test]
fn a_bookmark_is_not_led_away_from_what_was_pushed_of_it() {
    let (bench, base) = session(Kind::Apart);
    bench.jj(&["bookmark", "set", "dev", "-r", "@--"]);
    bench.jj(&["git", "push", "--remote", "origin", "--bookmark", "dev"]);
    let mut plan = bench.plan(&base, MESSAGE);
    plan.commits = vec![bench.id("@--"), bench.id("@-")];
    let refused = bench.history().synthesise(&plan).unwrap_err();
    assert!(refused.to_string().contains("is not rewritten, since dev@origin has it. Leave it out"), "{refused}");
}

#[test]
fn a_session_that_was_rebased_onto_what_the_remote_has_is_pushed() {
    for kind in [Kind::Colocated, Kind::Apart] {
        let (bench, base) = session(kind);
        let history = bench.history();
        let made = history.synthesise(&bench.plan(&base, MESSAGE)).unwrap();
        let other = bench.other_pushes();
        bench.jj(&["git", "fetch", "--remote", "origin"]);
        bench.jj(&["rebase", "-d", "dev@origin"]);
        let now = history.find(&made.commit.change.unwrap()).unwrap().unwrap();
        assert_eq!(now.parents, [other]);
        history.push("origin", "dev", &now.id).unwrap();
        assert_eq!(bench.at_remote("dev"), now.id);
    }
}

#[test]
fn a_refusal_of_the_remote_is_told_in_its_words() {
    let (bench, base) = session(Kind::Colocated);
    let hook = bench.top.parent().unwrap().join("bare/hooks/pre-receive");
    write_script(&hook, "#!/bin/sh\nprintf 'ask Ann \\033[2J first\\n' >&2\nexit 1\n", 0o755);
    let history = bench.history();
    let made = history.synthesise(&bench.plan(&base, MESSAGE)).unwrap();
    let refused = history.push("origin", "dev", &made.commit.id).unwrap_err().to_string();
    assert!(refused.starts_with("The push was refused: "), "{refused}");
    assert!(refused.contains("ask Ann") && refused.contains("pre-receive hook declined"), "{refused}");
    assert!(!refused.contains('\u{1b}'), "{refused}");
    assert_eq!(bench.at_remote("dev"), base);
    fs::remove_file(&hook).unwrap();
    history.push("origin", "dev", &made.commit.id).unwrap();
    assert_eq!(bench.at_remote("dev"), made.commit.id);
}

#[test]
fn a_remote_that_moved_meanwhile_keeps_what_it_has() {
    let (bench, base) = session(Kind::Apart);
    let history = bench.history();
    let made = history.synthesise(&bench.plan(&base, MESSAGE)).unwrap();
    let other = bench.other_pushes();
    let moved = history.push("origin", "dev", &made.commit.id).unwrap_err();
    assert_eq!(
        moved.to_string(),
        format!(
            "origin has moved meanwhile: its dev is at {}, which your commits do not stand on. Fetch it, rebase or merge, then repeat; nothing was pushed.",
            &other[..12]
        )
    );
    assert_eq!(bench.at_remote("dev"), other);
    bench.jj(&["git", "fetch", "--remote", "origin"]);
    let again = history.push("origin", "dev", &made.commit.id).unwrap_err();
    assert!(matches!(again, HistoryError::RemoteMoved { .. }), "{again}");
    assert_eq!(bench.at_remote("dev"), other);
}

#[test]
fn a_session_is_not_made_over_a_remote_that_is_known_to_have_moved() {
    let (bench, base) = session(Kind::Apart);
    bench.other_pushes();
    bench.jj(&["git", "fetch", "--remote", "origin"]);
    let before = bench.id("all()");
    let moved = bench.history().synthesise(&bench.plan(&base, MESSAGE)).unwrap_err();
    assert!(matches!(moved, HistoryError::RemoteMoved { .. }), "{moved}");
    assert_eq!(bench.id("all()"), before, "nothing was written");
}

#[test]
fn a_push_over_what_another_clone_of_ours_has_pushed_is_known_first() {
    let (bench, base) = session(Kind::Apart);
    let history = bench.history();
    // The remote got one of our own commits in another way, which jj has not heard of.
    let store = bench.jj(&["git", "root"]);
    let one = bench.id("@--");
    bench.git(&bench.top, &["--git-dir", store.trim(), "push", "--quiet", "../bare", &format!("{one}:refs/heads/dev")]);
    let tip = bench.id("@-");
    history.push("origin", "dev", &tip).unwrap();
    assert_eq!(bench.at_remote("dev"), tip);
    assert!(history.is_ancestor(&tip, &base).unwrap());
}

#[test]
fn a_bookmark_of_other_work_is_not_moved_to_be_pushed() {
    let (bench, base) = session(Kind::Apart);
    let tip = bench.id("@-");
    bench.jj(&["new", "--no-edit", "-m", "other work", &base]);
    bench.jj(&["bookmark", "set", "theirs", "-r", "description(substring:'other work')"]);
    let refused = bench.history().push("origin", "theirs", &tip).unwrap_err().to_string();
    assert!(refused.starts_with("The push was refused: the bookmark \"theirs\" is at "), "{refused}");
    let none = bench.history().push("nowhere", "dev", &tip).unwrap_err().to_string();
    assert_eq!(
        none,
        "The push was refused: there is no remote \"nowhere\". Add it (`jj git remote add`), then repeat."
    );
}
