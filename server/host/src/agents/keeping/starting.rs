//! Starting a run: looking whether it can be started at all, so that a wrong setting is told by its name, and starting a
//! keeper with the order.

use std::ffi::{OsStr, OsString};
use std::io::{Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use rustix::fs::Access;
use rustix::io::Errno;

use super::following::Following;
use super::orphans::OwnKeeper;
use super::{Keeping, Line, Record, Sink, folder, is_alive, leftovers};
use crate::agents::frames::{Asked, Incoming, Step, Told};
use crate::agents::order::{MAX_ORDER_BYTES, Order};
use crate::clock;
use crate::owner::{self, OwnerError};
use crate::token::{self, TokenError};

/// How long a keeper may take until the agent runs. It takes milliseconds; a program on a slow disk takes longer.
const PATIENCE: Duration = Duration::from_secs(30);
/// Where programs are looked for when the agent's environment has no `PATH`.
const USUAL_PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// The program that can be a keeper.
#[derive(Debug, Clone)]
pub struct KeeperProgram {
    pub program: PathBuf,
    pub arguments: Vec<OsString>,
}

impl KeeperProgram {
    /// This very program, also when another one has taken its name meanwhile.
    #[must_use]
    pub fn own() -> Self {
        Self { program: "/proc/self/exe".into(), arguments: vec!["keep".into()] }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum StartError {
    #[error("The agent's program {} was not found in {}. Install it, or set its full path.", program.display(), searched.display())]
    NotFound { program: PathBuf, searched: PathBuf },
    #[error("The agent's program {} does not exist. Check the path in the agent's settings.", program.display())]
    Missing { program: PathBuf },
    #[error("The agent's program {} is not executable. Make it so with `chmod +x`, or name another one.", program.display())]
    NotExecutable { program: PathBuf },
    #[error("The agent's program {} names an interpreter or loader that does not exist. Look at its first line, or install it anew.", program.display())]
    NoInterpreter { program: PathBuf },
    #[error("The arguments and environment of the agent {} are too long for this system. Give the prompt in a file or on its input.", program.display())]
    TooLong { program: PathBuf },
    #[error("The agent's working folder {} cannot be entered: {source}. Make it, or name another one.", cwd.display())]
    Cwd { cwd: PathBuf, source: std::io::Error },
    #[error("{reason} Set the agents' confinement to `warn` or `off` to start {} without it.", program.display())]
    Unconfinable { program: PathBuf, reason: String },
    #[error(transparent)]
    Folder(#[from] OwnerError),
    #[error(transparent)]
    Token(#[from] TokenError),
    #[error("The run in {} is already kept by process {keeper}. Adopt it, or end it first.", folder.display())]
    AlreadyKept { folder: PathBuf, keeper: u32 },
    #[error("The agent {} could not be started: {reason}. What its keeper said is in {}.", program.display(), folder.join("keeper.log").display())]
    Keeper { program: PathBuf, folder: PathBuf, reason: String },
}

/// Starts an agent with a keeper of its own, and returns when the agent's program has taken over.
pub fn start(keeper: &KeeperProgram, mut order: Order, sink: Sink) -> Result<Keeping, StartError> {
    order.cwd = entered(&order.cwd)?;
    order.program = found(&order)?;
    owner::private_folder(&order.folder)?;
    let failed =
        |reason: String| StartError::Keeper { program: order.program.clone(), folder: order.folder.clone(), reason };
    let broken = |error: std::io::Error| failed(error.to_string());
    if let Some(other) = Record::read(&order.folder).map_err(broken)?.and_then(|record| record.keeper)
        && is_alive(other)
    {
        return Err(StartError::AlreadyKept { folder: order.folder.clone(), keeper: other.pid });
    }
    let mark = token::fresh()?;
    let packed = order.pack(&mark);
    if packed.len() > MAX_ORDER_BYTES {
        return Err(StartError::TooLong { program: order.program.clone() });
    }
    // Before anything runs: whatever happens from here on, what belongs to the run can be found.
    let record = Record { boot: clock::boot().0.clone(), mark, ..Record::default() };
    record.write(&order.folder).map_err(broken)?;
    let (mut stream, child) = spawn(keeper, &order.folder).map_err(broken)?;
    let keeper = child.identity;
    let first = match give(&mut stream, packed) {
        Ok(first) => first,
        Err(error) => {
            give_up(child, &order.folder);
            return Err(broken(error));
        }
    };
    match first.told {
        Told::Started { pid } => {
            let line = Arc::new(Line::new(stream).map_err(broken)?);
            let following = Following::new(order.folder.clone(), 0, sink);
            following.spawn(Arc::clone(&line), first.incoming, Some(child)).map_err(broken)?;
            Ok(Keeping { pid, keeper, line })
        }
        Told::NotStarted { step, errno, text } => {
            give_up(child, &order.folder);
            Err(why_not(&order, step, errno, text))
        }
        Told::Unconfined { .. }
        | Told::Output { .. }
        | Told::Missed { .. }
        | Told::Taken { .. }
        | Told::Ending(_)
        | Told::Exited(_)
        | Told::Stuck { .. }
        | Told::Empty { .. }
        | Told::Busy => {
            give_up(child, &order.folder);
            Err(failed("its keeper did not begin with whether it runs".into()))
        }
    }
}

/// A keeper that did not get its agent started ends; whatever it has started ends with it.
fn give_up(mut child: OwnKeeper, folder: &Path) {
    let ended = child.kill();
    if let Err(error) = ended.and_then(|()| leftovers::end_leftovers_of(folder, Some(child.identity)).map(drop)) {
        tracing::warn!("What is left of a start that failed cannot be looked for: {error}");
    }
    child.bury();
}

fn spawn(keeper: &KeeperProgram, folder: &Path) -> std::io::Result<(UnixStream, OwnKeeper)> {
    let (ours, theirs) = UnixStream::pair()?;
    let mut command = Command::new(&keeper.program);
    command
        .arg0(crate::agents::processes::SHOWN_AS)
        .args(&keeper.arguments)
        .env_clear()
        .current_dir("/")
        .stdin(OwnedFd::from(theirs))
        .stdout(Stdio::null())
        .stderr(folder::complaints(folder)?);
    Ok((ours, OwnKeeper::spawn(&mut command)?))
}

struct First {
    told: Told,
    /// The first word once more, and what came with it.
    incoming: Incoming,
}

/// Gives the order and waits for the first word.
fn give(stream: &mut UnixStream, packed: Vec<u8>) -> std::io::Result<First> {
    let mut frame = Vec::new();
    Asked::Order(packed).put(&mut frame);
    stream.set_write_timeout(Some(PATIENCE))?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.write_all(&frame)?;
    let mut bytes = Vec::new();
    let mut buffer = [0; 4_096];
    loop {
        let read = stream.read(&mut buffer)?;
        if read == 0 {
            return Err(std::io::Error::other("its keeper ended"));
        }
        bytes.extend_from_slice(&buffer[..read]);
        let mut incoming = Incoming::default();
        incoming.push(&bytes);
        let told = match incoming.next() {
            Ok(None) => continue,
            Ok(Some(frame)) => Told::read(frame),
            Err(_) => None,
        };
        let told = told.ok_or_else(|| std::io::Error::other("its keeper speaks another language"))?;
        let mut incoming = Incoming::default();
        incoming.push(&bytes);
        return Ok(First { told, incoming });
    }
}

fn entered(cwd: &Path) -> Result<PathBuf, StartError> {
    let cannot = |source| StartError::Cwd { cwd: cwd.to_owned(), source };
    let whole = std::fs::canonicalize(cwd).map_err(cannot)?;
    if !whole.is_dir() {
        return Err(cannot(std::io::Error::from(Errno::NOTDIR)));
    }
    Ok(whole)
}

/// The program as a whole path.
fn found(order: &Order) -> Result<PathBuf, StartError> {
    let program = &order.program;
    if program.as_os_str().as_encoded_bytes().contains(&b'/') {
        let whole = order.cwd.join(program);
        return match whole.metadata() {
            Err(_) => Err(StartError::Missing { program: whole }),
            Ok(_) if !is_executable(&whole) => Err(StartError::NotExecutable { program: whole }),
            Ok(_) => Ok(whole),
        };
    }
    let searched = order.search_path().unwrap_or(OsStr::new(USUAL_PATH));
    let places = || std::env::split_paths(searched).map(|folder| order.cwd.join(folder).join(program));
    let not_found = || match places().find(|place| place.is_file()) {
        Some(program) => StartError::NotExecutable { program },
        None => StartError::NotFound { program: program.clone(), searched: searched.into() },
    };
    places().find(|place| is_executable(place)).ok_or_else(not_found)
}

fn is_executable(path: &Path) -> bool {
    path.is_file() && rustix::fs::access(path, Access::EXEC_OK).is_ok()
}

fn why_not(order: &Order, step: Step, errno: i32, text: String) -> StartError {
    let program = order.program.clone();
    match step {
        Step::Cwd => StartError::Cwd { cwd: order.cwd.clone(), source: std::io::Error::from_raw_os_error(errno) },
        Step::Confinement => StartError::Unconfinable { program, reason: text },
        Step::Folder => StartError::Keeper { program, folder: order.folder.clone(), reason: text },
        Step::Program => match Errno::from_raw_os_error(errno) {
            // It was there when we looked.
            Errno::NOENT => StartError::NoInterpreter { program },
            Errno::ACCESS => StartError::NotExecutable { program },
            Errno::TOOBIG => StartError::TooLong { program },
            _ => StartError::Keeper { program, folder: order.folder.clone(), reason: text },
        },
    }
}
