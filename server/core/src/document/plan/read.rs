//! Reads a plan into what it says and where it says it.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::fields::{Field, estimate_in, field, model_in, shown};
use super::phases::{self, phase_named};
use super::{BlockedTask, DiscoveredTask, Phase, Plan, PlanStatus, PlanTask, Shape};
use crate::document::markdown::{Document, Heading, Item, Table};
use crate::document::progress::Numbers;
use crate::document::status::{Vocabulary, of_mark, said};
use crate::document::wording::{key, label_key, plain};
use crate::document::{Problem, number};
use crate::text::quoted;

/// More tasks, phases or rows are left out, with a problem that says so.
const MAX_TASKS: usize = 10_000;
const MAX_PHASES: usize = 500;
pub(super) const MAX_LISTED: usize = 10_000;
const MAX_PROGRESS_LINES: usize = 1_000;
/// Longer words behind the name of a complete phase are about that phase alone.
const MAX_SUFFIX_BYTES: usize = 30;
const MAX_DEPENDENCIES: usize = 16;

/// Headings above boxes and tables that are no tasks.
const ASIDES: &[&str] = &["decision", "question", "legend", "criteria", "definition of done", "history", "status key"];

/// Where a task says how it stands.
#[derive(Debug, Clone)]
pub(super) struct TaskSpot {
    pub(super) status: Range<usize>,
    pub(super) is_box: bool,
    /// The cell for notes.
    pub(super) notes: Option<Range<usize>>,
}

/// Where a phase says how it stands.
#[derive(Debug, Clone, Default)]
pub(super) struct PhaseSpot {
    pub(super) cell: Option<Range<usize>>,
    pub(super) progress_cell: Option<(usize, Range<usize>)>,
    pub(super) heading: Option<HeadingSpot>,
}

/// The text of a phase's heading, and the state in it.
#[derive(Debug, Clone)]
pub(super) struct HeadingSpot {
    pub(super) line: usize,
    pub(super) text: Range<usize>,
    pub(super) status: Option<(PlanStatus, Range<usize>)>,
}

/// What a progress line counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Counts {
    Phase(usize),
    Sprint,
    All,
    /// It does not say what; its total may.
    Unclear,
    /// Something that is not in the plan.
    Other,
}

#[derive(Debug, Clone)]
pub(super) struct ProgressLine {
    pub(super) line: usize,
    pub(super) counts: Counts,
    pub(super) value: Range<usize>,
    label: String,
    within: Option<usize>,
}

/// A section that rows or items can be added to.
#[derive(Debug, Clone)]
pub(super) struct Place {
    pub(super) start: usize,
    pub(super) table: Option<Table>,
    /// The last item of a list, the line in which it stands.
    pub(super) last_item: Option<(usize, Item)>,
    /// The line behind the section.
    pub(super) end: usize,
}

pub(super) struct Reading<'a> {
    pub(super) document: Document<'a>,
    pub(super) plan: Plan,
    pub(super) tasks: Vec<TaskSpot>,
    pub(super) phases: Vec<PhaseSpot>,
    pub(super) progress: Vec<ProgressLine>,
    pub(super) last_updated: Option<(usize, Range<usize>)>,
    pub(super) discovered: Option<Place>,
    pub(super) blocked: Option<Place>,
    pub(super) words: Vocabulary,
    pub(super) phase_words: Vocabulary,
    pub(super) heading_words: Vocabulary,
    /// The characters in boxes, by state.
    pub(super) marks: [Option<char>; 4],
    pub(super) section: Section,
    section_level: usize,
    /// The phase that is being read, and the level of its heading.
    pub(super) phase: Option<(usize, usize)>,
    in_list: bool,
    legend: Vec<(PlanStatus, String)>,
    current: Option<String>,
    first_headings_are_phases: bool,
    keys: BTreeMap<String, BTreeSet<usize>>,
    ids: BTreeMap<String, usize>,
    /// Not all tasks were read.
    pub(super) is_cut: bool,
    /// What the headings of complete phases have behind the name.
    pub(super) complete_suffix: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Section {
    Header,
    Work,
    Discovered,
    Blocked,
    Aside,
}

