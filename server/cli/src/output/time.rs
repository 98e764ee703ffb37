//! Times for people: UTC on the calendar, and ages.

use augment_core::time::{civil, show_duration_ms};

/// `2026-11-16 10:00:05Z`.
pub(crate) fn utc(ms: i64) -> String {
    let seconds = ms.div_euclid(1_000);
    let (days, of_day) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let (year, month, day) = civil(days);
    format!("{year:04}-{month:02}-{day:02} {:02}:{:02}:{:02}Z", of_day / 3_600, of_day / 60 % 60, of_day % 60)
}

/// How long ago, in the largest unit that is not 0: `5s`, `12m`, `3h`, `9d`.
pub(crate) fn age(since_ms: i64, now_ms: i64) -> String {
    let seconds = now_ms.saturating_sub(since_ms).max(0) / 1_000;
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3_600 => format!("{}m", seconds / 60),
        3_600..86_400 => format!("{}h", seconds / 3_600),
        _ => format!("{}d", seconds / 86_400),
    }
}

/// A moment with its age, where the age says more than the calendar.
pub(crate) fn with_age(ms: i64, now_ms: i64) -> String {
    format!("{} ({} ago)", utc(ms), age(ms, now_ms))
}

/// A length of time as it can be typed, without the milliseconds of a long one.
pub(crate) fn length(ms: i64) -> String {
    let whole = if ms >= 1_000 { ms - ms % 1_000 } else { ms };
    show_duration_ms(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_told_in_utc() {
        for (ms, expected) in [
            (0, "1970-01-01 00:00:00Z"),
            (1_794_823_205_000, "2026-11-16 10:00:05Z"),
            (1_709_208_000_999, "2024-02-29 12:00:00Z"),
            (951_868_799_000, "2000-02-29 23:59:59Z"),
            (-1, "1969-12-31 23:59:59Z"),
            (4_102_444_800_000, "2100-01-01 00:00:00Z"),
        ] {
            assert_eq!(utc(ms), expected);
        }
    }

    #[test]
    fn ages_have_one_unit_and_never_lie_in_the_future() {
        for (ms, expected) in [
            (0, "0s"),
            (-5_000, "0s"),
            (59_999, "59s"),
            (60_000, "1m"),
            (3_599_000, "59m"),
            (7_200_000, "2h"),
            (86_400_000 * 40, "40d"),
        ] {
            assert_eq!(age(1_000, 1_000 + ms), expected);
        }
    }

    #[test]
    fn lengths_leave_out_stray_milliseconds() {
        assert_eq!(length(59_123), "59s");
        assert_eq!(length(60_000), "1m");
        assert_eq!(length(250), "250ms");
        assert_eq!(length(0), "0ms");
    }
}
