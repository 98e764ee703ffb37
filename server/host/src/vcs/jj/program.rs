//! The jj program (and git, which jj itself needs to speak with remotes): where it is, whether it is new enough, and how
//! it is run. It is run by its whole path, with the person's own environment and settings, never reads from a terminal,
//! opens no pager and no editor, and is ended when it takes too long or says too much.
//!
//! Nothing here knows what a command is for.

use std::ffi::{OsStr, OsString};
use std::io::{Read, Write as _};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use augment_core::text::{one_line, shortened};
use rustix::process::{Pid, Signal, kill_process_group};

use super::super::history::{HistoryError, Result};
use crate::agents::catalog::in_path;

/// The oldest jj whose commands and templates are relied on: a push begins to track a new bookmark by itself since then.
const WANTED: (u32, u32) = (0, 38);
const WANTED_TEXT: &str = "0.38.0";

/// How long a command may take that stays on this machine.
const HERE: Duration = Duration::from_secs(120);
/// How long one may take that asks a remote.
const AWAY: Duration = Duration::from_secs(300);
/// How often a command is looked at meanwhile.
const LOOK: Duration = Duration::from_millis(2);
/// How long the output of a command that has ended is waited for: what it left running may hold the pipe open for ever. A
/// busy machine may need some of it until all that was said is read, and without all of it the command has failed.
const GRACE: Duration = Duration::from_secs(5);
/// How long its words to people are, which are as good without their end.
const WORDS_GRACE: Duration = Duration::from_millis(500);
/// How much a command may say.
const MAX_OUTPUT: usize = 64 * 1024 * 1024;
/// How much of its words is told to a person.
const MAX_WORDS: usize = 800;

/// What steers git and jj away from the repository at hand, or belongs to whoever started us.
const LEFT_OUT: [&str; 12] = [
    "AUGMENT_TOKEN",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_DIR",
    "GIT_INDEX_FILE",
    "GIT_NAMESPACE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_WORK_TREE",
    "JJ_PAGER",
    "PAGER",
    "VISUAL",
];

/// Whether a command may look at the files on disk first, which jj writes down as a change of `@`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Look {
    /// Nothing changes by it, not even what is known of the files.
    Aside,
    /// The files on disk are read into `@` first.
    First,
}

/// Where the work of a command lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    Here,
    Away,
}

#[derive(Debug)]
pub(super) struct Program {
    jj: PathBuf,
    /// `None` where there is no git; only remotes need it.
    git: Option<PathBuf>,
    environment: Vec<(OsString, OsString)>,
    /// Where commands run: the folder that `.jj` is in.
    folder: PathBuf,
    /// Goes with every command, and stands in jj's record of what it did: by it our operations are told from others'.
    pub(super) mark: String,
}

/// How a command ended.
#[derive(Debug)]
pub(super) struct Ended {
    pub(super) status: ExitStatus,
    pub(super) stdout: Vec<u8>,
    pub(super) stderr: Vec<u8>,
}

impl Program {
    /// Finds jj with the `PATH` of this environment, and asks for its version.
    pub(super) fn find(folder: &Path, environment: &[(String, String)]) -> Result<Self> {
        let searched = environment.iter().rev().find(|(name, _)| name == "PATH").map(|(_, value)| OsStr::new(value));
        let program = Self {
            jj: in_path("jj", searched).ok_or(HistoryError::NoJj)?,
            git: in_path("git", searched),
            environment: chosen(environment),
            folder: folder.to_owned(),
            mark: random_name()?,
        };
        let ended = program.start(&program.jj, &[OsString::from("--version")], b"", Reach::Here)?;
        let said = String::from_utf8_lossy(&ended.stdout).into_owned();
        let found = said.trim().strip_prefix("jj ").unwrap_or(said.trim()).to_owned();
        if version(&found).is_some_and(|version| version >= WANTED) {
            return Ok(program);
        }
        let found = shortened(&one_line(&found), 60).into_owned();
        Err(HistoryError::OldJj { program: program.jj, found, wanted: WANTED_TEXT })
    }

