//! Taking secrets out of what leaves the ledger. What is found is named, as in `[github-token]`; nothing is guessed beyond what
//! the scan finds. Hashes are left alone, so that a chain can still be followed.

use std::borrow::Cow;

use augment_core::ledger::Record;
use augment_core::scan;
use serde_json::Value;

use super::lines;

/// Masks every text of a record; true if there was something to mask.
pub fn redact(record: &mut Record) -> bool {
    let mut redacted = redact_text(&mut record.actor);
    redacted |= redact_text(&mut record.subject);
    for topic in &mut record.about {
        redacted |= redact_text(topic);
    }
    let Ok(mut data) = serde_json::from_str(&record.data) else {
        return redact_text(&mut record.data) | redacted;
    };
    if redact_value(&mut data) {
        record.data = lines::canonical(&data);
        redacted = true;
    }
    redacted
}

pub fn redact_text(text: &mut String) -> bool {
    let Cow::Owned(kept) = scan::masked(text) else { return false };
    *text = kept;
    true
}

/// The same for data, wherever a text stands in it.
pub fn redact_value(value: &mut Value) -> bool {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
        Value::String(text) => redact_text(text),
        Value::Array(items) => items.iter_mut().fold(false, |redacted, item| redact_value(item) | redacted),
        Value::Object(entries) => entries.iter_mut().fold(false, |redacted, (key, value)| {
            let is_named = value.as_str().is_some_and(|text| is_found_by_name(key, text));
            let is_found = redact_value(value);
            if is_named && !is_found {
                *value = Value::String("[redacted]".to_owned());
            }
            redacted | is_named | is_found
        }),
    }
}

/// Whether a value is a secret by the name that it stands under: `{"password": "…"}` is found only as a whole.
fn is_found_by_name(key: &str, text: &str) -> bool {
    const NAMES: [&str; 5] = ["pass", "secret", "token", "key", "credential"];
    let name = key.to_ascii_lowercase();
    NAMES.iter().any(|part| name.contains(part))
        && !text.starts_with('[')
        && matches!(scan::masked(&format!("{key}: {text:?}")), Cow::Owned(_))
}

#[cfg(test)]
mod tests {
    use augment_core::time::Wall;
    use serde_json::json;

    use super::*;

    fn record(data: &Value) -> Record {
        Record {
            sequence: 1,
            time: Wall(0),
            actor: "person:ada".into(),
            kind: "task.added".into(),
            subject: "task:a1".into(),
            about: vec![],
            data: lines::canonical(data),
            version: 1,
        }
    }

    #[test]
    fn secrets_are_named_wherever_they_stand() {
        let token = ["gh", "p_7wQ3nZ5kXr8TbV2mLc9YdJ4hFs6GpAeUo1Ki"].concat();
        let mut plain = record(&json!({ "title": "Look at a.rs", "labels": ["x"], "n": 3 }));
        let before = plain.clone();
        assert!(!redact(&mut plain));
        assert_eq!(plain, before);

        let mut planted =
            record(&json!({ "title": format!("use {token}"), "deep": [{ "a": token }], "password": "kR7!vq2LmZx" }));
        planted.about.push(format!("file:{token}"));
        assert!(redact(&mut planted));
        assert_eq!(
            planted.data,
            r#"{"deep":[{"a":"[github-token]"}],"password":"[redacted]","title":"use [github-token]"}"#
        );
        assert_eq!(planted.about, ["file:[github-token]"]);
        assert!(!redact(&mut planted), "what is masked stays as it is");
    }
}
