//! What a keeper and its host say to each other, and how it is cut into frames. Both are ours, but a
//! keeper can be of an earlier version than the host that adopts it: what was added since may be missing in what it tells. A
//! frame that makes no sense ends the connection.

use augment_core::run::Resources;

use super::output_log::Stream;
use super::packing::{Packer, Unpacker};

/// The longest frame: an order's worth.
pub(super) const MAX_FRAME_BYTES: usize = super::order::MAX_ORDER_BYTES + 1_024;
/// The most of an agent's input that one frame carries.
pub(super) const STDIN_FRAME_BYTES: usize = 256 * 1_024;
/// A frame's length, before its kind and content.
const PREFIX: usize = 4;

/// How the agent's own process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    Code(i32),
    Signal(i32),
}

/// Why the keeper began to end what was left of the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// The host asked for it.
    Asked,
    /// The time limit was up.
    TimedOut,
    /// No host came in time.
    Unadopted,
    /// The agent left, and others that it had started did not.
    AgentExited,
}

/// Which step of a start failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    Folder,
    Cwd,
    Confinement,
    Program,
}

/// What a keeper tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Told {
    Started {
        pid: u32,
    },
    NotStarted {
        step: Step,
        /// The system's error number, 0 if there is none.
        errno: i32,
        text: String,
    },
    /// The agent runs, but is not held to the folders it may write to.
    Unconfined {
        reason: String,
    },
    Output {
        stream: Stream,
        offset: u64,
        bytes: Vec<u8>,
    },
    Missed {
        from: u64,
        to: u64,
    },
    /// So much of its input has reached the agent, counted from the start.
    Taken {
        total: u64,
        queued: u64,
    },
    Ending(Why),
    Exited(Exit),
    Stuck {
        pids: Vec<u32>,
    },
    /// Nothing of the run lives any more, and all that it said has been told.
    Empty {
        killed: u64,
        /// `None` from a keeper of an earlier version.
        resources: Option<Resources>,
    },
    /// Another host is connected.
    Busy,
}

/// What a host asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Asked {
    Order(Vec<u8>),
    /// Tell me all from this place of the output on. The first word of a host that adopts.
    Resume {
        from: u64,
    },
    Stdin(Vec<u8>),
    CloseStdin,
    Stop {
        grace_ms: u64,
    },
    Kill,
}

impl Told {
    /// Puts the frame at the end of `out`.
    pub(super) fn put(&self, out: &mut Vec<u8>) {
        let mut packer = Packer::default();
        match self {
            Self::Started { pid } => {
                packer.byte(0);
                packer.number(u64::from(*pid));
            }
            Self::NotStarted { step, errno, text } => {
                packer.byte(1);
                packer.byte(step.code());
                packer.number(u64::from(errno.unsigned_abs()));
                packer.bytes(text.as_bytes());
            }
            Self::Unconfined { reason } => {
                packer.byte(2);
                packer.bytes(reason.as_bytes());
            }
            Self::Output { stream, offset, bytes } => return put_output(out, *stream, *offset, bytes),
            Self::Missed { from, to } => {
                packer.byte(4);
                packer.number(*from);
                packer.number(*to);
            }
            Self::Taken { total, queued } => {
                packer.byte(5);
                packer.number(*total);
                packer.number(*queued);
            }
            Self::Ending(why) => {
                packer.byte(6);
                packer.byte(why.code());
            }
            Self::Exited(exit) => {
                packer.byte(7);
                let (kind, value) = match exit {
                    Exit::Code(code) => (0, *code),
                    Exit::Signal(signal) => (1, *signal),
                };
                packer.byte(kind);
                packer.number(u64::from(value.cast_unsigned()));
            }
            Self::Stuck { pids } => {
                packer.byte(8);
                packer.number(pids.len() as u64);
                pids.iter().for_each(|pid| packer.number(u64::from(*pid)));
            }
            Self::Empty { killed, resources } => {
                packer.byte(9);
                packer.number(*killed);
                if let Some(Resources { cpu_ms, peak_memory_bytes }) = resources {
                    packer.number(*cpu_ms);
                    packer.number(*peak_memory_bytes);
                }
            }
            Self::Busy => packer.byte(10),
        }
        put_frame(out, &packer.finish());
    }

