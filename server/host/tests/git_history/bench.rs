//! A repository with a person's configuration of its own, which must be the same at the end.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use augment_core::file::FilePath;
use augment_host::vcs::git::Git;
use augment_host::vcs::history::{Body, History as _, HistoryError, Made, NewCommit, Part, Synthesis};
use tempfile::TempDir;

use crate::script::write_script;

const CONFIGURATION: &str = "[user]\n\tname = Person\n\temail = person@example.org\n[init]\n\tdefaultBranch = main\n[advice]\n\tdetachedHead = false\n";

pub(crate) struct Bench {
    home: TempDir,
    folder: TempDir,
    /// Where the workspace lies in the repository.
    pub(crate) below: PathBuf,
    pub(crate) environment: Vec<(String, String)>,
}

impl Bench {
    /// A repository without a commit.
    pub(crate) fn unborn() -> Self {
        let home = tempfile::tempdir().unwrap();
        std::fs::write(home.path().join("gitconfig"), CONFIGURATION).unwrap();
        let at = |name: &str| home.path().join(name).to_str().unwrap().to_owned();
        let environment = vec![
            ("PATH".to_owned(), std::env::var("PATH").unwrap()),
            ("HOME".to_owned(), at("")),
            ("GIT_CONFIG_GLOBAL".to_owned(), at("gitconfig")),
            ("GIT_CONFIG_NOSYSTEM".to_owned(), "1".to_owned()),
        ];
        let bench = Self { home, folder: tempfile::tempdir().unwrap(), below: PathBuf::new(), environment };
        bench.git(&["init", "-q"]);
        bench
    }

    /// A repository with one commit of these files, each `path=content`.
    pub(crate) fn with(files: &[&str]) -> Self {
        let bench = Self::unborn();
        for file in files {
            let (path, content) = file.split_once('=').unwrap();
            bench.write(path, content);
        }
        bench.git(&["add", "-A"]);
        bench.git(&["commit", "-q", "--allow-empty", "-m", "begin"]);
        bench
    }

    /// The repository's top.
    pub(crate) fn top(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.top().join(&self.below)
    }

    pub(crate) fn home(&self) -> &Path {
        self.home.path()
    }

    pub(crate) fn set(&mut self, name: &str, value: &str) {
        self.environment.push((name.to_owned(), value.to_owned()));
    }

    pub(crate) fn history(&self) -> Git {
        Git::open(&self.root(), &self.environment).unwrap().unwrap()
    }

    pub(crate) fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.top().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    pub(crate) fn hook(&self, name: &str, script: &str) {
        let path = self.top().join(".git/hooks").join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        write_script(&path, &format!("#!/bin/sh\n{script}\n"), 0o755);
    }

    pub(crate) fn try_git(&self, words: &[&str]) -> Output {
        let environment = self.environment.iter().map(|(name, value)| (name, value));
        Command::new("git").args(words).current_dir(self.top()).env_clear().envs(environment).output().unwrap()
    }

