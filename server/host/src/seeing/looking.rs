//! What everyone who looks at the workspace shares: the grounds (disk, rules, repositories), and the eye, which adds what
//! is known and where it goes. Locks are held for look-ups only, never while the sink or the shelf is at work.

use std::collections::{HashMap, HashSet};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::SystemTime;

use augment_core::file::{Body, FilePath, FileState};
use ignore::gitignore::Gitignore;

use super::disk::Disk;
use super::index::Index;
use super::manifest::{Content, Entry, Manifest, join, split};
use super::repository::Repository;
use super::rules::{Rules, patterns};
use super::stamp::Kind;
use super::{Before, Condition, Options, SeeError, Shelf, Sight, Sink};

/// So many folders' rules are remembered.
const RULES_REMEMBERED: usize = 10_000;
/// So many sentences about what is not seen are kept; more would not be read.
const MAX_NOTES: usize = 50;

pub(super) struct Grounds {
    pub(super) disk: Disk,
    pub(super) options: Options,
    own_patterns: Gitignore,
    /// Our own data folder, if it lies in the workspace.
    data: Option<Vec<u8>>,
    repositories: RwLock<Repositories>,
    indexes: Mutex<HashMap<usize, Option<Arc<Index>>>>,
    rules: Mutex<RulesByFolder>,
    /// Left-out files that were looked up in the index and are not there.
    untracked: Mutex<HashSet<Box<[u8]>>>,
    notes: Mutex<Notes>,
}

/// By folder: the rules in force there, and whether it is left out.
type RulesByFolder = HashMap<Box<[u8]>, (Arc<Rules>, bool)>;

#[derive(Default)]
struct Repositories {
    all: Vec<Arc<Repository>>,
    /// By folder; `None` where there is something that is not understood.
    by_folder: HashMap<Box<[u8]>, Option<usize>>,
}

#[derive(Default)]
struct Notes {
    /// By what they are about, so that each is told once.
    limits: Vec<(String, String)>,
    left_out: usize,
}

impl Grounds {
    pub(super) fn new(disk: Disk, data: &Path, options: Options) -> Self {
        let inside = data.canonicalize().ok().and_then(|data| {
            let root = disk.path.canonicalize().ok()?;
            Some(data.strip_prefix(root).ok()?.as_os_str().as_bytes().to_vec())
        });
        let grounds = Self {
            own_patterns: patterns(options.ignore.join("\n").as_bytes()),
            data: inside.filter(|inside| !inside.is_empty()),
            disk,
            options,
            repositories: RwLock::default(),
            indexes: Mutex::default(),
            rules: Mutex::default(),
            untracked: Mutex::default(),
            notes: Mutex::default(),
        };
        grounds.find_repository_around();
        grounds
    }

    fn find_repository_around(&self) {
        let found = Repository::around(&self.disk);
        self.remember_repository(b"", found);
    }

    fn remember_repository(&self, folder: &[u8], found: Option<Result<Repository, String>>) -> Option<usize> {
        let found = match found? {
            Ok(repository) => Some(Arc::new(repository)),
            Err(why) => {
                let name = shown(if folder.is_empty() { b"." } else { folder });
                self.note(&about_repository(folder), &format!(
                    "The repository in {name} is not understood ({why}), so its files are copied when they are first seen, and what it does to them is not known."
                ));
                None
            }
        };
        let mut repositories = self.repositories.write().unwrap_or_else(PoisonError::into_inner);
        let number = found.map(|found| {
            repositories.all.push(found);
            repositories.all.len() - 1
        });
        repositories.by_folder.insert(folder.into(), number);
        number
    }

    /// The number of the repository whose top this folder is.
    pub(super) fn repository_at(&self, folder: &[u8]) -> Option<usize> {
        if let Some(known) = self.read_repositories().by_folder.get(folder) {
            return *known;
        }
        self.remember_repository(folder, Repository::at(&self.disk, folder))
    }

