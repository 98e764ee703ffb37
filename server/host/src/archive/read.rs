//! Reading one archive: bounded, strict, without following a link. What is wrong is told with the file and the key.

use std::ffi::{OsStr, OsString};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use augment_core::file::FilePath;
use augment_core::text::quoted;
use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, openat, statat};
use rustix::io::Errno;
use serde_json::Value;

use super::form::{FORM, LEDGER, SESSION, SUMMARY, SessionRecord};
use super::schema;
use crate::files::{self, HardLinks, Root, Thing, WriteError};

/// The most that is read of each file.
pub const RECORD_BYTES: u64 = 4 * 1_024 * 1_024;
pub(super) const SUMMARY_BYTES: u64 = 16 * 1_024 * 1_024;
pub(super) const LEDGER_BYTES: u64 = 64 * 1_024 * 1_024;
/// How many folders one archive holds.
const FOLDERS: usize = 100_000;
/// How many files one archive names.
const FILES: usize = 100;
/// The longest name of a folder.
pub(super) const NAME: usize = 200;

#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    #[error("{file} is not there.")]
    Missing { file: String },
    #[error("{file} is a link. Links are not followed; put the file itself there.")]
    Link { file: String },
    #[error("{file} is too large: it has {length} bytes, and at most {max} are read.")]
    TooLarge { file: String, length: u64, max: u64 },
    #[error("{file} cannot be read: {message}")]
    Unreadable { file: String, message: String },
    #[error("{file} is not JSON: {problem}.")]
    NotJson { file: String, problem: String },
    #[error("{file}: {key} {problem}.")]
    Wrong { file: String, key: String, problem: String },
    #[error("{file} is of the form {form}, which this program does not know. Update Augment Orchestrator to read it.")]
    OtherForm { file: String, form: String },
    #[error("The folder {folder} cannot be read: {message}")]
    Folder { folder: String, message: String },
    #[error("{folder} holds more than {FOLDERS} folders, which is more than an archive has.")]
    TooMany { folder: String },
}

/// A record from its bytes. Keys that this form does not know are passed over; one that is missing is named.
pub fn record_of(bytes: &[u8]) -> Result<SessionRecord, ReadError> {
    let file = || SESSION.to_owned();
    let wrong = |key: &str, problem: String| ReadError::Wrong { file: file(), key: key.to_owned(), problem };
    let document: Value = serde_json::from_slice(bytes)
        .map_err(|error| ReadError::NotJson { file: file(), problem: error.to_string() })?;
    if let Some(form) = document.get("form").and_then(Value::as_str).filter(|form| *form != FORM) {
        return Err(ReadError::OtherForm { file: file(), form: quoted(form) });
    }
    schema::check(&document).map_err(|found| match found.key.as_str() {
        "" => wrong("the document", found.problem),
        key => wrong(key, found.problem),
    })?;
    let record: SessionRecord = serde_json::from_value(document)
        .map_err(|error| ReadError::NotJson { file: file(), problem: error.to_string() })?;
    let files = record.files.all().count();
    if files > FILES {
        return Err(wrong("files", format!("names {files} files, and an archive has at most {FILES}")));
    }
    if let Some(name) = record.files.more.keys().find(|name| !is_plain_name(name)) {
        return Err(wrong("files", format!("names {}, which is no file of this folder", quoted(name))));
    }
    for (at, task) in record.tasks.iter().enumerate() {
        for (nth, touched) in task.files.iter().enumerate() {
            if let Err(problem) = FilePath::from_text(&touched.path) {
                let key = format!("tasks[{at}].files[{nth}].path");
                return Err(wrong(&key, format!("is {}, but {problem}", quoted(&touched.path))));
            }
        }
    }
    Ok(record)
}

/// A name that lies in its own folder on every system, and that no shell or terminal stumbles over.
#[must_use]
pub fn is_plain_name(name: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    !name.is_empty() && name.len() <= NAME && !name.starts_with(['.', '-']) && name.bytes().all(plain)
}

