//! `audit …`: the ledger, once or as it grows, written out, and whether what was written holds.

mod export;
mod protocol;
mod verify_file;

use augment_protocol::methods::{AuditList, AuditShow, AuditVerify};
use augment_protocol::records::{ListRecords, OneRecord, Record, RecordList};
use augment_protocol::status::Nothing;

use super::{Ended, Ending, Failure, Session, lasting, now_ms};
use crate::args::{AuditCommand, AuditFilters, FollowArgs, ListRecordsArgs, VerifyArgs};
use crate::client::{CallError, Client};
use crate::connect::Wish;
use crate::output::table::Look;
use crate::output::{Format, records};

/// The most that the host gives in one page.
const PAGE: u32 = 1_000;

pub(super) async fn run(session: &mut Session, command: AuditCommand) -> Ended {
    match command {
        AuditCommand::List(args) => list(session, &args).await,
        AuditCommand::Show { sequence } => {
            let record = session.connect(Wish::OneShot).await?.call::<AuditShow>(OneRecord { sequence }).await?;
            session.show(&record, records::one)?;
            Ok(Ending::Done)
        }
        AuditCommand::Verify(VerifyArgs { file: Some(file), head, part }) => {
            verify_file::run(session, &file, head.as_deref(), part)
        }
        AuditCommand::Verify(VerifyArgs { file: None, .. }) => {
            let verified = session.connect(Wish::OneShot).await?.call::<AuditVerify>(Nothing {}).await?;
            session.show(&verified, records::verified)?;
            Ok(if verified.holds && verified.broken.is_none() { Ending::Done } else { Ending::No })
        }
        AuditCommand::Export(args) => export::run(session, &args).await,
        AuditCommand::Protocol(args) => protocol::run(session, &args),
        AuditCommand::Follow(args) => {
            let mut client = session.connect(Wish::Lasting).await?;
            lasting::until_left(follow(session, &mut client, &args)).await
        }
    }
}

fn wanted(session: &Session, filters: &AuditFilters) -> Result<ListRecords, Failure> {
    let now = now_ms();
    let filters = filters.clone();
    let file = filters.file.map(|typed| session.typed_path(&typed)).transpose()?;
    Ok(ListRecords {
        task: filters.task,
        run: filters.run,
        agent: filters.agent,
        file,
        session: filters.session,
        actor: filters.actor,
        kind: filters.kind,
        since: filters.since.map(|moment| moment.resolve(now)),
        until: filters.until.map(|moment| moment.resolve(now)),
        before: None,
        after: None,
        limit: None,
    })
}

async fn list(session: &mut Session, args: &ListRecordsArgs) -> Ended {
    let mut client = session.connect(Wish::OneShot).await?;
    let params = wanted(session, &args.filters)?;
    let list = fetch(&mut client, args, params).await?;
    let width = session.output.width();
    session.show(&list, |list| told(list, width))?;
    Ok(Ending::Done)
}

/// As many pages as were asked for, as one list.
async fn fetch(client: &mut Client, args: &ListRecordsArgs, mut params: ListRecords) -> Result<RecordList, CallError> {
    params.before = args.before;
    params.limit = args.limit.map(|limit| limit.min(PAGE));
    let mut list = client.call::<AuditList>(params.clone()).await?;
    let Some(limit) = args.limit else { return Ok(list) };
    loop {
        let missing = limit.saturating_sub(u32::try_from(list.records.len()).unwrap_or(u32::MAX));
        let Some(next) = list.next.filter(|_| missing > 0) else { return Ok(list) };
        params.limit = Some(missing.min(PAGE));
        params.before = Some(next);
        let page = client.call::<AuditList>(params.clone()).await?;
        let next = page.next.filter(|_| !page.records.is_empty());
        list.records.extend(page.records);
        list = RecordList { records: list.records, next, revision: page.revision };
    }
}

fn told(list: &RecordList, width: Option<u16>) -> String {
    if list.records.is_empty() {
        return Look::Faint.paint("No record to show.");
    }
    let table = records::list(&list.records, width);
    match list.next {
        Some(next) => format!("{table}\n\n{}", Look::Faint.paint(&format!("… older ones; --limit or --before {next}"))),
        None => table,
    }
}

/// The newest few, oldest of them first, then each new one as it is written.
async fn follow(session: &Session, client: &mut Client, args: &FollowArgs) -> Ended {
    let filters = wanted(session, &args.filters)?;
    // The end comes first: what is written from here on is either among the newest or comes after it.
    let end = ListRecords { limit: Some(1), ..ListRecords::default() };
    let mut last = client.call::<AuditList>(end).await?.records.first().map_or(0, |record| record.sequence);
    if args.limit > 0 {
        let params = ListRecords { limit: Some(args.limit.min(PAGE)), ..filters.clone() };
        let mut newest = client.call::<AuditList>(params).await?.records;
        newest.reverse();
        print(session, &newest)?;
        last = newest.last().map_or(last, |record| record.sequence.max(last));
    }
    loop {
        let params = ListRecords { after: Some(last), limit: Some(PAGE), ..filters.clone() };
        let list = client.call::<AuditList>(params).await?;
        print(session, &list.records)?;
        if let Some(record) = list.records.last() {
            last = last.max(record.sequence);
        }
        // Notices are kept until they are asked for, so none is missed between the call and the wait.
        if list.next.is_none() || list.records.is_empty() {
            while client.next_moved().await?.revision <= list.revision {}
        }
    }
}

fn print(session: &Session, records: &[Record]) -> Result<(), Failure> {
    let width = session.output.width();
    for record in records {
        match session.output.format() {
            Format::Json => session.output.json(record)?,
            Format::Human => session.output.print(&records::line(record, width))?,
        }
    }
    Ok(())
}
