//! `stamp`: a moment by the Sun. It needs no workspace and no host; in a workspace its setting says which Sun.

use augment_core::settings::STAMP_MODEL;
use augment_core::stamp::{Form, Model, Precision, Stamp};
use augment_core::time::utc;
use augment_host::settings::Settings;
use serde::Serialize;

use super::{Ended, Ending, Failure, Session, now_ms};
use crate::args::{StampArgs, StampFormat};
use crate::output::Format;

/// A stamp for programs. What was not asked for, or is not known of a stamp that was read, is null.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Document {
    line: String,
    am: String,
    unicode: String,
    numeric: String,
    year: i32,
    sign: Option<u8>,
    degree: Option<u8>,
    minute: Option<u8>,
    second: Option<u8>,
    precision: &'static str,
    model: Option<&'static str>,
    at: Option<String>,
}

pub(super) fn run(session: &Session, args: StampArgs) -> Ended {
    let precision = args.precision();
    let (stamp, made) = match args.parse {
        Some(stamp) => (stamp, None),
        None => {
            let model = args.model().map_or_else(|| model_here(session), Ok)?;
            let now_ms = now_ms();
            let ms = args.at.map_or(now_ms, |moment| moment.resolve(now_ms));
            let made = Stamp::at(ms.div_euclid(1_000), model);
            (made.map_err(|no| Failure::told(no.code(), no.to_string()))?, Some((model, ms)))
        }
    };
    let form = match (session.output.format(), args.format) {
        (Format::Json, _) | (Format::Human, StampFormat::Json) => {
            session.output.json(&document(stamp, precision, made))?;
            return Ok(Ending::Done);
        }
        (Format::Human, StampFormat::Line) => Form::Line,
        (Format::Human, StampFormat::Am) => Form::Am,
        (Format::Human, StampFormat::Unicode) => Form::Unicode,
        (Format::Human, StampFormat::Numeric) => Form::Numeric,
    };
    session.output.print(&stamp.text(form, precision))?;
    Ok(Ending::Done)
}

/// The model that is set. Where no workspace was named and none can be told, that of chronos; one that was named and is
/// not there is told as for any command.
fn model_here(session: &Session) -> Result<Model, Failure> {
    let is_named = session.global.workspace.as_deref().is_some_and(|folder| !folder.as_os_str().is_empty());
    let workspace = match session.workspace() {
        Ok(workspace) => workspace,
        Err(_) if !is_named => return Ok(Model::Chronos),
        Err(failure) => return Err(failure),
    };
    Ok(Model::from_name(&Settings::read(workspace.places()).text(STAMP_MODEL)).unwrap_or(Model::Chronos))
}

fn document(stamp: Stamp, precision: Precision, made: Option<(Model, i64)>) -> Document {
    let text = |form| stamp.text(form, precision);
    let told = |field: Precision, value: u8| (field <= precision).then_some(value);
    Document {
        line: text(Form::Line),
        am: text(Form::Am),
        unicode: text(Form::Unicode),
        numeric: text(Form::Numeric),
        year: stamp.year,
        sign: told(Precision::Sign, stamp.sign),
        degree: told(Precision::Degree, stamp.degree),
        minute: told(Precision::Minute, stamp.minute),
        second: told(Precision::Second, stamp.second),
        precision: precision.name(),
        model: made.map(|(model, _)| model.name()),
        at: made.map(|(_, ms)| utc(ms)),
    }
}
