//! The one thread that watches: it gathers what was touched, waits until it is quiet (or not for too long), and has it
//! looked at. While version control holds its lock, changes in its repository wait, so that it can be told whose they
//! are. After lost events everything is walked; where watching is not possible, everything is walked from time to time.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime};

use augment_core::file::{Body, ContentHash, FilePath, FileState};

use super::batch::{Touched, When};
use super::looking::Eye;
use super::manifest::{Content, Entry, Record, split};
use super::reconcile::{self, Gaze, touched};
#[cfg(target_os = "linux")]
use super::signals::{Signal, Signals, What};
#[cfg(not(target_os = "linux"))]
use super::silence::{Signal, Signals, What};
use super::stamp::{Kind, Stamp};
use super::{Cause, Options, SeeError, Shelf, Sight, Sink};

/// After version control let go of its lock, it still has its HEAD to write, by which is known what it did.
const AFTER_LOCK: Duration = Duration::from_millis(40);
/// How long to wait before a batch that was not taken is offered again.
const RETRY: Duration = Duration::from_secs(1);
/// Looking at everything takes at most this part of the time.
const POLL_SHARE: u32 = 10;

/// So often a look goes on to what it has just brought to light.
const LOOKS_AROUND: usize = 16;
/// How often to ask whether our own writing has ended.
const HELD: Duration = Duration::from_millis(2);

enum Command {
    Settle { paths: Vec<FilePath>, answer: SyncSender<Result<(), SeeError>> },
    Wrote { path: FilePath, record: Record },
    Stop { answer: SyncSender<Result<(), SeeError>> },
}

/// The handle to the thread.
pub(super) struct Watching {
    commands: Sender<Command>,
    signals: Arc<Signals>,
    ended: Arc<AtomicBool>,
    /// We are writing ourselves, and what lies there in between is nobody's change.
    held: Arc<AtomicBool>,
    eye: Arc<Eye>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Watching {
    pub(super) fn start(
        root: &Path,
        data: &Path,
        shelf: Arc<dyn Shelf>,
        sink: Arc<dyn Sink>,
        options: Options,
    ) -> Result<(Arc<Eye>, Self), SeeError> {
        let mut gaze = reconcile::open(root, data, shelf, sink, options)?;
        let eye = Arc::clone(&gaze.eye);
        let options = &eye.grounds.options;
        let limit = if options.poll.is_some() { 0 } else { options.max_watches };
        let signals = Arc::new(Signals::new(root, limit).map_err(|source| SeeError::Watch { source })?);
        if options.poll.is_some() {
            gaze.catch_up(None)?;
        } else {
            gaze.catch_up(Some(&|folder, opened| signals.watch_folder(folder, opened)))?;
        }
        gaze.tidy()?;
        let (commands, received) = channel();
        let ended = Arc::new(AtomicBool::new(false));
        let held = Arc::new(AtomicBool::new(false));
        let mut keeper = Keeper::new(gaze, Arc::clone(&signals), received, (Arc::clone(&ended), Arc::clone(&held)));
        keeper.watch_repositories();
        keeper.tell_sight();
        let thread = std::thread::Builder::new().name("seeing".into()).spawn(move || keeper.run());
        let thread = Mutex::new(Some(thread.map_err(|source| SeeError::Watch { source })?));
        Ok((Arc::clone(&eye), Self { commands, signals, ended, held, eye, thread }))
    }

    pub(super) fn hold(&self) {
        self.held.store(true, Ordering::Release);
    }

    pub(super) fn release(&self) {
        self.held.store(false, Ordering::Release);
        self.signals.wake();
    }

    pub(super) fn settle(&self, paths: Vec<FilePath>) -> Result<(), SeeError> {
        self.ask(|answer| Command::Settle { paths, answer })
    }

    pub(super) fn stop(&self) -> Result<(), SeeError> {
        let stopped = self.ask(|answer| Command::Stop { answer });
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if thread.is_some_and(|thread| thread.join().is_err()) {
            return Err(self.blind());
        }
        stopped
    }

    fn ask(&self, command: impl FnOnce(SyncSender<Result<(), SeeError>>) -> Command) -> Result<(), SeeError> {
        let (answer, answered) = sync_channel(1);
        self.commands.send(command(answer)).map_err(|_| self.blind())?;
        self.signals.wake();
        answered.recv().unwrap_or_else(|_| Err(self.blind()))
    }

    pub(super) fn wrote(&self, state: &FileState, gone: Option<&FilePath>) {
        let known = |kind: Kind, content: &ContentHash| {
            let stamp = Stamp { kind, mode: (state.mode & 0o7777) as u16, ..Stamp::NONE };
            Record::There(Entry { stamp, fresh: true, content: Content::Blob(*content) })
        };
        let record = match &state.body {
            Body::Absent => Some(Record::Gone),
            Body::Text(bytes) => Some(known(Kind::File, &ContentHash::of(bytes))),
            Body::Whole { hash, .. } => Some(known(Kind::File, hash)),
            Body::Link(target) => Some(known(Kind::Link, &ContentHash::of(target))),
            Body::Large { .. } | Body::Special => None,
        };
        let here = record.map(|record| (state.path.clone(), record));
        let away = gone.map(|path| (path.clone(), Record::Gone));
        // The name that is given up first: a process that ends between the two leaves only the new one to be found, which
        // is where its story says.
        for (path, record) in away.into_iter().chain(here) {
            // Whoever has stopped watching finds it at the next start.
            if self.commands.send(Command::Wrote { path, record }).is_err() {
                tracing::debug!("nobody watches any more");
            }
        }
        self.signals.wake();
    }

    fn blind(&self) -> SeeError {
        match &self.eye.sight().sight {
            Sight::Blind { why } => SeeError::Blind { why: why.clone() },
            Sight::Watching | Sight::Polling { .. } | Sight::Partly { .. } => {
                SeeError::Blind { why: "watching has ended.".into() }
            }
        }
    }
}

impl Drop for Watching {
    /// The thread is not waited for: it may be in the sink, and the sink may wait for whoever drops this.
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Release);
        self.signals.wake();
    }
}

