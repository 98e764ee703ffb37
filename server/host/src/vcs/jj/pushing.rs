//! Bringing a commit to a remote, never by force: the remote itself is asked where its branch is, and only a commit that
//! stands on that is pushed. jj's push compares once more. Where the remote says no, its words are told.

use super::super::history::{HistoryError, Remote, Result};
use super::Jj;
use super::program::{Look, Reach, words};
use super::reading::{literal, revision};

impl Jj {
    /// git is asked, since jj can only fetch, which would change what is known here.
    pub(super) fn ask_remote(&self, remote: &str, branch: &str) -> Result<Remote> {
        let listed = self.program.jj(Look::Aside, &["git", "remote", "list"])?;
        let listed = String::from_utf8_lossy(&listed).into_owned();
        if !listed.lines().any(|line| line.split_once(' ').map_or(line, |(name, _)| name) == remote) {
            return Ok(Remote::NoRemote);
        }
        let wanted = format!("refs/heads/{branch}");
        let said = self.program.git("asking a remote", &self.git, &["ls-remote", "--", remote, &wanted])?;
        let said = String::from_utf8_lossy(&said).into_owned();
        // A pattern could match more: the name is compared.
        let at = said.lines().filter_map(|line| line.split_once('\t')).find(|(_, name)| *name == wanted);
        Ok(at.map_or(Remote::NoBranch, |(id, _)| Remote::At(id.to_owned())))
    }

    pub(super) fn push_to(&self, remote: &str, branch: &str, commit: &str) -> Result<()> {
        let commit = self.commit_of(commit)?.commit;
        let found = self.expect_below(remote, branch, &commit.id)?;
        let known = self.remote_bookmarks(branch)?.into_iter().find(|known| known.remote == remote);
        let pattern = format!("exact:{}", literal(branch));
        if found != known.map(|known| known.target) {
            // jj pushes only over what it has seen there.
            let named = format!("exact:{}", literal(remote));
            self.away(&["git", "fetch", "--remote", &named, "--branch", &pattern], "Fetching")?;
        }
        if found.as_deref() == Some(commit.id.as_str()) {
            return Ok(());
        }
        self.bring_bookmark(branch, &commit.id)?;
        if found.is_some() {
            self.program
                .jj(Look::First, &["bookmark", "track", &pattern, "--remote", &format!("exact:{}", literal(remote))])?;
        }
        let pushed = self.away(&["git", "push", "--remote", remote, "--bookmark", &pattern], "The push");
        if pushed.is_err() {
            // Somebody may have been quicker between the question and the push.
            self.expect_below(remote, branch, &commit.id)?;
        }
        pushed
    }

    /// Where the remote's branch is, if the commit stands on it.
    fn expect_below(&self, remote: &str, branch: &str, id: &str) -> Result<Option<String>> {
        let at = match self.ask_remote(remote, branch)? {
            Remote::NoRemote => {
                return Err(HistoryError::Refused {
                    what: "The push".to_owned(),
                    words: format!(
                        "there is no remote {}. Add it (`jj git remote add`), then repeat.",
                        augment_core::text::quoted(remote)
                    ),
                });
            }
            Remote::NoBranch => return Ok(None),
            Remote::At(at) => at,
        };
        let is_known = self.found(&at)?.is_some();
        if is_known && self.any(&format!("{} & ::{}", revision(Some(&at)), revision(Some(id))))? {
            return Ok(Some(at));
        }
        let found = at.get(..12).unwrap_or(&at).to_owned();
        Err(HistoryError::RemoteMoved { remote: remote.to_owned(), branch: branch.to_owned(), found })
    }

    /// The bookmark of that name is at the commit or comes to it from below; anything else is another's work.
    fn bring_bookmark(&self, branch: &str, id: &str) -> Result<()> {
        let known = self.commit_of(id)?;
        if known.bookmarks.iter().any(|bookmark| bookmark == branch) {
            return Ok(());
        }
        let there = format!("bookmarks(exact:{})", literal(branch));
        let all = self.commits(Look::Aside, &format!("{there} ~ ::{}", revision(Some(id))), Some(1))?;
        if let Some(other) = all.first() {
            return Err(HistoryError::Refused {
                what: "The push".to_owned(),
                words: format!(
                    "the bookmark {} is at {}, which {} does not stand on. Move it yourself (`jj bookmark set`), or push to another one.",
                    augment_core::text::quoted(branch),
                    other.commit.name(),
                    known.commit.name()
                ),
            });
        }
        self.set_bookmark(branch, id)
    }

    fn away(&self, arguments: &[&str], what: &str) -> Result<()> {
        let ended = self.program.try_jj(Look::First, Reach::Away, arguments, b"")?;
        if ended.status.success() {
            return Ok(());
        }
        Err(HistoryError::Refused { what: what.to_owned(), words: words(&ended.stderr) })
    }
}
