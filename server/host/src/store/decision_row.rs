//! Decisions, approvals and the words that wait, as rows.

use augment_core::attribution::{CLAIM_MS, Claim, SavedHow, Word};
use augment_core::file::{ContentHash, FilePath};
use augment_core::id::{RunId, TaskId};
use augment_core::review::{Approval, Decision, DecisionFile, DecisionId, DecisionKind, FileNumber};
use augment_core::time::Wall;
use augment_core::weave::DecisionNo;
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::file_row::{self, damaged, read_number, read_path};
use super::{rows, task_row};

const COLUMNS: &str = "number, kind, takes_back, actor, time_ms, undone_by";

fn number(id: DecisionId) -> i64 {
    i64::try_from(id.0).unwrap_or(i64::MAX)
}

fn read_id(value: i64) -> DecisionId {
    DecisionId(u64::try_from(value).unwrap_or(0))
}

fn read(connection: &Connection, row: &Row<'_>) -> rusqlite::Result<Decision> {
    let id: i64 = row.get(0)?;
    let takes_back = row.get::<_, Option<i64>>(2)?.map(read_id);
    let kind = match (row.get_ref(1)?.as_str()?, takes_back) {
        ("approve", _) => DecisionKind::Approve,
        ("reject", _) => DecisionKind::Reject,
        ("undo", Some(of)) => DecisionKind::Undo(of),
        ("redo", Some(of)) => DecisionKind::Redo(of),
        (other, _) => return Err(damaged(format!("a stored decision is of the kind {other:?}"))),
    };
    let files = connection
        .prepare_cached(
            "SELECT file, path, hunks, weave_decision, stands FROM decision_file WHERE decision = ?1 ORDER BY place",
        )?
        .query_map([id], |row| {
            Ok(DecisionFile {
                file: read_number(row, 0)?,
                path: read_path(row, 1)?,
                hunks: row.get(2)?,
                weave_decision: DecisionNo(row.get(3)?),
                stands: row.get(4)?,
            })
        })?
        .collect::<rusqlite::Result<Vec<_>>>()?;
    Ok(Decision {
        id: read_id(id),
        kind,
        actor: row.get(3)?,
        time: Wall(row.get(4)?),
        files,
        undone_by: row.get::<_, Option<i64>>(5)?.map(read_id),
    })
}

pub(super) fn one(connection: &Connection, id: DecisionId) -> rusqlite::Result<Option<Decision>> {
    let sql = format!("SELECT {COLUMNS} FROM decision WHERE number = ?1");
    connection.prepare_cached(&sql)?.query_row([number(id)], |row| read(connection, row)).optional()
}

pub(super) fn newest(connection: &Connection, limit: usize) -> rusqlite::Result<Vec<Decision>> {
    let sql = format!("SELECT {COLUMNS} FROM decision ORDER BY number DESC LIMIT ?1");
    connection.prepare_cached(&sql)?.query_map([rows(limit)], |row| read(connection, row))?.collect()
}

pub(super) fn until(connection: &Connection, until: Wall, limit: usize) -> rusqlite::Result<Vec<Decision>> {
    let sql = format!("SELECT {COLUMNS} FROM decision WHERE time_ms <= ?1 ORDER BY time_ms, number LIMIT ?2");
    connection.prepare_cached(&sql)?.query_map(params![until.0, rows(limit)], |row| read(connection, row))?.collect()
}

/// The number after the highest that was ever given, also to one that is purged.
pub(super) fn next(connection: &Connection) -> rusqlite::Result<DecisionId> {
    let sql = "SELECT seq FROM sqlite_sequence WHERE name = 'decision'";
    let last: Option<i64> = connection.prepare_cached(sql)?.query_row([], |row| row.get(0)).optional()?;
    Ok(DecisionId(u64::try_from(last.unwrap_or(0)).unwrap_or(0) + 1))
}

pub(super) fn put(connection: &Connection, decision: &Decision) -> rusqlite::Result<()> {
    let kind = match decision.kind {
        DecisionKind::Approve => "approve",
        DecisionKind::Reject => "reject",
        DecisionKind::Undo(_) => "undo",
        DecisionKind::Redo(_) => "redo",
    };
    connection
        .prepare_cached(
            "INSERT INTO decision (number, kind, takes_back, actor, time_ms, undone_by) VALUES (?1, ?2, ?3, ?4, ?5, ?6) \
             ON CONFLICT (number) DO UPDATE SET undone_by = ?6",
        )?
        .execute(params![
            number(decision.id),
            kind,
            decision.kind.takes_back().map(number),
            decision.actor,
            decision.time.0,
            decision.undone_by.map(number)
        ])?;
    connection.prepare_cached("DELETE FROM decision_file WHERE decision = ?1")?.execute([number(decision.id)])?;
    let mut insert = connection.prepare_cached(
        "INSERT INTO decision_file (decision, place, file, path, hunks, weave_decision, stands) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?;
    for (place, file) in decision.files.iter().enumerate() {
        insert.execute(params![
            number(decision.id),
            rows(place),
            file_row::number(file.file),
            file.path.as_bytes(),
            file.hunks,
            file.weave_decision.0,
            file.stands
        ])?;
    }
    Ok(())
}

/// Who made the decisions about a file, by their number in its weave.
pub(super) fn deciders(connection: &Connection, file: FileNumber) -> rusqlite::Result<Vec<(DecisionNo, String)>> {
    let sql = "SELECT decision_file.weave_decision, decision.actor FROM decision_file \
               JOIN decision ON decision.number = decision_file.decision WHERE decision_file.file = ?1";
    let mut statement = connection.prepare_cached(sql)?;
    let found = statement.query_map([file_row::number(file)], |row| Ok((DecisionNo(row.get(0)?), row.get(1)?)))?;
    found.collect()
}

pub(super) fn forget(connection: &Connection, id: DecisionId) -> rusqlite::Result<()> {
    connection.prepare_cached("DELETE FROM decision_file WHERE decision = ?1")?.execute([number(id)])?;
    connection.prepare_cached("DELETE FROM decision WHERE number = ?1")?.execute([number(id)]).map(drop)
}

pub(super) fn approvals(connection: &Connection, hunk: &str) -> rusqlite::Result<Vec<Approval>> {
    let sql = "SELECT approver, decision, completes FROM approval WHERE hunk = ?1 ORDER BY approver";
    let approval = |row: &Row<'_>| {
        let decision = DecisionId(u64::try_from(row.get::<_, i64>(1)?).unwrap_or(0));
        Ok(Approval { hunk: hunk.to_owned(), by: row.get(0)?, decision, completes: row.get(2)? })
    };
    connection.prepare_cached(sql)?.query_map([hunk], approval)?.collect()
}

