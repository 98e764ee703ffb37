//! What a person types to search, as the full-text index takes it. Every term is quoted, so no sign in it is an operator:
//! words all have to be there, `"several words"` stand together, and `word*` is a beginning.

use augment_core::text::quoted;

/// How much can be searched for at once.
const LENGTH: usize = 1_000;
const TERMS: usize = 32;

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotSearchable {
    #[error("There is no word in {}. Name at least one to search for.", quoted(.typed))]
    NoWord { typed: String },
    #[error("That is too much to search for at once. Name at most {TERMS} words, {LENGTH} characters in all.")]
    TooMuch,
}

/// The expression for the index.
pub fn to_match(typed: &str) -> Result<String, NotSearchable> {
    if typed.chars().count() > LENGTH {
        return Err(NotSearchable::TooMuch);
    }
    let mut terms: Vec<String> = Vec::new();
    let mut rest = typed;
    while !rest.is_empty() {
        rest = rest.trim_start();
        let (term, after) = match rest.strip_prefix('"') {
            Some(inside) => inside.split_once('"').unwrap_or((inside, "")),
            None => {
                let end = rest.find(|c: char| c.is_whitespace() || c == '"').unwrap_or(rest.len());
                rest.split_at(end)
            }
        };
        // After a closing quote the mark belongs to the phrase's last word.
        let (after, starred) = match after.strip_prefix('*') {
            Some(after) if rest.starts_with('"') => (after, true),
            Some(_) | None => (after, term.ends_with('*')),
        };
        rest = after;
        let words: Vec<&str> = term.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        if words.is_empty() {
            continue;
        }
        terms.push(format!("\"{}\"{}", words.join(" "), if starred { "*" } else { "" }));
    }
    match terms.len() {
        0 => Err(NotSearchable::NoWord { typed: typed.to_owned() }),
        1..=TERMS => Ok(terms.join(" AND ")),
        _ => Err(NotSearchable::TooMuch),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_term_is_quoted() {
        for (typed, expected) in [
            ("login", "\"login\""),
            ("login flow", "\"login\" AND \"flow\""),
            ("\"login flow\" x", "\"login flow\" AND \"x\""),
            ("log*", "\"log\"*"),
            ("\"login fl\"* a", "\"login fl\"* AND \"a\""),
            ("src/login.rs", "\"src login rs\""),
            ("a\" OR 1=1 --", "\"a\" AND \"OR 1 1\""),
            ("title:x", "\"title x\""),
            ("NEAR(a b)", "\"NEAR a\" AND \"b\""),
            ("AND OR NOT", "\"AND\" AND \"OR\" AND \"NOT\""),
            ("^a + b", "\"a\" AND \"b\""),
            ("é\0x", "\"é x\""),
            ("\"open", "\"open\""),
        ] {
            assert_eq!(to_match(typed).as_deref(), Ok(expected), "{typed}");
        }
        for typed in ["", "  ", "***", "\"\"", "-- ' ;", "\u{1b}"] {
            assert_eq!(to_match(typed), Err(NotSearchable::NoWord { typed: typed.to_owned() }));
        }
        assert_eq!(to_match(&"a ".repeat(33)), Err(NotSearchable::TooMuch));
        assert_eq!(to_match(&"a".repeat(1_001)), Err(NotSearchable::TooMuch));
    }
}
