// Fetching that is asked for often and done once at a time: whoever asks while it runs leads to one more run. After each it
// rests, longer where it took long, so that a queue that moves all the time leaves the page free for the person.

const leastRestMs = 100;
const mostRestMs = 2_000;

export class Refetch {
  private isRunning = false;
  private isWanted = false;
  /** Somebody waits for it: it does not rest before. */
  private isUrgent = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly work: () => Promise<void>) {}

  ask(): void {
    this.isWanted = true;
    if (!this.isRunning && this.timer === undefined) void this.run();
  }

  /** What is asked for is done at once, or as soon as what is under way is done; it waits for no rest. */
  askNow(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.isUrgent = this.isRunning;
    this.ask();
  }

  private async run(): Promise<void> {
    if (!this.isWanted) return;
    this.isWanted = false;
    this.isRunning = true;
    const began = performance.now();
    try {
      await this.work();
    } finally {
      this.isRunning = false;
      const rest = Math.max(leastRestMs, Math.min(mostRestMs, 2 * (performance.now() - began)));
      if (this.isUrgent) this.askNow();
      else
        this.timer = setTimeout(() => {
          this.timer = undefined;
          void this.run();
        }, rest);
    }
  }
}
