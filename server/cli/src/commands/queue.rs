//! `queue …`: one call a command.

use std::io;

use augment_core::text::visible;
use augment_protocol::changes::ListChanges;
use augment_protocol::methods::{
    ChangesList, QueueAdd, QueueCancel, QueueClaim, QueueComplete, QueueEdit, QueueFail, QueueHeartbeat, QueueMove,
    QueueNext, QueueRemove, QueueRetry, QueueShow,
};
use augment_protocol::queue::{
    AddTask, CancelTask, ClaimTask, CompleteOutcome, CompleteTask, EditTask, FailTask, Heartbeat, MoveTask, Next,
    OneTask, Place, TakeNext, Taken, Task,
};

use super::{Ended, Ending, Failure, Session, now_ms, task_list};
use crate::args::{
    AddArgs, ClaimArgs, CompleteArgs, EditArgs, MoveArgs, NextArgs, Outcome, QueueCommand, TaskArgs, bounded_stdin,
};
use crate::client::Client;
use crate::connect::Wish;
use crate::output::{Format, changes, tasks, time};

pub(super) async fn run(session: &mut Session, command: QueueCommand) -> Ended {
    match command {
        QueueCommand::Add(args) => add(session, args).await,
        QueueCommand::List(args) => task_list::run(session, args).await,
        QueueCommand::Show(task) => show(session, task.id()).await,
        QueueCommand::Edit(args) => edit(session, *args).await,
        QueueCommand::Move(args) => move_to(session, args).await,
        QueueCommand::Remove(task) => remove(session, task).await,
        QueueCommand::Cancel { task, reason } => {
            let params = CancelTask { task: task.id(), revision: None, reason };
            let mut client = session.connect(Wish::OneShot).await?;
            let task = client.call::<QueueCancel>(params).await?;
            ended(session, client, "Cancelled", &task).await
        }
        QueueCommand::Retry(task) => {
            let task = session.connect(Wish::OneShot).await?.call::<QueueRetry>(one(task)).await?;
            told(session, "Put back", &task)
        }
        QueueCommand::Next(args) => next(session, args).await,
        QueueCommand::Claim(args) => claim(session, args).await,
        QueueCommand::Heartbeat { task, attempt } => {
            let params = Heartbeat { task: task.id(), attempt: attempt.attempt };
            let task = session.connect(Wish::OneShot).await?.call::<QueueHeartbeat>(params).await?;
            heard(session, &task)
        }
        QueueCommand::Complete(args) => complete(session, args).await,
        QueueCommand::Fail { task, attempt, reason } => {
            let params = FailTask { task: task.id(), attempt: attempt.attempt, reason };
            let mut client = session.connect(Wish::OneShot).await?;
            let task = client.call::<QueueFail>(params).await?;
            ended(session, client, "Failed", &task).await
        }
    }
}

fn one(task: TaskArgs) -> OneTask {
    OneTask { task: task.id(), revision: None }
}

fn told(session: &Session, done: &str, task: &Task) -> Ended {
    session.show(task, |task| tasks::one_line(done, task))?;
    Ok(Ending::Done)
}

/// Tells that a task has ended, and what of its work still waits: the end decides nothing.
async fn ended(session: &Session, mut client: Client, done: &str, task: &Task) -> Ended {
    let mut text = tasks::one_line(done, task);
    if session.output.format() == Format::Human {
        let of_task = ListChanges { task: Some(task.id.clone()), ..ListChanges::default() };
        // The task has ended, whether or not this can be told.
        if let Ok(list) = client.call::<ChangesList>(of_task).await {
            text.extend(changes::still_waiting(&task.id, &list).map(|waiting| format!("\n{waiting}")));
        }
    }
    session.show(task, |_| text)?;
    Ok(Ending::Done)
}

/// Text as it was typed, or all of stdin for `-`. Lines end as ours do, also in files that come from elsewhere.
fn text(typed: Option<String>) -> Result<Option<String>, Failure> {
    let text = match typed.as_deref() {
        Some("-") => Some(bounded_stdin(io::stdin().lock()).map_err(|message| Failure::told("stdin", message))?),
        Some(_) | None => typed,
    };
    Ok(text.map(|text| text.replace("\r\n", "\n")))
}

async fn add(session: &mut Session, mut args: AddArgs) -> Ended {
    let params = AddTask {
        title: args.title(),
        description: text(args.fields.description)?,
        priority: args.fields.priority,
        origin: args.origin,
        goal: args.fields.goal,
        scope: args.fields.scope,
        labels: args.fields.label,
        capabilities: args.fields.capability,
        assignee: args.fields.assignee,
        depends_on: args.depends_on,
        time_limit_ms: args.time_limit,
        max_attempts: args.fields.max_attempts,
    };
    let task = session.connect(Wish::OneShot).await?.call::<QueueAdd>(params).await?;
    told(session, "Added", &task)
}

pub(super) async fn show(session: &mut Session, task: String) -> Ended {
    let params = OneTask { task, revision: None };
    let details = session.connect(Wish::OneShot).await?.call::<QueueShow>(params).await?;
    let width = session.output.width();
    session.show(&details, |details| tasks::details(details, now_ms(), width))?;
    Ok(Ending::Done)
}

/// A list where one empty value means none.
fn clearable(values: Option<Vec<String>>) -> Option<Vec<String>> {
    values.map(|values| if values.iter().all(String::is_empty) { Vec::new() } else { values })
}

