//! Changes a plan in place: states, progress, phases and the date, each where the file says it and as the file says it.
//! Making the same change twice makes it once.

use std::collections::BTreeSet;
use std::ops::Range;

use super::additions;
use super::read::{Counts, ProgressLine, Reading};
use super::{Plan, PlanStatus};
use crate::document::changelog::heading::Parts;
use crate::document::progress::{Numbers, percent_of};
use crate::document::{Edited, MAX_PROBLEMS, Problem, Splices, number};
use crate::text::quoted;

/// Titles in one edit that are looked at.
const MAX_TITLES: usize = 1_000;

/// What a session changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlanEdit {
    /// Titles of tasks.
    pub complete: Vec<String>,
    pub in_progress: Vec<String>,
    /// Titles of tasks, and why.
    pub blocked: Vec<(String, String)>,
    pub discovered: Vec<NewDiscovered>,
    /// `2026-02-28`.
    pub today: String,
    pub session: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewDiscovered {
    pub title: String,
    /// `High`, `Medium` or `Low`; anything else counts as `Medium`.
    pub priority: String,
}

/// Marks tasks, updates progress lines, the state of phases and the date, and adds what was blocked and discovered. What
/// cannot be said in the file's own style, or is not understood, is left alone and named.
///
/// The result is read again before it is given out. Where it does not say what it should, and nothing else, the file is
/// such that it cannot be changed safely, and stays as it is.
pub fn edit_plan(text: &[u8], edit: &PlanEdit) -> Result<Edited, Problem> {
    let made = Made::of(text, edit)?;
    if made.edited.spans.is_empty() || made.holds(edit) {
        return Ok(made.edited);
    }
    let first = made.edited.spans.first().map_or(0, |(span, _)| span.start);
    let line = text[..first].iter().filter(|byte| **byte == b'\n').count() + 1;
    let mut left_alone = made.edited.left_alone;
    left_alone.push(Problem::new(line, "the plan would not read as it should after the change; it is left alone"));
    Ok(Splices::default().apply(text, Vec::new(), left_alone))
}

/// A changed text, and what it should say.
struct Made {
    edited: Edited,
    titles: Vec<String>,
    states: Vec<PlanStatus>,
    discovered: usize,
    blocked: usize,
}

impl Made {
    fn of(text: &[u8], edit: &PlanEdit) -> Result<Self, Problem> {
        let reading = Reading::of(text)?;
        let mut editor = Editor {
            states: reading.plan.tasks.iter().map(|task| task.status).collect(),
            reading,
            splices: Splices::default(),
            changes: Vec::new(),
            left_alone: Vec::new(),
            handled: BTreeSet::new(),
            changed: BTreeSet::new(),
        };
        editor.mark_all(edit);
        editor.update_progress();
        editor.update_phases();
        editor.update_date(edit);
        let blocked = additions::add_blocked(&mut editor, edit);
        let discovered = additions::add_discovered(&mut editor, edit);
        let plan = editor.reading.plan;
        Ok(Self {
            edited: editor.splices.apply(text, editor.changes, editor.left_alone),
            titles: plan.tasks.into_iter().map(|task| task.title).collect(),
            states: editor.states,
            discovered: plan.discovered.len() + discovered,
            blocked: plan.blocked.len() + blocked,
        })
    }

    /// The text says what it should, and making the change again changes nothing.
    fn holds(&self, edit: &PlanEdit) -> bool {
        let Ok(again) = Self::of(&self.edited.text, edit) else { return false };
        again.edited.spans.is_empty()
            && again.titles == self.titles
            && again.states == self.states
            && again.discovered == self.discovered
            && again.blocked == self.blocked
    }
}

pub(super) struct Editor<'a> {
    pub(super) reading: Reading<'a>,
    pub(super) splices: Splices,
    pub(super) changes: Vec<String>,
    pub(super) left_alone: Vec<Problem>,
    /// How the tasks stand after the edit.
    states: Vec<PlanStatus>,
    /// Tasks that the edit names.
    handled: BTreeSet<usize>,
    /// Tasks whose state it changes.
    pub(super) changed: BTreeSet<usize>,
}

