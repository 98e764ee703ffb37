//! Where a command about a prompt works: the store, the history, and a way to post. Everything here may wait.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use augment_core::actor::Actor;
use augment_core::file::FilePath;
use augment_core::prompt::{
    CommittedFiles, Outcome, Plan, Prompt, PromptId, PromptRefusal, PromptState, Role, Step, Writing, Written,
};
use augment_core::refusal::Refusal;
use augment_core::review::FileNumber;
use augment_core::settings::{PROMPT_BRANCH, PROMPT_REMOTE};
use augment_core::text::{quoted, visible};
use augment_core::turn::{Answer, Command, Input};
use augment_core::view::View as _;
use augment_core::weave::HeldLines;
use augment_host::runtime::AskError;
use augment_host::store::{Snapshot, StoreError};
use augment_host::vcs::history::{History, HistoryError, Made, NewCommit, Part, Synthesis, System};
use augment_host::vcs::{self, CommitError};
use augment_protocol::prompts::PASSED_ON;
use augment_protocol::{FAILED, REFUSED};
use tokio::runtime::Handle;
use tower_lsp_server::jsonrpc::{Error, Result};

use super::branches::taken_back_elsewhere;
use crate::service::Shared;
use crate::service::methods::{no, refusal};
use crate::surroundings;

/// The bookmark of jj that a session's commit is led to, unless somebody says otherwise.
const JJ_BOOKMARK: &str = "dev";

pub(super) struct Desk {
    pub(super) shared: Arc<Shared>,
    actor: Actor,
    handle: Handle,
    environment: Vec<(String, String)>,
    /// What was found of something that was begun: it is told also where the command itself comes to nothing, since nobody
    /// finds it a second time.
    found: RefCell<Vec<String>>,
}

/// What was found out about something that was begun and not told of again.
pub(super) enum Found {
    Nothing,
    /// There is something, and a dry run leaves it as it is.
    LeftOpen,
    /// It was done, or is done now.
    Done {
        writing: Box<Writing>,
        prompt: Box<Prompt>,
    },
    /// What was being taken back is taken back now.
    TakenBack {
        written: Box<Written>,
        prompt: Box<Prompt>,
        note: Option<String>,
    },
    /// What was being taken back cannot be.
    NotTakenBack {
        title: String,
        why: String,
    },
    NotDone {
        what: &'static str,
        /// What of it lies there all the same.
        locks: Vec<PathBuf>,
    },
}

impl Desk {
    pub(super) fn new(
        shared: Arc<Shared>,
        actor: Actor,
        handle: Handle,
        environment: &BTreeMap<String, String>,
    ) -> Result<Self> {
        // Whoever says nothing of theirs works with what this process has.
        let own = || PASSED_ON.iter().filter_map(|name| Some(((*name).to_owned(), std::env::var(name).ok()?)));
        let passed = match environment.is_empty() {
            true => surroundings::passed_on(&own().collect()),
            false => surroundings::passed_on(environment),
        };
        let passed = passed.map_err(|error| no(REFUSED, error.code(), error.to_string()))?;
        let (environment, found) = (passed.into_iter().collect(), RefCell::default());
        Ok(Self { shared, actor, handle, environment, found })
    }

