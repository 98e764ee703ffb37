//! Ids that people type. A task's id is its number with a letter in front that says how many digits follow: `a1`,
//! `a9`, `b10`, `c100`. So ids are as short as can be, sort as text in the order of their numbers, and no id is the
//! beginning of another: a whole id is never ambiguous, a shorter one names a range.

use std::fmt;
use std::ops::RangeInclusive;

/// The largest number a task can have: twelve digits.
pub const MAX_TASK_NUMBER: u64 = 999_999_999_999;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaskId(u64);

impl TaskId {
    /// `None` for 0 and for numbers past `MAX_TASK_NUMBER`.
    #[must_use]
    pub fn new(number: u64) -> Option<Self> {
        (1..=MAX_TASK_NUMBER).contains(&number).then_some(Self(number))
    }

    #[must_use]
    pub fn number(self) -> u64 {
        self.0
    }
}

impl fmt::Display for TaskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = char::from(b'a' + u8::try_from(self.0.ilog10()).unwrap_or(0));
        write!(f, "{letter}{}", self.0)
    }
}

/// One attempt at a task, written `b12.2`: the second attempt at `b12`. The attempt number only ever grows, so it
/// fences: a word that names an older attempt comes from a holder whose lease is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RunId {
    pub task: TaskId,
    pub attempt: u32,
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.task, self.attempt)
    }
}

/// What a person typed where a task id is wanted, understood as the numbers it may mean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    /// A whole id, or a bare number.
    Exactly(TaskId),
    /// The beginning of an id.
    OneOf(RangeInclusive<u64>),
    /// Nothing that could be the beginning of an id.
    Nothing,
}

#[must_use]
pub fn read_wanted(text: &str) -> Wanted {
    let text = text.trim().to_ascii_lowercase();
    if !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) {
        return text.parse().ok().and_then(TaskId::new).map_or(Wanted::Nothing, Wanted::Exactly);
    }
    let mut rest = text.chars();
    let Some(letter @ 'a'..='l') = rest.next() else {
        return Wanted::Nothing;
    };
    let length = letter as u32 - 'a' as u32 + 1;
    let typed = rest.as_str();
    let missing = match u32::try_from(typed.len()) {
        Ok(typed_length) if typed_length <= length => length - typed_length,
        _ => return Wanted::Nothing,
    };
    if typed.starts_with('0') || !typed.bytes().all(|b| b.is_ascii_digit()) {
        return Wanted::Nothing;
    }
    if typed.is_empty() {
        return Wanted::OneOf(10_u64.pow(length - 1)..=10_u64.pow(length) - 1);
    }
    let Ok(start) = typed.parse::<u64>() else {
        return Wanted::Nothing;
    };
    let span = 10_u64.pow(missing);
    if missing == 0 {
        TaskId::new(start).map_or(Wanted::Nothing, Wanted::Exactly)
    } else {
        Wanted::OneOf(start * span..=start * span + span - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(number: u64) -> TaskId {
        TaskId::new(number).unwrap()
    }

    #[test]
    fn ids_are_short_and_sort_as_their_numbers() {
        let numbers = [1, 2, 9, 10, 11, 99, 100, 12_345, 99_999, 100_000, MAX_TASK_NUMBER];
        let texts: Vec<String> = numbers.iter().map(|&n| id(n).to_string()).collect();
        let mut sorted = texts.clone();
        sorted.sort();
        assert_eq!(texts, sorted);
        assert_eq!(texts[0], "a1");
        assert_eq!(texts[7], "e12345");
        assert_eq!(texts[10], "l999999999999");
    }

    #[test]
    fn a_whole_id_is_never_the_beginning_of_another() {
        for number in [1, 9, 10, 12, 120, 129, 1_200] {
            assert_eq!(read_wanted(&id(number).to_string()), Wanted::Exactly(id(number)));
        }
    }

    #[test]
    fn what_people_type() {
        assert_eq!(read_wanted("12345"), Wanted::Exactly(id(12_345)));
        assert_eq!(read_wanted(" B12 "), Wanted::Exactly(id(12)));
        assert_eq!(read_wanted("c12"), Wanted::OneOf(120..=129));
        assert_eq!(read_wanted("b"), Wanted::OneOf(10..=99));
        for nothing in ["", "z9", "b123", "b01", "a0", "0", "1000000000000", "b1x", "ü", "m1"] {
            assert_eq!(read_wanted(nothing), Wanted::Nothing, "{nothing}");
        }
    }

    #[test]
    fn numbers_out_of_range_are_no_ids() {
        assert_eq!(TaskId::new(0), None);
        assert_eq!(TaskId::new(MAX_TASK_NUMBER + 1), None);
    }
}
