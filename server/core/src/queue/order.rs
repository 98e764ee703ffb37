//! Reordering. Ranks leave gaps, so a move writes one task; where a gap is used up, the few tasks that share its `major`
//! are spread anew.

use super::{Place, find, find_shown, look, record};
use crate::actor::Actor;
use crate::id::TaskId;
use crate::ledger::Data;
use crate::refusal::Refusal;
use crate::task::{Priority, Rank};
use crate::turn::{Answer, Effect, Stop, Turn};
use crate::view::{Side, View};

pub(crate) fn move_to<V: View>(
    view: &V,
    actor: &Actor,
    wanted: &str,
    place: &Place,
    shown_at: Option<u64>,
) -> Result<Turn, Stop<V::Error>> {
    let mut task = find_shown(view, wanted, shown_at)?;
    if task.status.is_ended() {
        let next = "Only what waits or is worked on has a place.";
        return Err(Refusal::WrongStatus { task: task.id, status: task.status, action: "moved", next }.into());
    }
    let was = task.priority;
    let mut effects = Vec::new();
    let words = match place {
        Place::Top => {
            task.rank = top_rank(view)?;
            "top".to_owned()
        }
        Place::Bottom => {
            task.rank = rank_beside(view, task.priority, task.id, None, Side::Before, &mut effects)?;
            "bottom".to_owned()
        }
        Place::Before(other) | Place::After(other) => {
            let other = find(view, other)?;
            if other.id == task.id {
                return Err(Refusal::NotBesideItself { task: task.id }.into());
            }
            let (side, words) = match place {
                Place::Before(_) => (Side::Before, format!("before {}", other.id)),
                Place::After(_) | Place::Top | Place::Bottom => (Side::After, format!("after {}", other.id)),
            };
            task.priority = other.priority;
            task.rank = rank_beside(view, task.priority, task.id, Some(other.rank), side, &mut effects)?;
            words
        }
    };
    let data =
        Data::map([("place", words.into()), ("priority", task.priority.name().into()), ("was", was.name().into())]);
    effects.insert(0, record(actor, "task.moved", task.id, Vec::new(), data));
    effects.push(Effect::PutTask(Box::new(task.clone())));
    Ok(Turn::done(Answer::Moved { task: Box::new(task), was }, effects))
}

/// Ahead of everything in every priority, so that it stays unlike any other rank when the priority is edited later.
fn top_rank<V: View>(view: &V) -> Result<Rank, Stop<V::Error>> {
    let mut lowest = Rank { major: 1, minor: 0 };
    for priority in Priority::ALL {
        if let Some(first) = look(view.neighbour(priority, None, Side::After))? {
            lowest = lowest.min(first);
        }
    }
    Ok(Rank { major: lowest.major - 1, minor: 0 })
}

/// A rank in `priority` on the given side of `beside`; without `beside`, at the very end. `moving` is the task it is for.
fn rank_beside<V: View>(
    view: &V,
    priority: Priority,
    moving: TaskId,
    beside: Option<Rank>,
    side: Side,
    effects: &mut Vec<Effect>,
) -> Result<Rank, Stop<V::Error>> {
    let (before, after) = match (beside, side) {
        (None, _) => (look(view.neighbour(priority, None, Side::Before))?, None),
        (Some(rank), Side::Before) => (look(view.neighbour(priority, Some(rank), Side::Before))?, Some(rank)),
        (Some(rank), Side::After) => (Some(rank), look(view.neighbour(priority, Some(rank), Side::After))?),
    };
    match (Rank::between(before, after), before) {
        (Some(rank), _) => Ok(rank),
        (None, before) => {
            spread_around(view, priority, moving, before.expect("only the gap after a rank is ever used up"), effects)
        }
    }
}

/// Spreads all tasks that share the major of `before`, and gives `moving` the place right after it.
fn spread_around<V: View>(
    view: &V,
    priority: Priority,
    moving: TaskId,
    before: Rank,
    effects: &mut Vec<Effect>,
) -> Result<Rank, Stop<V::Error>> {
    let mut shared = Vec::new();
    for id in look(view.ids_at(priority, before.major))? {
        if let Some(neighbour) = look(view.task(id))?.filter(|neighbour| neighbour.id != moving) {
            shared.push(neighbour);
        }
    }
    let place = shared.iter().position(|neighbour| neighbour.rank > before).unwrap_or(shared.len());
    let mut ranks: Vec<Rank> = Rank::spread(before.major, shared.len() + 1).collect();
    let own = ranks.remove(place);
    for (mut neighbour, rank) in shared.into_iter().zip(ranks) {
        neighbour.rank = rank;
        effects.push(Effect::PutTask(Box::new(neighbour)));
    }
    Ok(own)
}

/// The wished rank if no task of this priority has it, else one just after.
pub(super) fn free_rank<V: View>(
    view: &V,
    priority: Priority,
    moving: TaskId,
    wished: Rank,
    effects: &mut Vec<Effect>,
) -> Result<Rank, Stop<V::Error>> {
    for id in look(view.ids_at(priority, wished.major))? {
        if look(view.task(id))?.is_some_and(|other| other.rank == wished) {
            return rank_beside(view, priority, moving, Some(wished), Side::After, effects);
        }
    }
    Ok(wished)
}
