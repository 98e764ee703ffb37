//! What a file that had a name at some moment is called now, as the ledger tells it.

use augment_core::file::FilePath;
use augment_core::ledger::Topic;
use augment_host::store::{LedgerQuery, Order, Snapshot, StoreError};
use serde_json::Value;

/// How many records are read at once, and at most.
const READ_AT_ONCE: usize = 200;
const READ: usize = 5_000;

/// Follows the file that was called `path` when `sequence` was recorded through all that it was called since. A name that was
/// given to another file later leads nowhere else.
pub(super) fn name_now(snapshot: &Snapshot<'_>, path: FilePath, sequence: u64) -> Result<FilePath, StoreError> {
    let (mut path, mut after, mut read) = (path, sequence, 0);
    'name: loop {
        let topics = vec![Topic::File(path.clone()).to_string()];
        let query =
            LedgerQuery { topics, order: Order::OldestFirst { after }, limit: READ_AT_ONCE, ..LedgerQuery::default() };
        let found = snapshot.records(&query)?;
        read += found.links.len();
        for link in &found.links {
            after = link.record.sequence;
            let data: Value = serde_json::from_str(&link.record.data).unwrap_or_default();
            let is_left = data.get("from").and_then(Value::as_str) == Some(&path.to_text());
            let to = link.record.subject.strip_prefix("file:").and_then(|to| FilePath::from_text(to).ok());
            if let Some(to) = to.filter(|to| is_left && *to != path) {
                path = to;
                continue 'name;
            }
        }
        if !found.more || read >= READ {
            return Ok(path);
        }
    }
}
