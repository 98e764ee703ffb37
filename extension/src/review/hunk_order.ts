// The way through everything that waits, file by file and line by line. It knows an order and nothing else: what was
// skipped or decided is the round's.

import type { ChangedFile, Hunk } from "../protocol.gen";

export interface Stop {
  path: string;
  hunk: Hunk;
}

/** Where somebody is: a file, and a line of it as the host counts them. */
export interface Standpoint {
  path: string;
  line: number;
  /** The hunk that they stand on. Several may begin at one line, so the line alone does not name it. */
  hunk?: string;
}

export function stopsOf(files: readonly ChangedFile[]): Stop[] {
  return files.flatMap(({ path, hunks }) =>
    [...hunks].sort((one, other) => one.line - other.line).map((hunk) => ({ path, hunk })),
  );
}

/** Every stop but the one that somebody stands on: those that follow, then those before, each in order. */
export interface Around {
  ahead: Stop[];
  behind: Stop[];
}

/** @param from nothing means before the first */
export function around(stops: readonly Stop[], from: Standpoint | undefined): Around {
  if (from === undefined) return { ahead: [...stops], behind: [] };
  const at = stops.findIndex(({ hunk }) => hunk.id === from.hunk);
  if (at >= 0) return { ahead: stops.slice(at + 1), behind: stops.slice(0, at) };
  return {
    ahead: stops.filter((stop) => compare(stop, from) >= 0),
    behind: stops.filter((stop) => compare(stop, from) < 0),
  };
}

/**
 * Every stop that waits, around one that is done with. The order is the one from before, because a decision moves the lines
 * of what follows it; what has another id since is known by where it is.
 */
export function aroundDone(stops: readonly Stop[], before: readonly Stop[], done: Standpoint): Around {
  const ranks = new Map(before.map(({ hunk }, at) => [hunk.id, at]));
  const from = ranks.get(done.hunk ?? "");
  const isAhead = (stop: Stop) => {
    const rank = ranks.get(stop.hunk.id);
    return from !== undefined && rank !== undefined ? rank > from : compare(stop, done) >= 0;
  };
  const others = stops.filter(({ hunk }) => hunk.id !== done.hunk);
  return { ahead: others.filter(isAhead), behind: others.filter((stop) => !isAhead(stop)) };
}

/** The one before, in everything that waits and around the beginning. */
export function previousStop(stops: readonly Stop[], from: Standpoint | undefined): Stop | undefined {
  if (from === undefined) return stops.at(-1);
  const { ahead, behind } = around(stops, from);
  return behind.at(-1) ?? ahead.at(-1) ?? stops.at(-1);
}

function compare({ path, hunk }: Stop, from: Standpoint): number {
  if (path !== from.path) return path < from.path ? -1 : 1;
  return hunk.line - from.line;
}
