//! The first look at a workspace. Whatever git can give back is only stamped; everything else is copied to the shelf, up
//! to a limit that is told. The manifest is written before anybody works with it, so the process may end at any time
//! after that; it reaches the disk a moment later, since waiting for it would take as long as the looking. A loss of
//! power in that moment costs another first look, as one moment earlier would have.

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use augment_core::file::ContentHash;

use super::SeeError;
use super::disk::Take;
use super::looking::{Eye, shown};
use super::manifest::{Content, Entry, Manifest, NotOnDisk};
use super::repository::object_id;
use super::stamp::{Kind, Stamp, now_ns};
use super::walk::{Announce, Found, ToRead, Walk};

/// So much is copied to the shelf at a time.
const COPY_BYTES: usize = 8 * 1_024 * 1_024;

/// Looks at everything for the first time, and writes the manifest.
pub(super) fn take(
    eye: &Eye,
    file: &Path,
    generation: u64,
    announce: Option<Announce<'_>>,
    threads: usize,
) -> Result<(), SeeError> {
    let found = Walk { grounds: &eye.grounds, known: None, announce, threads }.run(b"");
    note_found(eye, &found);
    let copies = Copying::new(eye, &found.to_read).run(threads)?;
    let mut manifest = Manifest::of(found.settled);
    manifest.generation = generation;
    for (path, entry) in copies {
        manifest.set(&path, entry);
    }
    for (_, repository) in eye.grounds.repositories() {
        manifest.set_head(&repository.folder, repository.state());
    }
    let written = manifest.write_first(file).map_err(|source| SeeError::manifest(file, source))?;
    *eye.manifest_mut() = manifest;
    eye.grounds.forget_indexes();
    if eye.shelf.overrides().map_err(|reason| SeeError::Shelf { reason })?.is_empty() {
        sync_later(written);
        return Ok(());
    }
    // What is kept beside a manifest file goes once there is another one, whatever happens.
    written.sync().map_err(|source| SeeError::manifest(file, source))?;
    eye.shelf.forget_overrides(generation).map_err(|reason| SeeError::Shelf { reason })
}

fn sync_later(written: NotOnDisk) {
    let sync = || {
        if let Err(error) = written.sync() {
            tracing::warn!("what the files were at the start may not survive a loss of power: {error}");
        }
    };
    if let Err(error) = std::thread::Builder::new().name("manifest".into()).spawn(sync) {
        tracing::warn!("what the files were at the start may not survive a loss of power: {error}");
    }
}

/// Tells what a walk could not see.
pub(super) fn note_found(eye: &Eye, found: &Found) {
    for (path, error) in &found.unreadable {
        let path = if path.is_empty() { "The workspace".to_owned() } else { shown(path) };
        eye.grounds.note(
            &format!("unreadable {path}"),
            &format!("{path} cannot be read ({error}), so changes there are not seen. Check its permissions."),
        );
    }
    if found.unnameable > 0 {
        eye.grounds.note(
            "unnameable",
            &format!(
                "{} files have paths that are too long or cannot be named, so their changes are not seen.",
                found.unnameable
            ),
        );
    }
}

/// Reads files on several threads and puts their content on the shelf.
struct Copying<'a> {
    eye: &'a Eye,
    files: &'a [ToRead],
    next: AtomicUsize,
    copied: AtomicU64,
    not_copied: AtomicUsize,
    entries: Mutex<Vec<(Vec<u8>, Entry)>>,
}

impl<'a> Copying<'a> {
    fn new(eye: &'a Eye, files: &'a [ToRead]) -> Self {
        Self {
            eye,
            files,
            next: AtomicUsize::new(0),
            copied: AtomicU64::new(0),
            not_copied: AtomicUsize::new(0),
            entries: Mutex::default(),
        }
    }

