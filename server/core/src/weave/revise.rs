//! A new revision: what it deletes is marked, what it inserts is woven in, what else it changes becomes an entry.

use super::line::{Line, Terminated, last_terminated};
use super::register::Kind;
use super::{LineId, Mark, NewRevision, Revision, RevisionNo, Verdict, Weave, as_it_is};
use crate::attribution::{Author, Evidence};
use crate::diff::{self, Edit};
use crate::file::{Body, FileState};

impl Weave {
    /// Takes in what is in the file now. `None`, and nothing changed, if that is what the weave says already.
    pub fn revise(&mut self, to: &FileState, by: NewRevision) -> Option<RevisionNo> {
        let kind = Kind::of(&to.body);
        let view = self.view();
        if view.body == to.body && view.path == to.path && (view.mode == to.mode || !kind.has_mode()) {
            return None;
        }
        let no = RevisionNo(self.next_revision);
        self.next_revision += 1;
        self.step += 1;
        let hidden_by = self.hidden_by().unwrap_or(Mark::by(no));
        if kind != Kind::of(&view.body) {
            self.body.push(kind.clone(), no);
        }
        if let Body::Text(content) = &to.body {
            self.weave_in(content, no, hidden_by);
        }
        if self.kind_with(&as_it_is) != kind {
            // The file was kept only by lines that are gone now, and is to stay all the same.
            self.body.push(kind.clone(), no);
        }
        if kind.has_mode() && self.mode_with(&as_it_is) != Some(to.mode) {
            self.mode.push(Some(to.mode), no);
        }
        if view.path != to.path {
            self.path.push(to.path.clone(), no);
        }
        let NewRevision { author, evidence, time, held } = by;
        self.revisions.push(Revision { no, step: self.step, author, evidence, time, held });
        Some(no)
    }

    /// The mark by which the lines of a file without text are not seen. Whoever writes text there again had none of them
    /// before their eyes, so what they leave out was taken away by the one who hid it: it is decided with that, and
    /// comes back with it.
    fn hidden_by(&self) -> Option<Mark> {
        if self.kind_with(&as_it_is) == Kind::Text {
            return None;
        }
        let hiding = self.body.entries.iter().rev().find(|entry| entry.mark.verdict != Verdict::Rejected);
        hiding.map(|entry| entry.mark)
    }

    /// Says whose a revision is. What was decided about it stays decided; the rest is pending if it is held, else it
    /// counts as approved. The base, and a revision that is not known, stay as they are.
    pub fn reattribute(&mut self, no: RevisionNo, author: Author, evidence: Evidence, held: bool) {
        if let Ok(at) = self.revisions.binary_search_by_key(&no, |revision| revision.no) {
            let revision = &mut self.revisions[at];
            revision.author = author;
            revision.evidence = evidence;
            revision.held = held;
        }
    }

    /// Makes the visible lines those of the content: new ones are inserted by a revision, others deleted under a mark.
    pub(super) fn weave_in(&mut self, content: &[u8], no: RevisionNo, deletes: Mark) {
        let visible: Vec<usize> = (0..self.lines.len()).filter(|at| self.lines[*at].is_visible(&as_it_is)).collect();
        let mut lines = diff::split_lines(content);
        let last = last_terminated(&lines, visible.last().map(|at| &self.lines[*at]));
        let mut open = 0;
        if let Some((text, left_out)) = &last {
            lines.pop();
            lines.push(text);
            open = *left_out;
        }
        let after = Terminated { lines, open };
        let before: Vec<&[u8]> = visible.iter().map(|at| &*self.lines[*at].text).collect();
        let mut edits = diff::lines(&before, &after.lines);
        self.settle_the_end(&mut edits, &visible, &after);
        self.apply(&edits, &visible, &after, (no, deletes));
    }

    /// Lines are compared with their terminators. Where the new last line is an old one that ended otherwise, it has to
    /// become another line.
    fn settle_the_end(&self, edits: &mut Vec<Edit>, visible: &[usize], after: &Terminated<'_>) {
        let count = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
        let (old, new) = (count(visible.len()), count(after.lines.len()));
        let tail = edits.last().filter(|edit| edit.after.end == new && edit.before.end == old).cloned();
        // The old line that the new last line is, if it is one.
        let kept = match &tail {
            Some(edit) if !edit.after.is_empty() => return,
            Some(edit) => edit.before.start,
            None => old,
        };
        let Some(kept) = kept.checked_sub(1) else {
            return;
        };
        if new == 0 || self.lines[visible[kept as usize]].open == after.open {
            return;
        }
        if tail.is_some() {
            edits.pop();
        }
        edits.push(Edit { before: kept..old, after: new - 1..new });
    }

    /// Insertions go right after the lines that the same edit deletes, else right after the visible line before them:
    /// before anything hidden that follows.
    fn apply(&mut self, edits: &[Edit], visible: &[usize], after: &Terminated<'_>, (no, deletes): (RevisionNo, Mark)) {
        if edits.is_empty() {
            return;
        }
        let mark = Mark::by(no);
        let inserted: usize = edits.iter().map(|edit| edit.after.len()).sum();
        let mut woven = Vec::with_capacity(self.lines.len() + inserted);
        let mut old = std::mem::take(&mut self.lines);
        for edit in edits {
            for at in edit.before.clone() {
                let deleted = &mut old[visible[at as usize]].deleted;
                let is_known = deleted.iter().any(|mark| mark.revision == deletes.revision);
                deleted.push(if is_known { mark } else { Mark { made: no, ..deletes } });
            }
        }
        let mut old = old.into_iter();
        let mut taken = 0;
        for edit in edits {
            let place = edit.before.end.checked_sub(1).map_or(0, |at| visible[at as usize] + 1);
            woven.extend(old.by_ref().take(place.saturating_sub(taken)));
            taken = taken.max(place);
            for at in edit.after.clone() {
                let at = at as usize;
                let open = if at + 1 == after.lines.len() { after.open } else { 0 };
                let id = LineId(self.next_line);
                self.next_line += 1;
                woven.push(Line { id, text: after.lines[at].into(), open, inserted: mark, deleted: Vec::new() });
            }
        }
        woven.extend(old);
        self.lines = woven;
    }
}
