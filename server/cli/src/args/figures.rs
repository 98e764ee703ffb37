//! `analytics` and `history` as they are typed.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::values::{Moment, how_many, moment};

/// What the rows of the table are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum By {
    Agent,
    /// By label
    Type,
    Hour,
    Day,
    /// From Monday on
    Week,
}

#[derive(Debug, Args)]
pub(crate) struct AnalyticsArgs {
    /// From then on: 7d (ago), 2026-11-16, 2026-11-16T10:00 (UTC); 30 days before the end without it
    #[arg(long, alias = "since", value_name = "WHEN", value_parser = moment)]
    pub(crate) from: Option<Moment>,
    /// Up to then, which is no part of it; now without it
    #[arg(long, alias = "until", value_name = "WHEN", value_parser = moment)]
    pub(crate) to: Option<Moment>,
    /// One row for each of these; agents without it
    #[arg(long, value_name = "WHAT")]
    pub(crate) by: Option<By>,
    /// Only the work of this agent
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
    /// Only tasks of this type: with this label
    #[arg(long = "type", alias = "label", value_name = "LABEL")]
    pub(crate) label: Option<String>,
    /// Only of this session, by its number (9) or id (s3)
    #[arg(long, value_name = "SESSION")]
    pub(crate) session: Option<String>,
    /// Print all figures as CSV for spreadsheets
    #[arg(long)]
    pub(crate) csv: bool,
}

#[derive(Debug, Args)]
pub(crate) struct HistoryArgs {
    /// Only of this session, by its number (9) or id (s3)
    #[arg(long, value_name = "SESSION")]
    pub(crate) session: Option<String>,
    /// Only what is about this file
    #[arg(value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub(crate) path: Option<PathBuf>,
    /// The same as FILE
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath, conflicts_with = "path")]
    pub(crate) file: Option<PathBuf>,
    /// Only what this agent or person did
    #[arg(long, value_name = "NAME")]
    pub(crate) by: Option<String>,
    /// Only this kind, such as revision or decision; may be repeated
    #[arg(long, value_name = "KIND")]
    pub(crate) kind: Vec<TypedKind>,
    /// The oldest first
    #[arg(long)]
    pub(crate) oldest: bool,
    /// How many to show at most, 50 without it
    #[arg(long, value_name = "N", value_parser = how_many)]
    pub(crate) limit: Option<u32>,
    /// Go on before this record, or after it with --oldest
    #[arg(long, value_name = "SEQ")]
    pub(crate) from: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TypedKind {
    Session,
    TaskTaken,
    TaskEnded,
    RunStarted,
    RunEnded,
    Question,
    Revision,
    Decision,
    Report,
    Checkpoint,
    Flag,
    Finding,
    Commit,
}
