//! `Cargo.toml`, and the little of TOML that manifests use: sections, keys, inline tables, arrays over several lines.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::{Unpinned, columns, looked_at, without_quotes};
use crate::scan::rules::{self, Rule};

/// An array or a table may go on for so many lines.
const MAX_LINES: usize = 200;

/// No section that is read has more names than that; of one that has, the rest counts as the last one.
pub(super) const MAX_NAMES: usize = 8;

/// The names of a section, kept once for all that stands in it.
pub(super) type Section = Rc<[Vec<u8>]>;

/// A key with its value, and the section they stand in.
pub(super) struct Entry<'a> {
    pub section: Section,
    pub line: usize,
    pub key: &'a [u8],
    /// The value on the line of its key.
    pub value: &'a [u8],
    /// How many lines it takes.
    pub lines: usize,
}

pub(super) enum Item<'a> {
    /// A section begins: its names and its line.
    Section(Section, usize),
    Entry(Entry<'a>),
}

/// What a manifest says, in order.
pub(super) fn items<'a>(lines: &[&'a [u8]]) -> Vec<Item<'a>> {
    let mut items = Vec::new();
    let mut section: Section = Rc::from([]);
    let mut at = 0;
    while at < lines.len() {
        let line = without_comment(lines[at]).trim_ascii();
        let mut taken = 1;
        if let Some(header) = line.strip_prefix(b"[").and_then(|line| line.strip_suffix(b"]")) {
            let header = header.strip_prefix(b"[").and_then(|line| line.strip_suffix(b"]")).unwrap_or(header);
            section = names(header).into();
            items.push(Item::Section(Rc::clone(&section), at));
        } else if let Some((key, value)) = key_and_value(line) {
            let mut open = depth(value);
            while open > 0 && at + taken < lines.len() && taken < MAX_LINES {
                open += depth(without_comment(lines[at + taken]));
                taken += 1;
            }
            items.push(Item::Entry(Entry { section: Rc::clone(&section), line: at, key, value, lines: taken }));
        }
        at += taken;
    }
    items
}

pub(super) fn key_and_value(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let at = position_outside_quotes(line, |byte| byte == b'=')?;
    Some((line[..at].trim_ascii(), line[at + 1..].trim_ascii()))
}

fn position_outside_quotes(text: &[u8], is: impl Fn(u8) -> bool) -> Option<usize> {
    let mut quote = None;
    for (at, byte) in text.iter().enumerate() {
        match (quote, byte) {
            (None, byte) if is(*byte) => {
                looked_at(at + 1);
                return Some(at);
            }
            (None, b'"' | b'\'') => quote = Some(*byte),
            (Some(open), byte) if open == *byte => quote = None,
            _ => {}
        }
    }
    looked_at(text.len());
    None
}

pub(super) fn without_comment(line: &[u8]) -> &[u8] {
    position_outside_quotes(line, |byte| byte == b'#').map_or(line, |at| &line[..at])
}

/// How many brackets are opened and not closed.
fn depth(text: &[u8]) -> i64 {
    let mut depth = 0;
    let mut quote = None;
    for byte in text {
        match (quote, byte) {
            (None, b'[' | b'{') => depth += 1,
            (None, b']' | b'}') => depth -= 1,
            (None, b'"' | b'\'') => quote = Some(*byte),
            (Some(open), byte) if open == *byte => quote = None,
            _ => {}
        }
    }
    depth
}

/// The names of a section or a dotted key.
pub(super) fn names(text: &[u8]) -> Vec<Vec<u8>> {
    let mut names = Vec::new();
    let mut rest = text;
    loop {
        let is_last = names.len() + 1 == MAX_NAMES;
        let at = if is_last { None } else { position_outside_quotes(rest, |byte| byte == b'.') };
        names.push(without_quotes(&rest[..at.unwrap_or(rest.len())]).to_vec());
        match at {
            Some(at) => rest = &rest[at + 1..],
            None => return names,
        }
    }
}

/// The pairs of an inline table: `{ version = "1", path = "x" }`.
pub(super) fn table(value: &[u8]) -> Vec<(&[u8], &[u8])> {
    let Some(inside) = value.strip_prefix(b"{") else { return Vec::new() };
    let mut pairs = Vec::new();
    let (mut start, mut depth, mut quote) = (0, 0_i64, None);
    for at in 0..=inside.len() {
        let byte = inside.get(at).copied().unwrap_or(b'}');
        match (quote, byte) {
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), byte) if open == byte && at < inside.len() => quote = None,
            (Some(_), _) if at < inside.len() => {}
            (_, b',' | b'}') if depth == 0 => {
                pairs.extend(key_and_value(inside[start..at].trim_ascii()));
                start = at + 1;
                if byte == b'}' {
                    break;
                }
            }
            (_, b'[' | b'{') => depth += 1,
            (_, b']' | b'}') => depth -= 1,
            _ => {}
        }
    }
    pairs
}

