//! The shortest way through a box, searched from both corners at once (Myers, "An O(ND) difference algorithm and its
//! variations", the linear-space variant), up to a number of edits. A way goes right past a line of `before` that is
//! deleted, down past a line of `after` that is inserted, and diagonally past equal lines: a *snake*.

use std::ops::Range;

/// A stretch of equal lines that a way leads through; it may be empty, and is a place to split then.
#[derive(Debug)]
pub(super) struct Snake {
    pub(super) before: Range<usize>,
    pub(super) after: Range<usize>,
}

pub(super) enum Reached {
    /// The middle of a shortest way.
    Middle(Snake),
    /// The edits allowed were not enough: the furthest point that was reached from one of the corners.
    Part(Snake),
}

/// No way has come to this diagonal yet.
const NOWHERE: i64 = i64::MIN / 4;

/// The furthest place on each diagonal, from the one corner and from the other. Kept from box to box.
#[derive(Default)]
pub(super) struct Snakes {
    forward: Vec<i64>,
    backward: Vec<i64>,
}

/// One direction of the search: the box as it looks from that corner.
struct Side<'a> {
    before: &'a [u32],
    after: &'a [u32],
    reversed: bool,
}

impl Side<'_> {
    fn equal_from(&self, x: i64, y: i64) -> i64 {
        let (x, y) = (x.unsigned_abs() as usize, y.unsigned_abs() as usize);
        let equal = if self.reversed {
            let left = self.before[..self.before.len() - x].iter().rev();
            left.zip(self.after[..self.after.len() - y].iter().rev()).take_while(|(a, b)| a == b).count()
        } else {
            self.before[x..].iter().zip(&self.after[y..]).take_while(|(a, b)| a == b).count()
        };
        i64::try_from(equal).unwrap_or(0)
    }
}

impl Snakes {
    /// Both sides must differ in their first and in their last lines, and be non-empty. So at least two edits are
    /// needed, and each part of a split is smaller than the whole.
    pub(super) fn search(&mut self, before: &[u32], after: &[u32], edits: usize, work: &mut u64) -> Reached {
        let n = i64::try_from(before.len()).unwrap_or(i64::MAX);
        let m = i64::try_from(after.len()).unwrap_or(i64::MAX);
        let delta = n - m;
        let most = (n + m + 1) / 2;
        let most = most.min(i64::try_from(edits).unwrap_or(i64::MAX));
        let middle = most + 1;
        for places in [&mut self.forward, &mut self.backward] {
            places.clear();
            places.resize(usize::try_from(2 * middle + 1).unwrap_or(0), NOWHERE);
        }
        let index = |diagonal: i64| usize::try_from(diagonal + middle).unwrap_or(0);
        let forward = Side { before, after, reversed: false };
        let backward = Side { before, after, reversed: true };
        for d in 0..=most {
            *work = work.saturating_sub(2 * d.unsigned_abs() + 2);
            for k in (-d..=d).step_by(2) {
                let Some((x, far)) = advance(&forward, &mut self.forward, d, k, index(k), (n, m)) else { continue };
                let mirrored = delta - k;
                if delta % 2 != 0 && mirrored.abs() < d && far + self.backward[index(mirrored)] >= n {
                    return Reached::Middle(snake(x, far, k));
                }
            }
            for k in (-d..=d).step_by(2) {
                let Some((x, far)) = advance(&backward, &mut self.backward, d, k, index(k), (n, m)) else { continue };
                let mirrored = delta - k;
                if delta % 2 == 0 && mirrored.abs() <= d && far + self.forward[index(mirrored)] >= n {
                    return Reached::Middle(snake(n - far, n - x, mirrored));
                }
            }
        }
        Reached::Part(self.furthest(n, m, middle))
    }

    /// The point with the most lines behind it, as an empty snake.
    fn furthest(&self, n: i64, m: i64, middle: i64) -> Snake {
        let (mut best, mut point) = (-1, (0, 0));
        for (at, (forward, backward)) in self.forward.iter().zip(&self.backward).enumerate() {
            let k = i64::try_from(at).unwrap_or(0) - middle;
            if *forward >= 0 && 2 * forward - k > best {
                (best, point) = (2 * forward - k, (*forward, forward - k));
            }
            if *backward >= 0 && 2 * backward - k > best {
                (best, point) = (2 * backward - k, (n - backward, m - (backward - k)));
            }
        }
        snake(point.0, point.0, point.0 - point.1)
    }
}

/// Goes one edit further on one diagonal, then past what is equal. Says where the snake began and ended, if the diagonal
/// can be reached at all.
fn advance(side: &Side<'_>, places: &mut [i64], d: i64, k: i64, at: usize, (n, m): (i64, i64)) -> Option<(i64, i64)> {
    let x = if d == 0 {
        0
    } else {
        let deleted = places[at - 1] + 1;
        let deleted = if deleted > n { NOWHERE } else { deleted };
        let inserted = places[at + 1];
        let inserted = if inserted - k > m { NOWHERE } else { inserted };
        deleted.max(inserted)
    };
    if x < 0 {
        places[at] = NOWHERE;
        return None;
    }
    let far = x + side.equal_from(x, x - k);
    places[at] = far;
    Some((x, far))
}

fn snake(from: i64, to: i64, k: i64) -> Snake {
    let place = |at: i64| usize::try_from(at).unwrap_or(0);
    Snake { before: place(from)..place(to), after: place(from - k)..place(to - k) }
}
