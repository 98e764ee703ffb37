//! The session's commit: what it is made of, what is kept, what is refused, and how it is taken back.

use augment_host::vcs::CommitError;
use augment_host::vcs::history::{History as _, HistoryError};
use rustix::time::{ClockId, clock_gettime};

use crate::bench::{Bench, change, file};

fn kept(bench: &Bench) -> Vec<String> {
    let refs = bench.git(&["for-each-ref", "--format=%(refname)", "refs/augment"]);
    refs.lines().map(str::to_owned).collect()
}

#[test]
fn one_intent_gets_the_sessions_message_and_keeps_its_tree_parents_and_author() {
    let mut bench = Bench::with(&["a=1\n"]);
    let base = bench.tip().unwrap();
    bench.set("GIT_AUTHOR_NAME", "First");
    bench.set("GIT_AUTHOR_DATE", "1771678633 +0100");
    let intent = bench.intent(1, &[file("a", "2\n")]).commit;
    bench.set("GIT_AUTHOR_NAME", "Second");
    bench.set("GIT_COMMITTER_DATE", "1771679999 +0000");
    let plan = bench.plan(Some(&base));
    let (index, status) = (bench.index(), bench.status());
    let made = bench.history().synthesise(&plan).unwrap();
    assert_eq!((bench.index(), bench.status()), (index, status));
    assert_eq!(made.before, intent.id);
    assert_eq!(made.commit.parents, [base]);
    assert_eq!(made.commit.message, format!("{}\n\nChange-Id: {}\n", plan.message, change(1_000)));
    let said = bench.git(&["log", "-1", "--format=%an %ad / %cn %cd", "--date=raw"]);
    assert_eq!(said, "First 1771678633 +0100 / Person 1771679999 +0000");
    assert_eq!(bench.git(&["rev-parse", "HEAD^{tree}"]), bench.git(&["rev-parse", &format!("{}^{{tree}}", intent.id)]));
    assert_eq!(bench.git(&["reflog", "-1", "--format=%gs", "main"]), "session: what was asked");
    let names = [format!("refs/augment/prompts/7/{}", change(1)), "refs/augment/prompts/7/tip".to_owned()];
    assert_eq!(kept(&bench), names);
    bench.judge();
}

#[test]
fn several_become_one_on_the_base_and_every_one_is_kept() {
    let bench = Bench::with(&["a=1\n", "b=1\n"]);
    let base = bench.tip().unwrap();
    let one = bench.intent(1, &[file("a", "2\n")]).commit;
    bench.git(&["commit", "-q", "--allow-empty", "-m", "by hand"]);
    let hand = bench.tip().unwrap();
    let two = bench.intent(2, &[file("b", "2\n")]).commit;
    let plan = bench.plan(Some(&base));
    assert_eq!(plan.commits, [one.id.clone(), hand.clone(), two.id.clone()]);
    let made = bench.history().synthesise(&plan).unwrap();
    assert_eq!(made.commit.parents, [base]);
    assert_eq!(bench.git(&["diff", "--name-only", &two.id, "HEAD"]), "");
    // Even when nothing else leads to them any more.
    bench.git(&["reflog", "expire", "--expire=now", "--all"]);
    bench.git(&["gc", "-q", "--prune=now"]);
    let history = bench.history();
    for known in [&one, &two] {
        assert_eq!(history.find(known.change.as_deref().unwrap()).unwrap().as_ref(), Some(known));
        assert_eq!(history.find(&known.id).unwrap().as_ref(), Some(known));
    }
    assert_eq!(history.find(&hand).unwrap().unwrap().id, hand);
    assert_eq!(history.find(&change(1_000)).unwrap(), Some(made.commit));
    bench.judge();
}

#[test]
fn a_session_from_the_very_beginning_has_no_parent() {
    let bench = Bench::unborn();
    bench.intent(1, &[file("a", "1\n")]);
    bench.intent(2, &[file("a", "2\n")]);
    let made = bench.history().synthesise(&bench.plan(None)).unwrap();
    assert!(made.commit.parents.is_empty());
    bench.judge();
}

#[test]
fn a_detached_head_is_led_on_and_branches_stay() {
    let bench = Bench::with(&["a=1\n"]);
    let base = bench.tip().unwrap();
    bench.git(&["checkout", "-q", "--detach"]);
    bench.intent(1, &[file("a", "1\n2\n")]);
    bench.intent(2, &[file("a", "1\n2\n3\n")]);
    let made = bench.history().synthesise(&bench.plan(Some(&base))).unwrap();
    assert_eq!(bench.git(&["rev-parse", "HEAD"]), made.commit.id);
    assert_eq!(bench.git(&["rev-parse", "main"]), base);
}

