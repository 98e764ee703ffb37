//! Small questions about a weave that the rules of review ask.

use std::collections::BTreeSet;

use super::{
    Decision, DecisionNo, Hunk, Kind, Mark, MarkRef, NewRevision, RevisionNo, Standing, Verdict, Weave, as_it_is,
};
use crate::attribution::{Author, Evidence};
use crate::diff;
use crate::file::{Body, ContentHash, FilePath};
use crate::time::Wall;

/// How many lines that nobody sees a weave carries before it is compacted.
const HIDDEN_LINES: usize = 20_000;

impl Weave {
    /// What a text that was never saved becomes under a decision of this file: the text as one more revision by nobody in
    /// particular, made before the decision was. `None` where that is not about text, or the decision is not known.
    #[must_use]
    pub fn over(&self, decision: DecisionNo, unsaved: &[u8]) -> Option<Vec<u8>> {
        let changes = self.decisions.iter().find(|known| known.no == decision)?.changes.clone();
        let mut weave = self.clone();
        weave.undo(decision, Wall(0)).ok()?;
        let mut state = weave.view();
        let Body::Text(_) = state.body else { return None };
        state.body = Body::Text(unsaved.to_vec());
        let by = NewRevision { author: Author::Unknown, evidence: Evidence::Nothing, time: Wall(0), held: false };
        weave.revise(&state, by);
        for verdict in [Verdict::Open, Verdict::Approved, Verdict::Rejected] {
            let marks: Vec<MarkRef> =
                changes.iter().filter(|change| change.to == verdict).map(|change| change.mark).collect();
            let standing = match verdict {
                Verdict::Open => Standing::Pending,
                Verdict::Approved => Standing::Approved,
                Verdict::Rejected => Standing::Rejected,
            };
            weave.decide(&marks, standing, Wall(0));
        }
        match weave.view().body {
            Body::Text(text) => Some(text),
            Body::Absent | Body::Whole { .. } | Body::Link(_) | Body::Large { .. } | Body::Special => None,
        }
    }

    /// Whether a text that was never saved is entangled with what a decision takes out: a line of that was edited in it, or
    /// one was written inside.
    #[must_use]
    pub fn is_entangled_with(&self, decision: DecisionNo, unsaved: &[u8]) -> bool {
        let Some(decided) = self.decisions.iter().find(|known| known.no == decision) else { return false };
        let out = decided.changes.iter().filter(|change| change.to == Verdict::Rejected);
        let out: BTreeSet<MarkRef> = out.map(|change| change.mark).collect();
        // Nobody is called so, which tells the text's own lines from those that were seen on disk.
        let author = Author::Person { name: String::new() };
        let mut weave = self.clone();
        if weave.undo(decision, Wall(0)).is_err() {
            return false;
        }
        let mut state = weave.view();
        let Body::Text(_) = state.body else { return false };
        state.body = Body::Text(unsaved.to_vec());
        let by = NewRevision { author: author.clone(), evidence: Evidence::Nothing, time: Wall(0), held: false };
        weave.revise(&state, by);
        let is_out = |hunk: &Hunk| hunk.marks.iter().any(|mark| out.contains(mark));
        weave.hunks().iter().any(|hunk| is_out(hunk) && hunk.entangled.contains(&author))
    }

    /// Whether a revision did more to the file than adding and removing lines: created, deleted, replaced or renamed it, or
    /// changed its mode.
    #[must_use]
    pub fn is_about_the_whole(&self, no: RevisionNo) -> bool {
        let registers = self.marks().filter(|(place, _)| match place {
            MarkRef::Body(_) | MarkRef::Mode(_) | MarkRef::Path(_) => true,
            MarkRef::Inserted(_) | MarkRef::Deleted(..) => false,
        });
        registers.map(|(_, mark)| mark).any(|mark| mark.revision == no)
    }

    /// The contents that are decided as a whole and may be asked for again: what the file is, was or may become.
    pub fn whole_contents(&self) -> impl Iterator<Item = ContentHash> {
        let kinds = self.body.entries.iter().map(|entry| &entry.value).chain([&self.body.base]);
        kinds.filter_map(|kind| match kind {
            Kind::Whole { hash, .. } => Some(*hash),
            Kind::Absent | Kind::Text | Kind::Link(_) | Kind::Large { .. } | Kind::Special => None,
        })
    }

    /// Whether a revision took something away, apart from what was rejected of it.
    #[must_use]
    pub fn takes_away(&self, no: RevisionNo) -> bool {
        let stands = |mark: &Mark| mark.revision == no && mark.verdict != Verdict::Rejected;
        self.lines.iter().any(|line| line.deleted.iter().any(stands))
            || self.body.entries.iter().any(|entry| stands(&entry.mark))
    }

