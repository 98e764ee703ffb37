//! The person's git program: found in whole paths of their PATH, run in the repository with their environment, for a
//! bounded time, and with only so much of what it says kept. It never asks on a terminal, and what tells git of another
//! repository is kept from it.

use std::ffi::OsStr;
use std::io::Read;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use augment_core::agent::is_ours;
use augment_core::text::{shortened, visible_lines};
use rustix::process::{Pid, Signal, kill_process_group};

use super::{Git, HistoryError, Result};
use crate::agents::catalog::in_path;

/// How often a program is looked at while it runs.
const LOOK: Duration = Duration::from_millis(2);
/// How long is waited for the rest of its words once it has ended: what a hook left behind may hold on to them.
const REST: Duration = Duration::from_millis(500);
/// How long for the rest of its answer, which no hook has a hand on. Only a busy machine needs any of it, and an answer without
/// its end would be taken for another one.
const REST_OF_ANSWER: Duration = Duration::from_secs(10);
/// How much of what it says is kept.
const MAX_OUTPUT_BYTES: usize = 4 << 20;
/// How much of it a person is told.
const MAX_WORDS: usize = 2_000;
/// What would lead git to another repository, or to another index of this one.
const PLACES: [&str; 12] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_PREFIX",
    "GIT_NAMESPACE",
    "GIT_SHALLOW_FILE",
    "GIT_GRAFT_FILE",
    "GIT_QUARANTINE_PATH",
    "GIT_IMPLICIT_WORK_TREE",
];

/// How long a program may take.
#[derive(Debug, Clone, Copy)]
pub(super) enum Limit {
    /// What only reads and computes.
    Local,
    /// Hooks and signatures, which may run tests or ask the person.
    Hooks,
    /// What talks to another machine.
    Network,
}

impl Limit {
    fn duration(self) -> Duration {
        match self {
            Self::Local => Duration::from_secs(60),
            Self::Hooks => Duration::from_secs(600),
            Self::Network => Duration::from_secs(300),
        }
    }
}

pub(super) struct Program<'a> {
    path: PathBuf,
    folder: &'a Path,
    environment: &'a [(String, String)],
}

/// What came of it.
pub(super) struct Outcome {
    pub(super) success: bool,
    pub(super) output: Vec<u8>,
    /// What it said to people, fit to be shown.
    pub(super) words: String,
}

impl Git {
    /// The person's git; `what` says what it is needed for.
    pub(super) fn program(&self, what: &'static str) -> Result<Program<'_>> {
        let path = in_path("git", self.variable("PATH").map(OsStr::new)).ok_or(HistoryError::NoGit { what })?;
        Ok(Program { path, folder: &self.top, environment: &self.environment })
    }
}

impl Program<'_> {
    /// Runs `git` with these words; `set` comes on top of the person's environment.
    pub(super) fn run(&self, words: &[&OsStr], set: &[(&str, &OsStr)], limit: Limit) -> Result<Outcome> {
        self.run_with(words, set, limit, Stdio::null())
    }

