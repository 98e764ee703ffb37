//! The agents that everybody knows, as data: how each is started, what it needs for itself, and where to get it. Each that
//! can be made to ask before it writes is.

use super::{AgentSpec, Confine, PromptBy};
use crate::run::{Adapter, DoneBy};

#[derive(Debug)]
pub struct Preset {
    pub name: &'static str,
    /// What it is, in a sentence.
    pub about: &'static str,
    /// How to get it, in a sentence.
    pub install: &'static str,
    /// How to make it yours, in a sentence.
    pub sign_in: Option<&'static str>,
    pub adapter: Adapter,
    /// None where the person has to fill it in.
    pub program: Option<&'static str>,
    pub arguments: &'static [&'static str],
    pub pass: &'static [&'static str],
    pub set: &'static [(&'static str, &'static str)],
    pub done_by: DoneBy,
    pub prompt_by: PromptBy,
    pub mode: Option<&'static str>,
    pub writable: &'static [&'static str],
    /// How it is held where nobody has said anything; `None` as all agents.
    pub confine: Option<Confine>,
}

const GOOSE_PASSES: &[&str] = &[
    "GOOSE_PROVIDER",
    "GOOSE_MODEL",
    "GOOSE_DISABLE_KEYRING",
    "GOOSE_TELEMETRY_ENABLED",
    "OPENAI_API_KEY",
    "OPENAI_HOST",
    "OPENAI_BASE_PATH",
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_HOST",
    "GOOGLE_API_KEY",
    "OPENROUTER_API_KEY",
    "OLLAMA_HOST",
];
const GOOSE_WRITES: &[&str] =
    &["~/.config/goose/", "~/.local/share/goose/", "~/.local/state/goose/", "~/.cache/goose/"];
const GOOSE_INSTALL: &str = "Install it from https://block.github.io/goose.";
const GOOSE_SIGN_IN: Option<&str> = Some("Run `goose configure` once.");

