//! `queue list`, once or for as long as it is watched.

use std::time::Duration;

use augment_core::task::Status;
use augment_protocol::methods::QueueList;
use augment_protocol::queue::{ListTasks, TaskList};
use augment_protocol::status::{Moved, Part};

use super::{Ended, Ending, Failure, Session, lasting, now_ms};
use crate::args::ListArgs;
use crate::client::{CallError, Client};
use crate::connect::Wish;
use crate::output::tasks::{self, LeftOut};
use crate::output::{Drawn, Format};

/// The most that the host gives in one page.
const PAGE: u32 = 1_000;
/// How often ages are brought up to date on a watched terminal. Changes come by themselves.
const AGES_MOVE_ON: Duration = Duration::from_secs(30);

pub(super) async fn run(session: &mut Session, args: ListArgs) -> Ended {
    if args.watch {
        let mut client = session.connect(Wish::Lasting).await?;
        return lasting::until_left(watch(session, &mut client, &args)).await;
    }
    let mut client = session.connect(Wish::OneShot).await?;
    let list = fetch(&mut client, &args).await?;
    let width = session.output.width();
    session.show(&list, |list| tasks::list(list, &left_out(&args, list), now_ms(), width).whole())?;
    Ok(Ending::Done)
}

async fn watch(session: &Session, client: &mut Client, args: &ListArgs) -> Ended {
    let mut drawn = Drawn::First;
    loop {
        let list = fetch(client, args).await?;
        draw(session, args, &list, drawn)?;
        drawn = Drawn::Before;
        loop {
            let moved = next_moved(session, client, args, &list).await?;
            let concerns = moved.parts.iter().any(|part| match part {
                Part::Queue | Part::Settings => true,
                Part::Ledger | Part::Changes | Part::Agents | Part::Sessions | Part::Prompts => false,
            });
            // Notices of what the list already shows are old news.
            if concerns && moved.revision > list.revision {
                break;
            }
        }
    }
}

/// Waits for the next notice; on a terminal the ages move on meanwhile.
async fn next_moved(
    session: &Session,
    client: &mut Client,
    args: &ListArgs,
    list: &TaskList,
) -> Result<Moved, Failure> {
    if session.output.format() == Format::Json || session.output.screen().is_none() {
        return Ok(client.next_moved().await?);
    }
    let mut moved = std::pin::pin!(client.next_moved());
    loop {
        tokio::select! {
            moved = &mut moved => return Ok(moved?),
            () = tokio::time::sleep(AGES_MOVE_ON) => draw(session, args, list, Drawn::Before)?,
        }
    }
}

fn draw(session: &Session, args: &ListArgs, list: &TaskList, drawn: Drawn) -> Result<(), Failure> {
    match session.output.format() {
        Format::Json => session.output.json(list)?,
        Format::Human => {
            let text = tasks::list(list, &left_out(args, list), now_ms(), session.output.width());
            let text = match session.output.screen() {
                Some(screen) => text.fitting(screen.rows),
                None => text.whole(),
            };
            session.output.redraw(&text, drawn)?;
        }
    }
    Ok(())
}

/// As many pages as were asked for, as one list.
async fn fetch(client: &mut Client, args: &ListArgs) -> Result<TaskList, CallError> {
    let mut params = ListTasks {
        statuses: statuses(args),
        priority: args.priority.clone(),
        label: args.label.clone(),
        goal: args.goal.clone(),
        assignee: args.assignee.clone(),
        text: args.text.clone(),
        ready: args.ready.then_some(true),
        limit: args.limit.map(|limit| limit.min(PAGE)),
        after: args.after.clone(),
    };
    let mut list = client.call::<QueueList>(params.clone()).await?;
    let Some(limit) = args.limit else { return Ok(list) };
    loop {
        let missing = limit.saturating_sub(u32::try_from(list.tasks.len()).unwrap_or(u32::MAX));
        let Some(next) = list.next.clone().filter(|_| missing > 0) else { return Ok(list) };
        params.limit = Some(missing.min(PAGE));
        params.after = Some(next);
        let page = client.call::<QueueList>(params.clone()).await?;
        // A page without tasks would never come to an end.
        let next = page.next.filter(|_| !page.tasks.is_empty());
        list.tasks.extend(page.tasks);
        let out_of_scope = match (list.out_of_scope, page.out_of_scope) {
            (Some(mut left_out), Some(more)) => {
                left_out.tasks.extend(more.tasks);
                Some(left_out)
            }
            (left_out, more) => left_out.or(more),
        };
        list = TaskList { tasks: list.tasks, next, counts: page.counts, out_of_scope, revision: page.revision };
    }
}

fn statuses(args: &ListArgs) -> Option<Vec<String>> {
    if args.all {
        Some(Status::ALL.iter().map(|status| status.name().to_owned()).collect())
    } else {
        args.status.clone()
    }
}

fn left_out(args: &ListArgs, list: &TaskList) -> LeftOut {
    let asked = statuses(args);
    let matching = match &asked {
        _ if args.is_filtered() || args.after.is_some() => None,
        Some(statuses) => Some(tasks::count_of(&list.counts, statuses)),
        None => {
            let all: Vec<String> = Status::ALL.iter().map(|status| status.name().to_owned()).collect();
            Some(tasks::count_of(&list.counts, &all) - tasks::done(&list.counts))
        }
    };
    LeftOut { done: asked.is_none(), matching }
}
