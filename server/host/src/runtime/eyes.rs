//! Between seeing and the mailbox: what was seen is posted as an input, and what the mailbox wrote is told to the eyes. A
//! host watches; a single command looks once, when it needs to know.

use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use augment_core::attribution::is_written;
use augment_core::file::{Body, ContentHash, FilePath, FileState};
use augment_core::review::{Cause, PendingOf, SeenFile, VcsMoved};
use augment_core::settings::{IGNORE, MAX_FILE_MEGABYTES, POLL_SECONDS, TRACK, TRACK_IGNORED, patterns};
use augment_core::turn::Input;
use augment_core::view::View as _;

use super::readers::Readers;
use super::{Known, Letter};
use crate::editors::{Editors, OpenText};
use crate::seeing::{self, Before, Condition, Options, SeeError, Seeing, SeenBatch, Shelf, Sight, Sink};
use crate::workspace::Places;

/// How many pending files are compared with a commit.
const COMPARED: usize = 10_000;

/// What can be seen of the workspace.
#[derive(Debug)]
pub(crate) struct Eyes {
    state: Mutex<State>,
    changed: Condvar,
}

enum State {
    /// Nobody has asked to see yet.
    Closed,
    Opening,
    Watching(Arc<Seeing>),
    /// A single command has looked.
    Looked(Condition),
    Off(String),
}

impl std::fmt::Debug for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Closed => "Closed",
            Self::Opening => "Opening",
            Self::Watching(_) => "Watching",
            Self::Looked(_) => "Looked",
            Self::Off(_) => "Off",
        })
    }
}

/// As long as it lives, nothing is looked at.
pub(super) struct LookingAway(Option<Arc<Seeing>>);

impl Drop for LookingAway {
    fn drop(&mut self) {
        if let Some(seeing) = &self.0 {
            seeing.release();
        }
    }
}

/// What the eyes are like, for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Watch {
    pub kind: WatchKind,
    pub message: String,
    pub files: usize,
    pub folders: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WatchKind {
    Watching,
    Polling,
    Partly,
    Once,
    Off,
}

