//! The rules of the queue, one requirement at a time, as scripts. A line orders something, and says after `->` what comes
//! of it; without that it must not be refused. The second text is the queue in the end, in the order of handing out.
//! The language is in `queue_rules/script.rs`.

#[path = "queue_rules/script.rs"]
mod script;

use std::cell::Cell;
use std::convert::Infallible;
use std::ops::RangeInclusive;
use std::sync::Arc;

use augment_core::attribution::Claim as FileWord;
use augment_core::file::{ContentHash, FilePath};
use augment_core::id::{RunId, TaskId};
use augment_core::prompt::{Prompt, PromptId};
use augment_core::queue::{Edit, Place, QUEUE_LIMIT, TaskDraft};
use augment_core::review::policy::ReviewPolicy;
use augment_core::review::{Acknowledged, Allowed, Approval, Decision, DecisionId, FileNumber, PendingOf, TrackedFile};
use augment_core::run::{HandOff, HandOffId, HandOffPolicy, Question, QuestionId};
use augment_core::session::{Flag, FlagId, Governance, Session, SessionId, SessionPolicy, Touch};
use augment_core::simulation::{Backend, Memory};
use augment_core::task::{Priority, Rank, Route, Task};
use augment_core::time::{Boot, Steady, Wall};
use augment_core::turn::{Command, Input, decide};
use augment_core::view::{Side, View};
use script::{Outcome, Queue, person};

#[test]
fn q1_a_task_starts_pending_and_keeps_what_was_said() {
    check(
        r#"add "Plain"                                               -> a1
           add "Full" high needs rust,gpu for goose limit 10m attempts 5 -> a2
           show a1 -> medium pending, attempt 0, 0 of 3 used
           show a2 -> high pending, attempt 0, 0 of 5 used"#,
        "a2 pending / a1 pending",
    );
}

#[test]
fn q1_work_ends_in_one_of_five_ways() {
    check(
        r#"add "A"
           add "B"
           add "C"
           add "D"
           add "E"
           next goose    -> a1.1
           next goose    -> a2.1
           next goose    -> a3.1
           next goose    -> a4.1
           complete a1.1 -> completed
           partial a2.1  -> partial
           block a3.1    -> blocked
           fail a4.1     -> failed
           cancel a5     -> cancelled"#,
        "a1 completed / a2 partial / a3 blocked / a4 failed / a5 cancelled",
    );
}

#[test]
fn q2_ids_are_taken_whole_as_numbers_or_as_unique_beginnings() {
    let adds = "add \"T\"\n".repeat(12);
    check(
        &format!(
            "{adds}cancel b12 -> cancelled
             cancel B11   -> cancelled
             cancel 9     -> cancelled
             cancel b     -> refused ambiguous-task
             cancel b1    -> refused ambiguous-task
             remove b11
             remove b12
             cancel b1    -> cancelled
             cancel b11   -> refused unknown-task"
        ),
        "a1 pending / a2 pending / a3 pending / a4 pending / a5 pending / a6 pending / a7 pending / a8 pending / \
         a9 cancelled / b10 cancelled",
    );
}

#[test]
fn q2_a_number_is_never_given_twice() {
    check(
        r#"add "A"  -> a1
           add "B"  -> a2
           remove a2
           add "C"  -> a3"#,
        "a1 pending / a3 pending",
    );
}

#[test]
fn q2_reordering() {
    let three = "add \"A\"\n add \"B\"\n add \"C\"\n add \"U\" high\n";
    for (order, expected) in [
        ("move a3 top", "a4 / a3 / a1 / a2"),
        ("move a1 bottom", "a4 / a2 / a3 / a1"),
        ("move a3 before a2", "a4 / a1 / a3 / a2"),
        ("move a1 after a2", "a4 / a2 / a1 / a3"),
        ("move a2 after a2 -> refused beside-itself", "a4 / a1 / a2 / a3"),
        // Next to a task of another priority it takes on that priority.
        ("move a3 before a4", "a3 / a4 / a1 / a2"),
        ("move a4 after a1", "a1 / a4 / a2 / a3"),
        // A new priority keeps the age.
        ("edit a4 priority medium", "a1 / a2 / a3 / a4"),
        ("edit a2 priority high", "a2 / a4 / a1 / a3"),
        // Where that place is taken by one that was moved, it comes right after.
        ("move a2 before a4\n edit a3 priority high", "a2 / a3 / a4 / a1"),
        // A place at the top stays one in the next priority.
        ("move a3 top\n edit a3 priority high", "a3 / a4 / a1 / a2"),
    ] {
        let expected = expected.split(" / ").map(|id| format!("{id} pending")).collect::<Vec<_>>().join(" / ");
        check(&format!("{three}{order}"), &expected);
    }
}

