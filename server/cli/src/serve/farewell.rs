//! Whether an editor has said goodbye. Of all that passes only `shutdown` and `exit` are understood, so that an end that
//! was asked for is told from one that was not. Frames that cannot be followed are passed on all the same.

use serde::Deserialize;

use crate::service::frames::content_length;

const HEADER_LIMIT: usize = 1_024;
/// A goodbye is short; longer messages are passed over.
const BODY_LIMIT: usize = 1_024;

/// How the editor has ended it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Goodbye {
    NotSaid,
    /// `exit` after `shutdown`, as it should be.
    InOrder,
    /// `exit` alone.
    Abrupt,
}

#[derive(Debug, Default)]
pub(super) struct Farewell {
    within: Within,
    kept: Vec<u8>,
    shuts_down: bool,
    exits: bool,
}

#[derive(Debug, Default, Clone, Copy)]
enum Within {
    #[default]
    Header,
    Body {
        left: usize,
    },
    /// Of a message that is no goodbye.
    Rest {
        left: usize,
    },
    /// Where one frame ends and the next begins is not known.
    Lost,
}

#[derive(Deserialize)]
struct Message<'a> {
    #[serde(borrow)]
    method: Option<&'a str>,
}

impl Farewell {
    pub(super) fn hear(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let taken = match self.within {
                Within::Lost => return,
                Within::Header => self.hear_header(bytes[0]),
                Within::Body { left } => self.hear_body(bytes, left),
                Within::Rest { left } => {
                    let taken = left.min(bytes.len());
                    self.within = if taken == left { Within::Header } else { Within::Rest { left: left - taken } };
                    taken
                }
            };
            bytes = &bytes[taken..];
        }
    }

    pub(super) fn goodbye(&self) -> Goodbye {
        match (self.exits, self.shuts_down) {
            (false, _) => Goodbye::NotSaid,
            (true, true) => Goodbye::InOrder,
            (true, false) => Goodbye::Abrupt,
        }
    }

    fn hear_header(&mut self, byte: u8) -> usize {
        self.kept.push(byte);
        if self.kept.ends_with(b"\r\n\r\n") {
            let end = self.kept.len() - 4;
            self.within = match content_length(&self.kept[..end]) {
                Ok(0) => Within::Header,
                Ok(left) if left <= BODY_LIMIT => Within::Body { left },
                Ok(left) => Within::Rest { left },
                Err(_) => Within::Lost,
            };
            self.kept.clear();
        } else if self.kept.len() > HEADER_LIMIT {
            self.within = Within::Lost;
        }
        1
    }

    fn hear_body(&mut self, bytes: &[u8], left: usize) -> usize {
        let taken = left.min(bytes.len());
        self.kept.extend_from_slice(&bytes[..taken]);
        if taken < left {
            self.within = Within::Body { left: left - taken };
            return taken;
        }
        match serde_json::from_slice::<Message<'_>>(&self.kept) {
            Ok(Message { method: Some("shutdown") }) => self.shuts_down = true,
            Ok(Message { method: Some("exit") }) => self.exits = true,
            Ok(Message { method: Some(_) | None }) | Err(_) => {}
        }
        self.kept.clear();
        self.within = Within::Header;
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(body: &str) -> String {
        format!("Content-Length: {}\r\n\r\n{body}", body.len())
    }

    fn check(bytes: &str, expected: Goodbye) {
        for step in [1, 7, 100_000] {
            let mut farewell = Farewell::default();
            for chunk in bytes.as_bytes().chunks(step) {
                farewell.hear(chunk);
            }
            assert_eq!(farewell.goodbye(), expected, "{step} bytes at a time of {bytes}");
        }
    }

    #[test]
    fn a_goodbye_is_heard_however_it_is_cut() {
        let shutdown = frame(r#"{"jsonrpc":"2.0","id":7,"method":"shutdown"}"#);
        let exit = frame(r#"{"jsonrpc":"2.0","method":"exit"}"#);
        let long = frame(&format!(r#"{{"method":"exit","params":"{}"}}"#, "x".repeat(5_000)));
        let quoted = frame(r#"{"method":"other","params":{"method":"exit"}}"#);
        check("", Goodbye::NotSaid);
        check(&shutdown, Goodbye::NotSaid);
        check(&format!("{long}{quoted}{shutdown}{exit}"), Goodbye::InOrder);
        check(&exit, Goodbye::Abrupt);
        check(&format!("{long}{quoted}"), Goodbye::NotSaid);
        check(&format!("Content-Length: ten\r\n\r\n{shutdown}{exit}"), Goodbye::NotSaid);
        check(&format!("{}{exit}", "x".repeat(5_000)), Goodbye::NotSaid);
    }
}