impl Editor<'_> {
    pub(super) fn plan(&self) -> &Plan {
        &self.reading.plan
    }

    /// The line counts from 1.
    pub(super) fn leave(&mut self, line: u32, why: impl Into<String>) {
        if self.left_alone.len() < MAX_PROBLEMS {
            self.left_alone.push(Problem { line, why: why.into() });
        }
    }

    fn mark_all(&mut self, edit: &PlanEdit) {
        // Whoever says that a task is both complete and something else means that it is complete.
        let complete = edit.complete.iter().map(|title| (title, PlanStatus::Complete));
        let blocked = edit.blocked.iter().map(|(title, _)| (title, PlanStatus::Blocked));
        let in_progress = edit.in_progress.iter().map(|title| (title, PlanStatus::InProgress));
        for (title, status) in complete.chain(blocked).chain(in_progress).take(MAX_TITLES) {
            match self.task_called(title) {
                Ok(task) => {
                    if self.handled.insert(task) {
                        self.mark(task, status);
                    }
                }
                Err(problem) => self.leave(problem.line, problem.why),
            }
        }
    }

    /// Of several tasks with one title, the one in the phase that the header names. Which phase is the current one may
    /// change with the edit, so that decides nothing here.
    pub(super) fn task_called(&self, title: &str) -> Result<usize, Problem> {
        let plan = self.plan();
        let found = plan.tasks_called(title);
        let in_named = || found.iter().filter(|task| plan.named.is_some() && plan.tasks[**task].phase == plan.named);
        match (found, in_named().count()) {
            ([], _) => Err(Problem::new(1, format!("the plan has no task {}", quoted(title)))),
            ([only], _) => Ok(*only),
            (_, 1) => Ok(*in_named().next().unwrap_or(&found[0])),
            (several, _) => {
                let lines: Vec<String> =
                    several.iter().take(5).map(|task| plan.tasks[*task].line.to_string()).collect();
                let why = format!("{} tasks are called {}: lines {}", several.len(), quoted(title), lines.join(", "));
                Err(Problem { line: plan.tasks[several[0]].line, why })
            }
        }
    }

    fn mark(&mut self, task: usize, status: PlanStatus) {
        let known = &self.reading.plan.tasks[task];
        let (line, title) = (known.line, known.title.clone());
        if known.status == status {
            return;
        }
        if known.status == PlanStatus::Complete {
            self.leave(line, format!("{} is complete already", quoted(&title)));
            return;
        }
        let spot = &self.reading.tasks[task];
        let (place, is_box) = (spot.status.clone(), spot.is_box);
        let written = if is_box { self.mark_for(status) } else { Some(self.reading.words.write(status)) };
        let Some(written) = written else {
            self.leave(line, format!("{}: this file's boxes have no mark for \"{}\"", quoted(&title), said(status)));
            return;
        };
        if self.replace(line, place, &written) {
            self.states[task] = status;
            self.changed.insert(task);
            self.changes.push(format!("{title}: {}", said(status)));
        }
    }

    /// The mark for a box; a file that never says "in progress" in a box has no way to say it.
    fn mark_for(&self, status: PlanStatus) -> Option<String> {
        let own = self.reading.marks[status.index()];
        match status {
            PlanStatus::Complete => Some(own.unwrap_or('x').to_string()),
            PlanStatus::Planned => Some(own.unwrap_or(' ').to_string()),
            PlanStatus::InProgress | PlanStatus::Blocked => own.map(String::from),
        }
    }

    /// Never replaces a comment.
    fn replace(&mut self, line: u32, place: Range<usize>, with: &str) -> bool {
        if !self.reading.document.is_plain(place.clone()) {
            self.leave(line, "a comment stands in the middle of what is to be changed");
            return false;
        }
        let with = self.fitted(&place, with);
        self.splices.replace(self.reading.document.text, place, &with);
        true
    }

    /// What is put into an empty cell stands apart from the bars.
    pub(super) fn fitted(&self, place: &Range<usize>, text: &str) -> String {
        let bytes = self.reading.document.text;
        let follows = place.is_empty() && bytes.get(place.end) == Some(&b'|');
        let precedes = follows && place.start.checked_sub(1).is_some_and(|before| bytes[before] == b'|');
        format!("{}{text}{}", if precedes { " " } else { "" }, if follows { " " } else { "" })
    }

    /// Phases that have a task which the edit names.
    fn touched(&self) -> BTreeSet<Option<usize>> {
        self.handled.iter().map(|task| self.plan().tasks[*task].phase).collect()
    }

    /// How many tasks of a phase, or of all, are done, and how many there are.
    fn count(&self, phase: Option<usize>) -> (u32, u32) {
        let plan = self.plan();
        let of_it = (0..plan.tasks.len()).filter(|task| phase.is_none() || plan.tasks[*task].phase == phase);
        let mut counts = (0, plan.unknown_in(phase));
        for task in of_it {
            counts.0 += u32::from(self.states[task] == PlanStatus::Complete);
            counts.1 += 1;
        }
        counts
    }

    fn update_progress(&mut self) {
        let touched = self.touched();
        if touched.is_empty() || self.reading.is_cut {
            return;
        }
        let totals = Totals::of(self);
        for progress in std::mem::take(&mut self.reading.progress) {
            let Some(value) = self.reading.document.at(progress.value.clone()).map(str::to_owned) else { continue };
            let numbers = Numbers::of(&value);
            let Some((done, total)) = totals.for_line(&progress, &numbers, &touched) else {
                if matches!(progress.counts, Counts::Unclear | Counts::Other) {
                    let why = "this progress line counts something that is not known; it is left alone";
                    self.leave(number(progress.line + 1), why);
                }
                continue;
            };
            if total == 0 {
                continue;
            }
            if !numbers.counts_tasks(total) {
                self.leave(number(progress.line + 1), "this progress line does not count tasks; it is left alone");
                continue;
            }
            self.rewrite(progress.line, progress.value.start, &value, done, total);
        }
        for phase in touched.into_iter().flatten() {
            let Some((line, cell)) = self.reading.phases[phase].progress_cell.clone() else { continue };
            let Some(value) = self.reading.document.at(cell.clone()).map(str::to_owned) else { continue };
            let (done, total) = totals.phases[phase];
            if total > 0 && Numbers::of(&value).counts_tasks(total) {
                self.rewrite(line, cell.start, &value, done, total);
            }
        }
    }

    fn rewrite(&mut self, line: usize, start: usize, value: &str, done: u32, total: u32) {
        let before = self.splices.made.len();
        for (place, with) in Numbers::of(value).rewritten(value, done, total) {
            self.replace(number(line + 1), start + place.start..start + place.end, &with);
        }
        if self.splices.made.len() > before {
            self.changes.push(format!("progress in line {}: {done}/{total} ({} %)", line + 1, percent_of(done, total)));
        }
    }

    fn update_phases(&mut self) {
        for phase in self.touched().into_iter().flatten() {
            if self.reading.is_cut {
                return;
            }
            let (done, total) = self.count(Some(phase));
            let plan = self.plan();
            let mut own = (0..plan.tasks.len()).filter(|task| plan.tasks[*task].phase == Some(phase));
            let is_begun = done > 0 || own.any(|task| self.states[task] == PlanStatus::InProgress);
            let status = if done == total {
                PlanStatus::Complete
            } else if is_begun {
                PlanStatus::InProgress
            } else {
                continue;
            };
            self.mark_phase(phase, status);
        }
    }

    /// A phase goes forward: what is complete stays so, and what is blocked is so until all is done.
    fn mark_phase(&mut self, phase: usize, status: PlanStatus) {
        let goes_forward = |from: Option<PlanStatus>| match from {
            None | Some(PlanStatus::Planned) => true,
            Some(PlanStatus::InProgress | PlanStatus::Blocked) => status == PlanStatus::Complete,
            Some(PlanStatus::Complete) => false,
        };
        let known = &self.reading.plan.phases[phase];
        let (line, title, from) = (known.line, known.title(), known.status);
        let spot = self.reading.phases[phase].clone();
        let before = self.splices.made.len();
        if let Some(cell) = spot.cell.clone().filter(|_| goes_forward(from)) {
            let written = self.reading.phase_words.write(status);
            self.replace(line, cell, &written);
        }
        if let Some(heading) = spot.heading {
            let line = number(heading.line + 1);
            match heading.status {
                Some((from, place)) if goes_forward(Some(from)) => {
                    let written = self.reading.heading_words.write(status);
                    self.replace(line, place, &written);
                }
                Some(_) => {}
                None => {
                    let suffix = self
                        .reading
                        .complete_suffix
                        .clone()
                        .filter(|_| status == PlanStatus::Complete && spot.cell.is_none());
                    if let Some(suffix) = suffix {
                        self.splices.insert(heading.text.end, &suffix);
                    }
                }
            }
        }
        if self.splices.made.len() > before {
            self.changes.push(format!("{title}: {}", said(status)));
        }
    }

    fn update_date(&mut self, edit: &PlanEdit) {
        let Some((line, value)) = self.reading.last_updated.clone() else { return };
        let Some(text) = self.reading.document.at(value.clone()).map(str::to_owned) else { return };
        let line = number(line + 1);
        let parts = Parts::of(&text);
        let Some(date) = parts.date.filter(|_| is_date(&edit.today)) else {
            self.leave(line, "the date is not written as 2026-02-28; it is left alone");
            return;
        };
        // A time of day behind the date would be wrong with another date.
        let rest = &text[date.end..];
        let time = if rest.starts_with('T') { rest.find([' ', '"', ')']).unwrap_or(rest.len()) } else { 0 };
        let before = self.splices.made.len();
        self.replace(line, value.start + date.start..value.start + date.end + time, &edit.today);
        if let Some(digits) = session_digits(&text) {
            let written = like_number(&text[digits.clone()], edit.session);
            self.replace(line, value.start + digits.start..value.start + digits.end, &written);
        }
        if self.splices.made.len() > before {
            self.changes.push(format!("last updated: {} (session {})", edit.today, edit.session));
        }
    }
}

