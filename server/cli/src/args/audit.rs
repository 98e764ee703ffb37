//! `audit …` as it is typed.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

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
    /// Check the whole chain, or that of an exported file; exit code 1 when it is broken
    #[command(
        after_help = "A file is checked by itself, without any workspace.\n\nExamples:\n  augment-cli audit verify\n  \
                      augment-cli audit verify --file ledger.jsonl --head 6f1c…"
    )]
    Verify(VerifyArgs),
    /// Write records to a file or to stdout, the oldest first; secrets are redacted
    #[command(
        after_help = "JSON Lines can be checked with `audit verify --file`. HTML is one page that needs no network.\n\nExamples:\n  \
                      augment-cli audit export --format html --session 9 --out session-009.html\n  \
                      augment-cli audit export --format csv --since 2026-11-01 > november.csv"
    )]
    Export(ExportArgs),
    /// Check archived sessions against the protocols they name; exit code 1 when something is missing, 2 for what cannot be read
    #[command(after_help = "Without a session the newest archived one of the workspace is checked.\n\nExamples:\n  \
                      augment-cli audit protocol --all\n  \
                      augment-cli audit protocol s3 --points\n  \
                      augment-cli audit protocol memory-bank/augment-sessions/2026-11-16-s3-lifesum-connector")]
    Protocol(ProtocolArgs),
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
    /// Only of this session, by its number (9) or id (s3)
    #[arg(long, value_name = "SESSION")]
    pub(crate) session: Option<String>,
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

#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    /// Check this file that was exported as JSON Lines
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub(crate) file: Option<PathBuf>,
    /// A head that was noted before: its record has to be in the file
    #[arg(long, value_name = "HASH", requires = "file")]
    pub(crate) head: Option<String>,
    /// The file holds only some of the records, such as the ledger.jsonl of an archived session
    #[arg(long, requires = "file")]
    pub(crate) part: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFormat {
    /// One record a line, to be checked and read by programs
    Jsonl,
    /// For spreadsheets
    Csv,
    /// Markdown
    Md,
    /// One page with a timeline, the records, the reports and the diffs
    Html,
}

#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// What to write
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: ExportFormat,
    /// Where to write it, stdout without it
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub(crate) out: Option<PathBuf>,
    /// Replace the file if it is there
    #[arg(long, requires = "out")]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) filters: AuditFilters,
}

#[derive(Debug, Args)]
pub(crate) struct ProtocolArgs {
    /// Check every archived session of the workspace
    #[arg(long, conflicts_with = "folders")]
    pub(crate) all: bool,
    /// List every point, not only what is missing
    #[arg(long)]
    pub(crate) points: bool,
    /// Archived sessions: by id (s3), number (9), folder or the beginning of its name
    #[arg(value_name = "SESSION", value_hint = clap::ValueHint::DirPath)]
    pub(crate) folders: Vec<PathBuf>,
}
