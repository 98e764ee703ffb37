//! The loop that owns the state. Everything that changes something is posted to one mailbox; one thread takes the inputs
//! in order, asks the core, and makes the answers last before anybody hears of them. Readers take snapshots beside it.
//!
//! A turn is all that waits in the mailbox, up to a limit, in one transaction. Its effects run in this order: ledger and
//! state, then files, then what came of those, then answers and notices. A decision that writes files ends its turn, so
//! that whatever is decided next sees what came of it.

mod agents;
mod carrying;
mod closing;
mod documents;
mod eyes;
mod hands;
mod readers;

use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, Weak};
use std::thread::JoinHandle;
use std::time::Duration;

use augment_core::actor::Actor;
use augment_core::file::FilePath;
use augment_core::refusal::Refusal;
use augment_core::review::FileWrite;
use augment_core::session::{SessionId, SessionState, WriteDocuments};
use augment_core::settings::SettingChange;
use augment_core::time::{Steady, Wall};
use augment_core::turn::{Answer, Command, Effect, Input, Processes, Turn, decide};
use tokio::sync::{oneshot, watch};

use crate::agents::running::{AgentOrder, Running};
use crate::clock;
use crate::editors::Editors;
use crate::settings::{self, Settings};
use crate::store::{Snapshot, Store, StoreError};
use crate::workspace::Places;

pub use eyes::{Watch, WatchKind};

use closing::ClosingOrder;
use eyes::{Eyes, Opener};
use hands::Hands;
use readers::Readers;

/// How many inputs may wait. A client that finds the mailbox full is told to come again.
const MAILBOX: usize = 4_096;
/// How many inputs one transaction takes.
const TURN: usize = 256;

/// What moved, as revisions that only grow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Moved {
    pub revision: u64,
    pub queue: u64,
    pub settings: u64,
    pub changes: u64,
    pub agents: u64,
    pub sessions: u64,
    pub prompts: u64,
}

