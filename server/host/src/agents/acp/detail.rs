//! What a person sees of a thing that an agent asks leave for: the command, or the lines that go and come. Bounded, and
//! what was left out is told.

use std::fmt::Write as _;

use super::meaning::{CallNews, Change};

/// The longest detail of a question.
pub(super) const DETAIL_BYTES: usize = 16 * 1_024;
/// Lines shown around a change.
const CONTEXT: usize = 3;
const LEFT_OUT: &str = "… the rest is left out\n";

/// `None` where the news tell nothing that could be shown.
pub(super) fn detail(news: &CallNews) -> Option<String> {
    if let Some(command) = &news.command {
        return Some(bounded(command, DETAIL_BYTES));
    }
    if news.changes.is_empty() {
        return news.text.as_ref().map(|text| bounded(text, DETAIL_BYTES));
    }
    let mut out = String::new();
    for change in &news.changes {
        show(change, &mut out);
        if out.len() > DETAIL_BYTES {
            break;
        }
    }
    Some(bounded(&out, DETAIL_BYTES))
}

/// The text, or as much of it as there is room for and the word that something is missing.
pub(super) fn bounded(text: &str, limit: usize) -> String {
    if text.len() <= limit {
        return text.to_owned();
    }
    format!("{}\n{LEFT_OUT}", first(text, limit.saturating_sub(LEFT_OUT.len() + 1)))
}

/// The first bytes of a text, at most so many, in whole characters.
pub(super) fn first(text: &str, bytes: usize) -> &str {
    let end = (0..=bytes.min(text.len())).rev().find(|&at| text.is_char_boundary(at));
    &text[..end.unwrap_or(0)]
}

/// The last bytes of a text, at most so many, in whole characters.
pub(super) fn last(text: &str, bytes: usize) -> &str {
    let start = (text.len().saturating_sub(bytes)..=text.len()).find(|&at| text.is_char_boundary(at));
    &text[start.unwrap_or(text.len())..]
}

/// The lines that differ in one piece: what is equal at both ends is not shown, but for a little around it.
fn show(change: &Change, out: &mut String) {
    let before: Vec<_> = change.before.as_deref().unwrap_or_default().lines().collect();
    let after: Vec<_> = change.after.lines().collect();
    let head = before.iter().zip(&after).take_while(|(old, new)| old == new).count();
    let tail = before[head..].iter().rev().zip(after[head..].iter().rev()).take_while(|(old, new)| old == new).count();
    let (old, new) = (&before[head..before.len() - tail], &after[head..after.len() - tail]);
    writeln!(out, "{}", change.path.display()).expect("writing to a string cannot fail");
    let around = before[head.saturating_sub(CONTEXT)..head].iter().map(|line| (' ', line));
    let changed = old.iter().map(|line| ('-', line)).chain(new.iter().map(|line| ('+', line)));
    let below = before[before.len() - tail..].iter().take(CONTEXT).map(|line| (' ', line));
    for (mark, line) in around.chain(changed).chain(below) {
        if out.len() > DETAIL_BYTES {
            return;
        }
        out.push(mark);
        out.push_str(line);
        out.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::acp::meaning::Extent;

    fn shown(before: Option<&str>, after: &str) -> String {
        let change = Change {
            path: "/w/a.txt".into(),
            before: before.map(str::to_owned),
            after: after.to_owned(),
            extent: Extent::Part,
        };
        detail(&CallNews { changes: vec![change], ..CallNews::default() }).expect("there is something to show")
    }

    #[test]
    fn a_change_shows_what_goes_and_what_comes() {
        let text = shown(Some("1\n2\n3\n4\n5\n6\n7\n8\n9\n"), "1\n2\n3\n4\nfive\n6\n7\n8\n9\n");
        assert_eq!(text, "/w/a.txt\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
        assert_eq!(shown(None, "new\n"), "/w/a.txt\n+new\n");
        assert_eq!(shown(Some("a\na\n"), "a\n"), "/w/a.txt\n a\n-a\n");
    }

    #[test]
    fn a_long_change_is_cut_and_says_so() {
        let text = shown(None, &"ä\n".repeat(100_000));
        assert!(text.len() <= DETAIL_BYTES, "{}", text.len());
        assert!(text.starts_with("/w/a.txt\n+ä\n") && text.ends_with(LEFT_OUT));
        let text = shown(None, &"ä".repeat(100_000));
        assert!(text.len() <= DETAIL_BYTES, "{}", text.len());
    }
}
