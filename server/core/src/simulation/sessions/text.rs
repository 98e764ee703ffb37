//! Texts of made-up sessions. Every line that somebody writes is a word that was never written before, with a letter in
//! front that says who wrote it, so that each line's fate can be followed through everything that happens to it.

use std::collections::BTreeSet;

use super::super::random::Random;
use crate::file::{Body, FilePath, FileState};

/// Who makes up a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hand {
    Person,
    /// A program in the person's editor: its lines are not the person's own.
    Program,
    Agent,
    Git,
}

impl Hand {
    fn letter(self) -> char {
        match self {
            Self::Person => 'p',
            Self::Program => 'x',
            Self::Agent => 'a',
            Self::Git => 'g',
        }
    }
}

/// Makes up lines, each only once.
#[derive(Default)]
pub(super) struct Words {
    last: u64,
}

impl Words {
    pub(super) fn line(&mut self, hand: Hand) -> Vec<u8> {
        self.last += 1;
        format!("{}{}\n", hand.letter(), self.last).into_bytes()
    }

    pub(super) fn text(&mut self, hand: Hand, lines: usize) -> Vec<u8> {
        (0..lines).flat_map(|_| self.line(hand)).collect()
    }

    /// The text with a small change: lines put in, taken out or replaced, at times the end or the terminators.
    pub(super) fn edited(&mut self, text: &[u8], hand: Hand, random: &mut Random) -> Vec<u8> {
        let mut lines: Vec<Vec<u8>> = text.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
        for _ in 0..1 + random.below(2) {
            let at = random.below(lines.len() + 1);
            match random.below(10) {
                0..=4 => {
                    if let Some(before) = at.checked_sub(1) {
                        terminate(&mut lines[before]);
                    }
                    for _ in 0..1 + random.below(2) {
                        lines.insert(at, self.line(hand));
                    }
                }
                5..=6 if at < lines.len() => drop(lines.remove(at)),
                7..=8 if at < lines.len() => {
                    let open = !lines[at].ends_with(b"\n");
                    lines[at] = self.line(hand);
                    if open {
                        lines[at].pop();
                    }
                }
                _ => match lines.last_mut() {
                    Some(last) if last.ends_with(b"\n") && last.len() > 1 => drop(last.pop()),
                    Some(last) => terminate(last),
                    None => lines.push(self.line(hand)),
                },
            }
        }
        if random.chance(2)
            && let Some(line) = lines.first_mut()
            && line.ends_with(b"\n")
            && !line.ends_with(b"\r\n")
        {
            line.truncate(line.len() - 1);
            line.extend_from_slice(b"\r\n");
        }
        lines.concat()
    }
}

fn terminate(line: &mut Vec<u8>) {
    if !line.ends_with(b"\n") {
        line.push(b'\n');
    }
}

/// The lines without their terminators.
pub(super) fn words(text: &[u8]) -> impl Iterator<Item = String> {
    text.split(|byte| matches!(byte, b'\n' | b'\r'))
        .filter(|line| !line.is_empty())
        .map(|line| String::from_utf8_lossy(line).into_owned())
}

/// The person's lines in a file.
pub(super) fn persons(state: &FileState) -> BTreeSet<String> {
    words(text_of(state)).filter(|word| is_persons(word)).collect()
}

pub(super) fn is_persons(word: &str) -> bool {
    word.starts_with(Hand::Person.letter())
}

pub(super) fn text_of(state: &FileState) -> &[u8] {
    match &state.body {
        Body::Text(text) => text,
        Body::Absent | Body::Whole { .. } | Body::Link(_) | Body::Large { .. } | Body::Special => b"",
    }
}

pub(super) fn text_at(path: &FilePath, text: Vec<u8>) -> FileState {
    FileState { path: path.clone(), body: Body::Text(text), mode: 0o644 }
}

pub(super) fn nothing_at(path: &FilePath) -> FileState {
    FileState { path: path.clone(), body: Body::Absent, mode: 0 }
}

/// A file in a few words, for the script that a failure prints.
pub(super) fn shown(state: &FileState) -> String {
    let what = match &state.body {
        Body::Absent => "nothing".to_owned(),
        Body::Text(text) => format!("{:?}", String::from_utf8_lossy(text)),
        Body::Whole { hash, .. } => format!("bytes {hash:?}"),
        Body::Link(target) => format!("a link to {}", String::from_utf8_lossy(target)),
        Body::Large { changed_ns, .. } => format!("too much {changed_ns}"),
        Body::Special => "a pipe".to_owned(),
    };
    let mode = if matches!(state.mode, 0 | 0o644) { String::new() } else { format!(" mode {:o}", state.mode) };
    format!("{} = {what}{mode}", state.path)
}
