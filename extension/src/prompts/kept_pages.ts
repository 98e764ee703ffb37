// Texts of pages that are not asked for again, by key, with the oldest forgotten first. Pure.

const limit = 50;

export class KeptPages {
  private readonly pages = new Map<string, string>();
  private count = 0;

  /** @returns the key that it is known by */
  keep(text: string): string {
    this.count += 1;
    const key = String(this.count);
    this.pages.set(key, text);
    this.pages.delete(String(this.count - limit));
    return key;
  }

  of(key: string): string | undefined {
    return this.pages.get(key);
  }
}
