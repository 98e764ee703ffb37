//! Taking a decision back, and taking that back. Both are decisions themselves: they set the same marks to what they
//! were, all files or none, and write what is then visible.

use super::decide::{Carrying, held_back};
use super::{Decision, DecisionId, DecisionKind};
use crate::actor::Actor;
use crate::queue::look;
use crate::refusal::Refusal;
use crate::session;
use crate::time::Now;
use crate::turn::{Effect, Stop, Turn};
use crate::view::View;
use crate::weave::Weave;

/// How far back the newest decision that fits is looked for.
const LOOK_BACK: usize = 200;

pub(crate) fn undo<V: View>(view: &V, actor: &Actor, wanted: Option<&str>, now: &Now) -> Result<Turn, Stop<V::Error>> {
    let decision = match wanted {
        Some(wanted) => {
            let named = find(view, wanted)?;
            let id = named.id;
            let last = last_word(view, named)?;
            // Naming an undo takes that back; naming what it undid says that it is undone already.
            if last.id != id && !last.kind.is_forward() {
                return Err(Refusal::AlreadyUndone { decision: id, by: last.id }.into());
            }
            last
        }
        None => newest(view, DecisionKind::is_forward)?.ok_or(Refusal::NothingToUndo)?,
    };
    take_back(view, actor, decision, now)
}

pub(crate) fn redo<V: View>(view: &V, actor: &Actor, wanted: Option<&str>, now: &Now) -> Result<Turn, Stop<V::Error>> {
    let decision = match wanted {
        // Both the undo and what it undid may be named.
        Some(wanted) => {
            let named = find(view, wanted)?;
            let id = named.id;
            let last = last_word(view, named)?;
            if last.kind.is_forward() {
                return Err(Refusal::NotUndone { decision: id }.into());
            }
            last
        }
        None => newest(view, |kind| !kind.is_forward())?.ok_or(Refusal::NothingToRedo)?,
    };
    take_back(view, actor, decision, now)
}

/// What stands of a decision now: itself, or the last of the undoing and redoing that followed it.
fn last_word<V: View>(view: &V, mut decision: Decision) -> Result<Decision, Stop<V::Error>> {
    while let Some(by) = decision.undone_by {
        decision = find(view, &by.to_string())?;
    }
    Ok(decision)
}

/// Whether a decision counts: it was not taken back, or that was taken back in turn.
pub(super) fn stands<V: View>(view: &V, mut id: DecisionId) -> Result<bool, V::Error> {
    while let Some(decision) = view.decision(id)? {
        match decision.undone_by {
            Some(by) => id = by,
            None => return Ok(decision.kind.is_forward()),
        }
    }
    Ok(false)
}

fn find<V: View>(view: &V, wanted: &str) -> Result<Decision, Stop<V::Error>> {
    let unknown = || Refusal::UnknownDecision { wanted: wanted.to_owned() };
    let id = DecisionId::from_text(wanted).ok_or_else(unknown)?;
    Ok(look(view.decision(id))?.ok_or_else(unknown)?)
}

fn newest<V: View>(view: &V, fits: fn(DecisionKind) -> bool) -> Result<Option<Decision>, Stop<V::Error>> {
    let newest = look(view.newest_decisions(LOOK_BACK))?;
    let stands = |decision: &Decision| decision.undone_by.is_none() && decision.files.iter().any(|file| file.stands);
    // What the policy decides by itself goes on all the time; nobody means that who names nothing.
    let is_asked_for = |decision: &Decision| decision.actor != Actor::Host.to_string();
    let mut found = newest.into_iter();
    Ok(found.find(|decision| fits(decision.kind) && stands(decision) && is_asked_for(decision)))
}

/// The decision that all the undoing and redoing up to this one is about.
fn first_of<V: View>(view: &V, decision: &Decision) -> Result<Decision, V::Error> {
    let mut first = decision.clone();
    while let Some(of) = first.kind.takes_back() {
        let Some(earlier) = view.decision(of)? else { break };
        first = earlier;
    }
    Ok(first)
}

/// An approval that is brought back is held to what is held against one now, but for the flags that it had answered itself.
fn may_be_approved<V: View>(view: &V, first: DecisionId, waited: &Weave, after: &Weave) -> Result<(), Stop<V::Error>> {
    let still: Vec<_> = after.hunks().into_iter().map(|hunk| hunk.id).collect();
    let mut hunks = waited.hunks();
    hunks.retain(|hunk| !still.contains(&hunk.id));
    let is_named = look(session::waiting_at(view, waited))?.iter().all(|flag| flag.passed_by == Some(first));
    match look(held_back(view, waited, &mut hunks, is_named))? {
        Some(no) => Err(no.into()),
        None => Ok(()),
    }
}

/// Where two must approve, one of the approvals is not taken back from under the other, nor brought back without it.
fn keeps_two_approvals<V: View>(view: &V, decision: &Decision) -> Result<(), Stop<V::Error>> {
    let first = look(first_of(view, decision))?;
    let is_undoing = decision.kind.is_forward();
    for approval in look(view.approved_by(first.id))? {
        let mut standing = None;
        for other in look(view.approvals(&approval.hunk))? {
            if other.by != approval.by && look(stands(view, other.decision))? {
                standing = Some(other);
            }
        }
        match standing {
            Some(later) if is_undoing && later.completes => {
                return Err(Refusal::UndoFirst { decision: first.id, first: later.decision }.into());
            }
            None if !is_undoing && approval.completes => {
                return Err(Refusal::ApprovalGone { decision: first.id }.into());
            }
            Some(_) | None => {}
        }
    }
    Ok(())
}

fn take_back<V: View>(view: &V, actor: &Actor, mut decision: Decision, now: &Now) -> Result<Turn, Stop<V::Error>> {
    if let Some(by) = decision.undone_by {
        return Err(Refusal::AlreadyUndone { decision: decision.id, by }.into());
    }
    keeps_two_approvals(view, &decision)?;
    let first = look(first_of(view, &decision))?;
    let is_approval = first.kind == DecisionKind::Approve;
    let approves = is_approval && !decision.kind.is_forward();
    let mut carrying = Carrying::new(look(view.next_decision())?, actor, now);
    for part in decision.files.iter().filter(|part| part.stands) {
        let gone = || Refusal::CannotUndo { decision: decision.id, path: part.path.clone() };
        let mut file = look(view.file(part.file))?.ok_or_else(gone)?;
        if let Some(branch) = file.parked.clone() {
            return Err(Refusal::Parked { path: part.path.clone(), branch }.into());
        }
        let before = file.weave.view();
        let waited = file.weave.clone();
        let weave_decision = file.weave.undo(part.weave_decision, now.wall).map_err(|_| gone())?;
        let after = file.weave.view();
        if approves {
            may_be_approved(view, first.id, &waited, &file.weave)?;
        }
        carrying.write(view, file, before, after, part.hunks, weave_decision)?;
    }
    if carrying.files.is_empty() {
        return Err(Refusal::NothingToUndo.into());
    }
    if is_approval {
        let flags = if approves { session::pass_again } else { session::put_up_again };
        carrying.effects.extend(look(flags(view, actor, first.id))?);
    }
    let kind =
        if decision.kind.is_forward() { DecisionKind::Undo(decision.id) } else { DecisionKind::Redo(decision.id) };
    carrying.took_back = Some(Box::new(decision.clone()));
    decision.undone_by = Some(carrying.id);
    carrying.effects.push(Effect::PutDecision(Box::new(decision)));
    Ok(carrying.turn(kind))
}
