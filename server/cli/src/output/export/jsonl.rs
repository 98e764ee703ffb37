//! JSON Lines: one record a line with its hashes, and a last line that says where it ends. `audit verify --file` reads it back.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{About, Exported, Form, Sum};
use crate::output::json;

/// The last line of an export.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Closing {
    /// BLAKE3 over all lines before: it covers the text of redacted records, which the chain does not any more.
    pub(crate) content: String,
    pub(crate) head: String,
    pub(crate) records: u64,
    pub(crate) redacted: u64,
    /// Whether every record is there, or only those that were asked for.
    pub(crate) whole: bool,
}

#[derive(Default)]
pub(super) struct Jsonl {
    content: blake3::Hasher,
    whole: bool,
}

impl Form for Jsonl {
    fn begin(&mut self, about: &About) -> String {
        self.whole = about.wanted.is_empty();
        String::new()
    }

    fn record(&mut self, exported: &Exported) -> Result<String, serde_json::Error> {
        let mut line = json::line(&value(exported)?)?;
        line.push('\n');
        self.content.update(line.as_bytes());
        Ok(line)
    }

    fn end(&mut self, sum: &Sum) -> Result<String, serde_json::Error> {
        let closing = Closing {
            content: self.content.finalize().to_hex().to_string(),
            head: sum.head.clone(),
            records: sum.records,
            redacted: sum.redacted,
            whole: self.whole,
        };
        // By way of a value, whose keys are in order, as those of records are.
        Ok(format!("{}\n", json::line(&serde_json::to_value(closing)?)?))
    }
}

fn value(exported: &Exported) -> Result<Value, serde_json::Error> {
    let mut value = serde_json::to_value(&exported.record)?;
    if exported.redacted {
        value["redacted"] = json!(true);
    }
    Ok(value)
}
