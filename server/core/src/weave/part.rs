//! What a commit takes of a file: of what was approved, the changes of one logical change, on top of what the commit
//! before holds. Every line is judged by its own marks, so what waits, and what belongs to somebody else's change, stays
//! out; a line that no mark knows stays as the commit before has it.
//!
//! Two things are taken along, and told. Where a chosen line was replaced by another author since, there is no state of the
//! file with the chosen line in it that anybody has approved, so the replacement goes with it. And where a chosen change
//! replaced a line that nobody was seen to write, what the commit has in its place goes, too.
//!
//! Which of the file's lines the commit before has is known where it was made here; otherwise they are found by their text.
//!
//! Lines that lay changed before anybody looked stand in for those that the commit has there: what is chosen gets its place
//! among the commit's lines by them, each for its share.
//!
//! What a commit has got that waits for a decision again stays in it; what was rejected since goes out.

mod found;
mod held;

use std::collections::BTreeSet;
use std::ops::Range;

pub use self::held::HeldLines;

use self::found::{Odds, Search};
use super::line::{Line, last_terminated};
use super::register::{Kind, Register};
use super::{LineId, Mark, MarkRef, Revision, RevisionNo, Verdict, Weave};
use crate::diff;
use crate::file::{Body, FilePath, FileState};

/// Which of the approved changes are wanted.
pub type Chosen<'a> = &'a dyn Fn(MarkRef, &Revision) -> bool;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    pub state: FileState,
    /// Which lines it has; `None` where it is no text, or has lines that no mark knows.
    pub lines: Option<HeldLines>,
    /// Revisions that were not chosen, and of which something was taken along.
    pub along: Vec<RevisionNo>,
}

/// A line of a commit.
#[derive(Clone, Copy)]
struct Out<'a> {
    text: &'a [u8],
    /// How many bytes of its terminator are left out at the end of a file.
    open: u8,
    /// `None` where no mark knows it.
    id: Option<LineId>,
}

impl<'a> From<&'a Line> for Out<'a> {
    fn from(line: &'a Line) -> Self {
        Self { text: &line.text, open: line.open, id: Some(line.id) }
    }
}

struct Wanted<'a> {
    weave: &'a Weave,
    waiting: BTreeSet<RevisionNo>,
    /// Without a choice, all that is approved, and what lay there before anybody was seen.
    chosen: Option<Chosen<'a>>,
    /// The chosen change that brought the file back after it had gone, where the commit before does not have it.
    brought_back: Option<RevisionNo>,
}

