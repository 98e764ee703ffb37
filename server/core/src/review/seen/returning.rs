//! What version control brings back. What waits for a decision is parked with its branch and comes back with it; what a
//! stash takes away is pending again when it is put back; and a run's lines that a merge brings, or a stash on other
//! ground, go on waiting. No checkout decides anything.

use std::collections::HashSet;

use super::deciding::after_vcs;
use super::{Held, Looking, SeenFile, author_name, host_event};
use crate::attribution::{Author, Evidence, Finding};
use crate::diff::split_lines;
use crate::file::{Body, FilePath, FileState};
use crate::ledger::{Data, Topic};
use crate::queue::look;
use crate::review::{FileNumber, TrackedFile};
use crate::time::Wall;
use crate::turn::{Effect, Stop};
use crate::view::View;
use crate::weave::{DecisionNo, Hunk, HunkLine, MarkRef, Standing, Weave};

/// How many branches with something waiting in a file are looked at.
const BRANCHES: usize = 8;

impl<V: View> Looking<'_, V> {
    pub(super) fn switched(
        &mut self,
        seen: &SeenFile,
        found: Option<TrackedFile>,
        from: &str,
        to: &str,
    ) -> Result<TrackedFile, Stop<V::Error>> {
        // Where something else is there now than was left there, that story stays where it is, with all that is in it.
        let parked = look(self.view.parked_at(&seen.now.path, to))?.filter(|parked| {
            parked.weave.view() == seen.now || still_waits(&parked.weave, &seen.now, self.now.wall).is_some()
        });
        match (found, parked) {
            (current, Some(mut parked)) => {
                if let Some(current) = current {
                    self.park(current, from)?;
                }
                if !parked.weave.is_settled() {
                    self.note_parking("file.returned", &seen.now.path, to);
                }
                parked.parked = None;
                self.effects.push(Effect::PutFile(Box::new(parked.clone())));
                Ok(parked)
            }
            // Nothing waits in it: it stays for who comes back, with what was decided about it, and a copy goes on.
            (Some(current), None) if current.weave.is_settled() => {
                if current.weave.revisions().iter().all(|revision| revision.author == Author::Vcs) {
                    return Ok(current);
                }
                let copy = TrackedFile { number: self.begun(&seen.now).number, ..current.clone() };
                self.park(current, from)?;
                self.effects.push(Effect::PutFile(Box::new(copy.clone())));
                Ok(copy)
            }
            (current, None) => {
                if let Some(current) = current {
                    self.park(current, from)?;
                }
                // Kept even though nothing has changed in it yet: with its story known, the way back is told as well.
                let file = self.begun(&seen.now);
                self.effects.push(Effect::PutFile(Box::new(file.clone())));
                Ok(file)
            }
        }
    }

    /// Leaves a story with its branch. The one that was left there before is not led back to any more.
    fn park(&mut self, mut file: TrackedFile, branch: &str) -> Result<(), Stop<V::Error>> {
        if let Some(mut before) = look(self.view.parked_at(file.path(), branch))?.filter(|file| file.weave.is_settled())
        {
            before.parked = Some(String::new());
            self.effects.push(Effect::PutFile(Box::new(before)));
        }
        if !file.weave.is_settled() {
            self.note_parking("file.parked", file.path(), branch);
        }
        file.parked = Some(branch.to_owned());
        self.effects.push(Effect::PutFile(Box::new(file)));
        Ok(())
    }

    fn note_parking(&mut self, kind: &'static str, path: &FilePath, branch: &str) {
        let data = Data::map([("branch", branch.into())]);
        self.effects.push(Effect::Record(host_event(kind, Topic::File(path.clone()), Vec::new(), data)));
    }

    /// Version control that gives back what it took away leaves the file as if nothing had been: what was pending before is
    /// pending again.
    pub(super) fn came_back(
        &mut self,
        file: &mut TrackedFile,
        now: &FileState,
        finding: &Finding,
    ) -> Result<bool, Stop<V::Error>> {
        if finding.author != Author::Vcs {
            return Ok(false);
        }
        let Some(step) = file.weave.returns_to(now, &finding.author) else { return Ok(false) };
        let gone = file.weave.rewind(step);
        self.forget_implied(file.number, &gone)?;
        self.note_return(now, step);
        Ok(true)
    }

    fn note_return(&mut self, now: &FileState, step: u32) {
        let data = Data::map([
            ("author", author_name(&Author::Vcs).into()),
            ("evidence", Evidence::VersionControl.name().into()),
            ("step", step.into()),
        ]);
        let path = Topic::File(now.path.clone());
        self.effects.push(Effect::Record(host_event("file.came-back", path, Vec::new(), data)));
    }

    /// Decisions that version control's coming and going had implied, and that it has taken back itself.
    fn forget_implied(&mut self, file: FileNumber, gone: &[DecisionNo]) -> Result<(), Stop<V::Error>> {
        for no in gone {
            let decision = look(self.view.decision_in(file, *no))?;
            // A decision of a person's about several files is not version control's to take back.
            if let Some(decision) = decision.filter(|decision| decision.files.len() == 1) {
                self.effects.push(Effect::ForgetDecision(decision.id));
            }
        }
        Ok(())
    }

    /// Version control changes a file, and with it come lines that wait somewhere else: they wait here, too.
    pub(super) fn bring(&mut self, file: &mut TrackedFile, now: &FileState) -> Result<(), Stop<V::Error>> {
        let waited = file.weave.hunks().len();
        if let Some((decision, weave)) = self.put_back(&file.weave, now)
            && weave.hunks().len() > waited
        {
            file.weave = weave;
            self.forget_implied(file.number, &[decision])?;
            self.note_return(now, file.weave.step());
            return Ok(());
        }
        for parked in look(self.view.parked(&now.path, BRANCHES))? {
            let Some(merged) = still_waits(&parked.weave, now, self.now.wall) else { continue };
            let brought = brought(&merged, &file.weave.view());
            if !brought.is_empty() {
                self.merge(file, now, &merged, &brought);
                return Ok(());
            }
        }
        Ok(())
    }

    /// The story with what a stash took away undone, if any of it is in what is there now.
    fn put_back(&self, weave: &Weave, now: &FileState) -> Option<(DecisionNo, Weave)> {
        let taken = weave.newest_taken_by_vcs()?;
        let mut back = weave.clone();
        back.undo(taken, self.now.wall).ok()?;
        still_waits(&back, now, self.now.wall)?;
        Some((taken, back))
    }

    /// Tells what a merge brought in two steps: what was version control's, then what waits on the other branch.
    fn merge(&mut self, file: &mut TrackedFile, now: &FileState, merged: &Weave, hunks: &[Hunk]) {
        let mut authors: Vec<&Author> = Vec::new();
        for hunk in hunks {
            if !authors.contains(&&hunk.author) {
                authors.push(&hunk.author);
            }
        }
        let without = |authors: &[&Author]| {
            let of_them = hunks.iter().filter(|hunk| authors.contains(&&hunk.author));
            let marks: Vec<MarkRef> = of_them.flat_map(|hunk| hunk.marks.iter().copied()).collect();
            FileState { path: now.path.clone(), ..merged.preview(&marks, Standing::Rejected) }
        };
        self.revise(file, &without(&authors), &Author::Vcs, Evidence::VersionControl, Held::ByAuthor);
        for (at, author) in authors.iter().enumerate() {
            let evidence = evidence_of(merged, hunks, author);
            self.revise(file, &without(&authors[at + 1..]), author, evidence, Held::ByAuthor);
        }
    }
}

