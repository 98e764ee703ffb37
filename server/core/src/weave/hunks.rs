//! Hunks: the smallest parts of a change that are decided. Each author's marks are grouped by themselves, so a decision
//! about one author never touches another's. A group of marks that could be rejected without anything visible changing
//! is not shown: nothing is left to decide about it, until an undoing brings it back.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;

use super::line::Line;
use super::line_hunks::Grouping;
use super::register::Kind;
use super::{LineId, Mark, MarkRef, RevisionNo, Standing, Verdict, Weave, as_it_is};
use crate::attribution::Author;
use crate::file::FilePath;

/// A name for a hunk as it is now: its author, its marks and its texts, wherever in the file it stands. A hunk that
/// changed has another one. Shown by its first sixteen digits: few enough to read, too many to be made alike on purpose.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HunkId(pub [u8; 32]);

impl HunkId {
    #[must_use]
    pub fn to_hex(self) -> String {
        blake3::Hash::from_bytes(self.0).to_hex().to_string()
    }
}

impl fmt::Display for HunkId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_hex()[..16])
    }
}

impl fmt::Debug for HunkId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hunk {
    pub id: HunkId,
    pub author: Author,
    /// The first and the last revision that made it.
    pub revisions: (RevisionNo, RevisionNo),
    pub marks: Vec<MarkRef>,
    pub shape: Shape,
    /// Whose edits lie inside or on top of it: those stay when it is rejected, and the result should be looked at first.
    pub entangled: Vec<Author>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shape {
    Lines(LineChange),
    /// The file did not exist. All that its author did to it, mode included, is this one hunk.
    Created {
        kind: Kind,
    },
    /// With what its author had done to the lines before.
    Deleted {
        kind: Kind,
    },
    /// The content as a whole: binary, a link, or from such to text and back. With what its author did to the lines.
    Replaced {
        from: Kind,
        to: Kind,
    },
    Mode {
        from: u32,
        to: u32,
    },
    Renamed {
        from: FilePath,
        to: FilePath,
    },
}

/// Line numbers count from 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineChange {
    /// The line at which its first added line stands, or before which its removed lines stood.
    pub start: u32,
    /// How many visible lines it added.
    pub added: u32,
    /// Where they stand; several ranges if others' lines lie between.
    pub spans: Vec<Range<u32>>,
    /// The texts that rejecting it brings back.
    pub removed: Vec<Vec<u8>>,
    /// Where it would start, and where those texts would stand, in the file without this hunk.
    pub old_start: u32,
    pub old_spans: Vec<Range<u32>>,
}

/// A line that a hunk is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HunkLine {
    pub line: LineId,
    pub text: Vec<u8>,
    pub inserted: bool,
    pub deleted: bool,
    pub is_visible: bool,
}

impl Hunk {
    /// The lines it is about, in order: those it inserted and those it deleted.
    #[must_use]
    pub fn lines(&self, weave: &Weave) -> Vec<HunkLine> {
        self.lines_and(weave, |_| false)
    }

    /// The same with the lines that it brings back, which count as inserted by it.
    #[must_use]
    pub fn lines_with_brought_back(&self, weave: &Weave) -> Vec<HunkLine> {
        self.lines_and(weave, |line| line.is_visible(&as_it_is) && self.brings_back(line))
    }

    fn lines_and(&self, weave: &Weave, besides: impl Fn(&Line) -> bool) -> Vec<HunkLine> {
        let marks: BTreeSet<MarkRef> = self.marks.iter().copied().collect();
        let lines = weave.lines.iter().filter_map(|line| {
            let inserted = marks.contains(&line.inserted_ref()) || besides(line);
            let deleted = line.deleted.iter().any(|mark| marks.contains(&line.deleted_ref(*mark)));
            (inserted || deleted).then(|| HunkLine {
                line: line.id,
                text: line.bare().to_vec(),
                inserted,
                deleted,
                is_visible: line.is_visible(&as_it_is),
            })
        });
        lines.collect()
    }

    /// Whether a line that is older than the hunk is there again with it: who makes text of a file that had none answers for
    /// all of it, also for what was in it before.
    fn brings_back(&self, line: &Line) -> bool {
        self.makes_text() && line.inserted.revision < self.revisions.0
    }

