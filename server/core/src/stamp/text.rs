//! Stamps as text: how they are written, and how they are read back. What is read is bounded, and a value that cannot be
//! is told by its name and never brought into range.

use std::fmt;

use super::{Precision, Stamp};

/// The signs from Aries to Pisces, each written with U+FE0E so that no terminal makes a picture of it.
const SIGNS: [char; 12] = ['♈', '♉', '♊', '♋', '♌', '♍', '♎', '♏', '♐', '♑', '♒', '♓'];
const AS_TEXT: char = '\u{fe0e}';

/// How long a text may be that is read as a stamp, in bytes; the longest that is one has less than half of it.
const TEXT_LIMIT: usize = 100;
/// How many digits are read as one number.
const DIGITS: usize = 4;

/// How a stamp is written, and what is left of it when it is cut after a field:
///
/// | | second | minute | degree | sign | year |
/// | --- | --- | --- | --- | --- | --- |
/// | line | `♓︎.5.4.47 5919AM` | `♓︎.5.4 5919AM` | `♓︎.5 5919AM` | `♓︎ 5919AM` | `5919AM` |
/// | am | `5919.12.5.4.47` | `5919.12.5.4` | `5919.12.5` | `5919.12` | `5919` |
/// | unicode | `♓︎5°4'47" \| 5919 AM` | `♓︎5°4' \| 5919 AM` | `♓︎5° \| 5919 AM` | `♓︎ \| 5919 AM` | `5919 AM` |
/// | numeric | `591912050447` | `5919120504` | `59191205` | `591912` | `5919` |
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Form {
    Line,
    Am,
    Unicode,
    /// Sorts as text does, for names of files.
    Numeric,
}

impl Form {
    pub const ALL: [Self; 4] = [Self::Line, Self::Am, Self::Unicode, Self::Numeric];
}

impl Stamp {
    /// The stamp in a form, cut after a field.
    #[must_use]
    pub fn text(&self, form: Form, precision: Precision) -> String {
        let Self { year, sign, degree, minute, second } = self;
        let glyph = self.glyph();
        match form {
            Form::Line => match precision {
                Precision::Year => format!("{year}AM"),
                Precision::Sign => format!("{glyph} {year}AM"),
                Precision::Degree => format!("{glyph}.{degree} {year}AM"),
                Precision::Minute => format!("{glyph}.{degree}.{minute} {year}AM"),
                Precision::Second => format!("{glyph}.{degree}.{minute}.{second} {year}AM"),
            },
            Form::Am => match precision {
                Precision::Year => format!("{year}"),
                Precision::Sign => format!("{year}.{sign}"),
                Precision::Degree => format!("{year}.{sign}.{degree}"),
                Precision::Minute => format!("{year}.{sign}.{degree}.{minute}"),
                Precision::Second => format!("{year}.{sign}.{degree}.{minute}.{second}"),
            },
            Form::Unicode => match precision {
                Precision::Year => format!("{year} AM"),
                Precision::Sign => format!("{glyph} | {year} AM"),
                Precision::Degree => format!("{glyph}{degree}° | {year} AM"),
                Precision::Minute => format!("{glyph}{degree}°{minute}' | {year} AM"),
                Precision::Second => format!("{glyph}{degree}°{minute}'{second}\" | {year} AM"),
            },
            Form::Numeric => match precision {
                Precision::Year => format!("{year:04}"),
                Precision::Sign => format!("{year:04}{sign:02}"),
                Precision::Degree => format!("{year:04}{sign:02}{degree:02}"),
                Precision::Minute => format!("{year:04}{sign:02}{degree:02}{minute:02}"),
                Precision::Second => format!("{year:04}{sign:02}{degree:02}{minute:02}{second:02}"),
            },
        }
    }

    fn glyph(&self) -> String {
        let sign = usize::from(self.sign).checked_sub(1).and_then(|at| SIGNS.get(at));
        sign.map_or_else(|| self.sign.to_string(), |sign| format!("{sign}{AS_TEXT}"))
    }

    /// Reads a whole stamp in any form that is written here, with or without U+FE0E, and with `solar:` before it as older
    /// session commits have it.
    pub fn parse(text: &str) -> Result<Self, BadStamp> {
        if text.len() > TEXT_LIMIT {
            return Err(BadStamp::TooLong { bytes: text.len() });
        }
        let text = text.trim();
        let text = text.strip_prefix("solar:").map_or(text, str::trim_start);
        let mut rest = text.chars();
        let sign = rest.next().and_then(|first| (1..).zip(SIGNS).find(|(_, sign)| *sign == first));
        let fields = match sign {
            Some((sign, _)) => {
                let rest = rest.as_str();
                after_sign(sign, rest.strip_prefix(AS_TEXT).unwrap_or(rest))
            }
            None if text.len() > DIGITS && text.bytes().all(|byte| byte.is_ascii_digit()) => numeric(text),
            None => dotted(text),
        };
        fields.ok_or(BadStamp::NotOne)?.stamp()
    }
}

