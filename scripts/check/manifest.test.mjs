// The manifest lint finds each fault it is there for, and none in a good manifest.

import assert from "node:assert/strict";
import { test } from "node:test";
import { manifestFaults } from "./manifest.mjs";

const good = {
  extensionKind: ["workspace"],
  capabilities: {
    untrustedWorkspaces: { supported: false, description: "Agents change files." },
    virtualWorkspaces: false,
  },
  contributes: {
    commands: [{ command: "augment.addItem", title: "Add Item", category: "Augment", icon: "$(add)" }],
    keybindings: [{ command: "augment.addItem", key: "ctrl+alt+a" }],
    menus: { "view/title": [{ command: "augment.addItem" }] },
    viewsWelcome: [
      { view: "augment.queue", contents: "[Add](command:augment.addItem) [Open](command:vscode.openFolder)" },
    ],
    configuration: {
      properties: { "augment.server.path": { type: "string", scope: "machine", description: "Where the program is." } },
    },
  },
};

function check(change, fault) {
  const manifest = structuredClone(good);
  change(manifest, manifest.contributes);
  assert.deepEqual(manifestFaults(manifest), [fault].flat());
}

test("a good manifest has no fault", () => {
  check(() => {}, []);
});

test("proposed APIs are refused", () => {
  check((manifest) => {
    manifest.enabledApiProposals = ["timeline"];
  }, "enabledApiProposals is not allowed in the Marketplace");
});

for (const menu of [
  "editor/content",
  "multiDiffEditor/resource/title",
  "scm/historyItem/context",
  "agents/toolbar",
  "scm/inputBox",
]) {
  test(`the proposed menu ${menu} is refused`, () => {
    check((_, contributes) => {
      contributes.menus[menu] = [{ command: "augment.addItem" }];
    }, `menu ${menu} needs a proposed API`);
  });
}

test("the stable menu scm/change/title is allowed", () => {
  check((_, contributes) => {
    contributes.menus["scm/change/title"] = [{ command: "augment.addItem" }];
  }, []);
});

test("a command needs a title, our category and one declaration", () => {
  check(
    (_, contributes) => {
      contributes.commands.push({ command: "augment.bare" }, contributes.commands[0]);
    },
    [
      "command augment.bare has no title",
      'command augment.bare is not in the category "Augment"',
      "command augment.addItem is declared twice",
    ],
  );
});

test("menus, keybindings and welcome texts name declared commands only", () => {
  check(
    (_, contributes) => {
      contributes.menus["view/title"].push({ command: "augment.gone" });
      contributes.keybindings.push({ command: "augment.lost", key: "f2" });
      contributes.viewsWelcome.push({ view: "augment.queue", contents: "[x](command:augment.away)" });
    },
    [
      "menu view/title names the command augment.gone, which is not declared",
      "a keybinding names the command augment.lost, which is not declared",
      "the welcome of augment.queue names the command augment.away, which is not declared",
    ],
  );
});

test("a submenu entry without a command is no fault", () => {
  check((_, contributes) => {
    contributes.menus["view/title"].push({ submenu: "augment.more" });
  }, []);
});

test("a setting needs a description and a scope", () => {
  check(
    (_, contributes) => {
      contributes.configuration.properties["augment.log.level"] = { type: "string" };
    },
    ["setting augment.log.level has no description", "setting augment.log.level has no valid scope"],
  );
});

test("a workspace cannot choose a program or a place", () => {
  check((_, contributes) => {
    contributes.configuration.properties["augment.server.path"].scope = "resource";
  }, "setting augment.server.path names a program or a place, so its scope must be machine");
});

test("an untrusted workspace gets nothing, and is told why", () => {
  check(
    (manifest) => {
      manifest.capabilities.untrustedWorkspaces = { supported: true };
    },
    ["untrusted workspaces must be unsupported or limited", "untrusted workspaces need a description that says why"],
  );
});

test("virtual workspaces and other extension kinds are refused", () => {
  check(
    (manifest) => {
      manifest.capabilities.virtualWorkspaces = true;
      manifest.extensionKind = ["ui", "workspace"];
    },
    ["virtual workspaces must be false", 'extensionKind must be ["workspace"]'],
  );
});

test("an icon that is not in the checkout is found", () => {
  const manifest = structuredClone(good);
  manifest.contributes.viewsContainers = {
    activitybar: [{ id: "augment", title: "Augment", icon: "extension/media/gone.svg" }],
  };
  assert.deepEqual(
    manifestFaults(manifest, () => false),
    ["icon extension/media/gone.svg does not exist"],
  );
});
