//! The rows behind the figures of a period, handed to the rules one by one. What is read follows from how much happened in the
//! period, not from how much there is: each kind of row is found by when it came about.

use std::collections::HashMap;

use augment_core::analytics::{Analysis, DecidedHunks, EndedRun, EndedTask, Period, Verdict, Work, shares_of};
use augment_core::id::{RunId, TaskId, Wanted, read_wanted};
use augment_core::run::{RunState, Usage};
use augment_core::task::Status;
use augment_core::time::Wall;
use rusqlite::{Connection, OptionalExtension as _, Row, params};
use serde_json::Value;

use super::{rows, run_row, task_row};

/// The most rows of each kind that are counted: the newest.
pub(super) const COUNTED: usize = 200_000;

/// What was read for the figures.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counted {
    /// There were more rows than are counted, so older ones are left out.
    pub more: bool,
}

/// Counts everything that happened in the period of the analysis.
pub(super) fn count(connection: &Connection, analysis: &mut Analysis) -> rusqlite::Result<Counted> {
    let period = analysis.period;
    let runs = runs(connection, &period, analysis)?;
    let tasks = tasks(connection, &period, analysis)?;
    let decisions = decisions(connection, &period, analysis)?;
    Ok(Counted { more: runs || tasks || decisions })
}

/// Whether somebody of this name has ever worked here.
pub(super) fn has_worked(connection: &Connection, agent: &str) -> rusqlite::Result<bool> {
    connection.prepare_cached("SELECT 1 FROM run WHERE agent = ?1")?.exists([agent])
}

fn runs(connection: &Connection, period: &Period, analysis: &mut Analysis) -> rusqlite::Result<bool> {
    let sql = "SELECT r.agent, r.state, r.started_ms, r.ended_ms, r.input_tokens, r.output_tokens, r.cost, t.labels, \
               r.cpu_ms, r.peak_memory_bytes \
               FROM run r LEFT JOIN task t ON t.number = r.task \
               WHERE r.ended_ms >= ?1 AND r.ended_ms < ?2 ORDER BY r.ended_ms DESC LIMIT ?3";
    let mut statement = connection.prepare_cached(sql)?;
    let mut found = statement.query(params![period.from().0, period.to().0, rows(COUNTED + 1)])?;
    let mut count = 0;
    while let Some(row) = found.next()? {
        count += 1;
        if count > COUNTED {
            return Ok(true);
        }
        let agent: String = row.get(0)?;
        let labels = labels(row, 7)?;
        let usage = usage(row)?;
        analysis.run(&EndedRun {
            work: Work { agent: Some(&agent), labels: &labels },
            state: run_row::known(row, 1, RunState::from_name)?,
            started: Wall(row.get(2)?),
            ended: Wall(row.get(3)?),
            usage: usage.as_ref(),
            resources: run_row::read_resources(row, 8)?,
        });
    }
    Ok(false)
}

fn usage(row: &Row<'_>) -> rusqlite::Result<Option<Usage>> {
    let (input, output): (Option<i64>, Option<i64>) = (row.get(4)?, row.get(5)?);
    let cost: Option<String> = row.get(6)?;
    if input.is_none() && output.is_none() {
        return Ok(None);
    }
    let tokens = |told: Option<i64>| told.and_then(|told| u64::try_from(told).ok()).unwrap_or(0);
    Ok(Some(Usage { input_tokens: tokens(input), output_tokens: tokens(output), cost }))
}

fn tasks(connection: &Connection, period: &Period, analysis: &mut Analysis) -> rusqlite::Result<bool> {
    let sql = "SELECT ended_ms, holder, labels FROM task \
               WHERE status = ?1 AND ended_ms >= ?2 AND ended_ms < ?3 ORDER BY ended_ms DESC LIMIT ?4";
    let mut more = false;
    for status in Status::ALL.into_iter().filter(|status| status.is_ended()) {
        let mut statement = connection.prepare_cached(sql)?;
        let mut found = statement.query(params![status.name(), period.from().0, period.to().0, rows(COUNTED + 1)])?;
        let mut count = 0;
        while let Some(row) = found.next()? {
            count += 1;
            if count > COUNTED {
                more = true;
                break;
            }
            let holder: Option<String> = row.get(1)?;
            let labels = labels(row, 2)?;
            let work = Work { agent: holder.as_deref(), labels: &labels };
            analysis.task(&EndedTask { work, status, ended: Wall(row.get(0)?) });
        }
    }
    Ok(more)
}

