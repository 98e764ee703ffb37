//! What people read, as a whole: so that a part that goes missing is seen.

use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::*;
use crate::output::plain;

const NOW_MS: i64 = 1_794_823_205_000;

fn read<T: DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).unwrap()
}

fn intent_value(text: &str, role: &str) -> Value {
    json!({ "text": text, "role": role, "commit": "3fa2c1d9e0ab77", "change": "qpvuntsmwlqt" })
}

fn prompt_value(state: &str) -> Value {
    json!({
        "id": "p7", "state": state, "headline": "Teach the parser\u{1b}[2J comments", "text": "Teach the parser\r\ncomments\n",
        "context": "A new token.\nNo new grammar.", "stamp": "♓︎.5.4.47 5919AM", "model": "chronos",
        "subjects": ["Parser"], "system": "git", "base": "kkmpptxzrspx", "branch": "dev", "startedMs": NOW_MS - 300_000,
        "intents": [], "finished": null, "report": null, "pushed": null,
    })
}

fn group(files: usize) -> Value {
    let files: Vec<String> = (1..=files).map(|number| format!("src/{number}.rs")).collect();
    json!({ "task": "b12", "about": "goose for b12", "intent": "intent: Read comments", "files": files })
}

fn status_value(prompt: Value, uncommitted: Value) -> Value {
    json!({ "prompt": prompt, "uncommitted": uncommitted, "waiting": 0, "notes": [], "revision": 3 })
}

#[test]
fn the_stamp_comes_first_then_the_subjects_then_the_tree() {
    let mut value = json!({
        "prompt": null, "stamp": "♓︎.5.4.47 5919AM",
        "subjects": [
            { "subject": "Parser", "score": 12, "why": ["parser", "comments"], "folders": ["Research/high/Parser", "Development/high/Parser"],
              "files": ["Research/high/Parser/a.md"] },
            { "subject": "Le\u{1b}xer", "score": 3, "why": [], "folders": ["Research/low/Lexer"], "files": [] },
        ],
        "existing": [group(2), { "task": null, "about": "yours", "intent": "intent: Tidy", "files": ["b\u{7}"] }],
        "committed": [], "notes": ["The index holds more."],
    });
    assert_eq!(
        plain(&started(&read(value.clone()))),
        "♓︎.5.4.47 5919AM\nNothing is begun yet.\n\n\
         Subjects\n  1. Parser  12 (parser, comments)\n     Research/high/Parser\n     Development/high/Parser\n     to read:\n       \
         Research/high/Parser/a.md\n  2. Le\\u{1b}xer  3\n     Research/low/Lexer\n\n\
         In the tree\n  1. intent: Read comments\n     b12: goose for b12\n       src/1.rs\n       src/2.rs\n  \
         2. intent: Tidy\n     yours\n       b\\u{7}\n\n\
         note: The index holds more."
    );
    assert!(
        not_begun(&read(value.clone()))
            .starts_with("2 groups of changes lie uncommitted in the tree, so nothing was begun.")
    );
    // What was committed of it is told once.
    value["prompt"] = prompt_value("open");
    value["committed"] = json!([intent_value("intent: Tidy", "before")]);
    let begun = plain(&started(&read(value)));
    assert!(begun.starts_with("♓︎.5.4.47 5919AM\np7 is open: Teach the parser\\u{1b}[2J comments\n"), "{begun}");
    assert!(begun.contains("Committed before it\n  3fa2c1d9e0ab  intent: Tidy  (before the prompt)"), "{begun}");
    assert!(!begun.contains("In the tree"), "{begun}");
}

#[test]
fn files_that_are_left_out_are_counted() {
    let said = plain(&group_lines(&[read(group(12))]).join("\n"));
    assert!(said.ends_with("src/10.rs\n       … and 2 more; --json names them all"), "{said}");
    assert!(!plain(&group_lines(&[read(group(10))]).join("\n")).contains("more"));
}

#[test]
fn the_status_tells_what_is_known_and_what_comes_next() {
    let mut value = status_value(prompt_value("open"), json!([group(1)]));
    value["prompt"]["intents"] = json!([intent_value("intent: Name the token", "work")]);
    value["waiting"] = json!(3);
    value["notes"] = json!(["A commit was found\nthat was begun."]);
    assert_eq!(
        plain(&status(&read(value), NOW_MS)),
        "prompt    p7 open\nasked     Teach the parser\\u{1b}[2J comments\nstamp     ♓︎.5.4.47 5919AM\n\
         started   2026-11-16 09:55:05Z (5m ago)\ncontext   A new token. No new grammar.\nsubjects  Parser\n\
         began at  kkmpptxzrspx on dev (git)\n\n\
         Intents\n  3fa2c1d9e0ab  intent: Name the token\n\n\
         Approved and not committed\n  1. intent: Read comments\n     b12: goose for b12\n       src/1.rs\n\n\
         3 hunks wait for a decision and stay out of every commit: augment-cli changes list\n\n\
         note: A commit was found\\nthat was begun.\n\n\
         augment-cli prompt intent \"…\""
    );
}

