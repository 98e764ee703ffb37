// A search for what is being typed: one is under way at a time, an answer to what stands there no more is dropped, and the
// search for what stands there follows.

import { Coalesced } from "./coalesced";

const restMs = 50;

export interface Searched<A> {
  /** What stands there now. */
  typed(): string;
  ask(typed: string): Promise<A>;
  show(answer: A, typed: string): void;
  fail(error: unknown): void;
}

export class TypedSearch<A> {
  private readonly search: Coalesced;

  constructor(private readonly about: Searched<A>) {
    this.search = new Coalesced(() => this.searchNow(), restMs);
  }

  /** Something else stands there now. */
  changed(): void {
    this.search.ask();
  }

  dispose(): void {
    this.search.dispose();
  }

  private async searchNow(): Promise<void> {
    const { typed, ask, show, fail } = this.about;
    const asked = typed();
    try {
      const answer = await ask(asked);
      if (typed() === asked) show(answer, asked);
    } catch (error) {
      if (typed() === asked) fail(error);
    }
  }
}
