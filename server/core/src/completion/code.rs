//! Which parts of a text are quoted, not said: code in Markdown (fenced and indented blocks, and spans between backticks on
//! one line), quotations, comments of HTML, and character data of some other element.
//!
//! A fence, a comment or a section that nobody closes hides nothing: output is often cut, and blocks that quote blocks leave
//! an odd fence behind. Indented text is taken as code only where Markdown does so beyond doubt, since agents and terminals
//! indent what is meant: after an empty line, below something that is not indented, and not in a list.

use std::ops::Range;

use super::find::{begins_report, closing_tag};

/// Fences and runs of backticks that are longer count as this long, so that what is remembered of them stays small.
const MAX_RUN: usize = 32;

const COMMENT: &[u8] = b"<!--";
const COMMENT_END: &[u8] = b"-->";
const SECTION: &[u8] = b"<![CDATA[";
const SECTION_END: &[u8] = b"]]>";
/// So many columns make code of a line.
const CODE_COLUMNS: usize = 4;

/// A block of code: what is in it, and where it ends with the line of its closing fence.
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
    /// Where the last section of character data ends.
    last_section: usize,
    /// What stood in the lines so far: something that is not indented, and a list that is not over.
    has_flush: bool,
    is_in_list: bool,
    /// Indented lines before this are not code.
    judged: usize,
    pub(super) steps: u64,
}

/// How a line begins.
struct Beginning {
    columns: usize,
    /// The bytes of its indentation.
    indent: usize,
    is_blank: bool,
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
        let last_section = text[start..].windows(SECTION_END.len()).rposition(|window| window == SECTION_END);
        let mut code = Self {
            text,
            last_backticks: none,
            last_tildes: none,
            last_runs: none,
            line_end: 0,
            last_section: last_section.map_or(0, |at| start + at),
            has_flush: false,
            is_in_list: false,
            judged: 0,
            steps: 0,
        };
        code.count(text.len() - start);
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

    /// The end of the line at `at`, if it is one of a quotation.
    pub(super) fn quotation(&mut self, at: usize) -> Option<usize> {
        let Beginning { columns, indent, .. } = self.beginning(at);
        let is_quoted = columns < CODE_COLUMNS && self.text.get(at + indent) == Some(&b'>');
        is_quoted.then(|| self.end_of_line(at))
    }

    /// The indented block that begins with the line at `at`, where it holds whole reports. Each line of the text is to be
    /// given in its order, so that it is known what stands above a block.
    pub(super) fn indented(&mut self, at: usize) -> Option<Block> {
        let line = self.beginning(at);
        if line.is_blank {
            return None;
        }
        let is_after_blank = self.is_after_blank(at);
        let may_begin = self.has_flush && !self.is_in_list && is_after_blank && at >= self.judged;
        if line.columns < CODE_COLUMNS || self.is_in_list {
            let is_item = begins_item(&self.text[at + line.indent..]);
            self.is_in_list = is_item || (self.is_in_list && (line.columns > 1 || !is_after_blank));
        }
        if line.columns < CODE_COLUMNS {
            self.has_flush = true;
            return None;
        }
        if !may_begin {
            return None;
        }
        let mut end = at;
        let mut next = at;
        while next < self.text.len() {
            let line = self.beginning(next);
            if !line.is_blank && line.columns < CODE_COLUMNS {
                break;
            }
            next = self.end_of_line(next);
            if !line.is_blank {
                end = next;
            }
        }
        self.judged = end;
        // A report that goes on below is one that was indented, and no example.
        self.holds_whole_reports(at..end).then_some(Block { content: at..end, end })
    }

    fn holds_whole_reports(&mut self, block: Range<usize>) -> bool {
        self.count(block.len());
        let (mut holds, mut is_open) = (false, false);
        let text = &self.text[block];
        for (at, _) in text.iter().enumerate().filter(|(_, byte)| **byte == b'<') {
            if begins_report(&text[at..]) {
                (holds, is_open) = (true, true);
            } else if closing_tag(&text[at..]).is_some() {
                is_open = false;
            }
        }
        holds && !is_open
    }

    fn beginning(&mut self, at: usize) -> Beginning {
        let mut columns = 0;
        let rest = &self.text[at..];
        let indent = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        for byte in &rest[..indent] {
            columns += if *byte == b'\t' { CODE_COLUMNS - columns % CODE_COLUMNS } else { 1 };
        }
        self.count(indent + 1);
        let is_blank = matches!(rest[indent..], [] | [b'\n', ..] | [b'\r', b'\n', ..] | [b'\r']);
        Beginning { columns, indent, is_blank }
    }

    /// Whether the line before the one at `at` is empty.
    fn is_after_blank(&mut self, at: usize) -> bool {
        let Some(before) = self.text[..at].strip_suffix(b"\n") else { return false };
        let blanks = before.iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count();
        self.count(blanks + 1);
        before[..before.len() - blanks].last().is_none_or(|byte| *byte == b'\n')
    }

    /// Where the comment or the character data ends that begins with the `<` at `at`; nothing where none does.
    pub(super) fn passage(&mut self, at: usize) -> Option<usize> {
        let rest = &self.text[at..];
        if rest.starts_with(COMMENT) {
            return self.comment(at);
        }
        if !rest.starts_with(SECTION) || self.last_section <= at || !self.is_in_element(at) {
            return None;
        }
        let inside = at + SECTION.len();
        let length = self.text[inside..].windows(SECTION_END.len()).position(|window| window == SECTION_END)?;
        self.count(length);
        Some(inside + length + SECTION_END.len())
    }

    /// Words between others may name the beginning of a comment: such a one ends in the same paragraph, or is none.
    fn comment(&mut self, at: usize) -> Option<usize> {
        let line = self.text[..at].iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let begins_line = self.text[..at - line].last().is_none_or(|byte| *byte == b'\n');
        self.count(line);
        let mut next = at + COMMENT.len();
        while next < self.text.len() {
            let rest = &self.text[next..];
            if rest.starts_with(COMMENT_END) {
                return Some(next + COMMENT_END.len());
            }
            let is_over =
                rest.starts_with(COMMENT) || (rest[0] == b'\n' && !begins_line && self.beginning(next + 1).is_blank);
            if is_over {
                return None;
            }
            next += 1;
            self.count(1);
        }
        None
    }

    /// Whether a tag ends before the section at `at`, so that it is an element's and not only named.
    fn is_in_element(&mut self, at: usize) -> bool {
        let blanks = self.text[..at].iter().rev().take_while(|byte| byte.is_ascii_whitespace()).count();
        self.count(blanks + 1);
        self.text[..at - blanks].last() == Some(&b'>')
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

/// Whether a line begins an item of a list: `- a`, `2. a`.
fn begins_item(line: &[u8]) -> bool {
    let digits = line.iter().take(9).take_while(|byte| byte.is_ascii_digit()).count();
    let marked = match (digits, &line[digits..]) {
        (0, [b'-' | b'*' | b'+', rest @ ..]) | (1.., [b'.' | b')', rest @ ..]) => rest,
        (_, _) => return false,
    };
    marked.first().is_none_or(u8::is_ascii_whitespace)
}
