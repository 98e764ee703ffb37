// Keeps how unsaved texts came about over a reload of the window and a crash of the extension host, which they survive
// and we do not. What is kept speaks for the very text it was kept with: one that was changed since is not known.

import { createHash } from "node:crypto";
import type { Kept } from "../kept_file";
import type { SavedHow } from "../protocol.gen";
import { metUnsaved } from "./editing_trace";

export interface UnsavedWay {
  uri: string;
  text: string;
  how: SavedHow;
}

/** Of more texts than these, the way is not kept. */
const keptLimit = 100;

export class KeptWays {
  private readonly kept: Map<string, string>;

  constructor(private readonly file: Kept) {
    const stored = file.read();
    const entries = typeof stored === "object" && stored !== null ? Object.entries(stored) : [];
    this.kept = new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
  }

  /** How a text came about that was met unsaved. It is asked once: afterwards somebody else follows the text. */
  recall(uri: string, text: string): SavedHow {
    const kept = this.kept.get(uri);
    this.kept.delete(uri);
    return (["by-hand", "applied"] as const).find((how) => kept === entryOf(how, text)) ?? metUnsaved;
  }

  keep(ways: readonly UnsavedWay[]): void {
    this.file.write(
      Object.fromEntries(ways.slice(0, keptLimit).map(({ uri, text, how }) => [uri, entryOf(how, text)])),
    );
  }
}

function entryOf(how: SavedHow, text: string): string {
  return `${how} ${createHash("sha256").update(text).digest("hex")}`;
}
