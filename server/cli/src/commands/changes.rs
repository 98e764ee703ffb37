//! `changes …`: what was changed and what is decided about it. Only a person's yes decides; where a decision has to be
//! confirmed, exactly what was shown is confirmed.

mod contents;
mod decide;
mod diff;
mod find;

use std::path::Path;

use augment_core::text::{quoted, shell_word};
use augment_protocol::changes::{
    Assign, ChangeList, Decide, ListChanges, OneFile, Purge, Selection, Verdict, WhichDecision,
};
use augment_protocol::methods::{ChangesAssign, ChangesFile, ChangesHistory, ChangesList, ChangesPurge};

use super::{Ended, Ending, Failure, Session, ask, now_ms};
use crate::args::{
    AssignArgs, ChangesArgs, ChangesCommand, DecideArgs, ListChangesArgs, PurgeArgs, SelectionArgs, ShowChangesArgs,
};
use crate::client::{CallError, Client};
use crate::connect::Wish;
use crate::output::changes as shown;
use crate::output::changes::decided::{assigned, purged};

pub(super) use decide::{Consent, Order, run as decide};

pub(super) use contents::{bytes_of, text_of};

/// The most files that the host gives in one page.
const PAGE: u32 = 1_000;

pub(super) async fn run(session: &mut Session, args: ChangesArgs) -> Ended {
    match args.command {
        Some(ChangesCommand::List(args)) => list(session, args).await,
        Some(ChangesCommand::Show(args)) => show(session, args).await,
        Some(ChangesCommand::Diff(args)) => diff::run(session, args).await,
        Some(ChangesCommand::Approve(args)) => decided(session, Verdict::Approve, args).await,
        Some(ChangesCommand::Reject(args)) => decided(session, Verdict::Reject, args).await,
        Some(ChangesCommand::Undo(args)) => {
            let which = WhichDecision { decision: args.decision, confirm: None };
            decide::run(session, Order::Undo(which), consent(args.yes)).await
        }
        Some(ChangesCommand::Redo(args)) => {
            let which = WhichDecision { decision: args.decision, confirm: None };
            decide::run(session, Order::Redo(which), consent(args.yes)).await
        }
        Some(ChangesCommand::Assign(args)) => assign(session, args).await,
        Some(ChangesCommand::History { file }) => {
            let params = OneFile { path: session.typed_path(&file)?, decided: None };
            let history = session.connect(Wish::OneShot).await?.call::<ChangesHistory>(params).await?;
            let width = session.output.width();
            session.show(&history, |history| shown::history::history(history, width))?;
            Ok(Ending::Done)
        }
        Some(ChangesCommand::Purge(args)) => purge(session, &args).await,
        None => list_or_decide(session, args).await,
    }
}

/// `changes --task-id X --approve`: the filters of the list say what is decided.
async fn list_or_decide(session: &mut Session, args: ChangesArgs) -> Ended {
    let verdict = match (args.approve, args.reject) {
        (true, _) => Verdict::Approve,
        (false, true) => Verdict::Reject,
        (false, false) => return list(session, args.list).await,
    };
    let ListChangesArgs { task_id, run, file, unknown, decided: _, limit: _, after: _ } = args.list;
    let what = SelectionArgs { hunks: Vec::new(), file, task_id, run, unknown, all: args.all };
    decided(session, verdict, DecideArgs { what, yes: args.yes }).await
}

/// What was typed, as the wire says it.
fn selection(session: &Session, args: SelectionArgs) -> Result<Selection, Failure> {
    Ok(Selection {
        hunks: (!args.hunks.is_empty()).then_some(args.hunks),
        file: args.file.map(|file| session.typed_path(&file)).transpose()?,
        task: args.task_id,
        run: args.run,
        unknown: args.unknown.then_some(true),
        all: args.all.then_some(true),
    })
}

fn consent(yes: bool) -> Consent {
    if yes { Consent::Given } else { Consent::Asked }
}

async fn decided(session: &mut Session, verdict: Verdict, args: DecideArgs) -> Ended {
    let typed = args.what.hunks.clone();
    let what = selection(session, args.what)?;
    let order = Order::Decide(Decide { verdict, what, confirm: None });
    match decide::run(session, order, consent(args.yes)).await {
        Err(failure) => {
            let command = match verdict {
                Verdict::Approve => "approve",
                Verdict::Reject => "reject",
            };
            Err(not_a_hunk(session, &typed, command, failure).await)
        }
        done => done,
    }
}

/// Where a file was typed in place of a hunk, that is what is told, with the right spelling.
async fn not_a_hunk(session: &mut Session, typed: &[String], command: &str, failure: Failure) -> Failure {
    match &failure {
        Failure::Told { code, .. } if code == "unknown-hunk" => {}
        Failure::Told { .. } | Failure::Closed | Failure::Interrupted => return failure,
    }
    for name in typed {
        let Ok(path) = session.typed_path(Path::new(name)) else { continue };
        // A file that a run has deleted is no longer there, but its deletion waits.
        let there = session.workspace().is_ok_and(|workspace| workspace.root().join(&path).is_file());
        if there || has_hunks(session, path).await {
            let message = format!(
                "{} is a file and no hunk. `augment-cli changes {command} --file {}` is about all that waits in it.",
                quoted(name),
                shell_word(name)
            );
            return Failure::told("unknown-hunk", message);
        }
    }
    failure
}

async fn has_hunks(session: &mut Session, path: String) -> bool {
    let Ok(mut client) = session.connect(Wish::OneShot).await else { return false };
    let file = client.call::<ChangesFile>(OneFile { path, decided: None }).await;
    file.is_ok_and(|file| !file.hunks.is_empty())
}

