//! What runs cost, as agents tell it: a number and a currency. Sums are exact; what is no such text is not guessed at.

use std::collections::BTreeMap;
use std::fmt;

/// The parts that one unit of a currency is counted in.
const PARTS: i128 = 1_000_000_000;
const DIGITS: usize = 9;
const UNIT_LIMIT: usize = 8;

/// An amount in parts of a thousand millionth.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Money(pub i128);

impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, part) = (self.0 / PARTS, self.0 % PARTS);
        let part = format!("{part:0DIGITS$}");
        let part = part.trim_end_matches('0');
        if part.is_empty() { write!(f, "{whole}") } else { write!(f, "{whole}.{part}") }
    }
}

/// What was spent in one currency, and how many runs told so.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Spent {
    pub runs: u64,
    pub amount: Money,
}

/// `0.42 USD`: the amount and its currency.
pub(super) fn read(text: &str) -> Option<(String, Money)> {
    let (number, unit) = text.trim().split_once(' ')?;
    let unit = unit.trim();
    if unit.is_empty() || unit.chars().count() > UNIT_LIMIT || !unit.chars().all(char::is_alphabetic) {
        return None;
    }
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    let is_number = |digits: &str| digits.bytes().all(|digit| digit.is_ascii_digit());
    if whole.is_empty() || whole.len() > 12 || !is_number(whole) || !is_number(part) {
        return None;
    }
    let part: String = part.chars().chain("000000000".chars()).take(DIGITS).collect();
    let amount = whole.parse::<i128>().ok()? * PARTS + part.parse::<i128>().ok()?;
    Some((unit.to_uppercase(), Money(amount)))
}

pub(super) fn add(costs: &mut BTreeMap<String, Spent>, told: &str) {
    if let Some((unit, amount)) = read(told) {
        let spent = costs.entry(unit).or_default();
        spent.runs += 1;
        spent.amount = Money(spent.amount.0.saturating_add(amount.0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_agents_tell_is_read_to_the_last_digit_or_not_at_all() {
        for (text, expected) in [
            ("0.42 USD", Some("0.42 USD")),
            ("12 eur", Some("12 EUR")),
            ("0.000000001 USD", Some("0.000000001 USD")),
            ("0.0000000019 USD", Some("0.000000001 USD")),
            (" 3.50 USD ", Some("3.5 USD")),
            ("0 USD", Some("0 USD")),
            ("USD", None),
            ("0.42", None),
            ("-1 USD", None),
            ("1e3 USD", None),
            ("NaN USD", None),
            (". USD", None),
            ("1 =SUM(A1)", None),
            ("1 averylongunit", None),
            ("1234567890123 USD", None),
        ] {
            let found = read(text).map(|(unit, amount)| format!("{amount} {unit}"));
            assert_eq!(found.as_deref(), expected, "{text}");
        }
    }
}
