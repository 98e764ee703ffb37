//! A file as the rules see it: where it lies in the workspace, and what is there at one moment. Paths are bytes, since
//! file systems know nothing else; a path that would lead out of the workspace cannot be made.

use std::fmt;

/// The longest path we take, as Linux does.
pub const MAX_PATH_BYTES: usize = 4_096;

/// A path inside the workspace: relative, `/` between its parts, none of them empty, `.` or `..`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FilePath(Box<[u8]>);

/// Why some text or bytes are no path inside the workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BadPath {
    Empty,
    TooLong,
    Absolute,
    /// It has an empty part, `.` or `..`.
    Steps,
    /// It has a zero byte.
    Zero,
    /// A backslash that does not begin `\\` or `\x41`.
    Escape,
}

impl fmt::Display for BadPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "it is empty",
            Self::TooLong => "it is longer than 4096 bytes",
            Self::Absolute => "it is not relative to the workspace",
            Self::Steps => "it has a part that is empty, \".\" or \"..\"",
            Self::Zero => "it holds a zero byte",
            Self::Escape => "a backslash in it begins neither \\\\ nor \\xNN",
        })
    }
}

impl FilePath {
    pub fn new(bytes: impl Into<Vec<u8>>) -> Result<Self, BadPath> {
        let bytes: Vec<u8> = bytes.into();
        if bytes.is_empty() {
            return Err(BadPath::Empty);
        }
        if bytes.len() > MAX_PATH_BYTES {
            return Err(BadPath::TooLong);
        }
        // `C:\x` and `C:/x` are somewhere else on the systems where they mean anything at all.
        if bytes[0] == b'/'
            || matches!(bytes.as_slice(), [letter, b':', b'/' | b'\\', ..] if letter.is_ascii_alphabetic())
        {
            return Err(BadPath::Absolute);
        }
        if bytes.contains(&0) {
            return Err(BadPath::Zero);
        }
        if bytes.split(|byte| *byte == b'/').any(|part| matches!(part, b"" | b"." | b"..")) {
            return Err(BadPath::Steps);
        }
        Ok(Self(bytes.into()))
    }

    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The name without the folders.
    #[must_use]
    pub fn name(&self) -> &[u8] {
        self.0.rsplit(|byte| *byte == b'/').next().unwrap_or(&self.0)
    }

    /// The folder it lies in; `None` for the workspace itself.
    #[must_use]
    pub fn folder(&self) -> Option<Self> {
        let at = self.0.iter().rposition(|byte| *byte == b'/')?;
        Some(Self(self.0[..at].into()))
    }

    /// The folders above it and its own name, outermost first.
    pub fn parts(&self) -> impl DoubleEndedIterator<Item = &[u8]> {
        self.0.split(|byte| *byte == b'/')
    }

    /// True for the path itself and for everything below it.
    #[must_use]
    pub fn is_within(&self, folder: &Self) -> bool {
        self.0.strip_prefix(&*folder.0).is_some_and(|rest| rest.is_empty() || rest[0] == b'/')
    }

    /// The path as text that `from_text` reads back exactly: a backslash is doubled, bytes that are not UTF-8 are
    /// written `\xff`.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = String::with_capacity(self.0.len());
        for chunk in self.0.utf8_chunks() {
            for c in chunk.valid().chars() {
                if c == '\\' {
                    text.push('\\');
                }
                text.push(c);
            }
            for byte in chunk.invalid() {
                text.push_str(&format!("\\x{byte:02x}"));
            }
        }
        text
    }

    pub fn from_text(text: &str) -> Result<Self, BadPath> {
        let mut bytes = Vec::with_capacity(text.len());
        let mut rest = text.as_bytes();
        while let [first, after @ ..] = rest {
            match (first, after) {
                (b'\\', [b'\\', left @ ..]) => {
                    bytes.push(b'\\');
                    rest = left;
                }
                (b'\\', [b'x', high, low, left @ ..]) => {
                    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
                    let (Some(high), Some(low)) = (digit(*high), digit(*low)) else {
                        return Err(BadPath::Escape);
                    };
                    bytes.push(high * 16 + low);
                    rest = left;
                }
                (b'\\', _) => return Err(BadPath::Escape),
                (byte, left) => {
                    bytes.push(*byte);
                    rest = left;
                }
            }
        }
        Self::new(bytes)
    }
}

