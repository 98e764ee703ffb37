//! The story of one file as its weave and the ledger have it: each step says what happened, not only that something did.
//!
//! Some decisions of a weave are nobody's order: an edit that takes pending lines back rejects them, an author who undoes
//! their own edit settles it, a decision that could not be written is given back. They are told as what they are.

use augment_core::attribution::Author;
use augment_core::file::{Body, FileState};
use augment_core::ledger::{Record, Topic};
use augment_core::review::TrackedFile;
use augment_core::weave::{Decision, DecisionKind, Revision, Standing, Weave};
use augment_host::store::{LedgerQuery, Snapshot, StoreError};
use augment_protocol::changes as wire;
use serde_json::Value;

use super::to_wire::{self, Names};

const STEPS_SHOWN: usize = 1_000;
/// How many records about branches are looked at.
const RECORDS: usize = 100;

pub(super) fn history(snapshot: &Snapshot<'_>, file: &TrackedFile) -> Result<wire::FileHistory, StoreError> {
    let names = Names::new(snapshot);
    let weave = &file.weave;
    let base = "what was there before".to_owned();
    let mut steps = vec![step(weave.since(), 0, wire::StepKind::Base, Names::before(), base)];
    for revision in weave.revisions().iter().filter(|revision| revision.step > weave.since()) {
        steps.push(revision_step(&names, weave, revision)?);
    }
    let deciders = snapshot.deciders(file.number)?;
    let decider = |decision: &Decision| deciders.iter().find(|(no, _)| *no == decision.no).map(|(_, who)| who.as_str());
    for decision in weave.decisions() {
        steps.extend(decision_step(&names, weave, decision, &decider)?);
    }
    steps.sort_by_key(|step| step.step);
    with_branches(snapshot, file, &mut steps)?;
    let more = steps.len() > STEPS_SHOWN;
    if more {
        steps.drain(..steps.len() - STEPS_SHOWN);
    }
    Ok(wire::FileHistory { path: file.path().to_text(), steps, more })
}

fn step(step: u32, time: i64, kind: wire::StepKind, author: wire::Author, summary: String) -> wire::HistoryStep {
    wire::HistoryStep { step, time, kind, author, evidence: None, added: 0, removed: 0, summary }
}

fn revision_step(names: &Names<'_>, weave: &Weave, revision: &Revision) -> Result<wire::HistoryStep, StoreError> {
    let (added, removed) = weave.size_of(revision.no);
    // Only what changed the file as a whole has to be compared with what was there before.
    let states = if weave.is_about_the_whole(revision.no) {
        weave.at(revision.step.saturating_sub(1)).zip(weave.at(revision.step))
    } else {
        None
    };
    let (kind, mut said) = states.map_or((wire::StepKind::Revision, Vec::new()), |(old, new)| whole(&old, &new));
    if added > 0 || removed > 0 || said.is_empty() {
        said.push(format!("+{added} −{removed}"));
    }
    let author = names.author(&revision.author)?;
    Ok(wire::HistoryStep {
        evidence: Some(to_wire::evidence(revision.evidence)),
        added,
        removed,
        ..step(revision.step, revision.time.0, kind, author, said.join(", "))
    })
}

/// What happened to the file as a whole, in words.
fn whole(old: &FileState, new: &FileState) -> (wire::StepKind, Vec<String>) {
    let mut said = Vec::new();
    let kind = match (&old.body, &new.body) {
        (Body::Absent, Body::Absent) => wire::StepKind::Revision,
        (Body::Absent, _) => {
            said.push("created".to_owned());
            wire::StepKind::Created
        }
        (_, Body::Absent) => {
            said.push("deleted".to_owned());
            wire::StepKind::Deleted
        }
        (_, _) if old.path != new.path => wire::StepKind::Renamed,
        (_, _) => wire::StepKind::Revision,
    };
    if old.path != new.path {
        said.push(format!("renamed from {}", old.path.to_text()));
    }
    said.extend(content(&old.body, &new.body));
    if old.mode != new.mode && old.mode != 0 && new.mode != 0 {
        said.push(format!("mode {:o} → {:o}", old.mode, new.mode));
    }
    (kind, said)
}

