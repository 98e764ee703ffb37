//! Ending what is left of a run whose keeper is gone. If this process had started the keeper, what that leaves has fallen to
//! us, all of it (`orphans`). Otherwise there is no tree to walk, and what belongs to the run is found by what it cannot
//! easily shed: the session and group it was born into, the mark in its environment, and descent from any of these. All are
//! stopped before the first is killed, so that none escapes while the others die.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open};

use super::{Identity, Process, Record, orphans};
use crate::agents::order::MARK_VARIABLE;
use crate::agents::processes::{self, Signalled};
use crate::clock;

/// So often is looked again for what came up meanwhile.
const ROUNDS: usize = 50;
/// How long what was killed may take to end, in each round.
const END_OF_KILLED: Duration = Duration::from_secs(2);

/// What was found of a run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Leftovers {
    /// They lived, and have ended now.
    pub ended: Vec<Process>,
    /// They live, and cannot be ended: they are another user's now, or wait for a disk or network.
    pub remaining: Vec<Process>,
}

/// By what a run's processes are found.
struct Traces {
    /// `None` if it is lost, or of an earlier boot.
    record: Option<Record>,
    /// The keeper, if this process has started it.
    own: Option<Identity>,
}

/// Ends the keeper of a run and all that belongs to the run. Call when the run cannot be adopted; a run that has ended, or
/// is of an earlier boot, has nothing left. Never ends the calling process or its ancestors.
pub fn end_leftovers(folder: &Path) -> std::io::Result<Leftovers> {
    end_leftovers_of(folder, None)
}

/// The same, with what has fallen to us if the keeper was `own`. That is ended also if the record cannot be read any more.
pub(super) fn end_leftovers_of(folder: &Path, own: Option<Identity>) -> std::io::Result<Leftovers> {
    let record = match Record::read(folder) {
        Ok(record) => record.filter(|record| record.boot == clock::boot().0),
        Err(error) if own.is_none() => return Err(error),
        Err(error) => {
            tracing::warn!("The record of a run in {} cannot be read: {error}", folder.display());
            None
        }
    };
    let traces = Traces { record, own };
    let mut leftovers = Leftovers::default();
    let recorded = traces.record.as_ref().and_then(|record| record.keeper);
    for keeper in BTreeSet::from_iter(recorded.into_iter().chain(own)) {
        end_keeper(keeper, &mut leftovers);
    }
    traces.end(&mut leftovers);
    orphans::bury_orphans();
    Ok(leftovers)
}

fn end_keeper(keeper: Identity, leftovers: &mut Leftovers) {
    let process = Process::read(keeper.pid).filter(|process| process.identity == keeper && !process.ended);
    let Some(process) = process else { return };
    process.signal(Signal::KILL);
    if wait_for_end(keeper, END_OF_KILLED) {
        leftovers.ended.push(process);
    } else {
        leftovers.remaining.push(process);
    }
}

impl Traces {
    fn end(&self, leftovers: &mut Leftovers) {
        for _ in 0..ROUNDS {
            let found = self.freeze();
            if found.is_empty() {
                return;
            }
            let refused = kill(found.values());
            for (identity, process) in found {
                if !refused.contains(&identity) && wait_for_end(identity, END_OF_KILLED) {
                    leftovers.ended.push(process);
                }
            }
            let left = self.members();
            if !left.is_empty() && left.iter().all(|process| refused.contains(&process.identity)) {
                leftovers.remaining.extend(left);
                return;
            }
        }
        leftovers.remaining.extend(self.members());
    }

    /// Stops all that belongs to the run, until there is nobody new.
    fn freeze(&self) -> BTreeMap<Identity, Process> {
        let mut found = BTreeMap::new();
        for _ in 0..ROUNDS {
            let before = found.len();
            for process in self.members() {
                found.entry(process.identity).or_insert_with(|| {
                    process.signal(Signal::STOP);
                    process
                });
            }
            if found.len() == before {
                break;
            }
        }
        found
    }

    /// What belongs to the run and lives.
    fn members(&self) -> Vec<Process> {
        let (mut found, all) = match self.own {
            Some(keeper) => orphans::fallen(keeper),
            None => (Vec::new(), processes::all()),
        };
        let is_known = |record: &Record, process: &Process| {
            let kin = is_kin(record, process, &all) || process.has_variable(MARK_VARIABLE, &record.mark);
            kin && process.is_own_users()
        };
        if let Some(record) = &self.record {
            let is_new = |process: &&Process| !found.iter().any(|other| other.identity == process.identity);
            let known: Vec<Process> =
                all.iter().filter(is_new).filter(|process| is_known(record, process)).cloned().collect();
            found.extend(known);
        }
        let spared = own_line(&all);
        let roots: BTreeSet<u32> = found.iter().map(|process| process.identity.pid).collect();
        found.extend(processes::below(&roots, &all));
        found.retain(|process| !process.ended && !spared.contains(&process.identity.pid));
        found
    }
}

/// Kills, and returns who cannot be.
fn kill<'a>(processes: impl Iterator<Item = &'a Process>) -> BTreeSet<Identity> {
    processes
        .filter(|process| process.signal(Signal::KILL) == Signalled::Refused)
        .map(|process| process.identity)
        .collect()
}

/// It is in the keeper's session or in the agent's group. A number that is a session's or group's is not given again while
/// there is a member, so a stranger can only be in it if the number was free meanwhile: then whoever has it now, or had it,
/// is not ours, and membership proves nothing.
fn is_kin(record: &Record, process: &Process, all: &[Process]) -> bool {
    let is_still_ours = |leader: Identity| {
        all.iter().find(|other| other.identity.pid == leader.pid).is_none_or(|other| other.identity == leader)
    };
    let in_session = |keeper: &Identity| process.session == keeper.pid && is_still_ours(*keeper);
    let in_group = |agent: &Identity| process.group == agent.pid && is_still_ours(*agent);
    let since = record.keeper.or(record.agent).map_or(u64::MAX, |first| first.start);
    process.identity.start >= since
        && (record.keeper.as_ref().is_some_and(in_session) || record.agent.as_ref().is_some_and(in_group))
}

/// This process and those above it.
fn own_line(all: &[Process]) -> BTreeSet<u32> {
    let parents: BTreeMap<u32, u32> = all.iter().map(|process| (process.identity.pid, process.parent)).collect();
    let mut line = BTreeSet::new();
    let mut at = std::process::id();
    while line.insert(at)
        && let Some(parent) = parents.get(&at)
    {
        at = *parent;
    }
    line
}

/// Waits until a process has ended, however short or long ago. `false` if it takes longer.
pub(super) fn wait_for_end(identity: Identity, patience: Duration) -> bool {
    let Some(pid) = i32::try_from(identity.pid).ok().and_then(Pid::from_raw) else {
        return true;
    };
    let Ok(handle) = pidfd_open(pid, PidfdFlags::empty()) else {
        return true;
    };
    if !identity.is_there() {
        return true;
    }
    let deadline = clock::steady().0.saturating_add(i64::try_from(patience.as_millis()).unwrap_or(i64::MAX));
    loop {
        let left = (deadline - clock::steady().0).max(0);
        let timeout = Timespec { tv_sec: left / 1_000, tv_nsec: (left % 1_000) * 1_000_000 };
        let mut fds = [PollFd::new(&handle, PollFlags::IN)];
        match poll(&mut fds, Some(&timeout)) {
            Ok(0) => return false,
            Err(rustix::io::Errno::INTR) => {}
            Ok(_) | Err(_) => return true,
        }
    }
}
