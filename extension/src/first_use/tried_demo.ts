// Whether this person has tried the demo, for the walkthrough's tick: in whichever window, and after whichever reload. A mark in
// the extension's own folder, since the demo is in another window than the walkthrough that led to it.

import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { DemoStage } from "../protocol.gen";

export class TriedDemo {
  constructor(private readonly path: string) {}

  get isTried(): boolean {
    return existsSync(this.path);
  }

  note(): void {
    if (this.isTried) return;
    mkdirSync(dirname(this.path), { recursive: true });
    writeFileSync(this.path, "");
  }
}

/** Who has only opened it has not tried it: its first step is the person's own. */
export function isBegun(stage: DemoStage): boolean {
  return stage !== "start" && stage !== "confirm";
}
