//! The person's index after a commit that did not go through it. An entry that was as the old commit had it becomes as the
//! new one has it; what was staged otherwise stays, and is named. Conflicts and another git at work are refused, and then
//! nothing is written.

mod left_alone;
mod passing;
mod patching;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::Metadata;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use augment_core::file::FilePath;
use git2::{ErrorCode, Index, IndexEntry, IndexTime, ObjectType, Oid, Repository, Tree};

pub(super) use self::left_alone::left_alone;
use self::patching::Patched;
use super::tree::Kept;
use super::{CommitError, HistoryError, Result, as_path};

/// In an entry's second flags: only the intent to add the file is noted, not the file.
const INTENT_TO_ADD: u16 = 1 << 13;
const SPLIT: &str = "it is split into two files, which is not understood here. Join it with `git update-index --no-split-index`, then repeat.";
const SPARSE: &str = "it holds whole folders as entries, or something newer, which is not understood here. Write it out with `git sparse-checkout reapply --no-sparse-index`, then repeat.";

/// What becomes of one file.
#[derive(Debug, Clone)]
pub(super) struct Change {
    pub(super) place: Vec<u8>,
    pub(super) before: Option<Kept>,
    pub(super) after: Option<Kept>,
    /// The file's stamp, where the disk holds exactly what is committed.
    pub(super) stamp: Option<Stamp>,
}

impl Change {
    pub(super) fn reversed(&self) -> Self {
        Self { place: self.place.clone(), before: self.after, after: self.before, stamp: None }
    }
}

/// What git keeps of a file's state, to see without reading that it is the same.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Stamp {
    changed: (i64, i64),
    modified: (i64, i64),
    device: u64,
    inode: u64,
    user: u32,
    group: u32,
    size: u64,
}

impl Stamp {
    fn of(found: &Metadata) -> Self {
        Self {
            changed: (found.ctime(), found.ctime_nsec()),
            modified: (found.mtime(), found.mtime_nsec()),
            device: found.dev(),
            inode: found.ino(),
            user: found.uid(),
            group: found.gid(),
            size: found.size(),
        }
    }

    /// The stamp of a file, if it holds this content and held it while it was read.
    pub(super) fn of_file(path: &Path, content: &[u8]) -> Option<Self> {
        let before = std::fs::symlink_metadata(path).ok()?;
        if !before.is_file() || before.len() != content.len() as u64 || std::fs::read(path).ok()? != content {
            return None;
        }
        Self::unmoved(path, &before)
    }

    /// The stamp of a link, if it leads there.
    pub(super) fn of_link(path: &Path, target: &[u8]) -> Option<Self> {
        let before = std::fs::symlink_metadata(path).ok()?;
        if !before.is_symlink() || std::fs::read_link(path).ok()?.as_os_str().as_bytes() != target {
            return None;
        }
        Self::unmoved(path, &before)
    }

    fn unmoved(path: &Path, before: &Metadata) -> Option<Self> {
        let stamp = Self::of(before);
        let after = std::fs::symlink_metadata(path).ok()?;
        (Self::of(&after) == stamp).then_some(stamp)
    }
}

/// Refused where another git is at work.
pub(super) fn free(git: &Repository) -> Result<()> {
    if git.path().join("index.lock").exists() { Err(CommitError::Busy.into()) } else { Ok(()) }
}

/// Refused where the index holds conflicts, or another git is at work.
pub(super) fn check(git: &Repository) -> Result<()> {
    fresh(git).map(drop)
}

fn fresh(git: &Repository) -> Result<Index> {
    free(git)?;
    let index = read(git)?;
    if index.has_conflicts() { Err(CommitError::Conflicts.into()) } else { Ok(index) }
}

pub(super) fn read(git: &Repository) -> Result<Index> {
    let mut index = git.index().map_err(not_understood)?;
    index.read(false).map_err(not_understood)?;
    Ok(index)
}

/// libgit2 knows neither an index in two files nor one with whole folders as entries, and names them by four letters.
fn not_understood(error: git2::Error) -> HistoryError {
    let said = error.message();
    if !said.contains("mandatory extension") {
        return error.into();
    }
    let words = if said.contains("link") { SPLIT } else { SPARSE };
    HistoryError::Refused { what: "The work with git's index".into(), words: words.into() }
}

/// What came of bringing the index along.
#[derive(Debug, Default)]
pub(super) struct Settled {
    /// The changes that are in the index now.
    pub(super) taken: Vec<Change>,
    /// Where what the new commit has was staged already.
    pub(super) staged: Vec<Vec<u8>>,
    /// Where something is staged that neither the one nor the other commit has.
    pub(super) otherwise: Vec<Vec<u8>>,
    /// The first place where the person told git to leave a file alone: what the disk says of it is not meant. Where that is
    /// refused, nothing was written.
    pub(super) left_alone: Option<Vec<u8>>,
}

