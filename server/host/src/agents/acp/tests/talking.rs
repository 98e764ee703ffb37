//! Greeting, session, turns, and what is told in between.

use super::*;

#[test]
fn a_conversation_begins_with_a_greeting_a_session_and_the_prompt() {
    let mut acp = Acp::new(Options::default());
    let acts = acp.begin(&assignment());
    let greeting = sent(&acts[0]);
    assert_eq!((acts.len(), &greeting["id"], &greeting["method"]), (1, &json!(1), &json!("initialize")));
    let capabilities = json!({ "fs": { "readTextFile": false, "writeTextFile": false }, "terminal": false });
    assert_eq!(greeting["params"]["protocolVersion"], 1);
    assert_eq!(greeting["params"]["clientCapabilities"], capabilities);
    assert_eq!(greeting["params"]["clientInfo"]["name"], "augment-orchestrator");

    let acts = hear(&mut acp, &answer(1, &goose_greeting()));
    let tools = json!({ "name": "augment", "command": "/bin/augment-cli", "args": ["mcp"], "env": [{ "name": "AUGMENT_TASK", "value": "7" }] });
    let expected = json!({ "jsonrpc": "2.0", "id": 2, "method": "session/new", "params": { "cwd": "/repo", "mcpServers": [tools] } });
    assert_eq!((acts.len(), sent(&acts[0])), (1, expected));

    let acts = hear(&mut acp, &answer(2, &goose_session()));
    assert_eq!(acts[0], Act::Said(Said::Began { agent: Some("goose 1.52.0".to_owned()) }));
    let prompt = json!({ "sessionId": "s1", "prompt": [{ "type": "text", "text": "change hello.txt" }] });
    assert_eq!(sent(&acts[1]), json!({ "jsonrpc": "2.0", "id": 3, "method": "session/prompt", "params": prompt }));
    assert_eq!(acts[2..], [Act::Said(Said::TurnBegan)]);
}

#[test]
fn another_version_of_the_protocol_is_not_spoken() {
    let mut acp = Acp::new(Options::default());
    acp.begin(&assignment());
    let acts = hear(&mut acp, &answer(1, &json!({ "protocolVersion": 2, "agentCapabilities": {} })));
    let reason = "The agent speaks version 2 of the Agent Client Protocol, and only version 1 is spoken here. Use a version of the agent that speaks it.";
    assert_eq!(acts, [Act::Said(Said::Unusable { reason: reason.to_owned() })]);
    assert_eq!(hear(&mut acp, &answer(2, &goose_session())), [], "it is not spoken with any more");
    assert_eq!(acp.order(Order::Say { text: "go on".to_owned() }), []);
}

#[test]
fn an_agent_that_cannot_begin_says_why() {
    let refused = |greeting: &Value, session: Option<&Value>| {
        let mut acp = Acp::new(Options::default());
        acp.begin(&assignment());
        let mut acts = hear(&mut acp, greeting);
        if let Some(session) = session {
            acts = hear(&mut acp, session);
        }
        acts.into_iter().map(said).find_map(|said| {
            let Said::Unusable { reason } = said else { return None };
            Some(reason)
        })
    };
    let check = |greeting: &Value, session: Option<&Value>, reason: &str| {
        assert_eq!(refused(greeting, session).as_deref(), Some(reason));
    };
    let log_in = error(2, -32_000, "Authentication required");
    check(
        &answer(1, &goose_greeting()),
        Some(&log_in),
        "The agent wants somebody to log in (Configure Provider). Log in with the agent's own program first, then start it again.",
    );
    check(
        &answer(1, &json!({ "protocolVersion": 1 })),
        Some(&log_in),
        "The agent wants somebody to log in. Log in with the agent's own program first, then start it again.",
    );
    check(
        &answer(1, &goose_greeting()),
        Some(&error(2, -32_603, "no such folder")),
        "The agent opened no session: no such folder.",
    );
    check(&error(1, -32_603, "broken!"), None, "The agent would not begin: broken!");
    check(&answer(1, &json!(null)), None, "The agent's greeting cannot be read. Is it an ACP agent?");
    check(
        &answer(1, &goose_greeting()),
        Some(&answer(2, &json!({}))),
        "The agent opened a session, but what it says of it cannot be read.",
    );
}

