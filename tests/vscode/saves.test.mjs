// What a person saves in a real VS Code, where it is hard to see that it is theirs: in a folder that somebody begins to use from
// a terminal while its window is open, and in an encoding with a byte order mark while they type on.

import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import { eventually } from "../rig/eventually.mjs";
import { stopped } from "../rig/stopped.mjs";
import { openWorkbench, serveVsCode } from "../rig/workbench.mjs";
import { newProduct, ourLog, statusItem } from "./product.mjs";

const bom = "\uFEFF";

describe("saves in a folder that is used from a terminal", () => {
  const product = newProduct();
  const another = join(product.scratch, "another");
  let server;
  let workbench;
  let page;

  before(async () => {
    writeFileSync(join(product.workspace, "marked.txt"), `${bom}first\nsecond\n`);
    mkdirSync(another);
    writeFileSync(join(another, "notes.txt"), "a file of another folder\n");
    server = await serveVsCode({ name: "saves", workspace: product.workspace, env: product.env });
    workbench = await openWorkbench(server);
    page = workbench.page;
    await workbench.status(statusItem).waitFor();
  });
  afterEach(async ({ passed, name }) => {
    if (!passed) await workbench.pictureOfFailure(`saves-failed-${name.replaceAll(/\W+/g, "-").slice(0, 60)}`);
  });
  after(async () => {
    await workbench?.close();
    await server?.stop();
    // Begun from here, and not by the editor.
    for (const folder of [product.workspace, another]) await product.cliIn(folder, "host", "stop");
    product.remove();
  });

  const ours = () => server.processes().filter(({ command }) => command.includes("augment-cli"));
  const typed = async (text) => {
    await page.keyboard.press("Control+Home");
    await page.keyboard.type(text);
    await page.locator(".tab.dirty").waitFor();
  };
  const saved = () => page.locator(".tab.dirty").waitFor({ state: "detached" });
  const firstLineIsThePersons = (name) =>
    eventually(
      `the first line of ${name} is the person's`,
      async () => (await product.cli("blame", name)).spans[0],
      ({ start, author }) => start === 0 && author.kind === "person",
    );

  test("a save in a folder that nobody uses starts nothing and writes nothing", async () => {
    await eventually("the extension has looked", () => ourLog(server).includes("was not used before"));
    await workbench.openFile("notes.txt");
    await typed("typed before anybody came\n");
    await page.keyboard.press("Control+S");
    await saved();
    assert.deepEqual([ours(), readdirSync(product.home)], [[], []]);
  });

  test("what is saved once an agent is at work there is the person's, and the window shows the work", async () => {
    await typed("typed by hand\n");
    await product.cli("start", "Port", "--agent", "claude", "--lease", "1h");
    await page.keyboard.press("Control+S");
    await saved();
    await firstLineIsThePersons("notes.txt");
    await workbench.status(statusItem).filter({ hasText: "Port" }).waitFor();
    assert.deepEqual((await product.cli("changes", "list")).files, []);
  });

  test("what is saved with a byte order mark is the person's, also when they type on meanwhile", async () => {
    const bytes = () => readFileSync(join(product.workspace, "marked.txt"), "utf8");
    await workbench.openFile("marked.txt");
    await typed("saved\n");
    const pid = parentOf(await server.extensionHostPid());
    try {
      // Files are written by the server, and what is typed goes past it.
      await stopped(pid);
      await page.keyboard.press("Control+S");
      await page.locator(".part.statusbar", { hasText: "Saving 'marked.txt'" }).waitFor();
      await page.keyboard.type("typed on");
    } finally {
      process.kill(pid, "SIGCONT");
    }
    await eventually("it is saved as it was", bytes, (now) => now === `${bom}saved\nfirst\nsecond\n`);
    await page.locator(".tab.dirty").waitFor();
    await firstLineIsThePersons("marked.txt");
    await page.keyboard.press("Control+S");
    await saved();
    assert.equal(bytes(), `${bom}saved\ntyped onfirst\nsecond\n`);
  });

  test("a window that nobody touches shows what is begun in a terminal", async () => {
    const second = await openWorkbench({ ...server, workspace: another });
    try {
      await second
        .status(statusItem)
        .filter({ hasText: /^\s*Augment\s*$/ })
        .waitFor();
      await eventually("the extension has looked", () => ourLog(server).includes(`${another} was not used before`));
      await product.cliIn(another, "start", "Elsewhere", "--agent", "claude", "--lease", "1h");
      await second.status(statusItem).filter({ hasText: "Elsewhere" }).waitFor();
      await second.judge();
    } finally {
      await second.close();
    }
  });

  test("nothing went wrong in the window", async () => {
    await workbench.judge();
    assert.doesNotMatch(ourLog(server), /\[error\]/);
  });
});

/** The second number after the name, which is in parentheses and may hold anything. */
function parentOf(pid) {
  return Number(
    readFileSync(`/proc/${pid}/stat`, "latin1")
      .replace(/^.*\) /s, "")
      .split(" ")[1],
  );
}
