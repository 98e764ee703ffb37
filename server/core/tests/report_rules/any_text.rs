//! Any text in the reports: boxes stay whole, nothing is lost, nothing steers the screen, no value adds a line.

use augment_core::report::{Checkpoint, DoneTask, GoalImpact, Next, Progress, SessionEnd, SessionStart, TaskReport};
use augment_core::simulation::Random;
use augment_core::text::visible;
use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::UnicodeWidthStr as _;

use super::levels::{end, review};
use super::start::bronze;
use super::{box_rows, lifesum, oura, texts};

/// The rows that one bullet makes.
fn bullet(text: &str) -> Vec<String> {
    let report = TaskReport { changed: texts(&[text]), ..oura() }.render();
    let rows = box_rows(&report).into_iter().skip(4).take_while(|row| !row.starts_with('├'));
    rows.map(str::to_owned).collect()
}

#[test]
fn wide_joined_and_combined_characters_leave_the_edge_where_it_is() {
    for (text, shown, columns) in [
        ("plain", "plain", 5),
        ("日本語", "日本語", 6),
        ("ｆｕｌｌ", "ｆｕｌｌ", 8),
        ("ﾊﾝｶｸ", "ﾊﾝｶｸ", 4),
        ("한국어", "한국어", 6),
        ("😀 ok", "😀 ok", 5),
        ("👨\u{200d}👩\u{200d}👧 ok", "👨\u{200d}👩\u{200d}👧 ok", 5),
        ("👍🏽 ok", "👍🏽 ok", 5),
        ("🇩🇪 ok", "🇩🇪 ok", 5),
        ("❤\u{fe0f} ok", "❤\u{fe0f} ok", 5),
        ("❤ ok", "❤ ok", 4),
        ("1\u{fe0f}\u{20e3} ok", "1\u{fe0f}\u{20e3} ok", 5),
        ("e\u{301}\u{323} ok", "e\u{301}\u{323} ok", 4),
        ("\u{301} ok", "\u{301} ok", 3),
        ("שלום", "שלום", 4),
        ("a\tb", "a\\tb", 4),
        ("a\r\n\u{1b}[2J", "a\\r\\n\\u{1b}[2J", 14),
        ("zero\u{200b}width", "zero\\u{200b}width", 17),
        ("\u{202e}txt", "\\u{202e}txt", 11),
    ] {
        assert_eq!(bullet(text), [format!("│ • {shown}{} │", " ".repeat(49 - columns))], "{text:?}");
    }
}

#[test]
fn what_does_not_fit_goes_on_in_the_next_row() {
    let words = "Changed the reader of plans so that it keeps what it does not understand, and says at which line";
    assert_eq!(
        bullet(words),
        [
            "│ • Changed the reader of plans so that it keeps what │",
            "│   it does not understand, and says at which line    │",
        ]
    );
    let path = format!("Created {}/end.rs and more", "folder/".repeat(12));
    assert_eq!(
        bullet(&path),
        [
            "│ • Created folder/folder/folder/folder/folder/folder │",
            "│   /folder/folder/folder/folder/folder/folder//end.r │",
            "│   s and more                                        │",
        ]
    );
    assert_eq!(
        bullet(&"漢".repeat(26)),
        [format!("│ • {}  │", "漢".repeat(24)), format!("│   漢漢{}│", " ".repeat(46))],
        "the odd column before the edge stays blank"
    );
    let family = "👨\u{200d}👩\u{200d}👧";
    assert_eq!(bullet(&family.repeat(25))[1], format!("│   {family}{}│", " ".repeat(48)), "a family stays together");
    assert_eq!(bullet("two  blanks   stay"), [format!("│ • two  blanks   stay{}│", " ".repeat(32))]);
}

#[test]
fn lines_without_a_bullet_go_on_at_the_edge() {
    let report = TaskReport { task: "word ".repeat(20), ..oura() }.render();
    let rows = box_rows(&report);
    assert_eq!(rows[1], "│ Task completed: word word word word word word word  │");
    assert_eq!(rows[2], "│ word word word word word word word word word word   │");
    assert_eq!(rows[3], "│ word word word                                      │");
}