/// A folder that archives lie in, each in a folder of its own.
#[derive(Debug)]
pub struct Shelf {
    root: Root,
    path: PathBuf,
    below: Option<FilePath>,
}

impl Shelf {
    /// The folder `below` of `root`, or `root` itself. It need not be there.
    pub fn open(root: &Path, below: Option<FilePath>) -> Result<Self, ReadError> {
        let opened = Root::open(root, LEDGER_BYTES, HardLinks::Separate);
        let opened = opened
            .map_err(|error| ReadError::Folder { folder: root.display().to_string(), message: error.to_string() })?;
        Ok(Self { root: opened, path: root.to_owned(), below })
    }

    /// The folder as a path.
    #[must_use]
    pub fn place(&self) -> PathBuf {
        match &self.below {
            Some(below) => self.path.join(OsStr::from_bytes(below.as_bytes())),
            None => self.path.clone(),
        }
    }

    pub(super) fn root(&self) -> &Root {
        &self.root
    }

    /// Where a file of an archive lies, from the root.
    pub fn path_of(&self, name: &str, file: &str) -> Result<FilePath, ReadError> {
        let mut bytes = self.below.as_ref().map(|below| below.as_bytes().to_vec()).unwrap_or_default();
        for part in [name, file] {
            if !bytes.is_empty() {
                bytes.push(b'/');
            }
            bytes.extend_from_slice(part.as_bytes());
        }
        FilePath::new(bytes).map_err(|problem| ReadError::Folder { folder: quoted(name), message: problem.to_string() })
    }

    /// The names of the folders with a record, in order, each with what tells that it has changed. What has no plain name
    /// or no record is none of ours.
    pub fn names(&self) -> Result<Vec<(String, String)>, ReadError> {
        let Some(folder) = self.reach()? else { return Ok(Vec::new()) };
        let names = self.folders(&folder, |name| std::str::from_utf8(name).is_ok_and(is_plain_name))?;
        let stamped = |name: OsString| Some((name.to_str()?.to_owned(), stamp(&folder, &name)?));
        Ok(names.into_iter().filter_map(stamped).collect())
    }

    /// The folders that have a record and no plain name, in order, as they can be shown.
    pub(super) fn oddly_named(&self) -> Result<Vec<String>, ReadError> {
        let Some(folder) = self.reach()? else { return Ok(Vec::new()) };
        let names = self.folders(&folder, |name| !std::str::from_utf8(name).is_ok_and(is_plain_name))?;
        let has_record = |name: &OsString| stamp(&folder, name).is_some();
        Ok(names.into_iter().filter(has_record).map(|name| name.to_string_lossy().into_owned()).collect())
    }

