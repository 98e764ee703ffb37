//! How a run stands. Facts of different kinds are kept apart: what became of its process, what the agent reported, how its
//! last turn ended, what was asked of it, when it was last heard. `judge` says what follows from them together, and
//! nothing else may: an exit is no report, a report is no proof, and silence is neither.

use std::fmt;

/// How a run stands, for everybody who looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RunState {
    Starting,
    Running,
    /// For a person's answer.
    Waiting,
    Completed,
    Partial,
    Blocked,
    Failed,
    Cancelled,
    TimedOut,
    /// Nobody can say how it stands. It may be heard again as long as its lease holds.
    Disconnected,
}

impl RunState {
    pub const ALL: [Self; 10] = [
        Self::Starting,
        Self::Running,
        Self::Waiting,
        Self::Completed,
        Self::Partial,
        Self::Blocked,
        Self::Failed,
        Self::Cancelled,
        Self::TimedOut,
        Self::Disconnected,
    ];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Starting => "starting",
            Self::Running => "running",
            Self::Waiting => "waiting",
            Self::Completed => "completed",
            Self::Partial => "partial",
            Self::Blocked => "blocked",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
            Self::TimedOut => "timed-out",
            Self::Disconnected => "disconnected",
        }
    }

    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.name() == name)
    }

    /// Nothing that it says later changes it. A disconnected run may still come back.
    #[must_use]
    pub fn is_ended(self) -> bool {
        match self {
            Self::Completed | Self::Partial | Self::Blocked | Self::Failed | Self::Cancelled | Self::TimedOut => true,
            Self::Starting | Self::Running | Self::Waiting | Self::Disconnected => false,
        }
    }
}

impl fmt::Display for RunState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What is known of the agent's process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Process {
    /// Somebody else started it; nobody here sees how it ends.
    Elsewhere,
    /// It was started and has not shown yet that it works.
    Starting,
    Alive,
    /// It ended, but something that it started goes on.
    Leaving,
    /// It and everything that it started have ended.
    Ended(End),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    Code(i32),
    Signal(i32),
    /// It is gone, and nobody saw how.
    Unseen,
}

/// What the agent said about its task, in a completion report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reported {
    Completed,
    Partial,
    Blocked,
    Failed,
}

/// How the agent's last turn ended, where its protocol knows turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stopped {
    /// It says that it has no more to do.
    Done,
    /// At a limit of tokens or requests.
    AtLimit,
    /// It would not go on.
    Refused,
    /// Because it was told to.
    Cancelled,
    /// Its model or its own program failed.
    InError,
}

/// What was asked of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    Nothing,
    /// To stop, by a person.
    Stop,
    /// To stop, since its time was up.
    TimeUp,
    /// To stop, since it was silent until its lease ran out. Nothing that it says after that counts.
    LeaseOut,
}

/// When it was last heard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Heard {
    /// Within two intervals.
    Lately,
    Silent,
}

/// How one can tell that it is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DoneBy {
    /// Only by a report, or by a turn that ended as done with something to show for it.
    Report,
    /// Also by ending well: a script of the person's own.
    Exit,
}

/// What is known of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Facts {
    pub process: Process,
    pub reported: Option<Reported>,
    pub stopped: Option<Stopped>,
    pub asked: Asked,
    pub heard: Heard,
    /// It waits for a person's answer.
    pub has_question: bool,
    /// A change of its own was seen, or a tool of its own succeeded.
    pub has_worked: bool,
    /// Its last word about a tool or a model call was that it failed.
    pub has_failed: bool,
    pub done_by: DoneBy,
}

/// How a run stands, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    pub state: RunState,
    pub why: Why,
}

/// The reason, for the record and for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    Begun,
    AtWork,
    AsksAPerson,
    Silent,
    Leaves,
    TurnOver,
    Stopping,
    StoppedByAPerson,
    TimeUp,
    LeaseRanOut,
    TaskCancelled,
    Reported,
    ReportedButEnded(End),
    ReportedButFailed,
    ExitedWell,
    ExitedWithoutReport,
    ExitedWithError(i32),
    Killed(i32),
    Vanished,
    TurnDone,
    TurnDoneWithNothing,
    TurnDoneAfterFailure,
    TurnAtLimit,
    TurnRefused,
    TurnCancelled,
    TurnInError,
}

