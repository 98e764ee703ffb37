//! A commit of exactly some files of the workspace, as they lie on disk, on top of the newest commit. What else is staged
//! stays staged and out of it, as with `git commit --only`.
//!
//! No hook is run, and no program that filters or signs: nothing of the workspace runs without the person's word. Where the
//! repository wants such a program for these files, the commit is left to the person. Whatever fails, nothing is committed,
//! and the index is as it was.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use augment_core::file::FilePath;
use augment_core::text::shell_word;
use git2::{
    AttrCheckFlags, Commit, ErrorCode, Index, IndexEntry, Repository, RepositoryOpenFlags, RepositoryState, Signature,
    Tree,
};

/// Why a commit is not made. Each is a sentence with what to do instead.
#[derive(Debug, thiserror::Error)]
pub enum CommitError {
    #[error("The workspace lies in no git repository, so there is nothing to commit to.")]
    NoRepository,
    #[error("The repository has no files of its own, so nothing of the workspace can be committed to it.")]
    NoFilesOfItsOwn,
    #[error(
        "Git knows no name and mail address of yours. Set user.name and user.email with `git config`, then repeat."
    )]
    NoIdentity,
    #[error("Commits are signed here (commit.gpgsign), which only you can do. Commit the documents with git.")]
    Signed,
    #[error("{what} is under way in the repository. Finish it with git first, then repeat.")]
    UnderWay { what: &'static str },
    #[error("The index holds conflicts. Resolve them with git first, then repeat.")]
    Conflicts,
    #[error(
        "Another git command is at work here (there is an index.lock). Wait for it, then repeat; where none runs, one was \
         ended half-way: remove .git/index.lock, then repeat."
    )]
    Busy,
    #[error(
        "Another git command is at work here (there is a .git/{name}.lock). Wait for it, then repeat; where none runs, one \
         was ended half-way: remove that file, then repeat."
    )]
    Held { name: String },
    #[error(
        "{other} is staged, and {path} cannot be in git's index beside it: one is a file where the other has a folder. What \
         is staged may lie nowhere else: commit it, or take it out of the index (`git rm --cached {}`), then repeat.",
        shell_word(&format!(":/{}", .other.to_text()))
    )]
    StagedInTheWay { path: FilePath, other: FilePath },
    #[error("{path} is not in the repository that the workspace lies in. Commit it with git.")]
    Elsewhere { path: FilePath },
    #[error(
        "{path} is ignored by git (.gitignore), so it is not committed. Take it out of what is ignored, or leave it."
    )]
    Ignored { path: FilePath },
    #[error("{path} is no file any more, so it is not committed. Commit what there is with git.")]
    NoFile { path: FilePath },
    #[error("{path} goes through a filter of git ({filter}), which is not run here. Commit it with git.")]
    Filtered { path: FilePath, filter: String },
    #[error(
        "{path} is in the newest commit as it is, so nothing is left to commit. Commit the rest, if any, with git."
    )]
    Unchanged { path: FilePath },
    #[error("Git says no: {}.", .0.message().trim_end_matches('.'))]
    Git(#[from] git2::Error),
}

impl CommitError {
    /// Whether the same may go through once something outside is over or mended.
    #[must_use]
    pub fn may_pass(&self) -> bool {
        match self {
            Self::Busy | Self::Held { .. } | Self::UnderWay { .. } | Self::Conflicts | Self::NoIdentity => true,
            Self::Git(_) => true,
            Self::NoRepository | Self::NoFilesOfItsOwn | Self::Signed | Self::StagedInTheWay { .. } => false,
            Self::Elsewhere { .. } | Self::Ignored { .. } | Self::NoFile { .. } => false,
            Self::Filtered { .. } | Self::Unchanged { .. } => false,
        }
    }

