//! Questions, their answers, and requests that we do not do.

use super::*;

fn selected(id: &Value, option: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "result": { "outcome": { "outcome": "selected", "optionId": option } } })
}

fn cancelled(id: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "result": { "outcome": { "outcome": "cancelled" } } })
}

fn order(key: &str, option: Option<&str>) -> Order {
    Order::Answer { key: key.to_owned(), option: option.map(str::to_owned) }
}

#[test]
fn goose_asks_and_its_edit_is_shown_from_what_its_tool_is_given() {
    let mut acp = prompted();
    let asking = asking(hear(&mut acp, &permission(&json!("f7c893f9"), &goose_edit())));
    assert_eq!(asking.key, "\"f7c893f9\"");
    assert_eq!(asking.title, "edit · /repo/hello.txt");
    assert_eq!(asking.detail, "/repo/hello.txt\n-hello\n+hello from goose\n");
    assert_eq!(asking.paths, [PathBuf::from("/repo/hello.txt")]);
    let meanings: Vec<_> = asking.options.iter().map(|option| option.meaning).collect();
    assert_eq!(meanings, [Meaning::AllowAlways, Meaning::AllowOnce, Meaning::RefuseOnce, Meaning::RefuseAlways]);
    let acts = acp.order(order(&asking.key, Some("allow_once")));
    assert_eq!(sent(&acts[0]), selected(&json!("f7c893f9"), "allow_once"));
    assert_eq!(acts[1..], [Act::Said(writes("/repo/hello.txt", None))], "it writes now");
    assert_eq!(acp.order(order(&asking.key, Some("allow_once"))), [], "it was answered");
}

#[test]
fn codex_asks_under_a_number_and_its_diff_came_before() {
    let mut acp = prompted();
    let call = json!({ "sessionUpdate": "tool_call", "toolCallId": "call_1", "kind": "edit", "title": "Editing files", "status": "in_progress", "content": [{ "type": "diff", "oldText": "20\nhello\n21\n", "newText": "20\nhello from codex\n21\n", "path": "/repo/hello.txt", "_meta": { "kind": "update" } }] });
    update(&mut acp, &call);
    let question = json!({ "jsonrpc": "2.0", "id": 0, "method": "session/request_permission", "params": { "sessionId": "s1",
        "toolCall": { "toolCallId": "call_1", "title": "Edit files", "locations": [{ "path": "/repo/hello.txt" }], "kind": "edit", "status": "pending" },
        "options": [{ "optionId": "allow_once", "name": "Yes, proceed", "kind": "allow_once" }, { "optionId": "cancel", "name": "No, and tell Codex what to do differently", "kind": "reject_once" }] } });
    let asking = asking(hear(&mut acp, &question));
    assert_eq!((asking.key.as_str(), asking.title.as_str()), ("0", "Edit files"));
    assert_eq!(asking.detail, "/repo/hello.txt\n 20\n-hello\n+hello from codex\n 21\n");
    assert_eq!(asking.paths, [PathBuf::from("/repo/hello.txt")]);
    assert_eq!(asking.options[0].label, "Yes, proceed");
    let acts = acp.order(order("0", None));
    assert_eq!((acts.len(), sent(&acts[0])), (1, selected(&json!(0), "cancel")), "by its kind, not by its name");
}

#[test]
fn a_command_is_shown_as_it_is_run() {
    let mut acp = prompted();
    let shell = json!({ "toolCallId": "call_7_0", "kind": "other", "status": "pending", "title": "shell · echo hi", "rawInput": { "command": "echo hi > sh.txt; cat sh.txt" } });
    let question = asking(hear(&mut acp, &permission(&json!("a"), &shell)));
    assert_eq!((question.detail.as_str(), question.paths.len()), ("echo hi > sh.txt; cat sh.txt", 0));
    let words = json!({ "toolCallId": "2", "title": "t", "rawInput": { "command": ["bash", "-lc", "ls"] } });
    assert_eq!(asking(hear(&mut acp, &permission(&json!("b"), &words))).detail, "bash -lc ls");
    let long = json!({ "toolCallId": "3", "title": "t", "rawInput": { "command": "x".repeat(100_000) } });
    assert!(asking(hear(&mut acp, &permission(&json!("c"), &long))).detail.len() <= detail::DETAIL_BYTES);
}

#[test]
fn no_leave_is_no() {
    let mut acp = prompted();
    hear(&mut acp, &permission(&json!("a"), &goose_edit()));
    assert_eq!(sent(&acp.order(order("\"a\"", None))[0]), selected(&json!("a"), "reject_once"));
    hear(&mut acp, &permission(&json!("a"), &goose_edit()));
    assert_eq!(sent(&acp.order(order("\"a\"", Some("never offered")))[0]), selected(&json!("a"), "reject_once"));
    let mut only_yes = permission(&json!("b"), &goose_edit());
    only_yes["params"]["options"] = json!([{ "optionId": "y", "name": "y", "kind": "allow_once" }, { "optionId": "?", "name": "?", "kind": "perhaps" }]);
    let asking = asking(hear(&mut acp, &only_yes));
    assert_eq!(asking.options[1].meaning, Meaning::Other);
    assert_eq!(sent(&acp.order(order("\"b\"", None))[0]), cancelled(&json!("b")));
}

