//! One turn of the loop: an input goes in, a verdict and effects come out. `decide` is the only way in; it changes
//! nothing itself, and every command, refusal and failure leaves a record among its effects.

use std::borrow::Cow;

use crate::actor::{Actor, Role};
use crate::agent::AllowedText;
use crate::attribution::{self, Claim as FileWord, SavedHow};
use crate::closing::{self, CloseStep, Closing, Completion, Content, StepClosed};
use crate::completion::Report;
use crate::file::{Body, ContentHash, FilePath, FileState};
use crate::id::{RunId, TaskId};
use crate::knowledge::{self, Step};
use crate::ledger::{Data, Event, Topic};
use crate::prompt::{self, Prompt};
use crate::queue::{self, Claim, Edit, Finish, Place, TaskDraft};
use crate::refusal::Refusal;
use crate::review::{
    self, Approval, Assignee, Cause, Decide, Decision, DecisionId, FileClaim, FileNumber, FileWrite, Outcome, Purge,
    SavedText, SeenFile, Selection, TakeBack, TrackedFile, VcsMoved, WrittenFile,
};
use crate::run::{
    self, Asks, HandOff, HandOffId, HandOffWord, HookSeen, HookVerdict, Question, Run, RunEvent, Start, Word,
};
use crate::scan;
use crate::session::{
    self, AnswerFlag, DocumentsWritten, Flag, Scope, ScopeDraft, ScopeRequest, Session, SessionId, Told, Touch,
    WriteDocuments,
};
use crate::settings::{self, SettingChange};
use crate::task::{Priority, Task};
use crate::time::{Now, Wall};
use crate::view::View;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    Asked {
        actor: Actor,
        command: Command,
    },
    /// The clock moved on; leases may have run out, and runs may have been silent for too long.
    TimePassed(Processes),
    /// The runs of an earlier host have been taken up: from now on their processes are seen.
    RunsTakenUp,
    /// Something was seen or heard of a run.
    RunFollowed {
        run: RunId,
        event: RunEvent,
    },
    /// Files were seen to have changed.
    FilesSeen {
        files: Vec<SeenFile>,
        cause: Cause,
        vcs: Option<VcsMoved>,
    },
    /// What came of writing the files of a decision.
    FilesWritten {
        decision: DecisionId,
        files: Vec<WrittenFile>,
        after_crash: bool,
    },
    /// An editor has closed a file; what was to be saved in it will not be.
    EditorClosed {
        path: FilePath,
        /// What the file holds, where that could be read.
        on_disk: Option<ContentHash>,
    },
    /// A document is about to be written for a session; its record is written under a number of the project's.
    DocumentAnnounced {
        session: SessionId,
        number: Option<u32>,
        path: FilePath,
        /// What it takes the place of.
        before: Option<ContentHash>,
        text: Vec<u8>,
    },
    /// The documents of a session that ends were written, or could not be.
    DocumentsWritten(DocumentsWritten),
    /// A program is about to be told that a session is complete.
    NoticeBegun {
        session: SessionId,
    },
    /// What came of a step in which an ended session is completed.
    StepClosed(StepClosed),
    /// The archive of a session was written once more after the last step, or could not be.
    ArchiveSealed {
        session: SessionId,
        failure: Option<String>,
    },
    /// Nobody is there any more who could end the session.
    SessionLeft {
        reason: String,
    },
    /// A process begins to own the workspace: what an earlier one left of a session's end is done now.
    SessionTakenUp,
    /// A task was handed over, and whoever was to work on it could not be started.
    HandOffNotStarted {
        task: TaskId,
        agent: String,
        message: String,
    },
    /// What can be seen of the files is more or less than before.
    WatchingChanged {
        message: String,
    },
    HostStarted {
        pid: u32,
        version: String,
        previous: PreviousEnd,
    },
    HostStopped {
        reason: String,
    },
    ConnectionRefused {
        reason: String,
    },
    /// A changed setting was recorded, but its file could not be written.
    SettingNotWritten {
        key: String,
        message: String,
    },
    /// A step of the knowledge base or the archive was recorded, but could not be done.
    StepNotDone {
        command: String,
        message: String,
    },
    /// Changes could not be saved for a while; told once they can be again.
    SavingFailed {
        times: u64,
        message: String,
        first: Wall,
    },
}

/// Whether the processes of runs are seen, and can be ended, by whoever turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Processes {
    Seen,
    Unseen,
}

