//! Intents: the one line that a commit of one logical change has. It says what was changed, in its own words: no part of the
//! prompt and nothing of a session's message, since those stand once, in the session's own commit.
//!
//! A line is the prompt's text when it is the prompt or its first line, holds eight of its words in a row, or holds a whole
//! line of it that has forty characters or more. Where words are not written apart (Chinese, Japanese, Thai and such), it is
//! twelve characters in a row, four of them such letters, so that a name that both have is none. Capitals, white space and
//! punctuation do not matter. A prompt or first line of fewer than four words ("Fix it") cannot be told from ordinary words,
//! so an intent may be the same; two letters that are not written apart count as a word.

use std::collections::HashMap;
use std::fmt;
use std::ops::Range;

use super::message::Section;
use crate::text::{self, BadText, Lines, quoted, visible};

/// How long the line may be, in characters, with its prefix.
pub const INTENT_LIMIT: usize = 200;
/// A prompt or a first line of fewer words is no text of its own.
const OWN_WORDS: usize = 4;
/// So many words in a row are not there by chance.
const WORDS_IN_A_ROW: usize = 8;
/// So many characters in a row are not there by chance where words are not written apart, with so many such letters in them.
const CHARACTERS_IN_A_ROW: usize = 12;
const LETTERS_IN_A_ROW: usize = 4;
/// Lines of the prompt that have fewer characters may be in an intent by chance.
const OWN_LINE: usize = 40;
const PREFIX: &str = "intent:";
/// What only a session's commit says, or only its writer.
const SESSION: &str = "session:";
const CHANGE_ID: &str = "change-id:";

/// Checks what a person or an agent calls a change, and gives the message for its commit: `intent: …`, one line.
pub fn check(description: &str, prompt: &str) -> Result<String, BadIntent> {
    let block = description.lines().map(without_prefix).find(|line| is_of_session(line));
    if let Some(line) = block {
        return Err(BadIntent::SessionBlock { line: line.to_owned() });
    }
    let words = without_prefix(description);
    if words.is_empty() {
        return Err(BadIntent::Empty);
    }
    if words.contains(['\n', '\r']) {
        return Err(BadIntent::SeveralLines { lines: words.lines().count().max(2) });
    }
    let message = format!("{PREFIX} {words}");
    match text::check(&message, Lines::One, INTENT_LIMIT) {
        Ok(()) => {}
        Err(BadText::Empty) => return Err(BadIntent::Empty),
        Err(BadText::TooLong { length, .. }) => return Err(BadIntent::TooLong { length }),
        Err(BadText::Unseen { character, .. }) => return Err(BadIntent::Unseen { character }),
    }
    match prompt_text_in(words, prompt) {
        Some(found) => Err(BadIntent::PromptText { found }),
        None => Ok(message),
    }
}

/// Without white space around it and without the prefix, however often it was put there.
fn without_prefix(line: &str) -> &str {
    let mut line = line.trim();
    while let Some(rest) = line.get(..PREFIX.len()).filter(|start| start.eq_ignore_ascii_case(PREFIX)) {
        line = line[rest.len()..].trim();
    }
    line
}

fn is_of_session(line: &str) -> bool {
    let begins = |word: &str| line.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
    begins(SESSION) || begins(CHANGE_ID) || Section::begun_by(line).is_some()
}

/// What of the prompt stands in a line, as it stands there.
fn prompt_text_in(line: &str, prompt: &str) -> Option<String> {
    let of_line: Vec<&str> = units(line).collect();
    let lowered: Vec<String> = of_line.iter().map(|unit| unit.to_lowercase()).collect();
    let numbers: HashMap<&str, usize> = lowered.iter().map(String::as_str).zip(1..).collect();
    let numbers_of = |text: &str| -> Vec<usize> {
        units(text).map(|unit| numbers.get(unit.to_lowercase().as_str()).copied().unwrap_or(0)).collect()
    };
    let line_numbers: Vec<usize> =
        lowered.iter().map(|unit| numbers.get(unit.as_str()).copied().unwrap_or(0)).collect();
    let prompt_numbers = numbers_of(prompt);
    let first = prompt.lines().map(numbers_of).find(|numbers| !numbers.is_empty()).unwrap_or_default();
    let is_own = Size::of(&of_line).words_at_least() >= OWN_WORDS;
    if is_own && (line_numbers == prompt_numbers || line_numbers == first) {
        return Some(joined(&of_line));
    }
    if let Some(run) = longest_run(&of_line, &line_numbers, &prompt_numbers) {
        return Some(joined(&of_line[run]));
    }
    let squeezed = lowered.join(" ");
    prompt.lines().map(str::trim).filter(|own| own.chars().count() >= OWN_LINE).find_map(|own| {
        let wanted = units(own).map(str::to_lowercase).collect::<Vec<_>>().join(" ");
        (!wanted.is_empty() && squeezed.contains(&wanted)).then(|| own.to_owned())
    })
}