async fn edit(session: &mut Session, args: EditArgs) -> Ended {
    let params = EditTask {
        task: args.task.id(),
        revision: args.revision,
        title: args.title,
        description: text(args.fields.description)?,
        priority: args.fields.priority,
        goal: args.fields.goal,
        scope: clearable(args.fields.scope),
        labels: clearable(args.fields.label),
        capabilities: clearable(args.fields.capability),
        assignee: args.fields.assignee,
        depends_on: clearable(args.depends_on),
        time_limit_ms: args.time_limit,
        max_attempts: args.fields.max_attempts,
    };
    let task = session.connect(Wish::OneShot).await?.call::<QueueEdit>(params).await?;
    told(session, "Changed", &task)
}

async fn move_to(session: &mut Session, args: MoveArgs) -> Ended {
    let place = match args.place.chosen() {
        Some(place) => place,
        None => return Err(Failure::told("usage", "Say where to: --before, --after, --top or --bottom.")),
    };
    let params = MoveTask { task: args.task.id(), revision: None, place };
    let task = session.connect(Wish::OneShot).await?.call::<QueueMove>(params).await?;
    told(session, "Moved", &task)
}

async fn remove(session: &mut Session, task: TaskArgs) -> Ended {
    let params = one(task);
    let removed = serde_json::json!({ "removed": params.task });
    let text = format!("Removed {}. Its content stays in the ledger.", visible(&params.task));
    session.connect(Wish::OneShot).await?.call::<QueueRemove>(params).await?;
    session.show(&removed, |_| text)?;
    Ok(Ending::Done)
}

async fn next(session: &mut Session, args: NextArgs) -> Ended {
    let taker = args.taker;
    let params = TakeNext { agent: taker.agent, capabilities: taker.capability, lease_ms: taker.lease };
    let answer = session.connect(Wish::OneShot).await?.call::<QueueNext>(params).await?;
    match &answer.taken {
        Some(taken) => {
            let document = serde_json::to_value(&answer).unwrap_or_default();
            handed_over(session, taken, &document, taker.print_token)
        }
        None => nothing_ready(session, &answer, taker.print_token),
    }
}

fn nothing_ready(session: &Session, answer: &Next, print_token: bool) -> Ended {
    let text = tasks::nothing_ready(answer.out_of_scope.as_ref());
    if print_token && session.output.format() == Format::Human {
        session.output.tell(&text);
    } else {
        session.show(answer, |_| text)?;
    }
    Ok(Ending::No)
}

async fn claim(session: &mut Session, args: ClaimArgs) -> Ended {
    let taker = args.taker;
    let params =
        ClaimTask { task: args.task.id(), agent: taker.agent, capabilities: taker.capability, lease_ms: taker.lease };
    let taken = session.connect(Wish::OneShot).await?.call::<QueueClaim>(params).await?;
    let document = serde_json::to_value(&taken).unwrap_or_default();
    handed_over(session, &taken, &document, taker.print_token)
}

/// Tells the holder what it has. With the token asked for, stdout holds nothing but the line for `eval`: a title must
/// never be read by a shell.
fn handed_over(session: &Session, taken: &Taken, document: &serde_json::Value, print_token: bool) -> Ended {
    match (session.output.format(), print_token) {
        (Format::Json, _) => session.output.json(document)?,
        (Format::Human, true) => {
            session.output.print(&tasks::token_line(&taken.token))?;
            session.output.tell(&tasks::taken(taken));
        }
        (Format::Human, false) => session.output.print(&tasks::taken(taken))?,
    }
    Ok(Ending::Done)
}

fn heard(session: &Session, task: &Task) -> Ended {
    session.show(task, |task| match &task.lease {
        Some(lease) => {
            let holder = visible(task.holder.as_deref().unwrap_or("its holder"));
            format!("{} stays with {holder} for another {}.", visible(&task.id), time::length(lease.length_ms))
        }
        None => tasks::one_line("Heard", task),
    })?;
    Ok(Ending::Done)
}

async fn complete(session: &mut Session, args: CompleteArgs) -> Ended {
    let outcome = args.outcome.map(|outcome| match outcome {
        Outcome::Completed => CompleteOutcome::Completed,
        Outcome::Partial => CompleteOutcome::Partial,
        Outcome::Blocked => CompleteOutcome::Blocked,
    });
    let done = match args.outcome {
        Some(Outcome::Completed) | None => "Completed",
        Some(Outcome::Partial) => "Partly done",
        Some(Outcome::Blocked) => "Blocked",
    };
    let params =
        CompleteTask { task: args.task.id(), attempt: args.attempt.attempt, outcome, result: text(args.result)? };
    let mut client = session.connect(Wish::OneShot).await?;
    let task = client.call::<QueueComplete>(params).await?;
    ended(session, client, done, &task).await
}

impl crate::args::PlaceArgs {
    fn chosen(self) -> Option<Place> {
        self.before
            .map(Place::Before)
            .or(self.after.map(Place::After))
            .or(self.top.then_some(Place::Top))
            .or(self.bottom.then_some(Place::Bottom))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_empty_value_clears_a_list() {
        let list = |values: &[&str]| Some(values.iter().map(|&value| value.to_owned()).collect::<Vec<_>>());
        assert_eq!(clearable(None), None);
        assert_eq!(clearable(list(&[""])), list(&[]));
        assert_eq!(clearable(list(&["a1", "a2"])), list(&["a1", "a2"]));
        assert_eq!(clearable(list(&["a1", ""])), list(&["a1", ""]));
    }
}
