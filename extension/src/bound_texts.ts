// What documents without a file are for, by their names, remembered over a reload as VS Code remembers their texts. VS Code
// gives names anew, so a document that merely bears a name that was remembered is for nothing.

import type { Kept } from "./kept_file";

export class BoundTexts<T> {
  private readonly bound: Map<string, T>;
  /** Remembered, and not seen open yet: VS Code may bring such a text back a while after its tabs. */
  private readonly awaited: Set<string>;
  private hasLooked = false;

  /** @param purposeIn what is remembered for a name, or undefined where it is not that */
  constructor(
    private readonly kept: Kept,
    purposeIn: (value: unknown) => T | undefined,
  ) {
    const stored = kept.read();
    const entries = typeof stored === "object" && stored !== null ? Object.entries(stored) : [];
    this.bound = new Map();
    for (const [name, value] of entries) {
      const purpose = purposeIn(value);
      if (purpose !== undefined) this.bound.set(name, purpose);
    }
    this.awaited = new Set(this.bound.keys());
  }

  get names(): string[] {
    return [...this.bound.keys()];
  }

  get(name: string): T | undefined {
    return this.bound.get(name);
  }

  /** The name of the document that is for this. */
  nameOf(isMeant: (purpose: T) => boolean): string | undefined {
    return [...this.bound].find(([, purpose]) => isMeant(purpose))?.[0];
  }

  bind(name: string, purpose: T): void {
    this.bound.set(name, purpose);
    this.awaited.delete(name);
    this.write();
  }

  /** Which documents had a tab when the window had its tabs for the first time. */
  firstTabs(open: ReadonlySet<string>): void {
    if (this.hasLooked) return;
    this.hasLooked = true;
    for (const name of open) this.awaited.delete(name);
  }

  /** A document was opened. One that is brought back has the text that was typed; one that is new is empty. */
  opened(name: string, text: string): boolean {
    if (!this.awaited.delete(name) || text !== "") return false;
    return this.forget([name]);
  }

  /** Tabs of these documents were closed, and have no other. */
  closed(names: Iterable<string>): boolean {
    return this.forget(names);
  }

  private forget(names: Iterable<string>): boolean {
    const forgotten = [...names].filter((name) => this.bound.delete(name));
    for (const name of forgotten) this.awaited.delete(name);
    if (forgotten.length > 0) this.write();
    return forgotten.length > 0;
  }

  private write(): void {
    this.kept.write(Object.fromEntries(this.bound));
  }
}
