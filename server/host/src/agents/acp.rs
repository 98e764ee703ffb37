//! Agents that speak the Agent Client Protocol, with us as the client: JSON-RPC over the agent's standard streams, one
//! message in a line.
//!
//! The conversation is a small machine: greet, open a session, put it into its mode, give the prompt, and then listen until
//! the turn ends; questions and pings go beside it. Nothing here waits: each step is the answer to what was heard. What
//! one version of the protocol calls things is known to `v1` alone.
//!
//! What always holds:
//!
//! - **Nothing grows**: lines, texts, open questions and remembered calls have limits, and a limit that is hit is told.
//! - **Nothing is allowed by itself**: a question that cannot be passed on is answered with no.
//! - **However the bytes are cut, the same is told**, but for signs of life, which come once for each piece.

mod detail;
mod kept;
mod last_words;
mod lines;
mod meaning;
mod opening;
mod questions;
mod tool_calls;
mod v1;

#[cfg(test)]
mod tests;

use std::path::PathBuf;

use augment_core::run::{Sign, Stopped};
use augment_core::text::{quoted, shortened, visible};
use serde_json::value::RawValue;

pub use self::kept::NotResumable;

use self::detail::bounded;
use self::kept::Kept;
use self::last_words::{Ending, LastWords};
use self::lines::{Line, Lines};
use self::meaning::{Problem, ProblemKind, Tokens, Update};
use self::questions::Open;
use self::tool_calls::ToolCalls;
use self::v1::Frame;
use super::adapter::{Act, Adapter, Assignment, Order, Said, Voice};
use super::output_log::Stream;
use super::words::Words;

/// So many troubles are told one by one; more are counted.
const TROUBLES: u64 = 20;
const SAMPLE_CHARS: usize = 120;
/// The longest piece of words that is passed on.
const WORDS_BYTES: usize = 256 * 1_024;
/// The longest sentence of an agent about an error.
const MESSAGE_BYTES: usize = 4 * 1_024;

/// What is set for an agent in its settings.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    /// The mode that its session is put into, by the agent's own name for it: most agents ask for leave only in some.
    pub mode: Option<String>,
}

/// An agent that speaks this protocol.
#[derive(Debug)]
pub struct Acp {
    options: Options,
    stage: Stage,
    next_id: u64,
    cwd: PathBuf,
    /// What is to be done, until the session that it needs is open.
    assignment: Option<Assignment>,
    /// The session's name, once it is open.
    session: Option<String>,
    /// Words that wait for the end of the turn.
    waiting: Option<String>,
    /// The ping that was not answered yet.
    ping: Option<u64>,
    questions: Vec<Open>,
    cancelling: bool,
    agent: Option<String>,
    log_ins: Vec<String>,
    used: Option<Tokens>,
    cost: Option<String>,
    troubles: u64,
    calls: ToolCalls,
    last_words: LastWords,
    lines: Lines,
    complaints: Words,
    /// Bytes of complaints since the line began that is half heard.
    complained: usize,
    /// Bytes of complaints that are heard again and were told already.
    heard_again: usize,
    /// The next line may have lost its beginning.
    after_gap: bool,
}

/// How far the conversation is; the number is the request's that was not answered yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
enum Stage {
    New,
    Greeting(u64),
    Opening(u64),
    SettingMode(u64),
    /// No turn is on.
    Idle,
    Prompting(u64),
    Unusable,
}

