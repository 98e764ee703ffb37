//! What the person has set for git. libgit2 reads the files itself; whether a part that is meant for some repositories only
//! (`includeIf`) counts here it cannot judge, so where there is one the person's git is asked for everything it has.

use std::collections::BTreeMap;
use std::ffi::OsStr;

use git2::Config;

use super::program::Limit;
use super::{Git, HistoryError, Result};

pub(super) enum Settings {
    /// As libgit2 reads them.
    Read(Config),
    /// The same where libgit2 cannot judge all of them, and nobody else can be asked.
    Doubtful(Config),
    /// As git told them, under its own way to write their names.
    Told(BTreeMap<String, String>),
}

impl Settings {
    pub(super) fn text(&self, name: &str) -> Option<String> {
        match self {
            Self::Read(config) | Self::Doubtful(config) => config.get_string(name).ok(),
            Self::Told(told) => told.get(&name.to_ascii_lowercase()).cloned(),
        }
    }

    pub(super) fn is_on(&self, name: &str) -> bool {
        match self {
            Self::Read(config) | Self::Doubtful(config) => config.get_bool(name).unwrap_or(false),
            Self::Told(told) => told
                .get(&name.to_ascii_lowercase())
                .is_some_and(|value| Config::parse_bool(value.as_str()).unwrap_or(false)),
        }
    }

    /// What the person should hear of it.
    pub(super) fn note(&self) -> Option<String> {
        match self {
            Self::Read(_) | Self::Told(_) => None,
            Self::Doubtful(_) => Some(
                "Parts of your git configuration are for some repositories only (includeIf), which only git can judge, and none is found in PATH: they may have been passed over. Look at the commit's author."
                    .to_owned(),
            ),
        }
    }
}

impl Git {
    pub(super) fn settings(&self) -> Result<&Settings> {
        if let Some(known) = self.settings.get() {
            return Ok(known);
        }
        let found = self.read_settings()?;
        Ok(self.settings.get_or_init(|| found))
    }

    fn read_settings(&self) -> Result<Settings> {
        let config = self.git.config()?.snapshot()?;
        let mut has_conditions = false;
        config.entries(Some("^includeif\\."))?.for_each(|_| has_conditions = true)?;
        if !has_conditions {
            return Ok(Settings::Read(config));
        }
        let program = match self.program("the configuration") {
            Ok(program) => program,
            Err(HistoryError::NoGit { .. }) => return Ok(Settings::Doubtful(config)),
            Err(error) => return Err(error),
        };
        let outcome = program.run(&["config", "--list", "--null"].map(OsStr::new), &[], Limit::Local)?;
        if !outcome.success {
            return Err(HistoryError::Failed { program: "git config".into(), words: outcome.words });
        }
        let output = String::from_utf8_lossy(&outcome.output);
        // A name without a value is switched on by that.
        let each = output.split('\0').map(|one| one.split_once('\n').unwrap_or((one, "true")));
        Ok(Settings::Told(each.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()))
    }
}
