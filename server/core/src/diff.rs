//! What changed between two texts, line by line. Applying the edits to the first text always gives the second, whatever
//! the texts are. How hard it looks for the fewest edits is bounded by work, not by time: hostile texts get coarser
//! edits, the same ones on every machine.

mod anchors;
mod boxes;
mod slide;
mod snake;

use std::collections::HashMap;
use std::ops::Range;

pub(crate) use self::anchors::Anchors;

/// One changed region: the lines `before` of the first text became the lines `after` of the second. One of the two may
/// be empty, never both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    pub before: Range<u32>,
    pub after: Range<u32>,
}

/// The lines of some content, each with its terminator. Only `\n` ends a line, so `\r\n` stays part of it; a rest
/// without a terminator is a line too.
#[must_use]
pub fn split_lines(content: &[u8]) -> Vec<&[u8]> {
    content.split_inclusive(|byte| *byte == b'\n').collect()
}

/// The changed regions in order. Between two of them lies at least one equal line.
///
/// # Panics
///
/// With more than four thousand million lines.
#[must_use]
pub fn lines(before: &[&[u8]], after: &[&[u8]]) -> Vec<Edit> {
    let start = before.iter().zip(after).take_while(|(a, b)| a == b).count();
    let (before_left, after_left) = (&before[start..], &after[start..]);
    let end = before_left.iter().rev().zip(after_left.iter().rev()).take_while(|(a, b)| a == b).count();
    let before_middle = &before_left[..before_left.len() - end];
    let after_middle = &after_left[..after_left.len() - end];
    if before_middle.is_empty() && after_middle.is_empty() {
        return Vec::new();
    }
    let mut edits = if before_middle.is_empty() || after_middle.is_empty() {
        vec![(0..before_middle.len(), 0..after_middle.len())]
    } else {
        let numbered = Numbered::new(before_middle, after_middle);
        let mut changed = Changed::new(before_middle.len(), after_middle.len());
        boxes::mark(&numbered, &mut changed);
        changed.regions()
    };
    for (b, a) in &mut edits {
        *b = b.start + start..b.end + start;
        *a = a.start + start..a.end + start;
    }
    slide::to_natural_places(&mut edits, before, after);
    edits.into_iter().map(|(b, a)| Edit { before: narrow(&b), after: narrow(&a) }).collect()
}

fn narrow(range: &Range<usize>) -> Range<u32> {
    let narrow = |at: usize| u32::try_from(at).expect("a text has fewer than four thousand million lines");
    narrow(range.start)..narrow(range.end)
}

/// Both texts with a number for each line; equal lines have equal numbers.
pub(crate) struct Numbered {
    pub(crate) before: Vec<u32>,
    pub(crate) after: Vec<u32>,
    pub(crate) distinct: usize,
}

impl Numbered {
    pub(crate) fn new(before: &[&[u8]], after: &[&[u8]]) -> Self {
        let mut numbers: HashMap<&[u8], u32> = HashMap::with_capacity(before.len());
        // Numbers are given in the order of first appearance, so they do not depend on the map's own order.
        let mut number = |line| {
            let next = u32::try_from(numbers.len()).expect("a text has fewer than four thousand million lines");
            *numbers.entry(line).or_insert(next)
        };
        let before = before.iter().map(|line| number(*line)).collect();
        let after = after.iter().map(|line| number(*line)).collect();
        Self { before, after, distinct: numbers.len() }
    }
}

/// For each line of both texts, whether it has no counterpart. The lines that have one are equal pairwise, in order.
struct Changed {
    before: Vec<bool>,
    after: Vec<bool>,
}

impl Changed {
    fn new(before: usize, after: usize) -> Self {
        Self { before: vec![false; before], after: vec![false; after] }
    }

    fn regions(&self) -> Vec<(Range<usize>, Range<usize>)> {
        let mut regions = Vec::new();
        let (mut b, mut a) = (0, 0);
        while b < self.before.len() || a < self.after.len() {
            let (from_b, from_a) = (b, a);
            while self.before.get(b) == Some(&true) {
                b += 1;
            }
            while self.after.get(a) == Some(&true) {
                a += 1;
            }
            if b > from_b || a > from_a {
                regions.push((from_b..b, from_a..a));
            } else {
                b += 1;
                a += 1;
            }
        }
        regions
    }
}
