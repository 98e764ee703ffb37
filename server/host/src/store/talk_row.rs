//! What runs asked, and whom they proposed to hand over to, as rows.

use augment_core::agent::AllowedText;
use augment_core::id::{RunId, TaskId};
use augment_core::run::{
    AnswerOption, Answered, AnsweredBy, HandOff, HandOffId, HandOffState, Question, QuestionId, QuestionKind,
};
use augment_core::time::Wall;
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::run_row::known;
use super::{rows, task_row};

const QUESTION: &str = "number, task, attempt, agent, kind, key, question, detail, recommendation, asked_ms, choice, \
                        answer, answered_by, answered_ms";
const HAND_OFF: &str = "number, from_task, from_attempt, from_agent, to_agent, reason, state, task, proposed_ms";

pub(super) fn put_question(connection: &Connection, question: &Question) -> rusqlite::Result<()> {
    let answer = question.answer.as_ref();
    connection
        .prepare_cached(&format!(
            "INSERT OR REPLACE INTO question ({QUESTION}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)"
        ))?
        .execute(params![
            number(question.id.0),
            task_row::number(question.run.task),
            question.run.attempt,
            question.agent,
            question.kind.name(),
            question.key,
            question.question,
            question.detail,
            question.recommendation,
            question.asked.0,
            answer.and_then(|answer| answer.choice.clone()),
            answer.and_then(|answer| answer.text.clone()),
            answer.map(|answer| answer.by.to_string()),
            answer.map(|answer| answer.at.0),
        ])?;
    let mut option = connection.prepare_cached(
        "INSERT OR REPLACE INTO question_option (question, place, value, shown) VALUES (?1, ?2, ?3, ?4)",
    )?;
    for (place, AnswerOption { value, text }) in question.options.iter().enumerate() {
        option.execute(params![number(question.id.0), rows(place), value, text])?;
    }
    Ok(())
}

pub(super) fn question(connection: &Connection, id: QuestionId) -> rusqlite::Result<Option<Question>> {
    let found = connection
        .prepare_cached(&format!("SELECT {QUESTION} FROM question WHERE number = ?1"))?
        .query_row([number(id.0)], read_question)
        .optional()?;
    found.map(|question| with_options(connection, question)).transpose()
}

pub(super) fn open_of(connection: &Connection, run: RunId) -> rusqlite::Result<Vec<Question>> {
    let all = questions_of(connection, run, usize::MAX)?;
    Ok(all.into_iter().filter(|question| question.answer.is_none()).collect())
}

/// The questions of a run, oldest first.
pub(super) fn questions_of(connection: &Connection, run: RunId, limit: usize) -> rusqlite::Result<Vec<Question>> {
    several(
        connection,
        "WHERE task = ?1 AND attempt = ?2 ORDER BY number LIMIT ?3",
        params![task_row::number(run.task), run.attempt, rows(limit)],
    )
}

/// The questions of all runs of a task, oldest first.
pub(super) fn questions_of_task(
    connection: &Connection,
    task: TaskId,
    limit: usize,
) -> rusqlite::Result<Vec<Question>> {
    several(connection, "WHERE task = ?1 ORDER BY number LIMIT ?2", params![task_row::number(task), rows(limit)])
}

/// The questions that wait, oldest first.
pub(super) fn open(connection: &Connection, limit: usize) -> rusqlite::Result<Vec<Question>> {
    several(connection, "WHERE answered_ms IS NULL ORDER BY number LIMIT ?1", params![rows(limit)])
}

/// The questions that have their answer, newest first.
pub(super) fn answered(connection: &Connection, limit: usize) -> rusqlite::Result<Vec<Question>> {
    several(connection, "WHERE answered_ms IS NOT NULL ORDER BY number DESC LIMIT ?1", params![rows(limit)])
}

fn several(connection: &Connection, which: &str, values: &[&dyn rusqlite::ToSql]) -> rusqlite::Result<Vec<Question>> {
    let found: Vec<Question> = connection
        .prepare_cached(&format!("SELECT {QUESTION} FROM question {which}"))?
        .query_map(values, read_question)?
        .collect::<rusqlite::Result<_>>()?;
    found.into_iter().map(|question| with_options(connection, question)).collect()
}

fn with_options(connection: &Connection, mut question: Question) -> rusqlite::Result<Question> {
    question.options = connection
        .prepare_cached("SELECT value, shown FROM question_option WHERE question = ?1 ORDER BY place")?
        .query_map([number(question.id.0)], |row| Ok(AnswerOption { value: row.get(0)?, text: row.get(1)? }))?
        .collect::<rusqlite::Result<_>>()?;
    Ok(question)
}

pub(super) fn next_question(connection: &Connection) -> rusqlite::Result<QuestionId> {
    next(connection, "question").map(QuestionId)
}

fn read_question(row: &Row<'_>) -> rusqlite::Result<Question> {
    let answered_at: Option<i64> = row.get(13)?;
    let answer = match answered_at {
        None => None,
        Some(at) => Some(Answered {
            choice: row.get(10)?,
            text: row.get(11)?,
            by: AnsweredBy::read(&row.get::<_, String>(12)?),
            at: Wall(at),
        }),
    };
    Ok(Question {
        id: QuestionId(unsigned(row, 0)?),
        run: RunId { task: task_row::read_id(row, 1)?, attempt: row.get(2)? },
        agent: row.get(3)?,
        kind: known(row, 4, QuestionKind::from_name)?,
        key: row.get(5)?,
        question: row.get(6)?,
        detail: row.get(7)?,
        options: Vec::new(),
        recommendation: row.get(8)?,
        asked: Wall(row.get(9)?),
        answer,
    })
}

