//! The file of the workspace that holds what a person approved for everybody. Entries lie in the order of their ids and
//! every key in its place, so that the same entries are the same bytes on every machine, and two people's additions
//! merge. Whoever clones the repository gets it: it is read with limits, and what it says is only ever shown.

use std::collections::BTreeMap;
use std::path::Path;

use augment_core::file::{ContentHash, FilePath};
use augment_core::knowledge::{Draft, Entry, KnowledgeId};
use augment_core::text::quoted;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::archive::form::read_time;
use crate::files::{self, Expected, ExpectedThing, HardLinks, Root, Thing, Wanted, WriteError};

const FORM: &str = "augment-knowledge/1";
const BYTES: u64 = 4 * 1_024 * 1_024;
const MODE: u32 = 0o644;

#[derive(Debug, thiserror::Error)]
pub enum SharedError {
    #[error("{path} is not understood, so it is left alone: {problem}. Correct it, or move it away.")]
    NotUnderstood { path: FilePath, problem: String },
    #[error("{path} is of the form {form}, which this program does not know. Update Augment Orchestrator to use it.")]
    OtherForm { path: FilePath, form: String },
    #[error("{path} is a link. Links are not followed; put the file itself there.")]
    Link { path: FilePath },
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

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Document {
    form: String,
    entries: Vec<Kept>,
    #[serde(flatten)]
    other: BTreeMap<String, Value>,
}

/// What others have added to an entry stays in it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Kept {
    id: String,
    text: String,
    tags: Vec<String>,
    files: Vec<String>,
    source: Option<String>,
    by: Option<String>,
    at: String,
    #[serde(flatten)]
    other: BTreeMap<String, Value>,
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
        let document = Document { form: FORM.to_owned(), entries: Vec::new(), other: BTreeMap::new() };
        Self { path: path.clone(), document, found: None }
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
            other: BTreeMap::new(),
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
    let value: Value = serde_json::from_slice(content).map_err(|error| problem(error.to_string()))?;
    match value.get("form").and_then(Value::as_str) {
        Some(FORM) => {}
        Some(form) => return Err(SharedError::OtherForm { path: path.clone(), form: quoted(form) }),
        None => return Err(problem("it has no form".to_owned())),
    }
    serde_json::from_value(value).map_err(|error| problem(error.to_string()))
}

#[cfg(test)]
mod tests {
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
            r#"{"form":"augment-knowledge/1","team":"x","entries":[{"id":"odd","text":"one","tags":[],"files":[],"source":null,"by":null,"at":"?","seen":3}]}"#,
        );
        let kept = String::from_utf8(read().unwrap().with(&entry("two")).unwrap()).unwrap();
        assert!(kept.contains("\"team\": \"x\"") && kept.contains("\"seen\": 3"), "{kept}");
        for (text, message) in [
            ("{}", "k.json is not understood, so it is left alone: it has no form. Correct it, or move it away."),
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