    pub(super) fn read(frame: &[u8]) -> Option<Self> {
        let mut unpacker = Unpacker::new(frame);
        let told = match unpacker.byte()? {
            0 => Self::Started { pid: u32::try_from(unpacker.number()?).ok()? },
            1 => Self::NotStarted {
                step: Step::of(unpacker.byte()?)?,
                errno: i32::try_from(unpacker.number()?).ok()?,
                text: unpacker.text()?,
            },
            2 => Self::Unconfined { reason: unpacker.text()? },
            3 => {
                let stream = Stream::of(unpacker.byte()?)?;
                let offset = unpacker.number()?;
                return Some(Self::Output { stream, offset, bytes: unpacker.rest().to_vec() });
            }
            4 => Self::Missed { from: unpacker.number()?, to: unpacker.number()? },
            5 => Self::Taken { total: unpacker.number()?, queued: unpacker.number()? },
            6 => Self::Ending(Why::of(unpacker.byte()?)?),
            7 => {
                let kind = unpacker.byte()?;
                let value = u32::try_from(unpacker.number()?).ok()?.cast_signed();
                Self::Exited(match kind {
                    0 => Exit::Code(value),
                    1 => Exit::Signal(value),
                    _ => return None,
                })
            }
            8 => {
                let length = unpacker.number()?;
                let pids = (0..length).map(|_| u32::try_from(unpacker.number()?).ok()).collect::<Option<_>>()?;
                Self::Stuck { pids }
            }
            9 => {
                let killed = unpacker.number()?;
                let resources = match unpacker.number() {
                    Some(cpu_ms) => Some(Resources { cpu_ms, peak_memory_bytes: unpacker.number()? }),
                    None => None,
                };
                Self::Empty { killed, resources }
            }
            10 => Self::Busy,
            _ => return None,
        };
        unpacker.end().map(|()| told)
    }
}

impl Asked {
    pub(super) fn put(&self, out: &mut Vec<u8>) {
        let mut packer = Packer::default();
        match self {
            Self::Order(order) => {
                packer.byte(0);
                packer.bytes(order);
            }
            Self::Resume { from } => {
                packer.byte(1);
                packer.number(*from);
            }
            Self::Stdin(bytes) => {
                packer.byte(2);
                packer.bytes(bytes);
            }
            Self::CloseStdin => packer.byte(3),
            Self::Stop { grace_ms } => {
                packer.byte(4);
                packer.number(*grace_ms);
            }
            Self::Kill => packer.byte(5),
        }
        put_frame(out, &packer.finish());
    }

    pub(super) fn read(frame: &[u8]) -> Option<Self> {
        let mut unpacker = Unpacker::new(frame);
        let asked = match unpacker.byte()? {
            0 => Self::Order(unpacker.bytes()?.to_vec()),
            1 => Self::Resume { from: unpacker.number()? },
            2 => Self::Stdin(unpacker.bytes()?.to_vec()),
            3 => Self::CloseStdin,
            4 => Self::Stop { grace_ms: unpacker.number()? },
            5 => Self::Kill,
            _ => return None,
        };
        unpacker.end().map(|()| asked)
    }
}

/// The frame that comes most often, without a copy in between.
pub(super) fn put_output(out: &mut Vec<u8>, stream: Stream, offset: u64, bytes: &[u8]) {
    put_length(out, 1 + 1 + 8 + bytes.len());
    out.push(3);
    out.push(stream.code());
    out.extend_from_slice(&offset.to_le_bytes());
    out.extend_from_slice(bytes);
}

fn put_frame(out: &mut Vec<u8>, content: &[u8]) {
    put_length(out, content.len());
    out.extend_from_slice(content);
}

fn put_length(out: &mut Vec<u8>, length: usize) {
    let length = u32::try_from(length).expect("frames are made of parts that are far below 4 GiB");
    out.extend_from_slice(&length.to_le_bytes());
}

/// Bytes as they come, cut into frames.
#[derive(Debug, Default)]
pub(super) struct Incoming {
    bytes: Vec<u8>,
    start: usize,
}

/// The other side speaks something else.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Nonsense;

