//! Tracked files as rows: the weave, and what pending hunks can be found by.

use augment_core::attribution::Author;
use augment_core::file::FilePath;
use augment_core::id::{RunId, TaskId};
use augment_core::review::{FileNumber, PendingOf, TrackedFile};
use augment_core::time::Wall;
use augment_core::weave::Weave;
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension as _, Row, params, params_from_iter};

use super::{rows, task_row};

const COLUMNS: &str = "file.number, file.parked, file.awaits_save, weave.data";
/// How much a weave may hold when it is unpacked.
const MAX_WEAVE_BYTES: usize = 512 * 1_024 * 1_024;

/// What a row holds that cannot be read is damage, told as such.
pub(super) fn damaged(what: impl Into<String>) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(0, rusqlite::types::Type::Blob, what.into().into())
}

pub(super) fn pack(data: &[u8]) -> rusqlite::Result<Vec<u8>> {
    zstd::bulk::compress(data, 1).map_err(|error| damaged(format!("cannot be packed: {error}")))
}

pub(super) fn unpack(data: &[u8], limit: usize) -> rusqlite::Result<Vec<u8>> {
    // The length stands in the frame; what claims more than the limit is not unpacked.
    let length = match zstd::zstd_safe::get_frame_content_size(data) {
        Ok(Some(length)) => usize::try_from(length).unwrap_or(usize::MAX),
        Ok(None) | Err(_) => return Err(damaged("the packed content has no length")),
    };
    if length > limit {
        return Err(damaged(format!("the packed content claims {length} bytes")));
    }
    zstd::bulk::decompress(data, length).map_err(|error| damaged(format!("cannot be unpacked: {error}")))
}

pub(super) fn number(file: FileNumber) -> i64 {
    i64::try_from(file.0).unwrap_or(i64::MAX)
}

pub(super) fn read_number(row: &Row<'_>, at: usize) -> rusqlite::Result<FileNumber> {
    Ok(FileNumber(u64::try_from(row.get::<_, i64>(at)?).unwrap_or(0)))
}

pub(super) fn read_path(row: &Row<'_>, at: usize) -> rusqlite::Result<FilePath> {
    FilePath::new(row.get::<_, Vec<u8>>(at)?).map_err(|problem| damaged(format!("a stored path is none: {problem}")))
}

fn read(row: &Row<'_>) -> rusqlite::Result<TrackedFile> {
    let weave = read_weave(&row.get::<_, Vec<u8>>(3)?)?;
    Ok(TrackedFile { number: read_number(row, 0)?, weave, awaits_save: row.get(2)?, parked: row.get(1)? })
}

fn read_weave(data: &[u8]) -> rusqlite::Result<Weave> {
    Weave::decode(&unpack(data, MAX_WEAVE_BYTES)?)
        .map_err(|problem| damaged(format!("a file's story cannot be read: {problem:?}")))
}

pub(super) fn by_number(connection: &Connection, file: FileNumber) -> rusqlite::Result<Option<TrackedFile>> {
    let sql = format!("SELECT {COLUMNS} FROM file JOIN weave ON weave.file = file.number WHERE file.number = ?1");
    connection.prepare_cached(&sql)?.query_row([number(file)], read).optional()
}

pub(super) fn at(connection: &Connection, path: &FilePath) -> rusqlite::Result<Option<TrackedFile>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM file JOIN weave ON weave.file = file.number WHERE file.path = ?1 AND file.parked IS NULL"
    );
    connection.prepare_cached(&sql)?.query_row([path.as_bytes()], read).optional()
}

pub(super) fn is_tracked(connection: &Connection, path: &FilePath) -> rusqlite::Result<bool> {
    let sql = "SELECT 1 FROM file WHERE path = ?1 AND parked IS NULL";
    connection.prepare_cached(sql)?.exists([path.as_bytes()])
}

pub(super) fn parked(connection: &Connection, path: &FilePath, limit: usize) -> rusqlite::Result<Vec<TrackedFile>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM file JOIN weave ON weave.file = file.number \
         WHERE file.path = ?1 AND file.parked IS NOT NULL \
         AND file.waits = 1 ORDER BY file.number DESC LIMIT ?2"
    );
    connection.prepare_cached(&sql)?.query_map(params![path.as_bytes(), rows(limit)], read)?.collect()
}