/// How the host before this one ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PreviousEnd {
    None,
    Clean,
    Killed,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    AddTask(TaskDraft),
    EditTask {
        task: String,
        edit: Edit,
        shown_at: Option<u64>,
    },
    MoveTask {
        task: String,
        place: Place,
        shown_at: Option<u64>,
    },
    RemoveTask {
        task: String,
        shown_at: Option<u64>,
    },
    CancelTask {
        task: String,
        reason: Option<String>,
        shown_at: Option<u64>,
    },
    RetryTask {
        task: String,
        shown_at: Option<u64>,
    },
    TakeNext(Claim),
    ClaimTask {
        task: String,
        claim: Claim,
    },
    Heartbeat {
        task: String,
        attempt: Option<u32>,
    },
    FinishTask {
        task: String,
        attempt: Option<u32>,
        finish: Finish,
    },
    ChangeSetting(SettingChange),
    Decide(Decide),
    UndoDecision(TakeBack),
    RedoDecision(TakeBack),
    AssignChanges {
        what: Selection,
        to: Assignee,
    },
    PurgeDecisions(Purge),
    ClaimFile(FileClaim),
    /// An editor has saved; without a `how` nothing was changed since the file was read.
    EditorSaved {
        path: String,
        text: String,
        how: Option<SavedHow>,
        /// How long ago that was, where nobody could be told at once.
        ago_ms: u32,
    },
    /// Starts an agent of ours on a task.
    StartAgent(Start),
    AllowAgent {
        name: String,
        hash: String,
        text: AllowedText,
    },
    StopRun(RunId),
    /// A run reports on its own attempt.
    ReportRun {
        task: Option<String>,
        report: Box<Report>,
    },
    AskPerson(Asks),
    AnswerQuestion {
        question: String,
        choice: Option<String>,
        text: Option<String>,
    },
    LogDiscovered(TaskDraft),
    DecideHandOff {
        hand_off: String,
        word: HandOffWord,
    },
    HookSeen(HookSeen),
    StartSession {
        model: Option<String>,
    },
    ConfirmScope {
        /// The session that is meant; the one under way where none is named.
        session: Option<String>,
        items: Option<Vec<ScopeDraft>>,
        paths: Option<Vec<String>>,
        max_attempts: u32,
    },
    AdjustScope(Scope),
    ContinueSession {
        session: Option<String>,
        /// Which of its checkpoints is answered; the one that waits where that is not said.
        checkpoint: Option<u32>,
    },
    EndSession {
        session: Option<String>,
        title: Option<String>,
        decisions: Vec<String>,
    },
    /// The documents of an ended session were committed, on a person's yes.
    SessionCommitted {
        session: SessionId,
        commit: String,
    },
    /// A person adds to a session that has ended, and what is left of its steps is done.
    CompleteSession(Box<Completion>),
    /// The steps of a session that failed or wait are taken again.
    ResumeSession(SessionId),
    AnswerFlag(AnswerFlag),
    RequestScope(ScopeRequest),
    AcknowledgeFinding {
        hunk: String,
        rule: Option<String>,
        reason: String,
    },
    AllowFinding(review::AllowDraft),
    DropAllowed(u64),
    Remember(Step),
    Prompt(prompt::Step),
    StopHost,
}

