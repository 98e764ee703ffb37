//! The published schema of `session.json`, which is what a record is held against before anything is made of it: what the
//! schema says and what the program takes cannot differ. It knows the few words of JSON Schema that the file uses; an
//! answer names the key that is missing or wrong.

use std::sync::LazyLock;

use augment_core::text;
use serde_json::{Map, Value};

use super::form;

/// The file that is published.
pub const SCHEMA: &str = include_str!("../../../../docs/session-archive.schema.json");

static PARSED: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(SCHEMA).expect("the schema that is published is JSON, as a test shows"));

/// What is wrong with a record, at which key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrong {
    /// `tasks[0].files[1].path`
    pub key: String,
    pub problem: String,
}

/// Holds a document against the schema; the first thing that is wrong is told.
pub fn check(document: &Value) -> Result<(), Wrong> {
    let mut key = String::new();
    check_at(&PARSED, document, &mut key)
}

fn check_at(schema: &Value, value: &Value, key: &mut String) -> Result<(), Wrong> {
    let schema = resolved(schema);
    let Value::Object(rules) = schema else { return Ok(()) };
    let wrong = |problem: String| Err(Wrong { key: key.clone(), problem });
    if let Some(wanted) = rules.get("type")
        && !is_of(wanted, value)
    {
        return wrong(format!("is not {}", described(wanted)));
    }
    if let Some(Value::Array(allowed)) = rules.get("enum")
        && !allowed.contains(value)
    {
        let names: Vec<String> = allowed.iter().map(name_of).collect();
        return wrong(format!("is {}, not one of {}", text::quoted(&name_of(value)), names.join(", ")));
    }
    match value {
        Value::Object(entries) => check_object(rules, entries, key),
        Value::Array(items) => {
            let Some(of) = rules.get("items") else { return Ok(()) };
            for (at, item) in items.iter().enumerate() {
                within(key, &format!("[{at}]"), |key| check_at(of, item, key))?;
            }
            Ok(())
        }
        Value::String(text) => match rules.get("format").and_then(Value::as_str) {
            Some("date-time") if form::read_time(text).is_none() => {
                wrong("is not a time such as 2026-11-16T10:00:00Z".to_owned())
            }
            Some(_) | None => match rules.get("pattern").and_then(Value::as_str) {
                Some(HASH) if !is_hash(text) => wrong("is not a BLAKE3 hash in hexadecimal".to_owned()),
                Some(_) | None => Ok(()),
            },
        },
        Value::Number(number) => {
            let limit = |name: &str| rules.get(name).and_then(Value::as_u64);
            let number = number.as_u64();
            let low = limit("minimum").is_some_and(|low| number.is_none_or(|number| number < low));
            let high = limit("maximum").is_some_and(|high| number.is_none_or(|number| number > high));
            if low || high { wrong("is out of range".to_owned()) } else { Ok(()) }
        }
        Value::Null | Value::Bool(_) => Ok(()),
    }
}

/// The one pattern that the schema uses.
const HASH: &str = "^[0-9a-f]{64}$";

fn is_hash(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

fn check_object(rules: &Map<String, Value>, entries: &Map<String, Value>, key: &mut String) -> Result<(), Wrong> {
    let required = rules.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    for name in required {
        if !entries.contains_key(name) {
            return within(key, &dotted(key, name), |key| {
                Err(Wrong { key: key.clone(), problem: "is missing".to_owned() })
            });
        }
    }
    let properties = rules.get("properties").and_then(Value::as_object);
    for (name, value) in entries {
        let of = properties.and_then(|properties| properties.get(name)).or_else(|| rules.get("additionalProperties"));
        if let Some(of) = of.filter(|of| of.is_object()) {
            within(key, &dotted(key, name), |key| check_at(of, value, key))?;
        }
    }
    Ok(())
}

fn dotted(key: &str, name: &str) -> String {
    let name = text::visible(&text::shortened(name, 60)).into_owned();
    if key.is_empty() { name } else { format!(".{name}") }
}

fn within<T>(key: &mut String, part: &str, then: impl FnOnce(&mut String) -> T) -> T {
    let length = key.len();
    key.push_str(part);
    let done = then(key);
    key.truncate(length);
    done
}

/// A schema itself, or the definition that it points to.
fn resolved(schema: &Value) -> &Value {
    let name = schema.get("$ref").and_then(Value::as_str).and_then(|place| place.strip_prefix("#/$defs/"));
    name.and_then(|name| PARSED.get("$defs")?.get(name)).unwrap_or(schema)
}

fn is_of(wanted: &Value, value: &Value) -> bool {
    match wanted {
        Value::Array(any) => any.iter().any(|one| is_of(one, value)),
        Value::String(name) => match value {
            Value::Null => name == "null",
            Value::Bool(_) => name == "boolean",
            Value::Number(number) => name == "integer" && (number.is_u64() || number.is_i64()),
            Value::String(_) => name == "string",
            Value::Array(_) => name == "array",
            Value::Object(_) => name == "object",
        },
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => false,
    }
}

fn described(wanted: &Value) -> String {
    let one = |name: &str| match name {
        "null" => "null".to_owned(),
        "integer" => "a whole number".to_owned(),
        "boolean" => "true or false".to_owned(),
        "array" => "a list".to_owned(),
        "object" => "an object".to_owned(),
        name => format!("a {name}"),
    };
    match wanted {
        Value::Array(any) => any.iter().filter_map(Value::as_str).map(one).collect::<Vec<_>>().join(" or "),
        Value::String(name) => one(name),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => "what it should be".to_owned(),
    }
}

fn name_of(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
