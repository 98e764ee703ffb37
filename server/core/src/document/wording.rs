//! Words in documents: without their markup, as a key by which two writings of one title are the same, and made safe to be
//! written into a document. What is written is one line, bounded, and can begin nothing: no heading, comment, element,
//! list, box, fence or cell.

use crate::text::{is_unseen, shortened};

/// Longer text is cut when it is put into a document.
pub const MAX_WRITTEN_CHARACTERS: usize = 300;
/// Longer text is cut when it is read out of one.
const MAX_READ_CHARACTERS: usize = 500;
/// Of longer text, the rest is not looked at.
const MAX_READ_BYTES: usize = 4000;

/// Text without its markup, for people: links as their words, no stars, no backticks.
pub(super) fn plain(text: &str) -> String {
    let text = cut(text, MAX_READ_BYTES);
    if !text.contains(['\\', '*', '`', '~', '_', '[', '&']) {
        return one_line(text);
    }
    let mut out: Vec<Option<char>> = Vec::with_capacity(text.len());
    let mut open = Vec::new();
    let mut rest = text;
    let last_parenthesis = text.rfind(')');
    while let Some(c) = rest.chars().next() {
        let at = text.len() - rest.len();
        let mut taken = c.len_utf8();
        match c {
            '\\' if rest[1..].starts_with(|c: char| c.is_ascii_punctuation()) => {
                out.extend(rest[1..].chars().next().map(Some));
                taken = 2;
            }
            '*' | '`' => {}
            '~' | '_' if rest[1..].starts_with(c) => taken = 2,
            '_' if !is_inside_word(text, at) => {}
            '[' => {
                open.push(out.len());
                out.push(Some(c));
            }
            ']' if rest[1..].starts_with('(') && last_parenthesis.is_some_and(|last| last > at) && !open.is_empty() => {
                if let Some(opening) = open.pop() {
                    out[opening] = None;
                }
                let length = rest.find(')').unwrap_or(rest.len() - 1);
                taken = length + 1;
            }
            ']' => {
                open.pop();
                out.push(Some(c));
            }
            '&' => match ["&lt;", "&gt;", "&amp;"].iter().zip("<>&".chars()).find(|(name, _)| rest.starts_with(**name))
            {
                Some((name, meant)) => {
                    out.push(Some(meant));
                    taken = name.len();
                }
                None => out.push(Some(c)),
            },
            c => out.push(Some(c)),
        }
        rest = &rest[taken..];
    }
    one_line(&out.into_iter().flatten().collect::<String>())
}

fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    shortened(&words.join(" "), MAX_READ_CHARACTERS).into_owned()
}

/// As much of a text as fits.
fn cut(text: &str, bytes: usize) -> &str {
    let mut end = text.len().min(bytes);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

fn is_inside_word(text: &str, at: usize) -> bool {
    let before = text[..at].chars().next_back();
    let after = text[at + 1..].chars().next();
    before.is_some_and(char::is_alphanumeric) && after.is_some_and(char::is_alphanumeric)
}

/// Two writings of one title have the same key: case, markup and blanks do not count.
pub(super) fn key(text: &str) -> String {
    plain(text)
        .chars()
        .filter(|c| !c.is_whitespace() && !matches!(c, '*' | '_' | '`' | '~' | '\\'))
        .flat_map(char::to_lowercase)
        .collect()
}

/// The key of a field's label: `last_updated` and `Last updated` are the same.
pub(super) fn label_key(text: &str) -> String {
    let spaced: String = plain(text).chars().map(|c| if matches!(c, '_' | '-') { ' ' } else { c }).collect();
    spaced.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// Text for the middle of a line.
pub(super) fn inline(text: &str) -> String {
    let seen = text.chars().map(|c| if is_unseen(c) && !matches!(c, '\u{200c}' | '\u{200d}') { ' ' } else { c });
    let seen: String = seen.take(MAX_WRITTEN_CHARACTERS * 8).collect();
    let words: Vec<&str> = seen.split_whitespace().collect();
    let words = words.join(" ");
    let words = shortened(&words, MAX_WRITTEN_CHARACTERS);
    let mut out = String::with_capacity(words.len());
    let mut rest = words.as_ref();
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        match c {
            '<' if after.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '!' | '/' | '?')) => {
                out.push_str("&lt;")
            }
            '>' if out.ends_with("--") => out.push_str("&gt;"),
            c => out.push(c),
        }
        rest = after;
    }
    out
}

/// Text for a cell of a table.
pub(super) fn cell(text: &str) -> String {
    inline(text).replace('|', "\\|")
}

/// Text at the beginning of a block, such as an item of a list: it begins no other block.
pub(super) fn leading(text: &str) -> String {
    let text = inline(text);
    let first = text.chars().next().unwrap_or(' ');
    let digits = text.chars().take_while(char::is_ascii_digit).count();
    let after_digits = text[digits..].chars().next();
    if matches!(first, '#' | '>' | '-' | '+' | '*' | '=' | '`' | '~' | '_' | '[' | '|' | ':') && !is_word_like(&text) {
        format!("\\{text}")
    } else if digits > 0 && matches!(after_digits, Some('.' | ')')) && text[digits + 1..].starts_with(' ') {
        format!("{}\\{}", &text[..digits], &text[digits..])
    } else {
        text
    }
}

/// Begins with a mark that is part of the words: `code`, **bold**, a [link](to).
fn is_word_like(text: &str) -> bool {
    let code = text.starts_with('`') && !text.starts_with("``");
    let bold = text.starts_with("**") && text[2..].starts_with(char::is_alphanumeric);
    let link = text.starts_with('[') && text.find("](").is_some_and(|at| at >= 2);
    code || bold || link
}
