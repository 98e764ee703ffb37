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
//! What a commit has got that waits for a decision again stays in it; what was rejected since goes out, and what it took
//! away comes back. That a commit took it away, and did not lack it from the start, is known by the file as it was when the
//! prompt began.

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

/// What counts again since a change was rejected that the commit before has.
#[derive(Default)]
struct Returned<'a> {
    path: Option<&'a FilePath>,
    mode: Option<u32>,
    kind: Option<&'a Kind>,
}

struct Wanted<'a> {
    weave: &'a Weave,
    waiting: BTreeSet<RevisionNo>,
    /// Without a choice, all that is approved, and what lay there before anybody was seen.
    chosen: Option<Chosen<'a>>,
    /// The chosen change that brought the file back after it had gone, where the commit before does not have it.
    brought_back: Option<RevisionNo>,
    /// Lines from before anybody was seen that a chosen change took out of the commit, and that are there again since it
    /// was rejected.
    returning: BTreeSet<LineId>,
}

impl<'w> Wanted<'w> {
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

    /// The value that counts again since the chosen change was rejected by which the commit before has another one, where
    /// the file began with it.
    fn returned<'r, T>(
        &self,
        register: &'r Register<T>,
        place: impl Fn(u32) -> MarkRef,
        is_before: impl Fn(&T) -> bool,
        is_began: impl Fn(&T) -> bool,
    ) -> Option<&'r T> {
        let (now, _) = register.standing(|_, mark| self.judge(mark));
        let is_rejected = register.entries.iter().any(|entry| {
            entry.mark.verdict == Verdict::Rejected
                && is_before(&entry.value)
                && self.is_of_chosen(place(entry.number), entry.mark)
        });
        (is_rejected && is_began(now) && !is_before(now)).then_some(now)
    }

    /// What counts again of everything but the lines.
    fn returned_of(&self, before: &FileState, began: &FileState) -> Returned<'w> {
        let weave: &'w Weave = self.weave;
        let is_executable = |mode: &Option<u32>| mode.is_some_and(|mode| mode & 0o100 != 0);
        let has_bit = |state: &FileState| is_executable(&Some(state.mode));
        let is = |state: &FileState| Kind::of(&state.body);
        Returned {
            path: self.returned(&weave.path, MarkRef::Path, |path| *path == before.path, |path| *path == began.path),
            mode: self
                .returned(
                    &weave.mode,
                    MarkRef::Mode,
                    |mode| is_executable(mode) == has_bit(before),
                    |mode| is_executable(mode) == has_bit(began),
                )
                .copied()
                .flatten(),
            kind: self.returned(&weave.body, MarkRef::Body, |kind| *kind == is(before), |kind| *kind == is(began)),
        }
    }

    /// Whether the commit lost the file by a chosen change that was rejected since.
    fn is_unmaking_rejected(&self, began: &FileState) -> bool {
        let gone = FileState { path: began.path.clone(), body: Body::Absent, mode: 0 };
        self.returned_of(&gone, began).kind.is_some()
    }

    /// The file has another name by a chosen change, and has always been there: where the commit has it under none, somebody
    /// else has committed what lies under the name that it had.
    fn has_moved_on(&self) -> bool {
        self.weave.body.entries.is_empty() && self.register(&self.weave.path, MarkRef::Path).is_some()
    }

    /// A line that waits again after it was committed, and that its author has taken out by this mark: on disk it is as if it
    /// had never been, so nobody is asked about it.
    fn is_withdrawn(&self, line: &Line, mark: Mark) -> bool {
        let author = |mark: Mark| self.weave.revision(mark.revision).map(|revision| &revision.author);
        let waits = line.inserted.verdict == Verdict::Open && self.waiting.contains(&line.inserted.revision);
        waits
            && mark.verdict != Verdict::Rejected
            && author(mark) == author(line.inserted)
            && self.is_of_chosen(line.deleted_ref(mark), mark)
    }

    /// A deletion of the line that was chosen, and was rejected.
    fn comes_back(&self, line: &Line) -> bool {
        line.deleted
            .iter()
            .any(|mark| mark.verdict == Verdict::Rejected && self.is_of_chosen(line.deleted_ref(*mark), *mark))
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
        self.part_since(before, held, None, chosen)
    }

    /// Whether it may matter how the file was committed when a prompt began: something that is there was taken away by a
    /// change that was rejected, which a commit that has the change is to give back; or the file has another name.
    #[must_use]
    pub fn may_return(&self) -> bool {
        let is_rejected = |mark: &Mark| mark.verdict == Verdict::Rejected;
        self.lines.iter().any(|line| line.deleted.iter().any(is_rejected))
            || !self.path.entries.is_empty()
            || self.mode.entries.iter().any(|entry| is_rejected(&entry.mark))
            || self.body.entries.iter().any(|entry| is_rejected(&entry.mark))
    }

    /// The same, where the file is known as the prompt began with it, `began`.
    #[must_use]
    pub fn part_since(
        &self,
        before: &FileState,
        held: Option<&HeldLines>,
        began: Option<&FileState>,
        chosen: Option<Chosen<'_>>,
    ) -> Part {
        let approved = self.without_pending();
        let waiting = self.revisions.iter().filter(|revision| revision.held).map(|revision| revision.no).collect();
        let mut wanted = Wanted { weave: self, waiting, chosen, brought_back: None, returning: BTreeSet::new() };
        let is_lost = |began: &&FileState| {
            let has_moved_on = wanted.has_moved_on() && approved.body != Body::Absent && began.body != Body::Absent;
            before.body == Body::Absent && (wanted.is_unmaking_rejected(began) || has_moved_on)
        };
        if let Some(began) = began.filter(is_lost) {
            // What was in the commit is there again as it was, with what is chosen since.
            return self.part_since(began, None, None, chosen);
        }
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
        let returned = began.map(|began| wanted.returned_of(before, began)).unwrap_or_default();
        let path: &FilePath = wanted.register(&self.path, MarkRef::Path).or(returned.path).unwrap_or(&before.path);
        let mode = wanted.register(&self.mode, MarkRef::Mode).copied().flatten().or(returned.mode);
        let kind = wanted.register(&self.body, MarkRef::Body).or(returned.kind);
        let kind = kind.cloned().unwrap_or_else(|| Kind::of(&before.body));
        if let Some(FileState { body: Body::Text(began), .. }) = began {
            wanted.returning = wanted.returning_from(began);
        }
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
        let mut last = None;
        let old = self.outs(before, &mut last);
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

    /// The lines of a text, of which no mark is known yet. `last` is room for the last one, where it is not terminated.
    fn outs<'t>(&self, text: &'t [u8], last: &'t mut Option<(Vec<u8>, u8)>) -> Vec<Out<'t>> {
        let mut lines = diff::split_lines(text);
        *last = last_terminated(&lines, self.weave.lines.iter().rfind(|line| self.is_visible(line)));
        let mut open = 0;
        if let Some((text, left_out)) = last {
            lines.pop();
            lines.push(text);
            open = *left_out;
        }
        let end = lines.len();
        let open = |at: usize| if at + 1 == end { open } else { 0 };
        lines.into_iter().enumerate().map(|(at, text)| Out { text, open: open(at), id: None }).collect()
    }

    /// The lines from before anybody was seen that this text has, and that are there again since their chosen deletion was
    /// rejected.
    fn returning_from(&self, began: &[u8]) -> BTreeSet<LineId> {
        let lines = &self.weave.lines;
        let returns =
            |line: &Line| line.inserted.revision == RevisionNo::BASE && self.is_visible(line) && self.comes_back(line);
        if !lines.iter().any(returns) {
            return BTreeSet::new();
        }
        let mut last = None;
        let kept = self.kept(&self.outs(began, &mut last));
        let had = lines.iter().zip(kept).filter(|(line, kept)| kept.is_some() && returns(line));
        had.map(|(line, _)| line.id).collect()
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
        let is_deleted = |line: &Line| {
            let goes = |mark: &Mark| is_chosen(line.deleted_ref(*mark), *mark) || self.is_withdrawn(line, *mark);
            line.deleted.iter().any(goes)
        };
        let mut at_old = differs.start;
        let mut begin = 0;
        let ends: Vec<(usize, Option<usize>)> =
            kept.iter().copied().enumerate().filter(|(_, kept)| kept.is_some()).collect();
        for (end, at) in ends.into_iter().chain([(here.len(), None)]) {
            let unknown = &old[at_old..at.unwrap_or(differs.end)];
            let mut gap =
                Gap::new(&here[begin..end], if self.chosen.is_none() { &[] } else { unknown }, &self.returning);
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
        // One from before anybody was seen may never have been in the commit.
        let was_in = line.inserted.revision != RevisionNo::BASE || self.returning.contains(&line.id);
        was_in && self.comes_back(line)
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
    /// The commit had these themselves.
    returning: &'a BTreeSet<LineId>,
    stand_ins: usize,
    passed: usize,
}

impl<'a, 't> Gap<'a, 't> {
    fn new(lines: &[Line], unknown: &'a [Out<'t>], returning: &'a BTreeSet<LineId>) -> Self {
        let gap = Self { unknown, returning, stand_ins: 0, passed: 0 };
        Self { stand_ins: lines.iter().filter(|line| gap.stands_in(line)).count(), ..gap }
    }

    fn stands_in(&self, line: &Line) -> bool {
        line.inserted.revision == RevisionNo::BASE && !self.returning.contains(&line.id)
    }

    /// The commit's lines that a line stands in for, if it does for any; each is given once, in order.
    fn share_of(&mut self, line: &Line) -> Option<&'a [Out<'t>]> {
        if !self.stands_in(line) {
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