/// The gap behind a1 is halved by each move; when it is used up, the tasks there are spread anew.
#[test]
fn q2_a_task_can_be_moved_to_the_same_place_without_end() {
    let mut queue = Queue::new();
    queue.play("add \"A\"\n add \"B\"\n add \"C\"\n add \"D\"\n add \"E\"");
    for at in 0..300 {
        let [moved, one, other] = [2 + at % 3, 2 + (at + 2) % 3, 2 + (at + 1) % 3];
        queue.obey(&format!("move a{moved} after a1"));
        if at >= 2 {
            let expected = format!("a1 pending / a{moved} pending / a{one} pending / a{other} pending / a5 pending");
            assert_eq!(queue.shown(), expected, "after {} moves", at + 1);
        }
    }
}

#[test]
fn q2_what_can_be_done_in_which_state() {
    let states = [
        ("pending", ""),
        ("in-progress", "claim a1 goose"),
        ("completed", "complete a1"),
        ("failed", "fail a1"),
        ("partial", "partial a1"),
        ("blocked", "block a1"),
        ("cancelled", "cancel a1"),
    ];
    // In the order of the states above.
    let table = [
        ("edit a1 title \"B\"", ["pending", "in-progress", "no", "no", "no", "no", "no"]),
        ("edit a1 needs rust", ["pending", "held", "no", "no", "no", "no", "no"]),
        ("move a1 top", ["moved", "moved", "no", "no", "no", "no", "no"]),
        ("remove a1", ["removed", "held", "removed", "removed", "removed", "removed", "removed"]),
        ("cancel a1", ["cancelled", "cancelled", "no", "no", "no", "no", "no"]),
        ("retry a1", ["no", "no", "no", "pending", "pending", "pending", "pending"]),
        ("claim a1 heron", ["a1.1", "held", "no", "no", "no", "no", "no"]),
        ("complete a1", ["completed", "refused attempt-not-said", "no", "no", "no", "no", "no"]),
        ("complete a1.1", ["late", "completed", "late", "late", "late", "late", "late"]),
        ("heartbeat a1", ["no", "refused attempt-not-said", "no", "no", "no", "no", "no"]),
        ("heartbeat a1.1", ["late", "in-progress", "late", "late", "late", "late", "late"]),
    ];
    for (order, outcomes) in table {
        for ((state, way), outcome) in states.iter().zip(outcomes) {
            let outcome = match outcome {
                "no" => "refused wrong-status",
                "held" => "refused held",
                "late" => "refused late-word",
                outcome => outcome,
            };
            let mut queue = Queue::new();
            queue.obey("add \"A\"");
            queue.obey(way);
            assert_eq!(queue.obey(order).short(), outcome, "{order} when {state}");
        }
    }
}

#[test]
fn q3_next_is_the_highest_priority_then_the_oldest() {
    check(
        r#"add "L" low
           add "M1"
           add "H" high
           add "M2" medium
           next goose -> a3.1
           next goose -> a2.1
           next goose -> a4.1
           next goose -> a1.1
           next goose -> nothing"#,
        "a3 in-progress / a2 in-progress / a4 in-progress / a1 in-progress",
    );
    // Also between tasks that different agents may take.
    check(
        r#"add "Old" low
           add "New" high needs rust
           add "Newer" for goose
           next goose can rust -> a2.1
           next goose can rust -> a3.1
           next goose can rust -> a1.1"#,
        "a2 in-progress / a3 in-progress / a1 in-progress",
    );
}

#[test]
fn q3_next_waits_for_dependencies_to_be_completed() {
    check(
        r#"add "First" low
           add "Second" high after a1
           add "Third" high after a1,a2
           next goose    -> a1.1
           next goose    -> nothing
           claim a2 goose -> refused not-ready
           partial a1.1
           next goose    -> nothing
           retry a1
           next goose    -> a1.2
           complete a1.2
           next goose    -> a2.1
           next goose    -> nothing
           edit a3 after a1
           next goose    -> a3.1"#,
        "a2 in-progress / a3 in-progress / a1 completed",
    );
}

#[test]
fn q3_next_goes_by_capabilities_and_assignee() {
    for (task, agent, outcome) in [
        ("", "goose", "a1.1"),
        ("", "goose can rust", "a1.1"),
        ("needs rust", "goose", "nothing"),
        ("needs rust", "goose can rust", "a1.1"),
        ("needs rust,gpu", "goose can rust", "nothing"),
        ("needs rust,gpu", "goose can gpu,rust,web", "a1.1"),
        ("for goose", "goose", "a1.1"),
        ("for goose", "heron", "nothing"),
        ("for goose needs rust", "goose", "nothing"),
        ("for goose needs rust", "goose can rust", "a1.1"),
        ("for goose needs rust", "heron can rust", "nothing"),
    ] {
        let claimed = if outcome == "nothing" { "refused not-for-agent" } else { outcome };
        for (order, outcome) in [("next", outcome), ("claim a1", claimed)] {
            let mut queue = Queue::new();
            queue.obey(&format!("add \"A\" {task}"));
            assert_eq!(queue.obey(&format!("{order} {agent}")).short(), outcome, "{order} by {agent} of {task:?}");
        }
    }
}

