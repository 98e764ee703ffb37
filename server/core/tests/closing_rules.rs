//! The rules of a session's completion, one requirement at a time, as scripts. The language is that of the rules of sessions,
//! with the steps beside it.

#[path = "closing_rules/desk.rs"]
mod desk;
#[expect(dead_code, reason = "the rules of sessions say more in it")]
#[path = "session_rules/script.rs"]
mod script;
#[expect(dead_code, reason = "the rules of sessions say more in it")]
#[path = "session_rules/words.rs"]
mod words;

use augment_core::closing::{Check, Delivered, StepName, StepOutcome};
use desk::Closed;

/// A session that one task was done in, approved, ended by a person.
const ENDED: &str = "start\n confirm Keep sessions\n claim a1\n a1 writes src/a: one\n bo approves src/a\n \
                     finish a1 completed\n end\n written";

fn closed(script: &str) -> Closed {
    Closed::after(script)
}

fn has(lines: &[String], part: &str) {
    assert!(lines.iter().any(|line| line.contains(part)), "{part:?} is not in {lines:?}");
}

#[test]
fn e1_the_seven_steps_are_taken_in_order_and_each_is_recorded_once() {
    let mut closed = closed(ENDED);
    assert_eq!(closed.standing(), "waiting waiting waiting waiting waiting waiting waiting");
    for step in StepName::ALL {
        assert_eq!(closed.wanted(), Some(step));
        closed.take();
    }
    assert_eq!(closed.standing(), "done done done done done done done");
    assert!(!closed.closing().sealed, "the archive does not tell of the last steps yet");
    closed.seal(None);
    assert!(!closed.closing().is_open());
    let steps: Vec<String> = closed.records("closing.step").iter().map(|data| field(data, "step")).collect();
    assert_eq!(steps, StepName::ALL.map(|step| step.name().to_owned()));
    assert_eq!(closed.records("closing.ended").len(), 1);
    for record in closed.records("closing.step") {
        assert_eq!(field(&record, "protocol"), "session-completion/1");
    }
}

fn field(data: &str, name: &str) -> String {
    let (_, rest) = data.split_once(&format!("\"{name}\":\"")).expect("it is there");
    rest.split('"').next().expect("its end").to_owned()
}

#[test]
fn e1_what_comes_twice_is_recorded_once() {
    let mut closed = closed(ENDED);
    let step = closed.take();
    closed.tell(step, desk::nothing());
    closed.tell(StepName::Archive, desk::nothing());
    assert_eq!(closed.records("closing.step").len(), 1);
    closed.take_all();
    closed.seal(None);
    closed.seal(Some("too late"));
    assert_eq!(closed.standing(), "done done done done done done done");
}

#[test]
fn e1_confirmation_names_the_word_of_a_person_or_the_criterion_in_its_place() {
    for (script, expected) in [
        (ENDED.to_owned(), "acknowledged: a person ended the session"),
        (ENDED.replace(" end\n", " wait 61m\n"), "implicit, by the criterion: nothing happened for 60 minutes"),
        (ENDED.replace(" end\n", " left\n"), "implicit, by the criterion: the window was closed"),
    ] {
        let mut closed = closed(&script);
        closed.take();
        let evidence = closed.evidence(StepName::Confirmation);
        has(&evidence, expected);
        has(&evidence, "1/1 of the scope completed");
    }
}

#[test]
fn e1_outputs_are_what_was_approved_and_what_a_person_names() {
    let others = " a1 writes src/b: two\n bo rejects src/b\n a1 writes src/c: three\n finish";
    let mut closed = closed(&ENDED.replace(" finish", others));
    closed.take();
    assert_eq!(closed.outputs(), ["src/a"]);
    closed.take_all();
    closed.seal(None);
    has(&closed.evidence(StepName::Outputs), "src/c: not delivered, it waits for review");
    assert!(!closed.evidence(StepName::Outputs).iter().any(|line| line.contains("src/b")));
    closed.complete(|completion| completion.artifacts = vec!["docs/report.pdf".to_owned()]);
    closed.take();
    assert_eq!(closed.outputs(), ["docs/report.pdf", "src/a"]);
    // What is missing fails the step, and the others go on.
    closed.answer_outputs(|artifact| {
        if artifact.path == "docs/report.pdf" {
            (artifact.check, artifact.received) = (Check::Missing, false);
        }
    });
    assert_eq!(closed.closing().outcome(StepName::Outputs), StepOutcome::Failed);
    has(&closed.evidence(StepName::Outputs), "docs/report.pdf: missing, not received");
    assert_eq!(closed.wanted(), Some(StepName::Archive));
}

