//! Reading, and checking what a weave must be: ids growing or unique, marks of revisions that are there, lines that end
//! where lines end.

use std::collections::HashSet;

use super::super::decide::{Change, Decision, DecisionKind};
use super::super::line::Line;
use super::super::register::{Entry, Kind, Register};
use super::super::{DecisionNo, LineId, Mark, MarkRef, Revision, RevisionNo, Standing, Verdict, Weave};
use super::BadWeave;
use crate::attribution::{Author, Evidence};
use crate::file::{ContentHash, FilePath};
use crate::id::{RunId, TaskId};
use crate::time::Wall;

type Read<T> = Result<T, BadWeave>;

pub(super) fn weave(bytes: &[u8]) -> Read<Weave> {
    let mut from = In { bytes, at: 0 };
    let form = from.byte()?;
    if form != super::FORM {
        return Err(BadWeave::Form(form));
    }
    let next_line = from.number()?;
    let next_revision = from.small()?;
    let step = from.small()?;
    let since = from.small()?;
    let seed = from.number()?;
    from.check(since <= step && next_revision >= 1)?;
    let revisions = from.list(6, revision)?;
    let is_growing = revisions.is_sorted_by(|a, b| a.no < b.no && a.step < b.step);
    let fits = |revision: &Revision| (1..next_revision).contains(&revision.no.0) && revision.step <= step;
    from.check(is_growing && revisions.iter().all(fits))?;
    let known = Known { revisions: revisions.iter().map(|revision| revision.no).collect(), next_revision };
    let body = register(&mut from, &known, kind)?;
    let mode = register(&mut from, &known, mode)?;
    let path = register(&mut from, &known, path)?;
    let mut previous = 0;
    let lines = from.list(4, |from| {
        let line = line(from, &known, previous, next_line)?;
        previous = line.id.0;
        Ok(line)
    })?;
    let ids: HashSet<LineId> = lines.iter().map(|line| line.id).collect();
    from.check(ids.len() == lines.len())?;
    let decisions = from.list(5, decision)?;
    let is_growing = decisions.is_sorted_by(|a, b| a.no < b.no);
    from.check(is_growing && decisions.iter().all(|decision| (1..=step).contains(&decision.no.0)))?;
    if from.at < bytes.len() {
        return Err(BadWeave::Long);
    }
    Ok(Weave { lines, body, mode, path, revisions, decisions, next_line, next_revision, step, since, seed })
}

/// The revisions that marks may belong to.
struct Known {
    revisions: HashSet<RevisionNo>,
    next_revision: u32,
}

struct In<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> In<'a> {
    fn check(&self, holds: bool) -> Read<()> {
        if holds { Ok(()) } else { Err(BadWeave::Value { at: self.at }) }
    }

    fn take(&mut self, length: usize) -> Read<&'a [u8]> {
        let end = self.at.checked_add(length).ok_or(BadWeave::Short)?;
        let taken = self.bytes.get(self.at..end).ok_or(BadWeave::Short)?;
        self.at = end;
        Ok(taken)
    }

    fn byte(&mut self) -> Read<u8> {
        Ok(self.take(1)?[0])
    }

    fn number(&mut self) -> Read<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let part = u64::from(byte & 0x7f);
            self.check(part << shift >> shift == part)?;
            number |= part << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(BadWeave::Value { at: self.at })
    }

    fn small(&mut self) -> Read<u32> {
        u32::try_from(self.number()?).map_err(|_| BadWeave::Value { at: self.at })
    }

    fn signed(&mut self) -> Read<i64> {
        let number = self.number()?;
        Ok((number >> 1).cast_signed() ^ -((number & 1).cast_signed()))
    }

    fn bytes(&mut self) -> Read<&'a [u8]> {
        let length = usize::try_from(self.number()?).map_err(|_| BadWeave::Short)?;
        self.take(length)
    }

    /// A list of items that each take at least so many bytes: a count that the bytes left cannot hold is refused before
    /// room is made for it.
    fn list<T>(&mut self, smallest: usize, mut read: impl FnMut(&mut Self) -> Read<T>) -> Read<Vec<T>> {
        let count = usize::try_from(self.number()?).map_err(|_| BadWeave::Short)?;
        if count > (self.bytes.len() - self.at) / smallest {
            return Err(BadWeave::Short);
        }
        let mut items = Vec::with_capacity(count);
        for _ in 0..count {
            items.push(read(self)?);
        }
        Ok(items)
    }
}

