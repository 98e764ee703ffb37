// Texts are found in code and nowhere else, and a call that cannot be translated is told.

import assert from "node:assert/strict";
import { test } from "node:test";
import { bundleOf, textsIn } from "./source-texts.mjs";

/** A § stands for the $ of a template. */
function check(source, expected) {
  assert.deepEqual(
    textsIn(source.replaceAll("§", "$"), "a.ts").map(({ text }) => text),
    expected,
  );
}

test("calls are found wherever code stands, also in templates", () => {
  check('x(t("One"), t("{0} of {1}", a, b));', ["One", "{0} of {1}"]);
  check("t(\n  'It\\'s \"so\"',\n)", ['It\'s "so"']);
  check("t(`Plain`)", ["Plain"]);
  check('const x = `§{t("Inside")} and §{f(`§{t("Deeper")}`)}`;', ["Inside", "Deeper"]);
  check('a / b; t("After a division"); c / d;', ["After a division"]);
  check('s.replace(/["`]/g, ""); t("After a pattern")', ["After a pattern"]);
});

test("what only looks like one is not", () => {
  check('// t("Comment")\n/* t("Comment") */ "t(\\"Text\\")"; at("x"); x.t("y"); function t(text) {}', []);
});

test("a text that is not one literal is told with its place", () => {
  const found = ["t(text)", 't("a" + b)', "t(`a §{b}`)".replace("§", "$")].flatMap((source) =>
    textsIn(`\n${source}`, "a.ts"),
  );
  const said = "a.ts:2: the first argument of t() must be one literal, with {0} for what is put in";
  assert.deepEqual(bundleOf(found), { bundle: {}, faults: [said, said, said] });
});

test("a bundle has each text once, in order", () => {
  assert.deepEqual(bundleOf(textsIn('t("b"); t("a"); t("b")', "a.ts")), { bundle: { a: "a", b: "b" }, faults: [] });
});
