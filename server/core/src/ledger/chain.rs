//! The chain: a record's hash covers the hash before it and the record's own text, so an edit, a removal or a swap
//! breaks it at the first record touched. What a chain alone cannot show: that it was rewritten as a whole, or cut at
//! the end together with the head that is kept beside it.

use std::fmt;

use super::{Record, encoding};

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Hash(pub [u8; 32]);

impl Hash {
    /// What stands before the first record.
    pub const NONE: Self = Self([0; 32]);

    /// Reads what `Display` writes.
    #[must_use]
    pub fn from_hex(text: &str) -> Option<Self> {
        blake3::Hash::from_hex(text).ok().map(|hash| Self(hash.into()))
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&blake3::Hash::from_bytes(self.0).to_hex())
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// The end of the chain: the last sequence number and its hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head {
    pub sequence: u64,
    pub hash: Hash,
}

impl Head {
    pub const EMPTY: Self = Self { sequence: 0, hash: Hash::NONE };

    /// The head after this record. BLAKE3 over the previous hash in hexadecimal, a line break, and the record's line.
    #[must_use]
    pub fn after(self, record: &Record) -> Self {
        let mut hasher = blake3::Hasher::new();
        hasher.update(self.hash.to_string().as_bytes());
        hasher.update(b"\n");
        hasher.update(encoding::line(record).as_bytes());
        Self { sequence: record.sequence, hash: Hash(hasher.finalize().into()) }
    }
}

/// A record with the hashes kept beside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    pub record: Record,
    pub previous: Hash,
    pub hash: Hash,
}

impl Link {
    /// The record as one line of canonical JSON, with the hashes beside it, for a file of records. One that is redacted
    /// says so: what is hashed is not in it then.
    #[must_use]
    pub fn line(&self, redacted: bool) -> String {
        encoding::link_line(self, redacted)
    }
}

/// The first place where a chain does not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Break {
    Missing {
        sequence: u64,
    },
    OutOfOrder {
        sequence: u64,
        found: u64,
    },
    Changed {
        sequence: u64,
    },
    Unlinked {
        sequence: u64,
    },
    /// It cannot be found by what it is about.
    Unlisted {
        sequence: u64,
    },
    /// Something can be found that no record says.
    Overlisted {
        sequence: u64,
    },
    /// The records end before (or after) the head that was kept.
    WrongEnd {
        kept: u64,
        found: u64,
    },
}

impl Break {
    /// The record to look at.
    #[must_use]
    pub fn sequence(&self) -> u64 {
        match self {
            Self::Missing { sequence }
            | Self::OutOfOrder { sequence, .. }
            | Self::Changed { sequence }
            | Self::Unlisted { sequence }
            | Self::Overlisted { sequence }
            | Self::Unlinked { sequence } => *sequence,
            Self::WrongEnd { kept, found } => (*kept).min(*found) + 1,
        }
    }
}

impl fmt::Display for Break {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing { sequence } => write!(f, "Record {sequence} is missing."),
            Self::OutOfOrder { sequence, found } => {
                write!(f, "Record {found} stands where record {sequence} belongs.")
            }
            Self::Changed { sequence } => write!(f, "Record {sequence} was changed after it was written."),
            Self::Unlinked { sequence } => {
                write!(f, "Record {sequence} does not follow the record before it: one of them was replaced.")
            }
            Self::Unlisted { sequence } => {
                write!(f, "Record {sequence} cannot be found by what it is about: its look-up entries were removed.")
            }
            Self::Overlisted { sequence } => {
                write!(f, "There are look-up entries that none of the {sequence} records has: they were added.")
            }
            Self::WrongEnd { kept, found } => {
                write!(f, "The ledger should end with record {kept}, but it ends with record {found}.")
            }
        }
    }
}

/// Checks that `link` continues the chain that ends at `head`, and gives the new head.
pub fn check_next(head: Head, link: &Link) -> Result<Head, Break> {
    let sequence = head.sequence + 1;
    let found = link.record.sequence;
    if found > sequence {
        return Err(Break::Missing { sequence });
    }
    if found < sequence {
        return Err(Break::OutOfOrder { sequence, found });
    }
    if link.previous != head.hash {
        return Err(Break::Unlinked { sequence });
    }
    let next = head.after(&link.record);
    if next.hash != link.hash { Err(Break::Changed { sequence }) } else { Ok(next) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Wall;

    fn chain(length: u64) -> Vec<Link> {
        let mut head = Head::EMPTY;
        (1..=length)
            .map(|sequence| {
                let record = Record {
                    sequence,
                    time: Wall(1_000 + i64::try_from(sequence).unwrap()),
                    actor: "person:ada".into(),
                    kind: "task.added".into(),
                    subject: format!("task:a{sequence}"),
                    about: vec![],
                    data: format!("{{\"title\":\"t{sequence}\"}}"),
                    version: 1,
                };
                let previous = head.hash;
                head = head.after(&record);
                Link { record, previous, hash: head.hash }
            })
            .collect()
    }

    fn first_break(links: &[Link]) -> Option<Break> {
        let mut head = Head::EMPTY;
        links.iter().find_map(|link| match check_next(head, link) {
            Ok(next) => {
                head = next;
                None
            }
            Err(broken) => Some(broken),
        })
    }

    #[test]
    fn an_untouched_chain_holds() {
        assert_eq!(first_break(&chain(20)), None);
    }

    #[test]
    fn every_touch_is_found_at_the_first_record_touched() {
        let mut edited = chain(9);
        edited[4].record.data = "{\"title\":\"t6\"}".into();
        assert_eq!(first_break(&edited), Some(Break::Changed { sequence: 5 }));

        let mut removed = chain(9);
        removed.remove(4);
        assert_eq!(first_break(&removed), Some(Break::Missing { sequence: 5 }));

        let mut swapped = chain(9);
        swapped.swap(4, 5);
        assert_eq!(first_break(&swapped), Some(Break::Missing { sequence: 5 }));

        let mut renumbered = chain(9);
        renumbered.swap(4, 5);
        renumbered[4].record.sequence = 5;
        renumbered[5].record.sequence = 6;
        assert_eq!(first_break(&renumbered), Some(Break::Unlinked { sequence: 5 }));

        let mut reforged = chain(9);
        reforged[4].record.actor = "person:eve".into();
        reforged[4].hash = Head { sequence: 4, hash: reforged[4].previous }.after(&reforged[4].record).hash;
        assert_eq!(first_break(&reforged), Some(Break::Unlinked { sequence: 6 }));
    }

    #[test]
    fn the_hashed_text_is_fixed() {
        let links = chain(1);
        assert_eq!(
            encoding::line(&links[0].record),
            r#"{"about":[],"actor":"person:ada","data":{"title":"t1"},"kind":"task.added","sequence":1,"subject":"task:a1","time":1001,"version":1}"#
        );
        assert_eq!(links[0].hash.to_string(), "42c20439ca959a537be78ea0ff88718e6ca4456398a878957730acd50dfdef41");
    }
}
