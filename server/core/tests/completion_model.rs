//! Completion reports at random: what is written is read back, and whatever a text is made into, reading it ends, says
//! only what is in the text, and keeps to its order.

use augment_core::completion::{
    AgentName, Choice, DecisionPoint, Found, KnownMetric, MAX_FOUND, Metric, NextStep, Report, Status, What, find,
    write,
};
use augment_core::simulation::Random;

const REPORTS: u64 = 5_000;
const MUTATIONS: u64 = 20_000;

const PIECES: [&str; 34] = [
    "a",
    "word",
    " ",
    "  ",
    "\n",
    "\t",
    "\r",
    "\r\n",
    "<",
    ">",
    "&",
    "\"",
    "'",
    "]]>",
    "&amp;",
    "&#65;",
    "<!--",
    "-->",
    "<![CDATA[",
    "</summary>",
    "<agent_completion>",
    "</agent_completion>",
    "`",
    "```\n",
    "@",
    "ä",
    "日本",
    "👨\u{200d}👩",
    "\u{202e}",
    "\u{9b}31m",
    "\u{85}",
    "\u{feff}",
    "\\u{1b}",
    "=-═",
];

/// Characters that XML cannot hold.
const FORBIDDEN: [&str; 6] = ["\0", "\u{1}", "\u{1b}[1m", "\u{c}", "\u{fffe}", "\u{ffff}"];

/// Trimmed text, as it stands in a report that was read.
fn text(random: &mut Random, pieces: &[&str]) -> String {
    let length = random.below(12);
    let whole: String = (0..length).map(|_| random.pick(pieces)).collect();
    whole.trim().to_owned()
}

fn some_text(random: &mut Random, pieces: &[&str]) -> String {
    let text = text(random, pieces);
    if text.is_empty() { "x".to_owned() } else { text }
}

fn agent(random: &mut Random, pieces: &[&str]) -> AgentName {
    AgentName::new(&text(random, pieces)).unwrap_or_else(|| AgentName::new("agent").expect("it is a name"))
}

fn list<T>(random: &mut Random, most: usize, mut make: impl FnMut(&mut Random) -> T) -> Vec<T> {
    let count = random.below(most + 1);
    (0..count).map(|_| make(random)).collect()
}

fn report(random: &mut Random, pieces: &[&str]) -> Report {
    let maybe = |random: &mut Random| random.chance(60).then(|| some_text(random, pieces));
    let metric = |random: &mut Random| {
        let name = if random.chance(50) {
            random.pick(&KnownMetric::ALL).name().to_owned()
        } else {
            some_text(random, pieces)
        };
        Metric { name, value: text(random, pieces) }
    };
    Report {
        status: random.pick(&Status::ALL),
        agent: random.chance(70).then(|| agent(random, pieces)),
        timestamp: maybe(random),
        summary: text(random, pieces),
        metrics: list(random, 4, metric),
        next_steps: list(random, 4, |random| NextStep { agent: agent(random, pieces), reason: maybe(random) }),
        decisions: list(random, 3, |random| DecisionPoint {
            question: some_text(random, pieces),
            options: list(random, 4, |random| Choice {
                value: some_text(random, pieces),
                text: some_text(random, pieces),
            }),
            recommendation: maybe(random),
        }),
    }
}

fn only_report(found: &[Found]) -> Option<&Report> {
    match found {
        [Found { what: What::Report(report), .. }] => Some(report),
        _ => None,
    }
}

#[test]
fn what_is_written_is_read_back() {
    for seed in 0..REPORTS {
        let random = &mut Random::new(seed);
        let report = report(random, &PIECES);
        let written = write(&report);
        assert_eq!(only_report(&find(written.as_bytes())), Some(&report), "seed {seed}\n{written}");
        assert!(!written.contains(['\r', '\u{202e}', '\u{9b}', '\u{feff}']), "seed {seed}: it steers no screen");
        // It is found as well in the middle of an output.
        let framed = format!("{}{written}{}", "═══ `a` <b> & ```c```\n", "\n---\nend `x`");
        assert_eq!(only_report(&find(framed.as_bytes())), Some(&report), "seed {seed}\n{framed}");
    }
}

