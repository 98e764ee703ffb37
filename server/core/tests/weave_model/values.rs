//! What authors write: few different lines, so that much is equal; all kinds of endings and bytes.

use augment_core::attribution::Author;
use augment_core::diff::split_lines;
use augment_core::file::{Body, ContentHash, FilePath, FileState};
use augment_core::id::{RunId, TaskId};
use augment_core::simulation::Random;

const LINES: &[&[u8]] =
    &[b"a", b"b", b"c", b"d", b"e", b"f", b"}", b"", b"    x();", b"\xff\xfe", b"\xef\xbb\xbfx", b"y\r"];

pub(crate) fn authors() -> Vec<Author> {
    let run = |number| Author::Run(RunId { task: TaskId::new(number).expect("a task's number"), attempt: 1 });
    let person = |name: &str| Author::Person { name: name.to_owned() };
    vec![
        run(1),
        run(1),
        run(2),
        run(2),
        run(3),
        person("ann"),
        person("ann"),
        person("bob"),
        Author::Vcs,
        Author::Unknown,
    ]
}

pub(crate) fn path(random: &mut Random) -> FilePath {
    FilePath::new(random.pick(&["f", "g", "dir/f"])).expect("a path")
}

fn line(random: &mut Random) -> Vec<u8> {
    let ending: &[u8] = if random.chance(12) { b"\r\n" } else { b"\n" };
    [random.pick(LINES), ending].concat()
}

fn text(random: &mut Random, lines: Vec<Vec<u8>>) -> Vec<u8> {
    let mut text = lines.concat();
    if random.chance(15) && text.ends_with(b"\n") {
        text.pop();
    }
    text
}

pub(crate) fn base(random: &mut Random) -> FileState {
    let lines = (0..random.below(9)).map(|_| line(random)).collect();
    let body = if random.chance(80) { Body::Text(text(random, lines)) } else { other_body(random) };
    let state = FileState { path: path(random), body, mode: 0 };
    with_mode(random, state)
}

fn other_body(random: &mut Random) -> Body {
    let number = random.between(0, 2);
    match random.below(9) {
        0..=3 => Body::Absent,
        4 | 5 => Body::Whole { hash: ContentHash::of(&number.to_le_bytes()), length: 2 },
        6 => Body::Link(random.pick(&[&b"there"[..], b"../x"]).to_vec()),
        7 => Body::Large { length: 1 << 40, changed_ns: -number },
        _ => Body::Special,
    }
}

fn with_mode(random: &mut Random, mut state: FileState) -> FileState {
    state.mode = match &state.body {
        Body::Text(_) | Body::Whole { .. } | Body::Large { .. } if state.mode == 0 => random.pick(&[0o644, 0o755]),
        Body::Text(_) | Body::Whole { .. } | Body::Large { .. } => state.mode,
        Body::Absent | Body::Link(_) | Body::Special => 0,
    };
    state
}

/// What an author makes of the file: mostly a few edits, now and then something else, now and then nothing new. The
/// earlier states are what some go back to.
pub(crate) fn edited(random: &mut Random, now: &FileState, earlier: &[FileState]) -> FileState {
    let mut to = now.clone();
    match random.below(100) {
        0..=7 => to.body = other_body(random),
        8..=11 => to.path = path(random),
        12..=16 if now.mode != 0 => to.mode = random.pick(&[0o644, 0o755, 0o600]),
        17..=26 => to = random.pick(earlier),
        _ => {
            let old = match &now.body {
                Body::Text(content) => content.clone(),
                Body::Absent | Body::Whole { .. } | Body::Link(_) | Body::Large { .. } | Body::Special => Vec::new(),
            };
            let lines = split_lines(&old).into_iter().map(<[u8]>::to_vec).collect();
            let lines = edited_lines(random, lines);
            to.body = Body::Text(text(random, lines));
        }
    }
    with_mode(random, to)
}

fn edited_lines(random: &mut Random, mut lines: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    for _ in 0..=random.below(3) {
        let at = random.below(lines.len() + 1);
        let end = (at + 1 + random.below(2)).min(lines.len());
        match random.below(if lines.len() > 14 { 9 } else { 6 }) {
            0..=2 => lines.insert(at, line(random)),
            3 => drop(lines.splice(at..end, [line(random)])),
            4 if at < end => lines.insert(at, lines[at].clone()),
            _ => drop(lines.drain(at..end)),
        }
    }
    // A line that is no longer the last gets its ending.
    let last = lines.len().saturating_sub(1);
    for line in &mut lines[..last] {
        if !line.ends_with(b"\n") {
            line.push(b'\n');
        }
    }
    lines
}

pub(crate) fn show(state: &FileState) -> String {
    let body = match &state.body {
        Body::Text(content) => format!("\"{}\"", content.escape_ascii()),
        other @ (Body::Absent | Body::Whole { .. } | Body::Link(_) | Body::Large { .. } | Body::Special) => {
            format!("{other:?}")
        }
    };
    format!("{} {:o} {body}", state.path, state.mode)
}
