//! Forgetting what nothing needs any more: lines that can never be seen again, marks that can never change. What is in
//! the file, what is pending and what can still be undone stay exactly as they are; earlier views can no longer be told.

use std::collections::HashSet;

use super::register::Register;
use super::{DecisionNo, Mark, MarkRef, RevisionNo, Standing, Verdict, Weave};

impl Weave {
    /// Makes all decisions final, or those up to one of them, and drops what only they needed.
    pub fn compact(&mut self, keep_decisions_after: Option<DecisionNo>) {
        self.decisions.retain(|decision| keep_decisions_after.is_some_and(|last| decision.no > last));
        let undoable = self.undoable();
        let loose: HashSet<MarkRef> = self
            .marks()
            .filter(|(place, mark)| self.standing_of(*mark) == Standing::Pending || undoable.contains(place))
            .map(|(place, _)| place)
            .collect();
        let oldest_loose = self.marks().filter(|(place, _)| loose.contains(place)).map(|(_, mark)| mark.revision).min();
        self.drop_lines(&loose, oldest_loose);
        settle(&mut self.body, |number| loose.contains(&MarkRef::Body(number)));
        settle(&mut self.path, |number| loose.contains(&MarkRef::Path(number)));
        self.settle_mode(&loose);
        let used: HashSet<RevisionNo> = self.marks().flat_map(|(_, mark)| [mark.revision, mark.made]).collect();
        self.revisions.retain(|revision| used.contains(&revision.no));
        self.since = self.step;
    }

    /// The marks that the undoing of a decision may change.
    fn undoable(&self) -> HashSet<MarkRef> {
        let changes = self.decisions.iter().flat_map(|decision| {
            let named = decision.changes.iter().copied();
            named.chain(self.hidden_with(decision))
        });
        changes.map(|change| change.mark).collect()
    }

    fn drop_lines(&mut self, loose: &HashSet<MarkRef>, oldest_loose: Option<RevisionNo>) {
        self.lines.retain_mut(|line| {
            let is_loose = |mark: Mark, line: &super::line::Line| loose.contains(&line.deleted_ref(mark));
            let touched = loose.contains(&line.inserted_ref()) || line.deleted.iter().any(|mark| is_loose(*mark, line));
            let deletions = || line.deleted.iter().filter(|mark| mark.verdict != Verdict::Rejected);
            let is_gone = line.inserted.verdict == Verdict::Rejected || deletions().next().is_some();
            // A line that was deleted after a mark was made that is pending, or may be again, keeps two hunks apart.
            let separates = line.inserted.verdict != Verdict::Rejected
                && oldest_loose.is_some_and(|oldest| deletions().all(|mark| mark.revision > oldest));
            if is_gone && !touched && !separates {
                return false;
            }
            let kept: Vec<Mark> = line
                .deleted
                .iter()
                .copied()
                .filter(|mark| mark.verdict != Verdict::Rejected || is_loose(*mark, line))
                .collect();
            line.deleted = kept;
            true
        });
    }

    /// Where there was no file at first, the mode it was created with counts as long as nothing else does, even if it
    /// was rejected.
    fn settle_mode(&mut self, loose: &HashSet<MarkRef>) {
        let created_with = self.mode.entries.first().and_then(|entry| entry.value);
        let is_loose = |number| loose.contains(&MarkRef::Mode(number));
        let keeps_first = self.mode.entries.first().is_some_and(|entry| is_loose(entry.number));
        settle(&mut self.mode, is_loose);
        if self.mode.base.is_none() && !keeps_first {
            self.mode.base = created_with;
        }
    }
}

/// Drops entries that are rejected for good, and makes the first ones that stand for good the base.
fn settle<T>(register: &mut Register<T>, is_loose: impl Fn(u32) -> bool) {
    register.entries.retain(|entry| entry.mark.verdict != Verdict::Rejected || is_loose(entry.number));
    let settled = register.entries.iter().take_while(|entry| !is_loose(entry.number)).count();
    if let Some(last) = register.entries.drain(..settled).last() {
        register.base = last.value;
        register.base_revision = last.mark.revision;
    }
}
