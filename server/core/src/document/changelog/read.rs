//! Reads a changelog into its entries and where they stand.

use std::ops::Range;

use super::heading::Parts;
use super::{Changelog, Entry};
use crate::document::markdown::{Document, Item};
use crate::document::plan::fields::{Field, field, shown};
use crate::document::wording::{label_key, plain};
use crate::document::{Problem, number};
use crate::text::shortened;

const MAX_ENTRIES: usize = 20_000;
/// Items of an entry that are kept.
const MAX_ITEMS: usize = 200;
const MAX_ITEM_CHARACTERS: usize = 500;

/// What a section of an entry tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Role {
    Done,
    NotDone,
    Decisions,
    Discovered,
    Goal,
    Other,
}

/// An entry's place: the line of its heading, and the lines behind it.
#[derive(Debug, Clone)]
pub(super) struct Spot {
    pub(super) line: usize,
    pub(super) level: usize,
    pub(super) text: Range<usize>,
    pub(super) parts: Parts,
    pub(super) body: Range<usize>,
}

/// What begins in a line of an entry.
#[derive(Debug, Clone)]
pub(super) enum Part {
    /// A heading, or a label alone on its line.
    Section {
        role: Role,
    },
    Field(Field),
    Item(Item),
}

pub(super) struct Reading<'a> {
    pub(super) document: Document<'a>,
    /// In the order of the file.
    pub(super) spots: Vec<Spot>,
    pub(super) entries: Vec<Entry>,
}

impl<'a> Reading<'a> {
    pub(super) fn of(text: &'a [u8]) -> Result<Self, Problem> {
        let mut document = Document::new(text)?;
        let spots = spots(&mut document);
        let mut reading = Self { document, spots, entries: Vec::new() };
        reading.entries = (0..reading.spots.len()).map(|index| reading.entry(index)).collect();
        Ok(reading)
    }

    pub(super) fn into_changelog(mut self) -> Changelog {
        if self.is_oldest_first() {
            self.entries.reverse();
        }
        Changelog { entries: self.entries, problems: self.document.problems }
    }

    pub(super) fn is_oldest_first(&self) -> bool {
        let mut sessions = self.spots.iter().filter_map(|spot| spot.parts.session.as_ref().map(|(number, _)| *number));
        let first = sessions.next();
        first.zip(sessions.next_back()).is_some_and(|(first, last)| first < last)
    }

    /// What begins in a line of an entry's body.
    pub(super) fn part(&self, line: usize) -> Option<Part> {
        if self.document.is_blank(line) {
            return None;
        }
        if let Some(heading) = self.document.heading(line) {
            let role = self.document.at(heading.text).map_or(Role::Other, role);
            return Some(Part::Section { role });
        }
        if let Some(field) = field(&self.document, line).filter(|field| is_field(&self.document, line, field)) {
            if field.value.is_empty() && !field.is_item {
                return Some(Part::Section { role: role(&field.label) });
            }
            return Some(Part::Field(field));
        }
        self.document.item(line).map(Part::Item)
    }

    fn entry(&mut self, index: usize) -> Entry {
        let spot = self.spots[index].clone();
        let inner = self.spots.get(index + 1).filter(|inner| inner.line < spot.body.end).map(|_| index + 1);
        let text = self.document.at(spot.text.clone()).unwrap_or_default();
        let of = |span: &Option<Range<usize>>| span.clone().map(|span| plain(&text[span]));
        let mut entry = Entry {
            session: spot.parts.session.as_ref().map(|(number, _)| *number),
            version: of(&spot.parts.version),
            date: of(&spot.parts.date),
            title: of(&spot.parts.title),
            model: of(&spot.parts.model),
            line: number(spot.line + 1),
            ..Entry::default()
        };
        self.body(&spot, inner, &mut entry);
        let says_nothing = |item: &String| {
            let first = item.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
            ["nothing", "none", "n"].iter().any(|word| first.eq_ignore_ascii_case(word)) && item.len() < 60
        };
        entry.not_done.retain(|item| !says_nothing(item));
        entry
    }

    /// The lines of a release without those of the sessions in it, the first of which is `inner`.
    fn body(&mut self, spot: &Spot, mut inner: Option<usize>, entry: &mut Entry) {
        let mut role = Role::Done;
        let mut line = spot.body.start;
        while line < spot.body.end {
            if let Some(index) = inner.filter(|index| self.spots[*index].line == line) {
                line = self.spots[index].body.end;
                inner = Some(index + 1).filter(|next| *next < self.spots.len());
                continue;
            }
            let lines = &self.document.lines;
            self.document.count(lines[line].next - lines[line].start);
            match self.part(line) {
                Some(Part::Section { role: next }) => role = next,
                Some(Part::Field(field)) => self.take_field(&field, entry),
                Some(Part::Item(item)) if item.indent < 2 => {
                    let text = self.item(line, &item, spot.body.end);
                    let list = match role {
                        Role::Done => Some(&mut entry.done),
                        Role::NotDone => Some(&mut entry.not_done),
                        Role::Decisions | Role::Discovered | Role::Goal | Role::Other => None,
                    };
                    if let Some(list) = list.filter(|list| list.len() < MAX_ITEMS && !text.is_empty()) {
                        list.push(text);
                    }
                }
                Some(Part::Item(_)) | None => {}
            }
            line += 1;
        }
    }

