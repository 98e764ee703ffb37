//! The tables of a plan: of tasks, of phases, of what was discovered and of what is blocked. What a table has is told by
//! the labels of its columns.

use std::ops::Range;

use super::fields::model_in;
use super::phases;
use super::read::{MAX_LISTED, Place, Reading, Section, TaskSpot, is_nothing};
use super::{BlockedTask, DiscoveredTask, PlanStatus, PlanTask};
use crate::document::markdown::Table;
use crate::document::number;
use crate::document::status::said;
use crate::document::wording::{label_key, plain};
use crate::text::quoted;

pub(super) const TASK_COLUMNS: &[&str] =
    &["task", "tasks", "task name", "work item", "deliverable", "feature", "story", "user story", "todo"];

/// The columns of a table, by label.
struct Columns(Vec<String>);

impl Columns {
    fn find(&self, labels: &[&str]) -> Option<usize> {
        labels.iter().find_map(|label| self.0.iter().position(|column| column == label))
    }
}

/// The cells of a row. One that is not UTF-8 has no text.
struct Row(Vec<Cell>);

struct Cell {
    text: Option<String>,
    place: Range<usize>,
}

impl Row {
    /// What a cell says, for people; nothing where it says nothing.
    fn text(&self, column: Option<usize>) -> Option<String> {
        let words = column.and_then(|column| self.0.get(column)).and_then(|cell| cell.text.as_deref().map(plain));
        words.filter(|words| !is_nothing(words))
    }
}

