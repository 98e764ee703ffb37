//! Reading an archived session for whoever judges it. A folder whose record cannot be read is an error; what does not agree with
//! the record (a hash, the chain) is a finding that is told with it.

use std::fs::{File, OpenOptions};
use std::io::{BufRead as _, BufReader, Read};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use augment_core::adherence;
use augment_core::ledger::Hash;
use augment_core::ledger::copy::{CopyCheck, Extent};
use rustix::fs::OFlags;
use serde::Deserialize;

use super::form::{ArtifactCheck, FORM, SessionRecord, StepOutcome, moment};
use super::lines;

pub const RECORD: &str = "session.json";
pub const SUMMARY: &str = "summary.md";
pub const LEDGER: &str = "ledger.jsonl";

/// The longest record or summary that is read.
const MAX_TEXT: u64 = 8 * 1_024 * 1_024;
/// The longest part of a ledger, in bytes and in records.
const MAX_LEDGER: u64 = 1_024 * 1_024 * 1_024;
const MAX_RECORDS: u64 = 1_000_000;
/// How many folders are looked at as archives.
pub const MAX_SESSIONS: usize = 100_000;

#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    #[error("{} cannot be read: {source}.", path.display())]
    Unreadable { path: PathBuf, source: std::io::Error },
    #[error("{} is no plain file. Archives hold only plain files; links are not followed.", path.display())]
    NoFile { path: PathBuf },
    #[error("{} is longer than {limit} bytes and was not read.", path.display())]
    TooLong { path: PathBuf, limit: u64 },
    #[error("{} is no session record: {problem}.", path.display())]
    Malformed { path: PathBuf, problem: String },
    #[error(
        "{} is written in the form {}, and this program knows {FORM}. Update Augment Orchestrator to read it.",
        path.display(), augment_core::text::quoted(form)
    )]
    OtherForm { path: PathBuf, form: String },
    #[error("{} holds more than {MAX_RECORDS} records and was not read.", path.display())]
    TooManyRecords { path: PathBuf },
    #[error("{} holds more than {MAX_SESSIONS} folders. Name those that should be looked at.", path.display())]
    TooMany { path: PathBuf },
}

/// The folders of an archive that hold a session's record, in the order of their names.
pub fn sessions(archive: &Path) -> Result<Vec<PathBuf>, ArchiveError> {
    let unreadable = |source| ArchiveError::Unreadable { path: archive.to_owned(), source };
    let entries = match std::fs::read_dir(archive) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(unreadable(error)),
    };
    let mut folders = Vec::new();
    for entry in entries {
        let entry = entry.map_err(unreadable)?;
        if !entry.file_type().map_err(unreadable)?.is_dir() || !entry.path().join(RECORD).exists() {
            continue;
        }
        if folders.len() == MAX_SESSIONS {
            return Err(ArchiveError::TooMany { path: archive.to_owned() });
        }
        folders.push(entry.path());
    }
    folders.sort();
    Ok(folders)
}

/// The record of an archived session.
pub fn record(folder: &Path) -> Result<SessionRecord, ArchiveError> {
    #[derive(Deserialize)]
    struct OnlyForm {
        form: String,
    }
    let path = folder.join(RECORD);
    let text = text(&path)?;
    let malformed = |problem: String| ArchiveError::Malformed { path: path.clone(), problem };
    let only: OnlyForm = serde_json::from_str(&text).map_err(|error| malformed(error.to_string()))?;
    if only.form != FORM {
        return Err(ArchiveError::OtherForm { path, form: only.form });
    }
    let record: SessionRecord = serde_json::from_str(&text).map_err(|error| malformed(error.to_string()))?;
    let moments = [("startedAt", &record.started_at), ("endedAt", &record.ended_at)]
        .into_iter()
        .chain(record.confirmed_at.iter().map(|at| ("confirmedAt", at)))
        .chain(record.steps.iter().map(|step| ("steps.at", &step.at)));
    for (key, value) in moments {
        if moment(value).is_none() {
            let value = augment_core::text::quoted(value);
            return Err(malformed(format!("`{key}` is {value}, which is no moment like 2026-11-16T10:00:00Z")));
        }
    }
    let hashes = [
        ("ledger.head", &record.ledger.head),
        ("files.summary.md", &record.files.summary),
        ("files.ledger.jsonl", &record.files.ledger),
    ];
    for (key, value) in hashes {
        if Hash::from_hex(value).is_none() {
            return Err(malformed(format!("`{key}` is {}, which is no hash", augment_core::text::quoted(value))));
        }
    }
    Ok(record)
}

