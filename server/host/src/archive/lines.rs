//! Records of the ledger as lines of JSON, as exports and archives hold them. A line tells a record with the hashes that are
//! kept beside it; what is hashed is spelled anew from what the line says, so how the line is spelled does not matter here.

use augment_core::ledger::copy::Copied;
use augment_core::ledger::{Hash, Link, Record, write_text};
use augment_core::time::Wall;
use serde::Deserialize;
use serde_json::Value;

use super::redaction;

/// The longest line that is read.
pub const MAX_LINE: usize = 32 * 1_024 * 1_024;

#[derive(Deserialize)]
struct Line {
    about: Vec<String>,
    actor: String,
    data: Value,
    hash: String,
    kind: String,
    previous: String,
    #[serde(default)]
    redacted: bool,
    sequence: u64,
    subject: String,
    time: i64,
    version: u32,
}

/// Reads one line, or says why it is no record.
pub fn record(line: &str) -> Result<Copied, String> {
    let line: Line = serde_json::from_str(line).map_err(|error| error.to_string())?;
    let hash = |name: &str, text: &str| Hash::from_hex(text).ok_or_else(|| format!("`{name}` is no hash"));
    let link = Link {
        previous: hash("previous", &line.previous)?,
        hash: hash("hash", &line.hash)?,
        record: Record {
            sequence: line.sequence,
            time: Wall(line.time),
            actor: line.actor,
            kind: line.kind,
            subject: line.subject,
            about: line.about,
            data: canonical(&line.data),
            version: line.version,
        },
    };
    Ok(Copied { link, redacted: line.redacted })
}

/// The line of a record as anybody may read it. One in which something was masked says that it is redacted, and keeps its
/// hash.
#[must_use]
pub fn shown(link: &Link) -> String {
    let mut shown = link.clone();
    let redacted = redaction::redact(&mut shown.record);
    shown.line(redacted)
}

/// Data as it is hashed: keys in order, no spaces, one way to spell a text.
#[must_use]
pub fn canonical(data: &Value) -> String {
    let mut out = String::new();
    write(&mut out, data);
    out
}

fn write(out: &mut String, data: &Value) {
    match data {
        Value::Null | Value::Bool(_) | Value::Number(_) => out.push_str(&data.to_string()),
        Value::String(text) => write_text(out, text),
        Value::Array(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                write(out, item);
            }
            out.push(']');
        }
        Value::Object(entries) => {
            let mut entries: Vec<_> = entries.iter().collect();
            entries.sort_by_key(|(key, _)| *key);
            out.push('{');
            for (at, (key, value)) in entries.into_iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                write_text(out, key);
                out.push(':');
                write(out, value);
            }
            out.push('}');
        }
    }
}

#[cfg(test)]
mod tests {
    use augment_core::ledger::{Data, Head};

    use super::*;

    #[test]
    fn data_is_spelled_as_it_was_hashed() {
        let data = Data::map([
            ("z", Data::Null),
            ("a", Data::List(vec![true.into(), (-5_i64).into(), "q\"\\\n\u{8}\u{c}\u{1b}\u{7f}\u{2028}ä".into()])),
            ("m", Data::map([("k", "v".into())])),
        ]);
        let read: Value = serde_json::from_str(&data.canonical()).unwrap();
        assert_eq!(canonical(&read), data.canonical());
    }

    #[test]
    fn a_line_is_read_with_its_hashes() {
        let zeros = "0".repeat(64);
        let text = format!(
            r#"{{"version":1, "time":1001,"subject":"task:a1","sequence":1,"kind":"task.added","data":{{"title":"t1"}},
               "actor":"person:ada","about":[],"previous":"{zeros}","hash":"42c20439ca959a537be78ea0ff88718e6ca4456398a878957730acd50dfdef41"}}"#
        );
        let copied = record(&text).unwrap();
        assert_eq!(Head::EMPTY.after(&copied.link.record).hash, copied.link.hash);
        assert!(!copied.redacted);
        let marked = text.replacen('{', "{\"redacted\":true,", 1);
        assert!(record(&marked).unwrap().redacted);
        for (from, to, expected) in [
            ("\"hash\":\"4", "\"hash\":\"x", "`hash` is no hash"),
            ("\"kind\"", "\"kinds\"", "missing field `kind`"),
            ("1001", "\"x\"", "invalid type"),
        ] {
            let problem = record(&text.replacen(from, to, 1)).unwrap_err();
            assert!(problem.contains(expected), "{problem}");
        }
    }
}
