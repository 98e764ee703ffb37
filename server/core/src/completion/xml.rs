//! A small strict reader of one XML element. It knows elements, attributes, text, comments, CDATA, the five entities and
//! numeric references; everything else that XML has (declarations, instructions, other entities) is refused, because it
//! could make a small report large or reach outside. It keeps its own stack, so depth costs no recursion, and it looks
//! at every byte a fixed number of times.
//!
//! One thing is read that XML would refuse: colour sequences of a terminal in text, which agents' output is full of and
//! which say nothing. They are left out.

use std::ops::Range;

use super::problem::Problem;

/// The longest report, from its first `<` to its last `>`.
pub const MAX_REPORT_BYTES: usize = 1 << 20;
pub const MAX_DEPTH: usize = 32;
pub const MAX_ELEMENTS: usize = 10_000;
pub const MAX_ATTRIBUTES: usize = 16;
/// Entity names and references are short; a longer run of letters behind `&` is prose.
const MAX_REFERENCE_BYTES: usize = 32;

/// The element that a report is.
pub(super) const REPORT: &str = "agent_completion";

/// Why reading ended, the place to tell, and the place from where on nothing has been read yet.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) at: usize,
    pub(super) resume: usize,
    pub(super) problem: Problem,
}

pub(super) struct Attribute<'a> {
    pub(super) name: &'a str,
    pub(super) value: String,
}

pub(super) enum Event<'a> {
    Start { name: &'a str, attributes: Vec<Attribute<'a>>, at: usize },
    Text(String),
    End,
}

struct Open<'a> {
    name: &'a str,
    at: usize,
}

pub(super) struct Reader<'a> {
    text: &'a [u8],
    start: usize,
    at: usize,
    end: usize,
    /// There is text behind `end` that is not read because a report may not be so long.
    is_cut: bool,
    open: Vec<Open<'a>>,
    elements: usize,
    /// The element just begun was `<like this/>`.
    is_empty: bool,
    /// Bytes looked at, so that tests can bound the work rather than the time.
    pub(super) steps: u64,
}

impl<'a> Reader<'a> {
    /// Reads the element that begins at `start`, and nothing from `limit` on.
    pub(super) fn new(text: &'a [u8], start: usize, limit: usize) -> Self {
        let end = limit.min(start.saturating_add(MAX_REPORT_BYTES));
        Self {
            text,
            start,
            at: start,
            end,
            is_cut: end < limit,
            open: Vec::new(),
            elements: 0,
            is_empty: false,
            steps: 0,
        }
    }

