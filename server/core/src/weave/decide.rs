//! Decisions, their undoing, and the file as it would be or was. A decision keeps what each of its marks was before, so
//! it can be undone, the undoing too, and every step's view can be told.

use std::collections::{HashMap, HashSet};
use std::fmt;

use super::{DecisionNo, LineId, Mark, MarkRef, Revision, RevisionNo, Standing, Verdict, Weave};
use crate::attribution::Author;
use crate::file::FileState;
use crate::time::Wall;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// Its step too.
    pub no: DecisionNo,
    pub time: Wall,
    pub kind: DecisionKind,
    pub changes: Vec<Change>,
    /// The undoing that stands against it.
    pub undone_by: Option<DecisionNo>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DecisionKind {
    Decided(Standing),
    Undid(DecisionNo),
}

/// One mark's verdict before and after a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Change {
    pub mark: MarkRef,
    pub from: Verdict,
    pub to: Verdict,
}

/// Why a decision cannot be undone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CannotUndo {
    /// It never was, or compaction has made it final.
    Unknown,
    AlreadyUndone {
        by: DecisionNo,
    },
    /// This one has to be undone first: it changed some of the same marks later.
    ChangedSince {
        by: DecisionNo,
    },
}

impl fmt::Display for CannotUndo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => f.write_str("there is no such decision, or it is final"),
            Self::AlreadyUndone { by } => write!(f, "it is undone already, at step {}", by.0),
            Self::ChangedSince { by } => write!(f, "the decision at step {} has to be undone first", by.0),
        }
    }
}

impl Weave {
    /// Decides about marks. `Pending` takes a verdict back. Marks that are not there, or stand so already, are left out.
    pub fn decide(&mut self, marks: &[MarkRef], to: Standing, time: Wall) -> DecisionNo {
        let changes = self.changes_to(marks, verdict_for(to));
        self.record(changes, DecisionKind::Decided(to), time)
    }

    /// Gives the marks of a decision back what they were. To redo, undo the undoing.
    pub fn undo(&mut self, decision: DecisionNo, time: Wall) -> Result<DecisionNo, CannotUndo> {
        let at = self.decision_at(decision).ok_or(CannotUndo::Unknown)?;
        let undone = &self.decisions[at];
        if let Some(by) = undone.undone_by {
            return Err(CannotUndo::AlreadyUndone { by });
        }
        if let Some(by) = self.changed_since(at) {
            return Err(CannotUndo::ChangedSince { by });
        }
        let back = |change: &Change| Change { from: change.to, to: change.from, ..*change };
        let mut changes: Vec<Change> = undone.changes.iter().map(back).collect();
        changes.extend(self.hidden_with(undone).iter().map(back));
        let no = self.record(changes, DecisionKind::Undid(decision), time);
        self.note_undoing(at, Some(no));
        Ok(no)
    }

    /// Lines that a file had before it was hidden by one of these decided marks, and that whoever wrote it anew has left out
    /// since: they were decided with that mark although nobody had named them, and are taken back with it.
    pub(super) fn hidden_with(&self, decision: &Decision) -> Vec<Change> {
        let mut decided: HashMap<RevisionNo, &Change> = HashMap::new();
        for change in &decision.changes {
            let MarkRef::Body(number) = change.mark else { continue };
            let entry = self.body.entries.iter().find(|entry| entry.number == number);
            decided.extend(entry.map(|entry| (entry.mark.revision, change)));
        }
        if decided.is_empty() {
            return Vec::new();
        }
        let later = self.revisions.iter().filter(|revision| revision.step > decision.no.0);
        let later: HashSet<RevisionNo> = later.map(|revision| revision.no).collect();
        let left_out = self.marks().filter_map(|(place, mark)| {
            let change = decided.get(&mark.revision)?;
            let is_left_out = matches!(place, MarkRef::Deleted(..)) && mark.made != mark.revision;
            let is_with = is_left_out && later.contains(&mark.made) && mark.verdict == change.to;
            is_with.then_some(Change { mark: place, ..**change })
        });
        left_out.collect()
    }

    /// Notes what stands against a decision. If that is an undoing, it says what stands against the one it undid, and so
    /// on.
    pub(super) fn note_undoing(&mut self, mut at: usize, mut undone_by: Option<DecisionNo>) {
        loop {
            let decision = &mut self.decisions[at];
            decision.undone_by = undone_by;
            let DecisionKind::Undid(earlier) = decision.kind else { return };
            undone_by = match undone_by {
                Some(_) => None,
                None => Some(decision.no),
            };
            // What is undone came before, so this ends, also in a weave that was damaged.
            match self.decision_at(earlier) {
                Some(next) if next < at => at = next,
                Some(_) | None => return,
            }
        }
    }

    pub(super) fn decision_at(&self, no: DecisionNo) -> Option<usize> {
        self.decisions.binary_search_by_key(&no, |decision| decision.no).ok()
    }

