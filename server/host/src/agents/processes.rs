//! Processes as the system shows them: who descends from whom, which one is really meant, and signals that reach nobody
//! else. A number alone is no name, since the system gives it again; with the start time and the boot it is one.

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::MetadataExt as _;

use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

/// What a keeper is called in lists of processes.
pub(super) const SHOWN_AS: &str = "augment-cli";

/// Which process is meant, within one boot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Identity {
    pub pid: u32,
    /// When it was started, in the system's ticks since the boot.
    pub start: u64,
}

/// A process at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Process {
    pub identity: Identity,
    pub name: String,
    pub parent: u32,
    pub group: u32,
    pub session: u32,
    /// It has ended and only waits for its parent to look.
    pub ended: bool,
    /// It was stopped, and does nothing until it is told to go on.
    pub stopped: bool,
}

/// What came of a signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Signalled {
    Sent,
    /// It had ended already.
    Gone,
    /// The system does not allow it, as for a process that has become another user's.
    Refused,
}

impl Identity {
    /// This process.
    pub(super) fn own() -> std::io::Result<Self> {
        let pid = std::process::id();
        Process::read(pid)
            .map(|process| process.identity)
            .ok_or_else(|| std::io::Error::other("/proc does not show this process; agents need it mounted"))
    }

    /// Whether it is still there, ended or not.
    #[must_use]
    pub fn is_there(self) -> bool {
        Process::read(self.pid).is_some_and(|process| process.identity == self)
    }
}

impl Process {
    /// The process that has this number now.
    #[must_use]
    pub fn read(pid: u32) -> Option<Self> {
        let stat = std::fs::read(format!("/proc/{pid}/stat")).ok()?;
        Self::of_stat(&String::from_utf8_lossy(&stat))
    }

    /// Understands a line of `/proc/…/stat`. The name stands in parentheses and may hold any, so it ends at the last one.
    fn of_stat(stat: &str) -> Option<Self> {
        let (pid, rest) = stat.split_once(" (")?;
        let (name, rest) = rest.rsplit_once(") ")?;
        let fields: Vec<&str> = rest.split_ascii_whitespace().collect();
        let number = |at: usize| fields.get(at)?.parse::<u32>().ok();
        // One whose first thread has left shows the same letter while the others work on.
        let has_threads = number(17)? > 1;
        Some(Self {
            identity: Identity { pid: pid.parse().ok()?, start: fields.get(19)?.parse().ok()? },
            name: name.to_owned(),
            parent: number(1)?,
            group: number(2)?,
            session: number(3)?,
            ended: matches!(*fields.first()?, "Z" | "X") && !has_threads,
            stopped: matches!(*fields.first()?, "T" | "t"),
        })
    }

    /// Whether this user's processes include it.
    pub(super) fn is_own_users(&self) -> bool {
        let user = rustix::process::getuid().as_raw();
        std::fs::metadata(format!("/proc/{}", self.identity.pid)).is_ok_and(|found| found.uid() == user)
    }

    /// Whether it was started with this variable set to this value.
    pub(super) fn has_variable(&self, name: &str, value: &str) -> bool {
        let Ok(environment) = std::fs::read(format!("/proc/{}/environ", self.identity.pid)) else {
            return false;
        };
        let wanted = format!("{name}={value}");
        environment.split(|byte| *byte == 0).any(|variable| variable == wanted.as_bytes())
    }

    /// Sends a signal to exactly this process.
    pub(super) fn signal(&self, signal: Signal) -> Signalled {
        let Some(pid) = i32::try_from(self.identity.pid).ok().and_then(Pid::from_raw) else {
            return Signalled::Gone;
        };
        let Ok(handle) = pidfd_open(pid, PidfdFlags::empty()) else {
            return Signalled::Gone;
        };
        // The handle holds on to whoever has the number now; only then is it asked who that is.
        if !self.identity.is_there() {
            return Signalled::Gone;
        }
        match pidfd_send_signal(&handle, signal) {
            Ok(()) => Signalled::Sent,
            Err(rustix::io::Errno::PERM) => Signalled::Refused,
            Err(_) => Signalled::Gone,
        }
    }
}

