//! Settings for people.

use augment_core::text::visible;
use augment_protocol::settings::{Setting, SettingList};

use super::table::Look;

/// How wide lines are where no terminal says it.
const WIDTH: usize = 80;
/// What the lines below a setting begin with, and how few columns are left for their words on the narrowest terminal.
const INDENT: &str = "    ";
const NARROWEST: usize = 20;

/// Each setting with where it comes from; below it what it is about and what it takes.
pub(crate) fn list(list: &SettingList, width: Option<u16>) -> String {
    let width = width.map_or(WIDTH, usize::from).saturating_sub(INDENT.len()).max(NARROWEST);
    let settings = list.settings.iter().map(|setting| {
        let look = if setting.source == "default" { Look::Faint } else { Look::Strong };
        let value = Some(setting.value.as_str()).filter(|value| !value.is_empty()).unwrap_or("-");
        let value = look.paint(&format!("{value}  ({})", setting.source));
        let mut lines = vec![format!("{} = {value}", visible(&setting.key))];
        let takes = format!("Takes {}.", setting.takes.trim_end_matches('.'));
        let told = [&setting.about, &takes].into_iter().flat_map(|text| wrapped(&visible(text), width));
        lines.extend(told.map(|line| format!("{INDENT}{line}")));
        lines.join("\n")
    });
    let mut parts: Vec<String> = settings.collect();
    let notes = notes(list);
    if !notes.is_empty() {
        parts.push(notes.join("\n"));
    }
    parts.join("\n\n")
}

/// A text in lines that are no longer than this, broken between words. A word that is longer stays whole, to be copied.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            Some(_) | None => lines.push(word.to_owned()),
        }
    }
    lines
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
            "queue.leaseSeconds = 60  (default)\n    About it.\n    Takes a number.\n\n\
             output.color = never  (user)\n    About it.\n    Takes a number.\n\n\
             wrong: There is no setting \"x\\u{1b}\"."
        );
        assert_eq!(one(&sample().settings[1]), "output.color = never (user)");
    }

    #[test]
    fn what_a_setting_is_about_stays_whole_at_every_width() {
        let mut settings = sample();
        settings.settings[0].value = String::new();
        let about =
            "How long a lease lasts before somebody else may take the task, and thenaverylongwordthatcannotbebroken.";
        settings.settings[0].about = about.into();
        for (width, longest) in [(None, 80), (Some(100), 100), (Some(40), 40), (Some(1), 42)] {
            let text = plain(&list(&settings, width));
            assert!(text.lines().all(|line| line.chars().count() <= longest), "{width:?}\n{text}");
            assert!(text.starts_with("queue.leaseSeconds = -  (default)\n"), "{text}");
            let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(words.contains(about) && words.contains("Takes a number."), "{width:?}\n{text}");
        }
    }
}