impl Incoming {
    pub(super) fn push(&mut self, bytes: &[u8]) {
        // What was taken goes now and then, so that many small frames are not each a move of the rest.
        if self.start == self.bytes.len() {
            self.bytes.clear();
            self.start = 0;
            self.bytes.shrink_to(64 * 1_024);
        } else if self.start > 64 * 1_024 {
            self.bytes.drain(..self.start);
            self.start = 0;
        }
        self.bytes.extend_from_slice(bytes);
    }

    /// The next whole frame.
    pub(super) fn next(&mut self) -> Result<Option<&[u8]>, Nonsense> {
        let waiting = &self.bytes[self.start..];
        let Some((length, rest)) = waiting.split_first_chunk::<PREFIX>() else {
            return Ok(None);
        };
        let length = u32::from_le_bytes(*length) as usize;
        if length > MAX_FRAME_BYTES {
            return Err(Nonsense);
        }
        if rest.len() < length {
            return Ok(None);
        }
        let begin = self.start + PREFIX;
        self.start = begin + length;
        Ok(Some(&self.bytes[begin..begin + length]))
    }
}

impl Step {
    fn code(self) -> u8 {
        match self {
            Self::Folder => 0,
            Self::Cwd => 1,
            Self::Confinement => 2,
            Self::Program => 3,
        }
    }

    fn of(code: u8) -> Option<Self> {
        [Self::Folder, Self::Cwd, Self::Confinement, Self::Program].into_iter().find(|step| step.code() == code)
    }
}

impl Why {
    fn code(self) -> u8 {
        match self {
            Self::Asked => 0,
            Self::TimedOut => 1,
            Self::Unadopted => 2,
            Self::AgentExited => 3,
        }
    }

    fn of(code: u8) -> Option<Self> {
        [Self::Asked, Self::TimedOut, Self::Unadopted, Self::AgentExited].into_iter().find(|why| why.code() == code)
    }

    /// As it stands in the run's folder.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Asked => "asked",
            Self::TimedOut => "timed-out",
            Self::Unadopted => "unadopted",
            Self::AgentExited => "agent-exited",
        }
    }

    pub(super) fn of_word(word: &str) -> Option<Self> {
        [Self::Asked, Self::TimedOut, Self::Unadopted, Self::AgentExited].into_iter().find(|why| why.word() == word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_arrives() {
        let all = [
            Told::Started { pid: 7 },
            Told::NotStarted { step: Step::Cwd, errno: 2, text: "gone".into() },
            Told::Unconfined { reason: "old kernel".into() },
            Told::Output { stream: Stream::Stderr, offset: 9, bytes: vec![0, 255] },
            Told::Missed { from: 1, to: 2 },
            Told::Taken { total: 3, queued: 4 },
            Told::Ending(Why::Unadopted),
            Told::Exited(Exit::Code(-1)),
            Told::Exited(Exit::Signal(9)),
            Told::Stuck { pids: vec![1, 2] },
            Told::Empty { killed: 2, resources: None },
            Told::Empty { killed: 0, resources: Some(Resources { cpu_ms: 1_500, peak_memory_bytes: 1 << 40 }) },
            Told::Busy,
        ];
        let mut wire = Vec::new();
        all.iter().for_each(|told| told.put(&mut wire));
        // Byte by byte, as a slow socket would bring it.
        let mut incoming = Incoming::default();
        let mut arrived = Vec::new();
        for byte in wire {
            incoming.push(&[byte]);
            while let Some(frame) = incoming.next().unwrap() {
                arrived.push(Told::read(frame).unwrap());
            }
        }
        assert_eq!(arrived, all);
    }

    #[test]
    fn what_is_asked_arrives() {
        for asked in [
            Asked::Order(vec![1]),
            Asked::Resume { from: 5 },
            Asked::Stdin(b"x".to_vec()),
            Asked::CloseStdin,
            Asked::Stop { grace_ms: 3 },
            Asked::Kill,
        ] {
            let mut wire = Vec::new();
            asked.put(&mut wire);
            let mut incoming = Incoming::default();
            incoming.push(&wire);
            assert_eq!(Asked::read(incoming.next().unwrap().unwrap()), Some(asked));
        }
    }

    #[test]
    fn a_frame_without_end_is_refused_before_it_is_kept() {
        let mut incoming = Incoming::default();
        incoming.push(&u32::MAX.to_le_bytes());
        assert_eq!(incoming.next(), Err(Nonsense));
    }
}
