//! A repository's index, read by ourselves: libgit2 would copy every entry, and we only look. It is read as it lies on
//! disk in one piece and stays so: what is made of it is only where each file's entry lies, and an entry is taken apart
//! when it is asked for. Nothing is written and nothing is refreshed. What we do not understand makes the whole index
//! unusable rather than a part of it wrong.

use std::collections::HashMap;
use std::path::Path;

use super::stamp::{Kind, Stamp, nanoseconds};

const OBJECT_BYTES: usize = 20;
/// Ten numbers of four bytes: the stamp of a file as git keeps it.
const STAMP_BYTES: usize = 40;
const MODE_LINK: u32 = 0o120_000;
const MODE_REPOSITORY: u32 = 0o160_000;
const MODE_FOLDER: u32 = 0o040_000;
const KIND_MASK: u32 = 0o170_000;
/// In an entry's flags: two more bytes of flags follow.
const EXTENDED: u16 = 0x4000;
/// In an entry's flags: which side of a conflict it is.
const CONFLICT: u16 = 0x3000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tracked {
    changed: (u32, u32),
    modified: (u32, u32),
    inode: u32,
    mode: u32,
    size: u32,
    pub(super) object: [u8; OBJECT_BYTES],
    /// Both sides of a merge wrote it, and nobody has decided yet.
    pub(super) in_conflict: bool,
    /// A sparse checkout leaves it out, so it is not on disk.
    pub(super) is_sparse: bool,
}

/// What the index says of one file's stamp.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The file is what the index says.
    Clean,
    /// The stamps do not rule out another content: it has to be read.
    Unclear,
}

impl Tracked {
    /// `index_ns` is when the index was written: what was stamped then or later may have been written once more.
    pub(super) fn verdict(&self, stamp: &Stamp, index_ns: i64) -> Verdict {
        if stamp.modified_ns < index_ns && self.has_stamp(stamp) { Verdict::Clean } else { Verdict::Unclear }
    }

    /// The stamp is the one that git took after it had written the file.
    pub(super) fn has_stamp(&self, stamp: &Stamp) -> bool {
        let is_link = self.mode & KIND_MASK == MODE_LINK;
        let same_kind = match stamp.kind {
            Kind::File => !is_link,
            Kind::Link => is_link,
            Kind::Special => false,
        };
        // Some programs write no inode, no change time or no parts of a second; then nothing can be told by them.
        same_kind
            && !self.in_conflict
            && is_same_time(self.modified, stamp.modified_ns)
            && stamp.size as u32 == self.size
            && (self.changed == (0, 0) || is_same_time(self.changed, stamp.changed_ns))
            && (self.inode == 0 || self.inode == stamp.inode as u32)
    }

    /// A file or a link; not another repository, and not a folder of a sparse checkout.
    fn is_file(mode: u32) -> bool {
        !matches!(mode & KIND_MASK, MODE_REPOSITORY | MODE_FOLDER)
    }
}

fn is_same_time((seconds, parts): (u32, u32), ns: i64) -> bool {
    let kept = nanoseconds(i64::from(seconds), i64::from(parts));
    kept == ns || (parts == 0 && i64::from(seconds) == ns.div_euclid(1_000_000_000))
}

/// Where the entry of a file lies, and its name.
#[derive(Debug, Clone, Copy)]
struct Item {
    entry: u32,
    name: u32,
    name_length: u16,
    in_conflict: bool,
}

/// The files of an index, by the folder they lie in.
#[derive(Debug, Default)]
pub(super) struct Index {
    /// The file as it lies on disk.
    bytes: Vec<u8>,
    version: u8,
    /// The names of all files, one after the other: in the file they may be shortened.
    names: Vec<u8>,
    /// The tracked files of each folder, in the order of names.
    folders: HashMap<Box<[u8]>, Vec<Item>>,
    pub(super) written_ns: i64,
}

#[derive(Debug, thiserror::Error)]
pub(super) enum BadIndex {
    #[error("it cannot be read: {0}")]
    Unreadable(#[from] std::io::Error),
    #[error("it is damaged")]
    Damaged,
    #[error("it is of a form ({0}) that is not known here")]
    Unknown(String),
}

impl Index {
    /// Reads the index of a repository, with paths relative to the workspace. `above` is where the workspace lies in the
    /// repository, `below` where the repository lies in the workspace; one of them is empty.
    pub(super) fn read(path: &Path, above: &[u8], below: &[u8]) -> Result<Self, BadIndex> {
        use std::os::unix::fs::MetadataExt as _;
        let found = match std::fs::metadata(path) {
            Ok(found) => found,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Self::default()),
            Err(error) => return Err(error.into()),
        };
        let bytes = std::fs::read(path)?;
        let mut index = Self { written_ns: nanoseconds(found.mtime(), found.mtime_nsec()), ..Self::default() };
        index.fill(&bytes, above, below)?;
        index.bytes = bytes;
        Ok(index)
    }

