//! Reading the project's documents: the plan, the changelog and the architecture, at the paths that the settings say. They
//! are read with limits, only as plain files within the workspace, and again whenever they have changed; what cannot be
//! understood is told with its line and changes nothing.

use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use augment_core::document::{Changelog, DOCUMENT_LIMIT, Plan, Problem};
use augment_core::file::FilePath;
use augment_core::session::Governance;
use augment_core::settings::{SESSION_ARCHITECTURE, SESSION_CHANGELOG, SESSION_PLAN};
use augment_core::text::shell_word;
use augment_core::time::date;

use crate::clock;
use crate::files::{self, HardLinks, Root, Thing};
use crate::settings::Settings;

/// What tells that a document may have changed.
type Stamp = Option<(i64, i64, u64, u64)>;

/// What the documents say, as they stood when they were read.
#[derive(Debug)]
pub(crate) struct Documents {
    pub(crate) governance: Governance,
    paths: [String; 3],
    stamps: [Stamp; 3],
}

impl Documents {
    pub(crate) fn read(root: &Path, settings: &Settings) -> Self {
        let paths = paths(settings);
        let stamps = stamps(root, &paths);
        let mut governance = Governance {
            project: root.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
            today: today(),
            plan_path: paths[0].clone(),
            ..Governance::default()
        };
        let opened = Root::open(root, DOCUMENT_LIMIT as u64, HardLinks::Separate);
        for (at, path) in paths.iter().enumerate() {
            let text = match &opened {
                Ok(root) => content(root, path),
                Err(error) => Err(error.to_string()),
            };
            let text = match text {
                Ok(Some(text)) => text,
                Ok(None) => {
                    governance.missing.push(path.clone());
                    continue;
                }
                Err(why) => {
                    governance.problems.push(why);
                    continue;
                }
            };
            let understood = match at {
                0 => take(path, Plan::read(&text), &mut governance, |governance, plan| {
                    governance.problems.extend(plan.problems.iter().map(|problem| format!("{path}: {problem}")));
                    governance.plan = Some(plan);
                }),
                1 => take(path, Changelog::read(&text), &mut governance, |governance, changelog| {
                    governance.problems.extend(changelog.problems.iter().map(|problem| format!("{path}: {problem}")));
                    governance.changelog = Some(changelog);
                }),
                _ => true,
            };
            if understood {
                governance.read.push(path.clone());
            }
        }
        if governance.missing.contains(&paths[0]) || governance.plan.is_some() {
            governance.problems.extend(elsewhere(root, &paths[0], governance.plan.is_some()));
        }
        Self { governance, paths, stamps }
    }

    /// Whether the documents, the settings about them or the day are no longer what was read.
    pub(crate) fn are_stale(&self, root: &Path, settings: &Settings) -> bool {
        let paths = paths(settings);
        self.stamps != stamps(root, &paths) || self.paths != paths || self.governance.today != today()
    }
}

fn take<T>(
    path: &str,
    read: Result<T, Problem>,
    governance: &mut Governance,
    keep: impl FnOnce(&mut Governance, T),
) -> bool {
    match read {
        Ok(read) => {
            keep(governance, read);
            true
        }
        Err(problem) => {
            governance.problems.push(format!("{path}: {problem}"));
            false
        }
    }
}

fn paths(settings: &Settings) -> [String; 3] {
    [SESSION_PLAN, SESSION_CHANGELOG, SESSION_ARCHITECTURE].map(|key| settings.text(key))
}

fn stamps(root: &Path, paths: &[String; 3]) -> [Stamp; 3] {
    [0, 1, 2].map(|at| {
        let found = std::fs::symlink_metadata(root.join(&paths[at])).ok()?;
        Some((found.mtime(), found.mtime_nsec(), found.len(), found.ino()))
    })
}

/// A document's text; `None` where there is none.
fn content(root: &Root, path: &str) -> Result<Option<Vec<u8>>, String> {
    let named = FilePath::from_text(path).map_err(|problem| format!("{path}: {problem}"))?;
    match files::look(root, &named) {
        Ok(look) => match look.thing {
            Thing::Absent => Ok(None),
            Thing::File { content, .. } => Ok(Some(content)),
            Thing::Link(_) => Err(format!("{path} is a link, so it is not read. Put the document itself there.")),
        },
        Err(error) => Err(error.to_string()),
    }
}

/// How many folders are looked through for another plan.
const FOLDERS: usize = 200;

/// Says where else there are plans: one in a folder where none is at its place, or a second one beside it.
fn elsewhere(root: &Path, path: &str, has_plan: bool) -> Option<String> {
    let name = Path::new(path).file_name()?.to_str()?.to_owned();
    let is_plan = |entry: &std::fs::DirEntry| {
        entry.file_name().to_str().is_some_and(|found| found.eq_ignore_ascii_case(&name))
            && entry.file_type().is_ok_and(|kind| kind.is_file())
    };
    let entries = |folder: &Path| std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<String> = Vec::new();
    for entry in entries(root).take(10 * FOLDERS) {
        if is_plan(&entry) {
            found.extend(entry.file_name().to_str().map(str::to_owned));
        }
    }
    let folders = entries(root).filter(|entry| {
        entry.file_type().is_ok_and(|kind| kind.is_dir())
            && !entry.file_name().to_string_lossy().starts_with('.')
            && entry.file_name() != "node_modules"
    });
    for folder in folders.take(FOLDERS) {
        for entry in entries(&folder.path()).take(10 * FOLDERS).filter(is_plan) {
            let inside = Path::new(&folder.file_name()).join(entry.file_name());
            found.push(inside.to_string_lossy().into_owned());
        }
    }
    found.retain(|other| other != path);
    found.sort();
    if found.is_empty() {
        return None;
    }
    let named = found.join(", ");
    Some(match has_plan {
        true => format!(
            "There is another plan besides {path}: {named}. Only {path} is used; `augment-cli config set session.plan` chooses."
        ),
        false => {
            let first = shell_word(&found[0]);
            format!("There is no {path}, but {named}. `augment-cli config set session.plan {first}` uses it.")
        }
    })
}

/// Today where the person is.
fn today() -> String {
    // libgit2 knows the time zone as the C library does.
    let offset = git2::Signature::now("clock", "clock").map_or(0, |now| now.when().offset_minutes());
    date(clock::wall().0 + i64::from(offset) * 60_000)
}
