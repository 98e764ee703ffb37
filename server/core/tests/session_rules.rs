//! The rules of sessions, one requirement at a time, as scripts. The language is in `session_rules/script.rs`; what the scan
//! stops, the table of states and the random sessions are in rooms of their own.

#[path = "session_rules/findings.rs"]
mod findings;
#[path = "session_rules/model.rs"]
mod model;
#[path = "session_rules/script.rs"]
mod script;
#[path = "session_rules/table.rs"]
mod table;
#[path = "session_rules/words.rs"]
mod words;

use std::sync::Arc;

use augment_core::session::{Level, item_standing};
use augment_core::simulation::Backend as _;
use augment_core::view::View as _;
use script::Desk;

/// In a project with a plan of four tasks, one of them complete, whose last session was 009.
fn play(script: &str) -> Desk {
    let mut desk = Desk::planned();
    desk.play(script);
    desk
}

/// In a project without any document.
fn play_bare(script: &str) -> Desk {
    let mut desk = Desk::bare();
    desk.play(script);
    desk
}

fn has(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part:?} is not in\n{text}");
    }
}

/// What was told last at a level, as text and as data.
fn told(desk: &Desk, level: Level) -> (String, String) {
    let told = desk.told().iter().rfind(|told| told.level == level).expect("it was told");
    (told.text.clone(), told.data.canonical())
}

