//! The loop that owns the state. Everything that changes something is posted to one mailbox; one thread takes the inputs
//! in order, asks the core, and makes the answers last before anybody hears of them. Readers take snapshots beside it.
//!
//! A turn is all that waits in the mailbox, up to a limit, in one transaction. Its effects run in this order: ledger and
//! state, then files, then answers and notices.

use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, TrySendError, sync_channel};
use std::thread::JoinHandle;
use std::time::Duration;

use augment_core::refusal::Refusal;
use augment_core::settings::SettingChange;
use augment_core::time::Wall;
use augment_core::turn::{Answer, Effect, Input, Turn, decide};
use tokio::sync::{oneshot, watch};

use crate::clock;
use crate::settings::{self, Settings};
use crate::store::{Reader, Snapshot, Store, StoreError};
use crate::workspace::Places;

/// How many inputs may wait. A client that finds the mailbox full is told to come again.
const MAILBOX: usize = 4_096;
/// How many inputs one transaction takes.
const TURN: usize = 256;
/// How many idle readers are kept open.
const READERS: usize = 4;

/// What moved, as revisions that only grow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Moved {
    pub revision: u64,
    pub queue: u64,
    pub settings: u64,
}

#[derive(Debug, thiserror::Error)]
pub enum AskError {
    #[error("{0}")]
    Refused(Refusal),
    #[error("{0}")]
    NotSaved(String),
    #[error("Too much is waiting to be done. Try again in a moment; nothing was changed.")]
    Busy,
    #[error("The host is leaving. Try again; nothing was changed.")]
    Leaving,
}

type Reply = oneshot::Sender<Result<Answer, AskError>>;

enum Letter {
    Input { input: Box<Input>, reply: Reply },
    Stop { reason: Option<String>, done: oneshot::Sender<()> },
}

/// A running loop. Dropping it without `stop` loses nothing: what was answered is written.
#[derive(Debug)]
pub struct Runtime {
    mailbox: SyncSender<Letter>,
    moved: watch::Receiver<Moved>,
    settings: Mutex<Settings>,
    readers: Mutex<Vec<Reader>>,
    places: Places,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl std::fmt::Debug for Letter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Input { input, .. } => write!(f, "{input:?}"),
            Self::Stop { reason, .. } => write!(f, "Stop({reason:?})"),
        }
    }
}

impl Runtime {
    /// Starts the loop over an open store. The caller owns the workspace for as long as the runtime lives.
    pub fn start(store: Store, places: &Places) -> Result<Self, std::io::Error> {
        finish_settings(&store, places);
        let settings = Settings::read(places);
        let (mailbox, letters) = sync_channel(MAILBOX);
        let (moved_sender, moved) = watch::channel(Moved::default());
        let owner = Owner { store, places: places.clone(), letters, moved: moved_sender, unsaved: None };
        let thread = std::thread::Builder::new().name("mailbox".into()).spawn(move || owner.run())?;
        Ok(Self {
            mailbox,
            moved,
            settings: Mutex::new(settings),
            readers: Mutex::new(Vec::new()),
            places: places.clone(),
            thread: Mutex::new(Some(thread)),
        })
    }

    /// Posts an input. The order of posts is the order of turns, so a caller posts before it awaits anything.
    pub fn post(&self, input: Input) -> impl Future<Output = Result<Answer, AskError>> + Send + use<> {
        let (reply, answer) = oneshot::channel();
        let posted = self.mailbox.try_send(Letter::Input { input: Box::new(input), reply });
        async move {
            match posted {
                Ok(()) => answer.await.unwrap_or(Err(AskError::Leaving)),
                Err(TrySendError::Full(_)) => Err(AskError::Busy),
                Err(TrySendError::Disconnected(_)) => Err(AskError::Leaving),
            }
        }
    }

    /// Follows what moves.
    #[must_use]
    pub fn moved(&self) -> watch::Receiver<Moved> {
        self.moved.clone()
    }

    /// The settings in force. Files that were changed since the last look are read again.
    #[must_use]
    pub fn settings(&self) -> Settings {
        let mut settings = self.settings.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if settings.are_stale(&self.places) {
            *settings = Settings::read(&self.places);
        }
        settings.clone()
    }

