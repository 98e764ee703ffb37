// Somebody commits while an intent is put together: what it would hold was held against the commit before, and on the new
// one it would take back what that one has. So nothing is written, and that is said (J2).

import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { test } from "node:test";
import { each, newRepository } from "../rig/prompts.mjs";

const base = "1\n2\n3\n4\n5\n6\n7\n8\n";

/** A jj in front of the real one, in which a script has the say first; `$real` is the real one. */
function inFront(repository, script) {
  const folder = join(repository.scratch, "in-front");
  mkdirSync(folder, { recursive: true });
  const real = join(repository.env.PATH.split(delimiter)[0], "jj");
  writeFileSync(join(folder, "jj"), `#!/bin/sh\nreal='${real}'\n${script}\nexec "$real" "$@"\n`);
  chmodSync(join(folder, "jj"), 0o755);
  return { env: { PATH: `${folder}${delimiter}${repository.env.PATH}` } };
}

each(
  test,
  "what somebody commits while an intent is put together is not taken back",
  async (t, kind) => {
    const repository = await newRepository(t, kind, { "a.txt": base });
    await repository.begin();
    const agent = await repository.agent("say more");
    await agent.declares("a.txt", `${base}agent\n`);
    await repository.hunks();
    await agent.done();
    repository.write("a.txt", `own\n${base}agent\n`);
    await repository.hunks();
    await repository.json(["changes", "assign", "--unknown", "--to-me"]);
    // How lines end is asked for the first time when the file is read of the tip, which is known by then.
    const once = join(repository.scratch, "once");
    const later = join(repository.scratch, "later");
    writeFileSync(later, `own\n${base}agent\nlater\n`);
    const how = inFront(
      repository,
      `case " $* " in *" config get working-copy.eol-conversion "*)
  if mkdir '${once}' 2>/dev/null; then
    (cd '${repository.folder}' && "$real" --quiet commit --message "as it is" a.txt && cp '${later}' a.txt) >&2
  fi;;
esac`,
    );
    const { code, stderr } = await repository.cli(["prompt", "intent", "say mine", "--json"], how);
    assert.ok(existsSync(once), "nobody has committed meanwhile");
    assert.deepEqual(await repository.titles(), ["as it is", "first"]);
    assert.deepEqual(await repository.files(), { "a.txt": `own\n${base}agent\n` });
    const { error } = JSON.parse(stderr);
    assert.deepEqual([code, error.code], [1, "moved"], error.message);
    assert.match(error.message, /^The repository has moved since: .* Look at it, then repeat\.$/);
    assert.equal((await repository.prompt("status")).prompt.intents.length, 0);
    // Nothing is half done: the next one takes what is left.
    await repository.approve("--all");
    await repository.prompt("intent", "say the rest", "a.txt");
    assert.deepEqual(await repository.titles(), ["intent: say the rest", "as it is", "first"]);
    assert.deepEqual(await repository.files(), { "a.txt": repository.text("a.txt") });
  },
  ["jj colocated", "jj"],
);

test("the tip is asked for once, however many files there are", async (t) => {
  const repository = await newRepository(t, "jj");
  await repository.begin();
  await repository.intent("begin", { "a.txt": "begun\n" });
  const log = join(repository.scratch, "log");
  const how = inFront(repository, `echo "$*" | head -n 1 >> '${log}'`);
  const counts = [];
  for (const files of [2, 9]) {
    for (let at = 0; at < files; at++) repository.write(`of${files}/${at}.txt`, `${at}\n`);
    writeFileSync(log, "");
    const { code, stderr } = await repository.cli(["prompt", "intent", `say ${files}`], how);
    assert.equal(code, 0, stderr);
    counts.push(readFileSync(log, "utf8").split("\n").length);
  }
  assert.equal(counts[1], counts[0], "the cost follows the files");
});
