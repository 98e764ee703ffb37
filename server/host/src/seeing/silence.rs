//! Where the kernel's word is not known how to be heard: nothing is watched, and everything is looked at from time to
//! time. It takes the place of `signals` there.

use std::os::fd::OwnedFd;
use std::path::Path;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Signal {
    Overflow,
    FolderGone(Box<[u8]>),
    Entry { path: Vec<u8>, is_folder: bool, what: What },
    Repository { number: usize, name: Vec<u8>, what: What },
    Log { number: usize },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    Appeared,
    Went,
    MovedHere(u32),
    MovedAway(u32),
    Written,
}

#[derive(Default)]
pub(super) struct Signals {
    woken: Mutex<bool>,
    changed: Condvar,
}

impl Signals {
    pub(super) fn new(_root: &Path, _limit: usize) -> Result<Self, std::io::Error> {
        Ok(Self::default())
    }

    pub(super) fn watch_folder(&self, _folder: &[u8], _opened: &OwnedFd) {}

    pub(super) fn watch_repository(&self, _number: usize, _own: &Path) {}

    pub(super) fn unwatch(&self, _folder: &[u8]) {}

    pub(super) fn folders(&self) -> usize {
        0
    }

    pub(super) fn refused(&self) -> Option<String> {
        Some("watching is not known on this system yet".into())
    }

    pub(super) fn forgive(&self) {}

    pub(super) fn wake(&self) {
        *self.woken.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.changed.notify_one();
    }

    pub(super) fn wait(&self, at_most: Option<Duration>) {
        let woken = self.woken.lock().unwrap_or_else(PoisonError::into_inner);
        let at_most = at_most.unwrap_or(Duration::from_secs(3_600));
        let waited = self.changed.wait_timeout_while(woken, at_most, |woken| !*woken);
        *waited.unwrap_or_else(PoisonError::into_inner).0 = false;
    }

    pub(super) fn drain(&self, _take: impl FnMut(Signal)) {}
}
