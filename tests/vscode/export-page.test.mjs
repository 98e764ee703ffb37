// The exported page in a browser: opened from the disk, with nothing from the network and nothing against its own policy; rows are drawn as they
// are looked at, and the filters work (L3, L4, ABUSE 25).

import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { artifactsDir } from "../../scripts/steps/places.mjs";
import { launchChromium, openPage } from "../rig/chromium.mjs";
import { assertAccessible } from "../rig/judgement.mjs";
import { newGovernedProject } from "../rig/sessions.mjs";

const artifacts = process.env.AUGMENT_ARTIFACTS ?? artifactsDir;
const hostile = ["<img src=x onerror=\"document.title='owned'\">", "</script><script>document.title='owned'</script>"];
const more = 400;

describe("the exported page of a session", () => {
  let project;
  let browser;
  let opened;
  let requests;
  before(async () => {
    project = await newGovernedProject(undefined);
    await project.host();
    await project.session("start", "--yes", "--title", "Write the first", "--title", hostile[0]);
    await project.workOff("a1", { "src/b.txt": "one\ntwo </script>\n", "src/a.txt": "1\ntwo\n3\n" });
    await project.approve("--file", "src/a.txt");
    for (const title of hostile) await project.add(title);
    for (let number = 1; number <= more / 20; number += 1) {
      await Promise.all(Array.from({ length: 20 }, (_, at) => project.add(`Filler ${number}.${at}`)));
    }
    const page = join(project.scratch, "session.html");
    await project.json(["audit", "export", "--format", "html", "--session", "9", "--out", page]);
    browser = await launchChromium();
    opened = await openPage(browser, { width: 1280, height: 900, timeoutMs: 20_000 });
    requests = [];
    opened.page.on("request", (request) => requests.push(request.url()));
    await opened.page.goto(pathToFileURL(page).href);
    await opened.page.locator("html[data-ready]").waitFor();
  });
  after(async () => {
    await opened?.close();
    await browser?.close();
    await project?.end();
  });

  const rows = () => opened.page.locator(".row:visible");
  const sequences = () => opened.page.locator(".row:visible .number").allTextContents();

  test("it opens from the disk with one request and breaks no rule of its own", async () => {
    assert.deepEqual(requests, [opened.page.url()]);
    await opened.judge();
    assert.equal(await opened.page.title(), "Session 009 of work");
    assert.equal(await opened.page.locator("img").count(), 0);
    assert.match(await opened.page.locator("#head").innerText(), /Scope confirmed\n2\d{3}-/);
  });

  test("the policy holds: what is put in as HTML does not run, and nothing is fetched", async () => {
    const { page } = opened;
    const ran = await page.evaluate(async () => {
      const script = document.createElement("script");
      script.textContent = "globalThis.ran = true";
      document.body.append(script);
      const fetched = await fetch("https://example.org/").then(
        () => true,
        () => false,
      );
      return [globalThis.ran ?? false, fetched];
    });
    assert.deepEqual(ran, [false, false]);
    const violated = ["script-src-elem", "connect-src"].map(
      (directive) => new RegExp(`^console: Content Security Policy: ${directive} forbids`),
    );
    const told = [
      /violates the following Content Security Policy/,
      /^console: Fetch API cannot load https:\/\/example\.org/,
    ];
    await opened.judge({ provoked: [...violated, ...told] });
  });

  test("only rows that can be seen are drawn, and the rest come by scrolling", async () => {
    const { page } = opened;
    const told = await page.locator("#count").innerText();
    const count = Number(/^([\d,]+) records$/.exec(told)[1].replaceAll(",", ""));
    assert.ok(count > more, told);
    assert.ok((await rows().count()) < 60);
    const first = Number((await sequences())[0]);
    await page.locator("#list").focus();
    await page.keyboard.press("End");
    assert.ok((await sequences()).some((number) => Number(number) > first + more));
    await page.locator("#details").waitFor();
    await page.keyboard.press("Home");
    assert.match(await page.locator("#details h3").innerText(), new RegExp(`^${first} `));
  });

  test("text, kind and actor narrow it down, hostile titles are only text", async () => {
    const { page } = opened;
    await page.locator("#text").fill("onerror");
    await page.locator("#count").filter({ hasText: " of " }).waitFor();
    const titles = await page.locator(".row:visible .gist").allTextContents();
    assert.ok(titles.includes(hostile[0]), titles.join("\n"));
    assert.ok((await rows().count()) < 10);
    await page.locator("#text").fill("");
    await page.locator("#kind").selectOption("session.confirmed");
    await page
      .locator("#count")
      .filter({ hasText: /^1 of / })
      .waitFor();
    await page.locator("#kind").selectOption("session");
    const kinds = await page.locator(".row:visible .kind").allTextContents();
    assert.ok(kinds.length > 3 && kinds.every((kind) => kind.startsWith("session.")), kinds.join());
    await page.locator("#kind").selectOption("");
    await page.locator("#actor").selectOption("host");
    const actors = await page.locator(".row:visible .actor").allTextContents();
    assert.ok(actors.length > 3 && actors.every((actor) => actor === "host"), actors.join());
    await page.locator("#actor").selectOption("");
    await page.locator("#count").filter({ hasNotText: " of " }).waitFor();
  });

  test("the timeline leads to the record, the record to the diff", async () => {
    const { page } = opened;
    assert.ok((await page.locator("#timeline rect").count()) > 2);
    assert.match(await page.locator("#timeline-title").textContent(), /records by \d+ actors from /);
    await page.locator("#timeline svg").click({ position: { x: 155, y: 60 } });
    await page.locator("#details h3").waitFor();
    await page.locator("#text").fill("file:src/a.txt");
    await page.locator("#count").filter({ hasText: " of " }).waitFor();
    await rows().first().click();
    await page.getByRole("button", { name: "Changes of src/a.txt" }).click();
    const box = page.locator("details.file").filter({ hasText: "src/a.txt" });
    assert.deepEqual(await box.locator("pre span").allTextContents(), ["− 2", "+ two"]);
    assert.equal(await box.locator(".badge").innerText(), "approved");
    assert.match(await page.locator("details.report pre").first().textContent(), /Session: 009 /);
    await page.locator("#text").fill("");
    await page.locator("#count").filter({ hasNotText: " of " }).waitFor();
  });

  test("every line in the timeline says what happened there", async () => {
    const { page } = opened;
    const labels = await page.locator("#timeline .milestone").allTextContents();
    assert.deepEqual(labels.slice(0, 2), ["started", "scope confirmed"]);
    assert.equal(await page.locator("#timeline .mark").count(), labels.length);
    const boxes = await page
      .locator("#timeline .milestone")
      .evaluateAll((found) => found.map((text) => text.getBoundingClientRect().toJSON()));
    for (const [at, box] of boxes.entries())
      for (const other of boxes.slice(at + 1))
        assert.ok(
          box.right <= other.left || other.right <= box.left || Math.abs(box.top - other.top) >= 14,
          JSON.stringify([box, other]),
        );
  });

  test("on paper every record is there", async () => {
    const { page } = opened;
    const count = Number((await page.locator("#count").innerText()).replace(/ records$/, "").replaceAll(",", ""));
    await page.emulateMedia({ media: "print" });
    await page.waitForFunction((wanted) => document.querySelectorAll(".row:not([hidden])").length === wanted, count);
    assert.equal(new Set(await sequences()).size, count);
    // One below the other, none cut off by a box that scrolls.
    const [list, last] = await Promise.all([page.locator("#list").boundingBox(), rows().last().boundingBox()]);
    assert.ok(
      last.y > list.y + count * 20 && last.y + last.height <= list.y + list.height + 2,
      JSON.stringify([list, last]),
    );
    await page.emulateMedia({ media: "screen" });
    await page.waitForFunction(() => document.querySelectorAll(".row:not([hidden])").length < 60);
  });

  test("it can be looked at in light and in dark", async () => {
    const { page } = opened;
    mkdirSync(artifacts, { recursive: true });
    const backgrounds = [];
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      await page.evaluate(() => scrollTo(0, 0));
      const path = join(artifacts, `export-page-${colorScheme}.png`);
      await assertAccessible(`the page, ${colorScheme}`, page.mainFrame());
      await page.screenshot({ path, fullPage: true });
      assert.ok(readFileSync(path).length > 20_000);
      backgrounds.push(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
    }
    assert.notEqual(backgrounds[0], backgrounds[1]);
  });

  test("nothing went wrong in the page", () => opened.judge());
});
