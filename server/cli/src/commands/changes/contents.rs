//! A file's content as it came over the wire, back to bytes.

use std::borrow::Cow;

use augment_protocol::changes::{BodyKind, Content};

/// The bytes of a text or of where a link leads. Exact wherever the wire carries them; of a long text that is not UTF-8
/// it carries only the text, with what is not UTF-8 replaced.
pub(in crate::commands) fn bytes_of(content: &Content) -> Option<Cow<'_, [u8]>> {
    if !content.exact
        && let Some(bytes) = content.base64.as_deref().and_then(decoded)
    {
        return Some(Cow::Owned(bytes));
    }
    content.text.as_deref().map(|text| Cow::Borrowed(text.as_bytes()))
}

/// The bytes of a text; `None` for everything that has no lines.
pub(in crate::commands) fn text_of(content: &Content) -> Option<Cow<'_, [u8]>> {
    match content.body {
        BodyKind::Text => bytes_of(content),
        BodyKind::Absent | BodyKind::Whole | BodyKind::Link | BodyKind::Large | BodyKind::Special => None,
    }
}

/// Standard base64, padded or not; `None` for what is none.
fn decoded(text: &str) -> Option<Vec<u8>> {
    let digits = text.trim_end_matches('=').bytes().map(|byte| match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    });
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut held, mut bits) = (0_u32, 0_u32);
    for digit in digits {
        held = (held << 6) | u32::from(digit?);
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push(u8::try_from(held >> bits).ok()?);
            held &= (1 << bits) - 1;
        }
    }
    // One digit alone is less than a byte.
    (bits < 6).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_comes_back_to_bytes() {
        for (text, bytes) in [
            ("", &b""[..]),
            ("Zg==", b"f"),
            ("Zm8=", b"fo"),
            ("Zm9v", b"foo"),
            ("Zm9vYg", b"foob"),
            ("//4A", b"\xff\xfe\x00"),
        ] {
            assert_eq!(decoded(text).as_deref(), Some(bytes), "{text}");
        }
        for wrong in ["Z", "Zm9v!", "Zg==Zg"] {
            assert_eq!(decoded(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn the_exact_bytes_are_preferred() {
        let content = |exact, base64: Option<&str>| Content {
            path: "a".into(),
            body: BodyKind::Text,
            text: Some("\u{fffd}".into()),
            exact,
            base64: base64.map(str::to_owned),
            hash: None,
            mode: 0o644,
        };
        assert_eq!(bytes_of(&content(false, Some("/w=="))).as_deref(), Some(&b"\xff"[..]));
        assert_eq!(bytes_of(&content(false, None)).as_deref(), Some("\u{fffd}".as_bytes()));
        assert_eq!(bytes_of(&content(true, Some("/w=="))).as_deref(), Some("\u{fffd}".as_bytes()));
        assert_eq!(text_of(&Content { body: BodyKind::Link, ..content(true, None) }), None);
    }
}
