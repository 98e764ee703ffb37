//! The handlers about changes. Before anything is decided, listed or claimed, everything that happened to the files
//! until then is known: what is shown is what is there.

mod history;
mod preview;
mod renamed;
mod step_diff;
mod to_wire;
mod unwatched;

use augment_core::attribution::{Author, SavedHow};
use augment_core::file::{Body, FilePath, FileState};
use augment_core::refusal::Refusal;
use augment_core::review::{
    self, Assignee, Decide, DecisionId, FileClaim, Outcome, PendingOf, Purge, Selection, TakeBack, TrackedFile, Whose,
};
use augment_core::session::{self, AnswerFlag};
use augment_core::turn::{Answer, Command, Decided, DecidedFile, FileChange, Stop};
use augment_core::view::View as _;
use augment_core::weave::{Hunk, Standing};
use augment_host::runtime::WatchKind;
use augment_host::store::{Snapshot, StoreError};
use augment_protocol::changes as wire;
use augment_protocol::figures::{OneStep, StepDiff};
use augment_protocol::status::{Nothing, RefusalData};
use augment_protocol::{FAILED, REFUSED};
use tower_lsp_server::jsonrpc::{Error, Result};

use super::methods::{Door, no, refusal, snapshot};
use history::history;
use preview::{preview, taking_back};
use to_wire::Names;
pub(crate) use unwatched::{Unwatched, unwatched};

/// How many files one page lists.
const PAGE: u32 = 200;
const LARGEST_PAGE: u32 = 1_000;
/// How much content that is no text travels.
const BYTES_LIMIT: usize = 4 * 1_024 * 1_024;

/// An answer from a snapshot that may be a refusal.
type Read<T> = std::result::Result<std::result::Result<T, Refusal>, StoreError>;

fn told<T>(stop: Stop<StoreError>) -> Read<T> {
    match stop {
        Stop::Refused(no) => Ok(Err(no)),
        Stop::Failed(error) => Err(error),
    }
}

macro_rules! or_refuse {
    ($answer:expr) => {
        match $answer {
            Ok(value) => value,
            Err(no) => return Ok(Err(no)),
        }
    };
}

