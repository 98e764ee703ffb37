// opencode's snapshot of a workspace, made by opencode itself from npm. It is given a home of its own and no network, so what it does
// is look at files.

import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { npmPeer, PeerMissing } from "../lib/npm-peer.mjs";
import { folder } from "../lib/places.mjs";
import { command } from "../lib/programs.mjs";
import { gitEnvironment } from "../lib/repository.mjs";

export const version = "1.18.33";
const limitMs = 300_000;

export class Opencode {
  #program;
  #environment;
  #isolated;
  /** Where it keeps its snapshots. */
  snapshots;

  constructor() {
    const name = `opencode-${process.platform}-${process.arch}`;
    this.#program = join(npmPeer(name, version), "node_modules", name, "bin", "opencode");
    if (!existsSync(this.#program)) throw new PeerMissing("the package holds no program");
    const home = folder("opencode");
    this.#environment = { ...gitEnvironment, HOME: home };
    for (const [variable, place] of Object.entries({
      XDG_DATA_HOME: "data",
      XDG_CONFIG_HOME: "config",
      XDG_CACHE_HOME: "cache",
      XDG_STATE_HOME: "state",
    }))
      this.#environment[variable] = join(home, place);
    for (const what of ["MODELS_FETCH", "AUTOUPDATE", "DEFAULT_PLUGINS", "LSP_DOWNLOAD"])
      this.#environment[`OPENCODE_DISABLE_${what}`] = "1";
    this.snapshots = join(home, "data", "opencode", "snapshot");
    mkdirSync(this.snapshots, { recursive: true });
    // Only root may take a program's network away.
    this.#isolated = process.getuid() === 0 ? ["unshare", "--net"] : [];
  }

  snapshot(workspace) {
    const [program, ...args] = [...this.#isolated, this.#program, "debug", "snapshot", "track"];
    try {
      const said = command(program, args, { cwd: workspace, env: this.#environment, timeout: limitMs });
      if (!/^[0-9a-f]{40}$/m.test(said)) throw new Error(`it named no snapshot: ${said}`);
    } catch (error) {
      throw new PeerMissing(error.message.split("\n")[0].slice(0, 160));
    }
  }
}
