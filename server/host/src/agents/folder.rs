//! A run's own folder: who keeps it and how it ended, as lines of text that a later host (and a person) can read, the
//! keeper's socket, and the log of what was said. The record is replaced as a whole, so it is never half there.

use std::fs::OpenOptions;
use std::io::{Read as _, Write as _};
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::os::unix::fs::OpenOptionsExt as _;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};

use augment_core::run::Resources;
use rustix::fs::{Mode, OFlags};

use super::frames::{Exit, Why};
use super::processes::Identity;

const RECORD: &str = "run";
const SOCKET: &str = "socket";
/// What a keeper that fails in a way that nobody foresaw has to say.
const COMPLAINTS: &str = "keeper.log";

/// What a run's folder tells about its processes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Record {
    pub(super) boot: String,
    pub(super) mark: String,
    pub(super) keeper: Option<Identity>,
    pub(super) agent: Option<Identity>,
    pub(super) ending: Option<Why>,
    pub(super) exit: Option<Exit>,
    /// Nothing of the run lives any more, and so many processes had to be killed for that.
    pub(super) empty: Option<u64>,
    /// What all of it used. A keeper of an earlier version does not say.
    pub(super) resources: Option<Resources>,
}

impl Record {
    fn text(&self) -> String {
        let mut lines = vec![format!("boot {}", self.boot), format!("mark {}", self.mark)];
        let identity = |name: &str, identity: Option<Identity>| {
            identity.map(|Identity { pid, start }| format!("{name} {pid} {start}"))
        };
        lines.extend(identity("keeper", self.keeper));
        lines.extend(identity("agent", self.agent));
        lines.extend(self.ending.map(|why| format!("ending {}", why.word())));
        lines.extend(self.exit.map(|exit| match exit {
            Exit::Code(code) => format!("exit code {code}"),
            Exit::Signal(signal) => format!("exit signal {signal}"),
        }));
        lines.extend(self.empty.map(|killed| format!("empty {killed}")));
        lines.extend(
            self.resources
                .map(|Resources { cpu_ms, peak_memory_bytes }| format!("resources {cpu_ms} {peak_memory_bytes}")),
        );
        lines.push(String::new());
        lines.join("\n")
    }

    fn of_text(text: &str) -> Option<Self> {
        let mut record = Self::default();
        for line in text.lines() {
            let mut words = line.split(' ');
            match (words.next()?, words.next()?, words.next()) {
                ("boot", boot, None) => boot.clone_into(&mut record.boot),
                ("mark", mark, None) => mark.clone_into(&mut record.mark),
                ("keeper", pid, Some(start)) => record.keeper = Some(identity(pid, start)?),
                ("agent", pid, Some(start)) => record.agent = Some(identity(pid, start)?),
                ("ending", why, None) => record.ending = Some(Why::of_word(why)?),
                ("exit", "code", Some(code)) => record.exit = Some(Exit::Code(code.parse().ok()?)),
                ("exit", "signal", Some(signal)) => record.exit = Some(Exit::Signal(signal.parse().ok()?)),
                ("empty", killed, None) => record.empty = Some(killed.parse().ok()?),
                ("resources", cpu_ms, Some(peak)) => {
                    let (cpu_ms, peak_memory_bytes) = (cpu_ms.parse().ok()?, peak.parse().ok()?);
                    record.resources = Some(Resources { cpu_ms, peak_memory_bytes });
                }
                _ => return None,
            }
        }
        (!record.boot.is_empty() && !record.mark.is_empty()).then_some(record)
    }

    pub(super) fn write(&self, folder: &Path) -> std::io::Result<()> {
        let beside = folder.join("run.new");
        let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&beside)?;
        file.write_all(self.text().as_bytes())?;
        std::fs::rename(&beside, folder.join(RECORD))
    }

    /// `None` when no run was ever begun here.
    pub(super) fn read(folder: &Path) -> std::io::Result<Option<Self>> {
        let file = match std::fs::File::open(folder.join(RECORD)) {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let mut text = String::new();
        file.take(4_096).read_to_string(&mut text)?;
        let damaged = || std::io::Error::new(std::io::ErrorKind::InvalidData, "the record of the run is damaged");
        Self::of_text(&text).map(Some).ok_or_else(damaged)
    }
}

fn identity(pid: &str, start: &str) -> Option<Identity> {
    Some(Identity { pid: pid.parse().ok()?, start: start.parse().ok()? })
}

/// Listens on the run's socket. One that a dead keeper left is replaced; the folder is this run's alone.
pub(super) fn listen(folder: &Path) -> std::io::Result<UnixListener> {
    match std::fs::remove_file(folder.join(SOCKET)) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
        Ok(()) | Err(_) => {}
    }
    let (_held, path) = short_path(folder)?;
    UnixListener::bind(path)
}

pub(super) fn connect(folder: &Path) -> std::io::Result<UnixStream> {
    let (_held, path) = short_path(folder)?;
    UnixStream::connect(path)
}

/// A path to the socket that is short enough for every system call about sockets, however deep the folder lies.
fn short_path(folder: &Path) -> std::io::Result<(OwnedFd, PathBuf)> {
    let held = rustix::fs::open(folder, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
    let path = PathBuf::from(format!("/proc/self/fd/{}/{SOCKET}", held.as_raw_fd()));
    Ok((held, path))
}

pub(super) fn complaints(folder: &Path) -> std::io::Result<std::fs::File> {
    OpenOptions::new().append(true).create(true).mode(0o600).open(folder.join(COMPLAINTS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_read_as_it_was_written() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Record::read(folder.path()).unwrap(), None);
        let mut record = Record { boot: "b-1".into(), mark: "m".into(), ..Record::default() };
        for change in [
            |record: &mut Record| record.keeper = Some(Identity { pid: 7, start: 99 }),
            |record: &mut Record| record.agent = Some(Identity { pid: 8, start: 100 }),
            |record: &mut Record| record.ending = Some(Why::TimedOut),
            |record: &mut Record| record.exit = Some(Exit::Code(-3)),
            |record: &mut Record| record.exit = Some(Exit::Signal(9)),
            |record: &mut Record| record.empty = Some(2),
            |record: &mut Record| record.resources = Some(Resources { cpu_ms: 1_500, peak_memory_bytes: 1 << 40 }),
        ] {
            change(&mut record);
            record.write(folder.path()).unwrap();
            assert_eq!(Record::read(folder.path()).unwrap(), Some(record.clone()));
        }
    }

    #[test]
    fn a_damaged_record_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(RECORD), "boot x\nkeeper many\n").unwrap();
        assert!(Record::read(folder.path()).is_err());
    }
}