/// What the content has become, where lines do not tell.
fn content(old: &Body, new: &Body) -> Option<String> {
    if old == new {
        return None;
    }
    match new {
        Body::Link(target) => Some(format!("a link to {}", String::from_utf8_lossy(target))),
        Body::Whole { length, .. } => Some(format!("{length} bytes")),
        Body::Large { length, .. } => Some(format!("{length} bytes, too large to keep")),
        Body::Special => Some("no file any more".to_owned()),
        Body::Text(_) => match old {
            Body::Link(_) => Some("no link any more".to_owned()),
            Body::Whole { .. } | Body::Large { .. } | Body::Special => Some("text now".to_owned()),
            Body::Absent | Body::Text(_) => None,
        },
        Body::Absent => None,
    }
}

/// `None` for a step that another one tells.
fn decision_step<'a>(
    names: &Names<'_>,
    weave: &Weave,
    decision: &Decision,
    decider: &dyn Fn(&Decision) -> Option<&'a str>,
) -> Result<Option<wire::HistoryStep>, StoreError> {
    let by = decider(decision);
    let made =
        |kind, author, summary: &str| Ok(Some(step(decision.no.0, decision.time.0, kind, author, summary.to_owned())));
    let host = || wire::Author { name: Some("the host".to_owned()), ..plain(wire::AuthorKind::Unknown) };
    let verdict = match decision.kind {
        DecisionKind::Undid(_) => {
            let (kind, summary) = match (by, is_undoing(weave, decision)) {
                (Some(_), true) => (wire::StepKind::Undone, "a decision was taken back"),
                (Some(_), false) => (wire::StepKind::Redone, "a decision was made again"),
                (None, _) => (wire::StepKind::Undone, "as it was: the file was not written"),
            };
            return made(kind, if by.is_some() { named(by) } else { host() }, summary);
        }
        DecisionKind::Decided(verdict) => verdict,
    };
    let edit = edit_before(weave, decision);
    match (verdict, by, edit) {
        (Standing::Approved, Some(by), _) if by.starts_with("commit:") => {
            made(wire::StepKind::Approved, named(Some(by)), "approved by committing it")
        }
        (Standing::Approved, Some(by), _) => made(wire::StepKind::Approved, named(Some(by)), "approved"),
        (Standing::Rejected, Some("vcs"), _) => {
            made(wire::StepKind::TakenBack, named(by), "taken back by version control")
        }
        (Standing::Rejected, Some(_), Some(edit)) if follows_a_fold(weave, decision, edit, decider) => {
            made(wire::StepKind::TakenBack, names.author(&edit.author)?, "taken back by the person's own edit")
        }
        (Standing::Rejected, Some(by), _) => made(wire::StepKind::Rejected, named(Some(by)), "rejected"),
        (Standing::Rejected, None, Some(edit)) if decision.undone_by.is_none() => {
            // An edit gives its marks up for the rejection that it implies, which is told by itself.
            if implies_rejections(edit) {
                return Ok(None);
            }
            made(wire::StepKind::TakenBack, names.author(&edit.author)?, "taken back by its own author")
        }
        (Standing::Rejected, None, _) => made(wire::StepKind::Rejected, host(), "rejected, but not written"),
        (Standing::Approved, None, _) => made(wire::StepKind::Approved, host(), "approved"),
        (Standing::Pending, _, _) => made(wire::StepKind::Undone, named(by), "a decision was taken back"),
    }
}

/// An undo takes a decision back, the next one brings it back again, and so on.
fn is_undoing(weave: &Weave, decision: &Decision) -> bool {
    let mut undoing = false;
    let mut kind = decision.kind;
    while let DecisionKind::Undid(of) = kind {
        undoing = !undoing;
        // What is undone came before, so this ends.
        match weave.decisions().iter().find(|known| known.no == of && known.no < decision.no) {
            Some(known) => kind = known.kind,
            None => break,
        }
    }
    undoing
}

