//! Content that comes back by itself. What version control took away and gives back, and a file that was seen half
//! written, are taken out again as if they had never been seen. An author who undoes their own edit leaves hunks that
//! change nothing, which are settled and keep every line. Nothing anybody decided is ever taken out, except what version
//! control's own coming and going had implied.

use std::collections::HashSet;

use super::{Change, Decision, DecisionKind, DecisionNo, MarkRef, Revision, RevisionNo, Shape, Standing, Weave};
use crate::attribution::Author;
use crate::file::{Body, FileState};
use crate::time::Wall;

/// How many steps back content is looked for.
pub(super) const LOOK_BACK: u32 = 24;

impl Weave {
    /// The newest step after which nobody but this author has done anything, and at which the file was just this.
    #[must_use]
    pub fn returns_to(&self, state: &FileState, by: &Author) -> Option<u32> {
        let oldest = self.step.saturating_sub(LOOK_BACK).max(self.since);
        let mut step = self.step;
        while step > oldest {
            if !self.is_only_by(step, by) {
                return None;
            }
            step -= 1;
            if !self.is_between(step) && self.at(step).is_some_and(|earlier| earlier == *state) {
                return Some(step);
            }
        }
        None
    }

    /// Whether the file was just this at one of its last steps.
    #[must_use]
    pub fn was(&self, state: &FileState) -> bool {
        let oldest = self.step.saturating_sub(LOOK_BACK).max(self.since);
        (oldest..self.step).rev().any(|step| self.at(step).is_some_and(|earlier| earlier == *state))
    }

    /// Whether all of the file was just this when its story begins, or at one of its last steps.
    #[must_use]
    pub fn has_been(&self, body: &Body) -> bool {
        let oldest = self.step.saturating_sub(LOOK_BACK).max(self.since);
        let steps = (oldest..=self.step).rev().chain([self.since]);
        steps.into_iter().any(|step| self.at(step).is_some_and(|earlier| earlier.body == *body))
    }

    /// The newest rejection that stands and that a revision of version control had implied.
    #[must_use]
    pub fn newest_taken_by_vcs(&self) -> Option<DecisionNo> {
        let implied = |decision: &&Decision| {
            decision.undone_by.is_none()
                && decision.kind == DecisionKind::Decided(Standing::Rejected)
                && self.is_only_by(decision.no.0, &Author::Vcs)
        };
        // Right before it lies what version control did to take it away.
        self.decisions.iter().rev().find(implied).map(|decision| decision.no)
    }

    /// Whether a step is a revision of this author, or what a revision of version control implied.
    fn is_only_by(&self, step: u32, by: &Author) -> bool {
        if let Some(revision) = self.revisions.iter().find(|revision| revision.step == step) {
            return revision.author == *by && self.is_undecided(revision);
        }
        let Some(decision) = self.decisions.iter().find(|decision| decision.no.0 == step) else {
            // A step that was taken out.
            return true;
        };
        match by {
            Author::Vcs => self.implied_by_vcs(decision).is_some(),
            Author::Person { .. } | Author::Run(_) | Author::Unknown => false,
        }
    }

    /// The revision of version control that implied a decision.
    fn implied_by_vcs(&self, decision: &Decision) -> Option<&Revision> {
        let before = self.revisions.iter().rfind(|revision| revision.step < decision.no.0);
        before.filter(|revision| revision.author == Author::Vcs && revision.time == decision.time)
    }

    /// Whether a step lies between a revision of version control and what that implied: they are one, and whoever stopped
    /// in the middle would have waiting what was taken away.
    fn is_between(&self, step: u32) -> bool {
        let next = self.decisions.iter().find(|decision| decision.no.0 > step);
        next.and_then(|next| self.implied_by_vcs(next)).is_some_and(|revision| revision.step <= step)
    }

    /// Whether no decision that stays has touched a mark of this revision.
    fn is_undecided(&self, revision: &Revision) -> bool {
        let own: HashSet<MarkRef> = self
            .marks()
            .filter(|(_, mark)| mark.revision == revision.no || mark.made == revision.no)
            .map(|(place, _)| place)
            .collect();
        let touches = |decision: &Decision| {
            decision.time != revision.time && decision.changes.iter().any(|change| own.contains(&change.mark))
        };
        !self.decisions.iter().any(touches)
    }

