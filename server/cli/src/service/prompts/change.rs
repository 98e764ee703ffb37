//! What a commit does to one file: from what the newest commit has to what it shall have, of a file whose story is known or of
//! one as it lies on disk.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use augment_core::file::{Body, ContentHash, FilePath, FileState};
use augment_core::prompt::Settled;
use augment_core::review::{FileNumber, TrackedFile};
use augment_core::weave::HeldLines;
use augment_host::vcs::history::{self, History, Part};
use augment_protocol::prompts::{CommittedPart, PartChange};
use augment_protocol::{FAILED, REFUSED};
use tower_lsp_server::jsonrpc::Result;

use super::desk::{Desk, told};
use super::tip_files::state_of;
use crate::service::methods::no;

/// How long a file may be.
const FILE_BYTES: u64 = 256 * 1_024 * 1_024;

/// What a commit would do to one file.
pub(super) struct Change {
    pub(super) file: Option<FileNumber>,
    pub(super) parts: Vec<Part>,
    pub(super) told: CommittedPart,
    /// Nothing is left in it after that, as it was when it was looked at.
    pub(super) settles: Option<Settled>,
    /// Which lines it is made of, as far as they are known.
    pub(super) lines: Option<HeldLines>,
    /// Whose lines were taken along.
    pub(super) along: Vec<String>,
    /// What the file would be, as `holding` says it.
    pub(super) holding: String,
}

pub(super) fn as_it_is(file: &TrackedFile) -> Settled {
    Settled { file: file.number, step: file.weave.step() }
}

fn is_executable(mode: u32) -> bool {
    mode & 0o100 != 0
}

/// Whether a commit would tell them apart.
pub(super) fn same(one: &FileState, other: &FileState) -> bool {
    one.body == other.body
        && (one.body == Body::Absent
            || (one.path == other.path && is_executable(one.mode) == is_executable(other.mode)))
}

/// A file and all of it that a commit keeps, in a line that says so of nothing else.
pub(super) fn holding(state: &FileState) -> String {
    let mode = if is_executable(state.mode) { "executable" } else { "file" };
    let body = match &state.body {
        Body::Absent => "absent".to_owned(),
        Body::Text(text) => format!("{mode} {}", ContentHash::of(text)),
        Body::Whole { hash, .. } => format!("{mode} {hash}"),
        Body::Link(target) => format!("link {}", ContentHash::of(target)),
        Body::Large { .. } | Body::Special => "none".to_owned(),
    };
    format!("{body} {}", state.path.to_text())
}

/// What a commit has to hold for a file to become so; `None` where it is so already.
pub(super) fn change(
    desk: &Desk,
    before: &FileState,
    after: &FileState,
    file: Option<&TrackedFile>,
) -> Result<Option<Change>> {
    if same(before, after) {
        return Ok(None);
    }
    let mut parts = Vec::new();
    if before.body != Body::Absent && (after.body == Body::Absent || before.path != after.path) {
        parts.push(Part { path: before.path.clone(), body: history::Body::Absent });
    }
    let executable = is_executable(after.mode);
    let body = match &after.body {
        Body::Absent => None,
        Body::Text(content) => Some(history::Body::File { content: content.clone(), executable }),
        Body::Link(target) => Some(history::Body::Link(target.clone())),
        Body::Whole { hash, .. } => Some(history::Body::File { content: whole(desk, &after.path, *hash)?, executable }),
        Body::Large { .. } | Body::Special => {
            let message =
                format!("{} is too large or no file, so it is not committed here. Use git or jj.", after.path);
            return Err(no(REFUSED, "not-a-file", message));
        }
    };
    parts.extend(body.map(|body| Part { path: after.path.clone(), body }));
    let (added, removed) = counts(&before.body, &after.body);
    let rest = file.is_some_and(|file| !same(after, &file.weave.view()));
    let change = match (&before.body, &after.body) {
        (Body::Absent, _) => PartChange::Added,
        (_, Body::Absent) => PartChange::Removed,
        (_, _) => PartChange::Changed,
    };
    let told = CommittedPart { path: after.path.to_text(), change, added, removed, rest };
    let settles = file.filter(|_| !rest).map(as_it_is);
    let holding = holding(after);
    Ok(Some(Change {
        file: file.map(|file| file.number),
        parts,
        told,
        settles,
        lines: None,
        along: Vec::new(),
        holding,
    }))
}