#[test]
fn what_xml_cannot_hold_is_spelled_out() {
    let pieces: Vec<&str> = PIECES.into_iter().chain(FORBIDDEN).collect();
    for seed in 0..REPORTS {
        let report = report(&mut Random::new(seed), &pieces);
        let written = write(&report);
        let found = find(written.as_bytes());
        let read = only_report(&found).unwrap_or_else(|| panic!("seed {seed}: {found:?}\n{written}"));
        let spelled = |text: &str| {
            let mut out = text.to_owned();
            for c in FORBIDDEN.iter().filter_map(|piece| piece.chars().next()) {
                out = out.replace(c, &format!("\\u{{{:x}}}", u32::from(c)));
            }
            out
        };
        assert_eq!(read.summary, spelled(&report.summary), "seed {seed}");
        assert_eq!(read.metrics.len(), report.metrics.len(), "seed {seed}");
        assert_eq!(read.decisions.len(), report.decisions.len(), "seed {seed}");
        for (read, given) in read.next_steps.iter().zip(&report.next_steps) {
            assert_eq!(read.reason, given.reason.as_deref().map(spelled), "seed {seed}");
        }
        // The one form stays as it is when it is written again.
        assert_eq!(write(read), written, "seed {seed}");
    }
}

/// Cuts, doubles, swaps and overwrites stretches of a text.
fn mutate(random: &mut Random, text: &mut Vec<u8>) {
    for _ in 0..=random.below(6) {
        if text.is_empty() {
            return;
        }
        let start = random.below(text.len());
        let end = start + random.below((text.len() - start).min(60) + 1);
        match random.below(6) {
            0 => text[start] ^= 1 << random.below(8),
            1 => drop(text.drain(start..end)),
            2 => {
                let piece = text[start..end].to_vec();
                let at = random.below(text.len());
                text.splice(at..at, piece);
            }
            3 => {
                let piece = random.pick(&PIECES).as_bytes().to_vec();
                text.splice(start..end, piece);
            }
            4 => text.truncate(start),
            _ => {
                let again = text[start..].to_vec();
                text.extend(again);
            }
        }
    }
}

#[test]
fn no_text_is_too_strange() {
    let mut seen = [0_usize; 4];
    for seed in 0..MUTATIONS {
        let random = &mut Random::new(seed);
        let mut text = b"prose `code`\n```\nfence\n```\n".to_vec();
        for _ in 0..=random.below(3) {
            text.extend(write(&report(random, &PIECES)).into_bytes());
        }
        if random.chance(20) {
            text.extend(b"<agent_completion path='a' status=\"b\">text</agent_completion>\n");
        }
        mutate(random, &mut text);
        let found = find(&text);
        let mut before = 0;
        assert!(found.len() <= MAX_FOUND + 1, "seed {seed}");
        for found in &found {
            assert!(before <= found.span.start && found.span.start < found.span.end, "seed {seed}: {found:?}");
            assert!(text[found.span.clone()].starts_with(b"<agent_completion"), "seed {seed}: {found:?}");
            let lines = 1 + text[..found.span.start].iter().filter(|byte| **byte == b'\n').count();
            assert_eq!(found.line, lines, "seed {seed}");
            before = found.span.end;
            seen[match &found.what {
                What::Report(_) => 0,
                What::Broken(bad) => {
                    assert!((found.line, found.column) <= (bad.line, bad.column), "seed {seed}: {found:?}");
                    assert!(bad.to_string().ends_with('.'), "{bad}");
                    1
                }
                What::Other => 2,
                What::LeftOut => 3,
                What::Quoted => panic!("seed {seed}: what stands in code is passed over"),
            }] += 1;
        }
        // A report that was found is there by itself, too.
        for found in found.iter().filter(|found| matches!(found.what, What::Report(_))) {
            let alone = find(&text[found.span.clone()]);
            assert!(alone.len() == 1 && alone[0].what == found.what, "seed {seed}: {found:?}");
        }
    }
    let [reports, broken, others, _] = seen;
    assert!(reports > 1_000 && broken > 1_000 && others > 100, "all of them come up: {seen:?}");
}