    /// Runs jj to its end, whatever that is.
    pub(super) fn try_jj<S: AsRef<OsStr>>(
        &self,
        look: Look,
        reach: Reach,
        arguments: &[S],
        input: &[u8],
    ) -> Result<Ended> {
        // Whatever would open an editor fails instead of waiting for somebody.
        let mark = format!("--config=augment-orchestrator.by=\"{}\"", self.mark);
        let mut all: Vec<OsString> =
            ["--no-pager", "--color=never", "--config=ui.editor=\"false\"", &mark].map(OsString::from).to_vec();
        // A person may want lines that fit their screen; here each is read as a whole.
        all.push("--config=ui.log-word-wrap=false".into());
        match look {
            Look::Aside => all.push("--ignore-working-copy".into()),
            Look::First => {}
        }
        match reach {
            Reach::Here => all.push("--quiet".into()),
            // What a remote says is among what quiet would hold back.
            Reach::Away => {}
        }
        all.extend(arguments.iter().map(|argument| argument.as_ref().to_owned()));
        self.start(&self.jj, &all, input, reach)
    }

    /// What jj says; anything but success is an error with its words.
    pub(super) fn jj<S: AsRef<OsStr>>(&self, look: Look, arguments: &[S]) -> Result<Vec<u8>> {
        self.jj_with(look, arguments, b"")
    }

    pub(super) fn jj_with<S: AsRef<OsStr>>(&self, look: Look, arguments: &[S], input: &[u8]) -> Result<Vec<u8>> {
        let ended = self.try_jj(look, Reach::Here, arguments, input)?;
        if ended.status.success() { Ok(ended.stdout) } else { Err(failed("jj", &ended)) }
    }

    /// What git says about a repository, for what jj has no command for.
    pub(super) fn git(&self, what: &'static str, repository: &Path, arguments: &[&str]) -> Result<Vec<u8>> {
        let git = self.git.as_ref().ok_or(HistoryError::NoGit { what })?;
        let mut all: Vec<OsString> = vec!["--git-dir".into(), repository.into()];
        all.extend(arguments.iter().map(OsString::from));
        let ended = self.start(git, &all, b"", Reach::Away)?;
        if ended.status.success() { Ok(ended.stdout) } else { Err(failed("git", &ended)) }
    }

    fn start(&self, program: &Path, arguments: &[OsString], input: &[u8], reach: Reach) -> Result<Ended> {
        let io = |source| HistoryError::Io { what: program.display().to_string(), source };
        let mut child = Command::new(program)
            .args(arguments)
            .current_dir(&self.folder)
            .env_clear()
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .stdin(if input.is_empty() { Stdio::null() } else { Stdio::piped() })
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()
            .map_err(io)?;
        if let Some(mut pipe) = child.stdin.take() {
            let input = input.to_owned();
            // By its own thread: it may speak before it has read everything.
            std::thread::spawn(move || {
                if let Err(error) = pipe.write_all(&input) {
                    tracing::debug!("a program did not read its input: {error}");
                }
            });
        }
        let stdout = child.stdout.take().map(listen);
        let stderr = child.stderr.take().map(listen);
        let limit = match reach {
            Reach::Here => HERE,
            Reach::Away => AWAY,
        };
        let Some(status) = wait(&mut child, limit).map_err(io)? else {
            let program = name(program);
            return Err(HistoryError::Failed {
                program,
                words: format!("it did not end within {} seconds and was ended", limit.as_secs()),
            });
        };
        let heard_for = |heard: Option<Receiver<Vec<u8>>>, patience| {
            heard.map_or((Vec::new(), true), |heard| gather(&heard, Instant::now() + patience))
        };
        let (stdout, all) = heard_for(stdout, GRACE);
        let (stderr, _) = heard_for(stderr, WORDS_GRACE);
        if stdout.len() > MAX_OUTPUT || !all {
            let program = name(program);
            return Err(HistoryError::Failed {
                program,
                words: format!("it said more than {} MB, or did not come to an end", MAX_OUTPUT / 1024 / 1024),
            });
        }
        Ok(Ended { status, stdout, stderr })
    }
}

