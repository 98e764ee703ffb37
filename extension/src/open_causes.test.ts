// At most one notification for one cause, over time and over windows.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { ToldFile } from "./agents/told_file";
import { OpenCauses } from "./open_causes";

test("while a cause is being told it is not told again; another one is, and afterwards it is", async () => {
  const causes = new OpenCauses();
  const shown: string[] = [];
  let press: (button: string) => void = () => {};
  const put = (text: string) => () => {
    shown.push(text);
    return new Promise<string | undefined>((resolve) => {
      press = resolve;
    });
  };
  const first = causes.show("down", put("down"));
  assert.equal(await causes.show("down", put("down again")), undefined);
  const other = causes.show("flags", async () => {
    shown.push("flags");
    return undefined;
  });
  assert.equal(await other, undefined);
  press("Restart");
  assert.equal(await first, "Restart");
  void causes.show("down", put("down once more"));
  assert.deepEqual(shown, ["down", "flags", "down once more"]);
});

test("what fails to be shown does not keep its cause", async () => {
  const causes = new OpenCauses();
  await assert.rejects(causes.show("down", () => Promise.reject(new Error("no window"))));
  assert.equal(await causes.show("down", async () => "Restart"), "Restart");
});

test("of two windows on one folder one tells, and which one is never both", () => {
  const folder = mkdtempSync(join(tmpdir(), "aug-told-"));
  try {
    const window = () => new ToldFile(join(folder, "told.json"), assert.fail);
    const [one, other] = [window(), window()];
    const self = (key: string) => key;
    assert.deepEqual(one.onlyNew(["q1", "q2"], self), ["q1", "q2"]);
    assert.deepEqual(other.onlyNew(["q1", "q2", "q3"], self), ["q3"]);
    assert.deepEqual(one.onlyNew(["q3"], self), []);
    assert.deepEqual(window().onlyNew(["q1", "q2", "q3"], self), []);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
