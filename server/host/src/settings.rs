//! The settings files: the user's own and the workspace's policy. They are read with limits, and a file that cannot be
//! understood counts as empty with a problem that says where; it is never rewritten then.

pub mod inspect;

use std::fs::File;
use std::io::Write as _;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use augment_core::settings::{self, PolicyMay, Resolved, SETTINGS, Setting, SettingChange, Value};
use augment_core::text::visible;
use toml_edit::{DocumentMut, Item, Table, TableLike};

use crate::toml_file;
use crate::workspace::Places;

#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    #[error("{} was not changed: {reason}", path.display())]
    NotUnderstood { path: PathBuf, reason: String },
    #[error("{} could not be written: {source}. The setting is unchanged.", path.display())]
    NotWritten { path: PathBuf, source: std::io::Error },
}

/// The settings in force, as the files stood when they were read.
#[derive(Debug, Clone)]
pub struct Settings {
    resolved: Vec<(&'static Setting, Resolved)>,
    problems: Vec<String>,
    stamps: [Stamp; 2],
}

/// What tells that a file may have changed.
type Stamp = Option<(i64, i64, u64, u64)>;

impl Settings {
    #[must_use]
    pub fn read(places: &Places) -> Self {
        let stamps = stamps(places);
        let mut problems = Vec::new();
        let user = read_file(&places.user_settings, &mut problems);
        let policy = read_file(&places.policy, &mut problems);
        let resolved: Vec<_> = SETTINGS
            .iter()
            .map(|setting| (setting, setting.resolve(user.of(setting.key), policy.of(setting.key))))
            .collect();
        for (setting, resolved) in &resolved {
            if let Some(wish) = &resolved.refused_policy {
                problems.push(format!("{}: {}", places.policy.display(), refused(setting, wish, &resolved.value)));
            }
        }
        Self { resolved, problems, stamps }
    }

    /// Whether the files are no longer what was read.
    #[must_use]
    pub fn are_stale(&self, places: &Places) -> bool {
        self.stamps != stamps(places)
    }

    pub fn all(&self) -> impl Iterator<Item = &(&'static Setting, Resolved)> {
        self.resolved.iter()
    }

    #[must_use]
    pub fn problems(&self) -> &[String] {
        &self.problems
    }

    /// A setting's value and where it comes from.
    #[must_use]
    pub fn of(&self, key: &'static str) -> Option<&Resolved> {
        self.resolved.iter().find(|(setting, _)| setting.key == key).map(|(_, resolved)| resolved)
    }

    /// The value of a setting that is a number.
    #[must_use]
    pub fn number(&self, key: &'static str) -> i64 {
        match self.of(key).map(|resolved| &resolved.value) {
            Some(Value::Number(number)) => *number,
            Some(Value::Text(_)) | None => 0,
        }
    }

