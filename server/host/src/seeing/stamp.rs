//! What the file system says of a file without reading it. Two equal stamps mean equal content, unless the file was
//! stamped in the very moment it was written: then a second write may have left no trace, and the stamp is *fresh*.

use rustix::fs::{FileType, Stat};

/// File systems stamp by a clock that ticks up to every ten milliseconds; anything stamped longer ago cannot change
/// without a new stamp.
const TICK_NS: i64 = 25_000_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    File,
    Link,
    Special,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stamp {
    pub(super) kind: Kind,
    /// The permission bits of a file; 0 for everything else.
    pub(super) mode: u16,
    pub(super) size: u64,
    pub(super) modified_ns: i64,
    pub(super) changed_ns: i64,
    pub(super) inode: u64,
}

impl Stamp {
    /// Equal to no stamp of a real file: whatever is found is read.
    pub(super) const NONE: Self =
        Self { kind: Kind::File, mode: 0, size: u64::MAX, modified_ns: 0, changed_ns: 0, inode: 0 };

    /// `None` for a folder.
    pub(super) fn of(stat: &Stat) -> Option<Self> {
        let kind = match FileType::from_raw_mode(stat.st_mode) {
            FileType::RegularFile => Kind::File,
            FileType::Symlink => Kind::Link,
            FileType::Directory => return None,
            FileType::Fifo
            | FileType::Socket
            | FileType::CharacterDevice
            | FileType::BlockDevice
            | FileType::Unknown => Kind::Special,
        };
        let mode = if kind == Kind::File { (stat.st_mode & 0o7777) as u16 } else { 0 };
        Some(Self {
            kind,
            mode,
            size: u64::try_from(stat.st_size).unwrap_or(0),
            modified_ns: nanoseconds(stat.st_mtime, stat.st_mtime_nsec as i64),
            changed_ns: nanoseconds(stat.st_ctime, stat.st_ctime_nsec as i64),
            inode: stat.st_ino,
        })
    }

    /// Written so short before `now_ns` that another write might bear the same stamp.
    pub(super) fn is_fresh(&self, now_ns: i64) -> bool {
        self.modified_ns.max(self.changed_ns) > now_ns - TICK_NS
    }

    /// The same file under another name: moving changes neither of these.
    pub(super) fn is_same_file(&self, other: &Self) -> bool {
        (self.kind, self.size, self.modified_ns, self.inode) == (other.kind, other.size, other.modified_ns, other.inode)
    }
}

/// The seconds and nanoseconds of a time as one number, good from 1678 to 2262.
pub(super) fn nanoseconds(seconds: i64, nanoseconds: i64) -> i64 {
    seconds.saturating_mul(1_000_000_000).saturating_add(nanoseconds)
}

/// The wall clock, as file systems stamp by it.
pub(super) fn now_ns() -> i64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::Realtime);
    nanoseconds(now.tv_sec, now.tv_nsec)
}