impl Reading<'_> {
    pub(super) fn table(&mut self, table: Table) {
        let labels = self.document.cells(table.header).into_iter().map(|cell| self.document.at(cell).map(label_key));
        let columns = Columns(labels.map(Option::unwrap_or_default).collect());
        let status = columns.find(&["status", "state", "status?"]);
        match (columns.find(TASK_COLUMNS), columns.find(&["phase", "phases", "milestone"])) {
            (Some(task), _) if self.section == Section::Discovered || columns.find(&["discovered in"]).is_some() => {
                self.discovered_table(table, &columns, task);
            }
            (Some(task), _) if self.section == Section::Blocked || columns.find(&["blocked by"]).is_some() => {
                self.blocked_table(table, &columns, task);
            }
            _ if self.section == Section::Aside => {}
            (Some(task), _) => match status {
                Some(status) => self.task_table(&table, &columns, task, status),
                None => {
                    self.document.problem(table.header, "this table of tasks has no column Status; it is left alone")
                }
            },
            (None, Some(phase)) => {
                if let Some(status) = status {
                    self.phase_table(&table, &columns, phase, status);
                }
            }
            (None, None) => {}
        }
    }

    /// The cells of a row.
    fn row(&self, line: usize) -> Row {
        let cells = self.document.cells(line).into_iter();
        let text = |place: &Range<usize>| self.document.at(place.clone()).map(str::to_owned);
        Row(cells.map(|place| Cell { text: text(&place), place }).collect())
    }

    /// The title in a row; nothing where it has none. One that is not UTF-8 is told.
    fn title(&mut self, line: usize, row: &Row, column: usize) -> Option<String> {
        if row.0.get(column).is_some_and(|cell| cell.text.is_none()) {
            self.document.problem(line, "bytes that are not UTF-8; the row is left alone");
        }
        row.text(Some(column))
    }

    fn task_table(&mut self, table: &Table, columns: &Columns, task: usize, status: usize) {
        let area = columns.find(&["area", "component", "category", "module"]);
        let estimate = columns.find(&["estimated", "estimate", "effort", "est", "est.", "time", "size"]);
        let depends = columns.find(&["depends on", "dependencies", "depends", "dependency", "blocked by"]);
        let notes = columns.find(&["notes", "note", "comments", "comment", "details", "remarks"]);
        let model = columns.find(&["model"]);
        for line in table.rows.clone() {
            let row = self.row(line);
            let text = |column: Option<usize>| row.text(column);
            let Some(title) = self.title(line, &row, task) else { continue };
            let Some((state, place)) = self.state(line, &row, status) else { continue };
            let notes_text = text(notes);
            let new = PlanTask {
                title,
                status: state,
                area: text(area),
                estimate: text(estimate),
                depends_on: text(depends).into_iter().collect(),
                model: text(model).or_else(|| notes_text.as_deref().and_then(model_in)),
                notes: notes_text,
                phase: self.phase.map(|(index, _)| index),
                line: number(line + 1),
            };
            let notes = notes.and_then(|column| row.0.get(column)).map(|cell| cell.place.clone());
            self.task(line, new, TaskSpot { status: place, is_box: false, notes }, [None, None]);
        }
    }

    /// What a row says of its task's state, and where. An empty cell says that it is planned.
    fn state(&mut self, line: usize, row: &Row, column: usize) -> Option<(PlanStatus, Range<usize>)> {
        let Some(Cell { text: Some(words), place }) = row.0.get(column) else {
            self.document.problem(line, "the row has no status that can be read; it is left alone");
            self.unknown();
            return None;
        };
        if words.is_empty() {
            return Some((PlanStatus::Planned, place.clone()));
        }
        let Some(found) = said(words) else {
            if !is_given_up(words) {
                let why = format!("{} is no state that is known; the row is left alone", quoted(words));
                self.document.problem(line, why);
                self.unknown();
            }
            return None;
        };
        self.words.learn(found.status, &words[found.place.clone()]);
        Some((found.status, place.start + found.place.start..place.start + found.place.end))
    }

    /// A task whose state is not known is one of its phase all the same.
    fn unknown(&mut self) {
        *self.plan.unknown.entry(self.phase.map(|(index, _)| index)).or_default() += 1;
    }

    fn phase_table(&mut self, table: &Table, columns: &Columns, phase: usize, status: usize) {
        let name = columns.find(&["name", "title"]);
        let goal = columns.find(&["goal", "target", "description", "focus", "notes"]);
        let progress = columns.find(&["progress"]);
        for line in table.rows.clone() {
            let row = self.row(line);
            let text = |column: Option<usize>| row.text(column);
            let Some(first) = text(Some(phase)) else { continue };
            let named = phases::named(&first);
            let id = named.as_ref().map_or_else(|| first.clone(), |named| named.id.clone());
            let name = text(name).or_else(|| named.map(|named| named.name)).unwrap_or_default();
            let Some(Cell { text: Some(words), place: cell }) = row.0.get(status) else { continue };
            let found = said(words);
            if let Some(found) = &found {
                self.phase_words.learn(found.status, &words[found.place.clone()]);
            } else if !words.is_empty() && !is_given_up(words) {
                self.document.problem(line, format!("{} is no state that is known; it is left alone", quoted(words)));
            }
            let place = found.as_ref().map(|found| cell.start + found.place.start..cell.start + found.place.end);
            let place = place.or_else(|| words.is_empty().then(|| cell.clone()));
            let Some(index) = self.phase_with(line, &id, &name, found.map(|found| found.status)) else { break };
            let goal = text(goal);
            let known = &mut self.plan.phases[index];
            known.goal = known.goal.take().or(goal);
            let spot = &mut self.phases[index];
            spot.cell = spot.cell.take().or(place);
            let cell = progress.and_then(|column| row.0.get(column)).map(|cell| (line, cell.place.clone()));
            spot.progress_cell = spot.progress_cell.take().or(cell);
        }
    }

    fn discovered_table(&mut self, table: Table, columns: &Columns, task: usize) {
        let found_in = columns.find(&["discovered in", "found in", "session"]);
        let priority = columns.find(&["priority"]);
        let in_sprint = columns.find(&["added to sprint?", "added to sprint", "in sprint"]);
        for line in table.rows.clone() {
            let row = self.row(line);
            let text = |column: Option<usize>| row.text(column);
            let Some(title) = self.title(line, &row, task) else { continue };
            let (found_in, priority, in_sprint) = (text(found_in), text(priority), text(in_sprint));
            self.discovered_task(DiscoveredTask { title, found_in, priority, in_sprint, line: number(line + 1) });
        }
        let end = table.rows.end;
        let place = self.discovered.get_or_insert(Place { start: table.header, table: None, last_item: None, end });
        place.table.get_or_insert(table);
    }

    fn blocked_table(&mut self, table: Table, columns: &Columns, task: usize) {
        let by = columns.find(&["blocked by", "blocker", "reason"]);
        let since = columns.find(&["since", "date"]);
        let resolution = columns.find(&["resolution path", "resolution", "next step"]);
        for line in table.rows.clone() {
            let row = self.row(line);
            let text = |column: Option<usize>| row.text(column);
            let Some(title) = self.title(line, &row, task) else { continue };
            let (blocked_by, since, resolution) = (text(by), text(since), text(resolution));
            if self.plan.blocked.len() < MAX_LISTED {
                self.plan.blocked.push(BlockedTask { title, blocked_by, since, resolution, line: number(line + 1) });
            }
        }
        let end = table.rows.end;
        self.blocked.get_or_insert(Place { start: table.header, table: Some(table), last_item: None, end });
    }
}

/// States of tasks that nobody will do: they count neither as open nor as done.
fn is_given_up(text: &str) -> bool {
    let words = text.trim_start_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    ["cancel", "dropped", "removed", "skipped", "obsolete", "won't", "wont", "superseded"]
        .iter()
        .any(|word| words.starts_with(word))
}
