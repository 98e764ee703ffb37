//! The manifest: what every file was when it was last looked at. In memory it is grouped by folder, since that is how
//! it is asked; on disk it is one file with a check sum, replaced as a whole, and entries that are newer than it are kept
//! by the sink. A manifest file that is damaged is not believed in part.

mod folder;
mod form;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use augment_core::file::{ContentHash, FilePath};

use super::Head;
use super::stamp::Stamp;
pub(super) use folder::{Files, Gathered, Known};
use form::Left;

const MAGIC: &[u8; 8] = b"augseen3";
const CHECK_SUM_BYTES: usize = 32;
/// In so many parts a large manifest is written and read, each by a thread.
const PARTS: usize = 4;
/// So few files are quicker written than a thread is started.
const FEW_FILES: usize = 4_096;

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
    /// How much of the log of HEAD was there.
    pub(super) log_bytes: u64,
}

/// An entry as it goes through the sink.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Record {
    Gone,
    There(Entry),
    Head(KnownHead),
}

#[derive(Default)]
pub(super) struct Manifest {
    /// By folder; empty for the workspace itself.
    folders: BTreeMap<Box<[u8]>, Files>,
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
        self.folders.get(folder).map(Files::known).unwrap_or_default()
    }

    /// A manifest with these folders.
    pub(super) fn of(mut folders: Vec<(Box<[u8]>, Files)>) -> Self {
        // What is in order already, or in a few pieces that are, is sorted quickest by this.
        folders.sort_by(|(a, _), (b, _)| a.cmp(b));
        let folders: BTreeMap<_, _> = folders.into_iter().collect();
        let files = folders.values().map(|files: &Files| files.known().len()).sum();
        Self { folders, files, ..Self::default() }
    }

    pub(super) fn set(&mut self, path: &[u8], entry: Entry) {
        let (folder, name) = split(path);
        if !self.folders.contains_key(folder) {
            self.folders.insert(folder.into(), Files::default());
        }
        let Some(files) = self.folders.get_mut(folder) else { return };
        self.files += usize::from(files.set(name, entry));
    }

    pub(super) fn remove(&mut self, path: &[u8]) {
        let (folder, name) = split(path);
        let Some(files) = self.folders.get_mut(folder) else { return };
        self.files -= usize::from(files.remove(name));
        if files.known().len() == 0 {
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
            .map(|(path, files)| (&**path, files.known()))
            .collect::<Vec<_>>();
        itself.map(|(path, files)| (&**path, files.known())).into_iter().chain(below)
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

    /// Replaces the manifest file. Whenever the process ends or the power fails, the file is either the old or the new one.
    pub(super) fn write(&self, path: &Path) -> Result<(), std::io::Error> {
        let beside = path.with_extension("new");
        self.put(&beside)?.sync_data()?;
        std::fs::rename(&beside, path)?;
        path.parent().map_or(Ok(()), |folder| File::open(folder)?.sync_all())
    }

    /// Writes the manifest file where there is none to be kept. From then on the process may end at any time; if the power
    /// fails before it is on the disk, there is a file that is not believed, or none.
    pub(super) fn write_first(&self, path: &Path) -> Result<NotOnDisk, std::io::Error> {
        let beside = path.with_extension("new");
        let file = self.put(&beside)?;
        std::fs::rename(&beside, path)?;
        Ok(NotOnDisk { file, folder: path.parent().map(Path::to_owned) })
    }

    fn put(&self, path: &Path) -> Result<File, std::io::Error> {
        let mut bytes = self.encode();
        let sum = ContentHash::of(&bytes);
        bytes.extend_from_slice(&sum.0);
        let mut file = File::options().write(true).create(true).truncate(true).mode(0o600).open(path)?;
        file.write_all(&bytes)?;
        Ok(file)
    }

    fn encode(&self) -> Vec<u8> {
        let parts = self.parts();
        let parts = at_once(&parts, |part| form::encode_part(part));
        let mut bytes = Vec::with_capacity(parts.iter().map(Vec::len).sum::<usize>() + 4_096);
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&self.generation.to_le_bytes());
        form::put_length(&mut bytes, self.heads.len());
        for (repository, known) in &self.heads {
            form::put_bytes(&mut bytes, repository);
            form::put_head(&mut bytes, known);
        }
        form::put_length(&mut bytes, parts.len());
        for part in parts {
            form::put_length(&mut bytes, part.len());
            bytes.extend_from_slice(&part);
        }
        bytes
    }

    /// The folders, in one part if there is little, else in several of about the same size.
    fn parts(&self) -> Vec<Vec<(&[u8], &Files)>> {
        let most = if self.files < FEW_FILES { usize::MAX } else { self.files.div_ceil(PARTS) };
        let mut parts = vec![Vec::new()];
        let mut filled = 0;
        for (folder, files) in &self.folders {
            if filled >= most {
                parts.push(Vec::new());
                filled = 0;
            }
            filled += files.known().len();
            parts.last_mut().expect("it begins with one").push((&**folder, files));
        }
        parts
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        let mut left = Left(bytes.strip_prefix(MAGIC)?);
        let generation = u64::from_le_bytes(left.take()?);
        let mut heads = BTreeMap::new();
        for _ in 0..left.length()? {
            let repository = left.bytes()?;
            heads.insert(repository.into(), left.head()?);
        }
        let parts = left.length()?;
        if parts > PARTS {
            return None;
        }
        let parts = (0..parts).map(|_| left.length().and_then(|length| left.slice(length)));
        let parts = parts.collect::<Option<Vec<_>>>()?;
        if !left.0.is_empty() {
            return None;
        }
        let folders = at_once(&parts, |part| form::decode_part(part)).into_iter().collect::<Option<Vec<_>>>()?;
        Some(Self { generation, heads, ..Self::of(folders.into_iter().flatten().collect()) })
    }
}

