//! `doctor`: what is found, what is wrong, and what to do about it. It looks and changes nothing, except that asking the
//! state may make the data folder on first use, as every command does.

use std::ffi::OsStr;
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use augment_core::text::shell_word;
use augment_host::store::Reader;
use augment_host::workspace::{Places, Workspace};
use augment_protocol::methods::{AgentsList, AuditVerify, ConfigList, GetStatus};
use augment_protocol::status::{Nothing, OverallStatus};
use serde::Serialize;

use super::places::path;
use super::{Ended, Ending, Failure, Session};
use crate::client::Client;
use crate::connect::{self, Wish};
use crate::output::table::{Cell, Column, Look, table};
use crate::service::{Unwatched, unwatched};

/// Below this much free space writes soon fail.
const LITTLE_SPACE: u64 = 500 * 1024 * 1024;
const NO_SPACE: u64 = 16 * 1024 * 1024;
/// What a larger repository needs to be watched.
const FEW_WATCHES: u64 = 65_536;
const DAMAGED: &str = "Keep a copy of the data folder before anything else; `augment-cli where` shows it and the log.";

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum State {
    Ok,
    Warn,
    Fail,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Check {
    name: &'static str,
    state: State,
    found: String,
    /// What to do about it.
    advice: Option<String>,
}

impl Check {
    fn ok(name: &'static str, found: impl Into<String>) -> Self {
        Self { name, state: State::Ok, found: found.into(), advice: None }
    }

    fn warn(name: &'static str, found: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { name, state: State::Warn, found: found.into(), advice: Some(advice.into()) }
    }

    fn fail(name: &'static str, found: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { name, state: State::Fail, found: found.into(), advice: Some(advice.into()) }
    }
}

pub(super) async fn run(session: &mut Session) -> Ended {
    let mut checks = vec![program()];
    match session.workspace() {
        Ok(workspace) => {
            checks.push(Check::ok("workspace", path(workspace.root())));
            checks.extend(on_disk(workspace.places()));
            checks.extend(host(&workspace).await);
            match session.connect(Wish::OneShot).await {
                Ok(mut client) => checks.extend(inside(&mut client, workspace.places()).await),
                Err(failure) => {
                    checks.push(failed("state", failure, "`augment-cli where` shows the folders that it needs."))
                }
            }
        }
        Err(failure) => {
            checks.push(failed("workspace", failure, "Change into the folder that you work in, or name it with -C."))
        }
    }
    checks.push(git());
    checks.extend(watches());
    checks.push(role(std::env::var_os("AUGMENT_TOKEN").as_deref()));

    let fine = checks.iter().all(|check| check.state != State::Fail);
    let width = session.output.width();
    session.show(&serde_json::json!({ "fine": fine, "checks": checks }), |_| told(&checks, width))?;
    Ok(if fine { Ending::Done } else { Ending::No })
}

fn told(checks: &[Check], width: Option<u16>) -> String {
    let columns = [Column::Fixed("CHECK"), Column::Fixed("STATE"), Column::Text("FOUND")];
    let rows = checks.iter().map(|check| {
        let state = match check.state {
            State::Ok => Cell::styled("ok", Look::Good),
            State::Warn => Cell::styled("warn", Look::Warn),
            State::Fail => Cell::styled("fail", Look::Bad),
        };
        vec![Cell::new(check.name), state, Cell::new(&check.found)]
    });
    let mut parts = vec![table(&columns, rows.collect(), width)];
    // Below the table, since neither the whole finding nor its advice may be cut off.
    for check in checks {
        if let Some(advice) = &check.advice {
            let look = if check.state == State::Fail { Look::Bad } else { Look::Warn };
            let [found, advice] = [&check.found, advice].map(|text| augment_core::text::visible(text));
            parts.push(format!("{} {found}\n  {advice}", look.paint(&format!("{}:", check.name))));
        }
    }
    let wrong = checks.iter().filter(|check| check.state == State::Fail).count();
    let doubtful = checks.iter().filter(|check| check.state == State::Warn).count();
    parts.push(match (wrong, doubtful) {
        (0, 0) => Look::Good.paint("All is well."),
        (0, doubtful) => format!("Nothing is wrong; {doubtful} to look at."),
        (wrong, 0) => Look::Bad.paint(&format!("{wrong} wrong.")),
        (wrong, doubtful) => Look::Bad.paint(&format!("{wrong} wrong, {doubtful} to look at.")),
    });
    parts.join("\n\n")
}

fn failed(name: &'static str, failure: Failure, advice: &str) -> Check {
    let found = match failure {
        Failure::Told { message, .. } => message,
        Failure::Closed | Failure::Interrupted => "The check was broken off.".to_owned(),
    };
    Check::fail(name, found, advice)
}

fn program() -> Check {
    let version = env!("CARGO_PKG_VERSION");
    match std::env::current_exe() {
        Ok(program) => Check::ok("program", format!("{version}, {}", path(&program))),
        Err(error) => Check::warn(
            "program",
            format!("{version}; where it lies cannot be told: {error}"),
            "Start it again from its installed place; it was moved or replaced while running.",
        ),
    }
}

fn on_disk(places: &Places) -> Vec<Check> {
    let mut checks = vec![private_folder("data folder", &places.data)];
    checks.extend(space(&places.data));
    checks.push(private_file("token", &places.token));
    checks.push(match places.socket.parent() {
        Some(folder) => private_folder("socket folder", folder),
        None => Check::ok("socket folder", path(&places.socket)),
    });
    checks
}

fn private_folder(name: &'static str, folder: &Path) -> Check {
    match std::fs::symlink_metadata(folder) {
        Ok(found) if !found.is_dir() => Check::fail(
            name,
            format!("{} is not a folder", path(folder)),
            "Move it away; the next command makes a new one.",
        ),
        Ok(found) => privacy(name, folder, &found, 0o700),
        Err(error) => missing(name, folder, &error),
    }
}

fn private_file(name: &'static str, file: &Path) -> Check {
    match std::fs::symlink_metadata(file) {
        Ok(found) if !found.is_file() => {
            Check::fail(name, format!("{} is not a file", path(file)), "Remove it; the next command makes a new one.")
        }
        Ok(found) => privacy(name, file, &found, 0o600),
        Err(error) => missing(name, file, &error),
    }
}

fn missing(name: &'static str, place: &Path, error: &std::io::Error) -> Check {
    if error.kind() == std::io::ErrorKind::NotFound {
        Check::ok(name, format!("{} is made on first use", path(place)))
    } else {
        Check::fail(
            name,
            format!("{} cannot be looked at: {error}", path(place)),
            "Check the permissions of the folders above it.",
        )
    }
}

fn privacy(name: &'static str, place: &Path, found: &Metadata, wanted: u32) -> Check {
    let mode = found.mode() & 0o777;
    let shown = path(place);
    if found.uid() != rustix::process::getuid().as_raw() {
        let advice = "Remove it as its owner, or set AUGMENT_HOME to a folder of your own.";
        Check::fail(name, format!("{shown} belongs to another user (uid {})", found.uid()), advice)
    } else if mode & 0o077 != 0 {
        let advice = format!("chmod {wanted:o} {}", shell_word(&shown));
        Check::fail(name, format!("{shown} can be opened by others (mode {mode:03o})"), advice)
    } else if mode & wanted != wanted {
        let advice = format!("chmod {wanted:o} {}", shell_word(&shown));
        Check::fail(name, format!("{shown} cannot be used by you (mode {mode:03o})"), advice)
    } else {
        Check::ok(name, format!("{shown} (mode {mode:03o})"))
    }
}

/// Free space where the data is, or will be.
fn space(data: &Path) -> Option<Check> {
    let folder = data.ancestors().find(|folder| folder.is_dir())?;
    let disk = rustix::fs::statvfs(folder).ok()?;
    let free = disk.f_bavail.saturating_mul(disk.f_frsize);
    let told = format!("{} MiB free at {}", free / 1024 / 1024, path(folder));
    if disk.f_flag.contains(rustix::fs::StatVfsMountFlags::RDONLY) {
        let advice = "Nothing can be recorded. Make it writable, or set AUGMENT_HOME to a folder elsewhere.";
        return Some(Check::fail("disk", format!("{} is read-only", path(folder)), advice));
    }
    Some(match free {
        ..NO_SPACE => Check::fail("disk", told, "Free some space; changes can no longer be saved."),
        NO_SPACE..LITTLE_SPACE => Check::warn("disk", told, "Free some space before it runs out."),
        _ => Check::ok("disk", told),
    })
}

async fn host(workspace: &Workspace) -> Option<Check> {
    let mut client = match connect::existing(workspace).await {
        Ok(Some(client)) => client,
        Ok(None) => return Some(Check::ok("host", "not running; it is started when an editor needs it")),
        Err(error) => {
            let advice = format!("Look into {}.", path(&workspace.places().log));
            return Some(Check::fail("host", error.to_string(), advice));
        }
    };
    // If it does not answer, the state check says so.
    let host = client.call::<GetStatus>(Nothing {}).await.ok()?.host;
    let clients = if host.clients == 1 { "client" } else { "clients" };
    let told = format!("running, pid {}, version {}, {} {clients}", host.pid, host.version, host.clients);
    Some(if host.version == env!("CARGO_PKG_VERSION") {
        Check::ok("host", told)
    } else {
        let advice = format!(
            "This program is version {}. `augment-cli host stop` lets the next command start its own.",
            env!("CARGO_PKG_VERSION")
        );
        Check::warn("host", told, advice)
    })
}

/// What only the state's owner can tell.
async fn inside(client: &mut Client, places: &Places) -> Vec<Check> {
    let mut checks = Vec::new();
    match client.call::<GetStatus>(Nothing {}).await {
        Ok(status) => {
            checks.push(watching(&status));
            checks.push(database(places, status.revision));
        }
        Err(error) => checks.push(Check::fail("database", error.to_string(), DAMAGED)),
    }
    checks.push(match client.call::<AuditVerify>(Nothing {}).await {
        Ok(verified) => match verified.broken {
            None if verified.holds => Check::ok("ledger", format!("holds, {} records", verified.records)),
            broken => {
                let reason = broken.map_or_else(|| "The chain does not hold.".to_owned(), |broken| broken.reason);
                Check::fail("ledger", reason, "Keep a copy of the database; `augment-cli audit verify` tells more.")
            }
        },
        Err(error) => Check::fail("ledger", error.to_string(), "`augment-cli audit verify` tells more."),
    });
    match client.call::<ConfigList>(Nothing {}).await {
        Ok(list) if list.problems.is_empty() => checks.push(Check::ok("settings", list.user_file)),
        Ok(list) => checks.extend(list.problems.into_iter().map(|problem| {
            Check::fail(
                "settings",
                problem,
                "`augment-cli config path` shows the files, `config list` what they may hold.",
            )
        })),
        Err(error) => {
            checks.push(Check::fail("settings", error.to_string(), "`augment-cli config path` shows the files."))
        }
    }
    checks.extend(agents(client).await);
    checks
}

/// What is wrong with the files that say which agents there are.
async fn agents(client: &mut Client) -> Vec<Check> {
    const NEXT: &str = "`augment-cli agent list` shows the agents, `augment-cli where` the files.";
    match client.call::<AgentsList>(Nothing {}).await {
        Ok(list) if list.problems.is_empty() => {
            let ready = list.agents.iter().filter(|agent| agent.problem.is_none()).count();
            vec![Check::ok("agents", format!("{ready} of {} can be started", list.agents.len()))]
        }
        Ok(list) => list.problems.into_iter().map(|problem| Check::fail("agents", problem, NEXT)).collect(),
        Err(error) => vec![Check::fail("agents", error.to_string(), NEXT)],
    }
}

/// Whether what agents write now is seen.
fn watching(status: &OverallStatus) -> Check {
    match unwatched(status) {
        Some(Unwatched { found, advice }) => Check::warn("watching", found, advice),
        None if status.host.lasting => Check::ok("watching", &status.watching.message),
        None => Check::ok("watching", "nobody watches, and no task is being worked on"),
    }
}

/// Its own reader may look beside the owner, since it cannot write.
fn database(places: &Places, revision: u64) -> Check {
    let problems =
        Reader::open(&places.database).and_then(|mut reader| reader.snapshot(|snapshot| snapshot.quick_check()));
    match problems {
        Ok(problems) => match problems.first() {
            None => Check::ok("database", format!("opens and is sound, at revision {revision}")),
            Some(problem) => {
                Check::fail("database", format!("{} is damaged: {problem}", path(&places.database)), DAMAGED)
            }
        },
        Err(error) => Check::fail("database", error.to_string(), DAMAGED),
    }
}

/// Looked for, not run.
fn git() -> Check {
    let found = std::env::var_os("PATH").and_then(|folders| find_program("git", &folders));
    match found {
        Some(git) => Check::ok("git", path(&git)),
        None => {
            Check::warn("git", "not found on the PATH", "Install git; without it only plain folders can be followed.")
        }
    }
}

fn find_program(name: &str, folders: &OsStr) -> Option<PathBuf> {
    std::env::split_paths(folders)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(name))
        .find(|program| program.metadata().is_ok_and(|found| found.is_file() && found.mode() & 0o111 != 0))
}

