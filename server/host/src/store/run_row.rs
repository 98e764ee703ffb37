//! Runs as rows. What is kept of a run is read back as it was, or not at all.

use augment_core::id::{RunId, TaskId};
use augment_core::run::{
    Adapter, Asked, DoneBy, Facts, Heard, LastSign, Process, Reported, Run, RunState, Sign, Standing, Stopped, Why,
};
use augment_core::time::{Boot, Steady, Wall};
use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::{rows, task_row};

const COLUMNS: &str = "task, attempt, agent, adapter, state, why, process, reported, stopped, asked, done_by, \
                       has_worked, has_failed, questions, interval_ms, sign, sign_ms, sign_boot, sign_steady_ms, \
                       started_ms, ended_ms, message";

pub(super) fn begin(connection: &Connection, run: &Run, token_hash: &[u8; 32]) -> rusqlite::Result<()> {
    connection
        .prepare_cached("INSERT INTO run (task, attempt, agent, token_hash, started_ms) VALUES (?1, ?2, ?3, ?4, ?5)")?
        .execute(params![task_row::number(run.id.task), run.id.attempt, run.agent, token_hash, run.started.0])?;
    put(connection, run)
}

pub(super) fn put(connection: &Connection, run: &Run) -> rusqlite::Result<()> {
    let Run { facts, standing, last_sign, .. } = run;
    // A run that has ended, or is known to be silent, is not waited for.
    let is_waited_for = run.ended.is_none() && standing.state != RunState::Disconnected;
    connection
        .prepare_cached(
            "UPDATE run SET adapter = ?3, state = ?4, why = ?5, process = ?6, reported = ?7, stopped = ?8, asked = ?9, \
             done_by = ?10, has_worked = ?11, has_failed = ?12, questions = ?13, interval_ms = ?14, sign = ?15, \
             sign_ms = ?16, sign_boot = ?17, sign_steady_ms = ?18, silent_ms = ?19, ended_ms = ?20, outcome = ?21, \
             message = ?22 WHERE task = ?1 AND attempt = ?2",
        )?
        .execute(params![
            task_row::number(run.id.task),
            run.id.attempt,
            run.adapter.name(),
            standing.state.name(),
            standing.why.code(),
            facts.process.code(),
            facts.reported.map(Reported::name),
            facts.stopped.map(Stopped::name),
            facts.asked.name(),
            facts.done_by.name(),
            facts.has_worked,
            facts.has_failed,
            run.questions,
            run.interval_ms,
            last_sign.sign.name(),
            last_sign.wall.0,
            last_sign.boot.0,
            last_sign.steady.0,
            is_waited_for.then(|| run.silent_at().0),
            run.ended.map(|ended| ended.0),
            run.ended.map(|_| standing.state.name()),
            run.message,
        ])
        .map(drop)
}

pub(super) fn find(connection: &Connection, id: RunId) -> rusqlite::Result<Option<Run>> {
    connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM run WHERE task = ?1 AND attempt = ?2"))?
        .query_row(params![task_row::number(id.task), id.attempt], read)
        .optional()
}

/// The runs of a task, the newest first.
pub(super) fn of_task(connection: &Connection, task: TaskId, limit: usize) -> rusqlite::Result<Vec<Run>> {
    connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM run WHERE task = ?1 ORDER BY attempt DESC LIMIT ?2"))?
        .query_map(params![task_row::number(task), rows(limit)], read)?
        .collect()
}

pub(super) fn of_token(connection: &Connection, token_hash: [u8; 32]) -> rusqlite::Result<Option<Run>> {
    connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM run WHERE token_hash = ?1"))?
        .query_row([token_hash], read)
        .optional()
}

pub(super) fn silent(
    connection: &Connection,
    boot: &Boot,
    steady: Steady,
    limit: usize,
) -> rusqlite::Result<Vec<RunId>> {
    connection
        .prepare_cached(
            "SELECT task, attempt FROM run WHERE sign_boot = ?1 AND silent_ms < ?2 ORDER BY silent_ms LIMIT ?3",
        )?
        .query_map(params![boot.0, steady.0, rows(limit)], |row| {
            Ok(RunId { task: task_row::read_id(row, 0)?, attempt: row.get(1)? })
        })?
        .collect()
}

/// When the next run of this boot counts as silent.
pub(super) fn next_silent(connection: &Connection, boot: &Boot) -> rusqlite::Result<Option<Steady>> {
    let next: Option<i64> = connection
        .prepare_cached("SELECT min(silent_ms) FROM run WHERE sign_boot = ?1 AND silent_ms IS NOT NULL")?
        .query_row([&boot.0], |row| row.get(0))?;
    Ok(next.map(|ms| Steady(ms).plus_ms(1)))
}

fn read(row: &Row<'_>) -> rusqlite::Result<Run> {
    let questions: u32 = row.get(13)?;
    let facts = Facts {
        process: known(row, 6, Process::from_code)?,
        reported: maybe(row, 7, Reported::from_name)?,
        stopped: maybe(row, 8, Stopped::from_name)?,
        asked: known(row, 9, Asked::from_name)?,
        heard: Heard::Lately,
        has_question: questions > 0,
        has_worked: row.get(11)?,
        has_failed: row.get(12)?,
        done_by: known(row, 10, DoneBy::from_name)?,
    };
    let standing = Standing { state: known(row, 4, RunState::from_name)?, why: known(row, 5, Why::from_code)? };
    Ok(Run {
        id: RunId { task: task_row::read_id(row, 0)?, attempt: row.get(1)? },
        agent: row.get(2)?,
        adapter: known(row, 3, Adapter::from_name)?,
        facts,
        questions,
        standing,
        interval_ms: row.get(14)?,
        last_sign: LastSign {
            sign: known(row, 15, Sign::from_name)?,
            wall: Wall(row.get(16)?),
            boot: Boot(row.get(17)?),
            steady: Steady(row.get(18)?),
        },
        started: Wall(row.get(19)?),
        ended: row.get::<_, Option<i64>>(20)?.map(Wall),
        message: row.get(21)?,
    })
}

fn known<T>(row: &Row<'_>, column: usize, from: impl Fn(&str) -> Option<T>) -> rusqlite::Result<T> {
    maybe(row, column, from)?.ok_or_else(|| unreadable(column, "nothing"))
}

fn maybe<T>(row: &Row<'_>, column: usize, from: impl Fn(&str) -> Option<T>) -> rusqlite::Result<Option<T>> {
    let Some(text) = row.get::<_, Option<String>>(column)? else { return Ok(None) };
    from(&text).map(Some).ok_or_else(|| unreadable(column, &text))
}

fn unreadable(column: usize, text: &str) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(column, Type::Text, format!("{text:?} is not known here").into())
}
