// The stage for the story: a VS Code with nothing installed, the demo that is opened in it, what its window says about where
// a person is, and pictures of each screen in some themes. What a hand does is noted in the page itself, so that a story by
// mouse can say that no key was pressed, and one by keys that nothing was clicked.

import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { root } from "../../scripts/steps/places.mjs";
import { eventually } from "../rig/eventually.mjs";
import { builtVsix, openWorkbench, serveVsCode } from "../rig/workbench.mjs";
import { panelFrame } from "./panel-scene.mjs";
import { changeSettings, newProduct, statusItem } from "./product.mjs";
import { pendingItem } from "./reviewed.mjs";

/** The themes as settings name them, the class that each gives to the window, and how webviews are told its kind. */
const themes = {
  dark: { setting: "Dark Modern", mark: "vs-dark", kind: "vscode-dark" },
  light: { setting: "Light Modern", mark: "vs", kind: "vscode-light" },
  contrast: { setting: "Default High Contrast", mark: "hc-black", kind: "vscode-high-contrast" },
  "contrast-light": { setting: "Default High Contrast Light", mark: "hc-light", kind: "vscode-high-contrast-light" },
};

/** A file of the demo as it is before anybody works on it. */
export const template = (name) => readFileSync(join(root, "server", "core", "demo", name), "utf8");

/**
 * @param {string} name of what is kept among the artifacts
 * @param {string[]} looks the themes of the pictures; the first is the one that the window opens in
 */
export function newStory(name, looks) {
  const product = newProduct();
  /** What hands have done in the window: "mousedown" and "key …", in this order. */
  const hands = [];
  let shown = looks[0];

  const story = {
    product,
    hands,
    /** The name of the VSIX in the person's home, where VS Code begins to look for files. */
    download: basename(builtVsix()),
    demo: join(product.home, "data", "demos", "lantern"),
    cli: (...args) => product.cliIn(story.demo, ...args),
    read: (file) => readFileSync(join(story.demo, file), "utf8"),
    async begin() {
      const home = join(product.scratch, "person");
      mkdirSync(home);
      copyFileSync(builtVsix(), join(home, story.download));
      story.server = await serveVsCode({
        name,
        workspace: product.workspace,
        vsix: null,
        trust: true,
        env: { ...product.env, HOME: home, PATH: "/usr/bin:/bin" },
        settings: {
          "workbench.colorTheme": themes[shown].setting,
          "workbench.welcomePage.walkthroughs.openOnInstall": true,
          "security.workspace.trust.startupPrompt": "once",
        },
      });
      story.workbench = await openWorkbench(story.server, {
        width: 1_400,
        height: 900,
        prepare: (page) => noteHands(page, hands),
      });
      story.page = story.workbench.page;
    },
    async end() {
      await story.workbench?.close();
      await story.server?.stop();
      product.remove();
    },

    /** A picture of what is shown in each theme of this story; the last stays for the next picture to begin with. */
    async picture(screen) {
      for (const look of shown === looks[0] ? looks : [...looks].reverse()) {
        await story.show(look);
        await story.workbench.screenshot(`story-${look}-${screen}`);
      }
    },
    async show(look) {
      const { setting, mark, kind } = themes[look];
      // Those of the machine are the ones that VS Code's server follows in a file.
      if (look !== shown) changeSettings(story.server, "Machine", { "workbench.colorTheme": setting });
      shown = look;
      await story.page.locator(`.monaco-workbench.${mark}`).waitFor();
      await eventually(`everything is drawn in ${setting}`, async () => {
        const kinds = story.page.frames().map((frame) => frame.evaluate(kindOfTheme).catch(() => undefined));
        return (await Promise.all(kinds)).every((one) => one === undefined || one === kind);
      });
    },

    statusSays: (text) => story.workbench.status(statusItem).filter({ hasText: text }).waitFor(),
    /** A step of the Demo view that comes next. */
    next: (title) => story.page.locator(`.part.sidebar .monaco-list-row[aria-label^="${title}, next"]`).first(),
    step: (id) => story.page.locator(`.getting-started-step[data-step-id$="#${id}"]`),
    /** What is told, as a toast or, after a while, in the list behind the bell. */
    notice: (text) =>
      story.page
        .locator(".notifications-toasts .notification-list-item, .notifications-center .notification-list-item")
        .filter({ hasText: text })
        .first(),
    quick: (text) => story.workbench.quickRows.filter({ hasText: text }).first(),
    panel: () => panelFrame(story.workbench),

    /** The line of a file, from 1, that holds the text. */
    lineOf: (file, text) => story.read(file).slice(0, story.read(file).indexOf(text)).split("\n").length,
    /** How far the review is. */
    progress: (far) =>
      story.workbench
        .status(pendingItem)
        .filter({ hasText: far.includes("of") ? `hunk ${far}` : `${far} to review` })
        .waitFor(),
    /** Where the review has led to: the editor of the file, and the buttons above the hunk. */
    at: undefined,
    /** The cursor is at this text of a file, and so far the review has come. */
    async stands(kind, file, text, far) {
      const name = file.split("/").at(-1);
      const editor = story.page.locator(`.monaco-editor[data-uri*="/${name}"]`);
      story.at = { editor, buttons: editor.locator(".codelens-decoration", { hasText: far }) };
      const tab = { file: name, diff: `${name} (before`, all: "Pending Changes" }[kind];
      await story.page.locator(".tab.active", { hasText: tab }).first().waitFor();
      await story.progress(far);
      const line = story.lineOf(file, text);
      if (kind !== "all") {
        await story.workbench
          .status("status.editor.selection")
          .filter({ hasText: `Ln ${line},` })
          .waitFor();
        if (kind === "file") await story.at.buttons.waitFor();
        return;
      }
      await story.page
        .locator(`.multiDiffEntry .monaco-editor[data-uri$="/${name}"] .active-line-number`)
        .filter({ hasText: new RegExp(`^${line}$`) })
        .waitFor();
    },
    becomes: (file, expected) =>
      eventually(
        `${file} has the expected text`,
        () => story.read(file),
        (text) => text === expected,
      ),
  };
  return story;
}

/** The kind of theme that a webview's document is drawn in; nothing in other documents. Runs in the page. */
function kindOfTheme() {
  return document.body?.dataset.vscodeThemeKind;
}

async function noteHands(page, hands) {
  await page.exposeBinding("noteHand", (_source, what) => {
    hands.push(what);
  });
  await page.addInitScript(() => {
    addEventListener("mousedown", (event) => event.isTrusted && globalThis.noteHand("mousedown"), true);
    addEventListener("keydown", (event) => event.isTrusted && globalThis.noteHand(`key ${event.key}`), true);
  });
}