#[test]
fn the_mode_is_set_before_the_prompt() {
    let opened = |mode: &str| {
        let mut acp = Acp::new(Options { mode: Some(mode.to_owned()) });
        acp.begin(&assignment());
        hear(&mut acp, &answer(1, &goose_greeting()));
        let acts = hear(&mut acp, &answer(2, &goose_session()));
        (acp, acts)
    };
    let (mut acp, acts) = opened("approve");
    let set = json!({ "jsonrpc": "2.0", "id": 3, "method": "session/set_mode", "params": { "sessionId": "s1", "modeId": "approve" } });
    assert_eq!((acts.len(), sent(&acts[1])), (2, set));
    let acts = hear(&mut acp, &answer(3, &json!({})));
    assert_eq!((sent(&acts[0])["method"].clone(), &acts[1]), (json!("session/prompt"), &Act::Said(Said::TurnBegan)));

    let (mut acp, _) = opened("approve");
    let acts = hear(&mut acp, &error(3, -32_602, "Invalid params"));
    assert_eq!(acts[0], Act::Said(failed("setting the mode \"approve\"", "Invalid params")));
    assert_eq!(sent(&acts[1])["method"], "session/prompt", "it works all the same");

    let (_, acts) = opened("ask");
    assert_eq!(acts[1], Act::Said(failed("setting the mode \"ask\"", "it has only auto, approve")));
    assert_eq!(sent(&acts[2])["method"], "session/prompt");

    let (_, acts) = opened("auto");
    assert_eq!(sent(&acts[1])["method"], "session/prompt", "it is in this mode already");
}

#[test]
fn a_turn_ends_as_its_reason_says() {
    for (reason, stopped) in [
        ("end_turn", Stopped::Done),
        ("max_tokens", Stopped::AtLimit),
        ("max_turn_requests", Stopped::AtLimit),
        ("refusal", Stopped::Refused),
        ("cancelled", Stopped::Cancelled),
    ] {
        let acts = hear(&mut prompted(), &answer(3, &json!({ "stopReason": reason })));
        assert_eq!(acts, [Act::Said(Said::TurnEnded(stopped))], "{reason}");
    }
}

#[test]
fn a_turn_that_ends_in_an_error_has_failed() {
    let ended = Act::Said(Said::TurnEnded(Stopped::InError));
    let check = |frame: &Value, title: &str, message: &str| {
        let acts = hear(&mut prompted(), frame);
        assert_eq!(acts, [Act::Said(failed(title, message)), ended.clone()]);
    };
    // Both agents, when their model wants another key.
    check(
        &error(3, -32_000, "Authentication required"),
        "the turn",
        "Authentication required. Log in with the agent's own program first.",
    );
    check(
        &json!({ "jsonrpc": "2.0", "id": 3, "error": { "code": -32603, "message": "Please check your account with your provider to add more credits, then resend your message to continue.", "data": { "reason": "credits_exhausted" } } }),
        "the turn",
        "Please check your account with your provider to add more credits, then resend your message to continue.",
    );
    check(
        &json!({ "jsonrpc": "2.0", "id": 3, "error": { "code": -32603, "message": "Internal error", "data": { "details": "quota" } } }),
        "the turn",
        "Internal error: quota",
    );
    check(&json!({ "jsonrpc": "2.0", "id": 3, "error": "no" }), "the turn", "an error that cannot be read, \"\"no\"\"");
}

#[test]
fn a_reason_that_is_not_known_is_told_and_taken_for_an_error() {
    for (result, problem) in [
        (
            json!({ "stopReason": "bored\u{1b}" }),
            "It sent a line that ends the turn for a reason that is not known, \"bored\\u{1b}\".",
        ),
        (
            json!({}),
            "It sent a line that ends its turn without a reason: missing field `stopReason` at line 1 column 2.",
        ),
    ] {
        let acts = hear(&mut prompted(), &answer(3, &result));
        let problem = problem.to_owned();
        assert_eq!(acts, [Act::Said(Said::NotUnderstood { problem }), Act::Said(Said::TurnEnded(Stopped::InError))]);
    }
}

