//! Whether a save changes what is on disk. Only such a save speaks for the person: one that writes what was there already
//! says nothing about who wrote it. An editor tells of its texts and goes on without waiting for us, so a text that is on
//! disk when we look may have been read from there or just saved; where that cannot be told apart, it is said.

use std::path::Path;

use augment_core::attribution::is_written;
use augment_core::file::{ContentHash, FilePath};
use augment_core::written_text::writings;

use super::TEXT_LIMIT;
use crate::clock;
use crate::files::{self, HardLinks, Root, Stamp, Thing, WriteError};

/// The longest content that a text of the longest kind can have: two bytes a letter, and a mark.
const CONTENT_LIMIT: u64 = 2 * TEXT_LIMIT as u64 + 2;
/// A file that was written this short a time ago may be written again without a sign of it in its stamp.
const FRESH_NS: i128 = 50_000_000;

/// The files that texts are compared with.
#[derive(Debug)]
pub struct Disk(Root);

impl Disk {
    pub fn open(workspace: &Path) -> Result<Self, WriteError> {
        Root::open(workspace, CONTENT_LIMIT, HardLinks::Separate).map(Self)
    }

    /// The hash of a file's content; `None` where there is none, or it cannot be told.
    #[must_use]
    pub fn hash(&self, path: &FilePath) -> Option<ContentHash> {
        self.look(path, None)?.0.hash
    }

    /// What is there, and its content if it had to be read; `None` where that cannot be told: a link, no file, too long.
    fn look(&self, path: &FilePath, known: Option<Found>) -> Option<(Found, Option<Vec<u8>>)> {
        let known = known.filter(|known| known.is_settled);
        if let Some(known) = known
            && files::stamp(&self.0, path).is_ok_and(|stamp| stamp == known.stamp)
        {
            return Some((known, None));
        }
        let look = files::look(&self.0, path).ok()?;
        let found = Found::new(look.stamp, look.hash);
        match look.thing {
            Thing::Absent => Some((found, Some(Vec::new()))),
            Thing::File { content, .. } => Some((found, Some(content))),
            Thing::Link(_) => None,
        }
    }
}

#[derive(Debug, Clone, Copy)]
struct Found {
    /// `None` where nothing is.
    stamp: Option<Stamp>,
    hash: Option<ContentHash>,
    /// Whoever writes it again leaves a sign in its stamp.
    is_settled: bool,
}

impl Found {
    fn new(stamp: Option<Stamp>, hash: Option<ContentHash>) -> Self {
        let now_ns = i128::from(clock::wall().0) * 1_000_000;
        let is_settled = stamp.is_none_or(|stamp| now_ns - stamp.changed_ns > FRESH_NS);
        Self { stamp, hash, is_settled }
    }

    fn holds(&self, text: &str) -> bool {
        self.hash.is_some_and(|hash| is_written(text.as_bytes(), hash))
    }
}

/// What an editor has told of, when its text is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    Opened,
    Changed,
    WillSave,
}

/// How a save was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Saved {
    /// It wrote what was not there before.
    Changed,
    /// It wrote what was there before, or nothing.
    Unchanged,
    /// The text was on disk when we looked, and nothing has been written since: it was read from there, or saved before
    /// we could look.
    Unclear,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    /// Not on disk: saving it changes something.
    Differs,
    /// On disk since it was opened or saved.
    Same,
    /// On disk since a write that we did not see the editor make. `was_typed` if the text differed before that write, so
    /// that it is more likely the editor's than one that the editor has read.
    Met {
        stamp: Option<Stamp>,
        was_typed: bool,
    },
    Unknown,
}

/// One document of one editor against the disk.
#[derive(Debug, Clone, Copy)]
pub struct Comparison {
    standing: Standing,
    found: Option<Found>,
    /// The stamp that the file had when the text was known to be in it.
    in_file: Option<Stamp>,
}

impl Default for Comparison {
    fn default() -> Self {
        Self { standing: Standing::Unknown, found: None, in_file: None }
    }
}

impl Comparison {
    pub fn look(&mut self, disk: &Disk, path: &FilePath, text: &str, moment: Moment) {
        let before = self.found.and_then(|found| found.stamp);
        let looked = disk.look(path, self.found);
        self.found = looked.as_ref().map(|(found, _)| *found);
        let Some((found, content)) = looked else {
            self.standing = Standing::Unknown;
            return;
        };
        let holds = found.holds(text);
        match moment {
            Moment::Opened => {
                self.in_file = found.stamp.filter(|_| holds);
                self.standing = if holds { Standing::Same } else { Standing::Differs };
            }
            Moment::Changed if !holds => self.standing = Standing::Differs,
            Moment::Changed if found.stamp == self.in_file => self.standing = Standing::Same,
            Moment::Changed => {
                let was_typed = match self.standing {
                    Standing::Differs => found.stamp != before,
                    Standing::Met { stamp, was_typed } => was_typed && stamp == found.stamp,
                    Standing::Same | Standing::Unknown => false,
                };
                self.standing = Standing::Met { stamp: found.stamp, was_typed };
            }
            // The very save may be under way or done. Only something else on disk was there before it.
            Moment::WillSave if holds || content.is_some_and(|content| is_beginning(&content, text)) => {}
            Moment::WillSave => self.standing = Standing::Differs,
        }
    }

