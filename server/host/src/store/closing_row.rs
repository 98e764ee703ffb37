//! Closings as rows: whether something is left to be done has a column, the rest lies beside it as JSON.

use augment_core::closing::{Artifact, Check, Closing, Delivered, Feedback, Step, StepName, StepOutcome};
use augment_core::file::FilePath;
use augment_core::session::SessionId;
use augment_core::time::Wall;
use rusqlite::{Connection, OptionalExtension as _, Row, params};
use serde::{Deserialize, Serialize};

use super::file_row::damaged;
use super::rows;

#[derive(Serialize, Deserialize)]
struct Rest {
    protocol: String,
    steps: Vec<RestStep>,
    acknowledged_by: Option<String>,
    declared: Vec<String>,
    deliver: Option<String>,
    artifacts: Vec<RestArtifact>,
    learnings: Vec<String>,
    rating: Option<u32>,
    feedback: Option<String>,
    tags: Vec<String>,
    archive: Option<String>,
    #[serde(default)]
    notices: u32,
    sealed: bool,
}

#[derive(Serialize, Deserialize)]
struct RestStep {
    name: String,
    outcome: String,
    evidence: Vec<String>,
    at: Option<i64>,
    tries: u32,
}

#[derive(Serialize, Deserialize)]
struct RestArtifact {
    path: String,
    hash: Option<String>,
    size: Option<u64>,
    check: String,
    delivered: String,
    received: bool,
}

impl From<&Step> for RestStep {
    fn from(step: &Step) -> Self {
        Self {
            name: step.name.name().to_owned(),
            outcome: step.outcome.name().to_owned(),
            evidence: step.evidence.clone(),
            at: step.at.map(|at| at.0),
            tries: step.tries,
        }
    }
}

impl From<&Artifact> for RestArtifact {
    fn from(artifact: &Artifact) -> Self {
        Self {
            path: artifact.path.clone(),
            hash: artifact.hash.clone(),
            size: artifact.size,
            check: artifact.check.name().to_owned(),
            delivered: artifact.delivered.to_string(),
            received: artifact.received,
        }
    }
}

fn step(step: RestStep) -> rusqlite::Result<Step> {
    let unknown = |what: &str| damaged(format!("a step of a session cannot be read: {what}"));
    Ok(Step {
        name: StepName::from_name(&step.name).ok_or_else(|| unknown(&step.name))?,
        outcome: StepOutcome::from_name(&step.outcome).ok_or_else(|| unknown(&step.outcome))?,
        evidence: step.evidence,
        at: step.at.map(Wall),
        tries: step.tries,
    })
}

fn artifact(artifact: RestArtifact) -> rusqlite::Result<Artifact> {
    let check = Check::from_name(&artifact.check);
    Ok(Artifact {
        check: check.ok_or_else(|| damaged(format!("an artifact cannot be read: {}", artifact.check)))?,
        path: artifact.path,
        hash: artifact.hash,
        size: artifact.size,
        delivered: Delivered::read(&artifact.delivered),
        received: artifact.received,
    })
}

fn path(text: &str) -> rusqlite::Result<FilePath> {
    FilePath::from_text(text).map_err(|problem| damaged(format!("a path of a session cannot be read: {problem}")))
}

fn number(id: SessionId) -> i64 {
    i64::try_from(id.0).unwrap_or(i64::MAX)
}

pub(super) fn put(connection: &Connection, closing: &Closing) -> rusqlite::Result<()> {
    let rest = Rest {
        protocol: closing.protocol.clone(),
        steps: closing.steps.iter().map(RestStep::from).collect(),
        acknowledged_by: closing.acknowledged_by.clone(),
        declared: closing.declared.iter().map(FilePath::to_text).collect(),
        deliver: closing.deliver.as_ref().map(FilePath::to_text),
        artifacts: closing.artifacts.iter().map(RestArtifact::from).collect(),
        learnings: closing.learnings.clone(),
        rating: closing.feedback.as_ref().map(|feedback| feedback.rating),
        feedback: closing.feedback.as_ref().and_then(|feedback| feedback.text.clone()),
        tags: closing.tags.clone(),
        archive: closing.archive.clone(),
        notices: closing.notices,
        sealed: closing.sealed,
    };
    let data = serde_json::to_string(&rest).map_err(|error| damaged(error.to_string()))?;
    connection
        .prepare_cached("INSERT OR REPLACE INTO closing (session, is_open, data) VALUES (?1, ?2, ?3)")?
        .execute(params![number(closing.session), closing.is_open(), data])
        .map(drop)
}

fn read(row: &Row<'_>) -> rusqlite::Result<Closing> {
    let rest: Rest = serde_json::from_str(row.get_ref(1)?.as_str()?)
        .map_err(|error| damaged(format!("the steps of a session cannot be read: {error}")))?;
    Ok(Closing {
        session: SessionId(u64::try_from(row.get::<_, i64>(0)?).unwrap_or(0)),
        protocol: rest.protocol,
        steps: rest.steps.into_iter().map(step).collect::<rusqlite::Result<_>>()?,
        acknowledged_by: rest.acknowledged_by,
        declared: rest.declared.iter().map(|text| path(text)).collect::<rusqlite::Result<_>>()?,
        deliver: rest.deliver.as_deref().map(path).transpose()?,
        artifacts: rest.artifacts.into_iter().map(artifact).collect::<rusqlite::Result<_>>()?,
        learnings: rest.learnings,
        feedback: rest.rating.map(|rating| Feedback { rating, text: rest.feedback }),
        tags: rest.tags,
        archive: rest.archive,
        notices: rest.notices,
        sealed: rest.sealed,
    })
}

pub(super) fn find(connection: &Connection, session: SessionId) -> rusqlite::Result<Option<Closing>> {
    connection
        .prepare_cached("SELECT session, data FROM closing WHERE session = ?1")?
        .query_row([number(session)], read)
        .optional()
}

/// Where the archives of sessions were written, the oldest first.
pub(super) fn archives(connection: &Connection) -> rusqlite::Result<Vec<(SessionId, String)>> {
    let mut found = Vec::new();
    let mut rows = connection.prepare_cached("SELECT session, data FROM closing ORDER BY session")?;
    let mut rows = rows.query([])?;
    while let Some(row) = rows.next()? {
        let closing = read(row)?;
        found.extend(closing.archive.map(|folder| (closing.session, folder)));
    }
    Ok(found)
}

/// Those of which something is left to be done, oldest first.
pub(super) fn open(connection: &Connection, limit: usize) -> rusqlite::Result<Vec<Closing>> {
    connection
        .prepare_cached("SELECT session, data FROM closing WHERE is_open = 1 ORDER BY session LIMIT ?1")?
        .query_map([rows(limit)], read)?
        .collect()
}
