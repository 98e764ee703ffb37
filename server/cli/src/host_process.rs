//! The host as a process: it owns a workspace, listens on its socket, and leaves by itself when nobody needs it. It is
//! nobody's child: it belongs to its own session, so that neither an editor nor a terminal takes it along.

use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use augment_core::session::{Session, SessionState};
use augment_core::settings::{IDLE_SECONDS, SESSION_CLOSE};
use augment_core::task::Status;
use augment_core::turn::{Input, PreviousEnd};
use augment_core::view::View as _;
use augment_host::owner::{self, Ownership};
use augment_host::runtime::{Moved, Runtime};
use augment_host::store::{LedgerQuery, Snapshot, Store, StoreError};
use augment_host::token;
use augment_host::workspace::{Places, Workspace};
use tokio::net::{UnixListener, UnixStream};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::task::JoinSet;
use tokio::time::Instant;

use crate::log_file::LogFile;
use crate::service::{Kind, Shared, VERSION, door, has_to_leave, hello, take_up};

/// How long to wait for commands that have the workspace for a moment.
const PATIENCE: Duration = Duration::from_secs(20);
/// How long open connections may take to finish when the host leaves.
const GOODBYE: Duration = Duration::from_secs(2);
/// How many connections one host serves.
const CONNECTIONS: usize = 256;

pub(crate) async fn run(workspace: &Workspace) -> anyhow::Result<()> {
    // Already the leader of a session when started by hand from a shell's job: then it stays there.
    if let Err(error) = rustix::process::setsid() {
        tracing::debug!("no session of its own: {error}");
    }
    #[cfg(target_os = "linux")]
    if let Err(error) = augment_host::agents::keeping::inherit() {
        tracing::warn!("what agents leave behind cannot be taken over: {error}");
    }
    let places = workspace.places();
    let Some(ownership) = own(places).await? else {
        // Another host has won; whoever started us will find it.
        ready();
        return Ok(());
    };
    keep_log(&places.log)?;
    let person_token = token::of_person(&places.token)?;
    let store = Store::open(&places.database)?;
    let runtime = Runtime::start(store, places)?;
    let previous = runtime.read(previous_end)?;
    let started = Input::HostStarted { pid: std::process::id(), version: VERSION.into(), previous };
    runtime.post(started).await?;
    runtime.watch_files()?;
    let shared = Arc::new(Shared::new(runtime, workspace.clone(), Kind::Lasting, person_token));
    take_up_runs(&shared).await?;
    let listener = listen(&places.socket)?;
    // Heard from before anybody knows of the host, so that nobody can end it in the middle of something.
    let signals = Signals { terminate: signal(SignalKind::terminate())?, interrupt: signal(SignalKind::interrupt())? };
    tracing::info!(version = VERSION, pid = std::process::id(), "listening on {}", places.socket.display());
    ready();
    let reason = serve_until_done(&listener, &shared, signals).await;
    tracing::info!("leaving: {reason}");
    // First nobody can come in any more, then what is under way is written, then the lock goes.
    drop(listener);
    if let Err(error) = std::fs::remove_file(&places.socket) {
        tracing::warn!("the socket could not be removed: {error}");
    }
    shared.runtime.stop(Some(reason)).await;
    drop(ownership);
    Ok(())
}

/// Takes up the runs of the host before this one.
async fn take_up_runs(shared: &Arc<Shared>) -> anyhow::Result<()> {
    let shared = shared.clone();
    Ok(tokio::task::spawn_blocking(move || take_up(&shared)).await?)
}

/// Tells whoever started the host that it can be called.
fn ready() {
    let mut output = std::io::stdout();
    if writeln!(output, "ready").and_then(|()| output.flush()).is_err() {
        tracing::debug!("nobody waits for the host to be ready");
    }
}

