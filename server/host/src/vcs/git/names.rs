//! Which commit a change id names: one that is kept of a prompt, as it was, or one of the newest of the branches. All of
//! them are read once for a tip, since a list of sessions asks for hundreds. Nothing here writes.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ops::Bound;

use git2::{Oid, Sort};

use super::reading::decoded;
use super::synthesis::KEPT;
use super::{Git, Result, change_of, is_change};
use crate::vcs::committing;
use crate::vcs::history::Commit;

/// How many of the newest commits are searched for a change id.
const SEARCHED: usize = 5_000;
/// So many letters name one change only.
const ENOUGH: usize = 12;

/// The change ids that are known.
pub(super) struct Names {
    tip: Option<Oid>,
    kept: BTreeMap<String, Oid>,
    /// Those of the branches, once they are needed.
    walked: OnceCell<BTreeMap<String, Oid>>,
}

/// What the beginning of an id names.
enum Named {
    Nothing,
    One(Oid),
    Several,
}

fn begun_by(names: &BTreeMap<String, Oid>, begin: &str) -> Vec<(String, Oid)> {
    let from = names
        .range::<str, _>((Bound::Included(begin), Bound::Unbounded))
        .take_while(|(name, _)| name.starts_with(begin));
    from.take(2).map(|(name, id)| (name.clone(), *id)).collect()
}

impl Git {
    /// The commit whose change id begins so; `None` where there is none or more than one.
    pub(super) fn named(&self, begin: &str) -> Result<Option<Commit>> {
        let tip = committing::tip(&self.git)?.map(|tip| tip.id());
        let mut names = self.names.borrow_mut();
        let is_fresh = names.as_ref().is_some_and(|names| names.tip == tip);
        if !is_fresh {
            *names = Some(Names { tip, kept: self.kept_names()?, walked: OnceCell::new() });
        }
        let Some(names) = names.as_ref() else { return Ok(None) };
        let kept = begun_by(&names.kept, begin);
        let named = match kept.as_slice() {
            [(_, id)] if begin.len() >= ENOUGH => Named::One(*id),
            [_, _, ..] => Named::Several,
            [_] | [] => {
                let walked = match names.walked.get() {
                    Some(walked) => walked,
                    None => {
                        let found = self.walked_names(tip)?;
                        names.walked.get_or_init(|| found)
                    }
                };
                let walked = begun_by(walked, begin);
                let first = kept.first().or(walked.first());
                match first {
                    None => Named::Nothing,
                    Some((name, id)) if walked.iter().all(|(other, _)| other == name) => Named::One(*id),
                    Some(_) => Named::Several,
                }
            }
        };
        match named {
            Named::One(id) => Ok(Some(self.told(&self.git.find_commit(id)?))),
            Named::Nothing | Named::Several => Ok(None),
        }
    }

    /// Those are the intents as they were.
    fn kept_names(&self) -> Result<BTreeMap<String, Oid>> {
        let mut found = BTreeMap::new();
        for known in self.git.references_glob(&format!("{KEPT}*"))? {
            let known = known?;
            let name = decoded(known.name_bytes());
            let Some(change) = name.rsplit('/').next().filter(|last| is_change(last)) else { continue };
            if let Entry::Vacant(free) = found.entry(change.to_owned()) {
                free.insert(known.peel_to_commit()?.id());
            }
        }
        Ok(found)
    }

    fn walked_names(&self, tip: Option<Oid>) -> Result<BTreeMap<String, Oid>> {
        let mut found = BTreeMap::new();
        let mut walk = self.git.revwalk()?;
        walk.set_sorting(Sort::TIME)?;
        walk.push_glob("refs/heads/*")?;
        if let Some(tip) = tip {
            walk.push(tip)?;
        }
        for id in walk.take(SEARCHED) {
            let commit = self.git.find_commit(id?)?;
            if let Some(change) = change_of(&decoded(commit.message_bytes())) {
                found.entry(change.to_owned()).or_insert(commit.id());
            }
        }
        Ok(found)
    }
}
