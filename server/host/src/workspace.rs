//! A workspace and its places: which folder it is, and where its data, socket and settings live. Nothing of ours lies in
//! the workspace itself, except what people put into its `.augment` themselves.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Component, Path, PathBuf};

/// The longest socket path that every system takes (`sun_path` on macOS is 104 bytes with its end).
const SOCKET_PATH_LIMIT: usize = 100;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Workspace {
    root: PathBuf,
    places: Places,
}

/// Where a workspace's things are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Places {
    /// The workspace itself.
    pub root: PathBuf,
    /// The data folder of this workspace.
    pub data: PathBuf,
    pub database: PathBuf,
    pub lock: PathBuf,
    /// In a folder of its own that only this user can open.
    pub socket: PathBuf,
    /// The person's token.
    pub token: PathBuf,
    pub log: PathBuf,
    /// There only in a demo workspace that was made here.
    pub demo: PathBuf,
    /// One file for all workspaces of this user.
    pub user_settings: PathBuf,
    /// Comes with the repository; may only tighten.
    pub policy: PathBuf,
    /// The user's own agents, for all workspaces.
    pub user_agents: PathBuf,
    /// Agents that come with the repository; none of them starts without a person's yes.
    pub workspace_agents: PathBuf,
}

#[cfg(test)]
impl Places {
    /// All places below one folder, for tests.
    pub(crate) fn below(folder: &Path) -> Self {
        let place = |name: &str| folder.join(name);
        Self {
            root: place("root"),
            data: place("data"),
            database: place("state.db"),
            lock: place("lock"),
            socket: place("socket"),
            token: place("token"),
            log: place("log"),
            demo: place("data/demo"),
            user_settings: place("settings.toml"),
            policy: place("policy.toml"),
            user_agents: place("agents.toml"),
            workspace_agents: place("root/.augment/agents.toml"),
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum WorkspaceError {
    #[error("{} cannot be opened as a workspace: {source}. Name an existing folder with -C.", path.display())]
    NoFolder { path: PathBuf, source: std::io::Error },
    #[error("{} is not a folder. Name the folder that you open in your editor with -C.", path.display())]
    NotAFolder { path: PathBuf },
    #[error(
        "Everything on this machine lies below /, so it is no workspace. Go to the folder of your project, or name it with -C."
    )]
    Everything,
    #[error("Neither AUGMENT_HOME nor HOME is set, so there is no place for data. Set HOME.")]
    NoHome,
}

impl Workspace {
    /// The workspace that is exactly this folder.
    pub fn at(folder: &Path) -> Result<Self, WorkspaceError> {
        let home = Home::from_environment()?;
        Self::at_home(folder, &home)
    }

    /// The workspace that `start` lies in: the nearest folder upwards that has been used as one or holds a repository;
    /// else `start` itself.
    pub fn locate(start: &Path) -> Result<Self, WorkspaceError> {
        let home = Home::from_environment()?;
        let start = existing_folder(start)?;
        let is_workspace = |folder: &&Path| {
            home.data_of(folder).is_dir() || [".git", ".jj"].iter().any(|name| folder.join(name).exists())
        };
        let mut below_root = start.ancestors().filter(|folder| folder.parent().is_some());
        Self::at_home(below_root.find(is_workspace).unwrap_or(&start), &home)
    }

    fn at_home(folder: &Path, home: &Home) -> Result<Self, WorkspaceError> {
        let root = existing_folder(folder)?;
        if root.parent().is_none() {
            return Err(WorkspaceError::Everything);
        }
        let data = home.data_of(&root);
        let places = Places {
            root: root.clone(),
            database: data.join("state.db"),
            lock: data.join("lock"),
            socket: home.socket_of(&root),
            token: data.join("person.token"),
            log: data.join("host.log"),
            demo: data.join("demo"),
            user_settings: home.config.join("settings.toml"),
            policy: root.join(".augment").join("policy.toml"),
            user_agents: home.config.join("agents.toml"),
            workspace_agents: root.join(".augment").join("agents.toml"),
            data,
        };
        Ok(Self { root, places })
    }

    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    #[must_use]
    pub fn places(&self) -> &Places {
        &self.places
    }
}

/// Where demo workspaces are made when nobody names a folder.
pub fn demos_folder() -> Result<PathBuf, WorkspaceError> {
    Ok(Home::from_environment()?.data.join("demos"))
}

fn existing_folder(path: &Path) -> Result<PathBuf, WorkspaceError> {
    let real = path.canonicalize().map_err(|source| WorkspaceError::NoFolder { path: path.to_owned(), source })?;
    if real.is_dir() { Ok(real) } else { Err(WorkspaceError::NotAFolder { path: path.to_owned() }) }
}

/// A path as the workspace knows its files; `None` outside of it. Links are not looked at.
#[must_use]
pub fn inside(root: &Path, path: &Path) -> Option<String> {
    let below = if path.is_absolute() { path.strip_prefix(root).ok()? } else { path };
    let mut parts = Vec::new();
    for part in below.components() {
        match part {
            Component::Normal(part) => parts.push(part.to_str()?),
            Component::CurDir => {}
            Component::ParentDir => drop(parts.pop()?),
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    (!parts.is_empty()).then(|| parts.join("/"))
}

/// The user's own folders, by the rules of the desktop. `AUGMENT_HOME` puts all of them below one folder.
struct Home {
    data: PathBuf,
    config: PathBuf,
    run: PathBuf,
}

impl Home {
    fn from_environment() -> Result<Self, WorkspaceError> {
        let folder = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        if let Some(own) = folder("AUGMENT_HOME") {
            return Ok(Self { data: own.join("data"), config: own.join("config"), run: own.join("run") });
        }
        let home = folder("HOME");
        let below = |name: &str, rest: &str| {
            folder(name).or_else(|| home.as_ref().map(|home| home.join(rest))).ok_or(WorkspaceError::NoHome)
        };
        let data = below("XDG_DATA_HOME", ".local/share")?.join("augment-orchestrator");
        let config = below("XDG_CONFIG_HOME", ".config")?.join("augment-orchestrator");
        // Beside the data and not where XDG_RUNTIME_DIR says: whoever finds the lock must find the socket, also from cron,
        // `su` or a container where that variable is another or none.
        let run = data.join("run");
        Ok(Self { data, config, run })
    }

    fn data_of(&self, root: &Path) -> PathBuf {
        self.data.join("workspaces").join(key(root))
    }

    fn socket_of(&self, root: &Path) -> PathBuf {
        let socket = self.run.join(short_key(root)).join("socket");
        if socket.as_os_str().len() <= SOCKET_PATH_LIMIT {
            return socket;
        }
        // The folder is made with mode 0700 and checked before use, so a shared /tmp is no way in.
        let user = rustix::process::getuid().as_raw();
        let apart = blake3::hash(self.run.as_os_str().as_bytes()).to_hex();
        PathBuf::from(format!("/tmp/augment-{user}-{}", &apart[..8])).join(short_key(root)).join("socket")
    }
}

/// A folder name that a person recognises, and that no other path has.
fn key(root: &Path) -> String {
    let name = root.file_name().unwrap_or(OsStr::new("root")).to_string_lossy();
    let name: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' }).take(40).collect();
    format!("{name}-{}", short_key(root))
}

fn short_key(root: &Path) -> String {
    blake3::hash(root.as_os_str().as_bytes()).to_hex()[..16].to_owned()
}
