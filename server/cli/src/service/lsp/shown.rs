//! Where the lines of a file are in a text that an editor has not saved yet. The host counts the lines of the file; what an
//! editor asks about and shows stands in its own text. A line that was edited keeps its place, a new one has none.

use augment_core::diff;
use augment_protocol::changes::{ChangedFile, LineSpan};

/// The lines of a file and of the text that stands for it.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    /// For each line of the file its line in the text, growing; nothing where the two are alike.
    in_text: Option<Vec<Option<u32>>>,
    /// The lines of the text that are the file's own, with their lines there.
    own: Vec<(u32, u32)>,
    /// How many lines the text has.
    count: u32,
}

impl Lines {
    /// Line ends are no difference: an editor makes them alike when it reads a file.
    pub(crate) fn between(file: &str, text: &str) -> Self {
        let [before, after] = [file, text].map(lines);
        let edits = diff::lines(&before, &after);
        if edits.is_empty() {
            return Self::default();
        }
        let length = |lines: &[&[u8]]| u32::try_from(lines.len()).unwrap_or(u32::MAX);
        let mut in_text = Vec::with_capacity(before.len());
        let mut own = Vec::new();
        let mut at = (0, 0);
        let ends = diff::Edit { before: length(&before)..length(&before), after: length(&after)..length(&after) };
        for edit in edits.into_iter().chain([ends]) {
            for line in at.0..edit.before.start {
                let there = at.1 + (line - at.0);
                in_text.push(Some(there));
                own.push((there, line));
            }
            let last = edit.after.end.checked_sub(1).filter(|_| !edit.after.is_empty());
            for line in edit.before.clone() {
                in_text.push(last.map(|last| last.min(edit.after.start + (line - edit.before.start))));
            }
            at = (edit.before.end, edit.after.end);
        }
        Self { in_text: Some(in_text), own, count: length(&after) }
    }

    /// The line of the file that a line of the text is, unless the person has written it since.
    pub(crate) fn in_file(&self, line: u32) -> Option<u32> {
        match self.in_text {
            None => Some(line),
            Some(_) => self.own.binary_search_by_key(&line, |(text, _)| *text).ok().map(|at| self.own[at].1),
        }
    }

    /// What waits in the file, counted in lines of the text.
    pub(crate) fn shown(&self, mut file: ChangedFile) -> ChangedFile {
        let Some(in_text) = &self.in_text else { return file };
        for hunk in &mut file.hunks {
            hunk.line = self.place(in_text, hunk.line);
            hunk.spans = hunk.spans.iter().filter_map(|span| stretch(in_text, *span)).collect();
            hunk.findings.retain_mut(|finding| {
                let there = in_text.get(finding.line as usize).copied().flatten();
                finding.line = there.unwrap_or(finding.line);
                there.is_some()
            });
        }
        file
    }

    /// Where a line is, or the next one that is still there.
    fn place(&self, in_text: &[Option<u32>], line: u32) -> u32 {
        in_text.iter().skip(line as usize).find_map(|there| *there).unwrap_or(self.count)
    }
}

/// From the first to the last of these lines that is still there; what was typed between them is among them.
fn stretch(in_text: &[Option<u32>], LineSpan { start, end }: LineSpan) -> Option<LineSpan> {
    let there = in_text.get(start as usize..(end as usize).min(in_text.len()))?;
    let first = there.iter().find_map(|line| *line)?;
    let last = there.iter().rev().find_map(|line| *line)?;
    Some(LineSpan { start: first, end: last + 1 })
}

fn lines(text: &str) -> Vec<&[u8]> {
    text.split_terminator('\n').map(|line| line.strip_suffix('\r').unwrap_or(line).as_bytes()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::changes::tests::{run, sample_file, sample_hunk};
    use augment_protocol::changes::Hunk;

    /// Both texts with a blank between their lines; a hunk of the file's lines `start..end`, or of removed ones before
    /// `start` where both are equal. How it stands in the text: `place spans…`, and each line's own in the file.
    fn check(file: &str, text: &str, (start, end): (u32, u32), expected: &str) {
        let [file, text] = [file, text].map(|words| words.replace(' ', "\n") + "\n");
        let lines = Lines::between(&file, &text);
        let spans = if start == end { vec![] } else { vec![LineSpan { start, end }] };
        let hunk = Hunk { line: start, spans, ..sample_hunk("3fa2c1d0e4", run("claude", "b12", "x")) };
        let shown = lines.shown(sample_file("a.txt", vec![hunk]));
        let [hunk] = &shown.hunks[..] else { panic!("there is one hunk") };
        let spans = hunk.spans.iter().map(|span| format!(" {}..{}", span.start, span.end));
        let own = (0..u32::try_from(text.lines().count()).unwrap())
            .map(|line| lines.in_file(line).map_or("-".to_owned(), |line| line.to_string()));
        let told = format!("{}{} | {}", hunk.line, spans.collect::<String>(), own.collect::<Vec<_>>().join(" "));
        assert_eq!(told, expected, "{file:?} as {text:?}");
    }

    #[test]
    fn a_hunk_stands_where_its_lines_are_in_the_text() {
        check("a b c d", "a b c d", (1, 3), "1 1..3 | 0 1 2 3");
        check("a b c d", "x y a b c d", (1, 3), "3 3..5 | - - 0 1 2 3");
        check("a b c d", "b c d", (1, 3), "0 0..2 | 1 2 3");
        // What was typed into it belongs to its place, and is nobody's in the file.
        check("a b c d", "a b x c d", (1, 3), "1 1..4 | 0 1 - 2 3");
        // An edited line keeps its place.
        check("a b c d", "a B c d", (1, 2), "1 1..2 | 0 - 2 3");
        check("a b c d", "a B C x d", (1, 3), "1 1..3 | 0 - - - 3");
        check("a b c d", "a B d", (1, 3), "1 1..2 | 0 - 3");
    }

    #[test]
    fn what_is_gone_has_a_place_alone() {
        check("a b c d", "a d", (1, 3), "1 | 0 3");
        check("a b c", "a", (1, 3), "1 | 0");
        check("a b c d", "x a b c d", (2, 2), "3 | - 0 1 2 3");
        check("a b c d", "x a b c d", (4, 4), "5 | - 0 1 2 3");
    }

    #[test]
    fn line_ends_are_no_difference() {
        assert!(Lines::between("a\r\nb\r\n", "a\nb\n").in_text.is_none());
        assert!(Lines::between("a\nb", "a\nb\n").in_text.is_none());
        assert_eq!(Lines::between("", "").in_file(7), Some(7));
    }
}
