//! The handlers of the security scan: what is found in pending hunks or in files, and what a person says may stay. No answer
//! ever holds what was found, only where it is and what it looks like.

use augment_core::file::{Body, FilePath};
use augment_core::refusal::Refusal;
use augment_core::review::{self, AllowDraft, PendingOf, TrackedFile};
use augment_core::scan::{self, Finding};
use augment_core::turn::Command;
use augment_core::view::View as _;
use augment_core::weave::{Decided, Hunk};
use augment_host::files::{self, HardLinks, Root, Thing};
use augment_host::gathering::{self, Below};
use augment_host::store::{Snapshot, StoreError};
use augment_protocol::FAILED;
use augment_protocol::sessions as wire;
use augment_protocol::status::Nothing;
use tower_lsp_server::jsonrpc::{Error, Result};

use super::methods::{Door, no, refusal, snapshot};

/// What one scan looks at, and what one answer carries.
const FILES: usize = 10_000;
const FILE_BYTES: u64 = 32 * 1_024 * 1_024;
const FINDINGS: usize = 1_000;
const NOT_READ: usize = 100;

/// Which kinds of findings stop anything.
type Blocks = Vec<scan::Kind>;

impl Door {
    pub(super) async fn scan(&self, what: wire::ScanFiles) -> Result<wire::ScanResult> {
        self.settle().await?;
        let Some(paths) = what.paths else {
            return snapshot(&self.shared, |snapshot| scan_pending(snapshot, None)).await;
        };
        let below = paths.iter().map(|path| below(path)).collect::<std::result::Result<Vec<_>, _>>();
        let below = below.map_err(|no| refusal(&no))?;
        let (blocks, allowed, today) = snapshot(&self.shared, |snapshot| {
            let view = snapshot.view();
            Ok((blocks(snapshot)?, view.allowed()?, view.governance()?.today.clone()))
        })
        .await?;
        let root = self.shared.workspace.root().to_owned();
        let scanned = tokio::task::spawn_blocking(move || {
            let folder = Root::open(&root, FILE_BYTES, HardLinks::Separate).map_err(|error| error.to_string())?;
            let passes = |path: &FilePath, finding: &Finding| {
                let comment =
                    finding.allowed.as_ref().map(|comment| format!("allowed by a comment: {}", comment.reason));
                let listed = allowed.iter().find(|entry| entry.covers(finding, path, &today));
                listed.map(|entry| format!("allowed until {}: {}", entry.until, entry.reason)).or(comment)
            };
            Ok(scan_files(&root, &folder, &below, &blocks, &passes))
        });
        let scanned: std::result::Result<wire::ScanResult, String> =
            scanned.await.map_err(|_| Error::internal_error())?;
        let mut scanned = scanned.map_err(|message| no(FAILED, "not-readable", message))?;
        snapshot(&self.shared, move |snapshot| {
            acknowledged(snapshot, &mut scanned.findings)?;
            Ok(scanned)
        })
        .await
    }

    pub(super) async fn scan_acknowledge(&self, seen: wire::AcknowledgeFinding) -> Result<wire::ScanResult> {
        let wire::AcknowledgeFinding { hunk, rule, reason } = seen;
        let wanted = hunk.clone();
        self.ask_settled(Command::AcknowledgeFinding { hunk, rule, reason }).await?;
        snapshot(&self.shared, move |snapshot| scan_pending(snapshot, Some(&wanted))).await
    }

    pub(super) async fn scan_allow(&self, allow: wire::AllowFinding) -> Result<wire::ScanAllowList> {
        let wire::AllowFinding { rule, path, until, reason } = allow;
        self.ask(Command::AllowFinding(AllowDraft { rule, path, until, reason })).await?;
        self.scan_allows(Nothing {}).await
    }

