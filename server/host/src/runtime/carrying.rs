//! Carrying decisions out and finishing what was begun: the files after the transaction that decided about them, and the
//! record of what came of it. A process that ends in between leaves a row for each file; the next one finds it here.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use augment_core::file::{FilePath, FileState};
use augment_core::review::{DecisionId, FileNumber, FileWrite, Outcome, WrittenFile};
use augment_core::turn::{Answer, Input};
use augment_core::view::View as _;

use super::hands::{self, Job};
use super::{AskError, Decided, Moved, Owner, Work, Written};
use crate::files::Expected;
use crate::store::{Batch, StoreError, UnderWay, Was};

/// So many files are held in memory and written together.
const AT_ONCE: usize = 64;

/// A file to be written.
struct ToWrite<'a> {
    decision: DecisionId,
    file: FileNumber,
    expected: Expected,
    /// `None`: as its story says.
    after: Option<&'a FileState>,
}

impl<'a> ToWrite<'a> {
    fn of(write: &'a FileWrite) -> Self {
        let FileWrite { decision, file, after, .. } = write;
        Self { decision: *decision, file: *file, expected: hands::expected(write), after: Some(after) }
    }

    /// What another process had begun.
    fn again(write: &'a UnderWay) -> Self {
        Self { decision: write.decision, file: write.file, expected: hands::expected_again(write), after: None }
    }
}

impl Owner {
    /// Does what is left to do outside the store for one piece of work, and gives its answer.
    pub(super) fn carry_out(&mut self, mut decided: Decided, moved: &mut Moved) -> Result<Answer, AskError> {
        let files = std::mem::take(&mut decided.files);
        self.give_orders(std::mem::take(&mut decided.orders));
        let documents = std::mem::take(&mut decided.documents);
        let closing = std::mem::take(&mut decided.closing);
        let mut answer = self.write_settings(decided, moved);
        for wanted in documents {
            self.write_documents(&wanted, moved);
        }
        self.close(closing, moved);
        if files.is_empty() {
            return answer;
        }
        let written = self.write_in_parts(&files, ToWrite::of);
        if let Some(told) = answer.as_mut().ok().and_then(Answer::decided_mut) {
            let outcomes: BTreeMap<FileNumber, &Outcome> =
                written.iter().map(|(_, written)| (written.file, &written.outcome)).collect();
            for file in &mut told.files {
                let outcome = file.writes.and_then(|number| outcomes.get(&number));
                if let Some(outcome) = outcome {
                    file.outcome = Some((*outcome).clone());
                }
            }
        }
        self.tell_written(written, false, moved);
        answer
    }

    /// Writes files a part at a time, and says of each what came of it.
    fn write_in_parts<'a, W>(
        &mut self,
        writes: &'a [W],
        to_write: impl Fn(&'a W) -> ToWrite<'a>,
    ) -> Vec<(DecisionId, WrittenFile)> {
        let mut written = Vec::with_capacity(writes.len());
        for part in writes.chunks(AT_ONCE) {
            let files: Vec<ToWrite<'a>> = part.iter().map(&to_write).collect();
            let names: Vec<(DecisionId, FileNumber)> = files.iter().map(|write| (write.decision, write.file)).collect();
            let outcomes = self.write_files(files).into_iter();
            let told = names.into_iter().zip(outcomes);
            written.extend(told.map(|((decision, file), outcome)| (decision, WrittenFile { file, outcome })));
        }
        written
    }