fn revision(from: &mut In<'_>) -> Read<Revision> {
    let no = RevisionNo(from.small()?);
    let step = from.small()?;
    let author = author(from)?;
    let evidence = evidence(from)?;
    let time = Wall(from.signed()?);
    let held = from.byte()?;
    from.check(held <= 1)?;
    Ok(Revision { no, step, author, evidence, time, held: held == 1 })
}

fn author(from: &mut In<'_>) -> Read<Author> {
    match from.byte()? {
        0 => {
            let name = String::from_utf8(from.bytes()?.to_vec()).map_err(|_| BadWeave::Value { at: from.at })?;
            Ok(Author::Person { name })
        }
        1 => {
            let task = TaskId::new(from.number()?).ok_or(BadWeave::Value { at: from.at })?;
            Ok(Author::Run(RunId { task, attempt: from.small()? }))
        }
        2 => Ok(Author::Vcs),
        3 => Ok(Author::Unknown),
        _ => Err(BadWeave::Value { at: from.at }),
    }
}

fn evidence(from: &mut In<'_>) -> Read<Evidence> {
    match from.byte()? {
        0 => Ok(Evidence::Assigned),
        1 => Ok(Evidence::DeclaredContent),
        2 => Ok(Evidence::DeclaredPath),
        3 => Ok(Evidence::Saved),
        4 => Ok(Evidence::Applied),
        5 => Ok(Evidence::VersionControl),
        6 => Ok(Evidence::Inferred),
        7 => Ok(Evidence::Unwatched),
        8 => Ok(Evidence::Nothing),
        _ => Err(BadWeave::Value { at: from.at }),
    }
}

fn kind(from: &mut In<'_>) -> Read<Kind> {
    match from.byte()? {
        0 => Ok(Kind::Absent),
        1 => Ok(Kind::Text),
        2 => {
            let mut hash = [0; 32];
            hash.copy_from_slice(from.take(32)?);
            Ok(Kind::Whole { hash: ContentHash(hash), length: from.number()? })
        }
        3 => Ok(Kind::Link(from.bytes()?.to_vec())),
        4 => Ok(Kind::Large { length: from.number()?, changed_ns: from.signed()? }),
        5 => Ok(Kind::Special),
        _ => Err(BadWeave::Value { at: from.at }),
    }
}

fn mode(from: &mut In<'_>) -> Read<Option<u32>> {
    match from.number()?.checked_sub(1) {
        None => Ok(None),
        Some(mode) => u32::try_from(mode).map(Some).map_err(|_| BadWeave::Value { at: from.at }),
    }
}

fn path(from: &mut In<'_>) -> Read<FilePath> {
    FilePath::new(from.bytes()?).map_err(|_| BadWeave::Value { at: from.at })
}

fn register<T>(from: &mut In<'_>, known: &Known, value: impl Fn(&mut In<'_>) -> Read<T>) -> Read<Register<T>> {
    let base = value(from)?;
    let base_revision = RevisionNo(from.small()?);
    let next = from.small()?;
    let entries =
        from.list(3, |from| Ok(Entry { number: from.small()?, value: value(from)?, mark: mark(from, known)? }))?;
    let is_growing = entries.is_sorted_by(|a, b| a.number < b.number && a.mark.revision <= b.mark.revision);
    let is_held = |entry: &Entry<T>| entry.number < next && entry.mark.revision > base_revision;
    from.check(is_growing && base_revision.0 < known.next_revision && entries.iter().all(is_held))?;
    Ok(Register { base, base_revision, entries, next })
}

