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
use augment_protocol::{FAILED, REFUSED};
use serde_json::Value;
use tower_lsp_server::jsonrpc::{Error, Result};

use crate::service::Shared;
use crate::service::methods::{no, snapshot};

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
    let problem = match vcs::may_commit(root, &files) {
        Ok(()) => standing(snapshot, root, session.id, &files)?.undecided,
        Err(CommitError::NoRepository) => return Ok(None),
        Err(error) => Some(error.to_string()),
    };
    Ok(Some(wire::CommitProposal { message, files: session.documents.clone(), problem }))
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

pub(super) async fn make(shared: &Arc<Shared>, wanted: Wanted) -> Result<wire::CommittedSession> {
    let Wanted { session, files, message } = wanted;
    let root = shared.workspace.root().to_owned();
    let (documents, place) = (files.clone(), root.clone());
    let standing = snapshot(shared, move |snapshot| standing(snapshot, &place, session, &documents)).await?;
    if let Some(undecided) = standing.undecided {
        return Err(no(REFUSED, "undecided-changes", undecided));
    }
    let said = message.clone();
    let made = tokio::task::spawn_blocking(move || vcs::commit(&root, &files, &said)).await;
    let commit = made.map_err(|_| Error::internal_error())?.map_err(|error| told(&error))?;
    Ok(wire::CommittedSession { commit, message, notes: standing.changed })
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
    changed: Vec<String>,
}

/// What an agent wrote to a document is nobody's record before it is decided about; what was changed since is told.
fn standing(
    snapshot: &Snapshot<'_>,
    root: &Path,
    session: SessionId,
    files: &[FilePath],
) -> std::result::Result<Standing, StoreError> {
    let (mut undecided, mut changed) = (Vec::new(), Vec::new());
    for path in files {
        let by_agent = |author: &Author| matches!(author, Author::Run(_));
        if snapshot.view().file_at(path)?.is_some_and(|file| !file.weave.hunks_of(&by_agent).is_empty()) {
            undecided.push(path.to_string());
        }
        let left = left_by_end(snapshot, session, path)?;
        // What cannot be read here is told by the commit itself.
        let there = std::fs::read(root.join(OsStr::from_bytes(path.as_bytes()))).ok();
        if there.zip(left).is_some_and(|(there, left)| ContentHash::of(&there).to_string() != left) {
            changed.push(format!("{path} was changed after the end of the session, and is committed as it is now."));
        }
    }
    let undecided = (!undecided.is_empty()).then(|| {
        let named = undecided.join(", ");
        format!(
            "Changes of agents in {named} are not decided about, so nothing is committed. Approve or reject them first \
             (`augment-cli changes`), then repeat."
        )
    });
    Ok(Standing { undecided, changed })
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