    /// The last decision that stands and changed a mark of this one later. One that was undone does not count, and
    /// neither does its undoing: together they changed nothing.
    fn changed_since(&self, at: usize) -> Option<DecisionNo> {
        let marks: HashSet<MarkRef> = self.decisions[at].changes.iter().map(|change| change.mark).collect();
        let this = self.decisions[at].no;
        let later = self.decisions[at + 1..].iter().rev();
        later
            .filter(|decision| decision.undone_by.is_none())
            .filter(|decision| match decision.kind {
                DecisionKind::Decided(_) => true,
                DecisionKind::Undid(undone) => undone < this,
            })
            .find(|decision| decision.changes.iter().any(|change| marks.contains(&change.mark)))
            .map(|decision| decision.no)
    }

    fn record(&mut self, changes: Vec<Change>, kind: DecisionKind, time: Wall) -> DecisionNo {
        self.set(&changes);
        self.step += 1;
        let no = DecisionNo(self.step);
        self.decisions.push(Decision { no, time, kind, changes, undone_by: None });
        no
    }

    pub(super) fn set(&mut self, changes: &[Change]) {
        let places = self.places();
        for change in changes {
            if let Some(mark) = self.mark_mut(change.mark, &places) {
                mark.verdict = change.to;
            }
        }
    }

    fn changes_to(&self, marks: &[MarkRef], to: Verdict) -> Vec<Change> {
        let wanted: HashSet<MarkRef> = marks.iter().copied().collect();
        let changed = self.marks().filter(|(place, mark)| mark.verdict != to && wanted.contains(place));
        changed.map(|(place, mark)| Change { mark: place, from: mark.verdict, to }).collect()
    }

    fn places(&self) -> HashMap<LineId, usize> {
        self.lines.iter().enumerate().map(|(at, line)| (line.id, at)).collect()
    }

    fn mark_mut(&mut self, mark: MarkRef, places: &HashMap<LineId, usize>) -> Option<&mut Mark> {
        fn of<T>(entries: &mut [super::register::Entry<T>], number: u32) -> Option<&mut Mark> {
            let at = entries.binary_search_by_key(&number, |entry| entry.number).ok()?;
            Some(&mut entries[at].mark)
        }
        match mark {
            MarkRef::Inserted(id) => Some(&mut self.lines[*places.get(&id)?].inserted),
            MarkRef::Deleted(id, by) => {
                self.lines[*places.get(&id)?].deleted.iter_mut().find(|mark| mark.revision == by)
            }
            MarkRef::Body(number) => of(&mut self.body.entries, number),
            MarkRef::Mode(number) => of(&mut self.mode.entries, number),
            MarkRef::Path(number) => of(&mut self.path.entries, number),
        }
    }

    /// What the view would be after deciding so.
    #[must_use]
    pub fn preview(&self, marks: &[MarkRef], to: Standing) -> FileState {
        let marks: HashSet<MarkRef> = marks.iter().copied().collect();
        let verdict = verdict_for(to);
        self.view_with(&|place, mark| if marks.contains(&place) { verdict } else { mark.verdict })
    }

    /// The file without anything these authors did to it.
    #[must_use]
    pub fn without(&self, select: &dyn Fn(&Author) -> bool) -> FileState {
        self.without_revisions(&|revision| select(&revision.author))
    }

    /// The file without anything these revisions did to it.
    #[must_use]
    pub fn without_revisions(&self, select: &dyn Fn(&Revision) -> bool) -> FileState {
        let selected: HashSet<RevisionNo> =
            self.revisions.iter().filter(|revision| select(revision)).map(|revision| revision.no).collect();
        self.view_with(&|_, mark| if selected.contains(&mark.revision) { Verdict::Rejected } else { mark.verdict })
    }

    /// The file right after this step; 0 is the base. `None` for steps that are not made yet, and for those before
    /// `since`.
    #[must_use]
    pub fn at(&self, step: u32) -> Option<FileState> {
        if step < self.since || step > self.step {
            return None;
        }
        let later: HashSet<RevisionNo> =
            self.revisions.iter().filter(|revision| revision.step > step).map(|revision| revision.no).collect();
        let mut earlier_verdicts = HashMap::new();
        for decision in self.decisions.iter().rev().take_while(|decision| decision.no.0 > step) {
            for change in &decision.changes {
                earlier_verdicts.insert(change.mark, change.from);
            }
        }
        // A mark that was not made yet does what a rejected one does: nothing.
        Some(self.view_with(&|place, mark| {
            if later.contains(&mark.made) {
                Verdict::Rejected
            } else {
                earlier_verdicts.get(&place).copied().unwrap_or(mark.verdict)
            }
        }))
    }
}

fn verdict_for(standing: Standing) -> Verdict {
    match standing {
        Standing::Pending => Verdict::Open,
        Standing::Approved => Verdict::Approved,
        Standing::Rejected => Verdict::Rejected,
    }
}
