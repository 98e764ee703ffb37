//! Killed between any two commands of jj: what was begun is finished by doing it again, and `find_…` knows whether it was.
//! A program in jj's place lets so many commands through and fails every later one, as if we were gone. Where it fails
//! one kind of command alone, what was written until then is taken back.

use std::fs;

use augment_host::vcs::Jj;
use augment_host::vcs::history::{History as _, HistoryError, Synthesis};

use crate::bench::{Bench, Kind, text};
use crate::script::write_script;
use crate::synthesising::{MESSAGE, merged};

/// The environment in which jj ends for good after so many commands that write.
fn dying(bench: &Bench, after: usize) -> Vec<(String, String)> {
    let count = bench.top.parent().unwrap().join("count");
    fs::write(&count, "").unwrap();
    let script = format!(
        r#"case " $* " in
  *" --ignore-working-copy "*|*" --version "*) ;;
  *)
    printf x >> '{count}'
    if [ "$(wc -c < '{count}')" -gt {after} ]; then echo killed >&2; exit 137; fi ;;
esac
exec "$real" "$@"
"#,
        count = count.display(),
    );
    with_program(bench, &script)
}

/// When a command fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fails {
    AtOnce,
    /// It has done its work.
    Afterwards,
}

/// The environment in which commands of jj fail that have one of these names.
fn failing(bench: &Bench, names: &[&str], when: Fails) -> Vec<(String, String)> {
    let patterns: Vec<String> = names.iter().map(|name| format!(r#"*" --quiet {name} "*"#)).collect();
    let patterns = patterns.join("|");
    let first = match when {
        Fails::AtOnce => "",
        Fails::Afterwards => r#""$real" "$@"; "#,
    };
    with_program(
        bench,
        &format!("case \" $* \" in {patterns}) {first}echo 'disk full' >&2; exit 1;; esac\nexec \"$real\" \"$@\"\n"),
    )
}

/// The environment in which a script is called in jj's place.
pub(crate) fn with_program(bench: &Bench, script: &str) -> Vec<(String, String)> {
    let place = bench.top.parent().unwrap();
    let folder = place.join("dying");
    fs::create_dir_all(&folder).unwrap();
    let script = format!("#!/bin/sh\nreal='{}'\n{script}", place.join("bin/jj").display());
    write_script(&folder.join("jj"), &script, 0o755);
    let environment = bench.environment.iter().map(|(name, value)| match name.as_str() {
        "PATH" => (name.clone(), format!("{}:{value}", folder.display())),
        _ => (name.clone(), value.clone()),
    });
    environment.collect()
}

/// Interrupts the work after each command, finishes it, and gives how many commands it took.
fn at_every_point(prepared: &Bench, work: impl Fn(&Jj) -> bool, finish: impl Fn(&Bench)) -> usize {
    for after in 0..20 {
        let bench = prepared.copy();
        let disk = bench.disk();
        let done = work(&Jj::open(&bench.root, &dying(&bench, after)).unwrap().unwrap());
        assert_eq!(bench.disk(), disk, "after {after} commands");
        finish(&bench);
        assert_eq!(bench.disk(), disk, "after {after} commands and the rest");
        if done {
            return after;
        }
    }
    panic!("it never ends");
}

#[test]
fn a_session_of_several_is_finished_from_wherever_it_was_left() {
    let (prepared, base) = merged(Kind::Colocated);
    let plan = prepared.plan(&base, MESSAGE);
    let tree = prepared.tree(&plan.tip);
    let taken = at_every_point(
        &prepared,
        |history| history.synthesise(&plan).is_ok(),
        |bench| {
            let history = bench.history();
            let found = history.find_synthesised(&plan).unwrap();
            let made = history.synthesise(&plan).unwrap().commit;
            assert!(found.is_none_or(|found| found == made));
            assert_eq!((made.message.as_str(), bench.tree(&made.id)), (MESSAGE, tree.clone()));
            assert_eq!((bench.id("@-"), bench.id("dev")), (made.id.clone(), made.id.clone()));
            assert_eq!(history.find_synthesised(&plan).unwrap(), Some(made));
            let beside = bench.jj(&["log", "--no-graph", "-r", "description(substring:'in the making')", "-T", "'x'"]);
            assert_eq!(beside, "", "nothing half made is left");
        },
    );
    assert!(taken >= 5, "{taken}");
}

#[test]
fn a_session_of_one_is_finished_from_wherever_it_was_left() {
    let prepared = Bench::new(Kind::Apart);
    let base = prepared.committed("f", "1\n", "base");
    prepared.committed("f", "2\n", "intent: two");
    let plan = prepared.plan(&base, MESSAGE);
    let taken = at_every_point(
        &prepared,
        |history| history.synthesise(&plan).is_ok(),
        |bench| {
            let made = bench.history().synthesise(&plan).unwrap().commit;
            assert_eq!((bench.message("@-").as_str(), bench.id("dev")), (MESSAGE, made.id));
        },
    );
    assert!(taken >= 2, "{taken}");
}

/// Where the bookmark is; empty where there is none.
fn dev(bench: &Bench) -> String {
    bench.id("bookmarks(exact:dev)")
}

#[test]
fn a_session_that_another_process_has_finished_leads_the_bookmark_back_to_where_it_was_before_it_was_begun() {
    for (kind, commits, at) in [
        (Kind::Apart, 1, None),
        (Kind::Colocated, 1, Some("@--")),
        (Kind::Apart, 1, Some("@-")),
        (Kind::Colocated, 2, None),
        (Kind::Apart, 2, Some("@--")),
    ] {
        let prepared = Bench::new(kind);
        let base = prepared.committed("f", "1\n", "base");
        for number in 0..commits {
            prepared.committed("f", &format!("more {number}\n"), "intent: more");
        }
        if let Some(at) = at {
            prepared.jj(&["bookmark", "set", "dev", "-r", at]);
        }
        let (plan, was) = (prepared.plan(&base, MESSAGE), dev(&prepared));
        let operation = prepared.history().newest_operation().unwrap();
        assert!(operation.is_some());
        let taken = at_every_point(
            &prepared,
            |history| history.synthesise(&plan).is_ok(),
            |bench| {
                let begun = Synthesis { operation: operation.clone(), ..plan.clone() };
                let made = bench.history().synthesise(&begun).unwrap();
                assert_eq!(dev(bench), made.commit.id);
                assert_eq!(Some(&made.before), operation.as_ref());
                bench.history().take_back_synthesis(&plan, &made.commit.id, &made.before).unwrap();
                // A single one has another hash since.
                let expected = if at == Some("@-") && commits == 1 { bench.id("@-") } else { was.clone() };
                assert_eq!(dev(bench), expected, "{commits} {at:?}");
                assert_eq!(bench.message("@-"), "intent: more\n");
            },
        );
        assert!(taken >= 2, "{taken}");
    }
}

#[test]
fn taking_back_is_finished_from_wherever_it_was_left() {
    let (prepared, base) = merged(Kind::Apart);
    let plan = prepared.plan(&base, MESSAGE);
    let made = prepared.history().synthesise(&plan).unwrap();
    let taken = at_every_point(
        &prepared,
        |history| history.take_back_synthesis(&plan, &made.commit.id, &made.before).is_ok(),
        |bench| {
            bench.history().take_back_synthesis(&plan, &made.commit.id, &made.before).unwrap();
            assert_eq!((bench.id("@-"), bench.id("dev")), (plan.tip.clone(), base.clone()));
            assert!(!bench.is_there(&made.commit.id));
        },
    );
    assert!(taken >= 3, "{taken}");
}

#[test]
fn a_commit_is_made_or_not_made() {
    let prepared = Bench::new(Kind::Colocated);
    prepared.committed("f", "1\n", "base");
    prepared.put("f", "2\n");
    prepared.put("g", "3\n");
    let wanted = prepared.wanted("intent: two", vec![text("f", "2\n")]);
    at_every_point(
        &prepared,
        |history| history.commit(&wanted).is_ok(),
        |bench| {
            let history = bench.history();
            let made = match history.find_made(&wanted).unwrap() {
                Some(made) => made,
                None => history.commit(&wanted).unwrap().commit,
            };
            assert_eq!(bench.id("@-"), made.id);
            assert_eq!(bench.changes("@-"), ["f=2\n"]);
            assert_eq!(bench.changes("@"), ["g=3\n"]);
        },
    );
}

#[test]
fn what_comes_out_wrong_is_taken_back_and_what_somebody_did_meanwhile_stays() {
    let bench = Bench::new(Kind::Colocated);
    let base = bench.committed("f", "1\n", "base");
    bench.put("f", "2\n");
    bench.put("g", "3\n");
    let wanted = bench.wanted("intent: two", vec![text("f", "2\n")]);
    let script = r#"case " $* " in
*" --quiet split "*)
  for word do
    shift
    case "$word" in --message=*) word=--message=other;; esac
    set -- "$@" "$word"
  done
  "$real" "$@" && exec "$real" --quiet bookmark create theirs -r @--;;
esac
exec "$real" "$@"
"#;
    let history = Jj::open(&bench.root, &with_program(&bench, script)).unwrap().unwrap();
    let disk = bench.disk();
    let refused = history.commit(&wanted).unwrap_err().to_string();
    assert!(refused.contains("so it was taken back"), "{refused}");
    assert_eq!((bench.id("@-"), bench.id("theirs")), (base.clone(), base));
    assert_eq!(bench.changes("@"), ["f=2\n", "g=3\n"]);
    assert!(!all(&bench).contains("other"), "{}", all(&bench));
    assert_eq!(bench.disk(), disk);
    // And what was in the way is no more.
    assert_eq!(bench.history().commit(&wanted).unwrap().commit.id, bench.id("@-"));
}