/// Takes the workspace; `None` if another host has it.
async fn own(places: &Places) -> anyhow::Result<Option<Ownership>> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        if let Some(ownership) = Ownership::try_take(places)? {
            return Ok(Some(ownership));
        }
        if UnixStream::connect(&places.socket).await.is_ok() {
            return Ok(None);
        }
        if Instant::now() >= deadline {
            let holder =
                owner::last_owner(places).map_or_else(|| "another process".into(), |pid| format!("process {pid}"));
            anyhow::bail!("{holder} has held the workspace for {} seconds. End it, or wait.", PATIENCE.as_secs());
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// How the host before this one ended, from its own last word in the ledger.
fn previous_end(snapshot: &Snapshot<'_>) -> Result<PreviousEnd, StoreError> {
    let last = LedgerQuery { topics: vec!["kind:host".into()], limit: 1, ..LedgerQuery::default() };
    Ok(match snapshot.records(&last)?.links.first().map(|link| link.record.kind.as_str()) {
        None => PreviousEnd::None,
        Some("host.stopped") => PreviousEnd::Clean,
        Some(_) => PreviousEnd::Killed,
    })
}

/// A socket in a folder that only this user can open. We own the workspace, so a socket that lies there is a dead one.
fn listen(socket: &Path) -> anyhow::Result<UnixListener> {
    let folder = socket.parent().unwrap_or(Path::new("/"));
    owner::private_folder(folder.parent().unwrap_or(folder))?;
    owner::private_folder(folder)?;
    match std::fs::remove_file(socket) {
        Ok(()) => {}
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
        Err(error) => anyhow::bail!("{} is in the way of the socket: {error}. Remove it.", socket.display()),
    }
    let listener = UnixListener::bind(socket)?;
    std::fs::set_permissions(socket, std::fs::Permissions::from_mode(0o600))?;
    Ok(listener)
}

/// The signals that ask the host to leave.
struct Signals {
    terminate: Signal,
    interrupt: Signal,
}

/// Serves connections until there is a reason to leave, and says it.
async fn serve_until_done(listener: &UnixListener, shared: &Arc<Shared>, mut signals: Signals) -> String {
    let mut doors = JoinSet::new();
    let mut leaving = shared.leaving();
    let mut moved = shared.runtime.moved();
    let mut idle_since = Instant::now();
    let mut windows = shared.windows();
    // Since when the last of the windows that there were is gone.
    let mut closed: Option<Instant> = None;
    loop {
        let seconds = |key| Duration::from_secs(u64::try_from(shared.runtime.settings().number(key)).unwrap_or(1));
        let left = closed.unwrap_or(idle_since) + seconds(SESSION_CLOSE);
        let patience = seconds(IDLE_SECONDS);
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) if doors.len() < CONNECTIONS => { doors.spawn(receive(stream, shared.clone())); }
                Ok((mut stream, _)) => {
                    tracing::warn!("there are {CONNECTIONS} connections already; one more was turned away");
                    hello::turn_away(&mut stream, CONNECTIONS).await;
                }
                Err(error) => {
                    // Out of file handles, most likely: wait for some to be given back.
                    tracing::warn!("a connection could not be accepted: {error}");
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
            },
            Some(_) = doors.join_next(), if !doors.is_empty() => {
                idle_since = Instant::now();
            }
            _ = signals.terminate.recv() => shared.ask_to_leave("it was told to terminate"),
            _ = signals.interrupt.recv() => shared.ask_to_leave("it was interrupted"),
            () = has_to_leave(&mut leaving) => break,
            () = mailbox_has_ended(&mut moved) => shared.ask_to_leave("its mailbox ended by itself"),
            Ok(()) = windows.changed() => {
                closed = (*windows.borrow_and_update() == 0).then(Instant::now);
            }
            () = tokio::time::sleep_until(left), if closed.is_some() => {
                leave_session(shared).await;
                // While an agent is at work the session stays, and is left once that has ended.
                closed = open_session(shared).await.map(|_| Instant::now());
            }
            () = tokio::time::sleep_until(idle_since + patience), if doors.is_empty() => {
                if is_idle(shared).await {
                    if closed.take().is_some() {
                        leave_session(shared).await;
                    }
                    shared.ask_to_leave("nobody needed it any more");
                }
                idle_since = Instant::now();
            }
        }
    }
    let finished = async { while doors.join_next().await.is_some() {} };
    if tokio::time::timeout(GOODBYE, finished).await.is_err() {
        tracing::warn!("a connection did not end in time");
    }
    let reason = leaving.borrow().clone();
    reason.unwrap_or_default()
}