/// The edit that a decision was made with, in one step of time.
fn edit_before<'a>(weave: &'a Weave, decision: &Decision) -> Option<&'a Revision> {
    let last = weave.revisions().iter().rfind(|revision| revision.step < decision.no.0);
    last.filter(|revision| revision.time == decision.time)
}

fn implies_rejections(edit: &Revision) -> bool {
    match edit.author {
        Author::Person { .. } | Author::Vcs => true,
        Author::Run(_) | Author::Unknown => false,
    }
}

/// Whether a rejection was implied by an edit: then a decision of nobody's, in which the edit gave its marks up, comes
/// right before it.
fn follows_a_fold<'a>(
    weave: &Weave,
    decision: &Decision,
    edit: &Revision,
    decider: &dyn Fn(&Decision) -> Option<&'a str>,
) -> bool {
    let before = weave.decisions().iter().rfind(|known| known.no < decision.no);
    let is_fold = |before: &Decision| {
        before.no.0 + 1 == decision.no.0 && before.time == decision.time && decider(before).is_none()
    };
    implies_rejections(edit) && before.is_some_and(is_fold)
}

fn plain(kind: wire::AuthorKind) -> wire::Author {
    wire::Author { kind, name: None, run: None, task: None, task_title: None }
}

/// Who decided, as the ledger names them, in the words of the wire.
fn named(actor: Option<&str>) -> wire::Author {
    let with = |kind, name: &str| wire::Author { name: Some(name.to_owned()), ..plain(kind) };
    match actor.and_then(|actor| actor.split_once(':')) {
        Some(("person", name)) => with(wire::AuthorKind::Person, name),
        Some(("commit", commit)) => with(wire::AuthorKind::Vcs, commit),
        Some(_) | None => match actor {
            Some("vcs") => plain(wire::AuthorKind::Vcs),
            Some("host") => with(wire::AuthorKind::Person, "the policy"),
            Some(_) | None => plain(wire::AuthorKind::Unknown),
        },
    }
}

/// Puts in what came and went with branches: that is no step of the weave, since nothing was done to the file then.
fn with_branches(
    snapshot: &Snapshot<'_>,
    file: &TrackedFile,
    steps: &mut Vec<wire::HistoryStep>,
) -> Result<(), StoreError> {
    // What a purge has let go of is not told half.
    let since = if file.weave.since() == 0 { Some(0) } else { steps.get(1).map(|step| step.time) };
    let Some(since) = since else { return Ok(()) };
    let mut found = Vec::new();
    for kind in ["file.parked", "file.returned", "file.came-back"] {
        let topics = vec![Topic::File(file.path().clone()).to_string(), format!("kind:{kind}")];
        let query = LedgerQuery { topics, limit: RECORDS, ..LedgerQuery::default() };
        found.extend(snapshot.records(&query)?.links.into_iter().map(|link| link.record));
    }
    found.sort_by_key(|record| record.sequence);
    for record in found.iter().filter(|record| record.time.0 >= since) {
        let at = steps.iter().rposition(|step| step.time <= record.time.0).map_or(steps.len(), |at| at + 1);
        let before = steps.get(at.saturating_sub(1)).map_or(0, |step| step.step);
        steps.insert(at, branch_step(record, before));
    }
    Ok(())
}

fn branch_step(record: &Record, before: u32) -> wire::HistoryStep {
    let data: Value = serde_json::from_str(&record.data).unwrap_or_default();
    let branch = data.get("branch").and_then(Value::as_str).unwrap_or_default();
    let summary = match record.kind.as_str() {
        "file.parked" => format!("what waits stays with the branch {branch}"),
        "file.returned" => format!("came back with the branch {branch}"),
        _ => "came back: version control gave back what it had taken away".to_owned(),
    };
    let kind = if record.kind == "file.parked" { wire::StepKind::Parked } else { wire::StepKind::CameBack };
    step(before, record.time.0, kind, plain(wire::AuthorKind::Vcs), summary)
}
