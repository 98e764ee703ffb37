//! What review has taken back of a task's work. A task of which nothing is left is not done, whatever its agent says; where a
//! part is left it is done, and it is told that a part was rejected. Work that its own agent undid was rejected by nobody.

use std::collections::BTreeMap;

use super::{Session, SessionState, event};
use crate::actor::Actor;
use crate::attribution::Author;
use crate::id::TaskId;
use crate::ledger::Data;
use crate::report::TaskEnd;
use crate::review::{Decision, FileNumber, TrackedFile};
use crate::turn::Effect;
use crate::view::View;
use crate::weave::Decided;

/// How many files of a task are looked through. What a task did to more of them is never all taken back.
const LOOKED_THROUGH: usize = 1_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TakenBack {
    Nothing,
    Part,
    All,
}

impl TakenBack {
    /// How a task stands that its agent or a person has completed.
    pub(super) fn end(self) -> TaskEnd {
        match self {
            Self::All => TaskEnd::Rejected,
            Self::Nothing | Self::Part => TaskEnd::Completed,
        }
    }
}

/// What a turn is about to change, and the view does not know yet.
#[derive(Default)]
pub(super) struct Fresh<'a> {
    files: BTreeMap<FileNumber, &'a TrackedFile>,
    decisions: Vec<&'a Decision>,
}

impl<'a> Fresh<'a> {
    pub(super) fn of(effects: &'a [Effect]) -> Self {
        let mut fresh = Self::default();
        for effect in effects {
            if let Effect::PutFile(file) = effect {
                fresh.files.insert(file.number, file);
            }
            if let Effect::PutDecision(decision) = effect {
                fresh.decisions.push(decision);
            }
        }
        fresh
    }

    fn has_decided(&self, file: FileNumber, no: crate::weave::DecisionNo) -> bool {
        let mut parts = self.decisions.iter().flat_map(|decision| &decision.files);
        parts.any(|part| part.file == file && part.weave_decision == no)
    }
}

/// How it stands with what a task did.
pub(crate) fn taken_back<V: View>(view: &V, task: TaskId) -> Result<TakenBack, V::Error> {
    taken_back_with(view, task, &Fresh::default())
}

/// The same with what a turn is about to change.
pub(super) fn taken_back_with<V: View>(view: &V, task: TaskId, fresh: &Fresh<'_>) -> Result<TakenBack, V::Error> {
    let paths = view.touched_by(task, LOOKED_THROUGH)?;
    let (mut kept, mut rejected) = (paths.len() == LOOKED_THROUGH, false);
    for file in fresh.files.values().filter(|file| is_by(file, task)) {
        kept |= has_kept(file, task);
        rejected |= has_rejected(view, file, task, fresh)?;
    }
    for (path, _) in paths {
        if kept && rejected {
            break;
        }
        match view.file_at(&path)? {
            Some(file) if fresh.files.contains_key(&file.number) => {}
            Some(file) => {
                kept |= has_kept(&file, task);
                rejected |= has_rejected(view, &file, task, fresh)?;
            }
            // What waits on another branch was not rejected.
            None => kept |= !view.parked(&path, 1)?.is_empty(),
        }
    }
    Ok(match (rejected, kept) {
        (false, _) => TakenBack::Nothing,
        (true, true) => TakenBack::Part,
        (true, false) => TakenBack::All,
    })
}

/// Tasks of a session that a turn takes back as a whole, or brings back, stand otherwise then, and that is recorded.
pub(super) fn follow<V: View>(view: &V, session: &mut Session, fresh: &Fresh<'_>) -> Result<Vec<Effect>, V::Error> {
    let mut records = Vec::new();
    match session.state {
        SessionState::Planned | SessionState::Confirmed | SessionState::Working | SessionState::Checkpoint => {}
        // Its record is made, and stays what it is.
        SessionState::Ending | SessionState::Ended | SessionState::Abandoned => return Ok(records),
    }
    for at in 0..session.items.len() {
        let item = &session.items[at];
        let (Some(task), Some(end @ (TaskEnd::Completed | TaskEnd::Rejected))) = (item.task, item.end) else {
            continue;
        };
        if !fresh.files.values().any(|file| is_by(file, task)) {
            continue;
        }
        let stands = taken_back_with(view, task, fresh)?.end();
        if stands == end {
            continue;
        }
        session.items[at].end = Some(stands);
        let kind = if stands == TaskEnd::Rejected { "session.task-rejected" } else { "session.task-restored" };
        records.push(event(&Actor::Host, kind, session, Data::map([("task", task.to_string().into())])));
    }
    Ok(records)
}

/// Whose work on a task it is, whichever attempt.
pub(crate) fn by(task: TaskId) -> impl Fn(&Author) -> bool {
    move |author| matches!(author, Author::Run(run) if run.task == task)
}

fn is_by(file: &TrackedFile, task: TaskId) -> bool {
    let by = by(task);
    file.weave.revisions().iter().any(|revision| by(&revision.author))
}

fn has_kept(file: &TrackedFile, task: TaskId) -> bool {
    let by = by(task);
    !file.weave.hunks_of(&by).is_empty() || !file.weave.decided_hunks(&by, Decided::Approved).is_empty()
}

/// Whether a decision, and not only the agent itself, has taken something of it out.
fn has_rejected<V: View>(view: &V, file: &TrackedFile, task: TaskId, fresh: &Fresh<'_>) -> Result<bool, V::Error> {
    for no in file.weave.rejections_of(&by(task)) {
        if fresh.has_decided(file.number, no) || view.decision_in(file.number, no)?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}