    /// Writes some files, and says of each what came of it.
    fn write_files(&mut self, files: Vec<ToWrite<'_>>) -> Vec<Outcome> {
        let write = |batch: &Batch<'_>| -> Result<Vec<Outcome>, StoreError> {
            let view = batch.view();
            let stories = files.iter().map(|write| view.file(write.file)).collect::<Result<Vec<_>, _>>()?;
            let mut jobs = Vec::with_capacity(files.len());
            // A decision about many files is long, and most of these are about the same one.
            let mut made = BTreeMap::new();
            for write in &files {
                if let Entry::Vacant(place) = made.entry(write.decision) {
                    place.insert(view.decision(write.decision)?);
                }
            }
            for (write, file) in files.iter().zip(&stories) {
                let Some(file) = file else { continue };
                let made = made.get(&write.decision).and_then(Option::as_ref);
                let part = made.and_then(|made| made.files.iter().find(|part| part.file == write.file));
                jobs.push(Job {
                    decision: write.decision,
                    expected: write.expected.clone(),
                    after: write.after.cloned().unwrap_or_else(|| file.weave.view()),
                    file,
                    weave_decision: part.map(|part| part.weave_decision),
                });
            }
            let mut done = self.hands.carry_out(&jobs, |hash| batch.fetch(hash)).into_iter();
            let outcomes = files.iter().zip(&stories).map(|(write, story)| {
                let done = story.as_ref().and_then(|_| done.next());
                done.unwrap_or_else(|| hands::unknown(write.file))
            });
            Ok(outcomes.collect())
        };
        self.store.begin().and_then(|batch| write(&batch)).unwrap_or_else(|error| {
            let reason = error.to_string();
            files.iter().map(|_| Outcome::NotWritten { reason: reason.clone() }).collect()
        })
    }

    /// Records what came of writing. If that cannot be saved, the next start finds the files and finishes.
    fn tell_written(&mut self, written: Vec<(DecisionId, WrittenFile)>, after_crash: bool, moved: &mut Moved) {
        let mut by_decision: BTreeMap<DecisionId, Vec<WrittenFile>> = BTreeMap::new();
        for (decision, file) in written {
            by_decision.entry(decision).or_default().push(file);
        }
        for (decision, files) in by_decision {
            let input = Input::FilesWritten { decision, files, after_crash };
            match self.write(&[Work::Decide(Box::new(input))], &mut None) {
                Ok(written) => *moved = moved.and(written.moved),
                Err(error) => drop(self.keep_failure(&error)),
            }
        }
    }

    /// What was to be saved in an editor when the process before this one ended was not: whoever has it open tells anew.
    pub(super) fn give_up_saves(&mut self) {
        let waiting = self.store.awaiting_save().unwrap_or_else(|error| {
            tracing::error!("{error}");
            Vec::new()
        });
        for path in waiting {
            let on_disk = self.hands.hash(&path);
            match self.write(&[Work::Decide(Box::new(Input::EditorClosed { path, on_disk }))], &mut None) {
                Ok(Written { moved, .. }) => {
                    self.moved.send_if_modified(|told| std::mem::replace(told, moved) != moved);
                }
                Err(error) => drop(self.keep_failure(&error)),
            }
        }
    }

    /// Finishes what a process before this one had decided and not written, or not recorded.
    pub(super) fn finish_writes(&mut self) {
        let under_way = self.store.writes_under_way().unwrap_or_else(|error| {
            tracing::error!("{error}");
            Vec::new()
        });
        if under_way.is_empty() {
            return;
        }
        let mut moved = *self.moved.borrow();
        let (paths, known) = self.around(&under_way);
        self.tell_left(hands::sweep(&self.places, paths.into_iter(), &known), &mut moved);
        let written = self.write_in_parts(&under_way, ToWrite::again);
        self.tell_written(written, true, &mut moved);
        self.moved.send_if_modified(|told| std::mem::replace(told, moved) != moved);
    }

    /// Records what an earlier process left and a person has to look at.
    pub(super) fn tell_left(&mut self, left: Vec<String>, moved: &mut Moved) {
        for told in left {
            tracing::warn!("{told}");
            match self.write(&[Work::Decide(Box::new(Input::WatchingChanged { message: told }))], &mut None) {
                Ok(written) => *moved = moved.and(written.moved),
                Err(error) => drop(self.keep_failure(&error)),
            }
        }
    }

    /// Where writes under way may have left something, and what of it the store has: what was there before, and what
    /// was to be there.
    fn around(&mut self, under_way: &[UnderWay]) -> (Vec<FilePath>, Vec<Was>) {
        let mut paths: Vec<FilePath> = under_way.iter().map(|write| write.path.clone()).collect();
        let mut known: Vec<Was> = under_way.iter().map(|write| write.was.clone()).collect();
        let wanted = self.store.begin().and_then(|batch| {
            let view = batch.view();
            under_way.iter().map(|write| Ok(view.file(write.file)?.map(|file| file.weave.view()))).collect()
        });
        let wanted: Vec<Option<FileState>> = wanted.unwrap_or_else(|error: StoreError| {
            tracing::error!("{error}");
            Vec::new()
        });
        for state in wanted.into_iter().flatten() {
            known.push(Was::of(&state.body));
            paths.push(state.path);
        }
        (paths, known)
    }
}
