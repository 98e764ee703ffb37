//! The index of the archive: which sessions there are, and the words in them. It is a cache in a file of its own. What is
//! on disk is compared by stamps, so that the cost follows what has changed; a file that is damaged or of another form is
//! made anew. Whoever asks twice in a moment is not made to wait for the second look, unless a folder came or went.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use augment_core::file::FilePath;
use rusqlite::{Connection, ErrorCode, OptionalExtension as _, Transaction, TransactionBehavior, params};

use super::form::{SessionRecord, read_time};
use super::read::{ReadError, Shelf};

/// The number of `index.sql`, kept in the file.
const FORM: i32 = 1;
/// For how long a look at the folders holds.
const FRESH: Duration = Duration::from_secs(2);
/// How much of a summary is searched.
const BODY: usize = 512 * 1_024;
/// How many texts of a record are looked for in the summary; a record with more is searched twice rather than for minutes.
const COMPARED: usize = 256;
/// How much of an outcome is listed.
const OUTCOME: usize = 300;
/// How many words stand around what was found.
const AROUND: i32 = 18;
const BUSY: Duration = Duration::from_secs(10);

#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error("The index of the archive cannot be used: {0}. It may be removed at any time: {path}", path = .1.display())]
    Sqlite(rusqlite::Error, PathBuf),
    #[error("The index of the archive cannot be made anew: {0}. Remove it: {path}", path = .1.display())]
    NotRemoved(std::io::Error, PathBuf),
}

/// What reading from the index gives.
pub type Read<T> = rusqlite::Result<T>;

/// Which sessions are wanted. All that is set must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    pub tags: Vec<String>,
    /// A task's id or its title.
    pub task: Option<String>,
    pub agent: Option<String>,
    pub since: Option<i64>,
    pub until: Option<i64>,
}

/// A session as it is listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    pub folder: String,
    pub id: String,
    pub number: u32,
    pub title: String,
    pub started: i64,
    pub ended: i64,
    pub minutes: u64,
    pub outcome: String,
    pub tags: Vec<String>,
    pub agents: Vec<String>,
    pub tasks: u64,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    pub row: Row,
    pub snippet: String,
    /// The lower, the better.
    pub score: f64,
}

/// A folder that cannot be read as an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    pub folder: String,
    pub message: String,
}

/// What a name stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    One(String),
    None,
    Several(Vec<String>),
}

/// Whether what was learnt in a session was taken in; if not, it is tried again at the next look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Taken {
    Done,
    Later,
}

#[derive(Debug)]
pub struct ArchiveIndex {
    root: PathBuf,
    path: PathBuf,
    open: Mutex<Open>,
}

#[derive(Debug, Default)]
struct Open {
    connection: Option<Connection>,
    looked: Option<Looked>,
}

/// The last look at the folders.
#[derive(Debug)]
struct Looked {
    at: Instant,
    folder: FilePath,
    stamp: Option<String>,
    /// What the caller said had been written until then.
    written: u64,
}

/// The index as it stands after a look.
#[derive(Debug)]
pub struct Reading<'a> {
    connection: &'a Connection,
}

impl ArchiveIndex {
    /// The index of the archive of the workspace at `root`, kept in the file `path`. Nothing is opened yet.
    #[must_use]
    pub fn new(root: &Path, path: PathBuf) -> Self {
        Self { root: root.to_owned(), path, open: Mutex::default() }
    }

