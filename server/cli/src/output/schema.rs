//! The JSON schemas of the files that people write, made from the tables that the files are read by. They are committed in
//! `docs`, for editors with a TOML language server; a test fails when those are not what this writes.

use augment_core::agent::{AGENT_KEYS, PARALLEL, PRESETS, Shape};
use augment_core::settings::{Kind, PolicyMay, SETTINGS, Setting, Value as SettingValue};
use serde_json::{Map, Value, json};

use crate::args::SchemaOf;

pub(crate) fn schema(file: SchemaOf) -> Value {
    match file {
        SchemaOf::Settings => settings("The settings of Augment Orchestrator (settings.toml)", |_| true),
        SchemaOf::Policy => settings(
            "The policy of a workspace for Augment Orchestrator (.augment/policy.toml): it may only tighten",
            |setting| setting.policy_may != PolicyMay::Nothing,
        ),
        SchemaOf::Agents => agents(),
    }
}

/// A schema as it is written into a file.
pub(crate) fn text(schema: &Value) -> String {
    format!("{schema:#}\n")
}

fn settings(title: &str, belongs: impl Fn(&Setting) -> bool) -> Value {
    let mut sections = Map::new();
    for setting in SETTINGS.iter().filter(|setting| belongs(setting)) {
        let (section, name) = setting.key.split_once('.').unwrap_or(("", setting.key));
        let section = sections.entry(section).or_insert_with(|| table(Map::new()));
        if let Some(Value::Object(names)) = section.get_mut("properties") {
            names.insert(name.to_owned(), setting_schema(setting));
        }
    }
    titled(title, sections)
}

fn setting_schema(setting: &Setting) -> Value {
    let mut schema = match setting.kind {
        Kind::Number { low, high } => json!({ "type": "integer", "minimum": low, "maximum": high }),
        Kind::Choice(choices) => json!({ "enum": choices }),
        Kind::Patterns | Kind::Set(_) | Kind::Path | Kind::Folder | Kind::Name | Kind::Program => {
            json!({ "type": "string" })
        }
    };
    schema["description"] = format!("{} It takes {}.", setting.about, setting.wanted()).into();
    schema["default"] = match setting.default_value() {
        SettingValue::Number(number) => number.into(),
        SettingValue::Text(text) => text.into(),
    };
    schema
}

fn agents() -> Value {
    let keys = AGENT_KEYS.iter().map(|key| {
        let texts = || json!({ "type": "array", "items": { "type": "string" } });
        let mut schema = match key.shape {
            Shape::Text => json!({ "type": "string" }),
            Shape::Texts => texts(),
            Shape::Pairs => json!({ "type": "object", "additionalProperties": { "type": "string" } }),
            Shape::Number => json!({ "type": "integer", "minimum": PARALLEL.start(), "maximum": PARALLEL.end() }),
            Shape::Duration => json!({ "type": ["string", "integer"] }),
            Shape::Choice(choices) => json!({ "enum": choices }),
            Shape::Preset => json!({ "enum": PRESETS.iter().map(|preset| preset.name).collect::<Vec<_>>() }),
        };
        schema["description"] = key.about.into();
        (key.name.to_owned(), schema)
    });
    let agent = table(keys.collect());
    let named =
        json!({ "type": "object", "description": "The agents, each by its name.", "additionalProperties": agent });
    titled(
        "Agents of Augment Orchestrator (agents.toml, .augment/agents.toml)",
        Map::from_iter([("agents".to_owned(), named)]),
    )
}

fn titled(title: &str, properties: Map<String, Value>) -> Value {
    let mut schema = table(properties);
    schema["$schema"] = "http://json-schema.org/draft-07/schema#".into();
    schema["title"] = title.into();
    schema
}

fn table(properties: Map<String, Value>) -> Value {
    json!({ "type": "object", "additionalProperties": false, "properties": properties })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_schemas_are_fresh() {
        let docs = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
        for (file, name) in
            [(SchemaOf::Settings, "settings"), (SchemaOf::Policy, "policy"), (SchemaOf::Agents, "agents")]
        {
            let committed = std::fs::read_to_string(docs.join(format!("{name}.schema.json"))).unwrap_or_default();
            assert!(committed == text(&schema(file)), "docs/{name}.schema.json is stale; run `npm run generate`");
        }
    }

    #[test]
    fn a_policy_is_not_offered_what_it_may_not_say() {
        let policy = schema(SchemaOf::Policy);
        let of = |section: &str, name: &str| policy["properties"][section]["properties"][name].clone();
        assert_eq!(of("queue", "maxAttempts")["maximum"], 1_000);
        assert_eq!(of("review", "approve"), Value::Null);
        assert_eq!(policy["properties"]["review"]["additionalProperties"], false);
    }
}