#[test]
fn a_commit_from_which_somebody_goes_on_at_once_is_the_one_that_was_made() {
    let bench = Bench::new(Kind::Apart);
    bench.committed("f", "1\n", "base");
    bench.put("f", "2\n");
    bench.put("g", "3\n");
    let wanted = bench.wanted("intent: two", vec![text("f", "2\n")]);
    let script = r#"case " $* " in
*" --quiet split "*) "$real" "$@" && exec "$real" --quiet commit -m theirs;;
esac
exec "$real" "$@"
"#;
    let history = Jj::open(&bench.root, &with_program(&bench, script)).unwrap().unwrap();
    let made = history.commit(&wanted).unwrap();
    assert_eq!((bench.id("@--"), bench.message("@-")), (made.commit.id, "theirs\n".to_owned()));
    assert_eq!((bench.changes("@--"), bench.changes("@-")), (vec!["f=2\n".to_owned()], vec!["g=3\n".to_owned()]));
}

/// Every commit that is seen, by what it is and says, and where the bookmarks are.
fn all(bench: &Bench) -> String {
    let template = r#"change_id ++ " " ++ parents.map(|parent| parent.change_id()) ++ " " ++ bookmarks ++ " " ++ description ++ "\n""#;
    bench.jj(&["log", "--ignore-working-copy", "--no-graph", "-r", "all()", "-T", template])
}

