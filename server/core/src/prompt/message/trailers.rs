//! Trailers: names and values in the last paragraph of a commit's message, as `git interpret-trailers` reads them. The first
//! paragraph of a message is its title and never trailers, even where it looks so (`intent: …`).

/// The trailer that holds a change id where the version control has none.
pub const CHANGE_ID: &str = "Change-Id";

/// What the first paragraph of a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum First {
    /// The title of a message: trailers only where it begins with a change id, as a message without a title does.
    Title,
    /// A paragraph like the others.
    Paragraph,
}

pub(super) fn is_change_id(name: &str) -> bool {
    name.eq_ignore_ascii_case(CHANGE_ID)
}

/// Takes the trailers off the end of a text: all paragraphs there that are nothing else, in their order.
pub(super) fn split(text: &str, first: First) -> (String, Vec<(String, String)>) {
    let mut rest = text.trim();
    let mut paragraphs = Vec::new();
    loop {
        let start = last_paragraph(rest);
        let Some(found) = trailers(&rest[start..]) else { break };
        let begins_so = found.first().is_some_and(|(name, _)| is_change_id(name));
        if start == 0 && first == First::Title && !begins_so {
            break;
        }
        paragraphs.push(found);
        rest = rest[..start].trim_end();
    }
    (rest.to_owned(), paragraphs.into_iter().rev().flatten().collect())
}

/// A text without the lines that are a change id and nothing else, wherever they stand.
pub(super) fn without_change_ids(text: &str) -> String {
    let is_id = |line: &str| {
        let named = line.split_once(": ").filter(|(name, _)| is_change_id(name));
        named.is_some_and(|(_, value)| !value.trim().is_empty() && !value.trim().contains(char::is_whitespace))
    };
    let mut lines: Vec<&str> = Vec::new();
    let mut has_gap = false;
    for line in text.split('\n') {
        if is_id(line) {
            has_gap = true;
            continue;
        }
        // Of the empty lines around it one is enough.
        let is_doubled = has_gap && line.trim().is_empty() && lines.last().is_none_or(|last| last.trim().is_empty());
        if !is_doubled {
            lines.push(line);
            has_gap = false;
        }
    }
    lines.join("\n")
}

/// Where the last paragraph of a text without white space at its end begins.
fn last_paragraph(text: &str) -> usize {
    let mut start = 0;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        at += line.len();
        if line.trim().is_empty() {
            start = at;
        }
    }
    start
}

/// The trailers of a paragraph that holds nothing else.
fn trailers(paragraph: &str) -> Option<Vec<(String, String)>> {
    let mut found: Vec<(String, String)> = Vec::new();
    for line in paragraph.split('\n').map(str::trim_end) {
        match (line.starts_with([' ', '\t']), found.last_mut()) {
            (true, Some((_, value))) => {
                value.push('\n');
                value.push_str(line);
            }
            (true, None) => return None,
            (false, _) => {
                let (name, value) = line.split_once(": ")?;
                let value = value.trim();
                if !is_name(name) || value.is_empty() {
                    return None;
                }
                found.push((name.to_owned(), value.to_owned()));
            }
        }
    }
    (!found.is_empty()).then_some(found)
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

/// Whether it reads back as it is.
pub(super) fn is_sound(name: &str, value: &str) -> bool {
    trailers(&format!("{name}: {value}")).is_some_and(|found| found == [(name.to_owned(), value.to_owned())])
}

/// The paragraph, with the empty line before it; nothing without trailers.
pub(super) fn paragraph(trailers: &[(String, String)]) -> String {
    let lines: String = trailers.iter().map(|(name, value)| format!("{name}: {value}\n")).collect();
    if lines.is_empty() { lines } else { format!("\n{lines}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trailers_are_taken_off_the_end() {
        for (text, rest, names) in [
            ("intent: fix the login", "intent: fix the login", ""),
            ("intent: fix the login\n\nChange-Id: kkmm", "intent: fix the login", "Change-Id"),
            (
                "Title\n\nBody.\n\nFixes: #3\n\nSigned-off-by: Ada\n  <ada@example.org>\n",
                "Title\n\nBody.",
                "Fixes Signed-off-by",
            ),
            ("Title\n\nNote: this\nis prose", "Title\n\nNote: this\nis prose", ""),
            ("Title\n\nhttps://example.org", "Title\n\nhttps://example.org", ""),
            ("Title\n\nEmpty:", "Title\n\nEmpty:", ""),
            ("Change-Id: kkmm", "", "Change-Id"),
            ("", "", ""),
        ] {
            let (found, trailers) = split(text, First::Title);
            let found_names: Vec<&str> = trailers.iter().map(|(name, _)| name.as_str()).collect();
            assert_eq!((found.as_str(), found_names.join(" ").as_str()), (rest, names), "{text}");
        }
        assert_eq!(split("Fixes: #3", First::Paragraph).0, "");
    }

    #[test]
    fn change_ids_are_taken_out_of_a_text() {
        for (text, expected) in [
            ("intent: a\n\nChange-Id: kkmm\n\nJira ticket ABC-1", "intent: a\n\nJira ticket ABC-1"),
            ("intent: a\n\nChange-Id: kkmm\nJira ticket", "intent: a\n\nJira ticket"),
            ("intent: a\n\nBody.\nChange-Id: kkmm", "intent: a\n\nBody."),
            ("Change-Id: kkmm\n\nBody.", "Body."),
            ("intent: a\n\n\nChange-Id: is prose", "intent: a\n\n\nChange-Id: is prose"),
        ] {
            assert_eq!(without_change_ids(text), expected, "{text}");
        }
    }

    #[test]
    fn only_what_reads_back_is_written() {
        assert!(is_sound("Change-Id", "kkmm"));
        assert!(is_sound("Signed-off-by", "Ada\n <ada@example.org>"));
        for (name, value) in
            [("", "a"), ("a b", "c"), ("a", ""), ("a", " b"), ("a", "b\nc: d"), ("a", "b\n\n c"), ("ä", "b")]
        {
            assert!(!is_sound(name, value), "{name}: {value}");
        }
        assert_eq!(paragraph(&[]), "");
        assert_eq!(paragraph(&[("A".to_owned(), "b".to_owned())]), "\nA: b\n");
    }
}
