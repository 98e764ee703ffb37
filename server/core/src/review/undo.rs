//! Taking a decision back, and taking that back. Both are decisions themselves: they set the same marks to what they
//! were, all files or none, and write what is then visible. A rejection that is brought back among others' work is shown
//! first, unless its result is to the byte the one that it had.

use std::collections::HashSet;

use super::decide::{Carrying, held_back};
use super::{Decision, DecisionFile, DecisionId, DecisionKind, TrackedFile, state_hash};
use crate::actor::Actor;
use crate::attribution::Author;
use crate::file::{ContentHash, FileState};
use crate::queue::look;
use crate::refusal::Refusal;
use crate::session;
use crate::time::{Now, Wall};
use crate::turn::{Effect, Stop, Turn};
use crate::view::View;
use crate::weave::{self, DecisionNo, Hunk, MarkRef, Weave};

/// How far back the newest decision that fits is looked for.
const LOOK_BACK: usize = 200;

/// Which decision is taken back.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TakeBack {
    /// The newest that fits, where none is named.
    pub decision: Option<String>,
    /// The yes to a result that was shown.
    pub confirm: Option<String>,
}

pub(crate) fn undo<V: View>(view: &V, actor: &Actor, wanted: &TakeBack, now: &Now) -> Result<Turn, Stop<V::Error>> {
    let decision = undoable(view, wanted.decision.as_deref())?;
    take_back(view, actor, decision, wanted.confirm.as_deref(), now)
}

pub(crate) fn redo<V: View>(view: &V, actor: &Actor, wanted: &TakeBack, now: &Now) -> Result<Turn, Stop<V::Error>> {
    let decision = redoable(view, wanted.decision.as_deref())?;
    take_back(view, actor, decision, wanted.confirm.as_deref(), now)
}

/// What undoing would do to the files, for whoever has to look at it first.
pub fn undo_shown<V: View>(view: &V, wanted: Option<&str>) -> Result<TakingBack, Stop<V::Error>> {
    let decision = undoable(view, wanted)?;
    taking_back(view, &decision, decision.time)
}

/// What redoing would do to the files.
pub fn redo_shown<V: View>(view: &V, wanted: Option<&str>) -> Result<TakingBack, Stop<V::Error>> {
    let decision = redoable(view, wanted)?;
    taking_back(view, &decision, decision.time)
}

fn undoable<V: View>(view: &V, wanted: Option<&str>) -> Result<Decision, Stop<V::Error>> {
    let Some(wanted) = wanted else {
        return Ok(newest(view, DecisionKind::is_forward)?.ok_or(Refusal::NothingToUndo)?);
    };
    let named = find(view, wanted)?;
    let id = named.id;
    let last = last_word(view, named)?;
    // Naming an undo takes that back; naming what it undid says that it is undone already.
    if last.id != id && !last.kind.is_forward() {
        return Err(Refusal::AlreadyUndone { decision: id, by: last.id }.into());
    }
    Ok(last)
}

