// What of the editor's surroundings goes to the host with whatever is written to the history or pushed, so that commits are
// made and signed as the person's own would be. No other variable leaves the editor.

import { PASSED_ON } from "../protocol.gen";

/** Of the editor's own surroundings, what a commit or a push needs. Nothing else is sent. */
export function passedEnvironment(surroundings: { readonly [name: string]: string | undefined }): {
  [name: string]: string;
} {
  return Object.fromEntries(
    PASSED_ON.flatMap((name) => {
      const value = surroundings[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
