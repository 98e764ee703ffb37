//! The ledger's rows: appending, the kept head, and look-ups.

use augment_core::ledger::{Event, Hash, Head, Link, Record, Topic};
use augment_core::session::{Session, SessionId};
use augment_core::time::Wall;
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension as _, Row, params, params_from_iter};

use super::fits_in;

const HEAD: &str = "ledger-head";
const COLUMNS: &str =
    "l.sequence, l.time_ms, l.actor, l.kind, l.subject, l.about, l.data, l.version, l.previous, l.hash";

/// Where the next record goes. That is after the kept head, also when records at the end are gone: so the gap stays
/// for `verify` to find, however much is recorded afterwards.
pub(super) fn head(connection: &Connection) -> rusqlite::Result<Head> {
    let kept = kept_head(connection)?.unwrap_or(Head::EMPTY);
    // The kept one is as good as always; a record behind it was put there by somebody else.
    let sql = "SELECT sequence, hash FROM ledger WHERE sequence > ?1 ORDER BY sequence DESC LIMIT 1";
    let behind = connection
        .prepare_cached(sql)?
        .query_row([number(kept.sequence)], |row| {
            Ok(Head { sequence: read_sequence(row, 0)?, hash: Hash(row.get(1)?) })
        })
        .optional()?;
    Ok(behind.unwrap_or(kept))
}

/// What a record can be looked up by: its subject, what it is about, its actor, its kind and the family of its kind.
pub(super) fn topics(record: &Record) -> Vec<String> {
    let mut topics = vec![record.subject.clone(), format!("by:{}", record.actor), format!("kind:{}", record.kind)];
    topics.extend(record.kind.split_once('.').map(|(family, _)| format!("kind:{family}")));
    for topic in &record.about {
        if !topics.contains(topic) {
            topics.push(topic.clone());
        }
    }
    topics
}

/// Whether a record is found by a topic.
pub(super) fn is_listed(connection: &Connection, topic: &str, sequence: u64) -> rusqlite::Result<bool> {
    let sql = "SELECT 1 FROM ledger_topic WHERE topic = ?1 AND sequence = ?2";
    connection.prepare_cached(sql)?.exists(params![topic, number(sequence)])
}

/// How many entries there are to look records up by.
pub(super) fn listed(connection: &Connection) -> rusqlite::Result<u64> {
    let entries: i64 = connection.query_row("SELECT count(*) FROM ledger_topic", [], |row| row.get(0))?;
    Ok(u64::try_from(entries).unwrap_or(0))
}

fn number(sequence: u64) -> i64 {
    i64::try_from(sequence).unwrap_or(i64::MAX)
}

/// Appends one record and gives the new head.
pub(super) fn append(connection: &Connection, head: Head, event: &Event, time: Wall) -> rusqlite::Result<Head> {
    let record = Record::of(event, head.sequence + 1, time);
    let next = head.after(&record);
    let sequence = number(record.sequence);
    let sql = "INSERT INTO ledger (sequence, time_ms, actor, kind, subject, about, data, version, previous, hash) \
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";
    connection.prepare_cached(sql)?.execute(params![
        sequence,
        record.time.0,
        record.actor,
        record.kind,
        record.subject,
        record.about.join("\n"),
        record.data,
        record.version,
        head.hash.0,
        next.hash.0,
    ])?;
    let mut insert = connection.prepare_cached("INSERT INTO ledger_topic (topic, sequence) VALUES (?1, ?2)")?;
    for topic in topics(&record) {
        insert.execute(params![topic, sequence])?;
    }
    Ok(next)
}

/// Keeps the head beside the records, so that records missing at the end are noticed.
pub(super) fn keep_head(connection: &Connection, head: Head) -> rusqlite::Result<()> {
    super::view::put_fact(connection, HEAD, &format!("{} {}", head.sequence, head.hash))
}

/// The head that was kept beside the records.
pub(super) fn kept_head(connection: &Connection) -> rusqlite::Result<Option<Head>> {
    let kept = super::view::fact(connection, HEAD)?;
    Ok(kept.and_then(|kept| {
        let (sequence, hash) = kept.split_once(' ')?;
        Some(Head { sequence: sequence.parse().ok()?, hash: Hash::from_hex(hash)? })
    }))
}

/// Which records to read.
#[derive(Debug, Clone, Default)]
pub struct LedgerQuery {
    /// Texts of topics; all must hold. `by:` and `kind:` lead to actors and kinds.
    pub topics: Vec<String>,
    /// Only what happened while this session lasted, and what was recorded about it later.
    pub session: Option<SessionId>,
    pub since: Option<Wall>,
    pub until: Option<Wall>,
    pub order: Order,
    pub limit: usize,
}

/// From which end, and from where on.
#[derive(Debug, Clone, Copy)]
pub enum Order {
    NewestFirst { before: Option<u64> },
    OldestFirst { after: u64 },
}

impl Default for Order {
    fn default() -> Self {
        Self::NewestFirst { before: None }
    }
}

/// Records in the order asked for.
#[derive(Debug, Clone, Default)]
pub struct Records {
    pub links: Vec<Link>,
    /// Whether there are more behind the last one.
    pub more: bool,
}

