// A key that is taken where VS Code needs it is found; one that is free there is not.

import assert from "node:assert/strict";
import { test } from "node:test";
import { holds, keyClashes, normal, readDefaults } from "./keybindings.mjs";

const defaults = [
  { key: "f2", command: "renameFile", when: "filesExplorerFocus && !inputFocus" },
  { key: "f2", command: "editor.action.rename", when: "editorTextFocus && !editorReadonly" },
  { key: "ctrl+k ctrl+s", command: "openKeys" },
  { key: "delete", command: "deleteRight", when: "textInputFocus" },
];
const check = (binding, expected, platform = "key") =>
  assert.deepEqual(keyClashes([{ command: "ours", ...binding }], defaults, platform, ["queue"]), expected);

test("a key is free in a view of ours and taken in an editor", () => {
  check({ key: "f2", when: "focusedView == queue && listFocus" }, []);
  check({ key: "f2", when: "editorTextFocus && augmentOrchestrator.hunkAtCursor" }, [
    "f2 is ours, and in an editor it is editor.action.rename already (editorTextFocus && !editorReadonly)",
    "f2 is ours, and in an editor with several cursors it is editor.action.rename already (editorTextFocus && !editorReadonly)",
    "f2 is ours, and in a diff editor it is editor.action.rename already (editorTextFocus && !editorReadonly)",
  ]);
  check({ key: "f2", when: "augmentOrchestrator.session == planned && filesExplorerFocus" }, [
    "f2 is ours, and in the explorer it is renameFile already (filesExplorerFocus && !inputFocus)",
  ]);
});

test("a key without a condition is in the way everywhere, and so is the first stroke of a chord", () => {
  check({ key: "Delete", mac: "f9" }, [
    "delete is ours, and in an editor it is deleteRight already (textInputFocus)",
    "delete is ours, and in an editor with several cursors it is deleteRight already (textInputFocus)",
    "delete is ours, and in a diff editor it is deleteRight already (textInputFocus)",
    "delete is ours, and in an input box it is deleteRight already (textInputFocus)",
  ]);
  check({ key: "delete", mac: "f9" }, [], "mac");
  check({ key: "ctrl+k", when: "terminalFocus" }, [
    "ctrl+k is ours, and in a terminal it is openKeys already (always)",
  ]);
});

test("conditions are read as VS Code reads them", () => {
  const context = (name) => ({ a: true, b: false, word: "one", count: 3 })[name];
  for (const when of [
    "a",
    "!b",
    "a && !b",
    "b || a",
    "(b || a) && a",
    "word == one",
    "word != 'two'",
    "word =~ /^o.e$/i",
    "count >= 3",
  ])
    assert.equal(holds(when, context), true, when);
  for (const when of ["b", "!a", "a && b", "!(a || b)", "word == two", "word =~ /^e/", "count < 3", "x in y", "false"])
    assert.equal(holds(when, context), false, when);
});

test("keys are compared however they are written", () => {
  assert.equal(normal("Shift+Ctrl+F7"), "ctrl+shift+f7");
  assert.equal(normal("ctrl++"), "ctrl++");
  assert.deepEqual(readDefaults('// a\n[\n{ "key": "a", "command": "b" },\n// - c\n]'), [{ key: "a", command: "b" }]);
});
