// Work that is asked for often and done once: the first request starts it at once, those that come while it runs or
// rests lead to one more run. However fast the requests come, it runs at most once in `restMs`, and the last is served.

import type { Disposable } from "vscode";

export class Coalesced implements Disposable {
  private running = false;
  private wanted = false;
  private disposed = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly work: () => Promise<void>,
    private readonly restMs: number,
  ) {}

  ask(): void {
    this.wanted = true;
    if (!this.running && this.timer === undefined) this.begin();
  }

  /** Nobody waits for it. What fails because the window closes is nobody's fault; anything else VS Code tells of. */
  private begin(): void {
    this.run().catch((error: unknown) => {
      if (!this.disposed) throw error;
    });
  }

  private async run(): Promise<void> {
    if (this.disposed || !this.wanted) return;
    this.wanted = false;
    this.running = true;
    try {
      await this.work();
    } finally {
      this.running = false;
      this.timer = setTimeout(() => {
        this.timer = undefined;
        this.begin();
      }, this.restMs);
    }
  }

  dispose(): void {
    this.disposed = true;
    clearTimeout(this.timer);
  }
}
