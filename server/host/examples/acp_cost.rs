//! What a message of an ACP agent costs: parsed, understood, acted upon. A stream as goose and codex send it (words in small
//! pieces, tool calls, diffs, questions with their answers, a long list of commands now and then) is heard many times.
//!
//! `cargo run --release -p augment-host --example acp_cost [rounds]`

#![expect(clippy::print_stdout, reason = "its output is what it is for")]

use augment_host::agents::acp::{Acp, Options};
use augment_host::agents::adapter::{Act, Adapter as _, Assignment, Order, Said};
use augment_host::agents::output_log::Stream;

/// As much as one read of a pipe gives.
const PIECE: usize = 64 * 1_024;

fn main() {
    let rounds = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(200);
    println!("{:<34}{:>10}{:>12}{:>14}{:>12}", "stream", "messages", "bytes each", "µs a message", "MB/s");
    for (name, frames) in streams() {
        measure(name, &frames, rounds);
    }
}

fn measure(name: &str, frames: &[String], rounds: u32) {
    let stream = frames.concat();
    let mut said = 0_u64;
    let begin = cpu_s();
    for _ in 0..rounds {
        // A new one each time: to calls that it knows it would listen with half an ear.
        let mut agent = prompted();
        for piece in stream.as_bytes().chunks(PIECE) {
            for act in agent.heard(Stream::Stdout, piece) {
                said += 1;
                if let Act::Said(Said::Asks(asking)) = act {
                    said += agent.order(Order::Answer { key: asking.key, option: None }).len() as u64;
                }
            }
        }
    }
    let used_s = cpu_s() - begin;
    assert!(said > 0, "the stream says something");
    let messages = f64::from(rounds) * frames.len() as f64;
    let bytes = f64::from(rounds) * stream.len() as f64;
    println!(
        "{name:<34}{messages:>10}{:>12.0}{:>14.2}{:>12.0}",
        bytes / messages,
        used_s * 1e6 / messages,
        bytes / used_s / 1e6
    );
}

fn cpu_s() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

fn prompted() -> Acp {
    let mut agent = Acp::new(Options::default());
    agent.begin(&Assignment { prompt: "go".to_owned(), cwd: "/repo".into(), tools: None });
    let opened = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":1}}\n{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"sessionId\":\"s\"}}\n";
    agent.heard(Stream::Stdout, opened);
    agent
}

fn streams() -> Vec<(&'static str, Vec<String>)> {
    let words: Vec<_> = (0..1_000).map(word).collect();
    let calls: Vec<_> = (0..250).flat_map(call).collect();
    let commands: Vec<_> = (0..10).map(|_| commands()).collect();
    let session =
        words.iter().take(900).chain(calls.iter().take(300)).chain(commands.iter().take(2)).cloned().collect();
    vec![
        ("words in small pieces", words),
        ("calls with diffs and questions", calls),
        ("lists of commands, 20 KB each", commands),
        ("a session of all of these", session),
    ]
}

fn update(update: &str) -> String {
    format!(
        "{{\"jsonrpc\":\"2.0\",\"method\":\"session/update\",\"params\":{{\"sessionId\":\"20261116_1\",\"update\":{update}}}}}\n"
    )
}

fn word(number: usize) -> String {
    update(&format!(
        "{{\"sessionUpdate\":\"agent_message_chunk\",\"content\":{{\"type\":\"text\",\"text\":\" word{number}\"}},\"messageId\":\"chatcmpl-5\",\"_meta\":{{\"goose\":{{\"created\":1794841687,\"messageId\":\"chatcmpl-5\"}}}}}}"
    ))
}

/// An edit of forty lines: told, asked for, done.
fn call(number: usize) -> Vec<String> {
    let lines = |mark: &str| (0..40).map(|line| format!("    let value_{line} = {mark};\\n")).collect::<String>();
    let diff = format!(
        "{{\"type\":\"diff\",\"path\":\"/repo/src/file_{number}.rs\",\"oldText\":\"{}\",\"newText\":\"{}\"}}",
        lines("1"),
        lines("2")
    );
    vec![
        update(&format!(
            "{{\"sessionUpdate\":\"tool_call\",\"toolCallId\":\"call_{number}\",\"kind\":\"edit\",\"title\":\"Editing files\",\"status\":\"in_progress\",\"content\":[{diff}]}}"
        )),
        format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":{number},\"method\":\"session/request_permission\",\"params\":{{\"sessionId\":\"s\",\"toolCall\":{{\"toolCallId\":\"call_{number}\",\"title\":\"Edit files\",\"locations\":[{{\"path\":\"/repo/src/file_{number}.rs\"}}],\"kind\":\"edit\",\"status\":\"pending\"}},\"options\":[{{\"optionId\":\"allow_once\",\"name\":\"Yes\",\"kind\":\"allow_once\"}},{{\"optionId\":\"cancel\",\"name\":\"No\",\"kind\":\"reject_once\"}}]}}}}\n"
        ),
        update(&format!(
            "{{\"sessionUpdate\":\"tool_call_update\",\"toolCallId\":\"call_{number}\",\"status\":\"completed\"}}"
        )),
        update("{\"sessionUpdate\":\"usage_update\",\"used\":110,\"size\":258400}"),
    ]
}

fn commands() -> String {
    let command = |number| {
        format!("{{\"name\":\"command-{number}\",\"description\":\"{}\",\"input\":null}}", "what it does ".repeat(14))
    };
    let commands: Vec<_> = (0..90).map(command).collect();
    update(&format!(
        "{{\"sessionUpdate\":\"available_commands_update\",\"availableCommands\":[{}]}}",
        commands.join(",")
    ))
}