impl Moved {
    /// What moved by the one or the other.
    fn and(self, other: Self) -> Self {
        Self {
            revision: self.revision.max(other.revision),
            queue: self.queue.max(other.queue),
            settings: self.settings.max(other.settings),
            changes: self.changes.max(other.changes),
            agents: self.agents.max(other.agents),
            sessions: self.sessions.max(other.sessions),
            prompts: self.prompts.max(other.prompts),
        }
    }
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

/// Who waits for what came of an input.
#[derive(Debug)]
enum Reply {
    Asker(oneshot::Sender<Result<Answer, AskError>>),
    Eyes(SyncSender<Result<(), String>>),
}

impl Reply {
    fn send(self, answer: Result<Answer, AskError>) {
        match self {
            // A caller that has gone away meanwhile does not wait for its answer.
            Self::Asker(reply) => drop(reply.send(answer)),
            Self::Eyes(reply) => drop(reply.send(answer.map(drop).map_err(|error| error.to_string()))),
        }
    }
}

/// What is known of a file, as the eyes keep it.
type Known = (FilePath, Vec<u8>);

#[derive(Debug)]
enum Letter {
    Input {
        input: Box<Input>,
        reply: Reply,
    },
    /// The eyes have seen something: what the rules make of it, and what is known from then on.
    Seen {
        input: Option<Box<Input>>,
        known: Vec<Known>,
        generation: u64,
        reply: SyncSender<Result<(), String>>,
    },
    Keep {
        contents: Vec<Vec<u8>>,
        reply: SyncSender<Result<(), String>>,
    },
    ForgetKnown {
        generation: u64,
        reply: SyncSender<Result<(), String>>,
    },
    /// Somebody waits until what was begun is finished.
    Finish {
        done: SyncSender<()>,
    },
    Stop {
        reason: Option<String>,
        done: oneshot::Sender<()>,
    },
}

/// Something to be done within a turn.
#[derive(Debug)]
enum Work {
    Decide(Box<Input>),
    Seen { input: Option<Box<Input>>, known: Vec<Known>, generation: u64 },
    Keep(Vec<Vec<u8>>),
    ForgetKnown(u64),
}

/// A running loop. Dropping it without `stop` loses nothing: what was answered is written.
#[derive(Debug)]
pub struct Runtime {
    mailbox: SyncSender<Letter>,
    moved: watch::Receiver<Moved>,
    readers: Readers,
    editors: Arc<Editors>,
    eyes: Arc<Eyes>,
    opener: Opener,
    agents: Arc<Running>,
    /// An earlier process ended while it wrote files or ended a session, or a session was left meanwhile; the loop finishes
    /// that first.
    finishes: bool,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Runtime {
    /// Starts the loop over an open store. The caller owns the workspace for as long as the runtime lives.
    pub fn start(store: Store, places: &Places) -> Result<Self, std::io::Error> {
        finish_settings(&store, places);
        let readers = Readers::new(places);
        let finishes = is_unfinished(&store, &readers);
        let editors = Arc::new(Editors::default());
        let eyes = Arc::new(Eyes::new());
        let (mailbox, letters) = sync_channel(MAILBOX);
        let (moved_sender, moved) = watch::channel(Moved::default());
        let opener = Opener {
            places: places.clone(),
            readers: readers.clone(),
            editors: editors.clone(),
            mailbox: mailbox.clone(),
            identity: eyes::identity(&places.root),
        };
        let agents = agents::kept_here(places, &mailbox, &opener, &eyes)?;
        let owner = Owner {
            store,
            places: places.clone(),
            letters,
            moved: moved_sender,
            unsaved: None,
            session_waits: false,
            readers: readers.clone(),
            hands: Hands::new(places, editors.clone(), eyes.clone()),
            agents: Arc::downgrade(&agents),
            processes: Processes::Unseen,
        };
        let thread = std::thread::Builder::new().name("mailbox".into()).spawn(move || owner.run())?;
        Ok(Self { mailbox, moved, readers, editors, eyes, opener, agents, finishes, thread: Mutex::new(Some(thread)) })
    }

    /// Returns once what an earlier process had begun is finished: files that it wrote, and the end of a session. A single
    /// command would else end, and with it the loop, in the middle of that.
    pub async fn finish_begun(&self) {
        if self.finishes && self.post(Input::TimePassed(Processes::Unseen)).await.is_err() {
            tracing::warn!("what an earlier process had begun may not be finished");
        }
    }

    /// Returns once what the loop has begun by itself is finished, for a process that ends. Blocks: only where nothing else
    /// waits for this thread.
    pub fn finish_own(&self) {
        let (done, finished) = sync_channel(1);
        if self.mailbox.send(Letter::Finish { done }).is_ok() && finished.recv().is_err() {
            tracing::warn!("the mailbox ended before what it had begun was finished");
        }
    }

    /// Begins to watch the workspace's files, for a host that stays. Without it they are looked at when asked for.
    pub fn watch_files(&self) -> std::io::Result<()> {
        self.opener.open(&self.eyes)
    }

    /// Returns once everything that happened to files before this call is known. Blocks: not for an async thread.
    pub fn settle_files(&self) -> Result<(), String> {
        self.opener.settle(&self.eyes)
    }

    /// What can be seen of the files.
    #[must_use]
    pub fn watch(&self) -> Watch {
        self.eyes.watch()
    }

    /// What editors have open.
    #[must_use]
    pub fn editors(&self) -> &Arc<Editors> {
        &self.editors
    }

    /// The runs whose processes this host keeps.
    #[must_use]
    pub fn agents(&self) -> &Arc<Running> {
        &self.agents
    }

    /// Posts an input. The order of posts is the order of turns, so a caller posts before it awaits anything.
    pub fn post(&self, input: Input) -> impl Future<Output = Result<Answer, AskError>> + Send + use<> {
        let (reply, answer) = oneshot::channel();
        let posted = self.mailbox.try_send(Letter::Input { input: Box::new(input), reply: Reply::Asker(reply) });
        async move {
            match posted {
                Ok(()) => answer.await.unwrap_or(Err(AskError::Leaving)),
                Err(TrySendError::Full(_)) => Err(AskError::Busy),
                Err(TrySendError::Disconnected(_)) => Err(AskError::Leaving),
            }
        }
    }

    /// Asks and waits for the answer. Blocks: not for an async thread.
    pub fn ask_blocking(&self, actor: Actor, command: Command) -> Result<Answer, AskError> {
        let (reply, answer) = oneshot::channel();
        let input = Box::new(Input::Asked { actor, command });
        match self.mailbox.send(Letter::Input { input, reply: Reply::Asker(reply) }) {
            Ok(()) => answer.blocking_recv().unwrap_or(Err(AskError::Leaving)),
            Err(_) => Err(AskError::Leaving),
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
        self.readers.settings()
    }

    /// Reads a snapshot. Blocks on the disk: not for an async thread.
    pub fn read<T>(&self, read: impl FnOnce(&Snapshot<'_>) -> Result<T, StoreError>) -> Result<T, StoreError> {
        self.readers.read(read)
    }

    /// Ends the loop after what is posted already, and waits for its thread. A reason is recorded.
    pub async fn stop(&self, reason: Option<String>) {
        let eyes = self.eyes.clone();
        if tokio::task::spawn_blocking(move || eyes.close()).await.is_err() {
            tracing::error!("the end of watching ended in a panic");
        }
        // Their keepers go on; the next host takes them over.
        self.agents.detach();
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

/// Whether there is something to be finished before anything else: files that were being written, a session that was ending
/// or has been left, or one that is to be completed.
fn is_unfinished(store: &Store, readers: &Readers) -> bool {
    if store.writes_under_way().is_ok_and(|under_way| !under_way.is_empty()) || store.is_closing().unwrap_or(false) {
        return true;
    }
    store.session().ok().flatten().is_some_and(|session| {
        let silence_ms = || readers.policy().session.silence_ms;
        session.state == SessionState::Ending || session.last_work.age_ms(&clock::now()) >= silence_ms()
    })
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
    /// A session is ending, and what that takes could not be saved.
    session_waits: bool,
    readers: Readers,
    hands: Hands,
    /// Not held on to: it holds the way to the mailbox, which ends when nobody can post any more.
    agents: Weak<Running>,
    /// Whether the processes of runs can be seen and ended from here: once those of an earlier host are taken up.
    processes: Processes,
}

/// What came of one piece of work.
struct Decided {
    verdict: Result<Answer, Refusal>,
    /// What is still to be written to the user's settings file.
    settings: Vec<SettingChange>,
    /// What is still to be written to the user's files.
    files: Vec<FileWrite>,
    /// What is still to be told to agents.
    orders: Vec<AgentOrder>,
    /// What is still to be written to the project's documents.
    documents: Vec<WriteDocuments>,
    /// What is still to be done for the completion of sessions.
    closing: Vec<ClosingOrder>,
}

impl Decided {
    fn nothing() -> Self {
        Self {
            verdict: Ok(Answer::Noted),
            settings: Vec::new(),
            files: Vec::new(),
            orders: Vec::new(),
            documents: Vec::new(),
            closing: Vec::new(),
        }
    }
}

impl From<Turn> for Decided {
    fn from(turn: Turn) -> Self {
        let (mut settings, mut files, mut orders) = (Vec::new(), Vec::new(), Vec::new());
        let (mut documents, mut closing) = (Vec::new(), Vec::new());
        for effect in turn.effects {
            match effect {
                Effect::WriteSetting(change) => settings.push(change),
                Effect::WriteFile(write) => files.push(*write),
                Effect::WriteDocuments(wanted) => documents.push(*wanted),
                Effect::CloseStep(wanted) => closing.push(ClosingOrder::Step(wanted)),
                Effect::SealArchive(content) => closing.push(ClosingOrder::Seal(content)),
                Effect::EndProcess(run) => orders.push(AgentOrder::End(run)),
                Effect::TellAgent { run, word } => orders.push(AgentOrder::Tell { run, word }),
                Effect::StartHandOff { task, agent } => orders.push(AgentOrder::Start { task, agent }),
                Effect::Record(_)
                | Effect::PutTask(_)
                | Effect::RemoveTask(_)
                | Effect::FreeDependents(_)
                | Effect::BeginRun { .. }
                | Effect::PutRun(_)
                | Effect::PutReport { .. }
                | Effect::PutQuestion(_)
                | Effect::PutHandOff(_)
                | Effect::PutHandOffText { .. }
                | Effect::AllowAgent { .. }
                | Effect::PutFile(_)
                | Effect::PutDecision(_)
                | Effect::ForgetDecision(_)
                | Effect::DropContent(_)
                | Effect::KeepApproval(_)
                | Effect::PutClaim(_)
                | Effect::DropClaim(_)
                | Effect::SettleWrite { .. }
                | Effect::PutSession(_)
                | Effect::TellSession(_)
                | Effect::PutFlag(_)
                | Effect::NoteTouched { .. }
                | Effect::PutClosing(_)
                | Effect::PutPrompt(_)
                | Effect::SettleFiles(_)
                | Effect::LoosenFiles(_)
                | Effect::PutAcknowledged(_)
                | Effect::PutAllowed(_)
                | Effect::DropAllowed(_) => {}
            }
        }
        Self { verdict: turn.verdict, settings, files, orders, documents, closing }
    }
}

/// What came of a whole turn, written to the store.
struct Written {
    /// One for each piece of work that was taken; files that must be written end a turn.
    decided: Vec<Decided>,
    moved: Moved,
}

impl Owner {
    fn run(mut self) {
        if let Err(error) = self.look_around() {
            tracing::error!("{error}");
        }
        self.finish_writes();
        self.give_up_saves();
        self.finish_session();
        let mut has_looked = false;
        loop {
            let mut wait = self.until_next_lease();
            // What could not be saved a moment ago is not tried again at once, and leases that only another host can end stay due.
            if self.unsaved.is_some() || (self.processes == Processes::Unseen && has_looked) {
                wait = wait.max(Duration::from_secs(1));
            }
            if self.session_waits {
                wait = Duration::from_secs(1);
            }
            let first = match self.letters.recv_timeout(wait) {
                Ok(letter) => Some(letter),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => return,
            };
            has_looked = first.is_none();
            if self.session_waits && first.is_none() {
                self.finish_session();
            }
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
        self.moved.send_replace(Moved {
            revision,
            queue: revision,
            settings: 0,
            changes: revision,
            agents: revision,
            sessions: revision,
            prompts: revision,
        });
        Ok(())
    }

    /// Ends the session that an earlier process, or an earlier try, was about to end, and completes what has ended.
    fn finish_session(&mut self) {
        self.session_waits = false;
        let ending = self.store.session().ok().flatten().filter(|open| open.state == SessionState::Ending);
        let closing = self.store.closing_sessions().unwrap_or_default();
        let under_way: Vec<SessionId> = ending.map(|open| open.id).into_iter().chain(closing).collect();
        if under_way.is_empty() {
            return;
        }
        let mut moved = *self.moved.borrow();
        for session in under_way {
            self.sweep_after(session, &mut moved);
        }
        match self.write(&[Work::Decide(Box::new(Input::SessionTakenUp))], &mut None) {
            Ok(written) => {
                moved = moved.and(written.moved);
                for decided in written.decided {
                    drop(self.carry_out(decided, &mut moved));
                }
            }
            Err(error) => {
                self.session_waits = true;
                drop(self.keep_failure(&error));
            }
        }
        self.moved.send_if_modified(|told| std::mem::replace(told, moved) != moved);
    }

    /// When the session counts as left, if nothing happens in it.
    fn session_due(&self) -> Option<Steady> {
        let session = self.store.session().ok().flatten().filter(|open| open.state != SessionState::Ending)?;
        let silence_ms = self.readers.policy().session.silence_ms;
        match session.last_work.boot == *clock::boot() {
            true => Some(session.last_work.steady.plus_ms(silence_ms)),
            false => Some(clock::steady().plus_ms(60_000)),
        }
    }

    fn until_next_lease(&mut self) -> Duration {
        const LONG: Duration = Duration::from_secs(86_400);
        let due = self.store.next_due(clock::boot());
        match due.map(|due| [due, self.session_due()].into_iter().flatten().min()) {
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
        let (mut works, mut waiting) = (Vec::new(), Vec::new());
        let mut stop = None;
        let mut letter = first;
        while let Some(taken) = letter {
            match taken {
                Letter::Input { input, reply } => works.push((Work::Decide(input), reply)),
                Letter::Seen { input, known, generation, reply } => {
                    works.push((Work::Seen { input, known, generation }, Reply::Eyes(reply)));
                }
                Letter::Keep { contents, reply } => works.push((Work::Keep(contents), Reply::Eyes(reply))),
                Letter::ForgetKnown { generation, reply } => {
                    works.push((Work::ForgetKnown(generation), Reply::Eyes(reply)));
                }
                Letter::Finish { done } => waiting.push(done),
                Letter::Stop { reason, done } => {
                    stop = Some((reason, done));
                    break;
                }
            }
            if works.len() >= TURN {
                break;
            }
            letter = self.letters.try_recv().ok();
        }
        let (reason, done) = stop.map_or((None, None), |(reason, done)| (reason, Some(done)));
        // Whoever only waits asks for nothing; time passes by itself.
        if waiting.is_empty() || !works.is_empty() || done.is_some() {
            self.perform(works, reason);
        }
        for waits in waiting {
            if waits.send(()).is_err() {
                tracing::debug!("nobody waited until what was begun was finished");
            }
        }
        done
    }

    /// Performs a turn: ledger and state, then files and answers, then the notice.
    fn perform(&mut self, works: Vec<(Work, Reply)>, mut stop_reason: Option<String>) {
        let (mut works, mut replies): (Vec<_>, Vec<_>) = works.into_iter().unzip();
        loop {
            match self.write(&works, &mut stop_reason) {
                Ok(Written { decided, mut moved }) => {
                    let taken = decided.len();
                    for (reply, decided) in replies.drain(..taken).zip(decided) {
                        let answer = self.carry_out(decided, &mut moved);
                        reply.send(answer);
                    }
                    works.drain(..taken);
                    self.moved.send_if_modified(|told| std::mem::replace(told, moved) != moved);
                }
                Err(error) => {
                    let message = self.keep_failure(&error);
                    self.supersede();
                    for reply in replies.drain(..) {
                        reply.send(Err(AskError::NotSaved(message.clone())));
                    }
                    return;
                }
            }
            if works.is_empty() && stop_reason.is_none() {
                return;
            }
        }
    }

    /// Writes the failure itself where a turn that could not be saved may lie. When only the last sync of a commit fails,
    /// all of it is in SQLite's log already, and whoever opens that next would take it for saved although it was refused.
    fn supersede(&mut self) {
        match self.write(&[], &mut None) {
            Ok(Written { moved, .. }) => {
                self.moved.send_if_modified(|told| std::mem::replace(told, moved) != moved);
            }
            // Told in the ledger with the next turn that can be saved.
            Err(error) => tracing::warn!("{error}"),
        }
    }

    /// Does the work and writes what it brings about, in one transaction. On an error nothing of it was written. Work
    /// after a decision that writes files is left for the next turn: it must see what came of those.
    fn write(&mut self, works: &[Work], stop_reason: &mut Option<String>) -> Result<Written, StoreError> {
        let now = clock::now();
        let mut moved = *self.moved.borrow();
        self.store.set_policy(self.readers.policy());
        let mut batch = self.store.begin()?;
        let mut take = |batch: &mut crate::store::Batch<'_>, input: &Input| -> Result<Turn, StoreError> {
            let mut turn = decide(&batch.view(), input, &now)?;
            batch.apply(&mut turn, now.wall)?;
            // A renewed lease leaves no record, and so moves nothing.
            let recorded = std::mem::replace(&mut moved.revision, batch.head().sequence) != batch.head().sequence;
            for effect in turn.effects.iter().filter(|_| recorded) {
                note_moved(effect, &mut moved);
            }
            Ok(turn)
        };
        if let Some(Unsaved { times, message, first }) = &self.unsaved {
            take(&mut batch, &Input::SavingFailed { times: *times, message: message.clone(), first: *first })?;
        }
        let passed = Decided::from(take(&mut batch, &Input::TimePassed(self.processes))?);
        let mut decided = Vec::with_capacity(works.len());
        for work in works {
            let done = match work {
                Work::Decide(input) => Decided::from(take(&mut batch, input)?),
                Work::Seen { input, known, generation } => {
                    for (path, entry) in known {
                        batch.put_known(path, *generation, entry)?;
                    }
                    let done = match input {
                        Some(input) => Decided::from(take(&mut batch, input)?),
                        None => Decided::nothing(),
                    };
                    batch.kept_is_referred_to();
                    done
                }
                Work::Keep(contents) => {
                    for content in contents {
                        batch.keep(content)?;
                    }
                    Decided::nothing()
                }
                Work::ForgetKnown(generation) => {
                    batch.forget_known(*generation)?;
                    batch.kept_is_referred_to();
                    Decided::nothing()
                }
            };
            let writes = !done.files.is_empty() || !done.documents.is_empty() || !done.closing.is_empty();
            decided.push(done);
            if writes {
                break;
            }
        }
        if decided.len() == works.len()
            && let Some(reason) = stop_reason.take()
        {
            take(&mut batch, &Input::HostStopped { reason })?;
        }
        batch.commit()?;
        self.unsaved = None;
        if works.iter().any(|work| matches!(work, Work::Decide(input) if **input == Input::RunsTakenUp)) {
            self.processes = Processes::Seen;
        }
        self.give_orders(passed.orders);
        for wanted in passed.documents {
            self.write_documents(&wanted, &mut moved);
        }
        self.close(passed.closing, &mut moved);
        Ok(Written { decided, moved })
    }

    /// Tells the agents what the rules want of them, once that is written.
    fn give_orders(&self, orders: Vec<AgentOrder>) {
        let Some(agents) = self.agents.upgrade() else { return };
        for order in orders {
            agents.order(order);
        }
    }

    /// Writes the settings that one input changed, and gives its answer.
    fn write_settings(&mut self, decided: Decided, moved: &mut Moved) -> Result<Answer, AskError> {
        let mut answer = decided.verdict.map_err(AskError::Refused);
        for change in decided.settings {
            let written = settings::write(&self.places, &change);
            settle(&self.store, &change.key);
            let Err(error) = written else { continue };
            tracing::error!("{error}");
            let message = error.to_string();
            let failed = Input::SettingNotWritten { key: change.key, message: message.clone() };
            match self.write(&[Work::Decide(Box::new(failed))], &mut None) {
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

/// Which part of the state an effect moved.
fn note_moved(effect: &Effect, moved: &mut Moved) {
    match effect {
        Effect::PutTask(_) | Effect::RemoveTask(_) | Effect::FreeDependents(_) => moved.queue = moved.revision,
        Effect::WriteSetting(_) => moved.settings = moved.revision,
        Effect::PutFile(_) | Effect::PutDecision(_) | Effect::ForgetDecision(_) | Effect::KeepApproval(_) => {
            moved.changes = moved.revision;
        }
        Effect::BeginRun { .. }
        | Effect::PutRun(_)
        | Effect::PutReport { .. }
        | Effect::PutQuestion(_)
        | Effect::PutHandOff(_)
        | Effect::PutHandOffText { .. }
        | Effect::AllowAgent { .. } => moved.agents = moved.revision,
        Effect::PutSession(_) | Effect::TellSession(_) | Effect::PutClosing(_) => moved.sessions = moved.revision,
        Effect::PutPrompt(_) => moved.prompts = moved.revision,
        Effect::PutFlag(_) => (moved.sessions, moved.changes) = (moved.revision, moved.revision),
        Effect::PutAcknowledged(_) | Effect::PutAllowed(_) | Effect::DropAllowed(_) => moved.changes = moved.revision,
        Effect::Record(_)
        | Effect::EndProcess(_)
        | Effect::TellAgent { .. }
        | Effect::StartHandOff { .. }
        | Effect::PutClaim(_)
        | Effect::DropClaim(_)
        | Effect::WriteFile(_)
        | Effect::DropContent(_)
        | Effect::SettleWrite { .. }
        | Effect::NoteTouched { .. }
        | Effect::SettleFiles(_)
        | Effect::LoosenFiles(_)
        | Effect::WriteDocuments(_)
        | Effect::CloseStep(_)
        | Effect::SealArchive(_) => {}
    }
}