    /// The editor says that it has saved this text.
    pub fn saved(&mut self, disk: &Disk, path: &FilePath, text: &str) -> Saved {
        let before = self.standing;
        let found = disk.look(path, self.found).map(|(found, _)| found);
        self.found = found;
        self.in_file = found.filter(|found| found.holds(text)).and_then(|found| found.stamp);
        self.standing = match found {
            Some(_) if self.in_file.is_some() => Standing::Same,
            Some(_) => Standing::Differs,
            None => Standing::Unknown,
        };
        match before {
            // What cannot be compared is taken at the editor's word.
            Standing::Differs | Standing::Unknown => Saved::Changed,
            Standing::Same => Saved::Unchanged,
            Standing::Met { stamp, .. } if self.in_file.is_some() && self.in_file != stamp => Saved::Unchanged,
            Standing::Met { was_typed: true, .. } => Saved::Changed,
            Standing::Met { was_typed: false, .. } => Saved::Unclear,
        }
    }
}

/// Whether a file that is being written with a text may hold this in between.
fn is_beginning(content: &[u8], text: &str) -> bool {
    writings(text.as_bytes()).any(|written| written.starts_with(content))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays a story of an editor with a file that holds `one`: what happens to the disk (`disk x`, `touched`, `gone`),
    /// and what the editor tells (`open x`, `change x`, `will save`, `saved`). Returns how each save was.
    fn saves(story: &str) -> Vec<Saved> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("f");
        let path = FilePath::from_text("f").unwrap();
        let mut writes = 0;
        let mut write = |content: &[u8]| {
            writes += 1;
            std::fs::write(&file, content).unwrap();
            // Each write in a second of its own, so that no two have one stamp.
            let time = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000 + writes);
            std::fs::File::options().append(true).open(&file).unwrap().set_modified(time).unwrap();
        };
        write(b"one");
        let disk = Disk::open(folder.path()).unwrap();
        let (mut comparison, mut text, mut all) = (Comparison::default(), String::new(), Vec::new());
        for step in story.split(", ") {
            match step.split(' ').collect::<Vec<_>>()[..] {
                ["disk", content] => write(content.as_bytes()),
                ["disk", "marked", content] => write(format!("\u{feff}{content}").as_bytes()),
                ["touched"] => write(&std::fs::read(&file).unwrap()),
                ["gone"] => std::fs::remove_file(&file).unwrap(),
                ["linked"] => {
                    std::fs::rename(&file, folder.path().join("g")).unwrap();
                    std::os::unix::fs::symlink("g", &file).unwrap();
                }
                ["open", now] => {
                    text = now.to_owned();
                    comparison.look(&disk, &path, &text, Moment::Opened);
                }
                ["change", now] => {
                    text = now.to_owned();
                    comparison.look(&disk, &path, &text, Moment::Changed);
                }
                ["will", "save"] => comparison.look(&disk, &path, &text, Moment::WillSave),
                ["saved"] => all.push(comparison.saved(&disk, &path, &text)),
                _ => panic!("{step}"),
            }
        }
        all
    }

    fn check(story: &str, expected: Saved) {
        assert_eq!(saves(story), [expected], "{story}");
    }

    #[test]
    fn a_save_speaks_only_if_it_changes_the_disk() {
        // Typed and saved, with and without a word before.
        check("open one, change two, disk two, saved", Saved::Changed);
        check("open one, change two, will save, disk two, saved", Saved::Changed);
        check("gone, open two, disk two, saved", Saved::Changed);
        // Nothing typed, or typed and taken back.
        check("open one, saved", Saved::Unchanged);
        check("open one, touched, saved", Saved::Unchanged);
        check("open one, will save, touched, saved", Saved::Unchanged);
        check("open one, change one!, change one, touched, saved", Saved::Unchanged);
        // Read again from the disk after somebody else wrote it.
        check("open one, disk two, change two, touched, saved", Saved::Unchanged);
        check("open one, disk two, change two, will save, touched, saved", Saved::Unchanged);
        check("open one, disk two, change t, change two, change two!, change two, touched, saved", Saved::Unchanged);
        check("open one, change mine, disk two, change two, touched, saved", Saved::Unchanged);
        // An old text forced over what somebody else wrote.
        check("open one, disk two, will save, disk one, saved", Saved::Changed);
        check("open one, disk two, change two, disk three, will save, disk two, saved", Saved::Changed);
        // In another encoding it is the same text.
        check("disk marked one, open one, touched, saved", Saved::Unchanged);
        check("disk marked one, open one, change two, disk marked two, saved", Saved::Changed);
    }

    #[test]
    fn what_is_typed_and_heard_of_late_is_never_taken_for_unchanged() {
        check("open one, disk two, change two, saved", Saved::Unclear);
        check("open one, disk two, change t, change two, saved", Saved::Unclear);
        check("open one, disk two, change two, will save, saved", Saved::Unclear);
        check("open one, change two, disk two, will save, saved", Saved::Changed);
        check("open one, change mine, disk two, change two, saved", Saved::Changed);
        check("open one, change mine, disk two, change two, disk three, saved", Saved::Changed);
        check("open one, disk two, change two, disk three, saved", Saved::Unclear);
        check("open one, change two, disk t, will save, disk two, saved", Saved::Changed);
    }

    #[test]
    fn a_save_under_way_is_no_change_of_its_own() {
        check("open one, disk o, will save, disk one, saved", Saved::Unchanged);
        check("open one, touched, will save, saved", Saved::Unchanged);
    }

    #[test]
    fn each_save_is_compared_with_what_the_one_before_it_left() {
        let story = "open one, change two, disk two, saved, touched, saved, change 3, disk 3, saved, disk 4, change 4, touched, saved";
        assert_eq!(saves(story), [Saved::Changed, Saved::Unchanged, Saved::Changed, Saved::Unchanged]);
    }

    #[test]
    fn what_cannot_be_compared_is_taken_at_the_editors_word() {
        check("linked, open one, saved", Saved::Changed);
    }
}
