// A project in which a person, their editor, their git and agents change files, and what has to hold of it whatever is
// decided: the bytes on disk, what the list says, who the ledger says it was.

import assert from "node:assert/strict";
import {
  chmodSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { eventually } from "./eventually.mjs";
import { dial } from "./frames.mjs";
import { stopped } from "./stopped.mjs";
import { newWorkspace, run } from "./workspace.mjs";

/** Git as if nobody had ever configured it. */
const gitEnv = {
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "ada",
  GIT_AUTHOR_EMAIL: "ada@example.org",
  GIT_COMMITTER_NAME: "ada",
  GIT_COMMITTER_EMAIL: "ada@example.org",
  GIT_EDITOR: "true",
};

/** A file of a tree that is no plain text with mode 644. */
export const executable = (content) => `755 ${content}`;
export const link = (target) => `-> ${target}`;

/**
 * A workspace with these files in it, all of them committed unless it is a plain folder.
 * @param {Record<string, string>} files as `tree()` gives them
 */
export async function newProject(t, files, { git = true } = {}) {
  const workspace = newWorkspace(t);
  const at = (path) => join(workspace.folder, path);
  const project = {
    ...workspace,
    at,

    /** In one step: written elsewhere and moved in, so that nobody sees half of it. */
    write(path, content, mode) {
      const [beside, to] = [join(workspace.scratch, "to-be-moved-in"), at(path)];
      mkdirSync(dirname(to), { recursive: true });
      writeFileSync(beside, content);
      chmodSync(beside, mode ?? (existsSync(to) ? lstatSync(to).mode & 0o777 : 0o644));
      renameSync(beside, to);
    },
    /** Writes as a slow program does: emptied first, then filled, with a look at it in between. */
    async writeSlowly(path, content, between) {
      const file = openSync(at(path), "w");
      await between();
      writeSync(file, content);
      closeSync(file);
    },
    read: (path) => readFileSync(at(path)),
    text: (path) => readFileSync(at(path), "utf8"),
    remove: (path) => rmSync(at(path), { recursive: true }),
    rename: (from, to) => renameSync(at(from), at(to)),
    link: (path, target) => symlinkSync(target, at(path)),
    chmod: (path, mode) => chmodSync(at(path), mode),
    put(tree) {
      for (const [path, what] of Object.entries(tree)) {
        const runs = what.startsWith("755 ");
        if (what.startsWith("-> ")) {
          mkdirSync(dirname(at(path)), { recursive: true });
          project.link(path, what.slice(3));
        } else {
          project.write(path, Buffer.from(runs ? what.slice(4) : what, "latin1"), runs ? 0o755 : 0o644);
        }
      }
    },

    /** Everything in the folder but git's own, by path: its bytes as Latin-1, with the mode where it is not 644. */
    tree: () => tree(workspace.folder),

    /** Runs git in the folder; it has to succeed. */
    async git(...args) {
      const { code, stdout, stderr } = await run(["git", ...args], {
        cwd: workspace.folder,
        env: { ...workspace.env, ...gitEnv },
      });
      assert.equal(code, 0, `git ${args.join(" ")}: ${stderr}${stdout}`);
      return stdout;
    },

    /** Runs a script as an agent's shell would. */
    async shell(script) {
      const { code, stderr } = await run(["sh", "-c", script], { cwd: workspace.folder, env: workspace.env });
      assert.equal(code, 0, stderr);
    },

    /** The same with nobody looking before it has come to its end, as if it were done at once. */
    async shellUnseen(script) {
      const { pid } = (await workspace.json(["status"])).host;
      try {
        await stopped(pid);
        await project.shell(script);
      } finally {
        process.kill(pid, "SIGCONT");
      }
    },

    /** An agent that has taken a task. What it writes is its own, whether or not it says so. */
    async agent(title, name = "goose") {
      const { task, run: id, token } = await workspace.json(["start", title, "--agent", name]);
      const env = { AUGMENT_TOKEN: token };
      return {
        task: task.id,
        run: id,
        token,
        env,
        claim: (path, ...args) => workspace.json(["claim", path, ...args], { env }),
        /** Says what it writes, to the byte, and writes it. */
        async declares(path, content) {
          await workspace.json(["claim", path, "--content", "-"], { env, input: content });
          project.write(path, content);
        },
        done: () => workspace.json(["queue", "complete", task.id], { env }),
      };
    },

    editor: () => openEditor(t, project),

    /** Waits until nobody owns the workspace any more. */
    async unhosted(signal) {
      if (signal) process.kill((await workspace.json(["status"])).host.pid, signal);
      else await workspace.json(["host", "stop"]);
      await eventually("the host has left", workspace.processes, (left) => left.length === 0);
    },

    /** Everything that waits, one line a hunk: file, author, evidence, kind, in words. */
    async pending(...args) {
      const { files } = await workspace.json(["changes", "list", ...args]);
      return files.flatMap(({ path, hunks }) => hunks.map((hunk) => `${path}: ${hunkWords(hunk)}`));
    },
    /** The hunks themselves, each with its path. */
    async hunks(...args) {
      const { files } = await workspace.json(["changes", "list", ...args]);
      return files.flatMap(({ path, hunks }) => hunks.map((hunk) => ({ path, ...hunk })));
    },

    /** Who changed a file, as the ledger has it, oldest first; with `→` where that was set right afterwards. */
    async authors(path) {
      await workspace.json(["changes", "list"]);
      const records = await workspace.records("--kind", "file");
      return records
        .reverse()
        .filter(({ subject }) => subject === `file:${path}`)
        .filter(({ kind }) => kind === "file.changed" || kind === "file.attributed")
        .map(({ kind, data }) => `${kind === "file.attributed" ? "→ " : ""}${data.author} ${data.evidence}`);
    },

    /** The same as it stands in the end: whether a word came before or after the look makes no difference. */
    async lastAuthors(path) {
      const last = [];
      for (const author of await project.authors(path)) {
        if (author.startsWith("→ ")) last.pop();
        last.push(author.replace("→ ", ""));
      }
      return last;
    },

    /** Each line of a file with who wrote it. */
    async blame(path) {
      const { spans } = await workspace.json(["blame", path]);
      const lines = project.text(path).split("\n");
      return spans.flatMap(({ start, end, author, evidence }) =>
        lines.slice(start, end).map((line) => `${line}: ${authorWords(author)}${evidence ? ` ${evidence}` : ""}`),
      );
    },

    async decide(verdict, ...args) {
      return workspace.json(["changes", verdict, ...args]);
    },
    reject: (...args) => project.decide("reject", ...args),
    approve: (...args) => project.decide("approve", ...args),
    undo: (...args) => project.decide("undo", ...args),
    redo: (...args) => project.decide("redo", ...args),

    async verify() {
      const { holds, broken } = await workspace.json(["audit", "verify"]);
      assert.ok(holds, JSON.stringify(broken));
    },
  };
  if (git) await project.git("init", "--quiet", "--initial-branch", "main");
  project.put(files);
  if (git) {
    await project.git("add", "--all");
    await project.git("commit", "--quiet", "--allow-empty", "--message", "all");
  }
  return project;
}

function tree(folder, below = "") {
  const found = {};
  for (const name of readdirSync(join(folder, below)).sort()) {
    if (name === ".git") continue;
    const path = below ? `${below}/${name}` : name;
    const whole = join(folder, path);
    const stat = lstatSync(whole);
    if (stat.isDirectory()) {
      const inside = tree(folder, path);
      Object.assign(found, Object.keys(inside).length > 0 ? inside : { [`${path}/`]: "" });
    } else if (stat.isSymbolicLink()) {
      found[path] = link(readlinkSync(whole));
    } else {
      const mode = (stat.mode & 0o777).toString(8);
      const content = readFileSync(whole, "latin1");
      found[path] = mode === "644" ? content : `${mode} ${content}`;
    }
  }
  return found;
}

export function authorWords({ kind, name, run: of }) {
  return kind === "run" ? of : kind === "person" ? name : kind;
}

function hunkWords({ author, evidence, kind, summary }) {
  return `${authorWords(author)} ${evidence} ${kind} ${summary}`;
}

/**
 * How many of a person's bytes are no longer there.
 * @param {Record<string, string | string[]>} own by path: the whole content, or the lines that are theirs, in order
 */
export function lostBytes(project, own) {
  const now = project.tree();
  let lost = 0;
  for (const [path, theirs] of Object.entries(own)) {
    if (typeof theirs === "string") {
      if (now[path] !== theirs) lost += theirs.length;
      continue;
    }
    const lines = (now[path] ?? "").split(/(?<=\n)/);
    let from = 0;
    for (const line of theirs) {
      const at = lines.indexOf(line, from);
      if (at < 0) lost += line.length;
      else from = at + 1;
    }
  }
  return lost;
}

/** A tree without its empty folders: what made them nobody knows, so they stay whatever is decided. */
function filesOf(tree) {
  return Object.fromEntries(Object.entries(tree).filter(([path]) => !path.endsWith("/")));
}

/**
 * Rejects, undoes, redoes and undoes once more; the files have to be exactly as they should be at each step, and
 * nothing of the person's may be missing at any.
 * @param {{ own: object, rejected: Record<string, string>, what?: string[] }} expected
 */
export async function takeBack(project, { own, rejected, what = ["--task-id", "a1"] }) {
  const written = project.tree();
  const holds = (when, expected) => {
    assert.equal(lostBytes(project, own), 0, `bytes of the person lost ${when}`);
    assert.deepEqual(filesOf(project.tree()), filesOf(expected), when);
  };
  holds("before anything is decided", written);
  const before = await project.pending();
  await project.reject(...what);
  holds("after the rejection", rejected);
  const after = await project.pending();
  await project.undo();
  holds("after the undo", written);
  assert.deepEqual(await project.pending(), before, "all that waited waits again");
  await project.redo();
  holds("after the redo", rejected);
  assert.deepEqual(await project.pending(), after);
  await project.undo();
  holds("after the second undo", written);
  await project.verify();
}

/** An editor on the project, as ours is one: it says which texts are open, and what it has saved and how. */
async function openEditor(t, project) {
  const client = await dial(project, { initialize: false });
  await client.initialize({ initializationOptions: { protocol: 1 } });
  t.after(() => client.destroy());
  let version = 0;
  const uri = (path) => pathToFileURL(project.at(path)).href;
  const editor = {
    client,
    open(path, text = project.text(path)) {
      version += 1;
      client.notify("textDocument/didOpen", {
        textDocument: { uri: uri(path), languageId: "plaintext", version, text },
      });
    },
    /** Changes the open text without saving it. */
    type(path, text) {
      version += 1;
      client.notify("textDocument/didChange", {
        textDocument: { uri: uri(path), version },
        contentChanges: [{ text }],
      });
    },
    async close(path) {
      client.notify("textDocument/didClose", { textDocument: { uri: uri(path) } });
      await editor.heard();
    },
    /** The host knows of what was told before: it takes notices and requests in their order. */
    heard: () => client.request("augment/status", {}),
    says: (path, text, how = "by-hand") => client.request("augment/editor/saved", { path, text, how }),
    /** Opens, types, saves and closes. Editors tell of a save once it is on disk. */
    async save(path, text, how) {
      editor.open(path, existsSync(project.at(path)) ? project.text(path) : "");
      editor.type(path, text);
      project.write(path, text);
      await editor.says(path, text, how);
      await editor.close(path);
    },
  };
  return editor;
}
