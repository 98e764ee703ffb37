//! The agents that can be started: the presets, the user's own (`agents.toml` beside the settings), and those that come with
//! the workspace (`.augment/agents.toml`). The files are read with limits; an agent with anything wrong in it is told and not
//! offered, also not as the preset whose name it has.
//!
//! In a demo workspace of ours there is one more, which our own program plays; nobody else takes its name there.
//!
//! A workspace's agent starts only when a person has said yes to exactly what it says: its text holds every field, and the
//! content of the files that it names in the workspace (`bound`). It takes no name that is the user's or a preset's.
//! What the files that are named load in turn is not bound by that.

mod bound;
pub mod inspect;
mod program;
mod reading;

use std::fmt;

use augment_core::agent::{self, AgentProblem, AgentSpec, Confine, PRESETS, Permission, Source, nearest_of};
use augment_core::settings::{self, CONFINE, PERMISSION};
use augment_core::text::{quoted, visible};

use super::order::Confinement;
use crate::demo;
use crate::settings::Settings;
use crate::workspace::Places;
pub use program::{ProgramError, environment, find_program, in_path, known, writable};
use reading::Table;

/// An agent, who configured it, and what a yes to it is bound to.
#[derive(Clone, PartialEq, Eq)]
pub struct Configured {
    pub spec: AgentSpec,
    pub source: Source,
    /// All that it says, for a person to look at before allowing it.
    pub text: String,
    /// The hash of that text.
    pub hash: String,
}

/// All agents, as the files stood when they were read.
#[derive(Debug, Clone, Default)]
pub struct Catalog {
    pub agents: Vec<Configured>,
    /// What is wrong in the files, in sentences.
    pub problems: Vec<String>,
    /// Agents that are configured, but wrongly, each with the first thing that is wrong.
    broken: Vec<(String, String)>,
}

/// Why there is no agent of a name.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum CatalogError {
    #[error("There is no agent {}. {}", quoted(name), next_step(nearest.as_deref()))]
    Unknown { name: String, nearest: Option<String> },
    #[error("The agent {} is not configured right. {problem}", quoted(name))]
    Broken { name: String, problem: String },
}

fn next_step(nearest: Option<&str>) -> String {
    match nearest {
        Some(nearest) => format!("Did you mean {}?", visible(nearest)),
        None => "`augment-cli agent list` shows those there are.".to_owned(),
    }
}

impl CatalogError {
    /// Stable: programs may match on it.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unknown { .. } => "unknown-agent",
            Self::Broken { .. } => "bad-agent",
        }
    }
}

impl Catalog {
    #[must_use]
    pub fn read(places: &Places) -> Self {
        let mut catalog = Self::default();
        let built_in = demo::agent(places);
        let is_built_in = |name: &str| built_in.as_ref().is_some_and(|spec| spec.name.eq_ignore_ascii_case(name));
        let user = catalog.tables(&places.user_agents);
        let workspace = catalog.tables(&places.workspace_agents);
        for preset in PRESETS.iter().filter(|preset| !user.iter().any(|table| table.name == preset.name)) {
            catalog.agents.extend(preset.spec().map(|spec| Configured::new(spec, Source::Preset, "")));
        }
        for table in &user {
            if is_built_in(&table.name) {
                let name = quoted(&table.name);
                let taken = format!("{name} is the built-in agent in this demo; yours can be started everywhere else.");
                catalog.problems.push(table.told(&places.user_agents, &taken));
                continue;
            }
            let checked = table.checked(Source::User).map(|spec| Configured::new(spec, Source::User, ""));
            catalog.take(&places.user_agents, table, checked);
        }
        for table in &workspace {
            let taken_by = is_built_in(&table.name).then_some(true);
            if let Some(by_preset) = taken_by.or_else(|| reading::taken_by_preset(&table.name, &user)) {
                let taken = AgentProblem::NameTaken { name: table.name.clone(), by_preset };
                catalog.problems.push(table.told(&places.workspace_agents, &taken.to_string()));
                continue;
            }
            let checked = table.checked(Source::Workspace).and_then(|spec| {
                let program = find_program(&spec, &places.root, &environment(&spec, std::env::vars_os())).ok();
                let bound = bound::bound_text(&spec, &places.root, program.as_deref()).map_err(|no| vec![no])?;
                Ok(Configured::new(spec, Source::Workspace, &bound))
            });
            catalog.take(&places.workspace_agents, table, checked);
        }
        catalog.agents.extend(built_in.map(|spec| Configured::new(spec, Source::Preset, "")));
        catalog
    }

    pub fn find(&self, name: &str) -> Result<&Configured, CatalogError> {
        if let Some(found) = self.agents.iter().find(|agent| agent.spec.name == name) {
            return Ok(found);
        }
        if let Some((name, problem)) = self.broken.iter().find(|(broken, _)| broken == name) {
            return Err(CatalogError::Broken { name: name.clone(), problem: problem.clone() });
        }
        let nearest = nearest_of(name, self.agents.iter().map(|agent| agent.spec.name.as_str()));
        Err(CatalogError::Unknown { name: name.to_owned(), nearest: nearest.map(str::to_owned) })
    }