impl<'a> Reading<'a> {
    pub(super) fn of(text: &'a [u8]) -> Result<Self, Problem> {
        let mut reading = Self::new(Document::new(text)?);
        reading.first_headings_are_phases = reading.has_several_first_headings();
        let mut line = 0;
        while line < reading.document.lines.len() {
            line = reading.line(line);
        }
        reading.finish();
        let plan = &reading.plan;
        let has_header = plan.phase.is_some() || plan.sprint_goal.is_some() || plan.last_updated.is_some();
        if plan.tasks.is_empty() && plan.phases.is_empty() && plan.discovered.is_empty() && !has_header {
            let first = plan.problems.first().cloned();
            let why = "no task, phase or header of a plan is found: neither a table with Task and Status, nor boxes";
            return Err(first.unwrap_or_else(|| Problem::new(1, why)));
        }
        Ok(reading)
    }

    fn new(document: Document<'a>) -> Self {
        let plan = Plan {
            shape: Shape::NoTasks,
            phase: None,
            phases: Vec::new(),
            sprint_goal: None,
            sprint_dates: None,
            last_updated: None,
            model: None,
            tasks: Vec::new(),
            discovered: Vec::new(),
            blocked: Vec::new(),
            problems: Vec::new(),
            named: None,
            said: BTreeMap::new(),
            unknown: BTreeMap::new(),
            keys: BTreeMap::new(),
        };
        Self {
            document,
            plan,
            tasks: Vec::new(),
            phases: Vec::new(),
            progress: Vec::new(),
            last_updated: None,
            discovered: None,
            blocked: None,
            words: Vocabulary::default(),
            phase_words: Vocabulary::default(),
            heading_words: Vocabulary::default(),
            marks: [None; 4],
            section: Section::Header,
            section_level: 0,
            phase: None,
            in_list: false,
            legend: Vec::new(),
            current: None,
            first_headings_are_phases: false,
            keys: BTreeMap::new(),
            ids: BTreeMap::new(),
            is_cut: false,
            complete_suffix: None,
        }
    }

    /// One heading of the first level is the title; several that name phases are phases.
    fn has_several_first_headings(&self) -> bool {
        let is_phase = |line: &usize| {
            let heading = self.document.heading(*line).filter(|heading| heading.level == 1);
            heading.and_then(|heading| self.document.at(heading.text).and_then(phases::named)).is_some()
        };
        (0..self.document.lines.len()).filter(is_phase).take(2).count() == 2
    }

    /// Reads what begins in a line; returns the line behind it.
    fn line(&mut self, line: usize) -> usize {
        let Document { lines, .. } = &self.document;
        self.document.count(lines[line].next - lines[line].start);
        if self.document.is_blank(line) {
            return line + 1;
        }
        if let Some(heading) = self.document.heading(line) {
            self.in_list = false;
            self.heading(line, heading);
            return line + 1;
        }
        if let Some(table) = self.document.table(line) {
            self.in_list = false;
            let end = table.rows.end;
            self.table(table);
            return end;
        }
        if let Some(item) = self.document.item(line) {
            // Deeply indented, but not in a list: code.
            if self.in_list || item.indent < 4 {
                self.in_list = true;
                self.item(line, &item);
            }
        } else if !self.document.words(line).is_some_and(|words| words.starts_with([' ', '\t'])) {
            self.in_list = false;
        }
        if let Some(field) = field(&self.document, line) {
            self.field(line, &field);
        }
        line + 1
    }

    fn heading(&mut self, line: usize, heading: Heading) {
        let end = self.document.lines.len();
        if self.section == Section::Discovered
            && let Some(place) = self.discovered.as_mut().filter(|place| place.end == end)
        {
            place.end = line;
        }
        let Some(text) = self.document.at(heading.text.clone()).map(str::to_owned) else { return };
        if heading.level <= self.section_level || self.section == Section::Header {
            self.close_sections();
            if heading.level > 1 || !self.plan.tasks.is_empty() {
                self.section = Section::Work;
                self.section_level = 0;
            }
        }
        if self.phase.is_some_and(|(_, level)| heading.level <= level) {
            self.phase = None;
        }
        let bare = label_key(&text);
        let bare = bare.trim_start_matches(|c: char| !c.is_alphabetic());
        if (heading.level > 1 || self.first_headings_are_phases)
            && let Some(named) = phases::named(&text)
        {
            self.section = Section::Work;
            self.section_level = 0;
            self.phase_heading(line, &heading, named, &text);
        } else if bare.starts_with("discovered") {
            self.begin(Section::Discovered, &heading);
            let new = Place { start: line, table: None, last_item: None, end: self.document.lines.len() };
            self.discovered.get_or_insert(new);
        } else if bare.starts_with("blocked") {
            self.begin(Section::Blocked, &heading);
        } else if ASIDES.iter().any(|aside| bare.contains(aside)) {
            self.begin(Section::Aside, &heading);
        }
    }

