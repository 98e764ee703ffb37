//! What holds for the scan of any text: it ends, it stays within its bounds, it costs time by the length, and the rest of a text
//! changes nothing about an added line.

use super::*;
use crate::simulation::Random;

/// Pieces that begin something, end something, or go on for long.
const PIECES: &[&str] = &[
    "password",
    "secret",
    "token=",
    "api_key",
    ": ",
    " = ",
    "\"",
    "'",
    "://",
    "@",
    "user:",
    "/home/",
    "prod",
    ".internal",
    "eyJ",
    ".",
    "-----BEGIN ",
    "PRIVATE KEY-----",
    "AKIA",
    "ghp_",
    "SK",
    "sk-",
    "AAAA",
    ":AA",
    "-us1",
    "Q~",
    "+49",
    "10.2.",
    "192.168.",
    "4111 ",
    "DE89",
    "078-05-",
    "arn:aws",
    ":",
    "NODE_ENV",
    "production",
    "Password=",
    "Server=",
    "Bearer ",
    "\n",
    "\t",
    " ",
    "{",
    "}",
    "[",
    "]",
    "<",
    ">",
    "\\",
    "/*",
    "#",
    "a",
    "Z9",
    "0",
    "1.2",
    "=>",
    ",",
    "(",
    "augment: allow ",
    "credential ",
    "[dependencies]\n",
    "git = ",
    "FROM ",
    "uses: ",
    "==",
    "ä",
    "\u{202e}",
    "gem ",
    "require ",
    "<version>",
];
const PATHS: &[&str] = &[
    "a.rs",
    "a.env",
    "a.md",
    "Cargo.toml",
    "package.json",
    "requirements.txt",
    "pyproject.toml",
    "go.mod",
    "Gemfile",
    "pom.xml",
    "Dockerfile",
    ".github/workflows/a.yml",
    "Cargo.lock",
    "a.svg",
    "AUTHORS",
];

fn made_up(random: &mut Random) -> Vec<u8> {
    let mut text = Vec::new();
    for _ in 0..random.below(120) {
        match random.below(10) {
            0 => text.push(u8::try_from(random.below(255) + 1).unwrap()),
            1 => text.extend((0..random.below(60)).map(|_| b"aB3/+_-xK9"[random.below(10)])),
            _ => text.extend_from_slice(random.pick(PIECES).as_bytes()),
        }
    }
    text
}

#[test]
fn any_text_is_scanned_within_its_bounds() {
    for seed in 0..2_000 {
        let mut random = Random::new(seed);
        let text = made_up(&mut random);
        let path = FilePath::from_text(random.pick(PATHS)).unwrap();
        let lines: Vec<&[u8]> = text.split_inclusive(|byte| *byte == b'\n').collect();
        let mut last = (0, 0);
        for finding in scan_all(&path, &text) {
            let line = lines[usize::try_from(finding.line).unwrap()];
            let (start, end) = (usize::try_from(finding.start).unwrap(), usize::try_from(finding.end).unwrap());
            assert!(start <= end && end <= line.len(), "seed {seed}: {finding:?}");
            assert!((finding.line, finding.start) >= last, "seed {seed}: in order");
            last = (finding.line, finding.start);
        }
    }
}

/// Where a private key begins and what a manifest's section says are context; everything else is told by its own line.
#[test]
fn an_added_line_is_told_as_in_the_whole() {
    for seed in 0..1_500 {
        let mut random = Random::new(seed);
        let text = made_up(&mut random);
        let path = FilePath::from_text(random.pick(PATHS)).unwrap();
        let count = u32::try_from(text.split_inclusive(|byte| *byte == b'\n').count()).unwrap();
        let from = u32::try_from(random.below(4)).unwrap().min(count);
        let to = (from + u32::try_from(random.below(4)).unwrap()).min(count);
        let own = |finding: &Finding| finding.rule.id != "private-key";
        let mut whole = scan_all(&path, &text);
        whole.retain(|finding| own(finding) && (from..to).contains(&finding.line));
        let mut added = scan(&path, &text, std::slice::from_ref(&(from..to)));
        added.retain(own);
        assert_eq!(added, whole, "seed {seed}");
    }
}

/// Texts that begin something at every step. Twice the text is about twice the work, and never more than a bound a byte.
#[test]
fn the_work_grows_with_the_length_alone() {
    const MOST_A_BYTE: u64 = 700;
    for unit in PIECES.iter().copied().chain([
        "key=",
        "api_token=",
        "pwd=a;",
        "Server=x;Password=ab1;",
        "eyJa.",
        "eyJ.eyJ.",
        "a@",
        "a.b@c.",
        "://a:b",
        "1 ",
        "12-",
        "AB12",
        "+1",
        "prod.",
        "sk-a",
        "key-",
        "token='a' ",
        "x.internal.",
        "1.1.",
        "-----BEGIN PRIVATE KEY-----",
        "Bearer a",
        "/home/a/",
        "{\"a\":",
        "[a]\n",
        "a = {\n",
        "# augment: allow credential x ",
    ]) {
        for breaks in [false, true] {
            for path in ["a.env", "Cargo.toml", "package.json"] {
                let path = FilePath::from_text(path).unwrap();
                let work = |bytes: usize| {
                    let mut text = unit.repeat(bytes / unit.len() + 1).into_bytes();
                    if breaks {
                        text.iter_mut().step_by(500).for_each(|byte| *byte = b'\n');
                    }
                    text.truncate(bytes);
                    counted(&path, &text, &[std::iter::once(0..u32::MAX).collect()]).1
                };
                let (once, twice) = (work(10_000), work(20_000));
                assert!(twice <= once * 5 / 2 + 10_000, "{unit:?}: {once} and then {twice}");
                assert!(twice <= MOST_A_BYTE * 20_000, "{unit:?}: {} a byte", twice / 20_000);
            }
        }
    }
}