    /// Where the next event begins; after the last one, the end of the element.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// `None` when the element has ended.
    pub(super) fn next(&mut self) -> Result<Option<Event<'a>>, Fault> {
        if self.is_empty {
            self.is_empty = false;
            self.open.pop();
            return Ok(Some(Event::End));
        }
        if self.elements > 0 && self.open.is_empty() {
            return Ok(None);
        }
        loop {
            match self.rest() {
                [] => return Err(self.ended()),
                [b'<', b'!', b'-', b'-', ..] => self.comment()?,
                [b'<', b'!', b'[', b'C', b'D', b'A', b'T', b'A', b'[', ..] => return self.section().map(Some),
                [b'<', b'!', ..] => return Err(self.fault(self.at, Problem::Declaration)),
                [b'<', b'?', ..] => return Err(self.fault(self.at, Problem::Instruction)),
                [b'<', b'/', ..] => return self.close().map(Some),
                [b'<', next, ..] if is_name_start(*next) => return self.begin().map(Some),
                [b'<'] => return Err(self.ended()),
                [b'<', ..] => return Err(self.fault(self.at, Problem::BareLess)),
                [_, ..] => return self.words().map(Some),
            }
        }
    }

    fn rest(&self) -> &'a [u8] {
        &self.text[self.at..self.end]
    }

    /// The next byte, 0 at the end: no byte that means anything here is 0.
    fn byte(&self) -> u8 {
        self.rest().first().copied().unwrap_or(0)
    }

    fn take_while(&mut self, goes_on: impl Fn(u8) -> bool) -> Range<usize> {
        let from = self.at;
        let rest = self.rest();
        self.at += rest.iter().position(|byte| !goes_on(*byte)).unwrap_or(rest.len());
        self.count(self.at - from + 1);
        from..self.at
    }

    fn skip_space(&mut self) {
        self.take_while(is_space);
    }

    fn count(&mut self, bytes: usize) {
        self.steps += u64::try_from(bytes).unwrap_or(u64::MAX);
    }

    fn fault(&self, at: usize, problem: Problem) -> Fault {
        Fault { at, resume: self.at, problem }
    }

    /// The text is over, and the element is not.
    fn ended(&self) -> Fault {
        if self.is_cut {
            return Fault { at: self.start, resume: self.end, problem: Problem::TooLong };
        }
        let (name, at) = self.open.last().map_or((REPORT, self.start), |open| (open.name, open.at));
        Fault { at, resume: self.end, problem: Problem::Unclosed { tag: format!("<{name}>") } }
    }

    /// A stretch as characters. What is cut off at the end of the text is not wrong yet: that the text ends is told instead.
    fn utf8(&mut self, range: Range<usize>) -> Result<&'a str, Fault> {
        self.count(range.len());
        let bytes = &self.text[range.clone()];
        std::str::from_utf8(bytes).map_err(|error| {
            if error.error_len().is_none() && range.end == self.end {
                return self.ended();
            }
            self.fault(range.start + error.valid_up_to(), Problem::NotUtf8)
        })
    }

    /// Finds `mark` from here on and steps behind it. The stretch before it must be characters.
    fn take_until(&mut self, begun: usize, tag: &str, mark: &[u8]) -> Result<Range<usize>, Fault> {
        let rest = self.rest();
        let Some(length) = rest.windows(mark.len()).position(|window| window == mark) else {
            self.count(rest.len());
            if self.is_cut {
                return Err(self.ended());
            }
            return Err(Fault { at: begun, resume: self.end, problem: Problem::Unclosed { tag: tag.to_owned() } });
        };
        let range = self.at..self.at + length;
        self.count(length);
        self.at = range.end + mark.len();
        Ok(range)
    }

    fn comment(&mut self) -> Result<(), Fault> {
        let begun = self.at;
        self.at += 4;
        let range = self.take_until(begun, "<!--", b"-->")?;
        let words = self.utf8(range.clone())?;
        let dashes = words.find("--").or_else(|| words.ends_with('-').then(|| words.len() - 1));
        match dashes {
            Some(inside) => Err(self.fault(range.start + inside, Problem::CommentDashes)),
            None => {
                let mut unused = String::new();
                self.append(range, &mut unused)
            }
        }
    }

    fn section(&mut self) -> Result<Event<'a>, Fault> {
        let begun = self.at;
        self.at += 9;
        let range = self.take_until(begun, "<![CDATA[", b"]]>")?;
        let mut words = String::with_capacity(range.len());
        self.append(range, &mut words)?;
        Ok(Event::Text(words))
    }

    fn words(&mut self) -> Result<Event<'a>, Fault> {
        let mut words = String::new();
        loop {
            match self.byte() {
                b'&' => words.push(self.reference()?),
                b'<' => break,
                _ if self.at == self.end => break,
                _ => {
                    let range = self.take_while(|byte| !matches!(byte, b'<' | b'&'));
                    self.count(range.len());
                    if let Some(inside) = self.text[range.clone()].windows(3).position(|window| window == b"]]>") {
                        return Err(self.fault(range.start + inside, Problem::SectionEnd));
                    }
                    self.append(range, &mut words)?;
                }
            }
        }
        Ok(Event::Text(words))
    }

    /// Adds text as XML reads it: every line break is one `\n`, and some characters may not stand there.
    fn append(&mut self, range: Range<usize>, words: &mut String) -> Result<(), Fault> {
        let mut rest = self.utf8(range.clone())?;
        while let Some(special) = rest.find(|c| c == '\r' || !is_xml(c)) {
            let (plain, from) = rest.split_at(special);
            words.push_str(plain);
            rest = if let Some(after) = from.strip_prefix('\r') {
                words.push('\n');
                after.strip_prefix('\n').unwrap_or(after)
            } else if let Some(length) = colour(from.as_bytes()) {
                &from[length..]
            } else {
                let character = from.chars().next().unwrap_or_default();
                return Err(self.fault(range.end - from.len(), Problem::Forbidden { character }));
            };
        }
        words.push_str(rest);
        Ok(())
    }

    fn reference(&mut self) -> Result<char, Fault> {
        let begun = self.at;
        self.at += 1;
        let rest = self.rest();
        let window = &rest[..rest.len().min(MAX_REFERENCE_BYTES)];
        let length = window.iter().take_while(|byte| is_name(**byte) || **byte == b'#').count();
        self.count(length + 1);
        if length == 0 || window.get(length) != Some(&b';') {
            if length == rest.len() {
                return Err(self.ended());
            }
            return Err(self.fault(begun, Problem::BareAmpersand));
        }
        let name = self.utf8(self.at..self.at + length)?;
        let found = match name.strip_prefix('#') {
            Some(number) => numbered(number).ok_or_else(|| Problem::BadReference { reference: format!("&{name};") }),
            None => named(name).ok_or_else(|| Problem::UnknownEntity { name: name.to_owned() }),
        };
        let found = found.map_err(|problem| self.fault(begun, problem))?;
        self.at += length + 1;
        Ok(found)
    }

    fn begin(&mut self) -> Result<Event<'a>, Fault> {
        let begun = self.at;
        self.at += 1;
        let range = self.take_while(is_name);
        let name = self.utf8(range)?;
        if name == REPORT && !self.open.is_empty() {
            return Err(Fault { at: begun, resume: begun, problem: Problem::SecondReport });
        }
        let attributes = self.attributes(begun, name)?;
        if self.open.len() == MAX_DEPTH {
            return Err(self.fault(begun, Problem::TooDeep));
        }
        if self.elements == MAX_ELEMENTS {
            return Err(self.fault(begun, Problem::TooManyElements));
        }
        self.elements += 1;
        self.open.push(Open { name, at: begun });
        Ok(Event::Start { name, attributes, at: begun })
    }

    /// What stands between the name of a tag and the end of the tag.
    fn attributes(&mut self, begun: usize, element: &str) -> Result<Vec<Attribute<'a>>, Fault> {
        let mut attributes: Vec<Attribute<'a>> = Vec::new();
        loop {
            let before = self.at;
            self.skip_space();
            match self.rest() {
                [] | [b'/'] => return Err(self.ended()),
                [b'>', ..] => {
                    self.at += 1;
                    return Ok(attributes);
                }
                [b'/', b'>', ..] => {
                    self.at += 2;
                    self.is_empty = true;
                    return Ok(attributes);
                }
                [next, ..] if is_name_start(*next) && self.at > before => {
                    if attributes.len() == MAX_ATTRIBUTES {
                        return Err(self.fault(begun, Problem::TooManyAttributes));
                    }
                    let at = self.at;
                    let attribute = self.attribute(begun, element)?;
                    self.count(attributes.len() * attribute.name.len());
                    if attributes.iter().any(|known| known.name == attribute.name) {
                        return Err(self.fault(at, Problem::AttributeTwice { name: attribute.name.to_owned() }));
                    }
                    attributes.push(attribute);
                }
                [_, ..] => return Err(self.fault(begun, Problem::BadTag { name: element.to_owned() })),
            }
        }
    }

    fn attribute(&mut self, begun: usize, element: &str) -> Result<Attribute<'a>, Fault> {
        let bad = || Problem::BadTag { name: element.to_owned() };
        let range = self.take_while(is_name);
        let name = self.utf8(range)?;
        self.skip_space();
        if self.byte() == b'=' {
            self.at += 1;
            self.skip_space();
        } else if self.at < self.end {
            return Err(self.fault(begun, bad()));
        }
        let quote = self.byte();
        if self.at == self.end {
            return Err(self.ended());
        }
        if !matches!(quote, b'"' | b'\'') {
            return Err(self.fault(begun, bad()));
        }
        self.at += 1;
        let mut value = String::new();
        loop {
            match self.byte() {
                byte if byte == quote => break,
                b'&' => value.push(self.reference()?),
                b'<' => return Err(self.fault(self.at, Problem::BareLess)),
                _ if self.at == self.end => return Err(self.ended()),
                _ => self.value(quote, &mut value)?,
            }
        }
        self.at += 1;
        Ok(Attribute { name, value })
    }

    /// A stretch of an attribute's value, in which white space of any kind is a blank.
    fn value(&mut self, quote: u8, value: &mut String) -> Result<(), Fault> {
        let range = self.take_while(|byte| byte != quote && !matches!(byte, b'<' | b'&'));
        let words = self.utf8(range.clone())?;
        if let Some((inside, character)) = words.char_indices().find(|(_, c)| !is_xml(*c)) {
            return Err(self.fault(range.start + inside, Problem::Forbidden { character }));
        }
        let blanks = words.replace("\r\n", " ");
        value.extend(blanks.chars().map(|c| if matches!(c, '\t' | '\n' | '\r') { ' ' } else { c }));
        Ok(())
    }

    fn close(&mut self) -> Result<Event<'a>, Fault> {
        let begun = self.at;
        self.at += 2;
        let range = self.take_while(is_name);
        let name = self.utf8(range)?;
        self.skip_space();
        if self.at == self.end {
            return Err(self.ended());
        }
        if self.byte() != b'>' {
            return Err(self.fault(begun, Problem::BadTag { name: format!("/{name}") }));
        }
        self.at += 1;
        self.count(self.open.len());
        match self.open.pop() {
            Some(open) if open.name == name => Ok(Event::End),
            Some(open) if self.open.iter().any(|outer| outer.name == name) => {
                let (tag, outer) = (format!("<{}>", open.name), format!("</{name}>"));
                // A report that is closed is over, however its inside looks.
                let resume = if name == REPORT { begun } else { self.at };
                Err(Fault { at: open.at, resume, problem: Problem::NotClosedBefore { tag, outer } })
            }
            Some(_) | None => Err(self.fault(begun, Problem::ClosesNothing { name: name.to_owned() })),
        }
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// Letters beyond ASCII are taken without looking which: what they are makes no difference here.
fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'_' | b':') || !byte.is_ascii()
}

pub(super) fn is_name(byte: u8) -> bool {
    is_name_start(byte) || byte.is_ascii_digit() || matches!(byte, b'-' | b'.')
}

/// The characters that XML can hold.
pub(super) fn is_xml(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..)
}

fn named(name: &str) -> Option<char> {
    match name {
        "lt" => Some('<'),
        "gt" => Some('>'),
        "amp" => Some('&'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => None,
    }
}

fn numbered(number: &str) -> Option<char> {
    let (digits, radix) = number.strip_prefix('x').map_or((number, 10), |digits| (digits, 16));
    let is_number = digits.chars().all(|c| c.is_digit(radix));
    let code = u32::from_str_radix(digits, radix).ok().filter(|_| is_number)?;
    char::from_u32(code).filter(|c| is_xml(*c))
}

/// The length of a colour sequence of a terminal (`ESC [ 1 ; 32 m`) at the beginning of some text.
pub(super) fn colour(text: &[u8]) -> Option<usize> {
    let body = text.strip_prefix(b"\x1b[")?;
    let length = body.iter().take_while(|byte| matches!(byte, b'0'..=b'9' | b';' | b':')).count();
    (body.get(length) == Some(&b'm')).then_some(length + 3)
}
