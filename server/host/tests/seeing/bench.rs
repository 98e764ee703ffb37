//! A workspace with a shelf and a sink in memory, and a line of text for everything that was seen.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Condvar, Mutex};

use augment_core::attribution::FromVcs;
use augment_core::file::{Body, ContentHash, FilePath, FileState};
use augment_host::seeing::{Before, Cause, Condition, Options, Seeing, SeenBatch, Shelf, Sink};

/// Both the shelf and the sink. It outlives the seeing, as a database does.
#[derive(Default)]
pub(crate) struct Store {
    pub(crate) blobs: Mutex<HashMap<ContentHash, Vec<u8>>>,
    pub(crate) overrides: Mutex<BTreeMap<FilePath, (u64, Vec<u8>)>>,
    pub(crate) woven: Mutex<BTreeSet<FilePath>>,
    pub(crate) batches: Mutex<Vec<SeenBatch>>,
    /// The next batches are refused with this reason.
    pub(crate) refusal: Mutex<Option<String>>,
    /// Batches wait while this is true.
    held: Mutex<bool>,
    changed: Condvar,
    waiting: Mutex<usize>,
}

impl Shelf for Store {
    fn keep(&self, contents: Vec<Vec<u8>>) -> Result<(), String> {
        let mut blobs = self.blobs.lock().unwrap();
        blobs.extend(contents.into_iter().map(|content| (ContentHash::of(&content), content)));
        Ok(())
    }

    fn fetch(&self, hash: ContentHash) -> Result<Option<Vec<u8>>, String> {
        Ok(self.blobs.lock().unwrap().get(&hash).cloned())
    }

    fn overrides(&self) -> Result<Vec<(FilePath, u64, Vec<u8>)>, String> {
        let overrides = self.overrides.lock().unwrap();
        Ok(overrides.iter().map(|(path, (generation, entry))| (path.clone(), *generation, entry.clone())).collect())
    }

    fn forget_overrides(&self, up_to_generation: u64) -> Result<(), String> {
        self.overrides.lock().unwrap().retain(|_, (generation, _)| *generation > up_to_generation);
        Ok(())
    }

    fn is_woven(&self, path: &FilePath) -> bool {
        self.woven.lock().unwrap().contains(path)
    }

    fn woven_text(&self, _: &FilePath) -> Option<Vec<u8>> {
        None
    }
}

impl Sink for Store {
    fn seen(&self, batch: SeenBatch) -> Result<(), String> {
        *self.waiting.lock().unwrap() += 1;
        self.changed.notify_all();
        let mut held = self.held.lock().unwrap();
        while *held {
            held = self.changed.wait(held).unwrap();
        }
        drop(held);
        if let Some(reason) = self.refusal.lock().unwrap().clone() {
            return Err(reason);
        }
        let mut overrides = self.overrides.lock().unwrap();
        let own = batch.changes.iter().map(|seen| (&seen.path, &seen.entry));
        let quiet = batch.vcs.iter().flat_map(|vcs| &vcs.quiet_paths).map(|(path, entry)| (path, entry));
        let refreshed = batch.refreshed.iter().map(|(path, entry)| (path, entry));
        for (path, entry) in own.chain(quiet).chain(refreshed) {
            overrides.insert(path.clone(), (batch.generation, entry.clone()));
        }
        for seen in &batch.changes {
            // As whoever weaves does: the text is kept with the file's story.
            if let (Body::Text(text), Some(hash)) = (&seen.now.body, seen.content_hash) {
                self.blobs.lock().unwrap().insert(hash, text.clone());
            }
        }
        self.batches.lock().unwrap().push(batch);
        Ok(())
    }
}

impl Store {
    /// Lets no batch through until [`Self::release`].
    pub(crate) fn hold(&self) {
        *self.held.lock().unwrap() = true;
        *self.waiting.lock().unwrap() = 0;
    }

    pub(crate) fn wait_for_a_batch(&self) {
        let mut waiting = self.waiting.lock().unwrap();
        while *waiting == 0 {
            let (again, _) = self.changed.wait_timeout(waiting, std::time::Duration::from_millis(20)).unwrap();
            waiting = again;
        }
    }

    pub(crate) fn release(&self) {
        *self.held.lock().unwrap() = false;
        self.changed.notify_all();
    }
}

pub(crate) struct Bench {
    pub(crate) root: PathBuf,
    pub(crate) data: PathBuf,
    pub(crate) store: Arc<Store>,
    pub(crate) folder: tempfile::TempDir,
}

