// What every test of a page relies on: each thing that may never happen is noted wherever it happens, and a file that has no
// page judged fails.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { launchChromium, openPage } from "../rig/chromium.mjs";

/** Nothing is wrong with it. */
const blameless = `<!doctype html><html lang="en"><head><title>A page</title></head><body><main><h1>A page</h1>
  <iframe title="Another" src="/empty"></iframe></main></body></html>`;
/** Written into the frame, as VS Code does with webviews. */
const written = `<!doctype html><html lang="en"><head><title>Another</title>
  <meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'nonce-a'"></head>
  <body><script>globalThis.ran = true</script><img alt="" src="https://example.org/a.png"></body></html>`;
const worker = 'console.error("in a worker"); fetch("https://example.org/worker").catch(() => {});';

/** What is noted of a request that would leave. */
const stopped = (url) => [
  new RegExp(`^leaves this machine: ${url}$`),
  new RegExp(`^request failed, net::ERR_FAILED: ${url}$`),
  new RegExp(`^console: Failed to load resource: net::ERR_FAILED \\(${url}\\)$`),
];

describe("the judgement of a page", () => {
  let server;
  let browser;
  let opened;

  before(async () => {
    server = createServer(({ url }, response) => {
      const [type, body] =
        url === "/worker.js" ? ["text/javascript", worker] : ["text/html", url === "/" ? blameless : ""];
      response.writeHead(url === "/nothing" ? 404 : 200, { "Content-Type": type }).end(body);
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    browser = await launchChromium();
    opened = await openPage(browser, { timeoutMs: 20_000 });
    await opened.page.goto(`http://127.0.0.1:${server.address().port}/`);
  });
  after(async () => {
    await opened?.close();
    await browser?.close();
    server?.close();
  });

  test("a page with nothing wrong passes", () => opened.judge());

  for (const [name, does, noted] of [
    ["an error on the console", 'console.error("told", { by: 1 })', [/^console: told \{by: 1\}/]],
    ["an exception", () => void setTimeout(() => ({}).nothing.at(0)), [/^exception: TypeError/]],
    ["a promise that nobody waits for", () => void Promise.reject(new Error("lost")), [/^exception: Error: lost$/]],
    [
      "something that is not there",
      () => void fetch("/nothing"),
      [/^console: Failed to load resource.*404.*\/nothing/],
    ],
    [
      "requests to other machines, by name and by number",
      () => {
        for (const host of ["example.org", "10.0.0.1"]) fetch(`http://${host}/x`).catch(() => {});
        new WebSocket("ws://example.org/socket");
      },
      [
        ...["http://example.org/x", "http://10.0.0.1/x"].flatMap(stopped),
        /^leaves this machine: ws:\/\/example\.org\/socket$/,
        /^console: WebSocket connection to 'ws:\/\/example\.org\/socket' failed/,
      ],
    ],
    [
      "what a worker does",
      () => void new Worker("/worker.js"),
      [/^console: in a worker/, ...stopped("https://example.org/worker").slice(0, 2)],
    ],
  ]) {
    test(`noted: ${name}`, async () => {
      await opened.page.evaluate(does);
      await opened.judge({ provoked: noted });
    });
  }

  test("what is noted fails the judgement", async () => {
    await opened.page.evaluate('console.error("unforeseen")');
    await assert.rejects(opened.judge(), /console: unforeseen/);
    await opened.judge();
  });

  test("what another window does is noted", async () => {
    const popup = opened.page.waitForEvent("popup");
    await opened.page.evaluate(() => void open("/empty"));
    await (await popup).evaluate('console.error("in a popup")');
    await (await popup).close();
    await opened.judge({ provoked: [/^console: in a popup/] });
  });

  test("violations of the policy of a document that is written into a frame are noted", async () => {
    await opened.page.evaluate((text) => {
      const inside = document.querySelector("iframe").contentDocument;
      inside.open();
      inside.write(text);
      inside.close();
    }, written);
    const provoked = [
      /^console: Content Security Policy: script-src-elem forbids inline/,
      /^console: Content Security Policy: img-src forbids https:\/\/example\.org\/a\.png/,
      /^console: Executing inline script violates the following Content Security Policy directive/,
      /^console: Loading the image .* violates the following Content Security Policy directive/,
      /^request failed, csp: /,
    ];
    await opened.judge({ provoked });
  });

  test("what axe-core has against the screen fails it", async () => {
    await opened.page.evaluate(() => document.querySelector("main").append(document.createElement("button")));
    await assert.rejects(opened.judge(), /button-name/);
    await opened.page.evaluate(() => document.querySelector("button").remove());
    await opened.judge();
  });

  test("what was provoked has to come", () =>
    assert.rejects(opened.judge({ provoked: [/^console: never$/], limitMs: 100 }), /this is noted: .*never/));

  test("a file that has no page judged fails, and so does one in which something happens later", async () => {
    const scratch = mkdtempSync(join(tmpdir(), "aug-judged-"));
    const chromium = pathToFileURL(join(import.meta.dirname, "..", "rig", "chromium.mjs")).href;
    const run = (steps) => {
      const path = join(scratch, "planted.test.mjs");
      writeFileSync(
        path,
        `import { launchChromium, openPage } from ${JSON.stringify(chromium)};
        const browser = await launchChromium();
        const opened = await openPage(browser);
        await opened.page.setContent(${JSON.stringify(blameless.replace(/<iframe.*<\/iframe>/, ""))});
        ${steps}
        await opened.close();
        await browser.close();`,
      );
      return new Promise((resolve) =>
        execFile(process.execPath, [path], (error, _, told) => resolve([error?.code ?? 0, told])),
      );
    };
    const later = "await opened.page.evaluate('console.error(1, 2)');";
    try {
      assert.deepEqual(await run("await opened.judge();"), [0, ""]);
      const [unjudged, why] = await run("");
      assert.equal(unjudged, 1);
      assert.match(why, /opened at planted\.test\.mjs:3: it was never judged/);
      const [afterwards, what] = await run(`await opened.judge(); ${later}`);
      assert.equal(afterwards, 1);
      assert.match(what, /after its judgement:\nconsole: 1 2/);
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  });
});