/// The hunks that a decision has approved as one of two.
pub(super) fn approved_by(connection: &Connection, decision: DecisionId) -> rusqlite::Result<Vec<Approval>> {
    let sql = "SELECT hunk, approver, completes FROM approval WHERE decision = ?1 ORDER BY hunk";
    let approval =
        |row: &Row<'_>| Ok(Approval { hunk: row.get(0)?, by: row.get(1)?, decision, completes: row.get(2)? });
    connection.prepare_cached(sql)?.query_map([number(decision)], approval)?.collect()
}

/// The decision that made this step in a file's story.
pub(super) fn made_in(
    connection: &Connection,
    file: FileNumber,
    step: DecisionNo,
) -> rusqlite::Result<Option<Decision>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM decision WHERE number = \
         (SELECT decision FROM decision_file WHERE file = ?1 AND weave_decision = ?2 LIMIT 1)"
    );
    connection
        .prepare_cached(&sql)?
        .query_row(params![file_row::number(file), step.0], |row| read(connection, row))
        .optional()
}

pub(super) fn keep_approval(connection: &Connection, approval: &Approval) -> rusqlite::Result<()> {
    let Approval { hunk, by, decision, completes } = approval;
    let sql = "INSERT OR REPLACE INTO approval (hunk, approver, decision, completes) VALUES (?1, ?2, ?3, ?4)";
    connection.prepare_cached(sql)?.execute(params![hunk, by, number(*decision), completes]).map(drop)
}

pub(super) fn claims(connection: &Connection, path: &FilePath) -> rusqlite::Result<Vec<Claim>> {
    let sql =
        "SELECT number, time_ms, task, attempt, hash, person, text, how FROM claim WHERE path = ?1 ORDER BY number";
    let mut statement = connection.prepare_cached(sql)?;
    let found = statement.query_map([path.as_bytes()], |row| {
        let task = row.get::<_, Option<i64>>(2)?.and_then(|task| TaskId::new(u64::try_from(task).ok()?));
        let word = match task {
            Some(task) => Word::Writes {
                run: RunId { task, attempt: row.get(3)? },
                hash: row.get::<_, Option<[u8; 32]>>(4)?.map(ContentHash),
            },
            None => Word::Saved {
                person: row.get(5)?,
                text: row.get(6)?,
                how: match row.get_ref(7)?.as_str()? {
                    "by-hand" => SavedHow::ByHand,
                    "applied" => SavedHow::Applied,
                    _ => SavedHow::Mixed,
                },
            },
        };
        let number = u64::try_from(row.get::<_, i64>(0)?).unwrap_or(0);
        Ok(Claim { number, path: path.clone(), time: Wall(row.get(1)?), word })
    })?;
    found.collect()
}

/// Keeps a word, and lets go of those that have waited too long.
pub(super) fn put_claim(connection: &Connection, claim: &Claim) -> rusqlite::Result<()> {
    let old = claim.time.0.saturating_sub(CLAIM_MS);
    connection.prepare_cached("DELETE FROM claim WHERE time_ms < ?1")?.execute([old])?;
    let sql = "INSERT INTO claim (path, time_ms, task, attempt, hash, person, text, how) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
    let mut insert = connection.prepare_cached(sql)?;
    let (path, time) = (claim.path.as_bytes(), claim.time.0);
    match &claim.word {
        Word::Writes { run, hash } => insert.execute(params![
            path,
            time,
            task_row::number(run.task),
            run.attempt,
            hash.map(|hash| hash.0),
            None::<String>,
            None::<Vec<u8>>,
            None::<String>
        ]),
        Word::Saved { person, text, how } => {
            let how = match how {
                SavedHow::ByHand => "by-hand",
                SavedHow::Applied => "applied",
                SavedHow::Mixed => "mixed",
            };
            let none = None::<i64>;
            insert.execute(params![path, time, none, none, None::<Vec<u8>>, person, text, how])
        }
    }
    .map(drop)
}

pub(super) fn drop_claim(connection: &Connection, claim: u64) -> rusqlite::Result<()> {
    let number = i64::try_from(claim).unwrap_or(i64::MAX);
    connection.prepare_cached("DELETE FROM claim WHERE number = ?1")?.execute([number]).map(drop)
}