    fn run(self, threads: usize) -> Result<Vec<(Vec<u8>, Entry)>, SeeError> {
        let threads = threads.min(self.files.len() / 8 + 1);
        std::thread::scope(|scope| {
            let others: Vec<_> = (1..threads).map(|_| scope.spawn(|| self.work())).collect();
            let own = self.work();
            let others = others.into_iter().map(|other| {
                other.join().unwrap_or_else(|_| Err(SeeError::Shelf { reason: "a thread that copies failed".into() }))
            });
            std::iter::once(own).chain(others).collect::<Result<(), _>>()
        })?;
        let not_copied = self.not_copied.into_inner();
        if not_copied > 0 {
            let limit = self.eye.grounds.options.max_kept_bytes / (1_024 * 1_024);
            self.eye.grounds.note("not copied", &format!(
                "{not_copied} files were not copied when the workspace was first seen, since all of them are more than {limit} MiB: their changes are seen, but what was in them before their first change cannot be brought back. Leave out what need not be tracked with a .gitignore."
            ));
        }
        Ok(self.entries.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner))
    }

    fn work(&self) -> Result<(), SeeError> {
        let mut contents = Vec::new();
        let mut bytes = 0;
        let mut entries = Vec::new();
        loop {
            let at = self.next.fetch_add(1, Ordering::Relaxed);
            if let Some(file) = self.files.get(at) {
                let (entry, content) = self.read(file);
                entries.extend(entry.map(|entry| (file.path.clone(), entry)));
                bytes += content.as_ref().map_or(0, Vec::len);
                contents.extend(content);
            }
            let done = at >= self.files.len();
            if bytes >= COPY_BYTES || (done && !contents.is_empty()) {
                let contents = std::mem::take(&mut contents);
                self.eye.shelf.keep(contents).map_err(|reason| SeeError::Shelf { reason })?;
                bytes = 0;
            }
            if done {
                self.entries.lock().unwrap_or_else(std::sync::PoisonError::into_inner).append(&mut entries);
                return Ok(());
            }
        }
    }

    /// The entry of a file, and the content that goes to the shelf for it. A file that is gone by now has neither.
    fn read(&self, file: &ToRead) -> (Option<Entry>, Option<Vec<u8>>) {
        let disk = &self.eye.grounds.disk;
        let (bytes, stamp, restless) = match file.stamp.kind {
            Kind::Special => return (Some(entry(file.stamp, Content::Nothing)), None),
            Kind::Link => match disk.take_link(&file.path) {
                Ok(target) => (target, file.stamp, false),
                Err(_) => return (None, None),
            },
            Kind::File => match disk.take_file(&file.path, self.eye.grounds.options.max_file_bytes) {
                Ok(Take::Taken(taken)) => (taken.bytes, taken.stamp, taken.restless),
                Ok(Take::TooLarge(stamp)) => return (Some(entry(stamp, Content::Nothing)), None),
                Ok(Take::Changed) => return (None, None),
                Err(error) => {
                    let path = shown(&file.path);
                    self.eye.grounds.note(&format!("unreadable {path}"), &format!(
                        "{path} cannot be read ({error}), so what is in it now cannot be brought back. Check its permissions."
                    ));
                    return (Some(entry(file.stamp, Content::NotKept)), None);
                }
            },
        };
        let fresh = restless || stamp.is_fresh(now_ns());
        if let Some(object) = file.tracked.filter(|object| object_id(&bytes).as_ref() == Some(object)) {
            return (Some(Entry { stamp, fresh, content: Content::Git(object) }), None);
        }
        let length = bytes.len() as u64;
        if self.copied.fetch_add(length, Ordering::Relaxed) + length > self.eye.grounds.options.max_kept_bytes {
            self.copied.fetch_sub(length, Ordering::Relaxed);
            self.not_copied.fetch_add(1, Ordering::Relaxed);
            return (Some(Entry { stamp, fresh, content: Content::NotKept }), None);
        }
        (Some(Entry { stamp, fresh, content: Content::Blob(ContentHash::of(&bytes)) }), Some(bytes))
    }
}

fn entry(stamp: Stamp, content: Content) -> Entry {
    Entry { stamp, fresh: false, content }
}
