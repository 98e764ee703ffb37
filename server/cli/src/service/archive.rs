//! The handlers of the archive. Reading happens on a thread where the disk may block, from the index and the folders;
//! taking in archives is a person's, recorded before anything is written.

use std::path::PathBuf;
use std::sync::Arc;

use augment_core::actor::Role;
use augment_core::file::{ContentHash, FilePath};
use augment_core::knowledge::{Step, ToWrite};
use augment_core::ledger::Topic;
use augment_core::settings::ARCHIVE_FOLDER;
use augment_core::text::{quoted, shortened};
use augment_core::turn::{Command, Input};
use augment_host::archive::form::SESSION;
use augment_host::archive::{
    self, Filter, Found, Hit, ImportError, IndexError, Problem, ReadError, Reading, Row, Shelf, Taken,
};
use augment_host::clock;
use augment_host::store::LedgerQuery;
use augment_protocol::archive as wire;
use augment_protocol::{FAILED, REFUSED};
use serde_json::Value;
use tower_lsp_server::jsonrpc::{Error, Result};

use super::Shared;
use super::methods::{Door, no};

/// How many sessions one answer lists.
const PAGE: u32 = 50;
const LARGEST_PAGE: u32 = 1_000;
/// How many folders that cannot be read are named.
const PROBLEMS: usize = 20;
/// How many archives one call names.
const NAMED: usize = 1_000;

impl Shared {
    /// The folder of the archive, as it is set now.
    fn archive_folder(&self) -> Result<FilePath> {
        let set = self.runtime.settings().text(ARCHIVE_FOLDER);
        FilePath::from_text(&set).map_err(|problem| {
            let message = format!(
                "{ARCHIVE_FOLDER} is {}, but {problem}. Set it to a folder with `augment-cli config set`.",
                quoted(&set)
            );
            no(REFUSED, "no-archive", message)
        })
    }

    /// Whether sessions are archived at all; an empty setting says that they are not.
    pub(super) fn has_archive(&self) -> bool {
        !self.runtime.settings().text(ARCHIVE_FOLDER).is_empty()
    }

    /// Reads from the index once it is up to date. What was learnt in new sessions is taken in by the way.
    pub(super) fn read_archive<T>(&self, read: impl Fn(&Reading<'_>) -> archive::Read<T>) -> Result<T> {
        let folder = self.archive_folder()?;
        let mut learn = |folder: &str, record: &archive::form::SessionRecord| match self.knowledge.take_in(
            folder,
            record,
            clock::wall().0,
        ) {
            Ok(0) => Taken::Done,
            Ok(left) => {
                tracing::warn!("Of what was learnt in {folder}, {left} are not taken in: too many, or not fit.");
                Taken::Done
            }
            Err(error) => {
                tracing::warn!("What was learnt in {folder} is taken in later: {error}");
                Taken::Later
            }
        };
        // Sessions move when their archives were written.
        let written = self.runtime.moved().borrow().sessions;
        self.archive.read(&folder, written, &mut learn, read).map_err(|error| match error {
            IndexError::Read(error) => unreadable(&error),
            error @ (IndexError::Sqlite(..) | IndexError::NotRemoved(..)) => no(FAILED, "no-index", error.to_string()),
        })
    }

    fn shelf(&self) -> Result<Shelf> {
        Shelf::open(self.workspace.root(), Some(self.archive_folder()?)).map_err(|error| unreadable(&error))
    }

    /// Archives that this workspace has written and that are not there.
    fn gone(&self, shelf: &Shelf, there: &[String]) -> Result<Vec<wire::VerifiedArchive>> {
        let below = self.archive_folder()?.to_text();
        let known = self
            .runtime
            .read(|snapshot| snapshot.archives())
            .map_err(|error| no(FAILED, "store", error.to_string()))?;
        let missing = known.into_iter().filter_map(|(session, path)| {
            let folder = path.strip_prefix(&below)?.strip_prefix('/')?.to_owned();
            let is_there = there.contains(&folder) || shelf.read(&folder, SESSION).is_ok();
            let problem = format!(
                "It was written here and is not there: it was removed, or is on another branch. \
                 `augment-cli session complete {session}` writes it again."
            );
            (!is_there).then_some(wire::VerifiedArchive { folder, records: 0, problem: Some(problem) })
        });
        Ok(missing.collect())
    }

    /// Whether `session.json` is another than the ledger says was written there. What others wrote is not in the ledger.
    fn was_rewritten(&self, shelf: &Shelf, folder: &str) -> bool {
        let (Ok(path), Ok(bytes)) = (shelf.path_of(folder, SESSION), shelf.read(folder, SESSION)) else { return false };
        let topics = vec!["kind:session.document".to_owned(), Topic::File(path).to_string()];
        let query = LedgerQuery { topics, limit: 1, ..LedgerQuery::default() };
        let Ok(found) = self.runtime.read(|snapshot| snapshot.records(&query)) else { return false };
        let data = found.links.first().and_then(|link| serde_json::from_str::<Value>(&link.record.data).ok());
        let said = data.and_then(|data| data.get("hash")?.as_str().map(str::to_owned));
        said.is_some_and(|said| said != ContentHash::of(&bytes).to_string())
    }

    /// The folder that a name means.
    fn archived(&self, wanted: &str) -> Result<String> {
        match self.read_archive(|index| index.find(wanted))? {
            Found::One(folder) => Ok(folder),
            Found::None => {
                let message = format!(
                    "There is no archived session {}. `augment-cli archive list` shows them.",
                    quoted(&shortened(wanted, 60))
                );
                Err(no(REFUSED, "unknown-archive", message))
            }
            Found::Several(folders) => {
                let message = format!("{} means several archives. Name one: {}.", quoted(wanted), folders.join(", "));
                Err(no(REFUSED, "ambiguous-archive", message))
            }
        }
    }
}

fn unreadable(error: &ReadError) -> Error {
    no(FAILED, "not-readable", error.to_string())
}

/// Runs on a thread where the disk may block.
pub(super) async fn apart<T: Send + 'static>(
    shared: &Arc<Shared>,
    act: impl FnOnce(&Shared) -> Result<T> + Send + 'static,
) -> Result<T> {
    let shared = shared.clone();
    tokio::task::spawn_blocking(move || act(&shared)).await.map_err(|_| Error::internal_error())?
}

