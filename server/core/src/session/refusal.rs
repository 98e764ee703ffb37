//! What sessions refuse: with a stable code for programs, and a sentence that names the value and the next step.

use std::fmt;

use super::{FlagId, SessionId, SessionState};
use crate::file::FilePath;
use crate::id::{RunId, TaskId};
use crate::run::HandOffId;
use crate::text::{quoted, shell_word, visible};
use crate::weave::HunkId;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SessionRefusal {
    NoSession,
    SessionUnderWay {
        session: u32,
        state: SessionState,
    },
    BeganByItself {
        session: u32,
        id: SessionId,
        why: String,
    },
    ScopeNotConfirmed {
        session: u32,
    },
    AlreadyConfirmed {
        session: u32,
    },
    EmptyScope {
        session: u32,
    },
    ScopeUnchanged {
        session: u32,
    },
    NotInThisScope {
        wanted: String,
        session: u32,
    },
    ItemIsDone {
        title: String,
        session: u32,
    },
    NotInScope {
        task: TaskId,
        session: u32,
    },
    HandOffNotInScope {
        hand_off: HandOffId,
        session: u32,
    },
    NoGoal {
        task: TaskId,
    },
    PlanUndecided {
        path: String,
    },
    CheckpointWaits {
        session: u32,
        tasks: u32,
    },
    NoCheckpoint {
        session: u32,
        state: SessionState,
    },
    /// Which checkpoint was meant, if any was shown, and which one waits.
    OtherCheckpoint {
        session: u32,
        wanted: Option<u32>,
        now: u32,
    },
    /// The paths are others than those that were shown.
    OtherPaths {
        session: u32,
        now: Vec<String>,
    },
    /// What was meant, its number if there was one, and the one under way.
    OtherSession {
        wanted: String,
        over: Option<u32>,
        now: Option<u32>,
    },
    SessionEnding {
        session: u32,
    },
    RunsAtWork {
        session: u32,
        runs: Vec<RunId>,
    },
    UnknownFlag {
        wanted: String,
    },
    FlagAnswered {
        flag: FlagId,
        answer: &'static str,
    },
    PatternMisses {
        pattern: String,
        path: FilePath,
    },
    Findings {
        path: FilePath,
        line: u32,
        what: String,
        more: usize,
        hunk: HunkId,
    },
    OutsideScope {
        path: FilePath,
        flag: FlagId,
    },
    NothingFound {
        hunk: String,
    },
    UnknownRule {
        value: String,
    },
    BadDate {
        value: String,
    },
    UnknownAllowed {
        number: u64,
    },
    UnknownSession {
        session: SessionId,
    },
    NotEnded {
        session: u32,
        state: SessionState,
    },
    NothingToResume {
        session: u32,
    },
    BadRating {
        value: Option<u32>,
    },
    NotDelivered {
        path: String,
    },
}

impl SessionRefusal {
    /// Stable: programs may match on it.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoSession => "no-session",
            Self::SessionUnderWay { .. } => "session-under-way",
            Self::BeganByItself { .. } => "session-began-by-itself",
            Self::ScopeNotConfirmed { .. } => "scope-not-confirmed",
            Self::AlreadyConfirmed { .. } => "already-confirmed",
            Self::EmptyScope { .. } => "empty-scope",
            Self::ScopeUnchanged { .. } => "scope-unchanged",
            Self::NotInThisScope { .. } => "not-in-this-scope",
            Self::ItemIsDone { .. } => "item-is-done",
            Self::NotInScope { .. } | Self::HandOffNotInScope { .. } => "not-in-scope",
            Self::NoGoal { .. } => "no-goal",
            Self::PlanUndecided { .. } => "plan-undecided",
            Self::CheckpointWaits { .. } => "checkpoint-waits",
            Self::NoCheckpoint { .. } => "no-checkpoint",
            Self::OtherCheckpoint { .. } => "other-checkpoint",
            Self::OtherPaths { .. } => "other-paths",
            Self::OtherSession { .. } => "other-session",
            Self::SessionEnding { .. } => "session-ending",
            Self::RunsAtWork { .. } => "runs-at-work",
            Self::UnknownFlag { .. } => "unknown-flag",
            Self::FlagAnswered { .. } => "flag-answered",
            Self::PatternMisses { .. } => "pattern-misses",
            Self::Findings { .. } => "findings",
            Self::OutsideScope { .. } => "outside-scope",
            Self::NothingFound { .. } => "nothing-found",
            Self::UnknownRule { .. } => "unknown-rule",
            Self::BadDate { .. } => "bad-date",
            Self::UnknownAllowed { .. } => "unknown-allowed",
            Self::UnknownSession { .. } => "unknown-session",
            Self::NotEnded { .. } => "not-ended",
            Self::NothingToResume { .. } => "nothing-to-resume",
            Self::BadRating { .. } => "bad-rating",
            Self::NotDelivered { .. } => "not-delivered",
        }
    }

    /// The task that it is about, if any.
    #[must_use]
    pub fn task(&self) -> Option<TaskId> {
        match self {
            Self::NotInScope { task, .. } | Self::NoGoal { task } => Some(*task),
            Self::NoSession
            | Self::HandOffNotInScope { .. }
            | Self::SessionUnderWay { .. }
            | Self::BeganByItself { .. }
            | Self::ScopeNotConfirmed { .. }
            | Self::AlreadyConfirmed { .. }
            | Self::EmptyScope { .. }
            | Self::ScopeUnchanged { .. }
            | Self::NotInThisScope { .. }
            | Self::ItemIsDone { .. }
            | Self::PlanUndecided { .. }
            | Self::CheckpointWaits { .. }
            | Self::NoCheckpoint { .. }
            | Self::OtherCheckpoint { .. }
            | Self::OtherPaths { .. }
            | Self::OtherSession { .. }
            | Self::SessionEnding { .. }
            | Self::RunsAtWork { .. }
            | Self::UnknownFlag { .. }
            | Self::FlagAnswered { .. }
            | Self::PatternMisses { .. }
            | Self::Findings { .. }
            | Self::OutsideScope { .. }
            | Self::NothingFound { .. }
            | Self::UnknownRule { .. }
            | Self::BadDate { .. }
            | Self::UnknownAllowed { .. }
            | Self::UnknownSession { .. }
            | Self::NotEnded { .. }
            | Self::NothingToResume { .. }
            | Self::BadRating { .. }
            | Self::NotDelivered { .. } => None,
        }
    }
}

