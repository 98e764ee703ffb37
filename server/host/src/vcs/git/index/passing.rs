//! An index file as it goes by: held a piece at a time, looked at, changed where it stands, and passed on. A large one is
//! never in memory as a whole, so that what it costs is one reading, and no more memory than a small one.

use std::fs::File;
use std::io::Read as _;

use super::patching::Stopped;

/// In bytes: what an entry or the sum at the end has for an object.
pub(super) const OBJECT_BYTES: usize = 20;
/// Ten numbers of four bytes: the stamp of a file, with its mode.
pub(super) const STAMP_BYTES: usize = 40;
const FLAGS_AT: usize = STAMP_BYTES + OBJECT_BYTES;
/// In an entry's flags: two more bytes of flags follow.
const EXTENDED: u16 = 0x4000;
/// In an entry's flags: which side of a conflict it is.
const CONFLICT: u16 = 0x3000;
/// In the first byte of the second flags: only the intent to add the file is noted.
const INTENT_TO_ADD: u8 = 0x20;
/// In an entry's flags: the person said that the file is unchanged, whatever the disk says.
const ASSUMED: u16 = 0x8000;
/// In the first byte of the second flags: the file is not on disk, or is not to be looked at there.
const SKIPPED: u8 = 0x40;
/// Extensions that stay true when an entry's object and stamp change. `TREE` is brought along.
const STAY_TRUE: [&[u8]; 5] = [b"TREE", b"REUC", b"UNTR", b"EOIE", b"IEOT"];
/// So much is held at a time; it stays in the processor's own memory.
pub(super) const ROOM: usize = 128 * 1_024;
/// Most folders' names are shorter, and no path and no name is longer than this.
const SHORT: usize = 512;
const LONGEST: usize = 64 * 1_024;

/// Where what has gone by goes to.
pub(super) trait Onward {
    fn take(&mut self, bytes: &[u8]) -> std::io::Result<()>;
}

/// It is only looked at.
impl Onward for () {
    fn take(&mut self, _: &[u8]) -> std::io::Result<()> {
        Ok(())
    }
}

pub(super) struct Passing<O> {
    file: File,
    held: Vec<u8>,
    /// In what is held: where the next thing begins, and where it ends.
    at: usize,
    end: usize,
    /// How much of the file is not held yet.
    ahead: u64,
    onward: O,
}

/// The entry that comes next, which is held as a whole.
pub(super) struct Entry {
    flags: u16,
    second_flags: u8,
    /// From its beginning.
    path: std::ops::Range<usize>,
    pub(super) length: usize,
}

impl Entry {
    pub(super) fn is_in_conflict(&self) -> bool {
        self.flags & CONFLICT != 0
    }

    /// Only the intent to add the file is noted.
    pub(super) fn is_only_noted(&self) -> bool {
        self.second_flags & INTENT_TO_ADD != 0
    }

    /// Whether the person told git to leave the file alone.
    pub(super) fn is_left_alone(&self) -> bool {
        self.flags & ASSUMED != 0 || self.second_flags & SKIPPED != 0
    }

    pub(super) fn path<'a>(&self, bytes: &'a [u8]) -> &'a [u8] {
        &bytes[self.path.clone()]
    }
}

/// What an index notes of a folder.
pub(super) struct Folder {
    name: usize,
    /// How many of those that follow lie directly in it.
    pub(super) below: usize,
    /// Where its object begins, if that is noted.
    pub(super) object: Option<usize>,
    pub(super) length: usize,
}

impl Folder {
    /// `None` where it is not there as a whole, or is none.
    fn read(bytes: &[u8]) -> Option<Self> {
        let name = bytes.iter().position(|byte| *byte == 0)?;
        let line = name + 1 + bytes[name + 1..].iter().position(|byte| *byte == b'\n')?;
        let (count, below) = std::str::from_utf8(&bytes[name + 1..line]).ok()?.split_once(' ')?;
        let (count, below): (i64, usize) = (count.parse().ok()?, below.parse().ok()?);
        let object = (count >= 0).then_some(line + 1);
        let length = line + 1 + object.map_or(0, |_| OBJECT_BYTES);
        (length <= bytes.len()).then_some(Self { name, below, object, length })
    }

    pub(super) fn name<'a>(&self, bytes: &'a [u8]) -> &'a [u8] {
        &bytes[..self.name]
    }
}

pub(super) fn number(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..).and_then(|bytes| bytes.first_chunk()).map_or(0, |bytes| u32::from_be_bytes(*bytes))
}

impl<O: Onward> Passing<O> {
    pub(super) fn new(file: File, length: u64, room: usize, onward: O) -> Self {
        Self { file, held: vec![0; room], at: 0, end: 0, ahead: length, onward }
    }

    /// How much has not gone by.
    pub(super) fn rest(&self) -> u64 {
        self.ahead + (self.end - self.at) as u64
    }