    /// Takes out everything after this step, and tells which decisions went. Numbers are not given again.
    pub fn rewind(&mut self, step: u32) -> Vec<DecisionNo> {
        let mut gone = Vec::new();
        while let Some(decision) = self.decisions.pop_if(|decision| decision.no.0 > step) {
            let back: Vec<Change> =
                decision.changes.iter().map(|change| Change { from: change.to, to: change.from, ..*change }).collect();
            self.set(&back);
            gone.push(decision.no);
            if let DecisionKind::Undid(undone) = decision.kind
                && let Some(at) = self.decision_at(undone)
            {
                self.note_undoing(at, None);
            }
        }
        while let Some(revision) = self.revisions.pop_if(|revision| revision.step > step) {
            let no = revision.no;
            self.lines.retain(|line| line.inserted.revision != no);
            for line in &mut self.lines {
                line.deleted.retain(|mark| mark.made != no && mark.revision != no);
            }
            self.body.entries.retain(|entry| entry.mark.revision != no);
            self.mode.entries.retain(|entry| entry.mark.revision != no);
            self.path.entries.retain(|entry| entry.mark.revision != no);
        }
        gone
    }

    /// Settles pending hunks that this revision made come to nothing: with or without them the file is the same.
    pub fn settle_what_came_to_nothing(&mut self, no: RevisionNo, time: Wall) {
        let view = self.view();
        for hunk in self.hunks() {
            let comes_to_nothing = match &hunk.shape {
                Shape::Lines(change) => change.added as usize == change.removed.len(),
                Shape::Created { .. } | Shape::Deleted { .. } | Shape::Replaced { .. } => true,
                Shape::Mode { from, to } => from == to,
                Shape::Renamed { from, to } => from == to,
            };
            if hunk.revisions.1 == no
                && comes_to_nothing
                && hunk.entangled.is_empty()
                && self.preview(&hunk.marks, Standing::Rejected) == view
            {
                self.decide(&hunk.marks, Standing::Rejected, time);
            }
        }
    }

    /// The newest revision, if nothing was done after it and nothing decided about it.
    #[must_use]
    pub fn newest_open(&self) -> Option<&Revision> {
        let decided = self.decisions.last().map_or(0, |decision| decision.no.0);
        self.revisions.last().filter(|revision| revision.step > decided && self.is_undecided(revision))
    }

    /// The same with the one right before it, if nothing was done in between either.
    #[must_use]
    pub fn newest_two_open(&self) -> Option<(&Revision, &Revision)> {
        let newest = self.newest_open()?;
        let [.., before, _] = &*self.revisions else { return None };
        let is_open = before.step + 1 == newest.step && self.is_undecided(before);
        is_open.then_some((before, newest))
    }

