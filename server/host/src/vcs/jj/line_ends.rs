//! Line ends between the disk and the store, where the person lets jj turn them (`working-copy.eol-conversion`). What is
//! compared with the disk gets the disk's line ends; what is committed gets those of the store, as jj's own look at the
//! files would give them. A content whose line ends were put together from both is refused: it would be nobody's.
//!
//! Without that setting every content is to the byte what it is.

use std::borrow::Cow;
use std::path::Path;

use augment_core::diff;
use augment_core::text::quoted;

use super::super::history::{Body, HistoryError, Part, Result};
use super::Jj;
use super::program::Look;

/// How much of a content jj looks at to find out whether it is text.
const PROBE: usize = 8 * 1024;
/// The longest file on disk whose line ends are looked at.
const MAX_FILE: u64 = 256 * 1024 * 1024;

/// What jj turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turned {
    Nothing,
    /// CRLF becomes LF in the store; nothing is turned on disk.
    Input,
    /// CRLF on disk, LF in the store.
    InputOutput,
}

/// Which line ends a content has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Ends {
    lf: bool,
    crlf: bool,
}

impl Jj {
    fn turned(&self) -> Result<Turned> {
        if let Some(known) = self.turned.get() {
            return Ok(*known);
        }
        let said = self.program.jj(Look::Aside, &["config", "get", "working-copy.eol-conversion"])?;
        let turned = match String::from_utf8_lossy(&said).trim() {
            "input" => Turned::Input,
            "input-output" => Turned::InputOutput,
            _ => Turned::Nothing,
        };
        Ok(*self.turned.get_or_init(|| turned))
    }

    /// What a commit has at a place, with the line ends that the disk has there, or that a checkout would give it.
    pub(super) fn laid_down(&self, id: &str, place: &str) -> Result<Body> {
        let body = self.body(id, place)?;
        let Body::File { content, executable } = body else { return Ok(body) };
        if !content.contains(&b'\n') {
            return Ok(Body::File { content, executable });
        }
        let turned = self.turned()?;
        if turned == Turned::Nothing {
            return Ok(Body::File { content, executable });
        }
        let content = as_on_disk(turned, content, read(&self.top.join(place)).as_deref());
        Ok(Body::File { content, executable })
    }

    /// Parts as the store keeps them.
    pub(super) fn for_store<'a>(&self, parts: &'a [Part]) -> Result<Cow<'a, [Part]>> {
        let has_crlf = |part: &Part| matches!(&part.body, Body::File { content, .. } if ends(content).crlf);
        if !parts.iter().any(has_crlf) || self.turned()? == Turned::Nothing {
            return Ok(Cow::Borrowed(parts));
        }
        let mut all = parts.to_vec();
        for part in &mut all {
            let place = self.place(&part.path)?;
            let Body::File { content, .. } = &mut part.body else { continue };
            if is_binary(content) {
                continue;
            }
            let is_mixed = |content: &[u8]| ends(content) == Ends { lf: true, crlf: true };
            if is_mixed(content) && read(&self.top.join(&place)).is_some_and(|disk| !is_mixed(&disk)) {
                return Err(mixed(&place));
            }
            *content = with_lf(content);
        }
        Ok(Cow::Owned(all))
    }
}

fn mixed(place: &str) -> HistoryError {
    HistoryError::Refused {
        what: "The commit".to_owned(),
        words: format!(
            "what is to be committed of {} ends its lines in both ways, and jj turns line ends here (working-copy.eol-conversion). Give all its lines one kind of end, or commit the whole file with `jj commit`, then repeat.",
            quoted(place)
        ),
    }
}

/// A file on disk; `None` for whatever cannot be read as one.
fn read(at: &Path) -> Option<Vec<u8>> {
    let found = std::fs::symlink_metadata(at).ok()?;
    if found.is_file() && found.len() <= MAX_FILE { std::fs::read(at).ok() } else { None }
}

/// As jj decides it: by the beginning alone, in which a NUL or a CR without its LF says so.
fn is_binary(content: &[u8]) -> bool {
    let probed = &content[..content.len().min(PROBE)];
    // A CRLF may be cut in two there.
    let probed = probed.strip_suffix(b"\r").filter(|_| probed.len() == PROBE).unwrap_or(probed);
    let lone = |(at, byte): (usize, &u8)| *byte == 0 || (*byte == b'\r' && probed.get(at + 1) != Some(&b'\n'));
    probed.iter().enumerate().any(lone)
}

