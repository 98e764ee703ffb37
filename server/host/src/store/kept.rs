//! Content and knowledge that is kept: blobs by their hash, files that a decision is about to write, and what is known of
//! files beyond the manifest.

use std::collections::{BTreeMap, HashMap, HashSet};

use augment_core::file::{Body, ContentHash, FilePath};
use augment_core::review::{DecisionId, FileNumber, FileWrite, TrackedFile};
use rusqlite::{Connection, OptionalExtension as _, params};

use super::file_row::{self, damaged, pack, read_number, read_path, unpack};

/// The largest blob that is unpacked.
const MAX_BLOB_BYTES: usize = 1_100 * 1_024 * 1_024;

pub(super) fn keep(connection: &Connection, content: &[u8]) -> rusqlite::Result<ContentHash> {
    let hash = ContentHash::of(content);
    let has = connection.prepare_cached("SELECT 1 FROM blob WHERE hash = ?1")?.exists([hash.0])?;
    if has {
        return Ok(hash);
    }
    let length = i64::try_from(content.len()).unwrap_or(i64::MAX);
    connection
        .prepare_cached("INSERT INTO blob (hash, length, data) VALUES (?1, ?2, ?3)")?
        .execute(params![hash.0, length, pack(content)?])
        .map(|_| hash)
}

pub(super) fn drop_content(connection: &Connection, hash: ContentHash) -> rusqlite::Result<()> {
    connection.prepare_cached("DELETE FROM blob WHERE hash = ?1")?.execute([hash.0]).map(drop)
}

/// The kept contents that nothing refers to once these files are as given, each with the bytes that it takes. Stories of
/// files, files that are being written, and what is known of files refer to contents. What is known is looked through
/// byte by byte, whatever its form: what looks like a hash counts as one.
pub(super) fn unneeded(
    connection: &Connection,
    files: &[TrackedFile],
    manifest: &[u8],
    lately: &HashSet<ContentHash>,
) -> rusqlite::Result<Vec<(ContentHash, u64)>> {
    let mut left: BTreeMap<[u8; 32], u64> = BTreeMap::new();
    let mut statement = connection.prepare_cached("SELECT hash, length(data) FROM blob")?;
    let mut found = statement.query([])?;
    while let Some(row) = found.next()? {
        left.insert(row.get(0)?, u64::try_from(row.get::<_, i64>(1)?).unwrap_or(0));
    }
    left.retain(|hash, _| !lately.contains(&ContentHash(*hash)));
    if left.is_empty() {
        return Ok(Vec::new());
    }
    let given: HashMap<FileNumber, &TrackedFile> = files.iter().map(|file| (file.number, file)).collect();
    file_row::each_weave(connection, |number, weave| {
        let weave = given.get(&number).map_or(weave, |file| &file.weave);
        for hash in weave.whole_contents() {
            left.remove(&hash.0);
        }
    })?;
    for UnderWay { was, .. } in under_way(connection)? {
        if let Was::File(hash) = was {
            left.remove(&hash.0);
        }
    }
    for (path, _, entry) in known(connection)? {
        // What a tracked file was is in its story, and never asked for here.
        if !file_row::is_tracked(connection, &path)? {
            remove_named(&mut left, &entry);
        }
    }
    remove_named(&mut left, manifest);
    Ok(left.into_iter().map(|(hash, bytes)| (ContentHash(hash), bytes)).collect())
}

/// Takes out every content whose hash stands somewhere in these bytes.
fn remove_named(left: &mut BTreeMap<[u8; 32], u64>, bytes: &[u8]) {
    for window in bytes.windows(32) {
        if left.is_empty() {
            return;
        }
        if let Ok(hash) = <&[u8; 32]>::try_from(window) {
            left.remove(hash);
        }
    }
}

/// The content of this hash. What does not have the hash it is kept under is damaged, and is not handed out.
pub(super) fn fetch(connection: &Connection, hash: ContentHash) -> rusqlite::Result<Option<Vec<u8>>> {
    let sql = "SELECT data FROM blob WHERE hash = ?1";
    let data: Option<Vec<u8>> = connection.prepare_cached(sql)?.query_row([hash.0], |row| row.get(0)).optional()?;
    let Some(data) = data else { return Ok(None) };
    let content = unpack(&data, MAX_BLOB_BYTES)?;
    if ContentHash::of(&content) != hash {
        return Err(damaged(format!("kept content no longer has its hash {hash}")));
    }
    Ok(Some(content))
}