    /// The next bytes.
    pub(super) fn hold(&mut self, length: usize) -> Result<&mut [u8], Stopped> {
        if self.end - self.at < length {
            self.read_on(length)?;
        }
        Ok(&mut self.held[self.at..self.at + length])
    }

    fn read_on(&mut self, length: usize) -> Result<(), Stopped> {
        if self.rest() < length as u64 {
            return Err(Stopped::TooMuch);
        }
        self.onward.take(&self.held[..self.at])?;
        self.held.copy_within(self.at..self.end, 0);
        (self.at, self.end) = (0, self.end - self.at);
        if self.held.len() < length {
            self.held.resize(length, 0);
        }
        let free = self.held.len() - self.end;
        let more = usize::try_from(self.ahead).map_or(free, |ahead| ahead.min(free));
        self.file.read_exact(&mut self.held[self.end..self.end + more])?;
        self.end += more;
        self.ahead -= more as u64;
        Ok(())
    }

    /// Lets go by what is held.
    pub(super) fn pass(&mut self, length: usize) {
        self.at = (self.at + length).min(self.end);
    }

    fn pass_over(&mut self, mut length: u64) -> Result<(), Stopped> {
        while length > 0 {
            let step = usize::try_from(length).map_or(ROOM, |length| length.min(ROOM));
            self.hold(step)?;
            self.pass(step);
            length -= step as u64;
        }
        Ok(())
    }

    /// The version and the number of entries, which follow.
    pub(super) fn head(&mut self) -> Result<(u8, u32), Stopped> {
        let head = self.hold(12)?;
        let found = match head[..8] {
            [b'D', b'I', b'R', b'C', 0, 0, 0, version @ 2..=3] => (version, number(head, 8)),
            _ => return Err(Stopped::TooMuch),
        };
        self.pass(12);
        Ok(found)
    }

    /// The next entry, held and not passed.
    pub(super) fn entry(&mut self, version: u8) -> Result<(Entry, &mut [u8]), Stopped> {
        let head = self.hold(FLAGS_AT + 4)?;
        let flags = u16::from_be_bytes([head[FLAGS_AT], head[FLAGS_AT + 1]]);
        let has_more = version >= 3 && flags & EXTENDED != 0;
        let second_flags = if has_more { head[FLAGS_AT + 2] } else { 0 };
        let start = FLAGS_AT + if has_more { 4 } else { 2 };
        // The length is in the flags unless the path is very long.
        let length = match usize::from(flags & 0x0fff) {
            0x0fff => {
                let held = usize::try_from(self.rest()).map_or(LONGEST, |rest| rest.min(LONGEST));
                let zero = self.hold(held)?[start..].iter().position(|byte| *byte == 0);
                zero.ok_or(Stopped::TooMuch)?
            }
            length => length,
        };
        let path = start..start + length;
        // Entries are filled up with one to eight zeros.
        let length = path.end / 8 * 8 + 8;
        Ok((Entry { flags, second_flags, path, length }, self.hold(length)?))
    }

    /// Lets all extensions go by, but for the sum at the end. `folders` may take the folders that are noted, and is told how much
    /// follows them.
    pub(super) fn extensions(
        &mut self,
        mut folders: impl FnMut(&mut Self, u64) -> Result<(), Stopped>,
    ) -> Result<(), Stopped> {
        const SUM: u64 = OBJECT_BYTES as u64;
        while self.rest() > SUM {
            let head = self.hold(8)?;
            let length = u64::from(number(head, 4));
            let name = &head[..4];
            if !STAY_TRUE.contains(&name) {
                return Err(Stopped::TooMuch);
            }
            let is_tree = name == b"TREE";
            self.pass(8);
            let behind = self.rest().checked_sub(length).filter(|behind| *behind >= SUM).ok_or(Stopped::TooMuch)?;
            if is_tree {
                folders(self, behind)?;
            }
            let left = self.rest().checked_sub(behind).ok_or(Stopped::TooMuch)?;
            self.pass_over(left)?;
        }
        if self.rest() == SUM { Ok(()) } else { Err(Stopped::TooMuch) }
    }

    /// What is noted of the next folder, held and not passed. `behind` is how much follows the last one.
    pub(super) fn folder(&mut self, behind: u64) -> Result<(Folder, &mut [u8]), Stopped> {
        let there = usize::try_from(self.rest().saturating_sub(behind)).unwrap_or(usize::MAX);
        for held in [SHORT, LONGEST] {
            if let Some(folder) = Folder::read(self.hold(held.min(there))?) {
                let bytes = self.hold(folder.length)?;
                return Ok((folder, bytes));
            }
        }
        Err(Stopped::TooMuch)
    }

    /// The sum at the end of the file; everything before it goes on.
    pub(super) fn finish(mut self) -> Result<([u8; OBJECT_BYTES], O), Stopped> {
        let sum = *self.hold(OBJECT_BYTES)?.first_chunk().ok_or(Stopped::TooMuch)?;
        self.onward.take(&self.held[..self.at])?;
        Ok((sum, self.onward))
    }
}
