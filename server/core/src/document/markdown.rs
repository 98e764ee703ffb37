//! As much of Markdown as plans and changelogs need: lines, headings, tables, lists and boxes, each with its place in the
//! bytes. Comments and fenced code are blanked in a copy of equal length, so nothing that reads the copy can take them for
//! data, and every place in the copy is a place in the text.
//!
//! Every step through the text is counted, so that a test can see that the work grows with the text and no faster.

use std::ops::Range;

use super::{DOCUMENT_LIMIT, MAX_PROBLEMS, Problem};

/// Cells of a row that are looked at.
const MAX_CELLS: usize = 64;
/// Runs of backticks that are longer begin no code.
const MAX_RUN: usize = 32;
const MARK: &[u8] = b"\xEF\xBB\xBF";

/// A line: from its first byte to its last, and the beginning of the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) next: usize,
}

pub(super) struct Document<'a> {
    pub(super) text: &'a [u8],
    masked: Vec<u8>,
    /// What was blanked, in order.
    blanked: Vec<Range<usize>>,
    pub(super) lines: Vec<Line>,
    pub(super) problems: Vec<Problem>,
    /// A comment or a fence is not closed: whatever is added at the end would be part of it.
    pub(super) is_open_ended: bool,
    pub(super) steps: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Heading {
    pub(super) level: usize,
    pub(super) text: Range<usize>,
}

/// The index of its header line, and of its rows; the line between them divides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Table {
    pub(super) header: usize,
    pub(super) rows: Range<usize>,
}

/// An item of a list, which may have a box.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Item {
    pub(super) indent: usize,
    /// From the bullet to the text or box.
    pub(super) marker: Range<usize>,
    /// The character in the box.
    pub(super) mark: Option<Range<usize>>,
    pub(super) text: Range<usize>,
}

impl<'a> Document<'a> {
    pub(super) fn new(text: &'a [u8]) -> Result<Self, Problem> {
        if text.len() > DOCUMENT_LIMIT {
            let why = format!("the file has {} bytes, more than the {DOCUMENT_LIMIT} that are read", text.len());
            return Err(Problem::new(1, why));
        }
        if let Some(at) = text.iter().position(|byte| *byte == 0) {
            let line = text[..at].iter().filter(|byte| **byte == b'\n').count() + 1;
            return Err(Problem::new(line, "a zero byte stands here: the file is no UTF-8 text"));
        }
        let mut document = Self {
            text,
            masked: text.to_vec(),
            blanked: Vec::new(),
            lines: lines(text),
            problems: Vec::new(),
            is_open_ended: false,
            steps: u64::try_from(text.len()).unwrap_or(u64::MAX),
        };
        Mask::new(&mut document).run();
        Ok(document)
    }

