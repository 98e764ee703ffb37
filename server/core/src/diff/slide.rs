//! Where an edit stands when it could stand in several places: a function added between two others that end alike can be
//! shown as beginning at its own head, or at the closing brace of the one before. People mean the first.

use std::ops::Range;

/// How far an edit is moved, in lines.
const FAR: usize = 128;

/// Moves edits that only insert or only delete to where the lines around them are least indented, the lowest such place
/// if there are several. Edits never touch afterwards either.
pub(super) fn to_natural_places(edits: &mut [(Range<usize>, Range<usize>)], before: &[&[u8]], after: &[&[u8]]) {
    for at in 0..edits.len() {
        let (b, a) = edits[at].clone();
        let inserts = b.is_empty();
        if !inserts && !a.is_empty() {
            continue;
        }
        let (text, here) = if inserts { (after, &a) } else { (before, &b) };
        let side = |edit: &(Range<usize>, Range<usize>)| if inserts { edit.1.clone() } else { edit.0.clone() };
        // An equal line has to stay between two edits.
        let first = at.checked_sub(1).map_or(0, |previous| side(&edits[previous]).end + 1);
        let last = edits.get(at + 1).map_or(text.len(), |next| side(next).start - 1);
        let place = best_place(text, here, first, last);
        if place < here.start {
            let up = here.start - place;
            edits[at] = (b.start - up..b.end - up, a.start - up..a.end - up);
        } else {
            let down = place - here.start;
            edits[at] = (b.start + down..b.end + down, a.start + down..a.end + down);
        }
    }
}

fn best_place(text: &[&[u8]], here: &Range<usize>, first: usize, last: usize) -> usize {
    let length = here.len();
    let mut highest = here.start;
    while highest > first && here.start - highest < FAR && text[highest - 1] == text[highest + length - 1] {
        highest -= 1;
    }
    let mut lowest = here.start;
    while lowest + length < last && lowest - here.start < FAR && text[lowest] == text[lowest + length] {
        lowest += 1;
    }
    // The lowest of the cheapest: the later one wins on a tie.
    (highest..=lowest).rev().min_by_key(|start| cost(text, *start) + cost(text, *start + length)).unwrap_or(here.start)
}

/// How unnatural it is to cut before this line: its indentation, a little if no blank line comes before, and more if it
/// closes what the lines before have opened.
fn cost(text: &[&[u8]], at: usize) -> usize {
    let Some(line) = text.get(at) else {
        return 0;
    };
    let after_blank = at.checked_sub(1).is_some_and(|before| is_blank(text[before]));
    let indented = if is_blank(line) {
        // A cut before a blank line is a cut before what follows it, only less so than one after it.
        text.get(at + 1).map_or(0, |next| indentation(next)) * 3 + 2
    } else {
        indentation(line) * 3
    };
    indented + usize::from(!after_blank) + if closes(line) { 4 } else { 0 }
}

/// Whether a line ends a block: by a bracket or a tag, or by a word that does nothing else.
fn closes(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    let by_word = matches!(line, b"end" | b"fi" | b"done" | b"esac");
    by_word || line.starts_with(b"</") || line.first().is_some_and(|first| b"})]".contains(first))
}

fn is_blank(line: &[u8]) -> bool {
    line.iter().all(u8::is_ascii_whitespace)
}

/// In columns, counted up to a bound: a line of a million blanks is not looked through for each place.
fn indentation(line: &[u8]) -> usize {
    line.iter()
        .take(200)
        .map_while(|byte| match byte {
            b' ' => Some(1),
            b'\t' => Some(8),
            _ => None,
        })
        .sum()
}