/// Text that is long in every way that text can be. It is told in well under a second: a bound that is gone shows as a
/// test that does not end.
#[test]
fn hostile_texts_come_through() {
    for piece in
        ["x", " ", "漢", "\u{301}", "\u{1100}", "\u{1160}\u{11a8}", "☃\u{200d}", "\u{600}", "क\u{94d}", "\t", "\u{0}"]
    {
        let long = piece.repeat(100_000);
        let report = TaskReport { changed: vec![format!("{long}{}", "x".repeat(60)), long], ..oura() };
        check_box(&report.render(), &report);
    }
}

/// Code points of all kinds, more often those that are hard.
fn character(random: &mut Random) -> char {
    const HARD: &[std::ops::RangeInclusive<u32>] = &[
        0x20..=0x20,
        0x20..=0x7e,
        0x00..=0x1f,
        0x7f..=0xa0,
        0x300..=0x36f,
        0x590..=0x6ff,
        0x600..=0x605,
        0x900..=0x97f,
        0x1780..=0x17dd,
        0x1100..=0x11ff,
        0x2000..=0x206f,
        0x20d0..=0x20ff,
        0x2600..=0x27bf,
        0x2d30..=0x2d7f,
        0x3000..=0x30ff,
        0x4e00..=0x4eff,
        0xac00..=0xac40,
        0xa4f8..=0xa4fd,
        0xfe00..=0xfe0f,
        0xfe0f..=0xfe0f,
        0xff00..=0xffef,
        0x10c00..=0x10c48,
        0x16d60..=0x16d6f,
        0x1f1e6..=0x1f1ff,
        0x1f3fb..=0x1f3ff,
        0x1f468..=0x1f469,
        0x1f300..=0x1faff,
        0x200c..=0x200d,
        0x200d..=0x200d,
        0xe0000..=0xe01ef,
    ];
    let range = if random.chance(10) { 0..=0x10_ffff } else { random.pick(HARD) };
    let (low, high) = (i64::from(*range.start()), i64::from(*range.end()));
    let code = u32::try_from(random.between(low, high)).expect("it is in the range");
    char::from_u32(code).unwrap_or('\u{fffd}')
}

fn text(random: &mut Random) -> String {
    let length = [0, 1, 4, 12, 40, 120, 400][random.below(7)];
    let kinds = 1 + random.below(8);
    let alphabet: Vec<char> = (0..kinds).map(|_| character(random)).collect();
    let mixed = random.chance(50);
    (0..length).map(|_| if mixed { character(random) } else { random.pick(&alphabet) }).collect()
}

/// A report all of whose texts are made by `text`.
fn with(text: &dyn Fn() -> String) -> TaskReport {
    TaskReport {
        task: text(),
        changed: vec![text(), text(), text()],
        impact: GoalImpact {
            phase: Some(text()),
            sprint_goal: Some(text()),
            remaining: vec![text(), text()],
            ..oura().impact
        },
        next: Some(Next { title: text(), estimate: Some(text()) }),
        ..oura()
    }
}

/// All rows are equally wide, and hold exactly what was given, in order and unbroken.
fn check_box(rendered: &str, report: &TaskReport) {
    let rows = box_rows(rendered);
    let inner = rows.iter().filter_map(|row| row.strip_prefix("│ ")?.strip_suffix(" │"));
    let inner: Vec<&str> = inner.collect();
    let pieces = |row: &&str| row.trim_end().graphemes(true).count();
    assert!(inner.iter().all(|row| pieces(row) <= 51), "text without width makes no row without end");
    let inner = inner.join("\n");
    let impact = &report.impact;
    let (phase, sprint_goal) = (impact.phase.clone().expect("given"), impact.sprint_goal.clone().expect("given"));
    let next = report.next.clone().expect("given");
    let estimate = next.estimate.expect("given");
    let mut expected = format!("Task completed: {}What changed:", visible(&report.task));
    for changed in &report.changed {
        expected.push_str(&format!("• {}", visible(changed)));
    }
    expected.push_str(&format!("Goal impact:{}: ██████░░░░ 60% (was 45%)", visible(&phase)));
    expected.push_str(&format!("Sprint goal: \"{}\" — 2/5 done", visible(&sprint_goal)));
    expected.push_str(&format!("Remaining: {}", visible(&impact.remaining.join(", "))));
    expected.push_str(&format!("Next: {} (est. {})Continue, or adjust?", visible(&next.title), visible(&estimate)));
    let without_blanks = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    assert!(
        without_blanks(&inner) == without_blanks(&expected),
        "something was lost or added:\n{rendered}\n{report:?}"
    );

    let given =
        [&report.task].into_iter().chain(&report.changed).chain([&phase, &sprint_goal]).chain(&impact.remaining);
    let mut rest = inner.as_str();
    for text in given.chain([&next.title, &estimate]) {
        for grapheme in visible(text).graphemes(true).filter(|grapheme| !grapheme.trim().is_empty()) {
            // A cluster that is about as wide as the box has to be taken apart.
            if grapheme.width() < 40 {
                let at =
                    rest.find(grapheme).unwrap_or_else(|| panic!("{grapheme:?} was broken:\n{rendered}\n{report:?}"));
                rest = &rest[at + grapheme.len()..];
            }
        }
    }
}

