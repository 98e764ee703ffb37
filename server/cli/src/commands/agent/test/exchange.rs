//! A short exchange with an agent that was just started: one request and its answer at a time, over lines of JSON. Nothing
//! waits for ever, and nothing that the agent says grows without bound.

use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use augment_host::agents::keeping::{self, Event, Exit, KeeperProgram, Keeping, StartError};
use augment_host::agents::order::Order;
use augment_host::agents::output_log::Stream;
use serde_json::{Value, json};

/// The longest line that is read as a message.
const LINE_BYTES: usize = 1_024 * 1_024;
/// How much of what it complains of is kept: the end.
const COMPLAINTS_BYTES: usize = 2_048;
/// An agent that talks all the time without answering is given up after so many times the patience.
const MOST_PATIENCES: u32 = 3;
/// How long an agent that has said something else may still take to answer.
const AFTER_ODD: Duration = Duration::from_secs(2);
/// How long the end of all its processes is waited for, beyond the grace.
const END: Duration = Duration::from_secs(20);

pub(super) struct Exchange {
    keeping: Keeping,
    events: Receiver<Event>,
    patience: Duration,
    asked: i64,
    line: Vec<u8>,
    stdout_first: Option<String>,
    complaints: Vec<u8>,
    odd: Option<String>,
    unconfined: Option<String>,
    exit: Option<Exit>,
    end: Option<End>,
}

#[derive(Debug, Clone, Copy)]
enum End {
    Empty { killed: u64 },
    Lost { killed: u64, all_ended: bool },
}

/// Why there is no answer.
#[derive(Debug)]
pub(super) enum Trouble {
    Refused { method: &'static str, code: i64, message: String },
    Exited(Exit),
    Silent { waited: Duration },
    Garbage { sample: String },
    Gone { reason: String },
}

/// What is known when all is over.
#[derive(Debug)]
pub(super) struct Over {
    pub(super) exit: Option<Exit>,
    pub(super) is_empty: bool,
    pub(super) killed: u64,
    pub(super) odd: Option<String>,
    pub(super) unconfined: Option<String>,
    /// The end of what it said on stderr.
    pub(super) complaints: String,
    pub(super) first_line: String,
}

impl Exchange {
    pub(super) fn start(order: Order, patience: Duration) -> Result<Self, StartError> {
        let (sender, events) = channel();
        // A test that has ended does not listen any more.
        let sink = Box::new(move |event| drop(sender.send(event)));
        let keeping = keeping::start(&KeeperProgram::own(), order, sink)?;
        Ok(Self {
            keeping,
            events,
            patience,
            asked: 0,
            line: Vec::new(),
            stdout_first: None,
            complaints: Vec::new(),
            odd: None,
            unconfined: None,
            exit: None,
            end: None,
        })
    }

