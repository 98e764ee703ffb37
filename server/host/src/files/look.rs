//! What is there under a name now. Links are read, never followed; pipes, sockets and devices are never opened; no more
//! than the limit is read.

use std::fmt;
use std::fs::File;
use std::os::unix::fs::FileExt as _;

use augment_core::file::{ContentHash, FilePath};
use augment_core::text;
use rustix::fs::{AtFlags, FileType, Mode, OFlags, Stat, fstat, openat, readlinkat, statat};
use rustix::io::Errno;

use super::error::WriteError;
use super::root::{Place, Reached, Root};
use super::{Expected, ExpectedThing, PERMISSIONS, Stamp, Thing, refusal};

/// How often a name may turn into something else between two calls before we give up.
const TRIES: usize = 8;

const CHUNK: usize = 128 * 1024;

/// What was found under a name, without its content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Seen {
    Absent,
    File {
        hash: ContentHash,
        mode: u32,
        length: u64,
    },
    Link(Vec<u8>),
    /// A file over the limit: not read.
    Large {
        length: u64,
    },
    Folder,
    /// A pipe, socket or device.
    Special,
}

impl fmt::Display for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absent => f.write_str("not there"),
            Self::File { hash, mode, length } => {
                write!(f, "a file of {length} bytes with mode {mode:o} and content {hash:?}")
            }
            Self::Link(target) => write!(f, "a link to {}", text::quoted(&String::from_utf8_lossy(target))),
            Self::Large { length } => write!(f, "a file of {length} bytes"),
            Self::Folder => f.write_str("a folder"),
            Self::Special => f.write_str("a pipe, socket or device"),
        }
    }
}

/// What is there, with its content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Look {
    pub thing: Thing,
    /// Of a file's content.
    pub hash: Option<ContentHash>,
    /// `None` when nothing is there.
    pub stamp: Option<Stamp>,
}

/// Reads what is at a path. A folder, a special file and a file over the root's limit are refused.
pub fn look(root: &Root, path: &FilePath) -> Result<Look, WriteError> {
    let Reached::Place(place) = root.reach(path)? else {
        return Ok(Look { thing: Thing::Absent, hash: None, stamp: None });
    };
    for _ in 0..TRIES {
        let (thing, hash, stat) = match open(&place, place.name())? {
            Opened::Nothing => return Ok(Look { thing: Thing::Absent, hash: None, stamp: None }),
            Opened::File(file, stat) => {
                let Some(content) = read_all(&place, &file)? else { continue };
                let hash = ContentHash::of(&content);
                (Thing::File { content, mode: stat.st_mode & PERMISSIONS }, Some(hash), stat)
            }
            Opened::Other(Seen::Link(target), stat) => (Thing::Link(target), None, stat),
            Opened::Other(seen, _) => {
                let absent = Expected { path: path.clone(), thing: ExpectedThing::Absent };
                return Err(refusal(root, &absent, seen));
            }
        };
        return Ok(Look { thing, hash, stamp: Some(Stamp::of(&stat)) });
    }
    Err(WriteError::Busy { path: path.clone() })
}

