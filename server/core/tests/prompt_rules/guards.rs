//! The judge of the five invariants: a session that is closed, then each invariant broken in turn, on git and on jj.

use augment_core::prompt::PromptState;
use augment_core::prompt::guard::{
    Closure, CommitFact, Facts, Freshness, Invariant, JjFact, Judged, Pushed, ResearchFact, Verdict, all_hold, closure,
    judge,
};
use augment_core::prompt::message::SessionMessage;

const STAMPED: &str = "Research/high/Login/591912050447_answer_login.md";

fn commit(hash: &str, message: &str, touched: &[&str]) -> CommitFact {
    let touched = touched.iter().map(|path| (*path).to_owned()).collect();
    CommitFact { hash: hash.to_owned(), change: None, message: message.to_owned(), touched, is_cut: false }
}

fn found(path: &str, session: Option<&str>) -> ResearchFact {
    ResearchFact { path: path.to_owned(), session: session.map(str::to_owned) }
}

fn session() -> String {
    let message = SessionMessage {
        summary: "Sign in by link".to_owned(),
        stamp: Some("♓︎.5.4.47 5919AM".to_owned()),
        prompt: "Do it".to_owned(),
        context: "So.".to_owned(),
        changes: vec!["a".to_owned(), "b".to_owned()],
        squashed: vec!["kkmmnnoo".to_owned(), "qrstuvwx".to_owned()],
        ..SessionMessage::default()
    };
    message.compose().expect("it is whole")
}

fn at(tip: &str, above: Vec<CommitFact>) -> Pushed {
    Pushed::At { tip: tip.to_owned(), has_head: true, above }
}

/// A session that is closed: its commit, the report on it, both pushed.
fn in_git() -> Facts {
    Facts {
        branch: "dev".to_owned(),
        has_branch: true,
        remote: "origin".to_owned(),
        lineage: vec![
            commit("2222222222222222", "intent: report on the login\n", &[STAMPED]),
            commit("1111111111111111", &session(), &["src/a"]),
        ],
        research: vec![found(STAMPED, Some("11111111"))],
        freshness: vec![Freshness {
            path: STAMPED.to_owned(),
            named: "0000000".to_owned(),
            actual: Some(vec!["zzzzzzzzzzzz".to_owned(), "0000000000000000".to_owned()]),
        }],
        pushed: at("2222222222222222", Vec::new()),
        jj: None,
        prompt: Some(PromptState::Finished),
    }
}

/// The same in jj, with a fresh child.
fn in_jj() -> Facts {
    let mut facts = in_git();
    for (commit, change) in facts.lineage.iter_mut().zip(["pppppppppppppppp", "qqqqqqqqqqqqqqqq"]) {
        commit.change = Some(change.to_owned());
    }
    facts.lineage.insert(0, commit("3333333333333333", "", &[]));
    facts.jj = Some(JjFact { bookmark: Some("2222222222222222".to_owned()), working: "3333333333333333".to_owned() });
    facts
}

/// Exactly one invariant is broken, and this is told about it.
fn check(facts: &Facts, number: u8, wrong: &str, mend: &str) {
    let judged = judge(facts);
    let broken: Vec<u8> =
        judged.iter().filter(|judged| judged.wrong().is_some()).map(|judged| judged.invariant.number()).collect();
    assert_eq!(broken, [number], "{wrong}");
    let told = &judged[usize::from(number) - 1];
    assert_eq!((told.wrong(), told.mend()), (Some(wrong), Some(mend)));
    assert!(!all_hold(&judged));
}

fn holds(facts: &Facts) {
    let judged = judge(facts);
    assert!(all_hold(&judged), "{judged:?}");
    assert!(judged.iter().all(|judged| judged.verdict == Verdict::Holds), "{judged:?}");
}

#[test]
fn j7_a_closed_session_holds() {
    holds(&in_git());
    holds(&in_jj());
    let names = Invariant::ALL.map(|invariant| (invariant.number(), invariant.name()));
    let expected =
        [(1, "session-commit"), (2, "research-artifact"), (3, "fresh-parent"), (4, "pushed-head"), (5, "next-child")];
    assert_eq!(names, expected);
}

