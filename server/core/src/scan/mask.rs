//! Texts for records that cannot be taken back: what the scan finds in them is named instead of kept.

use std::borrow::Cow;

use super::{Finding, Kind, MAX_LINE, Rule, rules, scan_all};
use crate::file::FilePath;

/// The text with the name of the rule, as in `[github-token]`, in place of credentials and personal data.
#[must_use]
pub fn masked(text: &str) -> Cow<'_, str> {
    without(text, |finding| match finding.rule.kind {
        Kind::Credential | Kind::PersonalData => true,
        Kind::Environment | Kind::Dependency => false,
    })
}

/// The text with the name of the rule in place of credentials alone: who did something may be known by an address.
#[must_use]
pub fn without_credentials(text: &str) -> Cow<'_, str> {
    without(text, |finding| finding.rule.kind == Kind::Credential)
}

/// Something in a text, by its place in the whole of it.
struct Spot {
    start: usize,
    end: usize,
    rule: &'static Rule,
}

fn without(text: &str, is_meant: impl Fn(&Finding) -> bool) -> Cow<'_, str> {
    let found = spots(text.as_bytes(), &is_meant);
    if found.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut kept = String::with_capacity(text.len());
    let mut from = 0;
    for spot in &found {
        // It lies in what was left out already.
        if spot.start < from {
            continue;
        }
        kept.push_str(text.get(from..spot.start).unwrap_or_default());
        kept.push_str(&format!("[{}]", spot.rule.id));
        from = if spot.rule == &rules::PRIVATE_KEY {
            end_of_key(text, spot.end)
        } else if spot.rule == &rules::TOO_MANY {
            text.len()
        } else {
            spot.end
        };
    }
    kept.push_str(text.get(from..).unwrap_or_default());
    Cow::Owned(kept)
}

/// What is meant in a text, in its order. Of a line that is too long to be looked at as one, all is looked at in pieces.
fn spots(text: &[u8], is_meant: &impl Fn(&Finding) -> bool) -> Vec<Spot> {
    let path = FilePath::from_text("text").expect("a plain name is a path");
    let ends = memchr::memchr_iter(b'\n', text).map(|end| end + 1);
    let lines: Vec<usize> = std::iter::once(0).chain(ends).collect();
    let mut spots = Vec::new();
    for finding in scan_all(&path, text).into_iter().filter(is_meant) {
        let line = lines[finding.line as usize];
        let (start, end) = (line + finding.start as usize, line + finding.end as usize);
        if finding.rule != &rules::LONG_LINE {
            spots.push(Spot { start, end, rule: finding.rule });
            continue;
        }
        let mut from = start - OVERLAP;
        while from < end {
            let piece = &text[from..end.min(from + MAX_LINE)];
            let found = scan_all(&path, piece).into_iter().filter(is_meant);
            let place = |at: u32| from + at as usize;
            spots.extend(found.map(|it| Spot { start: place(it.start), end: place(it.end), rule: it.rule }));
            from += MAX_LINE - OVERLAP;
        }
    }
    spots.sort_by_key(|spot| (spot.start, spot.end));
    spots
}

/// So much of a piece is looked at once more with the next one: what lies across the end of one is whole in the other.
const OVERLAP: usize = 4 * 1_024;
const KEY_END: &str = "-----END";

/// Where the block of a key is over: only its first line is found. One without an end goes on to the end of the text.
fn end_of_key(text: &str, from: usize) -> usize {
    let rest = text.get(from..).unwrap_or_default();
    let Some(last) = rest.find(KEY_END) else { return text.len() };
    let last = last + KEY_END.len();
    let line = rest[last..].find('\n').map_or(rest.len(), |end| last + end);
    // Lines may have been joined, so that more than the key stands on its last one.
    from + rest[last..line].find("-----").map_or(line, |dashes| last + dashes + "-----".len())
}

#[cfg(test)]
mod tests {
    use super::masked;

    fn check(text: &str, expected: &str) {
        assert_eq!(masked(text), expected);
    }

    #[test]
    fn what_is_found_is_named_and_the_rest_stays() {
        // Put together here, so that no scanner stops at this file.
        let token = ["gh", "p_7wQ3nZ5kXr8TbV2mLc9YdJ4hFs6GpAeUo1Ki"].concat();
        check("src/a.rs\n+let x = 1;\n", "src/a.rs\n+let x = 1;\n");
        check(&format!("ä\n+key = \"{token}\"; // é\n+more"), "ä\n+key = \"[github-token]\"; // é\n+more");
        check(&format!("{token} {token}"), "[github-token] [github-token]");
        check(
            &format!("// augment: allow credential a sample\n{token}"),
            "// augment: allow credential a sample\n[github-token]",
        );
    }

    #[test]
    fn a_key_is_left_out_up_to_its_end() {
        let begin = ["-----BEGIN RSA PRIV", "ATE KEY-----"].concat();
        let body = "MIIEpAIBAAKCAQEA7wQ3nZ5kXr8TbV2mLc9YdJ4hFs6GpAeUo1Ki7wQ3nZ5kXr8T";
        let end = begin.replace("BEGIN", "END");
        check(&format!("+{begin}\n+{body}\n+{end}\n+after"), "+[private-key]\n+after");
        check(&format!("+{begin}\n+{body}\n+{body}"), "+[private-key]");
        check(&format!("The key {begin} {body} {end} is refused"), "The key [private-key] is refused");
    }

    #[test]
    fn a_long_line_is_looked_through_to_its_end_and_stays_whole() {
        let token = ["gh", "p_7wQ3nZ5kXr8TbV2mLc9YdJ4hFs6GpAeUo1Ki"].concat();
        let plain = "ä ".repeat(100_000);
        check(&plain, &plain);
        // Also where a piece ends in the middle of it.
        for at in [10, 65_500, 65_520, 65_536, 126_950, 126_976, 131_000, 250_000] {
            let before = "ä ".repeat(at / 3);
            let text = format!("one\n{before}{token} {plain}\ntwo {token}");
            check(&text, &format!("one\n{before}[github-token] {plain}\ntwo [github-token]"));
        }
    }

    #[test]
    fn an_address_stays_where_only_credentials_go() {
        let token = ["gh", "p_7wQ3nZ5kXr8TbV2mLc9YdJ4hFs6GpAeUo1Ki"].concat();
        let text = format!("ada@lovelace.dev has {token}");
        assert_eq!(super::without_credentials(&text), "ada@lovelace.dev has [github-token]");
    }
}