    fn tables(&mut self, path: &std::path::Path) -> Vec<Table> {
        let (tables, problems) = reading::tables(path);
        self.problems.extend(problems);
        tables
    }

    fn take(&mut self, path: &std::path::Path, table: &Table, checked: Result<Configured, Vec<String>>) {
        match checked {
            Ok(configured) => self.agents.push(configured),
            Err(problems) => {
                let told: Vec<String> = problems.iter().map(|problem| table.told(path, problem)).collect();
                self.broken.extend(told.first().map(|first| (table.name.clone(), first.clone())));
                self.problems.extend(told);
            }
        }
    }
}

impl Configured {
    fn new(spec: AgentSpec, source: Source, bound: &str) -> Self {
        let text = spec.text() + bound;
        let hash = agent::hash_of(&text);
        Self { spec, source, text, hash }
    }

    /// Whether it may be started. `allowed` knows what a person has said yes to, by name and hash.
    pub fn is_allowed(&self, allowed: impl FnOnce(&str, &str) -> bool) -> bool {
        match self.source {
            Source::Preset | Source::User => true,
            Source::Workspace => allowed(&self.spec.name, &self.hash),
        }
    }

    /// Whether it still says what it said when it was read. Between a look at the yes to it and its start something may have
    /// been waited for.
    #[must_use]
    pub fn is_current(&self, places: &Places) -> bool {
        match self.source {
            Source::Preset | Source::User => true,
            Source::Workspace => Catalog::read(places).find(&self.spec.name).is_ok_and(|now| now.hash == self.hash),
        }
    }

    /// Whether it is held to its folders. A default is no reason not to start: where the system cannot hold anybody, it
    /// becomes a warning. What somebody has asked for stays.
    #[must_use]
    pub fn confine(&self, settings: &Settings, is_available: bool) -> Confine {
        let resolved = settings.of(CONFINE);
        let general = Confine::from_name(&settings.text(CONFINE)).unwrap_or(Confine::Enforce);
        let from = resolved.map_or(settings::Source::Default, |resolved| resolved.source);
        let general = match from {
            settings::Source::Default if !is_available => general.min(Confine::Warn),
            settings::Source::Default | settings::Source::User | settings::Source::Policy => general,
        };
        self.tightened(self.spec.confine, general, from)
    }

    /// What it is told when it asks for leave.
    #[must_use]
    pub fn permission(&self, settings: &Settings) -> Permission {
        let general = Permission::from_name(&settings.text(PERMISSION)).unwrap_or(Permission::Ask);
        let from = settings.of(PERMISSION).map_or(settings::Source::Default, |resolved| resolved.source);
        self.tightened(self.spec.permission, general, from)
    }

    /// The user's own agents say what they want, unless a policy tightens it for all; a preset loosens only what nobody has
    /// set; a workspace's can only tighten.
    fn tightened<T: Ord + Copy>(&self, own: Option<T>, general: T, from: settings::Source) -> T {
        let own = own.unwrap_or(general);
        let may_loosen = match (self.source, from) {
            (Source::Workspace, _) | (_, settings::Source::Policy) | (Source::Preset, settings::Source::User) => false,
            (Source::Preset, settings::Source::Default) => true,
            (Source::User, settings::Source::Default | settings::Source::User) => true,
        };
        if may_loosen { own } else { own.max(general) }
    }

    /// What it asks for and does not get, in sentences.
    #[must_use]
    pub fn refused_wishes(&self, settings: &Settings) -> Vec<String> {
        let confine = (self.spec.confine.map(Confine::name), self.confine(settings, true).name());
        let permission = (self.spec.permission.map(Permission::name), self.permission(settings).name());
        [("confine", CONFINE, confine), ("permission", PERMISSION, permission)]
            .into_iter()
            .filter_map(|(key, setting, (wished, given))| {
                let wished = wished.filter(|wished| *wished != given)?;
                Some(format!("{key} = {wished} would loosen {setting}; {given} stays in force."))
            })
            .collect()
    }
}

/// Without its text: what it sets may be secret.
impl fmt::Debug for Configured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Configured")
            .field("spec", &self.spec)
            .field("source", &self.source)
            .field("hash", &self.hash)
            .finish_non_exhaustive()
    }
}

/// What the keeper is told for it.
#[must_use]
pub fn confinement(confine: Confine, writable: Vec<std::path::PathBuf>) -> Confinement {
    match confine {
        Confine::Off => Confinement::Off,
        Confine::Warn => Confinement::Warn { writable },
        Confine::Enforce => Confinement::Enforce { writable },
    }
}

#[cfg(test)]
mod tests;