impl fmt::Display for Stamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(Form::Line, Precision::Second))
    }
}

/// What was read, not yet held against what can be.
#[derive(Default)]
struct Fields {
    year: Option<u32>,
    sign: Option<u32>,
    degree: Option<u32>,
    minute: Option<u32>,
    second: Option<u32>,
}

impl Fields {
    fn stamp(self) -> Result<Stamp, BadStamp> {
        let year = in_range(Precision::Year, self.year, 9_999, Precision::Year)?;
        let sign = in_range(Precision::Sign, self.sign, 12, Precision::Year)?;
        let degree = in_range(Precision::Degree, self.degree, 30, Precision::Sign)?;
        let minute = in_range(Precision::Minute, self.minute, 60, Precision::Degree)?;
        let second = in_range(Precision::Second, self.second, 60, Precision::Minute)?;
        Ok(Stamp { year, sign, degree, minute, second })
    }
}

fn in_range<T: TryFrom<u32>>(
    field: Precision,
    value: Option<u32>,
    high: u32,
    field_before: Precision,
) -> Result<T, BadStamp> {
    let value = value.ok_or(BadStamp::Cut { after: field_before })?;
    let bad = BadStamp::Field { field, value, high };
    if (1..=high).contains(&value) { T::try_from(value).map_err(|_| bad) } else { Err(bad) }
}

/// `.5.4.47 5919AM` or `5°4'47" | 5919 AM`, what follows the sign.
fn after_sign(sign: u32, rest: &str) -> Option<Fields> {
    let (place, year) = match rest.split_once('|') {
        Some((place, year)) => (place.trim_end(), year.trim_start()),
        None => rest.split_once(' ')?,
    };
    let year = Some(number(year.strip_suffix("AM")?.trim_end())?);
    let mut fields = Fields { year, sign: Some(sign), ..Fields::default() };
    if place.is_empty() {
        return Some(fields);
    }
    if let Some(dots) = place.strip_prefix('.') {
        let mut numbers = dots.split('.').map(number);
        fields.degree = Some(numbers.next()??);
        fields.minute = numbers.next().map_or(Some(None), |minute| minute.map(Some))?;
        fields.second = numbers.next().map_or(Some(None), |second| second.map(Some))?;
        return numbers.next().is_none().then_some(fields);
    }
    let (degree, rest) = place.split_once('°')?;
    fields.degree = Some(number(degree)?);
    if rest.is_empty() {
        return Some(fields);
    }
    let (minute, rest) = rest.split_once('\'')?;
    fields.minute = Some(number(minute)?);
    if !rest.is_empty() {
        fields.second = Some(number(rest.strip_suffix('"')?)?);
    }
    Some(fields)
}

/// `5919.12.5.4.47`. A year by itself may have its AM.
fn dotted(text: &str) -> Option<Fields> {
    let text = text.strip_suffix("AM").map_or(text, str::trim_end);
    let numbers: Vec<u32> = text.split('.').map(number).collect::<Option<_>>()?;
    let at = |at: usize| numbers.get(at).copied();
    let fields = Fields { year: at(0), sign: at(1), degree: at(2), minute: at(3), second: at(4) };
    (numbers.len() <= 5).then_some(fields)
}

/// `591912050447`: four digits, then two for each field.
fn numeric(digits: &str) -> Option<Fields> {
    let two = |at: usize| digits.get(at..at + 2).and_then(number);
    let fields = Fields {
        year: digits.get(..4).and_then(number),
        sign: two(4),
        degree: two(6),
        minute: two(8),
        second: two(10),
    };
    matches!(digits.len(), 6 | 8 | 10 | 12).then_some(fields)
}

fn number(digits: &str) -> Option<u32> {
    let is_number = (1..=DIGITS).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| digits.parse().ok()).flatten()
}

/// Why a text is not read as a stamp.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BadStamp {
    TooLong {
        bytes: usize,
    },
    /// It has none of the forms.
    NotOne,
    /// It ends before the second, so it is no moment.
    Cut {
        after: Precision,
    },
    Field {
        field: Precision,
        value: u32,
        high: u32,
    },
}

impl BadStamp {
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::TooLong { .. } => "stamp-too-long",
            Self::NotOne => "not-a-stamp",
            Self::Cut { .. } => "stamp-cut",
            Self::Field { .. } => "stamp-field",
        }
    }
}

impl fmt::Display for BadStamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong { bytes } => write!(f, "{bytes} bytes are more than a stamp has. Name one stamp by itself"),
            Self::NotOne => {
                write!(f, "This is no stamp. Write it like ♓\u{fe0e}.5.4.47 5919AM, 5919.12.5.4.47 or 591912050447")
            }
            Self::Cut { after } => {
                write!(f, "The stamp ends with its {}. Name every field down to the second", after.name())
            }
            Self::Field { field, value, high } => write!(f, "{} {value}: counted from 1 to {high}", field.name()),
        }
    }
}
