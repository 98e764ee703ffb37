//! Runs: what is known of each attempt of an agent at a task, how that makes it stand, and what follows for the task.
//! The host tells what it saw; nothing here sees a process.

mod follow;
mod kept;
mod standing;

pub use follow::RunEvent;
pub(crate) use follow::{followed, silent};
pub use kept::{Adapter, LastSign, Run, Sign};
pub use standing::{Asked, DoneBy, End, Facts, Heard, Process, Reported, RunState, Standing, Stopped, Why, judge};
