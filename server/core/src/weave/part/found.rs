//! Which lines of a file a commit has, where of the commit only its text is known. Lines repeat, braces and empty ones above
//! all, so the text alone leaves a choice. Of all ways to find it among the lines that ever were, the one is taken that most
//! likely came about: what was there from the beginning and never went is in it, what waits is not, and what one change did
//! in one place is in it as a whole or not at all. Where that leaves a choice, older changes are in it before newer ones.

use std::ops::Range;

use crate::diff::{self, Anchors, Numbered};
use crate::weave::RevisionNo;

/// What speaks for and against a line being in the commit.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Odds {
    pub(super) inside: u32,
    pub(super) outside: u32,
    /// The change on which it depends, and whether the line is in the commit where that is.
    pub(super) by: Option<(RevisionNo, bool)>,
    /// What the line tells about a change that is not in the commit, by whether the line is in it: how old that change is.
    pub(super) age: [u32; 2],
}

/// What a way to find the commit has against it: what is unlikely, and then how much of what is old it leaves out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
struct Cost {
    odds: u32,
    age: u64,
}

impl Cost {
    const NEVER: Self = Self { odds: u32::MAX, age: u64::MAX };

    fn of(odds: u32) -> Self {
        Self { odds, age: 0 }
    }

    fn and(self, odds: u32, age: u32) -> Self {
        Self { odds: self.odds.saturating_add(odds), age: self.age.saturating_add(u64::from(age)) }
    }
}

/// Something that the commit has, and that no line is, is worse than all that may be wrong with a line.
const UNKNOWN: u32 = 100;
/// Neighbours of one change, of which the one is in the commit and the other is not.
const TORN: u32 = 1;
/// So many pairs are compared for one place at most. Past that, the fewest differences are taken.
const PAIRS: usize = 2_000_000;

/// The commit's lines, which are to be found among all lines of a file.
pub(super) struct Search<'a> {
    pub(super) old: &'a [&'a [u8]],
    pub(super) lines: &'a [&'a [u8]],
    pub(super) odds: &'a [Odds],
    /// Whether two lines of the same text may be the same: one of the commit, and one of the file.
    pub(super) may_be: &'a dyn Fn(usize, usize) -> bool,
}

