//! Names of ours in the user's folders. Each lives for the length of one call; a killed process may leave one behind,
//! which `sweep` finds at the next start.
//!
//! The ending says what may be done with it. `.tmp` holds what we were writing, never anything of anybody else. `.swap`
//! holds, at some moments, what came out of its place and may be the only copy of it. `.kept` holds what others wrote at
//! the same moment; it is never removed by us.

use std::fs::File;
use std::os::unix::fs::FileExt as _;

use augment_core::file::FilePath;
use rustix::fs::{
    AtFlags, Dir, Gid, Mode, OFlags, Stat, Uid, XattrFlags, chownat, fchmod, fchown, fgetxattr, flistxattr,
    fremovexattr, fsetxattr, fstat, openat, renameat, statat, symlinkat, unlinkat,
};
use rustix::io::Errno;

use super::error::WriteError;
use super::look::{Held, Seen};
use super::root::{Place, Reached, Root, in_folder};
use super::{PERMISSIONS, Ready, Stamp, Thing};

const BEGINNING: &str = ".augment-";
const RANDOM_BYTES: usize = 8;
const ACL: &str = "system.posix_acl_access";
/// The largest attribute, and list of attributes, that Linux knows.
const ATTRIBUTE_BYTES: usize = 65_536;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    Tmp,
    Swap,
    Kept,
}

impl Ending {
    const ALL: [Self; 3] = [Self::Tmp, Self::Swap, Self::Kept];

    fn text(self) -> &'static str {
        match self {
            Self::Tmp => ".tmp",
            Self::Swap => ".swap",
            Self::Kept => ".kept",
        }
    }
}

/// A name that nobody else has: random, and with a mark that tells it from any other file that looks like it.
pub(super) fn fresh_name(place: &Place<'_>, ending: Ending) -> Result<String, WriteError> {
    let mut random = [0_u8; RANDOM_BYTES];
    getrandom::fill(&mut random).map_err(|error| WriteError::Io {
        path: place.path.clone(),
        doing: "given a temporary name",
        source: std::io::Error::other(error.to_string()),
    })?;
    let random = hex(&random);
    let mark = mark(&random);
    Ok(format!("{BEGINNING}{random}{mark}{}", ending.text()))
}

fn mark(random: &str) -> String {
    hex(&blake3::hash(format!("augment temporary {random}").as_bytes()).as_bytes()[..RANDOM_BYTES])
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn ending_of(name: &[u8]) -> Option<Ending> {
    // Every name in a workspace comes by here, and hardly any is one of ours.
    let name = std::str::from_utf8(name.strip_prefix(BEGINNING.as_bytes())?).ok()?;
    let (middle, ending) =
        Ending::ALL.into_iter().find_map(|ending| Some((name.strip_suffix(ending.text())?, ending)))?;
    let (random, found) = middle.split_at_checked(RANDOM_BYTES * 2)?;
    (found == mark(random)).then_some(ending)
}

/// Whether a name in a folder is one of ours: no file of the user's, not to be tracked.
#[must_use]
pub fn is_ours(name: &[u8]) -> bool {
    ending_of(name).is_some()
}

/// What `sweep` did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Swept {
    pub removed: Vec<FilePath>,
    /// Files with content that is nowhere else: tell the person.
    pub kept: Vec<FilePath>,
}

/// Removes what a killed process left in a folder (`None`: the workspace itself). Only for whoever owns the workspace,
/// and not while a `replace` is under way. `known` says whether a content is to be had elsewhere, for example in the blob
/// store: what is not stays, as a `.kept` file.
pub fn sweep(
    root: &Root,
    folder: Option<&FilePath>,
    mut known: impl FnMut(&Seen) -> bool,
) -> Result<Swept, WriteError> {
    let mut swept = Swept::default();
    let Some(opened) = root.reach_folder(folder)? else { return Ok(swept) };
    let failed = |errno| match folder {
        Some(folder) => WriteError::from_errno(folder, "listed", errno),
        None => WriteError::Workspace { path: ".".into(), source: Errno::into(errno) },
    };
    for entry in Dir::new(opened).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let Some(ending) = ending_of(entry.file_name().to_bytes()) else { continue };
        let path = in_folder(folder, entry.file_name().to_bytes());
        let Reached::Place(place) = root.reach(&path)? else { continue };
        let goes = match ending {
            Ending::Tmp => true,
            Ending::Swap => known(&Held::take(&place, place.name())?.seen),
            Ending::Kept => false,
        };
        if goes {
            match unlinkat(place.folder(), place.name(), AtFlags::empty()) {
                Ok(()) => swept.removed.push(path.clone()),
                Err(Errno::NOENT) => {}
                Err(errno) => return Err(WriteError::from_errno(&path, "removed", errno)),
            }
        } else if ending == Ending::Swap {
            swept.kept.push(keep(&place, place.name())?);
        } else {
            swept.kept.push(path.clone());
        }
    }
    Ok(swept)
}

