//! From files that differ to batches for the sink: read, compare the content, find out whether version control wrote it,
//! and hand over. The manifest moves when the sink has taken a batch, and not before.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use augment_core::attribution::FromVcs;
use augment_core::file::{Body, ContentHash, FilePath, FileState};

use super::difference::{self, Difference};
use super::disk::Take;
use super::looking::{Eye, body_of};
use super::manifest::{Content, Entry, Record, head_path};
use super::reconcile::Gaze;
use super::repository::object_id;
use super::scene::{Kept, Scene};
use super::stamp::{Kind, Stamp, now_ns};
use super::{Before, Cause, SeeError, Seen, SeenBatch};

/// So much content goes into one batch.
const BATCH_BYTES: usize = 32 * 1_024 * 1_024;
/// So many entries that moved with nothing to tell wait for a batch to go with. Losing one costs a read at the next start.
const MAX_REFRESHED: usize = 10_000;

/// A path that something happened to.
#[derive(Debug, Clone, Default)]
pub(super) struct Touched {
    pub(super) path: Vec<u8>,
    pub(super) when: When,
    /// An event said that it was moved from there.
    pub(super) moved_from: Option<Vec<u8>>,
    /// If it is not known, that is because it was not there. Otherwise it may have been left out until now.
    pub(super) is_new: bool,
}

/// Whether what happened to a path happened while its repository was locked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum When {
    /// No event says so.
    #[default]
    Untold,
    /// All of it, under the lock of this repository.
    Locked(usize),
    /// Some of it was not.
    Unlocked,
}

impl Touched {
    pub(super) fn at(path: Vec<u8>) -> Self {
        Self { path, ..Self::default() }
    }

    pub(super) fn join(&mut self, other: Self) {
        self.when = match (self.when, other.when) {
            (When::Untold, when) | (when, When::Untold) => when,
            (one, other) if one == other => one,
            (When::Locked(_) | When::Unlocked, When::Locked(_) | When::Unlocked) => When::Unlocked,
        };
        self.moved_from = other.moved_from.or(self.moved_from.take());
        self.is_new |= other.is_new;
    }
}

/// What became of one difference.
enum Outcome {
    Nothing,
    Refreshed(Record),
    Quiet { record: Record, content: Option<Vec<u8>> },
    Change { seen: Box<Seen>, record: Record, content: Option<Vec<u8>> },
}

#[derive(Default)]
struct Filling {
    changes: Vec<Seen>,
    quiet: Vec<(FilePath, Vec<u8>)>,
    refreshed: Vec<(FilePath, Record)>,
    records: Vec<(FilePath, Record)>,
    contents: Vec<Vec<u8>>,
    bytes: usize,
}

impl Gaze {
    /// Looks at touched paths and hands over what differs. After an error the same paths have to be offered again.
    pub(super) fn hand_over(&mut self, touched: Vec<Touched>, cause: &Cause) -> Result<(), SeeError> {
        self.eye.grounds.forget_indexes();
        let differences = difference::find(&self.eye, touched);
        let mut groups: BTreeMap<Option<usize>, Vec<Difference>> = BTreeMap::new();
        for difference in differences {
            let number = self.eye.grounds.repository_of(difference.path.as_bytes());
            groups.entry(number).or_default().push(difference);
        }
        // A walk cannot tell which repositories moved.
        let stirred = std::mem::take(&mut self.stirred);
        for (number, _) in self.eye.grounds.repositories() {
            if *cause != Cause::Live || stirred.contains(&number) {
                groups.entry(Some(number)).or_default();
            }
        }
        let handed = groups.into_iter().try_for_each(|(number, group)| self.hand_over_group(number, group, cause));
        self.eye.grounds.forget_indexes();
        if handed.is_err() {
            self.stirred.extend(stirred);
        }
        handed
    }

