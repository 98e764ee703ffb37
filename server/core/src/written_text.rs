//! How editors write a text to disk. An editor tells the text it saved; the file holds it in some encoding. Only what can be
//! told for certain is: a content is a writing of a text, or it is not.

/// The byte order mark, in front of a text that says so about itself.
pub const MARK: &str = "\u{feff}";

/// How the content of a file is to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WrittenAs {
    /// UTF-8, the text and nothing else.
    Plain,
    /// UTF-8 behind a byte order mark.
    Marked,
    /// Something else: a letter a byte, for all we know.
    Otherwise,
}

impl WrittenAs {
    #[must_use]
    pub fn of(content: &[u8]) -> Self {
        match content.strip_prefix(MARK.as_bytes()) {
            Some(rest) if std::str::from_utf8(rest).is_ok() => Self::Marked,
            None if std::str::from_utf8(content).is_ok() => Self::Plain,
            Some(_) | None => Self::Otherwise,
        }
    }

    /// The text written so; `None` where that cannot be said.
    #[must_use]
    pub fn write(self, text: &[u8]) -> Option<Vec<u8>> {
        match self {
            Self::Plain => Some(text.to_vec()),
            Self::Marked if text.starts_with(MARK.as_bytes()) => Some(text.to_vec()),
            Self::Marked => Some([MARK.as_bytes(), text].concat()),
            Self::Otherwise => std::str::from_utf8(text).ok().and_then(single_bytes),
        }
    }
}

/// The contents that an editor may have written for a text, the usual one first.
pub fn writings(text: &[u8]) -> impl Iterator<Item = Vec<u8>> + '_ {
    let words = std::str::from_utf8(text).ok();
    let wide = move |big_end_first: bool| words.map(|words| utf_16(words, big_end_first));
    std::iter::once_with(|| Some(text.to_vec()))
        .chain(std::iter::once_with(|| Some([MARK.as_bytes(), text].concat())))
        .chain(std::iter::once_with(move || words.and_then(single_bytes)))
        .chain(std::iter::once_with(move || wide(false)))
        .chain(std::iter::once_with(move || wide(true)))
        .flatten()
}

fn utf_16(text: &str, big_end_first: bool) -> Vec<u8> {
    let units = std::iter::once(0xFEFF).chain(text.encode_utf16());
    units.flat_map(|unit| if big_end_first { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect()
}

/// Windows-1252, which holds Latin-1's printable letters at their own numbers.
fn single_bytes(text: &str) -> Option<Vec<u8>> {
    const FROM_80: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8D}', 'Ž', '\u{8F}', '\u{90}', '‘',
        '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9D}', 'ž', 'Ÿ',
    ];
    let byte = |letter: char| match u32::from(letter) {
        number @ (0..0x80 | 0xA0..0x100) => u8::try_from(number).ok(),
        _ => {
            let at = FROM_80.iter().position(|known| *known == letter)?;
            u8::try_from(0x80 + at).ok()
        }
    };
    text.chars().map(byte).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_found_in_what_an_editor_wrote() {
        let is = |text: &str, content: &[u8]| writings(text.as_bytes()).any(|written| written == content);
        assert!(is("grün\r\n", "grün\r\n".as_bytes()));
        assert!(is("grün", b"\xEF\xBB\xBFgr\xC3\xBCn"));
        assert!(is("grün", b"gr\xFCn"));
        assert!(is("5 €", b"5 \x80"));
        assert!(is("ü", b"\xFF\xFE\xFC\x00"));
        assert!(is("ü", b"\xFE\xFF\x00\xFC"));
        assert!(is("", b""));
        assert!(!is("grün", b"gr\xFCn\n"));
        assert!(!is("日", b"\x93\xFA"), "what is not known is not recognised");
    }

    #[test]
    fn a_saved_text_is_put_between_two_contents_as_they_are_written() {
        let between = |content: &[u8], text: &str| WrittenAs::of(content).write(text.as_bytes());
        assert_eq!(between(b"a\n", "b\n"), Some(b"b\n".to_vec()));
        assert_eq!(between(b"\xEF\xBB\xBFa\n", "b\n"), Some(b"\xEF\xBB\xBFb\n".to_vec()));
        assert_eq!(between(b"gr\xFCn", "blühend"), Some(b"bl\xFChend".to_vec()));
        assert_eq!(between(b"\x93\xFA", "日"), None);
    }
}
