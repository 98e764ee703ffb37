//! One commit on top of the tip. The order is: objects, the index, the branch. So whatever ends the process in between,
//! nothing is committed that the index does not know, and the same order given again finishes it.

use std::ffi::OsStr;
use std::path::PathBuf;

use augment_core::file::FilePath;
use git2::{Commit as Known, ErrorCode, FileMode, ObjectType, Oid, Signature, Tree};
use rustix::fs::Access;

use super::begun::{Begun, Folder};
use super::conversion::Objects;
use super::identity::Identity;
use super::index::{self, Change, Marked, Settled, Stamp};
use super::program::Limit;
use super::reading::decoded;
use super::tree::{self, Difference, Edit};
use super::{CommitError, Git, HistoryError, Result, as_path, names_change, with_trailer};
use crate::vcs::committing;
use crate::vcs::history::{Body, Made, NewCommit, NoteStaged, Part};

/// What git runs around a commit.
const HOOKS: [&str; 5] = ["pre-commit", "prepare-commit-msg", "commit-msg", "post-commit", TRANSACTION];
/// What git runs whenever a branch moves.
const TRANSACTION: &str = "reference-transaction";
/// Messages are written in it, whatever else the person has set for those that they type.
const UTF_8: [&str; 2] = ["-c", "i18n.commitEncoding=UTF-8"];
/// How many names lead to each other at most.
const MAX_NAMES: usize = 5;
/// How many commits above the tip are searched for ours.
const MAX_ABOVE: usize = 1_000;

/// What the person's git is needed for.
pub(super) const FOR_HOOKS: &str = "the hooks of commits";
const FOR_SIGNING: &str = "the signing of commits (commit.gpgsign)";
const FOR_TRANSACTION: &str = "the hook reference-transaction";

/// What a commit is made of that may be made.
struct Ready<'a> {
    tip: Option<Known<'a>>,
    before: Option<Tree<'a>>,
    changes: Vec<Change>,
    identity: Identity,
}

/// A commit that is to be written.
pub(super) struct Draft<'a> {
    pub(super) message: &'a str,
    pub(super) tree: Oid,
    pub(super) parents: &'a [Oid],
    pub(super) author: &'a Signature<'a>,
    pub(super) committer: &'a Signature<'a>,
    pub(super) change: &'a str,
}

impl Git {
    /// Refused where the commit would be.
    pub(super) fn look_at_commit(&self, wanted: &NewCommit) -> Result<()> {
        let Ready { changes, .. } = self.ready_to_commit(wanted, Objects::Named)?;
        self.refuse_left_alone(&index::weigh(&self.git, &changes, Marked::Refused)?, &wanted.parts)
    }

