//! The manifest as bytes. Files that were checked out together are alike, so of each only what differs from the one
//! before it is written: the rest of its name, the distance of its times and its inode. The folders come in a few parts
//! that know nothing of each other, so that several threads can write and read them.
//!
//! Entries that are kept one by one stand for themselves; they begin with their own mark.

use augment_core::file::ContentHash;

use super::{Content, Entry, Files, Gathered, Head, KnownHead, Record};
use crate::seeing::stamp::{Kind, Stamp};

/// The first byte of every entry, so that an entry of a later program is not taken for one of ours.
const ENTRY_FORM: u8 = 1;
const FRESH: u8 = 1 << 2;
const SAME_MODE: u8 = 1 << 5;

impl Record {
    pub(in crate::seeing) fn encode(&self) -> Vec<u8> {
        let mut bytes = vec![ENTRY_FORM];
        match self {
            Self::Gone => bytes.push(0),
            Self::There(entry) => {
                bytes.push(1);
                put_entry(&mut bytes, entry);
            }
            Self::Head(known) => {
                bytes.push(2);
                put_head(&mut bytes, known);
            }
        }
        bytes
    }

    pub(in crate::seeing) fn decode(bytes: &[u8]) -> Option<Self> {
        let mut left = Left(bytes.strip_prefix(&[ENTRY_FORM])?);
        let [kind] = left.take()?;
        let record = match kind {
            0 => Self::Gone,
            1 => Self::There(left.entry()?),
            2 => Self::Head(left.head()?),
            _ => return None,
        };
        left.0.is_empty().then_some(record)
    }
}

/// Folders with their files, in the order of paths.
pub(super) fn encode_part(folders: &[(&[u8], &Files)]) -> Vec<u8> {
    let files: usize = folders.iter().map(|(_, files)| files.known().len()).sum();
    let mut bytes = Vec::with_capacity(files * 48 + folders.len() * 16 + 16);
    put_number(&mut bytes, folders.len() as u64);
    let mut last_folder = &b""[..];
    let mut last_stamp = Stamp::NONE;
    for (folder, files) in folders {
        put_rest(&mut bytes, last_folder, folder);
        last_folder = folder;
        let files = files.known();
        put_number(&mut bytes, files.len() as u64);
        let mut last_name = &b""[..];
        for (name, entry) in files.iter() {
            put_rest(&mut bytes, last_name, name);
            put_entry_after(&mut bytes, &last_stamp, entry);
            (last_name, last_stamp) = (name, entry.stamp);
        }
    }
    bytes
}

pub(super) fn decode_part(bytes: &[u8]) -> Option<Vec<(Box<[u8]>, Files)>> {
    let mut left = Left(bytes);
    let mut gathered = Gathered::default();
    let (mut path, mut name) = (Vec::new(), Vec::new());
    let mut last = Stamp::NONE;
    for _ in 0..left.count()? {
        left.rest(&mut path)?;
        name.clear();
        for _ in 0..left.count()? {
            left.rest(&mut name)?;
            let entry = left.entry_after(&last)?;
            last = entry.stamp;
            gathered.push(&name, entry);
        }
        gathered.end_folder(path.as_slice().into());
    }
    left.0.is_empty().then(|| gathered.into_folders())
}

fn put_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// The way from one number to another; short ones in both directions take few bytes.
fn put_distance(bytes: &mut Vec<u8>, from: i64, to: i64) {
    let distance = to.wrapping_sub(from);
    put_number(bytes, (distance << 1 ^ distance >> 63) as u64);
}

/// How much of `before` is kept, and what follows.
fn put_rest(bytes: &mut Vec<u8>, before: &[u8], now: &[u8]) {
    let kept = before.iter().zip(now).take_while(|(a, b)| a == b).count();
    put_number(bytes, kept as u64);
    put_number(bytes, (now.len() - kept) as u64);
    bytes.extend_from_slice(&now[kept..]);
}

pub(super) fn put_bytes(bytes: &mut Vec<u8>, some: &[u8]) {
    bytes.extend_from_slice(&u16::try_from(some.len()).unwrap_or(u16::MAX).to_le_bytes());
    bytes.extend_from_slice(some);
}

pub(super) fn put_length(bytes: &mut Vec<u8>, length: usize) {
    bytes.extend_from_slice(&u32::try_from(length).unwrap_or(u32::MAX).to_le_bytes());
}

fn flags(entry: &Entry) -> u8 {
    let kind: u8 = match entry.stamp.kind {
        Kind::File => 0,
        Kind::Link => 1,
        Kind::Special => 2,
    };
    let content: u8 = match entry.content {
        Content::Git(_) => 0,
        Content::Blob(_) => 1,
        Content::NotKept => 2,
        Content::Nothing => 3,
    };
    kind | if entry.fresh { FRESH } else { 0 } | content << 3
}

fn put_entry(bytes: &mut Vec<u8>, entry: &Entry) {
    bytes.push(flags(entry));
    bytes.extend_from_slice(&entry.stamp.mode.to_le_bytes());
    bytes.extend_from_slice(&entry.stamp.size.to_le_bytes());
    bytes.extend_from_slice(&entry.stamp.modified_ns.to_le_bytes());
    bytes.extend_from_slice(&entry.stamp.changed_ns.to_le_bytes());
    bytes.extend_from_slice(&entry.stamp.inode.to_le_bytes());
    put_content(bytes, &entry.content);
}

