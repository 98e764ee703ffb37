//! `archive …` and `knowledge …` as they are typed.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::values::{Moment, how_many, moment};

#[derive(Debug, Subcommand)]
pub(crate) enum ArchiveCommand {
    /// List archived sessions, the newest first
    #[command(
        after_help = "Examples:\n  augment-cli archive list\n  augment-cli archive list --tag connector --since 2026-11-01\n  \
                      augment-cli archive list --agent goose --limit 5"
    )]
    List(ArchiveFilters),
    /// Look for words in archived sessions, the best first
    #[command(
        after_help = "All words have to be there. '\"several words\"' stand together, and `conn*` is a beginning. Other signs \
                      mean nothing.\n\nExamples:\n  augment-cli archive search lifesum connector\n  \
                      augment-cli archive search '\"rate limit\"' --since 30d\n  augment-cli archive search 'conn*' --tag api"
    )]
    Search(SearchArchiveArgs),
    /// Show one archived session: its summary, or with --json its record
    #[command(after_help = "Examples:\n  augment-cli archive show s3\n  augment-cli archive show 9\n  \
                      augment-cli archive show 2026-11-16-s3 --json")]
    Show {
        /// The session: its id (s3), its number (9), its folder, or a beginning of that
        #[arg(value_name = "SESSION")]
        session: String,
    },
    /// Check that archives are what was written; exit code 1 when one is not
    #[command(
        after_help = "Checked are the hashes of the files and the archive's part of the ledger, record by record. That a whole \
                      folder was written anew, hashes and all, cannot be seen.\n\nExamples:\n  augment-cli archive verify\n  \
                      augment-cli archive verify s3"
    )]
    Verify(VerifyArchiveArgs),
    /// Take in archives that were made elsewhere
    #[command(
        after_help = "A folder is one archive, or holds several. Everything is checked before anything is written, and nothing is \
                      overwritten. Packed files are not read: unpack them first.\n\nExamples:\n  \
                      augment-cli archive import ../other/memory-bank/augment-sessions\n  \
                      augment-cli archive import ~/2026-11-16-s3-lifesum-connector"
    )]
    Import {
        /// Folders to take in
        #[arg(value_name = "FOLDER", required = true, value_hint = clap::ValueHint::DirPath)]
        folders: Vec<PathBuf>,
    },
}

/// Which archived sessions are meant.
#[derive(Debug, Clone, Args)]
pub(crate) struct ArchiveFilters {
    /// Only with this tag; may be repeated, then all have to be there
    #[arg(long, value_name = "TAG")]
    pub(crate) tag: Vec<String>,
    /// Only with this task, by its id or its title
    #[arg(long, alias = "task-id", value_name = "TASK")]
    pub(crate) task: Option<String>,
    /// Only with this agent
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
    /// Only ended since then: 2h, 2026-11-16 or 2026-11-16T10:00
    #[arg(long, value_name = "WHEN", value_parser = moment)]
    pub(crate) since: Option<Moment>,
    /// Only ended before then
    #[arg(long, value_name = "WHEN", value_parser = moment)]
    pub(crate) until: Option<Moment>,
    /// How many
    #[arg(long, value_name = "N", value_parser = how_many)]
    pub(crate) limit: Option<u32>,
}

#[derive(Debug, Args)]
pub(crate) struct SearchArchiveArgs {
    /// What to look for
    #[arg(value_name = "WORDS", required = true)]
    pub(crate) words: Vec<String>,
    #[command(flatten)]
    pub(crate) filters: ArchiveFilters,
}

#[derive(Debug, Args)]
pub(crate) struct VerifyArchiveArgs {
    /// The sessions to check; without any, all
    #[arg(value_name = "SESSION")]
    pub(crate) sessions: Vec<String>,
    /// Check all of them
    #[arg(long, conflicts_with = "sessions")]
    pub(crate) all: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum KnowledgeCommand {
    /// List what was learnt, the newest first
    #[command(
        after_help = "Examples:\n  augment-cli knowledge list\n  augment-cli knowledge list --shared\n  augment-cli knowledge list --tag api"
    )]
    List {
        /// Only with this tag
        #[arg(long, value_name = "TAG")]
        tag: Option<String>,
        /// Only what was approved for everybody
        #[arg(long, conflicts_with = "local")]
        shared: bool,
        /// Only what is known on this machine alone
        #[arg(long)]
        local: bool,
        /// How many
        #[arg(long, value_name = "N", value_parser = how_many)]
        limit: Option<u32>,
    },
    /// Look for words in what was learnt
    Search {
        /// Words that all have to be there
        #[arg(value_name = "WORDS", required = true)]
        words: Vec<String>,
        /// How many
        #[arg(long, value_name = "N", value_parser = how_many)]
        limit: Option<u32>,
    },
    /// Add something to be known, on this machine
    #[command(
        after_help = "Examples:\n  augment-cli knowledge add \"The API counts pages from 1\" --tag api --file src/pages.rs"
    )]
    Add {
        /// What was learnt
        #[arg(value_name = "TEXT", allow_hyphen_values = true)]
        text: String,
        /// A tag; may be repeated
        #[arg(long, value_name = "TAG")]
        tag: Vec<String>,
        /// A file that it is about; may be repeated
        #[arg(long, value_name = "FILE")]
        file: Vec<PathBuf>,
    },
    /// Approve an entry for everybody: it is written to the file that the team commits
    #[command(after_help = "Examples:\n  augment-cli knowledge approve k3fa2c1")]
    Approve {
        /// The entry, or a unique beginning of its id
        #[arg(value_name = "ID")]
        entry: String,
    },
    /// Take an entry out, for good
    Drop {
        /// The entry, or a unique beginning of its id
        #[arg(value_name = "ID")]
        entry: String,
    },
}
