//! The queue tried at random. A driver makes up operations from a seed, gives each to a backend and to a naive model, and
//! compares what they say and what they keep. The backend is whatever runs the real rules: `Memory` here, the store in
//! `host`. Nothing here is random or timed by itself: the same seed makes the same operations on every machine, so a
//! failure is replayed by its seed alone.

mod compare;
mod disk;
mod driver;
mod files;
mod governed;
mod memory;
mod model;
mod operations;
mod random;
mod script;
mod sessions;
mod summary;
mod values;

use std::fmt::Debug;

use crate::id::TaskId;
use crate::refusal::Refusal;
use crate::task::Task;
use crate::time::Now;
use crate::turn::{Answer, Input};

pub use disk::Disk;
pub use driver::run;
pub use files::Files;
pub use governed::Governed;
pub use memory::{Memory, RunKept};
pub use random::Random;
pub use sessions::{SessionSummary, session};
pub use summary::Summary;

/// Something that runs `turn::decide` and keeps its effects. It starts without tasks; records it may have already.
pub trait Backend {
    /// Why a turn could not be carried out. The driver takes any as a failure of the backend.
    type Error: Debug;

    /// Decides and keeps one turn. A task in the answer is the task as it is now kept, its new revision included.
    fn turn(&mut self, input: &Input, now: &Now) -> Result<Result<Answer, Refusal>, Self::Error>;

    /// All tasks, in any order.
    fn tasks(&self) -> Vec<Task>;

    fn task(&self, id: TaskId) -> Option<Task>;

    /// The sequence number of the last record, 0 without any. Asked after every operation, so it should be cheap.
    fn records(&self) -> u64;

    /// Reads the whole ledger again and says how many records it has, or where its chain does not hold. Whatever else a
    /// backend can check about itself belongs here too. Asked now and then.
    fn verify(&self) -> Result<u64, String>;
}