    /// The same, with something at its standard input. Nothing can be read there either.
    pub(super) fn run_with(
        &self,
        words: &[&OsStr],
        set: &[(&str, &OsStr)],
        limit: Limit,
        input: Stdio,
    ) -> Result<Outcome> {
        let named = words
            .iter()
            .find(|word| !word.as_encoded_bytes().starts_with(b"-") && !word.as_encoded_bytes().contains(&b'='));
        let named = format!("git {}", named.unwrap_or(&OsStr::new("")).display());
        let failed = |error: std::io::Error| HistoryError::Failed { program: named.clone(), words: error.to_string() };
        let passed = self.environment.iter().filter(|(name, _)| !PLACES.contains(&name.as_str()) && !is_ours(name));
        let mut command = Command::new(&self.path);
        command
            .args(words)
            .current_dir(self.folder)
            .env_clear()
            .envs(passed.map(|(name, value)| (name, value)))
            .env("GIT_TERMINAL_PROMPT", "0")
            .stdin(input)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0);
        // A key with a passphrase is asked for by the person's own helper or not at all: nobody sits at a terminal here.
        if super::variable(self.environment, "SSH_ASKPASS").is_none() {
            command.env("SSH_ASKPASS", "false").env("SSH_ASKPASS_REQUIRE", "force");
        }
        command.envs(set.iter().copied());
        let mut started = Started { child: command.spawn().map_err(failed)?, has_ended: false };
        let output = started.child.stdout.take().map(collect);
        let said = started.child.stderr.take().map(collect);
        let status = started.wait(limit.duration()).map_err(failed)?;
        drop(started);
        let output = output.map(|heard| heard.within(REST_OF_ANSWER)).unwrap_or_default();
        let said = said.map(|heard| heard.within(REST)).unwrap_or_default();
        let Some(status) = status else {
            let words = format!("it did not end within {} seconds and was ended", limit.duration().as_secs());
            return Err(HistoryError::Failed { program: named, words });
        };
        let told = if said.trim_ascii().is_empty() { &output } else { &said };
        let words = fit(told, status);
        Ok(Outcome { success: status.success(), output, words })
    }
}

fn fit(told: &[u8], status: ExitStatus) -> String {
    let told = String::from_utf8_lossy(told.trim_ascii());
    // What comes last says why.
    let skipped = told.chars().count().saturating_sub(MAX_WORDS);
    let end: String = told.chars().skip(skipped).collect();
    if end.is_empty() {
        return format!("it said nothing ({status})");
    }
    visible_lines(&shortened(&end, MAX_WORDS)).into_owned()
}

/// What comes out of a pipe, piece by piece.
struct Heard(mpsc::Receiver<Vec<u8>>);

impl Heard {
    /// All of it; where its end does not come in time, what came until then.
    fn within(self, patience: Duration) -> Vec<u8> {
        let until = Instant::now() + patience;
        let left = || until.saturating_duration_since(Instant::now());
        std::iter::from_fn(|| self.0.recv_timeout(left()).ok()).flatten().collect()
    }
}

/// Everything that comes out of a pipe, up to the limit; the rest is read and dropped, so that nobody waits for us.
fn collect(mut pipe: impl Read + Send + 'static) -> Heard {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut piece = vec![0; 64 * 1024];
        let mut room = MAX_OUTPUT_BYTES;
        loop {
            match pipe.read(&mut piece) {
                Ok(0) => return,
                Ok(length) => {
                    let kept = length.min(room);
                    room -= kept;
                    // Where nobody listens any more, it is still read: whoever holds the pipe may go on writing.
                    if kept > 0 && sender.send(piece[..kept].to_vec()).is_err() {
                        room = 0;
                    }
                }
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return tracing::debug!("what git said could not be read to its end: {error}"),
            }
        }
    });
    Heard(receiver)
}

/// A git that was started. It does not outlive whoever waits for it.
struct Started {
    child: Child,
    has_ended: bool,
}

impl Started {
    /// How it ended; `None` where it takes longer.
    fn wait(&mut self, limit: Duration) -> std::io::Result<Option<ExitStatus>> {
        let until = Instant::now() + limit;
        loop {
            if let Some(status) = self.child.try_wait()? {
                self.has_ended = true;
                return Ok(Some(status));
            }
            if Instant::now() >= until {
                return Ok(None);
            }
            std::thread::sleep(LOOK);
        }
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        if self.has_ended {
            return;
        }
        if let Err(error) = kill_process_group(Pid::from_child(&self.child), Signal::KILL) {
            tracing::debug!("git could not be ended with what it started: {error}");
        }
        if let Err(error) = self.child.kill().and_then(|()| self.child.wait()) {
            tracing::warn!("git could not be ended: {error}");
        }
    }
}
