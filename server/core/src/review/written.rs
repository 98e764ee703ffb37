//! What came of writing the files of a decision. A file that could not be written gets its marks back, so that what is
//! shown as decided is what is on disk.

use std::collections::BTreeSet;

use super::seen::content_hash;
use super::{Decision, DecisionFile, DecisionId, DecisionKind, FileNumber, TrackedFile, undo};
use crate::actor::Actor;
use crate::file::{ContentHash, FilePath};
use crate::ledger::{Data, Event, Topic};
use crate::session;
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
    let first = match &decision {
        Some(decision) => undo::first_of(view, decision)?.id,
        None => id,
    };
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
                    effects.extend(session::put_up_logged(view, &Actor::Host, &file.weave, first)?);
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
            stand_again(&mut taken_back, &decision);
            effects.push(Effect::PutDecision(Box::new(taken_back)));
        }
        decision.files.retain(|part| part.stands);
        effects.push(Effect::PutDecision(Box::new(decision)));
    }
    reasons.truncate(REASONS);
    effects.insert(0, carried_out(id, [done, in_editor, failed], reasons, after_crash));
    Ok(Turn::done(Answer::Noted, effects))
}

/// A decision stands again in the files where the one that took it back does not.
fn stand_again(taken_back: &mut Decision, undoing: &Decision) {
    taken_back.undone_by = None;
    for part in &mut taken_back.files {
        let is_undone = undoing.files.iter().any(|undone| undone.file == part.file && undone.stands);
        part.stands &= !is_undone;
    }
}

fn carried_out(id: DecisionId, [done, in_editor, failed]: [u32; 3], reasons: Vec<String>, after_crash: bool) -> Effect {
    Effect::Record(Event {
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
    })
}

/// How far back the decisions that wait to be saved are looked for.
const LOOK_BACK: usize = 200;

/// An editor has closed a file without saving what decisions had changed in it: they were not carried out. The newest are
/// taken back until the file is known as it is on disk; where that is not known, or leads nowhere, the newest one is.
pub(crate) fn editor_closed<V: View>(
    view: &V,
    path: &FilePath,
    on_disk: Option<ContentHash>,
    now: &Now,
) -> Result<Turn, V::Error> {
    let nothing = Turn::done(Answer::Noted, Vec::new());
    let Some(mut file) = view.file_at(path)?.filter(|file| file.awaits_save) else { return Ok(nothing) };
    file.awaits_save = false;
    let is_there = |file: &TrackedFile| on_disk.is_some() && content_hash(&file.weave.view()) == on_disk;
    let decisions = view.newest_decisions(LOOK_BACK)?;
    let mut given_up = GivenUp { file, decisions, ids: Vec::new(), touched: BTreeSet::new() };
    let mut first = None;
    while !is_there(&given_up.file) && given_up.next(now) {
        first.get_or_insert_with(|| given_up.clone());
    }
    if !is_there(&given_up.file)
        && let Some(first) = first
    {
        given_up = first;
    }
    Ok(Turn::done(Answer::Noted, given_up.effects(view)?))
}

/// Decisions about a file that are taken back, newest first.
#[derive(Clone)]
struct GivenUp {
    file: TrackedFile,
    /// Newest first.
    decisions: Vec<Decision>,
    ids: Vec<DecisionId>,
    /// Those that are other than before.
    touched: BTreeSet<DecisionId>,
}

impl GivenUp {
    /// Takes one more back; false if there is none that changed the text.
    fn next(&mut self, now: &Now) -> bool {
        let number = self.file.number;
        let is_about = |part: &DecisionFile| part.file == number && part.stands;
        for at in 0..self.decisions.len() {
            let decision = &mut self.decisions[at];
            // Approving changes no text, so nothing of it can wait to be saved.
            if decision.kind == DecisionKind::Approve || decision.undone_by.is_some() {
                continue;
            }
            let Some(part) = decision.files.iter_mut().find(|part| is_about(part)) else { continue };
            let mut weave = self.file.weave.clone();
            if weave.undo(part.weave_decision, now.wall).is_err() || weave.view() == self.file.weave.view() {
                continue;
            }
            self.file.weave = weave;
            part.stands = false;
            let undoing = decision.clone();
            decision.files.retain(|part| part.stands);
            self.ids.push(undoing.id);
            self.touched.insert(undoing.id);
            let taken_back = undoing.kind.takes_back();
            if let Some(earlier) = self.decisions.iter_mut().find(|earlier| Some(earlier.id) == taken_back) {
                stand_again(earlier, &undoing);
                self.touched.insert(earlier.id);
            }
            return true;
        }
        false
    }

    fn effects<V: View>(self, view: &V) -> Result<Vec<Effect>, V::Error> {
        let reason = format!("{}: the editor was closed without saving it", self.file.path());
        let mut effects: Vec<Effect> =
            self.ids.iter().map(|id| carried_out(*id, [0, 0, 1], vec![reason.clone()], false)).collect();
        for id in &self.ids {
            let Some(decision) = view.decision(*id)? else { continue };
            let first = undo::first_of(view, &decision)?.id;
            effects.extend(session::put_up_logged(view, &Actor::Host, &self.file.weave, first)?);
        }
        effects.push(Effect::PutFile(Box::new(self.file)));
        let touched = self.decisions.into_iter().filter(|decision| self.touched.contains(&decision.id));
        effects.extend(touched.map(|decision| Effect::PutDecision(Box::new(decision))));
        Ok(effects)
    }
}
