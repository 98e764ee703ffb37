//! Sessions as rows: what is searched by has columns, the rest lies beside it as JSON. And what was told in them.

use augment_core::id::TaskId;
use augment_core::report::{Progress, TaskEnd};
use augment_core::session::{Item, Level, Moment, Session, SessionId, SessionState, Told};
use augment_core::time::{Boot, Steady, Wall};
use rusqlite::{Connection, OptionalExtension as _, Row, params};
use serde::{Deserialize, Serialize};

use super::file_row::damaged;
use super::run_row::known;
use super::{rows, task_row};

/// What has no column of its own.
#[derive(Serialize, Deserialize)]
struct Rest {
    protocol: String,
    automatic: Option<String>,
    model: Option<String>,
    confirmed: Option<i64>,
    ended: Option<i64>,
    end_reason: Option<String>,
    last_wall: i64,
    phase: Option<String>,
    sprint_goal: Option<String>,
    done: u32,
    total: u32,
    items: Vec<RestItem>,
    paths: Vec<String>,
    streak: u32,
    #[serde(default)]
    checkpoints: u32,
    discovered: Vec<String>,
    goal_told: bool,
    title: Option<String>,
    decisions: Vec<String>,
    agents: Vec<String>,
    documents: Vec<String>,
}

#[derive(Serialize, Deserialize)]
struct RestItem {
    title: String,
    task: Option<u64>,
    goal: Option<String>,
    planned: bool,
    estimate: Option<String>,
    end: Option<String>,
    ended: Option<i64>,
    #[serde(default)]
    attempt: Option<u32>,
}

impl From<&Item> for RestItem {
    fn from(item: &Item) -> Self {
        Self {
            title: item.title.clone(),
            task: item.task.map(TaskId::number),
            goal: item.goal.clone(),
            planned: item.planned,
            estimate: item.estimate.clone(),
            end: item.end.map(|end| end.word().to_owned()),
            ended: item.ended.map(|ended| ended.0),
            attempt: item.attempt,
        }
    }
}

impl From<RestItem> for Item {
    fn from(item: RestItem) -> Self {
        Self {
            title: item.title,
            task: item.task.and_then(TaskId::new),
            goal: item.goal,
            planned: item.planned,
            estimate: item.estimate,
            end: item.end.and_then(|name| TaskEnd::ALL.into_iter().find(|end| end.word() == name)),
            ended: item.ended.map(Wall),
            attempt: item.attempt,
        }
    }
}

fn number(id: SessionId) -> i64 {
    i64::try_from(id.0).unwrap_or(i64::MAX)
}

fn unsigned(row: &Row<'_>, at: usize) -> rusqlite::Result<u64> {
    Ok(u64::try_from(row.get::<_, i64>(at)?).unwrap_or(0))
}

