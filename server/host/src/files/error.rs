//! Why a user's file was not changed, in sentences for the person.

use std::path::PathBuf;

use augment_core::file::FilePath;
use rustix::io::Errno;

use super::look::Seen;

#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    #[error("{path} is not what it was: now it is {found}. Nothing was changed. Look at it again and decide anew.")]
    Changed { path: FilePath, found: Seen },
    /// Two others wrote at the same moment: the newer content is in its place, and this is where the other one is.
    #[error("{why} Others wrote there at the same moment; what would have been lost by that is in {kept}.")]
    Kept { kept: FilePath, why: Box<Self> },
    #[error(
        "{path} is there already: it is {found}. Nothing was changed. Move it away, or look at it again and decide anew."
    )]
    Exists { path: FilePath, found: Seen },
    #[error(
        "{link} is a link, so {path} may lie outside the workspace. Nothing was changed. Put the folder back in its place and try again."
    )]
    LeadsOut { path: FilePath, link: FilePath },
    #[error("The folder of {path} was moved away meanwhile. Nothing was changed. Look again and decide anew.")]
    Moved { path: FilePath },
    #[error(
        "{path} cannot be made, because {blocker} is not a folder. Nothing was changed. Move {blocker} away and try again."
    )]
    InTheWay { path: FilePath, blocker: FilePath },
    #[error("{path} is {what}, not a file. Nothing was changed. Move it away and try again.")]
    NotAFile { path: FilePath, what: &'static str },
    #[error(
        "{path} has {length} bytes, and at most {max} are taken. Nothing was changed. Raise the size limit, or change it by hand."
    )]
    TooLarge { path: FilePath, length: u64, max: u64 },
    #[error(
        "{path} is open for writing in {by}, which would lose what it writes. Nothing was changed. Close it there and try again."
    )]
    InUse { path: FilePath, by: String },
    #[error(
        "{path} changes faster than it can be read. Nothing was changed. Try again when whatever writes it has finished."
    )]
    Busy { path: FilePath },
    #[error("There is no space left for {path}. Nothing was changed. Free some space on its disk and try again.")]
    NoSpace { path: FilePath },
    #[error("{path} lies on a disk that is read-only. Nothing was changed. Make the disk writable and try again.")]
    ReadOnly { path: FilePath },
    #[error(
        "{path} may not be changed by this user ({source}). Nothing was changed. Check the permissions of it and its folder, and try again."
    )]
    NotAllowed { path: FilePath, source: Errno },
    #[error(
        "Too many files are open to change {path} ({source}). Nothing was changed. Close some programs or raise the limit, and try again."
    )]
    TooManyOpen { path: FilePath, source: Errno },
    /// The one case where a file may be half written: it has several names, and both writing and writing back failed.
    #[error(
        "{path} could be written only in part ({source}). What it held is in {kept}: copy that back once the disk works again."
    )]
    Half { path: FilePath, kept: FilePath, source: std::io::Error },
    #[error("{path} could not be {doing}: {source}. Check the disk and try again.")]
    Io { path: FilePath, doing: &'static str, source: std::io::Error },
    #[error("The workspace {} cannot be opened: {source}. Check that it is a folder you can read.", path.display())]
    Workspace { path: PathBuf, source: std::io::Error },
}

impl WriteError {
    /// `doing` is a participle: "the file could not be *read*".
    pub(super) fn from_errno(path: &FilePath, doing: &'static str, errno: Errno) -> Self {
        let path = path.clone();
        if [Errno::NOSPC, Errno::DQUOT].contains(&errno) {
            Self::NoSpace { path }
        } else if errno == Errno::ROFS {
            Self::ReadOnly { path }
        } else if [Errno::ACCESS, Errno::PERM].contains(&errno) {
            Self::NotAllowed { path, source: errno }
        } else if [Errno::MFILE, Errno::NFILE].contains(&errno) {
            Self::TooManyOpen { path, source: errno }
        } else {
            Self::Io { path, doing, source: errno.into() }
        }
    }

    pub(super) fn from_io(path: &FilePath, doing: &'static str, error: std::io::Error) -> Self {
        match Errno::from_io_error(&error) {
            Some(errno) => Self::from_errno(path, doing, errno),
            None => Self::Io { path: path.clone(), doing, source: error },
        }
    }

    /// Whether something else is there than was expected, so that looking again may help.
    #[must_use]
    pub fn is_difference(&self) -> bool {
        matches!(self, Self::Changed { .. } | Self::Exists { .. } | Self::Moved { .. } | Self::Busy { .. })
    }

    /// The same refusal, with the place of what had to be kept.
    pub(super) fn with_kept(self, kept: Option<FilePath>) -> Self {
        match kept {
            None => self,
            Some(kept) => Self::Kept { kept, why: Box::new(self) },
        }
    }
}
