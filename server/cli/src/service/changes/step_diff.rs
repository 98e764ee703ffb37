//! What one step of a file's history did to it, as a diff that a page can show.

use augment_core::file::{Body, FileState};
use augment_core::refusal::Refusal;
use augment_core::review::TrackedFile;
use augment_protocol::figures as wire;

use super::preview::unified;

/// How much of a diff travels.
const DIFF_LIMIT: usize = 256 * 1_024;

pub(super) fn step_diff(file: &TrackedFile, step: u32) -> Result<wire::StepDiff, Refusal> {
    let weave = &file.weave;
    let unknown = || Refusal::NoStep { path: file.path().clone(), step, first: weave.since(), last: weave.step() };
    let after = weave.at(step).ok_or_else(unknown)?;
    let before = step.checked_sub(1).filter(|_| step > weave.since());
    let was = match before {
        Some(before) => weave.at(before).ok_or_else(unknown)?,
        // What was there before anything was known of it came from nothing.
        None => FileState { path: after.path.clone(), body: Body::Absent, mode: 0 },
    };
    let mut diff = unified(&was, &after);
    let cut = diff.len() > DIFF_LIMIT;
    if cut {
        let end = (0..=DIFF_LIMIT).rev().find(|at| diff.is_char_boundary(*at)).unwrap_or(0);
        // Half a line would be taken for a whole one.
        let end = diff[..end].rfind('\n').map_or(end, |at| at + 1);
        diff.truncate(end);
    }
    Ok(wire::StepDiff { path: file.path().to_text(), before, step, diff, cut })
}