    pub(super) async fn scan_allows(&self, _: Nothing) -> Result<wire::ScanAllowList> {
        snapshot(&self.shared, |snapshot| {
            let view = snapshot.view();
            let today = view.governance()?.today.clone();
            let allowed = view.allowed()?.into_iter().map(|entry| wire::ScanAllow {
                expired: entry.is_expired(&today),
                number: entry.number,
                rule: entry.rule,
                path: entry.path,
                until: entry.until,
                reason: entry.reason,
                by: entry.by,
            });
            Ok(wire::ScanAllowList { allowed: allowed.collect() })
        })
        .await
    }

    pub(super) async fn scan_disallow(&self, drop: wire::DropScanAllow) -> Result<wire::ScanAllowList> {
        self.ask(Command::DropAllowed(drop.number)).await?;
        self.scan_allows(Nothing {}).await
    }
}

/// A path as it travels: `.` is the whole workspace.
fn below(path: &str) -> std::result::Result<Below, Refusal> {
    if path == "." {
        return Ok(Below::Workspace);
    }
    let bad = |problem| Refusal::BadPath { path: path.to_owned(), problem };
    FilePath::from_text(path).map(Below::Path).map_err(bad)
}

pub(super) fn blocks(snapshot: &Snapshot<'_>) -> std::result::Result<Blocks, StoreError> {
    Ok(snapshot.view().review_policy()?.blocks)
}

/// What is found in each of these pending hunks of a file.
pub(super) fn in_hunks(
    snapshot: &Snapshot<'_>,
    blocks: &Blocks,
    file: &TrackedFile,
    hunks: &[Hunk],
) -> std::result::Result<Vec<Vec<wire::Finding>>, StoreError> {
    let all = review::findings_in(&snapshot.view(), &file.weave, hunks)?;
    if all.iter().all(Vec::is_empty) {
        return Ok(vec![Vec::new(); hunks.len()]);
    }
    let state = file.weave.view();
    let columns = Columns::new(match &state.body {
        Body::Text(text) => text,
        Body::Absent | Body::Whole { .. } | Body::Link(_) | Body::Large { .. } | Body::Special => b"",
    });
    let to_wire = |(hunk, found): (&Hunk, Vec<review::HunkFinding>)| {
        let id = hunk.id.to_string();
        let one = |it: review::HunkFinding| told(&state.path, &it.finding, &columns, Some(&id), it.passes, blocks);
        found.into_iter().map(one).collect()
    };
    Ok(hunks.iter().zip(all).map(to_wire).collect())
}

fn told(
    path: &FilePath,
    finding: &Finding,
    columns: &Columns<'_>,
    hunk: Option<&str>,
    passes: Option<String>,
    blocks: &Blocks,
) -> wire::Finding {
    let stops = blocks.contains(&finding.rule.kind);
    let not_stopping = || (!stops).then(|| "scan.blocks does not name its kind".to_owned());
    wire::Finding {
        path: path.to_text(),
        rule: finding.rule.id.to_owned(),
        kind: finding.rule.kind.name().to_owned(),
        line: finding.line,
        start: columns.utf16(finding.line, finding.start),
        end: columns.utf16(finding.line, finding.end),
        message: finding.message.clone(),
        hunk: hunk.map(str::to_owned),
        allowed: passes.or_else(not_stopping),
    }
}

/// Columns in bytes as editors count them.
struct Columns<'a> {
    lines: Vec<&'a [u8]>,
}

impl<'a> Columns<'a> {
    fn new(text: &'a [u8]) -> Self {
        Self { lines: text.split(|byte| *byte == b'\n').collect() }
    }

    fn utf16(&self, line: u32, column: u32) -> u32 {
        let line = usize::try_from(line).ok().and_then(|line| self.lines.get(line)).copied().unwrap_or_default();
        let column = usize::try_from(column).unwrap_or(usize::MAX).min(line.len());
        let units = String::from_utf8_lossy(&line[..column]).encode_utf16().count();
        u32::try_from(units).unwrap_or(u32::MAX)
    }
}

