//! `audit verify --file`: an exported file, checked by itself. It needs no workspace and no host. What the check cannot show is said
//! with every result.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;

use augment_core::ledger::Hash;
use augment_core::ledger::copy::{CopyCheck, Extent, Promise};
use augment_core::text::{quoted, visible};
use augment_host::archive::lines;
use serde_json::Value;

use super::{Ended, Ending, Failure, Session};
use crate::output::export::Closing;
use crate::output::{json, records};

/// How every line begins that an export has written.
const BEGIN: &[u8] = b"{\"";

pub(super) fn run(session: &Session, path: &Path, head: Option<&str>, part: bool) -> Ended {
    let noted = match head {
        None => None,
        Some(text) => Some(Hash::from_hex(text.trim()).ok_or_else(|| {
            let message = format!(
                "{} is no head. A head has 64 hexadecimal digits, as `augment-cli audit verify` prints it.",
                quoted(text)
            );
            Failure::told("bad-head", message)
        })?),
    };
    let shown = visible(&path.to_string_lossy()).into_owned();
    let unreadable = |error: std::io::Error| {
        Failure::told(
            "not-readable",
            format!("{shown} cannot be read: {error}. Name a file that `augment-cli audit export` has written."),
        )
    };
    let file = File::open(path).map_err(unreadable)?;
    if !file.metadata().map_err(unreadable)?.is_file() {
        let message = format!("{shown} is no plain file. Name a file that `augment-cli audit export` has written.");
        return Err(Failure::told("not-readable", message));
    }
    let mut file = BufReader::new(file);
    let begin = file.fill_buf().map_err(unreadable)?;
    if !begin.is_empty() && !begin.starts_with(BEGIN) {
        let message = format!(
            "{shown} is no JSON Lines export: its first line is no record. Only what `augment-cli audit export --format jsonl` \
             has written can be checked."
        );
        return Err(Failure::told("no-export", message));
    }
    let checked = check(file, noted, part).map_err(unreadable)?;
    session.show(&checked, records::checked)?;
    Ok(if checked.holds { Ending::Done } else { Ending::No })
}

/// Follows the file to its end, or to the first thing that is wrong with it.
fn check(mut file: BufReader<File>, noted: Option<Hash>, part: bool) -> std::io::Result<records::Checked> {
    let mut reading = Reading::new(noted, part);
    let mut line = Vec::new();
    while reading.wrong_line.is_none() {
        line.clear();
        let length = (&mut file).take(lines::MAX_LINE as u64).read_until(b'\n', &mut line)?;
        if length == 0 {
            break;
        }
        if length == lines::MAX_LINE {
            let problem = format!("it is longer than {} bytes", lines::MAX_LINE);
            reading.number += 1;
            reading.no_record(&problem);
            break;
        }
        reading.take(&line);
    }
    Ok(reading.end())
}

struct Reading {
    part: bool,
    has_noted: bool,
    /// Whether a file is whole or a part stands in its last line, so both are followed until then.
    whole: CopyCheck,
    some: CopyCheck,
    whole_wrong: Option<records::BadRecord>,
    some_wrong: Option<records::BadRecord>,
    wrong_line: Option<records::BadRecord>,
    closing: Option<Closing>,
    content: blake3::Hasher,
    number: u64,
}

impl Reading {
    fn new(noted: Option<Hash>, part: bool) -> Self {
        Self {
            part,
            has_noted: noted.is_some(),
            whole: CopyCheck::new(Extent::Whole, noted),
            some: CopyCheck::new(Extent::Part, noted),
            whole_wrong: None,
            some_wrong: None,
            wrong_line: None,
            closing: None,
            content: blake3::Hasher::new(),
            number: 0,
        }
    }

    /// The record that is expected next, for lines that do not tell their own.
    fn expected(&self) -> u64 {
        self.some.head().sequence + 1
    }

    fn no_record(&mut self, problem: &str) {
        let reason = format!("Line {} is no record: {problem}.", self.number);
        let bad = records::BadRecord { sequence: Some(self.expected()), line: Some(self.number), reason };
        self.wrong_line.get_or_insert(bad);
    }