    fn makes_text(&self) -> bool {
        match &self.shape {
            Shape::Created { kind: to } | Shape::Replaced { to, .. } => *to == Kind::Text,
            Shape::Lines(_) | Shape::Deleted { .. } | Shape::Mode { .. } | Shape::Renamed { .. } => false,
        }
    }
}

impl Weave {
    /// The visible lines that each of these hunks inserted or brought back, as ranges from 0, whatever its shape.
    #[must_use]
    pub fn visible_spans(&self, hunks: &[Hunk]) -> Vec<Vec<Range<u32>>> {
        let mut of: Vec<(MarkRef, usize)> = Vec::new();
        for (number, hunk) in hunks.iter().enumerate() {
            of.extend(hunk.marks.iter().map(|mark| (*mark, number)));
        }
        of.sort_unstable();
        of.dedup();
        let making: Vec<usize> = (0..hunks.len()).filter(|number| hunks[*number].makes_text()).collect();
        let mut spans: Vec<Vec<Range<u32>>> = vec![Vec::new(); hunks.len()];
        let visible = self.lines.iter().filter(|line| line.is_visible(&as_it_is));
        for (at, line) in (0_u32..).zip(visible) {
            let inserted = line.inserted_ref();
            let first = of.partition_point(|(mark, _)| *mark < inserted);
            let inserting = of[first..].iter().take_while(|(mark, _)| *mark == inserted).map(|(_, number)| *number);
            let bringing = making.iter().copied().filter(|number| hunks[*number].brings_back(line));
            for number in inserting.chain(bringing) {
                match spans[number].last_mut() {
                    Some(last) if last.end == at => last.end = at + 1,
                    Some(_) | None => spans[number].push(at..at + 1),
                }
            }
        }
        spans
    }
}

/// A hunk, shown or not.
pub(super) struct Group {
    pub(super) hunk: Hunk,
    /// Where it begins in the weave.
    pub(super) place: usize,
    /// Rejecting it would change something that can be seen now.
    pub(super) has_effect: bool,
}

impl Weave {
    /// All pending hunks: those of the file as a whole first, then those of lines in their order.
    #[must_use]
    pub fn hunks(&self) -> Vec<Hunk> {
        self.hunks_of(&|_| true)
    }

    #[must_use]
    pub fn hunks_of(&self, authors: &dyn Fn(&Author) -> bool) -> Vec<Hunk> {
        self.hunks_where(authors, Standing::Pending)
    }

    /// Hunks of what a person decided so. Of what was rejected nothing is visible; its texts are in `Hunk::lines`.
    #[must_use]
    pub fn decided_hunks(&self, authors: &dyn Fn(&Author) -> bool, to: Decided) -> Vec<Hunk> {
        self.hunks_where(authors, to.standing())
    }

    /// All pending marks of these authors, also those that no hunk shows.
    #[must_use]
    pub fn marks_of(&self, select: &dyn Fn(&Author) -> bool) -> Vec<MarkRef> {
        let pending = self.marks().filter(|(_, mark)| {
            mark.verdict == Verdict::Open
                && self.revision(mark.revision).is_some_and(|revision| revision.held && select(&revision.author))
        });
        pending.map(|(place, _)| place).collect()
    }

