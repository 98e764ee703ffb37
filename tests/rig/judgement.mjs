// What no page that a test opens may do, whatever the test is about: errors on the console, exceptions, violations of its
// Content Security Policy, requests that fail or would leave this machine, and what axe-core has against what is ours on
// screen. All of it is noted from the first moment on, in every window and frame. A test file that opened a page and did not
// have it judged fails, so that this cannot be forgotten.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { editorsFaults, editorsMessages, isEditorsLog } from "./editors-own.mjs";
import { eventually } from "./eventually.mjs";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const watched = new Set();
/** So many lines of the editor's own log are told for a page. */
const most = 20;

process.on("exit", () => {
  if (!process.argv[1]?.endsWith(".test.mjs")) return;
  for (const { opened, judged, notes } of watched) {
    if (judged && notes.length === 0) continue;
    const fault = judged ? `something went wrong after its judgement:\n${notes.join("\n")}` : "it was never judged.";
    process.stderr.write(
      `Of the page that was opened at ${opened}: ${fault}\nA last test does it: await workbench.judge()\n`,
    );
    process.exitCode = 1;
  }
});

/**
 * Notes whatever goes wrong in the pages of a browser context, from before the first is opened.
 * @param {import("playwright-core").BrowserContext} context
 */
export async function watch(context) {
  const watching = { opened: callerOutsideTheRig(), judged: false, notes: [], editors: [] };
  watched.add(watching);
  let open = true;
  const note = (kind, text, where = "") => {
    const line = withoutServer(`${kind}: ${text}${where === "" ? "" : ` (${where})`}`);
    if (!open || editorsMessages.includes(withoutStack(line))) return;
    // What it is busy with when it says so is a matter of luck, so such a line cannot be listed; it is told all the same.
    if (!isEditorsLog(line)) watching.notes.push(line);
    else if (watching.editors.push(line) <= most) process.stderr.write(`VS Code has logged of itself: ${line}\n`);
  };
  const noteConsole = (message) => {
    if (message.type() === "error") note("console", message.text(), message.location().url);
  };

  await context.route(
    (url) => /^https?:$/.test(url.protocol) && url.hostname !== "127.0.0.1",
    (route) => {
      note("leaves this machine", route.request().url());
      return route.abort();
    },
  );
  await context.addInitScript(tellViolations);
  context.on("console", noteConsole);
  context.on("weberror", (error) => note("exception", String(error.error())));
  context.on("serviceworker", (worker) => worker.on("console", noteConsole));
  context.on("requestfailed", (request) => {
    const { errorText } = request.failure() ?? {};
    // What a document asked for and no longer waits for, since it was left.
    if (errorText !== "net::ERR_ABORTED") note(`request failed, ${errorText}`, request.url());
  });
  context.on("page", (page) => {
    page.on("crash", () => note("crash", page.url()));
    page.on("websocket", (socket) => {
      if (new URL(socket.url()).hostname !== "127.0.0.1") note("leaves this machine", socket.url());
    });
  });

  return {
    /**
     * Fails when anything was noted since the last time.
     * @param {{ provoked?: RegExp[], limitMs?: number }} [what] the test brought about itself; each has to come
     */
    async judge({ provoked = [], limitMs } = {}) {
      watching.judged = true;
      for (const pattern of provoked) {
        const isNoted = () => [...watching.notes, ...watching.editors].some((line) => pattern.test(line));
        await eventually(`this is noted: ${pattern}`, isNoted, Boolean, limitMs);
      }
      const expected = (line) => provoked.some((pattern) => pattern.test(line));
      const notes = watching.notes.splice(0).filter((line) => !expected(line));
      assert.deepEqual(notes, [], "nothing goes wrong in the page");
    },
    /** From here on the page is taken down, which breaks off whatever it is at. */
    end() {
      open = false;
    },
  };
}

/**
 * Fails when axe-core has anything against a document.
 * @param {string} screen what is shown, for the message
 * @param {import("playwright-core").Frame} frame
 * @param {string[]} [parts] selectors of all that is looked at; without them it is the whole document
 */
export async function assertAccessible(screen, frame, parts) {
  assert.deepEqual(await axeFaults(frame, parts), [], `axe-core on ${screen}`);
}

/** A line for each fault. */
async function axeFaults(frame, parts) {
  if (!(await frame.evaluate(() => "axe" in globalThis))) await frame.evaluate(axeSource);
  const faults = await frame.evaluate(
    async ([selectors, editors]) => {
      const include = selectors?.flatMap((selector) => [...document.querySelectorAll(selector)]);
      if (include?.length === 0) return [];
      const how = { preload: false, iframes: false, elementRef: true };
      const { violations } = await globalThis.axe.run(include ? { include } : document, how);
      const isEditors = (rule, element) => editors.some(([id, selector]) => id === rule && element.matches(selector));
      const found = violations.flatMap(({ id, nodes }) =>
        nodes
          .filter(({ element }) => !isEditors(id, element))
          .map(({ target, failureSummary }) => `${id}: ${target.join(" ")}: ${failureSummary}`),
      );
      // The editor names a row by its tooltip when it is given nothing else, and then nobody hears what is to be read there.
      const rows = include?.flatMap((part) => [...part.querySelectorAll(".monaco-list-row")]) ?? [];
      for (const row of rows) {
        const shown = row.querySelector(".label-name")?.textContent.replace(/…$/, "") ?? "";
        const name = row.getAttribute("aria-label") ?? "";
        if (!name.includes(shown)) found.push(`A row that reads "${shown}" is called "${name}".`);
      }
      for (const part of include ?? [])
        for (const named of part.querySelectorAll('[aria-label*="&nbsp;"]')) found.push(`Read out: ${named.ariaLabel}`);
      return found;
    },
    [parts, parts === undefined ? [] : editorsFaults],
  );
  return faults.map((fault) => fault.replaceAll(/\s+/g, " "));
}

/** Runs in every document: a violation is told on the console, in whatever way the browser tells it besides. */
function tellViolations() {
  const tell = ({ effectiveDirective, blockedURI, sample, documentURI }) =>
    // biome-ignore lint/suspicious/noConsole: the page has no other way to be heard through any policy.
    console.error(`Content Security Policy: ${effectiveDirective} forbids ${blockedURI} ${sample} in ${documentURI}`);
  const listen = () => addEventListener("securitypolicyviolation", tell, true);
  listen();
  // The document of a webview is written into its frame, which takes away who listened there.
  const { open } = Document.prototype;
  Document.prototype.open = function (...given) {
    const opened = open.apply(this, given);
    listen();
    return opened;
  };
}

/** Another run has another port and another folder of logs, another version of VS Code another folder. */
function withoutServer(text) {
  return text
    .replaceAll(/\b(http|ws):\/\/127\.0\.0\.1:\d+(\/stable-[0-9a-f]+)?/g, "")
    .replaceAll(/vscode-log:\/\d{8}T\d{6}\//g, "vscode-log:/");
}

function withoutStack(text) {
  return text.replaceAll(/\n {4}at [^\n(]*\([^)]*\)/g, "");
}

/** The place in a test that had the page opened. */
function callerOutsideTheRig() {
  return /[\w-]+\.test\.mjs:\d+/.exec(new Error().stack)?.[0] ?? "somewhere";
}