    fn hand_over_group(
        &mut self,
        number: Option<usize>,
        group: Vec<Difference>,
        cause: &Cause,
    ) -> Result<(), SeeError> {
        let scene = number.and_then(|number| self.scene(number, &group, cause));
        let mut filling = Filling::default();
        let mut any_by_vcs = false;
        for difference in &group {
            let outcome = self.read(difference, scene.as_ref())?;
            any_by_vcs |= match &outcome {
                Outcome::Quiet { .. } => true,
                Outcome::Change { seen, .. } => seen.from_vcs == FromVcs::Yes,
                Outcome::Nothing | Outcome::Refreshed(_) => false,
            };
            filling.take(difference, outcome);
            if filling.bytes >= BATCH_BYTES {
                self.emit(std::mem::take(&mut filling), scene.as_ref(), false, cause)?;
            }
        }
        let mut committed = false;
        if let Some(scene) = scene.as_ref().filter(|scene| scene.from != scene.to) {
            committed = !any_by_vcs && scene.is_commit();
            let record = Record::Head(scene.to.clone());
            filling.refreshed.extend(head_path(&scene.repository.folder).map(|path| (path, record)));
        }
        self.emit(filling, scene.as_ref(), committed, cause)
    }

    /// The repository of a group; its index is only read when something in the group may come from it.
    fn scene(&self, number: usize, group: &[Difference], cause: &Cause) -> Option<Scene> {
        let repository = self.eye.grounds.repository(number)?;
        let known = self.eye.manifest().head(&repository.folder).cloned();
        let mut scene = Scene::new(number, repository, known, !matches!(cause, Cause::Live));
        if group.iter().any(|difference| scene.covers(difference)) {
            scene.index = self.eye.grounds.index(number);
        }
        Some(scene)
    }

    fn read(&mut self, difference: &Difference, scene: Option<&Scene>) -> Result<Outcome, SeeError> {
        let eye = Arc::clone(&self.eye);
        let woven = eye.shelf.is_woven(difference.moved.as_ref().map_or(&difference.path, |(path, _)| path));
        let Some(stamp) = difference.now else {
            let from_vcs = scene.map_or(FromVcs::No, |scene| scene.took_away(difference));
            let discards = from_vcs != FromVcs::No && scene.is_some_and(|scene| scene.discards(&eye, difference));
            if from_vcs == FromVcs::Yes && !woven && !discards {
                return Ok(Outcome::Quiet { record: Record::Gone, content: None });
            }
            let now = FileState { path: difference.path.clone(), body: Body::Absent, mode: 0 };
            return change(
                &eye,
                difference,
                woven,
                Found { now, hash: None, from_vcs, discards, record: Record::Gone, content: None },
            );
        };
        let quick = scene.filter(|scene| !woven && scene.covers(difference) && !scene.discards(&eye, difference));
        if let Some(object) = quick.and_then(|scene| scene.put_there(&eye, difference, &stamp)) {
            let record = Record::There(Entry { stamp, fresh: false, content: Content::Git(object) });
            return Ok(Outcome::Quiet { record, content: None });
        }
        let (bytes, stamp, restless) = match self.take(difference, stamp) {
            Some(Reading::Bytes { bytes, stamp, restless }) => (bytes, stamp, restless),
            Some(Reading::Without { body, stamp }) => return without_content(&eye, difference, woven, body, stamp),
            None => return Ok(Outcome::Nothing),
        };
        judge(&eye, difference, scene, woven, (bytes, stamp, restless))
    }

    /// Reads a file or a link. `None` when it is something else by now; then it will be looked at again.
    fn take(&mut self, difference: &Difference, stamp: Stamp) -> Option<Reading> {
        let path = difference.path.as_bytes();
        let disk = &self.eye.grounds.disk;
        let failed = match stamp.kind {
            Kind::Special => return Some(Reading::Without { body: Body::Special, stamp }),
            Kind::Link => match disk.take_link(path) {
                Ok(bytes) => return Some(Reading::Bytes { bytes, stamp, restless: false }),
                Err(_) => None,
            },
            Kind::File => match disk.take_file(path, self.eye.grounds.options.max_file_bytes) {
                Ok(Take::Taken(taken)) => {
                    if taken.restless {
                        self.again.push(difference.touched.clone());
                    }
                    let (bytes, stamp, restless) = (taken.bytes, taken.stamp, taken.restless);
                    return Some(Reading::Bytes { bytes, stamp, restless });
                }
                Ok(Take::TooLarge(stamp)) => {
                    let body = Body::Large { length: stamp.size, changed_ns: stamp.modified_ns };
                    return Some(Reading::Without { body, stamp });
                }
                Ok(Take::Changed) => None,
                Err(error) => Some(error),
            },
        };
        match failed {
            None => self.again.push(difference.touched.clone()),
            Some(error) => {
                let path = &difference.path;
                let sentence =
                    format!("{path} cannot be read ({error}), so its changes are not seen. Check its permissions.");
                self.eye.grounds.note(&format!("unreadable {path}"), &sentence);
            }
        }
        None
    }