/// Only Linux has such a limit.
fn watches() -> Option<Check> {
    let text = std::fs::read_to_string("/proc/sys/fs/inotify/max_user_watches").ok()?;
    let limit: u64 = text.trim().parse().ok()?;
    let told = format!("{limit} files and folders at most");
    Some(if limit < FEW_WATCHES {
        Check::warn("file watches", told, format!("sudo sysctl fs.inotify.max_user_watches={}", FEW_WATCHES * 8))
    } else {
        Check::ok("file watches", told)
    })
}

fn role(token: Option<&OsStr>) -> Check {
    match token {
        Some(token) if !token.is_empty() => Check::warn(
            "role",
            "AUGMENT_TOKEN is set, so commands speak as a run",
            "A run reports on its own task and decides nothing. `unset AUGMENT_TOKEN` to speak as a person.",
        ),
        Some(_) | None => Check::ok("role", "person"),
    }
}

#[cfg(test)]
mod tests {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;
    use crate::output::plain;

    #[test]
    fn findings_and_advice_are_never_cut_off() {
        let long = "x".repeat(200);
        let checks = [
            Check::ok("program", "0.1.0"),
            Check::warn("git", "not found", "Install it."),
            Check::fail("data folder", long.clone(), "chmod 700 it\u{1b}[2J"),
        ];
        let text = plain(&told(&checks, Some(60)));
        assert!(text.contains(&format!("data folder: {long}\n  chmod 700 it\\u{{1b}}[2J")), "{text}");
        assert!(text.contains("git: not found\n  Install it."), "{text}");
        assert!(text.ends_with("1 wrong, 1 to look at."), "{text}");
        assert_eq!(plain(&told(&checks[..1], None)), "CHECK    STATE  FOUND\nprogram  ok     0.1.0\n\nAll is well.");
    }