impl Settled {
    /// What is staged is not as the old commit has it, and stays.
    fn leave(&mut self, change: &Change, now: Option<Kept>) {
        let place = change.place.clone();
        if now == change.after { self.staged.push(place) } else { self.otherwise.push(place) }
    }

    fn refused(place: &[u8]) -> Self {
        Self { left_alone: Some(place.to_vec()), ..Self::default() }
    }
}

/// What is done about a file that the person told git to leave alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Marked {
    /// It stops everything.
    Refused,
    /// Its entry comes along as well: what was committed before the mark is taken back.
    Brought,
}

/// Brings the index along from one tree to another.
pub(super) fn settle(
    git: &Repository,
    changes: &[Change],
    trees: Option<(Oid, Oid)>,
    marked: Marked,
) -> Result<Settled> {
    settle_noted(git, changes, trees, marked, &|_| Ok(()))
}

/// The same, with what will be in the index noted right before it is: whatever ends the process, it can be put back.
pub(super) fn settle_noted(
    git: &Repository,
    changes: &[Change],
    trees: Option<(Oid, Oid)>,
    marked: Marked,
    note: &dyn Fn(&[Change]) -> std::io::Result<()>,
) -> Result<Settled> {
    if let Some(trees) = trees
        && let Patched::Done(settled) = patching::patch(git, changes, trees, marked, note)?
    {
        return Ok(settled);
    }
    let mut index = fresh(git)?;
    let settled = weighed(&index, changes, marked)?;
    for change in &settled.taken {
        let known = index.get_path(as_path(&change.place), 0);
        match change.after {
            Some(after) => index.add(&entry(change, after, known.as_ref()))?,
            None if known.is_some() => index.remove_path(as_path(&change.place))?,
            None => {}
        }
    }
    if !settled.taken.is_empty() {
        smudge(git, &mut index)?;
        note(&settled.taken).map_err(not_noted)?;
        write(&mut index)?;
    }
    Ok(settled)
}

/// What would come of it; nothing is written.
pub(super) fn weigh(git: &Repository, changes: &[Change], marked: Marked) -> Result<Settled> {
    weighed(&fresh(git)?, changes, marked)
}

/// What is taken comes in the order in which it can be done.
fn weighed(index: &Index, changes: &[Change], marked: Marked) -> Result<Settled> {
    let mut settled = Settled::default();
    // What goes makes room for what comes.
    let mut gone: BTreeSet<&[u8]> = BTreeSet::new();
    let (going, coming): (Vec<&Change>, Vec<&Change>) = changes.iter().partition(|change| change.after.is_none());
    for change in going.into_iter().chain(coming) {
        let known = index.get_path(as_path(&change.place), 0);
        if marked == Marked::Refused && known.as_ref().is_some_and(left_alone::is_marked) {
            return Ok(Settled::refused(&change.place));
        }
        let is_noted = known.as_ref().is_some_and(|known| known.flags_extended & INTENT_TO_ADD != 0);
        let now = known.as_ref().filter(|_| !is_noted).map(|known| (known.id, known.mode));
        if now != change.before {
            settled.leave(change, now);
            continue;
        }
        match change.after.and_then(|_| in_the_way(index, &gone, &change.place)) {
            Some(other) if marked == Marked::Refused => return Err(staged_in_the_way(&change.place, &other)),
            Some(_) => settled.leave(change, now),
            None => {
                if change.after.is_none() {
                    gone.insert(&change.place);
                }
                settled.taken.push(change.clone());
            }
        }
    }
    Ok(settled)
}

/// An entry stamped in the second in which the index was written, or later, is read again by git because of that. A newer
/// index would hide it, so it is either known to be untouched since, or loses the size that git trusts.
fn smudge(git: &Repository, index: &mut Index) -> Result<(), git2::Error> {
    let Ok(found) = std::fs::metadata(git.path().join("index")) else { return Ok(()) };
    let written = Stamp::of(&found).modified;
    let times = |time: &IndexTime| (i64::from(time.seconds()), i64::from(time.nanoseconds()));
    let is_untouched = |entry: &IndexEntry| {
        let disk = git.workdir().and_then(|top| std::fs::symlink_metadata(top.join(as_path(&entry.path))).ok());
        disk.is_some_and(|disk| {
            let stamp = Stamp::of(&disk);
            stamp.modified == times(&entry.mtime) && stamp.changed == times(&entry.ctime) && stamp.modified < written
        })
    };
    let lately = index.iter().filter(|entry| i64::from(entry.mtime.seconds()) >= written.0 && entry.file_size != 0);
    let doubtful: Vec<IndexEntry> = lately.filter(|entry| !is_untouched(entry)).collect();
    for entry in doubtful {
        index.add(&IndexEntry { file_size: 0, ..entry })?;
    }
    Ok(())
}

