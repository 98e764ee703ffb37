//! `audit protocol`: archived sessions against the protocols that they name. It reads files only; the rules are the core's.

use std::path::Path;

use augment_core::adherence::{self, Point};
use augment_core::file::FilePath;
use augment_core::settings::ARCHIVE_FOLDER;
use augment_core::text::{quoted, shortened, visible};
use augment_host::archive::{ReadError, Shelf, archived};
use augment_host::settings::Settings;

use super::{Ended, Ending, Failure, Session};
use crate::args::ProtocolArgs;
use crate::output::protocol::{Checked, Judged, Judgement, Lacking, Shown, told};

/// How much of what was typed is said back.
const MAX_SHOWN: usize = 60;
/// How many archives are named where several are meant.
const MAX_NAMED: usize = 10;

/// A command that finds nothing to check ends as one that cannot read it: 1 says that something is missing in a session.
pub(super) fn run(session: &Session, args: &ProtocolArgs) -> Ended {
    match check(session, args) {
        Err(Failure::Told { code, message, data }) => {
            session.output.error(&code, &message, data.as_ref());
            Ok(Ending::Unreadable)
        }
        ended @ (Ok(_) | Err(Failure::Closed | Failure::Interrupted)) => ended,
    }
}

fn check(session: &Session, args: &ProtocolArgs) -> Ended {
    let sessions = if args.folders.is_empty() {
        let shelf = archive(session)?;
        let wanted = wanted(&shelf, args.all).map_err(|error| Failure::told("not-readable", error.to_string()))?;
        if wanted.is_empty() {
            let message = format!(
                "There is no archived session in {}. Sessions are archived when they are completed.",
                visible(&shelf.place().to_string_lossy())
            );
            return Err(Failure::told("no-archive", message));
        }
        wanted.iter().map(|name| judged(&shelf, name)).collect()
    } else {
        let one = |folder: &std::path::PathBuf| named(session, folder).map(|(shelf, name)| judged(&shelf, &name));
        args.folders.iter().map(one).collect::<Result<Vec<Judged>, Failure>>()?
    };
    let ending = if sessions.iter().any(|session| session.problem.is_some()) {
        Ending::Unreadable
    } else if sessions.iter().any(|session| !session.missing.is_empty()) {
        Ending::No
    } else {
        Ending::Done
    };
    let shown = if args.points { Shown::EveryPoint } else { Shown::WhatIsMissing };
    session.show(&Judgement { sessions }, |judgement| told(judgement, shown))?;
    Ok(ending)
}

/// The folder of the workspace that holds its archives.
fn archive(session: &Session) -> Result<Shelf, Failure> {
    let workspace = session.workspace()?;
    let set = Settings::read(workspace.places()).text(ARCHIVE_FOLDER);
    let below = FilePath::from_text(&set).map_err(|problem| {
        let message = format!(
            "{ARCHIVE_FOLDER} is {}, but {problem}. Set it to a folder with `augment-cli config set`.",
            quoted(&set)
        );
        Failure::told("no-archive", message)
    })?;
    Shelf::open(workspace.root(), Some(below)).map_err(|error| Failure::told("not-readable", error.to_string()))
}

/// All, or the one that ended last; by its name where that cannot be read.
fn wanted(shelf: &Shelf, all: bool) -> Result<Vec<String>, ReadError> {
    let names = shelf.names()?.into_iter().map(|(name, _)| name);
    if all {
        return Ok(names.collect());
    }
    let ended = |name: &String| shelf.record(name).ok().map(|record| record.ended_at);
    Ok(names.max_by_key(|name| (ended(name), name.clone())).into_iter().collect())
}

/// A folder by its path, or by what names it in the archive.
fn named(session: &Session, typed: &Path) -> Result<(Shelf, String), Failure> {
    let unknown = || {
        let message = format!(
            "{} is no archived session, neither by its folder, id nor number. `augment-cli archive list` shows them, \
             `augment-cli audit protocol --all` checks every one.",
            visible(&shortened(&typed.to_string_lossy(), MAX_SHOWN))
        );
        Failure::told("unknown-archive", message)
    };
    if typed.is_dir() {
        let whole = typed.canonicalize().map_err(|_| unknown())?;
        let (Some(above), Some(name)) = (whole.parent(), whole.file_name().and_then(|name| name.to_str())) else {
            return Err(unknown());
        };
        let shelf = Shelf::open(above, None).map_err(|error| Failure::told("not-readable", error.to_string()))?;
        return Ok((shelf, name.to_owned()));
    }
    let Some(wanted) = typed.to_str().filter(|_| typed.components().count() == 1) else { return Err(unknown()) };
    let shelf = archive(session)?;
    if shelf.place().join(wanted).is_dir() {
        return Ok((shelf, wanted.to_owned()));
    }
    let mut found = found(&shelf, wanted).map_err(|error| Failure::told("not-readable", error.to_string()))?;
    match found.len() {
        0 => Err(unknown()),
        1 => Ok((shelf, found.swap_remove(0))),
        _ => {
            found.truncate(MAX_NAMED);
            let message = format!("{} means several archives. Name one: {}.", quoted(wanted), found.join(", "));
            Err(Failure::told("ambiguous-archive", message))
        }
    }
}

/// The folders of the session with this id, else this number, else those whose names begin so.
fn found(shelf: &Shelf, wanted: &str) -> Result<Vec<String>, ReadError> {
    let names: Vec<String> = shelf.names()?.into_iter().map(|(name, _)| name).collect();
    let records: Vec<_> = names.iter().filter_map(|name| Some((name, shelf.record(name).ok()?))).collect();
    let by_id: Vec<String> =
        records.iter().filter(|(_, record)| record.id == wanted).map(|(name, _)| (*name).clone()).collect();
    if !by_id.is_empty() {
        return Ok(by_id);
    }
    let number = wanted.parse::<u32>().ok();
    let by_number: Vec<String> =
        records.iter().filter(|(_, record)| Some(record.number) == number).map(|(name, _)| (*name).clone()).collect();
    if !by_number.is_empty() {
        return Ok(by_number);
    }
    Ok(names.into_iter().filter(|name| name.starts_with(wanted)).collect())
}

fn judged(shelf: &Shelf, name: &str) -> Judged {
    let mut judged = Judged { folder: name.to_owned(), ..Judged::default() };
    match judge(shelf, name, &mut judged) {
        Ok(points) => {
            judged.of = points.len();
            judged.missing = points.iter().filter_map(lacking).collect();
            judged.checked = points.into_iter().map(checked).collect();
            judged.points = judged.of - judged.missing.len();
        }
        Err(problem) => judged.problem = Some(problem),
    }
    judged
}

fn lacking(point: &Point) -> Option<Lacking> {
    Some(Lacking { point: point.name.clone(), what: point.lacks.clone()?, next: point.next })
}

fn checked(point: Point) -> Checked {
    let Point { name, lacks, note, next } = point;
    Checked { point: name, met: lacks.is_none(), lacks, note, next }
}

fn judge(shelf: &Shelf, name: &str, judged: &mut Judged) -> Result<Vec<Point>, String> {
    let record = shelf.record(name).map_err(|error| error.to_string())?;
    judged.session = Some(record.id.clone());
    judged.number = Some(record.number);
    judged.protocol = Some([record.protocol.session.clone(), record.protocol.completion.clone()]);
    let archived = archived(shelf, name, &record).map_err(|error| error.to_string())?;
    adherence::judge(&archived).map_err(|unknown| {
        format!(
            "It follows {}, which this program does not know. Update Augment Orchestrator to check it.",
            quoted(&unknown.name)
        )
    })
}
