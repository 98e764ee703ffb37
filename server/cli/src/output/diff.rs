//! Unified diffs for people. A diff is made of what two contents are, line by line; what cannot be told in lines is told
//! in words. Bytes that are not UTF-8 stand in it as `\xff`, and painting it spells out what could steer a terminal.

use augment_core::diff;
use augment_core::text::visible;
use augment_protocol::changes::BodyKind;

use super::table::Look;

/// How many unchanged lines stand around a change.
const AROUND: u32 = 3;

/// A file as one side of a diff.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Side<'a> {
    /// As the wire tells it.
    pub(crate) path: &'a str,
    pub(crate) body: BodyKind,
    /// The bytes of a text, or where a link leads; empty for what has no content to show.
    pub(crate) content: &'a [u8],
    pub(crate) hash: Option<&'a str>,
    pub(crate) mode: u32,
}

/// The diff between two sides; empty where they are the same. Ends with a line break where it is not empty.
pub(crate) fn unified(before: Side<'_>, after: Side<'_>) -> String {
    let renamed = before.path != after.path && is_there(before) && is_there(after);
    let mode = before.mode != after.mode && before.mode != 0 && after.mode != 0;
    let content = content_diff(before, after);
    if content.is_empty() && !renamed && !mode && is_there(before) == is_there(after) {
        return String::new();
    }
    let mut out = format!("diff {} {}\n", named("a/", before.path), named("b/", after.path));
    if mode {
        out.push_str(&format!("old mode {:o}\nnew mode {:o}\n", before.mode, after.mode));
    }
    if renamed {
        out.push_str(&format!("rename from {}\nrename to {}\n", visible(before.path), visible(after.path)));
    }
    if !is_there(before) && is_there(after) {
        out.push_str(&format!("new {}\n", described(after)));
    }
    if is_there(before) && !is_there(after) {
        out.push_str(&format!("deleted {}\n", described(before)));
    }
    out.push_str(&content);
    out
}

/// A diff coloured line by line. Nothing of it acts on a terminal.
pub(crate) fn painted(diff: &str) -> String {
    let lines = diff.strip_suffix('\n').unwrap_or(diff).split('\n');
    let mut in_hunk = false;
    let painted = lines.map(|line| {
        // A removed line `-- x` looks like a header, but stands in a hunk; a new file's headers come after it.
        if line.starts_with("diff ") {
            in_hunk = false;
        }
        let look = match line.as_bytes() {
            [b'@', b'@', ..] => {
                in_hunk = true;
                return Look::Busy.paint_lines(line);
            }
            [b'+', ..] if in_hunk => Look::Good,
            [b'-', ..] if in_hunk => Look::Removed,
            [b'\\', ..] => Look::Faint,
            _ if in_hunk => Look::Plain,
            _ => Look::Strong,
        };
        look.paint_lines(line)
    });
    painted.collect::<Vec<_>>().join("\n")
}

/// The bytes of one line as text, with what is not UTF-8 spelled out.
pub(crate) fn line_text(line: &[u8]) -> String {
    let mut text = String::with_capacity(line.len());
    for chunk in line.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            text.push_str(&format!("\\x{byte:02x}"));
        }
    }
    text
}

fn is_there(side: Side<'_>) -> bool {
    side.body != BodyKind::Absent
}

fn named(prefix: &str, path: &str) -> String {
    visible(&format!("{prefix}{path}")).into_owned()
}

fn described(side: Side<'_>) -> String {
    match side.body {
        BodyKind::Absent => "nothing".to_owned(),
        BodyKind::Text => format!("file, mode {:o}", side.mode),
        BodyKind::Whole => format!("binary file, mode {:o}", side.mode),
        BodyKind::Link => "symbolic link".to_owned(),
        BodyKind::Large => format!("large file, mode {:o}", side.mode),
        BodyKind::Special => "pipe, socket or device".to_owned(),
    }
}

