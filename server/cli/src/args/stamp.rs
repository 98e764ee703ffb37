//! `stamp …` as it is typed.

use augment_core::stamp::{Model, Precision, Stamp};
use clap::{Args, ValueEnum};

use super::Moment;
use super::values::unix_or_moment;

#[derive(Debug, Args)]
pub(crate) struct StampArgs {
    /// The moment: a date, with or without a time and a zone (UTC where none is said), @ and seconds since 1970, or 2h for so
    /// long ago; without it now
    #[arg(long, value_name = "TIME", value_parser = unix_or_moment, allow_hyphen_values = true)]
    pub(crate) at: Option<Moment>,
    /// Read a stamp in any form instead of making one, and print it in this one
    #[arg(long, value_name = "TEXT", value_parser = stamp, conflicts_with_all = ["at", "model"])]
    pub(crate) parse: Option<Stamp>,
    /// How to write it
    #[arg(long, value_name = "FORM", default_value = "line")]
    pub(crate) format: StampFormat,
    /// The last field to print
    #[arg(long, value_name = "FIELD", default_value = "second")]
    precision: TypedPrecision,
    /// Where the Sun is: by the figures of the chronos program, or the true one; without it the setting stamp.model counts
    #[arg(long, value_name = "MODEL")]
    model: Option<TypedModel>,
}

impl StampArgs {
    pub(crate) fn precision(&self) -> Precision {
        match self.precision {
            TypedPrecision::Year => Precision::Year,
            TypedPrecision::Sign => Precision::Sign,
            TypedPrecision::Degree => Precision::Degree,
            TypedPrecision::Minute => Precision::Minute,
            TypedPrecision::Second => Precision::Second,
        }
    }

    pub(crate) fn model(&self) -> Option<Model> {
        self.model.map(|model| match model {
            TypedModel::Chronos => Model::Chronos,
            TypedModel::True => Model::True,
        })
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum StampFormat {
    /// ♓︎.5.4.47 5919AM
    Line,
    /// 5919.12.5.4.47
    Am,
    /// ♓︎5°4'47" | 5919 AM
    Unicode,
    /// 591912050447, for names of files
    Numeric,
    /// All of it as one JSON document, as --json does
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum TypedPrecision {
    Year,
    Sign,
    Degree,
    Minute,
    Second,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum TypedModel {
    Chronos,
    True,
}

fn stamp(text: &str) -> Result<Stamp, String> {
    Stamp::parse(text).map_err(|bad| bad.to_string())
}
