//! `watch`: each change and each decision as it happens, and each report of the session, until Ctrl-C. What is shown are
//! records of the ledger and reports that are kept, so nothing is shown that is not written, and nothing that is written
//! is missed.

use augment_protocol::methods::{AuditList, GetStatus};
use augment_protocol::records::{ListRecords, Record};
use augment_protocol::status::Nothing;

use super::reports::Reports;
use super::{Ended, Failure, Session, lasting};
use crate::args::WatchArgs;
use crate::client::Client;
use crate::connect::Wish;
use crate::output::{Format, changes};

/// The most that the host gives in one page.
const PAGE: u32 = 1_000;

pub(super) async fn run(session: &mut Session, args: WatchArgs) -> Ended {
    let mut client = session.connect(Wish::Lasting).await?;
    lasting::until_left(follow(session, &mut client, &args)).await
}

async fn follow(session: &Session, client: &mut Client, args: &WatchArgs) -> Ended {
    // The end comes first: what is written from here on is shown, also while the rest is being asked for.
    let end = ListRecords { limit: Some(1), ..ListRecords::default() };
    let mut last = client.call::<AuditList>(end).await?.records.first().map_or(0, |record| record.sequence);
    let mut reports = Reports::from_now(client).await?;
    let status = client.call::<GetStatus>(Nothing {}).await?;
    match session.output.format() {
        Format::Json => {
            session.output.json(&serde_json::json!({ "watching": status.watching, "changes": status.changes }))?
        }
        Format::Human => {
            let waiting = changes::counts(&status.changes);
            session.output.print(&format!("{}\n{waiting}", changes::watching(&status.watching)))?;
        }
    }
    loop {
        // All kinds in one call, so that changes and decisions come in the order in which they happened.
        let params =
            ListRecords { task: args.task_id.clone(), after: Some(last), limit: Some(PAGE), ..ListRecords::default() };
        let list = client.call::<AuditList>(params).await?;
        for record in list.records.iter().filter(|record| is_about_changes(record)) {
            print(session, record)?;
        }
        let is_wanted = |task: Option<&str>| args.task_id.is_none() || task == args.task_id.as_deref();
        reports.print_fresh(session, client, |report| is_wanted(report.task.as_deref())).await?;
        if let Some(record) = list.records.last() {
            last = last.max(record.sequence);
        }
        // Notices are kept until they are asked for, so none is missed between the call and the wait.
        if list.next.is_none() || list.records.is_empty() {
            while client.next_moved().await?.revision <= list.revision {}
        }
    }
}

/// Kinds are written `file.changed`, `review.decided` and so on.
fn is_about_changes(record: &Record) -> bool {
    let first = record.kind.split('.').next().unwrap_or_default();
    matches!(first, "file" | "review" | "watch" | "vcs")
}

fn print(session: &Session, record: &Record) -> Result<(), Failure> {
    match session.output.format() {
        Format::Json => session.output.json(record)?,
        Format::Human => session.output.print(&changes::event::line(record))?,
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_changes_and_decisions_are_shown() {
        let record = |kind: &str| Record {
            sequence: 1,
            time: 0,
            actor: "host".into(),
            kind: kind.into(),
            subject: "workspace".into(),
            about: vec![],
            data: serde_json::Value::Null,
            version: 1,
            previous: String::new(),
            hash: String::new(),
        };
        for (kind, shown) in [
            ("file.changed", true),
            ("review.decided", true),
            ("file", true),
            ("watch.rescanned", true),
            ("vcs.moved", true),
            ("files.x", false),
            ("task.added", false),
        ] {
            assert_eq!(is_about_changes(&record(kind)), shown, "{kind}");
        }
    }
}