#[test]
fn parallel_branches_are_told_with_the_nearest_name_and_a_merge_takes_them_in() {
    let bench = Bench::with(&["a=1\n", "b=1\n"]);
    let base = bench.tip().unwrap();
    bench.git(&["branch", "elsewhere"]);
    bench.git(&["checkout", "-q", "-b", "side"]);
    bench.write("a", "side\n");
    let side = bench.intent(1, &[file("a", "side\n")]).commit;
    bench.git(&["checkout", "-q", "-b", "side-on"]);
    bench.write("a", "further\n");
    let further = bench.intent(2, &[file("a", "further\n")]).commit;
    bench.git(&["checkout", "-q", "main"]);
    bench.write("b", "main\n");
    let main = bench.intent(3, &[file("b", "main\n")]).commit;
    let since = bench.history().since(Some(&base)).unwrap();
    let mut told: Vec<_> = since.iter().map(|(commit, name)| (commit.id.as_str(), name.as_deref())).collect();
    let at = |id: &str| told.iter().position(|(known, _)| *known == id).unwrap();
    assert!(at(&side.id) < at(&further.id));
    told.sort_unstable();
    let mut expected =
        vec![(side.id.as_str(), Some("side")), (further.id.as_str(), Some("side-on")), (main.id.as_str(), None)];
    expected.sort_unstable();
    assert_eq!(told, expected);
    assert_eq!(bench.history().since(None).unwrap().len(), 2);
    bench.git(&["merge", "-q", "--no-edit", "side-on"]);
    let plan = bench.plan(Some(&base));
    assert_eq!(plan.commits.len(), 4);
    let made = bench.history().synthesise(&plan).unwrap();
    assert_eq!(made.commit.parents, [base]);
    assert_eq!(bench.git(&["show", "HEAD:a"]), "further");
    assert_eq!(bench.git(&["rev-parse", "side-on"]), further.id);
    assert_eq!(kept(&bench).len(), 5);
    bench.judge();
}

#[test]
fn given_again_it_is_found_and_after_a_kill_it_is_finished() {
    let bench = Bench::with(&["a=1\n"]);
    let base = bench.tip().unwrap();
    bench.intent(1, &[file("a", "2\n")]);
    bench.intent(2, &[file("a", "3\n")]);
    let plan = bench.plan(Some(&base));
    let history = bench.history();
    assert_eq!(history.find_synthesised(&plan).unwrap(), None);
    // As a kill leaves it after the first of the refs.
    bench.git(&["update-ref", &format!("refs/augment/prompts/7/{}", change(1)), &plan.commits[0]]);
    let made = history.synthesise(&plan).unwrap();
    assert_eq!(history.find_synthesised(&plan).unwrap(), Some(made.commit.clone()));
    let again = history.synthesise(&plan).unwrap();
    assert_eq!((again.commit, again.before), (made.commit.clone(), made.before.clone()));
    // As a kill leaves it before the branch is led on.
    bench.git(&["reset", "-q", "--soft", &plan.tip]);
    assert_eq!(history.find_synthesised(&plan).unwrap(), None);
    let finished = history.synthesise(&plan).unwrap();
    assert_eq!(finished.commit.parents, made.commit.parents);
    bench.judge();
}

#[test]
fn it_is_taken_back_and_made_again_from_other_commits() {
    let bench = Bench::with(&["a=1\n"]);
    let base = bench.tip().unwrap();
    bench.intent(1, &[file("a", "2\n")]);
    bench.intent(2, &[file("a", "3\n")]);
    let plan = bench.plan(Some(&base));
    let history = bench.history();
    let (index, status) = (bench.index(), bench.status());
    let made = history.synthesise(&plan).unwrap();
    history.take_back_synthesis(&plan, &made.commit.id, &made.before).unwrap();
    history.take_back_synthesis(&plan, &made.commit.id, &made.before).unwrap();
    assert_eq!((bench.tip().as_ref(), bench.index(), bench.status()), (Some(&plan.tip), index, status));
    assert_eq!(bench.git(&["reflog", "-1", "--format=%gs"]), "session: taken back");
    // The second intent anew, under the id that the old one has a ref for.
    bench.git(&["commit", "-q", "--amend", "--no-edit", "--date=2001-01-01T00:00:00"]);
    let second = bench.plan(Some(&base));
    assert_ne!(second.tip, plan.tip);
    let made = history.synthesise(&second).unwrap();
    for id in plan.commits.iter().chain(&second.commits) {
        let holding = bench.git(&["for-each-ref", "--points-at", id, "refs/augment"]);
        assert!(!holding.is_empty(), "{id} is not kept");
    }
    bench.git(&["commit", "-q", "--allow-empty", "-m", "above"]);
    let refused = history.take_back_synthesis(&second, &made.commit.id, &made.before);
    assert!(matches!(refused, Err(HistoryError::Moved { .. })), "{refused:?}");
}

