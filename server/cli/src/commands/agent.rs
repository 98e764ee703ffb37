//! `agent …`: which agents there are, what they do, and what they want.

mod answering;
mod presets;
mod runs;
mod talk;
mod test;

use super::{Ended, Session};
use crate::args::AgentCommand;

pub(super) async fn run(session: &mut Session, command: AgentCommand) -> Ended {
    match command {
        AgentCommand::ListPresets => presets::run(session),
        AgentCommand::Test(args) => test::run(session, &args).await,
        AgentCommand::Start(args) => runs::start(session, args).await,
        AgentCommand::Stop(args) => runs::stop(session, &args).await,
        AgentCommand::List => runs::list(session).await,
        AgentCommand::Status(args) => runs::status(session, &args).await,
        AgentCommand::Logs(args) => runs::logs(session, &args).await,
        AgentCommand::Attach(args) => runs::attach(session, args).await,
        AgentCommand::Questions(args) => talk::questions(session, args).await,
        AgentCommand::Answer(args) => talk::answer(session, args).await,
        AgentCommand::Allow(args) => talk::allow(session, args).await,
        AgentCommand::HandOff(args) => talk::hand_off(session, args).await,
    }
}
