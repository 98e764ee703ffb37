// A real Neovim without a screen, set up as docs/neovim.md says: its own configuration folder, our Lua file as it stands,
// `augment-cli` on the PATH. It is driven over its socket by Neovim itself, and Lua in it answers with JSON.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { root } from "../../scripts/steps/places.mjs";
import { eventually } from "./eventually.mjs";
import { program, run } from "./workspace.mjs";

const nvim = process.env.AUGMENT_TEST_NVIM || "nvim";

/** What a person is told to put into init.lua. */
export function documentedSetup() {
  const [, lua] = readFileSync(join(root, "docs/neovim.md"), "utf8").match(/```lua\n(.*?)```/s) ?? [];
  assert.ok(lua, "docs/neovim.md has no Lua block");
  return lua;
}

/** Lua that others in the tests are made of. */
const words = `
local rig = {}
function rig.clients()
  return (vim.lsp.get_clients or vim.lsp.get_active_clients)()
end
function rig.client()
  for _, client in pairs(rig.clients()) do
    if client.name == "augment" and client.initialized ~= false then return client end
  end
end
function rig.is_attached()
  local client = rig.client()
  return client ~= nil and vim.lsp.buf_is_attached(0, client.id)
end
function rig.diagnostics(bufnr)
  local told = {}
  for _, one in ipairs(vim.diagnostic.get(bufnr)) do
    table.insert(told, {
      file = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(one.bufnr), ":t"),
      line = one.lnum, column = one.col, message = one.message, severity = one.severity, source = one.source,
    })
  end
  table.sort(told, function(a, b) return a.file .. a.line .. a.message < b.file .. b.line .. b.message end)
  return told
end
-- Each line with the texts of its lenses, as they are drawn.
function rig.lenses()
  local shown = {}
  for name, namespace in pairs(vim.api.nvim_get_namespaces()) do
    if name:find("codelens", 1, true) then
      for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, namespace, 0, -1, { details = true })) do
        local text = ""
        for _, line in ipairs(mark[4].virt_lines or { mark[4].virt_text or {} }) do
          for _, chunk in ipairs(line) do text = text .. chunk[1] end
        end
        table.insert(shown, { line = mark[2], text = vim.trim(text) })
      end
    end
  end
  table.sort(shown, function(a, b) return a.line < b.line end)
  return shown
end
function rig.lines() return vim.api.nvim_buf_get_lines(0, 0, -1, true) end
function rig.windows()
  local texts = {}
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= "" then
      local lines = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, true)
      table.insert(texts, table.concat(lines, "\\n"))
    end
  end
  return texts
end
`;

/**
 * Neovim on a file of the workspace, with the server attached to it.
 * @param {{ file?: string, attached?: boolean }} how
 */
export async function newNeovim(workspace, { file = "a.txt", attached = true } = {}) {
  const config = join(workspace.scratch, "config/nvim");
  mkdirSync(join(config, "lua"), { recursive: true });
  copyFileSync(join(root, "editors/neovim/augment.lua"), join(config, "lua/augment.lua"));
  writeFileSync(join(config, "init.lua"), documentedSetup());
  const socket = join(workspace.scratch, "nvim.sock");
  const question = join(workspace.scratch, "question.lua");
  const answer = join(workspace.scratch, "answer.json");
  const folder = (name) => join(workspace.scratch, name);
  const env = {
    ...workspace.env,
    NVIM_LOG_FILE: "/dev/null",
    PATH: `${dirname(program)}${delimiter}${process.env.PATH}`,
    XDG_CONFIG_HOME: folder("config"),
    XDG_DATA_HOME: folder("data"),
    XDG_STATE_HOME: folder("state"),
    XDG_CACHE_HOME: folder("cache"),
    LC_ALL: "C.UTF-8",
  };
  const args = ["--headless", "-n", "-i", "NONE", "--listen", socket, "--", file];
  const child = spawn(nvim, args, { cwd: workspace.folder, env, stdio: ["pipe", "ignore", "pipe"] });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text) => {
    stderr += text;
  });

  const call = async (...what) => {
    const { code, stdout, stderr: said } = await run([nvim, "--server", socket, ...what], { env });
    assert.equal(code, 0, `${what.join(" ")}: ${stdout} ${said} ${stderr}`);
  };

  const editor = {
    pid: child.pid,

    /** What a piece of Lua returns. */
    async lua(code) {
      writeFileSync(question, `${words}\n${code}`);
      // Through a file: what an expression is comes back as a message, with letters spelled out.
      await call(
        "--remote-expr",
        `luaeval('vim.fn.writefile({ vim.json.encode({ pcall(dofile, _A[1]) }) }, _A[2])', ['${question}', '${answer}'])`,
      );
      const [isFine, value] = JSON.parse(readFileSync(answer, "utf8"));
      if (!isFine) throw new Error(`${code}: ${value}`);
      return value;
    },

    /** Waits until a piece of Lua returns what is accepted. */
    until: (what, code, accept) => eventually(what, () => editor.lua(code), accept),

    /** Types, as a person does. */
    keys: (keys) => call("--remote-send", keys),

    /** Goes to a line, from 0. */
    at: (line) => editor.lua(`vim.api.nvim_win_set_cursor(0, { ${line + 1}, 0 })`),

    lines: () => editor.lua("return rig.lines()"),
    lenses: (accept, what = "the lenses are shown") => editor.until(what, "return rig.lenses()", accept),
    /** Of the file in front, or of all files. */
    diagnostics: (accept, { all = false, what = "the diagnostics are shown" } = {}) =>
      editor.until(what, `return rig.diagnostics(${all ? "nil" : "0"})`, accept),
    /** Everything that was told so far. */
    messages: () => editor.lua('return vim.fn.execute("messages")'),
    told: (pattern) => eventually(`${pattern} is told`, editor.messages, (said) => pattern.test(said)),
    /**
     * Does something that offers a choice, and takes the first that begins so, as whatever a person has for choosing
     * would. Returns what was offered.
     */
    async choose(beginning, code) {
      await editor.lua(`
        offered = nil
        local function pick(titles)
          offered = titles
          for at, title in ipairs(titles) do
            if vim.startswith(title, ${JSON.stringify(beginning)}) then return at end
          end
        end
        vim.ui.select = function(items, how, choose)
          asked = how.prompt
          local at = pick(vim.tbl_map(how.format_item or tostring, items))
          choose(at and items[at], at)
        end
        -- What older ones ask with.
        vim.fn.inputlist = function(list)
          asked = list[1]
          local titles = {}
          for _, line in ipairs(list) do table.insert(titles, line:match("^%d+. (.*)")) end
          return pick(titles) or 0
        end
        ${code}`);
      return editor.until("there is a choice", "return offered", (offered) => offered);
    },
    /** What the last choice was about. */
    asked: () => editor.lua("return asked"),
    stderr: () => stderr,
  };
  await eventually("Neovim listens", () => editor.lua("return true"));
  if (attached) await editor.until("the server is attached", "return rig.is_attached()");
  return editor;
}