/// All that counts for how a session kept to its protocols.
pub fn archived(folder: &Path, record: &SessionRecord) -> Result<adherence::Archived, ArchiveError> {
    let mut file_faults = Vec::new();
    let headings = summary(folder, record, &mut file_faults)?;
    let ledger = ledger(folder, record, &mut file_faults)?;
    let task = |task: &super::form::TaskRecord| adherence::Task { id: task.id.clone(), has_ended: task.end.is_some() };
    let step = |step: &super::form::StepRecord| adherence::Step {
        name: step.step.clone(),
        outcome: match step.outcome {
            StepOutcome::Done => adherence::Outcome::Done,
            StepOutcome::Failed => adherence::Outcome::Failed,
            StepOutcome::Skipped => adherence::Outcome::Skipped,
            StepOutcome::Waiting => adherence::Outcome::Waiting,
        },
        evidence: step.evidence.iter().filter(|evidence| !evidence.trim().is_empty()).count(),
    };
    let artifact = |artifact: &super::form::ArtifactRecord| adherence::Artifact {
        path: artifact.path.clone(),
        check: match artifact.check {
            ArtifactCheck::Present => adherence::Check::Present,
            ArtifactCheck::Missing => adherence::Check::Missing,
            ArtifactCheck::Differs => adherence::Check::Differs,
        },
        has_hash: artifact.hash.is_some(),
        is_received: artifact.received,
    };
    Ok(adherence::Archived {
        session_protocol: record.protocol.session.clone(),
        completion_protocol: record.protocol.completion.clone(),
        is_confirmed: record.confirmed_at.is_some(),
        outcome: record.outcome.clone(),
        tasks: record.tasks.iter().map(task).collect(),
        steps: record.steps.iter().map(step).collect(),
        artifacts: record.artifacts.iter().map(artifact).collect(),
        metrics: record.metrics.len(),
        tags: record.tags.iter().filter(|tag| !tag.trim().is_empty()).count(),
        headings,
        records: ledger.records,
        ledger_fault: ledger.fault,
        file_faults,
    })
}

/// What the summary tells of.
fn summary(folder: &Path, record: &SessionRecord, faults: &mut Vec<String>) -> Result<Vec<String>, ArchiveError> {
    let path = folder.join(SUMMARY);
    if is_absent(&path) {
        faults.push(format!("{SUMMARY} is missing."));
        return Ok(Vec::new());
    }
    let text = text(&path)?;
    if blake3::hash(text.as_bytes()).to_hex().as_str() != record.files.summary {
        faults.push(format!("{SUMMARY} was changed after it was archived."));
    }
    Ok(text.lines().filter_map(told_of).map(str::to_owned).collect())
}

/// What a line of a summary begins to tell of: a heading, or an entry of one word such as `- Outcome: …`.
fn told_of(line: &str) -> Option<&str> {
    if let Some(heading) = line.strip_prefix('#') {
        return Some(heading.trim_start_matches('#').trim());
    }
    let (name, value) = line.strip_prefix("- ")?.split_once(": ")?;
    (name.chars().all(char::is_alphabetic) && !value.trim().is_empty()).then_some(name)
}

struct Ledger {
    records: Vec<adherence::Record>,
    fault: Option<String>,
}

