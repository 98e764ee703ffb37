//! Owning a workspace: one process at a time holds the lock on its data folder, and only that one writes there. The lock
//! belongs to the open file, so it goes with its process, however that ends.

use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io::{Read as _, Seek as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use crate::workspace::Places;

/// The right to write to a workspace's data. Dropping it lets the next one in.
#[derive(Debug)]
pub struct Ownership {
    _lock: File,
}

#[derive(Debug, thiserror::Error)]
pub enum OwnerError {
    #[error("{} belongs to another user, so it is not used. Remove it, or set AUGMENT_HOME to a folder of your own.", path.display())]
    ForeignFolder { path: PathBuf },
    #[error("{} is not a folder. Move it away and try again.", path.display())]
    NotAFolder { path: PathBuf },
    #[error("{} cannot be used: {source}. Check its permissions and that the disk is not full or read-only.", path.display())]
    Unusable { path: PathBuf, source: std::io::Error },
}

/// Makes a folder that only this user can open, or checks that an existing one is. Never follows a link.
pub fn private_folder(path: &Path) -> Result<(), OwnerError> {
    let unusable = |source| OwnerError::Unusable { path: path.to_owned(), source };
    if let Err(source) = DirBuilder::new().recursive(true).mode(0o700).create(path) {
        if source.kind() == std::io::ErrorKind::AlreadyExists {
            return Err(OwnerError::NotAFolder { path: path.to_owned() });
        }
        return Err(unusable(source));
    }
    let found = std::fs::symlink_metadata(path).map_err(unusable)?;
    if !found.is_dir() {
        return Err(OwnerError::NotAFolder { path: path.to_owned() });
    }
    if found.uid() != rustix::process::getuid().as_raw() {
        return Err(OwnerError::ForeignFolder { path: path.to_owned() });
    }
    if found.mode() & 0o077 != 0 {
        let private = std::os::unix::fs::PermissionsExt::from_mode(0o700);
        std::fs::set_permissions(path, private).map_err(unusable)?;
    }
    Ok(())
}

impl Ownership {
    /// `None` when another process owns the workspace now.
    pub fn try_take(places: &Places) -> Result<Option<Self>, OwnerError> {
        private_folder(&places.data)?;
        let unusable = |source| OwnerError::Unusable { path: places.lock.clone(), source };
        let mut lock = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(&places.lock)
            .map_err(unusable)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(source)) => return Err(unusable(source)),
        }
        // The number is for people who look; whether the workspace is owned is told by the lock alone.
        lock.set_len(0)
            .and_then(|()| lock.rewind())
            .and_then(|()| writeln!(lock, "{}", std::process::id()))
            .map_err(unusable)?;
        Ok(Some(Self { _lock: lock }))
    }
}

/// The process that took the lock last, as far as it could write that down.
#[must_use]
pub fn last_owner(places: &Places) -> Option<u32> {
    let mut text = String::new();
    File::open(&places.lock).ok()?.take(32).read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
}