/// Gives what is under a name of ours a name that stays, and says which.
pub(super) fn keep(place: &Place<'_>, name: &[u8]) -> Result<FilePath, WriteError> {
    let kept = fresh_name(place, Ending::Kept)?;
    renameat(place.folder(), name, place.folder(), kept.as_str())
        .map_err(|errno| WriteError::from_errno(place.path, "kept", errno))?;
    place.sync()?;
    Ok(place.beside(&kept))
}

/// Keeps some content in a file of its own, on the disk, and says where. Only the user may read it.
pub(super) fn keep_content(place: &Place<'_>, content: &[u8]) -> Result<FilePath, WriteError> {
    let name = fresh_name(place, Ending::Kept)?;
    let failed = |error| WriteError::from_io(place.path, "kept", error);
    let file = make(place, &name)?;
    if let Err(error) = file.write_all_at(content, 0).and_then(|()| file.sync_all()) {
        unlink(place, name.as_bytes());
        return Err(failed(error));
    }
    place.sync()?;
    Ok(place.beside(&name))
}

/// Removes a name of ours whose content is not needed. If that fails, `sweep` will find it.
pub(super) fn unlink(place: &Place<'_>, name: &[u8]) {
    if let Err(errno) = unlinkat(place.folder(), name, AtFlags::empty()) {
        tracing::warn!("A temporary file beside {} could not be removed: {errno}", place.path);
    }
}

fn make(place: &Place<'_>, name: &str) -> Result<File, WriteError> {
    let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    openat(place.folder(), name, flags, Mode::from_raw_mode(0o600))
        .map(File::from)
        .map_err(|errno| WriteError::from_errno(place.path, "written", errno))
}

/// The wanted thing, complete and on the disk under a name of ours. Removes itself unless it was given away.
pub(super) struct Temporary<'a> {
    place: &'a Place<'a>,
    name: Option<String>,
    /// Kept open, so that the file is known again wherever it is. A link has none.
    pub(super) file: Option<File>,
    pub(super) stamp: Stamp,
}

impl<'a> Temporary<'a> {
    /// Owner, group, access list and attributes come from `model` as far as the system lets us.
    pub(super) fn write(place: &'a Place<'a>, ready: &Ready<'_>, model: Option<&Held>) -> Result<Self, WriteError> {
        let name = fresh_name(place, Ending::Tmp)?;
        let failed = |errno| WriteError::from_errno(place.path, "written", errno);
        let blank = Stamp { length: 0, modified_ns: 0, changed_ns: 0, inode: 0, mode: 0 };
        match ready.thing {
            Thing::Absent => unreachable!("nothing is written where nothing shall be"),
            Thing::File { content, mode } => {
                let file = make(place, &name)?;
                let mut made = Self { place, name: Some(name), file: None, stamp: blank };
                fill(place, &file, content, *mode, model)?;
                made.stamp = Stamp::of(&fstat(&file).map_err(failed)?);
                made.file = Some(file);
                Ok(made)
            }
            Thing::Link(target) => {
                symlinkat(target, place.folder(), name.as_str()).map_err(failed)?;
                let mut made = Self { place, name: Some(name.clone()), file: None, stamp: blank };
                if let Some(stat) = model.and_then(|model| model.stat) {
                    let (owner, group) = owner_of(&stat);
                    match chownat(place.folder(), name.as_str(), Some(owner), Some(group), AtFlags::SYMLINK_NOFOLLOW) {
                        Ok(()) | Err(Errno::PERM) => {}
                        Err(errno) => return Err(failed(errno)),
                    }
                }
                let stat = statat(place.folder(), name.as_str(), AtFlags::SYMLINK_NOFOLLOW).map_err(failed)?;
                made.stamp = Stamp::of(&stat);
                Ok(made)
            }
        }
    }

    pub(super) fn name(&self) -> &str {
        self.name.as_deref().unwrap_or_default()
    }

    /// From now on the name is somebody else's to care for.
    pub(super) fn let_go(&mut self) {
        self.name = None;
    }