/// Both the undo and what it undid may be named.
fn redoable<V: View>(view: &V, wanted: Option<&str>) -> Result<Decision, Stop<V::Error>> {
    let Some(wanted) = wanted else {
        return Ok(newest(view, |kind| !kind.is_forward())?.ok_or(Refusal::NothingToRedo)?);
    };
    let named = find(view, wanted)?;
    let id = named.id;
    let last = last_word(view, named)?;
    if last.kind.is_forward() {
        return Err(Refusal::NotUndone { decision: id }.into());
    }
    Ok(last)
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
pub(super) fn first_of<V: View>(view: &V, decision: &Decision) -> Result<Decision, V::Error> {
    let mut first = decision.clone();
    while let Some(of) = first.kind.takes_back() {
        let Some(earlier) = view.decision(of)? else { break };
        first = earlier;
    }
    Ok(first)
}

/// An approval that is brought back is held to what is held against one now, but for the flags whose file it had named.
fn may_be_approved<V: View>(view: &V, first: &Decision, waited: &Weave, after: &Weave) -> Result<(), Stop<V::Error>> {
    let still: Vec<_> = after.hunks().into_iter().map(|hunk| hunk.id).collect();
    let mut hunks = waited.hunks();
    hunks.retain(|hunk| !still.contains(&hunk.id));
    let is_named = look(session::waiting_at(view, waited))?.iter().all(|flag| flag.was_named_by(first));
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

/// The hunks that wait in one of two forms of a file and not in the other: what was decided between them, or undone.
fn moved_between(before: &Weave, after: &Weave) -> Vec<Hunk> {
    let (mut were, mut are) = (before.hunks(), after.hunks());
    let ids = |hunks: &[Hunk]| hunks.iter().map(|hunk| hunk.id).collect::<HashSet<_>>();
    let (waited, wait) = (ids(&were), ids(&are));
    were.retain(|hunk| !wait.contains(&hunk.id));
    are.retain(|hunk| !waited.contains(&hunk.id));
    // Lines that were decided apart may wait as one: then one of the two sides has more of them than the other.
    if were.len() > are.len() { were } else { are }
}

/// A decision as it would be taken back now.
#[derive(Debug)]
pub struct TakingBack {
    decision: DecisionId,
    pub files: Vec<TakenBack>,
}

/// One file of it.
#[derive(Debug)]
pub struct TakenBack {
    part: DecisionFile,
    /// With the marks as they would be.
    file: TrackedFile,
    /// The file as it waits now.
    waited: Weave,
    weave_decision: DecisionNo,
    pub before: FileState,
    pub after: FileState,
    /// Whose work a rejection that is brought back is entangled with.
    pub entangled: Vec<Author>,
    /// It is what the file was when this was decided, to the byte.
    is_known: bool,
}

impl TakenBack {
    #[must_use]
    pub fn hunks(&self) -> u32 {
        self.part.hunks
    }

    fn must_be_shown(&self) -> bool {
        !self.entangled.is_empty() && !self.is_known
    }
}

impl TakingBack {
    /// Whether it is carried out only with a yes to what was shown.
    #[must_use]
    pub fn asks(&self) -> bool {
        self.files.iter().any(TakenBack::must_be_shown)
    }

    /// Stands for taking exactly this back with exactly this result.
    #[must_use]
    pub fn confirm_token(&self) -> String {
        let mut text = format!("take back {}\n", self.decision);
        for file in &self.files {
            let (before, after) = (state_hash(&file.before), state_hash(&file.after));
            text += &format!("{} {before} {after}\n", file.file.number.0);
        }
        ContentHash::of(text.as_bytes()).to_string()[..32].to_owned()
    }

    /// Refuses what was not said yes to, or to something else.
    fn agreed(&self, confirm: Option<&str>) -> Result<(), Refusal> {
        if !self.asks() || confirm == Some(self.confirm_token().as_str()) {
            return Ok(());
        }
        let shown = || self.files.iter().filter(|file| file.must_be_shown());
        let files = shown().count();
        if confirm.is_some() {
            return Err(Refusal::ShownOtherwise { files });
        }
        let mut with: Vec<Author> = Vec::new();
        for author in shown().flat_map(|file| &file.entangled) {
            if !with.contains(author) {
                with.push(author.clone());
            }
        }
        Err(Refusal::Entangled { files, with })
    }
}

fn taking_back<V: View>(view: &V, decision: &Decision, time: Wall) -> Result<TakingBack, Stop<V::Error>> {
    let rejects = !decision.kind.is_forward() && look(first_of(view, decision))?.kind == DecisionKind::Reject;
    let mut files = Vec::new();
    for part in decision.files.iter().filter(|part| part.stands) {
        let gone = || Refusal::CannotUndo { decision: decision.id, path: part.path.clone() };
        let mut file = look(view.file(part.file))?.ok_or_else(gone)?;
        if let Some(branch) = file.parked.clone() {
            return Err(Refusal::Parked { path: part.path.clone(), branch }.into());
        }
        let waited = file.weave.clone();
        let weave_decision = file.weave.undo(part.weave_decision, time).map_err(|_| gone())?;
        let (before, after) = (waited.view(), file.weave.view());
        files.push(TakenBack {
            part: part.clone(),
            entangled: if rejects { entangled_in(&waited, part.weave_decision) } else { Vec::new() },
            is_known: result_of_undone(&waited, part.weave_decision).as_ref() == Some(&after),
            file,
            waited,
            weave_decision,
            before,
            after,
        });
    }
    Ok(TakingBack { decision: decision.id, files })
}

/// Whose work is entangled with what this undoing has put back.
fn entangled_in(waited: &Weave, undoing: DecisionNo) -> Vec<Author> {
    let of_undoing = waited.decisions().iter().filter(|decision| decision.no == undoing);
    let marks: HashSet<MarkRef> = of_undoing.flat_map(|decision| &decision.changes).map(|change| change.mark).collect();
    let mut with: Vec<Author> = Vec::new();
    for hunk in waited.hunks().into_iter().filter(|hunk| hunk.marks.iter().any(|mark| marks.contains(mark))) {
        for author in hunk.entangled {
            if !with.contains(&author) {
                with.push(author);
            }
        }
    }
    with
}

/// The file right after what this undoing undid had been decided.
fn result_of_undone(waited: &Weave, undoing: DecisionNo) -> Option<FileState> {
    let decision = waited.decisions().iter().find(|decision| decision.no == undoing)?;
    match decision.kind {
        weave::DecisionKind::Undid(undone) => waited.at(undone.0),
        weave::DecisionKind::Decided(_) => None,
    }
}

fn take_back<V: View>(
    view: &V,
    actor: &Actor,
    mut decision: Decision,
    confirm: Option<&str>,
    now: &Now,
) -> Result<Turn, Stop<V::Error>> {
    if let Some(by) = decision.undone_by {
        return Err(Refusal::AlreadyUndone { decision: decision.id, by }.into());
    }
    keeps_two_approvals(view, &decision)?;
    let first = look(first_of(view, &decision))?;
    let is_approval = first.kind == DecisionKind::Approve;
    let approves = is_approval && !decision.kind.is_forward();
    let taking_back = taking_back(view, &decision, now.wall)?;
    taking_back.agreed(confirm)?;
    let mut carrying = Carrying::new(look(view.next_decision())?, actor, now);
    for TakenBack { part, file, waited, weave_decision, before, after, .. } in taking_back.files {
        if approves {
            may_be_approved(view, &first, &waited, &file.weave)?;
        }
        let weave = &file.weave;
        let flags = match (is_approval, decision.kind.is_forward()) {
            (true, true) => session::put_up_again(view, actor, weave, &first),
            (true, false) => session::pass_again(view, actor, weave, &first),
            (false, true) => session::put_up_logged(view, actor, weave, first.id),
            (false, false) => session::log_again(view, actor, weave, first.id),
        };
        carrying.effects.extend(look(flags)?);
        carrying.shares.count(&moved_between(&waited, &file.weave));
        carrying.write(view, file, before, after, part.hunks, weave_decision)?;
    }
    if carrying.files.is_empty() {
        return Err(Refusal::NothingToUndo.into());
    }
    let kind =
        if decision.kind.is_forward() { DecisionKind::Undo(decision.id) } else { DecisionKind::Redo(decision.id) };
    carrying.took_back = Some(Box::new(decision.clone()));
    decision.undone_by = Some(carrying.id);
    carrying.effects.push(Effect::PutDecision(Box::new(decision)));
    Ok(carrying.turn(kind))
}
