//! Carrying decisions out and finishing what was begun: the files after the transaction that decided about them, and the
//! record of what came of it. A process that ends in between leaves a row for each file; the next one finds it here.

use std::collections::BTreeMap;

use augment_core::file::{FilePath, FileState};
use augment_core::review::{DecisionId, FileNumber, FileWrite, Outcome, WrittenFile};
use augment_core::turn::{Answer, Input};
use augment_core::view::View as _;

use super::hands::{self, Job};
use super::{AskError, Decided, Moved, Owner, Work, Written};
use crate::files::Expected;
use crate::store::{Batch, StoreError, UnderWay, Was};

impl Owner {
    /// Does what is left to do outside the store for one piece of work, and gives its answer.
    pub(super) fn carry_out(&mut self, mut decided: Decided, moved: &mut Moved) -> Result<Answer, AskError> {
        let files = std::mem::take(&mut decided.files);
        let mut answer = self.write_settings(decided, moved);
        if files.is_empty() {
            return answer;
        }
        let mut written = Vec::with_capacity(files.len());
        for write in &files {
            let outcome = self.write_file(write);
            if let Ok(Answer::Decided { files, .. }) = &mut answer {
                for file in files.iter_mut().filter(|file| file.writes == Some(write.file)) {
                    file.outcome = Some(outcome.clone());
                }
            }
            written.push((write.decision, WrittenFile { file: write.file, outcome }));
        }
        self.tell_written(written, false, moved);
        answer
    }

    fn write_file(&mut self, write: &FileWrite) -> Outcome {
        let expected = hands::expected(write);
        self.job(write.decision, write.file, expected, Some(&write.after))
    }

    fn job(
        &mut self,
        decision: DecisionId,
        number: FileNumber,
        expected: Expected,
        after: Option<&FileState>,
    ) -> Outcome {
        let look = |batch: &Batch<'_>| -> Result<Option<Outcome>, StoreError> {
            let view = batch.view();
            let Some(file) = view.file(number)? else { return Ok(None) };
            let made = view.decision(decision)?;
            let part = made.as_ref().and_then(|made| made.files.iter().find(|part| part.file == number));
            let after = after.cloned().unwrap_or_else(|| file.weave.view());
            let weave_decision = part.map(|part| part.weave_decision);
            let job = Job { decision, expected, after, file: &file, weave_decision };
            Ok(Some(self.hands.carry_out(&job, |hash| batch.fetch(hash))))
        };
        match self.store.begin().and_then(|batch| look(&batch)) {
            Ok(Some(outcome)) => outcome,
            Ok(None) => hands::unknown(number),
            Err(error) => Outcome::NotWritten { reason: error.to_string() },
        }
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
        for told in hands::sweep(&self.places, paths.into_iter(), &known) {
            tracing::warn!("{told}");
            match self.write(&[Work::Decide(Box::new(Input::WatchingChanged { message: told }))], &mut None) {
                Ok(written) => moved = moved.and(written.moved),
                Err(error) => drop(self.keep_failure(&error)),
            }
        }
        let mut written = Vec::with_capacity(under_way.len());
        for write in &under_way {
            let outcome = self.job(write.decision, write.file, hands::expected_again(write), None);
            written.push((write.decision, WrittenFile { file: write.file, outcome }));
        }
        self.tell_written(written, true, &mut moved);
        self.moved.send_if_modified(|told| std::mem::replace(told, moved) != moved);
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
