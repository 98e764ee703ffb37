// What a person has said about sessions that ended and has not sent yet. Leaving the list throws nothing away: it is there
// when the list of that session opens again in this window, until the host has taken it. The oldest is forgotten first.

import type { CompleteSession } from "../protocol.gen";

/** What is to be added, as far as it has been said. */
export type Added = Required<Pick<CompleteSession, "artifacts" | "learnings" | "tags">> &
  Pick<CompleteSession, "rating" | "feedback" | "deliver">;

const limit = 20;

export class Unsent {
  private readonly kept = new Map<string, Added>();

  /** What was said about a session and not sent; nothing said is the beginning. */
  of(session: string): Added {
    return this.kept.get(session) ?? { artifacts: [], learnings: [], tags: [] };
  }

  keep(session: string, added: Added): void {
    this.kept.delete(session);
    if (!isSaid(added)) return;
    this.kept.set(session, added);
    for (const oldest of this.kept.keys()) {
      if (this.kept.size <= limit) break;
      this.kept.delete(oldest);
    }
  }

  /** The host has taken it. */
  sent(session: string): void {
    this.kept.delete(session);
  }

  has(session: string): boolean {
    return this.kept.has(session);
  }
}

function isSaid({ artifacts, learnings, tags, rating, feedback, deliver }: Added): boolean {
  const lists = [artifacts, learnings, tags];
  return lists.some(({ length }) => length > 0) || [rating, feedback, deliver].some((one) => one !== undefined);
}
