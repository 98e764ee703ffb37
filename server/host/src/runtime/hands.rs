//! Carrying out what a decision means for files: through the editor that has unsaved text, else on disk, where what is
//! there must be what the decision was made about.

use std::sync::Arc;

use augment_core::attribution::is_written;
use augment_core::file::{Body, ContentHash, FilePath, FileState};
use augment_core::review::{DecisionId, FileNumber, FileWrite, Outcome, TrackedFile};
use augment_core::weave::DecisionNo;
use augment_core::written_text::{MARK, WrittenAs};

use super::eyes::Eyes;
use crate::editors::{EditOrder, Editors, OpenText, line_edits};
use crate::files::{
    self, Change, Expected, ExpectedThing, HardLinks, Look, Root, Seen, Thing, Wanted, WriteError, Written,
};
use crate::store::{StoreError, UnderWay, Was};
use crate::workspace::Places;

/// Files larger than this are never written, whatever the settings say.
const MAX_BYTES: u64 = 1_100 * 1_024 * 1_024;

#[derive(Debug)]
pub(super) struct Hands {
    root: Result<Root, String>,
    editors: Arc<Editors>,
    eyes: Arc<Eyes>,
}

/// So much content is held for files that are written together.
const MAX_TOGETHER_BYTES: usize = 16 * 1_024 * 1_024;

/// Changes that are made together, each with the place of its job.
#[derive(Default)]
struct Together {
    jobs: Vec<usize>,
    changes: Vec<Change>,
    bytes: usize,
}

impl Together {
    fn add(&mut self, job: usize, change: Change) {
        self.bytes += match &change.wanted.thing {
            Thing::File { content, .. } => content.len(),
            Thing::Link(_) | Thing::Absent => 0,
        };
        self.jobs.push(job);
        self.changes.push(change);
    }
}

/// Why something was not put in its place.
pub(super) enum PutError {
    /// Something else is there by now.
    Differs,
    Failed(String),
}

/// One file to be written, with what there is to know about it.
pub(super) struct Job<'a> {
    pub(super) decision: DecisionId,
    pub(super) expected: Expected,
    pub(super) after: FileState,
    pub(super) file: &'a TrackedFile,
    pub(super) weave_decision: Option<DecisionNo>,
}

impl Hands {
    pub(super) fn new(places: &Places, editors: Arc<Editors>, eyes: Arc<Eyes>) -> Self {
        let root = Root::open(&places.root, MAX_BYTES, HardLinks::Separate).map_err(|error| error.to_string());
        Self { root, editors, eyes }
    }