    pub(super) fn problem(&mut self, line: usize, why: impl Into<String>) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(Problem::new(line + 1, why));
        }
    }

    pub(super) fn count(&mut self, bytes: usize) {
        self.steps += u64::try_from(bytes).unwrap_or(u64::MAX);
    }

    /// What can be read of a line; nothing where it is not UTF-8.
    pub(super) fn words(&self, line: usize) -> Option<&str> {
        let line = self.lines.get(line)?;
        self.at(line.start..line.end)
    }

    /// What can be read at a place; nothing where it is not UTF-8.
    pub(super) fn at(&self, span: Range<usize>) -> Option<&str> {
        std::str::from_utf8(&self.masked[span]).ok()
    }

    /// Nothing of the place is blanked, so replacing it takes no comment away.
    pub(super) fn is_plain(&self, span: Range<usize>) -> bool {
        self.masked[span.clone()] == self.text[span]
    }

    /// A comment or code goes on at this place: what is put there would be part of it.
    pub(super) fn is_hidden(&self, at: usize) -> bool {
        let before = self.blanked.partition_point(|span| span.start < at);
        before.checked_sub(1).is_some_and(|index| self.blanked[index].end > at)
    }

    /// Nothing that can be read stands in the line.
    pub(super) fn is_blank(&self, line: usize) -> bool {
        self.bytes(line).iter().all(u8::is_ascii_whitespace)
    }

    /// Nothing at all stands in the line, not even a comment.
    pub(super) fn is_empty(&self, line: usize) -> bool {
        let Line { start, end, .. } = self.lines[line];
        self.text[start..end].iter().all(u8::is_ascii_whitespace)
    }

    fn bytes(&self, line: usize) -> &[u8] {
        let Line { start, end, .. } = self.lines[line];
        &self.masked[start..end]
    }

    pub(super) fn is_rule(&self, line: usize) -> bool {
        let bytes = self.bytes(line).trim_ascii();
        let mark = bytes.first().copied().unwrap_or(b' ');
        let marks = bytes.iter().filter(|byte| **byte == mark).count();
        matches!(mark, b'-' | b'*' | b'_') && marks >= 3 && bytes.iter().all(|byte| *byte == mark || *byte == b' ')
    }

    pub(super) fn heading(&self, line: usize) -> Option<Heading> {
        let bytes = self.bytes(line);
        let indent = run(bytes, b' ');
        let level = run(&bytes[indent.min(4)..], b'#');
        if indent > 3 || !(1..=6).contains(&level) {
            return None;
        }
        let rest = &bytes[indent + level..];
        if !rest.first().is_none_or(|byte| matches!(byte, b' ' | b'\t')) {
            return None;
        }
        let start = self.lines[line].start + indent + level;
        let text = self.trimmed(start..self.lines[line].end);
        let shown = &self.masked[text.clone()];
        let bare = shown.iter().rposition(|byte| *byte != b'#').map_or(0, |at| at + 1);
        let closes = bare == 0 || (bare < shown.len() && matches!(shown[bare - 1], b' ' | b'\t'));
        let text = if closes { self.trimmed(text.start..text.start + bare) } else { text };
        Some(Heading { level, text })
    }

    /// The place without the blanks around it.
    pub(super) fn trimmed(&self, span: Range<usize>) -> Range<usize> {
        let bytes = &self.masked[span.clone()];
        let Some(first) = bytes.iter().position(|byte| !byte.is_ascii_whitespace()) else {
            // Behind one blank, so that words put there stand apart from what is before.
            let middle = span.start + span.len().min(1);
            return middle..middle;
        };
        let last = bytes.iter().rposition(|byte| !byte.is_ascii_whitespace()).unwrap_or(first);
        span.start + first..span.start + last + 1
    }

    /// The table whose header stands in the line.
    pub(super) fn table(&mut self, line: usize) -> Option<Table> {
        if line + 1 >= self.lines.len() || !self.is_row(line) {
            return None;
        }
        self.count(self.lines[line].next - self.lines[line].start);
        if !self.divides(line + 1) {
            return None;
        }
        let mut end = line + 2;
        while end < self.lines.len() && self.is_row(end) {
            self.count(self.lines[end].next - self.lines[end].start);
            end += 1;
        }
        Some(Table { header: line, rows: line + 2..end })
    }

    fn is_row(&self, line: usize) -> bool {
        let bytes = self.bytes(line);
        let begins_otherwise = matches!(bytes.trim_ascii_start().first(), None | Some(b'>' | b'#'));
        !begins_otherwise && run(bytes, b' ') < 4 && bytes.first() != Some(&b'\t') && bytes.contains(&b'|')
    }

    fn divides(&self, line: usize) -> bool {
        let bytes = self.bytes(line);
        let allowed = bytes.iter().all(|byte| matches!(byte, b'|' | b'-' | b':' | b' ' | b'\t'));
        allowed && bytes.contains(&b'-') && (bytes.contains(&b'|') || bytes.contains(&b':'))
    }

    /// The cells of a row, without the blanks around them. An escaped `|` divides nothing.
    pub(super) fn cells(&self, line: usize) -> Vec<Range<usize>> {
        let whole = self.trimmed(self.lines[line].start..self.lines[line].end);
        let bytes = &self.masked[whole.clone()];
        let mut cells = Vec::new();
        let first = usize::from(bytes.first() == Some(&b'|'));
        let mut start = first;
        for at in first..bytes.len() {
            if bytes[at] == b'|' && (at == 0 || bytes[at - 1] != b'\\') {
                cells.push(self.trimmed(whole.start + start..whole.start + at));
                start = at + 1;
                if cells.len() == MAX_CELLS {
                    return cells;
                }
            }
        }
        if start < bytes.len() {
            cells.push(self.trimmed(whole.start + start..whole.end));
        }
        cells
    }

    pub(super) fn item(&self, line: usize) -> Option<Item> {
        let bytes = self.bytes(line);
        let indent = bytes.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let digits = bytes[indent..].iter().take(9).take_while(|byte| byte.is_ascii_digit()).count();
        let bullet = match bytes.get(indent + digits)? {
            b'-' | b'*' | b'+' if digits == 0 => 1,
            b'.' | b')' if digits > 0 => digits + 1,
            _ => return None,
        };
        let blanks = bytes[indent + bullet..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        if blanks == 0 || self.is_rule(line) {
            return None;
        }
        let Line { start, end, .. } = self.lines[line];
        let inside = start + indent + bullet + blanks;
        let marker = start + indent..inside;
        let (mark, text) = match self.mark(inside..end) {
            Some(mark) => (Some(mark.clone()), self.trimmed(mark.end + 1..end)),
            None => (None, self.trimmed(inside..end)),
        };
        Some(Item { indent, marker, mark, text })
    }

    /// The one character of a box at the beginning of the place.
    fn mark(&self, span: Range<usize>) -> Option<Range<usize>> {
        let bytes = &self.masked[span.clone()];
        if bytes.first() != Some(&b'[') {
            return None;
        }
        let close = bytes.iter().take(6).position(|byte| *byte == b']')?;
        let inside = std::str::from_utf8(&bytes[1..close]).ok()?;
        let follows = bytes.get(close + 1).is_none_or(|byte| matches!(byte, b' ' | b'\t'));
        (inside.chars().count() == 1 && follows).then(|| span.start + 1..span.start + close)
    }

    /// How the lines end around a line: as it does itself, or else as the first one does.
    pub(super) fn line_break(&self, line: usize) -> &'static str {
        let ends = |line: &Line| match &self.text[line.end..line.next] {
            b"\r\n" => Some("\r\n"),
            b"\n" => Some("\n"),
            _ => None,
        };
        let own = self.lines.get(line).and_then(ends);
        own.or_else(|| self.lines.first().and_then(ends)).unwrap_or("\n")
    }
}

