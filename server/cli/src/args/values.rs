//! Values as people type them: durations, moments, and text that may come from stdin.

use std::io::Read;

use augment_core::text::quoted;
use augment_core::time::parse_duration_ms;

/// The most that is read from stdin for one text. The core's own limits are lower and told by the core.
const STDIN_LIMIT: u64 = 1024 * 1024;

/// A duration in milliseconds.
pub(super) fn duration_ms(text: &str) -> Result<i64, String> {
    parse_duration_ms(text).ok_or_else(|| {
        format!("{} is not a duration. Use for example 90s, 30m or 2h; a bare number is minutes", quoted(text))
    })
}

/// A duration where nothing, or 0, takes away what was set.
pub(super) fn clearable_duration_ms(text: &str) -> Result<i64, String> {
    if text.trim().is_empty() { Ok(0) } else { duration_ms(text) }
}

/// How many to show: none would be an answer without a question.
pub(super) fn how_many(text: &str) -> Result<u32, String> {
    let number = text.trim().parse::<u32>().ok().filter(|number| *number > 0);
    number.ok_or_else(|| format!("{} is no number of things to show. Use a whole number from 1 on", quoted(text)))
}

/// `name=value`; only the first `=` counts.
pub(super) fn named_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, _)) if name.trim().is_empty() => {
            Err(format!("{} has no name. Use for example files_modified=3", quoted(text)))
        }
        Some((name, value)) if !value.trim().is_empty() => Ok((name.trim().to_owned(), value.trim().to_owned())),
        Some(_) | None => Err(format!("{} has no value. Use for example files_modified=3", quoted(text))),
    }
}

/// Lines of a file, counted from 1, both ends among them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LineRange {
    pub(crate) first: u32,
    pub(crate) last: u32,
}

/// `10-20`, `10-` for all from there on, or `10` for one line.
pub(super) fn line_range(text: &str) -> Result<LineRange, String> {
    let number = |text: &str| text.trim().parse::<u32>().ok().filter(|number| *number > 0);
    let range = match text.split_once('-') {
        None => number(text).map(|line| (line, line)),
        Some((first, "")) => number(first).map(|first| (first, u32::MAX)),
        Some((first, last)) => number(first).zip(number(last)),
    };
    match range {
        Some((first, last)) if first <= last => Ok(LineRange { first, last }),
        Some(_) | None => {
            Err(format!("{} are no lines. Use for example 10-20, 10- or 10, counted from 1", quoted(text)))
        }
    }
}

/// A point in time as it was typed: either one on the calendar or so long before now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Moment {
    At { ms: i64 },
    Ago { ms: i64 },
}

impl Moment {
    /// Milliseconds since 1970.
    pub(crate) fn resolve(self, now_ms: i64) -> i64 {
        match self {
            Self::At { ms } => ms,
            Self::Ago { ms } => now_ms.saturating_sub(ms),
        }
    }
}

/// `2h` and the like for so long ago, else a date, with or without a time. Where no zone is said it is UTC, as in all output.
pub(super) fn moment(text: &str) -> Result<Moment, String> {
    let typed = text.trim();
    let has_unit = typed.bytes().last().is_some_and(|b| b.is_ascii_alphabetic());
    if has_unit && let Some(ms) = parse_duration_ms(typed) {
        return Ok(Moment::Ago { ms });
    }
    read_calendar(typed).map(|ms| Moment::At { ms }).ok_or_else(|| {
        format!(
            "{} is not a point in time. Use for example 2h (ago), 2026-11-16 or 2026-11-16T10:00 (UTC)",
            quoted(text)
        )
    })
}

/// A moment, or seconds since 1970 with an @ before them.
pub(super) fn unix_or_moment(text: &str) -> Result<Moment, String> {
    let Some(seconds) = text.trim().strip_prefix('@') else {
        return moment(text).map_err(|error| format!("{error}, or @1771678633 (seconds since 1970)"));
    };
    let ms = seconds.parse::<i64>().ok().and_then(|seconds| seconds.checked_mul(1_000));
    ms.map(|ms| Moment::At { ms })
        .ok_or_else(|| format!("{} is no number of seconds since 1970. Use for example @1771678633", quoted(text)))
}