impl Acp {
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self::from_kept(Kept::default(), options)
    }

    /// Goes on where the adapter stood that gave these bytes.
    pub fn resume(kept: &[u8], options: Options) -> Result<Self, NotResumable> {
        Ok(Self::from_kept(Kept::read(kept)?, options))
    }

    fn id(&mut self) -> u64 {
        let id = self.next_id;
        self.next_id += 1;
        id
    }

    fn line(&mut self, line: Line<'_>, heard: &mut Heard) {
        // A line whose beginning was lost is expected to make no sense.
        let torn = std::mem::take(&mut self.after_gap);
        let (line, frame) = match line {
            Line::TooLong(start) => {
                let problem = format!("is longer than {} MiB", lines::LINE_BYTES / 1_024 / 1_024);
                return self.trouble(&problem, Some(start), &mut heard.acts);
            }
            Line::Whole(line) if line.trim_ascii().is_empty() => return,
            Line::Whole(line) => (line, v1::frame(line)),
        };
        match frame {
            Ok(frame) => {
                heard.sign = Sign::Message;
                self.frame(frame, line, &mut heard.acts);
            }
            Err(_) if torn => {}
            Err(problem) => self.trouble(&problem, Some(line), &mut heard.acts),
        }
    }

    fn frame(&mut self, frame: Frame<'_>, line: &[u8], acts: &mut Vec<Act>) {
        if self.stage == Stage::Unusable {
            return;
        }
        match frame {
            Frame::Answer { id, outcome } => self.answered(id, outcome, line, acts),
            Frame::Asks { id, question } => self.asked(id, *question, acts),
            Frame::Wants { id, method } => {
                let message = if method.starts_with("fs/") {
                    "Files are not read or written through this client. Use them on disk, where the session's folder is."
                } else {
                    "This client has no such method."
                };
                acts.push(Act::Send(v1::refuse(id, v1::NO_SUCH_METHOD, message)));
            }
            Frame::Told(update) => self.told(*update, acts),
            Frame::TakesBack { id } => {
                if let Some(at) = self.questions.iter().position(|open| open.id == id) {
                    let open = self.questions.remove(at);
                    acts.push(Act::Send(v1::answer_withdrawn(&open.id)));
                    acts.push(Act::Said(Said::Withdrew { key: open.id }));
                }
            }
        }
    }

    fn answered(&mut self, id: u64, outcome: Result<&RawValue, Problem>, line: &[u8], acts: &mut Vec<Act>) {
        if self.ping == Some(id) {
            self.ping = None;
            return;
        }
        let done = match self.stage {
            Stage::Greeting(asked) if asked == id => self.greeted(outcome, acts),
            Stage::Opening(asked) if asked == id => self.opened(outcome, acts),
            Stage::SettingMode(asked) if asked == id => {
                if let Err(problem) = outcome {
                    self.mode_not_set(&problem.message, acts);
                }
                self.ready(acts);
                Ok(())
            }
            Stage::Prompting(asked) if asked == id => {
                self.turn_over(outcome, acts);
                Ok(())
            }
            Stage::New
            | Stage::Greeting(_)
            | Stage::Opening(_)
            | Stage::SettingMode(_)
            | Stage::Idle
            | Stage::Prompting(_)
            | Stage::Unusable => Err("answers a request that was not made, or was answered before".to_owned()),
        };
        if let Err(problem) = done {
            self.trouble(&problem, Some(line), acts);
        }
    }

    /// The session is there: what was to be done is begun.
    fn ready(&mut self, acts: &mut Vec<Act>) {
        self.stage = Stage::Idle;
        let prompt = self.assignment.take().map(|assignment| assignment.prompt).filter(|_| !self.cancelling);
        match prompt.or_else(|| self.waiting.take()) {
            Some(text) => self.prompt(&text, acts),
            None => self.cancelling = false,
        }
    }

    fn prompt(&mut self, text: &str, acts: &mut Vec<Act>) {
        let id = self.id();
        let session = self.session.as_deref().unwrap_or_default();
        acts.push(Act::Send(v1::prompt(id, session, text)));
        acts.push(Act::Said(Said::TurnBegan));
        self.cancelling = false;
        self.last_words = LastWords::default();
        self.stage = Stage::Prompting(id);
    }

    fn turn_over(&mut self, outcome: Result<&RawValue, Problem>, acts: &mut Vec<Act>) {
        let ending = self.last_words.ending();
        self.withdraw_all(acts);
        let stopped = match outcome.map(v1::turn_over) {
            Ok(Ok(over)) => {
                if over.used.is_some() {
                    self.used = over.used;
                    self.tell_use(acts);
                }
                self.stopped(over.stopped, ending, acts)
            }
            Ok(Err(problem)) => {
                self.trouble(&problem, None, acts);
                Stopped::InError
            }
            Err(problem) if self.cancelling || problem.kind == ProblemKind::Cancelled => Stopped::Cancelled,
            Err(problem) => {
                let message = match problem.kind {
                    ProblemKind::LogIn => {
                        format!("{} Log in with the agent's own program first.", sentence(&problem.message))
                    }
                    ProblemKind::Cancelled | ProblemKind::Other => bounded(&problem.message, MESSAGE_BYTES),
                };
                acts.push(Act::Said(Said::Failed { title: "the turn".to_owned(), message }));
                Stopped::InError
            }
        };
        acts.push(Act::Said(Said::TurnEnded(stopped)));
        self.ready(acts);
    }

    /// Why the turn ended: its reason, unless the agent's last words know better.
    fn stopped(&mut self, said: Result<Stopped, String>, ending: Ending, acts: &mut Vec<Act>) -> Stopped {
        match (said, ending) {
            (Ok(Stopped::Done), Ending::ModelFailed { message }) => {
                acts.push(Act::Said(Said::Failed { title: "the model".to_owned(), message }));
                Stopped::InError
            }
            (Ok(Stopped::Done), Ending::AtLimit) => Stopped::AtLimit,
            (Ok(stopped), Ending::AsSaid | Ending::ModelFailed { .. } | Ending::AtLimit) => stopped,
            (Err(word), _) => {
                self.trouble(&format!("ends the turn for a reason that is not known, {}", quoted(&word)), None, acts);
                Stopped::InError
            }
        }
    }

    fn tell_use(&self, acts: &mut Vec<Act>) {
        let Tokens { input, output } = self.used.unwrap_or(Tokens { input: 0, output: 0 });
        acts.push(Act::Said(Said::Used { input_tokens: input, output_tokens: output, cost: self.cost.clone() }));
    }

    fn told(&mut self, update: Update, acts: &mut Vec<Act>) {
        let spoke = |voice, text: &str| Act::Said(Said::Spoke { voice, text: bounded(text, WORDS_BYTES) });
        match update {
            Update::Message { message, text } => {
                self.last_words.spoke(message.as_deref(), &text);
                if !text.is_empty() {
                    acts.push(spoke(Voice::Message, &text));
                }
            }
            Update::Thought { text } => {
                if !text.is_empty() {
                    acts.push(spoke(Voice::Thought, &text));
                }
            }
            Update::Plan { lines } => {
                acts.extend(lines.iter().map(|line| spoke(Voice::Thought, &format!("{line}\n"))));
            }
            Update::Call(news) => {
                self.last_words.worked();
                acts.extend(self.calls.heard(news, &self.cwd).into_iter().map(Act::Said));
            }
            Update::Cost { cost } => {
                let cost = Some(shortened(&cost, SAMPLE_CHARS).into_owned());
                if self.cost != cost {
                    self.cost = cost;
                    self.tell_use(acts);
                }
            }
            Update::Model(health) => self.last_words.model(health),
            Update::Other => {}
        }
    }

    fn say(&mut self, text: String) -> Vec<Act> {
        let mut acts = Vec::new();
        match self.stage {
            Stage::Idle => self.prompt(&text, &mut acts),
            Stage::New | Stage::Greeting(_) | Stage::Opening(_) | Stage::SettingMode(_) | Stage::Prompting(_) => {
                self.waiting = Some(match self.waiting.take() {
                    Some(waiting) => format!("{waiting}\n\n{text}"),
                    None => text,
                });
            }
            Stage::Unusable => {}
        }
        acts
    }

    fn cancel(&mut self) -> Vec<Act> {
        let mut acts = Vec::new();
        self.waiting = None;
        match (self.stage, &self.session) {
            (Stage::Prompting(_), Some(session)) => {
                acts.push(Act::Send(v1::cancel(session)));
                self.cancelling = true;
                for open in &self.questions {
                    acts.push(Act::Send(v1::answer_withdrawn(&open.id)));
                }
                self.withdraw_all(&mut acts);
            }
            (Stage::New | Stage::Greeting(_) | Stage::Opening(_) | Stage::SettingMode(_), _) if !self.cancelling => {
                // There is no turn yet, and there will be none. The folder and the tools are still needed to open a session.
                self.cancelling = true;
                acts.push(Act::Said(Said::TurnEnded(Stopped::Cancelled)));
            }
            _ => {}
        }
        acts
    }

    fn unusable(&mut self, reason: String, acts: &mut Vec<Act>) {
        self.stage = Stage::Unusable;
        self.assignment = None;
        self.waiting = None;
        self.withdraw_all(acts);
        acts.push(Act::Said(Said::Unusable { reason }));
    }

    fn trouble(&mut self, problem: &str, line: Option<&[u8]>, acts: &mut Vec<Act>) {
        self.troubles += 1;
        if self.troubles > TROUBLES {
            return;
        }
        let mut problem = format!("It sent a line that {problem}.");
        if let Some(line) = line {
            // No more bytes than so many characters can have.
            let start = String::from_utf8_lossy(&line[..line.len().min(4 * SAMPLE_CHARS)]).into_owned();
            problem += &format!(" The line begins: {}", shortened(&visible(&start), SAMPLE_CHARS));
        }
        acts.push(Act::Said(Said::NotUnderstood { problem }));
    }

    fn complaint(&mut self, bytes: &[u8], acts: &mut Vec<Act>) {
        let again = self.heard_again.min(bytes.len());
        self.heard_again -= again;
        if self.lines.half() > 0 {
            self.complained += bytes.len();
        }
        let text = self.complaints.hear(&bytes[again..]);
        if !text.is_empty() {
            acts.push(Act::Said(Said::Spoke { voice: Voice::Complaint, text }));
        }
    }
}

