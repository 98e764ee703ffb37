//! The index file with some of its entries changed where they stand. Reading and writing every entry is what a commit of
//! one file would else cost most in a large repository; here the rest is passed on as it is. Only what keeps every entry in
//! its place is done, and only to an index that is understood to its end; everything else is left to libgit2.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::iter::Peekable;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use git2::{Oid, Repository};
use sha1::{Digest as _, Sha1};

use super::passing::{Entry, OBJECT_BYTES, Onward, Passing, ROOM, STAMP_BYTES, number};
use super::{Change, Marked, Settled, Stamp, moved_trees, not_noted};
use crate::vcs::committing::CommitError;
use crate::vcs::git::as_path;

/// What came of it.
pub(super) enum Patched {
    Done(Settled),
    /// It is more than a patch.
    TooMuch,
}

/// Why an index is not changed here.
pub(super) enum Stopped {
    /// It is more than a patch, or not understood.
    TooMuch,
    Conflicts,
    Failed(std::io::Error),
    Git(git2::Error),
}

impl From<std::io::Error> for Stopped {
    fn from(error: std::io::Error) -> Self {
        Self::Failed(error)
    }
}

impl From<git2::Error> for Stopped {
    fn from(error: git2::Error) -> Self {
        Self::Git(error)
    }
}

/// Brings the index along from one tree to another, under its lock.
pub(super) fn patch(
    git: &Repository,
    changes: &[Change],
    trees: (Oid, Oid),
    marked: Marked,
    note: &dyn Fn(&[Change]) -> std::io::Result<()>,
) -> Result<Patched, CommitError> {
    patch_by(git, changes, trees, marked, note, ROOM)
}

/// The same, with so much of the index held at a time.
fn patch_by(
    git: &Repository,
    changes: &[Change],
    trees: (Oid, Oid),
    marked: Marked,
    note: &dyn Fn(&[Change]) -> std::io::Result<()>,
    room: usize,
) -> Result<Patched, CommitError> {
    let path = git.path().join("index");
    if !std::fs::symlink_metadata(&path).is_ok_and(|found| found.is_file()) {
        return Ok(Patched::TooMuch);
    }
    let said = |error: std::io::Error| CommitError::Git(git2::Error::from_str(&format!("{}: {error}", path.display())));
    let Some(mut lock) = Lock::take(&path).map_err(said)? else { return Err(CommitError::Busy) };
    let file = File::open(&path).map_err(said)?;
    let found = file.metadata().map_err(said)?;
    let copy = Copy { file: &lock.file, sum: Sha1::new() };
    let passing = Passing::new(file, found.len(), room, copy);
    let patching = Patching {
        git,
        trees,
        top: git.workdir().unwrap_or(Path::new("")),
        written: (found.mtime(), found.mtime_nsec()),
        settled: Settled::default(),
    };
    let settled = match patching.copy(passing, changes) {
        Ok(settled) => settled,
        Err(Stopped::Conflicts) => return Err(CommitError::Conflicts),
        Err(Stopped::TooMuch) => return Ok(Patched::TooMuch),
        Err(Stopped::Failed(error)) => return Err(said(error)),
        Err(Stopped::Git(error)) => return Err(error.into()),
    };
    if let Some(place) = settled.left_alone.as_ref().filter(|_| marked == Marked::Refused) {
        return Ok(Patched::Done(Settled::refused(place)));
    }
    if !settled.taken.is_empty() {
        note(&settled.taken).map_err(not_noted)?;
        lock.put(found.mode()).map_err(said)?;
    }
    Ok(Patched::Done(settled))
}

/// Writes what goes by into the lock, and sums it up.
struct Copy<'a> {
    file: &'a File,
    sum: Sha1,
}

impl Onward for Copy<'_> {
    fn take(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.sum.update(bytes);
        self.file.write_all(bytes)
    }
}

struct Patching<'a> {
    git: &'a Repository,
    trees: (Oid, Oid),
    top: &'a Path,
    /// When the index was written.
    written: (i64, i64),
    settled: Settled,
}