impl Door {
    /// Waits until everything that happened to files before this moment is known.
    pub(super) async fn settle(&self) -> Result<()> {
        let shared = self.shared.clone();
        match tokio::task::spawn_blocking(move || shared.runtime.settle_files()).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(message)) => Err(no(FAILED, "not-seen", message)),
            Err(_) => Err(Error::internal_error()),
        }
    }

    async fn read_changes<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Snapshot<'_>) -> Read<T> + Send + 'static,
    ) -> Result<T> {
        snapshot(&self.shared, read).await?.map_err(|no| refusal(&no))
    }

    pub(super) async fn changes_list(&self, list: wire::ListChanges) -> Result<wire::ChangeList> {
        self.settle().await?;
        self.read_changes(move |snapshot| list_changes(snapshot, &list)).await
    }

    pub(super) async fn changes_file(&self, one: wire::OneFile) -> Result<wire::ChangedFile> {
        self.settle().await?;
        self.read_changes(move |snapshot| {
            let path = or_refuse!(path(&one.path));
            let names = Names::new(snapshot);
            match snapshot.view().file_at(&path)? {
                Some(file) => to_wire::file(snapshot, &names, &file, one.decided.unwrap_or(false), &|_| true).map(Ok),
                None => Ok(Ok(untouched(&path))),
            }
        })
        .await
    }

    /// What waits in a file together with its text, where it has one, from one look at both.
    pub(super) async fn changes_file_with_text(&self, at: String) -> Result<(wire::ChangedFile, Option<String>)> {
        self.settle().await?;
        self.read_changes(move |snapshot| {
            let path = or_refuse!(path(&at));
            let Some(file) = snapshot.view().file_at(&path)? else { return Ok(Ok((untouched(&path), None))) };
            let text = content(snapshot, &file.weave.view())?.text;
            let names = Names::new(snapshot);
            let changed = to_wire::file(snapshot, &names, &file, false, &|_| true)?;
            Ok(Ok((changed, text)))
        })
        .await
    }

    pub(super) async fn changes_content(&self, which: wire::WhichContent) -> Result<wire::Content> {
        self.settle().await?;
        self.read_changes(move |snapshot| {
            let path = or_refuse!(path(&which.path));
            let Some(file) = snapshot.view().file_at(&path)? else {
                return Ok(Err(Refusal::UntrackedFile { path: which.path }));
            };
            let state = or_refuse!(content_at(snapshot, &file, &which)?);
            content(snapshot, &state).map(Ok)
        })
        .await
    }

    pub(super) async fn changes_preview(&self, decide: wire::Decide) -> Result<wire::Preview> {
        self.settle().await?;
        let decide = decision(decide);
        self.read_changes(move |snapshot| preview(snapshot, &decide)).await
    }

    pub(super) async fn changes_decide(&self, wanted: wire::Decide) -> Result<wire::Decided> {
        let decide = decision(wanted);
        let verdict = decide.verdict;
        match self.ask_settled(Command::Decide(decide.clone())).await {
            Ok(answer) if verdict == Standing::Approved => {
                let mut decided = decided(answer, APPROVED)?;
                self.intent_of(&mut decided).await;
                Ok(decided)
            }
            Ok(answer) => decided(answer, REJECTED),
            Err(error) => Err(self.with_preview(error, move |snapshot| preview(snapshot, &decide)).await),
        }
    }

    /// What must be looked at first comes along with the refusal.
    async fn with_preview(
        &self,
        mut error: Error,
        preview: impl FnOnce(&Snapshot<'_>) -> Read<wire::Preview> + Send + 'static,
    ) -> Error {
        if needs_preview(&error)
            && let Ok(preview) = self.read_changes(preview).await
            && let Some(mut data) = refusal_data(&error)
        {
            data.preview = Some(preview);
            error.data = serde_json::to_value(data).ok();
        }
        error
    }

    /// The same for a flag whose change is taken out.
    pub(super) async fn with_taking_out(&self, error: Error, answer: AnswerFlag) -> Error {
        let AnswerFlag { flag, hunks, .. } = answer;
        self.with_preview(error, move |snapshot| match session::taking_out(&snapshot.view(), &flag, hunks.as_deref()) {
            Ok(Some(decide)) => preview(snapshot, &decide),
            Ok(None) => Ok(Err(Refusal::NothingSelected)),
            Err(stop) => told(stop),
        })
        .await
    }

    pub(super) async fn changes_undo(&self, which: wire::WhichDecision) -> Result<wire::Decided> {
        let wire::WhichDecision { decision, confirm } = which;
        match self.ask_settled(Command::UndoDecision(TakeBack { decision: decision.clone(), confirm })).await {
            Ok(answer) => decided(answer, "undone"),
            Err(error) => Err(self
                .with_preview(error, move |snapshot| {
                    taking_back(snapshot, review::undo_shown(&snapshot.view(), decision.as_deref()))
                })
                .await),
        }
    }

    pub(super) async fn changes_redo(&self, which: wire::WhichDecision) -> Result<wire::Decided> {
        let wire::WhichDecision { decision, confirm } = which;
        match self.ask_settled(Command::RedoDecision(TakeBack { decision: decision.clone(), confirm })).await {
            Ok(answer) => decided(answer, "redone"),
            Err(error) => Err(self
                .with_preview(error, move |snapshot| {
                    taking_back(snapshot, review::redo_shown(&snapshot.view(), decision.as_deref()))
                })
                .await),
        }
    }

    pub(super) async fn changes_assign(&self, assign: wire::Assign) -> Result<wire::Assigned> {
        let to = match (assign.to_task, assign.to_me) {
            (Some(task), None | Some(false)) => Assignee::Task(task),
            (None, Some(true)) => Assignee::Me,
            (Some(_), Some(true)) | (None, None | Some(false)) => {
                let message = "Say whose it is: a task, or yourself, and not both.";
                return Err(no(REFUSED, "nothing-selected", message.to_owned()));
            }
        };
        let answer = self.ask_settled(Command::AssignChanges { what: selection(assign.what), to }).await?;
        let Answer::Assigned { hunks, files, decision } = answer else { return Err(Error::internal_error()) };
        Ok(wire::Assigned { hunks, files, decision: decision.map(|decision| decision.to_string()) })
    }

    pub(super) async fn changes_history(&self, one: wire::OneFile) -> Result<wire::FileHistory> {
        self.settle().await?;
        self.read_changes(move |snapshot| {
            let path = or_refuse!(path(&one.path));
            let Some(file) = snapshot.view().file_at(&path)? else {
                return Ok(Err(Refusal::UntrackedFile { path: one.path }));
            };
            history(snapshot, &file).map(Ok)
        })
        .await
    }

    pub(super) async fn timeline_diff(&self, one: OneStep) -> Result<StepDiff> {
        self.settle().await?;
        self.read_changes(move |snapshot| {
            let path = or_refuse!(path(&one.path));
            let now = match one.sequence {
                Some(sequence) => renamed::name_now(snapshot, path.clone(), sequence)?,
                None => path.clone(),
            };
            // Another file may have the name by now, which a decision may have taken back.
            let was_called_so = |file: &TrackedFile| *file.path() == path || file.weave.other_names().contains(&&path);
            let Some(file) = snapshot.view().file_at(&now)?.filter(was_called_so) else {
                return Ok(Err(Refusal::UntrackedFile { path: one.path }));
            };
            Ok(step_diff::step_diff(&file, one.step))
        })
        .await
    }

    pub(super) async fn changes_purge(&self, purge: wire::Purge) -> Result<wire::Purged> {
        let purge = Purge { older_than_ms: purge.older_than_ms.unwrap_or(0), confirm: purge.confirm.unwrap_or(false) };
        let answer = self.ask(Command::PurgeDecisions(purge)).await?;
        let Answer::Purged { done, decisions, files, bytes } = answer else { return Err(Error::internal_error()) };
        Ok(wire::Purged { done, decisions, files, bytes })
    }

    pub(super) async fn blame(&self, one: wire::OneFile) -> Result<wire::Blame> {
        self.settle().await?;
        self.read_changes(move |snapshot| {
            let path = or_refuse!(path(&one.path));
            let Some(file) = snapshot.view().file_at(&path)? else {
                return Ok(Ok(wire::Blame { path: path.to_text(), hash: None, spans: Vec::new() }));
            };
            blame(snapshot, &file).map(Ok)
        })
        .await
    }

    pub(super) async fn claim_file(&self, claim: wire::ClaimFile) -> Result<Nothing> {
        let wire::ClaimFile { path, hash, task } = claim;
        self.ask(Command::ClaimFile(FileClaim { path, hash, task })).await.map(|_| Nothing {})
    }

    pub(super) async fn editor_saved(&self, saved: wire::EditorSaved) -> Result<Nothing> {
        let how = match saved.how {
            wire::SavedHow::ByHand => Some(SavedHow::ByHand),
            wire::SavedHow::Applied => Some(SavedHow::Applied),
            wire::SavedHow::Mixed => Some(SavedHow::Mixed),
            wire::SavedHow::Unchanged => None,
        };
        let wire::EditorSaved { path, text, how: _, ago_ms } = saved;
        let ago_ms = ago_ms.unwrap_or(0);
        self.ask(Command::EditorSaved { path, text, how, ago_ms }).await.map(|_| Nothing {})
    }

    /// What can be seen of the files, for the overall status.
    pub(super) fn watching(&self) -> wire::Watching {
        let watch = self.shared.runtime.watch();
        wire::Watching {
            state: match watch.kind {
                WatchKind::Watching => wire::WatchState::Watching,
                WatchKind::Polling => wire::WatchState::Polling,
                WatchKind::Partly => wire::WatchState::Partly,
                WatchKind::Once => wire::WatchState::Once,
                WatchKind::Off => wire::WatchState::Off,
            },
            message: watch.message,
            files: u32::try_from(watch.files).unwrap_or(u32::MAX),
            folders: u32::try_from(watch.folders).unwrap_or(u32::MAX),
        }
    }
}

