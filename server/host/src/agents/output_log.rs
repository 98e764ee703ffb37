//! What an agent has said, kept in bounded files: the beginning for good, and of the rest the newest part. Both streams lie
//! in one log in the order in which they came, and a place in it is the count of bytes before it, of both together.
//!
//! The keeper writes; whoever wants reads, also while it writes: a file that is begun anew is a new file, so that a reader
//! keeps what it has opened. What was dropped shows as a difference between two places, never as silence.

use std::fs::{File, OpenOptions};
use std::io::{BufReader, Read as _, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

/// So much of the beginning stays, counting what stands around each piece.
pub const HEAD_BYTES: u64 = 256 * 1_024;
/// Each of the two files that hold the newest part.
pub const TAIL_FILE_BYTES: u64 = 4 * 1_024 * 1_024;

const HEAD: &str = "output.head";
const OLDER: &str = "output.older";
const NEWER: &str = "output.newer";
/// The longest piece in one record.
pub(super) const PIECE_BYTES: usize = 64 * 1_024;
/// Stream, place and length.
const HEADER: usize = 1 + 8 + 4;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stream {
    Stdout,
    Stderr,
}

impl Stream {
    pub(super) fn code(self) -> u8 {
        match self {
            Self::Stdout => 1,
            Self::Stderr => 2,
        }
    }

    pub(super) fn of(code: u8) -> Option<Self> {
        [Self::Stdout, Self::Stderr].into_iter().find(|stream| stream.code() == code)
    }
}

/// A part of the output, as it is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    Output {
        stream: Stream,
        offset: u64,
        bytes: Vec<u8>,
    },
    /// What was said between these places is not kept.
    Missed {
        from: u64,
        to: u64,
    },
}

/// The writing side.
#[derive(Debug)]
pub(super) struct OutputLog {
    folder: PathBuf,
    file: File,
    /// How much is in the file.
    length: u64,
    in_head: bool,
    /// The place of the next byte.
    offset: u64,
    /// Why something could not be kept, until that has been told.
    trouble: Option<std::io::Error>,
}

impl OutputLog {
    pub(super) fn create(folder: &Path) -> std::io::Result<Self> {
        let file = fresh(&folder.join(HEAD))?;
        Ok(Self { folder: folder.to_owned(), file, length: 0, in_head: true, offset: 0, trouble: None })
    }

    /// Goes on after what another process has written. Its newest part counts as the older from now on.
    pub(super) fn resume(folder: &Path) -> std::io::Result<Self> {
        let mut reader = Reader::open(folder, 0)?;
        while reader.next_piece()?.is_some() {}
        let offset = reader.place();
        if offset == 0 {
            return Self::create(folder);
        }
        let file = OpenOptions::new().append(true).open(folder.join(HEAD))?;
        let mut log = Self { folder: folder.to_owned(), file, length: 0, in_head: false, offset, trouble: None };
        log.turn_over()?;
        Ok(log)
    }

    pub(super) fn offset(&self) -> u64 {
        self.offset
    }

    /// Keeps a piece and returns its place. A disk that does not take it makes a gap, and nothing worse: the agent and
    /// a host that listens must not suffer from it.
    pub(super) fn append(&mut self, stream: Stream, bytes: &[u8]) -> u64 {
        let place = self.offset;
        for piece in bytes.chunks(PIECE_BYTES) {
            if let Err(error) = self.keep(stream, piece) {
                self.trouble.get_or_insert(error);
            }
            self.offset += piece.len() as u64;
        }
        place
    }

    /// The first trouble since the last call.
    pub(super) fn take_trouble(&mut self) -> Option<std::io::Error> {
        self.trouble.take()
    }

    fn keep(&mut self, stream: Stream, piece: &[u8]) -> std::io::Result<()> {
        let mut record = Vec::with_capacity(HEADER + piece.len());
        record.push(stream.code());
        record.extend_from_slice(&self.offset.to_le_bytes());
        record.extend_from_slice(&u32::try_from(piece.len()).unwrap_or(u32::MAX).to_le_bytes());
        record.extend_from_slice(piece);
        let length = record.len() as u64;
        let limit = if self.in_head { HEAD_BYTES } else { TAIL_FILE_BYTES };
        if self.length + length > limit {
            self.turn_over()?;
        }
        if let Err(error) = self.file.write_all(&record) {
            // Half a record would hide all that comes after it.
            self.file.set_len(self.length)?;
            return Err(error);
        }
        self.length += length;
        Ok(())
    }

    fn turn_over(&mut self) -> std::io::Result<()> {
        let newer = self.folder.join(NEWER);
        if !self.in_head {
            match std::fs::rename(&newer, self.folder.join(OLDER)) {
                // An earlier try got this far.
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
                Ok(()) | Err(_) => {}
            }
        }
        self.file = fresh(&newer)?;
        self.in_head = false;
        self.length = 0;
        Ok(())
    }
}

/// A new file of this name. Appending, so that a record that was taken back leaves no hole.
fn fresh(path: &Path) -> std::io::Result<File> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
        Ok(()) | Err(_) => {}
    }
    OpenOptions::new().append(true).create_new(true).mode(0o600).open(path)
}

/// The reading side: pieces in order, from a place on.
#[derive(Debug)]
pub struct Reader {
    /// Oldest last, so that the next one is popped.
    files: Vec<BufReader<File>>,
    /// The place after what was read.
    place: u64,
}