#[test]
fn what_must_not_be_rewritten_is_refused_and_nothing_is_changed() {
    let bench = Bench::with(&["a=1\n"]);
    let base = bench.tip().unwrap();
    bench.intent(1, &[file("a", "2\n")]);
    bench.intent(2, &[file("a", "3\n")]);
    let plan = bench.plan(Some(&base));
    let history = bench.history();
    let state = || (bench.git(&["for-each-ref"]), bench.index());

    let mut other = plan.clone();
    other.commits.reverse();
    assert!(matches!(history.synthesise(&other), Err(HistoryError::Refused { .. })));
    let mut none = plan.clone();
    none.commits.clear();
    assert!(matches!(history.synthesise(&none), Err(HistoryError::Refused { .. })));

    bench.git(&["commit", "-q", "--allow-empty", "-m", "meanwhile"]);
    let before = state();
    assert!(matches!(history.synthesise(&plan), Err(HistoryError::Moved { .. })));
    assert_eq!(state(), before);
    bench.git(&["reset", "-q", "--soft", "HEAD~1"]);

    bench.write(".git/MERGE_HEAD", format!("{base}\n"));
    let refused = history.synthesise(&plan);
    assert!(matches!(refused, Err(HistoryError::Commit(CommitError::UnderWay { .. }))), "{refused:?}");
    std::fs::remove_file(bench.top().join(".git/MERGE_HEAD")).unwrap();
    history.synthesise(&plan).unwrap();
}

#[test]
fn what_remotes_have_is_told_with_the_branch_and_stays_there() {
    let bench = Bench::with(&["a=1\n"]);
    let base = bench.tip().unwrap();
    bench.git(&["update-ref", "refs/remotes/origin/main", &base]);
    bench.intent(1, &[file("a", "2\n")]);
    bench.intent(2, &[file("a", "3\n")]);
    let plan = bench.plan(Some(&base));
    let history = bench.history();
    assert!(history.shared(Some(&base), &plan.tip).unwrap().is_empty());
    bench.git(&["update-ref", "refs/remotes/origin/all", &plan.tip]);
    bench.git(&["update-ref", "refs/remotes/origin/wip", &plan.commits[0]]);
    let told = [(plan.commits[0].clone(), "origin/wip".to_owned()), (plan.tip.clone(), "origin/all".to_owned())];
    assert_eq!(history.shared(Some(&base), &plan.tip).unwrap(), told);
    let refused = history.take_back_commit(&plan.tip, &plan.commits[0], &[]);
    let Err(HistoryError::Pushed { commit, remote }) = &refused else { panic!("{refused:?}") };
    assert_eq!((commit, remote.as_str()), (&change(2), "origin/all"));
    let made = history.synthesise(&plan).unwrap();
    assert_eq!((made.commit.parents, bench.tip()), (vec![base], Some(made.commit.id)));
    assert_eq!(bench.git(&["rev-parse", "origin/all"]), plan.tip);
}

#[test]
fn hundreds_of_ids_are_looked_up_in_one_reading_of_the_history() {
    let bench = Bench::with(&["a=1\n"]);
    // Their first letters differ.
    let id = |number: u64| change(number).chars().rev().collect::<String>();
    let mut stream = String::new();
    for number in 0..5_000 {
        let message = format!("step {number}\n\nChange-Id: {}\n", id(100_000 + number));
        let from = if number == 0 { "from refs/heads/main^0\n" } else { "" };
        let person = format!("committer P <p@example.org> {} +0000\n", 1_700_000_000 + number);
        stream += &format!("commit refs/heads/main\n{person}data {}\n{message}{from}\n", message.len());
    }
    bench.write(".git/stream", stream);
    let script = std::process::Command::new("sh")
        .args(["-c", "git fast-import --quiet < .git/stream"])
        .current_dir(bench.top())
        .status()
        .unwrap();
    assert!(script.success());
    let history = bench.history();
    // Both in work done, not in time gone by: that is others' as well.
    let worked = || std::time::Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap();
    let begun = worked();
    let known = history.find(&id(102_000)[..12]).unwrap().unwrap();
    let once = worked() - begun;
    assert_eq!(known.change, Some(id(102_000)));
    let begun = worked();
    for number in 0..200 {
        assert_eq!(history.find(&id(200_000 + number)[..12]).unwrap(), None);
    }
    let all = worked() - begun;
    assert!(all < once * 20, "{all:?} for 200 unknown ids, {once:?} for one");
    // What comes since is found as well.
    bench.git(&["reset", "-q", "--hard"]);
    bench.write("a", "2\n");
    let made = bench.intent(1, &[file("a", "2\n")]).commit;
    assert_eq!(history.find(&change(1)[..20]).unwrap(), Some(made));
}