#[test]
fn every_box_stays_whole_with_any_text() {
    for seed in 0..2_000 {
        let random = std::cell::RefCell::new(Random::new(seed));
        let report = with(&|| text(&mut random.borrow_mut()));
        check_box(&report.render(), &report);
    }
}

/// Everything but the boxes, all texts made by `text`.
fn around_the_boxes(text: &dyn Fn() -> String) -> [String; 5] {
    let all = |of: &[String]| -> Vec<String> { of.iter().map(|_| text()).collect() };
    let checkpoint = |of: Checkpoint| Checkpoint {
        done: of.done.iter().map(|task| DoneTask { title: text(), note: Some(text()), end: task.end }).collect(),
        in_progress: all(&of.in_progress),
        sprint_goal: Some(text()),
        next: Some(Next { title: text(), estimate: None }),
        ..of
    };
    let mut start = SessionStart {
        project: text(),
        model: Some(text()),
        model_warning: Some(text()),
        read: vec![text()],
        missing: vec![text()],
        problems: vec![text()],
        phase: Some(text()),
        sprint_goal: Some(text()),
        ..bronze()
    };
    start.proposed.iter_mut().for_each(|proposed| {
        (proposed.title, proposed.estimate, proposed.goal) = (text(), Some(text()), Some(text()));
    });
    if let Some(last) = &mut start.last {
        (last.date, last.duration) = (Some(text()), Some(text()));
        (last.completed, last.carried_over) = (vec![text(), text()], vec![text()]);
    }
    let automatic = SessionStart { automatic: Some(text()), ..start.clone() };
    let mut review = review();
    review.checkpoint = checkpoint(review.checkpoint);
    review.impacts.iter_mut().for_each(|(task, impact)| {
        *task = text();
        *impact = with(text).impact;
    });
    (review.architecture, review.decisions) = (vec![text()], vec![text()]);
    review.next_sprint = vec![Next { title: text(), estimate: Some(text()) }];
    let end = SessionEnd {
        date: text(),
        agents: vec![text()],
        tasks: Vec::new(),
        checkpoint: checkpoint(lifesum()),
        review: Some(review.clone()),
        files: vec![text()],
        not_done: vec![(text(), text())],
        decisions: vec![text()],
        discovered: vec![text()],
        phase: Some(text()),
        sprint_goal: Some(text()),
        documents: vec![text()],
        commit_message: None,
        automatic: Some(text()),
        notes: vec![text()],
        before: Progress::default(),
        ..end()
    };
    [checkpoint(lifesum()).render(), start.render(), automatic.render(), review.render(), end.render()]
}

#[test]
fn no_value_adds_a_line_or_steers_the_screen() {
    let plain = around_the_boxes(&|| "plain".to_owned());
    for seed in 0..500 {
        let random = std::cell::RefCell::new(Random::new(seed));
        let hostile = around_the_boxes(&|| text(&mut random.borrow_mut()));
        for (hostile, plain) in hostile.iter().zip(&plain) {
            assert_eq!(hostile.matches('\n').count(), plain.matches('\n').count(), "seed {seed}:\n{hostile}");
            for line in hostile.split('\n') {
                assert_eq!(visible(line), line, "seed {seed}");
            }
        }
    }
}
