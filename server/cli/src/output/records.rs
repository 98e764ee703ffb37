//! The ledger for people.

use augment_core::text::visible;
use augment_protocol::records::{Record, Verified};
use serde::Serialize;
use serde_json::Value;

use super::json;
use super::table::{Cell, Column, Look, fields, table};
use super::time::utc;

/// What the chain cannot show by itself, said wherever it is said to hold.
const LIMITS_OF_A_CHAIN: &str = "A chain alone cannot show that it was rewritten as a whole, or cut at the end together with its \
                                 head.\nWrite the head down elsewhere and compare it later to find that out.";

pub(crate) fn list(records: &[Record], width: Option<u16>) -> String {
    const COLUMNS: [Column; 6] = [
        Column::Number("SEQ"),
        Column::Fixed("TIME"),
        Column::Text("ACTOR"),
        Column::Fixed("KIND"),
        Column::Fixed("SUBJECT"),
        Column::Text("DATA"),
    ];
    let rows = records.iter().map(|record| {
        vec![
            Cell::styled(record.sequence.to_string(), Look::Strong),
            Cell::new(utc(record.time)),
            Cell::new(&record.actor),
            Cell::styled(&record.kind, kind_look(&record.kind)),
            Cell::new(&record.subject),
            Cell::styled(summary(&record.data), Look::Faint),
        ]
    });
    table(&COLUMNS, rows.collect(), width)
}

/// One record on one line, for records that come one by one.
pub(crate) fn line(record: &Record, width: Option<u16>) -> String {
    let sequence = Look::Strong.paint(&format!("{:>6}", record.sequence));
    let actor = visible(&record.actor);
    let subject = visible(&record.subject);
    let kind = kind_look(&record.kind).paint(&format!("{:<16}", record.kind));
    let before = format!("{sequence}  {}  {actor:<14}  {kind}  {subject:<10}  ", utc(record.time));
    let data = summary(&record.data);
    let taken = 6
        + 2
        + 20
        + 2
        + actor.chars().count().max(14)
        + 2
        + record.kind.chars().count().max(16)
        + 2
        + subject.chars().count().max(10)
        + 2;
    let data = match width {
        // Wide characters may still break the line, which a terminal does by itself.
        Some(width) => augment_core::text::shortened(&data, usize::from(width).saturating_sub(taken + 1)).into_owned(),
        None => data,
    };
    format!("{before}{}", if data == "…" { String::new() } else { Look::Faint.paint(&data) }).trim_end().to_owned()
}

fn kind_look(kind: &str) -> Look {
    match kind {
        "refused" | "connection.refused" | "task.returned" => Look::Warn,
        "task.failed" | "saving.failed" => Look::Bad,
        "task.added" | "task.claimed" | "task.ended" => Look::Busy,
        _ => Look::Plain,
    }
}

/// The data in a few words: what is not empty, as `name=value`.
fn summary(data: &Value) -> String {
    let Value::Object(entries) = data else {
        return if is_empty(data) { String::new() } else { brief(data) };
    };
    let told = entries.iter().filter(|(_, value)| !is_empty(value));
    told.map(|(name, value)| format!("{name}={}", brief(value))).collect::<Vec<_>>().join(" ")
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(values) => values.is_empty(),
        Value::Object(entries) => entries.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

/// A plain word as it is, everything else as JSON.
fn brief(value: &Value) -> String {
    let plain = |text: &&str| text.chars().all(|c| c.is_alphanumeric() || "-_.:/".contains(c));
    match value.as_str().filter(plain) {
        Some(word) => word.to_owned(),
        None => visible(&value.to_string()).into_owned(),
    }
}

pub(crate) fn one(record: &Record) -> String {
    let about = record.about.join(", ");
    let mut entries = vec![
        ("sequence", Cell::styled(record.sequence.to_string(), Look::Strong)),
        ("time", Cell::new(utc(record.time))),
        ("actor", Cell::new(&record.actor)),
        ("kind", Cell::styled(&record.kind, kind_look(&record.kind))),
        ("subject", Cell::new(&record.subject)),
    ];
    if !about.is_empty() {
        entries.push(("about", Cell::new(about)));
    }
    entries.push(("version", Cell::new(record.version.to_string())));
    entries.push(("previous", Cell::new(&record.previous)));
    entries.push(("hash", Cell::new(&record.hash)));
    format!("{}\n\n{}", fields(&entries), json::pretty(&record.data))
}

pub(crate) fn verified(verified: &Verified) -> String {
    let records = match verified.records {
        1 => "1 record".to_owned(),
        records => format!("{records} records"),
    };
    match (&verified.broken, verified.holds) {
        (Some(broken), _) => format!(
            "{} The first bad record is {}: {}\n{}",
            Look::Bad.paint("The ledger does not hold."),
            broken.sequence,
            visible(&broken.reason),
            Look::Faint.paint(&format!(
                "{records} checked. `augment-cli audit show {}` shows that record; compare with a copy of the database.",
                broken.sequence
            ))
        ),
        (None, false) => Look::Bad.paint("The ledger does not hold."),
        (None, true) => format!(
            "{} {records}, each bound to the one before.\nhead  {}\n{LIMITS_OF_A_CHAIN}",
            Look::Good.paint("The ledger is intact:"),
            visible(&verified.head)
        ),
    }
}

/// What checking an exported file found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Checked {
    pub(crate) holds: bool,
    pub(crate) records: u64,
    pub(crate) redacted: u64,
    /// How many times records are left out.
    pub(crate) gaps: u64,
    pub(crate) whole: bool,
    pub(crate) head: String,
    /// The record of the head that was given.
    pub(crate) noted_at: Option<u64>,
    pub(crate) broken: Option<BadRecord>,
    /// What to do where it perhaps holds as something else.
    pub(crate) hint: Option<String>,
    pub(crate) cannot_show: Vec<String>,
}

