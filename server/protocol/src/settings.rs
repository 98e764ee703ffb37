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
