//! The commit of a session, made of its intents. First every intent gets a ref of its own, so that nothing that the
//! session's commit names can be lost; then the commit is written; then the branch is led to it. Neither the files nor the
//! index are touched, and a kill between any two of these leaves what the same order finishes.

use std::collections::BTreeSet;
use std::ffi::OsStr;

use git2::{Commit as Known, ErrorCode, Oid};

use super::begun::Folder;
use super::identity::Identity;
use super::index;
use super::program::Limit;
use super::reading::decoded;
use super::writing::{Draft, FOR_HOOKS, told_of_message};
use super::{CommitError, Git, HistoryError, Result, change_of, names_change, with_trailer};
use crate::vcs::committing;
use crate::vcs::history::{Commit, Made, Synthesis};

/// Below it lies what prompts are made of.
pub(super) const KEPT: &str = "refs/augment/prompts/";
/// The only hook around commits that a session's commit is shown to.
const MESSAGE_HOOK: &str = "commit-msg";
/// How many commits one session may have.
const MAX_COMMITS: usize = 10_000;

/// A session's commit that may be made.
pub(super) enum ToSynthesise<'a> {
    /// It was made already.
    Done(Commit),
    Of {
        tip: Known<'a>,
        commits: Vec<Known<'a>>,
        base: Option<Oid>,
        identity: Identity,
    },
}

