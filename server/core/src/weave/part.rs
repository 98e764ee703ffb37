//! What a commit takes of a file: of what was approved, the changes of one logical change, on top of what the commit
//! before holds. Every line is judged by its own marks, so what waits, and what belongs to somebody else's change, stays
//! out; a line that no mark knows stays as the commit before has it.
//!
//! Two things are taken along, and told. Where a chosen line was replaced by another author since, there is no state of the
//! file with the chosen line in it that anybody has approved, so the replacement goes with it. And where a chosen change
//! replaced a line that nobody was seen to write, what the commit has in its place goes, too.
//!
//! Lines that lay changed before anybody looked stand in for those that the commit has there: what is chosen gets its place
//! among the commit's lines by them, each for its share.
//!
//! What a commit has got that waits for a decision again stays in it; what was rejected since goes out.

use std::collections::BTreeSet;

use super::line::{Line, last_terminated};
use super::register::{Kind, Register};
use super::{Mark, MarkRef, Revision, RevisionNo, Verdict, Weave};
use crate::diff;
use crate::file::{Body, FilePath, FileState};

/// Which of the approved changes are wanted.
pub type Chosen<'a> = &'a dyn Fn(MarkRef, &Revision) -> bool;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    pub state: FileState,
    /// Revisions that were not chosen, and of which something was taken along.
    pub along: Vec<RevisionNo>,
}

/// A line of the result, with how many bytes of its terminator are left out at the end of a file.
type Out<'a> = (&'a [u8], u8);

struct Wanted<'a> {
    weave: &'a Weave,
    held: BTreeSet<RevisionNo>,
    /// Without a choice, all that is approved, and what lay there before anybody was seen.
    chosen: Option<Chosen<'a>>,
    /// The chosen change that brought the file back after it had gone, where the commit before does not have it.
    brought_back: Option<RevisionNo>,
}

impl Wanted<'_> {
    fn judge(&self, mark: Mark) -> Verdict {
        if mark.verdict == Verdict::Open && self.held.contains(&mark.revision) {
            Verdict::Rejected
        } else {
            mark.verdict
        }
    }

    fn is_chosen(&self, place: MarkRef, mark: Mark) -> bool {
        self.judge(mark) != Verdict::Rejected && (self.is_of_chosen(place, mark) || self.came_back(place, mark))
    }

    /// A line from before the file had gone: whoever brought it back has written it again.
    fn came_back(&self, place: MarkRef, mark: Mark) -> bool {
        matches!(place, MarkRef::Inserted(_)) && self.brought_back.is_some_and(|by| mark.revision < by)
    }

    /// The chosen change by which there is a file again where there was none.
    fn brings_back(&self, body: &Register<Kind>) -> Option<RevisionNo> {
        let mut standing = body.entries.iter().rev().filter(|entry| self.judge(entry.mark) != Verdict::Rejected);
        let now = standing.next().filter(|entry| entry.value != Kind::Absent)?;
        let had_gone = standing.next().map_or(&body.base, |entry| &entry.value) == &Kind::Absent;
        (had_gone && self.is_chosen(MarkRef::Body(now.number), now.mark)).then_some(now.mark.revision)
    }

    /// There was no file, and whatever made one of it was rejected, chosen changes among it. What waits again is not.
    fn is_unmade(&self, body: &Register<Kind>) -> bool {
        let makes: Vec<_> = body.entries.iter().filter(|entry| entry.value != Kind::Absent).collect();
        let is_chosen = makes.iter().any(|entry| self.is_of_chosen(MarkRef::Body(entry.number), entry.mark));
        body.base == Kind::Absent && is_chosen && makes.iter().all(|entry| entry.mark.verdict == Verdict::Rejected)
    }

    /// Whatever was decided about it.
    fn is_of_chosen(&self, place: MarkRef, mark: Mark) -> bool {
        let Some(chosen) = self.chosen else { return true };
        self.weave.revision(mark.revision).is_some_and(|revision| chosen(place, revision))
    }

    fn is_visible(&self, line: &Line) -> bool {
        line.is_visible(&|_, mark| self.judge(mark))
    }

    /// The value of a register that was approved, if whoever set it is chosen.
    fn register<'r, T>(&self, register: &'r Register<T>, place: impl Fn(u32) -> MarkRef) -> Option<&'r T> {
        let standing = register.entries.iter().rev().find(|entry| self.judge(entry.mark) != Verdict::Rejected)?;
        self.is_chosen(place(standing.number), standing.mark).then_some(&standing.value)
    }
}

