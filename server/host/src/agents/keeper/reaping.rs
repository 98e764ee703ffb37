//! Learning that a child has ended at the moment it does. A thread waits for the system to say so and wakes the keeper's
//! loop; it takes nothing away. The loop alone takes the ended ones, so that while it looks at its children no number of
//! theirs can be given to somebody else.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use augment_core::run::Resources;
use nix::sys::resource::{UsageWho, getrusage};
use rustix::event::{EventfdFlags, eventfd};
use rustix::io::Errno;
use rustix::process::{WaitId, WaitIdOptions, WaitOptions, wait, waitid};

use crate::agents::frames::Exit;

pub(super) struct Reaper {
    wake: OwnedFd,
    looked: SyncSender<()>,
}

/// What there was to take.
pub(super) struct Reaped {
    pub(super) exits: Vec<(u32, Exit)>,
    /// There are no children any more, and since the descendants of those that ended became children, no descendants.
    pub(super) empty: bool,
}

impl Reaper {
    pub(super) fn start() -> std::io::Result<Self> {
        let wake = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?;
        let bell = wake.try_clone()?;
        let (looked, has_looked) = sync_channel(1);
        std::thread::Builder::new()
            .name("reaper".into())
            .stack_size(64 * 1_024)
            .spawn(move || watch(&bell, &has_looked))?;
        Ok(Self { wake, looked })
    }

    /// Takes all that have ended. Call when woken, and only then.
    pub(super) fn reap(&self) -> Reaped {
        let mut count = [0; 8];
        let mut exits = Vec::new();
        if rustix::io::read(&self.wake, &mut count).is_err() {
            return Reaped { exits, empty: false };
        }
        let empty = loop {
            match wait(WaitOptions::NOHANG) {
                Ok(Some((pid, status))) => {
                    let signal = status.terminating_signal().map(Exit::Signal);
                    let exit = signal.or_else(|| status.exit_status().map(Exit::Code));
                    exits.extend(exit.map(|exit| (pid.as_raw_nonzero().get().unsigned_abs(), exit)));
                }
                Ok(None) => break false,
                Err(Errno::INTR) => {}
                Err(_) => break true,
            }
        };
        // The thread has left if there is nothing more to wait for.
        self.looked.try_send(()).ok();
        Reaped { exits, empty }
    }
}

impl AsFd for Reaper {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.wake.as_fd()
    }
}

/// What all that was taken has used; with the last one taken, that is the whole run. Only what was never waited for is not in
/// it: a program can ask the system to forget its children as they end.
pub(super) fn resources() -> Option<Resources> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).ok()?;
    let micros = [usage.user_time(), usage.system_time()].map(|time| time.tv_sec() * 1_000_000 + time.tv_usec());
    Some(Resources {
        cpu_ms: u64::try_from(micros.iter().sum::<i64>() / 1_000).ok()?,
        // The system counts it in kibibytes.
        peak_memory_bytes: u64::try_from(usage.max_rss()).ok()?.saturating_mul(1_024),
    })
}

fn watch(bell: &OwnedFd, has_looked: &Receiver<()>) {
    loop {
        let waited = waitid(WaitId::All, WaitIdOptions::EXITED | WaitIdOptions::NOWAIT);
        if matches!(waited, Err(Errno::INTR)) {
            continue;
        }
        if rustix::io::write(bell, &1_u64.to_ne_bytes()).is_err() || waited.is_err() || has_looked.recv().is_err() {
            return;
        }
    }
}
