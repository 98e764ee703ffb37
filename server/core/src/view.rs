//! What the rules need to know, as look-ups that are cheap whatever the size of the queue. The rules decide; an
//! implementation only answers from its indexes. The host answers from the store, inside the transaction of the turn;
//! the simulation from memory.

use std::ops::RangeInclusive;
use std::sync::Arc;

use crate::attribution::Claim;
use crate::closing::Closing;
use crate::file::{ContentHash, FilePath};
use crate::id::{RunId, TaskId};
use crate::prompt::{Prompt, PromptId};
use crate::review::policy::ReviewPolicy;
use crate::review::{Acknowledged, Allowed, Approval, Decision, DecisionId, FileNumber, PendingOf, TrackedFile};
use crate::run::{HandOff, HandOffId, HandOffPolicy, Question, QuestionId, Run};
use crate::session::{Flag, FlagId, Governance, Session, SessionId, SessionPolicy, Touch};
use crate::task::{Priority, Rank, Route, Task};
use crate::time::{Boot, Steady, Wall};
use crate::weave::DecisionNo;

pub trait View {
    /// Why a look-up could not be answered. The rules pass it on and decide nothing.
    type Error;

    fn task(&self, id: TaskId) -> Result<Option<Task>, Self::Error>;

    /// The number that the next new task gets. A number is never given twice, also after a removal.
    fn next_number(&self) -> Result<u64, Self::Error>;

    /// How many tasks there are.
    fn task_count(&self) -> Result<u64, Self::Error>;

    /// Existing ids in a range of numbers, lowest first, at most `limit`.
    fn ids_within(&self, numbers: RangeInclusive<u64>, limit: usize) -> Result<Vec<TaskId>, Self::Error>;

    /// The tasks that depend on this one.
    fn dependents(&self, id: TaskId) -> Result<Vec<TaskId>, Self::Error>;

    /// The different routes of all ready tasks.
    fn ready_routes(&self) -> Result<Vec<Route>, Self::Error>;

    /// The ready task of this route that comes first by priority and rank.
    fn first_ready(&self, route: &Route) -> Result<Option<(Priority, Rank, TaskId)>, Self::Error>;

    /// The nearest rank of this priority before (or after) the given one; without one, the last (or first) of all.
    fn neighbour(&self, priority: Priority, rank: Option<Rank>, side: Side) -> Result<Option<Rank>, Self::Error>;

    /// All tasks of this priority whose rank has this `major`, in order.
    fn ids_at(&self, priority: Priority, major: i64) -> Result<Vec<TaskId>, Self::Error>;

    /// Leases of this boot that are due at this moment, and all leases of other boots; at most `limit`.
    fn leases_due(&self, boot: &Boot, steady: Steady, limit: usize) -> Result<Vec<TaskId>, Self::Error>;

    fn run(&self, id: RunId) -> Result<Option<Run>, Self::Error>;

    /// Runs at work that nothing was heard of until this moment of this boot, and that are not known to be silent; at
    /// most `limit`.
    fn runs_silent(&self, boot: &Boot, steady: Steady, limit: usize) -> Result<Vec<RunId>, Self::Error>;

    /// How many runs have a process of ours: of this agent, and in all.
    fn processes(&self, agent: &str) -> Result<(u32, u32), Self::Error>;

    /// The last report of a run, as it was written.
    fn report(&self, id: RunId) -> Result<Option<String>, Self::Error>;

    fn question(&self, id: QuestionId) -> Result<Option<Question>, Self::Error>;

    /// The questions of a run that wait, oldest first.
    fn open_questions(&self, run: RunId) -> Result<Vec<Question>, Self::Error>;

    /// The questions of a run, oldest first, at most `limit`.
    fn questions_of(&self, run: RunId, limit: usize) -> Result<Vec<Question>, Self::Error>;

    fn next_question(&self) -> Result<QuestionId, Self::Error>;

    fn hand_off(&self, id: HandOffId) -> Result<Option<HandOff>, Self::Error>;

    /// The hand-off that a task was made of.
    fn hand_off_to(&self, task: TaskId) -> Result<Option<HandOff>, Self::Error>;

    fn next_hand_off(&self) -> Result<HandOffId, Self::Error>;

    /// What is done with proposals to hand over without asking.
    fn hand_off_policy(&self) -> Result<HandOffPolicy, Self::Error>;

    /// The runs at work, at most `limit`.
    fn active_runs(&self, limit: usize) -> Result<Vec<RunId>, Self::Error>;

    /// Whether a run has ended since then.
    fn has_run_since(&self, since: Wall) -> Result<bool, Self::Error>;

    /// A tracked file by its number, parked ones too.
    fn file(&self, number: FileNumber) -> Result<Option<TrackedFile>, Self::Error>;

    /// The tracked file whose visible path this is, unless it is parked.
    fn file_at(&self, path: &FilePath) -> Result<Option<TrackedFile>, Self::Error>;

    /// The file that was at this path when the branch was left with something pending.
    fn parked_at(&self, path: &FilePath, branch: &str) -> Result<Option<TrackedFile>, Self::Error>;

    /// The files that were at this path when their branch was left, and in which something is pending, newest first.
    fn parked(&self, path: &FilePath, limit: usize) -> Result<Vec<TrackedFile>, Self::Error>;

    /// The number that the next tracked file gets.
    fn next_file(&self) -> Result<u64, Self::Error>;

    /// Files with such pending hunks, not parked, by path, at most `limit`.
    fn pending_files(&self, of: &PendingOf, limit: usize) -> Result<Vec<FileNumber>, Self::Error>;

    /// Pending hunks whose ids begin so, at most `limit`.
    fn hunks_starting(&self, beginning: &str, limit: usize) -> Result<Vec<(String, FileNumber)>, Self::Error>;