    /// Stable, for programs.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoRepository => "no-repository",
            Self::NoFilesOfItsOwn => "bare-repository",
            Self::NoIdentity => "no-identity",
            Self::Signed => "signed-commits",
            Self::UnderWay { .. } => "git-under-way",
            Self::Conflicts => "git-conflicts",
            Self::Busy | Self::Held { .. } => "git-busy",
            Self::StagedInTheWay { .. } => "staged-in-the-way",
            Self::Elsewhere { .. } => "other-repository",
            Self::Ignored { .. } => "ignored-file",
            Self::NoFile { .. } => "no-file",
            Self::Filtered { .. } => "filtered-file",
            Self::Unchanged { .. } => "nothing-to-commit",
            Self::Git(_) => "git",
        }
    }
}

/// Whether these files of the workspace could be committed now.
pub fn may_commit(root: &Path, files: &[FilePath]) -> Result<(), CommitError> {
    let ground = Ground::find(root)?;
    ground.index()?;
    for file in files {
        ground.place(root, file)?;
    }
    Ok(())
}

/// Commits these files as they are now, and gives the commit's id in hex.
pub fn commit(root: &Path, files: &[FilePath], message: &str) -> Result<String, CommitError> {
    let ground = Ground::find(root)?;
    let parent = tip(&ground.git)?;
    let before = parent.as_ref().map(Commit::tree).transpose()?;
    let mut index = ground.index()?;
    let mut wanted = Index::new()?;
    if let Some(before) = &before {
        wanted.read_tree(before)?;
    }
    let mut was: Vec<(PathBuf, Option<IndexEntry>)> = Vec::new();
    for file in files {
        let place = ground.place(root, file)?;
        let known = index.get_path(&place, 0);
        index.add_path(&place)?;
        let entry = index.get_path(&place, 0).ok_or_else(|| CommitError::NoFile { path: file.clone() })?;
        if before.as_ref().is_some_and(|before| is_in(before, &place, &entry)) {
            return Err(CommitError::Unchanged { path: file.clone() });
        }
        wanted.add(&entry)?;
        was.push((place, known));
    }
    let tree = ground.git.find_tree(wanted.write_tree_to(&ground.git)?)?;
    // The index first: what is committed and not in it would look like a change that takes it back.
    index.write().map_err(|error| if error.code() == ErrorCode::Locked { CommitError::Busy } else { error.into() })?;
    let parents: Vec<&Commit<'_>> = parent.iter().collect();
    let message = format!("{}\n", message.trim_end());
    // A HEAD that has moved meanwhile is refused by this.
    match ground.git.commit(Some("HEAD"), &ground.signature, &ground.signature, &message, &tree, &parents) {
        Ok(id) => Ok(id.to_string()),
        Err(error) => {
            if let Err(second) = put_back(&mut index, was) {
                tracing::warn!("the index could not be put back: {second}");
            }
            Err(error.into())
        }
    }
}

fn is_in(tree: &Tree<'_>, place: &Path, entry: &IndexEntry) -> bool {
    tree.get_path(place).is_ok_and(|known| {
        known.id() == entry.id && u32::try_from(known.filemode()).is_ok_and(|mode| mode == entry.mode)
    })
}

fn put_back(index: &mut Index, was: Vec<(PathBuf, Option<IndexEntry>)>) -> Result<(), git2::Error> {
    for (place, entry) in was {
        match entry {
            Some(entry) => index.add(&entry)?,
            None => index.remove_path(&place)?,
        }
    }
    index.write()
}

/// A repository in which a commit of ours could be made.
struct Ground {
    git: Repository,
    /// The real way to its files.
    top: PathBuf,
    signature: Signature<'static>,
}