/// A name that nothing else has.
pub(super) fn random_name() -> Result<String> {
    let mut random = [0; 8];
    getrandom::fill(&mut random).map_err(|error| HistoryError::Io {
        what: "random bytes".to_owned(),
        source: std::io::Error::other(error.to_string()),
    })?;
    Ok(format!("{:016x}", u64::from_le_bytes(random)))
}

fn name(program: &Path) -> String {
    program.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// The failure of a command, with its own words.
pub(super) fn failed(program: &str, ended: &Ended) -> HistoryError {
    let words = words(&ended.stderr);
    let words = if words.is_empty() { format!("it ended with {}", ended.status) } else { words };
    HistoryError::Failed { program: program.to_owned(), words }
}

/// What a program said, for a person: on one line, visible, and not too much of it.
pub(super) fn words(said: &[u8]) -> String {
    let said = String::from_utf8_lossy(&said[..said.len().min(16 * MAX_WORDS)]);
    shortened(&one_line(&said), MAX_WORDS).into_owned()
}

/// The person's environment, without what would lead elsewhere, and so that nothing asks on a terminal.
fn chosen(environment: &[(String, String)]) -> Vec<(OsString, OsString)> {
    let kept = environment.iter().filter(|(name, _)| !LEFT_OUT.contains(&name.as_str()));
    let mut all: Vec<(OsString, OsString)> = kept.map(|(name, value)| (name.into(), value.into())).collect();
    // A window may ask for a password; a terminal that nobody looks at may not.
    if !environment.iter().any(|(name, value)| name == "SSH_ASKPASS" && !value.is_empty()) {
        all.push(("SSH_ASKPASS".into(), "/bin/false".into()));
    }
    all.push(("SSH_ASKPASS_REQUIRE".into(), "force".into()));
    all.push(("GIT_TERMINAL_PROMPT".into(), "0".into()));
    all
}

/// The first two numbers of `0.45.1` or `0.45.1-abcdef`.
fn version(text: &str) -> Option<(u32, u32)> {
    let mut numbers = text.split(['.', '-', '+', ' ']);
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

/// How it ended; `None` where it had to be ended.
fn wait(child: &mut Child, limit: Duration) -> std::io::Result<Option<ExitStatus>> {
    let until = Instant::now() + limit;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if Instant::now() >= until {
            // All that it started goes with it.
            if let Err(error) = kill_process_group(Pid::from_child(child), Signal::KILL) {
                tracing::debug!("a program of version control could not be ended: {error}");
            }
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(LOOK);
    }
}

/// Reads in a thread of its own, so that no pipe fills up, and not more than is wanted plus one piece.
fn listen(mut pipe: impl Read + Send + 'static) -> Receiver<Vec<u8>> {
    let (tell, heard) = channel();
    std::thread::spawn(move || {
        let (mut piece, mut total) = (vec![0; 64 * 1024], 0);
        while let Ok(length) = pipe.read(&mut piece) {
            total += length;
            if length == 0 || tell.send(piece[..length].to_vec()).is_err() || total > MAX_OUTPUT {
                return;
            }
        }
    });
    heard
}

/// What was heard, and whether that is all.
fn gather(heard: &Receiver<Vec<u8>>, until: Instant) -> (Vec<u8>, bool) {
    let mut all = Vec::new();
    loop {
        match heard.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(piece) => all.extend(piece),
            Err(RecvTimeoutError::Disconnected) => return (all, true),
            Err(RecvTimeoutError::Timeout) => return (all, false),
        }
    }
}

#[cfg(test)]
#[path = "../../../tests/support/script.rs"]
mod script;

#[cfg(test)]
mod tests {
    use super::*;

    fn program(script: &str) -> (Result<Program>, tempfile::TempDir) {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("jj");
        script::write_script(&place, &format!("#!/bin/sh\n{script}\n"), 0o755);
        let path = folder.path().to_str().unwrap().to_owned();
        (Program::find(folder.path(), &[("PATH".to_owned(), path)]), folder)
    }

    #[test]
    fn an_old_jj_and_none_are_told() {
        for (said, fits) in [
            ("jj 0.38.0", true),
            ("jj 0.45.1-3f9c", true),
            ("jj 1.0.0", true),
            ("jj 0.37.9", false),
            ("jj", false),
            ("", false),
        ] {
            let (found, _folder) = program(&format!("echo '{said}'"));
            assert_eq!(found.is_ok(), fits, "{said}");
        }
        let (old, folder) = program("echo 'jj 0.9.0'");
        assert_eq!(
            old.unwrap_err().to_string(),
            format!(
                "{}/jj is version 0.9.0, and 0.38.0 or newer is needed. Update it (`cargo install --locked jj-cli`), then repeat.",
                folder.path().display()
            )
        );
        let none = Program::find(folder.path(), &[("PATH".to_owned(), "relative:.".to_owned())]).unwrap_err();
        assert!(matches!(none, HistoryError::NoJj), "{none}");
    }

    #[test]
    fn a_failure_carries_the_programs_words_and_nothing_that_acts_on_a_screen() {
        let (found, _folder) = program(
            "[ \"$1\" = --version ] && echo jj 0.45.1 && exit; printf 'Error: \\033[2Jno\\nHint: x' >&2; exit 1",
        );
        let error = found.unwrap().jj(Look::First, &["log"]).unwrap_err();
        assert_eq!(error.to_string(), "jj failed: Error: \\u{1b}[2Jno Hint: x");
    }

    #[test]
    fn what_a_command_left_running_does_not_hold_us() {
        let leaves = |running: &str| {
            // It has let go of what it does not hold before the command ends.
            let script = format!(
                "[ \"$1\" = --version ] && echo jj 0.45.1 && exit\n\
                 /usr/bin/mkfifo \"$PATH/on\"\n\
                 (exec {running}; echo >\"$PATH/on\"; exec /bin/sleep 600) & echo $! >\"$PATH/left\"\n\
                 read -r on <\"$PATH/on\"; echo said"
            );
            let (found, folder) = program(&script);
            let ended = found.unwrap().try_jj(Look::First, Reach::Here, &["x"], b"");
            let left = std::fs::read_to_string(folder.path().join("left")).unwrap();
            let left = Pid::from_raw(left.trim().parse().unwrap()).unwrap();
            rustix::process::kill_process(left, Signal::KILL).expect("it is still running");
            ended
        };
        let ended = leaves(">/dev/null").unwrap();
        assert!(ended.status.success());
        assert_eq!(ended.stdout, b"said\n");
        // Nobody can say whether that is all that it had to say.
        let held = leaves("2>/dev/null").unwrap_err().to_string();
        assert!(held.ends_with("did not come to an end"), "{held}");
    }

    #[test]
    fn the_environment_is_the_persons_but_for_what_leads_elsewhere() {
        let given = [("GIT_DIR", "/x"), ("HOME", "/h"), ("AUGMENT_TOKEN", "t"), ("SSH_ASKPASS", "/usr/bin/ask")];
        let given = given.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let names: Vec<_> = chosen(&given).into_iter().map(|(name, _)| name.into_string().unwrap()).collect();
        assert_eq!(names, ["HOME", "SSH_ASKPASS", "SSH_ASKPASS_REQUIRE", "GIT_TERMINAL_PROMPT"]);
    }
}