/// The kinds of records that tell of decisions. What a change decides by itself says in its data what.
const DECISIONS: [(&str, Option<Verdict>); 5] = [
    ("review.approved", Some(Verdict::Approved)),
    ("review.rejected", Some(Verdict::Rejected)),
    ("review.undone", Some(Verdict::Undone)),
    ("review.redone", Some(Verdict::Redone)),
    ("review.implied", None),
];

fn decisions(connection: &Connection, period: &Period, analysis: &mut Analysis) -> rusqlite::Result<bool> {
    let sql = "SELECT time_ms, about, data FROM ledger \
               WHERE kind = ?1 AND time_ms >= ?2 AND time_ms < ?3 ORDER BY time_ms DESC LIMIT ?4";
    let mut behind = Behind { connection, known: HashMap::new() };
    let mut more = false;
    for (kind, verdict) in DECISIONS {
        let mut statement = connection.prepare_cached(sql)?;
        let mut found = statement.query(params![kind, period.from().0, period.to().0, rows(COUNTED + 1)])?;
        let mut count = 0;
        while let Some(row) = found.next()? {
            count += 1;
            if count > COUNTED {
                more = true;
                break;
            }
            let data: Value = serde_json::from_str(row.get_ref(2)?.as_str()?).unwrap_or_default();
            let Some(verdict) = verdict.or_else(|| implied(&data)) else { continue };
            let hunks = number(data.get("hunks"));
            let about: Vec<RunId> = row.get_ref(1)?.as_str()?.lines().filter_map(run_topic).collect();
            let shares = shares_of(&told_shares(&data), &about, hunks);
            let mut known = Vec::with_capacity(shares.len());
            for (run, hunks) in shares {
                known.push((behind.of(run)?, hunks));
            }
            let shares: Vec<_> = known
                .iter()
                .map(|((agent, labels), hunks)| (Work { agent: agent.as_deref(), labels }, *hunks))
                .collect();
            analysis.decided(&DecidedHunks { verdict, time: Wall(row.get(0)?), hunks, shares: &shares });
        }
    }
    Ok(more)
}

fn implied(data: &Value) -> Option<Verdict> {
    match data.get("verdict")?.as_str()? {
        "approved" => Some(Verdict::Approved),
        "rejected" => Some(Verdict::Rejected),
        _ => None,
    }
}

fn told_shares(data: &Value) -> Vec<(RunId, u32)> {
    let told = data.get("runs").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    told.iter().filter_map(|share| Some((run_id(share.get("run")?.as_str()?)?, number(share.get("hunks"))))).collect()
}

fn number(value: Option<&Value>) -> u32 {
    value.and_then(Value::as_u64).and_then(|number| u32::try_from(number).ok()).unwrap_or(0)
}

fn run_topic(topic: &str) -> Option<RunId> {
    run_id(topic.strip_prefix("run:")?)
}

/// `b12.2`.
fn run_id(text: &str) -> Option<RunId> {
    let (task, attempt) = text.split_once('.')?;
    match read_wanted(task) {
        Wanted::Exactly(task) => Some(RunId { task, attempt: attempt.parse().ok()? }),
        Wanted::OneOf(_) | Wanted::Nothing => None,
    }
}

/// The agent of a run and the labels of its task.
type Known = (Option<String>, Vec<String>);

/// Who and what is behind a run, looked up once.
struct Behind<'a> {
    connection: &'a Connection,
    known: HashMap<RunId, Known>,
}

impl Behind<'_> {
    fn of(&mut self, run: RunId) -> rusqlite::Result<Known> {
        if let Some(known) = self.known.get(&run) {
            return Ok(known.clone());
        }
        let agent = self
            .connection
            .prepare_cached("SELECT agent FROM run WHERE task = ?1 AND attempt = ?2")?
            .query_row(params![task_row::number(run.task), run.attempt], |row| row.get(0))
            .optional()?;
        let labels = self.labels(run.task)?;
        self.known.insert(run, (agent.clone(), labels.clone()));
        Ok((agent, labels))
    }

    fn labels(&self, task: TaskId) -> rusqlite::Result<Vec<String>> {
        let found = self
            .connection
            .prepare_cached("SELECT labels FROM task WHERE number = ?1")?
            .query_row([task_row::number(task)], |row| labels(row, 0))
            .optional()?;
        Ok(found.unwrap_or_default())
    }
}

/// Nothing for a task that is gone.
fn labels(row: &Row<'_>, column: usize) -> rusqlite::Result<Vec<String>> {
    let lines = row.get_ref(column)?.as_str_or_null()?.unwrap_or_default();
    Ok(lines.lines().map(str::to_owned).collect())
}
