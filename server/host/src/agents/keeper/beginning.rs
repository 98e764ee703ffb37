//! How the agent comes to be. The keeper starts this program once more; that process makes itself what the agent shall be
//! (its own group, ended with its keeper, held to its folders) and then becomes the agent. It gets the order and the
//! agent's pipes over a socket that closes by itself in the moment the agent's program takes over, so the keeper knows
//! for certain whether it did.
//!
//! The detour is there because what a process does between its birth and its program can only be said in unsafe code;
//! here it is a whole program that is safe.

use std::convert::Infallible;
use std::io::{IoSlice, IoSliceMut, Read as _, Write as _};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::process::{Command, ExitCode, Stdio};

use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage, SendFlags,
};
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::Signal;

use crate::agents::confinement;
use crate::agents::frames::{Asked, Incoming, Step, Told};
use crate::agents::order::{Confinement, MARK_VARIABLE, Order, RUN_VARIABLE};

/// An agent that runs, with the keeper's ends of its pipes.
pub(super) struct Begun {
    pub(super) pid: u32,
    pub(super) stdin: OwnedFd,
    pub(super) stdout: OwnedFd,
    pub(super) stderr: OwnedFd,
    /// Why it is not held to its folders, if that was wanted.
    pub(super) unconfined: Option<String>,
}

/// Why there is no agent.
pub(super) struct NotBegun {
    pub(super) step: Step,
    pub(super) errno: i32,
    pub(super) text: String,
}

impl NotBegun {
    pub(super) fn at(step: Step, error: &std::io::Error) -> Self {
        Self { step, errno: error.raw_os_error().unwrap_or(0), text: error.to_string() }
    }
}

impl From<std::io::Error> for NotBegun {
    fn from(error: std::io::Error) -> Self {
        Self::at(Step::Program, &error)
    }
}

impl From<rustix::io::Errno> for NotBegun {
    fn from(error: rustix::io::Errno) -> Self {
        std::io::Error::from(error).into()
    }
}

/// Starts the agent. Call on the keeper's first thread only: the agent is ended when the thread that started it ends.
pub(super) fn begin(order: &Order, mark: &str) -> Result<Begun, NotBegun> {
    let (mut ours, theirs) = UnixStream::pair()?;
    let (agent_stdin, stdin) = pipe_with(PipeFlags::CLOEXEC)?;
    let (stdout, agent_stdout) = pipe_with(PipeFlags::CLOEXEC)?;
    let (stderr, agent_stderr) = pipe_with(PipeFlags::CLOEXEC)?;
    // Through /proc it is this very program, also when another one has taken its name meanwhile.
    let child = Command::new("/proc/self/exe")
        .arg0(crate::agents::processes::SHOWN_AS)
        .args(["keep", "agent"])
        .env_clear()
        .current_dir("/")
        .stdin(OwnedFd::from(theirs))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()?;
    hand_over(&ours, [agent_stdin, agent_stdout, agent_stderr])?;
    let mut frame = Vec::new();
    Asked::Order(order.pack(mark)).put(&mut frame);
    ours.write_all(&frame)?;
    let mut answer = Vec::new();
    ours.take(64 * 1_024).read_to_end(&mut answer)?;
    let mut incoming = Incoming::default();
    incoming.push(&answer);
    let mut unconfined = None;
    let mut ready = false;
    while let Ok(Some(frame)) = incoming.next() {
        match Told::read(frame) {
            Some(Told::NotStarted { step, errno, text }) => return Err(NotBegun { step, errno, text }),
            Some(Told::Unconfined { reason }) => unconfined = Some(reason),
            Some(Told::Started { .. }) => ready = true,
            Some(_) | None => {}
        }
    }
    if !ready {
        let text = "it ended before the program could take over".to_owned();
        return Err(NotBegun { step: Step::Program, errno: 0, text });
    }
    Ok(Begun { pid: child.id(), stdin, stdout, stderr, unconfined })
}

/// Sends open files to the other side, and closes them here.
fn hand_over(stream: &UnixStream, files: [OwnedFd; 3]) -> rustix::io::Result<()> {
    let borrowed = files.each_ref().map(|file| file.as_fd());
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
    let mut ancillary = SendAncillaryBuffer::new(&mut space);
    ancillary.push(SendAncillaryMessage::ScmRights(&borrowed));
    rustix::net::sendmsg(stream, &[IoSlice::new(&[0])], &mut ancillary, SendFlags::empty()).map(drop)
}

fn take_over(stream: &UnixStream) -> rustix::io::Result<Vec<OwnedFd>> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
    let mut ancillary = RecvAncillaryBuffer::new(&mut space);
    let mut byte = [0];
    rustix::net::recvmsg(stream, &mut [IoSliceMut::new(&mut byte)], &mut ancillary, RecvFlags::CMSG_CLOEXEC)?;
    let mut files = Vec::new();
    for message in ancillary.drain() {
        if let RecvAncillaryMessage::ScmRights(received) = message {
            files.extend(received);
        }
    }
    Ok(files)
}

/// What `augment-cli keep agent` does: become the agent. Comes back only if that failed.
pub(super) fn become_agent() -> ExitCode {
    let Ok(mut stream) = rustix::stdio::stdin().try_clone_to_owned().map(UnixStream::from) else {
        return ExitCode::FAILURE;
    };
    let Err(NotBegun { step, errno, text }) = take_shape(&mut stream);
    let mut frame = Vec::new();
    Told::NotStarted { step, errno, text }.put(&mut frame);
    // Nobody is left to hear of it if the keeper has gone.
    drop(stream.write_all(&frame));
    ExitCode::FAILURE
}

fn take_shape(stream: &mut UnixStream) -> Result<Infallible, NotBegun> {
    let Ok([stdin, stdout, stderr]) = <[OwnedFd; 3]>::try_from(take_over(stream)?) else {
        return Err(std::io::Error::other("the agent's pipes did not come").into());
    };
    let packed = super::read_order(stream)?;
    let (order, mark) = Order::unpack(&packed).ok_or_else(|| std::io::Error::other("the order makes no sense"))?;
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
    // A keeper that died before that line sends no signal any more.
    let keeper = rustix::net::sockopt::socket_peercred(&*stream)?.pid;
    if rustix::process::getppid() != Some(keeper) {
        return Err(std::io::Error::other("the keeper has gone").into());
    }
    std::env::set_current_dir(&order.cwd).map_err(|error| NotBegun::at(Step::Cwd, &error))?;
    let mut frame = Vec::new();
    confine(&order.confinement, &mut frame)?;
    Told::Started { pid: std::process::id() }.put(&mut frame);
    stream.write_all(&frame)?;
    let error = Command::new(&order.program)
        .args(&order.arguments)
        .env_clear()
        .envs(order.environment)
        .env(RUN_VARIABLE, &order.run)
        .env(MARK_VARIABLE, &mark)
        .stdin(stdin)
        .stdout(stdout)
        .stderr(stderr)
        .exec();
    Err(error.into())
}

fn confine(confinement: &Confinement, frame: &mut Vec<u8>) -> Result<(), NotBegun> {
    match confinement {
        Confinement::Off => Ok(()),
        Confinement::Warn { writable } => {
            if let Err(error) = confinement::confine(writable) {
                Told::Unconfined { reason: error.to_string() }.put(frame);
            }
            Ok(())
        }
        Confinement::Enforce { writable } => confinement::confine(writable).map_err(|error| NotBegun {
            step: Step::Confinement,
            errno: 0,
            text: error.to_string(),
        }),
    }
}
