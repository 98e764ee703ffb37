//! Files of settings and agents for editors: which file a path is, what is wrong in its text, and what can be written in it.
//! Translation only; what is right the core says, and the host finds where it stands.

use std::path::Path;

use augment_core::agent::{AGENT_KEYS, AgentKey, PARALLEL, PRESETS, Shape, Source};
use augment_core::settings::{Kind, PolicyMay, SETTINGS, Setting};
use augment_host::agents::catalog;
use augment_host::settings::inspect::{self, SettingsFile as Layer};
use augment_host::toml_file::{Fault, Weight};
use augment_host::workspace::Places;
use augment_protocol::settings::{FileKey, FileProblem, InspectFile, InspectedFile, SettingsFile};

pub(super) fn inspect(asked: &InspectFile, places: &Places) -> InspectedFile {
    let Some(file) = which(Path::new(&asked.path), places) else {
        return InspectedFile { file: None, problems: Vec::new(), keys: Vec::new() };
    };
    let text = asked.text.as_str();
    let faults = match file {
        SettingsFile::Settings => inspect::inspect(Layer::User, text, places),
        SettingsFile::Policy => inspect::inspect(Layer::Policy, text, places),
        SettingsFile::Agents => catalog::inspect::inspect(Source::User, text, places),
        SettingsFile::WorkspaceAgents => catalog::inspect::inspect(Source::Workspace, text, places),
    };
    let problems = faults.into_iter().map(|fault| problem(fault, text)).collect();
    InspectedFile { file: Some(file), problems, keys: keys(file) }
}

/// An editor may know a file by another path, such as one with a link in it.
fn which(path: &Path, places: &Places) -> Option<SettingsFile> {
    let is = |known: &Path| {
        path == known || path.canonicalize().is_ok_and(|path| known.canonicalize().is_ok_and(|known| path == known))
    };
    [
        (&places.policy, SettingsFile::Policy),
        (&places.workspace_agents, SettingsFile::WorkspaceAgents),
        (&places.user_settings, SettingsFile::Settings),
        (&places.user_agents, SettingsFile::Agents),
    ]
    .into_iter()
    .find_map(|(known, file)| is(known).then_some(file))
}

fn problem(fault: Fault, text: &str) -> FileProblem {
    let units = |at: usize| {
        let before = text.get(..at).unwrap_or(text);
        u32::try_from(before.encode_utf16().count()).unwrap_or(u32::MAX)
    };
    FileProblem {
        start: units(fault.span.start),
        end: units(fault.span.end),
        message: fault.message,
        is_wish: fault.weight == Weight::Warning,
        instead: fault.instead,
    }
}

fn keys(file: SettingsFile) -> Vec<FileKey> {
    match file {
        SettingsFile::Settings => SETTINGS.iter().map(|setting| setting_key(setting, None)).collect(),
        SettingsFile::Policy => {
            let may = |setting: &&Setting| setting.policy_may != PolicyMay::Nothing;
            SETTINGS.iter().filter(may).map(|setting| setting_key(setting, Some(policy_words(setting)))).collect()
        }
        SettingsFile::Agents | SettingsFile::WorkspaceAgents => AGENT_KEYS.iter().map(agent_key).collect(),
    }
}

fn setting_key(setting: &Setting, workspace: Option<&str>) -> FileKey {
    let (section, name) = setting.key.split_once('.').unwrap_or(("", setting.key));
    let (values, empty) = match setting.kind {
        Kind::Number { .. } => (vec![setting.default_value().to_string()], ""),
        Kind::Choice(choices) => (quoted(choices.iter().copied()), "\"\""),
        Kind::Patterns | Kind::Set(_) | Kind::Path | Kind::Folder | Kind::Name | Kind::Program => (Vec::new(), "\"\""),
    };
    FileKey {
        section: section.to_owned(),
        name: name.to_owned(),
        about: setting.about.to_owned(),
        takes: setting.wanted(),
        usual: Some(setting.default_value().to_string()).filter(|value| !value.is_empty()),
        values,
        empty: empty.to_owned(),
        workspace: workspace.map(str::to_owned),
    }
}

fn policy_words(setting: &Setting) -> &'static str {
    match setting.policy_may {
        PolicyMay::Nothing => "A policy may not say it.",
        PolicyMay::Lower => "A policy may only lower it.",
        PolicyMay::Tighten => "A policy may only choose what is stricter; the values go from loose to strict.",
        PolicyMay::Add => "A policy may only add to what each person says.",
        PolicyMay::Say => "A policy may say it for everybody.",
    }
}

fn agent_key(key: &AgentKey) -> FileKey {
    let number = format!("a whole number from {} to {}", PARALLEL.start(), PARALLEL.end());
    let (takes, values, empty) = match key.shape {
        Shape::Text => ("a text in quotes".to_owned(), Vec::new(), "\"\""),
        Shape::Texts => ("a list of texts such as [\"a\", \"b\"]".to_owned(), Vec::new(), "[\"\"]"),
        Shape::Pairs => ("a table of texts such as { NAME = \"value\" }".to_owned(), Vec::new(), "{  }"),
        Shape::Number => (number, Vec::new(), ""),
        Shape::Duration => ("a time such as \"30m\", or a number of minutes".to_owned(), Vec::new(), "\"\""),
        Shape::Choice(choices) => (format!("one of {}", choices.join(", ")), quoted(choices.iter().copied()), "\"\""),
        Shape::Preset => ("the name of a preset".to_owned(), quoted(PRESETS.iter().map(|preset| preset.name)), "\"\""),
    };
    FileKey {
        section: "agents.*".to_owned(),
        name: key.name.to_owned(),
        about: key.about.to_owned(),
        takes,
        usual: None,
        values,
        empty: empty.to_owned(),
        workspace: None,
    }
}

fn quoted<'a>(words: impl Iterator<Item = &'a str>) -> Vec<String> {
    words.map(|word| format!("\"{word}\"")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inspected(name: &str, text: &str) -> InspectedFile {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let place = |name: &str| root.join(name);
        let places = Places {
            root: place("root"),
            data: place("data"),
            database: place("state.db"),
            lock: place("lock"),
            socket: place("socket"),
            token: place("token"),
            log: place("log"),
            user_settings: place("settings.toml"),
            policy: place("policy.toml"),
            user_agents: place("agents.toml"),
            workspace_agents: place("root/.augment/agents.toml"),
            demo: place("data/demo"),
        };
        inspect(&InspectFile { path: root.join(name).display().to_string(), text: text.to_owned() }, &places)
    }

    #[test]
    fn a_policy_is_offered_what_it_may_say_and_nothing_else() {
        let policy = inspected("policy.toml", "");
        assert_eq!(policy.file, Some(SettingsFile::Policy));
        let named = |name: &str| policy.keys.iter().any(|key| format!("{}.{}", key.section, key.name) == name);
        assert!(named("queue.maxAttempts") && named("review.reject"));
        assert!(!named("review.approve") && !named("notices.command"));
        let settings = inspected("settings.toml", "");
        assert_eq!((settings.file, settings.keys.len()), (Some(SettingsFile::Settings), SETTINGS.len()));
        assert_eq!(inspected("other.toml", "x = 1").file, None);
    }

    #[test]
    fn places_are_counted_as_editors_count() {
        let InspectedFile { problems, .. } = inspected("policy.toml", "# 🦀é\n[queue]\nmaxAttempt = 2\n");
        let FileProblem { start, end, instead, .. } = &problems[0];
        assert_eq!((*start, *end, instead.as_deref()), (14, 24, Some("maxAttempts")));
    }
}
