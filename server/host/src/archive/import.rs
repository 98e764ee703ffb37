//! Taking in archives that were made elsewhere: folders only, each checked as a whole before anything is written, and
//! written through the one function that writes users' files, to places where nothing is. A folder of the same name that
//! holds something else stays as it is, and nothing of the import is written.

use std::path::{Path, PathBuf};

use augment_core::file::FilePath;
use augment_core::text::quoted;

use super::form::{SESSION, SessionRecord};
use super::read::{NAME, ReadError, Shelf, is_plain_name};
use super::verify::{self, Unsound};
use crate::files::{self, Change, Expected, ExpectedThing, Thing, Wanted, WriteError};

/// What one import takes.
const ARCHIVES: usize = 1_000;
const BYTES: usize = 256 * 1_024 * 1_024;
const MODE: u32 = 0o644;
/// How many folders without a plain name are named.
const SKIPPED: usize = 100;

#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    #[error("{} is not a folder. Only folders are imported; unpack it and name the folder.", path.display())]
    NotAFolder { path: PathBuf },
    #[error("{} holds no archive: neither it nor a folder in it has a {SESSION}.", path.display())]
    Nothing { path: PathBuf },
    #[error(
        "{} cannot be imported: its name is no plain name. Rename it: at most {NAME} letters from a to z, digits, `-`, `_` and \
         `.`, and neither `-` nor `.` at the beginning.",
        path.display()
    )]
    BadName { path: PathBuf },
    #[error("{} cannot be imported: {problem} Nothing was imported.", path.display())]
    Unsound { path: PathBuf, problem: Unsound },
    #[error("{} cannot be read: {problem} Nothing was imported.", path.display())]
    Unreadable { path: PathBuf, problem: ReadError },
    #[error("The archive has another session in {}. Rename the folder that you import. Nothing was imported.", quoted(.folder))]
    Clash { folder: String },
    #[error("That is more than one import takes: at most {ARCHIVES} archives of {} MB in all. Import them in parts.", BYTES / 1_024 / 1_024)]
    TooMuch,
    #[error("{folder} could not be written: {problem}")]
    NotWritten { folder: String, problem: WriteError },
}

/// One archive that was checked, and can be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arrival {
    pub folder: String,
    /// Where each file goes in the workspace, and what it holds.
    pub files: Vec<(FilePath, Vec<u8>)>,
}

/// What an import would do.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Prepared {
    pub arrivals: Vec<Arrival>,
    /// The same folders with the same content are there.
    pub already: Vec<String>,
    /// Folders beside them that are left where they are, since they have no plain name.
    pub skipped: Vec<String>,
}

/// Checks everything that is to be taken in. Nothing is written.
pub fn prepare(archive: &Shelf, sources: &[PathBuf]) -> Result<Prepared, ImportError> {
    let mut prepared = Prepared::default();
    let mut bytes = 0;
    for source in sources {
        let Offered { shelf, names, skipped } = archives_at(source)?;
        prepared.skipped.extend(skipped);
        for name in names {
            let path = if source.ends_with(&name) { source.clone() } else { source.join(&name) };
            let unreadable = |problem| ImportError::Unreadable { path: path.clone(), problem };
            let (record, _) = verify::check_files(&shelf, &name)
                .map_err(|problem| ImportError::Unsound { path: path.clone(), problem })?;
            let mut arrival = Arrival { folder: name.clone(), files: Vec::new() };
            for file in files_of(&record) {
                let content = shelf.read(&name, file).map_err(unreadable)?;
                bytes += content.len();
                let place = archive.path_of(&name, file).map_err(unreadable)?;
                arrival.files.push((place, content));
                if bytes > BYTES {
                    return Err(ImportError::TooMuch);
                }
            }
            if prepared.arrivals.len() >= ARCHIVES {
                return Err(ImportError::TooMuch);
            }
            if prepared.arrivals.iter().any(|other| other.folder == name && *other != arrival) {
                return Err(ImportError::Clash { folder: name });
            }
            match standing(archive, &arrival, &record).map_err(unreadable)? {
                Standing::Free => {
                    if !prepared.arrivals.contains(&arrival) {
                        prepared.arrivals.push(arrival);
                    }
                }
                Standing::Same => prepared.already.push(name),
                Standing::Other => return Err(ImportError::Clash { folder: name }),
            }
        }
    }
    Ok(prepared)
}