    fn emit(
        &mut self,
        filling: Filling,
        scene: Option<&Scene>,
        committed: bool,
        cause: &Cause,
    ) -> Result<(), SeeError> {
        let changed_files = filling.changes.iter().any(|seen| seen.from_vcs == FromVcs::Yes);
        let vcs = scene.and_then(|scene| scene.to_move(&filling.quiet, changed_files, committed));
        if filling.changes.is_empty() && vcs.is_none() {
            return self.put_off(filling);
        }
        if !filling.contents.is_empty() {
            self.eye.shelf.keep(filling.contents).map_err(|reason| SeeError::Shelf { reason })?;
        }
        let mut refreshed = filling.refreshed;
        // What was put off is older than what is told now of the same path.
        let told: HashSet<&FilePath> = filling.records.iter().chain(&refreshed).map(|(path, _)| path).collect();
        let put_off: Vec<_> = self.refreshed.iter().filter(|(path, _)| !told.contains(path)).cloned().collect();
        refreshed.extend(put_off);
        let batch = SeenBatch {
            changes: filling.changes,
            cause: cause.clone(),
            vcs,
            refreshed: refreshed.iter().map(|(path, record)| (path.clone(), record.encode())).collect(),
            generation: self.generation + 1,
        };
        self.eye.sink.seen(batch).map_err(|reason| SeeError::NotTaken { reason })?;
        self.generation += 1;
        self.refreshed.clear();
        self.overrides += filling.records.len() + refreshed.len();
        let mut manifest = self.eye.manifest_mut();
        for (path, record) in filling.records.iter().chain(&refreshed) {
            manifest.apply(path.as_bytes(), record);
        }
        Ok(())
    }

    /// Nothing to tell: what is known moves at once, and is kept when there is something to tell.
    fn put_off(&mut self, filling: Filling) -> Result<(), SeeError> {
        let mut manifest = self.eye.manifest_mut();
        for (path, record) in filling.refreshed {
            manifest.apply(path.as_bytes(), &record);
            self.refreshed.push((path, record));
        }
        if self.refreshed.len() > MAX_REFRESHED {
            self.refreshed.clear();
        }
        Ok(())
    }
}

/// What was found under a path.
enum Reading {
    Bytes {
        bytes: Vec<u8>,
        stamp: Stamp,
        restless: bool,
    },
    /// A pipe, or more than is ever read.
    Without {
        body: Body,
        stamp: Stamp,
    },
}

/// A file as it is now, on its way into a batch.
struct Found {
    now: FileState,
    hash: Option<ContentHash>,
    from_vcs: FromVcs,
    discards: bool,
    record: Record,
    content: Option<Vec<u8>>,
}

fn without_content(
    eye: &Eye,
    difference: &Difference,
    woven: bool,
    body: Body,
    stamp: Stamp,
) -> Result<Outcome, SeeError> {
    let record = Record::There(Entry { stamp, fresh: false, content: Content::Nothing });
    let same = difference.known.is_some_and(|known| {
        known.content == Content::Nothing && known.stamp.mode == stamp.mode && known.stamp.is_same_file(&stamp)
    });
    if same && difference.moved.is_none() {
        return Ok(Outcome::Refreshed(record));
    }
    let now = FileState { path: difference.path.clone(), body, mode: stamp.mode.into() };
    change(
        eye,
        difference,
        woven,
        Found { now, hash: None, from_vcs: FromVcs::No, discards: false, record, content: None },
    )
}

