//! The workspace folder, and the way from it to a file: one folder after the other, each opened from the one before and
//! never through a link. A path alone is never handed to the system.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;

use augment_core::file::FilePath;
use rustix::fs::{AtFlags, FileType, Mode, OFlags, fstat, fsync, mkdirat, openat, statat, unlinkat};
use rustix::io::Errno;

use super::error::WriteError;

const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// What happens to a file that has several names (hard links).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HardLinks {
    /// The content is written into the file itself, so that all its names show it. This is not one step: a program that
    /// writes at the same moment can lose its write, and a name outside the workspace shows the change too.
    WriteThrough,
    /// The name gets a file of its own; the other names keep what they show.
    Separate,
}

/// An opened workspace folder. It stays the same folder when it is moved.
#[derive(Debug)]
pub struct Root {
    folder: OwnedFd,
    max_bytes: u64,
    hard_links: HardLinks,
}

/// A name in an opened folder.
#[derive(Debug)]
pub(super) struct Place<'a> {
    pub(super) root: &'a Root,
    folder: OwnedFd,
    pub(super) path: &'a FilePath,
}

pub(super) enum Reached<'a> {
    Place(Place<'a>),
    /// A folder on the way does not exist.
    Missing,
    /// Something on the way is neither folder nor link.
    Blocked,
}

enum Step {
    Folder(OwnedFd),
    Missing,
    Link,
    Blocked,
}

impl Root {
    /// Files of more than `max_bytes` are neither read nor written.
    pub fn open(path: &Path, max_bytes: u64, hard_links: HardLinks) -> Result<Self, WriteError> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        match rustix::fs::open(path, flags, Mode::empty()) {
            Ok(folder) => Ok(Self { folder, max_bytes, hard_links }),
            Err(errno) => Err(WriteError::Workspace { path: path.to_owned(), source: errno.into() }),
        }
    }

    #[must_use]
    pub fn max_bytes(&self) -> u64 {
        self.max_bytes
    }

    #[must_use]
    pub fn hard_links(&self) -> HardLinks {
        self.hard_links
    }

    pub(super) fn reach<'a>(&'a self, path: &'a FilePath) -> Result<Reached<'a>, WriteError> {
        let mut folder = self.folder.try_clone().map_err(|error| WriteError::from_io(path, "reached", error))?;
        for above in folders_above(path) {
            folder = match step(folder.as_fd(), above.name(), path)? {
                Step::Folder(next) => next,
                Step::Missing => return Ok(Reached::Missing),
                Step::Link => return Err(WriteError::LeadsOut { path: path.clone(), link: above }),
                Step::Blocked => return Ok(Reached::Blocked),
            };
        }
        Ok(Reached::Place(Place { root: self, folder, path }))
    }

    /// Reaches a folder itself.
    pub(super) fn reach_folder(&self, path: Option<&FilePath>) -> Result<Option<OwnedFd>, WriteError> {
        let Some(path) = path else {
            return openat(&self.folder, c".", FOLDER, Mode::empty())
                .map(Some)
                .map_err(|errno| WriteError::Workspace { path: ".".into(), source: errno.into() });
        };
        let Reached::Place(place) = self.reach(path)? else { return Ok(None) };
        match step(place.folder(), place.name(), path)? {
            Step::Folder(folder) => Ok(Some(folder)),
            Step::Missing | Step::Blocked => Ok(None),
            Step::Link => Err(WriteError::LeadsOut { path: path.clone(), link: path.clone() }),
        }
    }

    /// Like `reach`, making the folders that are missing; also says which those were, outermost first.
    pub(super) fn make_folders<'a>(&'a self, path: &'a FilePath) -> Result<(Place<'a>, Vec<FilePath>), WriteError> {
        let mut made = Vec::new();
        match self.make_each(path, &mut made) {
            Ok(folder) => Ok((Place { root: self, folder, path }, made)),
            Err(error) => {
                self.unmake_folders(&made);
                Err(error)
            }
        }
    }

    fn make_each(&self, path: &FilePath, made: &mut Vec<FilePath>) -> Result<OwnedFd, WriteError> {
        let failed = |errno| WriteError::from_errno(path, "given a folder", errno);
        let mut folder = self.folder.try_clone().map_err(|error| WriteError::from_io(path, "reached", error))?;
        for above in folders_above(path) {
            let mut next = step(folder.as_fd(), above.name(), path)?;
            if matches!(next, Step::Missing) {
                match mkdirat(&folder, above.name(), Mode::from_raw_mode(0o777)) {
                    Ok(()) => made.push(above.clone()),
                    Err(Errno::EXIST) => {}
                    Err(errno) => return Err(failed(errno)),
                }
                sync(folder.as_fd()).map_err(failed)?;
                next = step(folder.as_fd(), above.name(), path)?;
            }
            folder = match next {
                Step::Folder(next) => next,
                Step::Missing => return Err(WriteError::Busy { path: path.clone() }),
                Step::Link => return Err(WriteError::LeadsOut { path: path.clone(), link: above }),
                Step::Blocked => return Err(WriteError::InTheWay { path: path.clone(), blocker: above }),
            };
        }
        Ok(folder)
    }

    /// Removes the folders that `make_folders` made, as far as nobody has put anything there.
    pub(super) fn unmake_folders(&self, made: &[FilePath]) {
        for folder in made.iter().rev() {
            if let Err(error) = self.remove_empty(folder) {
                tracing::debug!("{folder} stays, though nothing was put there: {error}");
            }
        }
    }

    /// True if the folder is gone now.
    fn remove_empty(&self, path: &FilePath) -> Result<bool, WriteError> {
        let place = match self.reach(path)? {
            Reached::Place(place) => place,
            Reached::Missing => return Ok(true),
            Reached::Blocked => return Ok(false),
        };
        match unlinkat(place.folder(), place.name(), AtFlags::REMOVEDIR) {
            Ok(()) => place.sync().map(|()| true),
            Err(Errno::NOENT) => Ok(true),
            // Not empty, not a folder any more, or somebody's mount: not ours to remove.
            Err(Errno::NOTEMPTY | Errno::EXIST | Errno::NOTDIR | Errno::BUSY) => Ok(false),
            Err(errno) => Err(WriteError::from_errno(path, "removed", errno)),
        }
    }
}