    fn begin(&mut self, section: Section, heading: &Heading) {
        if matches!(self.section, Section::Header | Section::Work) {
            self.section = section;
            self.section_level = heading.level;
        }
    }

    /// What follows belongs no more to a section of its own kind.
    fn close_sections(&mut self) {
        if self.section != Section::Header {
            self.section = Section::Work;
        }
        self.section_level = 0;
    }

    fn phase_heading(&mut self, line: usize, heading: &Heading, named: phases::Named, text: &str) {
        let start = heading.text.start;
        if let Some((status, place)) = &named.status {
            self.heading_words.learn(*status, &text[place.clone()]);
            let before = text[..place.start].trim_end_matches([' ', '(', '[']);
            let suffix = &text[before.len()..];
            if *status == PlanStatus::Complete && suffix.len() <= MAX_SUFFIX_BYTES && text[place.end..].len() <= 1 {
                self.complete_suffix.get_or_insert_with(|| suffix.to_owned());
            }
        }
        let state = named.status.as_ref().map(|(status, _)| *status);
        let Some(index) = self.phase_with(line, &named.id, &named.name, state) else { return };
        let status = named.status.map(|(status, place)| (status, start + place.start..start + place.end));
        self.phases[index].heading.get_or_insert(HeadingSpot { line, text: heading.text.clone(), status });
        self.phase = Some((index, heading.level));
    }

    /// The phase with an id, which is new or known already.
    pub(super) fn phase_with(
        &mut self,
        line: usize,
        id: &str,
        name: &str,
        status: Option<PlanStatus>,
    ) -> Option<usize> {
        if let Some(index) = self.ids.get(&phases::id_key(id)).copied() {
            let phase = &mut self.plan.phases[index];
            phase.status = phase.status.or(status);
            if phase.name.is_empty() {
                name.clone_into(&mut phase.name);
            }
            return Some(index);
        }
        if self.plan.phases.len() >= MAX_PHASES {
            self.document.problem(line, format!("more than {MAX_PHASES} phases; the rest is left out"));
            return None;
        }
        let phase = Phase { id: id.to_owned(), name: name.to_owned(), status, goal: None, line: number(line + 1) };
        self.ids.insert(phases::id_key(id), self.plan.phases.len());
        self.plan.phases.push(phase);
        self.phases.push(PhaseSpot::default());
        Some(self.plan.phases.len() - 1)
    }

    pub(super) fn task(&mut self, line: usize, task: PlanTask, spot: TaskSpot, keys: [Option<String>; 2]) {
        if self.plan.tasks.len() >= MAX_TASKS {
            if !self.is_cut {
                self.document.problem(line, format!("more than {MAX_TASKS} tasks; the rest is left out"));
            }
            self.is_cut = true;
            return;
        }
        let index = self.plan.tasks.len();
        for key in [Some(key(&task.title))].into_iter().chain(keys).flatten().filter(|key| !key.is_empty()) {
            self.keys.entry(key).or_default().insert(index);
        }
        self.plan.tasks.push(task);
        self.tasks.push(spot);
    }

    pub(super) fn discovered_task(&mut self, task: DiscoveredTask) {
        if self.plan.discovered.len() < MAX_LISTED {
            self.plan.discovered.push(task);
        }
    }

    fn item(&mut self, line: usize, item: &Item) {
        let Some(words) = self.document.at(item.text.clone()).map(str::to_owned) else {
            if item.mark.is_some() && matches!(self.section, Section::Header | Section::Work) {
                self.document.problem(line, "bytes that are not UTF-8; the task is left alone");
            }
            return;
        };
        match self.section {
            Section::Discovered => {
                let text = plain(&words);
                if !is_nothing(&text) {
                    let (title, priority, found_in) = split_discovered(&text);
                    let line = number(line + 1);
                    self.discovered_task(DiscoveredTask { title, found_in, priority, in_sprint: None, line });
                }
                let end = self.document.lines.len();
                let open = self.discovered.as_mut().filter(|place| place.end == end && item.indent < 2);
                if let Some(place) = open {
                    place.last_item = Some((line, item.clone()));
                }
            }
            Section::Blocked => {
                let title = plain(&words);
                if !is_nothing(&title) && self.plan.blocked.len() < MAX_LISTED {
                    let line = number(line + 1);
                    self.plan.blocked.push(BlockedTask {
                        title,
                        blocked_by: None,
                        since: None,
                        resolution: None,
                        line,
                    });
                }
            }
            Section::Header | Section::Work => self.boxed(line, item, &words),
            Section::Aside => {}
        }
    }

