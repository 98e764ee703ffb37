//! A hook where no host runs: the state is only read, and only a no is said, that of a session whose scope is not confirmed.
//! Nothing of the hook is kept, so nothing else that a host would say of it is said.

use std::path::Path;

use augment_core::actor::Actor;
use augment_core::run::{self, Leave};
use augment_core::session::SessionState;
use augment_core::turn::{Answer, Command, Input, decide};
use augment_core::view::View as _;
use augment_host::clock;
use augment_host::store::{Reader, Snapshot, StoreError};
use augment_host::workspace::{Workspace, inside};
use augment_protocol::agents::{HookDecision, HookMoment, HookSeen, HookVerdict};

/// The no of a session that waits for its scope. Blocks on the disk.
pub(super) fn verdict(workspace: &Workspace, seen: HookSeen) -> Option<HookVerdict> {
    if seen.moment != HookMoment::BeforeTool || !workspace.places().database.exists() {
        return None;
    }
    let root = workspace.root();
    let writes: Vec<String> = seen.writes.iter().filter_map(|path| inside(root, Path::new(path))).collect();
    let is_elsewhere = writes.is_empty() && !seen.writes.is_empty();
    let hook = run::HookSeen {
        agent: seen.agent,
        moment: run::HookMoment::BeforeTool,
        writes,
        only_reads: seen.only_reads || is_elsewhere,
        failure: None,
        leave: Leave::Ask,
    };
    let denied = Reader::open(&workspace.places().database)
        .and_then(|mut state| state.snapshot(|snapshot| denied(snapshot, hook)));
    match denied {
        Ok(reason) => reason.map(|reason| HookVerdict { decision: HookDecision::Deny, reason }),
        Err(error) => {
            tracing::debug!("{error}");
            None
        }
    }
}

fn denied(snapshot: &Snapshot<'_>, hook: run::HookSeen) -> Result<Option<String>, StoreError> {
    let view = snapshot.view();
    if !view.session()?.is_some_and(|session| session.state == SessionState::Planned) {
        return Ok(None);
    }
    let input = Input::Asked { actor: Actor::Host, command: Command::HookSeen(hook) };
    Ok(match decide(&view, &input, &clock::now())?.verdict {
        Ok(Answer::Hook(run::HookVerdict::Deny { reason })) => Some(reason),
        Ok(_) | Err(_) => None,
    })
}
