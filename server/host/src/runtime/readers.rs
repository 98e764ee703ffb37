//! Snapshots for everybody who looks, from a few connections that are kept open.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use augment_core::glob::Glob;
use augment_core::review::policy::ReviewPolicy;
use augment_core::run::{HandOffMode, HandOffPolicy};
use augment_core::settings::{
    HAND_OFF, HAND_OFF_DEPTH, REVIEW_APPROVE, REVIEW_CONTROL, REVIEW_REJECT, REVIEW_SECOND, patterns,
};

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
}

impl InForce {
    fn read(places: &Places) -> Self {
        let settings = Settings::read(places);
        let globs = |key| patterns(&settings.text(key)).map(Glob::new).collect();
        let review = ReviewPolicy {
            approve: globs(REVIEW_APPROVE),
            reject: globs(REVIEW_REJECT),
            second_approver: globs(REVIEW_SECOND),
            control: globs(REVIEW_CONTROL),
        };
        let hand_off = HandOffPolicy {
            mode: HandOffMode::from_name(&settings.text(HAND_OFF)).unwrap_or(HandOffMode::Ask),
            depth: u32::try_from(settings.number(HAND_OFF_DEPTH)).unwrap_or(1),
        };
        Self { settings, policy: Arc::new(Policies { review, hand_off }) }
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
        let mut in_force = self.0.settings.lock().unwrap_or_else(PoisonError::into_inner);
        if in_force.settings.are_stale(&self.0.places) {
            *in_force = InForce::read(&self.0.places);
        }
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