#[test]
fn a_tool_that_was_refused_has_not_failed() {
    let mut acp = prompted();
    hear(&mut acp, &permission(&json!("a"), &goose_edit()));
    acp.order(order("\"a\"", Some("reject_once")));
    let end = json!({ "sessionUpdate": "tool_call_update", "toolCallId": "call_5_0", "status": "failed", "content": [{ "type": "content", "content": { "type": "text", "text": "The user has declined to run this tool. DO NOT attempt to call this tool again." } }], "locations": [{ "path": "/repo/hello.txt", "line": 1 }] });
    let said = update(&mut acp, &end);
    assert_eq!(said.last(), Some(&spoke(Voice::Tool, "refused: edit · /repo/hello.txt\n")));
    assert!(!said.iter().any(|said| matches!(said, Said::Failed { .. } | Said::Writes { .. })), "{said:?}");
}

#[test]
fn cancelling_answers_what_is_open() {
    let mut acp = prompted();
    hear(&mut acp, &permission(&json!("a"), &goose_edit()));
    hear(&mut acp, &permission(&json!(7), &goose_edit()));
    let acts = acp.order(Order::Cancel);
    assert_eq!(sent(&acts[0])["method"], "session/cancel");
    assert_eq!((sent(&acts[1]), sent(&acts[2])), (cancelled(&json!("a")), cancelled(&json!(7))));
    let withdrew = |key: &str| Act::Said(Said::Withdrew { key: key.to_owned() });
    assert_eq!(acts[3..], [withdrew("\"a\""), withdrew("7")]);
    let acts = hear(&mut acp, &answer(3, &json!({ "stopReason": "cancelled" })));
    assert_eq!(acts, [Act::Said(Said::TurnEnded(Stopped::Cancelled))]);
}

#[test]
fn an_agent_may_take_its_question_back() {
    let mut acp = prompted();
    hear(&mut acp, &permission(&json!("a"), &goose_edit()));
    let taken = json!({ "jsonrpc": "2.0", "method": "$/cancel_request", "params": { "requestId": "a" } });
    let acts = hear(&mut acp, &taken);
    assert_eq!(sent(&acts[0]), cancelled(&json!("a")));
    assert_eq!(acts[1..], [Act::Said(Said::Withdrew { key: "\"a\"".to_owned() })]);
    assert_eq!(hear(&mut acp, &taken), []);
    assert_eq!(acp.order(order("\"a\"", Some("allow_once"))), [], "too late");
    hear(&mut acp, &permission(&json!("b"), &goose_edit()));
    let acts = hear(&mut acp, &answer(3, &json!({ "stopReason": "end_turn" })));
    assert_eq!(acts[0], Act::Said(Said::Withdrew { key: "\"b\"".to_owned() }), "nobody waits any more");
    hear(&mut acp, &permission(&json!("c"), &goose_edit()));
    assert_eq!(acp.ended(), [Act::Said(Said::Withdrew { key: "\"c\"".to_owned() })]);
}

#[test]
fn only_so_many_questions_are_open_and_each_has_its_own_id() {
    let mut acp = prompted();
    for number in 0..questions::QUESTIONS {
        hear(&mut acp, &permission(&json!(number), &goose_edit()));
    }
    let acts = hear(&mut acp, &permission(&json!("more"), &goose_edit()));
    assert_eq!(sent(&acts[0]), selected(&json!("more"), "reject_once"));
    let problem = "It sent a line that asks more than 64 questions at a time; this one was refused.".to_owned();
    assert_eq!(acts[1..], [Act::Said(Said::NotUnderstood { problem })]);
    acp.order(order("0", None));
    let acts = hear(&mut acp, &permission(&json!(1), &goose_edit()));
    let problem = "It sent a line that asks a second question under the id 1.".to_owned();
    assert_eq!(acts, [Act::Said(Said::NotUnderstood { problem })]);
}

#[test]
fn what_we_do_not_do_is_refused_so_that_nobody_waits() {
    let mut acp = prompted();
    let request = |method: &str| json!({ "jsonrpc": "2.0", "id": "r-1", "method": method, "params": { "sessionId": "s1", "path": "/repo/a", "content": "x" } });
    for (method, message) in [
        (
            "fs/write_text_file",
            "Files are not read or written through this client. Use them on disk, where the session's folder is.",
        ),
        (
            "fs/read_text_file",
            "Files are not read or written through this client. Use them on disk, where the session's folder is.",
        ),
        ("terminal/create", "This client has no such method."),
        ("_x/y", "This client has no such method."),
    ] {
        let acts = hear(&mut acp, &request(method));
        let expected = json!({ "jsonrpc": "2.0", "id": "r-1", "error": { "code": -32601, "message": message } });
        assert_eq!((acts.len(), sent(&acts[0])), (1, expected));
    }
}
