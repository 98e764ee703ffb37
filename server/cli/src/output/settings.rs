//! Settings for people.

use augment_core::text::visible;
use augment_protocol::settings::{Setting, SettingList};

use super::table::{Cell, Column, Look, table};

pub(crate) fn list(list: &SettingList, width: Option<u16>) -> String {
    let columns = [
        Column::Fixed("SETTING"),
        Column::Fixed("VALUE"),
        Column::Fixed("FROM"),
        Column::Text("TAKES"),
        Column::Text("ABOUT"),
    ];
    let rows = list.settings.iter().map(|setting| {
        let look = if setting.source == "default" { Look::Faint } else { Look::Strong };
        vec![
            Cell::new(&setting.key),
            Cell::styled(&setting.value, look),
            Cell::styled(&setting.source, look),
            Cell::new(&setting.takes),
            Cell::new(&setting.about),
        ]
    });
    let mut parts = vec![table(&columns, rows.collect(), width)];
    let notes = notes(list);
    if !notes.is_empty() {
        parts.push(notes.join("\n"));
    }
    parts.join("\n\n")
}

/// What is wrong, a line each. A policy that would widen is among it.
pub(crate) fn notes(list: &SettingList) -> Vec<String> {
    list.problems.iter().map(|problem| format!("{} {}", Look::Bad.paint("wrong:"), visible(problem))).collect()
}

/// `queue.leaseSeconds = 90 (user)`.
pub(crate) fn one(setting: &Setting) -> String {
    format!("{} = {} ({})", visible(&setting.key), visible(&setting.value), visible(&setting.source))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::plain;

    fn sample() -> SettingList {
        let setting = |key: &str, value: &str, source: &str, refused_policy: Option<&str>| Setting {
            key: key.into(),
            value: value.into(),
            source: source.into(),
            about: "About it.".into(),
            takes: "a number".into(),
            refused_policy: refused_policy.map(str::to_owned),
        };
        SettingList {
            settings: vec![
                setting("queue.leaseSeconds", "60", "default", Some("99")),
                setting("output.color", "never", "user", None),
            ],
            problems: vec!["There is no setting \"x\u{1b}\".".into()],
            user_file: "/u".into(),
            policy_file: "/p".into(),
        }
    }

    #[test]
    fn settings_tell_where_they_come_from_and_what_is_wrong() {
        assert_eq!(
            plain(&list(&sample(), None)),
            "SETTING             VALUE  FROM     TAKES     ABOUT\n\
             queue.leaseSeconds  60     default  a number  About it.\n\
             output.color        never  user     a number  About it.\n\
             \n\
             wrong: There is no setting \"x\\u{1b}\"."
        );
        assert_eq!(one(&sample().settings[1]), "output.color = never (user)");
    }
}
