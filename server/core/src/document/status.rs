//! How a plan says the state of a task: a word, a sign, or both, with free words behind. Words are believed before signs,
//! since the same sign means different things in different plans.

use std::ops::Range;

use super::plan::PlanStatus;

const COMPLETE: &[&str] = &[
    "complete",
    "completed",
    "done",
    "finished",
    "shipped",
    "merged",
    "closed",
    "implemented",
    "released",
    "resolved",
    "verified",
];
const IN_PROGRESS: &[&str] = &[
    "in progress",
    "in-progress",
    "in_progress",
    "inprogress",
    "partial",
    "partially",
    "partly",
    "partially complete",
    "partially done",
    "partly done",
    "mostly done",
    "mostly complete",
    "almost done",
    "started",
    "ongoing",
    "active",
    "wip",
    "doing",
    "in review",
    "under way",
    "underway",
    "current",
];
const PLANNED: &[&str] = &[
    "planned",
    "not started",
    "not yet started",
    "not yet",
    "not done",
    "not complete",
    "pending",
    "to do",
    "to-do",
    "todo",
    "open",
    "backlog",
    "upcoming",
    "next",
    "queued",
    "ready",
    "future",
    "deferred",
    "scheduled",
    "proposed",
];
const BLOCKED: &[&str] = &["blocked", "on hold", "waiting", "stuck", "paused"];

/// Signs begin here: arrows, shapes, emoji. Dashes and quotation marks stand before.
const FIRST_SIGN: char = '\u{2190}';

/// What a text says, and where in it: the sign and the word, without free words behind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Said {
    pub(super) status: PlanStatus,
    pub(super) place: Range<usize>,
}

fn phrases(status: PlanStatus) -> &'static [&'static str] {
    match status {
        PlanStatus::Complete => COMPLETE,
        PlanStatus::InProgress => IN_PROGRESS,
        PlanStatus::Planned => PLANNED,
        PlanStatus::Blocked => BLOCKED,
    }
}

fn is_sign(c: char) -> bool {
    c >= FIRST_SIGN && !c.is_alphanumeric()
}

fn of_sign(sign: char) -> Option<PlanStatus> {
    match sign {
        '✅' | '✔' | '☑' | '🟢' | '✓' | '🎉' => Some(PlanStatus::Complete),
        '🔵' | '🟡' | '🔄' | '🚧' | '⏳' | '🏗' | '🟠' | '🔶' | '⏩' => Some(PlanStatus::InProgress),
        '⬜' | '⚪' | '🔲' | '☐' | '📋' | '◻' | '□' | '🔘' => Some(PlanStatus::Planned),
        '❌' | '🔴' | '⛔' | '🚫' | '🛑' | '✗' | '✖' => Some(PlanStatus::Blocked),
        _ => None,
    }
}

/// The state that a text begins with.
pub(super) fn said(text: &str) -> Option<Said> {
    if let Some(said) = boxed(text) {
        return Some(said);
    }
    let first = text.find(|c: char| c.is_alphanumeric()).unwrap_or(text.len());
    let before = &text[..first];
    let sign = before.char_indices().find(|(_, c)| is_sign(*c));
    let start = sign.map_or(first, |(at, _)| at);
    if let Some((status, length)) = phrase(&text[first..]) {
        return Some(Said { status, place: start..first + length });
    }
    let (at, status) = before.char_indices().find_map(|(at, c)| of_sign(c).map(|status| (at, status)))?;
    let end = before[at..]
        .char_indices()
        .find(|(_, c)| !is_sign(*c) && *c != '\u{fe0f}')
        .map_or(first, |(length, _)| at + length);
    Some(Said { status, place: start..end })
}

/// A box in a cell.
fn boxed(text: &str) -> Option<Said> {
    let mark = text.strip_prefix('[')?.chars().next()?;
    let end = 1 + mark.len_utf8();
    let status = of_mark(mark).filter(|_| text[end..].starts_with(']'))?;
    Some(Said { status, place: 0..end + 1 })
}

/// What the character in a box says.
pub(super) fn of_mark(mark: char) -> Option<PlanStatus> {
    match mark {
        'x' | 'X' | '✓' | '✔' | '✅' => Some(PlanStatus::Complete),
        ' ' => Some(PlanStatus::Planned),
        '~' | '/' => Some(PlanStatus::InProgress),
        '!' => Some(PlanStatus::Blocked),
        _ => None,
    }
}

/// The longest phrase that the text begins with.
fn phrase(text: &str) -> Option<(PlanStatus, usize)> {
    let begins = |phrase: &str| {
        let begins = text.get(..phrase.len()).is_some_and(|words| words.eq_ignore_ascii_case(phrase));
        begins && !text[phrase.len()..].starts_with(|c: char| c.is_alphanumeric())
    };
    let all =
        PlanStatus::ALL.into_iter().flat_map(|status| phrases(status).iter().map(move |phrase| (status, *phrase)));
    all.filter(|(_, phrase)| begins(phrase))
        .map(|(status, phrase)| (status, phrase.len()))
        .max_by_key(|(_, length)| *length)
}

/// How one file writes its states, learned from what it has. What it has not is made up in its style.
#[derive(Debug, Default)]
pub(super) struct Vocabulary {
    known: [Option<String>; 4],
    has_signs: bool,
    has_words: bool,
    case: Option<Case>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Case {
    Lower,
    Title,
    Upper,
}

impl Vocabulary {
    /// The first writing of a state counts, so the best examples are to be learned first.
    pub(super) fn learn(&mut self, status: PlanStatus, written: &str) {
        let known = &mut self.known[status.index()];
        if known.is_none() {
            *known = Some(written.to_owned());
        }
        self.has_signs |= written.chars().any(is_sign);
        let letters: String = written.chars().filter(|c| c.is_alphabetic()).collect();
        if letters.is_empty() {
            return;
        }
        self.has_words = true;
        let upper = letters.chars().filter(|c| c.is_uppercase()).count();
        let case = if upper == 0 {
            Case::Lower
        } else if upper == letters.chars().count() {
            Case::Upper
        } else {
            Case::Title
        };
        self.case.get_or_insert(case);
    }

    /// What this file does not write here it may write elsewhere.
    pub(super) fn learn_all(&mut self, other: &Self) {
        for status in PlanStatus::ALL {
            if let Some(written) = &other.known[status.index()] {
                self.learn(status, written);
            }
        }
    }

    pub(super) fn write(&self, status: PlanStatus) -> String {
        if let Some(known) = &self.known[status.index()] {
            return known.clone();
        }
        let nothing_known = !self.has_signs && !self.has_words;
        let word = match self.case.unwrap_or(Case::Title) {
            Case::Lower => status.lower_word().to_owned(),
            Case::Title => status.word().to_owned(),
            Case::Upper => status.lower_word().to_uppercase(),
        };
        match (self.has_signs, self.has_words || nothing_known) {
            (true, true) => format!("{} {word}", status.sign()),
            (true, false) => status.sign().to_owned(),
            (false, _) => word,
        }
    }
}