#[test]
fn q3_what_is_taken_is_not_handed_out_again() {
    check(
        r#"add "A"
           next goose     -> a1.1
           next heron     -> nothing
           claim a1 heron -> refused held"#,
        "a1 in-progress",
    );
}

/// A lease of 60 s taken at 0 s, with three attempts: what the queue says to each word at each moment.
#[test]
fn q4_leases_and_late_words() {
    for (script, expected) in [
        ("wait 59999ms \n show a1      -> medium in-progress by goose, attempt 1, 1 of 3 used", "a1 in-progress"),
        ("wait 60s     \n show a1      -> medium pending by goose, attempt 1, 1 of 3 used", "a1 pending"),
        (
            "wait 59s \n heartbeat a1.1 \n wait 59s \n show a1 -> medium in-progress by goose, attempt 1, 1 of 3 used",
            "a1 in-progress",
        ),
        ("wait 59s \n heartbeat a1.1 \n wait 60s \n heartbeat a1.1 -> refused late-word", "a1 pending"),
        ("wait 61s \n heartbeat a1.1 -> refused late-word", "a1 pending"),
        ("wait 61s \n complete a1.1  -> refused late-word", "a1 pending"),
        ("wait 61s \n run a1.1: complete a1 -> refused late-word", "a1 pending"),
        // The next holder has it: the old one cannot speak for the new one, nor keep it from it.
        ("wait 61s \n next heron -> a1.2 \n complete a1.1 -> refused late-word", "a1 in-progress"),
        ("wait 61s \n next heron -> a1.2 \n run a1.1: fail a1 -> refused late-word", "a1 in-progress"),
        ("wait 61s \n next heron -> a1.2 \n complete a1.2", "a1 completed"),
        ("complete a1.2 -> refused late-word", "a1 in-progress"),
        ("cancel a1 \n complete a1.1 -> refused late-word", "a1 cancelled"),
        ("fail a1.1 \n complete a1.1 -> refused late-word", "a1 failed"),
        // The third silence uses up the attempts; a retry gives three new ones and goes on counting.
        (
            "wait 61s \n next goose \n wait 61s \n next goose -> a1.3 \n wait 61s \n show a1 -> medium failed by goose, attempt 3, 3 of 3 used",
            "a1 failed",
        ),
        (
            "wait 61s \n next goose \n wait 61s \n next goose \n wait 61s \n retry a1 \n show a1 -> medium pending by goose, attempt 3, 0 of 3 used \n next goose -> a1.4",
            "a1 in-progress",
        ),
        // The wall clock measures nothing.
        ("clock 10d  \n show a1      -> medium in-progress by goose, attempt 1, 1 of 3 used", "a1 in-progress"),
        ("wait 61s \n clock -1d \n heartbeat a1.1 -> refused late-word", "a1 pending"),
        // After a restart of the machine the holder gets one more length to show that it lives.
        ("wait 59s \n restart \n wait 59s \n heartbeat a1.1", "a1 in-progress"),
        ("wait 59s \n restart \n wait 60s \n heartbeat a1.1 -> refused late-word", "a1 pending"),
    ] {
        check(&format!("add \"A\"\n next goose lease 60s -> a1.1\n {script}"), expected);
    }
}

#[test]
fn q4_a_time_limit_ends_an_attempt_that_still_lives() {
    check(
        r#"add "A" limit 90s attempts 1
           next goose lease 60s
           wait 50s
           heartbeat a1.1
           wait 39s
           heartbeat a1.1
           wait 1s
           heartbeat a1.1 -> refused late-word"#,
        "a1 failed",
    );
}

#[test]
fn q4_a_run_ends_once_with_its_outcome() {
    let mut queue = Queue::new();
    for line in [
        "add \"A\" limit 90s",
        "add \"B\"",
        "add \"C\"",
        "next goose lease 60s",
        "wait 61s",
        "next heron lease 5m",
        "next goose lease 5m",
        "next otter lease 5m",
        "cancel a2",
        "complete a3.1",
        "wait 91s",
    ] {
        queue.obey(line);
    }
    let ends: Vec<String> = queue
        .memory
        .runs()
        .iter()
        .map(|(run, kept)| {
            format!("{run} {} {}", kept.run.agent, kept.run.ended.map_or("open", |_| kept.run.standing.state.name()))
        })
        .collect();
    assert_eq!(
        ends,
        ["a1.1 goose disconnected", "a1.2 heron timed-out", "a2.1 goose cancelled", "a3.1 otter completed"]
    );
}

