//! From files that differ to batches for the sink: read, compare the content, find out whether version control wrote it,
//! and hand over. The manifest moves when the sink has taken a batch, and not before.

use std::collections::BTreeMap;
use std::sync::Arc;

use augment_core::file::{Body, ContentHash, FilePath, FileState};

use super::difference::{self, Difference};
use super::disk::Take;
use super::index::{Index, Tracked, Verdict};
use super::looking::{Eye, body_of};
use super::manifest::{Content, Entry, KnownHead, Record, head_path, split};
use super::reconcile::Gaze;
use super::repository::{Repository, object_id};
use super::stamp::{Kind, Stamp, now_ns};
use super::{Before, Cause, SeeError, Seen, SeenBatch, VcsMove};

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

/// A repository as it was last seen and as it is now.
struct Scene {
    number: usize,
    repository: Arc<Repository>,
    from: KnownHead,
    to: KnownHead,
    index: Option<Arc<Index>>,
    /// Found by a walk, or in a repository that is new: no event says when it happened, so that the repository moved
    /// has to do.
    walked: bool,
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
                Outcome::Change { seen, .. } => seen.from_vcs,
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
        let to = repository.state();
        let known = self.eye.manifest().head(&repository.folder).cloned();
        // A clone, a worktree or a submodule that has just been made was filled before its lock could be watched.
        let walked = !matches!(cause, Cause::Live) || known.is_none();
        let from = known.unwrap_or_default();
        let mut scene = Scene { number, repository, from, to, index: None, walked };
        if group.iter().any(|difference| scene.covers(difference)) {
            scene.index = self.eye.grounds.index(number);
        }
        Some(scene)
    }

    fn read(&mut self, difference: &Difference, scene: Option<&Scene>) -> Result<Outcome, SeeError> {
        let eye = Arc::clone(&self.eye);
        let scene = scene.filter(|scene| scene.covers(difference));
        let woven = eye.shelf.is_woven(difference.moved.as_ref().map_or(&difference.path, |(path, _)| path));
        let Some(stamp) = difference.now else {
            let from_vcs = scene.is_some_and(|scene| scene.took_away(difference));
            if from_vcs && !woven {
                return Ok(Outcome::Quiet { record: Record::Gone, content: None });
            }
            let now = FileState { path: difference.path.clone(), body: Body::Absent, mode: 0 };
            return change(
                &eye,
                difference,
                woven,
                Found { now, hash: None, from_vcs, record: Record::Gone, content: None },
            );
        };
        if let Some(object) = scene.filter(|_| !woven).and_then(|scene| scene.put_there(&eye, difference, &stamp)) {
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
        let vcs = scene.and_then(|scene| scene.to_move(&filling, committed));
        if filling.changes.is_empty() && vcs.is_none() {
            return self.put_off(filling);
        }
        if !filling.contents.is_empty() {
            self.eye.shelf.keep(filling.contents).map_err(|reason| SeeError::Shelf { reason })?;
        }
        let mut refreshed = filling.refreshed;
        refreshed.extend_from_slice(&self.refreshed);
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
    from_vcs: bool,
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
    change(eye, difference, woven, Found { now, hash: None, from_vcs: false, record, content: None })
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
        Some(Kept::Object(object)) => Content::Git(object),
        Some(Kept::Otherwise) | None => Content::Blob(hash),
    };
    let record = Record::There(Entry { stamp, fresh, content });
    if kept.is_some() && !woven {
        let content = (content == Content::Blob(hash)).then_some(bytes);
        return Ok(Outcome::Quiet { record, content });
    }
    let (body, content) = match stamp.kind {
        Kind::Link => (Body::Link(bytes.clone()), Some(bytes)),
        Kind::File | Kind::Special => body_of(bytes),
    };
    let hash = (stamp.kind == Kind::File).then_some(hash);
    let now = FileState { path: difference.path.clone(), body, mode: stamp.mode.into() };
    change(eye, difference, woven, Found { now, hash, from_vcs: kept.is_some(), record, content })
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

/// How version control keeps a content.
#[derive(Clone, Copy)]
enum Kept {
    /// As this object, byte for byte.
    Object([u8; 20]),
    /// As an object that was merged or converted on its way to the disk.
    Otherwise,
}

impl Scene {
    /// Whether version control may have had a hand in it at all.
    fn covers(&self, difference: &Difference) -> bool {
        if self.walked { self.from != self.to } else { difference.touched.when == When::Locked(self.number) }
    }

    fn tracked(&self, difference: &Difference) -> Option<Tracked> {
        self.index.as_deref()?.get(difference.path.as_bytes())
    }

    /// The file is gone because version control has it no more, or leaves it out of this checkout.
    fn took_away(&self, difference: &Difference) -> bool {
        let path = difference.path.as_bytes();
        match self.tracked(difference) {
            Some(tracked) => tracked.is_sparse,
            None => {
                let had_object = difference.known.is_some_and(|known| matches!(known.content, Content::Git(_)));
                let had_in_head = || self.from.head.as_ref().and_then(|head| self.repository.has_in_commit(head, path));
                self.index.is_some() && (had_object || had_in_head().is_some())
            }
        }
    }

    /// The object that the file is, without reading it: its stamp is the one in the index.
    fn put_there(&self, eye: &Eye, difference: &Difference, stamp: &Stamp) -> Option<[u8; 20]> {
        let tracked = self.tracked(difference)?;
        let index_ns = self.index.as_deref()?.written_ns;
        if stamp.size > eye.grounds.options.max_file_bytes || tracked.verdict(stamp, index_ns) != Verdict::Clean {
            return None;
        }
        let (folder, name) = split(difference.path.as_bytes());
        let (rules, _) = eye.grounds.rules_for(folder);
        let as_kept = stamp.kind == Kind::Link || eye.grounds.is_as_kept(&rules, folder, name, stamp, &tracked.object);
        as_kept.then_some(tracked.object)
    }

    /// The content is one that version control keeps for this file, or made from what it keeps.
    fn keeps(&self, difference: &Difference, bytes: &[u8]) -> Option<Kept> {
        let id = object_id(bytes)?;
        let tracked = self.tracked(difference);
        let path = difference.path.as_bytes();
        let in_head = || self.to.head.as_ref().and_then(|head| self.repository.has_in_commit(head, path)) == Some(id);
        if tracked.is_some_and(|tracked| tracked.object == id) || in_head() {
            return Some(Kept::Object(id));
        }
        // A checkout converted it: what is on disk is not the object, but what is made from it.
        if tracked.is_some_and(|tracked| object_id(&with_plain_ends(bytes)) == Some(tracked.object)) {
            return Some(Kept::Otherwise);
        }
        if self.walked {
            return None;
        }
        if tracked.is_some_and(|tracked| difference.now.is_some_and(|stamp| tracked.has_stamp(&stamp))) {
            return Some(Kept::Otherwise);
        }
        if tracked.is_some_and(|tracked| tracked.in_conflict) && has_conflict_marks(bytes) {
            return Some(Kept::Otherwise);
        }
        // A stash, or another commit's version of the file. Nothing at all is in every repository, and proves nothing.
        (!bytes.is_empty() && self.repository.keeps(&id)).then_some(Kept::Object(id))
    }

    fn is_commit(&self) -> bool {
        match (&self.from.head, &self.to.head) {
            (Some(from), Some(to)) => from != to && self.repository.is_next_commit(from, to),
            (None, Some(_)) => true,
            (Some(_) | None, None) => false,
        }
    }

    fn to_move(&self, filling: &Filling, committed: bool) -> Option<VcsMove> {
        let head_moved = self.from.head != self.to.head;
        if !head_moved && filling.quiet.is_empty() && !filling.changes.iter().any(|seen| seen.from_vcs) {
            return None;
        }
        Some(VcsMove {
            repository: FilePath::new(&*self.repository.folder).ok(),
            from: self.from.head.clone(),
            to: self.to.head.clone(),
            committed,
            quiet_paths: filling.quiet.clone(),
        })
    }
}

/// The content with line ends as git keeps them.
fn with_plain_ends(bytes: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(bytes.len());
    for (at, byte) in bytes.iter().enumerate() {
        if *byte != b'\r' || bytes.get(at + 1) != Some(&b'\n') {
            plain.push(*byte);
        }
    }
    plain
}

/// The marks that a merge leaves where both sides changed the same lines.
fn has_conflict_marks(bytes: &[u8]) -> bool {
    bytes.split(|byte| *byte == b'\n').any(|line| line.starts_with(b"<<<<<<< "))
        && bytes.split(|byte| *byte == b'\n').any(|line| line.starts_with(b">>>>>>> "))
}
