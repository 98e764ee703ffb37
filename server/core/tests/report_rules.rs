//! What a session tells a person: the forms of the session protocol (S1, S2, S5, S6, S7, S10), its own examples character
//! by character, and boxes that stay whole with any text.

#[path = "report_rules/any_text.rs"]
mod any_text;
#[path = "report_rules/levels.rs"]
mod levels;
#[path = "report_rules/start.rs"]
mod start;

use augment_core::report::{Checkpoint, DoneTask, GoalImpact, Next, Progress, TaskEnd, TaskReport};
use unicode_width::UnicodeWidthStr as _;

pub fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

pub fn some(text: &str) -> Option<String> {
    Some(text.to_owned())
}

pub fn next(title: &str, estimate: &str) -> Next {
    Next { title: title.to_owned(), estimate: some(estimate) }
}

pub fn done(title: &str, end: TaskEnd, note: Option<&str>) -> DoneTask {
    DoneTask { title: title.to_owned(), end, note: note.map(str::to_owned) }
}

/// The protocol's example of a task report.
pub fn oura() -> TaskReport {
    TaskReport {
        task: "Oura sleep connector".to_owned(),
        end: TaskEnd::Completed,
        changed: texts(&[
            "Created src/connectors/oura/sleep.py",
            "Added 3 entities to sources_config.yaml",
            "Smoke test: ingestion engine ran successfully",
        ]),
        impact: GoalImpact {
            phase: some("Phase 1"),
            sprint_goal: some("All API connectors"),
            was: Progress { done: 9, total: 20 },
            now: Progress { done: 12, total: 20 },
            sprint: Some(Progress { done: 2, total: 5 }),
            remaining: texts(&["Withings", "Strava", "Lifesum"]),
        },
        so_far: texts(&["Polar connector", "Oura sleep connector"]),
        scope: Progress { done: 2, total: 5 },
        next: Some(next("Withings connector", "~45 min")),
    }
}

/// The protocol's example of a checkpoint.
pub fn lifesum() -> Checkpoint {
    Checkpoint {
        done: vec![
            done("Resolved Lifesum API credential issue", TaskEnd::Completed, None),
            done("Built Lifesum connector", TaskEnd::Completed, Some("src/connectors/lifesum/activity.py")),
            done("Ran smoke test — PASSED", TaskEnd::Completed, None),
        ],
        in_progress: texts(&["Full connector validation suite (starting now)"]),
        remaining: Vec::new(),
        sprint_goal: some("All source connectors built and tested"),
        progress: Progress { done: 13, total: 14 },
        next: Some(next("validation suite", "20 min")),
    }
}

/// The rows of the box, edges included. A box is as wide as its upper edge.
pub fn box_rows(report: &str) -> Vec<&str> {
    let rows: Vec<&str> = report.lines().take_while(|line| line.starts_with(['┌', '│', '├', '└'])).collect();
    assert!(rows.last().is_some_and(|last| last.starts_with('└')), "the box is closed:\n{report}");
    for row in &rows {
        assert_eq!(row.width(), 55, "{row:?}");
    }
    rows
}

/// What stands in the rows of the box, without edges and padding.
fn unpadded<'a>(rows: &[&'a str]) -> Vec<&'a str> {
    rows.iter().map(|row| row.strip_suffix('│').map_or(*row, str::trim_end)).collect()
}

#[test]
fn s5_the_task_report_is_the_box_of_the_protocol() {
    let example = "\
┌─────────────────────────────────────────────────────┐
│ Task completed: Oura sleep connector                 │
├─────────────────────────────────────────────────────┤
│ What changed:                                        │
│ • Created src/connectors/oura/sleep.py               │
│ • Added 3 entities to sources_config.yaml            │
│ • Smoke test: ingestion engine ran successfully      │
├─────────────────────────────────────────────────────┤
│ Goal impact:                                         │
│ Phase 1: ██████░░░░ 60% (was 45%)                   │
│ Sprint goal: \"All API connectors\" — 2/5 done        │
│ Remaining: Withings, Strava, Lifesum                 │
├─────────────────────────────────────────────────────┤
│ Next: Withings connector (est. ~45 min)              │
│ Continue, or adjust?                                 │
└─────────────────────────────────────────────────────┘";
    let report = oura().render();
    let rows = box_rows(&report);
    assert_eq!(unpadded(&rows), unpadded(&example.lines().collect::<Vec<_>>()));
    let under: Vec<&str> = report.lines().skip(rows.len()).collect();
    assert_eq!(under, ["This session: 2/5 done: Polar connector, Oura sleep connector."]);
    assert!(report.ends_with(".\n"));
}

