//! What steers git and is not part of the review: its settings, its hooks and its attributes, in the folder that the
//! workspace's `.git` is or leads to, and in those of its submodules. Whoever writes there has programs run when a person
//! next uses git, so what changed while an agent ran is told.
//!
//! Nothing here judges or changes anything, and no link is followed but `.git` itself. How much is looked at is bounded.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;

/// So many files that steer git are told apart.
const FILES: usize = 256;
/// So many entries of folders are looked at in all.
const ENTRIES: usize = 4_096;
/// So much of a file is compared; of a longer one also its length and when it was changed.
const FILE_BYTES: u64 = 1_024 * 1_024;
/// How deep the folders of submodules may lie in each other.
const DEPTH: usize = 16;
/// So many are named.
const NAMED: usize = 10;
/// Where a look is kept for a later host, in the run's folder.
const KEPT: &str = "git-control";

/// The state of what steers git, at one moment: what each is, by where a person finds it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Control {
    files: BTreeMap<String, String>,
}

struct Look {
    files: BTreeMap<String, String>,
    entries: usize,
}

/// Looks at what steers git in this workspace.
pub(super) fn look(root: &Path) -> Control {
    let mut look = Look { files: BTreeMap::new(), entries: 0 };
    let at = root.join(".git");
    let is_file = at.symlink_metadata().is_ok_and(|found| !found.is_dir());
    if is_file {
        look.file(&at, ".git");
    }
    let folder = if at.is_dir() { Some(at) } else { led_to(&at, "gitdir:", root) };
    let Some(folder) = folder else { return Control { files: look.files } };
    look.git_folder(&folder, ".git", 0);
    // A worktree has some of its own, and shares the rest.
    look.file(&folder.join("commondir"), ".git/commondir");
    if let Some(shared) = led_to(&folder.join("commondir"), "", &folder) {
        look.git_folder(&shared, &shared.display().to_string(), 0);
    }
    if look.files.len() >= FILES || look.entries >= ENTRIES {
        tracing::warn!("{} has more that steers git than is looked at", root.display());
    }
    Control { files: look.files }
}

/// Where a small file of git's leads.
fn led_to(file: &Path, beginning: &str, from: &Path) -> Option<PathBuf> {
    let mut bytes = Vec::new();
    open(file)?.take(4_096).read_to_end(&mut bytes).ok()?;
    let place = bytes.strip_prefix(beginning.as_bytes())?.trim_ascii();
    let folder = from.join(std::ffi::OsStr::from_bytes(place));
    (!place.is_empty() && folder.is_dir()).then(|| folder.canonicalize().unwrap_or(folder))
}

/// A file itself: no link, and nothing that would make us wait.
fn open(path: &Path) -> Option<File> {
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed();
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path).ok()?;
    file.metadata().is_ok_and(|found| found.is_file()).then_some(file)
}

impl Look {
    /// What steers in one folder of git's, and in those of its submodules.
    fn git_folder(&mut self, folder: &Path, shown: &str, depth: usize) {
        for name in ["config", "config.worktree", "info/attributes"] {
            self.file(&folder.join(name), &format!("{shown}/{name}"));
        }
        let hooks = folder.join("hooks");
        if is_folder(&hooks) {
            for name in self.names(&hooks) {
                // Git brings these along and never runs them.
                if !name.ends_with(".sample") {
                    self.file(&hooks.join(&name), &format!("{shown}/hooks/{name}"));
                }
            }
        } else {
            self.file(&hooks, &format!("{shown}/hooks"));
        }
        self.submodules(&folder.join("modules"), &format!("{shown}/modules"), depth + 1);
    }

    /// A submodule's name may hold slashes, so its folder lies anywhere below.
    fn submodules(&mut self, folder: &Path, shown: &str, depth: usize) {
        if depth > DEPTH || !is_folder(folder) {
            return;
        }
        for name in self.names(folder) {
            let (inner, shown) = (folder.join(&name), format!("{shown}/{name}"));
            if inner.join("HEAD").symlink_metadata().is_ok() {
                self.git_folder(&inner, &shown, depth);
            } else {
                self.submodules(&inner, &shown, depth + 1);
            }
        }
    }

    fn names(&mut self, folder: &Path) -> Vec<String> {
        let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
        let left = ENTRIES.saturating_sub(self.entries);
        let mut names: Vec<String> =
            entries.take(left).flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        self.entries += names.len();
        names.sort();
        names
    }

    fn file(&mut self, path: &Path, shown: &str) {
        if self.files.len() < FILES
            && let Some(state) = state(path)
        {
            self.files.insert(shown.to_owned(), state);
        }
    }
}

fn is_folder(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|found| found.is_dir())
}

/// What a file is, as one word; `None` if there is none.
fn state(path: &Path) -> Option<String> {
    let found = path.symlink_metadata().ok()?;
    let mut hasher = blake3::Hasher::new();
    // Also whether it can be run: a hook that cannot is none.
    hasher.update(&found.mode().to_le_bytes());
    if found.is_symlink() {
        hasher.update(std::fs::read_link(path).ok()?.as_os_str().as_bytes());
    } else if let Some(file) = open(path) {
        let mut bytes = Vec::new();
        // What cannot be read to its end is as long as it is.
        file.take(FILE_BYTES).read_to_end(&mut bytes).ok();
        hasher.update(&bytes);
        if found.len() > FILE_BYTES {
            for number in [found.len().cast_signed(), found.mtime(), found.mtime_nsec()] {
                hasher.update(&number.to_le_bytes());
            }
        }
    }
    Some(hasher.finalize().to_hex().to_string())
}