/// Follows the session's part of the ledger. The first thing that is wrong with it is told; what counts is read to its end all the same.
fn ledger(folder: &Path, record: &SessionRecord, faults: &mut Vec<String>) -> Result<Ledger, ArchiveError> {
    let path = folder.join(LEDGER);
    let mut found = Ledger { records: Vec::new(), fault: None };
    if is_absent(&path) {
        faults.push(format!("{LEDGER} is missing."));
        found.fault = Some("There are no records.".to_owned());
        return Ok(found);
    }
    let unreadable = |source| ArchiveError::Unreadable { path: path.clone(), source };
    let file = open(&path, MAX_LEDGER)?;
    let mut reader = BufReader::new(file.take(MAX_LEDGER));
    let mut hasher = blake3::Hasher::new();
    let mut check = CopyCheck::new(Extent::Part, None);
    let (mut line, mut number) = (String::new(), 0_u64);
    loop {
        line.clear();
        let limit = lines::MAX_LINE as u64;
        let length = (&mut reader).take(limit).read_line(&mut line).map_err(unreadable)?;
        if length == 0 {
            break;
        }
        number += 1;
        if length as u64 == limit {
            return Err(ArchiveError::TooLong { path, limit });
        }
        if number > MAX_RECORDS {
            return Err(ArchiveError::TooManyRecords { path });
        }
        hasher.update(line.as_bytes());
        let wrong = match lines::record(line.trim_end()) {
            Err(problem) => Some(format!("Line {number} of {LEDGER} is no record: {problem}.")),
            Ok(copied) => {
                found.records.extend(counted(&copied.link.record));
                check.next(&copied).err().map(|broken| broken.to_string())
            }
        };
        found.fault = found.fault.or(wrong);
    }
    if hasher.finalize().to_hex().as_str() != record.files.ledger {
        faults.push(format!("{LEDGER} was changed after it was archived."));
    }
    let said = &record.ledger;
    let is_as_said = (check.records(), check.first().unwrap_or(0), check.head().sequence)
        == (said.records, said.first, said.last)
        && check.head().hash.to_string() == said.head;
    if found.fault.is_none() && !is_as_said {
        found.fault = Some(format!(
            "{RECORD} tells of {} records from {} to {}, and {LEDGER} holds {} from {} to {}, or another last one.",
            said.records,
            said.first,
            said.last,
            check.records(),
            check.first().unwrap_or(0),
            check.head().sequence
        ));
    }
    Ok(found)
}

/// What counts of a record; most do not.
fn counted(record: &augment_core::ledger::Record) -> Option<adherence::Record> {
    #[derive(Default, Deserialize)]
    struct Report {
        level: Option<String>,
        task: Option<String>,
    }
    let is_session = record.kind.starts_with("session.");
    if !is_session && !matches!(record.kind.as_str(), "task.claimed" | "run.began" | "file.changed") {
        return None;
    }
    let report: Report = if record.kind == "session.reported" {
        serde_json::from_str(&record.data).unwrap_or_default()
    } else {
        Report::default()
    };
    Some(adherence::Record { kind: record.kind.clone(), level: report.level, task: report.task })
}

fn is_absent(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound)
}

/// A plain file that is no longer than the limit. Nothing else is opened: a pipe would wait for ever.
fn open(path: &Path, limit: u64) -> Result<File, ArchiveError> {
    let unreadable = |source| ArchiveError::Unreadable { path: path.to_owned(), source };
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY).bits().cast_signed();
    let file = match OpenOptions::new().read(true).custom_flags(flags).open(path) {
        Ok(file) => file,
        Err(error) if error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error()) => {
            return Err(ArchiveError::NoFile { path: path.to_owned() });
        }
        Err(error) => return Err(unreadable(error)),
    };
    let metadata = file.metadata().map_err(unreadable)?;
    if !metadata.is_file() {
        return Err(ArchiveError::NoFile { path: path.to_owned() });
    }
    if metadata.len() > limit {
        return Err(ArchiveError::TooLong { path: path.to_owned(), limit });
    }
    Ok(file)
}

fn text(path: &Path) -> Result<String, ArchiveError> {
    let mut text = String::new();
    let read = open(path, MAX_TEXT)?.take(MAX_TEXT).read_to_string(&mut text);
    read.map_err(|source| ArchiveError::Unreadable { path: path.to_owned(), source })?;
    Ok(text)
}
