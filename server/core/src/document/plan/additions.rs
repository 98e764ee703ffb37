//! What an edit adds to a plan: rows or items for tasks that were discovered or are blocked.

use std::collections::BTreeSet;

use super::edit::{Editor, NewDiscovered, PlanEdit, is_date, like_number, session_digits};
use super::read::{MAX_LISTED, Place, is_nothing};
use super::{PlanStatus, Shape};
use crate::document::markdown::{Item, Table};
use crate::document::number;
use crate::document::wording::{cell, inline, key, label_key, leading, plain};
use crate::text::quoted;

/// Tasks that one edit adds.
const MAX_ADDED: usize = 200;
const PRIORITIES: [&str; 3] = ["High", "Medium", "Low"];

/// Says why tasks are blocked: in the table for that, or else in their notes. Returns the number of new rows.
pub(super) fn add_blocked(editor: &mut Editor<'_>, edit: &PlanEdit) -> usize {
    let mut added = 0;
    let mut listed: BTreeSet<String> = editor.plan().blocked.iter().map(|task| key(&task.title)).collect();
    let table = editor.reading.blocked.as_ref().and_then(|place| place.table.clone());
    for (title, why) in edit.blocked.iter().take(MAX_ADDED) {
        let Ok(task) = editor.task_called(title) else { continue };
        let known = &editor.plan().tasks[task];
        if known.status == PlanStatus::Complete || is_nothing(&plain(&inline(&known.title))) {
            continue;
        }
        let title = known.title.clone();
        match &table {
            Some(table) => {
                let is_new = listed.len() < MAX_LISTED && listed.insert(key(&inline(&title)));
                if is_new {
                    let since = if is_date(&edit.today) { edit.today.as_str() } else { "" };
                    let values = |label: &str| match label {
                        "blocked by" | "blocker" | "reason" => cell(why),
                        "since" | "date" => since.to_owned(),
                        _ => String::new(),
                    };
                    if add_row(editor, table, &title, values) {
                        added += 1;
                        editor.changes.push(format!("blocked task added: {title}"));
                    }
                }
            }
            None if editor.changed.contains(&task) => note(editor, task, why),
            None => {}
        }
    }
    for title in &edit.complete {
        let Ok(task) = editor.task_called(title) else { continue };
        let own = key(&editor.plan().tasks[task].title);
        if listed.contains(&own)
            && let Some(blocked) = editor.plan().blocked.iter().find(|blocked| key(&blocked.title) == own)
        {
            let line = blocked.line;
            editor.leave(line, format!("{} is complete, and still listed as blocked", quoted(title)));
        }
    }
    added
}

/// Puts the reason behind what is noted already.
fn note(editor: &mut Editor<'_>, task: usize, why: &str) {
    let Some(place) = editor.reading.tasks[task].notes.clone() else { return };
    let why = cell(why);
    if why.is_empty() || editor.reading.document.at(place.clone()).is_none() {
        return;
    }
    let text = if place.is_empty() { format!("Blocked: {why}") } else { format!("; blocked: {why}") };
    let text = editor.fitted(&place, &text);
    editor.splices.insert(place.end, &text);
}

/// Returns the number of tasks that are added.
pub(super) fn add_discovered(editor: &mut Editor<'_>, edit: &PlanEdit) -> usize {
    let mut known: BTreeSet<String> = editor.plan().discovered.iter().map(|task| key(&task.title)).collect();
    let mut new: Vec<&NewDiscovered> = Vec::new();
    for discovered in edit.discovered.iter().take(MAX_ADDED) {
        let title = inline(&discovered.title);
        if is_nothing(&plain(&title)) || key(&title).is_empty() || known.contains(&key(&title)) {
            continue;
        }
        if let Ok(task) = editor.task_called(&discovered.title) {
            let line = editor.plan().tasks[task].line;
            editor.leave(line, format!("{} is a task of the plan already", quoted(&discovered.title)));
            continue;
        }
        known.insert(key(&title));
        new.push(discovered);
    }
    if new.is_empty() {
        return 0;
    }
    if editor.plan().discovered.len() + new.len() > MAX_LISTED {
        editor.leave(1, format!("more than {MAX_LISTED} discovered tasks; none are added"));
        return 0;
    }
    let session = format!("Session {}", like_number(&session_style(editor), edit.session));
    let is_added = match editor.reading.discovered.clone() {
        Some(Place { table: Some(table), .. }) => add_rows(editor, &table, &new, &session),
        Some(Place { last_item: Some((line, item)), .. }) => add_items(editor, line, &item, &new, &session),
        Some(place) => add_to_empty(editor, &place, &new, &session),
        None => add_section(editor, &new, &session),
    };
    if !is_added {
        return 0;
    }
    editor
        .changes
        .extend(new.iter().map(|discovered| format!("discovered task added: {}", plain(&inline(&discovered.title)))));
    new.len()
}

/// A number of a session as the file writes it.
fn session_style(editor: &Editor<'_>) -> String {
    let header = editor.plan().last_updated.iter();
    let rows = editor.plan().discovered.iter().filter_map(|task| task.found_in.as_ref());
    let mut found = header.chain(rows).filter_map(|text| session_digits(text).map(|digits| text[digits].to_owned()));
    found.next().unwrap_or_else(|| "000".to_owned())
}

fn priority(of: &NewDiscovered) -> &'static str {
    let known = PRIORITIES.into_iter().find(|known| of.priority.trim().eq_ignore_ascii_case(known));
    known.unwrap_or("Medium")
}

