//! The form of an entry: its heading, its fields, its sections and how they are set. Taken from an entry that is there, or
//! the usual one where there is none.

use super::heading::Parts;
use super::read::{Part, Reading, Role, Spot};
use super::write::NewEntry;
use crate::document::plan::like_number;
use crate::document::wording::{inline, leading};

/// Items of a section that are written.
const MAX_ITEMS: usize = 200;
/// Longer names of sections are about that entry alone.
const MAX_NAME_BYTES: usize = 40;

pub(super) struct Form {
    heading: String,
    is_heading_apart: bool,
    fields: Vec<String>,
    /// The lines with which sections begin, in order.
    sections: Vec<(Role, String)>,
    style: SectionStyle,
    is_section_apart: bool,
    bullet: char,
    is_goal_listed: bool,
    ends_with_rule: bool,
}

/// How sections are named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SectionStyle {
    /// By headings of a level.
    Heading(usize),
    /// By bold words.
    Bold,
    /// Not at all: one list has everything.
    Flat,
}

const ROLES: [(Role, &str); 5] = [
    (Role::Done, "What was done"),
    (Role::NotDone, "What was NOT done"),
    (Role::Decisions, "Decisions made"),
    (Role::Discovered, "Discovered tasks"),
    (Role::Goal, "Goal progress"),
];

impl SectionStyle {
    fn line(self, name: &str) -> String {
        match self {
            Self::Heading(level) => format!("{} {name}", "#".repeat(level.min(6))),
            Self::Bold | Self::Flat => format!("**{name}:**"),
        }
    }
}

impl Form {
    /// The usual form, for a file that has none.
    pub(super) fn seed(entry: &NewEntry) -> Self {
        let date = Parts::of(&entry.date).date.map(|place| entry.date[place].to_owned());
        let date = date.map(|date| format!("{date} — ")).unwrap_or_default();
        let heading = format!("## {date}Session {:03}: {}", entry.session, title(entry));
        Self::usual(heading, 2, entry)
    }

    fn usual(heading: String, level: usize, entry: &NewEntry) -> Self {
        let labels = ["Phase", "Agent", "Duration", "Tasks completed"];
        let field = |label: &str| value(&label.to_lowercase(), entry).map(|value| format!("**{label}:** {value}"));
        let style = SectionStyle::Heading(level + 1);
        Self {
            heading,
            is_heading_apart: true,
            fields: labels.into_iter().filter_map(field).collect(),
            sections: vec![(Role::Done, style.line(ROLES[0].1)), (Role::NotDone, style.line(ROLES[1].1))],
            style,
            is_section_apart: false,
            bullet: '-',
            is_goal_listed: false,
            ends_with_rule: false,
        }
    }

    /// For a file that has releases only: a part of what is not released yet.
    pub(super) fn for_releases(reading: &Reading<'_>, entry: &NewEntry) -> Self {
        let dated = |spot: &Spot| {
            let date = spot.parts.date.clone()?;
            let text = reading.document.at(spot.text.clone())?;
            let before = text[..date.start].trim_end().trim_end_matches('(');
            ["--", "—", "–", "-"].into_iter().find(|dash| before.trim_end().ends_with(dash))
        };
        let dash = reading.spots.iter().find_map(dated).unwrap_or("—");
        let heading = format!("### Session {:03} {dash} {}: {}", entry.session, inline(&entry.date), title(entry));
        let mut form = Self::usual(heading, 3, entry);
        let apart = |line: usize| {
            reading.document.heading(line).is_some_and(|heading| heading.level == 3) && is_apart(reading, line)
        };
        form.is_section_apart = (0..reading.document.lines.len()).any(apart);
        form
    }

