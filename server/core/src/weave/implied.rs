//! What a person rejected without saying so: by an editor's undo, by git, by hand. A revision that takes out all lines of
//! a pending hunk and puts back what it had removed does what rejecting the hunk would do. Recording it as a rejection
//! leaves every byte as it is, and gives the lines that came back to those who wrote them.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::hunks::{Group, Hunk, HunkId, Shape};
use super::line::Line;
use super::rewind::LOOK_BACK;
use super::{DecisionNo, Mark, MarkRef, RevisionNo, Standing, Verdict, Weave};
use crate::time::Wall;

/// How many places are tried for the texts that came back, and how many hunks where some contradict each other.
const TRIES: usize = 8;
/// How many places are looked at for them.
const PLACES: usize = 256;

/// What a revision took back by bringing an earlier state about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restored {
    own: Vec<MarkRef>,
    theirs: Vec<MarkRef>,
}

impl Restored {
    /// Whether a hunk is among what was taken back.
    #[must_use]
    pub fn has(&self, hunk: &Hunk) -> bool {
        hunk.marks.iter().any(|mark| self.theirs.contains(mark))
    }
}

/// A pending hunk that a revision took back.
struct TakenBack {
    hunk: Hunk,
    /// The hunk's marks and those of the revision that undid them. Rejecting them all changes nothing that can be seen.
    marks: Vec<MarkRef>,
}

impl Weave {
    /// The pending hunks of other authors that this revision took back.
    #[must_use]
    pub fn implied(&self, no: RevisionNo) -> Vec<Hunk> {
        self.all_taken_back(no).into_iter().map(|taken_back| taken_back.hunk).collect()
    }

    /// The pending marks that a revision took back by bringing the file to just what it was at an earlier step, and the
    /// revision's own. Rejecting them all changes nothing that can be seen.
    #[must_use]
    pub fn restores(&self, no: RevisionNo) -> Option<Restored> {
        let step = self.revision(no)?.step;
        let view = self.view();
        let steps: HashMap<RevisionNo, u32> =
            self.revisions.iter().map(|revision| (revision.no, revision.step)).collect();
        let is_own = |mark: &Mark| mark.revision == no || mark.made == no;
        let own: Vec<MarkRef> = self.marks().filter(|(_, mark)| is_own(mark)).map(|(place, _)| place).collect();
        let oldest = step.saturating_sub(LOOK_BACK).max(self.since);
        (oldest..step).rev().filter(|earlier| self.at(*earlier).is_some_and(|state| state == view)).find_map(
            |earlier| {
                let is_later = |mark: &Mark| steps.get(&mark.made).is_some_and(|step| *step > earlier);
                let is_theirs =
                    |mark: &Mark| !is_own(mark) && is_later(mark) && self.standing_of(*mark) == Standing::Pending;
                let theirs: Vec<MarkRef> =
                    self.marks().filter(|(_, mark)| is_theirs(mark)).map(|(place, _)| place).collect();
                let all: Vec<MarkRef> = own.iter().chain(&theirs).copied().collect();
                let fits = !theirs.is_empty() && self.preview(&all, Standing::Rejected) == view;
                fits.then(|| Restored { own: own.clone(), theirs })
            },
        )
    }

    /// Makes a rejection of what a revision took back so.
    pub fn fold_restored(&mut self, restored: &Restored, time: Wall) -> DecisionNo {
        self.decide(&restored.own, Standing::Rejected, time);
        self.decide(&restored.theirs, Standing::Rejected, time)
    }

    /// Makes rejections of hunks that `implied` told a decision like any other. The view stays as it is. What the revision
    /// had done to take them back is taken out first, in a decision of its own, so that undoing the rejection brings the
    /// hunks back into the file.
    pub fn fold(&mut self, no: RevisionNo, hunks: &[Hunk], time: Wall) -> DecisionNo {
        let told: HashSet<HunkId> = hunks.iter().map(|hunk| hunk.id).collect();
        let taken_back = self.all_taken_back(no).into_iter().filter(|taken_back| told.contains(&taken_back.hunk.id));
        let (mut theirs, mut own) = (Vec::new(), Vec::new());
        for taken_back in taken_back {
            let hunk: HashSet<MarkRef> = taken_back.hunk.marks.iter().copied().collect();
            own.extend(taken_back.marks.iter().copied().filter(|mark| !hunk.contains(mark)));
            theirs.extend(taken_back.hunk.marks);
        }
        self.decide(&own, Standing::Rejected, time);
        self.decide(&theirs, Standing::Rejected, time)
    }

    /// No mark of the revision is used twice, and all of them together change nothing that can be seen.
    fn all_taken_back(&self, no: RevisionNo) -> Vec<TakenBack> {
        let candidates = self.each_taken_back(no);
        if self.changes_nothing(&candidates) {
            return candidates;
        }
        // Hunks of several authors about the same lines, or lines that alone keep the file. Some may still do.
        let mut all = Vec::new();
        for candidate in candidates.into_iter().take(TRIES) {
            all.push(candidate);
            if !self.changes_nothing(&all) {
                all.pop();
            }
        }
        all
    }