struct Keeper {
    gaze: Gaze,
    signals: Arc<Signals>,
    commands: Receiver<Command>,
    ended: Arc<AtomicBool>,
    held: Arc<AtomicBool>,
    touched: HashMap<Vec<u8>, Touched>,
    /// Folders to be walked: they are new, or their rules are.
    folders: BTreeMap<Vec<u8>, Touched>,
    moved: HashMap<u32, Vec<u8>>,
    /// Repositories under lock, and since when. `None`: it took so long that nobody waits for it any more.
    locks: HashMap<usize, Option<Instant>>,
    rescan: Option<String>,
    first_at: Option<Instant>,
    quiet_until: Option<Instant>,
    /// Nothing is looked at before, however long it has been going on and whoever waits for it.
    after_lock: Option<Instant>,
    waiting: Vec<SyncSender<Result<(), SeeError>>>,
    retry_at: Option<Instant>,
    poll_at: Option<Instant>,
    watched: HashSet<usize>,
    stopping: Option<SyncSender<Result<(), SeeError>>>,
}

impl Keeper {
    fn new(
        gaze: Gaze,
        signals: Arc<Signals>,
        commands: Receiver<Command>,
        (ended, held): (Arc<AtomicBool>, Arc<AtomicBool>),
    ) -> Self {
        Self {
            gaze,
            signals,
            commands,
            ended,
            held,
            touched: HashMap::new(),
            folders: BTreeMap::new(),
            moved: HashMap::new(),
            locks: HashMap::new(),
            rescan: None,
            first_at: None,
            quiet_until: None,
            after_lock: None,
            waiting: Vec::new(),
            retry_at: None,
            poll_at: None,
            watched: HashSet::new(),
            stopping: None,
        }
    }

    fn options(&self) -> &Options {
        &self.gaze.eye.grounds.options
    }

