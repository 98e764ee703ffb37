//! Which parts of a text are code in Markdown: fenced blocks, and spans between backticks on one line. What stands there
//! is quoted, not said.
//!
//! A fence that nobody closes hides nothing: output is often cut, and blocks that quote blocks leave an odd fence behind.
//! Indented text is not taken as code, since agents indent what they mean.

use std::ops::Range;

/// Fences and runs of backticks that are longer count as this long, so that what is remembered of them stays small.
const MAX_RUN: usize = 32;

/// A fenced block: what is in it, and where the line of its closing fence ends.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Block {
    pub(super) content: Range<usize>,
    pub(super) end: usize,
}

/// Knows where the last fence of each kind stands, so that no opening one is looked for in vain: with that, going
/// through a text takes time in proportion to it, whatever fences it has.
pub(super) struct Code<'a> {
    text: &'a [u8],
    last_backticks: [usize; MAX_RUN + 1],
    last_tildes: [usize; MAX_RUN + 1],
    /// The last run of backticks of each length in the line that ends at `line_end`.
    last_runs: [usize; MAX_RUN + 1],
    line_end: usize,
    pub(super) steps: u64,
}

/// The line of a fence, opening or closing.
struct Fence {
    mark: u8,
    length: usize,
    /// Nothing stands behind it, so it may close.
    is_bare: bool,
    end: usize,
}

impl<'a> Code<'a> {
    /// Reads the lines from `start` on, which is the beginning of one.
    pub(super) fn new(text: &'a [u8], start: usize) -> Self {
        let none = [0; MAX_RUN + 1];
        let mut code = Self { text, last_backticks: none, last_tildes: none, last_runs: none, line_end: 0, steps: 0 };
        let mut at = start;
        while at < text.len() {
            let end = code.end_of_line(at);
            if let Some(fence) = code.fence(at, end).filter(|fence| fence.is_bare) {
                code.last(fence.mark)[fence.length] = at;
            }
            at = end;
        }
        code
    }

    fn last(&mut self, mark: u8) -> &mut [usize; MAX_RUN + 1] {
        if mark == b'`' { &mut self.last_backticks } else { &mut self.last_tildes }
    }

    /// Behind the line break, or the end of the text.
    fn end_of_line(&mut self, at: usize) -> usize {
        let rest = &self.text[at..];
        let length = rest.iter().position(|byte| *byte == b'\n').map_or(rest.len(), |length| length + 1);
        self.count(length);
        at + length
    }

    fn count(&mut self, bytes: usize) {
        self.steps += u64::try_from(bytes).unwrap_or(u64::MAX);
    }

    /// Fences may be indented in lists and stand behind the `>` of a quotation.
    fn fence(&mut self, at: usize, end: usize) -> Option<Fence> {
        let line = &self.text[at..end];
        let indent = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'>')).count();
        let mark = line.get(indent).copied().filter(|byte| matches!(byte, b'`' | b'~'));
        self.count(indent + 1);
        let mark = mark?;
        let length = run(&line[indent..], mark);
        let words = &line[indent + length..];
        self.count(line.len() - indent);
        if length < 3 || (mark == b'`' && words.contains(&b'`')) {
            return None;
        }
        let is_bare = words.iter().all(u8::is_ascii_whitespace);
        Some(Fence { mark, length: length.min(MAX_RUN), is_bare, end })
    }

    /// The block that begins with the line at `at`.
    pub(super) fn block(&mut self, at: usize) -> Option<Block> {
        // Most lines are no fence; their end need not be known.
        let rest = &self.text[at..];
        let indent = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'>')).count();
        self.count(indent + 1);
        rest.get(indent).filter(|byte| matches!(byte, b'`' | b'~'))?;
        let end = self.end_of_line(at);
        let opening = self.fence(at, end)?;
        if self.last(opening.mark)[opening.length..].iter().all(|last| *last <= at) {
            return None;
        }
        let mut line = opening.end;
        while line < self.text.len() {
            let end = self.end_of_line(line);
            let closes = |fence: &Fence| fence.is_bare && fence.mark == opening.mark && fence.length >= opening.length;
            if self.fence(line, end).is_some_and(|fence| closes(&fence)) {
                return Some(Block { content: opening.end..line, end });
            }
            line = end;
        }
        None
    }

    /// Where the code ends that begins with the backticks at `at`; behind the backticks, where they begin none.
    pub(super) fn span(&mut self, at: usize) -> usize {
        if at >= self.line_end {
            self.know_line(at);
        }
        let length = run(&self.text[at..], b'`');
        self.count(length);
        let after = at + length;
        if length > MAX_RUN || self.last_runs[length] <= at {
            return after;
        }
        let mut next = after;
        while next < self.line_end {
            let closing = run(&self.text[next..self.line_end], b'`');
            next += closing.max(1);
            self.count(closing.max(1));
            if closing == length {
                return next;
            }
        }
        after
    }

    fn know_line(&mut self, at: usize) {
        self.line_end = self.end_of_line(at);
        self.last_runs = [0; MAX_RUN + 1];
        let mut next = at;
        while next < self.line_end {
            let length = run(&self.text[next..self.line_end], b'`');
            if (1..=MAX_RUN).contains(&length) {
                self.last_runs[length] = next;
            }
            next += length.max(1);
        }
        self.count(self.line_end - at);
    }
}

fn run(text: &[u8], mark: u8) -> usize {
    text.iter().take_while(|byte| **byte == mark).count()
}