fn counts(before: &Body, after: &Body) -> (u32, u32) {
    let text = |body: &Body| match body {
        Body::Text(text) => text.clone(),
        Body::Absent | Body::Whole { .. } | Body::Link(_) | Body::Large { .. } | Body::Special => Vec::new(),
    };
    let (before, after) = (text(before), text(after));
    let edits =
        augment_core::diff::lines(&augment_core::diff::split_lines(&before), &augment_core::diff::split_lines(&after));
    let count = |range: &std::ops::Range<u32>| range.end - range.start;
    (edits.iter().map(|edit| count(&edit.after)).sum(), edits.iter().map(|edit| count(&edit.before)).sum())
}

/// A content that is decided as a whole: on disk, or kept.
fn whole(desk: &Desk, path: &FilePath, hash: ContentHash) -> Result<Vec<u8>> {
    let place = desk.shared.workspace.root().join(OsStr::from_bytes(path.as_bytes()));
    if let Some(content) = read_file(&place)
        && ContentHash::of(&content) == hash
    {
        return Ok(content);
    }
    let kept = desk.read(move |snapshot| snapshot.fetch(hash))?;
    kept.ok_or_else(|| {
        let message = format!("What was approved of {path} is not kept any more, so it is not committed.");
        no(FAILED, "not-kept", message)
    })
}

fn read_file(place: &Path) -> Option<Vec<u8>> {
    let found = std::fs::symlink_metadata(place).ok()?;
    if found.is_file() && found.len() <= FILE_BYTES { std::fs::read(place).ok() } else { None }
}

/// What lies at a path; `None` where it is too large, or no file.
pub(super) fn on_disk(desk: &Desk, path: &FilePath) -> Result<Option<history::Body>> {
    use std::os::unix::fs::PermissionsExt as _;
    let place = place_of(desk, path);
    match std::fs::symlink_metadata(&place) {
        Err(_) => Ok(Some(history::Body::Absent)),
        Ok(found) if found.is_symlink() => {
            let target = std::fs::read_link(&place).map_err(|error| no(FAILED, "not-readable", error.to_string()))?;
            Ok(Some(history::Body::Link(target.as_os_str().as_bytes().to_vec())))
        }
        Ok(found) => {
            let executable = is_executable(found.permissions().mode());
            Ok(read_file(&place).map(|content| history::Body::File { content, executable }))
        }
    }
}

pub(super) fn place_of(desk: &Desk, path: &FilePath) -> PathBuf {
    desk.shared.workspace.root().join(OsStr::from_bytes(path.as_bytes()))
}

/// A file that nobody was seen to change: as it lies there.
pub(super) fn from_disk(
    desk: &Desk,
    history: &dyn History,
    tip: Option<&str>,
    path: &FilePath,
) -> Result<Option<Change>> {
    let before = history.checked_out(tip, path).map_err(|error| told(&error))?;
    let after = match on_disk(desk, path)? {
        Some(after) => after,
        // A folder has come in its place.
        None if before != history::Body::Absent && place_of(desk, path).is_dir() => history::Body::Absent,
        None => {
            let message = format!("{path} is too large or no file, so it is not committed here. Use git or jj.");
            return Err(no(REFUSED, "not-a-file", message));
        }
    };
    if before == after {
        return Ok(None);
    }
    let (was, is) = (state_of(path, before), state_of(path, after.clone()));
    let (added, removed) = counts(&was.body, &is.body);
    let change = match (&was.body, &is.body) {
        (Body::Absent, _) => PartChange::Added,
        (_, Body::Absent) => PartChange::Removed,
        (_, _) => PartChange::Changed,
    };
    let told = CommittedPart { path: path.to_text(), change, added, removed, rest: false };
    let parts = vec![Part { path: path.clone(), body: after }];
    Ok(Some(Change { file: None, parts, told, settles: None, lines: None, along: Vec::new(), holding: holding(&is) }))
}
