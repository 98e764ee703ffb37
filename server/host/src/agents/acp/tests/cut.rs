//! Output that makes no sense, and output that is cut anywhere.

use super::*;

fn not_understood(acts: &[Act]) -> Vec<&str> {
    let problem = |act| match act {
        &Act::Said(Said::NotUnderstood { ref problem }) => Some(problem.as_str()),
        Act::Said(_) | Act::Send(_) | Act::CloseInput => None,
    };
    acts.iter().filter_map(problem).collect()
}

#[test]
fn what_makes_no_sense_is_told_with_a_sample() {
    let check = |line: &str, problem: &str| {
        let acts = prompted().heard(Stream::Stdout, format!("{line}\n").as_bytes());
        assert_eq!(acts[0], Act::Said(Said::Alive(Sign::Output)), "{line}");
        assert_eq!(not_understood(&acts), [problem]);
    };
    check(
        "Loading\u{1b}[2J…",
        "It sent a line that is not a message: expected value at line 1 column 1. The line begins: Loading\\u{1b}[2J…",
    );
    check("{}", "It sent a line that is not a JSON-RPC 2.0 message. The line begins: {}");
    check(
        r#"{"level":"info","method":"GET"}"#,
        "It sent a line that is not a JSON-RPC 2.0 message. The line begins: {\"level\":\"info\",\"method\":\"GET\"}",
    );
    check(
        r#"{"jsonrpc":"2.0"}"#,
        "It sent a line that is neither a request nor an answer. The line begins: {\"jsonrpc\":\"2.0\"}",
    );
    check(
        r#"{"jsonrpc":"2.0","id":"x","result":1}"#,
        "It sent a line that answers a request that was not made: \"x\". The line begins: {\"jsonrpc\":\"2.0\",\"id\":\"x\",\"result\":1}",
    );
    check(
        r#"{"jsonrpc":"2.0","id":[1],"method":"x"}"#,
        "It sent a line that has an id that is no short text or number, beginning with \"[1]\". The line begins: {\"jsonrpc\":\"2.0\",\"id\":[1],\"method\":\"x\"}",
    );
    let mut acp = prompted();
    let acts = acp.heard(Stream::Stdout, b"{\"jsonrpc\":\"2.0\",\"id\":99,\"result\":{}}\n");
    assert_eq!(
        not_understood(&acts),
        [
            "It sent a line that answers a request that was not made, or was answered before. The line begins: {\"jsonrpc\":\"2.0\",\"id\":99,\"result\":{}}"
        ]
    );
    assert_eq!(
        acp.heard(Stream::Stdout, b"\n  \r\n"),
        [Act::Said(Said::Alive(Sign::Output))],
        "empty lines are nothing"
    );
}

#[test]
fn troubles_are_told_up_to_a_number_and_then_counted() {
    let mut acp = prompted();
    let told: usize = (0..50).map(|_| not_understood(&acp.heard(Stream::Stdout, b"junk\n")).len()).sum();
    assert_eq!(told, 20);
    let acts = acp.ended();
    assert_eq!(not_understood(&acts), ["It sent 30 more lines that make no sense here."]);
}

#[test]
fn a_line_that_is_too_long_is_told_once_and_the_next_is_heard() {
    let mut acp = prompted();
    let mut acts = Vec::new();
    for _ in 0..lines::LINE_BYTES / 65_536 + 10 {
        acts.extend(acp.heard(Stream::Stdout, &[b'{'; 65_536]));
        assert!(acp.unsettled() <= lines::LINE_BYTES);
    }
    let sample = "{".repeat(120);
    assert_eq!(
        not_understood(&acts),
        [format!("It sent a line that is longer than 8 MiB. The line begins: {sample}…")]
    );
    let acts =
        acp.heard(Stream::Stdout, b"\n{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"stopReason\":\"end_turn\"}}\n");
    assert_eq!(acts[1..], [Act::Said(Said::TurnEnded(Stopped::Done))]);
}

#[test]
fn the_last_line_needs_no_end() {
    let mut acp = prompted();
    acp.heard(Stream::Stdout, b"{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"stopReason\":\"end_turn\"}}");
    assert_eq!(acp.ended(), [Act::Said(Said::TurnEnded(Stopped::Done))]);
}

/// A small generator, so that a seed in a message is all that is needed to see it again.
struct Dice(u64);

impl Dice {
    fn of(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % sides as u64).expect("small")
    }
}