impl Git {
    pub(super) fn ready_for_synthesis(&self, plan: &Synthesis) -> Result<ToSynthesise<'_>> {
        self.settled()?;
        index::check(&self.git)?;
        if let Some(commit) = self.search_synthesised(plan)? {
            return Ok(ToSynthesise::Done(commit));
        }
        let tip = self.whole(&plan.tip)?;
        let commits = self.named_commits(plan, &tip)?;
        let now = committing::tip(&self.git)?;
        if now.map(|now| now.id()) != Some(tip.id()) {
            return Err(self.moved(Some(&plan.tip)));
        }
        let base = plan.base.as_deref().map(|base| self.whole(base)).transpose()?.map(|base| base.id());
        if self.hook(MESSAGE_HOOK)?.is_some() {
            self.program(FOR_HOOKS)?;
        }
        self.can_sign()?;
        self.movable()?;
        Ok(ToSynthesise::Of { tip, commits, base, identity: self.identity()? })
    }

    pub(super) fn write_synthesis(&self, plan: &Synthesis) -> Result<Made> {
        let ready = self.ready_for_synthesis(plan)?;
        Folder::clear_left(self, &plan.change)?;
        let before = plan.tip.clone();
        let (tip, commits, base, identity) = match ready {
            ToSynthesise::Done(commit) => return Ok(Made { commit, before, staged: Vec::new(), notes: Vec::new() }),
            ToSynthesise::Of { tip, commits, base, identity } => (tip, commits, base, identity),
        };
        self.keep(plan.prompt, &commits, &tip)?;
        let message = with_trailer(&plan.message, &plan.change);
        let (message, mut notes) = self.past_hook(&message, &plan.change)?;
        notes.extend(self.settings()?.note());
        let is_single = commits.len() == 1;
        let parents: Vec<Oid> = if is_single { tip.parent_ids().collect() } else { base.into_iter().collect() };
        let author = tip.author();
        let draft = Draft {
            message: &message,
            tree: tip.tree_id(),
            parents: &parents,
            author: if is_single { &author } else { &identity.author },
            committer: &identity.committer,
            change: &plan.change,
        };
        let commit = self.draft(&draft)?;
        if !names_change(&message, &plan.change) {
            // After a kill nothing in the commit says whose it is.
            let name = made_name(plan.prompt);
            self.git.reference(&name, commit, true, "session: its commit").map_err(|error| held(error, &name))?;
        }
        let log = format!("session: {}", first_line(&message));
        self.lead(Some(tip.id()), commit, &log)?;
        Ok(Made { commit: self.told(&self.git.find_commit(commit)?), before, staged: Vec::new(), notes })
    }

    /// The commits of the plan, which must end with the tip and stand on the base.
    fn named_commits(&self, plan: &Synthesis, tip: &Known<'_>) -> Result<Vec<Known<'_>>> {
        let refused = |words: &str| HistoryError::Refused { what: "The session's commit".into(), words: words.into() };
        if plan.commits.is_empty() || plan.commits.len() > MAX_COMMITS {
            return Err(refused(
                "it would be made of no commit, or of more than 10,000. Look with `git log`, then repeat.",
            ));
        }
        let commits = plan.commits.iter().map(|id| self.whole(id)).collect::<Result<Vec<_>>>()?;
        if commits.last().map(Known::id) != Some(tip.id()) {
            return Err(refused("its commits do not end with the newest one. Look with `git log`, then repeat."));
        }
        if let Some(base) = &plan.base
            && !self.stands_on(tip.id(), self.whole(base)?.id())?
        {
            return Err(refused(
                "its commits do not stand on where it began. Look with `git log --graph`, then repeat.",
            ));
        }
        Ok(commits)
    }

    /// Gives every commit a ref, so that it can be found and is never cleared away.
    fn keep(&self, prompt: u64, commits: &[Known<'_>], tip: &Known<'_>) -> Result<()> {
        for commit in commits {
            let id = commit.id();
            let message = decoded(commit.message_bytes());
            let name = change_of(&message).map_or_else(|| id.to_string(), str::to_owned);
            let kept = self.keep_as(&format!("{KEPT}{prompt}/{name}"), id)?;
            if !kept {
                // An earlier form of the same change has the name, and keeps it.
                self.keep_as(&format!("{KEPT}{prompt}/{id}"), id)?;
            }
        }
        let log = "session: the tip of its intents";
        let name = format!("{KEPT}{prompt}/tip");
        self.git.reference(&name, tip.id(), true, log).map_err(|error| held(error, &name))?;
        Ok(())
    }

    /// Whether the ref now leads to the commit.
    fn keep_as(&self, name: &str, id: Oid) -> Result<bool> {
        match self.git.reference(name, id, false, "session: an intent") {
            Ok(_) => Ok(true),
            Err(error) if error.code() == ErrorCode::Exists => Ok(self.git.refname_to_id(name)? == id),
            Err(error) => Err(held(error, name)),
        }
    }

    /// The message as the person's hook for messages leaves it.
    fn past_hook(&self, message: &str, change: &str) -> Result<(String, Vec<String>)> {
        if self.hook(MESSAGE_HOOK)?.is_none() {
            return Ok((message.to_owned(), Vec::new()));
        }
        let folder = Folder::make(self, change)?;
        let file = folder.write("message", message)?;
        let mut words = ["hook", "run", MESSAGE_HOOK, "--"].map(OsStr::new).to_vec();
        words.push(file.as_os_str());
        let outcome = self.program(FOR_HOOKS)?.run(&words, &[], Limit::Hooks)?;
        if !outcome.success {
            return Err(HistoryError::Refused {
                what: "The message, by the hook commit-msg,".into(),
                words: outcome.words,
            });
        }
        let changed = std::fs::read(&file).map_err(|source| super::io(&file, source))?;
        let changed = decoded(&changed);
        let notes = told_of_message("the session's commit", message, &changed, change);
        Ok((changed, notes.into_iter().collect()))
    }

    pub(super) fn search_synthesised(&self, plan: &Synthesis) -> Result<Option<Commit>> {
        let Some(now) = committing::tip(&self.git)? else { return Ok(None) };
        if now.id().to_string() == plan.tip {
            return Ok(None);
        }
        let is_named = names_change(&decoded(now.message_bytes()), &plan.change);
        if !is_named && self.git.refname_to_id(&made_name(plan.prompt)).ok() != Some(now.id()) {
            return Ok(None);
        }
        let tip = self.whole(&plan.tip)?;
        Ok((now.tree_id() == tip.tree_id()).then(|| self.told(&now)))
    }

    /// The session's commit, and where the branch goes back to; `None` where it is there already.
    pub(super) fn ready_to_undo_synthesis(&self, plan: &Synthesis, made: &str) -> Result<Option<(Oid, Oid)>> {
        self.settled()?;
        let (tip, made) = (self.whole(&plan.tip)?.id(), self.whole(made)?);
        let now = committing::tip(&self.git)?.map(|now| now.id());
        if now == Some(tip) {
            return Ok(None);
        }
        if now != Some(made.id()) {
            return Err(self.moved(Some(&made.id().to_string())));
        }
        self.refuse_pushed(made.parent_ids().next(), made.id())?;
        self.movable()?;
        Ok(Some((made.id(), tip)))
    }

    pub(super) fn undo_synthesis(&self, plan: &Synthesis, made: &str) -> Result<()> {
        match self.ready_to_undo_synthesis(plan, made)? {
            Some((made, tip)) => self.lead(Some(made), tip, "session: taken back"),
            None => Ok(()),
        }
    }

    /// Refused where a remote has one of the commits between two, as far as is known here without asking it.
    pub(super) fn refuse_pushed(&self, base: Option<Oid>, tip: Oid) -> Result<()> {
        let Some((commit, remote)) = self.pushed(base, tip)?.into_iter().next() else { return Ok(()) };
        let commit = self.told(&self.git.find_commit(commit)?);
        Err(HistoryError::Pushed { commit: commit.name().to_owned(), remote })
    }

    /// The commits between two that a remote has, as far as is known here without asking it, oldest first; each with that
    /// of the remote's branches that has the fewest of them, which is the one that it came from or went to first.
    pub(super) fn pushed(&self, base: Option<Oid>, tip: Oid) -> Result<Vec<(Oid, String)>> {
        let between = |hidden: Option<Oid>| -> Result<Vec<Oid>> {
            let mut walk = self.git.revwalk()?;
            walk.set_sorting(git2::Sort::TOPOLOGICAL | git2::Sort::REVERSE)?;
            walk.push(tip)?;
            for id in base.into_iter().chain(hidden) {
                walk.hide(id)?;
            }
            Ok(walk.take(MAX_COMMITS + 1).collect::<Result<Vec<_>, _>>()?)
        };
        let mut own: Option<Vec<Oid>> = None;
        let mut branches: Vec<(usize, String, BTreeSet<Oid>)> = Vec::new();
        for known in self.git.references_glob("refs/remotes/*")? {
            let known = known?;
            // `origin/HEAD` only points at another one.
            if known.symbolic_target_bytes().is_some() {
                continue;
            }
            let Ok(at) = known.peel_to_commit() else { continue };
            if base == Some(at.id()) {
                continue;
            }
            let own = match &own {
                Some(own) => own,
                None => own.insert(between(None)?),
            };
            let left: BTreeSet<Oid> = between(Some(at.id()))?.into_iter().collect();
            if left.len() < own.len() {
                let remote = known.shorthand().unwrap_or("a remote").to_owned();
                branches.push((own.len() - left.len(), remote, left));
            }
        }
        branches.sort_by(|one, other| (one.0, &one.1).cmp(&(other.0, &other.1)));
        let at =
            |id: &Oid| branches.iter().find(|(_, _, left)| !left.contains(id)).map(|(_, remote, _)| remote.clone());
        Ok(own.unwrap_or_default().into_iter().filter_map(|id| Some((id, at(&id)?))).collect())
    }
}

/// The ref to a session's commit whose message says nothing of it.
fn made_name(prompt: u64) -> String {
    format!("{KEPT}{prompt}/session")
}

/// What could not be written because a ref is locked says which, and what to do.
fn held(error: git2::Error, name: &str) -> HistoryError {
    match error.code() == ErrorCode::Locked {
        true => CommitError::Held { name: name.to_owned() }.into(),
        false => error.into(),
    }
}

fn first_line(message: &str) -> &str {
    let line = message.lines().next().unwrap_or_default();
    line.strip_prefix("session: ").unwrap_or(line)
}
