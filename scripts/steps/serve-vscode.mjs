// Starts the installed VS Code server on 127.0.0.1 with an extension in it, and ends it with everything it started.
// All it writes is in the folder it is given. The password is never an argument, an environment variable or a log line.

import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { run } from "./command.mjs";
import { StepFailed } from "./failure.mjs";
import { descendants, endTree, marked } from "./process-tree.mjs";
import { serverEnvironment } from "./server-environment.mjs";
import { installedVsCodeServer } from "./vscode-server.mjs";

/** Every process the server starts carries this, so that those which detach themselves are found too. */
const mark = "AUGMENT_VSCODE_RUN";
const pollMs = 25;
const startLimitMs = 60_000;

/** A quiet editor: nothing phones home, nothing pops up, nothing is written unasked. */
const quietSettings = {
  "telemetry.telemetryLevel": "off",
  "update.mode": "none",
  "extensions.autoUpdate": false,
  "extensions.autoCheckUpdates": false,
  "extensions.ignoreRecommendations": true,
  "workbench.enableExperiments": false,
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  "workbench.welcomePage.walkthroughs.openOnInstall": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "chat.disableAIFeatures": true,
  "window.restoreWindows": "none",
  "files.autoSave": "off",
  "git.autofetch": false,
  "git.openRepositoryInParentFolders": "never",
  "remote.autoForwardPorts": false,
  "npm.autoDetect": "off",
  "npm.fetchOnlinePackageInfo": false,
  "json.schemaDownload.enable": false,
  "typescript.disableAutomaticTypeAcquisition": true,
  "js/ts.tsserver.automaticTypeAcquisition.enabled": false,
};

/** Settings that VS Code reads only from those of the machine, since its server counts as a remote one. */
const ofMachine = ["workbench.welcomePage.walkthroughs.openOnInstall"];

/**
 * @param {object} options
 * @param {string} options.folder where settings, extensions, logs and the config with the password are kept
 * @param {string} options.workspace the folder to open
 * @param {string} [options.vsix] the extension to install; without it the person does that
 * @param {string} [options.password] asked for at the door; without it there is no door
 * @param {number} [options.port] a free one is taken when this is not given
 * @param {Record<string, unknown>} [options.settings] on top of the quiet ones
 * @param {Record<string, string>} [options.env] reaches the extension host
 * @param {boolean} [options.enforceTrust] a folder is not trusted until the person says so
 * @param {number} [options.reconnectionGraceSeconds] how long an extension host waits for a window that went away
 */
export async function serveVsCode(options) {
  const { folder, workspace, vsix, password, port = 0, settings = {}, enforceTrust = false } = options;
  const { node, entry } = installedVsCodeServer();
  const runId = randomUUID();
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const runFolder = mkdtempSync(join(folder, "run-"));
  const logPath = join(runFolder, "server.log");
  const configPath = writeConfig(runFolder, password);
  writeSettings(folder, { ...quietSettings, "security.workspace.trust.enabled": enforceTrust, ...settings });

  const env = serverEnvironment(process.env, { ...options.env, [mark]: runId });
  const places = [
    ...["--config", configPath],
    ...["--user-data-dir", join(folder, "data")],
    ...["--extensions-dir", join(folder, "extensions")],
  ];
  if (vsix !== undefined) await installExtension(node, [entry, ...places], vsix, env);

  const log = openSync(logPath, "w");
  const child = spawn(
    node,
    [
      entry,
      ...places,
      ...["--bind-addr", `127.0.0.1:${port}`],
      "--disable-telemetry",
      "--disable-update-check",
      "--disable-getting-started-override",
      ...["--app-name", "Augment Orchestrator"],
      ...["--welcome-text", "Use the password that npm start printed."],
      ...(enforceTrust ? [] : ["--disable-workspace-trust"]),
      ...(options.reconnectionGraceSeconds === undefined
        ? []
        : ["--reconnection-grace-time", String(options.reconnectionGraceSeconds)]),
      workspace,
    ],
    // Its own group, so that a Ctrl-C in the terminal reaches us alone and we end the tree in order.
    { cwd: folder, env, stdio: ["ignore", log, log], detached: true },
  );
  closeSync(log);
  const exited = new Promise((resolve) => child.on("exit", (code, signal) => resolve(signal ?? code)));

  const server = {
    workspace,
    folder,
    logPath,
    pid: child.pid,
    /** Resolves with the exit code or signal when the server ends, whoever ended it. */
    exited,
    address: "",
    /** All live processes of the server, also those that detached themselves. */
    processes() {
      const all = new Map([...descendants(child.pid), ...marked(mark, runId)].map((one) => [one.pid, one]));
      return [...all.values()];
    },
    /** @param {{ detached?: "end" | "keep" }} [how] what becomes of processes that detached themselves */
    async stop({ detached = "end" } = {}) {
      await endTree(child.pid, detached === "end" ? { alsoMarked: [mark, runId] } : {});
      await exited;
      rmSync(configPath, { force: true });
    },
  };
  try {
    server.address = await listening(child, logPath);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return server;
}

function writeConfig(folder, password) {
  const path = join(folder, "config.yaml");
  const lines = password === undefined ? ["auth: none"] : ["auth: password", `password: ${JSON.stringify(password)}`];
  writeFileSync(path, `${lines.join("\n")}\ncert: false\n`, { mode: 0o600, flag: "wx" });
  return path;
}

/** A person's own settings of an earlier run stay as they are. */
function writeSettings(folder, settings) {
  const write = (whose, content) => {
    const place = join(folder, "data", whose);
    mkdirSync(place, { recursive: true });
    const path = join(place, "settings.json");
    if (!existsSync(path)) writeFileSync(path, `${JSON.stringify(content, undefined, 2)}\n`);
  };
  write("User", settings);
  write("Machine", Object.fromEntries(ofMachine.map((name) => [name, settings[name]])));
}

async function installExtension(node, args, vsix, env) {
  const { code, output } = await run(node, [...args, "--install-extension", vsix, "--force"], { env });
  if (code !== 0) throw new StepFailed(`VS Code refused the extension ${vsix}; its words are above.`, output);
}

/** The address is taken from the server's own log, so a port of 0 needs no guess; then it must answer. */
async function listening(child, logPath) {
  for (const end = Date.now() + startLimitMs; Date.now() < end; await pause(pollMs)) {
    const log = existsSync(logPath) ? readFileSync(logPath, "utf8") : "";
    if (child.exitCode !== null || child.signalCode !== null) {
      const taken = log.match(/EADDRINUSE.*127\.0\.0\.1:(\d+)/)?.[1];
      if (taken) throw new StepFailed(`Port ${taken} is taken by another program. Give another with --port, or none.`);
      throw new StepFailed("The VS Code server ended while starting; its log is above.", log);
    }
    const address = log.match(/HTTP server listening on (http:\/\/127\.0\.0\.1:\d+)/)?.[1];
    if (address && (await answers(`${address}/healthz`))) return address;
  }
  throw new StepFailed(`The VS Code server did not answer within ${startLimitMs / 1000} s; see ${logPath}.`);
}

async function answers(url) {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
}
