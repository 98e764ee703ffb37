//! What an editor on a connection has open, and what it is asked to change. Standard LSP, so that any editor can review:
//! documents are followed as it tells of them, lenses, code actions, hovers and diagnostics are made of what the host
//! knows, and a text that is not saved is changed by `workspace/applyEdit`.

mod abilities;
mod telling;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use augment_core::attribution::SavedHow;
use augment_core::file::FilePath;
use augment_core::review::{Outcome, WrittenFile};
use augment_core::text::visible;
use augment_core::turn::{Command, Input};
use augment_host::editors::{Comparison, Disk, EditOrder, EditorId, Moment, OpenText, Saved};
use augment_protocol::changes::{ChangedFile, Decide, Decided, OneFile};
use serde_json::{Value, json};
use tokio::sync::{Notify, mpsc};
use tower_lsp_server::jsonrpc::{Error, Result};
use tower_lsp_server::ls_types::{
    CodeActionOptions, CodeActionOrCommand, CodeActionParams, CodeActionProviderCapability, CodeActionResponse,
    CodeLens, CodeLensOptions, CodeLensParams, DidChangeTextDocumentParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, DidSaveTextDocumentParams, ExecuteCommandOptions, ExecuteCommandParams, Hover,
    HoverParams, HoverProviderCapability, InitializeParams, LSPAny, MessageType, PositionEncodingKind, SaveOptions,
    ServerCapabilities, TextDocumentSyncCapability, TextDocumentSyncKind, TextDocumentSyncOptions,
    TextDocumentSyncSaveOptions, Uri, WillSaveTextDocumentParams,
};

use super::changes::preview_in;
use super::lsp::shown::Lines;
use super::lsp::{self, orders, uri};
use super::methods::{Door, no};
use super::{Shared, lsp::orders::Order};
use abilities::{Abilities, Client};
use telling::Telling;

/// How many edits may wait for the editor's answer.
const WAITING_EDITS: usize = 1_000;

/// One connection as an editor.
#[derive(Debug)]
pub(super) struct Editing {
    id: EditorId,
    /// Set when it introduces itself.
    abilities: OnceLock<Abilities>,
    /// A window of our own extension, which is there.
    is_window: AtomicBool,
    telling: Telling,
    open: Mutex<BTreeMap<FilePath, Uri>>,
    /// How the open texts stand against the disk. They are compared in the order in which they were told of, which a fair
    /// lock keeps, and one that is closed is compared to its end.
    compared: tokio::sync::Mutex<BTreeMap<FilePath, Comparison>>,
    disk: OnceLock<Option<Disk>>,
    /// A file was opened or edited, so its diagnostics are due without anything having moved.
    due: Notify,
    edits: Mutex<Edits>,
}

#[derive(Debug, Default)]
struct Edits {
    last: u64,
    waiting: HashMap<String, EditOrder>,
    /// The files whose decisions were carried into a text here and wait for it to be saved.
    carried: BTreeSet<FilePath>,
}