impl Bench {
    /// A plain folder.
    pub(crate) fn plain() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("work");
        let data = folder.path().join("data");
        std::fs::create_dir(&root).unwrap();
        std::fs::create_dir(&data).unwrap();
        Self { root, data, store: Arc::default(), folder }
    }

    /// A repository with one commit of these files, given as `name=content`.
    pub(crate) fn repository(files: &[&str]) -> Self {
        let bench = Self::plain();
        bench.git("init -q -b main");
        for file in files {
            let (name, content) = file.split_once('=').unwrap();
            bench.write(name, content);
        }
        bench.git("add -A");
        bench.git("commit -q --allow-empty -m first");
        bench
    }

    pub(crate) fn path(&self, name: impl AsRef<[u8]>) -> PathBuf {
        self.root.join(std::ffi::OsStr::from_bytes(name.as_ref()))
    }

    pub(crate) fn write(&self, name: impl AsRef<[u8]>, content: impl AsRef<[u8]>) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    pub(crate) fn remove(&self, name: &str) {
        std::fs::remove_file(self.path(name)).unwrap();
    }

    pub(crate) fn git(&self, arguments: &str) {
        self.git_in("", arguments);
    }

    pub(crate) fn git_in(&self, folder: &str, arguments: &str) {
        let output = git_command(&self.root.join(folder)).args(arguments.split(' ')).output().unwrap();
        assert!(output.status.success(), "git {arguments}: {}", String::from_utf8_lossy(&output.stderr));
    }

    /// Puts a file in place in one step, so that nobody can see a part of it.
    pub(crate) fn replace(&self, name: &str, content: &str) {
        let beside = self.folder.path().join("beside");
        std::fs::write(&beside, content).unwrap();
        std::fs::rename(beside, self.path(name)).unwrap();
    }

    /// Looks only when asked to, so that a slow machine does not show files that are half written.
    pub(crate) fn start(&self) -> Seeing {
        self.start_with(patient())
    }

    pub(crate) fn start_with(&self, options: Options) -> Seeing {
        Seeing::start(&self.root, &self.data, self.store.clone(), self.store.clone(), options).unwrap()
    }

    pub(crate) fn once(&self) -> Condition {
        Seeing::once(&self.root, &self.data, self.store.clone(), self.store.clone(), Options::default()).unwrap()
    }

    /// Everything that was handed over since the last time, a line for each, in the order of paths.
    pub(crate) fn told(&self) -> Vec<String> {
        let batches = std::mem::take(&mut *self.store.batches.lock().unwrap());
        let mut lines: Vec<String> = batches.iter().flat_map(lines).collect();
        lines.sort();
        lines
    }

    /// What was seen once all that happened so far is handed over.
    pub(crate) fn settled(&self, seeing: &Seeing) -> Vec<String> {
        seeing.settle().unwrap();
        self.told()
    }

    pub(crate) fn batches(&self) -> Vec<SeenBatch> {
        std::mem::take(&mut *self.store.batches.lock().unwrap())
    }

    pub(crate) fn base(&self, seeing: &Seeing, name: impl AsRef<[u8]>) -> String {
        match seeing.base(&FilePath::new(name.as_ref()).unwrap()).unwrap() {
            Before::Known(state) => self.shown(&state),
            Before::NotNeeded => "not needed".into(),
            Before::Unknown(why) => format!("unknown: {why}"),
        }
    }

    fn shown(&self, state: &FileState) -> String {
        if let Body::Whole { hash, .. } = &state.body {
            assert!(self.store.blobs.lock().unwrap().contains_key(hash), "the bytes of {} are not kept", state.path);
        }
        shown(state)
    }
}

pub(crate) fn patient() -> Options {
    let long = std::time::Duration::from_secs(3_600);
    Options { quiet: long, at_most: long, ..Options::default() }
}

pub(crate) fn git_command(folder: &Path) -> Command {
    let mut command = Command::new("git");
    command.current_dir(folder).env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
    for who in ["AUTHOR", "COMMITTER"] {
        command.env(format!("GIT_{who}_NAME"), "somebody").env(format!("GIT_{who}_EMAIL"), "somebody@example.com");
    }
    for config in ["protocol.file.allow=always", "advice.detachedHead=false", "gc.auto=0"] {
        command.arg("-c").arg(config);
    }
    command
}

fn lines(batch: &SeenBatch) -> Vec<String> {
    let cause = match &batch.cause {
        Cause::Live => "",
        Cause::Rescan(_) => "rescan ",
        Cause::Gap => "gap ",
    };
    let mut lines: Vec<String> = batch
        .changes
        .iter()
        .map(|seen| {
            let by = match seen.from_vcs {
                FromVcs::No => "",
                FromVcs::Perhaps => "perhaps vcs ",
                FromVcs::Yes => "vcs ",
            };
            let before = match &seen.before {
                Before::Known(state) => shown(state),
                Before::NotNeeded => "woven".into(),
                Before::Unknown(_) => "unknown".into(),
            };
            let from = seen.renamed_from.as_ref().map_or(String::new(), |from| format!("{from} -> "));
            format!("{cause}{by}{from}{}: {before} => {}", seen.path, shown(&seen.now))
        })
        .collect();
    if let Some(vcs) = &batch.vcs {
        lines.extend(vcs.quiet_paths.iter().map(|(path, _)| format!("{cause}quiet {path}")));
        let head = |head: &Option<augment_host::seeing::Head>| {
            head.as_ref().map_or("none".into(), |head| head.branch.clone().unwrap_or_else(|| "detached".into()))
        };
        if vcs.from != vcs.to {
            let committed = if vcs.committed { "committed" } else { "moved" };
            let place = vcs.repository.as_ref().map_or(String::new(), |path| format!(" in {path}"));
            lines.push(format!("{cause}HEAD {committed} {} => {}{place}", head(&vcs.from), head(&vcs.to)));
        }
    }
    lines
}

fn shown(state: &FileState) -> String {
    let mode = if state.mode & 0o111 != 0 { " +x" } else { "" };
    let body = match &state.body {
        Body::Absent => "absent".into(),
        Body::Text(text) => format!("{:?}", String::from_utf8_lossy(text)),
        Body::Whole { length, .. } => format!("{length} bytes"),
        Body::Link(target) => format!("link {}", String::from_utf8_lossy(target)),
        Body::Large { length, .. } => format!("large {length}"),
        Body::Special => "special".into(),
    };
    body + mode
}