fn put_entry_after(bytes: &mut Vec<u8>, last: &Stamp, entry: &Entry) {
    let stamp = &entry.stamp;
    let same_mode = stamp.mode == last.mode;
    bytes.push(flags(entry) | if same_mode { SAME_MODE } else { 0 });
    if !same_mode {
        bytes.extend_from_slice(&stamp.mode.to_le_bytes());
    }
    put_number(bytes, stamp.size);
    put_distance(bytes, last.modified_ns, stamp.modified_ns);
    put_distance(bytes, stamp.modified_ns, stamp.changed_ns);
    put_distance(bytes, last.inode.cast_signed(), stamp.inode.cast_signed());
    put_content(bytes, &entry.content);
}

fn put_content(bytes: &mut Vec<u8>, content: &Content) {
    match content {
        Content::Git(id) => bytes.extend_from_slice(id),
        Content::Blob(hash) => bytes.extend_from_slice(&hash.0),
        Content::NotKept | Content::Nothing => {}
    }
}

pub(super) fn put_head(bytes: &mut Vec<u8>, known: &KnownHead) {
    bytes.extend_from_slice(&known.index_ns.to_le_bytes());
    bytes.extend_from_slice(&known.log_bytes.to_le_bytes());
    match &known.head {
        None => bytes.push(0),
        Some(Head { branch: None, commit }) => {
            bytes.push(1);
            put_bytes(bytes, commit.as_bytes());
        }
        Some(Head { branch: Some(branch), commit }) => {
            bytes.push(2);
            put_bytes(bytes, commit.as_bytes());
            put_bytes(bytes, branch.as_bytes());
        }
    }
}

/// What is left to decode. Every step takes only what is there.
pub(super) struct Left<'a>(pub(super) &'a [u8]);

impl<'a> Left<'a> {
    pub(super) fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, left) = self.0.split_first_chunk::<N>()?;
        self.0 = left;
        Some(*taken)
    }

    pub(super) fn length(&mut self) -> Option<usize> {
        Some(u32::from_le_bytes(self.take()?) as usize)
    }

    pub(super) fn slice(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, left) = self.0.split_at_checked(length)?;
        self.0 = left;
        Some(taken)
    }

    pub(super) fn bytes(&mut self) -> Option<&'a [u8]> {
        let length = usize::from(u16::from_le_bytes(self.take()?));
        self.slice(length)
    }

    fn text(&mut self) -> Option<String> {
        String::from_utf8(self.bytes()?.to_vec()).ok()
    }

    fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let [byte] = self.take()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    fn count(&mut self) -> Option<usize> {
        usize::try_from(self.number()?).ok()
    }

    fn distance(&mut self, from: i64) -> Option<i64> {
        let number = self.number()?;
        let distance = (number >> 1).cast_signed() ^ -(number & 1).cast_signed();
        Some(from.wrapping_add(distance))
    }

    /// Changes what was before into what is now.
    fn rest(&mut self, before: &mut Vec<u8>) -> Option<()> {
        let kept = self.count()?;
        if kept > before.len() {
            return None;
        }
        let length = self.count()?;
        before.truncate(kept);
        before.extend_from_slice(self.slice(length)?);
        Some(())
    }

    fn entry(&mut self) -> Option<Entry> {
        let [flags] = self.take()?;
        let stamp = Stamp {
            kind: kind(flags)?,
            mode: u16::from_le_bytes(self.take()?),
            size: u64::from_le_bytes(self.take()?),
            modified_ns: i64::from_le_bytes(self.take()?),
            changed_ns: i64::from_le_bytes(self.take()?),
            inode: u64::from_le_bytes(self.take()?),
        };
        self.content(flags, stamp)
    }

    fn entry_after(&mut self, last: &Stamp) -> Option<Entry> {
        let [flags] = self.take()?;
        let same_mode = flags & SAME_MODE != 0;
        let flags = flags & !SAME_MODE;
        let kind = kind(flags)?;
        let mode = if same_mode { last.mode } else { u16::from_le_bytes(self.take()?) };
        let size = self.number()?;
        let modified_ns = self.distance(last.modified_ns)?;
        let changed_ns = self.distance(modified_ns)?;
        let inode = self.distance(last.inode.cast_signed())?.cast_unsigned();
        self.content(flags, Stamp { kind, mode, size, modified_ns, changed_ns, inode })
    }

    fn content(&mut self, flags: u8, stamp: Stamp) -> Option<Entry> {
        let content = match flags >> 3 {
            0 => Content::Git(self.take()?),
            1 => Content::Blob(ContentHash(self.take()?)),
            2 => Content::NotKept,
            3 => Content::Nothing,
            _ => return None,
        };
        Some(Entry { stamp, fresh: flags & FRESH != 0, content })
    }

    pub(super) fn head(&mut self) -> Option<KnownHead> {
        let index_ns = i64::from_le_bytes(self.take()?);
        let log_bytes = u64::from_le_bytes(self.take()?);
        let [form] = self.take()?;
        let head = match form {
            0 => None,
            1 => Some(Head { branch: None, commit: self.text()? }),
            2 => {
                let commit = self.text()?;
                Some(Head { branch: Some(self.text()?), commit })
            }
            _ => return None,
        };
        Some(KnownHead { head, index_ns, log_bytes })
    }
}

fn kind(flags: u8) -> Option<Kind> {
    match flags & 3 {
        0 => Some(Kind::File),
        1 => Some(Kind::Link),
        2 => Some(Kind::Special),
        _ => None,
    }
}
