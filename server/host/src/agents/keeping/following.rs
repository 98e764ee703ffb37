//! The thread of one run: it hears its keeper, calls the sink, and when the connection ends finds out what that means.

use std::io::{ErrorKind, Read as _};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::line::Line;
use super::orphans::OwnKeeper;
use super::{Event, Identity, Leftovers, Record, Sink, leftovers, orphans};
use crate::agents::frames::{Incoming, Told};
use crate::agents::output_log::{Piece, Reader};

const READ_BYTES: usize = 64 * 1_024;
/// How long a keeper may take to end once its socket is closed.
const END_OF_KEEPER: Duration = Duration::from_secs(2);

/// What has been told of a run. To a host that was behind a keeper says some things again; the sink hears them once.
pub(super) struct Following {
    folder: PathBuf,
    sink: Sink,
    /// The keeper, if this process has started it: then what it leaves may fall to us.
    own: Option<Identity>,
    /// The place after the output that was told.
    place: u64,
    started: bool,
    ending: bool,
    exited: bool,
}

/// Whether there is more to come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Course {
    GoesOn,
    Over,
}

impl Following {
    pub(super) fn new(folder: PathBuf, place: u64, sink: Sink) -> Self {
        Self { folder, sink, own: None, place, started: false, ending: false, exited: false }
    }

    /// Starts the thread. `child` is the keeper, if this process has started it.
    pub(super) fn spawn(mut self, line: Arc<Line>, first: Incoming, child: Option<OwnKeeper>) -> std::io::Result<()> {
        self.own = child.as_ref().map(|child| child.identity);
        std::thread::Builder::new().name("keeping".into()).stack_size(256 * 1_024).spawn(move || {
            self.follow(&line, first, child);
            line.close();
        })?;
        Ok(())
    }

    fn follow(&mut self, line: &Line, mut incoming: Incoming, child: Option<OwnKeeper>) {
        let Ok(mut stream) = line.reader() else { return };
        let mut buffer = vec![0; READ_BYTES];
        loop {
            while let Ok(Some(frame)) = incoming.next() {
                let Some(told) = Told::read(frame) else { break };
                if self.hear(line, told) == Course::Over {
                    return bury(child);
                }
            }
            let woken = line.wait(&stream);
            if woken.detached {
                return;
            }
            if !woken.readable {
                continue;
            }
            match stream.read(&mut buffer) {
                Ok(read @ 1..) => incoming.push(&buffer[..read]),
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
                Ok(_) | Err(_) => {
                    line.close();
                    self.after_the_end();
                    return bury(child);
                }
            }
        }
    }

    fn hear(&mut self, line: &Line, told: Told) -> Course {
        match told {
            Told::Started { pid } => {
                if !std::mem::replace(&mut self.started, true) {
                    (self.sink)(Event::Started { pid });
                }
            }
            Told::Unconfined { reason } => (self.sink)(Event::Unconfined { reason }),
            Told::Output { stream, offset, bytes } => {
                self.place = offset + bytes.len() as u64;
                (self.sink)(Event::Output { stream, offset, bytes });
            }
            Told::Missed { from, to } => {
                self.place = to;
                (self.sink)(Event::Missed { from, to });
            }
            Told::Taken { total, queued } => line.taken(total, queued),
            Told::Ending(why) => {
                if !std::mem::replace(&mut self.ending, true) {
                    (self.sink)(Event::Ending(why));
                }
            }
            Told::Exited(exit) => {
                if !std::mem::replace(&mut self.exited, true) {
                    (self.sink)(Event::Exited(exit));
                }
            }
            Told::Stuck { pids } => (self.sink)(Event::Stuck { pids }),
            Told::Empty { killed, resources } => {
                // Whoever hears of the end must find it so.
                line.close();
                (self.sink)(Event::Empty { killed, resources });
                return Course::Over;
            }
            // Only said before a run is followed.
            Told::NotStarted { .. } | Told::Busy => {}
        }
        Course::GoesOn
    }

    /// The connection has ended, and nobody said that the run has: the keeper is gone.
    fn after_the_end(&mut self) {
        // Only a keeper without children says that a run is over; whoever else wrote that down has not ended what it kept.
        if let Some(own) = self.own
            && leftovers::wait_for_end(own, END_OF_KEEPER)
            && !orphans::fallen(own).0.is_empty()
        {
            let record = Record::read(&self.folder).ok().flatten();
            return self.lose(record.as_ref(), "it was killed or has crashed");
        }
        let record = match Record::read(&self.folder) {
            Ok(Some(record)) => record,
            Ok(None) => return self.lose(None, "its folder is gone"),
            Err(error) => return self.lose(None, &error.to_string()),
        };
        if record.empty.is_some() {
            return self.tell_from_folder(&record);
        }
        let Some(keeper) = record.keeper else {
            return self.lose(Some(&record), "it left no trace");
        };
        // Its last words may be written just now: a process closes its files before it has quite ended.
        let ended = leftovers::wait_for_end(keeper, END_OF_KEEPER);
        match Record::read(&self.folder) {
            Ok(Some(record)) if record.empty.is_some() => self.tell_from_folder(&record),
            Ok(_) | Err(_) if ended => self.lose(Some(&record), "it was killed or has crashed"),
            Ok(_) | Err(_) => self.lose(Some(&record), "it has closed the connection"),
        }
    }

    /// Tells the rest of a run that has ended from what is kept of it.
    pub(super) fn tell_from_folder(&mut self, record: &Record) {
        self.tell_kept(record);
        if let Some(killed) = record.empty {
            (self.sink)(Event::Empty { killed, resources: record.resources });
        }
    }

    fn tell_kept(&mut self, record: &Record) {
        if let Some(Identity { pid, .. }) = record.agent
            && !std::mem::replace(&mut self.started, true)
        {
            (self.sink)(Event::Started { pid });
        }
        if let Err(error) = self.tell_kept_output() {
            tracing::warn!("What an agent said cannot be read from {}: {error}", self.folder.display());
        }
        if let Some(why) = record.ending
            && !std::mem::replace(&mut self.ending, true)
        {
            (self.sink)(Event::Ending(why));
        }
        if let Some(exit) = record.exit
            && !std::mem::replace(&mut self.exited, true)
        {
            (self.sink)(Event::Exited(exit));
        }
    }

    fn tell_kept_output(&mut self) -> std::io::Result<()> {
        let mut reader = Reader::open(&self.folder, self.place)?;
        while let Some(piece) = reader.next_piece()? {
            self.place = reader.place();
            (self.sink)(match piece {
                Piece::Output { stream, offset, bytes } => Event::Output { stream, offset, bytes },
                Piece::Missed { from, to } => Event::Missed { from, to },
            });
        }
        Ok(())
    }

    /// Nobody keeps the run any more: what is left of it ends here.
    fn lose(&mut self, record: Option<&Record>, reason: &str) {
        if let Some(record) = record {
            self.tell_kept(record);
        }
        let leftovers = leftovers::end_leftovers_of(&self.folder, self.own).unwrap_or_else(|error| {
            tracing::warn!("What is left of the run in {} cannot be looked for: {error}", self.folder.display());
            Leftovers::default()
        });
        let reason = format!("The keeper of the run is gone: {reason}.");
        (self.sink)(Event::Lost { reason, leftovers });
    }
}

/// Takes note of our child's end. It has said its last word, or is dead.
fn bury(child: Option<OwnKeeper>) {
    if let Some(child) = child {
        child.bury();
    }
}