    /// Sends a request and waits for its answer.
    pub(super) fn ask(&mut self, method: &'static str, params: &Value) -> Result<Value, Trouble> {
        let id = self.asked;
        self.asked += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))?;
        let began = Instant::now();
        let mut quiet_since = began;
        loop {
            let mut until = (quiet_since + self.patience).min(began + self.patience * MOST_PATIENCES);
            if self.odd.is_some() {
                until = until.min(quiet_since + AFTER_ODD);
            }
            let Some(event) = self.next(until)? else {
                return Err(match self.odd.take() {
                    Some(sample) => Trouble::Garbage { sample },
                    None => Trouble::Silent { waited: began.elapsed() },
                });
            };
            if let Event::Output { .. } = event {
                quiet_since = Instant::now();
            }
            for message in self.take(event) {
                if message["id"] == id && message.get("method").is_none() {
                    return answer(method, message);
                }
                self.decline(&message)?;
            }
            if let Some(End::Empty { .. } | End::Lost { .. }) = self.end {
                return Err(match (self.exit, self.odd.take()) {
                    (Some(Exit::Code(0)), Some(sample)) => Trouble::Garbage { sample },
                    (Some(exit), _) => Trouble::Exited(exit),
                    (None, _) => Trouble::Gone { reason: "its keeper is gone".into() },
                });
            }
        }
    }

    /// Waits until it has ended by itself, and gives no input.
    pub(super) fn hear_out(&mut self) -> Result<Over, Trouble> {
        let began = Instant::now();
        self.keeping.close_stdin().map_err(|error| Trouble::Gone { reason: error.to_string() })?;
        while self.end.is_none() {
            match self.next(began + self.patience)? {
                Some(event) => drop(self.take(event)),
                None => return Err(Trouble::Silent { waited: began.elapsed() }),
            }
        }
        Ok(self.over())
    }

    /// Ends it and all that it started.
    pub(super) fn end(mut self, grace_ms: u64) -> Over {
        let until = Instant::now() + Duration::from_millis(grace_ms) + END;
        // Both fail when it is over already.
        self.keeping.close_stdin().and_then(|()| self.keeping.stop(grace_ms)).ok();
        while self.end.is_none() {
            match self.next(until) {
                Ok(Some(event)) => drop(self.take(event)),
                Ok(None) | Err(_) => break,
            }
        }
        self.over()
    }

    fn over(&mut self) -> Over {
        let (is_empty, killed) = match self.end {
            Some(End::Empty { killed }) => (true, killed),
            Some(End::Lost { killed, all_ended }) => (all_ended, killed),
            None => (false, 0),
        };
        Over {
            exit: self.exit,
            is_empty,
            killed,
            odd: self.odd.take(),
            unconfined: self.unconfined.take(),
            complaints: String::from_utf8_lossy(&self.complaints).trim().to_owned(),
            first_line: self.stdout_first.clone().unwrap_or_default(),
        }
    }

    fn send(&mut self, message: &Value) -> Result<(), Trouble> {
        match self.keeping.write_stdin(format!("{message}\n").as_bytes()) {
            Ok(()) => Ok(()),
            // It has ended, and how is still to be heard.
            Err(keeping::KeepingError::Gone) => Ok(()),
            Err(error @ (keeping::KeepingError::Full { .. } | keeping::KeepingError::TooLarge { .. })) => {
                Err(Trouble::Gone { reason: error.to_string() })
            }
        }
    }

    /// A request of the agent's own: nothing is done for it in a test.
    fn decline(&mut self, message: &Value) -> Result<(), Trouble> {
        match (message.get("method"), message.get("id")) {
            (Some(_), Some(id)) => {
                let error = json!({ "code": -32_601, "message": "This is a test; nothing is done." });
                self.send(&json!({ "jsonrpc": "2.0", "id": id, "error": error }))
            }
            (Some(_) | None, _) => Ok(()),
        }
    }

    fn next(&mut self, until: Instant) -> Result<Option<Event>, Trouble> {
        match self.events.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(event) => Ok(Some(event)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(Trouble::Gone { reason: "its keeper is gone".into() }),
        }
    }

    /// Keeps what an event tells; gives the messages in it.
    fn take(&mut self, event: Event) -> Vec<Value> {
        match event {
            Event::Output { stream: Stream::Stdout, bytes, .. } => return self.lines(&bytes),
            Event::Output { stream: Stream::Stderr, bytes, .. } => {
                self.complaints.extend_from_slice(&bytes);
                let over = self.complaints.len().saturating_sub(COMPLAINTS_BYTES);
                self.complaints.drain(..over);
            }
            Event::Unconfined { reason } => self.unconfined = Some(reason),
            Event::Exited(exit) => self.exit = Some(exit),
            Event::Empty { killed, .. } => self.end = Some(End::Empty { killed }),
            Event::Lost { leftovers, .. } => {
                let killed = leftovers.ended.len() as u64;
                self.end = Some(End::Lost { killed, all_ended: leftovers.remaining.is_empty() });
            }
            Event::Missed { .. } => self.line.clear(),
            Event::Started { .. } | Event::Ending(_) | Event::Stuck { .. } => {}
        }
        Vec::new()
    }

    fn lines(&mut self, bytes: &[u8]) -> Vec<Value> {
        let mut messages = Vec::new();
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.line.extend_from_slice(part);
            if self.line.len() > LINE_BYTES {
                self.odd.get_or_insert_with(|| "a line that does not end".to_owned());
                self.line.clear();
            }
            if !self.line.ends_with(b"\n") {
                continue;
            }
            let line = std::mem::take(&mut self.line);
            let text = String::from_utf8_lossy(&line);
            let text = text.trim();
            if text.is_empty() {
                continue;
            }
            self.stdout_first.get_or_insert_with(|| text.chars().take(200).collect());
            match serde_json::from_str::<Value>(text) {
                Ok(message) if message.is_object() => messages.push(message),
                Ok(_) | Err(_) if self.odd.is_none() => self.odd = Some(text.chars().take(200).collect()),
                Ok(_) | Err(_) => {}
            }
        }
        messages
    }
}

fn answer(method: &'static str, mut message: Value) -> Result<Value, Trouble> {
    match message.get("error") {
        None | Some(Value::Null) => Ok(message["result"].take()),
        Some(error) => {
            let said = error["message"].as_str().unwrap_or("no reason given");
            // Many tell the reason only here.
            let more = match &error["data"] {
                Value::Null => String::new(),
                Value::String(text) => format!(": {text}"),
                other @ (Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_)) => {
                    format!(": {other}")
                }
            };
            let message = format!("{said}{more}").chars().take(500).collect();
            Err(Trouble::Refused { method, code: error["code"].as_i64().unwrap_or_default(), message })
        }
    }
}