fn ends(content: &[u8]) -> Ends {
    let mut found = Ends::default();
    for line in diff::split_lines(content) {
        found.crlf |= line.ends_with(b"\r\n");
        found.lf |= line.ends_with(b"\n") && !line.ends_with(b"\r\n");
    }
    found
}

/// A line without its end; `None` where it has none.
fn body_of(line: &[u8]) -> Option<&[u8]> {
    line.strip_suffix(b"\r\n").or_else(|| line.strip_suffix(b"\n"))
}

fn with(content: &[u8], end: &[u8]) -> Vec<u8> {
    let mut turned = Vec::with_capacity(content.len() + content.len() / 16);
    for line in diff::split_lines(content) {
        match body_of(line) {
            Some(line) => turned.extend([line, end].concat()),
            None => turned.extend_from_slice(line),
        }
    }
    turned
}

fn with_lf(content: &[u8]) -> Vec<u8> {
    with(content, b"\n")
}

/// A content of the store with the ends that its lines have on disk; a line that is not there gets what a checkout would
/// give it.
fn as_on_disk(turned: Turned, content: Vec<u8>, disk: Option<&[u8]>) -> Vec<u8> {
    if is_binary(&content) {
        return content;
    }
    let disk = disk.filter(|disk| !is_binary(disk)).unwrap_or_default();
    match (ends(disk), turned) {
        (Ends { lf: false, crlf: true }, _) => with(&content, b"\r\n"),
        (Ends { lf: true, crlf: false }, _) => with_lf(&content),
        (Ends { lf: false, crlf: false }, Turned::InputOutput) => with(&content, b"\r\n"),
        (Ends { lf: false, crlf: false }, Turned::Input | Turned::Nothing) => content,
        (Ends { lf: true, crlf: true }, _) => line_by_line(turned, &content, disk),
    }
}

/// The same where the disk has both kinds of ends.
fn line_by_line(turned: Turned, content: &[u8], disk: &[u8]) -> Vec<u8> {
    let kept = match turned {
        Turned::InputOutput => with(content, b"\r\n"),
        Turned::Input | Turned::Nothing => content.to_vec(),
    };
    let (plain, plain_disk) = (with_lf(content), with_lf(disk));
    let edits = diff::lines(&diff::split_lines(&plain), &diff::split_lines(&plain_disk));
    let (kept, disk) = (diff::split_lines(&kept), diff::split_lines(disk));
    let (mut laid, mut at, mut on_disk) = (Vec::with_capacity(content.len()), 0, 0);
    for edit in &edits {
        let same = edit.before.start as usize - at;
        laid.extend(disk.iter().skip(on_disk).take(same).copied().flatten());
        let gone = kept.iter().skip(edit.before.start as usize).take(edit.before.len());
        laid.extend(gone.copied().flatten());
        (at, on_disk) = (edit.before.end as usize, edit.after.end as usize);
    }
    laid.extend(disk.iter().skip(on_disk).copied().flatten());
    laid
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(turned: Turned, store: &str, disk: &str, wanted: &str) {
        let disk = (!disk.is_empty()).then_some(disk.as_bytes());
        let laid = as_on_disk(turned, store.as_bytes().to_vec(), disk);
        assert_eq!(String::from_utf8(laid).unwrap(), wanted, "{store:?} {disk:?}");
    }

    #[test]
    fn a_line_of_the_store_has_the_end_that_it_has_on_disk() {
        for turned in [Turned::Input, Turned::InputOutput] {
            check(turned, "1\n2\n", "1\r\n2\r\n3\r\n", "1\r\n2\r\n");
            check(turned, "1\n2\n", "1\n3\n", "1\n2\n");
            check(turned, "1\n2\n3", "0\n1\r\n2\n3", "1\r\n2\n3");
        }
        check(Turned::InputOutput, "1\n2\n3\n", "1\n3\r\n", "1\n2\r\n3\r\n");
        check(Turned::Input, "1\n2\n3\n", "1\n3\r\n", "1\n2\n3\r\n");
        check(Turned::InputOutput, "1\n2", "", "1\r\n2");
        check(Turned::Input, "1\n2", "", "1\n2");
        check(Turned::InputOutput, "1\n\0", "", "1\n\0");
        check(Turned::InputOutput, "1\n\rx", "", "1\n\rx");
    }

    #[test]
    fn a_crlf_at_the_end_of_what_is_probed_is_text() {
        let mut content = vec![b'a'; PROBE - 1];
        content.extend_from_slice(b"\r\n");
        assert!(!is_binary(&content));
        content.insert(0, 0);
        assert!(is_binary(&content));
    }
}
