//! What came of writing the files of a decision. A file that could not be written gets its marks back, so that what is
//! shown as decided is what is on disk.

use super::{DecisionId, DecisionKind, FileNumber};
use crate::actor::Actor;
use crate::file::FilePath;
use crate::ledger::{Data, Event, Topic};
use crate::time::Now;
use crate::turn::{Answer, Effect, Turn};
use crate::view::View;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenFile {
    pub file: FileNumber,
    pub outcome: Outcome,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    Written,
    /// An editor with unsaved text was asked to change it; the disk follows when it is saved.
    InEditor,
    NotWritten {
        reason: String,
    },
}

/// How many reasons a record holds; the rest are counted.
const REASONS: usize = 20;

pub(crate) fn written<V: View>(
    view: &V,
    id: DecisionId,
    files: &[WrittenFile],
    after_crash: bool,
    now: &Now,
) -> Result<Turn, V::Error> {
    let mut effects = Vec::new();
    let (mut done, mut in_editor, mut reasons) = (0_u32, 0_u32, Vec::new());
    let mut decision = view.decision(id)?;
    for written in files {
        effects.push(Effect::SettleWrite { decision: id, file: written.file });
        match &written.outcome {
            Outcome::Written => done += 1,
            Outcome::InEditor => {
                in_editor += 1;
                if let Some(mut file) = view.file(written.file)? {
                    file.awaits_save = true;
                    effects.push(Effect::PutFile(Box::new(file)));
                }
            }
            Outcome::NotWritten { reason } => {
                let part = decision
                    .as_mut()
                    .and_then(|decision| decision.files.iter_mut().find(|part| part.file == written.file));
                let Some(part) = part else { continue };
                part.stands = false;
                reasons.push(format!("{}: {reason}", part.path));
                if let Some(mut file) = view.file(written.file)?
                    && file.weave.undo(part.weave_decision, now.wall).is_ok()
                {
                    effects.push(Effect::PutFile(Box::new(file)));
                }
            }
        }
    }
    let failed = u32::try_from(reasons.len()).unwrap_or(u32::MAX);
    if failed > 0
        && let Some(mut decision) = decision
    {
        // Where an undo could not be carried out, the decision that it was to undo stands, and can be undone again.
        if let Some(of) = decision.kind.takes_back()
            && let Some(mut taken_back) = view.decision(of)?
        {
            taken_back.undone_by = None;
            for part in &mut taken_back.files {
                let is_undone = decision.files.iter().any(|undone| undone.file == part.file && undone.stands);
                part.stands &= !is_undone;
            }
            effects.push(Effect::PutDecision(Box::new(taken_back)));
        }
        decision.files.retain(|part| part.stands);
        effects.push(Effect::PutDecision(Box::new(decision)));
    }
    reasons.truncate(REASONS);
    let event = Event {
        actor: Actor::Host,
        kind: "review.carried-out",
        subject: Topic::Decision(id),
        about: Vec::new(),
        data: Data::map([
            ("written", done.into()),
            ("inEditor", in_editor.into()),
            ("notWritten", failed.into()),
            ("reasons", reasons.into()),
            ("afterCrash", after_crash.into()),
        ]),
    };
    effects.insert(0, Effect::Record(event));
    Ok(Turn::done(Answer::Noted, effects))
}

/// How far back the decision that waits to be saved is looked for.
const LOOK_BACK: usize = 200;

/// An editor has closed a file without saving what a decision had changed in it: the decision was not carried out.
pub(crate) fn editor_closed<V: View>(view: &V, path: &FilePath, now: &Now) -> Result<Turn, V::Error> {
    let nothing = Turn::done(Answer::Noted, Vec::new());
    let Some(mut file) = view.file_at(path)?.filter(|file| file.awaits_save) else { return Ok(nothing) };
    file.awaits_save = false;
    let number = file.number;
    let newest = view.newest_decisions(LOOK_BACK)?.into_iter().find(|decision| {
        // Approving changes no text, so nothing of it can wait to be saved.
        decision.kind != DecisionKind::Approve
            && decision.undone_by.is_none()
            && decision.files.iter().any(|part| part.file == number && part.stands)
    });
    let Some(decision) = newest else {
        return Ok(Turn::done(Answer::Noted, vec![Effect::PutFile(Box::new(file))]));
    };
    let reason = "the editor was closed without saving it".to_owned();
    let not_written = WrittenFile { file: number, outcome: Outcome::NotWritten { reason } };
    let mut turn = written(view, decision.id, &[not_written], false, now)?;
    for effect in &mut turn.effects {
        if let Effect::PutFile(put) = effect {
            put.awaits_save = false;
        }
    }
    Ok(turn)
}
