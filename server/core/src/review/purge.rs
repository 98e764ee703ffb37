//! Letting go of what decisions have taken out, and of what is kept of files that are done: those in which nothing waits
//! and nothing can be undone. Afterwards the decisions cannot be undone, so it is told first and done only on a yes. With
//! them goes the content that nothing refers to any more.

use std::collections::BTreeMap;

use super::{FileNumber, TrackedFile};
use crate::actor::Actor;
use crate::ledger::{Data, Event, Topic};
use crate::queue::look;
use crate::time::{Now, Wall};
use crate::turn::{Answer, Effect, Stop, Turn};
use crate::view::View;
use crate::weave::DecisionNo;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Purge {
    pub older_than_ms: i64,
    /// Without it nothing is purged, only told.
    pub confirm: bool,
}

/// How many decisions one purge takes, and how many files that are done; what is left goes with the next.
const DECISIONS_A_PURGE: usize = 10_000;
const DONE_A_PURGE: usize = 10_000;
/// How many files that may be done are looked through.
const LOOKED_THROUGH: usize = 1_000_000;

/// Whether a decision has approved a hunk that still waits for somebody else's approval.
fn is_half<V: View>(view: &V, decision: &super::Decision) -> Result<bool, Stop<V::Error>> {
    for approval in look(view.approved_by(decision.id))? {
        if !look(view.hunks_starting(&approval.hunk, 1))?.is_empty() {
            return Ok(true);
        }
    }
    Ok(false)
}

pub(crate) fn purge<V: View>(view: &V, actor: &Actor, purge: &Purge, now: &Now) -> Result<Turn, Stop<V::Error>> {
    let before = Wall(now.wall.0.saturating_sub(purge.older_than_ms.max(0)));
    let mut decisions = Vec::new();
    for decision in look(view.decisions_until(before, DECISIONS_A_PURGE))? {
        // An approval that waits for a second one has taken nothing out, and is not done.
        if !is_half(view, &decision)? {
            decisions.push(decision);
        }
    }
    let mut newest: BTreeMap<FileNumber, DecisionNo> = BTreeMap::new();
    for part in decisions.iter().flat_map(|decision| &decision.files) {
        let newest = newest.entry(part.file).or_insert(part.weave_decision);
        *newest = (*newest).max(part.weave_decision);
    }
    let (mut compacted, mut bytes) = (Vec::new(), 0_u64);
    for (number, decision) in &newest {
        let Some(file) = look(view.file(*number))? else { continue };
        bytes += compact(file, *decision, &mut compacted);
    }
    // Every decision until then goes, unless there are too many; so none that is left needs what is dropped.
    if decisions.len() < DECISIONS_A_PURGE {
        let most = compacted.len() + DONE_A_PURGE;
        for number in look(view.done_files(LOOKED_THROUGH))? {
            let Some(file) = look(view.file(number))?.filter(|file| is_done(file, before)) else { continue };
            if compacted.len() >= most {
                break;
            }
            if !newest.contains_key(&number) {
                let last = file.weave.decisions().last().map_or(DecisionNo(0), |decision| decision.no);
                bytes += compact(file, last, &mut compacted);
            }
        }
    }
    let contents = look(view.unneeded(&compacted))?;
    bytes += contents.iter().map(|(_, bytes)| bytes).sum::<u64>();
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let (count, files) = (count(decisions.len()), count(compacted.len()));
    let answer = Answer::Purged { done: purge.confirm, decisions: count, files, bytes };
    if !purge.confirm || decisions.is_empty() && compacted.is_empty() && contents.is_empty() {
        return Ok(Turn::done(answer, Vec::new()));
    }
    let data = Data::map([("decisions", count.into()), ("files", files.into()), ("bytes", bytes.into())]);
    let event =
        Event { actor: actor.clone(), kind: "review.purged", subject: Topic::Workspace, about: Vec::new(), data };
    let mut effects = vec![Effect::Record(event)];
    effects.extend(compacted.into_iter().map(|file| Effect::PutFile(Box::new(file))));
    effects.extend(decisions.iter().map(|decision| Effect::ForgetDecision(decision.id)));
    effects.extend(contents.into_iter().map(|(hash, _)| Effect::DropContent(hash)));
    Ok(Turn::done(answer, effects))
}

/// Compacts a file and adds it where that makes it smaller; gives the bytes that it saves.
fn compact(mut file: TrackedFile, last: DecisionNo, compacted: &mut Vec<TrackedFile>) -> u64 {
    let was = file.weave.encode().len();
    file.weave.compact(Some(last));
    let is = file.weave.encode().len();
    if is < was {
        compacted.push(file);
    }
    u64::try_from(was.saturating_sub(is)).unwrap_or(0)
}

/// Whether nothing has happened to a file since, nothing waits in it, and no decision that is left can be undone in it.
fn is_done(file: &TrackedFile, before: Wall) -> bool {
    let weave = &file.weave;
    let untouched = weave.revisions().iter().all(|revision| revision.time <= before)
        && weave.decisions().iter().all(|decision| decision.time <= before);
    untouched && !file.awaits_save && weave.is_settled()
}
