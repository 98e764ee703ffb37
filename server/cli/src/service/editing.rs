//! What an editor on a connection has open, and what it is asked to change. Standard LSP, so that any editor can review:
//! documents are followed as it tells of them, lenses, code actions, hovers and diagnostics are made of what the host
//! knows, and a text that is not saved is changed by `workspace/applyEdit`.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use augment_core::file::FilePath;
use augment_core::review::{DecisionId, FileNumber, Outcome, WrittenFile};
use augment_core::turn::Input;
use augment_host::editors::{EditOrder, EditorId, OpenText};
use augment_protocol::changes::OneFile;
use serde_json::{Value, json};
use tokio::sync::Notify;
use tower_lsp_server::jsonrpc::Result;
use tower_lsp_server::ls_types::{
    CodeActionOptions, CodeActionParams, CodeActionProviderCapability, CodeActionResponse, CodeLens, CodeLensOptions,
    CodeLensParams, DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    DidSaveTextDocumentParams, ExecuteCommandOptions, ExecuteCommandParams, Hover, HoverParams,
    HoverProviderCapability, InitializeParams, LSPAny, ServerCapabilities, TextDocumentSyncCapability,
    TextDocumentSyncKind, TextDocumentSyncOptions, TextDocumentSyncSaveOptions, Uri,
};

use super::lsp::{self, orders, uri};
use super::methods::{Door, no};
use super::{Shared, lsp::orders::Order};

/// How many edits may wait for the editor's answer.
const WAITING_EDITS: usize = 1_000;

/// One connection as an editor.
#[derive(Debug)]
pub(super) struct Editing {
    id: EditorId,
    /// Our own extension shows things itself; other editors are told.
    is_told: AtomicBool,
    refreshes_lenses: AtomicBool,
    open: Mutex<BTreeMap<FilePath, Uri>>,
    /// A file was opened, so its diagnostics are due without anything having moved.
    opened: Notify,
    edits: Mutex<Edits>,
}

