//! The one who looks: holds what is known against what is on disk, and hands over the differences. It is the only one who
//! moves the manifest.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use augment_core::file::FilePath;

use super::batch::Touched;
use super::disk::Disk;
use super::looking::{Eye, Grounds};
use super::manifest::{Manifest, Record, Unusable};
use super::walk::{Announce, Found, Walk};
use super::{Cause, Options, SeeError, Shelf, Sink, baseline};

/// When more entries than this are kept beside the manifest file, it is written anew.
const MAX_OVERRIDES: usize = 20_000;

pub(super) struct Gaze {
    pub(super) eye: Arc<Eye>,
    file: PathBuf,
    pub(super) generation: u64,
    /// Entries kept beside the manifest file.
    pub(super) overrides: usize,
    /// There is no manifest to compare with.
    is_first: bool,
    pub(super) threads: usize,
    /// Entries that moved with nothing to tell; they go with the next batch.
    pub(super) refreshed: Vec<(FilePath, Record)>,
    /// Repositories that something happened to.
    pub(super) stirred: HashSet<usize>,
    /// What changed while it was read, and has to be looked at again.
    pub(super) again: Vec<Touched>,
}

/// Opens a workspace with what is known of it.
pub(super) fn open(
    root: &Path,
    data: &Path,
    shelf: Arc<dyn Shelf>,
    sink: Arc<dyn Sink>,
    options: Options,
) -> Result<Gaze, SeeError> {
    let disk = Disk::open(root).map_err(|source| SeeError::Root { path: root.to_owned(), source })?;
    let grounds = Grounds::new(disk, data, options);
    let file = data.join(super::MANIFEST);
    let overrides = shelf.overrides().map_err(|reason| SeeError::Shelf { reason })?;
    let mut generation = overrides.iter().map(|(_, generation, _)| *generation).max().unwrap_or(0);
    let mut newer = 0;
    let mut is_first = false;
    let manifest = match Manifest::read(&file) {
        Ok(mut manifest) => {
            generation = generation.max(manifest.generation);
            for (path, at, entry) in &overrides {
                // Without an entry that is not understood the file differs from an older one, so it is looked at.
                if *at > manifest.generation
                    && let Some(record) = Record::decode(entry)
                {
                    manifest.apply(path.as_bytes(), &record);
                    newer += 1;
                }
            }
            manifest
        }
        Err(why) => {
            is_first = true;
            note_unusable(&grounds, &file, &why, !overrides.is_empty());
            Manifest::default()
        }
    };
    let eye = Arc::new(Eye::new(grounds, shelf, sink, manifest));
    let threads = std::thread::available_parallelism().map_or(2, |found| found.get().clamp(2, 8));
    Ok(Gaze {
        eye,
        file,
        generation,
        overrides: newer,
        is_first,
        threads,
        refreshed: Vec::new(),
        stirred: HashSet::new(),
        again: Vec::new(),
    })
}

fn note_unusable(grounds: &Grounds, file: &Path, why: &Unusable, was_used: bool) {
    let reason = match why {
        Unusable::Missing if was_used => "is gone".to_owned(),
        Unusable::Missing => return,
        Unusable::Damaged => "is damaged".to_owned(),
        Unusable::Unreadable(error) => format!("cannot be read ({error})"),
    };
    let file = file.display();
    grounds.note("manifest", &format!(
        "{file} {reason}, so what changed while nobody was watching is not known. The files were taken as they are now."
    ));
}

impl Gaze {
    /// Takes the baseline, or hands over what changed while nobody watched.
    pub(super) fn catch_up(&mut self, announce: Option<Announce<'_>>) -> Result<(), SeeError> {
        if self.is_first {
            self.generation += 1;
            baseline::take(&self.eye, &self.file, self.generation, announce, self.threads)?;
            self.is_first = false;
            return Ok(());
        }
        self.reconcile(b"", Cause::Gap, announce)
    }

    /// Walks a folder with all that is below it, and hands over what differs from what is known.
    pub(super) fn reconcile(
        &mut self,
        folder: &[u8],
        cause: Cause,
        announce: Option<Announce<'_>>,
    ) -> Result<(), SeeError> {
        let found = self.find(folder, announce);
        self.hand_over(touched(found), &cause)
    }

    /// What differs from what is known in a folder and below it.
    pub(super) fn find(&self, folder: &[u8], announce: Option<Announce<'_>>) -> Found {
        let manifest = self.eye.manifest();
        let walk = Walk { grounds: &self.eye.grounds, known: Some(&manifest), announce, threads: self.threads };
        let found = walk.run(folder);
        drop(manifest);
        baseline::note_found(&self.eye, &found);
        found
    }

    /// Writes the manifest file when much is kept beside it.
    pub(super) fn tidy(&mut self) -> Result<(), SeeError> {
        if self.overrides > MAX_OVERRIDES { self.write_manifest() } else { Ok(()) }
    }

    pub(super) fn write_manifest(&mut self) -> Result<(), SeeError> {
        if self.is_first {
            return Ok(());
        }
        let mut manifest = self.eye.manifest_mut();
        manifest.generation = self.generation;
        drop(manifest);
        let written = self.eye.manifest().write(&self.file);
        written.map_err(|source| SeeError::manifest(&self.file, source))?;
        self.overrides = 0;
        self.eye.shelf.forget_overrides(self.generation).map_err(|reason| SeeError::Shelf { reason })
    }
}

/// What a walk found, as paths to be looked at.
pub(super) fn touched(found: Found) -> Vec<Touched> {
    let read = found.to_read.into_iter().map(|file| file.path);
    let paths = read.chain(found.vanished);
    paths.map(|path| Touched { is_new: true, ..Touched::at(path) }).collect()
}
