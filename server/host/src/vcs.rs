//! Version control apart from watching: questions to it, and the one thing that is ever written to it, a commit that a
//! person has said yes to. libgit2 alone: no program of the user's or the repository's is run, except by a `History`, where
//! the person has asked for a commit as their own git would make it.

mod committing;
pub mod git;
pub mod history;
mod jj;

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use augment_core::file::{Body, FilePath, FileState};
use git2::{ObjectType, Oid, Repository};

pub use committing::{CommitError, commit, may_commit};
pub use jj::Jj;

/// The history that a workspace lies in. A repository of jj is used through jj, also where git could read it.
pub fn open_history(root: &Path, environment: &[(String, String)]) -> history::Result<Box<dyn history::History>> {
    if let Some(jj) = Jj::open(root, environment)? {
        return Ok(Box::new(jj));
    }
    match git::Git::open(root, environment)? {
        Some(git) => Ok(Box::new(git)),
        None => Err(history::HistoryError::NoRepository),
    }
}

/// Where the repository around a workspace stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Position {
    /// `None` where HEAD is at a commit and on no branch.
    pub branch: Option<String>,
    /// The newest commit, in hex, and the first line of its message; `None` before the first one.
    pub commit: Option<(String, String)>,
}

/// `None` where there is no repository, or none that can be understood.
#[must_use]
pub fn position(root: &Path) -> Option<Position> {
    let repository = Repository::discover(root).ok()?;
    // Also read where the branch has no commit yet, which libgit2 calls an error.
    let head = repository.find_reference("HEAD").ok()?;
    let target = head.symbolic_target().ok().flatten();
    let branch = target.map(|name| name.strip_prefix("refs/heads/").unwrap_or(name).to_owned());
    let commit = repository.head().and_then(|head| head.peel_to_commit()).ok();
    let commit = commit.map(|commit| {
        let message = String::from_utf8_lossy(commit.message_bytes()).into_owned();
        (commit.id().to_string(), message.lines().next().unwrap_or_default().to_owned())
    });
    Some(Position { branch, commit })
}

/// Which of these files hold exactly what the newest commit of their repository holds. `folder` is the repository's
/// place in the workspace, if it is not the workspace or above it.
pub(crate) fn equal_to_head(root: &Path, folder: Option<&FilePath>, files: Vec<FileState>) -> Vec<FilePath> {
    let start = folder.map_or_else(|| root.to_owned(), |folder| root.join(OsStr::from_bytes(folder.as_bytes())));
    let found = Repository::discover(&start).and_then(|repository| equal_in(&repository, root, files));
    found.unwrap_or_else(|error| {
        tracing::debug!("the newest commit could not be read: {error}");
        Vec::new()
    })
}

/// The newest commit of the repository that a workspace lies in, in hexadecimal.
pub(crate) fn head(root: &Path) -> Option<String> {
    let repository = Repository::discover(root).ok()?;
    let commit = repository.head().and_then(|head| head.peel_to_commit()).ok()?;
    Some(commit.id().to_string())
}

fn equal_in(repository: &Repository, root: &Path, files: Vec<FileState>) -> Result<Vec<FilePath>, git2::Error> {
    let tree = repository.head()?.peel_to_tree()?;
    let Some(top) = repository.workdir().and_then(|top| top.canonicalize().ok()) else { return Ok(Vec::new()) };
    let equal = files.into_iter().filter(|state| {
        let Body::Text(content) = &state.body else { return false };
        let path = root.join(OsStr::from_bytes(state.path.as_bytes()));
        let Ok(below) = path.strip_prefix(&top) else { return false };
        let kept = tree.get_path(below).map(|entry| entry.id());
        kept.is_ok_and(|kept| Oid::hash_object(ObjectType::Blob, content).is_ok_and(|hash| hash == kept))
    });
    Ok(equal.map(|state| state.path).collect())
}
