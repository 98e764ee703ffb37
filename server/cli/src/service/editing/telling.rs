//! What an editor of any make is told: diagnostics of every file with something that waits, open or not; messages about
//! what came of a decision; and the question that comes before one that touches others' work. Nobody here waits for an
//! editor: what it answers comes as an input of its own.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use augment_core::file::FilePath;
use augment_protocol::changes::{ChangedFile, Decide, Decided, ListChanges, Preview};
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tower_lsp_server::ls_types::{Diagnostic, MessageType, Uri};

use crate::service::lsp::shown::Lines;
use crate::service::lsp::{self, question, uri};
use crate::service::methods::Door;

/// How many messages may wait to be written.
const WAITING_MESSAGES: usize = 256;
/// How many questions may wait for a person.
const WAITING_QUESTIONS: usize = 16;
/// How many files that are not open are told of.
const FILES: u32 = 200;

/// What was told to one editor, and what it was asked.
#[derive(Debug)]
pub(super) struct Telling {
    messages: mpsc::Sender<Value>,
    published: Mutex<BTreeMap<FilePath, Published>>,
    /// Files that were opened since: an editor may have let go of what it was told of them before.
    opened: Mutex<BTreeSet<FilePath>>,
    questions: Mutex<HashMap<String, Decide>>,
    last_id: AtomicU64,
}

#[derive(Debug, Clone, PartialEq)]
struct Published {
    uri: Uri,
    diagnostics: Vec<Diagnostic>,
}

impl Telling {
    /// With the messages that are to be written to the editor.
    pub(super) fn new() -> (Self, mpsc::Receiver<Value>) {
        let (messages, waiting) = mpsc::channel(WAITING_MESSAGES);
        let telling = Self {
            messages,
            published: Mutex::default(),
            opened: Mutex::default(),
            questions: Mutex::default(),
            last_id: AtomicU64::new(0),
        };
        (telling, waiting)
    }

    /// The id of a request that is ours; no two that wait for an answer have the same.
    fn id(&self, what: &str) -> String {
        format!("augment-{what}-{}", self.last_id.fetch_add(1, Ordering::Relaxed) + 1)
    }

    pub(super) fn refresh_lenses(&self) -> Value {
        json!({"jsonrpc": "2.0", "id": self.id("lenses"), "method": "workspace/codeLens/refresh"})
    }

    pub(super) fn tell(&self, kind: MessageType, message: &str) {
        let params = json!({"type": kind, "message": message});
        self.send(json!({"jsonrpc": "2.0", "method": "window/showMessage", "params": params}));
    }

    pub(super) fn tell_decided(&self, decided: &Decided) {
        let told = question::told(decided);
        let kind = if told.is_trouble { MessageType::WARNING } else { MessageType::INFO };
        self.tell(kind, &told.message);
    }

    /// Asks for a yes to what is shown; false where that cannot be.
    pub(super) fn ask(&self, why: &str, decide: &Decide, preview: &Preview) -> bool {
        let id = self.id("question");
        let mut questions = self.questions.lock().unwrap_or_else(PoisonError::into_inner);
        if questions.len() >= WAITING_QUESTIONS {
            return false;
        }
        let message = question::question(why, decide.verdict, preview);
        let actions = [question::yes(decide.verdict), question::CANCEL].map(|title| json!({"title": title}));
        let params = json!({"type": MessageType::WARNING, "message": message, "actions": actions});
        let asked = json!({"jsonrpc": "2.0", "id": id, "method": "window/showMessageRequest", "params": params});
        let confirmed = Decide { confirm: Some(preview.confirm.clone()), ..decide.clone() };
        let is_sent = self.send(asked);
        if is_sent {
            questions.insert(id, confirmed);
        }
        is_sent
    }

    /// What a person has said yes to; `None` for any other answer, and for one that nobody waits for.
    pub(super) fn answered(&self, frame: &Value) -> Option<Decide> {
        let id = frame.get("id")?.as_str()?;
        let decide = self.questions.lock().unwrap_or_else(PoisonError::into_inner).remove(id)?;
        let said = frame.pointer("/result/title").and_then(Value::as_str);
        if said == Some(question::yes(decide.verdict)) {
            return Some(decide);
        }
        self.tell(MessageType::INFO, "Nothing was changed.");
        None
    }