fn add_rows(editor: &mut Editor<'_>, table: &Table, new: &[&NewDiscovered], session: &str) -> bool {
    for discovered in new {
        let values = |label: &str| match label {
            "discovered in" | "found in" | "session" => session.to_owned(),
            "priority" => priority(discovered).to_owned(),
            "added to sprint?" | "added to sprint" | "in sprint" => "No".to_owned(),
            _ => String::new(),
        };
        if !add_row(editor, table, &discovered.title, values) {
            return false;
        }
    }
    true
}

/// A row behind the last one, with the columns that the table has.
fn add_row(editor: &mut Editor<'_>, table: &Table, title: &str, values: impl Fn(&str) -> String) -> bool {
    let document = &editor.reading.document;
    let mut has_title = false;
    let mut row = Vec::new();
    for place in document.cells(table.header) {
        let label = document.at(place).map(label_key).unwrap_or_default();
        let is_title = !has_title && super::tables::TASK_COLUMNS.contains(&label.as_str());
        has_title |= is_title;
        row.push(if is_title { cell(title) } else { values(&label) });
    }
    let header = document.lines[table.header];
    let line = &document.text[header.start..header.end];
    let indent: String = line.iter().take_while(|byte| **byte == b' ').map(|_| ' ').collect();
    let spaced = |text: &String| if text.is_empty() { " ".to_owned() } else { format!(" {text} ") };
    let row = row.iter().map(spaced).collect::<Vec<_>>().join("|");
    let row = format!("{indent}|{row}|");
    insert_behind(editor, table.rows.end.max(table.header + 2) - 1, &row)
}

/// A line behind another one, which may be the last and without an end.
fn insert_behind(editor: &mut Editor<'_>, line: usize, text: &str) -> bool {
    let document = &editor.reading.document;
    let ends = document.line_break(line);
    let place = document.lines[line];
    if document.is_hidden(place.next) {
        editor.leave(number(line + 1), "a comment goes on behind this line, so nothing can be added here");
        return false;
    }
    let text = if place.end == place.next { format!("{ends}{text}") } else { format!("{text}{ends}") };
    editor.splices.insert(place.next, &text);
    true
}

fn item_text(discovered: &NewDiscovered, session: &str) -> String {
    format!("{} — {} ({session})", leading(&discovered.title), priority(discovered))
}

fn add_items(editor: &mut Editor<'_>, line: usize, item: &Item, new: &[&NewDiscovered], session: &str) -> bool {
    let document = &editor.reading.document;
    let Some(marker) = document.at(item.marker.clone()).map(str::to_owned) else { return false };
    let indent = " ".repeat(item.indent);
    let mut last = line;
    while last + 1 < document.lines.len()
        && !document.is_empty(last + 1)
        && document.text[document.lines[last + 1].start].is_ascii_whitespace()
    {
        last += 1;
    }
    let digits = marker.len() - marker.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let first: Option<u64> = marker[..digits].parse().ok();
    for (count, discovered) in (1..).zip(new) {
        let marker = first
            .map_or_else(|| marker.clone(), |first| format!("{}{}", first.saturating_add(count), &marker[digits..]));
        let mark = if item.mark.is_some() { "[ ] " } else { "" };
        if !insert_behind(editor, last, &format!("{indent}{marker}{mark}{}", item_text(discovered, session))) {
            return false;
        }
    }
    true
}

/// The lines of a table or list that is new in the file.
fn block(editor: &Editor<'_>, new: &[&NewDiscovered], session: &str) -> Vec<String> {
    match editor.plan().shape {
        Shape::Tables | Shape::Both | Shape::NoTasks => {
            let mut lines = vec![
                "| Task | Discovered In | Priority | Added to Sprint? |".to_owned(),
                "|------|---------------|----------|------------------|".to_owned(),
            ];
            let row =
                |task: &&NewDiscovered| format!("| {} | {session} | {} | No |", cell(&task.title), priority(task));
            lines.extend(new.iter().map(row));
            lines
        }
        Shape::Boxes => new.iter().map(|task| format!("- [ ] {}", item_text(task, session))).collect(),
    }
}

/// Behind what the section has already, which may be words or comments.
fn add_to_empty(editor: &mut Editor<'_>, place: &Place, new: &[&NewDiscovered], session: &str) -> bool {
    let document = &editor.reading.document;
    let is_end = place.end == document.lines.len();
    if is_end && document.is_open_ended {
        editor.leave(number(place.start + 1), "what follows is not closed, so nothing can be added here");
        return false;
    }
    let mut last = place.end - 1;
    while last > place.start && (document.is_empty(last) || document.is_rule(last)) {
        last -= 1;
    }
    let ends = document.line_break(last);
    let mut lines = vec![String::new()];
    lines.extend(block(editor, new, session));
    if last + 1 < document.lines.len() && !document.is_empty(last + 1) {
        lines.push(String::new());
    }
    insert_behind(editor, last, &lines.join(ends))
}

/// A section at the end, set apart as the file's others are.
fn add_section(editor: &mut Editor<'_>, new: &[&NewDiscovered], session: &str) -> bool {
    let document = &editor.reading.document;
    let Some(last) = document.lines.len().checked_sub(1).filter(|_| !document.is_open_ended) else {
        editor.leave(number(document.lines.len()), "the file's end is not closed, so nothing can be added");
        return false;
    };
    let second =
        (0..document.lines.len()).rev().find(|line| document.heading(*line).is_some_and(|heading| heading.level == 2));
    let before = second.and_then(|line| (0..line).rev().find(|before| !document.is_empty(*before)));
    let mut lines = Vec::new();
    if !document.is_empty(last) {
        lines.push(String::new());
    }
    if before.is_some_and(|line| document.is_rule(line)) {
        lines.extend(["---".to_owned(), String::new()]);
    }
    lines.extend(["## Discovered Tasks".to_owned(), String::new()]);
    let ends = document.line_break(last);
    lines.extend(block(editor, new, session));
    insert_behind(editor, last, &lines.join(ends))
}