/// The window was closed, and nobody came back: what is to be written of the session is written now.
async fn leave_session(shared: &Arc<Shared>) {
    let left = Input::SessionLeft { reason: "the window was closed".to_owned() };
    if let Err(error) = shared.runtime.post(left).await {
        tracing::warn!("{error}");
    }
}

/// Without its mailbox a host can do nothing but hold the workspace.
async fn mailbox_has_ended(moved: &mut tokio::sync::watch::Receiver<Moved>) {
    while moved.changed().await.is_ok() {}
}

/// Whether no task is being worked on, and no session waits for the person or for its first task. Without a host nobody
/// would keep agents from writing before the scope is confirmed, and nobody would see what they write.
async fn is_idle(shared: &Arc<Shared>) -> bool {
    let waits = open_session(shared).await.is_some_and(|session| match session.state {
        SessionState::Planned | SessionState::Confirmed | SessionState::Checkpoint => true,
        SessionState::Working | SessionState::Ending | SessionState::Ended | SessionState::Abandoned => false,
    });
    let active = read(shared, |snapshot| Ok(snapshot.counts()?.of(Status::InProgress))).await;
    !waits && active.is_none_or(|active| active == 0)
}

/// The session that is under way, as far as it can be read.
async fn open_session(shared: &Arc<Shared>) -> Option<Session> {
    read(shared, |snapshot| snapshot.view().session()).await.flatten()
}

async fn read<T: Send + 'static>(
    shared: &Arc<Shared>,
    read: impl FnOnce(&Snapshot<'_>) -> Result<T, StoreError> + Send + 'static,
) -> Option<T> {
    let shared = shared.clone();
    match tokio::task::spawn_blocking(move || shared.runtime.read(read)).await {
        Ok(Ok(found)) => Some(found),
        Ok(Err(error)) => {
            tracing::warn!("{error}");
            None
        }
        Err(_) => None,
    }
}

async fn receive(mut stream: UnixStream, shared: Arc<Shared>) {
    let own = rustix::process::getuid().as_raw();
    let peer = match stream.peer_cred() {
        Ok(peer) if peer.uid() == own => peer,
        Ok(_) | Err(_) => {
            tracing::warn!("a connection from another user was turned away");
            return;
        }
    };
    let caller = peer.pid().and_then(|pid| u32::try_from(pid).ok());
    match hello::admit(&mut stream, &shared, caller).await {
        Ok(hello::Admission::Welcome(actor)) => {
            let (reader, writer) = stream.into_split();
            door::serve(reader, writer, shared, actor).await;
        }
        Ok(hello::Admission::HandOver) => shared.ask_to_leave("a newer program takes over"),
        Ok(hello::Admission::Refused) => {}
        Err(error) => tracing::debug!("a connection ended before its hello: {error}"),
    }
}

/// Sends the log to its file, and panics to the log.
fn keep_log(path: &Path) -> anyhow::Result<()> {
    let file = LogFile::open(path)?;
    let filter = tracing_subscriber::EnvFilter::try_from_env("AUGMENT_LOG")
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("info,tower_lsp_server=warn"));
    let log =
        tracing_subscriber::fmt().with_writer(std::sync::Mutex::new(file)).with_ansi(false).with_env_filter(filter);
    if log.try_init().is_err() {
        tracing::debug!("a log was there already");
    }
    std::panic::set_hook(Box::new(|panic| tracing::error!("{panic}")));
    Ok(())
}
