//! What a decision would do, shown before it is done. A yes covers everything that is selected, also what is left out
//! here: so the files that are the reason for asking come first, and what is left out is counted.

use augment_core::attribution::Author;
use augment_core::file::{Body, FileState};
use augment_core::review::policy::ReviewPolicy;
use augment_core::review::{self, Ask, Decide, Selected, TakenBack, TakingBack};
use augment_core::turn::Stop;
use augment_core::view::View as _;
use augment_core::weave::{MarkRef, Standing};
use augment_host::store::{Snapshot, StoreError};
use augment_protocol::changes as wire;

use super::to_wire::{self, Names};
use super::{Read, told};
use crate::output::diff::{self, Side};

/// How many files a preview shows.
const PREVIEWED: usize = 200;
/// How much of a diff one preview carries.
const DIFF_LIMIT: usize = 1_024 * 1_024;

pub(super) fn preview(snapshot: &Snapshot<'_>, decide: &Decide) -> Read<wire::Preview> {
    let selected = match review::select(&snapshot.view(), &decide.what) {
        Ok(selected) => selected,
        Err(stop) => return told(stop),
    };
    let policy = snapshot.view().review_policy()?;
    let asks = review::asks(decide, &selected, &policy) != Ask::No;
    let names = Names::new(snapshot);
    let mut left = DIFF_LIMIT;
    let mut files = Vec::new();
    for selected in in_order(&selected, decide.verdict, &policy).into_iter().take(PREVIEWED) {
        files.push(file(&names, selected, decide.verdict, &policy, &mut left)?);
    }
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    Ok(Ok(wire::Preview {
        hunks: count(selected.iter().map(|selected| selected.hunks.len()).sum()),
        more: count(selected.len() - files.len()),
        files,
        asks,
        confirm: review::confirm_token(decide.verdict, &selected),
    }))
}

/// What taking a decision back would do.
pub(super) fn taking_back(
    snapshot: &Snapshot<'_>,
    taking: Result<TakingBack, Stop<StoreError>>,
) -> Read<wire::Preview> {
    let taking = match taking {
        Ok(taking) => taking,
        Err(stop) => return told(stop),
    };
    let policy = snapshot.view().review_policy()?;
    let names = Names::new(snapshot);
    let mut order: Vec<&TakenBack> = taking.files.iter().collect();
    order.sort_by_key(|file| file.entangled.is_empty());
    let mut left = DIFF_LIMIT;
    let mut files = Vec::new();
    for file in order.into_iter().take(PREVIEWED) {
        let with = file.entangled.iter().map(|author| names.author(author)).collect::<Result<_, _>>()?;
        files.push(wire::PreviewFile {
            path: file.before.path.to_text(),
            diff: bounded(unified(&file.before, &file.after), &mut left),
            entangled_with: with,
            control: policy.is_control(&file.before),
        });
    }
    Ok(Ok(wire::Preview {
        hunks: taking.files.iter().map(TakenBack::hunks).sum(),
        more: u32::try_from(taking.files.len() - files.len()).unwrap_or(u32::MAX),
        files,
        asks: taking.asks(),
        confirm: taking.confirm_token(),
    }))
}

/// What a person has to look at first: where others' work is touched, then what steers programs, then the rest; each in
/// the order of paths.
fn in_order<'a>(selected: &'a [Selected], verdict: Standing, policy: &ReviewPolicy) -> Vec<&'a Selected> {
    let mut files: Vec<&Selected> = selected.iter().collect();
    files.sort_by_cached_key(|selected| {
        let entangled = verdict == Standing::Rejected && selected.hunks.iter().any(|hunk| !hunk.entangled.is_empty());
        (!entangled, !is_control(selected, policy))
    });
    files
}

fn is_control(selected: &Selected, policy: &ReviewPolicy) -> bool {
    policy.is_control(&selected.file.weave.view())
}

fn file(
    names: &Names<'_>,
    selected: &Selected,
    verdict: Standing,
    policy: &ReviewPolicy,
    left: &mut usize,
) -> Result<wire::PreviewFile, StoreError> {
    let marks: Vec<MarkRef> = selected.hunks.iter().flat_map(|hunk| hunk.marks.iter().copied()).collect();
    let before = selected.file.weave.view();
    let after = selected.file.weave.preview(&marks, verdict);
    let mut with: Vec<Author> = Vec::new();
    for author in selected.hunks.iter().flat_map(|hunk| &hunk.entangled) {
        if !with.contains(author) {
            with.push(author.clone());
        }
    }
    Ok(wire::PreviewFile {
        path: selected.file.path().to_text(),
        diff: bounded(unified(&before, &after), left),
        entangled_with: with.iter().map(|author| names.author(author)).collect::<Result<_, _>>()?,
        control: is_control(selected, policy),
    })
}

/// As much of a diff as there is room left for.
fn bounded(mut diff: String, left: &mut usize) -> String {
    if diff.len() > *left {
        let end = (0..=*left).rev().find(|at| diff.is_char_boundary(*at)).unwrap_or(0);
        diff.truncate(end);
        diff.push_str("\n… (the rest is left out)\n");
    }
    *left = left.saturating_sub(diff.len());
    diff
}

/// A unified diff between two states. Content that is no text is told by its hash.
pub(super) fn unified(before: &FileState, after: &FileState) -> String {
    let named = [before, after].map(|state| (state.path.to_text(), to_wire::hash(state)));
    let side = |state: &'_ FileState, at: usize| -> Side<'_> {
        let (path, hash) = &named[at];
        Side { path, body: to_wire::body_kind(&state.body), content: &[], hash: hash.as_deref(), mode: state.mode }
    };
    let content = |state: &'_ FileState| -> Vec<u8> {
        match &state.body {
            Body::Text(text) => text.clone(),
            Body::Link(target) => target.clone(),
            Body::Absent | Body::Whole { .. } | Body::Large { .. } | Body::Special => Vec::new(),
        }
    };
    let (old, new) = (content(before), content(after));
    diff::unified(Side { content: &old, ..side(before, 0) }, Side { content: &new, ..side(after, 1) })
}
