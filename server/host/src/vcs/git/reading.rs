//! Questions to the history. Nothing here writes, and every walk has an end.

use std::collections::HashMap;

use augment_core::file::FilePath;
use git2::{Commit as Known, ErrorCode, FileMode, Oid, Sort, Status, StatusOptions, StatusShow};

use super::{Git, HistoryError, Result, as_path, change_of, index, is_begin_of_change, submodules, tree};
use crate::vcs::committing;
use crate::vcs::history::{Body, Commit, Ground};

/// How many commits since a base are told.
const MAX_SINCE: usize = 10_000;
/// How many branches are looked at.
const MAX_BRANCHES: usize = 1_000;
/// The shortest beginning of a hash that is taken, as in git.
const SHORTEST_HASH: usize = 4;

/// The text of a message: git takes any bytes.
pub(super) fn decoded(message: &[u8]) -> String {
    String::from_utf8_lossy(message).into_owned()
}

impl Git {
    pub(super) fn told(&self, commit: &Known<'_>) -> Commit {
        let message = decoded(commit.message_bytes());
        Commit {
            id: commit.id().to_string(),
            change: change_of(&message).map(str::to_owned),
            parents: commit.parent_ids().map(|id| id.to_string()).collect(),
            message,
            time: commit.time().seconds(),
            conflict: false,
        }
    }