#[test]
fn e1_a_session_that_made_nothing_skips_its_outputs() {
    let mut closed = closed("start\n confirm Keep sessions\n claim a1\n finish a1 completed\n end\n written");
    closed.take_all();
    assert_eq!(closed.standing(), "done skipped done done done done done");
}

#[test]
fn e1_what_is_approved_after_the_end_is_delivered_when_a_person_completes_it() {
    let mut closed = closed(&ENDED.replace(" bo approves src/a\n", ""));
    closed.take_all();
    closed.seal(None);
    assert_eq!(closed.standing(), "done skipped done done done done done");
    closed.desk.play("bo approves src/a");
    closed.complete(|_| {});
    closed.take();
    assert_eq!(closed.outputs(), ["src/a"]);
}

#[test]
fn e1_without_a_folder_there_is_no_archive() {
    let mut closed = closed(ENDED);
    closed.desk.memory.governed_mut().policy.archive = None;
    closed.take_all();
    assert_eq!(closed.standing(), "done done done done done skipped done");
    assert!(!closed.closing().is_open(), "there is nothing to seal");
}

#[test]
fn e2_an_abandoned_session_has_nothing_to_complete() {
    let closed = closed("start\n end");
    assert!(closed.desk.memory.governed().closings.is_empty());
}

#[test]
fn e2_a_step_that_fails_does_not_stop_the_others_and_can_be_run_again() {
    let mut closed = closed(ENDED);
    closed.take_until(StepName::Archive);
    closed.fail("memory-bank is a file");
    closed.take_all();
    assert_eq!(closed.standing(), "done done done done done failed done");
    assert!(!closed.closing().is_open(), "a start does not try it again by itself");
    assert_eq!(closed.refused_resume(), None);
    assert_eq!(closed.wanted(), Some(StepName::Archive));
    closed.take();
    closed.seal(None);
    assert_eq!(closed.standing(), "done done done done done done done");
    assert_eq!(closed.tries(StepName::Archive), 2);
    assert_eq!(closed.refused_resume(), Some("nothing-to-resume"));
}

#[test]
fn e2_an_archive_that_cannot_be_written_once_more_is_told() {
    let mut closed = closed(ENDED);
    closed.take_all();
    closed.seal(Some("the disk is full"));
    assert_eq!(closed.standing(), "done done done done done failed done");
    has(&closed.evidence(StepName::Archive), "the disk is full");
}

#[test]
fn e2_the_next_process_goes_on_where_the_last_one_was_killed() {
    for killed_before in StepName::ALL {
        let mut closed = closed(ENDED);
        closed.take_until(killed_before);
        let before = closed.standing();
        closed.taken_up();
        assert_eq!(closed.standing(), before);
        assert_eq!(closed.wanted(), Some(killed_before));
        closed.take_all();
        closed.taken_up();
        closed.seal(None);
        assert_eq!(closed.standing(), "done done done done done done done");
        assert_eq!(closed.records("closing.step").len(), 7, "killed before {killed_before}");
    }
}

#[test]
fn e1_a_person_adds_learnings_a_rating_and_tags_and_acknowledges() {
    let mut closed = closed(&ENDED.replace(" end\n", " left\n"));
    closed.take_all();
    closed.seal(None);
    closed.complete(|completion| {
        completion.learnings = vec!["The API pages from 1".to_owned()];
        completion.rating = Some(4);
        completion.feedback = Some("quick".to_owned());
        completion.tags = vec!["io".to_owned()];
    });
    assert_eq!(closed.standing(), "waiting done done waiting done waiting done");
    closed.take_all();
    closed.seal(None);
    has(&closed.evidence(StepName::Confirmation), "acknowledged by ada");
    has(&closed.evidence(StepName::Knowledge), "rated 4 of 5");
    let content = closed.content();
    assert_eq!(content.learnings[0].text, "The API pages from 1");
    assert_eq!(content.tags, ["demo", "goose", "io"]);
    assert_eq!(closed.tries(StepName::Notification), 1, "nobody is told twice");
}