/// The words of a text, and each letter of those that are not written apart.
fn units(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.flat_map(|word| word.split_inclusive(is_unspaced)).flat_map(|piece| {
        // What stands before such a letter is a word of its own.
        let letter =
            piece.char_indices().next_back().filter(|(_, c)| is_unspaced(*c)).map_or(piece.len(), |(at, _)| at);
        let (word, letter) = piece.split_at(letter);
        [word, letter].into_iter().filter(|unit| !unit.is_empty())
    })
}

/// Letters of scripts that put no space between words.
fn is_unspaced(c: char) -> bool {
    matches!(u32::from(c),
        // Thai, Lao; Myanmar; Khmer.
        0x0e00..=0x0eff | 0x1000..=0x109f | 0x1780..=0x17ff
        // Kana; Han, with its extensions; Kana in half width.
        | 0x3005..=0x3007 | 0x3040..=0x30ff | 0x31f0..=0x31ff
        | 0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xf900..=0xfaff | 0xff66..=0xff9f | 0x20000..=0x3ffff)
}

/// Written as the line has it, but for white space and punctuation.
fn joined(units: &[&str]) -> String {
    let mut text = String::new();
    for unit in units {
        let is_word = |c: Option<char>| c.is_some_and(|c| !is_unspaced(c));
        if is_word(text.chars().next_back()) && is_word(unit.chars().next()) {
            text.push(' ');
        }
        text.push_str(unit);
    }
    text
}

/// How much a run of units says.
#[derive(Debug, Clone, Copy, Default)]
struct Size {
    words: usize,
    /// Letters of scripts without spaces.
    letters: usize,
    characters: usize,
}

impl Size {
    fn of(units: &[&str]) -> Self {
        units.iter().fold(Self::default(), |size, unit| size.with(unit))
    }

    fn with(self, unit: &str) -> Self {
        let is_letter = unit.chars().all(is_unspaced);
        Self {
            words: self.words + usize::from(!is_letter),
            letters: self.letters + usize::from(is_letter),
            characters: self.characters + unit.chars().count(),
        }
    }

    fn without(self, before: Self) -> Self {
        Self {
            words: self.words - before.words,
            letters: self.letters - before.letters,
            characters: self.characters - before.characters,
        }
    }

    fn words_at_least(self) -> usize {
        self.words + self.letters / 2
    }

    fn is_no_chance(self) -> bool {
        self.words >= WORDS_IN_A_ROW || (self.characters >= CHARACTERS_IN_A_ROW && self.letters >= LETTERS_IN_A_ROW)
    }
}

/// The longest run of a line's units that the prompt holds and that is not there by chance. The numbers are those of the
/// units; 0 is one that the line does not have. The work is the product of both lengths, and the line is short.
fn longest_run(units: &[&str], line: &[usize], prompt: &[usize]) -> Option<Range<usize>> {
    let mut until = vec![Size::default()];
    for unit in units {
        let before = until.last().copied().unwrap_or_default();
        until.push(before.with(unit));
    }
    let mut best: Option<Range<usize>> = None;
    // The length of the run that ends with each unit of the line and the unit of the prompt before.
    let mut ending = vec![0; line.len()];
    for unit in prompt {
        for at in (0..line.len()).rev() {
            let before = if at == 0 { 0 } else { ending[at - 1] };
            ending[at] = if line[at] == *unit { before + 1 } else { 0 };
            if ending[at] <= best.as_ref().map_or(0, Range::len) {
                continue;
            }
            let run = at + 1 - ending[at]..at + 1;
            if until[run.end].without(until[run.start]).is_no_chance() {
                best = Some(run);
            }
        }
    }
    best
}

/// Why a description is no intent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BadIntent {
    Empty,
    SeveralLines { lines: usize },
    TooLong { length: usize },
    Unseen { character: char },
    SessionBlock { line: String },
    PromptText { found: String },
}

impl BadIntent {
    /// Stable: programs may match on it.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Empty => "empty-text",
            Self::SeveralLines { .. } => "several-lines",
            Self::TooLong { .. } => "text-too-long",
            Self::Unseen { .. } => "control-character",
            Self::SessionBlock { .. } => "session-block-in-intent",
            Self::PromptText { .. } => "prompt-text-in-intent",
        }
    }
}

impl fmt::Display for BadIntent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("The intent says nothing. Say in one line what was changed."),
            Self::SeveralLines { lines } => write!(
                f,
                "An intent is one line, and this has {lines}. Keep the first thing said, and commit other changes on their own."
            ),
            Self::TooLong { length } => write!(
                f,
                "The intent has {length} characters with its prefix, and {INTENT_LIMIT} are taken. Shorten it, or split the change."
            ),
            Self::Unseen { character } => {
                write!(f, "The intent holds {}, which cannot be seen. Take it out.", visible(&character.to_string()))
            }
            Self::SessionBlock { line } => write!(
                f,
                "{} belongs to the session's own commit, which is written when the prompt is finished. Say only what was changed.",
                quoted(line)
            ),
            Self::PromptText { found } => write!(
                f,
                "{} is text of the prompt, which stands in the session's own commit only. Say in other words what was changed.",
                quoted(found)
            ),
        }
    }
}
