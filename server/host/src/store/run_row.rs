//! Runs as rows. What is kept of a run is read back as it was, or not at all.

use augment_core::id::{RunId, TaskId};
use augment_core::run::{
    Adapter, Asked, DoneBy, Facts, Heard, LastSign, Process, Reported, Resources, Run, RunState, Sign, Standing,
    Stopped, Usage, Why,
};
use augment_core::time::{Boot, Steady, Wall};
use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::{rows, task_row};

const COLUMNS: &str = "task, attempt, agent, adapter, state, why, process, reported, stopped, asked, done_by, \
                       has_worked, has_failed, questions, interval_ms, sign, sign_ms, sign_boot, sign_steady_ms, \
                       started_ms, ended_ms, message, input_tokens, output_tokens, cost, discovered, cpu_ms, \
                       peak_memory_bytes";

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
             message = ?22, input_tokens = ?23, output_tokens = ?24, cost = ?25, discovered = ?26, \
             cpu_ms = ?27, peak_memory_bytes = ?28 WHERE task = ?1 AND attempt = ?2",
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
            run.usage.as_ref().map(|usage| signed(usage.input_tokens)),
            run.usage.as_ref().map(|usage| signed(usage.output_tokens)),
            run.usage.as_ref().and_then(|usage| usage.cost.clone()),
            run.discovered,
            run.resources.map(|used| signed(used.cpu_ms)),
            run.resources.map(|used| signed(used.peak_memory_bytes)),
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
        usage: read_usage(row)?,
        resources: read_resources(row, 26)?,
        discovered: row.get(25)?,
    })
}

fn read_usage(row: &Row<'_>) -> rusqlite::Result<Option<Usage>> {
    let (input, output): (Option<i64>, Option<i64>) = (row.get(22)?, row.get(23)?);
    let unsigned = |tokens: Option<i64>| tokens.and_then(|tokens| u64::try_from(tokens).ok()).unwrap_or(0);
    let cost = row.get(24)?;
    let is_told = input.is_some() || output.is_some();
    Ok(is_told.then(|| Usage { input_tokens: unsigned(input), output_tokens: unsigned(output), cost }))
}

/// The processor time stands in this column and the memory in the next.
pub(super) fn read_resources(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<Resources>> {
    let (cpu_ms, peak): (Option<i64>, Option<i64>) = (row.get(column)?, row.get(column + 1)?);
    let unsigned = |number: Option<i64>| number.and_then(|number| u64::try_from(number).ok());
    Ok(unsigned(cpu_ms).zip(unsigned(peak)).map(|(cpu_ms, peak_memory_bytes)| Resources { cpu_ms, peak_memory_bytes }))
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

pub(super) fn put_report(connection: &Connection, id: RunId, report: &str) -> rusqlite::Result<()> {
    connection
        .prepare_cached("UPDATE run SET report = ?3 WHERE task = ?1 AND attempt = ?2")?
        .execute(params![task_row::number(id.task), id.attempt, report])
        .map(drop)
}

pub(super) fn report(connection: &Connection, id: RunId) -> rusqlite::Result<Option<String>> {
    let found: Option<Option<String>> = connection
        .prepare_cached("SELECT report FROM run WHERE task = ?1 AND attempt = ?2")?
        .query_row(params![task_row::number(id.task), id.attempt], |row| row.get(0))
        .optional()?;
    Ok(found.flatten())
}

/// How many runs have a process of ours: of this agent, and in all.
pub(super) fn processes(connection: &Connection, agent: &str) -> rusqlite::Result<(u32, u32)> {
    connection
        .prepare_cached(
            "SELECT count(*) FILTER (WHERE agent = ?1), count(*) FROM run \
             WHERE ended_ms IS NULL AND adapter <> 'attached'",
        )?
        .query_row([agent], |row| Ok((row.get(0)?, row.get(1)?)))
}

/// The runs whose process is ours and that have not ended.
pub(super) fn kept(connection: &Connection) -> rusqlite::Result<Vec<Run>> {
    connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM run WHERE ended_ms IS NULL AND adapter <> 'attached'"))?
        .query_map([], read)?
        .collect()
}

/// What is asked for of runs.
#[derive(Debug, Clone, Default)]
pub struct RunQuery {
    pub task: Option<TaskId>,
    pub agent: Option<String>,
    pub active: bool,
    pub limit: usize,
}

/// The newest first.
pub(super) fn list(connection: &Connection, query: &RunQuery) -> rusqlite::Result<Vec<Run>> {
    let mut conditions = vec!["1"];
    if query.task.is_some() {
        conditions.push("task = :task");
    }
    if query.agent.is_some() {
        conditions.push("agent = :agent");
    }
    if query.active {
        conditions.push("ended_ms IS NULL");
    }
    let sql = format!(
        "SELECT {COLUMNS} FROM run WHERE {} ORDER BY started_ms DESC, task DESC, attempt DESC LIMIT :limit",
        conditions.join(" AND ")
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let (task, limit) = (query.task.map(task_row::number), rows(query.limit));
    let mut values: Vec<(&str, &dyn rusqlite::ToSql)> = vec![(":limit", &limit)];
    if task.is_some() {
        values.push((":task", &task));
    }
    if query.agent.is_some() {
        values.push((":agent", &query.agent));
    }
    statement.query_map(values.as_slice(), read)?.collect()
}

pub(super) fn known<T>(row: &Row<'_>, column: usize, from: impl Fn(&str) -> Option<T>) -> rusqlite::Result<T> {
    maybe(row, column, from)?.ok_or_else(|| unreadable(column, "nothing"))
}

fn maybe<T>(row: &Row<'_>, column: usize, from: impl Fn(&str) -> Option<T>) -> rusqlite::Result<Option<T>> {
    let Some(text) = row.get::<_, Option<String>>(column)? else { return Ok(None) };
    from(&text).map(Some).ok_or_else(|| unreadable(column, &text))
}

fn unreadable(column: usize, text: &str) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(column, Type::Text, format!("{text:?} is not known here").into())
}
