//! What a session tells a person: the block at its start, the box after every task, the checkpoint, the sprint review and
//! the summary at its end. Each level holds all that the one before it says. Everything here is plain text made of values
//! that are given; nothing is looked up, and text from outside is made visible before it is shown.

mod bar;
mod checkpoint;
mod frame;
mod lines;
mod session_end;
mod session_start;
mod sprint;
mod task;

pub use bar::Progress;
pub use checkpoint::{Checkpoint, DoneTask};
pub use session_end::{SessionEnd, standard_commit_message};
pub use session_start::{LastSession, Proposed, SessionStart};
pub use sprint::SprintReview;
pub use task::{GoalImpact, Next, TaskEnd, TaskReport};