impl Edits {
    /// Whether a decision that was carried into a text here is not on disk, now that the text is saved.
    fn save_ends(&mut self, path: &FilePath) -> bool {
        // An order that is not answered yet comes with the next save.
        !self.waiting.values().any(|order| order.path == *path) && self.carried.remove(path)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Editing {
    /// With the messages that are to be written to it.
    pub(super) fn new(id: EditorId) -> (Self, mpsc::Receiver<Value>) {
        let (telling, messages) = Telling::new();
        let editing = Self {
            id,
            abilities: OnceLock::new(),
            is_window: AtomicBool::new(false),
            telling,
            open: Mutex::default(),
            compared: tokio::sync::Mutex::default(),
            disk: OnceLock::new(),
            due: Notify::new(),
            edits: Mutex::default(),
        };
        (editing, messages)
    }

    pub(super) fn introduced(&self, shared: &Shared, params: &InitializeParams) {
        let abilities = self.abilities.get_or_init(|| Abilities::of(params));
        let is_window = abilities.client == Client::Window;
        // A command comes and goes, also while nobody has a window: its end says nothing about the session.
        if is_window && !self.is_window.swap(true, Ordering::Relaxed) {
            shared.note_window(true);
        }
    }

    fn is_able(&self, of: impl FnOnce(&Abilities) -> bool) -> bool {
        self.abilities.get().is_some_and(of)
    }

    /// Our own extension shows things itself; other editors are told.
    fn is_told(&self) -> bool {
        self.is_able(Abilities::is_told)
    }

    /// Whether it hears that something moved, whatever it was.
    pub(super) fn hears_moves(&self) -> bool {
        self.is_able(|abilities| abilities.hears_moves)
    }

    /// The request that carries an order to the editor.
    pub(super) fn request(&self, shared: &Shared, order: &EditOrder) -> Option<Value> {
        if !self.is_able(|abilities| abilities.applies_edits) {
            return None;
        }
        // By the name that the editor has it open under.
        let known = lock(&self.open).get(&order.path).cloned();
        let uri = known.or_else(|| uri::uri_of(shared.workspace.root(), &order.path.to_text()))?;
        let mut edits = lock(&self.edits);
        if edits.waiting.len() >= WAITING_EDITS {
            return None;
        }
        edits.last += 1;
        let id = format!("augment-edit-{}", edits.last);
        edits.waiting.insert(id.clone(), order.clone());
        edits.carried.insert(order.path.clone());
        let changes: Vec<Value> = order
            .edits
            .iter()
            .map(|edit| {
                let place = |at: augment_host::editors::Position| json!({"line": at.line, "character": at.character});
                json!({"range": {"start": place(edit.start), "end": place(edit.end)}, "newText": edit.text})
            })
            .collect();
        let edit = if self.is_able(|abilities| abilities.versioned_edits) {
            let document = json!({"uri": uri.as_str(), "version": order.version});
            json!({"documentChanges": [{"textDocument": document, "edits": changes}]})
        } else {
            json!({"changes": {uri.as_str(): changes}})
        };
        let params = json!({"label": "Review", "edit": edit});
        Some(json!({"jsonrpc": "2.0", "id": id, "method": "workspace/applyEdit", "params": params}))
    }

    /// What an answer of the editor means: `None` for one that nobody waits for, or that says it was done.
    pub(super) fn answered(&self, frame: &Value) -> Option<Input> {
        let id = frame.get("id")?.as_str()?;
        let EditOrder { decision, file, path, .. } = lock(&self.edits).waiting.remove(id)?;
        if frame.pointer("/result/applied") == Some(&Value::Bool(true)) {
            return None;
        }
        let said = frame.pointer("/result/failureReason").or_else(|| frame.pointer("/error/message"));
        let said = said.and_then(Value::as_str).unwrap_or("it did not say why");
        let reason = format!("The editor did not change its text: {}.", augment_core::text::shortened(said, 200));
        if self.is_told() {
            let message = format!("{path} is as before. {}", visible(&reason));
            self.telling.tell(MessageType::WARNING, &message);
        }
        let outcome = Outcome::NotWritten { reason };
        Some(Input::FilesWritten { decision, files: vec![WrittenFile { file, outcome }], after_crash: false })
    }

    /// What a person has said yes to, where this answers a question of ours.
    pub(super) fn agreed(&self, frame: &Value) -> Option<Decide> {
        self.telling.answered(frame)
    }

    /// Returns once a file has been opened or edited since the last time.
    pub(super) async fn is_due(&self) {
        self.due.notified().await;
    }

    /// What other editors than our own are told after something moved.
    pub(super) async fn news(&self, door: &Door) -> Vec<Value> {
        let mut news = self.diagnostics(door).await;
        if self.is_told() && self.is_able(|abilities| abilities.refreshes_lenses) {
            news.push(self.telling.refresh_lenses());
        }
        news
    }

    /// The same after a file was opened or edited: its lenses are asked for anyway.
    pub(super) async fn diagnostics(&self, door: &Door) -> Vec<Value> {
        if !self.is_told() {
            return Vec::new();
        }
        let open = lock(&self.open).clone();
        let lines = |path: &FilePath, content: Option<&str>| self.lines(&door.shared, path, content);
        self.telling.diagnostics(door, open, &lines).await
    }

    /// Where the lines of a file are in the text that this editor shows of it.
    fn lines(&self, shared: &Shared, path: &FilePath, content: Option<&str>) -> Lines {
        match (content, shared.runtime.editors().text_in(self.id, path)) {
            (Some(content), Some(shown)) => Lines::between(content, &shown.text),
            (_, _) => Lines::default(),
        }
    }

    /// Compares a text with the disk, on a thread of its own. `None` where that is not possible.
    async fn compare<T: Send + 'static>(
        self: &Arc<Self>,
        shared: &Arc<Shared>,
        path: FilePath,
        compare: impl FnOnce(&mut Comparison, &Disk, &FilePath) -> T + Send + 'static,
    ) -> Option<T> {
        let mut compared = self.compared.lock().await;
        let mut comparison = compared.get(&path).copied().unwrap_or_default();
        let (editing, shared, at) = (self.clone(), shared.clone(), path.clone());
        let looking = tokio::task::spawn_blocking(move || {
            let answer = compare(&mut comparison, editing.disk(&shared)?, &at);
            Some((answer, comparison))
        });
        let (answer, comparison) = looking.await.ok().flatten()?;
        compared.insert(path, comparison);
        Some(answer)
    }

    fn disk(&self, shared: &Shared) -> Option<&Disk> {
        let open = || match Disk::open(shared.workspace.root()) {
            Ok(disk) => Some(disk),
            Err(error) => {
                tracing::warn!("{error}");
                None
            }
        };
        self.disk.get_or_init(open).as_ref()
    }

    /// The connection has ended. What waited in its texts to be saved will not be.
    pub(super) async fn end(self: &Arc<Self>, shared: &Arc<Shared>) {
        let paths = std::mem::take(&mut lock(&self.edits).carried);
        shared.runtime.editors().end(self.id);
        if self.is_window.swap(false, Ordering::Relaxed) {
            shared.note_window(false);
        }
        for path in paths {
            self.give_up_save(shared, path).await;
        }
    }

    /// What decisions changed in a text is not waited for any more.
    async fn give_up_save(self: &Arc<Self>, shared: &Arc<Shared>, path: FilePath) {
        let (editing, at, from) = (self.clone(), path.clone(), shared.clone());
        let hash = tokio::task::spawn_blocking(move || editing.disk(&from)?.hash(&at)).await;
        let on_disk = hash.ok().flatten();
        if let Err(error) = shared.runtime.post(Input::EditorClosed { path, on_disk }).await {
            tracing::debug!("{error}");
        }
    }
}

/// What is told of an order that could not even be sent.
pub(super) fn not_done(order: &EditOrder) -> Input {
    let reason =
        "The editor that has it open could not be asked to change it. Save it or close it, then repeat.".to_owned();
    let files = vec![WrittenFile { file: order.file, outcome: Outcome::NotWritten { reason } }];
    Input::FilesWritten { decision: order.decision, files, after_crash: false }
}

/// What any editor can ask of us.
pub(super) fn capabilities() -> ServerCapabilities {
    let sync = TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::FULL),
        // What an editor waits for is compared before it writes; a notice alone may be read too late.
        will_save: Some(true),
        will_save_wait_until: Some(true),
        // An editor may tell of a save before it has told of the text that it saved.
        save: Some(TextDocumentSyncSaveOptions::SaveOptions(SaveOptions { include_text: Some(true) })),
    };
    let actions =
        CodeActionOptions { code_action_kinds: Some(lsp::ACTION_KINDS.to_vec()), ..CodeActionOptions::default() };
    ServerCapabilities {
        position_encoding: Some(PositionEncodingKind::UTF16),
        text_document_sync: Some(TextDocumentSyncCapability::Options(sync)),
        code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(false) }),
        code_action_provider: Some(CodeActionProviderCapability::Options(actions)),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: orders::COMMANDS.iter().map(ToString::to_string).collect(),
            ..ExecuteCommandOptions::default()
        }),
        ..ServerCapabilities::default()
    }
}

