//! Where the knowledge base lies. What was learnt here is local, in a database of its own beside the workspace's data: it
//! is not the index of the archive, since that is thrown away whenever it does not fit, and what a person added or
//! dropped would be lost with it. What archives tell lies beside that in a table of its own, by their folders: it goes with
//! its archive, and takes no place from what a person said. What a person approved for everybody lies in a file of the workspace that a team
//! commits; it is written only as a whole, if it is still what was read.
//!
//! Nothing here decides what may be an entry or which ones match; the core does.

mod shared;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use augment_core::closing::LEARNINGS_LIMIT;
use augment_core::knowledge::{Draft, Entry, FILES_LIMIT, KnowledgeId};
use rusqlite::{Connection, TransactionBehavior, params};

use crate::archive::form::{SessionRecord, read_time};

pub use shared::{SharedError, SharedFile};

/// The number of the table below, kept in the file.
const FORM: i32 = 1;
const BUSY: Duration = Duration::from_secs(10);
/// How many entries of persons are looked through, and how many of archives; the newest.
const ENTRIES: i64 = 20_000;
const TABLE: &str = "CREATE TABLE entry (
  id TEXT PRIMARY KEY,
  text TEXT NOT NULL,
  tags TEXT NOT NULL,
  files TEXT NOT NULL,
  source TEXT,
  added_by TEXT,
  at INTEGER NOT NULL,
  -- A person does not want it. It stays, so that its archive does not bring it back.
  dropped INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX entry_by_time ON entry (at);
-- What archives tell. The same thing may stand in several of them.
CREATE TABLE learnt (
  source TEXT NOT NULL,
  id TEXT NOT NULL,
  text TEXT NOT NULL,
  tags TEXT NOT NULL,
  files TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (source, id)
) WITHOUT ROWID;
CREATE INDEX learnt_by_time ON learnt (at);
CREATE INDEX learnt_by_id ON learnt (id, at, source);";

#[derive(Debug, thiserror::Error)]
pub enum KnowledgeError {
    #[error("What was learnt here cannot be read or kept: {source}. It lies in {}. If it is damaged, move it away: what archives tell comes back by itself.", path.display())]
    Sqlite { path: PathBuf, source: rusqlite::Error },
    #[error("{} was written by a newer version of this program. Update it.", path.display())]
    Newer { path: PathBuf },
}

/// What was learnt in this workspace, and is known on this machine only.
#[derive(Debug)]
pub struct LocalKnowledge {
    path: PathBuf,
    connection: Mutex<Option<Connection>>,
}

impl LocalKnowledge {
    /// Nothing is opened yet.
    #[must_use]
    pub fn new(path: PathBuf) -> Self {
        Self { path, connection: Mutex::default() }
    }

    fn with<T>(&self, act: impl FnOnce(&mut Connection) -> rusqlite::Result<T>) -> Result<T, KnowledgeError> {
        let mut kept = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        let failed = |source| KnowledgeError::Sqlite { path: self.path.clone(), source };
        let mut connection = match kept.take() {
            Some(connection) => connection,
            None => self.connect()?,
        };
        let done = act(&mut connection).map_err(failed)?;
        *kept = Some(connection);
        Ok(done)
    }

    fn connect(&self) -> Result<Connection, KnowledgeError> {
        let failed = |source| KnowledgeError::Sqlite { path: self.path.clone(), source };
        let open = || {
            let mut connection = Connection::open(&self.path)?;
            connection.busy_timeout(BUSY)?;
            connection.pragma_update(None, "journal_mode", "WAL")?;
            connection.pragma_update(None, "synchronous", "NORMAL")?;
            let form: i32 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
            if form == 0 {
                let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
                transaction.execute_batch(TABLE)?;
                transaction.pragma_update(None, "user_version", FORM)?;
                transaction.commit()?;
            }
            Ok((connection, form))
        };
        let (connection, form) = open().map_err(failed)?;
        if form > FORM { Err(KnowledgeError::Newer { path: self.path.clone() }) } else { Ok(connection) }
    }

    /// Takes in what was learnt in an archived session, in the place of what it told before: as much as one session may
    /// learn, and no later than now. What a person added or dropped stays as it is. Gives how much was left where it is.
    pub fn take_in(&self, folder: &str, record: &SessionRecord, now: i64) -> Result<usize, KnowledgeError> {
        let mut files: Vec<String> = Vec::new();
        for touched in record.tasks.iter().flat_map(|task| &task.files) {
            if files.len() < FILES_LIMIT && !files.contains(&touched.path) {
                files.push(touched.path.clone());
            }
        }
        let at = read_time(&record.ended_at).unwrap_or(0).min(now);
        let fit = |learning: &crate::archive::form::Learning| {
            let draft = Draft { text: learning.text.clone(), tags: learning.tags.clone(), files: files.clone() };
            draft.fitted().filter(|draft| draft.secret().is_none())
        };
        let drafts: Vec<Draft> = record.learnings.iter().take(LEARNINGS_LIMIT).filter_map(fit).collect();
        self.with(|connection| {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            transaction.prepare_cached("DELETE FROM learnt WHERE source = ?1")?.execute([folder])?;
            for draft in &drafts {
                let put =
                    "INSERT OR IGNORE INTO learnt (source, id, text, tags, files, at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
                let id = KnowledgeId::of(&draft.text).to_string();
                let values = params![folder, id, draft.text, list(&draft.tags), list(&draft.files), at];
                transaction.prepare_cached(put)?.execute(values)?;
            }
            transaction.commit()
        })?;
        Ok(record.learnings.len() - drafts.len())
    }

