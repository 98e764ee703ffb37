//! The keeper: one small process for each run, between the host and the agent. It outlives the host, so that the host may
//! crash or be replaced without harm to the run; it is the agent's parent and takes over whatever the agent leaves behind,
//! so that a run can be ended for certain; and it is the only one who hears the agent, so that nothing said is missed.
//!
//! One thread does it all, in one loop; it never waits for the agent or for the host. A second one only tells it that a
//! child has ended. If the keeper is killed, the system kills the agent, and the host ends the rest.

mod beginning;
mod ending;
mod host_line;
mod reaping;

use std::io::{Read as _, Write as _};
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use super::folder::{self, Record};
use super::frames::{Asked, Exit, Incoming, Step, Told, Why};
use super::order::{Order, Polite};
use super::output_log::{OutputLog, PIECE_BYTES, Stream};
use super::processes::{self, Identity, Process};
use crate::clock;
use beginning::{Begun, NotBegun};
use ending::{Ending, Family, later};
use host_line::{HostLine, Line};
use reaping::Reaper;

/// How long the order may take to come.
const ORDER_PATIENCE: Duration = Duration::from_secs(10);
/// A host that sends more input than this, though the agent does not read it, is not one of ours.
const MAX_STDIN_BYTES: usize = 16 * 1_024 * 1_024;

/// What `augment-cli keep` does. With `agent` it is the process that becomes the agent.
#[must_use]
pub fn main(role: Option<&std::ffi::OsStr>) -> ExitCode {
    if role.is_some_and(|role| role == "agent") {
        return beginning::become_agent();
    }
    match keep() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&format!("The keeper of a run gave up: {error}. It is started by the host, not by hand."));
            ExitCode::FAILURE
        }
    }
}

/// Leaves a line in the run's folder, which is where a keeper's standard error leads.
fn complain(line: &str) {
    drop(writeln!(std::io::stderr(), "{line}"));
}

/// Closes what whoever started the host, an editor for one, has left open by mistake. Here it would stay open as long as the
/// run, and the agent would get it. Call first, when nothing here has opened anything yet.
fn close_inherited() -> std::io::Result<()> {
    let entries: Vec<_> = std::fs::read_dir("/proc/self/fd")?.flatten().map(|entry| entry.file_name()).collect();
    let numbers = entries.iter().filter_map(|name| name.to_str()?.parse::<i32>().ok());
    for number in numbers.filter(|number| *number > 2) {
        // The one that the list was read with is among them, and closed by now.
        nix::unistd::close(number).ok();
    }
    Ok(())
}

fn keep() -> std::io::Result<()> {
    close_inherited()?;
    // A session of its own: no terminal and no editor takes it along. It is a leader already if it was started by hand.
    rustix::process::setsid().ok();
    let mut stream = UnixStream::from(rustix::stdio::stdin().try_clone_to_owned()?);
    rustix::stdio::dup2_stdin(std::fs::File::open("/dev/null")?)?;
    stream.set_read_timeout(Some(ORDER_PATIENCE))?;
    let packed = read_order(&mut stream)?;
    stream.set_read_timeout(None)?;
    let (order, mark) = Order::unpack(&packed).ok_or_else(|| std::io::Error::other("the order makes no sense"))?;
    match Keeper::begin(order, mark, stream.try_clone()?) {
        Ok(mut keeper) => {
            keeper.run();
            Ok(())
        }
        Err(NotBegun { step, errno, text }) => {
            let mut frame = Vec::new();
            Told::NotStarted { step, errno, text }.put(&mut frame);
            stream.write_all(&frame)
        }
    }
}

/// Reads the order, and not a byte more.
fn read_order(stream: &mut UnixStream) -> std::io::Result<Vec<u8>> {
    let nonsense = || std::io::Error::other("what came is no order");
    let mut length = [0; 4];
    stream.read_exact(&mut length)?;
    let content = u32::from_le_bytes(length) as usize;
    if content > super::frames::MAX_FRAME_BYTES {
        return Err(nonsense());
    }
    let mut frame = length.to_vec();
    frame.resize(length.len() + content, 0);
    stream.read_exact(&mut frame[length.len()..])?;
    let mut incoming = Incoming::default();
    incoming.push(&frame);
    let asked = incoming.next().ok().flatten().and_then(Asked::read);
    match asked {
        Some(Asked::Order(order)) => Ok(order),
        Some(Asked::Resume { .. } | Asked::Stdin(_) | Asked::CloseStdin | Asked::Stop { .. } | Asked::Kill) | None => {
            Err(nonsense())
        }
    }
}

