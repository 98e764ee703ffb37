//! The one place that changes a user's file. Whoever wants a change says what is there now and what shall be there; if
//! something else is there, nothing changes and the answer says what was found.
//!
//! What always holds:
//!
//! - **We remove two things only**: what we wrote ourselves, and what was found to be exactly what the caller expected.
//!   Whatever else comes into our hands, because somebody wrote at the same moment, goes back to its place; if that place
//!   has been taken by something newer, it is kept beside it under a name of ours that the refusal tells.
//! - **No link is followed**, neither on the way nor at the end. Every step starts from the opened workspace folder.
//! - **A file is there as a whole or not at all**: it is written under a name of ours in the same folder, synced, and
//!   swapped with the old one in one step (`RENAME_EXCHANGE`). What came out of the swap is looked at before it goes, so
//!   there is no moment between looking and replacing.
//! - **Nothing waits**: pipes, sockets and devices are not opened, sizes are bounded.
//!
//! A file that a program has open for writing is not replaced, since the program would go on writing into the old one.
//! Writers are looked for once the old file is under a name of ours, where nobody can open it any more, and its content
//! is compared once more when its name is gone. Of many files some dozens are brought there before writers are looked
//! for, once for all of them.
//!
//! What cannot hold: a writer that we cannot see (another user's process, one in another process namespace, a memory map,
//! a system without `/proc`) and that writes after that last look. File systems without the swap (some network and FUSE
//! ones) get a look right before a plain rename instead, which leaves a moment of microseconds.

mod error;
mod in_place;
mod look;
mod root;
mod swap;
mod temporary;
mod writers;

use augment_core::file::{ContentHash, FilePath};
use rustix::fs::Stat;

pub use error::WriteError;
pub use look::{Look, Seen, beginning, look, stamp};
pub use root::{HardLinks, Root, tidy_folders};
pub use temporary::{Swept, is_ours, sweep};

use look::Held;
use root::{Place, Reached};
use swap::InHand;

/// The bits of a mode that are permissions.
const PERMISSIONS: u32 = 0o7777;

/// What shall be there, or is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Thing {
    Absent,
    /// The mode is exact: the umask has no say.
    File {
        content: Vec<u8>,
        mode: u32,
    },
    /// A symbolic link and where it leads, as it is written.
    Link(Vec<u8>),
}

/// What the caller believes to be there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExpectedThing {
    Absent,
    /// Without a mode, any will do.
    File {
        hash: ContentHash,
        mode: Option<u32>,
    },
    Link(Vec<u8>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expected {
    pub path: FilePath,
    pub thing: ExpectedThing,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    pub path: FilePath,
    pub thing: Thing,
}

/// What tells later, without reading, that a file may have changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    pub length: u64,
    pub modified_ns: i128,
    pub changed_ns: i128,
    pub inode: u64,
    pub mode: u32,
}

impl Stamp {
    fn of(stat: &Stat) -> Self {
        let ns = |seconds: i64, rest: u64| i128::from(seconds) * 1_000_000_000 + i128::from(rest);
        Self {
            length: u64::try_from(stat.st_size).unwrap_or(0),
            modified_ns: ns(stat.st_mtime, stat.st_mtime_nsec),
            changed_ns: ns(stat.st_ctime, stat.st_ctime_nsec),
            inode: stat.st_ino,
            mode: stat.st_mode & PERMISSIONS,
        }
    }
}

/// The wanted thing is there now, and on the disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// `None` when nothing shall be there.
    pub stamp: Option<Stamp>,
    /// It was there before the call: an earlier call that was cut short had done it, or somebody else.
    pub already_there: bool,
    /// The folders that were made for it, outermost first; they may go again with it.
    pub made: Vec<FilePath>,
}

/// One change of a file: what is believed to be there, and what shall be there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    pub expected: Expected,
    pub wanted: Wanted,
}

/// So many old files lie under names of ours at once, each with its folder open.
const MAX_IN_HAND: usize = 64;

/// Brings the wanted thing to its path, if the expected one is there; afterwards nothing is left at the expected path if
/// that is another one. Calling again with the same arguments after a crash finishes what was begun.
pub fn replace(root: &Root, expected: &Expected, wanted: &Wanted) -> Result<Written, WriteError> {
    match begin(root, expected, wanted)? {
        Begun::Done(written) => Ok(written),
        Begun::InHand(in_hand) => in_hand.finish_alone().map(Written::now),
    }
}

