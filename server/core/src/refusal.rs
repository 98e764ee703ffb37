//! The expected no. A refusal has a stable code for programs and a sentence for people that names the value and the
//! next step. Refused commands change nothing but the ledger.

use std::fmt;

use crate::actor::Role;
use crate::attribution::Author;
use crate::file::{BadPath, FilePath};
use crate::id::{RunId, TaskId};
use crate::prompt::PromptRefusal;
use crate::review::DecisionId;
use crate::run::{HandOffId, QuestionId};
use crate::session::SessionRefusal;
use crate::task::Status;
use crate::text::{BadText, quoted, visible};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    BadText {
        field: &'static str,
        problem: BadText,
    },
    TooMany {
        field: &'static str,
        count: usize,
        limit: usize,
    },
    UnknownPriority {
        value: String,
    },
    UnknownStatus {
        value: String,
    },
    UnknownOrigin {
        value: String,
    },
    BadDuration {
        field: &'static str,
        value: i64,
        low: i64,
        high: i64,
    },
    BadAttempts {
        value: u32,
    },
    UnknownTask {
        wanted: String,
    },
    AmbiguousTask {
        wanted: String,
        matches: Vec<TaskId>,
        more: bool,
    },
    Cycle {
        path: Vec<TaskId>,
    },
    NothingToChange {
        task: TaskId,
    },
    WrongStatus {
        task: TaskId,
        status: Status,
        action: &'static str,
        next: &'static str,
    },
    Held {
        task: TaskId,
        holder: String,
        attempt: u32,
        action: &'static str,
    },
    AttemptNotSaid {
        task: TaskId,
        holder: String,
        attempt: u32,
    },
    LateWord {
        task: TaskId,
        said: u32,
        attempt: u32,
        status: Status,
    },
    NotReady {
        task: TaskId,
        waits_for: Vec<TaskId>,
    },
    NotForAgent {
        task: TaskId,
        agent: String,
        assignee: Option<String>,
        missing: Vec<String>,
    },
    NeededBy {
        task: TaskId,
        by: Vec<TaskId>,
        more: bool,
    },
    NotBesideItself {
        task: TaskId,
    },
    Stale {
        task: TaskId,
        shown_at: u64,
        revision: u64,
    },
    QueueFull {
        limit: u64,
    },
    RoleMayNot {
        role: Role,
        action: &'static str,
    },
    NotItsTask {
        own: TaskId,
        task: TaskId,
    },
    UnknownSetting {
        key: String,
        nearest: Option<&'static str>,
    },
    BadSetting {
        key: &'static str,
        value: String,
        wanted: String,
    },
    NothingSelected,
    Session(SessionRefusal),
    Prompt(PromptRefusal),
    BadPath {
        path: String,
        problem: BadPath,
    },
    UntrackedFile {
        path: String,
    },
    UnknownRun {
        wanted: String,
    },
    UnknownHunk {
        wanted: String,
    },
    AmbiguousHunk {
        wanted: String,
        matches: Vec<String>,
    },
    HunkElsewhere {
        hunk: String,
        path: FilePath,
    },
    NothingPending {
        file: Option<String>,
        task: Option<TaskId>,
    },
    TooManyFiles {
        limit: usize,
    },
    Entangled {
        files: usize,
        with: Vec<Author>,
    },
    ControlFiles {
        files: usize,
    },
    ShownOtherwise {
        files: usize,
    },
    SameApprover {
        hunk: String,
    },
    UndoFirst {
        decision: DecisionId,
        first: DecisionId,
    },
    ApprovalGone {
        decision: DecisionId,
    },
    NeedsSecond {
        path: FilePath,
    },
    PathTaken {
        path: FilePath,
    },
    TooLarge {
        path: FilePath,
        length: u64,
    },
    NotAFile {
        path: FilePath,
    },
    UnknownDecision {
        wanted: String,
    },
    NothingToUndo,
    NothingToRedo,
    NotUndone {
        decision: DecisionId,
    },
    AlreadyUndone {
        decision: DecisionId,
        by: DecisionId,
    },
    CannotUndo {
        decision: DecisionId,
        path: FilePath,
    },
    Parked {
        path: FilePath,
        branch: String,
    },
    NeverWorkedOn {
        task: TaskId,
    },
    BadHash {
        value: String,
    },
    TaskNotSaid,
    NoStep {
        path: FilePath,
        step: u32,
        first: u32,
        last: u32,
    },
    OnlyARun {
        action: &'static str,
    },
    RunEnded {
        run: RunId,
        state: &'static str,
    },
    TooManyRuns {
        agent: Option<String>,
        limit: u32,
    },
    UnknownQuestion {
        wanted: String,
    },
    AnsweredBefore {
        question: QuestionId,
        answer: String,
    },
    NotNeeded {
        question: QuestionId,
    },
    NoHandOff {
        task: TaskId,
    },
    NoSuchOption {
        question: QuestionId,
        value: String,
        options: Vec<String>,
    },
    NoAnswer {
        question: QuestionId,
        options: Vec<String>,
    },
    UnknownHandOff {
        wanted: String,
    },
    /// With the run that has begun with it, if one has.
    HandOffDecided {
        hand_off: HandOffId,
        state: &'static str,
        run: Option<RunId>,
    },
}

