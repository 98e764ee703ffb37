//! Hunks of the file as a whole: created, deleted, replaced, renamed, another mode.

use std::collections::BTreeSet;

use super::hunks::{Group, Hunk, HunkId, Shape};
use super::line_hunks::{Grouping, Touch};
use super::register::{Kind, Register};
use super::{MarkRef, RevisionNo, Standing, Verdict, Weave, as_it_is};
use crate::attribution::Author;

/// Several entries of one author in a register with nothing of others' between them: one change.
struct Series<T> {
    numbers: Vec<u32>,
    revisions: Vec<RevisionNo>,
    from: T,
    to: T,
    /// What counts is its last entry.
    is_top: bool,
    /// The authors of entries on top.
    above: BTreeSet<Author>,
}

impl Weave {
    /// An author's groups of marks in registers. What changes the content as a whole takes the author's marks on lines,
    /// and what creates or deletes the file takes its mode: they are decided together.
    pub(super) fn file_groups(
        &self,
        author: &Author,
        standing: Standing,
        grouping: &Grouping<'_>,
        touched: &mut Vec<Touch>,
        groups: &mut Vec<Group>,
    ) {
        let (kind, could_be_text) = (self.kind_with(&as_it_is), self.could_be_text());
        for series in self.series(&self.path, author, standing).into_iter().filter(|series| series.from != series.to) {
            let shape = Shape::Renamed { from: series.from.clone(), to: series.to.clone() };
            groups.push(self.file_group(author, &series, MarkRef::Path, shape));
        }
        let mut modes = self.series(&self.mode, author, standing);
        let changes_mode = |series: &Series<Option<u32>>| {
            kind.has_mode() && series.is_top && series.from.or(self.mode.entries[0].value) != series.to
        };
        for series in self.series(&self.body, author, standing).into_iter().rev() {
            let Some(shape) = self.body_shape(&series, author, standing) else { continue };
            let mut group = self.file_group(author, &series, MarkRef::Body, shape);
            if standing == Standing::Pending && kind == Kind::Text && series.to != Kind::Text {
                // Others have made text of it since: what the series says cannot be seen, and lines speak for themselves.
                group.has_effect = false;
                groups.push(group);
                continue;
            }
            let lines = std::mem::take(touched);
            group.has_effect |= could_be_text && grouping.has_effect(&lines);
            grouping.add_all(&mut group.hunk, &lines, &series.revisions);
            if matches!(group.hunk.shape, Shape::Created { .. } | Shape::Deleted { .. }) {
                for mode in std::mem::take(&mut modes) {
                    group.has_effect |= changes_mode(&mode);
                    group.hunk.marks.extend(mode.numbers.iter().map(|number| MarkRef::Mode(*number)));
                }
            }
            group.hunk.id = self.name(&group.hunk);
            groups.push(group);
        }
        for series in modes {
            let (from, to) = (series.from.or(self.mode.entries[0].value), series.to);
            if from != to {
                let shape = Shape::Mode { from: from.unwrap_or(0), to: to.unwrap_or(0) };
                let mut group = self.file_group(author, &series, MarkRef::Mode, shape);
                group.has_effect = changes_mode(&series);
                groups.push(group);
            }
        }
    }

    fn series<T: Clone + PartialEq>(
        &self,
        register: &Register<T>,
        author: &Author,
        standing: Standing,
    ) -> Vec<Series<T>> {
        let mut all: Vec<Series<T>> = Vec::new();
        let mut is_open = false;
        for (place, entry) in register.entries.iter().enumerate() {
            let by = self.author_of(entry.mark.revision);
            if by == Some(author) && self.is_standing(entry.mark, standing) {
                if !is_open {
                    all.push(Series {
                        numbers: Vec::new(),
                        revisions: Vec::new(),
                        from: register.before(place).clone(),
                        to: entry.value.clone(),
                        is_top: true,
                        above: BTreeSet::new(),
                    });
                }
                if let Some(series) = all.last_mut() {
                    series.to = entry.value.clone();
                    series.numbers.push(entry.number);
                    series.revisions.push(entry.mark.revision);
                }
                is_open = true;
            } else if entry.mark.verdict != Verdict::Rejected {
                is_open = false;
                for series in &mut all {
                    series.is_top = false;
                    series.above.extend(by.filter(|by| *by != author).cloned());
                }
            }
        }
        for series in all.iter_mut().filter(|series| series.from == series.to) {
            // It says what another's pending entry below says already: then they are one change together.
            let first = series.numbers[0];
            let below = register.entries.iter().rev().filter(|entry| entry.number < first);
            let different = below
                .filter(|entry| entry.mark.verdict != Verdict::Rejected)
                .find(|entry| entry.value != series.to || self.standing_of(entry.mark) == Standing::Approved);
            series.from = different.map_or(&register.base, |entry| &entry.value).clone();
        }
        all
    }

    /// `None` if the series comes back to where it began.
    fn body_shape(&self, series: &Series<Kind>, author: &Author, standing: Standing) -> Option<Shape> {
        let to = series.to.clone();
        let mut from = series.from.clone();
        if from == to && series.is_top && standing != Standing::Rejected {
            // A file created and deleted again is nothing, unless others wrote into it in between.
            from = self.kind_with(&|_, mark| {
                let is_own = self.is_standing(mark, standing) && self.author_of(mark.revision) == Some(author);
                if is_own { Verdict::Rejected } else { mark.verdict }
            });
        }
        if from == to && series.is_top && standing == Standing::Pending {
            from = self.kind_with(&|_, mark| {
                if self.standing_of(mark) == Standing::Pending { Verdict::Rejected } else { mark.verdict }
            });
        }
        match (&from, &to) {
            _ if from == to => None,
            (Kind::Absent, _) => Some(Shape::Created { kind: to }),
            (_, Kind::Absent) => Some(Shape::Deleted { kind: from }),
            _ => Some(Shape::Replaced { from, to }),
        }
    }

    fn file_group<T>(
        &self,
        author: &Author,
        series: &Series<T>,
        place: impl Fn(u32) -> MarkRef,
        shape: Shape,
    ) -> Group {
        let first = series.revisions.iter().min().copied().unwrap_or(RevisionNo::BASE);
        let last = series.revisions.iter().max().copied().unwrap_or(RevisionNo::BASE);
        let mut hunk = Hunk {
            id: HunkId([0; 32]),
            author: author.clone(),
            revisions: (first, last),
            marks: series.numbers.iter().map(|number| place(*number)).collect(),
            shape,
            entangled: series.above.iter().cloned().collect(),
        };
        hunk.id = self.name(&hunk);
        Group { hunk, place: 0, has_effect: series.is_top }
    }

    fn name(&self, hunk: &Hunk) -> HunkId {
        let mut name = self.new_name(&hunk.author);
        for mark in &hunk.marks {
            name.mark(*mark);
        }
        for line in hunk.lines(self) {
            name.bytes(&line.text);
            name.number(u64::from(line.is_visible));
        }
        match &hunk.shape {
            Shape::Lines(_) => {}
            Shape::Created { kind } | Shape::Deleted { kind } => name.kind(kind),
            Shape::Replaced { from, to } => {
                name.kind(from);
                name.kind(to);
            }
            Shape::Mode { from, to } => {
                name.number(u64::from(*from));
                name.number(u64::from(*to));
            }
            Shape::Renamed { from, to } => {
                name.bytes(from.as_bytes());
                name.bytes(to.as_bytes());
            }
        }
        name.finish()
    }
}