    /// Refused where a commit would be, but for what the index says of its files.
    fn ready_to_commit(&self, wanted: &NewCommit, objects: Objects) -> Result<Ready<'_>> {
        wanted.expect_each_once()?;
        self.settled()?;
        index::free(&self.git)?;
        let tip = committing::tip(&self.git)?;
        same_tip(tip.as_ref(), wanted.tip.as_deref())?;
        let before = tip.as_ref().map(Known::tree).transpose()?;
        let changes = self.changes(before.as_ref(), &wanted.parts, objects)?;
        if changes.iter().all(|change| change.before == change.after) {
            return Err(HistoryError::Nothing);
        }
        if self.has_hooks()? {
            self.program(FOR_HOOKS)?;
        }
        self.can_sign()?;
        self.movable()?;
        Ok(Ready { tip, before, changes, identity: self.identity()? })
    }

    /// Refused where commits are signed and no git is there that does it.
    pub(super) fn can_sign(&self) -> Result<()> {
        if self.settings()?.is_on("commit.gpgsign") { self.program(FOR_SIGNING).map(drop) } else { Ok(()) }
    }

    /// Refused where what a commit moves could not be: another git holds it, or no git is there for the hook that is asked.
    pub(super) fn movable(&self) -> Result<()> {
        let head = self.head_name()?;
        if self.lock_of(&head).exists() {
            return Err(CommitError::Held { name: head }.into());
        }
        if self.hook(TRANSACTION)?.is_some() { self.program(FOR_TRANSACTION).map(drop) } else { Ok(()) }
    }

    pub(super) fn write_commit(&self, wanted: &NewCommit, note: &NoteStaged<'_>) -> Result<Made> {
        let Ready { tip, before, changes, identity } = self.ready_to_commit(wanted, Objects::Written)?;
        let edits: Vec<Edit<'_>> =
            changes.iter().map(|change| Edit { place: &change.place, after: change.after }).collect();
        let tree = tree::edited(&self.git, before.as_ref(), &edits)?;
        let message = with_trailer(&wanted.message, &wanted.change);
        let tip = tip.map(|tip| tip.id());
        let trees = before.as_ref().map(|before| (before.id(), tree));
        let (commit, settled, mut notes) = if self.has_hooks()? {
            let folder = Folder::make(self, &wanted.change)?;
            let begun = Begun { tip, tree, since: Some(identity.author.when().seconds()) };
            folder.note(&begun)?;
            let settled = self.settle(&changes, &wanted.parts, trees, &folder)?;
            let noted = self.note_staged(&settled, note);
            let done = noted.and_then(|()| self.commit_with_hooks(&folder, &begun, &message, &wanted.change));
            let (commit, notes) = self.put_back_on_failure(&settled.taken, tip, trees, done)?;
            (commit, settled, notes)
        } else {
            let parents: Vec<Oid> = tip.into_iter().collect();
            let draft = Draft {
                message: &message,
                tree,
                parents: &parents,
                author: &identity.author,
                committer: &identity.committer,
                change: &wanted.change,
            };
            let commit = self.draft(&draft)?;
            let folder = Folder::make(self, &wanted.change)?;
            folder.note(&Begun { tip, tree, since: None })?;
            let settled = self.settle(&changes, &wanted.parts, trees, &folder)?;
            let kind = if tip.is_some() { "commit" } else { "commit (initial)" };
            let log = format!("{kind}: {}", message.lines().next().unwrap_or_default());
            let done = self.note_staged(&settled, note).and_then(|()| self.lead(tip, commit, &log));
            self.put_back_on_failure(&settled.taken, tip, trees, done)?;
            (commit, settled, self.settings()?.note().into_iter().collect())
        };
        if !settled.otherwise.is_empty() {
            notes.push(format!(
                "Something else was staged of {}, and is so still: `git commit` would put it over what was committed now. Look with `git diff --cached`, and stage anew (`git add`) what is not meant.",
                named(settled.otherwise.iter().map(Vec::as_slice))
            ));
        }
        let commit = self.told(&self.git.find_commit(commit)?);
        if self.head_name()? == "HEAD" {
            notes.push(
                "HEAD is on no branch, so none holds this commit. Make one (`git switch -c NAME`) before you go elsewhere."
                    .to_owned(),
            );
        }
        let staged = self.staged_files(&settled);
        Ok(Made { commit, before: tip.map(|tip| tip.to_string()).unwrap_or_default(), staged, notes })
    }

    /// The files that were staged just as they are committed.
    fn staged_files(&self, settled: &Settled) -> Vec<FilePath> {
        settled.staged.iter().filter_map(|place| self.outward(place)).collect()
    }

    fn note_staged(&self, settled: &Settled, note: &NoteStaged<'_>) -> Result<()> {
        let staged = self.staged_files(settled);
        if staged.is_empty() {
            return Ok(());
        }
        note(&staged).map_err(|source| HistoryError::Io { what: "Noting what was staged".into(), source })
    }

    /// Puts the index back where something was not done: to what the branch has now, which somebody may have led on.
    fn put_back_on_failure<T>(
        &self,
        taken: &[Change],
        tip: Option<Oid>,
        trees: Option<(Oid, Oid)>,
        done: Result<T>,
    ) -> Result<T> {
        if done.is_err()
            && let Err(error) = self.put_back(taken, tip, trees)
        {
            tracing::warn!("the index could not be put back: {error}");
        }
        done
    }

    pub(super) fn put_back(&self, taken: &[Change], tip: Option<Oid>, trees: Option<(Oid, Oid)>) -> Result<()> {
        let now = committing::tip(&self.git)?;
        if now.as_ref().map(Known::id) == tip {
            let back: Vec<Change> = taken.iter().map(Change::reversed).collect();
            index::settle(&self.git, &back, trees.map(|(before, after)| (after, before)), Marked::Brought)?;
            return Ok(());
        }
        let tree = now.as_ref().map(Known::tree).transpose()?;
        let mut back = Vec::with_capacity(taken.len());
        for change in taken {
            let after = tree.as_ref().map(|tree| tree::kept(tree, &change.place)).transpose()?.flatten();
            back.push(Change { after, ..change.reversed() });
        }
        index::settle(&self.git, &back, None, Marked::Brought)?;
        Ok(())
    }

    /// Brings the index along. Refused where the person told git to leave one of the files alone.
    fn settle(
        &self,
        changes: &[Change],
        parts: &[Part],
        trees: Option<(Oid, Oid)>,
        folder: &Folder,
    ) -> Result<Settled> {
        let note = |taken: &[Change]| folder.note_taken(taken);
        let settled = index::settle_noted(&self.git, changes, trees, Marked::Refused, &note)?;
        self.refuse_left_alone(&settled, parts)?;
        Ok(settled)
    }

    fn refuse_left_alone(&self, settled: &Settled, parts: &[Part]) -> Result<()> {
        let Some(place) = &settled.left_alone else { return Ok(()) };
        let part = parts.iter().find(|part| self.within(&part.path) == *place);
        let path = part.map_or_else(|| named(std::iter::once(place.as_slice())), |part| part.path.to_text());
        let words = format!(
            "git was told to leave this file alone (skip-worktree or assume-unchanged). Leave it out, or take that back with `git update-index --no-skip-worktree --no-assume-unchanged {path}`, then repeat."
        );
        Err(HistoryError::Refused { what: format!("The commit of {path}"), words })
    }

    /// What the parts come to in the repository. Where their objects are written, nothing leads to them yet.
    fn changes(&self, before: Option<&Tree<'_>>, parts: &[Part], objects: Objects) -> Result<Vec<Change>> {
        let mut changes = Vec::with_capacity(parts.len());
        for part in parts {
            let place = self.place(before, &part.path)?;
            let kept = before.map(|before| tree::kept(before, &place)).transpose()?.flatten();
            if kept.is_none() && part.body != Body::Absent && self.ignores(&place)? {
                return Err(CommitError::Ignored { path: part.path.clone() }.into());
            }
            let disk = self.top.join(as_path(&place));
            let (after, stamp) = match &part.body {
                Body::Absent => (None, None),
                Body::File { content, executable } => {
                    let mode = self.mode(kept, *executable)?;
                    let id = self.blob(before, &place, &part.path, content, objects)?;
                    (Some((id, mode)), Stamp::of_file(&disk, content))
                }
                Body::Link(target) => {
                    let id = objects.plain(&self.git, target)?;
                    (Some((id, u32::from(FileMode::Link))), Stamp::of_link(&disk, target))
                }
            };
            changes.push(Change { place, before: kept, after, stamp });
        }
        Ok(changes)
    }

    /// Where a file of the workspace lies in the repository. What lies in another repository, or behind a link, is not in
    /// this one.
    pub(super) fn place(&self, before: Option<&Tree<'_>>, path: &FilePath) -> Result<Vec<u8>> {
        let place = self.within(path);
        let elsewhere = || CommitError::Elsewhere { path: path.clone() };
        let ends = place.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(at, _)| at);
        for end in ends {
            let folder = self.top.join(as_path(&place[..end]));
            match std::fs::symlink_metadata(&folder) {
                Ok(found) if found.is_symlink() => return Err(elsewhere().into()),
                Ok(found) if found.is_dir() && std::fs::symlink_metadata(folder.join(".git")).is_ok() => {
                    return Err(elsewhere().into());
                }
                Ok(_) => {}
                // What is not there leads nowhere else.
                Err(_) => break,
            }
        }
        let is_other = |end: usize| {
            let entry = before.and_then(|before| before.get_path(as_path(&place[..end])).ok());
            entry.is_some_and(|entry| entry.kind() == Some(ObjectType::Commit))
        };
        let mut ends = place.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(at, _)| at);
        if ends.any(is_other) || is_other(place.len()) { Err(elsewhere().into()) } else { Ok(place) }
    }

    /// Whether a file that is in no commit is ignored, and not staged all the same.
    pub(super) fn ignores(&self, place: &[u8]) -> Result<bool> {
        let is_ignored = self.git.is_path_ignored(as_path(place))?;
        Ok(is_ignored && self.git.index()?.get_path(as_path(place), 0).is_none())
    }

    /// Writes the commit, signed where the person's commits are. Nothing leads to it yet.
    pub(super) fn draft(&self, draft: &Draft<'_>) -> Result<Oid> {
        if !self.settings()?.is_on("commit.gpgsign") {
            let parents = draft.parents.iter().map(|id| self.git.find_commit(*id)).collect::<Result<Vec<_>, _>>()?;
            let parents: Vec<&Known<'_>> = parents.iter().collect();
            let tree = self.git.find_tree(draft.tree)?;
            return Ok(self.git.commit(None, draft.author, draft.committer, draft.message, &tree, &parents)?);
        }
        let folder = Folder::make(self, draft.change)?;
        let message = folder.write("message", draft.message)?;
        let mut words: Vec<String> = UTF_8.into_iter().chain(["commit-tree", "-S"]).map(str::to_owned).collect();
        for parent in draft.parents {
            words.extend(["-p".to_owned(), parent.to_string()]);
        }
        let tree = draft.tree.to_string();
        let mut words: Vec<&OsStr> = words.iter().map(OsStr::new).collect();
        words.extend([OsStr::new("-F"), message.as_os_str(), OsStr::new(&tree)]);
        let persons = [("GIT_AUTHOR", draft.author), ("GIT_COMMITTER", draft.committer)];
        let mut set: Vec<(String, String)> = Vec::new();
        for (role, person) in persons {
            set.push((format!("{role}_NAME"), String::from_utf8_lossy(person.name_bytes()).into_owned()));
            set.push((format!("{role}_EMAIL"), String::from_utf8_lossy(person.email_bytes()).into_owned()));
            set.push((format!("{role}_DATE"), date(person)));
        }
        let set: Vec<(&str, &OsStr)> = set.iter().map(|(name, value)| (name.as_str(), OsStr::new(value))).collect();
        let outcome = self.program(FOR_SIGNING)?.run(&words, &set, Limit::Hooks)?;
        let id = std::str::from_utf8(&outcome.output).ok().and_then(|text| Oid::from_str(text.trim()).ok());
        match id.filter(|_| outcome.success) {
            Some(id) => Ok(id),
            None => Err(HistoryError::Refused { what: "The signing of the commit".into(), words: outcome.words }),
        }
    }

    /// Leads the branch that is checked out, or a detached HEAD, from one commit to another; refused where it is elsewhere.
    pub(super) fn lead(&self, from: Option<Oid>, to: Oid, log: &str) -> Result<()> {
        let head = self.head_name()?;
        if self.hook(TRANSACTION)?.is_some() {
            return self.lead_with_hook(&head, from, Some(to), log);
        }
        let done = match from {
            Some(from) => self.git.reference_matching(&head, to, true, from, log),
            None => self.git.reference(&head, to, false, log),
        };
        match done {
            Ok(_) => Ok(()),
            Err(error) if matches!(error.code(), ErrorCode::Modified | ErrorCode::Exists | ErrorCode::NotFound) => {
                Err(self.moved(from.map(|from| from.to_string()).as_deref()))
            }
            Err(error) if error.code() == ErrorCode::Locked => Err(CommitError::Held { name: head }.into()),
            Err(error) => Err(error.into()),
        }
    }

    /// The same by the person's git, which asks the hook.
    fn lead_with_hook(&self, head: &str, from: Option<Oid>, to: Option<Oid>, log: &str) -> Result<()> {
        // Of a branch that shall not be there yet, git wants to be told so by zeros.
        let expected = from.unwrap_or(Oid::ZERO_SHA1).to_string();
        let to = to.map(|to| to.to_string());
        let mut words = vec!["update-ref", "--no-deref", "-m", log];
        match &to {
            Some(to) => words.extend([head, to, &expected]),
            None => words.extend(["-d", head, &expected]),
        }
        let words: Vec<&OsStr> = words.into_iter().map(OsStr::new).collect();
        let outcome = self.program(FOR_TRANSACTION)?.run(&words, &[], Limit::Hooks)?;
        let now = committing::tip(&self.git)?.map(|now| now.id());
        match outcome.success {
            true => Ok(()),
            false if now == from => {
                let what = "The moving of the branch, by the hook reference-transaction or by git,".into();
                Err(HistoryError::Refused { what, words: outcome.words })
            }
            false => Err(self.moved(from.map(|from| from.to_string()).as_deref())),
        }
    }

    /// The locks of what a commit moves that lie there.
    pub(super) fn locks(&self) -> Result<Vec<PathBuf>> {
        let head = self.head_name()?;
        let mut locks = vec![self.git.path().join("HEAD.lock")];
        // A worktree has a HEAD of its own, and branches are everybody's.
        if head != "HEAD" {
            locks.push(self.lock_of(&head));
        }
        locks.retain(|lock| lock.exists());
        Ok(locks)
    }

    /// Where the lock lies of what a commit moves.
    fn lock_of(&self, head: &str) -> PathBuf {
        let folder = if head == "HEAD" { self.git.path() } else { self.git.commondir() };
        folder.join(format!("{head}.lock"))
    }

    /// The name of what a commit moves.
    pub(super) fn head_name(&self) -> Result<String> {
        let mut name = "HEAD".to_owned();
        // A branch may itself be another name for one; git follows so many.
        for _ in 0..MAX_NAMES {
            match self.git.find_reference(&name) {
                Ok(known) => match known.symbolic_target()? {
                    Some(target) => target.clone_into(&mut name),
                    None => break,
                },
                // A branch that has no commit yet.
                Err(error) if error.code() == ErrorCode::NotFound => break,
                Err(error) => return Err(error.into()),
            }
        }
        Ok(name)
    }

    pub(super) fn moved(&self, expected: Option<&str>) -> HistoryError {
        let found = committing::tip(&self.git).ok().flatten().map(|tip| tip.id().to_string());
        moved(expected, found.as_deref())
    }

    pub(super) fn hook(&self, name: &str) -> Result<Option<PathBuf>> {
        let folder = match self.settings()?.text("core.hooksPath") {
            Some(folder) => match (folder.strip_prefix("~/"), self.variable("HOME")) {
                (Some(below), Some(home)) => PathBuf::from(home).join(below),
                (Some(_) | None, Some(_) | None) => self.top.join(folder),
            },
            None => self.git.commondir().join("hooks"),
        };
        let hook = folder.join(name);
        Ok((hook.is_file() && rustix::fs::access(&hook, Access::EXEC_OK).is_ok()).then_some(hook))
    }

    fn has_hooks(&self) -> Result<bool> {
        for name in HOOKS {
            if self.hook(name)?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Has git itself commit a tree, with all that the person has set up around commits. Which commit came of it is told
    /// by its change id, since anybody may commit on the same parent while hooks run; where a hook has taken that out, by
    /// all the rest of it.
    fn commit_with_hooks(
        &self,
        folder: &Folder,
        begun: &Begun,
        message: &str,
        change: &str,
    ) -> Result<(Oid, Vec<String>)> {
        let Begun { tip, tree, .. } = *begun;
        let file = folder.write("message", message)?;
        let own = folder.path.join("index");
        index::of_tree(&self.git, tree, &own)?;
        let rest = ["-c", "gc.auto=0", "-c", "maintenance.auto=false", "commit", "-q", "--cleanup=verbatim", "-F"];
        let mut words: Vec<&OsStr> = UTF_8.iter().chain(&rest).map(OsStr::new).collect();
        words.push(file.as_os_str());
        let program = self.program(FOR_HOOKS)?;
        let outcome = program.run_with(&words, &[("GIT_INDEX_FILE", own.as_os_str())], Limit::Hooks, folder.input()?);
        let now = committing::tip(&self.git)?.filter(|now| Some(now.id()) != tip);
        let Some(now) = now else {
            let words = outcome?.words;
            return Err(HistoryError::Refused { what: "The commit, by a hook or by git,".into(), words });
        };
        // A git that says no has made no commit; of one that was ended nothing is known.
        let may_be_ours = outcome.as_ref().map_or(true, |outcome| outcome.success);
        let Some(ours) = self.ours(begun, now.id(), change, may_be_ours)? else {
            return Err(self.moved(tip.map(|tip| tip.to_string()).as_deref()));
        };
        let is_tip = ours.id() == now.id();
        if !ours.parent_ids().eq(tip) {
            // Somebody committed between our look and git's; what git made on top of that would take it back.
            if !is_tip {
                return Err(stands(
                    &ours,
                    "stands on a commit that had come meanwhile, and takes back what that changed",
                ));
            }
            self.lead_back(ours.id(), ours.parent_id(0).ok(), "reset: the branch had moved")?;
            return Err(self.moved(tip.map(|tip| tip.to_string()).as_deref()));
        }
        if ours.tree_id() != tree {
            let found = tree::differences(&self.git, Some(&self.git.find_tree(tree)?), Some(&ours.tree()?))?;
            let named = named(found.iter().map(|(place, _, _)| place.as_slice()));
            if !is_tip {
                return Err(stands(&ours, &format!("holds what a hook has changed in it ({named})")));
            }
            self.lead_back(ours.id(), tip, "reset: a hook had changed the content")?;
            let words = format!(
                "a hook has changed what would be committed ({named}), and nobody has approved that. The commit was taken back; the files are as the hook left them. Approve and commit the hook's changes first, or have it only check, then repeat."
            );
            return Err(HistoryError::Refused { what: "The commit".into(), words });
        }
        let changed = decoded(ours.message_bytes());
        let mut notes: Vec<String> = told_of_message("the commit", message, &changed, change).into_iter().collect();
        if !is_tip {
            notes.push(format!(
                "Something was committed on top of it meanwhile, by a hook or by somebody: {} {}.",
                &now.id().to_string()[..12],
                now.summary().ok().flatten().unwrap_or_default()
            ));
            // A hook may have done so with the index that was lent to it, of which the person's knows nothing.
            let found = tree::differences(&self.git, Some(&ours.tree()?), Some(&now.tree()?))?;
            let changes: Vec<Change> = found.into_iter().map(as_change).collect();
            index::settle(&self.git, &changes, Some((ours.tree_id(), now.tree_id())), Marked::Brought)?;
        }
        Ok((ours.id(), notes))
    }

    /// The commit of this change among those that came since it was begun. Where none names it, and git has made one: what
    /// is as was asked for, or else the only one that came.
    fn ours(&self, begun: &Begun, now: Oid, change: &str, may_be_unnamed: bool) -> Result<Option<Known<'_>>> {
        let mut walk = self.git.revwalk()?;
        walk.set_sorting(git2::Sort::TOPOLOGICAL)?;
        walk.push(now)?;
        if let Some(tip) = begun.tip {
            walk.hide(tip)?;
        }
        let mut found = Vec::new();
        for id in walk.take(MAX_ABOVE) {
            let commit = self.git.find_commit(id?)?;
            if names_change(&decoded(commit.message_bytes()), change) {
                return Ok(Some(commit));
            }
            found.push(commit);
        }
        if !may_be_unnamed {
            return Ok(None);
        }
        let alike = found.iter().position(|commit| begun.is(commit)).or((found.len() == 1).then_some(0));
        Ok(alike.map(|at| found.swap_remove(at)))
    }

    /// Leads the branch back; to where it had no commit, if there is none.
    pub(super) fn lead_back(&self, from: Oid, to: Option<Oid>, log: &str) -> Result<()> {
        if let Some(to) = to {
            return self.lead(Some(from), to, log);
        }
        let name = self.head_name()?;
        if name != "HEAD" && self.hook(TRANSACTION)?.is_some() {
            return self.lead_with_hook(&name, Some(from), None, log);
        }
        let mut branch = self.git.find_reference(&name)?;
        if name == "HEAD" || branch.target() != Some(from) {
            return Err(self.moved(Some(&from.to_string())));
        }
        // This compares once more before it deletes.
        Ok(branch.delete()?)
    }
}

