//! The text of a record that is hashed. Changing a byte of what this module writes breaks every ledger in the world;
//! a new form gets a new record version beside the old one.

use std::fmt::Write as _;

use super::{Link, Record};

/// The record as one line of canonical JSON, keys in order. `data` goes in as it is kept.
pub(super) fn line(record: &Record) -> String {
    let mut out = String::with_capacity(160 + record.data.len());
    out.push_str("{\"about\":");
    write_list(&mut out, &record.about, |out, topic| write_text(out, topic));
    out.push_str(",\"actor\":");
    write_text(&mut out, &record.actor);
    out.push_str(",\"data\":");
    out.push_str(&record.data);
    out.push_str(",\"kind\":");
    write_text(&mut out, &record.kind);
    write!(out, ",\"sequence\":{},\"subject\":", record.sequence).expect("writing to a string cannot fail");
    write_text(&mut out, &record.subject);
    write!(out, ",\"time\":{},\"version\":{}}}", record.time.0, record.version)
        .expect("writing to a string cannot fail");
    out
}

/// The same with the record's hash and the one before it, in the order of the keys.
pub(super) fn link_line(link: &Link, redacted: bool) -> String {
    let Link { record, previous, hash } = link;
    let mut out = String::with_capacity(320 + record.data.len());
    out.push_str("{\"about\":");
    write_list(&mut out, &record.about, |out, topic| write_text(out, topic));
    out.push_str(",\"actor\":");
    write_text(&mut out, &record.actor);
    write!(out, ",\"data\":{},\"hash\":\"{hash}\",\"kind\":", record.data).expect("writing to a string cannot fail");
    write_text(&mut out, &record.kind);
    write!(out, ",\"previous\":\"{previous}\"").expect("writing to a string cannot fail");
    if redacted {
        out.push_str(",\"redacted\":true");
    }
    write!(out, ",\"sequence\":{},\"subject\":", record.sequence).expect("writing to a string cannot fail");
    write_text(&mut out, &record.subject);
    write!(out, ",\"time\":{},\"version\":{}}}", record.time.0, record.version)
        .expect("writing to a string cannot fail");
    out
}

/// A text as JSON spells it here.
pub fn write_text(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c < ' ' => write!(out, "\\u{:04x}", u32::from(c)).expect("writing to a string cannot fail"),
            c => out.push(c),
        }
    }
    out.push('"');
}

pub(super) fn write_list<T>(out: &mut String, items: &[T], write_item: impl Fn(&mut String, &T)) {
    out.push('[');
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        write_item(out, item);
    }
    out.push(']');
}