pub const PRESETS: &[Preset] = &[
    Preset {
        name: "goose",
        about: "Goose, spoken with over ACP; it asks before it writes.",
        install: GOOSE_INSTALL,
        sign_in: GOOSE_SIGN_IN,
        adapter: Adapter::Acp,
        program: Some("goose"),
        arguments: &["acp", "--with-builtin", "developer"],
        pass: GOOSE_PASSES,
        set: &[("GOOSE_MODE", "approve")],
        done_by: DoneBy::Report,
        prompt_by: PromptBy::Protocol,
        mode: None,
        writable: GOOSE_WRITES,
        confine: None,
    },
    Preset {
        name: "goose-headless",
        about: "Goose as a command that works through one prompt and ends; it cannot ask, so it does not.",
        install: GOOSE_INSTALL,
        sign_in: GOOSE_SIGN_IN,
        adapter: Adapter::Command,
        program: Some("goose"),
        arguments: &["run", "--no-session", "-t", "{prompt}"],
        pass: GOOSE_PASSES,
        set: &[("GOOSE_MODE", "auto")],
        done_by: DoneBy::Report,
        prompt_by: PromptBy::Argument,
        mode: None,
        writable: GOOSE_WRITES,
        confine: None,
    },
    Preset {
        name: "codex",
        about: "Codex, spoken with over ACP; it begins without leave to write and asks for it.",
        install: "Install it with `npm install -g @openai/codex @agentclientprotocol/codex-acp`.",
        sign_in: Some("Run `codex login` once, or set OPENAI_API_KEY."),
        adapter: Adapter::Acp,
        program: Some("codex-acp"),
        arguments: &[],
        pass: &["OPENAI_API_KEY", "OPENAI_BASE_URL", "CODEX_API_KEY", "CODEX_HOME", "MODEL_PROVIDER"],
        set: &[("NO_BROWSER", "1"), ("INITIAL_AGENT_MODE", "read-only")],
        done_by: DoneBy::Report,
        prompt_by: PromptBy::Protocol,
        mode: None,
        writable: &["~/.codex/"],
        // Its commands run in a sandbox of its own, which cannot be set up inside of ours.
        confine: Some(Confine::Off),
    },
    Preset {
        name: "gemini",
        about: "Gemini CLI, spoken with over ACP.",
        install: "Install it with `npm install -g @google/gemini-cli`.",
        sign_in: Some("Run `gemini` once and sign in, or set GEMINI_API_KEY."),
        adapter: Adapter::Acp,
        program: Some("gemini"),
        arguments: &["--acp"],
        pass: &[
            "GEMINI_API_KEY",
            "GEMINI_MODEL",
            "GOOGLE_API_KEY",
            "GOOGLE_CLOUD_PROJECT",
            "GOOGLE_CLOUD_LOCATION",
            "GOOGLE_GENAI_USE_VERTEXAI",
            "GOOGLE_APPLICATION_CREDENTIALS",
        ],
        set: &[("GEMINI_CLI_NO_RELAUNCH", "true")],
        done_by: DoneBy::Report,
        prompt_by: PromptBy::Protocol,
        mode: None,
        writable: &["~/.gemini/"],
        confine: None,
    },
    Preset {
        name: "qwen",
        about: "Qwen Code, spoken with over ACP in the mode that asks.",
        install: "Install it with `npm install -g @qwen-code/qwen-code`.",
        sign_in: Some("Run `qwen` once and sign in, or set OPENAI_API_KEY."),
        adapter: Adapter::Acp,
        program: Some("qwen"),
        arguments: &["--acp"],
        pass: &["OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_MODEL", "DASHSCOPE_API_KEY"],
        set: &[],
        done_by: DoneBy::Report,
        prompt_by: PromptBy::Protocol,
        mode: Some("default"),
        writable: &["~/.qwen/"],
        confine: None,
    },
    Preset {
        name: "opencode",
        about: "opencode, spoken with over ACP; it asks before it edits files and runs commands.",
        install: "Install it with `npm install -g opencode-ai`.",
        sign_in: Some("Run `opencode auth login` once."),
        adapter: Adapter::Acp,
        program: Some("opencode"),
        arguments: &["acp"],
        pass: &["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "OPENROUTER_API_KEY", "OPENCODE_CONFIG"],
        set: &[("OPENCODE_CONFIG_CONTENT", "{\"permission\":{\"edit\":\"ask\",\"bash\":\"ask\"}}")],
        done_by: DoneBy::Report,
        prompt_by: PromptBy::Protocol,
        mode: None,
        writable: &[
            "~/.config/opencode/",
            "~/.local/share/opencode/",
            "~/.local/state/opencode/",
            "~/.cache/opencode/",
        ],
        confine: None,
    },
    Preset {
        name: "claude",
        about: "Claude Code, spoken with over ACP; it does not work as root.",
        install: "Install it with `npm install -g @agentclientprotocol/claude-agent-acp`.",
        sign_in: Some("Run `claude` once and sign in, or set ANTHROPIC_API_KEY."),
        adapter: Adapter::Acp,
        program: Some("claude-agent-acp"),
        arguments: &[],
        pass: &[
            "ANTHROPIC_API_KEY",
            "ANTHROPIC_AUTH_TOKEN",
            "ANTHROPIC_BASE_URL",
            "ANTHROPIC_MODEL",
            "CLAUDE_CODE_OAUTH_TOKEN",
            "CLAUDE_CONFIG_DIR",
        ],
        set: &[],
        done_by: DoneBy::Report,
        prompt_by: PromptBy::Protocol,
        mode: Some("default"),
        writable: &["~/.claude/", "~/.claude.json", "~/.cache/claude-cli-nodejs/"],
        confine: None,
    },
    Preset {
        name: "auggie",
        about: "Auggie, spoken with over ACP.",
        install: "Install it with `npm install -g @augmentcode/auggie`.",
        sign_in: Some("Run `auggie login` once."),
        adapter: Adapter::Acp,
        program: Some("auggie"),
        arguments: &["--acp"],
        pass: &["AUGMENT_API_TOKEN", "AUGMENT_API_URL", "AUGMENT_SESSION_AUTH"],
        set: &[],
        done_by: DoneBy::Report,
        prompt_by: PromptBy::Protocol,
        mode: None,
        writable: &["~/.augment/"],
        confine: None,
    },
    Preset {
        name: "shell",
        about: "A program or script of your own that is done when it ends well; it gets no prompt unless you say how.",
        install: "Fill it in: [agents.NAME] with preset = \"shell\", command = \"…\" and args = […] in your agents.toml.",
        sign_in: None,
        adapter: Adapter::Command,
        program: None,
        arguments: &[],
        pass: &[],
        set: &[],
        done_by: DoneBy::Exit,
        prompt_by: PromptBy::Nothing,
        mode: None,
        writable: &[],
        confine: None,
    },
];

/// The preset of this name.
#[must_use]
pub fn preset(name: &str) -> Option<&'static Preset> {
    PRESETS.iter().find(|preset| preset.name == name)
}

impl Preset {
    /// The agent under the preset's own name; none where something has to be filled in.
    #[must_use]
    pub fn spec(&self) -> Option<AgentSpec> {
        self.program.map(|_| self.draft(self.name))
    }

    pub(super) fn draft(&self, name: &str) -> AgentSpec {
        let texts = |list: &[&str]| list.iter().map(|text| (*text).to_owned()).collect();
        AgentSpec {
            adapter: self.adapter,
            program: self.program.unwrap_or_default().to_owned(),
            arguments: texts(self.arguments),
            pass: texts(self.pass),
            set: self.set.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
            done_by: self.done_by,
            prompt_by: self.prompt_by,
            mode: self.mode.map(str::to_owned),
            writable: texts(self.writable),
            confine: self.confine,
            ..AgentSpec::empty(name)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{AgentDraft, Source};
    use super::*;

    #[test]
    fn every_preset_passes_the_checks_of_a_users_own_agent() {
        for preset in PRESETS {
            let draft = AgentDraft {
                preset: Some(preset.name.to_owned()),
                command: Some(preset.program.unwrap_or("true").to_owned()),
                env: preset.pass.iter().map(|name| (*name).to_owned()).collect(),
                set: preset.set.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
                writable: preset.writable.iter().map(|folder| (*folder).to_owned()).collect(),
                ..AgentDraft::default()
            };
            let spec =
                draft.check(preset.name, Source::User).unwrap_or_else(|wrong| panic!("{}: {wrong:?}", preset.name));
            match preset.spec() {
                Some(own) => assert_eq!(spec, own),
                None => assert_eq!(preset.name, "shell"),
            }
            assert!(preset.about.ends_with('.') && preset.install.ends_with('.'), "{}", preset.name);
        }
    }
}
