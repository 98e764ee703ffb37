//! The manifest: what every file was when it was last looked at. In memory it is grouped by folder, since that is how
//! it is asked; on disk it is one file with a check sum, replaced as a whole, and entries that are newer than it are kept
//! by the sink. A manifest file that is damaged is not believed in part.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use augment_core::file::{ContentHash, FilePath};

use super::Head;
use super::stamp::{Kind, Stamp};

const MAGIC: &[u8; 8] = b"augseen1";
/// The first byte of every entry, so that an entry of a later program is not taken for one of ours.
const ENTRY_FORM: u8 = 1;
const CHECK_SUM_BYTES: usize = 32;

/// Where the content of a file can be had.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Content {
    /// An object of the repository that the file lies in, whose bytes are the file's.
    Git([u8; 20]),
    /// On the shelf, or in the story of a woven file.
    Blob(ContentHash),
    /// It was too much to be copied when it was first seen.
    NotKept,
    /// There is none: a pipe, or more than we ever read.
    Nothing,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) stamp: Stamp,
    /// The stamp does not rule out another write in the same moment.
    pub(super) fresh: bool,
    pub(super) content: Content,
}

/// What is known of a repository's own state.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct KnownHead {
    pub(super) head: Option<Head>,
    /// When the index was last written.
    pub(super) index_ns: i64,
}

/// An entry as it goes through the sink.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Record {
    Gone,
    There(Entry),
    Head(KnownHead),
}

/// The files of one folder, by name.
pub(super) type NamedEntries = Vec<(Box<[u8]>, Entry)>;

struct Named {
    name: Box<[u8]>,
    entry: Entry,
}

#[derive(Default)]
pub(super) struct Manifest {
    /// By folder (empty for the workspace itself), then sorted by name.
    folders: BTreeMap<Box<[u8]>, Vec<Named>>,
    /// By the repository's folder.
    heads: BTreeMap<Box<[u8]>, KnownHead>,
    files: usize,
    pub(super) generation: u64,
}

/// Why a manifest file is not used.
#[derive(Debug)]
pub(super) enum Unusable {
    Missing,
    Damaged,
    Unreadable(std::io::Error),
}

/// The folder and the name of a path.
pub(super) fn split(path: &[u8]) -> (&[u8], &[u8]) {
    match path.iter().rposition(|byte| *byte == b'/') {
        Some(at) => (&path[..at], &path[at + 1..]),
        None => (&[], path),
    }
}

/// The path of a name in a folder.
pub(super) fn join(folder: &[u8], name: &[u8]) -> Vec<u8> {
    let mut path = Vec::with_capacity(folder.len() + 1 + name.len());
    path.extend_from_slice(folder);
    if !folder.is_empty() {
        path.push(b'/');
    }
    path.extend_from_slice(name);
    path
}

impl Manifest {
    pub(super) fn files(&self) -> usize {
        self.files
    }

    pub(super) fn get(&self, path: &[u8]) -> Option<&Entry> {
        let (folder, name) = split(path);
        self.folder(folder).get(name)
    }