pub(super) fn counts(snapshot: &Snapshot<'_>) -> std::result::Result<wire::ChangeCounts, StoreError> {
    let counts = snapshot.pending_counts()?;
    Ok(wire::ChangeCounts { pending_files: counts.files, pending_hunks: counts.hunks, unknown_hunks: counts.unknown })
}

fn path(text: &str) -> std::result::Result<FilePath, Refusal> {
    FilePath::from_text(text).map_err(|problem| Refusal::BadPath { path: text.to_owned(), problem })
}

fn selection(selection: wire::Selection) -> Selection {
    Selection {
        hunks: selection.hunks.unwrap_or_default(),
        file: selection.file,
        task: selection.task,
        run: selection.run,
        unknown: selection.unknown.unwrap_or(false),
        all: selection.all.unwrap_or(false),
    }
}

fn decision(decide: wire::Decide) -> Decide {
    let verdict = match decide.verdict {
        wire::Verdict::Approve => Standing::Approved,
        wire::Verdict::Reject => Standing::Rejected,
    };
    Decide { verdict, what: selection(decide.what), confirm: decide.confirm }
}

fn refusal_data(error: &Error) -> Option<RefusalData> {
    serde_json::from_value(error.data.clone()?).ok()
}

fn needs_preview(error: &Error) -> bool {
    refusal_data(error)
        .is_some_and(|data| matches!(data.code.as_str(), "entangled" | "control-files" | "shown-otherwise"))
}

