// `npm start` for real: it serves VS Code with the extension on a demo workspace, behind a password, to this machine
// only, and Ctrl-C leaves nothing of it. Built outputs and the installed VS Code are reused; the demo is a fresh one.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { manifest, root } from "../../scripts/steps/places.mjs";
import { endTree, environmentOf, marked } from "../../scripts/steps/process-tree.mjs";
import { launchChromium, openPage } from "../rig/chromium.mjs";
import { eventually } from "../rig/eventually.mjs";
import { driveWorkbench } from "../rig/workbench.mjs";

const mark = "AUGMENT_START_TEST";
const setUpLimitMs = 5 * 60_000;

/** Starts `npm start` as a terminal would: in a process group of its own, which a Ctrl-C reaches whole. */
function npmStart(args, env = {}) {
  const id = randomUUID();
  const child = spawn("npm", ["start", "--", ...args], {
    cwd: root,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env, NODE_TEST_CONTEXT: undefined, [mark]: id },
  });
  const started = { output: "", code: undefined };
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      started.output += text;
    });
  }
  const exited = new Promise((resolve) => child.on("close", (code) => resolve(code)));
  exited.then((code) => {
    started.code = code;
  });
  return Object.assign(started, {
    exited,
    /** Ctrl-C. npm itself then reports the signal as its own end, so what is asked is whether the script got to its end. */
    async interrupt() {
      process.kill(-child.pid, "SIGINT");
      await exited;
      assert.match(started.output, /✓ Stop VS Code/);
    },
    processes: () => marked(mark, id),
    end: () => endTree(child.pid, { alsoMarked: [mark, id] }),
    /** Waits for words in the output; an early end is a failure that shows what was said. */
    async says(pattern) {
      await eventually(
        `npm start says ${pattern}`,
        () => pattern.test(started.output) || started.code !== undefined,
        Boolean,
        setUpLimitMs,
      );
      assert.match(started.output, pattern);
      return started.output.match(pattern)[1];
    },
  });
}

describe("npm start without VS Code on the PATH", () => {
  const scratch = mkdtempSync(join(tmpdir(), "aug-start-"));
  const demo = join(scratch, "demo");
  const workspace = join(demo, "lantern");
  const filesOfServer = (pattern) =>
    readdirSync(join(demo, "vscode"), { recursive: true })
      .filter((name) => pattern.test(name))
      .map((name) => join(demo, "vscode", name));
  let started;
  let address;
  let password;
  let browser;

  before(async () => {
    mkdirSync(join(scratch, "home"));
    started = npmStart(["--no-open", "--browser", "--demo", demo], { AUGMENT_HOME: join(scratch, "home") });
    address = await started.says(/Address\s+(http:\/\/127\.0\.0\.1:\d+)/);
    password = await started.says(/Password\s+(\S+)/);
    browser = await launchChromium();
  });

  after(async () => {
    await browser?.close();
    await started?.end();
    rmSync(scratch, { recursive: true, force: true });
  });

  test("listens on 127.0.0.1 and on no other address", async () => {
    const { port } = new URL(address);
    assert.deepEqual(listeningAddresses(Number(port)), ["127.0.0.1"]);
    const others = Object.values(networkInterfaces()).flat();
    for (const { address: other, family, internal } of others.filter((one) => one.family === "IPv4" && !one.internal)) {
      await assert.rejects(fetch(`http://${other}:${port}/healthz`), undefined, `${family} ${other} ${internal}`);
    }
  });

  test("keeps the password to its owner, and out of logs, arguments and environments", () => {
    assert.ok(password.length >= 16);
    const [config] = filesOfServer(/config\.yaml$/);
    assert.ok(readFileSync(config, "utf8").includes(password));
    assert.equal(statSync(config).mode & 0o777, 0o600);
    const logs = filesOfServer(/\.log$/);
    assert.ok(logs.length > 0);
    for (const log of logs) assert.equal(readFileSync(log, "utf8").includes(password), false, log);
    assert.equal(started.output.split(password).length, 2, "it is printed once");
    const running = started.processes();
    assert.ok(running.length > 0);
    for (const { pid, command } of running) {
      assert.equal(command.includes(password), false, `the arguments of ${pid}`);
      assert.equal(
        environmentOf(pid).some((variable) => variable.includes(password)),
        false,
        `the environment of ${pid}`,
      );
    }
  });

  test("refuses a wrong password", async () => {
    const tab = await openPage(browser);
    await tab.page.goto(address);
    await logIn(tab.page, "not-the-password");
    await tab.page.locator(".error", { hasText: /incorrect password/i }).waitFor();
    assert.equal(await tab.page.locator(".monaco-workbench").count(), 0);
    const bare = await fetch(`${address}/?folder=${encodeURIComponent(workspace)}`, { redirect: "manual" });
    assert.equal(bare.status, 302);
    assert.match(bare.headers.get("location"), /login/);
    // The page that asks is code-server's own: what axe-core has against it is not ours to mend.
    await tab.watching.judge();
    await tab.close();
  });

  test("shows the demo workspace with the extension alive in it", async () => {
    const tab = await openPage(browser);
    await tab.page.goto(address);
    await logIn(tab.page, password);
    const workbench = driveWorkbench(tab, browser);
    await workbench.ready();
    await workbench.explorerFile("PROJECT_PLAN.md").waitFor();
    const { publisher, name } = manifest();
    const status = workbench.status(`${publisher}.${name}.status`);
    await status.waitFor();
    await workbench.webview("A very small notes server");
    await workbench.screenshot("start");
    await workbench.judge();
    await tab.close();
  });

  test("Ctrl-C ends everything that was started", async () => {
    assert.ok(started.processes().length > 2);
    await started.interrupt();
    assert.deepEqual(started.processes(), []);
    assert.deepEqual(filesOfServer(/config\.yaml$/), [], "the password is gone too");
  });

  test("a second start keeps the workspace and its queue", async () => {
    writeFileSync(join(workspace, "mine.txt"), "mine\n");
    const again = npmStart(["--no-open", "--browser", "--demo", demo], { AUGMENT_HOME: join(scratch, "home") });
    try {
      await again.says(/(5) items in its queue/);
      await again.says(/Address\s+(\S+)/);
      assert.notEqual(await again.says(/Password\s+(\S+)/), password);
      assert.equal(readFileSync(join(workspace, "mine.txt"), "utf8"), "mine\n");
      await again.interrupt();
      assert.deepEqual(again.processes(), []);
    } finally {
      await again.end();
    }
  });
});

