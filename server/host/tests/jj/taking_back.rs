//! What is taken back is really taken back, and nothing of the person's goes with it.

use augment_host::vcs::history::{History as _, Made, Synthesis};

use crate::bench::{Bench, Kind, text};
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
        std::fs::remove_file(bench.root.join("dirty")).unwrap();
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
