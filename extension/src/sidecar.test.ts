// The sidecar's program: what it is given, and what is said when it cannot be started.

import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { dataPath, sidecarEnvironment, startSidecar } from "./sidecar";

test("the sidecar gets the person's environment: nothing of the editor's, no run's token", () => {
  const environment = {
    PATH: "/bin",
    AUGMENT_HOME: "/home/ada/augment",
    AUGMENT_TOKEN: "a run's",
    VSCODE_PID: "1",
    ELECTRON_RUN_AS_NODE: "1",
    NODE_OPTIONS: "--inspect",
  };
  assert.deepEqual(sidecarEnvironment(environment), { PATH: "/bin", AUGMENT_HOME: "/home/ada/augment" });
});

test("a process that cannot be made is told in a sentence", () => {
  assert.throws(() => startSidecar("/bin/true", "/work\0space"), /^Error: The program could not be started: .+\.$/);
});

test("where a folder's data is, the program says", async (t) => {
  const scratch = mkdtempSync(join(tmpdir(), "aug-where-"));
  t.after(() => rmSync(scratch, { recursive: true, force: true }));
  const program = join(scratch, "augment-cli");
  writeFileSync(program, `#!/bin/sh\n[ "$*" = "where --json -C /w" ] && echo '{"data":"/d"}'\n`);
  chmodSync(program, 0o755);
  assert.equal(await dataPath(program, "/w"), "/d");
  await assert.rejects(dataPath(program, "/other"));
});