pub(super) fn put_hand_off(connection: &Connection, hand_off: &HandOff) -> rusqlite::Result<()> {
    connection
        .prepare_cached(&format!(
            "INSERT OR REPLACE INTO hand_off ({HAND_OFF}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)"
        ))?
        .execute(params![
            number(hand_off.id.0),
            task_row::number(hand_off.from.task),
            hand_off.from.attempt,
            hand_off.from_agent,
            hand_off.to_agent,
            hand_off.reason,
            hand_off.state.name(),
            hand_off.task.map(task_row::number),
            hand_off.proposed.0,
        ])
        .map(drop)
}

pub(super) fn hand_off(connection: &Connection, id: HandOffId) -> rusqlite::Result<Option<HandOff>> {
    one_hand_off(connection, "number = ?1", params![number(id.0)])
}

pub(super) fn hand_off_to(connection: &Connection, task: TaskId) -> rusqlite::Result<Option<HandOff>> {
    one_hand_off(connection, "task = ?1", params![task_row::number(task)])
}

fn one_hand_off(
    connection: &Connection,
    which: &str,
    values: &[&dyn rusqlite::ToSql],
) -> rusqlite::Result<Option<HandOff>> {
    connection
        .prepare_cached(&format!("SELECT {HAND_OFF} FROM hand_off WHERE {which}"))?
        .query_row(values, read_hand_off)
        .optional()
}

/// The newest first.
pub(super) fn hand_offs(connection: &Connection, limit: usize) -> rusqlite::Result<Vec<HandOff>> {
    connection
        .prepare_cached(&format!("SELECT {HAND_OFF} FROM hand_off ORDER BY number DESC LIMIT ?1"))?
        .query_map([rows(limit)], read_hand_off)?
        .collect()
}

pub(super) fn hand_offs_of(connection: &Connection, run: RunId) -> rusqlite::Result<Vec<HandOff>> {
    connection
        .prepare_cached(&format!(
            "SELECT {HAND_OFF} FROM hand_off WHERE from_task = ?1 AND from_attempt = ?2 ORDER BY number"
        ))?
        .query_map(params![task_row::number(run.task), run.attempt], read_hand_off)?
        .collect()
}

/// Written once: a hand-off is decided once.
pub(super) fn put_hand_off_text(connection: &Connection, id: HandOffId, text: &str) -> rusqlite::Result<()> {
    connection
        .prepare_cached("INSERT INTO hand_off_text (hand_off, text) VALUES (?1, ?2)")?
        .execute(params![number(id.0), text])
        .map(drop)
}

pub(super) fn hand_off_text(connection: &Connection, id: HandOffId) -> rusqlite::Result<Option<String>> {
    connection
        .prepare_cached("SELECT text FROM hand_off_text WHERE hand_off = ?1")?
        .query_row([number(id.0)], |row| row.get(0))
        .optional()
}

pub(super) fn next_hand_off(connection: &Connection) -> rusqlite::Result<HandOffId> {
    next(connection, "hand_off").map(HandOffId)
}

fn read_hand_off(row: &Row<'_>) -> rusqlite::Result<HandOff> {
    let task: Option<i64> = row.get(7)?;
    Ok(HandOff {
        id: HandOffId(unsigned(row, 0)?),
        from: RunId { task: task_row::read_id(row, 1)?, attempt: row.get(2)? },
        from_agent: row.get(3)?,
        to_agent: row.get(4)?,
        reason: row.get(5)?,
        state: known(row, 6, HandOffState::from_name)?,
        task: task.map(|_| task_row::read_id(row, 7)).transpose()?,
        proposed: Wall(row.get(8)?),
    })
}

/// A person's yes to an agent of the workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AllowedAgent {
    pub name: String,
    pub hash: String,
    pub text: AllowedText,
}

pub(super) fn allow(connection: &Connection, name: &str, hash: &str, text: &AllowedText) -> rusqlite::Result<()> {
    connection
        .prepare_cached("INSERT OR REPLACE INTO allowed_agent (name, hash, text) VALUES (?1, ?2, ?3)")?
        .execute(params![name, hash, text.0])
        .map(drop)
}

pub(super) fn allowed(connection: &Connection) -> rusqlite::Result<Vec<AllowedAgent>> {
    connection
        .prepare_cached("SELECT name, hash, text FROM allowed_agent")?
        .query_map([], |row| Ok(AllowedAgent { name: row.get(0)?, hash: row.get(1)?, text: AllowedText(row.get(2)?) }))?
        .collect()
}

fn next(connection: &Connection, table: &str) -> rusqlite::Result<u64> {
    let last: Option<i64> =
        connection.prepare_cached(&format!("SELECT max(number) FROM {table}"))?.query_row([], |row| row.get(0))?;
    Ok(last.and_then(|last| u64::try_from(last).ok()).unwrap_or(0) + 1)
}

fn number(id: u64) -> i64 {
    i64::try_from(id).unwrap_or(i64::MAX)
}

fn unsigned(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    Ok(u64::try_from(row.get::<_, i64>(column)?).unwrap_or(0))
}

/// What people have decided since then, leave for single steps left out, oldest first.
pub(super) fn decided_since(connection: &Connection, since: Wall, limit: usize) -> rusqlite::Result<Vec<Question>> {
    let found = several(
        connection,
        "WHERE answered_ms >= ?1 AND kind <> 'permission' AND answered_by LIKE 'person:%' ORDER BY answered_ms, number LIMIT ?2",
        params![since.0, rows(limit)],
    )?;
    Ok(found)
}
