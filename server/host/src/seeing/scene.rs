//! A repository as it was last seen and as it is now, and what that says about one difference: whether version control
//! made it. Its lock alone proves nothing, nor does that it keeps the content: programs use it to change files. Only what a
//! commit, a merge or a stash that it went to holds for that very file is its own work.

use std::sync::Arc;

use augment_core::attribution::FromVcs;
use augment_core::file::{Body, ContentHash, FilePath, FileState};

use super::batch::When;
use super::difference::Difference;
use super::index::{Index, Tracked, Verdict};
use super::looking::Eye;
use super::manifest::{Content, Entry, KnownHead, split};
use super::repository::{Repository, Stashed, Way, object_id};
use super::stamp::{Kind, Stamp};
use super::{Before, VcsMove};

pub(super) struct Scene {
    pub(super) number: usize,
    pub(super) repository: Arc<Repository>,
    pub(super) from: KnownHead,
    pub(super) to: KnownHead,
    pub(super) index: Option<Arc<Index>>,
    /// Found by a walk, or in a repository that is new: no event says when it happened, so that the repository moved
    /// has to do.
    pub(super) walked: bool,
    way: Way,
    /// A stash was made or taken since. It moves files that are not tracked without the lock.
    stash_moved: bool,
}

/// How version control keeps a content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kept {
    /// As this object of a commit, byte for byte.
    Object([u8; 20]),
    /// As an object that may go with its stash or with the index, or that was merged or converted on its way to the disk.
    Otherwise,
}

impl Scene {
    pub(super) fn new(number: usize, repository: Arc<Repository>, known: Option<KnownHead>, walked: bool) -> Self {
        let to = repository.state();
        let stash_moved = repository.note_stashes();
        // A clone, a worktree or a submodule that has just been made was filled before its lock could be watched.
        let walked = walked || known.as_ref().is_none_or(|known| known.index_ns == 0);
        let from = known.unwrap_or_default();
        let way = repository.way(&from, &to);
        Self { number, repository, from, to, index: None, walked, way, stash_moved }
    }

    /// Whether version control may have had a hand in it at all.
    pub(super) fn covers(&self, difference: &Difference) -> bool {
        if self.walked { self.from != self.to } else { difference.touched.when == When::Locked(self.number) }
    }

    fn tracked(&self, difference: &Difference) -> Option<Tracked> {
        self.index.as_deref()?.get(difference.path.as_bytes())
    }

    /// The commits whose files version control may have put there: where HEAD was, and where it was led.
    fn commits(&self) -> impl Iterator<Item = &str> {
        let was = self.from.head.as_ref().map(|head| head.commit.as_str());
        was.into_iter().chain(self.way.given.as_deref().filter(|given| Some(*given) != was))
    }

    /// A commit that version control went to has this object for the file.
    fn went_to(&self, path: &[u8], object: [u8; 20]) -> bool {
        self.commits().any(|commit| self.repository.has_in_commit(commit, path) == Some(object))
    }

    /// What it means that only the index has it: in the middle of a merge that is version control's doing.
    fn by_index_alone(&self) -> FromVcs {
        match (self.walked, self.repository.is_in_the_middle()) {
            (true, _) => FromVcs::No,
            (false, true) => FromVcs::Yes,
            (false, false) => FromVcs::Perhaps,
        }
    }

    fn by_object(&self, path: &[u8], object: [u8; 20]) -> FromVcs {
        if self.went_to(path, object) { FromVcs::Yes } else { self.by_index_alone() }
    }

    /// The file is gone: whether because version control has it no more, or leaves it out of this checkout.
    pub(super) fn took_away(&self, difference: &Difference) -> FromVcs {
        let path = difference.path.as_bytes();
        if !self.covers(difference) {
            return if self.is_put_aside(difference) { FromVcs::Yes } else { FromVcs::No };
        }
        if let Some(tracked) = self.tracked(difference) {
            return if tracked.is_sparse { FromVcs::Yes } else { FromVcs::No };
        }
        let was_object = difference.known.is_some_and(|known| matches!(known.content, Content::Git(_)));
        let was_in_head = || self.from.head.as_ref().and_then(|head| self.repository.has_in_commit(&head.commit, path));
        if self.index.is_none() {
            return FromVcs::No;
        }
        if !was_object && was_in_head().is_none() {
            return if self.is_put_aside(difference) { FromVcs::Yes } else { FromVcs::No };
        }
        // Out of the index, but still in the commit: somebody wants it deleted.
        let still_there = self.way.given.as_deref().and_then(|commit| self.repository.has_in_commit(commit, path));
        if still_there.is_some() { self.by_index_alone() } else { FromVcs::Yes }
    }

