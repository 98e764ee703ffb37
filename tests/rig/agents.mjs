// The agents that tests start: real ones that think with a scripted model, and the fake one that misbehaves on order.
// They get a home of their own in the scratch folder and no way out of the machine. Every process of theirs carries that
// home in its environment, so that what is left of one can be seen, wherever it went.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { installedAgents } from "../../scripts/steps/agents.mjs";
import { endTree, marked } from "../../scripts/steps/process-tree.mjs";

const fakeAgent = join(import.meta.dirname, "fake-agent.mjs");

/** Nothing listens there, and only loopback goes around it. */
const noWayOut = {
  http_proxy: "http://127.0.0.1:9",
  https_proxy: "http://127.0.0.1:9",
  HTTP_PROXY: "http://127.0.0.1:9",
  HTTPS_PROXY: "http://127.0.0.1:9",
  ALL_PROXY: "http://127.0.0.1:9",
  no_proxy: "127.0.0.1,localhost",
  NO_PROXY: "127.0.0.1,localhost",
};

/**
 * How an agent is started: what stands in `agents.toml` for it.
 * @typedef {{ command: string, args: string[], set: Record<string, string>, [key: string]: unknown }} Agent
 */

/**
 * A home for agents below a folder, and the agents that live there.
 * @param {{ scratch: string, model?: { url: string } }} where
 */
export function agentHome({ scratch, model }) {
  const home = join(scratch, "agent-home");
  mkdirSync(home, { mode: 0o700, recursive: true });
  const temporary = join(home, "tmp");
  mkdirSync(temporary, { recursive: true });
  const base = { HOME: home, TMPDIR: temporary, LANG: "C.UTF-8", ...noWayOut };
  const writable = [`${home}/`];
  let fakes = 0;

  const goose = ({ key = "goose", mode }) => ({
    command: installedAgents().goose,
    writable,
    set: { ...base, ...gooseSettings(model.url), GOOSE_MODE: mode, OPENAI_API_KEY: key },
  });

  return {
    home,

    /** What still runs of any agent that was started from this home. */
    processes: () => marked("HOME", home),

    /** Ends whatever was started from this home. */
    end: () => endTree(undefined, { graceMs: 1_000, alsoMarked: ["HOME", home] }),

    /** Goose over ACP; it asks before each tool. */
    goose: ({ key, mode = "approve", ...more } = {}) => ({
      preset: "goose",
      adapter: "acp",
      args: ["acp", "--with-builtin", "developer"],
      ...goose({ key, mode }),
      ...more,
    }),

    /** Goose as a plain command that does one task and ends; it asks nobody. */
    gooseHeadless: ({ key, ...more } = {}) => ({
      preset: "goose-headless",
      adapter: "command",
      args: ["run", "--no-session", "--with-builtin", "developer", "--text", "{prompt}"],
      prompt: "argument",
      ...goose({ key, mode: "auto" }),
      ...more,
    }),

    /** Codex over ACP, through its adapter; it asks before it writes. */
    codex({ key = "codex", mode = "read-only", ...more } = {}) {
      const codexHome = join(home, `.codex-${key}`);
      mkdirSync(codexHome, { recursive: true });
      writeFileSync(join(codexHome, "config.toml"), codexSettings(model.url));
      return {
        preset: "codex",
        adapter: "acp",
        command: process.execPath,
        args: [installedAgents().codexAcp],
        writable,
        set: {
          ...base,
          CODEX_HOME: codexHome,
          MODEL_KEY: key,
          MODEL_PROVIDER: "scripted",
          INITIAL_AGENT_MODE: mode,
          NO_BROWSER: "1",
        },
        ...more,
      };
    },

    /**
     * The agent that does what it is told, however bad. What it is to do is in a file: that may be long.
     * @param {object[]} steps as `fake-agent.mjs` has them
     */
    fake(steps, { adapter = "acp", ...more } = {}) {
      fakes += 1;
      const script = join(home, `fake-${fakes}.json`);
      writeFileSync(script, JSON.stringify(steps));
      return {
        adapter,
        command: process.execPath,
        args: [fakeAgent, adapter, script],
        ...(adapter === "command" && { prompt: "argument" }),
        writable,
        set: base,
        ...more,
      };
    },
  };
}

/** All by variables: a settings file would be one more thing that differs from run to run. */
function gooseSettings(url) {
  return {
    GOOSE_PROVIDER: "openai",
    GOOSE_MODEL: "gpt-4o",
    GOOSE_TELEMETRY_ENABLED: "false",
    GOOSE_TELEMETRY_OFF: "true",
    GOOSE_DISABLE_SESSION_NAMING: "true",
    // It asks a model that failed again, but at once.
    GOOSE_PROVIDER_SKIP_BACKOFF: "true",
    GOOSE_DISABLE_KEYRING: "1",
    OPENAI_HOST: url,
    OPENAI_BASE_PATH: "v1/chat/completions",
  };
}

function codexSettings(url) {
  return `${toml({
    // One of the models that Codex knows by itself: for others it lacks the tools.
    model: "gpt-5.5",
    model_provider: "scripted",
    check_for_update_on_startup: false,
  })}
[analytics]
enabled = false
[feedback]
enabled = false
[model_providers.scripted]
${toml({
  name: "scripted",
  base_url: `${url}/v1`,
  env_key: "MODEL_KEY",
  wire_api: "responses",
  request_max_retries: 1,
  stream_max_retries: 1,
})}`;
}

/** The user's `agents.toml` with these agents. */
export function agentsFile(agents) {
  return Object.entries(agents)
    .map(([name, agent]) => `[agents.${name}]\n${toml(agent)}`)
    .join("\n");
}

/** Keys and values as TOML has them, for what JSON can hold. */
function toml(table) {
  return Object.entries(table)
    .map(([key, value]) => `${key} = ${tomlValue(value)}\n`)
    .join("");
}

function tomlValue(value) {
  if (Array.isArray(value)) return `[${value.map(tomlValue).join(", ")}]`;
  if (typeof value === "object")
    return `{ ${Object.entries(value)
      .map(([key, inner]) => `${key} = ${tomlValue(inner)}`)
      .join(", ")} }`;
  // JSON's strings are TOML's, but for the one letter that JSON need not escape.
  return JSON.stringify(value).replaceAll("\u007f", "\\u007f");
}