/// What has to be looked at before a yes, where a refusal asks for one.
pub(super) fn preview_in(error: &Error) -> Option<wire::Preview> {
    refusal_data(error)?.preview
}

/// A file that nothing is known of but that it is as it was.
fn untouched(path: &FilePath) -> wire::ChangedFile {
    wire::ChangedFile {
        path: path.to_text(),
        body: wire::BodyKind::Text,
        hash: None,
        hunks: Vec::new(),
        more_hunks: false,
        awaits_save: false,
    }
}

pub(super) fn list_changes(snapshot: &Snapshot<'_>, list: &wire::ListChanges) -> Read<wire::ChangeList> {
    let limit = usize::try_from(list.limit.unwrap_or(PAGE).clamp(1, LARGEST_PAGE)).unwrap_or(1);
    let after = match &list.after {
        Some(after) => Some(or_refuse!(path(after))),
        None => None,
    };
    let task = match &list.task {
        Some(wanted) => Some(or_refuse!(super::methods::find(snapshot, wanted)?)),
        None => None,
    };
    let run = match list.run.as_deref().map(|wanted| review::find_run(&snapshot.view(), wanted)) {
        Some(Ok(run)) => Some(run),
        Some(Err(stop)) => return told(stop),
        None => None,
    };
    let whose = Whose { task, run: run.map(|run| run.to_string()), unknown: list.unknown.unwrap_or(false) };
    let decided = list.decided.unwrap_or(false);
    let numbers = match &list.file {
        Some(text) => {
            let path = or_refuse!(path(text));
            snapshot.view().file_at(&path)?.map(|file| file.number).into_iter().collect()
        }
        None if decided => snapshot.tracked_files(after.as_ref(), limit + 1)?,
        None => {
            let of = match (run, task) {
                (Some(run), _) => PendingOf::Run(run),
                (None, Some(task)) => PendingOf::Task(task),
                (None, None) if whose.unknown => PendingOf::Unknown,
                (None, None) => PendingOf::All,
            };
            snapshot.pending_files(&of, after.as_ref(), limit + 1)?
        }
    };
    let names = Names::new(snapshot);
    let mut files = Vec::new();
    let mut last = None;
    for number in numbers.iter().take(limit) {
        let Some(file) = snapshot.view().file(*number)? else { continue };
        last = Some(file.path().to_text());
        let file = to_wire::file(snapshot, &names, &file, decided, &|hunk| whose.has(&hunk.author))?;
        if !file.hunks.is_empty() {
            files.push(file);
        }
    }
    let next = last.filter(|_| numbers.len() > limit);
    Ok(Ok(wire::ChangeList { files, next, counts: counts(snapshot)?, revision: snapshot.revision()? }))
}

fn content_at(snapshot: &Snapshot<'_>, file: &TrackedFile, which: &wire::WhichContent) -> Read<FileState> {
    let weave = &file.weave;
    if let Some(step) = which.step {
        let unknown = Refusal::NoStep { path: file.path().clone(), step, first: weave.since(), last: weave.step() };
        return Ok(weave.at(step).ok_or(unknown));
    }
    if let Some(wanted) = &which.before_hunk {
        let hunks = weave.hunks();
        let found: Vec<&Hunk> = hunks.iter().filter(|hunk| hunk.id.to_string().starts_with(wanted.as_str())).collect();
        return Ok(match found[..] {
            [hunk] => Ok(weave.preview(&hunk.marks, Standing::Rejected)),
            _ => Err(Refusal::UnknownHunk { wanted: wanted.clone() }),
        });
    }
    if let Some(wanted) = &which.before_task {
        let task = or_refuse!(super::methods::find(snapshot, wanted)?);
        return Ok(Ok(weave.without(&|author| matches!(author, Author::Run(run) if run.task == task))));
    }
    if let Some(wanted) = &which.before_run {
        return Ok(Ok(weave.without(&|author| matches!(author, Author::Run(run) if run.to_string() == *wanted))));
    }
    if which.before_pending == Some(true) {
        return Ok(Ok(weave.without_pending()));
    }
    Ok(Ok(weave.view()))
}