impl Weave {
    /// What becomes of the file as a commit has it, `before`, when the chosen changes are committed. Without a choice all
    /// that is approved is.
    #[must_use]
    pub fn part(&self, before: &FileState, chosen: Option<Chosen<'_>>) -> Part {
        let approved = self.without_pending();
        let held = self.revisions.iter().filter(|revision| revision.held).map(|revision| revision.no).collect();
        let mut wanted = Wanted { weave: self, held, chosen, brought_back: None };
        // Everything of a file that the commit does not know yet is what is approved of it.
        if chosen.is_none() && before.body == Body::Absent {
            return Part { state: approved, along: Vec::new() };
        }
        if before.body != Body::Absent && wanted.is_unmade(&self.body) {
            return Part {
                state: FileState { path: before.path.clone(), body: Body::Absent, mode: 0 },
                along: Vec::new(),
            };
        }
        if before.body == Body::Absent {
            wanted.brought_back = wanted.brings_back(&self.body);
        }
        let path: &FilePath = wanted.register(&self.path, MarkRef::Path).unwrap_or(&before.path);
        let mode = wanted.register(&self.mode, MarkRef::Mode).copied().flatten();
        let kind = wanted.register(&self.body, MarkRef::Body).cloned().unwrap_or_else(|| Kind::of(&before.body));
        let empty = Vec::new();
        let text = match &before.body {
            Body::Text(text) => text,
            Body::Absent | Body::Whole { .. } | Body::Link(_) | Body::Large { .. } | Body::Special => &empty,
        };
        let mut along = Vec::new();
        let (body, has_mode) = match (&kind, &approved.body) {
            (Kind::Text | Kind::Absent, Body::Text(_)) => {
                let (text, taken) = wanted.text(text);
                along = taken;
                // A file of which no line is chosen is not made by the way.
                let stays_away = kind == Kind::Absent && text.is_empty();
                (if stays_away { Body::Absent } else { Body::Text(text) }, !stays_away)
            }
            (Kind::Absent, _) => (Body::Absent, false),
            // It has become something else by a change that is not chosen.
            (Kind::Text, _) => (before.body.clone(), true),
            (Kind::Whole { hash, length }, _) => (Body::Whole { hash: *hash, length: *length }, true),
            (Kind::Link(target), _) => (Body::Link(target.clone()), false),
            (Kind::Large { length, changed_ns }, _) => (Body::Large { length: *length, changed_ns: *changed_ns }, true),
            (Kind::Special, _) => (Body::Special, false),
        };
        let was = if before.body == Body::Absent { approved.mode } else { before.mode };
        let mode = if has_mode { mode.unwrap_or(was) } else { 0 };
        Part { state: FileState { path: path.clone(), body, mode }, along }
    }
}

