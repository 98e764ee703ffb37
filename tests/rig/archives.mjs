// Archives of sessions as the program writes them, made here: what reads them does not have to wait for sessions to end.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { blake3 } from "./blake3.mjs";

export const archiveFolder = join("memory-bank", "augment-sessions");
const none = "0".repeat(64);

/** JSON as the ledger writes it: keys in order, no spaces. */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const entries = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`);
  return `{${entries.join(",")}}`;
}

/**
 * The lines of a ledger, each bound to the one before. A gap stands for records of others.
 * @param {object[]} records kind, subject and data of each, `skip` for a gap before it
 */
export function ledgerLines(records, first = 1) {
  let [sequence, previous] = [first - 1, none];
  return records.map(({ kind, subject, data = {}, skip = 0 }, at) => {
    sequence += 1 + skip;
    if (skip > 0) previous = blake3(`others before ${sequence}`);
    const time = 1_794_823_200_000 + at * 1_000;
    const record = { about: [], actor: "person:ada", data, kind, sequence, subject, time, version: 1 };
    const hash = blake3(`${previous}\n${canonical(record)}`);
    const line = { line: canonical({ ...record, hash, previous }), hash, sequence };
    previous = hash;
    return line;
  });
}

export function summaryOf(record) {
  const list = (items) => items.map((item) => `- ${item}\n`).join("");
  return `# Session ${String(record.number).padStart(3, "0")}: ${record.title}\n\n${record.outcome}\n\n## Tasks\n\n${list(
    record.tasks.map(({ id, title }) => `${id} ${title}`),
  )}\n## Challenges\n\n${list(record.challenges)}\n## Learnings\n\n${list(record.learnings.map(({ text }) => text))}`;
}

/** A whole record; what is given takes the place of what would be there. */
export function recordOf(given = {}) {
  const { number = 9, title = "Lifesum connector" } = given;
  return {
    form: "augment-session/1",
    protocol: { session: "session-protocol/1", completion: "session-completion/1" },
    id: "s3",
    number,
    project: "health",
    title,
    startedAt: "2026-11-16T10:00:00Z",
    confirmedAt: "2026-11-16T10:02:00Z",
    endedAt: "2026-11-16T11:20:00Z",
    minutes: 80,
    endReason: null,
    automatic: null,
    model: "claude-sonnet-4-6",
    agents: ["goose"],
    phase: "Phase 1",
    sprintGoal: "All connectors built",
    progress: { before: { done: 1, total: 5 }, after: { done: 3, total: 5 } },
    tasks: [
      {
        id: "a1",
        title: "Write the Lifesum connector",
        goal: "Connectors",
        end: "completed",
        files: [{ path: "src/lifesum.rs", touch: "created" }],
        why: null,
      },
    ],
    decisions: [{ what: "Times are UTC", alternatives: ["local time"], why: "servers differ", by: "person:ada" }],
    challenges: ["The rate limit was hit twice"],
    resources: ["https://example.org/api"],
    outcome: "The connector reads all meals.",
    discovered: ["Withings drops the last page"],
    artifacts: [
      { path: "src/lifesum.rs", hash: null, size: null, check: "present", delivered: "workspace", received: true },
    ],
    metrics: [{ name: "files_modified", value: "3", unit: "files" }],
    learnings: [{ text: "The API counts pages from one.", tags: ["api"], shared: false }],
    feedback: { rating: 4, text: null },
    steps: [{ step: "archive", outcome: "done", evidence: ["written"], at: "2026-11-16T11:20:00Z", tries: 1 }],
    tags: ["connector", "lifesum"],
    ...given,
  };
}

/**
 * Writes an archive into a folder that holds archives, and gives its name.
 * @param {{ records?: object[], folder?: string, summary?: string } & object} given
 */
export function writeArchive(shelf, { records, folder, summary, ...given } = {}) {
  const record = recordOf(given);
  const lines = ledgerLines(
    records ?? [
      { kind: "session.started", subject: `session:${record.id}` },
      { kind: "session.confirmed", subject: `session:${record.id}`, data: { items: 1 } },
      { kind: "task.ended", subject: "task:a1", data: { status: "completed" }, skip: 3 },
      { kind: "session.ended", subject: `session:${record.id}` },
    ],
    5,
  );
  const texts = {
    "summary.md": summary ?? summaryOf(record),
    "ledger.jsonl": lines.map(({ line }) => `${line}\n`).join(""),
  };
  const last = lines.at(-1);
  record.ledger = {
    records: lines.length,
    first: lines[0]?.sequence ?? 0,
    last: last?.sequence ?? 0,
    head: last?.hash ?? none,
  };
  record.files = Object.fromEntries(Object.entries(texts).map(([file, text]) => [file, blake3(text)]));
  const slug = record.title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  const name = folder ?? `${record.endedAt.slice(0, 10)}-${record.id}-${slug}`;
  const place = join(shelf, name);
  mkdirSync(place, { recursive: true });
  for (const [file, text] of Object.entries(texts)) writeFileSync(join(place, file), text);
  writeFileSync(join(place, "session.json"), `${JSON.stringify(record, null, 2)}\n`);
  return name;
}

/** Changes one file of an archive. */
export function touch(place, change) {
  writeFileSync(place, change(readFileSync(place, "utf8")));
}