/// The lines that differ, or a sentence where content is not told in lines.
fn content_diff(before: Side<'_>, after: Side<'_>) -> String {
    let lines = |side: Side<'_>| matches!(side.body, BodyKind::Text | BodyKind::Absent);
    if lines(before) && lines(after) {
        return line_diff(before, after);
    }
    if before.body == BodyKind::Link || after.body == BodyKind::Link {
        let leads = |side: Side<'_>| match side.body {
            BodyKind::Link => format!("a link to {}", visible(&line_text(side.content))),
            BodyKind::Absent => "nothing".to_owned(),
            BodyKind::Text => "a text".to_owned(),
            BodyKind::Whole => "a binary file".to_owned(),
            BodyKind::Large => "a large file".to_owned(),
            BodyKind::Special => "a pipe, socket or device".to_owned(),
        };
        let (was, is) = (leads(before), leads(after));
        return if was == is { String::new() } else { format!("It was {was} and is {is}.\n") };
    }
    if before.body == after.body && before.hash == after.hash && before.body != BodyKind::Large {
        return String::new();
    }
    if before.body == BodyKind::Large || after.body == BodyKind::Large {
        return "A file that is too large to be kept: it differs, and how is not known.\n".to_owned();
    }
    if before.body == BodyKind::Special || after.body == BodyKind::Special {
        return "A pipe, socket or device is never read.\n".to_owned();
    }
    "The content is binary, or too much for lines: it differs as a whole.\n".to_owned()
}

fn line_diff(before: Side<'_>, after: Side<'_>) -> String {
    let (was, is) = (diff::split_lines(before.content), diff::split_lines(after.content));
    let edits = diff::lines(&was, &is);
    if edits.is_empty() {
        return String::new();
    }
    let header =
        |prefix, side: Side<'_>| if is_there(side) { named(prefix, side.path) } else { "/dev/null".to_owned() };
    let mut out = format!("--- {}\n+++ {}\n", header("a/", before), header("b/", after));
    // Where every line ends with CRLF on both sides, saying it at each one would only hide the change.
    let all_crlf = was.iter().chain(&is).all(|line| line.ends_with(b"\r\n"));
    for group in grouped(&edits) {
        write_group(&mut out, group, &was, &is, all_crlf);
    }
    out
}

/// Edits whose surroundings touch stand in one hunk.
fn grouped(edits: &[diff::Edit]) -> Vec<&[diff::Edit]> {
    let mut groups = Vec::new();
    let mut start = 0;
    for at in 1..=edits.len() {
        let apart = edits.get(at).is_none_or(|next| next.before.start - edits[at - 1].before.end > 2 * AROUND);
        if apart {
            groups.push(&edits[start..at]);
            start = at;
        }
    }
    groups
}

fn write_group(out: &mut String, edits: &[diff::Edit], was: &[&[u8]], is: &[&[u8]], all_crlf: bool) {
    let (Some(first), Some(last)) = (edits.first(), edits.last()) else { return };
    let lead = first.before.start.min(AROUND);
    let length = u32::try_from(was.len()).unwrap_or(u32::MAX);
    let tail = (length - last.before.end).min(AROUND);
    let (before, after) =
        (first.before.start - lead..last.before.end + tail, first.after.start - lead..last.after.end + tail);
    // Of an empty range the line before it is named, as every patch does.
    let place = |range: &std::ops::Range<u32>| {
        let count = range.end - range.start;
        format!("{},{count}", if count == 0 { range.start } else { range.start + 1 })
    };
    out.push_str(&format!("@@ -{} +{} @@\n", place(&before), place(&after)));
    let mut write = |mark: char, lines: &[&[u8]], range: std::ops::Range<u32>| {
        for line in range.filter_map(|at| lines.get(usize::try_from(at).ok()?)) {
            write_line(out, mark, line, all_crlf);
        }
    };
    let mut at = before.start;
    for edit in edits {
        write(' ', was, at..edit.before.start);
        write('-', was, edit.before.clone());
        write('+', is, edit.after.clone());
        at = edit.before.end;
    }
    write(' ', was, at..before.end);
}

