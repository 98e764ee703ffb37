//! One pass over the folders, by several threads: list, stat, and compare with what is known. It reads no file but those
//! that hold rules. A folder is announced before it is listed, so that it can be watched first: then whatever happens to
//! it is either in the listing or an event.

use std::collections::HashSet;
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use rustix::fs::FileType;
use rustix::io::Errno;

use super::conversion::Conversion;
use super::disk::{There, is_absence, there_in};
use super::index::{Index, TrackedFolder, Verdict};
use super::looking::Grounds;
use super::manifest::{Content, Entry, Files, Gathered, Manifest, join};
use super::rules::Rules;
use super::stamp::{Kind, Stamp};

const LISTING_BYTES: usize = 32 * 1_024;

/// Told of each folder before it is listed.
pub(super) type Announce<'a> = &'a (dyn Fn(&[u8], &OwnedFd) + Sync);

pub(super) struct Walk<'a> {
    pub(super) grounds: &'a Grounds,
    /// What is known; `None` when nothing is yet, and files that git can give back need not be read.
    pub(super) known: Option<&'a Manifest>,
    pub(super) announce: Option<Announce<'a>>,
    pub(super) threads: usize,
}

/// What a walk found.
#[derive(Default)]
pub(super) struct Found {
    /// Without known files: those that need not be read, by folder.
    pub(super) settled: Vec<(Box<[u8]>, Files)>,
    /// Files that have to be read, with their stamps and what the index says they should be.
    pub(super) to_read: Vec<ToRead>,
    /// Known files that are not there any more.
    pub(super) vanished: Vec<Vec<u8>>,
    /// Folders that could not be looked into, and why.
    pub(super) unreadable: Vec<(Vec<u8>, Errno)>,
    /// Paths that are too long or too strange to be named.
    pub(super) unnameable: usize,
    visited: Vec<Box<[u8]>>,
}

pub(super) struct ToRead {
    pub(super) path: Vec<u8>,
    pub(super) stamp: Stamp,
    pub(super) tracked: Option<[u8; 20]>,
}

/// A folder to be looked into.
struct Step {
    folder: Box<[u8]>,
    region: Arc<Region>,
    /// The folder is left out and only looked into for the files that are known or tracked.
    left_out: bool,
}

/// What is the same for a folder and most of those in it.
struct Region {
    rules: Arc<Rules>,
    index: Option<Arc<Index>>,
}

/// Those who walk. Each has folders of its own to look into, and gives some away when another one has none.
struct Crew {
    members: usize,
    waiting: Mutex<Vec<Step>>,
    more: Condvar,
    /// How many have nothing to do; it changes only under the lock.
    idle: AtomicUsize,
}