impl Reader {
    /// Reads what is kept in a run's folder from this place on. Nothing kept is no pieces.
    pub fn open(folder: &Path, from: u64) -> std::io::Result<Self> {
        // Newest first: a file that moves from `newer` to `older` meanwhile is seen twice, which shows by its places,
        // and not missed.
        let mut files = Vec::new();
        for name in [NEWER, OLDER, HEAD] {
            match File::open(folder.join(name)) {
                Ok(file) => files.push(BufReader::new(file)),
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        Ok(Self { files, place: from })
    }

    /// The next piece. `None` is the end of what was kept, also where a keeper that died left half a record.
    pub fn next_piece(&mut self) -> std::io::Result<Option<Piece>> {
        while let Some(file) = self.files.last_mut() {
            let mut header = [0_u8; HEADER];
            let record = match file.read_exact(&mut header) {
                Ok(()) => Record::of(&header),
                Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => None,
                Err(error) => return Err(error),
            };
            let Some(Record { stream, offset, length }) = record else {
                self.files.pop();
                continue;
            };
            if offset > self.place {
                let from = std::mem::replace(&mut self.place, offset);
                file.seek_relative(-(HEADER as i64))?;
                return Ok(Some(Piece::Missed { from, to: offset }));
            }
            let mut bytes = vec![0; length];
            match file.read_exact(&mut bytes) {
                Ok(()) => {}
                Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
                    self.files.pop();
                    continue;
                }
                Err(error) => return Err(error),
            }
            let known = usize::try_from(self.place - offset).unwrap_or(usize::MAX);
            if known >= length {
                continue;
            }
            bytes.drain(..known);
            let offset = self.place;
            self.place += bytes.len() as u64;
            return Ok(Some(Piece::Output { stream, offset, bytes }));
        }
        Ok(None)
    }

    /// The place after what was read.
    #[must_use]
    pub fn place(&self) -> u64 {
        self.place
    }
}

struct Record {
    stream: Stream,
    offset: u64,
    length: usize,
}

impl Record {
    fn of(header: &[u8; HEADER]) -> Option<Self> {
        let (stream, rest) = header.split_first()?;
        let (offset, rest) = rest.split_first_chunk()?;
        let (length, _) = rest.split_first_chunk()?;
        let length = u32::from_le_bytes(*length) as usize;
        let stream = Stream::of(*stream)?;
        (length <= PIECE_BYTES).then_some(Self { stream, offset: u64::from_le_bytes(*offset), length })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(folder: &Path, from: u64) -> Vec<Piece> {
        let mut reader = Reader::open(folder, from).unwrap();
        std::iter::from_fn(|| reader.next_piece().unwrap()).collect()
    }

    fn output(stream: Stream, offset: u64, bytes: &[u8]) -> Piece {
        Piece::Output { stream, offset, bytes: bytes.to_vec() }
    }

    #[test]
    fn both_streams_come_in_order_from_any_place() {
        let folder = tempfile::tempdir().unwrap();
        let mut log = OutputLog::create(folder.path()).unwrap();
        log.append(Stream::Stdout, b"one");
        log.append(Stream::Stderr, b"two");
        let all = [output(Stream::Stdout, 0, b"one"), output(Stream::Stderr, 3, b"two")];
        assert_eq!(pieces(folder.path(), 0), all);
        assert_eq!(pieces(folder.path(), 2), [output(Stream::Stdout, 2, b"e"), all[1].clone()]);
        assert_eq!(pieces(folder.path(), 6), []);
    }

    #[test]
    fn a_flood_leaves_its_beginning_its_end_and_what_is_missing() {
        let folder = tempfile::tempdir().unwrap();
        let mut log = OutputLog::create(folder.path()).unwrap();
        let piece = vec![b'x'; PIECE_BYTES];
        log.append(Stream::Stdout, b"beginning");
        for _ in 0..400 {
            log.append(Stream::Stdout, &piece);
        }
        log.append(Stream::Stdout, b"end");
        let found = pieces(folder.path(), 0);
        assert_eq!(found.first(), Some(&output(Stream::Stdout, 0, b"beginning")));
        assert_eq!(found.last(), Some(&output(Stream::Stdout, log.offset() - 3, b"end")));
        let missed: Vec<&Piece> = found.iter().filter(|piece| matches!(piece, Piece::Missed { .. })).collect();
        assert_eq!(missed.len(), 1, "{missed:?}");
        let said: u64 = found
            .iter()
            .map(|piece| match piece {
                Piece::Output { bytes, .. } => bytes.len() as u64,
                Piece::Missed { from, to } => to - from,
            })
            .sum();
        assert_eq!(said, log.offset(), "every byte is kept or counted");
        let on_disk: u64 =
            std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().metadata().unwrap().len()).sum();
        assert!(on_disk <= HEAD_BYTES + 2 * TAIL_FILE_BYTES, "{on_disk}");
    }

    #[test]
    fn another_process_goes_on_where_the_log_ends() {
        let folder = tempfile::tempdir().unwrap();
        for (at, word) in [&b"one"[..], b"two", b"three"].into_iter().enumerate() {
            let mut log = OutputLog::resume(folder.path()).unwrap();
            assert_eq!(log.append(Stream::Stdout, word), 3 * at as u64);
        }
        let words =
            [output(Stream::Stdout, 0, b"one"), output(Stream::Stdout, 3, b"two"), output(Stream::Stdout, 6, b"three")];
        assert_eq!(pieces(folder.path(), 0), words);
    }

    #[test]
    fn half_a_record_ends_the_log() {
        let folder = tempfile::tempdir().unwrap();
        let mut log = OutputLog::create(folder.path()).unwrap();
        log.append(Stream::Stdout, b"whole");
        log.append(Stream::Stdout, b"half");
        let head = OpenOptions::new().write(true).open(folder.path().join(HEAD)).unwrap();
        head.set_len((HEADER + 5 + HEADER + 2) as u64).unwrap();
        assert_eq!(pieces(folder.path(), 0), [output(Stream::Stdout, 0, b"whole")]);
    }
}