#[test]
fn each_state_has_its_next_step() {
    let check = |state: &str, roles: &[&str], report: Value, uncommitted: Value, expected: &str| {
        let mut prompt = prompt_value(state);
        prompt["intents"] = roles.iter().map(|role| intent_value("intent: x", role)).collect();
        prompt["report"] = report;
        let said = plain(&status(&read(status_value(prompt, uncommitted)), NOW_MS));
        assert!(said.lines().last().is_some_and(|last| last.contains(expected)), "{said}");
    };
    let none = || json!([]);
    check("open", &[], Value::Null, none(), "Approve what is made for it, then: augment-cli prompt intent");
    // What lay there before is no work of the prompt's.
    check("open", &["before"], Value::Null, none(), "Approve what is made for it");
    check("open", &["work"], Value::Null, none(), "augment-cli prompt finish");
    check("open", &["report"], Value::Null, none(), "augment-cli prompt finish");
    check("open", &["work"], Value::Null, json!([group(1)]), "augment-cli prompt intent");
    check("finished", &["work"], Value::Null, none(), "augment-cli prompt report");
    check("finished", &["work"], json!("Research/a.md"), none(), "augment-cli prompt push");
    for (interrupted, expected) in [
        ("start", "prompt start \"…\""),
        ("intent", "prompt intent \"…\""),
        ("finish", "prompt finish \"…\""),
        ("report", "prompt report --title \"…\" --answer-file …"),
        ("undo", "prompt undo"),
    ] {
        for state in ["open", "finished"] {
            let mut value = status_value(prompt_value(state), json!([group(1)]));
            value["interrupted"] = json!(interrupted);
            let said = plain(&status(&read(value), NOW_MS));
            let last = format!("Repeat what was interrupted: augment-cli {expected}");
            assert_eq!(said.lines().last(), Some(last.as_str()), "{state}");
        }
    }
    let nothing = plain(&status(&read(status_value(Value::Null, none())), NOW_MS));
    assert_eq!(nothing, "No prompt is under way.\n\naugment-cli prompt start \"…\"");
}

#[test]
fn an_intent_is_told_with_what_it_does_to_each_file() {
    let mut value = json!({
        "intent": intent_value("intent: Read comments", "work"), "message": "intent: Read comments\n",
        "files": [
            { "path": "src/a.rs", "change": "changed", "added": 10, "removed": 2, "rest": true },
            { "path": "b\u{1b}", "change": "added", "added": 1, "removed": 0, "rest": false },
        ],
        "notes": [], "prompt": prompt_value("open"),
    });
    let rows = "FILE      CHANGE   ADDED  REMOVED  LEFT OUT\n\
                src/a.rs  changed     10        2  the rest of it\n\
                b\\u{1b}   added        1        0";
    assert_eq!(
        plain(&intent(&read(value.clone()), None)),
        format!("Committed 3fa2c1d9e0ab: intent: Read comments\n\n{rows}")
    );
    value["intent"] = Value::Null;
    assert_eq!(
        plain(&intent(&read(value), None)),
        format!("This would be committed; nothing was:\n\nintent: Read comments\n\n{rows}")
    );
}

#[test]
fn a_dry_finish_is_the_message_alone_and_a_finish_says_how_to_take_it_back() {
    let message =
        "session: The parser reads comments\n♓︎.5.4.47 5919AM\n\n## Original Prompt\nTeach\r\n\u{1b}]0;x\u{7}\n";
    let mut value = json!({
        "mode": "multi", "message": message,
        "intents": [intent_value("intent: One", "work"), intent_value("intent: Two", "work")],
        "finished": null, "before": null, "notes": [], "prompt": prompt_value("open"),
    });
    assert_eq!(
        finished(&read(value.clone())),
        "session: The parser reads comments\n♓︎.5.4.47 5919AM\n\n## Original Prompt\nTeach\\r\n\\u{1b}]0;x\\u{7}\n"
    );
    assert_eq!(
        plain(&made_of(&read(value.clone()))),
        "Of these intents, which stay\n  3fa2c1d9e0ab  intent: One\n  3fa2c1d9e0ab  intent: Two"
    );
    value["mode"] = json!("single");
    value["finished"] =
        json!({ "summary": "The parser reads comments", "commit": "9b40d7aa11223344", "change": "z", "squashed": [] });
    value["before"] = json!("jj op restore 1f2e");
    value["intents"] = json!([intent_value("intent: One", "work")]);
    assert_eq!(
        plain(&finished(&read(value))),
        "Committed 9b40d7aa1122: session: The parser reads comments\n\n\
         Its one intent, with a new message\n  3fa2c1d9e0ab  intent: One\n\n\
         take it back with: augment-cli prompt undo, or jj op restore 1f2e\n\
         augment-cli prompt report --title \"…\" --answer-file …, then augment-cli prompt push"
    );
}

