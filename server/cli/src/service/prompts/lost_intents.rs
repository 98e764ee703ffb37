//! Intents that are not in what is checked out any more, since somebody has taken them back with other means than ours.

use augment_core::file::FilePath;
use augment_core::prompt::{Intent, Prompt, PromptState, Role, Writing};
use augment_core::view::View as _;
use augment_host::vcs::history::History;
use tower_lsp_server::jsonrpc::Result;

use super::desk::{Desk, told};

/// Intents that are not in what is checked out any more: somebody has taken them back with other means than ours.
#[derive(Default)]
pub(super) struct Lost {
    texts: Vec<String>,
    pub(super) files: Vec<FilePath>,
}

impl Lost {
    pub(super) fn notes(&self) -> impl Iterator<Item = String> {
        self.texts.iter().map(|text| {
            format!("`{text}` is not in what is checked out any more. What it held is uncommitted again, where it is still there.")
        })
    }
}

/// The intents of an open prompt that are gone. What is under way to be finished is looked after by its commit's name.
pub(super) fn lost(history: &dyn History, prompt: &Prompt) -> Result<Lost> {
    let mut lost = Lost::default();
    if prompt.state != PromptState::Open || prompt.intents.is_empty() {
        return Ok(lost);
    }
    let base = prompt.base.as_ref().map(|base| base.commit.as_str());
    let since = history.since(base).map_err(|error| told(&error))?;
    let is_there = |intent: &Intent| {
        intent.role == Role::Before
            || since.iter().any(|(commit, _)| commit.id == intent.commit || commit.name() == intent.change)
    };
    for intent in prompt.intents.iter().filter(|intent| !is_there(intent)) {
        lost.texts.push(intent.text.clone());
        let written = prompt.written.iter().filter(|written| written.commit == intent.commit);
        let files = written.flat_map(|written| match &written.writing {
            Writing::Commit { files, .. } => files.as_slice(),
            Writing::Synthesis(_) => &[],
        });
        lost.files.extend(files.filter_map(|path| FilePath::from_text(path).ok()));
    }
    Ok(lost)
}

/// The intents of the prompt under way that are gone, if there is one.
pub(super) fn lost_now(desk: &Desk, history: &dyn History) -> Result<Lost> {
    match desk.read(|snapshot| snapshot.view().prompt())? {
        Some(prompt) => lost(history, &prompt),
        None => Ok(Lost::default()),
    }
}
