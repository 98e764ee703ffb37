//! A write that was seen in the middle: emptied or cut first, and whole a moment later. It is one revision then, and what it
//! seemed to take away was never taken away.

use std::collections::HashMap;

use super::{Looking, is_held};
use crate::attribution::{ActiveRuns, Author, Evidence, Finding};
use crate::diff::split_lines;
use crate::file::{Body, FileState};
use crate::review::TrackedFile;
use crate::time::Wall;
use crate::view::View;
use crate::weave::{Revision, Weave};

/// How long after its beginning a write may be seen to go on.
const HALF_WRITTEN_MS: i64 = 2_000;

impl<V: View> Looking<'_, V> {
    /// A file is often emptied and then written. If that was seen in between, it was one write and not two.
    pub(super) fn finish_half_written(
        &mut self,
        file: &mut TrackedFile,
        now: &FileState,
        finding: &Finding,
    ) -> Result<(), V::Error> {
        let Some(cut) = file.weave.newest_open() else { return Ok(()) };
        let whole = Whole { state: now, by: (&finding.author, finding.evidence), seen: self.now.wall };
        // What was committed since is somebody's word that it was whole.
        if let Some(before) = one_write(&file.weave, cut, &whole, self.runs)
            && !self.view.is_committed(file.number)?
        {
            file.weave.rewind(before);
        }
        Ok(())
    }
}

/// The step before a write that was seen in the middle, if the newest revision is the rest of it now that it is known to be
/// somebody's. Until that was said, the two seemed to be of different authors.
pub(in crate::review) fn begun_before(weave: &Weave, by: (&Author, Evidence), runs: ActiveRuns) -> Option<u32> {
    let (cut, newest) = weave.newest_two_open()?;
    let whole = Whole { state: &weave.view(), by, seen: newest.time };
    one_write(weave, cut, &whole, runs)
}

/// What a file came to, by whose write, and when that was seen.
struct Whole<'a> {
    state: &'a FileState,
    by: (&'a Author, Evidence),
    seen: Wall,
}

/// The step before a revision, if that was the first half of the write that made this of the file.
fn one_write(weave: &Weave, cut: &Revision, whole: &Whole<'_>, runs: ActiveRuns) -> Option<u32> {
    let Whole { state: now, by: (author, evidence), seen } = *whole;
    let before = cut.step.saturating_sub(1);
    let (first, half) = (weave.at(before)?, weave.at(cut.step)?);
    // What only lost its end, and has all of it again or is known to be somebody's, was cut by whoever wrote it next,
    // whoever that was taken for.
    let is_told = holds_all(&first, now) || !evidence.is_weak();
    let was_cut = cut.evidence.is_weak() && is_beginning(&half, &first) && is_told;
    // What waits for a decision goes on waiting, unless somebody is known to have written it.
    let stays_held = !cut.held || is_held(author, runs) || !evidence.is_weak();
    let is_one = (cut.author == *author || was_cut) && stays_held;
    let same_file = half.path == first.path && half.mode == first.mode;
    let is_recent = (0..=HALF_WRITTEN_MS).contains(&seen.0.saturating_sub(cut.time.0));
    // Where nothing comes back, there may as well have been two writes, and a later word may speak for one of them.
    let is_whole = is_beginning(&half, now) && comes_back(&first, &half, now);
    (is_recent && is_one && same_file && is_whole).then_some(before)
}

/// Whether one text is how the other begins.
fn is_beginning(part: &FileState, whole: &FileState) -> bool {
    match (&part.body, &whole.body) {
        (Body::Text(part), Body::Text(whole)) => part.len() < whole.len() && whole.starts_with(part),
        (_, _) => false,
    }
}

/// Whether a line that one text had and the next had lost is there again.
fn comes_back(first: &FileState, half: &FileState, now: &FileState) -> bool {
    let (Body::Text(first), Body::Text(half), Body::Text(now)) = (&first.body, &half.body, &now.body) else {
        return false;
    };
    let mut counts: HashMap<&[u8], (i64, i64)> = HashMap::new();
    for (text, lost, found) in [(first, 1, 0), (half, -1, -1), (now, 0, 1)] {
        for line in split_lines(text) {
            let count = counts.entry(line).or_default();
            *count = (count.0 + lost, count.1 + found);
        }
    }
    counts.values().any(|(lost, found)| *lost > 0 && *found > 0)
}

/// Whether every line of one text is in the other, in order.
fn holds_all(lines: &FileState, whole: &FileState) -> bool {
    let (Body::Text(lines), Body::Text(whole)) = (&lines.body, &whole.body) else { return false };
    let mut rest = split_lines(whole).into_iter();
    split_lines(lines).into_iter().all(|line| rest.any(|other| other == line))
}