#[test]
fn a_step_that_fails_leaves_nothing_of_the_session() {
    let (several, several_base) = merged(Kind::Colocated);
    let single = Bench::new(Kind::Apart);
    let single_base = single.committed("f", "1\n", "base");
    single.committed("f", "2\n", "intent: two");
    for (prepared, base, steps) in [
        (several, several_base, &["new", "restore", "describe", "rebase", "bookmark set"][..]),
        (single, single_base, &["describe", "bookmark set"]),
    ] {
        let plan = prepared.plan(&base, MESSAGE);
        for (step, when) in steps.iter().flat_map(|step| [(*step, Fails::AtOnce), (*step, Fails::Afterwards)]) {
            let bench = prepared.copy();
            let (disk, before) = (bench.disk(), all(&bench));
            let broken = Jj::open(&bench.root, &failing(&bench, &[step], when)).unwrap().unwrap();
            let failed = broken.synthesise(&plan).unwrap_err().to_string();
            // What would be taken back with the very command that fails every time cannot be.
            let is_inverse = match plan.commits.len() {
                1 => step == "describe",
                _ => matches!(step, "rebase" | "bookmark set"),
            };
            let is_left = when == Fails::Afterwards && is_inverse;
            if is_left {
                assert!(failed.ends_with("give the same command again: it goes on from there."), "{step}: {failed}");
            } else {
                assert_eq!(failed, "jj failed: disk full", "{step} {when:?}");
                assert_eq!(all(&bench), before, "{step} {when:?}");
            }
            assert_eq!(bench.disk(), disk, "{step} {when:?}");
            // The same again, with a jj that works. A single one has another hash now, and its old name.
            let again = if plan.commits.len() == 1 { bench.plan(&base, MESSAGE) } else { plan.clone() };
            let made = bench.history().synthesise(&again).unwrap().commit;
            assert_eq!((bench.id("@-"), bench.id("dev")), (made.id.clone(), made.id), "{step} {when:?}");
            assert_eq!(bench.message("description(substring:'in the making')"), "", "{step} {when:?}");
            assert_eq!(bench.disk(), disk, "{step} {when:?}");
        }
    }
}