impl Search<'_> {
    /// For each line of the file, which one of the commit it is.
    pub(super) fn found(&self) -> Vec<Option<usize>> {
        let numbered = Numbered::new(self.old, self.lines);
        let mut anchors = Anchors::new(numbered.distinct);
        let mut found = vec![None; self.lines.len()];
        let mut places = vec![(0..self.old.len(), 0..self.lines.len())];
        while let Some((old, lines)) = places.pop() {
            if old.is_empty() || lines.is_empty() {
                continue;
            }
            // What is here once in the one and once in the other can be nothing else.
            let mut sure = anchors.find(&numbered.before[old.clone()], &numbered.after[lines.clone()]);
            sure.retain(|(one, other)| (self.may_be)(old.start + one, lines.start + other));
            if sure.is_empty() {
                self.search(&numbered, old, lines, &mut found);
                continue;
            }
            let (mut at_old, mut at_line) = (old.start, lines.start);
            for (one, other) in sure {
                let (one, other) = (old.start + one, lines.start + other);
                found[other] = Some(one);
                places.push((at_old..one, at_line..other));
                (at_old, at_line) = (one + 1, other + 1);
            }
            places.push((at_old..old.end, at_line..lines.end));
        }
        found
    }

    fn search(&self, numbered: &Numbered, old: Range<usize>, lines: Range<usize>, found: &mut [Option<usize>]) {
        let is_small = (old.len() + 1).checked_mul(lines.len() + 1).is_some_and(|pairs| pairs <= PAIRS);
        if is_small {
            self.likeliest(numbered, old, lines, found);
        } else {
            self.nearest(old, lines, found);
        }
    }

    /// The way with the fewest differences, whatever the odds are.
    fn nearest(&self, old: Range<usize>, lines: Range<usize>, found: &mut [Option<usize>]) {
        let edits = diff::lines(&self.old[old.clone()], &self.lines[lines.clone()]);
        let (mut at_old, mut at_line) = (old.start, lines.start);
        let ends = edits.iter().map(|edit| {
            let starts = (old.start + edit.before.start as usize, lines.start + edit.after.start as usize);
            (starts, (old.start + edit.before.end as usize, lines.start + edit.after.end as usize))
        });
        for ((until, _), (next_old, next_line)) in ends.chain([((old.end, lines.end), (old.end, lines.end))]) {
            for step in 0..until - at_old {
                if (self.may_be)(at_old + step, at_line + step) {
                    found[at_line + step] = Some(at_old + step);
                }
            }
            (at_old, at_line) = (next_old, next_line);
        }
    }

    /// The way that costs least, by its costs up to each pair of a place in the file and one in the commit.
    fn likeliest(&self, numbered: &Numbered, old: Range<usize>, lines: Range<usize>, found: &mut [Option<usize>]) {
        let width = old.len() + 1;
        let is_same =
            |old: usize, line: usize| numbered.before[old] == numbered.after[line] && (self.may_be)(old, line);
        // How the line before stands: what a place begins and ends with is in the commit.
        let edge = |line: usize| self.odds.get(line).and_then(|odds| odds.by);
        let mut before = lines.start.checked_sub(1).and_then(edge);
        let mut costs = vec![[Cost::NEVER; 2]; width];
        let mut steps = vec![[Step::Unknown; 2]; width * (lines.len() + 1)];
        for (at, cost) in costs.iter_mut().enumerate() {
            cost[IN] = Cost::of(u32::try_from(at).unwrap_or(u32::MAX).saturating_mul(UNKNOWN));
        }
        for (row, line) in lines.clone().enumerate() {
            let Odds { inside, outside, by, age } = self.odds[line];
            let mut next = vec![[Cost::NEVER; 2]; width];
            for at in 0..width {
                let here = &mut steps[(row + 1) * width + at];
                let (cost, from) = cheapest(costs[at], |was| torn(before, was, by, OUT));
                (next[at][OUT], here[OUT]) = (cost.and(outside, age[OUT]), Step::Out(from));
                if at > 0 && is_same(old.start + at - 1, line) {
                    let (cost, from) = cheapest(costs[at - 1], |was| torn(before, was, by, IN));
                    (next[at][IN], here[IN]) = (cost.and(inside, age[IN]), Step::In(from));
                }
                for now in [OUT, IN] {
                    let unknown = match at {
                        0 => Cost::NEVER,
                        at => next[at - 1][now].and(UNKNOWN, 0),
                    };
                    if unknown < next[at][now] {
                        (next[at][now], here[now]) = (unknown, Step::Unknown);
                    }
                }
            }
            costs = next;
            before = by;
        }
        let after = edge(lines.end);
        let (_, mut now) = cheapest(costs[old.len()], |was| torn(before, was, after, IN));
        let (mut row, mut at) = (lines.len(), old.len());
        while row > 0 {
            match steps[row * width + at][now] {
                Step::Unknown => at -= 1,
                Step::Out(was) => (row, now) = (row - 1, was),
                Step::In(was) => {
                    (row, at, now) = (row - 1, at - 1, was);
                    found[lines.start + row] = Some(old.start + at);
                }
            }
        }
    }
}

pub(super) const OUT: usize = 0;
pub(super) const IN: usize = 1;

/// How a pair was come to, and how the line before stood.
#[derive(Debug, Clone, Copy)]
enum Step {
    Unknown,
    Out(usize),
    In(usize),
}

fn cheapest(costs: [Cost; 2], more: impl Fn(usize) -> u32) -> (Cost, usize) {
    let [out, inside] = [OUT, IN].map(|was| costs[was].and(more(was), 0));
    if inside <= out && inside.odds < u32::MAX { (inside, IN) } else { (out, OUT) }
}

/// What it costs that one change is in the commit by one line and is not by the next.
fn torn(before: Option<(RevisionNo, bool)>, was: usize, by: Option<(RevisionNo, bool)>, now: usize) -> u32 {
    match (before, by) {
        (Some((one, when_in)), Some((other, then_in))) if one == other => {
            if ((was == IN) == when_in) == ((now == IN) == then_in) { 0 } else { TORN }
        }
        (_, _) => 0,
    }
}
