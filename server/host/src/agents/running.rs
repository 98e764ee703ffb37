//! All runs that this host keeps: each with its keeper, its adapter and what it has said. What is seen of them goes to the
//! mailbox; what the rules want of them comes back as orders. Nothing here decides how a run stands.
//!
//! Each run's events come on that run's own thread, which may wait for the mailbox: an agent that says too much holds back
//! itself. Orders come from the thread that owns the state, which must never wait, so one more thread carries them.

mod live;
mod sandbox;
mod secrets;
mod state;
mod transcript;

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use augment_core::id::{RunId, TaskId};
use augment_core::run::{
    Adapter as AdapterKind, Asked, End, Leave, Note, Question, Run, RunEvent, Stopped, Telling, Word,
};
use augment_core::turn::Input;

use super::adapter::{Adapter, Assignment};
use super::git_control::{self, Control};
use super::keeping::{self, AdoptError, Adopted, KeeperProgram, StartError};
use super::order::Order;
pub use live::SAID;
use live::{Live, STATE};
pub(super) use secrets::Secrets;
use state::State;

/// How many orders may wait. More are told in the log and lost; a run whose end was lost ends by its time limit or lease.
const ORDERS: usize = 4_096;
/// How often runs are looked at that say nothing.
const LOOK: Duration = Duration::from_millis(500);

/// What the rules want of an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AgentOrder {
    /// End it, and all that it started.
    End(RunId),
    Tell {
        run: RunId,
        word: Word,
    },
    /// Start this agent on a task that another one handed over.
    Start {
        task: TaskId,
        agent: String,
    },
}

/// How a run is begun.
pub struct Launch {
    pub run: RunId,
    pub order: Order,
    pub adapter: Box<dyn Adapter>,
    pub kind: AdapterKind,
    pub assignment: Assignment,
    /// What its input is, where it is not a protocol: all of it, and then its end.
    pub input: Option<String>,
    pub interval: Duration,
    pub leave: Leave,
    /// Below these it may write; `None` where nothing holds it to that.
    pub writable: Option<Vec<PathBuf>>,
    pub(super) secrets: Secrets,
}

/// How a run of an earlier host is spoken with again.
pub struct Resumed {
    pub adapter: Box<dyn Adapter>,
    pub kind: AdapterKind,
    pub interval: Duration,
    pub leave: Leave,
    pub writable: Option<Vec<PathBuf>>,
    pub(super) secrets: Secrets,
}

/// Takes what was seen; blocks while the mailbox is full.
pub type Post = Arc<dyn Fn(Input) + Send + Sync>;
/// Returns once everything that happened to files before the call is known.
pub type Settle = Arc<dyn Fn() + Send + Sync>;
type Starter = Arc<dyn Fn(TaskId, String) + Send + Sync>;

pub struct Running {
    runs: Mutex<BTreeMap<RunId, Arc<Mutex<Live>>>>,
    orders: SyncSender<AgentOrder>,
    post: Post,
    settle: Settle,
    /// Where each run has its folder.
    folder: PathBuf,
    root: PathBuf,
    grace_ms: std::sync::atomic::AtomicU64,
    starter: Mutex<Option<Starter>>,
}

impl fmt::Debug for Running {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Running").field("runs", &lock(&self.runs).keys().collect::<Vec<_>>()).finish_non_exhaustive()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Running {
    pub fn new(folder: PathBuf, root: PathBuf, post: Post, settle: Settle) -> std::io::Result<Arc<Self>> {
        let (orders, waiting) = sync_channel(ORDERS);
        let running = Arc::new(Self {
            runs: Mutex::default(),
            orders,
            post,
            settle,
            folder,
            root,
            grace_ms: super::order::DEFAULT_GRACE_MS.into(),
            starter: Mutex::new(None),
        });
        let weak = Arc::downgrade(&running);
        std::thread::Builder::new().name("agents".into()).spawn(move || carry_orders(&weak, &waiting))?;
        Ok(running)
    }

    /// How long an agent may take to leave when it is asked to.
    pub fn set_grace(&self, grace_ms: u64) {
        self.grace_ms.store(grace_ms, std::sync::atomic::Ordering::Relaxed);
    }

    /// Who starts the agent of a hand-off that needs no asking.
    pub fn set_starter(&self, starter: Starter) {
        *lock(&self.starter) = Some(starter);
    }

    #[must_use]
    pub fn folder_of(&self, run: RunId) -> PathBuf {
        self.folder.join(run.to_string())
    }

    /// An order; never waits.
    pub fn order(&self, order: AgentOrder) {
        match self.orders.try_send(order) {
            Ok(()) => {}
            Err(TrySendError::Full(order) | TrySendError::Disconnected(order)) => {
                tracing::error!("too many orders for agents wait; this one is lost: {order:?}");
            }
        }
    }

