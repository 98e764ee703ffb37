//! What a configured agent becomes on this machine: its program's place, its environment, and the folders it may write to.

use std::ffi::{OsStr, OsString};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use augment_core::agent::{AgentSpec, PRESETS, Preset, is_ours};
use augment_core::text::quoted;
use rustix::fs::Access;

/// Where programs are looked for when the person's environment has no `PATH`.
const USUAL_PATH: &str = "/usr/local/bin:/usr/bin:/bin";
const USUAL_TEMPORARY: &str = "/tmp";

#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum ProgramError {
    #[error("The program {program} was not found in PATH.{}", next(install.as_deref()))]
    NotFound { program: String, install: Option<String> },
    #[error("The program {} does not exist.{}", path.display(), next(install.as_deref()))]
    Missing { path: PathBuf, install: Option<String> },
    #[error("The program {} is not executable. Make it so with `chmod +x`, or name another one.", path.display())]
    NotExecutable { path: PathBuf },
    #[error("The program {program} lies below the home folder, but HOME is not set. Set it.")]
    NoHome { program: String },
    #[error(
        "The agent {} changed while it was being started. Look at it again with `augment-cli agent allow`.",
        quoted(agent)
    )]
    Changed { agent: String },
}

fn next(install: Option<&str>) -> String {
    format!(" {}", install.unwrap_or("Install it, or set its full path as the agent's command."))
}

/// The preset whose program an agent has, which knows how to get it.
#[must_use]
pub fn known(spec: &AgentSpec) -> Option<&'static Preset> {
    PRESETS.iter().find(|preset| preset.program == Some(spec.program.as_str()))
}

fn install(spec: &AgentSpec) -> Option<String> {
    let preset = known(spec)?;
    Some([Some(preset.install), preset.sign_in].into_iter().flatten().collect::<Vec<_>>().join(" "))
}

/// All of an agent's environment: what every agent gets, what its configuration names, and what that sets. Ours is not among
/// it.
pub fn environment(
    spec: &AgentSpec,
    variables: impl IntoIterator<Item = (OsString, OsString)>,
) -> Vec<(OsString, OsString)> {
    let is_set = |name: &str| spec.set.iter().any(|(set, _)| set == name);
    let passed = variables
        .into_iter()
        .filter(|(name, _)| name.to_str().is_some_and(|name| spec.passes(name) && !is_ours(name) && !is_set(name)));
    let set = spec.set.iter().map(|(name, value)| (OsString::from(name), OsString::from(value)));
    passed.chain(set).collect()
}

fn value<'a>(environment: &'a [(OsString, OsString)], name: &str) -> Option<&'a OsStr> {
    let found = environment.iter().rev().find(|(known, value)| known == name && !value.is_empty());
    found.map(|(_, value)| value.as_os_str())
}

fn home(environment: &[(OsString, OsString)]) -> Option<PathBuf> {
    value(environment, "HOME").map(PathBuf::from).filter(|home| home.is_absolute())
}

/// An agent's program as a whole path, with the `PATH` and `HOME` of its environment. Entries of `PATH` that are no whole
/// paths are passed over: they would find programs of the workspace.
pub fn find_program(
    spec: &AgentSpec,
    root: &Path,
    environment: &[(OsString, OsString)],
) -> Result<PathBuf, ProgramError> {
    let program = &spec.program;
    if !program.contains('/') {
        let searched = value(environment, "PATH");
        return match (in_path(program, searched), places(program, searched).find(|place| place.is_file())) {
            (Some(found), _) => Ok(found),
            (None, Some(path)) => Err(ProgramError::NotExecutable { path }),
            (None, None) => Err(ProgramError::NotFound { program: program.clone(), install: install(spec) }),
        };
    }
    let path = match program.strip_prefix("~/") {
        Some(rest) => home(environment).ok_or_else(|| ProgramError::NoHome { program: program.clone() })?.join(rest),
        None => root.join(program.strip_prefix("./").unwrap_or(program)),
    };
    match path.metadata() {
        Err(_) => Err(ProgramError::Missing { path, install: install(spec) }),
        Ok(_) if !is_executable(&path) => Err(ProgramError::NotExecutable { path }),
        Ok(_) => Ok(path),
    }
}

/// Where a program of a bare name may be. Entries that are no whole paths are passed over.
fn places(program: &str, searched: Option<&OsStr>) -> impl Iterator<Item = PathBuf> {
    let searched = searched.filter(|path| !path.is_empty()).unwrap_or(OsStr::new(USUAL_PATH));
    std::env::split_paths(searched).filter(|folder| folder.is_absolute()).map(move |folder| folder.join(program))
}

/// A program of a bare name as a whole path, with this `PATH`.
#[must_use]
pub fn in_path(program: &str, searched: Option<&OsStr>) -> Option<PathBuf> {
    places(program, searched).find(|place| is_executable(place))
}

fn is_executable(path: &Path) -> bool {
    path.is_file() && rustix::fs::access(path, Access::EXEC_OK).is_ok()
}

/// Where an agent may write: in the folder it works in, for what is temporary, and where it keeps its own things. Folders of
/// its own that are not there are made, for this user only, since it could not make them itself.
#[must_use]
pub fn writable(spec: &AgentSpec, cwd: &Path, environment: &[(OsString, OsString)]) -> Vec<PathBuf> {
    let temporary = value(environment, "TMPDIR").unwrap_or(OsStr::new(USUAL_TEMPORARY));
    let mut paths = vec![cwd.to_owned(), PathBuf::from(temporary)];
    for entry in &spec.writable {
        let Some(path) = expanded(entry, environment) else { continue };
        if entry.ends_with('/')
            && !path.exists()
            && let Err(error) = std::fs::DirBuilder::new().recursive(true).mode(0o700).create(&path)
        {
            tracing::warn!("{} cannot be made for the agent {}: {error}", path.display(), spec.name);
        }
        paths.push(path);
    }
    paths
}

/// `~/…` as a whole path. The folders of the desktop are where the person has moved them to.
fn expanded(entry: &str, environment: &[(OsString, OsString)]) -> Option<PathBuf> {
    const DESKTOP: [(&str, &str); 4] = [
        ("~/.config/", "XDG_CONFIG_HOME"),
        ("~/.local/share/", "XDG_DATA_HOME"),
        ("~/.local/state/", "XDG_STATE_HOME"),
        ("~/.cache/", "XDG_CACHE_HOME"),
    ];
    let moved = DESKTOP.iter().find_map(|(usual, variable)| {
        let rest = entry.strip_prefix(usual)?;
        let folder = value(environment, variable).map(Path::new).filter(|folder| folder.is_absolute())?;
        Some(folder.join(rest))
    });
    match (moved, entry.strip_prefix("~/")) {
        (Some(moved), _) => Some(moved),
        (None, Some(rest)) => home(environment).map(|home| home.join(rest)),
        (None, None) => Some(PathBuf::from(entry)),
    }
}
