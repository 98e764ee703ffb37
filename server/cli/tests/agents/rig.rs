//! What the tests share: a place for a run, an order for a shell, and the events as they come.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use augment_core::run::Resources;
use augment_host::agents::keeping::{self, Event, KeeperProgram, Keeping, Sink};
use augment_host::agents::order::Order;
use augment_host::agents::output_log::Stream;
use augment_host::agents::processes::{Identity, Process};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open};

/// Far more than anything takes, also a gigabyte on a machine that does much else; only a failure waits this long.
pub(crate) const PATIENCE: Duration = Duration::from_secs(300);
/// Longer than any test waits: for the times after which a keeper acts by itself. Where that is what a test is about, it sets
/// a short one.
const NEVER_MS: u64 = 900_000;
/// Tells this test program, started once more, what to be instead of a test.
pub(crate) const ROLE: &str = "AUGMENT_TEST_ROLE";
pub(crate) const FOLDER: &str = "AUGMENT_TEST_FOLDER";
pub(crate) const SCRIPT: &str = "AUGMENT_TEST_SCRIPT";

/// A place for one run.
pub(crate) struct Place {
    _root: tempfile::TempDir,
    pub(crate) folder: PathBuf,
    pub(crate) cwd: PathBuf,
}

impl Place {
    pub(crate) fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        let cwd = root.path().join("work");
        std::fs::create_dir(&cwd).unwrap();
        Self { folder: root.path().join("run"), cwd, _root: root }
    }

    /// An order for a shell script. On a busy machine something that is as good as dead may take longer than the usual times
    /// to get its turn; it must not be killed for that, nor a host be left behind.
    pub(crate) fn shell(&self, script: &str) -> Order {
        let mut order = Order::new("a1.1", self.folder.clone(), "sh".into(), self.cwd.clone());
        order.arguments = vec!["-c".into(), script.into()];
        order.environment = vec![("PATH".into(), std::env::var_os("PATH").unwrap())];
        (order.grace_ms, order.linger_ms) = (NEVER_MS, NEVER_MS);
        (order.adopt_ms, order.stall_ms) = (NEVER_MS, NEVER_MS);
        order
    }

    /// An order for this program in a role.
    pub(crate) fn role(&self, role: &str) -> Order {
        let mut order = self.shell("");
        order.program = std::env::current_exe().unwrap();
        order.arguments = role_arguments(role).map(Into::into).to_vec();
        order.environment.push((ROLE.into(), role.into()));
        order.environment.push((FOLDER.into(), self.folder.clone().into()));
        order
    }

    /// A file that the keeper begins anew while this looks has no length here; a new one is short.
    pub(crate) fn on_disk(&self) -> u64 {
        let lengths = std::fs::read_dir(&self.folder).unwrap().map(|entry| match entry.unwrap().metadata() {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => 0,
            found => found.unwrap().len(),
        });
        lengths.sum()
    }
}

pub(crate) fn role_arguments(role: &str) -> [&str; 4] {
    [role, "--exact", "--nocapture", "--test-threads=1"]
}

pub(crate) fn keeper_program() -> KeeperProgram {
    KeeperProgram { program: env!("CARGO_BIN_EXE_augment-cli").into(), arguments: vec!["keep".into()] }
}

/// The events of a run as they come.
pub(crate) struct Events {
    receiver: Receiver<Event>,
    /// All that was said on both streams so far.
    pub(crate) said: String,
    /// What the run used; told with its end, and kept apart here because no two runs use the same.
    pub(crate) resources: Option<Resources>,
}

pub(crate) fn sink() -> (Sink, Events) {
    let (sender, receiver) = channel();
    let sink = Box::new(move |event| drop(sender.send(event)));
    (sink, Events { receiver, said: String::new(), resources: None })
}

pub(crate) fn start(order: Order) -> (Keeping, Events) {
    let (sink, events) = sink();
    (keeping::start(&keeper_program(), order, sink).unwrap(), events)
}

impl Events {
    pub(crate) fn next(&mut self) -> Event {
        let mut event =
            self.receiver.recv_timeout(PATIENCE).unwrap_or_else(|error| panic!("{error}, after {:?}", self.said));
        if let Event::Output { bytes, .. } = &event {
            self.said.push_str(&String::from_utf8_lossy(bytes));
        }
        if let Event::Empty { resources, .. } = &mut event {
            self.resources = resources.take();
        }
        event
    }

    /// Waits until a whole line was said, and returns it.
    pub(crate) fn line(&mut self) -> String {
        loop {
            if let Some((line, rest)) = self.said.split_once('\n') {
                let line = line.to_owned();
                self.said = rest.to_owned();
                return line;
            }
            self.next();
        }
    }

    /// A line that is the number of a process.
    pub(crate) fn process(&mut self) -> Identity {
        let pid = self.line().trim().parse().unwrap();
        Process::read(pid).unwrap().identity
    }

