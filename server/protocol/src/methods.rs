//! Every method, once.

use crate::agents::{
    AgentList, AllowAgent, AnswerQuestion, AskDecision, DecideHandOff, HandOff, HandOffDocument, HandOffList, HookSeen,
    HookVerdict, ListQuestions, ListRuns, LogDiscovered, OneQuestion, OneRun, Output, OwnTask, Question, QuestionList,
    ReadHandOff, ReadOutput, ReportWork, RunDetails, RunInfo, RunList, StartAgent, Started,
};
use crate::archive::{
    AddKnowledge, ArchiveDetails, ArchiveHits, ArchiveList, ArchivesImported, ArchivesVerified, ImportArchives,
    KnowledgeEntry, KnowledgeList, ListArchives, ListKnowledge, OneArchive, OneKnowledge, SearchArchives,
    SearchKnowledge, VerifyArchives,
};
use crate::changes::{
    Assign, Assigned, Blame, ChangeList, ChangedFile, ClaimFile, Content, Decide, Decided, EditorSaved, FileHistory,
    ListChanges, OneFile, Preview, Purge, Purged, WhichContent, WhichDecision,
};
use crate::closing::{ClosedSession, CompleteSession};
use crate::demo::DemoStatus;
use crate::figures::{Analytics, AnalyticsFile, AskAnalytics, AskTimeline, OneStep, StepDiff, Timeline};
use crate::prompts::{
    CommitIntent, FinishPrompt, FinishedPrompt, GuardPrompt, Guarded, IntentCommitted, ListPrompts, OnePrompt,
    PromptList, PromptStatus, PushPrompt, PushedPrompt, ReportPrompt, ReportedPrompt, SetContext, StartPrompt,
    StartedPrompt, UndoPrompt, UndonePrompt, UnifiedSubjects, UnifySubjects,
};
use crate::queue::{
    AddTask, CancelTask, ClaimTask, CompleteTask, EditTask, FailTask, Heartbeat, ListTasks, MoveTask, Next, OneTask,
    TakeNext, Taken, Task, TaskDetails, TaskList,
};
use crate::records::{ListRecords, OneRecord, Record, RecordList, Verified};
use crate::sessions::{
    AcknowledgeFinding, AdjustScope, AllowFinding, AnswerCheckpoint, AnswerFlag, AnsweredFlag, CommitSession,
    CommittedSession, ConfirmScope, DropScanAllow, EndSession, EndedSession, ListReports, ListSessions, OneSession,
    PlanView, ReportList, RequestScope, ScanAllowList, ScanFiles, ScanResult, SessionDetails, SessionList,
    SessionStatus, StartSession,
};
use crate::settings::{ChangeSetting, InspectFile, InspectedFile, SettingList};
use crate::status::{Moved, Nothing, OverallStatus};

/// A request with its parameters and result.
pub trait Method {
    const NAME: &'static str;
    type Params: serde::Serialize + serde::de::DeserializeOwned + Send + 'static;
    type Result: serde::Serialize + serde::de::DeserializeOwned + Send + 'static;
}

/// A message that is not answered.
pub trait Notification {
    const NAME: &'static str;
    type Params: serde::Serialize + serde::de::DeserializeOwned + Send + 'static;
}

/// Who may call a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Callers {
    PersonOnly,
    PersonAndRun,
}

/// A method as the reference tells it.
#[derive(Debug)]
pub struct Entry {
    pub name: &'static str,
    pub params: &'static str,
    pub result: &'static str,
    pub callers: Callers,
    pub about: &'static str,
}