    /// The names of the folders in the shelf that are wanted, in order.
    fn folders(&self, folder: &OwnedFd, wanted: impl Fn(&[u8]) -> bool) -> Result<Vec<OsString>, ReadError> {
        let shown = self.shown();
        let failed = |errno: Errno| ReadError::Folder {
            folder: shown.clone(),
            message: std::io::Error::from(errno).to_string(),
        };
        let mut names = Vec::new();
        for entry in Dir::read_from(folder).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let name = entry.file_name().to_bytes();
            let may_be_one = matches!(entry.file_type(), FileType::Directory | FileType::Unknown);
            if may_be_one && !matches!(name, b"." | b"..") && wanted(name) {
                names.push(OsStr::from_bytes(name).to_owned());
            }
            if names.len() > FOLDERS {
                return Err(ReadError::TooMany { folder: shown });
            }
        }
        names.sort_unstable();
        Ok(names)
    }

    /// What tells that a folder was added or removed; nothing where the shelf is not there.
    pub fn stamp(&self) -> Result<Option<String>, ReadError> {
        let Some(folder) = self.reach()? else { return Ok(None) };
        let stat = statat(&folder, c".", AtFlags::SYMLINK_NOFOLLOW);
        Ok(stat.ok().map(|stat| format!("{}:{}.{}", stat.st_ino, stat.st_mtime, stat.st_mtime_nsec)))
    }

    fn shown(&self) -> String {
        match &self.below {
            Some(below) => below.to_text(),
            None => self.path.display().to_string(),
        }
    }

    /// One folder after the other, never through a link.
    fn reach(&self) -> Result<Option<OwnedFd>, ReadError> {
        let failed = |errno: Errno| match errno {
            Errno::LOOP | Errno::NOTDIR => ReadError::Folder {
                folder: self.shown(),
                message: "a link or a file is in its place. Links are not followed.".to_owned(),
            },
            errno => ReadError::Folder { folder: self.shown(), message: std::io::Error::from(errno).to_string() },
        };
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let mut folder = rustix::fs::open(&self.path, flags, Mode::empty()).map_err(failed)?;
        for part in self.below.iter().flat_map(|below| below.parts()) {
            folder = match openat(&folder, part, flags | OFlags::NOFOLLOW, Mode::empty()) {
                Ok(next) => next,
                Err(Errno::NOENT) => return Ok(None),
                Err(errno) => return Err(failed(errno)),
            };
        }
        Ok(Some(folder))
    }

    /// The bytes of one file of an archive.
    pub fn read(&self, name: &str, file: &str) -> Result<Vec<u8>, ReadError> {
        let path = self.path_of(name, file)?;
        let max = match file {
            SESSION => RECORD_BYTES,
            SUMMARY => SUMMARY_BYTES,
            _ => LEDGER_BYTES,
        };
        let file = || file.to_owned();
        let too_large = |length: u64| ReadError::TooLarge { file: file(), length, max };
        match files::stamp(&self.root, &path) {
            Ok(Some(stamp)) if stamp.length > max => return Err(too_large(stamp.length)),
            Ok(_) | Err(_) => {}
        }
        match files::look(&self.root, &path) {
            Ok(look) => match look.thing {
                Thing::File { content, .. } if content.len() as u64 > max => Err(too_large(content.len() as u64)),
                Thing::File { content, .. } => Ok(content),
                Thing::Absent => Err(ReadError::Missing { file: file() }),
                Thing::Link(_) => Err(ReadError::Link { file: file() }),
            },
            Err(WriteError::TooLarge { length, .. }) => Err(too_large(length)),
            Err(WriteError::LeadsOut { .. }) => Err(ReadError::Link { file: name.to_owned() }),
            Err(error) => Err(ReadError::Unreadable { file: file(), message: error.to_string() }),
        }
    }

    pub fn record(&self, name: &str) -> Result<SessionRecord, ReadError> {
        record_of(&self.read(name, SESSION)?)
    }

    /// The summary; bytes that are no text are shown as such.
    pub fn summary(&self, name: &str) -> Result<String, ReadError> {
        Ok(String::from_utf8_lossy(&self.read(name, SUMMARY)?).into_owned())
    }

    pub(super) fn ledger(&self, name: &str) -> Result<Vec<u8>, ReadError> {
        self.read(name, LEDGER)
    }
}

/// `None` where the folder has no record.
fn stamp(folder: &OwnedFd, name: &OsStr) -> Option<String> {
    let own = statat(folder, name, AtFlags::SYMLINK_NOFOLLOW).ok()?;
    if FileType::from_raw_mode(own.st_mode) != FileType::Directory {
        return None;
    }
    let record = statat(folder, Path::new(name).join(SESSION), AtFlags::SYMLINK_NOFOLLOW).ok()?;
    Some(format!(
        "{}.{} {} {} {}.{} {}.{}",
        own.st_mtime,
        own.st_mtime_nsec,
        record.st_size,
        record.st_ino,
        record.st_mtime,
        record.st_mtime_nsec,
        record.st_ctime,
        record.st_ctime_nsec
    ))
}
