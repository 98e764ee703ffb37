//! What the client of a connection is able to do, as it says when it introduces itself. What it does not say, it cannot.

use serde_json::Value;
use tower_lsp_server::ls_types::{InitializeParams, MarkupKind};

use crate::service::lsp::Form;

/// Who the client is, and what it can be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Abilities {
    pub(super) client: Client,
    /// It wants `augment/moved`, which is not of LSP.
    pub(super) hears_moves: bool,
    pub(super) refreshes_lenses: bool,
    pub(super) applies_edits: bool,
    /// Edits can name the version of the text that they are for.
    pub(super) versioned_edits: bool,
    /// Code actions can be more than commands.
    pub(super) action_literals: bool,
    pub(super) hovers: Form,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Client {
    /// A window of our own extension, which shows things itself.
    Window,
    /// A command of ours: it comes and goes, also while nobody has a window.
    Command,
    /// Any other editor: it is told by LSP alone.
    Editor,
}

impl Abilities {
    pub(super) fn of(params: &InitializeParams) -> Self {
        let option = |key| params.initialization_options.as_ref().is_some_and(|options| options.get(key).is_some());
        let client = match (option("protocol"), option("command")) {
            (true, false) => Client::Window,
            (true, true) => Client::Command,
            (false, _) => Client::Editor,
        };
        let workspace = params.capabilities.workspace.as_ref();
        let text = params.capabilities.text_document.as_ref();
        let lenses = workspace.and_then(|workspace| workspace.code_lens.as_ref());
        let edits = workspace.and_then(|workspace| workspace.workspace_edit.as_ref());
        let actions = text.and_then(|text| text.code_action.as_ref());
        let wishes = params.capabilities.experimental.as_ref().and_then(|more| more.get("augment"));
        let ours = client != Client::Editor;
        let hovers = text.and_then(|text| text.hover.as_ref()).and_then(|hover| hover.content_format.as_deref());
        Self {
            client,
            hears_moves: ours || wishes.and_then(|wishes| wishes.get("moved")) == Some(&Value::Bool(true)),
            refreshes_lenses: lenses.and_then(|lens| lens.refresh_support).unwrap_or(false),
            // Our own extension can whatever we ask of it.
            applies_edits: ours || workspace.and_then(|workspace| workspace.apply_edit).unwrap_or(false),
            versioned_edits: ours || edits.and_then(|edits| edits.document_changes).unwrap_or(false),
            action_literals: actions.is_some_and(|actions| actions.code_action_literal_support.is_some()),
            hovers: match hovers {
                Some([MarkupKind::Markdown, ..]) => Form::Markdown,
                Some([MarkupKind::PlainText, ..] | []) | None => Form::Plain,
            },
        }
    }

    /// It is told of what waits by messages of LSP.
    pub(super) fn is_told(&self) -> bool {
        match self.client {
            Client::Editor => true,
            Client::Window | Client::Command => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn of(params: Value) -> Abilities {
        Abilities::of(&serde_json::from_value(params).unwrap())
    }

    #[test]
    fn who_is_there_is_told_by_its_options() {
        let client = |options: Value| of(json!({ "capabilities": {}, "initializationOptions": options })).client;
        assert_eq!(client(json!({ "protocol": 1 })), Client::Window);
        assert_eq!(client(json!({ "protocol": 1, "command": true })), Client::Command);
        assert_eq!(client(json!({ "other": 1 })), Client::Editor);
        assert_eq!(client(Value::Null), Client::Editor);
    }

    #[test]
    fn what_is_not_said_cannot_be_done() {
        let expected = Abilities {
            client: Client::Editor,
            hears_moves: false,
            refreshes_lenses: false,
            applies_edits: false,
            versioned_edits: false,
            action_literals: false,
            hovers: Form::Plain,
        };
        assert_eq!(of(json!({ "capabilities": {} })), expected);
        let able = of(json!({ "capabilities": {
            "workspace": { "applyEdit": true, "codeLens": { "refreshSupport": true }, "workspaceEdit": { "documentChanges": true } },
            "textDocument": {
                "codeAction": { "codeActionLiteralSupport": { "codeActionKind": { "valueSet": [] } } },
                "hover": { "contentFormat": ["markdown", "plaintext"] },
            },
            "experimental": { "augment": { "moved": true } },
        } }));
        let expected = Abilities {
            client: Client::Editor,
            hears_moves: true,
            refreshes_lenses: true,
            applies_edits: true,
            versioned_edits: true,
            action_literals: true,
            hovers: Form::Markdown,
        };
        assert_eq!(able, expected);
    }

    #[test]
    fn the_form_that_an_editor_prefers_is_the_first() {
        let hovers = |formats: Value| {
            of(json!({ "capabilities": { "textDocument": { "hover": { "contentFormat": formats } } } })).hovers
        };
        assert_eq!(hovers(json!(["plaintext", "markdown"])), Form::Plain);
        assert_eq!(hovers(json!(["markdown"])), Form::Markdown);
        assert_eq!(hovers(json!([])), Form::Plain);
    }
}