    /// Brings the index up to date with the archive in `folder`, and reads from it. `written` is another number after
    /// something was written there by this process; `learn` is given each session that is new or has changed.
    pub fn read<T>(
        &self,
        folder: &FilePath,
        written: u64,
        learn: &mut dyn FnMut(&str, &SessionRecord) -> Taken,
        read: impl Fn(&Reading<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, IndexError> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let shelf = Shelf::open(&self.root, Some(folder.clone()))?;
        let place = (folder, written);
        match self.attempt(&mut open, &shelf, place, learn, &read) {
            Err(Attempt::Sqlite(error)) if is_damaged(&error) => {
                tracing::warn!("The index of the archive is made anew: {error}");
                *open = Open::default();
                self.discard()?;
                self.attempt(&mut open, &shelf, place, learn, &read).map_err(|error| self.failure(error))
            }
            other => other.map_err(|error| self.failure(error)),
        }
    }

    fn failure(&self, error: Attempt) -> IndexError {
        match error {
            Attempt::Read(error) => IndexError::Read(error),
            Attempt::Sqlite(error) => IndexError::Sqlite(error, self.path.clone()),
        }
    }

    fn attempt<T>(
        &self,
        open: &mut Open,
        shelf: &Shelf,
        (folder, written): (&FilePath, u64),
        learn: &mut dyn FnMut(&str, &SessionRecord) -> Taken,
        read: &impl Fn(&Reading<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, Attempt> {
        let connection = match open.connection.take() {
            Some(connection) => connection,
            None => {
                open.looked = None;
                connect(&self.path)?
            }
        };
        let connection = open.connection.insert(connection);
        let stamp = shelf.stamp()?;
        let is_fresh = open.looked.as_ref().is_some_and(|looked| {
            let is_same = (&looked.folder, &looked.stamp, looked.written) == (folder, &stamp, written);
            is_same && looked.at.elapsed() < FRESH
        });
        if !is_fresh {
            let at = Instant::now();
            let whole = update(connection, shelf, learn)?;
            // What is not there as a whole is looked at again.
            open.looked = whole.then(|| Looked { at, folder: folder.clone(), stamp, written });
        }
        Ok(read(&Reading { connection })?)
    }

    fn discard(&self) -> Result<(), IndexError> {
        for end in ["", "-wal", "-shm"] {
            let mut path = self.path.clone().into_os_string();
            path.push(end);
            match std::fs::remove_file(&path) {
                Ok(()) => {}
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                Err(error) => return Err(IndexError::NotRemoved(error, self.path.clone())),
            }
        }
        Ok(())
    }
}

/// Why one attempt did not succeed.
enum Attempt {
    Read(ReadError),
    Sqlite(rusqlite::Error),
}

impl From<ReadError> for Attempt {
    fn from(error: ReadError) -> Self {
        Self::Read(error)
    }
}

impl From<rusqlite::Error> for Attempt {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

fn is_damaged(error: &rusqlite::Error) -> bool {
    match error.sqlite_error_code() {
        Some(code) => matches!(code, ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase | ErrorCode::Unknown),
        // A row that is not what this form has in its place.
        None => true,
    }
}

/// Another form is treated as damage: what is there is only a copy.
fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let mut connection = Connection::open(path)?;
    connection.busy_timeout(BUSY)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    let form: i32 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    if form == 0 && tables == 0 {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        transaction.execute_batch(include_str!("index.sql"))?;
        transaction.pragma_update(None, "user_version", FORM)?;
        transaction.commit()?;
    } else if form != FORM {
        return Err(rusqlite::Error::InvalidQuery);
    }
    Ok(connection)
}

/// Takes in what has changed. False where something should be looked at again soon.
fn update(
    connection: &mut Connection,
    shelf: &Shelf,
    learn: &mut dyn FnMut(&str, &SessionRecord) -> Taken,
) -> Result<bool, Attempt> {
    let there = shelf.names()?;
    let mut known: HashMap<String, (i64, String, bool)> = HashMap::with_capacity(there.len());
    {
        let mut rows = connection.prepare_cached("SELECT row, folder, stamp, learnt FROM session")?;
        let mut rows = rows.query([])?;
        while let Some(row) = rows.next()? {
            known.insert(row.get(1)?, (row.get(0)?, row.get(2)?, row.get(3)?));
        }
    }
    let mut changed: Vec<(String, String)> = Vec::new();
    let mut gone: Vec<i64> = Vec::new();
    for (folder, stamp) in there {
        match known.remove(&folder) {
            Some((_, kept, true)) if kept == stamp => {}
            Some((row, ..)) => {
                gone.push(row);
                changed.push((folder, stamp));
            }
            None => changed.push((folder, stamp)),
        }
    }
    gone.extend(known.into_values().map(|(row, ..)| row));
    if gone.is_empty() && changed.is_empty() {
        return Ok(true);
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    for row in gone {
        for table in ["session", "label"] {
            transaction.prepare_cached(&format!("DELETE FROM {table} WHERE row = ?1"))?.execute([row])?;
        }
        transaction.prepare_cached("DELETE FROM words WHERE rowid = ?1")?.execute([row])?;
    }
    let mut whole = true;
    for (folder, stamp) in changed {
        match shelf.record(&folder) {
            Ok(record) => {
                let taken = learn(&folder, &record);
                whole &= taken == Taken::Done;
                let summary = shelf.summary(&folder).unwrap_or_default();
                put(&transaction, &folder, &stamp, taken, &record, &summary)?;
            }
            Err(error) => put_problem(&transaction, &folder, &stamp, &error)?,
        }
    }
    transaction.commit()?;
    Ok(whole)
}

const PUT: &str = "INSERT INTO session (folder, stamp, problem, learnt, id, number, title, started, ended, minutes, outcome, \
                   tags, agents, tasks) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)";

fn put(
    transaction: &Transaction<'_>,
    folder: &str,
    stamp: &str,
    taken: Taken,
    record: &SessionRecord,
    summary: &str,
) -> rusqlite::Result<()> {
    let list = |texts: &[String]| serde_json::Value::from(texts.to_vec()).to_string();
    transaction.prepare_cached(PUT)?.execute(params![
        folder,
        stamp,
        None::<String>,
        taken == Taken::Done,
        record.id,
        record.number,
        record.title,
        read_time(&record.started_at).unwrap_or(0),
        read_time(&record.ended_at).unwrap_or(0),
        i64::try_from(record.minutes).unwrap_or(i64::MAX),
        augment_core::text::shortened(&record.outcome, OUTCOME),
        list(&record.tags),
        list(&record.agents),
        i64::try_from(record.tasks.len()).unwrap_or(i64::MAX),
    ])?;
    let row = transaction.last_insert_rowid();
    let mut labels: Vec<(&str, &str)> = Vec::new();
    labels.extend(record.tags.iter().map(|tag| ("tag", tag.as_str())));
    labels.extend(record.agents.iter().map(|agent| ("agent", agent.as_str())));
    labels.extend(record.tasks.iter().filter_map(|task| Some(("task", task.id.as_deref()?))));
    labels.extend(record.tasks.iter().map(|task| ("task", task.title.as_str())));
    for (kind, name) in &labels {
        let put = "INSERT OR IGNORE INTO label (kind, name, row) VALUES (?1, ?2, ?3)";
        transaction.prepare_cached(put)?.execute(params![kind, name.trim().to_lowercase(), row])?;
    }
    let labels: Vec<&str> = labels.into_iter().map(|(_, name)| name).collect();
    let put = "INSERT INTO words (rowid, title, labels, body) VALUES (?1, ?2, ?3, ?4)";
    let body = body(record, summary);
    transaction.prepare_cached(put)?.execute(params![row, record.title, labels.join("\n"), body])?;
    Ok(())
}

fn put_problem(transaction: &Transaction<'_>, folder: &str, stamp: &str, error: &ReadError) -> rusqlite::Result<()> {
    let problem = error.to_string();
    transaction
        .prepare_cached(PUT)?
        .execute(params![folder, stamp, problem, true, "", 0, "", 0, 0, 0, "", "[]", "[]", 0])?;
    Ok(())
}

/// All that can be searched besides title and labels. The summary tells most of it, and what a person added to it.
fn body(record: &SessionRecord, summary: &str) -> String {
    let mut end = summary.len().min(BODY);
    while !summary.is_char_boundary(end) {
        end -= 1;
    }
    let mut texts: Vec<&str> = vec![&record.outcome];
    for task in &record.tasks {
        texts.extend(task.goal.as_deref());
        texts.extend(task.why.as_deref());
        texts.extend(task.files.iter().map(|file| file.path.as_str()));
    }
    for decision in &record.decisions {
        texts.push(&decision.what);
        texts.extend(decision.alternatives.iter().map(String::as_str));
        texts.extend(decision.why.as_deref());
    }
    for list in [&record.challenges, &record.resources, &record.discovered] {
        texts.extend(list.iter().map(String::as_str));
    }
    texts.extend(record.artifacts.iter().map(|artifact| artifact.path.as_str()));
    texts.extend(record.learnings.iter().map(|learning| learning.text.as_str()));
    texts.extend(record.feedback.iter().filter_map(|feedback| feedback.text.as_deref()));
    texts.extend(
        [&record.phase, &record.sprint_goal, &record.end_reason].into_iter().filter_map(|text| text.as_deref()),
    );
    // What the summary tells in the same words is not searched twice.
    let summary = &summary[..end];
    let mut compared = 0;
    texts.retain(|text| {
        compared += 1;
        !text.is_empty() && (compared > COMPARED || !summary.contains(text))
    });
    texts.insert(0, summary);
    texts.join("\n")
}

const ROW: &str = "session.folder, session.id, session.number, session.title, session.started, session.ended, \
                   session.minutes, session.outcome, session.tags, session.agents, session.tasks";
/// The conditions of a filter, by the numbers of their parameters.
const FILTER: &str = "session.problem IS NULL \
    AND (?1 IS NULL OR session.ended >= ?1) AND (?2 IS NULL OR session.ended < ?2) \
    AND (?3 IS NULL OR EXISTS (SELECT 1 FROM label WHERE kind = 'task' AND name = ?3 AND row = session.row)) \
    AND (?4 IS NULL OR EXISTS (SELECT 1 FROM label WHERE kind = 'agent' AND name = ?4 AND row = session.row)) \
    AND NOT EXISTS (SELECT 1 FROM json_each(?5) wanted WHERE NOT EXISTS \
        (SELECT 1 FROM label WHERE kind = 'tag' AND name = wanted.value AND row = session.row))";

fn row_of(row: &rusqlite::Row<'_>) -> rusqlite::Result<Row> {
    let list = |text: String| serde_json::from_str(&text).unwrap_or_default();
    Ok(Row {
        folder: row.get(0)?,
        id: row.get(1)?,
        number: row.get(2)?,
        title: row.get(3)?,
        started: row.get(4)?,
        ended: row.get(5)?,
        minutes: u64::try_from(row.get::<_, i64>(6)?).unwrap_or(0),
        outcome: row.get(7)?,
        tags: list(row.get(8)?),
        agents: list(row.get(9)?),
        tasks: u64::try_from(row.get::<_, i64>(10)?).unwrap_or(0),
    })
}

impl Filter {
    fn lower(text: Option<&String>) -> Option<String> {
        text.map(|text| text.trim().to_lowercase())
    }

    fn tag_list(&self) -> String {
        serde_json::Value::from(self.tags.iter().map(|tag| tag.trim().to_lowercase()).collect::<Vec<_>>()).to_string()
    }
}

impl Reading<'_> {
    /// Sessions, the newest first.
    pub fn list(&self, filter: &Filter, limit: usize) -> rusqlite::Result<Vec<Row>> {
        let sql = format!("SELECT {ROW} FROM session WHERE {FILTER} ORDER BY ended DESC, folder DESC LIMIT ?6");
        let mut statement = self.connection.prepare_cached(&sql)?;
        let rows = statement.query_map(
            params![
                filter.since,
                filter.until,
                Filter::lower(filter.task.as_ref()),
                Filter::lower(filter.agent.as_ref()),
                filter.tag_list(),
                i64::try_from(limit).unwrap_or(i64::MAX)
            ],
            row_of,
        )?;
        rows.collect()
    }

    /// Sessions that hold what the expression of [`super::to_match`] asks for, the best first. A word in the title counts
    /// most, then one in the labels.
    pub fn search(&self, expression: &str, filter: &Filter, limit: usize) -> rusqlite::Result<Vec<Hit>> {
        // What stands around a word is looked for in those that are shown, not in all that have it.
        let filtered = if *filter == Filter::default() {
            String::new()
        } else {
            format!(" AND words.rowid IN (SELECT row FROM session WHERE {FILTER})")
        };
        let sql = format!(
            "SELECT words.rowid, words.rank FROM words WHERE words MATCH ?7 AND rank MATCH 'bm25(10.0, 5.0, 1.0)'{filtered} \
             ORDER BY rank LIMIT ?6"
        );
        // Parameters that the text does not name may still be bound, so both forms take the same ones.
        let sql = if filtered.is_empty() { sql.replace("?7", "?1").replace("?6", "?2") } else { sql };
        let mut best = self.connection.prepare_cached(&sql)?;
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let pair = |row: &rusqlite::Row<'_>| Ok((row.get::<_, i64>(0)?, row.get::<_, f64>(1)?));
        let rows: Vec<(i64, f64)> = if filtered.is_empty() {
            best.query_map(params![expression, limit], pair)?.collect::<rusqlite::Result<_>>()?
        } else {
            let bound = params![
                filter.since,
                filter.until,
                Filter::lower(filter.task.as_ref()),
                Filter::lower(filter.agent.as_ref()),
                filter.tag_list(),
                limit,
                expression
            ];
            best.query_map(bound, pair)?.collect::<rusqlite::Result<_>>()?
        };
        let mut around = self.connection.prepare_cached(
            "SELECT snippet(words, -1, '', '', '…', ?3) FROM words WHERE words MATCH ?1 AND rowid = ?2",
        )?;
        let mut one = self.connection.prepare_cached(&format!("SELECT {ROW} FROM session WHERE row = ?1"))?;
        let mut hits = Vec::with_capacity(rows.len());
        for (row, score) in rows {
            let snippet: String = around.query_row(params![expression, row, AROUND], |row| row.get(0))?;
            let snippet = snippet.split_whitespace().collect::<Vec<_>>().join(" ");
            hits.push(Hit { row: one.query_row([row], row_of)?, snippet, score });
        }
        Ok(hits)
    }

    /// The archive that a name means: its id, its number, its folder, or a beginning of that.
    pub fn find(&self, wanted: &str) -> rusqlite::Result<Found> {
        let wanted = wanted.trim();
        let folders = |sql: &str, value: &dyn rusqlite::ToSql| -> rusqlite::Result<Vec<String>> {
            self.connection.prepare_cached(sql)?.query_map([value], |row| row.get(0))?.collect()
        };
        let exact = "SELECT folder FROM session WHERE folder = ?1";
        let by_id = "SELECT folder FROM session WHERE id = ?1 AND problem IS NULL ORDER BY folder LIMIT 10";
        let by_number = "SELECT folder FROM session WHERE number = ?1 AND problem IS NULL ORDER BY folder LIMIT 10";
        let by_beginning =
            "SELECT folder FROM session WHERE substr(folder, 1, length(?1)) = ?1 ORDER BY folder LIMIT 10";
        let mut found = folders(exact, &wanted)?;
        if found.is_empty() && !wanted.is_empty() {
            found = folders(by_id, &wanted)?;
        }
        if found.is_empty()
            && let Ok(number) = wanted.parse::<u32>()
        {
            found = folders(by_number, &number)?;
        }
        if found.is_empty() && !wanted.is_empty() {
            found = folders(by_beginning, &wanted)?;
        }
        Ok(match found.len() {
            0 => Found::None,
            1 => Found::One(found.swap_remove(0)),
            _ => Found::Several(found),
        })
    }

    /// Every folder, those that cannot be read among them.
    pub fn folders(&self) -> rusqlite::Result<Vec<String>> {
        let mut statement = self.connection.prepare_cached("SELECT folder FROM session ORDER BY folder")?;
        statement.query_map([], |row| row.get(0))?.collect()
    }

    /// What cannot be read, a few of them.
    pub fn problems(&self, limit: usize) -> rusqlite::Result<Vec<Problem>> {
        let sql = "SELECT folder, problem FROM session WHERE problem IS NOT NULL ORDER BY folder LIMIT ?1";
        let mut statement = self.connection.prepare_cached(sql)?;
        let problem = |row: &rusqlite::Row<'_>| Ok(Problem { folder: row.get(0)?, message: row.get(1)? });
        statement.query_map([i64::try_from(limit).unwrap_or(i64::MAX)], problem)?.collect()
    }

    pub fn count(&self) -> rusqlite::Result<u64> {
        let sql = "SELECT count(*) FROM session WHERE problem IS NULL";
        let count: Option<i64> = self.connection.prepare_cached(sql)?.query_row([], |row| row.get(0)).optional()?;
        Ok(count.and_then(|count| u64::try_from(count).ok()).unwrap_or(0))
    }
}
