//! The solar stamp: a moment as the place of the Sun on its way through the twelve signs, in years from one March equinox
//! to the next. Two models say where the Sun is; their stamps differ by some arc seconds and are not to be mixed, since
//! they would not sort. Year and sign never disagree, whatever the figures round to: the year turns exactly where the
//! sign does. Nothing here reads a clock.

mod chronos;
mod ephemeris;
mod text;

use std::fmt;

pub use text::{BadStamp, Form};

use crate::time::{civil, utc};

/// The first second that has a stamp, 1900-01-01, and the first one after that has none, 2101-01-01.
const FIRST: i64 = -2_208_988_800;
const END: i64 = 4_133_980_800;

/// What the year of a stamp is ahead of the calendar's, once the equinox has passed.
const YEARS_AHEAD: i64 = 3_894;

/// All seconds of arc of the circle, of a sign and of a degree.
const CIRCLE: u32 = 12 * SIGN;
const SIGN: u32 = 30 * DEGREE;
const DEGREE: u32 = 3_600;

/// Who says where the Sun is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Model {
    /// The figures of the `chronos` program, to the second. Up to 39″ off the true Sun.
    Chronos,
    /// The apparent place of the true Sun, within 0.2″.
    True,
}

impl Model {
    pub const ALL: [Self; 2] = [Self::Chronos, Self::True];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Chronos => "chronos",
            Self::True => "true",
        }
    }

    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|model| model.name() == name)
    }
}

/// The last field that is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Precision {
    Year,
    Sign,
    Degree,
    Minute,
    Second,
}

impl Precision {
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Year => "year",
            Self::Sign => "sign",
            Self::Degree => "degree",
            Self::Minute => "minute",
            Self::Second => "second",
        }
    }
}

/// A moment by the Sun. Every field is counted from 1, so that `60` is a minute and a second. The order of the fields is
/// the order of time. [`Stamp::at`] and [`Stamp::parse`] make stamps whose fields are all in range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stamp {
    pub year: i32,
    /// 1 is Aries, 12 is Pisces.
    pub sign: u8,
    pub degree: u8,
    pub minute: u8,
    pub second: u8,
}

impl Stamp {
    /// The stamp of a moment in seconds since 1970, UTC.
    pub fn at(unix_seconds: i64, model: Model) -> Result<Self, OutOfRange> {
        if !(FIRST..END).contains(&unix_seconds) {
            return Err(OutOfRange { unix_seconds });
        }
        let arc = whole_seconds(longitude(unix_seconds, model));
        let (year, month, _) = civil(unix_seconds.div_euclid(86_400));
        // In January the Sun stands near 280°. What is still in the second half of the circle then, is in the old year.
        let before_equinox = month <= 6 && arc >= CIRCLE / 2;
        let year = year + YEARS_AHEAD - i64::from(before_equinox);
        Ok(Self {
            year: i32::try_from(year).expect("the years of the range are four digits"),
            sign: counted(arc / SIGN),
            degree: counted(arc % SIGN / DEGREE),
            minute: counted(arc % DEGREE / 60),
            second: counted(arc % 60),
        })
    }
}

/// The place of the Sun in seconds of arc, from 0 up to a whole circle.
#[must_use]
pub fn arc_seconds(unix_seconds: i64, model: Model) -> f64 {
    longitude(unix_seconds, model) * 3_600.0
}

fn longitude(unix_seconds: i64, model: Model) -> f64 {
    let degrees = match model {
        Model::Chronos => chronos::longitude(unix_seconds),
        Model::True => ephemeris::longitude(unix_seconds),
    };
    degrees.rem_euclid(360.0)
}

/// Cut off, never rounded. A place that is so little before the equinox that its remainder is the whole circle counts as
/// the last second before it.
fn whole_seconds(degrees: f64) -> u32 {
    ((degrees * 3_600.0) as u32).min(CIRCLE - 1)
}

fn counted(from_zero: u32) -> u8 {
    u8::try_from(from_zero + 1).expect("no field goes beyond 60")
}

/// Julian centuries from the year 2000 to so many days after 1970.
fn centuries(days: f64) -> f64 {
    (2_440_587.5 + days - 2_451_545.0) / 36_525.0
}

/// A moment that has no stamp, since the figures are not good for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutOfRange {
    pub unix_seconds: i64,
}

impl OutOfRange {
    #[must_use]
    pub fn code(self) -> &'static str {
        "stamp-out-of-range"
    }
}

impl fmt::Display for OutOfRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Beyond these no calendar date is of help to anybody.
        match self.unix_seconds {
            seconds @ -62_135_596_800..=253_402_300_799 => write!(f, "{}", utc(seconds * 1_000))?,
            seconds => write!(f, "@{seconds}")?,
        }
        write!(f, " has no stamp. Name a moment from 1900-01-01 up to the end of 2100 (UTC).")
    }
}
