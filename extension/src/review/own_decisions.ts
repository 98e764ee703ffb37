// The decisions that were made in this window, which undoing takes back without a question, newest first. Pure.

/** More nobody takes back one by one. */
const kept = 200;

export class OwnDecisions {
  private ids: string[] = [];

  /** Made here, or made again. */
  made(id: string): void {
    this.ids = [...this.ids.filter((known) => known !== id), id].slice(-kept);
  }

  /** The newest, once: whoever presses twice means the one before it, too. */
  take(): string | undefined {
    return this.ids.pop();
  }

  /** By whatever way. */
  undone(id: string): void {
    this.ids = this.ids.filter((known) => known !== id);
  }
}
