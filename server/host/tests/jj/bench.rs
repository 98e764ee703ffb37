//! A repository of jj with a home of its own. The real program comes from `AUGMENT_TEST_JJ`; no configuration of the
//! person who runs the tests is read.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use augment_core::file::FilePath;
use augment_host::vcs::Jj;
use augment_host::vcs::history::{Body, History as _, Made, NewCommit, Part, Result, Synthesis};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Colocated,
    Apart,
}

/// What a file on disk is: its kind and mode, content or target, and when it was last written.
pub(crate) type OnDisk = BTreeMap<PathBuf, (u32, Vec<u8>, i64, i64)>;

pub(crate) struct Bench {
    pub(crate) temporary: tempfile::TempDir,
    /// The repository.
    pub(crate) top: PathBuf,
    /// The workspace: the repository, or a folder in it.
    pub(crate) root: PathBuf,
    pub(crate) environment: Vec<(String, String)>,
}

impl Bench {
    pub(crate) fn new(kind: Kind) -> Self {
        Self::with(kind, "")
    }

    pub(crate) fn with(kind: Kind, folder: &str) -> Self {
        let temporary = tempfile::tempdir().unwrap();
        let place = temporary.path().canonicalize().unwrap();
        let real = std::env::var("AUGMENT_TEST_JJ")
            .expect("AUGMENT_TEST_JJ names no jj. Run these tests with `npm test -- rust`, which installs one");
        for name in ["home", "bin", "repository"] {
            fs::create_dir(place.join(name)).unwrap();
        }
        symlink(real, place.join("bin/jj")).unwrap();
        let home = place.join("home").to_str().unwrap().to_owned();
        let path = format!("{}:{}", place.join("bin").display(), std::env::var("PATH").unwrap());
        let environment = [
            ("PATH", path.as_str()),
            ("HOME", &home),
            ("XDG_CONFIG_HOME", &format!("{home}/.config")),
            ("JJ_USER", "Ann Author"),
            ("JJ_EMAIL", "ann@example.com"),
            ("GIT_CONFIG_NOSYSTEM", "1"),
        ];
        let environment = environment.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
        let top = place.join("repository");
        let bench = Self { root: top.join(folder), top, environment, temporary };
        let how = match kind {
            Kind::Colocated => "--colocate",
            Kind::Apart => "--no-colocate",
        };
        bench.jj(&["git", "init", how, "."]);
        fs::create_dir_all(&bench.root).unwrap();
        bench
    }

    /// The same repository in another place, with everything that belongs to it.
    pub(crate) fn copy(&self) -> Self {
        let temporary = tempfile::tempdir().unwrap();
        let place = temporary.path().canonicalize().unwrap();
        let from = self.temporary.path().canonicalize().unwrap();
        let copied = Command::new("cp").arg("-a").arg(from.join(".")).arg(&place).status().unwrap();
        assert!(copied.success());
        let moved = |path: &Path| place.join(path.strip_prefix(&from).unwrap());
        let (old, new) = (from.to_str().unwrap(), place.to_str().unwrap());
        let environment = self.environment.iter().map(|(name, value)| (name.clone(), value.replace(old, new)));
        Self { top: moved(&self.top), root: moved(&self.root), environment: environment.collect(), temporary }
    }

    pub(crate) fn history(&self) -> Jj {
        Jj::open(&self.root, &self.environment).unwrap().unwrap()
    }

    pub(crate) fn run(&self, program: &str, folder: &Path, arguments: &[&str]) -> Output {
        let environment = self.environment.iter().map(|(name, value)| (name, value));
        // Looked up in the environment that it gets, not in ours.
        let mut command = Command::new("/usr/bin/env");
        command.arg(program).args(arguments).current_dir(folder).env_clear().envs(environment).output().unwrap()
    }

    pub(crate) fn jj(&self, arguments: &[&str]) -> String {
        self.program("jj", &self.top, &[&["--no-pager", "--color=never", "--quiet"], arguments].concat())
    }