impl Door {
    fn path(&self, uri: &Uri) -> Option<FilePath> {
        uri::path_of(self.shared.workspace.root(), uri)
    }

    fn show(&self, uri: &Uri, version: i32, text: String) -> Option<FilePath> {
        let path = self.path(uri)?;
        lock(&self.editing.open).insert(path.clone(), uri.clone());
        self.shared.runtime.editors().show(path.clone(), OpenText::new(self.editing.id, version, text));
        Some(path)
    }

    pub(super) async fn opened(&self, params: DidOpenTextDocumentParams) {
        let document = params.text_document;
        let path = self.show(&document.uri, document.version, document.text);
        if let Some(path) = path.clone() {
            self.editing.telling.note_opened(path);
        }
        self.editing.due.notify_one();
        self.compare(path, Moment::Opened).await;
    }

    pub(super) async fn changed(&self, params: DidChangeTextDocumentParams) {
        let document = params.text_document;
        if let Some(whole) = params.content_changes.into_iter().rfind(|change| change.range.is_none()) {
            let path = self.show(&document.uri, document.version, whole.text);
            // What is shown in it stands elsewhere now.
            if path.as_ref().is_some_and(|path| self.editing.telling.has_told_of(path)) {
                self.editing.due.notify_one();
            }
            self.compare(path, Moment::Changed).await;
        }
    }