/// Makes the changes in this order, each as [`replace`] would. Looking for programs that write takes longer than all the
/// rest, so it is done for many old files at once: when all of them are under names of ours.
pub fn replace_all(root: &Root, changes: &[Change]) -> Vec<Result<Written, WriteError>> {
    let mut results: Vec<Option<Result<Written, WriteError>>> = changes.iter().map(|_| None).collect();
    let mut in_hand: Vec<(usize, Box<InHand<'_>>)> = Vec::new();
    for (at, Change { expected, wanted }) in changes.iter().enumerate() {
        let is_near = |other: &usize| changes[*other].is_near(&changes[at]);
        if in_hand.len() >= MAX_IN_HAND || in_hand.iter().map(|(other, _)| other).any(is_near) {
            finish(&mut in_hand, &mut results);
        }
        match begin(root, expected, wanted) {
            Ok(Begun::InHand(begun)) => in_hand.push((at, begun)),
            Ok(Begun::Done(written)) => results[at] = Some(Ok(written)),
            Err(error) => results[at] = Some(Err(error)),
        }
    }
    finish(&mut in_hand, &mut results);
    results.into_iter().map(|result| result.expect("each was done or was in hand until the end")).collect()
}

fn finish(in_hand: &mut Vec<(usize, Box<InHand<'_>>)>, results: &mut [Option<Result<Written, WriteError>>]) {
    if in_hand.is_empty() {
        return;
    }
    let names: Vec<&[u8]> = in_hand.iter().map(|(_, begun)| begun.name()).collect();
    let mut found = writers::of_each(&names, None);
    let writers: Vec<Option<String>> = names.iter().map(|name| found.remove(name)).collect();
    for ((at, begun), writer) in in_hand.drain(..).zip(writers) {
        results[at] = Some(begun.finish(writer).map(Written::now));
    }
}

impl Change {
    /// One of them is about a path that is, or lies below, one that the other is about: they are made one after the other.
    #[must_use]
    pub fn is_near(&self, other: &Self) -> bool {
        let is_in = |path: &FilePath, above: &FilePath| {
            let rest = path.as_bytes().strip_prefix(above.as_bytes());
            rest.is_some_and(|rest| matches!(rest, [] | [b'/', ..]))
        };
        self.paths().iter().any(|a| other.paths().iter().any(|b| is_in(a, b) || is_in(b, a)))
    }

    fn paths(&self) -> [&FilePath; 2] {
        [&self.expected.path, &self.wanted.path]
    }
}

impl Written {
    fn now(stamp: Option<Stamp>) -> Self {
        Self { stamp, already_there: false, made: Vec::new() }
    }
}

enum Begun<'a> {
    Done(Written),
    InHand(Box<InHand<'a>>),
}

fn begin<'a>(root: &'a Root, expected: &Expected, wanted: &'a Wanted) -> Result<Begun<'a>, WriteError> {
    let ready = Ready::new(root, wanted)?;
    if expected.path == wanted.path {
        replace_here(root, expected, &ready)
    } else {
        rename(root, expected, &ready).map(Begun::Done)
    }
}

/// The wanted thing with its hash, and small enough.
struct Ready<'a> {
    path: &'a FilePath,
    thing: &'a Thing,
    /// What will be seen once it is there.
    expected: ExpectedThing,
}

impl<'a> Ready<'a> {
    fn new(root: &Root, wanted: &'a Wanted) -> Result<Self, WriteError> {
        let expected = match &wanted.thing {
            Thing::Absent => ExpectedThing::Absent,
            Thing::File { content, mode } => {
                let length = content.len() as u64;
                if length > root.max_bytes() {
                    return Err(WriteError::TooLarge { path: wanted.path.clone(), length, max: root.max_bytes() });
                }
                ExpectedThing::File { hash: ContentHash::of(content), mode: Some(mode & PERMISSIONS) }
            }
            Thing::Link(target) => ExpectedThing::Link(target.clone()),
        };
        Ok(Self { path: &wanted.path, thing: &wanted.thing, expected })
    }
}

fn replace_here<'a>(root: &'a Root, expected: &Expected, ready: &Ready<'a>) -> Result<Begun<'a>, WriteError> {
    let (place, before) = find(root, ready.path)?;
    if ready.expected.matches(&before.seen) {
        return already(place.as_ref(), &before).map(Begun::Done);
    }
    if !expected.thing.matches(&before.seen) {
        return Err(refusal(root, expected, before.seen));
    }
    let Some(place) = place.filter(|_| before.seen != Seen::Absent) else {
        return create(root, ready, None).map(Begun::Done);
    };
    Ok(match ready.thing {
        Thing::Absent => Begun::InHand(Box::new(swap::take(place, &expected.thing)?)),
        Thing::File { content, mode } if before.names > 1 && root.hard_links() == HardLinks::WriteThrough => {
            Begun::Done(Written::now(Some(in_place::write(&place, expected, content, *mode)?)))
        }
        Thing::File { .. } | Thing::Link(_) => match swap::exchange(place, expected, ready, &before)? {
            swap::Begun::InHand(in_hand) => Begun::InHand(in_hand),
            swap::Begun::Done(stamp) => Begun::Done(Written::now(Some(stamp))),
        },
    })
}

/// First the new name, then the old one goes: cut short in between, both are there and nothing is lost.
fn rename(root: &Root, expected: &Expected, ready: &Ready<'_>) -> Result<Written, WriteError> {
    let (old_place, old) = find(root, &expected.path)?;
    let (new_place, new) = find(root, ready.path)?;
    let there = ready.expected.matches(&new.seen);
    if there && old.seen == Seen::Absent {
        return already(new_place.as_ref(), &new);
    }
    if !expected.thing.matches(&old.seen) {
        return Err(refusal(root, expected, old.seen));
    }
    let written = if there {
        already(new_place.as_ref(), &new)?
    } else if new.seen == Seen::Absent {
        create(root, ready, Some(&old))?
    } else {
        let absent = Expected { path: ready.path.clone(), thing: ExpectedThing::Absent };
        return Err(refusal(root, &absent, new.seen));
    };
    if let Some(place) = old_place.filter(|_| old.seen != Seen::Absent)
        && let Err(error) = swap::remove(place, &expected.thing)
    {
        // Only while the old one is there: it may be gone though the error came after that.
        let old_is_there = find(root, &expected.path).is_ok_and(|(_, old)| old.seen != Seen::Absent);
        if old_is_there && !written.already_there {
            take_back(root, ready, &written.made);
        }
        return Err(error);
    }
    Ok(Written { already_there: false, ..written })
}

fn create(root: &Root, ready: &Ready<'_>, model: Option<&Held>) -> Result<Written, WriteError> {
    let (place, made) = root.make_folders(ready.path)?;
    match swap::create(place, ready, model) {
        Ok(stamp) => Ok(Written { stamp: Some(stamp), already_there: false, made }),
        Err(error) => {
            root.unmake_folders(&made);
            Err(error)
        }
    }
}

/// Undoes a creation of this same call. If somebody has changed it meanwhile, it stays.
fn take_back(root: &Root, ready: &Ready<'_>, made: &[FilePath]) {
    let undone = find(root, ready.path).and_then(|(place, _)| match place {
        Some(place) => swap::remove(place, &ready.expected),
        None => Ok(()),
    });
    match undone {
        Ok(()) => root.unmake_folders(made),
        Err(error) => tracing::warn!("The new name of a rename that was given up stays: {error}"),
    }
}

fn already(place: Option<&Place<'_>>, found: &Held) -> Result<Written, WriteError> {
    // The call that did it may have died before it reached the disk.
    if let Some(place) = place {
        place.sync()?;
    }
    Ok(Written { stamp: found.stamp, already_there: true, made: Vec::new() })
}

/// What is at a path now, and its folder if there is one.
fn find<'a>(root: &'a Root, path: &'a FilePath) -> Result<(Option<Place<'a>>, Held), WriteError> {
    match root.reach(path)? {
        Reached::Place(place) => {
            let held = Held::take(&place, place.name())?;
            Ok((Some(place), held))
        }
        Reached::Missing | Reached::Blocked => Ok((None, Held::nothing())),
    }
}