#[test]
fn j7_the_next_prompt_may_be_under_way() {
    let mut facts = in_git();
    facts.lineage.insert(0, commit("4444444444444444", "intent: begin the next\n", &["src/b"]));
    holds(&facts);
    let mut facts = in_jj();
    facts.lineage.insert(1, commit("4444444444444444", "intent: begin the next\n", &["src/b"]));
    holds(&facts);
}

#[test]
fn j7_the_head_is_the_newest_report_directly_on_the_session() {
    let lineage = |messages: &[&str]| {
        messages.iter().zip(0..).map(|(message, number)| commit(&format!("{number}"), message, &[])).collect::<Vec<_>>()
    };
    for (messages, expected) in [
        (&["intent: report b", "intent: report a", "session: x"][..], Some((2, 0))),
        (&["intent: c", "intent: report a", "session: x", "session: y"], Some((2, 1))),
        (&["intent: report b", "intent: c", "session: x"], Some((2, 2))),
        (&["intent: report b", "fix"], None),
        (&[], None),
    ] {
        let found = closure(&lineage(messages)).map(|Closure { session, head }| (session, head));
        assert_eq!(found, expected, "{messages:?}");
    }
}

#[test]
fn j7_without_a_session_only_the_first_is_broken() {
    let mut facts = in_git();
    facts.lineage = vec![commit("2222222222222222", "fix the login", &[])];
    facts.research = Vec::new();
    facts.pushed = Pushed::NoRemote;
    facts.freshness[0].actual = Some(Vec::new());
    facts.prompt = Some(PromptState::Open);
    check(
        &facts,
        1,
        "No commit on dev begins with `session:`; of the 1 commit looked at none is one.",
        "Finish the prompt: `augment-cli prompt finish`.",
    );
    let judged = judge(&facts);
    let why = "There is no session's commit that it could be about.";
    assert!(judged[1..].iter().all(|judged| judged.verdict == Verdict::CannotBeJudged(why.to_owned())), "{judged:?}");
    assert!(judged[1..].iter().all(|judged| !judged.is_judged() && !judged.holds()), "{judged:?}");
    facts.lineage = Vec::new();
    assert_eq!(judge(&facts)[0].wrong(), Some("No commit on dev begins with `session:`; it has no commits."));
}

#[test]
fn j7_a_branch_that_is_not_there_is_told() {
    let mend = "Name the branch that sessions are on with --branch, or make one: `augment-cli prompt start`, and `augment-cli prompt finish` at its end.";
    let mut facts = in_git();
    (facts.has_branch, facts.prompt) = (false, None);
    facts.lineage = vec![commit("2222222222222222", "fix the login", &[])];
    check(&facts, 1, "There is no branch dev here, and none of the 1 commit at HEAD begins with `session:`.", mend);
    facts.jj = Some(JjFact { bookmark: None, working: "2222222222222222".to_owned() });
    facts.lineage.push(commit("1111111111111111", "base", &[]));
    check(&facts, 1, "There is no bookmark dev here, and none of the 2 commits at `@` begins with `session:`.", mend);
}

/// Nothing is broken, and nothing is closed: these cannot be judged.
fn unjudged(facts: &Facts, numbers: &[u8], why: &str) {
    let judged = judge(facts);
    assert!(judged.iter().all(|judged| judged.wrong().is_none()), "{judged:?}");
    let open: Vec<u8> =
        judged.iter().filter(|judged| !judged.is_judged()).map(|judged| judged.invariant.number()).collect();
    assert_eq!(open, numbers, "{judged:?}");
    assert!(judged.iter().filter_map(|judged| judged.why_not()).any(|told| told == why), "{judged:?}");
    assert!(!all_hold(&judged));
}

