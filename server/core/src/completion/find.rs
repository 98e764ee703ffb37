//! Finding reports in free text: an agent's output with prose, frames, colours and several reports, or none.
//!
//! What stands in code, a quotation, a comment or an element's character data (see `code`) is quoted and left alone, with one
//! exception: many agents put their report into a fenced block, and some terminals indent all that they show. A block of code
//! counts as said if it is the last word of the text (only blanks and the lines of a frame follow) and holds nothing but the
//! report.
//!
//! Everything goes forward: text is looked at a fixed number of times, however many broken reports it has.

use std::ops::Range;

use super::Report;
use super::code::{Block, Code};
use super::problem::BadReport;
use super::read::{Left, Outcome, read};
use super::xml::{REPORT, colour, is_name};

/// How much of a text is looked at: its end, since an agent's last word counts.
pub const MAX_TEXT_BYTES: usize = 64 << 20;
/// How many findings are kept: the last ones.
pub const MAX_FOUND: usize = 64;

/// Something found in a text. Lines and columns count from 1; a column is a character, not a byte.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The bytes it takes up.
    pub span: Range<usize>,
    pub line: usize,
    pub column: usize,
    pub what: What,
    /// The first elements in a report that reports do not have.
    pub unknown: Vec<Unknown>,
}

/// An element in a report that reports do not have. The report counts without it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unknown {
    pub line: usize,
    pub column: usize,
    pub name: String,
    pub left: Left,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum What {
    Report(Report),
    /// It set out to be a report, and cannot be read.
    Broken(BadReport),
    /// Another program's element of the same name, with attributes and text: not a report.
    Other,
    /// It is quoted, as an example of one: not a report. Only `examine` tells of it.
    Quoted,
    /// More than is looked at or kept: here, at the beginning of the text, may be others. Stands first where it stands.
    LeftOut,
}

/// Finds all reports in a text, in their order.
#[must_use]
pub fn find(text: &[u8]) -> Vec<Found> {
    found(text, Examples::PassedOver)
}

/// Finds all reports in a text, and what is quoted as an example of one: for whoever wonders why a report is not taken for
/// one.
#[must_use]
pub fn examine(text: &[u8]) -> Vec<Found> {
    found(text, Examples::Told)
}

/// What becomes of reports that are quoted. Passed over, they never take the place of one that counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Examples {
    PassedOver,
    Told,
}

fn found(text: &[u8], examples: Examples) -> Vec<Found> {
    let mut finder = Finder::new(text, examples);
    finder.run();
    finder.kept.found
}

/// The report in a text that was written as one; `None` where there is none that can be read.
#[must_use]
pub fn report_in(text: &str) -> Option<Report> {
    find(text.as_bytes()).into_iter().find_map(|found| match found.what {
        What::Report(report) => Some(report),
        What::Broken(_) | What::Other | What::Quoted | What::LeftOut => None,
    })
}

struct Finder<'a> {
    text: &'a [u8],
    examples: Examples,
    start: usize,
    at: usize,
    code: Code<'a>,
    places: Places<'a>,
    kept: Kept,
    steps: u64,
}

impl<'a> Finder<'a> {
    fn new(text: &'a [u8], examples: Examples) -> Self {
        let skipped = text.len().saturating_sub(MAX_TEXT_BYTES);
        let line = text[skipped..].iter().position(|byte| *byte == b'\n');
        let start = if skipped == 0 { 0 } else { line.map_or(skipped, |length| skipped + length + 1) };
        let left_out = (start > 0).then_some(0..start);
        let places = Places { text, at: 0, line: 1, column: 1 };
        let kept = Kept { found: Vec::new(), left_out };
        Self { text, examples, start, at: start, code: Code::new(text, start), places, kept, steps: 0 }
    }

    fn run(&mut self) {
        while self.at < self.text.len() {
            self.step();
        }
        self.kept.finish();
    }