/// Why what was found is not what was expected.
fn refusal(root: &Root, expected: &Expected, found: Seen) -> WriteError {
    let path = expected.path.clone();
    match (&expected.thing, found) {
        (_, Seen::Folder) => WriteError::NotAFile { path, what: "a folder" },
        (_, Seen::Special) => WriteError::NotAFile { path, what: "a pipe, socket or device" },
        (_, Seen::Large { length }) => WriteError::TooLarge { path, length, max: root.max_bytes() },
        (ExpectedThing::Absent, found @ (Seen::Absent | Seen::File { .. } | Seen::Link(_))) => {
            WriteError::Exists { path, found }
        }
        (
            ExpectedThing::File { .. } | ExpectedThing::Link(_),
            found @ (Seen::Absent | Seen::File { .. } | Seen::Link(_)),
        ) => WriteError::Changed { path, found },
    }
}

impl ExpectedThing {
    fn matches(&self, seen: &Seen) -> bool {
        match (self, seen) {
            (Self::Absent, Seen::Absent) => true,
            (Self::File { hash, mode }, Seen::File { hash: found, mode: found_mode, .. }) => {
                hash == found && mode.is_none_or(|mode| mode & PERMISSIONS == *found_mode)
            }
            (Self::Link(target), Seen::Link(found)) => target == found,
            (Self::Absent | Self::File { .. } | Self::Link(_), _) => false,
        }
    }
}