    /// Nothing is left to decide.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.marks_of(&|_| true).is_empty() || self.hunks().is_empty()
    }

    fn hunks_where(&self, authors: &dyn Fn(&Author) -> bool, standing: Standing) -> Vec<Hunk> {
        let mut groups = self.groups(authors, standing);
        groups.retain(|group| standing == Standing::Rejected || group.has_effect);
        groups.sort_by_key(|group| (rank(&group.hunk.shape), group.place, group.hunk.revisions, group.hunk.marks[0]));
        groups.into_iter().map(|group| group.hunk).collect()
    }

    /// Every group of marks that stand so.
    pub(super) fn groups(&self, authors: &dyn Fn(&Author) -> bool, standing: Standing) -> Vec<Group> {
        let mut who: Vec<&Author> = Vec::new();
        for revision in self.revisions.iter().filter(|revision| authors(&revision.author)) {
            if !who.contains(&&revision.author) {
                who.push(&revision.author);
            }
        }
        let has_lines = self.could_be_text();
        let grouping = Grouping::new(self, standing);
        let mut groups = Vec::new();
        for author in who {
            let mut touched = grouping.touched(author);
            self.file_groups(author, standing, &grouping, &mut touched, &mut groups);
            if has_lines {
                groups.extend(grouping.line_groups(author, &touched));
            }
        }
        groups
    }

    /// Whether there is text, or would be if what is pending were rejected. Otherwise nothing about lines can be seen,
    /// whatever is decided about them.
    pub(super) fn could_be_text(&self) -> bool {
        self.kind_with(&as_it_is) == Kind::Text
            || self.kind_with(&|place, mark| match place {
                MarkRef::Deleted(..) if self.standing_of(mark) == Standing::Pending => Verdict::Rejected,
                MarkRef::Deleted(..)
                | MarkRef::Inserted(_)
                | MarkRef::Body(_)
                | MarkRef::Mode(_)
                | MarkRef::Path(_) => mark.verdict,
            }) == Kind::Text
    }

    pub(super) fn new_name(&self, author: &Author) -> Name {
        let mut name = Name::new(author);
        name.number(self.seed);
        name
    }

    pub(super) fn is_standing(&self, mark: Mark, standing: Standing) -> bool {
        self.standing_of(mark) == standing && (mark.verdict != Verdict::Open || standing == Standing::Pending)
    }
}

/// What a person can have decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decided {
    Approved,
    Rejected,
}

impl Decided {
    fn standing(self) -> Standing {
        match self {
            Self::Approved => Standing::Approved,
            Self::Rejected => Standing::Rejected,
        }
    }
}

fn rank(shape: &Shape) -> u8 {
    match shape {
        Shape::Renamed { .. } => 0,
        Shape::Created { .. } | Shape::Deleted { .. } | Shape::Replaced { .. } => 1,
        Shape::Mode { .. } => 2,
        Shape::Lines(_) => 3,
    }
}

/// A hunk's id in the making. Every part goes in with its length, so no two hunks are written alike.
pub(super) struct Name(blake3::Hasher);

impl Name {
    fn new(author: &Author) -> Self {
        let mut name = Self(blake3::Hasher::new());
        match author {
            Author::Person { name: person } => {
                name.number(0);
                name.bytes(person.as_bytes());
            }
            Author::Run(run) => {
                name.number(1);
                name.number(run.task.number());
                name.number(u64::from(run.attempt));
            }
            Author::Vcs => name.number(2),
            Author::Unknown => name.number(3),
        }
        name
    }

    pub(super) fn number(&mut self, number: u64) {
        self.0.update(&number.to_le_bytes());
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.update(bytes);
    }

    pub(super) fn mark(&mut self, mark: MarkRef) {
        let (kind, first, second) = match mark {
            MarkRef::Inserted(line) => (0, line.0, 0),
            MarkRef::Deleted(line, by) => (1, line.0, by.0),
            MarkRef::Body(number) => (2, u64::from(number), 0),
            MarkRef::Mode(number) => (3, u64::from(number), 0),
            MarkRef::Path(number) => (4, u64::from(number), 0),
        };
        self.number(kind);
        self.number(first);
        self.number(u64::from(second));
    }

    pub(super) fn kind(&mut self, kind: &Kind) {
        match kind {
            Kind::Absent => self.number(0),
            Kind::Text => self.number(1),
            Kind::Whole { hash, length } => {
                self.number(2);
                self.bytes(&hash.0);
                self.number(*length);
            }
            Kind::Link(target) => {
                self.number(3);
                self.bytes(target);
            }
            Kind::Large { length, changed_ns } => {
                self.number(4);
                self.number(*length);
                self.number(changed_ns.cast_unsigned());
            }
            Kind::Special => self.number(5),
        }
    }

    pub(super) fn finish(&self) -> HunkId {
        HunkId(*self.0.finalize().as_bytes())
    }
}
