//! That the files on disk stay as they are: looked at after what was written, and taken back where it is not so. What jj
//! made of `@` in an operation of ours is held against `@` just before that operation, into which jj had read the files:
//! what the person writes meanwhile is no change of ours, and stays.

use git2::Oid;
use serde::Deserialize;

use super::super::history::{Commit, HistoryError, Result};
use super::Jj;
use super::program::Look;
use super::reading::unreadable;

/// How many operations are looked through for our own.
const MAX_OPERATIONS: usize = 200;

/// Something that this program has done.
pub(super) struct Operation {
    id: String,
    /// What it stands on.
    parent: String,
}

/// An operation as jj tells of it.
#[derive(Deserialize)]
struct Line {
    id: String,
    parents: Vec<String>,
    description: String,
    is_snapshot: bool,
}

impl Jj {
    /// Refuses what has changed the files, once that is taken back. `then` is `@` as it was after the operation `before`.
    pub(super) fn expect_kept(&self, before: &str, then: &Commit) -> Result<()> {
        let now = self.standing(Look::Aside)?.working.commit;
        if self.tree(&then.id)? == self.tree(&now.id)? {
            return Ok(());
        }
        let mut own = self.own_operations_since(before)?;
        let mut oldest = None;
        for (at, Operation { id, parent }) in own.iter().enumerate() {
            if self.tree_then(id)? != self.tree_then(parent)? {
                oldest = Some(at);
            }
        }
        let Some(oldest) = oldest else { return Ok(()) };
        let is_whole = oldest + 1 == own.len();
        own.truncate(oldest + 1);
        let error = self.revert(&own)?;
        // What was done before that has kept the files, and stays.
        Err(if is_whole { error } else { error.partly_done() })
    }

    /// Takes back what was done here since an operation, the files with it. What somebody else did in the meantime stays.
    pub(super) fn take_all_back(&self, before: &str) -> Result<HistoryError> {
        let own = self.own_operations_since(before)?;
        self.revert(&own)
    }

    /// Takes these operations back, the newest of which comes first, and says how that went.
    fn revert(&self, own: &[Operation]) -> Result<HistoryError> {
        let wrong = "what came out is not what was wanted";
        let ([newest, ..], [.., oldest]) = (own, own) else { return Ok(self.odd(wrong)) };
        let short = oldest.parent.get(..12).unwrap_or(&oldest.parent);
        let way = format!("`jj op restore {short}` brings back what was before");
        let now = self.standing(Look::First)?.working.commit;
        if self.tree(&now.id)? != self.tree_then(&newest.id)? {
            // What was written since would be merged with what is taken back.
            return Ok(self.odd(&format!("{wrong}, and your files have changed since. {way}")));
        }
        for Operation { id, .. } in own {
            self.program.jj(Look::First, &["op", "revert", id])?;
        }
        let now = self.standing(Look::Aside)?.working.commit;
        if self.tree(&now.id)? != self.tree_then(&oldest.parent)? {
            return Ok(self.odd(&format!("{wrong}, and taking it back did not bring back all of your files. {way}")));
        }
        Ok(self.odd(&format!("{wrong}, so it was taken back. Your files are as they were")))
    }

    /// What `@` held after an operation.
    fn tree_then(&self, operation: &str) -> Result<Oid> {
        match self.all_then(operation, "@")?.as_slice() {
            [working] => self.tree(working),
            [] | [_, _, ..] => Err(self.odd("it knows no working copy there")),
        }
    }

    /// What this program has done since an operation, the newest first. What others have done meanwhile is not among it,
    /// nor what was only taken note of: what the files hold, and what git did.
    fn own_operations_since(&self, before: &str) -> Result<Vec<Operation>> {
        let limit = (MAX_OPERATIONS + 1).to_string();
        let template = r#"json(self) ++ "\n""#;
        let said = self.program.jj(Look::Aside, &["op", "log", "--no-graph", "--limit", &limit, "-T", template])?;
        let mut own = Vec::new();
        for line in said.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            let Line { id, parents, description, is_snapshot } =
                serde_json::from_slice(line).map_err(|error| unreadable(&error))?;
            if id == before {
                return Ok(own);
            }
            let is_own = line.windows(self.program.mark.len()).any(|part| part == self.program.mark.as_bytes());
            let is_note = is_snapshot || description.starts_with("import git ");
            // One with two parents only brings together what was done at the same time.
            if let (true, false, [parent]) = (is_own, is_note, parents.as_slice()) {
                own.push(Operation { id, parent: parent.clone() });
            }
        }
        let short = before.get(..12).unwrap_or(before);
        Err(self.odd(&format!("too much was done meanwhile to find it. `jj op log` lists what was done since {short}")))
    }
}
