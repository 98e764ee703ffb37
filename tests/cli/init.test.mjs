// `init` teaches agents in the files that they read, shows every change first, and takes out exactly what it put in (A8, Z2).

import assert from "node:assert/strict";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { newWorkspace } from "../rig/workspace.mjs";

function write(workspace, path, text) {
  const file = join(workspace.folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const read = (workspace, path) => readFileSync(join(workspace.folder, path), "utf8");

/** Every file and folder with its mode and content. */
function everything(folder) {
  const all = {};
  for (const name of readdirSync(folder, { recursive: true })) {
    const file = join(folder, name);
    const stat = lstatSync(file);
    all[name] = `${(stat.mode & 0o7777).toString(8)} ${stat.isFile() ? readFileSync(file, "latin1") : "-"}`;
  }
  return all;
}

/** Files of a person, in the shapes that people have. */
function persons(workspace) {
  write(workspace, "AGENTS.md", "# Rules\n\nBe kind.");
  write(workspace, "CLAUDE.md", "# Claude\r\n\r\nBe kind.\r\n");
  write(workspace, "GEMINI.md", "");
  write(workspace, ".mcp.json", '{"mcpServers":{"mine":{"command":"x"}}}');
  write(
    workspace,
    ".claude/settings.json",
    '{\n\t"permissions": {\n\t\t"allow": ["Bash(ls:*)"]\n\t},\n\t"hooks": { }\n}',
  );
  write(workspace, ".gemini/settings.json", "{\n}\n");
  write(workspace, ".codex/config.toml", 'model = "x" # mine\n\n[mcp_servers.mine]\ncommand = "y"');
  chmodSync(join(workspace.folder, ".mcp.json"), 0o600);
}

test("what is put in comes out again to the byte, for files that were there and for those that were not", async (t) => {
  for (const prepare of [() => {}, persons]) {
    const workspace = newWorkspace(t);
    prepare(workspace);
    const before = everything(workspace.folder);
    const { changes, done } = await workspace.json(["init", "--all", "--yes"]);
    assert.equal(done, true);
    assert.ok(changes.length >= 18, `${changes.length}`);
    assert.notDeepEqual(everything(workspace.folder), before);
    assert.deepEqual((await workspace.json(["init", "--all", "--yes"])).changes, []);
    await workspace.json(["init", "--remove", "--yes"]);
    assert.deepEqual(everything(workspace.folder), before);
    assert.deepEqual((await workspace.json(["init", "--remove", "--yes"])).changes, []);
    // Nothing that stays was started for this.
    assert.deepEqual(workspace.processes(), []);
  }
});

test("each agent finds its own where it looks for it", async (t) => {
  const workspace = newWorkspace(t);
  await workspace.json(["init", "--all", "--yes"]);
  const json = (path) => JSON.parse(read(workspace, path));
  for (const [path, event, command] of [
    [".claude/settings.json", "PreToolUse", "augment-cli hook claude-code"],
    [".codex/hooks.json", "PreToolUse", "augment-cli hook codex"],
    [".gemini/settings.json", "BeforeTool", "augment-cli hook gemini"],
    [".qwen/settings.json", "PreToolUse", "augment-cli hook qwen"],
    [".augment/settings.json", "PreToolUse", ".augment/hooks/augment-orchestrator.sh"],
  ]) {
    assert.deepEqual(json(path).hooks[event], [{ hooks: [{ type: "command", command }] }], path);
  }
  for (const path of [".mcp.json", ".gemini/settings.json", ".qwen/settings.json"]) {
    const { command, args } = json(path).mcpServers["augment-orchestrator"];
    assert.deepEqual([command, args], ["augment-cli", ["mcp"]], path);
  }
  assert.match(read(workspace, ".codex/config.toml"), /^\[mcp_servers\.augment-orchestrator\]$/m);
  for (const path of ["AGENTS.md", "CLAUDE.md", "GEMINI.md", "QWEN.md"])
    assert.match(read(workspace, path), /`get_task`/);
  for (const name of ["plan-session", "end-session"]) {
    for (const path of [`.claude/commands/${name}.md`, `.qwen/commands/${name}.md`, `.augment/commands/${name}.md`]) {
      assert.match(read(workspace, path), /^---\ndescription: /);
    }
    assert.match(read(workspace, `.gemini/commands/${name}.toml`), /^description = /);
  }
  assert.equal(statSync(join(workspace.folder, ".augment/hooks/augment-orchestrator.sh")).mode & 0o777, 0o755);
});

test("what we put there names only commands that there are", async (t) => {
  const workspace = newWorkspace(t);
  await workspace.json(["init", "--all", "--yes"]);
  const texts = Object.values(everything(workspace.folder)).join("\n");
  const named = new Set([...texts.matchAll(/augment-cli ((?:[a-z]+ ?)+)/g)].map(([, words]) => words.trim()));
  assert.ok(named.size >= 8, [...named].join(", "));
  for (const words of named) {
    const first = words.split(" ").slice(0, words.startsWith("queue ") ? 2 : 1);
    const { code, stderr } = await workspace.cli([...first, "--help"]);
    assert.equal(code, 0, `${words}: ${stderr}`);
  }
});

test("what the person changed meanwhile stays, and only ours goes", async (t) => {
  const workspace = newWorkspace(t);
  persons(workspace);
  await workspace.json(["init", "--all", "--yes"]);
  write(workspace, "AGENTS.md", `${read(workspace, "AGENTS.md")}\n\nMore rules.\n`);
  const settings = JSON.parse(read(workspace, ".claude/settings.json"));
  settings.model = "opus";
  settings.hooks.Stop[0].hooks.push({ type: "command", command: "mine" });
  write(workspace, ".claude/settings.json", `${JSON.stringify(settings, null, 4)}\n`);
  write(workspace, ".codex/config.toml", `${read(workspace, ".codex/config.toml")}\n\n[more]\na = 1\n`);
  write(workspace, ".claude/commands/plan-session.md", "Mine now.\n");
  const { notes } = await workspace.json(["init", "--remove", "--yes"]);
  assert.deepEqual(notes, [".claude/commands/plan-session.md is left alone: it was changed since; remove it by hand."]);
  assert.equal(read(workspace, "AGENTS.md"), "# Rules\n\nBe kind.\n\nMore rules.\n");
  assert.equal(
    read(workspace, ".claude/settings.json"),
    `${JSON.stringify(
      {
        permissions: settings.permissions,
        hooks: { Stop: [{ hooks: [{ type: "command", command: "mine" }] }] },
        model: "opus",
      },
      null,
      4,
    )}\n`,
  );
  assert.equal(
    read(workspace, ".codex/config.toml"),
    'model = "x" # mine\n\n[mcp_servers.mine]\ncommand = "y"\n\n[more]\na = 1\n',
  );
  assert.equal(read(workspace, ".claude/commands/plan-session.md"), "Mine now.\n");
  assert.equal(read(workspace, "CLAUDE.md"), "# Claude\r\n\r\nBe kind.\r\n");
});

test("what is put in a second time, between the person's edits, comes out as a whole", async (t) => {
  const workspace = newWorkspace(t);
  write(workspace, ".claude/settings.json", '{\n  "model": "x"\n}\n');
  write(workspace, "AGENTS.md", "# Rules\n");
  await workspace.json(["init", "--agent", "claude", "--yes"]);
  // The person takes one of our hooks out and adds a line; the section is from an older version.
  const settings = JSON.parse(read(workspace, ".claude/settings.json"));
  delete settings.hooks.Stop;
  write(workspace, ".claude/settings.json", `${JSON.stringify(settings, null, 2)}\n`);
  write(workspace, "AGENTS.md", `${read(workspace, "AGENTS.md").replace("`get_task`", "`old`")}\nMore.\n`);
  const { changes } = await workspace.json(["init", "--agent", "claude", "--yes"]);
  assert.deepEqual(
    changes.map(({ path }) => path),
    ["AGENTS.md", ".claude/settings.json"],
  );
  await workspace.json(["init", "--remove", "--yes"]);
  assert.equal(read(workspace, ".claude/settings.json"), '{\n  "model": "x"\n}\n');
  assert.equal(read(workspace, "AGENTS.md"), "# Rules\n\nMore.\n");
});

test("it comes out on a machine that never put it in", async (t) => {
  const workspace = newWorkspace(t);
  write(workspace, "AGENTS.md", "# Rules\n");
  write(workspace, ".mcp.json", '{\n  "mcpServers": {\n    "mine": {}\n  }\n}\n');
  await workspace.json(["init", "--all", "--yes"]);
  const elsewhere = { env: { AUGMENT_HOME: join(workspace.scratch, "other-home") } };
  await workspace.json(["init", "--remove", "--yes"], elsewhere);
  const files = Object.entries(everything(workspace.folder)).filter(([, text]) => !text.endsWith(" -"));
  assert.deepEqual(files, [
    [".mcp.json", '644 {\n  "mcpServers": {\n    "mine": {}\n  }\n}\n'],
    ["AGENTS.md", "644 # Rules\n"],
  ]);
});

test("nothing is changed without a yes", async (t) => {
  const workspace = newWorkspace(t);
  persons(workspace);
  const before = everything(workspace.folder);
  const dry = await workspace.cli(["init", "--agent", "claude", "--dry-run"]);
  assert.equal(dry.code, 0, dry.stderr);
  assert.match(dry.stdout, /^diff a\/AGENTS\.md b\/AGENTS\.md\n/);
  assert.match(dry.stdout, /^\+\s+"command": "augment-cli hook claude-code",$/m);
  assert.match(dry.stderr, /Nothing was changed\.\n$/);
  const unasked = await workspace.cli(["init", "--agent", "claude"]);
  assert.equal(unasked.code, 1);
  assert.equal(unasked.stdout, dry.stdout);
  assert.match(unasked.stderr, /Say yes, or --yes, to make these changes\.\n$/);
  const answered = await workspace.cli(["init", "--agent", "claude"], { input: "y\n" });
  assert.equal(answered.code, 1, "a pipe is nobody's yes");
  assert.deepEqual(everything(workspace.folder), before);
});

test("a run may not do it", async (t) => {
  const workspace = newWorkspace(t);
  const before = everything(workspace.folder);
  const { code, stderr } = await workspace.cli(["init", "--all", "--yes"], { env: { AUGMENT_TOKEN: "0".repeat(64) } });
  assert.equal(code, 1);
  assert.match(stderr, /^error: A run may not do `init`\./);
  assert.deepEqual(everything(workspace.folder), before);
});

test("files that are not understood are left alone with the reason and the line", async (t) => {
  const workspace = newWorkspace(t);
  const texts = {
    ".mcp.json": '{\n  // mine\n  "mcpServers": {}\n}\n',
    ".claude/settings.json": '{\n  "hooks": [],\n}\n',
    ".gemini/settings.json": '{\n  "hooks": 7\n}\n',
    ".codex/config.toml": "a = \n",
    ".claude/commands/plan-session.md": "Mine.\n",
    "AGENTS.md": "<!-- augment-orchestrator: end -->\n",
  };
  for (const [path, text] of Object.entries(texts)) write(workspace, path, text);
  writeFileSync(join(workspace.folder, "GEMINI.md"), Buffer.from([0xff, 0xfe, 0x41]));
  const { notes } = await workspace.json(["init", "--all", "--yes"]);
  for (const part of [
    /^\.mcp\.json is left alone: it is no plain JSON: .* line 2 column 3\.$/,
    /^\.claude\/settings\.json is left alone: .* line 3 column 1\.$/,
    /^\.gemini\/settings\.json is left alone: .*is not an object \(line 2\)\.$/,
    /^\.codex\/config\.toml is left alone: it would be no sound TOML: .*line 1/,
    /^\.claude\/commands\/plan-session\.md is left alone: it is there already, with other content\.$/,
    /^AGENTS\.md is left alone: our marks in it do not fit together \(line 1\)\.$/,
    /^GEMINI\.md is left alone: it is not UTF-8\.$/,
  ]) {
    assert.ok(
      notes.some((note) => part.test(note)),
      `${part} is not in\n${notes.join("\n")}`,
    );
  }
  for (const [path, text] of Object.entries(texts)) assert.equal(read(workspace, path), text);
});

test("no link leads out of the workspace", async (t) => {
  const workspace = newWorkspace(t);
  const outside = join(workspace.scratch, "outside");
  mkdirSync(join(outside, "commands"), { recursive: true });
  writeFileSync(join(outside, "rules.md"), "# Theirs\n");
  symlinkSync(outside, join(workspace.folder, ".claude"));
  symlinkSync(join(outside, "rules.md"), join(workspace.folder, "AGENTS.md"));
  const before = everything(outside);
  const { notes } = await workspace.json(["init", "--agent", "claude", "--yes"]);
  assert.deepEqual(everything(outside), before);
  assert.ok(notes.some((note) => note.startsWith("AGENTS.md is left alone: it is a link to ")));
  assert.ok(notes.some((note) => note.startsWith(".claude/settings.json is left alone: .claude is a link")));
  assert.match(read(workspace, "CLAUDE.md"), /get_task/);
});

test("without an agent that is named or installed it says so", async (t) => {
  const workspace = newWorkspace(t);
  const message = "None of the agents that are known is installed. Name one with --agent, or all with --all.";
  await workspace.refused(["init"], message, { code: "no-agent", env: { PATH: "/nowhere" } });
});