impl Eyes {
    pub(super) fn new() -> Self {
        Self { state: Mutex::new(State::Closed), changed: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, state: State) {
        *self.lock() = state;
        self.changed.notify_all();
    }

    /// Keeps the eyes from looking while this process writes; they look again when the guard goes.
    pub(super) fn look_away(&self) -> LookingAway {
        let watching = match &*self.lock() {
            State::Watching(seeing) => Some(seeing.clone()),
            State::Closed | State::Opening | State::Looked(_) | State::Off(_) => None,
        };
        if let Some(seeing) = &watching {
            seeing.hold();
        }
        LookingAway(watching)
    }

    /// We wrote this ourselves.
    pub(super) fn wrote(&self, state: &FileState, gone: Option<&FilePath>) {
        let watching = match &*self.lock() {
            State::Watching(seeing) => Some(seeing.clone()),
            State::Closed | State::Opening | State::Looked(_) | State::Off(_) => None,
        };
        if let Some(seeing) = watching {
            seeing.wrote(state, gone);
        }
    }

    /// The eyes once they are open; waits while they are being opened.
    fn opened(&self) -> Option<Arc<Seeing>> {
        let mut state = self.lock();
        loop {
            match &*state {
                State::Watching(seeing) => return Some(seeing.clone()),
                State::Closed | State::Looked(_) | State::Off(_) => return None,
                State::Opening => state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }

    /// Takes the eyes away, for the end.
    pub(super) fn close(&self) {
        drop(self.opened());
        let state = std::mem::replace(&mut *self.lock(), State::Off("The host is leaving.".into()));
        let State::Watching(seeing) = state else { return };
        // Somebody may be looking through it still; then dropping it ends the watching, and the next start finds the rest.
        if let Some(seeing) = Arc::into_inner(seeing)
            && let Err(error) = seeing.stop()
        {
            tracing::warn!("{error}");
        }
    }

    pub(super) fn watch(&self) -> Watch {
        match &*self.lock() {
            State::Closed => off("Nobody has looked at the files yet."),
            State::Opening => {
                Watch { kind: WatchKind::Watching, ..off("The files are being looked at for the first time.") }
            }
            State::Watching(seeing) => told(&seeing.condition(), None),
            State::Looked(condition) => told(condition, Some(WatchKind::Once)),
            State::Off(why) => off(why),
        }
    }
}

fn off(message: &str) -> Watch {
    Watch { kind: WatchKind::Off, message: message.to_owned(), files: 0, folders: 0 }
}

fn told(condition: &Condition, kind: Option<WatchKind>) -> Watch {
    let seen = match &condition.sight {
        Sight::Watching if condition.limits.is_empty() => WatchKind::Watching,
        Sight::Watching | Sight::Partly { .. } => WatchKind::Partly,
        Sight::Polling { .. } => WatchKind::Polling,
        Sight::Blind { .. } => WatchKind::Off,
    };
    let kind = match (kind, seen) {
        (Some(kind), WatchKind::Watching | WatchKind::Polling) => kind,
        (Some(_) | None, seen) => seen,
    };
    Watch {
        kind,
        message: condition.sentences().join(" "),
        files: condition.files_known,
        folders: condition.folders_watched,
    }
}

/// What is needed to open the eyes.
#[derive(Debug, Clone)]
pub(super) struct Opener {
    pub(super) places: Places,
    pub(super) readers: Readers,
    pub(super) editors: Arc<Editors>,
    pub(super) mailbox: SyncSender<Letter>,
    /// Which folder the workspace is, whatever lies at its path later.
    pub(super) identity: Option<(u64, u64)>,
}

/// What tells a folder from every other one.
pub(super) fn identity(path: &std::path::Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt as _;
    std::fs::metadata(path).ok().map(|found| (found.dev(), found.ino()))
}

impl Opener {
    fn options(&self) -> Option<Options> {
        let settings = self.readers.settings();
        if settings.text(TRACK) == "off" {
            return None;
        }
        let megabytes = u64::try_from(settings.number(MAX_FILE_MEGABYTES)).unwrap_or(1);
        let poll = u64::try_from(settings.number(POLL_SECONDS)).unwrap_or(0);
        Some(Options {
            ignore: patterns(&settings.text(IGNORE)).map(str::to_owned).collect(),
            track_ignored: settings.text(TRACK_IGNORED) == "on",
            max_file_bytes: megabytes * 1_024 * 1_024,
            poll: (poll > 0).then(|| Duration::from_secs(poll)),
            ..Options::default()
        })
    }

    /// Begins to watch, on a thread of its own: the first look at a large workspace takes a moment.
    pub(super) fn open(&self, eyes: &Arc<Eyes>) -> std::io::Result<()> {
        let Some(options) = self.options() else {
            eyes.set(State::Off(SWITCHED_OFF.into()));
            return Ok(());
        };
        eyes.set(State::Opening);
        let (eyes, sight) = (eyes.clone(), self.clone());
        let opening = std::thread::Builder::new().name("eyes".into()).spawn(move || {
            let places = &sight.places;
            let between = Arc::new(Between(sight.clone()));
            match Seeing::start(&places.root, &places.data, between.clone(), between, options) {
                Ok(seeing) => eyes.set(State::Watching(Arc::new(seeing))),
                Err(error) => {
                    tracing::error!("{error}");
                    eyes.set(State::Off(error.to_string()));
                }
            }
        });
        opening.map(drop)
    }

    /// Opens the eyes anew after they went blind, if the workspace is there again: this very folder, not another one in
    /// its place.
    fn reopen(&self, eyes: &Arc<Eyes>, blind: &Arc<Seeing>) -> bool {
        if identity(&self.places.root).is_none() || identity(&self.places.root) != self.identity {
            return false;
        }
        {
            let state = eyes.lock();
            // Somebody else may have done it meanwhile.
            if !matches!(&*state, State::Watching(seeing) if Arc::ptr_eq(seeing, blind)) {
                return true;
            }
        }
        self.open(eyes).is_ok()
    }

    /// Looks once, for a single command.
    fn look(&self, eyes: &Eyes) -> Result<(), String> {
        let Some(options) = self.options() else {
            eyes.set(State::Off(SWITCHED_OFF.into()));
            return Ok(());
        };
        let between = Arc::new(Between(self.clone()));
        match Seeing::once(&self.places.root, &self.places.data, between.clone(), between, options) {
            Ok(condition) => {
                eyes.set(State::Looked(condition));
                Ok(())
            }
            Err(error) => {
                eyes.set(State::Off(error.to_string()));
                Err(error.to_string())
            }
        }
    }

    /// Returns once everything that happened on disk before this call is known to the mailbox.
    pub(super) fn settle(&self, eyes: &Arc<Eyes>) -> Result<(), String> {
        match eyes.opened() {
            Some(seeing) => match seeing.settle() {
                Err(error @ SeeError::Blind { .. }) if self.reopen(eyes, &seeing) => {
                    tracing::info!("looking again after: {error}");
                    let again = eyes.opened().ok_or_else(|| error.to_string())?;
                    again.settle().map_err(|error| error.to_string())
                }
                settled => settled.map_err(|error| error.to_string()),
            },
            None => {
                let looks = match &*eyes.lock() {
                    State::Closed | State::Looked(_) => true,
                    State::Opening | State::Watching(_) | State::Off(_) => false,
                };
                if looks { self.look(eyes) } else { Ok(()) }
            }
        }
    }
}

const SWITCHED_OFF: &str =
    "Changes are not tracked: changes.track is off. Switch it on with `augment-cli config set changes.track on`.";

/// The shelf and the sink that seeing is given.
struct Between(Opener);

impl Between {
    /// Posts, and waits until it is written.
    fn post(&self, letter: impl FnOnce(SyncSender<Result<(), String>>) -> Letter) -> Result<(), String> {
        const LEAVING: &str = "the host is leaving";
        let (reply, answer) = sync_channel(1);
        self.0.mailbox.send(letter(reply)).map_err(|_| LEAVING.to_owned())?;
        answer.recv().unwrap_or_else(|_| Err(LEAVING.to_owned()))
    }

    fn seen_file(&self, seen: seeing::Seen) -> SeenFile {
        let unsaved = self.is_unsaved(&seen);
        let before = match seen.before {
            Before::Known(state) => Some(state),
            Before::NotNeeded => None,
            Before::Unknown(why) => {
                tracing::warn!("{}: {why}", seen.path);
                None
            }
        };
        SeenFile {
            now: seen.now,
            before,
            from_vcs: seen.from_vcs,
            renamed_from: seen.renamed_from,
            unsaved,
            discards: seen.discards,
        }
    }

    /// Whether an editor shows what has never been on disk. A file that is written in two steps is seen in between, and what
    /// was there before is then not what the editor has read.
    fn is_unsaved(&self, seen: &seeing::Seen) -> bool {
        let editors = &self.0.editors;
        let shows = |state: &FileState, open: &OpenText| match &state.body {
            Body::Text(content) => is_written(open.text.as_bytes(), ContentHash::of(content)),
            Body::Absent | Body::Whole { .. } | Body::Link(_) | Body::Large { .. } | Body::Special => false,
        };
        let any_unsaved = || editors.texts_of(&seen.path).iter().any(|open| !open.was_on_disk);
        editors.note_on_disk(&seen.path, |open| shows(&seen.now, open));
        if !any_unsaved() {
            return false;
        }
        let before = match &seen.before {
            Before::Known(state) => Some(state.clone()),
            Before::NotNeeded | Before::Unknown(_) => {
                let path = seen.path.clone();
                let tracked = self.0.readers.read(move |snapshot| snapshot.view().file_at(&path));
                tracked.ok().flatten().map(|file| file.weave.view())
            }
        };
        editors.note_on_disk(&seen.path, |open| before.as_ref().is_some_and(|before| shows(before, open)));
        any_unsaved()
    }

    /// Pending files whose content is what the newest commit holds.
    fn committed(&self, moved: &seeing::VcsMove) -> Vec<FilePath> {
        let found = self.0.readers.read(|snapshot| {
            let numbers = snapshot.pending_files(&PendingOf::All, None, COMPARED)?;
            let mut files = Vec::new();
            for number in numbers {
                files.extend(snapshot.view().file(number)?.map(|file| file.weave.view()));
            }
            Ok(files)
        });
        let states = found.unwrap_or_else(|error| {
            tracing::warn!("{error}");
            Vec::new()
        });
        let folder = moved.repository.as_ref();
        let inside = states.into_iter().filter(|state| folder.is_none_or(|folder| state.path.is_within(folder)));
        crate::vcs::equal_to_head(&self.0.places.root, folder, inside.collect())
    }

    fn vcs(&self, moved: &seeing::VcsMove) -> VcsMoved {
        let head = |head: &Option<seeing::Head>| match head {
            Some(head) => (head.branch.clone(), Some(head.commit.clone())),
            None => (None, None),
        };
        let ((from_branch, from_commit), (to_branch, to_commit)) = (head(&moved.from), head(&moved.to));
        let committed = if moved.committed { self.committed(moved) } else { Vec::new() };
        let quiet = u64::try_from(moved.quiet_paths.len()).unwrap_or(u64::MAX);
        VcsMoved { from_branch, from_commit, to_branch, to_commit, quiet, committed }
    }
}

impl Sink for Between {
    fn seen(&self, batch: SeenBatch) -> Result<(), String> {
        let vcs = batch.vcs.as_ref().map(|moved| self.vcs(moved));
        let generation = batch.generation;
        let mut known: Vec<Known> = batch.refreshed;
        known.extend(batch.vcs.into_iter().flat_map(|moved| moved.quiet_paths));
        known.extend(batch.changes.iter().map(|seen| (seen.path.clone(), seen.entry.clone())));
        let cause = match batch.cause {
            seeing::Cause::Live => Cause::Live,
            seeing::Cause::Rescan(why) => Cause::Rescan(why),
            seeing::Cause::Gap => Cause::Gap,
        };
        let files: Vec<SeenFile> = batch.changes.into_iter().map(|seen| self.seen_file(seen)).collect();
        let quiet = files.is_empty() && vcs.is_none();
        let input = (!quiet).then(|| Box::new(Input::FilesSeen { files, cause, vcs }));
        self.post(|reply| Letter::Seen { input, known, generation, reply })
    }
}

impl Shelf for Between {
    fn keep(&self, contents: Vec<Vec<u8>>) -> Result<(), String> {
        self.post(|reply| Letter::Keep { contents, reply })
    }

    fn fetch(&self, hash: ContentHash) -> Result<Option<Vec<u8>>, String> {
        self.0.readers.read(|snapshot| snapshot.fetch(hash)).map_err(|error| error.to_string())
    }

    fn overrides(&self) -> Result<Vec<(FilePath, u64, Vec<u8>)>, String> {
        self.0.readers.read(|snapshot| snapshot.known()).map_err(|error| error.to_string())
    }

    fn forget_overrides(&self, up_to_generation: u64) -> Result<(), String> {
        self.post(|reply| Letter::ForgetKnown { generation: up_to_generation, reply })
    }

    fn is_woven(&self, path: &FilePath) -> bool {
        self.0.readers.read(|snapshot| snapshot.is_tracked(path)).unwrap_or(false)
    }

    fn woven_text(&self, path: &FilePath) -> Option<Vec<u8>> {
        let file = self.0.readers.read(|snapshot| snapshot.view().file_at(path)).ok().flatten()?;
        match file.weave.view().body {
            Body::Text(text) => Some(text),
            Body::Absent | Body::Whole { .. } | Body::Link(_) | Body::Large { .. } | Body::Special => None,
        }
    }
}
