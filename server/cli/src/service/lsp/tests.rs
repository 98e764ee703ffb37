//! What editors are given for a file with changes.

use augment_protocol::changes::{BlameSpan, Evidence, LineSpan};
use augment_protocol::sessions::{Flag, FlagKind};

use super::*;
use crate::output::changes::tests::{NOW, other, run, sample_file, sample_hunk};

const HOSTILE: &str = "[x](command:evil) <img src=x onerror=alert(1)> `tick` \u{1b}]52;c;AA\u{7}";

fn file() -> ChangedFile {
    let claude = run("claude", "b12", "Fix login");
    let removal = Hunk { line: 30, spans: vec![], ..sample_hunk("9b40d7aa01", run("goose", "a3", HOSTILE)) };
    let unknown = Hunk {
        kind: HunkKind::Mode,
        line: 0,
        spans: vec![],
        flagged: Some("its author is unknown".into()),
        summary: "mode 644 → 755".into(),
        ..sample_hunk("77aa0b1c2d", other(AuthorKind::Unknown, None))
    };
    let decided = Hunk { standing: Standing::Approved, ..sample_hunk("00000000aa", claude.clone()) };
    sample_file("src/a.rs", vec![unknown, sample_hunk("3fa2c1d0e4", claude), removal, decided])
}

fn at(first: u32, last: u32) -> Range {
    Range::new(Position::new(first, 2), Position::new(last, 5))
}

fn actions_at(file: &ChangedFile, range: Range) -> Vec<CodeAction> {
    code_actions(file, range, &CodeActionContext::default())
}

fn titles(actions: &[CodeAction]) -> Vec<String> {
    actions.iter().map(|action| action.title.clone()).collect()
}

#[test]
fn each_pending_hunk_has_lenses_at_its_line() {
    let lenses: Vec<(u32, String, String, String)> = code_lenses(&file())
        .into_iter()
        .map(|lens| {
            let command = lens.command.unwrap();
            (
                lens.range.start.line,
                command.title,
                command.command,
                command.arguments.unwrap()[0]["hunk"].as_str().unwrap().to_owned(),
            )
        })
        .collect();
    let expected = [
        (0, "Approve · mode 644 → 755 by unknown", "augment.approveHunk", "77aa0b1c2d"),
        (0, "Reject", "augment.rejectHunk", "77aa0b1c2d"),
        (0, "Preview", "augment.previewHunk", "77aa0b1c2d"),
        (11, "Approve · +3 −1 by claude for b12 “Fix login”", "augment.approveHunk", "3fa2c1d0e4"),
        (11, "Reject", "augment.rejectHunk", "3fa2c1d0e4"),
    ];
    for (lens, (line, title, command, hunk)) in lenses.iter().zip(expected) {
        assert_eq!((lens.0, &*lens.1, &*lens.2, &*lens.3), (line, title, command, hunk));
    }
    assert_eq!(lenses.len(), 7);
    assert_eq!(lenses[5].0, 30);
    assert!(!lenses[5].1.contains('\u{1b}') && lenses[5].1.contains("\\u{1b}"), "{}", lenses[5].1);
}

#[test]
fn code_actions_are_those_of_the_hunk_under_the_cursor() {
    let actions = actions_at(&file(), at(12, 12));
    assert_eq!(
        titles(&actions),
        [
            "Approve +3 −1 by claude for b12 “Fix login”",
            "Reject +3 −1 by claude for b12 “Fix login”",
            "Approve all 3 changes in this file",
            "Reject all 3 changes in this file",
            "Approve everything of b12 “Fix login”",
            "Reject everything of b12 “Fix login”",
            "Undo the last decision",
        ]
    );
    let orders = actions.iter().map(|action| {
        let command = action.command.as_ref().unwrap();
        orders::command_to_decide(&command.command, command.arguments.as_deref().unwrap_or_default())
    });
    // Whatever is offered is also understood.
    orders.for_each(|order| assert!(order.is_ok(), "{order:?}"));
}

#[test]
fn without_a_hunk_under_the_cursor_no_bulb_is_lit() {
    let actions = actions_at(&file(), at(20, 20));
    assert!(!titles(&actions).iter().any(|title| title.contains("+3")), "{:?}", titles(&actions));
    for action in &actions {
        assert_eq!(action.kind, Some(CodeActionKind::SOURCE), "{}", action.title);
    }
    assert_eq!(titles(&actions_at(&sample_file("a", vec![]), at(0, 0))), ["Undo the last decision"]);
}

