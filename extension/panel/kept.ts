// What pages keep over hide and reload besides what they show: what was typed and not sent, and what was unfolded. What another
// version kept is not trusted to have this one's form.

/** The fields of what was kept; none where it is something else. */
export function fieldsOf(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(typeof value === "object" && value !== null ? value : {}));
}

interface Draft {
  text: string;
  /** What it is an answer to, in words, for when that is there no more. */
  about: string;
}

/** Texts that were typed and not sent yet, by what they are for. */
export class Drafts {
  private readonly drafts: Map<string, Draft>;

  /** @param changed is called when there is something else to keep */
  constructor(
    kept: unknown,
    private readonly changed: () => void,
  ) {
    this.drafts = new Map(
      [...fieldsOf(kept)].flatMap(([name, value]) => draftsIn(value).map((draft) => [name, draft])),
    );
  }

  of(name: string): string {
    return this.drafts.get(name)?.text ?? "";
  }

  about(name: string): string {
    return this.drafts.get(name)?.about ?? "";
  }

  put(name: string, text: string, about: string): void {
    if (text === this.of(name)) return;
    if (text === "") this.drafts.delete(name);
    else this.drafts.set(name, { text, about });
    this.changed();
  }

  drop(name: string): void {
    this.put(name, "", "");
  }

  /** What the others are for: nobody can send them any more. */
  left(names: readonly string[]): string[] {
    return [...this.drafts.keys()].filter((name) => !names.includes(name));
  }

  toKeep(): object {
    return Object.fromEntries(this.drafts);
  }
}

function draftsIn(value: unknown): Draft[] {
  const fields = fieldsOf(value);
  const [text, about] = [fields.get("text"), fields.get("about")];
  return typeof text === "string" && typeof about === "string" ? [{ text, about }] : [];
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
