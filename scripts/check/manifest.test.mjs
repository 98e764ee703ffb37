// The manifest lint finds each fault it is there for, and none in a good manifest.

import assert from "node:assert/strict";
import { test } from "node:test";
import { manifestFaults } from "./manifest.mjs";

const good = {
  displayName: "Augment",
  description: "Queues work.",
  publisher: "augment",
  license: "Apache-2.0",
  icon: "icon.png",
  categories: ["AI"],
  keywords: ["agents"],
  extensionKind: ["workspace"],
  capabilities: {
    untrustedWorkspaces: {
      supported: false,
      description: "Agents change files.",
      restrictedConfigurations: ["augment.server.path"],
    },
    virtualWorkspaces: false,
  },
  contributes: {
    commands: [{ command: "augment.addItem", title: "Add Item", category: "Augment", icon: "$(add)", enablement: "x" }],
    keybindings: [{ command: "augment.addItem", key: "ctrl+alt+a" }],
    menus: { "view/title": [{ command: "augment.addItem" }] },
    viewsWelcome: [
      { view: "augment.queue", contents: "[Add](command:augment.addItem) [Open](command:vscode.openFolder)" },
    ],
    configuration: [
      {
        title: "Program",
        properties: {
          "augment.server.path": { type: "string", default: "", scope: "machine", markdownDescription: "Where it is." },
        },
      },
    ],
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
      contributes.commands.push({ command: "augment.showBare" }, contributes.commands[0]);
    },
    [
      "command augment.showBare has no title",
      'command augment.showBare is not in the category "Augment"',
      "command augment.addItem is declared twice",
      "commands augment.addItem and augment.addItem have the same title in the palette",
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

test("links in walkthroughs and settings name declared commands only", () => {
  check(
    (_, contributes) => {
      const step = { media: { svg: "one.svg", altText: "One." }, completionEvents: ["onCommand:augment.addItem"] };
      contributes.walkthroughs = [
        { id: "w", steps: [{ ...step, id: "one", description: "[x](command:augment.gone)" }] },
      ];
      contributes.configuration[0].properties["augment.server.path"].markdownDescription = "[y](command:augment.lost)";
    },
    [
      "the walkthrough's step one names the command augment.gone, which is not declared",
      "the setting augment.server.path names the command augment.lost, which is not declared",
    ],
  );
});

test("a command is found in the palette or led to, has a title of its own, and is off when it cannot work", () => {
  check(
    (_, contributes) => {
      contributes.commands.push(
        { command: "augment.hidden", title: "Hidden", category: "Augment", enablement: "x" },
        { command: "augment.again", title: "Add Item", category: "Augment", enablement: "x" },
        { command: "augment.always", title: "Always", category: "Augment" },
        { command: "augment.showLog", title: "Show Log", category: "Augment" },
      );
      contributes.menus.commandPalette = [{ command: "augment.hidden", when: "false" }, { command: "augment.always" }];
    },
    [
      "command augment.hidden is hidden from the palette, and nothing else leads to it",
      "commands augment.addItem and augment.again have the same title in the palette",
      "command augment.always has no enablement",
      "the palette entry of augment.always says nothing: give it a when",
    ],
  );
});

test("a command without a key of its own may be hidden where a menu has it", () => {
  check((_, contributes) => {
    contributes.menus.commandPalette = [{ command: "augment.addItem", when: "false" }];
  }, []);
});

test("settings stand in titled groups and are described, with a default and a scope", () => {
  check(
    (_, contributes) => {
      contributes.configuration[0].properties["augment.log.level"] = { type: "boolean", description: "Plain." };
    },
    [
      "setting augment.log.level has no markdownDescription",
      "setting augment.log.level has no default",
      "setting augment.log.level has no valid scope",
    ],
  );
  check((_, contributes) => {
    contributes.configuration = contributes.configuration[0];
  }, "configuration must be a list of titled groups");
  check((_, contributes) => {
    delete contributes.configuration[0].title;
  }, "the settings augment.server.path have no title above them");
});

/** A setting of this name and type that a workspace could set. */
function checkSetting(name, type, fault) {
  check((_, contributes) => {
    const setting = { type, default: "", scope: "window", markdownDescription: "It." };
    contributes.configuration[0].properties[name] = setting;
  }, fault);
}

test("a workspace cannot choose a program or a place, nor let anything through", () => {
  const both = (name, why) => [
    `setting ${name} ${why}, so its scope must be machine or application`,
    `setting ${name} ${why}, so it belongs into restrictedConfigurations`,
  ];
  for (const name of ["augment.agentCommand", "augment.endpoint", "augment.notify.url", "augment.default.agent"])
    checkSetting(name, "string", both(name, "names a program or a place"));
  for (const name of ["augment.autoApprove", "augment.review.permission", "augment.trustAll", "augment.skipReview"])
    checkSetting(name, "boolean", both(name, "could let something through"));
  checkSetting("augment.greeting", "string", both("augment.greeting", "takes any text"));
  checkSetting("augment.review.codeLens", "boolean", []);
});

test("what is restricted in an untrusted folder is a setting", () => {
  check((manifest) => {
    manifest.capabilities.untrustedWorkspaces.restrictedConfigurations.push("augment.gone");
  }, "restrictedConfigurations names augment.gone, which is no setting");
});

test("what the Marketplace shows is there, and nothing is made up", () => {
  check(
    (manifest) => {
      delete manifest.license;
      manifest.repository = "https://example.com/augment";
      manifest.icon = "icon.svg";
    },
    [
      "license is missing",
      "there is no public repository whose address could be given",
      "the Marketplace takes no SVG icon",
    ],
  );
});

test("an untrusted workspace gets nothing, and is told why", () => {
  check(
    (manifest) => {
      const { restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
      manifest.capabilities.untrustedWorkspaces = { supported: true, restrictedConfigurations };
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

test("an icon or a schema that is not in the checkout is found", () => {
  const manifest = structuredClone(good);
  manifest.contributes.jsonValidation = [{ fileMatch: "x.json", url: "./docs/gone.json" }];
  manifest.contributes.viewsContainers = {
    activitybar: [{ id: "augment", title: "Augment", icon: "extension/media/gone.svg" }],
  };
  assert.deepEqual(
    manifestFaults(manifest, () => false),
    ["icon extension/media/gone.svg does not exist", "schema ./docs/gone.json does not exist"],
  );
});

test("a step of the walkthrough that cannot be completed, or has nothing to show, is found", () => {
  const step = (change) => ({
    id: "first",
    description: "[Add](command:augment.addItem) [Open](command:vscode.openFolder)",
    media: { svg: "first.svg", altText: "A list." },
    completionEvents: ["onCommand:augment.addItem", "onContext:augment.known == yes"],
    ...change,
  });
  const faults = (change) => {
    const manifest = structuredClone(good);
    manifest.contributes.walkthroughs = [{ id: "w", steps: [step(change)] }];
    return manifestFaults(manifest, (path) => path !== "gone.svg");
  };
  const where = "step first of the walkthrough w";
  assert.deepEqual(faults({}), []);
  assert.deepEqual(faults({ completionEvents: [] }), [`${where} says nothing that completes it`]);
  assert.deepEqual(faults({ completionEvents: ["onViewed:x"] }), [`${where} waits for onViewed:x, which never comes`]);
  assert.deepEqual(faults({ completionEvents: ["onCommand:augment.gone", "onView:augment.gone"] }), [
    `${where} names the command augment.gone, which is not declared`,
    `${where} names the view augment.gone, which is not declared`,
  ]);
  assert.deepEqual(faults({ media: { svg: "gone.svg" } }), [
    `${where} has no picture that exists`,
    `${where} does not say what its picture shows`,
  ]);
});