    /// What git says, which must be content.
    pub(crate) fn git(&self, words: &[&str]) -> String {
        let output = self.try_git(words);
        assert!(output.status.success(), "git {words:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
    }

    /// What git sees, which for its part writes nothing.
    pub(crate) fn status(&self) -> String {
        self.git(&["--no-optional-locks", "status", "--porcelain", "--untracked-files=all"])
    }

    pub(crate) fn tip(&self) -> Option<String> {
        self.history().ground().unwrap().tip.map(|tip| tip.id)
    }

    /// The bytes of the index, and when it was written.
    pub(crate) fn index(&self) -> (Vec<u8>, std::time::SystemTime) {
        let path = self.top().join(".git/index");
        (std::fs::read(&path).unwrap_or_default(), path.metadata().unwrap().modified().unwrap())
    }

    /// Commits these parts as an intent. The look before it writes nothing and says what the commit says, but for hooks.
    pub(crate) fn try_intent(&self, number: u64, parts: &[Part]) -> Result<Made, HistoryError> {
        let wanted = intent(number, self.tip(), parts);
        let index = self.top().join(".git/index");
        let everything = |bench: &Self| (std::fs::read(&index).ok(), bench.locks(), bench.tip());
        let before = everything(self);
        let looked = self.history().may_commit(&wanted);
        assert_eq!(everything(self), before, "the look has written something");
        let done = self.history().commit(&wanted);
        match (&looked, &done) {
            (Ok(()), Ok(_) | Err(HistoryError::Refused { .. } | HistoryError::Moved { .. })) => {}
            (Err(foreseen), Err(refused)) => assert_eq!(foreseen.to_string(), refused.to_string()),
            (Ok(()) | Err(_), Ok(_) | Err(_)) => panic!("{looked:?} was foreseen, and then it was {done:?}"),
        }
        done
    }

    fn locks(&self) -> Vec<PathBuf> {
        let found = std::fs::read_dir(self.top().join(".git")).unwrap().map(|entry| entry.unwrap().path());
        found.filter(|path| path.extension().is_some_and(|end| end == "lock")).collect()
    }

    pub(crate) fn intent(&self, number: u64, parts: &[Part]) -> Made {
        self.try_intent(number, parts).unwrap()
    }

    /// What makes the session's commit of everything since a base.
    pub(crate) fn plan(&self, base: Option<&str>) -> Synthesis {
        let since = self.history().since(base).unwrap();
        let commits = since.into_iter().filter(|(_, branch)| branch.is_none()).map(|(commit, _)| commit.id).collect();
        Synthesis {
            message: "session: what was asked\n♓︎.5.4.47 5919AM\n\n## Original Prompt\n\nDo it.".to_owned(),
            base: base.map(str::to_owned),
            tip: self.tip().unwrap(),
            commits,
            change: change(1_000),
            prompt: 7,
            bookmark: None,
            operation: None,
        }
    }

    pub(crate) fn judge(&self) {
        let output = self.try_git(&["fsck", "--full", "--strict", "--no-dangling"]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{said}");
        assert!(!self.top().join(".git/index.lock").exists());
        // What the index notes of folders is what its entries come to.
        let noted = self.git(&["write-tree"]);
        let own = tempfile::tempdir().unwrap();
        let script = "git ls-files -s | GIT_INDEX_FILE=$0/index git update-index --index-info && GIT_INDEX_FILE=$0/index git write-tree";
        let environment = self.environment.iter().map(|(name, value)| (name, value));
        let mut command = Command::new("sh");
        command.args(["-c", script]).arg(own.path()).current_dir(self.top()).env_clear().envs(environment);
        let made = String::from_utf8(command.output().unwrap().stdout).unwrap();
        assert_eq!(made.trim_end(), noted, "the index says something else of folders than of files");
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        let kept = std::fs::read_to_string(self.home.path().join("gitconfig")).unwrap();
        assert_eq!(kept, CONFIGURATION, "the person's configuration was written");
        let others = std::fs::read_dir(self.home.path()).unwrap().map(|entry| entry.unwrap().file_name());
        let others: Vec<_> = others.filter(|name| name != "gitconfig" && name != "keys").collect();
        assert!(others.is_empty(), "something was left in the person's home: {others:?}");
    }
}

pub(crate) fn path(text: &str) -> FilePath {
    FilePath::from_text(text).unwrap()
}

pub(crate) fn file(at: &str, content: impl AsRef<[u8]>) -> Part {
    Part { path: path(at), body: Body::File { content: content.as_ref().to_vec(), executable: false } }
}

pub(crate) fn absent(at: &str) -> Part {
    Part { path: path(at), body: Body::Absent }
}

/// A change id of 32 letters from k to z.
pub(crate) fn change(number: u64) -> String {
    format!("{:032x}", u128::from(number) * 0x9e37_79b9_7f4a_7c15)
        .bytes()
        .map(|digit| char::from(b'k' + if digit.is_ascii_digit() { digit - b'0' } else { digit - b'a' + 10 }))
        .collect()
}

pub(crate) fn intent(number: u64, tip: Option<String>, parts: &[Part]) -> NewCommit {
    NewCommit { message: format!("intent: step {number}"), parts: parts.to_vec(), change: change(number), tip }
}
