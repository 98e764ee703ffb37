// The way through everything that waits, file by file and line by line, in both directions and around the end.

import type { ChangedFile, Hunk } from "../protocol.gen";

export interface Stop {
  path: string;
  hunk: Hunk;
}

/** Where somebody is: a file, and a line of it as the host counts them. */
export interface Standpoint {
  path: string;
  line: number;
}

export function stopsOf(files: readonly ChangedFile[]): Stop[] {
  return files.flatMap(({ path, hunks }) =>
    [...hunks].sort((one, other) => one.line - other.line).map((hunk) => ({ path, hunk })),
  );
}

/** @param from nothing means before the first */
export function nextStop(stops: readonly Stop[], from: Standpoint | undefined): Stop | undefined {
  if (from === undefined) return stops[0];
  return stops.find((stop) => compare(stop, from) > 0) ?? stops[0];
}

export function previousStop(stops: readonly Stop[], from: Standpoint | undefined): Stop | undefined {
  if (from === undefined) return stops.at(-1);
  return stops.findLast((stop) => compare(stop, from) < 0) ?? stops.at(-1);
}

function compare({ path, hunk }: Stop, from: Standpoint): number {
  if (path !== from.path) return path < from.path ? -1 : 1;
  return hunk.line - from.line;
}
