//! Files, hunks and authors as clients see them. Names of tasks and agents are looked up once for each answer; texts
//! are bounded, since they come from outside.

use std::cell::RefCell;
use std::collections::HashMap;

use augment_core::attribution::{Author, Evidence};
use augment_core::file::{Body, ContentHash, FileState};
use augment_core::id::{RunId, TaskId};
use augment_core::review::TrackedFile;
use augment_core::review::approvers;
use augment_core::review::policy::ReviewPolicy;
use augment_core::session::Flag;
use augment_core::view::View as _;
use augment_core::weave::{Decided, Hunk, HunkLine, Shape, Standing};
use augment_host::store::{Snapshot, StoreError};
use augment_protocol::changes as wire;

use crate::service::{scan, sessions};

/// How many lines of a hunk travel, and how much of each.
const LINES_SHOWN: usize = 200;
const LINE_SHOWN: usize = 500;
/// How many hunks of a file one answer carries.
const HUNKS_SHOWN: usize = 1_000;

/// The agent at work in a run, and the title of its task.
type Behind = (Option<String>, Option<String>);

/// Looks up who is behind a run.
pub(super) struct Names<'a> {
    snapshot: &'a Snapshot<'a>,
    known: RefCell<HashMap<RunId, Behind>>,
}

impl<'a> Names<'a> {
    pub(super) fn new(snapshot: &'a Snapshot<'a>) -> Self {
        Self { snapshot, known: RefCell::new(HashMap::new()) }
    }

    /// The agent's name and the task's title.
    fn of(&self, run: RunId) -> Result<Behind, StoreError> {
        if let Some(known) = self.known.borrow().get(&run) {
            return Ok(known.clone());
        }
        let title = self.snapshot.task(run.task)?.map(|task| task.title);
        let runs = self.snapshot.runs(run.task, 100)?;
        let agent = runs.into_iter().find(|row| row.id == run).map(|row| row.agent);
        self.known.borrow_mut().insert(run, (agent.clone(), title.clone()));
        Ok((agent, title))
    }

    pub(super) fn author(&self, author: &Author) -> Result<wire::Author, StoreError> {
        let plain = |kind, name| wire::Author { kind, name, run: None, task: None, task_title: None };
        Ok(match author {
            Author::Person { name } => plain(wire::AuthorKind::Person, Some(name.clone())),
            Author::Vcs => plain(wire::AuthorKind::Vcs, None),
            Author::Unknown => plain(wire::AuthorKind::Unknown, None),
            Author::Run(run) => {
                let (agent, title) = self.of(*run)?;
                wire::Author {
                    kind: wire::AuthorKind::Run,
                    name: agent,
                    run: Some(run.to_string()),
                    task: Some(run.task.to_string()),
                    task_title: title,
                }
            }
        })
    }

    pub(super) fn before() -> wire::Author {
        wire::Author { kind: wire::AuthorKind::Before, name: None, run: None, task: None, task_title: None }
    }
}

pub(super) fn evidence(evidence: Evidence) -> wire::Evidence {
    match evidence {
        Evidence::Assigned => wire::Evidence::Assigned,
        Evidence::DeclaredContent => wire::Evidence::DeclaredContent,
        Evidence::DeclaredPath => wire::Evidence::DeclaredPath,
        Evidence::Saved => wire::Evidence::Saved,
        Evidence::Applied => wire::Evidence::Applied,
        Evidence::VersionControl => wire::Evidence::VersionControl,
        Evidence::Inferred => wire::Evidence::Inferred,
        Evidence::Unwatched => wire::Evidence::Unwatched,
        Evidence::Nothing => wire::Evidence::Nothing,
    }
}

pub(super) fn standing(standing: Standing) -> wire::Standing {
    match standing {
        Standing::Pending => wire::Standing::Pending,
        Standing::Approved => wire::Standing::Approved,
        Standing::Rejected => wire::Standing::Rejected,
    }
}

pub(super) fn body_kind(body: &Body) -> wire::BodyKind {
    match body {
        Body::Absent => wire::BodyKind::Absent,
        Body::Text(_) => wire::BodyKind::Text,
        Body::Whole { .. } => wire::BodyKind::Whole,
        Body::Link(_) => wire::BodyKind::Link,
        Body::Large { .. } => wire::BodyKind::Large,
        Body::Special => wire::BodyKind::Special,
    }
}