    /// Whose work a decision is about, each once.
    #[must_use]
    pub fn authors_in(&self, decision: DecisionNo) -> Vec<&Author> {
        let Some(at) = self.decision_at(decision) else { return Vec::new() };
        let marks: Vec<MarkRef> = self.decisions[at].changes.iter().map(|change| change.mark).collect();
        let mut authors = Vec::new();
        for no in self.revisions_of(&marks) {
            authors.extend(self.author_of(no).filter(|author| !authors.contains(author)));
        }
        authors
    }

    /// The decisions that stand, and that have taken out something of these authors.
    #[must_use]
    pub fn rejections_of(&self, authors: &dyn Fn(&Author) -> bool) -> Vec<DecisionNo> {
        let is_theirs = |mark: &Mark| self.revision(mark.revision).is_some_and(|revision| authors(&revision.author));
        let rejected: BTreeSet<MarkRef> = self
            .marks()
            .filter(|(_, mark)| mark.verdict == Verdict::Rejected && is_theirs(mark))
            .map(|(place, _)| place)
            .collect();
        let takes_out = |decision: &&Decision| {
            let mut changes = decision.changes.iter();
            changes.any(|change| change.to == Verdict::Rejected && rejected.contains(&change.mark))
        };
        let standing = self.decisions.iter().filter(|decision| decision.undone_by.is_none());
        standing.filter(takes_out).map(|decision| decision.no).collect()
    }

    /// The names that the file has had besides its own.
    #[must_use]
    pub fn other_names(&self) -> Vec<&FilePath> {
        let names = self.path.entries.iter().map(|entry| &entry.value).chain([&self.path.base]);
        names.filter(|name| *name != self.path()).collect()
    }

    /// Whether there was no such file when this story begins.
    #[must_use]
    pub fn began_absent(&self) -> bool {
        self.body.base == Kind::Absent
    }

    /// Whether the file has gone, if only for a while, since it has the name that it has now.
    #[must_use]
    pub fn has_gone_as_it_is_called(&self) -> bool {
        let (_, since) = self.path.standing(|_, mark| mark.verdict);
        let mut later = self.body.entries.iter().filter(|entry| entry.mark.revision > since);
        later.any(|entry| entry.value == Kind::Absent && entry.mark.verdict != Verdict::Rejected)
    }

    /// Whether the file is known to have held this: every line of it, in this order, whatever became of them since.
    #[must_use]
    pub fn has_held(&self, body: &Body) -> bool {
        let kinds = || self.body.entries.iter().map(|entry| &entry.value).chain([&self.body.base]);
        let Body::Text(text) = body else { return kinds().any(|kind| *kind == Kind::of(body)) };
        let mut known = self.lines.iter().map(|line| without_end(&line.text));
        kinds().any(|kind| *kind == Kind::Text)
            && diff::split_lines(text).into_iter().all(|line| known.any(|known| known == without_end(line)))
    }

    /// Whether a text, such as a commit's, has something of what waits for a decision here: added lines that stand in it, or
    /// nothing where lines were taken out.
    #[must_use]
    pub fn waits_in(&self, text: &[u8]) -> bool {
        let (Body::Text(approved), Body::Text(now)) = (self.without_pending().body, self.view().body) else {
            return false;
        };
        let [text, approved, now] = [text, &approved, &now].map(diff::split_lines);
        let (added, left) = (diff::lines(&text, &now), diff::lines(&text, &approved));
        diff::lines(&approved, &now).iter().any(|edit| {
            if edit.after.is_empty() {
                edit.before.clone().all(|line| left.iter().any(|edit| edit.after.contains(&line)))
            } else {
                edit.after.clone().all(|line| !added.iter().any(|edit| edit.after.contains(&line)))
            }
        })
    }

    /// Whether it carries so much that nobody can see any more that it is worth forgetting what no decision needs.
    #[must_use]
    pub fn is_heavy(&self) -> bool {
        let hidden = self.lines.iter().filter(|line| !line.is_visible(&as_it_is)).count();
        hidden > HIDDEN_LINES && hidden > self.lines.len() / 2
    }

    /// The file without anything that waits for a decision.
    #[must_use]
    pub fn without_pending(&self) -> crate::file::FileState {
        let held: BTreeSet<RevisionNo> =
            self.revisions.iter().filter(|revision| revision.held).map(|revision| revision.no).collect();
        self.view_with(&|_, mark| {
            if mark.verdict == Verdict::Open && held.contains(&mark.revision) {
                Verdict::Rejected
            } else {
                mark.verdict
            }
        })
    }
}

/// A line without its terminator, which the last one of a file may lack.
fn without_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}
