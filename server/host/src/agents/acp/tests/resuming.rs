//! A later host goes on where another one stopped, anywhere in the middle.

use super::*;

fn resumed(acp: &Acp, options: &Options) -> Acp {
    Acp::resume(&acp.kept(), options.clone()).expect("it was kept")
}

#[test]
fn every_step_of_a_conversation_can_be_taken_up_by_a_later_host() {
    let options = Options { mode: Some("approve".to_owned()) };
    let mut acp = Acp::new(options.clone());
    acp.begin(&assignment());
    acp = resumed(&acp, &options);
    let acts = hear(&mut acp, &answer(1, &goose_greeting()));
    assert_eq!(sent(&acts[0])["params"]["mcpServers"][0]["name"], "augment");
    acp = resumed(&acp, &options);
    let acts = hear(&mut acp, &answer(2, &goose_session()));
    assert_eq!(acts[0], Act::Said(Said::Began { agent: Some("goose 1.52.0".to_owned()) }));
    acp = resumed(&acp, &options);
    let acts = hear(&mut acp, &answer(3, &json!({})));
    assert_eq!(sent(&acts[0])["params"]["prompt"][0]["text"], "change hello.txt");
    acp.order(Order::Say { text: "more".to_owned() });
    acp.order(Order::Ping);
    hear(&mut acp, &permission(&json!("q"), &goose_edit()));
    acp = resumed(&acp, &options);
    assert_eq!(acp.order(Order::Ping), [], "the ping is still out");
    assert_eq!(hear(&mut acp, &error(5, -32_601, "Method not found")), []);
    let acts = acp.order(Order::Answer { key: "\"q\"".to_owned(), option: None });
    assert_eq!(sent(&acts[0])["result"]["outcome"]["optionId"], "reject_once");
    let acts = hear(&mut acp, &answer(4, &json!({ "stopReason": "end_turn" })));
    assert_eq!(acts[0], Act::Said(Said::TurnEnded(Stopped::Done)));
    assert_eq!(sent(&acts[1])["params"]["prompt"][0]["text"], "more");
}

#[test]
fn a_line_that_was_half_heard_is_heard_again_and_complaints_are_not() {
    let mut acp = prompted();
    let frame = json!({ "jsonrpc": "2.0", "id": 3, "result": { "stopReason": "end_turn" } }).to_string() + "\n";
    let (first, second) = frame.as_bytes().split_at(20);
    assert_eq!(acp.unsettled(), 0);
    acp.heard(Stream::Stdout, first);
    acp.heard(Stream::Stderr, b"one \xc3");
    assert_eq!(acp.unsettled(), 25);
    for _ in 0..2 {
        // Twice: the second host goes, too, before it has heard all of it again.
        acp = resumed(&acp, &Options::default());
        assert_eq!(acp.unsettled(), 0);
        acp.heard(Stream::Stdout, first);
        assert_eq!(acp.heard(Stream::Stderr, b"on"), [Act::Said(Said::Alive(Sign::Output))], "it was told");
    }
    acp.heard(Stream::Stderr, b"e \xc3");
    assert_eq!(acp.heard(Stream::Stderr, b"\xa4 two")[1], Act::Said(spoke(Voice::Complaint, "ä two")));
    let acts = acp.heard(Stream::Stdout, second);
    assert_eq!(acts[1..], [Act::Said(Said::TurnEnded(Stopped::Done))]);
    assert_eq!(acp.unsettled(), 0);
}

#[test]
fn after_a_gap_a_line_without_its_beginning_is_let_go_silently_and_a_whole_one_is_heard() {
    let frame = json!({ "jsonrpc": "2.0", "id": 3, "result": { "stopReason": "end_turn" } }).to_string() + "\n";
    let alive = |sign| Act::Said(Said::Alive(sign));
    let ended = Act::Said(Said::TurnEnded(Stopped::Done));
    let mut acp = prompted();
    acp.heard(Stream::Stdout, b"{\"jsonrpc\":");
    assert_eq!(acp.missed(), []);
    acp = resumed(&acp, &Options::default());
    assert_eq!(acp.heard(Stream::Stdout, b"\"text\":\"x\"}}}\n"), [alive(Sign::Output)]);
    assert_eq!(acp.heard(Stream::Stdout, frame.as_bytes()), [alive(Sign::Message), ended.clone()]);
    let mut acp = prompted();
    acp.missed();
    assert_eq!(acp.heard(Stream::Stdout, frame.as_bytes()), [alive(Sign::Message), ended]);
    assert_eq!(acp.heard(Stream::Stdout, b"}\n").len(), 2, "only the first line may be torn");
}

#[test]
fn what_is_passed_over_stays_passed_over() {
    let mut acp = prompted();
    acp.heard(Stream::Stdout, &vec![b'x'; lines::LINE_BYTES + 1]);
    assert_eq!(acp.unsettled(), 0);
    let mut acp = resumed(&acp, &Options::default());
    assert_eq!(acp.heard(Stream::Stdout, b"xxx\n"), [Act::Said(Said::Alive(Sign::Output))]);
    assert!(acp.kept().len() < 1_024);
}

#[test]
fn what_is_no_kept_conversation_is_not_resumed() {
    for bytes in [&b""[..], b"{}", b"nonsense"] {
        let problem = Acp::resume(bytes, Options::default()).expect_err("no conversation").to_string();
        assert_eq!(problem, "what was kept of a conversation over ACP cannot be read");
    }
}
