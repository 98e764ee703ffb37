// The demos that this person has opened with the command and that have not begun yet, in a file of the extension's: the
// window that opens them is another one, and VS Code's own memory may reach it too late.

import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

const kept = 20;

export class OpenedDemos {
  constructor(private readonly path: string) {}

  has(folder: string): boolean {
    return this.read().includes(folder);
  }

  add(folder: string): void {
    this.write([...this.read().filter((known) => known !== folder), folder].slice(-kept));
  }

  /** @returns whether it was among them; from now on it is not */
  take(folder: string): boolean {
    const known = this.read();
    if (!known.includes(folder)) return false;
    this.write(known.filter((other) => other !== folder));
    return true;
  }

  /** A file that is not there, or holds something else, holds nothing. */
  private read(): string[] {
    try {
      const content: unknown = JSON.parse(readFileSync(this.path, "utf8"));
      return Array.isArray(content) ? content.filter((one): one is string => typeof one === "string") : [];
    } catch {
      return [];
    }
  }

  private write(folders: string[]): void {
    mkdirSync(dirname(this.path), { recursive: true });
    writeFileSync(`${this.path}.new`, JSON.stringify(folders));
    renameSync(`${this.path}.new`, this.path);
  }
}