/// What is staged where a file of this place cannot be beside it: a file whose name is one of its folders, or a file in a
/// folder of its name. Adding to the index would silently drop the one, or keep both. What goes is not in the way.
fn in_the_way(index: &Index, gone: &BTreeSet<&[u8]>, place: &[u8]) -> Option<Vec<u8>> {
    let stays = |path: &[u8]| !gone.contains(path);
    let ends = place.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(at, _)| at);
    let above = ends.map(|end| &place[..end]).find(|above| stays(above) && index.get_path(as_path(above), 0).is_some());
    if let Some(above) = above {
        return Some(above.to_vec());
    }
    let folder = [place, b"/"].concat();
    let at = index.find_prefix(as_path(&folder)).ok()?;
    let below = (at..index.len()).map_while(|at| index.get(at)).map(|entry| entry.path);
    below.take_while(|path| path.starts_with(&folder)).find(|path| stays(path))
}

fn staged_in_the_way(place: &[u8], other: &[u8]) -> HistoryError {
    match (FilePath::new(place), FilePath::new(other)) {
        (Ok(path), Ok(other)) => CommitError::StagedInTheWay { path, other }.into(),
        (Ok(_) | Err(_), Ok(_) | Err(_)) => git2::Error::from_str("something staged is in the way").into(),
    }
}

fn not_noted(error: std::io::Error) -> CommitError {
    git2::Error::from_str(&format!("what is staged could not be noted: {error}")).into()
}

fn write(index: &mut Index) -> Result<(), CommitError> {
    index.write().map_err(|error| if error.code() == ErrorCode::Locked { CommitError::Busy } else { error.into() })
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "git keeps the lower four bytes")]
fn entry(change: &Change, (id, mode): (Oid, u32), known: Option<&IndexEntry>) -> IndexEntry {
    let stamp = change.stamp;
    let time = |of: fn(&Stamp) -> (i64, i64)| {
        let (seconds, parts) = stamp.as_ref().map_or((0, 0), of);
        IndexTime::new(seconds as i32, parts as u32)
    };
    let number = |of: fn(&Stamp) -> u64| stamp.as_ref().map_or(0, of) as u32;
    IndexEntry {
        ctime: time(|stamp| stamp.changed),
        mtime: time(|stamp| stamp.modified),
        dev: number(|stamp| stamp.device),
        ino: number(|stamp| stamp.inode),
        mode,
        uid: stamp.map_or(0, |stamp| stamp.user),
        gid: stamp.map_or(0, |stamp| stamp.group),
        file_size: number(|stamp| stamp.size),
        id,
        flags: known.map_or(0, |known| known.flags),
        flags_extended: known.map_or(0, |known| known.flags_extended & !INTENT_TO_ADD),
        path: change.place.clone(),
    }
}

/// The folders on the way to some files, with their objects in the one tree and in the other. `None` where one of them is
/// only in one.
fn moved_trees<'a>(
    git: &Repository,
    old: &Tree<'_>,
    new: &Tree<'_>,
    places: impl Iterator<Item = &'a [u8]>,
) -> Option<BTreeMap<Vec<u8>, (Oid, Oid)>> {
    let mut found = BTreeMap::from([(Vec::new(), (old.id(), new.id()))]);
    for place in places {
        let mut begin = 0;
        while let Some(length) = place[begin..].iter().position(|byte| *byte == b'/') {
            let end = begin + length;
            let parent = *found.get(&place[..begin.saturating_sub(1)])?;
            if !found.contains_key(&place[..end]) {
                let below = |tree: Oid| {
                    let tree = git.find_tree(tree).ok()?;
                    let entry = tree.get_name_bytes(&place[begin..end])?;
                    (entry.kind() == Some(ObjectType::Tree)).then(|| entry.id())
                };
                found.insert(place[..end].to_vec(), (below(parent.0)?, below(parent.1)?));
            }
            begin = end + 1;
        }
    }
    Some(found)
}

/// An index of exactly this tree, in a file of its own, for a git that shall commit it. It begins as the person's, which
/// knows the stamps of the files.
pub(super) fn of_tree(git: &Repository, tree: Oid, file: &Path) -> Result<(), git2::Error> {
    let tree = git.find_tree(tree)?;
    let begun = std::fs::copy(git.path().join("index"), file).ok().and_then(|_| Index::open(file).ok());
    let mut index = match begun {
        Some(index) => index,
        None => {
            if file.exists() {
                std::fs::remove_file(file).map_err(|error| git2::Error::from_str(&error.to_string()))?;
            }
            Index::open(file)?
        }
    };
    // Entries whose object stays the same keep their stamps.
    index.read_tree(&tree)?;
    index.write()
}
