//! The form of `session.json`. Every key has to be there, also where its value is null: a record that lacks something should not
//! read as one that has nothing to say. Keys that are not known are passed over.

use serde::{Deserialize, Deserializer, Serialize};

/// The form that is written and read here.
pub const FORM: &str = "augment-session/1";

/// One archived session.
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
    #[serde(deserialize_with = "required")]
    pub confirmed_at: Option<String>,
    pub ended_at: String,
    pub minutes: u64,
    #[serde(deserialize_with = "required")]
    pub end_reason: Option<String>,
    #[serde(deserialize_with = "required")]
    pub automatic: Option<String>,
    #[serde(deserialize_with = "required")]
    pub model: Option<String>,
    pub agents: Vec<String>,
    #[serde(deserialize_with = "required")]
    pub phase: Option<String>,
    #[serde(deserialize_with = "required")]
    pub sprint_goal: Option<String>,
    pub progress: ProgressRecord,
    pub tasks: Vec<TaskRecord>,
    pub decisions: Vec<DecisionRecord>,
    pub challenges: Vec<String>,
    pub resources: Vec<String>,
    pub outcome: String,
    pub discovered: Vec<String>,
    pub artifacts: Vec<ArtifactRecord>,
    pub metrics: Vec<MetricRecord>,
    pub learnings: Vec<LearningRecord>,
    #[serde(deserialize_with = "required")]
    pub feedback: Option<FeedbackRecord>,
    pub steps: Vec<StepRecord>,
    pub tags: Vec<String>,
    pub ledger: LedgerRecord,
    pub files: FileHashes,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Protocols {
    pub session: String,
    pub completion: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProgressRecord {
    pub before: Fraction,
    pub after: Fraction,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fraction {
    pub done: u32,
    pub total: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskRecord {
    pub id: String,
    pub title: String,
    #[serde(deserialize_with = "required")]
    pub goal: Option<String>,
    #[serde(deserialize_with = "required")]
    pub end: Option<TaskEnd>,
    pub files: Vec<TouchedFile>,
    #[serde(deserialize_with = "required")]
    pub why: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TaskEnd {
    Completed,
    Partial,
    Blocked,
    Failed,
    Cancelled,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TouchedFile {
    pub path: String,
    pub touch: Touch,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Touch {
    Created,
    Changed,
    Deleted,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DecisionRecord {
    pub what: String,
    pub alternatives: Vec<String>,
    #[serde(deserialize_with = "required")]
    pub why: Option<String>,
    #[serde(deserialize_with = "required")]
    pub by: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArtifactRecord {
    pub path: String,
    #[serde(deserialize_with = "required")]
    pub hash: Option<String>,
    #[serde(deserialize_with = "required")]
    pub size: Option<u64>,
    pub check: ArtifactCheck,
    pub delivered: String,
    pub received: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ArtifactCheck {
    Present,
    Missing,
    Differs,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MetricRecord {
    pub name: String,
    pub value: String,
    #[serde(deserialize_with = "required")]
    pub unit: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LearningRecord {
    pub text: String,
    pub tags: Vec<String>,
    pub shared: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FeedbackRecord {
    pub rating: u8,
    #[serde(deserialize_with = "required")]
    pub text: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepRecord {
    pub step: String,
    pub outcome: StepOutcome,
    pub evidence: Vec<String>,
    pub at: String,
    pub tries: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StepOutcome {
    Done,
    Failed,
    Skipped,
    Waiting,
}

/// Which records of the ledger lie beside it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LedgerRecord {
    pub records: u64,
    pub first: u64,
    pub last: u64,
    pub head: String,
}

/// The hashes of what lies beside it, in hex.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileHashes {
    #[serde(rename = "summary.md")]
    pub summary: String,
    #[serde(rename = "ledger.jsonl")]
    pub ledger: String,
}

/// A value that may be null but not left out.
fn required<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<Option<T>, D::Error> {
    Option::deserialize(from)
}

/// Milliseconds since 1970 of a moment as records tell it: `2026-11-16T10:00:00Z`.
#[must_use]
pub fn moment(text: &str) -> Option<i64> {
    let (day, time) = text.strip_suffix('Z')?.split_once('T')?;
    let numbers = |text: &str, between: char, widths: [usize; 3]| -> Option<[i64; 3]> {
        let mut parts = text.split(between);
        let mut next = |width: usize| {
            let part = parts.next()?;
            (part.len() == width && part.bytes().all(|byte| byte.is_ascii_digit())).then(|| part.parse().ok())?
        };
        let found = [next(widths[0])?, next(widths[1])?, next(widths[2])?];
        parts.next().is_none().then_some(found)
    };
    let [year, month, day] = numbers(day, '-', [4, 2, 2])?;
    let (clock, fraction) = time.split_once('.').unwrap_or((time, "0"));
    if fraction.is_empty() || fraction.len() > 9 || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let [hour, minute, second] = numbers(clock, ':', [2, 2, 2])?;
    if hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    // Counted from March, so that the leap day comes last; what is no day of the calendar does not come back the same.
    let (from_march, of_year) = if month > 2 { (month - 3, year) } else { (month + 9, year - 1) };
    let era = of_year.div_euclid(400);
    let year_of_era = of_year.rem_euclid(400);
    let days =
        era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + (153 * from_march + 2) / 5 + day
            - 1
            - 719_468;
    if augment_core::time::civil(days) != (year, month, day) {
        return None;
    }
    let millis: i64 = format!("{fraction:0<3}")[..3].parse().ok()?;
    Some(((days * 24 + hour) * 60 + minute) * 60_000 + second * 1_000 + millis)
}

#[cfg(test)]
mod tests {
    use super::moment;

    #[test]
    fn moments_are_read_as_they_are_written() {
        for (text, expected) in [
            ("1970-01-01T00:00:00Z", Some(0)),
            ("2026-11-16T10:00:05Z", Some(1_794_823_205_000)),
            ("2026-11-16T10:00:05.25Z", Some(1_794_823_205_250)),
            ("2024-02-29T12:00:00Z", Some(1_709_208_000_000)),
            ("2025-02-29T12:00:00Z", None),
            ("2026-13-01T00:00:00Z", None),
            ("2026-11-16T24:00:00Z", None),
            ("2026-11-16 10:00:05Z", None),
            ("2026-11-16T10:00:05", None),
            ("2026-11-16T10:00:05+01:00", None),
            ("26-11-16T10:00:05Z", None),
            ("+026-11-16T10:00:05Z", None),
            ("", None),
        ] {
            assert_eq!(moment(text), expected, "{text}");
        }
    }
}