    /// Something happened to a `.git` in this folder: what was known of it is looked up afresh.
    pub(super) fn forget_repository(&self, folder: &[u8]) {
        self.repositories.write().unwrap_or_else(PoisonError::into_inner).by_folder.remove(folder);
        self.forget_rules();
        if folder.is_empty() {
            self.find_repository_around();
        }
    }

    /// Tries again to open what was not understood: a repository may have been in the making.
    pub(super) fn retry_repositories(&self) {
        let failed: Vec<Box<[u8]>> = {
            let repositories = self.read_repositories();
            let failed = repositories.by_folder.iter().filter(|(_, number)| number.is_none());
            failed.map(|(folder, _)| folder.clone()).collect()
        };
        for folder in failed {
            if let Some(Ok(repository)) = Repository::at(&self.disk, &folder) {
                self.unnote(&about_repository(&folder));
                self.remember_repository(&folder, Some(Ok(repository)));
                self.forget_rules();
            }
        }
    }

    pub(super) fn repository(&self, number: usize) -> Option<Arc<Repository>> {
        self.read_repositories().all.get(number).cloned()
    }

    /// All repositories that are there, by number.
    pub(super) fn repositories(&self) -> Vec<(usize, Arc<Repository>)> {
        let repositories = self.read_repositories();
        let numbers = repositories.by_folder.values().copied().flatten();
        let mut all: Vec<_> = numbers.map(|number| (number, Arc::clone(&repositories.all[number]))).collect();
        all.sort_by_key(|(number, _)| *number);
        all
    }

    /// The repository that a path lies in: the innermost one.
    pub(super) fn repository_of(&self, path: &[u8]) -> Option<usize> {
        let repositories = self.read_repositories();
        let mut folder = path;
        loop {
            folder = split(folder).0;
            match repositories.by_folder.get(folder) {
                Some(found) => return *found,
                None if folder.is_empty() => return None,
                None => {}
            }
        }
    }

    fn read_repositories(&self) -> RwLockReadGuard<'_, Repositories> {
        self.repositories.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// A repository's index, read once until [`Self::forget_indexes`]. `None` when it cannot be used, which is told.
    pub(super) fn index(&self, number: usize) -> Option<Arc<Index>> {
        let mut indexes = self.indexes.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = indexes.get(&number) {
            return known.clone();
        }
        let repository = self.repository(number)?;
        let about = format!("index {number}");
        let index = match repository.read_index() {
            Ok(index) => {
                self.unnote(&about);
                Some(Arc::new(index))
            }
            Err(why) => {
                let place = shown(repository.own.join("index").as_os_str().as_bytes());
                self.note(&about, &format!("{place} cannot be used: {why}. The files of that repository are copied when they are first seen."));
                None
            }
        };
        indexes.insert(number, index.clone());
        index
    }