    fn take(&mut self, bytes: &[u8]) {
        self.number += 1;
        let Ok(text) = std::str::from_utf8(bytes) else { return self.no_record("it is not UTF-8") };
        let line = text.strip_suffix('\n').unwrap_or(text);
        if self.closing.is_some() {
            return self.no_record("something stands after the line that ends the file");
        }
        let copied = match lines::record(line) {
            Ok(copied) => copied,
            Err(problem) => {
                return match serde_json::from_str::<Closing>(line) {
                    Ok(closing) if is_spelled_as_ours(line) => self.closing = Some(closing),
                    Ok(_) | Err(_) => self.no_record(&problem),
                };
            }
        };
        self.content.update(bytes);
        let sequence = copied.link.record.sequence;
        let bad = |broken: augment_core::ledger::Break| records::BadRecord {
            sequence: Some(broken.sequence()),
            line: Some(self.number),
            reason: broken.to_string(),
        };
        if self.whole_wrong.is_none() {
            self.whole_wrong = self.whole.next(&copied).err().map(bad);
        }
        if self.some_wrong.is_none() {
            self.some_wrong = self.some.next(&copied).err().map(bad);
        }
        // The chain covers what a line says, not how: something put in beside it is found by this.
        if !self.part && self.whole_wrong.is_none() && !is_spelled_as_ours(line) {
            let reason =
                format!("Record {sequence} is not written as exports write it: something was changed or put in.");
            self.wrong_line = Some(records::BadRecord { sequence: Some(sequence), line: Some(self.number), reason });
        }
    }

    /// The ledger of an archived session begins somewhere and ends without a closing line, and holds only as a part.
    fn hint(&self) -> Option<String> {
        let is_perhaps_archived = !self.part
            && self.closing.is_none()
            && self.wrong_line.is_none()
            && self.whole_wrong.is_some()
            && self.some_wrong.is_none()
            && self.some.end(Promise::default()).is_ok();
        let hint = "As a part of a ledger it holds. Perhaps it is the ledger of an archived session: `augment-cli archive verify` \
                    checks those, and `--part` checks this file as a part.";
        is_perhaps_archived.then(|| hint.to_owned())
    }

    fn end(self) -> records::Checked {
        let hint = self.hint();
        let is_part = self.part || self.closing.as_ref().is_some_and(|closing| !closing.whole);
        let (check, wrong) = if is_part { (self.some, self.some_wrong) } else { (self.whole, self.whole_wrong) };
        let promise = self.closing.as_ref().map_or(Promise::default(), |closing| Promise {
            head: Hash::from_hex(&closing.head),
            records: Some(closing.records),
        });
        let at_end = |broken: augment_core::ledger::copy::CopyBreak| records::BadRecord {
            sequence: broken.sequence(),
            line: None,
            reason: broken.to_string(),
        };
        let content = self.content.finalize().to_hex().to_string();
        let other_content = || {
            let is_other = self.closing.as_ref().is_some_and(|closing| closing.content != content);
            let reason = "The records hold, but the file is not the one that was written: what was redacted, or how something is spelled, was changed.";
            is_other.then(|| records::BadRecord { sequence: None, line: None, reason: reason.to_owned() })
        };
        // Also an export of nothing ends with its last line, so what has not even that is no copy of anything.
        let nothing = || {
            let is_nothing = check.records() == 0 && self.closing.is_none();
            let reason = "It holds no records, not even the line that ends an export. Export it again with `augment-cli audit \
                          export --format jsonl`.";
            is_nothing.then(|| records::BadRecord { sequence: None, line: None, reason: reason.to_owned() })
        };
        let broken = wrong
            .or(self.wrong_line)
            .or_else(nothing)
            .or_else(|| check.end(promise).err().map(at_end))
            .or_else(other_content);
        records::Checked {
            holds: broken.is_none(),
            records: check.records(),
            redacted: check.redacted(),
            gaps: check.gaps(),
            whole: !is_part,
            head: check.head().hash.to_string(),
            noted_at: check.noted_at(),
            cannot_show: cannot_show(&check, is_part, self.closing.is_some(), self.has_noted),
            broken,
            hint,
        }
    }
}

/// Whether a line reads as it would be written: keys in order, nothing twice, no spaces.
fn is_spelled_as_ours(line: &str) -> bool {
    let value: Option<Value> = serde_json::from_str(line).ok();
    value.and_then(|value| json::line(&value).ok()).is_some_and(|ours| ours == line)
}

/// What this check leaves open, a sentence each.
fn cannot_show(check: &CopyCheck, is_part: bool, has_end: bool, has_noted: bool) -> Vec<String> {
    let mut open = Vec::new();
    match check.redacted() {
        0 => {}
        1 => open.push("The text of 1 redacted record: only its place in the chain was checked.".to_owned()),
        some => open.push(format!("The text of {some} redacted records: only their places in the chain were checked.")),
    }
    if is_part && check.gaps() > 0 {
        open.push(format!("What stands in the ledger between these records: there are {} gaps.", check.gaps()));
    }
    if !has_end && !has_noted {
        open.push(
            "That records are missing at the end: the file does not say where it ends. A noted head would: --head."
                .to_owned(),
        );
    }
    if !has_noted {
        let whole = "That everything was rewritten, the last line with it. Compare the head with one that was noted elsewhere: --head.";
        open.push(whole.to_owned());
    }
    open
}
