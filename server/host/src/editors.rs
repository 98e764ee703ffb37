//! What editors have open: the text as they show it, saved or not. A file with unsaved text is never replaced under the
//! editor's hands; the editor is asked to change its text instead, and the person saves it.

mod comparison;

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use augment_core::attribution::is_written;
use augment_core::diff;
use augment_core::file::{ContentHash, FilePath};
use augment_core::review::{DecisionId, FileNumber};
use tokio::sync::mpsc;

pub use comparison::{Comparison, Disk, Moment, Saved};

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
    /// This very text has been on disk, so nothing in it waits to be saved, whatever is written there since.
    pub was_on_disk: bool,
}

impl OpenText {
    #[must_use]
    pub fn new(editor: EditorId, version: i32, text: String) -> Self {
        Self { editor, version, text, was_on_disk: false }
    }
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
    /// By path, one for each editor that has it open.
    texts: HashMap<FilePath, Vec<OpenText>>,
    documents: usize,
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
        let paths: Vec<FilePath> = open.texts.keys().cloned().collect();
        for path in paths {
            open.take(editor, &path);
        }
    }

    /// A document was opened or has changed.
    pub fn show(&self, path: FilePath, text: OpenText) {
        let mut open = self.lock();
        open.take(text.editor, &path);
        if text.text.len() <= TEXT_LIMIT && open.documents < DOCUMENTS {
            open.documents += 1;
            open.texts.entry(path).or_default().push(text);
        }
    }

    pub fn close(&self, editor: EditorId, path: &FilePath) {
        self.lock().take(editor, path);
    }

    /// The texts that editors show for a path, one for each of them.
    #[must_use]
    pub fn texts_of(&self, path: &FilePath) -> Vec<OpenText> {
        self.lock().texts.get(path).cloned().unwrap_or_default()
    }

    /// Whether an editor shows something else for a path than what is on disk, and that waits to be saved.
    #[must_use]
    pub fn is_unsaved(&self, path: &FilePath, hash: Option<ContentHash>) -> bool {
        let shows = |open: &OpenText| hash.is_some_and(|hash| is_written(open.text.as_bytes(), hash));
        self.texts_of(path).iter().any(|open| !open.was_on_disk && !shows(open))
    }

    /// Notes which of the texts that are shown for a path are on disk, or have been.
    pub(crate) fn note_on_disk(&self, path: &FilePath, is_there: impl Fn(&OpenText) -> bool) {
        for open in self.lock().texts.get_mut(path).into_iter().flatten() {
            open.was_on_disk = open.was_on_disk || is_there(open);
        }
    }

    /// The text that one editor shows for a path.
    #[must_use]
    pub fn text_in(&self, editor: EditorId, path: &FilePath) -> Option<OpenText> {
        self.lock().texts.get(path)?.iter().find(|text| text.editor == editor).cloned()
    }

    /// Hands an order to the editor that has the document; false if it has gone.
    pub(crate) fn order(&self, editor: EditorId, order: EditOrder) -> bool {
        self.lock().orders.get(&editor).is_some_and(|orders| orders.send(order).is_ok())
    }
}

impl Open {
    /// An editor does not show a path any more.
    fn take(&mut self, editor: EditorId, path: &FilePath) {
        let Some(texts) = self.texts.get_mut(path) else { return };
        let before = texts.len();
        texts.retain(|text| text.editor != editor);
        self.documents -= before - texts.len();
        if texts.is_empty() {
            self.texts.remove(path);
        }
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
    fn each_editor_has_its_own_text_of_a_path_until_it_closes_it_or_goes() {
        let editors = Editors::default();
        let path = FilePath::from_text("a").unwrap();
        let (one, _orders) = editors.begin();
        let (two, _more) = editors.begin();
        let show = |editor, text: &str| {
            editors.show(path.clone(), OpenText::new(editor, 1, text.into()));
        };
        let shown = || editors.texts_of(&path).into_iter().map(|open| open.text).collect::<Vec<_>>();
        show(one, "x");
        show(two, "y");
        show(two, "z");
        assert_eq!(shown(), ["x", "z"]);
        assert_eq!(editors.text_in(one, &path).map(|open| open.text), Some("x".into()));
        editors.close(two, &path);
        editors.end(two);
        assert_eq!(shown(), ["x"]);
        assert_eq!(editors.text_in(two, &path), None);
        show(one, &"x".repeat(TEXT_LIMIT + 1));
        assert_eq!(shown(), Vec::<String>::new());
        show(one, "x");
        editors.end(one);
        assert_eq!(shown(), Vec::<String>::new());
        assert_eq!(editors.lock().documents, 0);
    }
}