impl<'w> Wanted<'w> {
    fn text(&self, before: &[u8]) -> (Vec<u8>, Vec<RevisionNo>) {
        let lines = &self.weave.lines;
        let visible: Vec<usize> = (0..lines.len()).filter(|at| self.is_visible(&lines[*at])).collect();
        let mut old = diff::split_lines(before);
        let last = last_terminated(&old, visible.last().map(|at| &lines[*at]));
        let mut open = 0;
        if let Some((text, left_out)) = &last {
            old.pop();
            old.push(text);
            open = *left_out;
        }
        let old: Vec<Out<'_>> =
            old.iter().enumerate().map(|(at, text)| (*text, if at + 1 == old.len() { open } else { 0 })).collect();
        let texts: Vec<&[u8]> = old.iter().map(|(text, _)| *text).collect();
        let new: Vec<&[u8]> = visible.iter().map(|at| &*lines[*at].text).collect();
        let mut out: Vec<Out<'_>> = Vec::new();
        let mut along = BTreeSet::new();
        let (mut at_old, mut at_new) = (0, 0);
        for edit in self.edits(&texts, &new, &old, &visible) {
            let (from, to) = (edit.before.start as usize, edit.after.start as usize);
            debug_assert_eq!(from - at_old, to - at_new);
            out.extend(visible[at_new..to].iter().map(|at| (&*lines[*at].text, lines[*at].open)));
            (at_old, at_new) = (edit.before.end as usize, edit.after.end as usize);
            let slice =
                to.checked_sub(1).map_or(0, |at| visible[at] + 1)..visible.get(at_new).copied().unwrap_or(lines.len());
            self.place(&old[from..at_old], slice, &mut out, &mut along);
        }
        out.extend(visible[at_new..].iter().map(|at| (&*lines[*at].text, lines[*at].open)));
        let mut text: Vec<u8> = out.iter().flat_map(|(line, _)| line.iter().copied()).collect();
        text.truncate(text.len() - out.last().map_or(0, |(_, open)| usize::from(*open)));
        (text, along.into_iter().collect())
    }