pub(super) fn put(connection: &Connection, session: &Session) -> rusqlite::Result<()> {
    let rest = Rest {
        protocol: session.protocol.clone(),
        automatic: session.automatic.clone(),
        model: session.model.clone(),
        confirmed: session.confirmed.map(|at| at.0),
        ended: session.ended.map(|at| at.0),
        end_reason: session.end_reason.clone(),
        last_wall: session.last_work.wall.0,
        phase: session.phase.clone(),
        sprint_goal: session.sprint_goal.clone(),
        done: session.before.done,
        total: session.before.total,
        items: session.items.iter().map(RestItem::from).collect(),
        paths: session.paths.clone(),
        streak: session.streak,
        checkpoints: session.checkpoints,
        discovered: session.discovered.clone(),
        goal_told: session.goal_told,
        title: session.title.clone(),
        decisions: session.decisions.clone(),
        agents: session.agents.clone(),
        documents: session.documents.clone(),
    };
    let data = serde_json::to_string(&rest).map_err(|error| damaged(error.to_string()))?;
    connection
        .prepare_cached(
            "INSERT OR REPLACE INTO session (number, project_number, state, started_ms, last_boot, last_steady_ms, data) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        )?
        .execute(params![
            number(session.id),
            session.number,
            session.state.name(),
            session.started.0,
            session.last_work.boot.0,
            session.last_work.steady.0,
            data
        ])
        .map(drop)
}

const COLUMNS: &str = "number, project_number, state, started_ms, last_boot, last_steady_ms, data";

fn read(row: &Row<'_>) -> rusqlite::Result<Session> {
    let rest: Rest = serde_json::from_str(row.get_ref(6)?.as_str()?)
        .map_err(|error| damaged(format!("a session cannot be read: {error}")))?;
    Ok(Session {
        id: SessionId(unsigned(row, 0)?),
        number: row.get(1)?,
        state: known(row, 2, SessionState::from_name)?,
        protocol: rest.protocol,
        automatic: rest.automatic,
        model: rest.model,
        started: Wall(row.get(3)?),
        confirmed: rest.confirmed.map(Wall),
        ended: rest.ended.map(Wall),
        end_reason: rest.end_reason,
        last_work: Moment { wall: Wall(rest.last_wall), boot: Boot(row.get(4)?), steady: Steady(row.get(5)?) },
        phase: rest.phase,
        sprint_goal: rest.sprint_goal,
        before: Progress { done: rest.done, total: rest.total },
        items: rest.items.into_iter().map(Item::from).collect(),
        paths: rest.paths,
        streak: rest.streak,
        checkpoints: rest.checkpoints,
        discovered: rest.discovered,
        goal_told: rest.goal_told,
        title: rest.title,
        decisions: rest.decisions,
        agents: rest.agents,
        documents: rest.documents,
    })
}

fn one(connection: &Connection, which: &str, value: impl rusqlite::ToSql) -> rusqlite::Result<Option<Session>> {
    connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM session WHERE {which} ORDER BY number DESC LIMIT 1"))?
        .query_row([value], read)
        .optional()
}

/// The session that is under way.
pub(super) fn open(connection: &Connection) -> rusqlite::Result<Option<Session>> {
    one(connection, "state NOT IN ('ended', 'abandoned') AND ?1", 1)
}

pub(super) fn find(connection: &Connection, id: SessionId) -> rusqlite::Result<Option<Session>> {
    one(connection, "number = ?1", number(id))
}

/// The newest of this project's number.
pub(super) fn numbered(connection: &Connection, project: u32) -> rusqlite::Result<Option<Session>> {
    one(connection, "project_number = ?1", project)
}

/// The newest first.
pub(super) fn list(connection: &Connection, limit: usize) -> rusqlite::Result<Vec<Session>> {
    connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM session ORDER BY number DESC LIMIT ?1"))?
        .query_map([rows(limit)], read)?
        .collect()
}

pub(super) fn next(connection: &Connection) -> rusqlite::Result<SessionId> {
    let last: Option<i64> =
        connection.prepare_cached("SELECT max(number) FROM session")?.query_row([], |row| row.get(0))?;
    Ok(SessionId(last.and_then(|last| u64::try_from(last).ok()).unwrap_or(0) + 1))
}

/// The highest number of the project's that an ended session had.
pub(super) fn last_number(connection: &Connection) -> rusqlite::Result<u32> {
    let last: Option<u32> = connection
        .prepare_cached("SELECT max(project_number) FROM session WHERE state = 'ended'")?
        .query_row([], |row| row.get(0))?;
    Ok(last.unwrap_or(0))
}

/// A report as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptReport {
    pub number: u64,
    pub session: SessionId,
    pub level: Level,
    pub task: Option<TaskId>,
    pub time: Wall,
    pub text: String,
    /// Canonical JSON.
    pub data: String,
}

pub(super) fn tell(connection: &Connection, told: &Told) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO session_report (session, level, task, time_ms, text, data) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?
        .execute(params![
            number(told.session),
            told.level.name(),
            told.task.map(task_row::number),
            told.time.0,
            told.text,
            told.data.canonical()
        ])
        .map(drop)
}

/// The newest reports after this number, oldest first.
pub(super) fn told(
    connection: &Connection,
    session: Option<SessionId>,
    after: u64,
    limit: usize,
) -> rusqlite::Result<Vec<KeptReport>> {
    let of = if session.is_some() { "session = ?1" } else { "?1 IS NULL" };
    let sql = format!(
        "SELECT number, session, level, task, time_ms, text, data FROM session_report \
         WHERE {of} AND number > ?2 ORDER BY number DESC LIMIT ?3"
    );
    let after = i64::try_from(after).unwrap_or(i64::MAX);
    let read = |row: &Row<'_>| {
        let task: Option<i64> = row.get(3)?;
        Ok(KeptReport {
            number: unsigned(row, 0)?,
            session: SessionId(unsigned(row, 1)?),
            level: known(row, 2, Level::from_name)?,
            task: task.map(|_| task_row::read_id(row, 3)).transpose()?,
            time: Wall(row.get(4)?),
            text: row.get(5)?,
            data: row.get(6)?,
        })
    };
    let mut found: Vec<KeptReport> = connection
        .prepare_cached(&sql)?
        .query_map(params![session.map(number), after, rows(limit)], read)?
        .collect::<rusqlite::Result<_>>()?;
    found.reverse();
    Ok(found)
}