impl Crew {
    fn new(members: usize, first: Step) -> Self {
        Self { members, waiting: Mutex::new(vec![first]), more: Condvar::new(), idle: AtomicUsize::new(0) }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Step>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next folder for one who has none left; `None` once nobody has any.
    fn next(&self) -> Option<Step> {
        let mut waiting = self.lock();
        self.idle.fetch_add(1, Ordering::Relaxed);
        loop {
            if let Some(step) = waiting.pop() {
                self.idle.fetch_sub(1, Ordering::Relaxed);
                return Some(step);
            }
            if self.idle.load(Ordering::Relaxed) == self.members {
                self.more.notify_all();
                return None;
            }
            waiting = self.more.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Gives away what was found first, which has the most below it.
    fn share(&self, own: &mut Vec<Step>) {
        if own.len() < 2 || self.idle.load(Ordering::Relaxed) == 0 {
            return;
        }
        let mut waiting = self.lock();
        if waiting.is_empty() {
            waiting.extend(own.drain(..own.len() / 2));
            self.more.notify_all();
        }
    }
}

impl Walk<'_> {
    /// Walks from this folder downwards.
    pub(super) fn run(&self, folder: &[u8]) -> Found {
        let Some(first) = self.first_step(folder) else { return self.conclude(folder, Vec::new()) };
        let crew = Crew::new(self.threads.max(1), first);
        let parts = std::thread::scope(|scope| {
            let others: Vec<_> = (1..crew.members).map(|_| scope.spawn(|| self.work(&crew))).collect();
            let own = self.work(&crew);
            let others = others.into_iter().map(|other| other.join().unwrap_or_default());
            std::iter::once(own).chain(others).collect::<Vec<_>>()
        });
        self.conclude(folder, parts)
    }

    /// The first folder with the rules in force there; `None` when it is left out and nothing in it is known.
    fn first_step(&self, folder: &[u8]) -> Option<Step> {
        let (rules, left_out) = self.grounds.rules_above(folder);
        let left_out = left_out || (!folder.is_empty() && self.grounds.leaves_out(&rules, folder, true));
        let index = rules.repository.and_then(|number| self.grounds.index(number));
        let step = Step { folder: folder.into(), region: Arc::new(Region { rules, index }), left_out };
        (!left_out || self.has_below(&step, folder)).then_some(step)
    }

    fn conclude(&self, folder: &[u8], parts: Vec<Found>) -> Found {
        let mut all = Found::default();
        for part in parts {
            all.settled.extend(part.settled);
            all.to_read.extend(part.to_read);
            all.vanished.extend(part.vanished);
            all.unreadable.extend(part.unreadable);
            all.visited.extend(part.visited);
            all.unnameable += part.unnameable;
        }
        let Some(known) = self.known else { return all };
        let visited: HashSet<&[u8]> = all.visited.iter().map(|folder| &**folder).collect();
        let unreadable = |folder: &[u8]| {
            all.unreadable.iter().any(|(above, _)| {
                above.is_empty() || folder.strip_prefix(&**above).is_some_and(|rest| matches!(rest, [] | [b'/', ..]))
            })
        };
        for (folder, files) in known.folders_below(folder) {
            if !visited.contains(folder) && !unreadable(folder) {
                all.vanished.extend(files.iter().map(|(name, _)| join(folder, name)));
            }
        }
        all
    }

    fn work(&self, crew: &Crew) -> Found {
        let mut found = Found::default();
        let mut desk = Desk::default();
        let mut own = Vec::new();
        while let Some(step) = own.pop().or_else(|| crew.next()) {
            self.look_into(step, &mut desk, &mut own, &mut found);
            crew.share(&mut own);
        }
        // While the others may still be at work.
        found.settled = desk.settled.into_folders();
        found
    }

    fn look_into(&self, step: Step, desk: &mut Desk, steps: &mut Vec<Step>, found: &mut Found) {
        let Desk { listing, settled } = desk;
        let opened = self.grounds.disk.open_folder(&step.folder).and_then(|folder| {
            if let Some(announce) = self.announce {
                announce(&step.folder, &folder);
            }
            listing.read(&folder)?;
            Ok(folder)
        });
        let opened = match opened {
            Ok(opened) => opened,
            // It went before we came; its files are found to be missing.
            Err(error) if is_absence(error) => return,
            Err(error) => {
                found.unreadable.push((step.folder.into(), error));
                return;
            }
        };
        let step = self.enter(step, listing);
        let known = self.known.map(|known| known.folder(&step.folder));
        let here = Here {
            opened: &opened,
            tracked: step.region.index.as_deref().map(|index| index.folder(&step.folder)),
            step: &step,
        };
        let mut there = vec![false; known.map_or(0, |known| known.len())];
        for (name, kind) in listing.names() {
            if self.grounds.is_never_looked_at(&step.folder, name) {
                continue;
            }
            if kind == FileType::Directory {
                self.descend(&step, name, steps);
                continue;
            }
            match there_in(here.opened, name) {
                Ok(There::Thing(stamp)) => {
                    let position = known.and_then(|known| known.position(name).ok());
                    if let Some(position) = position {
                        there[position] = true;
                    }
                    let known = known.zip(position).map(|(known, position)| known.at(position).1);
                    let entry = self.judge(&here, name, known, stamp, found);
                    if let Some(entry) = entry {
                        settled.push(name, entry);
                    }
                }
                Ok(There::Folder) => self.descend(&step, name, steps),
                Ok(There::Nothing) => {}
                Err(error) => found.unreadable.push((join(&step.folder, name), error)),
            }
        }
        if let Some(known) = known {
            let gone = there.iter().enumerate().filter(|(_, there)| !**there);
            found.vanished.extend(gone.map(|(at, _)| join(&step.folder, known.at(at).0)));
            found.visited.push(step.folder.clone());
        }
        settled.end_folder(step.folder);
    }

    /// The folder with the rules that begin in it; a repository that begins there has its own.
    fn enter(&self, mut step: Step, listing: &Listing) -> Step {
        if listing.has_git
            && !step.folder.is_empty()
            && let Some(number) = self.grounds.repository_at(&step.folder)
        {
            let (rules, index) = (self.grounds.top_rules(number), self.grounds.index(number));
            step.region = Arc::new(Region { rules, index });
        }
        let (has_ignore, has_attributes) = (listing.has_ignore, listing.has_attributes);
        if has_ignore || has_attributes {
            let rules = step.region.rules.enter(&self.grounds.disk, &step.folder, has_ignore, has_attributes);
            step.region = Arc::new(Region { rules, index: step.region.index.clone() });
        }
        step
    }

    fn descend(&self, step: &Step, name: &[u8], steps: &mut Vec<Step>) {
        let folder = join(&step.folder, name);
        let left_out = step.left_out || self.grounds.leaves_out(&step.region.rules, &folder, true);
        let next = Step { folder: folder.into(), region: Arc::clone(&step.region), left_out };
        if !next.left_out || self.has_below(&next, &next.folder) {
            steps.push(next);
        }
    }

    fn has_below(&self, step: &Step, folder: &[u8]) -> bool {
        step.region.index.as_ref().is_some_and(|index| index.has_below(folder))
            || self.known.is_some_and(|known| known.knows_below(folder))
    }

    /// What is to be done about one file. Gives its entry if it need not be read.
    fn judge(
        &self,
        here: &Here<'_>,
        name: &[u8],
        known: Option<&Entry>,
        stamp: Stamp,
        found: &mut Found,
    ) -> Option<Entry> {
        if known.is_some_and(|known| known.stamp == stamp && !known.fresh) {
            return None;
        }
        let tracked = here.tracked.and_then(|folder| folder.get(name));
        if known.is_none() && tracked.is_none() {
            let path = join(&here.step.folder, name);
            if here.step.left_out || self.grounds.leaves_out(&here.step.region.rules, &path, false) {
                return None;
            }
        }
        if self.known.is_none() {
            let sure = match (tracked, stamp.kind) {
                (_, Kind::Special) => Some(Content::Nothing),
                (_, Kind::File) if stamp.size > self.grounds.options.max_file_bytes => Some(Content::Nothing),
                (Some(tracked), Kind::File | Kind::Link) => {
                    let index_ns = here.step.region.index.as_ref().map_or(0, |index| index.written_ns);
                    let clean = tracked.verdict(&stamp, index_ns) == Verdict::Clean;
                    (clean && self.is_as_kept(here, name, &stamp, &tracked.object))
                        .then_some(Content::Git(tracked.object))
                }
                (None, Kind::File | Kind::Link) => None,
            };
            if let Some(content) = sure {
                return Some(Entry { stamp, fresh: false, content });
            }
        }
        let path = join(&here.step.folder, name);
        if augment_core::file::FilePath::new(path.as_slice()).is_err() {
            found.unnameable += 1;
            return None;
        }
        found.to_read.push(ToRead { path, stamp, tracked: tracked.map(|tracked| tracked.object) });
        None
    }

    /// The file on disk is byte for byte the object: no checkout has converted it.
    fn is_as_kept(&self, here: &Here<'_>, name: &[u8], stamp: &Stamp, object: &[u8; 20]) -> bool {
        if stamp.kind == Kind::Link {
            return true;
        }
        self.grounds.is_as_kept(&here.step.region.rules, &here.step.folder, name, stamp, object)
    }
}

impl Grounds {
    /// Whether the bytes of a clean file are those of its object.
    pub(super) fn is_as_kept(
        &self,
        rules: &Rules,
        folder: &[u8],
        name: &[u8],
        stamp: &Stamp,
        object: &[u8; 20],
    ) -> bool {
        if !rules.may_convert() {
            return true;
        }
        match rules.conversion(&join(folder, name)) {
            Conversion::None => true,
            Conversion::Opaque => false,
            Conversion::Visible => {
                let repository = rules.repository.and_then(|number| self.repository(number));
                repository.and_then(|repository| repository.object_length(object)) == Some(stamp.size)
            }
        }
    }
}

/// The folder being looked into.
struct Here<'a> {
    opened: &'a OwnedFd,
    tracked: Option<TrackedFolder<'a>>,
    step: &'a Step,
}

/// What one who walks has at hand for all folders.
#[derive(Default)]
struct Desk {
    listing: Listing,
    settled: Gathered,
}

/// The names in a folder, in one piece of memory that is used again for the next.
#[derive(Default)]
struct Listing {
    buffer: Vec<u8>,
    names: Vec<u8>,
    ends: Vec<(usize, FileType)>,
    has_git: bool,
    has_ignore: bool,
    has_attributes: bool,
}

impl Listing {
    fn read(&mut self, folder: &OwnedFd) -> Result<(), Errno> {
        self.names.clear();
        self.ends.clear();
        (self.has_git, self.has_ignore, self.has_attributes) = (false, false, false);
        self.list(folder)
    }