    pub(super) fn folder(&self, folder: &[u8]) -> Known<'_> {
        Known { files: self.folders.get(folder).map_or(&[], Vec::as_slice) }
    }

    /// Takes over the files of a folder that is not in here yet; they need not be sorted.
    pub(super) fn put_folder(&mut self, folder: Box<[u8]>, files: NamedEntries) {
        let mut files: Vec<Named> = files.into_iter().map(|(name, entry)| Named { name, entry }).collect();
        files.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        files.shrink_to_fit();
        self.files += files.len();
        if !files.is_empty() {
            self.files -= self.folders.insert(folder, files).map_or(0, |before| before.len());
        }
    }

    pub(super) fn set(&mut self, path: &[u8], entry: Entry) {
        let (folder, name) = split(path);
        if !self.folders.contains_key(folder) {
            self.folders.insert(folder.into(), Vec::new());
        }
        let Some(files) = self.folders.get_mut(folder) else { return };
        match files.binary_search_by(|named| (*named.name).cmp(name)) {
            Ok(at) => files[at].entry = entry,
            Err(at) => {
                files.insert(at, Named { name: name.into(), entry });
                self.files += 1;
            }
        }
    }

    pub(super) fn remove(&mut self, path: &[u8]) {
        let (folder, name) = split(path);
        let Some(files) = self.folders.get_mut(folder) else { return };
        if let Ok(at) = files.binary_search_by(|named| (*named.name).cmp(name)) {
            files.remove(at);
            self.files -= 1;
        }
        if files.is_empty() {
            self.folders.remove(folder);
        }
    }

    pub(super) fn apply(&mut self, path: &[u8], record: &Record) {
        match record {
            Record::Gone => self.remove(path),
            Record::There(entry) => self.set(path, *entry),
            Record::Head(known) => {
                self.heads.insert(repository_of(path).into(), known.clone());
            }
        }
    }

    pub(super) fn head(&self, repository: &[u8]) -> Option<&KnownHead> {
        self.heads.get(repository)
    }

    pub(super) fn set_head(&mut self, repository: &[u8], known: KnownHead) {
        self.heads.insert(repository.into(), known);
    }

    /// The folders that hold files, from this one downwards.
    pub(super) fn folders_below<'a>(&'a self, folder: &'a [u8]) -> impl Iterator<Item = (&'a [u8], Known<'a>)> {
        let inner: Box<[u8]> = if folder.is_empty() { Box::default() } else { join(folder, b"").into() };
        let itself = self.folders.get_key_value(folder);
        let below = self
            .folders
            .range::<[u8], _>((std::ops::Bound::Included(&*inner), std::ops::Bound::Unbounded))
            .skip_while(move |(path, _)| folder.is_empty() && path.is_empty())
            .take_while({
                let inner = inner.clone();
                move |(path, _)| path.starts_with(&inner)
            })
            .map(|(path, files)| (&**path, Known { files: files.as_slice() }))
            .collect::<Vec<_>>();
        itself.map(|(path, files)| (&**path, Known { files: files.as_slice() })).into_iter().chain(below)
    }

    /// True when a file is known in this folder or anywhere below it.
    pub(super) fn knows_below(&self, folder: &[u8]) -> bool {
        if self.folders.contains_key(folder) {
            return true;
        }
        let inner = join(folder, b"");
        let mut range = self.folders.range::<[u8], _>((std::ops::Bound::Included(&*inner), std::ops::Bound::Unbounded));
        range.next().is_some_and(|(path, _)| path.starts_with(&inner))
    }

    pub(super) fn read(path: &Path) -> Result<Self, Unusable> {
        let bytes = match std::fs::read(path) {
            Ok(bytes) => bytes,
            Err(source) if source.kind() == std::io::ErrorKind::NotFound => return Err(Unusable::Missing),
            Err(source) => return Err(Unusable::Unreadable(source)),
        };
        let at = bytes.len().checked_sub(CHECK_SUM_BYTES).ok_or(Unusable::Damaged)?;
        let (body, sum) = bytes.split_at(at);
        if ContentHash::of(body).0 != sum {
            return Err(Unusable::Damaged);
        }
        Self::decode(body).ok_or(Unusable::Damaged)
    }

    /// Replaces the manifest file. Whenever the process ends, the file is either the old or the new one.
    pub(super) fn write(&self, path: &Path) -> Result<(), std::io::Error> {
        let mut bytes = self.encode();
        let sum = ContentHash::of(&bytes);
        bytes.extend_from_slice(&sum.0);
        let beside = path.with_extension("new");
        let mut file = File::options().write(true).create(true).truncate(true).mode(0o600).open(&beside)?;
        file.write_all(&bytes)?;
        file.sync_data()?;
        std::fs::rename(&beside, path)?;
        path.parent().map_or(Ok(()), |folder| File::open(folder)?.sync_all())
    }

    fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.files * 96 + 4_096);
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&self.generation.to_le_bytes());
        put_length(&mut bytes, self.heads.len());
        for (repository, known) in &self.heads {
            put_bytes(&mut bytes, repository);
            put_head(&mut bytes, known);
        }
        put_length(&mut bytes, self.folders.len());
        for (folder, files) in &self.folders {
            put_bytes(&mut bytes, folder);
            put_length(&mut bytes, files.len());
            for named in files {
                put_bytes(&mut bytes, &named.name);
                put_entry(&mut bytes, &named.entry);
            }
        }
        bytes
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        let mut left = Left(bytes.strip_prefix(MAGIC)?);
        let mut manifest = Self { generation: u64::from_le_bytes(left.take()?), ..Self::default() };
        for _ in 0..left.length()? {
            let repository = left.bytes()?;
            let known = left.head()?;
            manifest.heads.insert(repository.into(), known);
        }
        let mut folders = Vec::new();
        for _ in 0..left.length()? {
            let folder: Box<[u8]> = left.bytes()?.into();
            let count = left.length()?;
            let mut files = Vec::with_capacity(count.min(left.0.len()));
            for _ in 0..count {
                files.push(Named { name: left.bytes()?.into(), entry: left.entry()? });
            }
            manifest.files += files.len();
            folders.push((folder, files));
        }
        // They come in order, which is when a tree is built quickest.
        manifest.folders = folders.into_iter().collect();
        Some(manifest)
    }
}