/// A file that a decision was about to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnderWay {
    pub decision: DecisionId,
    pub file: FileNumber,
    pub path: FilePath,
    pub was: Was,
    pub mode: u32,
}

/// What was there before, as far as it must be known again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Was {
    Absent,
    File(ContentHash),
    Link(Vec<u8>),
}

impl Was {
    #[must_use]
    pub fn of(body: &Body) -> Self {
        match body {
            Body::Text(text) => Self::File(ContentHash::of(text)),
            Body::Whole { hash, .. } => Self::File(*hash),
            Body::Link(target) => Self::Link(target.clone()),
            Body::Absent | Body::Large { .. } | Body::Special => Self::Absent,
        }
    }
}

pub(super) fn begin_write(connection: &Connection, write: &FileWrite) -> rusqlite::Result<()> {
    let (kind, content): (&str, Vec<u8>) = match Was::of(&write.before.body) {
        Was::Absent => ("absent", Vec::new()),
        Was::File(hash) => ("file", hash.0.to_vec()),
        Was::Link(target) => ("link", target),
    };
    connection
        .prepare_cached(
            "INSERT OR REPLACE INTO writing (decision, file, path, kind, content, mode) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?
        .execute(params![
            decision(write.decision),
            file_row::number(write.file),
            write.before.path.as_bytes(),
            kind,
            content,
            write.before.mode
        ])
        .map(drop)
}

fn decision(id: DecisionId) -> i64 {
    i64::try_from(id.0).unwrap_or(i64::MAX)
}

pub(super) fn settle_write(connection: &Connection, id: DecisionId, file: FileNumber) -> rusqlite::Result<()> {
    let sql = "DELETE FROM writing WHERE decision = ?1 AND file = ?2";
    connection.prepare_cached(sql)?.execute([decision(id), file_row::number(file)]).map(drop)
}

pub(super) fn under_way(connection: &Connection) -> rusqlite::Result<Vec<UnderWay>> {
    let sql = "SELECT decision, file, path, kind, content, mode FROM writing ORDER BY decision, file";
    let mut statement = connection.prepare_cached(sql)?;
    let found = statement.query_map([], |row| {
        let content: Vec<u8> = row.get(4)?;
        let was = match row.get_ref(3)?.as_str()? {
            "absent" => Was::Absent,
            "file" => {
                let hash: [u8; 32] =
                    content.as_slice().try_into().map_err(|_| damaged("a stored hash is too short"))?;
                Was::File(ContentHash(hash))
            }
            "link" => Was::Link(content),
            other => return Err(damaged(format!("a file to be written is of the kind {other:?}"))),
        };
        Ok(UnderWay {
            decision: DecisionId(u64::try_from(row.get::<_, i64>(0)?).unwrap_or(0)),
            file: read_number(row, 1)?,
            path: read_path(row, 2)?,
            was,
            mode: row.get(5)?,
        })
    })?;
    found.collect()
}

pub(super) fn put_known(
    connection: &Connection,
    path: &FilePath,
    generation: u64,
    entry: &[u8],
) -> rusqlite::Result<()> {
    connection
        .prepare_cached("INSERT OR REPLACE INTO known (path, generation, entry) VALUES (?1, ?2, ?3)")?
        .execute(params![path.as_bytes(), i64::try_from(generation).unwrap_or(i64::MAX), entry])
        .map(drop)
}

pub(super) fn known(connection: &Connection) -> rusqlite::Result<Vec<(FilePath, u64, Vec<u8>)>> {
    let mut statement = connection.prepare_cached("SELECT path, generation, entry FROM known")?;
    let found = statement.query_map([], |row| {
        Ok((read_path(row, 0)?, u64::try_from(row.get::<_, i64>(1)?).unwrap_or(0), row.get(2)?))
    })?;
    found.collect()
}

pub(super) fn forget_known(connection: &Connection, generation: u64) -> rusqlite::Result<()> {
    let generation = i64::try_from(generation).unwrap_or(i64::MAX);
    connection.prepare_cached("DELETE FROM known WHERE generation <= ?1")?.execute([generation]).map(drop)
}
