//! The submodules of a repository: each is a commit of another one that this one names. Nobody here commits them, so those
//! that would be passed over are told.

use std::collections::BTreeMap;

use augment_core::file::FilePath;
use git2::{FileMode, Oid, Repository, Tree};

use super::{Git, Result, as_path, index, tree};
use crate::vcs::committing;

/// The file that says where submodules come from. It belongs to the commit that names them first, and to the one that
/// takes them out.
pub(super) const MODULES: &[u8] = b".gitmodules";

/// How a submodule differs from what the tip names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Differs {
    /// The tip has none there, or the index has none any more.
    Staged,
    /// It is at another commit, in the index or on disk.
    Moved,
}

impl Git {
    /// The submodules of the workspace that differ from the tip, by path.
    pub(super) fn read_submodules(&self) -> Result<Vec<FilePath>> {
        Ok(self.differing()?.keys().filter_map(|place| self.outward(place)).collect())
    }

    /// Whether a submodule is staged that the tip lacks, or one is staged to go.
    pub(super) fn has_staged_submodule(&self) -> Result<bool> {
        Ok(self.differing()?.values().any(|differs| *differs == Differs::Staged))
    }

    fn differing(&self) -> Result<BTreeMap<Vec<u8>, Differs>> {
        let tip = committing::tip(&self.git)?.map(|tip| tip.tree()).transpose()?;
        let named = |place: &[u8]| tip.as_ref().map_or(Ok(None), |tip| named(tip, place));
        let mut differing = BTreeMap::new();
        let index = index::read(&self.git)?;
        for entry in index.iter().filter(|entry| entry.mode == u32::from(FileMode::Commit)) {
            let differs = match named(&entry.path)? {
                None => Differs::Staged,
                Some(kept) if kept != entry.id || self.checked_out(&entry.path).is_some_and(|at| at != kept) => {
                    Differs::Moved
                }
                Some(_) => continue,
            };
            differing.insert(entry.path, differs);
        }
        for place in tip.as_ref().map_or_else(|| Ok(Vec::new()), |tip| self.listed(tip))? {
            if named(&place)?.is_some() && index.get_path(as_path(&place), 0).is_none() {
                differing.insert(place, Differs::Staged);
            }
        }
        Ok(differing)
    }

    /// The commit that a submodule is at on disk; `None` where it is not checked out.
    fn checked_out(&self, place: &[u8]) -> Option<Oid> {
        Repository::open(self.top.join(as_path(place))).ok()?.head().ok()?.target()
    }

    /// The places of submodules that a tree's list of them tells.
    fn listed(&self, tree: &Tree<'_>) -> Result<Vec<Vec<u8>>> {
        let Some((id, _)) = tree::kept(tree, MODULES)? else { return Ok(Vec::new()) };
        let Ok(list) = self.git.find_blob(id) else { return Ok(Vec::new()) };
        let value = |line: &[u8]| {
            let at = line.iter().position(|byte| *byte == b'=')?;
            (line[..at].trim_ascii() == b"path").then(|| line[at + 1..].trim_ascii().to_vec())
        };
        Ok(list.content().split(|byte| *byte == b'\n').filter_map(value).filter(|place| !place.is_empty()).collect())
    }
}

/// The commit that a tree names at a place.
fn named(tree: &Tree<'_>, place: &[u8]) -> Result<Option<Oid>> {
    let kept = tree::kept(tree, place)?;
    Ok(kept.filter(|(_, mode)| *mode == u32::from(FileMode::Commit)).map(|(id, _)| id))
}