#[test]
fn q5_what_was_shown_before_somebody_else_changed_it_is_not_overwritten() {
    let mut queue = Queue::new();
    queue.obey("add \"A\"");
    let shown_at = queue.task("a1").revision;
    queue.obey("edit a1 title \"B\"");
    for command in [
        Command::EditTask {
            task: "a1".into(),
            edit: Edit { title: Some("C".into()), ..Edit::default() },
            shown_at: Some(shown_at),
        },
        Command::RemoveTask { task: "a1".into(), shown_at: Some(shown_at) },
        Command::CancelTask { task: "a1".into(), reason: None, shown_at: Some(shown_at) },
        Command::MoveTask { task: "a1".into(), place: Place::Top, shown_at: Some(shown_at) },
        Command::RetryTask { task: "a1".into(), shown_at: Some(shown_at) },
    ] {
        let outcome = queue.ask(person(), command);
        assert_eq!(
            outcome,
            Outcome::Refused(
                "stale",
                "a1 has changed since it was shown (revision 1, now 2). Look at it again, then repeat.".into()
            )
        );
    }
    assert_eq!(queue.task("a1").title, "B");
    let shown_at = Some(queue.task("a1").revision);
    assert_eq!(
        queue.ask(person(), Command::CancelTask { task: "a1".into(), reason: None, shown_at }).short(),
        "cancelled"
    );
}

/// A heartbeat is no change that anybody decided: what a person was shown before it still holds.
#[test]
fn q5_a_heartbeat_makes_nothing_stale_and_leaves_no_record() {
    let mut queue = Queue::new();
    queue.obey("add \"A\"");
    queue.obey("next goose");
    let (shown_at, records) = (queue.task("a1").revision, queue.memory.records());
    queue.obey("wait 5s");
    queue.obey("heartbeat a1.1");
    assert_eq!(queue.memory.records(), records);
    let edit = Edit { title: Some("B".into()), ..Edit::default() };
    let command = Command::EditTask { task: "a1".into(), edit, shown_at: Some(shown_at) };
    assert_eq!(queue.ask(person(), command).short(), "in-progress");
}

/// The rules look a bounded number of times, whatever the size of the queue.
#[test]
fn q6_a_longer_queue_needs_no_more_look_ups() {
    let mut counts = Vec::new();
    for size in [100, 10_000] {
        let mut queue = Queue::new();
        for _ in 0..size {
            let draft = TaskDraft { title: "T".into(), max_attempts: 3, ..TaskDraft::default() };
            queue.ask(person(), Command::AddTask(draft));
        }
        let count = |line: &str| {
            let (actor, command) = queue.command(line).expect("it is a command");
            let counting = Counting { memory: &queue.memory, asked: Cell::new(0), count: None };
            let turn = decide(&counting, &Input::Asked { actor, command }, &queue.now());
            let turn = turn.unwrap_or_else(|never| match never {});
            assert!(turn.verdict.is_ok(), "{line}: {:?}", turn.verdict);
            counting.asked.get()
        };
        let lines = [
            "add \"A\" after a1,a2",
            "next goose",
            "claim a50 goose",
            "move a50 top",
            "cancel a50",
            "edit a50 priority high",
        ];
        counts.push(lines.map(|line| count(&line.replace("a50", "b50"))));
    }
    assert_eq!(counts[0], counts[1]);
    assert_eq!(counts[0], [6, 7, 6, 5, 4, 3]);
}