impl Place<'_> {
    pub(super) fn folder(&self) -> BorrowedFd<'_> {
        self.folder.as_fd()
    }

    pub(super) fn name(&self) -> &[u8] {
        self.path.name()
    }

    /// The path of something else in the same folder.
    pub(super) fn beside(&self, name: &str) -> FilePath {
        in_folder(self.path.folder().as_ref(), name.as_bytes())
    }

    /// Brings the folder's names to the disk.
    pub(super) fn sync(&self) -> Result<(), WriteError> {
        sync(self.folder()).map_err(|errno| WriteError::from_errno(self.path, "brought to the disk", errno))
    }

    /// Refuses if the path leads to another folder by now: then what was done here is not where it should be.
    pub(super) fn check_still_here(&self) -> Result<(), WriteError> {
        let moved = || WriteError::Moved { path: self.path.clone() };
        let Reached::Place(now) = self.root.reach(self.path)? else { return Err(moved()) };
        let failed = |errno| WriteError::from_errno(self.path, "reached", errno);
        let (then, now) = (fstat(&self.folder).map_err(failed)?, fstat(&now.folder).map_err(failed)?);
        if (then.st_dev, then.st_ino) == (now.st_dev, now.st_ino) { Ok(()) } else { Err(moved()) }
    }
}

/// Removes the folders above `path` that are empty, innermost first, as long as they are among `may_go`: those that did
/// not exist before. Returns those that went.
pub fn tidy_folders(root: &Root, path: &FilePath, may_go: &[FilePath]) -> Result<Vec<FilePath>, WriteError> {
    let mut gone = Vec::new();
    let mut next = path.folder();
    while let Some(folder) = next.filter(|folder| may_go.contains(folder)) {
        if !root.remove_empty(&folder)? {
            break;
        }
        next = folder.folder();
        gone.push(folder);
    }
    Ok(gone)
}

pub(super) fn in_folder(folder: Option<&FilePath>, name: &[u8]) -> FilePath {
    let path = match folder {
        None => name.to_vec(),
        Some(folder) => [folder.as_bytes(), b"/", name].concat(),
    };
    // A deep folder and a name of ours may be over the limit together; then the name alone has to do for a message.
    FilePath::new(path).or_else(|_| FilePath::new(name)).expect("the name of an entry in a folder is a path")
}

/// The folders on the way to a path, outermost first.
fn folders_above(path: &FilePath) -> Vec<FilePath> {
    let mut folders: Vec<_> = std::iter::successors(path.folder(), FilePath::folder).collect();
    folders.reverse();
    folders
}

fn step(folder: BorrowedFd<'_>, name: &[u8], path: &FilePath) -> Result<Step, WriteError> {
    let failed = |errno| WriteError::from_errno(path, "reached", errno);
    match openat(folder, name, FOLDER, Mode::empty()) {
        Ok(next) => Ok(Step::Folder(next)),
        Err(Errno::NOENT) => Ok(Step::Missing),
        // The systems do not agree on the error for a link here.
        Err(Errno::NOTDIR | Errno::LOOP | Errno::MLINK) => match statat(folder, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) if FileType::from_raw_mode(stat.st_mode) == FileType::Symlink => Ok(Step::Link),
            Ok(_) => Ok(Step::Blocked),
            Err(Errno::NOENT) => Ok(Step::Missing),
            Err(errno) => Err(failed(errno)),
        },
        Err(errno) => Err(failed(errno)),
    }
}

fn sync(folder: BorrowedFd<'_>) -> Result<(), Errno> {
    match fsync(folder) {
        // Some file systems have nothing to sync for a folder, and say it so.
        Ok(()) | Err(Errno::INVAL) => Ok(()),
        Err(errno) => Err(errno),
    }
}
