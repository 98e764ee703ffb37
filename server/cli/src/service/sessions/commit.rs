//! The commit of a session's documents: proposed with what would keep it from being made, and made on a person's yes.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::sync::Arc;

use augment_core::attribution::Author;
use augment_core::file::{ContentHash, FilePath};
use augment_core::ledger::Topic;
use augment_core::session::{Session, SessionId, SessionState};
use augment_core::view::View as _;
use augment_host::store::{KeptReport, LedgerQuery, Snapshot, StoreError};
use augment_host::vcs::{self, CommitError};
use augment_protocol::sessions as wire;
use augment_protocol::status::RefusalData;
use augment_protocol::{FAILED, REFUSED};
use serde_json::Value;
use tower_lsp_server::jsonrpc::{Error, Result};

use crate::service::Shared;
use crate::service::methods::{no, no_with, snapshot};

/// What came of each document, in words.
pub(super) fn told_documents(data: &str) -> Vec<String> {
    let data: Value = serde_json::from_str(data).unwrap_or_default();
    let lines = data.get("documents").and_then(Value::as_array).into_iter().flatten();
    lines.filter_map(Value::as_str).map(str::to_owned).collect()
}

fn message_of(report: &KeptReport) -> Option<String> {
    let data: Value = serde_json::from_str(&report.data).ok()?;
    data.get("commitMessage").and_then(Value::as_str).map(str::to_owned)
}

fn files_of(session: &Session) -> Vec<FilePath> {
    session.documents.iter().filter_map(|path| FilePath::from_text(path).ok()).collect()
}

/// The commit that would make the record part of the project; none where there is nothing, or nothing to commit to.
pub(super) fn proposal(
    snapshot: &Snapshot<'_>,
    root: &Path,
    session: &Session,
    report: Option<&KeptReport>,
) -> std::result::Result<Option<wire::CommitProposal>, StoreError> {
    let Some(message) = report.and_then(message_of).filter(|_| !session.documents.is_empty()) else { return Ok(None) };
    let files = files_of(session);
    let may = vcs::may_commit(root, &files);
    if matches!(may, Err(CommitError::NoRepository)) {
        return Ok(None);
    }
    let mut standing = standing(snapshot, root, session.id, &files)?;
    let undecided = standing.undecided.take();
    let problem = may.err().map(|error| error.to_string()).or(undecided);
    Ok(Some(wire::CommitProposal { problem, ..standing.proposal(message, &files) }))
}

/// What a yes to the commit was said to.
pub(super) enum Agreed {
    /// To the documents as they are, whatever they hold.
    Any,
    /// To those that the proposal with this word was about.
    Shown(String),
    /// To those that the session's end left.
    AsEnded,
}

impl Agreed {
    pub(super) fn of(wanted: &wire::CommitSession) -> Self {
        match (&wanted.confirm, wanted.as_ended) {
            (Some(confirm), _) => Self::Shown(confirm.clone()),
            (None, Some(true)) => Self::AsEnded,
            (None, Some(false) | None) => Self::Any,
        }
    }
}

/// A commit of a session's documents that can be made.
pub(super) struct Wanted {
    session: SessionId,
    files: Vec<FilePath>,
    message: String,
}

/// The commit of a session, if there is one and git would make it now.
pub(super) async fn wanted(shared: &Arc<Shared>, session: &Session, report: Option<&KeptReport>) -> Result<Wanted> {
    let number = session.number;
    if session.state != SessionState::Ended {
        let message = format!(
            "Session {number:03} is {}, so it has no record to commit. Only one that has ended has.",
            session.state.name()
        );
        return Err(no(REFUSED, "not-ended", message));
    }
    let message = report.and_then(message_of).filter(|_| !session.documents.is_empty());
    let Some(message) = message else {
        let message = format!("The end of session {number:03} has changed no document, so there is nothing to commit.");
        return Err(no(REFUSED, "nothing-to-commit", message));
    };
    let (root, files) = (shared.workspace.root().to_owned(), files_of(session));
    let documents = files.clone();
    let may = tokio::task::spawn_blocking(move || vcs::may_commit(&root, &documents)).await;
    may.map_err(|_| Error::internal_error())?.map_err(|error| told(&error))?;
    Ok(Wanted { session: session.id, files, message })
}

pub(super) async fn make(shared: &Arc<Shared>, wanted: Wanted, agreed: Agreed) -> Result<wire::CommittedSession> {
    let Wanted { session, files, message } = wanted;
    let root = shared.workspace.root().to_owned();
    let (documents, place) = (files.clone(), root.clone());
    let standing = snapshot(shared, move |snapshot| standing(snapshot, &place, session, &documents)).await?;
    if let Some(undecided) = standing.undecided {
        return Err(no(REFUSED, "undecided-changes", undecided));
    }
    let others = standing.others(&agreed, &files);
    if !others.is_empty() {
        return Err(shown_otherwise(&others, standing.proposal(message, &files)));
    }
    let said = message.clone();
    let made = tokio::task::spawn_blocking(move || vcs::commit(&root, &files, &said)).await;
    let commit = made.map_err(|_| Error::internal_error())?.map_err(|error| told(&error))?;
    let noted =
        |path: &String| format!("{path} was changed after the end of the session, and is committed as it is now.");
    Ok(wire::CommittedSession { commit, message, notes: standing.changed.iter().map(noted).collect() })
}