impl Door {
    pub(super) async fn archive_list(&self, list: wire::ListArchives) -> Result<wire::ArchiveList> {
        apart(&self.shared, move |shared| {
            let (filter, limit) = filter(&list);
            let (mut rows, problems) =
                shared.read_archive(|index| Ok((index.list(&filter, limit + 1)?, index.problems(PROBLEMS)?)))?;
            let more = rows.len() > limit;
            rows.truncate(limit);
            let sessions = rows.into_iter().map(session).collect();
            Ok(wire::ArchiveList { sessions, problems: problems.into_iter().map(problem).collect(), more })
        })
        .await
    }

    pub(super) async fn archive_search(&self, search: wire::SearchArchives) -> Result<wire::ArchiveHits> {
        let expression =
            archive::to_match(&search.words).map_err(|error| no(REFUSED, "nothing-to-search", error.to_string()))?;
        apart(&self.shared, move |shared| {
            let (filter, limit) = filter(&search.only.unwrap_or_default());
            let (mut hits, problems, sessions) = shared.read_archive(|index| {
                Ok((index.search(&expression, &filter, limit + 1)?, index.problems(PROBLEMS)?, index.count()?))
            })?;
            let more = hits.len() > limit;
            hits.truncate(limit);
            let hits = hits.into_iter().map(hit).collect();
            Ok(wire::ArchiveHits { hits, sessions, problems: problems.into_iter().map(problem).collect(), more })
        })
        .await
    }

    pub(super) async fn archive_show(&self, one: wire::OneArchive) -> Result<wire::ArchiveDetails> {
        apart(&self.shared, move |shared| {
            let folder = shared.archived(&one.session)?;
            let shelf = shared.shelf()?;
            let bytes = shelf.read(&folder, SESSION).map_err(|error| unreadable(&error))?;
            // Read as strictly as everywhere, and told as it lies there.
            archive::record_of(&bytes).map_err(|error| unreadable(&error))?;
            let record = serde_json::from_slice(&bytes).map_err(|_| Error::internal_error())?;
            let path = shelf.path_of(&folder, SESSION).map_err(|error| unreadable(&error))?;
            let path = path.folder().map(|folder| folder.to_text()).unwrap_or_default();
            let summary = match shelf.summary(&folder) {
                Ok(summary) => summary,
                Err(ReadError::Missing { .. }) => String::new(),
                Err(error) => return Err(unreadable(&error)),
            };
            Ok(wire::ArchiveDetails { folder, path, summary, record })
        })
        .await
    }

