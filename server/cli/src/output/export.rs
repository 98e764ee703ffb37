//! Records as they leave the ledger. Whatever the format, they pass through here first: what the scan takes for a secret or
//! for personal data is named instead of told. A record whose text was touched says so and keeps its hash, so that the
//! chain can still be followed.

mod csv;
mod jsonl;
mod markdown;

use augment_core::scan;
use augment_host::archive::redaction::{redact_text, redact_value};
use augment_protocol::records::Record;

use super::html::{Changes, Page};
use crate::args::ExportFormat;
pub(crate) use csv::cell;
pub(crate) use jsonl::Closing;

/// A record that may be shown to anybody.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Exported {
    pub(crate) record: Record,
    /// Something in it was masked; its hash is that of the text before.
    pub(crate) redacted: bool,
}

impl Exported {
    pub(crate) fn new(mut record: Record) -> Self {
        let mut redacted = redact_text(&mut record.actor);
        redacted |= redact_text(&mut record.subject);
        for topic in &mut record.about {
            redacted |= redact_text(topic);
        }
        redacted |= redact_value(&mut record.data);
        Self { record, redacted }
    }
}

/// A text without its secrets.
pub(crate) fn masked(text: &str) -> String {
    scan::masked(text).into_owned()
}

/// What an export is about.
#[derive(Debug, Clone, Default)]
pub(crate) struct About {
    /// The workspace's folder, by its name.
    pub(crate) project: String,
    /// What was asked for, as names and values; empty for everything.
    pub(crate) wanted: Vec<(&'static str, String)>,
    pub(crate) made: i64,
}

/// What was written in the end.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sum {
    pub(crate) records: u64,
    pub(crate) redacted: u64,
    pub(crate) head: String,
    /// What was done to the files that the records are about.
    pub(crate) changes: Changes,
}

/// A format. Each call gives the next piece of the file, so that nothing but a page of records is ever held.
pub(crate) trait Form {
    fn begin(&mut self, about: &About) -> String;
    fn record(&mut self, exported: &Exported) -> Result<String, serde_json::Error>;
    fn end(&mut self, sum: &Sum) -> Result<String, serde_json::Error>;
}

/// The form of a format; a page is made apart, since it shows more than records.
pub(crate) fn form(format: ExportFormat, page: Page) -> Box<dyn Form> {
    match format {
        ExportFormat::Jsonl => Box::new(jsonl::Jsonl::default()),
        ExportFormat::Csv => Box::new(csv::Csv),
        ExportFormat::Md => Box::new(markdown::Markdown::new(page.reports())),
        ExportFormat::Html => Box::new(page),
    }
}

/// The text that a record is most about, such as a task's title.
fn gist(record: &Record) -> &str {
    const KEYS: [&str; 9] = ["title", "text", "message", "question", "summary", "result", "reason", "answer", "path"];
    KEYS.iter().find_map(|key| record.data.get(key)?.as_str()).unwrap_or_default()
}
