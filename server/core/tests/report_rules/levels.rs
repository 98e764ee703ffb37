//! The levels build on each other: a review holds the checkpoint, the end holds everything.

use augment_core::report::{
    Checkpoint, GoalImpact, Progress, SessionEnd, SprintReview, TaskEnd, TaskReport, standard_commit_message,
};

use super::{done, lifesum, next, oura, some, texts};

pub(crate) fn review() -> SprintReview {
    SprintReview {
        checkpoint: Checkpoint { progress: Progress { done: 14, total: 14 }, ..lifesum() },
        impacts: vec![(
            "Lifesum connector".to_owned(),
            GoalImpact {
                phase: some("Phase 1"),
                sprint_goal: some("All source connectors built and tested"),
                was: Progress { done: 13, total: 14 },
                now: Progress { done: 14, total: 14 },
                sprint: None,
                remaining: Vec::new(),
            },
        )],
        architecture: texts(&["Changed ARCHITECTURE.md", "Added folder src/connectors/lifesum"]),
        decisions: Vec::new(),
        next_sprint: vec![next("Silver layer", "3 h")],
    }
}

pub(crate) fn end() -> SessionEnd {
    SessionEnd {
        session: 9,
        date: "2026-02-28".to_owned(),
        minutes: 80,
        agents: texts(&["Claude Code (claude-sonnet-4-6)"]),
        tasks: vec![oura(), TaskReport { task: "Lifesum".to_owned(), end: TaskEnd::Blocked, ..oura() }],
        scope: Progress { done: 1, total: 2 },
        review: Some(review()),
        checkpoint: review().checkpoint,
        files: texts(&["src/connectors/lifesum/activity.py"]),
        not_done: vec![("Strava".to_owned(), "no key".to_owned())],
        decisions: texts(&["Timestamps are normalised to UTC"]),
        discovered: texts(&["Null handling for vo2_max"]),
        before: Progress { done: 13, total: 14 },
        after: Progress { done: 14, total: 14 },
        phase: some("Phase 1"),
        sprint_goal: some("All source connectors built and tested"),
        documents: texts(&["CHANGELOG.md: session 009 summary"]),
        commit_message: Some(standard_commit_message(
            9,
            &[
                ("CHANGELOG.md".to_owned(), "session 009 summary, sprint goal completion".to_owned()),
                ("PROJECT_PLAN.md".to_owned(), "14/14 tasks marked complete, Phase 1 at 100%".to_owned()),
            ],
        )),
        automatic: None,
        notes: Vec::new(),
    }
}

#[test]
fn s10_the_commit_has_the_standard_message() {
    let example = "\
docs: update project state after session 009

- CHANGELOG.md: session 009 summary, sprint goal completion
- PROJECT_PLAN.md: 14/14 tasks marked complete, Phase 1 at 100%
";
    assert_eq!(end().commit_message.as_deref(), Some(example));
    assert_eq!(
        standard_commit_message(1234, &[("docs/LOG.md".to_owned(), "a\nb".to_owned())]),
        "docs: update project state after session 1234\n\n- docs/LOG.md: a\\nb\n"
    );
}

#[test]
fn s7_a_sprint_review_ends_with_the_checkpoint_and_asks_nothing() {
    let expected = "\
Sprint review — \"All source connectors built and tested\": COMPLETE (14/14)

Goal impacts:
  Lifesum connector
    Phase 1: ██████████ 100% (was 92%)
    Sprint goal: \"All source connectors built and tested\" — 14/14 done
    Remaining: (none)

Architecture changes:
  • Changed ARCHITECTURE.md
  • Added folder src/connectors/lifesum

Decisions made:
  • (none)

Next sprint:
  • Silver layer (3 h)

";
    assert_eq!(review().render(), expected.to_owned() + &review().checkpoint.record());
    assert!(!review().render().contains('?'), "nobody waits for an answer to it");
}

#[test]
fn s10_the_end_tells_the_record_of_the_session() {
    let text = end().render();
    let heading = "\
Session 009 summary — 2026-02-28

Agents: Claude Code (claude-sonnet-4-6)
Duration: ~80 minutes
Tasks completed: 1/2

┌──";
    let record = "
Files changed:
  • src/connectors/lifesum/activity.py

What was NOT done:
  • Strava — no key

Decisions made:
  • Timestamps are normalised to UTC

Discovered tasks:
  • Null handling for vo2_max

Goal progress:
  Sprint goal: \"All source connectors built and tested\" — COMPLETE (14/14)
  Phase 1: ██████████ 100% (was 92%)

Documents updated:
  • CHANGELOG.md: session 009 summary

Proposed commit:
  docs: update project state after session 009

  - CHANGELOG.md: session 009 summary, sprint goal completion
  - PROJECT_PLAN.md: 14/14 tasks marked complete, Phase 1 at 100%

Commit this, or leave it?
";
    assert!(text.starts_with(heading), "{text}");
    assert!(text.ends_with(record), "{text}");
}

#[test]
fn s7_the_end_holds_every_level_before_it() {
    let end = end();
    let text = end.render();
    for task in &end.tasks {
        let row = format!("│ {:<51} │\n", "Continue, or adjust?");
        assert!(text.contains(&task.render().replace(&row, "")), "{text}");
        assert!(!text.contains(&row), "a session that is over asks no more after each task: {text}");
    }
    let question = "\n\nContinue with validation suite, or adjust scope?\n";
    let without_question = |text: String| text.strip_suffix(question).map(str::to_owned).expect("it asks last");
    assert!(text.contains(&review().render()), "{text}");
    assert!(text.contains(&without_question(end.checkpoint.render())), "{text}");
    assert!(!text.contains(question), "a session that is over asks no more how to go on: {text}");
    assert_eq!(text.matches("Session checkpoint —").count(), 1, "the review's checkpoint is the session's: {text}");

    let mut went_on = end.clone();
    went_on.checkpoint.done.push(done("One more", TaskEnd::Completed, None));
    let text = went_on.render();
    for checkpoint in [&went_on.checkpoint, &end.checkpoint] {
        assert!(text.contains(&without_question(checkpoint.render())), "{text}");
    }

    let plain = SessionEnd { review: None, ..end };
    let text = plain.render();
    assert!(text.contains(&without_question(plain.checkpoint.render())) && !text.contains("Sprint review"), "{text}");
}

#[test]
fn s10_an_end_that_nobody_asked_for_says_so_first() {
    let end = SessionEnd {
        automatic: some("The window was closed."),
        commit_message: None,
        notes: texts(&["Two hunks still wait for a decision."]),
        after: Progress { done: 13, total: 14 },
        not_done: Vec::new(),
        ..end()
    };
    let text = end.render();
    let heading = "\
[Session end protocol — running automatically]

The window was closed.

Session 009 summary — 2026-02-28
";
    assert!(text.starts_with(heading), "{text}");
    assert!(text.contains("\nWhat was NOT done:\n  • Nothing carried over\n"), "{text}");
    assert!(text.contains("\nNotes:\n  • Two hunks still wait for a decision.\n"), "{text}");
    assert!(text.contains("built and tested\" — 13/14 done\n  Phase 1: ██████████ 92% (was 92%)\n"), "{text}");
    assert!(!text.contains("commit"), "{text}");
}