#[test]
fn a_model_that_failed_ends_the_turn_in_an_error_whatever_the_reason_says() {
    let mut goose = prompted();
    let text = "Ran into this error: Rate limit exceeded: scripted failure.\n\nPlease retry if you think this is a transient or recoverable error.";
    update(
        &mut goose,
        &json!({ "sessionUpdate": "agent_message_chunk", "content": { "type": "text", "text": text }, "messageId": "msg_08c1589f" }),
    );
    update(
        &mut goose,
        &json!({ "sessionUpdate": "session_info_update", "_meta": { "goose": { "activeRunId": null } } }),
    );
    update(&mut goose, &json!({ "sessionUpdate": "usage_update", "used": 0, "size": 128_000 }));
    let ended = Act::Said(Said::TurnEnded(Stopped::InError));
    assert_eq!(
        hear(&mut goose, &answer(3, &json!({ "stopReason": "end_turn" }))),
        [Act::Said(failed("the model", text)), ended.clone()]
    );

    let mut codex = prompted();
    let status = |kind: &str| json!({ "sessionUpdate": "session_info_update", "_meta": { "codex": { "threadStatus": { "type": kind } } } });
    update(&mut codex, &status("active"));
    update(&mut codex, &status("systemError"));
    update(
        &mut codex,
        &json!({ "sessionUpdate": "agent_message_chunk", "content": { "type": "text", "text": "exceeded retry limit, last status: 429 Too Many Requests\n\n" } }),
    );
    update(&mut codex, &json!({ "sessionUpdate": "session_info_update", "title": "change hello.txt" }));
    let over = json!({ "stopReason": "end_turn", "usage": null, "_meta": { "quota": { "token_count": null, "model_usage": [] } } });
    assert_eq!(
        hear(&mut codex, &answer(3, &over)),
        [Act::Said(failed("the model", "exceeded retry limit, last status: 429 Too Many Requests")), ended]
    );

    let mut goose = prompted();
    let text = "I've reached the maximum number of actions I can do without user input. Would you like me to continue?";
    update(
        &mut goose,
        &json!({ "sessionUpdate": "agent_message_chunk", "content": { "type": "text", "text": text }, "messageId": "m" }),
    );
    let acts = hear(&mut goose, &answer(3, &json!({ "stopReason": "end_turn" })));
    assert_eq!(acts, [Act::Said(Said::TurnEnded(Stopped::AtLimit))]);
}

#[test]
fn what_was_used_is_told() {
    let used = |input_tokens, output_tokens, cost: Option<&str>| Said::Used {
        input_tokens,
        output_tokens,
        cost: cost.map(str::to_owned),
    };
    let mut goose = prompted();
    let usage = json!({ "sessionUpdate": "usage_update", "used": 110, "size": 128_000, "cost": { "amount": 0.00035, "currency": "USD" } });
    assert_eq!(update(&mut goose, &usage), [used(0, 0, Some("0.00035 USD"))]);
    assert_eq!(update(&mut goose, &usage), [], "nothing new");
    let over =
        json!({ "stopReason": "end_turn", "usage": { "totalTokens": 110, "inputTokens": 100, "outputTokens": 10 } });
    assert_eq!(hear(&mut goose, &answer(3, &over))[0], Act::Said(used(100, 10, Some("0.00035 USD"))));
    let over = json!({ "stopReason": "end_turn", "_meta": { "quota": { "token_count": { "input_tokens": 7, "output_tokens": 8 } } } });
    assert_eq!(hear(&mut prompted(), &answer(3, &over))[0], Act::Said(used(7, 8, None)));
}

#[test]
fn what_it_says_and_thinks_is_passed_on() {
    let mut acp = prompted();
    let chunk = |kind: &str, content: Value| json!({ "sessionUpdate": kind, "content": content, "messageId": "chatcmpl-5", "_meta": { "goose": { "created": 1 } } });
    let text = json!({ "type": "text", "text": "I will edit." });
    assert_eq!(update(&mut acp, &chunk("agent_message_chunk", text.clone())), [spoke(Voice::Message, "I will edit.")]);
    assert_eq!(update(&mut acp, &chunk("agent_thought_chunk", text.clone())), [spoke(Voice::Thought, "I will edit.")]);
    assert_eq!(update(&mut acp, &chunk("user_message_chunk", text)), []);
    let image = json!({ "type": "image", "data": "AAAA", "mimeType": "image/png" });
    assert_eq!(update(&mut acp, &chunk("agent_message_chunk", image)), [spoke(Voice::Message, "[an image]")]);
    let plan = json!({ "sessionUpdate": "plan", "entries": [{ "content": "look", "priority": "high", "status": "completed" }, { "content": "write", "priority": "low", "status": "pending" }] });
    assert_eq!(update(&mut acp, &plan), [spoke(Voice::Thought, "[x] look\n"), spoke(Voice::Thought, "[ ] write\n")]);
    for other in ["available_commands_update", "current_mode_update", "config_option_update", "of_a_later_version"] {
        assert_eq!(update(&mut acp, &json!({ "sessionUpdate": other, "currentModeId": "auto" })), []);
    }
    let other =
        json!({ "jsonrpc": "2.0", "method": "_auth/status_update", "params": { "authStatus": { "kind": "gateway" } } });
    assert_eq!(hear(&mut acp, &other), []);
    let long = json!({ "type": "text", "text": "ä".repeat(1_000_000) });
    let Said::Spoke { text, .. } = update(&mut acp, &chunk("agent_message_chunk", long)).remove(0) else { panic!() };
    assert!(text.len() <= WORDS_BYTES && text.ends_with("… the rest is left out\n"));
}