    fn run(mut self) {
        while self.stopping.is_none() && !self.ended.load(Ordering::Acquire) {
            self.signals.wait(self.wait_at_most());
            self.take_commands();
            self.take_signals();
            if let Err(why) = self.check_root() {
                self.go_blind(&why);
                return;
            }
            self.give_up_on_locks();
            if self.is_due() {
                self.look();
            }
        }
        if let Some(answer) = self.stopping.take() {
            self.take_signals();
            self.look();
            let written = self.gaze.write_manifest();
            self.gaze.eye.sight().sight = Sight::Blind { why: "watching was ended.".into() };
            reply(answer, written);
        }
    }

    fn take_commands(&mut self) {
        while let Ok(command) = self.commands.try_recv() {
            match command {
                Command::Settle { paths, answer } => {
                    for path in paths {
                        self.touch(Touched::at(path.as_bytes().to_vec()));
                    }
                    if self.is_polled() {
                        self.rescan.get_or_insert_with(|| "what is not watched was asked for.".into());
                    }
                    self.waiting.push(answer);
                }
                Command::Wrote { path, record } => {
                    // The events of our own writing say nothing about who else writes there.
                    self.take_signals();
                    if let Some(touched) = self.touched.get_mut(path.as_bytes()) {
                        touched.when = When::Untold;
                    }
                    self.gaze.eye.manifest_mut().apply(path.as_bytes(), &record);
                    self.touch(Touched::at(path.as_bytes().to_vec()));
                    self.gaze.refreshed.push((path, record));
                }
                Command::Stop { answer } => self.stopping = Some(answer),
            }
        }
    }

    fn take_signals(&mut self) {
        let signals = Arc::clone(&self.signals);
        signals.drain(|signal| self.take_signal(signal));
    }

    fn take_signal(&mut self, signal: Signal) {
        match signal {
            Signal::Overflow => {
                self.rescan = Some("more happened at once than the system keeps events for.".into());
                self.stir();
            }
            Signal::FolderGone(folder) => self.touch(Touched::at(folder.into())),
            Signal::Log { number } => {
                self.gaze.stirred.insert(number);
                self.stir();
            }
            Signal::Repository { number, name, what } => self.take_repository_signal(number, &name, what),
            Signal::Entry { path, is_folder, what } => self.take_entry_signal(path, is_folder, what),
        }
    }

    fn take_repository_signal(&mut self, number: usize, name: &[u8], what: What) {
        match name {
            b"index.lock" => match what {
                What::Appeared | What::MovedHere(_) => drop(self.locks.insert(number, Some(Instant::now()))),
                What::Went | What::MovedAway(_) => {
                    self.locks.remove(&number);
                    self.gaze.stirred.insert(number);
                    self.stir();
                    self.after_lock = Some(Instant::now() + AFTER_LOCK);
                }
                What::Written => {}
            },
            b"index" | b"HEAD" | b"packed-refs" => {
                self.gaze.eye.grounds.forget_untracked();
                self.gaze.stirred.insert(number);
                self.stir();
            }
            b"logs" => self.watch_repository(number),
            _ => {}
        }
    }

    fn take_entry_signal(&mut self, path: Vec<u8>, is_folder: bool, what: What) {
        let (folder, name) = split(&path);
        let grounds = &self.gaze.eye.grounds;
        match name {
            b".git" if what != What::Written => {
                grounds.forget_repository(folder);
                let folder = folder.to_vec();
                self.walk_later(Touched::at(folder));
                return;
            }
            b".gitignore" | b".gitattributes" => {
                grounds.forget_rules();
                grounds.forget_untracked();
                let folder = folder.to_vec();
                self.walk_later(Touched::at(folder));
            }
            _ => {}
        }
        let when = self.when(&path);
        if let When::Locked(number) = when {
            // As long as it writes, it is at work and waited for.
            self.locks.insert(number, Some(Instant::now()));
        }
        let is_new = matches!(what, What::Appeared | What::MovedHere(_));
        let moved_from = match what {
            What::MovedAway(pair) => {
                self.moved.insert(pair, path.clone());
                None
            }
            What::MovedHere(pair) => self.moved.remove(&pair),
            What::Appeared | What::Went | What::Written => None,
        };
        let touched = Touched { path, when, moved_from, is_new };
        if is_folder {
            match what {
                What::Appeared | What::MovedHere(_) => self.walk_later(touched.clone()),
                What::MovedAway(_) => self.signals.unwatch(&touched.path),
                // A folder whose permissions changed may have become readable.
                What::Written => return self.walk_later(touched),
                What::Went => {}
            }
        }
        self.touch(touched);
    }

