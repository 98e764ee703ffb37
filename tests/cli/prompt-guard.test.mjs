// The five invariants of a closed prompt: all hold after a push, and where one is broken exactly that one is named, with
// what is wrong and how to mend it (J7).

import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { each, newRepository } from "../rig/prompts.mjs";

const systems = ["git", "jj colocated"];

/** Checks which invariants do not hold, and that the exit code says the same. */
async function broken(repository, expected, wrong, args = [], how = {}) {
  const { code, stdout } = await repository.cli(["prompt", "guard", "--json", ...args], how);
  const { holds, invariants } = JSON.parse(stdout);
  assert.deepEqual(
    invariants.map(({ number }) => number),
    [1, 2, 3, 4, 5],
  );
  const found = invariants.filter((one) => one.wrong !== null);
  const words = JSON.stringify(found);
  assert.deepEqual(
    found.map(({ name }) => name),
    expected,
    words,
  );
  assert.deepEqual([code, holds], expected.length === 0 ? [0, true] : [1, false]);
  for (const one of found) {
    assert.match(one.wrong, wrong);
    assert.ok(one.mend.length > 0);
  }
  return invariants;
}

/** Changes the message of the session's commit, which is the tip. */
async function reword(repository, message) {
  if (repository.isJj) {
    const words = ["jj", "describe", "--ignore-immutable", "--stdin", "@-"];
    await repository.must(words, { input: message });
  } else {
    const words = ["git", "commit", "--quiet", "--amend", "--cleanup=verbatim", "--file", "-"];
    await repository.must(words, { input: message });
  }
}

/** Brings what is here to the remote, whatever it had, behind jj's back: the remote itself has to be asked. */
async function force(repository, commit) {
  const of = commit ?? (await repository.tip());
  await repository.git("push", "--quiet", "--force", repository.remote, `${of}:refs/heads/${repository.branch}`);
}

each(
  test,
  "a session's commit that is not whole",
  async (t, kind) => {
    const repository = await newRepository(t, kind);
    await repository.begin();
    await repository.intent("say two", { "a.txt": "one\ntwo\n" });
    await repository.report();
    await repository.finish();
    await repository.prompt("push");
    await broken(repository, []);
    const message = await repository.message();
    await reword(repository, message.replace("## Agent Context", "## Context"));
    await force(repository);
    await broken(repository, ["session-commit"], /is not whole: `## Agent Context` is missing or empty\.$/);
  },
  systems,
);