    fn send(&self, message: Value) -> bool {
        let sent = self.messages.try_send(message).is_ok();
        if !sent {
            tracing::warn!("an editor takes no messages; one was left out");
        }
        sent
    }

    /// A file was opened, for the first time or again.
    pub(super) fn note_opened(&self, path: FilePath) {
        self.opened.lock().unwrap_or_else(PoisonError::into_inner).insert(path);
    }

    /// Whether something is shown in a file.
    pub(super) fn has_told_of(&self, path: &FilePath) -> bool {
        self.published.lock().unwrap_or_else(PoisonError::into_inner).contains_key(path)
    }

    /// The diagnostics that differ from what was told last, of the files that have some, had some, or are open.
    /// By the lines of the editor's texts, which `lines` finds from the file's.
    pub(super) async fn diagnostics(
        &self,
        door: &Door,
        open: BTreeMap<FilePath, Uri>,
        lines: &(impl Fn(&FilePath, Option<&str>) -> Lines + Sync),
    ) -> Vec<Value> {
        let Some(files) = files_to_tell(door, &open, lines).await else { return Vec::new() };
        let opened = std::mem::take(&mut *self.opened.lock().unwrap_or_else(PoisonError::into_inner));
        let root = door.shared.workspace.root();
        let mut now = BTreeMap::new();
        for file in files {
            let Ok(path) = FilePath::from_text(&file.path) else { continue };
            let Some(uri) = open.get(&path).cloned().or_else(|| uri::uri_of(root, &file.path)) else { continue };
            now.insert(path, Published { uri, diagnostics: lsp::diagnostics(&file) });
        }
        let mut published = self.published.lock().unwrap_or_else(PoisonError::into_inner);
        let news = differences(&published, &now, &opened);
        *published = now;
        published.retain(|_, told| !told.diagnostics.is_empty());
        news.iter().map(publish).collect()
    }
}

/// What has something that waits, and what is open; `None` where it cannot be told now.
async fn files_to_tell(
    door: &Door,
    open: &BTreeMap<FilePath, Uri>,
    lines: &(impl Fn(&FilePath, Option<&str>) -> Lines + Sync),
) -> Option<Vec<ChangedFile>> {
    let list = ListChanges { limit: Some(FILES), ..ListChanges::default() };
    let list = door.changes_list(list).await.ok()?;
    if list.next.is_some() {
        tracing::info!("only the first {FILES} files with something that waits are told to editors");
    }
    let is_open = |file: &ChangedFile| FilePath::from_text(&file.path).is_ok_and(|path| open.contains_key(&path));
    let (listed, mut files): (Vec<_>, Vec<_>) = list.files.into_iter().partition(is_open);
    // What is open is looked at by itself, beyond the limit as well: it stands in a text of the editor's own.
    let waits = |path: &FilePath| list.next.is_some() || listed.iter().any(|file| file.path == path.to_text());
    for path in open.keys().filter(|path| waits(path)) {
        if let Ok((file, content)) = door.changes_file_with_text(path.to_text()).await {
            files.push(lines(path, content.as_deref()).shown(file));
        }
    }
    Some(files)
}

/// What has to be published so that an editor that knows `before` knows `now`; what was opened since is told again.
fn differences(
    before: &BTreeMap<FilePath, Published>,
    now: &BTreeMap<FilePath, Published>,
    opened: &BTreeSet<FilePath>,
) -> Vec<Published> {
    let nothing = |uri: &Uri| Published { uri: uri.clone(), diagnostics: Vec::new() };
    let mut news = Vec::new();
    for (path, told) in before {
        // An editor may name the file otherwise once it has it open.
        if now.get(path).is_none_or(|now| now.uri != told.uri) {
            news.push(nothing(&told.uri));
        }
    }
    for (path, now) in now {
        let known = before.get(path).cloned().unwrap_or_else(|| nothing(&now.uri));
        let is_nothing = known.diagnostics.is_empty() && now.diagnostics.is_empty();
        if !is_nothing && (known != *now || opened.contains(path)) {
            news.push(now.clone());
        }
    }
    news
}

fn publish(published: &Published) -> Value {
    let Published { uri, diagnostics } = published;
    let params = json!({"uri": uri.as_str(), "diagnostics": diagnostics});
    json!({"jsonrpc": "2.0", "method": "textDocument/publishDiagnostics", "params": params})
}

#[cfg(test)]
mod tests {
    use std::str::FromStr as _;