fn shown_otherwise(others: &[String], now: wire::CommitProposal) -> Error {
    let has = if others.len() == 1 { "has" } else { "have" };
    let message = format!(
        "{} {has} changed since the commit of the session's record was shown, so nothing was committed. Look at what would \
         be committed, then say yes to that.",
        others.join(", ")
    );
    no_with(REFUSED, message, RefusalData { commit: Some(now), ..RefusalData::of("shown-otherwise") })
}

fn told(error: &CommitError) -> Error {
    // What git itself fails at is no answer to the person's wish; all the rest is.
    let kind = if matches!(error, CommitError::Git(_)) { FAILED } else { REFUSED };
    no(kind, error.code(), error.to_string())
}

/// How the documents stand against what the session's end left.
struct Standing {
    /// Why nothing of them is committed yet.
    undecided: Option<String>,
    /// Those that the end left otherwise.
    changed: Vec<String>,
    /// What each of them holds, as a word; in the order of the files.
    held: Vec<String>,
}

impl Standing {
    fn proposal(&self, message: String, files: &[FilePath]) -> wire::CommitProposal {
        wire::CommitProposal {
            message,
            files: files.iter().map(FilePath::to_text).collect(),
            problem: None,
            changed: self.changed.clone(),
            confirm: self.held.join(BETWEEN),
        }
    }

    /// The documents that are not what was agreed to.
    fn others(&self, agreed: &Agreed, files: &[FilePath]) -> Vec<String> {
        match agreed {
            Agreed::Any => Vec::new(),
            Agreed::AsEnded => self.changed.clone(),
            Agreed::Shown(confirm) => {
                // A word that is not of this session's documents is a yes to none of them.
                let shown: Vec<&str> = confirm.split(BETWEEN).collect();
                let differs = |(at, held): (usize, &String)| shown.len() != files.len() || shown[at] != held;
                let others = self.held.iter().enumerate().filter(|pair| differs(*pair));
                others.map(|(at, _)| files[at].to_string()).collect()
            }
        }
    }
}

/// Between the words of the documents in that of a proposal.
const BETWEEN: &str = "-";
/// How many digits of a document's hash are its word.
const WORD: usize = 16;

/// What an agent wrote to a document is nobody's record before it is decided about; what was changed since is told.
fn standing(
    snapshot: &Snapshot<'_>,
    root: &Path,
    session: SessionId,
    files: &[FilePath],
) -> std::result::Result<Standing, StoreError> {
    let (mut undecided, mut changed, mut held) = (Vec::new(), Vec::new(), Vec::new());
    for path in files {
        let by_agent = |author: &Author| matches!(author, Author::Run(_));
        if snapshot.view().file_at(path)?.is_some_and(|file| !file.weave.hunks_of(&by_agent).is_empty()) {
            undecided.push(path.to_string());
        }
        let left = left_by_end(snapshot, session, path)?;
        // What cannot be read here is told by the commit itself.
        let there = std::fs::read(root.join(OsStr::from_bytes(path.as_bytes()))).ok();
        let there = there.map(|there| ContentHash::of(&there).to_string());
        held.push(there.as_ref().map_or_else(|| "none".to_owned(), |hash| hash.chars().take(WORD).collect()));
        if there.zip(left).is_some_and(|(there, left)| there != left) {
            changed.push(path.to_string());
        }
    }
    let undecided = (!undecided.is_empty()).then(|| {
        let named = undecided.join(", ");
        format!(
            "Changes of agents in {named} are not decided about, so nothing is committed. Approve or reject them first \
             (`augment-cli changes`), then repeat."
        )
    });
    Ok(Standing { undecided, changed, held })
}

/// The hash of what the end of the session wrote to a document, in hex.
fn left_by_end(
    snapshot: &Snapshot<'_>,
    session: SessionId,
    path: &FilePath,
) -> std::result::Result<Option<String>, StoreError> {
    let about = [Topic::Session(session), Topic::File(path.clone())];
    let mut topics: Vec<String> = about.iter().map(ToString::to_string).collect();
    topics.push("kind:session.document".into());
    let last = snapshot.records(&LedgerQuery { topics, limit: 1, ..LedgerQuery::default() })?;
    let data = last.links.first().and_then(|link| serde_json::from_str::<Value>(&link.record.data).ok());
    Ok(data.and_then(|data| data.get("hash")?.as_str().map(str::to_owned)))
}
