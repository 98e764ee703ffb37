//! A weave as bytes, for the store. Numbers are written in groups of seven bits, small ones in one byte. The first byte
//! says which form it is. Reading takes any bytes: what is not a weave is refused, and no more is set aside for it than
//! a small multiple of its own length.

mod read;
mod write;

use std::fmt;

use super::Weave;

/// The only form so far.
const FORM: u8 = 1;

/// Why some bytes are no weave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BadWeave {
    /// Written by a program that knows another form.
    Form(u8),
    /// They end too early.
    Short,
    /// They go on after the end.
    Long,
    /// A value that cannot be, at this place.
    Value { at: usize },
}

impl fmt::Display for BadWeave {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Form(form) => write!(f, "it has form {form}, and this program knows only form {FORM}"),
            Self::Short => f.write_str("it ends too early"),
            Self::Long => f.write_str("it goes on after its end"),
            Self::Value { at } => write!(f, "a value at byte {at} cannot be"),
        }
    }
}

impl Weave {
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        write::weave(self)
    }

    pub fn decode(bytes: &[u8]) -> Result<Self, BadWeave> {
        read::weave(bytes)
    }
}