    /// Whether the repository that a path lies in is locked now.
    fn when(&self, path: &[u8]) -> When {
        if self.locks.is_empty() {
            return When::Unlocked;
        }
        let number = self.gaze.eye.grounds.repository_of(path);
        let locked = number.filter(|number| matches!(self.locks.get(number), Some(Some(_))));
        locked.map_or(When::Unlocked, When::Locked)
    }

    fn touch(&mut self, touched: Touched) {
        match self.touched.get_mut(&touched.path) {
            Some(known) => known.join(touched),
            None => drop(self.touched.insert(touched.path.clone(), touched)),
        }
        self.stir();
    }

    fn walk_later(&mut self, folder: Touched) {
        match self.folders.get_mut(&folder.path) {
            Some(known) => known.join(folder),
            None => drop(self.folders.insert(folder.path.clone(), folder)),
        }
        self.stir();
    }

    fn stir(&mut self) {
        let now = Instant::now();
        self.first_at.get_or_insert(now);
        let quiet = now + self.options().quiet;
        self.quiet_until = Some(self.quiet_until.map_or(quiet, |until| until.max(quiet)));
    }

    fn is_locked(&self) -> bool {
        self.locks.values().any(Option::is_some)
    }

    /// When to look, if nothing more happens.
    fn due_at(&self) -> Option<Instant> {
        let due = if self.waiting.is_empty() {
            let quiet_until = self.quiet_until?;
            let due = self.first_at.map_or(quiet_until, |first| quiet_until.min(first + self.options().at_most));
            self.retry_at.map_or(due, |retry| due.max(retry))
        } else {
            Instant::now()
        };
        Some(self.after_lock.map_or(due, |after| due.max(after)))
    }

    fn wait_at_most(&self) -> Option<Duration> {
        if self.held.load(Ordering::Acquire) {
            return Some(HELD);
        }
        let now = Instant::now();
        let until_unlocked = self.locks.values().flatten().map(|since| *since + self.options().lock_patience).min();
        let due = if until_unlocked.is_some() { until_unlocked } else { self.due_at() };
        let next = [due, self.poll_at].into_iter().flatten().min()?;
        Some(next.saturating_duration_since(now))
    }

    fn give_up_on_locks(&mut self) {
        let patience = self.options().lock_patience;
        let now = Instant::now();
        let given_up: Vec<usize> = self
            .locks
            .iter()
            .filter(|(_, since)| since.is_some_and(|since| now >= since + patience))
            .map(|(number, _)| *number)
            .collect();
        for number in given_up {
            self.locks.insert(number, None);
            let all = self.touched.values_mut().chain(self.folders.values_mut());
            all.filter(|touched| touched.when == When::Locked(number))
                .for_each(|touched| touched.when = When::Unlocked);
        }
    }

    fn is_due(&mut self) -> bool {
        if self.poll_at.is_some_and(|at| Instant::now() >= at) {
            self.rescan.get_or_insert_with(|| "not everything is watched.".into());
            self.stir();
            self.first_at = None;
            self.quiet_until = Some(Instant::now());
            self.poll_at = None;
        }
        if self.is_locked() || self.held.load(Ordering::Acquire) {
            return false;
        }
        self.due_at().is_some_and(|due| Instant::now() >= due)
    }