/// What one piece of output came to.
struct Heard {
    sign: Sign,
    acts: Vec<Act>,
}

impl Heard {
    fn with_sign(mut self) -> Vec<Act> {
        self.acts.insert(0, Act::Said(Said::Alive(self.sign)));
        self.acts
    }
}

impl Adapter for Acp {
    fn begin(&mut self, assignment: &Assignment) -> Vec<Act> {
        let id = self.id();
        self.cwd.clone_from(&assignment.cwd);
        self.assignment = Some(assignment.clone());
        self.stage = Stage::Greeting(id);
        vec![Act::Send(v1::initialize(id))]
    }

    fn heard(&mut self, stream: Stream, bytes: &[u8]) -> Vec<Act> {
        if bytes.is_empty() {
            return Vec::new();
        }
        let mut heard = Heard { sign: Sign::Output, acts: Vec::new() };
        match stream {
            Stream::Stderr => self.complaint(bytes, &mut heard.acts),
            Stream::Stdout => {
                let mut lines = std::mem::take(&mut self.lines);
                lines.hear(bytes, |line| self.line(line, &mut heard));
                self.lines = lines;
                if self.lines.half() == 0 || bytes.contains(&b'\n') {
                    self.complained = 0;
                }
            }
        }
        heard.with_sign()
    }

