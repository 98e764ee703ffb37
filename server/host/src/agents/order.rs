//! What a keeper is told to do: which program, where, with which environment, for how long, and how it ends. An order
//! holds secrets (a run's token is in the environment), so it travels over a socket, never in arguments or variables, and
//! is never printed whole.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::PathBuf;

use super::packing::{Packer, Unpacker};

/// The longest order a keeper takes.
pub(super) const MAX_ORDER_BYTES: usize = 4 * 1_024 * 1_024;
/// The variable in which an agent and all that it starts find the run they belong to.
pub const RUN_VARIABLE: &str = "AUGMENT_RUN";
/// The variable by which what is left of a run is found when its keeper is gone. Two workspaces may both have a run `a1.1`,
/// so this one is random.
pub(super) const MARK_VARIABLE: &str = "AUGMENT_RUN_MARK";

pub const DEFAULT_ADOPT_MS: u64 = 60_000;
pub const DEFAULT_GRACE_MS: u64 = 5_000;
pub const DEFAULT_LINGER_MS: u64 = 500;
pub const DEFAULT_STALL_MS: u64 = 10_000;

/// How an agent is asked to leave before it is made to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Polite {
    /// SIGTERM to its process group.
    Terminate,
    /// Only the end of its input, for agents that take SIGTERM for a crash.
    CloseStdin,
}

/// Where the agent and all that it starts may write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Confinement {
    /// Wherever the person may.
    Off,
    /// Below these paths only, where the system can hold it to that; else everywhere, and it is told.
    Warn { writable: Vec<PathBuf> },
    /// Below these paths only; where the system cannot hold it to that, nothing is started.
    Enforce { writable: Vec<PathBuf> },
}

#[derive(Clone, PartialEq, Eq)]
pub struct Order {
    /// The run's id, which the agent finds in [`RUN_VARIABLE`].
    pub run: String,
    /// The run's own folder. It is made if it is not there, for this user only.
    pub folder: PathBuf,
    /// A path, or a name that is looked up in the `PATH` of `environment`.
    pub program: PathBuf,
    pub arguments: Vec<OsString>,
    pub cwd: PathBuf,
    /// All of the agent's environment, but for the two variables that tell which run it is.
    pub environment: Vec<(OsString, OsString)>,
    pub polite: Polite,
    /// How long the agent may take to leave when the keeper itself ends it.
    pub grace_ms: u64,
    /// How long what the agent has started may go on when the agent itself has left.
    pub linger_ms: u64,
    /// How long the run goes on without a host.
    pub adopt_ms: u64,
    /// How long the agent waits for a host that is connected but takes nothing. Then it goes on, and what it says is kept
    /// for the host as for one that comes later.
    pub stall_ms: u64,
    /// How long the run may take in all, by a clock that stands still while the machine sleeps.
    pub time_limit_ms: Option<u64>,
    pub confinement: Confinement,
}

impl Order {
    /// An order with the usual patience, an empty environment and no limits.
    #[must_use]
    pub fn new(run: impl Into<String>, folder: PathBuf, program: PathBuf, cwd: PathBuf) -> Self {
        Self {
            run: run.into(),
            folder,
            program,
            arguments: Vec::new(),
            cwd,
            environment: Vec::new(),
            polite: Polite::Terminate,
            grace_ms: DEFAULT_GRACE_MS,
            linger_ms: DEFAULT_LINGER_MS,
            adopt_ms: DEFAULT_ADOPT_MS,
            stall_ms: DEFAULT_STALL_MS,
            time_limit_ms: None,
            confinement: Confinement::Off,
        }
    }

    /// The `PATH` that the agent will have.
    pub(super) fn search_path(&self) -> Option<&OsStr> {
        self.environment.iter().rev().find(|(name, _)| name == "PATH").map(|(_, value)| value.as_os_str())
    }

    pub(super) fn pack(&self, mark: &str) -> Vec<u8> {
        let mut packer = Packer::default();
        packer.bytes(mark.as_bytes());
        packer.bytes(self.run.as_bytes());
        packer.bytes(self.folder.as_os_str().as_bytes());
        packer.bytes(self.program.as_os_str().as_bytes());
        packer.number(self.arguments.len() as u64);
        for argument in &self.arguments {
            packer.bytes(argument.as_bytes());
        }
        packer.bytes(self.cwd.as_os_str().as_bytes());
        packer.number(self.environment.len() as u64);
        for (name, value) in &self.environment {
            packer.bytes(name.as_bytes());
            packer.bytes(value.as_bytes());
        }
        packer.byte(match self.polite {
            Polite::Terminate => 0,
            Polite::CloseStdin => 1,
        });
        packer.number(self.grace_ms);
        packer.number(self.linger_ms);
        packer.number(self.adopt_ms);
        packer.number(self.stall_ms);
        packer.number(self.time_limit_ms.unwrap_or(u64::MAX));
        let (kind, writable): (u8, &[PathBuf]) = match &self.confinement {
            Confinement::Off => (0, &[]),
            Confinement::Warn { writable } => (1, writable),
            Confinement::Enforce { writable } => (2, writable),
        };
        packer.byte(kind);
        packer.number(writable.len() as u64);
        for path in writable {
            packer.bytes(path.as_os_str().as_bytes());
        }
        packer.finish()
    }