    /// Looks at all that was touched, and answers who waited for it.
    fn look(&mut self) {
        (self.first_at, self.quiet_until, self.after_lock, self.retry_at) = (None, None, None, None);
        let looked = self.look_around().and_then(|()| {
            let is_at_work = self.is_locked() || self.after_lock.is_some();
            if is_at_work && self.stopping.is_none() {
                return Ok(false);
            }
            self.look_at_all().map(|()| true)
        });
        let looked = match looked {
            Ok(true) => Ok(()),
            // A repository was found in the middle of something: whoever waits goes on waiting.
            Ok(false) => return self.stir(),
            Err(error) => Err(error),
        };
        for touched in std::mem::take(&mut self.gaze.again) {
            self.touch(touched);
        }
        self.tell_sight();
        let waiting = std::mem::take(&mut self.waiting).into_iter();
        match looked {
            Ok(()) => waiting.for_each(|answer| reply(answer, Ok(()))),
            Err(error) => {
                tracing::warn!("{error}");
                self.retry_at = Some(Instant::now() + RETRY);
                self.stir();
                let reason = error.to_string();
                waiting.for_each(|answer| reply(answer, Err(SeeError::NotTaken { reason: reason.clone() })));
            }
        }
    }

    /// Walks what has to be walked, which may bring new repositories to light. Of what happened before such a one was watched
    /// nobody knows whether it was locked then, so all of that is taken in, to be looked at together with it.
    fn look_around(&mut self) -> Result<(), SeeError> {
        self.gaze.eye.grounds.retry_repositories();
        if let Some(why) = self.rescan.clone()
            && self.rescan_all(&why)?
        {
            self.rescan = None;
        }
        for _ in 0..LOOKS_AROUND {
            self.walk_folders();
            // One that was in the making when it was met is whole once there are files in it.
            self.gaze.eye.grounds.retry_repositories();
            if !self.watch_repositories() {
                break;
            }
            self.take_signals();
        }
        (self.first_at, self.quiet_until) = (None, None);
        Ok(())
    }

    fn look_at_all(&mut self) -> Result<(), SeeError> {
        self.moved.clear();
        let all = std::mem::take(&mut self.touched);
        if all.is_empty() && self.gaze.stirred.is_empty() {
            return Ok(());
        }
        let handed = self.gaze.hand_over(all.values().cloned().collect(), &Cause::Live);
        if handed.is_err() {
            // What was taken before the error is not found to differ any more.
            self.touched = all;
        }
        handed?;
        self.gaze.tidy()
    }

    /// Watches and walks new folders; what differs there was touched.
    fn walk_folders(&mut self) {
        let signals = Arc::clone(&self.signals);
        let mut walked: HashMap<Vec<u8>, (When, bool)> = HashMap::new();
        for (path, folder) in std::mem::take(&mut self.folders) {
            let alike = (folder.when, folder.is_new);
            if has_above(&walked, &path, alike) {
                continue;
            }
            let announce = |folder: &[u8], opened: &_| signals.watch_folder(folder, opened);
            let found = self.gaze.find(&path, (!self.is_polled_only()).then_some(&announce));
            for below in touched(found) {
                self.touch(Touched { path: below.path, when: folder.when, moved_from: None, is_new: folder.is_new });
            }
            walked.insert(path, alike);
        }
    }