impl Wanted<'_> {
    fn judge(&self, mark: Mark) -> Verdict {
        if mark.verdict == Verdict::Open && self.waiting.contains(&mark.revision) {
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
    /// that is approved is. `held` are the lines that `before` has, as far as that is known.
    #[must_use]
    pub fn part(&self, before: &FileState, held: Option<&HeldLines>, chosen: Option<Chosen<'_>>) -> Part {
        let approved = self.without_pending();
        let waiting = self.revisions.iter().filter(|revision| revision.held).map(|revision| revision.no).collect();
        let mut wanted = Wanted { weave: self, waiting, chosen, brought_back: None };
        // Everything of a file that the commit does not know yet is what is approved of it.
        if chosen.is_none() && before.body == Body::Absent {
            return Part { state: approved, lines: None, along: Vec::new() };
        }
        if before.body != Body::Absent && wanted.is_unmade(&self.body) {
            return Part {
                state: FileState { path: before.path.clone(), body: Body::Absent, mode: 0 },
                lines: None,
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
        let (mut lines, mut along) = (None, Vec::new());
        let (body, has_mode) = match (&kind, &approved.body) {
            (Kind::Text | Kind::Absent, Body::Text(_)) => {
                let (text, ids, taken) = wanted.text(text, held);
                (lines, along) = (ids, taken);
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
        // Without a choice a bit that was set before anybody looked goes, too, as lines do.
        let is_new = before.body == Body::Absent || (chosen.is_none() && approved.body != Body::Absent);
        let was = if is_new { approved.mode } else { before.mode };
        let mode = if has_mode { mode.unwrap_or(was) } else { 0 };
        Part { state: FileState { path: path.clone(), body, mode }, lines, along }
    }
}

impl<'w> Wanted<'w> {
    fn text(&self, before: &[u8], held: Option<&HeldLines>) -> (Vec<u8>, Option<HeldLines>, Vec<RevisionNo>) {
        let lines = &self.weave.lines;
        let mut old = diff::split_lines(before);
        let last = last_terminated(&old, lines.iter().rfind(|line| self.is_visible(line)));
        let mut open = 0;
        if let Some((text, left_out)) = &last {
            old.pop();
            old.push(text);
            open = *left_out;
        }
        let open = |at: usize| if at + 1 == old.len() { open } else { 0 };
        let old: Vec<Out<'_>> =
            old.iter().enumerate().map(|(at, text)| Out { text, open: open(at), id: None }).collect();
        let kept = held.and_then(|held| self.kept_as_known(&old, held)).unwrap_or_else(|| self.kept(&old));
        let mut out: Vec<Out<'_>> = Vec::new();
        let mut along = BTreeSet::new();
        let (mut at_old, mut begin) = (0, 0);
        let stays = |at: usize| kept[at].filter(|_| self.is_visible(&lines[at]));
        let ends = (0..lines.len()).filter_map(|at| stays(at).map(|old| (at, old)));
        for (end, until) in ends.chain([(lines.len(), old.len())]) {
            let is_changed = at_old < until || lines[begin..end].iter().any(|line| self.is_visible(line));
            if is_changed {
                self.place(&old, at_old..until, begin..end, &kept, &mut out, &mut along);
            }
            if let Some(line) = lines.get(end) {
                out.push(line.into());
            }
            (at_old, begin) = (until + 1, end + 1);
        }
        let mut text: Vec<u8> = out.iter().flat_map(|line| line.text.iter().copied()).collect();
        text.truncate(text.len() - out.last().map_or(0, |line| usize::from(line.open)));
        let ids = out.iter().map(|line| line.id).collect::<Option<Vec<LineId>>>();
        (text, ids.and_then(|ids| HeldLines::new(&ids)), along.into_iter().collect())
    }

    /// Whether a line that ever was may be one of the commit before, going by how the file ends.
    fn may_be(&self, old: &[Out<'_>], at: usize, line: &Line) -> bool {
        at + 1 < old.len() || line.open == old[at].open || !self.is_visible(line)
    }

    /// The same where the lines are known, if that is still so: the commit may have been rewritten since.
    fn kept_as_known(&self, old: &[Out<'_>], held: &HeldLines) -> Option<Vec<Option<usize>>> {
        let mut ids = held.ids().peekable();
        let mut at = 0;
        let mut kept = Vec::with_capacity(self.weave.lines.len());
        for line in &self.weave.lines {
            let is_held = ids.next_if_eq(&line.id).is_some();
            if is_held && old.get(at).is_none_or(|old| *old.text != *line.text) {
                return None;
            }
            // One that ends the file otherwise now is another line.
            kept.push((is_held && self.may_be(old, at, line)).then_some(at));
            at += usize::from(is_held);
        }
        (ids.next().is_none() && at == old.len()).then_some(kept)
    }

    /// For each line that ever was, which line of the commit before it is. Lines are compared with their terminators; one
    /// that ends the file otherwise than before is another line.
    fn kept(&self, old: &[Out<'_>]) -> Vec<Option<usize>> {
        let lines = &self.weave.lines;
        let texts: Vec<&[u8]> = old.iter().map(|line| line.text).collect();
        let all: Vec<&[u8]> = lines.iter().map(|line| &*line.text).collect();
        let odds: Vec<Odds> = lines.iter().map(|line| self.odds(line)).collect();
        let may_be = |at: usize, line: usize| self.may_be(old, at, &lines[line]);
        Search { old: &texts, lines: &all, odds: &odds, may_be: &may_be }.found()
    }

    fn odds(&self, line: &Line) -> Odds {
        let mut standing = line.deleted.iter().filter(|mark| self.judge(**mark) != Verdict::Rejected);
        let gone = standing.next().map(|mark| mark.revision);
        let inserted = line.inserted.revision;
        let is_base = inserted == RevisionNo::BASE;
        // How much older a change is than the newest.
        let newest = self.weave.revisions.last().map_or(RevisionNo::BASE, |revision| revision.no);
        let age = |by: RevisionNo| newest.0.saturating_sub(by.0);
        match gone {
            Some(by) if is_base => Odds { by: Some((by, false)), age: ages(0, age(by)), ..Odds::default() },
            // What waits, or was rejected, could have been committed before it did.
            None if is_base && !line.deleted.is_empty() => Odds { outside: 2, ..Odds::default() },
            None if is_base => Odds { outside: 50, ..Odds::default() },
            Some(_) | None if self.judge(line.inserted) == Verdict::Rejected => Odds { inside: 2, ..Odds::default() },
            None => Odds { by: Some((inserted, true)), age: ages(age(inserted), 0), ..Odds::default() },
            Some(by) => Odds { age: ages(0, age(by)), ..Odds::default() },
        }
    }

    /// One place where the file differs: lines that the commit before has, and the weave's lines that stand there.
    fn place<'t>(
        &self,
        old: &[Out<'t>],
        differs: Range<usize>,
        slice: Range<usize>,
        kept: &[Option<usize>],
        out: &mut Vec<Out<'t>>,
        along: &mut BTreeSet<RevisionNo>,
    ) where
        'w: 't,
    {
        let weave: &'w Weave = self.weave;
        let (here, kept) = (&weave.lines[slice.clone()], &kept[slice]);
        let with = self.replacing(here, kept);
        along.extend(&with);
        let is_chosen = |place, mark: Mark| {
            self.is_chosen(place, mark) || (with.contains(&mark.revision) && self.judge(mark) != Verdict::Rejected)
        };
        let is_deleted = |line: &Line| line.deleted.iter().any(|mark| is_chosen(line.deleted_ref(*mark), *mark));
        let mut at_old = differs.start;
        let mut begin = 0;
        let ends: Vec<(usize, Option<usize>)> =
            kept.iter().copied().enumerate().filter(|(_, kept)| kept.is_some()).collect();
        for (end, at) in ends.into_iter().chain([(here.len(), None)]) {
            let unknown = &old[at_old..at.unwrap_or(differs.end)];
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
                    out.push(line.into());
                }
            }
            out.extend(gap.left());
            let (Some(at), Some(line)) = (at, here.get(end)) else { break };
            let is_rejected =
                line.inserted.verdict == Verdict::Rejected && self.is_of_chosen(line.inserted_ref(), line.inserted);
            if !is_deleted(line) && !is_rejected {
                out.push(line.into());
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

fn ages(outside: u32, inside: u32) -> [u32; 2] {
    let mut ages = [0; 2];
    (ages[found::OUT], ages[found::IN]) = (outside, inside);
    ages
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
