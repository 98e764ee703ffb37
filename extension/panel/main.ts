// Where the page begins in a webview of the editor: the only file that knows that it is in one.

import { speak, translationBy } from "../src/l10n";
import type { FromPage, ToPage } from "./messages";
import { PAGES } from "./pages";
import { Shell } from "./shell";
import { TEXTS_ID, textsIn } from "./texts";
import { keepBarsStill } from "./widgets/less_motion";

/** What a webview is given by the editor. */
declare function acquireVsCodeApi(): {
  postMessage(message: FromPage): void;
  getState(): unknown;
  setState(state: unknown): void;
};

const editor = acquireVsCodeApi();

const tooSoon = speak(translationBy(textsIn(document.getElementById(TEXTS_ID)?.textContent ?? "")));
if (tooSoon.length > 0) reportError(new Error(`Asked for before the language was known: ${tooSoon.join(" | ")}`));

keepBarsStill();
new Shell(
  document.body,
  {
    send: (message) => editor.postMessage(message),
    onMessage: (listener) => window.addEventListener("message", ({ data }: MessageEvent<ToPage>) => listener(data)),
    kept: () => editor.getState(),
    keep: (state) => editor.setState(state),
  },
  PAGES,
);
