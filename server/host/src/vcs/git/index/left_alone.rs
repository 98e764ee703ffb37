//! The files that a person told git to leave alone (skip-worktree, assume-unchanged): whatever the disk says of them is no
//! change. Nothing here writes.

use std::collections::BTreeSet;
use std::fs::File;

use git2::{IndexEntry, Repository};

use super::passing::{Passing, ROOM};
use super::{Result, read};

/// In an entry's flags, as libgit2 has them.
const ASSUMED: u16 = 0x8000;
/// In an entry's second flags, as libgit2 has them.
const SKIPPED: u16 = 1 << 14;

/// Their places. An index that is not understood is refused.
pub(in super::super) fn left_alone(git: &Repository) -> Result<BTreeSet<Vec<u8>>> {
    if let Some(found) = scanned(git) {
        return Ok(found);
    }
    let index = read(git)?;
    Ok(index.iter().filter(is_marked).map(|entry| entry.path).collect())
}

/// Whether an entry is of such a file.
pub(super) fn is_marked(entry: &IndexEntry) -> bool {
    entry.flags & ASSUMED != 0 || entry.flags_extended & SKIPPED != 0
}

/// The same from the file itself, which in a large repository costs far less. `None` where it is not understood to its end.
fn scanned(git: &Repository) -> Option<BTreeSet<Vec<u8>>> {
    let file = File::open(git.path().join("index")).ok()?;
    let length = file.metadata().ok()?.len();
    let mut index = Passing::new(file, length, ROOM, ());
    let (version, count) = index.head().ok()?;
    let mut found = BTreeSet::new();
    for _ in 0..count {
        let (entry, bytes) = index.entry(version).ok()?;
        if entry.is_left_alone() {
            found.insert(entry.path(bytes).to_vec());
        }
        index.pass(entry.length);
    }
    index.extensions(|_, _| Ok(())).ok()?;
    Some(found)
}
