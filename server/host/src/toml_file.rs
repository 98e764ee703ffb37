//! Reading a TOML file that somebody wrote: bounded, without waiting, and with a sentence that says what is wrong.

use std::fs::File;
use std::io::Read as _;
use std::ops::Range;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use augment_core::text::visible;
use toml_edit::{Document, DocumentMut};

pub(crate) const FILE_LIMIT: u64 = 65_536;

/// `None` if there is no such file. The error is a sentence.
pub(crate) fn read(path: &Path) -> Result<Option<DocumentMut>, String> {
    let Some(file) = open(path)? else { return Ok(None) };
    let mut text = String::new();
    let length =
        file.take(FILE_LIMIT + 1).read_to_string(&mut text).map_err(|error| format!("It cannot be read: {error}."))?;
    if length as u64 > FILE_LIMIT {
        return Err(format!("It is longer than {FILE_LIMIT} bytes."));
    }
    text.parse::<DocumentMut>().map(Some).map_err(|error| not_understood(&text, &error))
}

/// What is said of a text that is no TOML.
pub(crate) fn not_understood(text: &str, error: &toml_edit::TomlError) -> String {
    let line = error.span().map_or(1, |span| text[..span.start.min(text.len())].matches('\n').count() + 1);
    format!("Line {line} is not understood: {}.", visible(error.message()))
}

/// A text of somebody's as a document that still knows where everything stands, or what is wrong with it as a whole.
pub(crate) fn spanned(text: &str) -> Result<Document<&str>, Fault> {
    let whole = |message: String| Fault { span: 0..0, message, weight: Weight::Error, instead: None };
    if text.len() as u64 > FILE_LIMIT {
        return Err(whole(format!("It is longer than {FILE_LIMIT} bytes.")));
    }
    Document::parse(text)
        .map_err(|error| Fault { span: error.span().unwrap_or(0..0), ..whole(not_understood(text, &error)) })
}

/// Something that is wrong in a file, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The bytes that it is about.
    pub span: Range<usize>,
    pub message: String,
    pub weight: Weight,
    /// What could stand there instead.
    pub instead: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weight {
    /// It is not in force.
    Error,
    /// It is a wish that is not followed.
    Warning,
}

/// A regular file, opened without waiting: a FIFO in its place would otherwise hold everybody up until somebody writes to
/// it. `None` if nothing is there.
pub(crate) fn open(path: &Path) -> Result<Option<File>, String> {
    let without_waiting = i32::try_from(rustix::fs::OFlags::NONBLOCK.bits()).unwrap_or(0);
    let file = match File::options().read(true).custom_flags(without_waiting).open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(format!("It cannot be read: {error}.")),
    };
    if !file.metadata().is_ok_and(|found| found.is_file()) {
        return Err("It is not a file.".into());
    }
    Ok(Some(file))
}
