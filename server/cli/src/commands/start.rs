//! `start`: "I start working on …". Takes the task with a host that stays, so that what changes from now on is watched
//! and known to be its work.

use augment_core::text::visible;
use augment_protocol::methods::{GetStatus, QueueAdd, QueueClaim};
use augment_protocol::queue::{AddTask, ClaimTask, Taken};
use augment_protocol::status::Nothing;

use super::{Ended, Ending, Failure, Session};
use crate::args::StartArgs;
use crate::client::Client;
use crate::connect::Wish;
use crate::output::{Format, changes, tasks};

pub(super) async fn run(session: &mut Session, args: StartArgs) -> Ended {
    let print_token = args.print_token;
    let mut client = session.connect(Wish::Lasting).await?;
    let taken = take(&mut client, args).await?;
    show_taken(session, &mut client, &taken, print_token).await?;
    Ok(Ending::Done)
}

/// Tells of a task that was taken, and whether what changes from now on is seen.
pub(super) async fn show_taken(
    session: &Session,
    client: &mut Client,
    taken: &Taken,
    print_token: bool,
) -> Result<(), Failure> {
    // What is taken is told even where the state of the watching cannot be asked for any more.
    let watching = client.call::<GetStatus>(Nothing {}).await.ok().map(|status| status.watching);
    match (session.output.format(), print_token) {
        (Format::Json, _) => session.output.json(taken)?,
        // With the token asked for, stdout holds nothing but the line for `eval`.
        (Format::Human, true) => {
            session.output.print(&tasks::token_line(&taken.token))?;
            session.output.tell(&changes::started::started(taken, watching.as_ref(), changes::started::Token::Hidden));
        }
        (Format::Human, false) => {
            session.output.print(&changes::started::started(
                taken,
                watching.as_ref(),
                changes::started::Token::Shown,
            ))?;
        }
    }
    Ok(())
}

async fn take(client: &mut Client, args: StartArgs) -> Result<Taken, Failure> {
    let added = match args.title {
        Some(title) => Some(client.call::<QueueAdd>(AddTask { title, ..AddTask::default() }).await?.id),
        None => None,
    };
    let task = added.clone().or(args.task_id).unwrap_or_default();
    let params = ClaimTask { task, agent: args.agent, capabilities: None, lease_ms: Some(args.lease) };
    let taken = client.call::<QueueClaim>(params).await;
    taken.map_err(|error| match (Failure::from(error), added) {
        // The task is there now, so doing all of it again would add a second one.
        (Failure::Told { code, message, data }, Some(id)) => {
            let message = format!(
                "{message} {id} was added; then go on with `augment-cli start --task-id {id}`.",
                id = visible(&id)
            );
            Failure::Told { code, message, data }
        }
        (failure, _) => failure,
    })
}
