// History and Analytics of the panel in a real VS Code: the figures are those that the command line gives, the diff at a point is
// the one of its step, whoever uses the keyboard or a screen reader gets at all of it (L3, M1, V3, V8).

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import { agentsFile } from "../rig/agents.mjs";
import { sql } from "../rig/database.mjs";
import { eventually } from "../rig/eventually.mjs";
import { openWorkbench, serveVsCode } from "../rig/workbench.mjs";
import { judgeTwiceAsLarge, openPanel, panelFrame, takeKeys } from "./panel-scene.mjs";
import { newProduct, program, statusItem } from "./product.mjs";

const base = Array.from({ length: 30 }, (_, at) => `line ${at + 1}\n`).join("");
const hostile = "<img src=x onerror=alert(1)> =cmd()";

/** Agents at four tasks, changes of theirs and of nobody known, decisions and an undo. */
async function newFigures() {
  const product = newProduct();
  const write = (name, text) => writeFileSync(join(product.workspace, name), text);
  const seen = () => product.cli("changes", "list");
  for (const name of ["auth.txt", "server.txt"]) write(name, base);
  await product.add("Refactor the login", "--label", "refactor");
  await product.add(hostile, "--label", "fix");
  await product.add("Never mind");
  const first = await product.cli("start", "--task-id", "a1", "--agent", "goose");
  await seen();
  write("auth.txt", base.replace("line 3\n", "LINE THREE\n"));
  await seen();
  write("auth.txt", base.replace("line 3\n", "LINE THREE\n").replace("line 20\n", "LINE TWENTY\n"));
  await seen();
  await product.cli("queue", "complete", "a1", "--attempt", String(first.task.attempt));
  const second = await product.cli("start", "--task-id", "a2", "--agent", "codex");
  write("server.txt", base.replace("line 9\n", "LINE NINE\n"));
  await seen();
  await product.cli("queue", "fail", "a2", "--attempt", String(second.task.attempt), "--reason", hostile);
  await product.cli("changes", "approve", "--file", join(product.workspace, "auth.txt"));
  await product.cli("changes", "reject", "--file", join(product.workspace, "server.txt"));
  await product.cli("changes", "undo");
  await product.cli("start", "--task-id", "a3", "--agent", "goose");
  await product.cli("queue", "cancel", "a3");
  // One that is started from here, so that what it used is known.
  mkdirSync(join(product.home, "config"), { mode: 0o700 });
  const counter = { adapter: "command", command: process.execPath, args: ["-e", "", "{prompt}"], prompt: "argument" };
  writeFileSync(join(product.home, "config", "agents.toml"), agentsFile({ counter: { ...counter, doneBy: "exit" } }));
  const { id } = await product.add("Count to nothing");
  await product.cli("session", "checkpoint", "--continue");
  await product.cli("agent", "start", "--agent", "counter", "--task-id", id);
  return { ...product, write, seen };
}

/** Whether the first chart holds the green of the theme that is in force. Runs in the page. */
function isInThemesGreen() {
  const canvas = document.querySelector("#chart-outcomes canvas");
  const probe = document.createElement("canvas").getContext("2d");
  probe.fillStyle = getComputedStyle(document.body).getPropertyValue("--vscode-charts-green").trim();
  probe.fillRect(0, 0, 1, 1);
  const [red, green, blue] = probe.getImageData(0, 0, 1, 1).data;
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  for (let at = 0; at < data.length; at += 4)
    if (data[at] === red && data[at + 1] === green && data[at + 2] === blue && data[at + 3] === 255) return true;
  return false;
}