/// The first bytes of a file, wherever it lies. `None` where nothing is there, or anything but a file: a pipe in its place
/// is not waited for.
#[must_use]
pub fn beginning(file: &std::path::Path, limit: u64) -> Option<Vec<u8>> {
    use std::io::Read as _;
    use std::os::unix::fs::OpenOptionsExt as _;
    let without_waiting = i32::try_from((OFlags::NONBLOCK | OFlags::NOCTTY).bits()).unwrap_or(0);
    let file = File::options().read(true).custom_flags(without_waiting).open(file).ok()?;
    if !file.metadata().ok()?.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    file.take(limit).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// The stamp of what is at a path, without opening it; `None` when nothing is there.
pub fn stamp(root: &Root, path: &FilePath) -> Result<Option<Stamp>, WriteError> {
    let Reached::Place(place) = root.reach(path)? else { return Ok(None) };
    match statat(place.folder(), place.name(), AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => Ok(Some(Stamp::of(&stat))),
        Err(Errno::NOENT) => Ok(None),
        Err(errno) => Err(WriteError::from_errno(path, "looked at", errno)),
    }
}

/// What was found under a name, and a hold on it: an open file stays the one that was looked at, whatever happens to
/// its name.
#[derive(Debug)]
pub(super) struct Held {
    pub(super) seen: Seen,
    pub(super) stamp: Option<Stamp>,
    pub(super) stat: Option<Stat>,
    pub(super) file: Option<File>,
    /// How many names (hard links) it has.
    pub(super) names: u64,
}

impl Held {
    pub(super) fn nothing() -> Self {
        Self { seen: Seen::Absent, stamp: None, stat: None, file: None, names: 0 }
    }

    /// Looks at a name in the place's folder and hashes what is there.
    pub(super) fn take(place: &Place<'_>, name: &[u8]) -> Result<Self, WriteError> {
        Self::from_opened(place, open(place, name)?)
    }

    fn from_opened(place: &Place<'_>, opened: Opened) -> Result<Self, WriteError> {
        let (stat, seen, file) = match opened {
            Opened::Nothing => return Ok(Self::nothing()),
            Opened::Other(seen, stat) => (stat, seen, None),
            Opened::File(file, stat) => (stat, see(place, &file)?, Some(file)),
        };
        Ok(Self { seen, stamp: Some(Stamp::of(&stat)), names: stat.st_nlink, stat: Some(stat), file })
    }

    /// Looks at a file that is open already.
    pub(super) fn of(place: &Place<'_>, file: File) -> Result<Self, WriteError> {
        let opened = opened(place, file).map_err(|errno| WriteError::from_errno(place.path, "looked at", errno))?;
        Self::from_opened(place, opened)
    }

    /// Looks at an open file once more. `None` if it is not one, since nothing else can change under our hands.
    pub(super) fn again(&self, place: &Place<'_>) -> Result<Option<Seen>, WriteError> {
        self.file.as_ref().map(|file| see(place, file)).transpose()
    }
}

/// What opening a name led to.
enum Opened {
    Nothing,
    /// A regular file, within the limit at that moment.
    File(File, Stat),
    /// Everything that is not opened.
    Other(Seen, Stat),
}

fn open(place: &Place<'_>, name: &[u8]) -> Result<Opened, WriteError> {
    let failed = |errno| WriteError::from_errno(place.path, "read", errno);
    for _ in 0..TRIES {
        let stat = match statat(place.folder(), name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => stat,
            Err(Errno::NOENT) => return Ok(Opened::Nothing),
            Err(errno) => return Err(failed(errno)),
        };
        match FileType::from_raw_mode(stat.st_mode) {
            FileType::Symlink => match readlinkat(place.folder(), name, Vec::new()) {
                Ok(target) => return Ok(Opened::Other(Seen::Link(target.into_bytes()), stat)),
                Err(Errno::NOENT | Errno::INVAL) => {}
                Err(errno) => return Err(failed(errno)),
            },
            FileType::RegularFile => {
                // It may have become a pipe since: opening one without waiting does no harm, and the file itself tells.
                let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
                match openat(place.folder(), name, flags, Mode::empty()) {
                    Ok(file) => return opened(place, file.into()).map_err(failed),
                    Err(Errno::NOENT | Errno::LOOP | Errno::NXIO) => {}
                    Err(errno) => return Err(failed(errno)),
                }
            }
            FileType::Directory => return Ok(Opened::Other(Seen::Folder, stat)),
            FileType::Fifo
            | FileType::Socket
            | FileType::CharacterDevice
            | FileType::BlockDevice
            | FileType::Unknown => return Ok(Opened::Other(Seen::Special, stat)),
        }
    }
    Err(WriteError::Busy { path: place.path.clone() })
}

fn opened(place: &Place<'_>, file: File) -> Result<Opened, Errno> {
    let stat = fstat(&file)?;
    let length = Stamp::of(&stat).length;
    Ok(match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile if length > place.root.max_bytes() => Opened::Other(Seen::Large { length }, stat),
        FileType::RegularFile => Opened::File(file, stat),
        FileType::Directory => Opened::Other(Seen::Folder, stat),
        FileType::Symlink
        | FileType::Fifo
        | FileType::Socket
        | FileType::CharacterDevice
        | FileType::BlockDevice
        | FileType::Unknown => Opened::Other(Seen::Special, stat),
    })
}

/// What an open file holds now.
fn see(place: &Place<'_>, file: &File) -> Result<Seen, WriteError> {
    let stat = fstat(file).map_err(|errno| WriteError::from_errno(place.path, "looked at", errno))?;
    let mut hasher = blake3::Hasher::new();
    let length = read(place, file, |chunk| {
        hasher.update(chunk);
    })?;
    if length > place.root.max_bytes() {
        return Ok(Seen::Large { length: length.max(Stamp::of(&stat).length) });
    }
    let hash = ContentHash(*hasher.finalize().as_bytes());
    Ok(Seen::File { hash, mode: stat.st_mode & PERMISSIONS, length })
}

/// All of an open file; `None` if it is over the limit by now.
pub(super) fn read_all(place: &Place<'_>, file: &File) -> Result<Option<Vec<u8>>, WriteError> {
    let mut content = Vec::new();
    let length = read(place, file, |chunk| content.extend_from_slice(chunk))?;
    Ok((length <= place.root.max_bytes()).then_some(content))
}

/// Hands an open file's content over in chunks, from its beginning, and returns how much that was. Stops soon after the
/// limit, so a result over it says only that.
fn read(place: &Place<'_>, file: &File, mut each: impl FnMut(&[u8])) -> Result<u64, WriteError> {
    let mut buffer = vec![0_u8; CHUNK];
    let mut at = 0_u64;
    while at <= place.root.max_bytes() {
        match file.read_at(&mut buffer, at) {
            Ok(0) => break,
            Ok(count) => {
                each(&buffer[..count]);
                at += count as u64;
            }
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(WriteError::from_io(place.path, "read", error)),
        }
    }
    Ok(at)
}
