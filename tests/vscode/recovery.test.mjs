// What ends a connection and what must outlive it: the window, the extension host and the host itself are ended the
// hard way, and the sidecar's program is made unusable. The queue stays, and the person is told what to do.

import assert from "node:assert/strict";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import { eventually } from "../rig/eventually.mjs";
import { openWorkbench, serveVsCode } from "../rig/workbench.mjs";
import { changeSettings, newProduct, program, statusItem } from "./product.mjs";

describe("recovery", () => {
  const product = newProduct();
  const titles = ["Stays through it all", "Also stays"];
  let server;
  let workbench;
  let hostPid;

  before(async () => {
    for (const title of titles) await product.add(title);
    server = await serveVsCode({ name: "recovery", workspace: product.workspace, env: product.env });
    workbench = await openWorkbench(server);
    await statusSays("Augment: 2 pending");
    await workbench.showContainer("Augment");
    hostPid = (await lastingHost()).pid;
  });
  afterEach(async ({ passed, name }) => {
    if (!passed) await workbench.pictureOfFailure(`recovery-failed-${name.replaceAll(/\W+/g, "-")}`);
  });
  after(async () => {
    await workbench?.close();
    await server?.stop();
    product.remove();
  });

  const statusSays = (text) => workbench.status(statusItem).filter({ hasText: text }).waitFor();
  const row = (title) => workbench.tree("Queue").row(title);
  const lastingHost = (other) =>
    eventually(
      "there is a host",
      async () => (await product.cli("status")).host,
      ({ lasting, pid }) => lasting && pid !== other,
    );
  /** The tree lives: it shows what was there and what comes now. */
  const treeLives = async (title) => {
    // More rows come together than there is room for beside the other views, and rows out of sight are not drawn.
    for (const view of ["Session", "Agents", "Changes"]) await workbench.tree(view).collapse();
    for (const known of titles) await row(known).waitFor();
    await product.add(title);
    titles.push(title);
    await row(title).waitFor();
    await statusSays(`Augment: ${titles.length} pending`);
  };

  test("a second window on the folder shows the same queue, live", async () => {
    const second = await openWorkbench(server);
    try {
      await second.status(statusItem).filter({ hasText: "Augment: 2 pending" }).waitFor();
      await second.showContainer("Augment");
      await treeLives("Seen in both windows");
      await second.tree("Queue").row("Seen in both windows").waitFor();
      assert.equal((await lastingHost()).pid, hostPid, "one host for both");
      await second.judge();
    } finally {
      await second.close();
    }
    await eventually("the second window's extension host is gone", () => server.extensionHosts().length === 1);
  });

  test("a window reload leaves the host as it is", async () => {
    await workbench.reload();
    await workbench.showContainer("Augment");
    await treeLives("Added after the reload");
    assert.equal((await lastingHost()).pid, hostPid);
  });

  test("a crash of the extension host leaves the host as it is", async () => {
    await eventually("only the reloaded window's extension host is left", () => server.extensionHosts().length === 1);
    const killed = await server.killExtensionHost();
    await eventually(
      "there is a new extension host",
      () => server.extensionHosts(),
      ([host]) => host && host.pid !== killed,
    );
    await treeLives("Added after the crash");
    assert.equal((await lastingHost()).pid, hostPid);
  });

  test("a killed host is replaced, and its state is there", async (t) => {
    const before = await product.cli("queue", "list", "--all");
    const killedAt = Date.now();
    process.kill(hostPid, "SIGKILL");
    const { pid } = await lastingHost(hostPid);
    await statusSays(`Augment: ${titles.length} pending`);
    t.diagnostic(`from the kill to a new host and a calm status bar: ${Date.now() - killedAt} ms`);
    hostPid = pid;
    assert.deepEqual((await product.cli("queue", "list", "--all")).tasks, before.tasks);
    await treeLives("Added after the kill");
    assert.equal((await product.cli("audit", "verify")).holds, true);
  });

  test("a host that is asked to stop stays away until it is started again", async () => {
    await workbench.palette("Augment: Stop Host");
    await statusSays("Augment: stopped");
    await workbench.tree("Queue").welcome.filter({ hasText: "The host of this folder was stopped." }).waitFor();
    assert.equal((await product.cli("status")).host.lasting, false);
    await workbench.status(statusItem).click();
    await treeLives("Added after the stop");
    hostPid = (await lastingHost()).pid;
  });

  test("a sidecar that keeps failing is tried five times, then there is a button", async () => {
    const starts = join(product.scratch, "starts");
    const broken = join(product.scratch, "broken-cli");
    writeFileSync(
      broken,
      `#!/bin/sh\necho "$*" >> "${starts}"\necho "first words" >&2\necho "The store is newer than this program." >&2\nexit 1\n`,
    );
    chmodSync(broken, 0o755);
    changeSettings(server, "Machine", { "augmentOrchestrator.serverPath": broken });
    await statusSays("Augment: reconnecting");
    await workbench.toast("The store is newer than this program.").waitFor();
    await statusSays("Augment: disconnected");
    assert.match(await workbench.status(statusItem).getAttribute("class"), /error/);
    const calls = readFileSync(starts, "utf8").trim().split("\n");
    assert.deepEqual(calls, Array(5).fill(`serve --stdio -C ${product.workspace}`));
    await workbench.tree("Queue").welcome.filter({ hasText: "There is no connection" }).waitFor();
    await workbench.screenshot("recovery-down");

    await workbench.pressToastButton("The store is newer than this program.", "Show Log");
    await workbench.page.locator(".part.panel .view-lines", { hasText: /first[\s\u00a0]words/ }).waitFor();

    // Repaired from outside; the button in the view is enough.
    writeFileSync(broken, `#!/bin/sh\nexec "${program}" "$@"\n`);
    await workbench.tree("Queue").welcome.locator(".monaco-button", { hasText: "Restart" }).click();
    await treeLives("Added after the repair");
  });

  test("a missing program is named with its path", async () => {
    const missing = join(product.scratch, "no-such-program");
    changeSettings(server, "Machine", { "augmentOrchestrator.serverPath": missing });
    await workbench.toast(`The program augment-cli was not found at "${missing}"`).waitFor();
    await statusSays("Augment: disconnected");
    const notExecutable = join(product.scratch, "plain-file");
    writeFileSync(notExecutable, "#!/bin/sh\n", { mode: 0o644 });
    changeSettings(server, "Machine", { "augmentOrchestrator.serverPath": notExecutable });
    await workbench.toast(`The program at "${notExecutable}" may not be executed.`).waitFor();
    changeSettings(server, "Machine", { "augmentOrchestrator.serverPath": "" });
    await treeLives("Added with the program inside the extension");
  });

  test("nothing went wrong in the window but what was broken here", () =>
    workbench.judge({ provoked: [/terminated unexpectedly/, /Augment Orchestrator is disconnected/] }));
});
