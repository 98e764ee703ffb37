//! Seeing: what every file of a workspace is, and what becomes of it. One *manifest* says what each file was when it was
//! last looked at; whatever differs from it is read and handed to a sink, in batches. Nothing here decides who changed a
//! file, and nothing here writes into the workspace or into a repository.
//!
//! Events are hints, content is the truth: an event only says where to look. What cannot be seen (a limit, a folder that
//! cannot be read, a watch that is missing) is told in the [`Condition`], never left out silently. The manifest moves only
//! after the sink has what it moved for, so a process that dies anywhere leaves a manifest from which the next start
//! finds every difference.

mod baseline;
mod batch;
mod conversion;
mod difference;
mod disk;
mod index;
mod looking;
mod manifest;
mod reconcile;
mod repository;
mod rules;
mod scene;
#[cfg(target_os = "linux")]
mod signals;
#[cfg(not(target_os = "linux"))]
mod silence;
mod stamp;
mod walk;
mod watching;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use augment_core::attribution::FromVcs;
use augment_core::file::{ContentHash, FilePath, FileState};

use looking::Eye;
use watching::Watching;

/// The manifest file's name in the data folder.
pub(crate) const MANIFEST: &str = "manifest";

/// The blob store, and the part of the manifest that is newer than its file.
pub trait Shelf: Send + Sync {
    /// Keeps contents under their [`ContentHash`]. Returns once they are safe.
    fn keep(&self, contents: Vec<Vec<u8>>) -> Result<(), String>;
    fn fetch(&self, hash: ContentHash) -> Result<Option<Vec<u8>>, String>;
    /// What sinks were given as `entry` since the manifest file was written: the newest for each path.
    fn overrides(&self) -> Result<Vec<(FilePath, u64, Vec<u8>)>, String>;
    /// The manifest file now holds everything up to this generation.
    fn forget_overrides(&self, up_to_generation: u64) -> Result<(), String>;
    /// The file's story is kept elsewhere: what was there before is not asked for, and its content is wanted also when
    /// version control changed it.
    fn is_woven(&self, path: &FilePath) -> bool;
    /// The text that a woven file is known to hold.
    fn woven_text(&self, path: &FilePath) -> Option<Vec<u8>>;
}

/// Takes what was seen. It may call [`Seeing::base`] and [`Seeing::wrote`], but not wait for [`Seeing::settle`].
pub trait Sink: Send + Sync {
    /// Returns once the batch is safe. After an error the same differences are offered again later, read afresh.
    fn seen(&self, batch: SeenBatch) -> Result<(), String>;
}

/// What was seen in one look. All entries in it belong into the same transaction as what is made of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeenBatch {
    pub changes: Vec<Seen>,
    pub cause: Cause,
    pub vcs: Option<VcsMove>,
    /// Manifest entries that moved though there is nothing to tell: a touched file, the old name of a renamed one.
    pub refreshed: Vec<(FilePath, Vec<u8>)>,
    /// Grows with each batch; goes with every entry that is kept.
    pub generation: u64,
}

/// One file that is not what it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    pub path: FilePath,
    pub now: FileState,
    /// Of a `Text` or `Whole` body. The bytes of `Whole` are on the shelf already; those of `Text` are not, since they are
    /// in `now`: whoever lets go of the file's story has to keep them there first.
    pub content_hash: Option<ContentHash>,
    pub before: Before,
    pub from_vcs: FromVcs,
    /// What was there before is in no commit and no stash: it was on disk alone.
    pub discards: bool,
    /// The file was moved; no change of its old path is told. `before` then is the file at its old path.
    pub renamed_from: Option<FilePath>,
    /// The manifest entry to keep for this path.
    pub entry: Vec<u8>,
}

/// What was there before a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Before {
    Known(FileState),
    /// The file is woven, so its story is kept elsewhere.
    NotNeeded,
    /// Why it cannot be told.
    Unknown(String),
}

/// Why something was looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cause {
    /// It happened just now.
    Live,
    /// A stat walk found it, since events may have been missed.
    Rescan(String),
    /// It happened while nobody watched, and was found at the start.
    Gap,
}

/// A repository whose HEAD moved, or whose files version control changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VcsMove {
    /// The repository's folder in the workspace; `None` when the workspace itself lies in it.
    pub repository: Option<FilePath>,
    pub from: Option<Head>,
    pub to: Option<Head>,
    /// HEAD moved on to a child of where it was (or replaced it) on the same branch, and no file was changed by that.
    pub committed: bool,
    /// Files that version control changed and that are not woven: their manifest entries move, no more.
    pub quiet_paths: Vec<(FilePath, Vec<u8>)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    /// `None` while HEAD is detached.
    pub branch: Option<String>,
    pub commit: String,
}

#[derive(Debug, Clone)]
pub struct Options {
    /// Patterns, written as in a `.gitignore`, of what is not looked at.
    pub ignore: Vec<String>,
    /// Look at files that `.gitignore` leaves out as well.
    pub track_ignored: bool,
    /// Of a file with more than this only size and time are known.
    pub max_file_bytes: u64,
    /// How much content the first look at a workspace may copy to the shelf.
    pub max_kept_bytes: u64,
    /// Look at everything this often instead of watching.
    pub poll: Option<Duration>,
    /// How often to look at everything where watching is not possible.
    pub fallback_poll: Duration,
    /// No more folders than this are watched, whatever the system would allow.
    pub max_watches: usize,
    /// How long nothing must happen before a change is read.
    pub quiet: Duration,
    /// A change is read after this long, however much is going on.
    pub at_most: Duration,
    /// How long changes wait for version control to let go of its lock after the last sign of life from it.
    pub lock_patience: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            ignore: Vec::new(),
            track_ignored: false,
            max_file_bytes: 32 * 1_024 * 1_024,
            max_kept_bytes: 1_024 * 1_024 * 1_024,
            poll: None,
            fallback_poll: Duration::from_secs(3),
            max_watches: 500_000,
            quiet: Duration::from_millis(15),
            at_most: Duration::from_millis(200),
            lock_patience: Duration::from_secs(30),
        }
    }
}

