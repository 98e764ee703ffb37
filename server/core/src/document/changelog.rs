//! A project's changelog: one entry a session or a release, the newest first. Read in the shapes in which people keep
//! them; a new entry is written in the shape of the newest one.

mod form;
pub(in crate::document) mod heading;
mod read;
mod write;

pub use write::{NewEntry, add_entry};

use super::Problem;
use read::Reading;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changelog {
    /// The newest first, also where the file has them the other way round.
    pub entries: Vec<Entry>,
    pub problems: Vec<Problem>,
}

/// What happened in a session, or is in a release.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Entry {
    pub session: Option<u32>,
    pub version: Option<String>,
    pub date: Option<String>,
    pub title: Option<String>,
    pub model: Option<String>,
    pub line: u32,
    pub done: Vec<String>,
    /// What was carried over. Empty where the entry says that nothing was.
    pub not_done: Vec<String>,
    pub duration: Option<String>,
}

impl Changelog {
    /// Fails only where the text is none: binary, or too long. An empty one has no entries.
    pub fn read(text: &[u8]) -> Result<Self, Problem> {
        Reading::of(text).map(Reading::into_changelog)
    }

    /// The number of the session to come: numbers skip, so it is one more than the highest.
    #[must_use]
    pub fn next_session(&self) -> u32 {
        self.entries.iter().filter_map(|entry| entry.session).max().map_or(1, |highest| highest.saturating_add(1))
    }

    /// The newest entry of a session, not of a release.
    #[must_use]
    pub fn last_session(&self) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.session.is_some())
    }
}

/// The steps that reading takes.
#[cfg(test)]
pub(super) fn steps(text: &[u8]) -> Option<u64> {
    Reading::of(text).ok().map(|reading| reading.document.steps)
}