/// What follows from the facts together.
#[must_use]
pub fn judge(facts: &Facts) -> Standing {
    let is = |state, why| Standing { state, why };
    match facts.process {
        Process::Ended(end) => ended(facts, end),
        // Dead means that nothing of it is left: until then it may still write.
        Process::Leaving => is(RunState::Running, Why::Leaves),
        Process::Elsewhere => match facts.reported {
            Some(reported) => by_report(facts, reported),
            None => at_work(facts),
        },
        // Whatever it says, it may still write: how it ends is said when it is gone.
        Process::Starting | Process::Alive => at_work(facts),
    }
}

fn at_work(facts: &Facts) -> Standing {
    let is = |state, why| Standing { state, why };
    match (facts.heard, facts.process) {
        (Heard::Silent, _) => is(RunState::Disconnected, Why::Silent),
        (Heard::Lately, _) if facts.asked != Asked::Nothing => is(RunState::Running, Why::Stopping),
        (Heard::Lately, _) if facts.has_question => is(RunState::Waiting, Why::AsksAPerson),
        (Heard::Lately, _) if facts.stopped.is_some() => is(RunState::Running, Why::TurnOver),
        (Heard::Lately, Process::Starting) => is(RunState::Starting, Why::Begun),
        (Heard::Lately, Process::Elsewhere | Process::Alive | Process::Leaving | Process::Ended(_)) => {
            is(RunState::Running, Why::AtWork)
        }
    }
}

/// All of it has ended. What was asked of it comes first, then its own word, then how it ended.
fn ended(facts: &Facts, end: End) -> Standing {
    let is = |state, why| Standing { state, why };
    match (facts.asked, facts.reported, facts.stopped) {
        // A report that came before the time was up, or before somebody lost patience, stands.
        (Asked::Stop | Asked::TimeUp | Asked::LeaseOut, Some(reported), _) => by_report(facts, reported),
        (Asked::TimeUp, None, _) => is(RunState::TimedOut, Why::TimeUp),
        (Asked::Stop, None, _) => is(RunState::Cancelled, Why::StoppedByAPerson),
        (Asked::LeaseOut, None, _) => is(RunState::Disconnected, Why::LeaseRanOut),
        // Once its turn has ended it is let go, so the way it leaves says nothing any more.
        (Asked::Nothing, _, Some(stopped)) => turn_ended(facts, stopped),
        (Asked::Nothing, Some(Reported::Completed), None) if end != End::Code(0) => {
            is(RunState::Failed, Why::ReportedButEnded(end))
        }
        (Asked::Nothing, Some(reported), None) => by_report(facts, reported),
        (Asked::Nothing, None, None) => match (end, facts.done_by) {
            (End::Code(0), DoneBy::Exit) => is(RunState::Completed, Why::ExitedWell),
            (End::Code(0), DoneBy::Report) => is(RunState::Disconnected, Why::ExitedWithoutReport),
            (End::Code(code), _) => is(RunState::Failed, Why::ExitedWithError(code)),
            (End::Signal(signal), _) => is(RunState::Disconnected, Why::Killed(signal)),
            (End::Unseen, _) => is(RunState::Disconnected, Why::Vanished),
        },
    }
}

/// Its last turn has ended. That it says `done` is believed only with something to show, and after no failure.
fn turn_ended(facts: &Facts, stopped: Stopped) -> Standing {
    let is = |state, why| Standing { state, why };
    match (stopped, facts.reported) {
        (Stopped::Done, Some(reported)) => by_report(facts, reported),
        (Stopped::Done, None) if facts.has_failed => is(RunState::Failed, Why::TurnDoneAfterFailure),
        (Stopped::Done, None) if facts.has_worked => is(RunState::Completed, Why::TurnDone),
        (Stopped::Done, None) => is(RunState::Partial, Why::TurnDoneWithNothing),
        (Stopped::AtLimit, _) => is(RunState::Partial, Why::TurnAtLimit),
        (Stopped::Refused, _) => is(RunState::Blocked, Why::TurnRefused),
        (Stopped::Cancelled, _) => is(RunState::Cancelled, Why::TurnCancelled),
        (Stopped::InError, _) => is(RunState::Failed, Why::TurnInError),
    }
}

