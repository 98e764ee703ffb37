//! `config …` as it is typed.

use clap::{Subcommand, ValueEnum};

#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// List all settings, each with its value and where it comes from
    List,
    /// Print the value of one setting
    Get {
        /// The setting, such as queue.leaseSeconds
        #[arg(value_name = "KEY")]
        key: String,
    },
    /// Change a setting in your settings file
    #[command(
        after_help = "Examples:\n  augment-cli config set queue.leaseSeconds 120\n  augment-cli config set output.color never"
    )]
    Set {
        /// The setting, such as queue.leaseSeconds
        #[arg(value_name = "KEY")]
        key: String,
        /// Its new value
        #[arg(value_name = "VALUE", allow_hyphen_values = true)]
        value: String,
    },
    /// Take a setting out of your settings file, back to its default
    Unset {
        /// The setting, such as queue.leaseSeconds
        #[arg(value_name = "KEY")]
        key: String,
    },
    /// Print the JSON schema of a settings file, for editors with a TOML language server
    #[command(
        after_help = "Examples:\n  augment-cli config schema policy > policy.schema.json\n  augment-cli config schema agents"
    )]
    Schema {
        /// Which file it is of
        #[arg(value_name = "FILE")]
        file: SchemaOf,
    },
    /// Print where the settings files are
    Path,
    /// Check the settings files; exit code 1 when something is wrong in them
    Check,
}

/// The files that have a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SchemaOf {
    /// Your settings
    Settings,
    /// A workspace's .augment/policy.toml
    Policy,
    /// Agents, yours or a workspace's
    Agents,
}