/// How far the plan is, by what a progress line may count.
struct Totals {
    phases: Vec<(u32, u32)>,
    all: (u32, u32),
    /// The sprint is the phase that the header names, or all where there are no phases.
    sprint: Option<usize>,
    has_phases: bool,
}

impl Totals {
    fn of(editor: &Editor<'_>) -> Self {
        let plan = editor.plan();
        let mut phases: Vec<(u32, u32)> =
            (0..plan.phases.len()).map(|phase| (0, plan.unknown.get(&Some(phase)).copied().unwrap_or(0))).collect();
        for (task, state) in plan.tasks.iter().zip(&editor.states) {
            if let Some(phase) = task.phase {
                phases[phase].0 += u32::from(*state == PlanStatus::Complete);
                phases[phase].1 += 1;
            }
        }
        Self { phases, all: editor.count(None), sprint: plan.named, has_phases: !plan.phases.is_empty() }
    }

    /// Nothing where the line counts what the edit does not touch, or what is not known.
    fn for_line(
        &self,
        line: &ProgressLine,
        numbers: &Numbers,
        touched: &BTreeSet<Option<usize>>,
    ) -> Option<(u32, u32)> {
        let of_phase = |phase: usize| touched.contains(&Some(phase)).then(|| self.phases[phase]);
        match (line.counts, self.sprint) {
            (Counts::Phase(phase), _) => of_phase(phase),
            (Counts::Sprint, Some(sprint)) => of_phase(sprint),
            (Counts::Sprint | Counts::Unclear, _) if !self.has_phases => Some(self.all),
            (Counts::Sprint, None) | (Counts::Other, _) => None,
            (Counts::All, _) => Some(self.all),
            (Counts::Unclear, sprint) => {
                let total = numbers.fraction.as_ref().map(|fraction| fraction.total)?;
                let sprint = sprint.filter(|sprint| self.phases[*sprint].1 == total);
                if self.all.1 == total { Some(self.all) } else { sprint.and_then(of_phase) }
            }
        }
    }
}

fn said(status: PlanStatus) -> String {
    status.word().to_lowercase()
}

pub(super) fn is_date(text: &str) -> bool {
    Parts::of(text).date == Some(0..text.len()) && text.starts_with(|c: char| c.is_ascii_digit())
}

/// The digits of `Session 009`, or the letters that a template has in their place.
pub(super) fn session_digits(text: &str) -> Option<Range<usize>> {
    let letters = || text.find("Session NNN").map(|at| at + 8..at + 11);
    Parts::of(text).session.map(|(_, digits)| digits).or_else(letters)
}

/// A number as wide as another one that is padded.
pub(in crate::document) fn like_number(like: &str, number: u32) -> String {
    let width = if like.starts_with(['0', 'N']) { like.len() } else { 0 };
    format!("{number:0>width$}")
}
