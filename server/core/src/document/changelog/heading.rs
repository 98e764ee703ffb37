//! The parts of an entry's heading, in whatever order and with whatever dashes they stand.

use std::ops::Range;

/// Where the parts stand in the heading's text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::document) struct Parts {
    pub(in crate::document) session: Option<(u32, Range<usize>)>,
    pub(in crate::document) version: Option<Range<usize>>,
    pub(in crate::document) date: Option<Range<usize>>,
    pub(in crate::document) title: Option<Range<usize>>,
    /// In brackets at the end; the place is what is inside.
    pub(in crate::document) model: Option<Range<usize>>,
    pub(in crate::document) is_unreleased: bool,
}

impl Parts {
    pub(in crate::document) fn of(text: &str) -> Self {
        let lower = text.trim_matches(['[', ']', ' ', '*']);
        let is_unreleased = lower.get(..10).is_some_and(|word| word.eq_ignore_ascii_case("unreleased"));
        let session = session(text);
        let version = version(text);
        let date = date(text);
        let model = model(text, version.as_ref());
        let taken = [
            session.as_ref().map(|(_, whole, _)| whole.clone()),
            version.clone(),
            date.clone(),
            model.as_ref().map(|inside| inside.start - 1..inside.end + 1),
        ];
        let title = title(text, taken.into_iter().flatten().collect());
        let session = session.map(|(number, _, digits)| (number, digits));
        Self { session, version, date, title, model, is_unreleased }
    }
}

/// `Session 009`: the number, the place of the words and that of the digits.
fn session(text: &str) -> Option<(u32, Range<usize>, Range<usize>)> {
    let lower = text.to_ascii_lowercase();
    let mut at = 0;
    while let Some(length) = lower[at..].find("session") {
        let start = at + length;
        at = start + 7;
        let rest = text[at..].trim_start_matches([' ', '#', '\u{a0}']);
        let digits = text.len() - rest.len();
        let count = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let stands_alone = !text[..start].ends_with(|c: char| c.is_alphanumeric()) && digits > at;
        let ends = !rest[count..].starts_with(|c: char| c.is_alphanumeric());
        if stands_alone
            && ends
            && (1..=9).contains(&count)
            && let Ok(number) = rest[..count].parse()
        {
            return Some((number, start..digits + count, digits..digits + count));
        }
    }
    None
}

/// `v0.3.0` or `[0.2.0]` at the beginning; the place is without the brackets.
fn version(text: &str) -> Option<Range<usize>> {
    let bare = text.trim_start_matches(['[', ' ', '*']);
    let start = text.len() - bare.len();
    let digits = bare.strip_prefix(['v', 'V']).unwrap_or(bare);
    let length =
        digits.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '.' | '-' | '+')).unwrap_or(digits.len());
    let number = digits[..length].trim_end_matches(['.', '-']);
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let mut parts = number.split('.');
    let is_version = parts.next().is_some_and(is_number)
        && parts.next().is_some_and(|part| part.starts_with(|c: char| c.is_ascii_digit()));
    let end = start + (bare.len() - digits.len()) + number.len();
    (is_version && number.len() <= 60).then_some(start..end)
}

/// A `2026-02-28`, or the letters that a template has in its place: the one at the end, or else the first.
fn date(text: &str) -> Option<Range<usize>> {
    let is_date = |ten: &[u8]| {
        let fits = |form: &[u8; 10]| {
            form.iter().zip(ten).all(|(form, byte)| if *form == b'0' { byte.is_ascii_digit() } else { form == byte })
        };
        fits(b"0000-00-00") || fits(b"YYYY-MM-DD")
    };
    let bytes = text.as_bytes();
    let stands_alone = |start: &usize| {
        let before = start.checked_sub(1).map(|before| bytes[before]);
        // A time of day may follow.
        let after = bytes.get(start + 10).filter(|byte| **byte != b'T');
        let alone = |byte: &u8| !byte.is_ascii_alphanumeric();
        is_date(&bytes[*start..start + 10]) && before.as_ref().is_none_or(alone) && after.is_none_or(alone)
    };
    let mut starts = (0..bytes.len().saturating_sub(9)).filter(stands_alone);
    let first = starts.next()?;
    let last = starts.next_back().unwrap_or(first);
    let is_end = text[last + 10..].trim_end_matches([' ', ')']).is_empty();
    let start = if is_end { last } else { first };
    Some(start..start + 10)
}

/// `[model]` at the end.
fn model(text: &str, version: Option<&Range<usize>>) -> Option<Range<usize>> {
    let end = text.trim_end().strip_suffix(']')?.len();
    let start = text[..end].rfind('[')? + 1;
    let is_own = version.is_none_or(|version| version.end < start);
    (is_own && start > 1 && start < end).then_some(start..end)
}

/// The longest of what is left.
fn title(text: &str, mut taken: Vec<Range<usize>>) -> Option<Range<usize>> {
    taken.sort_by_key(|span| span.start);
    let mut rests = Vec::new();
    let mut at = 0;
    for span in taken {
        if span.start >= at {
            rests.push(at..span.start);
        }
        at = at.max(span.end);
    }
    rests.push(at..text.len());
    let is_joint = |c: char| c.is_whitespace() || matches!(c, '—' | '–' | '-' | ':' | '|' | ',' | '·');
    let bare = |span: Range<usize>| {
        let words = &text[span.clone()];
        let from = words.trim_start_matches(|c| is_joint(c) || matches!(c, ')' | ']'));
        let start = span.end - from.len();
        start..start + from.trim_end_matches(|c| is_joint(c) || matches!(c, '(' | '[')).len()
    };
    rests.into_iter().map(bare).filter(|span| !span.is_empty()).max_by_key(Range::len)
}
