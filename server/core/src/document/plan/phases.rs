//! How plans name their phases: `Phase 1: Foundation`, `Phase 3b — Name`, `v0.2.0 — Title (DONE)`.

use std::ops::Range;

use super::{Phase, PlanStatus};
use crate::document::status::said;
use crate::document::wording::{key, plain};

/// A phase as a heading or a cell names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Named {
    pub(super) id: String,
    pub(super) name: String,
    /// The state that stands behind the name, and where in the text.
    pub(super) status: Option<(PlanStatus, Range<usize>)>,
}

const KINDS: [&str; 4] = ["phase", "milestone", "sprint", "stage"];

/// The phase that a text names.
pub(super) fn named(text: &str) -> Option<Named> {
    let begin = text.find(|c: char| c.is_alphanumeric())?;
    let (id, rest) = numbered(&text[begin..]).or_else(|| version(&text[begin..]))?;
    let start = text.len() - rest.len();
    let status = status_behind(rest).map(|(status, place)| (status, start + place.start..start + place.end));
    let end = status.as_ref().map_or(text.len(), |(_, place)| place.start);
    let name = plain(&text[start..end]);
    let name =
        name.trim_matches(|c: char| c.is_whitespace() || matches!(c, ':' | '—' | '–' | '-' | '.' | '(' | '[' | ')'));
    Some(Named { id: id.to_owned(), name: name.to_owned(), status })
}

/// `Phase 1`, and what follows.
fn numbered(text: &str) -> Option<(&str, &str)> {
    let kind = KINDS.iter().find(|kind| text.get(..kind.len()).is_some_and(|word| word.eq_ignore_ascii_case(kind)))?;
    let rest = text[kind.len()..].strip_prefix([' ', '\u{a0}'])?.trim_start();
    let length = rest.find(|c: char| !c.is_alphanumeric() && c != '.').unwrap_or(rest.len());
    let id = rest[..length].trim_end_matches('.');
    let is_id = id.contains(|c: char| c.is_ascii_digit())
        || (id.len() == 1 && id.starts_with(|c: char| c.is_ascii_uppercase()));
    (is_id && id.len() <= 12).then(|| (id, &rest[length..]))
}

/// `v0.2.0`, and what follows.
fn version(text: &str) -> Option<(&str, &str)> {
    let bare = text.strip_prefix(['v', 'V']);
    let digits = bare.unwrap_or(text);
    let length =
        digits.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '.' | '-' | '+')).unwrap_or(digits.len());
    let number = digits[..length].trim_end_matches(['.', '-']);
    let parts = number.split('.').take_while(|part| part.starts_with(|c: char| c.is_ascii_digit())).count();
    let is_version = parts >= if bare.is_some() { 2 } else { 3 };
    let end = text.len() - digits.len() + number.len();
    (is_version && number.len() <= 40).then(|| (&text[..end], &text[end..]))
}

/// A state in parentheses at the end, or one that begins with a sign.
fn status_behind(text: &str) -> Option<(PlanStatus, Range<usize>)> {
    let trimmed = text.trim_end().trim_end_matches('*');
    if let Some(inside) = trimmed.strip_suffix([')', ']']) {
        let open = inside.rfind(['(', '['])? + 1;
        let found = said(&inside[open..])?;
        return Some((found.status, open + found.place.start..open + found.place.end));
    }
    let at = text.find(|c: char| c >= '\u{2190}' && !c.is_alphanumeric())?;
    let found = said(&text[at..])?;
    Some((found.status, at + found.place.start..at + found.place.end))
}

/// Ids are the same without leading zeros, the `v` of a version and case.
pub(super) fn id_key(id: &str) -> String {
    let lower = id.to_lowercase();
    let bare = lower.strip_prefix('v').filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit())).unwrap_or(&lower);
    let short = bare.trim_start_matches('0');
    if short.starts_with(|c: char| c.is_ascii_digit()) { short.to_owned() } else { bare.to_owned() }
}

pub(super) fn with_id(phases: &[Phase], id: &str) -> Option<usize> {
    let wanted = id_key(id);
    phases.iter().position(|phase| id_key(&phase.id) == wanted)
}

/// The phase that a text means: by its id, or by its name.
pub(super) fn phase_named(phases: &[Phase], text: &str) -> Option<usize> {
    let bare = plain(text);
    if let Some(named) = named(&bare) {
        return with_id(phases, &named.id);
    }
    let first = bare.split(|c: char| c.is_whitespace() || c == ':').next().unwrap_or_default();
    let is_number = first.starts_with(|c: char| c.is_ascii_digit());
    let wanted = key(&bare);
    let by_name = || phases.iter().position(|phase| !phase.name.is_empty() && key(&phase.name) == wanted);
    by_name().or_else(|| is_number.then(|| with_id(phases, first)).flatten())
}