    pub(super) async fn will_be_saved(&self, params: WillSaveTextDocumentParams) {
        self.compare(self.path(&params.text_document.uri), Moment::WillSave).await;
    }

    async fn compare(&self, path: Option<FilePath>, moment: Moment) {
        // Our own extension compares by itself.
        let Some(path) = path.filter(|_| self.editing.is_told()) else { return };
        let Some(OpenText { text, .. }) = self.shared.runtime.editors().text_in(self.editing.id, &path) else { return };
        let look = move |comparison: &mut Comparison, disk: &Disk, path: &FilePath| {
            comparison.look(disk, path, &text, moment);
        };
        self.editing.compare(&self.shared, path, look).await;
    }

    pub(super) async fn saved(&self, params: DidSaveTextDocumentParams) {
        let Some(path) = self.path(&params.text_document.uri) else { return };
        if let Some(text) = params.text {
            self.caught_up(&path, &params.text_document.uri, text).await;
        }
        self.tell_saved(&path).await;
        let ends = lock(&self.editing.edits).save_ends(&path);
        if ends {
            self.give_up_save(path).await;
        }
    }

    /// The text that an editor has saved, where it has not told of it before.
    async fn caught_up(&self, path: &FilePath, uri: &Uri, text: String) {
        let known = self.shared.runtime.editors().text_in(self.editing.id, path);
        let Some(known) = known.filter(|known| known.text != text) else { return };
        let path = self.show(uri, known.version, text);
        self.compare(path, Moment::Changed).await;
    }

    /// An editor that tells of its saves speaks for the person, where it changed what was on disk; our own extension says
    /// more, in a request of its own.
    async fn tell_saved(&self, path: &FilePath) {
        if !self.editing.is_told() {
            return;
        }
        let Some(OpenText { text, .. }) = self.shared.runtime.editors().text_in(self.editing.id, path) else { return };
        let saved = text.clone();
        let look =
            move |comparison: &mut Comparison, disk: &Disk, path: &FilePath| comparison.saved(disk, path, &saved);
        let compared = self.editing.compare(&self.shared, path.clone(), look);
        let word = async {
            let how = match compared.await {
                Some(Saved::Changed) | None => Some(SavedHow::ByHand),
                Some(Saved::Unclear) => Some(SavedHow::Mixed),
                Some(Saved::Unchanged) => None,
            };
            Command::EditorSaved { path: path.to_text(), text, how, ago_ms: 0 }
        };
        if let Err(error) = self.ask_once_known(word).await {
            tracing::debug!("{error}");
        }
    }

    pub(super) async fn closed(&self, params: DidCloseTextDocumentParams) {
        let Some(path) = self.path(&params.text_document.uri) else { return };
        lock(&self.editing.open).remove(&path);
        self.shared.runtime.editors().close(self.editing.id, &path);
        // What another editor has been asked to change waits there.
        let carried = lock(&self.editing.edits).carried.remove(&path);
        self.editing.compared.lock().await.remove(&path);
        if carried {
            self.give_up_save(path).await;
        }
    }

