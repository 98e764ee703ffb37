//! A part of a text file that is ours, between two marks. All else in the file is the person's.

/// The lines that our part begins and ends with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Marks {
    pub(super) begin: &'static str,
    pub(super) end: &'static str,
}

pub(super) const MARKDOWN: Marks = Marks {
    begin: "<!-- augment-orchestrator: begin, written by `augment-cli init` -->",
    end: "<!-- augment-orchestrator: end -->",
};

pub(super) const TOML: Marks =
    Marks { begin: "# augment-orchestrator: begin, written by `augment-cli init`", end: "# augment-orchestrator: end" };

/// Where our part is.
enum Place {
    None,
    /// From its first byte to the one behind its last mark.
    At(usize, usize),
    /// One of the marks is missing, or there are several; the line is that of the mark.
    Unclear(usize),
}

/// The text with our part: at its end, or in place of an older one. `None` where it is there as it should be.
pub(super) fn with(text: &str, marks: Marks, body: &str) -> Result<Option<String>, String> {
    let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let part = format!("{}\n{}\n{}", marks.begin, body.trim_end(), marks.end).replace('\n', line_end);
    match find(text, marks) {
        Place::At(from, to) if text[from..to] == part => Ok(None),
        Place::At(from, to) => Ok(Some(format!("{}{part}{}", &text[..from], &text[to..]))),
        Place::None if text.is_empty() => Ok(Some(format!("{part}{line_end}"))),
        // One line break more than is there, so that an empty line is before it. A text without a line break at its end
        // stays one.
        Place::None if text.ends_with('\n') => Ok(Some(format!("{text}{line_end}{part}{line_end}"))),
        Place::None => Ok(Some(format!("{text}{line_end}{line_end}{part}"))),
        Place::Unclear(line) => Err(unclear(line)),
    }
}

/// The text without our part. `None` where there is none.
pub(super) fn without(text: &str, marks: Marks) -> Result<Option<String>, String> {
    let (from, to) = match find(text, marks) {
        Place::At(from, to) => (from, to),
        Place::None => return Ok(None),
        Place::Unclear(line) => return Err(unclear(line)),
    };
    let (before, after) = (&text[..from], &text[to..]);
    let (before, after) = match strip_line_end_start(after) {
        // The empty line before it came with it.
        Some(after) => match strip_line_end(before) {
            Some(shorter) if strip_line_end(shorter).is_some() => (shorter, after),
            Some(_) | None => (before, after),
        },
        // It ends the text, which had no line break at its end.
        None => match strip_line_end(before).map(|shorter| (shorter, strip_line_end(shorter))) {
            Some((_, Some(shortest))) => (shortest, after),
            Some((shorter, None)) => (shorter, after),
            None => (before, after),
        },
    };
    Ok(Some(format!("{before}{after}")))
}

fn unclear(line: usize) -> String {
    format!("our marks in it do not fit together (line {line})")
}

fn find(text: &str, marks: Marks) -> Place {
    let line_of = |at: usize| text[..at].matches('\n').count() + 1;
    let mut begins = text.match_indices(marks.begin);
    let mut ends = text.match_indices(marks.end);
    match (begins.next(), begins.next(), ends.next(), ends.next()) {
        (None, _, None, _) => Place::None,
        (Some((from, _)), None, Some((to, end)), None) if from < to => Place::At(from, to + end.len()),
        (_, Some((again, _)), _, _) => Place::Unclear(line_of(again)),
        (Some((from, _)), _, _, _) => Place::Unclear(line_of(from)),
        (None, _, Some((to, _)), _) => Place::Unclear(line_of(to)),
    }
}

fn strip_line_end(text: &str) -> Option<&str> {
    let text = text.strip_suffix('\n')?;
    Some(text.strip_suffix('\r').unwrap_or(text))
}

fn strip_line_end_start(text: &str) -> Option<&str> {
    text.strip_prefix("\r\n").or_else(|| text.strip_prefix('\n'))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPES: [&str; 12] = [
        "",
        "\n",
        "\n\n\n",
        "# Title",
        "# Title\n",
        "# Title\n\n",
        "a\r\nb\r\n",
        "a\r\nb",
        "a\r\nb\r\n\r\n",
        "mixed\r\nends\n",
        "ünï\n💥",
        " \t\n",
    ];

    #[test]
    fn taking_out_what_was_put_in_gives_the_same_bytes() {
        for text in SHAPES {
            for marks in [MARKDOWN, TOML] {
                let with = with(text, marks, "one\n\ntwo\n").unwrap().unwrap();
                assert_eq!(without(&with, marks).unwrap().as_deref(), Some(text), "{with:?}");
                assert_eq!(super::with(&with, marks, "one\n\ntwo").unwrap(), None, "{with:?}");
            }
        }
    }

    #[test]
    fn an_older_part_is_replaced_where_it_is() {
        let old = with("# Title\n", MARKDOWN, "old").unwrap().unwrap() + "\n# More\n";
        let new = with(&old, MARKDOWN, "new").unwrap().unwrap();
        assert_eq!(new, old.replace("old", "new"));
        assert_eq!(without(&new, MARKDOWN).unwrap().as_deref(), Some("# Title\n\n# More\n"));
    }

    #[test]
    fn what_the_person_wrote_around_it_stays() {
        let part = with("", MARKDOWN, "body").unwrap().unwrap();
        for (before, after, expected) in
            [("a\n", "b\n", "a\nb\n"), ("a\n\n", "b\n", "a\nb\n"), ("", "b\n", "b\n"), ("a\n\n\n", "", "a\n\n")]
        {
            let text = format!("{before}{part}{after}");
            assert_eq!(without(&text, MARKDOWN).unwrap().as_deref(), Some(expected), "{text:?}");
        }
        assert_eq!(without("nothing of ours", MARKDOWN).unwrap(), None);
    }

    #[test]
    fn marks_that_do_not_fit_are_told_and_nothing_is_guessed() {
        let part = with("", MARKDOWN, "body").unwrap().unwrap();
        for (text, line) in [
            (format!("{part}{part}"), 4),
            (format!("a\n{}\n", MARKDOWN.begin), 2),
            (format!("{}\n", MARKDOWN.end), 1),
            (format!("{}\n{}\n", MARKDOWN.end, MARKDOWN.begin), 2),
        ] {
            let told = without(&text, MARKDOWN).unwrap_err();
            assert!(told.contains(&format!("(line {line})")), "{told}");
            assert!(with(&text, MARKDOWN, "x").is_err());
        }
    }
}
