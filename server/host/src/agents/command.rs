//! Any program as an agent. It got what it is to do when it was started, speaks no protocol and cannot be asked; what it
//! writes on its standard streams are words for people, and all of them count as signs of life.

use augment_core::run::Sign;

use super::adapter::{Act, Adapter, Assignment, Order, Said, Voice};
use super::output_log::Stream;
use super::words::Words;

#[derive(Debug, Default)]
pub struct Command {
    stdout: Words,
    stderr: Words,
}

impl Command {
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Goes on where the adapter stood that gave these bytes: with a part of a character from each stream, the first
    /// with its length before it.
    #[must_use]
    pub fn resume(kept: &[u8]) -> Self {
        let (length, rest) = kept.split_first().unwrap_or((&0, &[]));
        let (stdout, stderr) = rest.split_at(usize::from(*length).min(rest.len()));
        Self { stdout: Words::after(stdout), stderr: Words::after(stderr) }
    }
}

fn voice(stream: Stream) -> Voice {
    match stream {
        Stream::Stdout => Voice::Message,
        Stream::Stderr => Voice::Complaint,
    }
}

impl Adapter for Command {
    fn begin(&mut self, _: &Assignment) -> Vec<Act> {
        Vec::new()
    }

    fn heard(&mut self, stream: Stream, bytes: &[u8]) -> Vec<Act> {
        if bytes.is_empty() {
            return Vec::new();
        }
        let words = match stream {
            Stream::Stdout => &mut self.stdout,
            Stream::Stderr => &mut self.stderr,
        };
        let text = words.hear(bytes);
        let mut acts = vec![Act::Said(Said::Alive(Sign::Output))];
        if !text.is_empty() {
            acts.push(Act::Said(Said::Spoke { voice: voice(stream), text }));
        }
        acts
    }

    fn missed(&mut self) -> Vec<Act> {
        *self = Self::default();
        Vec::new()
    }

    fn order(&mut self, order: Order) -> Vec<Act> {
        match order {
            Order::Ping | Order::Answer { .. } | Order::Say { .. } => Vec::new(),
            // A program that reads its input ends with it; one that does not has to be stopped.
            Order::Cancel => vec![Act::CloseInput],
        }
    }

    fn ended(&mut self) -> Vec<Act> {
        let rests = [(Stream::Stdout, self.stdout.rest()), (Stream::Stderr, self.stderr.rest())];
        let spoke = |(stream, text)| Some(Act::Said(Said::Spoke { voice: voice(stream), text: text? }));
        rests.into_iter().filter_map(spoke).collect()
    }

    fn kept(&self) -> Vec<u8> {
        let stdout = self.stdout.half();
        let length = u8::try_from(stdout.len()).unwrap_or_default();
        [&[length], stdout, self.stderr.half()].concat()
    }

    fn unsettled(&self) -> usize {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spoke(voice: Voice, text: &str) -> Act {
        Act::Said(Said::Spoke { voice, text: text.to_owned() })
    }

    const ALIVE: Act = Act::Said(Said::Alive(Sign::Output));

    #[test]
    fn what_a_program_writes_is_what_it_says() {
        let mut command = Command::new();
        assert_eq!(command.heard(Stream::Stdout, b"one\ntwo"), [ALIVE, spoke(Voice::Message, "one\ntwo")]);
        assert_eq!(command.heard(Stream::Stderr, b"oh\xff"), [ALIVE, spoke(Voice::Complaint, "oh\u{fffd}")]);
        assert_eq!(command.heard(Stream::Stdout, b""), []);
    }

    #[test]
    fn characters_are_whole_however_they_are_cut_and_whoever_goes_on() {
        let mut command = Command::new();
        assert_eq!(command.heard(Stream::Stdout, b"\xe2\x82"), [ALIVE]);
        assert_eq!(command.heard(Stream::Stderr, b"\xc3"), [ALIVE]);
        let mut command = Command::resume(&command.kept());
        assert_eq!(command.heard(Stream::Stdout, b"\xac"), [ALIVE, spoke(Voice::Message, "€")]);
        assert_eq!(command.ended(), [spoke(Voice::Complaint, "\u{fffd}")]);
        assert_eq!(command.unsettled(), 0);
        command.heard(Stream::Stdout, b"\xe2");
        assert_eq!(command.missed(), []);
        assert_eq!(command.heard(Stream::Stdout, b"a"), [ALIVE, spoke(Voice::Message, "a")]);
        for odd in [&b""[..], &[200], &[255, 1, 2, 3, 4, 5, 6, 7, 8]] {
            assert_eq!(Command::resume(odd).heard(Stream::Stdout, b""), []);
        }
    }

    #[test]
    fn only_the_end_of_its_input_can_be_told_to_it() {
        let mut command = Command::new();
        let assignment = Assignment { prompt: "do it".to_owned(), cwd: "/w".into(), tools: None };
        assert_eq!(command.begin(&assignment), []);
        assert_eq!(command.order(Order::Ping), []);
        assert_eq!(command.order(Order::Say { text: "go on".to_owned() }), []);
        assert_eq!(command.order(Order::Answer { key: "1".to_owned(), option: None }), []);
        assert_eq!(command.order(Order::Cancel), [Act::CloseInput]);
    }
}