#[test]
fn what_its_program_complains_of_is_passed_on() {
    let mut acp = prompted();
    let alive = Act::Said(Said::Alive(Sign::Output));
    assert_eq!(
        acp.heard(Stream::Stderr, b"warning: \xc3"),
        [alive.clone(), Act::Said(spoke(Voice::Complaint, "warning: "))]
    );
    assert_eq!(acp.heard(Stream::Stderr, b"\xa4\xff"), [alive, Act::Said(spoke(Voice::Complaint, "ä\u{fffd}"))]);
}

#[test]
fn a_person_may_say_more() {
    let mut acp = prompted();
    let say = |text: &str| Order::Say { text: text.to_owned() };
    assert_eq!(acp.order(say("and world.txt")), [], "a turn is on");
    assert_eq!(acp.order(say("please")), []);
    let acts = hear(&mut acp, &answer(3, &json!({ "stopReason": "end_turn" })));
    assert_eq!(acts[0], Act::Said(Said::TurnEnded(Stopped::Done)));
    assert_eq!(sent(&acts[1])["params"]["prompt"][0]["text"], "and world.txt\n\nplease");
    assert_eq!(acts[2], Act::Said(Said::TurnBegan));
    hear(&mut acp, &answer(4, &json!({ "stopReason": "end_turn" })));
    let acts = acp.order(say("once more"));
    assert_eq!(sent(&acts[0])["id"], 5);
    assert_eq!(acts[1], Act::Said(Said::TurnBegan));
}

#[test]
fn a_turn_can_be_cancelled() {
    let mut acp = prompted();
    let acts = acp.order(Order::Cancel);
    let cancel = json!({ "jsonrpc": "2.0", "method": "session/cancel", "params": { "sessionId": "s1" } });
    assert_eq!((acts.len(), sent(&acts[0])), (1, cancel));
    let acts = hear(&mut acp, &error(3, -32_603, "aborted"));
    assert_eq!(acts, [Act::Said(Said::TurnEnded(Stopped::Cancelled))], "some answer with an error then");
    assert_eq!(acp.order(Order::Cancel), [], "there is nothing to cancel");

    let mut acp = Acp::new(Options::default());
    acp.begin(&assignment());
    assert_eq!(acp.order(Order::Cancel), [Act::Said(Said::TurnEnded(Stopped::Cancelled))]);
    assert_eq!(acp.order(Order::Cancel), []);
    hear(&mut acp, &answer(1, &goose_greeting()));
    let acts = hear(&mut acp, &answer(2, &goose_session()));
    assert_eq!(acts.len(), 1, "it begins, and is given nothing to do: {acts:?}");
    assert_eq!(acp.order(Order::Say { text: "now".to_owned() }).len(), 2);
}

#[test]
fn a_ping_waits_for_its_answer() {
    let mut acp = prompted();
    let acts = acp.order(Order::Ping);
    assert_eq!(sent(&acts[0]), json!({ "jsonrpc": "2.0", "id": 4, "method": "_orchestrator/ping", "params": {} }));
    assert_eq!(acp.order(Order::Ping), [], "one at a time");
    assert_eq!(hear(&mut acp, &error(4, -32_601, "Method not found")), []);
    assert_eq!(sent(&acp.order(Order::Ping)[0])["id"], 5);
    assert_eq!(hear(&mut acp, &answer(5, &json!({}))), []);
}

