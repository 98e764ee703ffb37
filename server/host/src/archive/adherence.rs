//! What an archive says to whoever judges how its session kept to the protocols. A record that cannot be read is an error; a
//! file that does not agree with the record is a finding that is told with the rest. Nothing here judges a session.

use augment_core::adherence;
use augment_core::closing::{Check, StepName, StepOutcome};
use augment_core::file::ContentHash;
use serde::Deserialize;

use super::form::{Artifact, CompletionStep, LEDGER, SUMMARY, SessionRecord};
use super::read::{ReadError, Shelf};
use super::verify::{Unsound, follow_ledger};

/// All that counts for how a session kept to its protocols.
pub fn archived(shelf: &Shelf, name: &str, record: &SessionRecord) -> Result<adherence::Archived, ReadError> {
    let mut file_faults = Vec::new();
    let headings = headings(shelf, name, record, &mut file_faults)?;
    let (records, ledger_fault) = ledger(shelf, name, record, &mut file_faults)?;
    let tasks = record
        .tasks
        .iter()
        .filter_map(|task| Some(adherence::Task { id: task.id.clone()?, has_ended: task.end.is_some() }));
    Ok(adherence::Archived {
        session_protocol: record.protocol.session.clone(),
        completion_protocol: record.protocol.completion.clone(),
        is_confirmed: record.confirmed_at.is_some(),
        outcome: record.outcome.clone(),
        tasks: tasks.collect(),
        steps: record.steps.iter().filter_map(step).collect(),
        artifacts: record.artifacts.iter().filter_map(artifact).collect(),
        metrics: record.metrics.len(),
        tags: record.tags.iter().filter(|tag| !tag.trim().is_empty()).count(),
        headings,
        records,
        ledger_fault,
        file_faults,
    })
}

/// The schema has no other names than these.
fn step(step: &CompletionStep) -> Option<adherence::Step> {
    let evidence = step.evidence.iter().filter(|evidence| !evidence.trim().is_empty()).count();
    Some(adherence::Step {
        name: StepName::from_name(&step.step)?,
        outcome: StepOutcome::from_name(&step.outcome)?,
        evidence,
    })
}

fn artifact(artifact: &Artifact) -> Option<adherence::Artifact> {
    Some(adherence::Artifact {
        path: artifact.path.clone(),
        check: Check::from_name(&artifact.check)?,
        has_hash: artifact.hash.is_some(),
        is_received: artifact.received,
    })
}

/// What the summary tells of.
fn headings(
    shelf: &Shelf,
    name: &str,
    record: &SessionRecord,
    faults: &mut Vec<String>,
) -> Result<Vec<String>, ReadError> {
    let Some(bytes) = present(shelf.read(name, SUMMARY))? else {
        faults.push(format!("{SUMMARY} is missing."));
        return Ok(Vec::new());
    };
    if ContentHash::of(&bytes).to_string() != record.files.summary {
        faults.push(format!("{SUMMARY} was changed after it was archived."));
    }
    Ok(String::from_utf8_lossy(&bytes).lines().filter_map(told_of).map(str::to_owned).collect())
}

/// What a line of a summary begins to tell of: a heading, or an entry of one word such as `- Outcome: …`.
fn told_of(line: &str) -> Option<&str> {
    if let Some(heading) = line.strip_prefix('#') {
        return Some(heading.trim_start_matches('#').trim());
    }
    let (name, value) = line.strip_prefix("- ")?.split_once(": ")?;
    (name.chars().all(char::is_alphabetic) && !value.trim().is_empty()).then_some(name)
}

/// The records that count, to the end of the file also where something is wrong with one, and the first thing that is.
fn ledger(
    shelf: &Shelf,
    name: &str,
    record: &SessionRecord,
    faults: &mut Vec<String>,
) -> Result<(Vec<adherence::Record>, Option<String>), ReadError> {
    let Some(bytes) = present(shelf.ledger(name))? else {
        faults.push(format!("{LEDGER} is missing."));
        return Ok((Vec::new(), Some("There are no records.".to_owned())));
    };
    if ContentHash::of(&bytes).to_string() != record.files.ledger {
        faults.push(format!("{LEDGER} was changed after it was archived."));
    }
    let mut records = Vec::new();
    let followed = follow_ledger(&bytes, &record.ledger, |copied| records.extend(counted(&copied.link.record)));
    let fault = followed.err().map(|unsound| match unsound {
        Unsound::Chain { found } => found.to_string(),
        unsound @ (Unsound::Read(_)
        | Unsound::Changed { .. }
        | Unsound::Line { .. }
        | Unsound::Count { .. }
        | Unsound::Place { .. }
        | Unsound::OtherHead { .. }) => unsound.to_string(),
    });
    Ok((records, fault))
}

fn present(read: Result<Vec<u8>, ReadError>) -> Result<Option<Vec<u8>>, ReadError> {
    match read {
        Ok(bytes) => Ok(Some(bytes)),
        Err(ReadError::Missing { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// What counts of a record; most do not.
fn counted(record: &augment_core::ledger::Record) -> Option<adherence::Record> {
    #[derive(Default, Deserialize)]
    struct Data {
        level: Option<String>,
        task: Option<String>,
        /// Why a session began by itself.
        automatic: Option<String>,
        /// The documents that an end has changed.
        changed: Option<Vec<String>>,
    }
    let is_session = record.kind.starts_with("session.");
    if !is_session && !matches!(record.kind.as_str(), "task.claimed" | "run.began" | "file.changed") {
        return None;
    }
    let data: Data = if matches!(record.kind.as_str(), "session.started" | "session.reported" | "session.ended") {
        serde_json::from_str(&record.data).unwrap_or_default()
    } else {
        Data::default()
    };
    Some(adherence::Record {
        kind: record.kind.clone(),
        level: data.level,
        task: data.task,
        is_automatic: data.automatic.is_some(),
        documents: data.changed.map(|changed| changed.len()),
    })
}
