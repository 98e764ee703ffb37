//! A settings file while somebody writes it: what is wrong in it and where, in the words that `config check` has for a file
//! that is saved. Nothing here writes, and nothing is in force because it was looked at.

use std::ops::Range;

use augment_core::agent::nearest_of;
use augment_core::refusal::Refusal;
use augment_core::settings::{self, Kind, Setting};
use toml_edit::TableLike;

use super::{FileValues, read_file, refused, text_of};
use crate::toml_file::{self, Fault, Weight};
use crate::workspace::Places;

/// Which of the files a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SettingsFile {
    /// The user's own.
    User,
    /// The workspace's policy, which may only tighten what the user's file allows.
    Policy,
}

#[must_use]
pub fn inspect(file: SettingsFile, text: &str, places: &Places) -> Vec<Fault> {
    let document = match toml_file::spanned(text) {
        Ok(document) => document,
        Err(fault) => return vec![fault],
    };
    let user = match file {
        SettingsFile::User => None,
        SettingsFile::Policy => Some(read_file(&places.user_settings, &mut Vec::new())),
    };
    let mut entries = Vec::new();
    collect(document.as_table(), "", &mut entries);
    entries.iter().filter_map(|entry| entry.fault(user.as_ref())).collect()
}

/// One line of a file: `[queue] leaseSeconds = 60` is `queue.leaseSeconds`, in the section `queue.`.
struct Entry {
    section: String,
    name: String,
    text: String,
    key_span: Range<usize>,
    value_span: Range<usize>,
}

fn collect(table: &dyn TableLike, section: &str, entries: &mut Vec<Entry>) {
    for (name, item) in table.iter() {
        if let Some(inner) = item.as_table_like() {
            collect(inner, &format!("{section}{name}."), entries);
            continue;
        }
        let key_span = table.get_key_value(name).and_then(|(key, _)| key.span()).unwrap_or_default();
        entries.push(Entry {
            section: section.to_owned(),
            name: name.to_owned(),
            text: item.as_value().map(text_of).unwrap_or_default(),
            value_span: item.span().unwrap_or_else(|| key_span.clone()),
            key_span,
        });
    }
}

impl Entry {
    /// `user` is what the user's file says, where this one is a policy.
    fn fault(&self, user: Option<&FileValues>) -> Option<Fault> {
        let key = format!("{}{}", self.section, self.name);
        let error = |span: &Range<usize>, refusal: &Refusal, instead| {
            let message = refusal.to_string();
            Some(Fault { span: span.clone(), message, weight: Weight::Error, instead })
        };
        let setting = match settings::find(&key) {
            Ok(setting) => setting,
            Err(refusal) => return error(&self.key_span, &refusal, self.nearest_name(&refusal)),
        };
        let value = match setting.read(&self.text) {
            Ok(value) => value,
            Err(refusal) => return error(&self.value_span, &refusal, nearest_choice(setting, &self.text)),
        };
        let resolved = setting.resolve(user?.of(setting.key), Some(value));
        let wish = resolved.refused_policy.as_ref()?;
        let message = refused(setting, wish, &resolved.value);
        Some(Fault { span: self.key_span.clone(), message, weight: Weight::Warning, instead: None })
    }

    /// What was most likely meant, where putting it in the place of the name makes it so.
    fn nearest_name(&self, refusal: &Refusal) -> Option<String> {
        let Refusal::UnknownSetting { nearest: Some(nearest), .. } = refusal else { return None };
        nearest.strip_prefix(&self.section).map(str::to_owned)
    }
}

fn nearest_choice(setting: &Setting, text: &str) -> Option<String> {
    let Kind::Choice(choices) = setting.kind else { return None };
    nearest_of(text.trim(), choices.iter().copied()).map(|choice| format!("\"{choice}\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each fault as `what it underlines | its message | what could stand there`.
    fn check(file: SettingsFile, user: &str, text: &str, expected: &[&str]) {
        let folder = tempfile::tempdir().unwrap();
        let places = Places::below(folder.path());
        std::fs::write(&places.user_settings, user).unwrap();
        let told: Vec<String> = inspect(file, text, &places)
            .into_iter()
            .map(|fault| {
                let instead = fault.instead.unwrap_or_default();
                format!("{:?} {} | {} | {instead}", fault.weight, &text[fault.span], fault.message)
            })
            .collect();
        assert_eq!(told, expected);
    }

    #[test]
    fn what_is_wrong_is_underlined_with_what_was_meant() {
        check(
            SettingsFile::User,
            "",
            "[queue]\nleaseSecond = 60\nmaxAttempts = 3\n[output]\ncolor = \"alway\"\n[agents]\npermission = true\n",
            &[
                "Error leaseSecond | There is no setting \"queue.leaseSecond\". Did you mean queue.leaseSeconds? | leaseSeconds",
                "Error \"alway\" | \"alway\" does not fit output.color. Use auto, always or never. | \"always\"",
                "Error true | \"true\" does not fit agents.permission. Use allow, ask or refuse. | ",
            ],
        );
    }

    #[test]
    fn a_name_without_its_section_becomes_the_whole_name_only_where_that_is_right() {
        let said = "There is no setting \"maxattempts\". Did you mean queue.maxAttempts?";
        check(
            SettingsFile::User,
            "",
            "maxattempts = 3\n",
            &[&format!("Error maxattempts | {said} | queue.maxAttempts")],
        );
        check(
            SettingsFile::User,
            "",
            "[que]\nmaxAttempts = 3\n",
            &["Error maxAttempts | There is no setting \"que.maxAttempts\". Did you mean queue.maxAttempts? | "],
        );
    }

    #[test]
    fn a_policy_that_would_widen_is_a_wish_that_is_not_followed() {
        check(
            SettingsFile::Policy,
            "[queue]\nmaxAttempts = 5\n",
            "queue = { maxAttempts = 9, leaseSeconds = 5 }\n[host]\nidleSeconds = 1\n",
            &[
                "Warning maxAttempts | queue.maxAttempts = 9 would widen what you allow; a policy may only tighten. 5 stays in force; take the line out. | ",
                "Warning idleSeconds | host.idleSeconds = 1 is not for a policy to say. 300 stays in force; take the line out. | ",
            ],
        );
        check(SettingsFile::Policy, "", "[agents]\npermission = \"refuse\"\nparallel = 2\n", &[]);
    }

    #[test]
    fn a_text_that_is_no_toml_is_told_with_its_line() {
        let folder = tempfile::tempdir().unwrap();
        let faults = inspect(SettingsFile::User, "[queue]\nleaseSeconds = = 4\n", &Places::below(folder.path()));
        assert!(
            matches!(faults.as_slice(), [one] if one.message.starts_with("Line 2 is not understood")),
            "{faults:?}"
        );
        let long = "#".repeat(70_000);
        let faults = inspect(SettingsFile::User, &long, &Places::below(folder.path()));
        assert!(matches!(faults.as_slice(), [one] if one.message == "It is longer than 65536 bytes."), "{faults:?}");
    }
}