impl Command {
    /// The command's name in the ledger and in messages.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::AddTask(_) => "queue add",
            Self::EditTask { .. } => "queue edit",
            Self::MoveTask { .. } => "queue move",
            Self::RemoveTask { .. } => "queue remove",
            Self::CancelTask { .. } => "queue cancel",
            Self::RetryTask { .. } => "queue retry",
            Self::TakeNext(_) => "queue next",
            Self::ClaimTask { .. } => "queue claim",
            Self::Heartbeat { .. } => "queue heartbeat",
            Self::FinishTask { finish, .. } => finish.command_name(),
            Self::ChangeSetting(_) => "config set",
            Self::Decide(_) => "changes decide",
            Self::UndoDecision(_) => "changes undo",
            Self::RedoDecision(_) => "changes redo",
            Self::AssignChanges { .. } => "changes assign",
            Self::PurgeDecisions(_) => "changes purge",
            Self::ClaimFile(_) => "claim",
            Self::EditorSaved { .. } => "editor saved",
            Self::StartAgent(_) => "agent start",
            Self::AllowAgent { .. } => "agent allow",
            Self::StopRun(_) => "agent stop",
            Self::ReportRun { .. } => "complete",
            Self::AskPerson(_) => "ask",
            Self::AnswerQuestion { .. } => "agent answer",
            Self::LogDiscovered(_) => "log discovered",
            Self::DecideHandOff { .. } => "agent hand-off",
            Self::HookSeen(_) => "hook",
            Self::StartSession { .. } => "session start",
            Self::ConfirmScope { .. } => "session confirm",
            Self::AdjustScope(_) => "session adjust",
            Self::ContinueSession { .. } => "session continue",
            Self::EndSession { .. } => "session end",
            Self::SessionCommitted { .. } => "session commit",
            Self::CompleteSession(_) => "session complete",
            Self::ResumeSession(_) => "session resume",
            Self::AnswerFlag(_) => "session flag",
            Self::RequestScope(_) => "request scope",
            Self::AcknowledgeFinding { .. } => "scan acknowledge",
            Self::AllowFinding(_) => "scan allow",
            Self::DropAllowed(_) => "scan disallow",
            Self::Remember(step) => step.command_name(),
            Self::Prompt(step) => step.command_name(),
            Self::StopHost => "host stop",
        }
    }

    /// What a run may do: give a sign of life and report on its own attempt. Everything else is a person's.
    fn is_for(&self, role: Role) -> bool {
        match self {
            Self::Heartbeat { .. }
            | Self::FinishTask { .. }
            | Self::ClaimFile(_)
            | Self::ReportRun { .. }
            | Self::AskPerson(_)
            | Self::LogDiscovered(_)
            | Self::RequestScope(_)
            | Self::HookSeen(_) => true,
            Self::AddTask(_)
            | Self::EditTask { .. }
            | Self::MoveTask { .. }
            | Self::RemoveTask { .. }
            | Self::CancelTask { .. }
            | Self::RetryTask { .. }
            | Self::TakeNext(_)
            | Self::ClaimTask { .. }
            | Self::ChangeSetting(_)
            | Self::Decide(_)
            | Self::UndoDecision(_)
            | Self::RedoDecision(_)
            | Self::AssignChanges { .. }
            | Self::PurgeDecisions(_)
            | Self::EditorSaved { .. }
            | Self::StartAgent(_)
            | Self::AllowAgent { .. }
            | Self::StopRun(_)
            | Self::AnswerQuestion { .. }
            | Self::DecideHandOff { .. }
            | Self::StartSession { .. }
            | Self::ConfirmScope { .. }
            | Self::AdjustScope(_)
            | Self::ContinueSession { .. }
            | Self::EndSession { .. }
            | Self::SessionCommitted { .. }
            | Self::CompleteSession(_)
            | Self::ResumeSession(_)
            | Self::AnswerFlag(_)
            | Self::AcknowledgeFinding { .. }
            | Self::AllowFinding(_)
            | Self::DropAllowed(_)
            | Self::Remember(_)
            | Self::Prompt(_)
            | Self::StopHost => match role {
                Role::Person | Role::Host => true,
                Role::Run => false,
            },
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    Task(Box<Task>),
    /// A task was taken: what the holder needs to speak for it.
    Taken {
        task: Box<Task>,
        run: RunId,
    },
    NothingReady,
    Removed(TaskId),
    Moved {
        task: Box<Task>,
        was: Priority,
    },
    SettingChanged,
    /// Hunks were decided, or a decision was taken back. Files still to be written are written before anybody hears it.
    Decided(Decided),
    Assigned {
        hunks: u32,
        files: u32,
        /// The approval that comes with what is now the person's own.
        decision: Option<DecisionId>,
    },
    Purged {
        done: bool,
        decisions: u32,
        files: u32,
        bytes: u64,
    },
    Run(RunId),
    Question(Box<Question>),
    HandOff(Box<HandOff>),
    Hook(HookVerdict),
    Session(Box<Session>),
    Flag(Box<AnsweredFlag>),
    Prompt(Box<Prompt>),
    Noted,
}

/// What was decided, or taken back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decided {
    pub decision: DecisionId,
    pub hunks: u32,
    /// Approvals that wait for a second person's.
    pub half: u32,
    pub files: Vec<DecidedFile>,
    /// What was undone or redone by it.
    pub took_back: Option<Box<Decision>>,
}

/// A flag that a person has answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnsweredFlag {
    pub flag: Flag,
    /// What was taken out by it.
    pub took_out: Option<Decided>,
}

