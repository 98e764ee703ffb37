//! What a run has said, from its folder: what people read of it, or the bytes as they came. It is an agent's text and
//! may hold anything; whoever shows it makes it harmless.

use std::path::Path;

use augment_core::scan::without_credentials;
use augment_host::agents::output_log::{Piece, Reader};
use augment_host::agents::running::SAID;
use augment_protocol::agents::Output;

/// How much one answer holds.
const AT_ONCE: usize = 256 * 1_024;
/// How much of the end is shown with a run.
const TAIL: usize = 4_096;
/// How much before it is looked through with it.
const BEFORE_TAIL: usize = 4_096;

/// What was said from a place on.
pub(super) fn read(folder: &Path, from: u64, raw: bool, ended: bool) -> Output {
    let said = folder.join(SAID);
    let folder = if !raw && said.is_dir() { said } else { folder.to_owned() };
    let mut output = Output { text: String::new(), next: from, missed: 0, more: false, ended };
    let mut bytes = Vec::new();
    if let Err(error) = collect(&folder, &mut bytes, &mut output) {
        tracing::debug!("{}: {error}", folder.display());
    }
    // Half a character waits for its other half, unless there is none.
    let whole = if ended && !output.more { bytes.len() } else { whole_characters(&bytes) };
    output.next -= (bytes.len() - whole) as u64;
    output.text = String::from_utf8_lossy(&bytes[..whole]).into_owned();
    output
}

fn collect(folder: &Path, bytes: &mut Vec<u8>, output: &mut Output) -> std::io::Result<()> {
    let mut reader = Reader::open(folder, output.next)?;
    while let Some(piece) = reader.next_piece()? {
        match piece {
            Piece::Output { offset, bytes: said, .. } => {
                if bytes.len() + said.len() > AT_ONCE {
                    output.more = true;
                    return Ok(());
                }
                output.next = offset + said.len() as u64;
                bytes.extend(said);
            }
            // What comes after a gap is for the next answer, so that the gap is told where it is.
            Piece::Missed { from, to } if bytes.is_empty() => {
                output.missed += to - from;
                output.next = to;
            }
            Piece::Missed { .. } => {
                output.more = true;
                return Ok(());
            }
        }
    }
    Ok(())
}

/// How many bytes end with a whole character. Bytes that are no character at all count as whole.
fn whole_characters(bytes: &[u8]) -> usize {
    let begins = bytes.iter().rev().take(4).position(|byte| byte & 0xC0 != 0x80);
    let Some(back) = begins else { return bytes.len() };
    let at = bytes.len() - back - 1;
    let wants = match bytes[at] {
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF4 => 4,
        _ => 1,
    };
    if bytes.len() - at < wants { at } else { bytes.len() }
}

/// The end of what was said, without credentials: whoever wants the output as it is asks for all of it.
pub(super) fn tail(folder: &Path) -> String {
    let mut from = 0;
    let mut text = String::new();
    loop {
        let output = read(folder, from, false, true);
        text.push_str(&output.text);
        // Of what is cut in the middle nobody can say what it is, so there is more than is told.
        keep_end(&mut text, TAIL + BEFORE_TAIL);
        if !output.more || output.next <= from {
            let mut masked = without_credentials(&text).into_owned();
            keep_end(&mut masked, TAIL);
            return masked;
        }
        from = output.next;
    }
}

fn keep_end(text: &mut String, limit: usize) {
    if text.len() > limit {
        let cut = (text.len() - limit..text.len()).find(|at| text.is_char_boundary(*at));
        text.drain(..cut.unwrap_or(text.len()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_a_character_waits_for_its_other_half() {
        for (bytes, whole) in
            [(&b"ab"[..], 2), (b"a\xC3", 1), (b"a\xC3\xA4", 3), (b"\xE2\x82", 0), (b"a\xFF", 2), (b"", 0)]
        {
            assert_eq!(whole_characters(bytes), whole, "{bytes:?}");
        }
    }
}
