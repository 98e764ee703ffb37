//! What people read of an agent that speaks a protocol: its words, its thoughts, its tools and its complaints, each with a
//! mark where the voice changes. Bounded like all output; a disk that does not take it makes a gap, and nothing worse.

use std::path::PathBuf;

use augment_core::id::RunId;

use crate::agents::adapter::Voice;
use crate::agents::output_log::{OutputLog, Stream};

pub(super) struct Transcript {
    run: RunId,
    folder: PathBuf,
    /// Opened with the first word.
    log: Option<OutputLog>,
    voice: Option<Voice>,
}

impl Transcript {
    pub(super) fn new(run: RunId, folder: PathBuf) -> Self {
        Self { run, folder, log: None, voice: None }
    }

    pub(super) fn write(&mut self, voice: Voice, text: &str) {
        if let Err(error) = self.append(voice, text) {
            tracing::warn!("what run {} says cannot be written down: {error}", self.run);
        }
    }

    fn append(&mut self, voice: Voice, text: &str) -> std::io::Result<()> {
        let log = match &mut self.log {
            Some(log) => log,
            None => {
                std::fs::create_dir_all(&self.folder)?;
                self.log.insert(OutputLog::resume(&self.folder)?)
            }
        };
        let (stream, mark) = match voice {
            Voice::Message => (Stream::Stdout, "\n"),
            Voice::Thought => (Stream::Stdout, "\n· "),
            Voice::Tool => (Stream::Stdout, "\n▸ "),
            Voice::Complaint => (Stream::Stderr, "\n! "),
        };
        let begins = self.voice.replace(voice) != Some(voice);
        if begins && log.offset() > 0 {
            log.append(stream, mark.as_bytes());
        }
        log.append(stream, text.as_bytes());
        log.take_trouble().map_or(Ok(()), Err)
    }
}