impl Patching<'_> {
    /// Passes the index on with its changes, and tells which those are. Where it stops, what was written is worth nothing.
    fn copy(mut self, mut index: Passing<Copy<'_>>, changes: &[Change]) -> Result<Settled, Stopped> {
        let (version, count) = index.head()?;
        let mut wanted: Vec<&Change> = changes.iter().collect();
        wanted.sort_by(|one, other| one.place.cmp(&other.place));
        let mut wanted = wanted.into_iter().peekable();
        for _ in 0..count {
            let (entry, bytes) = index.entry(version)?;
            self.look_at(&entry, bytes, &mut wanted)?;
            index.pass(entry.length);
        }
        for change in wanted {
            self.miss(change)?;
        }
        let folders = self.moved_folders()?;
        index.extensions(|index, behind| lead_folders(index, behind, &folders))?;
        let (old_sum, copy) = index.finish()?;
        let Copy { mut file, sum } = copy;
        // A person who has the sum switched off has zeros there.
        let is_on = old_sum.iter().any(|byte| *byte != 0);
        let sum: [u8; OBJECT_BYTES] = if is_on { sum.finalize().into() } else { old_sum };
        file.write_all(&sum)?;
        Ok(self.settled)
    }

    fn look_at<'c>(
        &mut self,
        entry: &Entry,
        bytes: &mut [u8],
        wanted: &mut Peekable<impl Iterator<Item = &'c Change>>,
    ) -> Result<(), Stopped> {
        if entry.is_in_conflict() {
            return Err(Stopped::Conflicts);
        }
        if let Some(change) = self.wanted_at(entry.path(bytes), wanted)? {
            if entry.is_left_alone() {
                self.settled.left_alone.get_or_insert_with(|| change.place.clone());
            }
            let now = if entry.is_only_noted() { None } else { Some((object(bytes)?, number(bytes, 24))) };
            if needs_room(change, now) {
                return Err(Stopped::TooMuch);
            }
            if now == change.before {
                set(bytes, change);
                self.settled.taken.push(change.clone());
                return Ok(());
            }
            self.settled.leave(change, now);
        }
        if i64::from(number(bytes, 8)) >= self.written.0 {
            self.smudge(entry, bytes);
        }
        Ok(())
    }

    /// The change of the file at this path, if one is wanted; those of files before it have no entry.
    fn wanted_at<'c>(
        &mut self,
        path: &[u8],
        wanted: &mut Peekable<impl Iterator<Item = &'c Change>>,
    ) -> Result<Option<&'c Change>, Stopped> {
        // Each entry is compared once: there are many of them, and hardly a change.
        while let Some(change) = wanted.peek() {
            match change.place.as_slice().cmp(path) {
                Ordering::Less => {
                    let change = *change;
                    wanted.next();
                    self.miss(change)?;
                }
                Ordering::Equal => return Ok(wanted.next()),
                Ordering::Greater => return Ok(None),
            }
        }
        Ok(None)
    }

    /// A change of a file that has no entry.
    fn miss(&mut self, change: &Change) -> Result<(), Stopped> {
        if needs_room(change, None) {
            return Err(Stopped::TooMuch);
        }
        if change.before.is_some() {
            self.settled.leave(change, None);
        }
        Ok(())
    }

    /// An entry stamped in the second in which the index was written, or later, is read again by git because of that. A
    /// newer index would hide it, so it is either known to be untouched since, or loses the size that git trusts.
    fn smudge(&self, entry: &Entry, bytes: &mut [u8]) {
        let field = |at: usize| i64::from(number(bytes, at * 4));
        let modified = (field(2), field(3));
        let found = std::fs::symlink_metadata(self.top.join(as_path(entry.path(bytes)))).ok();
        let is_untouched = modified < self.written
            && found.is_some_and(|found| {
                let stamp = Stamp::of(&found);
                stamp.modified == modified && stamp.changed == (field(0), field(1))
            });
        if !is_untouched {
            bytes[36..40].fill(0);
        }
    }

    /// The folders on the way to what was changed.
    fn moved_folders(&self) -> Result<BTreeMap<Vec<u8>, (Oid, Oid)>, Stopped> {
        if self.settled.taken.is_empty() {
            return Ok(BTreeMap::new());
        }
        let (old, new) = (self.git.find_tree(self.trees.0)?, self.git.find_tree(self.trees.1)?);
        let places = self.settled.taken.iter().map(|change| change.place.as_slice());
        moved_trees(self.git, &old, &new, places).ok_or(Stopped::TooMuch)
    }
}

