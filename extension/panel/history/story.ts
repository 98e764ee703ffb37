// Fetching a story: the newest page first, older ones as they are needed, and what is new in front. Of a file the steps of its
// content are told, all at once; what is not looked for is left out there, and by the sidecar elsewhere.

import type { AskTimeline, TimelinePoint } from "../../src/protocol.gen";
import type { Host } from "../host";
import { laneId } from "./lanes";
import { GROUPS, type Moment, pointMoment, stepMoment, type Who } from "./moment";
import type { Wanted } from "./scope";

const pageSize = 500;
/** Pages that are asked for in a row when nothing of them is looked for. */
const emptyPages = 40;
/** So many points are kept; of a longer story the oldest are left out, and that is told. */
export const MOST_MOMENTS = 100_000;
/** Of what is new so many pages are fetched before it is told anew as a whole. */
const newPages = 4;

export class Story {
  /** Newest first. */
  moments: readonly Moment[] = [];
  isWhole = false;
  /** There are older ones, which are not kept. */
  isCut = false;
  private newest = 0;
  private next: number | null = null;
  /** What is fetched is fetched one after the other, each from where the one before has led. */
  private turn: Promise<unknown> = Promise.resolve();
  private isOlderWanted = false;

  constructor(
    private readonly host: Host,
    readonly wanted: Wanted,
    /** The author that is looked for, where it is one. */
    private readonly who: Who | undefined,
  ) {}

  /** Fetches what is not there yet in front; everything at first. */
  refresh(): Promise<void> {
    const { scope } = this.wanted;
    return this.inTurn(() => (scope.kind === "file" ? this.fetchFile(scope.file) : this.fetchNewer()));
  }

  /** Fetches older points. @returns whether more is known now: further points, or that there are none */
  async fetchOlder(): Promise<boolean> {
    if (this.isOlderWanted) return false;
    this.isOlderWanted = true;
    try {
      return await this.inTurn(() => this.older());
    } finally {
      this.isOlderWanted = false;
    }
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.turn.then(work);
    this.turn = done.catch(() => {});
    return done;
  }

  private async fetchNewer(): Promise<void> {
    if (this.newest === 0) return this.begin();
    const fresh: Moment[] = [];
    let { newest } = this;
    let after: number | null = newest;
    for (let page = 0; page < newPages && after !== null; page += 1) {
      const { points, next, revision } = await this.read({ after });
      fresh.push(...this.among(points));
      newest = next ?? revision;
      after = next;
    }
    if (after !== null) return this.begin();
    // Together, so that what is not there is asked for again.
    this.newest = newest;
    if (fresh.length > 0) this.keep([...fresh.reverse(), ...this.moments], this.next);
  }

  private async begin(): Promise<void> {
    const { points, next, revision } = await this.read({});
    this.moments = [];
    this.isCut = false;
    this.newest = revision;
    this.take(points, next);
    if (this.moments.length === 0) await this.older();
  }

  private async older(): Promise<boolean> {
    for (let page = 0; page < emptyPages && this.next !== null; page += 1) {
      const { points, next } = await this.read({ before: this.next });
      if (this.take(points, next) > 0 || this.isWhole) return true;
    }
    return false;
  }

  /** @returns how many of them are looked for */
  private take(points: readonly TimelinePoint[], next: number | null): number {
    const found = this.among(points);
    this.keep([...this.moments, ...found], next);
    return found.length;
  }

  private keep(moments: readonly Moment[], next: number | null): void {
    this.isCut ||= moments.length > MOST_MOMENTS || (moments.length === MOST_MOMENTS && next !== null);
    this.moments = moments.slice(0, MOST_MOMENTS);
    this.next = this.isCut ? null : next;
    this.isWhole = this.next === null;
  }

  /** Those that are looked for. The sidecar cannot be asked for whom it knows no name of, only for all of their kind. */
  private among(points: readonly TimelinePoint[]): Moment[] {
    const { who } = this;
    const found = points.map(pointMoment);
    return who === undefined ? found : found.filter((moment) => laneId(moment.who) === laneId(who));
  }

  private read(where: Pick<AskTimeline, "before" | "after">) {
    const { scope, group } = this.wanted;
    const kinds = GROUPS.find((known) => known.group === group)?.kinds;
    const name = this.who?.known ?? null;
    return this.host.read("augment/timeline", {
      ...where,
      limit: pageSize,
      ...(scope.kind === "session" ? { session: scope.session } : {}),
      ...(kinds === undefined ? {} : { kinds: [...kinds] }),
      ...(this.who === undefined || this.who.kind === "before" ? {} : { who: this.who.kind }),
      ...(name === null ? {} : { name }),
    });
  }

  private async fetchFile(file: string): Promise<void> {
    const { path, steps, more } = await this.host.read("augment/changes/history", { path: file });
    const { group } = this.wanted;
    this.moments = steps
      .map((step) => stepMoment(path, step))
      .filter((moment) => group === "all" || moment.group === group)
      .filter(({ who }) => this.who === undefined || laneId(who) === laneId(this.who))
      .reverse();
    this.isWhole = true;
    this.isCut = more;
  }
}
