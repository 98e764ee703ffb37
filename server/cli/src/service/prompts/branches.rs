//! Which branch is moved, where another one is checked out than a prompt began on. jj has no branch that is checked out.

use augment_core::prompt::Prompt;
use augment_core::text::{shell_word, visible};
use augment_host::vcs::history::{History, HistoryError, System};
use augment_protocol::REFUSED;
use tower_lsp_server::jsonrpc::Result;

use super::desk::told;
use crate::service::methods::no;

/// The branch that a prompt began on, and what is moved instead of it.
struct Elsewhere {
    began: String,
    /// In words: `other is checked out`.
    state: String,
    /// A branch, or HEAD alone.
    moved: String,
}

fn elsewhere(history: &dyn History, prompt: &Prompt) -> Result<Option<Elsewhere>> {
    let Some(began) = prompt.branch.clone().filter(|_| history.system() == System::Git) else { return Ok(None) };
    let branch = history.ground().map_err(|error| told(&error))?.branch;
    Ok(match branch {
        Some(branch) if branch == began => None,
        Some(branch) => {
            let moved = visible(&branch).into_owned();
            Some(Elsewhere { began, state: format!("{moved} is checked out"), moved })
        }
        None => Some(Elsewhere { began, state: "no branch is checked out".to_owned(), moved: "HEAD".to_owned() }),
    })
}

/// What is to be heard where a session's commit is made on another branch.
pub(super) fn finished_elsewhere(history: &dyn History, prompt: &Prompt) -> Result<Option<String>> {
    let note = |Elsewhere { began, state, moved }| {
        format!(
            "Prompt {} began on {began}, and {state}: the session's commit is made on {moved}, and {began} stays where it is.",
            prompt.id,
            began = visible(&began)
        )
    };
    Ok(elsewhere(history, prompt)?.map(note))
}

/// The same where a commit is taken back. Refused where the prompt's own branch would keep it.
pub(super) fn taken_back_elsewhere(history: &dyn History, prompt: &Prompt, commit: &str) -> Result<Option<String>> {
    let Some(Elsewhere { began, state, moved }) = elsewhere(history, prompt)? else { return Ok(None) };
    let (id, name) = (prompt.id, visible(&began));
    if holds(history, &began, commit)? {
        let message = format!(
            "Prompt {id} began on {name}, and {state}: {short} would be taken back from {moved} alone, and {name} would keep \
             it. Check {name} out (`git switch {word}`), then repeat.",
            short = commit.get(..12).unwrap_or(commit),
            word = shell_word(&began)
        );
        return Err(no(REFUSED, "other-branch", message));
    }
    Ok(Some(format!("Prompt {id} began on {name}, and {state}: only {moved} moves, and {name} stays where it is.")))
}

/// Whether a branch has a commit in it. One that is gone has none, nor has it a commit that is gone.
fn holds(history: &dyn History, branch: &str, commit: &str) -> Result<bool> {
    let tip = match history.lineage(Some(branch), 1) {
        Ok(tips) => tips.into_iter().next(),
        Err(HistoryError::Unknown { .. }) => None,
        Err(error) => return Err(told(&error)),
    };
    let Some(tip) = tip else { return Ok(false) };
    match history.is_ancestor(&tip.id, commit) {
        Err(HistoryError::Unknown { .. }) => Ok(false),
        held => held.map_err(|error| told(&error)),
    }
}