    /// The form of an entry that is there.
    pub(super) fn like(reading: &Reading<'_>, spot: usize, entry: &NewEntry) -> Self {
        let spot = &reading.spots[spot];
        let document = &reading.document;
        let mut form = Self {
            heading: heading(reading, spot, entry),
            is_heading_apart: is_apart(reading, spot.line) || spot.body.is_empty(),
            fields: Vec::new(),
            sections: Vec::new(),
            style: SectionStyle::Flat,
            is_section_apart: false,
            bullet: '-',
            is_goal_listed: false,
            ends_with_rule: false,
        };
        let mut bullet = None;
        let mut role = Role::Other;
        for line in spot.body.clone() {
            match reading.part(line) {
                Some(Part::Section { role: next }) => {
                    role = next;
                    form.take_section(reading, spot, line, next);
                }
                Some(Part::Field(field)) if form.style == SectionStyle::Flat => {
                    let prefix = document.at(document.lines[line].start..field.value.start);
                    let behind = document.at(field.value.end..document.lines[line].end);
                    let behind =
                        behind.filter(|text| text.chars().all(|c| matches!(c, ' ' | '*' | '_'))).unwrap_or_default();
                    let value = value(&field.label, entry);
                    form.fields.extend(value.zip(prefix).map(|(value, prefix)| format!("{prefix}{value}{behind}")));
                }
                Some(Part::Item(item)) => {
                    bullet = bullet
                        .or_else(|| document.at(item.marker)?.chars().next().filter(|c| matches!(c, '-' | '*' | '+')));
                    form.is_goal_listed |= role == Role::Goal;
                }
                Some(Part::Field(_)) | None => {}
            }
        }
        form.bullet = bullet.unwrap_or('-');
        let last = spot.body.clone().rev().find(|line| !document.is_empty(*line));
        form.ends_with_rule = last.is_some_and(|line| document.is_rule(line));
        form
    }

    fn take_section(&mut self, reading: &Reading<'_>, spot: &Spot, line: usize, role: Role) {
        let heading = reading.document.heading(line);
        if self.style == SectionStyle::Flat {
            let level = heading.as_ref().map(|heading| heading.level.max(spot.level + 1));
            self.style = level.map_or(SectionStyle::Bold, SectionStyle::Heading);
            self.is_section_apart = is_apart(reading, line);
        }
        let is_known = role == Role::Other || self.sections.iter().any(|(known, _)| *known == role);
        if is_known {
            return;
        }
        let own = reading.document.words(line).map(|words| words.trim_end().to_owned());
        let is_general =
            |words: &String| words.len() <= MAX_NAME_BYTES && !words.contains(|c: char| c.is_ascii_digit());
        let name = ROLES.iter().find(|(known, _)| *known == role).map_or("Notes", |(_, name)| *name);
        self.sections.push((role, own.filter(is_general).unwrap_or_else(|| self.style.line(name))));
    }

    pub(super) fn lines(&self, entry: &NewEntry) -> Vec<String> {
        let mut lines = vec![self.heading.clone()];
        if self.is_heading_apart {
            lines.push(String::new());
        }
        lines.extend(self.fields.iter().cloned());
        if self.style == SectionStyle::Flat {
            self.list(entry, &mut lines);
        } else {
            self.sections(entry, &mut lines);
        }
        if self.ends_with_rule {
            lines.extend([String::new(), "---".to_owned()]);
        }
        lines
    }

    /// One list: what was done, and the rest with a word before it.
    fn list(&self, entry: &NewEntry, lines: &mut Vec<String>) {
        if !self.fields.is_empty() {
            lines.push(String::new());
        }
        let words = |role: Role| match role {
            Role::NotDone => "Not done: ",
            Role::Decisions => "Decision: ",
            Role::Discovered => "Discovered: ",
            Role::Goal => "Goal: ",
            Role::Done | Role::Other => "",
        };
        for (role, _) in ROLES {
            for text in texts(role, entry).iter().take(MAX_ITEMS) {
                lines.push(self.item(&format!("{}{text}", words(role))));
            }
        }
    }

    fn item(&self, text: &str) -> String {
        format!("{} {}", self.bullet, leading(text))
    }