    /// The commit of a whole hash.
    pub(super) fn whole(&self, id: &str) -> Result<Known<'_>> {
        let found = if id.len() < 40 { None } else { Oid::from_str(id).ok() };
        let found = found.and_then(|id| self.git.find_commit(id).ok());
        found.ok_or_else(|| HistoryError::Unknown { name: id.to_owned() })
    }

    /// Whether one commit is another, or has it among its ancestors.
    pub(super) fn stands_on(&self, commit: Oid, below: Oid) -> Result<bool, git2::Error> {
        Ok(commit == below || self.git.graph_descendant_of(commit, below)?)
    }

    pub(super) fn read_ground(&self) -> Result<Ground> {
        let tip = committing::tip(&self.git)?.map(|tip| self.told(&tip));
        let name = self.head_name()?;
        let branch = (name != "HEAD").then(|| name.strip_prefix("refs/heads/").unwrap_or(&name).to_owned());
        Ok(Ground { tip, branch, working: None })
    }

    pub(super) fn read_changed(&self) -> Result<Vec<FilePath>> {
        let mut options = StatusOptions::new();
        options
            .show(StatusShow::IndexAndWorkdir)
            .include_untracked(true)
            .recurse_untracked_dirs(true)
            .include_ignored(false)
            .exclude_submodules(true)
            .disable_pathspec_match(true)
            .update_index(false);
        if !self.prefix.is_empty() {
            options.pathspec(as_path(&self.prefix));
        }
        let tip = committing::tip(&self.git)?;
        let left_alone = index::left_alone(&self.git)?;
        let mut changed = Vec::new();
        for entry in self.git.statuses(Some(&mut options))?.iter() {
            let Some(path) = self.outward(entry.path_bytes()) else { continue };
            if left_alone.contains(entry.path_bytes()) {
                continue;
            }
            let status = entry.status();
            // Staged, and brought back on disk: then it may be as in the tip after all.
            let staged = Status::INDEX_NEW | Status::INDEX_MODIFIED | Status::INDEX_DELETED | Status::INDEX_TYPECHANGE;
            if status.intersects(staged) && self.is_on_disk(tip.as_ref(), &path)? {
                continue;
            }
            changed.push(path);
        }
        let is_list = |path: &FilePath| self.within(path) == submodules::MODULES;
        if changed.iter().any(is_list) && self.has_staged_submodule()? {
            changed.retain(|path| !is_list(path));
        }
        changed.sort();
        changed.dedup();
        Ok(changed)
    }

    /// Whether the disk holds exactly what a commit does.
    fn is_on_disk(&self, commit: Option<&Known<'_>>, path: &FilePath) -> Result<bool> {
        use std::os::unix::ffi::OsStrExt as _;
        use std::os::unix::fs::PermissionsExt as _;
        let disk = self.top.join(as_path(&self.within(path)));
        let kept = commit.map_or(Ok(Body::Absent), |commit| self.read_laid_down(commit, path))?;
        let has_modes = self.has_modes()?;
        let found = std::fs::symlink_metadata(&disk);
        Ok(match (kept, found) {
            (Body::Absent, found) => found.is_err(),
            (_, Err(_)) => false,
            (Body::File { content, executable }, Ok(found)) => {
                found.is_file()
                    && found.len() == content.len() as u64
                    && (!has_modes || (found.permissions().mode() & 0o100 != 0) == executable)
                    && std::fs::read(&disk).is_ok_and(|read| read == content)
            }
            (Body::Link(target), Ok(_)) => {
                std::fs::read_link(&disk).is_ok_and(|read| read.as_os_str().as_bytes() == target)
            }
        })
    }

    pub(super) fn read_at(&self, commit: &Known<'_>, path: &FilePath) -> Result<Body> {
        let Some((id, mode)) = tree::kept(&commit.tree()?, &self.within(path))? else { return Ok(Body::Absent) };
        if mode == u32::from(FileMode::Commit) {
            return Ok(Body::Absent);
        }
        let content = self.git.find_blob(id)?.content().to_vec();
        Ok(if mode == u32::from(FileMode::Link) {
            Body::Link(content)
        } else {
            Body::File { content, executable: mode == u32::from(FileMode::BlobExecutable) }
        })
    }

    pub(super) fn read_touched(&self, commit: &str) -> Result<Vec<FilePath>> {
        let commit = self.whole(commit)?;
        let before = match commit.parent(0) {
            Ok(parent) => Some(parent.tree()?),
            Err(error) if error.code() == ErrorCode::NotFound => None,
            Err(error) => return Err(error.into()),
        };
        let found = tree::differences(&self.git, before.as_ref(), Some(&commit.tree()?))?;
        let mut paths: Vec<FilePath> = found.iter().filter_map(|(place, _, _)| self.outward(place)).collect();
        paths.sort();
        paths.dedup();
        Ok(paths)
    }

    pub(super) fn read_lineage(&self, from: Option<&str>, limit: usize) -> Result<Vec<Commit>> {
        let start = match from {
            Some(name) => Some(self.resolve(name)?),
            None => committing::tip(&self.git)?.map(|tip| tip.id()),
        };
        let Some(start) = start else { return Ok(Vec::new()) };
        let mut walk = self.git.revwalk()?;
        walk.simplify_first_parent()?;
        walk.push(start)?;
        walk.take(limit).map(|id| Ok(self.told(&self.git.find_commit(id?)?))).collect()
    }

    /// What a name leads to: a branch of here, `<remote>/<branch>`, a branch that only a remote has, or a commit.
    fn resolve(&self, name: &str) -> Result<Oid> {
        for kind in [git2::BranchType::Local, git2::BranchType::Remote] {
            match self.git.find_branch(name, kind) {
                Ok(branch) => return Ok(branch.get().peel_to_commit()?.id()),
                Err(error) if matches!(error.code(), ErrorCode::NotFound | ErrorCode::InvalidSpec) => {}
                Err(error) => return Err(error.into()),
            }
        }
        if let Some(id) = self.on_remotes(name)? {
            return Ok(id);
        }
        match self.search(name)? {
            Some(commit) => Ok(Oid::from_str(&commit.id)?),
            None => Err(HistoryError::Unknown { name: name.to_owned() }),
        }
    }

    /// Where a branch is that only remotes have, as on a machine that checks out commits and no branches: the only one of
    /// this name, or that of `origin`.
    fn on_remotes(&self, branch: &str) -> Result<Option<Oid>> {
        let mut found: Vec<Oid> = Vec::new();
        for remote in &self.git.remotes()? {
            let Some(remote) = remote? else { continue };
            let at = match self.git.find_reference(&format!("refs/remotes/{remote}/{branch}")) {
                Ok(known) => known.peel_to_commit()?.id(),
                Err(error) if matches!(error.code(), ErrorCode::NotFound | ErrorCode::InvalidSpec) => continue,
                Err(error) => return Err(error.into()),
            };
            if remote == "origin" {
                return Ok(Some(at));
            }
            found.push(at);
        }
        found.dedup();
        Ok(if let [only] = found.as_slice() { Some(*only) } else { None })
    }

    pub(super) fn read_since(&self, base: Option<&str>) -> Result<Vec<(Commit, Option<String>)>> {
        let Some(tip) = committing::tip(&self.git)?.map(|tip| tip.id()) else { return Ok(Vec::new()) };
        let base = base.map(|base| self.whole(base)).transpose()?.map(|base| base.id());
        let branches = match base {
            Some(base) => self.branches_on(base)?,
            None => Vec::new(),
        };
        // The nearest branch above each commit that is not below the tip.
        let mut nearest: HashMap<Oid, (usize, &str)> = HashMap::new();
        let mut all = self.git.revwalk()?;
        all.set_sorting(Sort::TOPOLOGICAL | Sort::TIME | Sort::REVERSE)?;
        all.push(tip)?;
        if let Some(base) = base {
            all.hide(base)?;
        }
        for (name, at) in &branches {
            all.push(*at)?;
            let mut aside = self.git.revwalk()?;
            aside.set_sorting(Sort::TOPOLOGICAL)?;
            aside.push(*at)?;
            for hidden in base.into_iter().chain([tip]) {
                aside.hide(hidden)?;
            }
            for (distance, id) in aside.take(MAX_SINCE + 1).enumerate() {
                let known = nearest.entry(id?).or_insert((distance, name));
                *known = (*known).min((distance, name));
            }
        }
        let ids = all.take(MAX_SINCE + 1).collect::<Result<Vec<_>, _>>()?;
        if ids.len() > MAX_SINCE {
            let words =
                format!("there are more than {MAX_SINCE} commits since then. Name a newer beginning, then repeat.");
            return Err(HistoryError::Refused { what: "Looking at the session's commits".into(), words });
        }
        let branch = |id: &Oid| nearest.get(id).map(|(_, name)| (*name).to_owned());
        ids.iter().map(|id| Ok((self.told(&self.git.find_commit(*id)?), branch(id)))).collect()
    }

    /// The local branches that have a commit in them, by name.
    fn branches_on(&self, base: Oid) -> Result<Vec<(String, Oid)>> {
        let mut found = Vec::new();
        for (seen, branch) in self.git.branches(Some(git2::BranchType::Local))?.enumerate() {
            if seen == MAX_BRANCHES {
                tracing::warn!("there are more than {MAX_BRANCHES} branches; the others are not looked at");
                break;
            }
            let (branch, _) = branch?;
            let Ok(at) = branch.get().peel_to_commit() else { continue };
            if self.stands_on(at.id(), base)? {
                found.push((decoded(branch.name_bytes()?), at.id()));
            }
        }
        found.sort();
        Ok(found)
    }

    pub(super) fn search(&self, name: &str) -> Result<Option<Commit>> {
        if is_begin_of_change(name) {
            return self.named(name);
        }
        if name.len() < SHORTEST_HASH || name.len() > 40 || !name.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return Ok(None);
        }
        match self.git.find_commit_by_prefix(name) {
            Ok(commit) => Ok(Some(self.told(&commit))),
            Err(error)
                if matches!(error.code(), ErrorCode::NotFound | ErrorCode::Ambiguous | ErrorCode::InvalidSpec) =>
            {
                Ok(None)
            }
            Err(error) => Err(error.into()),
        }
    }
}