    fn changes_nothing(&self, taken_back: &[TakenBack]) -> bool {
        let marks: Vec<MarkRef> = taken_back.iter().flat_map(|taken_back| taken_back.marks.iter().copied()).collect();
        self.preview(&marks, Standing::Rejected) == self.view()
    }

    fn each_taken_back(&self, no: RevisionNo) -> Vec<TakenBack> {
        let Some(revision) = self.revision(no) else {
            return Vec::new();
        };
        let mut all: Vec<TakenBack> = Vec::new();
        let mut used: HashSet<MarkRef> = HashSet::new();
        for Group { hunk, place, .. } in self.groups(&|author| *author != revision.author, Standing::Pending) {
            let marks = match &hunk.shape {
                Shape::Lines(_) => self.taken_back_lines(&hunk, place, no),
                Shape::Created { .. } | Shape::Deleted { .. } | Shape::Replaced { .. } => {
                    self.taken_back(&hunk, |mark| !matches!(mark, MarkRef::Path(_)), no)
                }
                Shape::Mode { .. } => self.taken_back(&hunk, |mark| matches!(mark, MarkRef::Mode(_)), no),
                Shape::Renamed { .. } => self.taken_back(&hunk, |mark| matches!(mark, MarkRef::Path(_)), no),
            };
            if let Some(marks) = marks
                && marks.iter().all(|mark| !used.contains(mark))
            {
                used.extend(&marks);
                all.push(TakenBack { hunk, marks });
            }
        }
        all
    }

    fn taken_back(&self, hunk: &Hunk, of: impl Fn(&MarkRef) -> bool, no: RevisionNo) -> Option<Vec<MarkRef>> {
        let by: Vec<MarkRef> = self
            .marks()
            .filter(|(place, mark)| mark.revision == no && mark.verdict != Verdict::Rejected && of(place))
            .map(|(place, _)| place)
            .collect();
        if by.is_empty() {
            return None;
        }
        let marks: Vec<MarkRef> = hunk.marks.iter().copied().chain(by).collect();
        (self.preview(&marks, Standing::Rejected) == self.view()).then_some(marks)
    }

    fn taken_back_lines(&self, hunk: &Hunk, place: usize, no: RevisionNo) -> Option<Vec<MarkRef>> {
        let Shape::Lines(change) = &hunk.shape else {
            return None;
        };
        if change.added > 0 {
            return None;
        }
        let lines = &self.lines[self.region(place, no)];
        let own: HashSet<MarkRef> = hunk.marks.iter().copied().collect();
        let deletions = lines.iter().filter(|line| own.contains(&line.inserted_ref())).flat_map(|line| {
            let by = line.deleted.iter().filter(|mark| mark.revision == no && mark.verdict != Verdict::Rejected);
            by.map(|mark| line.deleted_ref(*mark))
        });
        let undone: Vec<MarkRef> = hunk.marks.iter().copied().chain(deletions).collect();
        let copies: Vec<&Line> =
            lines.iter().filter(|line| line.inserted.revision == no && line.is_visible(&super::as_it_is)).collect();
        let wanted = change.removed.len();
        if undone.len() == hunk.marks.len() && wanted == 0 || copies.len() < wanted {
            return None;
        }
        let now = visible_in(lines, &super::as_it_is);
        let windows = (0..=copies.len() - wanted).take(PLACES).filter(|from| {
            let window = copies[*from..].iter().take(wanted);
            window.zip(&change.removed).all(|(copy, text)| *copy.text == **text || copy.bare() == text)
        });
        windows.take(TRIES).find_map(|from| {
            let copies = copies[from..from + wanted].iter().map(|line| line.inserted_ref());
            let marks: Vec<MarkRef> = undone.iter().copied().chain(copies).collect();
            let known: HashSet<MarkRef> = marks.iter().copied().collect();
            let judge = |place, mark: Mark| if known.contains(&place) { Verdict::Rejected } else { mark.verdict };
            (visible_in(lines, &judge) == now).then_some(marks)
        })
    }

    /// The lines around a hunk of which nothing is visible, up to the next visible ones that the revision did not insert.
    fn region(&self, place: usize, no: RevisionNo) -> Range<usize> {
        let is_inside = |line: &Line| line.inserted.revision == no || !line.is_visible(&super::as_it_is);
        let start = self.lines[..place].iter().rposition(|line| !is_inside(line)).map_or(0, |at| at + 1);
        let after = self.lines[place..].iter().position(|line| !is_inside(line));
        start..after.map_or(self.lines.len(), |at| place + at)
    }
}

fn visible_in<'a>(lines: &'a [Line], judge: super::Judge<'_>) -> Vec<(&'a [u8], u8)> {
    lines.iter().filter(|line| line.is_visible(judge)).map(|line| (&*line.text, line.open)).collect()
}