    /// Tells whether it was done: a repository that comes to light may be in the middle of something.
    fn rescan_all(&mut self, why: &str) -> Result<bool, SeeError> {
        let begun = Instant::now();
        let signals = Arc::clone(&self.signals);
        signals.forgive();
        let grounds = &self.gaze.eye.grounds;
        grounds.forget_rules();
        grounds.forget_untracked();
        let announce = |folder: &[u8], opened: &_| signals.watch_folder(folder, opened);
        let announce = (!self.is_polled_only()).then_some(&announce as super::walk::Announce<'_>);
        let mut found = self.gaze.find(b"", announce);
        for _ in 0..LOOKS_AROUND {
            self.gaze.eye.grounds.retry_repositories();
            if !self.watch_repositories() {
                break;
            }
            // What came between the walk and the watch is found by another walk.
            found = self.gaze.find(b"", announce);
        }
        if self.is_locked() && self.stopping.is_none() {
            return Ok(false);
        }
        self.gaze.hand_over(touched(found), &Cause::Rescan(why.to_owned()))?;
        self.gaze.eye.sight().last_rescan = Some((SystemTime::now(), why.to_owned()));
        if self.is_polled() {
            let every = self.options().poll.unwrap_or(self.options().fallback_poll);
            self.poll_at = Some(Instant::now() + every.max(begun.elapsed() * POLL_SHARE));
        }
        Ok(true)
    }

    fn is_polled_only(&self) -> bool {
        self.options().poll.is_some()
    }

    fn is_polled(&self) -> bool {
        self.is_polled_only() || self.signals.refused().is_some()
    }

    /// Tells whether there are repositories that were not watched before.
    fn watch_repositories(&mut self) -> bool {
        let mut any_new = false;
        let repositories = self.gaze.eye.grounds.repositories();
        // One that was met anew has another number, and nobody will tell of the lock under the old one.
        self.locks.retain(|locked, _| repositories.iter().any(|(number, _)| number == locked));
        for (number, repository) in repositories {
            if !self.is_polled_only() && self.watched.insert(number) {
                self.signals.watch_repository(number, &repository.own);
                // It may have moved before it was watched, or be in the middle of it.
                self.gaze.stirred.insert(number);
                if repository.own.join("index.lock").exists() {
                    self.locks.entry(number).or_insert_with(|| Some(Instant::now()));
                }
                any_new = true;
            }
        }
        any_new
    }

    fn watch_repository(&self, number: usize) {
        if let Some(repository) = self.gaze.eye.grounds.repository(number) {
            self.signals.watch_repository(number, &repository.own);
        }
    }

    fn tell_sight(&mut self) {
        let folders_watched = self.signals.folders();
        let refused = self.signals.refused();
        let sight = match (&self.options().poll, refused) {
            (Some(_), _) => Sight::Polling { why: "the settings say so.".into() },
            (None, Some(why)) if folders_watched == 0 => Sight::Polling { why: format!("{why}.") },
            (None, Some(why)) => Sight::Partly { why: format!("{why}.") },
            (None, None) => Sight::Watching,
        };
        if self.is_polled() {
            let every = self.options().poll.unwrap_or(self.options().fallback_poll);
            self.poll_at.get_or_insert_with(|| Instant::now() + every);
        } else {
            self.poll_at = None;
        }
        let mut now = self.gaze.eye.sight();
        (now.sight, now.folders_watched) = (sight, folders_watched);
    }

    fn check_root(&self) -> Result<(), String> {
        if self.gaze.eye.grounds.disk.is_root_there() {
            return Ok(());
        }
        let root = self.gaze.eye.grounds.disk.path.display();
        Err(format!("{root} was moved or removed. Open the workspace where it is now."))
    }

    fn go_blind(&mut self, why: &str) {
        tracing::warn!("{why}");
        self.gaze.eye.sight().sight = Sight::Blind { why: why.to_owned() };
        self.take_commands();
        for answer in self.waiting.drain(..).chain(self.stopping.take()) {
            reply(answer, Err(SeeError::Blind { why: why.to_owned() }));
        }
    }
}

/// A folder above has been walked, and what was found there is to be taken in the same way.
fn has_above(walked: &HashMap<Vec<u8>, (When, bool)>, path: &[u8], alike: (When, bool)) -> bool {
    let mut above = path;
    while !above.is_empty() {
        above = split(above).0;
        if walked.get(above) == Some(&alike) {
            return true;
        }
    }
    false
}

/// Whoever asked may have gone.
fn reply(answer: SyncSender<Result<(), SeeError>>, result: Result<(), SeeError>) {
    if answer.send(result).is_err() {
        tracing::debug!("nobody waits for the answer any more");
    }
}
