// Every state that the host can tell has a word, an icon and a colour, and they are VS Code's or declared.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  FLAG_LOOKS,
  HAND_OFF_LOOKS,
  LINK_LOOKS,
  LOOKS,
  type Look,
  PROMPT_LOOKS,
  RUN_LOOKS,
  SESSION_LOOKS,
  STANDING_LOOKS,
  STATUS_LOOKS,
  STEP_LOOKS,
} from "./state_look";

/** Tests are run from the checkout. */
const root = process.cwd();
const protocol = readFileSync(join(root, "extension", "src", "protocol.gen.ts"), "utf8");
const { contributes } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

const tables: [type: string, looks: Record<string, Look>][] = [
  ["Status", STATUS_LOOKS],
  ["RunState", RUN_LOOKS],
  ["Standing", STANDING_LOOKS],
  ["FlagKind", FLAG_LOOKS],
  ["SessionState", SESSION_LOOKS],
  ["StepOutcome", STEP_LOOKS],
  ["PromptState", PROMPT_LOOKS],
  ["HandOffState", HAND_OFF_LOOKS],
];
const all = [...tables.map(([, looks]) => looks), LOOKS, LINK_LOOKS].flatMap((looks) => Object.values<Look>(looks));

/** Colours of VS Code that have a value in each of its themes. */
const standard = [
  "icon.foreground",
  "charts.blue",
  "testing.iconPassed",
  "testing.iconFailed",
  "list.warningForeground",
  "disabledForeground",
];

test("every state of the protocol has a look, and no other", () => {
  for (const [type, looks] of tables) {
    const [, union = ""] = protocol.match(new RegExp(`^export type ${type} = (.+);$`, "m")) ?? [];
    const states = [...union.matchAll(/"([^"]+)"/g)].map(([, state]) => state);
    assert.ok(states.length > 0, `${type} is not in the protocol`);
    assert.deepEqual(Object.keys(looks).sort(), states.sort(), type);
  }
});

test("every colour is VS Code's or contributed for all four kinds of themes", () => {
  const contributed = new Map<string, object>(
    contributes.colors.map(({ id, defaults }: { id: string; defaults: object }) => [id, defaults]),
  );
  for (const { word, color } of all) {
    if (standard.includes(color)) continue;
    assert.deepEqual(
      Object.keys(contributed.get(color) ?? {}).sort(),
      ["dark", "highContrast", "highContrastLight", "light"],
      `${word} is drawn in ${color}`,
    );
  }
});

test("states of one table are told apart by their word, and a word always has the same icon", () => {
  for (const [type, looks] of tables) {
    const words = Object.values(looks).map(({ word }) => word);
    assert.equal(new Set(words).size, words.length, type);
  }
  const icons = new Map<string, string>();
  // A task that waits for others is pending, too, and says so by its icon; a hunk that is pending waits for the person.
  for (const { word, icon } of all.filter((look) => look.word !== "pending")) {
    assert.equal(icons.get(word) ?? icon, icon, word);
    icons.set(word, icon);
  }
});

test("words fit into a sentence and icons are names", () => {
  for (const { word, icon } of all) {
    assert.match(word, /^[a-z][a-z ,]+$/);
    assert.match(icon, /^[a-z-]+(~spin)?$/);
  }
});