/// What is found in all that waits, or in the hunks whose ids begin so.
fn scan_pending(snapshot: &Snapshot<'_>, beginning: Option<&str>) -> std::result::Result<wire::ScanResult, StoreError> {
    let blocks = blocks(snapshot)?;
    let mut result = wire::ScanResult { findings: Vec::new(), files: 0, not_read: Vec::new(), more: false };
    let numbers = snapshot.pending_files(&PendingOf::All, None, FILES + 1)?;
    result.more = numbers.len() > FILES;
    for number in numbers.into_iter().take(FILES) {
        let Some(file) = snapshot.view().file(number)? else { continue };
        result.files += 1;
        let mut hunks = file.weave.hunks();
        hunks.retain(|hunk| beginning.is_none_or(|beginning| hunk.id.to_string().starts_with(beginning)));
        result.findings.extend(in_hunks(snapshot, &blocks, &file, &hunks)?.into_iter().flatten());
        if result.findings.len() > FINDINGS {
            result.findings.truncate(FINDINGS);
            result.more = true;
            break;
        }
    }
    Ok(result)
}

/// What a person has acknowledged in a hunk passes in its file as well, whether it still waits or was approved since.
fn acknowledged(snapshot: &Snapshot<'_>, findings: &mut [wire::Finding]) -> std::result::Result<(), StoreError> {
    for same in findings.chunk_by_mut(|left, right| left.path == right.path) {
        let stopping = same.iter().find(|finding| finding.allowed.is_none());
        let Some(Ok(path)) = stopping.map(|finding| FilePath::from_text(&finding.path)) else { continue };
        let Some(file) = snapshot.view().file_at(&path)? else { continue };
        let mut hunks = file.weave.hunks();
        hunks.extend(file.weave.decided_hunks(&|_| true, Decided::Approved));
        let known = in_hunks(snapshot, &blocks(snapshot)?, &file, &hunks)?.concat();
        for finding in same.iter_mut().filter(|finding| finding.allowed.is_none()) {
            let place = |it: &wire::Finding| (it.rule.clone(), it.line, it.start, it.end);
            let passes = known.iter().find(|it| place(it) == place(finding) && it.allowed.is_some());
            finding.allowed = passes.and_then(|it| it.allowed.clone());
        }
    }
    Ok(())
}

fn scan_files(
    root: &std::path::Path,
    folder: &Root,
    below: &[Below],
    blocks: &Blocks,
    passes: &dyn Fn(&FilePath, &Finding) -> Option<String>,
) -> wire::ScanResult {
    let gathered = gathering::gather(root, below, FILES);
    let mut result =
        wire::ScanResult { findings: Vec::new(), files: 0, not_read: gathered.not_read, more: gathered.more };
    for path in &gathered.files {
        let content = match files::look(folder, path) {
            Ok(look) => match look.thing {
                Thing::File { content, .. } => content,
                // It went or was replaced since it was found.
                Thing::Absent | Thing::Link(_) => continue,
            },
            Err(error) => {
                result.not_read.push(error.to_string());
                continue;
            }
        };
        result.files += 1;
        let found = scan::scan_all(path, &content);
        if !found.is_empty() {
            let columns = Columns::new(&content);
            let to_wire = |finding: &Finding| told(path, finding, &columns, None, passes(path, finding), blocks);
            result.findings.extend(found.iter().map(to_wire));
        }
        if result.findings.len() > FINDINGS {
            result.findings.truncate(FINDINGS);
            result.more = true;
            break;
        }
    }
    result.not_read.truncate(NOT_READ);
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_counted_as_editors_do() {
        let columns = Columns::new("é😀x\nab".as_bytes());
        assert_eq!([0, 2, 6, 7].map(|column| columns.utf16(0, column)), [0, 1, 3, 4]);
        assert_eq!([columns.utf16(1, 1), columns.utf16(1, 9), columns.utf16(7, 1)], [1, 2, 0]);
    }
}