#[test]
fn q7_each_bad_value_is_named_and_nothing_is_changed() {
    let tasks = "add \"A\"\n add \"B\" after a1\n add \"C\" after a2\n".to_owned() + &"add \"T\"\n".repeat(9);
    let long = "x".repeat(10_000_000);
    for (order, code, sentence) in [
        ("add \"\"", "empty-text", "The title is empty. Say in a few words what is wanted."),
        ("add \"  \t \"", "empty-text", "The title is empty. Say in a few words what is wanted."),
        ("add \"A\" urgent", "unknown-priority", "\"urgent\" is not a priority. Use low, medium or high."),
        ("edit a1 priority High", "unknown-priority", "\"High\" is not a priority. Use low, medium or high."),
        ("cancel z9", "unknown-task", "There is no task \"z9\". `augment-cli queue list --all` shows them all."),
        (
            "add \"A\" after b99",
            "unknown-task",
            "There is no task \"b99\". `augment-cli queue list --all` shows them all.",
        ),
        ("cancel b1", "ambiguous-task", "\"b1\" could be b10, b11, b12. Type more of the id."),
        ("edit a1 after a1", "dependency-cycle", "a1 cannot depend on itself. Name another task."),
        (
            "edit a1 after a2",
            "dependency-cycle",
            "That would make a circle of dependencies: a1 → a2 → a1. Leave one of them out.",
        ),
        (
            "edit a1 after a5,a3",
            "dependency-cycle",
            "That would make a circle of dependencies: a1 → a3 → a2 → a1. Leave one of them out.",
        ),
        (
            &format!("add \"{long}\""),
            "text-too-long",
            "The title is 10000000 characters long; the limit is 200. Shorten it and put the rest into the description.",
        ),
        (
            "add \"a\u{1b}[31mb\"",
            "control-character",
            "The title has a control character (U+001B) at position 2. Remove it.",
        ),
        (
            "add \"two\nlines\"",
            "control-character",
            "The title has a control character (U+000A) at position 4. Remove it.",
        ),
        (
            "edit a1 title \"\u{202e}txt\"",
            "control-character",
            "The title has a control character (U+202E) at position 1. Remove it.",
        ),
        ("add \"A\" limit 0s", "bad-duration", "A time limit of 0ms is out of range. Use 1s to 30d."),
        ("add \"A\" attempts 0", "bad-attempts", "0 attempts are out of range. Use 1 to 1000."),
        ("next goose lease 0s", "bad-duration", "A lease of 0ms is out of range. Use 1s to 1d."),
        ("next \"\"", "empty-text", "The agent name is empty. Name one, or leave it out."),
        ("edit a1", "nothing-to-change", "Nothing to change in a1. Say what is to be different, for example --title."),
        (
            "edit a1 title \" A \"",
            "nothing-to-change",
            "Nothing to change in a1. Say what is to be different, for example --title.",
        ),
        ("remove a1", "needed", "a1 is needed by a2. Remove those first, or edit what they depend on."),
        ("move a1 after a1", "beside-itself", "a1 cannot be moved next to itself. Name another task."),
        ("retry a1", "wrong-status", "a1 is pending, so it cannot be retried. It is waiting to be taken already."),
        (
            "claim a3 goose",
            "not-ready",
            "a3 waits for a2. Complete that first, or take it out with `augment-cli queue edit a3 --depends-on`.",
        ),
    ] {
        refused(&tasks, order, code, sentence);
    }
}

#[test]
fn q7_an_ambiguous_beginning_names_a_few_tasks() {
    refused(
        &"add \"T\"\n".repeat(20),
        "cancel b",
        "ambiguous-task",
        "\"b\" could be b10, b11, b12, b13, b14 or others. Type more of the id.",
    );
}

#[test]
fn q7_words_about_a_task_that_is_held() {
    let held = "add \"A\"\n add \"B\" needs rust\n add \"C\" for heron\n next goose\n";
    let wait = "Wait for it, or `augment-cli queue cancel a1` first.";
    for (order, code, sentence) in [
        ("edit a1 needs gpu", "held", format!("a1 is being worked on by goose (attempt 1), so it cannot be given to others. {wait}")),
        ("edit a1 after a2", "held", format!("a1 is being worked on by goose (attempt 1), so it cannot be given to others. {wait}")),
        ("remove a1", "held", format!("a1 is being worked on by goose (attempt 1), so it cannot be removed. {wait}")),
        ("claim a1 heron", "held", format!("a1 is being worked on by goose (attempt 1), so it cannot be taken. {wait}")),
        (
            "complete a1",
            "attempt-not-said",
            "a1 is held by goose. Say --attempt 1 to speak for that attempt, or `augment-cli queue cancel a1` to end it.".into(),
        ),
        (
            "complete a1.7",
            "late-word",
            "Attempt 7 at a1 is not the current one: the task is in-progress, at attempt 1. This word changed nothing.".into(),
        ),
        ("claim a2 heron can gpu", "not-for-agent", "heron cannot take a2: it requires the capability rust. Name what the agent can do with --capability.".into()),
        ("claim a3 goose", "not-for-agent", "goose cannot take a3: it is assigned to heron. Change that with `augment-cli queue edit a3 --assignee`.".into()),
    ] {
        refused(held, order, code, &sentence);
    }
    refused(
        &format!("{held}wait 61s\n"),
        "heartbeat a1.1",
        "late-word",
        "Attempt 1 at a1 has ended: the task is pending now. This word came too late and changed nothing.",
    );
}

#[test]
fn q7_a_full_queue_says_so() {
    let mut queue = Queue::new();
    queue.obey("add \"A\"");
    let full = Counting { memory: &queue.memory, asked: Cell::new(0), count: Some(QUEUE_LIMIT) };
    let (actor, command) = queue.command("add \"B\"").expect("it is a command");
    let turn = decide(&full, &Input::Asked { actor, command }, &queue.now()).unwrap_or_else(|never| match never {});
    assert_eq!(
        turn.verdict.expect_err("it is full").to_string(),
        "The queue holds 1000000 tasks, which is its limit. Remove ended ones with `augment-cli queue remove`."
    );
}