    /// Does the jobs in their order, or says of each why not. `fetch` gives content of the blob store.
    pub(super) fn carry_out(
        &self,
        jobs: &[Job<'_>],
        fetch: impl Fn(ContentHash) -> Result<Option<Vec<u8>>, StoreError>,
    ) -> Vec<Outcome> {
        let mut outcomes: Vec<Option<Outcome>> = jobs.iter().map(|_| None).collect();
        let mut together = Together::default();
        for (at, job) in jobs.iter().enumerate() {
            let change = match self.plan(job, &fetch) {
                Ok(wanted) => Change { expected: job.expected.clone(), wanted },
                Err(outcome) => {
                    outcomes[at] = Some(outcome);
                    continue;
                }
            };
            // A folder in which nothing is left goes before the file that had its name comes back.
            if together.bytes >= MAX_TOGETHER_BYTES || together.changes.iter().any(|other| other.is_near(&change)) {
                self.on_disk(jobs, std::mem::take(&mut together), &mut outcomes);
            }
            together.add(at, change);
        }
        self.on_disk(jobs, together, &mut outcomes);
        outcomes.into_iter().map(|outcome| outcome.expect("every job is planned, and then done")).collect()
    }

    fn on_disk(&self, jobs: &[Job<'_>], together: Together, outcomes: &mut [Option<Outcome>]) {
        let root = match &self.root {
            Ok(root) => root,
            Err(reason) => {
                for at in together.jobs {
                    outcomes[at] = Some(not_written(reason.clone()));
                }
                return;
            }
        };
        let _away = self.eyes.look_away();
        let results = files::replace_all(root, &together.changes);
        for ((at, change), result) in together.jobs.into_iter().zip(&together.changes).zip(results) {
            outcomes[at] = Some(match accept(root, change, result) {
                Ok(()) => self.conclude(root, jobs, &jobs[at]),
                Err(reason) => not_written(reason),
            });
        }
    }

    /// What is at a path.
    pub(super) fn look(&self, path: &FilePath) -> Result<Look, String> {
        files::look(self.root.as_ref().map_err(Clone::clone)?, path).map_err(|error| error.to_string())
    }

    /// Whether an editor shows something else than what is on disk.
    pub(super) fn is_unsaved(&self, path: &FilePath, hash: Option<ContentHash>) -> bool {
        self.editors.is_unsaved(path, hash)
    }

    /// Puts something in its place, if what is expected is there. The eyes see it like anybody's write.
    pub(super) fn put(&self, expected: Expected, thing: Thing) -> Result<(), PutError> {
        let root = self.root.as_ref().map_err(|reason| PutError::Failed(reason.clone()))?;
        let wanted = Wanted { path: expected.path.clone(), thing };
        match files::replace(root, &expected, &wanted) {
            Ok(_) => Ok(()),
            Err(error) if error.is_difference() => Err(PutError::Differs),
            Err(error) => Err(PutError::Failed(error.to_string())),
        }
    }

    /// The hash of what a file holds; `None` where there is none, or it cannot be read.
    pub(super) fn hash(&self, path: &FilePath) -> Option<ContentHash> {
        files::look(self.root.as_ref().ok()?, path).ok()?.hash
    }

    /// What is to be written on disk; or else what came of it, through an editor or because it cannot be.
    fn plan(
        &self,
        job: &Job<'_>,
        fetch: impl Fn(ContentHash) -> Result<Option<Vec<u8>>, StoreError>,
    ) -> Result<Wanted, Outcome> {
        let path = &job.expected.path;
        let mut unsaved = self.editors.texts_of(path);
        unsaved.retain(|open| is_unsaved(open, &job.expected));
        match &unsaved[..] {
            [] => {
                let thing = thing(&job.after, fetch).map_err(not_written)?;
                Ok(Wanted { path: job.after.path.clone(), thing })
            }
            [open] => Err(self.through_editor(job, open)),
            [_, _, ..] => Err(not_written(format!(
                "{path} has unsaved text in {} editors at once. Save it in one of them and close it in the others, \
                 then repeat.",
                unsaved.len()
            ))),
        }
    }

    /// What follows when a job's file is as it shall be.
    fn conclude(&self, root: &Root, jobs: &[Job<'_>], job: &Job<'_>) -> Outcome {
        let moves = job.expected.path != job.after.path;
        if moves || job.after.body == Body::Absent {
            tidy(root, &job.expected.path, jobs);
        }
        self.eyes.wrote(&job.after, moves.then_some(&job.expected.path));
        Outcome::Written
    }

    /// Asks the editor to change its text; the person saves it. What the editor answers comes later.
    fn through_editor(&self, job: &Job<'_>, open: &OpenText) -> Outcome {
        let not = |reason: &str| Outcome::NotWritten {
            reason: format!(
                "{} has unsaved text in an editor, and {reason}. Save it or close it, then repeat.",
                job.expected.path
            ),
        };
        let Some(weave_decision) = job.weave_decision else { return not("the change is not known any more") };
        // The editor shows the text without a mark in front of it, which the file has and keeps.
        let mark = match &job.after.body {
            Body::Text(content) if WrittenAs::of(content) == WrittenAs::Marked => MARK,
            Body::Text(_) | Body::Absent | Body::Whole { .. } | Body::Link(_) | Body::Large { .. } | Body::Special => {
                ""
            }
        };
        let text = format!("{mark}{}", open.text);
        let Some(after) = job.file.weave.over(weave_decision, text.as_bytes()) else {
            return not("the decision is about more than its text");
        };
        // What was said yes to knows nothing of such a text. Once it is saved, the result is shown first.
        if after != text.as_bytes() && job.file.weave.is_entangled_with(weave_decision, text.as_bytes()) {
            let reason = format!(
                "{} has unsaved text in an editor, inside of what would be taken out. Save it, then repeat: you see the \
                 result before anything is done.",
                job.expected.path
            );
            return Outcome::NotWritten { reason };
        }
        let Ok(after) = String::from_utf8(after) else { return not("the result is no text") };
        let after = after.strip_prefix(mark).unwrap_or(&after);
        let order = EditOrder {
            path: job.expected.path.clone(),
            version: open.version,
            edits: line_edits(&open.text, after),
            decision: job.decision,
            file: job.file.number,
        };
        if self.editors.order(open.editor, order) { Outcome::InEditor } else { not("the editor has gone") }
    }
}

fn not_written(reason: String) -> Outcome {
    tracing::warn!("{reason}");
    Outcome::NotWritten { reason }
}

/// A state as a thing on disk.
fn thing(
    after: &FileState,
    fetch: impl Fn(ContentHash) -> Result<Option<Vec<u8>>, StoreError>,
) -> Result<Thing, String> {
    match &after.body {
        Body::Absent => Ok(Thing::Absent),
        Body::Text(text) => Ok(Thing::File { content: text.clone(), mode: after.mode }),
        Body::Whole { hash, .. } => {
            let content = fetch(*hash).map_err(|error| error.to_string())?;
            let content = content.ok_or_else(|| {
                format!("The earlier content of {} is no longer kept. Nothing was changed.", after.path)
            })?;
            Ok(Thing::File { content, mode: after.mode })
        }
        Body::Link(target) => Ok(Thing::Link(target.clone())),
        Body::Large { .. } | Body::Special => {
            Err(format!("{} cannot be written by us. Nothing was changed.", after.path))
        }
    }
}

/// A disk that fails at the very end may have done it all the same. What is there counts.
fn accept(root: &Root, change: &Change, written: Result<Written, WriteError>) -> Result<(), String> {
    let Err(error) = written else { return Ok(()) };
    if !is_done(root, change) {
        return Err(error.to_string());
    }
    tracing::warn!("{} was written, but may not survive a loss of power: {error}", change.wanted.path);
    Ok(())
}

/// Whether what was wanted is there, and nothing is left at the path that it had before.
fn is_done(root: &Root, Change { expected, wanted }: &Change) -> bool {
    let there = |path: &FilePath, thing: &Thing| files::look(root, path).is_ok_and(|found| found.thing == *thing);
    there(&wanted.path, &wanted.thing) && (expected.path == wanted.path || there(&expected.path, &Thing::Absent))
}

/// A folder that is left empty stays: nobody knows who made it, and it may have been there before. Only what lies where one of
/// these jobs brings a file back goes, since it came after that file.
fn tidy(root: &Root, path: &FilePath, jobs: &[Job<'_>]) {
    let is_wanted =
        |folder: &FilePath| jobs.iter().any(|job| job.after.body != Body::Absent && job.after.path == *folder);
    let folders: Vec<FilePath> = std::iter::successors(path.folder(), FilePath::folder).collect();
    let Some(outermost) = folders.iter().rposition(is_wanted) else { return };
    if let Err(error) = files::tidy_folders(root, path, &folders[..=outermost]) {
        tracing::warn!("{error}");
    }
}

/// Whether an editor shows something else than what is on disk.
fn is_unsaved(open: &OpenText, expected: &Expected) -> bool {
    match &expected.thing {
        ExpectedThing::File { hash, .. } => !is_written(open.text.as_bytes(), *hash),
        ExpectedThing::Absent | ExpectedThing::Link(_) => false,
    }
}

/// What must be there before a write.
pub(super) fn expected(write: &FileWrite) -> Expected {
    expect(&write.before.path, Was::of(&write.before.body), write.before.mode)
}

/// What must be there before a write that another process had begun.
pub(super) fn expected_again(write: &UnderWay) -> Expected {
    expect(&write.path, write.was.clone(), write.mode)
}

fn expect(path: &FilePath, was: Was, mode: u32) -> Expected {
    let thing = match was {
        Was::Absent => ExpectedThing::Absent,
        Was::File(hash) => ExpectedThing::File { hash, mode: Some(mode) },
        Was::Link(target) => ExpectedThing::Link(target),
    };
    Expected { path: path.clone(), thing }
}

/// What a killed process left in the folders of these files: its own leavings go, and so does what is `known`, because the
/// store has it; what may be somebody's only copy stays and is told.
pub(super) fn sweep(places: &Places, paths: impl Iterator<Item = FilePath>, known: &[Was]) -> Vec<String> {
    let (_, kept) = leavings(places, paths, known);
    let told = kept.iter().map(|kept| {
        format!("A process that was ended in the middle left {kept}: it may be somebody's only copy. Look at it.")
    });
    told.collect()
}

/// What a process of ours left beside these files goes, unless it may be somebody's only copy; says what went, and what stays.
pub(super) fn leavings(
    places: &Places,
    paths: impl Iterator<Item = FilePath>,
    known: &[Was],
) -> (Vec<FilePath>, Vec<FilePath>) {
    let (mut removed, mut kept) = (Vec::new(), Vec::new());
    let Ok(root) = Root::open(&places.root, MAX_BYTES, HardLinks::Separate) else { return (removed, kept) };
    let folders: std::collections::BTreeSet<Option<FilePath>> = paths.map(|path| path.folder()).collect();
    let is_known = |seen: &Seen| match seen {
        Seen::Absent => true,
        Seen::File { hash, .. } => known.contains(&Was::File(*hash)),
        Seen::Link(target) => known.contains(&Was::Link(target.clone())),
        Seen::Large { .. } | Seen::Folder | Seen::Special => false,
    };
    for folder in folders {
        match files::sweep(&root, folder.as_ref(), is_known) {
            Ok(swept) => {
                removed.extend(swept.removed);
                kept.extend(swept.kept);
            }
            Err(error) => tracing::warn!("what an earlier process may have left could not be looked for: {error}"),
        }
    }
    (removed, kept)
}

/// Names a file in a message where only its number is left.
pub(super) fn unknown(file: FileNumber) -> Outcome {
    Outcome::NotWritten { reason: format!("The story of file {} is not known any more.", file.0) }
}
