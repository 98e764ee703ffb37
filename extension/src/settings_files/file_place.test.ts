// Where the cursor (|) stands in a file of settings.

import assert from "node:assert/strict";
import { test } from "node:test";
import { keysOf, placeAt } from "./file_place";

function check(text: string, expected: string): void {
  const before = text.slice(0, text.indexOf("|")).split("\n");
  const lines = text.replace("|", "").split("\n");
  const at = before.length - 1;
  const place = placeAt((line) => lines[line] ?? "", at, before.at(-1)?.length ?? 0);
  const covered = place === undefined ? "" : (lines[at] ?? "").slice(place.start, place.end);
  const said =
    place === undefined
      ? "nowhere"
      : place.kind === "table"
        ? `table ${place.typed}`
        : `${place.kind} [${place.table}] ${place.name}${place.kind === "key" && place.hasValue ? " =" : ""}`;
  assert.equal(`${said} <${covered}>`, expected, text);
}

test("in the name of a table", () => {
  check("[que|]", "table que <que>");
  check("[|", "table  <>");
  check("[ queue| ] # mine", "table queue <queue >");
  check("[queue] |", "nowhere <>");
});

test("in a key, with the table above it", () => {
  check("[queue]\nma|x", "key [queue] max <max>");
  check("[queue]\n# [host]\n  |", "key [queue]  <>");
  check("[queue]\nmaxAttempts| = 3", "key [queue] maxAttempts = <maxAttempts>");
  check("queue.ma|", "key [] queue.ma <queue.ma>");
  check('[agents."a b"]\nargs|', "key [agents.a b] args <args>");
});

test("in a value", () => {
  check("[agents]\npermission = |", "value [agents] permission <>");
  check('[agents]\npermission = "as|k" # loose', 'value [agents] permission <"ask">');
  check("permission =|", "value [] permission <>");
  check("permission =| 3", "value [] permission < 3>");
});

test("nowhere in a comment, but a # in a text is no comment", () => {
  check("# max|", "nowhere <>");
  check("max = 3 # a|", "nowhere <>");
  check('max = "a#|b"', 'value [] max <"a#b">');
});

test("the keys that a table has", () => {
  const lines = ["top = 1", "[a]", "x = 1", '"y" = 2 # z = 3', "[b]", "w = 1", "[a]", "v"];
  assert.deepEqual([...keysOf(lines, "a")], ["x", "y"]);
  assert.deepEqual([...keysOf(lines, "")], ["top"]);
});

// What is tried again at each place of such a line does not end before the tests are ended.
test("a long line of anything is gone through once", () => {
  const many = 100_000;
  const spaces = " ".repeat(many);
  const lines = [
    `${spaces}#`,
    `[${spaces}#`,
    `${spaces}x`,
    `x${spaces}x#`,
    `[${"a ".repeat(many)}`,
    "[".repeat(many),
    "y = 1",
  ];
  assert.deepEqual([...keysOf(lines, "")], ["y"]);
  for (const [line, text] of lines.entries()) placeAt((at) => lines[at] ?? "", line, text.length);
});