    /// The order and its mark.
    pub(super) fn unpack(packed: &[u8]) -> Option<(Self, String)> {
        let mut unpacker = Unpacker::new(packed);
        let mark = unpacker.text()?;
        let run = unpacker.text()?;
        let folder = path(&mut unpacker)?;
        let program = path(&mut unpacker)?;
        let arguments = list(&mut unpacker, text)?;
        let cwd = path(&mut unpacker)?;
        let environment = list(&mut unpacker, |unpacker| Some((text(unpacker)?, text(unpacker)?)))?;
        let polite = match unpacker.byte()? {
            0 => Polite::Terminate,
            1 => Polite::CloseStdin,
            _ => return None,
        };
        let grace_ms = unpacker.number()?;
        let linger_ms = unpacker.number()?;
        let adopt_ms = unpacker.number()?;
        let stall_ms = unpacker.number()?;
        let time_limit_ms = Some(unpacker.number()?).filter(|limit| *limit != u64::MAX);
        let kind = unpacker.byte()?;
        let writable = list(&mut unpacker, path)?;
        let confinement = match kind {
            0 => Confinement::Off,
            1 => Confinement::Warn { writable },
            2 => Confinement::Enforce { writable },
            _ => return None,
        };
        unpacker.end()?;
        let order = Self {
            run,
            folder,
            program,
            arguments,
            cwd,
            environment,
            polite,
            grace_ms,
            linger_ms,
            adopt_ms,
            stall_ms,
            time_limit_ms,
            confinement,
        };
        Some((order, mark))
    }
}

fn text(unpacker: &mut Unpacker<'_>) -> Option<OsString> {
    Some(OsString::from_vec(unpacker.bytes()?.to_vec()))
}

fn path(unpacker: &mut Unpacker<'_>) -> Option<PathBuf> {
    text(unpacker).map(PathBuf::from)
}

fn list<T>(unpacker: &mut Unpacker<'_>, mut one: impl FnMut(&mut Unpacker<'_>) -> Option<T>) -> Option<Vec<T>> {
    let length = unpacker.number()?;
    (0..length).map(|_| one(unpacker)).collect()
}

/// Without the values of the environment, and without the arguments: both may hold secrets.
impl fmt::Debug for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&OsString> = self.environment.iter().map(|(name, _)| name).collect();
        f.debug_struct("Order")
            .field("run", &self.run)
            .field("folder", &self.folder)
            .field("program", &self.program)
            .field("cwd", &self.cwd)
            .field("environment", &names)
            .field("time_limit_ms", &self.time_limit_ms)
            .field("confinement", &self.confinement)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order() -> Order {
        let mut order = Order::new("b12.2", "/data/runs/b12.2".into(), "goose".into(), "/work".into());
        order.arguments = vec!["acp".into(), OsString::from_vec(vec![0xff, b'\n'])];
        order.environment = vec![("PATH".into(), "/bin".into()), ("AUGMENT_TOKEN".into(), "secret".into())];
        order.time_limit_ms = Some(90_000);
        order.confinement = Confinement::Warn { writable: vec!["/work".into()] };
        order
    }

    #[test]
    fn an_order_arrives_as_it_was_sent() {
        for changed in [
            order(),
            Order { polite: Polite::CloseStdin, time_limit_ms: None, ..order() },
            Order { confinement: Confinement::Enforce { writable: Vec::new() }, ..order() },
        ] {
            assert_eq!(Order::unpack(&changed.pack("mark")), Some((changed, "mark".to_owned())));
        }
    }

    #[test]
    fn half_an_order_is_none() {
        let packed = order().pack("mark");
        for length in 0..packed.len() {
            assert_eq!(Order::unpack(&packed[..length]), None, "{length} bytes");
        }
        assert_eq!(Order::unpack(&[packed.as_slice(), &[0]].concat()), None);
    }

    #[test]
    fn secrets_are_not_printed() {
        let printed = format!("{:?}", order());
        assert!(printed.contains("AUGMENT_TOKEN") && !printed.contains("secret"), "{printed}");
    }
}