#[test]
fn j7_a_remote_at_a_commit_that_is_not_here_is_not_judged() {
    for (mut facts, fetch) in [(in_git(), "git fetch origin"), (in_jj(), "jj git fetch --remote origin")] {
        facts.pushed = Pushed::Unknown { tip: "9999999999999999".to_owned() };
        let why =
            format!("dev on origin is at \"999999999999\", which is not here. Fetch first (`{fetch}`), then repeat.");
        unjudged(&facts, &[4, 5], &why);
    }
}

#[test]
fn j7_what_a_shallow_clone_does_not_have_is_not_judged() {
    let why = "The clone is shallow, and what is below is not here. Fetch it (`git fetch --unshallow`), then repeat.";
    let mut facts = in_git();
    facts.lineage = vec![CommitFact { is_cut: true, ..commit("2222222222222222", "fix the login", &[]) }];
    unjudged(&facts, &[1, 2, 3, 4, 5], why);

    // The session's own commit is the last that is here: what it brought is not known.
    let mut facts = in_git();
    facts.lineage[1] = CommitFact { is_cut: true, touched: Vec::new(), ..facts.lineage[1].clone() };
    unjudged(&facts, &[3], why);
    facts.lineage[0].touched = Vec::new();
    facts.research = vec![found("Research/low/Login/notes.md", None)];
    unjudged(&facts, &[2, 3], why);

    let mut facts = in_git();
    facts.freshness[0].actual = None;
    unjudged(&facts, &[3], why);
}

#[test]
fn j7_a_session_that_is_not_whole_breaks_the_first() {
    let told = |open: &str| {
        format!(
            "Write what is missing into its message (`{open}`): `## Original Prompt`, `## Agent Context`, `## Logical Changes` with text under each, and `## Squashed Change IDs` with their ids where several commits were squashed."
        )
    };
    let lacking = session().replace("## Agent Context\nSo.\n\n", "");
    let mut facts = in_git();
    facts.lineage[1].message.clone_from(&lacking);
    let wrong = "The session's commit 111111111111 is not whole: `## Agent Context` is missing or empty.";
    check(&facts, 1, wrong, &told("git rebase -i 111111111111^"));
    facts.lineage.remove(0);
    check(&facts, 1, wrong, &told("git commit --amend"));

    let mut facts = in_jj();
    facts.lineage[2].message = session().replace("- kkmmnnoo\n- qrstuvwx\n", "");
    let wrong = "The session's commit qqqqqqqqqqqq is not whole: `## Squashed Change IDs` is missing or empty.";
    check(&facts, 1, wrong, &told("jj describe qqqqqqqqqqqq"));
}

#[test]
fn j7_a_session_without_an_artifact_breaks_the_second() {
    let mend = "Write the report: `augment-cli prompt report`.";
    let wrong = "Neither the session's commit 111111111111 nor a report on it brought a file in Research/<tier>/<Subject>/, and none of this session there begins with 591912050447.";
    let mut facts = in_git();
    // It was brought, and is no longer there.
    facts.research = Vec::new();
    check(&facts, 2, wrong, mend);
    // What others brought, and what is no finding, does not count.
    let no_findings =
        ["Research/high/Login/Counterpart.md", "Research/591912050447_answer_login.md"].map(str::to_owned);
    facts.lineage[0].touched = no_findings.to_vec();
    facts.research = no_findings.iter().map(|path| found(path, None)).collect();
    facts.research.push(found("Research/high/Login/591912050448_answer_login.md", None));
    check(&facts, 2, wrong, mend);
    facts.lineage[1].message = facts.lineage[1].message.replace("♓︎.5.4.47 5919AM\n", "");
    let (without_stamp, _) = wrong.split_once(", and none").expect("two parts");
    check(&facts, 2, &format!("{without_stamp}."), mend);
    let by_hand = "Its prompt is not under way here, so write it by hand: Research/high/<Subject>/<stamp>_answer_<title>.md, committed directly on 111111111111 (`git commit -m \"intent: report <stamp>\"`), then push it.";
    for prompt in [None, Some(PromptState::Closed)] {
        facts.prompt = prompt;
        check(&facts, 2, &format!("{without_stamp}."), by_hand);
    }
}

