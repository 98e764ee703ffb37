//! The taking back of a commit. The order is the branch, then the index: whatever ends the process in between, nothing is
//! committed that the index does not know, and the same order given again finishes it. The files on disk stay as they are.

use std::collections::BTreeSet;

use augment_core::file::FilePath;
use git2::Commit as Known;

use super::index::{self, Change, Marked};
use super::writing::{as_change, moved};
use super::{Git, Result, tree};
use crate::vcs::committing;

/// A commit of ours that may be taken back.
pub(super) struct ToUndo<'a> {
    made: Known<'a>,
    before: Option<Known<'a>>,
    /// The branch is where it was before.
    is_back: bool,
}

impl Git {
    pub(super) fn ready_to_undo_commit(&self, made: &str, before: &str) -> Result<ToUndo<'_>> {
        self.settled()?;
        let tip = committing::tip(&self.git)?;
        let made = self.whole(made)?;
        let before = if before.is_empty() { None } else { Some(self.whole(before)?) };
        if made.parent_ids().next() != before.as_ref().map(Known::id) || made.parent_count() > 1 {
            return Err(moved(before.map(|before| before.id().to_string()).as_deref(), Some(&made.id().to_string())));
        }
        let now = tip.as_ref().map(Known::id);
        let is_back = now == before.as_ref().map(Known::id);
        if !is_back && now != Some(made.id()) {
            return Err(self.moved(Some(&made.id().to_string())));
        }
        self.refuse_pushed(before.as_ref().map(Known::id), made.id())?;
        index::check(&self.git)?;
        if !is_back {
            if before.is_none() && self.head_name()? == "HEAD" {
                return Err(self.moved(Some(&made.id().to_string())));
            }
            self.movable()?;
        }
        Ok(ToUndo { made, before, is_back })
    }

    pub(super) fn undo_commit(&self, made: &str, before: &str, staged: &[FilePath]) -> Result<()> {
        let ToUndo { made, before, is_back } = self.ready_to_undo_commit(made, before)?;
        let older = before.as_ref().map(Known::tree).transpose()?;
        let found = tree::differences(&self.git, Some(&made.tree()?), older.as_ref())?;
        let staged: BTreeSet<Vec<u8>> = staged.iter().map(|path| self.within(path)).collect();
        let (staying, changes): (Vec<Change>, Vec<Change>) =
            found.into_iter().map(as_change).partition(|change| staged.contains(&change.place));
        // Where something stays staged the index is as neither tree has it, and nothing may be noted of its folders.
        let trees = older.as_ref().filter(|_| staying.is_empty()).map(|older| (made.tree_id(), older.id()));
        if !is_back {
            self.lead_back(made.id(), before.as_ref().map(Known::id), "reset: a commit is taken back")?;
        }
        let settled = index::settle(&self.git, &changes, trees, Marked::Brought).map(drop);
        let Err(error) = settled else { return Ok(()) };
        if !is_back
            && let Err(why) = self.lead(before.map(|before| before.id()), made.id(), "reset: it was not taken back")
        {
            return Err(error.half_done(&why));
        }
        Err(error)
    }
}
