//! Finding a way to the service of a workspace: the host that runs, one that is started, or this very process. However
//! it is reached, it is the same service.

use std::path::PathBuf;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use augment_core::text::visible;
use augment_host::agents::processes::is_kept;
use augment_host::own_program;
use augment_host::owner::{self, OwnerError, Ownership};
use augment_host::runtime::Runtime;
use augment_host::store::{Store, StoreError};
use augment_host::token::{self, TokenError};
use augment_host::workspace::Workspace;
use augment_protocol::PROTOCOL_VERSION;
use augment_protocol::hello::{ClientHello, HostHello};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, BufReader};
use tokio::net::UnixStream;
use tokio::time::Instant;

use crate::client::{CallError, Client};
use crate::service::{Kind, Shared, VERSION, door, hello};

/// How long to wait for others to let go of the workspace, or for a host to come up.
const PATIENCE: Duration = Duration::from_secs(30);
/// The environment variable that makes this process speak for a run, and for nothing else.
pub(crate) const TOKEN_VARIABLE: &str = "AUGMENT_TOKEN";

/// How long the connection is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wish {
    /// One command: the host that runs, else this process; nothing stays behind.
    OneShot,
    /// Following what happens: the host that runs, else one that is started and stays.
    Lasting,
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum ConnectError {
    #[error(transparent)]
    Owner(#[from] OwnerError),
    #[error(transparent)]
    Token(#[from] TokenError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("{}", visible(message))]
    Refused { code: String, message: String },
    #[error("Another user owns the socket {}. It is not used; remove it if you can.", path.display())]
    ForeignSocket { path: PathBuf },
    #[error("The workspace is busy: process {} has held it for {} seconds. Try again, or look at what it does.", pid.map_or_else(|| "?".into(), |pid| pid.to_string()), PATIENCE.as_secs())]
    Busy { pid: Option<u32> },
    #[error("The host could not be started: {reason}")]
    NotStarted { reason: String },
    #[error("The connection to the host broke: {0}. Try again.")]
    Broken(std::io::Error),
    #[error(transparent)]
    Call(#[from] CallError),
}

/// A client of the workspace's service.
pub(crate) async fn connect(workspace: &Workspace, wish: Wish) -> Result<Client, ConnectError> {
    loop {
        match reach(workspace, wish).await? {
            Reached::Host(stream) => match client_of(stream).await {
                // It left between its hello and our first word, so nothing was asked of it yet.
                Err(ConnectError::Call(CallError::Disconnected)) => {}
                answer => return answer,
            },
            Reached::Owned(ownership) => return in_process(workspace, ownership).await,
        }
    }
}

/// A client of the host that runs, if one does.
pub(crate) async fn existing(workspace: &Workspace) -> Result<Option<Client>, ConnectError> {
    match call_host(workspace, Wish::OneShot).await? {
        Called::Answered(stream) => client_of(stream).await.map(Some),
        Called::Leaving | Called::Nobody => Ok(None),
    }
}

/// A stream to the host, its hello done; a host is started if there is none.
pub(crate) async fn lasting_stream(workspace: &Workspace) -> Result<UnixStream, ConnectError> {
    match reach(workspace, Wish::Lasting).await? {
        Reached::Host(stream) => Ok(stream),
        Reached::Owned(_) => Err(ConnectError::NotStarted { reason: "no host answered.".into() }),
    }
}

async fn client_of(stream: UnixStream) -> Result<Client, ConnectError> {
    let (reader, writer) = stream.into_split();
    Ok(Client::start(Box::new(reader), Box::new(writer)).await?)
}

enum Reached {
    Host(UnixStream),
    /// There is no host, and this process may do the work.
    Owned(Ownership),
}

async fn reach(workspace: &Workspace, wish: Wish) -> Result<Reached, ConnectError> {
    let is_kept = is_kept(std::process::id());
    if is_kept && run_token().is_none() {
        return Err(ConnectError::Refused { code: "role-may-not".into(), message: hello::NOT_A_PERSON.into() });
    }
    let deadline = Instant::now() + PATIENCE;
    let mut pause = Duration::from_millis(1);
    loop {
        match (call_host(workspace, wish).await?, wish) {
            (Called::Answered(stream), _) => return Ok(Reached::Host(stream)),
            (Called::Nobody, Wish::OneShot) => {
                if let Some(ownership) = Ownership::try_take(workspace.places())? {
                    return Ok(Reached::Owned(ownership));
                }
            }
            (Called::Nobody, Wish::Lasting) if is_kept => {
                let reason = "an agent's process starts none, since it would end with the run. Try again in a moment.";
                return Err(ConnectError::NotStarted { reason: reason.into() });
            }
            (Called::Nobody, Wish::Lasting) => {
                start_host(workspace).await?;
                // Whoever won the race to be the host, somebody answers now.
                if let Called::Answered(stream) = call_host(workspace, wish).await? {
                    return Ok(Reached::Host(stream));
                }
            }
            (Called::Leaving, _) => {}
        }
        if Instant::now() >= deadline {
            return Err(ConnectError::Busy { pid: owner::last_owner(workspace.places()) });
        }
        // Another command has the workspace for a few milliseconds, or a host is leaving.
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

enum Called {
    Answered(UnixStream),
    /// A host was there, but is going away.
    Leaving,
    Nobody,
}

/// Calls the host that may be there. Who wants one that lasts makes an older one hand over; a single command is served
/// by an older one just as well, and would leave none behind.
async fn call_host(workspace: &Workspace, wish: Wish) -> Result<Called, ConnectError> {
    let Some(mut stream) = dial(workspace).await? else {
        return Ok(Called::Nobody);
    };
    let token = own_token(workspace)?;
    let mut words = ClientHello {
        protocol: PROTOCOL_VERSION,
        token,
        version: VERSION.into(),
        client: "cli".into(),
        hand_over: false,
    };
    let older = match hello::greet(&mut stream, &words).await {
        Ok(HostHello::Welcome { version, role, .. }) => {
            wish == Wish::Lasting && role == "person" && hello::version(&version) < hello::version(VERSION)
        }
        Ok(HostHello::HandingOver) => return Ok(Called::Leaving),
        // It speaks another protocol: older or newer, that shows when it is asked to leave.
        Ok(HostHello::Refused { code, .. }) if code == "other-protocol" => true,
        Ok(HostHello::Refused { code, message }) => return Err(ConnectError::Refused { code, message }),
        // It closed the door while we knocked: it is leaving.
        Err(_) => return Ok(Called::Leaving),
    };
    if !older {
        return Ok(Called::Answered(stream));
    }
    drop(stream);
    words.hand_over = true;
    if let Some(mut stream) = dial(workspace).await?
        && let Ok(HostHello::Refused { code, message }) = hello::greet(&mut stream, &words).await
    {
        return Err(ConnectError::Refused { code, message });
    }
    Ok(Called::Leaving)
}

/// A connection to the socket, if somebody listens there and it is this user.
async fn dial(workspace: &Workspace) -> Result<Option<UnixStream>, ConnectError> {
    let path = &workspace.places().socket;
    let Ok(stream) = UnixStream::connect(path).await else {
        return Ok(None);
    };
    let peer = stream.peer_cred().map_err(ConnectError::Broken)?;
    if peer.uid() != rustix::process::getuid().as_raw() {
        return Err(ConnectError::ForeignSocket { path: path.clone() });
    }
    Ok(Some(stream))
}

/// What this process shows at the door: a run's token if it was given one, and then never the person's.
fn own_token(workspace: &Workspace) -> Result<String, ConnectError> {
    match run_token() {
        Some(token) => Ok(token),
        None => Ok(token::read_person(&workspace.places().token)?),
    }
}

/// The run that this process speaks for, if it does.
fn run_token() -> Option<String> {
    std::env::var(TOKEN_VARIABLE).ok().filter(|token| !token.is_empty())
}

/// The service in this process, for one command. Whoever lets go of it waits until what its loop has begun by itself is
/// finished, since that would end with the process: a session that was left is never ended by halves.
struct InProcess(Arc<Shared>);

impl Drop for InProcess {
    fn drop(&mut self) {
        self.0.runtime.finish_own();
    }
}

/// Runs the service here, over a pipe in memory.
async fn in_process(workspace: &Workspace, ownership: Ownership) -> Result<Client, ConnectError> {
    let places = workspace.places();
    let person_token = token::of_person(&places.token)?;
    let store = Store::open(&places.database)?;
    let runtime = Runtime::start(store, places).map_err(ConnectError::Broken)?;
    runtime.finish_begun().await;
    let shared = Arc::new(Shared::new(runtime, workspace.clone(), Kind::OneShot, person_token));
    let here = InProcess(shared.clone());
    let (near, mut far) = tokio::io::duplex(64 * 1_024);
    let words = ClientHello {
        protocol: PROTOCOL_VERSION,
        token: own_token(workspace)?,
        version: VERSION.into(),
        client: "cli".into(),
        hand_over: false,
    };
    tokio::spawn(async move {
        // The workspace stays ours until the process ends.
        let _ownership = ownership;
        if let Ok(hello::Admission::Welcome(actor)) = hello::admit(&mut far, &shared, None).await {
            let (reader, writer) = tokio::io::split(far);
            door::serve(reader, writer, shared, actor).await;
        }
    });
    let mut near = near;
    match hello::greet(&mut near, &words).await.map_err(ConnectError::Broken)? {
        HostHello::Welcome { .. } | HostHello::HandingOver => {}
        HostHello::Refused { code, message } => return Err(ConnectError::Refused { code, message }),
    }
    let (reader, writer) = tokio::io::split(near);
    Ok(Client::start(Box::new(reader), Box::new(writer)).await?.holding(here))
}

/// Starts a host that outlives this process, and waits until it answers or says why it cannot.
async fn start_host(workspace: &Workspace) -> Result<(), ConnectError> {
    let not_started = |reason: String| ConnectError::NotStarted { reason };
    let program =
        own_program::path().ok_or_else(|| not_started("the system does not tell where its program is.".into()))?;
    let mut child = tokio::process::Command::new(program)
        .args(["host", "run", "--workspace"])
        .arg(workspace.root())
        .env_remove(TOKEN_VARIABLE)
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| not_started(format!("{error}.")))?;
    let (Some(stdout), Some(stderr)) = (child.stdout.take(), child.stderr.take()) else {
        return Err(not_started("its output is out of reach.".into()));
    };
    let mut said = String::new();
    let ready = tokio::time::timeout(PATIENCE, BufReader::new(stdout).read_line(&mut said)).await;
    if matches!(ready, Ok(Ok(1..))) {
        return Ok(());
    }
    let mut complaint = String::new();
    let heard = tokio::time::timeout(Duration::from_secs(1), stderr.take(4_096).read_to_string(&mut complaint)).await;
    if heard.is_err() {
        tracing::debug!("the host said nothing on its standard error");
    }
    let complaint = complaint.trim().trim_start_matches("error: ");
    let reason = if complaint.is_empty() {
        format!("it gave no sign of life. Its log is {}.", workspace.places().log.display())
    } else {
        visible(complaint).into_owned()
    };
    Err(not_started(reason))
}
