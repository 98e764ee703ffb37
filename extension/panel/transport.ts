// How messages travel between the page and its host, and where the page keeps what it wants to find again. The page is
// given one of these and knows nothing of what is behind it.

import type { FromPage, ToPage } from "./messages";

export interface Transport {
  send(message: FromPage): void;
  onMessage(listener: (message: ToPage) => void): void;
  /** What was kept last, from before the page was hidden or the window reloaded; nothing at the first start. */
  kept(): unknown;
  keep(state: unknown): void;
}
