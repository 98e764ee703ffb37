//! What it costs to compare two texts by lines and to weave the second one in, beside the two crates one would take for
//! that. For the benches, no part of the product.
//!
//! `weave_cost WHO ROUNDS BEFORE AFTER` prints the median in ms and what was found, as JSON. WHO is `diff`, `weave` (diff,
//! marks and hunks), `imara` (histogram), `imara-myers`, `similar` (Myers) or `similar-patience`.

use std::io::Write as _;
use std::time::{Duration, Instant};

use augment_core::attribution::{Author, Evidence};
use augment_core::diff;
use augment_core::file::{Body, FilePath, FileState};
use augment_core::time::Wall;
use augment_core::weave::{NewRevision, Shape, Weave};
use imara_diff::sources::byte_lines;
use imara_diff::{Algorithm, Diff, InternedInput};
use similar::{DiffOp, capture_diff_slices_deadline};

/// How long `similar` may look for something better: without it, it does not come back from hostile texts.
const PATIENCE: Duration = Duration::from_secs(2);

/// What was found: regions, and lines that went and came in them.
#[derive(Default)]
struct Found {
    regions: usize,
    removed: usize,
    added: usize,
}

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [who, rounds, before, after] = &words[..] else {
        return Err("Usage: weave_cost WHO ROUNDS BEFORE AFTER".into());
    };
    let (before, after) = (std::fs::read(before)?, std::fs::read(after)?);
    let mut times = Vec::new();
    let mut found = Found::default();
    for _ in 0..rounds.parse::<usize>()?.max(1) {
        let (took, result) = once(who, &before, &after)?;
        times.push(took.as_secs_f64() * 1_000.0);
        found = result;
    }
    times.sort_by(f64::total_cmp);
    let median = times[times.len() / 2];
    let Found { regions, removed, added } = found;
    writeln!(
        std::io::stdout(),
        "{{\"ms\":{median:.4},\"regions\":{regions},\"removed\":{removed},\"added\":{added}}}"
    )?;
    Ok(())
}

fn once(who: &str, before: &[u8], after: &[u8]) -> Result<(Duration, Found), Failure> {
    match who {
        "diff" => Ok(ours(before, after)),
        "weave" => woven(before, after),
        "imara" => Ok(imara(Algorithm::Histogram, before, after)),
        "imara-myers" => Ok(imara(Algorithm::Myers, before, after)),
        "similar" => Ok(similar(similar::Algorithm::Myers, before, after)),
        "similar-patience" => Ok(similar(similar::Algorithm::Patience, before, after)),
        other => Err(format!("Nobody is called {other}.").into()),
    }
}

fn ours(before: &[u8], after: &[u8]) -> (Duration, Found) {
    let started = Instant::now();
    let edits = diff::lines(&diff::split_lines(before), &diff::split_lines(after));
    let took = started.elapsed();
    let removed = edits.iter().map(|edit| edit.before.len()).sum();
    let added = edits.iter().map(|edit| edit.after.len()).sum();
    (took, Found { regions: edits.len(), removed, added })
}

/// The first content is woven before the clock starts: a file's weave is there when a change of it is seen.
fn woven(before: &[u8], after: &[u8]) -> Result<(Duration, Found), Failure> {
    let path = FilePath::from_text("a.txt").map_err(|_| "a.txt is a path")?;
    let state = |content: &[u8]| FileState { path: path.clone(), body: Body::Text(content.to_vec()), mode: 0o644 };
    let mut weave = Weave::new(&state(before));
    let now = state(after);
    let by = NewRevision { author: Author::Unknown, evidence: Evidence::Nothing, time: Wall(0), held: true };
    let started = Instant::now();
    weave.revise(&now, by);
    let hunks = weave.hunks();
    let took = started.elapsed();
    let mut found = Found { regions: hunks.len(), ..Found::default() };
    for hunk in &hunks {
        if let Shape::Lines(lines) = &hunk.shape {
            found.added += lines.added as usize;
            found.removed += lines.removed.len();
        }
    }
    Ok((took, found))
}

fn imara(algorithm: Algorithm, before: &[u8], after: &[u8]) -> (Duration, Found) {
    let started = Instant::now();
    let input = InternedInput::new(byte_lines(before), byte_lines(after));
    let mut diff = Diff::compute(algorithm, &input);
    diff.postprocess_lines(&input);
    let regions = diff.hunks().count();
    let took = started.elapsed();
    let (removed, added) = (diff.count_removals() as usize, diff.count_additions() as usize);
    (took, Found { regions, removed, added })
}

fn similar(algorithm: similar::Algorithm, before: &[u8], after: &[u8]) -> (Duration, Found) {
    let started = Instant::now();
    let (before, after) = (diff::split_lines(before), diff::split_lines(after));
    let operations = capture_diff_slices_deadline(algorithm, &before, &after, Some(started + PATIENCE));
    let took = started.elapsed();
    let mut found = Found::default();
    for operation in &operations {
        let (removed, added) = match operation {
            DiffOp::Equal { .. } => continue,
            DiffOp::Delete { old_len, .. } => (*old_len, 0),
            DiffOp::Insert { new_len, .. } => (0, *new_len),
            DiffOp::Replace { old_len, new_len, .. } => (*old_len, *new_len),
        };
        found.regions += 1;
        found.removed += removed;
        found.added += added;
    }
    (took, found)
}