#[test]
fn j7_an_artifact_of_another_session_with_the_same_stamp_is_that_ones() {
    let mut facts = in_git();
    facts.lineage.remove(0);
    facts.pushed = at("1111111111111111", Vec::new());
    for (session, holds) in [
        (None, true),
        (Some("111111111111"), true),
        (Some("kkmmnnoo"), true),
        (Some("222222222222"), false),
        (Some("1"), false),
    ] {
        facts.research = vec![found(STAMPED, session)];
        assert_eq!(judge(&facts)[1].holds(), holds, "{session:?}");
    }
    facts.lineage[0].change = Some("qqqqqqqqqqqqqqqq".to_owned());
    facts.research = vec![found(STAMPED, Some("qqqqqqqqqqqq"))];
    holds(&facts);
    // What the session's own commit brought is its own, whatever it says.
    facts.research = vec![found(STAMPED, Some("222222222222"))];
    facts.lineage[0].touched.push(STAMPED.to_owned());
    facts.freshness = Vec::new();
    holds(&facts);
}

#[test]
fn j7_only_what_the_session_brought_is_asked_for_its_parent() {
    let mut facts = in_git();
    facts.freshness[0].named = "yyyyyyyy".to_owned();
    assert!(!judge(&facts)[2].holds());
    // It bears the stamp, and was brought by the next prompt or by nobody.
    facts.lineage[0].touched = Vec::new();
    facts.lineage.insert(0, commit("4444444444444444", "intent: begin the next\n", &[STAMPED]));
    holds(&facts);
    // That the next prompt brought something is no finding of this one.
    facts.research = vec![found("Research/low/Login/notes.md", None)];
    facts.lineage[0].touched = vec!["Research/low/Login/notes.md".to_owned()];
    assert!(!judge(&facts)[1].holds());
}

#[test]
fn j7_an_artifact_counts_by_its_name_or_by_its_commit() {
    let mut facts = in_git();
    facts.lineage[0].touched = Vec::new();
    holds(&facts);
    facts.research = vec![found("Research/low/Login/notes.md", None)];
    facts.lineage[1].touched.push("Research/low/Login/notes.md".to_owned());
    holds(&facts);
}

#[test]
fn j7_an_artifact_made_on_another_parent_breaks_the_third() {
    let mend = "Look whether it still holds on the new parent. Write the report: `augment-cli prompt report`.";
    let mut facts = in_git();
    facts.freshness[0].named = "yyyyyyyy".to_owned();
    let wrong = format!("{STAMPED} was made on the parent change \"yyyyyyyy\", and its parent is \"zzzzzzzzzzzz\".");
    check(&facts, 3, &wrong, mend);
    facts.freshness.push(facts.freshness[0].clone());
    check(&facts, 3, &format!("{wrong} 1 more file names another parent, too."), mend);
    facts.freshness.push(facts.freshness[0].clone());
    check(&facts, 3, &format!("{wrong} 2 more files name another parent, too."), mend);
    facts.freshness.truncate(1);
    facts.freshness[0].actual = Some(Vec::new());
    let wrong = format!("{STAMPED} was made on the parent change \"yyyyyyyy\", and it has no parent.");
    check(&facts, 3, &wrong, mend);
    for (named, is_fresh) in
        [("zzzzzzzzzzzz", true), ("zzzzzzzzzzzzzzzz", true), ("zzzz", true), ("zzz", false), ("", false)]
    {
        facts.freshness[0].named = named.to_owned();
        facts.freshness[0].actual = Some(vec!["zzzzzzzzzzzz".to_owned()]);
        assert_eq!(judge(&facts)[2].holds(), is_fresh, "{named}");
    }
    facts.freshness = Vec::new();
    holds(&facts);
}