/// The first thing that does not hold; without a record where none can be named.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct BadRecord {
    pub(crate) sequence: Option<u64>,
    pub(crate) line: Option<u64>,
    pub(crate) reason: String,
}

pub(crate) fn checked(checked: &Checked) -> String {
    let records = match checked.records {
        1 => "1 record".to_owned(),
        records => format!("{records} records"),
    };
    if let Some(bad) = &checked.broken {
        let first = bad.sequence.map_or_else(String::new, |sequence| format!(" The first bad record is {sequence}:"));
        let line = bad.line.map_or_else(String::new, |line| format!(" It is on line {line}."));
        let before = match checked.records {
            0 => line.trim_start().to_owned(),
            1 => format!("1 record before it holds.{line}"),
            records => format!("{records} records before it hold.{line}"),
        };
        let before = if before.is_empty() { before } else { format!("\n{}", Look::Faint.paint(&before)) };
        let hint = checked.hint.as_ref().map_or_else(String::new, |hint| format!("\n{}", visible(hint)));
        return format!("{}{first} {}{before}{hint}", Look::Bad.paint("The file does not hold."), visible(&bad.reason));
    }
    let part = if checked.whole { "" } else { " It is a part of the ledger." };
    let noted = match checked.noted_at {
        Some(sequence) => format!("\nThe head that you gave is that of record {sequence}."),
        None => String::new(),
    };
    let open: String = checked.cannot_show.iter().map(|sentence| format!("\n  {sentence}")).collect();
    let open = if open.is_empty() { open } else { format!("\nWhat this cannot show:{open}") };
    format!(
        "{} {records}, each bound to the one before.{part}\nhead  {}{noted}{open}",
        Look::Good.paint("The file is intact:"),
        checked.head
    )
}

#[cfg(test)]
mod tests {
    use augment_protocol::records::BrokenRecord;

    use super::*;
    use crate::output::plain;

    fn record(sequence: u64, data: Value) -> Record {
        Record {
            sequence,
            time: 1_794_823_205_000,
            actor: "person:ada".into(),
            kind: "task.added".into(),
            subject: "task:b12".into(),
            about: vec![],
            data,
            version: 1,
            previous: "00".into(),
            hash: "ff".into(),
        }
    }

    #[test]
    fn records_are_told_in_one_line_each() {
        let data =
            serde_json::json!({ "title": "Fix\u{1b}[2J it", "goal": null, "labels": [], "priority": "high", "n": 3 });
        assert_eq!(
            plain(&list(&[record(7, data.clone())], None)),
            "SEQ  TIME                  ACTOR       KIND        SUBJECT   DATA\n  \
               7  2026-11-16 10:00:05Z  person:ada  task.added  task:b12  n=3 priority=high title=\"Fix\\u001b[2J it\""
        );
        assert_eq!(
            plain(&line(&record(7, data.clone()), None)),
            "     7  2026-11-16 10:00:05Z  person:ada      task.added        task:b12    n=3 priority=high title=\"Fix\\u001b[2J it\""
        );
        for width in [10, 80, 100] {
            let text = plain(&line(&record(7, data.clone()), Some(width)));
            assert!(text.chars().count() <= usize::from(width).max(77), "{width} {text}");
        }
    }

    #[test]
    fn one_record_shows_its_data_and_hashes() {
        assert_eq!(
            plain(&one(&record(7, serde_json::json!({ "title": "x\u{9b}" })))),
            "sequence  7\ntime      2026-11-16 10:00:05Z\nactor     person:ada\nkind      task.added\nsubject   task:b12\n\
             version   1\nprevious  00\nhash      ff\n\n{\n  \"title\": \"x\\u009b\"\n}"
        );
    }

    #[test]
    fn a_chain_that_holds_says_what_it_cannot_show() {
        let holds = Verified { holds: true, records: 12, head: "abc".into(), broken: None };
        let text = plain(&verified(&holds));
        assert!(
            text.starts_with("The ledger is intact: 12 records, each bound to the one before.\nhead  abc\n"),
            "{text}"
        );
        assert!(text.contains("cannot show that it was rewritten as a whole"), "{text}");
        let broken = BrokenRecord { sequence: 5, reason: "Record 5 was changed after it was written.".into() };
        let text = plain(&verified(&Verified { holds: false, broken: Some(broken), ..holds }));
        assert!(
            text.starts_with(
                "The ledger does not hold. The first bad record is 5: Record 5 was changed after it was written."
            ),
            "{text}"
        );
    }
}
