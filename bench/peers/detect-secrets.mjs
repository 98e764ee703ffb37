// detect-secrets by Yelp, from PyPI, as it comes: all its plugins and filters, without asking the services whether a secret is
// still good.

import { join } from "node:path";
import { pipPeer } from "../lib/pip-peer.mjs";
import { command } from "../lib/programs.mjs";

export const version = "1.5.0";

export class DetectSecrets {
  #program = join(pipPeer("detect-secrets", version), "detect-secrets");

  /** The files below a folder in which it finds something, with how much. */
  scan(folder) {
    const options = { cwd: folder, maxBuffer: 256 * 2 ** 20 };
    const { results } = JSON.parse(command(this.#program, ["scan", "--all-files", "--no-verify", "."], options));
    return new Map(Object.entries(results).map(([path, found]) => [path.replace(/^\.\//, ""), found.length]));
  }
}