test("npm start uses the VS Code on the PATH", async () => {
  const scratch = mkdtempSync(join(tmpdir(), "aug-start-"));
  const calls = join(scratch, "calls");
  const bin = join(scratch, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "code"), `#!/bin/sh\nprintf '%s\\n' "$*" >> "${calls}"\n`);
  chmodSync(join(bin, "code"), 0o755);
  const started = npmStart(["--demo", join(scratch, "demo")], {
    AUGMENT_HOME: join(scratch, "home"),
    PATH: `${bin}${delimiter}${process.env.PATH}`,
  });
  try {
    assert.equal(await started.exited, 0, started.output);
    const [install, open] = readFileSync(calls, "utf8").trim().split("\n");
    assert.match(install, /^--install-extension \S+\.vsix --force$/);
    assert.equal(open, join(scratch, "demo", "lantern"));
  } finally {
    await started.end();
    rmSync(scratch, { recursive: true, force: true });
  }
});

test("npm start says when its port is taken", async () => {
  const scratch = mkdtempSync(join(tmpdir(), "aug-start-"));
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address();
  const started = npmStart(["--no-open", "--browser", "--demo", join(scratch, "demo"), "--port", String(port)], {
    AUGMENT_HOME: join(scratch, "home"),
  });
  try {
    assert.equal(await started.exited, 1);
    assert.match(started.output, new RegExp(`Port ${port} is taken by another program`));
    assert.deepEqual(started.processes(), []);
  } finally {
    await started.end();
    other.close();
    rmSync(scratch, { recursive: true, force: true });
  }
});

test("npm start explains a bad option", async () => {
  const started = npmStart(["--port", "http"]);
  assert.equal(await started.exited, 1);
  assert.match(started.output, /--port http is not a port; give a number from 1 to 65535\./);
});

async function logIn(page, password) {
  await page.locator("input[type=password]").fill(password);
  await page.locator("input[type=submit]").click();
}

/** The local addresses of the sockets that listen on `port`, as the kernel lists them. */
function listeningAddresses(port) {
  const listening = "0A";
  const hexPort = port.toString(16).toUpperCase().padStart(4, "0");
  return ["/proc/net/tcp", "/proc/net/tcp6"]
    .filter((path) => existsSync(path))
    .flatMap((path) => readFileSync(path, "utf8").trim().split("\n").slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => state === listening && local.endsWith(`:${hexPort}`))
    .map(([, local]) => readableAddress(local.split(":")[0]));
}

function readableAddress(hex) {
  const isIpv4 = hex.length === 8;
  return isIpv4
    ? hex
        .match(/../g)
        .reverse()
        .map((byte) => Number.parseInt(byte, 16))
        .join(".")
    : hex;
}
