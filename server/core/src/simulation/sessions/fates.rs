//! What became of the person's lines. A line that the host has known is owed to the person until they, or git on their
//! behalf, take it away: it is on disk, or it can be brought back.

use std::collections::{BTreeMap, BTreeSet};

use super::super::{Disk, Memory};
use super::text::{is_persons, persons, text_of, words};
use super::world::Step;
use crate::attribution::{Author, Claim, FromVcs, SavedHow, Word};
use crate::file::{Body, FilePath, FileState};
use crate::review::{SeenFile, TrackedFile};

/// How much is owed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Owed {
    /// It is known as the person's: taking out what runs and unknown ones did brings it back.
    AsTheirs,
    /// It was taken for somebody else's, since nobody said otherwise: it must be in the file's story.
    InTheStory,
}

/// One file as the host has seen it: what it knew of the person's lines there, and the saves that it had been told of.
pub(super) struct Sight<'a> {
    pub(super) seen: &'a SeenFile,
    pub(super) was: BTreeSet<String>,
    pub(super) saves: Vec<Claim>,
}

#[derive(Default)]
pub(super) struct Fates {
    owed: BTreeMap<String, Owed>,
    /// Lines that the host has met.
    met: BTreeSet<String>,
    /// Lines that the person or git took away.
    gone: BTreeSet<String>,
}

impl Fates {
    /// The person, or git, replaces a file. With a file that they remove goes all that could come back in it.
    pub(super) fn replaced(&mut self, memory: &Memory, before: &FileState, after: &FileState) {
        let mut goes = persons(before);
        if !matches!(after.body, Body::Text(_))
            && let Some(file) = at(memory, &before.path)
        {
            goes.extend(persons(&without_others(file)));
        }
        let after = persons(after);
        for word in goes {
            if !after.contains(&word) {
                self.owed.remove(&word);
                self.gone.insert(word);
            }
        }
        for word in after {
            self.gone.remove(&word);
        }
    }

