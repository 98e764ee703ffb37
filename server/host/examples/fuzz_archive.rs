//! Reads and takes in broken archives: `fuzz_archive COUNT SEED`. Takes the golden archives of the tests, breaks them by
//! bytes, pieces, keys and lines, and holds what comes of it against what must hold for every text: nothing panics, what is
//! read is written and read back the same, no name leads out, a part of the ledger that holds is the one that was written.
//! Now and then a broken folder is really taken in. A failure is repeated with `fuzz_archive 1 SEED`, where the seed is the
//! one that was told last.

use std::path::Path;

use augment_core::file::FilePath;
use augment_core::simulation::Random;
use augment_host::archive::form::{LEDGER, SESSION, SUMMARY};
use augment_host::archive::{Shelf, check_ledger, is_plain_name, prepare, put, record_of, to_match};

const NAMES: [&str; 2] = ["2026-11-16-s3-lifesum-connector", "2026-11-17-s4-nothing-in-it"];
/// How often the disk is part of it.
const ON_DISK: u64 = 20_000;
const TOKENS: &[&str] = &[
    "\"",
    "\\",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "null",
    "true",
    "0",
    "-1",
    "1e999",
    "18446744073709551616",
    "\"form\":",
    "\"augment-session/2\"",
    "\"files\":{",
    "\"../../x\":",
    "\"path\":\"/etc/passwd\"",
    "\"redacted\":true,",
    "\"2026-02-30T00:00:00Z\"",
    "\\u0000",
    "\\ud800",
    "\u{1b}",
    "\u{202e}",
    "é",
    "\n",
    "*",
    " OR ",
    "NEAR(",
];

struct Golden {
    session: Vec<u8>,
    ledger: Vec<u8>,
    summary: Vec<u8>,
}

fn golden() -> Vec<Golden> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/archives");
    let read = |name: &str, file: &str| std::fs::read(folder.join(name).join(file)).expect("a golden file can be read");
    NAMES
        .iter()
        .map(|name| Golden { session: read(name, SESSION), ledger: read(name, LEDGER), summary: read(name, SUMMARY) })
        .collect()
}

fn broken(text: &[u8], random: &mut Random) -> Vec<u8> {
    let mut text = text.to_vec();
    for _ in 0..=random.below(4) {
        let at = random.below(text.len() + 1);
        match random.below(7) {
            0 if at < text.len() => text[at] ^= 1 << random.below(8),
            1 if at < text.len() => text[at] = u8::try_from(random.below(256)).expect("it is a byte"),
            2 => {
                let end = (at + random.below(40)).min(text.len());
                text.drain(at..end);
            }
            3 => {
                let end = (at + random.below(200)).min(text.len());
                let piece = text[at..end].to_vec();
                let to = random.below(text.len() + 1);
                text.splice(to..to, piece);
            }
            4 => {
                let mut lines: Vec<Vec<u8>> = text.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
                if lines.len() > 1 {
                    let (one, other) = (random.below(lines.len()), random.below(lines.len()));
                    if random.chance(2) {
                        lines.swap(one, other);
                    } else {
                        lines.remove(one);
                    }
                }
                text = lines.concat();
            }
            _ => {
                let token = random.pick(TOKENS).as_bytes().to_vec();
                text.splice(at..at, token);
            }
        }
    }
    text
}

/// What must hold for every text.
fn hold(golden: &[Golden], random: &mut Random) {
    let of = &golden[random.below(golden.len())];
    match random.below(3) {
        0 => {
            let Ok(record) = record_of(&broken(&of.session, random)) else { return };
            let again = serde_json::to_vec(&record).expect("a record can be written");
            assert_eq!(record_of(&again).expect("what was read can be read again"), record);
            assert!(record.files.all().all(|(file, _)| is_plain_name(file)));
            for task in &record.tasks {
                assert!(task.files.iter().all(|file| FilePath::from_text(&file.path).is_ok()));
            }
        }
        1 => {
            let said = record_of(&of.session).expect("a golden record is read").ledger;
            if let Ok(records) = check_ledger(&broken(&of.ledger, random), &said) {
                assert_eq!(records, said.records);
            }
        }
        _ => {
            let text = broken(&of.summary, random);
            let text = String::from_utf8_lossy(&text[..text.len().min(200)]).into_owned();
            if let Ok(expression) = to_match(&text) {
                let marks = expression.bytes().filter(|byte| *byte == b'"').count();
                assert!(marks >= 2 && marks % 2 == 0, "{expression}");
            }
            if is_plain_name(&text) {
                assert!(FilePath::from_text(&text).is_ok_and(|path| path.parts().count() == 1));
            }
        }
    }
}

/// A broken folder is taken in as a whole, or not at all.
fn take_in(golden: &[Golden], random: &mut Random) {
    let place = tempfile::tempdir().expect("there is room");
    let of = &golden[random.below(golden.len())];
    let source = place.path().join("elsewhere").join(NAMES[0]);
    std::fs::create_dir_all(&source).expect("there is room");
    let which = random.below(4);
    for (at, (file, text)) in [(SESSION, &of.session), (LEDGER, &of.ledger), (SUMMARY, &of.summary)].iter().enumerate()
    {
        let text = if at == which { broken(text, random) } else { (*text).clone() };
        std::fs::write(source.join(file), text).expect("there is room");
    }
    let root = place.path().join("work");
    std::fs::create_dir_all(&root).expect("there is room");
    let below = FilePath::from_text("memory-bank/augment-sessions").expect("it is a path");
    let shelf = Shelf::open(&root, Some(below)).expect("it can be opened");
    let there = || std::fs::read_dir(&root).expect("it can be read").count();
    match prepare(&shelf, std::slice::from_ref(&source)) {
        Ok(prepared) => {
            for arrival in &prepared.arrivals {
                put(&shelf, arrival).expect("what was checked can be written");
            }
            assert_eq!(there(), 1);
        }
        Err(_) => assert_eq!(there(), 0),
    }
}

#[expect(clippy::print_stdout, reason = "this program tells how far it is")]
fn main() {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse::<u64>().expect("a count and a seed"));
    let count = arguments.next().unwrap_or(100_000);
    let first = arguments.next().unwrap_or(1);
    let golden = golden();
    for seed in first..first + count {
        let tried = std::panic::catch_unwind(|| {
            let mut random = Random::new(seed);
            if seed % ON_DISK == 0 {
                take_in(&golden, &mut random);
            } else {
                hold(&golden, &mut random);
            }
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