    fn step(&mut self) {
        let begins_line = self.at == self.start || self.text[self.at - 1] == b'\n';
        if begins_line && self.text[self.at] != b'\n' {
            let indented = self.code.indented(self.at);
            if let Some(block) = self.code.block(self.at).or(indented) {
                self.quoted(block);
                return;
            }
            if let Some(end) = self.code.quotation(self.at) {
                self.pass(end);
                return;
            }
        }
        match self.text[self.at] {
            b'`' => {
                let end = self.code.span(self.at);
                self.pass(end);
            }
            b'<' if begins_report(&self.text[self.at..]) => self.said(),
            b'<' => match self.code.passage(self.at) {
                Some(end) => self.pass(end),
                None => self.at += 1,
            },
            b'\n' => self.at += 1,
            _ => {
                let rest = &self.text[self.at + 1..];
                let plain = rest.iter().position(|byte| matches!(byte, b'`' | b'<' | b'\n')).unwrap_or(rest.len());
                self.at += 1 + plain;
                self.count(plain);
            }
        }
        self.count(1);
    }

    /// Passes over what is quoted.
    fn pass(&mut self, end: usize) {
        self.tell_examples(self.at..end);
        self.at = end;
    }

    fn count(&mut self, bytes: usize) {
        self.steps += u64::try_from(bytes).unwrap_or(u64::MAX);
    }

    fn said(&mut self) {
        let reading = read(self.text, self.at, self.text.len());
        self.steps += reading.steps;
        let end = if reading.is_whole { reading.resume } else { self.end_of_broken(reading.resume) };
        self.keep(self.at..end, reading.outcome);
        self.at = end;
    }

    /// A broken report goes as far as its closing tag, unless another report begins before that.
    fn end_of_broken(&mut self, from: usize) -> usize {
        let mut at = from;
        while let Some(length) = self.text[at..].iter().position(|byte| *byte == b'<') {
            self.count(length + 1);
            at += length;
            let tag = &self.text[at..];
            if begins_report(tag) {
                return from;
            }
            if let Some(closing) = closing_tag(tag) {
                return at + closing;
            }
            at += 1;
        }
        self.count(self.text.len() - at);
        from
    }

    fn quoted(&mut self, block: Block) {
        self.at = block.end;
        let content = &self.text[block.content.clone()];
        let indent = content.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        self.count(indent + 1);
        if !begins_report(&content[indent..]) || !self.is_last_word(block.end) {
            self.tell_examples(block.content);
            return;
        }
        let start = block.content.start + indent;
        let reading = read(self.text, start, block.content.end);
        self.steps += reading.steps;
        let rest = &self.text[reading.resume..block.content.end];
        self.count(rest.len());
        if !reading.is_whole {
            self.keep(start..block.content.end, reading.outcome);
        } else if rest.iter().all(u8::is_ascii_whitespace) {
            self.keep(start..reading.resume, reading.outcome);
        } else {
            self.tell_examples(block.content);
        }
    }

    /// Notes the reports that begin in what is quoted.
    fn tell_examples(&mut self, code: Range<usize>) {
        match self.examples {
            Examples::PassedOver => return,
            Examples::Told => {}
        }
        self.count(code.len());
        let mut at = code.start;
        while let Some(length) = self.text[at..code.end].iter().position(|byte| *byte == b'<') {
            at += length;
            if begins_report(&self.text[at..code.end]) {
                let (line, column) = self.places.of(at);
                let end = at + 1 + REPORT.len();
                self.kept.push(Found { span: at..end, line, column, what: What::Quoted, unknown: Vec::new() });
            }
            at += 1;
        }
    }

    /// Whether nothing is said from here on.
    fn is_last_word(&mut self, from: usize) -> bool {
        let mut rest = &self.text[from..];
        while let Some(length) = blank(rest) {
            rest = &rest[length..];
            self.count(length);
        }
        rest.is_empty()
    }

