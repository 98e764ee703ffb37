//! `agent …`.

// Agents are kept by what Linux offers for it.
#[cfg(target_os = "linux")]
mod presets;
#[cfg(target_os = "linux")]
mod test;

use super::{Ended, Session};
use crate::args::AgentCommand;

#[cfg(target_os = "linux")]
pub(super) fn run(session: &Session, command: AgentCommand) -> Ended {
    match command {
        AgentCommand::ListPresets => presets::run(session),
        AgentCommand::Test(args) => test::run(session, &args),
    }
}

#[cfg(not(target_os = "linux"))]
pub(super) fn run(_: &Session, _: AgentCommand) -> Ended {
    Err(super::Failure::told("linux-only", "Agents can be started on Linux only so far."))
}
