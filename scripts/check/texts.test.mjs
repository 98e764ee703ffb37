import assert from "node:assert/strict";
import { test } from "node:test";
import { textFaultsIn } from "./texts.mjs";

const faults = (source) => textFaultsIn(source, "a.ts");
const texts = (source) => faults(source).map((fault) => fault.replace(/^a\.ts:\d+: /, ""));

test("what goes through t is good, whatever is put in", () => {
  for (const source of [
    't("Nothing waits for a decision")',
    'tellDone(t("Approved {0}", name))',
    'item.label = t("Undo")',
    'button({ label: t("Show Log"), icon: "output" })',
    'el("p", { class: "quiet note", text: t("{0} is not there any more.", path) })',
  ])
    assert.deepEqual(faults(source), [], source);
});

test("what stands where only a text can stand is found, with its line", () => {
  assert.deepEqual(faults('const a = 1;\nconst item = { label: "done" };'), ['a.ts:2: "done"']);
  for (const source of [
    'box.placeholder = "words"',
    'showInformationMessage("Undone")',
    `await vscode.window.showWarningMessage(\`Lost \${name}\`, "Retry")`,
    'el("p", { class: "quiet", text: "nothing yet" })',
    'el("div", { attributes: { "aria-label": "Board" } })',
    'bar.setAttribute("aria-label", "places")',
    'const row = { title: isOpen ? "open" : t("closed") }',
    'context.say("Moved")',
    'lens("Approve", "approveHunk", t("Keep this hunk"))',
    `item.tooltip = \`\${count} hunks\``,
  ])
    assert.ok(faults(source).length > 0, source);
});

test("what reads like a sentence is found wherever it stands", () => {
  assert.deepEqual(texts('return "This hunk was decided elsewhere";'), ['"This hunk was decided elsewhere"']);
  assert.deepEqual(texts(`throw new Error(\`\${path} is not there any more.\`)`).length, 1);
});

test("ids, classes, icons, keys, logs and imports are not texts", () => {
  for (const source of [
    'import { t } from "../l10n";',
    'if (event.key === "ArrowUp" || event.key === "Enter") return;',
    'el("div", { class: "card-head quiet", role: "group", id: "board-keys" })',
    'register("augment-orchestrator.openPanel", command)',
    `log.warn(\`The connection ended: \${reason} Trying again.\`)`,
    'this.log.info("No folder is open.")',
    `item.text = \`$(check) \${words}\``,
    'vscode.window.createOutputChannel("Augment Orchestrator", { log: true })',
    "// Nothing here is a text.",
    'const kind = isPerson ? "person" : "agent";',
  ])
    assert.deepEqual(faults(source), [], source);
});