    fn missed(&mut self) -> Vec<Act> {
        self.lines.forget();
        self.complaints = Words::default();
        (self.complained, self.heard_again) = (0, 0);
        self.after_gap = true;
        Vec::new()
    }

    fn order(&mut self, order: Order) -> Vec<Act> {
        match order {
            Order::Ping if self.ping.is_some() || self.stage == Stage::Unusable => Vec::new(),
            Order::Ping => {
                let id = self.id();
                self.ping = Some(id);
                vec![Act::Send(v1::ping(id))]
            }
            Order::Answer { key, option } => self.answer(&key, option.as_deref()),
            Order::Say { text } => self.say(text),
            Order::Cancel => self.cancel(),
        }
    }

    fn ended(&mut self) -> Vec<Act> {
        let mut heard = Heard { sign: Sign::Output, acts: Vec::new() };
        let rest = self.lines.rest();
        self.line(Line::Whole(&rest), &mut heard);
        let mut acts = heard.acts;
        if let Some(text) = self.complaints.rest() {
            acts.push(Act::Said(Said::Spoke { voice: Voice::Complaint, text }));
        }
        self.withdraw_all(&mut acts);
        if self.troubles > TROUBLES {
            let problem = format!("It sent {} more lines that make no sense here.", self.troubles - TROUBLES);
            self.troubles = 0;
            acts.push(Act::Said(Said::NotUnderstood { problem }));
        }
        acts
    }

    fn kept(&self) -> Vec<u8> {
        self.to_kept().write()
    }

    fn unsettled(&self) -> usize {
        self.lines.half() + if self.lines.half() > 0 { self.complained } else { 0 }
    }
}

/// An agent's words about an error, as a sentence of our own.
fn sentence(message: &str) -> String {
    let message = bounded(message.trim(), MESSAGE_BYTES);
    if message.ends_with(['.', '!', '?']) { message } else { message + "." }
}
