// Texts with values put in, in English and in another language.

import assert from "node:assert/strict";
import { test } from "node:test";
import { speak, t, translationBy } from "./l10n";

test("values are put in by number, and text from outside stays a value", () => {
  assert.equal(t("{0} of {1}", 2, "{0}"), "2 of {0}");
  assert.equal(t("nothing"), "nothing");
  assert.equal(t("{3}", "x"), "{3}");
});

test("once a language is known it is used, and what was asked for before is told", () => {
  for (let time = 0; time < 1_000; time += 1) t("nothing");
  const before = speak((text, ...values) => `<${text}|${values.join()}>`);
  assert.deepEqual(before, ["{0} of {1}", "nothing", "{3}"], "each once");
  assert.equal(t("{0} tasks", 3), "<{0} tasks|3>");
});

test("a bundle translates what it has, and its own text is not looked at twice", () => {
  const translated = translationBy(
    new Map([
      ["{0} of {1}", "{1}: {0}"],
      ["pending", "wartet"],
    ]),
  );
  assert.equal(translated("{0} of {1}", 2, "{0}"), "{0}: 2");
  assert.equal(translated("pending"), "wartet");
  assert.equal(translated("{0} tasks", 3), "3 tasks");
  assert.equal(translated("constructor"), "constructor");
});
