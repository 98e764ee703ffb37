//! What people should know of a thing of a scope beside how it ended: where its work may write, and how much of what it did
//! waits for their decision. What is done and not looked at yet is told as both.

use super::Item;
use super::taken_back::{TakenBack, taken_back};
use crate::id::TaskId;
use crate::view::View;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ItemStanding {
    /// Patterns of its own: its work may write there and where the session may; where neither says anything, everywhere.
    pub paths: Vec<String>,
    /// How many hunks of its work wait for a decision.
    pub waiting: u32,
}

pub fn item_standing<V: View>(view: &V, item: &Item) -> Result<ItemStanding, V::Error> {
    let task = match item.task {
        Some(task) => Some(task),
        // A yes to it would take up the task that waits under this title.
        None if item.end.is_none() => view.open_task_titled(&item.title)?,
        None => None,
    };
    let Some(task) = task else { return Ok(ItemStanding::default()) };
    let paths = view.task(task)?.map(|task| task.scope).unwrap_or_default();
    Ok(ItemStanding { paths, waiting: view.waiting_hunks(task)? })
}

/// Where the task may write that waits in the queue under this title: a yes to the title would take it up.
pub fn own_paths<V: View>(view: &V, title: &str) -> Result<Vec<String>, V::Error> {
    let Some(task) = view.open_task_titled(title)? else { return Ok(Vec::new()) };
    Ok(view.task(task)?.map(|task| task.scope).unwrap_or_default())
}

/// `3 hunks wait for review`; nothing where all is decided.
pub(super) fn waiting_words<V: View>(view: &V, task: TaskId) -> Result<Option<String>, V::Error> {
    let words = match view.waiting_hunks(task)? {
        0 => return Ok(None),
        1 => "1 hunk waits for review".to_owned(),
        count => format!("{count} hunks wait for review"),
    };
    Ok(Some(words))
}

/// How review stands with the work of a task that was completed: what was taken back of it, and what waits.
pub(crate) fn review_words<V: View>(view: &V, task: TaskId) -> Result<Vec<String>, V::Error> {
    let rejected = match taken_back(view, task)? {
        TakenBack::Part => Some("partly rejected in review".to_owned()),
        // That is how it ended.
        TakenBack::All | TakenBack::Nothing => None,
    };
    Ok(rejected.into_iter().chain(waiting_words(view, task)?).collect())
}
