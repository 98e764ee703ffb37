// One round of review: what this window has decided and skipped since the last summary, beside what the host says still
// waits. It counts and orders; what a decision does, and whether it is allowed, the host says. What others decide or
// undo meanwhile is counted right without a word from here: what waits is not done, whatever was decided about it, and what
// is decided after that was not decided here.

import type { Verdict } from "../protocol.gen";
import { holdOf } from "./held_words";
import { type Around, around, aroundDone, type Standpoint, type Stop } from "./hunk_order";

/** A hunk that is skipped comes again once, at the end; skipped then, too, it stays for another time. */
const skipsThatLeave = 2;

/**
 * How a step goes on: further on, back to what was passed over in the file, around the end, to what was skipped, or nowhere
 * because it is the only one left.
 */
export type Turn = "on" | "back" | "around" | "again" | "only";

export interface Step {
  stop: Stop;
  turn: Turn;
}

/** `7 of 23` */
export interface Place {
  at: number;
  of: number;
}

export interface Tally {
  approved: number;
  rejected: number;
  /** Those that were skipped and still wait. */
  skipped: Stop[];
  /** Those that wait and were not skipped; none when the review is done. */
  left: number;
  /** Files in which something was decided or skipped. */
  files: number;
  /** Those that went with a change which this window had logged and taken out. */
  takenOut: number;
  /** Those that waited in this round and are gone without a decision of this window's. */
  elsewhere: number;
  /** Newest last. */
  decisions: string[];
}

interface Entry {
  verdict: Verdict;
  path: string;
  decision: string;
  /** Seen to wait no more. Before that, what is seen to wait may be from before the decision. */
  isGone: boolean;
}

export class ReviewRound {
  private waiting: Stop[] = [];
  /** More than `waiting` where the host tells of more than it lists. */
  private waitingCount = 0;
  private readonly met = new Set<string>();
  private readonly decided = new Map<string, Entry>();
  /** Those that wait again: what comes of them then may be somebody else's doing. */
  private readonly undone = new Map<string, Entry>();
  /** Those that were logged and taken out, and whether they were seen to wait no more. */
  private readonly takenOut = new Map<string, { isGone: boolean }>();
  private readonly skips = new Map<string, number>();

  /**
   * What waits now.
   * @param count of all that waits, also of what is not among the stops
   */
  see(stops: readonly Stop[], count = stops.length): void {
    const open = stops.filter(({ hunk }) => !(hunk.standing === "half-approved" && this.decided.has(hunk.id)));
    this.waiting = open;
    this.waitingCount = Math.max(open.length, count - (stops.length - open.length));
    // What went before anything was decided here is not missed at the end.
    if (!this.hasBegun && this.undone.size === 0) this.met.clear();
    for (const { hunk } of open) this.met.add(hunk.id);
    const waits = new Set(open.map(({ hunk }) => hunk.id));
    for (const [id, entry] of this.decided) {
      if (!waits.has(id)) entry.isGone = true;
      else if (entry.isGone) {
        this.decided.delete(id);
        this.undone.set(id, entry);
      }
    }
    for (const [id, entry] of this.takenOut) {
      if (!waits.has(id)) entry.isGone = true;
      else if (entry.isGone) this.takenOut.delete(id);
    }
  }

  /** What is left to come to, in order. A first approval of two is done for whoever gave it. */
  get stops(): readonly Stop[] {
    return this.waiting;
  }

  /** Something was decided or skipped in it. */
  get hasBegun(): boolean {
    return this.decided.size > 0 || this.skips.size > 0;
  }

  /** Nothing is left to come to. */
  get isOver(): boolean {
    return (
      this.waitingCount <= this.waiting.length && this.waiting.every((stop) => this.skipsOf(stop) >= skipsThatLeave)
    );
  }

  decide(decision: string, verdict: Verdict, hunks: readonly Stop[]): void {
    for (const { path, hunk } of hunks) this.decided.set(hunk.id, { verdict, path, decision, isGone: false });
  }

  /**
   * What was decided in this round and undone is decided again.
   * @param before the stops from before that; what waits now has been seen
   */
  redo(decision: string, before: readonly Stop[]): void {
    const waits = new Set(this.waiting.map(({ hunk }) => hunk.id));
    for (const stop of before) {
      const undone = this.undone.get(stop.hunk.id);
      if (undone !== undefined && !waits.has(stop.hunk.id)) this.decide(decision, undone.verdict, [stop]);
    }
  }