fn run(bytes: &[u8], mark: u8) -> usize {
    bytes.iter().take_while(|byte| **byte == mark).count()
}

/// The lines of a text, a byte order mark left out. The last one may have no break behind it.
fn lines(text: &[u8]) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut start = if text.starts_with(MARK) { MARK.len() } else { 0 };
    while start < text.len() {
        let rest = &text[start..];
        let length = rest.iter().position(|byte| *byte == b'\n');
        let next = length.map_or(text.len(), |length| start + length + 1);
        let mut end = length.map_or(text.len(), |length| start + length);
        if length.is_some() && text[start..end].ends_with(b"\r") {
            end -= 1;
        }
        lines.push(Line { start, end, next });
        start = next;
    }
    lines
}

/// Blanks comments and fenced code. The next end of a comment and the next empty line are looked for once and remembered,
/// so that openings without end cost nothing.
struct Mask<'a, 'b> {
    document: &'a mut Document<'b>,
    line: usize,
    /// Where reading goes on: behind a comment that ended in the middle of a line.
    from: usize,
    next_close: Option<usize>,
    next_empty: usize,
}

impl<'a, 'b> Mask<'a, 'b> {
    fn new(document: &'a mut Document<'b>) -> Self {
        Self { document, line: 0, from: 0, next_close: Some(0), next_empty: 0 }
    }

    fn run(&mut self) {
        while self.line < self.document.lines.len() {
            let line = self.document.lines[self.line];
            if self.from <= line.start && (self.fence() || self.block()) {
                continue;
            }
            self.inline(line);
            self.line += 1;
        }
    }

    fn blank(&mut self, span: Range<usize>) {
        self.document.count(span.len());
        self.document.blanked.push(span.clone());
        for byte in &mut self.document.masked[span] {
            if !matches!(byte, b'\n' | b'\r') {
                *byte = b' ';
            }
        }
    }

