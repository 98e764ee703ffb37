// A repository of git or of jj in which somebody works by prompts, with a remote beside it, and what of it can be compared
// with another run of the same: the commits, the files, and what is known of the prompt, without ids and times.

import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newProject } from "./changes.mjs";
import { eventually } from "./eventually.mjs";
import { introduce } from "./sessions.mjs";
import { run } from "./workspace.mjs";

const files = {
  "src/a.txt": "1\n2\n3\n",
  "src/b.txt": "b\n",
  "Development/Parser/README.md": "The parser reads words.\n",
  "Research/Parser/README.md": "Words.\n",
};

/**
 * A repository with some files, all of them committed, and an empty remote.
 * @param {"git" | "jj"} system
 */
export async function newPromptProject(t, system) {
  const project = await newProject(t, files);
  await introduce(project);
  const [bin, own] = ["bin", "tmp"].map((name) => join(project.scratch, name));
  for (const made of [bin, own]) mkdirSync(made);
  Object.assign(project.env, {
    TMPDIR: own,
    GIT_CONFIG_NOSYSTEM: "1",
    JJ_USER: "Ada",
    JJ_EMAIL: "ada@example.org",
    PATH: `${bin}:${process.env.PATH}`,
  });
  const git = (await run(["sh", "-c", "command -v git"])).stdout.trim();
  const real = process.env.AUGMENT_TEST_JJ;
  assert.ok(real, "AUGMENT_TEST_JJ names no jj. Run these tests with `npm test`, which installs one");
  symlinkSync(real, join(bin, "jj"));
  await project.git("init", "--quiet", "--bare", "../remote.git");
  await project.git("remote", "add", "origin", "../remote.git");
  const must = async (...command) => {
    const { code, stdout, stderr } = await run(command, { cwd: project.folder, env: project.env });
    assert.equal(code, 0, `${command.join(" ")}: ${stderr}`);
    return stdout;
  };
  if (system === "jj") await must(join(bin, "jj"), "--quiet", "git", "init", "--colocate");
  const beside = mkdtempSync(join(tmpdir(), "aug-kept-"));
  t.after(() => rmSync(beside, { recursive: true, force: true }));
  const kept = join(beside, "kept");

  const copied = async (from, to) => {
    const { code, stderr } = await run(["cp", "-a", from, to]);
    assert.equal(code, 0, stderr);
  };

  return Object.assign(project, {
    system,
    /** A folder that is not brought back with the rest. */
    beside,
    prompt: (...args) => project.json(["prompt", ...args]),
    jj: (...args) => must(join(bin, "jj"), "--quiet", ...args),

    /** Everything as it is now, to be brought back as often as is wanted. */
    async keep() {
      rmSync(kept, { recursive: true, force: true });
      await copied(project.scratch, kept);
    },
    async bringBack() {
      for (const name of readdirSync(project.scratch))
        rmSync(join(project.scratch, name), { recursive: true, force: true });
      await copied(`${kept}/.`, project.scratch);
    },

    /**
     * The program of version control with something before it: the `number`-th time that it is started, whoever started
     * it is killed. It then goes on, or it ends as well. With a `command`, only starts for that are counted.
     */
    shim({ number, dies, command = "" }) {
      const name = join(bin, system);
      const real = system === "jj" ? process.env.AUGMENT_TEST_JJ : git;
      const [count, over] = ["count", "over"].map((file) => join(project.scratch, file));
      rmSync(name, { force: true });
      writeFileSync(
        name,
        `#!/bin/sh
case " $* " in *${JSON.stringify(command)}*) ;; *) exec ${real} "$@" ;; esac
number=$(($(cat '${count}' 2>/dev/null || echo 0) + 1))
echo "$number" > '${count}'
if [ "$number" -eq ${number} ]; then
  kill -9 "$PPID"
  ${dies ? `: > '${over}'; exit 1` : ""}
  ${real} "$@"
  : > '${over}'
  exit
fi
exec ${real} "$@"
`,
      );
      chmodSync(name, 0o755);
      return {
        /** How often it was started. */
        count: () => (existsSync(count) ? Number(readFileSync(count, "utf8")) : 0),
        /** Nothing of what it did when we were killed is still under way. */
        over: () => eventually(`${system} has ended`, () => existsSync(over)),
        remove() {
          for (const file of [name, count, over]) rmSync(file, { force: true });
          if (system === "jj") symlinkSync(process.env.AUGMENT_TEST_JJ, name);
        },
      };
    },

    /** What has to be the same however often it was interrupted. */
    async picture() {
      const [prompt] = (await this.prompt("list")).prompts;
      const top = system === "jj" ? "@-" : "HEAD";
      const head =
        system === "jj"
          ? await must(
              join(bin, "jj"),
              ...["--quiet", "log", "--no-graph", "--ignore-working-copy", "-r", top, "-T", "commit_id"],
            )
          : (await project.git("rev-parse", "HEAD")).trim();
      const log = await project.git("log", "--format=%B%x00%T", head);
      const kept = await project.git(
        "for-each-ref",
        "--format=%(objecttype)",
        "refs/augment/",
        "refs/heads/",
        "refs/jj/",
      );
      const remote = await project.git("ls-remote", "origin");
      const named = prompt
        ? [...prompt.intents, ...(prompt.finished ? [prompt.finished] : [])].map(({ commit }) => commit)
        : [];
      for (const commit of named) await project.git("cat-file", "-e", `${commit}^{commit}`);
      assert.doesNotMatch(kept, /^(?!commit$)./m, "every ref leads to a commit");
      return {
        prompt: prompt && {
          id: prompt.id,
          state: prompt.state,
          text: prompt.text,
          intents: prompt.intents.map(({ text, role }) => `${role} ${text}`),
          isFinished: prompt.finished !== null,
          report: prompt.report && plain(prompt.report),
          pushed: prompt.pushed && `${prompt.pushed.remote} ${prompt.pushed.branch}`,
        },
        log: plain(log),
        isPushed: remote === "" ? null : remote.startsWith(head),
        status: await project.git("status", "--porcelain"),
        files: Object.fromEntries(Object.entries(project.tree()).filter(([path]) => !path.startsWith(".jj/"))),
      };
    },

    /** What has to hold whatever happened. */
    async isSound(what) {
      await project.git("fsck", "--strict", "--no-dangling");
      await project.verify();
      // One beside a ref that keeps an intent stands in nobody's way: what it keeps is kept, or the command would have failed.
      const locks = readdirSync(project.at(".git"), { recursive: true })
        .filter((path) => path.endsWith(".lock"))
        .filter((path) => !path.startsWith("refs/augment/prompts/"));
      assert.deepEqual(locks, [], what);
      const left = Object.keys(project.tree()).filter((path) => path.includes(".augment-"));
      assert.deepEqual(left, [], what);
    },
  });
}

/** Without what differs between two runs of the same: ids of changes, and when it was. */
function plain(text) {
  return text.replace(/\b[k-z]{12,32}\b/g, "<change>").replace(/.\ufe0e\.\d+\.\d+\.\d+ \d+AM/gu, "<stamp>");
}
