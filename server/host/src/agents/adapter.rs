//! What every kind of agent is turned into. An adapter is one agent's protocol and nothing else: bytes and orders go in,
//! what they mean and what is to be sent comes out. It holds no pipe, no clock and no rule, so all of it can be tested
//! with texts, and it can be put down and taken up again by a later host (`Adapter::kept`).
//!
//! What an agent says is a claim. What it wrote is seen on disk; what became of it is seen of its process.

use std::path::PathBuf;

use augment_core::run::{Sign, Stopped};

use super::output_log::Stream;

/// How one kind of agent is spoken with.
pub trait Adapter: Send {
    /// The first words, once its process runs.
    fn begin(&mut self, assignment: &Assignment) -> Vec<Act>;
    /// The agent said something. Pieces are cut anywhere.
    fn heard(&mut self, stream: Stream, bytes: &[u8]) -> Vec<Act>;
    /// Some of what it said was not kept: whatever was half heard is let go.
    fn missed(&mut self) -> Vec<Act>;
    fn order(&mut self, order: Order) -> Vec<Act>;
    /// Its output has ended; what was half heard is all there is.
    fn ended(&mut self) -> Vec<Act>;
    /// What a later host needs to go on in the middle, as bytes that `resume` of the same adapter takes.
    fn kept(&self) -> Vec<u8>;
    /// How many of the bytes heard last, of both streams together, are not in `kept`: half a message. A later host has to
    /// hear these again, so it goes on at the place that was heard last less this count, and what was told of them
    /// already is not told twice.
    fn unsettled(&self) -> usize;
}

/// What an agent is to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assignment {
    /// What it is told to do, in one text.
    pub prompt: String,
    pub cwd: PathBuf,
    /// Our own tools for the agent, where its protocol takes such servers.
    pub tools: Option<ToolServer>,
}

/// A program that speaks MCP over its standard streams.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolServer {
    pub name: String,
    pub program: PathBuf,
    pub arguments: Vec<String>,
    pub environment: Vec<(String, String)>,
}

/// What is wanted of an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Order {
    /// Show that you live. Sent when nothing was heard for a while.
    Ping,
    /// The answer to a question of its own, by the option's id; `None` refuses, where its protocol knows how.
    Answer { key: String, option: Option<String> },
    /// More words from a person.
    Say { text: String },
    /// End the turn.
    Cancel,
}

/// What an adapter makes of what it heard or was ordered, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    Send(Vec<u8>),
    /// It will get no more input.
    CloseInput,
    Said(Said),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Said {
    /// A sign of life and nothing else.
    Alive(Sign),
    /// It answers and is ready to work.
    Began {
        /// Its name and version, where it tells.
        agent: Option<String>,
    },
    /// Words for people, cut anywhere.
    Spoke {
        voice: Voice,
        text: String,
    },
    /// It writes this file now; with the content, where it says so.
    Writes {
        path: PathBuf,
        content: Option<Vec<u8>>,
    },
    /// A tool of its own has ended well.
    Worked {
        title: String,
    },
    /// A tool or a model call of its own has failed.
    Failed {
        title: String,
        message: String,
    },
    Asks(Asking),
    /// The question does not wait any more: the agent has taken it back.
    Withdrew {
        key: String,
    },
    TurnBegan,
    TurnEnded(Stopped),
    /// What the session has used up so far.
    Used {
        input_tokens: u64,
        output_tokens: u64,
        cost: Option<String>,
    },
    /// It said something that its protocol does not have. Told with a short sample.
    NotUnderstood {
        problem: String,
    },
    /// It cannot be spoken with: it has to be stopped.
    Unusable {
        reason: String,
    },
}

/// In which voice something was said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Voice {
    /// To the person.
    Message,
    /// To itself.
    Thought,
    /// What its tools do, and what they give.
    Tool,
    /// What its program complains of.
    Complaint,
}

/// It wants to do something and waits for leave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asking {
    /// Names the question towards the agent.
    pub key: String,
    pub title: String,
    /// What it wants to do: a command, a diff. Many lines, bounded.
    pub detail: String,
    /// The files that it would write, where it says so.
    pub paths: Vec<PathBuf>,
    pub options: Vec<AskedOption>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskedOption {
    pub id: String,
    pub label: String,
    pub meaning: Meaning,
}

/// What an option means, by what the protocol calls its kind: ids and places differ from agent to agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Meaning {
    AllowOnce,
    RefuseOnce,
    AllowAlways,
    RefuseAlways,
    Other,
}