    /// The mark and length of a fence, and whether nothing stands behind it.
    fn fence_in(&self, line: usize) -> Option<(u8, usize, bool)> {
        let bytes = self.document.bytes(line);
        let bytes = &bytes[bytes.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'>')).count()..];
        let mark = bytes.first().copied().filter(|byte| matches!(byte, b'`' | b'~'))?;
        let length = run(bytes, mark);
        let words = &bytes[length..];
        let is_fence = length >= 3 && !(mark == b'`' && words.contains(&b'`'));
        is_fence.then(|| (mark, length, words.iter().all(u8::is_ascii_whitespace)))
    }

    fn fence(&mut self) -> bool {
        let Some((mark, length, _)) = self.fence_in(self.line) else { return false };
        let opening = self.line;
        let mut end = opening + 1;
        let mut is_closed = false;
        while end < self.document.lines.len() && !is_closed {
            let closes = |(other, run, is_bare): (u8, usize, bool)| other == mark && run >= length && is_bare;
            is_closed = self.fence_in(end).is_some_and(closes);
            end += 1;
        }
        self.blank_lines(opening..end);
        if !is_closed {
            self.document.is_open_ended = true;
            self.document.problem(opening, "the code that begins here is not closed; all behind it is left alone");
        }
        true
    }

    /// A comment at the beginning of a line takes all lines to the one in which it ends.
    fn block(&mut self) -> bool {
        let line = self.document.lines[self.line];
        let bytes = self.document.bytes(self.line);
        let indent = run(bytes, b' ');
        if indent > 3 || !bytes[indent..].starts_with(b"<!--") {
            return false;
        }
        let opening = self.line;
        let end = match self.close(line.start + indent + 2) {
            Some(close) => {
                let mut end = opening;
                while self.document.lines[end].next < close + 3 {
                    end += 1;
                }
                end + 1
            }
            None => {
                self.document.is_open_ended = true;
                let why = "the comment that begins here is not closed; all behind it is left alone";
                self.document.problem(opening, why);
                self.document.lines.len()
            }
        };
        self.blank_lines(opening..end);
        true
    }

    fn blank_lines(&mut self, lines: Range<usize>) {
        let (Some(first), Some(last)) =
            (self.document.lines.get(lines.start), self.document.lines[lines.clone()].last())
        else {
            return;
        };
        self.blank(first.start..last.end);
        self.line = lines.end;
    }

    /// Where the next `-->` from `at` on begins.
    fn close(&mut self, at: usize) -> Option<usize> {
        let known = self.next_close?;
        if known >= at && known > 0 {
            return Some(known);
        }
        let found = self.document.text[at..].windows(3).position(|three| three == b"-->");
        self.document.count(found.unwrap_or(self.document.text.len() - at));
        self.next_close = found.map(|length| at + length);
        self.next_close
    }

    /// Where the paragraph of the current line ends.
    fn end_of_paragraph(&mut self) -> usize {
        self.next_empty = self.next_empty.max(self.line);
        while self.next_empty < self.document.lines.len() && !self.document.is_empty(self.next_empty) {
            self.next_empty += 1;
        }
        self.document.lines.get(self.next_empty).map_or(self.document.text.len(), |line| line.start)
    }

    /// Comments in the middle of a line end in their paragraph, or are none. Code between backticks holds none.
    fn inline(&mut self, line: Line) {
        let mut at = line.start.max(self.from);
        if at >= line.end || !self.document.text[at..line.end].windows(4).any(|four| four == b"<!--") {
            return;
        }
        let last_runs = self.last_runs(at..line.end);
        while at < line.end {
            let rest = &self.document.text[at..line.end];
            if rest[0] == b'\\' {
                at += 2;
            } else if rest[0] == b'`' {
                let length = run(rest, b'`');
                at = self.end_of_code(at + length..line.end, length, &last_runs);
            } else if rest.starts_with(b"<!--") {
                let end = self.end_of_paragraph();
                match self.close(at + 2).filter(|close| close + 3 <= end) {
                    Some(close) => {
                        self.blank(at..close + 3);
                        at = close + 3;
                        self.from = at;
                    }
                    None => at += 4,
                }
            } else {
                at += 1;
            }
        }
        self.document.count(line.end - line.start);
    }

    /// The last run of backticks of each length in the place.
    fn last_runs(&self, span: Range<usize>) -> [usize; MAX_RUN + 1] {
        let mut last = [0; MAX_RUN + 1];
        let mut at = span.start;
        while at < span.end {
            let length = run(&self.document.text[at..span.end], b'`');
            if (1..=MAX_RUN).contains(&length) {
                last[length] = at;
            }
            at += length.max(1);
        }
        last
    }

    fn end_of_code(&self, rest: Range<usize>, length: usize, last_runs: &[usize; MAX_RUN + 1]) -> usize {
        if length > MAX_RUN || last_runs[length] < rest.start {
            return rest.start;
        }
        let mut at = rest.start;
        while at < rest.end {
            let closing = run(&self.document.text[at..rest.end], b'`');
            at += closing.max(1);
            if closing == length {
                return at;
            }
        }
        rest.start
    }
}
