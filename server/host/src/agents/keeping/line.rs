//! The host's end of the connection to a keeper. Whoever asks something writes it into the socket right there; what the
//! socket does not take at once waits here and goes when the run's thread is told that there is room.

use std::io::{ErrorKind, Read as _, Write as _};
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustix::event::{EventfdFlags, PollFd, PollFlags, eventfd, poll};

use super::{Identity, KeepingError, folder};
use crate::agents::frames::{Asked, Incoming, STDIN_FRAME_BYTES, Told};

/// So much input may wait for an agent that does not read it.
const MAX_UNREAD_BYTES: u64 = 4 * 1_024 * 1_024;
/// The most input at once. A keeper takes some more than this and than what may wait.
pub const MAX_INPUT_BYTES: u64 = 12 * 1_024 * 1_024;
/// How long a keeper may take for its first word; it answers in microseconds unless it is stopped.
const FIRST_WORD: Duration = Duration::from_secs(5);

#[derive(Debug)]
pub(super) struct Line {
    state: Mutex<State>,
    /// Wakes the run's thread.
    wake: OwnedFd,
    detached: AtomicBool,
}

#[derive(Debug)]
struct State {
    /// `None` when the run is over.
    stream: Option<UnixStream>,
    waiting: Vec<u8>,
    /// Input for the agent: how much was given, and how much it has taken, counted from the run's start.
    given: u64,
    taken: u64,
}

/// Why a keeper could not be reached.
pub(super) enum ReachError {
    Busy,
    Failed(std::io::Error),
}

impl From<std::io::Error> for ReachError {
    fn from(error: std::io::Error) -> Self {
        Self::Failed(error)
    }
}

/// Connects to a keeper, and makes sure that it is the one that is meant. What it says first comes along.
pub(super) fn reach(folder: &Path, keeper: Identity, from: u64) -> Result<(Line, Incoming), ReachError> {
    let mut stream = folder::connect(folder)?;
    let peer = rustix::net::sockopt::socket_peercred(&stream).map_err(std::io::Error::from)?;
    let stranger = peer.uid != rustix::process::getuid()
        || peer.pid.as_raw_nonzero().get().unsigned_abs() != keeper.pid
        || !keeper.is_there();
    if stranger {
        return Err(std::io::Error::other("somebody else listens on its socket").into());
    }
    let mut frame = Vec::new();
    Asked::Resume { from }.put(&mut frame);
    // A busy keeper closes at once; what it said before is still there to be read.
    let sent = stream.write_all(&frame);
    match (first_words(&mut stream), sent) {
        (Err(ReachError::Busy), _) => Err(ReachError::Busy),
        (_, Err(error)) | (Err(ReachError::Failed(error)), Ok(())) => Err(error.into()),
        (Ok(incoming), Ok(())) => Ok((Line::new(stream)?, incoming)),
    }
}

/// Waits for the first frame and looks at it, so that a busy keeper is known before anything is promised.
fn first_words(stream: &mut UnixStream) -> Result<Incoming, ReachError> {
    stream.set_read_timeout(Some(FIRST_WORD))?;
    let mut bytes = Vec::new();
    let mut buffer = [0; 4_096];
    loop {
        let read = stream.read(&mut buffer)?;
        if read == 0 {
            return Err(std::io::Error::from(ErrorKind::UnexpectedEof).into());
        }
        bytes.extend_from_slice(&buffer[..read]);
        let mut incoming = Incoming::default();
        incoming.push(&bytes);
        match incoming.next() {
            Ok(None) => {}
            Ok(Some(frame)) if Told::read(frame) == Some(Told::Busy) => return Err(ReachError::Busy),
            Ok(Some(_)) => break,
            Err(_) => return Err(std::io::Error::from(ErrorKind::InvalidData).into()),
        }
    }
    stream.set_read_timeout(None)?;
    let mut incoming = Incoming::default();
    incoming.push(&bytes);
    Ok(incoming)
}

/// What the run's thread was woken for.
pub(super) struct Woken {
    pub(super) readable: bool,
    pub(super) detached: bool,
}

