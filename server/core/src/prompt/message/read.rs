//! Reading a session's commit, in the form that is written and in the older ones. Reading ends for every text, in time that
//! grows with its length; what is not whole is told by what it lacks.

use std::fmt;

use super::trailers::{self, First};
use super::{CHANGES_LIMIT, SESSION, Section, SessionMessage, is_id, is_session};
use crate::prompt::stamp_line;
use crate::text::quoted;

/// Longer messages are not read.
const MESSAGE_LIMIT: usize = 4 * 1024 * 1024;
/// How many lines behind the first are searched for the stamp.
const HEAD_LINES: usize = 10;

/// What a message says, as far as it can be read, and what it lacks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    pub message: SessionMessage,
    pub lacks: Vec<Lack>,
}

/// What a message lacks to be that of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lack {
    /// It does not begin with `session:`.
    NotASession,
    TooLong {
        length: usize,
    },
    Summary,
    /// The heading, or anything under it.
    Section(Section),
    /// What stands among the ids and is none.
    NotAnId {
        word: String,
    },
}

impl fmt::Display for Lack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotASession => write!(f, "it does not begin with `{SESSION}`"),
            Self::TooLong { length } => write!(f, "it has {length} bytes, more than the {MESSAGE_LIMIT} that are read"),
            Self::Summary => write!(f, "nothing stands behind `{SESSION}`"),
            Self::Section(section) => write!(f, "`{section}` is missing or empty"),
            Self::NotAnId { word } => write!(f, "{} under `{}` names no commit", quoted(word), Section::Squashed),
        }
    }
}

/// A line that begins a section: which, where the line begins, and where what follows it does.
#[derive(Debug, Clone, Copy)]
struct Heading {
    section: Section,
    start: usize,
    next: usize,
}

/// The headings that count.
struct Layout {
    prompt: Option<Heading>,
    context: Option<Heading>,
    changes: Option<Heading>,
    squashed: Option<Heading>,
}

impl Layout {
    fn of(text: &str) -> Self {
        let mut headings = Vec::new();
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let next = start + line.len();
            if let Some(section) = Section::begun_by(line.trim_end_matches(['\n', '\r'])) {
                headings.push(Heading { section, start, next });
            }
            start = next;
        }
        let behind = |section: Section, after: Option<Heading>| {
            let from = after.map_or(0, |heading| heading.next);
            headings.iter().copied().filter(move |heading| heading.section == section && heading.start >= from)
        };
        // Only the prompt may hold such lines, so its own heading is the first, and the others are the last of their kind.
        let prompt = behind(Section::Prompt, None).next();
        let context = behind(Section::Context, prompt).next_back();
        let changes = behind(Section::Changes, context.or(prompt)).next_back();
        let squashed = behind(Section::Squashed, changes.or(context).or(prompt)).next_back();
        Self { prompt, context, changes, squashed }
    }

    /// What stands under a heading, up to the next that counts.
    fn under<'a>(&self, text: &'a str, heading: Option<Heading>) -> Option<&'a str> {
        let heading = heading?;
        let all = [self.prompt, self.context, self.changes, self.squashed];
        let end = all.into_iter().flatten().map(|other| other.start).filter(|start| *start >= heading.next).min();
        text.get(heading.next..end.unwrap_or(text.len()))
    }
}

/// Reads what can be read of a session's commit.
#[must_use]
pub fn read(text: &str) -> Reading {
    let mut message = SessionMessage::default();
    if !is_session(text) {
        return Reading { message, lacks: vec![Lack::NotASession] };
    }
    if text.len() > MESSAGE_LIMIT {
        return Reading { message, lacks: vec![Lack::TooLong { length: text.len() }] };
    }
    let layout = Layout::of(text);
    let head = &text[..layout.prompt.map_or(text.len(), |heading| heading.start)];
    let mut lines = head.lines();
    message.summary = lines.next().and_then(|line| line.strip_prefix(SESSION)).unwrap_or_default().trim().to_owned();
    message.stamp = lines.take(HEAD_LINES).find_map(stamp_line::told_by).map(str::to_owned);
    message.prompt = layout.under(text, layout.prompt).map(paragraph).unwrap_or_default().to_owned();
    message.context = layout.under(text, layout.context).map(paragraph).unwrap_or_default().to_owned();
    let (changes, mut rest) = layout.under(text, layout.changes).map(items).unwrap_or_default();
    message.changes = changes;
    let mut lacks = Vec::new();
    let mut first = First::Title;
    if let Some(squashed) = layout.under(text, layout.squashed) {
        let (ids, behind) = items(squashed);
        let (ids, others): (Vec<String>, Vec<String>) = ids.iter().map(|item| id_of(item)).partition(|id| is_id(id));
        message.squashed = ids;
        lacks.extend(others.into_iter().map(|word| Lack::NotAnId { word }));
        (rest, first) = (behind, First::Paragraph);
    }
    (message.kept, message.trailers) = trailers::split(rest, first);
    let lacks = lacks_of(&message, layout.squashed.is_some()).into_iter().chain(lacks).collect();
    Reading { message, lacks }
}

fn lacks_of(message: &SessionMessage, has_ids_heading: bool) -> Vec<Lack> {
    // A commit that was rewritten keeps what it said; where nothing was kept, several commits were squashed.
    let is_of_several = has_ids_heading || (message.kept.is_empty() && message.changes.len() > 1);
    [
        (message.summary.is_empty(), Lack::Summary),
        (message.prompt.trim().is_empty(), Lack::Section(Section::Prompt)),
        (message.context.trim().is_empty(), Lack::Section(Section::Context)),
        (message.changes.is_empty(), Lack::Section(Section::Changes)),
        (is_of_several && message.squashed.is_empty(), Lack::Section(Section::Squashed)),
    ]
    .into_iter()
    .filter_map(|(is_lacking, lack)| is_lacking.then_some(lack))
    .collect()
}

/// A section's text without the two line breaks behind it, of which older forms have only one.
fn paragraph(text: &str) -> &str {
    let text = text.strip_suffix('\n').unwrap_or(text);
    text.strip_suffix('\n').unwrap_or(text)
}

/// The items of the list that a text begins with, and what stands behind it.
fn items(text: &str) -> (Vec<String>, &str) {
    let mut items: Vec<String> = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let words = line.trim();
        match (words.is_empty(), items.last_mut()) {
            (true, Some(_)) => break,
            (true, None) => {}
            // What is set in belongs to the item before it.
            (false, Some(item)) if line.starts_with([' ', '\t']) => {
                item.push(' ');
                item.push_str(words);
            }
            (false, Some(_) | None) => {
                if items.len() == CHANGES_LIMIT {
                    break;
                }
                let item = words.strip_prefix("- ").or_else(|| words.strip_prefix("* ")).unwrap_or(words);
                items.push(item.trim().to_owned());
            }
        }
        at += line.len();
    }
    (items, &text[at..])
}

/// The id that an item begins with; words may stand behind it.
fn id_of(item: &str) -> String {
    let word = item.split_whitespace().next().unwrap_or_default();
    word.trim_matches(|c: char| matches!(c, '`' | ',' | ':' | '.')).to_owned()
}
