//! What falls to this process when a keeper that it has started is killed. Once it has asked for that, whatever the keeper
//! kept becomes this process's child in the same moment, also what has shed its session, its group, its environment and
//! its parents. Children of keepers that another process has started fall to somebody else.
//!
//! A child that has fallen here is told from one that was started here by two things that it cannot change: it is no keeper
//! of ours, and it is not in our session, which nobody can join.
//!
//! Whose child a process is, is a fact about processes; so there is one list of keepers for this process, and not one for
//! each caller.

use std::collections::BTreeSet;
use std::process::{Child, Command};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::process::{Pid, WaitId, WaitIdOptions, WaitOptions, waitid, waitpid};

use super::{Identity, Process};
use crate::agents::processes;

static OWN: Mutex<Own> = Mutex::new(Own { inherits: false, keepers: BTreeSet::new() });

struct Own {
    inherits: bool,
    /// Our children that are keepers, ended or not, until their end was taken note of. Their numbers are nobody else's.
    keepers: BTreeSet<u32>,
}

fn own() -> MutexGuard<'static, Own> {
    OWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Has what killed keepers leave fall to this process. Only for one that starts nothing else in sessions of their own: what
/// is found there is ended.
pub fn inherit() -> std::io::Result<()> {
    rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
    own().inherits = true;
    Ok(())
}

/// A keeper that this process has started.
#[derive(Debug)]
pub(super) struct OwnKeeper {
    child: Child,
    pub(super) identity: Identity,
}

impl OwnKeeper {
    pub(super) fn spawn(command: &mut Command) -> std::io::Result<Self> {
        // Nobody may look for orphans while it is a child but not yet known as a keeper.
        let mut own = own();
        let mut child = command.spawn()?;
        let Some(process) = Process::read(child.id()) else {
            child.kill().and_then(|()| child.wait())?;
            return Err(std::io::Error::other("its keeper is not in /proc"));
        };
        own.keepers.insert(child.id());
        Ok(Self { child, identity: process.identity })
    }

    pub(super) fn kill(&mut self) -> std::io::Result<()> {
        self.child.kill()
    }

    /// Takes note of its end, and of the ends of all that fell to us. Call when it is dead, or has said its last word.
    pub(super) fn bury(mut self) {
        let pid = self.child.id();
        if let Err(error) = self.child.wait() {
            tracing::debug!("a keeper's end went by unseen: {error}");
        }
        own().keepers.remove(&pid);
        bury_orphans();
    }
}

/// Those that live, fell to us, and were started when this keeper was there already; and all processes of that moment.
pub(super) fn fallen(keeper: Identity) -> (Vec<Process>, Vec<Process>) {
    let own = own();
    let all = processes::all();
    let since = |process: &Process| process.identity.start >= keeper.start && !process.ended;
    let found = own.orphans(&all).filter(|process| since(process)).cloned().collect();
    (found, all)
}

/// Takes note of the ends of those that fell to us, so that nothing is left of them in the system's list.
pub(super) fn bury_orphans() {
    let own = own();
    let ended = waitid(WaitId::All, WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT);
    if !own.inherits || !matches!(ended, Ok(Some(_))) {
        return;
    }
    for orphan in own.orphans(&processes::all()).filter(|process| process.ended) {
        let pid = i32::try_from(orphan.identity.pid).ok().and_then(Pid::from_raw);
        // It is our child and has ended, so its number is its own until this very line.
        if let Some(pid) = pid
            && let Err(error) = waitpid(Some(pid), WaitOptions::NOHANG)
        {
            tracing::debug!("the end of process {pid} went by unseen: {error}");
        }
    }
}

impl Own {
    fn orphans<'a>(&'a self, all: &'a [Process]) -> impl Iterator<Item = &'a Process> {
        let pid = std::process::id();
        let session = all.iter().find(|process| process.identity.pid == pid).map(|process| process.session);
        all.iter().filter(move |process| {
            self.inherits
                && process.parent == pid
                && session.is_some_and(|session| process.session != session)
                && !self.keepers.contains(&process.identity.pid)
        })
    }
}
