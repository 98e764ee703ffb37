// What classic Cline and Roo do to be able to go back: a git repository of their own, elsewhere, over the same files. Before a
// session and after each turn everything is added and committed. Written afresh from the commands they run.

import { command } from "../lib/programs.mjs";
import { gitEnvironment } from "../lib/repository.mjs";

const limitMs = 400_000;

export class ShadowRepository {
  #environment;
  #workspace;

  constructor(workspace, folder) {
    this.#workspace = workspace;
    this.#environment = { ...gitEnvironment, GIT_DIR: folder, GIT_WORK_TREE: workspace };
  }

  begin() {
    this.#git("init", "--quiet");
    this.#git("config", "gc.auto", "0");
    this.#git("config", "maintenance.auto", "false");
  }

  /** Everything as it is now, as a commit. */
  snapshot() {
    this.#git("add", "-A", "--ignore-errors");
    this.#git("commit", "--quiet", "--no-verify", "--allow-empty", "-m", "checkpoint");
  }

  #git(...args) {
    command("git", args, { cwd: this.#workspace, env: this.#environment, timeout: limitMs });
  }
}
