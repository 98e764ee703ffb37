//! Flags, what runs did to files, and findings that people have looked at, as rows.

use augment_core::file::FilePath;
use augment_core::id::{RunId, TaskId};
use augment_core::review::{Acknowledged, Allowed, DecisionId};
use augment_core::run::QuestionId;
use augment_core::session::{Flag, FlagAnswer, FlagId, FlagKind, SessionId, Touch};
use augment_core::time::Wall;
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::file_row::read_path;
use super::run_row::known;
use super::{rows, task_row};

const COLUMNS: &str =
    "number, session, kind, path, task, attempt, why, question, time_ms, answer, answered_by, passed_by";

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn unsigned(row: &Row<'_>, at: usize) -> rusqlite::Result<u64> {
    Ok(u64::try_from(row.get::<_, i64>(at)?).unwrap_or(0))
}

pub(super) fn put(connection: &Connection, flag: &Flag) -> rusqlite::Result<()> {
    connection
        .prepare_cached(&format!(
            "INSERT OR REPLACE INTO flag ({COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)"
        ))?
        .execute(params![
            signed(flag.id.0),
            signed(flag.session.0),
            flag.kind.name(),
            flag.path.as_bytes(),
            flag.run.map(|run| task_row::number(run.task)),
            flag.run.map(|run| run.attempt),
            flag.why,
            flag.question.map(|question| signed(question.0)),
            flag.time.0,
            flag.answer.map(FlagAnswer::name),
            flag.answered_by,
            flag.passed_by.map(|decision| signed(decision.0)),
        ])
        .map(drop)
}

fn read(row: &Row<'_>) -> rusqlite::Result<Flag> {
    let task: Option<i64> = row.get(4)?;
    let run = match task {
        Some(_) => Some(RunId { task: task_row::read_id(row, 4)?, attempt: row.get(5)? }),
        None => None,
    };
    let question: Option<i64> = row.get(7)?;
    let answer: Option<String> = row.get(9)?;
    let passed_by: Option<i64> = row.get(11)?;
    Ok(Flag {
        id: FlagId(unsigned(row, 0)?),
        session: SessionId(unsigned(row, 1)?),
        kind: known(row, 2, FlagKind::from_name)?,
        path: read_path(row, 3)?,
        run,
        why: row.get(6)?,
        question: question.and_then(|question| u64::try_from(question).ok()).map(QuestionId),
        time: Wall(row.get(8)?),
        answer: answer.map(|_| known(row, 9, FlagAnswer::from_name)).transpose()?,
        answered_by: row.get(10)?,
        passed_by: passed_by.and_then(|decision| u64::try_from(decision).ok()).map(DecisionId),
    })
}

pub(super) fn find(connection: &Connection, id: FlagId) -> rusqlite::Result<Option<Flag>> {
    connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM flag WHERE number = ?1"))?
        .query_row([signed(id.0)], read)
        .optional()
}

pub(super) fn next(connection: &Connection) -> rusqlite::Result<u64> {
    let last: Option<i64> =
        connection.prepare_cached("SELECT max(number) FROM flag")?.query_row([], |row| row.get(0))?;
    Ok(last.and_then(|last| u64::try_from(last).ok()).unwrap_or(0) + 1)
}

pub(super) fn at(connection: &Connection, session: SessionId, path: &FilePath) -> rusqlite::Result<Vec<Flag>> {
    connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM flag WHERE session = ?1 AND path = ?2 ORDER BY number"))?
        .query_map(params![signed(session.0), path.as_bytes()], read)?
        .collect()
}

pub(super) fn open_at(connection: &Connection, path: &FilePath) -> rusqlite::Result<Vec<Flag>> {
    connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM flag WHERE path = ?1 AND answer IS NULL ORDER BY number"))?
        .query_map([path.as_bytes()], read)?
        .collect()
}

pub(super) fn passed_at(connection: &Connection, path: &FilePath) -> rusqlite::Result<Vec<Flag>> {
    connection
        .prepare_cached(&format!(
            "SELECT {COLUMNS} FROM flag WHERE path = ?1 AND passed_by IS NOT NULL ORDER BY number"
        ))?
        .query_map([path.as_bytes()], read)?
        .collect()
}

pub(super) fn waiting(connection: &Connection, session: SessionId, limit: usize) -> rusqlite::Result<Vec<Flag>> {
    connection
        .prepare_cached(&format!(
            "SELECT {COLUMNS} FROM flag WHERE session = ?1 AND answer IS NULL ORDER BY number LIMIT ?2"
        ))?
        .query_map(params![signed(session.0), rows(limit)], read)?
        .collect()
}

pub(super) fn left(connection: &Connection, but: Option<SessionId>, limit: usize) -> rusqlite::Result<Vec<Flag>> {
    connection
        .prepare_cached(&format!(
            "SELECT {COLUMNS} FROM flag WHERE answer IS NULL AND session IS NOT ?1 AND EXISTS \
             (SELECT 1 FROM file WHERE file.path = flag.path AND parked IS NULL AND waits = 1) ORDER BY number LIMIT ?2"
        ))?
        .query_map(params![but.map(|session| signed(session.0)), rows(limit)], read)?
        .collect()
}

