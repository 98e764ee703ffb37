//! The workspace on disk, only looked at. All paths are taken from the opened root and never through a link, so nothing
//! outside the workspace can be read by swapping a folder for one; pipes and devices are never opened.

use std::ffi::OsStr;
use std::io::Read as _;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, Mode, OFlags, Stat};
use rustix::io::Errno;

use super::stamp::{Kind, Stamp};

/// How often a file that changes while it is read is read again before that is put off.
const READS: usize = 4;

pub(super) struct Disk {
    root: OwnedFd,
    pub(super) path: PathBuf,
}

/// What is there under a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum There {
    Nothing,
    Folder,
    Thing(Stamp),
}

/// A file's content, and its stamp from before and after reading.
pub(super) struct Taken {
    pub(super) bytes: Vec<u8>,
    pub(super) stamp: Stamp,
    /// It went on changing: the bytes are one of the contents it had, or a mixture, and it has to be looked at again.
    pub(super) restless: bool,
}

pub(super) enum Take {
    Taken(Taken),
    /// More than the limit; nothing was read.
    TooLarge(Stamp),
    /// It is something else by now.
    Changed,
}

impl Disk {
    pub(super) fn open(path: &Path) -> Result<Self, std::io::Error> {
        let root = rustix::fs::open(path, OFlags::DIRECTORY | OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())?;
        Ok(Self { root, path: path.to_owned() })
    }

    /// The root is still the folder that it was.
    pub(super) fn is_root_there(&self) -> bool {
        let (Ok(held), Ok(named)) = (rustix::fs::fstat(&self.root), rustix::fs::stat(&self.path)) else { return false };
        (held.st_dev, held.st_ino) == (named.st_dev, named.st_ino)
    }

    pub(super) fn absolute(&self, path: &[u8]) -> PathBuf {
        if path.is_empty() { self.path.clone() } else { self.path.join(OsStr::from_bytes(path)) }
    }

    pub(super) fn open_folder(&self, folder: &[u8]) -> Result<OwnedFd, Errno> {
        let flags = OFlags::DIRECTORY | OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOFOLLOW;
        if folder.is_empty() {
            return rustix::fs::openat(&self.root, ".", flags, Mode::empty());
        }
        self.open_inside(folder, flags)
    }

    #[cfg(target_os = "linux")]
    fn open_inside(&self, path: &[u8], flags: OFlags) -> Result<OwnedFd, Errno> {
        use rustix::fs::ResolveFlags;
        let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
        // The kernel asks to try again when something was renamed on the way.
        for _ in 0..16 {
            match rustix::fs::openat2(&self.root, OsStr::from_bytes(path), flags, Mode::empty(), resolve) {
                Err(Errno::AGAIN | Errno::INTR) => {}
                Err(Errno::NOSYS) => return self.open_by_steps(path, flags),
                opened => return opened,
            }
        }
        self.open_by_steps(path, flags)
    }

    #[cfg(not(target_os = "linux"))]
    fn open_inside(&self, path: &[u8], flags: OFlags) -> Result<OwnedFd, Errno> {
        self.open_by_steps(path, flags)
    }

    /// Folder by folder, refusing every link.
    fn open_by_steps(&self, path: &[u8], flags: OFlags) -> Result<OwnedFd, Errno> {
        let folder_flags = OFlags::DIRECTORY | OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOFOLLOW;
        let mut at = rustix::fs::openat(&self.root, ".", folder_flags, Mode::empty())?;
        let mut parts = path.split(|byte| *byte == b'/').peekable();
        while let Some(part) = parts.next() {
            let flags = if parts.peek().is_some() { folder_flags } else { flags };
            at = rustix::fs::openat(at.as_fd(), OsStr::from_bytes(part), flags, Mode::empty())?;
        }
        Ok(at)
    }

    pub(super) fn there(&self, path: &[u8]) -> Result<There, Errno> {
        let (folder, name) = super::manifest::split(path);
        let folder = match self.open_folder(folder) {
            Ok(folder) => folder,
            Err(error) if is_absence(error) => return Ok(There::Nothing),
            Err(error) => return Err(error),
        };
        there_in(&folder, name)
    }

    /// The content of a file, read until it holds still. What is bigger than `limit` is not read.
    pub(super) fn take_file(&self, path: &[u8], limit: u64) -> Result<Take, Errno> {
        // A pipe in the place of the file cannot hold us up, and is refused after opening.
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NOCTTY;
        let mut last = None;
        for _ in 0..READS {
            let mut file = match self.open_inside(path, flags) {
                Ok(file) => std::fs::File::from(file),
                Err(error) if is_absence(error) => return Ok(Take::Changed),
                Err(error) => return Err(error),
            };
            let stamp = match Stamp::of(&rustix::fs::fstat(&file)?) {
                Some(stamp) if stamp.kind == Kind::File => stamp,
                _ => return Ok(Take::Changed),
            };
            if stamp.size > limit {
                return Ok(Take::TooLarge(stamp));
            }
            let mut bytes = Vec::with_capacity(usize::try_from(stamp.size).unwrap_or(0) + 1);
            match (&mut file).take(limit + 1).read_to_end(&mut bytes) {
                Ok(_) => {}
                Err(error) if error.kind() == std::io::ErrorKind::IsADirectory => return Ok(Take::Changed),
                Err(error) => return Err(Errno::from_io_error(&error).unwrap_or(Errno::IO)),
            }
            let after = Stamp::of(&rustix::fs::fstat(&file)?);
            let restless = after != Some(stamp) || bytes.len() as u64 != stamp.size;
            if !restless {
                return Ok(Take::Taken(Taken { bytes, stamp, restless }));
            }
            last = Some(Taken { bytes, stamp, restless });
        }
        Ok(last.filter(|taken| taken.bytes.len() as u64 <= limit).map_or(Take::Changed, Take::Taken))
    }

    /// Where a link leads, as it is written.
    pub(super) fn take_link(&self, path: &[u8]) -> Result<Vec<u8>, Errno> {
        let (folder, name) = super::manifest::split(path);
        let folder = self.open_folder(folder)?;
        Ok(rustix::fs::readlinkat(&folder, OsStr::from_bytes(name), Vec::new())?.into_bytes())
    }

    /// A small file of rules, if there is one; `None` also for what is too large to be one.
    pub(super) fn take_rules(&self, path: &[u8]) -> Option<Vec<u8>> {
        match self.take_file(path, super::rules::MAX_RULES_BYTES) {
            Ok(Take::Taken(taken)) => Some(taken.bytes),
            Ok(Take::TooLarge(_) | Take::Changed) | Err(_) => None,
        }
    }
}

pub(super) fn there_in(folder: &OwnedFd, name: &[u8]) -> Result<There, Errno> {
    match stat_in(folder, OsStr::from_bytes(name)) {
        Ok(stat) => Ok(Stamp::of(&stat).map_or(There::Folder, There::Thing)),
        Err(error) if is_absence(error) => Ok(There::Nothing),
        Err(error) => Err(error),
    }
}

pub(super) fn stat_in(folder: &OwnedFd, name: impl rustix::path::Arg) -> Result<Stat, Errno> {
    rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)
}

/// Errors that mean that nothing of ours is there: it is gone, or a link or a file stands in the way.
pub(super) fn is_absence(error: Errno) -> bool {
    matches!(error, Errno::NOENT | Errno::NOTDIR | Errno::LOOP | Errno::XDEV)
}
