//! Writing into a file that has several names, so that they stay names of one file. This cannot be done in one step: what
//! the file held is kept beside it until the new content is on the disk, and goes back if writing fails.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;

use augment_core::file::ContentHash;
use rustix::fs::{AtFlags, Mode, OFlags, fchmod, fstat, openat, unlinkat};
use rustix::io::Errno;

use super::error::WriteError;
use super::look::{Held, Seen, read_all};
use super::root::Place;
use super::temporary::keep_content;
use super::{Expected, PERMISSIONS, Stamp, refusal};

pub(super) fn write(place: &Place<'_>, expected: &Expected, content: &[u8], mode: u32) -> Result<Stamp, WriteError> {
    let failed = |errno| WriteError::from_errno(place.path, "written", errno);
    let flags = OFlags::RDWR | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = match openat(place.folder(), place.name(), flags, Mode::empty()) {
        Ok(file) => File::from(file),
        Err(Errno::LOOP | Errno::NXIO | Errno::NOENT | Errno::ISDIR) => {
            return Err(refusal(place.root, expected, Held::take(place, place.name())?.seen));
        }
        Err(errno) => return Err(failed(errno)),
    };
    let held = Held::of(place, file)?;
    let Some((file, before)) = held.file.as_ref().filter(|_| expected.thing.matches(&held.seen)).zip(held.stat) else {
        return Err(refusal(place.root, expected, held.seen));
    };
    let Some(old) = read_all(place, file)? else { return Err(WriteError::Busy { path: place.path.clone() }) };
    let kept = keep_content(place, &old)?;
    let drop_kept = || match unlinkat(place.folder(), kept.name(), AtFlags::empty()) {
        Ok(()) => place.sync(),
        Err(errno) => Err(WriteError::from_errno(&kept, "removed", errno)),
    };
    // Once more, now that the copy is on the disk: from here on the file is written to.
    let last = held.again(place).and_then(|seen| place.check_still_here().map(|()| seen));
    match last {
        Ok(Some(Seen::File { hash, .. })) if hash == ContentHash::of(&old) => {}
        Ok(seen) => {
            drop_kept()?;
            return Err(refusal(place.root, expected, seen.unwrap_or(Seen::Absent)));
        }
        Err(error) => {
            drop_kept()?;
            return Err(error);
        }
    }
    let wanted = Mode::from_raw_mode(mode & PERMISSIONS);
    if let Err(error) = overwrite(file, content).and_then(|()| Ok(fchmod(file, wanted)?)) {
        let back = Mode::from_raw_mode(before.st_mode & PERMISSIONS);
        if let Err(source) = overwrite(file, &old).and_then(|()| Ok(fchmod(file, back)?)) {
            return Err(WriteError::Half { path: place.path.clone(), kept, source });
        }
        drop_kept()?;
        return Err(WriteError::from_io(place.path, "written", error));
    }
    let stamp = Stamp::of(&fstat(file).map_err(failed)?);
    match held.again(place)? {
        Some(Seen::File { hash, .. }) if hash == ContentHash::of(content) => drop_kept()?,
        seen => {
            let error = WriteError::Changed { path: place.path.clone(), found: seen.unwrap_or(Seen::Absent) };
            return Err(error.with_kept(Some(kept)));
        }
    }
    Ok(stamp)
}

fn overwrite(file: &File, content: &[u8]) -> io::Result<()> {
    file.write_all_at(content, 0)?;
    file.set_len(content.len() as u64)?;
    file.sync_all()
}