/// What a decision means for one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecidedFile {
    pub path: FilePath,
    /// The file that has to be written; `None` where nothing on disk changes.
    pub writes: Option<FileNumber>,
    /// What that does to it.
    pub change: FileChange,
    /// What came of writing it, once that is known.
    pub outcome: Option<Outcome>,
}

impl DecidedFile {
    pub(crate) fn unchanged(path: FilePath) -> Self {
        Self { path, writes: None, change: FileChange::None, outcome: None }
    }

    /// A file that cannot be written, and why.
    pub(crate) fn left_out(path: FilePath, reason: String) -> Self {
        let outcome = Some(Outcome::NotWritten { reason });
        Self { path, writes: None, change: FileChange::None, outcome }
    }

    pub(crate) fn to_write(file: FileNumber, before: &FileState, after: &FileState) -> Self {
        let change = FileChange::between(before, after);
        Self { path: after.path.clone(), writes: Some(file), change, outcome: None }
    }
}

/// What a decision does to a file on disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileChange {
    None,
    Removed,
    /// It was not there and is again.
    Restored,
    Renamed,
    /// Its content, its mode or where it leads.
    Changed,
}

impl FileChange {
    fn between(before: &FileState, after: &FileState) -> Self {
        match (before.body == Body::Absent, after.body == Body::Absent) {
            _ if before == after => Self::None,
            (false, true) => Self::Removed,
            (true, false) => Self::Restored,
            (true, true) | (false, false) if before.path != after.path => Self::Renamed,
            (true, true) | (false, false) => Self::Changed,
        }
    }
}

impl Answer {
    /// The task that the answer shows, if it shows one: whoever writes it gives it its revision.
    pub fn task_mut(&mut self) -> Option<&mut Task> {
        match self {
            Self::Task(task) | Self::Taken { task, .. } | Self::Moved { task, .. } => Some(task),
            Self::NothingReady
            | Self::Removed(_)
            | Self::SettingChanged
            | Self::Decided { .. }
            | Self::Assigned { .. }
            | Self::Purged { .. }
            | Self::Run(_)
            | Self::Question(_)
            | Self::HandOff(_)
            | Self::Hook(_)
            | Self::Session(_)
            | Self::Flag(_)
            | Self::Prompt(_)
            | Self::Noted => None,
        }
    }

