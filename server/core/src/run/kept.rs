//! A run as it is kept: who works, by which adapter, what is known, and when it was last heard.

use super::standing::{Asked, DoneBy, Facts, Heard, Process, RunState, Standing, Why, judge};
use crate::id::RunId;
use crate::time::{Boot, Now, Steady, Wall};

/// How an agent is spoken with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Adapter {
    /// The Agent Client Protocol over its standard streams.
    Acp,
    /// Any program: its exit code and its output.
    Command,
    /// Somebody else's process; only watched, and heard by hooks, tools and heartbeats.
    Attached,
}

impl Adapter {
    pub const ALL: [Self; 3] = [Self::Acp, Self::Command, Self::Attached];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Acp => "acp",
            Self::Command => "command",
            Self::Attached => "attached",
        }
    }

    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|adapter| adapter.name() == name)
    }
}

/// What told that it lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    Started,
    /// It answered or sent something over its protocol.
    Message,
    Output,
    Hook,
    /// It called one of our tools.
    Tool,
    Heartbeat,
    /// Its process was looked at: it is there, and not stopped.
    Process,
}

impl Sign {
    pub const ALL: [Self; 7] =
        [Self::Started, Self::Message, Self::Output, Self::Hook, Self::Tool, Self::Heartbeat, Self::Process];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Started => "started",
            Self::Message => "message",
            Self::Output => "output",
            Self::Hook => "hook",
            Self::Tool => "tool",
            Self::Heartbeat => "heartbeat",
            Self::Process => "process",
        }
    }

    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|sign| sign.name() == name)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastSign {
    pub sign: Sign,
    pub wall: Wall,
    pub boot: Boot,
    pub steady: Steady,
}

impl LastSign {
    #[must_use]
    pub fn at(sign: Sign, now: &Now) -> Self {
        Self { sign, wall: now.wall, boot: now.boot.clone(), steady: now.steady }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    pub id: RunId,
    pub agent: String,
    pub adapter: Adapter,
    pub facts: Facts,
    /// How many questions of its wait for a person.
    pub questions: u32,
    pub standing: Standing,
    /// How often it has to be heard.
    pub interval_ms: i64,
    pub last_sign: LastSign,
    pub started: Wall,
    pub ended: Option<Wall>,
    /// The last thing it said, for people.
    pub message: Option<String>,
    pub usage: Option<Usage>,
    /// What its processes used, once nothing of it is left; `None` where nobody could see it.
    pub resources: Option<Resources>,
    /// How many tasks it has logged as discovered.
    pub discovered: u32,
}

/// What a run has used up, where its agent tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Usage {
    pub input_tokens: u64,
    pub output_tokens: u64,
    /// As the agent says it, with its currency.
    pub cost: Option<String>,
}

/// What the processes of a run used, as the system counted it: its agent's own and those that it started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resources {
    /// Processor time of all of them, for themselves and for what the system did for them.
    pub cpu_ms: u64,
    /// The most memory that one of them held at a time.
    pub peak_memory_bytes: u64,
}

/// How a run begins that we start ourselves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    pub adapter: Adapter,
    pub done_by: DoneBy,
    pub interval_ms: i64,
}

impl Run {
    /// A run of somebody who took the task and whose process is not ours to see.
    #[must_use]
    pub fn attached(id: RunId, agent: &str, lease_ms: i64, now: &Now) -> Self {
        let facts = Facts {
            process: Process::Elsewhere,
            reported: None,
            stopped: None,
            asked: Asked::Nothing,
            heard: Heard::Lately,
            has_question: false,
            has_worked: false,
            has_failed: false,
            done_by: DoneBy::Report,
        };
        Self {
            id,
            agent: agent.to_owned(),
            adapter: Adapter::Attached,
            facts,
            questions: 0,
            standing: judge(&facts),
            // It is heard by the heartbeats that keep its lease, which says itself when they are missing.
            interval_ms: lease_ms,
            last_sign: LastSign::at(Sign::Started, now),
            started: now.wall,
            ended: None,
            message: None,
            usage: None,
            resources: None,
            discovered: 0,
        }
    }

    /// A run of an agent whose process is ours.
    #[must_use]
    pub fn kept(id: RunId, agent: &str, how: &Kept, now: &Now) -> Self {
        let mut run = Self::attached(id, agent, how.interval_ms, now);
        run.adapter = how.adapter;
        run.facts.process = Process::Starting;
        run.facts.done_by = how.done_by;
        run.standing = judge(&run.facts);
        run
    }

    /// Whether its process is ours, and lives.
    #[must_use]
    pub fn has_process(&self) -> bool {
        match self.facts.process {
            Process::Starting | Process::Alive | Process::Leaving => true,
            Process::Elsewhere | Process::Ended(_) => false,
        }
    }

    /// The run at its end.
    #[must_use]
    pub fn closed(mut self, state: RunState, why: Why, now: &Now) -> Self {
        self.standing = Standing { state, why };
        self.ended = Some(now.wall);
        self
    }

    /// When it counts as silent, if nothing is heard: after two intervals.
    #[must_use]
    pub fn silent_at(&self) -> Steady {
        self.last_sign.steady.plus_ms(self.interval_ms.saturating_mul(2))
    }

    /// Whether it was heard lately. The clock of an earlier boot says nothing, so then it is asked anew.
    #[must_use]
    pub fn heard(&self, now: &Now) -> Heard {
        if self.last_sign.boot == now.boot && now.steady > self.silent_at() { Heard::Silent } else { Heard::Lately }
    }
}