macro_rules! methods {
    ($($(#[doc = $about:literal])+ $method:ident = $name:literal ($params:ident) -> $result:ident, $callers:ident;)+) => {
        $(
            $(#[doc = $about])+
            #[derive(Debug)]
            pub enum $method {}

            impl Method for $method {
                const NAME: &'static str = $name;
                type Params = $params;
                type Result = $result;
            }
        )+

        /// Every request, in the order of the reference.
        pub const METHODS: &[Entry] = &[
            $(Entry {
                name: $name,
                params: stringify!($params),
                result: stringify!($result),
                callers: Callers::$callers,
                about: concat!($($about),+),
            }),+
        ];
    };
}

methods! {
    /// The state of the whole: host, counts, what is being worked on, what needs a look.
    GetStatus = "augment/status" (Nothing) -> OverallStatus, PersonAndRun;
    /// Adds a task at the end of its priority.
    QueueAdd = "augment/queue/add" (AddTask) -> Task, PersonOnly;
    /// Lists tasks, a page at a time.
    QueueList = "augment/queue/list" (ListTasks) -> TaskList, PersonAndRun;
    /// One task with its dependencies, attempts and newest records.
    QueueShow = "augment/queue/show" (OneTask) -> TaskDetails, PersonAndRun;
    /// Changes a task that has not ended.
    QueueEdit = "augment/queue/edit" (EditTask) -> Task, PersonOnly;
    /// Reorders a task. Next to another one it takes on that one's priority.
    QueueMove = "augment/queue/move" (MoveTask) -> Task, PersonOnly;
    /// Removes a task that nobody works on and nothing depends on. Its content stays in the ledger.
    QueueRemove = "augment/queue/remove" (OneTask) -> Nothing, PersonOnly;
    /// Cancels a task that has not ended; its holder's next word is refused.
    QueueCancel = "augment/queue/cancel" (CancelTask) -> Task, PersonOnly;
    /// Puts a failed, partial, blocked or cancelled task back with all its attempts.
    QueueRetry = "augment/queue/retry" (OneTask) -> Task, PersonOnly;
    /// Takes the task that comes first for this agent: highest priority, then oldest, dependencies done. Never hands one out twice.
    QueueNext = "augment/queue/next" (TakeNext) -> Next, PersonOnly;
    /// Takes one task by its id.
    QueueClaim = "augment/queue/claim" (ClaimTask) -> Taken, PersonOnly;
    /// Renews the lease of an attempt. A run speaks for its own attempt only.
    QueueHeartbeat = "augment/queue/heartbeat" (Heartbeat) -> Task, PersonAndRun;
    /// Ends a task as completed, partial or blocked. A run speaks for its own attempt only.
    QueueComplete = "augment/queue/complete" (CompleteTask) -> Task, PersonAndRun;
    /// Ends a task as failed. A run speaks for its own attempt only.
    QueueFail = "augment/queue/fail" (FailTask) -> Task, PersonAndRun;
    /// Files with pending hunks, by path; on request also decided ones.
    ChangesList = "augment/changes/list" (ListChanges) -> ChangeList, PersonAndRun;
    /// One file with its hunks.
    ChangesFile = "augment/changes/file" (OneFile) -> ChangedFile, PersonAndRun;
    /// A file's content: now, before a task, run or hunk, or at a step of its history.
    ChangesContent = "augment/changes/content" (WhichContent) -> Content, PersonAndRun;
    /// What a decision would do, without doing it.
    ChangesPreview = "augment/changes/preview" (Decide) -> Preview, PersonAndRun;
    /// Approves or rejects hunks. Rejecting takes out exactly them and brings back exactly what they replaced.
    ChangesDecide = "augment/changes/decide" (Decide) -> Decided, PersonOnly;
    /// Takes a decision back.
    ChangesUndo = "augment/changes/undo" (WhichDecision) -> Decided, PersonOnly;
    /// Takes an undo back.
    ChangesRedo = "augment/changes/redo" (WhichDecision) -> Decided, PersonOnly;
    /// Says whose a change is.
    ChangesAssign = "augment/changes/assign" (Assign) -> Assigned, PersonOnly;
    /// The story of one file.
    ChangesHistory = "augment/changes/history" (OneFile) -> FileHistory, PersonAndRun;
    /// Lets go of what decisions have taken out; they cannot be undone afterwards.
    ChangesPurge = "augment/changes/purge" (Purge) -> Purged, PersonOnly;
    /// Who wrote each line of a file.
    GetBlame = "augment/blame" (OneFile) -> Blame, PersonAndRun;
    /// A run says which file it writes. A run speaks for itself only.
    FileClaim = "augment/claim" (ClaimFile) -> Nothing, PersonAndRun;
    /// An editor says what it has saved.
    EditorSave = "augment/editor/saved" (EditorSaved) -> Nothing, PersonOnly;
    /// The agents that can be started, with what speaks against it.
    AgentsList = "augment/agent/list" (Nothing) -> AgentList, PersonOnly;
    /// Allows an agent that comes with the workspace, as its configuration stands. Void once that changes.
    AgentAllow = "augment/agent/allow" (AllowAgent) -> AgentList, PersonOnly;
    /// Starts an agent on a task, or on the one that comes first for it. Answers once its process is being started.
    AgentStart = "augment/agent/start" (StartAgent) -> Started, PersonOnly;
    /// Asks a run to stop; its whole process tree is ended when it does not.
    AgentStop = "augment/agent/stop" (OneRun) -> RunInfo, PersonOnly;
    /// Lists runs, the newest first.
    RunsList = "augment/run/list" (ListRuns) -> RunList, PersonAndRun;
    /// One run with its report, questions and newest records.
    RunShow = "augment/run/show" (OneRun) -> RunDetails, PersonAndRun;
    /// What a run has said, from a place on.
    RunOutput = "augment/run/output" (ReadOutput) -> Output, PersonAndRun;
    /// The calling run's own task.
    RunTask = "augment/run/task" (Nothing) -> OwnTask, PersonAndRun;
    /// The calling run asks a person.
    RunAsk = "augment/run/ask" (AskDecision) -> Question, PersonAndRun;
    /// The calling run tells of something else to be done. It goes to the queue as discovered.
    RunDiscovered = "augment/run/discovered" (LogDiscovered) -> Task, PersonAndRun;
    /// The calling run reports on its own attempt.
    RunReport = "augment/run/report" (ReportWork) -> RunInfo, PersonAndRun;
    /// What the run before has left for the calling one, or the document of a hand-off.
    RunHandOff = "augment/run/hand-off" (ReadHandOff) -> HandOffDocument, PersonAndRun;
    /// A hook of an agent has seen something, and asks whether it may go on.
    RunHook = "augment/run/hook" (HookSeen) -> HookVerdict, PersonAndRun;
    /// What runs ask, those that wait first.
    QuestionsList = "augment/question/list" (ListQuestions) -> QuestionList, PersonAndRun;
    /// One question, with its answer once it has one.
    QuestionShow = "augment/question/show" (OneQuestion) -> Question, PersonAndRun;
    /// Answers a question; the run hears it at once.
    QuestionAnswered = "augment/question/answer" (AnswerQuestion) -> Question, PersonOnly;
    /// Proposals that another agent goes on, the newest first.
    HandOffsList = "augment/hand-off/list" (Nothing) -> HandOffList, PersonAndRun;
    /// Makes a task of a proposal, or dismisses it.
    HandOffDecide = "augment/hand-off/decide" (DecideHandOff) -> HandOff, PersonOnly;
    /// The session that is under way, what the project's documents say, and what waits for an answer.
    SessionShown = "augment/session/status" (Nothing) -> SessionStatus, PersonAndRun;
    /// Begins a session: the documents are read, and a scope is proposed. Nothing is started before it is confirmed.
    SessionStart = "augment/session/start" (StartSession) -> SessionStatus, PersonOnly;
    /// Confirms the proposed scope, or another one. Tasks of the plan go to the queue.
    SessionConfirm = "augment/session/confirm" (ConfirmScope) -> SessionStatus, PersonOnly;
    /// Changes the scope.
    SessionAdjust = "augment/session/adjust" (AdjustScope) -> SessionStatus, PersonOnly;
    /// Goes on after a checkpoint.
    SessionContinue = "augment/session/continue" (AnswerCheckpoint) -> SessionStatus, PersonOnly;
    /// Ends the session: writes the changelog's entry and the plan's marks, and proposes a commit.
    SessionEnd = "augment/session/end" (EndSession) -> EndedSession, PersonOnly;
    /// Commits the documents of an ended session.
    SessionCommit = "augment/session/commit" (CommitSession) -> CommittedSession, PersonOnly;
    /// Adds to a session that has ended, and does what is left of its steps.
    SessionComplete = "augment/session/complete" (CompleteSession) -> ClosedSession, PersonOnly;
    /// Runs the steps of an ended session that failed or wait once more.
    SessionResume = "augment/session/resume" (OneSession) -> ClosedSession, PersonOnly;
    /// Lists sessions, the newest first.
    SessionsList = "augment/session/list" (ListSessions) -> SessionList, PersonAndRun;
    /// One session with its tasks, reports and flags.
    SessionDetail = "augment/session/show" (OneSession) -> SessionDetails, PersonAndRun;
    /// What was told, oldest first.
    SessionReports = "augment/session/reports" (ListReports) -> ReportList, PersonAndRun;
    /// Answers a change that fell outside of what was agreed to.
    FlagAnswered = "augment/session/flag" (AnswerFlag) -> AnsweredFlag, PersonOnly;
    /// The calling run asks for more scope, before it writes there.
    RunScope = "augment/run/scope" (RequestScope) -> Question, PersonAndRun;
    /// The plan as it is understood, and what is not.
    PlanShow = "augment/plan/show" (Nothing) -> PlanView, PersonAndRun;
    /// Looks for secrets, personal data, production values and unpinned dependencies.
    ScanRun = "augment/scan" (ScanFiles) -> ScanResult, PersonAndRun;
    /// A person has looked at findings, and says why they may stay.
    ScanAcknowledge = "augment/scan/acknowledge" (AcknowledgeFinding) -> ScanResult, PersonOnly;
    /// Lets findings of a rule pass below a path until a day.
    ScanAllowed = "augment/scan/allow" (AllowFinding) -> ScanAllowList, PersonOnly;
    /// What is let pass.
    ScanAllows = "augment/scan/allows" (Nothing) -> ScanAllowList, PersonAndRun;
    /// Takes that back.
    ScanDisallow = "augment/scan/disallow" (DropScanAllow) -> ScanAllowList, PersonOnly;
    /// Archived sessions, the newest first.
    ArchiveListed = "augment/archive/list" (ListArchives) -> ArchiveList, PersonAndRun;
    /// Looks for words in archived sessions, the best first.
    ArchiveSearch = "augment/archive/search" (SearchArchives) -> ArchiveHits, PersonAndRun;
    /// One archived session with its summary and its record.
    ArchiveShow = "augment/archive/show" (OneArchive) -> ArchiveDetails, PersonAndRun;
    /// Checks archives: the hashes of their files and their part of the ledger.
    ArchiveVerify = "augment/archive/verify" (VerifyArchives) -> ArchivesVerified, PersonAndRun;
    /// Takes in archives that were made elsewhere. All are checked before anything is written; nothing is overwritten.
    ArchiveImport = "augment/archive/import" (ImportArchives) -> ArchivesImported, PersonOnly;
    /// What was learnt, the newest first.
    KnowledgeListed = "augment/knowledge/list" (ListKnowledge) -> KnowledgeList, PersonAndRun;
    /// Looks for words in what was learnt.
    KnowledgeSearch = "augment/knowledge/search" (SearchKnowledge) -> KnowledgeList, PersonAndRun;
    /// Adds something to be known, on this machine.
    KnowledgeAdd = "augment/knowledge/add" (AddKnowledge) -> KnowledgeEntry, PersonOnly;
    /// Approves an entry for everybody: it is written to the file that the team commits.
    KnowledgeApprove = "augment/knowledge/approve" (OneKnowledge) -> KnowledgeEntry, PersonOnly;
    /// Takes an entry out, also out of the file; what archives tell does not bring it back.
    KnowledgeDrop = "augment/knowledge/drop" (OneKnowledge) -> KnowledgeEntry, PersonOnly;
    /// Lists records of the ledger, newest first, or from one on.
    AuditList = "augment/audit/list" (ListRecords) -> RecordList, PersonAndRun;
    /// One record.
    AuditShow = "augment/audit/show" (OneRecord) -> Record, PersonAndRun;
    /// Checks the whole chain.
    AuditVerify = "augment/audit/verify" (Nothing) -> Verified, PersonAndRun;
    /// Every setting with its value and where it comes from.
    ConfigList = "augment/config/list" (Nothing) -> SettingList, PersonAndRun;
    /// Changes a setting in the user's file.
    ConfigSet = "augment/config/set" (ChangeSetting) -> SettingList, PersonOnly;
    /// Looks at a file of settings or agents as it stands in an editor: what is wrong in it, and what can be written there.
    ConfigInspect = "augment/config/inspect" (InspectFile) -> InspectedFile, PersonAndRun;
    /// The prompt that is under way, and what could be committed for it.
    PromptShown = "augment/prompt/status" (Nothing) -> PromptStatus, PersonOnly;
    /// Begins a prompt: stamp, text, subjects; what lies in the tree is committed first, on a word.
    PromptStarted = "augment/prompt/start" (StartPrompt) -> StartedPrompt, PersonOnly;
    /// Says how the prompt is understood.
    PromptContext = "augment/prompt/context" (SetContext) -> PromptStatus, PersonOnly;
    /// Commits approved changes, and nothing else, as one intent.
    PromptIntent = "augment/prompt/intent" (CommitIntent) -> IntentCommitted, PersonOnly;
    /// Makes one `session:` commit of the intents. The files on disk stay as they are.
    PromptFinished = "augment/prompt/finish" (FinishPrompt) -> FinishedPrompt, PersonOnly;
    /// Writes the research artifact.
    PromptReported = "augment/prompt/report" (ReportPrompt) -> ReportedPrompt, PersonOnly;
    /// Pairs the subjects of `Development/` and `Research/`.
    PromptUnified = "augment/prompt/unify" (UnifySubjects) -> UnifiedSubjects, PersonOnly;
    /// Pushes the session's commit, asks the remote whether it has it, and only then begins a fresh child.
    PromptPushed = "augment/prompt/push" (PushPrompt) -> PushedPrompt, PersonOnly;
    /// Takes back what was written to history last.
    PromptUndone = "augment/prompt/undo" (UndoPrompt) -> UndonePrompt, PersonOnly;
    /// Gives a prompt up; what was committed stays.
    PromptDropped = "augment/prompt/drop" (OnePrompt) -> PromptStatus, PersonOnly;
    /// Prompts that are known here, and the `session:` commits of the history.
    PromptsListed = "augment/prompt/list" (ListPrompts) -> PromptList, PersonOnly;
    /// Judges the five invariants of a completed prompt.
    PromptGuarded = "augment/prompt/guard" (GuardPrompt) -> Guarded, PersonOnly;
    /// Figures of a period: how runs and tasks ended, how long they took, what was decided, what it cost.
    AnalyticsShown = "augment/analytics" (AskAnalytics) -> Analytics, PersonAndRun;
    /// The same figures as CSV.
    AnalyticsCsv = "augment/analytics/csv" (AskAnalytics) -> AnalyticsFile, PersonAndRun;
    /// The story of a session, of the workspace or of one file, page by page.
    TimelineShown = "augment/timeline" (AskTimeline) -> Timeline, PersonAndRun;
    /// What one step of a file's history did to it.
    TimelineDiff = "augment/timeline/diff" (OneStep) -> StepDiff, PersonAndRun;
    /// How far the person has come in a demo workspace.
    DemoShown = "augment/demo/status" (Nothing) -> DemoStatus, PersonAndRun;
    /// Asks the host to leave once what is under way is written.
    HostStop = "augment/host/stop" (Nothing) -> Nothing, PersonOnly;
}

/// Something was written. Sent to every client after each change.
#[derive(Debug)]
pub enum MovedNotice {}

impl Notification for MovedNotice {
    const NAME: &'static str = "augment/moved";
    type Params = Moved;
}
