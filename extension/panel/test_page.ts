// A page for unit tests: as much of a document as the panel's own code uses, without layout. Rows are 20 pixels high and every
// element shows 200 of them; what is really seen is tested in tests/vscode.

import assert from "node:assert/strict";
import type { Page, PageContext, PageKind } from "./page";

const rowHeight = 20;
const viewHeight = 200;

type Listener = (event: object) => void;

class PlainElement {
  [name: string]: unknown;
  readonly children: PlainElement[] = [];
  parentElement: PlainElement | null = null;
  className = "";
  hidden = false;
  scrollTop = 0;
  readonly dataset: { [name: string]: string } = {};
  readonly style = { setProperty() {} };
  private readonly attributes = new Map<string, string>();
  private readonly listeners = new Map<string, Set<Listener>>();
  private ownText = "";

  constructor(readonly tagName: string) {}

  get clientHeight(): number {
    return viewHeight;
  }

  get clientWidth(): number {
    return 0;
  }

  get offsetHeight(): number {
    return this.classes().includes("row-probe") ? rowHeight : viewHeight;
  }

  get textContent(): string {
    return this.ownText + this.children.map(({ textContent }) => textContent).join("");
  }

  set textContent(text: string) {
    this.replaceChildren();
    this.ownText = text;
  }

  get classList() {
    const put = (names: Iterable<string>) => {
      this.className = [...new Set(names)].join(" ");
    };
    return {
      add: (...names: string[]) => put([...this.classes(), ...names]),
      remove: (...names: string[]) => put(this.classes().filter((name) => !names.includes(name))),
      toggle: (name: string, isWanted: boolean) =>
        put(isWanted ? [...this.classes(), name] : this.classes().filter((one) => one !== name)),
      contains: (name: string) => this.classes().includes(name),
    };
  }

  get firstElementChild(): PlainElement | null {
    return this.children[0] ?? null;
  }

  get nextElementSibling(): PlainElement | null {
    const beside = this.parentElement?.children ?? [];
    return beside[beside.indexOf(this) + 1] ?? null;
  }

  get childElementCount(): number {
    return this.children.length;
  }

  setAttribute(name: string, value: string): void {
    this.attributes.set(name, value);
  }

  getAttribute(name: string): string | null {
    return this.attributes.get(name) ?? null;
  }

  removeAttribute(name: string): void {
    this.attributes.delete(name);
  }

  append(...added: PlainElement[]): void {
    for (const child of added) this.insertBefore(child, null);
  }

  prepend(...added: PlainElement[]): void {
    const first = this.firstElementChild;
    for (const child of added) this.insertBefore(child, first);
  }

  insertBefore(child: PlainElement, at: PlainElement | null): void {
    child.remove();
    this.children.splice(at === null ? this.children.length : this.children.indexOf(at), 0, child);
    child.parentElement = this;
  }

  replaceChildren(...added: PlainElement[]): void {
    this.ownText = "";
    for (const child of [...this.children]) child.remove();
    this.append(...added);
  }

  remove(): void {
    const beside = this.parentElement?.children;
    beside?.splice(beside.indexOf(this), 1);
    this.parentElement = null;
    // What leaves the page does not keep the keyboard.
    if (this.contains(plainDocument.activeElement)) plainDocument.activeElement = plainDocument.body;
  }

  contains(other: PlainElement | null): boolean {
    for (let at = other; at !== null; at = at.parentElement) if (at === this) return true;
    return false;
  }

