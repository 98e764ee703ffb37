//! Who commits, and by which configuration: as git finds them, from the environment of the person's shell and from the
//! configuration files. The environment of our own process counts for nothing here, and no configuration is written.

use std::path::{Path, PathBuf};

use git2::{Config, ConfigLevel, Repository, Signature, Time};

use super::program::Limit;
use super::{CommitError, Git, HistoryError, Result, variable};

/// The two persons of a commit.
pub(super) struct Identity {
    pub(super) author: Signature<'static>,
    pub(super) committer: Signature<'static>,
}

#[derive(Clone, Copy)]
enum Role {
    Author,
    Committer,
}

impl Role {
    /// The names of its variables: name, mail address, date.
    fn variables(self) -> [&'static str; 3] {
        match self {
            Self::Author => ["GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_AUTHOR_DATE"],
            Self::Committer => ["GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL", "GIT_COMMITTER_DATE"],
        }
    }

    fn section(self) -> &'static str {
        match self {
            Self::Author => "author",
            Self::Committer => "committer",
        }
    }

    /// What `git var` calls it.
    fn asked(self) -> &'static str {
        match self {
            Self::Author => "GIT_AUTHOR_IDENT",
            Self::Committer => "GIT_COMMITTER_IDENT",
        }
    }
}

impl Git {
    pub(super) fn identity(&self) -> Result<Identity> {
        Ok(Identity { author: self.person(Role::Author)?, committer: self.person(Role::Committer)? })
    }

    fn person(&self, role: Role) -> Result<Signature<'static>> {
        let settings = self.settings()?;
        let configured = |what: &str| {
            let own = settings.text(&format!("{}.{what}", role.section()));
            own.or_else(|| settings.text(&format!("user.{what}"))).filter(|value| !value.is_empty())
        };
        let [name, mail, date] = role.variables();
        let name = self.variable(name).map(str::to_owned).or_else(|| configured("name"));
        let mail = self.variable(mail).map(str::to_owned).or_else(|| configured("email"));
        let mail = mail.or_else(|| self.variable("EMAIL").map(str::to_owned));
        let (Some(name), Some(mail)) = (name, mail) else { return Err(CommitError::NoIdentity.into()) };
        let signature = match self.variable(date) {
            // Git alone knows all the ways to write a date.
            Some(_) => Signature::new(&name, &mail, &self.date(role, &name, &mail)?),
            None => Signature::now(&name, &mail),
        };
        Ok(signature.map_err(|_| CommitError::NoIdentity)?)
    }

    fn date(&self, role: Role, name: &str, mail: &str) -> Result<Time> {
        let [name_variable, mail_variable, date] = role.variables();
        let program = self.program("a date in the environment")?;
        let named = [(name_variable, name.as_ref()), (mail_variable, mail.as_ref())];
        let outcome = program.run(&["var".as_ref(), role.asked().as_ref()], &named, Limit::Local)?;
        let read = || {
            let text = String::from_utf8_lossy(&outcome.output);
            let mut words = text.trim_end().rsplit(' ');
            let zone: i32 = words.next()?.parse().ok()?;
            let seconds: i64 = words.next()?.parse().ok()?;
            Some(Time::new(seconds, zone / 100 * 60 + zone % 100))
        };
        match (outcome.success, read()) {
            (true, Some(time)) => Ok(time),
            (true, None) | (false, _) => {
                Err(HistoryError::Refused { what: format!("The date in {date}"), words: outcome.words })
            }
        }
    }
}

/// The configuration that the person's git would use, where it is not the one that libgit2 finds by itself.
pub(super) fn configuration(git: &Repository, environment: &[(String, String)]) -> Result<Option<Config>> {
    let named = |name: &str| variable(environment, name).map(PathBuf::from);
    let is_moved = ["HOME", "XDG_CONFIG_HOME"].iter().any(|name| named(name) != own(name));
    let is_named =
        ["GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"].iter().any(|name| named(name).is_some());
    if !is_moved && !is_named {
        return Ok(None);
    }
    let mut config = Config::new()?;
    let mut add = |path: PathBuf, level: ConfigLevel| {
        if path.is_file() { config.add_file(&path, level, false) } else { Ok(()) }
    };
    if named("GIT_CONFIG_NOSYSTEM").is_none() {
        add(named("GIT_CONFIG_SYSTEM").unwrap_or_else(|| PathBuf::from("/etc/gitconfig")), ConfigLevel::System)?;
    }
    if let Some(global) = named("GIT_CONFIG_GLOBAL") {
        add(global, ConfigLevel::Global)?;
    } else {
        let home = named("HOME");
        if let Some(folder) = named("XDG_CONFIG_HOME").or_else(|| home.as_ref().map(|home| home.join(".config"))) {
            add(folder.join("git/config"), ConfigLevel::XDG)?;
        }
        if let Some(home) = home {
            add(home.join(".gitconfig"), ConfigLevel::Global)?;
        }
    }
    add(git.commondir().join("config"), ConfigLevel::Local)?;
    add(worktree_file(git.path()), ConfigLevel::Worktree)?;
    Ok(Some(config))
}

fn worktree_file(folder: &Path) -> PathBuf {
    folder.join("config.worktree")
}

/// What our own process has, which is where libgit2 looks.
fn own(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}
