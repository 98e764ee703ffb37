//! The block at the start of a session, asked for or automatic.

use augment_core::report::{LastSession, Progress, Proposed, SessionStart};

use super::{some, texts};

fn proposed(title: &str, estimate: &str) -> Proposed {
    Proposed { title: title.to_owned(), estimate: some(estimate), goal: some("All source connectors built and tested") }
}

/// The protocol's example of a start.
pub(crate) fn bronze() -> SessionStart {
    SessionStart {
        project: "customer-data-pipeline".to_owned(),
        model: some("claude-sonnet-4-6"),
        session: 9,
        read: texts(&["PROJECT_PLAN.md", "CHANGELOG.md", "ARCHITECTURE.md"]),
        phase: some("Phase 1 — Bronze Layer"),
        phase_place: Some((3, 4)),
        sprint_goal: some("All source connectors built and tested"),
        progress: Some(Progress { done: 11, total: 14 }),
        last: Some(LastSession {
            session: Some(8),
            date: some("2026-02-26"),
            completed: texts(&["Withings connector", "Strava connector", "smoke tests for both"]),
            carried_over: texts(&["Lifesum connector (blocked on API credential retrieval)"]),
            duration: some("~2 hours"),
        }),
        proposed: vec![
            proposed("Resolve Lifesum API credential issue", "15 min"),
            proposed("Build Lifesum connector", "45 min"),
            proposed("Run full connector validation suite", "20 min"),
        ],
        would_complete: true,
        ..SessionStart::default()
    }
}

#[test]
fn s1_s2_the_start_is_the_one_of_the_protocol() {
    let identification = "\
Model: claude-sonnet-4-6
Session: 009 (new session)
Governance files read: PROJECT_PLAN.md, CHANGELOG.md, ARCHITECTURE.md
";
    let status = "\
Sprint status:
  Phase: Phase 1 — Bronze Layer (3 of 4 phases)
  Sprint goal: \"All source connectors built and tested\"
  Sprint progress: ████████░░ 78% (11/14 tasks complete)

Last session (2026-02-26, session 008):
  Completed: Withings connector, Strava connector, smoke tests for both
  Carried over: Lifesum connector (blocked on API credential retrieval)
  Duration: ~2 hours

Proposed scope for this session:
  1. Resolve Lifesum API credential issue (15 min)
  2. Build Lifesum connector (45 min)
  3. Run full connector validation suite (20 min)

  This would complete the sprint goal. Confirm scope, or adjust?
";
    assert_eq!(bronze().render(), format!("Project: customer-data-pipeline\n{identification}\n{status}"));
}

#[test]
fn s1_the_start_says_what_is_missing_and_what_it_did_not_understand() {
    let start = SessionStart {
        model: None,
        model_warning: some("the plan asks for opus"),
        continues: Some(8),
        read: texts(&["PROJECT_PLAN.md"]),
        missing: texts(&["CHANGELOG.md", "ARCHITECTURE.md"]),
        problems: texts(&["PROJECT_PLAN.md, line 12: no status in this row"]),
        ..bronze()
    };
    let expected = "\
Project: customer-data-pipeline
Model: (not known)
Model warning: the plan asks for opus
Session: 009 (continuing from session 008)
Governance files read: PROJECT_PLAN.md
Governance files missing: CHANGELOG.md, ARCHITECTURE.md

Not understood:
  • PROJECT_PLAN.md, line 12: no status in this row

Sprint status:
";
    let text = start.render();
    assert!(text.starts_with(expected), "{text}");
}

#[test]
fn s2_a_start_without_a_plan_keeps_its_form_and_asks() {
    let start = SessionStart { project: "new".to_owned(), session: 1, ..SessionStart::default() };
    let expected = "\
Project: new
Model: (not known)
Session: 001 (new session)
Governance files read: (none)

Sprint status:
  Phase: (none in the plan)
  Sprint goal: (none in the plan)
  Sprint progress: (not known)

Last session: (none recorded)

Proposed scope for this session:
  (nothing: no open task was found in the plan)

  What is in scope?
";
    assert_eq!(start.render(), expected);
}

#[test]
fn s2_a_proposal_for_another_goal_names_it() {
    let mut start = bronze();
    start.proposed[1].goal = some("Less to pay");
    start.would_complete = false;
    let text = start.render();
    assert!(text.contains("\n  1. Resolve Lifesum API credential issue (15 min)\n"), "{text}");
    assert!(text.contains("\n  2. Build Lifesum connector (45 min) — goal: \"Less to pay\"\n"), "{text}");
    assert!(text.ends_with("\n\n  Confirm scope, or adjust?\n"), "{text}");
}

/// The example's percent is 93; the progress is given so that it is.
#[test]
fn s11_a_start_that_nobody_asked_for_says_so_first() {
    let example = "\
[Session start protocol — running automatically]

Governance sync complete. Before addressing your request:

Project: customer-data-pipeline
Phase: Phase 1 — Bronze Layer
Sprint goal: \"All source connectors built and tested\" (93% complete)
Last session: 008, 2026-02-26 (Withings + Strava connectors)

You asked to fix the timestamp parsing bug in the Oura connector.
";
    let mut start = SessionStart {
        progress: Some(Progress { done: 93, total: 100 }),
        automatic: some("You asked to fix the timestamp parsing bug in the Oura connector."),
        ..bronze()
    };
    if let Some(last) = &mut start.last {
        last.completed = texts(&["Withings", "Strava connectors"]);
    }
    let rest = "\
The session end protocol runs when the work is done.

Model: claude-sonnet-4-6
Session: 009 (new session)
Governance files read: PROJECT_PLAN.md, CHANGELOG.md, ARCHITECTURE.md

Scope of this session:
  1. Resolve Lifesum API credential issue (15 min)
  2. Build Lifesum connector (45 min)
  3. Run full connector validation suite (20 min)

  This would complete the sprint goal.
";
    assert_eq!(start.render(), format!("{example}{rest}"));
}