    pub(super) async fn archive_verify(&self, verify: wire::VerifyArchives) -> Result<wire::ArchivesVerified> {
        if verify.sessions.len() > NAMED {
            return Err(no(
                REFUSED,
                "too-many",
                format!("At most {NAMED} archives are checked by name; name none for all."),
            ));
        }
        apart(&self.shared, move |shared| {
            let folders = if verify.sessions.is_empty() {
                shared.read_archive(|index| index.folders())?
            } else {
                verify.sessions.iter().map(|wanted| shared.archived(wanted)).collect::<Result<_>>()?
            };
            let shelf = shared.shelf()?;
            let gone = if verify.sessions.is_empty() { shared.gone(&shelf, &folders)? } else { Vec::new() };
            let check = |folder: String| {
                let checked = archive::check_files(&shelf, &folder).map_err(|error| error.to_string());
                let checked = checked.and_then(|(_, checked)| match shared.was_rewritten(&shelf, &folder) {
                    false => Ok(checked),
                    true => Err(format!("{SESSION} is not as this workspace wrote it last.")),
                });
                match checked {
                    Ok(checked) => wire::VerifiedArchive { folder, records: checked.records, problem: None },
                    Err(problem) => wire::VerifiedArchive { folder, records: 0, problem: Some(problem) },
                }
            };
            let archives: Vec<_> = folders.into_iter().map(check).chain(gone).collect();
            Ok(wire::ArchivesVerified { holds: archives.iter().all(|one| one.problem.is_none()), archives })
        })
        .await
    }

    pub(super) async fn archive_import(&self, import: wire::ImportArchives) -> Result<wire::ArchivesImported> {
        // Whoever may not take anything in does not get to look at folders either; the refusal is recorded.
        if self.actor.role() == Role::Run {
            let step = Step::Imported { folder: String::new(), files: Vec::new() };
            self.ask(Command::Remember(step)).await?;
            return Err(Error::internal_error());
        }
        let sources: Vec<PathBuf> = import.folders.iter().map(PathBuf::from).collect();
        let prepared = apart(&self.shared, move |shared| {
            archive::prepare(&shared.shelf()?, &sources).map_err(|error| not_imported(&error))
        })
        .await?;
        let mut imported = Vec::new();
        for arrival in prepared.arrivals {
            let to_write = |(path, text): &(FilePath, Vec<u8>)| ToWrite { path: path.clone(), text: text.clone() };
            let files = arrival.files.iter().map(to_write).collect();
            self.ask(Command::Remember(Step::Imported { folder: arrival.folder.clone(), files })).await?;
            let folder = arrival.folder.clone();
            let written = apart(&self.shared, move |shared| {
                archive::put(&shared.shelf()?, &arrival).map_err(|error| not_imported(&error))
            })
            .await;
            if let Err(error) = written {
                self.not_done("archive import", &error).await;
                return Err(error);
            }
            imported.push(folder);
        }
        Ok(wire::ArchivesImported { imported, already: prepared.already, skipped: prepared.skipped })
    }

    /// What was recorded could not be done: that is recorded, too.
    pub(super) async fn not_done(&self, command: &str, error: &Error) {
        let input = Input::StepNotDone { command: command.to_owned(), message: error.message.to_string() };
        if let Err(error) = self.shared.runtime.post(input).await {
            tracing::warn!("{error}");
        }
    }
}

fn not_imported(error: &ImportError) -> Error {
    let (code, kind) = match error {
        ImportError::NotAFolder { .. } => (REFUSED, "not-a-folder"),
        ImportError::Nothing { .. } => (REFUSED, "no-archive"),
        ImportError::BadName { .. } => (REFUSED, "bad-name"),
        ImportError::Unsound { .. } => (REFUSED, "unsound-archive"),
        ImportError::Clash { .. } => (REFUSED, "archive-exists"),
        ImportError::TooMuch => (REFUSED, "too-many"),
        ImportError::Unreadable { .. } => (FAILED, "not-readable"),
        ImportError::NotWritten { .. } => (FAILED, "not-written"),
    };
    no(code, kind, error.to_string())
}

fn filter(list: &wire::ListArchives) -> (Filter, usize) {
    let limit = usize::try_from(list.limit.unwrap_or(PAGE).clamp(1, LARGEST_PAGE)).unwrap_or(1);
    let filter = Filter {
        tags: list.tags.clone().unwrap_or_default(),
        task: list.task.clone(),
        agent: list.agent.clone(),
        since: list.since,
        until: list.until,
    };
    (filter, limit)
}

fn session(row: Row) -> wire::ArchivedSession {
    let Row { folder, id, number, title, started, ended, minutes, outcome, tags, agents, tasks } = row;
    wire::ArchivedSession {
        folder,
        id,
        number,
        title,
        started_at: started,
        ended_at: ended,
        minutes,
        outcome,
        tags,
        agents,
        tasks,
    }
}

fn hit(hit: Hit) -> wire::ArchiveHit {
    wire::ArchiveHit { session: session(hit.row), snippet: hit.snippet, score: -hit.score }
}

fn problem(problem: Problem) -> wire::ArchiveProblem {
    wire::ArchiveProblem { folder: problem.folder, message: problem.message }
}
