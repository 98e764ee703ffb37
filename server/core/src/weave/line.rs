//! A line of the weave. Its text always ends in a terminator, also where the file it came from ended without one: then
//! the line is *open*, and its terminator is left out while it is the last visible line. So whoever adds lines below
//! leaves it as it was, and whoever takes them out again gets the bare ending back.

use super::{Judge, LineId, Mark, MarkRef, Verdict};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) id: LineId,
    /// With its terminator.
    pub(super) text: Box<[u8]>,
    /// How many bytes of the terminator are left out at the end of the file: 0, 1 or 2.
    pub(super) open: u8,
    pub(super) inserted: Mark,
    pub(super) deleted: Vec<Mark>,
}

impl Line {
    pub(super) fn inserted_ref(&self) -> MarkRef {
        MarkRef::Inserted(self.id)
    }

    pub(super) fn deleted_ref(&self, mark: Mark) -> MarkRef {
        MarkRef::Deleted(self.id, mark.revision)
    }

    pub(super) fn is_visible(&self, judge: Judge<'_>) -> bool {
        judge(self.inserted_ref(), self.inserted) != Verdict::Rejected
            && self.deleted.iter().all(|mark| judge(self.deleted_ref(*mark), *mark) == Verdict::Rejected)
    }

    /// The text as it is at the end of a file.
    pub(super) fn bare(&self) -> &[u8] {
        &self.text[..self.text.len() - usize::from(self.open)]
    }
}

/// The lines of some content with their terminators, and how many bytes of the last one's are not in the content.
pub(super) struct Terminated<'a> {
    pub(super) lines: Vec<&'a [u8]>,
    pub(super) open: u8,
}

/// The last line with the terminator it would have. It is the one of the line before it, or, so that an unchanged last
/// line stays the same line, the one that the `known` line has with which the file ended until now.
pub(super) fn last_terminated(lines: &[&[u8]], known: Option<&Line>) -> Option<(Vec<u8>, u8)> {
    let (last, before) = lines.split_last()?;
    if last.ends_with(b"\n") {
        return None;
    }
    if let Some(known) = known
        && known.open > 0
        && known.bare() == *last
    {
        return Some((known.text.to_vec(), known.open));
    }
    let terminator: &[u8] = if before.last().is_some_and(|line| line.ends_with(b"\r\n")) { b"\r\n" } else { b"\n" };
    Some(([last, terminator].concat(), if terminator.len() == 2 { 2 } else { 1 }))
}