    fn keep(&mut self, span: Range<usize>, outcome: Outcome) {
        let (line, column) = self.places.of(span.start);
        let mut unknown = Vec::new();
        let what = match outcome {
            Outcome::Report { report, unknown: elements } => {
                unknown.extend(elements.into_iter().map(|element| {
                    let (line, column) = self.places.of(element.at);
                    Unknown { line, column, name: element.name, left: element.left }
                }));
                What::Report(report)
            }
            Outcome::Other => What::Other,
            Outcome::Broken { at, problem } => {
                let (line, column) = self.places.of(at);
                What::Broken(BadReport { line, column, problem })
            }
        };
        self.kept.push(Found { span, line, column, what, unknown });
    }
}

pub(super) fn begins_report(text: &[u8]) -> bool {
    named_tag(text, b"<").is_some()
}

/// The length of a closing tag of a report at the beginning of some text.
pub(super) fn closing_tag(text: &[u8]) -> Option<usize> {
    let name = named_tag(text, b"</")?;
    let blanks = text[name..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    Some(name + blanks + usize::from(text.get(name + blanks) == Some(&b'>')))
}

fn named_tag(text: &[u8], opening: &[u8]) -> Option<usize> {
    let after = text.strip_prefix(opening)?.strip_prefix(REPORT.as_bytes())?;
    let ends = after.first().is_none_or(|byte| !is_name(*byte));
    ends.then(|| opening.len() + REPORT.len())
}

/// The length of something at the beginning of some text that says nothing: white space, a colour, or a part of the
/// line of a frame.
fn blank(text: &[u8]) -> Option<usize> {
    match text {
        [first, ..] if first.is_ascii_whitespace() || matches!(first, b'=' | b'-' | b'_' | b'*' | b'>') => Some(1),
        // The box drawing characters, U+2500 to U+257F.
        [0xe2, 0x94 | 0x95, 0x80..=0xbf, ..] => Some(3),
        _ => colour(text),
    }
}

/// Lines and columns, asked for in the order of the text.
struct Places<'a> {
    text: &'a [u8],
    at: usize,
    line: usize,
    column: usize,
}

impl Places<'_> {
    fn of(&mut self, at: usize) -> (usize, usize) {
        for byte in &self.text[self.at..at.max(self.at)] {
            match byte {
                b'\n' => (self.line, self.column) = (self.line + 1, 1),
                // The second and later bytes of a character.
                0x80..=0xbf => {}
                _ => self.column += 1,
            }
        }
        self.at = self.at.max(at);
        (self.line, self.column)
    }
}

struct Kept {
    found: Vec<Found>,
    left_out: Option<Range<usize>>,
}

impl Kept {
    fn push(&mut self, found: Found) {
        self.found.push(found);
        // Leaving out many at once keeps the cost of moving the others small.
        if self.found.len() >= 2 * MAX_FOUND {
            self.leave_out();
        }
    }

    fn leave_out(&mut self) {
        let surplus = self.found.len().saturating_sub(MAX_FOUND);
        if let Some(last) = self.found.drain(..surplus).next_back() {
            self.left_out = Some(0..last.span.end);
        }
    }