/// Compares content that was read with what is known, and with what version control keeps.
fn judge(
    eye: &Eye,
    difference: &Difference,
    scene: Option<&Scene>,
    woven: bool,
    (bytes, stamp, restless): (Vec<u8>, Stamp, bool),
) -> Result<Outcome, SeeError> {
    let fresh = restless || stamp.is_fresh(now_ns());
    let hash = ContentHash::of(&bytes);
    if let Some(known) = difference.known.filter(|known| is_same(known, &stamp, &bytes, hash)) {
        return Ok(Outcome::Refreshed(Record::There(Entry { stamp, fresh, content: known.content })));
    }
    let kept = scene.and_then(|scene| scene.keeps(difference, &bytes));
    let content = match kept {
        Some((Kept::Object(object), _)) => Content::Git(object),
        Some((Kept::Otherwise, _)) | None => Content::Blob(hash),
    };
    let from_vcs = kept.map_or(FromVcs::No, |(_, from_vcs)| from_vcs);
    let record = Record::There(Entry { stamp, fresh, content });
    let discards = from_vcs != FromVcs::No && scene.is_some_and(|scene| scene.discards(eye, difference));
    if from_vcs == FromVcs::Yes && !woven && !discards {
        let content = (content == Content::Blob(hash)).then_some(bytes);
        return Ok(Outcome::Quiet { record, content });
    }
    let (body, content) = match stamp.kind {
        Kind::Link => (Body::Link(bytes.clone()), Some(bytes)),
        Kind::File | Kind::Special => body_of(bytes),
    };
    let hash = (stamp.kind == Kind::File).then_some(hash);
    let now = FileState { path: difference.path.clone(), body, mode: stamp.mode.into() };
    change(eye, difference, woven, Found { now, hash, from_vcs, discards, record, content })
}

fn is_same(known: &Entry, stamp: &Stamp, bytes: &[u8], hash: ContentHash) -> bool {
    let same_content = match known.content {
        Content::Blob(known) => known == hash,
        Content::Git(id) => object_id(bytes) == Some(id),
        Content::NotKept | Content::Nothing => false,
    };
    same_content && (known.stamp.kind, known.stamp.mode) == (stamp.kind, stamp.mode)
}

fn change(eye: &Eye, difference: &Difference, woven: bool, found: Found) -> Result<Outcome, SeeError> {
    let before = if woven {
        Before::NotNeeded
    } else if let Some((path, entry)) = &difference.moved {
        eye.base_of(path, Some(entry))?
    } else if difference.known.is_none() && !difference.touched.is_new {
        Before::Unknown("It was left out until now.".into())
    } else {
        eye.base_of(&difference.path, difference.known.as_ref())?
    };
    let seen = Seen {
        path: difference.path.clone(),
        now: found.now,
        content_hash: found.hash,
        before,
        from_vcs: found.from_vcs,
        discards: found.discards,
        renamed_from: difference.moved.as_ref().map(|(path, _)| path.clone()),
        entry: found.record.encode(),
    };
    Ok(Outcome::Change { seen: Box::new(seen), record: found.record, content: found.content })
}

impl Filling {
    fn take(&mut self, difference: &Difference, outcome: Outcome) {
        let path = difference.path.clone();
        match outcome {
            Outcome::Nothing => {}
            Outcome::Refreshed(record) => self.refreshed.push((path, record)),
            Outcome::Quiet { record, content } => {
                self.keep(content);
                self.quiet.push((path.clone(), record.encode()));
                self.records.push((path, record));
            }
            Outcome::Change { seen, record, content } => {
                self.keep(content);
                self.bytes +=
                    weight(&seen.now) + if let Before::Known(state) = &seen.before { weight(state) } else { 0 };
                if let Some(from) = &seen.renamed_from {
                    self.refreshed.push((from.clone(), Record::Gone));
                }
                self.changes.push(*seen);
                self.records.push((path, record));
            }
        }
    }

    fn keep(&mut self, content: Option<Vec<u8>>) {
        self.bytes += content.as_ref().map_or(0, Vec::len);
        self.contents.extend(content);
    }
}

/// What a file holds in memory, with something for its path and the rest.
fn weight(state: &FileState) -> usize {
    let body = match &state.body {
        Body::Text(bytes) | Body::Link(bytes) => bytes.len(),
        Body::Absent | Body::Whole { .. } | Body::Large { .. } | Body::Special => 0,
    };
    body + 256
}
