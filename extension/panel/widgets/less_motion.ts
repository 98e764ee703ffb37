// Whoever wants less motion sees none inside of the elements that we use, either: the style sheet does not reach in there.

import { VscodeScrollable } from "@vscode-elements/elements/dist/vscode-scrollable/vscode-scrollable.js";

const bars = ".scrollbar-thumb.visible, .scrollbar-thumb.fade";
const sheet = new CSSStyleSheet();
sheet.replaceSync(`
  @media (prefers-reduced-motion: reduce) {
    ${bars} { transition: none; }
  }
  :host-context(.vscode-reduce-motion) :is(${bars}) { transition: none; }
`);

/** To be called before the first is made. */
export function keepBarsStill(): void {
  VscodeScrollable.elementStyles.push(sheet);
}
