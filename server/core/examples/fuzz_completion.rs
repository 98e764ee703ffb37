//! Reads broken completion reports: `fuzz_completion COUNT SEED`. Takes reports as agents write them, breaks them by bytes,
//! splices and tokens, puts them into the text around them, and holds each text against what must hold for every one. A
//! failure is repeated with `fuzz_completion 1 SEED`, where the seed is the one that was told last.

use augment_core::completion::{Found, MAX_FOUND, What, examine, find, write};
use augment_core::simulation::Random;

const REPORTS: &[&str] = &[
    "<agent_completion><status>partial</status></agent_completion>",
    "<agent_completion>\n  <status>completed</status>\n  <agent>@a</agent>\n  <timestamp>2025-12-18T04:30:00Z</timestamp>\n  \
     <summary>\n    two\n    lines\n  </summary>\n  <metrics>\n    <metric name=\"files_scanned\">42</metric>\n  \
     </metrics>\n  <next_steps>\n    <recommend>@b</recommend>\n    <reason>why</reason>\n    <recommend>c</recommend>\n  \
     </next_steps>\n</agent_completion>\n",
    "<agent_completion><status>blocked</status><summary>R&amp;D <![CDATA[<a> & b]]></summary><decision_points><decision>\
     <question>Q?</question><options><option value=\"y\">Yes</option><option>No</option></options>\
     <recommendation>y</recommendation></decision></decision_points></agent_completion>",
    "<agent_completion path=\"a/b\" status='done'>text</agent_completion>",
];

const TOKENS: &[&str] = &[
    "<",
    ">",
    "&",
    ";",
    "\"",
    "'",
    "/",
    "=",
    "&lt;",
    "&amp;",
    "&#65;",
    "&#x1F600;",
    "&#0;",
    "&nbsp;",
    "<!--",
    "-->",
    "--",
    "<![CDATA[",
    "]]>",
    "<!DOCTYPE x [",
    "<!ENTITY a \"b\">",
    "<?xml?>",
    "<agent_completion>",
    "<agent_completion ",
    "</agent_completion>",
    "<agent_completion/>",
    "<status>",
    "</status>",
    "completed",
    "<summary>",
    "</summary>",
    "<metric name=\"\">",
    "<decision>",
    "<question>",
    "<option value='v'>",
    "<a>",
    "</a>",
    "<a b='c'",
    "`",
    "``",
    "```\n",
    "```xml\n",
    "~~~\n",
    "> ",
    "\n",
    "\r\n",
    "\r",
    "\t",
    "    ",
    "═══\n",
    "\u{1b}[1m",
    "\u{1b}]52;",
    "\u{0}",
    "\u{ffff}",
    "\u{202e}",
    "é",
    "\u{1F469}\u{200D}",
];

fn break_once(text: &mut Vec<u8>, random: &mut Random) {
    let at = random.below(text.len() + 1);
    match random.below(7) {
        0 if at < text.len() => text[at] ^= 1 << random.below(8),
        1 if at < text.len() => text[at] = u8::try_from(random.below(256)).expect("it is a byte"),
        2 => {
            let end = (at + random.below(40)).min(text.len());
            text.drain(at..end);
        }
        3 => {
            let end = (at + random.below(60)).min(text.len());
            let piece = text[at..end].to_vec();
            let to = random.below(text.len() + 1);
            text.splice(to..to, piece);
        }
        4 => text.truncate(at),
        _ => {
            let token = random.pick(TOKENS).as_bytes().to_vec();
            text.splice(at..at, token);
        }
    }
}

fn broken(random: &mut Random) -> Vec<u8> {
    let mut text = Vec::new();
    for _ in 0..=random.below(3) {
        match random.below(4) {
            0 => text.extend(format!("prose\n```xml\n{}\n```\n", random.pick(REPORTS)).into_bytes()),
            1 => text.extend(format!("so `{}` is\n", random.pick(REPORTS)).into_bytes()),
            _ => text.extend(random.pick(REPORTS).bytes()),
        }
    }
    for _ in 0..random.below(8) {
        break_once(&mut text, random);
    }
    text
}

/// What must hold for every text.
fn hold(text: &[u8]) {
    let (said, all) = (find(text), examine(text));
    check_places(text, &said);
    check_places(text, &all);
    assert!(said.iter().all(|found| found.what != What::Quoted), "an example is told of only where it is asked for");
    if all.len() <= MAX_FOUND {
        let without: Vec<&Found> = all.iter().filter(|found| found.what != What::Quoted).collect();
        assert_eq!(without, said.iter().collect::<Vec<_>>(), "examples change nothing about the rest");
    }
    for found in &said {
        let What::Report(report) = &found.what else { continue };
        // What was read is written, and read again as the same.
        let written = write(report);
        let again = find(written.as_bytes());
        assert!(again.len() == 1 && again[0].what == found.what, "{written}");
    }
}

fn check_places(text: &[u8], all: &[Found]) {
    assert!(all.len() <= MAX_FOUND + 1, "no more is kept");
    let mut before = 0;
    for found in all {
        assert!(
            before <= found.span.start && found.span.end <= text.len(),
            "they stand one behind the other: {found:?}"
        );
        before = found.span.end;
        match &found.what {
            What::Broken(bad) => {
                assert!((found.line, found.column) <= (bad.line, bad.column), "{found:?}");
                assert!(bad.to_string().ends_with('.'), "{bad}");
            }
            What::Report(_) | What::Other | What::Quoted => {}
            What::LeftOut => continue,
        }
        assert!(text[found.span.clone()].starts_with(b"<agent_completion"), "{found:?}");
        let line = 1 + text[..found.span.start].iter().filter(|byte| **byte == b'\n').count();
        assert_eq!(found.line, line, "{found:?}");
    }
}

#[expect(clippy::print_stdout, clippy::disallowed_methods, reason = "this program is told how much, and tells how far")]
fn main() {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse::<u64>().expect("a count and a seed"));
    let count = arguments.next().unwrap_or(100_000);
    let first = arguments.next().unwrap_or(1);
    for seed in first..first + count {
        let tried = std::panic::catch_unwind(|| hold(&broken(&mut Random::new(seed))));
        if tried.is_err() {
            println!("failed with seed {seed}");
            std::process::exit(1);
        }
        if (seed - first + 1) % 1_000_000 == 0 {
            println!("{} texts hold", seed - first + 1);
        }
    }
    println!("{count} texts hold, from seed {first} on");
}