/// A folder that was noted as the old tree has it is noted as the new one has it. One that is noted otherwise, since
/// something is staged in it, would have to be forgotten, which takes other room.
fn lead_folders(
    index: &mut Passing<Copy<'_>>,
    behind: u64,
    moved: &BTreeMap<Vec<u8>, (Oid, Oid)>,
) -> Result<(), Stopped> {
    let mut place: Vec<u8> = Vec::new();
    // The folders that one is in: how long each's place is, and how many are still to come in it.
    let mut above: Vec<(usize, usize)> = Vec::new();
    while index.rest() > behind {
        let (folder, bytes) = index.folder(behind)?;
        if let Some((length, left)) = above.last_mut() {
            *left = left.checked_sub(1).ok_or(Stopped::TooMuch)?;
            place.truncate(*length);
            if *length > 0 {
                place.push(b'/');
            }
        } else {
            place.clear();
        }
        place.extend_from_slice(folder.name(bytes));
        if let Some(at) = folder.object
            && let Some((before, after)) = moved.get(&place)
        {
            let noted = &mut bytes[at..at + OBJECT_BYTES];
            if noted != before.as_bytes() {
                return Err(Stopped::TooMuch);
            }
            noted.copy_from_slice(after.as_bytes());
        }
        above.push((place.len(), folder.below));
        while above.last().is_some_and(|(_, left)| *left == 0) {
            above.pop();
        }
        index.pass(folder.length);
    }
    if above.is_empty() { Ok(()) } else { Err(Stopped::TooMuch) }
}

/// What an entry has.
fn object(entry: &[u8]) -> Result<Oid, Stopped> {
    Ok(Oid::from_bytes(&entry[STAMP_BYTES..STAMP_BYTES + OBJECT_BYTES])?)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "git keeps the lower four bytes")]
fn set(entry: &mut [u8], change: &Change) {
    let Some((id, mode)) = change.after else { return };
    let stamp = change.stamp.unwrap_or_default();
    let numbers = [
        stamp.changed.0 as u32,
        stamp.changed.1 as u32,
        stamp.modified.0 as u32,
        stamp.modified.1 as u32,
        stamp.device as u32,
        stamp.inode as u32,
        mode,
        stamp.user,
        stamp.group,
        stamp.size as u32,
    ];
    for (field, number) in numbers.into_iter().enumerate() {
        entry[field * 4..][..4].copy_from_slice(&number.to_be_bytes());
    }
    entry[STAMP_BYTES..][..OBJECT_BYTES].copy_from_slice(id.as_bytes());
}

/// Whether an entry would have to come or to go.
fn needs_room(change: &Change, now: Option<(Oid, u32)>) -> bool {
    now == change.before && now.is_none() != change.after.is_none()
}

/// The lock that every git takes before it writes the index.
struct Lock {
    file: File,
    path: PathBuf,
    index: PathBuf,
    is_put: bool,
}

impl Lock {
    /// `None` where another git has it.
    fn take(index: &Path) -> std::io::Result<Option<Self>> {
        let path = index.with_extension("lock");
        match OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path) {
            Ok(file) => Ok(Some(Self { file, path, index: index.to_owned(), is_put: false })),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// What was written becomes the index.
    fn put(&mut self, mode: u32) -> std::io::Result<()> {
        self.file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(mode & 0o7777))?;
        std::fs::rename(&self.path, &self.index)?;
        self.is_put = true;
        Ok(())
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        if !self.is_put
            && let Err(error) = std::fs::remove_file(&self.path)
        {
            tracing::warn!("{} could not be removed: {error}", self.path.display());
        }
    }
}

#[cfg(test)]
mod tests {
    use git2::{Index, Signature};

    use super::*;
    use crate::vcs::git::tree::{Edit, edited};