fn read_calendar(text: &str) -> Option<i64> {
    let (date, rest) = match text.find(['T', 't', ' ']) {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    };
    let mut parts = date.split('-');
    let (year, month, day) = (digits(parts.next()?, 4)?, digits(parts.next()?, 2)?, digits(parts.next()?, 2)?);
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let month_days = match month {
        2 => 28 + i64::from(leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    if parts.next().is_some() || !(1..=month_days).contains(&day) {
        return None;
    }
    let of_day = rest.map_or(Some(0), read_time_of_day)?;
    Some(augment_core::time::day_of(year, month, day) * 86_400_000 + of_day)
}

/// Milliseconds from the day's start in UTC; may lie outside of the day when a zone is said.
fn read_time_of_day(text: &str) -> Option<i64> {
    let (clock, zone_ms) = match text.find(['Z', 'z', '+', '-']) {
        None => (text, 0),
        Some(at) => (&text[..at], read_zone(&text[at..])?),
    };
    let (clock, fraction) = clock.split_once('.').map_or((clock, None), |(clock, fraction)| (clock, Some(fraction)));
    let mut parts = clock.split(':');
    let (hours, minutes) = (digits(parts.next()?, 2)?, digits(parts.next()?, 2)?);
    let seconds = parts.next().map_or(Some(0), |seconds| digits(seconds, 2))?;
    if parts.next().is_some() || hours > 23 || minutes > 59 || seconds > 59 {
        return None;
    }
    let fraction_ms = match fraction {
        None => 0,
        Some(fraction) if !fraction.is_empty() && fraction.bytes().all(|b| b.is_ascii_digit()) => {
            let three: String = fraction.chars().chain("000".chars()).take(3).collect();
            three.parse().ok()?
        }
        Some(_) => return None,
    };
    Some(((hours * 60 + minutes) * 60 + seconds) * 1_000 + fraction_ms - zone_ms)
}

fn read_zone(text: &str) -> Option<i64> {
    let (sign, rest) = match text.split_at(1) {
        ("Z" | "z", "") => return Some(0),
        ("+", rest) => (1, rest),
        ("-", rest) => (-1, rest),
        _ => return None,
    };
    let (hours, minutes) = rest.split_once(':')?;
    let (hours, minutes) = (digits(hours, 2)?, digits(minutes, 2)?);
    (hours <= 23 && minutes <= 59).then_some(sign * (hours * 60 + minutes) * 60_000)
}

fn digits(text: &str, count: usize) -> Option<i64> {
    (text.len() == count && text.bytes().all(|b| b.is_ascii_digit())).then(|| text.parse().ok()).flatten()
}

/// All of stdin as one text, without the line breaks that end it. Bounded; a text that is too long or not UTF-8 is told.
pub(crate) fn bounded_stdin(stdin: impl Read) -> Result<String, String> {
    let mut bytes = Vec::new();
    stdin.take(STDIN_LIMIT + 1).read_to_end(&mut bytes).map_err(|error| format!("Stdin cannot be read: {error}."))?;
    if bytes.len() as u64 > STDIN_LIMIT {
        return Err(format!("The text from stdin is longer than {STDIN_LIMIT} bytes. Shorten it."));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        format!(
            "The text from stdin is not UTF-8 (at byte {}). Convert it first.",
            error.utf8_error().valid_up_to() + 1
        )
    })?;
    Ok(text.trim_end_matches('\n').to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_that_are_none_are_told_with_examples() {
        assert_eq!(duration_ms("30m"), Ok(1_800_000));
        assert_eq!(duration_ms("30"), Ok(1_800_000));
        assert_eq!(
            duration_ms("so\u{1b}on").unwrap_err(),
            "\"so\\u{1b}on\" is not a duration. Use for example 90s, 30m or 2h; a bare number is minutes"
        );
        assert_eq!(clearable_duration_ms(""), Ok(0));
    }

    #[test]
    fn lines_are_counted_from_one() {
        assert_eq!(line_range("10-20"), Ok(LineRange { first: 10, last: 20 }));
        assert_eq!(line_range("7"), Ok(LineRange { first: 7, last: 7 }));
        assert_eq!(line_range("7-"), Ok(LineRange { first: 7, last: u32::MAX }));
        for wrong in ["", "-", "0-3", "9-3", "-3", "a-b", "1-2-3"] {
            assert!(line_range(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn moments_are_dates_or_durations_ago() {
        let at = |ms| Ok(Moment::At { ms });
        let cases = [
            ("1970-01-01", at(0)),
            ("2026-11-16", at(1_794_787_200_000)),
            ("2026-11-16T10:00", at(1_794_823_200_000)),
            ("2026-11-16 10:00:05", at(1_794_823_205_000)),
            ("2026-11-16T10:00:05.25Z", at(1_794_823_205_250)),
            ("2026-11-16 10:00:05Z", at(1_794_823_205_000)),
            ("2026-11-16T12:00:05+02:00", at(1_794_823_205_000)),
            ("2026-11-15T23:30-01:00", at(1_794_789_000_000)),
            ("2024-02-29", at(1_709_164_800_000)),
            ("1969-12-31", at(-86_400_000)),
            ("2h", Ok(Moment::Ago { ms: 7_200_000 })),
            (" 90s ", Ok(Moment::Ago { ms: 90_000 })),
        ];
        for (text, expected) in cases {
            assert_eq!(moment(text), expected, "{text}");
        }
        for wrong in [
            "",
            "2026",
            "2026-13-01",
            "2023-02-29",
            "2026-11-16T",
            "2026-11-16T25:00",
            "2026-11-16T10",
            "yesterday",
            "+2h",
        ] {
            assert!(moment(wrong).is_err(), "{wrong}");
        }
        assert_eq!(Moment::Ago { ms: 500 }.resolve(2_000), 1_500);
    }

    #[test]
    fn moments_are_also_seconds_since_1970() {
        assert_eq!(unix_or_moment("@1771678633"), Ok(Moment::At { ms: 1_771_678_633_000 }));
        assert_eq!(unix_or_moment("@-5"), Ok(Moment::At { ms: -5_000 }));
        assert_eq!(unix_or_moment("1970-01-01"), Ok(Moment::At { ms: 0 }));
        for wrong in ["@", "@1.5", "@soon", "@9223372036854775807", "1771678633", "soon"] {
            let said = unix_or_moment(wrong).unwrap_err();
            assert!(said.starts_with(&format!("\"{wrong}\" is no")) && said.contains("@1771678633"), "{said}");
        }
    }

    #[test]
    fn text_from_stdin_is_bounded_and_keeps_its_inner_lines() {
        assert_eq!(bounded_stdin(&b"one\n\ntwo\n\n"[..]), Ok("one\n\ntwo".to_owned()));
        assert_eq!(
            bounded_stdin(&b"ok\xff"[..]).unwrap_err(),
            "The text from stdin is not UTF-8 (at byte 3). Convert it first."
        );
        assert_eq!(
            bounded_stdin(std::io::repeat(b'x')).unwrap_err(),
            "The text from stdin is longer than 1048576 bytes. Shorten it."
        );
    }
}
