//! One file's whole story: every line that ever was, in order, with marks that say who inserted it and who deleted it, and
//! what a person decided about that. What is in the file is the visible lines: those whose insertion is not rejected and
//! whose deletions all are. So attribution, review and rollback are questions to one structure, and nothing is ever
//! derived by comparing texts a second time.
//!
//! What always holds: after `revise` the view is the content given, to the byte; a decision changes only what its marks
//! say, so no author's line moves or goes because of what is decided about another's; undoing a decision gives back the
//! view before it. Nothing here knows a disk.
//!
//! Kind of content, mode and path are *registers* under the same marks: the last entry that is not rejected counts. One
//! rule goes beyond that: where a register says that there is no text, but a line that was inserted later is visible,
//! there is text. So rejecting the creation of a file keeps what others wrote into it.

mod compact;
mod decide;
mod encoding;
mod file_hunks;
mod hunks;
mod implied;
mod line;
mod line_hunks;
mod part;
mod questions;
mod register;
mod revise;
mod rewind;

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};
use std::fmt;

use crate::attribution::{Author, Evidence};
use crate::file::{Body, ContentHash, FilePath, FileState};
use crate::time::Wall;

pub use decide::{CannotUndo, Change, Decision, DecisionKind};
pub use encoding::BadWeave;
pub use hunks::{Decided, Hunk, HunkId, HunkLine, LineChange, Shape};
pub use implied::Restored;
pub use part::{Chosen, HeldLines, Part};
pub use register::Kind;

use line::Line;
use register::Register;

/// Text longer than this is decided as a whole.
pub const MAX_TEXT_BYTES: usize = 2 * 1024 * 1024;
/// Text with more lines than this is decided as a whole.
pub const MAX_TEXT_LINES: usize = 100_000;
/// Text with a longer line than this is decided as a whole: it is not made by people, and not shown by lines.
pub const MAX_LINE_BYTES: usize = 64 * 1024;

/// A line's name within its file. Never used again for another line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineId(pub u64);

/// A revision's name within its file, growing. 0 is what was there at first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RevisionNo(pub u32);

impl RevisionNo {
    pub const BASE: Self = Self(0);
}

/// A decision's name within its file: the step at which it was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DecisionNo(pub u32);

/// Where a mark stands for the person who reviews.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Standing {
    Pending,
    Approved,
    Rejected,
}

/// One observed new content of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Revision {
    pub no: RevisionNo,
    /// Revisions and decisions share one count of steps.
    pub step: u32,
    pub author: Author,
    pub evidence: Evidence,
    pub time: Wall,
    /// Whether its marks wait for a decision. Otherwise they count as approved from the start.
    pub held: bool,
}

/// Who made a new revision, and whether a person has to decide about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewRevision {
    pub author: Author,
    pub evidence: Evidence,
    pub time: Wall,
    pub held: bool,
}

/// One mark in the weave. The numbers of register entries are never used again for other entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MarkRef {
    Inserted(LineId),
    Deleted(LineId, RevisionNo),
    Body(u32),
    Mode(u32),
    Path(u32),
}

/// What was decided about a mark. `Open` marks are pending if their revision is held, else approved; so when a revision
/// turns out to be somebody else's, its open marks follow and its decided ones stay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    Open,
    Approved,
    Rejected,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Mark {
    /// Whose doing it is.
    revision: RevisionNo,
    /// At which revision it was made: mostly the same one. What is left out of a file that is written anew was taken
    /// away by whoever deleted the file, and shows only now.
    made: RevisionNo,
    verdict: Verdict,
}

impl Mark {
    fn by(revision: RevisionNo) -> Self {
        Self { revision, made: revision, verdict: Verdict::Open }
    }
}

/// A visible line's origin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Blame {
    pub line: LineId,
    pub revision: RevisionNo,
    pub standing: Standing,
}

/// Says what to take a mark's verdict for: as it is, as it would be, or as it was.
type Judge<'a> = &'a dyn Fn(MarkRef, Mark) -> Verdict;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Weave {
    lines: Vec<Line>,
    body: Register<Kind>,
    /// `None` where there was no file that could have had a mode.
    mode: Register<Option<u32>>,
    path: Register<FilePath>,
    /// By number. Numbers may be missing after compaction.
    revisions: Vec<Revision>,
    /// By number.
    decisions: Vec<Decision>,
    next_line: u64,
    next_revision: u32,
    /// The last step that was made.
    step: u32,
    /// The earliest step whose view can still be told.
    since: u32,
    /// Of the path it began with, so that alike edits of alike files are different hunks.
    seed: u64,
}