    /// Reads a snapshot. Blocks on the disk: not for an async thread.
    pub fn read<T>(&self, read: impl FnOnce(&Snapshot<'_>) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let idle = self.lock_readers().pop();
        let mut reader = match idle {
            Some(reader) => reader,
            None => Reader::open(&self.places.database)?,
        };
        let answer = reader.snapshot(read);
        let mut readers = self.lock_readers();
        if answer.is_ok() && readers.len() < READERS {
            readers.push(reader);
        }
        answer
    }

    fn lock_readers(&self) -> std::sync::MutexGuard<'_, Vec<Reader>> {
        self.readers.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Ends the loop after what is posted already, and waits for its thread. A reason is recorded.
    pub async fn stop(&self, reason: Option<String>) {
        let (done, finished) = oneshot::channel();
        let mut letter = Letter::Stop { reason, done };
        // The mailbox may be full for a moment; it empties by itself.
        loop {
            match self.mailbox.try_send(letter) {
                Ok(()) => break,
                Err(TrySendError::Disconnected(_)) => return,
                Err(TrySendError::Full(back)) => letter = back,
            }
            tokio::task::yield_now().await;
        }
        if finished.await.is_err() {
            tracing::warn!("the mailbox ended before it was asked to");
        }
        let thread = self.thread.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take();
        if let Some(thread) = thread
            && thread.join().is_err()
        {
            tracing::error!("the mailbox thread ended in a panic");
        }
    }
}

/// Writes the settings that a process recorded and then ended before it had written them.
fn finish_settings(store: &Store, places: &Places) {
    let under_way = store.settings_under_way().unwrap_or_else(|error| {
        tracing::error!("{error}");
        Vec::new()
    });
    for change in under_way {
        match settings::write(places, &change) {
            Ok(()) => settle(store, &change.key),
            // It stays under way for the next start.
            Err(error) => tracing::error!("{error}"),
        }
    }
}

/// A setting that stays under way although it is settled is only written once more.
fn settle(store: &Store, key: &str) {
    if let Err(error) = store.setting_settled(key) {
        tracing::warn!("{error}");
    }
}

/// Failures to save that the ledger has not heard of yet.
struct Unsaved {
    times: u64,
    message: String,
    first: Wall,
}

/// The thread's own state.
struct Owner {
    store: Store,
    places: Places,
    letters: Receiver<Letter>,
    moved: watch::Sender<Moved>,
    unsaved: Option<Unsaved>,
}

/// What came of one input.
struct Decided {
    verdict: Result<Answer, Refusal>,
    /// What is still to be written to the user's settings file.
    writes: Vec<SettingChange>,
}

impl From<Turn> for Decided {
    fn from(turn: Turn) -> Self {
        let writes = turn.effects.into_iter().filter_map(|effect| match effect {
            Effect::WriteSetting(change) => Some(change),
            Effect::Record(_)
            | Effect::PutTask(_)
            | Effect::RemoveTask(_)
            | Effect::FreeDependents(_)
            | Effect::BeginRun { .. }
            | Effect::EndRun { .. } => None,
        });
        Self { writes: writes.collect(), verdict: turn.verdict }
    }
}

/// What came of a whole turn, written to the store.
struct Written {
    decided: Vec<Decided>,
    moved: Moved,
}

impl Owner {
    fn run(mut self) {
        if let Err(error) = self.look_around() {
            tracing::error!("{error}");
        }
        loop {
            let mut wait = self.until_next_lease();
            if self.unsaved.is_some() {
                // What could not be saved a moment ago is not tried again at once.
                wait = wait.max(Duration::from_secs(1));
            }
            let first = match self.letters.recv_timeout(wait) {
                Ok(letter) => Some(letter),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => return,
            };
            if let Some(done) = self.turn(first) {
                self.store.close();
                if done.send(()).is_err() {
                    tracing::debug!("nobody waited for the end of the mailbox");
                }
                return;
            }
        }
    }

    /// Tells the first revision before anything has moved.
    fn look_around(&mut self) -> Result<(), StoreError> {
        let revision = self.store.begin()?.head().sequence;
        self.moved.send_replace(Moved { revision, queue: revision, settings: 0 });
        Ok(())
    }

    fn until_next_lease(&mut self) -> Duration {
        const LONG: Duration = Duration::from_secs(86_400);
        match self.store.next_lease_due(clock::boot()) {
            Ok(Some(due)) => Duration::from_millis(u64::try_from(due.ms_since(clock::steady())).unwrap_or(0)),
            Ok(None) => LONG,
            Err(error) => {
                tracing::warn!("{error}");
                Duration::from_secs(1)
            }
        }
    }

    /// One turn: everything that waits, one transaction. Returns who waits for the end, if this was the last.
    fn turn(&mut self, first: Option<Letter>) -> Option<oneshot::Sender<()>> {
        let mut inputs = Vec::new();
        let mut stop = None;
        let mut letter = first;
        while let Some(taken) = letter {
            match taken {
                Letter::Input { input, reply } => inputs.push((input, reply)),
                Letter::Stop { reason, done } => {
                    stop = Some((reason, done));
                    break;
                }
            }
            letter = match self.letters.try_recv() {
                Ok(next) if inputs.len() < TURN => Some(next),
                Ok(Letter::Input { input, reply }) => {
                    inputs.push((input, reply));
                    None
                }
                Ok(Letter::Stop { reason, done }) => {
                    stop = Some((reason, done));
                    None
                }
                Err(TryRecvError::Empty | TryRecvError::Disconnected) => None,
            };
        }
        let (reason, done) = stop.map_or((None, None), |(reason, done)| (reason, Some(done)));
        self.perform(inputs, reason);
        done
    }