#[test]
fn a_report_is_told_with_its_files_and_a_dry_one_is_the_file_alone() {
    let mut value = json!({
        "path": "Research/high/Parser/a.md", "text": "# Comments\n\u{9b}1m\n",
        "files": ["Research/high/Parser/a.md", "Development/high/Parser/README.md"],
        "intent": intent_value("intent: report Comments", "report"), "notes": ["x"], "prompt": prompt_value("finished"),
    });
    assert_eq!(
        plain(&reported(&read(value.clone()), Trial::Done)),
        "Wrote Research/high/Parser/a.md\nWrote Development/high/Parser/README.md\n\
         Committed 3fa2c1d9e0ab: intent: report Comments\nnote: x"
    );
    value["intent"] = Value::Null;
    assert!(plain(&reported(&read(value.clone()), Trial::Done)).contains("\nThe files are left uncommitted.\n"));
    assert_eq!(reported(&read(value.clone()), Trial::DryRun), "# Comments\n\\u{9b}1m\n");
    assert_eq!(
        plain(&reported_files(&read(value.clone()))),
        "Would write Research/high/Parser/a.md\nWould write Development/high/Parser/README.md\nnote: x\nNothing was written."
    );
    value["files"] = json!(["Development/high/Parser/README.md"]);
    let told = "Research/high/Parser/a.md is there already, as it is wanted\n";
    assert_eq!(
        plain(&reported_files(&read(value.clone()))),
        format!("{told}Would write Development/high/Parser/README.md\nnote: x\nNothing was written.")
    );
    assert!(plain(&reported(&read(value), Trial::Done)).starts_with(&format!("{told}Wrote Development/")));
}

#[test]
fn counterparts_that_are_missing_are_told_and_made() {
    let mut value = json!({ "written": false, "subjects": 2, "counterparts": [
        { "subject": "Parser", "path": "Development/high/Parser", "problem": null },
        { "subject": "Lexer", "path": "Development/low/Lexer", "problem": "A file is in the way." },
    ]});
    assert_eq!(
        plain(&unified(&read(value.clone()), None)),
        "SUBJECT  COUNTERPART              PROBLEM\n\
         Parser   Development/high/Parser\n\
         Lexer    Development/low/Lexer    A file is in the way.\n\n\
         2 subjects in all. Nothing was written: augment-cli prompt unify --write"
    );
    value["written"] = json!(true);
    assert!(plain(&unified(&read(value.clone()), None)).ends_with("Made, but for 1. 2 subjects in all."));
    value["counterparts"] = json!([]);
    assert_eq!(plain(&unified(&read(value), None)), "2 subjects, each on both sides.");
}

#[test]
fn a_push_is_told_as_what_the_remote_says() {
    let value = |verified: bool, child: Option<&str>| {
        let to = json!({ "remote": "origin", "branch": "dev", "commit": "9b40d7aa11223344" });
        read(json!({ "to": to, "verified": verified, "child": child, "notes": [], "prompt": prompt_value("closed") }))
    };
    assert_eq!(
        plain(&pushed(&value(true, Some("zzzzyyyyxxxxwwww")), Trial::Done)),
        "Pushed to dev of origin at 9b40d7aa1122, and the remote has it. p7 is closed.\nThe next prompt begins on zzzzyyyyxxxx."
    );
    assert!(plain(&pushed(&value(false, None), Trial::Done)).contains("the remote does not have it"));
    assert_eq!(
        plain(&pushed(&value(false, None), Trial::DryRun)),
        "This would push to dev of origin at 9b40d7aa1122. Nothing was pushed."
    );
}

#[test]
fn an_undo_says_whether_it_was_done() {
    let noted = |done: bool, notes: &[&str]| {
        let (what, commit) = ("the session's commit", "9b40d7aa11223344");
        let prompt = prompt_value("open");
        read(json!({ "what": what, "commit": commit, "done": done, "notes": notes, "prompt": prompt }))
    };
    let value = |done: bool| noted(done, &[]);
    assert_eq!(
        plain(&undone(&noted(true, &["Only other moves."]))),
        "Taken back: the session's commit (9b40d7aa1122). p7 is open.\n\nnote: Only other moves."
    );
    assert_eq!(undone(&value(true)), "Taken back: the session's commit (9b40d7aa1122). p7 is open.");
    assert_eq!(
        undone(&value(false)),
        "This would be taken back: the session's commit (9b40d7aa1122). Nothing was changed."
    );
}

