// Whether somebody uses a folder: that is so from the moment that it has data, whoever had it made. The program is asked once
// where that would be; each look after that is one look at the disk, and starts nothing.

import { OneAtATime } from "./one_at_a_time";
import { isFolder } from "./sidecar";

/** A program that cannot say it is asked again after so long. */
const askAgainMs = 60_000;

export class UsedFolder {
  private data: string | undefined;
  private askNextMs = Number.NEGATIVE_INFINITY;
  private readonly looking = new OneAtATime(() => this.lookNow());

  constructor(
    /** Where its data is, or would be. */
    private readonly where: () => Promise<string>,
    private readonly nowMs: () => number,
  ) {}

  /** The answer is not older than the question. @returns nothing where that cannot be known now */
  look(): Promise<boolean | undefined> {
    return this.looking.run();
  }

  private async lookNow(): Promise<boolean | undefined> {
    if (this.data === undefined) {
      if (this.nowMs() < this.askNextMs) return undefined;
      this.askNextMs = this.nowMs() + askAgainMs;
      this.data = await this.where();
    }
    return isFolder(this.data);
  }
}