    /// Lines are compared with their terminators; one that ends the file otherwise than before is another line.
    fn edits(&self, before: &[&[u8]], after: &[&[u8]], old: &[Out<'_>], visible: &[usize]) -> Vec<diff::Edit> {
        let mut edits = diff::lines(before, after);
        let (all_old, all_new) = (length(before), length(after));
        let tail = edits.last().filter(|edit| edit.before.end == all_old).cloned();
        if all_old == 0 || tail.as_ref().is_some_and(|edit| !edit.before.is_empty()) {
            return edits;
        }
        // The new line that the old last line is: it stands right before what was added at the end, if anything was.
        let kept = tail.as_ref().map_or(all_new, |edit| edit.after.start);
        let Some(kept) = kept.checked_sub(1) else { return edits };
        if self.weave.lines[visible[kept as usize]].open != old[old.len() - 1].1 {
            let end = tail.map_or(kept + 1, |edit| edit.after.end);
            edits.retain(|edit| edit.before.end != all_old || edit.after.end != end);
            edits.push(diff::Edit { before: all_old - 1..all_old, after: kept..end });
        }
        edits
    }

    /// One place where the file differs: lines that the commit before has, and the weave's lines that stand there.
    fn place<'t>(
        &self,
        old: &[Out<'t>],
        slice: std::ops::Range<usize>,
        out: &mut Vec<Out<'t>>,
        along: &mut BTreeSet<RevisionNo>,
    ) where
        'w: 't,
    {
        let weave: &'w Weave = self.weave;
        let here = &weave.lines[slice];
        let kept = self.kept_here(old, here);
        let with = self.replacing(here, &kept);
        along.extend(&with);
        let is_chosen = |place, mark: Mark| {
            self.is_chosen(place, mark) || (with.contains(&mark.revision) && self.judge(mark) != Verdict::Rejected)
        };
        let is_deleted = |line: &Line| line.deleted.iter().any(|mark| is_chosen(line.deleted_ref(*mark), *mark));
        let mut at_old = 0;
        let mut begin = 0;
        let ends: Vec<(usize, Option<usize>)> =
            kept.iter().copied().enumerate().filter(|(_, kept)| kept.is_some()).collect();
        for (end, at) in ends.into_iter().chain([(here.len(), None)]) {
            let unknown = &old[at_old..at.unwrap_or(old.len())];
            let mut gap = Gap::new(&here[begin..end], if self.chosen.is_none() { &[] } else { unknown });
            for line in &here[begin..end] {
                if let Some(share) = gap.share_of(line) {
                    if !is_deleted(line) {
                        out.extend(share);
                    } else if !share.is_empty() {
                        along.insert(RevisionNo::BASE);
                    }
                }
                if self.is_visible(line) && self.is_wanted(line, &is_chosen) {
                    out.push((&line.text, line.open));
                }
            }
            out.extend(gap.left());
            let (Some(at), Some(line)) = (at, here.get(end)) else { break };
            let is_rejected =
                line.inserted.verdict == Verdict::Rejected && self.is_of_chosen(line.inserted_ref(), line.inserted);
            if !is_deleted(line) && !is_rejected {
                out.push((&line.text, line.open));
            }
            at_old = at + 1;
            begin = end + 1;
        }
    }

    /// Whether a visible line that the commit does not have shall be in it: a chosen change inserted it, or took it out of the
    /// commit and was rejected since.
    fn is_wanted(&self, line: &Line, is_chosen: &dyn Fn(MarkRef, Mark) -> bool) -> bool {
        if is_chosen(line.inserted_ref(), line.inserted) {
            return true;
        }
        let comes_back =
            |mark: &Mark| mark.verdict == Verdict::Rejected && self.is_of_chosen(line.deleted_ref(*mark), *mark);
        line.inserted.revision != RevisionNo::BASE && line.deleted.iter().any(comes_back)
    }

    /// For each of the weave's lines here, which line of the commit before it is. A line that is approved and there is
    /// none of them, since the texts differ here.
    fn kept_here(&self, old: &[Out<'_>], here: &[Line]) -> Vec<Option<usize>> {
        let hidden: Vec<usize> = (0..here.len()).filter(|at| !self.is_visible(&here[*at])).collect();
        let before: Vec<&[u8]> = old.iter().map(|(text, _)| *text).collect();
        let after: Vec<&[u8]> = hidden.iter().map(|at| &*here[*at].text).collect();
        let mut kept = vec![None; here.len()];
        let (mut at_old, mut at_new) = (0, 0);
        let end = diff::Edit { before: length(&before)..length(&before), after: length(&after)..length(&after) };
        for edit in diff::lines(&before, &after).into_iter().chain([end]) {
            let equal = (edit.before.start as usize) - at_old;
            for step in 0..equal {
                kept[hidden[at_new + step]] = Some(at_old + step);
            }
            (at_old, at_new) = (edit.before.end as usize, edit.after.end as usize);
        }
        kept
    }

    /// The revisions that have replaced chosen lines here before any commit had them.
    fn replacing(&self, here: &[Line], kept: &[Option<usize>]) -> BTreeSet<RevisionNo> {
        let mut with = BTreeSet::new();
        loop {
            let known = with.len();
            for (line, kept) in here.iter().zip(kept) {
                let is_in =
                    with.contains(&line.inserted.revision) || self.is_chosen(line.inserted_ref(), line.inserted);
                if kept.is_some() || !is_in || self.judge(line.inserted) == Verdict::Rejected {
                    continue;
                }
                let others = line.deleted.iter().filter(|mark| {
                    self.judge(**mark) != Verdict::Rejected && !self.is_chosen(line.deleted_ref(**mark), **mark)
                });
                with.extend(others.map(|mark| mark.revision).filter(|revision| *revision != RevisionNo::BASE));
            }
            if with.len() == known {
                return with;
            }
        }
    }
}

/// Lines of the commit that no mark knows, between two that are known, and the weave's lines that stand in for them: those
/// that lay there before anybody looked.
struct Gap<'a, 't> {
    unknown: &'a [Out<'t>],
    stand_ins: usize,
    passed: usize,
}

impl<'a, 't> Gap<'a, 't> {
    fn new(lines: &[Line], unknown: &'a [Out<'t>]) -> Self {
        Self { unknown, stand_ins: lines.iter().filter(|line| Self::stands_in(line)).count(), passed: 0 }
    }

    fn stands_in(line: &Line) -> bool {
        line.inserted.revision == RevisionNo::BASE
    }

    /// The commit's lines that a line stands in for, if it does for any; each is given once, in order.
    fn share_of(&mut self, line: &Line) -> Option<&'a [Out<'t>]> {
        if !Self::stands_in(line) {
            return None;
        }
        let from = self.unknown.len() * self.passed / self.stand_ins;
        self.passed += 1;
        Some(&self.unknown[from..self.unknown.len() * self.passed / self.stand_ins])
    }

    /// What nothing stands in for.
    fn left(&self) -> &'a [Out<'t>] {
        if self.stand_ins == 0 { self.unknown } else { &[] }
    }
}

fn length(lines: &[&[u8]]) -> u32 {
    u32::try_from(lines.len()).unwrap_or(u32::MAX)
}