    /// Starts an agent. Blocks until its process runs or cannot.
    pub fn begin(self: &Arc<Self>, launch: Launch) -> Result<u32, StartError> {
        let Launch { run, order, adapter, kind, assignment, input, interval, leave, writable, secrets } = launch;
        let folder = order.folder.clone();
        let control = git_control::look(&self.root);
        // A later host that does not find it only cannot tell what changed.
        let kept = crate::owner::private_folder(&folder).map_err(std::io::Error::other);
        if let Err(error) = kept.and_then(|()| control.keep(&folder)) {
            tracing::warn!("what steers git could not be written down: {error}");
        }
        let live = Live::new(run, adapter, kind, self.root.clone(), folder)
            .that_found(Some(control))
            .that_begins(assignment, input)
            .with_secrets(secrets)
            .heard_every(interval)
            .with_leave(leave)
            .confined_to(writable);
        let live = Arc::new(Mutex::new(live));
        lock(&self.runs).insert(run, live.clone());
        match keeping::start(&KeeperProgram::own(), order, self.sink(run, &live)) {
            Ok(keeping) => {
                let pid = keeping.pid();
                lock(&live).keep(keeping, &self.post);
                Ok(pid)
            }
            Err(error) => {
                lock(&self.runs).remove(&run);
                Err(error)
            }
        }
    }

    /// Takes over a run of an earlier host, or says that it is gone. Blocks.
    fn adopt(self: &Arc<Self>, run: &Run, resumed: Resumed, state: State) {
        let folder = self.folder_of(run.id);
        let Resumed { adapter, kind, interval, leave, writable, secrets } = resumed;
        let offset = state.offset;
        let live = Live::new(run.id, adapter, kind, self.root.clone(), folder.clone())
            .taken_up_at(offset, state.turn)
            .with_secrets(secrets)
            .that_found(Control::kept(&folder))
            .heard_every(interval)
            .with_leave(leave)
            .confined_to(writable);
        let live = Arc::new(Mutex::new(live));
        lock(&self.runs).insert(run.id, live.clone());
        match self.reach(run.id, &folder, offset, &live) {
            Ok(Adopted::Kept(keeping)) => {
                let message = format!("Process {} goes on; this host has taken it over.", keeping.pid());
                self.tell(run.id, RunEvent::Noted { note: Note::Adopted, message });
                lock(&live).keep(keeping, &self.post);
            }
            Ok(Adopted::Over) => {}
            // Its keeper is somebody else's, so nothing of it is touched; it says itself when it is gone.
            Err(AdoptError::Busy { .. }) => {
                tracing::error!("run {} is kept by another host", run.id);
                lock(&self.runs).remove(&run.id);
            }
            Err(error) => {
                tracing::warn!("{error}");
                lock(&self.runs).remove(&run.id);
                self.give_up(run.id, &folder);
            }
        }
    }

    /// Takes up a run of an earlier host, from what that wrote down. `resume` says how it is spoken with; one that nobody
    /// knows how to speak with any more is ended.
    pub fn take_up(self: &Arc<Self>, run: &Run, answered: &[Question], resume: impl FnOnce(&[u8]) -> Option<Resumed>) {
        let folder = self.folder_of(run.id);
        let state = std::fs::read(folder.join(STATE)).ok().and_then(|state| State::read(&state));
        let resumed = state.and_then(|state| resume(&state.adapter).map(|resumed| (resumed, state)));
        match resumed {
            Some((resumed, state)) => {
                self.adopt(run, resumed, state);
                self.repeat_orders(run, answered);
            }
            None => {
                let message = format!(
                    "It cannot be spoken with: it was never told its task, or {} is not configured any more.",
                    run.agent
                );
                self.tell(run.id, RunEvent::Noted { note: Note::LeftBehind, message });
                self.give_up(run.id, &folder);
            }
        }
    }

    /// Knocks at a run's keeper. The host before this one may need a moment to let go of it.
    fn reach(
        self: &Arc<Self>,
        run: RunId,
        folder: &Path,
        offset: u64,
        live: &Arc<Mutex<Live>>,
    ) -> Result<Adopted, AdoptError> {
        const TRIES: u32 = 20;
        let mut answer = keeping::adopt(folder, offset, self.sink(run, live));
        for _ in 1..TRIES {
            if !matches!(answer, Err(AdoptError::Busy { .. })) {
                break;
            }
            std::thread::sleep(Duration::from_millis(100));
            answer = keeping::adopt(folder, offset, self.sink(run, live));
        }
        answer
    }