impl Ground {
    fn find(root: &Path) -> Result<Self, CommitError> {
        let git = match open(root) {
            Ok(git) => git,
            Err(error) if error.code() == ErrorCode::NotFound => return Err(CommitError::NoRepository),
            Err(error) => return Err(error.into()),
        };
        let top = git.workdir().ok_or(CommitError::NoFilesOfItsOwn)?;
        let top = top.canonicalize().map_err(|_| CommitError::NoFilesOfItsOwn)?;
        if let Some(what) = under_way(git.state()) {
            return Err(CommitError::UnderWay { what });
        }
        if git.config()?.snapshot()?.get_bool("commit.gpgsign").unwrap_or(false) {
            return Err(CommitError::Signed);
        }
        let signature = git.signature().map_err(|_| CommitError::NoIdentity)?.to_owned();
        Ok(Self { git, top, signature })
    }

    fn index(&self) -> Result<Index, CommitError> {
        if self.git.path().join("index.lock").exists() {
            return Err(CommitError::Busy);
        }
        let index = self.git.index()?;
        if index.has_conflicts() { Err(CommitError::Conflicts) } else { Ok(index) }
    }

    /// Where a file of the workspace lies in the repository, if it may be committed.
    fn place(&self, root: &Path, file: &FilePath) -> Result<PathBuf, CommitError> {
        let elsewhere = || CommitError::Elsewhere { path: file.clone() };
        let path = root.join(OsStr::from_bytes(file.as_bytes()));
        let is_file = std::fs::symlink_metadata(&path).is_ok_and(|found| found.is_file());
        if !is_file {
            return Err(CommitError::NoFile { path: file.clone() });
        }
        let folder = path.parent().and_then(|folder| folder.canonicalize().ok()).ok_or_else(elsewhere)?;
        let below = folder.strip_prefix(&self.top).map_err(|_| elsewhere())?;
        let place = below.join(path.file_name().ok_or_else(elsewhere)?);
        // A repository of its own between here and there would have it.
        if open(&folder).is_ok_and(|other| other.path() != self.git.path()) {
            return Err(elsewhere());
        }
        if self.git.is_path_ignored(&place)? && self.git.index()?.get_path(&place, 0).is_none() {
            return Err(CommitError::Ignored { path: file.clone() });
        }
        match filter(&self.git, &place)? {
            Some(filter) => Err(CommitError::Filtered { path: file.clone(), filter }),
            None => Ok(place),
        }
    }
}

/// The newest commit; none in a repository that has none yet.
pub(super) fn tip(git: &Repository) -> Result<Option<Commit<'_>>, git2::Error> {
    match git.head() {
        Ok(head) => head.peel_to_commit().map(Some),
        Err(error) if error.code() == ErrorCode::UnbornBranch => Ok(None),
        Err(error) => Err(error),
    }
}

/// The filter that git would run for a file.
pub(super) fn filter(git: &Repository, place: &Path) -> Result<Option<String>, git2::Error> {
    let named = git.get_attr(place, "filter", AttrCheckFlags::FILE_THEN_INDEX)?;
    let Some(named) = named else { return Ok(None) };
    let config = git.config()?.snapshot()?;
    let runs = |what: &str| config.get_string(&format!("filter.{named}.{what}")).is_ok();
    Ok((runs("clean") || runs("process")).then(|| named.to_owned()))
}

/// The repository around a folder. What the environment says about repositories is for git, not for us.
pub(super) fn open(folder: &Path) -> Result<Repository, git2::Error> {
    let none: [&OsStr; 0] = [];
    Repository::open_ext(folder, RepositoryOpenFlags::CROSS_FS, none)
}

pub(super) fn under_way(state: RepositoryState) -> Option<&'static str> {
    match state {
        RepositoryState::Clean => None,
        RepositoryState::Merge => Some("A merge"),
        RepositoryState::Revert | RepositoryState::RevertSequence => Some("A revert"),
        RepositoryState::CherryPick | RepositoryState::CherryPickSequence => Some("A cherry-pick"),
        RepositoryState::Bisect => Some("A bisection"),
        RepositoryState::Rebase | RepositoryState::RebaseInteractive | RepositoryState::RebaseMerge => Some("A rebase"),
        RepositoryState::ApplyMailbox | RepositoryState::ApplyMailboxOrRebase => Some("The applying of mails"),
    }
}
