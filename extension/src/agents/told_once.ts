// What the person was told already, by key, with the oldest forgotten first.

const limit = 500;

export class Told {
  private readonly known: Set<string>;

  constructor(keys: readonly string[]) {
    this.known = new Set(keys);
  }

  /** Whether the key is new; it is known from then on. */
  isFirst(key: string): boolean {
    if (this.known.has(key)) return false;
    this.known.add(key);
    for (const oldest of this.known) {
      if (this.known.size <= limit) break;
      this.known.delete(oldest);
    }
    return true;
  }

  get keys(): string[] {
    return [...this.known];
  }
}
