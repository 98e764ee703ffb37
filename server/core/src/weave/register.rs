//! A property of the file under marks: a base value and entries on top of it. The last entry that is not rejected counts,
//! so deciding about one entry never loses another.

use super::{Mark, RevisionNo, Verdict};
use crate::file::{Body, ContentHash};

/// What kind of content there is. `Text` means the visible lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    Absent,
    Text,
    Whole { hash: ContentHash, length: u64 },
    Link(Vec<u8>),
    Large { length: u64, changed_ns: i64 },
    Special,
}

impl Kind {
    #[must_use]
    pub fn of(body: &Body) -> Self {
        match body {
            Body::Absent => Self::Absent,
            Body::Text(_) => Self::Text,
            Body::Whole { hash, length } => Self::Whole { hash: *hash, length: *length },
            Body::Link(target) => Self::Link(target.clone()),
            Body::Large { length, changed_ns } => Self::Large { length: *length, changed_ns: *changed_ns },
            Body::Special => Self::Special,
        }
    }

    /// Links have no mode of their own, and of what is special or absent we know none.
    #[must_use]
    pub fn has_mode(&self) -> bool {
        match self {
            Self::Text | Self::Whole { .. } | Self::Large { .. } => true,
            Self::Absent | Self::Link(_) | Self::Special => false,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry<T> {
    pub(super) number: u32,
    pub(super) value: T,
    pub(super) mark: Mark,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Register<T> {
    pub(super) base: T,
    /// The revision since which the base value counts.
    pub(super) base_revision: RevisionNo,
    pub(super) entries: Vec<Entry<T>>,
    /// The number of the next entry.
    pub(super) next: u32,
}

impl<T> Register<T> {
    pub(super) fn new(base: T) -> Self {
        Self { base, base_revision: RevisionNo::BASE, entries: Vec::new(), next: 0 }
    }

    pub(super) fn push(&mut self, value: T, revision: RevisionNo) {
        self.entries.push(Entry { number: self.next, value, mark: Mark::by(revision) });
        self.next += 1;
    }

    /// The value that counts, and the revision since which it does.
    pub(super) fn standing(&self, judge: impl Fn(u32, Mark) -> Verdict) -> (&T, RevisionNo) {
        let standing = self.entries.iter().rev().find(|entry| judge(entry.number, entry.mark) != Verdict::Rejected);
        standing.map_or((&self.base, self.base_revision), |entry| (&entry.value, entry.mark.revision))
    }

    /// The value that counted before the entry at this place.
    pub(super) fn before(&self, place: usize) -> &T {
        let earlier = self.entries[..place].iter().rev().find(|entry| entry.mark.verdict != Verdict::Rejected);
        earlier.map_or(&self.base, |entry| &entry.value)
    }
}