/// Its own word, which is not taken for `completed` after a failure.
fn by_report(facts: &Facts, reported: Reported) -> Standing {
    let (state, why) = match reported {
        Reported::Completed if facts.has_failed => (RunState::Failed, Why::ReportedButFailed),
        Reported::Completed => (RunState::Completed, Why::Reported),
        Reported::Partial => (RunState::Partial, Why::Reported),
        Reported::Blocked => (RunState::Blocked, Why::Reported),
        Reported::Failed => (RunState::Failed, Why::Reported),
    };
    Standing { state, why }
}

impl Process {
    /// As it is kept; the end with its number.
    #[must_use]
    pub fn code(self) -> String {
        match self {
            Self::Elsewhere => "elsewhere".to_owned(),
            Self::Starting => "starting".to_owned(),
            Self::Alive => "alive".to_owned(),
            Self::Leaving => "leaving".to_owned(),
            Self::Ended(end) => end.code(),
        }
    }

    #[must_use]
    pub fn from_code(code: &str) -> Option<Self> {
        match code {
            "elsewhere" => Some(Self::Elsewhere),
            "starting" => Some(Self::Starting),
            "alive" => Some(Self::Alive),
            "leaving" => Some(Self::Leaving),
            _ => End::from_code(code).map(Self::Ended),
        }
    }
}

impl End {
    #[must_use]
    pub fn code(self) -> String {
        match self {
            Self::Code(code) => format!("code {code}"),
            Self::Signal(signal) => format!("signal {signal}"),
            Self::Unseen => "unseen".to_owned(),
        }
    }

    #[must_use]
    pub fn from_code(code: &str) -> Option<Self> {
        match code.split_once(' ') {
            Some(("code", number)) => number.parse().ok().map(Self::Code),
            Some(("signal", number)) => number.parse().ok().map(Self::Signal),
            Some(_) => None,
            None => (code == "unseen").then_some(Self::Unseen),
        }
    }
}

impl Reported {
    pub const ALL: [Self; 4] = [Self::Completed, Self::Partial, Self::Blocked, Self::Failed];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::Partial => "partial",
            Self::Blocked => "blocked",
            Self::Failed => "failed",
        }
    }

    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reported| reported.name() == name)
    }
}

impl Stopped {
    pub const ALL: [Self; 5] = [Self::Done, Self::AtLimit, Self::Refused, Self::Cancelled, Self::InError];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::AtLimit => "at-limit",
            Self::Refused => "refused",
            Self::Cancelled => "cancelled",
            Self::InError => "in-error",
        }
    }

    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|stopped| stopped.name() == name)
    }
}

impl Asked {
    pub const ALL: [Self; 4] = [Self::Nothing, Self::Stop, Self::TimeUp, Self::LeaseOut];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Stop => "stop",
            Self::TimeUp => "time-up",
            Self::LeaseOut => "lease-out",
        }
    }

    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|asked| asked.name() == name)
    }
}

impl DoneBy {
    pub const ALL: [Self; 2] = [Self::Report, Self::Exit];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Report => "report",
            Self::Exit => "exit",
        }
    }

    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|done_by| done_by.name() == name)
    }
}

impl Why {
    /// Those without a number of their own.
    const PLAIN: [Self; 23] = [
        Self::Begun,
        Self::AtWork,
        Self::AsksAPerson,
        Self::Silent,
        Self::Leaves,
        Self::TurnOver,
        Self::Stopping,
        Self::StoppedByAPerson,
        Self::TimeUp,
        Self::LeaseRanOut,
        Self::TaskCancelled,
        Self::Reported,
        Self::ReportedButFailed,
        Self::ExitedWell,
        Self::ExitedWithoutReport,
        Self::Vanished,
        Self::TurnDone,
        Self::TurnDoneWithNothing,
        Self::TurnDoneAfterFailure,
        Self::TurnAtLimit,
        Self::TurnRefused,
        Self::TurnCancelled,
        Self::TurnInError,
    ];

