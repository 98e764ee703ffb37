//! Making a demo workspace: the project's files, a repository with one commit, and the mark by which it is known as ours. The
//! mark lies with the workspace's data and never in the workspace, so no folder can claim to be a demo by what is in it.
//!
//! Nothing that exists is written over: a folder with anything in it, and one whose data is still there, is refused. No
//! program is started; the repository is made by the library.

use std::fs::{DirBuilder, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use augment_core::agent::AgentSpec;
use augment_core::demo;
use git2::{Config, IndexAddOption, Repository, RepositoryInitOptions, Signature};

use crate::own_program;
use crate::owner::{OwnerError, private_folder};
use crate::workspace::{Places, Workspace, WorkspaceError, demos_folder};

/// How many demos are kept side by side where nobody names a folder.
const DEMOS: u32 = 1_000;
const COMMITTER: (&str, &str) = ("Lantern", "lantern@localhost");
const FIRST_MESSAGE: &str = "lantern: a notes server to work on";

#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    #[error("{} is not empty, and nothing of yours is written over. Name a folder that is empty or does not exist.", path.display())]
    NotEmpty { path: PathBuf },
    #[error("{} is not a folder. Name a folder that is empty or does not exist.", path.display())]
    NotAFolder { path: PathBuf },
    #[error("{} was a workspace before: its data is still in {}. Name another folder.", path.display(), data.display())]
    UsedBefore { path: PathBuf, data: PathBuf },
    #[error("{} holds {DEMOS} demos already. Remove those that you do not need.", path.display())]
    TooMany { path: PathBuf },
    #[error("{} cannot be made: {source}. Check its permissions and that the disk is not full.", path.display())]
    Unwritable { path: PathBuf, source: std::io::Error },
    #[error("The repository of the demo cannot be made in {}: {source}.", path.display())]
    Git { path: PathBuf, source: git2::Error },
    #[error(transparent)]
    Owner(#[from] OwnerError),
    #[error(transparent)]
    Workspace(#[from] WorkspaceError),
}

impl DemoError {
    /// Stable: programs may match on it.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotEmpty { .. } => "not-empty",
            Self::NotAFolder { .. } => "not-a-folder",
            Self::UsedBefore { .. } => "used-before",
            Self::TooMany { .. } => "too-many-demos",
            Self::Unwritable { .. } => "unwritable",
            Self::Git { .. } => "git",
            Self::Owner(_) => "bad-data-folder",
            Self::Workspace(_) => "workspace",
        }
    }
}

/// A demo workspace in this folder, or in a new one beside earlier demos. Its queue is still empty.
pub fn make(folder: Option<&Path>) -> Result<Workspace, DemoError> {
    let workspace = match folder {
        Some(folder) => named(folder)?,
        None => beside_earlier(&demos_folder()?)?,
    };
    plant(workspace.root())?;
    mark(workspace.places())?;
    Ok(workspace)
}

/// Whether this is a demo workspace that was made here, and the very folder that was made then.
#[must_use]
pub fn is_demo(places: &Places) -> bool {
    let kept = std::fs::read_to_string(&places.demo).ok();
    kept.is_some_and(|kept| identity(&places.root).is_ok_and(|now| kept == now))
}

/// The built-in agent, where this is a demo workspace.
#[must_use]
pub fn agent(places: &Places) -> Option<AgentSpec> {
    if !is_demo(places) {
        return None;
    }
    own_program::path()?.to_str().map(|program| demo::agent(program.to_owned()))
}

fn unwritable(path: &Path) -> impl FnOnce(std::io::Error) -> DemoError + use<'_> {
    move |source| DemoError::Unwritable { path: path.to_owned(), source }
}

fn named(folder: &Path) -> Result<Workspace, DemoError> {
    let is_new = match std::fs::read_dir(folder) {
        Ok(mut entries) => match entries.next() {
            Some(_) => return Err(DemoError::NotEmpty { path: folder.to_owned() }),
            None => false,
        },
        Err(error) if error.kind() == ErrorKind::NotFound => {
            std::fs::create_dir_all(folder).map_err(unwritable(folder))?;
            true
        }
        Err(error) if error.kind() == ErrorKind::NotADirectory => {
            return Err(DemoError::NotAFolder { path: folder.to_owned() });
        }
        Err(error) => return Err(unwritable(folder)(error)),
    };
    let workspace = Workspace::at(folder)?;
    if workspace.places().data.exists() {
        if is_new {
            leave(folder);
        }
        let data = workspace.places().data.clone();
        return Err(DemoError::UsedBefore { path: workspace.root().to_owned(), data });
    }
    Ok(workspace)
}

/// The first folder of the name that is free, also by what is kept of earlier ones that were removed.
fn beside_earlier(folder: &Path) -> Result<Workspace, DemoError> {
    private_folder(folder)?;
    for number in 1..=DEMOS {
        let name = if number == 1 { demo::NAME.to_owned() } else { format!("{}-{number}", demo::NAME) };
        let place = folder.join(name);
        match DirBuilder::new().mode(0o700).create(&place) {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
            Err(error) => return Err(unwritable(&place)(error)),
        }
        let workspace = Workspace::at(&place)?;
        if !workspace.places().data.exists() {
            return Ok(workspace);
        }
        leave(&place);
    }
    Err(DemoError::TooMany { path: folder.to_owned() })
}