    pub(super) fn read<T>(&self, read: impl FnOnce(&Snapshot<'_>) -> std::result::Result<T, StoreError>) -> Result<T> {
        self.shared.runtime.read(read).map_err(|error| no(FAILED, "not-readable", error.to_string()))
    }

    /// One turn, and the prompt as it then is.
    pub(super) fn post(&self, step: Step) -> Result<Prompt> {
        let Answer::Prompt(prompt) = self.ask(step)? else { return Err(Error::internal_error()) };
        Ok(*prompt)
    }

    /// A step that may belong to no prompt.
    pub(super) fn ask(&self, step: Step) -> Result<Answer> {
        let command = Command::Prompt(step);
        let verdict = self.shared.runtime.post(Input::Asked { actor: self.actor.clone(), command });
        match self.handle.block_on(verdict) {
            Ok(answer) => Ok(answer),
            Err(AskError::Refused(refused)) => Err(refusal(&refused)),
            Err(AskError::NotSaved(message)) => Err(no(FAILED, "not-saved", message)),
            Err(busy @ AskError::Busy) => Err(no(FAILED, "busy", busy.to_string())),
            Err(leaving @ AskError::Leaving) => Err(no(FAILED, "leaving", leaving.to_string())),
        }
    }

    pub(super) fn history(&self) -> Result<Box<dyn History>> {
        self.find_history().map_err(|error| told(&error))
    }

    /// The history, or why there is none.
    pub(super) fn find_history(&self) -> std::result::Result<Box<dyn History>, HistoryError> {
        vcs::open_history(self.shared.workspace.root(), &self.environment)
    }

    pub(super) fn setting(&self, key: &'static str) -> String {
        self.shared.runtime.settings().text(key)
    }

    /// The bookmark that jj leads to a session's commit.
    pub(super) fn bookmark(&self, history: &dyn History, said: Option<&str>) -> Option<String> {
        match history.system() {
            System::Git => None,
            System::Jj { .. } => Some(self.branch(history, said).unwrap_or_else(|_| JJ_BOOKMARK.to_owned())),
        }
    }

    /// The branch that sessions are pushed to: what is said, what is set, else the branch that is checked out.
    pub(super) fn branch(&self, history: &dyn History, said: Option<&str>) -> Result<String> {
        let set = self.setting(PROMPT_BRANCH);
        if let Some(said) = said.or((!set.is_empty()).then_some(&*set)) {
            return Ok(said.to_owned());
        }
        match history.system() {
            System::Jj { .. } => Ok(JJ_BOOKMARK.to_owned()),
            System::Git => {
                let ground = history.ground().map_err(|error| told(&error))?;
                ground.branch.ok_or_else(|| {
                    let message = "HEAD is on no branch, so it is not known where to. Name one (--to, for guard --branch), or set \
                                   prompt.branch with `augment-cli config set`.";
                    no(REFUSED, "no-branch", message.to_owned())
                })
            }
        }
    }

    pub(super) fn remote(&self, said: Option<&str>) -> String {
        said.map_or_else(|| self.setting(PROMPT_REMOTE), str::to_owned)
    }

    pub(super) fn prompt_under_way(&self) -> Result<Prompt> {
        let prompt = self.read(|snapshot| snapshot.view().prompt())?;
        prompt.ok_or_else(|| refusal(&Refusal::Prompt(PromptRefusal::NoPrompt)))
    }

    /// An order about a prompt that was shown is for no other one. It is asked first of all, before what was begun is taken up.
    pub(super) fn refuse_other(&self, named: Option<&str>) -> Result<()> {
        let Some(named) = named else { return Ok(()) };
        let unknown = || refusal(&Refusal::Prompt(PromptRefusal::UnknownPrompt { wanted: named.to_owned() }));
        let shown = PromptId::from_text(named).ok_or_else(unknown)?;
        let now = self.prompt_under_way()?;
        if now.id == shown {
            return Ok(());
        }
        let message = format!(
            "Prompt {} ({}) is under way, and this was for {shown}, so nothing was changed. Look at what is under way with \
             `augment-cli prompt status`, then repeat it for that one.",
            now.id,
            quoted(now.headline())
        );
        Err(no(REFUSED, "other-prompt", message))
    }

    pub(super) fn open_prompt(&self) -> Result<Prompt> {
        let prompt = self.prompt_under_way()?;
        if prompt.state == PromptState::Open {
            return Ok(prompt);
        }
        let (id, state) = (prompt.id, prompt.state);
        let wrong = PromptRefusal::WrongState { prompt: id, state, wanted: PromptState::Open };
        Err(refusal(&Refusal::Prompt(wrong)))
    }

    /// Finds out what became of something that an earlier process had begun; a synthesis that was begun is finished, since
    /// the person's yes was to exactly that plan.
    /// A dry run finishes nothing, and only says that there is something.
    pub(super) fn take_up(&self, history: &dyn History, dry_run: bool) -> Result<Found> {
        self.find_out(history, dry_run).inspect(|found| self.keep(found))
    }

    fn keep(&self, found: &Found) {
        self.found.borrow_mut().extend(found.notes());
    }

    /// What was found, for whoever tells it.
    pub(super) fn take_found(&self) -> Vec<String> {
        self.found.take()
    }

    /// Why a command comes to nothing, after what it has found before: that may well be the reason.
    pub(super) fn after_found(&self, error: Error) -> Error {
        let words = self.take_found().into_iter().chain([error.message.into_owned()]).collect::<Vec<_>>();
        Error { message: words.join(" ").into(), ..error }
    }

    fn find_out(&self, history: &dyn History, dry_run: bool) -> Result<Found> {
        let Some(prompt) = self.read(|snapshot| snapshot.view().prompt())? else { return Ok(Found::Nothing) };
        if !prompt.is_begun() {
            return Ok(Found::Nothing);
        }
        if dry_run {
            return Ok(Found::LeftOpen);
        }
        let id = prompt.id;
        let not = |why: String| Step::End { prompt: id, outcome: Outcome::NotMade { why } };
        let Some(writing) = prompt.writing.clone() else { return self.take_back_begun(history, &prompt) };
        let (commit, before) = match &writing {
            Writing::Commit { text, change, tip, .. } => {
                let wanted = new_commit(text, Vec::new(), change, tip.as_deref());
                match history.find_made(&wanted).map_err(|error| told(&error))? {
                    Some(commit) => (commit, tip.clone().unwrap_or_default()),
                    None => {
                        self.post(not("it was interrupted before it was made".to_owned()))?;
                        let locks = history.left_locks().map_err(|error| told(&error))?;
                        return Ok(Found::NotDone { what: "A commit", locks });
                    }
                }
            }
            Writing::Synthesis(plan) => {
                let wanted = Synthesis { operation: plan.operation.clone(), ..synthesis(plan, id.0) };
                match history.synthesise(&wanted) {
                    Ok(made) => (made.commit, made.before),
                    // It stays announced, so that whoever comes next goes on with it.
                    Err(error @ HistoryError::HalfDone { .. }) => return Err(told(&error)),
                    Err(error) => {
                        self.post(not(error.to_string()))?;
                        return Ok(Found::NotDone { what: "The making of a session's commit", locks: Vec::new() });
                    }
                }
            }
        };
        let change = commit.name().to_owned();
        let outcome = Outcome::Made { commit: commit.id, change, before, files: CommittedFiles::default() };
        let prompt = self.post(Step::End { prompt: id, outcome })?;
        Ok(Found::Done { writing: Box::new(writing), prompt: Box::new(prompt) })
    }

    /// What another process had announced to take back is taken back: the person's yes was to exactly that. What keeps it
    /// from being done and can be mended leaves it announced.
    fn take_back_begun(&self, history: &dyn History, prompt: &Prompt) -> Result<Found> {
        let Some(written) = prompt.written.last().cloned() else { return Ok(Found::Nothing) };
        let note = taken_back_elsewhere(history, prompt, &written.commit)?;
        self.finish_taking_back(history, prompt.id, written, note, HistoryError::may_pass)
    }

    fn finish_taking_back(
        &self,
        history: &dyn History,
        id: PromptId,
        written: Written,
        note: Option<String>,
        stays: fn(&HistoryError) -> bool,
    ) -> Result<Found> {
        match undone(history, id, &written) {
            Ok(()) => {
                let prompt = self.post(Step::TookBack { prompt: id })?;
                Ok(Found::TakenBack { written: Box::new(written), prompt: Box::new(prompt), note })
            }
            Err(error) if stays(&error) => Err(told(&error)),
            Err(error) => self.stop_taking_back(id, &written, error.to_string()),
        }
    }

    /// What was announced to be taken back is not, for a reason that stays.
    fn stop_taking_back(&self, prompt: PromptId, written: &Written, why: String) -> Result<Found> {
        let title = written.writing.title();
        self.post(Step::End { prompt, outcome: Outcome::NotMade { why: why.clone() } })?;
        Ok(Found::NotTakenBack { title, why })
    }

    /// The same for a prompt that is given up, which nothing holds up but a lock that the person can remove.
    pub(super) fn take_up_to_drop(&self, history: &dyn History) -> Result<Found> {
        self.find_out_to_drop(history).inspect(|found| self.keep(found))
    }

    fn find_out_to_drop(&self, history: &dyn History) -> Result<Found> {
        let prompt = self.prompt_under_way()?;
        let Some(written) = prompt.written.last().filter(|_| prompt.taking_back).cloned() else {
            return self.find_out(history, false);
        };
        let is_lock =
            |error: &HistoryError| matches!(error, HistoryError::Commit(CommitError::Busy | CommitError::Held { .. }));
        match taken_back_elsewhere(history, &prompt, &written.commit) {
            Ok(note) => self.finish_taking_back(history, prompt.id, written, note, is_lock),
            Err(error) => self.stop_taking_back(prompt.id, &written, error.message.into_owned()),
        }
    }

    /// Takes back what was announced to be, and tells what came of it.
    pub(super) fn take_back(&self, history: &dyn History, prompt: PromptId, written: &Written) -> Result<Prompt> {
        match undone(history, prompt, written) {
            Ok(()) => self.post(Step::TookBack { prompt }),
            // It stays announced, so that whoever comes next goes on with it.
            Err(error @ HistoryError::HalfDone { .. }) => Err(told(&error)),
            Err(error) => {
                self.post(Step::End { prompt, outcome: Outcome::NotMade { why: error.to_string() } })?;
                Err(told(&error))
            }
        }
    }

    /// Which lines the newest commit has of the files that were committed for the prompt under way.
    pub(super) fn held_lines(&self) -> Result<BTreeMap<FileNumber, HeldLines>> {
        self.read(|snapshot| Ok(snapshot.view().prompt()?.map(|prompt| prompt.lines).unwrap_or_default()))
    }

    /// The commit that the prompt under way began on.
    pub(super) fn began_at(&self) -> Result<Option<String>> {
        self.read(|snapshot| Ok(snapshot.view().prompt()?.and_then(|prompt| prompt.base).map(|base| base.commit)))
    }

    /// Notes what the person had staged just as it is committed.
    pub(super) fn note_staged(&self, prompt: PromptId, files: &[FilePath]) -> std::io::Result<()> {
        let files = files.iter().map(FilePath::to_text).collect();
        self.post(Step::Staged { prompt, files }).map(drop).map_err(|error| std::io::Error::other(error.message))
    }

    /// Announces, writes, and tells what came of it.
    pub(super) fn write(
        &self,
        prompt: &Prompt,
        writing: Writing,
        files: CommittedFiles,
        write: impl FnOnce() -> std::result::Result<Made, HistoryError>,
    ) -> Result<(Made, Prompt)> {
        let id = prompt.id;
        self.post(Step::Begin { prompt: id, writing: Box::new(writing) })?;
        match write() {
            Ok(made) => {
                let (commit, change) = (made.commit.id.clone(), made.commit.name().to_owned());
                let outcome = Outcome::Made { commit, change, before: made.before.clone(), files };
                let prompt = self.post(Step::End { prompt: id, outcome })?;
                Ok((made, prompt))
            }
            // It stays announced, so that whoever comes next goes on with it.
            Err(error @ HistoryError::HalfDone { .. }) => Err(told(&error)),
            Err(error) => {
                self.post(Step::End { prompt: id, outcome: Outcome::NotMade { why: error.to_string() } })?;
                Err(told(&error))
            }
        }
    }
}

/// Refused where something that was written would not be taken back.
pub(super) fn expect_undoable(
    history: &dyn History,
    prompt: PromptId,
    written: &Written,
) -> std::result::Result<(), HistoryError> {
    match &written.writing {
        Writing::Commit { .. } => history.may_take_back_commit(&written.commit, &written.before),
        Writing::Synthesis(plan) => {
            history.may_take_back_synthesis(&synthesis(plan, prompt.0), &written.commit, &written.before)
        }
    }
}

/// Has the history take back something that was written.
fn undone(history: &dyn History, prompt: PromptId, written: &Written) -> std::result::Result<(), HistoryError> {
    match &written.writing {
        Writing::Commit { staged, .. } => {
            let staged: Vec<FilePath> = staged.iter().filter_map(|path| FilePath::from_text(path).ok()).collect();
            history.take_back_commit(&written.commit, &written.before, &staged)
        }
        Writing::Synthesis(plan) => {
            history.take_back_synthesis(&synthesis(plan, prompt.0), &written.commit, &written.before)
        }
    }
}

impl Found {
    /// The prompt, where what was begun was a commit for the same purpose: a command that is given again finds it done.
    pub(super) fn same(self, is_same: impl FnOnce(Role, &str) -> bool) -> Option<Prompt> {
        match self {
            Self::Done { writing, prompt } => match *writing {
                Writing::Commit { role, text, .. } => is_same(role, &text).then_some(*prompt),
                Writing::Synthesis(_) => None,
            },
            Self::Nothing
            | Self::LeftOpen
            | Self::TakenBack { .. }
            | Self::NotTakenBack { .. }
            | Self::NotDone { .. } => None,
        }
    }

