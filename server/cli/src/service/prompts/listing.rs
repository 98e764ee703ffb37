//! What is under way, and what the history holds of earlier sessions, in whatever form they were written.

use augment_core::prompt::message::{is_session, read};
use augment_core::prompt::{Prompt, PromptState, Role, Writing};
use augment_core::view::View as _;
use augment_host::vcs::history::{Commit, History};
use augment_protocol::prompts as wire;
use tower_lsp_server::jsonrpc::Result;

use super::desk::{Desk, told};
use super::grouping::groups;
use super::to_wire;

const PAGE: u32 = 20;
const LARGEST_PAGE: u32 = 500;
/// How far the history is read for sessions, and how many ids of each are looked up.
const COMMITS: usize = 5_000;
const RESOLVED: usize = 50;
/// How long the messages of one answer may be together: each stands in it about twice, and a frame holds 16 MiB.
const MESSAGE_BYTES: usize = 3 * 1_024 * 1_024;

pub(super) fn status(desk: &Desk, mut notes: Vec<String>) -> Result<wire::PromptStatus> {
    let (prompt, waiting, revision) =
        desk.read(|snapshot| Ok((snapshot.view().prompt()?, snapshot.pending_counts()?.hunks, snapshot.revision()?)))?;
    let uncommitted = match desk.history() {
        Ok(history) => {
            groups(desk, history.as_ref(), &[], prompt.as_ref().map(|prompt| &prompt.began), &mut Vec::new())?
                .iter()
                .map(to_wire::group)
                .collect()
        }
        Err(error) => {
            notes.push(error.message.into_owned());
            Vec::new()
        }
    };
    if prompt.as_ref().is_some_and(Prompt::is_begun) {
        notes.push(
            "Something was interrupted while it was written or taken back. The next command finds out what became of it."
                .into(),
        );
    }
    if prompt.as_ref().is_some_and(|prompt| prompt.state == PromptState::Open && prompt.context.is_empty()) {
        notes.push(
            "It has no context yet, which its session's commit needs: `augment-cli prompt context \"…\"`.".into(),
        );
    }
    let interrupted = prompt.as_ref().and_then(interrupted);
    let prompt = prompt.as_ref().map(to_wire::prompt);
    Ok(wire::PromptStatus { prompt, uncommitted, waiting, interrupted, notes, revision })
}

/// Which command was interrupted, by what it had announced.
fn interrupted(prompt: &Prompt) -> Option<wire::Interrupted> {
    let announced = prompt.writing.as_ref().map(|writing| match writing {
        Writing::Commit { role: Role::Work, .. } => wire::Interrupted::Intent,
        Writing::Commit { role: Role::Before, .. } => wire::Interrupted::Start,
        Writing::Commit { role: Role::Report, .. } => wire::Interrupted::Report,
        Writing::Synthesis(_) => wire::Interrupted::Finish,
    });
    announced.or(prompt.taking_back.then_some(wire::Interrupted::Undo))
}

pub(super) fn list(desk: &Desk, wanted: &wire::ListPrompts) -> Result<wire::PromptList> {
    let limit = usize::try_from(wanted.limit.unwrap_or(PAGE).clamp(1, LARGEST_PAGE)).unwrap_or(1);
    let (prompts, revision) = desk.read(move |snapshot| Ok((snapshot.prompts(limit)?, snapshot.revision()?)))?;
    let history = desk.history()?;
    let commits = history.lineage(wanted.branch.as_deref(), COMMITS).map_err(|error| told(&error))?;
    let mut bytes = 0;
    let fits = |commit: &&Commit| {
        bytes += commit.message.len();
        bytes <= MESSAGE_BYTES
    };
    let found = commits.iter().filter(|commit| is_session(&commit.message)).take(limit).take_while(fits);
    let sessions = found.map(|commit| session(history.as_ref(), commit)).collect::<Result<_>>()?;
    Ok(wire::PromptList { prompts: prompts.iter().map(to_wire::prompt).collect(), sessions, revision })
}

fn session(history: &dyn History, commit: &Commit) -> Result<wire::SessionCommit> {
    let reading = read(&commit.message);
    let mut squashed = Vec::new();
    for (at, change) in reading.message.squashed.into_iter().enumerate() {
        let found = if at < RESOLVED { history.find(&change).map_err(|error| told(&error))? } else { None };
        squashed.push(wire::NamedChange { change, commit: found.map(|found| found.id) });
    }
    Ok(wire::SessionCommit {
        commit: commit.id.clone(),
        change: commit.change.clone(),
        summary: reading.message.summary,
        stamp: reading.message.stamp,
        time_ms: commit.time.saturating_mul(1_000),
        prompt: reading.message.prompt,
        context: reading.message.context,
        changes: reading.message.changes,
        squashed,
        lacks: reading.lacks.iter().map(ToString::to_string).collect(),
        message: commit.message.clone(),
    })
}