    /// The host has seen these files.
    pub(super) fn seen(&mut self, memory: &Memory, files: &[Sight<'_>]) -> Step {
        for Sight { seen, was, saves } in files {
            let newest = saves.last().map(|claim| &claim.word);
            let saved: BTreeSet<String> = match newest {
                Some(Word::Saved { text, how: SavedHow::ByHand, .. }) if seen.from_vcs == FromVcs::No => {
                    words(text).filter(|word| is_persons(word) && !self.gone.contains(word)).collect()
                }
                Some(Word::Saved { .. } | Word::Writes { .. }) | None => BTreeSet::new(),
            };
            // Somebody may have taken a line away before the person saved, or git wrote, without it; nobody saw that, so
            // it counts as taken away by those.
            let decided = match newest {
                Some(Word::Saved { text, .. }) => Some(words(text).collect::<BTreeSet<String>>()),
                Some(Word::Writes { .. }) | None => (seen.from_vcs == FromVcs::Yes).then(|| persons(&seen.now)),
            };
            if let Some(left) = decided {
                self.owed.retain(|word, _| left.contains(word) || !was.contains(word));
            }
            // Where what is there is what was saved some saves ago, nobody can say what happened in between.
            let earlier = saves.iter().rev().skip(1).any(|claim| is_text(claim, text_of(&seen.now)));
            let is_new = |word: &&String| !earlier && !self.met.contains(*word);
            let sworn: Vec<String> = saved.iter().filter(is_new).cloned().collect();
            for word in persons(&seen.now).into_iter().chain(saved) {
                self.owed.entry(word.clone()).or_insert(Owed::InTheStory);
                self.met.insert(word);
            }
            if let Some(file) = at(memory, &seen.now.path) {
                self.learn(file);
                check_sworn(file, &sworn)?;
            }
        }
        Ok(())
    }

    fn learn(&mut self, file: &TrackedFile) {
        for (word, author) in authors(file) {
            if let (Some(owed), Author::Person { .. }) = (self.owed.get_mut(&word), author) {
                *owed = Owed::AsTheirs;
            }
        }
    }

    /// Nothing that is owed is lost.
    pub(super) fn check(&self, disk: &Disk, memory: &Memory) -> Step {
        let there: BTreeSet<String> = disk.files().flat_map(persons).collect();
        let missing: Vec<(&String, Owed)> =
            self.owed.iter().filter(|(word, _)| !there.contains(*word)).map(|(word, owed)| (word, *owed)).collect();
        if missing.is_empty() {
            return Ok(());
        }
        let restorable: BTreeSet<String> =
            memory.files().all().flat_map(|file| persons(&without_others(file))).collect();
        for (word, owed) in missing {
            if restorable.contains(word) {
                continue;
            }
            match owed {
                Owed::AsTheirs => return Err(format!("the person's line {word} is lost")),
                Owed::InTheStory if memory.files().all().any(|file| is_in_the_story(file, word)) => {}
                Owed::InTheStory => return Err(format!("the person's line {word} is in no story any more")),
            }
        }
        Ok(())
    }

    /// The person said that a change was theirs: with it goes what it took away.
    pub(super) fn claimed(&mut self, disk: &Disk, memory: &Memory) {
        let mut stays: BTreeSet<String> = disk.files().flat_map(persons).collect();
        stays.extend(memory.files().all().flat_map(|file| persons(&without_others(file))));
        self.owed.retain(|word, owed| *owed == Owed::InTheStory || stays.contains(word));
    }

    /// What a purge must leave: all that is visible, or that waits for a decision.
    pub(super) fn before_purge(&self, disk: &Disk, memory: &Memory) -> BTreeSet<String> {
        let mut stays: BTreeSet<String> = disk.files().flat_map(persons).collect();
        for file in memory.files().all() {
            stays.extend(persons(&file.weave.view()));
            stays.extend(persons(&file.weave.without_pending()));
        }
        stays
    }

    /// The person let go of everything else.
    pub(super) fn purged(&mut self, stays: &BTreeSet<String>) {
        self.owed.retain(|word, _| stays.contains(word));
        for owed in self.owed.values_mut() {
            *owed = Owed::InTheStory;
        }
    }
}

fn is_text(claim: &Claim, there: &[u8]) -> bool {
    matches!(&claim.word, Word::Saved { text, .. } if text == there)
}

fn at<'a>(memory: &'a Memory, path: &FilePath) -> Option<&'a TrackedFile> {
    memory.files().all().find(|file| file.parked.is_none() && file.path() == path)
}

/// A save by hand that the host was told of before it looked is the person's, whoever wrote after it.
fn check_sworn(file: &TrackedFile, sworn: &[String]) -> Step {
    if sworn.is_empty() {
        return Ok(());
    }
    let without = persons(&without_others(file));
    match sworn.iter().find(|word| !without.contains(*word)) {
        Some(word) => {
            Err(format!("the person saved {word} in {} and said so, but it is taken for others'", file.path()))
        }
        None => Ok(()),
    }
}

/// The visible lines with their authors; those that were there at first have none.
fn authors(file: &TrackedFile) -> impl Iterator<Item = (String, Author)> {
    let blame = file.weave.blame().into_iter();
    blame.filter_map(|line| {
        let text = file.weave.line(line.line)?;
        let author = file.weave.revision(line.revision)?.author.clone();
        words(text).next().map(|word| (word, author))
    })
}

fn without_others(file: &TrackedFile) -> FileState {
    file.weave.without_revisions(&|revision| match revision.author {
        Author::Run(_) | Author::Unknown => true,
        // What version control threw away while somebody worked waits for a decision: a no brings it back.
        Author::Vcs => revision.held,
        Author::Person { .. } => false,
    })
}

fn is_in_the_story(file: &TrackedFile, word: &str) -> bool {
    let holds = |state: &FileState| words(text_of(state)).any(|found| found == *word);
    let mut steps = file.weave.since()..=file.weave.step();
    holds(&file.weave.without_pending()) || steps.any(|step| file.weave.at(step).is_some_and(|state| holds(&state)))
}
