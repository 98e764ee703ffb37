//! The user's files as a map, and the one way the host changes them: only if what is there is what is expected.

use std::collections::BTreeMap;

use crate::file::{Body, FilePath, FileState};
use crate::review::{FileWrite, Outcome};

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Disk {
    files: BTreeMap<FilePath, FileState>,
}

impl Disk {
    /// What is at this path, if only nothing.
    #[must_use]
    pub fn at(&self, path: &FilePath) -> FileState {
        let absent = || FileState { path: path.clone(), body: Body::Absent, mode: 0 };
        self.files.get(path).cloned().unwrap_or_else(absent)
    }

    pub fn files(&self) -> impl Iterator<Item = &FileState> {
        self.files.values()
    }

    /// Somebody writes, replaces or removes a file.
    pub fn put(&mut self, state: &FileState) {
        if state.body == Body::Absent {
            self.files.remove(&state.path);
        } else {
            self.files.insert(state.path.clone(), state.clone());
        }
    }

    /// Carries out a decision in one file, or says why not. What a crash left half done (the new place of a renamed file
    /// written, the old one still there) is finished.
    pub fn carry_out(&mut self, write: &FileWrite) -> Outcome {
        let not = |reason: &str| Outcome::NotWritten { reason: reason.to_owned() };
        if self.at(&write.before.path) != write.before {
            return not("it has changed since");
        }
        if write.after.path != write.before.path {
            let there = self.at(&write.after.path);
            if there.body != Body::Absent && there != write.after {
                return not("another file is there");
            }
            self.files.remove(&write.before.path);
        }
        self.put(&write.after);
        Outcome::Written
    }

    /// The first half of moving a file: it is in both places.
    pub fn carry_out_half(&mut self, write: &FileWrite) {
        if self.at(&write.before.path) == write.before && self.at(&write.after.path).body == Body::Absent {
            self.put(&write.after);
        }
    }

    /// What the host does at its start with a write whose outcome it does not know: what is not begun is done, what is
    /// done is noted, and anything else is left alone.
    pub fn finish(&mut self, write: &FileWrite) -> Outcome {
        let moved = write.before.path == write.after.path || self.at(&write.before.path).body == Body::Absent;
        if moved && self.at(&write.after.path) == write.after {
            return Outcome::Written;
        }
        self.carry_out(write)
    }
}
