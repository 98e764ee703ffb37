//! A stretch of time and the parts it is told in. Days begin at midnight where the person is, weeks on Monday.

use std::fmt;

use crate::time::{Wall, utc};

const HOUR_MS: i64 = 3_600_000;
const DAY_MS: i64 = 24 * HOUR_MS;
const WEEK_MS: i64 = 7 * DAY_MS;
/// 1970 began on a Thursday.
const FIRST_MONDAY_MS: i64 = -3 * DAY_MS;
/// The most parts that a period is told in.
const BUCKETS: i64 = 2_000;
/// As far as places on Earth are from UTC.
const FARTHEST_MS: i64 = 14 * HOUR_MS;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bucket {
    Hour,
    Day,
    Week,
}

impl Bucket {
    pub const ALL: [Self; 3] = [Self::Hour, Self::Day, Self::Week];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Hour => "hour",
            Self::Day => "day",
            Self::Week => "week",
        }
    }

    #[must_use]
    pub fn length_ms(self) -> i64 {
        match self {
            Self::Hour => HOUR_MS,
            Self::Day => DAY_MS,
            Self::Week => WEEK_MS,
        }
    }

    fn origin_ms(self) -> i64 {
        match self {
            Self::Hour | Self::Day => 0,
            Self::Week => FIRST_MONDAY_MS,
        }
    }
}

/// From a moment up to another, which is no part of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period {
    from: Wall,
    to: Wall,
    bucket: Bucket,
    offset_ms: i64,
}

/// Why a period cannot be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PeriodProblem {
    Backwards { from: Wall, to: Wall },
    TooFine { bucket: Bucket, parts: i64 },
    NoZone { offset_ms: i64 },
}

impl PeriodProblem {
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Backwards { .. } => "bad-period",
            Self::TooFine { .. } => "too-many-parts",
            Self::NoZone { .. } => "bad-zone",
        }
    }
}

impl fmt::Display for PeriodProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Backwards { from, to } => {
                write!(
                    f,
                    "The period ends at {}, which is not after its beginning at {}. Name a later end.",
                    utc(to.0),
                    utc(from.0)
                )
            }
            Self::TooFine { bucket, parts } => {
                let wider = match bucket {
                    Bucket::Hour => "Tell it by day or week",
                    Bucket::Day => "Tell it by week",
                    Bucket::Week => "Name a later beginning",
                };
                write!(f, "The period has {parts} parts by {}, and at most {BUCKETS} are told. {wider}.", bucket.name())
            }
            Self::NoZone { offset_ms } => {
                let minutes = offset_ms / 60_000;
                write!(f, "No place is {minutes} minutes from UTC. Name at most 840 minutes, before or after.")
            }
        }
    }
}

impl Period {
    pub fn new(from: Wall, to: Wall, bucket: Bucket, offset_ms: i64) -> Result<Self, PeriodProblem> {
        if !(-FARTHEST_MS..=FARTHEST_MS).contains(&offset_ms) {
            return Err(PeriodProblem::NoZone { offset_ms });
        }
        if to <= from {
            return Err(PeriodProblem::Backwards { from, to });
        }
        let period = Self { from, to, bucket, offset_ms };
        let (first, last) = (period.bucket_of(from).0, period.bucket_of(Wall(to.0 - 1)).0);
        let parts = last.saturating_sub(first) / bucket.length_ms() + 1;
        if parts > BUCKETS {
            return Err(PeriodProblem::TooFine { bucket, parts });
        }
        Ok(period)
    }

    #[must_use]
    pub fn from(&self) -> Wall {
        self.from
    }

    #[must_use]
    pub fn to(&self) -> Wall {
        self.to
    }

    #[must_use]
    pub fn bucket(&self) -> Bucket {
        self.bucket
    }

    #[must_use]
    pub fn holds(&self, time: Wall) -> bool {
        self.from <= time && time < self.to
    }

    /// Where the part begins that a moment lies in; it may be before the period itself.
    #[must_use]
    pub fn bucket_of(&self, time: Wall) -> Wall {
        let length = self.bucket.length_ms();
        let shift = self.offset_ms - self.bucket.origin_ms();
        let into = (time.0.saturating_add(shift)).rem_euclid(length);
        Wall(time.0.saturating_sub(into))
    }

    /// Where every part of the period begins, also of those in which nothing happened.
    pub fn buckets(&self) -> impl Iterator<Item = Wall> + use<> {
        let (first, to, length) = (self.bucket_of(self.from).0, self.to.0, self.bucket.length_ms());
        std::iter::successors(Some(first), move |start| start.checked_add(length))
            .take_while(move |start| *start < to)
            .map(Wall)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2026-11-17, a Tuesday.
    const TUESDAY: i64 = 1_794_873_600_000;

    #[test]
    fn parts_begin_where_people_say_they_do() {
        let noon = TUESDAY + 12 * HOUR_MS + 34 * 60_000;
        for (bucket, offset_hours, expected) in [
            (Bucket::Hour, 0, "2026-11-17T12:00:00Z"),
            (Bucket::Day, 0, "2026-11-17T00:00:00Z"),
            (Bucket::Week, 0, "2026-11-16T00:00:00Z"),
            // Midnight in Tokyo is 15:00 in UTC, and it is evening there.
            (Bucket::Day, 9, "2026-11-16T15:00:00Z"),
            (Bucket::Week, 9, "2026-11-15T15:00:00Z"),
            (Bucket::Day, -5, "2026-11-17T05:00:00Z"),
        ] {
            let period = Period::new(Wall(TUESDAY), Wall(TUESDAY + DAY_MS), bucket, offset_hours * HOUR_MS).unwrap();
            assert_eq!(utc(period.bucket_of(Wall(noon)).0), expected, "{bucket:?} {offset_hours}");
        }
    }

    #[test]
    fn every_moment_of_a_period_lies_in_one_of_its_parts() {
        for bucket in Bucket::ALL {
            let (from, to) = (Wall(TUESDAY + 1_234_567), Wall(TUESDAY + 9 * DAY_MS + 7));
            let period = Period::new(from, to, bucket, 330 * 60_000).unwrap();
            let starts: Vec<Wall> = period.buckets().collect();
            assert!(starts.windows(2).all(|pair| pair[1].0 - pair[0].0 == bucket.length_ms()));
            for time in (from.0..to.0).step_by(12_345_678).chain([to.0 - 1]) {
                assert!(starts.contains(&period.bucket_of(Wall(time))), "{bucket:?} {time}");
            }
        }
    }

    #[test]
    fn a_period_that_cannot_be_told_is_named() {
        let problem = |from: i64, to: i64, bucket, offset_ms| {
            let problem = Period::new(Wall(from), Wall(to), bucket, offset_ms).unwrap_err();
            format!("{}: {problem}", problem.code())
        };
        assert_eq!(
            problem(TUESDAY, TUESDAY, Bucket::Day, 0),
            "bad-period: The period ends at 2026-11-17T00:00:00Z, which is not after its beginning at 2026-11-17T00:00:00Z. \
             Name a later end."
        );
        assert_eq!(
            problem(0, TUESDAY, Bucket::Hour, 0),
            "too-many-parts: The period has 498576 parts by hour, and at most 2000 are told. Tell it by day or week."
        );
        assert_eq!(
            problem(0, TUESDAY, Bucket::Day, 15 * HOUR_MS),
            "bad-zone: No place is 900 minutes from UTC. Name at most 840 minutes, before or after."
        );
        problem(i64::MIN, i64::MAX, Bucket::Week, 0);
    }
}
