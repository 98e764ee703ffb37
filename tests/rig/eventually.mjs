// Waiting for a condition instead of for a time: reads until the answer is accepted, and says what was read last when
// it never is.

import { setTimeout as pause } from "node:timers/promises";
import { inspect } from "node:util";

const pollMs = 25;

/**
 * @template T
 * @param {string} what names the condition in the failure, as in "the extension host comes back"
 * @param {() => T | Promise<T>} read  an exception counts as not yet
 * @param {(value: T) => unknown} [accept] by default anything truthy
 * @returns {Promise<T>} the accepted value
 */
export async function eventually(what, read, accept = Boolean, limitMs = 60_000) {
  let last;
  for (const end = Date.now() + limitMs; Date.now() < end; await pause(pollMs)) {
    try {
      last = await read();
      if (accept(last)) return last;
    } catch (error) {
      last = error;
    }
  }
  throw new Error(`Waited ${limitMs / 1000} s in vain until ${what}; the last answer was ${inspect(last)}`);
}