    /// What was settled in the moment of the newest revision, if nothing was done or decided about it since.
    #[must_use]
    pub fn settled_by_newest(&self) -> Vec<DecisionNo> {
        let Some(last) = self.revisions.last().filter(|revision| self.is_undecided(revision)) else {
            return Vec::new();
        };
        let since: Vec<&Decision> = self.decisions.iter().filter(|decision| decision.no.0 > last.step).collect();
        let is_of_its_moment = since.iter().all(|decision| decision.time == last.time);
        since.into_iter().filter(|_| is_of_its_moment).map(|decision| decision.no).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attribution::Evidence;
    use crate::file::{Body, FilePath};
    use crate::id::{RunId, TaskId};
    use crate::weave::NewRevision;

    fn text(content: &str) -> FileState {
        let body = if content == "-" { Body::Absent } else { Body::Text(content.replace(' ', "\n").into_bytes()) };
        let mode = if content == "-" { 0 } else { 0o644 };
        FileState { path: FilePath::from_text("f").unwrap(), body, mode }
    }

    fn run() -> Author {
        Author::Run(RunId { task: TaskId::new(1).unwrap(), attempt: 1 })
    }

    fn revise(weave: &mut Weave, content: &str, author: Author, time: i64) {
        let held = matches!(author, Author::Run(_));
        let by = NewRevision { author, evidence: Evidence::Nothing, time: Wall(time), held };
        weave.revise(&text(content), by);
    }

    #[test]
    fn an_author_who_takes_the_own_edit_back_leaves_nothing() {
        let mut weave = Weave::new(&text("a b c"));
        let base = weave.clone();
        for content in ["a B c", "-", "a B c d"] {
            revise(&mut weave, content, run(), 1);
        }
        assert_eq!(weave.returns_to(&text("a b c"), &run()), Some(0));
        assert_eq!(weave.returns_to(&text("a B c"), &run()), Some(1));
        assert_eq!(weave.returns_to(&text("a b c"), &Author::Unknown), None);
        weave.rewind(0);
        assert_eq!((weave.view(), weave.hunks(), weave.revisions()), (base.view(), Vec::new(), &[][..]));
        assert_eq!(Weave::decode(&weave.encode()).as_ref(), Ok(&weave));
    }

    #[test]
    fn an_edit_that_comes_to_nothing_is_settled_and_keeps_its_lines() {
        let mut weave = Weave::new(&text("a b c"));
        revise(&mut weave, "a B c", run(), 1);
        revise(&mut weave, "a b c", run(), 2);
        let no = weave.revisions().last().unwrap().no;
        weave.settle_what_came_to_nothing(no, Wall(2));
        assert_eq!((weave.view(), weave.hunks()), (text("a b c"), Vec::new()));
        assert_eq!(weave.at(1), Some(text("a B c")));
    }

    #[test]
    fn a_file_has_been_what_all_of_it_was_and_nothing_that_its_lines_would_make() {
        let mut weave = Weave::new(&text("a b"));
        revise(&mut weave, "a b c", run(), 1);
        revise(&mut weave, "b c", run(), 2);
        for (content, has_been) in [("a b", true), ("a b c", true), ("b c", true), ("a c", false), ("a", false)] {
            assert_eq!(weave.has_been(&text(content).body), has_been, "{content}");
            assert!(weave.has_held(&text(content).body), "{content}");
        }
        for step in 0..LOOK_BACK {
            revise(&mut weave, &format!("b c {step}"), run(), 3);
        }
        assert!(weave.has_been(&text("a b").body), "it began as this");
    }

    #[test]
    fn a_file_that_goes_under_its_old_name_has_not_gone_under_its_new_one() {
        let mut weave = Weave::new(&text("a"));
        let moved = FileState { path: FilePath::from_text("g").unwrap(), ..text("a") };
        let gone = FileState { path: moved.path.clone(), ..text("-") };
        let mut has_gone = Vec::new();
        for state in [text("-"), text("a"), moved.clone(), gone, moved] {
            let by = NewRevision { author: Author::Unknown, evidence: Evidence::Nothing, time: Wall(1), held: false };
            weave.revise(&state, by);
            has_gone.push(weave.has_gone_as_it_is_called());
        }
        assert_eq!(has_gone, [true, true, false, true, true]);
    }

    #[test]
    fn what_was_decided_is_never_taken_out() {
        let mut weave = Weave::new(&text("a b c"));
        revise(&mut weave, "a B c", run(), 1);
        let marks = weave.hunks()[0].marks.clone();
        weave.decide(&marks, Standing::Approved, Wall(5));
        revise(&mut weave, "a B c d", run(), 6);
        assert_eq!(weave.returns_to(&text("a b c"), &run()), None);
        assert_eq!(weave.returns_to(&text("a B c"), &run()), Some(2));
        weave.rewind(2);
        assert!(marks.iter().all(|mark| weave.marks().any(|(known, _)| known == *mark)));
    }

    #[test]
    fn a_stash_that_is_popped_brings_back_what_was_pending() {
        let mut weave = Weave::new(&text("a b c"));
        revise(&mut weave, "a B c", run(), 1);
        let pending = weave.hunks();
        revise(&mut weave, "a b c", Author::Vcs, 2);
        let no = weave.revisions().last().unwrap().no;
        let implied = weave.implied(no);
        weave.fold(no, &implied, Wall(2));
        assert!(weave.is_settled());
        let step = weave.returns_to(&text("a B c"), &Author::Vcs).unwrap();
        weave.rewind(step);
        assert_eq!((weave.view(), weave.hunks()), (text("a B c"), pending));
    }

    #[test]
    fn a_stash_that_is_pushed_and_popped_over_and_over_takes_and_gives_the_same() {
        let mut weave = Weave::new(&text("a b c"));
        revise(&mut weave, "a B c", run(), 1);
        let pending = weave.hunks();
        for time in (2..20).step_by(2) {
            assert_eq!(weave.returns_to(&text("a b c"), &Author::Vcs), None, "what waits was never settled before");
            revise(&mut weave, "a b c", Author::Vcs, time);
            let no = weave.revisions().last().unwrap().no;
            let implied = weave.implied(no);
            weave.fold(no, &implied, Wall(time));
            assert_eq!((weave.view(), weave.hunks()), (text("a b c"), Vec::new()));
            let step = weave.returns_to(&text("a B c"), &Author::Vcs).unwrap();
            weave.rewind(step);
            assert_eq!((weave.view(), weave.hunks(), weave.revisions().len()), (text("a B c"), pending.clone(), 1));
        }
    }
}