    #[test]
    fn folders_that_others_can_open_are_wrong() {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("data");
        assert_eq!(private_folder("data folder", &data).state, State::Ok);
        std::fs::create_dir(&data).unwrap();
        std::fs::set_permissions(&data, Permissions::from_mode(0o755)).unwrap();
        let check = private_folder("data folder", &data);
        assert_eq!(check.state, State::Fail);
        assert_eq!(check.advice, Some(format!("chmod 700 {}", data.display())));
        std::fs::set_permissions(&data, Permissions::from_mode(0o700)).unwrap();
        assert_eq!(private_folder("data folder", &data).state, State::Ok);
        assert_eq!(private_file("token", &data).state, State::Fail);
    }

    #[test]
    fn programs_are_found_in_whole_paths_only() {
        let folder = tempfile::tempdir().unwrap();
        let git = folder.path().join("git");
        let folders = std::env::join_paths([Path::new("."), folder.path()]).unwrap();
        std::fs::write(&git, "").unwrap();
        assert_eq!(find_program("git", &folders), None);
        std::fs::set_permissions(&git, Permissions::from_mode(0o755)).unwrap();
        assert_eq!(find_program("git", &folders), Some(git));
    }

    #[test]
    fn a_run_is_told_that_it_is_one() {
        assert_eq!(role(None).state, State::Ok);
        assert_eq!(role(Some(OsStr::new(""))).state, State::Ok);
        assert_eq!(role(Some(OsStr::new("t"))).state, State::Warn);
    }
}
