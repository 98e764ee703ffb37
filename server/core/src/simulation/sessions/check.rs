//! What must hold in every session: of each decision as it is made, and of everything whenever the host has seen all
//! there is to see.

use std::collections::BTreeSet;

use super::super::{Backend, Memory};
use super::text::shown;
use super::world::{Step, World};
use crate::actor::{Actor, Role};
use crate::attribution::Author;
use crate::file::Body;
use crate::refusal::Refusal;
use crate::review::{Selected, TrackedFile, select};
use crate::turn::{Command, Effect, Input, Turn};
use crate::weave::{LineId, MarkRef, RevisionNo, Shape, Standing, Weave};

/// A decision does what it says to the files it names, and to nothing else.
pub(super) fn turn(memory: &Memory, input: &Input, turn: &Turn) -> Step {
    let Input::Asked { actor, command: Command::Decide(decide) } = input else { return Ok(()) };
    if let Actor::Run { .. } = actor {
        return match &turn.verdict {
            Err(Refusal::RoleMayNot { role: Role::Run, .. }) => Ok(()),
            other => Err(format!("a run decided: {other:?}")),
        };
    }
    if turn.verdict.is_err() {
        let records = turn.effects.iter().all(|effect| matches!(effect, Effect::Record(_)));
        return if records { Ok(()) } else { Err("a refused decision did something".to_owned()) };
    }
    let selected = select(memory, &decide.what).map_err(|_| "what was decided was not there".to_owned())?;
    for effect in &turn.effects {
        match effect {
            Effect::WriteFile(write) if decide.verdict == Standing::Approved => {
                return Err(format!("approving writes {}", shown(&write.after)));
            }
            Effect::PutFile(file) => {
                let of = |selected: &&Selected| selected.file.number == file.number;
                let selected = selected.iter().find(of).ok_or("a file that was not meant was decided")?;
                decided(selected, file, decide.verdict)?;
            }
            Effect::Record(_)
            | Effect::PutTask(_)
            | Effect::RemoveTask(_)
            | Effect::FreeDependents(_)
            | Effect::BeginRun { .. }
            | Effect::PutRun(_)
            | Effect::PutReport { .. }
            | Effect::PutQuestion(_)
            | Effect::PutHandOff(_)
            | Effect::PutHandOffText { .. }
            | Effect::AllowAgent { .. }
            | Effect::EndProcess(_)
            | Effect::TellAgent { .. }
            | Effect::StartHandOff { .. }
            | Effect::WriteSetting(_)
            | Effect::WriteFile(_)
            | Effect::PutDecision(_)
            | Effect::ForgetDecision(_)
            | Effect::DropContent(_)
            | Effect::KeepApproval(_)
            | Effect::PutClaim(_)
            | Effect::DropClaim(_)
            | Effect::SettleWrite { .. }
            | Effect::PutSession(_)
            | Effect::TellSession(_)
            | Effect::PutFlag(_)
            | Effect::NoteTouched { .. }
            | Effect::WriteDocuments(_)
            | Effect::PutClosing(_)
            | Effect::PutPrompt(_)
            | Effect::SettleFiles(_)
            | Effect::LoosenFiles(_)
            | Effect::CloseStep(_)
            | Effect::SealArchive(_)
            | Effect::PutAcknowledged(_)
            | Effect::PutAllowed(_)
            | Effect::DropAllowed(_) => {}
        }
    }
    Ok(())
}

fn decided(selected: &Selected, after: &TrackedFile, verdict: Standing) -> Step {
    let (before, after) = (&selected.file.weave, &after.weave);
    let path = before.path();
    if verdict == Standing::Approved {
        return if before.view() == after.view() { Ok(()) } else { Err(format!("approving changed {path}")) };
    }
    let marks: BTreeSet<MarkRef> = selected.hunks.iter().flat_map(|hunk| hunk.marks.iter().copied()).collect();
    let (was, is) = (visible(before), visible(after));
    let stays: Vec<LineId> = was.iter().copied().filter(|line| !marks.contains(&MarkRef::Inserted(*line))).collect();
    let stayed: Vec<LineId> = is.iter().copied().filter(|line| was.contains(line)).collect();
    let rejected: Vec<LineId> = was.into_iter().filter(|line| marks.contains(&MarkRef::Inserted(*line))).collect();
    // Where there was no text before, there is none again; what others wrote there since keeps the file.
    let goes = after.blame().is_empty() && selected.hunks.iter().any(|hunk| brought_text(&hunk.shape));
    if stayed != stays && !goes {
        return Err(format!("rejecting in {path} moved or took lines of others: {stays:?} became {stayed:?}"));
    }
    if rejected.iter().any(|line| is.contains(line)) {
        return Err(format!("a rejected line is still in {path}"));
    }
    let all = before.hunks().len() == selected.hunks.len();
    let untouched = before.since() == 0 && before.decisions().is_empty() && only_one_run(before);
    if all && untouched && before.view().body != Body::Absent && Some(after.view()) != before.at(0) {
        return Err(format!("rejecting all that one run did to {path} does not give back what was there"));
    }
    Ok(())
}

fn visible(weave: &Weave) -> Vec<LineId> {
    weave.blame().into_iter().map(|line| line.line).collect()
}

fn brought_text(shape: &Shape) -> bool {
    match shape {
        Shape::Created { .. } | Shape::Replaced { .. } => true,
        Shape::Lines(_) | Shape::Deleted { .. } | Shape::Mode { .. } | Shape::Renamed { .. } => false,
    }
}

fn only_one_run(weave: &Weave) -> bool {
    let authors: BTreeSet<&Author> = weave.revisions().iter().map(|revision| &revision.author).collect();
    authors.len() == 1 && authors.iter().all(|author| matches!(author, Author::Run(_)))
}

/// The host has seen everything: what is kept agrees with itself and with the disk, and nothing is lost.
pub(super) fn settled(world: &mut World) -> Step {
    let mut hunks = 0;
    for file in world.memory.files().all() {
        let view = file.weave.view();
        if file.parked.is_none() && !file.awaits_save && view != world.disk.at(file.path()) {
            let disk = shown(&world.disk.at(file.path()));
            return Err(format!("the story of {} ends with {}, on disk is {disk}", file.path(), shown(&view)));
        }
        if let Some(line) = file.weave.blame().iter().find(|line| is_nobodys(&file.weave, line.revision)) {
            return Err(format!("a line of {} has no author: {line:?}", file.path()));
        }
        hunks += if file.parked.is_none() { file.weave.hunks().len() } else { 0 };
    }
    if let Some(write) = world.memory.files().writing().next() {
        return Err(format!("nobody knows what came of {}", shown(&write.after)));
    }
    let indexed = world.memory.files().hunks().count();
    if hunks != indexed {
        return Err(format!("{hunks} hunks wait, the index has {indexed}"));
    }
    let files = u64::try_from(world.memory.files().all().count()).unwrap_or(u64::MAX);
    world.summary.most_files = world.summary.most_files.max(files);
    world.summary.most_hunks = world.summary.most_hunks.max(u64::try_from(hunks).unwrap_or(u64::MAX));
    world.fates.check(&world.disk, &world.memory)
}

fn is_nobodys(weave: &Weave, revision: RevisionNo) -> bool {
    revision != RevisionNo::BASE && weave.revision(revision).is_none()
}

/// At the end the ledger is read again, and every index compared with what it is of.
pub(super) fn ended(world: &mut World) -> Step {
    world.summary.records += world.memory.verify()?;
    Ok(())
}
