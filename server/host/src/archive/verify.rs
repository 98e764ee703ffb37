//! Whether an archive is what was written: the hashes of its files, and its part of the ledger, record by record. The
//! first thing that does not hold is told.
//!
//! What this cannot show: that somebody wrote the whole folder anew, record, hashes and all, or changed `session.json`
//! where nothing else speaks of it. Records between those of the session are not there, so a record that was taken out
//! shows in their count alone. The data of a record that is redacted is not what was hashed; there the link alone is
//! checked, and the hash of the file.

use augment_core::file::ContentHash;
use augment_core::ledger::Break;
use augment_core::ledger::copy::{Copied, CopyCheck, Extent};

use super::form::{LEDGER, LedgerPart, SessionRecord};
use super::lines;
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

/// Checks the session's part of the ledger by itself: each record by its hash, those that follow each other by their
/// links, their order, their number and the last one.
pub fn check_ledger(bytes: &[u8], said: &LedgerPart) -> Result<u64, Unsound> {
    follow_ledger(bytes, said, |_| {})
}

/// The same, with a look at each line that is a record, to the end also where something does not hold.
pub(super) fn follow_ledger(bytes: &[u8], said: &LedgerPart, mut each: impl FnMut(&Copied)) -> Result<u64, Unsound> {
    let mut check = CopyCheck::new(Extent::Part, None);
    let mut wrong = None;
    for (at, line) in bytes.split_inclusive(|byte| *byte == b'\n').enumerate() {
        match read_line(line) {
            Ok(copied) => {
                each(&copied);
                if wrong.is_none() {
                    wrong = check.next(&copied).err().map(|found| Unsound::Chain { found });
                }
            }
            Err(problem) => {
                wrong.get_or_insert(Unsound::Line { line: at + 1, problem });
            }
        }
    }
    match wrong {
        Some(wrong) => Err(wrong),
        None => as_said(&check, said),
    }
}

fn read_line(line: &[u8]) -> Result<Copied, String> {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let text = std::str::from_utf8(line).map_err(|_| "it is not UTF-8".to_owned())?;
    lines::record(text).map_err(|problem| format!("it is no record: {problem}"))
}

fn as_said(check: &CopyCheck, said: &LedgerPart) -> Result<u64, Unsound> {
    let (count, last) = (check.records(), check.head());
    if count != said.records {
        return Err(Unsound::Count { found: count, said: said.records });
    }
    let Some(first) = check.first() else { return Ok(0) };
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
