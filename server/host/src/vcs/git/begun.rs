//! A commit while it is made, in a folder of git's own that is called by its change id: the message and the index that
//! other programs are given, what shall come of it, and what is staged for it. Whatever ends the process, that folder
//! says what was begun: the commit is found by it, even where a hook took the change id out, or the person's index is
//! put back and the folder goes.

use std::fs::File;
use std::io::{ErrorKind, Read as _};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use git2::{Commit as Known, ErrorCode, Oid, Sort};
use rustix::fs::{FlockOperation, flock};

use super::index::Change;
use super::reading::decoded;
use super::{Git, HistoryError, Result, io, names_change, tree};
use crate::vcs::committing;
use crate::vcs::history::{Commit, NewCommit};

/// How far below the tip a commit of ours is looked for.
const MADE_DEPTH: usize = 50;
/// How much of what was noted is read.
const MAX_NOTED: u64 = 64 << 20;
const NOTED: &str = "begun";
const TAKEN: &str = "taken";
const RUNNING: &str = "running";

/// A folder for this user alone, gone when it is dropped.
pub(super) struct Folder {
    pub(super) path: PathBuf,
}

impl Folder {
    /// What an earlier process has left under the same id goes first.
    pub(super) fn make(git: &Git, change: &str) -> Result<Self> {
        Self::clear_left(git, change)?;
        let path = place(git, change);
        std::fs::DirBuilder::new().mode(0o700).create(&path).map_err(|source| io(&path, source))?;
        Ok(Self { path })
    }

    /// Clears away what an earlier process has left.
    pub(super) fn clear_left(git: &Git, change: &str) -> Result<()> {
        clear(&place(git, change))
    }

    pub(super) fn write(&self, name: &str, content: impl AsRef<[u8]>) -> Result<PathBuf> {
        let path = self.path.join(name);
        std::fs::write(&path, content).map_err(|source| io(&path, source))?;
        Ok(path)
    }

    pub(super) fn note(&self, begun: &Begun) -> Result<()> {
        let tip = begun.tip.map(|tip| tip.to_string()).unwrap_or_default();
        let since = begun.since.map(|since| since.to_string()).unwrap_or_default();
        self.write(NOTED, format!("{tip}\n{}\n{since}\n", begun.tree)).map(drop)
    }

    /// Notes which entries of the person's index are brought along.
    pub(super) fn note_taken(&self, taken: &[Change]) -> std::io::Result<()> {
        let places: Vec<&[u8]> = taken.iter().map(|change| change.place.as_slice()).collect();
        std::fs::write(self.path.join(TAKEN), places.join(&0_u8))
    }

    /// An empty input for a program. It is locked for as long as the program runs, and all that it started.
    pub(super) fn input(&self) -> Result<Stdio> {
        let path = self.write(RUNNING, "")?;
        let file = File::open(&path).map_err(|source| io(&path, source))?;
        flock(&file, FlockOperation::NonBlockingLockExclusive).map_err(|error| io(&path, error.into()))?;
        Ok(file.into())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if let Err(error) = clear(&self.path) {
            tracing::debug!("{error}");
        }
    }
}

fn place(git: &Git, change: &str) -> PathBuf {
    git.git.path().join(format!("augment-{change}"))
}

fn clear(path: &Path) -> Result<()> {
    match std::fs::remove_dir_all(path) {
        Err(source) if source.kind() != ErrorKind::NotFound => Err(io(path, source)),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// What a commit shall be that git was asked for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Begun {
    pub(super) tip: Option<Oid>,
    pub(super) tree: Oid,
    /// The author's time, if git was as fast as we are. `None` where nobody takes the change id out, so that a commit
    /// without it is somebody else's.
    pub(super) since: Option<i64>,
}

impl Begun {
    fn read(folder: &Path) -> Option<Self> {
        let text = String::from_utf8(content(&folder.join(NOTED))?).ok()?;
        let mut lines = text.lines();
        let tip = lines.next()?;
        let tip = if tip.is_empty() { None } else { Some(Oid::from_str(tip).ok()?) };
        let tree = Oid::from_str(lines.next()?).ok()?;
        let since = lines.next()?;
        let since = if since.is_empty() { None } else { Some(since.parse().ok()?) };
        Some(Self { tip, tree, since })
    }

    /// Whether a commit is what was asked for, whatever its message says.
    pub(super) fn is(&self, commit: &Known<'_>) -> bool {
        commit.parent_ids().eq(self.tip)
            && commit.tree_id() == self.tree
            && self.since.is_some_and(|since| commit.author().when().seconds() >= since)
    }
}

fn content(path: &Path) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path).ok()?.take(MAX_NOTED).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

impl Git {
    pub(super) fn search_made(&self, wanted: &NewCommit) -> Result<Option<Commit>> {
        let folder = place(self, &wanted.change);
        refuse_running(&folder)?;
        let begun = Begun::read(&folder);
        let found = self.made(wanted, begun.as_ref())?;
        if found.is_none()
            && let Some(begun) = &begun
        {
            self.put_back_begun(&folder, begun)?;
        }
        clear(&folder)?;
        Ok(found)
    }

    fn made(&self, wanted: &NewCommit, begun: Option<&Begun>) -> Result<Option<Commit>> {
        let Some(tip) = committing::tip(&self.git)? else { return Ok(None) };
        let mut walk = self.git.revwalk()?;
        walk.set_sorting(Sort::TOPOLOGICAL)?;
        walk.push(tip.id())?;
        let mut alike = None;
        for id in walk.take(MADE_DEPTH + 1) {
            let commit = self.git.find_commit(id?)?;
            if names_change(&decoded(commit.message_bytes()), &wanted.change) {
                return Ok(Some(self.told(&commit)));
            }
            if begun.is_some_and(|begun| begun.is(&commit)) {
                alike = Some(commit);
            }
        }
        Ok(alike.map(|commit| self.told(&commit)))
    }

    /// Puts back what was brought along in the person's index for a commit that was not made.
    fn put_back_begun(&self, folder: &Path, begun: &Begun) -> Result<()> {
        let taken = content(&folder.join(TAKEN)).unwrap_or_default();
        let new = match self.git.find_tree(begun.tree) {
            Ok(new) => new,
            // Git has cleared it away since, so nothing of it can be staged.
            Err(error) if error.code() == ErrorCode::NotFound => return Ok(()),
            Err(error) => return Err(error.into()),
        };
        let old = begun.tip.map(|tip| self.git.find_commit(tip)?.tree()).transpose()?;
        let mut changes = Vec::new();
        for place in taken.split(|byte| *byte == 0).filter(|place| !place.is_empty()) {
            let before = old.as_ref().map(|old| tree::kept(old, place)).transpose()?.flatten();
            let after = tree::kept(&new, place)?;
            changes.push(Change { place: place.to_vec(), before, after, stamp: None });
        }
        if changes.is_empty() {
            return Ok(());
        }
        self.put_back(&changes, begun.tip, old.as_ref().map(|old| (old.id(), begun.tree)))
    }
}

/// Refused while the git that was asked for a commit is still at it: what comes of it cannot be known.
fn refuse_running(folder: &Path) -> Result<()> {
    let path = folder.join(RUNNING);
    let Ok(file) = File::open(&path) else { return Ok(()) };
    match flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(()),
        Err(rustix::io::Errno::WOULDBLOCK) => {
            let words = format!(
                "`git commit`, which was begun before, and its hooks still run (they hold {}). Wait until they have ended, then repeat.",
                path.display()
            );
            Err(HistoryError::Refused { what: "The next step".into(), words })
        }
        Err(error) => Err(io(&path, error.into())),
    }
}