impl Refusal {
    /// Stable: programs may match on it.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::BadText { problem, .. } => match problem {
                BadText::Empty => "empty-text",
                BadText::TooLong { .. } => "text-too-long",
                BadText::Unseen { .. } => "control-character",
            },
            Self::TooMany { .. } => "too-many",
            Self::UnknownPriority { .. } => "unknown-priority",
            Self::UnknownStatus { .. } => "unknown-status",
            Self::UnknownOrigin { .. } => "unknown-origin",
            Self::BadDuration { .. } => "bad-duration",
            Self::BadAttempts { .. } => "bad-attempts",
            Self::UnknownTask { .. } => "unknown-task",
            Self::AmbiguousTask { .. } => "ambiguous-task",
            Self::Cycle { .. } => "dependency-cycle",
            Self::NothingToChange { .. } => "nothing-to-change",
            Self::WrongStatus { .. } => "wrong-status",
            Self::Held { .. } => "held",
            Self::AttemptNotSaid { .. } => "attempt-not-said",
            Self::LateWord { .. } => "late-word",
            Self::NotReady { .. } => "not-ready",
            Self::NotForAgent { .. } => "not-for-agent",
            Self::NeededBy { .. } => "needed",
            Self::NotBesideItself { .. } => "beside-itself",
            Self::Stale { .. } => "stale",
            Self::QueueFull { .. } => "queue-full",
            Self::RoleMayNot { .. } => "role-may-not",
            Self::NotItsTask { .. } => "not-its-task",
            Self::OnlyARun { .. } => "only-a-run",
            Self::RunEnded { .. } => "run-ended",
            Self::TooManyRuns { .. } => "too-many-runs",
            Self::UnknownQuestion { .. } => "unknown-question",
            Self::AnsweredBefore { .. } => "answered-before",
            Self::NotNeeded { .. } => "not-needed",
            Self::NoHandOff { .. } => "no-hand-off",
            Self::NoSuchOption { .. } => "no-such-option",
            Self::NoAnswer { .. } => "no-answer",
            Self::UnknownHandOff { .. } => "unknown-hand-off",
            Self::HandOffDecided { .. } => "hand-off-decided",
            Self::UnknownSetting { .. } => "unknown-setting",
            Self::BadSetting { .. } => "bad-setting",
            Self::NothingSelected => "nothing-selected",
            Self::Session(no) => no.code(),
            Self::Prompt(no) => no.code(),
            Self::BadPath { .. } => "bad-path",
            Self::UntrackedFile { .. } => "untracked-file",
            Self::UnknownRun { .. } => "unknown-run",
            Self::UnknownHunk { .. } => "unknown-hunk",
            Self::AmbiguousHunk { .. } => "ambiguous-hunk",
            Self::HunkElsewhere { .. } => "hunk-elsewhere",
            Self::NothingPending { .. } => "nothing-pending",
            Self::TooManyFiles { .. } => "too-many-files",
            Self::Entangled { .. } => "entangled",
            Self::ControlFiles { .. } => "control-files",
            Self::ShownOtherwise { .. } => "shown-otherwise",
            Self::SameApprover { .. } => "same-approver",
            Self::UndoFirst { .. } => "undo-first",
            Self::ApprovalGone { .. } => "approval-gone",
            Self::NeedsSecond { .. } => "needs-second",
            Self::PathTaken { .. } => "path-taken",
            Self::TooLarge { .. } => "too-large",
            Self::NotAFile { .. } => "not-a-file",
            Self::UnknownDecision { .. } => "unknown-decision",
            Self::NothingToUndo => "nothing-to-undo",
            Self::NothingToRedo => "nothing-to-redo",
            Self::NotUndone { .. } => "not-undone",
            Self::AlreadyUndone { .. } => "already-undone",
            Self::CannotUndo { .. } => "cannot-undo",
            Self::Parked { .. } => "parked",
            Self::NeverWorkedOn { .. } => "never-worked-on",
            Self::BadHash { .. } => "bad-hash",
            Self::TaskNotSaid => "task-not-said",
            Self::NoStep { .. } => "no-step",
        }
    }

    /// The task that the refusal is about, where there is one.
    #[must_use]
    pub fn task(&self) -> Option<TaskId> {
        match self {
            Self::NothingToChange { task }
            | Self::WrongStatus { task, .. }
            | Self::Held { task, .. }
            | Self::AttemptNotSaid { task, .. }
            | Self::LateWord { task, .. }
            | Self::NotReady { task, .. }
            | Self::NotForAgent { task, .. }
            | Self::NeededBy { task, .. }
            | Self::NotBesideItself { task }
            | Self::Stale { task, .. }
            | Self::NeverWorkedOn { task }
            | Self::NoHandOff { task }
            | Self::NotItsTask { task, .. } => Some(*task),
            Self::NothingPending { task, .. } => *task,
            Self::RunEnded { run, .. } => Some(run.task),
            Self::Cycle { path } => path.first().copied(),
            Self::Session(no) => no.task(),
            Self::Prompt(_)
            | Self::BadText { .. }
            | Self::TooMany { .. }
            | Self::UnknownPriority { .. }
            | Self::UnknownStatus { .. }
            | Self::UnknownOrigin { .. }
            | Self::BadDuration { .. }
            | Self::BadAttempts { .. }
            | Self::UnknownTask { .. }
            | Self::AmbiguousTask { .. }
            | Self::QueueFull { .. }
            | Self::RoleMayNot { .. }
            | Self::UnknownSetting { .. }
            | Self::BadSetting { .. }
            | Self::NothingSelected
            | Self::BadPath { .. }
            | Self::UntrackedFile { .. }
            | Self::OnlyARun { .. }
            | Self::TooManyRuns { .. }
            | Self::UnknownQuestion { .. }
            | Self::AnsweredBefore { .. }
            | Self::NotNeeded { .. }
            | Self::NoSuchOption { .. }
            | Self::NoAnswer { .. }
            | Self::UnknownHandOff { .. }
            | Self::HandOffDecided { .. }
            | Self::UnknownRun { .. }
            | Self::UnknownHunk { .. }
            | Self::AmbiguousHunk { .. }
            | Self::HunkElsewhere { .. }
            | Self::TooManyFiles { .. }
            | Self::Entangled { .. }
            | Self::ControlFiles { .. }
            | Self::ShownOtherwise { .. }
            | Self::SameApprover { .. }
            | Self::UndoFirst { .. }
            | Self::ApprovalGone { .. }
            | Self::NeedsSecond { .. }
            | Self::PathTaken { .. }
            | Self::TooLarge { .. }
            | Self::NotAFile { .. }
            | Self::UnknownDecision { .. }
            | Self::NothingToUndo
            | Self::NothingToRedo
            | Self::NotUndone { .. }
            | Self::AlreadyUndone { .. }
            | Self::CannotUndo { .. }
            | Self::Parked { .. }
            | Self::BadHash { .. }
            | Self::NoStep { .. }
            | Self::TaskNotSaid => None,
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadText { field, problem } => match problem {
                BadText::Empty if *field == "title" => {
                    write!(f, "The title is empty. Say in a few words what is wanted.")
                }
                BadText::Empty => write!(f, "The {field} is empty. Name one, or leave it out."),
                BadText::TooLong { length, limit } => write!(
                    f,
                    "The {field} is {length} characters long; the limit is {limit}. Shorten it{}.",
                    if *field == "title" { " and put the rest into the description" } else { "" }
                ),
                BadText::Unseen { character, position } => write!(
                    f,
                    "The {field} has a control character (U+{:04X}) at position {position}. Remove it.",
                    u32::from(*character)
                ),
            },
            Self::TooMany { field, count, limit } => {
                write!(f, "There are {count} {field}; the limit is {limit}. Leave some out.")
            }
            Self::UnknownPriority { value } => {
                write!(f, "{} is not a priority. Use low, medium or high.", quoted(value))
            }
            Self::UnknownStatus { value } => {
                write!(f, "{} is not a status. Use {}.", quoted(value), names(Status::ALL.map(Status::name)))
            }
            Self::UnknownOrigin { value } => {
                write!(f, "{} is not an origin. Use typed, connector, discovered or hand-off.", quoted(value))
            }
            Self::BadDuration { field, value, low, high } => write!(
                f,
                "A {field} of {} is out of range. Use {} to {}.",
                crate::time::show_duration_ms(*value),
                crate::time::show_duration_ms(*low),
                crate::time::show_duration_ms(*high)
            ),
            Self::BadAttempts { value } => {
                write!(f, "{value} attempts are out of range. Use 1 to {}.", crate::task::ATTEMPTS_LIMIT)
            }
            Self::UnknownTask { wanted } => {
                write!(f, "There is no task {}. `augment-cli queue list --all` shows them all.", quoted(wanted))
            }
            Self::AmbiguousTask { wanted, matches, more } => write!(
                f,
                "{} could be {}{}. Type more of the id.",
                quoted(wanted),
                ids(matches),
                if *more { " or others" } else { "" }
            ),
            Self::Cycle { path } => match path.as_slice() {
                [task] => write!(f, "{task} cannot depend on itself. Name another task."),
                path => {
                    write!(f, "That would make a circle of dependencies: {}. Leave one of them out.", shown_path(path))
                }
            },
            Self::NothingToChange { task } => {
                write!(f, "Nothing to change in {task}. Say what is to be different, for example --title.")
            }
            Self::WrongStatus { task, status, action, next } => {
                write!(f, "{task} is {status}, so it cannot be {action}. {next}")
            }
            Self::Held { task, holder, attempt, action } => write!(
                f,
                "{task} is being worked on by {} (attempt {attempt}), so it cannot be {action}. Wait for it, or `augment-cli queue cancel {task}` first.",
                visible(holder)
            ),
            Self::AttemptNotSaid { task, holder, attempt } => write!(
                f,
                "{task} is held by {}. Say --attempt {attempt} to speak for that attempt, or `augment-cli queue cancel {task}` to end it.",
                visible(holder)
            ),
            Self::LateWord { task, said, attempt, status } => {
                if said == attempt {
                    write!(
                        f,
                        "Attempt {said} at {task} has ended: the task is {status} now. This word came too late and changed nothing."
                    )
                } else {
                    write!(
                        f,
                        "Attempt {said} at {task} is not the current one: the task is {status}, at attempt {attempt}. This word changed nothing."
                    )
                }
            }
            Self::NotReady { task, waits_for } => {
                write!(
                    f,
                    "{task} waits for {}. Complete that first, or take it out with `augment-cli queue edit {task} --depends-on`.",
                    ids(waits_for)
                )
            }
            Self::NotForAgent { task, agent, assignee, missing } => {
                write!(f, "{} cannot take {task}: ", visible(agent))?;
                match (assignee, missing.as_slice()) {
                    (Some(assignee), _) => {
                        write!(
                            f,
                            "it is assigned to {}. Change that with `augment-cli queue edit {task} --assignee`.",
                            visible(assignee)
                        )
                    }
                    (None, missing) => {
                        write!(
                            f,
                            "it requires the capability {}. Name what the agent can do with --capability.",
                            visible(&missing.join(", "))
                        )
                    }
                }
            }
            Self::NeededBy { task, by, more } => write!(
                f,
                "{task} is needed by {}{}. Remove those first, or edit what they depend on.",
                ids(by),
                if *more { " and others" } else { "" }
            ),
            Self::NotBesideItself { task } => write!(f, "{task} cannot be moved next to itself. Name another task."),
            Self::Stale { task, shown_at, revision } => {
                write!(
                    f,
                    "{task} has changed since it was shown (revision {shown_at}, now {revision}). Look at it again, then repeat."
                )
            }
            Self::QueueFull { limit } => {
                write!(
                    f,
                    "The queue holds {limit} tasks, which is its limit. Remove ended ones with `augment-cli queue remove`."
                )
            }
            Self::RoleMayNot { role, action } => {
                write!(f, "A {} may not do `{action}`. A person decides that.", role.name())
            }
            Self::OnlyARun { action } => write!(
                f,
                "Only an agent at its task can {action}: AUGMENT_TOKEN has to be set to its run's token. `augment-cli start --print-token` gives one."
            ),
            Self::RunEnded { run, state } => write!(f, "Run {run} has ended already: it is {state}."),
            Self::TooManyRuns { agent: Some(agent), limit } => write!(
                f,
                "{agent} is at work {limit} times, as often as it may. Wait for a run to end, stop one, or raise `parallel` of the agent."
            ),
            Self::TooManyRuns { agent: None, limit } => write!(
                f,
                "{limit} agents are at work, as many as may be. Wait for a run to end, stop one, or raise agents.parallel."
            ),
            Self::UnknownQuestion { wanted } => write!(
                f,
                "There is no question \"{}\". `augment-cli agent questions` lists those that wait.",
                visible(wanted)
            ),
            Self::AnsweredBefore { question, answer } => {
                write!(f, "{question} has its answer already: {}. Nothing was changed.", visible(answer))
            }
            Self::NotNeeded { question } => {
                write!(f, "{question} needs no answer any more: its run has ended, or took it back.")
            }
            Self::NoHandOff { task } => write!(f, "Nobody worked on {task} before: there is no hand-off to read."),
            Self::NoSuchOption { question, value, options } => write!(
                f,
                "\"{}\" is no answer to {question}. Choose {}.",
                visible(value),
                if options.is_empty() {
                    "a text of your own with --text".to_owned()
                } else {
                    visible(&options.join(", ")).into_owned()
                }
            ),
            Self::NoAnswer { question, options } => write!(
                f,
                "{question} was given no answer. Choose {}.",
                if options.is_empty() {
                    "a text of your own with --text".to_owned()
                } else {
                    visible(&options.join(", ")).into_owned()
                }
            ),
            Self::UnknownHandOff { wanted } => {
                write!(f, "There is no hand-off \"{}\". `augment-cli handoff list` lists them.", visible(wanted))
            }
            Self::HandOffDecided { hand_off, state, run: None } => write!(f, "{hand_off} was {state} already."),
            Self::HandOffDecided { hand_off, state, run: Some(run) } => write!(
                f,
                "{hand_off} was {state} already, and run {run} has begun. `augment-cli agent status --id {run}` shows it."
            ),
            Self::NotItsTask { own, task } => {
                write!(f, "This run works on {own} and cannot speak for {task}. Name {own}.")
            }
            Self::UnknownSetting { key, nearest } => {
                write!(f, "There is no setting {}.", quoted(key))?;
                match nearest {
                    Some(nearest) => write!(f, " Did you mean {nearest}?"),
                    None => write!(f, " `augment-cli config list` shows them all."),
                }
            }
            Self::BadSetting { key, value, wanted } => write!(f, "{} does not fit {key}. Use {wanted}.", quoted(value)),
            Self::Session(no) => write!(f, "{no}"),
            Self::Prompt(no) => write!(f, "{no}"),
            Self::NothingSelected => {
                write!(f, "Nothing is selected. Name hunks, a file, a task, a run, or all.")
            }
            Self::BadPath { path, problem } => {
                write!(
                    f,
                    "{} is no path inside the workspace: {problem}. Name it relative to the workspace.",
                    quoted(path)
                )
            }
            Self::UntrackedFile { path } => {
                write!(
                    f,
                    "Nothing is known of {}: no change of it was seen. `augment-cli changes list` shows what was.",
                    quoted(path)
                )
            }
            Self::UnknownRun { wanted } => {
                write!(
                    f,
                    "There is no run {}. A run is written like b12.2; `augment-cli queue show` lists a task's runs.",
                    quoted(wanted)
                )
            }
            Self::UnknownHunk { wanted } => write!(
                f,
                "There is no pending hunk {}. It may have been decided, or have changed since it was shown. `augment-cli changes list` shows what is pending.",
                quoted(wanted)
            ),
            Self::AmbiguousHunk { wanted, matches } => {
                write!(f, "{} could be {}. Type more of it.", quoted(wanted), matches.join(", "))
            }
            Self::HunkElsewhere { hunk, path } => {
                write!(
                    f,
                    "Hunk {hunk} in {path} is not of the file, task or run that was named. Leave one of the two out."
                )
            }
            Self::NothingPending { file, task } => {
                match (file, task) {
                    (Some(file), _) => write!(f, "Nothing in {} waits for a decision.", quoted(file))?,
                    (None, Some(task)) => write!(f, "Nothing of {task} waits for a decision.")?,
                    (None, None) => write!(f, "Nothing waits for a decision.")?,
                }
                write!(f, " `augment-cli changes list --decided` shows what was decided.")
            }
            Self::TooManyFiles { limit } => {
                write!(f, "More than {limit} files are meant. Decide them by task, by run or file by file.")
            }
            Self::Entangled { files, with } => write!(
                f,
                "The work of {} is entangled with what you reject in {files} {}. Look at the result first, then say yes to it.",
                authors(with),
                if *files == 1 { "file" } else { "files" }
            ),
            Self::ControlFiles { .. } => write!(
                f,
                "Among these are files that steer editors, agents, hooks or CI. Look at them first, then say yes, or approve them by file."
            ),
            Self::ShownOtherwise { .. } => {
                write!(f, "The result is no longer what was shown. Look at it again, then say yes to that.")
            }
            Self::UndoFirst { decision, first } => write!(
                f,
                "{first} completed what {decision} approved. Take that back first, with `augment-cli changes undo {first}`."
            ),
            Self::ApprovalGone { decision } => write!(
                f,
                "{decision} approved together with somebody whose approval was taken back. Approve it anew instead."
            ),
            Self::SameApprover { hunk } => {
                write!(f, "You have approved {hunk} already. It needs the approval of somebody else, too.")
            }
            Self::NeedsSecond { path } => write!(
                f,
                "{path} needs the approval of two people, so nobody can take its changes on alone. Assign them to a task, or approve them."
            ),
            Self::PathTaken { path } => {
                write!(f, "There is another file at {path} now. Move it away first, then repeat.")
            }
            Self::TooLarge { path, length } => write!(
                f,
                "{path} has {length} bytes, more than is kept, so its content cannot be brought back. Take it from version control, or raise changes.maxFileMegabytes for the next time."
            ),
            Self::NotAFile { path } => {
                write!(f, "{path} is a pipe, a socket or a device and is never written. Remove it by hand.")
            }
            Self::UnknownDecision { wanted } => {
                write!(
                    f,
                    "There is no decision {}, or it was purged. `augment-cli audit list --kind review` shows them.",
                    quoted(wanted)
                )
            }
            Self::NothingToUndo => write!(f, "There is no decision to undo."),
            Self::NothingToRedo => write!(f, "There is no undo to take back."),
            Self::NotUndone { decision } => write!(f, "{decision} has not been undone, so there is nothing to redo."),
            Self::AlreadyUndone { decision, by } => {
                write!(
                    f,
                    "{decision} was taken back already, by {by}. Take that back with `augment-cli changes redo {by}`."
                )
            }
            Self::CannotUndo { decision, path } => write!(
                f,
                "{decision} cannot be taken back in {path}: the same lines were decided again since, or it was purged. Undo the newer decision first."
            ),
            Self::Parked { path, branch } => {
                write!(f, "{path} waits with the branch {}. Check that out first.", quoted(branch))
            }
            Self::NeverWorkedOn { task } => {
                write!(f, "Nobody has worked on {task} yet. Take it first with `augment-cli start --task-id {task}`.")
            }
            Self::BadHash { value } => {
                write!(f, "{} is no BLAKE3 hash in hex. Give 64 hex digits, or leave it out.", quoted(value))
            }
            Self::TaskNotSaid => write!(f, "It is not said for which task. Name it with --task-id."),
            Self::NoStep { path, step, first, last } => {
                write!(f, "The history of {path} has no step {step}; it goes from {first} to {last}.")
            }
        }
    }
}

/// Whose work it is, in words.
fn authors(authors: &[Author]) -> String {
    let words: Vec<String> = authors
        .iter()
        .map(|author| match author {
            Author::Person { name } => visible(name).into_owned(),
            Author::Run(run) => format!("run {run}"),
            Author::Vcs => "version control".to_owned(),
            Author::Unknown => "somebody unknown".to_owned(),
        })
        .collect();
    words.join(", ")
}

/// A path as arrows; of a long one its beginning and its end.
fn shown_path(path: &[TaskId]) -> String {
    const BEGIN: usize = 5;
    const END: usize = 3;
    let mut steps: Vec<String> = path.iter().take(BEGIN).map(ToString::to_string).collect();
    if path.len() > BEGIN + END {
        steps.push(format!("… {} more …", path.len() - BEGIN - END));
    }
    steps.extend(path.iter().skip(BEGIN.max(path.len().saturating_sub(END))).map(ToString::to_string));
    steps.join(" → ")
}

fn ids(ids: &[TaskId]) -> String {
    let texts: Vec<String> = ids.iter().map(ToString::to_string).collect();
    texts.join(", ")
}

fn names<const N: usize>(names: [&str; N]) -> String {
    names.join(", ")
}