pub(super) fn hash(state: &FileState) -> Option<String> {
    match &state.body {
        Body::Text(text) => Some(ContentHash::of(text).to_string()),
        Body::Whole { hash, .. } => Some(hash.to_string()),
        Body::Absent | Body::Link(_) | Body::Large { .. } | Body::Special => None,
    }
}

/// A file with the hunks that `wanted` lets through.
pub(super) fn file(
    snapshot: &Snapshot<'_>,
    names: &Names<'_>,
    file: &TrackedFile,
    decided: bool,
    wanted: &dyn Fn(&Hunk) -> bool,
) -> Result<wire::ChangedFile, StoreError> {
    let state = file.weave.view();
    let policy = snapshot.view().review_policy()?;
    let flags = waiting_flags(snapshot, &state)?;
    let mut all: Vec<(Hunk, Standing)> = file.weave.hunks().into_iter().map(|hunk| (hunk, Standing::Pending)).collect();
    if decided {
        let runs = |author: &Author| !matches!(author, Author::Person { .. } | Author::Vcs);
        for (which, standing) in [(Decided::Approved, Standing::Approved), (Decided::Rejected, Standing::Rejected)] {
            all.extend(file.weave.decided_hunks(&runs, which).into_iter().map(|hunk| (hunk, standing)));
        }
    }
    all.retain(|(hunk, _)| wanted(hunk));
    let more_hunks = all.len() > HUNKS_SHOWN;
    all.truncate(HUNKS_SHOWN);
    let is_pending = |(_, standing): &&(Hunk, Standing)| *standing == Standing::Pending;
    let pending: Vec<Hunk> = all.iter().filter(is_pending).map(|(hunk, _)| hunk.clone()).collect();
    let mut found = scan::in_hunks(snapshot, &policy.blocks, file, &pending)?.into_iter();
    let mut hunks = Vec::with_capacity(all.len());
    for (hunk, standing) in all {
        let mut told = one_hunk(snapshot, names, file, &state, (&policy, &flags), &hunk, standing)?;
        if standing == Standing::Pending {
            told.findings = found.next().unwrap_or_default();
        }
        hunks.push(told);
    }
    Ok(wire::ChangedFile {
        path: state.path.to_text(),
        body: body_kind(&state.body),
        hash: hash(&state),
        hunks,
        more_hunks,
        awaits_save: file.awaits_save,
    })
}

fn one_hunk(
    snapshot: &Snapshot<'_>,
    names: &Names<'_>,
    file: &TrackedFile,
    state: &FileState,
    (policy, flags): (&ReviewPolicy, &[Flag]),
    hunk: &Hunk,
    stands: Standing,
) -> Result<wire::Hunk, StoreError> {
    let lines = hunk.lines_with_brought_back(&file.weave);
    let inserted: Vec<&HunkLine> = lines.iter().filter(|line| line.inserted && !line.deleted).collect();
    let deleted: Vec<&HunkLine> = lines.iter().filter(|line| line.deleted && !line.inserted).collect();
    let count = |lines: &[&HunkLine]| u32::try_from(lines.len()).unwrap_or(u32::MAX);
    let last = file.weave.revision(hunk.revisions.1);
    let (approved_by, flag) = match stands {
        Standing::Pending => (
            approvers(&snapshot.view(), &hunk.id.to_string())?,
            flags.iter().find(|flag| flag.run.map(|run| run.task) == task_of(&hunk.author)),
        ),
        Standing::Approved | Standing::Rejected => (Vec::new(), None),
    };
    let (line, spans) = place(hunk, state);
    let mut entangled_with = Vec::with_capacity(hunk.entangled.len());
    for author in &hunk.entangled {
        entangled_with.push(names.author(author)?);
    }
    Ok(wire::Hunk {
        findings: Vec::new(),
        flag: flag.filter(|_| is_flaggable(&hunk.author)).map(sessions::to_wire::flag),
        id: hunk.id.to_string(),
        kind: kind(&hunk.shape),
        standing: if approved_by.is_empty() { standing(stands) } else { wire::Standing::HalfApproved },
        author: names.author(&hunk.author)?,
        evidence: last.map_or(wire::Evidence::Nothing, |revision| evidence(revision.evidence)),
        time: last.map_or(0, |revision| revision.time.0),
        line,
        spans,
        added: count(&inserted),
        removed: count(&deleted),
        removed_lines: shown(&deleted),
        added_lines: shown(&inserted),
        summary: summary(&hunk.shape, count(&inserted), count(&deleted)),
        entangled_with,
        flagged: flagged(hunk, state, policy),
        approved_by,
    })
}

