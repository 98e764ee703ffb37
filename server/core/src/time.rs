//! Time as the core is told it. Nothing here reads a clock.

/// Milliseconds since 1970 by the wall clock: for people to read, never to measure with, since it may jump.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Wall(pub i64);

/// Milliseconds by a clock that never jumps and stands still while the machine sleeps. Two readings can be compared
/// only within one boot of the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Steady(pub i64);

impl Steady {
    #[must_use]
    pub fn plus_ms(self, ms: i64) -> Self {
        Self(self.0.saturating_add(ms))
    }

    #[must_use]
    pub fn ms_since(self, earlier: Self) -> i64 {
        self.0.saturating_sub(earlier.0)
    }
}

/// Which boot of the machine a `Steady` reading belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Boot(pub String);

/// The moment of one turn: every decision of the turn sees the same one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Now {
    pub wall: Wall,
    pub steady: Steady,
    pub boot: Boot,
}

/// The day of a moment on the calendar of UTC: `2026-02-28`.
#[must_use]
pub fn date(ms: i64) -> String {
    let (year, month, day) = civil(ms.div_euclid(86_400_000));
    format!("{year:04}-{month:02}-{day:02}")
}

/// A moment as records for programs write it, in UTC and to the second: `2026-02-28T10:00:00Z`.
#[must_use]
pub fn utc(ms: i64) -> String {
    let second = ms.div_euclid(1_000).rem_euclid(86_400);
    format!("{}T{:02}:{:02}:{:02}Z", date(ms), second / 3_600, second / 60 % 60, second % 60)
}

/// Year, month and day of a day since 1970, by counting from March so that the leap day comes last.
#[must_use]
pub fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march_month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * march_month + 2) / 5 + 1;
    let month = (march_month + 2) % 12 + 1;
    let year = era * 400 + year_of_era + i64::from(month <= 2);
    (year, month, day)
}

/// The day since 1970 of a date; of one that is not on the calendar, another day.
#[must_use]
pub fn day_of(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// A duration as people write it: `90s`, `30m`, `2h`, and a bare number of minutes.
pub fn parse_duration_ms(text: &str) -> Option<i64> {
    let text = text.trim();
    let (digits, unit_ms) = match text.char_indices().find(|(_, c)| !c.is_ascii_digit()) {
        None => (text, 60_000),
        Some((at, _)) => {
            let unit_ms = match &text[at..] {
                "ms" => 1,
                "s" => 1_000,
                "m" => 60_000,
                "h" => 3_600_000,
                "d" => 86_400_000,
                _ => return None,
            };
            (&text[..at], unit_ms)
        }
    };
    let count: i64 = digits.parse().ok()?;
    count.checked_mul(unit_ms)
}

/// The shortest exact way to write a duration that `parse_duration_ms` reads back.
#[must_use]
pub fn show_duration_ms(ms: i64) -> String {
    for (unit_ms, unit) in [(86_400_000, "d"), (3_600_000, "h"), (60_000, "m"), (1_000, "s")] {
        if ms != 0 && ms % unit_ms == 0 {
            return format!("{}{unit}", ms / unit_ms);
        }
    }
    format!("{ms}ms")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_read_as_people_write_them() {
        let cases = [
            ("90s", Some(90_000)),
            ("30m", Some(1_800_000)),
            ("2h", Some(7_200_000)),
            ("30", Some(1_800_000)),
            ("250ms", Some(250)),
            ("1d", Some(86_400_000)),
            ("", None),
            ("m", None),
            ("-5m", None),
            ("1.5h", None),
            ("99999999999999999999h", None),
            ("9223372036854775807h", None),
        ];
        for (text, expected) in cases {
            assert_eq!(parse_duration_ms(text), expected, "{text}");
        }
    }

    #[test]
    fn shown_durations_read_back() {
        for ms in [1, 999, 1_000, 90_000, 1_800_000, 7_200_000, 86_400_000, 86_400_001] {
            assert_eq!(parse_duration_ms(&show_duration_ms(ms)), Some(ms));
        }
    }
}