    /// Changes the name to one whose content `sweep` looks at before it removes it.
    pub(super) fn into_swap(mut self) -> Result<(String, Option<File>, Stamp), WriteError> {
        let swap = fresh_name(self.place, Ending::Swap)?;
        renameat(self.place.folder(), self.name(), self.place.folder(), swap.as_str())
            .map_err(|errno| WriteError::from_errno(self.place.path, "written", errno))?;
        self.let_go();
        Ok((swap, self.file.take(), self.stamp))
    }
}

impl Drop for Temporary<'_> {
    fn drop(&mut self) {
        if let Some(name) = &self.name {
            unlink(self.place, name.as_bytes());
        }
    }
}

fn fill(place: &Place<'_>, file: &File, content: &[u8], mode: u32, model: Option<&Held>) -> Result<(), WriteError> {
    let failed = |errno| WriteError::from_errno(place.path, "written", errno);
    file.write_all_at(content, 0).map_err(|error| WriteError::from_io(place.path, "written", error))?;
    let mut mode = mode & PERMISSIONS;
    if let Some(stat) = model.and_then(|model| model.stat)
        && !keep_owner(file, &stat).map_err(failed)?
    {
        // These bits lend the owner's rights to whoever runs the file, and the owner is another one now.
        mode &= 0o1777;
    }
    if let Some(old) = model.and_then(|model| model.file.as_ref()) {
        keep_attributes(old, file).map_err(failed)?;
    }
    // Last, because a new owner and a new access list both change the mode.
    fchmod(file, Mode::from_raw_mode(mode)).map_err(failed)?;
    file.sync_all().map_err(|error| WriteError::from_io(place.path, "written", error))
}

fn owner_of(stat: &Stat) -> (Uid, Gid) {
    (Uid::from_raw(stat.st_uid), Gid::from_raw(stat.st_gid))
}

/// False if the system does not let us give the file away.
fn keep_owner(file: &File, like: &Stat) -> Result<bool, Errno> {
    let now = fstat(file)?;
    if (now.st_uid, now.st_gid) == (like.st_uid, like.st_gid) {
        return Ok(true);
    }
    let (owner, group) = owner_of(like);
    match fchown(file, Some(owner), Some(group)) {
        Ok(()) => Ok(true),
        Err(Errno::PERM | Errno::INVAL) => match fchown(file, None, Some(group)) {
            Ok(()) | Err(Errno::PERM | Errno::INVAL) => Ok(false),
            Err(errno) => Err(errno),
        },
        Err(errno) => Err(errno),
    }
}

/// The access list must come along: without it the mode's group bits mean something wider. The user's own attributes
/// come along if they can.
fn keep_attributes(old: &File, new: &File) -> Result<(), Errno> {
    let mut list = vec![0_u8; ATTRIBUTE_BYTES];
    let Ok(length) = flistxattr(old, &mut list[..]) else { return Ok(()) };
    let mut value = vec![0_u8; ATTRIBUTE_BYTES];
    let mut has_acl = false;
    for name in list[..length].split(|byte| *byte == 0) {
        let is_acl = name == ACL.as_bytes();
        if !is_acl && !name.starts_with(b"user.") {
            continue;
        }
        let copied = fgetxattr(old, name, &mut value[..])
            .and_then(|length| fsetxattr(new, name, &value[..length], XattrFlags::empty()));
        match copied {
            Ok(()) => has_acl |= is_acl,
            Err(errno) if is_acl => return Err(errno),
            Err(errno) => tracing::debug!("An attribute of a replaced file did not come along: {errno}"),
        }
    }
    if !has_acl {
        // The folder may have given the new file an access list that the old one did not have.
        match fremovexattr(new, ACL) {
            Ok(()) | Err(Errno::NODATA | Errno::NOTSUP) => {}
            Err(errno) => return Err(errno),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_names_are_ours() {
        let random = "0123456789abcdef";
        let mark = mark(random);
        for ending in Ending::ALL {
            let name = format!(".augment-{random}{mark}{}", ending.text());
            assert_eq!(ending_of(name.as_bytes()), Some(ending));
        }
        for name in [
            ".augment-0123456789abcdef0123456789abcdef.tmp".to_owned(),
            format!(".augment-{random}{mark}"),
            format!(".augment-{random}{mark}.tmp2"),
            format!("x.augment-{random}{mark}.tmp"),
            ".augment-.tmp".to_owned(),
            ".augment-ééééééééééééééééé.tmp".to_owned(),
        ] {
            assert!(!is_ours(name.as_bytes()), "{name}");
        }
        assert!(!is_ours(b".augment-\xff.tmp"));
    }
}