impl Weave {
    #[must_use]
    pub fn new(base: &FileState) -> Self {
        let kind = Kind::of(&base.body);
        let mode = kind.has_mode().then_some(base.mode);
        let mut weave = Self {
            lines: Vec::new(),
            body: Register::new(kind),
            mode: Register::new(mode),
            path: Register::new(base.path.clone()),
            revisions: Vec::new(),
            decisions: Vec::new(),
            next_line: 0,
            next_revision: 1,
            step: 0,
            since: 0,
            seed: seed_of(&base.path),
        };
        if let Body::Text(content) = &base.body {
            weave.weave_in(content, RevisionNo::BASE, Mark::by(RevisionNo::BASE));
        }
        weave
    }

    /// What is in the file now.
    #[must_use]
    pub fn view(&self) -> FileState {
        self.view_with(&as_it_is)
    }

    fn view_with(&self, judge: Judge<'_>) -> FileState {
        let kind = self.kind_with(judge);
        let body = match &kind {
            Kind::Absent => Body::Absent,
            Kind::Text => Body::Text(self.text_with(judge)),
            Kind::Whole { hash, length } => Body::Whole { hash: *hash, length: *length },
            Kind::Link(target) => Body::Link(target.clone()),
            Kind::Large { length, changed_ns } => Body::Large { length: *length, changed_ns: *changed_ns },
            Kind::Special => Body::Special,
        };
        let mode = if kind.has_mode() { self.mode_with(judge).unwrap_or(0) } else { 0 };
        FileState { path: self.path_with(judge).clone(), body, mode }
    }

    fn path_with(&self, judge: Judge<'_>) -> &FilePath {
        self.path.standing(|number, mark| judge(MarkRef::Path(number), mark)).0
    }

    fn text_with(&self, judge: Judge<'_>) -> Vec<u8> {
        let mut content = Vec::new();
        let mut last = None;
        for line in self.lines.iter().filter(|line| line.is_visible(judge)) {
            content.extend_from_slice(&line.text);
            last = Some(line);
        }
        content.truncate(content.len() - last.map_or(0, |line| usize::from(line.open)));
        content
    }

    fn kind_with(&self, judge: Judge<'_>) -> Kind {
        let (kind, since) = self.body.standing(|number, mark| judge(MarkRef::Body(number), mark));
        let is_written_into = || self.lines.iter().any(|line| line.inserted.revision > since && line.is_visible(judge));
        if *kind != Kind::Text && is_written_into() { Kind::Text } else { kind.clone() }
    }

    /// A file that is kept although its creation was rejected has the mode it was created with.
    fn mode_with(&self, judge: Judge<'_>) -> Option<u32> {
        let (mode, _) = self.mode.standing(|number, mark| judge(MarkRef::Mode(number), mark));
        mode.or_else(|| self.mode.entries.first().and_then(|entry| entry.value))
    }

    /// The visible lines' origins, in order: one for each line of the content. Empty where there is no text.
    #[must_use]
    pub fn blame(&self) -> Vec<Blame> {
        if self.kind_with(&as_it_is) != Kind::Text {
            return Vec::new();
        }
        let visible = self.lines.iter().filter(|line| line.is_visible(&as_it_is));
        visible
            .map(|line| Blame {
                line: line.id,
                revision: line.inserted.revision,
                standing: self.standing_of(line.inserted),
            })
            .collect()
    }

    #[must_use]
    pub fn revisions(&self) -> &[Revision] {
        &self.revisions
    }

    /// `None` for the base, and for revisions of which compaction left nothing.
    #[must_use]
    pub fn revision(&self, no: RevisionNo) -> Option<&Revision> {
        self.revisions.binary_search_by_key(&no, |revision| revision.no).ok().map(|at| &self.revisions[at])
    }

    /// The revisions that these marks belong to, each once.
    #[must_use]
    pub fn revisions_of(&self, marks: &[MarkRef]) -> Vec<RevisionNo> {
        let wanted: HashSet<MarkRef> = marks.iter().copied().collect();
        let found: BTreeSet<RevisionNo> =
            self.marks().filter(|(place, _)| wanted.contains(place)).map(|(_, mark)| mark.revision).collect();
        found.into_iter().collect()
    }

    /// How many lines a revision added, and how many it removed.
    #[must_use]
    pub fn size_of(&self, no: RevisionNo) -> (u32, u32) {
        let (mut added, mut removed) = (0, 0);
        for line in &self.lines {
            added += u32::from(line.inserted.revision == no);
            removed += u32::from(line.deleted.iter().any(|mark| mark.revision == no));
        }
        (added, removed)
    }

