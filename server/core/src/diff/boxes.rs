//! The search for what is equal. A *box* is a stretch of both texts whose corners are known to correspond. Each box is
//! split until nothing is left to split: by the shortest way through it if that is short, else at lines that are unique
//! on both sides, else at the furthest point that a bounded search reaches. When the work allowed for the whole
//! comparison is used up, what is left of each box counts as changed.

use std::ops::Range;

use super::anchors::Anchors;
use super::snake::{Reached, Snakes};
use super::{Changed, Numbered};

/// Steps allowed for one comparison, and how many more for each line. A step is a few nanoseconds.
const WORK: u64 = 8_000_000;
const WORK_PER_LINE: u64 = 40;
/// Edits up to which the shortest way is looked for before anything else is tried. A lone unique line that moved would
/// otherwise pull everything between its two places apart.
const NEAR: usize = 96;
/// Edits up to which it is looked for when there are no unique lines either.
const FAR: usize = 320;

/// The lines that occur in both texts, by number, and where they stand. The others have changed for sure; leaving them
/// out makes texts with many plain edits nearly equal.
struct Common {
    numbers: Vec<u32>,
    places: Vec<usize>,
}

impl Common {
    fn new(numbers: &[u32], in_other: &[bool], changed: &mut [bool]) -> Self {
        let mut common = Self { numbers: Vec::with_capacity(numbers.len()), places: Vec::with_capacity(numbers.len()) };
        for (place, number) in numbers.iter().enumerate() {
            if in_other[*number as usize] {
                common.numbers.push(*number);
                common.places.push(place);
            } else {
                changed[place] = true;
            }
        }
        common
    }

    fn mark(&self, range: Range<usize>, changed: &mut [bool]) {
        for place in &self.places[range] {
            changed[*place] = true;
        }
    }
}

pub(super) fn mark(texts: &Numbered, changed: &mut Changed) {
    let occurring = |numbers: &[u32]| {
        let mut occurring = vec![false; texts.distinct];
        for number in numbers {
            occurring[*number as usize] = true;
        }
        occurring
    };
    let before = Common::new(&texts.before, &occurring(&texts.after), &mut changed.before);
    let after = Common::new(&texts.after, &occurring(&texts.before), &mut changed.after);
    let lines = (before.numbers.len() + after.numbers.len()) as u64;
    let mut work = WORK + lines * WORK_PER_LINE;
    let mut anchors = Anchors::new(texts.distinct);
    let mut snakes = Snakes::default();
    let mut boxes = vec![(0..before.numbers.len(), 0..after.numbers.len())];
    while let Some((b, a)) = boxes.pop() {
        let (b, a) = shrink(&before.numbers, &after.numbers, b, a);
        if b.is_empty() || a.is_empty() || work == 0 {
            before.mark(b, &mut changed.before);
            after.mark(a, &mut changed.after);
            continue;
        }
        let (left, right) = (&before.numbers[b.clone()], &after.numbers[a.clone()]);
        work = work.saturating_sub((left.len() + right.len()) as u64);
        let mut reached = snakes.search(left, right, NEAR, &mut work);
        if matches!(reached, Reached::Part(_)) {
            let pairs = anchors.find(left, right);
            if !pairs.is_empty() {
                between(&pairs, &b, &a, &mut boxes);
                continue;
            }
            reached = snakes.search(left, right, FAR, &mut work);
        }
        let (Reached::Middle(snake) | Reached::Part(snake)) = reached;
        boxes.push((b.start..b.start + snake.before.start, a.start..a.start + snake.after.start));
        boxes.push((b.start + snake.before.end..b.end, a.start + snake.after.end..a.end));
    }
}

/// The box without the equal lines at its two ends.
fn shrink(before: &[u32], after: &[u32], b: Range<usize>, a: Range<usize>) -> (Range<usize>, Range<usize>) {
    let (left, right) = (&before[b.clone()], &after[a.clone()]);
    let start = left.iter().zip(right).take_while(|(x, y)| x == y).count();
    let (left, right) = (&left[start..], &right[start..]);
    let end = left.iter().rev().zip(right.iter().rev()).take_while(|(x, y)| x == y).count();
    (b.start + start..b.end - end, a.start + start..a.end - end)
}

/// The boxes before, between and after the anchors. The anchors themselves are equal, so they are in none.
fn between(
    pairs: &[(usize, usize)],
    b: &Range<usize>,
    a: &Range<usize>,
    boxes: &mut Vec<(Range<usize>, Range<usize>)>,
) {
    let (mut from_b, mut from_a) = (b.start, a.start);
    for (x, y) in pairs {
        let (to_b, to_a) = (b.start + x, a.start + y);
        boxes.push((from_b..to_b, from_a..to_a));
        (from_b, from_a) = (to_b + 1, to_a + 1);
    }
    boxes.push((from_b..b.end, from_a..a.end));
}