/// The agent's input: what waits to be taken.
struct Input {
    pipe: Option<OwnedFd>,
    waiting: Vec<u8>,
    /// How much of `waiting` the agent has already.
    written: usize,
    taken: u64,
    close_when_written: bool,
}

struct Keeper {
    order: Order,
    folder: PathBuf,
    record: Record,
    log: OutputLog,
    listener: UnixListener,
    host: Option<HostLine>,
    /// Since when there is no host.
    alone_since: Option<i64>,
    reaper: Reaper,
    family: Family,
    agent: u32,
    input: Input,
    stdout: Option<OwnedFd>,
    stderr: Option<OwnedFd>,
    started_at: i64,
    ending: Option<Ending>,
    stuck: Option<Vec<u32>>,
    empty: bool,
    buffer: Vec<u8>,
}

/// What has something for us.
#[derive(Default)]
struct Ready {
    reaper: bool,
    listener: bool,
    host: bool,
    stdin: bool,
    stdout: bool,
    stderr: bool,
}

impl Keeper {
    fn begin(order: Order, mark: String, host: UnixStream) -> Result<Self, NotBegun> {
        let in_folder = |error: std::io::Error| NotBegun::at(Step::Folder, &error);
        let folder = order.folder.clone();
        // Before there is an agent: what it starts and leaves comes to us.
        rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
        let listener = folder::listen(&folder).map_err(in_folder)?;
        listener.set_nonblocking(true).map_err(in_folder)?;
        let log = OutputLog::create(&folder).map_err(in_folder)?;
        let keeper = Some(Identity::own()?);
        let mut record = Record { boot: clock::boot().0.clone(), mark, keeper, ..Record::default() };
        record.write(&folder).map_err(in_folder)?;
        let Begun { pid, stdin, stdout, stderr, unconfined } = beginning::begin(&order, &record.mark)?;
        let now = clock::steady().0;
        record.agent = Process::read(pid).map(|process| process.identity);
        record.write(&folder).map_err(in_folder)?;
        for pipe in [&stdin, &stdout, &stderr] {
            rustix::io::ioctl_fionbio(pipe, true)?;
        }
        let mut host = HostLine::first(host, Incoming::default(), now)?;
        host.put(&Told::Started { pid });
        if let Some(reason) = unconfined {
            host.put(&Told::Unconfined { reason });
        }
        let input = Input { pipe: Some(stdin), waiting: Vec::new(), written: 0, taken: 0, close_when_written: false };
        Ok(Self {
            order,
            folder,
            record,
            log,
            listener,
            host: Some(host),
            alone_since: None,
            reaper: Reaper::start()?,
            family: Family::new(pid),
            agent: pid,
            input,
            stdout: Some(stdout),
            stderr: Some(stderr),
            started_at: now,
            ending: None,
            stuck: None,
            empty: false,
            buffer: vec![0; PIECE_BYTES],
        })
    }

    fn run(&mut self) {
        while !self.empty {
            self.serve_host();
            let ready = self.wait();
            if ready.reaper {
                self.reap();
            }
            if ready.host {
                self.hear();
            }
            if ready.listener {
                self.let_in();
            }
            if ready.stdin {
                self.feed();
            }
            for (is_ready, stream) in [(ready.stdout, Stream::Stdout), (ready.stderr, Stream::Stderr)] {
                if is_ready {
                    self.listen_to_agent(stream);
                }
            }
            self.do_what_is_due();
        }
        self.finish();
    }