    fn take_field(&self, field: &Field, entry: &mut Entry) {
        let value = shown(&self.document, field.value.clone());
        match field.label.as_str() {
            "duration" | "time" | "time spent" => entry.duration = entry.duration.take().or(value),
            "model" => entry.model = entry.model.take().or(value),
            "agent" => {
                let inside = value
                    .as_deref()
                    .and_then(|value| value.strip_suffix(')')?.rsplit_once('('))
                    .map(|(_, inside)| inside.to_owned());
                entry.model = entry.model.take().or(inside);
            }
            "date" => entry.date = entry.date.take().or(value),
            "scope" | "focus" | "title" => entry.title = entry.title.take().or(value),
            _ => {}
        }
    }

    /// The words of an item, with those of the lines that go on with it.
    fn item(&self, line: usize, item: &Item, end: usize) -> String {
        let mut words = self.document.at(item.text.clone()).map(plain).unwrap_or_default();
        let mut next = line + 1;
        while next < end && words.len() < MAX_ITEM_CHARACTERS && self.goes_on(next) {
            words.push(' ');
            words.push_str(&self.document.words(next).map(plain).unwrap_or_default());
            next += 1;
        }
        shortened(words.trim(), MAX_ITEM_CHARACTERS).into_owned()
    }

    fn goes_on(&self, line: usize) -> bool {
        let is_indented = self.document.words(line).is_some_and(|words| words.starts_with([' ', '\t']));
        is_indented && !self.document.is_blank(line) && self.document.item(line).is_none()
    }
}

/// A bold label makes a field; a bare one only outside of prose: one or two words.
fn is_field(document: &Document<'_>, line: usize, field: &Field) -> bool {
    let is_bold = document.words(line).is_some_and(|words| {
        words.trim_start_matches([' ', '\t', '>', '-', '*']).len() < words.len() && words.contains("**")
    });
    let known = [
        "date",
        "duration",
        "phase",
        "agent",
        "model",
        "scope",
        "focus",
        "tasks completed",
        "session",
        "branch",
        "time",
        "title",
    ];
    (is_bold && !field.is_item) || known.contains(&field.label.as_str())
}

pub(super) fn role(name: &str) -> Role {
    let name = label_key(name);
    let name = name.trim_matches(|c: char| !c.is_alphanumeric());
    let has = |words: &[&str]| words.iter().any(|word| name.contains(word));
    if has(&[
        "not done",
        "not completed",
        "carried over",
        "carry over",
        "remaining",
        "deferred",
        "incomplete",
        "outstanding",
    ]) {
        Role::NotDone
    } else if has(&["discovered", "new tasks"]) {
        Role::Discovered
    } else if has(&["decision"]) {
        Role::Decisions
    } else if has(&["goal progress", "goal impact", "sprint progress"]) || name == "progress" {
        Role::Goal
    } else if has(&["what was done", "what changed", "what was built", "completed", "accomplished", "work done"])
        || ["done", "changes", "changed", "added", "fixed", "implemented", "summary", "what we did", "removed"]
            .contains(&name)
    {
        Role::Done
    } else {
        Role::Other
    }
}

/// Sessions stand at any level but the lowest, releases and bare dates at the second. What is deeper inside a session is
/// part of it.
fn spots(document: &mut Document<'_>) -> Vec<Spot> {
    let mut spots: Vec<Spot> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let end = document.lines.len();
    for line in 0..end {
        document.count(document.lines[line].next - document.lines[line].start);
        let Some(heading) = document.heading(line) else { continue };
        while let Some(index) = open.last().copied().filter(|index| spots[*index].level >= heading.level) {
            spots[index].body.end = line;
            open.pop();
        }
        let in_session = open.iter().any(|index| spots[*index].parts.session.is_some());
        let Some(text) = document.at(heading.text.clone()) else { continue };
        let parts = Parts::of(text);
        let is_release = parts.version.is_some() || parts.date.is_some() || parts.is_unreleased;
        let is_entry =
            (parts.session.is_some() && heading.level <= 4 && !in_session) || (is_release && heading.level == 2);
        if !is_entry || (heading.level == 1 && !spots.is_empty() && spots[0].level > 1) {
            continue;
        }
        if spots.len() >= MAX_ENTRIES {
            document.problem(line, format!("more than {MAX_ENTRIES} entries; the rest is left out"));
            break;
        }
        open.push(spots.len());
        spots.push(Spot { line, level: heading.level, text: heading.text, parts, body: line + 1..end });
    }
    spots
}