    /// What the rules wanted of a run while nobody was here to carry it, or before its process could be reached. An adapter
    /// that has done it already does nothing.
    pub fn repeat_orders(&self, run: &Run, answered: &[Question]) {
        for question in answered.iter().filter(|question| question.run == run.id) {
            if let (Some(key), Some(answer)) = (&question.key, &question.answer) {
                let word = Word::Permission { key: key.clone(), choice: answer.choice.clone() };
                self.order(AgentOrder::Tell { run: run.id, word });
            }
        }
        let is_over = run.facts.stopped.is_some() && run.questions == 0;
        if run.facts.asked != Asked::Nothing || is_over {
            self.order(AgentOrder::End(run.id));
        }
    }

    /// A run's process could not be started: why is told, and that it is gone.
    pub fn not_started(&self, run: RunId, message: &str) {
        self.tell(run, RunEvent::Failed { message: message.to_owned(), telling: Telling::Recorded });
        self.tell(run, RunEvent::TurnEnded(Stopped::InError));
        self.tell(run, RunEvent::Gone { end: End::Unseen, killed: 0, resources: None });
    }

    /// Nothing of a run can be reached: what is left of it is ended, and it is gone.
    fn give_up(&self, run: RunId, folder: &Path) {
        let message = match keeping::end_leftovers(folder) {
            Ok(left) if left.ended.is_empty() && left.remaining.is_empty() => None,
            Ok(left) => Some(live::left_behind(&left)),
            Err(error) => Some(format!("What is left of it could not be looked for: {error}.")),
        };
        if let Some(message) = message {
            self.tell(run, RunEvent::Noted { note: Note::LeftBehind, message });
        }
        (self.settle)();
        if let Some(message) = Control::kept(folder).and_then(|control| control.what_changed(&self.root)) {
            self.tell(run, RunEvent::Noted { note: Note::ControlChanged, message });
        }
        self.tell(run, RunEvent::Gone { end: End::Unseen, killed: 0, resources: None });
    }

    fn tell(&self, run: RunId, event: RunEvent) {
        (self.post)(Input::RunFollowed { run, event });
    }

    /// What becomes of a run's events.
    fn sink(self: &Arc<Self>, run: RunId, live: &Arc<Mutex<Live>>) -> keeping::Sink {
        let (running, live) = (Arc::downgrade(self), live.clone());
        let (post, settle) = (self.post.clone(), self.settle.clone());
        Box::new(move |event| {
            let over = lock(&live).followed(event, &post);
            let Some(over) = over else { return };
            // What it wrote last is still its work, so the files are looked at before anybody hears. Nobody waits for its
            // lock meanwhile: whoever has orders for other runs must get by.
            settle();
            lock(&live).gone(over, &post);
            if let Some(running) = running.upgrade() {
                lock(&running.runs).remove(&run);
            }
        })
    }

    /// Leaves all runs to their keepers, for the next host.
    pub fn detach(&self) {
        let runs = std::mem::take(&mut *lock(&self.runs));
        for live in runs.into_values() {
            lock(&live).detach();
        }
    }

    fn carry(&self, order: AgentOrder) {
        match order {
            AgentOrder::End(run) => {
                let grace_ms = self.grace_ms.load(std::sync::atomic::Ordering::Relaxed);
                self.with(run, |live| live.end(grace_ms, &self.post));
            }
            AgentOrder::Tell { run, word } => self.with(run, |live| live.told(word, &self.post)),
            AgentOrder::Start { task, agent } => {
                let Some(start) = lock(&self.starter).clone() else {
                    tracing::warn!("nobody is here to start {agent} on {task}");
                    return;
                };
                // Starting takes its time, and the orders for other runs do not wait for it.
                let started = std::thread::Builder::new().name("hand-off".into()).spawn(move || start(task, agent));
                if let Err(error) = started {
                    tracing::error!("an agent could not be started: {error}");
                }
            }
        }
    }

    fn with(&self, run: RunId, act: impl FnOnce(&mut Live)) {
        let live = lock(&self.runs).get(&run).cloned();
        match live {
            Some(live) => act(&mut lock(&live)),
            None => tracing::debug!("run {run} is not kept here any more"),
        }
    }

    fn look(&self) {
        let runs: Vec<Arc<Mutex<Live>>> = lock(&self.runs).values().cloned().collect();
        for live in runs {
            lock(&live).look(&self.post);
        }
    }
}

fn carry_orders(running: &std::sync::Weak<Running>, orders: &Receiver<AgentOrder>) {
    loop {
        let order = match orders.recv_timeout(LOOK) {
            Ok(order) => Some(order),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => return,
        };
        let Some(running) = running.upgrade() else { return };
        match order {
            Some(order) => running.carry(order),
            None => running.look(),
        }
    }
}
