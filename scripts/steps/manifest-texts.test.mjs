// The manifest's texts leave it, come back for those who read it, and one that was forgotten is told.

import assert from "node:assert/strict";
import { test } from "node:test";
import { moveTexts, spoken, textFaults } from "./manifest-texts.mjs";

const manifest = () => ({
  displayName: "Augment",
  capabilities: {
    untrustedWorkspaces: { supported: "limited", description: "Nothing runs." },
    virtualWorkspaces: false,
  },
  contributes: {
    commands: [{ command: "augment.addTask", title: "Add Task…", category: "Augment" }],
    viewsWelcome: [
      { view: "augment.queue", contents: "Empty." },
      { view: "augment.queue", contents: "Down." },
      { view: "augment.queue", contents: "Empty." },
    ],
    configuration: [{ title: "The Program", properties: { "augment.path": { markdownDescription: "Where." } } }],
    walkthroughs: [
      {
        id: "start",
        title: "Start",
        steps: [{ id: "one", title: "One", media: { image: "x.png", altText: "A picture" } }],
      },
    ],
  },
});

test("every text is moved under a key of its own, and equal texts of a place share one", () => {
  const [ours, texts] = [manifest(), {}];
  moveTexts(ours, texts);
  assert.deepEqual(texts, {
    "extension.displayName": "Augment",
    "capability.untrustedWorkspaces": "Nothing runs.",
    "welcome.queue": "Empty.",
    "welcome.queue.2": "Down.",
    "command.addTask": "Add Task…",
    "settings.the-program": "The Program",
    "setting.path": "Where.",
    "walkthrough.start": "Start",
    "walkthrough.start.one": "One",
    "walkthrough.start.one.picture": "A picture",
  });
  assert.equal(ours.contributes.commands[0].title, "%command.addTask%");
  assert.equal(ours.contributes.commands[0].category, "Augment");
  assert.deepEqual(textFaults(ours, texts), []);
  assert.deepEqual(spoken(ours, texts), manifest());
});

test("moving again changes nothing, and a text that nothing uses any more goes", () => {
  const [ours, texts] = [manifest(), {}];
  moveTexts(ours, texts);
  const before = JSON.stringify([ours, texts]);
  assert.deepEqual(moveTexts(ours, texts), []);
  assert.equal(JSON.stringify([ours, texts]), before);
  ours.contributes.commands = [];
  moveTexts(ours, texts);
  assert.equal(texts["command.addTask"], undefined);
});

test("a plain text, a key without a text and a text without a key are told with what to do", () => {
  const [ours, texts] = [manifest(), {}];
  moveTexts(ours, texts);
  ours.contributes.commands.push({ command: "augment.fresh", title: "Fresh" });
  delete texts["setting.path"];
  texts["setting.old"] = "Old.";
  texts["walkthrough.start"] = " ";
  assert.deepEqual(textFaults(ours, texts), [
    'the text "Fresh" (command.fresh) belongs in package.nls.json: run `npm run l10n`',
    "package.nls.json has no text setting.path",
    "the text walkthrough.start in package.nls.json is empty",
    "nothing uses the text setting.old of package.nls.json: run `npm run l10n`",
  ]);
});
