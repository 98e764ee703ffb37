// What pages keep over hide and reload besides what they show: what was typed and not sent, and what was unfolded. What another
// version kept is not trusted to have this one's form.

/** The fields of what was kept; none where it is something else. */
export function fieldsOf(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(typeof value === "object" && value !== null ? value : {}));
}

/** Texts that were typed and not sent yet, by what they are for. */
export class Drafts {
  private readonly texts: Map<string, string>;

  /** @param changed is called when there is something else to keep */
  constructor(
    kept: unknown,
    private readonly changed: () => void,
  ) {
    const isText = (entry: [string, unknown]): entry is [string, string] => typeof entry[1] === "string";
    this.texts = new Map([...fieldsOf(kept)].filter(isText));
  }

  of(name: string): string {
    return this.texts.get(name) ?? "";
  }

  put(name: string, text: string): void {
    if (text === this.of(name)) return;
    if (text === "") this.texts.delete(name);
    else this.texts.set(name, text);
    this.changed();
  }

  /** What the others are for: nobody can send them any more. */
  left(names: readonly string[]): string[] {
    return [...this.texts.keys()].filter((name) => !names.includes(name));
  }

  toKeep(): object {
    return Object.fromEntries(this.texts);
  }
}

/** What is unfolded, by its name. */
export class Unfolded {
  private readonly names: Set<string>;

  constructor(
    kept: unknown,
    private readonly changed: () => void,
  ) {
    this.names = new Set((Array.isArray(kept) ? kept : []).filter((name) => typeof name === "string"));
  }

  has(name: string): boolean {
    return this.names.has(name);
  }

  put(name: string, isOpen: boolean): void {
    if (isOpen === this.has(name)) return;
    if (isOpen) this.names.add(name);
    else this.names.delete(name);
    this.changed();
  }

  keepOnly(names: readonly string[]): void {
    for (const name of [...this.names]) if (!names.includes(name)) this.put(name, false);
  }

  toKeep(): string[] {
    return [...this.names];
  }
}

/** Keeps how a `details` stands, and opens it where it was left open. */
export function keepOpen(details: HTMLDetailsElement, unfolded: Unfolded, name: string): void {
  details.open = unfolded.has(name);
  details.addEventListener("toggle", () => unfolded.put(name, details.open));
}
