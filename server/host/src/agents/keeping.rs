//! The host's side of a run: starting its keeper, speaking with it, taking it over after a crash, and ending what is left
//! when it is gone.
//!
//! Each run has one thread here, which does nothing but wait for its keeper and call the sink. What a caller wants is sent
//! at once, on the caller's own thread, and never waits: a sink that is slow holds back its own agent, and nobody else.

mod following;
mod leftovers;
mod line;
mod orphans;
mod starting;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use augment_core::run::Resources;

use super::folder::{self, Record};
use super::frames::Asked;
pub use super::frames::{Exit, Why};
use super::output_log::Stream;
use super::processes::{Identity, Process};
use crate::clock;
use following::Following;
pub use leftovers::{Leftovers, end_leftovers};
use line::Line;
pub use line::MAX_INPUT_BYTES;
pub use orphans::inherit;
pub use starting::{KeeperProgram, StartError, start};

/// What happens in a run, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    Started {
        pid: u32,
    },
    /// The agent runs, but nothing holds it to the folders it may write to, for this reason.
    Unconfined {
        reason: String,
    },
    /// The agent said something. The place counts the bytes of both streams before it.
    Output {
        stream: Stream,
        offset: u64,
        bytes: Vec<u8>,
    },
    /// What was said between these places, while nobody listened, was too much to be kept.
    Missed {
        from: u64,
        to: u64,
    },
    /// What is left of the run is being ended. Told once, with the first reason.
    Ending(Why),
    /// The agent's own process has ended. What it started may live, and what it said may still come.
    Exited(Exit),
    /// These were killed and do not end; the keeper goes on trying.
    Stuck {
        pids: Vec<u32>,
    },
    /// Nothing of the run lives any more, and all that was said has been told. The last event.
    Empty {
        /// How many processes did not leave by themselves.
        killed: u64,
        /// What all of it used, where its keeper says.
        resources: Option<Resources>,
    },
    /// The keeper is gone without a word, and what it kept has been ended from here. The last event.
    Lost {
        reason: String,
        leftovers: Leftovers,
    },
}

/// Gets the events of one run, on that run's own thread.
pub type Sink = Box<dyn FnMut(Event) + Send>;

/// A run that is kept. Dropping it changes nothing: the run goes on, and its events come.
#[derive(Debug)]
pub struct Keeping {
    pid: u32,
    keeper: Identity,
    line: Arc<Line>,
}

#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum KeepingError {
    #[error("The agent has not read {waiting} bytes of its input yet. Wait until it does, or stop it.")]
    Full { waiting: u64 },
    #[error(
        "{bytes} bytes of input at once are too many for an agent; {} are the most. Put it into a file.",
        MAX_INPUT_BYTES
    )]
    TooLarge { bytes: u64 },
    #[error("The run is over, or out of reach.")]
    Gone,
}

#[derive(Debug, thiserror::Error)]
pub enum AdoptError {
    #[error("No run was begun in {}.", folder.display())]
    NoRun { folder: PathBuf },
    #[error("The keeper of the run in {} is gone. End what is left of it.", folder.display())]
    KeeperGone { folder: PathBuf },
    #[error("Another host keeps the run in {}. Ask it to leave first.", folder.display())]
    Busy { folder: PathBuf },
    #[error("The run in {} cannot be taken over: {source}.", folder.display())]
    Unreachable { folder: PathBuf, source: std::io::Error },
}

/// What became of a run while no host was there.
#[derive(Debug)]
pub enum Adopted {
    /// It goes on.
    Kept(Keeping),
    /// It has ended by itself; the sink has got all of it.
    Over,
}

impl Keeping {
    /// The agent's process.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.pid
    }

    #[must_use]
    pub fn keeper(&self) -> Identity {
        self.keeper
    }

    /// Gives the agent more input. It comes as a whole, with nobody else's in between, or not at all.
    pub fn write_stdin(&self, bytes: &[u8]) -> Result<(), KeepingError> {
        self.line.give(bytes)
    }

    /// The end of the agent's input, after all that was written.
    pub fn close_stdin(&self) -> Result<(), KeepingError> {
        self.line.ask(&Asked::CloseStdin)
    }

    /// Asks the agent to leave, and ends it and all that it started when that takes longer than the grace.
    pub fn stop(&self, grace_ms: u64) -> Result<(), KeepingError> {
        self.line.ask(&Asked::Stop { grace_ms })
    }

    /// Ends the agent and all that it started, now.
    pub fn kill(&self) -> Result<(), KeepingError> {
        self.line.ask(&Asked::Kill)
    }

    /// Leaves the run to the next host. No more events come.
    pub fn detach(self) {
        self.line.detach();
    }
}

/// Takes over a run that an earlier host has left. The sink gets `Started`, all output from the place on, and what else has
/// happened.
pub fn adopt(folder: &Path, from: u64, sink: Sink) -> Result<Adopted, AdoptError> {
    let unreachable = |source| AdoptError::Unreachable { folder: folder.to_owned(), source };
    let record = Record::read(folder).map_err(unreachable)?;
    let Some(record) = record else {
        return Err(AdoptError::NoRun { folder: folder.to_owned() });
    };
    let gone = || AdoptError::KeeperGone { folder: folder.to_owned() };
    let mut following = Following::new(folder.to_owned(), from, sink);
    if record.empty.is_some() {
        following.tell_from_folder(&record);
        return Ok(Adopted::Over);
    }
    let (Some(keeper), Some(agent)) = (record.keeper, record.agent) else {
        return Err(gone());
    };
    if record.boot != clock::boot().0 || !is_alive(keeper) {
        return Err(gone());
    }
    match line::reach(folder, keeper, from) {
        Ok((line, first)) => {
            let line = Arc::new(line);
            following.spawn(Arc::clone(&line), first, None).map_err(unreachable)?;
            Ok(Adopted::Kept(Keeping { pid: agent.pid, keeper, line }))
        }
        Err(line::ReachError::Busy) => Err(AdoptError::Busy { folder: folder.to_owned() }),
        Err(line::ReachError::Failed(source)) => match Record::read(folder) {
            // It ended while we knocked.
            Ok(Some(record)) if record.empty.is_some() => {
                following.tell_from_folder(&record);
                Ok(Adopted::Over)
            }
            Ok(_) | Err(_) if !is_alive(keeper) => Err(gone()),
            Ok(_) | Err(_) => Err(unreachable(source)),
        },
    }
}

fn is_alive(identity: Identity) -> bool {
    Process::read(identity.pid).is_some_and(|process| process.identity == identity && !process.ended)
}
