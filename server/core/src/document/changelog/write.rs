//! Puts a new entry into a changelog: in the form of the newest session's entry, and where the file has its newest one.

use super::Entry;
use super::form::Form;
use super::read::{Reading, Spot};
use crate::document::{Edited, Problem, Splices};

/// A session to be written down.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NewEntry {
    pub session: u32,
    /// `2026-02-28`.
    pub date: String,
    pub title: String,
    pub phase: Option<String>,
    /// `goose (gpt-5)`.
    pub agent: String,
    pub model: Option<String>,
    pub minutes: u32,
    /// How many tasks are done, and how many were in the scope.
    pub completed: (u32, u32),
    pub done: Vec<String>,
    pub not_done: Vec<String>,
    pub decisions: Vec<String>,
    pub discovered: Vec<String>,
    /// The lines of `Goal progress`.
    pub goal: Vec<String>,
}

/// Where an entry goes, and in which form.
struct Target {
    /// Before this line; the number of lines stands for the end.
    before: usize,
    form: Form,
    /// A heading that the entry stands under and the file does not have yet.
    under: Option<String>,
}

/// Adds an entry, before the newest one. One of that session that is already there stays as it is.
pub fn add_entry(text: &[u8], entry: &NewEntry) -> Result<Edited, Problem> {
    let reading = Reading::of(text)?;
    let own = reading.entries.iter().find(|known| known.session == Some(entry.session));
    if let Some(own) = own {
        let why = format!("session {:03} is written down already", entry.session);
        return Ok(Splices::default().apply(text, Vec::new(), vec![Problem { line: own.line, why }]));
    }
    let target = target(&reading, entry);
    let document = &reading.document;
    if target.before == document.lines.len() && document.is_open_ended {
        let open = document.problems.first().cloned();
        return Err(open.unwrap_or_else(|| Problem::new(1, "the file's end is not closed")));
    }
    let line = target.before;
    // A house form that does not read as an entry again is no form to follow.
    for form in [&target.form, &Form::seed(entry)] {
        let edited = written(&reading, &target, form, entry);
        if holds(&reading, &edited, entry) {
            return Ok(edited);
        }
    }
    let why = "the changelog would not read as it should with the new entry; it is left alone";
    Ok(Splices::default().apply(text, Vec::new(), vec![Problem::new(line + 1, why)]))
}

fn written(reading: &Reading<'_>, target: &Target, form: &Form, entry: &NewEntry) -> Edited {
    let document = &reading.document;
    let mut lines = Vec::new();
    if (0..document.lines.len()).all(|line| document.is_empty(line)) {
        lines.extend(["# Changelog".to_owned(), String::new()]);
    }
    lines.extend(target.under.iter().flat_map(|heading| [heading.clone(), String::new()]));
    lines.extend(form.lines(entry));
    let mut splices = Splices::default();
    insert(&mut splices, reading, target.before, lines);
    splices.apply(document.text, vec![format!("session {:03} added", entry.session)], Vec::new())
}

/// The new entry is there, and the others are what they were.
fn holds(reading: &Reading<'_>, edited: &Edited, entry: &NewEntry) -> bool {
    let Ok(after) = Reading::of(&edited.text) else { return false };
    let mut olds = reading.entries.iter().peekable();
    let mut news = Vec::new();
    for found in &after.entries {
        let is_old = |old: &&Entry| Entry { line: found.line, ..(*old).clone() } == *found;
        if olds.next_if(|old| is_old(old)).is_none() {
            news.push(found);
        }
    }
    let is_own = |found: &&&Entry| found.session == Some(entry.session);
    olds.next().is_none() && news.len() <= 2 && news.iter().filter(is_own).count() == 1
}

/// Puts lines before a line, or at the end, set apart by an empty line on both sides.
fn insert(splices: &mut Splices, reading: &Reading<'_>, before: usize, mut lines: Vec<String>) {
    let document = &reading.document;
    let ends = document.line_break(before.saturating_sub(1));
    let previous = before.checked_sub(1);
    if previous.is_some_and(|line| !document.is_empty(line)) {
        lines.insert(0, String::new());
    }
    if let Some(next) = document.lines.get(before) {
        lines.push(String::new());
        splices.insert(next.start, &format!("{}{ends}", lines.join(ends)));
        return;
    }
    let is_open = previous.is_some_and(|line| document.lines[line].end == document.lines[line].next);
    let start = if is_open { ends } else { "" };
    splices.insert(document.text.len(), &format!("{start}{}{ends}", lines.join(ends)));
}

fn target(reading: &Reading<'_>, entry: &NewEntry) -> Target {
    let sessions = || (0..reading.spots.len()).filter(|index| reading.spots[*index].parts.session.is_some());
    let end = reading.document.lines.len();
    if reading.is_oldest_first()
        && let Some(newest) = sessions().next_back()
    {
        let spot = &reading.spots[newest];
        let mut before = spot.body.end.max(spot.line + 1);
        while before > spot.line + 1 && before < end && reading.document.is_empty(before - 1) {
            before -= 1;
        }
        return Target { before, form: Form::like(reading, newest, entry), under: None };
    }
    if let Some(newest) = sessions().next() {
        let spot = &reading.spots[newest];
        let form = Form::like(reading, newest, entry);
        let outer = reading.spots[..newest].iter().rev().find(|outer| outer.level < spot.level);
        if outer.is_some_and(|outer| !outer.parts.is_unreleased) {
            return unreleased(reading, form);
        }
        let first = reading.spots.iter().find(|first| first.level == spot.level && !first.parts.is_unreleased);
        return Target { before: first.unwrap_or(spot).line, form, under: None };
    }
    if reading.spots.iter().any(|spot| spot.parts.version.is_some() || spot.parts.is_unreleased) {
        return unreleased(reading, Form::for_releases(reading, entry));
    }
    let heading = |line: &usize| {
        let heading = reading.document.heading(*line).filter(|heading| heading.level == 2);
        let text = heading.and_then(|heading| reading.document.at(heading.text));
        text.is_some_and(|text| text.contains(|c: char| c.is_ascii_digit()))
    };
    let first = reading.spots.first().map(|spot| spot.line).or_else(|| (0..end).find(heading));
    Target { before: first.unwrap_or(end), form: Form::seed(entry), under: None }
}

/// Under the heading for what is not released, which is made where there is none.
fn unreleased(reading: &Reading<'_>, form: Form) -> Target {
    let is_release = |spot: &&Spot| spot.parts.version.is_some() || spot.parts.is_unreleased;
    let Some(first) = reading.spots.iter().find(is_release) else {
        return Target { before: reading.document.lines.len(), form, under: None };
    };
    if let Some(spot) = reading.spots.iter().find(|spot| spot.parts.is_unreleased) {
        // What stands there without a heading of its own stays under this one.
        let end = reading.document.lines.len();
        let is_heading = |line: &usize| reading.document.heading(*line).is_some_and(|heading| heading.level <= 3);
        let before = (spot.line + 1..end).find(is_heading).unwrap_or(end);
        return Target { before, form, under: None };
    }
    let text = reading.document.at(first.text.clone()).unwrap_or_default();
    let under = if text.starts_with('[') { "## [Unreleased]" } else { "## Unreleased" };
    Target { before: first.line, form, under: Some(under.to_owned()) }
}
