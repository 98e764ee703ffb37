// How long to wait before the sidecar is started again, and when to stop trying. It reads no clock.

const firstDelayMs = 250;
const longestDelayMs = 10_000;
const healthyMs = 60_000;
const failuresInARow = 5;

export class Backoff {
  private failures = 0;

  /**
   * The sidecar ended after having worked for `workedMs`.
   * @returns how long to wait before the next try, or nothing when trying again would not help
   */
  afterFailure(workedMs: number): number | undefined {
    if (workedMs >= healthyMs) this.failures = 0;
    this.failures += 1;
    if (this.failures >= failuresInARow) return undefined;
    return Math.min(firstDelayMs * 2 ** (this.failures - 1), longestDelayMs);
  }
}