impl fmt::Display for FilePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&crate::text::visible(&self.to_text()))
    }
}

/// The BLAKE3 hash of some content: its name in the blob store, and what decisions are bound to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContentHash(pub [u8; 32]);

impl ContentHash {
    #[must_use]
    pub fn of(content: &[u8]) -> Self {
        Self(*blake3::hash(content).as_bytes())
    }

    #[must_use]
    pub fn from_hex(text: &str) -> Option<Self> {
        blake3::Hash::from_hex(text).ok().map(|hash| Self(*hash.as_bytes()))
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&blake3::Hash::from_bytes(self.0).to_hex())
    }
}

impl fmt::Debug for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", &self.to_string()[..12])
    }
}

/// What is there under a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Body {
    /// Nothing, or a folder: folders are not tracked.
    Absent,
    /// Text is decided line by line. It need not be UTF-8.
    Text(Vec<u8>),
    /// Content that is decided as a whole: binary, or too much for lines. The bytes are in the blob store.
    Whole { hash: ContentHash, length: u64 },
    /// A symbolic link and where it leads, as it is written.
    Link(Vec<u8>),
    /// More than we keep: its changes are seen, and cannot be taken back.
    Large { length: u64, changed_ns: i64 },
    /// A pipe, socket or device: seen, never opened.
    Special,
}

/// A file at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileState {
    pub path: FilePath,
    pub body: Body,
    /// The permission bits (`0o7777`); only a `Text`, `Whole` or `Large` body has any, else 0.
    pub mode: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_leads_out_cannot_be_made() {
        for (text, why) in [
            ("", BadPath::Empty),
            ("/etc/passwd", BadPath::Absolute),
            ("C:/x", BadPath::Absolute),
            ("C:\\\\x", BadPath::Absolute),
            ("../x", BadPath::Steps),
            ("a/../../x", BadPath::Steps),
            ("a//b", BadPath::Steps),
            ("a/", BadPath::Steps),
            ("./a", BadPath::Steps),
            ("a\0b", BadPath::Zero),
            ("a\\b", BadPath::Escape),
        ] {
            assert_eq!(FilePath::from_text(text), Err(why), "{text}");
        }
        assert_eq!(FilePath::new(vec![b'a'; MAX_PATH_BYTES + 1]), Err(BadPath::TooLong));
    }

    #[test]
    fn every_path_can_be_written_as_text_and_read_back() {
        for bytes in
            [&b"src/main.rs"[..], b"a\\b", b"\xff\xfe/x", b"new\nline", "\u{202e}txt".as_bytes(), b"-rf", b"$(x)"]
        {
            let path = FilePath::new(bytes).unwrap();
            assert_eq!(FilePath::from_text(&path.to_text()), Ok(path));
        }
        assert_eq!(FilePath::new(*b"a\xffb\\").unwrap().to_text(), "a\\xffb\\\\");
        assert_eq!(FilePath::new(*b"a\nb").unwrap().to_string(), "a\\nb");
    }

    #[test]
    fn folders_and_names() {
        let path = FilePath::from_text("a/b/c.rs").unwrap();
        assert_eq!(path.name(), b"c.rs");
        assert_eq!(path.folder(), FilePath::from_text("a/b").ok());
        assert_eq!(FilePath::from_text("top").unwrap().folder(), None);
        assert!(path.is_within(&FilePath::from_text("a/b").unwrap()));
        assert!(!FilePath::from_text("a/bc").unwrap().is_within(&FilePath::from_text("a/b").unwrap()));
    }
}
