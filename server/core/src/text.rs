//! Text from outside: how much of it is taken, and how it is shown. Text that came from an agent, a file or a client
//! never reaches a terminal or a message as it is: what could steer the reader's screen is spelled out instead.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Characters that act on the screen or hide in it rather than being seen: controls (C0, DEL, C1), line and paragraph
/// separators, marks that reorder text, and those without width.
#[must_use]
pub fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// One line of text with every unseen character spelled out as `\u{1b}`, `\n` and so on.
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    spelled_out(text, |_| false)
}

/// Like `visible`, for text of several lines: line breaks and tabs stay.
#[must_use]
pub fn visible_lines(text: &str) -> Cow<'_, str> {
    spelled_out(text, |c| matches!(c, '\n' | '\t'))
}

/// Words of any number of lines as one: what breaks a line is a space, what could act on a screen is spelled out.
#[must_use]
pub fn one_line(words: &str) -> String {
    visible(&words.split_whitespace().collect::<Vec<_>>().join(" ")).into_owned()
}

fn spelled_out(text: &str, stays: fn(char) -> bool) -> Cow<'_, str> {
    let acts = |c: char| is_unseen(c) && !is_joiner(c) && !stays(c);
    if !text.chars().any(acts) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '\n' if acts(c) => out.push_str("\\n"),
            '\t' if acts(c) => out.push_str("\\t"),
            '\r' if acts(c) => out.push_str("\\r"),
            c if acts(c) => write!(out, "\\u{{{:x}}}", u32::from(c)).expect("writing to a string cannot fail"),
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// The first `max` characters, with `…` where something was left out.
#[must_use]
pub fn shortened(text: &str, max: usize) -> Cow<'_, str> {
    match text.char_indices().nth(max) {
        None => Cow::Borrowed(text),
        Some((at, _)) => Cow::Owned(format!("{}…", &text[..at])),
    }
}

/// A value as it stands in a message: visible, short, in quotes.
#[must_use]
pub fn quoted(text: &str) -> String {
    format!("\"{}\"", visible(&shortened(text, 60)))
}

/// A text that a shell takes as one word, for commands that people copy. What steers a terminal is spelled out.
#[must_use]
pub fn shell_word(text: &str) -> String {
    let text = visible(text);
    let plain = !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "-_./".contains(c));
    if plain { text.into_owned() } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

/// Which line breaks a field of text may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lines {
    One,
    Many,
}

/// What is wrong with a field of text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BadText {
    Empty,
    TooLong { length: usize, limit: usize },
    Unseen { character: char, position: usize },
}

/// Checks a field of text against its limit in characters. Text is never repaired: a value that is not fit is refused.
pub fn check(text: &str, lines: Lines, limit: usize) -> Result<(), BadText> {
    let length = text.chars().count();
    if length > limit {
        return Err(BadText::TooLong { length, limit });
    }
    let allowed = |c: char| lines == Lines::Many && matches!(c, '\n' | '\t');
    let unseen = text.chars().enumerate().find(|&(_, c)| is_unseen(c) && !is_joiner(c) && !allowed(c));
    match unseen {
        Some((at, character)) => Err(BadText::Unseen { character, position: at + 1 }),
        None => Ok(()),
    }
}

/// Joiners have no width but belong to the spelling of some languages and of many emoji.
fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_takes_a_word_as_one() {
        let cases = [
            ("/tmp/a-b_c.d", "/tmp/a-b_c.d"),
            ("/tmp/it's here", r"'/tmp/it'\''s here'"),
            ("x; touch pwn", "'x; touch pwn'"),
            ("", "''"),
            ("a\nb", r"'a\nb'"),
        ];
        for (text, expected) in cases {
            assert_eq!(shell_word(text), expected);
        }
    }

    #[test]
    fn what_could_steer_a_terminal_is_spelled_out() {
        let cases = [
            ("plain äöü 😀", "plain äöü 😀"),
            ("family 👨\u{200d}👩\u{200d}👧", "family 👨\u{200d}👩\u{200d}👧"),
            ("\u{1b}]52;c;AAAA\u{7}", "\\u{1b}]52;c;AAAA\\u{7}"),
            ("a\u{9b}31mb", "a\\u{9b}31mb"),
            ("one\r\ntwo\tthree", "one\\r\\ntwo\\tthree"),
            ("\u{202e}txt.exe", "\\u{202e}txt.exe"),
            ("zero\u{200b}width\u{feff}", "zero\\u{200b}width\\u{feff}"),
        ];
        for (text, expected) in cases {
            assert_eq!(visible(text), expected);
        }
        assert_eq!(visible_lines("one\n\ttwo\r\u{1b}"), "one\n\ttwo\\r\\u{1b}");
        assert_eq!(one_line(" one\n\n\ttwo\r\u{2028}three\u{1b} "), "one two three\\u{1b}");
    }

    #[test]
    fn long_text_is_cut_at_a_character() {
        assert_eq!(shortened("äöü", 3), "äöü");
        assert_eq!(shortened("äöüx", 3), "äöü…");
        assert_eq!(quoted("a\u{7}"), "\"a\\u{7}\"");
    }

    #[test]
    fn fields_are_checked_not_repaired() {
        assert_eq!(check("fine", Lines::One, 4), Ok(()));
        assert_eq!(check("family 👨\u{200d}👩\u{200d}👧", Lines::One, 40), Ok(()));
        assert_eq!(check("five!", Lines::One, 4), Err(BadText::TooLong { length: 5, limit: 4 }));
        assert_eq!(check("a\nb", Lines::One, 9), Err(BadText::Unseen { character: '\n', position: 2 }));
        assert_eq!(check("a\nb\t", Lines::Many, 9), Ok(()));
        assert_eq!(check("ab\u{1b}", Lines::Many, 9), Err(BadText::Unseen { character: '\u{1b}', position: 3 }));
    }
}