    /// Forgets what was learnt in archives that are not among these folders. What a person added, approved or dropped
    /// is no archive's any more.
    pub fn keep_only(&self, folders: &[String]) -> Result<(), KnowledgeError> {
        self.with(|connection| {
            let there: BTreeSet<&str> = folders.iter().map(String::as_str).collect();
            let known: Vec<String> = {
                let mut statement = connection.prepare_cached("SELECT DISTINCT source FROM learnt")?;
                statement.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?
            };
            let gone: Vec<String> = known.into_iter().filter(|source| !there.contains(source.as_str())).collect();
            if gone.is_empty() {
                return Ok(());
            }
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            for source in gone {
                transaction.prepare_cached("DELETE FROM learnt WHERE source = ?1")?.execute([source])?;
            }
            transaction.commit()
        })
    }

    /// Adds what a person says, also if it was dropped before.
    pub fn add(&self, draft: &Draft, by: &str, at: i64) -> Result<(), KnowledgeError> {
        self.with(|connection| {
            let put = "INSERT INTO entry (id, text, tags, files, source, added_by, at) VALUES (?1, ?2, ?3, ?4, NULL, ?5, ?6) \
                       ON CONFLICT (id) DO UPDATE SET tags = ?3, files = ?4, added_by = ?5, at = ?6, dropped = 0";
            let id = KnowledgeId::of(&draft.text).to_string();
            connection.execute(put, params![id, draft.text, list(&draft.tags), list(&draft.files), by, at]).map(drop)
        })
    }

    /// It is not told again.
    pub fn drop_entry(&self, entry: &Entry) -> Result<(), KnowledgeError> {
        self.with(|connection| {
            let put = "INSERT INTO entry (id, text, tags, files, source, added_by, at, dropped) \
                       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 1) ON CONFLICT (id) DO UPDATE SET dropped = 1";
            let (tags, files) = (list(&entry.tags), list(&entry.files));
            let id = entry.id.to_string();
            connection.execute(put, params![id, entry.text, tags, files, entry.source, entry.by, entry.at]).map(drop)
        })
    }

    /// The entries that were not dropped: those of persons, then those that only archives tell, each the newest first.
    pub fn entries(&self) -> Result<Vec<Entry>, KnowledgeError> {
        let added = "SELECT text, tags, files, source, added_by, at FROM entry WHERE dropped = 0 \
                     ORDER BY at DESC, id LIMIT ?1";
        // Of several archives that tell the same, the newest is named.
        let learnt = "SELECT text, tags, files, source, NULL, at FROM learnt \
                      WHERE NOT EXISTS (SELECT 1 FROM entry WHERE entry.id = learnt.id) \
                      AND NOT EXISTS (SELECT 1 FROM learnt other WHERE other.id = learnt.id \
                                      AND (other.at, other.source) > (learnt.at, learnt.source)) \
                      ORDER BY at DESC, id LIMIT ?1";
        let entry = |row: &rusqlite::Row<'_>| {
            let texts = |text: String| serde_json::from_str(&text).unwrap_or_default();
            let text: String = row.get(0)?;
            Ok(Entry {
                id: KnowledgeId::of(&text),
                text,
                tags: texts(row.get(1)?),
                files: texts(row.get(2)?),
                source: row.get(3)?,
                shared: false,
                by: row.get(4)?,
                at: row.get(5)?,
            })
        };
        self.with(|connection| {
            let mut entries = Vec::new();
            for sql in [added, learnt] {
                let mut statement = connection.prepare_cached(sql)?;
                for found in statement.query_map([ENTRIES], entry)? {
                    entries.push(found?);
                }
            }
            Ok(entries)
        })
    }
}

fn list(texts: &[String]) -> String {
    serde_json::Value::from(texts.to_vec()).to_string()
}

/// Shared and local entries as one list: what persons approved or added, then what only archives tell, each the newest
/// first. What is shared is not told twice, and nothing is newer than now.
#[must_use]
pub fn all(local: Vec<Entry>, shared: &SharedFile, now: i64) -> Vec<Entry> {
    let mut entries = shared.entries();
    let known: BTreeSet<KnowledgeId> = entries.iter().map(|entry| entry.id.clone()).collect();
    entries.extend(local.into_iter().filter(|entry| !known.contains(&entry.id)));
    for entry in &mut entries {
        entry.at = entry.at.min(now);
    }
    entries.sort_by(|a, b| {
        let (one, other) = ((a.is_vouched_for(), a.at), (b.is_vouched_for(), b.at));
        other.cmp(&one).then_with(|| a.id.cmp(&b.id))
    });
    entries
}