/// The known files of one folder.
#[derive(Clone, Copy)]
pub(super) struct Known<'a> {
    files: &'a [Named],
}

impl<'a> Known<'a> {
    pub(super) fn get(&self, name: &[u8]) -> Option<&'a Entry> {
        let at = self.files.binary_search_by(|named| (*named.name).cmp(name)).ok()?;
        Some(&self.files[at].entry)
    }

    pub(super) fn position(&self, name: &[u8]) -> Option<usize> {
        self.files.binary_search_by(|named| (*named.name).cmp(name)).ok()
    }

    pub(super) fn len(&self) -> usize {
        self.files.len()
    }

    pub(super) fn at(&self, position: usize) -> (&'a [u8], &'a Entry) {
        let named = &self.files[position];
        (&named.name, &named.entry)
    }

    pub(super) fn iter(self) -> impl Iterator<Item = (&'a [u8], &'a Entry)> {
        self.files.iter().map(|named| (&*named.name, &named.entry))
    }
}

/// Under which path the state of a repository is kept among the entries. No file can have it: nothing below `.git` is
/// ever looked at.
pub(super) fn head_path(repository: &[u8]) -> Option<FilePath> {
    FilePath::new(join(repository, b".git/HEAD")).ok()
}

fn repository_of(head_path: &[u8]) -> &[u8] {
    let folder = head_path.strip_suffix(b".git/HEAD").unwrap_or(head_path);
    folder.strip_suffix(b"/").unwrap_or(folder)
}

impl Record {
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut bytes = vec![ENTRY_FORM];
        match self {
            Self::Gone => bytes.push(0),
            Self::There(entry) => {
                bytes.push(1);
                put_entry(&mut bytes, entry);
            }
            Self::Head(known) => {
                bytes.push(2);
                put_head(&mut bytes, known);
            }
        }
        bytes
    }

    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        let mut left = Left(bytes.strip_prefix(&[ENTRY_FORM])?);
        let [kind] = left.take()?;
        let record = match kind {
            0 => Self::Gone,
            1 => Self::There(left.entry()?),
            2 => Self::Head(left.head()?),
            _ => return None,
        };
        left.0.is_empty().then_some(record)
    }
}

fn put_length(bytes: &mut Vec<u8>, length: usize) {
    bytes.extend_from_slice(&u32::try_from(length).unwrap_or(u32::MAX).to_le_bytes());
}

