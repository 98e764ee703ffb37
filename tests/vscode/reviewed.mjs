// A workspace whose files an agent changes, for the tests of review.

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newProduct, statusItem } from "./product.mjs";

export const pendingItem = statusItem.replace(/status$/, "changes");
const lines = (name) => Array.from({ length: 40 }, (_, at) => `${name} line ${at + 1}\n`);
export const agent = "claude";
export const title = "Refactor the door <img src=x> [go](command:x) $(flame)";

/** A workspace with three files, known to a host, and a task that an agent works on. */
export async function newReview() {
  const product = newProduct();
  const path = (name) => join(product.workspace, name);
  const files = Object.fromEntries(["auth", "notes", "server"].map((name) => [`${name}.txt`, lines(name)]));
  for (const [name, content] of Object.entries(files)) writeFileSync(path(name), content.join(""));
  const { id } = await product.add(title);
  return {
    ...product,
    id,
    files,
    bytes: (name) => readFileSync(path(name), "utf8"),
    /** As an agent's shell does it: nothing of the product is told. */
    script: (text) => execFileSync("sh", ["-ec", text], { cwd: product.workspace }),
    changes: () => product.cli("changes", "list"),
    /** The decisions in the ledger, oldest first, each with the files it was about. */
    decisions: async () =>
      (await product.cli("audit", "list", "--limit", "1000")).records
        .filter(({ kind }) => /^review\.(approved|rejected|undone|redone)$/.test(kind))
        .map(({ kind, data }) => `${kind.slice("review.".length)} ${data.paths.join(" ")}`)
        .reverse(),
  };
}

/** The lines of a file with some of them replaced, by their number from 1. */
export function edited(content, replacements) {
  return content.map((line, at) => replacements[at + 1] ?? line).join("");
}

/** What stands behind lines: it is drawn by style sheets and is no text of the page. */
export function afterTexts(page) {
  return page.evaluate(() =>
    [...document.querySelectorAll(".monaco-editor .view-line span")]
      .map((span) => getComputedStyle(span, "::after").content)
      .filter((content) => content !== "none" && content !== "normal"),
  );
}
