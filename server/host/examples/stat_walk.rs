//! The floor for whoever wants to know what every file of a tree is: list each folder, stat each entry, compare nothing,
//! remember nothing. One thread a processor. A peer for the benches, no part of the product.
//!
//! `stat_walk FOLDER` prints how many files and folders there are.

use std::ffi::{CStr, OsStr};
use std::io::Write as _;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use rustix::fs::{AtFlags, FileType, Mode, OFlags};

struct Queue {
    waiting: Vec<PathBuf>,
    busy: usize,
}

#[derive(Default)]
struct Count {
    files: u64,
    folders: u64,
    /// Of all sizes, so that nobody can leave the looking out.
    bytes: u64,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args_os().nth(1).ok_or("Usage: stat_walk FOLDER")?;
    let threads = std::thread::available_parallelism()?.get();
    let queue = Mutex::new(Queue { waiting: vec![folder.into()], busy: 0 });
    let more = Condvar::new();
    let counts: Vec<_> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(|| work(&queue, &more))).collect();
        workers.into_iter().map(|worker| worker.join().unwrap_or_else(|_| Ok(Count::default()))).collect()
    });
    let mut all = Count::default();
    for count in counts {
        let count = count?;
        all.files += count.files;
        all.folders += count.folders;
        all.bytes += count.bytes;
    }
    writeln!(std::io::stdout(), "{} files, {} folders, {} bytes", all.files, all.folders, all.bytes)?;
    Ok(())
}

fn lock(queue: &Mutex<Queue>) -> MutexGuard<'_, Queue> {
    queue.lock().unwrap_or_else(PoisonError::into_inner)
}

fn work(queue: &Mutex<Queue>, more: &Condvar) -> rustix::io::Result<Count> {
    let mut count = Count::default();
    let mut buffer = Vec::with_capacity(32 * 1_024);
    loop {
        let mut locked = lock(queue);
        let folder = loop {
            if let Some(folder) = locked.waiting.pop() {
                break folder;
            }
            if locked.busy == 0 {
                return Ok(count);
            }
            locked = more.wait(locked).unwrap_or_else(PoisonError::into_inner);
        };
        locked.busy += 1;
        drop(locked);
        let found = look_into(&folder, &mut buffer, &mut count);
        let mut locked = lock(queue);
        locked.busy -= 1;
        locked.waiting.extend(found.iter().flatten().cloned());
        more.notify_all();
        found?;
    }
}

/// Stats what is in a folder, and gives the folders in it.
fn look_into(folder: &Path, buffer: &mut Vec<u8>, count: &mut Count) -> rustix::io::Result<Vec<PathBuf>> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let opened = rustix::fs::open(folder, flags, Mode::empty())?;
    let mut inner = Vec::new();
    list(&opened, buffer, |name, kind| {
        match (name.to_bytes(), kind) {
            (b"." | b".." | b".git", _) => {}
            (name, FileType::Directory) => {
                count.folders += 1;
                inner.push(folder.join(OsStr::from_bytes(name)));
            }
            _ => {
                let stat = rustix::fs::statat(&opened, name, AtFlags::SYMLINK_NOFOLLOW)?;
                count.files += 1;
                count.bytes += u64::try_from(stat.st_size).unwrap_or(0);
            }
        }
        Ok(())
    })?;
    Ok(inner)
}

#[cfg(target_os = "linux")]
fn list(
    folder: &OwnedFd,
    buffer: &mut Vec<u8>,
    mut each: impl FnMut(&CStr, FileType) -> rustix::io::Result<()>,
) -> rustix::io::Result<()> {
    let mut entries = rustix::fs::RawDir::new(folder, buffer.spare_capacity_mut());
    while let Some(entry) = entries.next() {
        let entry = entry?;
        each(entry.file_name(), entry.file_type())?;
    }
    Ok(())
}

#[cfg(not(target_os = "linux"))]
fn list(
    folder: &OwnedFd,
    _: &mut Vec<u8>,
    mut each: impl FnMut(&CStr, FileType) -> rustix::io::Result<()>,
) -> rustix::io::Result<()> {
    for entry in rustix::fs::Dir::read_from(folder)? {
        let entry = entry?;
        each(entry.file_name(), entry.file_type())?;
    }
    Ok(())
}