fn write_line(out: &mut String, mark: char, line: &[u8], all_crlf: bool) {
    let (text, ended) = match line.strip_suffix(b"\n") {
        Some(text) => (if all_crlf { text.strip_suffix(b"\r").unwrap_or(text) } else { text }, true),
        None => (line, false),
    };
    out.push(mark);
    out.push_str(&line_text(text));
    out.push('\n');
    if !ended {
        out.push_str("\\ No newline at end of file\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::plain;

    fn text<'a>(path: &'a str, content: &'a str) -> Side<'a> {
        Side { path, body: BodyKind::Text, content: content.as_bytes(), hash: None, mode: 0o644 }
    }

    const ABSENT: Side<'static> = Side { path: "a", body: BodyKind::Absent, content: b"", hash: None, mode: 0 };

    #[test]
    fn changes_stand_among_the_lines_around_them() {
        let before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n";
        let after = "1\n2\n3\n4\nfive\n6\n7\n8\n9\n10\n11\n12\n13\n14\n16\n17\n";
        assert_eq!(
            unified(text("a", before), text("a", after)),
            "diff a/a b/a\n--- a/a\n+++ b/a\n\
             @@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n\
             @@ -12,5 +12,5 @@\n 12\n 13\n 14\n-15\n 16\n+17\n"
        );
        assert_eq!(unified(text("a", before), text("a", before)), "");
    }

    #[test]
    fn neighbouring_changes_share_a_hunk() {
        let diff = unified(text("a", "1\n2\n3\n4\n5\n6\n7\n8\n"), text("a", "one\n2\n3\n4\n5\n6\n7\neight\n"));
        assert_eq!(diff.matches("@@ -").count(), 1, "{diff}");
        assert!(diff.contains("@@ -1,8 +1,8 @@"), "{diff}");
    }

    #[test]
    fn files_that_come_and_go_are_told() {
        assert_eq!(
            unified(ABSENT, text("a", "one\ntwo")),
            "diff a/a b/a\nnew file, mode 644\n--- /dev/null\n+++ b/a\n@@ -0,0 +1,2 @@\n+one\n+two\n\\ No newline at end of file\n"
        );
        assert_eq!(
            unified(text("a", "one\n"), ABSENT),
            "diff a/a b/a\ndeleted file, mode 644\n--- a/a\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-one\n"
        );
        // An empty file that appears has no line to show, but is not nothing.
        assert_eq!(unified(ABSENT, text("a", "")), "diff a/a b/a\nnew file, mode 644\n");
    }

    #[test]
    fn modes_names_links_and_binary_content_are_told_in_words() {
        let run = Side { mode: 0o755, ..text("b", "x\n") };
        assert_eq!(
            unified(text("a", "x\n"), run),
            "diff a/a b/b\nold mode 644\nnew mode 755\nrename from a\nrename to b\n"
        );
        let link = |content| Side { path: "a", body: BodyKind::Link, content, hash: None, mode: 0 };
        assert_eq!(
            unified(link(b"old"), link(b"new\x1b")),
            "diff a/a b/a\nIt was a link to old and is a link to new\\u{1b}.\n"
        );
        assert_eq!(unified(link(b"old"), link(b"old")), "");
        let whole = |hash| Side { path: "a", body: BodyKind::Whole, content: b"", hash: Some(hash), mode: 0o644 };
        assert!(unified(whole("1"), whole("2")).contains("binary"));
        assert_eq!(unified(whole("1"), whole("1")), "");
    }

    #[test]
    fn line_ends_and_bytes_are_shown_where_they_differ() {
        let diff = unified(text("a", "x\r\ny\r\n"), text("a", "x\r\nz\r\n"));
        assert!(diff.ends_with(" x\n-y\n+z\n"), "{diff}");
        let diff = plain(&painted(&unified(text("a", "x\r\ny\r\n"), text("a", "x\r\ny\n"))));
        assert!(diff.ends_with("-y\\r\n+y"), "{diff}");
        let bytes = Side { content: b"\xff\tq\n", ..text("a", "") };
        assert!(unified(text("a", ""), bytes).ends_with("+\\xff\tq\n"));
    }

    #[test]
    fn a_painted_diff_holds_nothing_that_acts_on_a_terminal() {
        let hostile =
            unified(text("a\u{1b}]0;x\u{7}\n", "-- a/x\n"), text("a\u{1b}]0;x\u{7}\n", "\u{1b}[2J\u{9b}1m\u{202e}\n"));
        let shown = painted(&hostile);
        assert!(plain(&shown).contains("+\\u{1b}[2J\\u{9b}1m\\u{202e}"), "{shown}");
        assert!(plain(&shown).contains("a/a\\u{1b}]0;x\\u{7}\\n"), "{shown}");
        // Only our own styles are left once what they paint is taken away.
        assert!(!plain(&shown).contains('\u{1b}'), "{shown}");
        // A removed line that looks like a header is painted as removed.
        assert!(shown.contains(&Look::Removed.paint("--- a/x")), "{shown}");
    }
}
