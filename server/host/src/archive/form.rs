//! A session's record as it lies in `session.json`, form 1. The order of the fields is the order of the keys. What is
//! written here is read for ever: a new form gets a name and a type of its own beside this one.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The form that this program writes and reads.
pub const FORM: &str = "augment-session/1";

/// The files of an archive.
pub const SESSION: &str = "session.json";
pub const SUMMARY: &str = "summary.md";
pub const LEDGER: &str = "ledger.jsonl";

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionRecord {
    pub form: String,
    pub protocol: Protocols,
    pub id: String,
    pub number: u32,
    pub project: String,
    pub title: String,
    pub started_at: String,
    pub confirmed_at: Option<String>,
    pub ended_at: String,
    pub minutes: u64,
    pub end_reason: Option<String>,
    pub automatic: Option<String>,
    pub model: Option<String>,
    pub agents: Vec<String>,
    pub phase: Option<String>,
    pub sprint_goal: Option<String>,
    pub progress: Progress,
    pub tasks: Vec<ArchivedTask>,
    pub decisions: Vec<ArchivedDecision>,
    pub challenges: Vec<String>,
    pub resources: Vec<String>,
    pub outcome: String,
    pub discovered: Vec<String>,
    pub artifacts: Vec<Artifact>,
    pub metrics: Vec<ArchivedMetric>,
    pub learnings: Vec<Learning>,
    pub feedback: Option<Feedback>,
    pub steps: Vec<CompletionStep>,
    pub tags: Vec<String>,
    pub ledger: LedgerPart,
    pub files: FileHashes,
}

/// The other files of the archive, with the BLAKE3 hashes of their content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileHashes {
    #[serde(rename = "summary.md")]
    pub summary: String,
    #[serde(rename = "ledger.jsonl")]
    pub ledger: String,
    #[serde(flatten)]
    pub more: BTreeMap<String, String>,
}

impl FileHashes {
    /// Each file with its hash.
    pub fn all(&self) -> impl Iterator<Item = (&str, &str)> {
        let more = self.more.iter().map(|(file, hash)| (file.as_str(), hash.as_str()));
        [(SUMMARY, self.summary.as_str()), (LEDGER, self.ledger.as_str())].into_iter().chain(more)
    }
}

/// The versions of the protocols that the session followed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Protocols {
    pub session: String,
    pub completion: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    pub before: Done,
    pub after: Done,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Done {
    pub done: u64,
    pub total: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArchivedTask {
    /// Nothing for one that never came to the queue: the session ended before its scope was confirmed.
    pub id: Option<String>,
    pub title: String,
    pub goal: Option<String>,
    pub end: Option<String>,
    pub files: Vec<TouchedFile>,
    pub why: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TouchedFile {
    pub path: String,
    pub touch: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArchivedDecision {
    pub what: String,
    pub alternatives: Vec<String>,
    pub why: Option<String>,
    pub by: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Artifact {
    pub path: String,
    pub hash: Option<String>,
    pub size: Option<u64>,
    pub check: String,
    pub delivered: String,
    pub received: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArchivedMetric {
    pub name: String,
    pub value: String,
    pub unit: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Learning {
    pub text: String,
    pub tags: Vec<String>,
    pub shared: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Feedback {
    pub rating: u8,
    pub text: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CompletionStep {
    pub step: String,
    pub outcome: String,
    pub evidence: Vec<String>,
    pub at: String,
    pub tries: u32,
}

/// Which part of the ledger came along.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LedgerPart {
    pub records: u64,
    pub first: u64,
    pub last: u64,
    /// The hash of the last record.
    pub head: String,
}

/// Milliseconds since 1970 of a time as records write it: `2026-11-16T10:00:00Z`, perhaps with a fraction.
#[must_use]
pub fn read_time(text: &str) -> Option<i64> {
    let bytes = text.as_bytes();
    let digits = |from: usize, to: usize| {
        let part = text.get(from..to).filter(|part| part.bytes().all(|byte| byte.is_ascii_digit()))?;
        part.parse::<i64>().ok()
    };
    let marks = [(4, b'-'), (7, b'-'), (10, b'T'), (13, b':'), (16, b':')];
    if bytes.len() < 20 || bytes.last() != Some(&b'Z') || marks.iter().any(|(at, mark)| bytes[*at] != *mark) {
        return None;
    }
    let (year, month, day) = (digits(0, 4)?, digits(5, 7)?, digits(8, 10)?);
    let (hours, minutes, seconds) = (digits(11, 13)?, digits(14, 16)?, digits(17, 19)?);
    let fraction = match text.get(19..text.len() - 1)? {
        "" => 0,
        fraction => {
            let digits = fraction.strip_prefix('.').filter(|digits| (1..=9).contains(&digits.len()))?;
            if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
                return None;
            }
            format!("{digits:0<3}").get(..3)?.parse::<i64>().ok()?
        }
    };
    if !(1..=12).contains(&month) || hours > 23 || minutes > 59 || seconds > 60 {
        return None;
    }
    let days = days_since_1970(year, month, day);
    if augment_core::time::civil(days) != (year, month, day) {
        return None;
    }
    Some(((days * 24 + hours) * 60 + minutes) * 60_000 + seconds * 1_000 + fraction)
}

/// The time as records write it.
#[must_use]
pub fn write_time(ms: i64) -> String {
    let of_day = ms.rem_euclid(86_400_000) / 1_000;
    let (hours, minutes, seconds) = (of_day / 3_600, of_day / 60 % 60, of_day % 60);
    format!("{}T{hours:02}:{minutes:02}:{seconds:02}Z", augment_core::time::date(ms))
}

/// By the calendar's own arithmetic: years begin in March, so that the leap day comes last.
fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_they_are_written() {
        for (text, ms) in [
            ("1970-01-01T00:00:00Z", Some(0)),
            ("2026-11-16T10:00:05Z", Some(1_794_823_205_000)),
            ("2026-11-16T10:00:05.25Z", Some(1_794_823_205_250)),
            ("2024-02-29T23:59:59Z", Some(1_709_251_199_000)),
            ("2023-02-29T00:00:00Z", None),
            ("2026-13-01T00:00:00Z", None),
            ("2026-11-16 10:00:05Z", None),
            ("2026-11-16T10:00:05", None),
            ("2026-11-16T10:00:05+01:00", None),
            ("2026-11-16T1é:00:05Z", None),
            ("", None),
        ] {
            assert_eq!(read_time(text), ms, "{text}");
        }
        for ms in [0, 1_794_823_205_000, 1_709_251_199_000, -1_000] {
            assert_eq!(read_time(&write_time(ms)), Some(ms));
        }
    }
}
