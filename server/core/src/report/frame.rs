//! The box. All its rows are equally wide on the screen, whatever the text: what does not fit goes on in the next row,
//! and nothing is cut off.

use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::UnicodeWidthStr as _;

use crate::text::visible;

/// The columns between the edges, with the blank on either side.
const INSIDE: usize = 53;
/// The columns that text has.
const COLUMNS: usize = INSIDE - 2;
const BULLET: &str = "• ";
const UNDER_BULLET: &str = "  ";

pub(super) enum Entry {
    Line(String),
    Bullet(String),
}

pub(super) fn framed(sections: &[Vec<Entry>]) -> String {
    let rule = "─".repeat(INSIDE);
    let mut out = format!("┌{rule}┐\n");
    for (at, section) in sections.iter().enumerate() {
        if at > 0 {
            out.push_str(&format!("├{rule}┤\n"));
        }
        for row in section.iter().flat_map(rows) {
            out.push_str(&row);
        }
    }
    out.push_str(&format!("└{rule}┘\n"));
    out
}

fn rows(entry: &Entry) -> Vec<String> {
    let (text, first, next) = match entry {
        Entry::Line(text) => (text, "", ""),
        Entry::Bullet(text) => (text, BULLET, UNDER_BULLET),
    };
    let wrapped = wrapped(&visible(text), COLUMNS - first.width());
    wrapped.iter().enumerate().map(|(at, row)| edged(&format!("{}{row}", if at == 0 { first } else { next }))).collect()
}

fn edged(text: &str) -> String {
    let padding = " ".repeat(COLUMNS.saturating_sub(text.width()));
    format!("│ {text}{padding} │\n")
}

fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let graphemes: Vec<&str> = text.graphemes(true).collect();
    let mut rows = Rows { full: Vec::new(), row: String::new(), pieces: 0, columns };
    let mut gap: &[&str] = &[];
    for run in graphemes.chunk_by(|left, right| is_gap(left) == is_gap(right)) {
        if run.first().is_some_and(|first| is_gap(first)) {
            gap = run;
        } else {
            rows.word(gap, run);
        }
    }
    rows.full.push(rows.row);
    rows.full
}

/// Blank, and a place where a row may end.
fn is_gap(grapheme: &str) -> bool {
    grapheme.chars().all(|c| c.is_whitespace() && !matches!(c, '\u{a0}' | '\u{2007}' | '\u{202f}'))
}

struct Rows {
    full: Vec<String>,
    row: String,
    /// How many pieces the row holds: never more than columns, or text without width would make a row without end.
    pieces: usize,
    columns: usize,
}

impl Rows {
    fn word(&mut self, gap: &[&str], word: &[&str]) {
        let gap = if self.row.is_empty() { &[] } else { gap };
        let whole = word.concat();
        let fits_alone = word.len() <= self.columns && whole.width() <= self.columns;
        if self.push(&(gap.concat() + &whole), gap.len() + word.len()) {
            return;
        }
        if fits_alone || !self.push(&gap.concat(), gap.len()) {
            self.end();
        }
        for grapheme in word {
            self.piece(grapheme);
        }
    }

    /// A grapheme; only one that is wider than a row is taken apart.
    fn piece(&mut self, grapheme: &str) {
        if self.push(grapheme, 1) {
            return;
        }
        if grapheme.width() <= self.columns {
            self.end();
            self.row.push_str(grapheme);
            self.pieces = 1;
            return;
        }
        for c in grapheme.chars() {
            let c = c.to_string();
            if !self.push(&c, 1) {
                self.end();
                self.row.push_str(&c);
                self.pieces = 1;
            }
        }
    }

    /// Adds the text if the row still fits. The row is measured as a whole: some letters join with the ones before them.
    fn push(&mut self, text: &str, pieces: usize) -> bool {
        if self.pieces + pieces > self.columns {
            return false;
        }
        let length = self.row.len();
        self.row.push_str(text);
        let fits = self.row.width() <= self.columns;
        if fits {
            self.pieces += pieces;
        } else {
            self.row.truncate(length);
        }
        fits
    }

    fn end(&mut self) {
        self.full.push(std::mem::take(&mut self.row));
        self.pieces = 0;
    }
}