    /// The value of a setting that is a text.
    #[must_use]
    pub fn text(&self, key: &'static str) -> String {
        self.of(key).map(|resolved| resolved.value.to_string()).unwrap_or_default()
    }
}

/// Why a policy does not get what it asks for.
fn refused(setting: &Setting, wish: &Value, in_force: &Value) -> String {
    let why = match setting.policy_may {
        PolicyMay::Lower | PolicyMay::Tighten => "would widen what you allow; a policy may only tighten",
        PolicyMay::Nothing => "is not for a policy to say",
        PolicyMay::Add => "cannot be added",
        PolicyMay::Say => "cannot be said",
    };
    let wish = visible(&wish.to_string()).into_owned();
    format!("{} = {wish} {why}. {in_force} stays in force; take the line out.", setting.key)
}

fn stamps(places: &Places) -> [Stamp; 2] {
    [&places.user_settings, &places.policy].map(|path| {
        let found = std::fs::metadata(path).ok()?;
        Some((found.mtime(), found.mtime_nsec(), found.len(), found.ino()))
    })
}

/// The values that a file sets, each already checked.
struct FileValues(Vec<(&'static str, Value)>);

impl FileValues {
    fn of(&self, key: &str) -> Option<Value> {
        self.0.iter().find(|(known, _)| *known == key).map(|(_, value)| value.clone())
    }
}

fn read_file(path: &Path, problems: &mut Vec<String>) -> FileValues {
    let mut values = FileValues(Vec::new());
    let document = match toml_file::read(path) {
        Ok(None) => return values,
        Ok(Some(document)) => document,
        Err(reason) => {
            problems.push(format!("{}: {reason} Nothing in it is in force.", path.display()));
            return values;
        }
    };
    for (key, text) in flat(document.as_table(), "") {
        let checked = settings::find(&key).and_then(|setting| Ok((setting.key, setting.read(&text)?)));
        match checked {
            Ok(known) => values.0.push(known),
            Err(refusal) => problems.push(format!("{}: {refusal}", path.display())),
        }
    }
    values
}

/// `[queue] leaseSeconds = 60` as `queue.leaseSeconds`, `60`; an inline table is a table too.
fn flat(table: &dyn TableLike, prefix: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (name, item) in table.iter() {
        let key = format!("{prefix}{name}");
        match (item.as_table_like(), item.as_value()) {
            (Some(inner), _) => found.extend(flat(inner, &format!("{key}."))),
            (None, Some(value)) => {
                found.push((key, text_of(value)));
            }
            (None, None) => found.push((key, String::new())),
        }
    }
    found
}

/// A value as settings read it.
fn text_of(value: &toml_edit::Value) -> String {
    let number = value.as_integer().map(|number| number.to_string());
    let text = number.or_else(|| value.as_str().map(str::to_owned));
    // What is neither is shown as it stands, and refused.
    text.unwrap_or_else(|| value.to_string().trim().to_owned())
}

/// Writes one setting into the user's file. Comments and everything else in it stay as they are. The file is one for all
/// workspaces, so their owners take turns.
pub fn write(places: &Places, change: &SettingChange) -> Result<(), SettingsError> {
    let not_written = |source| SettingsError::NotWritten { path: places.user_settings.clone(), source };
    let Ok(setting) = settings::find(&change.key) else {
        return Ok(());
    };
    let folder = places.user_settings.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).map_err(not_written)?;
    let turn = File::options().append(true).create(true).mode(0o600).open(folder.join("settings.lock"));
    let turn = turn.map_err(not_written)?;
    turn.lock().map_err(not_written)?;
    // People keep such files elsewhere and link to them: the link stays, what it leads to is changed.
    let path = places.user_settings.canonicalize().unwrap_or_else(|_| places.user_settings.clone());
    let mut document = match toml_file::read(&path) {
        Ok(document) => document.unwrap_or_default(),
        Err(reason) => return Err(SettingsError::NotUnderstood { path, reason }),
    };
    put(&mut document, setting, change.value.as_deref());
    let beside = path.with_extension("toml.new");
    let mode = std::fs::metadata(&path).map_or(0o600, |found| found.mode() & 0o777);
    let mut file =
        File::options().write(true).create(true).truncate(true).mode(mode).open(&beside).map_err(not_written)?;
    file.write_all(document.to_string().as_bytes()).and_then(|()| file.sync_all()).map_err(not_written)?;
    std::fs::rename(&beside, &path).map_err(not_written)
}

/// Sets a value in its section, or takes it out.
fn put(document: &mut DocumentMut, setting: &'static Setting, value: Option<&str>) {
    let (section, name) = setting.key.split_once('.').unwrap_or(("", setting.key));
    let wished = value.and_then(|text| setting.read(text).ok());
    let found = document.get_mut(section).and_then(Item::as_table_like_mut);
    match (wished, found) {
        (Some(wished), Some(table)) => drop(table.insert(name, item(wished))),
        (Some(wished), None) => {
            let mut table = Table::new();
            table.insert(name, item(wished));
            document.insert(section, Item::Table(table));
        }
        (None, Some(table)) => drop(table.remove(name)),
        (None, None) => {}
    }
}

fn item(value: Value) -> Item {
    match value {
        Value::Number(number) => toml_edit::value(number),
        Value::Text(text) => toml_edit::value(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Bench {
        places: Places,
        _folder: tempfile::TempDir,
    }

    fn bench(user: &str, policy: &str) -> Bench {
        let folder = tempfile::tempdir().unwrap();
        let places = Places::below(folder.path());
        for (path, text) in [(&places.user_settings, user), (&places.policy, policy)] {
            if !text.is_empty() {
                std::fs::write(path, text).unwrap();
            }
        }
        Bench { places, _folder: folder }
    }

    fn change(key: &str, value: Option<&str>) -> SettingChange {
        SettingChange { key: key.into(), value: value.map(str::to_owned) }
    }

    fn written(user: &str, changes: &[SettingChange]) -> (String, Settings) {
        let bench = bench(user, "");
        for change in changes {
            write(&bench.places, change).unwrap();
        }
        (std::fs::read_to_string(&bench.places.user_settings).unwrap(), Settings::read(&bench.places))
    }

    #[test]
    fn a_change_is_in_force_and_leaves_the_rest_of_the_file_alone() {
        let (text, settings) =
            written("", &[change("queue.leaseSeconds", Some("90")), change("output.color", Some("never"))]);
        assert_eq!(text, "[queue]\nleaseSeconds = 90\n\n[output]\ncolor = \"never\"\n");
        assert_eq!((settings.number("queue.leaseSeconds"), settings.text("output.color").as_str()), (90, "never"));

        let own = "# mine\n[queue] # why\nmaxAttempts = 7 # lucky\n";
        let (text, settings) = written(own, &[change("queue.leaseSeconds", Some("5"))]);
        assert_eq!(text, "# mine\n[queue] # why\nmaxAttempts = 7 # lucky\nleaseSeconds = 5\n");
        assert_eq!(settings.number("queue.maxAttempts"), 7);

        let (text, settings) = written("queue = { leaseSeconds = 9 }\n", &[change("queue.leaseSeconds", None)]);
        assert_eq!((text.as_str(), settings.number("queue.leaseSeconds")), ("queue = {}\n", 60));
    }

    #[test]
    fn a_file_that_is_not_understood_is_named_with_its_line_and_never_rewritten() {
        let bench = bench("[queue]\nleaseSeconds = = 4\n", "");
        let settings = Settings::read(&bench.places);
        assert_eq!(settings.number("queue.leaseSeconds"), 60);
        assert!(settings.problems()[0].contains("Line 2 is not understood"), "{:?}", settings.problems());
        assert!(write(&bench.places, &change("queue.leaseSeconds", Some("5"))).is_err());
        assert_eq!(std::fs::read_to_string(&bench.places.user_settings).unwrap(), "[queue]\nleaseSeconds = = 4\n");
    }

    #[test]
    fn a_fifo_in_the_place_of_a_file_holds_nobody_up() {
        let bench = bench("", "");
        let mode = rustix::fs::Mode::from_raw_mode(0o600);
        rustix::fs::mknodat(rustix::fs::CWD, &bench.places.policy, rustix::fs::FileType::Fifo, mode, 0).unwrap();
        let settings = Settings::read(&bench.places);
        assert!(settings.problems()[0].contains("It is not a file."), "{:?}", settings.problems());
    }

    #[test]
    fn owners_of_several_workspaces_lose_none_of_each_others_settings() {
        let bench = bench("", "");
        let keys = ["queue.leaseSeconds", "queue.maxAttempts", "queue.listLimit", "host.idleSeconds"];
        std::thread::scope(|scope| {
            for key in keys {
                let places = &bench.places;
                scope
                    .spawn(move || (1..=25).for_each(|at| write(places, &change(key, Some(&at.to_string()))).unwrap()));
            }
        });
        let settings = Settings::read(&bench.places);
        assert_eq!(keys.map(|key| settings.number(key)), [25; 4]);
    }

    #[test]
    fn a_settings_file_kept_elsewhere_stays_there_with_its_mode() {
        let bench = bench("", "");
        let elsewhere = bench.places.data.with_file_name("dotfiles.toml");
        std::fs::write(&elsewhere, "# mine\n").unwrap();
        std::fs::set_permissions(&elsewhere, std::os::unix::fs::PermissionsExt::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink(&elsewhere, &bench.places.user_settings).unwrap();
        write(&bench.places, &change("queue.leaseSeconds", Some("7"))).unwrap();
        assert!(bench.places.user_settings.is_symlink());
        assert_eq!(std::fs::metadata(&elsewhere).unwrap().mode() & 0o777, 0o640);
        assert_eq!(Settings::read(&bench.places).number("queue.leaseSeconds"), 7);
    }

    #[test]
    fn a_policy_that_widens_is_a_problem_and_not_in_force() {
        let bench = bench("", "[queue]\nmaxAttempts = 50\nleaseSeconds = 5\nnope = 1\n");
        let settings = Settings::read(&bench.places);
        assert_eq!((settings.number("queue.maxAttempts"), settings.number("queue.leaseSeconds")), (3, 5));
        let problems = settings.problems().join("\n");
        assert!(problems.contains("There is no setting \"queue.nope\""), "{problems}");
        assert!(
            problems.contains(
                "queue.maxAttempts = 50 would widen what you allow; a policy may only tighten. 3 stays in force"
            ),
            "{problems}"
        );
    }
}
