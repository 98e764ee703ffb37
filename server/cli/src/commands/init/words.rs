//! What we put into other people's files: short, and true for the commands and tools that there are.

use serde_json::{Value, json};

/// The name of our MCP server in agents' configurations.
pub(super) const SERVER: &str = "augment-orchestrator";

/// For the instruction files that agents read (AGENTS.md, CLAUDE.md, …).
pub(super) const INSTRUCTIONS: &str = "\
## Work queue (Augment Orchestrator)

This workspace has a work queue, and a person reviews every change before it counts. If `AUGMENT_TOKEN` is set, you were
given one task of that queue. Then:

1. Call the MCP tool `get_task` before anything else, and stay within the scope that it names.
2. What a person has to decide goes to `ask_decision`; fetch a late answer with `get_answer`.
3. Other work that you come across goes to `log_discovered_task`, not into your changes.
4. Call `complete` as the last thing: `completed`, `partial` or `blocked`, and say only what is true.

Where these tools are missing, `augment-cli ask` and `augment-cli complete` do the same from a shell. A file that a script of
yours writes is made known with `augment-cli claim FILE`. You cannot approve changes; do not try.
";

const PLAN: &str = "\
Plan this session; change no file yet.

1. Run `augment-cli status` and `augment-cli queue list` to see what is being worked on and what waits.
2. Run `augment-cli changes` to see what waits for review, and `git log --oneline -10` for what was done last.
3. Say in a few lines where things stand.
4. Propose at most five tasks. For each: what will be different, which files, how to check that it works.
5. Once the person agrees, add each of them: `augment-cli queue add \"TITLE\" --priority high|medium|low --scope 'GLOB'
   --description \"…\"`.

What this session is for: ";

const END: &str = "\
End this session in good order.

1. Run the project's own checks and say what fails.
2. Run `augment-cli changes` and sum up what waits for review. Approve and reject nothing: the person does.
3. Put what is left into the queue: with the tool `log_discovered_task` if `AUGMENT_TOKEN` is set, else with
   `augment-cli queue add \"TITLE\" --description \"…\"`.
4. If `AUGMENT_TOKEN` is set, report with the tool `complete`. Else tell the person: what was done, what was not, and what
   should come next.

To keep in mind: ";

/// A command that people type as `/plan-session` or `/end-session`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SessionCommand {
    Plan,
    End,
}

impl SessionCommand {
    pub(super) const ALL: [Self; 2] = [Self::Plan, Self::End];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Plan => "plan-session",
            Self::End => "end-session",
        }
    }

    fn about(self) -> &'static str {
        match self {
            Self::Plan => "Plan this session with the work queue",
            Self::End => "End this session: checks, review, what is left, report",
        }
    }

    fn prompt(self) -> &'static str {
        match self {
            Self::Plan => PLAN,
            Self::End => END,
        }
    }

    /// `arguments` is how the agent writes what is typed behind the command.
    pub(super) fn markdown(self, arguments: &str) -> String {
        format!("---\ndescription: \"{}\"\n---\n\n{}{arguments}\n", self.about(), self.prompt())
    }

    pub(super) fn toml(self, arguments: &str) -> String {
        format!("description = \"{}\"\nprompt = '''\n{}{arguments}\n'''\n", self.about(), self.prompt())
    }
}

/// The MCP server, for configurations in JSON. `token` is how the agent writes the value of a variable: most hand only a
/// few variables on by themselves.
pub(super) fn server(token: &str) -> Value {
    json!({ "command": "augment-cli", "args": ["mcp"], "env": { "AUGMENT_TOKEN": token } })
}

/// The same for Codex, which hands on the variables that are named.
pub(super) const CODEX_SERVER: &str = "\
[mcp_servers.augment-orchestrator]
command = \"augment-cli\"
args = [\"mcp\"]
env_vars = [\"AUGMENT_TOKEN\", \"AUGMENT_WORKSPACE\", \"AUGMENT_HOME\", \"XDG_DATA_HOME\", \"XDG_CONFIG_HOME\"]
";

/// Auggie runs files, not command lines.
pub(super) const AUGGIE_HOOK: &str = "#!/bin/sh\nexec augment-cli hook auggie\n";
pub(super) const AUGGIE_HOOK_PATH: &str = ".augment/hooks/augment-orchestrator.sh";

/// A group with our hook alone; without a matcher it is called for all tools.
pub(super) fn hook(command: &str) -> Value {
    json!({ "hooks": [{ "type": "command", "command": command }] })
}

/// Whether a hook's command is one that we put there.
pub(super) fn is_our_hook(command: &str) -> bool {
    command.starts_with("augment-cli hook ") || command == AUGGIE_HOOK_PATH
}
