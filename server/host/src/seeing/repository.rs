//! A repository that (a part of) the workspace lies in, only looked at: its HEAD, its index, its objects. libgit2 runs no
//! filter, hook or monitor for any of these, and nothing is written. A repository that cannot be understood is told,
//! and its files are treated as those of a plain folder.

use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use git2::{ObjectType, Oid, Repository as Git, RepositoryOpenFlags, RepositoryState, Tree};

use super::Head;
use super::conversion::Conversion;
use super::disk::Disk;
use super::index::{BadIndex, Index};
use super::manifest::KnownHead;
use super::rules::{MAX_RULES_BYTES, Rules, Texts};
use super::stamp::{nanoseconds, now_ns};

/// So many stashes are remembered.
const STASHES: usize = 64;
/// So much of HEAD's log is read.
const LOG_BYTES: u64 = 1_024 * 1_024;
/// So many of the commits that HEAD was at are asked for a file.
const PASSED: usize = 32;

/// How HEAD moved.
#[derive(Debug, Default)]
pub(super) struct Way {
    /// The newest commit that HEAD was led to: by a checkout, a merge, a rebase, a reset. A commit takes what lies there
    /// already, and leads nowhere; nor does going back to one.
    pub(super) given: Option<String>,
    /// The commits that HEAD was at, the one it came from among them.
    pub(super) passed: Vec<String>,
}

#[derive(Default)]
struct Stashes {
    /// At the last look.
    newest: Option<Oid>,
    /// When its name was written.
    named_ns: Option<i64>,
    /// All that are there.
    there: Vec<Stash>,
    /// All that were seen, newest last: one that is popped is gone when we look.
    seen: Vec<Stash>,
}

#[derive(Debug, Clone, Copy)]
struct Stash {
    id: Oid,
    /// The tree with what it put aside that was not tracked.
    untracked: Option<Oid>,
    made_ns: i64,
    /// When it was first seen to be gone.
    gone_ns: Option<i64>,
}

/// Which stashes are asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stashed {
    Now,
    /// Also by one that was taken since.
    Ever,
}

pub(super) struct Repository {
    /// Where it lies in the workspace; empty when the workspace lies in it.
    pub(super) folder: Box<[u8]>,
    /// Where the workspace lies in it; empty when it lies in the workspace.
    above: Box<[u8]>,
    /// The folder with its HEAD and index.
    pub(super) own: PathBuf,
    git: Mutex<Git>,
    stashes: Mutex<Stashes>,
    /// Rules that lie outside of the workspace, the strongest last.
    texts: Vec<Texts>,
    /// What its configuration does to every file.
    always: Conversion,
}

impl Repository {
    /// The repository whose top folder this is, or the reason why it cannot be used; `None` when there is none.
    pub(super) fn at(disk: &Disk, folder: &[u8]) -> Option<Result<Self, String>> {
        let path = disk.absolute(folder);
        if std::fs::symlink_metadata(path.join(".git")).is_err() {
            return None;
        }
        Some(Self::open(&path, RepositoryOpenFlags::NO_SEARCH, disk, folder))
    }

    /// The repository that the workspace lies in, at its root or somewhere above it.
    pub(super) fn around(disk: &Disk) -> Option<Result<Self, String>> {
        if let Some(found) = Self::at(disk, b"") {
            return Some(found);
        }
        let top = disk.path.ancestors().skip(1).find(|path| path.join(".git").exists())?;
        match Self::open(top, RepositoryOpenFlags::NO_SEARCH, disk, b"") {
            // A workspace in a folder that the repository leaves out has nothing to do with it.
            Ok(found) if found.leaves_out_the_workspace() => None,
            found => Some(found),
        }
    }

    fn open(path: &Path, flags: RepositoryOpenFlags, disk: &Disk, folder: &[u8]) -> Result<Self, String> {
        let none: [&std::ffi::OsStr; 0] = [];
        let git = Git::open_ext(path, flags, none).map_err(|error| error.message().to_owned())?;
        let work = git.workdir().ok_or("it has no files of its own")?;
        let work = work.canonicalize().map_err(|error| error.to_string())?;
        let here = disk.absolute(folder).canonicalize().map_err(|error| error.to_string())?;
        let above = here.strip_prefix(&work).map_err(|_| "its files lie somewhere else".to_owned())?;
        let above: Box<[u8]> = above.as_os_str().as_bytes().into();
        let mut repository = Self {
            folder: folder.into(),
            above,
            own: git.path().to_owned(),
            texts: Vec::new(),
            always: Conversion::None,
            git: Mutex::new(git),
            stashes: Mutex::default(),
        };
        repository.read_configuration(&work);
        repository.note_stashes();
        Ok(repository)
    }