/// A run reports on its own attempt and decides nothing.
#[test]
fn a_run_may_only_speak_for_its_own_attempt() {
    let held = "add \"A\"\n add \"B\"\n next goose\n next heron\n";
    for (order, name) in [
        ("add \"C\"", "queue add"),
        ("edit a1 title \"B\"", "queue edit"),
        ("move a1 top", "queue move"),
        ("remove a1", "queue remove"),
        ("cancel a1", "queue cancel"),
        ("retry a1", "queue retry"),
        ("next goose", "queue next"),
        ("claim a2 goose", "queue claim"),
        // Not even where the order is wrong in itself.
        ("add \"\"", "queue add"),
        ("cancel z9", "queue cancel"),
    ] {
        let sentence = format!("A run may not do `{name}`. A person decides that.");
        refused(held, &format!("run a1.1: {order}"), "role-may-not", &sentence);
    }
    let sentence = "This run works on a1 and cannot speak for a2. Name a1.";
    refused(held, "run a1.1: complete a2", "not-its-task", sentence);
    // Its own attempt counts, whichever it names.
    refused(held, "run a1.1: heartbeat a2.1", "not-its-task", sentence);
    check(&format!("{held}run a1.1: heartbeat a1\n run a1.1: complete a1.9"), "a1 completed / a2 in-progress");
}

#[test]
fn every_refusal_and_every_change_leaves_one_record() {
    let mut queue = Queue::new();
    for line in [
        "add \"A\"",
        "add \"\"",
        "next goose",
        "run a1.1: cancel a1",
        "wait 61s",
        "complete a1.1",
        "cancel a1",
        "next goose",
    ] {
        queue.obey(line);
    }
    let records: Vec<String> = queue
        .memory
        .links()
        .iter()
        .map(|link| format!("{} {} {}", link.record.actor, link.record.kind, link.record.subject))
        .collect();
    assert_eq!(
        records,
        [
            "person:ada task.added task:a1",
            "person:ada refused workspace",
            "person:ada task.claimed task:a1",
            "run:a1.1 refused workspace",
            "host task.returned task:a1",
            "person:ada refused task:a1",
            "person:ada task.cancelled task:a1",
        ]
    );
    assert_eq!(queue.memory.verify(), Ok(7));
}

/// Runs the script, compares what comes of each line that says so, and the queue in the end.
#[track_caller]
fn check(script: &str, expected: &str) {
    let mut queue = Queue::new();
    queue.play(script);
    assert_eq!(queue.shown(), expected, "after\n{script}");
    assert!(queue.memory.verify().is_ok());
}

/// After the script, the order is refused with this code and exactly this sentence, and nothing but a record is new.
#[track_caller]
fn refused(script: &str, order: &str, code: &'static str, sentence: &str) {
    let mut queue = Queue::new();
    queue.play(script);
    let (tasks, records) = (queue.memory.tasks(), queue.memory.records());
    assert_eq!(queue.obey(order), Outcome::Refused(code, sentence.to_owned()));
    assert_eq!(queue.memory.tasks(), tasks, "{order} changed something");
    assert_eq!(queue.memory.records(), records + 1, "{order} left a record");
}

/// A view that counts how often it is asked, and may lie about how many tasks there are.
struct Counting<'a> {
    memory: &'a Memory,
    asked: Cell<u32>,
    count: Option<u64>,
}

impl Counting<'_> {
    fn ask(&self) -> &Memory {
        self.asked.set(self.asked.get() + 1);
        self.memory
    }
}

