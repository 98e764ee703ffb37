// What the manifest promises, in a real VS Code: its keys take none of VS Code's away.

import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { keyClashes, readDefaults } from "../../scripts/check/keybindings.mjs";
import { manifest } from "../../scripts/steps/places.mjs";
import { eventually } from "../rig/eventually.mjs";
import { openWorkbench, serveVsCode } from "../rig/workbench.mjs";
import { statusItem } from "./product.mjs";
import { newReview } from "./reviewed.mjs";

const { contributes, publisher } = manifest();
const views = Object.values(contributes.views)
  .flat()
  .map(({ id }) => id);

describe("the manifest", () => {
  let product;
  let server;
  let workbench;

  before(async () => {
    product = await newReview();
    server = await serveVsCode({ name: "manifest", workspace: product.workspace, env: product.env });
    workbench = await openWorkbench(server);
    await workbench.status(statusItem).waitFor();
  });
  afterEach(async ({ passed, name: test }) => {
    if (!passed) await workbench.pictureOfFailure(`manifest-failed-${test.replaceAll(/\W+/g, "-").slice(0, 50)}`);
  });
  after(async () => {
    await workbench?.close();
    await server?.stop();
    product?.remove();
  });

  /** What VS Code says its own keys are. */
  const defaults = async (window, { all, copy }) => {
    await window.palette("Preferences: Open Default Keyboard Shortcuts (JSON)");
    await window.page.locator(".monaco-editor.focused").first().waitFor();
    const text = await eventually("the default keys are copied", async () => {
      await window.page.keyboard.press(all);
      await window.page.keyboard.press(copy);
      const copied = await window.page.evaluate(() => navigator.clipboard.readText());
      return copied.trimEnd().endsWith("]") || copied.includes("// Here are other available commands")
        ? copied
        : undefined;
    });
    return readDefaults(text).filter(({ command }) => !command.startsWith(publisher));
  };

  test("no key takes one of VS Code's away", async () => {
    const known = await defaults(workbench, { all: "Control+A", copy: "Control+C" });
    assert.ok(known.length > 500, `${known.length} defaults were read`);
    assert.deepEqual(keyClashes(contributes.keybindings, known, "key", views), []);
  });

  test("nothing went wrong in the window", () => workbench.judge());
});
