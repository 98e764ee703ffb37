//! `audit protocol`: archived sessions against the protocols that they name. It reads files only; the rules are the core's.

use std::path::{Path, PathBuf};

use augment_core::adherence::{self, Point};
use augment_core::text::visible;
use augment_host::archive::{DEFAULT_FOLDER, read};

use super::{Ended, Ending, Failure, Session};
use crate::args::ProtocolArgs;
use crate::output::protocol::{Judged, Judgement, Lacking, told};

pub(super) fn run(session: &Session, args: &ProtocolArgs) -> Ended {
    let folders = wanted(session, args)?;
    let sessions: Vec<Judged> = folders.iter().map(|folder| judged(folder)).collect();
    let ending = if sessions.iter().any(|session| session.problem.is_some()) {
        Ending::Unreadable
    } else if sessions.iter().any(|session| !session.missing.is_empty()) {
        Ending::No
    } else {
        Ending::Done
    };
    session.show(&Judgement { sessions }, told)?;
    Ok(ending)
}

/// The folder of the workspace that holds its archives.
fn archive(session: &Session) -> Result<PathBuf, Failure> {
    Ok(session.workspace()?.root().join(DEFAULT_FOLDER))
}

fn wanted(session: &Session, args: &ProtocolArgs) -> Result<Vec<PathBuf>, Failure> {
    if !args.folders.is_empty() {
        return args.folders.iter().map(|folder| named(session, folder)).collect();
    }
    let archive = archive(session)?;
    let all = read::sessions(&archive).map_err(|error| Failure::told("not-readable", error.to_string()))?;
    if args.all {
        return Ok(all);
    }
    match newest(all) {
        Some(folder) => Ok(vec![folder]),
        None => {
            let archive = visible(&archive.to_string_lossy()).into_owned();
            let message =
                format!("There is no archived session in {archive}. Sessions are archived when they are completed.");
            Err(Failure::told("no-archive", message))
        }
    }
}

/// The one that ended last; by its name where that cannot be read.
fn newest(all: Vec<PathBuf>) -> Option<PathBuf> {
    let ended = |folder: &PathBuf| read::record(folder).ok().map(|record| record.ended_at);
    all.into_iter().max_by_key(|folder| (ended(folder), folder.clone()))
}

/// A folder by its path, or by its name in the archive.
fn named(session: &Session, folder: &Path) -> Result<PathBuf, Failure> {
    if folder.is_dir() {
        return Ok(folder.to_owned());
    }
    let is_name = folder.components().count() == 1;
    let inside = is_name.then(|| archive(session)).transpose()?.map(|archive| archive.join(folder));
    inside.filter(|inside| inside.is_dir()).ok_or_else(|| {
        let message = format!(
            "{} is no folder of an archived session. `augment-cli audit protocol --all` checks every one.",
            visible(&folder.to_string_lossy())
        );
        Failure::told("no-archive", message)
    })
}

fn judged(folder: &Path) -> Judged {
    let name = folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy().into_owned();
    let mut judged = Judged { folder: name, ..Judged::default() };
    match judge(folder, &mut judged) {
        Ok(points) => {
            judged.of = points.len();
            judged.missing = points.into_iter().filter_map(lacking).collect();
            judged.points = judged.of - judged.missing.len();
        }
        Err(problem) => judged.problem = Some(problem),
    }
    judged
}

fn lacking(point: Point) -> Option<Lacking> {
    Some(Lacking { point: point.name, what: point.lacks? })
}

fn judge(folder: &Path, judged: &mut Judged) -> Result<Vec<Point>, String> {
    let record = read::record(folder).map_err(|error| error.to_string())?;
    judged.session = Some(record.id.clone());
    judged.number = Some(record.number);
    judged.protocol = Some([record.protocol.session.clone(), record.protocol.completion.clone()]);
    let archived = read::archived(folder, &record).map_err(|error| error.to_string())?;
    adherence::judge(&archived).map_err(|unknown| {
        format!(
            "It follows {}, which this program does not know. Update Augment Orchestrator to check it.",
            augment_core::text::quoted(&unknown.name)
        )
    })
}
