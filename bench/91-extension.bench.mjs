// What the extension weighs and how long an editor waits for it: its bundle, the VSIX, and its activation in a real VS Code as
// the editor itself counts it, beside VS Code's own git extension in the same window.

import { execFileSync } from "node:child_process";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundleExtension } from "../scripts/steps/bundle.mjs";
import { limits } from "../scripts/steps/limits.mjs";
import { bundlePath, distDir } from "../scripts/steps/places.mjs";
import { ensureVsCodeServer } from "../scripts/steps/vscode-server.mjs";
import { packageVsix } from "../scripts/steps/vsix.mjs";
import { eventually } from "../tests/rig/eventually.mjs";
import { openWorkbench, serveVsCode } from "../tests/rig/workbench.mjs";
import { median } from "./lib/measure.mjs";
import { cli, folder, quick } from "./lib/places.mjs";
import { atMost, compare, finish, ms, report, under } from "./lib/table.mjs";

const rounds = quick ? 2 : 7;
const ours = "Augment Orchestrator";
const peer = "Git";

await bundleExtension();
const vsix = await packageVsix({ program: cli });
sizes();
await activations();
finish();

function sizes() {
  const { bytes: mostOfBundle, shown: bundleShown } = limits["the extension's bundle"];
  const { bytes: mostOfVsix, shown: vsixShown } = limits["the VSIX"];
  const [bundle, whole] = [statSync(bundlePath).size, statSync(vsix).size];
  const goal = (most, shown) => ({ ...atMost(most), text: `≤ ${shown}` });
  report("the extension's bundle", `${(bundle / 1024).toFixed(1)} kB`, bundle, goal(mostOfBundle, bundleShown));
  report("the VSIX with the program", `${(whole / 1e6).toFixed(1)} MB`, whole, goal(mostOfVsix, vsixShown));
  for (const [room, bytes] of rooms().slice(0, 5)) report(`in the bundle: ${room}`, `${(bytes / 1024).toFixed(1)} kB`);
}

/** What the bundle is made of, the largest first. */
function rooms() {
  const { outputs } = JSON.parse(readFileSync(join(distDir, "extension.meta.json"), "utf8"));
  const [{ inputs }] = Object.entries(outputs)
    .filter(([path]) => path.endsWith("main.js"))
    .map(([, output]) => output);
  const sums = new Map();
  for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
    const room = /^(node_modules\/[^/]+|extension\/src\/[^/]+(?=\/))/.exec(path)?.[0] ?? "extension/src";
    sums.set(room, (sums.get(room) ?? 0) + bytesInOutput);
  }
  return [...sums].sort(([, a], [, b]) => b - a);
}

async function activations() {
  await ensureVsCodeServer();
  const workspace = folder("workspace");
  // VS Code's git extension begins where there is a repository.
  execFileSync("git", ["init", "--quiet", workspace]);
  writeFileSync(join(workspace, "notes.txt"), "a file\n");
  const home = folder("augment");
  const figures = { [ours]: [], [peer]: [] };
  const server = await serveVsCode({ name: "bench-extension", workspace, vsix, env: { AUGMENT_HOME: home } });
  try {
    for (let round = 0; round < rounds; round += 1) {
      const times = await activationTimes(server);
      for (const name of [ours, peer]) figures[name].push(times.get(name));
    }
  } finally {
    await server.stop();
  }
  const [own, other] = [ours, peer].map((name) => median(figures[name]));
  const what = "activation as VS Code counts it";
  report(`${what}, median of ${rounds} windows`, ms(own), own, under(100, " ms"));
  compare(`${what}, against its own git extension`, ms(own), ms(other), other / Math.max(own, 1));
}

/** What `Developer: Show Running Extensions` tells of each that has been activated, in ms, by its name. */
async function activationTimes(server) {
  const workbench = await openWorkbench(server, { height: 2_400 });
  try {
    await workbench.status("augment-orchestrator.augment-orchestrator.status").waitFor();
    await workbench.palette("Developer: Show Running Extensions");
    const rows = workbench.page.locator(".runtime-extensions-editor .monaco-list-row");
    return await eventually("both extensions are listed with their times", async () => {
      const told = await rows.evaluateAll((all) =>
        all.map((row) => [
          row.querySelector(".name")?.textContent?.trim() ?? "",
          Number(/([\d.]+)\s*ms/.exec(row.querySelector(".activation-time")?.textContent ?? "")?.[1] ?? Number.NaN),
        ]),
      );
      const times = new Map(told.filter(([, time]) => !Number.isNaN(time)));
      return times.has(ours) && times.has(peer) ? times : undefined;
    });
  } finally {
    await workbench.close();
  }
}
