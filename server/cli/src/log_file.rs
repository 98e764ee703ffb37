//! The host's log: two files of bounded length, the current one and the one before.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

const LIMIT: u64 = 1_024 * 1_024;

#[derive(Debug)]
pub(crate) struct LogFile {
    path: PathBuf,
    file: File,
    length: u64,
}

impl LogFile {
    pub(crate) fn open(path: &Path) -> std::io::Result<Self> {
        let file = OpenOptions::new().append(true).create(true).mode(0o600).open(path)?;
        let length = file.metadata()?.len();
        Ok(Self { path: path.to_owned(), file, length })
    }
}

impl Write for LogFile {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if self.length >= LIMIT {
            std::fs::rename(&self.path, self.path.with_extension("log.old"))?;
            *self = Self::open(&self.path)?;
        }
        let written = self.file.write(bytes)?;
        self.length += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_never_outgrows_its_two_files() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("host.log");
        let mut log = LogFile::open(&path).unwrap();
        for _ in 0..5_000 {
            log.write_all(&[b'x'; 1_000]).unwrap();
        }
        let lengths: u64 =
            std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().metadata().unwrap().len()).sum();
        assert!((LIMIT..2 * LIMIT + 2_000).contains(&lengths), "{lengths} bytes");
    }
}