describe("history and analytics in the panel", () => {
  let product;
  let server;
  let workbench;
  let frame;

  const goTo = (name) => frame.locator('[role="tab"]', { hasText: name }).click();
  const rows = () => frame.locator(".moment");
  const bar = () => frame.locator(".scrubber-bar");
  const place = () => frame.locator(".scrubber-place").innerText();
  const diffLines = (kind) => frame.locator(`.diff-line.${kind}`).allInnerTexts();

  before(async () => {
    product = await newFigures();
    server = await serveVsCode({ name: "figures", workspace: product.workspace, env: product.env });
    workbench = await openWorkbench(server, { width: 1_500, height: 950 });
    await workbench.status(statusItem).waitFor();
    frame = await openPanel(workbench);
  });
  afterEach(async ({ passed, name }) => {
    if (!passed) await workbench.pictureOfFailure(`figures-failed-${name.replaceAll(/\W+/g, "-")}`);
  });
  after(async () => {
    await workbench?.close();
    await server?.stop();
    product?.remove();
  });

  test("the workspace's story is the one that the command line tells", async () => {
    await goTo("History");
    await rows().first().waitFor();
    const { points } = await product.cli("history", "--limit", "1000");
    await eventually("all points are counted", place, (text) => text.endsWith(`of ${points.length}`));
    const told = await frame.locator(".moment-told").allInnerTexts();
    assert.deepEqual(told, points.map(({ summary }) => summary).slice(0, told.length));
    const lanes = await frame.locator(".lane-names li").allInnerTexts();
    for (const name of ["goose", "codex"]) assert.ok(lanes.includes(name), lanes.join(", "));
    await workbench.screenshot("panel-history");
  });

  test("filters by author and kind ask for that alone", async () => {
    const choose = async (label, option) => {
      const select = frame.locator(`vscode-single-select[title="${label}"]`);
      await select.click();
      await select.locator(".option", { hasText: option }).first().click();
    };
    await choose("What", "Changes");
    const changes = (await product.cli("history", "--kind", "revision", "--limit", "1000")).points;
    await eventually("only changes are there", place, (text) => text.endsWith(`of ${changes.length}`));
    await choose("Who", "codex");
    const own = changes.filter(({ who }) => who.name === "codex");
    await eventually("only those of one agent are there", place, (text) => text.endsWith(`of ${own.length}`));
    assert.deepEqual(
      await frame.locator(".moment-who").allInnerTexts(),
      own.map(() => "codex"),
    );
    await frame.locator('.icon-button[aria-label="Show everything"]').click();
    await eventually("everything is back", place, (text) => !text.endsWith(`of ${own.length}`));
  });

  test("a file's history is reached from its editor, and the keyboard moves through its diffs", async () => {
    await workbench.openFile("auth.txt");
    await workbench.palette("Augment: Show File History");
    frame = await panelFrame(workbench);
    const { steps } = await product.cli("changes", "history", join(product.workspace, "auth.txt"));
    await eventually("the steps are there", place, (text) => text.endsWith(`of ${steps.length}`));
    await takeKeys(bar());
    await workbench.page.keyboard.press("Home");
    await eventually("the oldest is looked at", place, (text) => text.startsWith("1 of "));
    for (const [at, step] of steps.entries()) {
      if (at > 0) await workbench.page.keyboard.press("ArrowRight");
      await eventually(`step ${step.step} is looked at`, place, (text) => text.startsWith(`${at + 1} of `));
      const [{ diff }] = (
        await product.cli("changes", "diff", "--file", join(product.workspace, "auth.txt"), "--step", String(step.step))
      ).files;
      const added = diff.split("\n").filter((line) => /^\+(?!\+\+)/.test(line));
      await eventually(
        `the diff of step ${step.step} is shown`,
        () => diffLines("added"),
        (lines) => lines.join("\n") === added.join("\n"),
      );
    }
    assert.match((await bar().getAttribute("aria-valuetext")) ?? "", /ada|Approved|approved/);
    await workbench.page.keyboard.press("Home");
    await workbench.page.keyboard.press("ArrowRight");
    await eventually(
      "the first change is looked at",
      () => diffLines("added"),
      (lines) => lines.join() === "+LINE THREE",
    );
    await workbench.screenshot("panel-history-file");
  });

  test("Open Diff is the editor's own diff of that step", async () => {
    await frame.locator("vscode-button", { hasText: "Open Diff" }).click();
    const tab = workbench.page.locator(".tab.active", { hasText: "auth.txt (what step" });
    await tab.waitFor();
    await workbench.page.locator(".monaco-diff-editor .modified .view-line", { hasText: "LINE" }).first().waitFor();
    await workbench.page.keyboard.press("Control+W").catch(() => {});
    frame = await openPanel(workbench);
  });

  test("what happens meanwhile appears in front", async () => {
    await goTo("History");
    await frame.locator('.icon-button[aria-label="Show everything"]').click();
    await eventually(
      "the whole story is there",
      () => frame.locator(".lane-names").innerText(),
      (text) => text.includes("codex"),
    );
    await product.cli("changes", "redo");
    await eventually(
      "the newest is told",
      () => frame.locator(".moment-told").first().innerText(),
      (told) => told === "redone: 1 hunk",
    );
  });

  test("figures are those of the command line, and every chart has its table", async () => {
    await goTo("Analytics");
    await frame.locator(".tile").first().waitFor();
    const { total, byAgent } = await product.cli("analytics");
    const tile = (name) => frame.locator(".tile", { hasText: name }).innerText();
    const percent = ({ part, of }) => `${Math.round((100 * part) / of)} %`;
    await eventually(
      "the success of runs is told",
      () => tile("Success of runs"),
      (text) =>
        text.includes(percent(total.runs.success)) &&
        text.includes(`${total.runs.success.part} of ${total.runs.success.of} runs`),
    );
    assert.match(
      await tile("Hunks approved"),
      new RegExp(`${total.hunks.approval.part} of ${total.hunks.approval.of} decisions on hunks`),
    );
    assert.match(await tile("Cost"), /no agent told it/);
    const pictures = frame.locator('.chart [role="img"]');
    assert.equal(
      await pictures.count(),
      6,
      "outcomes, times, tasks, decisions and resources; of cost nothing is known",
    );
    for (const label of await pictures.evaluateAll((all) => all.map((one) => one.getAttribute("aria-label"))))
      assert.match(label ?? "", /\d/);
    assert.equal(
      await frame.locator("#chart-cost .chart-empty").innerText(),
      "No agent told its tokens or cost in this period. Agents that tell them appear here.",
    );
    const { runs, cpuTotalMs, peakMemoryBytes } = total.resources;
    assert.equal(runs, 1, "of the others nobody here saw a process");
    const mebibytes = `${Math.floor(peakMemoryBytes / 1_048_576)} MiB`;
    assert.ok((await tile("Processor time")).includes(`at most ${mebibytes} in one process`));
    const told = async (name) => {
      const rows = frame.locator(`#chart-${name} tbody tr`);
      await frame.locator(`#chart-${name} summary`).click();
      const all = await rows.evaluateAll((rows) => rows.map((row) => [...row.cells].map((cell) => cell.innerText)));
      return all.filter(([, runs]) => runs === "1").map((row) => row.slice(2));
    };
    const cpu = cpuTotalMs < 1_000 ? `${cpuTotalMs} ms` : `${Math.floor(cpuTotalMs / 1_000)} s`;
    assert.deepEqual(await told("processor"), [[cpu, cpu]]);
    assert.deepEqual(await told("memory"), [[mebibytes]]);
    const chart = frame.locator("#chart-outcomes");
    await chart.locator("summary").click();
    const cells = await chart
      .locator("tbody tr")
      .evaluateAll((all) => all.map((row) => [...row.cells].map((cell) => cell.innerText)));
    const sum = (column) => cells.reduce((all, row) => all + Number(row[column]), 0);
    assert.deepEqual([sum(1), sum(2), sum(6)], [total.runs.ended, total.runs.completed, total.runs.failed]);
    assert.ok(cells.length > 0 && cells.length < 30, "days on which nothing happened are left out");
    await chart.locator(".chart-rows", { hasText: "Days on which nothing happened are left out." }).waitFor();
    const agents = await frame.locator('.group-table[aria-label="By agent"] tbody tr td:first-child').allInnerTexts();
    assert.deepEqual(
      agents,
      byAgent.map(({ name }) => name ?? "(unknown)"),
    );
    await workbench.judgeScreen("analytics");
  });

  test("Export CSV saves what the command line prints, and says so once it has", async () => {
    const now = new Date();
    const day = [
      now.getFullYear(),
      ...[now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0")),
    ];
    const name = `augment-analytics-${day.join("-")}.csv`;
    const path = join(product.workspace, name);
    await frame.evaluate(() => {
      globalThis.said = [];
      const live = document.querySelector('[role="status"]');
      new MutationObserver(() => globalThis.said.push(live.textContent)).observe(live, { childList: true });
    });
    const dialog = workbench.page.locator(".quick-input-widget:visible");
    const ask = async () => {
      await frame.locator("vscode-button", { hasText: "Export CSV" }).click();
      await eventually(
        "a name is offered",
        () => dialog.locator("input[type=text]").inputValue(),
        (offered) => offered.endsWith(name),
      );
    };
    await ask();
    await workbench.page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    await ask();
    await dialog.locator(".monaco-button", { hasText: "OK" }).click();
    const saved = await eventually("the file is written", () => {
      try {
        return readFileSync(path, "utf8");
      } catch {
        return undefined;
      }
    });
    const printed = execFileSync(program, ["-C", product.workspace, "analytics", "--csv"], {
      env: { ...process.env, ...product.env },
      encoding: "utf8",
    });
    const grouped = (text) => text.split("\r\n").filter((line) => /^(by|total|agent|type),/.test(line));
    assert.deepEqual(grouped(saved), grouped(printed));
    await workbench.toast(name).first().waitFor();
    const said = await eventually(
      "that it is done is said",
      () => frame.evaluate(() => globalThis.said),
      (texts) => texts.includes("The figures are exported."),
    );
    assert.deepEqual(said, ["The figures are exported."], "and of the one that was given up nothing");
  });

  test("it looks right in every theme", async () => {
    for (const [name, theme, kind] of [
      ["light", "Light Modern", "vs"],
      ["high-contrast", "Dark High Contrast", "hc-black"],
      ["high-contrast-light", "Light High Contrast", "hc-light"],
      ["dark", "Dark Modern", "vs-dark"],
    ]) {
      await workbench.palette("Preferences: Color Theme");
      await workbench.quickRows.first().waitFor();
      await workbench.page.keyboard.type(theme);
      await workbench.pick(theme);
      await workbench.page.locator(`.monaco-workbench.${kind}`).waitFor();
      frame = await panelFrame(workbench);
      await goTo("Analytics");
      await eventually(`the bars have a colour of ${theme}`, () => frame.evaluate(isInThemesGreen));
      await workbench.screenshot(`panel-analytics-${name}`);
      await goTo("History");
      await rows().first().waitFor();
      await workbench.screenshot(`panel-history-${name}`);
    }
  });

  test("at twice the size nothing of it is out of sight", async () => {
    await rows().first().click();
    await judgeTwiceAsLarge(workbench, frame, "history", ".moment-what, .moment-time");
    await goTo("Analytics");
    await frame.locator(".tile").first().waitFor();
    await judgeTwiceAsLarge(workbench, frame, "analytics");
  });

  test("nothing went wrong in the window", () => workbench.judge());
});

describe("a story of fifty thousand points", () => {
  const many = 50_000;
  const product = newProduct();
  let server;
  let workbench;

  before(async () => {
    await product.add("Begin");
    const { database } = await product.cli("where");
    // As the ledger has them; what is looked at here is what the page does with so many.
    const record =
      "'host','file.changed','file:src/f'||(n%500)||'.txt','','{\"author\":\"unknown\",\"evidence\":\"nothing\",\"added\":'||n||',\"removed\":1}',1";
    await sql(
      database,
      `WITH RECURSIVE c(n) AS (SELECT 1000 UNION ALL SELECT n+1 FROM c WHERE n < ${999 + many}) INSERT INTO ledger (sequence,time_ms,actor,kind,subject,about,data,version,previous,hash) SELECT n,${Date.now()}-(60000+1000*(${1000 + many}-n)),${record},zeroblob(32),zeroblob(32) FROM c`,
    );
    server = await serveVsCode({ name: "many", workspace: product.workspace, env: product.env });
    workbench = await openWorkbench(server);
    await workbench.status(statusItem).waitFor();
  });
  after(async () => {
    await workbench?.close();
    await server?.stop();
    product.remove();
  });

  test("is scrolled to its end with a few rows in the page at a time", async () => {
    const frame = await openPanel(workbench);
    await frame.locator('[role="tab"]', { hasText: "History" }).click();
    await frame.locator(".moment").first().waitFor();
    const list = frame.locator(".history-list .windowed");
    const loaded = async () =>
      Number((await frame.locator(".scrubber-place").innerText()).split(" of ")[1].replaceAll(/\D/g, ""));
    let most = 0;
    await eventually(
      "the oldest point is there",
      async () => {
        await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
        most = Math.max(most, await frame.locator(".moment").count());
        return loaded();
      },
      (count) => count >= many,
      120_000,
    );
    assert.ok(most < 120, `${most} rows were in the page at once`);
    await eventually(
      "the first point is on screen",
      async () => {
        await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
        return frame.locator(".moment-told").allInnerTexts();
      },
      (texts) => texts.includes("+1000 −1"),
    );
  });

  test("nothing went wrong in the window", () => workbench.judge());
});