#[test]
fn s5_the_structure_stays_where_nothing_is_known() {
    let report = TaskReport {
        task: "Look around".to_owned(),
        end: TaskEnd::Cancelled,
        changed: Vec::new(),
        impact: GoalImpact::default(),
        so_far: Vec::new(),
        scope: Progress { done: 0, total: 1 },
        next: None,
    };
    let expected = "\
┌─────────────────────────────────────────────────────┐
│ Task cancelled: Look around                         │
├─────────────────────────────────────────────────────┤
│ What changed:                                       │
│ • (nothing)                                         │
├─────────────────────────────────────────────────────┤
│ Goal impact:                                        │
│ Progress: ░░░░░░░░░░ 0% (was 0%)                    │
│ Sprint goal: (none in the plan) — 0/0 done          │
│ Remaining: (none)                                   │
├─────────────────────────────────────────────────────┤
│ Next: (nothing left in scope)                       │
│ Continue, or adjust?                                │
└─────────────────────────────────────────────────────┘
This session: 0/1 done.
";
    assert_eq!(report.render(), expected);
}

#[test]
fn s5_the_first_line_says_how_the_task_ended() {
    for (end, expected) in [
        (TaskEnd::Completed, "│ Task completed: Oura"),
        (TaskEnd::Partial, "│ Task partial: Oura"),
        (TaskEnd::Blocked, "│ Task blocked: Oura"),
        (TaskEnd::Failed, "│ Task failed: Oura"),
        (TaskEnd::Cancelled, "│ Task cancelled: Oura"),
    ] {
        let report = TaskReport { end, ..oura() }.render();
        assert!(report.lines().nth(1).is_some_and(|line| line.starts_with(expected)), "{report}");
    }
}

#[test]
fn s5_a_sprint_without_a_count_of_its_own_shows_the_one_of_the_phase() {
    let mut report = oura();
    report.impact.sprint = None;
    assert!(report.render().contains("│ Sprint goal: \"All API connectors\" — 12/20 done "), "{}", report.render());
}

/// The example says 93 % of 13/14, and 78 % of 11/14. Percents are rounded down everywhere, so the first is 92 here.
#[test]
fn s6_the_checkpoint_is_the_one_of_the_protocol() {
    let example = "\
Session checkpoint — 3 tasks completed.

Done this session:
  [x] Resolved Lifesum API credential issue
  [x] Built Lifesum connector (src/connectors/lifesum/activity.py)
  [x] Ran smoke test — PASSED

In progress:
  [ ] Full connector validation suite (starting now)

Remaining in scope:
  [ ] (none — this is the final task)

Sprint goal: \"All source connectors built and tested\"
Progress: ██████████ 93% (13/14 tasks)

Continue with validation suite, or adjust scope?
";
    assert_eq!(lifesum().render(), example.replace("93%", "92%"));
}

#[test]
fn s6_a_checkpoint_tells_what_was_not_completed() {
    let checkpoint = Checkpoint {
        done: vec![
            done("Build", TaskEnd::Completed, None),
            done("Ask for the key", TaskEnd::Blocked, Some(".env.example")),
            done("Test", TaskEnd::Failed, None),
            done("Test again", TaskEnd::Failed, None),
        ],
        remaining: texts(&["Release"]),
        ..Checkpoint::default()
    };
    let expected = "\
Session checkpoint — 1 task completed, 1 blocked, 2 failed.

Done this session:
  [x] Build
  [ ] Ask for the key (.env.example) — blocked
  [ ] Test — failed
  [ ] Test again — failed

In progress:
  [ ] (none)

Remaining in scope:
  [ ] Release

Sprint goal: (none in the plan)
Progress: ░░░░░░░░░░ 0% (0/0 tasks)

Continue, or adjust scope?
";
    assert_eq!(checkpoint.render(), expected);
}
