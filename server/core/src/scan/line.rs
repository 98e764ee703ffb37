//! A line under the scan, and the few ways to look at its bytes. Every way is bounded by its caller and counted, so that a
//! test can tell that the whole costs time by the length of the text, whatever stands in it.

use std::cell::Cell;

pub(super) type Class = fn(u8) -> bool;

#[derive(Clone, Copy)]
pub(super) struct Line<'a> {
    pub bytes: &'a [u8],
    looked_at: &'a Cell<u64>,
}

impl<'a> Line<'a> {
    pub(super) fn new(bytes: &'a [u8], looked_at: &'a Cell<u64>) -> Self {
        Self { bytes, looked_at }
    }

    pub(super) fn count(&self, bytes: usize) {
        self.looked_at.set(self.looked_at.get().saturating_add(bytes as u64));
    }

    /// The byte there; 0 beyond the ends, which no text has.
    pub(super) fn at(&self, at: usize) -> u8 {
        self.bytes.get(at).copied().unwrap_or(0)
    }

    /// The byte before; 0 at the beginning.
    pub(super) fn before(&self, at: usize) -> u8 {
        if at == 0 { 0 } else { self.at(at - 1) }
    }

    /// Where the run of a class that begins there ends, at most so many bytes on.
    pub(super) fn run(&self, from: usize, most: usize, class: Class) -> usize {
        let rest = self.bytes.get(from..).unwrap_or_default();
        let length = rest.iter().take(most).take_while(|byte| class(**byte)).count();
        self.count(length + 1);
        from + length
    }

    /// Where the run of a class that ends there begins, at most so many bytes back.
    pub(super) fn run_back(&self, to: usize, most: usize, class: Class) -> usize {
        let rest = self.bytes.get(..to).unwrap_or_default();
        let length = rest.iter().rev().take(most).take_while(|byte| class(**byte)).count();
        self.count(length + 1);
        to - length
    }

    pub(super) fn part(&self, from: usize, to: usize) -> &'a [u8] {
        self.bytes.get(from..to.min(self.bytes.len())).unwrap_or_default()
    }

    pub(super) fn has(&self, at: usize, text: &[u8]) -> bool {
        self.count(text.len());
        self.bytes.get(at..).is_some_and(|rest| rest.starts_with(text))
    }

    /// Whether a token can begin there: no letter, digit or `_` stands before it. The letter of an escape (`\n`) and the
    /// digits of a percent code (`%3D`) are no part of a word.
    pub(super) fn begins_word(&self, at: usize) -> bool {
        if !is_word(self.before(at)) {
            return true;
        }
        let escape = at >= 2 && self.at(at - 2) == b'\\' && matches!(self.at(at - 1), b'n' | b't' | b'r');
        let percent = at >= 3 && self.at(at - 3) == b'%' && is_hex(self.at(at - 2)) && is_hex(self.at(at - 1));
        escape || percent
    }

    /// Where blanks that begin there end.
    pub(super) fn after_blanks(&self, at: usize) -> usize {
        self.run(at, 32, |byte| matches!(byte, b' ' | b'\t'))
    }
}

pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

pub(super) fn is_name(byte: u8) -> bool {
    is_word(byte) || byte == b'-'
}

pub(super) fn is_digit(byte: u8) -> bool {
    byte.is_ascii_digit()
}

pub(super) fn is_alnum(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
}

pub(super) fn is_hex(byte: u8) -> bool {
    byte.is_ascii_hexdigit()
}

pub(super) fn is_lower_hex(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'a'..=b'f')
}

/// Upper-case letters and digits, of which base 32 is a part.
pub(super) fn is_upper(byte: u8) -> bool {
    matches!(byte, b'A'..=b'Z' | b'0'..=b'9')
}

pub(super) fn is_base64(byte: u8) -> bool {
    is_alnum(byte) || matches!(byte, b'+' | b'/' | b'=')
}

pub(super) fn is_dotted(byte: u8) -> bool {
    is_name(byte) || byte == b'.'
}

/// Whether one text stands somewhere in the other, ignoring case. For short texts: it takes the product of the lengths.
pub(super) fn holds(text: &[u8], word: &[u8]) -> bool {
    text.windows(word.len()).any(|part| part.eq_ignore_ascii_case(word))
}

/// The words of a list that is written as one text.
pub(super) fn words(list: &'static str) -> impl Iterator<Item = &'static [u8]> {
    list.split_ascii_whitespace().map(str::as_bytes)
}
