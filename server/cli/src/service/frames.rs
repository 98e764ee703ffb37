//! LSP frames with limits: a header of at most 1 KiB, a body of at most 16 MiB. What is wrong with a frame is told in a
//! sentence. Reading is safe to interrupt: what has been read so far stays in the buffer.

use std::fmt;

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};

pub(crate) const HEADER_LIMIT: usize = 1_024;
pub(crate) const BODY_LIMIT: usize = 16 * 1_024 * 1_024;

/// Why no further frame can be read from a stream.
#[derive(Debug)]
pub(crate) enum FrameError {
    HeaderTooLong,
    NoLength,
    BadLength { text: String },
    TooLong { length: usize },
    Truncated { length: usize, wanted: usize },
    Io(std::io::Error),
}

impl fmt::Display for FrameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::HeaderTooLong => write!(f, "The frame's header is longer than {HEADER_LIMIT} bytes."),
            Self::NoLength => write!(f, "The frame's header has no Content-Length."),
            Self::BadLength { text } => {
                write!(f, "The frame's Content-Length is not a number: {}.", augment_core::text::quoted(text))
            }
            Self::TooLong { length } => write!(f, "The frame is {length} bytes long; the limit is {BODY_LIMIT}."),
            Self::Truncated { length, wanted } => write!(f, "The frame ended after {length} of {wanted} bytes."),
            Self::Io(error) => write!(f, "The connection broke: {error}."),
        }
    }
}

pub(crate) struct FrameReader<R> {
    stream: R,
    buffer: Vec<u8>,
    /// The body's length, once its header has been read and taken off the buffer.
    body: Option<usize>,
}

impl<R: AsyncRead + Unpin> FrameReader<R> {
    pub(crate) fn new(stream: R) -> Self {
        Self { stream, buffer: Vec::new(), body: None }
    }

    /// The next frame's body; `None` at the end of the stream.
    pub(crate) async fn next(&mut self) -> Result<Option<Vec<u8>>, FrameError> {
        loop {
            if let Some(frame) = self.take()? {
                return Ok(Some(frame));
            }
            let read = self.stream.read_buf(&mut self.buffer).await.map_err(FrameError::Io)?;
            if read == 0 {
                return match (self.body, self.buffer.len()) {
                    (None, 0) => Ok(None),
                    (None, length) => Err(FrameError::Truncated { length, wanted: length + 1 }),
                    (Some(wanted), length) => Err(FrameError::Truncated { length, wanted }),
                };
            }
        }
    }

    fn take(&mut self) -> Result<Option<Vec<u8>>, FrameError> {
        let wanted = match self.body {
            Some(wanted) => wanted,
            None => {
                let window = &self.buffer[..self.buffer.len().min(HEADER_LIMIT)];
                let Some(end) = window.windows(4).position(|four| four == b"\r\n\r\n") else {
                    return if self.buffer.len() >= HEADER_LIMIT { Err(FrameError::HeaderTooLong) } else { Ok(None) };
                };
                let wanted = content_length(&self.buffer[..end])?;
                if wanted > BODY_LIMIT {
                    return Err(FrameError::TooLong { length: wanted });
                }
                self.buffer.drain(..end + 4);
                self.body = Some(wanted);
                self.buffer.reserve(wanted.saturating_sub(self.buffer.len()).min(1_024 * 1_024));
                wanted
            }
        };
        if self.buffer.len() < wanted {
            return Ok(None);
        }
        let rest = self.buffer.split_off(wanted);
        self.body = None;
        Ok(Some(std::mem::replace(&mut self.buffer, rest)))
    }
}

pub(crate) fn content_length(header: &[u8]) -> Result<usize, FrameError> {
    let header = String::from_utf8_lossy(header);
    let value = header.split("\r\n").find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.trim().eq_ignore_ascii_case("content-length").then(|| value.trim())
    });
    let value = value.ok_or(FrameError::NoLength)?;
    value.parse().map_err(|_| FrameError::BadLength { text: value.to_owned() })
}

pub(crate) async fn write<W: AsyncWrite + Unpin>(stream: &mut W, body: &[u8]) -> std::io::Result<()> {
    let mut frame = format!("Content-Length: {}\r\n\r\n", body.len()).into_bytes();
    frame.extend_from_slice(body);
    stream.write_all(&frame).await?;
    stream.flush().await
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn read_all(bytes: &[u8], step: usize) -> (Vec<String>, Option<String>) {
        let chunks: Vec<std::io::Result<&[u8]>> = bytes.chunks(step).map(Ok).collect();
        let mut reader = FrameReader::new(tokio_chunks(chunks));
        let mut frames = Vec::new();
        loop {
            match reader.next().await {
                Ok(Some(frame)) => frames.push(String::from_utf8(frame).unwrap()),
                Ok(None) => return (frames, None),
                Err(error) => return (frames, Some(error.to_string())),
            }
        }
    }

    fn tokio_chunks(chunks: Vec<std::io::Result<&[u8]>>) -> impl AsyncRead + Unpin {
        let (reader, mut writer) = tokio::io::duplex(64);
        let chunks: Vec<Vec<u8>> = chunks.into_iter().map(|chunk| chunk.unwrap().to_vec()).collect();
        tokio::spawn(async move {
            for chunk in chunks {
                if writer.write_all(&chunk).await.is_err() {
                    return;
                }
            }
        });
        reader
    }

    async fn check(bytes: &[u8], frames: &[&str], error: Option<&str>) {
        for step in [1, 3, 1_000_000] {
            let (found, found_error) = read_all(bytes, step).await;
            assert_eq!((found, found_error.as_deref()), (frames.iter().map(ToString::to_string).collect(), error));
        }
    }

    #[tokio::test]
    async fn frames_come_whole_however_they_are_cut() {
        check(b"Content-Length: 2\r\n\r\n{}Content-Type: x\r\ncontent-length:3\r\n\r\n[1]", &["{}", "[1]"], None).await;
        check(b"", &[], None).await;
    }

    #[tokio::test]
    async fn bad_frames_are_told_in_a_sentence() {
        check(b"Content-Length: 9\r\n\r\n{}", &[], Some("The frame ended after 2 of 9 bytes.")).await;
        check(b"Content-Length: ten\r\n\r\n", &[], Some("The frame's Content-Length is not a number: \"ten\".")).await;
        check(b"Content-Type: x\r\n\r\n{}", &[], Some("The frame's header has no Content-Length.")).await;
        check(
            b"Content-Length: 16777217\r\n\r\n",
            &[],
            Some("The frame is 16777217 bytes long; the limit is 16777216."),
        )
        .await;
        check(&[b'x'; 2_000], &[], Some("The frame's header is longer than 1024 bytes.")).await;
    }
}
