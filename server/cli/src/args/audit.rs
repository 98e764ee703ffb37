//! `audit …` as it is typed.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::values::{Moment, how_many, moment};

#[derive(Debug, Subcommand)]
pub(crate) enum AuditCommand {
    /// List records, the newest first
    #[command(
        after_help = "Examples:\n  augment-cli audit list --task b12\n  augment-cli audit list --kind refused --since 2h\n  \
                      augment-cli audit list --actor person:ada --since 2026-11-16 --until 2026-11-17T12:00"
    )]
    List(ListRecordsArgs),
    /// Show one record
    Show {
        /// The record's sequence number
        #[arg(value_name = "SEQ")]
        sequence: u64,
    },
    /// Check the whole chain; exit code 1 when it is broken
    Verify,
    /// Show records as they are written
    #[command(after_help = "Examples:\n  augment-cli audit follow\n  augment-cli audit follow --kind task --json")]
    Follow(FollowArgs),
}

#[derive(Debug, Clone, Args)]
pub(crate) struct AuditFilters {
    /// Only about this task
    #[arg(long, alias = "task-id", value_name = "ID")]
    pub(crate) task: Option<String>,
    /// Only about this run, such as b12.2
    #[arg(long, value_name = "RUN")]
    pub(crate) run: Option<String>,
    /// Only about this agent
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
    /// Only about this file
    #[arg(long, value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// Only by this actor: person:ada, run:b12.2 or host
    #[arg(long, value_name = "ACTOR")]
    pub(crate) actor: Option<String>,
    /// Only of this kind: task.added, or task for all that begin so
    #[arg(long, value_name = "KIND")]
    pub(crate) kind: Option<String>,
    /// Only from then on: 2h (ago), 2026-11-16, 2026-11-16T10:00 (UTC)
    #[arg(long, value_name = "WHEN", value_parser = moment)]
    pub(crate) since: Option<Moment>,
    /// Only up to then
    #[arg(long, value_name = "WHEN", value_parser = moment)]
    pub(crate) until: Option<Moment>,
}

#[derive(Debug, Args)]
pub(crate) struct ListRecordsArgs {
    #[command(flatten)]
    pub(crate) filters: AuditFilters,
    /// How many to show at most, 50 without it
    #[arg(long, value_name = "N", value_parser = how_many)]
    pub(crate) limit: Option<u32>,
    /// Only records before this sequence number
    #[arg(long, value_name = "SEQ")]
    pub(crate) before: Option<u64>,
}

#[derive(Debug, Args)]
pub(crate) struct FollowArgs {
    #[command(flatten)]
    pub(crate) filters: AuditFilters,
    /// How many of the newest to show first
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) limit: u32,
}