/// Frames of all kinds, some of them spoiled, some of them garbage.
fn noise(dice: &mut Dice) -> Vec<u8> {
    let call = |status: &str| json!({ "sessionUpdate": "tool_call_update", "toolCallId": "call_5_0", "title": "edit", "status": status, "kind": "edit", "locations": [{ "path": "/repo/ä.txt" }] });
    let update = |update: Value| json!({ "jsonrpc": "2.0", "method": "session/update", "params": { "sessionId": "s1", "update": update } });
    let mut out = Vec::new();
    for number in 0..40 {
        let frame = match dice.roll(12) {
            0 => answer(dice.roll(8) as u64, &goose_greeting()),
            1 => answer(dice.roll(8) as u64, &goose_session()),
            2 => answer(
                dice.roll(8) as u64,
                &json!({ "stopReason": "end_turn", "usage": { "inputTokens": number, "outputTokens": 1 } }),
            ),
            3 => error(dice.roll(8) as u64, -32_000, "Authentication required"),
            4 => permission(&json!(dice.roll(5)), &goose_edit()),
            5 => update(call(["pending", "in_progress", "completed", "failed"][dice.roll(4)])),
            6 => update(
                json!({ "sessionUpdate": "agent_message_chunk", "content": { "type": "text", "text": "wörds €" } }),
            ),
            7 => json!({ "jsonrpc": "2.0", "method": "$/cancel_request", "params": { "requestId": dice.roll(5) } }),
            8 => json!({ "jsonrpc": "2.0", "id": number, "method": "fs/read_text_file" }),
            9 => update(
                json!({ "sessionUpdate": "tool_call", "toolCallId": "call_5_0", "rawInput": { "path": "x", "content": "y" } }),
            ),
            10 => json!([[{}], number]),
            _ => update(json!({ "sessionUpdate": "usage_update", "cost": { "amount": number, "currency": "EUR" } })),
        };
        let mut line = frame.to_string().into_bytes();
        if dice.roll(4) == 0 {
            for _ in 0..=dice.roll(5) {
                let at = dice.roll(line.len());
                line[at] = u8::try_from(dice.roll(256)).expect("a byte");
            }
        }
        out.extend(line);
        out.extend([&b"\n"[..], b"\r\n", b"\n\n"][dice.roll(3)]);
    }
    out
}

/// What was said in the end, with words joined and without signs of life, which may differ from cut to cut.
fn joined(acts: Vec<Act>) -> Vec<Act> {
    let mut out: Vec<Act> = Vec::new();
    for act in acts {
        match (act, out.last_mut()) {
            (Act::Said(Said::Alive(_)), _) => {}
            (Act::Said(Said::Spoke { voice, text }), Some(Act::Said(Said::Spoke { voice: before, text: said })))
                if voice == *before =>
            {
                said.push_str(&text)
            }
            (act, _) => out.push(act),
        }
    }
    out
}

#[test]
fn however_it_is_cut_the_same_is_said() {
    for seed in 1..=150 {
        let mut dice = Dice::of(seed);
        let bytes = noise(&mut dice);
        let begun = || {
            let mut acp = Acp::new(Options::default());
            acp.begin(&assignment());
            acp
        };
        let mut acp = begun();
        let mut whole = acp.heard(Stream::Stdout, &bytes);
        whole.extend(acp.ended());

        let mut acp = begun();
        let mut cut = Vec::new();
        let mut at = 0;
        while at < bytes.len() {
            let end = bytes.len().min(at + 1 + dice.roll(200));
            cut.extend(acp.heard(Stream::Stdout, &bytes[at..end]));
            at = end;
        }
        cut.extend(acp.ended());
        assert_eq!(joined(whole.clone()), joined(cut), "seed {seed}");
    }
}

#[test]
fn another_host_at_any_place_loses_no_turn_and_no_question() {
    let lasting = |acts: Vec<Act>| {
        let lasts = |act: &Act| match act {
            Act::Send(_) | Act::CloseInput => true,
            Act::Said(said) => matches!(
                said,
                Said::TurnBegan
                    | Said::TurnEnded(_)
                    | Said::Withdrew { .. }
                    | Said::Began { .. }
                    | Said::Used { .. }
                    | Said::NotUnderstood { .. }
                    | Said::Unusable { .. }
            ),
        };
        acts.into_iter().filter(lasts).collect::<Vec<_>>()
    };
    for seed in 1..=100 {
        let mut dice = Dice::of(seed);
        let bytes = noise(&mut dice);
        let mut acp = Acp::new(Options::default());
        acp.begin(&assignment());
        let kept = acp.kept();
        let mut whole = acp.heard(Stream::Stdout, &bytes);
        whole.extend(acp.ended());

        let mut acp = Acp::resume(&kept, Options::default()).expect("kept");
        let mut pieces = Vec::new();
        let mut at = 0;
        while at < bytes.len() {
            let end = bytes.len().min(at + 1 + dice.roll(400));
            pieces.extend(acp.heard(Stream::Stdout, &bytes[at..end]));
            at = end;
            if dice.roll(3) == 0 {
                at -= acp.unsettled();
                acp = Acp::resume(&acp.kept(), Options::default()).expect("kept");
                // The rest of this line at least, or nobody would get on.
                let end = bytes[at..].iter().position(|&byte| byte == b'\n').map_or(bytes.len(), |line| at + line + 1);
                pieces.extend(acp.heard(Stream::Stdout, &bytes[at..end]));
                at = end;
            }
        }
        pieces.extend(acp.ended());
        assert_eq!(lasting(whole), lasting(pieces), "seed {seed}");
    }
}

#[test]
fn garbage_ends_nothing_and_fills_nothing() {
    for seed in 1..=30 {
        let mut dice = Dice::of(seed);
        let mut acp = prompted();
        for _ in 0..200 {
            let stream = [Stream::Stdout, Stream::Stderr][dice.roll(2)];
            let length = dice.roll(300);
            let bytes: Vec<_> = (0..length).map(|_| b"{}[]\",:\n\\0aex\xc3\xa4\xff"[dice.roll(16)]).collect();
            acp.heard(stream, &bytes);
            if dice.roll(10) == 0 {
                acp.missed();
            }
        }
        assert!(acp.kept().len() < 16 * 1_024, "seed {seed}");
        acp.ended();
    }
}