/// A dependency as its parts are gathered, from one line or from a section of its own.
#[derive(Default)]
pub(super) struct Source<'a> {
    pub version: Option<(usize, &'a [u8])>,
    pub git: Option<usize>,
    pub fixed: bool,
    pub elsewhere: bool,
}

impl<'a> Source<'a> {
    pub(super) fn take(&mut self, line: usize, key: &[u8], value: &'a [u8]) {
        match key {
            b"version" => self.version = Some((line, value)),
            b"git" => self.git = Some(line),
            b"rev" | b"tag" => self.fixed = true,
            b"path" | b"url" | b"file" => self.elsewhere = true,
            b"workspace" => self.elsewhere = self.elsewhere || value == b"true",
            _ => {}
        }
    }

    pub(super) fn of_value(line: usize, value: &'a [u8]) -> Self {
        let mut source = Self::default();
        if value.starts_with(b"{") {
            for (key, value) in table(value) {
                source.take(line, key, value);
            }
        } else {
            source.version = Some((line, value));
        }
        source
    }
}

/// The name and whereabouts of one crate.
struct Named<'a> {
    name: Vec<u8>,
    line: usize,
    source: Source<'a>,
}

/// Crates that are told by several lines of a section: `name.version = …`, `name.features = …`.
type Dotted<'a> = BTreeMap<Vec<u8>, Named<'a>>;

pub(super) fn cargo(lines: &[&[u8]], unpinned: &mut Unpinned) {
    let mut own: Option<Named<'_>> = None;
    let mut dotted = Dotted::new();
    for item in items(lines) {
        match item {
            Item::Section(section, line) => {
                for named in own.take().into_iter().chain(std::mem::take(&mut dotted).into_values()) {
                    judge_crate(lines, &named, unpinned);
                }
                if let Some(name) = crate_of_section(&section) {
                    own = Some(Named { name, line, source: Source::default() });
                }
            }
            Item::Entry(entry) => {
                if let Some(named) = &mut own {
                    named.source.take(entry.line, entry.key, entry.value);
                } else if entry.section.last().is_some_and(|name| is_dependencies(name)) {
                    take_entry(lines, &entry, &mut dotted, unpinned);
                }
            }
        }
    }
    for named in own.into_iter().chain(dotted.into_values()) {
        judge_crate(lines, &named, unpinned);
    }
}

/// A line of a dependencies section: `name = …` or `name.part = …`, of which there may be several.
fn take_entry<'a>(lines: &[&[u8]], entry: &Entry<'a>, dotted: &mut Dotted<'a>, unpinned: &mut Unpinned) {
    let names = names(entry.key);
    let name = names[0].clone();
    if let [_, part] = &names[..] {
        let fresh = || Named { name: name.clone(), line: entry.line, source: Source::default() };
        let named = dotted.entry(name.clone()).or_insert_with(fresh);
        named.source.take(entry.line, part, entry.value);
        return;
    }
    // A table over several lines tells its parts where we do not look; it is left alone unless the first line says enough.
    let source = Source::of_value(entry.line, entry.value);
    if entry.lines == 1 || source.version.is_some() || source.git.is_some() {
        judge_crate(lines, &Named { name, line: entry.line, source }, unpinned);
    }
}

fn is_dependencies(name: &[u8]) -> bool {
    matches!(name, b"dependencies" | b"dev-dependencies" | b"build-dependencies")
}

/// `[dependencies.NAME]`.
fn crate_of_section(section: &[Vec<u8>]) -> Option<Vec<u8>> {
    let [.., kind, name] = section else { return None };
    is_dependencies(kind).then(|| name.clone())
}

fn judge_crate(lines: &[&[u8]], named: &Named<'_>, unpinned: &mut Unpinned) {
    const RULE: &Rule = &rules::CARGO_UNPINNED;
    let Source { version, git, fixed, elsewhere } = &named.source;
    let whole = |line: usize| columns(lines[line], lines[line].trim_ascii());
    if *elsewhere {
        return;
    }
    if let Some(line) = git {
        if !fixed {
            unpinned.tell(*line, whole(*line), RULE, &named.name, "comes from git without a rev or a tag");
        }
        return;
    }
    match version {
        None => unpinned.tell(named.line, whole(named.line), RULE, &named.name, "has no version"),
        Some((line, version)) => {
            let text = without_quotes(version);
            if text.is_empty() || text == b"*" || (text.contains(&b'>') && !text.contains(&b'<')) {
                unpinned.tell(
                    *line,
                    columns(lines[*line], version),
                    RULE,
                    &named.name,
                    "has a version that later breaking releases fit",
                );
            }
        }
    }
}