    pub(crate) fn git(&self, folder: &Path, arguments: &[&str]) -> String {
        let who = ["-c", "user.name=Bob", "-c", "user.email=bob@example.com"];
        self.program("git", folder, &[&who, arguments].concat())
    }

    fn program(&self, program: &str, folder: &Path, arguments: &[&str]) -> String {
        let output = self.run(program, folder, arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{program} {arguments:?}: {said}");
        String::from_utf8(output.stdout).unwrap()
    }

    pub(crate) fn put(&self, path: &str, content: &str) {
        let at = self.root.join(path);
        fs::create_dir_all(at.parent().unwrap()).unwrap();
        fs::write(at, content).unwrap();
    }

    pub(crate) fn mode(&self, path: &str, mode: u32) {
        fs::set_permissions(self.root.join(path), fs::Permissions::from_mode(mode)).unwrap();
    }

    /// Hash of the only commit of a revset.
    pub(crate) fn id(&self, revset: &str) -> String {
        self.jj(&["log", "--ignore-working-copy", "--no-graph", "-r", revset, "-T", "commit_id"])
    }

    /// Whether a commit is neither rewritten nor abandoned.
    pub(crate) fn is_there(&self, id: &str) -> bool {
        self.jj(&["log", "--ignore-working-copy", "--no-graph", "-r", id, "-T", "hidden"]) == "false"
    }

    pub(crate) fn message(&self, revset: &str) -> String {
        self.jj(&["log", "--ignore-working-copy", "--no-graph", "-r", revset, "-T", "description"])
    }

    pub(crate) fn tree(&self, id: &str) -> String {
        let store = self.jj(&["--ignore-working-copy", "git", "root"]);
        self.git(&self.top, &["--git-dir", store.trim(), "rev-parse", &format!("{id}^{{tree}}")])
    }

    /// The files that a commit changes, with their content, as `path=content`; a missing one has no content.
    pub(crate) fn changes(&self, revset: &str) -> Vec<String> {
        let names = self.jj(&["diff", "--ignore-working-copy", "-r", revset, "--name-only"]);
        let told = names.lines().map(|name| {
            let shown = self.run("jj", &self.top, &["--ignore-working-copy", "file", "show", "-r", revset, name]);
            match shown.status.success() {
                true => format!("{name}={}", String::from_utf8(shown.stdout).unwrap()),
                false => name.to_owned(),
            }
        });
        told.collect()
    }

    /// A commit made by jj itself, of everything in `@`.
    pub(crate) fn committed(&self, path: &str, content: &str, message: &str) -> String {
        self.put(path, content);
        self.jj(&["commit", "-m", message]);
        self.id("@-")
    }

    /// What the look before it refuses is refused with the same words.
    pub(crate) fn commit(&self, message: &str, parts: Vec<Part>) -> Result<Made> {
        let wanted = self.wanted(message, parts);
        let looked = self.history().may_commit(&wanted);
        let done = self.history().commit(&wanted);
        if let Err(foreseen) = looked {
            assert_eq!(Some(foreseen.to_string()), done.as_ref().err().map(ToString::to_string));
        }
        done
    }

    pub(crate) fn wanted(&self, message: &str, parts: Vec<Part>) -> NewCommit {
        let tip = self.history().ground().unwrap().tip.map(|tip| tip.id);
        NewCommit { message: message.to_owned(), parts, change: "k".repeat(32), tip }
    }

    pub(crate) fn plan(&self, base: &str, message: &str) -> Synthesis {
        let history = self.history();
        let tip = history.ground().unwrap().tip.unwrap().id;
        let commits = history.since(Some(base)).unwrap().into_iter().map(|(commit, _)| commit);
        // What lies uncommitted in `@` is no part of it.
        let working = self.id("@");
        Synthesis {
            message: message.to_owned(),
            base: Some(base.to_owned()),
            tip,
            commits: commits.map(|commit| commit.id).filter(|id| *id != working).collect(),
            change: "k".repeat(32),
            prompt: 7,
            bookmark: Some("dev".to_owned()),
            operation: None,
        }
    }

    /// A session of one commit, also where it is not listed any more.
    pub(crate) fn plan_of(&self, base: &str, single: &str) -> Synthesis {
        Synthesis { commits: vec![single.to_owned()], ..self.plan(base, "session: of one\n") }
    }

    pub(crate) fn disk(&self) -> OnDisk {
        let mut all = OnDisk::new();
        gather(&self.top, &mut all, |name| name == ".jj" || name == ".git");
        all
    }

    /// All that lies in the home folder: settings, of git and jj, and whatever else.
    pub(crate) fn home(&self) -> OnDisk {
        let mut all = OnDisk::new();
        gather(&self.top.parent().unwrap().join("home"), &mut all, |_| false);
        all
    }

    /// A bare repository as the remote `origin`, with the bookmark `dev` at `@-`.
    pub(crate) fn remote(&self) {
        self.remote_at("@-");
    }

    pub(crate) fn remote_at(&self, revset: &str) {
        let bare = self.top.parent().unwrap().join("bare");
        self.git(&self.top, &["init", "--quiet", "--bare", bare.to_str().unwrap()]);
        self.jj(&["git", "remote", "add", "origin", "../bare"]);
        self.jj(&["bookmark", "set", "--allow-backwards", "dev", "-r", revset]);
        self.jj(&["git", "push", "--remote", "origin", "--bookmark", "dev"]);
    }

    pub(crate) fn at_remote(&self, branch: &str) -> String {
        let bare = self.top.parent().unwrap().join("bare");
        self.git(&bare, &["rev-parse", branch]).trim().to_owned()
    }

    /// Somebody else pushes a commit to the remote's `dev`.
    pub(crate) fn other_pushes(&self) -> String {
        let place = self.top.parent().unwrap().to_owned();
        self.git(&place, &["clone", "--quiet", "--branch", "dev", "bare", "other"]);
        let other = place.join("other");
        fs::write(other.join("mate.txt"), "mate\n").unwrap();
        self.git(&other, &["add", "--all"]);
        self.git(&other, &["commit", "--quiet", "-m", "meanwhile"]);
        self.git(&other, &["push", "--quiet", "origin", "dev"]);
        self.git(&other, &["rev-parse", "HEAD"]).trim().to_owned()
    }
}

fn gather(folder: &Path, all: &mut OnDisk, is_passed: fn(&str) -> bool) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if is_passed(path.file_name().unwrap().to_str().unwrap()) {
            continue;
        }
        let about = fs::symlink_metadata(&path).unwrap();
        if about.is_dir() {
            gather(&path, all, is_passed);
            continue;
        }
        let content = if about.is_symlink() {
            fs::read_link(&path).unwrap().into_os_string().into_encoded_bytes()
        } else {
            fs::read(&path).unwrap()
        };
        all.insert(path, (about.mode(), content, about.mtime(), about.mtime_nsec()));
    }
}

pub(crate) fn path(text: &str) -> FilePath {
    FilePath::new(text).unwrap()
}

pub(crate) fn text(at: &str, content: &str) -> Part {
    Part { path: path(at), body: Body::File { content: content.as_bytes().to_vec(), executable: false } }
}

pub(crate) fn program(at: &str, content: &str) -> Part {
    Part { path: path(at), body: Body::File { content: content.as_bytes().to_vec(), executable: true } }
}

pub(crate) fn link(at: &str, target: &str) -> Part {
    Part { path: path(at), body: Body::Link(target.as_bytes().to_vec()) }
}

pub(crate) fn gone(at: &str) -> Part {
    Part { path: path(at), body: Body::Absent }
}