/// Whether a process was started by an agent, directly or not: it stands below a keeper. What detaches itself falls to its
/// keeper, so no number of steps in between hides that.
#[must_use]
pub fn is_kept(pid: u32) -> bool {
    ancestors(pid).any(is_keeper)
}

/// Whether a process is this one's child, grandchild and so on.
#[must_use]
pub fn is_below_this(pid: u32) -> bool {
    pid != std::process::id() && descends_from(pid, std::process::id())
}

/// A process and all that stand above it.
fn ancestors(pid: u32) -> impl Iterator<Item = u32> {
    // Nobody's honest family is this deep.
    const DEPTH: usize = 4_096;
    let parent = |pid: &u32| Process::read(*pid).map(|process| process.parent).filter(|parent| *parent != 0);
    std::iter::successors(Some(pid), parent).take(DEPTH)
}

fn is_keeper(pid: u32) -> bool {
    let wanted = [SHOWN_AS.as_bytes(), b"keep"];
    let Ok(line) = std::fs::read(format!("/proc/{pid}/cmdline")) else { return false };
    line.split(|byte| *byte == 0).take(wanted.len()).eq(wanted)
}

/// All processes that this user can see.
pub(super) fn all() -> Vec<Process> {
    let Ok(entries) = std::fs::read_dir("/proc") else {
        return Vec::new();
    };
    let pids = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    pids.filter_map(Process::read).collect()
}

/// Those of `all` that descend from a process in `roots`, without the roots themselves.
pub(super) fn below(roots: &BTreeSet<u32>, all: &[Process]) -> Vec<Process> {
    let mut children: BTreeMap<u32, Vec<&Process>> = BTreeMap::new();
    for process in all {
        children.entry(process.parent).or_default().push(process);
    }
    let mut found: Vec<Process> = Vec::new();
    let mut seen: BTreeSet<u32> = roots.clone();
    let mut waiting: Vec<u32> = roots.iter().copied().collect();
    while let Some(pid) = waiting.pop() {
        for child in children.get(&pid).into_iter().flatten() {
            if seen.insert(child.identity.pid) {
                waiting.push(child.identity.pid);
                found.push((*child).clone());
            }
        }
    }
    found
}

/// Whether `pid` is `ancestor` or descends from it.
pub(super) fn descends_from(pid: u32, ancestor: u32) -> bool {
    let mut at = pid;
    // The list cannot be longer than the numbers there are; a loop is impossible in one moment, but these are many.
    for _ in 0..4_096 {
        if at == ancestor {
            return true;
        }
        match Process::read(at) {
            Some(process) if process.parent != 0 => at = process.parent,
            Some(_) | None => return false,
        }
    }
    // Nobody's honest family is this deep.
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_look_like_the_rest_of_the_line() {
        let line = "42 (a) S 1 (b) S 7 8 9 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 1 0 12345 999 1";
        let process = Process::of_stat(line).unwrap();
        assert_eq!(process.name, "a) S 1 (b");
        assert_eq!(process.identity, Identity { pid: 42, start: 12_345 });
        assert_eq!((process.parent, process.group, process.session, process.ended), (7, 8, 9, false));
    }

    #[test]
    fn a_process_has_ended_when_its_last_thread_has() {
        let line = |threads: u32| format!("42 (a) Z 7 8 9 0 -1 0 1 2 3 4 5 6 7 8 20 0 {threads} 0 12345 0 1");
        let ended = |threads| Process::of_stat(&line(threads)).unwrap().ended;
        assert!(ended(1) && !ended(2));
    }

    #[test]
    fn this_process_is_itself_and_descends_from_its_parent() {
        let own = Identity::own().unwrap();
        assert!(own.is_there());
        assert!(!Identity { start: own.start + 1, ..own }.is_there());
        let parent = Process::read(own.pid).unwrap().parent;
        assert!(descends_from(own.pid, parent) && !descends_from(parent, own.pid));
        assert!(below(&BTreeSet::from([parent]), &all()).iter().any(|process| process.identity == own));
    }
}