#[test]
fn s1_the_start_tells_what_was_read_and_what_is_missing_and_counts_on() {
    let desk = play(
        "start claude-sonnet-4-6 -> planned; start
         records                 -> session.started, session.reported
         session -> 010 planned: Check passwords, Keep sessions, Write the guide in anywhere
         start   -> refused session-under-way",
    );
    let (text, data) = told(&desk, Level::Start);
    has(&text, &["PROJECT_PLAN.md", "CHANGELOG.md", "ARCHITECTURE.md", "claude-sonnet-4-6", "010"]);
    has(&data, &[r#""missing":["ARCHITECTURE.md"]"#, r#""session":10"#, r#""continues":9"#]);
    let session = desk.newest().expect("a session");
    assert_eq!((session.protocol.as_str(), session.automatic.as_deref()), ("session-protocol/1", None));
    // Without a changelog it is the first.
    play_bare("start -> planned; start\n session -> 001 planned:  in anywhere");
}

#[test]
fn s1_a_model_that_is_less_than_the_plan_asks_for_is_told_before_work_begins() {
    for (model, warns) in [("claude-haiku-4-5", true), ("claude-sonnet-4-6", true), ("claude-opus-4-5", false)] {
        let mut desk = Desk::planned();
        let governance = Arc::make_mut(&mut desk.memory.governed_mut().governance);
        governance.plan.as_mut().expect("a plan").model = Some("opus".to_owned());
        desk.play(&format!("start {model}"));
        let (text, data) = told(&desk, Level::Start);
        assert_eq!(text.contains("asks for opus"), warns, "{model}: {text}");
        assert_eq!(data.contains(r#""modelWarning":null"#), !warns, "{model}: {data}");
    }
    // Also where a task of the scope alone asks for it, and where nobody says which model is at work.
    let mut desk = Desk::planned();
    let governance = Arc::make_mut(&mut desk.memory.governed_mut().governance);
    governance.plan.as_mut().expect("a plan").tasks[1].model = Some("opus".to_owned());
    desk.play("start");
    has(&told(&desk, Level::Start).0, &["asks for opus"]);
}

#[test]
fn s2_the_start_tells_the_sprint_the_last_session_and_up_to_three_tasks() {
    let desk = play("start");
    let (text, data) = told(&desk, Level::Start);
    has(&text, &["Foundation", "Sign people in", "1/4", "25%", "Draw the form"]);
    has(&text, &["Check passwords", "2h", "Keep sessions", "3h", "Write the guide", "1h"]);
    has(
        &data,
        &[
            r#""progress":{"done":1,"percent":25,"total":4}"#,
            r#""completed":["Draw the form"]"#,
            r#""carriedOver":["Check passwords"]"#,
            r#"{"estimate":"2h","goal":"Sign people in","title":"Check passwords"}"#,
        ],
    );
    assert!(!text.contains("Invite friends"), "what is for a later phase is not proposed: {text}");
}

#[test]
fn s3_no_task_is_taken_or_started_before_the_scope_is_confirmed() {
    play(
        "task Keep sessions
         start
         claim a1   -> refused scope-not-confirmed
         next       -> refused scope-not-confirmed
         agent a1   -> refused scope-not-confirmed
         agent next -> refused scope-not-confirmed
         confirm
         agent a1   -> working; a1.1",
    );
}

/// A run that was at work before there was a session.
const AT_WORK: &str = "ungoverned\n task Other\n claim a1\n start\n";

#[test]
fn s3_whoever_asks_to_write_is_refused_with_a_run_and_without() {
    play("start\n hook goose src/a -> planned; denied");
    play(&format!("{AT_WORK} hook goose src/a -> planned; denied"));
    play(&format!("{AT_WORK} a1 wishes src/a -> planned; tells reject_once\n flags -> none"));
    play(&format!("{AT_WORK} a1 wishes src/a freely -> planned; tells reject_once"));
    play("start\n confirm\n hook goose src/a -> working; its own business");
    // Nobody knows what a shell writes.
    play("start\n hook goose shell -> planned; denied\n hook goose reads -> planned; its own business");
    play("start\n confirm\n hook goose shell -> confirmed; its own business");
}

#[test]
fn s3_what_passed_before_the_yes_does_not_widen_it() {
    play(&format!(
        "{AT_WORK}
         a1 writes docs/a: one
         flag f1 allow-once
         confirm Other in src/**
         a1 writes docs/a: two
         flags -> f1 unauthorised docs/a by a1: allow-once; f2 out-of-scope docs/a by a1: waits"
    ));
}

#[test]
fn s8_an_agent_that_nobody_started_is_held_to_the_paths_as_well() {
    play(
        "start
         confirm in src/**
         hook goose src/a  -> working; its own business
         hook goose docs/a -> working; denied",
    );
}

#[test]
fn s10_work_of_an_agent_that_nobody_started_is_a_record_and_so_is_what_the_person_says() {
    let desk =
        play("start\n confirm\n hook goose src/a -> working; its own business\n end -> ending; writes documents");
    assert_eq!(desk.newest().expect("a session").agents, ["goose"]);
    play("start\n confirm\n decides Times are UTC -> ending; writes documents");
    play("start\n confirm\n end The plan is better -> ending; writes documents");
    play("start\n confirm\n end -> abandoned");
}

#[test]
fn s10_a_record_that_gets_another_number_is_told_under_that() {
    let desk = play(
        "start
         confirm
         claim a1
         finish a1 completed
         end
         announced as 12 -> ending
         records -> session.document, session.renumbered
         announced as 12 -> ending
         records -> session.document
         written -> ended; comprehensive
         session -> 012 ended: Check passwords a1 completed, Keep sessions a2, Write the guide a3 in anywhere",
    );
    has(&told(&desk, Level::Comprehensive).0, &["Session 012 summary", "Tasks completed: 1/3"]);
}

#[test]
fn s4_a_plan_that_an_agent_made_unreadable_does_not_free_it_from_having_a_goal() {
    let mut desk = Desk::planned();
    desk.play("base PROJECT_PLAN.md: the plan\n task Keep sessions\n task Other\n claim a1\n a1 writes PROJECT_PLAN.md: nothing");
    let governance = Arc::make_mut(&mut desk.memory.governed_mut().governance);
    governance.plan = None;
    desk.play("claim a2 -> refused plan-undecided\n ada approves PROJECT_PLAN.md\n claim a2 -> working; a2.1");
}

#[test]
fn s8_extending_settles_what_it_covers_and_what_is_taken_back_waits_for_nobody() {
    play(
        "start
         confirm in src/**
         claim a1
         a1 writes docs/a: one
         a1 writes docs/b: one
         a1 writes other: one
         to answer -> f1, f2, f3
         flag f1 extend docs/**
         to answer -> f3
         ada approves all -> working; 2 decided; not other
         ada rejects other
         to answer -> nothing
         undo
         to answer -> f3
         ada approves all -> refused outside-scope
         ada approves all as listed -> refused outside-scope",
    );
}

#[test]
fn s5_the_running_list_of_a_long_session_names_the_newest() {
    let mut desk = Desk::planned();
    desk.play("checkpoint after 9999\n start\n confirm One");
    for number in 1..=60 {
        if number > 1 {
            desk.play(&format!("adjust add Task {number}"));
        }
        desk.play(&format!(
            "claim {number}\n finish {} completed",
            augment_core::id::TaskId::new(number).expect("a task")
        ));
    }
    let (text, data) = told(&desk, Level::Light);
    has(&text, &["60/60 done: 40 before, Task 41, ", ", Task 60."]);
    assert!(!data.contains("Task 40\""), "{data}");
    desk.play("end\n written");
    let (text, _) = told(&desk, Level::Comprehensive);
    has(&text, &["Tasks completed: 60/60", "Reports of 10 more tasks: `augment-cli session report --all`."]);
}

#[test]
fn s3_what_is_written_all_the_same_is_held_flagged_and_never_approved_by_the_way() {
    let unauthorised = format!(
        "policy approve **
         {AT_WORK}
         a1 writes src/a: one -> planned
         records -> file.changed, scope.left
         flags   -> f1 unauthorised src/a by a1: waits
         pending -> src/a by a1\n"
    );
    play(&unauthorised);
    // Each file is flagged once, and the same policy approves what is written after the yes.
    play(&format!(
        "{unauthorised}
         a1 writes src/a: one / two
         flags   -> f1 unauthorised src/a by a1: waits
         confirm Other
         a1 writes src/b: one
         pending -> src/a by a1"
    ));
    play(&format!("{unauthorised} finish a1 completed\n wait 10s\n commit src/a\n pending -> src/a by a1"));
    play(&format!("{unauthorised} ada approves all -> refused outside-scope\n pending -> src/a by a1"));
    play(&format!("{unauthorised} ada approves src/a -> planned; 1 decided\n pending -> nothing"));
    // Without a session the policy decides, and a person and version control are never flagged.
    play("policy approve **\n ungoverned\n task Other\n claim a1\n a1 writes src/a: one\n pending -> nothing");
    play("start\n ada saves src/a: one\n src/b vcs: one\n flags -> none\n pending -> nothing");
}

#[test]
fn s3_what_is_unauthorised_is_rolled_back_where_the_policy_says_so_but_nothing_of_an_unknown_author() {
    play(&format!(
        "rolls back
         base src/a: zero
         {AT_WORK}
         a1 writes src/a: zero / one
         flags      -> f1 unauthorised src/a by a1: rolled-back
         read src/a -> zero
         pending    -> nothing
         a1 writes src/a: two
         flags      -> f1 unauthorised src/a by a1: rolled-back; f2 unauthorised src/a by a1: rolled-back
         read src/a -> zero"
    ));
    play(
        "rolls back
         start
         src/a: one
         flags      -> f1 unauthorised src/a by unknown: waits
         pending    -> src/a by unknown
         read src/a -> one",
    );
    // What is entangled with a person's lines is not taken out unasked; it waits like any other.
    play(&format!(
        "{AT_WORK}
         a1 writes src/a: one / two
         ada saves src/a: one / mine / two
         rolls back
         a1 writes src/a: one / mine / two / three
         read src/a -> one / mine / two / three
         flags      -> f1 unauthorised src/a by a1: waits"
    ));
    // Once the scope is confirmed, nothing is rolled back: what lies outside of it is asked about.
    play(
        "rolls back
         start
         confirm in src/**
         claim a1
         a1 writes docs/a: one
         read docs/a -> one
         flags       -> f1 out-of-scope docs/a by a1: waits",
    );
}

#[test]
fn s3_the_yes_makes_tasks_of_what_the_plan_holds_and_only_once() {
    play(
        "start
         tasks   ->
         confirm -> confirmed
         records -> session.confirmed, task.added, task.added, task.added
         tasks   -> a1 Check passwords pending, a2 Keep sessions pending, a3 Write the guide pending
         session -> 010 confirmed: Check passwords a1, Keep sessions a2, Write the guide a3 in anywhere
         confirm -> refused already-confirmed",
    );
    play(
        "task Keep sessions
         start
         confirm
         tasks -> a1 Keep sessions pending, a2 Check passwords pending, a3 Write the guide pending",
    );
    // A task of that title that has ended is no task to work on.
    play(
        "ungoverned
         task Keep sessions
         cancel a1
         start
         confirm Keep sessions
         tasks -> a1 Keep sessions cancelled, a2 Keep sessions pending",
    );
    // What is named twice is one thing.
    play(
        "task Other
         start
         confirm a1; Other; keep sessions; Keep sessions
         tasks -> a1 Other pending, a2 Keep sessions pending",
    );
}

#[test]
fn s3_an_empty_scope_and_a_path_that_is_none_are_refused() {
    play(
        "start\n confirm nothing -> refused empty-scope\n session -> 010 planned: Check passwords, Keep sessions, Write the guide in anywhere",
    );
    play_bare("start\n confirm -> refused empty-scope\n confirm One -> confirmed");
    play(
        "start\n confirm in ../elsewhere -> refused bad-path\n confirm in src/../../** -> refused bad-path\n tasks ->",
    );
    play("start\n confirm a7 -> refused unknown-task");
    play("task Other\n cancel a1\n start\n confirm a1 -> refused wrong-status");
    play("confirm -> refused no-session\n adjust add One -> refused no-session\n continue -> refused no-session");
}

#[test]
fn s3_what_ended_before_the_yes_stays_in_the_sessions_record() {
    play(&format!(
        "{AT_WORK}
         finish a1 completed   -> planned; light a1
         confirm Keep sessions
         session -> 010 confirmed: Other a1 completed, Keep sessions a2 in anywhere
         end     -> ending; writes documents"
    ));
}

#[test]
fn s4_what_is_outside_the_confirmed_scope_is_refused_until_the_person_decides() {
    play(
        "task Other
         start
         confirm Check passwords
         claim a1   -> refused not-in-scope
         agent a1   -> refused not-in-scope
         next       -> working; a2.1
         next       -> working; nothing ready
         adjust add a1 -> working
         records    -> session.adjusted
         next       -> working; a1.1",
    );
    let desk = play(
        "task Other
         start
         confirm Check passwords
         adjust log a1 -> confirmed
         claim a1      -> refused not-in-scope
         tasks         -> a1 Other pending, a2 Check passwords pending",
    );
    assert_eq!(desk.newest().expect("a session").discovered, ["Other"]);
}

#[test]
fn s4_work_that_nobody_started_a_session_for_serves_a_goal_of_the_plan_or_is_asked_about() {
    play(
        "task Other
         claim a1 -> refused no-goal
         next     -> refused no-goal
         agent a1 -> refused no-goal
         session  -> none",
    );
    for (task, why) in [
        ("task Keep sessions", "its title is in the plan"),
        ("task keep  SESSIONS", "whatever its case"),
        ("task Other for Sign people in", "its goal is the sprint's"),
        ("task Other for Foundation", "its goal is a phase"),
        ("task Other for People can sign in", "its goal is a phase's"),
        ("task Other for Write the guide", "its goal is a task's"),
    ] {
        let mut desk = Desk::planned();
        desk.play(task);
        assert_eq!(desk.obey("claim a1"), "working; a1.1; start", "{why}");
        assert!(desk.newest().is_some_and(|session| session.automatic.is_some()), "{why}");
    }
    play("task Other for Nothing at all\n claim a1 -> refused no-goal");
    play_bare("task Other\n claim a1 -> working; a1.1; start");
    // In a session that began by itself the next task is judged in the same way.
    play(
        "task Keep sessions
         claim a1
         task Other
         claim a2 -> refused no-goal
         adjust add a2
         claim a2 -> working; a2.1",
    );
}

#[test]
fn s4_a_scope_is_adjusted_by_adding_removing_and_logging() {
    let desk = play(
        "start
         adjust remove Keep sessions; add Sweep; log Write the guide
         session -> 010 planned: Check passwords, Sweep in anywhere
         tasks   ->
         confirm
         adjust add Invite friends
         session -> 010 confirmed: Check passwords a1, Sweep a2, Invite friends a3 in anywhere
         adjust remove Nothing such -> refused unknown-task
         adjust          -> refused scope-unchanged
         adjust remove a2
         adjust remove a2 -> refused not-in-this-scope
         claim a1
         adjust remove a1 -> refused held
         finish a1 completed
         adjust remove a1 -> refused item-is-done
         tasks   -> a1 Check passwords completed, a2 Sweep pending, a3 Invite friends pending",
    );
    assert_eq!(desk.newest().expect("a session").discovered, ["Write the guide"]);
}

#[test]
fn s4_paths_are_added_or_replaced() {
    play(
        "start
         confirm in src/**
         adjust path docs/**
         session -> 010 confirmed: Check passwords a1, Keep sessions a2, Write the guide a3 in src/** docs/**
         adjust path docs/** -> refused scope-unchanged
         adjust only lib/**; path docs/**
         session -> 010 confirmed: Check passwords a1, Keep sessions a2, Write the guide a3 in lib/** docs/**
         adjust path ../up -> refused bad-path",
    );
}

#[test]
fn s5_every_ending_of_a_task_is_told_at_once() {
    let begun = "checkpoint after 99\n start\n confirm\n adjust add One; add Two\n";
    for how in ["completed", "partial", "blocked", "failed"] {
        play(&format!("{begun} claim a1\n finish a1 {how} -> working; light a1"));
    }
    play(&format!("{begun} claim a1\n cancel a1 -> working; light a1"));
    play(&format!("{begun} agent a1\n cancel a1 -> working; light a1\n gone a1 -> working"));
    // Put aside by a person who stopped its agent; told once the agent is gone.
    play(&format!(
        "{begun} agent a1\n stop a1 -> working\n gone a1 -> working; light a1\n tasks -> a1 Check passwords blocked, a2 Keep sessions pending, a3 Write the guide pending, a4 One pending, a5 Two pending"
    ));
    // A lease that ran out ends a task only where no attempt is left.
    play("task Keep sessions\n claim a1\n wait 11m -> working; light a1\n tasks -> a1 Keep sessions failed");
    play(&format!("{begun} claim a1\n wait 11m -> working\n claim a1 -> working; a1.2"));
    // Also what was never begun, if it was agreed to; what is the queue's own business is not told.
    play(&format!("{begun} cancel a1 -> confirmed; light a1\n task Other\n cancel a6 -> confirmed"));
    // A task that is retried ends twice, and is told twice.
    play(&format!(
        "{begun}
         claim a1
         finish a1 failed    -> working; light a1
         retry a1
         session             -> 010 working: Check passwords a1, Keep sessions a2, Write the guide a3, One a4, Two a5 in anywhere
         claim a1
         finish a1 completed -> working; light a1"
    ));
}

#[test]
fn s5_just_continue_suppresses_nothing() {
    play(
        "start
         confirm
         adjust add One
         claim a1
         finish a1 completed -> working; light a1
         claim a2
         finish a2 completed -> working; light a2
         claim a3
         finish a3 completed -> checkpoint; light a3; heavy; medium
         continue
         claim a4
         finish a4 completed -> working; light a4",
    );
}

#[test]
fn s5_a_report_tells_what_changed_what_it_did_for_the_goal_and_what_comes_next() {
    let desk = play(
        "start
         confirm Check passwords; Keep sessions; Sweep
         base src/a: zero
         claim a1
         a1 writes src/a: one
         a1 writes src/b: one
         finish a1 completed
         claim a3
         finish a3 partial",
    );
    let data: Vec<String> =
        desk.told().iter().filter(|told| told.level == Level::Light).map(|told| told.data.canonical()).collect();
    let of_plan = |done: u32, percent: u32| format!(r#"{{"done":{done},"percent":{percent},"total":4}}"#);
    let impact = |was: &str, now: &str| {
        format!(
            r#"{{"now":{now},"phase":"Phase 1 — Foundation","remaining":["Keep sessions","Write the guide"],"sprintGoal":"Sign people in","was":{was}}}"#
        )
    };
    let (one, two) = (of_plan(1, 25), of_plan(2, 50));
    let first = format!(
        r#"{{"changed":["Changed src/a","Created src/b","2 hunks wait for review"],"end":"completed","impact":{},"next":{{"estimate":"3h","title":"Keep sessions"}},"scope":{{"done":1,"percent":33,"total":3}},"soFar":["Check passwords"],"task":"Check passwords"}}"#,
        impact(&one, &two)
    );
    let second = format!(
        r#"{{"changed":["No file was changed"],"end":"partial","impact":{},"next":{{"estimate":"3h","title":"Keep sessions"}},"scope":{{"done":1,"percent":33,"total":3}},"soFar":["Check passwords"],"task":"Sweep"}}"#,
        impact(&two, &two)
    );
    assert_eq!(data, [first, second]);
    has(
        &told(&desk, Level::Light).0,
        &["Task partial: Sweep", "50% (was 50%)", "Next: Keep sessions", "This session: 1/3 done"],
    );
}

#[test]
fn s6_after_three_tasks_in_a_row_the_session_waits_for_an_answer() {
    let waiting = "start
                   confirm
                   adjust add One; add Two
                   claim a1
                   finish a1 completed -> working; light a1
                   claim a2
                   finish a2 failed    -> working; light a2
                   claim a4
                   claim a5
                   finish a4 partial   -> checkpoint; light a4; medium
                   next     -> refused checkpoint-waits
                   claim a3 -> refused checkpoint-waits
                   agent a3 -> refused checkpoint-waits\n";
    let desk = play(waiting);
    let data = told(&desk, Level::Medium).1;
    has(
        &data,
        &[
            r#""inProgress":["Two"]"#,
            r#""remaining":["Write the guide"]"#,
            r#""next":{"estimate":"1h","title":"Write the guide"}"#,
        ],
    );
    play(&format!(
        "{waiting}
         continue -> working
         records  -> session.continued
         continue -> refused no-checkpoint
         claim a3
         finish a3 completed -> working; light a3
         finish a5 completed -> working; light a5"
    ));
    play(&format!("{waiting} adjust add Three -> working\n claim a3\n finish a3 completed -> working; light a3"));
    // What was at work already may end; that is told, and the question stays one.
    play(&format!("{waiting} finish a5 completed -> checkpoint; light a5\n next -> refused checkpoint-waits"));
}

#[test]
fn an_order_that_names_a_session_is_for_that_one_alone() {
    // What was shown is over, and another one has begun.
    let two = "start\n of s1 confirm\n of s1 end\n start\n";
    play(&format!("{two} of s2 confirm -> confirmed"));
    for order in ["confirm", "adjust add Three", "continue", "continue 1", "end"] {
        let mut desk = play(two);
        let before = desk.newest().cloned();
        assert_eq!(desk.obey(&format!("of s1 {order}")), "refused other-session", "{order}");
        assert_eq!(desk.newest().cloned(), before, "{order}");
    }
    play("start\n of s9 confirm -> refused other-session\n of never confirm -> refused other-session");
    play("of s1 confirm -> refused other-session\n confirm -> refused no-session");
    play("start\n end\n of s1 confirm -> refused other-session");
    let number = play("start").newest().expect("a session").number;
    play(&format!("start\n of {number:03} confirm -> confirmed\n of {} end -> refused other-session", number + 1));
}

#[test]
fn s6_an_answer_that_names_a_checkpoint_is_for_that_one_alone() {
    let first = "checkpoint after 1
                 start
                 confirm
                 adjust add One; add Two
                 claim a1
                 claim a2
                 finish a1 completed -> checkpoint; light a1; medium\n";
    play(&format!("{first} of s1 continue 1 -> working\n of s1 continue 1 -> refused no-checkpoint"));
    // What was at work already ends: the question stays the same one.
    play(&format!("{first} finish a2 completed -> checkpoint; light a2\n continue 1 -> working"));
    // Another one waits by now, also where the same task has ended again.
    play(&format!(
        "{first} continue
         finish a2 failed -> checkpoint; light a2; medium
         continue 1 -> refused other-checkpoint
         of s1 continue 2 -> working
         retry a2
         claim a2
         finish a2 completed -> checkpoint; light a2; medium
         continue 2 -> refused other-checkpoint
         continue 3 -> working"
    ));
}

#[test]
fn s6_a_scope_is_not_adjusted_past_a_checkpoint_that_nobody_has_seen() {
    let first = "checkpoint after 1
                 start
                 confirm
                 adjust add One; add Two
                 claim a1
                 claim a2
                 finish a1 completed -> checkpoint; light a1; medium\n";
    // The list stood open while it worked.
    let mut desk = play(first);
    let waiting = desk.newest().cloned();
    assert_eq!(desk.obey("adjust add Three; seen none"), "refused other-checkpoint");
    assert_eq!(desk.newest().cloned(), waiting, "nothing has changed");
    desk.play("of s1 adjust add Three; seen 1 -> working");
    // Who does not say what they have seen answers whichever waits.
    play(&format!("{first} adjust add Three -> working"));
    play(&format!(
        "{first} continue
         finish a2 failed -> checkpoint; light a2; medium
         adjust add Three; seen 1 -> refused other-checkpoint
         adjust add Three; seen 2 -> working"
    ));
    // One that somebody has answered meanwhile is in nobody's way.
    play(&format!("{first} continue\n adjust add Three; seen 1 -> working\n adjust add Four; seen none -> working"));
}

#[test]
fn s4_paths_that_are_given_whole_are_for_those_that_were_shown() {
    play(
        "start
         confirm Build it in src/**
         adjust path docs/**
         adjust only lib/**; shown src/** -> refused other-paths
         adjust only lib/**; shown all -> refused other-paths
         adjust only lib/**; shown src/**; shown docs/** -> confirmed
         adjust only src/** -> confirmed",
    );
}

#[test]
fn s6_a_direction_in_between_begins_the_count_anew() {
    play(
        "checkpoint after 2
         start
         confirm
         claim a1
         finish a1 completed
         adjust add One
         claim a2
         finish a2 completed -> working; light a2
         claim a4
         finish a4 completed -> checkpoint; light a4; medium",
    );
}

#[test]
fn s6_tasks_that_a_person_ends_by_hand_count_as_well() {
    play(
        "start
         confirm
         adjust add One
         finish a1 completed -> working; light a1
         finish a2 completed -> working; light a2
         finish a4 completed -> checkpoint; light a4; medium",
    );
}

#[test]
fn s7_the_sprint_review_is_told_when_the_goal_is_reached_and_once() {
    let desk = play(
        "checkpoint after 99
         start
         confirm
         adjust add One
         claim a1
         finish a1 completed -> working; light a1
         claim a2
         finish a2 completed -> working; light a2
         claim a3
         a3 writes src/new: one
         finish a3 completed -> working; light a3; heavy
         claim a4
         finish a4 completed -> working; light a4",
    );
    let (text, data) = told(&desk, Level::Heavy);
    has(&text, &["Sign people in", "Check passwords", "Keep sessions", "Write the guide", "Invite friends"]);
    has(
        &data,
        &[
            r#""architecture":["Created src/new"]"#,
            r#""checkpoint":{"#,
            r#""nextSprint":[{"estimate":"4h","title":"Invite friends"}]"#,
        ],
    );
    // A partial task does not reach it.
    play(
        "checkpoint after 99
         start
         confirm
         claim a1
         finish a1 completed
         claim a2
         finish a2 completed
         claim a3
         finish a3 partial -> working; light a3",
    );
}

#[test]
fn s7_the_end_holds_all_levels() {
    let desk = play(
        "start
         confirm
         claim a1
         finish a1 completed
         claim a2
         finish a2 completed
         claim a3
         finish a3 completed -> checkpoint; light a3; heavy; medium
         end     -> ending; writes documents
         written -> ended; comprehensive",
    );
    let (text, data) = told(&desk, Level::Comprehensive);
    for level in [Level::Light, Level::Medium, Level::Heavy] {
        for told in desk.told().iter().filter(|told| told.level == level && level != Level::Medium) {
            let head =
                told.text.lines().find(|line| line.contains("Task ") || line.contains("Sprint")).expect("a head");
            let head = head.trim_matches(|c: char| !c.is_alphanumeric());
            assert!(text.contains(head), "{head:?} of {level:?} is not in\n{text}");
        }
    }
    has(
        &data,
        &[r#""tasks":[{"#, r#""review":{"#, r#""checkpoint":{"#, r#""before":{"done":1,"#, r#""after":{"done":4,"#],
    );
}

const SCOPED: &str = "start
                      confirm Check passwords; Keep sessions in src/**
                      claim a1
                      a1 writes src/a: one
                      flags -> none\n";
const LEFT: &str = "a1 writes docs/b: one -> working
                    records -> file.changed, scope.left
                    flags   -> f1 out-of-scope docs/b by a1: waits\n";

#[test]
fn s8_a_change_outside_the_scope_is_flagged_in_the_turn_that_sees_it() {
    play(&format!("{SCOPED} {LEFT} a1 writes docs/b: two\n flags -> f1 out-of-scope docs/b by a1: waits"));
    play(&format!("policy approve **\n {SCOPED} {LEFT} pending -> docs/b by a1"));
    // A task's own paths count besides the session's.
    play(
        "task One in docs/**\n start\n confirm a1; Keep sessions in src/**\n claim a1\n a1 writes docs/b: one\n flags -> none",
    );
}

#[test]
fn s8_extending_covers_what_the_pattern_covers_and_must_cover_the_file() {
    play(&format!(
        "{SCOPED} {LEFT}
         flag f1 extend lib/** -> refused pattern-misses
         flag f1 extend docs/**
         records -> session.scope-extended, scope.answered
         flags   -> f1 out-of-scope docs/b by a1: extend
         session -> 010 working: Check passwords a1, Keep sessions a2 in src/** docs/**
         a1 writes docs/c: one
         flags   -> f1 out-of-scope docs/b by a1: extend
         flag f1 log -> refused flag-answered
         flag f9 log -> refused unknown-flag"
    ));
    // Without a pattern it is the file alone, also where its name could stand for others.
    play(&format!(
        "{SCOPED}
         a1 writes README: one
         flag f1 extend
         a1 writes lib/README: one
         flags -> f1 out-of-scope README by a1: extend; f2 out-of-scope lib/README by a1: waits"
    ));
    play(&format!(
        "{SCOPED} {LEFT}
         flag f1 extend
         session -> 010 working: Check passwords a1, Keep sessions a2 in src/** docs/b"
    ));
    // It is a direction, so the count of tasks begins anew.
    play(&format!(
        "checkpoint after 2\n {SCOPED} {LEFT} finish a1 completed\n flag f1 extend\n claim a2\n finish a2 completed -> working; light a2"
    ));
}

#[test]
fn s8_extending_never_narrows_a_scope_without_paths() {
    // Only the task says where; the session does not.
    play(
        "task One in src/**
         start
         confirm a1; Keep sessions
         claim a1
         a1 writes docs/b: one
         flags   -> f1 out-of-scope docs/b by a1: waits
         flag f1 extend docs/**
         session -> 010 working: One a1, Keep sessions a2 in anywhere
         a1 writes docs/c: one
         claim a2
         a2 writes lib/d: one
         flags   -> f1 out-of-scope docs/b by a1: extend",
    );
    play(&format!(
        "{AT_WORK}
         a1 writes src/a: one
         flag f1 extend
         confirm Other
         session -> 010 confirmed: Other a1 in anywhere
         a1 writes src/b: one
         flags   -> f1 unauthorised src/a by a1: extend"
    ));
}

#[test]
fn s8_logging_makes_a_discovered_task_and_takes_the_change_out() {
    let desk = play(&format!(
        "base docs/b: zero
         {SCOPED} {LEFT}
         flag f1 log
         flags       -> f1 out-of-scope docs/b by a1: log
         read docs/b -> zero
         pending     -> src/a by a1
         tasks -> a1 Check passwords in-progress, a2 Keep sessions pending, a3 Look at docs/b: changed outside the scope pending
         a1 writes docs/b: again
         flags -> f1 out-of-scope docs/b by a1: log; f2 out-of-scope docs/b by a1: waits"
    ));
    assert_eq!(desk.newest().expect("a session").discovered, ["Look at docs/b: changed outside the scope"]);
    // A flag stands for every attempt at the task.
    play(&format!(
        "base docs/b: 1 / 2 / 3 / 4 / 5
         {SCOPED}
         a1 writes docs/b: one / 2 / 3 / 4 / 5
         wait 11m
         claim a1 -> working; a1.2
         a1 writes docs/b: one / 2 / 3 / 4 / five
         flags       -> f1 out-of-scope docs/b by a1: waits
         flag f1 log
         read docs/b -> 1 / 2 / 3 / 4 / 5
         pending     -> src/a by a1"
    ));
}

#[test]
fn s8_r3_what_is_entangled_with_others_work_is_taken_out_on_a_yes_to_what_was_shown() {
    let entangled = format!(
        "base docs/b: 1 / 2 / 3
         {SCOPED}
         a1 writes docs/b: 1 / two by a1 / 3
         ada saves docs/b: 1 / two by ada / 3"
    );
    play(&format!(
        "{entangled}
         flag f1 log  -> refused entangled
         flags        -> f1 out-of-scope docs/b by a1: waits
         shown f1
         flag f1 log as shown -> refused entangled
         tasks        -> a1 Check passwords in-progress, a2 Keep sessions pending
         flag f1 log yes -> working; takes 1 out
         flags        -> f1 out-of-scope docs/b by a1: log
         pending      -> src/a by a1"
    ));
    // The yes is to that result, and to no other one.
    play(&format!(
        "{entangled}
         shown f1
         ada saves docs/b: 1 / two by ada, again / 3
         flag f1 log yes -> refused shown-otherwise
         flags           -> f1 out-of-scope docs/b by a1: waits
         read docs/b     -> 1 / two by ada, again / 3"
    ));
}

#[test]
fn s8_logging_takes_out_what_was_shown_and_flags_the_rest_anew() {
    let left = format!(
        "base docs/b: 1 / 2 / 3 / 4 / 5
         {SCOPED}
         a1 writes docs/b: one / 2 / 3 / 4 / 5"
    );
    play(&format!(
        "{left}
         shown f1
         a1 writes docs/b: one / 2 / 3 / 4 / five
         flag f1 log as shown -> working; takes 1 out
         records     -> review.rejected, scope.left, task.added, scope.answered
         read docs/b -> 1 / 2 / 3 / 4 / five
         flags       -> f1 out-of-scope docs/b by a1: log; f2 out-of-scope docs/b by a1: waits
         to answer   -> f2
         ada approves all -> working; 1 decided; not docs/b
         flag f2 log
         read docs/b -> 1 / 2 / 3 / 4 / 5
         to answer   -> nothing"
    ));
    // What was rewritten since is not what was shown, and then nothing is done.
    play(&format!(
        "{left}
         shown f1
         a1 writes docs/b: ONE / 2 / 3 / 4 / 5
         flag f1 log as shown -> refused unknown-hunk
         read docs/b -> ONE / 2 / 3 / 4 / 5
         flags       -> f1 out-of-scope docs/b by a1: waits
         tasks       -> a1 Check passwords in-progress, a2 Keep sessions pending"
    ));
    // Nor is what was decided meanwhile, or what is another's by now.
    play(&format!(
        "{left}
         shown f1
         ada rejects docs/b
         flag f1 log as shown -> refused unknown-hunk"
    ));
    play(&format!(
        "{left}
         shown f1
         claim a2
         assign docs/b to a2
         flag f1 log as shown -> refused unknown-hunk"
    ));
}

#[test]
fn s8_logging_what_nobody_is_known_to_have_made_takes_out_what_was_shown() {
    // The person's own line by another program came after it.
    play(&format!(
        "base docs/b: 1 / 2 / 3 / 4 / 5
         {SCOPED}
         finish a1 completed
         wait 11m
         docs/b: one / 2 / 3 / 4 / 5
         flags       -> f1 out-of-scope docs/b by unknown: waits
         shown f1
         docs/b: one / 2 / 3 / 4 / mine
         flag f1 log as shown
         read docs/b -> 1 / 2 / 3 / 4 / mine
         flags       -> f1 out-of-scope docs/b by unknown: log; f2 out-of-scope docs/b by unknown: waits"
    ));
}

#[test]
fn s8_what_was_asked_for_and_not_written_yet_takes_nothing_out() {
    play(&format!(
        "{SCOPED}
         a1 needs docs/b because the guide is there
         shown f1
         a1 writes docs/b: one
         flag f1 log as shown
         read docs/b -> one
         flags -> f1 needed out-of-scope docs/b by a1: log; f2 out-of-scope docs/b by a1: waits"
    ));
}

#[test]
fn s8_r5_what_was_logged_and_is_brought_back_waits_for_an_answer_again() {
    play(&format!(
        "base docs/b: zero
         {SCOPED} {LEFT}
         flag f1 log      -> working; takes 1 out
         undo             -> working; 1 decided
         read docs/b      -> one
         flags            -> f1 out-of-scope docs/b by a1: waits
         to answer        -> f1
         ada approves all -> working; 1 decided; not docs/b
         redo d1          -> working; 1 decided
         read docs/b      -> zero
         flags            -> f1 out-of-scope docs/b by a1: log
         undo d1
         flag f1 allow-once
         flags            -> f1 out-of-scope docs/b by a1: allow-once"
    ));
}

#[test]
fn s8_r4_what_could_not_be_taken_out_waits_for_an_answer_again() {
    play(&format!(
        "base docs/b: zero
         {SCOPED} {LEFT}
         unseen docs/b: one / mine
         flag f1 log
         read docs/b -> one / mine
         pending     -> docs/b by a1; src/a by a1
         flags       -> f1 out-of-scope docs/b by a1: waits"
    ));
}

#[test]
fn s8_what_is_logged_again_after_it_came_back_is_in_the_queue_once() {
    let desk = play(&format!(
        "base docs/b: zero
         {SCOPED} {LEFT}
         flag f1 log
         undo
         flag f1 log
         flags -> f1 out-of-scope docs/b by a1: log"
    ));
    let title = "Look at docs/b: changed outside the scope";
    assert_eq!(desk.memory.tasks().iter().filter(|task| task.title == title).count(), 1);
}

#[test]
fn s8_what_is_approved_says_nothing_about_what_is_written_there_later() {
    play(&format!(
        "{SCOPED} {LEFT}
         ada approves docs/b
         flags            -> f1 out-of-scope docs/b by a1: allow-once
         a1 writes docs/b: one / two
         flags            -> f1 out-of-scope docs/b by a1: allow-once; f2 out-of-scope docs/b by a1: waits
         ada approves all -> working; 1 decided; not docs/b
         flag f2 allow-once
         a1 writes docs/b: one / two / three
         flags            -> f1 out-of-scope docs/b by a1: allow-once; f2 out-of-scope docs/b by a1: allow-once"
    ));
}

#[test]
fn s8_allowing_once_is_for_this_task_and_this_file() {
    play(&format!(
        "{SCOPED} {LEFT}
         flag f1 allow-once
         a1 writes docs/b: two
         flags   -> f1 out-of-scope docs/b by a1: allow-once
         a1 writes docs/c: one
         flags   -> f1 out-of-scope docs/b by a1: allow-once; f2 out-of-scope docs/c by a1: waits
         claim a2
         a2 writes docs/b: three
         flags   -> f1 out-of-scope docs/b by a1: allow-once; f2 out-of-scope docs/c by a1: waits; f3 out-of-scope docs/b by a2: waits
         session -> 010 working: Check passwords a1, Keep sessions a2 in src/**"
    ));
}

#[test]
fn s8_what_is_approved_in_bulk_leaves_flagged_files_out() {
    play(&format!(
        "{SCOPED} {LEFT}
         ada approves all     -> working; 1 decided; not docs/b
         pending              -> docs/b by a1
         ada approves all     -> refused outside-scope
         ada approves docs/b  -> working; 1 decided
         flags                -> f1 out-of-scope docs/b by a1: allow-once"
    ));
    play(&format!(
        "{SCOPED} {LEFT} finish a1 completed\n wait 10s\n commit docs/b\n pending -> docs/b by a1; src/a by a1"
    ));
}

#[test]
fn s8_taking_an_approval_back_puts_the_flag_up_again_that_it_had_answered() {
    play(&format!(
        "{SCOPED} {LEFT}
         ada approves docs/b
         flags     -> f1 out-of-scope docs/b by a1: allow-once
         undo
         records   -> review.undone, scope.reopened
         flags     -> f1 out-of-scope docs/b by a1: waits
         to answer -> f1
         ada approves all -> working; 1 decided; not docs/b
         redo
         flags     -> f1 out-of-scope docs/b by a1: allow-once
         undo
         flags     -> f1 out-of-scope docs/b by a1: waits
         flag f1 allow-once
         redo"
    ));
    // What another answer let pass is not this decision's to take back.
    play(&format!(
        "{SCOPED} {LEFT}
         flag f1 allow-once
         ada approves docs/b
         undo
         flags -> f1 out-of-scope docs/b by a1: allow-once"
    ));
}

/// Two hunks outside of the scope in one file.
const LEFT_TWICE: &str = "base docs/b: 1 / 2 / 3 / 4 / 5
                          start
                          confirm Check passwords; Keep sessions in src/**
                          claim a1
                          a1 writes docs/b: one / 2 / 3 / 4 / five
                          flags -> f1 out-of-scope docs/b by a1: waits\n";

#[test]
fn s8_one_hunk_that_is_approved_leaves_the_flag_for_the_others() {
    play(&format!(
        "{LEFT_TWICE}
         ada approves hunk 1 -> working; 1 decided
         flags               -> f1 out-of-scope docs/b by a1: waits
         to answer           -> f1
         ada approves all    -> refused outside-scope
         ada approves hunk 1 -> working; 1 decided
         flags               -> f1 out-of-scope docs/b by a1: allow-once"
    ));
    // What is rejected waits for nobody, and what is written later is flagged as before.
    play(&format!(
        "{LEFT_TWICE}
         ada approves hunk 1
         ada rejects hunk 1
         to answer        -> nothing
         a1 writes docs/b: one / 2 / 3 / 4 / again
         flags            -> f1 out-of-scope docs/b by a1: waits
         to answer        -> f1
         ada approves all -> refused outside-scope"
    ));
    // Another author's hunk is another one's flag.
    play(&format!(
        "{LEFT_TWICE}
         ada saves docs/b: one / 2 / mine / 4 / five
         claim a2
         a2 writes docs/b: one / 2 / mine / 4 / five / six
         flags                -> f1 out-of-scope docs/b by a1: waits; f2 out-of-scope docs/b by a2: waits
         ada approves hunk 3  -> working; 1 decided
         flags                -> f1 out-of-scope docs/b by a1: waits; f2 out-of-scope docs/b by a2: allow-once"
    ));
    play(&format!("{LEFT_TWICE} ada approves docs/b\n flags -> f1 out-of-scope docs/b by a1: allow-once"));
}

#[test]
fn s8_approvals_of_single_hunks_are_taken_back_and_brought_back_with_their_flag() {
    let both = format!(
        "{LEFT_TWICE}
         ada approves hunk 1
         undo
         flags     -> f1 out-of-scope docs/b by a1: waits
         redo
         flags     -> f1 out-of-scope docs/b by a1: waits
         pending   -> docs/b by a1
         ada approves hunk 1
         flags     -> f1 out-of-scope docs/b by a1: allow-once\n"
    );
    play(&format!(
        "{both}
         undo
         flags     -> f1 out-of-scope docs/b by a1: waits
         redo
         flags     -> f1 out-of-scope docs/b by a1: allow-once"
    ));
    // The older of the two: what it approved waits again, and so does the flag that the newer one had answered.
    play(&format!(
        "{LEFT_TWICE}
         ada approves hunk 1
         ada approves hunk 1
         undo d1
         flags            -> f1 out-of-scope docs/b by a1: waits
         ada approves all -> refused outside-scope
         redo
         flags            -> f1 out-of-scope docs/b by a1: allow-once
         undo d2
         undo d1
         redo d2
         flags            -> f1 out-of-scope docs/b by a1: waits
         redo d1
         flags            -> f1 out-of-scope docs/b by a1: allow-once"
    ));
    // What another answer let pass is not the approval's to take back.
    play(&format!(
        "{LEFT_TWICE}
         ada approves hunk 1
         flag f1 allow-once
         undo
         flags -> f1 out-of-scope docs/b by a1: allow-once"
    ));
}

#[test]
fn s8_what_an_agent_asks_for_is_needed_and_not_only_found() {
    let asked = format!(
        "{SCOPED}
         a1 needs docs/b because the links must follow -> working; q1
         flags  -> f1 needed out-of-scope docs/b by a1: waits\n"
    );
    play(&format!(
        "{asked}
         answer q1 extend
         flags   -> f1 needed out-of-scope docs/b by a1: extend
         session -> 010 working: Check passwords a1, Keep sessions a2 in src/** docs/b
         a1 writes docs/b: one
         flags   -> f1 needed out-of-scope docs/b by a1: extend"
    ));
    play(&format!(
        "{asked} answer q1 allow-once\n a1 writes docs/b: one\n flags -> f1 needed out-of-scope docs/b by a1: allow-once"
    ));
    play(&format!(
        "{asked}
         answer q1 no
         a1 writes docs/b: one
         flags -> f1 needed out-of-scope docs/b by a1: refused; f2 out-of-scope docs/b by a1: waits"
    ));
    // One that writes without waiting for the answer is still only asked about once.
    play(&format!("{asked} a1 writes docs/b: one\n flags -> f1 needed out-of-scope docs/b by a1: waits"));
}

#[test]
fn s8_a_wish_for_a_file_outside_is_put_to_the_person_whatever_the_policy_gives() {
    let begun = "start\n confirm Check passwords; Keep sessions in src/**\n agent a1\n";
    play(&format!("{begun} a1 wishes src/a freely -> working; tells allow_once\n flags -> none"));
    let wished =
        format!("{begun} a1 wishes docs/b freely -> working\n flags -> f1 needed out-of-scope docs/b by a1: waits\n");
    play(&format!(
        "{wished} answer q1 allow_once -> working; q1; tells allow_once\n flags -> f1 needed out-of-scope docs/b by a1: allow-once"
    ));
    play(&format!(
        "{wished} answer q1 reject_once -> working; q1; tells reject_once\n flags -> f1 needed out-of-scope docs/b by a1: refused"
    ));
    // Agents call their options what they like. What is not clearly a yes is none.
    for (yes, no) in [
        ("approved", "abort"),
        ("proceed_once", "cancel"),
        ("allow", "disallow"),
        ("once", "never"),
        ("yes", "no"),
        ("ok", "decline"),
        ("allow_once", "do_not_allow"),
        ("accept", "opt-3"),
    ] {
        for (choice, answer) in [(yes, "allow-once"), (no, "refused")] {
            play(&format!(
                "{begun}
                 a1 wishes docs/b {yes} {no}
                 answer q1 {choice}
                 flags -> f1 needed out-of-scope docs/b by a1: {answer}"
            ));
        }
    }
}

#[test]
fn s8_a_hook_denies_what_lies_outside_and_the_person_is_asked() {
    play(&format!(
        "{SCOPED}
         hook goose src/a  -> working; let
         hook goose docs/b -> working; denied
         flags             -> f1 needed out-of-scope docs/b by a1: waits
         flag f1 allow-once
         hook goose docs/b -> working; let"
    ));
}

#[test]
fn s8_a_file_that_is_moved_in_from_outside_is_a_change_outside() {
    let mut desk = Desk::planned();
    desk.play(&format!("base docs/b: one / two / three\n {SCOPED}"));
    desk.moves("docs/b", "src/b");
    desk.play(
        "flags -> f1 out-of-scope docs/b by a1: waits
         policy approve src/**
         a1 writes src/b: one / two / three / four
         pending -> src/a by a1; src/b by a1; src/b by a1
         ada approves all -> working; 1 decided; not src/b
         flag f1 log
         read src/b  -> -
         read docs/b -> one / two / three
         pending     -> nothing",
    );
}

#[test]
fn s10_the_end_writes_the_entry_and_the_marks_and_then_tells_all() {
    let desk = play(
        "start claude-sonnet-4-6
         confirm
         adjust add Sweep
         claim a1
         a1 writes src/a: one
         a1 discovers Broken link
         finish a1 completed
         claim a2
         finish a2 partial
         wait 12m
         end     -> ending; writes documents
         records -> session.ending
         end     -> refused session-ending
         written -> ended; comprehensive
         records -> session.ended, session.reported
         written -> ended
         end     -> refused no-session",
    );
    let [written] = &desk.memory.governed().to_write[..] else { panic!("written once") };
    let entry = &written.record.entry;
    assert_eq!((entry.session, entry.date.as_str(), entry.title.as_str()), (10, "2026-02-28", "Check passwords"));
    assert_eq!((entry.agent.as_str(), entry.minutes, entry.completed), ("goose (claude-sonnet-4-6)", 12, (1, 4)));
    assert_eq!(entry.done, ["Check passwords (src/a; 1 hunk waits for review)"]);
    assert_eq!(entry.not_done, ["Keep sessions (partial)", "Write the guide (not begun)", "Sweep (not begun)"]);
    assert_eq!(entry.discovered, ["Broken link"]);
    assert_eq!(entry.goal[0], "Sprint goal: \"Sign people in\" — 2/4 done");
    let edit = &written.record.edit;
    assert_eq!(
        (&edit.complete[..], &edit.in_progress[..]),
        (&["Check passwords".to_owned()][..], &["Keep sessions".to_owned()][..])
    );
    assert_eq!((edit.session, edit.today.as_str(), edit.blocked.len()), (10, "2026-02-28", 0));
    assert_eq!(edit.discovered[0].title, "Broken link");
    let (text, data) = told(&desk, Level::Comprehensive);
    has(&text, &["src/a", "Keep sessions", "Broken link", "CHANGELOG.md"]);
    has(
        &data,
        &[
            r#""files":["src/a"]"#,
            r#"{"what":"Sweep","why":"not begun"}"#,
            r#""before":{"done":1,"percent":25,"total":4}"#,
            r#""after":{"done":2,"percent":50,"total":4}"#,
            r#""minutes":12"#,
        ],
    );
}

#[test]
fn s10_what_failed_is_blocked_in_the_plan_with_why() {
    let desk = play(
        "start
         confirm Check passwords; Sweep
         claim a1
         finish a1 failed
         claim a2
         finish a2 blocked
         end A short day",
    );
    let record = &desk.memory.governed().to_write[0].record;
    assert_eq!(record.entry.title, "A short day");
    // Only the plan's own are marked in it.
    assert_eq!(record.edit.blocked, [("Check passwords".to_owned(), "failed".to_owned())]);
    assert!(record.edit.complete.is_empty() && record.edit.in_progress.is_empty());
}

/// Two tasks of the plan are completed, one of them in two files.
const TWO_DONE: &str = "start
     confirm Check passwords; Keep sessions
     claim a1
     a1 writes src/a: one
     finish a1 completed
     claim a2
     a2 writes src/b: two
     a2 writes src/c: three
     finish a2 completed
     session -> 010 working: Check passwords a1 completed, Keep sessions a2 completed in anywhere
";

#[test]
fn s10_a_task_whose_work_was_all_rejected_is_not_told_as_done() {
    let desk = play(&format!(
        "{TWO_DONE}
         ada approves src/b
         ada rejects src/c
         session -> 010 working: Check passwords a1 completed, Keep sessions a2 completed in anywhere
         ada rejects src/a
         records -> review.rejected, session.task-rejected
         session -> 010 working: Check passwords a1 rejected, Keep sessions a2 completed in anywhere
         end
         written"
    ));
    let record = &desk.memory.governed().to_write[0].record;
    assert_eq!(record.entry.title, "Keep sessions");
    assert_eq!(record.entry.completed, (1, 2));
    assert_eq!(record.entry.done, ["Keep sessions (src/b; partly rejected in review)"]);
    assert_eq!(record.entry.not_done, ["Check passwords (rejected in review)"]);
    assert_eq!(record.entry.goal[0], "Sprint goal: \"Sign people in\" — 2/4 done");
    // The plan's mark stays what it was.
    assert_eq!(record.edit.complete, ["Keep sessions"]);
    assert!(record.edit.in_progress.is_empty() && record.edit.blocked.is_empty());
    let (text, data) = told(&desk, Level::Comprehensive);
    has(&text, &["Task rejected: Check passwords", "All of it was rejected in review", "1 task completed, 1 rejected"]);
    has(&text, &["[ ] Check passwords — rejected", "[x] Keep sessions (src/b; partly rejected in review)"]);
    has(&data, &[r#"{"what":"Check passwords","why":"rejected in review"}"#, r#""after":{"done":2,"percent":50,"#]);
}

#[test]
fn s10_what_is_done_while_its_hunks_wait_is_told_as_both_wherever_it_is_told() {
    let desk = play(&format!("{TWO_DONE} ada approves src/b\n end\n written"));
    let (light, _) = told(&desk, Level::Light);
    has(&light, &["Task completed: Keep sessions", "• 2 hunks wait for review"]);
    let record = &desk.memory.governed().to_write[0].record;
    assert_eq!(
        record.entry.done,
        ["Check passwords (src/a; 1 hunk waits for review)", "Keep sessions (src/b, src/c; 1 hunk waits for review)"]
    );
    let (text, _) = told(&desk, Level::Comprehensive);
    has(
        &text,
        &[
            "Check passwords is told as completed, and 1 hunk waits for review. A no to that will not change this record.",
        ],
    );
}

#[test]
fn s2_where_a_task_of_the_scope_may_write_is_known_before_the_yes() {
    let desk = play(
        "task Check passwords in src/**\n start\n session -> 010 planned: Check passwords, Keep sessions, Write the guide in anywhere",
    );
    let session = desk.memory.session().unwrap().unwrap();
    let paths: Vec<_> =
        session.items.iter().map(|item| item_standing(&desk.memory, item).unwrap().paths.join(", ")).collect();
    assert_eq!(paths, ["src/**", "", ""]);
}

#[test]
fn s10_what_is_brought_back_is_done_again_and_what_its_agent_undid_was_rejected_by_nobody() {
    play(&format!(
        "{TWO_DONE}
         ada rejects src/a
         undo
         records -> review.undone, session.task-restored
         session -> 010 working: Check passwords a1 completed, Keep sessions a2 completed in anywhere
         redo
         session -> 010 working: Check passwords a1 rejected, Keep sessions a2 completed in anywhere
         end
         written
         undo
         session -> 010 ended: Check passwords a1 rejected, Keep sessions a2 completed in anywhere"
    ));
    // Also where it was rejected before the agent said that it is done.
    play(
        "start
         confirm Check passwords
         claim a1
         a1 writes src/a: one
         ada rejects src/a
         finish a1 completed
         session -> 010 working: Check passwords a1 rejected in anywhere",
    );
    play(
        "start
         confirm Check passwords
         base src/a: one
         claim a1
         a1 writes src/a: one / two
         a1 writes src/a: one
         finish a1 completed
         session -> 010 working: Check passwords a1 completed in anywhere",
    );
}

#[test]
fn s10_what_was_assigned_to_a_task_is_in_its_record() {
    let desk = play(
        "start
         confirm Check passwords; Keep sessions
         base src/b: one
         claim a1
         claim a2
         src/a: one
         src/b: one / two
         pending -> src/a by unknown; src/b by unknown
         assign src/a to a1
         assign src/b to a1
         finish a1 completed
         finish a2 completed
         end
         written",
    );
    let entry = &desk.memory.governed().to_write[0].record.entry;
    assert_eq!(entry.done, ["Check passwords (src/a, src/b; 2 hunks wait for review)", "Keep sessions"]);
    let (text, data) = told(&desk, Level::Comprehensive);
    has(&text, &["Created src/a", "Changed src/b"]);
    has(&data, &[r#""files":["src/a","src/b"]"#]);
}

#[test]
fn s10_work_that_broke_off_is_not_told_as_not_begun() {
    let desk = play(
        "start
         confirm Check passwords; Keep sessions
         claim a1
         wait 11m
         tasks -> a1 Check passwords pending, a2 Keep sessions pending
         end
         written",
    );
    let entry = &desk.memory.governed().to_write[0].record.entry;
    assert_eq!(
        entry.not_done,
        ["Check passwords (begun, not finished: its lease ran out)", "Keep sessions (not begun)"]
    );
    has(&told(&desk, Level::Comprehensive).0, &["Check passwords — begun, not finished: its lease ran out"]);
}

#[test]
fn s10_a_session_in_which_nothing_was_done_is_abandoned() {
    play("start\n end -> abandoned\n records -> session.abandoned\n start -> planned; start");
    play(
        "start\n confirm\n end -> abandoned\n session -> 010 abandoned: Check passwords a1, Keep sessions a2, Write the guide a3 in anywhere",
    );
    play("start\n left -> abandoned");
    play("start\n wait 61m -> abandoned");
}

#[test]
fn s10_no_session_ends_while_runs_are_at_work() {
    play(
        "start\n confirm\n claim a1\n end -> refused runs-at-work\n left -> working\n finish a1 completed\n end -> ending; writes documents",
    );
}

#[test]
fn s11_work_without_a_session_begins_one_and_tells_the_start() {
    let desk = play(
        "task Keep sessions
         agent next -> working; a1.1; start
         session    -> 010 working: Keep sessions a1 in anywhere
         records    -> task.claimed, session.started, session.reported
         start      -> refused runs-at-work
         finish a1 completed
         start      -> refused session-began-by-itself",
    );
    has(&told(&desk, Level::Start).1, &[r#""automatic":"Work began on a1: Keep sessions.""#]);
    play("ungoverned\n task Other\n claim a1 -> none; a1.1\n finish a1 completed -> none\n session -> none");
    // Governed or not, a session that a person began is one.
    play(
        "ungoverned\n start -> planned; start\n claim a1 -> refused unknown-task\n next -> refused scope-not-confirmed",
    );
}

#[test]
fn s11_silence_ends_a_session_but_never_while_a_run_is_at_work() {
    let desk = play(
        "start
         confirm
         claim a1
         wait 5m
         finish a1 completed
         wait 59m -> working
         wait 1m  -> ending; writes documents
         wait 61m -> ending
         written  -> ended; comprehensive",
    );
    let session = desk.newest().expect("a session");
    assert_eq!(session.end_reason.as_deref(), Some("nothing happened for 60 minutes"));
    assert_eq!(desk.memory.governed().to_write[0].record.entry.minutes, 5, "silence is not work");
    play(
        "silence 5m\n start\n confirm\n claim a1\n wait 6m -> working\n finish a1 completed\n wait 4m -> working\n wait 1m -> ending; writes documents",
    );
    // What a run does, and its going, are work, too.
    play(
        "silence 5m\n start\n confirm\n claim a1\n wait 4m\n a1 writes src/a: one\n finish a1 partial\n wait 4m -> working",
    );
    play(
        "silence 5m\n start\n confirm\n claim a1\n wait 11m -> working\n wait 1m -> working\n wait 5m -> ending; writes documents",
    );
    // Over a restart of the machine the wall clock tells.
    play("start\n confirm\n claim a1\n finish a1 completed\n reboot -> working\n wait 61m -> ending; writes documents");
}

#[test]
fn s11_leaving_ends_it_and_a_record_that_a_crash_left_is_written_at_the_next_start() {
    let desk = play(
        "task Keep sessions
         claim a1
         finish a1 completed
         left     -> ending; writes documents
         left     -> ending
         taken up -> ending; writes documents
         written  -> ended; comprehensive
         taken up -> ended",
    );
    let [first, again] = &desk.memory.governed().to_write[..] else { panic!("ordered twice") };
    assert_eq!(first, again);
    assert_eq!(desk.newest().expect("a session").end_reason.as_deref(), Some("the window was closed"));
    play("start\n confirm\n claim a1\n finish a1 completed\n taken up -> working");
}

#[test]
fn s11_it_cannot_be_switched_off_in_the_middle_of_a_session() {
    play(
        "set session.protocol off -> none
         start
         set session.protocol off -> refused session-under-way
         confirm
         set session.protocol off -> refused session-under-way
         claim a1
         finish a1 completed
         set session.protocol off -> refused session-under-way
         end
         set session.protocol off -> refused session-under-way
         written
         set session.protocol off -> ended",
    );
    // Nor by the back door: a checkpoint that never comes, or a policy that is gone.
    play("ungoverned\n start\n confirm\n claim a1\n finish a1 completed -> working; light a1");
}

#[test]
fn only_a_person_steers_a_session() {
    use augment_core::actor::Actor;
    use augment_core::session::{AnswerFlag, FlagAnswer, Scope};
    use augment_core::simulation::Backend;
    use augment_core::turn::{Command, Input};
    let mut desk = play("start\n confirm\n claim a1");
    let run = *desk.memory.runs().keys().next().expect("a run");
    let commands = [
        Command::StartSession { model: None },
        Command::ConfirmScope { session: None, items: None, paths: None, max_attempts: 1 },
        Command::AdjustScope(Scope::default()),
        Command::ContinueSession { session: None, checkpoint: None },
        Command::EndSession { session: None, title: None, decisions: Vec::new() },
        Command::AnswerFlag(AnswerFlag {
            flag: "f1".to_owned(),
            answer: FlagAnswer::AllowOnce,
            pattern: None,
            hunks: None,
            confirm: None,
            max_attempts: 1,
        }),
        Command::AcknowledgeFinding { hunk: String::new(), rule: None, reason: "it may".to_owned() },
        Command::DropAllowed(1),
        Command::Remember(augment_core::knowledge::Step::Added(augment_core::knowledge::Draft::default())),
    ];
    for command in commands {
        let input = Input::Asked { actor: Actor::Run { run }, command };
        let now = desk.now.clone();
        let verdict = desk.memory.turn(&input, &now).unwrap_or_else(|never| match never {});
        assert_eq!(verdict.map_err(|refusal| refusal.code()), Err("role-may-not"), "{input:?}");
    }
}