    /// A stash removes what is not tracked one by one after it was made, and somebody may look at any time in between.
    fn is_put_aside(&self, difference: &Difference) -> bool {
        let known = difference.known.as_ref();
        known.is_some_and(|known| self.repository.is_put_aside(difference.path.as_bytes(), known.stamp.changed_ns))
    }

    /// A stash gives back what is not tracked one by one before it is dropped, and only where nothing is. What was there
    /// at the last look may be what it had written by then.
    fn is_given_back(&self, difference: &Difference, bytes: &[u8]) -> bool {
        let begun = |known: &Entry| {
            let begun = usize::try_from(known.stamp.size).ok().and_then(|size| bytes.get(..size));
            begun.is_some_and(|begun| known.content == Content::Blob(ContentHash::of(begun)))
        };
        let Some(now) = difference.now else { return false };
        difference.known.as_ref().is_none_or(begun)
            && self.repository.is_given_back(difference.path.as_bytes(), bytes, now.changed_ns)
    }

    /// The object that version control has put there, without reading the file: its stamp is the one in the index.
    pub(super) fn put_there(&self, eye: &Eye, difference: &Difference, stamp: &Stamp) -> Option<[u8; 20]> {
        let tracked = self.tracked(difference).filter(|_| self.covers(difference))?;
        let index_ns = self.index.as_deref()?.written_ns;
        if stamp.size > eye.grounds.options.max_file_bytes || tracked.verdict(stamp, index_ns) != Verdict::Clean {
            return None;
        }
        if !self.index_follows_head() && !self.went_to(difference.path.as_bytes(), tracked.object) {
            return None;
        }
        let (folder, name) = split(difference.path.as_bytes());
        let (rules, _) = eye.grounds.rules_for(folder);
        let as_kept = stamp.kind == Kind::Link || eye.grounds.is_as_kept(&rules, folder, name, stamp, &tracked.object);
        as_kept.then_some(tracked.object)
    }

    /// HEAD was just led to another commit: what the index has, it has from there.
    fn index_follows_head(&self) -> bool {
        let commit = |known: &KnownHead| known.head.as_ref().map(|head| head.commit.clone());
        !self.walked && commit(&self.from) != commit(&self.to) && self.way.given == commit(&self.to)
    }

    /// The content is one that version control keeps for this file, or made from what it keeps.
    pub(super) fn keeps(&self, difference: &Difference, bytes: &[u8]) -> Option<(Kept, FromVcs)> {
        let id = object_id(bytes)?;
        let tracked = self.tracked(difference);
        let path = difference.path.as_bytes();
        if !self.covers(difference) {
            let is_popped =
                self.stash_moved && !bytes.is_empty() && self.repository.has_in_stash(path, &id, Stashed::Ever);
            let is_back = is_popped || self.is_given_back(difference, bytes);
            return is_back.then_some((Kept::Otherwise, FromVcs::Yes));
        }
        let found = self.keeps_as(difference, bytes, id).or_else(|| {
            // A checkout converted it: what is on disk is not the object, but what is made from it.
            let made_from = tracked.filter(|tracked| {
                object_id(&with_plain_ends(bytes)) == Some(tracked.object)
                    || (!self.walked && difference.now.is_some_and(|stamp| tracked.has_stamp(&stamp)))
            })?;
            Some((Kept::Otherwise, self.by_object(path, made_from.object)))
        });
        let found = found.or_else(|| {
            // Nothing at all is in every repository, and proves nothing.
            let elsewhere = !self.walked && !bytes.is_empty() && self.repository.keeps(&id);
            elsewhere.then_some((Kept::Otherwise, FromVcs::Perhaps))
        });
        found.filter(|(_, from_vcs)| *from_vcs != FromVcs::No)
    }

