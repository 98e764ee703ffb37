// Projects that are steered by a plan and a changelog, in the shapes in which they occur, and the sessions in them.

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { newProject } from "./changes.mjs";

/** The same three tasks in each shape of plan; `done` is how each marks the first one once it is complete. */
export const plans = {
  "bare lines and a table with signs": {
    text: `# Plan

current_phase: Phase 1 — Foundation
sprint_goal: "All connectors built"
last_updated: 2026-02-26

## Phase Overview

| Phase | Name | Status | Goal |
|---|---|---|---|
| 1 | Foundation | 🔵 In Progress | Connectors |
| 2 | Silver | ⬜ Planned | Models |

## Phase 1: Foundation

**Goal:** Connectors

| Task | Area | Estimated | Depends On | Status | Notes |
|---|---|---|---|---|---|
| Write the first | io | 15 min | - | ⬜ Planned | |
| Write the second | io | 45 min | - | ⬜ Planned | |
| Write the third | io | 20 min | - | ⬜ Planned | |
| Write the fourth | io | 20 min | - | ⬜ Planned | |

**Phase 1 progress:** 0/4 tasks complete (0%)
`,
    estimates: ["15 min", "45 min", "20 min"],
    done: /\| Write the first \| io \| 15 min \| - \| ✅ Complete \|/,
    progress: /\*\*Phase 1 progress:\*\* 3\/4 tasks complete \(75%\)/,
  },
  "bold headers and words alone": {
    text: `# Project Plan

**Current phase:** Phase 1 -- Foundation
**Sprint goal:** All connectors built
**Last updated:** 2026-02-26 (Session 008)

## Phase 1: Foundation

| Task | Area | Estimated | Depends On | Status | Notes |
|---|---|---|---|---|---|
| Write the first | io | 15 min | - | Planned | |
| Write the second | io | 45 min | - | Planned | |
| Write the third | io | 20 min | - | Planned | |
| Write the fourth | io | 20 min | - | Planned | |

**Phase 1 progress:** 0/4 tasks complete (0%)
`,
    estimates: ["15 min", "45 min", "20 min"],
    done: /\| Write the first \| io \| 15 min \| - \| Complete \|/,
    progress: /3\/4 tasks complete \(75%\)/,
  },
  "quoted headers and free words": {
    text: `# Plan

> Last updated: 2026-02-26 (Session 8)
> Current phase: **Phase 1 — Foundation**

## Phase 1 — Foundation

| Task | Status | Notes |
|---|---|---|
| Write the first | ⬜ not started | |
| Write the second | ⬜ not started | |
| Write the third | ⬜ not started | |
| Write the fourth | ⬜ not started | |
`,
    estimates: [null, null, null],
    done: /\| Write the first \| ✅ done \|/,
  },
  boxes: {
    text: `# Roadmap

### v0.2.0 — Connectors

- [ ] Write the first
- [ ] Write the second
- [ ] Write the third
- [ ] Write the fourth
`,
    estimates: [null, null, null],
    done: /- \[x\] Write the first\n/,
  },
};

export const changelog = `# Changelog

## 2026-02-26 — Session 008: Two connectors

**Phase:** Phase 1 — Foundation
**Agent:** goose
**Duration:** ~2 hours
**Tasks completed:** 2/2

### What was done
- Withings connector

### What was NOT done
- Lifesum connector

### Decisions made
- none

### Goal progress
Phase 1: ░░░░░░░░░░ 0%
`;

/** The documents that are there, as `newProject` takes files; one that is null is left out. */
export function documents({ plan, log }) {
  const utf8 = (text) => Buffer.from(text, "utf8").toString("latin1");
  const there = Object.entries({ "PROJECT_PLAN.md": plan, "CHANGELOG.md": log }).filter(([, text]) => text != null);
  return Object.fromEntries(there.map(([path, text]) => [path, utf8(text)]));
}

/** Git knows who is there, and nothing else: settings of the machine's would change what a commit needs. */
export async function introduce(project) {
  await project.git("config", "user.name", "Ada");
  await project.git("config", "user.email", "ada@example.org");
  const bare = join(project.scratch, "bare-home");
  mkdirSync(bare);
  project.env.HOME = bare;
  project.env.XDG_CONFIG_HOME = bare;
}

/**
 * A project with a plan and a changelog, committed, and git knows who is there.
 * @param {Record<string, string>} files besides the documents; a document that is null is left out
 */
export async function newGovernedProject(t, { plan = plans.boxes.text, log = changelog, files = {} } = {}) {
  const project = await newProject(t, { "src/a.txt": "1\n2\n3\n", ...documents({ plan, log }), ...files });
  await introduce(project);

  return Object.assign(project, {
    session: (...args) => project.json(["session", ...args]),
    status: () => project.json(["session", "status"]),
    reports: async () => (await project.json(["session", "report", "--all"])).reports,
    /** An agent on a task that is in the queue. */
    async worker(task, name = "goose") {
      const taken = await project.json(["start", "--task-id", task, "--agent", name]);
      const env = { AUGMENT_TOKEN: taken.token };
      return {
        run: taken.run,
        env,
        done: (result = "done") => project.json(["queue", "complete", task, "--result", result], { env }),
      };
    },
    /** Works a task off: writes these files, then ends it. */
    async workOff(task, tree) {
      const worker = await project.worker(task);
      for (const [path, content] of Object.entries(tree)) project.write(path, content);
      await worker.done();
    },
    /** An archive is whole: its files are those that it names, and its records are those of the ledger. */
    async archiveHolds(folder) {
      const session = JSON.parse(project.text(`${folder}/session.json`));
      assert.deepEqual([session.form, session.protocol.completion], ["augment-session/1", "session-completion/1"]);
      const lines = project.text(`${folder}/ledger.jsonl`).trimEnd().split("\n");
      const records = lines.map((line) => JSON.parse(line));
      const { first, last, head } = session.ledger;
      assert.deepEqual(session.ledger, { records: records.length, first, last, head });
      assert.deepEqual([records[0].sequence, records.at(-1).sequence, records.at(-1).hash], [first, last, head]);
      for (const record of [records[0], records.at(-1)]) {
        const kept = await project.json(["audit", "show", String(record.sequence)]);
        assert.equal(kept.hash, record.hash);
      }
      for (const [name, hash] of Object.entries(session.files)) {
        const announced = await project.records(
          "--kind",
          "session.document",
          "--file",
          project.at(`${folder}/${name}`),
        );
        if (announced[0].data.hash !== hash) assert.equal(name, "summary.md", "only what people read may be changed");
      }
      const [checked] = (await project.json(["archive", "verify", folder.split("/").at(-1)])).archives;
      assert.equal(checked.problem, null);
      return session;
    },
    levels: async () => (await project.reports()).map(({ level }) => level),
  });
}