async fn list(session: &mut Session, args: ListChangesArgs) -> Ended {
    let params = ListChanges {
        file: args.file.map(|file| session.typed_path(&file)).transpose()?,
        task: args.task_id,
        run: args.run,
        unknown: args.unknown.then_some(true),
        decided: args.decided.then_some(true),
        after: args.after,
        limit: args.limit.map(|limit| limit.min(PAGE)),
    };
    let mut client = session.connect(Wish::OneShot).await?;
    let list = fetch(&mut client, params, args.limit).await?;
    let width = session.output.width();
    session.show(&list, |list| shown::list(list, now_ms(), width))?;
    Ok(Ending::Done)
}

/// As many pages as are wanted, as one list; without a wish one page.
async fn fetch(client: &mut Client, mut params: ListChanges, limit: Option<u32>) -> Result<ChangeList, CallError> {
    let mut list = client.call::<ChangesList>(params.clone()).await?;
    let Some(limit) = limit else { return Ok(list) };
    loop {
        let missing = limit.saturating_sub(u32::try_from(list.files.len()).unwrap_or(u32::MAX));
        let Some(next) = list.next.clone().filter(|_| missing > 0) else { return Ok(list) };
        params.limit = Some(missing.min(PAGE));
        params.after = Some(next);
        let page = client.call::<ChangesList>(params.clone()).await?;
        // A page without files would never come to an end.
        let next = page.next.filter(|_| !page.files.is_empty());
        list.files.extend(page.files);
        list = ChangeList { files: list.files, next, counts: page.counts, revision: page.revision };
    }
}

async fn show(session: &mut Session, args: ShowChangesArgs) -> Ended {
    if let Some(file) = args.file {
        let params = OneFile { path: session.typed_path(&file)?, decided: args.decided.then_some(true) };
        let file = session.connect(Wish::OneShot).await?.call::<ChangesFile>(params).await?;
        session.show(&file, |file| shown::file(file, now_ms()))?;
        return Ok(Ending::Done);
    }
    let wanted = args.hunk.unwrap_or_default();
    let mut client = session.connect(Wish::OneShot).await?;
    let file = match find::hunk(&mut client, &wanted).await {
        Ok(file) => file,
        Err(failure) => {
            drop(client);
            return Err(not_a_hunk(session, &[wanted], "show", failure).await);
        }
    };
    session.show(&file, |file| shown::file(file, now_ms()))?;
    Ok(Ending::Done)
}

async fn assign(session: &mut Session, args: AssignArgs) -> Ended {
    let typed = args.what.hunks.clone();
    let params =
        Assign { what: selection(session, args.what)?, to_task: args.to.to_task, to_me: args.to.to_me.then_some(true) };
    let answer = session.connect(Wish::OneShot).await?.call::<ChangesAssign>(params).await;
    let answer = match answer {
        Ok(answer) => answer,
        Err(error) => return Err(not_a_hunk(session, &typed, "assign", error.into()).await),
    };
    session.show(&answer, assigned)?;
    Ok(Ending::Done)
}

/// Tells first what would go; it goes only on a yes.
async fn purge(session: &mut Session, args: &PurgeArgs) -> Ended {
    let told = Purge { older_than_ms: args.older_than, confirm: None };
    let confirmed = Purge { confirm: Some(true), ..told.clone() };
    if !args.yes {
        let answer = session.connect(Wish::OneShot).await?.call::<ChangesPurge>(told).await?;
        session.show(&answer, purged)?;
        if answer.decisions == 0 && answer.bytes == 0 {
            return Ok(Ending::Done);
        }
        if !session.output.can_ask() {
            return Err(Failure::told("not-confirmed", "Nothing was purged; --yes does it."));
        }
        if !ask::yes(session, "Purge them?").await? {
            session.output.tell("Nothing was purged.");
            return Ok(Ending::No);
        }
    }
    let answer = session.connect(Wish::OneShot).await?.call::<ChangesPurge>(confirmed).await?;
    session.show(&answer, purged)?;
    Ok(Ending::Done)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::script::{Reply, host};
    use super::*;

    fn page(paths: &[&str], next: Option<&str>) -> Reply {
        let file = |path: &&str| json!({ "path": path, "body": "text", "hash": null, "hunks": [], "moreHunks": false, "awaitsSave": false });
        let files: Vec<Value> = paths.iter().map(file).collect();
        let counts = json!({ "pendingFiles": 3, "pendingHunks": 3, "unknownHunks": 0 });
        Reply::Result(json!({ "files": files, "next": next, "counts": counts, "revision": 1 }))
    }

    #[tokio::test]
    async fn pages_are_put_together_up_to_the_limit() {
        const LIST: &str = "augment/changes/list";
        let script = vec![(LIST, page(&["a", "b"], Some("b"))), (LIST, page(&["c"], Some("c")))];
        let (mut client, said) = host(script).await;
        let params = ListChanges { limit: Some(3), ..ListChanges::default() };
        let list = fetch(&mut client, params, Some(3)).await.unwrap();
        let paths: Vec<&str> = list.files.iter().map(|file| file.path.as_str()).collect();
        assert_eq!((paths, list.next.as_deref()), (vec!["a", "b", "c"], Some("c")));
        assert_eq!(said.await.unwrap(), [json!({ "limit": 3 }), json!({ "after": "b", "limit": 1 })]);
        // A page without files ends it, whatever it says.
        let script = vec![(LIST, page(&["a"], Some("a"))), (LIST, page(&[], Some("a")))];
        let (mut client, _) = host(script).await;
        let list = fetch(&mut client, ListChanges::default(), Some(9)).await.unwrap();
        assert_eq!((list.files.len(), list.next), (1, None));
    }
}