    /// Waits until something comes or something is due.
    fn wait(&self) -> Ready {
        let mut fds = vec![PollFd::new(&self.reaper, PollFlags::IN), PollFd::new(&self.listener, PollFlags::IN)];
        let mut places: Vec<fn(&mut Ready) -> &mut bool> = vec![|ready| &mut ready.reaper, |ready| &mut ready.listener];
        if let Some(host) = &self.host {
            let out = if host.waiting() > 0 { PollFlags::OUT } else { PollFlags::empty() };
            fds.push(PollFd::new(host, PollFlags::IN | out));
            places.push(|ready| &mut ready.host);
        }
        if let Some(pipe) = self.input.pipe.as_ref().filter(|_| self.input.has_waiting()) {
            fds.push(PollFd::new(pipe, PollFlags::OUT));
            places.push(|ready| &mut ready.stdin);
        }
        // Without a host the log takes all; with one, the agent waits for it.
        if self.host.as_ref().is_none_or(HostLine::has_room) {
            if let Some(pipe) = &self.stdout {
                fds.push(PollFd::new(pipe, PollFlags::IN));
                places.push(|ready| &mut ready.stdout);
            }
            if let Some(pipe) = &self.stderr {
                fds.push(PollFd::new(pipe, PollFlags::IN));
                places.push(|ready| &mut ready.stderr);
            }
        }
        let mut ready = Ready::default();
        match poll(&mut fds, self.patience().as_ref()) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => complain(&format!("Waiting failed: {error}.")),
        }
        for (fd, place) in fds.iter().zip(places) {
            *place(&mut ready) = !fd.revents().is_empty();
        }
        ready
    }

    /// How long until something is due.
    fn patience(&self) -> Option<Timespec> {
        let time_limit = self.order.time_limit_ms.filter(|_| self.ending.is_none());
        let adoption = self.alone_since.filter(|_| self.ending.is_none());
        let due = [
            time_limit.map(|limit| later(self.started_at, limit)),
            adoption.map(|since| later(since, self.order.adopt_ms)),
            self.ending.as_ref().map(Ending::next_step),
            self.host.as_ref().and_then(|host| host.patience_ends(self.order.stall_ms)),
        ];
        let wait_ms = due.into_iter().flatten().min()?.saturating_sub(clock::steady().0).max(0);
        Some(Timespec { tv_sec: wait_ms / 1_000, tv_nsec: (wait_ms % 1_000) * 1_000_000 })
    }

    fn do_what_is_due(&mut self) {
        let now = clock::steady().0;
        if let Some(host) = &mut self.host
            && host.patience_ends(self.order.stall_ms).is_some_and(|end| now >= end)
            && host.leave_behind(&self.log) == Line::Gone
        {
            self.lose_host();
        }
        if self.ending.is_none() {
            if self.order.time_limit_ms.is_some_and(|limit| now >= later(self.started_at, limit)) {
                self.end(Why::TimedOut, self.order.grace_ms);
            } else if self.alone_since.is_some_and(|since| now >= later(since, self.order.adopt_ms)) {
                self.end(Why::Unadopted, self.order.grace_ms);
            }
        }
        if let Some(ending) = &mut self.ending
            && let Some(pids) = ending.go_on(now, &mut self.family)
        {
            self.stuck = Some(pids.clone());
            self.tell(&Told::Stuck { pids });
        }
    }

    fn reap(&mut self) {
        let reaped = self.reaper.reap();
        if let Some(ending) = &mut self.ending {
            ending.look_again(clock::steady().0);
        }
        self.empty = reaped.empty;
        if let Some((_, exit)) = reaped.exits.iter().find(|(pid, _)| *pid == self.agent) {
            self.agent_exited(*exit);
        }
    }

    fn agent_exited(&mut self, exit: Exit) {
        self.family.agent_was_reaped();
        self.record.exit = Some(exit);
        self.write_record();
        self.tell(&Told::Exited(exit));
        if !self.empty {
            self.end(Why::AgentExited, self.order.linger_ms);
        }
    }

    /// Begins to end the run, or hurries an ending that has begun.
    fn end(&mut self, why: Why, grace_ms: u64) {
        let now = clock::steady().0;
        if let Some(ending) = &mut self.ending {
            ending.hurry(now, grace_ms);
            if why == Why::AgentExited && grace_ms > 0 && ending.is_polite() {
                // Those outside the agent's group, or born since, have not been asked yet.
                self.family.ask_to_leave();
            }
            return;
        }
        self.record.ending = Some(why);
        self.write_record();
        self.tell(&Told::Ending(why));
        if grace_ms > 0 {
            match (why, self.order.polite) {
                (Why::AgentExited, _) | (_, Polite::Terminate) => self.family.ask_to_leave(),
                (Why::Asked | Why::TimedOut | Why::Unadopted, Polite::CloseStdin) => self.input.close(),
            }
        }
        self.ending = Some(Ending::new(now, grace_ms));
    }

    fn write_record(&self) {
        if let Err(error) = self.record.write(&self.folder) {
            complain(&format!("The record of the run cannot be written: {error}."));
        }
    }

    /// Tells the host. One that is catching up is told all at its end.
    fn tell(&mut self, told: &Told) {
        if let Some(host) = self.host.as_mut().filter(|host| host.is_live()) {
            host.put(told);
        }
    }

    /// Sends what waits, and what a host that came later has missed.
    fn serve_host(&mut self) {
        let now = clock::steady().0;
        while let Some(host) = &mut self.host {
            let caught_up = match host.catch_up(&self.folder, &self.log) {
                Ok(caught_up) => caught_up,
                Err(error) => {
                    complain(&format!("The log cannot be read: {error}."));
                    return self.lose_host();
                }
            };
            if caught_up {
                self.tell_state();
            }
            let Some(host) = &mut self.host else { return };
            if host.send(now) == Line::Gone {
                return self.lose_host();
            }
            // One that is behind and has taken all goes on catching up at once.
            if host.waiting() > 0 || host.is_live() || !host.has_resumed() {
                return;
            }
        }
    }

    /// What has happened besides output, for a host that was not there or did not listen.
    fn tell_state(&mut self) {
        let ending = self.record.ending.map(Told::Ending);
        let exit = self.record.exit.map(Told::Exited);
        let stuck = self.stuck.clone().map(|pids| Told::Stuck { pids });
        [Some(self.input.told()), ending, exit, stuck].into_iter().flatten().for_each(|told| self.tell(&told));
    }

    fn lose_host(&mut self) {
        if self.host.take().is_some_and(|host| host.has_resumed()) {
            self.alone_since = Some(clock::steady().0);
        }
    }

    /// A connection comes in. Only this user's, and nothing that the agent started: that could order itself about.
    fn let_in(&mut self) {
        let Ok((stream, _)) = self.listener.accept() else { return };
        let Ok(peer) = rustix::net::sockopt::socket_peercred(&stream) else { return };
        let pid = peer.pid.as_raw_nonzero().get().unsigned_abs();
        if peer.uid != rustix::process::getuid() || processes::descends_from(pid, std::process::id()) {
            return;
        }
        if self.host.is_some() {
            return HostLine::refuse(stream);
        }
        match HostLine::later(stream, clock::steady().0) {
            Ok(host) => self.host = Some(host),
            Err(error) => complain(&format!("A host cannot be let in: {error}.")),
        }
    }

    fn hear(&mut self) {
        let Some(host) = &mut self.host else { return };
        if host.receive(&mut self.buffer) == Line::Gone {
            return self.lose_host();
        }
        while let Some(host) = &mut self.host {
            match host.next() {
                Ok(Some(asked)) => self.obey(asked),
                Ok(None) => return,
                Err(_) => return self.lose_host(),
            }
        }
    }

    fn obey(&mut self, asked: Asked) {
        let Some(host) = &mut self.host else { return };
        match asked {
            Asked::Resume { from } if !host.has_resumed() => {
                host.put(&Told::Started { pid: self.agent });
                host.put(&self.input.told());
                match host.resume(&self.folder, from) {
                    Ok(()) => self.alone_since = None,
                    Err(error) => {
                        complain(&format!("The log cannot be read: {error}."));
                        self.lose_host();
                    }
                }
            }
            Asked::Stdin(bytes) if host.has_resumed() => {
                if self.input.waiting.len() > MAX_STDIN_BYTES {
                    return self.lose_host();
                }
                self.input.waiting.extend_from_slice(&bytes);
                self.feed();
            }
            Asked::CloseStdin if host.has_resumed() => {
                self.input.close_when_written = true;
                self.feed();
            }
            Asked::Stop { grace_ms } if host.has_resumed() => self.end(Why::Asked, grace_ms),
            Asked::Kill if host.has_resumed() => self.end(Why::Asked, 0),
            Asked::Order(_)
            | Asked::Resume { .. }
            | Asked::Stdin(_)
            | Asked::CloseStdin
            | Asked::Stop { .. }
            | Asked::Kill => self.lose_host(),
        }
    }

    /// Gives the agent of its input what it takes, and tells the host how much that is.
    fn feed(&mut self) {
        let before = self.input.taken;
        self.input.write();
        if self.input.taken != before {
            self.tell(&self.input.told());
        }
    }

    /// Takes one piece of what the agent says.
    fn listen_to_agent(&mut self, stream: Stream) -> Heard {
        let pipe = match stream {
            Stream::Stdout => &mut self.stdout,
            Stream::Stderr => &mut self.stderr,
        };
        let Some(open) = pipe else { return Heard::End };
        let read = match rustix::io::read(open.as_fd(), &mut self.buffer) {
            Ok(0) => {
                *pipe = None;
                return Heard::End;
            }
            Ok(read) => read,
            Err(Errno::AGAIN) => return Heard::NothingNow,
            Err(Errno::INTR) => return Heard::Something,
            Err(error) => {
                complain(&format!("The agent's output cannot be read: {error}."));
                *pipe = None;
                return Heard::End;
            }
        };
        let offset = self.log.append(stream, &self.buffer[..read]);
        if let Some(error) = self.log.take_trouble() {
            complain(&format!("Output at {offset} could not be kept: {error}."));
        }
        if let Some(host) = self.host.as_mut().filter(|host| host.is_live()) {
            host.put_output(stream, offset, &self.buffer[..read]);
        }
        Heard::Something
    }

    /// Nothing of the run lives: hear the last of it, write it down, tell it, and leave.
    fn finish(&mut self) {
        for stream in [Stream::Stdout, Stream::Stderr] {
            while self.listen_to_agent(stream) == Heard::Something {}
        }
        let killed = self.family.killed();
        let resources = reaping::resources();
        self.record.empty = Some(killed);
        self.record.resources = resources;
        self.write_record();
        while self.host.as_ref().is_some_and(|host| host.has_resumed()) {
            let Some(host) = &mut self.host else { return };
            match host.catch_up(&self.folder, &self.log) {
                Ok(true) => self.tell_state(),
                Ok(false) => {}
                Err(error) => return complain(&format!("The log cannot be read: {error}.")),
            }
            let Some(host) = &mut self.host else { return };
            let last = host.is_live();
            if last {
                host.put(&Told::Empty { killed, resources });
            }
            if host.send_all().is_err() || last {
                return;
            }
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Heard {
    Something,
    NothingNow,
    End,
}

impl Input {
    fn has_waiting(&self) -> bool {
        self.written < self.waiting.len()
    }

    fn told(&self) -> Told {
        Told::Taken { total: self.taken, queued: (self.waiting.len() - self.written) as u64 }
    }

    /// Writes until the agent takes no more. What an agent that has closed its input does not want counts as taken.
    fn write(&mut self) {
        while self.has_waiting() {
            let Some(pipe) = &self.pipe else {
                self.taken += (self.waiting.len() - self.written) as u64;
                self.written = self.waiting.len();
                break;
            };
            match rustix::io::write(pipe, &self.waiting[self.written..]) {
                Ok(written) => {
                    self.written += written;
                    self.taken += written as u64;
                }
                Err(Errno::AGAIN) => break,
                Err(Errno::INTR) => {}
                Err(_) => self.pipe = None,
            }
        }
        if !self.has_waiting() {
            self.waiting.clear();
            self.waiting.shrink_to(PIECE_BYTES);
            self.written = 0;
            if self.close_when_written {
                self.pipe = None;
            }
        } else if self.written > PIECE_BYTES * 4 {
            self.waiting.drain(..self.written);
            self.written = 0;
        }
    }

    /// The end of input, now.
    fn close(&mut self) {
        self.pipe = None;
        self.write();
    }
}