    /// Waits until a script has said that it is ready.
    pub(crate) fn ready(&mut self) {
        while self.line() != "ready" {}
    }

    /// All events until the last one, without output.
    pub(crate) fn rest(&mut self) -> Vec<Event> {
        let mut rest = Vec::new();
        loop {
            let event = self.next();
            let last = matches!(event, Event::Empty { .. } | Event::Lost { .. });
            if !matches!(event, Event::Output { .. }) {
                rest.push(event);
            }
            if last {
                return rest;
            }
        }
    }

    /// What comes until the last event: how many bytes, and all the rest.
    pub(crate) fn count(&mut self) -> (u64, Vec<Event>) {
        let (mut bytes_said, mut rest) = (0, Vec::new());
        loop {
            match self.receiver.recv_timeout(PATIENCE).unwrap() {
                Event::Output { bytes, .. } => bytes_said += bytes.len() as u64,
                Event::Empty { killed, resources } => {
                    self.resources = resources;
                    rest.push(empty(killed));
                    return (bytes_said, rest);
                }
                event @ Event::Lost { .. } => {
                    rest.push(event);
                    return (bytes_said, rest);
                }
                event => rest.push(event),
            }
        }
    }

    /// Nobody will say anything more.
    pub(crate) fn is_closed(&self) -> bool {
        self.receiver
            .recv_timeout(PATIENCE)
            .is_err_and(|error| error == std::sync::mpsc::RecvTimeoutError::Disconnected)
    }
}

pub(crate) fn output(stream: Stream, offset: u64, text: &str) -> Event {
    Event::Output { stream, offset, bytes: text.as_bytes().to_vec() }
}

/// The end of a run, as it comes out of [`Events`].
pub(crate) fn empty(killed: u64) -> Event {
    Event::Empty { killed, resources: None }
}

pub(crate) fn pid(identity: Identity) -> Pid {
    Pid::from_raw(identity.pid.cast_signed()).unwrap()
}

pub(crate) fn kill(identity: Identity, signal: Signal) {
    kill_process(pid(identity), signal).unwrap();
}

/// Waits for a process's end, and fails if it does not come.
pub(crate) fn assert_ends(identity: Identity) {
    let Ok(handle) = pidfd_open(pid(identity), PidfdFlags::empty()) else { return };
    if identity.is_there() {
        let timeout = Timespec { tv_sec: PATIENCE.as_secs().cast_signed(), tv_nsec: 0 };
        let polled = poll(&mut [PollFd::new(&handle, PollFlags::IN)], Some(&timeout)).unwrap();
        assert_eq!(polled, 1, "process {} goes on", identity.pid);
    }
}

/// It has ended, whether or not its parent has looked.
pub(crate) fn has_ended(identity: Identity) -> bool {
    Process::read(identity.pid).is_none_or(|process| process.identity != identity || process.ended)
}

/// A pipe with a name, by which a script tells that it has come to a certain place.
pub(crate) struct Signpost(PathBuf);

impl Signpost {
    pub(crate) fn new(place: &Place) -> Self {
        let path = place.cwd.join("signpost");
        rustix::fs::mknodat(rustix::fs::CWD, &path, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
        Self(path)
    }

    /// Waits until the script has written to it.
    pub(crate) fn wait(self) {
        let (sender, receiver) = channel();
        std::thread::spawn(move || sender.send(std::fs::read(&self.0).unwrap()).unwrap());
        receiver.recv_timeout(PATIENCE).expect("the script comes this far");
    }
}

/// The memory of a process, in KiB: the most it has used in all, and what it holds now besides its program.
pub(crate) fn memory(pid: u32) -> (u64, u64) {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let value = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        line.trim().trim_end_matches(" kB").parse().unwrap()
    };
    (value("VmHWM:"), value("RssAnon:"))
}

/// This test program once more, in a role; its lines of output.
pub(crate) struct Other {
    pub(crate) child: Child,
    lines: BufReader<std::process::ChildStdout>,
}

impl Other {
    pub(crate) fn start(role: &str, folder: &Path, script: &str) -> Self {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(role_arguments(role))
            .env(ROLE, role)
            .env(FOLDER, folder)
            .env(SCRIPT, script)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap());
        Self { child, lines }
    }

    /// The next line that begins so, without its beginning. The test harness says some of its own.
    pub(crate) fn line(&mut self, beginning: &str) -> String {
        loop {
            let mut line = String::new();
            assert_ne!(self.lines.read_line(&mut line).unwrap(), 0, "no line begins with {beginning}");
            if let Some((_, rest)) = line.split_once(beginning) {
                return rest.trim().to_owned();
            }
        }
    }
}

/// Whether this process is to play this role, and in which run's folder.
pub(crate) fn plays(role: &str) -> Option<PathBuf> {
    let is_meant = std::env::var_os(ROLE).is_some_and(|wanted| wanted == role);
    is_meant.then(|| std::env::var_os(FOLDER).unwrap().into())
}