pub(super) fn parked_with(
    connection: &Connection,
    path: &FilePath,
    branch: &str,
) -> rusqlite::Result<Option<TrackedFile>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM file JOIN weave ON weave.file = file.number \
         WHERE file.path = ?1 AND file.parked = ?2 ORDER BY file.number DESC LIMIT 1"
    );
    connection.prepare_cached(&sql)?.query_row(params![path.as_bytes(), branch], read).optional()
}

pub(super) fn next(connection: &Connection) -> rusqlite::Result<u64> {
    let highest: Option<i64> =
        connection.prepare_cached("SELECT max(number) FROM file")?.query_row([], |row| row.get(0))?;
    Ok(u64::try_from(highest.unwrap_or(0)).unwrap_or(0) + 1)
}

pub(super) fn pending(
    connection: &Connection,
    of: &PendingOf,
    after: Option<&FilePath>,
    limit: usize,
) -> rusqlite::Result<Vec<FileNumber>> {
    let after: &[u8] = after.map_or(b"", FilePath::as_bytes);
    let mut values = vec![Value::Blob(after.to_vec()), Value::Integer(rows(limit))];
    let of_hunk = match of {
        PendingOf::All => "1",
        PendingOf::Unknown => "task IS NULL",
        PendingOf::Task(task) => {
            values.push(Value::Integer(task_row::number(*task)));
            "task = ?3"
        }
        PendingOf::Run(run) => {
            values.push(Value::Integer(task_row::number(run.task)));
            values.push(Value::Integer(run.attempt.into()));
            "task = ?3 AND attempt = ?4"
        }
    };
    let sql = format!(
        "SELECT number FROM file WHERE number IN (SELECT file FROM hunk WHERE {of_hunk}) \
         AND parked IS NULL AND path > ?1 ORDER BY path LIMIT ?2"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let found = statement.query_map(params_from_iter(values), |row| read_number(row, 0))?;
    found.collect()
}

/// How many hunks of a task wait, in files that are there now.
pub(super) fn waiting_of(connection: &Connection, task: TaskId) -> rusqlite::Result<u32> {
    let sql =
        "SELECT count(*) FROM hunk JOIN file ON file.number = hunk.file WHERE hunk.task = ?1 AND file.parked IS NULL";
    connection.prepare_cached(sql)?.query_row([task_row::number(task)], |row| row.get(0))
}

/// Files with a decision that was to be saved in an editor.
pub(super) fn awaiting_save(connection: &Connection) -> rusqlite::Result<Vec<FilePath>> {
    let sql = "SELECT path FROM file WHERE awaits_save AND parked IS NULL ORDER BY path";
    connection.prepare_cached(sql)?.query_map([], |row| read_path(row, 0))?.collect()
}

/// Every tracked file that is not parked, by path.
pub(super) fn all(
    connection: &Connection,
    after: Option<&FilePath>,
    limit: usize,
) -> rusqlite::Result<Vec<FileNumber>> {
    let sql = "SELECT number FROM file WHERE parked IS NULL AND path > ?1 ORDER BY path LIMIT ?2";
    let after: &[u8] = after.map_or(b"", FilePath::as_bytes);
    connection.prepare_cached(sql)?.query_map(params![after, rows(limit)], |row| read_number(row, 0))?.collect()
}

/// Files in which nothing waits, not parked, those that were left alone longest first.
pub(super) fn done(connection: &Connection, limit: usize) -> rusqlite::Result<Vec<FileNumber>> {
    let sql = "SELECT number FROM file WHERE parked IS NULL AND NOT EXISTS (SELECT 1 FROM hunk WHERE hunk.file = file.number) \
               ORDER BY revision, number LIMIT ?1";
    connection.prepare_cached(sql)?.query_map([rows(limit)], |row| read_number(row, 0))?.collect()
}

/// Every file's story, also of those that are parked.
pub(super) fn each_weave(connection: &Connection, mut take: impl FnMut(FileNumber, &Weave)) -> rusqlite::Result<()> {
    let mut statement = connection.prepare_cached("SELECT file, data FROM weave")?;
    let mut found = statement.query([])?;
    while let Some(row) = found.next()? {
        take(read_number(row, 0)?, &read_weave(&row.get::<_, Vec<u8>>(1)?)?);
    }
    Ok(())
}

pub(super) fn hunks_starting(
    connection: &Connection,
    beginning: &str,
    limit: usize,
) -> rusqlite::Result<Vec<(String, FileNumber)>> {
    let sql = "SELECT id, file FROM hunk WHERE id >= ?1 AND id < ?1 || 'g' ORDER BY id, file LIMIT ?2";
    connection
        .prepare_cached(sql)?
        .query_map(params![beginning, rows(limit)], |row| Ok((row.get(0)?, read_number(row, 1)?)))?
        .collect()
}

/// How much waits for a decision.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PendingCounts {
    pub files: u32,
    pub hunks: u32,
    pub unknown: u32,
}