fn verdict(from: &In<'_>, byte: u64) -> Read<Verdict> {
    match byte {
        0 => Ok(Verdict::Open),
        1 => Ok(Verdict::Approved),
        2 => Ok(Verdict::Rejected),
        _ => Err(BadWeave::Value { at: from.at }),
    }
}

fn mark(from: &mut In<'_>, known: &Known) -> Read<Mark> {
    let number = from.number()?;
    let revision = u32::try_from(number / 3).map_err(|_| BadWeave::Value { at: from.at })?;
    let mark = Mark { verdict: verdict(from, number % 3)?, ..Mark::by(RevisionNo(revision)) };
    let is_base = mark.revision == RevisionNo::BASE && mark.verdict == Verdict::Open;
    from.check(is_base || known.revisions.contains(&mark.revision))?;
    Ok(mark)
}

fn deletion(from: &mut In<'_>, known: &Known) -> Read<Mark> {
    let mark = mark(from, known)?;
    let made = mark.revision.0.checked_add(from.small()?).filter(|made| *made < known.next_revision);
    Ok(Mark { made: RevisionNo(made.ok_or(BadWeave::Value { at: from.at })?), ..mark })
}

fn line(from: &mut In<'_>, known: &Known, previous: u64, next_line: u64) -> Read<Line> {
    let flags = from.byte()?;
    let (open, is_deleted) = (flags / 2, flags % 2 == 1);
    let id = LineId(previous.wrapping_add(from.signed()?.cast_unsigned()));
    let inserted = mark(from, known)?;
    let deleted = if is_deleted { from.list(2, |from| deletion(from, known))? } else { Vec::new() };
    let by: HashSet<RevisionNo> = deleted.iter().map(|mark| mark.revision).collect();
    let text = from.bytes()?;
    let ends = text.iter().position(|byte| *byte == b'\n') == text.len().checked_sub(1) && !text.is_empty();
    let bare = text.len().saturating_sub(usize::from(open));
    let opens = match open {
        0 => true,
        1 => bare > 0,
        2 => bare > 0 && text.ends_with(b"\r\n"),
        _ => false,
    };
    let is_marked = by.len() == deleted.len() && !by.contains(&RevisionNo::BASE) && is_deleted != deleted.is_empty();
    from.check(ends && opens && is_marked && id.0 < next_line)?;
    Ok(Line { id, text: text.into(), open, inserted, deleted })
}

fn standing(from: &In<'_>, byte: u8) -> Read<Standing> {
    match byte {
        0 => Ok(Standing::Pending),
        1 => Ok(Standing::Approved),
        2 => Ok(Standing::Rejected),
        _ => Err(BadWeave::Value { at: from.at }),
    }
}

fn decision(from: &mut In<'_>) -> Read<Decision> {
    let no = DecisionNo(from.small()?);
    let time = Wall(from.signed()?);
    let kind = match from.byte()? {
        3 => DecisionKind::Undid(DecisionNo(from.small()?)),
        byte => DecisionKind::Decided(standing(from, byte)?),
    };
    let undone_by = match from.small()? {
        0 => None,
        by => Some(DecisionNo(by)),
    };
    let changes = from.list(2, change)?;
    Ok(Decision { no, time, kind, changes, undone_by })
}

fn change(from: &mut In<'_>) -> Read<Change> {
    let byte = from.byte()?;
    let mark = match byte / 9 {
        0 => MarkRef::Inserted(LineId(from.number()?)),
        1 => MarkRef::Deleted(LineId(from.number()?), RevisionNo(from.small()?)),
        2 => MarkRef::Body(from.small()?),
        3 => MarkRef::Mode(from.small()?),
        4 => MarkRef::Path(from.small()?),
        _ => return Err(BadWeave::Value { at: from.at }),
    };
    let verdicts = u64::from(byte % 9);
    Ok(Change { mark, from: verdict(from, verdicts / 3)?, to: verdict(from, verdicts % 3)? })
}