impl fmt::Display for SessionRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSession => write!(f, "No session is under way. `augment-cli session start` begins one."),
            Self::SessionUnderWay { session, state: SessionState::Planned } => write!(
                f,
                "Session {session:03} is planned already. Confirm its scope with `augment-cli session confirm`, or end it with `augment-cli session end`."
            ),
            Self::SessionUnderWay { session, state } => write!(
                f,
                "Session {session:03} is under way ({}), so this cannot be done now. End it first, with `augment-cli session end`.",
                state.name()
            ),
            Self::BeganByItself { session, id, why } => write!(
                f,
                "Session {session:03} is under way; it began by itself: {}. A new one ends it and writes its record. Where that is meant, `augment-cli session start --ends {id}`; `augment-cli session adjust` changes its scope instead.",
                visible(why)
            ),
            Self::ScopeNotConfirmed { session } => write!(
                f,
                "No work before the scope of session {session:03} is confirmed. Look at it with `augment-cli session status`, then `augment-cli session confirm`."
            ),
            Self::AlreadyConfirmed { session } => write!(
                f,
                "The scope of session {session:03} is confirmed already. Change it with `augment-cli session adjust`."
            ),
            Self::EmptyScope { session } => write!(
                f,
                "The scope of session {session:03} would be empty. Name what is to be done, with --task or --title."
            ),
            Self::ScopeUnchanged { session } => write!(
                f,
                "Nothing to change in the scope of session {session:03}. Say what, for example --add or --path."
            ),
            Self::NotInThisScope { wanted, session } => {
                write!(
                    f,
                    "{} is not in the scope of session {session:03}. `augment-cli session status` shows it.",
                    quoted(wanted)
                )
            }
            Self::ItemIsDone { title, session } => {
                write!(f, "{} has ended in session {session:03} already, so it stays in its scope.", quoted(title))
            }
            Self::NotInScope { task, session } => write!(
                f,
                "{task} is not in the confirmed scope of session {session:03}. Add it with `augment-cli session adjust --add {task}`, or leave it for another time with `--log {task}`."
            ),
            Self::HandOffNotInScope { hand_off, session } => write!(
                f,
                "What {hand_off} suggests lies outside the confirmed scope of session {session:03}. `augment-cli handoff start {hand_off} --add-to-scope --yes` adds it and starts the agent."
            ),
            Self::NoGoal { task } => write!(
                f,
                "{task} serves no goal of the plan. Name one with `augment-cli queue edit {task} --goal GOAL`, or put it into a scope: `augment-cli session start`, then `session confirm --task {task}`."
            ),
            Self::PlanUndecided { path } => write!(
                f,
                "{path} holds changes that wait for your decision, so it cannot say what serves a goal. Decide about them first: `augment-cli changes list --file {}`.",
                shell_word(path)
            ),
            Self::CheckpointWaits { session, tasks } => write!(
                f,
                "Session {session:03} waits at a checkpoint after {tasks} tasks. Look at it with `augment-cli session checkpoint`, then go on with `--continue`, or adjust the scope."
            ),
            Self::NoCheckpoint { session, state } => {
                write!(
                    f,
                    "Session {session:03} waits at no checkpoint: it is {}. Nothing has to be answered.",
                    state.name()
                )
            }
            Self::OtherCheckpoint { session, wanted: None, now } => write!(
                f,
                "Session {session:03} has come to checkpoint {now} since its scope was shown, and nothing was changed. Look at it with `augment-cli session checkpoint`, then repeat."
            ),
            Self::OtherPaths { session, now } => write!(
                f,
                "Where session {session:03} may write has changed since it was shown: {}. Nothing was changed; name the paths again with `augment-cli session adjust --path`.",
                if now.is_empty() { "everywhere".to_owned() } else { now.join(", ") }
            ),
            Self::OtherCheckpoint { session, wanted: Some(wanted), now } => write!(
                f,
                "Checkpoint {wanted} of session {session:03} was answered already, and checkpoint {now} waits. Look at it with `augment-cli session checkpoint`, then go on with `--continue`."
            ),
            Self::OtherSession { over: Some(over), now: Some(now), .. } => write!(
                f,
                "Session {over:03} is over, and session {now:03} is under way. Look at that one with `augment-cli session status`, then repeat."
            ),
            Self::OtherSession { over: Some(over), now: None, .. } => write!(
                f,
                "Session {over:03} is over, and no other is under way. `augment-cli session start` begins one."
            ),
            Self::OtherSession { wanted, over: None, .. } => write!(
                f,
                "There is no session {} under way. `augment-cli session status` shows which one is.",
                quoted(wanted)
            ),
            Self::SessionEnding { session } => {
                write!(f, "Session {session:03} is ending: its record is being written. Try again in a moment.")
            }
            Self::RunsAtWork { session, runs } => {
                let runs: Vec<String> = runs.iter().map(ToString::to_string).collect();
                write!(
                    f,
                    "Session {session:03} cannot end while runs are at work: {}. Wait for them, or stop them with `augment-cli agent stop`; a task that was begun with `start` or taken by hand is ended with `augment-cli queue complete`.",
                    runs.join(", ")
                )
            }
            Self::UnknownFlag { wanted } => write!(
                f,
                "There is no such flag, or no such answer to it: {}. `augment-cli session status` lists what waits.",
                quoted(wanted)
            ),
            Self::FlagAnswered { flag, answer } => {
                write!(f, "{flag} is answered already: {answer}. Nothing was changed.")
            }
            Self::PatternMisses { pattern, path } => write!(
                f,
                "The pattern {} does not cover {path}. Use one that does, or leave it out for the file alone.",
                quoted(pattern)
            ),
            Self::Findings { path, line, what, more, hunk } => {
                write!(f, "{path}:{} holds {what}", line + 1)?;
                match more {
                    0 => {}
                    1 => write!(f, " (and one more finding)")?,
                    more => write!(f, " (and {more} more findings)")?,
                }
                write!(
                    f,
                    ". Take it out, or say why it may stay with `augment-cli scan acknowledge {hunk} --reason WHY`; then approve."
                )
            }
            Self::OutsideScope { path, flag } => write!(
                f,
                "{path} was changed outside of what was agreed to. Answer {flag} first, with `augment-cli session flag {flag} --extend`, `--log` or `--allow-once`; or approve this file by its name."
            ),
            Self::NothingFound { hunk } => {
                write!(f, "Nothing is found in {} that has to be acknowledged. Nothing was changed.", quoted(hunk))
            }
            Self::UnknownRule { value } => {
                write!(f, "{} is no rule and no kind. `augment-cli scan --rules` lists them.", quoted(value))
            }
            Self::BadDate { value } => {
                write!(f, "{} is not a day to come. Write it as in 2027-01-31.", quoted(value))
            }
            Self::UnknownAllowed { number } => {
                write!(f, "Nothing is let pass under number {number}. `augment-cli scan allowed` lists what is.")
            }
            Self::UnknownSession { session } => {
                write!(f, "There is no session {session}. `augment-cli session list` shows them.")
            }
            Self::NotEnded { session, state: SessionState::Abandoned } => {
                write!(
                    f,
                    "Session {session:03} was abandoned: nothing was done in it, so there is nothing to complete."
                )
            }
            Self::NotEnded { session, state } => write!(
                f,
                "Session {session:03} is {}, and only one that has ended can be completed. `augment-cli session end` ends the one under way.",
                state.name()
            ),
            Self::NothingToResume { session } => write!(
                f,
                "No step of session {session:03} failed or waits, so there is nothing to resume. `augment-cli session show` tells of them; `augment-cli session complete` \
                 writes the archive again."
            ),
            Self::BadRating { value: Some(value) } => {
                write!(f, "{value} is no rating. Give one from 1 to 5, with --rating.")
            }
            Self::BadRating { value: None } => {
                write!(f, "A feedback needs a rating. Give one from 1 to 5, with --rating.")
            }
            Self::NotDelivered { path } => write!(
                f,
                "{} belongs to version control, which nothing is taken from or delivered to. Name another.",
                quoted(path)
            ),
        }
    }
}

impl<E> From<SessionRefusal> for crate::turn::Stop<E> {
    fn from(no: SessionRefusal) -> Self {
        Self::Refused(crate::refusal::Refusal::Session(no))
    }
}