    #[must_use]
    pub fn path(&self) -> &FilePath {
        self.path_with(&as_it_is)
    }

    #[must_use]
    pub fn decisions(&self) -> &[Decision] {
        &self.decisions
    }

    /// The last step that was made: 0 at first.
    #[must_use]
    pub fn step(&self) -> u32 {
        self.step
    }

    /// The earliest step that `at` can tell.
    #[must_use]
    pub fn since(&self) -> u32 {
        self.since
    }

    /// The text of a line that is still known, without the terminator that a file's last line may lack.
    #[must_use]
    pub fn line(&self, id: LineId) -> Option<&[u8]> {
        self.lines.iter().find(|line| line.id == id).map(Line::bare)
    }

    fn author_of(&self, no: RevisionNo) -> Option<&Author> {
        if no == RevisionNo::BASE { None } else { self.revision(no).map(|revision| &revision.author) }
    }

    fn standing_of(&self, mark: Mark) -> Standing {
        match mark.verdict {
            Verdict::Approved => Standing::Approved,
            Verdict::Rejected => Standing::Rejected,
            Verdict::Open => match self.revision(mark.revision) {
                Some(revision) if revision.held => Standing::Pending,
                Some(_) | None => Standing::Approved,
            },
        }
    }

    /// Every mark, the base's insertions left out: about those nothing is ever decided.
    fn marks(&self) -> impl Iterator<Item = (MarkRef, Mark)> {
        let lines = self.lines.iter().flat_map(|line| {
            let inserted = (line.inserted.revision != RevisionNo::BASE).then_some((line.inserted_ref(), line.inserted));
            inserted.into_iter().chain(line.deleted.iter().map(|mark| (line.deleted_ref(*mark), *mark)))
        });
        let body = self.body.entries.iter().map(|entry| (MarkRef::Body(entry.number), entry.mark));
        let mode = self.mode.entries.iter().map(|entry| (MarkRef::Mode(entry.number), entry.mark));
        let path = self.path.entries.iter().map(|entry| (MarkRef::Path(entry.number), entry.mark));
        body.chain(mode).chain(path).chain(lines)
    }
}

fn seed_of(path: &FilePath) -> u64 {
    let hash = ContentHash::of(path.as_bytes()).0;
    u64::from_le_bytes([hash[0], hash[1], hash[2], hash[3], hash[4], hash[5], hash[6], hash[7]])
}

fn as_it_is(_: MarkRef, mark: Mark) -> Verdict {
    mark.verdict
}

/// Whether some content is decided line by line, or as a whole: with a zero byte (so UTF-16 too), too long, with too many
/// lines or with a line too long.
#[must_use]
pub fn body_of<'a>(content: impl Into<Cow<'a, [u8]>>) -> Body {
    let content = content.into();
    let is_text = content.len() <= MAX_TEXT_BYTES && !content.contains(&0) && {
        let mut lines = 0;
        content.split_inclusive(|byte| *byte == b'\n').all(|line| {
            lines += 1;
            line.len() <= MAX_LINE_BYTES && lines <= MAX_TEXT_LINES
        })
    };
    if is_text {
        Body::Text(content.into_owned())
    } else {
        Body::Whole { hash: ContentHash::of(&content), length: content.len() as u64 }
    }
}

impl fmt::Display for RevisionNo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_decided_by_lines() {
        let whole = |content: Vec<u8>| matches!(body_of(content), Body::Whole { .. });
        for text in [&b""[..], b"a", b"a\r\nb", b"\xef\xbb\xbfa\n", b"\xff\xfe\n", b"\n\n"] {
            assert_eq!(body_of(text.to_vec()), Body::Text(text.to_vec()));
        }
        assert!(whole(b"a\0".to_vec()));
        assert!(whole("hi".encode_utf16().flat_map(u16::to_le_bytes).collect()));
        assert!(!whole(vec![b'\n'; MAX_TEXT_LINES]));
        assert!(whole(vec![b'\n'; MAX_TEXT_LINES + 1]));
        assert!(!whole(vec![b'a'; MAX_LINE_BYTES]));
        assert!(whole(vec![b'a'; MAX_LINE_BYTES + 1]));
        let lines =
            |bytes: usize| b"0123456789abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopq\n".repeat(bytes / 64);
        assert!(!whole(lines(MAX_TEXT_BYTES)));
        assert!(whole(lines(MAX_TEXT_BYTES + 64)));
    }
}