#[test]
fn an_editor_gets_the_kinds_that_it_asks_for() {
    let of = |kinds: &[&'static str]| {
        let only = Some(kinds.iter().map(|kind| CodeActionKind::new(kind)).collect());
        code_actions(&file(), at(12, 12), &CodeActionContext { only, ..CodeActionContext::default() }).len()
    };
    assert_eq!(of(&["quickfix"]), 6);
    assert_eq!(of(&["source"]), 1);
    assert_eq!(of(&["quickfix", "source"]), 7);
    assert_eq!(of(&[""]), 7);
    assert_eq!(of(&["source.organizeImports", "quick", "refactor"]), 0);
}

#[test]
fn an_action_names_the_diagnostics_that_it_settles_and_none_is_preferred() {
    let context = CodeActionContext { diagnostics: diagnostics(&file()), ..CodeActionContext::default() };
    let actions = code_actions(&file(), at(12, 12), &context);
    let settles: Vec<usize> = actions.iter().map(|action| action.diagnostics.as_ref().map_or(0, Vec::len)).collect();
    assert_eq!(settles, [1, 1, 0, 0, 0, 0, 0]);
    assert_eq!(actions[0].diagnostics.as_ref().unwrap()[0].code, Some(NumberOrString::String("3fa2c1d0e4".into())));
    assert!(actions.iter().all(|action| action.is_preferred.is_none()));
}

#[test]
fn what_asks_first_can_be_previewed() {
    let actions = actions_at(&file(), at(0, 0));
    assert_eq!(
        titles(&actions)[..3],
        [
            "Approve mode 644 → 755 by unknown",
            "Reject mode 644 → 755 by unknown",
            "Preview rejecting mode 644 → 755 by unknown"
        ]
    );
}

#[test]
fn a_client_that_knows_no_literals_gets_commands() {
    let commands = bare_commands(actions_at(&file(), at(12, 12)));
    assert_eq!(commands.len(), 7);
    let CodeActionOrCommand::Command(first) = &commands[0] else { panic!("no command: {commands:?}") };
    assert_eq!((&*first.title, &*first.command), ("Approve +3 −1 by claude for b12 “Fix login”", orders::APPROVE_HUNK));
}

#[test]
fn a_hunk_is_touched_by_its_lines_or_where_its_lines_were() {
    let hunk = |line, spans: &[(u32, u32)]| Hunk {
        line,
        spans: spans.iter().map(|&(start, end)| LineSpan { start, end }).collect(),
        ..sample_hunk("x", other(AuthorKind::Unknown, None))
    };
    let lines = hunk(11, &[(11, 14), (20, 21)]);
    for (range, expected) in [
        (at(10, 10), false),
        (at(11, 11), true),
        (at(13, 13), true),
        (at(14, 14), false),
        (at(14, 20), true),
        (at(0, 99), true),
        (Range::new(Position::new(9, 0), Position::new(11, 0)), false),
        (Range::new(Position::new(11, 0), Position::new(11, 0)), true),
    ] {
        assert_eq!(touches(&lines, range), expected, "{range:?}");
    }
    let removed = hunk(5, &[]);
    let touched: Vec<u32> = (0..9).filter(|&line| touches(&removed, at(line, line))).collect();
    assert_eq!(touched, [4, 5]);
}