    fn boxed(&mut self, line: usize, item: &Item, words: &str) {
        let Some(place) = item.mark.clone() else { return };
        let text = plain(words);
        if is_nothing(&text) {
            return;
        }
        let mark = self.document.at(place.clone()).and_then(|mark| mark.chars().next()).unwrap_or(' ');
        let Some(status) = of_mark(mark) else {
            self.document.problem(
                line,
                format!("a box with {} says nothing that is known; it is left alone", quoted(&mark.to_string())),
            );
            return;
        };
        self.marks[status.index()].get_or_insert(mark);
        let estimate = estimate_in(&text);
        let title = estimate.map_or(text.as_str(), |(title, _)| title).to_owned();
        let task = PlanTask {
            title,
            status,
            area: None,
            estimate: estimate.map(|(_, estimate)| estimate.to_owned()),
            depends_on: Vec::new(),
            notes: None,
            phase: self.phase.map(|(index, _)| index),
            line: number(line + 1),
            model: model_in(&text),
        };
        let lead = words
            .strip_prefix("**")
            .and_then(|rest| rest.split_once("**"))
            .map(|(lead, _)| key(lead.trim_end_matches(':')));
        self.task(line, task, TaskSpot { status: place, is_box: true, notes: None }, [Some(key(words)), lead]);
    }

    fn field(&mut self, line: usize, field: &Field) {
        let in_header = self.section == Section::Header;
        if !matches!(self.section, Section::Header | Section::Work) {
            return;
        }
        let label = field.label.as_str();
        let is_bar = || {
            label.starts_with("phase ")
                && self.document.at(field.value.clone()).is_some_and(|value| Numbers::of(value).bar.is_some())
        };
        if label.ends_with("progress") || is_bar() {
            self.progress_line(line, field);
            return;
        }
        let value = shown(&self.document, field.value.clone());
        match label {
            "current phase" | "active phase" => self.current = self.current.take().or(value),
            "phase" if in_header => self.current = self.current.take().or(value),
            "sprint goal" | "current sprint goal" => self.plan.sprint_goal = self.plan.sprint_goal.take().or(value),
            "goal" if in_header => self.plan.sprint_goal = self.plan.sprint_goal.take().or(value),
            "sprint dates" => self.plan.sprint_dates = self.plan.sprint_dates.take().or(value),
            "sprint" | "dates" if in_header => self.plan.sprint_dates = self.plan.sprint_dates.take().or(value),
            "last updated" | "last update" => self.take_date(line, field, value),
            "updated" if in_header => self.take_date(line, field, value),
            "model" | "recommended model" | "required model" | "preferred model" if in_header => {
                self.plan.model = self.plan.model.take().or(value);
            }
            "goal" if !field.is_item => {
                if let Some((phase, _)) = self.phase {
                    let goal = &mut self.plan.phases[phase].goal;
                    *goal = goal.take().or(value);
                }
            }
            "status legend" | "status key" | "legend" | "key" => {
                for part in value.unwrap_or_default().split(['|', ',', '·']) {
                    let part = part.trim();
                    self.legend.extend(said(part).map(|said| (said.status, part[said.place].to_owned())));
                }
            }
            _ => {}
        }
    }

    fn take_date(&mut self, line: usize, field: &Field, value: Option<String>) {
        if self.last_updated.is_none() && value.is_some() {
            self.last_updated = Some((line, field.value.clone()));
            self.plan.last_updated = value;
        }
    }

    fn progress_line(&mut self, line: usize, field: &Field) {
        let Some(value) = self.document.at(field.value.clone()) else { return };
        if Numbers::of(value).is_empty() || self.progress.len() >= MAX_PROGRESS_LINES {
            return;
        }
        self.progress.push(ProgressLine {
            line,
            counts: Counts::Unclear,
            value: field.value.clone(),
            label: field.label.clone(),
            within: self.phase.map(|(index, _)| index),
        });
    }

