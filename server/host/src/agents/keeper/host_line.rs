//! The keeper's end of the connection to a host: what waits to be sent, what has come, and how far a host that came later
//! has caught up. Neither side can make the other keep more than a bounded part in memory.

use std::io::{ErrorKind, Read as _, Write as _};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use super::ending::later;
use crate::agents::frames::{Asked, Incoming, Told, put_output};
use crate::agents::output_log::{OutputLog, Piece, Reader, Stream};

/// No more of the agent's output is read while so much waits for the host.
const WAITING_BYTES: usize = 256 * 1_024;
/// How long a host may take nothing of a keeper's last words. It finds them in the run's folder too.
const LAST_WORDS: Duration = Duration::from_secs(10);
/// How long a connection may take to say what it wants.
const FIRST_WORD_MS: i64 = 5_000;

pub(super) struct HostLine {
    stream: UnixStream,
    incoming: Incoming,
    outgoing: Vec<u8>,
    sent: usize,
    came_at: i64,
    /// Since when it takes nothing of what waits for it.
    blocked_since: Option<i64>,
    state: State,
}

enum State {
    /// It has not said yet from where on it wants to be told.
    Silent,
    CatchingUp(Reader),
    Live,
    /// It took nothing for too long and would hold the agent back for ever: from this place on it hears of the output only
    /// when it has taken what waits.
    Behind {
        from: u64,
    },
}

/// Whether a connection still stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Line {
    Stands,
    Gone,
}

impl HostLine {
    /// The host that gave the order hears everything.
    pub(super) fn first(stream: UnixStream, incoming: Incoming, now: i64) -> std::io::Result<Self> {
        stream.set_nonblocking(true)?;
        Ok(Self {
            stream,
            incoming,
            outgoing: Vec::new(),
            sent: 0,
            came_at: now,
            blocked_since: None,
            state: State::Live,
        })
    }

    /// One that came later has to say first what it knows.
    pub(super) fn later(stream: UnixStream, now: i64) -> std::io::Result<Self> {
        let line = Self::first(stream, Incoming::default(), now)?;
        Ok(Self { state: State::Silent, ..line })
    }

    /// Turns a connection away.
    pub(super) fn refuse(mut stream: UnixStream) {
        let mut frame = Vec::new();
        Told::Busy.put(&mut frame);
        // A fresh connection takes these few bytes at once, or its owner has left.
        drop(stream.set_nonblocking(true).and_then(|()| stream.write_all(&frame)));
    }

    pub(super) fn resume(&mut self, folder: &Path, from: u64) -> std::io::Result<()> {
        self.state = State::CatchingUp(Reader::open(folder, from)?);
        Ok(())
    }

    pub(super) fn has_resumed(&self) -> bool {
        !matches!(self.state, State::Silent)
    }

    pub(super) fn is_live(&self) -> bool {
        matches!(self.state, State::Live)
    }

    /// Whether more of the agent's output can be taken for it.
    pub(super) fn has_room(&self) -> bool {
        match self.state {
            State::Silent | State::Behind { .. } => true,
            State::CatchingUp(_) => false,
            State::Live => self.waiting() < WAITING_BYTES,
        }
    }

    pub(super) fn waiting(&self) -> usize {
        self.outgoing.len() - self.sent
    }

    /// Queues a word, whatever state the connection is in.
    pub(super) fn put(&mut self, told: &Told) {
        told.put(&mut self.outgoing);
    }

    pub(super) fn put_output(&mut self, stream: Stream, offset: u64, bytes: &[u8]) {
        put_output(&mut self.outgoing, stream, offset, bytes);
    }

    /// Queues more of what it missed. `true` in the moment in which it has caught up.
    pub(super) fn catch_up(&mut self, folder: &Path, log: &OutputLog) -> std::io::Result<bool> {
        if let State::Behind { from } = self.state
            && self.waiting() == 0
        {
            self.resume(folder, from)?;
        }
        while self.waiting() < WAITING_BYTES {
            let State::CatchingUp(reader) = &mut self.state else {
                return Ok(false);
            };
            match reader.next_piece()? {
                Some(Piece::Output { stream, offset, bytes }) => self.put_output(stream, offset, &bytes),
                Some(Piece::Missed { from, to }) => self.put(&Told::Missed { from, to }),
                None => {
                    let place = reader.place();
                    // Files that were begun since are found by opening anew, once; what then is still missing is not kept.
                    let mut again = Reader::open(folder, place)?;
                    match again.next_piece()? {
                        Some(_) => self.state = State::CatchingUp(Reader::open(folder, place)?),
                        None => {
                            if place < log.offset() {
                                self.put(&Told::Missed { from: place, to: log.offset() });
                            }
                            self.state = State::Live;
                            return Ok(true);
                        }
                    }
                }
            }
        }
        Ok(false)
    }

    /// Sends what the host takes now.
    pub(super) fn send(&mut self, now: i64) -> Line {
        while self.waiting() > 0 {
            match self.stream.write(&self.outgoing[self.sent..]) {
                Ok(0) => return Line::Gone,
                Ok(sent) => {
                    self.sent += sent;
                    self.blocked_since = None;
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    self.blocked_since.get_or_insert(now);
                    return Line::Stands;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return Line::Gone,
            }
        }
        self.outgoing.clear();
        self.outgoing.shrink_to(WAITING_BYTES);
        self.sent = 0;
        Line::Stands
    }

    /// Takes what the host has sent.
    pub(super) fn receive(&mut self, buffer: &mut [u8]) -> Line {
        match self.stream.read(buffer) {
            Ok(0) => Line::Gone,
            Ok(read) => {
                self.incoming.push(&buffer[..read]);
                Line::Stands
            }
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => Line::Stands,
            Err(_) => Line::Gone,
        }
    }

    /// The next thing that it asks.
    pub(super) fn next(&mut self) -> Result<Option<Asked>, Line> {
        match self.incoming.next() {
            Ok(None) => Ok(None),
            Ok(Some(frame)) => Asked::read(frame).map(Some).ok_or(Line::Gone),
            Err(_) => Err(Line::Gone),
        }
    }

    /// When to go on without it, if nothing moves until then.
    pub(super) fn patience_ends(&self, stall_ms: u64) -> Option<i64> {
        match self.state {
            State::Silent => Some(self.came_at + FIRST_WORD_MS),
            State::CatchingUp(_) | State::Live => self.blocked_since.map(|since| later(since, stall_ms)),
            State::Behind { .. } => None,
        }
    }

    /// The patience has ended. A host that has not said what it wants is gone; another one is only left behind, since what it
    /// asks must still be heard.
    pub(super) fn leave_behind(&mut self, log: &OutputLog) -> Line {
        let from = match &self.state {
            State::Silent => return Line::Gone,
            State::CatchingUp(reader) => reader.place(),
            State::Live => log.offset(),
            State::Behind { from } => *from,
        };
        self.state = State::Behind { from };
        Line::Stands
    }

    /// Sends all that waits. Part of the last thing a keeper does.
    pub(super) fn send_all(&mut self) -> std::io::Result<()> {
        self.stream.set_nonblocking(false)?;
        self.stream.set_write_timeout(Some(LAST_WORDS))?;
        let sent = std::mem::take(&mut self.sent);
        let outgoing = std::mem::take(&mut self.outgoing);
        self.stream.write_all(&outgoing[sent..])
    }
}

impl AsFd for HostLine {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.stream.as_fd()
    }
}