    /// Whether nobody has found out yet what became of it, so that what a command would meet cannot be foreseen.
    pub(super) fn is_left_open(&self) -> bool {
        matches!(self, Self::LeftOpen)
    }

    /// What the person should hear of it.
    pub(super) fn notes(&self) -> Vec<String> {
        match self {
            Self::Nothing => Vec::new(),
            Self::LeftOpen => {
                let words = "Something was interrupted while it was written or taken back. A command that is no dry run finds \
                             out what became of it first.";
                vec![words.to_owned()]
            }
            Self::Done { writing, .. } => match &**writing {
                Writing::Commit { text, .. } => {
                    vec![format!("`{text}` was committed by a command that was interrupted then.")]
                }
                Writing::Synthesis(_) => vec!["The session's commit, which was interrupted, is made.".to_owned()],
            },
            Self::TakenBack { written, note, .. } => {
                let title = written.writing.title();
                let done =
                    format!("`{title}` was being taken back by a command that was interrupted; that is done now.");
                std::iter::once(done).chain(note.clone()).collect()
            }
            Self::NotTakenBack { title, why } => vec![format!(
                "`{title}` was being taken back by a command that was interrupted, and that cannot be finished: {why}"
            )],
            Self::NotDone { what, locks } if locks.is_empty() => {
                vec![format!("{what} was interrupted before it was done; nothing is left of it.")]
            }
            Self::NotDone { what, locks } => {
                let names: Vec<String> =
                    locks.iter().map(|lock| visible(&lock.to_string_lossy()).into_owned()).collect();
                vec![format!(
                    "{what} was interrupted before it was done; all that may be left of it is {}, which keeps others from \
                     writing there. Remove it once no other git runs.",
                    names.join(" and ")
                )]
            }
        }
    }
}

pub(super) fn new_commit(text: &str, parts: Vec<Part>, change: &str, tip: Option<&str>) -> NewCommit {
    NewCommit { message: text.to_owned(), parts, change: change.to_owned(), tip: tip.map(str::to_owned) }
}

pub(super) fn synthesis(plan: &Plan, prompt: u64) -> Synthesis {
    Synthesis {
        message: plan.message.clone(),
        base: plan.base.clone(),
        tip: plan.tip.clone(),
        commits: plan.commits.clone(),
        change: plan.change.clone(),
        prompt,
        bookmark: plan.bookmark.clone(),
        operation: None,
    }
}

/// A change id as jj writes them: 32 letters from k to z.
pub(super) fn fresh_change() -> Result<String> {
    let random = augment_host::token::fresh().map_err(|error| no(FAILED, "no-random", error.to_string()))?;
    Ok(change_letters(&random))
}

/// The change id of a session's commit. It follows from what the commit is made of, so that a dry run shows the one that is
/// then written. Only one that was taken back and is made again has the id of another.
pub(super) fn session_change(tip: &str, summary: &str) -> String {
    change_letters(&blake3::hash(format!("session {tip} {summary}").as_bytes()).to_hex())
}

fn change_letters(hex: &str) -> String {
    let letter = |digit: u32| char::from_u32(u32::from(b'z') - digit);
    hex.chars().filter_map(|digit| digit.to_digit(16)).filter_map(letter).take(32).collect()
}

pub(super) fn told(error: &HistoryError) -> Error {
    // What a program or a disk fails at is no answer to the person's wish; all the rest is.
    let has_failed = matches!(
        error,
        HistoryError::Failed { .. } | HistoryError::HalfDone { .. } | HistoryError::Git(_) | HistoryError::Io { .. }
    );
    let kind = if has_failed { FAILED } else { REFUSED };
    no(kind, error.code(), error.to_string())
}