#[test]
fn e1_what_a_person_adds_is_checked() {
    let mut closed = closed(ENDED);
    closed.take_all();
    closed.seal(None);
    for (change, code) in [
        (desk::rating(Some(6), None), "bad-rating"),
        (desk::rating(None, Some("good")), "bad-rating"),
        (desk::artifact("../outside"), "bad-path"),
        (desk::learning(" "), "empty-text"),
    ] {
        assert_eq!(closed.refused(change), code);
    }
    let mut open = Closed::after("start\n confirm Keep sessions\n claim a1");
    assert_eq!(open.refused(desk::rating(Some(3), None)), "not-ended");
}

#[test]
fn e1_the_summary_tells_decisions_challenges_and_what_is_next() {
    let mut closed = closed(
        "start\n confirm Keep sessions; Check passwords in src/**\n claim a1\n a1 writes docs/a: one
         flag f1 allow-once\n a1 discovers Mend the gate\n finish a1 blocked\n end\n written",
    );
    closed.take_all();
    let content = closed.content();
    assert!(
        content.challenges.iter().any(|line| line.starts_with("Keep sessions: blocked")),
        "{:?}",
        content.challenges
    );
    let flagged = "docs/a lies outside the confirmed scope. (allowed once)";
    assert!(content.challenges.iter().any(|line| line == flagged), "{:?}", content.challenges);
    let next: Vec<&str> = content.next.iter().map(|next| next.title.as_str()).collect();
    assert_eq!(next, ["Keep sessions", "Check passwords", "Mend the gate"]);
    let summary = content.summary();
    for part in
        ["## Recap", "## Solutions", "| Keep sessions | blocked |", "- [ ] Medium: Mend the gate", "## Challenges"]
    {
        assert!(summary.contains(part), "{part:?} is not in\n{summary}");
    }
}

#[test]
fn what_looks_like_a_secret_is_masked_in_an_archive() {
    let token = ["gh", "p_7wQ3nZ5kXr8TbV2mLc9YdJ4hFs6GpAeUo1Ki"].concat();
    let mut closed = closed(ENDED);
    closed.take_all();
    closed.seal(None);
    let said = format!("Use {token} | <b>");
    closed.complete(|completion| completion.learnings = vec![said.clone()]);
    closed.take_all();
    let content = closed.content();
    assert_eq!(content.learnings[0].text, "Use [github-token] | <b>");
    assert!(content.summary().contains(r"- Use \[github-token\] \| \<b\>"), "{}", content.summary());
}

#[test]
fn a_delivery_reads_back_as_it_was_written() {
    for delivered in [Delivered::Workspace, Delivered::Folder("a:b".to_owned()), Delivered::Commit("c0ffee".to_owned())]
    {
        assert_eq!(Delivered::read(&delivered.to_string()), delivered);
    }
}

#[test]
fn e1_a_program_is_told_at_most_once_more_where_nobody_can_say_whether_it_was() {
    let mut closed = closed(ENDED);
    closed.take_until(StepName::Notification);
    for _ in 0..2 {
        assert!(closed.tells());
        closed.notice_begun();
        // The process ends, and the next one goes on.
        closed.taken_up();
    }
    assert!(!closed.tells());
    closed.take();
    assert_eq!(closed.standing(), "done done done done done done failed");
    has(&closed.evidence(StepName::Notification), "augment-cli session resume s1 tells it again");
    assert_eq!(closed.records("closing.notice").len(), 2);
    // A person may have it told again, and then it counts anew.
    assert_eq!(closed.refused_resume(), None);
    assert!(closed.tells());
    closed.notice_begun();
    closed.take();
    assert_eq!(closed.standing(), "done done done done done done done");
    assert_eq!(closed.closing().notices, 0);
}
