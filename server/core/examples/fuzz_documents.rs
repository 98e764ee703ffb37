//! Reads and changes broken plans and changelogs: `fuzz_documents COUNT SEED`. Takes the documents of the tests, breaks
//! them by bytes, lines, splices and tokens, and holds each against what must hold for every text. A failure is repeated
//! with `fuzz_documents 1 SEED`, where the seed is the one that was told last.

use std::path::Path;

use augment_core::simulation::Random;

#[path = "../tests/documents/invariants.rs"]
mod invariants;

const TOKENS: &[&str] = &[
    "|",
    "\\|",
    "<!--",
    "-->",
    "`",
    "```\n",
    "~~~\n",
    "\n",
    "\r\n",
    "\r",
    "\t",
    "    ",
    "#",
    "## ",
    "### ",
    "- [ ] ",
    "- [x] ",
    "[~]",
    "**",
    ":",
    "> ",
    "---\n",
    "|---|---|\n",
    "| Task | Status |\n|---|---|\n",
    "Phase 1",
    "## Phase 2: X\n",
    "## Session 7 — 2026-01-01\n",
    "### Session 8\n",
    "## [Unreleased]\n",
    "## [1.0.0] - 2026-01-01\n",
    "Session 012",
    "2026-02-03",
    "3/5",
    "120%",
    "█░░",
    "✅",
    "🔵 In Progress",
    "done",
    "Blocked",
    "## Discovered Tasks\n",
    "## Blocked Tasks\n",
    "Discovered In",
    "Status",
    "Task",
    "\u{feff}",
    "é",
    "\u{1F469}\u{200D}",
    "(DONE)",
    "[model]",
    "---",
    "progress:",
    "\"",
];

#[expect(clippy::disallowed_methods, reason = "the documents are files")]
fn documents() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/documents");
    let mut paths: Vec<_> = std::fs::read_dir(&folder)
        .expect("the documents of the tests are there")
        .map(|file| file.expect("the folder can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).expect("a document can be read")).collect()
}

/// A stretch of lines of a text.
fn stretch(text: &[u8], random: &mut Random) -> Vec<u8> {
    let lines: Vec<&[u8]> = text.split_inclusive(|byte| *byte == b'\n').collect();
    if lines.is_empty() {
        return Vec::new();
    }
    let start = random.below(lines.len());
    let end = (start + 1 + random.below(8)).min(lines.len());
    lines[start..end].concat()
}

fn break_once(text: &mut Vec<u8>, documents: &[Vec<u8>], random: &mut Random) {
    let at = random.below(text.len() + 1);
    match random.below(8) {
        0 if at < text.len() => text[at] ^= 1 << random.below(8),
        1 if at < text.len() => text[at] = u8::try_from(random.below(256)).expect("it is a byte"),
        2 => {
            let end = (at + random.below(40)).min(text.len());
            text.drain(at..end);
        }
        3 => {
            let piece = stretch(&random.pick(documents), random);
            text.splice(at..at, piece);
        }
        4 => {
            let mut lines: Vec<Vec<u8>> = text.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
            if lines.len() > 1 {
                let (one, other) = (random.below(lines.len()), random.below(lines.len()));
                lines.swap(one, other);
            }
            *text = lines.concat();
        }
        5 => {
            let piece = stretch(text, random);
            let line = text[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |line| line + 1);
            text.splice(line..line, piece);
        }
        _ => {
            let token = random.pick(TOKENS).as_bytes().to_vec();
            text.splice(at..at, token);
        }
    }
}

/// A short text from a few lines of a document, so that many can be tried, or now and then all of it.
fn broken(documents: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let document = random.pick(documents);
    let mut text = if random.chance(2) { document } else { stretch(&document, random) };
    for _ in 0..random.below(3) {
        let further = stretch(&random.pick(documents), random);
        text.extend(further);
    }
    for _ in 0..random.below(8) {
        break_once(&mut text, documents, random);
    }
    text
}

#[expect(clippy::print_stdout, clippy::disallowed_methods, reason = "this program is told how much, and tells how far")]
fn main() {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse::<u64>().expect("a count and a seed"));
    let count = arguments.next().unwrap_or(100_000);
    let first = arguments.next().unwrap_or(1);
    let documents = documents();
    for seed in first..first + count {
        let tried = std::panic::catch_unwind(|| {
            let mut random = Random::new(seed);
            let text = broken(&documents, &mut random);
            invariants::hold(&text, &mut random);
        });
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
