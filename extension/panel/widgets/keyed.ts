// Children of an element, one for each item: those that stay are brought up to date where they are, so that the focus and
// what was typed in them is kept.

import { focused } from "../dom";

export interface Keyed<T> {
  key(item: T): string;
  make(item: T): HTMLElement;
  update(element: HTMLElement, item: T): void;
}

export function showKeyed<T>(parent: HTMLElement, items: readonly T[], { key, make, update }: Keyed<T>): void {
  const had = focused();
  const before = new Map<string, HTMLElement>();
  for (const child of parent.children) {
    if (child instanceof HTMLElement && child.dataset.key !== undefined) before.set(child.dataset.key, child);
  }
  let at = parent.firstElementChild;
  for (const item of items) {
    const name = key(item);
    let element = before.get(name);
    before.delete(name);
    if (element === undefined) {
      element = make(item);
      element.dataset.key = name;
    }
    update(element, item);
    if (element === at) at = at.nextElementSibling;
    else parent.insertBefore(element, at);
  }
  for (const gone of before.values()) gone.remove();
  if (had !== undefined && had !== focused() && parent.contains(had)) had.focus({ preventScroll: true });
}