    /// What was saved right before must be seen first.
    async fn give_up_save(&self, path: FilePath) {
        if self.settle().await.is_ok() {
            self.editing.give_up_save(&self.shared, path).await;
        }
    }

    /// What waits in a file, by the lines of this editor's text.
    async fn changed_file(&self, uri: &Uri) -> Result<Option<(ChangedFile, Lines)>> {
        let Some(path) = self.path(uri) else { return Ok(None) };
        let (file, content) = self.changes_file_with_text(path.to_text()).await?;
        let lines = self.editing.lines(&self.shared, &path, content.as_deref());
        Ok(Some((lines.shown(file), lines)))
    }

    pub(super) async fn lenses(&self, params: CodeLensParams) -> Result<Option<Vec<CodeLens>>> {
        let file = self.changed_file(&params.text_document.uri).await?;
        Ok(file.map(|(file, _)| lsp::code_lenses(&file)))
    }

    pub(super) async fn actions(&self, params: CodeActionParams) -> Result<Option<CodeActionResponse>> {
        let file = self.changed_file(&params.text_document.uri).await?;
        let actions = file.map(|(file, _)| lsp::code_actions(&file, params.range, &params.context));
        Ok(actions.map(|actions| {
            if self.editing.is_able(|abilities| abilities.action_literals) {
                actions.into_iter().map(CodeActionOrCommand::CodeAction).collect()
            } else {
                lsp::bare_commands(actions)
            }
        }))
    }

    pub(super) async fn provenance(&self, params: HoverParams) -> Result<Option<Hover>> {
        let place = params.text_document_position_params;
        let Some((file, lines)) = self.changed_file(&place.text_document.uri).await? else { return Ok(None) };
        let blame = self.blame(OneFile { path: file.path.clone(), decided: None }).await?;
        let form = self.editing.abilities.get().map_or(lsp::Form::Plain, |abilities| abilities.hovers);
        Ok(lsp::hover(form, &file, &blame, place.position, lines.in_file(place.position.line)))
    }

    pub(super) async fn ordered(&self, params: ExecuteCommandParams) -> Result<Option<LSPAny>> {
        let order = orders::command_to_decide(&params.command, &params.arguments)
            .map_err(|bad| no(augment_protocol::REFUSED, "bad-command", bad.to_string()))?;
        let answer = match order {
            Order::Decide(decide) => match self.changes_decide(decide.clone()).await {
                Ok(decided) => serde_json::to_value(self.told(decided)),
                // The question takes the refusal's place; the answer to it comes by itself.
                Err(error) if self.asked(&decide, &error) => return Ok(None),
                Err(error) => return Err(error),
            },
            Order::Preview(decide) => {
                let preview = self.changes_preview(decide.clone()).await?;
                if self.editing.is_told() {
                    self.editing.telling.ask("This is what rejecting comes to.", &decide, &preview);
                }
                serde_json::to_value(preview)
            }
            Order::Undo(which) => serde_json::to_value(self.told(self.changes_undo(which).await?)),
        };
        Ok(answer.ok())
    }

    /// A person has seen what comes of it and said yes.
    pub(super) async fn confirmed(&self, decide: Decide) {
        match self.changes_decide(decide.clone()).await {
            Ok(decided) => drop(self.told(decided)),
            // Something has changed since: what comes of it now is shown in its turn.
            Err(error) if self.asked(&decide, &error) => {}
            Err(error) => self.editing.telling.tell(MessageType::WARNING, &visible(&error.message)),
        }
    }

    /// What came of a decision, told where nobody shows the answer itself.
    fn told(&self, decided: Decided) -> Decided {
        if self.editing.is_told() {
            self.editing.telling.tell_decided(&decided);
        }
        decided
    }

    /// Whether a refusal that a yes overcomes was put to the person.
    fn asked(&self, decide: &Decide, error: &Error) -> bool {
        let Some(preview) = preview_in(error).filter(|_| self.editing.is_told()) else { return false };
        self.editing.telling.ask(&error.message, decide, &preview)
    }
}
