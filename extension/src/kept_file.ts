// Something small that outlives a reload of the window, as JSON in a file of the extension's. VS Code's own memory is written
// a while later, and a window that is reloaded before that has lost it.

import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { messageOf } from "./refusal";

/** Something that is read once and written whole. */
export interface Kept {
  /** What was written last, whatever it is; undefined where there is nothing that can be read. */
  read(): unknown;
  /** @returns whether it is kept */
  write(value: unknown): boolean;
}

export class KeptFile implements Kept {
  private written: string | undefined;

  /** @param path nothing where there is no place for it; then nothing is kept */
  constructor(
    readonly path: string | undefined,
    private readonly complain: (reason: string) => void,
  ) {}

  read(): unknown {
    if (this.path === undefined) return undefined;
    try {
      return JSON.parse(readFileSync(this.path, "utf8"));
    } catch {
      // There is no file yet, or it holds something else.
      return undefined;
    }
  }

  write(value: unknown): boolean {
    if (this.path === undefined) return false;
    const json = JSON.stringify(value);
    if (json === this.written) return true;
    try {
      mkdirSync(dirname(this.path), { recursive: true });
      writeFileSync(`${this.path}.new`, json);
      renameSync(`${this.path}.new`, this.path);
    } catch (error) {
      this.complain(messageOf(error));
      return false;
    }
    this.written = json;
    return true;
  }
}
