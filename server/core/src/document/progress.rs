//! Progress as a document says it: a fraction, a percent, a bar. The fraction is believed first, then the percent, the bar
//! never: bars contradict their numbers.

use std::ops::Range;

const FULL: &[char] = &['█', '▓', '■', '▰', '●', '⬛', '🟩', '▮'];
const EMPTY: &[char] = &['░', '▒', '□', '▱', '○', '⬜', '▯'];
/// Shorter runs of cells are signs.
const MIN_CELLS: usize = 3;
const MAX_CELLS: usize = 100;

/// The numbers of a line and their places in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Numbers {
    pub(super) fraction: Option<Fraction>,
    pub(super) percent: Option<(u32, Range<usize>)>,
    pub(super) bar: Option<Range<usize>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fraction {
    pub(super) done: u32,
    pub(super) total: u32,
    pub(super) place_of_done: Range<usize>,
    pub(super) place_of_total: Range<usize>,
    /// The word that follows: what is counted.
    pub(super) counted: Option<String>,
}

impl Numbers {
    /// The first of each kind.
    pub(super) fn of(text: &str) -> Self {
        let mut numbers = Self { bar: bar(text), ..Self::default() };
        let mut at = 0;
        while let Some(length) = text[at..].find(|c: char| c.is_ascii_digit()) {
            let start = at + length;
            let digits = run_of_digits(text, start);
            at = digits.end;
            if text[..start].ends_with(|c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '-' | '_')) {
                continue;
            }
            if numbers.fraction.is_none()
                && let Some(fraction) = fraction(text, digits.clone())
            {
                at = fraction.place_of_total.end;
                numbers.fraction = Some(fraction);
            } else if numbers.percent.is_none() {
                numbers.percent = percent(text, digits);
            }
        }
        numbers
    }

    pub(super) fn is_empty(&self) -> bool {
        self.fraction.is_none() && self.percent.is_none()
    }

    /// What is done and what there is. Never more than all.
    pub(super) fn said(&self) -> Option<(u32, u32)> {
        let fraction = self.fraction.as_ref().filter(|fraction| fraction.total > 0);
        let of_fraction = fraction.map(|fraction| (fraction.done.min(fraction.total), fraction.total));
        of_fraction.or_else(|| self.percent.as_ref().map(|(percent, _)| ((*percent).min(100), 100)))
    }

    /// It counts tasks, as far as can be told, of which there are `total`.
    pub(super) fn counts_tasks(&self, total: u32) -> bool {
        let Some(fraction) = &self.fraction else { return true };
        let known = ["task", "tasks", "complete", "completed", "done", "item", "items"];
        fraction.total == total || fraction.counted.as_deref().is_none_or(|word| known.contains(&word))
    }

    /// The places and what is to stand there.
    pub(super) fn rewritten(&self, text: &str, done: u32, total: u32) -> Vec<(Range<usize>, String)> {
        let mut changes = Vec::new();
        if let Some(fraction) = &self.fraction {
            changes.push((fraction.place_of_done.clone(), done.to_string()));
            changes.push((fraction.place_of_total.clone(), total.to_string()));
        }
        if let Some((_, place)) = &self.percent {
            changes.push((place.clone(), percent_of(done, total).to_string()));
        }
        if let Some(place) = &self.bar {
            changes.push((place.clone(), bar_like(&text[place.clone()], done, total)));
        }
        changes
    }
}

/// Rounded down, so that 100 is only for all.
pub(super) fn percent_of(done: u32, total: u32) -> u64 {
    if total == 0 { 0 } else { u64::from(done) * 100 / u64::from(total) }
}

/// A bar with the cells of another one; a cell that is begun is full.
fn bar_like(bar: &str, done: u32, total: u32) -> String {
    let cells = bar.chars().count();
    let all = u64::from(total.max(1));
    let full = (u64::from(done) * u64::try_from(cells).unwrap_or(0)).div_ceil(all);
    let full = usize::try_from(full).unwrap_or(cells).min(cells);
    let kind = |kinds: &[char], others: &[char]| {
        let own = bar.chars().find(|c| kinds.contains(c));
        let partner = || bar.chars().find_map(|c| others.iter().position(|other| *other == c));
        own.or_else(|| partner().and_then(|at| kinds.get(at).copied())).unwrap_or(kinds[0])
    };
    let (full_cell, empty_cell) = (kind(FULL, EMPTY), kind(EMPTY, FULL));
    std::iter::repeat_n(full_cell, full).chain(std::iter::repeat_n(empty_cell, cells - full)).collect()
}

/// The first run of cells.
fn bar(text: &str) -> Option<Range<usize>> {
    let is_cell = |c: char| FULL.contains(&c) || EMPTY.contains(&c);
    let mut at = 0;
    while let Some(length) = text[at..].find(is_cell) {
        let start = at + length;
        let end = text[start..].find(|c: char| !is_cell(c)).map_or(text.len(), |length| start + length);
        let cells = text[start..end].chars().count();
        if (MIN_CELLS..=MAX_CELLS).contains(&cells) {
            return Some(start..end);
        }
        at = end;
    }
    None
}

fn run_of_digits(text: &str, start: usize) -> Range<usize> {
    let end = text[start..].find(|c: char| !c.is_ascii_digit()).map_or(text.len(), |length| start + length);
    start..end
}

fn fraction(text: &str, done: Range<usize>) -> Option<Fraction> {
    let after = text[done.end..].trim_start_matches(' ');
    let after = after.strip_prefix('/').or_else(|| after.strip_prefix("of "))?.trim_start_matches(' ');
    let start = text.len() - after.len();
    let total = run_of_digits(text, start);
    let behind = &text[total.end..];
    if total.is_empty() || behind.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '/' | '%' | '-')) {
        return None;
    }
    let word = behind.trim_start_matches([' ', '*', ')']);
    let length = word.find(|c: char| !c.is_alphabetic()).unwrap_or(word.len());
    let counted = (length > 0).then(|| word[..length].to_lowercase());
    Some(Fraction {
        done: text[done.clone()].parse().ok()?,
        total: text[total.clone()].parse().ok()?,
        place_of_done: done,
        place_of_total: total,
        counted,
    })
}

/// A percent may have a part behind a point, which is part of its place.
fn percent(text: &str, digits: Range<usize>) -> Option<(u32, Range<usize>)> {
    let value = text[digits.clone()].parse().ok()?;
    let mut end = digits.end;
    if let Some(rest) = text[end..].strip_prefix('.') {
        let part = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        end += if part > 0 { part + 1 } else { 0 };
    }
    text[end..].trim_start_matches(' ').starts_with('%').then_some((value, digits.start..end))
}