    fn finish(&mut self) {
        self.leave_out();
        if let Some(span) = self.left_out.take() {
            self.found.insert(0, Found { span, line: 1, column: 1, what: What::LeftOut, unknown: Vec::new() });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How often each byte may be looked at, whatever the text: once to know the fences and once the sections, once to find
    /// their ends, once for the runs of backticks, a few times inside a report, and again behind a broken one.
    const MOST_LOOKS: u64 = 12;

    fn check(name: &str, text: &[u8]) {
        let mut finder = Finder::new(text, Examples::Told);
        let length = u64::try_from(text.len()).unwrap();
        let mut steps = 0;
        while finder.at < text.len() {
            finder.step();
            steps = finder.steps + finder.code.steps;
            assert!(steps <= MOST_LOOKS * length + 1_000, "{name}: {steps} steps for {length} bytes");
        }
        assert!(steps >= length, "{name}: {steps} steps for {length} bytes are not all that were made");
    }

    #[test]
    fn work_grows_with_the_text_and_no_faster() {
        let report = "<agent_completion>";
        let rising = |mark: &str| (3..600).map(|length| format!("{}x\n", mark.repeat(length))).collect::<String>();
        let falling =
            |mark: &str| (3..600).rev().map(|length| format!("{}\n", mark.repeat(length))).collect::<String>();
        let one_line = |text: String| text.replace('\n', " ");
        for (name, unit) in [
            ("open reports", report),
            ("cut tags", "<agent_completion "),
            ("cut comments", "<agent_completion><!--"),
            ("cut sections", "<agent_completion><![CDATA["),
            ("cut attributes", "<agent_completion a='"),
            ("deep", "<a>"),
            ("less", "<"),
            ("ampersands", "<agent_completion>&"),
            ("long references", "<agent_completion>&aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"),
            ("closing tags", "</agent_completion>"),
            ("broken and closed", "<agent_completion>&</agent_completion>"),
            ("other shapes", "<agent_completion a='b'>&</agent_completion>"),
            ("whole reports", "<agent_completion><status>partial</status></agent_completion>"),
            ("fences", "```\n"),
            ("opening fences", "```x\n"),
            ("two kinds of fences", "```\n~~~\n"),
            ("quoted reports", "```\n<agent_completion>\n```\n=-=-\n"),
            ("backticks apart", "` `` ``` "),
            ("quotation marks", "> > > "),
            ("quotations", "> <agent_completion>\n"),
            ("indented reports", "a\n\n    <agent_completion></agent_completion>\n"),
            ("indented and open", "\n\t<agent_completion>\n"),
            ("items", "- a\n\n      <agent_completion>\n"),
            ("comments", "<!-- <agent_completion> -->\n"),
            ("open comments", "<!-- "),
            ("open comments in lines", "a <!--\n"),
            ("sections", "<a><![CDATA[<agent_completion>]]>"),
            ("open sections", "<a><![CDATA["),
            ("blanks", "      "),
            ("line breaks", "\n"),
            ("not UTF-8", "<agent_completion>\u{ff}"),
            ("colours", "<agent_completion>\u{1b}[1m"),
        ] {
            let many = unit.repeat((3 << 20) / unit.len());
            check(name, many.as_bytes());
            check(name, format!("{report}{many}").as_bytes());
            check(name, format!("{many}--> ]]> ' </agent_completion>\n```\n").as_bytes());
        }
        for mark in ["`", "~"] {
            check("rising fences", rising(mark).as_bytes());
            check("falling fences", falling(mark).as_bytes());
            check("rising runs", one_line(rising(mark)).as_bytes());
            check("falling runs", one_line(falling(mark)).as_bytes());
        }
    }

    #[test]
    fn of_a_very_long_text_only_the_end_is_looked_at() {
        let report = "<agent_completion><status>partial</status></agent_completion>\n";
        let mut text = report.as_bytes().to_vec();
        text.resize(MAX_TEXT_BYTES + 100, b'\n');
        text.extend(report.as_bytes());
        let mut finder = Finder::new(&text, Examples::PassedOver);
        finder.run();
        assert!(finder.steps + finder.code.steps < 5 * u64::try_from(MAX_TEXT_BYTES).unwrap());
        let found = finder.kept.found;
        assert_eq!(found.len(), 2);
        assert_eq!((&found[0].what, found[0].span.end), (&What::LeftOut, text.len() - MAX_TEXT_BYTES + 1));
        // One line for the first report, then the empty ones.
        assert_eq!((found[1].line, found[1].column), (MAX_TEXT_BYTES + 100 - report.len() + 2, 1));
    }
}
