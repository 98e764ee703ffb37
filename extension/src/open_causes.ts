// Notifications that nobody asked for come one at a time for one cause: while one is open, what else there is to say about
// its cause stands in the status bar and in the views. Nothing is kept over a reload.

export class OpenCauses {
  private readonly open = new Set<string>();

  /** Shows it unless its cause is being told already. @returns what was pressed; nothing when it was not shown */
  async show<T>(cause: string, put: () => PromiseLike<T | undefined>): Promise<T | undefined> {
    if (this.open.has(cause)) return undefined;
    this.open.add(cause);
    try {
      return await put();
    } finally {
      this.open.delete(cause);
    }
  }
}
