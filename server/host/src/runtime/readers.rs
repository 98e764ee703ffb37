//! Snapshots for everybody who looks, from a few connections that are kept open.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use augment_core::glob::Glob;
use augment_core::review::policy::ReviewPolicy;
use augment_core::run::{HandOffMode, HandOffPolicy};
use augment_core::scan::Kind;
use augment_core::session::SessionPolicy;
use augment_core::settings::{
    ARCHIVE_FOLDER, ARCHIVE_TAGS, HAND_OFF, HAND_OFF_DEPTH, REVIEW_APPROVE, REVIEW_CONTROL, REVIEW_REJECT,
    REVIEW_SECOND, SCAN_BLOCKS, SESSION_CHECKPOINT, SESSION_MODEL, SESSION_PROTOCOL, SESSION_SILENCE,
    SESSION_UNAUTHORISED, patterns,
};

use crate::governance::Documents;

use crate::settings::Settings;
use crate::store::{Policies, Reader, Snapshot, StoreError};
use crate::workspace::Places;

/// How many idle readers are kept open.
const READERS: usize = 4;

#[derive(Debug, Clone)]
pub(crate) struct Readers(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    idle: Mutex<Vec<Reader>>,
    database: PathBuf,
    places: Places,
    settings: Mutex<InForce>,
}

/// The settings, and what they say about review.
#[derive(Debug)]
struct InForce {
    settings: Settings,
    policy: Arc<Policies>,
    documents: Documents,
}

impl InForce {
    fn read(places: &Places) -> Self {
        let settings = Settings::read(places);
        let blocks = settings.text(SCAN_BLOCKS);
        let globs = |key| patterns(&settings.text(key)).map(Glob::new).collect();
        let review = ReviewPolicy {
            approve: globs(REVIEW_APPROVE),
            reject: globs(REVIEW_REJECT),
            second_approver: globs(REVIEW_SECOND),
            control: globs(REVIEW_CONTROL),
            blocks: Kind::ALL.into_iter().filter(|kind| blocks.split(", ").any(|word| word == kind.name())).collect(),
        };
        let hand_off = HandOffPolicy {
            mode: HandOffMode::from_name(&settings.text(HAND_OFF)).unwrap_or(HandOffMode::Ask),
            depth: u32::try_from(settings.number(HAND_OFF_DEPTH)).unwrap_or(1),
        };
        let number = |key| u32::try_from(settings.number(key)).unwrap_or(1);
        let session = SessionPolicy {
            is_on: settings.text(SESSION_PROTOCOL) == "on",
            checkpoint_after: number(SESSION_CHECKPOINT),
            rolls_back: settings.text(SESSION_UNAUTHORISED) == "roll-back",
            silence_ms: settings.number(SESSION_SILENCE) * 60_000,
            model: Some(settings.text(SESSION_MODEL)).filter(|model| !model.is_empty()),
            archive: Some(settings.text(ARCHIVE_FOLDER)).filter(|folder| !folder.is_empty()),
            tags: patterns(&settings.text(ARCHIVE_TAGS)).map(str::to_owned).collect(),
        };
        let documents = Documents::read(&places.root, &settings);
        let governance = Arc::new(documents.governance.clone());
        let policy = Arc::new(Policies { review, hand_off, session, governance });
        Self { settings, policy, documents }
    }
}

impl Readers {
    pub(super) fn new(places: &Places) -> Self {
        Self(Arc::new(Inner {
            idle: Mutex::new(Vec::new()),
            database: places.database.clone(),
            places: places.clone(),
            settings: Mutex::new(InForce::read(places)),
        }))
    }

    /// The settings in force. Files that were changed since the last look are read again.
    pub(crate) fn settings(&self) -> Settings {
        self.in_force().settings.clone()
    }

    /// What the person wants done with changes without being asked.
    pub(crate) fn policy(&self) -> Arc<Policies> {
        self.in_force().policy.clone()
    }

    fn in_force(&self) -> MutexGuard<'_, InForce> {
        let places = &self.0.places;
        let lock = || self.0.settings.lock().unwrap_or_else(PoisonError::into_inner);
        let in_force = lock();
        let is_stale =
            in_force.settings.are_stale(places) || in_force.documents.are_stale(&places.root, &in_force.settings);
        if !is_stale {
            return in_force;
        }
        // Read while others go on with what was in force. If two read at once and the older look comes last, the next
        // one finds it stale.
        drop(in_force);
        let fresh = InForce::read(places);
        let mut in_force = lock();
        *in_force = fresh;
        in_force
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Reader>> {
        self.0.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads a snapshot. Blocks on the disk: not for an async thread.
    pub(crate) fn read<T>(&self, read: impl FnOnce(&Snapshot<'_>) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let idle = self.idle().pop();
        let mut reader = match idle {
            Some(reader) => reader,
            None => Reader::open(&self.0.database)?,
        };
        reader.set_policy(self.policy());
        let answer = reader.snapshot(read);
        let mut readers = self.idle();
        if answer.is_ok() && readers.len() < READERS {
            readers.push(reader);
        }
        answer
    }
}
