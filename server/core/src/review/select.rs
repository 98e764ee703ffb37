//! What of the pending changes a person means: hunks by id, or everything of a file, a task, a run.

use std::collections::BTreeMap;

use super::{FILES_A_DECISION, FileNumber, PendingOf, TrackedFile};
use crate::attribution::Author;
use crate::file::FilePath;
use crate::id::{RunId, TaskId};
use crate::queue;
use crate::refusal::Refusal;
use crate::turn::Stop;
use crate::view::View;
use crate::weave::Hunk;

/// Everything that is set must hold; nothing set selects nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selection {
    /// Hunk ids, or unique beginnings.
    pub hunks: Vec<String>,
    pub file: Option<String>,
    pub task: Option<String>,
    pub run: Option<String>,
    pub unknown: bool,
    pub all: bool,
}

impl Selection {
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// True when the person named the hunks or the file themselves, rather than everything that somebody did. Hunks beside
    /// `all` are only what everything was when they said so: they have not looked at each.
    #[must_use]
    pub fn is_explicit(&self) -> bool {
        self.file.is_some() || (!self.hunks.is_empty() && !self.all)
    }
}

/// Whose hunks are meant, for deciding and for listing alike. Everything that is set must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Whose {
    pub task: Option<TaskId>,
    /// As it is written: `b12.2`.
    pub run: Option<String>,
    pub unknown: bool,
}

impl Whose {
    #[must_use]
    pub fn has(&self, author: &Author) -> bool {
        let of_run = match author {
            Author::Run(of) => {
                self.task.is_none_or(|task| of.task == task)
                    && self.run.as_ref().is_none_or(|run| of.to_string() == *run)
            }
            Author::Person { .. } | Author::Vcs | Author::Unknown => self.task.is_none() && self.run.is_none(),
        };
        of_run && (!self.unknown || *author == Author::Unknown)
    }
}

/// A file with those of its pending hunks that are meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selected {
    pub file: TrackedFile,
    pub hunks: Vec<Hunk>,
}

/// The shortest beginning of a hunk's id that is taken.
const SHORTEST: usize = 4;

/// Finds what is meant, in the order of paths. Finding nothing is a refusal.
pub fn select<V: View>(view: &V, selection: &Selection) -> Result<Vec<Selected>, Stop<V::Error>> {
    if selection.is_empty() {
        return Err(Refusal::NothingSelected.into());
    }
    let task = match &selection.task {
        Some(wanted) => Some(queue::find(view, wanted)?.id),
        None => None,
    };
    let run = match &selection.run {
        Some(wanted) => Some(find_run(view, wanted)?),
        None => None,
    };
    let whose = Whose { task, run: run.map(|run| run.to_string()), unknown: selection.unknown };
    let wanted = |hunk: &Hunk| whose.has(&hunk.author);
    let mut found = BTreeMap::new();
    if selection.hunks.is_empty() {
        for number in files(view, selection, task, run)? {
            if let Some(file) = queue::look(view.file(number))? {
                let hunks: Vec<Hunk> = file.weave.hunks().into_iter().filter(|hunk| wanted(hunk)).collect();
                if !hunks.is_empty() {
                    found.insert(file.path().clone(), Selected { file, hunks });
                }
            }
        }
    } else {
        for (number, ids) in by_id(view, &selection.hunks)? {
            let Some(file) = queue::look(view.file(number))? else { continue };
            let hunks: Vec<Hunk> =
                file.weave.hunks().into_iter().filter(|hunk| ids.contains(&hunk.id.to_string())).collect();
            if let Some(lost) = ids.iter().find(|id| !hunks.iter().any(|hunk| hunk.id.to_string() == **id)) {
                return Err(Refusal::UnknownHunk { wanted: lost.clone() }.into());
            }
            if let Some(other) = hunks.iter().find(|hunk| !wanted(hunk) || !lies_in(&file, selection)) {
                return Err(Refusal::HunkElsewhere { hunk: other.id.to_string(), path: file.path().clone() }.into());
            }
            found.insert(file.path().clone(), Selected { file, hunks });
        }
    }
    if found.is_empty() {
        return Err(Refusal::NothingPending { file: selection.file.clone(), task }.into());
    }
    Ok(found.into_values().collect())
}

fn lies_in(file: &TrackedFile, selection: &Selection) -> bool {
    selection.file.as_ref().is_none_or(|path| FilePath::from_text(path).is_ok_and(|path| path == *file.path()))
}

fn files<V: View>(
    view: &V,
    selection: &Selection,
    task: Option<TaskId>,
    run: Option<RunId>,
) -> Result<Vec<FileNumber>, Stop<V::Error>> {
    if let Some(text) = &selection.file {
        let path = path(text)?;
        return match queue::look(view.file_at(&path))? {
            Some(file) => Ok(vec![file.number]),
            None => Err(Refusal::UntrackedFile { path: text.clone() }.into()),
        };
    }
    let of = match (run, task) {
        (Some(run), _) => PendingOf::Run(run),
        (None, Some(task)) => PendingOf::Task(task),
        (None, None) if selection.unknown => PendingOf::Unknown,
        (None, None) => PendingOf::All,
    };
    let files = queue::look(view.pending_files(&of, FILES_A_DECISION + 1))?;
    if files.len() > FILES_A_DECISION {
        return Err(Refusal::TooManyFiles { limit: FILES_A_DECISION }.into());
    }
    Ok(files)
}

/// The files of these hunks, with the whole ids.
fn by_id<V: View>(view: &V, hunks: &[String]) -> Result<BTreeMap<FileNumber, Vec<String>>, Stop<V::Error>> {
    let mut found: BTreeMap<FileNumber, Vec<String>> = BTreeMap::new();
    for wanted in hunks {
        let typed = wanted.trim().to_ascii_lowercase();
        if typed.len() < SHORTEST || !typed.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(Refusal::UnknownHunk { wanted: wanted.clone() }.into());
        }
        let matches = queue::look(view.hunks_starting(&typed, 9))?;
        match &matches[..] {
            [] => return Err(Refusal::UnknownHunk { wanted: wanted.clone() }.into()),
            [(id, number)] => {
                let ids = found.entry(*number).or_default();
                if !ids.contains(id) {
                    ids.push(id.clone());
                }
            }
            several => {
                let matches = several.iter().map(|(id, _)| id.clone()).collect();
                return Err(Refusal::AmbiguousHunk { wanted: wanted.clone(), matches }.into());
            }
        }
    }
    Ok(found)
}

pub(super) fn path(text: &str) -> Result<FilePath, Refusal> {
    FilePath::from_text(text).map_err(|problem| Refusal::BadPath { path: text.to_owned(), problem })
}

/// A run as people write it: `b12.2`.
pub fn find_run<V: View>(view: &V, wanted: &str) -> Result<RunId, Stop<V::Error>> {
    let unknown = || Refusal::UnknownRun { wanted: wanted.to_owned() };
    let (task, attempt) = wanted.rsplit_once('.').ok_or_else(unknown)?;
    let attempt = attempt.parse().map_err(|_| unknown())?;
    let task = queue::find(view, task)?;
    if attempt == 0 || attempt > task.attempt {
        return Err(unknown().into());
    }
    Ok(RunId { task: task.id, attempt })
}