    fn fill(&mut self, bytes: &[u8], above: &[u8], below: &[u8]) -> Result<(), BadIndex> {
        if u32::try_from(bytes.len()).is_err() {
            return Err(BadIndex::Unknown("more than 4 GiB".into()));
        }
        let version = match bytes.get(..8) {
            Some([b'D', b'I', b'R', b'C', 0, 0, 0, version]) => *version,
            _ => return Err(BadIndex::Damaged),
        };
        if !(2..=4).contains(&version) {
            return Err(BadIndex::Unknown(format!("version {version}")));
        }
        let count = number(bytes, 8).ok_or(BadIndex::Damaged)?;
        self.version = version;
        let mut reader = Entries { bytes, at: 12, version, path: Vec::new() };
        let mut folder: Box<[u8]> = Box::default();
        let mut files: Vec<Item> = Vec::new();
        for _ in 0..count {
            let entry = reader.at;
            let head = reader.next().ok_or(BadIndex::Damaged)?;
            let Some(inside) = within(&reader.path, above) else { continue };
            if !Tracked::is_file(head.mode) || inside.is_empty() {
                continue;
            }
            let (parent, name) = super::manifest::split(inside);
            if !is_child(&folder, below, parent) {
                self.put(std::mem::replace(&mut folder, place(below, parent)), &files);
                files.clear();
            }
            match files.last_mut() {
                // The sides of a conflict follow each other under one name.
                Some(last) if self.names[last.name as usize..] == *name => last.in_conflict = true,
                _ => {
                    files.push(Item {
                        // In the shortest form names are shared, so that all of them may be longer than the file.
                        entry: u32::try_from(entry).map_err(|_| BadIndex::Damaged)?,
                        name: u32::try_from(self.names.len()).map_err(|_| BadIndex::Damaged)?,
                        name_length: u16::try_from(name.len()).map_err(|_| BadIndex::Damaged)?,
                        in_conflict: head.in_conflict,
                    });
                    self.names.extend_from_slice(name);
                }
            }
        }
        self.put(folder, &files);
        check_extensions(bytes, reader.at)
    }

    fn put(&mut self, folder: Box<[u8]>, files: &[Item]) {
        if files.is_empty() {
            return;
        }
        if let Some(known) = self.folders.get_mut(&folder) {
            known.extend_from_slice(files);
            return;
        }
        let mut above: &[u8] = &folder;
        while !above.is_empty() {
            above = super::manifest::split(above).0;
            if self.folders.contains_key(above) {
                break;
            }
            self.folders.insert(above.into(), Vec::new());
        }
        self.folders.insert(folder, files.to_vec());
    }

    /// The tracked files directly in a folder, by name.
    pub(super) fn folder(&self, folder: &[u8]) -> TrackedFolder<'_> {
        TrackedFolder { index: self, files: self.folders.get(folder).map_or(&[], Vec::as_slice) }
    }

    pub(super) fn get(&self, path: &[u8]) -> Option<Tracked> {
        let (folder, name) = super::manifest::split(path);
        self.folder(folder).get(name)
    }

    /// True when something in this folder or below it is tracked.
    pub(super) fn has_below(&self, folder: &[u8]) -> bool {
        self.folders.contains_key(folder)
    }
}

#[derive(Clone, Copy)]
pub(super) struct TrackedFolder<'a> {
    index: &'a Index,
    files: &'a [Item],
}

impl TrackedFolder<'_> {
    pub(super) fn get(&self, name: &[u8]) -> Option<Tracked> {
        let index = self.index;
        let name_of = |item: &Item| &index.names[item.name as usize..][..usize::from(item.name_length)];
        // Names come in the order of whole paths, which within one folder is the order of names.
        let at = self.files.binary_search_by(|item| name_of(item).cmp(name)).ok()?;
        let item = &self.files[at];
        let mut tracked = tracked_at(&index.bytes, item.entry as usize, index.version)?;
        tracked.in_conflict = item.in_conflict;
        Some(tracked)
    }
}

/// The path as seen from the workspace, if it lies there.
fn within<'a>(path: &'a [u8], above: &[u8]) -> Option<&'a [u8]> {
    if above.is_empty() {
        return Some(path);
    }
    path.strip_prefix(above)?.strip_prefix(b"/")
}