pub(super) fn all(connection: &Connection, session: SessionId, limit: usize) -> rusqlite::Result<Vec<Flag>> {
    connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM flag WHERE session = ?1 ORDER BY number LIMIT ?2"))?
        .query_map(params![signed(session.0), rows(limit)], read)?
        .collect()
}

pub(super) fn note_touched(
    connection: &Connection,
    task: TaskId,
    path: &FilePath,
    touch: Touch,
) -> rusqlite::Result<()> {
    let before = connection
        .prepare_cached("SELECT touch FROM touched WHERE task = ?1 AND path = ?2")?
        .query_row(params![task_row::number(task), path.as_bytes()], |row| known(row, 0, Touch::from_name))
        .optional()?;
    connection
        .prepare_cached("INSERT OR REPLACE INTO touched (task, path, touch) VALUES (?1, ?2, ?3)")?
        .execute(params![task_row::number(task), path.as_bytes(), touch.after(before).name()])
        .map(drop)
}

pub(super) fn touched_by(
    connection: &Connection,
    task: TaskId,
    limit: usize,
) -> rusqlite::Result<Vec<(FilePath, Touch)>> {
    connection
        .prepare_cached("SELECT path, touch FROM touched WHERE task = ?1 ORDER BY path LIMIT ?2")?
        .query_map(params![task_row::number(task), rows(limit)], |row| {
            Ok((read_path(row, 0)?, known(row, 1, Touch::from_name)?))
        })?
        .collect()
}

pub(super) fn acknowledge(connection: &Connection, seen: &Acknowledged) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "INSERT OR REPLACE INTO acknowledged (hunk, rule, reason, by_whom, time_ms) VALUES (?1, ?2, ?3, ?4, ?5)",
        )?
        .execute(params![seen.hunk, seen.rule, seen.reason, seen.by, seen.time.0])
        .map(drop)
}

pub(super) fn acknowledged(connection: &Connection, hunk: &str) -> rusqlite::Result<Vec<Acknowledged>> {
    connection
        .prepare_cached("SELECT hunk, rule, reason, by_whom, time_ms FROM acknowledged WHERE hunk = ?1 ORDER BY rule")?
        .query_map([hunk], read_acknowledged)?
        .collect()
}

/// Those since a moment, oldest first.
pub(super) fn acknowledged_since(
    connection: &Connection,
    since: Wall,
    limit: usize,
) -> rusqlite::Result<Vec<Acknowledged>> {
    connection
        .prepare_cached(
            "SELECT hunk, rule, reason, by_whom, time_ms FROM acknowledged WHERE time_ms >= ?1 \
             ORDER BY time_ms, hunk, rule LIMIT ?2",
        )?
        .query_map(params![since.0, rows(limit)], read_acknowledged)?
        .collect()
}

fn read_acknowledged(row: &Row<'_>) -> rusqlite::Result<Acknowledged> {
    Ok(Acknowledged {
        hunk: row.get(0)?,
        rule: row.get(1)?,
        reason: row.get(2)?,
        by: row.get(3)?,
        time: Wall(row.get(4)?),
    })
}

pub(super) fn allow(connection: &Connection, allowed: &Allowed) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "INSERT OR REPLACE INTO allowed_finding (number, rule, path, until, reason, by_whom) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?
        .execute(params![signed(allowed.number), allowed.rule, allowed.path, allowed.until, allowed.reason, allowed.by])
        .map(drop)
}

pub(super) fn disallow(connection: &Connection, number: u64) -> rusqlite::Result<()> {
    connection.prepare_cached("DELETE FROM allowed_finding WHERE number = ?1")?.execute([signed(number)]).map(drop)
}

pub(super) fn allowed(connection: &Connection) -> rusqlite::Result<Vec<Allowed>> {
    connection
        .prepare_cached("SELECT number, rule, path, until, reason, by_whom FROM allowed_finding ORDER BY number")?
        .query_map([], |row| {
            Ok(Allowed {
                number: unsigned(row, 0)?,
                rule: row.get(1)?,
                path: row.get(2)?,
                until: row.get(3)?,
                reason: row.get(4)?,
                by: row.get(5)?,
            })
        })?
        .collect()
}

/// A number is not given twice, also after its entry is gone.
pub(super) fn next_allowed(connection: &Connection) -> rusqlite::Result<u64> {
    let last: Option<i64> = connection
        .prepare_cached("SELECT seq FROM sqlite_sequence WHERE name = 'allowed_finding'")?
        .query_row([], |row| row.get(0))
        .optional()?;
    Ok(last.and_then(|last| u64::try_from(last).ok()).unwrap_or(0) + 1)
}
