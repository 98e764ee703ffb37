//! Why something that looks like a report is none. Each problem is a sentence that names what stands there and what to
//! write instead, because it goes back to the agent or script that wrote it.

use std::fmt;

use super::read::MAX_FIELD_BYTES;
use super::xml::{MAX_ATTRIBUTES, MAX_DEPTH, MAX_ELEMENTS, MAX_REPORT_BYTES};
use crate::text::quoted;

/// A report that cannot be read, and where. Lines and columns count from 1; a column is a character, not a byte.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadReport {
    pub line: usize,
    pub column: usize,
    pub problem: Problem,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    /// The text ends inside it: a tag such as `<summary>`, `<!--` or `<![CDATA[`.
    Unclosed {
        tag: String,
    },
    /// Something else is closed before it is.
    NotClosedBefore {
        tag: String,
        outer: String,
    },
    ClosesNothing {
        name: String,
    },
    SecondReport,
    BareLess,
    BareAmpersand,
    UnknownEntity {
        name: String,
    },
    BadReference {
        reference: String,
    },
    Forbidden {
        character: char,
    },
    NotUtf8,
    BadTag {
        name: String,
    },
    AttributeTwice {
        name: String,
    },
    Declaration,
    Instruction,
    CommentDashes,
    SectionEnd,
    TooLong,
    TooDeep,
    TooManyElements,
    TooManyAttributes,
    FieldTooLong {
        name: &'static str,
    },
    NoStatus,
    BadStatus {
        value: String,
    },
    Twice {
        name: &'static str,
    },
    NamelessMetric,
    NoQuestion,
}

impl fmt::Display for BadReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.problem)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unclosed { tag } => {
                write!(f, "the text ends before {} is closed. Write all of the report.", quoted(tag))
            }
            Self::NotClosedBefore { tag, outer } => write!(
                f,
                "{} is not closed before {}. Close it, or write &lt; for its < if it is meant as text.",
                quoted(tag),
                quoted(outer)
            ),
            Self::ClosesNothing { name } => {
                write!(f, "{} closes nothing that is open. Leave it out.", quoted(&format!("</{name}>")))
            }
            Self::SecondReport => {
                f.write_str("another report begins before this one is closed. Write </agent_completion> before it.")
            }
            Self::BareLess => f.write_str("a < that begins no tag. Write &lt; for it."),
            Self::BareAmpersand => f.write_str("a & that begins no entity. Write &amp; for it."),
            Self::UnknownEntity { name } => write!(
                f,
                "the entity {} is not known here, only lt, gt, amp, quot and apos are. Write the character itself.",
                quoted(name)
            ),
            Self::BadReference { reference } => {
                write!(f, "{} stands for no character that XML can hold. Leave it out.", quoted(reference))
            }
            Self::Forbidden { character } => write!(
                f,
                "the character U+{:04X} cannot stand in XML. Leave it out, or spell it.",
                u32::from(*character)
            ),
            Self::NotUtf8 => f.write_str("bytes that are not UTF-8. Write the report in UTF-8."),
            Self::BadTag { name } => write!(
                f,
                "{} does not go on as a tag does. Write attributes as name=\"value\", and &lt; for a < that is meant as \
                 text.",
                quoted(&format!("<{name}"))
            ),
            Self::AttributeTwice { name } => write!(f, "the attribute {} is given twice. Give it once.", quoted(name)),
            Self::Declaration => f.write_str(
                "a declaration (<!DOCTYPE, <!ENTITY or the like): reports have none. Leave it out, or write &lt; for its \
                 < if it is meant as text.",
            ),
            Self::Instruction => f.write_str(
                "a processing instruction (<?): reports have none. Leave it out, or write &lt; for its < if it is meant \
                 as text.",
            ),
            Self::CommentDashes => f.write_str("a comment holds --. Leave one of them out."),
            Self::SectionEnd => f.write_str("]]> stands in text. Write ]]&gt; for it."),
            Self::TooLong => write!(f, "it is longer than {MAX_REPORT_BYTES} bytes. Write a shorter report."),
            Self::TooDeep => write!(f, "its elements are nested more than {MAX_DEPTH} deep. Write a flatter report."),
            Self::TooManyElements => write!(f, "it has more than {MAX_ELEMENTS} elements. Write fewer."),
            Self::TooManyAttributes => {
                write!(f, "an element has more than {MAX_ATTRIBUTES} attributes. Write fewer.")
            }
            Self::FieldTooLong { name } => {
                write!(f, "<{name}> has more than {MAX_FIELD_BYTES} bytes of text. Write less.")
            }
            Self::NoStatus => f.write_str(
                "it has no <status>. Write <status>completed</status>, <status>partial</status> or \
                 <status>blocked</status>.",
            ),
            Self::BadStatus { value } => {
                write!(f, "the status {} is unknown. Write completed, partial or blocked.", quoted(value))
            }
            Self::Twice { name } => write!(f, "<{name}> stands there twice. Write it once."),
            Self::NamelessMetric => f.write_str("a metric without a name. Write <metric name=\"…\">."),
            Self::NoQuestion => f.write_str("a decision without a question. Write <question> in it."),
        }
    }
}
