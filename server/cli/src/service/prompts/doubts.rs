//! What waits for a decision and is committed all the same: an approval was taken back after the commit, or nobody had asked for
//! one.

use std::collections::BTreeSet;

use augment_core::file::{Body, FilePath};
use augment_core::review::TrackedFile;
use augment_core::view::View as _;
use augment_host::vcs::history::{Commit, History};
use tower_lsp_server::jsonrpc::Result;

use super::change::same;
use super::desk::{Desk, told};
use super::gathering::with_loose;
use super::tip_files::TipFiles;

/// What waits for a decision and is committed all the same.
#[derive(Default)]
pub(super) struct Doubted {
    /// The files, as they are called.
    files: Vec<String>,
    /// The commits that change them, each with the first of them, oldest first.
    pub(super) by: Vec<(Commit, String)>,
}

impl Doubted {
    pub(super) fn note(&self) -> Option<String> {
        (!self.files.is_empty()).then(|| {
            format!(
                "The commits hold what waits for a decision in {}, as after an approval that was taken back. Decide it \
                 (`augment-cli changes`), and commit what comes of it; or take the commit back with `augment-cli prompt undo`.",
                told_names(&self.files)
            )
        })
    }
}

/// Whether these commits hold what waits for a decision, whoever made them: an approval was taken back after the commit, or
/// nobody had asked for one.
pub(super) fn doubted(desk: &Desk, history: &dyn History, commits: &[Commit]) -> Result<Doubted> {
    let mut touched: Vec<(&Commit, BTreeSet<FilePath>)> = Vec::with_capacity(commits.len());
    for commit in commits {
        let paths = history.touched(&commit.id).map_err(|error| told(&error))?;
        touched.push((commit, paths.into_iter().collect()));
    }
    let paths: BTreeSet<FilePath> = touched.iter().flat_map(|(_, paths)| paths).cloned().collect();
    let files = desk.read(move |snapshot| {
        let known = paths.iter().map(|path| snapshot.view().file_at(path));
        known.filter_map(std::result::Result::transpose).collect::<std::result::Result<Vec<TrackedFile>, _>>()
    })?;
    let all = with_loose(desk, &files)?;
    let tip = TipFiles::new(desk, history, &all);
    let mut doubted = Doubted::default();
    let mut waiting = Vec::new();
    for file in files.iter().filter(|file| !file.weave.hunks().is_empty()) {
        let before = tip.before(file)?;
        let waits = matches!(&before.body, Body::Text(text) if file.weave.waits_in(text));
        if waits || same(&before, &file.weave.view()) {
            doubted.files.push(file.path().to_text());
            waiting.push(file);
        }
    }
    for (commit, paths) in touched {
        let changes = |file: &&&TrackedFile| {
            paths.contains(file.path()) || file.weave.other_names().into_iter().any(|name| paths.contains(name))
        };
        let first = waiting.iter().find(changes);
        doubted.by.extend(first.map(|file| (commit.clone(), file.path().to_text())));
    }
    Ok(doubted)
}

/// So many files are named; of more only how many they are.
const NAMED: usize = 5;

fn told_names(names: &[String]) -> String {
    match names.len().checked_sub(NAMED) {
        None | Some(0) => names.join(", "),
        Some(more) => format!("{} and {more} more", names[..NAMED].join(", ")),
    }
}
