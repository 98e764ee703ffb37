//! The JSON-RPC service: one door a connection, all doors on one runtime. A handler translates, posts to the mailbox
//! before its first await, and awaits the verdict; it never waits for a person or an agent, and it holds no state.

mod agents;
mod analytics;
mod archive;
mod changes;
mod demo;
pub(crate) mod door;
mod editing;
pub(crate) mod frames;
mod from_wire;
pub(crate) mod hello;
mod knowledge;
mod lsp;
mod methods;
mod prompts;
mod scan;
mod sessions;
mod settings_file;
mod timeline;
mod to_wire;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use augment_core::actor::Actor;
use augment_core::id::TaskId;
use augment_core::task::NAME_LIMIT;
use augment_core::text::{shortened, visible};
use augment_core::time::Wall;
use augment_host::archive::ArchiveIndex;
use augment_host::knowledge::LocalKnowledge;
use augment_host::runtime::Runtime;
use augment_host::store::StoreError;
use augment_host::token;
use augment_host::workspace::Workspace;
use tokio::sync::watch;

pub(crate) use agents::take_up;
pub(crate) use changes::{Unwatched, unwatched};

/// This program's version, which clients and hosts compare.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Whether the service outlives the command that uses it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A host with a socket.
    Lasting,
    /// In the process of one command, for that command.
    OneShot,
}

/// What all doors of one process share.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) runtime: Runtime,
    pub(crate) workspace: Workspace,
    pub(crate) kind: Kind,
    pub(crate) started: Wall,
    archive: ArchiveIndex,
    knowledge: LocalKnowledge,
    /// One command about prompts works at a time; in it, what the person's own shell had when they last said so.
    prompts: tokio::sync::Mutex<BTreeMap<String, String>>,
    person_token: String,
    clients: AtomicU32,
    /// How many windows of our own extension are open.
    windows: watch::Sender<u32>,
    leave: watch::Sender<Option<String>>,
}

impl Shared {
    pub(crate) fn new(runtime: Runtime, workspace: Workspace, kind: Kind, person_token: String) -> Self {
        let data = &workspace.places().data;
        Self {
            archive: ArchiveIndex::new(workspace.root(), data.join("archive.sqlite")),
            knowledge: LocalKnowledge::new(data.join("knowledge.sqlite")),
            prompts: tokio::sync::Mutex::default(),
            runtime,
            workspace,
            kind,
            started: augment_host::clock::wall(),
            person_token,
            clients: AtomicU32::new(0),
            windows: watch::Sender::new(0),
            leave: watch::Sender::new(None),
        }
    }

    /// Asks the whole process to leave; the first reason is kept.
    pub(crate) fn ask_to_leave(&self, reason: &str) {
        self.leave.send_if_modified(|leave| match leave {
            Some(_) => false,
            None => {
                *leave = Some(reason.to_owned());
                true
            }
        });
    }

    /// Follows whether the process has been asked to leave, and why.
    pub(crate) fn leaving(&self) -> watch::Receiver<Option<String>> {
        self.leave.subscribe()
    }

    /// A window has come, or gone.
    pub(crate) fn note_window(&self, comes: bool) {
        self.windows.send_modify(|count| *count = if comes { *count + 1 } else { count.saturating_sub(1) });
    }

    /// Follows how many windows there are.
    pub(crate) fn windows(&self) -> watch::Receiver<u32> {
        self.windows.subscribe()
    }

    pub(crate) fn clients(&self) -> u32 {
        self.clients.load(Ordering::Relaxed)
    }

    /// Who a token speaks for; `None` for one that is not known here.
    pub(crate) fn actor_of(&self, shown: &str) -> Result<Option<Actor>, StoreError> {
        if token::same(shown, &self.person_token) {
            return Ok(Some(Actor::Person { name: user_name() }));
        }
        let run = self.runtime.read(|snapshot| snapshot.run_of_token(token::hash(shown)))?;
        Ok(run.map(|run| Actor::Run { run: run.id }))
    }
}

/// Waits until the process has been asked to leave.
pub(crate) async fn has_to_leave(leaving: &mut watch::Receiver<Option<String>>) {
    // The sender lives in `Shared`, which every caller holds.
    if leaving.wait_for(Option::is_some).await.is_err() {
        std::future::pending::<()>().await;
    }
}

/// Counts a connection for as long as it lives.
#[derive(Debug)]
pub(crate) struct ClientGuard(Arc<Shared>);

impl ClientGuard {
    pub(crate) fn new(shared: Arc<Shared>) -> Self {
        shared.clients.fetch_add(1, Ordering::Relaxed);
        Self(shared)
    }
}

impl Drop for ClientGuard {
    fn drop(&mut self) {
        self.0.clients.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The person's name, as the environment or the system's list of users knows it.
fn user_name() -> String {
    let user = rustix::process::getuid().as_raw();
    let set = ["USER", "LOGNAME"].iter().find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()));
    let name = set.or_else(|| listed_name(user)).unwrap_or_else(|| format!("uid-{user}"));
    visible(&shortened(&name, NAME_LIMIT - 1)).into_owned()
}

fn listed_name(user: u32) -> Option<String> {
    let list = std::fs::read_to_string("/etc/passwd").ok()?;
    let entry = list.lines().map(|line| line.split(':').collect::<Vec<_>>());
    let own = entry.into_iter().find(|fields| fields.get(2).and_then(|id| id.parse().ok()) == Some(user))?;
    own.first().map(|name| (*name).to_owned())
}

/// The one task a typed id means, in a snapshot; the error is a refusal's sentence.
type Found = Result<TaskId, augment_core::refusal::Refusal>;