fn place(below: &[u8], parent: &[u8]) -> Box<[u8]> {
    if below.is_empty() || parent.is_empty() {
        [below, parent].concat().into()
    } else {
        super::manifest::join(below, parent).into()
    }
}

/// True when `folder` is the place of `parent`.
fn is_child(folder: &[u8], below: &[u8], parent: &[u8]) -> bool {
    if below.is_empty() {
        return folder == parent;
    }
    match folder.strip_prefix(below) {
        Some([]) => parent.is_empty(),
        Some([b'/', rest @ ..]) => rest == parent,
        _ => false,
    }
}

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// Extensions in small letters change what the entries mean. Of those we know the one of sparse checkouts, whose
/// folders are left out above; an index that is split over two files is not whole without the other one.
fn check_extensions(bytes: &[u8], mut at: usize) -> Result<(), BadIndex> {
    let end = bytes.len().checked_sub(OBJECT_BYTES).ok_or(BadIndex::Damaged)?;
    while at + 8 <= end {
        let name = &bytes[at..at + 4];
        if name[0].is_ascii_lowercase() && name != b"sdir" {
            return Err(BadIndex::Unknown(String::from_utf8_lossy(name).into_owned()));
        }
        let length = number(bytes, at + 4).ok_or(BadIndex::Damaged)? as usize;
        at = at.checked_add(8 + length).ok_or(BadIndex::Damaged)?;
    }
    if at == end { Ok(()) } else { Err(BadIndex::Damaged) }
}

/// Goes through the entries; `path` is the path of the last one.
struct Entries<'a> {
    bytes: &'a [u8],
    at: usize,
    version: u8,
    path: Vec<u8>,
}

/// What of an entry is looked at when the index is read.
struct EntryHead {
    mode: u32,
    in_conflict: bool,
}

impl Entries<'_> {
    fn next(&mut self) -> Option<EntryHead> {
        let begin = self.at;
        let flags_at = begin + STAMP_BYTES + OBJECT_BYTES;
        let flags = u16::from_be_bytes(*self.bytes.get(flags_at..)?.first_chunk()?);
        let extended = self.version >= 3 && flags & EXTENDED != 0;
        let head = EntryHead { mode: number(self.bytes, begin + 24)?, in_conflict: flags & CONFLICT != 0 };
        let mut at = flags_at + 2 + if extended { 2 } else { 0 };
        if self.version == 4 {
            let (drop, used) = distance(self.bytes.get(at..)?)?;
            at += used;
            self.path.truncate(self.path.len().checked_sub(drop)?);
        } else {
            self.path.clear();
        }
        let rest = self.bytes.get(at..)?;
        // The length is in the flags unless the path is very long, and of a shortened path it counts the whole.
        let known = usize::from(flags & 0x0fff);
        let length = if known < 0x0fff {
            known.checked_sub(self.path.len())?
        } else {
            rest.iter().position(|byte| *byte == 0)?
        };
        self.path.extend_from_slice(rest.get(..length)?);
        let end = at + length;
        // Entries are filled up with one to eight zeros, except in version 4.
        self.at = if self.version == 4 { end + 1 } else { begin + ((end - begin) / 8 + 1) * 8 };
        Some(head)
    }
}

/// The entry that begins at this byte.
fn tracked_at(bytes: &[u8], begin: usize, version: u8) -> Option<Tracked> {
    let field = |at: usize| number(bytes, begin + at * 4);
    let flags_at = begin + STAMP_BYTES + OBJECT_BYTES;
    let flags = u16::from_be_bytes(*bytes.get(flags_at..)?.first_chunk()?);
    let extended = version >= 3 && flags & EXTENDED != 0;
    Some(Tracked {
        changed: (field(0)?, field(1)?),
        modified: (field(2)?, field(3)?),
        inode: field(5)?,
        mode: field(6)?,
        size: field(9)?,
        object: *bytes.get(begin + STAMP_BYTES..)?.first_chunk()?,
        in_conflict: flags & CONFLICT != 0,
        is_sparse: extended && bytes.get(flags_at + 2)? & 0x40 != 0,
    })
}

/// A number in git's varying form, and how many bytes it takes.
fn distance(bytes: &[u8]) -> Option<(usize, usize)> {
    let mut value = 0usize;
    for (at, byte) in bytes.iter().enumerate().take(8) {
        value = value << 7 | usize::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            return Some((value, at + 1));
        }
        value += 1;
    }
    None
}
