//! Texts that are kept to the byte: from an argument, a file or stdin. They are bounded and must be UTF-8; nothing of them is
//! trimmed or repaired.

use std::fs::File;
use std::io::{self, IsTerminal as _, Read};
use std::path::PathBuf;

use augment_core::text::visible;

use super::Failure;

/// Where a text comes from.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Source {
    Given(String),
    File(PathBuf),
    Stdin,
}

/// What was typed for it, if anything was.
pub(super) fn source(text: Option<String>, file: Option<PathBuf>) -> Option<Source> {
    match text {
        Some(text) if text == "-" => Some(Source::Stdin),
        Some(text) => Some(Source::Given(text)),
        None => file.map(of_file),
    }
}

pub(super) fn of_file(file: PathBuf) -> Source {
    if file.as_os_str() == "-" { Source::Stdin } else { Source::File(file) }
}

/// Stdin where a program writes to it.
pub(super) fn piped() -> Option<Source> {
    (!io::stdin().is_terminal()).then_some(Source::Stdin)
}

/// Stdin can be read for one text only.
pub(super) fn once(sources: &[Option<&Source>]) -> Result<(), Failure> {
    let read = sources.iter().flatten().filter(|source| ***source == Source::Stdin).count();
    if read > 1 {
        let message = "Two texts would come from stdin, and it can be read for one. Give the other in a file.";
        return Err(Failure::told("stdin-twice", message));
    }
    Ok(())
}

impl Source {
    /// All of it; `limit` is in bytes.
    pub(super) fn read(self, what: &'static str, limit: usize) -> Result<String, Failure> {
        let (name, read) = match self {
            Self::Given(text) => return Ok(text),
            Self::Stdin => ("stdin".to_owned(), bounded(io::stdin().lock(), limit)),
            Self::File(file) => {
                let name = visible(&file.to_string_lossy()).into_owned();
                (name, File::open(&file).and_then(|file| bounded(file, limit)))
            }
        };
        let bytes = read.map_err(|error| Failure::told("unreadable", format!("{name} cannot be read: {error}.")))?;
        understood(bytes, &name, what, limit)
    }
}

/// One byte more than the limit tells that there is more.
fn bounded(input: impl Read, limit: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn understood(bytes: Vec<u8>, name: &str, what: &'static str, limit: usize) -> Result<String, Failure> {
    if bytes.len() > limit {
        let message = format!(
            "The {what} from {name} is longer than {limit} bytes. Put the long part into a file of its own and name that."
        );
        return Err(Failure::told("text-too-long", message));
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to() + 1;
        Failure::told("not-utf8", format!("The {what} from {name} is not UTF-8 (at byte {at}). Convert it first."))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(read: Result<String, Failure>) -> (String, String) {
        match read {
            Err(Failure::Told { code, message, .. }) => (code, message),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_dash_is_stdin_and_anything_else_is_meant_as_it_is() {
        let text = |text: &str| source(Some(text.to_owned()), None);
        assert_eq!(text("-"), Some(Source::Stdin));
        assert_eq!(text("- one"), Some(Source::Given("- one".to_owned())));
        assert_eq!(source(None, Some("-".into())), Some(Source::Stdin));
        assert_eq!(source(None, Some("a.md".into())), Some(Source::File("a.md".into())));
        assert_eq!(source(None, None), None);
    }

    #[test]
    fn a_text_is_kept_to_the_byte() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("prompt.md");
        let text = "\u{feff}  one\r\ntwo \n\n";
        std::fs::write(&file, text).unwrap();
        assert_eq!(Source::File(file).read("prompt", 100).ok().as_deref(), Some(text));
        assert_eq!(Source::Given(" x\n".to_owned()).read("prompt", 1).ok().as_deref(), Some(" x\n"));
    }

    #[test]
    fn what_cannot_be_a_text_is_told_with_its_place() {
        let folder = tempfile::tempdir().unwrap();
        let write = |bytes: &[u8]| {
            let file = folder.path().join("a");
            std::fs::write(&file, bytes).unwrap();
            Source::File(file)
        };
        let (code, message) = told(write(b"ok\n\xff").read("prompt", 100));
        assert_eq!(code, "not-utf8");
        assert!(message.contains("not UTF-8 (at byte 4)"), "{message}");
        assert_eq!(write(b"12345").read("prompt", 5).ok().as_deref(), Some("12345"));
        let (code, message) = told(write(b"123456").read("prompt", 5));
        assert_eq!(code, "text-too-long");
        assert!(message.contains("longer than 5 bytes"), "{message}");
        assert_eq!(told(Source::File(folder.path().join("none")).read("prompt", 5)).0, "unreadable");
        assert_eq!(told(Source::File(folder.path().to_owned()).read("prompt", 5)).0, "unreadable");
    }

    #[test]
    fn stdin_is_read_for_one_text_only() {
        let file = Source::File("a".into());
        assert!(once(&[Some(&Source::Stdin), Some(&file)]).is_ok());
        assert!(once(&[Some(&Source::Stdin), None]).is_ok());
        assert!(once(&[Some(&Source::Stdin), Some(&Source::Stdin)]).is_err());
    }
}