/// A manifest file that another process would find, but that may not survive a loss of power yet.
pub(super) struct NotOnDisk {
    file: File,
    folder: Option<PathBuf>,
}

impl NotOnDisk {
    pub(super) fn sync(self) -> Result<(), std::io::Error> {
        self.file.sync_data()?;
        self.folder.map_or(Ok(()), |folder| File::open(folder)?.sync_all())
    }
}

/// Does the same with all parts, each on a thread.
fn at_once<P: Sync, R: Send>(parts: &[P], work: impl Fn(&P) -> R + Sync) -> Vec<R> {
    let Some((last, others)) = parts.split_last() else { return Vec::new() };
    std::thread::scope(|scope| {
        let others: Vec<_> = others.iter().map(|part| scope.spawn(|| work(part))).collect();
        let last = work(last);
        let mut done: Vec<R> = others
            .into_iter()
            .map(|other| other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect();
        done.push(last);
        done
    })
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

#[cfg(test)]
mod tests {
    use super::super::stamp::Kind;
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
        manifest.set_head(b"sub", KnownHead { head: Some(head), index_ns: 5, log_bytes: 7 });
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
    fn many_files_are_read_back_from_several_parts() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("manifest");
        let extremes = [0, 1, -1, 127, 128, i64::MAX, i64::MIN, 1_763_289_000_123_456_789];
        let mut manifest = Manifest::default();
        let mut expected = Vec::new();
        for at in 0..3 * FEW_FILES {
            let pick = |step: usize| extremes[at / step % extremes.len()];
            let stamp = Stamp {
                kind: [Kind::File, Kind::Link, Kind::Special][at % 3],
                mode: [0o644, 0o755, 0][at / 7 % 3],
                size: pick(3).cast_unsigned(),
                modified_ns: pick(1),
                changed_ns: pick(5),
                inode: pick(11).cast_unsigned(),
            };
            let content = [Content::Git([at as u8; 20]), Content::Blob(ContentHash([3; 32])), Content::NotKept][at % 3];
            let entry = Entry { stamp, fresh: at % 2 == 0, content };
            let name = format!("area-{}/part-{}/{}{at}", at % 5, at % 97, "long-".repeat(at % 60));
            manifest.set(name.as_bytes(), entry);
            expected.push((name, entry));
        }
        assert_eq!(manifest.parts().len(), PARTS);
        manifest.write_first(&path).unwrap().sync().unwrap();
        let manifest = Manifest::read(&path).unwrap();
        assert_eq!(manifest.files(), expected.len());
        for (name, entry) in &expected {
            assert_eq!(manifest.get(name.as_bytes()), Some(entry), "{name}");
        }
    }

    #[test]
    fn files_that_come_and_go_leave_no_names_behind() {
        let mut manifest = Manifest::default();
        for round in 0..1_000_u64 {
            manifest.set(format!("folder/file-{round}").as_bytes(), entry(round, Content::Nothing));
            if round >= 10 {
                manifest.remove(format!("folder/file-{}", round - 10).as_bytes());
            }
        }
        let names: Vec<String> = (990..1_000).map(|round| format!("folder/file-{round}")).collect();
        assert_eq!(paths(&manifest, b""), names);
        assert_eq!(manifest.get(b"folder/file-995"), Some(&entry(995, Content::Nothing)));
        assert!(manifest.folders[&b"folder"[..]].name_bytes() < 400);
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
        let known = KnownHead { head: None, index_ns: -1, log_bytes: u64::MAX };
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
