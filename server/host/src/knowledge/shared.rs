//! The file of the workspace that holds what a person approved for everybody. Entries lie in the order of their ids and
//! every key in its place, so that the same entries are the same bytes on every machine, and two people's additions
//! merge. Whoever clones the repository gets it: it is read with limits, and what it says is only ever shown.

use std::collections::BTreeMap;
use std::path::Path;

use augment_core::file::{ContentHash, FilePath};
use augment_core::knowledge::{Draft, Entry, KnowledgeId};
use augment_core::text::quoted;
use serde::de::DeserializeOwned;
use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use crate::archive::form::read_time;
use crate::files::{self, Expected, ExpectedThing, HardLinks, Root, Thing, Wanted, WriteError};

const FORM: &str = "augment-knowledge/1";
const BYTES: u64 = 4 * 1_024 * 1_024;
const MODE: u32 = 0o644;
/// The bits that let somebody write to a file.
const WRITE_BITS: u32 = 0o222;

#[derive(Debug, thiserror::Error)]
pub enum SharedError {
    #[error("{path} is not understood, so it is left alone: {problem}. Correct it, or move it away.")]
    NotUnderstood { path: FilePath, problem: String },
    #[error("{path} is of the form {form}, which this program does not know. Update Augment Orchestrator to use it.")]
    OtherForm { path: FilePath, form: String },
    #[error("{path} is a link. Links are not followed; put the file itself there.")]
    Link { path: FilePath },
    #[error("{path} is read-only. Let it be written to, then repeat.")]
    ReadOnly { path: FilePath },
    #[error(transparent)]
    Files(#[from] WriteError),
    #[error("{path} would be larger than {} MB. Drop entries that nobody needs.", BYTES / 1_024 / 1_024)]
    Full { path: FilePath },
}

/// The file as it was read.
#[derive(Debug)]
pub struct SharedFile {
    path: FilePath,
    document: Document,
    /// What was on disk; nothing where there was no file.
    found: Option<(ContentHash, u32)>,
}

/// What others have added stays to the letter: a number that does not fit into ours is not made another.
type Others = BTreeMap<String, Box<RawValue>>;

#[derive(Debug, Clone)]
struct Document {
    entries: Vec<Kept>,
    other: Others,
}

#[derive(Debug, Clone)]
struct Kept {
    id: String,
    text: String,
    tags: Vec<String>,
    files: Vec<String>,
    source: Option<String>,
    by: Option<String>,
    at: String,
    other: Others,
}

impl Document {
    /// From all keys but its form.
    fn read(mut other: Others) -> Result<Self, String> {
        let entries: Vec<Others> = taken(&mut other, "entries")?;
        Ok(Self { entries: entries.into_iter().map(Kept::read).collect::<Result<_, _>>()?, other })
    }
}

impl Kept {
    fn read(mut other: Others) -> Result<Self, String> {
        Ok(Self {
            id: taken(&mut other, "id")?,
            text: taken(&mut other, "text")?,
            tags: taken(&mut other, "tags")?,
            files: taken(&mut other, "files")?,
            source: perhaps(&mut other, "source")?,
            by: perhaps(&mut other, "by")?,
            at: taken(&mut other, "at")?,
            other,
        })
    }
}

/// Takes a key out that has to be there.
fn taken<T: DeserializeOwned>(others: &mut Others, key: &str) -> Result<T, String> {
    perhaps(others, key)?.ok_or_else(|| format!("{key} is missing"))
}

fn perhaps<T: DeserializeOwned>(others: &mut Others, key: &str) -> Result<Option<T>, String> {
    let Some(raw) = others.remove(key) else { return Ok(None) };
    serde_json::from_str(raw.get()).map_err(|error| format!("{key}: {error}"))
}

impl Serialize for Document {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("form", FORM)?;
        map.serialize_entry("entries", &self.entries)?;
        for (key, value) in &self.other {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

impl Serialize for Kept {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("id", &self.id)?;
        map.serialize_entry("text", &self.text)?;
        map.serialize_entry("tags", &self.tags)?;
        map.serialize_entry("files", &self.files)?;
        map.serialize_entry("source", &self.source)?;
        map.serialize_entry("by", &self.by)?;
        map.serialize_entry("at", &self.at)?;
        for (key, value) in &self.other {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

impl SharedFile {
    /// No file, no entries.
    pub fn read(root: &Path, path: &FilePath) -> Result<Self, SharedError> {
        let root = Root::open(root, BYTES, HardLinks::Separate)?;
        let look = files::look(&root, path)?;
        match look.thing {
            Thing::File { content, mode } => {
                let document = understood(path, &content)?;
                Ok(Self { path: path.clone(), document, found: look.hash.map(|hash| (hash, mode)) })
            }
            Thing::Absent => Ok(Self::empty(path)),
            Thing::Link(_) => Err(SharedError::Link { path: path.clone() }),
        }
    }

    #[must_use]
    pub fn empty(path: &FilePath) -> Self {
        let document = Document { entries: Vec::new(), other: Others::new() };
        Self { path: path.clone(), document, found: None }
    }

    /// Where it lies, and the hash of what was there.
    #[must_use]
    pub fn place(&self) -> (&FilePath, Option<ContentHash>) {
        (&self.path, self.found.map(|(hash, _)| hash))
    }

    /// What it tells. An entry that could not be added here is not told either.
    #[must_use]
    pub fn entries(&self) -> Vec<Entry> {
        let entry = |kept: &Kept| {
            let draft = Draft { text: kept.text.clone(), tags: kept.tags.clone(), files: kept.files.clone() };
            let Draft { text, tags, files } = draft.checked().ok()?;
            Some(Entry {
                id: KnowledgeId::of(&text),
                text,
                tags,
                files,
                source: kept.source.clone(),
                shared: true,
                by: kept.by.clone(),
                at: read_time(&kept.at).unwrap_or(0),
            })
        };
        self.document.entries.iter().filter_map(entry).collect()
    }

    /// The file's content with this entry.
    pub fn with(&self, entry: &Entry) -> Result<Vec<u8>, SharedError> {
        let mut document = self.document.clone();
        document.entries.retain(|kept| KnowledgeId::of(&kept.text) != entry.id);
        document.entries.push(Kept {
            id: entry.id.to_string(),
            text: entry.text.clone(),
            tags: entry.tags.clone(),
            files: entry.files.clone(),
            source: entry.source.clone(),
            by: entry.by.clone(),
            at: augment_core::time::utc(entry.at),
            other: Others::new(),
        });
        self.bytes(document)
    }

    /// The file's content without this entry.
    pub fn without(&self, id: &KnowledgeId) -> Result<Vec<u8>, SharedError> {
        let mut document = self.document.clone();
        document.entries.retain(|kept| KnowledgeId::of(&kept.text) != *id);
        self.bytes(document)
    }

    fn bytes(&self, mut document: Document) -> Result<Vec<u8>, SharedError> {
        if self.found.is_some_and(|(_, mode)| mode & WRITE_BITS == 0) {
            return Err(SharedError::ReadOnly { path: self.path.clone() });
        }
        document.entries.sort_by(|a, b| (&a.id, &a.text).cmp(&(&b.id, &b.text)));
        let problem = |error: serde_json::Error| SharedError::NotUnderstood {
            path: self.path.clone(),
            problem: error.to_string(),
        };
        let mut bytes = serde_json::to_vec_pretty(&document).map_err(problem)?;
        bytes.push(b'\n');
        if bytes.len() as u64 > BYTES { Err(SharedError::Full { path: self.path.clone() }) } else { Ok(bytes) }
    }

    /// Writes it, if what was read is still there. False where it is not: then it is read again.
    pub fn put(&self, root: &Path, content: Vec<u8>) -> Result<bool, SharedError> {
        let root = Root::open(root, BYTES, HardLinks::Separate)?;
        let (thing, mode) = match self.found {
            Some((hash, mode)) => (ExpectedThing::File { hash, mode: Some(mode) }, mode),
            None => (ExpectedThing::Absent, MODE),
        };
        let expected = Expected { path: self.path.clone(), thing };
        let wanted = Wanted { path: self.path.clone(), thing: Thing::File { content, mode } };
        match files::replace(&root, &expected, &wanted) {
            Ok(_) => Ok(true),
            Err(WriteError::Changed { .. } | WriteError::Exists { .. }) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }
}

fn understood(path: &FilePath, content: &[u8]) -> Result<Document, SharedError> {
    let problem = |problem: String| SharedError::NotUnderstood { path: path.clone(), problem };
    let mut keys: Others = serde_json::from_slice(content).map_err(|error| problem(error.to_string()))?;
    match perhaps::<String>(&mut keys, "form").map_err(problem)?.as_deref() {
        Some(FORM) => Document::read(keys).map_err(problem),
        Some(form) => Err(SharedError::OtherForm { path: path.clone(), form: quoted(form) }),
        None => Err(problem("it has no form".to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn entry(text: &str) -> Entry {
        Entry {
            id: KnowledgeId::of(text),
            text: text.to_owned(),
            tags: vec!["a".into()],
            files: vec![],
            source: None,
            shared: true,
            by: Some("person:ada".into()),
            at: 1_794_823_205_000,
        }
    }

    #[test]
    fn the_same_entries_are_the_same_bytes_in_any_order() {
        let folder = tempfile::tempdir().unwrap();
        let path = FilePath::from_text("memory-bank/k.json").unwrap();
        let mut all = Vec::new();
        for order in [["one", "two", "three"], ["three", "one", "two"]] {
            std::fs::remove_dir_all(folder.path().join("memory-bank")).ok();
            for text in order {
                let file = SharedFile::read(folder.path(), &path).unwrap();
                assert!(file.put(folder.path(), file.with(&entry(text)).unwrap()).unwrap());
            }
            all.push(std::fs::read(folder.path().join("memory-bank/k.json")).unwrap());
        }
        assert_eq!(all[0], all[1]);
        let file = SharedFile::read(folder.path(), &path).unwrap();
        assert_eq!(file.entries().len(), 3);
        let less = file.without(&KnowledgeId::of("two")).unwrap();
        std::fs::write(folder.path().join("memory-bank/k.json"), b"{}").unwrap();
        assert!(!file.put(folder.path(), less).unwrap(), "what changed meanwhile is not overwritten");
    }

    #[test]
    fn what_others_wrote_is_kept_or_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = FilePath::from_text("k.json").unwrap();
        let write = |text: &str| std::fs::write(folder.path().join("k.json"), text).unwrap();
        let read = || SharedFile::read(folder.path(), &path);
        write(
            r#"{"form":"augment-knowledge/1","team":"x","entries":[{"id":"odd","text":"one","tags":[],"files":[],"source":null,"by":null,"at":"?","seen":3,"big":123456789012345678901234567890,"exact":1.10}],"more":{"b":1e400,"a":[ 2 ]}}"#,
        );
        let kept = String::from_utf8(read().unwrap().with(&entry("two")).unwrap()).unwrap();
        for part in [
            "\"team\": \"x\"",
            "\"seen\": 3",
            "\"big\": 123456789012345678901234567890",
            "\"exact\": 1.10",
            "\"more\": {\"b\":1e400,\"a\":[ 2 ]}",
        ] {
            assert!(kept.contains(part), "{part} is not in {kept}");
        }
        std::fs::set_permissions(folder.path().join("k.json"), std::fs::Permissions::from_mode(0o444)).unwrap();
        let message = "k.json is read-only. Let it be written to, then repeat.";
        assert_eq!(read().unwrap().with(&entry("two")).unwrap_err().to_string(), message);
        assert_eq!(read().unwrap().without(&KnowledgeId::of("one")).unwrap_err().to_string(), message);
        std::fs::set_permissions(folder.path().join("k.json"), std::fs::Permissions::from_mode(0o644)).unwrap();
        for (text, message) in [
            ("{}", "k.json is not understood, so it is left alone: it has no form. Correct it, or move it away."),
            (
                r#"{"form":"augment-knowledge/1"}"#,
                "k.json is not understood, so it is left alone: entries is missing. Correct it, or move it away.",
            ),
            (
                r#"{"form":"augment-knowledge/2"}"#,
                "k.json is of the form \"augment-knowledge/2\", which this program does not know. Update Augment Orchestrator to use it.",
            ),
        ] {
            write(text);
            assert_eq!(read().unwrap_err().to_string(), message);
        }
        std::fs::remove_file(folder.path().join("k.json")).unwrap();
        std::os::unix::fs::symlink("/etc/passwd", folder.path().join("k.json")).unwrap();
        assert!(matches!(read(), Err(SharedError::Link { .. })));
    }
}