pub(super) fn list(connection: &Connection, query: &LedgerQuery) -> rusqlite::Result<Records> {
    let mut sql = format!("SELECT {COLUMNS} FROM ");
    let mut values: Vec<Value> = Vec::new();
    let mut conditions: Vec<String> = Vec::new();
    let mut value = |value: Value| {
        values.push(value);
        format!("?{}", values.len())
    };
    let sequence = match query.topics.split_first() {
        None => {
            sql.push_str("ledger l");
            "l.sequence"
        }
        Some((first, others)) => {
            sql.push_str("ledger_topic t CROSS JOIN ledger l ON l.sequence = t.sequence");
            conditions.push(format!("t.topic = {}", value(first.clone().into())));
            for topic in others {
                let topic = value(topic.clone().into());
                conditions.push(format!(
                    "EXISTS (SELECT 1 FROM ledger_topic o WHERE o.topic = {topic} AND o.sequence = t.sequence)"
                ));
            }
            "t.sequence"
        }
    };
    if let Some(session) = query.session {
        let topic = Topic::Session(session).to_string();
        let (first, last) = span(connection, &topic)?;
        let (first, last, topic) = (value(first.into()), value(last.into()), value(topic.into()));
        conditions.push(format!(
            "({sequence} BETWEEN {first} AND {last} OR \
             EXISTS (SELECT 1 FROM ledger_topic o WHERE o.topic = {topic} AND o.sequence = {sequence}))"
        ));
        // Nothing before it is its own, so there is no need to look there.
        conditions.push(format!("{sequence} >= {first}"));
    }
    if let Some(since) = query.since {
        conditions.push(format!("l.time_ms >= {}", value(since.0.into())));
    }
    if let Some(until) = query.until {
        conditions.push(format!("l.time_ms <= {}", value(until.0.into())));
    }
    let number = |number: u64| Value::Integer(i64::try_from(number).unwrap_or(i64::MAX));
    let direction = match query.order {
        Order::NewestFirst { before } => {
            if let Some(before) = before {
                conditions.push(format!("{sequence} < {}", value(number(before))));
            }
            "DESC"
        }
        Order::OldestFirst { after } => {
            conditions.push(format!("{sequence} > {}", value(number(after))));
            "ASC"
        }
    };
    if !conditions.is_empty() {
        sql.push_str(" WHERE ");
        sql.push_str(&conditions.join(" AND "));
    }
    sql.push_str(&format!(" ORDER BY {sequence} {direction}"));
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query(params_from_iter(values))?;
    let (mut records, mut bytes) = (Records::default(), 0);
    while let Some(row) = rows.next()? {
        let link = read(row).map_err(|_| unreadable(row))?;
        let fits = fits_in(&mut bytes, link.record.data.len()) || records.links.is_empty();
        if records.links.len() == query.limit || !fits {
            records.more = true;
            break;
        }
        records.links.push(link);
    }
    Ok(records)
}

/// What an agent was refused while a session was under way, in words, oldest first. What a person mistyped is no part of it.
pub(super) fn refused_in(connection: &Connection, session: &Session, limit: usize) -> rusqlite::Result<Vec<String>> {
    let query = LedgerQuery {
        topics: vec!["kind:refused".to_owned()],
        session: Some(session.id),
        until: session.ended,
        order: Order::OldestFirst { after: 0 },
        limit,
        ..LedgerQuery::default()
    };
    let message = |link: &Link| {
        if !link.record.actor.starts_with("run:") {
            return None;
        }
        let data: serde_json::Value = serde_json::from_str(&link.record.data).ok()?;
        data.get("message")?.as_str().map(str::to_owned)
    };
    Ok(list(connection, &query)?.links.iter().filter_map(message).collect())
}

/// From the first record about a session to the one that says that it is over; to the end while it lasts.
fn span(connection: &Connection, topic: &str) -> rusqlite::Result<(i64, i64)> {
    let first: Option<i64> = connection
        .prepare_cached("SELECT min(sequence) FROM ledger_topic WHERE topic = ?1")?
        .query_row([topic], |row| row.get(0))?;
    let sql = "SELECT max(t.sequence) FROM ledger_topic t JOIN ledger_topic k ON k.sequence = t.sequence \
        WHERE t.topic = ?1 AND k.topic IN ('kind:session.ended', 'kind:session.abandoned')";
    let last: Option<i64> = connection.prepare_cached(sql)?.query_row([topic], |row| row.get(0))?;
    // Without a record there is nothing in between.
    Ok(first.map_or((i64::MAX, 0), |first| (first, last.unwrap_or(i64::MAX))))
}

/// Says which record it is that cannot be read, and what to do.
fn unreadable(row: &Row<'_>) -> rusqlite::Error {
    let sequence = row.get::<_, i64>(0).unwrap_or_default();
    let reason =
        format!("record {sequence} cannot be read; `augment-cli audit verify` says what is wrong with the ledger");
    rusqlite::Error::ToSqlConversionFailure(reason.into())
}

/// Every record in order, one at a time, until `visit` has seen enough; `None` for one that cannot be read.
pub(super) fn walk(
    connection: &Connection,
    mut visit: impl FnMut(Option<Link>) -> rusqlite::Result<bool>,
) -> rusqlite::Result<()> {
    let sql = format!("SELECT {COLUMNS} FROM ledger l ORDER BY l.sequence");
    let mut statement = connection.prepare(&sql)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        if !visit(read(row).ok())? {
            break;
        }
    }
    Ok(())
}

fn read(row: &Row<'_>) -> rusqlite::Result<Link> {
    Ok(Link {
        record: Record {
            sequence: read_sequence(row, 0)?,
            time: Wall(row.get(1)?),
            actor: row.get(2)?,
            kind: row.get(3)?,
            subject: row.get(4)?,
            about: row.get_ref(5)?.as_str()?.lines().map(str::to_owned).collect(),
            data: row.get(6)?,
            version: row.get(7)?,
        },
        previous: Hash(row.get(8)?),
        hash: Hash(row.get(9)?),
    })
}

fn read_sequence(row: &Row<'_>, at: usize) -> rusqlite::Result<u64> {
    let number: i64 = row.get(at)?;
    u64::try_from(number).map_err(|_| rusqlite::Error::IntegralValueOutOfRange(at, number))
}
