//! What is approved and not committed, put together by whose it is, and the token that a person's word about it is bound to.

use std::collections::{BTreeMap, BTreeSet};

use augment_core::attribution::Author;
use augment_core::file::{Body, ContentHash, FilePath, FileState};
use augment_core::id::TaskId;
use augment_core::prompt::Began;
use augment_core::weave::Weave;
use augment_host::store::Snapshot;
use augment_host::vcs::history::History;
use tower_lsp_server::jsonrpc::Result;

use super::at_start::AtStart;
use super::change::{holding, on_disk, place_of, same};
use super::desk::Desk;
use super::gathering::{Which, is_left_out, left_out_note, not_takable, of_task, since, tracked};
use super::lost_intents::lost_now;
use super::tip_files::{TipFiles, state_of};

/// Changes that belong together.
pub(super) struct Group {
    pub(super) which: Which,
    pub(super) task: Option<TaskId>,
    pub(super) about: String,
    pub(super) intent: String,
    pub(super) files: Vec<FilePath>,
    /// What each file would be, in the same order.
    pub(super) holding: Vec<String>,
}

/// Stands for exactly these groups on that commit: what a person's word about what was shown is bound to.
pub(super) fn confirm_token(groups: &[Group], tip: Option<&str>) -> String {
    // Each part with its length, so that no two are written alike.
    let mut text = format!("start {}\n", tip.unwrap_or("-"));
    for group in groups {
        text += &format!("{}\n", group.holding.len());
        for part in [&group.about, &group.intent].into_iter().chain(&group.holding) {
            text += &format!("{} {part}\n", part.len());
        }
    }
    ContentHash::of(text.as_bytes()).to_string()[..32].to_owned()
}

/// What is approved and not committed, by whose it is: each task's work, then what is left. `others` are files that differ
/// from the newest commit, whoever changed them; `began` is when the prompt under way began. What cannot be committed is in no
/// group, and is told in the notes.
pub(super) fn groups(
    desk: &Desk,
    history: &dyn History,
    others: &[FilePath],
    began: Option<&Began>,
    notes: &mut Vec<String>,
) -> Result<Vec<Group>> {
    let known = tracked(desk, &[], &lost_now(desk, history)?)?;
    let tip = TipFiles::new(desk, history, &known);
    let mut of_tasks: BTreeMap<TaskId, Vec<(FilePath, String)>> = BTreeMap::new();
    let mut left: Vec<(FilePath, String)> = Vec::new();
    let mut seen = BTreeSet::new();
    let mut is_taken = |state: &FileState| -> Result<bool> {
        let why = not_takable(history, state)?;
        let note = why.as_ref().map(|why| left_out_note(&state.path, why)).filter(|note| !notes.contains(note));
        notes.extend(note);
        Ok(why.is_none())
    };
    let held = desk.held_lines()?;
    let at_start = AtStart::new(desk, history, &known)?;
    for file in &known {
        seen.insert(file.path().clone());
        if is_left_out(history, file.path(), &mut Vec::new())? {
            continue;
        }
        let mut state = tip.before(file)?;
        let mut lines = held.get(&file.number).cloned();
        let start = at_start.of(file)?;
        for task in tasks_in(&file.weave) {
            let part = file.weave.part_since(&state, lines.as_ref(), start.as_ref(), Some(&of_task(task)));
            if !same(&state, &part.state) && is_taken(&part.state)? {
                of_tasks.entry(task).or_default().push((file.path().clone(), holding(&part.state)));
                (state, lines) = (part.state, part.lines);
            }
        }
        let rest = match began {
            Some(began) => {
                file.weave.part_since(&state, lines.as_ref(), start.as_ref(), Some(&since(file, began))).state
            }
            None => file.weave.part(&state, lines.as_ref(), None).state,
        };
        if !same(&state, &rest) && is_taken(&rest)? {
            left.push((file.path().clone(), holding(&rest)));
        }
    }
    for path in others.iter().filter(|path| !seen.contains(path)) {
        if tip.called_now(path)?.is_some() {
            continue;
        }
        let state = match on_disk(desk, path)? {
            Some(body) => state_of(path, body),
            // A folder has come in its place.
            None if place_of(desk, path).is_dir() => FileState { path: path.clone(), body: Body::Absent, mode: 0 },
            None => FileState { path: path.clone(), body: Body::Special, mode: 0 },
        };
        if is_taken(&state)? {
            left.push((path.clone(), holding(&state)));
        }
    }
    left.sort();
    let mut groups = Vec::new();
    for (task, files) in of_tasks {
        let title = desk.read(|snapshot: &Snapshot<'_>| snapshot.task(task))?.map(|task| task.title);
        let title = title.unwrap_or_else(|| format!("work of task {task}"));
        let (files, holding) = files.into_iter().unzip();
        groups.push(Group {
            which: Which::Task(task),
            task: Some(task),
            about: format!("task {task}"),
            intent: format!("intent: {}", augment_core::text::shortened(&title, 150)),
            files,
            holding,
        });
    }
    if !left.is_empty() {
        let about = if began.is_some() { "your own" } else { "your own, or from before" }.to_owned();
        let intent = match left.as_slice() {
            [(one, _)] => format!("intent: change {one}"),
            many => format!("intent: change {} files", many.len()),
        };
        let (files, holding) = left.into_iter().unzip();
        groups.push(Group { which: Which::Everything, task: None, about, intent, files, holding });
    }
    Ok(groups)
}

/// The tasks whose runs have written in a file.
fn tasks_in(weave: &Weave) -> BTreeSet<TaskId> {
    let runs = weave.revisions().iter().filter_map(|revision| match &revision.author {
        Author::Run(run) => Some(run.task),
        Author::Person { .. } | Author::Vcs | Author::Unknown => None,
    });
    runs.collect()
}