/// What the person should hear of what a hook did to a message.
pub(super) fn told_of_message(what: &str, wanted: &str, found: &str, change: &str) -> Option<String> {
    if found == wanted {
        return None;
    }
    if !names_change(found, change) {
        return Some(format!(
            "A hook has taken the Change-Id out of the message of {what}. It is known by its hash alone: once it is rewritten, as by a rebase, it is no longer recognised."
        ));
    }
    let is_trailer = found.trim_end().rsplit("\n\n").next().is_some_and(|last| names_change(last, change));
    let moved = " Its Change-Id no longer stands in the last paragraph, so to git it is no trailer; here it is found.";
    Some(format!("A hook has changed the message of {what}.{}", if is_trailer { "" } else { moved }))
}

pub(super) fn as_change((place, before, after): Difference) -> Change {
    Change { place, before, after, stamp: None }
}

/// The first few of some files.
fn named<'a>(places: impl ExactSizeIterator<Item = &'a [u8]>) -> String {
    let count = places.len();
    let mut names: Vec<String> =
        places.filter_map(|place| FilePath::new(place).ok()).take(5).map(|path| path.to_text()).collect();
    if count > names.len() {
        names.push(format!("and {} more", count - names.len()));
    }
    names.join(", ")
}

/// A commit of ours that should not be, and cannot be taken back here since something stands on it.
fn stands(ours: &Known<'_>, why: &str) -> HistoryError {
    let words = format!(
        "{} was made and {why}. Something stands on it already, so it was left. Look with `git log`, and take it back with `git revert` if it is not meant.",
        &ours.id().to_string()[..12]
    );
    HistoryError::Refused { what: "The commit".into(), words }
}

fn date(person: &Signature<'_>) -> String {
    let when = person.when();
    let minutes = when.offset_minutes();
    let sign = if minutes < 0 { '-' } else { '+' };
    let minutes = minutes.abs();
    format!("@{} {sign}{:02}{:02}", when.seconds(), minutes / 60, minutes % 60)
}

pub(super) fn moved(expected: Option<&str>, found: Option<&str>) -> HistoryError {
    let said = |id: Option<&str>| id.unwrap_or("no commit at all").to_owned();
    HistoryError::Moved { expected: said(expected), found: said(found) }
}

/// Refused where the newest commit is not the one that was looked at.
pub(super) fn same_tip(tip: Option<&Known<'_>>, expected: Option<&str>) -> Result<()> {
    let found = tip.map(|tip| tip.id().to_string());
    if found.as_deref() == expected { Ok(()) } else { Err(moved(expected, found.as_deref())) }
}