/// Takes away an empty folder that was made a moment ago. One that somebody has put something into stays.
fn leave(folder: &Path) {
    if let Err(error) = std::fs::remove_dir(folder) {
        tracing::warn!("{} stays: {error}", folder.display());
    }
}

fn plant(root: &Path) -> Result<(), DemoError> {
    for (name, text) in demo::FILES {
        let path = root.join(name);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(unwritable(folder))?;
        }
        let mut file = OpenOptions::new().write(true).create_new(true).open(&path).map_err(unwritable(&path))?;
        file.write_all(text.as_bytes()).map_err(unwritable(&path))?;
    }
    commit(root).map_err(|source| DemoError::Git { path: root.to_owned(), source })
}

/// One commit with all files, so that what an agent changes has something to be compared with.
fn commit(root: &Path) -> Result<(), git2::Error> {
    let mut options = RepositoryInitOptions::new();
    // Templates of the person's may hold hooks, which have no business in a demo.
    options.initial_head("main").no_reinit(true).external_template(false);
    let git = Repository::init_opts(root, &options)?;
    let mut index = git.index()?;
    // All of them, whatever the person ignores elsewhere.
    index.add_all(["*"], IndexAddOption::FORCE, None)?;
    index.write()?;
    let tree = git.find_tree(index.write_tree()?)?;
    let (name, mail) = COMMITTER;
    let signature = Signature::now(name, mail)?;
    git.commit(Some("HEAD"), &signature, &signature, FIRST_MESSAGE, &tree, &[])?;
    // The record of a session can be committed also where git was never set up.
    let has_name = |config: Config| config.get_string("user.name").is_ok() && config.get_string("user.email").is_ok();
    if !git.config().is_ok_and(has_name) {
        let mut own = git.config()?.open_level(git2::ConfigLevel::Local)?;
        own.set_str("user.name", name)?;
        own.set_str("user.email", mail)?;
    }
    Ok(())
}

fn mark(places: &Places) -> Result<(), DemoError> {
    private_folder(&places.data)?;
    let path = &places.demo;
    let text = identity(&places.root).map_err(unwritable(path))?;
    let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
    file.and_then(|mut file| file.write_all(text.as_bytes())).map_err(unwritable(path))
}

/// Names a folder as long as it is there: another one in its place is another one.
fn identity(root: &Path) -> std::io::Result<String> {
    let found = std::fs::symlink_metadata(root)?;
    Ok(format!("{} {} {}\n", demo::NAME, found.dev(), found.ino()))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn workspace_below(folder: &Path) -> Places {
        let places = Places::below(folder);
        fs::create_dir_all(&places.root).unwrap();
        places
    }

    #[test]
    fn every_file_is_there_and_committed_and_the_tree_is_clean() {
        let folder = tempfile::tempdir().unwrap();
        plant(folder.path()).unwrap();
        for (name, text) in demo::FILES {
            assert_eq!(fs::read_to_string(folder.path().join(name)).unwrap(), *text);
        }
        let git = Repository::open(folder.path()).unwrap();
        assert_eq!(git.statuses(None).unwrap().len(), 0);
        assert_eq!(git.head().unwrap().shorthand().unwrap(), "main");
        assert!(git.signature().is_ok(), "a record can be committed");
        assert!(!git.path().join("hooks").join("pre-commit").exists());
    }

    #[test]
    fn nothing_that_exists_is_written_over() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("README.md"), "mine").unwrap();
        assert!(matches!(named(folder.path()), Err(DemoError::NotEmpty { .. })));
        // One that appears between the look and the writing is not written over either.
        assert!(matches!(plant(folder.path()), Err(DemoError::Unwritable { .. })));
        assert_eq!(fs::read_to_string(folder.path().join("README.md")).unwrap(), "mine");
        let file = folder.path().join("README.md");
        assert!(matches!(named(&file), Err(DemoError::NotAFolder { .. })));
    }

    #[test]
    fn only_the_folder_that_was_made_is_a_demo() {
        let folder = tempfile::tempdir().unwrap();
        let places = workspace_below(folder.path());
        assert!(!is_demo(&places) && agent(&places).is_none());
        mark(&places).unwrap();
        assert!(is_demo(&places));
        let spec = agent(&places).unwrap();
        assert_eq!((spec.name.as_str(), spec.arguments.as_slice()), ("demo", &["demo-agent".to_owned()][..]));
        assert!(Path::new(&spec.program).is_absolute());
        fs::rename(&places.root, folder.path().join("away")).unwrap();
        fs::create_dir(&places.root).unwrap();
        assert!(!is_demo(&places), "another folder of the same name");
    }
}
