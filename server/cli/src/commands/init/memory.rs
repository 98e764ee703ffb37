//! What the files were before we put something in, kept with the workspace's data: a file that is still as we left it
//! goes back to exactly what it was.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use augment_core::file::ContentHash;
use serde::{Deserialize, Serialize};

/// The most that is read of it: each file is bounded, and there are few.
const LONGEST: u64 = 32 * 1_024 * 1_024;

#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Memory {
    files: BTreeMap<String, Remembered>,
    #[serde(skip)]
    place: PathBuf,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Remembered {
    /// What was there; null where nothing was.
    pub(super) before: Option<String>,
    /// The hash of what we left.
    after: String,
    /// What was made in a JSON file on the way to our entries.
    pub(super) made: Vec<String>,
    /// The folders that were made for it.
    #[serde(default)]
    pub(super) folders: Vec<String>,
}

impl Remembered {
    pub(super) fn new(before: Option<String>, after: &str, made: Vec<String>) -> Self {
        Self { before, after: ContentHash::of(after.as_bytes()).to_string(), made, folders: Vec::new() }
    }

    /// Whether a file is as we left it.
    pub(super) fn is_as_left(&self, text: &str) -> bool {
        self.after == ContentHash::of(text.as_bytes()).to_string()
    }
}

impl Memory {
    /// Nothing where there is none yet. One that cannot be read is an error: it would be lost by the next save.
    pub(super) fn load(data: &Path) -> io::Result<Self> {
        let place = data.join("init.json");
        let mut text = String::new();
        match fs::File::open(&place) {
            Ok(file) => file.take(LONGEST).read_to_string(&mut text)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self { place, ..Self::default() }),
            Err(error) => return Err(error),
        };
        let memory: Self = serde_json::from_str(&text).map_err(io::Error::other)?;
        Ok(Self { place, ..memory })
    }

    pub(super) fn of(&self, path: &str) -> Option<&Remembered> {
        self.files.get(path)
    }

    pub(super) fn keep(&mut self, path: &str, remembered: Remembered) {
        self.files.insert(path.to_owned(), remembered);
    }

    pub(super) fn add_folders(&mut self, path: &str, folders: Vec<String>) {
        if let Some(remembered) = self.files.get_mut(path) {
            remembered.folders.extend(folders);
        }
    }

    pub(super) fn forget(&mut self, path: &str) {
        self.files.remove(path);
    }

    pub(super) fn save(&self) -> io::Result<()> {
        if let Some(folder) = self.place.parent() {
            fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
        }
        let fresh = self.place.with_extension("json.new");
        let text = serde_json::to_string(self).map_err(io::Error::other)?;
        let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&fresh)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&fresh, &self.place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_kept_is_there_again() {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("data");
        let mut memory = Memory::load(&data).unwrap();
        memory.keep("a", Remembered::new(Some("x".into()), "y", vec!["hooks".into()]));
        memory.keep("b", Remembered::new(None, "z", vec![]));
        memory.add_folders("a", vec!["f".into()]);
        memory.forget("b");
        memory.save().unwrap();
        let again = Memory::load(&data).unwrap();
        let a = again.of("a").unwrap();
        assert_eq!((a.before.as_deref(), a.is_as_left("y"), a.is_as_left("x")), (Some("x"), true, false));
        assert_eq!((a.made.as_slice(), a.folders.as_slice()), (&["hooks".to_owned()][..], &["f".to_owned()][..]));
        assert!(again.of("b").is_none());
        fs::write(data.join("init.json"), "{").unwrap();
        assert!(Memory::load(&data).is_err());
    }
}
