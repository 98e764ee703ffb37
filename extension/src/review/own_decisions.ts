// The decisions that were made in this window, which undoing takes back without a question, newest first. One that is on its
// way counts from the moment that it was sent: whoever undoes then means that one, and not the one before it. Pure.

/** More nobody takes back one by one. */
const kept = 200;

/** A decision, from when it is sent. */
export interface Own {
  /** Nothing while it is on its way, and where nothing came of it. */
  id: string | undefined;
}

export class OwnDecisions {
  private all: Own[] = [];
  /** Over once everything is that was begun so far. */
  private underWay: Promise<unknown> = Promise.resolve();

  /** Made here, or made again. */
  made(id: string): void {
    this.keep({ id });
  }

  /** Sends a decision and does what follows from it, which `inTurn` waits for. @param send says its id once it is made */
  async send<T>(send: (made: (id: string) => void) => Promise<T>): Promise<T> {
    const own: Own = { id: undefined };
    this.keep(own);
    try {
      return await this.begun(
        send((id) => {
          own.id = id;
        }),
      );
    } finally {
      if (own.id === undefined) this.all = this.all.filter((known) => known !== own);
    }
  }

  /** Does something after all that was begun before it: it is about what came of that. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.begun(this.underWay.then(work));
  }

  /** The newest, once: whoever presses twice means the one before it, too. */
  take(): Own | undefined {
    return this.all.pop();
  }

  /** By whatever way. */
  undone(id: string): void {
    this.all = this.all.filter((known) => known.id !== id);
  }

  private keep(own: Own): void {
    this.all = [...this.all.filter(({ id }) => id === undefined || id !== own.id), own].slice(-kept);
  }

  private begun<T>(work: Promise<T>): Promise<T> {
    this.underWay = Promise.allSettled([this.underWay, work]);
    return work;
  }
}
