//! Lines of bounded length. A line that is too long is passed over as a whole, and the next one is read as usual.

use std::io;

use tokio::io::{AsyncBufReadExt as _, AsyncRead, BufReader};

/// A tool may be given the content of a file.
pub(super) const LONGEST: usize = 8 * 1_024 * 1_024;

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    Text(Vec<u8>),
    TooLong,
}

/// What was read of the current line is kept here, so that waiting for the next one can be given up at any time.
pub(super) struct Lines<R> {
    reader: BufReader<R>,
    line: Vec<u8>,
    too_long: bool,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    pub(super) fn new(reader: R) -> Self {
        Self { reader: BufReader::with_capacity(64 * 1_024, reader), line: Vec::new(), too_long: false }
    }

    /// The next line without its end; `None` at the end of the input. A last line without an end counts.
    pub(super) async fn next(&mut self) -> io::Result<Option<Line>> {
        loop {
            let buffer = self.reader.fill_buf().await?;
            let ended = buffer.is_empty();
            let end = buffer.iter().position(|byte| *byte == b'\n');
            let part = &buffer[..end.unwrap_or(buffer.len())];
            if self.line.len() + part.len() > LONGEST {
                self.too_long = true;
                self.line = Vec::new();
            } else if !self.too_long {
                self.line.extend_from_slice(part);
            }
            let read = part.len() + usize::from(end.is_some());
            self.reader.consume(read);
            let nothing = self.line.is_empty() && !self.too_long;
            if ended && nothing {
                return Ok(None);
            }
            if ended || end.is_some() {
                let line = std::mem::take(&mut self.line);
                return Ok(Some(if std::mem::take(&mut self.too_long) { Line::TooLong } else { Line::Text(line) }));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn check(input: &[u8], expected: &[Line]) {
        let mut lines = Lines::new(input);
        let mut found = Vec::new();
        while let Some(line) = lines.next().await.unwrap() {
            found.push(line);
        }
        assert_eq!(found, expected);
    }

    fn text(text: &str) -> Line {
        Line::Text(text.as_bytes().to_vec())
    }

    #[tokio::test]
    async fn lines_are_read_to_the_end_of_the_input() {
        check(b"", &[]).await;
        check(b"a\nb", &[text("a"), text("b")]).await;
        check(b"a\n\nb\n", &[text("a"), text(""), text("b")]).await;
    }

    #[tokio::test]
    async fn a_line_that_is_too_long_is_passed_over() {
        let mut input = vec![b'x'; LONGEST + 1];
        input.extend_from_slice(b"\nnext\n");
        check(&input, &[Line::TooLong, text("next")]).await;
        let exact = vec![b'x'; LONGEST];
        check(&exact, &[Line::Text(exact.clone())]).await;
        let endless = vec![b'x'; 2 * LONGEST];
        check(&endless, &[Line::TooLong]).await;
    }
}
