//! `start`: "I start working on …". Takes the task with a host that stays, so that what changes from now on is watched
//! and known to be its work.

use augment_core::text::visible;
use augment_protocol::methods::{GetStatus, QueueAdd, QueueClaim, SessionShown};
use augment_protocol::queue::{AddTask, ClaimTask, Taken};
use augment_protocol::sessions::ScopeItem;
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

/// The task of this title that the session under way has in its scope and that has not ended: a second one of that title
/// would be outside of what was agreed to.
async fn in_scope(client: &mut Client, title: &str) -> Result<Option<String>, Failure> {
    let status = client.call::<SessionShown>(Nothing {}).await?;
    let mut items = status.session.into_iter().flat_map(|session| session.items);
    let is_meant = |item: &ScopeItem| item.end.is_none() && item.title.eq_ignore_ascii_case(title.trim());
    Ok(items.find(is_meant).and_then(|item| item.task))
}

async fn take(client: &mut Client, args: StartArgs) -> Result<Taken, Failure> {
    let known = match &args.title {
        Some(title) => in_scope(client, title).await?,
        None => None,
    };
    let added = match args.title {
        Some(title) if known.is_none() => {
            Some(client.call::<QueueAdd>(AddTask { title, ..AddTask::default() }).await?.id)
        }
        Some(_) | None => None,
    };
    let task = added.clone().or(known).or(args.task_id).unwrap_or_default();
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