#[test]
fn tools_that_work_and_fail_are_told() {
    let mut goose = prompted();
    let call = json!({ "sessionUpdate": "tool_call", "toolCallId": "call_8_0", "title": "shell · false", "rawInput": { "command": "false" } });
    assert_eq!(update(&mut goose, &call), [spoke(Voice::Tool, "shell · false\n")]);
    let live = json!({ "sessionUpdate": "tool_call_update", "toolCallId": "call_8_0", "status": "in_progress", "_meta": { "toolNotification": { "type": "live_output" } } });
    assert_eq!(update(&mut goose, &live), []);
    let end = json!({ "sessionUpdate": "tool_call_update", "toolCallId": "call_8_0", "status": "failed", "content": [{ "type": "content", "content": { "type": "text", "text": "(no output)\n\nCommand exited with code 1" } }], "rawOutput": { "exit_code": 1 } });
    assert_eq!(update(&mut goose, &end), [failed("shell · false", "(no output)\n\nCommand exited with code 1")]);
    assert_eq!(update(&mut goose, &end), [], "once");
    let end = json!({ "sessionUpdate": "tool_call_update", "toolCallId": "unheard of", "status": "completed" });
    assert_eq!(update(&mut goose, &end), [worked("a tool call")]);
}

#[test]
fn what_goose_writes_is_claimed_by_what_its_tool_was_given() {
    let mut goose = prompted();
    let call = |tool: &str, input: Value| json!({ "sessionUpdate": "tool_call", "toolCallId": tool, "title": tool, "rawInput": input, "_meta": { "goose": { "toolCall": { "toolName": tool, "extensionName": "developer" } } } });
    let done = |tool: &str, path: &str| json!({ "sessionUpdate": "tool_call_update", "toolCallId": tool, "status": "completed", "locations": [{ "path": path, "line": 1 }] });
    update(&mut goose, &call("write", json!({ "path": "/repo/new.txt", "content": "new file\n" })));
    assert_eq!(
        update(&mut goose, &done("write", "/repo/new.txt")),
        [writes("/repo/new.txt", Some("new file\n")), worked("write")]
    );
    update(&mut goose, &call("edit", json!({ "path": "hello.txt", "before": "hello", "after": "hi" })));
    assert_eq!(update(&mut goose, &done("edit", "/repo/hello.txt")), [writes("/repo/hello.txt", None), worked("edit")]);
    update(&mut goose, &call("read", json!({ "path": "/repo/hello.txt" })));
    assert_eq!(update(&mut goose, &done("read", "/repo/hello.txt")), [worked("read")]);
}

#[test]
fn what_codex_writes_is_claimed_by_its_diffs_whole_only_for_new_files() {
    let mut codex = prompted();
    let call = json!({ "sessionUpdate": "tool_call", "toolCallId": "call_1", "kind": "edit", "title": "Editing files", "status": "in_progress", "content": [
        { "type": "diff", "oldText": null, "newText": "fresh\n", "path": "/repo/added.txt", "_meta": { "kind": "add" } },
        { "type": "diff", "oldText": "20\nhello\n21\n", "newText": "20\nhello from codex\n21\n", "path": "/repo/hello.txt", "_meta": { "kind": "update" } },
        { "type": "diff", "oldText": "gone\n", "newText": "", "path": "/repo/gone.txt", "_meta": { "kind": "delete" } },
    ] });
    assert_eq!(
        update(&mut codex, &call),
        [
            spoke(Voice::Tool, "Editing files\n"),
            writes("/repo/added.txt", Some("fresh\n")),
            writes("/repo/hello.txt", None),
            writes("/repo/gone.txt", None),
        ]
    );
    let done = json!({ "sessionUpdate": "tool_call_update", "toolCallId": "call_1", "status": "completed" });
    assert_eq!(update(&mut codex, &done), [worked("Editing files")]);
}

#[test]
fn files_of_a_call_that_edits_are_claimed_by_their_place() {
    for kind in ["edit", "delete", "move"] {
        let mut acp = prompted();
        let call = json!({ "sessionUpdate": "tool_call", "toolCallId": "1", "kind": kind, "title": "t", "status": "pending", "locations": [{ "path": "/repo/a" }, { "path": "/repo/a", "line": 9 }] });
        assert_eq!(update(&mut acp, &call), [spoke(Voice::Tool, "t\n")]);
        let works = json!({ "sessionUpdate": "tool_call_update", "toolCallId": "1", "status": "in_progress" });
        assert_eq!(update(&mut acp, &works), [writes("/repo/a", None)]);
    }
    let read = json!({ "sessionUpdate": "tool_call", "toolCallId": "1", "kind": "read", "title": "t", "status": "completed", "locations": [{ "path": "/repo/a" }] });
    assert_eq!(update(&mut prompted(), &read), [spoke(Voice::Tool, "t\n"), worked("t")]);
}
