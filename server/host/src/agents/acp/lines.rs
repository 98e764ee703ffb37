//! Bytes into lines, however they are cut. A line is at most `LINE_BYTES` long; of a longer one nothing is kept but its
//! beginning for a moment, and the rest is passed over.

/// The longest line that is looked at.
pub(super) const LINE_BYTES: usize = 8 * 1_024 * 1_024;
/// How much memory may stay with an empty buffer.
const SPARE_BYTES: usize = 64 * 1_024;

#[derive(Debug, Default)]
pub(super) struct Lines {
    half: Vec<u8>,
    /// In the middle of a line that is passed over.
    passing: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Line<'a> {
    Whole(&'a [u8]),
    /// Its beginning. Told once, as soon as it is too long.
    TooLong(&'a [u8]),
}

impl Lines {
    pub(super) fn new(passing: bool) -> Self {
        Self { half: Vec::new(), passing }
    }

    /// Whether the next bytes belong to a line that is passed over.
    pub(super) fn is_passing(&self) -> bool {
        self.passing
    }

    /// How much of a line was heard whose end was not.
    pub(super) fn half(&self) -> usize {
        self.half.len()
    }

    pub(super) fn hear(&mut self, mut bytes: &[u8], mut each: impl FnMut(Line<'_>)) {
        while !bytes.is_empty() {
            let end = bytes.iter().position(|&byte| byte == b'\n');
            let (piece, rest) = match end {
                Some(end) => (&bytes[..end], &bytes[end + 1..]),
                None => (bytes, &bytes[bytes.len()..]),
            };
            bytes = rest;
            if self.passing {
                self.passing = end.is_none();
                continue;
            }
            let length = self.half.len() + piece.len();
            if length > LINE_BYTES {
                // The piece that is too much shows no more of the beginning than another cut would have.
                let missing = LINE_BYTES - self.half.len();
                self.half.extend_from_slice(&piece[..missing.min(SPARE_BYTES)]);
                each(Line::TooLong(&self.half));
                self.half = Vec::new();
                self.passing = end.is_none();
            } else if end.is_none() {
                self.half.extend_from_slice(piece);
            } else if self.half.is_empty() {
                each(Line::Whole(piece));
            } else {
                self.half.extend_from_slice(piece);
                each(Line::Whole(&self.half));
                self.half.clear();
                self.half.shrink_to(SPARE_BYTES);
            }
        }
    }

    /// Lets go of what was half heard.
    pub(super) fn forget(&mut self) {
        *self = Self::default();
    }

    /// What was half heard, when no more will come.
    pub(super) fn rest(&mut self) -> Vec<u8> {
        self.passing = false;
        std::mem::take(&mut self.half)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(pieces: &[&[u8]]) -> (Vec<String>, Lines) {
        let mut lines = Lines::default();
        let mut seen = Vec::new();
        for piece in pieces {
            lines.hear(piece, |line| {
                seen.push(match line {
                    Line::Whole(line) => String::from_utf8_lossy(line).into_owned(),
                    Line::TooLong(start) => format!("too long: {}", String::from_utf8_lossy(&start[..3])),
                });
            });
        }
        (seen, lines)
    }

    #[test]
    fn lines_are_whole_however_they_are_cut() {
        assert_eq!(heard(&[b"one\ntwo\n\nth", b"r", b"ee\nfo"]).0, ["one", "two", "", "three"]);
    }

    #[test]
    fn a_line_that_is_too_long_is_told_once_and_passed_over() {
        let much = vec![b'x'; LINE_BYTES / 2 + 1];
        let (seen, lines) = heard(&[b"one\n", &much, &much, &much, b"xx\ntwo\n"]);
        assert_eq!(seen, ["one", "too long: xxx", "two"]);
        assert_eq!(lines.half.capacity(), 0);
        let exact = vec![b'y'; LINE_BYTES];
        assert_eq!(heard(&[&exact, b"\ntwo\n"]).0.len(), 2);
    }
}