#[test]
fn a_hover_tells_provenance_and_nothing_in_it_acts() {
    let blame = Blame {
        path: "src/a.rs".into(),
        hash: None,
        spans: vec![
            BlameSpan {
                start: 0,
                end: 11,
                author: other(AuthorKind::Before, None),
                evidence: None,
                time: None,
                standing: Standing::Approved,
            },
            BlameSpan {
                start: 11,
                end: 14,
                author: run(HOSTILE, "b12", HOSTILE),
                evidence: Some(Evidence::Inferred),
                time: Some(NOW),
                standing: Standing::Pending,
            },
        ],
    };
    let text_in = |form, line| match hover(form, &file(), &blame, Position::new(line, 3), Some(line)) {
        Some(Hover { contents: HoverContents::Markup(markup), .. }) => markup.value,
        other => panic!("{other:?}"),
    };
    let shown = text_in(Form::Markdown, 12);
    assert!(shown.contains("At 2026-11-16 10:00:05Z  \nKnown because only this run was active at the time"), "{shown}");
    assert!(shown.contains("Waits for a decision: `+3 −1` by `claude` for `b12` `Fix login`"), "{shown}");
    assert!(!shown.contains('\u{1b}'), "{shown}");
    // With the code spans taken out, nothing from outside is left.
    let fence = "`` [x](command:evil) <img src=x onerror=alert(1)> `tick` \\u{1b}]52;c;AA\\u{7} ``";
    assert_eq!(shown.matches(fence).count(), 2, "{shown}");
    let rest = shown.replace(fence, "");
    assert!(!rest.contains("command:") && !rest.contains('<'), "{rest}");
    let plain = text_in(Form::Plain, 12);
    assert!(plain.contains("Waits for a decision: +3 −1 by claude for b12 “Fix login”"), "{plain}");
    assert!(plain.contains("\nHunk 3fa2c1d0e4, pending"), "{plain}");
    assert!(!plain.contains('\u{1b}') && plain.contains("\\u{1b}]52"), "{plain}");
    assert_eq!(hover(Form::Markdown, &sample_file("a", vec![]), &blame, Position::new(3, 0), Some(3)), None);
}

#[test]
fn diagnostics_tell_what_waits_and_warn_of_what_is_unknown() {
    let diagnostics = diagnostics(&file());
    let told: Vec<_> = diagnostics
        .iter()
        .map(|one| (one.range.start.line, one.range.end.line, one.severity.unwrap(), one.message.as_str()))
        .collect();
    assert_eq!(
        told[..2],
        [
            (
                0,
                0,
                DiagnosticSeverity::WARNING,
                "mode 644 → 755 by unknown waits for a decision (its author is unknown)"
            ),
            (11, 14, DiagnosticSeverity::INFORMATION, "+3 −1 by claude for b12 “Fix login” waits for a decision"),
        ]
    );
    assert_eq!(told.len(), 3);
    assert_eq!(diagnostics[1].code, Some(NumberOrString::String("3fa2c1d0e4".into())));
    assert_eq!(diagnostics[1].source.as_deref(), Some("augment"));
}

#[test]
fn what_was_found_and_what_is_flagged_stand_at_their_places() {
    let finding = |line, allowed: Option<&str>, kind: &str| Finding {
        path: "src/a.rs".into(),
        rule: "aws-access-key-id".into(),
        kind: kind.into(),
        line,
        start: 7,
        end: 27,
        message: "This looks like a key.".into(),
        hunk: Some("3fa2c1d0e4".into()),
        allowed: allowed.map(str::to_owned),
    };
    let flag = Flag {
        id: "f1".into(),
        session: "s1".into(),
        kind: FlagKind::OutOfScope,
        path: "src/a.rs".into(),
        run: None,
        task: None,
        needed: false,
        why: None,
        time: NOW,
        answer: None,
        answered_by: None,
        hunks: None,
        message: "It is out of scope.".into(),
    };
    let findings = vec![
        finding(12, None, "credential"),
        finding(13, None, "personal-data"),
        finding(13, Some("a sample\u{1b}"), "credential"),
    ];
    let hunk = Hunk { findings, flag: Some(flag), ..sample_hunk("3fa2c1d0e4", run("claude", "b12", "Fix login")) };
    let told: Vec<_> = diagnostics(&sample_file("src/a.rs", vec![hunk]))
        .into_iter()
        .map(|one| (one.range.start.line, one.range.start.character, one.severity.unwrap(), one.message))
        .collect();
    let key = "This looks like a key.";
    assert_eq!(
        told,
        [
            (
                11,
                0,
                DiagnosticSeverity::WARNING,
                "+3 −1 by claude for b12 “Fix login” waits for a decision (It is out of scope.)".to_owned()
            ),
            (12, 7, DiagnosticSeverity::ERROR, key.to_owned()),
            (13, 7, DiagnosticSeverity::WARNING, key.to_owned()),
            (13, 7, DiagnosticSeverity::INFORMATION, format!("{key} Allowed: a sample\\u{{1b}}")),
        ]
    );
}