  /** @param selector tags, classes and attributes with a value; `,` and a blank between several */
  matches(selector: string): boolean {
    return selector.split(",").some((one) => this.matchesOne(one.match(/(\[[^\]]*\]|\S)+/g) ?? []));
  }

  closest(selector: string): PlainElement | null {
    return this.matches(selector) ? this : (this.parentElement?.closest(selector) ?? null);
  }

  querySelectorAll(selector: string): PlainElement[] {
    return this.children.flatMap((child) => [
      ...(child.matches(selector) ? [child] : []),
      ...child.querySelectorAll(selector),
    ]);
  }

  querySelector(selector: string): PlainElement | null {
    return this.querySelectorAll(selector)[0] ?? null;
  }

  addEventListener(type: string, listener: Listener): void {
    const known = this.listeners.get(type) ?? new Set();
    this.listeners.set(type, known.add(listener));
  }

  focus(): void {
    if (plainDocument.activeElement === this) return;
    plainDocument.activeElement = this;
    this.fire("focus", {}, false);
    this.fire("focusin", {});
  }

  click(): void {
    this.fire("click", { detail: 1 });
  }

  fire(type: string, fields: object, isRising = true): void {
    let isStopped = false;
    const stopPropagation = () => {
      isStopped = true;
    };
    const event = { type, target: this, stopPropagation, preventDefault() {}, ...fields };
    for (let at: PlainElement | null = this; at !== null && !isStopped; at = isRising ? at.parentElement : null)
      for (const listener of at.listeners.get(type) ?? []) listener(event);
  }

  private classes(): string[] {
    return this.className.split(/\s+/).filter((name) => name !== "");
  }

  /** The last part is this element, those before are somewhere around it. */
  private matchesOne(parts: readonly string[]): boolean {
    const [own = "", ...around] = [...parts].reverse();
    if (own === ">") return this.matchesOne(around.reverse());
    if (!this.matchesPart(own)) return false;
    return around.length === 0 || (this.parentElement?.isWithin(around.reverse()) ?? false);
  }

  private isWithin(parts: readonly string[]): boolean {
    return this.matchesOne(parts) || (this.parentElement?.isWithin(parts) ?? false);
  }

  private matchesPart(part: string): boolean {
    return [...part.matchAll(/([.#]?)([\w-]+)|\[([\w-]+)="([^"]*)"\]/g)].every(([, sign, name = "", key, value]) => {
      if (key !== undefined) return this.getAttribute(key) === value;
      if (sign === ".") return this.classes().includes(name);
      return sign === "#" ? this.id === name : this.tagName === name;
    });
  }
}

const plainDocument = {
  body: new PlainElement("body"),
  documentElement: new PlainElement("html"),
  activeElement: null as PlainElement | null,
  visibilityState: "visible",
  createElement: (tag: string) => new PlainElement(tag),
  querySelector: (selector: string) => plainDocument.body.querySelector(selector),
  addEventListener() {},
  removeEventListener() {},
};

class NothingSeen {
  observe() {}
  disconnect() {}
}

/** Makes the page that the code under test draws in. @returns its body */
export function makePage(): HTMLElement {
  plainDocument.body = new PlainElement("body");
  plainDocument.activeElement = plainDocument.body;
  Object.assign(globalThis, {
    document: plainDocument,
    HTMLElement: PlainElement,
    Element: PlainElement,
    Node: PlainElement,
    ResizeObserver: NothingSeen,
    MutationObserver: NothingSeen,
  });
  return plainDocument.body as unknown as HTMLElement;
}

/** Something that a person does with an element. */
export function fire(element: Element, type: string, fields: object = {}): void {
  (element as unknown as PlainElement).fire(type, fields);
}

/** The only element that has this and this text. */
export function found(root: Element, selector: string, text = ""): HTMLElement {
  const all = [...root.querySelectorAll<HTMLElement>(selector)].filter((one) => one.textContent?.includes(text));
  const [only] = all;
  assert.ok(only !== undefined && all.length === 1, `${selector} ${text}`);
  return only;
}

/** What the host answers, by the name of what it is asked. */
export interface Answers {
  readonly [method: string]: (params: object) => unknown;
}

export interface OpenedPage {
  page: Page;
  /** What was kept last. */
  kept(): unknown;
  said: string[];
  acts: { action: string; params: object }[];
  /** Answers the action at this place; until then it is under way. */
  answer(at: number, isDone: boolean): Promise<void>;
  /** The clock goes on. */
  later(ms: number): void;
}

/** A page in a panel of its own, fetched once. */
export async function openPage(kind: PageKind, answers: Answers, kept?: unknown): Promise<OpenedPage> {
  const body = makePage();
  let keptNow = kept;
  let now = 1_000_000;
  const said: string[] = [];
  const acts: OpenedPage["acts"] = [];
  const waiting: ((isDone: boolean) => void)[] = [];
  const read = async (method: string, params: object) => answers[method]?.(params);
  const act = (action: string, params: object) => {
    acts.push({ action, params });
    return new Promise<boolean>((resolve) => waiting.push(resolve));
  };
  const page: Page = kind.make({
    host: { read, call: read, act, now: () => now } as unknown as PageContext["host"],
    say: (text) => said.push(text),
    kept,
    // As the editor does: what cannot be written down is not kept.
    keep: (state) => {
      keptNow = JSON.parse(JSON.stringify(state));
    },
    goTo() {},
    refresh: () => void page.refresh(),
  });
  body.append(page.element as unknown as Node);
  await page.refresh();
  return {
    page,
    kept: () => keptNow,
    said,
    acts,
    answer: async (at, isDone) => {
      waiting[at]?.(isDone);
      await settled();
    },
    later: (ms) => {
      now += ms;
    },
  };
}

/** Lets everything go on that waits for nothing but its turn. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
}