    fn finish(&mut self) {
        let plan = &mut self.plan;
        plan.named = self.current.as_deref().and_then(|current| phase_named(&plan.phases, current));
        plan.keys =
            std::mem::take(&mut self.keys).into_iter().map(|(key, tasks)| (key, tasks.into_iter().collect())).collect();
        let boxes = self.tasks.iter().filter(|spot| spot.is_box).count();
        plan.shape = match (boxes, self.tasks.len() - boxes) {
            (0, 0) => Shape::NoTasks,
            (0, _) => Shape::Tables,
            (_, 0) => Shape::Boxes,
            _ => Shape::Both,
        };
        self.split_dependencies();
        let plan = &mut self.plan;
        plan.phase = self.current.take().or_else(|| plan.current_phase().map(|index| plan.phases[index].title()));
        self.say_what_progress_counts();
        for (status, written) in std::mem::take(&mut self.legend) {
            self.words.learn(status, &written);
            self.phase_words.learn(status, &written);
        }
        self.phase_words.learn_all(&self.words);
        self.plan.problems = std::mem::take(&mut self.document.problems);
        self.plan.problems.sort_by_key(|problem| problem.line);
    }

    /// What a task depends on is one title with commas in it, or several.
    fn split_dependencies(&mut self) {
        for index in 0..self.plan.tasks.len() {
            let Some(whole) = self.plan.tasks[index].depends_on.pop() else { continue };
            let names = if self.plan.tasks_called(&whole).is_empty() {
                let parts = whole.split([',', ';', '+', '&']).map(str::trim).filter(|part| !is_nothing(part));
                parts.map(str::to_owned).take(MAX_DEPENDENCIES).collect()
            } else {
                vec![whole]
            };
            self.plan.tasks[index].depends_on = names;
        }
    }

    fn say_what_progress_counts(&mut self) {
        for progress in &mut self.progress {
            let label = progress.label.as_str();
            let name = label.strip_suffix("progress").unwrap_or(label).trim();
            let named = || phase_named(&self.plan.phases, name);
            progress.counts = match name {
                "overall" | "total" | "project" => Counts::All,
                "sprint" | "current sprint" | "current phase" => Counts::Sprint,
                "" | "phase" | "task" | "tasks" => progress.within.map_or(Counts::Unclear, Counts::Phase),
                _ => named().map_or(Counts::Other, Counts::Phase),
            };
            let place = match progress.counts {
                Counts::Phase(phase) => Some(phase),
                Counts::Sprint | Counts::All | Counts::Unclear => None,
                Counts::Other => continue,
            };
            let said = self.document.at(progress.value.clone()).and_then(|value| Numbers::of(value).said());
            if let Some(said) = said {
                self.plan.said.entry(place).or_insert(said);
            }
        }
        for (index, spot) in self.phases.iter().enumerate() {
            let cell = spot.progress_cell.as_ref().and_then(|(_, cell)| self.document.at(cell.clone()));
            if let Some(said) = cell.and_then(|cell| Numbers::of(cell).said()) {
                self.plan.said.entry(Some(index)).or_insert(said);
            }
        }
    }
}

impl Phase {
    /// As a header names it: `Phase 1 — Foundation`.
    #[must_use]
    pub fn title(&self) -> String {
        let is_version = self.id.contains('.') || self.id.starts_with('v');
        let id = if is_version || !self.id.contains(|c: char| c.is_ascii_digit()) {
            self.id.clone()
        } else {
            format!("Phase {}", self.id)
        };
        if self.name.is_empty() { id } else { format!("{id} — {}", self.name) }
    }
}

/// Cells and items that only say that there is nothing.
pub(super) fn is_nothing(text: &str) -> bool {
    let bare = text
        .trim_matches(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '.' | '_' | '*' | '-' | '–' | '—' | '…'));
    bare.is_empty()
        || ["none", "nothing", "n/a", "na", "none yet", "empty", "tbd"]
            .iter()
            .any(|word| bare.eq_ignore_ascii_case(word))
}

/// `Title — High (Session 009)`, as items of a list have it.
fn split_discovered(text: &str) -> (String, Option<String>, Option<String>) {
    let (rest, found_in) = match text.strip_suffix(')').and_then(|rest| rest.rsplit_once(" (")) {
        Some((rest, inside)) if inside.to_lowercase().starts_with("session") => (rest, Some(inside.to_owned())),
        _ => (text, None),
    };
    match rest.rsplit_once(" — ") {
        Some((title, priority)) if is_priority(priority) => (title.to_owned(), Some(priority.to_owned()), found_in),
        _ => (rest.to_owned(), None, found_in),
    }
}

fn is_priority(word: &str) -> bool {
    ["high", "medium", "low"].iter().any(|known| word.eq_ignore_ascii_case(known))
}
