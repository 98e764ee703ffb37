//! `plan …`: the project's plan as it is understood, and what is not.

use augment_protocol::methods::PlanShow;
use augment_protocol::status::Nothing;

use super::{Ended, Ending, Session};
use crate::args::PlanCommand;
use crate::connect::Wish;
use crate::output::plan;

pub(super) async fn run(session: &mut Session, command: PlanCommand) -> Ended {
    let view = session.connect(Wish::OneShot).await?.call::<PlanShow>(Nothing {}).await?;
    let width = session.output.width();
    match command {
        PlanCommand::Show => {
            session.show(&view, |view| plan::show(view, width))?;
            Ok(Ending::Done)
        }
        PlanCommand::Check => {
            let is_fine = view.path.is_some() && view.problems.is_empty();
            session.show(&view, plan::check)?;
            Ok(if is_fine { Ending::Done } else { Ending::No })
        }
    }
}