    /// However little is held at a time, an entry, a folder or the sum may lie across the end of it.
    #[test]
    fn an_index_comes_out_the_same_however_it_is_cut() {
        let folder = tempfile::tempdir().unwrap();
        let git = Repository::init(folder.path()).unwrap();
        let file = folder.path().join(".git/index");
        let mut index = git.index().unwrap();
        let long = "x".repeat(4_200);
        let places: Vec<String> = (0..300)
            .map(|number| format!("d{}/e{}/file-{number}", number % 7, "y".repeat(number % 40)))
            .chain([format!("d3/{long}")])
            .collect();
        for (number, place) in places.iter().enumerate() {
            let id = git.blob(number.to_string().as_bytes()).unwrap();
            let change = Change { place: place.clone().into_bytes(), before: None, after: None, stamp: None };
            index.add(&super::super::entry(&change, (id, 0o100_644), None)).unwrap();
        }
        let old = index.write_tree().unwrap();
        index.write().unwrap();
        let (before, old_tree) = (std::fs::read(&file).unwrap(), git.find_tree(old).unwrap());
        assert!(before.windows(4).any(|four| four == b"TREE"), "folders are noted");
        let who = Signature::now("a", "a@b").unwrap();
        git.commit(Some("HEAD"), &who, &who, "one", &old_tree, &[]).unwrap();

        let after = git.blob(b"new").unwrap();
        let changes: Vec<Change> = [0, 150, 299, 300]
            .map(|number| {
                let place = places[number].clone().into_bytes();
                let kept = index.get_path(as_path(&place), 0).unwrap();
                let (before, after) = (Some((kept.id, kept.mode)), Some((after, kept.mode)));
                Change { place, before, after, stamp: None }
            })
            .into();
        let edits: Vec<Edit<'_>> =
            changes.iter().map(|change| Edit { place: &change.place, after: change.after }).collect();
        let new = edited(&git, Some(&old_tree), &edits).unwrap();
        let mut made: Vec<Vec<u8>> = Vec::new();
        for room in [1, 97, 1_000, 4_096, ROOM] {
            std::fs::write(&file, &before).unwrap();
            let Patched::Done(settled) =
                patch_by(&git, &changes, (old, new), Marked::Refused, &|_| Ok(()), room).unwrap()
            else {
                panic!("with room for {room} it is left to others");
            };
            assert_eq!((settled.taken.len(), settled.otherwise.len()), (4, 0), "room for {room}");
            let bytes = std::fs::read(&file).unwrap();
            assert_eq!(bytes.len(), before.len());
            let (content, sum) = bytes.split_at(bytes.len() - OBJECT_BYTES);
            assert_eq!(sum, Sha1::digest(content).as_slice(), "room for {room}");
            made.push(bytes);
        }
        assert!(made.windows(2).all(|pair| pair[0] == pair[1]), "the room makes a difference");
        // libgit2 takes what is noted of folders at its word, so this is what they came to.
        let noted = Index::open(&file).unwrap().write_tree_to(&git).unwrap();
        assert_eq!(noted, new);
        // And without that, what the entries come to.
        let read = Index::open(&file).unwrap();
        let mut plain = Index::new().unwrap();
        read.iter().for_each(|entry| plain.add(&entry).unwrap());
        assert_eq!(plain.write_tree_to(&git).unwrap(), new);
    }

    #[test]
    fn an_index_that_ends_too_soon_is_left_to_others_and_stays_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let git = Repository::init(folder.path()).unwrap();
        let file = folder.path().join(".git/index");
        let mut index = git.index().unwrap();
        let id = git.blob(b"a").unwrap();
        let mut change = Change { place: b"d/a".to_vec(), before: None, after: Some((id, 0o100_644)), stamp: None };
        index.add(&super::super::entry(&change, (id, 0o100_644), None)).unwrap();
        let old = index.write_tree().unwrap();
        index.write().unwrap();
        change.before = change.after;
        change.after = Some((git.blob(b"b").unwrap(), 0o100_644));
        let edits = [Edit { place: &change.place, after: change.after }];
        let new = edited(&git, Some(&git.find_tree(old).unwrap()), &edits).unwrap();
        let whole = std::fs::read(&file).unwrap();
        // Cut there it looks like an index of one entry without anything noted of folders, and only its sum is wrong.
        let looks_whole = 12 + 72 + OBJECT_BYTES;
        for length in (0..whole.len()).filter(|length| *length != looks_whole) {
            std::fs::write(&file, &whole[..length]).unwrap();
            let patched = patch(&git, std::slice::from_ref(&change), (old, new), Marked::Refused, &|_| Ok(()));
            assert!(matches!(patched, Ok(Patched::TooMuch)), "{length} of {} bytes", whole.len());
            assert_eq!(std::fs::read(&file).unwrap(), whole[..length]);
            assert!(!file.with_extension("lock").exists());
        }
        std::fs::write(&file, &whole).unwrap();
        let patched = patch(&git, std::slice::from_ref(&change), (old, new), Marked::Refused, &|_| Ok(()));
        assert!(matches!(patched, Ok(Patched::Done(_))));
    }
}