#[derive(Debug, Default)]
struct Edits {
    last: u64,
    waiting: HashMap<String, (DecisionId, FileNumber)>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Editing {
    pub(super) fn new(id: EditorId) -> Self {
        Self {
            id,
            is_told: AtomicBool::new(false),
            refreshes_lenses: AtomicBool::new(false),
            open: Mutex::default(),
            opened: Notify::new(),
            edits: Mutex::default(),
        }
    }

    pub(super) fn introduced(&self, params: &InitializeParams) {
        let ours = params.initialization_options.as_ref().is_some_and(|options| options.get("protocol").is_some());
        self.is_told.store(!ours, Ordering::Relaxed);
        let refreshes = params.capabilities.workspace.as_ref().and_then(|workspace| workspace.code_lens.as_ref());
        let refreshes = refreshes.and_then(|lens| lens.refresh_support).unwrap_or(false);
        self.refreshes_lenses.store(!ours && refreshes, Ordering::Relaxed);
    }

    /// The request that carries an order to the editor.
    pub(super) fn request(&self, shared: &Shared, order: &EditOrder) -> Option<Value> {
        let uri = uri::uri_of(shared.workspace.root(), &order.path.to_text())?;
        let mut edits = lock(&self.edits);
        if edits.waiting.len() >= WAITING_EDITS {
            return None;
        }
        edits.last += 1;
        let id = format!("augment-edit-{}", edits.last);
        edits.waiting.insert(id.clone(), (order.decision, order.file));
        let changes: Vec<Value> = order
            .edits
            .iter()
            .map(|edit| {
                let place = |at: augment_host::editors::Position| json!({"line": at.line, "character": at.character});
                json!({"range": {"start": place(edit.start), "end": place(edit.end)}, "newText": edit.text})
            })
            .collect();
        let document = json!({"uri": uri.as_str(), "version": order.version});
        Some(json!({
            "jsonrpc": "2.0", "id": id, "method": "workspace/applyEdit",
            "params": {"label": "Review", "edit": {"documentChanges": [{"textDocument": document, "edits": changes}]}}
        }))
    }

    /// What an answer of the editor means: `None` for one that nobody waits for, or that says it was done.
    pub(super) fn answered(&self, frame: &Value) -> Option<Input> {
        let id = frame.get("id")?.as_str()?;
        let (decision, file) = lock(&self.edits).waiting.remove(id)?;
        if frame.pointer("/result/applied") == Some(&Value::Bool(true)) {
            return None;
        }
        let said = frame.pointer("/result/failureReason").or_else(|| frame.pointer("/error/message"));
        let said = said.and_then(Value::as_str).unwrap_or("it did not say why");
        let reason = format!("The editor did not change its text: {}.", augment_core::text::shortened(said, 200));
        let outcome = Outcome::NotWritten { reason };
        Some(Input::FilesWritten { decision, files: vec![WrittenFile { file, outcome }], after_crash: false })
    }

    /// Returns once a file has been opened since the last time.
    pub(super) async fn has_opened(&self) {
        self.opened.notified().await;
    }

    /// What other editors than our own are told after something moved or was opened.
    pub(super) async fn news(&self, door: &Door) -> Vec<Value> {
        if !self.is_told.load(Ordering::Relaxed) {
            return Vec::new();
        }
        let open: Vec<(FilePath, Uri)> =
            lock(&self.open).iter().map(|(path, uri)| (path.clone(), uri.clone())).collect();
        let mut news = Vec::new();
        for (path, uri) in open {
            news.extend(diagnostics(door, &path, &uri).await);
        }
        if self.refreshes_lenses.load(Ordering::Relaxed) {
            news.push(json!({"jsonrpc": "2.0", "id": "augment-lenses", "method": "workspace/codeLens/refresh"}));
        }
        news
    }

    /// The connection has ended. What waited in its texts to be saved will not be.
    pub(super) async fn end(&self, shared: &Shared) {
        let paths: Vec<FilePath> = lock(&self.open).keys().cloned().collect();
        shared.runtime.editors().end(self.id);
        for path in paths {
            if let Err(error) = shared.runtime.post(Input::EditorClosed { path }).await {
                tracing::debug!("{error}");
            }
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

async fn diagnostics(door: &Door, path: &FilePath, uri: &Uri) -> Option<Value> {
    let file = door.changes_file(OneFile { path: path.to_text(), decided: None }).await.ok()?;
    let params = json!({"uri": uri.as_str(), "diagnostics": lsp::diagnostics(&file)});
    Some(json!({"jsonrpc": "2.0", "method": "textDocument/publishDiagnostics", "params": params}))
}

/// What any editor can ask of us.
pub(super) fn capabilities() -> ServerCapabilities {
    let sync = TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::FULL),
        save: Some(TextDocumentSyncSaveOptions::Supported(true)),
        ..TextDocumentSyncOptions::default()
    };
    ServerCapabilities {
        text_document_sync: Some(TextDocumentSyncCapability::Options(sync)),
        code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(false) }),
        code_action_provider: Some(CodeActionProviderCapability::Options(CodeActionOptions::default())),
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

    fn show(&self, uri: &Uri, version: i32, text: String) {
        if let Some(path) = self.path(uri) {
            lock(&self.editing.open).insert(path.clone(), uri.clone());
            self.shared.runtime.editors().show(path, OpenText { editor: self.editing.id, version, text });
        }
    }

    pub(super) fn opened(&self, params: DidOpenTextDocumentParams) {
        let document = params.text_document;
        self.show(&document.uri, document.version, document.text);
        self.editing.opened.notify_one();
    }

    pub(super) fn changed(&self, params: DidChangeTextDocumentParams) {
        let document = params.text_document;
        if let Some(whole) = params.content_changes.into_iter().rfind(|change| change.range.is_none()) {
            self.show(&document.uri, document.version, whole.text);
        }
    }

    /// An editor that tells of its saves speaks for the person; our own extension says more, in a request of its own.
    pub(super) async fn saved(&self, params: DidSaveTextDocumentParams) {
        if !self.editing.is_told.load(Ordering::Relaxed) {
            return;
        }
        let Some(path) = self.path(&params.text_document.uri) else { return };
        let Some(open) = self.shared.runtime.editors().text_of(&path) else { return };
        let saved = augment_protocol::changes::EditorSaved {
            path: path.to_text(),
            text: open.text,
            how: augment_protocol::changes::SavedHow::ByHand,
        };
        if let Err(error) = self.editor_saved(saved).await {
            tracing::debug!("{error}");
        }
    }

    pub(super) async fn closed(&self, params: DidCloseTextDocumentParams) {
        let Some(path) = self.path(&params.text_document.uri) else { return };
        lock(&self.editing.open).remove(&path);
        self.shared.runtime.editors().close(self.editing.id, &path);
        // What was saved right before must be seen first.
        if self.settle().await.is_ok()
            && let Err(error) = self.shared.runtime.post(Input::EditorClosed { path }).await
        {
            tracing::debug!("{error}");
        }
    }

    async fn changed_file(&self, uri: &Uri) -> Result<Option<augment_protocol::changes::ChangedFile>> {
        match self.path(uri) {
            Some(path) => self.changes_file(OneFile { path: path.to_text(), decided: None }).await.map(Some),
            None => Ok(None),
        }
    }

    pub(super) async fn lenses(&self, params: CodeLensParams) -> Result<Option<Vec<CodeLens>>> {
        let file = self.changed_file(&params.text_document.uri).await?;
        Ok(file.map(|file| lsp::code_lenses(&file)))
    }

    pub(super) async fn actions(&self, params: CodeActionParams) -> Result<Option<CodeActionResponse>> {
        let file = self.changed_file(&params.text_document.uri).await?;
        Ok(file.map(|file| lsp::code_actions(&file, params.range)))
    }

    pub(super) async fn provenance(&self, params: HoverParams) -> Result<Option<Hover>> {
        let place = params.text_document_position_params;
        let Some(file) = self.changed_file(&place.text_document.uri).await? else { return Ok(None) };
        let blame = self.blame(OneFile { path: file.path.clone(), decided: None }).await?;
        Ok(lsp::hover(&file, &blame, place.position))
    }

    pub(super) async fn ordered(&self, params: ExecuteCommandParams) -> Result<Option<LSPAny>> {
        let order = orders::command_to_decide(&params.command, &params.arguments)
            .map_err(|bad| no(augment_protocol::REFUSED, "bad-command", bad.to_string()))?;
        let answer = match order {
            Order::Decide(decide) => serde_json::to_value(self.changes_decide(decide).await?),
            Order::Preview(decide) => serde_json::to_value(self.changes_preview(decide).await?),
            Order::Undo(which) => serde_json::to_value(self.changes_undo(which).await?),
        };
        Ok(answer.ok())
    }
}