each(
  test,
  "no artifact, not pushed, and something on top",
  async (t, kind) => {
    const repository = await newRepository(t, kind);
    const first = await repository.tip();
    await repository.closed();
    const before = await repository.state();
    await broken(repository, []);
    assert.deepEqual(await repository.state(), before, "guard changes nothing");
    const head = await repository.tip();

    await force(repository, first);
    await broken(
      repository,
      ["pushed-head"],
      new RegExp(`^${repository.branch} on origin is at "${first.slice(0, 12)}", which does not hold`),
    );
    await force(repository, head);
    await broken(repository, []);

    if (repository.isJj) {
      await repository.jj("edit", "--ignore-immutable", "dev");
      await broken(repository, ["next-child"], /^The working commit is the finalised/);
      await repository.jj("new", "dev");
      await broken(repository, []);
    } else {
      await repository.othersPush("by hand");
      await repository.git("fetch", "--quiet");
      await broken(
        repository,
        ["next-child"],
        /^main on origin has 1 commit above the last finalised one, .* "by hand"/,
      );
      await force(repository, head);
    }

    // The session alone, without the report that stood on it.
    const session = (await repository.git("rev-parse", `${head}^`)).trim();
    if (repository.isJj) {
      await repository.jj("abandon", "--ignore-immutable", head);
      await repository.jj("bookmark", "set", "dev", "--revision", session, "--allow-backwards");
      await repository.jj("new", "dev");
    } else await repository.git("reset", "--quiet", "--hard", session);
    await force(repository, session);
    await broken(repository, ["research-artifact"], /^Neither the session's commit .* brought a file in Research\//);
  },
  systems,
);

each(
  test,
  "an artifact that names another parent",
  async (t, kind) => {
    const repository = await newRepository(t, kind);
    await repository.begin();
    await repository.intent("say two", { "a.txt": "one\ntwo\n" });
    await repository.finish();
    await repository.report();
    const path = Object.keys(repository.disk()).find((name) => /_answer_/.test(name));
    const parent = (await repository.git("rev-parse", `${await repository.tip()}^`)).trim();
    const named = /^.*parent.*$/im.exec(repository.text(path))?.[0];
    assert.ok(named, repository.text(path));
    const other = named.replace(/[k-z]{8,}|[0-9a-f]{12,}/, "zzzzzzzzkkkk");
    repository.write(path, repository.text(path).replace(named, other));
    if (repository.isJj) {
      await repository.jj("squash");
      await repository.jj("bookmark", "set", "dev", "--revision", "@-");
    } else await repository.git("commit", "--quiet", "--all", "--amend", "--no-edit");
    await force(repository);
    assert.equal((await repository.git("rev-parse", `${await repository.tip()}^`)).trim(), parent);
    await broken(repository, ["fresh-parent"], /was made on the parent change "zzzzzzzzkkkk", and its parent is/);
  },
  systems,
);

test("in a fresh clone, as the machine that checks has it", async (t) => {
  const repository = await newRepository(t, "git");
  await repository.begin();
  await repository.intent("say two", { "a.txt": "one\ntwo\n" });
  await repository.intent("say three", { "a.txt": "one\ntwo\nthree\n" });
  await repository.finish();
  await repository.report();
  await repository.prompt("push");
  const other = await repository.clone();
  const how = { cwd: other.folder };
  await broken(repository, [], undefined, [], how);
  const { notes } = JSON.parse((await repository.cli(["prompt", "guard", "--json"], how)).stdout);
  assert.equal(notes.length, 2, "the originals are not in a clone, and that is told");
  assert.match(notes[0], /git fetch origin 'refs\/augment\/\*:refs\/augment\/\*'/);
  await broken(repository, [], undefined, ["--branch", "main"], how);
  // As machines that check have it: a commit, and branches of the remote only.
  await other.git("checkout", "--quiet", "--detach");
  await other.git("branch", "--quiet", "-D", "main");
  for (const branch of ["main", "origin/main"]) await broken(repository, [], undefined, ["--branch", branch], how);
  await other.git("checkout", "--quiet", "main");
  cpSync(join(other.folder, "a.txt"), join(other.folder, "copy.txt"));
  await other.git("add", "--all");
  await other.git("commit", "--quiet", "--message", "on top");
  await other.git("push", "--quiet", "origin", "main");
  await broken(repository, ["next-child"], /1 commit above/, [], how);
});

test("where no session was ever, only the first is broken", async (t) => {
  const repository = await newRepository(t, "git");
  await broken(
    repository,
    ["session-commit"],
    /^No commit on main begins with `session:`; of the 1 commit looked at none is one\.$/,
  );
  const { invariants } = JSON.parse((await repository.cli(["prompt", "guard", "--json"])).stdout);
  const reason = "There is no session's commit that it could be about.";
  for (const one of invariants.slice(1)) assert.deepEqual([one.holds, one.wrong, one.mend], [false, null, reason]);
  const { stdout } = await repository.cli(["prompt", "guard"]);
  assert.match(stdout, /\n\? 5 {2}next-child .*\n {5}There is no session's commit that it could be about\.\n/);
  assert.match(stdout, /\n1 of 5 does not hold, 4 could not be judged\.\n$/);
});

each(
  test,
  "an open prompt is named with what is not pushed, and changes no verdict",
  async (t, kind) => {
    const repository = await newRepository(t, kind);
    await repository.closed();
    const notes = async () => JSON.parse((await repository.cli(["prompt", "guard", "--json"])).stdout).notes;
    assert.deepEqual(await notes(), []);
    await repository.begin();
    const begun = await notes();
    assert.equal(begun.length, 1);
    assert.match(begun[0], /^Prompt p2 is open, and no part of this: .*`augment-cli prompt status`/);
    assert.doesNotMatch(begun[0], /Not pushed/);
    await repository.intent("say four", { "a.txt": "four\n" });
    await broken(repository, []);
    const [note, ...others] = await notes();
    assert.deepEqual(others, []);
    assert.match(note, new RegExp(`Not pushed to ${repository.branch} of origin is its intent "intent: say four"\\.`));
    const { code, stdout } = await repository.cli(["prompt", "guard"]);
    assert.equal(code, 0);
    assert.match(stdout, /Prompt p2 is open/);
    assert.match(stdout, /\n✓ 4 {2}pushed-head {8}The finalised head is pushed\n/);
    assert.match(stdout, /\nAll hold: this session is closed\.\n$/);
  },
  systems,
);

test("older forms are read", async (t) => {
  const repository = await newRepository(t, "git");
  const rest = "## Original Prompt\nDo it\n\n## Agent Context\nIt is done.\n\n## Logical Changes\n- do it\n";
  const forms = [
    ["session: one\n♓︎.5.4.47 5919AM\n\n", "♓︎.5.4.47 5919AM"],
    ["session: two\nsolar: 5919.12.6.5.23\n\n", "5919.12.6.5.23"],
    ["session: three\nsolar: ♓︎6°5'23\" | 5919 AM\nmodel: some\n\n", "♓︎6°5'23\" | 5919 AM"],
    ["session: four\n\n♓︎.5.4.47 5919AM\n\n", "♓︎.5.4.47 5919AM"],
    ["session: five\n\n", null],
  ];
  for (const [head] of forms) {
    await repository.git("commit", "--quiet", "--allow-empty", "--cleanup=verbatim", "--message", `${head}${rest}`);
  }
  const marked = rest.replace("## Agent Context", "## Agent Context [SYNTHETIC]");
  const squashed = "\n## Squashed Change IDs\n- kkmpptxz\n- 0123abc\n";
  await repository.git(
    "commit",
    "--quiet",
    "--allow-empty",
    "--cleanup=verbatim",
    "--message",
    `session: six\n\n${marked}${squashed}`,
  );
  const { sessions } = await repository.prompt("list");
  assert.deepEqual(
    sessions.map(({ summary }) => summary),
    ["six", "five", "four", "three", "two", "one"],
  );
  const stamps = sessions.map(({ stamp }) => stamp).reverse();
  assert.deepEqual(stamps, [...forms.map(([, stamp]) => stamp), null]);
  assert.deepEqual(
    sessions.map(({ lacks }) => lacks),
    sessions.map(() => []),
  );
});

each(
  test,
  "a report that is in no commit does not count",
  async (t, kind) => {
    const repository = await newRepository(t, kind);
    await repository.begin();
    await repository.intent("say two", { "a.txt": "one\ntwo\n" });
    await repository.finish();
    await repository.report("--no-commit");
    await repository.prompt("push");
    await broken(repository, ["research-artifact"], /brought a file in Research/);
  },
  ["git", "jj colocated"],
);

test("a report is found among many older ones", async (t) => {
  const older = Array.from({ length: 205 }, (_, at) => [
    `Research/high/Better/1000${at + 10_000_000}_answer_x.md`,
    "x\n",
  ]);
  const repository = await newRepository(t, "git", { "a.txt": "one\n", ...Object.fromEntries(older) });
  await repository.closed();
  await broken(repository, []);
});
