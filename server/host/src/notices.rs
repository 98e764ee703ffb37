//! Notices that a session is complete, to whoever wants to know. A target is told once and says in a line what came of it.
//! Which program is told is the person's own setting alone: nothing that comes with a workspace names one or is one, since
//! only a whole path is started, and no shell is involved.

use std::io::Write as _;
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use augment_core::closing::Notice;
use augment_core::settings::is_anywhere;
use augment_core::text::{shortened, visible};
use rustix::process::{Pid, Signal, kill_process_group};

use crate::agents::catalog::in_path;

/// How long a program may take.
const LIMIT: Duration = Duration::from_secs(5);
/// How often it is looked at meanwhile.
const LOOK: Duration = Duration::from_millis(10);

/// Somebody who is told.
pub trait Target {
    /// Tells it. The line says what came of it, also where that is a failure.
    fn tell(&self, notice: &Notice) -> Result<String, String>;
}

/// Editors and other clients: each hears that sessions have moved, and shows what it wants to show.
#[derive(Debug)]
pub struct Clients;

impl Target for Clients {
    fn tell(&self, _: &Notice) -> Result<String, String> {
        Ok("editors and other clients are told with augment/moved".to_owned())
    }
}

/// A program of the person's: the notice goes to its standard input, as JSON.
#[derive(Debug)]
pub struct Program {
    /// The program and its arguments.
    pub words: Vec<String>,
    /// Where it runs.
    pub folder: PathBuf,
}

impl Target for Program {
    fn tell(&self, notice: &Notice) -> Result<String, String> {
        let Some((program, arguments)) = self.words.split_first() else { return Ok("no program is set".to_owned()) };
        let named = visible(&shortened(program, 100)).into_owned();
        let failed = |error: std::io::Error| format!("{named} (notices.command) could not be told: {error}");
        let place = find(program).map_err(|why| format!("{named} (notices.command) could not be told: {why}"))?;
        let mut child = Command::new(place)
            .args(arguments)
            .current_dir(&self.folder)
            // Whoever began this session may be a run; what speaks for it is nobody else's.
            .env_remove("AUGMENT_TOKEN")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()
            .map_err(failed)?;
        if let Some(mut input) = child.stdin.take()
            && let Err(error) = input.write_all(json(notice).as_bytes())
        {
            // A program that does not read what it is told may still do what it is for.
            tracing::debug!("{named} did not read the notice: {error}");
        }
        let status = wait(&mut child).map_err(failed)?;
        match status {
            Some(status) if status.success() => Ok(format!("{named} (notices.command) was told")),
            Some(status) => Err(format!("{named} (notices.command) failed: {status}")),
            None => {
                Err(format!("{named} (notices.command) did not end within {} seconds and was ended", LIMIT.as_secs()))
            }
        }
    }
}

/// The whole path of a program: one that the folder decides about would be the workspace's, not the person's.
fn find(program: &str) -> Result<PathBuf, &'static str> {
    if let Some(below) = program.strip_prefix("~/") {
        let home = std::env::var_os("HOME").map(PathBuf::from).filter(|home| home.is_absolute());
        return home.map(|home| home.join(below)).ok_or("HOME is not set");
    }
    if !program.contains('/') {
        return in_path(program, std::env::var_os("PATH").as_deref()).ok_or("it was not found in PATH");
    }
    if is_anywhere(program) { Ok(PathBuf::from(program)) } else { Err("it is not named by its whole path") }
}

/// How it ended; `None` where it had to be ended.
fn wait(child: &mut Child) -> std::io::Result<Option<std::process::ExitStatus>> {
    let until = Instant::now() + LIMIT;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if Instant::now() >= until {
            // All that it started goes with it.
            if let Err(error) = kill_process_group(Pid::from_child(child), Signal::KILL) {
                tracing::debug!("a program that was told could not be ended: {error}");
            }
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(LOOK);
    }
}

fn json(notice: &Notice) -> String {
    let summary = notice.archive.as_ref().map(|folder| format!("{folder}/{}", crate::archive::form::SUMMARY));
    let document = serde_json::json!({
        "form": "augment-notice/1",
        "kind": "session-completed",
        "session": notice.session.to_string(),
        "number": notice.number,
        "project": notice.project,
        "title": notice.title,
        "outcome": notice.outcome,
        "archive": notice.archive,
        "summary": summary,
    });
    format!("{document}\n")
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;
    use std::path::Path;

    use augment_core::session::SessionId;

    use super::*;

    fn told(script: &str) -> (Result<String, String>, tempfile::TempDir) {
        let folder = tempfile::tempdir().unwrap();
        let words = ["sh", "-c", script].map(str::to_owned).to_vec();
        let notice = Notice {
            session: SessionId(3),
            number: 9,
            project: "demo".to_owned(),
            title: "$(touch broken)".to_owned(),
            outcome: "1/1 of the scope completed".to_owned(),
            archive: Some("memory-bank/x".to_owned()),
        };
        let told = Program { words, folder: folder.path().to_owned() }.tell(&notice);
        (told, folder)
    }

    #[test]
    fn a_program_gets_the_notice_as_json_and_its_end_is_told() {
        let (came, folder) = told("cat > told.json");
        assert_eq!(came, Ok("sh (notices.command) was told".to_owned()));
        let text = std::fs::read_to_string(folder.path().join("told.json")).unwrap();
        let notice: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!((&notice["session"], &notice["summary"]), (&"s3".into(), &"memory-bank/x/summary.md".into()));
        assert_eq!(told("exit 3").0, Err("sh (notices.command) failed: exit status: 3".to_owned()));
        // One that reads nothing is told all the same.
        assert!(told("true").0.is_ok());
        assert_eq!(
            untold("no-such-program", folder.path()),
            "no-such-program (notices.command) could not be told: it was not found in PATH"
        );
    }

    /// Why a program is not told.
    fn untold(program: &str, folder: &Path) -> String {
        let notice = Notice {
            session: SessionId(1),
            number: 1,
            project: String::new(),
            title: String::new(),
            outcome: String::new(),
            archive: None,
        };
        Program { words: vec![program.to_owned()], folder: folder.to_owned() }.tell(&notice).unwrap_err()
    }

    #[test]
    fn a_program_of_the_folder_is_not_started() {
        let folder = tempfile::tempdir().unwrap();
        let shipped = folder.path().join("notify.sh");
        std::fs::write(&shipped, "#!/bin/sh\ntouch started\n").unwrap();
        std::fs::set_permissions(&shipped, std::fs::Permissions::from_mode(0o755)).unwrap();
        for (program, why) in
            [("./notify.sh", "it is not named by its whole path"), ("notify.sh", "it was not found in PATH")]
        {
            let expected = format!("{program} (notices.command) could not be told: {why}");
            assert_eq!(untold(program, folder.path()), expected);
        }
        assert!(!folder.path().join("started").exists());
    }

    #[test]
    fn a_program_that_does_not_end_is_ended() {
        let (came, _folder) = told("exec sleep 600");
        assert_eq!(came, Err("sh (notices.command) did not end within 5 seconds and was ended".to_owned()));
    }
}
