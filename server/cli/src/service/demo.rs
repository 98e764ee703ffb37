//! The handler about the demo: it gathers what is so, and the rule says how far that is.

use augment_core::demo::{self, Facts, Stage};
use augment_core::session::SessionState;
use augment_core::view::View as _;
use augment_host::demo::is_demo;
use augment_host::store::{Snapshot, StoreError};
use augment_protocol::demo as wire;
use augment_protocol::status::Nothing;
use tower_lsp_server::jsonrpc::Result;

use super::methods::{Door, snapshot};

/// How many sessions are looked through for one that ended with work in it.
const SESSIONS: usize = 20;
/// How many runs are looked through for the built-in agent's.
const RUNS: usize = 100;

impl Door {
    pub(super) async fn demo_status(&self, _: Nothing) -> Result<wire::DemoStatus> {
        let places = self.shared.workspace.places().clone();
        snapshot(&self.shared, move |snapshot| if is_demo(&places) { status(snapshot) } else { Ok(no_demo()) }).await
    }
}

fn no_demo() -> wire::DemoStatus {
    wire::DemoStatus { stage: None, agent: demo::AGENT.to_owned(), task: None, question: None, pending: 0 }
}

fn status(snapshot: &Snapshot<'_>) -> std::result::Result<wire::DemoStatus, StoreError> {
    let view = snapshot.view();
    let task = view.open_task_titled(demo::TASK)?;
    let mut is_run_active = false;
    for run in view.active_runs(RUNS)? {
        is_run_active |= snapshot.run(run)?.is_some_and(|run| run.agent == demo::AGENT);
    }
    let question = snapshot.open_questions(1)?.into_iter().next();
    let pending = snapshot.pending_counts()?.hunks;
    let sessions = snapshot.session_list(SESSIONS)?;
    let mut ended = sessions.iter().filter(|session| session.state == SessionState::Ended).peekable();
    let facts = Facts {
        session: view.session()?.map(|session| session.state),
        has_ended: ended.peek().is_some(),
        is_gone_through: ended
            .flat_map(|session| &session.items)
            .any(|item| item.title == demo::TASK && item.end.is_some()),
        is_task_open: task.is_some(),
        is_run_active,
        is_asked: question.is_some(),
        pending_hunks: pending,
    };
    Ok(wire::DemoStatus {
        stage: Some(to_wire(demo::stage(&facts))),
        task: task.map(|task| task.to_string()),
        question: question.map(|question| question.id.to_string()),
        pending,
        ..no_demo()
    })
}

fn to_wire(stage: Stage) -> wire::DemoStage {
    match stage {
        Stage::Start => wire::DemoStage::Start,
        Stage::Confirm => wire::DemoStage::Confirm,
        Stage::StartAgent => wire::DemoStage::StartAgent,
        Stage::Watch => wire::DemoStage::Watch,
        Stage::Answer => wire::DemoStage::Answer,
        Stage::Review => wire::DemoStage::Review,
        Stage::End => wire::DemoStage::End,
        Stage::Done => wire::DemoStage::Done,
    }
}
