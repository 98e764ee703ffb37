//! Remotes: asked and told through the person's git, with their keys and helpers. Never by force; what the remote says is
//! sorted by asking it again, not by guessing from words, which come in many languages.

use std::ffi::OsStr;

use git2::{ErrorCode, Oid, Reference};

use super::program::Limit;
use super::{Git, HistoryError, Result};
use crate::vcs::history::Remote;

const NEEDED: &str = "talking to a remote";

impl Git {
    pub(super) fn ask_remote(&self, remote: &str, branch: &str) -> Result<Remote> {
        let full = full_name(self.named_there(remote, branch)?)?;
        if !self.knows_remote(remote)? {
            return Ok(Remote::NoRemote);
        }
        let words = ["ls-remote", "--heads", "--", remote, full.as_str()].map(OsStr::new);
        let outcome = self.program(NEEDED)?.run(&words, &[], Limit::Network)?;
        if !outcome.success {
            let words = format!("{remote} cannot be asked: {}", outcome.words);
            return Err(HistoryError::Failed { program: "git ls-remote".into(), words });
        }
        let output = String::from_utf8_lossy(&outcome.output);
        // A pattern also finds names that end like it.
        let found = output.lines().filter_map(|line| line.split_once('\t')).find(|(_, name)| *name == full);
        Ok(found.map_or(Remote::NoBranch, |(id, _)| Remote::At(id.to_owned())))
    }

    pub(super) fn push_to(&self, remote: &str, branch: &str, commit: &str) -> Result<()> {
        let full = full_name(self.named_there(remote, branch)?)?;
        let commit = self.whole(commit)?.id();
        if !self.knows_remote(remote)? {
            let words =
                format!("there is no remote {remote}. Add it with `git remote add {remote} <url>`, then repeat.");
            return Err(HistoryError::Refused { what: "The push".into(), words });
        }
        let order = format!("{commit}:{full}");
        let words = ["push", "--porcelain", "--", remote, order.as_str()].map(OsStr::new);
        let outcome = self.program(NEEDED)?.run(&words, &[], Limit::Network)?;
        if outcome.success {
            return Ok(());
        }
        match self.ask_remote(remote, branch)? {
            // It has it all the same: somebody else was faster, or the answer was lost.
            Remote::At(found) if found == commit.to_string() => Ok(()),
            Remote::At(found) if !self.has_below(commit, &found)? => {
                Err(HistoryError::RemoteMoved { remote: remote.into(), branch: branch.into(), found })
            }
            Remote::At(_) | Remote::NoBranch | Remote::NoRemote => {
                let what = format!("The push to {branch} of {remote}");
                Err(HistoryError::Refused { what, words: outcome.words })
            }
        }
    }

    /// What a remote itself calls a branch: `origin/dev` is the branch dev of origin, unless one is called so here.
    fn named_there<'a>(&self, remote: &str, branch: &'a str) -> Result<&'a str> {
        let Some(there) = branch.strip_prefix(remote).and_then(|rest| rest.strip_prefix('/')) else {
            return Ok(branch);
        };
        match self.git.find_branch(branch, git2::BranchType::Local) {
            Ok(_) => Ok(branch),
            Err(error) if matches!(error.code(), ErrorCode::NotFound | ErrorCode::InvalidSpec) => Ok(there),
            Err(error) => Err(error.into()),
        }
    }

    fn knows_remote(&self, name: &str) -> Result<bool> {
        // What begins so would be taken for an option, and git allows no such name.
        if name.starts_with('-') {
            return Ok(false);
        }
        match self.git.find_remote(name) {
            Ok(_) => Ok(true),
            Err(error) if matches!(error.code(), ErrorCode::NotFound | ErrorCode::InvalidSpec) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// Whether a commit of ours stands on one of the remote's, which may be unknown here.
    fn has_below(&self, commit: Oid, found: &str) -> Result<bool> {
        match Oid::from_str(found).and_then(|found| self.git.find_commit(found)) {
            Ok(found) => Ok(self.stands_on(commit, found.id())?),
            Err(_) => Ok(false),
        }
    }
}

fn full_name(branch: &str) -> Result<String> {
    let full = format!("refs/heads/{branch}");
    if Reference::is_valid_name(&full) {
        return Ok(full);
    }
    let what = format!("The branch name {}", augment_core::text::quoted(branch));
    Err(HistoryError::Refused { what, words: "git allows no such name. Name another one.".into() })
}