impl Control {
    /// Writes it down for a later host.
    pub(super) fn keep(&self, folder: &Path) -> std::io::Result<()> {
        let mut text = String::new();
        for (path, state) in &self.files {
            text.extend([state, " ", path, "\0"]);
        }
        let beside = folder.join("git-control.new");
        let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&beside)?;
        file.write_all(text.as_bytes())?;
        std::fs::rename(&beside, folder.join(KEPT))
    }

    /// What an earlier host wrote down.
    pub(super) fn kept(folder: &Path) -> Option<Self> {
        let text = std::fs::read_to_string(folder.join(KEPT)).ok()?;
        let lines = text.split_terminator('\0').map(|line| line.split_once(' '));
        let files = lines.map(|line| line.map(|(state, path)| (path.to_owned(), state.to_owned()))).collect();
        Option::<BTreeMap<_, _>>::map(files, |files| Self { files })
    }

    /// What is told of the difference to what is there now, if there is one.
    pub(super) fn what_changed(&self, root: &Path) -> Option<String> {
        let changed = changed(self, &look(root));
        let more = changed.len().saturating_sub(NAMED);
        let named = &changed[..changed.len() - more];
        let names = match (named, more) {
            ([], _) => return None,
            ([one], 0) => one.clone(),
            ([first @ .., last], 0) => format!("{} and {last}", first.join(", ")),
            (_, more) => format!("{} and {more} more", named.join(", ")),
        };
        Some(format!(
            "While it ran, {names} changed. That steers git and is not part of the review: look at it before you use git."
        ))
    }
}

/// What came, went, or is not the same any more.
fn changed(before: &Control, after: &Control) -> Vec<String> {
    let mut paths: Vec<&String> = before.files.keys().chain(after.files.keys()).collect();
    paths.sort();
    paths.dedup();
    paths.into_iter().filter(|path| before.files.get(*path) != after.files.get(*path)).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(root: &Path, path: &str, text: &str) {
        let path = root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// What is found to have changed by `act`, with the look before it written down and read again.
    fn check(root: &Path, act: impl FnOnce(), expected: &[&str]) {
        let before = look(root);
        let folder = tempfile::tempdir().unwrap();
        before.keep(folder.path()).unwrap();
        let kept = Control::kept(folder.path()).unwrap();
        assert_eq!(kept, before);
        act();
        assert_eq!(changed(&kept, &look(root)), expected);
        assert_eq!(kept.what_changed(root).is_some(), !expected.is_empty());
    }

    #[test]
    fn settings_hooks_and_attributes_are_seen_and_nothing_else() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path();
        let put = |path: &str, text: &str| write(root, path, text);
        put(".git/config", "[core]\n");
        put(".git/hooks/pre-push", "#!/bin/sh\n");
        put(".git/modules/lib/one/HEAD", "ref: refs/heads/main\n");
        let others = [".git/index", ".git/HEAD", ".git/refs/heads/main", ".git/hooks/pre-commit.sample", "a.txt"];
        check(root, || others.iter().for_each(|path| put(path, "x")), &[]);
        check(root, || put(".git/config", "[core]\n\tfsmonitor = evil\n"), &[".git/config"]);
        check(root, || put(".git/hooks/pre-commit", "evil"), &[".git/hooks/pre-commit"]);
        check(root, || std::fs::remove_file(root.join(".git/hooks/pre-push")).unwrap(), &[".git/hooks/pre-push"]);
        let runnable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        let hook = root.join(".git/hooks/pre-commit");
        check(root, || std::fs::set_permissions(&hook, runnable).unwrap(), &[".git/hooks/pre-commit"]);
        check(root, || put(".git/info/attributes", "* filter=evil\n"), &[".git/info/attributes"]);
        check(root, || put(".git/modules/lib/one/config", "evil"), &[".git/modules/lib/one/config"]);
        let link = || std::os::unix::fs::symlink("/nowhere", root.join(".git/config.worktree")).unwrap();
        check(root, link, &[".git/config.worktree"]);
    }

    #[test]
    fn a_worktree_leads_to_what_it_shares() {
        let folder = tempfile::tempdir().unwrap();
        let (main, tree) = (folder.path().join("main"), folder.path().join("tree"));
        write(&main, ".git/worktrees/tree/commondir", "../..\n");
        write(&tree, ".git", &format!("gitdir: {}\n", main.join(".git/worktrees/tree").display()));
        let shared = main.join(".git").canonicalize().unwrap().display().to_string();
        check(&tree, || write(&main, ".git/config", "evil"), &[&format!("{shared}/config")]);
        check(
            &tree,
            || write(&tree, ".git", "gitdir: /nowhere\n"),
            &[".git", ".git/commondir", &format!("{shared}/config")],
        );
    }

    #[test]
    fn nothing_makes_it_wait_and_nothing_makes_it_long() {
        let root = tempfile::tempdir().unwrap();
        let hooks = root.path().join(".git/hooks");
        std::fs::create_dir_all(&hooks).unwrap();
        let pipe = root.path().join(".git/config");
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
        for number in 0..FILES * 2 {
            std::fs::write(hooks.join(number.to_string()), "").unwrap();
        }
        assert_eq!(look(root.path()).files.len(), FILES);
        let told = Control::default().what_changed(root.path()).unwrap();
        assert!(told.starts_with("While it ran, .git/config, ") && told.contains("and 246 more changed."), "{told}");
    }
}
