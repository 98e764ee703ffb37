//! The kernel's word that something happened (inotify), and the way to wake whoever waits for it. One queue holds the
//! events of all folders and repositories in the order in which they happened; what happened before a call is in the
//! queue when the call is made.

use std::collections::{BTreeMap, HashMap};
use std::ffi::OsStr;
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustix::event::{EventfdFlags, PollFd, PollFlags, Timespec, eventfd, poll};
use rustix::fs::inotify::{self, CreateFlags, ReadFlags, WatchFlags};
use rustix::io::Errno;

use super::manifest::join;

const BUFFER_BYTES: usize = 64 * 1_024;
/// A path with more bytes than this is refused by the system.
const LONGEST_PATH: usize = 4_095;

/// What is watched.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Place {
    Folder(Box<[u8]>),
    /// The folder with a repository's index and HEAD.
    Repository(usize),
    /// The folder with the log of its HEAD.
    Log(usize),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Signal {
    /// Events were lost.
    Overflow,
    /// The folder itself was moved or removed.
    FolderGone(Box<[u8]>),
    Entry {
        path: Vec<u8>,
        is_folder: bool,
        what: What,
    },
    Repository {
        number: usize,
        name: Vec<u8>,
        what: What,
    },
    Log {
        number: usize,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    Appeared,
    Went,
    /// The number pairs it with the other half.
    MovedHere(u32),
    MovedAway(u32),
    Written,
}

pub(super) struct Signals {
    root: PathBuf,
    inotify: Option<OwnedFd>,
    wake: OwnedFd,
    limit: usize,
    places: Mutex<Places>,
}

#[derive(Default)]
struct Places {
    by_number: HashMap<i32, Place>,
    by_folder: BTreeMap<Box<[u8]>, i32>,
    /// Watches that are asked for just now.
    under_way: usize,
    refused: Option<String>,
}

impl Signals {
    pub(super) fn new(root: &Path, limit: usize) -> Result<Self, std::io::Error> {
        let wake = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?;
        let mut places = Places::default();
        let inotify = match inotify::init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK) {
            Ok(inotify) => Some(inotify),
            Err(error) => {
                places.refused = Some(format!("the system allows no more watching ({error})"));
                None
            }
        };
        Ok(Self { root: root.to_owned(), inotify, wake, limit, places: Mutex::new(places) })
    }

    /// Watches a folder that is open. Where that is not possible, [`Self::refused`] says why.
    ///
    /// It is named by its path, which costs half of naming it by its number in `/proc`. Whatever may stand there instead
    /// by now, the folder above is watched already and tells of it, and then the folder is walked and watched anew.
    pub(super) fn watch_folder(&self, folder: &[u8], opened: &OwnedFd) {
        let mut path = self.root.join(OsStr::from_bytes(folder));
        if path.as_os_str().len() >= LONGEST_PATH {
            path = format!("/proc/self/fd/{}", opened.as_raw_fd()).into();
        }
        self.watch(&path, Place::Folder(folder.into()));
    }

    pub(super) fn watch_repository(&self, number: usize, own: &Path) {
        self.watch(own, Place::Repository(number));
        self.watch(&own.join("logs"), Place::Log(number));
    }

    fn watch(&self, path: &Path, place: Place) {
        let Some(inotify) = &self.inotify else { return };
        let mut places = self.lock();
        let is_known =
            |places: &Places| matches!(&place, Place::Folder(folder) if places.by_folder.contains_key(folder));
        if places.by_number.len() + places.under_way >= self.limit && !is_known(&places) {
            places.refused = Some(format!("no more than {} folders are watched", self.limit));
            return;
        }
        // Without the lock, since it takes long and several walk at once. Nobody takes events before the walk has ended,
        // so none comes for a number that is not known yet.
        places.under_way += 1;
        drop(places);
        let mask = WatchFlags::CREATE
            | WatchFlags::DELETE
            | WatchFlags::MODIFY
            | WatchFlags::CLOSE_WRITE
            | WatchFlags::ATTRIB
            | WatchFlags::MOVED_FROM
            | WatchFlags::MOVED_TO
            | WatchFlags::DELETE_SELF
            | WatchFlags::MOVE_SELF
            | WatchFlags::ONLYDIR;
        let watched = inotify::add_watch(inotify, path, mask);
        let mut places = self.lock();
        places.under_way -= 1;
        match watched {
            Ok(number) => places.put(number, place),
            Err(Errno::NOSPC) => {
                let sentence = "the system's limit of watches is reached (raise fs.inotify.max_user_watches)";
                places.refused = Some(sentence.to_owned());
            }
            // It is gone again, or there is no log: nothing to watch.
            Err(Errno::NOENT | Errno::NOTDIR) => {}
            Err(error) => places.refused = Some(format!("a folder cannot be watched ({error})")),
        }
    }

    /// Stops watching a folder and what is below it: it was moved, so its events would bear the wrong name.
    pub(super) fn unwatch(&self, folder: &[u8]) {
        let mut places = self.lock();
        let inner = join(folder, b"");
        let below = places.by_folder.range::<[u8], _>((std::ops::Bound::Included(&*inner), std::ops::Bound::Unbounded));
        let mut gone: Vec<(Box<[u8]>, i32)> = below
            .take_while(|(path, _)| path.starts_with(&inner))
            .map(|(path, number)| (path.clone(), *number))
            .collect();
        gone.extend(places.by_folder.get(folder).map(|number| (folder.into(), *number)));
        for (path, number) in gone {
            places.by_folder.remove(&path);
            places.by_number.remove(&number);
            if let Some(inotify) = &self.inotify
                && let Err(error) = inotify::remove_watch(inotify, number)
            {
                // The folder may be gone, and its watch with it.
                tracing::debug!("a watch was not removed: {error}");
            }
        }
    }

    pub(super) fn folders(&self) -> usize {
        self.lock().by_folder.len()
    }

    /// Why not everything is watched.
    pub(super) fn refused(&self) -> Option<String> {
        self.lock().refused.clone()
    }

    /// Forgets that something was refused, before everything is watched anew.
    pub(super) fn forgive(&self) {
        if self.inotify.is_some() {
            self.lock().refused = None;
        }
    }

    pub(super) fn wake(&self) {
        if let Err(error) = rustix::io::write(&self.wake, &1u64.to_ne_bytes()) {
            // The counter is full, so it wakes anyway.
            tracing::debug!("nobody was woken: {error}");
        }
    }

    /// Waits for an event, for [`Self::wake`] or for the time to pass.
    pub(super) fn wait(&self, at_most: Option<Duration>) {
        let timeout = at_most.and_then(|wait| Timespec::try_from(wait).ok());
        let mut waited_for = vec![PollFd::new(&self.wake, PollFlags::IN)];
        if let Some(inotify) = &self.inotify {
            waited_for.push(PollFd::new(inotify, PollFlags::IN));
        }
        if let Err(error) = poll(&mut waited_for, timeout.as_ref()) {
            tracing::debug!("waiting was interrupted: {error}");
        }
        let mut counter = [0; 8];
        match rustix::io::read(&self.wake, &mut counter) {
            Ok(_) | Err(Errno::AGAIN | Errno::INTR) => {}
            Err(error) => tracing::debug!("the wake-up was not taken: {error}"),
        }
    }

    /// Takes all events that wait.
    pub(super) fn drain(&self, mut take: impl FnMut(Signal)) {
        let Some(inotify) = &self.inotify else { return };
        let mut buffer = Vec::with_capacity(BUFFER_BYTES);
        let mut reader = inotify::Reader::new(inotify, buffer.spare_capacity_mut());
        loop {
            let event = match reader.next() {
                Ok(event) => event,
                Err(Errno::INTR) => continue,
                Err(_) => return,
            };
            let name = event.file_name().map(|name| name.to_bytes().to_vec());
            if let Some(signal) = self.signal(event.wd(), event.events(), event.cookie(), name) {
                take(signal);
            }
        }
    }

    fn signal(&self, number: i32, flags: ReadFlags, cookie: u32, name: Option<Vec<u8>>) -> Option<Signal> {
        if flags.intersects(ReadFlags::QUEUE_OVERFLOW | ReadFlags::UNMOUNT) {
            return Some(Signal::Overflow);
        }
        let mut places = self.lock();
        let place = places.by_number.get(&number)?.clone();
        if flags.contains(ReadFlags::IGNORED) {
            places.remove(number);
            return None;
        }
        drop(places);
        if flags.intersects(ReadFlags::DELETE_SELF | ReadFlags::MOVE_SELF) {
            return match place {
                Place::Folder(folder) => Some(Signal::FolderGone(folder)),
                Place::Repository(number) | Place::Log(number) => Some(Signal::Log { number }),
            };
        }
        let name = name?;
        let what = if flags.contains(ReadFlags::CREATE) {
            What::Appeared
        } else if flags.contains(ReadFlags::DELETE) {
            What::Went
        } else if flags.contains(ReadFlags::MOVED_TO) {
            What::MovedHere(cookie)
        } else if flags.contains(ReadFlags::MOVED_FROM) {
            What::MovedAway(cookie)
        } else {
            What::Written
        };
        Some(match place {
            Place::Folder(folder) => {
                Signal::Entry { path: join(&folder, &name), is_folder: flags.contains(ReadFlags::ISDIR), what }
            }
            Place::Repository(number) => Signal::Repository { number, name, what },
            Place::Log(number) => Signal::Log { number },
        })
    }

    fn lock(&self) -> MutexGuard<'_, Places> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Places {
    fn put(&mut self, number: i32, place: Place) {
        // A folder that is watched already keeps its number: it may have another name by now.
        self.remove(number);
        if let Place::Folder(folder) = &place {
            self.by_folder.insert(folder.clone(), number);
        }
        self.by_number.insert(number, place);
    }

    fn remove(&mut self, number: i32) {
        if let Some(Place::Folder(folder)) = self.by_number.remove(&number)
            && self.by_folder.get(&folder) == Some(&number)
        {
            self.by_folder.remove(&folder);
        }
    }
}
