//! Lines that say one thing: a label, a colon and a value, bare as in YAML, bold, slanted, quoted or in a list.

use std::ops::Range;

use crate::document::markdown::Document;
use crate::document::wording::{label_key, plain};

/// Longer ones are prose with a colon in it.
const MAX_LABEL_BYTES: usize = 60;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::document) struct Field {
    /// In lower case, without markup.
    pub(in crate::document) label: String,
    pub(in crate::document) value: Range<usize>,
    pub(in crate::document) is_item: bool,
}

/// The field that a line holds. Rows of tables hold none.
pub(in crate::document) fn field(document: &Document<'_>, line: usize) -> Option<Field> {
    let whole = document.lines[line];
    let words = document.words(line)?;
    let inside = words.trim_start_matches([' ', '\t', '>']);
    let bullet = inside.strip_prefix("- ").or_else(|| inside.strip_prefix("* "));
    let (is_item, inside) = (bullet.is_some(), bullet.unwrap_or(inside).trim_start());
    let (label, value) = bold(inside).or_else(|| slanted(inside)).or_else(|| bare(inside))?;
    let label = label_key(label);
    if label.is_empty() || label.len() > MAX_LABEL_BYTES {
        return None;
    }
    let start = whole.end - value.len();
    let end = start + value.trim_end().trim_end_matches(['*', '_']).len();
    // Slanted values end with the mark that began before the label; bold ones own their marks.
    let end = if inside.starts_with(['*', '_']) && !inside.starts_with("**") { end } else { whole.end };
    Some(Field { label, value: document.trimmed(start..end), is_item })
}

/// `**Label:** value` and `**Label**: value`.
fn bold(text: &str) -> Option<(&str, &str)> {
    let rest = text.strip_prefix("**")?;
    let (label, value) = rest.split_once("**")?;
    match label.trim_end().strip_suffix(':') {
        Some(label) => Some((label, value)),
        None => Some((label, value.trim_start().strip_prefix(':')?)),
    }
}

/// `*Label: value*`.
fn slanted(text: &str) -> Option<(&str, &str)> {
    let rest = text.strip_prefix(['*', '_'])?;
    if rest.starts_with(['*', '_']) {
        return None;
    }
    bare(rest)
}

/// `label: value`.
fn bare(text: &str) -> Option<(&str, &str)> {
    let (label, value) = text.split_once(':')?;
    let is_label = label.starts_with(|c: char| c.is_alphabetic())
        && label.chars().all(|c| c.is_alphanumeric() || matches!(c, ' ' | '_' | '-' | '.'));
    (is_label && (value.is_empty() || value.starts_with([' ', '\t']))).then_some((label, value))
}

/// The value for people: without quotation marks and markup; nothing where nothing is said.
pub(in crate::document) fn shown(document: &Document<'_>, value: Range<usize>) -> Option<String> {
    let words = plain(document.at(value)?);
    let bare = words.trim().trim_matches(['"', '\'']).trim();
    (!bare.is_empty()).then(|| bare.to_owned())
}

/// A model that a note asks for: `model: x`, or `Opus session` and the like.
pub(super) fn model_in(note: &str) -> Option<String> {
    let lower = note.to_lowercase();
    if let Some(at) = lower.find("model:").filter(|_| lower.len() == note.len()) {
        let name = note[at + 6..].trim_start();
        let end = name.find([' ', ',', ';', ')', '|']).unwrap_or(name.len());
        return (end > 0).then(|| name[..end].trim_matches(['"', '\'', '.']).to_owned());
    }
    let words: Vec<&str> = note.split_whitespace().take(64).collect();
    let named = words.windows(2).find(|two| {
        two[1].to_lowercase().starts_with("session")
            && matches!(two[0].to_lowercase().as_str(), "opus" | "sonnet" | "haiku")
    })?;
    Some(named[0].to_lowercase())
}

/// The estimate in parentheses at the end of a title, and the title without it.
pub(super) fn estimate_in(title: &str) -> Option<(&str, &str)> {
    let rest = title.trim_end().strip_suffix(')')?;
    let (before, inside) = rest.rsplit_once('(')?;
    let bare = inside.trim_start_matches("est.").trim_start_matches("est:").trim().trim_start_matches('~').trim();
    let unit = bare.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '–' | ' '));
    let units = [
        "m", "min", "mins", "minutes", "h", "hr", "hrs", "hour", "hours", "d", "day", "days", "session", "sessions",
        "week", "weeks", "pt", "pts", "points",
    ];
    let is_estimate = unit.len() < bare.len()
        && bare.starts_with(|c: char| c.is_ascii_digit())
        && units.contains(&unit.to_lowercase().as_str());
    (is_estimate && !before.trim().is_empty()).then(|| (before.trim_end(), inside.trim()))
}