    fn put(&mut self, name: &[u8], kind: FileType) {
        match name {
            b"." | b".." => return,
            b".git" => self.has_git = true,
            b".gitignore" => self.has_ignore = true,
            b".gitattributes" => self.has_attributes = true,
            _ => {}
        }
        self.names.extend_from_slice(name);
        self.ends.push((self.names.len(), kind));
    }

    #[cfg(target_os = "linux")]
    fn list(&mut self, folder: &OwnedFd) -> Result<(), Errno> {
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.reserve(LISTING_BYTES);
        let mut entries = rustix::fs::RawDir::new(folder, buffer.spare_capacity_mut());
        while let Some(entry) = entries.next() {
            let entry = entry?;
            self.put(entry.file_name().to_bytes(), entry.file_type());
        }
        self.buffer = buffer;
        Ok(())
    }

    #[cfg(not(target_os = "linux"))]
    fn list(&mut self, folder: &OwnedFd) -> Result<(), Errno> {
        for entry in rustix::fs::Dir::read_from(folder)? {
            let entry = entry?;
            self.put(entry.file_name().to_bytes(), entry.file_type());
        }
        Ok(())
    }

    /// Each name, and what it is said to be.
    fn names(&self) -> impl Iterator<Item = (&[u8], FileType)> {
        let mut begin = 0;
        self.ends.iter().map(move |(end, kind)| {
            let at = std::mem::replace(&mut begin, *end);
            (&self.names[at..*end], *kind)
        })
    }
}
