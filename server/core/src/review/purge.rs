//! Letting go of what decisions have taken out. Afterwards they cannot be undone, so it is told first and done only on a
//! yes.

use std::collections::BTreeMap;

use super::FileNumber;
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

/// How many decisions one purge takes; what is left goes with the next.
const DECISIONS_A_PURGE: usize = 10_000;

pub(crate) fn purge<V: View>(view: &V, actor: &Actor, purge: &Purge, now: &Now) -> Result<Turn, Stop<V::Error>> {
    let before = Wall(now.wall.0.saturating_sub(purge.older_than_ms.max(0)));
    let decisions = look(view.decisions_until(before, DECISIONS_A_PURGE))?;
    let mut newest: BTreeMap<FileNumber, DecisionNo> = BTreeMap::new();
    for part in decisions.iter().flat_map(|decision| &decision.files) {
        let newest = newest.entry(part.file).or_insert(part.weave_decision);
        *newest = (*newest).max(part.weave_decision);
    }
    let mut effects = Vec::new();
    let (mut files, mut bytes) = (0_u32, 0_u64);
    for (number, decision) in newest {
        let Some(mut file) = look(view.file(number))? else { continue };
        let was = file.weave.encode().len();
        file.weave.compact(Some(decision));
        let is = file.weave.encode().len();
        if is < was {
            files += 1;
            bytes += u64::try_from(was - is).unwrap_or(0);
        }
        effects.push(Effect::PutFile(Box::new(file)));
    }
    let count = u32::try_from(decisions.len()).unwrap_or(u32::MAX);
    let answer = Answer::Purged { done: purge.confirm, decisions: count, files, bytes };
    if !purge.confirm || decisions.is_empty() {
        return Ok(Turn::done(answer, Vec::new()));
    }
    effects.extend(decisions.iter().map(|decision| Effect::ForgetDecision(decision.id)));
    let data = Data::map([("decisions", count.into()), ("files", files.into()), ("bytes", bytes.into())]);
    let event =
        Event { actor: actor.clone(), kind: "review.purged", subject: Topic::Workspace, about: Vec::new(), data };
    effects.insert(0, Effect::Record(event));
    Ok(Turn::done(answer, effects))
}
