// `npm start`: from a fresh clone to the product open on a demo workspace, in the person's own VS Code when `code` is
// on the PATH, else in a VS Code served to a browser on this machine, behind a password.

import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { buildVsix } from "./steps/build-all.mjs";
import { findProgram, mustRun } from "./steps/command.mjs";
import { ensureDemoWorkspace } from "./steps/demo-workspace.mjs";
import { main, StepFailed } from "./steps/failure.mjs";
import { openInBrowser } from "./steps/open-in-browser.mjs";
import { cacheDir, cliPath } from "./steps/places.mjs";
import { paint, say, step } from "./steps/progress.mjs";
import { serveVsCode } from "./steps/serve-vscode.mjs";
import { ensureVsCodeServer } from "./steps/vscode-server.mjs";

const usage = `npm start -- [options]

  --port N      serve VS Code on this port of 127.0.0.1 (a free one by default)
  --no-open     do not open an editor or a browser window
  --browser     serve VS Code to a browser even when \`code\` is on the PATH
  --demo DIR    keep the demo workspace in this folder
  --help        print this`;

const firstStep = "open the Augment view in the activity bar and click the first step of Demo";

await main(async () => {
  const options = readOptions();
  if (options.help) return say(usage);
  say(`${paint("bold", "Augment Orchestrator")}\n`);
  const code = options.browser ? undefined : findProgram("code");
  const vsix = await bothOf(buildVsix(), code ? undefined : ensureVsCodeServer());
  const workspace = await ensureDemoWorkspace(join(options.demo, "lantern"));
  return code ? openInVsCode(code, vsix, workspace, options) : serveToBrowser(vsix, workspace, options);
});

/** Waits for both, also when one fails, so that nothing goes on behind the failure message. */
async function bothOf(first, second) {
  const [result, other] = await Promise.allSettled([first, second]);
  for (const { status, reason } of [result, other]) if (status === "rejected") throw reason;
  return result.value;
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        port: { type: "string" },
        "no-open": { type: "boolean", default: false },
        browser: { type: "boolean", default: false },
        demo: { type: "string", default: join(cacheDir, "demo") },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    const port = values.port === undefined ? undefined : Number(values.port);
    if (port !== undefined && !(Number.isInteger(port) && port > 0 && port < 65536)) {
      throw new Error(`--port ${values.port} is not a port; give a number from 1 to 65535.`);
    }
    return { ...values, port, open: !values["no-open"], demo: resolve(values.demo) };
  } catch (error) {
    throw new StepFailed(`${error.message}\n\n${usage}`);
  }
}

async function openInVsCode(code, vsix, workspace, { open }) {
  await step("Install the extension into VS Code", () =>
    mustRun(code, ["--install-extension", vsix, "--force"], {
      explain:
        "VS Code refused the extension; its words are above. `npm start -- --browser` does without your VS Code.",
    }).then(() => undefined),
  );
  if (open) await mustRun(code, [workspace], { explain: "VS Code did not open; its words are above." });
  say(
    `\n${paint("green", open ? "Open in VS Code:" : "Ready. Open it with:")} ${open ? workspace : `code ${workspace}`}`,
  );
  say(`${paint("dim", "There:")} ${firstStep}`);
  say(`In a terminal:   cd ${workspace} && PATH="${dirname(cliPath)}:$PATH" augment-cli queue list\n`);
}

async function serveToBrowser(vsix, workspace, { port, open, demo }) {
  const password = randomBytes(12).toString("base64url");
  const folder = join(demo, "vscode");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Listened for from before the server is there, so that a Ctrl-C while it starts does not leave it behind.
  const stop = new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => resolve(signal));
  });
  let server;
  await step("Start VS Code", async () => {
    const settings = { "workbench.startupEditor": "readme" };
    // So that the program is at hand in its terminal, too.
    const env = { PATH: [dirname(cliPath), process.env.PATH].join(delimiter) };
    server = await serveVsCode({ folder, workspace, vsix, password, port, settings, env });
  });
  try {
    tellOfServer(server.address, password, workspace, open);
    if (open) openInBrowser(server.address);
    const ended = await Promise.race([stop, server.exited.then(() => undefined)]);
    if (ended === undefined)
      throw new StepFailed(`VS Code ended by itself; its log is ${server.logPath}. Run \`npm start\` again.`);
    say();
  } finally {
    // Whatever went wrong here, it is not left behind.
    await step("Stop VS Code", () => server.stop());
  }
}

function tellOfServer(address, password, workspace, open) {
  say(
    [
      "",
      `  ${paint("bold", open ? "Augment Orchestrator opens in your browser" : "Augment Orchestrator is ready: open its address in a browser")}`,
      "",
      `  Address    ${paint("cyan", address)}`,
      `  Password   ${paint("cyan", password)}`,
      `  Then       ${firstStep}`,
      `  Workspace  ${workspace}`,
      `  Terminal   cd ${workspace} && PATH="${dirname(cliPath)}:$PATH" augment-cli queue list`,
      "",
      `  ${paint("dim", "Only this machine can reach it. Press Ctrl-C to stop it and the demo's host.")}`,
      "",
    ].join("\n"),
  );
}