/// How well the workspace can be seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    pub sight: Sight,
    pub folders_watched: usize,
    pub files_known: usize,
    /// The last time everything was walked after the start, and why.
    pub last_rescan: Option<(SystemTime, String)>,
    /// What is not seen or not kept, in sentences.
    pub limits: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sight {
    Watching,
    /// Everything is looked at from time to time.
    Polling {
        why: String,
    },
    /// Some folders are watched, the rest is looked at from time to time.
    Partly {
        why: String,
    },
    /// Nothing is seen any more.
    Blind {
        why: String,
    },
}

impl Condition {
    /// The condition in sentences, the most important first.
    #[must_use]
    pub fn sentences(&self) -> Vec<String> {
        let are = |count: usize, word: &str| match count {
            1 => format!("1 {word} is"),
            count => format!("{count} {word}s are"),
        };
        let (files, folders) = (are(self.files_known, "file"), are(self.folders_watched, "folder"));
        let mut said = vec![match &self.sight {
            Sight::Watching => format!("{files} known; {folders} watched."),
            Sight::Polling { why } => format!("{files} known and looked at from time to time: {why}"),
            Sight::Partly { why } => {
                format!("{files} known; {folders} watched, the rest is looked at from time to time: {why}")
            }
            Sight::Blind { why } => format!("Changes are not seen: {why}"),
        }];
        if let Some((_, why)) = &self.last_rescan {
            said.push(format!("Everything was looked at again: {why}"));
        }
        said.extend(self.limits.iter().cloned());
        said
    }
}

#[derive(Debug, thiserror::Error)]
pub enum SeeError {
    #[error("{} cannot be looked at: {source}. Check that the folder is there and can be read.", path.display())]
    Root { path: PathBuf, source: std::io::Error },
    #[error("The disk is full, so nothing was changed. Free some space around {} and try again.", path.display())]
    Full { path: PathBuf },
    #[error(
        "{} cannot be written: {source}. Nothing was changed. Check the disk and the permissions, then try again.", path.display()
    )]
    Manifest { path: PathBuf, source: std::io::Error },
    #[error("The store did not answer: {reason}")]
    Shelf { reason: String },
    #[error("What was seen could not be recorded and will be offered again: {reason}")]
    NotTaken { reason: String },
    #[error("The system gave no means to watch: {source}.")]
    Watch { source: std::io::Error },
    #[error("Changes are not seen any more: {why}")]
    Blind { why: String },
}

impl SeeError {
    /// Why the manifest could not be written.
    fn manifest(path: &Path, source: std::io::Error) -> Self {
        if source.kind() == std::io::ErrorKind::StorageFull {
            return Self::Full { path: path.to_owned() };
        }
        Self::Manifest { path: path.to_owned(), source }
    }
}

/// One workspace, seen. Dropping it ends the watching; what was not handed over yet is found at the next start.
pub struct Seeing {
    eye: Arc<Eye>,
    watching: Watching,
}

impl Seeing {
    /// Takes the baseline, or finds what changed since the manifest was written, and goes on watching.
    /// `data` is the folder for the manifest file.
    pub fn start(
        root: &Path,
        data: &Path,
        shelf: Arc<dyn Shelf>,
        sink: Arc<dyn Sink>,
        options: Options,
    ) -> Result<Self, SeeError> {
        let (eye, watching) = Watching::start(root, data, shelf, sink, options)?;
        Ok(Self { eye, watching })
    }

    /// Takes the baseline, or finds what changed since the manifest was written; for single commands.
    pub fn once(
        root: &Path,
        data: &Path,
        shelf: Arc<dyn Shelf>,
        sink: Arc<dyn Sink>,
        options: Options,
    ) -> Result<Condition, SeeError> {
        let mut gaze = reconcile::open(root, data, shelf, sink, options)?;
        gaze.catch_up(None)?;
        gaze.tidy()?;
        gaze.eye.sight().sight = Sight::Blind { why: "they were looked at once and are not watched.".into() };
        Ok(gaze.eye.condition())
    }

    /// Returns once everything that happened on disk before this call has been handed to the sink.
    pub fn settle(&self) -> Result<(), SeeError> {
        self.watching.settle(Vec::new())
    }

    /// Looks at these files now, also where no event came for them.
    pub fn look(&self, paths: &[FilePath]) -> Result<(), SeeError> {
        self.watching.settle(paths.to_vec())
    }

    /// Looks at nothing until `release`: we are writing ourselves.
    pub fn hold(&self) {
        self.watching.hold();
    }

    pub fn release(&self) {
        self.watching.release();
    }

    /// We wrote this ourselves: it is what is known from now on. What somebody else made of it since is still seen.
    pub fn wrote(&self, state: &FileState, gone: Option<&FilePath>) {
        self.watching.wrote(state, gone);
    }

    #[must_use]
    pub fn condition(&self) -> Condition {
        self.eye.condition()
    }

    /// What a file was when it was last looked at.
    pub fn base(&self, path: &FilePath) -> Result<Before, SeeError> {
        self.eye.base(path)
    }

    /// Ends the watching and writes the manifest file, so that the next start need not read the entries kept beside it.
    pub fn stop(self) -> Result<(), SeeError> {
        self.watching.stop()
    }
}
