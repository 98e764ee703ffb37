//! `hook`: one event of an agent's hook. It is told to the host that runs, and what the host says of it is printed in the
//! agent's own form.
//!
//! The agent waits for this process, and some agents take an exit code or words that they do not expect for a no. So
//! there is one rule: whatever goes wrong, and however long it takes, the exit code is 0, nothing is printed on stdout,
//! and stderr has one line. No host is ever started here; where none runs, the state alone tells whether a session waits
//! for its scope, before which nothing may be written.

mod event;
mod verdict;
mod without_host;
mod writes;

use std::ffi::OsString;
use std::io::{self, Read};
use std::path::PathBuf;
use std::time::Duration;

use augment_core::text::{quoted, shortened, visible};
use augment_host::workspace::Workspace;
use augment_protocol::agents::HookVerdict;
use augment_protocol::methods::RunHook;

use super::{Ended, Ending, Failure, Session};
use crate::args::HookArgs;
use crate::connect;
use event::{Agent, Event};

/// The longest event that is read.
const LONGEST: u64 = 4 * 1_024 * 1_024;
/// All that is done for one event, together.
const PATIENCE: Duration = Duration::from_secs(3);

pub(super) async fn run(session: &Session, args: HookArgs) -> Ended {
    let said = match tokio::time::timeout(PATIENCE, heard(session, args.words)).await {
        Ok(Ok(said)) => said,
        Ok(Err(problem)) => return untold(session, &problem),
        Err(_) => return untold(session, &format!("it took more than {} seconds", PATIENCE.as_secs())),
    };
    if let Some(said) = said
        && let Err(error) = session.output.raw(format!("{said}\n").as_bytes())
    {
        return untold(session, &format!("the answer cannot be printed ({error:?})"));
    }
    Ok(Ending::Done)
}

fn untold(session: &Session, problem: &str) -> Ended {
    let problem = visible(problem);
    session.output.tell(&format!("augment-cli hook: {}. The agent goes on.", shortened(&problem, 500)));
    Ok(Ending::Done)
}

/// What is to be printed, if anything.
async fn heard(session: &Session, words: Vec<OsString>) -> Result<Option<String>, String> {
    let mut words = words.into_iter();
    let name = words.next().unwrap_or_default();
    let agent = Agent::from_name(&name.to_string_lossy()).ok_or_else(|| {
        let known = Agent::ALL.map(Agent::name).join(", ");
        format!("{} is no agent whose hooks are known ({known})", quoted(&name.to_string_lossy()))
    })?;
    let bytes = match words.next() {
        Some(event) => event.into_encoded_bytes(),
        None => read_stdin().await?,
    };
    if bytes.len() as u64 > LONGEST {
        return Err(format!("the event is longer than {LONGEST} bytes"));
    }
    let event = serde_json::from_slice(&bytes).map_err(|error| format!("the event is no JSON ({error})"))?;
    let event = Event::understand(agent, &event)?;
    let verdict = ask(session, &event).await?;
    Ok(verdict::written(&event, &verdict))
}

async fn read_stdin() -> Result<Vec<u8>, String> {
    let read = tokio::task::spawn_blocking(|| {
        let mut bytes = Vec::new();
        io::stdin().lock().take(LONGEST + 1).read_to_end(&mut bytes).map(|_| bytes)
    });
    match read.await {
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(error)) => Err(format!("stdin cannot be read ({error})")),
        Err(error) => Err(format!("stdin cannot be read ({error})")),
    }
}

async fn ask(session: &Session, event: &Event) -> Result<HookVerdict, String> {
    let workspace = workspace(session, event)?;
    let told = |error: Failure| match error {
        Failure::Told { message, .. } => message.trim_end_matches('.').to_owned(),
        Failure::Closed | Failure::Interrupted => "it was given up".to_owned(),
    };
    let client = connect::existing(&workspace).await.map_err(|error| told(error.into()))?;
    let Some(mut client) = client else {
        let seen = event.seen();
        let nobody = format!("no host runs for {}", workspace.root().display());
        let found = tokio::task::spawn_blocking(move || without_host::verdict(&workspace, seen)).await;
        return found.ok().flatten().ok_or(nobody);
    };
    client.call::<RunHook>(event.seen()).await.map_err(|error| told(error.into()))
}

/// The workspace that was named, else the one around the folder that the agent works in.
fn workspace(session: &Session, event: &Event) -> Result<Workspace, String> {
    let named = session.global.workspace.as_ref().is_some_and(|folder| !folder.as_os_str().is_empty());
    let found = match &event.folder {
        Some(folder) if !named => Workspace::locate(&PathBuf::from(folder)).map_err(|error| error.to_string()),
        Some(_) | None => session.workspace().map_err(|failure| match failure {
            Failure::Told { message, .. } => message,
            Failure::Closed | Failure::Interrupted => String::new(),
        }),
    };
    found.map_err(|message| message.trim_end_matches('.').to_owned())
}