    /// As it is kept and told to programs.
    #[must_use]
    pub fn code(self) -> String {
        match self {
            Self::Begun => "begun",
            Self::AtWork => "at-work",
            Self::AsksAPerson => "asks-a-person",
            Self::Silent => "silent",
            Self::Leaves => "leaves",
            Self::TurnOver => "turn-over",
            Self::Stopping => "stopping",
            Self::StoppedByAPerson => "stopped-by-a-person",
            Self::TimeUp => "time-up",
            Self::LeaseRanOut => "lease-ran-out",
            Self::TaskCancelled => "task-cancelled",
            Self::Reported => "reported",
            Self::ReportedButEnded(end) => return format!("reported-but {}", end.code()),
            Self::ReportedButFailed => "reported-but-failed",
            Self::ExitedWell => "exited-well",
            Self::ExitedWithoutReport => "exited-without-report",
            Self::ExitedWithError(code) => return format!("exited {code}"),
            Self::Killed(signal) => return format!("killed {signal}"),
            Self::Vanished => "vanished",
            Self::TurnDone => "turn-done",
            Self::TurnDoneWithNothing => "turn-done-with-nothing",
            Self::TurnDoneAfterFailure => "turn-done-after-failure",
            Self::TurnAtLimit => "turn-at-limit",
            Self::TurnRefused => "turn-refused",
            Self::TurnCancelled => "turn-cancelled",
            Self::TurnInError => "turn-in-error",
        }
        .to_owned()
    }

    #[must_use]
    pub fn from_code(code: &str) -> Option<Self> {
        match code.split_once(' ') {
            Some(("reported-but", end)) => End::from_code(end).map(Self::ReportedButEnded),
            Some(("exited", number)) => number.parse().ok().map(Self::ExitedWithError),
            Some(("killed", number)) => number.parse().ok().map(Self::Killed),
            Some(_) => None,
            None => Self::PLAIN.into_iter().find(|why| why.code() == code),
        }
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(code) => write!(f, "ended with code {code}"),
            Self::Signal(signal) => write!(f, "was ended by signal {signal}"),
            Self::Unseen => f.write_str("ended unseen"),
        }
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Begun => f.write_str("it was started and has not been heard yet"),
            Self::AtWork => f.write_str("it gives signs of life"),
            Self::AsksAPerson => f.write_str("it waits for an answer"),
            Self::Silent => f.write_str("it has given no sign of life for two intervals"),
            Self::Leaves => f.write_str("its process has ended, and what it started is seen off"),
            Self::TurnOver => f.write_str("its turn has ended, and its process is being ended"),
            Self::Stopping => f.write_str("it is being stopped"),
            Self::StoppedByAPerson => f.write_str("it was stopped"),
            Self::TimeUp => f.write_str("its time was up"),
            Self::LeaseRanOut => f.write_str("its lease ran out"),
            Self::TaskCancelled => f.write_str("its task was cancelled"),
            Self::Reported => f.write_str("it reported so"),
            Self::ReportedButEnded(end) => write!(f, "it reported completed, but {end}"),
            Self::ReportedButFailed => f.write_str("it reported completed after its last step had failed"),
            Self::ExitedWell => f.write_str("it ended with code 0"),
            Self::ExitedWithoutReport => f.write_str("it ended with code 0, but without a report"),
            Self::ExitedWithError(code) => write!(f, "it ended with code {code}"),
            Self::Killed(signal) => write!(f, "it was ended by signal {signal}"),
            Self::Vanished => f.write_str("it is gone, and nobody saw how it ended"),
            Self::TurnDone => f.write_str("it ended its turn, with work to show"),
            Self::TurnDoneWithNothing => f.write_str("it ended its turn, but nothing of it was seen"),
            Self::TurnDoneAfterFailure => f.write_str("it ended its turn after its last step had failed"),
            Self::TurnAtLimit => f.write_str("its turn ended at a limit"),
            Self::TurnRefused => f.write_str("it would not go on"),
            Self::TurnCancelled => f.write_str("its turn was cancelled"),
            Self::TurnInError => f.write_str("its turn ended in an error"),
        }
    }
}