fn content(snapshot: &Snapshot<'_>, state: &FileState) -> std::result::Result<wire::Content, StoreError> {
    let bytes = match &state.body {
        Body::Text(text) => Some(text.clone()),
        Body::Link(target) => Some(target.clone()),
        Body::Whole { hash, length } if *length <= BYTES_LIMIT as u64 => snapshot.fetch(*hash)?,
        Body::Whole { .. } | Body::Absent | Body::Large { .. } | Body::Special => None,
    };
    let text = match &state.body {
        Body::Text(_) | Body::Link(_) => bytes.as_ref().map(|bytes| String::from_utf8_lossy(bytes).into_owned()),
        Body::Whole { .. } | Body::Absent | Body::Large { .. } | Body::Special => None,
    };
    let exact = match (&text, &bytes) {
        (Some(text), Some(bytes)) => text.as_bytes() == bytes,
        (None, None) => matches!(state.body, Body::Absent),
        (Some(_), None) | (None, Some(_)) => false,
    };
    let base64 = bytes.filter(|bytes| !exact && bytes.len() <= BYTES_LIMIT).map(|bytes| base64(&bytes));
    Ok(wire::Content {
        path: state.path.to_text(),
        body: to_wire::body_kind(&state.body),
        text,
        exact,
        base64,
        hash: to_wire::hash(state),
        mode: state.mode,
    })
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let [a, b, c] = [0, 1, 2].map(|at| u32::from(chunk.get(at).copied().unwrap_or(0)));
        let group = a << 16 | b << 8 | c;
        for at in 0..4 {
            let digit = DIGITS[(group >> (18 - 6 * at) & 63) as usize];
            out.push(if at > chunk.len() { '=' } else { char::from(digit) });
        }
    }
    out
}

/// How an approval is told. It writes nothing, so what it leaves out is told otherwise than what could not be written.
const APPROVED: &str = "approved";
pub(super) const REJECTED: &str = "rejected";

fn decided(answer: Answer, verb: &str) -> Result<wire::Decided> {
    let Answer::Decided(decided) = answer else { return Err(Error::internal_error()) };
    Ok(told_decided(decided, verb))
}

/// What came of a decision, with a word for what it did.
pub(super) fn told_decided(decided: Decided, verb: &str) -> wire::Decided {
    let Decided { decision, hunks, half, files, took_back } = decided;
    let is_not = |file: &&DecidedFile| matches!(file.outcome, Some(Outcome::NotWritten { .. }));
    let not = files.iter().filter(is_not).filter(|file| file.writes.is_some()).count();
    // What must be looked at first is no part of the decision.
    let left_out = files.iter().filter(is_not).filter(|file| file.writes.is_none()).count();
    let in_editor = files.iter().filter(|file| file.outcome == Some(Outcome::InEditor)).count();
    let is_approval = verb == APPROVED;
    let verb = match &took_back {
        Some(of) => format!("{verb}: {}", told_decision(of)),
        None => verb.to_owned(),
    };
    wire::Decided {
        decision: decision.to_string(),
        hunks,
        message: message(decision, &verb, hunks, half, files.len() - left_out, not, in_editor)
            + &left_out_words(left_out),
        files: files.into_iter().map(|file| outcome(file, is_approval)).collect(),
    }
}

/// A decision that was taken back, as a person knows it: `d3, rejected by version control`.
fn told_decision(decision: &review::Decision) -> String {
    let by = match decision.actor.split_once(':') {
        Some(("person", name)) => name.to_owned(),
        Some(("commit", commit)) => format!("commit {}", commit.get(..10).unwrap_or(commit)),
        Some(_) | None => match decision.actor.as_str() {
            "vcs" => "version control".to_owned(),
            "host" => "the policy".to_owned(),
            other => other.to_owned(),
        },
    };
    let what = match decision.kind {
        review::DecisionKind::Approve => "approved",
        review::DecisionKind::Reject => "rejected",
        review::DecisionKind::Undo(_) => "undone",
        review::DecisionKind::Redo(_) => "redone",
    };
    format!("{}, {what} by {by}", decision.id)
}

