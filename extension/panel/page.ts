// What a page of the panel is, and what it is given. A page draws what it fetches and keeps nothing else; the shell says
// when it is looked at and when something that it shows has moved.

import type { Part } from "../src/protocol.gen";
import type { Host } from "./host";
import type { PageId } from "./messages";

export interface PageContext {
  host: Host;
  /** Said by screen readers, and seen by nobody. */
  say(text: string): void;
  /** What the page kept last; nothing at the first start. It may be of an older version, so look before you use it. */
  kept: unknown;
  /** Keeps it over hide and reload. Small values only. */
  keep(state: unknown): void;
  /** Shows another page. */
  goTo(page: PageId): void;
  /** Fetches and draws anew, soon. */
  refresh(): void;
}

export interface Page {
  readonly element: HTMLElement;
  /** Fetches what is shown and draws it. What it throws is shown with a button to try again. */
  refresh(): Promise<void>;
  /** Called about every second while the page is looked at, for texts that tell how long ago something was. */
  tick?(): void;
  /** Shows what is about this; what it names is the page's own affair. */
  showAbout?(about: string): void;
  /** Puts the keyboard where work goes on. */
  focus?(): void;
}

export interface PageKind {
  id: PageId;
  /** A getter: the language is known once the page begins. */
  readonly label: string;
  /** A codicon. */
  icon: string;
  /** What must move for the page to be fetched anew. */
  parts: readonly Part[];
  make(context: PageContext): Page;
}
