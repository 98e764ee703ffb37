// Making elements. Text is set as text: nothing in the panel is ever read as HTML.

export interface Made {
  class?: string;
  text?: string;
  title?: string;
  role?: string;
  id?: string;
  tabIndex?: number;
  hidden?: boolean;
  /** `aria-…` and `data-…`, without a value to leave one out. */
  attributes?: { readonly [name: string]: string | undefined };
  onClick?: (event: MouseEvent) => void;
}

export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  made: Made = {},
  ...children: (Node | undefined)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (made.class !== undefined) element.className = made.class;
  if (made.text !== undefined) element.textContent = made.text;
  if (made.title !== undefined) element.title = made.title;
  if (made.role !== undefined) element.setAttribute("role", made.role);
  if (made.id !== undefined) element.id = made.id;
  if (made.tabIndex !== undefined) element.tabIndex = made.tabIndex;
  if (made.hidden !== undefined) element.hidden = made.hidden;
  for (const [name, value] of Object.entries(made.attributes ?? {})) {
    if (value !== undefined) element.setAttribute(name, value);
  }
  const { onClick } = made;
  if (onClick !== undefined) element.addEventListener("click", (event) => onClick(event as MouseEvent));
  element.append(...children.filter((child) => child !== undefined));
  return element;
}

/** Sets a text only where it differs, so that a selection in it and what a screen reader reads are left alone. */
export function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

export function setAttribute(element: HTMLElement, name: string, value: string | undefined): void {
  if (value === undefined) element.removeAttribute(name);
  else if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/** The variable that a webview has for a colour of the theme: `charts.blue`. */
export function themeColor(name: string): string {
  return `var(--vscode-${name.replaceAll(".", "-")})`;
}

/** The innermost element that has the focus. */
export function focused(): HTMLElement | undefined {
  return document.activeElement instanceof HTMLElement ? document.activeElement : undefined;
}
