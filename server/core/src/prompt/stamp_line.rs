//! A solar stamp as it stands in a line of text. Only its shape is looked at, in every form that session commits have; what
//! moment it means is not asked here.

/// The signs, from Aries to Pisces.
const SIGNS: std::ops::RangeInclusive<char> = '\u{2648}'..='\u{2653}';
/// What makes a sign be shown as text.
const AS_TEXT: char = '\u{fe0e}';
/// Longer lines are no stamps.
const LINE_LIMIT: usize = 64;

/// The five numbers of a stamp: year, sign, degree, minute, second.
type Fields = [u32; 5];

/// Whether a line is a stamp in the form that is written: `♓︎.5.4.47 5919AM`.
#[must_use]
pub fn looks_like_stamp(line: &str) -> bool {
    fields(line).is_some_and(|fields| line == written(fields))
}

/// The twelve digits of a stamp in any form, which names of files begin with: `591912050447`.
#[must_use]
pub fn stamp_digits(line: &str) -> Option<String> {
    let [year, sign, degree, minute, second] = fields(line)?;
    Some(format!("{year:04}{sign:02}{degree:02}{minute:02}{second:02}"))
}

/// The stamp that a line of a session's commit tells, as it stands there, without the word in front of it.
pub(super) fn told_by(line: &str) -> Option<&str> {
    let line = line.trim();
    let stamp = match line.split_once(':') {
        Some((word, rest)) if word.eq_ignore_ascii_case("solar") => rest.trim(),
        Some(_) | None => line,
    };
    fields(stamp).is_some().then_some(stamp)
}

fn written([year, sign, degree, minute, second]: Fields) -> String {
    let letter = u32::from(*SIGNS.start()).checked_add(sign.saturating_sub(1)).and_then(char::from_u32);
    format!("{}{AS_TEXT}.{degree}.{minute}.{second} {year}AM", letter.unwrap_or(*SIGNS.start()))
}

fn fields(line: &str) -> Option<Fields> {
    if line.len() > LINE_LIMIT {
        return None;
    }
    let mut letters = line.chars();
    let found = match letters.next()? {
        sign if SIGNS.contains(&sign) => {
            let sign = u32::from(sign) - u32::from(*SIGNS.start()) + 1;
            let rest = letters.as_str();
            let rest = rest.strip_prefix(AS_TEXT).unwrap_or(rest);
            let rest = rest.strip_suffix("AM")?;
            let [degree, minute, second, year] =
                numbers(rest, |c| matches!(c, '.' | '°' | '\'' | '"' | '′' | '″' | '|' | ' '))?;
            [year, sign, degree, minute, second]
        }
        _ => numbers(line, |c| c == '.')?,
    };
    let [year, sign, degree, minute, second] = found;
    let counted = |value: u32, last: u32| (1..=last).contains(&value);
    let is_stamp = (1_000..=9_999).contains(&year)
        && counted(sign, 12)
        && counted(degree, 30)
        && counted(minute, 60)
        && counted(second, 60);
    is_stamp.then_some(found)
}

/// Exactly so many numbers, with nothing but such marks between them.
fn numbers<const COUNT: usize>(text: &str, is_mark: fn(char) -> bool) -> Option<[u32; COUNT]> {
    let parts: Option<Vec<u32>> = text
        .split(is_mark)
        .filter(|part| !part.is_empty())
        .map(|part| part.parse().ok().filter(|_| part.bytes().all(|byte| byte.is_ascii_digit())))
        .collect();
    parts?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_a_stamp_gives_its_digits() {
        for (line, digits) in [
            ("♓︎.5.4.47 5919AM", Some("591912050447")),
            ("♈︎.1.1.1 5920AM", Some("592001010101")),
            ("solar: 5919.12.6.5.23", Some("591912060523")),
            ("solar: ♓︎6°5'23\" | 5919 AM", Some("591912060523")),
            ("♓6°5′23″ | 5919 AM", Some("591912060523")),
            ("♓︎.30.60.60 5919AM", Some("591912306060")),
            ("♓︎.31.1.1 5919AM", None),
            ("♓︎.5.61.1 5919AM", None),
            ("♓︎.5.4.0 5919AM", None),
            ("5919.13.1.1.1", None),
            ("5919.12.1.1", None),
            ("5919.12.1.1.1.1", None),
            ("♓︎.5.4.47 5919", None),
            ("♓︎.5.4.+7 5919AM", None),
            ("♓︎.5.4.99999999999 5919AM", None),
            ("model: 5919.12.6.5.23", None),
            ("", None),
        ] {
            assert_eq!(told_by(line).and_then(stamp_digits).as_deref(), digits, "{line}");
        }
        assert_eq!(stamp_digits(&"♓".repeat(100)), None);
    }

    #[test]
    fn only_one_form_is_written() {
        assert!(looks_like_stamp("♓︎.5.4.47 5919AM"));
        for other in
            ["♓.5.4.47 5919AM", "♓︎.05.4.47 5919AM", "♓︎.5.4.47 5919 AM", "5919.12.5.4.47", " ♓︎.5.4.47 5919AM", "now"]
        {
            assert!(!looks_like_stamp(other), "{other}");
        }
    }
}