#[test]
fn a_session_that_can_neither_be_made_nor_taken_back_is_half_done() {
    let (bench, base) = merged(Kind::Apart);
    let plan = bench.plan(&base, MESSAGE);
    let broken = Jj::open(&bench.root, &failing(&bench, &["rebase", "abandon"], Fails::AtOnce)).unwrap().unwrap();
    let error = broken.synthesise(&plan).unwrap_err();
    assert!(matches!(error, HistoryError::HalfDone { .. }), "{error}");
    assert_eq!(
        error.to_string(),
        "jj failed: disk full. What may be written of it could not be taken back (jj failed: disk full). Mend that and give the same command again: it goes on from there."
    );
    let made = bench.history().synthesise(&plan).unwrap().commit;
    assert_eq!((bench.id("@-"), bench.id("dev")), (made.id.clone(), made.id), "it goes on");
}

#[test]
fn what_is_left_of_a_plan_that_is_no_longer_true_goes() {
    let (bench, base) = merged(Kind::Apart);
    let plan = bench.plan(&base, MESSAGE);
    let broken = Jj::open(&bench.root, &failing(&bench, &["restore", "abandon"], Fails::AtOnce)).unwrap().unwrap();
    let error = broken.synthesise(&plan).unwrap_err();
    assert!(matches!(error, HistoryError::HalfDone { .. }), "{error}");
    let stray = "description(substring:'in the making')";
    assert_ne!(bench.message(stray), "");
    bench.jj(&["commit", "-m", "other work"]);
    let moved = bench.history().synthesise(&plan).unwrap_err();
    assert!(matches!(moved, HistoryError::Moved { .. }), "{moved}");
    assert_eq!(bench.message(stray), "");
}

#[test]
fn a_commit_that_was_made_before_the_command_failed_is_made() {
    let bench = Bench::new(Kind::Apart);
    bench.committed("f", "1\n", "base");
    bench.put("f", "2\n");
    bench.put("g", "3\n");
    let wanted = bench.wanted("intent: two", vec![text("f", "2\n")]);
    let broken = Jj::open(&bench.root, &failing(&bench, &["split"], Fails::AtOnce)).unwrap().unwrap();
    assert_eq!(broken.commit(&wanted).unwrap_err().to_string(), "jj failed: disk full");
    let broken = Jj::open(&bench.root, &failing(&bench, &["split"], Fails::Afterwards)).unwrap().unwrap();
    let made = broken.commit(&wanted).unwrap().commit;
    assert_eq!((bench.id("@-"), bench.changes("@")), (made.id, vec!["g=3\n".to_owned()]));
}

#[test]
fn a_session_that_is_taken_back_in_part_is_half_done_and_goes_on_from_there() {
    let (bench, base) = merged(Kind::Apart);
    let plan = bench.plan(&base, MESSAGE);
    let made = bench.history().synthesise(&plan).unwrap();
    let disk = bench.disk();
    let broken = Jj::open(&bench.root, &failing(&bench, &["abandon"], Fails::AtOnce)).unwrap().unwrap();
    let error = broken.take_back_synthesis(&plan, &made.commit.id, &made.before).unwrap_err();
    assert_eq!(error.code(), "half-done", "{error}");
    bench.history().take_back_synthesis(&plan, &made.commit.id, &made.before).unwrap();
    assert_eq!((bench.id("@-"), bench.disk()), (plan.tip.clone(), disk));
    assert_eq!(bench.message("description(substring:'session:')"), "");
}