/// The flags on a file that wait for an answer.
fn waiting_flags(snapshot: &Snapshot<'_>, state: &FileState) -> Result<Vec<Flag>, StoreError> {
    snapshot.view().flags_open_at(&state.path)
}

fn task_of(author: &Author) -> Option<TaskId> {
    match author {
        Author::Run(run) => Some(run.task),
        Author::Person { .. } | Author::Vcs | Author::Unknown => None,
    }
}

/// Only what runs do, and what nobody is known to have done, is held against a scope.
fn is_flaggable(author: &Author) -> bool {
    match author {
        Author::Run(_) | Author::Unknown => true,
        Author::Person { .. } | Author::Vcs => false,
    }
}

fn kind(shape: &Shape) -> wire::HunkKind {
    use augment_core::weave::Kind;
    match shape {
        Shape::Lines(_) => wire::HunkKind::Lines,
        Shape::Created { .. } => wire::HunkKind::Created,
        Shape::Deleted { .. } => wire::HunkKind::Deleted,
        Shape::Replaced { from: Kind::Link(_), .. } | Shape::Replaced { to: Kind::Link(_), .. } => wire::HunkKind::Link,
        Shape::Replaced { .. } => wire::HunkKind::Replaced,
        Shape::Mode { .. } => wire::HunkKind::Mode,
        Shape::Renamed { .. } => wire::HunkKind::Renamed,
    }
}

/// Where a hunk stands in the file as it is now.
fn place(hunk: &Hunk, state: &FileState) -> (u32, Vec<wire::LineSpan>) {
    match &hunk.shape {
        Shape::Lines(change) => {
            let spans = change.spans.iter().map(|span| wire::LineSpan { start: span.start, end: span.end });
            (change.start, spans.collect())
        }
        Shape::Created { .. } => match &state.body {
            Body::Text(text) => {
                let lines = text.split_inclusive(|byte| *byte == b'\n').count();
                (0, vec![wire::LineSpan { start: 0, end: u32::try_from(lines).unwrap_or(u32::MAX) }])
            }
            Body::Absent | Body::Whole { .. } | Body::Link(_) | Body::Large { .. } | Body::Special => (0, Vec::new()),
        },
        Shape::Deleted { .. } | Shape::Replaced { .. } | Shape::Mode { .. } | Shape::Renamed { .. } => (0, Vec::new()),
    }
}

fn shown(lines: &[&HunkLine]) -> Vec<String> {
    let show = |line: &&HunkLine| {
        let text = String::from_utf8_lossy(&line.text);
        let text = text.trim_end_matches('\n').trim_end_matches('\r');
        augment_core::text::shortened(text, LINE_SHOWN).into_owned()
    };
    lines.iter().take(LINES_SHOWN).map(show).collect()
}

fn summary(shape: &Shape, added: u32, removed: u32) -> String {
    use augment_core::weave::Kind;
    let said = |kind: &Kind| match kind {
        Kind::Absent => "nothing".to_owned(),
        Kind::Text => "text".to_owned(),
        Kind::Whole { length, .. } => format!("{length} bytes"),
        Kind::Link(target) => format!("a link to {}", String::from_utf8_lossy(target)),
        Kind::Large { length, .. } => format!("{length} bytes, too large to keep"),
        Kind::Special => "no file".to_owned(),
    };
    match shape {
        Shape::Lines(_) => match (added, removed) {
            (added, 0) => format!("+{added}"),
            (0, removed) => format!("−{removed}"),
            (added, removed) => format!("+{added} −{removed}"),
        },
        Shape::Created { kind: Kind::Text } => format!("new file, +{added}"),
        Shape::Created { kind } => format!("new: {}", said(kind)),
        Shape::Deleted { .. } => "file deleted".to_owned(),
        Shape::Replaced { from, to } => format!("{} → {}", said(from), said(to)),
        Shape::Mode { from, to } => format!("mode {from:o} → {to:o}"),
        Shape::Renamed { from, .. } => format!("renamed from {}", from.to_text()),
    }
}

fn flagged(hunk: &Hunk, state: &FileState, policy: &ReviewPolicy) -> Option<String> {
    if policy.is_control(state) {
        return Some("It steers editors, agents, hooks or CI, so it always asks.".to_owned());
    }
    match hunk.author {
        Author::Unknown => Some("Nobody is known to have made it. Assign it, or decide about it.".to_owned()),
        Author::Person { .. } | Author::Run(_) | Author::Vcs => None,
    }
}