/// The hunks that come with what is there now: those that were there before are not brought by it.
fn brought(merged: &Weave, before: &FileState) -> Vec<Hunk> {
    let lines: HashSet<&[u8]> = match &before.body {
        Body::Text(text) => split_lines(text).into_iter().collect(),
        Body::Absent | Body::Whole { .. } | Body::Link(_) | Body::Large { .. } | Body::Special => HashSet::new(),
    };
    let is_there = |line: &HunkLine| lines.iter().any(|known| bare(known) == bare(&line.text));
    let is_new = |hunk: &Hunk| {
        let told = hunk.lines(merged);
        let (added, removed): (Vec<&HunkLine>, Vec<&HunkLine>) =
            told.iter().filter(|line| line.inserted != line.deleted).partition(|line| line.inserted);
        match (added.is_empty(), removed.is_empty()) {
            (false, _) => added.iter().any(|line| !is_there(line)),
            (true, false) => removed.iter().any(|line| is_there(line)),
            // The file as a whole.
            (true, true) => merged.preview(&hunk.marks, Standing::Rejected) == *before,
        }
    };
    merged.hunks().into_iter().filter(is_new).collect()
}

fn bare(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\n").unwrap_or(line)
}

/// What is known a hunk's author by.
fn evidence_of(weave: &Weave, hunks: &[Hunk], author: &Author) -> Evidence {
    let hunk = hunks.iter().find(|hunk| hunk.author == *author);
    let revision = hunk.and_then(|hunk| weave.revision(hunk.revisions.1));
    revision.map_or(Evidence::Nothing, |revision| revision.evidence)
}

/// The story once version control has put this there, if some of what waits in it is in there.
fn still_waits(weave: &Weave, now: &FileState, time: Wall) -> Option<Weave> {
    let (weave, _) = after_vcs(weave, now, time);
    (weave.without_pending() != weave.view()).then_some(weave)
}