fn session_value() -> Value {
    json!({
        "commit": "9b40d7aa11223344", "change": "qpvuntsmwlqtqpvu", "summary": "The parser reads comments",
        "stamp": "♓︎.5.4.47 5919AM", "timeMs": NOW_MS - 7_200_000, "prompt": "Teach", "context": "", "changes": [],
        "squashed": [{ "change": "kkmpptxz", "commit": "aa" }, { "change": "rspxnnuw", "commit": null }],
        "lacks": ["## Agent Context"], "message": "session: The parser reads comments\n♓︎.5.4.47 5919AM\n\u{1b}\n",
    })
}

#[test]
fn prompts_and_session_commits_are_listed_apart() {
    let value = json!({ "prompts": [prompt_value("dropped")], "sessions": [session_value()], "revision": 1 });
    assert_eq!(
        plain(&list(&read(value), NOW_MS, None)),
        "PROMPT  STATE    INTENTS  STARTED  ASKED                               STAMP\n\
         p7      dropped        0  5m ago   Teach the parser\\u{1b}[2J comments  ♓︎.5.4.47 5919AM\n\n\
         COMMIT        CHANGE        MADE    SUMMARY                    LACKS             STAMP\n\
         9b40d7aa1122  qpvuntsmwlqt  2h ago  The parser reads comments  ## Agent Context  ♓︎.5.4.47 5919AM"
    );
    let empty = read(json!({ "prompts": [], "sessions": [], "revision": 1 }));
    assert_eq!(
        list(&empty, NOW_MS, None),
        "There was no prompt here yet: augment-cli prompt start \"…\"\n\nThe history holds no session commit."
    );
}

#[test]
fn one_is_shown_with_its_message_or_with_what_was_asked() {
    let (prompt, commit): (Prompt, _) = (read(prompt_value("open")), read(session_value()));
    assert_eq!(
        plain(&details(None, Some(&commit), NOW_MS)),
        "commit         9b40d7aa11223344\nchange         qpvuntsmwlqtqpvu\nmade           2026-11-16 08:00:05Z (2h ago)\n\
         lacks          ## Agent Context\nleads nowhere  rspxnnuw\n\n\
         session: The parser reads comments\n♓︎.5.4.47 5919AM\n\\u{1b}"
    );
    let asked = plain(&details(Some(&prompt), None, NOW_MS));
    assert!(asked.starts_with("prompt    p7 open\n"), "{asked}");
    assert!(
        asked.ends_with("Prompt\nTeach the parser\\r\ncomments\n\n\nContext\nA new token.\nNo new grammar."),
        "{asked}"
    );
}

#[test]
fn each_invariant_has_a_mark_and_the_broken_one_its_remedy() {
    let mut value = json!({
        "holds": false, "session": "qpvuntsmwlqtqpvu", "branch": "dev", "remote": "origin", "notes": [],
        "invariants": [
            { "number": 1, "name": "session-commit", "holds": true, "wrong": null, "mend": null },
            { "number": 2, "name": "research-artifact", "holds": false, "wrong": "There is none\u{1b}.", "mend": "augment-cli prompt report" },
            { "number": 3, "name": "of-later", "holds": false, "wrong": null, "mend": "The clone is shallow." },
        ],
    });
    assert_eq!(
        plain(&guarded(&read(value.clone()))),
        "Session qpvuntsmwlqt, dev of origin\n\n\
         ✓ 1  session-commit     The newest session's commit has all its sections\n\
         ✗ 2  research-artifact  A research artifact exists for the session\n     There is none\\u{1b}.\n     mend: augment-cli prompt report\n\
         ? 3  of-later\n     The clone is shallow.\n\n1 of 3 does not hold, 1 could not be judged."
    );
    value["invariants"][0]["wrong"] = json!("It is not whole.");
    value["invariants"][0]["holds"] = json!(false);
    let said = plain(&guarded(&read(value.clone())));
    assert!(said.ends_with("2 of 3 do not hold, 1 could not be judged."), "{said}");
    value["holds"] = json!(true);
    value["session"] = Value::Null;
    let said = plain(&guarded(&read(value)));
    assert!(said.starts_with("No session commit was found, dev of origin"), "{said}");
    assert!(said.ends_with("All hold: this session is closed."), "{said}");
}