fn put_bytes(bytes: &mut Vec<u8>, some: &[u8]) {
    bytes.extend_from_slice(&u16::try_from(some.len()).unwrap_or(u16::MAX).to_le_bytes());
    bytes.extend_from_slice(some);
}

fn put_entry(bytes: &mut Vec<u8>, entry: &Entry) {
    let kind: u8 = match entry.stamp.kind {
        Kind::File => 0,
        Kind::Link => 1,
        Kind::Special => 2,
    };
    let content: u8 = match entry.content {
        Content::Git(_) => 0,
        Content::Blob(_) => 1,
        Content::NotKept => 2,
        Content::Nothing => 3,
    };
    bytes.push(kind | u8::from(entry.fresh) << 2 | content << 3);
    bytes.extend_from_slice(&entry.stamp.mode.to_le_bytes());
    bytes.extend_from_slice(&entry.stamp.size.to_le_bytes());
    bytes.extend_from_slice(&entry.stamp.modified_ns.to_le_bytes());
    bytes.extend_from_slice(&entry.stamp.changed_ns.to_le_bytes());
    bytes.extend_from_slice(&entry.stamp.inode.to_le_bytes());
    match &entry.content {
        Content::Git(id) => bytes.extend_from_slice(id),
        Content::Blob(hash) => bytes.extend_from_slice(&hash.0),
        Content::NotKept | Content::Nothing => {}
    }
}

fn put_head(bytes: &mut Vec<u8>, known: &KnownHead) {
    bytes.extend_from_slice(&known.index_ns.to_le_bytes());
    match &known.head {
        None => bytes.push(0),
        Some(Head { branch: None, commit }) => {
            bytes.push(1);
            put_bytes(bytes, commit.as_bytes());
        }
        Some(Head { branch: Some(branch), commit }) => {
            bytes.push(2);
            put_bytes(bytes, commit.as_bytes());
            put_bytes(bytes, branch.as_bytes());
        }
    }
}

/// What is left to decode. Every step takes only what is there.
struct Left<'a>(&'a [u8]);