impl View for Counting<'_> {
    type Error = Infallible;

    fn task(&self, id: TaskId) -> Result<Option<Task>, Self::Error> {
        View::task(self.ask(), id)
    }

    fn next_number(&self) -> Result<u64, Self::Error> {
        self.ask().next_number()
    }

    fn task_count(&self) -> Result<u64, Self::Error> {
        self.count.map_or_else(|| self.ask().task_count(), Ok)
    }

    fn ids_within(&self, numbers: RangeInclusive<u64>, limit: usize) -> Result<Vec<TaskId>, Self::Error> {
        self.ask().ids_within(numbers, limit)
    }

    fn dependents(&self, id: TaskId) -> Result<Vec<TaskId>, Self::Error> {
        self.ask().dependents(id)
    }

    fn ready_routes(&self) -> Result<Vec<Route>, Self::Error> {
        self.ask().ready_routes()
    }

    fn first_ready(&self, route: &Route) -> Result<Option<(Priority, Rank, TaskId)>, Self::Error> {
        self.ask().first_ready(route)
    }

    fn neighbour(&self, priority: Priority, rank: Option<Rank>, side: Side) -> Result<Option<Rank>, Self::Error> {
        self.ask().neighbour(priority, rank, side)
    }

    fn ids_at(&self, priority: Priority, major: i64) -> Result<Vec<TaskId>, Self::Error> {
        self.ask().ids_at(priority, major)
    }

    fn leases_due(&self, boot: &Boot, steady: Steady, limit: usize) -> Result<Vec<TaskId>, Self::Error> {
        self.ask().leases_due(boot, steady, limit)
    }

    fn run(&self, id: RunId) -> Result<Option<augment_core::run::Run>, Self::Error> {
        self.ask().run(id)
    }

    fn runs_silent(&self, boot: &Boot, steady: Steady, limit: usize) -> Result<Vec<RunId>, Self::Error> {
        self.ask().runs_silent(boot, steady, limit)
    }

    fn processes(&self, agent: &str) -> Result<(u32, u32), Self::Error> {
        self.ask().processes(agent)
    }

    fn report(&self, id: RunId) -> Result<Option<String>, Self::Error> {
        self.ask().report(id)
    }

    fn question(&self, id: QuestionId) -> Result<Option<Question>, Self::Error> {
        self.ask().question(id)
    }

    fn open_questions(&self, run: RunId) -> Result<Vec<Question>, Self::Error> {
        self.ask().open_questions(run)
    }

    fn questions_of(&self, run: RunId, limit: usize) -> Result<Vec<Question>, Self::Error> {
        self.ask().questions_of(run, limit)
    }

    fn next_question(&self) -> Result<QuestionId, Self::Error> {
        self.ask().next_question()
    }

    fn hand_off(&self, id: HandOffId) -> Result<Option<HandOff>, Self::Error> {
        self.ask().hand_off(id)
    }

    fn hand_off_to(&self, task: TaskId) -> Result<Option<HandOff>, Self::Error> {
        self.ask().hand_off_to(task)
    }

    fn next_hand_off(&self) -> Result<HandOffId, Self::Error> {
        self.ask().next_hand_off()
    }

    fn hand_off_policy(&self) -> Result<HandOffPolicy, Self::Error> {
        self.ask().hand_off_policy()
    }

    fn active_runs(&self, limit: usize) -> Result<Vec<RunId>, Self::Error> {
        self.ask().active_runs(limit)
    }

    fn has_run_since(&self, since: Wall) -> Result<bool, Self::Error> {
        self.ask().has_run_since(since)
    }

    fn file(&self, number: FileNumber) -> Result<Option<TrackedFile>, Self::Error> {
        self.ask().file(number)
    }

    fn file_at(&self, path: &FilePath) -> Result<Option<TrackedFile>, Self::Error> {
        self.ask().file_at(path)
    }

    fn parked_at(&self, path: &FilePath, branch: &str) -> Result<Option<TrackedFile>, Self::Error> {
        self.ask().parked_at(path, branch)
    }

    fn parked(&self, path: &FilePath, limit: usize) -> Result<Vec<TrackedFile>, Self::Error> {
        self.ask().parked(path, limit)
    }

    fn next_file(&self) -> Result<u64, Self::Error> {
        self.ask().next_file()
    }

    fn pending_files(&self, of: &PendingOf, limit: usize) -> Result<Vec<FileNumber>, Self::Error> {
        self.ask().pending_files(of, limit)
    }

    fn hunks_starting(&self, beginning: &str, limit: usize) -> Result<Vec<(String, FileNumber)>, Self::Error> {
        self.ask().hunks_starting(beginning, limit)
    }

    fn approvals(&self, hunk: &str) -> Result<Vec<Approval>, Self::Error> {
        self.ask().approvals(hunk)
    }

    fn claims(&self, path: &FilePath) -> Result<Vec<FileWord>, Self::Error> {
        self.ask().claims(path)
    }

    fn decision(&self, id: DecisionId) -> Result<Option<Decision>, Self::Error> {
        self.ask().decision(id)
    }

    fn decision_in(
        &self,
        file: FileNumber,
        step: augment_core::weave::DecisionNo,
    ) -> Result<Option<Decision>, Self::Error> {
        self.ask().decision_in(file, step)
    }

    fn approved_by(&self, decision: DecisionId) -> Result<Vec<Approval>, Self::Error> {
        self.ask().approved_by(decision)
    }

    fn next_decision(&self) -> Result<DecisionId, Self::Error> {
        self.ask().next_decision()
    }

    fn newest_decisions(&self, limit: usize) -> Result<Vec<Decision>, Self::Error> {
        self.ask().newest_decisions(limit)
    }

    fn decisions_until(&self, until: Wall, limit: usize) -> Result<Vec<Decision>, Self::Error> {
        self.ask().decisions_until(until, limit)
    }

    fn done_files(&self, limit: usize) -> Result<Vec<FileNumber>, Self::Error> {
        self.ask().done_files(limit)
    }

    fn unneeded(&self, files: &[TrackedFile]) -> Result<Vec<(ContentHash, u64)>, Self::Error> {
        self.ask().unneeded(files)
    }

    fn session(&self) -> Result<Option<Session>, Self::Error> {
        self.ask().session()
    }

    fn session_of(&self, id: SessionId) -> Result<Option<Session>, Self::Error> {
        self.ask().session_of(id)
    }

    fn closing(&self, session: SessionId) -> Result<Option<augment_core::closing::Closing>, Self::Error> {
        self.ask().closing(session)
    }

    fn open_closings(&self, limit: usize) -> Result<Vec<augment_core::closing::Closing>, Self::Error> {
        self.ask().open_closings(limit)
    }

    fn flags_of(&self, session: SessionId, limit: usize) -> Result<Vec<Flag>, Self::Error> {
        self.ask().flags_of(session, limit)
    }

    fn refused_in(&self, session: &Session, limit: usize) -> Result<Vec<String>, Self::Error> {
        self.ask().refused_in(session, limit)
    }

    fn acknowledged_since(&self, since: Wall, limit: usize) -> Result<Vec<Acknowledged>, Self::Error> {
        self.ask().acknowledged_since(since, limit)
    }

    fn prompt(&self) -> Result<Option<Prompt>, Self::Error> {
        self.ask().prompt()
    }

    fn prompt_of(&self, id: PromptId) -> Result<Option<Prompt>, Self::Error> {
        self.ask().prompt_of(id)
    }

    fn next_prompt(&self) -> Result<PromptId, Self::Error> {
        self.ask().next_prompt()
    }

    fn next_session(&self) -> Result<SessionId, Self::Error> {
        self.ask().next_session()
    }

    fn last_session_number(&self) -> Result<u32, Self::Error> {
        self.ask().last_session_number()
    }

    fn session_policy(&self) -> Result<SessionPolicy, Self::Error> {
        self.ask().session_policy()
    }

    fn governance(&self) -> Result<Arc<Governance>, Self::Error> {
        self.ask().governance()
    }

    fn open_task_titled(&self, title: &str) -> Result<Option<TaskId>, Self::Error> {
        self.ask().open_task_titled(title)
    }

    fn waiting_hunks(&self, task: TaskId) -> Result<u32, Self::Error> {
        self.ask().waiting_hunks(task)
    }

    fn touched_by(&self, task: TaskId, limit: usize) -> Result<Vec<(FilePath, Touch)>, Self::Error> {
        self.ask().touched_by(task, limit)
    }

    fn flag(&self, id: FlagId) -> Result<Option<Flag>, Self::Error> {
        self.ask().flag(id)
    }

    fn next_flag(&self) -> Result<u64, Self::Error> {
        self.ask().next_flag()
    }

    fn flags_at(&self, session: SessionId, path: &FilePath) -> Result<Vec<Flag>, Self::Error> {
        self.ask().flags_at(session, path)
    }

    fn is_committed(&self, file: FileNumber) -> Result<bool, Self::Error> {
        self.ask().is_committed(file)
    }

    fn flags_open_at(&self, path: &FilePath) -> Result<Vec<Flag>, Self::Error> {
        self.ask().flags_open_at(path)
    }

    fn flags_left(&self, but: Option<SessionId>, limit: usize) -> Result<Vec<Flag>, Self::Error> {
        self.ask().flags_left(but, limit)
    }

    fn flags_passed_at(&self, path: &FilePath) -> Result<Vec<Flag>, Self::Error> {
        self.ask().flags_passed_at(path)
    }

    fn flags_waiting(&self, session: SessionId, limit: usize) -> Result<Vec<Flag>, Self::Error> {
        self.ask().flags_waiting(session, limit)
    }

    fn decided_since(&self, since: Wall, limit: usize) -> Result<Vec<Question>, Self::Error> {
        self.ask().decided_since(since, limit)
    }

    fn acknowledged(&self, hunk: &str) -> Result<Vec<Acknowledged>, Self::Error> {
        self.ask().acknowledged(hunk)
    }

    fn allowed(&self) -> Result<Vec<Allowed>, Self::Error> {
        self.ask().allowed()
    }

    fn next_allowed(&self) -> Result<u64, Self::Error> {
        self.ask().next_allowed()
    }

    fn review_policy(&self) -> Result<ReviewPolicy, Self::Error> {
        self.ask().review_policy()
    }
}