#[test]
fn j7_a_head_that_is_not_pushed_breaks_the_fourth() {
    let git = "git push origin 222222222222:refs/heads/dev";
    let jj = "jj bookmark set dev -r pppppppppppp && jj git push --remote origin --bookmark dev";
    let behind = Pushed::At { tip: "1111111111111111".to_owned(), has_head: false, above: Vec::new() };
    for (pushed, wrong, mend) in [
        (
            Pushed::NoRemote,
            "There is no remote origin that HEAD could be pushed to.",
            "Add it (`GITgit remote add origin <url>`), then push: `PUSH`.",
        ),
        (Pushed::NoBranch, "origin has no branch dev, so HEAD is not pushed.", "Push it: `PUSH`."),
        (
            behind,
            "dev on origin is at \"111111111111\", which does not hold HEAD.",
            "Push it: `PUSH`. If that is refused because the remote has moved, fetch and rebase first.",
        ),
    ] {
        for (mut facts, head, push, program) in
            [(in_git(), "222222222222", git, ""), (in_jj(), "pppppppppppp", jj, "jj ")]
        {
            facts.pushed = pushed.clone();
            let wrong = wrong.replace("HEAD", head);
            let ours = "augment-cli prompt push --remote origin --to dev";
            for (prompt, push) in [(None, push), (Some(PromptState::Closed), push), (Some(PromptState::Finished), ours)]
            {
                facts.prompt = prompt;
                check(&facts, 4, &wrong, &mend.replace("PUSH", push).replace("GIT", program));
            }
        }
    }
}

#[test]
fn j7_what_is_pushed_in_the_place_of_the_head_breaks_the_fifth() {
    let mend = "Finish the prompt that they belong to, and push its session: `augment-cli prompt finish`.";
    let next = commit("5555555555555555", "intent: the next\n\nmore", &[]);
    let later = commit("6666666666666666", "session: later", &[]);
    let report = commit("7777777777777777", "intent: report later", &[]);
    let mut facts = in_git();
    facts.pushed = at("5555555555555555", vec![next.clone()]);
    check(
        &facts,
        5,
        "dev on origin has 1 commit above the last finalised one, 555555555555 \"intent: the next\" the newest: no session closes them.",
        mend,
    );
    facts.pushed = at("5555555555555555", vec![next.clone(), report.clone(), later.clone(), next.clone()]);
    assert_eq!(judge(&facts)[4].wrong().map(|wrong| wrong.contains("has 1 commit above")), Some(true));
    facts.pushed = at("5555555555555555", vec![next.clone(), next.clone()]);
    assert_eq!(judge(&facts)[4].wrong().map(|wrong| wrong.contains("has 2 commits above")), Some(true));
    // A later session that somebody else pushed closes what is below it.
    facts.pushed = at("7777777777777777", vec![report, later, next]);
    holds(&facts);
}

#[test]
fn j7_a_bookmark_or_a_working_commit_in_the_wrong_place_breaks_the_fifth() {
    let place = |bookmark: Option<&str>, working: &str| {
        let mut facts = in_jj();
        facts.jj = Some(JjFact { bookmark: bookmark.map(str::to_owned), working: working.to_owned() });
        facts
    };
    let (session, head, child) = ("1111111111111111", "2222222222222222", "3333333333333333");
    for working in [session, head] {
        check(
            &place(Some(head), working),
            5,
            "The working commit is the finalised pppppppppppp itself, so the next edit would change it.",
            "Make a fresh child: `jj new dev`.",
        );
    }
    check(
        &place(Some(child), child),
        5,
        "The bookmark dev is at \"333333333333\", and not at the finalised pppppppppppp.",
        "Bring it there: `jj bookmark set dev -r pppppppppppp --allow-backwards`.",
    );
    check(
        &place(None, child),
        5,
        "There is no bookmark dev at the finalised pppppppppppp.",
        "Make it: `jj bookmark create dev -r pppppppppppp`.",
    );
    // One push mends both.
    let mut facts = place(Some(session), child);
    facts.prompt = Some(PromptState::Finished);
    facts.pushed = Pushed::NoBranch;
    let judged = judge(&facts);
    let mends: Vec<_> = judged.iter().filter_map(Judged::mend).collect();
    let push = "Push it: `augment-cli prompt push --remote origin --to dev`.";
    assert_eq!(mends, [push, push]);
}