    pub(super) fn forget_indexes(&self) {
        self.indexes.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    pub(super) fn top_rules(&self, number: usize) -> Arc<Rules> {
        self.repository(number).map_or_else(Rules::plain, |repository| repository.rules(number))
    }

    /// The rules in force where a folder lies, and whether that place is left out.
    pub(super) fn rules_above(&self, folder: &[u8]) -> (Arc<Rules>, bool) {
        if folder.is_empty() {
            let around = self.read_repositories().by_folder.get(&b""[..]).copied().flatten();
            return (around.map_or_else(Rules::plain, |number| self.top_rules(number)), false);
        }
        self.rules_for(split(folder).0)
    }

    /// The rules in force for what lies directly in a folder, and whether that folder is left out.
    pub(super) fn rules_for(&self, folder: &[u8]) -> (Arc<Rules>, bool) {
        if let Some((rules, left_out)) = self.lock_rules().get(folder) {
            return (Arc::clone(rules), *left_out);
        }
        let (mut rules, mut left_out) = self.rules_above(folder);
        if !folder.is_empty() {
            left_out = left_out || self.leaves_out(&rules, folder, true);
            if self.disk.absolute(folder).join(".git").symlink_metadata().is_ok()
                && let Some(number) = self.repository_at(folder)
            {
                rules = self.top_rules(number);
            }
        }
        let has = |name: &str| self.disk.absolute(folder).join(name).symlink_metadata().is_ok();
        let rules = rules.enter(&self.disk, folder, has(".gitignore"), has(".gitattributes"));
        let mut remembered = self.lock_rules();
        if remembered.len() >= RULES_REMEMBERED {
            remembered.clear();
        }
        remembered.insert(folder.into(), (Arc::clone(&rules), left_out));
        (rules, left_out)
    }

    pub(super) fn forget_rules(&self) {
        self.lock_rules().clear();
    }

    pub(super) fn is_known_untracked(&self, path: &[u8]) -> bool {
        self.untracked.lock().unwrap_or_else(PoisonError::into_inner).contains(path)
    }

    pub(super) fn remember_untracked(&self, path: &[u8]) {
        let mut untracked = self.untracked.lock().unwrap_or_else(PoisonError::into_inner);
        if untracked.len() >= RULES_REMEMBERED {
            untracked.clear();
        }
        untracked.insert(path.into());
    }

    /// The index or the rules changed.
    pub(super) fn forget_untracked(&self) {
        self.untracked.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    fn lock_rules(&self) -> MutexGuard<'_, RulesByFolder> {
        self.rules.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether something directly in a folder with these rules is left out, by the settings or by the rules.
    pub(super) fn leaves_out(&self, rules: &Rules, path: &[u8], is_folder: bool) -> bool {
        let own = !self.own_patterns.is_empty()
            && self.own_patterns.matched(Path::new(std::ffi::OsStr::from_bytes(path)), is_folder).is_ignore();
        own || (!self.options.track_ignored && rules.leave_out(path, is_folder))
    }

    /// Whether a file is left out, itself or with a folder that it lies in. Tracked and known files are looked at anyway.
    pub(super) fn leaves_out_path(&self, path: &[u8]) -> bool {
        let (rules, left_out) = self.rules_for(split(path).0);
        left_out || self.leaves_out(&rules, path, false)
    }

    /// Version control's own folders, our data, and our files that wait to be renamed.
    pub(super) fn is_never_looked_at(&self, folder: &[u8], name: &[u8]) -> bool {
        matches!(name, b".git" | b".jj")
            || crate::files::is_ours(name)
            || self.data.as_ref().is_some_and(|data| data.ends_with(name) && *data == join(folder, name))
    }

    /// Something that is not seen or not kept, in a sentence. It is told once for each thing it is about.
    pub(super) fn note(&self, about: &str, sentence: &str) {
        let mut notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = notes.limits.iter_mut().find(|(known, _)| known == about) {
            sentence.clone_into(known);
        } else if notes.limits.len() < MAX_NOTES {
            tracing::warn!("{sentence}");
            notes.limits.push((about.to_owned(), sentence.to_owned()));
        } else {
            notes.left_out += 1;
        }
    }

    /// What was noted about this does not hold any more.
    pub(super) fn unnote(&self, about: &str) {
        let mut notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        notes.limits.retain(|(known, _)| known != about);
    }

    fn limits(&self) -> Vec<String> {
        let notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        let mut limits: Vec<String> = notes.limits.iter().map(|(_, sentence)| sentence.clone()).collect();
        if notes.left_out > 0 {
            limits.push(format!("{} more of this kind are not listed.", notes.left_out));
        }
        limits
    }
}

/// The grounds with what is known of them, and where things go.
pub(super) struct Eye {
    pub(super) grounds: Grounds,
    pub(super) shelf: Arc<dyn Shelf>,
    pub(super) sink: Arc<dyn Sink>,
    manifest: RwLock<Manifest>,
    sight: Mutex<SightNow>,
}

pub(super) struct SightNow {
    pub(super) sight: Sight,
    pub(super) folders_watched: usize,
    pub(super) last_rescan: Option<(SystemTime, String)>,
}

impl Eye {
    pub(super) fn new(grounds: Grounds, shelf: Arc<dyn Shelf>, sink: Arc<dyn Sink>, manifest: Manifest) -> Self {
        let sight = Sight::Blind { why: "the first look is under way.".into() };
        let sight = SightNow { sight, folders_watched: 0, last_rescan: None };
        Self { grounds, shelf, sink, manifest: RwLock::new(manifest), sight: Mutex::new(sight) }
    }

    pub(super) fn manifest(&self) -> RwLockReadGuard<'_, Manifest> {
        self.manifest.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn manifest_mut(&self) -> RwLockWriteGuard<'_, Manifest> {
        self.manifest.write().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn sight(&self) -> MutexGuard<'_, SightNow> {
        self.sight.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn condition(&self) -> Condition {
        let files_known = self.manifest().files();
        let sight = self.sight();
        Condition {
            sight: sight.sight.clone(),
            folders_watched: sight.folders_watched,
            files_known,
            last_rescan: sight.last_rescan.clone(),
            limits: self.grounds.limits(),
        }
    }

    pub(super) fn base(&self, path: &FilePath) -> Result<Before, SeeError> {
        let known = self.manifest().get(path.as_bytes()).copied();
        self.base_of(path, known.as_ref())
    }

    /// What a file was, by its manifest entry.
    pub(super) fn base_of(&self, path: &FilePath, entry: Option<&Entry>) -> Result<Before, SeeError> {
        let state = |body: Body, mode: u32| Before::Known(FileState { path: path.clone(), body, mode });
        let Some(entry) = entry else { return Ok(state(Body::Absent, 0)) };
        let stamp = &entry.stamp;
        let bytes = match (entry.content, stamp.kind) {
            (_, Kind::Special) => return Ok(state(Body::Special, 0)),
            (Content::Nothing, Kind::File | Kind::Link) => {
                let body = Body::Large { length: stamp.size, changed_ns: stamp.modified_ns };
                return Ok(state(body, stamp.mode.into()));
            }
            (Content::NotKept, Kind::File | Kind::Link) => {
                return Ok(Before::Unknown("It was too much to be copied when it was first seen.".into()));
            }
            (Content::Blob(hash), Kind::File | Kind::Link) => {
                let kept = self.shelf.fetch(hash).map_err(|reason| SeeError::Shelf { reason })?;
                kept.ok_or_else(|| "Its earlier content is not on the shelf.".to_owned())
            }
            (Content::Git(id), Kind::File | Kind::Link) => self.object(path, &id).and_then(|bytes| {
                // Without this a converted file would be taken for its object.
                if bytes.len() as u64 == stamp.size || stamp.kind == Kind::Link {
                    Ok(bytes)
                } else {
                    Err("Its earlier content was converted by a checkout.".to_owned())
                }
            }),
        };
        let bytes = match bytes {
            Ok(bytes) => bytes,
            Err(why) => return Ok(Before::Unknown(why)),
        };
        Ok(match stamp.kind {
            Kind::Link => state(Body::Link(bytes), 0),
            Kind::File => {
                let (body, whole) = body_of(bytes);
                if let Some(whole) = whole {
                    self.shelf.keep(vec![whole]).map_err(|reason| SeeError::Shelf { reason })?;
                }
                state(body, stamp.mode.into())
            }
            Kind::Special => state(Body::Special, 0),
        })
    }

    fn object(&self, path: &FilePath, id: &[u8; 20]) -> Result<Vec<u8>, String> {
        let number = self.grounds.repository_of(path.as_bytes());
        let repository = number.and_then(|number| self.grounds.repository(number));
        repository
            .ok_or_else(|| "The repository with its earlier content is gone.".to_owned())?
            .object(id)
            .map_err(|why| format!("The repository does not give its earlier content back: {why}."))
    }
}

fn about_repository(folder: &[u8]) -> String {
    format!("repository {}", shown(folder))
}

/// A path as people see it.
pub(super) fn shown(path: &[u8]) -> String {
    augment_core::text::visible(&String::from_utf8_lossy(path)).into_owned()
}

/// A file's body, and the bytes that have to be on the shelf for it.
pub(super) fn body_of(bytes: Vec<u8>) -> (Body, Option<Vec<u8>>) {
    let body = augment_core::weave::body_of(&bytes[..]);
    let whole = matches!(body, Body::Whole { .. }).then_some(bytes);
    (body, whole)
}