    /// The approvals of a hunk that needs two.
    fn approvals(&self, hunk: &str) -> Result<Vec<Approval>, Self::Error>;

    /// The words that wait for a change of this path, oldest first.
    fn claims(&self, path: &FilePath) -> Result<Vec<Claim>, Self::Error>;

    fn decision(&self, id: DecisionId) -> Result<Option<Decision>, Self::Error>;

    /// The decision that made this step in a file's story.
    fn decision_in(&self, file: FileNumber, step: DecisionNo) -> Result<Option<Decision>, Self::Error>;

    /// The approvals that this decision gave where two are needed.
    fn approved_by(&self, decision: DecisionId) -> Result<Vec<Approval>, Self::Error>;

    fn next_decision(&self) -> Result<DecisionId, Self::Error>;

    /// The newest decisions, newest first.
    fn newest_decisions(&self, limit: usize) -> Result<Vec<Decision>, Self::Error>;

    /// Decisions made until this moment, oldest first.
    fn decisions_until(&self, until: Wall, limit: usize) -> Result<Vec<Decision>, Self::Error>;

    /// Tracked files in which nothing waits, not parked, those that were left alone longest first.
    fn done_files(&self, limit: usize) -> Result<Vec<FileNumber>, Self::Error>;

    /// Contents that nothing refers to once these files are as given, each with the bytes that it takes. What may be
    /// needed is left out. This one looks through everything that is kept; it is for purging alone.
    fn unneeded(&self, files: &[TrackedFile]) -> Result<Vec<(ContentHash, u64)>, Self::Error>;

    /// The session that is under way. There is at most one.
    fn session(&self) -> Result<Option<Session>, Self::Error>;

    /// Any session by its id.
    fn session_of(&self, id: SessionId) -> Result<Option<Session>, Self::Error>;

    /// The steps in which an ended session is completed.
    fn closing(&self, session: SessionId) -> Result<Option<Closing>, Self::Error>;

    /// Closings of which something is left to be done, oldest first, at most `limit`.
    fn open_closings(&self, limit: usize) -> Result<Vec<Closing>, Self::Error>;

    /// The prompt that is under way. There is at most one.
    fn prompt(&self) -> Result<Option<Prompt>, Self::Error>;

    fn prompt_of(&self, id: PromptId) -> Result<Option<Prompt>, Self::Error>;

    fn next_prompt(&self) -> Result<PromptId, Self::Error>;

    fn next_session(&self) -> Result<SessionId, Self::Error>;

    /// The highest number of the project's that an ended session had; 0 where none has ended.
    fn last_session_number(&self) -> Result<u32, Self::Error>;

    fn session_policy(&self) -> Result<SessionPolicy, Self::Error>;

    /// What the project's documents say now.
    fn governance(&self) -> Result<Arc<Governance>, Self::Error>;

    /// A task of this very title that has not ended.
    fn open_task_titled(&self, title: &str) -> Result<Option<TaskId>, Self::Error>;

    /// How many hunks of a task wait for a decision, but for those that lie on another branch.
    fn waiting_hunks(&self, task: TaskId) -> Result<u32, Self::Error>;

    /// What the runs of a task have done to files, by path.
    fn touched_by(&self, task: TaskId, limit: usize) -> Result<Vec<(FilePath, Touch)>, Self::Error>;

    fn flag(&self, id: FlagId) -> Result<Option<Flag>, Self::Error>;

    fn next_flag(&self) -> Result<u64, Self::Error>;

    /// All flags of a session at a path, oldest first.
    fn flags_at(&self, session: SessionId, path: &FilePath) -> Result<Vec<Flag>, Self::Error>;

    /// Whether a commit made here has all of this file as it is.
    fn is_committed(&self, file: FileNumber) -> Result<bool, Self::Error>;

    /// The flags at a path that wait for an answer, of any session.
    fn flags_open_at(&self, path: &FilePath) -> Result<Vec<Flag>, Self::Error>;

    /// The flags at a path of which an approval named something, also once it was taken back, of any session, oldest first.
    fn flags_passed_at(&self, path: &FilePath) -> Result<Vec<Flag>, Self::Error>;

    /// The flags of a session that wait for an answer, oldest first.
    fn flags_waiting(&self, session: SessionId, limit: usize) -> Result<Vec<Flag>, Self::Error>;

    /// The flags of any other session that wait for an answer while something in their file waits for a decision, oldest
    /// first.
    fn flags_left(&self, but: Option<SessionId>, limit: usize) -> Result<Vec<Flag>, Self::Error>;

    /// All flags of a session, oldest first, at most `limit`.
    fn flags_of(&self, session: SessionId, limit: usize) -> Result<Vec<Flag>, Self::Error>;

    /// What was refused while a session was under way, in words, oldest first, at most `limit`.
    fn refused_in(&self, session: &Session, limit: usize) -> Result<Vec<String>, Self::Error>;

    /// Findings that people have acknowledged since then, oldest first, at most `limit`.
    fn acknowledged_since(&self, since: Wall, limit: usize) -> Result<Vec<Acknowledged>, Self::Error>;

    /// Questions that people have answered since then, permissions left out, oldest first.
    fn decided_since(&self, since: Wall, limit: usize) -> Result<Vec<Question>, Self::Error>;

    /// Which findings of a hunk a person has acknowledged.
    fn acknowledged(&self, hunk: &str) -> Result<Vec<Acknowledged>, Self::Error>;

    /// What is let pass, by rule and path.
    fn allowed(&self) -> Result<Vec<Allowed>, Self::Error>;

    fn next_allowed(&self) -> Result<u64, Self::Error>;

    /// What the person wants done without being asked.
    fn review_policy(&self) -> Result<ReviewPolicy, Self::Error>;
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Before,
    After,
}