pub(super) fn counts(connection: &Connection) -> rusqlite::Result<PendingCounts> {
    let mut counts = PendingCounts::default();
    let mut statement = connection.prepare_cached("SELECT what, number FROM pending_tally")?;
    let mut found = statement.query([])?;
    while let Some(row) = found.next()? {
        let number: u32 = row.get(1)?;
        match row.get_ref(0)?.as_str()? {
            "hunks" => counts.hunks = number,
            "files" => counts.files = number,
            _ => counts.unknown = number,
        }
    }
    Ok(counts)
}

/// Writes a file and what can be found of it. `revision` is the ledger's sequence, or what it was.
pub(super) fn put(connection: &Connection, file: &TrackedFile, revision: Option<u64>) -> rusqlite::Result<()> {
    let id = number(file.number);
    let revision = revision.map(|revision| i64::try_from(revision).unwrap_or(i64::MAX));
    connection
        .prepare_cached(
            "INSERT INTO file (number, path, parked, awaits_save, revision, waits) \
             VALUES (?1, ?2, ?3, ?4, coalesce(?5, 0), ?6) \
             ON CONFLICT (number) DO UPDATE SET \
             path = ?2, parked = ?3, awaits_save = ?4, revision = coalesce(?5, revision), waits = ?6",
        )?
        .execute(params![
            id,
            file.path().as_bytes(),
            file.parked,
            file.awaits_save,
            revision,
            !file.weave.is_settled()
        ])?;
    connection
        .prepare_cached("INSERT INTO weave (file, data) VALUES (?1, ?2) ON CONFLICT (file) DO UPDATE SET data = ?2")?
        .execute(params![id, pack(&file.weave.encode())?])?;
    super::prompt_row::loosen(connection, file.number)?;
    put_hunks(connection, file)
}

fn put_hunks(connection: &Connection, file: &TrackedFile) -> rusqlite::Result<()> {
    let id = number(file.number);
    let (was, was_unknown): (i64, i64) = connection
        .prepare_cached("SELECT count(*), count(*) - count(task) FROM hunk WHERE file = ?1")?
        .query_row([id], |row| Ok((row.get(0)?, row.get(1)?)))?;
    connection.prepare_cached("DELETE FROM hunk WHERE file = ?1")?.execute([id])?;
    let (mut is, mut is_unknown) = (0_i64, 0_i64);
    if file.parked.is_none() {
        let mut insert = connection
            .prepare_cached("INSERT OR IGNORE INTO hunk (file, id, task, attempt) VALUES (?1, ?2, ?3, ?4)")?;
        for hunk in file.weave.hunks() {
            let run = match &hunk.author {
                Author::Run(run) => Some(*run),
                Author::Person { .. } | Author::Vcs | Author::Unknown => None,
            };
            let task = run.map(|run| task_row::number(run.task));
            let added = insert.execute(params![id, hunk.id.to_string(), task, run.map(|run| run.attempt)])?;
            is += i64::try_from(added).unwrap_or(0);
            is_unknown += i64::from(run.is_none());
        }
    }
    for (what, change) in
        [("hunks", is - was), ("unknown", is_unknown - was_unknown), ("files", i64::from(is > 0) - i64::from(was > 0))]
    {
        if change != 0 {
            connection
                .prepare_cached("UPDATE pending_tally SET number = number + ?2 WHERE what = ?1")?
                .execute(params![what, change])?;
        }
    }
    Ok(())
}

pub(super) fn has_run_since(connection: &Connection, since: Wall) -> rusqlite::Result<bool> {
    connection
        .prepare_cached("SELECT EXISTS (SELECT 1 FROM run WHERE ended_ms >= ?1)")?
        .query_row([since.0], |row| row.get(0))
}

pub(super) fn active_runs(connection: &Connection, limit: usize) -> rusqlite::Result<Vec<RunId>> {
    let sql = "SELECT number, attempt FROM task WHERE status = 'in-progress' LIMIT ?1";
    connection
        .prepare_cached(sql)?
        .query_map([rows(limit)], |row| {
            let task: TaskId = task_row::read_id(row, 0)?;
            Ok(RunId { task, attempt: row.get(1)? })
        })?
        .collect()
}