  /** These were logged and taken out, which is the answer to a flag, and no decision of the review. */
  takeOut(hunks: readonly Stop[]): void {
    for (const { hunk } of hunks) this.takenOut.set(hunk.id, { isGone: false });
  }

  skip(hunk: string): void {
    this.skips.set(hunk, (this.skips.get(hunk) ?? 0) + 1);
  }

  /** Where a hunk is in the whole of the round; nothing when it does not wait. */
  placeOf(hunk: string): Place | undefined {
    const at = this.waiting.findIndex((stop) => stop.hunk.id === hunk);
    const done = this.doneCount;
    return at < 0 ? undefined : { at: done + at + 1, of: done + this.waitingCount };
  }

  /**
   * The way of whoever only looks. Who begins it meets what can be decided at once, and what has to be answered after that.
   * @returns nothing when all that is left was skipped twice
   */
  next(from: Standpoint | undefined): Step | undefined {
    const ordinary = from === undefined && this.waiting.find((stop) => this.isFresh(stop) && !isHeld(stop));
    if (ordinary) return { stop: ordinary, turn: "on" };
    return this.freshOne(around(this.waiting, from)) ?? this.oneAgain(around(this.waiting, from), from);
  }

  /**
   * Where to go once `done` is decided or skipped: through the rest of its file, to what was passed over in it, and then on.
   * @param before the stops from before that
   */
  nextAfter(before: readonly Stop[], done: Standpoint): Step | undefined {
    const all = aroundDone(this.waiting, before, done);
    const isHere = ({ path }: Stop) => path === done.path;
    const here = this.freshOne({ ahead: all.ahead.filter(isHere), behind: all.behind.filter(isHere) });
    if (here !== undefined) return here.turn === "around" ? { ...here, turn: "back" } : here;
    return this.freshOne(all) ?? this.oneAgain(all, done);
  }

  tally(): Tally {
    const waits = new Set(this.waiting.map(({ hunk }) => hunk.id));
    const standing = [...this.decided].filter(([id]) => !waits.has(id)).map(([, entry]) => entry);
    const skipped = this.waiting.filter((stop) => this.skipsOf(stop) > 0);
    const files = new Set([...standing, ...skipped].map(({ path }) => path));
    const gone = [...this.met].filter((id) => !waits.has(id) && !this.decided.has(id));
    const takenOut = gone.filter((id) => this.takenOut.has(id)).length;
    return {
      approved: standing.filter(({ verdict }) => verdict === "approve").length,
      rejected: standing.filter(({ verdict }) => verdict === "reject").length,
      skipped,
      left: this.waitingCount - skipped.length,
      files: files.size,
      takenOut,
      elsewhere: gone.length - takenOut,
      decisions: [...new Set(standing.map(({ decision }) => decision))],
    };
  }

  private get doneCount(): number {
    const waits = new Set(this.waiting.map(({ hunk }) => hunk.id));
    return [...this.decided.keys()].filter((id) => !waits.has(id)).length;
  }

  private freshOne({ ahead, behind }: Around): Step | undefined {
    const isFresh = (stop: Stop) => this.isFresh(stop);
    const following = ahead.find(isFresh);
    if (following !== undefined) return { stop: following, turn: "on" };
    const first = behind.find(isFresh);
    return first && { stop: first, turn: "around" };
  }

  private oneAgain({ ahead, behind }: Around, from: Standpoint | undefined): Step | undefined {
    const comesAgain = (stop: Stop) => !this.isFresh(stop) && this.skipsOf(stop) < skipsThatLeave;
    // Who is among the skipped ones already goes on there; who comes to them begins with the first.
    const following = this.skips.has(from?.hunk ?? "") ? ahead.find(comesAgain) : undefined;
    if (following !== undefined) return { stop: following, turn: "on" };
    const again = [...behind, ...ahead].find(comesAgain);
    if (again !== undefined) return { stop: again, turn: "again" };
    const here = this.waiting.find(({ hunk }) => hunk.id === from?.hunk);
    return here !== undefined && this.skipsOf(here) < skipsThatLeave ? { stop: here, turn: "only" } : undefined;
  }

  private isFresh(stop: Stop): boolean {
    return this.skipsOf(stop) === 0;
  }

  private skipsOf({ hunk }: Stop): number {
    return this.skips.get(hunk.id) ?? 0;
  }
}

/** It cannot be approved before something about it is answered. */
function isHeld({ hunk }: Stop): boolean {
  return holdOf(hunk, "approve") !== undefined;
}