    /// Byte for byte, or as a merge leaves what both sides have changed.
    fn keeps_as(&self, difference: &Difference, bytes: &[u8], id: [u8; 20]) -> Option<(Kept, FromVcs)> {
        let (tracked, path) = (self.tracked(difference), difference.path.as_bytes());
        if self.went_to(path, id) {
            return Some((Kept::Object(id), FromVcs::Yes));
        }
        if !self.walked && self.repository.has_in_stash(path, &id, Stashed::Ever) {
            return Some((Kept::Otherwise, FromVcs::Yes));
        }
        if !self.walked && tracked.is_some_and(|tracked| tracked.in_conflict) && has_conflict_marks(bytes) {
            return Some((Kept::Otherwise, FromVcs::Yes));
        }
        let is_staged = tracked.is_some_and(|tracked| tracked.object == id);
        is_staged.then(|| (Kept::Otherwise, self.by_index_alone()))
    }

    /// What was in a file is gone for good with it: no commit that HEAD was at has it, and no stash.
    pub(super) fn discards(&self, eye: &Eye, difference: &Difference) -> bool {
        let Some(known) = difference.known else { return false };
        match known.content {
            Content::Git(_) | Content::Nothing => false,
            Content::NotKept => true,
            Content::Blob(_) => {
                let path = difference.path.as_bytes();
                let woven = || eye.shelf.woven_text(&difference.path);
                let before = match eye.base_of(&difference.path, Some(&known)) {
                    Ok(Before::Known(FileState { body: Body::Text(bytes) | Body::Link(bytes), .. })) => Some(bytes),
                    Ok(Before::Known(_) | Before::NotNeeded | Before::Unknown(_)) | Err(_) => woven(),
                };
                let Some(bytes) = before else { return true };
                let Some(id) = object_id(&bytes) else { return true };
                let converted = object_id(&with_plain_ends(&bytes));
                let is_it = |found: Option<[u8; 20]>| found.is_some() && (found == Some(id) || found == converted);
                let is_in = |commit: &String| is_it(self.repository.has_in_commit(commit, path));
                let is_nobodys = bytes.is_empty() || has_conflict_marks(&bytes);
                !is_nobodys
                    && !self.way.passed.iter().any(is_in)
                    && !self.repository.has_in_stash(path, &id, Stashed::Now)
            }
        }
    }

    pub(super) fn is_commit(&self) -> bool {
        match (&self.from.head, &self.to.head) {
            (Some(from), Some(to)) => from != to && self.repository.is_next_commit(from, to),
            (None, Some(_)) => true,
            (Some(_) | None, None) => false,
        }
    }

    /// What is told of the repository, if it moved or made a difference.
    pub(super) fn to_move(
        &self,
        quiet: &[(FilePath, Vec<u8>)],
        changed_files: bool,
        committed: bool,
    ) -> Option<VcsMove> {
        let head_moved = self.from.head != self.to.head;
        if !head_moved && quiet.is_empty() && !changed_files {
            return None;
        }
        Some(VcsMove {
            repository: FilePath::new(&*self.repository.folder).ok(),
            from: self.from.head.clone(),
            to: self.to.head.clone(),
            committed,
            quiet_paths: quiet.to_vec(),
        })
    }
}

/// The content with line ends as git keeps them.
fn with_plain_ends(bytes: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(bytes.len());
    for (at, byte) in bytes.iter().enumerate() {
        if *byte != b'\r' || bytes.get(at + 1) != Some(&b'\n') {
            plain.push(*byte);
        }
    }
    plain
}

/// The marks that a merge leaves where both sides changed the same lines.
fn has_conflict_marks(bytes: &[u8]) -> bool {
    bytes.split(|byte| *byte == b'\n').any(|line| line.starts_with(b"<<<<<<< "))
        && bytes.split(|byte| *byte == b'\n').any(|line| line.starts_with(b">>>>>>> "))
}
