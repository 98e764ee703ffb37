//! What editors have open: the text as they show it, saved or not. A file with unsaved text is never replaced under the
//! editor's hands; the editor is asked to change its text instead, and the person saves it.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use augment_core::diff;
use augment_core::file::FilePath;
use augment_core::review::{DecisionId, FileNumber};
use tokio::sync::mpsc;

/// How many documents are followed; past that a file counts as not open.
const DOCUMENTS: usize = 10_000;
/// Texts longer than this are not followed.
pub const TEXT_LIMIT: usize = 4 * 1_024 * 1_024;

/// A connection that edits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct EditorId(u64);

/// A document as an editor shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenText {
    pub editor: EditorId,
    pub version: i32,
    pub text: String,
}

/// What an editor is asked to change in one of its texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditOrder {
    pub path: FilePath,
    /// The text that the edits are for; another version refuses them.
    pub version: i32,
    pub edits: Vec<LineEdit>,
    pub decision: DecisionId,
    pub file: FileNumber,
}

/// Replaces some lines of a text. Lines count from 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineEdit {
    pub start: Position,
    pub end: Position,
    pub text: String,
}

/// A place as editors count: lines from 0, and units of UTF-16 in the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    pub line: u32,
    pub character: u32,
}

#[derive(Debug, Default)]
pub struct Editors(Mutex<Open>);

#[derive(Debug, Default)]
struct Open {
    texts: HashMap<FilePath, OpenText>,
    orders: HashMap<EditorId, mpsc::UnboundedSender<EditOrder>>,
    last: u64,
}

impl Editors {
    fn lock(&self) -> MutexGuard<'_, Open> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A connection begins to tell of its documents, and hears what it is to change in them.
    pub fn begin(&self) -> (EditorId, mpsc::UnboundedReceiver<EditOrder>) {
        let (sender, orders) = mpsc::unbounded_channel();
        let mut open = self.lock();
        open.last += 1;
        let id = EditorId(open.last);
        open.orders.insert(id, sender);
        (id, orders)
    }

    /// A connection has ended, and its documents with it.
    pub fn end(&self, editor: EditorId) {
        let mut open = self.lock();
        open.orders.remove(&editor);
        open.texts.retain(|_, text| text.editor != editor);
    }

    /// A document was opened or has changed.
    pub fn show(&self, path: FilePath, text: OpenText) {
        let mut open = self.lock();
        let fits = text.text.len() <= TEXT_LIMIT && (open.texts.len() < DOCUMENTS || open.texts.contains_key(&path));
        if fits {
            open.texts.insert(path, text);
        } else {
            open.texts.remove(&path);
        }
    }

    pub fn close(&self, editor: EditorId, path: &FilePath) {
        let mut open = self.lock();
        if open.texts.get(path).is_some_and(|text| text.editor == editor) {
            open.texts.remove(path);
        }
    }

    #[must_use]
    pub fn text_of(&self, path: &FilePath) -> Option<OpenText> {
        self.lock().texts.get(path).cloned()
    }

    /// Hands an order to the editor that has the document; false if it has gone.
    pub(crate) fn order(&self, editor: EditorId, order: EditOrder) -> bool {
        self.lock().orders.get(&editor).is_some_and(|orders| orders.send(order).is_ok())
    }
}

/// The edits that turn one text into another, line by line.
#[must_use]
pub fn line_edits(before: &str, after: &str) -> Vec<LineEdit> {
    let (old, new) = (diff::split_lines(before.as_bytes()), diff::split_lines(after.as_bytes()));
    let edits = diff::lines(&old, &new);
    let position = |line: u32| match old.get(line as usize) {
        Some(_) => Position { line, character: 0 },
        None => end_of(before, &old),
    };
    edits
        .iter()
        .map(|edit| {
            let lines = &new[edit.after.start as usize..edit.after.end as usize];
            LineEdit {
                start: position(edit.before.start),
                end: position(edit.before.end),
                text: String::from_utf8_lossy(&lines.concat()).into_owned(),
            }
        })
        .collect()
}

/// Where a text ends: on the empty line after its last line break, or behind the last character.
fn end_of(text: &str, lines: &[&[u8]]) -> Position {
    let count = u32::try_from(lines.len()).unwrap_or(u32::MAX);
    if text.is_empty() || text.ends_with('\n') {
        return Position { line: count, character: 0 };
    }
    let last = text.rsplit('\n').next().unwrap_or_default();
    Position { line: count - 1, character: u32::try_from(last.encode_utf16().count()).unwrap_or(u32::MAX) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn applied(text: &str, edits: &[LineEdit]) -> String {
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let offset = |at: Position| {
            let before: usize = lines.iter().take(at.line as usize).map(|line| line.len()).sum();
            let rest: Vec<u16> = text[before..].encode_utf16().take(at.character as usize).collect();
            before + String::from_utf16_lossy(&rest).len()
        };
        let mut out = text.to_owned();
        for edit in edits.iter().rev() {
            out.replace_range(offset(edit.start)..offset(edit.end), &edit.text);
        }
        out
    }

    #[test]
    fn edits_turn_one_text_into_the_other() {
        let texts =
            ["", "a\n", "a\nb\nc\n", "a\nb\nc", "x", "a\nX\nc\n", "a\r\nü😀\r\nz", "b\nc\n", "a\nb\nc\nd", "\n\n"];
        for before in texts {
            for after in texts {
                assert_eq!(applied(before, &line_edits(before, after)), after, "{before:?} to {after:?}");
            }
        }
    }

    #[test]
    fn documents_go_with_their_connection() {
        let editors = Editors::default();
        let path = FilePath::from_text("a").unwrap();
        let (one, _orders) = editors.begin();
        let (two, _more) = editors.begin();
        editors.show(path.clone(), OpenText { editor: one, version: 1, text: "x".into() });
        editors.end(two);
        editors.close(two, &path);
        assert_eq!(editors.text_of(&path).map(|text| text.text), Some("x".into()));
        editors.end(one);
        assert_eq!(editors.text_of(&path), None);
    }
}
