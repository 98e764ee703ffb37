//! Which files of a workspace teach which agent, and what of ours is in each of them. The places are those that each
//! agent documents for a project; what an agent reads only from the user's own folder is told instead of written.

use serde_json::Value;

use super::edit;
use super::section::{self, Marks};
use super::words::{self, SessionCommand};
use crate::args::InitAgent;

/// Something of ours in a file.
#[derive(Debug)]
pub(super) enum Piece {
    /// A marked part of a text.
    Section(Marks, &'static str),
    /// A server in a JSON file, below `mcpServers`.
    Server(Value),
    /// The same hook for these events, below `hooks`.
    Hooks { events: &'static [&'static str], command: &'static str },
    /// The file as a whole is ours.
    Whole { text: String, mode: u32 },
}

/// A file of the workspace with what we want in it.
#[derive(Debug)]
pub(super) struct WantedFile {
    pub(super) path: String,
    pub(super) pieces: Vec<Piece>,
}

const CLAUDE_EVENTS: &[&str] =
    &["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "Stop", "SessionEnd"];
const CODEX_EVENTS: &[&str] = &["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop"];
const GEMINI_EVENTS: &[&str] = &["SessionStart", "BeforeAgent", "BeforeTool", "AfterTool", "AfterAgent", "SessionEnd"];
const QWEN_EVENTS: &[&str] = &["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SessionEnd"];
const AUGGIE_EVENTS: &[&str] = &["SessionStart", "PreToolUse", "PostToolUse", "Stop", "SessionEnd"];

/// The file that all agents share.
pub(super) fn shared() -> WantedFile {
    instructions("AGENTS.md")
}

pub(super) fn of(agent: InitAgent) -> Vec<WantedFile> {
    match agent {
        InitAgent::Claude => {
            let mut files = vec![
                instructions("CLAUDE.md"),
                file(".mcp.json", vec![Piece::Server(words::server("${AUGMENT_TOKEN:-}"))]),
                file(".claude/settings.json", vec![hooks(CLAUDE_EVENTS, "augment-cli hook claude-code")]),
            ];
            files.extend(commands(".claude/commands", "md", |command| command.markdown("$ARGUMENTS")));
            files
        }
        InitAgent::Codex => vec![
            file(".codex/hooks.json", vec![hooks(CODEX_EVENTS, "augment-cli hook codex")]),
            file(".codex/config.toml", vec![Piece::Section(section::TOML, words::CODEX_SERVER)]),
        ],
        InitAgent::Gemini => {
            let pieces =
                vec![hooks(GEMINI_EVENTS, "augment-cli hook gemini"), Piece::Server(words::server("$AUGMENT_TOKEN"))];
            let mut files = vec![instructions("GEMINI.md"), file(".gemini/settings.json", pieces)];
            files.extend(commands(".gemini/commands", "toml", |command| command.toml("{{args}}")));
            files
        }
        InitAgent::Qwen => {
            let pieces =
                vec![hooks(QWEN_EVENTS, "augment-cli hook qwen"), Piece::Server(words::server("$AUGMENT_TOKEN"))];
            let mut files = vec![instructions("QWEN.md"), file(".qwen/settings.json", pieces)];
            files.extend(commands(".qwen/commands", "md", |command| command.markdown("{{args}}")));
            files
        }
        InitAgent::Auggie => {
            let script = Piece::Whole { text: words::AUGGIE_HOOK.to_owned(), mode: 0o755 };
            let mut files = vec![
                file(words::AUGGIE_HOOK_PATH, vec![script]),
                file(".augment/settings.json", vec![hooks(AUGGIE_EVENTS, words::AUGGIE_HOOK_PATH)]),
            ];
            files.extend(commands(".augment/commands", "md", |command| command.markdown("$ARGUMENTS")));
            files
        }
        InitAgent::Goose => Vec::new(),
    }
}

/// What the person has to do themselves for an agent.
pub(super) fn left_to_do(agent: InitAgent) -> Option<&'static str> {
    match agent {
        InitAgent::Claude | InitAgent::Gemini | InitAgent::Qwen => None,
        InitAgent::Codex => Some("Codex uses these once you trust the project and its hooks: it asks when it starts."),
        InitAgent::Auggie => Some(
            "Auggie takes MCP servers from your own settings: `auggie mcp add augment-orchestrator --command augment-cli --args mcp`.",
        ),
        InitAgent::Goose => Some(
            "Goose takes MCP servers from your own settings: `goose configure`, then a command-line extension with `augment-cli mcp`.",
        ),
    }
}

/// The program that is there where the agent is installed.
pub(super) fn program(agent: InitAgent) -> &'static str {
    match agent {
        InitAgent::Claude => "claude",
        InitAgent::Codex => "codex",
        InitAgent::Gemini => "gemini",
        InitAgent::Qwen => "qwen",
        InitAgent::Auggie => "auggie",
        InitAgent::Goose => "goose",
    }
}

fn file(path: &str, pieces: Vec<Piece>) -> WantedFile {
    WantedFile { path: path.to_owned(), pieces }
}

fn instructions(path: &str) -> WantedFile {
    file(path, vec![Piece::Section(section::MARKDOWN, words::INSTRUCTIONS)])
}

fn hooks(events: &'static [&'static str], command: &'static str) -> Piece {
    Piece::Hooks { events, command }
}

fn commands(folder: &str, ending: &str, text: impl Fn(SessionCommand) -> String) -> Vec<WantedFile> {
    let whole = |command| Piece::Whole { text: text(command), mode: edit::NEW_FILE_MODE };
    let of = |command: SessionCommand| file(&format!("{folder}/{}.{ending}", command.name()), vec![whole(command)]);
    SessionCommand::ALL.into_iter().map(of).collect()
}