impl<'a> Left<'a> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, left) = self.0.split_first_chunk::<N>()?;
        self.0 = left;
        Some(*taken)
    }

    fn length(&mut self) -> Option<usize> {
        Some(u32::from_le_bytes(self.take()?) as usize)
    }

    fn bytes(&mut self) -> Option<&'a [u8]> {
        let length = usize::from(u16::from_le_bytes(self.take()?));
        let (taken, left) = self.0.split_at_checked(length)?;
        self.0 = left;
        Some(taken)
    }

    fn text(&mut self) -> Option<String> {
        String::from_utf8(self.bytes()?.to_vec()).ok()
    }

    fn entry(&mut self) -> Option<Entry> {
        let [flags] = self.take()?;
        let kind = match flags & 3 {
            0 => Kind::File,
            1 => Kind::Link,
            2 => Kind::Special,
            _ => return None,
        };
        let stamp = Stamp {
            kind,
            mode: u16::from_le_bytes(self.take()?),
            size: u64::from_le_bytes(self.take()?),
            modified_ns: i64::from_le_bytes(self.take()?),
            changed_ns: i64::from_le_bytes(self.take()?),
            inode: u64::from_le_bytes(self.take()?),
        };
        let content = match flags >> 3 {
            0 => Content::Git(self.take()?),
            1 => Content::Blob(ContentHash(self.take()?)),
            2 => Content::NotKept,
            3 => Content::Nothing,
            _ => return None,
        };
        Some(Entry { stamp, fresh: flags & 4 != 0, content })
    }

    fn head(&mut self) -> Option<KnownHead> {
        let index_ns = i64::from_le_bytes(self.take()?);
        let [form] = self.take()?;
        let head = match form {
            0 => None,
            1 => Some(Head { branch: None, commit: self.text()? }),
            2 => {
                let commit = self.text()?;
                Some(Head { branch: Some(self.text()?), commit })
            }
            _ => return None,
        };
        Some(KnownHead { head, index_ns })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(inode: u64, content: Content) -> Entry {
        let stamp = Stamp { kind: Kind::File, mode: 0o644, size: 7, modified_ns: -3, changed_ns: i64::MAX, inode };
        Entry { stamp, fresh: inode.is_multiple_of(2), content }
    }

    fn sample() -> Manifest {
        let mut manifest = Manifest { generation: 9, ..Manifest::default() };
        let contents = [Content::Git([1; 20]), Content::Blob(ContentHash([2; 32])), Content::NotKept, Content::Nothing];
        for (at, path) in [&b"top"[..], b"a/x", b"a-b/x", b"a/b/c", b"a/\xff"].into_iter().enumerate() {
            manifest.set(path, entry(at as u64, contents[at % 4]));
        }
        let head = Head { branch: Some("main".into()), commit: "c0ffee".into() };
        manifest.set_head(b"sub", KnownHead { head: Some(head), index_ns: 5 });
        manifest
    }

    fn paths(manifest: &Manifest, folder: &[u8]) -> Vec<String> {
        let below = manifest.folders_below(folder);
        below
            .flat_map(|(folder, known)| known.iter().map(move |(name, _)| join(folder, name)))
            .map(|path| String::from_utf8_lossy(&path).into_owned())
            .collect()
    }

    #[test]
    fn what_is_written_is_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("manifest");
        assert!(matches!(Manifest::read(&path), Err(Unusable::Missing)));
        sample().write(&path).unwrap();
        let manifest = Manifest::read(&path).unwrap();
        assert_eq!((manifest.files(), manifest.generation), (5, 9));
        assert_eq!(manifest.get(b"a/b/c"), Some(&entry(3, Content::Nothing)));
        assert_eq!(manifest.head(b"sub"), sample().head(b"sub"));
        assert_eq!(paths(&manifest, b""), paths(&sample(), b""));
    }

    #[test]
    fn a_damaged_file_is_not_believed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("manifest");
        sample().write(&path).unwrap();
        let whole = std::fs::read(&path).unwrap();
        for length in 0..whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            assert!(matches!(Manifest::read(&path), Err(Unusable::Damaged)), "{length}");
        }
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 1;
            std::fs::write(&path, &bytes).unwrap();
            assert!(matches!(Manifest::read(&path), Err(Unusable::Damaged)), "{at}");
        }
    }

    #[test]
    fn a_folder_is_not_its_neighbour() {
        let manifest = sample();
        assert_eq!(paths(&manifest, b"a"), ["a/x", "a/\u{fffd}", "a/b/c"]);
        assert!(manifest.knows_below(b"a/b") && !manifest.knows_below(b"a/b/c") && !manifest.knows_below(b"a-"));
    }

    #[test]
    fn a_removed_file_leaves_nothing() {
        let mut manifest = sample();
        manifest.remove(b"a/b/c");
        manifest.remove(b"a/b/c");
        assert_eq!((manifest.files(), manifest.knows_below(b"a/b")), (4, false));
    }

    #[test]
    fn records_are_read_back_and_nonsense_is_refused() {
        let known = KnownHead { head: None, index_ns: -1 };
        for record in [Record::Gone, Record::There(entry(2, Content::Git([7; 20]))), Record::Head(known)] {
            let bytes = record.encode();
            assert_eq!(Record::decode(&bytes), Some(record));
            for length in 0..bytes.len() {
                assert_eq!(Record::decode(&bytes[..length]), None);
            }
        }
        assert_eq!(Record::decode(&[2, 0]), None);
        assert_eq!(repository_of(head_path(b"a/b").unwrap().as_bytes()), b"a/b");
        assert_eq!(repository_of(head_path(b"").unwrap().as_bytes()), b"");
    }
}
