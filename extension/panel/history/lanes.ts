// The lanes of a timeline: one for each person and agent, one each for version control, the orchestrator itself and what nobody
// knows. Who was seen first comes first within its kind; a lane keeps its colour as long as the story is the same.

import { type Who, whoOf } from "./moment";

export interface Lane {
  id: string;
  name: string;
  who: Who;
  /** A colour of the theme. */
  color: string;
}

/** More authors than this share the last lane. */
export const LANES = 8;

const order: readonly Who["kind"][] = ["person", "agent", "vcs", "host", "unknown", "before"];
const agentColors = ["charts.green", "charts.purple", "charts.orange", "charts.yellow", "charts.red"] as const;

export class Lanes {
  private readonly known = new Map<string, Lane>();
  private agents = 0;

  /** Takes note of who is there. @returns whether somebody is new */
  see(authors: Iterable<Who>): boolean {
    const before = this.known.size;
    for (const who of authors) {
      const id = laneId(who);
      if (!this.known.has(id)) this.known.set(id, { id, name: who.name, who, color: this.colorOf(who.kind) });
    }
    return this.known.size > before;
  }

  /** Everybody, in the order of the lanes. */
  all(): Lane[] {
    return [...this.known.values()].sort((a, b) => order.indexOf(a.who.kind) - order.indexOf(b.who.kind));
  }

  /** The lane that somebody is drawn in, counted from 0. */
  placeOf(who: Who): number {
    const at = this.all().findIndex(({ id }) => id === laneId(who));
    return Math.min(Math.max(at, 0), LANES - 1);
  }

  colorFor(who: Who): string {
    return this.known.get(laneId(who))?.color ?? "foreground";
  }

  private colorOf(kind: Who["kind"]): string {
    if (kind === "person") return "charts.blue";
    if (kind !== "agent") return kind === "unknown" ? "editorWarning.foreground" : "descriptionForeground";
    this.agents += 1;
    return agentColors[(this.agents - 1) % agentColors.length] ?? agentColors[0];
  }
}

/** The same in every language, so that it can be kept. */
export function laneId({ kind, known }: Who): string {
  return `${kind}:${known ?? ""}`;
}

/** Who a lane is of; nothing where that cannot be understood. */
export function whoOfLane(lane: string): Who | undefined {
  const [kind, ...known] = lane.split(":");
  const found = (["person", "agent", "vcs", "host", "unknown"] as const).find((one) => one === kind);
  return found && whoOf(found, known.join(":") || null);
}