    fn sections(&self, entry: &NewEntry, lines: &mut Vec<String>) {
        let own = self.sections.iter().map(|(role, line)| (*role, line.clone()));
        let is_own = |role: Role| self.sections.iter().any(|(own, _)| *own == role);
        let further =
            ROLES.into_iter().filter(|(role, _)| !is_own(*role)).map(|(role, name)| (role, self.style.line(name)));
        for (role, name) in own.chain(further) {
            let texts = texts(role, entry);
            let nothing = match role {
                Role::Done => Some("Nothing was completed"),
                Role::NotDone if is_own(role) => Some("Nothing carried over"),
                Role::NotDone | Role::Decisions | Role::Discovered | Role::Goal | Role::Other => None,
            };
            if texts.is_empty() && nothing.is_none() {
                continue;
            }
            if lines.last().is_some_and(|last| !last.is_empty()) {
                lines.push(String::new());
            }
            lines.push(name);
            if self.is_section_apart {
                lines.push(String::new());
            }
            if texts.is_empty() {
                lines.extend(nothing.map(|nothing| self.item(nothing)));
            }
            let is_list = role != Role::Goal || self.is_goal_listed;
            let kept = texts.iter().take(MAX_ITEMS);
            lines.extend(kept.map(|text| if is_list { self.item(text) } else { leading(text) }));
            if texts.len() > MAX_ITEMS {
                lines.push(self.item(&format!("… and {} more", texts.len() - MAX_ITEMS)));
            }
        }
    }
}

fn is_apart(reading: &Reading<'_>, line: usize) -> bool {
    line + 1 < reading.document.lines.len() && reading.document.is_empty(line + 1)
}

fn texts(role: Role, entry: &NewEntry) -> &[String] {
    match role {
        Role::Done => &entry.done,
        Role::NotDone => &entry.not_done,
        Role::Decisions => &entry.decisions,
        Role::Discovered => &entry.discovered,
        Role::Goal => &entry.goal,
        Role::Other => &[],
    }
}

/// What the entry says under a label; nothing where it says nothing about that.
fn value(label: &str, entry: &NewEntry) -> Option<String> {
    let text = match label {
        "phase" | "current phase" => entry.phase.clone()?,
        "agent" | "tool" | "assistant" => entry.agent.clone(),
        "model" => entry.model.clone()?,
        "duration" | "time" | "time spent" => {
            format!("~{} {}", entry.minutes, if entry.minutes == 1 { "minute" } else { "minutes" })
        }
        "tasks completed" | "tasks" | "completed" => format!("{}/{}", entry.completed.0, entry.completed.1),
        "date" => entry.date.clone(),
        "session" => format!("{:03}", entry.session),
        "scope" | "focus" | "title" | "summary" => entry.title.clone(),
        _ => return None,
    };
    let text = inline(&text);
    (!text.is_empty()).then_some(text)
}

/// The title, in which nothing can be taken for the number of a session.
fn title(entry: &NewEntry) -> String {
    let mut title = inline(&entry.title);
    if title.is_empty() {
        "Untitled".clone_into(&mut title);
    }
    while let Some((_, digits)) = Parts::of(&title).session {
        title.insert_str(digits.start, "no. ");
    }
    title
}

/// The heading of an entry with the parts of another one.
fn heading(reading: &Reading<'_>, spot: &Spot, entry: &NewEntry) -> String {
    let document = &reading.document;
    let line = document.lines[spot.line];
    let text = document.at(spot.text.clone()).unwrap_or_default();
    let number = spot
        .parts
        .session
        .as_ref()
        .map(|(_, digits)| (digits.clone(), like_number(&text[digits.clone()], entry.session)));
    let date = spot.parts.date.clone().map(|place| (place, inline(&entry.date)));
    let title = spot.parts.title.clone().map(|place| (place, title(entry)));
    let model = spot.parts.model.clone().map(|place| match &entry.model {
        Some(model) => (place, inline(model).replace(['[', ']'], "")),
        None => {
            let before = text[..place.start - 1].trim_end().len();
            (before..place.end + 1, String::new())
        }
    });
    let mut parts: Vec<_> = [number, date, title, model].into_iter().flatten().collect();
    parts.sort_by_key(|(place, _)| place.start);
    let mut out = document.at(line.start..spot.text.start).unwrap_or("## ").to_owned();
    let mut at = 0;
    for (place, with) in parts {
        out.push_str(&text[at..place.start.max(at)]);
        out.push_str(&with);
        at = place.end;
    }
    out.push_str(&text[at..]);
    out.push_str(document.at(spot.text.end..line.end).unwrap_or_default());
    out.truncate(out.trim_end().len());
    out
}
