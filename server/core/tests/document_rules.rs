//! S1, S2, S4, S10, S12: plans and changelogs in the shapes that they have in the wild, from text to text. The documents
//! stand in `documents/`, each beside what a typical session makes of it.

use std::path::{Path, PathBuf};

use augment_core::document::{
    Changelog, Edited, NewDiscovered, NewEntry, Plan, PlanEdit, PlanStatus, Shape, add_entry, edit_plan,
};
use augment_core::simulation::Random;

#[path = "documents/invariants.rs"]
mod invariants;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/documents")
}

#[expect(clippy::disallowed_methods, reason = "the documents are files")]
fn document(name: &str) -> Vec<u8> {
    let path = folder().join(name);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn texts(list: &[&str]) -> Vec<String> {
    list.iter().map(|text| (*text).to_owned()).collect()
}

fn edit_of(name: &str) -> PlanEdit {
    let new = |title: &str, priority: &str| NewDiscovered { title: title.into(), priority: priority.into() };
    let common = PlanEdit { today: "2026-02-28".into(), session: 9, ..PlanEdit::default() };
    match name {
        "plan_yaml_header" => PlanEdit {
            complete: texts(&["build oura connector", "Build `Lifesum` connector", "Run full validation suite"]),
            blocked: vec![("Review security".into(), "waits for | the <!-- auditor -->".into())],
            in_progress: texts(&["Join users and devices"]),
            discovered: vec![
                new("Normalise timestamps | to UTC", "high"),
                new("Retry on 429 from every source", "Low"),
            ],
            ..common
        },
        "plan_bold_header" => PlanEdit {
            complete: texts(&["Define core data models", "Set up CI/CD pipeline"]),
            in_progress: texts(&["Build REST API layer"]),
            discovered: vec![new("# Document the migration", "Medium")],
            ..common
        },
        "plan_quoted_header" => PlanEdit {
            complete: texts(&["Self-validation checklist", "Compliance guide"]),
            blocked: vec![("Dogfooding".into(), "no testers".into())],
            discovered: vec![new("Fix the links", "Low")],
            session: 15,
            ..common
        },
        "plan_boxes" => PlanEdit {
            complete: texts(&["Undo for every decision", "Export as CSV", "Header row", "Plugins"]),
            discovered: vec![new("- [x] Import", "High")],
            ..common
        },
        "plan_bars" => PlanEdit {
            complete: texts(&["Parse"]),
            in_progress: texts(&["Store"]),
            discovered: vec![new("Back-off", "Low")],
            ..common
        },
        other => panic!("no edit for {other}"),
    }
}

fn entry() -> NewEntry {
    NewEntry {
        session: 15,
        date: "2026-03-02".into(),
        title: "Lifesum <b>connector</b>".into(),
        phase: Some("Phase 1 — Bronze Layer".into()),
        agent: "goose (gpt-5)".into(),
        model: Some("gpt-5".into()),
        minutes: 80,
        completed: (2, 3),
        done: texts(&["Built the connector: src/lifesum.py", "# Not a heading <!-- nor a comment"]),
        not_done: texts(&["Validation suite: no credentials"]),
        decisions: texts(&["Timestamps are UTC"]),
        discovered: texts(&["Retry on 429"]),
        goal: texts(&["Sprint goal: \"All connectors\" — 13/14", "Phase 1: ██████████ 92%"]),
    }
}

const PLANS: [&str; 5] = ["plan_yaml_header", "plan_bold_header", "plan_quoted_header", "plan_boxes", "plan_bars"];
const CHANGELOGS: [&str; 7] = [
    "changelog_seed",
    "changelog_model",
    "changelog_title_date",
    "changelog_version",
    "changelog_keep",
    "changelog_flat",
    "changelog_empty",
];

fn edited(name: &str, text: &[u8]) -> Edited {
    let result = if name.starts_with("plan") { edit_plan(text, &edit_of(name)) } else { add_entry(text, &entry()) };
    result.unwrap_or_else(|problem| panic!("{name}: {problem}"))
}

#[test]
fn each_shape_is_changed_in_its_own_style() {
    for name in PLANS.into_iter().chain(CHANGELOGS) {
        let edited = edited(name, &document(&format!("{name}.md")));
        let expected = document(&format!("{name}.edited.md"));
        assert_eq!(String::from_utf8_lossy(&edited.text), String::from_utf8_lossy(&expected), "{name}");
        assert!(edited.left_alone.is_empty(), "{name}: {:?}", edited.left_alone);
        let again = self::edited(name, &edited.text);
        assert_eq!(again.text, edited.text, "{name} twice");
        assert!(again.changes.is_empty(), "{name} twice: {:?}", again.changes);
    }
}

/// Line breaks, a byte order mark, bytes that are no text and a missing end change nothing else.
#[test]
fn line_breaks_and_stray_bytes_stay() {
    let crlf = |text: &[u8]| String::from_utf8_lossy(text).replace('\n', "\r\n").into_bytes();
    let marked = |text: &[u8]| [b"\xEF\xBB\xBF", text].concat();
    let stray = |text: &[u8]| [b"caf\xE9 \xFF  \t\n\n", text].concat();
    for name in PLANS.into_iter().chain(CHANGELOGS).filter(|name| *name != "changelog_empty") {
        let (old, new) = (document(&format!("{name}.md")), document(&format!("{name}.edited.md")));
        for change in [&crlf as &dyn Fn(&[u8]) -> Vec<u8>, &marked, &stray] {
            let edited = edited(name, &change(&old));
            assert_eq!(String::from_utf8_lossy(&edited.text), String::from_utf8_lossy(&change(&new)), "{name}");
        }
    }
    let open = b"# Plan\n\n- [ ] One\n- [ ] Two";
    let edit = PlanEdit { complete: texts(&["two"]), ..PlanEdit::default() };
    assert_eq!(edit_plan(open, &edit).expect("it is a plan").text, b"# Plan\n\n- [ ] One\n- [x] Two");
    let row = b"| Task | Status | Notes |\n|---|---|---|\n| A | Planned | caf\xE9 |\n| \xFF | Planned | |\n";
    let edit = PlanEdit { complete: texts(&["A"]), ..PlanEdit::default() };
    let edited = edit_plan(row, &edit).expect("it is a plan");
    assert_eq!(
        edited.text,
        b"| Task | Status | Notes |\n|---|---|---|\n| A | Complete | caf\xE9 |\n| \xFF | Planned | |\n"
    );
    assert_eq!(Plan::read(row).expect("it is a plan").problems[0].line, 4);
}

fn plan(name: &str) -> Plan {
    Plan::read(&document(name)).unwrap_or_else(|problem| panic!("{name}: {problem}"))
}

#[test]
fn a_plan_with_a_bare_header_is_read() {
    let plan = plan("plan_yaml_header.md");
    assert_eq!(plan.shape, Shape::Tables);
    assert_eq!(plan.phase.as_deref(), Some("Phase 1 — Bronze Layer"));
    assert_eq!(plan.sprint_goal.as_deref(), Some("All source connectors built and tested"));
    assert_eq!(plan.sprint_dates.as_deref(), Some("2026-02-16 to 2026-03-01"));
    assert_eq!(plan.last_updated.as_deref(), Some("2026-02-26 (Session 008)"));
    assert_eq!(plan.model.as_deref(), Some("claude-opus-4-6"));
    let phases: Vec<_> =
        plan.phases.iter().map(|phase| (phase.id.as_str(), phase.name.as_str(), phase.status)).collect();
    assert_eq!(phases[0], ("1", "Bronze Layer", Some(PlanStatus::InProgress)));
    assert_eq!(phases.len(), 3);
    let titles: Vec<_> = plan.tasks.iter().map(|task| task.title.as_str()).collect();
    assert_eq!(
        titles,
        [
            "Set up project structure",
            "Build Oura connector",
            "Build Lifesum connector",
            "Run full validation suite",
            "Review security",
            "Join users and devices"
        ]
    );
    let oura = &plan.tasks[1];
    assert_eq!(oura.notes.as_deref(), Some("Sleep done, activity | heart pending"));
    assert_eq!((oura.area.as_deref(), oura.estimate.as_deref(), oura.line), (Some("Connectors"), Some("45 min"), 44));
    assert_eq!(plan.tasks[0].depends_on, Vec::<String>::new());
    assert_eq!(plan.tasks[2].depends_on, ["Oura connector", "API credentials"]);
    assert_eq!(plan.tasks[3].model.as_deref(), Some("claude-opus-4-6"));
    assert_eq!(plan.tasks[4].model.as_deref(), Some("opus"));
    assert_eq!(plan.progress(), (1, 5));
    assert_eq!(plan.current_tasks(), [0, 1, 2, 3, 4]);
    assert_eq!(plan.proposed(3), [1, 4], "the suite waits for all above, Lifesum for Oura");
    assert_eq!(plan.find_task(" **review SECURITY**"), Some(4));
    assert_eq!(plan.discovered[0].title, "Retry on 429 from every source");
    assert_eq!(plan.blocked[0].blocked_by.as_deref(), Some("Paid plan needed"));
    assert_eq!(plan.problems, []);
}

#[test]
fn plans_with_other_headers_are_read() {
    let bold = plan("plan_bold_header.md");
    assert_eq!(bold.phase.as_deref(), Some("Phase 1 -- Foundation"));
    assert_eq!((bold.progress(), bold.proposed(3)), ((1, 3), vec![1]));
    assert_eq!(bold.phases[0].goal.as_deref(), Some("Core infrastructure"));
    let quoted = plan("plan_quoted_header.md");
    assert_eq!(quoted.phase.as_deref(), Some("Phase 3b — Hardening"));
    assert_eq!(quoted.phases[2].goal.as_deref(), Some("v0.3.0"));
    let states: Vec<_> = quoted.tasks.iter().map(|task| task.status).collect();
    use PlanStatus::{Complete, InProgress, Planned};
    assert_eq!(states, [Complete, Complete, InProgress, Planned, InProgress]);
    assert_eq!((quoted.progress(), quoted.proposed(3)), ((1, 4), vec![2, 4, 3]));
    let boxes = plan("plan_boxes.md");
    assert_eq!(boxes.shape, Shape::Boxes);
    assert_eq!(boxes.phase.as_deref(), Some("v0.2.0 — Everyday use"));
    assert_eq!(boxes.tasks.len(), 7, "neither the example nor the decision is a task");
    assert_eq!(boxes.tasks[3].estimate.as_deref(), Some("2h"));
    assert_eq!(boxes.find_task("parser"), Some(1));
    let bars = plan("plan_bars.md");
    assert_eq!((bars.progress(), bars.current_tasks()), ((1, 3), vec![0, 1, 2]));
}

#[test]
fn the_fraction_is_believed_then_the_percent_never_the_bar() {
    for (line, expected) in [
        ("**Phase 1 progress:** 3/4 tasks complete (20%)", (3, 4)),
        ("**Phase 1 progress:** ██████████ 78%", (78, 100)),
        ("**Phase 1 progress:** 140%", (100, 100)),
        ("**Phase 1 progress:** 7/5", (5, 5)),
        ("**Phase 1 progress:** 3/0 (40%)", (40, 100)),
        ("**Phase 1 progress:** ██████████", (0, 0)),
    ] {
        let text = format!("**Current phase:** Phase 1\n\n## Phase 1: X\n\n{line}\n");
        assert_eq!(Plan::read(text.as_bytes()).expect("it is a plan").progress(), expected, "{line}");
    }
}

#[test]
fn comments_and_code_are_never_data() {
    for hidden in [
        "<!-- - [ ] no -->",
        "<!--\n- [ ] no\n\n| Task | Status |\n|---|---|\n| no | Planned |\n-->",
        "text <!-- a\n- [ ] no\n--> text",
        "```\n- [ ] no\n```",
        "~~~~\n- [ ] no\n~~~\n- [ ] no\n~~~~",
        "> ```\n> - [ ] no\n> ```",
        "words\n\n    - [ ] no",
        "`x` <!-- `\n- [ ] no -->",
    ] {
        let text = format!("- [ ] yes\n\n{hidden}\n\n- [x] also\n");
        let plan = Plan::read(text.as_bytes()).unwrap_or_else(|problem| panic!("{hidden}: {problem}"));
        let titles: Vec<_> = plan.tasks.iter().map(|task| task.title.as_str()).collect();
        assert_eq!(titles, ["yes", "also"], "{hidden}");
    }
    let shown = Plan::read(b"- [ ] say `<!--` here\n- [ ] and here -->\n").expect("it is a plan");
    assert_eq!(shown.tasks.len(), 2, "a comment does not begin in code");
}

#[test]
fn what_is_not_understood_is_named_with_its_line() {
    let open = Plan::read(b"- [ ] a\n\n<!-- open\n- [ ] b\n").expect("it is a plan");
    assert_eq!(
        open.problems[0].to_string(),
        "line 3: the comment that begins here is not closed; all behind it is left alone"
    );
    let text = b"| Task | Status |\n|---|---|\n| A | soonish |\n| B | Planned |\n| C | cancelled |\n";
    let plan = Plan::read(text).expect("it is a plan");
    assert_eq!(plan.problems[0].to_string(), "line 3: \"soonish\" is no state that is known; the row is left alone");
    assert_eq!(plan.progress(), (0, 2), "a task of unknown state is one, a cancelled one is none");
    assert_eq!(Plan::read(b"words\n").expect_err("no plan").line, 1);
    assert_eq!(Plan::read(b"a\nb\0").expect_err("no text").line, 2);
    assert_eq!(Plan::read(&vec![b'a'; 4 * 1024 * 1024 + 1]).expect_err("too long").line, 1);
    let twins = b"- [ ] A\n- [ ] A\n";
    let edited = edit_plan(twins, &PlanEdit { complete: texts(&["A", "B"]), ..PlanEdit::default() }).expect("a plan");
    assert_eq!(edited.text, twins);
    let told: Vec<String> = edited.left_alone.iter().map(ToString::to_string).collect();
    assert_eq!(told, ["line 1: 2 tasks are called \"A\": lines 1, 2", "line 1: the plan has no task \"B\""]);
    let status = b"| Task | Status |\n|---|---|\n| A | In <!-- x --> Progress |\n| B | Planned |\n";
    let edit = PlanEdit { complete: texts(&["A"]), ..PlanEdit::default() };
    assert_eq!(edit_plan(status, &edit).expect("a plan").text, status, "a comment is never replaced");
}

#[test]
fn headings_of_changelogs_are_read() {
    for (heading, session, version, date, title, model) in [
        ("2026-02-28 — Session 009: Title", Some(9), None, Some("2026-02-28"), Some("Title"), None),
        ("Session 002 — 2025-03-15 [model-1]", Some(2), None, Some("2025-03-15"), None, Some("model-1")),
        ("Session 014 – A - b – 2026-03-01", Some(14), None, Some("2026-03-01"), Some("A - b"), None),
        ("v0.3.0 -- Session 013 -- 2026-03-01", Some(13), Some("v0.3.0"), Some("2026-03-01"), None, None),
        ("v0.3.0 — Release — 2026-03-01", None, Some("v0.3.0"), Some("2026-03-01"), Some("Release"), None),
        ("[0.2.0] - 2026-03-01", None, Some("0.2.0"), Some("2026-03-01"), None, None),
        ("Session 014 — Fix (again) — 2026-03-01", Some(14), None, Some("2026-03-01"), Some("Fix (again)"), None),
    ] {
        let log = Changelog::read(format!("# Log\n\n## {heading}\n\n- x\n").as_bytes()).expect("a changelog");
        let entry = &log.entries[0];
        assert_eq!(
            (entry.session, entry.version.as_deref(), entry.date.as_deref()),
            (session, version, date),
            "{heading}"
        );
        assert_eq!((entry.title.as_deref(), entry.model.as_deref()), (title, model), "{heading}");
    }
}

#[test]
fn a_changelog_tells_its_last_sessions() {
    let log = Changelog::read(&document("changelog_seed.md")).expect("a changelog");
    assert_eq!((log.entries.len(), log.next_session()), (2, 10));
    let last = log.last_session().expect("there is one");
    assert_eq!(last.model.as_deref(), Some("claude-sonnet-4-6"));
    assert_eq!(last.duration.as_deref(), Some("~80 minutes"));
    assert_eq!(last.done.len(), 2);
    assert_eq!(last.not_done, Vec::<String>::new(), "nothing was carried over");
    assert_eq!(log.entries[1].not_done, ["Lifesum connector (blocked on API credential retrieval)"]);
    let releases = Changelog::read(&document("changelog_title_date.md")).expect("a changelog");
    assert_eq!(releases.entries.len(), 3);
    assert_eq!((releases.last_session().and_then(|entry| entry.session), releases.next_session()), (Some(14), 15));
    let ascending = Changelog::read(b"## Session 1\n\n## Session 2\n").expect("a changelog");
    assert_eq!(ascending.entries[0].session, Some(2));
    let edited =
        add_entry(b"## Session 1\n\n- a\n\n## Session 2\n\n- b\n", &NewEntry { session: 3, ..entry() }).expect("added");
    assert!(
        String::from_utf8_lossy(&edited.text)
            .starts_with("## Session 1\n\n- a\n\n## Session 2\n\n- b\n\n## Session 3\n\n- Built")
    );
}

#[test]
fn a_session_that_is_written_down_already_stays() {
    let text = document("changelog_seed.md");
    let edited = add_entry(&text, &NewEntry { session: 7, ..entry() }).expect("a changelog");
    assert_eq!(edited.text, text);
    assert_eq!(edited.left_alone[0].to_string(), "line 31: session 007 is written down already");
}

#[test]
fn a_released_session_does_not_draw_the_next_one_in() {
    let text = "# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-02-01\n\n### Session 003 - 2026-01-30: A\n\n#### What was done\n- x\n";
    let edited = add_entry(text.as_bytes(), &entry()).expect("a changelog");
    let text = String::from_utf8(edited.text).expect("it is text");
    let (unreleased, released) = text.split_once("## [0.2.0]").expect("the release stays");
    assert!(unreleased.contains("## [Unreleased]\n\n### Session 015 - 2026-03-02: Lifesum"), "{text}");
    assert!(!released.contains("Session 015"), "{text}");
}

/// Lines that documents are made of, put together at random.
#[test]
fn random_documents_hold() {
    const LINES: &[&str] = &[
        "# Plan",
        "## Phase 1: A",
        "## Phase 2 — B",
        "### v0.1.0 — C (DONE)",
        "## Discovered Tasks",
        "## Blocked Tasks",
        "## Architecture Decisions Needed",
        "**Current phase:** Phase 1",
        "last_updated: \"2026-01-01 (Session 003)\"",
        "| Task | Status | Notes |",
        "|---|---|---|",
        "| One | 🔵 In Progress | x |",
        "| Two | ✅ done, mostly | |",
        "| Three | | |",
        "| Task | Discovered In | Priority |",
        "| Phase | Name | Status |",
        "| 1 | A | Planned |",
        "| 2 | B |",
        "- [ ] Box",
        "- [x] Ticked (2h)",
        "  - [~] Inner",
        "<!-- open",
        "-->",
        "```",
        "---",
        "",
        "",
        "**Phase 1 progress:** 1/3 (33%)",
        "> Overall progress: ██░░ 120%",
        "## Session 003 — 2026-01-01 [m]",
        "### Session 4: T",
        "## [Unreleased]",
        "## [1.0.0] - 2026-01-01",
        "### What was done",
        "- item",
        "**Duration:** ~2 hours",
        "\u{feff}",
        "text | with <!-- a --> bar",
    ];
    for seed in 0..4_000 {
        let mut random = Random::new(seed);
        let breaks = random.pick(&["\n", "\r\n"]);
        let lines: Vec<&str> = (0..random.below(24)).map(|_| random.pick(LINES)).collect();
        let mut text = lines.join(breaks).into_bytes();
        if random.chance(10) {
            let at = random.below(text.len() + 1);
            text.insert(at, 0xFF);
        }
        hold_or_tell(seed, &text, &mut random);
    }
}

#[test]
fn random_bytes_hold() {
    for seed in 0..2_000 {
        let mut random = Random::new(seed);
        let bytes = b"|-#[]x *<!>`~:\n\r\t 0123/%.()\\\"_\xE2\x9C\x85\xFFTask";
        let text: Vec<u8> = (0..random.below(300)).map(|_| bytes[random.below(bytes.len())]).collect();
        hold_or_tell(seed, &text, &mut random);
    }
}

fn hold_or_tell(seed: u64, text: &[u8], random: &mut Random) {
    let tried = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| invariants::hold(text, random)));
    assert!(tried.is_ok(), "seed {seed}:\n{}", String::from_utf8_lossy(text));
}
