//! Whether an archive is what was written: the hashes of its files, and its part of the ledger, record by record. The
//! first thing that does not hold is told.
//!
//! What this cannot show: that somebody wrote the whole folder anew, record, hashes and all, or changed `session.json`
//! where nothing else speaks of it. Records between those of the session are not there, so a record that was taken out
//! shows in their count alone. The data of a record that is masked is not what was hashed; there the link alone is
//! checked, and the hash of the file.

use augment_core::file::ContentHash;
use augment_core::ledger::{Break, Hash, Head, Link, Record};
use augment_core::text::quoted;
use augment_core::time::Wall;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::form::{LEDGER, LedgerPart, SessionRecord};
use super::read::{ReadError, Shelf};

/// What was checked of an archive that holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Checked {
    pub records: u64,
    pub files: usize,
}

/// The first thing that does not hold.
#[derive(Debug, thiserror::Error)]
pub enum Unsound {
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error("{file} was changed: its content is not what session.json says.")]
    Changed { file: String },
    #[error("{LEDGER}: {found}")]
    Chain { found: Break },
    #[error("{LEDGER}, line {line}: {problem}.")]
    Line { line: usize, problem: String },
    #[error("{LEDGER} has {found} records, session.json says {said}: some were taken out or put in.")]
    Count { found: u64, said: u64 },
    #[error("{LEDGER} {what} with record {found}, session.json says {said}.")]
    Place { what: &'static str, found: u64, said: u64 },
    #[error("{LEDGER} ends with another record than session.json says: record {sequence} has the hash {found}.")]
    OtherHead { sequence: u64, found: String },
}

/// Checks one archive as a whole.
pub fn check_files(shelf: &Shelf, name: &str) -> Result<(SessionRecord, Checked), Unsound> {
    let record = shelf.record(name)?;
    let ledger = shelf.ledger(name)?;
    // The chain first: it says which record was touched, where the hash of the file only says that one was.
    let records = check_ledger(&ledger, &record.ledger)?;
    for (file, said) in record.files.all() {
        let hash = match file {
            LEDGER => ContentHash::of(&ledger),
            file => ContentHash::of(&shelf.read(name, file)?),
        };
        if hash.to_string() != said {
            return Err(Unsound::Changed { file: file.to_owned() });
        }
    }
    let files = record.files.all().count();
    Ok((record, Checked { records, files }))
}

/// A line as it is written; the data is hashed as the text that it is.
#[derive(Deserialize)]
struct Line<'a> {
    about: Vec<String>,
    actor: String,
    #[serde(borrow)]
    data: &'a RawValue,
    hash: String,
    kind: String,
    #[serde(default)]
    masked: bool,
    previous: String,
    sequence: u64,
    subject: String,
    time: i64,
    version: u32,
}

/// Checks the session's part of the ledger by itself: each record by its hash, those that follow each other by their
/// links, their order, their number and the last one.
pub fn check_ledger(bytes: &[u8], said: &LedgerPart) -> Result<u64, Unsound> {
    let mut last: Option<Head> = None;
    let mut first = 0;
    let mut count: u64 = 0;
    for (at, line) in bytes.split_inclusive(|byte| *byte == b'\n').enumerate() {
        let (link, data) = read_line(line).map_err(|problem| Unsound::Line { line: at + 1, problem })?;
        let head = follow(last, &link, data).map_err(|found| Unsound::Chain { found })?;
        if count == 0 {
            first = head.sequence;
        }
        last = Some(head);
        count += 1;
    }
    if count != said.records {
        return Err(Unsound::Count { found: count, said: said.records });
    }
    let Some(last) = last else { return Ok(0) };
    if first != said.first {
        return Err(Unsound::Place { what: "begins", found: first, said: said.first });
    }
    if last.sequence != said.last {
        return Err(Unsound::Place { what: "ends", found: last.sequence, said: said.last });
    }
    if last.hash.to_string() != said.head {
        return Err(Unsound::OtherHead { sequence: last.sequence, found: last.hash.to_string() });
    }
    Ok(count)
}

/// Whether the data is what was hashed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shown {
    AsItWas,
    Masked,
}

fn read_line(line: &[u8]) -> Result<(Link, Shown), String> {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let text = std::str::from_utf8(line).map_err(|_| "it is not UTF-8".to_owned())?;
    let line: Line<'_> = serde_json::from_str(text).map_err(|error| format!("it is no record: {error}"))?;
    let hash =
        |name: &str, text: &str| Hash::from_hex(text).ok_or_else(|| format!("its {name} {} is no hash", quoted(text)));
    let shown = if line.masked { Shown::Masked } else { Shown::AsItWas };
    let link = Link {
        previous: hash("previous", &line.previous)?,
        hash: hash("hash", &line.hash)?,
        record: Record {
            sequence: line.sequence,
            time: Wall(line.time),
            actor: line.actor,
            kind: line.kind,
            subject: line.subject,
            about: line.about,
            data: line.data.get().to_owned(),
            version: line.version,
        },
    };
    Ok((link, shown))
}

/// Between two records of a session there may be others; where there are none, the link has to hold.
fn follow(last: Option<Head>, link: &Link, shown: Shown) -> Result<Head, Break> {
    let sequence = link.record.sequence;
    if let Some(last) = last {
        if sequence <= last.sequence {
            return Err(Break::OutOfOrder { sequence: last.sequence.saturating_add(1), found: sequence });
        }
        if sequence == last.sequence + 1 && link.previous != last.hash {
            return Err(Break::Unlinked { sequence });
        }
    }
    match shown {
        Shown::Masked => Ok(Head { sequence, hash: link.hash }),
        Shown::AsItWas => {
            let head = Head { sequence: sequence.saturating_sub(1), hash: link.previous }.after(&link.record);
            if head.hash == link.hash { Ok(head) } else { Err(Break::Changed { sequence }) }
        }
    }
}