    /// Performs a turn: ledger and state, then files and answers, then the notice.
    fn perform(&mut self, inputs: Vec<(Box<Input>, Reply)>, stop_reason: Option<String>) {
        let (inputs, replies): (Vec<_>, Vec<_>) = inputs.into_iter().unzip();
        match self.write(&inputs, stop_reason) {
            Ok(Written { decided, mut moved }) => {
                for (reply, decided) in replies.into_iter().zip(decided) {
                    let answer = self.write_settings(decided, &mut moved);
                    // A caller that has gone away meanwhile does not wait for its answer.
                    drop(reply.send(answer));
                }
                self.moved.send_if_modified(|told| std::mem::replace(told, moved) != moved);
            }
            Err(error) => {
                let message = self.keep_failure(&error);
                self.supersede();
                for reply in replies {
                    drop(reply.send(Err(AskError::NotSaved(message.clone()))));
                }
            }
        }
    }

    /// Writes the failure itself where a turn that could not be saved may lie. When only the last sync of a commit fails,
    /// all of it is in SQLite's log already, and whoever opens that next would take it for saved although it was refused.
    fn supersede(&mut self) {
        match self.write(&[], None) {
            Ok(Written { moved, .. }) => {
                self.moved.send_if_modified(|told| std::mem::replace(told, moved) != moved);
            }
            // Told in the ledger with the next turn that can be saved.
            Err(error) => tracing::warn!("{error}"),
        }
    }

    /// Decides all inputs and writes what they bring about, in one transaction. On an error nothing of it was written.
    fn write(&mut self, inputs: &[Box<Input>], stop_reason: Option<String>) -> Result<Written, StoreError> {
        let now = clock::now();
        let mut moved = *self.moved.borrow();
        let mut batch = self.store.begin()?;
        let mut take = |input: &Input| -> Result<Turn, StoreError> {
            let mut turn = decide(&batch.view(), input, &now)?;
            batch.apply(&mut turn, now.wall)?;
            // A renewed lease leaves no record, and so moves nothing.
            let recorded = std::mem::replace(&mut moved.revision, batch.head().sequence) != batch.head().sequence;
            for effect in turn.effects.iter().filter(|_| recorded) {
                match effect {
                    Effect::PutTask(_) | Effect::RemoveTask(_) | Effect::FreeDependents(_) => {
                        moved.queue = moved.revision
                    }
                    Effect::WriteSetting(_) => moved.settings = moved.revision,
                    Effect::Record(_) | Effect::BeginRun { .. } | Effect::EndRun { .. } => {}
                }
            }
            Ok(turn)
        };
        if let Some(Unsaved { times, message, first }) = &self.unsaved {
            take(&Input::SavingFailed { times: *times, message: message.clone(), first: *first })?;
        }
        take(&Input::TimePassed)?;
        let mut decided = Vec::with_capacity(inputs.len());
        for input in inputs {
            decided.push(Decided::from(take(input)?));
        }
        if let Some(reason) = stop_reason {
            take(&Input::HostStopped { reason })?;
        }
        batch.commit()?;
        self.unsaved = None;
        Ok(Written { decided, moved })
    }

    /// Writes the settings that one input changed, and gives its answer.
    fn write_settings(&mut self, decided: Decided, moved: &mut Moved) -> Result<Answer, AskError> {
        let mut answer = decided.verdict.map_err(AskError::Refused);
        for change in decided.writes {
            let written = settings::write(&self.places, &change);
            settle(&self.store, &change.key);
            let Err(error) = written else { continue };
            tracing::error!("{error}");
            let message = error.to_string();
            let failed = Input::SettingNotWritten { key: change.key, message: message.clone() };
            match self.write(&[Box::new(failed)], None) {
                Ok(written) => moved.revision = written.moved.revision,
                Err(error) => drop(self.keep_failure(&error)),
            }
            answer = Err(AskError::NotSaved(message));
        }
        answer
    }

    /// Remembers that a turn could not be saved, for the ledger to hear of once it can; gives the sentence for the callers.
    fn keep_failure(&mut self, error: &StoreError) -> String {
        tracing::error!("{error}");
        let message = error.to_string();
        let kept = || Unsaved { times: 0, message: message.clone(), first: clock::wall() };
        self.unsaved.get_or_insert_with(kept).times += 1;
        message
    }
}
