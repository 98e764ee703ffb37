//! Settings on the wire.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Setting {
    pub key: String,
    pub value: String,
    /// `default`, `user` or `policy`.
    pub source: String,
    pub about: String,
    /// What it takes, in words.
    pub takes: String,
    /// What the workspace's policy asked for and did not get, since a policy may only tighten.
    pub refused_policy: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SettingList {
    pub settings: Vec<Setting>,
    /// What is wrong in the settings files, a sentence each.
    pub problems: Vec<String>,
    pub user_file: String,
    pub policy_file: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ChangeSetting {
    pub key: String,
    /// Null goes back to the default.
    pub value: Option<String>,
}

/// A file of settings or agents as it stands in an editor, saved or not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct InspectFile {
    /// Where it lies, as a whole path.
    pub path: String,
    pub text: String,
}

/// Which of our files it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum SettingsFile {
    /// The user's settings.
    Settings,
    /// The workspace's policy.
    Policy,
    /// The user's agents.
    Agents,
    /// The agents that come with the workspace.
    WorkspaceAgents,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct InspectedFile {
    /// Null where the path is none of our files; then nothing else is said.
    pub file: Option<SettingsFile>,
    pub problems: Vec<FileProblem>,
    /// All that can be written in it.
    pub keys: Vec<FileKey>,
}

/// Something that is wrong in a file, in the words of `config check`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct FileProblem {
    /// From which place of the text, in UTF-16 units as editors count.
    pub start: u32,
    pub end: u32,
    pub message: String,
    /// Whether it is a wish that is not followed; else it is a mistake.
    pub is_wish: bool,
    /// What could stand there instead.
    pub instead: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "generate", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct FileKey {
    /// The table that it stands in: `queue`, or `agents.*` for that of any agent.
    pub section: String,
    pub name: String,
    pub about: String,
    /// What it takes, in words.
    pub takes: String,
    /// What is in force where nothing is said, if that is known.
    pub usual: Option<String>,
    /// The values it takes as they are written, where they can be counted.
    pub values: Vec<String>,
    /// What to begin its value with where they cannot: `""`, `[]` or nothing.
    pub empty: String,
    /// What a workspace's file may do with it; null in a file of the user's own.
    pub workspace: Option<String>,
}