    /// What was decided by it: whoever writes the files notes there what came of them.
    pub fn decided_mut(&mut self) -> Option<&mut Decided> {
        match self {
            Self::Decided(decided) => Some(decided),
            Self::Flag(answered) => answered.took_out.as_mut(),
            Self::Task(_)
            | Self::Taken { .. }
            | Self::Moved { .. }
            | Self::NothingReady
            | Self::Removed(_)
            | Self::SettingChanged
            | Self::Assigned { .. }
            | Self::Purged { .. }
            | Self::Run(_)
            | Self::Question(_)
            | Self::HandOff(_)
            | Self::Hook(_)
            | Self::Session(_)
            | Self::Prompt(_)
            | Self::Noted => None,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    Record(Event),
    PutTask(Box<Task>),
    RemoveTask(TaskId),
    /// Everything that depends on this task waits for one less. Nobody decided anything about those, so their revisions
    /// stay.
    FreeDependents(TaskId),
    /// A run begins; the token that will speak for it is known only by its hash.
    BeginRun {
        run: Box<Run>,
        token_hash: [u8; 32],
    },
    PutRun(Box<Run>),
    PutReport {
        run: RunId,
        report: String,
    },
    PutQuestion(Box<Question>),
    PutHandOff(Box<HandOff>),
    /// What a person gives the next agent to read, instead of what is known.
    PutHandOffText {
        hand_off: HandOffId,
        text: String,
    },
    AllowAgent {
        name: String,
        hash: String,
        text: AllowedText,
    },
    /// Ends a run's process, and all that it started.
    EndProcess(RunId),
    TellAgent {
        run: RunId,
        word: Word,
    },
    /// A task was made of a proposal, and its agent is to be started.
    StartHandOff {
        task: TaskId,
        agent: String,
    },
    WriteSetting(SettingChange),
    PutFile(Box<TrackedFile>),
    PutDecision(Box<Decision>),
    ForgetDecision(DecisionId),
    /// Some kept content goes for good.
    DropContent(ContentHash),
    KeepApproval(Box<Approval>),
    PutClaim(Box<FileWord>),
    DropClaim(u64),
    /// Writes a user's file, if what is there is what is expected. It is under way until `SettleWrite`.
    WriteFile(Box<FileWrite>),
    SettleWrite {
        decision: DecisionId,
        file: FileNumber,
    },
    PutSession(Box<Session>),
    TellSession(Box<Told>),
    PutFlag(Box<Flag>),
    /// A run has done this to a file, for the reports.
    NoteTouched {
        task: TaskId,
        path: FilePath,
        touch: Touch,
    },
    /// Writes a session's record into the project's documents, after this turn.
    WriteDocuments(Box<WriteDocuments>),
    PutClosing(Box<Closing>),
    /// Takes a step in which a session is completed, after this turn.
    CloseStep(Box<CloseStep>),
    /// Writes a session's archive once more, after this turn, so that it tells of all its steps.
    SealArchive(Box<Content>),
    PutPrompt(Box<Prompt>),
    /// Nothing of these files is left to be committed, as far as is known.
    SettleFiles(Vec<FileNumber>),
    /// Something of these files may be left to be committed.
    LoosenFiles(Vec<FileNumber>),
    PutAcknowledged(Box<review::Acknowledged>),
    PutAllowed(Box<review::Allowed>),
    DropAllowed(u64),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    pub verdict: Result<Answer, Refusal>,
    pub effects: Vec<Effect>,
}

impl Turn {
    #[must_use]
    pub fn done(answer: Answer, effects: Vec<Effect>) -> Self {
        Self { verdict: Ok(answer), effects }
    }
}

/// Why a decision came to no effect: a refusal, or a look-up that could not be answered.
#[derive(Debug)]
pub enum Stop<E> {
    Refused(Refusal),
    Failed(E),
}

impl<E> From<Refusal> for Stop<E> {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

pub fn decide<V: View>(view: &V, input: &Input, now: &Now) -> Result<Turn, V::Error> {
    let turn = decided(view, input, now)?;
    // Whatever was decided, the session hears of it.
    let mut turn = session::follow(view, turn, now)?;
    for effect in &mut turn.effects {
        if let Effect::Record(event) = effect {
            event.data.each_text(&without_secrets);
        }
    }
    Ok(turn)
}

/// A record cannot be taken back, so no credential gets into one, whoever wrote it where.
fn without_secrets(text: &str) -> Option<String> {
    match scan::without_credentials(text) {
        Cow::Borrowed(_) => None,
        Cow::Owned(text) => Some(text),
    }
}

fn decided<V: View>(view: &V, input: &Input, now: &Now) -> Result<Turn, V::Error> {
    let (actor, command) = match input {
        Input::Asked { actor, command } => (actor, command),
        Input::TimePassed(processes) => {
            let mut turn = queue::expire(view, *processes, now)?;
            turn.effects.extend(run::silent(view, *processes, now)?);
            turn.effects.extend(session::due(view, now)?);
            return Ok(turn);
        }
        Input::RunsTakenUp => return Ok(Turn::done(Answer::Noted, Vec::new())),
        Input::RunFollowed { run, event } => return run::followed(view, *run, event, now),
        Input::FilesSeen { files, cause, vcs } => {
            return match review::seen(view, files, cause, vcs.as_ref(), now) {
                Ok(turn) => Ok(turn),
                Err(Stop::Refused(refusal)) => {
                    Ok(noted("refused", Data::map([("message", refusal.to_string().into())])))
                }
                Err(Stop::Failed(error)) => Err(error),
            };
        }
        Input::FilesWritten { decision, files, after_crash } => {
            return review::written(view, *decision, files, *after_crash, now);
        }
        Input::DocumentAnnounced { session, number, path, before, text } => {
            let mut turn = announced(*session, path, *before, text, now);
            if let Some(number) = number {
                turn.effects.extend(session::renumbered(view, *session, *number)?);
            }
            return Ok(turn);
        }
        Input::HandOffNotStarted { task, agent, message } => {
            let from = view.hand_off_to(*task)?.map(|hand_off| Topic::Run(hand_off.from));
            let event = Event {
                actor: Actor::Host,
                kind: "hand-off.not-started",
                subject: Topic::Task(*task),
                about: from.into_iter().collect(),
                data: Data::map([("to", agent.as_str().into()), ("message", message.as_str().into())]),
            };
            return Ok(Turn::done(Answer::Noted, vec![Effect::Record(event)]));
        }
        Input::DocumentsWritten(written) => return session::written(view, written, now),
        Input::NoticeBegun { session } => return closing::notice_begun(view, *session),
        Input::StepClosed(closed) => return closing::step_closed(view, closed, now),
        Input::ArchiveSealed { session, failure } => return closing::sealed(view, *session, failure.as_deref(), now),
        Input::SessionLeft { reason } => return session::leave(view, reason, now),
        Input::SessionTakenUp => return session::restart(view, now),
        Input::EditorClosed { path, on_disk } => return review::editor_closed(view, path, *on_disk, now),
        Input::WatchingChanged { message } => {
            return Ok(noted("watch.changed", Data::map([("message", message.as_str().into())])));
        }
        Input::HostStarted { pid, version, previous } => {
            let previous = match previous {
                PreviousEnd::None => "none",
                PreviousEnd::Clean => "clean",
                PreviousEnd::Killed => "killed",
            };
            let data = Data::map([
                ("pid", (*pid).into()),
                ("version", version.as_str().into()),
                ("previous", previous.into()),
            ]);
            return Ok(noted("host.started", data));
        }
        Input::HostStopped { reason } => {
            return Ok(noted("host.stopped", Data::map([("reason", reason.as_str().into())])));
        }
        Input::ConnectionRefused { reason } => {
            return Ok(noted("connection.refused", Data::map([("reason", reason.as_str().into())])));
        }
        Input::SettingNotWritten { key, message } => {
            let data = Data::map([("key", key.as_str().into()), ("message", message.as_str().into())]);
            return Ok(noted("setting.failed", data));
        }
        Input::StepNotDone { command, message } => {
            let data = Data::map([("command", command.as_str().into()), ("message", message.as_str().into())]);
            return Ok(noted("step.failed", data));
        }
        Input::SavingFailed { times, message, first } => {
            let data = Data::map([
                ("times", (*times).into()),
                ("message", message.as_str().into()),
                ("first", first.0.into()),
            ]);
            return Ok(noted("saving.failed", data));
        }
    };
    if !command.is_for(actor.role()) {
        let refusal = Refusal::RoleMayNot { role: actor.role(), action: command.name() };
        return Ok(refused(actor, command, refusal));
    }
    match obey(view, actor, command, now) {
        Ok(turn) => Ok(turn),
        Err(Stop::Refused(refusal)) => Ok(refused(actor, command, refusal)),
        Err(Stop::Failed(error)) => Err(error),
    }
}

fn obey<V: View>(view: &V, actor: &Actor, command: &Command, now: &Now) -> Result<Turn, Stop<V::Error>> {
    match command {
        Command::AddTask(draft) => queue::add(view, actor, draft, now),
        Command::EditTask { task, edit, shown_at } => queue::edit(view, actor, task, edit, *shown_at),
        Command::MoveTask { task, place, shown_at } => queue::move_to(view, actor, task, place, *shown_at),
        Command::RemoveTask { task, shown_at } => queue::remove(view, actor, task, *shown_at),
        Command::CancelTask { task, reason, shown_at } => {
            queue::cancel(view, actor, task, reason.as_deref(), *shown_at, now)
        }
        Command::RetryTask { task, shown_at } => queue::retry(view, actor, task, *shown_at),
        Command::TakeNext(claim) => queue::take_next(view, actor, claim, now),
        Command::ClaimTask { task, claim } => queue::claim(view, actor, task, claim, now),
        Command::Heartbeat { task, attempt } => queue::heartbeat(view, actor, task, *attempt, now),
        Command::FinishTask { task, attempt, finish } => queue::finish(view, actor, task, *attempt, finish, now),
        Command::ChangeSetting(change) => {
            session::may_change(view, change)?;
            Ok(settings::change(actor, change)?)
        }
        Command::Decide(decide) => review::decide(view, actor, decide, now),
        Command::UndoDecision(wanted) => review::undo(view, actor, wanted, now),
        Command::RedoDecision(wanted) => review::redo(view, actor, wanted, now),
        Command::AssignChanges { what, to } => review::assign(view, actor, what, to, now),
        Command::PurgeDecisions(purge) => review::purge(view, actor, purge, now),
        Command::ClaimFile(claim) => review::claim(view, actor, claim, now),
        Command::EditorSaved { path, text, how, ago_ms } => {
            let saved = SavedText { at: path, text, how: *how, ago_ms: *ago_ms };
            review::saved(view, actor, &saved, now)
        }
        Command::StartAgent(start) => run::start(view, actor, start, now),
        Command::AllowAgent { name, hash, text } => Ok(run::allow(actor, name, hash, text)),
        Command::StopRun(id) => run::stop(view, actor, *id, now),
        Command::ReportRun { task, report } => run::report(view, actor, task.as_deref(), report, now),
        Command::AskPerson(asks) => run::ask(view, actor, asks, now),
        Command::AnswerQuestion { question, choice, text } => {
            run::answer(view, actor, question, choice.as_deref(), text.as_deref(), now)
        }
        Command::LogDiscovered(draft) => run::log_discovered(view, actor, draft, now),
        Command::DecideHandOff { hand_off, word } => run::decide_hand_off(view, actor, hand_off, word, now),
        Command::HookSeen(hook) => run::hook_seen(view, actor, hook, now),
        Command::StartSession { model } => session::start(view, actor, model.as_deref(), now),
        Command::ConfirmScope { session, items, paths, max_attempts } => {
            session::confirm(view, actor, session.as_deref(), items.as_deref(), paths.as_deref(), *max_attempts, now)
        }
        Command::AdjustScope(scope) => session::adjust(view, actor, scope, now),
        Command::ContinueSession { session, checkpoint } => {
            session::go_on(view, actor, session.as_deref(), *checkpoint, now)
        }
        Command::EndSession { session, title, decisions } => {
            session::end(view, actor, session.as_deref(), title.as_deref(), decisions, now)
        }
        Command::SessionCommitted { session, commit } => session::committed(view, actor, *session, commit, now),
        Command::CompleteSession(completion) => closing::complete(view, actor, completion, now),
        Command::ResumeSession(session) => closing::resume(view, actor, *session, now),
        Command::AnswerFlag(answer) => session::answer_flag(view, actor, answer, now),
        Command::RequestScope(request) => session::request_scope(view, actor, request, now),
        Command::AcknowledgeFinding { hunk, rule, reason } => {
            review::acknowledge(view, actor, hunk, rule.as_deref(), reason, now)
        }
        Command::AllowFinding(draft) => review::allow_finding(view, actor, draft),
        Command::DropAllowed(number) => review::drop_allowed(view, actor, *number),
        Command::Remember(step) => Ok(knowledge::step(actor, step, now)?),
        Command::Prompt(step) => prompt::step(view, actor, step, now),
        Command::StopHost => {
            let event = Event {
                actor: actor.clone(),
                kind: "host.stop-asked",
                subject: Topic::Workspace,
                about: Vec::new(),
                data: Data::map([]),
            };
            Ok(Turn::done(Answer::Noted, vec![Effect::Record(event)]))
        }
    }
}

/// What will be there is known beforehand: whose it is when it is seen, and that it was ours, also after a crash.
fn announced(session: SessionId, path: &FilePath, before: Option<ContentHash>, text: &[u8], now: &Now) -> Turn {
    let event = Event {
        actor: Actor::Host,
        kind: "session.document",
        subject: Topic::Session(session),
        about: vec![Topic::File(path.clone())],
        data: Data::map([
            ("hash", ContentHash::of(text).to_string().into()),
            ("before", before.map(|before| before.to_string()).into()),
        ]),
    };
    let word = attribution::Word::Saved {
        person: attribution::RECORD_WRITER.to_owned(),
        text: text.to_vec(),
        how: SavedHow::ByHand,
    };
    let claim = FileWord { number: 0, path: path.clone(), time: now.wall, word };
    Turn::done(Answer::Noted, vec![Effect::Record(event), Effect::PutClaim(Box::new(claim))])
}

fn noted(kind: &'static str, data: Data) -> Turn {
    let event = Event { actor: Actor::Host, kind, subject: Topic::Workspace, about: Vec::new(), data };
    Turn::done(Answer::Noted, vec![Effect::Record(event)])
}

fn refused(actor: &Actor, command: &Command, refusal: Refusal) -> Turn {
    let event = Event {
        actor: actor.clone(),
        kind: "refused",
        subject: refusal.task().map_or(Topic::Workspace, Topic::Task),
        about: Vec::new(),
        data: Data::map([
            ("command", command.name().into()),
            ("code", refusal.code().into()),
            ("message", refusal.to_string().into()),
        ]),
    };
    Turn { verdict: Err(refusal), effects: vec![Effect::Record(event)] }
}