    fn read_configuration(&mut self, work: &Path) {
        let git = self.git.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner);
        let common = git.commondir().to_owned();
        let config = git.config().and_then(|mut config| config.snapshot()).ok();
        let text = |name: &str| config.as_ref().and_then(|config| config.get_string(name).ok());
        let home = |name: &str, usual: &str| {
            let set = config.as_ref().and_then(|config| config.get_path(name).ok());
            set.or_else(|| configuration_home().map(|home| home.join("git").join(usual)))
        };
        let files = [
            (home("core.excludesFile", "ignore"), home("core.attributesFile", "attributes")),
            (Some(common.join("info/exclude")), Some(common.join("info/attributes"))),
        ];
        for (ignore, attributes) in files {
            let read = |path: Option<PathBuf>| path.and_then(|path| rules_file(&path)).unwrap_or_default();
            self.texts.push(Texts { way: self.above.clone(), ignore: read(ignore), attributes: read(attributes) });
        }
        let converts = |name: &str, harmless: &[&str]| {
            text(name).is_some_and(|value| !harmless.contains(&value.to_lowercase().as_str()))
        };
        if converts("core.autocrlf", &["false", "0", "no", "off"]) || converts("core.eol", &["lf", "native"]) {
            self.always = Conversion::Visible;
        }
        self.read_rules_above(work);
    }

    /// The rules of the folders from the repository's top down to the one above the workspace.
    fn read_rules_above(&mut self, work: &Path) {
        let mut folder = work.to_owned();
        let mut way: &[u8] = &self.above;
        while !way.is_empty() {
            let read = |name: &str| rules_file(&folder.join(name)).unwrap_or_default();
            self.texts.push(Texts { way: way.into(), ignore: read(".gitignore"), attributes: read(".gitattributes") });
            let part = way.split(|byte| *byte == b'/').next().unwrap_or(way);
            folder.push(std::ffi::OsStr::from_bytes(part));
            way = way.get(part.len() + 1..).unwrap_or_default();
        }
    }

    /// The rules at its top, which it has under this number.
    pub(super) fn rules(&self, number: usize) -> Arc<Rules> {
        Rules::top(&self.folder, number, &self.texts, self.always)
    }

    pub(super) fn read_index(&self) -> Result<Index, BadIndex> {
        Index::read(&self.own.join("index"), &self.above, &self.folder)
    }

    /// When the index was written; 0 when there is none.
    pub(super) fn index_ns(&self) -> i64 {
        modified_ns(&self.own.join("index")).unwrap_or(0)
    }

    pub(super) fn state(&self) -> KnownHead {
        KnownHead { head: self.head(), index_ns: self.index_ns(), log_bytes: self.log_bytes() }
    }

    fn head(&self) -> Option<Head> {
        let git = self.lock();
        let head = git.head().ok()?;
        let commit = head.peel_to_commit().ok()?.id().to_string();
        let branch = head.is_branch().then(|| String::from_utf8_lossy(head.shorthand_bytes()).into_owned());
        Some(Head { branch, commit })
    }

    /// How long the log of HEAD is.
    fn log_bytes(&self) -> u64 {
        std::fs::metadata(self.own.join("logs/HEAD")).map_or(0, |found| found.len())
    }

    /// How HEAD came from one place to the other. Without a log, a child of where it was counts as committed.
    pub(super) fn way(&self, known: &KnownHead, now: &KnownHead) -> Way {
        let (from, Some(to)) = (known.head.as_ref(), now.head.as_ref()) else { return Way::default() };
        if from.is_some_and(|from| from.commit == to.commit) {
            return Way { given: Some(to.commit.clone()), passed: vec![to.commit.clone()] };
        }
        if let Some(way) = self.way_by_log(from, to, known.log_bytes) {
            return way;
        }
        let given = match from {
            Some(from) if self.is_next_commit(from, to) => from,
            Some(_) | None => to,
        };
        let passed = from.into_iter().chain([to]).map(|head| head.commit.clone()).collect();
        Way { given: Some(given.commit.clone()), passed }
    }

    /// The same by what the log of HEAD says since; `None` where that does not tell.
    fn way_by_log(&self, from: Option<&Head>, to: &Head, read_until: u64) -> Option<Way> {
        let log = read_from(&self.own.join("logs/HEAD"), read_until)?;
        let mut steps: Vec<(&str, bool)> = Vec::new();
        for line in log.lines() {
            let (ids, said) = line.split_once('\t').unwrap_or((line, ""));
            let mut ids = ids.split(' ');
            let (old, new) = (ids.next()?, ids.next()?);
            let commits = said.starts_with("commit") && !said.starts_with("commit (merge)");
            // An entry that leads nowhere, such as that of a new branch, says nothing.
            if old != new {
                steps.push((new, commits));
            }
        }
        steps.reverse();
        if steps.first().is_none_or(|(newest, _)| *newest != to.commit) {
            return None;
        }
        let is_made = |commit: &str| steps.iter().any(|(made, commits)| *commits && *made == commit);
        let led = steps.iter().find(|(commit, commits)| !commits && !is_made(commit)).map(|(commit, _)| *commit);
        let was = from.map(|from| from.commit.as_str());
        let passed = steps.iter().take(PASSED).map(|(commit, _)| *commit).chain(was);
        Some(Way { given: led.or(was).map(str::to_owned), passed: passed.map(str::to_owned).collect() })
    }

    /// A merge, a rebase or the like waits to be finished.
    pub(super) fn is_in_the_middle(&self) -> bool {
        self.lock().state() != RepositoryState::Clean
    }

    /// Remembers the stashes there are, and tells whether one was made or taken since the last time.
    pub(super) fn note_stashes(&self) -> bool {
        let git = self.lock();
        let newest = git.refname_to_id("refs/stash").ok();
        let named_ns = newest.and_then(|_| modified_ns(&git.commondir().join("refs/stash")));
        let mut known = self.stashes.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        // One that was taken and made again in the same second bears the same number, but is named anew.
        let is_same = known.newest == newest;
        if is_same && (named_ns.is_none() || known.named_ns == named_ns) {
            return false;
        }
        (known.newest, known.named_ns) = (newest, named_ns);
        let all: Vec<Oid> = match git.reflog("refs/stash") {
            Ok(log) => log.iter().take(STASHES).map(|entry| entry.id_new()).collect(),
            Err(_) => newest.into_iter().collect(),
        };
        let noted = |id: Oid| {
            // One that is the newest again, since a newer one is gone, was made when it was made.
            let there = known.there.iter().find(|stash| stash.id == id && !(is_same && newest == Some(id)));
            there.copied().or_else(|| Stash::read(&git, id, named_ns.filter(|_| newest == Some(id))))
        };
        let mut all: Vec<Stash> = all.into_iter().rev().filter_map(noted).collect();
        known.there.clone_from(&all);
        known.seen.retain(|stash| !all.iter().any(|there| there.id == stash.id));
        known.seen.iter_mut().for_each(|stash| stash.gone_ns = stash.gone_ns.or_else(|| Some(now_ns())));
        known.seen.append(&mut all);
        let over = known.seen.len().saturating_sub(STASHES);
        known.seen.drain(..over);
        true
    }

    /// A stash holds this object for the file, tracked or not.
    pub(super) fn has_in_stash(&self, path: &[u8], object: &[u8; 20], which: Stashed) -> bool {
        let inside = self.path_inside(path);
        self.any_stash(which, |git, stash| {
            let tracked = git.find_commit(stash.id).and_then(|commit| commit.tree()).ok();
            let untracked = stash.untracked.and_then(|tree| git.find_tree(tree).ok());
            [tracked, untracked].into_iter().flatten().any(|tree| in_tree(&tree, &inside) == Some(*object))
        })
    }

    /// A stash has put this file aside that was not tracked: it holds it, and is younger than the file as it was last
    /// seen. What it gives back later is younger than the stash.
    pub(super) fn is_put_aside(&self, path: &[u8], seen_ns: i64) -> bool {
        let inside = self.path_inside(path);
        self.any_untracked(&inside, |_, stash, _| seen_ns <= stash.made_ns)
    }

    /// A stash gives back this file that was not tracked: what was written there, while the stash was still there, is what
    /// it holds, or the beginning of it.
    pub(super) fn is_given_back(&self, path: &[u8], bytes: &[u8], written_ns: i64) -> bool {
        let inside = self.path_inside(path);
        self.any_untracked(&inside, |git, stash, object| {
            stash.gone_ns.is_none_or(|gone_ns| written_ns <= gone_ns)
                && git.find_blob(object).is_ok_and(|held| held.content().starts_with(bytes))
        })
    }

    /// Asks the stashes that hold a file that was not tracked, with what they hold.
    fn any_untracked(&self, inside: &[u8], holds: impl Fn(&Git, &Stash, Oid) -> bool) -> bool {
        self.any_stash(Stashed::Ever, |git, stash| {
            let tree = stash.untracked.and_then(|tree| git.find_tree(tree).ok());
            let object = tree.and_then(|tree| Oid::from_bytes(&in_tree(&tree, inside)?).ok());
            object.is_some_and(|object| holds(git, stash, object))
        })
    }

    fn any_stash(&self, which: Stashed, holds: impl Fn(&Git, &Stash) -> bool) -> bool {
        let git = self.lock();
        let stashes = self.stashes.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let asked = match which {
            Stashed::Now => &stashes.there,
            Stashed::Ever => &stashes.seen,
        };
        asked.iter().rev().any(|stash| holds(&git, stash))
    }

    /// One commit replaced or followed the other.
    pub(super) fn is_next_commit(&self, from: &Head, to: &Head) -> bool {
        let git = self.lock();
        let commit = |head: &Head| git.find_commit(Oid::from_str(&head.commit).ok()?).ok();
        let (Some(before), Some(after)) = (commit(from), commit(to)) else { return false };
        from.branch == to.branch
            && (after.parent_ids().any(|parent| parent == before.id())
                || after.parent_ids().collect::<Vec<_>>() == before.parent_ids().collect::<Vec<_>>())
    }

    pub(super) fn object(&self, id: &[u8; 20]) -> Result<Vec<u8>, String> {
        let git = self.lock();
        let read = || {
            let odb = git.odb()?;
            let object = odb.read(Oid::from_bytes(id)?)?;
            Ok::<_, git2::Error>(object.data().to_vec())
        };
        read().map_err(|error| error.message().to_owned())
    }

    pub(super) fn object_length(&self, id: &[u8; 20]) -> Option<u64> {
        let git = self.lock();
        let (length, kind) = git.odb().ok()?.read_header(Oid::from_bytes(id).ok()?).ok()?;
        (kind == ObjectType::Blob).then_some(length as u64)
    }

    /// The content is one that the repository keeps. Nothing is, of course.
    pub(super) fn keeps(&self, id: &[u8; 20]) -> bool {
        let git = self.lock();
        let Ok(id) = Oid::from_bytes(id) else { return false };
        git.odb().is_ok_and(|odb| odb.exists(id))
    }

    /// The object that a commit has for a file.
    pub(super) fn has_in_commit(&self, commit: &str, path: &[u8]) -> Option<[u8; 20]> {
        let git = self.lock();
        let tree = git.find_commit(Oid::from_str(commit).ok()?).ok()?.tree().ok()?;
        in_tree(&tree, &self.path_inside(path))
    }

    /// A path of the workspace as the repository names it.
    fn path_inside(&self, path: &[u8]) -> Vec<u8> {
        let inside = path.strip_prefix(&*self.folder).unwrap_or(path);
        let inside = inside.strip_prefix(b"/").unwrap_or(inside);
        super::manifest::join(&self.above, inside)
    }

    fn leaves_out_the_workspace(&self) -> bool {
        let path = Path::new(std::ffi::OsStr::from_bytes(&self.above));
        self.lock().is_path_ignored(path).unwrap_or(false)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Git> {
        self.git.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl Stash {
    /// Its third parent holds what was not tracked. Without the moment in which it was named, all of the second in
    /// which it was made counts.
    fn read(git: &Git, id: Oid, named_ns: Option<i64>) -> Option<Self> {
        let commit = git.find_commit(id).ok()?;
        let untracked = commit.parent(2).and_then(|part| part.tree()).map(|tree| tree.id()).ok();
        let made_ns = named_ns.unwrap_or_else(|| nanoseconds(commit.time().seconds(), 999_999_999));
        Some(Self { id, untracked, made_ns, gone_ns: None })
    }
}

fn in_tree(tree: &Tree<'_>, path: &[u8]) -> Option<[u8; 20]> {
    let found = tree.get_path(Path::new(std::ffi::OsStr::from_bytes(path))).ok()?;
    found.id().as_bytes().try_into().ok()
}

/// What git would call these bytes.
pub(super) fn object_id(bytes: &[u8]) -> Option<[u8; 20]> {
    Oid::hash_object(ObjectType::Blob, bytes).ok()?.as_bytes().try_into().ok()
}

fn configuration_home() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    set("XDG_CONFIG_HOME").or_else(|| set("HOME").map(|home| home.join(".config")))
}

/// What a file holds from a place on; `None` where that is nothing, or more than is read.
fn read_from(path: &Path, place: u64) -> Option<String> {
    use std::io::{Read as _, Seek as _, SeekFrom};
    let mut file = std::fs::File::open(path).ok()?;
    file.seek(SeekFrom::Start(place)).ok()?;
    let mut bytes = Vec::new();
    file.take(LOG_BYTES + 1).read_to_end(&mut bytes).ok()?;
    let fits = !bytes.is_empty() && u64::try_from(bytes.len()).is_ok_and(|length| length <= LOG_BYTES);
    fits.then(|| String::from_utf8_lossy(&bytes).into_owned())
}

fn modified_ns(path: &Path) -> Option<i64> {
    use std::os::unix::fs::MetadataExt as _;
    std::fs::metadata(path).ok().map(|found| nanoseconds(found.mtime(), found.mtime_nsec()))
}

fn rules_file(path: &Path) -> Option<Vec<u8>> {
    let found = std::fs::metadata(path).ok()?;
    if !found.is_file() || found.len() > MAX_RULES_BYTES {
        return None;
    }
    std::fs::read(path).ok()
}