/// All files of an archive. The record comes last, so that what is there without one is no archive yet.
fn files_of(record: &SessionRecord) -> impl Iterator<Item = &str> {
    record.files.all().map(|(file, _)| file).chain([SESSION])
}

/// What is there under an arrival's name.
enum Standing {
    Free,
    Same,
    Other,
}

fn standing(archive: &Shelf, arrival: &Arrival, record: &SessionRecord) -> Result<Standing, ReadError> {
    let mut there = 0;
    for ((_, content), file) in arrival.files.iter().zip(files_of(record)) {
        match archive.read(&arrival.folder, file) {
            Ok(found) if found == *content => there += 1,
            Ok(_) => return Ok(Standing::Other),
            Err(ReadError::Missing { .. }) => {}
            Err(ReadError::Link { .. } | ReadError::TooLarge { .. }) => return Ok(Standing::Other),
            Err(error) => return Err(error),
        }
    }
    Ok(if there == arrival.files.len() { Standing::Same } else { Standing::Free })
}

/// The archives that a folder is or holds: where they lie, and their names in order.
struct Offered {
    shelf: Shelf,
    names: Vec<String>,
    /// Those without a plain name.
    skipped: Vec<String>,
}

fn archives_at(source: &Path) -> Result<Offered, ImportError> {
    let path = || source.to_owned();
    let found = source.canonicalize().ok().filter(|source| source.is_dir());
    let Some(source) = found else { return Err(ImportError::NotAFolder { path: path() }) };
    let unreadable = |problem| ImportError::Unreadable { path: path(), problem };
    if std::fs::symlink_metadata(source.join(SESSION)).is_ok() {
        let (Some(above), Some(name)) = (source.parent(), source.file_name()) else {
            return Err(ImportError::BadName { path: path() });
        };
        let name = name.to_str().filter(|name| is_plain_name(name));
        let name = name.ok_or_else(|| ImportError::BadName { path: path() })?;
        let shelf = Shelf::open(above, None).map_err(unreadable)?;
        return Ok(Offered { shelf, names: vec![name.to_owned()], skipped: Vec::new() });
    }
    let shelf = Shelf::open(&source, None).map_err(unreadable)?;
    let names: Vec<String> = shelf.names().map_err(unreadable)?.into_iter().map(|(name, _)| name).collect();
    let mut skipped = shelf.oddly_named().map_err(unreadable)?;
    match (names.len(), skipped.first()) {
        (0, None) => Err(ImportError::Nothing { path: path() }),
        (0, Some(odd)) => Err(ImportError::BadName { path: path().join(odd) }),
        (1..=ARCHIVES, _) if skipped.len() <= SKIPPED => Ok(Offered { shelf, names, skipped }),
        (1..=ARCHIVES, _) => {
            let more = skipped.len() - SKIPPED;
            skipped.truncate(SKIPPED);
            skipped.push(format!("and {more} more"));
            Ok(Offered { shelf, names, skipped })
        }
        _ => Err(ImportError::TooMuch),
    }
}

/// Writes one archive. What an earlier try has written already stays.
pub fn put(archive: &Shelf, arrival: &Arrival) -> Result<(), ImportError> {
    let change = |(path, content): &(FilePath, Vec<u8>)| Change {
        expected: Expected { path: path.clone(), thing: ExpectedThing::Absent },
        wanted: Wanted { path: path.clone(), thing: Thing::File { content: content.clone(), mode: MODE } },
    };
    for Change { expected, wanted } in arrival.files.iter().map(change) {
        files::replace(archive.root(), &expected, &wanted)
            .map_err(|problem| ImportError::NotWritten { folder: arrival.folder.clone(), problem })?;
    }
    Ok(())
}