    use augment_protocol::changes::{Selection, Verdict};

    use super::*;

    /// `a=x a=y` is a file `a` with two diagnostics; `b@other=x` one with another URI; `c` one without any.
    fn known(text: &str) -> BTreeMap<FilePath, Published> {
        let mut known = BTreeMap::new();
        for word in text.split_whitespace() {
            let (name, message) = word.split_once('=').map_or((word, None), |(name, message)| (name, Some(message)));
            let (path, spelling) = name.split_once('@').unwrap_or((name, name));
            let uri = Uri::from_str(&format!("file:///w/{spelling}")).unwrap();
            let of = known
                .entry(FilePath::from_text(path).unwrap())
                .or_insert_with(|| Published { uri, diagnostics: Vec::new() });
            of.diagnostics
                .extend(message.map(|message| Diagnostic { message: message.to_owned(), ..Diagnostic::default() }));
        }
        known
    }

    fn check(before: &str, now: &str, expected: &str) {
        check_opened(before, now, "", expected);
    }

    fn check_opened(before: &str, now: &str, opened: &str, expected: &str) {
        let opened: BTreeSet<FilePath> =
            opened.split_whitespace().map(|path| FilePath::from_text(path).unwrap()).collect();
        let said: Vec<String> = differences(&known(before), &known(now), &opened)
            .iter()
            .map(|one| {
                let name = one.uri.as_str().rsplit('/').next().unwrap_or_default().to_owned();
                let messages: Vec<&str> = one.diagnostics.iter().map(|one| one.message.as_str()).collect();
                format!("{name}:{}", messages.join("+"))
            })
            .collect();
        assert_eq!(said.join(" "), expected, "{before} → {now}");
    }

    #[test]
    fn only_what_differs_is_published_and_what_is_decided_is_cleared() {
        check("", "a=x", "a:x");
        check("a=x", "a=x", "");
        check("a=x b=y", "a=x a=z b=y", "a:x+z");
        check("a=x b=y", "b=y", "a:");
        check("a=x", "a", "a:");
        check("", "a", "");
        check("a=x", "a@A=x", "a: A:x");
    }

    #[test]
    fn what_is_opened_again_is_told_again() {
        check_opened("a=x b=y", "a=x b=y", "a c", "a:x");
        check_opened("a=x", "", "a", "a:");
    }

    fn decide() -> Decide {
        let what = Selection { hunks: Some(vec!["3fa2".into()]), ..Selection::default() };
        Decide { verdict: Verdict::Reject, what, confirm: None }
    }

    fn preview() -> Preview {
        Preview { hunks: 1, files: Vec::new(), more: 0, asks: true, confirm: "shown".into() }
    }

    #[test]
    fn only_a_yes_to_the_question_orders_exactly_what_was_shown() {
        let (telling, mut messages) = Telling::new();
        let mut ask = || {
            assert!(telling.ask("Why.", &decide(), &preview()));
            messages.try_recv().unwrap()["id"].clone()
        };
        let confirmed = Decide { confirm: Some("shown".into()), ..decide() };
        let id = ask();
        assert_eq!(telling.answered(&json!({"id": "augment-question-99", "result": {"title": "Reject"}})), None);
        assert_eq!(telling.answered(&json!({"id": id, "result": {"title": "Reject"}})), Some(confirmed));
        // A question is answered once.
        assert_eq!(telling.answered(&json!({"id": id, "result": {"title": "Reject"}})), None);
        for answer in [
            json!({"result": {"title": "Cancel"}}),
            json!({"result": null}),
            json!({"result": {"title": "Approve"}}),
            json!({"error": {"code": -32601, "message": "no such method"}}),
        ] {
            let mut frame = answer;
            let (telling, mut messages) = Telling::new();
            assert!(telling.ask("Why.", &decide(), &preview()));
            frame["id"] = messages.try_recv().unwrap()["id"].clone();
            assert_eq!(telling.answered(&frame), None);
            assert_eq!(messages.try_recv().unwrap()["params"]["message"], "Nothing was changed.");
        }
    }

    #[test]
    fn questions_that_nobody_answers_are_bounded() {
        let (telling, _messages) = Telling::new();
        let asked = (0..100).filter(|_| telling.ask("Why.", &decide(), &preview())).count();
        assert_eq!(asked, WAITING_QUESTIONS);
    }
}
