// What the person was told already, kept over reloads in a file of the extension's. VS Code's own memory is written a
// while later, and a window that is reloaded before that would tell everything again.

import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { messageOf } from "../refusal";
import { Told } from "./told_once";

export class ToldFile {
  private readonly told: Told;

  /** @param path nothing where there is no place for it; then it is known until the window closes */
  constructor(
    private readonly path: string | undefined,
    private readonly complain: (message: string) => void,
  ) {
    this.told = new Told(path === undefined ? [] : keysIn(path));
  }

  /** Those whose key is new. Their keys are known from then on. */
  onlyNew<T>(things: readonly T[], key: (thing: T) => string): T[] {
    const fresh = things.filter((thing) => this.told.isFirst(key(thing)));
    if (fresh.length > 0 && this.path !== undefined) this.write(this.path);
    return fresh;
  }

  private write(path: string): void {
    try {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(`${path}.new`, JSON.stringify(this.told.keys));
      renameSync(`${path}.new`, path);
    } catch (error) {
      this.complain(`What was told could not be kept, so it may be told again: ${messageOf(error)}`);
    }
  }
}

/** A file that is not there, or holds something else, holds nothing. */
function keysIn(path: string): string[] {
  try {
    const kept: unknown = JSON.parse(readFileSync(path, "utf8"));
    return Array.isArray(kept) ? kept.filter((key): key is string => typeof key === "string") : [];
  } catch {
    return [];
  }
}