fn message(id: DecisionId, verb: &str, hunks: u32, half: u32, files: usize, not: usize, in_editor: usize) -> String {
    let plural = |count: usize, word: &str| format!("{count} {word}{}", if count == 1 { "" } else { "s" });
    let hunks = usize::try_from(hunks).unwrap_or(usize::MAX);
    let mut said = format!("{} in {} {verb}.", plural(hunks, "hunk"), plural(files, "file"));
    if half > 0 {
        let half = usize::try_from(half).unwrap_or(usize::MAX);
        said = format!("{} approved by you; somebody else has to approve, too.", plural(half, "hunk"));
    }
    if in_editor > 0 {
        said += &format!(" {} changed in the editor: save to keep it.", plural(in_editor, "file"));
    }
    if not > 0 {
        let be = if not == 1 { "is" } else { "are" };
        said += &match verb {
            // Nothing is written by an approval; what is held back has to be looked at first.
            APPROVED => format!(" {} {be} held back: see why below.", plural(not, "file")),
            _ => format!(" {} could not be written and {be} as before.", plural(not, "file")),
        };
    }
    if hunks > 0 && !verb.starts_with("undone") {
        said += &format!(" Undo with `augment-cli changes undo {id}`.");
    }
    said
}

fn left_out_words(files: usize) -> String {
    match files {
        0 => String::new(),
        1 => " 1 file was left out and still waits.".to_owned(),
        files => format!(" {files} files were left out and still wait."),
    }
}

fn outcome(file: DecidedFile, is_approval: bool) -> wire::DecidedFile {
    let (outcome, reason) = match file.outcome {
        // An approval writes nothing: what is left out of it is as it was.
        Some(Outcome::NotWritten { reason }) if is_approval && file.writes.is_none() => {
            (wire::FileOutcome::NotApproved, Some(reason))
        }
        None => (wire::FileOutcome::Unchanged, None),
        Some(Outcome::Written) => (written(file.change), None),
        Some(Outcome::InEditor) => (wire::FileOutcome::InEditor, None),
        Some(Outcome::NotWritten { reason }) => (wire::FileOutcome::NotWritten, Some(reason)),
    };
    wire::DecidedFile { path: file.path.to_text(), outcome, reason }
}

fn written(change: FileChange) -> wire::FileOutcome {
    match change {
        FileChange::None => wire::FileOutcome::Unchanged,
        FileChange::Removed => wire::FileOutcome::Removed,
        FileChange::Restored => wire::FileOutcome::Restored,
        FileChange::Renamed => wire::FileOutcome::Renamed,
        FileChange::Changed => wire::FileOutcome::Changed,
    }
}

fn blame(snapshot: &Snapshot<'_>, file: &TrackedFile) -> std::result::Result<wire::Blame, StoreError> {
    let names = Names::new(snapshot);
    let mut spans: Vec<wire::BlameSpan> = Vec::new();
    let mut last = None;
    for (at, line) in file.weave.blame().into_iter().enumerate() {
        let at = u32::try_from(at).unwrap_or(u32::MAX);
        let origin = (line.revision, line.standing);
        if last == Some(origin) {
            if let Some(span) = spans.last_mut() {
                span.end = at + 1;
            }
            continue;
        }
        last = Some(origin);
        let revision = file.weave.revision(line.revision);
        spans.push(wire::BlameSpan {
            start: at,
            end: at + 1,
            author: match revision {
                Some(revision) => names.author(&revision.author)?,
                None => Names::before(),
            },
            evidence: revision.map(|revision| to_wire::evidence(revision.evidence)),
            time: revision.map(|revision| revision.time.0),
            standing: to_wire::standing(line.standing),
        });
    }
    let state = file.weave.view();
    Ok(wire::Blame { path: state.path.to_text(), hash: to_wire::hash(&state), spans })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_as_everybody_writes_it() {
        for (bytes, text) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")] {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
    }
}