impl Line {
    pub(super) fn new(stream: UnixStream) -> std::io::Result<Self> {
        stream.set_nonblocking(true)?;
        let state = State { stream: Some(stream), waiting: Vec::new(), given: 0, taken: 0 };
        let wake = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?;
        Ok(Self { state: Mutex::new(state), wake, detached: AtomicBool::new(false) })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing that is done under the lock can leave it half done.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives the agent input, if there is room for it.
    pub(super) fn give(&self, bytes: &[u8]) -> Result<(), KeepingError> {
        let length = bytes.len() as u64;
        if length > MAX_INPUT_BYTES {
            return Err(KeepingError::TooLarge { bytes: length });
        }
        let mut state = self.state();
        let unread = state.given - state.taken;
        // One large prompt passes when nothing else waits.
        if unread > 0 && unread + length > MAX_UNREAD_BYTES && state.stream.is_some() {
            return Err(KeepingError::Full { waiting: unread });
        }
        state.given += length;
        self.ask_all(state, bytes.chunks(STDIN_FRAME_BYTES).map(|part| Asked::Stdin(part.to_vec())))
    }

    pub(super) fn taken(&self, total: u64, queued: u64) {
        let mut state = self.state();
        state.taken = total;
        // A host that came later learns here what an earlier one has given.
        state.given = state.given.max(total + queued);
    }

    pub(super) fn ask(&self, asked: &Asked) -> Result<(), KeepingError> {
        self.ask_all(self.state(), std::iter::once(asked.clone()))
    }

    fn ask_all(&self, mut state: MutexGuard<'_, State>, all: impl Iterator<Item = Asked>) -> Result<(), KeepingError> {
        if state.stream.is_none() {
            return Err(KeepingError::Gone);
        }
        for asked in all {
            asked.put(&mut state.waiting);
        }
        state.send();
        let blocked = !state.waiting.is_empty();
        drop(state);
        if blocked {
            self.wake();
        }
        Ok(())
    }

    fn wake(&self) {
        // It only fails when the counter is full, and then the thread is awake.
        rustix::io::write(&self.wake, &1_u64.to_ne_bytes()).ok();
    }

    pub(super) fn detach(&self) {
        self.detached.store(true, Ordering::Release);
        self.close();
        self.wake();
    }

    /// No more can be asked.
    pub(super) fn close(&self) {
        if let Some(stream) = self.state().stream.take() {
            // The thread has a handle of its own; this reaches it too. It fails when the other side was quicker.
            stream.shutdown(std::net::Shutdown::Both).ok();
        }
    }

    /// A handle for reading.
    pub(super) fn reader(&self) -> std::io::Result<UnixStream> {
        match &self.state().stream {
            Some(stream) => stream.try_clone(),
            None => Err(ErrorKind::NotConnected.into()),
        }
    }

    /// Waits until the keeper has said something, sending what waits meanwhile.
    pub(super) fn wait(&self, stream: &UnixStream) -> Woken {
        loop {
            let out = if self.state().waiting.is_empty() { PollFlags::empty() } else { PollFlags::OUT };
            let mut fds =
                [PollFd::new(stream, PollFlags::IN | out), PollFd::from_borrowed_fd(self.wake.as_fd(), PollFlags::IN)];
            let polled = poll(&mut fds, None);
            let [stream_has, wake_has] = fds.each_ref().map(PollFd::revents);
            if wake_has.contains(PollFlags::IN) {
                rustix::io::read(&self.wake, &mut [0_u8; 8]).ok();
            }
            if self.detached.load(Ordering::Acquire) {
                return Woken { readable: false, detached: true };
            }
            if stream_has.contains(PollFlags::OUT) {
                self.state().send();
            }
            let broken = polled.is_err_and(|error| error != rustix::io::Errno::INTR);
            if broken || stream_has.intersects(PollFlags::IN | PollFlags::HUP | PollFlags::ERR) {
                return Woken { readable: true, detached: false };
            }
        }
    }
}

impl State {
    /// Sends what the socket takes now. A broken one shows when the thread reads from it.
    fn send(&mut self) {
        let Some(stream) = &mut self.stream else { return };
        let mut sent = 0;
        while sent < self.waiting.len() {
            match stream.write(&self.waiting[sent..]) {
                Ok(0) => break,
                Ok(written) => sent += written,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(_) => {
                    self.waiting.clear();
                    return;
                }
            }
        }
        self.waiting.drain(..sent);
        self.waiting.shrink_to(64 * 1_024);
    }
}
